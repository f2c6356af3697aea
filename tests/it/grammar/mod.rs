//! The written grammar is true: it is whole, it stands above the parser's functions, its table of operators is the
//! parser's, and a recogniser that knows nothing else agrees with the parser.

mod agreement;
mod conditions;
mod corpus;
mod coverage;
mod notation;
mod prompt;
mod readme;
mod recogniser;
mod sentences;
mod transcripts;
mod writer;
mod writing;

use std::fs;

use notation::Grammar;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The text of a file of `grammar/`.
fn written(file: &str) -> String {
    fs::read_to_string(format!("{ROOT}/grammar/{file}")).unwrap()
}

/// The grammar of the language.
fn puppet() -> Grammar {
    Grammar::read(&written("puppet.ebnf"))
}
