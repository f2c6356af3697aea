//! Hints, shown dimmed after the cursor: at the start of an argument the parameters that are still to come, otherwise the
//! rest of the latest entry with the same beginning, otherwise the parameters after the current argument.

use pcore::assist::{SignatureHelp, SymbolIndex, signature_help};
use rustyline::hint::Hint;

use super::super::show::Palette;

/// A hint, and what the right arrow key inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PromptHint {
    /// The text with its colours.
    shown: String,
    /// `None` for parameters, which only explain.
    taken: Option<String>,
}

impl PromptHint {
    /// Lines below the entry, which cannot be taken.
    pub(super) fn below(lines: &str) -> PromptHint {
        PromptHint { shown: format!("\n{lines}"), taken: None }
    }
}

impl Hint for PromptHint {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.taken.as_deref()
    }
}

/// The hint after `typed`; `history` goes from the latest entry to the oldest.
pub(super) fn hint(
    typed: &str,
    symbols: &SymbolIndex,
    history: impl Iterator<Item = impl AsRef<str>>,
    palette: Palette,
) -> Option<PromptHint> {
    if typed.trim().is_empty() {
        return None;
    }
    let help = signature_help(typed, typed.len(), symbols);
    let parameters = |help| from_signature(typed, help, palette);
    match &help {
        Some(help) if help.is_at_start => parameters(help),
        _ => from_history(typed, history, palette).or_else(|| parameters(help.as_ref()?)),
    }
}

fn from_history(
    typed: &str,
    mut history: impl Iterator<Item = impl AsRef<str>>,
    palette: Palette,
) -> Option<PromptHint> {
    let rest = history.find_map(|entry| {
        let rest = entry.as_ref().strip_prefix(typed)?;
        (!rest.is_empty()).then(|| rest.to_owned())
    })?;
    // The other lines of the entry are inserted when the hint is taken.
    let shown = rest.split('\n').next().unwrap_or_default();
    let shown = match shown.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
    };
    Some(PromptHint { shown: palette.dim(&shown), taken: Some(rest) })
}

/// The most characters that are shown of an earlier entry.
const MAX_SHOWN: usize = 200;

/// The parameters from the active one on, which is marked until something of it is written. After an argument and a space,
/// where more of it may follow, there is no hint.
fn from_signature(typed: &str, help: &SignatureHelp, palette: Palette) -> Option<PromptHint> {
    let signature = help.signatures.get(help.active_signature)?;
    let mut labels = signature.parameters.iter().skip(help.active_parameter).map(|parameter| parameter.label.as_str());
    let current = labels.next().unwrap_or_default();
    let mut others: String = labels.flat_map(|label| [", ", label]).collect();
    if !help.is_at_start && (others.is_empty() || typed.ends_with(char::is_whitespace)) {
        return None;
    }
    others.push(signature.brackets[1]);
    others.extend(signature.return_type.iter().flat_map(|type_| [" >> ", type_]));
    let space = if typed.ends_with(',') { " " } else { "" };
    let current = if help.is_at_start { palette.current(current) } else { String::new() };
    Some(PromptHint { shown: format!("{space}{current}{}", palette.dim(&others)), taken: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcore::functions;
    use pcore::session::Console;

    const HISTORY: [&str; 3] = ["[1, 2].map |$x| {\n$x }", "[1, 2].sum", "$port = 80"];

    fn shown(typed: &str) -> Option<String> {
        let mut session = Console::default();
        session.enter("type Port = Integer[1, 65535]", &mut |_| {});
        session.enter("type Point = Object[{attributes => {x => Integer, y => Integer}}]", &mut |_| {});
        session.enter("function area(Integer $width, $height = 1) { $width * $height }", &mut |_| {});
        hint(typed, &SymbolIndex::of(&session), HISTORY.into_iter(), Palette::Plain).map(|hinted| hinted.shown)
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
        let mut session = Console::default();
        session.enter("function area(Integer[0, 9] $width, $height = 1, *$rest) { 1 }", &mut |_| {});
        let symbols = SymbolIndex::of(&session);
        let shown =
            |typed: &str| hint(typed, &symbols, HISTORY.into_iter(), Palette::Coloured).map(|hinted| hinted.shown);
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
    fn a_long_entry_is_shown_in_part() {
        let entry = "1".repeat(10_000);
        let hinted = hint("1", &SymbolIndex::default(), [&entry].into_iter(), Palette::Plain).expect("there is a hint");
        assert_eq!(hinted.shown, "1".repeat(MAX_SHOWN) + "…");
        assert_eq!(hinted.taken, Some("1".repeat(9_999)));
    }

    #[test]
    fn otherwise_the_latest_entry_that_begins_so_is_shown() {
        assert_eq!(
            hint("[1, 2].m", &SymbolIndex::default(), HISTORY.into_iter(), Palette::Plain),
            Some(PromptHint { shown: "ap |$x| {".to_owned(), taken: Some("ap |$x| {\n$x }".to_owned()) })
        );
        assert_eq!(shown("[1, 2]."), Some("map |$x| {".to_owned()));
        assert_eq!(shown("$port = 80"), None);
        assert_eq!(shown(" "), None);
    }

    #[test]
    fn parameters_are_not_taken() {
        let hinted =
            hint("Integer[", &SymbolIndex::default(), HISTORY.into_iter(), Palette::Plain).expect("there is a hint");
        assert_eq!((hinted.display(), hinted.completion()), ("from, to]", None));
    }
}
