//! Formats whole numbers by the letters `d`, `x`, `o` and `b`, as Ruby's `sprintf` does.
//!
//! Without a sign flag, a negative number in hexadecimal, octal or binary is written in two's complement, in which it
//! has infinitely many leading digits: two dots, the repeated digit once, the other digits: `-255` is `..f01`. Floats
//! convert to whole numbers far beyond 64 bits, so a number is stored as a mantissa and a count of trailing zero bits.

use super::field::{DEFAULT_PRECISION, DigitFill, FieldOptions};
use crate::error::Result;
use crate::limits::BoundedString;

/// A whole number: `±mantissa × 2^shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WholeNumber {
    is_negative: bool,
    mantissa: u64,
    shift: u32,
}

impl From<i64> for WholeNumber {
    fn from(value: i64) -> WholeNumber {
        WholeNumber { is_negative: value < 0, mantissa: value.unsigned_abs(), shift: 0 }
    }
}

impl WholeNumber {
    pub(super) fn from_truncated_float(value: f64) -> WholeNumber {
        let (mantissa, exponent) = mantissa_and_exponent(value);
        let (mantissa, shift) = match u32::try_from(exponent) {
            Ok(shift) => (mantissa, shift),
            Err(_) => (mantissa.checked_shr(exponent.unsigned_abs()).unwrap_or(0), 0),
        };
        WholeNumber { is_negative: value < 0.0 && mantissa != 0, mantissa, shift }
    }

    pub(super) fn write_by_letter(self, out: &mut BoundedString, field: &FieldOptions, letter: char) -> Result<()> {
        let (bits, prefix) = match letter {
            'x' => (4, "0x"),
            'X' => (4, "0X"),
            'o' => (3, "0"),
            'b' => (1, "0b"),
            'B' => (1, "0B"),
            _ if self.shift == 0 => return self.write_digits(out, field, "", &self.mantissa.to_string()),
            _ => {
                // Exact: the mantissa has at most 53 bits here.
                let number = self.mantissa as f64 * 2_f64.powi(self.shift.cast_signed());
                return self.write_digits(out, field, "", &format!("{number:.0}"));
            }
        };
        let prefix = if field.alternate && self.mantissa != 0 { prefix } else { "" };
        let digit_char = |digit| if letter == 'X' { hex_digit(digit).to_ascii_uppercase() } else { hex_digit(digit) };
        if self.is_negative && !field.plus && !field.blank {
            let (highest, digits) = self.twos_complement(bits);
            let text: String = digits.into_iter().rev().map(digit_char).collect();
            let prefix = if bits == 3 { "" } else { prefix };
            // The dots count as digits.
            let count = field.precision.unwrap_or(0).saturating_sub(text.len() + 2);
            let fill = DigitFill { digit: digit_char(highest), count, pads_to_width: field.precision.is_none() };
            return field.write_number(out, &format!("{prefix}.."), fill, &text);
        }
        let digits: String = self.reversed_digits(bits).into_iter().rev().map(digit_char).collect();
        if bits == 3 {
            // The prefix of octal numbers is a digit like the others: precision and zeros count it, and zero has it.
            let precision = if field.alternate { field.precision.map(|least| least.max(1)) } else { field.precision };
            return self.write_digits(out, &FieldOptions { precision, ..*field }, "", &format!("{prefix}{digits}"));
        }
        self.write_digits(out, field, prefix, &digits)
    }

    pub(super) fn write_fixed_point(self, out: &mut BoundedString, field: &FieldOptions) -> Result<()> {
        let zeros = "0".repeat(field.precision.unwrap_or(DEFAULT_PRECISION));
        let point = if zeros.is_empty() { "" } else { "." };
        let digits = format!("{}{point}{zeros}", self.mantissa);
        field.write_number(out, field.sign_of_number(self.is_negative), DigitFill::ZEROS, &digits)
    }

    fn write_digits(self, out: &mut BoundedString, field: &FieldOptions, prefix: &str, digits: &str) -> Result<()> {
        // Zero has no digits if the precision is 0.
        let digits = if self.mantissa == 0 && field.precision == Some(0) { "" } else { digits };
        let count = field.precision.unwrap_or(0).saturating_sub(digits.len());
        let fill = DigitFill { digit: '0', count, pads_to_width: field.precision.is_none() };
        field.write_number(out, &format!("{}{prefix}", field.sign_of_number(self.is_negative)), fill, digits)
    }

    /// Returns the two's complement of a negative number in base 2^`bits`: the digit that repeats infinitely, and the
    /// digits in reverse order, which end with that digit once.
    fn twos_complement(self, bits: u32) -> (u8, Vec<u8>) {
        let highest = (1 << bits) - 1;
        let mut borrow = 0;
        let mut digits = self.reversed_digits(bits);
        for digit in &mut digits {
            let complement = (highest + 1 - *digit - borrow) & highest;
            borrow = u8::from(*digit + borrow > 0);
            *digit = complement;
        }
        while digits.last() == Some(&highest) {
            digits.pop();
        }
        digits.push(highest);
        (highest, digits)
    }

    /// Returns the digits of the absolute value in base 2^`bits`, in reverse order; 0 has one digit.
    fn reversed_digits(self, bits: u32) -> Vec<u8> {
        let length = self.shift + u64::BITS - self.mantissa.leading_zeros();
        let bit = |at: u32| match at.checked_sub(self.shift) {
            Some(at) if at < u64::BITS => u8::from(self.mantissa >> at & 1 == 1),
            Some(_) | None => 0,
        };
        let digit = |first: u32| (0..bits).map(|at| bit(first + at) << at).sum();
        (0..length.div_ceil(bits).max(1)).map(|at| digit(at * bits)).collect()
    }
}

/// Splits the absolute value of a finite Float into a mantissa and an exponent: `mantissa × 2^exponent`.
pub(super) fn mantissa_and_exponent(value: f64) -> (u64, i32) {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let exponent = (bits >> FRACTION_BITS & 0x7ff) as i32;
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << FRACTION_BITS, exponent - 1075) }
}

pub(super) fn hex_digit(digit: u8) -> char {
    char::from_digit(u32::from(digit), 16).unwrap_or('0') // OK because a digit has at most four bits.
}
