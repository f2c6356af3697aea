//! What could stand where the cursor is: commands after a colon, types after `=~`, functions that fit the value after a
//! dot, keys of the hash at hand in a string. What there is of each kind, [`offers`](super::candidates) knows.

use crate::session::commands::{Kind as Wanted, Typed};
use crate::session::settings;
use crate::syntax::KEYWORDS;
use crate::syntax::tokens::{Kind, Token, scan};
use crate::value::Value;

use super::candidates::{Rank, Row, beginning, command_rows, hand_rows, is_bare, is_plain, setting_rows};
use super::cursor_context::Around;
use super::symbols::{Names, bound};

/// The place from which on the text before the cursor is replaced, and what it can be replaced by, the likelier first.
pub fn candidates(before: &str, after: &str, names: &Names) -> (usize, Vec<Row>) {
    let (start, mut rows) = Place { names, after }.entry(before);
    rows.sort_by(|one, other| (one.rank, &one.text).cmp(&(other.rank, &other.text)));
    rows.dedup_by(|one, other| one.text == other.text);
    (start, rows)
}

/// The beginning of a path, where the text before the cursor ends with one.
pub fn path(before: &str) -> Option<&str> {
    let command = Typed::of(before)?;
    command.start?;
    matches!(command.kind()?, Wanted::File).then_some(command.argument)
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
        let Some(command) = Typed::of(before) else { return self.code(before) };
        let (argument, Some(start)) = (command.argument, command.start) else {
            return (before.len() - command.name.len(), command_rows(command.name));
        };
        let nothing = (before.len(), Vec::new());
        let Some(wanted) = command.kind() else { return nothing };
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
            Wanted::Format | Wanted::Number | Wanted::File => nothing,
            Wanted::Setting => match argument.split_once(char::is_whitespace) {
                None => (start, setting_rows(argument)),
                Some((name, value)) => {
                    let value = value.trim_start();
                    let words = settings::named(name).map_or_else(|_| Vec::new(), |row| row.values.words());
                    (before.len() - value.len(), beginning(value, words.into_iter(), Rank::Known, "value"))
                }
            },
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
            return (start + 1, self.names.variables_beginning(variable, &[]));
        }
        let mut rows = self.names.types_beginning(typed);
        rows.extend(self.names.functions_beginning(typed, None));
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
        let around = Around::new(before, rest, self.after, self.names);
        let own: Vec<&str> = bound(before, rest).into_iter().collect();
        match current.map(|token| token.kind) {
            Some(Kind::Variable) => (start + 1, self.names.variables_beginning(&typed[1..], &own)),
            Some(Kind::Reference) => (start, self.names.types_beginning(typed)),
            Some(_) if previous == "." => (start, self.members(typed, &around)),
            Some(_) if matches!(previous, "=~" | "!~") => (start, self.names.types_beginning(typed)),
            Some(_) => {
                let mut rows = self.names.functions_beginning(typed, None);
                if previous == "${" {
                    rows.extend(self.names.variables_beginning(typed, &own));
                } else {
                    rows.extend(beginning(typed, KEYWORDS.into_iter(), Rank::Common, "keyword"));
                    rows.extend(hand_rows(around.hand(), |text| is_bare(text).then(|| text.to_owned())));
                }
                rows.retain(|row| row.text.starts_with(typed));
                (start, rows)
            }
            None if is_within_text(before, rest) => (start, Vec::new()),
            None if previous == "." => (start, self.members("", &around)),
            None if previous == "${" => (start, self.names.variables_beginning("", &own)),
            None if matches!(
                previous,
                "{" | "=~" | "!~" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "[" | "," | "(" | "=>"
            ) =>
            {
                let mut rows = hand_rows(around.hand(), |text| is_plain(text).then(|| format!("'{text}'")));
                // Where something is known, everything else would be in its way.
                if rows.is_empty() && !matches!(previous, "{" | "=>") {
                    rows.extend(self.names.types_beginning(""));
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
        let hand = Around::new(before, rest, self.after, self.names).hand();
        let closing = if self.after.starts_with(quote) { "" } else { quote };
        let mut rows = hand_rows(hand, |text| is_plain(text).then(|| format!("{text}{closing}")));
        rows.retain(|row| row.text.starts_with(typed));
        (start + 1, rows)
    }

    /// What may stand behind a dot: attributes, and the functions whose first argument may be the value before it.
    fn members(self, typed: &str, around: &Around<'_>) -> Vec<Row> {
        let value = around.asked();
        let attributes = value.as_ref().map(Value::attribute_names).unwrap_or_default();
        let mut rows = beginning(typed, attributes.iter().map(String::as_str), Rank::Known, "attribute");
        if let Some(Value::Object(object)) = &value {
            let functions = crate::functions::of_object(object).iter().filter(|row| row.name.starts_with(typed));
            rows.extend(functions.map(|row| Row::new(Rank::Known, row.name, "function").explained(row.summary)));
        }
        rows.extend(self.names.functions_beginning(typed, value.as_ref()));
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
    use super::*;
    use crate::session::Session;

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
        let (start, found) = candidates(before, after, &Names::of(&session));
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
    fn whatever_is_typed_can_be_completed() {
        let odd = [
            "{ => {'a' => , => [ => ",
            "=> => ) ] } . .( [ $ ${ \"${ \"$ \"${a[ @( | || :: ::A:: a:: A::b",
            "[.a, (.new(, .new(, A.new({=>}, Struct[{,=>,}] =~ {",
            "$x[ =~ [ =~ Struct[{ =~ Enum[' !~ ",
            ":type {=>\n:set \n:load /\n?A[.\n: : :why .",
            "é.ö(«'日本' =~ 日[\u{a0}, \u{a0}\u{301}",
        ];
        let names = Names::of(&Session::default());
        for text in odd {
            for (end, _) in text.char_indices() {
                let (before, after) = text.split_at(end);
                let (start, _) = candidates(before, after, &names);
                assert!(before.is_char_boundary(start), "after {before:?}");
            }
        }
    }
}
