//! Tests of `cli::prompt::candidate_list`, of which it is a module.

use super::*;

#[test]
fn a_menu_goes_round_and_is_no_taller_than_its_room() {
    let candidates = ["size", "sort", "split"].map(|text| Pair { replacement: text.into(), display: text.into() });
    let mut menu =
        CompletionMenu::from_candidates("[1].s(2)", 4..5, candidates.to_vec()).expect("there are candidates");
    let mut lines = vec![menu.line()];
    for direction in [Direction::Forth, Direction::Forth, Direction::Back, Direction::Back, Direction::Back] {
        menu.select_next(direction);
        lines.push(menu.line());
    }
    assert_eq!(lines, ["[1].s(2)", "[1].size(2)", "[1].sort(2)", "[1].size(2)", "[1].s(2)", "[1].split(2)"]);
    assert_eq!(menu.cursor_offset(), 9);
    assert_eq!(menu.render_rows(80, 9, Palette::Plain), "size   sort   split");
    assert_eq!(menu.render_rows(8, 9, Palette::Plain), "size\nsort\nsplit");
    assert_eq!(menu.render_rows(8, 2, Palette::Plain), "split\n… 3 in all");
    assert!(CompletionMenu::from_candidates("s", 0..1, Vec::new()).is_none());
}
use pcore::assist::{SymbolIndex, complete};
use pcore::session::Console;

#[test]
fn the_list_has_columns_and_ends_at_the_edge_of_the_screen() {
    let row = |rank, name: &str, summary: &str| Candidate::new(rank, name, CandidateKind::Type).with_summary(summary);
    let shown =
        |rows: Vec<Candidate>| to_editor_pairs(&rows, 20).into_iter().map(|row| row.display).collect::<Vec<_>>();
    assert_eq!(
        shown(vec![row(Rank::Expected, "abc", "d\u{1b}[1m"), row(Rank::BuiltIn, "日本", "a\nb")]),
        ["abc   type  d\u{fffd}[1m", "日本  type  a b"]
    );
    assert_eq!(shown(vec![row(Rank::Session, "a", "日本語日本語")]), ["a  type  日本語日…"]);
    let many = (0..=MAX_WITH_SUMMARIES).map(|number| row(Rank::Session, &format!("{number:02}"), "summary"));
    assert_eq!(shown(many.collect())[0], "00  type");
}

#[test]
fn the_list_says_what_the_candidates_are() {
    let shown = |before: &str| {
        let symbols = SymbolIndex::of(&Console::default());
        to_editor_pairs(&complete(before, before.len(), &symbols).candidates, 40)
            .into_iter()
            .map(|candidate| candidate.display)
            .collect::<Vec<_>>()
    };
    assert_eq!(shown("1 =~ Boo"), ["Boolean  type  true or false, optional…"]);
    assert_eq!(shown("[1].redu"), ["reduce  function  combines all element…"]);
    assert_eq!(shown("1 =~ ")[..2], ["Annotation    type", "Any           type"]);
}
