//! `Array[element, from, to]`: arrays with one element type.

use super::{
    Lattice, NestedType, Replace, Result, Rules, Size, Type, TypeError, UnitType, Value, check_arity, construct, row,
    size_from_arguments,
};

/// Arrays whose elements all have one type, optionally with a minimum and maximum size.
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
    /// The allowed numbers of elements; `None` if no size is written, which allows any number.
    size: Option<Size>,
}

impl ArrayType {
    /// Creates the type of arrays of `element`, of any size if `size` is `None`. For a size of 0, `element` is ignored.
    pub fn new(element: Type, size: Option<Size>) -> ArrayType {
        let is_empty = size.is_some_and(|size| size.to() == 0);
        ArrayType { element: if is_empty { Type::from(UnitType) } else { element }.into(), size }
    }

    /// The type of each element.
    pub fn element(&self) -> &Type {
        &self.element
    }

    /// The minimum and maximum number of elements.
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
        construct: construct::construct_array;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=3, "1 to 3")?;
        let (element, size) = match arguments {
            [Value::Type(element)] => (element.clone(), None),
            [Value::Type(element), ends @ ..] => (element.clone(), Some(size_from_arguments(ends)?)),
            [_, _] => (Type::any(), Some(size_from_arguments(arguments)?)),
            [first, ..] => return Err(TypeError::not_a_type(Self::NAME, first).into()),
            [] => (Type::any(), None),
        };
        Ok(ArrayType::new(element, size).into())
    }

    /// Returns the parameters in brackets; the element type is omitted for bare `Array` and for a maximum size of 0.
    fn arguments(&self) -> Vec<Value> {
        let is_written = self.size.map_or(!matches!(*self.element, Type::Any(_)), |size| size.to() > 0);
        let element = is_written.then(|| Value::Type((*self.element).clone()));
        element.into_iter().chain(self.size.into_iter().flat_map(Size::to_type_arguments)).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Array(elements) = value else { return false };
        self.size().contains(elements.len())
            && (elements.is_empty() || !lattice.has_matching_element(&self.element, elements.iter(), false))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match other {
            Type::Array(other) => {
                self.size().accepts(other.size())
                    && (other.size().to() == 0 || lattice.accepts_inner_type(&self.element, &other.element))
            }
            Type::Tuple(other) => {
                self.size().accepts(other.size_in_comparisons())
                    && other.types().iter().all(|type_| lattice.accepts_inner_type(&self.element, type_))
            }
            _ => false,
        }
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(ArrayType::new(replaced(&self.element), self.size).into())
    }

    fn generalized(&self, inside: &mut Replace<'_>) -> Type {
        ArrayType::new(inside(&self.element), None).into()
    }
}
