//! The options of a directive that all letters share: flags, width and precision.

use super::error::FormatError;
use crate::error::Result;
use crate::limits::{self, BoundedString, Limit};

pub(super) const DEFAULT_PRECISION: usize = 6;

/// The flags, width and precision of a directive: the `-08.3` of `%-08.3f`.
///
/// Each letter uses only the options that apply to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that a format has or has not")]
pub(super) struct FieldOptions {
    /// `#`: the alternate form of the letter, such as a prefix `0x`, quotes, or one line per entry
    pub(super) alternate: bool,
    /// `+`: write a plus sign before numbers that are not negative
    pub(super) plus: bool,
    /// space: write a space before numbers that are not negative, unless `+` is set
    pub(super) blank: bool,
    /// `-`: align to the left
    pub(super) left: bool,
    /// `0`: pad numbers with zeros
    pub(super) zero: bool,
    /// The minimum number of characters, to which a shorter result is padded; 0 if no width is given.
    pub(super) width: usize,
    /// The precision: for strings the maximum number of characters, for Integers the minimum number of digits, for
    /// Floats the number of digits after the decimal point. `None` if not given.
    pub(super) precision: Option<usize>,
}

pub(super) fn check_width_or_precision(count: usize, format: impl FnOnce() -> String) -> Result<usize, FormatError> {
    if count > limits::current_limit_as_usize(Limit::String) { Err(FormatError::TooWide(format())) } else { Ok(count) }
}

impl FieldOptions {
    pub(super) fn set_flag(&mut self, flag: char) {
        match flag {
            ' ' => self.blank = true,
            '+' => self.plus = true,
            '-' => self.left = true,
            '#' => self.alternate = true,
            _ => self.zero = true,
        }
    }

    /// Writes `text`, truncated to the precision and padded with spaces to the width.
    pub(super) fn write_text(&self, out: &mut BoundedString, text: &str) -> Result<()> {
        let text = match self.precision.and_then(|most| text.char_indices().nth(most)) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        let padding = self.width.saturating_sub(text.chars().count());
        let (before, after) = if self.left { (0, padding) } else { (padding, 0) };
        out.push_repeated(' ', before)?;
        out.push_str(text)?;
        out.push_repeated(' ', after)
    }

    /// Writes `lead` (sign and prefix), the repeated digits of `fill`, and `digits`. Pads to the width with spaces, or
    /// with the digit of `fill` if the flag `0` and `fill.to_width` are set.
    pub(super) fn write_number(
        &self,
        out: &mut BoundedString,
        lead: &str,
        fill: DigitFill,
        digits: &str,
    ) -> Result<()> {
        let padding = self.width.saturating_sub(lead.len() + fill.count + digits.len());
        let (before, between, after) = match (self.left, self.zero && fill.pads_to_width) {
            (true, _) => (0, 0, padding),
            (false, true) => (0, padding, 0),
            (false, false) => (padding, 0, 0),
        };
        out.push_repeated(' ', before)?;
        out.push_str(lead)?;
        out.push_repeated(fill.digit, fill.count + between)?;
        out.push_str(digits)?;
        out.push_repeated(' ', after)
    }

    pub(super) fn sign_of_number(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }
}

/// The padding of a number: a digit that is repeated between the sign or prefix and the digits of the number itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct DigitFill {
    /// `0`, or the leading digit of negative numbers in two's complement: `f`, `7`, `1`
    pub(super) digit: char,
    /// The number of repetitions that are necessary to reach the precision, regardless of the width.
    pub(super) count: usize,
    /// Whether the flag `0` pads the number to the width with this digit; otherwise spaces pad it.
    pub(super) pads_to_width: bool,
}

impl DigitFill {
    /// A fill with zeros: none for the precision, and up to the width if the flag `0` is set.
    pub(super) const ZEROS: DigitFill = DigitFill { digit: '0', count: 0, pads_to_width: true };
}
