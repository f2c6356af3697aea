//! `Float[from, to]`: floating-point numbers between two inclusive bounds.

use std::hash::{Hash, Hasher};

use super::{Lattice, Result, Rules, Type, TypeError, Value, check_arity, construct, describe, row};

/// Floating-point numbers between two inclusive bounds; an omitted bound is infinite.
///
/// Integers are not Floats: `1 =~ Float[0, 10]` is false, though the bounds may be written as Integers.
///
/// Source: language specification, "`Float ([from, to])`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatType {
    from: f64,
    to: f64,
}

impl FloatType {
    /// Every Float.
    pub const ALL: FloatType = FloatType { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// Creates a range with inclusive bounds, or returns `None` if `from` exceeds `to` or one of them is NaN.
    pub fn new(from: f64, to: f64) -> Option<FloatType> {
        (from <= to).then_some(FloatType { from, to })
    }

    /// The lowest value.
    pub fn from(self) -> f64 {
        self.from
    }

    /// The highest value.
    pub fn to(self) -> f64 {
        self.to
    }

    /// Returns the smallest range that contains both ranges.
    #[must_use]
    pub fn merged(self, other: FloatType) -> FloatType {
        FloatType { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

/// Equality is total, because the bounds are never NaN.
impl Eq for FloatType {}

impl Hash for FloatType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // 0.0 and -0.0 are the same end.
        (self.from + 0.0).to_bits().hash(state);
        (self.to + 0.0).to_bits().hash(state);
    }
}

impl Default for FloatType {
    fn default() -> FloatType {
        FloatType::ALL
    }
}

impl Rules for FloatType {
    row! {
        "Float" ["from, to"] below "Numeric": "floating-point numbers, optionally between two inclusive bounds";
        "0.5 =~ Float[0, 1]" => "true",
        "1 =~ Float[0, 1]" => "false",
        "Float['a']" => "error BAD_INTEGER_SLICE_TYPE",
        new "(Variant[Numeric, Boolean, String, Timespan, Timestamp] $from, Boolean $abs = false)",
        new "(Struct[{from => Any, Optional[abs] => Boolean}] $arguments)",
        construct: |arguments| construct::construct_number(Self::NAME, arguments);
        construct_by_specification: construct::float_by_specification;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=2, "1 or 2")?;
        let end = |at: usize, open: f64| match arguments.get(at) {
            None | Some(Value::Default) => Ok(open),
            Some(Value::Integer(end)) => Ok(*end as f64),
            Some(Value::Float(end)) => Ok(*end),
            Some(other) => Err(TypeError::NotAnEnd { type_: Self::NAME, got: describe(other) }),
        };
        let (from, to) = (end(0, f64::NEG_INFINITY)?, end(1, f64::INFINITY)?);
        let descending = || TypeError::Descending { from: from.to_string(), to: to.to_string() };
        Ok(FloatType::new(from, to).ok_or_else(descending)?.into())
    }

    fn arguments(&self) -> Vec<Value> {
        let end = |end: f64| if end.is_infinite() { Value::Default } else { Value::Float(end) };
        match (end(self.from), end(self.to)) {
            (Value::Default, Value::Default) => Vec::new(),
            (from, Value::Default) => vec![from],
            (from, to) => vec![from, to],
        }
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Float(number) if self.from <= *number && *number <= self.to)
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Float(other) if self.from <= other.from && other.to <= self.to)
    }
}
