//! `pcore parse`: syntax and validation, as `puppet parser validate`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcore::error::Error;
use pcore::report::Severity;
use pcore::session;
use pcore::syntax;
use pcore::syntax::tree::Tree;
use pcore::text::Source;

use super::output::Output;
use super::{Ending, Outcome, input};

/// The output for a file without errors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Check,
    /// Puppet Extended S-Expression Notation.
    Pn,
    /// The same, as data.
    Json,
}

impl Form {
    /// The form for the two options, which exclude each other.
    pub(super) fn new(pn: bool, json: bool) -> Form {
        match (pn, json) {
            (true, _) => Form::Pn,
            (false, true) => Form::Json,
            (false, false) => Form::Check,
        }
    }

    /// A tree in this form; nothing for [`Form::Check`].
    pub(super) fn of(self, tree: &Tree) -> Option<String> {
        match self {
            Form::Check => None,
            Form::Pn => Some(syntax::pn::to_pn(tree)),
            Form::Json => Some(syntax::pn::to_json(tree)),
        }
    }
}

/// Parses and validates each file, and those in each directory.
pub(super) fn parse(files: &[PathBuf], form: Form, syntax_only: bool, output: &mut Output) -> Ending {
    let mut outcome = Outcome::Fine;
    let mut listed = Vec::new();
    for path in files {
        let ends_in = |path: &Path, endings: [&str; 2]| {
            path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one))
        };
        match input::files_below(path, &|_| false, &|path| ends_in(path, ["pp", "epp"])) {
            Ok(found) => listed.extend(found),
            Err(message) => {
                outcome = Outcome::Failed;
                output.complain(&message)?;
            }
        }
    }
    for path in &listed {
        let source = match input::file(path) {
            Ok(source) => source,
            Err(message) => {
                outcome = Outcome::Failed;
                output.complain(&message)?;
                continue;
            }
        };
        let errors = match tree(&source) {
            Ok(tree) => {
                let errors = if syntax_only { Vec::new() } else { session::rejections(&tree) };
                match form.of(&tree) {
                    Some(json) if errors.is_empty() && matches!(form, Form::Json) => output.say_json(&json)?,
                    Some(pn) if errors.is_empty() => output.say(&pn)?,
                    _ => {}
                }
                errors
            }
            Err(errors) => errors,
        };
        for error in errors {
            outcome = Outcome::Failed;
            output.report_error(&error, Severity::Error)?;
        }
    }
    Ok(outcome)
}

/// The tree of a program, or of a template where the name of the file ends in `.epp`.
fn tree(source: &Arc<Source>) -> Result<Tree, Vec<Error>> {
    let is_template = Path::new(source.name()).extension().is_some_and(|ending| ending == "epp");
    if is_template { syntax::parse_template(source).map_err(|error| vec![error]) } else { syntax::parse_all(source) }
}
