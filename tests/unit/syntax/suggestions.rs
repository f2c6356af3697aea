//! Every common mistake is recognised.

use super::{GENERAL, PARTICULAR};
use crate::syntax::parse;
use crate::text::Source;

#[test]
fn every_slip_gets_its_help() {
    for mistake in PARTICULAR.iter().chain(GENERAL) {
        let error = parse(&Source::new("example", mistake.example)).unwrap_err();
        assert_eq!(error.help(), [mistake.hint], "{}: {error}", mistake.example);
    }
}
