//! Floats as text: the shortest digits that read back, and where the exponent begins.

/// The text of a Float, as Ruby writes it: `1.0`, `100000.0`, `1.0e+20`, `1.0e-07`.
///
/// The fewest digits that give the number back. Plain from 0.0001 up to below 10¹⁵, and as long as there are digits
/// after the point; with an exponent of at least two digits otherwise.
///
/// Observed: Puppet 8.11 writes `1.0e+15` and `1000000000000000.5`.
pub(crate) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let (digits, exponent) = shortest_digits(value.abs());
    let count = digits.len();
    match usize::try_from(exponent + 1) {
        // The number of digits before the point.
        Ok(before) if before > 0 && before < count => format!("{sign}{}.{}", &digits[..before], &digits[before..]),
        Ok(before) if before > 0 && before <= MAX_PLAIN_DIGITS => format!("{sign}{digits:0<before$}.0"),
        Ok(0) | Err(_) if exponent >= MIN_PLAIN_EXPONENT => {
            let zeros = usize::try_from(-1 - exponent).expect("the exponent is negative here");
            format!("{sign}0.{:0<zeros$}{digits}", "")
        }
        _ => {
            let fraction = if count > 1 { &digits[1..] } else { "0" };
            let (exponent_sign, exponent) = if exponent < 0 { ('-', -exponent) } else { ('+', exponent) };
            format!("{sign}{}.{fraction}e{exponent_sign}{exponent:02}", &digits[..1])
        }
    }
}

/// Whole numbers of up to so many digits are written without an exponent.
const MAX_PLAIN_DIGITS: usize = 15;

/// Down to this power of ten (0.0001) numbers are written without an exponent.
const MIN_PLAIN_EXPONENT: i32 = -4;

/// The fewest digits that identify a finite number that is not negative, and the power of ten of the first digit.
fn shortest_digits(value: f64) -> (String, i32) {
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("{:e} writes an exponent");
    (digits.replace('.', ""), exponent.parse().expect("{:e} writes a small whole exponent"))
}

#[cfg(test)]
mod tests {
    use super::float_text;

    #[test]
    fn floats_read_as_ruby_writes_them() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (100_000.0, "100000.0"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1_000_000_000_000_000.5, "1000000000000000.5"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (1e20, "1.0e+20"),
            (1e100, "1.0e+100"),
            (0.0001, "0.0001"),
            (0.000_123_45, "0.00012345"),
            (1e-5, "1.0e-05"),
            (1.5e-7, "1.5e-07"),
            (5e-324, "5.0e-324"),
        ] {
            assert_eq!(float_text(value), expected);
        }
    }
}
