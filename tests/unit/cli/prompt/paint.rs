//! Tests of `cli::prompt::paint`, of which it is a module.

use super::*;
use pcore::session::Console;
use pcore::syntax::tokens::Kind;

#[test]
fn every_kind_has_its_colour_and_no_character_is_lost() {
    let line = "$port =~ Integer[1] and 'a' =~ /b/ # c";
    let symbols = SymbolIndex::of(&Console::default());
    assert_eq!(paint_entry(line, None, &symbols, Palette::Plain), line);
    let colours = |kind| Palette::Coloured.paint_text(style_of_token(kind), "x");
    for kind in [Kind::Comment, Kind::Keyword, Kind::Reference, Kind::Variable, Kind::Number, Kind::String] {
        assert_ne!(colours(kind), "x", "{kind:?}");
    }
    let expected =
        format!("{} + {}", Palette::Coloured.paint_text(style_of_token(Kind::Number), "1"), colours(Kind::Name));
    let expected = expected.replace('+', &Palette::Coloured.paint_text(style_of_token(Kind::Symbol), "+"));
    assert_eq!(paint_entry("1 + x", None, &symbols, Palette::Coloured), expected);
}

#[test]
fn variables_in_strings_have_their_colour() {
    let symbols = SymbolIndex::of(&{
        let mut session = pcore::session::Session::default();
        session.eval("$a = 1").expect("a variable");
        session
    });
    let colour = |kind, text| Palette::Coloured.paint_text(style_of_token(kind), text);
    let variable = |text| colour(Kind::Variable, text);
    let string = |text| colour(Kind::String, text);
    assert_eq!(
        paint_entry("\"$a ${a}\"", None, &symbols, Palette::Coloured),
        [string("\""), variable("$a"), string(" "), "${".to_owned(), variable("a"), "}".to_owned(), string("\"")]
            .concat()
    );
}

#[test]
fn a_continuation_is_drawn_as_a_prompt_even_in_a_string() {
    let line = format!("'a\n{PADDING}b'");
    let symbols = SymbolIndex::default();
    assert_eq!(paint_entry(&line, None, &symbols, Palette::Plain), "'a\n.. b'");
    let string = |text| Palette::Coloured.paint_text(style_of_token(Kind::String), text);
    let prompt = Palette::Coloured.paint_text(DIM, CONTINUATION_PROMPT);
    assert_eq!(
        paint_entry(&line, None, &symbols, Palette::Coloured),
        format!("{}\n{prompt}{}", string("'a"), string("b'"))
    );
}

#[test]
fn what_controls_a_terminal_is_not_drawn() {
    let symbols = SymbolIndex::default();
    assert_eq!(paint_entry("'a\u{7}b\u{9b}\tc\r'", None, &symbols, Palette::Plain), "'ab\tc'");
    let string = Palette::Coloured.paint_text(style_of_token(Kind::String), "'ab'");
    assert_eq!(paint_entry("'a\u{e}b'", None, &symbols, Palette::Coloured), string);
}

#[test]
fn whatever_is_typed_is_shown_whole() {
    let line = format!("  [\n{PADDING}\u{a0}\"é $x ${{y[\n{PADDING}1]}}\"].map |$x| {{ § }}) Ö::");
    let symbols = SymbolIndex::of(&Console::default());
    for (end, _) in line.char_indices() {
        let typed = &line[..end];
        for (cursor, _) in typed.char_indices() {
            let shown = paint_entry(typed, Some(cursor), &symbols, Palette::Coloured);
            let mut pieces = shown.split('\u{1b}');
            let first = pieces.next().unwrap_or_default().to_owned();
            let text = pieces.fold(first, |text, piece| text + piece.split_once('m').map_or("", |(_, rest)| rest));
            assert_eq!(text, typed.replace(&format!("\n{PADDING}"), "\n.. "), "{typed:?}");
        }
    }
}
