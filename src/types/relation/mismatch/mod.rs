//! Why a value does not match a type: a tree that follows the type.
//!
//! [`explain()`] goes down type and value side by side. A node of the tree is a [`Mismatch`]: the way to the part, what was
//! expected there, what was found, the reason, what to write instead, and the parts that are its causes.

mod explain;
mod reason;
mod secret;
mod suggest;

use std::cell::Cell;

use crate::error::Error;
use crate::format;
use crate::types::Type;
use crate::value::Value;
use crate::wording::counted;
use explain::Search;
pub(crate) use reason::cut;
pub use reason::{KINDS, Kind, Mismatch, Reason, Repair, Step, Suggestion, code, dotted, pointer};
pub(crate) use secret::{describe_for, note_sensitive, redacted};

const MAX_LISTED: usize = 8;

/// How long the string form of a type may become in a message, in characters.
const MAX_TYPE_CHARACTERS: usize = 90;

/// How long the text of a value may become in a message, in characters.
const MAX_VALUE_CHARACTERS: usize = 60;

/// A value as messages name it: what it is and its text, shortened; never the content of a Sensitive.
pub(crate) fn describe(value: &Value) -> String {
    let text = match value {
        Value::Undef | Value::Default | Value::Sensitive(_) => {
            return shortened(format::beginning(value, MAX_VALUE_CHARACTERS));
        }
        Value::Type(set @ Type::TypeSet(_)) => return format!("the type {}", abbreviated(set, MAX_VALUE_CHARACTERS)),
        Value::Type(type_) => return format!("the type {}", shortened(type_.to_string())),
        Value::Callable(callable) => {
            return format!("a function of type {}", abbreviated(&callable.callable_type(), MAX_VALUE_CHARACTERS));
        }
        other => format::beginning(other, MAX_VALUE_CHARACTERS),
    };
    let kind = kind(value);
    // Its text may say already what it is: `Timespan('0-00:01:00.0')`.
    if text.strip_prefix(kind).is_some_and(|rest| rest.starts_with('(')) {
        return shortened(text);
    }
    format!("{kind} {}", shortened(text))
}

/// `String [value redacted]`
fn redacted_kind(secret: &Value) -> String {
    format!("{} [value redacted]", kind(secret))
}

/// The name of the type of a value, for people.
fn kind(value: &Value) -> &'static str {
    match value {
        // Rather than Tuple and Struct, their inferred types.
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        other => Type::of(other).name(),
    }
}

/// A type as messages name it: an alias with its meaning, an Object type by its name alone, a long type without some of its
/// parameters.
pub(crate) fn for_message(type_: &Type) -> String {
    Names::default().name(type_)
}

/// How one message names types: an alias has its meaning beside it where it is named first.
struct Names {
    known: Vec<Type>,
    characters: usize,
}

impl Default for Names {
    fn default() -> Names {
        Names { known: Vec::new(), characters: MAX_TYPE_CHARACTERS }
    }
}

impl Names {
    fn name(&mut self, type_: &Type) -> String {
        match type_ {
            Type::Alias(alias)
                if let Some(meaning) = alias.resolved().filter(|meaning| !matches!(**meaning, Type::Object(_)))
                    && !self.known.contains(type_) =>
            {
                self.known.push(type_.clone());
                let name = type_.to_string_in_brackets();
                let meaning = abbreviated(&meaning, self.characters.saturating_sub(name.len()).max(20));
                format!("{name} = {meaning}")
            }
            other => abbreviated(other, self.characters),
        }
    }
}

/// The string form of a type in about so many characters: parameters that do not fit are counted or left out.
pub(crate) fn abbreviated(type_: &Type, characters: usize) -> String {
    /// Below this nothing but the name fits.
    const LEAST: usize = 12;
    let (text, name) = (type_.to_string_in_brackets(), type_.name());
    if let Type::TypeSet(set) = type_ {
        let is_bare = Type::named(name).is_some_and(|bare| bare == *type_);
        return set.name().filter(|_| !is_bare).unwrap_or(name).to_owned();
    }
    if text.chars().count() <= characters || text == name || !text.starts_with(name) {
        return reason::cut(&text, characters.max(LEAST + name.len()));
    }
    if characters < LEAST + name.len() {
        return format!("{name}[…]");
    }
    let part = |value: &Value, room: usize| match value {
        Value::Type(inner) => abbreviated(inner, room),
        other => format::beginning(other, room),
    };
    let listed = |parts: &mut dyn ExactSizeIterator<Item = (String, Value)>| {
        let (mut listed, mut room, count) = (String::new(), characters.saturating_sub(name.len() + 10), parts.len());
        for (at, (key, value)) in parts.enumerate() {
            if at > 0 && room < LEAST + key.len() {
                return format!("{listed}, … {} more", count - at);
            }
            let separator = if at == 0 { "" } else { ", " };
            let text = format!("{separator}{key}{}", part(&value, room.saturating_sub(key.len())));
            room = room.saturating_sub(text.chars().count());
            listed.push_str(&text);
        }
        listed
    };
    match &type_.arguments()[..] {
        [Value::Hash(entries)] => {
            let mut entries =
                entries.iter().map(|(key, value)| (format!("{} => ", format::program_text(key)), value.clone()));
            format!("{name}[{{{}}}]", listed(&mut entries))
        }
        arguments => format!("{name}[{}]", listed(&mut arguments.iter().map(|value| (String::new(), value.clone())))),
    }
}

fn shortened(text: impl AsRef<str>) -> String {
    reason::cut(text.as_ref(), MAX_VALUE_CHARACTERS)
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
    // Conversions are tried on the way. Why one fails needs no explanation, which would try others.
    let explaining = Explaining::begin()?;
    let mut mismatch = Search::default().explain(type_, value)?;
    drop(explaining);
    secret::hide(&mut mismatch, type_, value);
    Some(mismatch)
}

thread_local! {
    static EXPLAINS: Cell<bool> = const { Cell::new(false) };
}

/// A search for an explanation, which ends when this is dropped.
struct Explaining;

impl Explaining {
    /// `None` if there is one on the way.
    fn begin() -> Option<Explaining> {
        (!EXPLAINS.replace(true)).then(|| Explaining)
    }
}

impl Drop for Explaining {
    fn drop(&mut self) {
        EXPLAINS.set(false);
    }
}

/// The parts of `value` that do not match `type_`: the leaves of [`explain()`]; none if it matches.
///
/// ```
/// use pcore::types::{Type, relation::mismatch::{code, mismatches}};
/// let type_: Type = "Array[Integer]".parse()?;
/// let found = mismatches(&type_, &pcore::Session::default().eval("[1, 'a', true]")?);
/// assert_eq!(found.iter().map(|mismatch| code(&mismatch.path)).collect::<Vec<_>>(), ["[1]", "[2]"]);
/// # Ok::<(), pcore::Error>(())
/// ```
pub fn mismatches(type_: &Type, value: &Value) -> Vec<Mismatch> {
    explain(type_, value).map_or_else(Vec::new, |mismatch| mismatch.leaves().into_iter().cloned().collect())
}

impl Mismatch {
    /// The explanation of an error, if it is about a value that does not match a type: of an argument, a parameter of a
    /// class, a conversion.
    pub fn of(error: &Error) -> Option<&Mismatch> {
        error.explanation()
    }
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
    lines_with(mismatch, &mut Names::default())
}

/// The same after a message that says already what was expected and what was found.
pub(crate) fn lines_after_message(mismatch: &Mismatch) -> Vec<String> {
    let mut lines = lines_with(mismatch, &mut Names { known: vec![mismatch.expected.clone()], ..Names::default() });
    if mismatch.is_whole() {
        lines.splice(..1, mismatch.suggestions.iter().map(|suggestion| suggestion.text.clone()));
    }
    lines
}

fn lines_with(mismatch: &Mismatch, names: &mut Names) -> Vec<String> {
    let leaves = mismatch.leaves();
    let mut lines: Vec<String> = leaves.iter().take(MAX_LISTED).map(|leaf| leaf.line(names)).collect();
    if leaves.len() > MAX_LISTED {
        lines.push(format!("and {} more", leaves.len() - MAX_LISTED));
    }
    let folded = mismatch.folded();
    for (at, branch) in folded.iter().take(MAX_LISTED).enumerate() {
        let type_ = abbreviated(&branch.expected, MAX_VALUE_CHARACTERS);
        lines.push(format!("({}) not {type_}: {}", at + 1, reason::cut(&in_short(branch), 2 * MAX_VALUE_CHARACTERS)));
    }
    if folded.len() > MAX_LISTED {
        lines.push(format!("and {}", counted(folded.len() - MAX_LISTED, "more branch")));
    }
    if mismatch.is_tie {
        lines.push("other branches are as close as the one that is explained".to_owned());
    }
    lines
}

/// One line for a whole branch, after the name of its type.
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
            let (problem, got) = (only.problem(), format!("got {}", describe(&only.found)));
            match problem.split_once(&format!(", {got}: ")) {
                Some((_, detail)) => detail.to_owned(),
                None if only.reason.says_more_than_types() => problem,
                None => got,
            }
        }
        [only] => only.to_string(),
        all => format!("{}, and {} more", all.first().map(ToString::to_string).unwrap_or_default(), all.len() - 1),
    }
}

/// Adds to an error, which says that `value` is not of type `type_`, what it does not say: the parts that do not match,
/// and what to write instead.
pub(crate) fn explained(error: Error, type_: &Type, value: &Value) -> Error {
    let Some(mismatch) = explain(type_, value) else { return error };
    let advice: Vec<String> = if mismatch.is_whole() {
        mismatch.suggestions.iter().take(1).map(|suggestion| suggestion.text.clone()).collect()
    } else {
        let mut names = Names { known: vec![type_.clone()], ..Names::default() };
        mismatch.leaves().iter().take(MAX_LISTED).map(|leaf| leaf.line(&mut names)).collect()
    };
    advice.into_iter().fold(error, Error::with_help).with_explanation(std::sync::Arc::new(mismatch))
}
