//! Tests of `assist::signature`, of which it is a module.

use super::*;
use crate::functions;
use crate::session::Session;

#[test]
fn a_block_is_no_parameter() {
    let symbols = SymbolIndex::of(&Session::default());
    let signature = Signature::parse("(Any $a, Callable[A, B] &$block) >> Any", &symbols).expect("it is one");
    assert_eq!(signature.to_string(), "(Any $a) >> Any");
    assert_eq!(signature.block.map(|block| block.name).as_deref(), Some("block"));
}

#[test]
fn every_signature_of_the_tables_is_readable() {
    let symbols = SymbolIndex::of(&Session::default());
    let functions = functions::TABLE.iter().copied().flatten().flat_map(|row| row.signatures);
    let constructors = crate::types::TABLE.iter().flat_map(|row| row.new);
    for text in functions.chain(constructors) {
        assert!(Signature::parse(text, &symbols).is_some(), "{text}");
    }
}
