//! `Init[type, arguments…]`: values that a type can convert.

use std::sync::{Arc, OnceLock};

use super::definition::NotCompared;
use super::{
    ConstructError, Lattice, NestedType, Replace, Result, RichDataType, Rules, Size, TupleType, Type, TypeError, Value,
    VariantType, describe, row, written,
};

/// The instances of a type, and the values from which `type.new(value, arguments…)` can create one.
///
/// Source: language specification, "Init".
/// Observed: Puppet 8.11 takes bare `Init` as everything that is `RichData`; a type that makes nothing of a value is
/// refused when the Init is used, not when it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InitType {
    type_: Option<NestedType>,
    arguments: Arc<[Value]>,
    /// The types of the values that `new` accepts, computed at first use because nested aliases may be resolved later.
    cached_inputs: NotCompared<OnceLock<Option<ConstructorInputs>>>,
}

#[derive(Clone, Debug)]
struct ConstructorInputs {
    single_argument: Type,
    /// `single_argument`, a Tuple for each signature with more parameters, and its first if only that is required.
    all: Type,
}

/// Returns a Tuple of the parameters for each signature of `type_.new`, if any. `type_` must not be an alias.
///
/// Observed: Puppet 7.23, the signatures of each constructor.
#[expect(clippy::too_many_lines, reason = "one arm per constructor reads better in one place")]
fn constructor_signatures(type_: &Type, lattice: &mut Lattice) -> Vec<TupleType> {
    macro_rules! tuples {
        ($($types:tt)*) => { [$(written!(Tuple $types)),*] };
    }
    let signatures: &[Type] = match type_ {
        Type::Integer(_) => {
            let text = r"\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z";
            let from = written!(Variant[Numeric, Boolean, Timespan, Timestamp, Pattern[(text)]]);
            let radix = written!(Variant[Integer[2, 2], Integer[8, 8], Integer[10, 10], Integer[16, 16], Default]);
            &tuples! {
                [(from.clone()), (radix.clone()), Boolean, 1, 3]
                [Struct[{from => (from), Optional["abs"] => Boolean, Optional["radix"] => (radix)}]]
            }
        }
        Type::Float(_) | Type::Numeric(_) => {
            let text = r"\A[+-]?\s*(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?|0[xX][0-9A-Fa-f]+|0[0-7]+|0[bB][01]+)\z";
            let from = written!(Variant[Numeric, Boolean, Timespan, Timestamp, Pattern[(text)]]);
            &tuples! { [(from.clone()), Boolean, 1, 2] [Struct[{from => (from), Optional["abs"] => Boolean}]] }
        }
        Type::Boolean(_) => {
            &tuples! { [Variant[Numeric, Boolean, Enum["true", "false", "yes", "no", "y", "n", true]]] }
        }
        Type::Timestamp(_) => {
            let format = written!(Variant[String[2], Array[String[2], 1]]);
            &tuples! {
                [Variant[Integer, Float]]
                [Any, 0, 0]
                [Struct[{
                    string => String[1], Optional["format"] => (format.clone()), Optional["timezone"] => String[1]
                }]]
                [String[1], (format), String[1], 1, 3]
            }
        }
        Type::Timespan(_) => {
            let format = written!(Variant[String[2], Array[String[2], 1]]);
            &tuples! {
                [Variant[Integer, Float]]
                [Struct[{
                    Optional["days"] => Integer, Optional["hours"] => Integer, Optional["minutes"] => Integer,
                    Optional["seconds"] => Integer, Optional["milliseconds"] => Integer,
                    Optional["microseconds"] => Integer, Optional["nanoseconds"] => Integer,
                    Optional["negative"] => Boolean
                }]]
                [Struct[{string => String[1], Optional["format"] => (format.clone())}]]
                [Integer, Integer, Integer, Integer, Integer, Integer, Integer, 4, 7]
                [String[1], (format), 1, 2]
            }
        }
        Type::String(_) => {
            let directive = written!(Pattern[(r"\A%[\s\[+#0{<(|-]*(?:[1-9][0-9]*)?(?:\.[0-9]+)?[a-zA-Z]\z")]);
            let container = written!(Struct[{
                Optional["format"] => (directive.clone()),
                Optional["separator"] => String,
                Optional["separator2"] => String,
                Optional["string_formats"] => Hash[Type, (directive.clone())],
            }]);
            &tuples! {
                [Any, Variant[Default, String[1], Hash[Type, Variant[(directive), (container)]]], 1, 2]
            }
        }
        Type::Array(_) | Type::Tuple(_) => &tuples! {
            [Variant[Array, Hash, Binary, Iterable], Boolean[false], 1, 2] [Any, Boolean[true]]
        },
        Type::Sensitive(_) | Type::NotUndef(_) => &tuples! { [Any] },
        Type::Hash(_) | Type::Struct(_) => &tuples! {
            [Any] [Array[Tuple[Array, Any], 1], Enum["tree", "hash_tree"], 1, 2]
        },
        Type::Regexp(_) => &tuples! { [String, Boolean, 1, 2] },
        Type::Type(_) => &tuples! { [String[1]] },
        Type::SemVer(_) => {
            let word = written!(Pattern[(r"\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\Z")]);
            let number = r"(?:0|[1-9]\d*)";
            let prerelease = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)";
            let build = r"[0-9A-Za-z-]+";
            let version = format!(
                r"\A{number}\.{number}\.{number}(?:-{prerelease}(?:\.{prerelease})*)?(?:\+{build}(?:\.{build})*)?\Z"
            );
            &tuples! {
                [Pattern[(version)]]
                [Integer[0], Integer[0], Integer[0], (word.clone()), (word.clone()), 3, 5]
                [Struct[{
                    major => Integer[0], minor => Integer[0], patch => Integer[0],
                    Optional["prerelease"] => (word.clone()), Optional["build"] => (word)
                }]]
            }
        }
        Type::SemVerRange(_) => {
            let end = written!(Variant[Default, SemVer]);
            &tuples! {
                [String[1]]
                [(end.clone()), (end.clone()), Boolean, 2, 3]
                [Struct[{min => (end.clone()), Optional["max"] => (end), Optional["exclude_max"] => Boolean}]]
            }
        }
        Type::Binary(_) => {
            let format = written!(Enum["%b", "%u", "%B", "%s", "%r"]);
            &tuples! {
                [String, (format.clone()), 1, 2]
                [Array[Integer[0, 255]]]
                [Struct[{value => String, Optional["format"] => Optional[(format)]}]]
                [Struct[{value => Array[Integer[0, 255]]}]]
            }
        }
        Type::Uri(_) => &tuples! {
            [Struct[{
                Optional["scheme"] => String[1], Optional["userinfo"] => String[1], Optional["host"] => String[1],
                Optional["path"] => String[1], Optional["query"] => String[1], Optional["fragment"] => String[1],
                Optional["opaque"] => String[1], Optional["port"] => Integer[0]
            }]]
            [String[1]]
        },
        Type::Object(object) if !object.is_root() => {
            let (required, optional): (Vec<_>, Vec<_>) =
                object.fields().into_iter().partition(|field| field.is_required());
            // Observed: Puppet 7.23 counts those that may be undef among those that may be missing here, but `new` does not.
            let least = required.iter().filter(|field| !lattice.accepts_undef(field.type_())).count();
            let size = Size::exactly(least).merged_size(Size::exactly(required.len() + optional.len()));
            let by_position = required.iter().chain(&optional).map(|field| field.type_().clone());
            let by_name = TupleType::new([Type::Struct(object.struct_of_fields())], None);
            return vec![by_name, TupleType::new(by_position, Some(size))];
        }
        _ => &[],
    };
    signatures.iter().filter_map(TupleType::of_type).cloned().collect()
}

impl ConstructorInputs {
    /// Returns the types of the values that fit one of `signatures`, as the only argument or as an array of them all.
    ///
    /// Observed: Puppet 7.23, `['1.2.3'] =~ Init[SemVer]` is false, `[1, 2, 3] =~ Init[SemVer]` is true.
    fn from_signatures(signatures: Vec<TupleType>) -> ConstructorInputs {
        let (mut single, mut others) = (Vec::new(), Vec::new());
        for arguments in signatures {
            let first = arguments.type_at(0).filter(|_| arguments.size().from() == 1).cloned();
            if arguments.exact_size() == Some(1) {
                single.extend(first);
            } else {
                others.push(Type::from(arguments));
                others.extend(first);
            }
        }
        let all = VariantType::of(single.iter().cloned().chain(others));
        ConstructorInputs { single_argument: VariantType::of(single), all }
    }

    /// Returns the first parameters of those `signatures` that accept `further` after one argument; `None` if none do.
    fn for_further_arguments(further: &[Value], signatures: &[TupleType]) -> Option<ConstructorInputs> {
        let accepts = |arguments: &&TupleType| {
            let rest = arguments.types().iter().skip(1);
            arguments.size().contains(1 + further.len())
                && rest.zip(further).all(|(parameter, given)| parameter.has_instance(given))
        };
        let mut single =
            signatures.iter().filter(accepts).filter_map(|arguments| arguments.type_at(0)).cloned().peekable();
        single.peek()?;
        let single = VariantType::of(single);
        Some(ConstructorInputs { all: single.clone(), single_argument: single })
    }
}

impl InitType {
    /// The type whose `new` is called.
    pub fn type_(&self) -> Option<&Type> {
        self.type_.as_deref()
    }

    /// Returns the types that the constructor accepts; `None` if there is no constructor, or the Init contains itself.
    fn constructor_inputs(&self, lattice: &mut Lattice) -> Option<ConstructorInputs> {
        let type_ = self.type_.as_deref()?;
        let work_out = |lattice: &mut Lattice| {
            let signatures = match type_ {
                // Of these nothing is made through an Init.
                Type::Init(_) | Type::Optional(_) | Type::NotUndef(_) => Vec::new(),
                // Observed: Puppet 7.23. The `new` of an alias of an Init takes one argument, whatever it is.
                type_ => match &*type_.type_to_construct() {
                    Type::Init(init) if init.constructor_inputs(lattice).is_some() => {
                        vec![TupleType::new([Type::any()], None)]
                    }
                    maker => constructor_signatures(maker, lattice),
                },
            };
            match (signatures.is_empty(), self.arguments.is_empty()) {
                (true, _) => None,
                (false, true) => Some(ConstructorInputs::from_signatures(signatures)),
                (false, false) => ConstructorInputs::for_further_arguments(&self.arguments, &signatures),
            }
        };
        if let Some(known) = self.cached_inputs.0.get() {
            return known.clone();
        }
        let place = std::ptr::from_ref(self) as usize;
        let sources = lattice.run_unless_in_progress((place, place), work_out).flatten();
        // What leads back to this type would keep it alive for ever.
        if type_.is_resolved_acyclic() { self.cached_inputs.0.get_or_init(|| sources).clone() } else { sources }
    }

    /// Returns the type whose `new` converts `value`, and the arguments to call it with. If the Init has no further
    /// arguments, an Array holds all arguments, unless a constructor accepts the Array as its only argument.
    pub(crate) fn constructor_call(&self, value: &Value) -> Result<(&Type, Vec<Value>)> {
        let Some(type_) = self.type_.as_deref() else {
            return Err(ConstructError::Constructor { type_: Self::NAME }.into());
        };
        let mut lattice = Lattice::default();
        let Some(sources) = self.constructor_inputs(&mut lattice) else { return Err(self.unusable_error().into()) };
        if let Value::Array(all) = value
            && self.arguments.is_empty()
        {
            let is_one = type_.has_instance(value) || lattice.has_instance(&sources.single_argument, value);
            if !is_one {
                return Ok((type_, all.to_vec()));
            }
        }
        Ok((type_, [value].into_iter().chain(self.arguments.iter()).cloned().collect()))
    }

    pub(super) fn unusable_error(&self) -> TypeError {
        let type_ = self.type_.as_deref().map(Type::to_string_as_parameter).unwrap_or_default();
        TypeError::Unusable { type_, arguments: self.arguments.iter().map(describe).collect() }
    }
}

impl Rules for InitType {
    row! {
        "Init" ["type, argument, …"] below "Any": "values from which `new` can create an instance of the type";
        "1.5 =~ Init[Integer]" => "true",
        "'2015' =~ Init[Timestamp, '%Y']" => "true",
        "1 =~ Init[Integer, 'x']" => "error RUNTIME_ERROR",
        "Init[1]" => "error BAD_TYPE_SLICE_TYPE",
    }
    const TAKES_ARRAYS: bool = true;
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match arguments {
            [Value::Type(type_), rest @ ..] => {
                let (type_, arguments) = (Some(type_.into()), rest.into());
                Ok(InitType { type_, arguments, cached_inputs: NotCompared::default() }.into())
            }
            [other, ..] => Err(TypeError::not_a_type(Self::NAME, other).into()),
            [] => Ok(InitType::default().into()),
        }
    }

    fn arguments(&self) -> Vec<Value> {
        let type_ = self.type_.as_deref().cloned().map(Value::Type);
        type_.into_iter().chain(self.arguments.iter().cloned()).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Some(type_) = &self.type_ else { return RichDataType.has_instance(value, lattice) };
        let Some(sources) = self.constructor_inputs(lattice) else { return lattice.record_unusable_init(self) };
        let place = (std::ptr::from_ref(self) as usize, std::ptr::from_ref(value) as usize);
        let ask =
            |lattice: &mut Lattice| lattice.has_instance(type_, value) || lattice.has_instance(&sources.all, value);
        lattice.run_unless_in_progress(place, ask).unwrap_or(false)
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Some(type_) = &self.type_ else {
            return matches!(other, Type::Init(_)) || RichDataType.accepts(other, lattice);
        };
        match (self.constructor_inputs(lattice), other) {
            (None, _) => lattice.record_unusable_init(self),
            // Observed: Puppet 7.23; the further arguments do not count.
            (Some(_), Type::Init(other)) => {
                other.type_.as_ref().is_some_and(|other| lattice.accepts_inner_type(type_, other))
            }
            (Some(sources), other) => {
                lattice.accepts_inner_type(type_, other) || lattice.accepts_inner_type(&sources.all, other)
            }
        }
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        let type_ = Some(replaced(self.type_()?).into());
        Some(InitType { type_, arguments: self.arguments.clone(), cached_inputs: NotCompared::default() }.into())
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let [value] = arguments else {
            return Err(ConstructError::Arity { type_: Self::NAME, most: 1, got: arguments.len() }.into());
        };
        let (type_, arguments) = self.constructor_call(value)?;
        type_.construct_unexplained(&arguments)
    }
}
