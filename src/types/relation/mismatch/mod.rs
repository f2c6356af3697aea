//! Why a value does not match a type: a tree that follows the type.
//!
//! [`explain`] goes down type and value side by side. A node of the tree is a [`Mismatch`]: the way to the part, what was
//! expected there, what was found, the reason, what to write instead, and the parts that are its causes.

mod reason;
mod search;
mod suggest;

use crate::error::Error;
use crate::format;
use crate::types::Type;
use crate::value::Value;
pub use reason::{KINDS, Mismatch, Reason, Step, Suggestion, code, dotted, pointer};
use search::Search;

/// How many mismatches one message lists.
const MAX_LISTED: usize = 8;

/// How long the text of a value may become in a message, in characters.
const MAX_VALUE_CHARACTERS: usize = 60;

/// A value as messages name it: what it is and its text, shortened; never the content of a Sensitive.
pub(crate) fn describe(value: &Value) -> String {
    let text = match value {
        Value::Undef | Value::Default | Value::Sensitive(_) => return shortened(format::program_text(value)),
        Value::Type(type_) => return format!("the type {}", shortened(type_.to_string())),
        other => format::program_text(other),
    };
    let kind = match value {
        // Rather than Tuple and Struct, their inferred types.
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        other => Type::of(other).name(),
    };
    // Its text may say already what it is: `Timespan('0-00:01:00.0')`.
    if text.strip_prefix(kind).is_some_and(|rest| rest.starts_with('(')) {
        return shortened(text);
    }
    format!("{kind} {}", shortened(text))
}

/// A type as messages name it: an alias with its meaning, an Object type by its name alone.
pub(crate) fn for_message(type_: &Type) -> String {
    match type_ {
        Type::Object(_) => type_.to_string_in_brackets(),
        other => other.to_string(),
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_VALUE_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// The explanation of why `value` does not match `type_`; `None` if it does.
///
/// ```
/// use pcore::types::{Type, relation::mismatch::explain};
/// let type_: Type = "Struct[{port => Integer[1, 65535]}]".parse()?;
/// let value = pcore::session::Session::default().eval("{'port' => '80'}")?;
/// let mismatch = explain(&type_, &value).expect("a String is not an Integer");
/// assert_eq!(
///     mismatch.leaves()[0].to_string(),
///     "['port']: expected Integer[1, 65535], got String '80'; Integer('80') would match"
/// );
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn explain(type_: &Type, value: &Value) -> Option<Mismatch> {
    Search::default().explain(type_, value)
}

/// The parts of `value` that do not match `type_`: the leaves of [`explain`]; none if it matches.
pub fn mismatches(type_: &Type, value: &Value) -> Vec<Mismatch> {
    explain(type_, value).map_or_else(Vec::new, |mismatch| mismatch.leaves().into_iter().cloned().collect())
}

impl Type {
    /// Checks that a value matches the type.
    ///
    /// ```
    /// use pcore::types::Type;
    /// let port: Type = "Integer[1, 65535]".parse()?;
    /// assert!(port.check(&80.into()).is_ok());
    /// let mismatch = port.check(&"80".into()).unwrap_err();
    /// assert_eq!(mismatch.reason.kind(), "type");
    /// assert_eq!(mismatch.suggestions[0].text, "Integer('80') would match");
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// The explanation of why it does not.
    #[allow(clippy::result_large_err, reason = "a mismatch is what the caller asks for")]
    pub fn check(&self, value: &Value) -> Result<(), Mismatch> {
        explain(self, value).map_or(Ok(()), Err)
    }
}

/// The lines that explain a mismatch, without the value and the type themselves: one for each part, and one for each other
/// branch of a Variant, numbered.
pub(crate) fn lines(mismatch: &Mismatch) -> Vec<String> {
    let leaves = mismatch.leaves();
    let mut lines: Vec<String> = leaves.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    if leaves.len() > MAX_LISTED {
        lines.push(format!("and {} more", leaves.len() - MAX_LISTED));
    }
    let folded = mismatch.folded();
    for (at, branch) in folded.iter().take(MAX_LISTED).enumerate() {
        lines.push(format!(
            "({}) not {}: {}",
            at + 1,
            reason::short(&branch.expected.to_string_in_brackets()),
            in_short(branch)
        ));
    }
    if folded.len() > MAX_LISTED {
        lines.push(format!("and {} more branches", folded.len() - MAX_LISTED));
    }
    if mismatch.is_tie {
        lines.push("other branches are as close as the one that is explained".to_owned());
    }
    lines
}

/// One line for a whole branch.
fn in_short(branch: &Mismatch) -> String {
    match &branch.leaves()[..] {
        [only] if only.path == branch.path && matches!(only.reason, Reason::Type | Reason::Branch) => {
            format!("got {}", describe(&branch.found))
        }
        [only] => only.to_string(),
        all => format!("{}, and {} more", all.first().map(ToString::to_string).unwrap_or_default(), all.len() - 1),
    }
}

/// Adds to an error, which says that `value` is not of type `type_`, what it does not say: the parts that do not match,
/// and what to write instead.
pub(crate) fn explained(error: Error, type_: &Type, value: &Value) -> Error {
    let Some(mismatch) = explain(type_, value) else { return error };
    let is_whole = mismatch.causes.is_empty() && !mismatch.reason.says_more_than_types();
    let advice: Vec<String> = if is_whole {
        mismatch.suggestions.iter().take(1).map(|suggestion| suggestion.text.clone()).collect()
    } else {
        mismatch.leaves().iter().take(MAX_LISTED).map(ToString::to_string).collect()
    };
    advice.into_iter().fold(error, Error::with_help)
}
