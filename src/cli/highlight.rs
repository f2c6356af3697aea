//! The colours of what is typed: each token by its kind, types and variables that nobody knows marked at once, both
//! brackets of a pair when the cursor is at one of them.
//!
//! What is shown is as wide as what is typed: only colours are added, and each [mark](super::continuation) is drawn as a prompt.

use pcore::session::commands::{Kind as Wanted, Typed};
use pcore::syntax::tokens::{Kind, Token, tokens};

use super::continuation::{self, CONTINUATION_PROMPT, MARK};
use super::show::Palette;
use pcore::assist::brackets::{Brackets, variable};
use pcore::assist::symbols::{Names, bound};

/// The entry as it is shown. Without a `cursor` the entry is finished: nothing is on its way to a name.
pub(super) fn painted(line: &str, cursor: Option<usize>, names: &Names, palette: Palette) -> String {
    let mut painter = Painter { palette, shown: String::with_capacity(line.len() * 2) };
    if palette == Palette::Plain {
        painter.plain(line);
        return painter.shown;
    }
    let code = continuation::blanked(line);
    let (command, text) = command_length(&code);
    painter.paint(&line[..command], |palette, text| palette.code(Kind::Keyword, text));
    painter.plain(&line[command..text]);
    let (code, line) = (&code[text..], &line[text..]);
    let cursor = cursor.and_then(|cursor| cursor.checked_sub(text));
    let tokens = tokens(code);
    let pair = cursor.and_then(|cursor| pair_at(code, &tokens, cursor));
    let bound = bound(code, &tokens);
    let mut done = 0;
    for (at, token) in tokens.iter().enumerate() {
        let span = token.span.range();
        painter.plain(&line[done..span.start]);
        let is_typed = cursor == Some(span.end);
        let variable = variable(code, &tokens, at);
        let kind = if variable.is_some() { Kind::Variable } else { token.kind };
        let is_unknown = match (kind, variable) {
            (Kind::Variable, Some(name)) => !bound.contains(name) && is_unknown_variable(name, is_typed, names),
            (Kind::Reference, _) => {
                let is_declared = at > 0 && &code[tokens[at - 1].span.range()] == "type";
                !is_declared && is_unknown_type(&code[span.clone()], is_typed, names)
            }
            _ => false,
        };
        let is_paired = pair.is_some_and(|(one, other)| at == one || at == other);
        let piece = &line[span.clone()];
        if is_unknown {
            painter.paint(piece, Palette::unknown);
        } else if is_paired {
            painter.paint(piece, Palette::pair);
        } else if Palette::colours(kind) {
            painter.paint(piece, |palette, text| palette.code(kind, text));
        } else {
            painter.plain(piece);
        }
        done = span.end;
    }
    painter.plain(&line[done..]);
    painter.shown
}

/// How much of a line is a command, and how much of it is no code: `:type` of `:type 80`, all of `:load file.pp`.
fn command_length(line: &str) -> (usize, usize) {
    let Some(command) = Typed::of(line) else { return (0, 0) };
    let end = command.start.map_or(line.len(), |start| line[..start].trim_end().len());
    let is_code = match command.kind() {
        Some(Wanted::Word | Wanted::Name | Wanted::Bound) => true,
        kind => kind.is_some_and(Wanted::is_code),
    };
    (end, if is_code { end } else { line.len() })
}

/// Whether nothing is called so. A name that `is_typed` may still become another.
fn is_unknown_type(name: &str, is_typed: bool, names: &Names) -> bool {
    !names.may_be_type(name) && (!is_typed || !begins_any(name, &names.types))
}

/// The same for a variable, without its dollar sign.
fn is_unknown_variable(name: &str, is_typed: bool, names: &Names) -> bool {
    let name = name.trim_start_matches("::");
    // `$0`, `$1` … are what a match found.
    let is_known = name.bytes().all(|byte| byte.is_ascii_digit()) || names.has_variable(name);
    !is_known && (!is_typed || !begins_any(name, &names.variables))
}

/// Whether somebody may be about to type one of `names`, whatever the case of its letters.
fn begins_any(typed: &str, names: &[String]) -> bool {
    let typed = typed.trim_start_matches("::");
    names.iter().any(|name| name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed)))
}

/// The two brackets of the pair of which one is under or before the cursor. Behind two that do not fit nothing is known.
fn pair_at(code: &str, tokens: &[Token], cursor: usize) -> Option<(usize, usize)> {
    let span = |at: usize| tokens[at].span.range();
    let touches = |token: &Token| (token.span.range().start..=token.span.range().end).contains(&cursor);
    // Mostly there is none: nothing else needs to be known then.
    if !tokens.iter().any(|token| matches!(token.kind, Kind::Open | Kind::Close) && touches(token)) {
        return None;
    }
    let pairs = Brackets::of(code, tokens).pairs.into_iter();
    let mut before = None;
    for (opening, closing) in pairs.take_while(|(one, other)| fits(&code[span(*one)], &code[span(*other)])) {
        if span(opening).contains(&cursor) || span(closing).contains(&cursor) {
            return Some((opening, closing));
        }
        if span(opening).end == cursor || span(closing).end == cursor {
            before = before.or(Some((opening, closing)));
        }
    }
    before
}

fn fits(open: &str, close: &str) -> bool {
    matches!((open, close), ("(", ")") | ("[", "]") | ("{" | "${", "}"))
}

struct Painter {
    palette: Palette,
    shown: String,
}

impl Painter {
    /// Adds a piece of the line without colours.
    fn plain(&mut self, piece: &str) {
        if piece.contains(char::is_control) {
            self.paint(piece, |_, text| text.to_owned());
        } else {
            self.shown.push_str(piece);
        }
    }

    /// Adds a piece of the line. A piece that goes over several lines is painted line by line. What would control the
    /// terminal is left out: for the editor it has no width.
    fn paint(&mut self, piece: &str, colour: impl Fn(Palette, &str) -> String) {
        let is_control = |letter: char| letter.is_control() && letter != '\t';
        for (number, line) in piece.split('\n').enumerate() {
            let mut line = line;
            if number > 0 {
                self.shown.push('\n');
                if let Some(rest) = line.strip_prefix(MARK) {
                    self.shown.push_str(&self.palette.dim(CONTINUATION_PROMPT));
                    line = rest;
                }
            }
            if line.contains(is_control) {
                self.shown.push_str(&colour(self.palette, &line.replace(is_control, "")));
            } else if !line.is_empty() {
                self.shown.push_str(&colour(self.palette, line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcore::session::Session;

    /// The entry with `<…>` around what is marked as unknown and `«…»` around a pair.
    fn marked(line: &str, cursor: Option<usize>) -> String {
        let mut session = Session::default();
        session.enter("$port = 80", &mut |_| {});
        let shown = painted(line, cursor, &Names::of(&session), Palette::Coloured);
        let sample = |painted: String| {
            let (before, after) = painted.split_once('x').expect("it is in there");
            (before.to_owned(), after.to_owned())
        };
        let (unknown, unknown_end) = sample(Palette::Coloured.unknown("x"));
        let (pair, pair_end) = sample(Palette::Coloured.pair("x"));
        let mut text = String::new();
        let mut rest = shown.as_str();
        let mut close = ' ';
        while let Some(next) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix(unknown.as_str()) {
                (close, rest) = ('>', after);
                text.push('<');
            } else if let Some(after) = rest.strip_prefix(pair.as_str()) {
                (close, rest) = ('»', after);
                text.push('«');
            } else if next == '\u{1b}' {
                let is_end = rest.starts_with(unknown_end.as_str()) || rest.starts_with(pair_end.as_str());
                if is_end && close != ' ' {
                    text.push(std::mem::replace(&mut close, ' '));
                }
                rest = &rest[rest.find('m').map_or(rest.len(), |at| at + 1)..];
            } else {
                text.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        text
    }

    #[test]
    fn every_kind_has_its_colour_and_no_character_is_lost() {
        let line = "$port =~ Integer[1] and 'a' =~ /b/ # c";
        let names = Names::of(&Session::default());
        assert_eq!(painted(line, None, &names, Palette::Plain), line);
        let colours = |kind| Palette::Coloured.code(kind, "x");
        for kind in [Kind::Comment, Kind::Keyword, Kind::Reference, Kind::Variable, Kind::Number, Kind::String] {
            assert_ne!(colours(kind), "x", "{kind:?}");
        }
        let expected = format!("{} + {}", Palette::Coloured.code(Kind::Number, "1"), colours(Kind::Name));
        let expected = expected.replace('+', &Palette::Coloured.code(Kind::Symbol, "+"));
        assert_eq!(painted("1 + x", None, &names, Palette::Coloured), expected);
    }

    #[test]
    fn variables_in_strings_have_their_colour() {
        let names = Names::of(&{
            let mut session = Session::default();
            session.enter("$a = 1", &mut |_| {});
            session
        });
        let colour = |kind, text| Palette::Coloured.code(kind, text);
        let variable = |text| colour(Kind::Variable, text);
        let string = |text| colour(Kind::String, text);
        assert_eq!(
            painted("\"$a ${a}\"", None, &names, Palette::Coloured),
            [string("\""), variable("$a"), string(" "), "${".to_owned(), variable("a"), "}".to_owned(), string("\"")]
                .concat()
        );
    }

    #[test]
    fn unknown_types_and_variables_are_marked_unless_they_are_just_being_typed() {
        assert_eq!(marked("$port =~ Interger and $prot", None), "$port =~ <Interger> and <$prot>");
        assert_eq!(marked("1 =~ Inte", Some(9)), "1 =~ Inte");
        assert_eq!(marked("1 =~ Inte", None), "1 =~ <Inte>");
        assert_eq!(marked("$po", Some(3)), "$po");
        assert_eq!(marked("type Mine = Integer", None), "type Mine = Integer");
        assert_eq!(marked("[1].map |$x| { $x + $y + $0 }", None), "[1].map |$x| { $x + <$y> + $0 }");
        assert_eq!(marked("\"at $prot\"", None), "\"at <$prot>\"");
        assert_eq!(marked("\"${port} ${prot[0]} ${size($port)}\"", None), "\"${port} ${<prot>[0]} ${size($port)}\"");
        assert_eq!(marked("\"${po", Some(5)), "\"${po");
        assert_eq!(marked(":type $prot", None), ":type <$prot>");
        assert_eq!(marked(":unset $prot", None), ":unset <$prot>");
        assert_eq!(marked("?Interger", None), "?<Interger>");
        assert_eq!(marked(":load Interger/$prot.pp", None), ":load Interger/$prot.pp");
    }

    #[test]
    fn both_brackets_show_when_the_cursor_is_at_one() {
        assert_eq!(marked("f([1], 2)", Some(1)), "f«(»[1], 2«)»");
        assert_eq!(marked("f([1], 2)", Some(9)), "f«(»[1], 2«)»");
        assert_eq!(marked("f([1], 2)", Some(4)), "f(«[»1«]», 2)");
        assert_eq!(marked("f([1], 2)", Some(7)), "f([1], 2)");
        assert_eq!(marked("f(['['])", Some(2)), "f(«[»'['«]»)");
    }

    #[test]
    fn a_continuation_is_drawn_as_a_prompt_even_in_a_string() {
        let line = format!("'a\n{MARK}b'");
        let names = Names::default();
        assert_eq!(painted(&line, None, &names, Palette::Plain), "'a\n.. b'");
        let string = |text| Palette::Coloured.code(Kind::String, text);
        let prompt = Palette::Coloured.dim(CONTINUATION_PROMPT);
        assert_eq!(
            painted(&line, None, &names, Palette::Coloured),
            format!("{}\n{prompt}{}", string("'a"), string("b'"))
        );
    }

    #[test]
    fn what_controls_a_terminal_is_not_drawn() {
        let names = Names::default();
        assert_eq!(painted("'a\u{7}b\u{9b}\tc\r'", None, &names, Palette::Plain), "'ab\tc'");
        let string = Palette::Coloured.code(Kind::String, "'ab'");
        assert_eq!(painted("'a\u{e}b'", None, &names, Palette::Coloured), string);
    }

    #[test]
    fn whatever_is_typed_is_shown_whole() {
        let line = format!("  [\n{MARK}\u{a0}\"é $x ${{y[\n{MARK}1]}}\"].map |$x| {{ § }}) Ö::");
        let names = Names::of(&Session::default());
        for (end, _) in line.char_indices() {
            let typed = &line[..end];
            for (cursor, _) in typed.char_indices() {
                let shown = painted(typed, Some(cursor), &names, Palette::Coloured);
                let mut pieces = shown.split('\u{1b}');
                let first = pieces.next().unwrap_or_default().to_owned();
                let text = pieces.fold(first, |text, piece| text + piece.split_once('m').map_or("", |(_, rest)| rest));
                assert_eq!(text, typed.replace(&format!("\n{MARK}"), "\n.. "), "{typed:?}");
            }
        }
    }
}
