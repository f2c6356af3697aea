//! Candidates for completion by the beginning of their names, from the tables of the library and from the session.

use std::fmt;

use super::{Expectation, SymbolIndex};
use crate::functions;
use crate::session::{Definition, commands, settings};
use crate::types::{self, Type};
use crate::value::Value;
use crate::wording::enum_with_words;

/// A possible completion of the code at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The likelihood of the candidate, by which candidates are sorted.
    pub rank: Rank,
    /// The text to insert.
    pub text: String,
    /// The text to show, without the quotes of the inserted text.
    pub label: String,
    /// The kind of thing that the candidate names.
    pub kind: CandidateKind,
    /// A one-line summary; may be empty.
    pub summary: String,
}

/// The likelihood of a candidate, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rank {
    /// A candidate that matches the type or hash expected at the cursor.
    Expected,
    /// A candidate from the session.
    Session,
    /// A built-in candidate.
    BuiltIn,
    /// A built-in candidate that users rarely want.
    Rare,
}

/// Writes the kind in words: `resource type`.
impl fmt::Display for CandidateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

enum_with_words! {
    /// The kind of thing that a candidate names.
    #[derive(Hash)]
    #[non_exhaustive]
    pub CandidateKind
    /// Returns the kind in words: `resource type`.
    name {
        Alias "alias"
        Attribute "attribute"
        Class "class"
        Command "command"
        File "file"
        Folder "folder"
        Function "function"
        Key "key"
        Keyword "keyword"
        Module "module"
        ResourceType "resource type"
        Setting "setting"
        Type "type"
        Value "value"
        Variable "variable"
    }
}

impl Candidate {
    /// Returns a candidate without a summary, whose label is the inserted text.
    #[doc(hidden)] // for the program
    pub fn new(rank: Rank, text: impl Into<String>, kind: CandidateKind) -> Candidate {
        let text = text.into();
        Candidate { rank, label: text.clone(), text, kind, summary: String::new() }
    }

    /// Sets the summary of the candidate.
    #[must_use]
    #[doc(hidden)] // for the program
    pub fn with_summary(self, summary: impl Into<String>) -> Candidate {
        Candidate { summary: summary.into(), ..self }
    }
}

impl SymbolIndex {
    /// Returns the functions whose names begin with `typed`; with `first`, only those that accept it as first argument.
    pub(super) fn functions_with_prefix(&self, typed: &str, first: Option<&Value>) -> Vec<Candidate> {
        let names = self.functions.keys().filter(|name| name.starts_with(typed));
        let candidates = names.filter_map(|name| {
            let mut candidate = self.function_candidate(name);
            if let Some(value) = first {
                let signatures = self.function_signatures(name);
                let types = signatures.iter().filter_map(|signature| Some(&signature.parameters.first()?.type_));
                let mut fitting = types.filter(|type_| type_.has_instance(value)).peekable();
                fitting.peek()?;
                // A function that accepts anything is seldom meant.
                if candidate.rank == Rank::BuiltIn && fitting.all(|type_| matches!(type_, Type::Any(_))) {
                    candidate.rank = Rank::Rare;
                }
            }
            Some(candidate)
        });
        candidates.collect()
    }

    pub(super) fn variables_with_prefix(&self, typed: &str, own: &[&str]) -> Vec<Candidate> {
        let known = self.variables.keys().filter(|name| name.starts_with(typed));
        // The word at the cursor is not yet a name.
        let own = own.iter().copied().filter(|name| name.starts_with(typed) && *name != typed);
        let own = own.map(|name| Candidate::new(Rank::Session, name, CandidateKind::Variable));
        let known = known.map(|name| {
            let value = self.variable_value(name).map(summarize_value).unwrap_or_default();
            Candidate::new(Rank::Session, name, CandidateKind::Variable).with_summary(value)
        });
        known.chain(own).collect()
    }

    /// Completes a type name in any case up to the next `::`: `Mo` gives `Mod::`, which gives `Mod::Port`.
    pub(super) fn types_with_prefix(&self, typed: &str) -> Vec<Candidate> {
        let (root, typed) = typed.strip_prefix("::").map_or(("", typed), |rest| ("::", rest));
        let begins = |name: &&String| name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
        let candidates =
            self.types.values().map(|(name, _)| name).filter(begins).map(|name| match name[typed.len()..].find("::") {
                None => self.type_candidate(name, format!("{root}{name}")),
                Some(at) => {
                    let rank = if types::TABLE.iter().any(|row| row.name == name) { Rank::Rare } else { Rank::Session };
                    let text = format!("{root}{}", &name[..typed.len() + at + 2]);
                    Candidate::new(rank, text, CandidateKind::Module)
                }
            });
        // Where nothing is typed yet, rare types would only make the list long.
        candidates.filter(|candidate| !typed.is_empty() || candidate.rank != Rank::Rare).collect()
    }

    fn function_candidate(&self, name: &str) -> Candidate {
        if let Some(row) = functions::named(name) {
            return Candidate::new(Rank::BuiltIn, name, CandidateKind::Function).with_summary(row.summary);
        }
        let signature = self.functions.get(name).and_then(|signatures| signatures.last()).cloned();
        Candidate::new(Rank::Session, name, CandidateKind::Function).with_summary(signature.unwrap_or_default())
    }

    fn type_candidate(&self, name: &str, text: String) -> Candidate {
        if let Some(definition) = self.alias_definition(name) {
            let summary = match definition {
                Definition::Type(type_) => type_.behind_aliases().to_string_as_parameter(),
                Definition::Text(text) => text.clone(),
            };
            return Candidate::new(Rank::Session, text, CandidateKind::Alias).with_summary(summary);
        }
        match types::TABLE.iter().find(|row| row.name == name) {
            Some(row) => Candidate::new(Rank::BuiltIn, text, CandidateKind::Type).with_summary(row.summary),
            None => Candidate::new(Rank::Rare, text, CandidateKind::ResourceType),
        }
    }
}

pub(super) fn commands_with_prefix(typed: &str) -> Vec<Candidate> {
    table_rows_with_prefix(typed, CandidateKind::Command, commands::all_commands().map(|row| (row.name, row.summary)))
}

pub(super) fn settings_with_prefix(typed: &str) -> Vec<Candidate> {
    table_rows_with_prefix(typed, CandidateKind::Setting, settings::TABLE.iter().map(|row| (row.name, row.summary)))
}

fn table_rows_with_prefix(
    typed: &str,
    kind: CandidateKind,
    rows: impl Iterator<Item = (&'static str, &'static str)>,
) -> Vec<Candidate> {
    let rows = rows.filter(|(name, _)| name.starts_with(typed));
    rows.map(|(name, summary)| Candidate::new(Rank::BuiltIn, name, kind).with_summary(summary)).collect()
}

/// Returns candidates for the expected keys and strings. `quoted` returns the code for a string; `None` leaves it out.
pub(super) fn expected_candidates(expected: Expectation, quoted: impl Fn(&str) -> Option<String>) -> Vec<Candidate> {
    let keys = expected.keys.into_iter().map(|label| (label, CandidateKind::Key));
    let strings = expected.strings.into_iter().map(|label| (label, CandidateKind::Value));
    let candidates = keys.chain(strings).filter_map(|(label, kind)| {
        Some(Candidate { label: label.clone(), ..Candidate::new(Rank::Expected, quoted(&label)?, kind) })
    });
    candidates.collect()
}

pub(super) fn names_with_prefix(
    typed: &str,
    names: impl Iterator<Item = impl AsRef<str>>,
    rank: Rank,
    kind: CandidateKind,
) -> Vec<Candidate> {
    let names = names.filter(|name| name.as_ref().starts_with(typed));
    names.map(|name| Candidate::new(rank, name.as_ref(), kind)).collect()
}

fn summarize_value(value: &Value) -> String {
    match value {
        Value::Array(array) => format!("Array of {}", array.len()),
        Value::Hash(hash) => format!("Hash of {}", hash.len()),
        Value::Object(_) | Value::Type(_) | Value::Binary(_) | Value::Iterator(_) | Value::Callable(_) => {
            Type::of(value).name().to_owned()
        }
        _ => crate::format::program_text(value),
    }
}

pub(super) fn needs_no_escapes(text: &str) -> bool {
    !text.contains(['\'', '"', '\\', '$', '\n'])
}
