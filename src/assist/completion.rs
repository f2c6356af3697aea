//! Completion: commands after a colon, types after `=~`, functions that accept the value before a dot, keys of the
//! expected hash in a string. [`candidates`](super::candidates) has the candidates of each kind.

use std::ops::Range;

use super::brackets::Brackets;
use super::candidates::{
    Candidate, CandidateKind, Rank, commands_with_prefix, expected_candidates, is_bare, is_plain, ranked,
    settings_with_prefix, with_prefix,
};
use super::cursor_context::CursorContext;
use super::signature::{Parameter, Signature, signature_help};
use super::symbols::{SymbolIndex, bound_variables};
use crate::session::commands::{CommandLine, Kind as Wanted};
use crate::session::{issues, settings};
use crate::syntax::KEYWORDS;
use crate::syntax::tokens::{Kind, Token, scan};
use crate::types::Type;
use crate::value::Value;

/// What could be typed at a cursor.
/// ```
/// use pcore::{Session, assist::{SymbolIndex, complete}};
/// let completion = complete(":load si", 8, &SymbolIndex::of(&Session::default()));
/// assert_eq!((completion.range, completion.path.as_deref()), (6..8, Some("si")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The bytes that a candidate replaces; they end at the cursor.
    pub range: Range<usize>,
    /// The candidates, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// The beginning of a path, where one is wanted. There are no candidates then: the library lists no files.
    pub path: Option<String>,
}

/// Returns what could be typed at the byte offset `cursor` of a text: Puppet code, or an entry of the prompt.
///
/// ```
/// use pcore::assist::{completion::complete, symbols::SymbolIndex};
/// use pcore::session::Session;
///
/// let symbols = SymbolIndex::of(&Session::default());
/// let completion = complete("$x =~ Boo", 9, &symbols);
/// assert_eq!(completion.range, 6..9);
/// assert_eq!(completion.candidates[0].text, "Boolean");
/// ```
pub fn complete(text: &str, cursor: usize, symbols: &SymbolIndex) -> Completion {
    let (before, after) = text.split_at(cursor);
    if let Some(path) = path(before) {
        return Completion { range: cursor - path.len()..cursor, candidates: Vec::new(), path: Some(path.to_owned()) };
    }
    let (start, candidates) = Place { symbols, after }.entry(before);
    let mut candidates = ranked(candidates);
    candidates.dedup_by(|one, other| one.text == other.text);
    Completion { range: start..cursor, candidates, path: None }
}

/// The path at the end of a command that takes a file.
fn path(before: &str) -> Option<&str> {
    let command = CommandLine::of(before)?;
    command.start?;
    matches!(command.kind()?, Wanted::File).then_some(command.argument)
}

/// The surroundings of the cursor.
#[derive(Clone, Copy)]
struct Place<'a> {
    symbols: &'a SymbolIndex,
    /// The text after the cursor.
    after: &'a str,
}

impl Place<'_> {
    fn entry(self, before: &str) -> (usize, Vec<Candidate>) {
        let Some(command) = CommandLine::of(before) else { return self.code(before) };
        let (argument, Some(start)) = (command.argument, command.start) else {
            return (before.len() - command.name.len(), commands_with_prefix(command.name));
        };
        let nothing = (before.len(), Vec::new());
        let Some(wanted) = command.kind() else { return nothing };
        match wanted {
            Wanted::Word => {
                let (start, mut rows) = self.word(before, argument);
                rows.extend(commands_with_prefix(argument));
                rows.extend(settings_with_prefix(argument));
                (start, rows)
            }
            Wanted::Name | Wanted::Filter => self.word(before, argument),
            Wanted::Bound => {
                let (start, mut rows) = self.word(before, argument);
                rows.retain(|row| row.rank == Rank::Session);
                (start, rows)
            }
            Wanted::Format | Wanted::Number | Wanted::File => nothing,
            Wanted::Issue => {
                let codes = issues::TABLE.iter().map(|issue| issue.code);
                (start, with_prefix(argument, codes, Rank::Expected, CandidateKind::Value))
            }
            Wanted::Setting => match argument.split_once(char::is_whitespace) {
                None => (start, settings_with_prefix(argument)),
                Some((name, value)) => {
                    let value = value.trim_start();
                    let words = settings::named(name).map_or_else(|_| Vec::new(), |row| row.values.words());
                    (
                        before.len() - value.len(),
                        with_prefix(value, words.into_iter(), Rank::Expected, CandidateKind::Value),
                    )
                }
            },
            Wanted::Expression | Wanted::Code | Wanted::Question | Wanted::Type | Wanted::Types => {
                let (place, rows) = self.code(argument);
                (start + place, rows)
            }
        }
    }

    /// An argument that names a type, a function or a variable.
    fn word(self, before: &str, typed: &str) -> (usize, Vec<Candidate>) {
        let start = before.len() - typed.len();
        if let Some(variable) = typed.strip_prefix('$') {
            return (start + 1, self.symbols.variables_with_prefix(variable, &[]));
        }
        let mut rows = self.symbols.types_with_prefix(typed);
        rows.extend(self.symbols.functions_with_prefix(typed, None));
        rows.extend(with_prefix(typed, KEYWORDS.into_iter(), Rank::BuiltIn, CandidateKind::Keyword));
        let classes = self.symbols.classes.iter().map(String::as_str);
        rows.extend(with_prefix(typed, classes, Rank::Session, CandidateKind::Class));
        (start, rows)
    }

    /// Code up to the cursor.
    fn code(self, before: &str) -> (usize, Vec<Candidate>) {
        let (tokens, is_inside) = scan(before);
        // A variable in an open string is completed as one.
        if is_inside && tokens.last().is_none_or(|last| last.kind != Kind::Variable) {
            return self.string(before, &tokens);
        }
        // The token at the cursor, and those before it.
        let (current, rest) = match tokens.split_last() {
            Some((last, rest)) if last.span.range().end == before.len() && is_word(last.kind) => (Some(last), rest),
            _ => (None, &tokens[..]),
        };
        let start = current.map_or(before.len(), |token| token.span.range().start);
        let typed = &before[start..];
        let previous = rest.last().map_or("", |token| &before[token.span.range()]);
        let context = CursorContext::new(before, rest, self.after, self.symbols);
        let own: Vec<&str> = bound_variables(before, rest).into_iter().collect();
        if current.is_none_or(|token| token.kind == Kind::Name)
            && let Some(rows) = self.class_parameters(typed, before, rest)
        {
            return (start, rows);
        }
        match current.map(|token| token.kind) {
            Some(Kind::Name) if matches!(previous, "include" | "contain" | "require") => (start, self.classes(typed)),
            Some(Kind::Variable) => (start + 1, self.symbols.variables_with_prefix(&typed[1..], &own)),
            Some(Kind::Reference) => (start, self.symbols.types_with_prefix(typed)),
            Some(_) if previous == "." => (start, self.members(typed, &context)),
            Some(_) if matches!(previous, "=~" | "!~") => (start, self.symbols.types_with_prefix(typed)),
            Some(_) => {
                let mut rows = self.symbols.functions_with_prefix(typed, None);
                if previous == "${" {
                    rows.extend(self.symbols.variables_with_prefix(typed, &own));
                } else {
                    rows.extend(with_prefix(typed, KEYWORDS.into_iter(), Rank::BuiltIn, CandidateKind::Keyword));
                    rows.extend(expected_candidates(context.expectation(), |text| {
                        is_bare(text).then(|| text.to_owned())
                    }));
                }
                rows.retain(|row| row.text.starts_with(typed));
                (start, rows)
            }
            None if is_within_text(before, rest) => (start, Vec::new()),
            None if previous == "." => (start, self.members("", &context)),
            None if previous == "${" => (start, self.symbols.variables_with_prefix("", &own)),
            None if matches!(
                previous,
                "{" | "=~" | "!~" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "[" | "," | "(" | "=>"
            ) =>
            {
                let mut rows =
                    expected_candidates(context.expectation(), |text| is_plain(text).then(|| format!("'{text}'")));
                // Where something is expected, everything else would be in the way.
                if rows.is_empty() && !matches!(previous, "{" | "=>") {
                    rows.extend(self.fitting(before, rest));
                }
                (start, rows)
            }
            None => (start, Vec::new()),
        }
    }

    /// What fits where nothing is typed yet: `default` as a bound, types where a type is accepted, variables whose values
    /// an argument may have; nothing in the tag of a heredoc and in the brackets of a value.
    fn fitting(self, before: &str, rest: &[Token]) -> Vec<Candidate> {
        let (touched, is_touched) = match rest {
            [.., touched, last] => (Some(touched), touched.span.end == last.span.start),
            _ => (None, false),
        };
        let is_value = touched.is_some_and(|token| matches!(token.kind, Kind::Variable | Kind::Close));
        if before.trim_end().ends_with("@(") || (is_touched && is_value && before.trim_end().ends_with('[')) {
            return Vec::new();
        }
        let Some(help) = signature_help(before, before.len(), self.symbols) else {
            return self.symbols.types_with_prefix("");
        };
        let active = |signature: &Signature| signature.parameter(help.active_parameter).cloned();
        let parameters: Vec<Parameter> = help.signatures.iter().filter_map(active).collect();
        let first = parameters.first().map_or("", |parameter| &*parameter.name);
        if help.signatures.get(help.active_signature).is_some_and(|signature| signature.brackets[0] == '[') {
            return match first {
                "from" | "to" => vec![Candidate::new(Rank::Expected, "default", CandidateKind::Keyword)],
                "" | "name" | "regexp" | "string" | "text" | "title" | "version-range" => Vec::new(),
                _ => self.symbols.types_with_prefix(""),
            };
        }
        let accepts = |value: &Value| parameters.iter().any(|parameter| parameter.type_.has_instance(value));
        if accepts(&Value::Type(Type::any())) {
            return self.symbols.types_with_prefix("");
        }
        let variables = self.symbols.variables_with_prefix("", &[]).into_iter();
        let fitting = variables.filter(|row| self.symbols.value(&row.text).is_some_and(accepts));
        fitting
            .map(|row| Candidate { text: format!("${}", row.text), label: format!("${}", row.label), ..row })
            .collect()
    }

    /// The classes that can be named after `include` or `class {`.
    fn classes(self, typed: &str) -> Vec<Candidate> {
        let names = self.symbols.classes.iter().map(String::as_str);
        let names = names.chain(self.symbols.modules.iter().map(String::as_str));
        with_prefix(typed, names, Rank::Expected, CandidateKind::Class)
    }

    /// The parameters of the class whose declaration `class { 'name': …` is open.
    fn class_parameters(self, typed: &str, before: &str, rest: &[Token]) -> Option<Vec<Candidate>> {
        let text = |at: usize| rest.get(at).map_or("", |token| &before[token.span.range()]);
        let open = Brackets::of(before, rest).open.pop().filter(|open| open.at > 0)?;
        if text(open.at) != "{" || text(open.at - 1) != "class" || text(open.at + 2) != ":" {
            return None;
        }
        let name = text(open.at + 1).trim_matches(['\'', '"']);
        let is_name = rest.len() == open.at + 3 || rest.last().is_some_and(|last| &before[last.span.range()] == ",");
        let parameters = self.symbols.class_parameters.get(name).filter(|_| is_name)?;
        Some(with_prefix(typed, parameters.iter().map(String::as_str), Rank::Expected, CandidateKind::Attribute))
    }

    /// An open string: the keys and strings that are expected.
    fn string(self, before: &str, tokens: &[Token]) -> (usize, Vec<Candidate>) {
        let nothing = (before.len(), Vec::new());
        let Some((string, rest)) = tokens.split_last() else { return nothing };
        let start = string.span.range().start;
        let quote = &before[start..=start];
        if string.kind != Kind::String || !matches!(quote, "'" | "\"") {
            return nothing;
        }
        let typed = &before[start + 1..];
        if let [.., class, open] = rest
            && (&before[class.span.range()], &before[open.span.range()]) == ("class", "{")
        {
            return (start + 1, self.classes(typed));
        }
        let expected = CursorContext::new(before, rest, self.after, self.symbols).expectation();
        let closing = if self.after.starts_with(quote) { "" } else { quote };
        let mut rows = expected_candidates(expected, |text| is_plain(text).then(|| format!("{text}{closing}")));
        rows.retain(|row| row.text.starts_with(typed));
        (start + 1, rows)
    }

    /// Attributes after a dot, and the functions that accept the value before it.
    fn members(self, typed: &str, context: &CursorContext<'_>) -> Vec<Candidate> {
        let value = context.receiver_before_dot();
        let attributes = value.as_ref().map(Value::attribute_names).unwrap_or_default();
        let mut rows =
            with_prefix(typed, attributes.iter().map(String::as_str), Rank::Expected, CandidateKind::Attribute);
        if let Some(Value::Object(object)) = &value {
            let functions = crate::functions::of_object(object).iter().filter(|row| row.name.starts_with(typed));
            rows.extend(functions.map(|row| {
                Candidate::new(Rank::Expected, row.name, CandidateKind::Function).with_summary(row.summary)
            }));
        }
        rows.extend(self.symbols.functions_with_prefix(typed, value.as_ref()));
        rows
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

#[cfg(test)]
mod tests {
    use super::super::expectation::expected;
    use super::*;
    use crate::session::{Console, Reply, Session};

    /// The place, and the candidates in the order of the list.
    fn completed(before: &str) -> (usize, Vec<String>) {
        between(before, "")
    }

    fn between(before: &str, after: &str) -> (usize, Vec<String>) {
        let mut session = Session::default();
        session.eval("type Net::Port = Integer").expect("a definition");
        session.eval("type Net::Host = String").expect("a definition");
        session.eval("type Net::Ip::V4 = String").expect("a definition");
        session.eval("$portal = 80").expect("a definition");
        session.eval("function portly() { 1 }").expect("a definition");
        session.eval("type Web::Service = Struct[{name => String, Optional[mode] => Enum['on', 'off'], ports => Array[Web::Rule]}]").expect("a definition");
        session
            .eval("type Web::Rule = Struct[{port => Integer, how => Optional[Enum['tcp', 'udp']]}]")
            .expect("a definition");
        session.eval("type Point = Object[{attributes => {x => Integer, y => Integer}}]").expect("a definition");
        session.eval("$record = {'name' => 'web', 'inner' => {'deep' => [1]}}").expect("a definition");
        session.eval("$point = Point(1, 2)").expect("a definition");
        session.eval("$site = URI('http://example.com')").expect("a definition");
        session.eval("function serve(Web::Service $service, Enum['fast', 'slow'] $how) { 1 }").expect("a definition");
        session.eval("class web($ports, $proto) { }").expect("a definition");
        session.eval("$text = 'a'").expect("a definition");
        let completion = complete(&format!("{before}{after}"), before.len(), &SymbolIndex::of(&session));
        (completion.range.start, completion.candidates.into_iter().map(|candidate| candidate.text).collect())
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
    fn only_what_fits_is_offered() {
        is("Integer[", 8, &["default"]);
        is("Integer[1, ", 11, &["default"]);
        is("$portal[", 8, &[]);
        is("sprintf(", 8, &["$text"]);
        is("@(", 2, &[]);
        is("include we", 8, &["web"]);
        is("class { 'we", 9, &["web"]);
        is("class { 'web': ", 15, &["ports", "proto"]);
        is("class { 'web': ports => 1, pr", 27, &["proto"]);
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
    fn whatever_is_typed_can_be_completed() {
        let odd = [
            "{ => {'a' => , => [ => ",
            "=> => ) ] } . .( [ $ ${ \"${ \"$ \"${a[ @( | || :: ::A:: a:: A::b",
            "[.a, (.new(, .new(, A.new({=>}, Struct[{,=>,}] =~ {",
            "$x[ =~ [ =~ Struct[{ =~ Enum[' !~ ",
            ":type {=>\n:set \n:load /\n?A[.\n: : :why .",
            "é.ö(«'日本' =~ 日[\u{a0}, \u{a0}\u{301}",
        ];
        let symbols = SymbolIndex::of(&Session::default());
        for text in odd {
            for (end, _) in text.char_indices() {
                let completion = complete(text, end, &symbols);
                assert!(text.is_char_boundary(completion.range.start), "after {:?}", &text[..end]);
                signature_help(text, end, &symbols);
                expected(text, end, &symbols);
            }
        }
    }

    #[test]
    fn whatever_completion_offers_has_a_meaning() {
        let mut session = Console::default();
        session.enter("type Net::Port = Integer[1]\n$port = 80\nfunction f($x) { $x }\nclass web($a) { }", &mut |_| {});
        let symbols = SymbolIndex::of(&session);
        let letters = ('a'..='z').chain('A'..='Z').map(String::from);
        for typed in letters.chain(["$".to_owned(), "Net::".to_owned(), String::new()]) {
            for command in ["?", ":doc ", ":help "] {
                let text = format!("{command}{typed}");
                for candidate in complete(&text, text.len(), &symbols).candidates {
                    let sigil = if candidate.kind == CandidateKind::Variable { "$" } else { "" };
                    if candidate.kind != CandidateKind::Module {
                        let reply = session.enter(&format!("{command}{sigil}{}", candidate.text), &mut |_| {});
                        assert!(matches!(reply, Reply::Text(_)), "{command}{sigil}{}: {reply:?}", candidate.text);
                    }
                }
            }
        }
    }
}
