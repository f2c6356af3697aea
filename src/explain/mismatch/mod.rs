//! Why a value does not match a type: a tree that follows the type.
//!
//! [`explain()`] goes down type and value side by side. A node of the tree is a [`Mismatch`]: the way to the part, what was
//! expected there, what was found, the reason, what to write instead, and the parts that are its causes.

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
use crate::types::describe::{MAX_VALUE_CHARACTERS, Names, abbreviated, cut, describe, kind};
use crate::types::secret::{may_be_sensitive, parts};
use crate::value::Value;
use crate::wording::counted;
use explain::Search;
pub use reason::{KINDS, Kind, Mismatch, Reason, Repair, Step, Suggestion, code, dotted, pointer};

const MAX_LISTED: usize = 8;

/// The explanation of why `value` does not match `type_`; `None` if it does.
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
    let mut mismatch = Search::default().compare(type_.into(), value)?;
    hide(&mut mismatch, type_, value);
    Some(mismatch)
}

/// Hides secrets: a value that one branch of a Variant expects to be Sensitive is hidden in the mismatches of all
/// branches.
fn hide(mismatch: &mut Mismatch, type_: &Type, whole: &Value) {
    if !may_be_sensitive(type_) {
        return;
    }
    let Some(shown) = parts(std::slice::from_ref(type_), whole) else { return };
    let mut pending = vec![mismatch];
    while let Some(node) = pending.pop() {
        interrupt::step();
        match part_at(&shown, node.place()) {
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

pub(crate) fn part_at(whole: &Value, path: &[Step]) -> Option<Value> {
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

/// The parts of `value` that do not match `type_`: the leaves of [`explain()`]; none if it matches.
pub fn mismatches(type_: &Type, value: &Value) -> Vec<Mismatch> {
    explain(type_, value).map_or_else(Vec::new, |mismatch| mismatch.leaves().into_iter().cloned().collect())
}

impl Mismatch {
    /// The explanation of an error about a value that does not match a type: an argument, a parameter, a conversion.
    pub fn of(error: &Error) -> Option<&Mismatch> {
        error.explanation()
    }
}

impl Type {
    /// Checks that a value matches the type.
    ///
    /// # Errors
    /// The explanation of why it does not.
    #[allow(clippy::result_large_err, reason = "a mismatch is what the caller asks for")]
    pub fn check(&self, value: &Value) -> Result<(), Mismatch> {
        explain(self, value).map_or(Ok(()), Err)
    }

    /// As [`Type::check`], for JSON data: `null` is `undef`.
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
    /// The explanation of why it does not.
    #[allow(clippy::result_large_err, reason = "a mismatch is what the caller asks for")]
    pub fn check_json(&self, json: &serde_json::Value) -> Result<(), Mismatch> {
        self.check(&Value::from(json.clone()))
    }
}

/// One line for each distinct mistake, then one numbered line for each other branch of a Variant that may have been
/// meant.
pub(crate) fn lines(mismatch: &Mismatch) -> Vec<String> {
    listed_lines(mismatch, &mut Names::default())
}

/// The lines of an explanation that follow a message which already says what was expected and found.
pub(crate) fn lines_after_message(mismatch: &Mismatch) -> Vec<String> {
    let mut lines = listed_lines(mismatch, &mut Names { known: vec![mismatch.expected.clone()], ..Names::default() });
    if mismatch.causes.is_empty() && mismatch.place().is_empty() {
        let hints = mismatch.suggestions.iter().map(|suggestion| suggestion.text.clone());
        lines.splice(..1, mismatch.news().into_iter().chain(hints));
    }
    lines
}

/// One line for each part that does not match, without a limit.
pub(crate) fn all_lines(mismatch: &Mismatch) -> Vec<String> {
    let mut names = Names::default();
    mismatch.leaves().iter().map(|leaf| leaf.line(&mut names)).collect()
}

fn listed_lines(mismatch: &Mismatch, names: &mut Names) -> Vec<String> {
    let mut lines = leaf_lines(mismatch, names);
    if lines.len() > MAX_LISTED {
        let more = lines.split_off(MAX_LISTED).len();
        lines.push(format!("and {}", counted(more, "more mistake")));
    }
    let folded = mismatch.folded();
    for (at, branch) in folded.iter().take(MAX_LISTED).enumerate() {
        let type_ = abbreviated(&branch.expected, MAX_VALUE_CHARACTERS);
        let path = code(branch.place());
        let path = if path.is_empty() { path } else { format!("{}: ", path.trim_start()) };
        let (number, reason) = (at + 1, cut(&in_short(branch), 2 * MAX_VALUE_CHARACTERS));
        lines.push(format!("alternative {number}, {path}{type_}: {reason}"));
    }
    if folded.len() > MAX_LISTED {
        lines.push(format!("and {}", counted(folded.len() - MAX_LISTED, "more alternative")));
    }
    lines
}

/// One line for each distinct mistake; parts with the same mistake share a line.
fn leaf_lines(mismatch: &Mismatch, names: &mut Names) -> Vec<String> {
    let mut mistakes: IndexMap<_, Vec<&Mismatch>> = IndexMap::new();
    for leaf in mismatch.mistakes() {
        mistakes.entry(mistake(leaf)).or_default().push(leaf);
    }
    let line = |leaves: Vec<&Mismatch>| {
        let (first, others) = leaves.split_first()?;
        let line = first.line(names);
        let place = |leaf: &Mismatch| cut(code(leaf.place()).trim_start(), MAX_VALUE_CHARACTERS / 2);
        Some(match others {
            [] => line,
            [one] => format!("{line} (also at {})", place(one)),
            [one, other] => format!("{line} (also at {}, {})", place(one), place(other)),
            [.., last] => format!("{line} (and {} more, the last at {})", others.len(), place(last)),
        })
    };
    mistakes.into_values().filter_map(line).collect()
}

/// A key for grouping equal mistakes: the place in the type, the type, the kinds of reason and value, and the wrong or
/// missing key or the intended word.
fn mistake(leaf: &Mismatch) -> (String, &Type, &'static str, &'static str, Option<String>) {
    let hint = leaf.suggestions.first().filter(|suggestion| !suggestion.is_code);
    let text = match &leaf.reason {
        Reason::MissingKey(key) => Some(key.clone()),
        Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => Some(program_text(key)),
        _ => hint.map(|hint| hint.text.clone()),
    };
    (code(&leaf.within), &leaf.expected, leaf.reason.kind(), kind(leaf.found_part()), text)
}

fn in_short(branch: &Mismatch) -> String {
    match &branch.leaves()[..] {
        [only] if only.path == branch.path && matches!(only.reason, Reason::Type | Reason::Branch) => {
            match branch.found_part() {
                found @ (Value::Undef | Value::Default | Value::Type(_)) => format!("got {}", describe(found)),
                found if kind(found).starts_with(['A', 'E', 'I', 'O', 'U']) => format!("got an {}", kind(found)),
                found => format!("got a {}", kind(found)),
            }
        }
        [only] if only.path == branch.path && only.suggestions.is_empty() => {
            only.news().unwrap_or_else(|| format!("got {}", describe(&only.found)))
        }
        [only] => only.to_string(),
        all => format!("{}, and {} more", all.first().map(ToString::to_string).unwrap_or_default(), all.len() - 1),
    }
}

/// Adds to an error the explanation of why `value` is not of type `type_`, with suggestions.
pub(crate) fn explained(error: Error, type_: &Type, value: &Value) -> Error {
    let Some(mismatch) = explain(type_, value) else { return error };
    let advice: Vec<String> = if mismatch.is_whole() {
        mismatch.suggestions.iter().take(1).map(|suggestion| suggestion.text.clone()).collect()
    } else {
        let mut names = Names { known: vec![type_.clone()], ..Names::default() };
        let mut lines = leaf_lines(&mismatch, &mut names);
        lines.truncate(MAX_LISTED);
        lines
    };
    advice.into_iter().fold(error, Error::with_help).with_explanation(Arc::new(mismatch))
}
