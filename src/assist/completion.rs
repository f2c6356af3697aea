//! Completion: commands after a colon, types after `=~`, functions that accept the value before a dot, keys of the
//! expected hash in a string. [`candidates`](super::candidates) has the candidates of each kind.

use std::ops::Range;

use super::candidates::{
    Candidate, CandidateKind, Rank, commands_with_prefix, expected_candidates, names_with_prefix, needs_no_escapes,
    settings_with_prefix,
};
use super::signature::{Parameter, Signature, signature_help};
use super::symbols::{SymbolIndex, bound_variables};
use super::{brackets::Brackets, expectation::CursorContext};
use crate::check::core_attribute_names;
use crate::dictionary::{self, Kind as Role, Word};
use crate::session::commands::{CommandLine, Kind as Wanted};
use crate::session::{issues, settings};
use crate::syntax::tokens::{Kind, Token, scan};
use crate::syntax::{KEYWORDS, is_bare_word};
use crate::types::Type;
use crate::value::Value;

/// The completions of the code before a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The bytes that a candidate replaces; they end at the cursor.
    pub range: Range<usize>,
    /// The candidates, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// The beginning of a path if a path is expected. The caller then lists the files; `candidates` is empty.
    pub typed_path: Option<String>,
}

/// Returns the completions at the byte offset `cursor` of a text: Puppet code, or an entry of the prompt.
pub fn complete(text: &str, cursor: usize, symbols: &SymbolIndex) -> Completion {
    let (before, after) = text.split_at(cursor);
    if let Some(path) = path_at_cursor(before) {
        let range = cursor - path.len()..cursor;
        return Completion { range, candidates: Vec::new(), typed_path: Some(path.to_owned()) };
    }
    let (start, mut candidates) = symbols.complete_prompt_entry(before, after);
    candidates.sort_by(|one, other| (one.rank, &one.text).cmp(&(other.rank, &other.text)));
    candidates.dedup_by(|one, other| one.text == other.text);
    Completion { range: start..cursor, candidates, typed_path: None }
}

fn path_at_cursor(before: &str) -> Option<&str> {
    let command = CommandLine::parse(before)?;
    command.start?;
    let is_path = match command.argument_kind()? {
        Wanted::File => true,
        Wanted::Edited => command.argument.contains(['/', '.', '~']),
        _ => false,
    };
    is_path.then_some(command.argument)
}

impl SymbolIndex {
    fn complete_prompt_entry(&self, before: &str, after: &str) -> (usize, Vec<Candidate>) {
        let Some(command) = CommandLine::parse(before) else { return self.complete_code(before, after) };
        let (argument, Some(start)) = (command.argument, command.start) else {
            return (before.len() - command.name.len(), commands_with_prefix(command.name));
        };
        let nothing = (before.len(), Vec::new());
        let Some(wanted) = command.argument_kind() else { return nothing };
        match wanted {
            Wanted::Word => {
                let (start, mut rows) = self.complete_name(before, argument);
                rows.extend(commands_with_prefix(argument));
                rows.extend(settings_with_prefix(argument));
                (start, rows)
            }
            Wanted::Name | Wanted::Filter => self.complete_name(before, argument),
            Wanted::Bound if argument.is_empty() => (start, self.variables_with_dollar()),
            Wanted::Bound | Wanted::Edited => {
                let (start, mut rows) = self.complete_name(before, argument);
                rows.retain(|row| row.rank == Rank::Session);
                (start, rows)
            }
            Wanted::Key => (start, self.hiera_keys_with_prefix(argument, "")),
            Wanted::Format | Wanted::Number | Wanted::File | Wanted::Node => nothing,
            Wanted::Issue => {
                let codes = issues::TABLE.iter().map(|issue| issue.code);
                (start, names_with_prefix(argument, codes, Rank::Expected, CandidateKind::Value))
            }
            Wanted::Setting => match argument.split_once(char::is_whitespace) {
                None => (start, settings_with_prefix(argument)),
                Some((name, value)) => {
                    let value = value.trim_start();
                    let words = settings::find_setting(name).into_iter().flat_map(|row| row.values.accepted_words());
                    (before.len() - value.len(), names_with_prefix(value, words, Rank::Expected, CandidateKind::Value))
                }
            },
            Wanted::Expression | Wanted::Code | Wanted::Question | Wanted::Type | Wanted::Types => {
                let (place, rows) = self.complete_code(argument, after);
                (start + place, rows)
            }
        }
    }

    fn complete_name(&self, before: &str, typed: &str) -> (usize, Vec<Candidate>) {
        let start = before.len() - typed.len();
        if let Some(variable) = typed.strip_prefix('$') {
            return (start + 1, self.variables_with_prefix(variable, &[]));
        }
        let mut rows = self.types_with_prefix(typed);
        rows.extend(self.functions_with_prefix(typed, None));
        rows.extend(names_with_prefix(typed, KEYWORDS.into_iter(), Rank::BuiltIn, CandidateKind::Keyword));
        rows.extend(names_with_prefix(typed, self.classes.keys(), Rank::Session, CandidateKind::Class));
        (start, or_puppet_equivalent(rows, typed))
    }

    fn complete_code(&self, before: &str, after: &str) -> (usize, Vec<Candidate>) {
        let (tokens, is_inside) = scan(before);
        // A variable in an open string is completed as one.
        if is_inside && tokens.last().is_none_or(|last| last.kind != Kind::Variable) {
            return self.complete_string(before, after, &tokens);
        }
        // The token at the cursor, and those before it.
        let is_at_cursor = |last: &Token| last.span.range().end == before.len() && is_word_token(last.kind);
        let word = tokens.split_last().filter(|(last, _)| is_at_cursor(last));
        let (current, rest) = word.map_or((None, &tokens[..]), |(last, rest)| (Some(last), rest));
        let start = current.map_or(before.len(), |token| token.span.range().start);
        let typed = &before[start..];
        let previous = rest.last().map_or("", |token| &before[token.span.range()]);
        let context = CursorContext::new(before, rest, after, self);
        let own: Vec<&str> = bound_variables(before, rest).into_iter().collect();
        if current.is_none_or(|token| token.kind == Kind::Name)
            && let Some(rows) = self.complete_attribute(typed, before, rest)
        {
            return (start, rows);
        }
        match current.map(|token| token.kind) {
            Some(Kind::Name) if matches!(previous, "include" | "contain" | "require") => {
                (start, self.classes_with_prefix(typed))
            }
            Some(Kind::Variable) => (start + 1, self.variables_with_prefix(&typed[1..], &own)),
            Some(Kind::Reference) => (start, or_puppet_equivalent(self.types_with_prefix(typed), typed)),
            _ if previous == "." => (start, self.complete_member(typed, &context)),
            Some(_) if matches!(previous, "=~" | "!~") => (start, self.types_with_prefix(typed)),
            Some(_) => {
                let mut rows = self.functions_with_prefix(typed, None);
                if previous == "${" {
                    rows.extend(self.variables_with_prefix(typed, &own));
                } else {
                    rows.extend(names_with_prefix(typed, KEYWORDS.into_iter(), Rank::BuiltIn, CandidateKind::Keyword));
                    let bare = |text: &str| is_bare_word(text).then(|| text.to_owned());
                    rows.extend(expected_candidates(context.expectation(), bare));
                }
                rows.retain(|row| row.text.starts_with(typed));
                (start, or_puppet_equivalent(rows, typed))
            }
            None if ends_in_comment_or_string(before, rest) => (start, Vec::new()),
            None if previous == "${" => (start, self.variables_with_prefix("", &own)),
            None if matches!(
                previous,
                "{" | "=~" | "!~" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "[" | "," | "(" | "=>"
            ) =>
            {
                let quoted = |text: &str| needs_no_escapes(text).then(|| format!("'{text}'"));
                let mut rows = expected_candidates(context.expectation(), quoted);
                // Where something is expected, everything else would be in the way.
                if rows.is_empty() && !matches!(previous, "{" | "=>") {
                    rows.extend(self.candidates_for_empty_word(before, rest));
                }
                (start, rows)
            }
            None => (start, Vec::new()),
        }
    }

    /// Returns candidates where nothing is typed yet: `default` for a bound, types where a type is accepted, variables
    /// whose values the parameter accepts. Returns none in the tag of a heredoc and in the brackets after a value.
    fn candidates_for_empty_word(&self, before: &str, rest: &[Token]) -> Vec<Candidate> {
        let is_value = |token: &Token| matches!(token.kind, Kind::Variable | Kind::Close);
        let follows_value = matches!(rest, [.., value, last] if is_value(value) && value.span.end == last.span.start);
        if before.trim_end().ends_with("@(") || follows_value && before.trim_end().ends_with('[') {
            return Vec::new();
        }
        let Some(help) = signature_help(before, before.len(), self) else { return self.types_with_prefix("") };
        let active = |signature: &Signature| signature.parameter_for_argument(help.active_parameter).cloned();
        let parameters: Vec<Parameter> = help.signatures.iter().filter_map(active).collect();
        let first = parameters.first().map_or("", |parameter| &*parameter.name);
        if help.signatures.get(help.active_signature).is_some_and(|signature| signature.brackets[0] == '[') {
            return match first {
                "from" | "to" => vec![Candidate::new(Rank::Expected, "default", CandidateKind::Keyword)],
                "" | "name" | "regexp" | "string" | "text" | "title" | "version-range" => Vec::new(),
                _ => self.types_with_prefix(""),
            };
        }
        let accepts = |value: &Value| parameters.iter().any(|parameter| parameter.type_.has_instance(value));
        if accepts(&Value::Type(Type::any())) {
            return self.types_with_prefix("");
        }
        let mut variables = self.variables_with_dollar();
        variables.retain(|row| self.variable_value(&row.text[1..]).is_some_and(accepts));
        variables
    }

    fn variables_with_dollar(&self) -> Vec<Candidate> {
        let rows = self.variables_with_prefix("", &[]).into_iter();
        rows.map(|row| Candidate { text: format!("${}", row.text), label: format!("${}", row.label), ..row }).collect()
    }

    fn classes_with_prefix(&self, typed: &str) -> Vec<Candidate> {
        let names = self.classes.keys().chain(&self.modules);
        names_with_prefix(typed, names, Rank::Expected, CandidateKind::Class)
    }

    fn hiera_keys_with_prefix(&self, typed: &str, closing: &str) -> Vec<Candidate> {
        let rows = names_with_prefix(typed, self.hiera_keys.iter(), Rank::Expected, CandidateKind::Key).into_iter();
        rows.map(|row| Candidate { text: row.text.clone() + closing, ..row }).collect()
    }

    /// Returns parameters or attributes in an open `class { 'name': …` or `file { '/a': …`; `None` elsewhere.
    fn complete_attribute(&self, typed: &str, before: &str, rest: &[Token]) -> Option<Vec<Candidate>> {
        let text = |at: usize| rest.get(at).map_or("", |token| &before[token.span.range()]);
        let open = Brackets::from_tokens(before, rest).open.pop().filter(|open| open.token_index > 0)?;
        let is_name =
            rest.len() == open.token_index + 3 || rest.last().is_some_and(|last| &before[last.span.range()] == ",");
        if text(open.token_index) != "{" || text(open.token_index + 2) != ":" || !is_name {
            return None;
        }
        let name = match text(open.token_index - 1) {
            "class" => text(open.token_index + 1).trim_matches(['\'', '"']),
            resource_type => resource_type.trim_start_matches("::"),
        };
        let own = self.classes.get(name);
        let names: Vec<&str> =
            own.into_iter().flatten().map(String::as_str).chain(core_attribute_names(name)).collect();
        let is_known = own.is_some() || !names.is_empty();
        is_known.then(|| names_with_prefix(typed, names.iter(), Rank::Expected, CandidateKind::Attribute))
    }

    /// Completes an unclosed string: a class, a `lookup` key, an expected key or string. Also returns its offset.
    fn complete_string(&self, before: &str, after: &str, tokens: &[Token]) -> (usize, Vec<Candidate>) {
        let nothing = (before.len(), Vec::new());
        let Some((string, rest)) = tokens.split_last() else { return nothing };
        let start = string.span.range().start;
        let quote = &before[start..=start];
        if string.kind != Kind::String || !matches!(quote, "'" | "\"") {
            return nothing;
        }
        let typed = &before[start + 1..];
        let closing = if after.starts_with(quote) { "" } else { quote };
        if let [.., word, open] = rest {
            match (&before[word.span.range()], &before[open.span.range()]) {
                ("class", "{") => return (start + 1, self.classes_with_prefix(typed)),
                ("lookup", "(") => return (start + 1, self.hiera_keys_with_prefix(typed, closing)),
                _ => {}
            }
        }
        let expected = CursorContext::new(before, rest, after, self).expectation();
        let mut rows = expected_candidates(expected, |text| needs_no_escapes(text).then(|| format!("{text}{closing}")));
        rows.retain(|row| row.text.starts_with(typed));
        (start + 1, rows)
    }

    fn complete_member(&self, typed: &str, context: &CursorContext<'_>) -> Vec<Candidate> {
        let value = context.receiver_before_dot();
        let attributes = value.as_ref().map(Value::attribute_names).unwrap_or_default();
        let mut rows = names_with_prefix(typed, attributes.iter(), Rank::Expected, CandidateKind::Attribute);
        if let Some(Value::Object(object)) = &value {
            let functions =
                crate::functions::methods_of_object(object).iter().filter(|row| row.name.starts_with(typed));
            rows.extend(functions.map(|row| {
                Candidate::new(Rank::Expected, row.name, CandidateKind::Function).with_summary(row.summary)
            }));
        }
        rows.extend(self.functions_with_prefix(typed, value.as_ref()));
        rows
    }
}

/// Returns `rows` or, if it is empty, Puppet's word for `typed` if that is a word of another language.
fn or_puppet_equivalent(rows: Vec<Candidate>, typed: &str) -> Vec<Candidate> {
    let meant = dictionary::find_word(typed, &[Role::Type, Role::Value, Role::Function, Role::Keyword]);
    let meant = meant.filter(|meant| rows.is_empty() && meant.puppet.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let candidate = |meant: &Word| Candidate::new(Rank::Expected, meant.puppet, CandidateKind::Keyword);
    meant.map_or(rows, |meant| vec![candidate(meant).with_summary(meant.example)])
}

fn is_word_token(kind: Kind) -> bool {
    matches!(kind, Kind::Keyword | Kind::Name | Kind::Reference | Kind::Variable)
}

fn ends_in_comment_or_string(before: &str, tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|last| {
        let touches = last.span.range().end == before.len();
        touches && matches!(last.kind, Kind::Comment | Kind::String | Kind::Regexp)
    })
}
