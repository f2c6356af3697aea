//! `Integer[from, to]`: whole numbers between two inclusive bounds.

use super::{Lattice, Result, Rules, Type, TypeError, Value, check_arity, construct, describe, row};

/// Integers between two inclusive bounds.
///
/// A bound that is omitted or `default` is that of all Integers: -2^63 or 2^63 - 1.
///
/// Source: language specification, "`Integer ([from, to])`".
/// Observed: Puppet 8.11 takes `Integer[5]` as 5 and up; the specification says exactly 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerType {
    from: i64,
    to: i64,
    open: OpenBounds,
}

/// Which bounds of an Integer type are omitted. Such a type is printed without them and cannot be iterated over.
///
/// Stored as a `u64` because its spare states encode the variants of `Type` and `Value`: a variant can be read fast
/// only if a whole word was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u64)]
enum OpenBounds {
    Neither,
    From,
    To,
    Both,
}

impl OpenBounds {
    fn new(from: bool, to: bool) -> OpenBounds {
        match (from, to) {
            (false, false) => OpenBounds::Neither,
            (true, false) => OpenBounds::From,
            (false, true) => OpenBounds::To,
            (true, true) => OpenBounds::Both,
        }
    }

    fn is_lower_omitted(self) -> bool {
        matches!(self, OpenBounds::From | OpenBounds::Both)
    }

    fn is_upper_omitted(self) -> bool {
        matches!(self, OpenBounds::To | OpenBounds::Both)
    }
}

impl IntegerType {
    /// Every Integer.
    pub const ALL: IntegerType = IntegerType { from: i64::MIN, to: i64::MAX, open: OpenBounds::Both };

    /// Creates a range with inclusive bounds, or returns `None` if `from` exceeds `to`.
    pub fn new(from: i64, to: i64) -> Option<IntegerType> {
        (from <= to).then_some(IntegerType { from, to, open: OpenBounds::Neither })
    }

    pub(in crate::types) fn exactly(number: i64) -> IntegerType {
        IntegerType { from: number, to: number, open: OpenBounds::Neither }
    }

    /// Creates the type of all Integers that are at least `from`.
    pub fn at_least(from: i64) -> IntegerType {
        IntegerType { from, to: i64::MAX, open: OpenBounds::To }
    }

    /// The lowest value.
    pub fn from(self) -> i64 {
        self.from
    }

    /// The highest value.
    pub fn to(self) -> i64 {
        self.to
    }

    pub(crate) fn contains(self, number: i64) -> bool {
        (self.from..=self.to).contains(&number)
    }

    /// Whether neither bound is omitted. Observed: Puppet 7.23 iterates over such types, but not over `Integer[1]`.
    pub(crate) fn has_both_bounds(self) -> bool {
        self.open == OpenBounds::Neither
    }

    /// Returns the smallest range that contains both ranges.
    #[must_use]
    pub fn merged(self, other: IntegerType) -> IntegerType {
        let is_either_open = |is_open: fn(OpenBounds) -> bool| is_open(self.open) || is_open(other.open);
        let open =
            OpenBounds::new(is_either_open(OpenBounds::is_lower_omitted), is_either_open(OpenBounds::is_upper_omitted));
        IntegerType { from: self.from.min(other.from), to: self.to.max(other.to), open }
    }
}

impl Default for IntegerType {
    fn default() -> IntegerType {
        IntegerType::ALL
    }
}

impl Rules for IntegerType {
    row! {
        "Integer" ["from, to"] below "Numeric": "whole numbers, optionally between two inclusive bounds";
        "5 =~ Integer[1, 10]" => "true",
        "Integer[10, 1]" => "error RUNTIME_ERROR",
        new r"(Variant[Numeric, Boolean, String, Timespan, Timestamp] $from, Variant[Default, Integer] $radix = default, Boolean $abs = false)",
        new r"(Struct[{from => Any, Optional[radix] => Variant[Default, Integer], Optional[abs] => Boolean}] $arguments)",
        construct: construct::construct_integer;
        construct_by_specification: construct::integer_by_specification;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=2, "1 or 2")?;
        let end = |at: usize, open: i64| match arguments.get(at) {
            None | Some(Value::Default) => Ok(open),
            Some(Value::Integer(end)) => Ok(*end),
            Some(other) => Err(TypeError::NotAnEnd { type_: Self::NAME, got: describe(other) }),
        };
        let (from, to) = (end(0, i64::MIN)?, end(1, i64::MAX)?);
        if from > to {
            return Err(TypeError::Descending { from: from.to_string(), to: to.to_string() }.into());
        }
        let is_open = |at: usize| matches!(arguments.get(at), None | Some(Value::Default));
        Ok(IntegerType { from, to, open: OpenBounds::new(is_open(0), is_open(1)) }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        match self.open {
            OpenBounds::Both => Vec::new(),
            OpenBounds::To => vec![Value::Integer(self.from)],
            OpenBounds::From => vec![Value::Default, Value::Integer(self.to)],
            OpenBounds::Neither => vec![Value::Integer(self.from), Value::Integer(self.to)],
        }
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Integer(number) if self.contains(*number))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        // Observed: Puppet 8.10. An open end lies beyond every number.
        matches!(other, Type::Integer(other)
            if (self.open.is_lower_omitted() || !other.open.is_lower_omitted() && self.from <= other.from)
                && (self.open.is_upper_omitted() || !other.open.is_upper_omitted() && other.to <= self.to))
    }
}
