//! What to write instead of a Ruby function is a program.

use super::STDLIB;
use crate::syntax;
use crate::text::Source;

#[test]
fn what_to_write_instead_is_a_program() {
    for (name, instead) in STDLIB {
        assert!(syntax::parse(&Source::new(*name, *instead)).is_ok(), "{name}: {instead}");
    }
}
