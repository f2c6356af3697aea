//! `Integer[from, to]`: whole numbers between two inclusive bounds.

use super::{Lattice, Result, Rules, Type, TypeError, Value, arity, construct, describe, row};

/// Whole numbers between two inclusive ends.
///
/// Range: -2^63 ..= 2^63 - 1. An end left open is `default`, which is the end of that range.
///
/// Source: language specification, "`Integer ([from, to])`".
/// Observed: Puppet 8.11 takes `Integer[5]` as 5 and up; the specification says exactly 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerType {
    from: i64,
    to: i64,
    open: OpenEnds,
}

/// The ends that are those of all numbers because none was written. It shows in the text, and nobody can iterate.
///
/// A whole word, because the compiler tells types and values apart by its spare states: so all parts of a value are words,
/// and none is read before it is stored completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u64)]
enum OpenEnds {
    Neither,
    From,
    To,
    Both,
}

impl OpenEnds {
    fn new(from: bool, to: bool) -> OpenEnds {
        match (from, to) {
            (false, false) => OpenEnds::Neither,
            (true, false) => OpenEnds::From,
            (false, true) => OpenEnds::To,
            (true, true) => OpenEnds::Both,
        }
    }

    fn from(self) -> bool {
        matches!(self, OpenEnds::From | OpenEnds::Both)
    }

    fn to(self) -> bool {
        matches!(self, OpenEnds::To | OpenEnds::Both)
    }
}

impl IntegerType {
    /// Every Integer.
    pub const ALL: IntegerType = IntegerType { from: i64::MIN, to: i64::MAX, open: OpenEnds::Both };

    /// `from` and `to` are inclusive; `None` if they descend.
    pub fn new(from: i64, to: i64) -> Option<IntegerType> {
        (from <= to).then_some(IntegerType { from, to, open: OpenEnds::Neither })
    }

    pub(in crate::types) fn only(number: i64) -> IntegerType {
        IntegerType { from: number, to: number, open: OpenEnds::Neither }
    }

    /// `from` and up.
    pub fn at_least(from: i64) -> IntegerType {
        IntegerType { from, to: i64::MAX, open: OpenEnds::To }
    }

    /// The lowest value.
    pub fn from(self) -> i64 {
        self.from
    }

    /// The highest value.
    pub fn to(self) -> i64 {
        self.to
    }

    /// Whether the number is in the range.
    pub(crate) fn contains(self, number: i64) -> bool {
        (self.from..=self.to).contains(&number)
    }

    /// Whether the range can be iterated over: it has both ends.
    ///
    /// Observed: Puppet 7.23 iterates over `Integer[1, 9223372036854775807]`, but not over `Integer[1]`.
    pub(crate) fn has_ends(self) -> bool {
        self.open == OpenEnds::Neither
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn merged(self, other: IntegerType) -> IntegerType {
        IntegerType {
            from: self.from.min(other.from),
            to: self.to.max(other.to),
            open: OpenEnds::new(self.open.from() || other.open.from(), self.open.to() || other.open.to()),
        }
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
        construct: construct::integer;
        construct_by_specification: construct::integer_by_specification;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        arity(Self::NAME, arguments, 1..=2, "1 or 2")?;
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
        Ok(IntegerType { from, to, open: OpenEnds::new(is_open(0), is_open(1)) }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        match self.open {
            OpenEnds::Both => Vec::new(),
            OpenEnds::To => vec![Value::Integer(self.from)],
            OpenEnds::From => vec![Value::Default, Value::Integer(self.to)],
            OpenEnds::Neither => vec![Value::Integer(self.from), Value::Integer(self.to)],
        }
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Integer(number) if self.contains(*number))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        // Observed: Puppet 8.10. An open end lies beyond every number.
        matches!(other, Type::Integer(other)
            if (self.open.from() || !other.open.from() && self.from <= other.from)
                && (self.open.to() || !other.open.to() && other.to <= self.to))
    }
}
