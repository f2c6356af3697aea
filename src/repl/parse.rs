//! `pcore parse`: syntax only.

use std::path::PathBuf;

use super::output::Output;
use super::show::{self, Weight};
use super::{Ending, Outcome, input, pn_json};
use pcore::syntax;

/// What is printed of a file without errors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// Nothing.
    Check,
    /// Puppet Extended S-Expression Notation.
    Pn,
    /// The same, as JSON.
    Json,
}

impl Form {
    /// What the two options say; the command line does not let both be given.
    pub(super) fn new(pn: bool, json: bool) -> Form {
        match (pn, json) {
            (true, _) => Form::Pn,
            (false, true) => Form::Json,
            (false, false) => Form::Check,
        }
    }
}

/// Parses each file.
pub(super) fn parse(files: &[PathBuf], form: Form, output: &mut Output) -> Ending {
    let mut outcome = Outcome::Fine;
    for path in files {
        let source = match input::file(path) {
            Ok(source) => source,
            Err(message) => {
                outcome = Outcome::Failed;
                output.complain(&message)?;
                continue;
            }
        };
        match syntax::parse(&source) {
            Ok(tree) => match form {
                Form::Check => {}
                Form::Pn => output.say(&syntax::pn::to_pn(&tree))?,
                Form::Json => output.say(&pn_json::from_pn(&syntax::pn::to_pn(&tree)).to_string())?,
            },
            Err(error) => {
                outcome = Outcome::Failed;
                let text = show::error(&error, Weight::Error, None, output.error_palette);
                output.report(&text)?;
            }
        }
    }
    Ok(outcome)
}
