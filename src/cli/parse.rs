//! `pcore parse`: syntax and validation, as `puppet parser validate`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcore::error::Error;
use pcore::session;
use pcore::syntax;
use pcore::syntax::tree::Tree;
use pcore::text::Source;

use super::output::Output;
use super::{Ending, Outcome, Stop, input, settled};

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

pub(super) fn parse(files: &[PathBuf], form: Form, syntax_only: bool, output: &mut Output) -> Ending {
    let is_program = |path: &Path| path.extension().is_some_and(|ending| ending == "pp" || ending == "epp");
    let (files, problems) = input::files_below_all(files, &|_| false, &is_program);
    let mut outcome = if problems.is_empty() { Outcome::Fine } else { Outcome::Failed };
    problems.iter().try_for_each(|message| output.complain(message))?;
    for path in &files {
        match parsed(path, syntax_only) {
            Ok(tree) => match form.of(&tree) {
                Some(json) if matches!(form, Form::Json) => output.say_json(&json)?,
                Some(pn) => output.say(&pn)?,
                None => {}
            },
            Err(problems) => {
                outcome = Outcome::Failed;
                for problem in problems {
                    settled(Err(problem), output)?;
                }
            }
        }
    }
    Ok(outcome)
}

/// The tree of a file, or all that is wrong with it.
fn parsed(path: &Path, syntax_only: bool) -> Result<Tree, Vec<Stop>> {
    let source = input::file(path).map_err(|message| vec![message.into()])?;
    let errors = match tree(&source) {
        Ok(tree) => match session::rejections(&tree) {
            errors if errors.is_empty() || syntax_only => return Ok(tree),
            errors => errors,
        },
        Err(errors) => errors,
    };
    Err(errors.into_iter().map(Stop::from).collect())
}

/// The tree of a program, or of a template where the name of the file ends in `.epp`.
fn tree(source: &Arc<Source>) -> Result<Tree, Vec<Error>> {
    let is_template = Path::new(source.name()).extension().is_some_and(|ending| ending == "epp");
    if is_template { syntax::parse_template(source).map_err(|error| vec![error]) } else { syntax::parse_all(source) }
}
