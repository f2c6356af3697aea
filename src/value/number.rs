//! Numbers as text: what a string has to look like to be a number, and which one it then is.
//!
//! A number is an optional sign, blanks, and a body of one of five shapes ([`Body`]). Who reads a text decides which
//! shapes it takes: arithmetic, and each of the conversions of `Integer`, `Float` and `Numeric`, take others.

use super::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    /// `0b101`, without the prefix
    Binary(&'a str),
    /// `0x1F`, without the prefix
    Hexadecimal(&'a str),
    /// `017`: digits after a zero; not all need to be octal
    Octal(&'a str),
    /// `17`, `0`
    Decimal(&'a str),
    /// `1.5`, `1e3`, `1.5e-3`
    Float(&'a str),
}

impl<'a> Body<'a> {
    /// The shape of `text`; `None` if it has none.
    pub(crate) fn of(text: &'a str) -> Option<Body<'a>> {
        let prefixed = |letters: [&str; 2], digit: fn(&u8) -> bool| {
            let digits = text.strip_prefix(letters[0]).or(text.strip_prefix(letters[1]))?;
            (!digits.is_empty() && digits.as_bytes().iter().all(digit)).then_some(digits)
        };
        if let Some(digits) = prefixed(["0b", "0B"], |byte| matches!(byte, b'0' | b'1')) {
            return Some(Body::Binary(digits));
        }
        if let Some(digits) = prefixed(["0x", "0X"], u8::is_ascii_hexdigit) {
            return Some(Body::Hexadecimal(digits));
        }
        if is_digits(text) {
            let octal = text.len() > 1 && text.starts_with('0');
            return Some(if octal { Body::Octal(text) } else { Body::Decimal(text) });
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e)));
        let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
        let exponent = exponent.map(|exponent| exponent.strip_prefix('-').unwrap_or(exponent));
        let parts = [Some(whole), fraction, exponent];
        parts.into_iter().flatten().all(is_digits).then_some(Body::Float(text))
    }
}

/// Whether a text has nothing but digits, and at least one.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether there is a minus, and the text after the sign and spaces.
pub(crate) fn split_sign(text: &str) -> (bool, &str) {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    (text.starts_with('-'), unsigned.trim_start_matches(|c: char| c.is_ascii_whitespace()))
}

/// The integer of `digits`; `None` if one is not a digit of the radix, or the integer does not fit into 64 bits.
pub(crate) fn integer_of_digits(negative: bool, digits: &str, radix: u32) -> Option<i64> {
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// The number that arithmetic takes a string for, an Integer or a Float; `None` if it is none or beyond 64 bits.
///
/// Observed: Puppet 8.11 takes blanks at both ends and after the sign, a leading zero for octal, and no `0b`.
pub fn from_text(text: &str) -> Option<Value> {
    if text.contains('\n') {
        return None;
    }
    let (negative, body) = split_sign(text.trim_matches([' ', '\t']));
    let integer = |digits, radix| integer_of_digits(negative, digits, radix).map(Value::Integer);
    match Body::of(body)? {
        Body::Binary(_) => None,
        Body::Hexadecimal(digits) => integer(digits, 16),
        Body::Octal(digits) => integer(digits, 8),
        Body::Decimal(digits) => integer(digits, 10),
        Body::Float(text) => {
            let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
            let octal = whole.len() == 1 || !whole.starts_with('0') || !whole.contains(['8', '9']);
            float_of_text(negative, text).filter(|_| octal).map(Value::Float)
        }
    }
}

/// The float of a decimal text; `None` if it is infinite.
pub(crate) fn float_of_text(negative: bool, text: &str) -> Option<f64> {
    let magnitude: f64 = text.parse().ok()?;
    magnitude.is_finite().then_some(if negative { -magnitude } else { magnitude })
}
