//! From values to text: the `%p` form that reads back, the plain form of interpolation, and `String.new`'s directives.

mod buffer;
mod float;
mod plain;
mod quote;
pub(crate) mod time;

use crate::error::Result;
use crate::value::Value;
use buffer::Buffer;
pub use buffer::MAX_TEXT_BYTES;
pub(crate) use float::float_text;
use plain::Form;
pub(crate) use quote::quoted;

/// The `%p` text: what a program would have to say to get the value.
///
/// A text that would be longer than [`MAX_TEXT_BYTES`] is cut off: good enough to be shown, in
/// an error for instance. A program that asks for a text gets it from [`try_program_text`].
///
/// ```
/// use pcore::format;
/// use pcore::value::Value;
/// assert_eq!(format::program_text(&Value::from(vec![Value::from("it's"), Value::from(1.0)])), r"['it\'s', 1.0]");
/// ```
pub fn program_text(value: &Value) -> String {
    cut_off(value, Form::Program)
}

/// The text that interpolation and `notice` show: strings as they are, `undef` as nothing.
///
/// Cut off as [`program_text`] is; the strict one is [`try_text`].
///
/// ```
/// use pcore::format;
/// use pcore::value::Value;
/// assert_eq!(format::text(&Value::from(vec![Value::from("it's"), Value::Undef])), "[it's, ]");
/// ```
pub fn text(value: &Value) -> String {
    cut_off(value, Form::Plain)
}

/// The `%p` text.
///
/// # Errors
/// `LIMIT` when it is longer than [`MAX_TEXT_BYTES`].
pub fn try_program_text(value: &Value) -> Result<String> {
    whole(value, Form::Program)
}

/// The text that interpolation shows.
///
/// # Errors
/// `LIMIT` when it is longer than [`MAX_TEXT_BYTES`].
pub fn try_text(value: &Value) -> Result<String> {
    whole(value, Form::Plain)
}

fn whole(value: &Value, form: Form) -> Result<String> {
    Buffer::default().finish(|out| plain::write_value(out, value, form))
}

fn cut_off(value: &Value, form: Form) -> String {
    let mut out = Buffer::default();
    match plain::write_value(&mut out, value, form) {
        Ok(()) => out.into_text(),
        Err(std::fmt::Error) => out.into_text() + " …",
    }
}
