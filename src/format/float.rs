//! Formats Floats by the `sprintf` letters `f`, `e`, `g`, `a`.

use super::field::{DEFAULT_PRECISION, DigitFill, FieldOptions};
use super::integer::{hex_digit, mantissa_and_exponent};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::microsyntax::split_exponent;

/// The most digits after the point that can be other than zero, as Floats are multiples of 2^-1074; zeros follow.
const MAX_FRACTION_DIGITS: usize = 1074;

pub(super) fn write_float(out: &mut BoundedString, field: &FieldOptions, value: f64, letter: char) -> Result<()> {
    let sign = field.sign_of_number(value.is_sign_negative() && !value.is_nan());
    if !value.is_finite() {
        let name = if value.is_nan() { "NaN" } else { "Inf" };
        return field.write_number(out, sign, DigitFill { pads_to_width: false, ..DigitFill::ZEROS }, name);
    }
    let magnitude = value.abs();
    let (prefix, mut digits) = match letter.to_ascii_lowercase() {
        'a' => ("0x", format_hexadecimal(magnitude, field)),
        'e' => ("", format_scientific(magnitude, field.precision.unwrap_or(DEFAULT_PRECISION), field.alternate)),
        'g' => ("", format_general(magnitude, field)),
        _ => ("", format_fixed(magnitude, field.precision.unwrap_or(DEFAULT_PRECISION), field.alternate)),
    };
    let mut lead = format!("{sign}{prefix}");
    if letter.is_ascii_uppercase() {
        lead.make_ascii_uppercase();
        digits.make_ascii_uppercase();
    }
    field.write_number(out, &lead, DigitFill::ZEROS, &digits)
}

/// Formats `value` as in `1234.500`, with `precision` digits after the point; with 0, the point is kept if `point`.
fn format_fixed(value: f64, precision: usize, point: bool) -> String {
    let mut text = format!("{value:.*}", precision.min(MAX_FRACTION_DIGITS));
    text.push_str(if precision == 0 && point { "." } else { "" });
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(MAX_FRACTION_DIGITS)));
    text
}

/// Formats `value` as in `1.2e+03`, with `precision` digits after the point; with 0, the point is kept if `point`.
fn format_scientific(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.*e}", precision.min(MAX_FRACTION_DIGITS));
    let (mantissa, exponent) = split_exponent(&text);
    let point = if precision == 0 && point { "." } else { "" };
    let zeros = "0".repeat(precision.saturating_sub(MAX_FRACTION_DIGITS));
    format!("{mantissa}{point}{zeros}e{exponent:+03}")
}

/// Formats `value` by the letter `g`: with an exponent if it is below 10^-4 or at least 10^precision. The precision
/// is the number of significant digits. Trailing zeros are dropped, except in the alternate form (flag `#`).
fn format_general(value: f64, field: &FieldOptions) -> String {
    let digits = field.precision.unwrap_or(DEFAULT_PRECISION).max(1);
    let rounded = format_scientific(value, digits - 1, false);
    let (mantissa, exponent) = split_exponent(&rounded);
    let below_limit = usize::try_from(exponent).is_ok_and(|exponent| exponent < digits);
    if below_limit || (-4..0).contains(&exponent) {
        let precision = digits.saturating_add_signed(-1 - isize::try_from(exponent).unwrap_or(0));
        let text = format_fixed(value, precision, field.alternate);
        return if field.alternate { text } else { trim_trailing_zeros(&text).to_owned() };
    }
    if field.alternate {
        return format_scientific(value, digits - 1, true);
    }
    format!("{}e{exponent:+03}", trim_trailing_zeros(mantissa))
}

fn trim_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Formats `value` in hexadecimal with the exponent of a power of two: 3.0 is `1.8p+1`, without the prefix `0x`.
fn format_hexadecimal(value: f64, field: &FieldOptions) -> String {
    const HEX_FRACTION_DIGITS: usize = 13;
    let (mut mantissa, mut exponent) = mantissa_and_exponent(value);
    if mantissa != 0 {
        // The first bit of small numbers is not in its place.
        let missing = mantissa.leading_zeros() - (u64::BITS - f64::MANTISSA_DIGITS);
        mantissa <<= missing;
        exponent += 52 - missing.cast_signed();
    } else {
        exponent = 0;
    }
    if let Some(precision) = field.precision.filter(|&precision| precision < HEX_FRACTION_DIGITS) {
        let dropped = 4 * (HEX_FRACTION_DIGITS - precision);
        let (kept, rest, half) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1), 1 << (dropped - 1));
        let up = rest > half || (rest == half && kept & 1 == 1);
        mantissa = (kept + u64::from(up)) << dropped;
        if mantissa >> f64::MANTISSA_DIGITS != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let nibble = |at: usize| (mantissa >> (4 * at) & 0xf) as u8;
    let mut fraction: String = (0..HEX_FRACTION_DIGITS).rev().map(|at| hex_digit(nibble(at))).collect();
    match field.precision {
        Some(precision) => {
            fraction.truncate(precision);
            fraction.extend(std::iter::repeat_n('0', precision - fraction.len()));
        }
        None => fraction.truncate(fraction.trim_end_matches('0').len()),
    }
    let point = if fraction.is_empty() && !field.alternate { "" } else { "." };
    format!("{}{point}{fraction}p{exponent:+}", nibble(HEX_FRACTION_DIGITS))
}
