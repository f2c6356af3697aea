//! The field of a formatted value: flags, width and precision, which all directives share.

use super::error::FormatError;
use crate::error::Result;
use crate::limits::{self, BoundedString, Limit};

/// The number of digits after the decimal point if a directive has no precision.
pub(super) const DEFAULT_PRECISION: usize = 6;

/// The flags, width and precision of a directive: the `-08.3` of `%-08.3f`.
///
/// Each letter uses only those that apply to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that a format has or has not")]
pub(super) struct Field {
    /// `#`: the alternate form
    pub(super) alternate: bool,
    /// `+`: write a sign for numbers that are not negative
    pub(super) plus: bool,
    /// space: write a space instead of the `+` sign
    pub(super) blank: bool,
    /// `-`: the text is left-aligned
    pub(super) left: bool,
    /// `0`: numbers are filled with zeros
    pub(super) zero: bool,
    /// The minimum number of characters; 0 if not given.
    pub(super) width: usize,
    /// The precision: the maximum number of characters, the minimum number of digits of an Integer, or the number of
    /// digits after the point.
    pub(super) precision: Option<usize>,
}

/// Returns `count`, a width or precision, or an error if it exceeds the maximum length of a string.
pub(super) fn limited(count: usize, format: impl FnOnce() -> String) -> Result<usize, FormatError> {
    if count > limits::length_of(Limit::String) { Err(FormatError::TooWide(format())) } else { Ok(count) }
}

impl Field {
    pub(super) fn set(&mut self, flag: char) {
        match flag {
            ' ' => self.blank = true,
            '+' => self.plus = true,
            '-' => self.left = true,
            '#' => self.alternate = true,
            _ => self.zero = true,
        }
    }

    /// Writes `text`, cut to the precision and padded with spaces to the width.
    pub(super) fn write_text(&self, out: &mut BoundedString, text: &str) -> Result<()> {
        let text = match self.precision.and_then(|most| text.char_indices().nth(most)) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        let padding = self.width.saturating_sub(text.chars().count());
        let (before, after) = if self.left { (0, padding) } else { (padding, 0) };
        out.fill(' ', before)?;
        out.push_str(text)?;
        out.fill(' ', after)
    }

    /// Writes `lead` (sign and prefix), the repeated digits of `fill`, and `digits`. Spaces fill up to the width, or,
    /// with the flag `0`, the digit of `fill`.
    pub(super) fn write_number(&self, out: &mut BoundedString, lead: &str, fill: Fill, digits: &str) -> Result<()> {
        let padding = self.width.saturating_sub(lead.len() + fill.count + digits.len());
        let (before, between, after) = match (self.left, self.zero && fill.to_width) {
            (true, _) => (0, 0, padding),
            (false, true) => (0, padding, 0),
            (false, false) => (padding, 0, 0),
        };
        out.fill(' ', before)?;
        out.push_str(lead)?;
        out.fill(fill.digit, fill.count + between)?;
        out.push_str(digits)?;
        out.fill(' ', after)
    }

    /// The sign of a number: `-`, `+`, a space or nothing.
    pub(super) fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }
}

/// The repeated digit between the sign of a number and its own digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    /// `0`, or the digit with which a negative number in two's complement continues to the left: `f`, `7`, `1`
    pub(super) digit: char,
    /// The digits that the precision requires.
    pub(super) count: usize,
    /// Whether the flag `0` may repeat the digit up to the width.
    pub(super) to_width: bool,
}

impl Fill {
    /// No digits for a precision, and zeros up to the width.
    pub(super) const ZEROS: Fill = Fill { digit: '0', count: 0, to_width: true };
}
