//! Tests of `dictionary`, of which it is a module.

use super::{Kind, TABLE};
use crate::{Session, functions, types};

#[test]
fn every_example_runs() {
    for row in TABLE {
        Session::default().eval(row.example).unwrap_or_else(|error| panic!("{}: {error}", row.example));
    }
}

#[test]
fn a_word_is_found_once_and_is_not_a_word_of_puppet() {
    for (at, row) in TABLE.iter().enumerate() {
        for other in row.others.split(' ') {
            let twice = TABLE[..at]
                .iter()
                .find(|earlier| earlier.kind == row.kind && earlier.others.split(' ').any(|earlier| earlier == other));
            assert!(twice.is_none(), "{other} is in {row:?} and {twice:?}");
            match row.kind {
                Kind::Type => assert!(
                    types::TABLE.iter().all(|row| !row.name.eq_ignore_ascii_case(other) || other == "object"),
                    "{other}"
                ),
                Kind::Function => assert!(functions::named(other).is_none(), "{other}"),
                Kind::Value | Kind::Keyword => {}
            }
        }
    }
}
