//! What could stand where the cursor is: commands after a colon, types after `=~`, functions that fit the value after a
//! dot, keys of the hash at hand in a string. The names come from the tables and the session; there are no lists here.

use std::fs;
use std::path::Path;

use pcore::session::Definition;
use pcore::session::commands::{self, Kind as Wanted};
use pcore::session::settings;
use pcore::syntax::KEYWORDS;
use pcore::syntax::tokens::{Kind, Token, scan};
use pcore::types::Type;
use pcore::value::Value;

use super::hand::Around;
use super::inside::Hand;
use super::literal;
use super::names::{Names, bound};

/// With more candidates than this, their summaries are left out: the names then stand side by side.
const MAX_EXPLAINED: usize = 16;

/// What may be typed next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidate {
    /// What stands in the line when it is taken.
    pub(super) text: String,
    /// What stands in the list.
    pub(super) shown: String,
}

impl rustyline::completion::Candidate for Candidate {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
    }
}

/// A candidate before it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// How likely it is meant, the likelier the lower.
    rank: Rank,
    /// What stands in the line when it is taken.
    text: String,
    /// What stands in the list, where that is something else.
    label: Option<String>,
    /// What it is: `function`
    kind: &'static str,
    summary: String,
}

impl Row {
    fn new(rank: Rank, text: impl Into<String>, kind: &'static str) -> Row {
        Row { rank, text: text.into(), label: None, kind, summary: String::new() }
    }

    fn explained(self, summary: impl Into<String>) -> Row {
        Row { summary: summary.into(), ..self }
    }

    fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.text)
    }
}

/// How likely a candidate is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It fits what is known of this place.
    Known,
    /// It comes from the session.
    Own,
    /// It is in the tables.
    Common,
    /// It is rarely meant.
    Rare,
}

/// The place from which on the text before the cursor is replaced, and what it can be replaced by, the likelier first.
/// The list is for a terminal of so many `columns`.
pub(super) fn candidates(before: &str, after: &str, names: &Names, columns: usize) -> (usize, Vec<Candidate>) {
    let (start, mut rows) = Place { names, after }.entry(before);
    rows.sort_by(|one, other| (one.rank, &one.text).cmp(&(other.rank, &other.text)));
    rows.dedup_by(|one, other| one.text == other.text);
    (start, listed(&rows, columns))
}

/// The candidates as they are shown: name, kind and summary in columns.
fn listed(rows: &[Row], columns: usize) -> Vec<Candidate> {
    let width = |text: &str| text.chars().count();
    let names = rows.iter().map(|row| width(row.name())).max().unwrap_or(0);
    let kinds = rows.iter().map(|row| width(row.kind)).max().unwrap_or(0);
    let explains = rows.len() <= MAX_EXPLAINED;
    let shown = |row: &Row| {
        let line = format!("{:names$}  {}", row.name(), row.kind);
        if !explains || row.summary.is_empty() {
            return line;
        }
        let line = format!("{:names$}  {:kinds$}  {}", row.name(), row.kind, row.summary.replace('\n', " "));
        if width(&line) < columns {
            line
        } else {
            line.chars().take(columns.saturating_sub(2)).chain(['…']).collect()
        }
    };
    rows.iter().map(|row| Candidate { shown: shown(row), text: row.text.clone() }).collect()
}

/// Where candidates are asked for.
#[derive(Clone, Copy)]
struct Place<'a> {
    names: &'a Names,
    /// The text behind the cursor.
    after: &'a str,
}

impl Place<'_> {
    fn entry(self, before: &str) -> (usize, Vec<Row>) {
        let blank = before.len() - before.trim_start().len();
        let typed = &before[blank..];
        if let Some(name) = typed.strip_prefix('?') {
            return self.word(before, name.trim_start());
        }
        let Some(command) = typed.strip_prefix(':').filter(|command| !command.starts_with(':')) else {
            return self.code(before);
        };
        let Some((name, argument)) = command.split_once(char::is_whitespace) else {
            return (blank + 1, command_rows(command));
        };
        let argument = argument.trim_start();
        let start = before.len() - argument.len();
        let Some(wanted) = commands::find(name).ok().and_then(|row| row.argument.kind()) else {
            return (before.len(), Vec::new());
        };
        match wanted {
            Wanted::Word => {
                let (start, mut rows) = self.word(before, argument);
                rows.extend(command_rows(argument));
                rows.extend(setting_rows(argument));
                (start, rows)
            }
            Wanted::Name | Wanted::Filter => self.word(before, argument),
            Wanted::Bound => {
                let (start, mut rows) = self.word(before, argument);
                rows.retain(|row| row.rank == Rank::Own);
                (start, rows)
            }
            Wanted::Format | Wanted::Number => (before.len(), Vec::new()),
            Wanted::Setting => match argument.split_once(char::is_whitespace) {
                None => (start, setting_rows(argument)),
                Some((name, value)) => {
                    let value = value.trim_start();
                    let words = settings::named(name).map_or_else(|_| Vec::new(), |row| row.values.words());
                    (before.len() - value.len(), beginning(value, words.into_iter(), Rank::Known, "value"))
                }
            },
            Wanted::File => (start + argument.rfind('/').map_or(0, |slash| slash + 1), files(argument)),
            Wanted::Expression | Wanted::Code | Wanted::Question | Wanted::Type | Wanted::Types => {
                let (place, rows) = self.code(argument);
                (start + place, rows)
            }
        }
    }

    /// An argument that is a name: of a type, a function or a variable.
    fn word(self, before: &str, typed: &str) -> (usize, Vec<Row>) {
        let start = before.len() - typed.len();
        if let Some(variable) = typed.strip_prefix('$') {
            return (start + 1, self.variables(variable, &[]));
        }
        let mut rows = self.types(typed);
        rows.extend(self.functions(typed, None));
        (start, rows)
    }

    /// Code up to the cursor.
    fn code(self, before: &str) -> (usize, Vec<Row>) {
        let (tokens, is_inside) = scan(before);
        // A variable that is being typed in a string is one.
        if is_inside && tokens.last().is_none_or(|last| last.kind != Kind::Variable) {
            return self.string(before, &tokens);
        }
        // The token in which the cursor is, and those before it.
        let (current, rest) = match tokens.split_last() {
            Some((last, rest)) if last.span.range().end == before.len() && is_word(last.kind) => (Some(last), rest),
            _ => (None, &tokens[..]),
        };
        let start = current.map_or(before.len(), |token| token.span.range().start);
        let typed = &before[start..];
        let previous = rest.last().map_or("", |token| &before[token.span.range()]);
        let around = Around { before, tokens: rest, after: self.after, names: self.names };
        let own: Vec<&str> = bound(before, rest).into_iter().collect();
        match current.map(|token| token.kind) {
            Some(Kind::Variable) => (start + 1, self.variables(&typed[1..], &own)),
            Some(Kind::Reference) => (start, self.types(typed)),
            Some(_) if previous == "." => (start, self.members(typed, &around)),
            Some(_) if matches!(previous, "=~" | "!~") => (start, self.types(typed)),
            Some(_) => {
                let mut rows = self.functions(typed, None);
                if previous == "${" {
                    rows.extend(self.variables(typed, &own));
                } else {
                    rows.extend(beginning(typed, KEYWORDS.into_iter(), Rank::Common, "keyword"));
                    rows.extend(hand_rows(around.hand(), |text| is_bare(text).then(|| text.to_owned())));
                }
                rows.retain(|row| row.text.starts_with(typed));
                (start, rows)
            }
            None if is_within_text(before, rest) => (start, Vec::new()),
            None if previous == "." => (start, self.members("", &around)),
            None if previous == "${" => (start, self.variables("", &own)),
            None if matches!(
                previous,
                "{" | "=~" | "!~" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "[" | "," | "(" | "=>"
            ) =>
            {
                let mut rows = hand_rows(around.hand(), |text| is_plain(text).then(|| format!("'{text}'")));
                // Where something is known, everything else would be in its way.
                if rows.is_empty() && !matches!(previous, "{" | "=>") {
                    rows.extend(self.types(""));
                }
                (start, rows)
            }
            None => (start, Vec::new()),
        }
    }

    /// A string that is open: what it may be is what it is for.
    fn string(self, before: &str, tokens: &[Token]) -> (usize, Vec<Row>) {
        let nothing = (before.len(), Vec::new());
        let Some((string, rest)) = tokens.split_last() else { return nothing };
        let start = string.span.range().start;
        let quote = &before[start..=start];
        if string.kind != Kind::String || !matches!(quote, "'" | "\"") {
            return nothing;
        }
        let typed = &before[start + 1..];
        let hand = Around { before, tokens: rest, after: self.after, names: self.names }.hand();
        let closing = if self.after.starts_with(quote) { "" } else { quote };
        let mut rows = hand_rows(hand, |text| is_plain(text).then(|| format!("{text}{closing}")));
        rows.retain(|row| row.text.starts_with(typed));
        (start + 1, rows)
    }

    /// What may stand behind a dot: attributes, and the functions whose first argument may be the value before it.
    fn members(self, typed: &str, around: &Around<'_>) -> Vec<Row> {
        let value = around.receiver(around.tokens.len() - 1);
        let attributes = value.as_ref().map(Value::attribute_names).unwrap_or_default();
        let mut rows = beginning(typed, attributes.iter().map(String::as_str), Rank::Known, "attribute");
        rows.extend(self.functions(typed, value.as_ref()));
        rows
    }

    /// The functions, or those alone that can be called on a value.
    fn functions(self, typed: &str, first: Option<&Value>) -> Vec<Row> {
        let names = self.names.functions.iter().filter(|name| name.starts_with(typed));
        let rows = names.filter_map(|name| {
            let signatures = self.names.signatures(name);
            let mut rank = Rank::Own;
            let mut summary = signatures.first().cloned().unwrap_or_default();
            if let Some(row) = pcore::functions::named(name) {
                rank = Rank::Common;
                row.summary.clone_into(&mut summary);
            }
            if let Some(value) = first {
                let types =
                    signatures.iter().filter_map(|text| literal::parameter_types(text, self.names).into_iter().next());
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

    fn variables(self, typed: &str, own: &[&str]) -> Vec<Row> {
        let known = self.names.variables.iter().map(String::as_str).filter(|name| name.starts_with(typed));
        let known = known.map(|name| {
            let value = self.names.value(name).map(described);
            Row::new(Rank::Own, name, "variable").explained(value.unwrap_or_default())
        });
        // What is just being typed is not yet a name.
        let own = own.iter().copied().filter(|name| name.starts_with(typed) && *name != typed);
        let own = own.map(|name| Row::new(Rank::Own, name, "variable"));
        known.chain(own).collect()
    }

    /// Types by their next segment: `Mo` gives `Mod::`, that gives `Mod::Port`. The case of letters does not matter.
    fn types(self, typed: &str) -> Vec<Row> {
        let (root, typed) = typed.strip_prefix("::").map_or(("", typed), |rest| ("::", rest));
        let begins = |name: &&String| name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
        let row = |name: &String| {
            let end = name[typed.len()..].find("::").map(|at| typed.len() + at + 2);
            let text = format!("{root}{}", &name[..end.unwrap_or(name.len())]);
            if end.is_some() {
                return Row::new(Rank::Own, text, "module");
            }
            if let Some(definition) = self.names.alias(name) {
                return Row::new(Rank::Own, text, "alias").explained(defined(definition));
            }
            match pcore::types::TABLE.iter().find(|row| row.name == name) {
                Some(row) => Row::new(Rank::Common, text, "type").explained(row.summary),
                None => Row::new(Rank::Rare, text, "resource type"),
            }
        };
        let mut rows: Vec<Row> = self.names.types.iter().filter(begins).map(row).collect();
        // Where nothing is typed yet, what is rarely meant would only make the list long.
        rows.retain(|row| !typed.is_empty() || row.rank != Rank::Rare);
        rows
    }
}

fn command_rows(typed: &str) -> Vec<Row> {
    let rows = commands::all().filter(|row| row.name.starts_with(typed));
    let rows = rows.map(|row| Row::new(Rank::Common, row.name, "command").explained(row.summary));
    rows.collect()
}

/// What is at hand, as `written` says that it stands in the line; what cannot be written is left out.
fn hand_rows(hand: Hand, written: impl Fn(&str) -> Option<String>) -> Vec<Row> {
    let keys = hand.keys.into_iter().map(|text| (text, "key"));
    let strings = hand.strings.into_iter().map(|text| (text, "value"));
    let rows = keys.chain(strings).filter_map(|(text, kind)| {
        let written = written(&text)?;
        Some(Row { label: Some(text), ..Row::new(Rank::Known, written, kind) })
    });
    rows.collect()
}

fn beginning<'n>(typed: &str, names: impl Iterator<Item = &'n str>, rank: Rank, kind: &'static str) -> Vec<Row> {
    let names = names.filter(|name| name.starts_with(typed));
    names.map(|name| Row::new(rank, name, kind)).collect()
}

/// The settings whose names begin with `typed`.
fn setting_rows(typed: &str) -> Vec<Row> {
    let rows = settings::TABLE.iter().filter(|row| row.name.starts_with(typed));
    rows.map(|row| Row::new(Rank::Common, row.name, "setting").explained(row.summary)).collect()
}

/// The files whose path begins with `typed`, by the part behind its last slash.
fn files(typed: &str) -> Vec<Row> {
    let (folder, beginning) = typed
        .rsplit_once('/')
        .map_or((".", typed), |(folder, rest)| (if folder.is_empty() { "/" } else { folder }, rest));
    let entries = fs::read_dir(Path::new(folder)).into_iter().flatten().flatten();
    let rows = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_shown = name.starts_with(beginning) && (!name.starts_with('.') || beginning.starts_with('.'));
        let is_folder = entry.path().is_dir();
        let (text, kind) = if is_folder { (name + "/", "folder") } else { (name, "file") };
        is_shown.then(|| Row::new(Rank::Common, text, kind))
    });
    rows.collect()
}

/// What an alias stands for.
fn defined(definition: &Definition) -> String {
    match definition {
        Definition::Type(type_) => literal::behind_aliases(type_).to_string_in_brackets(),
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
        | Value::Sensitive(_) => pcore::format::program_text(value),
        Value::Object(_) | Value::Type(_) | Value::Binary(_) | Value::Iterator(_) | Value::Callable(_) => {
            Type::of(value).name().to_owned()
        }
    }
}

fn is_word(kind: Kind) -> bool {
    match kind {
        Kind::Keyword | Kind::Name | Kind::Reference | Kind::Variable => true,
        Kind::Comment | Kind::Number | Kind::String | Kind::Regexp | Kind::Open | Kind::Close | Kind::Symbol => false,
    }
}

/// Whether the cursor touches a comment, a string or a regular expression.
fn is_within_text(before: &str, tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|last| {
        let touches = last.span.range().end == before.len();
        touches && matches!(last.kind, Kind::Comment | Kind::String | Kind::Regexp)
    })
}

/// Whether a string can be written without quotes.
fn is_bare(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&text)
}

/// Whether a string can be written in any quotes without a backslash.
fn is_plain(text: &str) -> bool {
    !text.contains(['\'', '"', '\\', '$', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcore::session::Session;

    /// The place, and the candidates in the order of the list.
    fn completed(before: &str) -> (usize, Vec<String>) {
        between(before, "")
    }

    fn between(before: &str, after: &str) -> (usize, Vec<String>) {
        let mut session = Session::default();
        session.enter("type Net::Port = Integer", &mut |_| {});
        session.enter("type Net::Host = String", &mut |_| {});
        session.enter("type Net::Ip::V4 = String", &mut |_| {});
        session.enter("$portal = 80", &mut |_| {});
        session.enter("function portly() { 1 }", &mut |_| {});
        session.enter("type Web::Service = Struct[{name => String, Optional[mode] => Enum['on', 'off'], ports => Array[Web::Rule]}]", &mut |_| {});
        session.enter("type Web::Rule = Struct[{port => Integer, how => Optional[Enum['tcp', 'udp']]}]", &mut |_| {});
        session.enter("type Point = Object[{attributes => {x => Integer, y => Integer}}]", &mut |_| {});
        session.enter("$record = {'name' => 'web', 'inner' => {'deep' => [1]}}", &mut |_| {});
        session.enter("$point = Point(1, 2)", &mut |_| {});
        session.enter("$site = URI('http://example.com')", &mut |_| {});
        session.enter("function serve(Web::Service $service, Enum['fast', 'slow'] $how) { 1 }", &mut |_| {});
        let (start, found) = candidates(before, after, &Names::of(&session), 80);
        (start, found.into_iter().map(|candidate| candidate.text).collect())
    }

    fn is(before: &str, start: usize, found: &[&str]) {
        assert_eq!(
            completed(before),
            (start, found.iter().map(|name| (*name).to_owned()).collect()),
            "after {before:?}"
        );
    }

    #[test]
    fn types_follow_operators_and_upper_case_letters() {
        is("$x =~ Str", 6, &["String", "Struct"]);
        is("$x =~ boo", 6, &["Boolean"]);
        is("Array[Float, Unde", 13, &["Undef"]);
        for place in ["1 =~ ", "1 !~", "Integer < ", "Integer >= ", "Array[", "Hash[String, ", "f("] {
            assert!(completed(place).1.iter().any(|name| name == "Integer"), "after {place:?}");
        }
    }

    #[test]
    fn aliases_come_segment_by_segment() {
        is("1 =~ Ne", 5, &["Net::"]);
        is("1 =~ Net::", 5, &["Net::Host", "Net::Ip::", "Net::Port"]);
        is("1 =~ Net::Ip::", 5, &["Net::Ip::V4"]);
        is("1 =~ ::Net::P", 5, &["::Net::Port"]);
    }

    #[test]
    fn lower_case_words_are_functions_and_keywords() {
        is("port", 0, &["portly"]);
        is("un", 0, &["undef", "unique", "unless", "unwrap"]);
        is("[1].redu", 4, &["reduce"]);
    }

    #[test]
    fn a_dollar_sign_asks_for_variables() {
        is("$por", 1, &["portal"]);
        is("\"at $por", 5, &["portal"]);
        is("\"at ${por", 6, &["portal", "portly"]);
        is("[1].each |$pork| { $por", 20, &["pork", "portal"]);
    }

    #[test]
    fn a_colon_asks_for_commands_and_a_blank_for_their_arguments() {
        is(":fun", 1, &["functions"]);
        is(":set ke", 5, &["keys"]);
        is(":set color al", 11, &["always"]);
        is(":set colour al", 12, &[]);
        is("  :qu", 3, &["quit"]);
        is(":doc Boo", 5, &["Boolean"]);
        is("?redu", 1, &["reduce"]);
        is(":help qui", 6, &["quit"]);
        is(":type $por", 7, &["portal"]);
        is(":unset $por", 8, &["portal"]);
        is(":vars x", 7, &[]);
        is(":xyzzy x", 8, &[]);
    }

    #[test]
    fn nothing_is_offered_in_text_and_where_nothing_can_stand() {
        is("'Inte", 1, &[]);
        is("# Inte", 6, &[]);
        is("1 ", 2, &[]);
        is("", 0, &[]);
    }

    #[test]
    fn keys_of_a_known_hash_are_offered_where_it_is_asked() {
        is("$record['", 9, &["inner'", "name'"]);
        is("$record[", 8, &["'inner'", "'name'"]);
        is("$record[\"na", 9, &["name\""]);
        is("$record['inner']['", 18, &["deep'"]);
        is("$record =~ Struct[{'", 20, &["inner'", "name'"]);
        is("\"${record['na", 11, &["name'"]);
    }

    #[test]
    fn the_type_of_an_argument_says_what_can_be_written() {
        is("serve({'", 8, &["mode'", "name'", "ports'"]);
        is("serve({mode => 'on', 'na", 22, &["name'"]);
        is("serve({mode => '", 16, &["off'", "on'"]);
        is("serve({ports => [{how => '", 26, &["tcp'", "udp'"]);
        is("serve({ports => [{how => 'tcp'}, {'", 35, &["how'", "port'"]);
        is("serve($x, '", 11, &["fast'", "slow'"]);
        is("$x.serve('", 10, &["fast'", "slow'"]);
        is("Point({", 7, &["'x'", "'y'"]);
        is("Point.new({'", 12, &["x'", "y'"]);
        is("new(Point, {'", 13, &["x'", "y'"]);
        is("Web::Service({'", 15, &["mode'", "name'", "ports'"]);
        is("assert_type(Enum['a', 'b'], '", 29, &["a'", "b'"]);
    }

    #[test]
    fn the_type_behind_the_cursor_says_what_can_be_written() {
        assert_eq!(between("{'na", "' => 'x'} =~ Web::Service"), (2, vec!["name".to_owned()]));
        assert_eq!(between("{mode => '", "'} =~ Web::Service"), (10, vec!["off".to_owned(), "on".to_owned()]));
        assert_eq!(between("'", " =~ Enum['a', 'b']"), (1, vec!["a'".to_owned(), "b'".to_owned()]));
    }

    #[test]
    fn behind_a_dot_stands_what_fits_the_value() {
        is("$point.x", 7, &["x"]);
        assert_eq!(completed("$point.").1[..2], ["x", "y"]);
        is("$site.sch", 6, &["scheme"]);
        is("$record.key", 8, &["keys"]);
        is("$record['inner'].key", 17, &["keys"]);
        is("5.key", 2, &[]);
    }

    #[test]
    fn the_list_says_what_the_candidates_are() {
        let shown = |before: &str| {
            let names = Names::of(&Session::default());
            candidates(before, "", &names, 40).1.into_iter().map(|candidate| candidate.shown).collect::<Vec<_>>()
        };
        assert_eq!(shown("1 =~ Boo"), ["Boolean  type  true and false, or one …"]);
        assert_eq!(shown("[1].redu"), ["reduce  function  what remains when th…"]);
        assert_eq!(shown("1 =~ ")[..2], ["Annotation    type", "Any           type"]);
    }
}
