//! What a mismatch is made of: the way to a part of a value, the reason, what to write instead.

use std::fmt;

use super::{describe, for_message};
use crate::format;
use crate::types::{Size, Type};
use crate::value::Value;
use crate::wording::counted;

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a Hash itself.
    Key(Value),
    /// The value of a key of a Hash: `['port']`
    Entry(Value),
    /// An element of an Array, from 0: `[2]`
    Element(usize),
    /// An attribute of an Object: `.port`
    Attribute(String),
}

/// As Puppet code that follows the whole value: `['port']`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => write!(f, " key {}", format::program_text(key)),
            Step::Entry(key) => write!(f, "[{}]", format::program_text(key)),
            Step::Element(at) => write!(f, "[{at}]"),
            Step::Attribute(name) => write!(f, ".{name}"),
        }
    }
}

impl Step {
    fn name(&self) -> String {
        match self {
            Step::Key(key) | Step::Entry(key) => format::text(key),
            Step::Element(at) => at.to_string(),
            Step::Attribute(name) => name.clone(),
        }
    }
}

/// A path as Puppet code that follows the whole value: `['hosts'][0]['port']`.
pub fn code(path: &[Step]) -> String {
    path.iter().map(ToString::to_string).collect()
}

/// A path as a JSON Pointer: `/hosts/0/port`.
///
/// Source: RFC 6901.
pub fn pointer(path: &[Step]) -> String {
    path.iter().flat_map(|step| ["/".to_owned(), step.name().replace('~', "~0").replace('/', "~1")]).collect()
}

/// A path as Hiera and `get` write it: `hosts.0.port`. A name with a dot is quoted.
pub fn dotted(path: &[Step]) -> String {
    let quoted = |step: &Step| {
        let name = step.name();
        if name.contains('.') { format!("'{name}'") } else { name }
    };
    path.iter().map(quoted).collect::<Vec<_>>().join(".")
}

/// Why a part does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// `expected Integer, got String 'a'`
    Type,
    /// `expected Integer[1, 10], got Integer 11`
    Range,
    /// `expected Enum['a', 'b'], got String 'c'`
    Enum,
    /// `expected Pattern[/\Aab\z/], got String 'ac'`: the pattern, or the longest part of the string that it begins to match.
    Pattern,
    /// `3 characters, at least 5 required`
    Length(Size),
    /// `4 elements, at most 3 allowed`
    Size(Size),
    /// `missing key 'port'`
    MissingKey(String),
    /// `unknown key 'prot'`
    UnknownKey(Value),
    /// `unknown key 'prot'; did you mean 'port'?`, which is missing
    MisspelledKey(Value, String),
    /// `expected one of 3 types, got …`: no branch of a Variant is closer than the others.
    Branch,
    /// No value at all matches the type.
    Empty,
    /// The type is still unknown.
    Unresolved,
    /// The parts that do not match are the causes of this mismatch.
    Parts,
}

/// The kinds of reasons, as JSON names them, each with what it means.
pub const KINDS: &[(&str, &str)] = &[
    ("type", "the value is of another type"),
    ("range", "the number is outside of the range"),
    ("enum", "the string is not one of the listed ones"),
    ("pattern", "the string does not match any of the regular expressions"),
    ("length", "the string is too short or too long"),
    ("size", "the collection has too few or too many elements"),
    ("missing_key", "a required key is missing"),
    ("unknown_key", "the key is not one of the members"),
    ("misspelled_key", "the key is not one of the members, but similar to one that is missing"),
    ("branch", "the value matches no branch of a Variant"),
    ("empty", "no value matches the type"),
    ("unresolved", "the type is unknown"),
    ("parts", "parts of the value do not match"),
];

impl Reason {
    /// The name in JSON, one of [`KINDS`].
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Type => "type",
            Reason::Range => "range",
            Reason::Enum => "enum",
            Reason::Pattern => "pattern",
            Reason::Length(_) => "length",
            Reason::Size(_) => "size",
            Reason::MissingKey(_) => "missing_key",
            Reason::UnknownKey(_) => "unknown_key",
            Reason::MisspelledKey(..) => "misspelled_key",
            Reason::Branch => "branch",
            Reason::Empty => "empty",
            Reason::Unresolved => "unresolved",
            Reason::Parts => "parts",
        }
    }
}

impl Reason {
    /// Whether it says more than that a value is not of a type.
    pub(crate) fn says_more_than_types(&self) -> bool {
        !matches!(self, Reason::Type | Reason::Range | Reason::Enum | Reason::Pattern)
    }
}

/// What to write instead. Each was tried before it is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// As a message says it: `Integer('80') would match`
    pub text: String,
    /// The value that would match, if the suggestion replaces the part.
    pub replacement: Option<Value>,
    /// Whether it is about code, and of no use in a data file: `Integer('80')`.
    pub is_code: bool,
}

/// A value or a part of it that does not match a type, with everything that is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// From the whole value to the part; empty for the value itself.
    pub path: Vec<Step>,
    /// The type as it was written, which may be an alias.
    pub expected: Type,
    /// The part. Where a key is missing, the Hash that should have it.
    pub found: Value,
    /// Why it does not match.
    pub reason: Reason,
    /// The parts that do not match, if these are the reason.
    pub causes: Vec<Mismatch>,
    /// The other branches of a Variant, each with its own explanation.
    pub branches: Vec<Mismatch>,
    /// Whether another branch was as close as the one that is explained.
    pub is_tie: bool,
    /// What to write instead, the most likely first.
    pub suggestions: Vec<Suggestion>,
}

impl Mismatch {
    /// The mismatches that have no further causes, in the order of the value.
    pub fn leaves(&self) -> Vec<&Mismatch> {
        if self.causes.is_empty() { vec![self] } else { self.causes.iter().flat_map(Mismatch::leaves).collect() }
    }

    /// The folded branches of all Variants on the way, outermost first.
    pub fn folded(&self) -> Vec<&Mismatch> {
        self.branches.iter().chain(self.causes.iter().flat_map(Mismatch::folded)).collect()
    }

    /// What is wrong, without the way to it.
    pub fn problem(&self) -> String {
        let (expected, found) = (for_message(&self.expected), &self.found);
        let bounds = |size: &Size, count: usize| {
            let (at_least, at_most) =
                (format!("at least {} required", size.from()), format!("at most {} allowed", size.to()));
            if usize::try_from(size.from()).is_ok_and(|from| count < from) { at_least } else { at_most }
        };
        match &self.reason {
            Reason::Type | Reason::Range | Reason::Enum | Reason::Pattern | Reason::Parts => {
                format!("expected {expected}, got {}", describe(found))
            }
            Reason::Length(size) => {
                let count = found.as_str().map_or(0, |string| string.chars().count());
                let characters = counted(count, "character");
                format!("expected {expected}, got {}: {characters}, {}", describe(found), bounds(size, count))
            }
            Reason::Size(size) => {
                let (count, thing) = match found {
                    Value::Hash(hash) => (hash.len(), "entry"),
                    Value::Array(array) => (array.len(), "element"),
                    _ => (0, "element"),
                };
                format!("{}, {}", counted(count, thing), bounds(size, count))
            }
            Reason::MissingKey(name) => format!("missing key '{name}' of type {expected}"),
            Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => {
                format!("unknown key {}", format::program_text(key))
            }
            Reason::Branch => format!("expected one of {}, got {}", short(&expected), describe(found)),
            Reason::Empty => format!("no value is of type {expected}"),
            Reason::Unresolved => format!("the type {expected} is unknown"),
        }
    }
}

/// A text of a type, cut where it is long.
pub(super) fn short(text: &str) -> String {
    const MAX_CHARACTERS: usize = 100;
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// `['port']: expected Integer, got String '80'; Integer('80') would match`
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.iter().try_for_each(|step| step.fmt(f))?;
        f.write_str(if self.path.is_empty() { "" } else { ": " })?;
        f.write_str(&self.problem())?;
        self.suggestions.iter().take(1).try_for_each(|suggestion| write!(f, "; {}", suggestion.text))
    }
}
