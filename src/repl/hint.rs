//! What is shown dimmed behind the cursor: the parameters that are still to come after `Name[` and `name(`, otherwise the
//! rest of the latest entry that starts with what was typed.

use pcore::syntax::tokens::{Kind, scan};
use pcore::types::Type;
use rustyline::hint::Hint;

use super::brackets::Brackets;
use super::literal;
use super::names::Names;

/// What is shown, and what the right arrow key takes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hinted {
    shown: String,
    /// Nothing for parameters: they explain, and nobody wants to type their names.
    taken: Option<String>,
}

impl Hint for Hinted {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.taken.as_deref()
    }
}

/// The hint behind `typed`; `history` goes from the latest entry to the oldest.
pub(super) fn hint(typed: &str, names: &Names, mut history: impl Iterator<Item = impl AsRef<str>>) -> Option<Hinted> {
    if typed.trim().is_empty() {
        return None;
    }
    if let Some(shown) = parameters(typed, names) {
        return Some(Hinted { shown, taken: None });
    }
    let rest = history.find_map(|entry| {
        let rest = entry.as_ref().strip_prefix(typed)?;
        (!rest.is_empty()).then(|| rest.to_owned())
    })?;
    // The other lines of the entry come when it is taken.
    let shown = rest.split('\n').next().unwrap_or_default();
    Some(Hinted { shown: shown.to_owned(), taken: Some(rest) })
}

/// The parameters that are still to come, when the cursor is where the next one starts.
fn parameters(typed: &str, names: &Names) -> Option<String> {
    let code = typed.trim_end();
    if !code.ends_with(['[', '(', ',']) {
        return None;
    }
    let (tokens, is_inside) = scan(code);
    let innermost = Brackets::of(code, &tokens).open.pop().filter(|open| open.at > 0 && !is_inside)?;
    let (open, commas) = (innermost.at, innermost.commas.len());
    let text = |at: usize| &code[tokens[at].span.range()];
    let name = open - 1;
    if tokens[name].span.end != tokens[open].span.start {
        return None;
    }
    let is_chained = name >= 2 && text(name - 1) == ".";
    let (lists, given) = match (tokens[name].kind, text(open)) {
        (Kind::Reference, "[") => (in_brackets(text(name), names), 0),
        (Kind::Reference, "(") => (of_constructor(text(name), names), 0),
        (Kind::Name, "(") if is_chained && text(name) == "new" && tokens[name - 2].kind == Kind::Reference => {
            (of_constructor(text(name - 2), names), 0)
        }
        // The first argument of `value.name(` stands in front of the dot.
        (Kind::Name, "(") => (names.signatures(text(name).trim_start_matches("::")), usize::from(is_chained)),
        _ => return None,
    };
    let lists = lists.iter().map(|list| list.strip_prefix('(').unwrap_or(list));
    let rest = lists.into_iter().find_map(|list| after_parameters(after_parameters(list, given)?, commas))?;
    let blank = if typed.ends_with(',') { " " } else { "" };
    Some(format!("{blank}{rest}"))
}

/// What may stand in the brackets of a type.
fn in_brackets(name: &str, names: &Names) -> Vec<String> {
    let Some(type_) = literal::type_(name, names) else { return Vec::new() };
    let parameters = literal::behind_aliases(&type_).row().parameters;
    if parameters.is_empty() { Vec::new() } else { vec![format!("{parameters}]")] }
}

/// What the constructor of a type takes.
fn of_constructor(name: &str, names: &Names) -> Vec<String> {
    let Some(type_) = literal::type_(name, names) else { return Vec::new() };
    match literal::behind_aliases(&type_) {
        Type::Object(object) => {
            let fields: Vec<String> = object
                .fields()
                .into_iter()
                .map(|field| format!("{} ${}", field.type_().to_string_in_brackets(), field.name))
                .collect();
            vec![format!("{})", fields.join(", "))]
        }
        other => other.row().new.iter().map(|signature| (*signature).to_owned()).collect(),
    }
}

/// What comes after the first `count` parameters. The one before a `…` may be repeated: nothing more is known there.
fn after_parameters(parameters: &str, count: usize) -> Option<&str> {
    let mut rest = parameters;
    for _ in 0..count {
        let mut depth = 0_i32;
        let mut is_quoted = false;
        let comma = rest.char_indices().find(|(_, letter)| {
            is_quoted ^= *letter == '\'';
            match letter {
                _ if is_quoted => return false,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            depth < 0 || (depth == 0 && *letter == ',')
        });
        rest = match comma {
            Some((at, ',')) => rest[at + 1..].trim_start(),
            // A function that can be chained may take nothing else.
            Some((at, ')')) if count == 1 => &rest[at..],
            _ => return None,
        };
        if rest.starts_with('…') {
            return Some(rest);
        }
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcore::functions;
    use pcore::session::Session;

    const HISTORY: [&str; 3] = ["[1, 2].map |$x| {\n$x }", "[1, 2].sum", "$port = 80"];

    fn shown(typed: &str) -> Option<String> {
        let mut session = Session::default();
        session.enter("type Port = Integer[1, 65535]", &mut |_| {});
        session.enter("type Point = Object[{attributes => {x => Integer, y => Integer}}]", &mut |_| {});
        session.enter("function area(Integer $width, $height = 1) { $width * $height }", &mut |_| {});
        hint(typed, &Names::of(&session), HISTORY.into_iter()).map(|hinted| hinted.shown)
    }

    #[test]
    fn an_open_bracket_shows_the_parameters_of_the_type() {
        assert_eq!(shown("80 =~ Integer["), Some("from, to]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1,"), Some(" to]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1, "), Some("to]".to_owned()));
        assert_eq!(shown("Hash[String[1, 2], "), Some("value, from, to]".to_owned()));
        assert_eq!(shown("Variant[Integer, "), Some("…]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1, 2, "), None);
        assert_eq!(shown("80 =~ Integer[1"), None);
        assert_eq!(shown("Undef["), None);
        assert_eq!(shown("["), Some("1, 2].map |$x| {".to_owned()));
    }

    #[test]
    fn an_open_parenthesis_shows_the_first_signature_of_the_function() {
        let signature = functions::named("abs").expect("abs is a function").signatures[0];
        assert_eq!(shown("abs("), Some(signature[1..].to_owned()));
        assert_eq!(shown("nobody("), None);
        assert_eq!(shown("'Integer["), None);
    }

    #[test]
    fn what_the_session_defines_has_parameters_too() {
        assert_eq!(shown("Port["), Some("from, to]".to_owned()));
        assert_eq!(shown("area("), Some("Integer $width, $height = 1)".to_owned()));
        assert_eq!(shown("area(2,"), Some(" $height = 1)".to_owned()));
        assert_eq!(shown("3.area("), Some("$height = 1)".to_owned()));
        assert_eq!(shown("Point("), Some("Integer $x, Integer $y)".to_owned()));
        assert_eq!(shown("Point.new(1,"), Some(" Integer $y)".to_owned()));
    }

    #[test]
    fn otherwise_the_latest_entry_that_begins_so_is_shown() {
        assert_eq!(
            hint("[1, 2].m", &Names::default(), HISTORY.into_iter()),
            Some(Hinted { shown: "ap |$x| {".to_owned(), taken: Some("ap |$x| {\n$x }".to_owned()) })
        );
        assert_eq!(shown("[1, 2]."), Some("map |$x| {".to_owned()));
        assert_eq!(shown("$port = 80"), None);
        assert_eq!(shown(" "), None);
    }

    #[test]
    fn parameters_are_not_taken() {
        let hinted = hint("Integer[", &Names::default(), HISTORY.into_iter()).expect("there is a hint");
        assert_eq!((hinted.display(), hinted.completion()), ("from, to]", None));
    }
}
