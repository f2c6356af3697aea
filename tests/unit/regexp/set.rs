//! Tests of `set`, of which it is a module.

use super::Set;

fn of(characters: &str) -> Set {
    characters.chars().map(|one| Set::range(one, one)).fold(Set::empty(), Set::or)
}

#[test]
fn ranges_merge_and_negate() {
    let set = Set::range('c', 'f').or(Set::range('a', 'b')).or(Set::range('0', '9'));
    assert_eq!(set.to_string(), "[0-9a-f]");
    assert_eq!(set.clone().negated().to_string(), "[^0-9a-f]");
    assert_eq!(set.clone().negated().negated(), set);
    assert_eq!(set.and(&Set::range('e', 'z')).to_string(), "[ef]");
}

#[test]
fn folding_adds_the_other_case_and_the_signs_that_fold_to_ascii() {
    assert_eq!(of("as").folded(), of("aAsS\u{17f}"));
    assert_eq!(of("\u{212a}").folded(), of("\u{212a}kK"));
    assert_eq!(of("é").folded(), of("é"));
}

#[test]
fn no_character_and_every_character_have_a_form() {
    assert_eq!(Set::empty().to_string(), r"[^\x{0}-\x{10FFFF}]");
    assert_eq!(Set::any(true).to_string(), r"[\x{0}-\x{10FFFF}]");
}
