//! Tests of `difference`, of which it is a module.

use super::Regexp;

#[test]
fn the_shortest_string_that_only_one_of_two_expressions_matches() {
    for (one, other, expected) in [
        (r"\Aa+\z", r"\Aa{1,5}\z", Some("aaaaaa")),
        (r"\A[a-z]+\z", r"\A[a-y]+\z", Some("z")),
        (r"b", r"\Ab", Some("ab")),
        (r"\Aab\z", r"a", None),
        (r"", r"\A.+\z", Some("")),
        (r"^a$", r"\Aa\z", Some("a\n")),
    ] {
        let [one, other] = [one, other].map(|text| Regexp::new(text).unwrap());
        assert_eq!(one.shortest_difference(&[&other]).as_deref(), expected, "{} {}", one.text(), other.text());
    }
}
