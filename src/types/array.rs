//! `Array[element, from, to]`: arrays with one element type.

use super::{
    Lattice, NestedType, Replace, Result, Rules, Size, Type, TypeError, UnitType, Value, arity, construct, row, size,
};

/// Arrays whose elements are all of one type, optionally of a certain number.
/// ```
/// use pcore::types::{ArrayType, Size, Type};
/// let ports: Type = ArrayType::new("Integer[1, 65535]".parse()?, Some(Size::new(1, 3)?)).into();
/// assert_eq!(ports.to_string(), "Array[Integer[1, 65535], 1, 3]");
/// # Ok::<(), pcore::Error>(())
/// ```
///
/// Source: language specification, "`Array ([type, [from, [to]]])`".
/// Observed: Puppet 8.11 takes `Array[1, 2]` as a size alone, but not `Array[1]`, and prints `Array[Integer, 0, 0]` as
/// `Array[0, 0]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArrayType {
    element: NestedType,
    /// `None` if no size is written.
    size: Option<Size>,
}

impl ArrayType {
    /// Arrays of `element`; of any size when there is none. Arrays that are always empty have no type of elements.
    pub fn new(element: Type, size: Option<Size>) -> ArrayType {
        let is_empty = size.is_some_and(|size| size.to() == 0);
        ArrayType { element: if is_empty { Type::from(UnitType) } else { element }.into(), size }
    }

    /// The type of each element.
    pub fn element(&self) -> &Type {
        &self.element
    }

    /// How many elements there may be.
    pub fn size(&self) -> Size {
        self.size.unwrap_or(Size::ANY)
    }
}

impl Rules for ArrayType {
    row! {
        "Array" ["element, from, to"] below "Collection": "arrays with one element type, optionally with a size";
        "[1, 2] =~ Array[Integer, 1]" => "true",
        "[1, 'a'] =~ Array[Integer]" => "false",
        "Array['a']" => "error BAD_TYPE_SLICE_TYPE",
        new "(Any $from, Boolean $wrap = false)",
        construct: construct::array;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        arity(Self::NAME, arguments, 1..=3, "1 to 3")?;
        let (element, size) = match arguments {
            [Value::Type(element)] => (element.clone(), None),
            [Value::Type(element), ends @ ..] => (element.clone(), Some(size(ends)?)),
            [_, _] => (Type::any(), Some(size(arguments)?)),
            [first, ..] => return Err(TypeError::not_a_type(Self::NAME, first).into()),
            [] => (Type::any(), None),
        };
        Ok(ArrayType::new(element, size).into())
    }

    /// The type of the empty array is `Array[0, 0]`.
    fn arguments(&self) -> Vec<Value> {
        let is_written = self.size.map_or(!matches!(*self.element, Type::Any(_)), |size| size.to() > 0);
        let element = is_written.then(|| Value::Type((*self.element).clone()));
        element.into_iter().chain(self.size.into_iter().flat_map(Size::arguments)).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Array(elements) = value else { return false };
        self.size().contains(elements.len())
            && (elements.is_empty() || !lattice.finds_element(&self.element, elements.iter(), false))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match other {
            Type::Array(other) => {
                self.size().accepts(other.size())
                    && (other.size().to() == 0 || lattice.accepts_part(&self.element, &other.element))
            }
            Type::Tuple(other) => {
                self.size().accepts(other.size_when_given())
                    && other.types().iter().all(|type_| lattice.accepts_part(&self.element, type_))
            }
            _ => false,
        }
    }

    fn map(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(ArrayType::new(replaced(&self.element), self.size).into())
    }

    fn generalized(&self, inside: &mut Replace<'_>) -> Type {
        ArrayType::new(inside(&self.element), None).into()
    }
}
