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
        assert_eq!(one.shortest_unique_match(&[&other]).as_deref(), expected, "{} {}", one.source(), other.source());
    }
}

#[test]
fn expressions_that_no_string_in_one_line_matches_both() {
    for (one, other, expected) in [
        (r"^\d+%$", r"%(\d+)", true),
        (r"^\d+%$", r"\d%", false),
        (r"\A(?m:.*)-(?m:.*)\z", r"^(2017|2018)$", true),
        (r"\A(?m:.*)-(?m:.*)\z", r"^(2017|2018)-", false),
        (r"\A[^A-Z]*\z", "Agent", true),
        (r"\A[^A-Z]*\z", "(?i:Agent)", false),
        // What needs backtracking, or other characters, is not decided.
        (r"\A(?!a)b\z", r"\Aa\z", false),
        ("\\Aé\\z", r"\Aa\z", false),
    ] {
        let [one, other] = [one, other].map(|text| Regexp::new(text).unwrap());
        assert_eq!(one.is_disjoint_from(&other), expected, "{} {}", one.source(), other.source());
    }
}
