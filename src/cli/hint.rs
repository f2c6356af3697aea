//! What is shown dimmed behind the cursor: where an argument starts, the parameters that are still to come, the one that
//! is to be written marked; otherwise the rest of the latest entry that starts with what was typed; otherwise, inside of
//! an argument, the parameters behind it.

use pcore::syntax::tokens::{Kind, scan};
use pcore::types::Type;
use rustyline::hint::Hint;

use super::show::Palette;
use pcore::assist::brackets::Brackets;
use pcore::assist::static_eval;
use pcore::assist::symbols::Names;

/// What is shown, and what the right arrow key takes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hinted {
    /// With its colours.
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
pub(super) fn hint(
    typed: &str,
    names: &Names,
    history: impl Iterator<Item = impl AsRef<str>>,
    palette: Palette,
) -> Option<Hinted> {
    if typed.trim().is_empty() {
        return None;
    }
    let parameters = Parameters::at_end_of(typed, names);
    match &parameters {
        Some(parameters) if parameters.is_at_start => Some(parameters.hinted(palette)),
        _ => from_history(typed, history, palette).or_else(|| Some(parameters?.hinted(palette))),
    }
}

fn from_history(typed: &str, mut history: impl Iterator<Item = impl AsRef<str>>, palette: Palette) -> Option<Hinted> {
    let rest = history.find_map(|entry| {
        let rest = entry.as_ref().strip_prefix(typed)?;
        (!rest.is_empty()).then(|| rest.to_owned())
    })?;
    // The other lines of the entry come when it is taken.
    let shown = rest.split('\n').next().unwrap_or_default();
    // What is longer than a line explains nothing more.
    let shown = match shown.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
    };
    Some(Hinted { shown: palette.dim(&shown), taken: Some(rest) })
}

/// So many characters of an earlier entry are shown.
const MAX_SHOWN: usize = 200;

/// The parameters of the bracket in which the cursor is, from the one on to which what is being written belongs.
struct Parameters {
    /// In front of them.
    blank: &'static str,
    /// `from`
    current: String,
    /// `, to]`
    others: String,
    /// Whether nothing of the current one is written yet.
    is_at_start: bool,
}

impl Parameters {
    fn at_end_of(typed: &str, names: &Names) -> Option<Parameters> {
        let code = typed.trim_end();
        let (tokens, is_inside) = scan(code);
        let open = Brackets::of(code, &tokens).open.pop().filter(|open| open.at > 0 && !is_inside)?;
        let text = |at: usize| &code[tokens[at].span.range()];
        let name = open.at - 1;
        if tokens[name].span.end != tokens[open.at].span.start {
            return None;
        }
        let is_chained = name >= 2 && text(name - 1) == ".";
        let (lists, given) = match (tokens[name].kind, text(open.at)) {
            (Kind::Reference, "[") => (in_brackets(text(name), names), 0),
            (Kind::Reference, "(") => (of_constructor(text(name), names), 0),
            (Kind::Name, "(") if is_chained && text(name) == "new" && tokens[name - 2].kind == Kind::Reference => {
                (of_constructor(text(name - 2), names), 0)
            }
            // The first argument of `value.name(` stands in front of the dot.
            (Kind::Name, "(") => (names.signatures(text(name).trim_start_matches("::")), usize::from(is_chained)),
            _ => return None,
        };
        let lists: Vec<String> = lists.iter().map(|list| without_block(list)).collect();
        let rest = lists.iter().find_map(|list| {
            let all = list.strip_prefix('(').unwrap_or(list);
            after_parameters(after_parameters(all, given)?, open.commas.len())
        })?;
        let (current, others) = rest.split_at(parameter_length(rest).unwrap_or(rest.len()));
        let is_at_start = open.item() == tokens.len();
        let blank = if is_at_start && typed.ends_with(',') { " " } else { "" };
        // Behind an argument and a blank, more of it may come.
        let is_told = is_at_start || (typed.len() == code.len() && others.starts_with(','));
        is_told.then(|| Parameters { blank, current: current.to_owned(), others: others.to_owned(), is_at_start })
    }

    fn hinted(&self, palette: Palette) -> Hinted {
        let others = palette.dim(&self.others);
        let current = if self.is_at_start { palette.current(&self.current) } else { String::new() };
        Hinted { shown: format!("{}{current}{others}", self.blank), taken: None }
    }
}

/// What may stand in the brackets of a type.
fn in_brackets(name: &str, names: &Names) -> Vec<String> {
    let Some(type_) = static_eval::type_(name, names) else { return Vec::new() };
    let parameters = static_eval::behind_aliases(&type_).row().parameters;
    if parameters.is_empty() { Vec::new() } else { vec![format!("{parameters}]")] }
}

/// What the constructor of a type takes.
fn of_constructor(name: &str, names: &Names) -> Vec<String> {
    let Some(type_) = static_eval::type_(name, names) else { return Vec::new() };
    match static_eval::behind_aliases(&type_) {
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

/// What comes after the first `count` parameters. One that may be repeated is the last: `*$rest`, `…`.
fn after_parameters(parameters: &str, count: usize) -> Option<&str> {
    let mut rest = parameters;
    for _ in 0..count {
        let end = parameter_length(rest)?;
        if rest[..end].contains("*$") || rest.starts_with('…') {
            return Some(rest);
        }
        rest = match &rest[end..] {
            more if more.starts_with(',') => more[1..].trim_start(),
            // A function that can be chained may take nothing else.
            closed if closed.starts_with(')') && count == 1 => closed,
            _ => return None,
        };
    }
    Some(rest)
}

/// The parameters without that of the block, which stands behind the bracket: `(Any $value, Callable &$block) >> Any`
fn without_block(parameters: &str) -> String {
    let Some(block) = parameters.find("&$") else { return parameters.to_owned() };
    let mut starts = parameters[..block].match_indices([',', '(']).map(|(at, _)| at).rev();
    let count = |start: usize, bracket| parameters[start..block].matches(bracket).count();
    let Some(start) = starts.find(|start| count(*start, '[') == count(*start, ']')) else {
        return parameters.to_owned();
    };
    let end = parameters[block..].find(')').map_or(parameters.len(), |end| block + end);
    let kept = if parameters[start..].starts_with('(') { start + 1 } else { start };
    format!("{}{}", &parameters[..kept], &parameters[end..])
}

/// Where the first of some parameters ends: at a comma, or at the bracket behind all of them.
fn parameter_length(parameters: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut is_quoted = false;
    let mut end = parameters.char_indices().filter(|(_, letter)| {
        is_quoted ^= *letter == '\'';
        match letter {
            _ if is_quoted => return false,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0 || (depth == 0 && *letter == ',')
    });
    end.next().map(|(at, _)| at)
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
        hint(typed, &Names::of(&session), HISTORY.into_iter(), Palette::Plain).map(|hinted| hinted.shown)
    }

    #[test]
    fn an_open_bracket_shows_the_parameters_of_the_type() {
        assert_eq!(shown("80 =~ Integer["), Some("from, to]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1,"), Some(" to]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1, "), Some("to]".to_owned()));
        assert_eq!(shown("Hash[String[1, 2], "), Some("value, from, to]".to_owned()));
        assert_eq!(shown("Variant[Integer, "), Some("…]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1, 2, "), None);
        assert_eq!(shown("80 =~ Integer[1"), Some(", to]".to_owned()));
        assert_eq!(shown("80 =~ Integer[1 "), None);
        assert_eq!(shown("80 =~ Integer[1, 2"), None);
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
    fn the_parameter_that_is_to_be_written_is_marked() {
        let mut session = Session::default();
        session.enter("function area(Integer[0, 9] $width, $height = 1, *$rest) { 1 }", &mut |_| {});
        let names = Names::of(&session);
        let shown =
            |typed: &str| hint(typed, &names, HISTORY.into_iter(), Palette::Coloured).map(|hinted| hinted.shown);
        let marked =
            |current: &str, others: &str| Some(Palette::Coloured.current(current) + &Palette::Coloured.dim(others));
        assert_eq!(shown("area("), marked("Integer[0, 9] $width", ", $height = 1, *$rest)"));
        assert_eq!(shown("area(1, "), marked("$height = 1", ", *$rest)"));
        assert_eq!(shown("area(1, 2, "), marked("*$rest", ")"));
        assert_eq!(shown("area(1, 2, 3, "), marked("*$rest", ")"));
        assert_eq!(shown("area(1"), Some(Palette::Coloured.dim(", $height = 1, *$rest)")));
        assert_eq!(shown("area('1"), None);
    }

    #[test]
    fn a_block_stands_behind_the_bracket() {
        assert_eq!(without_block("(Any $a, Callable[A, B] &$block) >> Any"), "(Any $a) >> Any");
        assert_eq!(without_block("(Optional[Callable[A, B]] &$block)"), "()");
        assert_eq!(without_block("(Any $a, Any *$b)"), "(Any $a, Any *$b)");
        assert_eq!(shown("[1, 2].filter("), Some(")".to_owned()));
    }

    #[test]
    fn a_long_entry_is_shown_in_part() {
        let entry = "1".repeat(10_000);
        let hinted = hint("1", &Names::default(), [&entry].into_iter(), Palette::Plain).expect("there is a hint");
        assert_eq!(hinted.shown, "1".repeat(MAX_SHOWN) + "…");
        assert_eq!(hinted.taken, Some("1".repeat(9_999)));
    }

    #[test]
    fn otherwise_the_latest_entry_that_begins_so_is_shown() {
        assert_eq!(
            hint("[1, 2].m", &Names::default(), HISTORY.into_iter(), Palette::Plain),
            Some(Hinted { shown: "ap |$x| {".to_owned(), taken: Some("ap |$x| {\n$x }".to_owned()) })
        );
        assert_eq!(shown("[1, 2]."), Some("map |$x| {".to_owned()));
        assert_eq!(shown("$port = 80"), None);
        assert_eq!(shown(" "), None);
    }

    #[test]
    fn parameters_are_not_taken() {
        let hinted = hint("Integer[", &Names::default(), HISTORY.into_iter(), Palette::Plain).expect("there is a hint");
        assert_eq!((hinted.display(), hinted.completion()), ("from, to]", None));
    }
}
