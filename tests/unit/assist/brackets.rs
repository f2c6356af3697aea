//! Tests of `assist::brackets`, of which it is a module.

use super::*;
use crate::syntax::tokens::tokens;

#[test]
fn open_brackets_know_their_commas_and_arrows() {
    let text = "f([1, 2], {a => {b => 1}, c => [";
    let brackets = Brackets::from_tokens(text, &tokens(text));
    let open: Vec<(usize, usize, usize)> =
        brackets.open.iter().map(|open| (open.token_index, open.commas.len(), open.arrows.len())).collect();
    assert_eq!(open, [(1, 1, 0), (8, 1, 2), (19, 0, 0)]);
    assert_eq!(brackets.pairs, [(2, 6), (11, 15)]);
    assert_eq!(brackets.open[1].last_item_start_index(), 17);
    assert_eq!((brackets.index_of_opening(6), brackets.index_of_opening(7)), (Some(2), None));
}

#[test]
fn a_bracket_that_closes_nothing_does_not_count() {
    let text = ")[]]";
    let brackets = Brackets::from_tokens(text, &tokens(text));
    assert_eq!((brackets.open, brackets.pairs), (Vec::new(), vec![(1, 2)]));
}

#[test]
fn variables_are_known_with_and_without_a_dollar_sign() {
    let named = |text: &str| {
        let tokens = tokens(text);
        let names = (0..tokens.len()).filter_map(|at| variable_name_at(text, &tokens, at));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(named("\"$a ${b} ${c[d]} ${e.size} ${$f}\""), ["a", "b", "c", "e", "f"]);
    assert_eq!(named("\"${size($a)} ${"), ["a"]);
}
