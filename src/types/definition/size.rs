//! The size range of a string or a collection.

use super::error::TypeError;
use crate::error::Result;
use crate::value::Value;

/// Two inclusive ends, 0 ..= 2^63 - 1; the highest means *no limit*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    from: i64,
    to: i64,
}

impl Size {
    /// Every size.
    pub const ANY: Size = Size { from: 0, to: i64::MAX };

    /// `from ..= to`; negative ends mean 0.
    ///
    /// # Errors
    /// `from` above `to`.
    pub fn new(from: i64, to: i64) -> Result<Size> {
        let (from, to) = (from.max(0), to.max(0));
        if from > to {
            return Err(TypeError::Descending { from: from.to_string(), to: to.to_string() }.into());
        }
        Ok(Size { from, to })
    }

    /// Exactly `count`.
    pub fn exactly(count: usize) -> Size {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Size { from: count, to: count }
    }

    /// The smallest size.
    pub fn from(self) -> i64 {
        self.from
    }

    /// The largest size.
    pub fn to(self) -> i64 {
        self.to
    }

    /// Whether `count` is such a size.
    pub fn contains(self, count: usize) -> bool {
        i64::try_from(count).is_ok_and(|count| (self.from..=self.to).contains(&count))
    }

    /// Whether every size of `other` is one of this.
    pub fn accepts(self, other: Size) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// The smallest size that holds both.
    #[must_use]
    pub fn merged(self, other: Size) -> Size {
        Size { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    /// As written between brackets: `2`, `2, 5`, `0`.
    pub(in crate::types) fn arguments(self) -> impl Iterator<Item = Value> {
        std::iter::once(self.from).chain((self.to != i64::MAX).then_some(self.to)).map(Value::Integer)
    }
}
