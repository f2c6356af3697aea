//! What could stand where the cursor is: commands after a colon, types after `=~`, functions after a dot, variables after
//! a dollar sign. The names come from the tables and the session; there are no lists here.

use pcore::session::commands::{self, Kind as Wanted};
use pcore::syntax::KEYWORDS;
use pcore::syntax::tokens::{Kind, Token, tokens};

use super::names::{Names, bound};

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

/// The place from which on the text before the cursor is replaced, and what it can be replaced by, in alphabetical order.
pub(super) fn candidates(before: &str, names: &Names) -> (usize, Vec<String>) {
    let blank = before.len() - before.trim_start().len();
    let typed = &before[blank..];
    if let Some(name) = typed.strip_prefix('?') {
        return word(before, name.trim_start(), false, names);
    }
    let Some(command) = typed.strip_prefix(':').filter(|command| !command.starts_with(':')) else {
        return code(before, names);
    };
    let Some((name, argument)) = command.split_once(char::is_whitespace) else {
        return (blank + 1, beginning(command, command_names()));
    };
    let argument = argument.trim_start();
    let Some(wanted) = commands::find(name).ok().and_then(|row| row.argument.kind()) else {
        return (before.len(), Vec::new());
    };
    match wanted {
        Wanted::Word => word(before, argument, true, names),
        Wanted::Name | Wanted::Bound | Wanted::Filter => word(before, argument, false, names),
        Wanted::File => (before.len(), Vec::new()),
        Wanted::Expression | Wanted::Code | Wanted::Question | Wanted::Type | Wanted::Types => {
            let start = before.len() - argument.len();
            let (place, found) = code(argument, names);
            (start + place, found)
        }
    }
}

fn command_names() -> impl Iterator<Item = &'static str> {
    commands::all().map(|row| row.name)
}

/// An argument that is a name: of a type, a function, a variable and, for `:help`, a command.
fn word(before: &str, typed: &str, with_commands: bool, names: &Names) -> (usize, Vec<String>) {
    let start = before.len() - typed.len();
    if let Some(variable) = typed.strip_prefix('$') {
        return (start + 1, beginning(variable, names.variables.iter().map(String::as_str)));
    }
    let mut found = types(typed, names);
    found.extend(functions(typed, names));
    if with_commands {
        found.extend(beginning(typed, command_names()));
    }
    found.sort_unstable();
    found.dedup();
    (start, found)
}

/// Code up to the cursor.
fn code(before: &str, names: &Names) -> (usize, Vec<String>) {
    let tokens = tokens(before);
    let nothing = (before.len(), Vec::new());
    // The token in which the cursor is, and those before it.
    let (current, rest) = match tokens.split_last() {
        Some((last, rest)) if last.span.range().end == before.len() && is_word(last.kind) => (Some(last), rest),
        _ => (None, &tokens[..]),
    };
    let start = current.map_or(before.len(), |token| token.span.range().start);
    let typed = &before[start..];
    let previous = rest.last().map_or("", |token| &before[token.span.range()]);
    match current.map(|token| token.kind) {
        Some(Kind::Variable) => (start + 1, variables(&typed[1..], before, &tokens, names)),
        Some(Kind::Reference) => (start, types(typed, names)),
        Some(_) if previous == "." => (start, functions(typed, names)),
        Some(_) if matches!(previous, "=~" | "!~") => (start, types(typed, names)),
        Some(_) if previous == "${" => {
            let mut found = variables(typed, before, rest, names);
            found.extend(functions(typed, names));
            (start, found)
        }
        Some(_) => {
            let functions = names.functions.iter().map(String::as_str);
            let mut found = beginning(typed, functions.chain(KEYWORDS));
            found.sort_unstable();
            found.dedup();
            (start, found)
        }
        None if is_within_text(before, rest) => nothing,
        None => match previous {
            "." => (start, functions("", names)),
            "${" => (start, variables("", before, rest, names)),
            "=~" | "!~" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "[" | "," | "(" => (start, types("", names)),
            _ => nothing,
        },
    }
}

fn is_word(kind: Kind) -> bool {
    match kind {
        Kind::Keyword | Kind::Name | Kind::Reference | Kind::Variable => true,
        Kind::Comment | Kind::Number | Kind::String | Kind::Regexp | Kind::Open | Kind::Close | Kind::Symbol => false,
    }
}

/// Whether the cursor is in a comment, a string or a regular expression.
fn is_within_text(before: &str, tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|last| {
        let touches = last.span.range().end == before.len();
        touches && matches!(last.kind, Kind::Comment | Kind::String | Kind::Regexp)
    })
}

fn beginning<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    names.filter(|name| name.starts_with(typed)).map(str::to_owned).collect()
}

fn functions(typed: &str, names: &Names) -> Vec<String> {
    beginning(typed, names.functions.iter().map(String::as_str))
}

fn variables(typed: &str, before: &str, tokens: &[Token], names: &Names) -> Vec<String> {
    let known = names.variables.iter().map(String::as_str).chain(bound(before, tokens));
    // What is just being typed is not yet a name.
    let mut found = beginning(typed, known.filter(|name| *name != typed || names.has_variable(name)));
    found.sort_unstable();
    found.dedup();
    found
}

/// Types by their next segment: `Mo` gives `Mod::`, that gives `Mod::Port`. The case of letters does not matter.
fn types(typed: &str, names: &Names) -> Vec<String> {
    let (root, typed) = typed.strip_prefix("::").map_or(("", typed), |rest| ("::", rest));
    let begins = |name: &&String| name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
    let segment = |name: &String| {
        let end = name[typed.len()..].find("::").map_or(name.len(), |at| typed.len() + at + 2);
        format!("{root}{}", &name[..end])
    };
    let mut found: Vec<String> = names.types.iter().filter(begins).map(segment).collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcore::session::Session;

    fn completed(before: &str) -> (usize, Vec<String>) {
        let mut session = Session::default();
        session.enter("type Net::Port = Integer", &mut |_| {});
        session.enter("type Net::Host = String", &mut |_| {});
        session.enter("type Net::Ip::V4 = String", &mut |_| {});
        session.enter("$portal = 80", &mut |_| {});
        session.enter("function portly() { 1 }", &mut |_| {});
        candidates(before, &Names::of(&session))
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
        is(":fu", 1, &["functions"]);
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
        is("'Inte", 5, &[]);
        is("# Inte", 6, &[]);
        is("1 ", 2, &[]);
        is("", 0, &[]);
    }
}
