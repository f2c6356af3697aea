//! What the text of a type may have in it.

use super::*;
use crate::syntax::parse;
use crate::text::Source;

#[test]
fn a_text_of_a_type_has_names_literals_and_collections() {
    let foreign = |text: &str| {
        let tree = parse(&Source::new("type", text)).expect("the text is a program");
        find_non_type_part(&tree, tree.body).map(|id| tree.source.slice(tree[id].span).to_owned())
    };
    for text in ["Integer", "Array[Hash[String, Foo::Bar], -1, 0x10]", "Struct[{Optional[a] => Enum['x', y]}]"] {
        assert_eq!(foreign(text), None, "{text}");
    }
    for (text, part) in [
        ("1", "1"),
        ("integer", "integer"),
        ("Array[notice('x')]", "notice('x')"),
        ("Integer[1 + 1]", "1 + 1"),
        ("Struct[{a => $x}]", "$x"),
        ("Integer[-String]", "-String"),
        ("'a'[0]", "'a'[0]"),
    ] {
        assert_eq!(foreign(text).as_deref(), Some(part), "{text}");
    }
}
