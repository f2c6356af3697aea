//! Tests of `explain::meet`, of which it is a module.

use super::*;

#[test]
fn types_overlap_unless_no_value_is_of_both() {
    let overlapping = [
        ("Integer", "Numeric"),
        ("Optional[String]", "Undef"),
        ("String", "Enum[a, b]"),
        ("Array[Integer]", "Array[String]"),
        ("Hash", "Struct[{a => Integer}]"),
        ("Data", "String"),
        ("Variant[Integer, String]", "Pattern[/a/]"),
        ("Pattern[/a/]", "Pattern[/^b/]"),
        ("Pattern[/\\Aa/, /\\Ab/]", "Pattern[/\\Ab./]"),
    ];
    let disjoint = [
        ("Integer", "String"),
        ("Optional[String]", "Integer"),
        ("Enum[a]", "Enum[b, c]"),
        ("Array[Integer, 1]", "Array[String, 1]"),
        ("Struct[{a => Integer}]", "Struct[{b => Integer}]"),
        ("Integer[1, 5]", "Integer[6, 7]"),
        ("Hash[String, Integer, 1]", "Array"),
        ("Boolean", "Variant[Integer, Enum['true']]"),
        ("Pattern[/\\Aa/, /\\Ab/]", "Pattern[/\\Ac/]"),
    ];
    let type_ = |text: &str| text.parse::<Type>().expect("a type");
    for (a, b) in overlapping {
        assert!(may_overlap(&type_(a), &type_(b)) && may_overlap(&type_(b), &type_(a)), "{a} and {b} overlap");
    }
    for (a, b) in disjoint {
        assert!(!may_overlap(&type_(a), &type_(b)) && !may_overlap(&type_(b), &type_(a)), "{a} and {b} are disjoint");
    }
}
