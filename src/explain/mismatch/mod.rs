//! Explains why a value does not match a type, as a tree that follows the type.
//!
//! [`explain()`] compares type and value part by part. A node of the tree is a [`Mismatch`]: the path to the part, the
//! expected type, the value found, the reason, suggestions, and the mismatches of the parts that cause it.

mod explain;
mod reason;
mod suggest;
mod tags;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::error::Error;
use crate::format::program_text;
use crate::interrupt;
use crate::types::Type;
use crate::types::describe::{MAX_VALUE_CHARACTERS, TypeDescriber, abbreviate_type, describe, kind_name, shorten};
use crate::types::secret::{may_be_sensitive, wrap_secrets};
use crate::value::Value;
use crate::wording::pluralize;
use explain::MismatchSearch;
pub(super) use reason::line_prefix;
pub(crate) use reason::with_part_replaced;
pub use reason::{KINDS, Mismatch, Reason, ReasonKind, Repair, Step, Suggestion, dotted, json_pointer, path_as_code};

const MAX_LISTED_LINES: usize = 8;

/// Returns the explanation of why `value` does not match `type_`, or `None` if it matches.
///
/// ```
/// use pcore::{Type, explain::mismatch::explain};
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
    let mut mismatch = MismatchSearch::default().find_mismatch(type_.into(), value)?;
    hide_secrets(&mut mismatch, type_, value);
    Some(mismatch)
}

/// Hides secrets in `mismatch`, which compares `whole` with `type_`: a value that one branch of a Variant expects to be
/// Sensitive is hidden in the mismatches with all branches.
fn hide_secrets(mismatch: &mut Mismatch, type_: &Type, whole: &Value) {
    if !may_be_sensitive(type_) {
        return;
    }
    let shown = wrap_secrets(type_, whole);
    let mut pending = vec![mismatch];
    while let Some(node) = pending.pop() {
        interrupt::take_step();
        match part_at_path(&shown, node.path_to_found()) {
            Some(Value::Sensitive(_)) if !node.is_secret && !matches!(node.found, Value::Sensitive(_)) => {
                let found = std::mem::replace(&mut node.found, Value::Undef);
                node.found = Value::Sensitive(Arc::new(found));
                node.is_secret = true;
                node.suggestions.clear();
                // Unknown keys are content, missing ones are not.
                let tells = |part: &Mismatch| matches!(part.reason, Reason::UnknownKey(_) | Reason::MisspelledKey(..));
                if node.causes.iter().any(tells) {
                    node.causes.clear();
                }
                if !matches!(node.reason, Reason::Branch | Reason::MissingKey(_)) {
                    node.reason = Reason::Type;
                }
            }
            Some(part @ (Value::Array(_) | Value::Hash(_))) if !node.is_secret => node.found = part,
            _ => {}
        }
        pending.extend(node.causes.iter_mut().chain(&mut node.branches));
    }
}

pub(crate) fn part_at_path(whole: &Value, path: &[Step]) -> Option<Value> {
    let mut part = whole;
    for step in path {
        part = match (part, step) {
            (Value::Sensitive(_), _) => break,
            (Value::Array(elements), Step::Element(at)) => elements.get(*at)?,
            (Value::Hash(entries), Step::Entry(key)) => entries.get(key)?,
            (Value::Hash(entries), Step::Key(key)) => entries.keys().find(|other| *other == key)?,
            _ => return None,
        };
    }
    Some(part.clone())
}

/// Returns one mismatch for each part of `value` that does not match `type_`, the leaves of [`explain()`].
pub fn mismatches(type_: &Type, value: &Value) -> Vec<Mismatch> {
    explain(type_, value).map_or_else(Vec::new, |mismatch| mismatch.leaves().into_iter().cloned().collect())
}

impl Mismatch {
    /// Returns the mismatch that explains `error`; `None` if the error is not about a value that does not match a type.
    pub fn explanation_of_error(error: &Error) -> Option<&Mismatch> {
        error.explanation()
    }
}

impl Type {
    /// Checks that a value matches the type.
    ///
    /// # Errors
    /// The mismatch, which explains why the value does not match.
    #[allow(clippy::result_large_err, reason = "a mismatch is what the caller asks for")]
    pub fn check(&self, value: &Value) -> Result<(), Mismatch> {
        explain(self, value).map_or(Ok(()), Err)
    }

    /// Checks that JSON data matches the type, as [`Type::check`] does for values; `null` is `undef`.
    ///
    /// ```
    /// use pcore::Type;
    /// let server: Type = "Struct[{name => String, port => Integer[1, 65535]}]".parse()?;
    /// let mismatch = server.check_json(&serde_json::json!({"name": "web", "port": "80"})).unwrap_err();
    /// assert_eq!(mismatch.leaves()[0].problem(), "expected Integer[1, 65535], got String '80'");
    /// # Ok::<(), pcore::Error>(())
    /// ```
    ///
    /// # Errors
    /// The mismatch, which explains why the data does not match.
    #[allow(clippy::result_large_err, reason = "a mismatch is what the caller asks for")]
    pub fn check_json(&self, json: &serde_json::Value) -> Result<(), Mismatch> {
        self.check(&Value::from(json.clone()))
    }
}

/// Returns the lines that explain `mismatch`: one for each distinct mistake, then one numbered line for each other
/// branch of a Variant that may have been meant.
pub(crate) fn explanation_lines(mismatch: &Mismatch) -> Vec<String> {
    lines_with_alternatives(mismatch, &mut TypeDescriber::default())
}

/// Returns the lines that explain `mismatch` below a message that already contains the expected type and the value.
pub(crate) fn lines_below_message(mismatch: &Mismatch) -> Vec<String> {
    let mut names = TypeDescriber { shown_aliases: vec![mismatch.expected.clone()], ..TypeDescriber::default() };
    let mut lines = lines_with_alternatives(mismatch, &mut names);
    if mismatch.causes.is_empty() && mismatch.path_to_found().is_empty() {
        let hints = mismatch.suggestions.iter().map(|suggestion| suggestion.text.clone());
        lines.splice(..1, mismatch.additional_reason().into_iter().chain(hints));
    }
    lines
}

pub(crate) fn lines_of_all_leaves(mismatch: &Mismatch) -> Vec<String> {
    let mut names = TypeDescriber::default();
    mismatch.leaves().iter().map(|leaf| leaf.to_line(&mut names)).collect()
}

fn lines_with_alternatives(mismatch: &Mismatch, names: &mut TypeDescriber) -> Vec<String> {
    let mut lines = lines_of_mistakes(mismatch, names);
    if lines.len() > MAX_LISTED_LINES {
        let more = lines.split_off(MAX_LISTED_LINES).len();
        lines.push(format!("and {}", pluralize(more, "more mistake")));
    }
    let folded = mismatch.other_possible_branches();
    for (at, branch) in folded.iter().take(MAX_LISTED_LINES).enumerate() {
        let type_ = abbreviate_type(&branch.expected, MAX_VALUE_CHARACTERS);
        let path = line_prefix(&path_as_code(branch.path_to_found()));
        let (number, reason) = (at + 1, shorten(&summarize_branch(branch), 2 * MAX_VALUE_CHARACTERS));
        lines.push(format!("alternative {number}, {path}{type_}: {reason}"));
    }
    if folded.len() > MAX_LISTED_LINES {
        lines.push(format!("and {}", pluralize(folded.len() - MAX_LISTED_LINES, "more alternative")));
    }
    lines
}

/// Returns one line for each distinct mistake; parts with the same mistake share a line.
fn lines_of_mistakes(mismatch: &Mismatch, names: &mut TypeDescriber) -> Vec<String> {
    let mut mistakes: IndexMap<_, Vec<&Mismatch>> = IndexMap::new();
    for leaf in mismatch.leaves_to_report() {
        let hint = leaf.suggestions.first().filter(|suggestion| !suggestion.is_code);
        // The wrong or missing key, or the suggested word.
        let text = match &leaf.reason {
            Reason::MissingKey(key) => Some(key.clone()),
            Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => Some(program_text(key)),
            _ => hint.map(|hint| hint.text.clone()),
        };
        let (within, kinds) = (path_as_code(&leaf.within), (leaf.reason.kind(), kind_name(leaf.unhidden_found())));
        mistakes.entry((within, &leaf.expected, kinds, text)).or_default().push(leaf);
    }
    let line = |leaves: Vec<&Mismatch>| {
        let (first, others) = leaves.split_first()?;
        let line = first.to_line(names);
        let place = |one: &Mismatch| shorten(path_as_code(one.path_to_found()).trim_start(), MAX_VALUE_CHARACTERS / 2);
        Some(match others {
            [] => line,
            [one] => format!("{line} (also at {})", place(one)),
            [one, other] => format!("{line} (also at {}, {})", place(one), place(other)),
            [.., last] => format!("{line} (and {} more, the last at {})", others.len(), place(last)),
        })
    };
    mistakes.into_values().filter_map(line).collect()
}

fn summarize_branch(branch: &Mismatch) -> String {
    match &branch.leaves()[..] {
        [only] if only.path == branch.path && matches!(only.reason, Reason::Type | Reason::Branch) => {
            match branch.unhidden_found() {
                found @ (Value::Undef | Value::Default | Value::Type(_)) => format!("got {}", describe(found)),
                found if kind_name(found).starts_with(['A', 'E', 'I', 'O', 'U']) => {
                    format!("got an {}", kind_name(found))
                }
                found => format!("got a {}", kind_name(found)),
            }
        }
        [only] if only.path == branch.path && only.suggestions.is_empty() => {
            only.additional_reason().unwrap_or_else(|| format!("got {}", describe(&only.found)))
        }
        [only] => only.to_string(),
        all => format!("{}, and {} more", all.first().map(ToString::to_string).unwrap_or_default(), all.len() - 1),
    }
}

/// Adds to `error` the mismatch of `value` with `type_`, and as help its first suggestion or the lines of all mistakes.
pub(crate) fn add_explanation(error: Error, type_: &Type, value: &Value) -> Error {
    let Some(mismatch) = explain(type_, value) else { return error };
    let advice: Vec<String> = if mismatch.is_plain_type_mismatch() {
        mismatch.suggestions.iter().take(1).map(|suggestion| suggestion.text.clone()).collect()
    } else {
        let mut names = TypeDescriber { shown_aliases: vec![type_.clone()], ..TypeDescriber::default() };
        let mut lines = lines_of_mistakes(&mismatch, &mut names);
        lines.truncate(MAX_LISTED_LINES);
        lines
    };
    advice.into_iter().fold(error, Error::with_help).with_explanation(Arc::new(mismatch))
}
