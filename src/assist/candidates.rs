//! What has a name that begins as what is typed: functions, variables, types, commands, settings, files. The names come from
//! the tables and the session; there are no lists here.

use crate::session::Definition;
use crate::session::commands;
use crate::session::settings;
use crate::syntax::KEYWORDS;
use crate::types::Type;
use crate::value::Value;

use super::expectation::Hand;
use super::static_eval;
use super::symbols::Names;

/// A candidate before it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How likely it is meant, the likelier the lower.
    pub rank: Rank,
    /// What stands in the line when it is taken.
    pub text: String,
    /// What stands in the list, where that is something else.
    pub label: Option<String>,
    /// What it is: `function`
    pub kind: &'static str,
    pub summary: String,
}

impl Row {
    pub fn new(rank: Rank, text: impl Into<String>, kind: &'static str) -> Row {
        Row { rank, text: text.into(), label: None, kind, summary: String::new() }
    }

    pub fn explained(self, summary: impl Into<String>) -> Row {
        Row { summary: summary.into(), ..self }
    }

    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.text)
    }
}

/// How likely a candidate is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// It fits what is known of this place.
    Known,
    /// It comes from the session.
    Own,
    /// It is in the tables.
    Common,
    /// It is rarely meant.
    Rare,
}

impl Names {
    /// The functions, or those alone that can be called on a value.
    pub fn functions_beginning(&self, typed: &str, first: Option<&Value>) -> Vec<Row> {
        let names = self.functions.iter().filter(|name| name.starts_with(typed));
        let rows = names.filter_map(|name| {
            let signatures = self.signatures(name);
            let mut rank = Rank::Own;
            let mut summary = signatures.first().cloned().unwrap_or_default();
            if let Some(row) = crate::functions::named(name) {
                rank = Rank::Common;
                row.summary.clone_into(&mut summary);
            }
            if let Some(value) = first {
                let types =
                    signatures.iter().filter_map(|text| static_eval::parameter_types(text, self).into_iter().next());
                let mut fitting = types.filter(|type_| type_.has_instance(value)).peekable();
                fitting.peek()?;
                // What takes anything is seldom meant.
                if rank == Rank::Common && fitting.all(|type_| matches!(type_, Type::Any(_))) {
                    rank = Rank::Rare;
                }
            }
            Some(Row::new(rank, name, "function").explained(summary))
        });
        rows.collect()
    }

    /// The variables of the session, and those that the entry itself has.
    pub fn variables_beginning(&self, typed: &str, own: &[&str]) -> Vec<Row> {
        let known = self.variables.iter().map(String::as_str).filter(|name| name.starts_with(typed));
        let known = known.map(|name| {
            let value = self.value(name).map(described);
            Row::new(Rank::Own, name, "variable").explained(value.unwrap_or_default())
        });
        // What is just being typed is not yet a name.
        let own = own.iter().copied().filter(|name| name.starts_with(typed) && *name != typed);
        let own = own.map(|name| Row::new(Rank::Own, name, "variable"));
        known.chain(own).collect()
    }

    /// Types by their next segment: `Mo` gives `Mod::`, that gives `Mod::Port`. The case of letters does not matter.
    pub fn types_beginning(&self, typed: &str) -> Vec<Row> {
        let (root, typed) = typed.strip_prefix("::").map_or(("", typed), |rest| ("::", rest));
        let begins = |name: &&String| name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
        let row = |name: &String| {
            let end = name[typed.len()..].find("::").map(|at| typed.len() + at + 2);
            let text = format!("{root}{}", &name[..end.unwrap_or(name.len())]);
            if end.is_some() {
                let is_built_in = crate::types::TABLE.iter().any(|row| row.name == name);
                return Row::new(if is_built_in { Rank::Rare } else { Rank::Own }, text, "module");
            }
            if let Some(definition) = self.alias(name) {
                return Row::new(Rank::Own, text, "alias").explained(defined(definition));
            }
            match crate::types::TABLE.iter().find(|row| row.name == name) {
                Some(row) => Row::new(Rank::Common, text, "type").explained(row.summary),
                None => Row::new(Rank::Rare, text, "resource type"),
            }
        };
        let mut rows: Vec<Row> = self.types.iter().filter(begins).map(row).collect();
        // Where nothing is typed yet, what is rarely meant would only make the list long.
        rows.retain(|row| !typed.is_empty() || row.rank != Rank::Rare);
        rows
    }
}

/// The commands whose names begin with `typed`.
pub fn command_rows(typed: &str) -> Vec<Row> {
    let rows = commands::all().filter(|row| row.name.starts_with(typed));
    let rows = rows.map(|row| Row::new(Rank::Common, row.name, "command").explained(row.summary));
    rows.collect()
}

/// What is at hand, as `written` says that it stands in the line; what cannot be written is left out.
pub fn hand_rows(hand: Hand, written: impl Fn(&str) -> Option<String>) -> Vec<Row> {
    let keys = hand.keys.into_iter().map(|text| (text, "key"));
    let strings = hand.strings.into_iter().map(|text| (text, "value"));
    let rows = keys.chain(strings).filter_map(|(text, kind)| {
        let written = written(&text)?;
        Some(Row { label: Some(text), ..Row::new(Rank::Known, written, kind) })
    });
    rows.collect()
}

/// Those of `names` that begin with `typed`.
pub fn beginning<'n>(typed: &str, names: impl Iterator<Item = &'n str>, rank: Rank, kind: &'static str) -> Vec<Row> {
    let names = names.filter(|name| name.starts_with(typed));
    names.map(|name| Row::new(rank, name, kind)).collect()
}

/// The settings whose names begin with `typed`.
pub fn setting_rows(typed: &str) -> Vec<Row> {
    let rows = settings::TABLE.iter().filter(|row| row.name.starts_with(typed));
    rows.map(|row| Row::new(Rank::Common, row.name, "setting").explained(row.summary)).collect()
}

/// What an alias stands for.
fn defined(definition: &Definition) -> String {
    match definition {
        Definition::Type(type_) => static_eval::behind_aliases(type_).to_string_in_brackets(),
        Definition::Text(text) => text.clone(),
    }
}

/// A value in a few words.
fn described(value: &Value) -> String {
    match value {
        Value::Array(array) => format!("Array of {}", array.len()),
        Value::Hash(hash) => format!("Hash of {}", hash.len()),
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Regexp(_)
        | Value::Uri(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Timespan(_)
        | Value::Timestamp(_)
        | Value::Sensitive(_) => crate::format::program_text(value),
        Value::Object(_) | Value::Type(_) | Value::Binary(_) | Value::Iterator(_) | Value::Callable(_) => {
            Type::of(value).name().to_owned()
        }
    }
}

/// Whether a string can be written without quotes.
pub fn is_bare(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&text)
}

/// Whether a string can be written in any quotes without a backslash.
pub fn is_plain(text: &str) -> bool {
    !text.contains(['\'', '"', '\\', '$', '\n'])
}
