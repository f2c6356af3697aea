//! Tests of `set`, of which it is a module.

use super::CharSet;

fn of(characters: &str) -> CharSet {
    characters.chars().map(|one| CharSet::from_range(one, one)).fold(CharSet::empty(), CharSet::union)
}

#[test]
fn ranges_merge_and_negate() {
    let set = CharSet::from_range('c', 'f').union(CharSet::from_range('a', 'b')).union(CharSet::from_range('0', '9'));
    assert_eq!(set.to_string(), "[0-9a-f]");
    assert_eq!(set.clone().negated().to_string(), "[^0-9a-f]");
    assert_eq!(set.clone().negated().negated(), set);
    assert_eq!(set.intersection(&CharSet::from_range('e', 'z')).to_string(), "[ef]");
}

#[test]
fn folding_adds_the_other_case_and_the_signs_that_fold_to_ascii() {
    assert_eq!(of("as").case_folded(), of("aAsS\u{17f}"));
    assert_eq!(of("\u{212a}").case_folded(), of("\u{212a}kK"));
    assert_eq!(of("é").case_folded(), of("é"));
}

#[test]
fn no_character_and_every_character_have_a_form() {
    assert_eq!(CharSet::empty().to_string(), r"[^\x{0}-\x{10FFFF}]");
    assert_eq!(CharSet::any_character(true).to_string(), r"[\x{0}-\x{10FFFF}]");
}
