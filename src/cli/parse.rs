//! `pcore parse`: syntax and validation, as `puppet parser validate`.

use std::path::Path;

use pcore::syntax::pn::{to_json, to_pn};
use pcore::syntax::tree::Tree;
use pcore::{session, syntax};

use super::{Ending, Outcome, Output, Stop, arguments::ParseOptions, input, report_stop};

pub(super) fn parse(options: &ParseOptions, output: &mut Output) -> Ending {
    let is_program = |path: &Path| matches!(input::extension(path), "pp" | "epp");
    let (files, problems) = input::files_below_all(&options.files, &|_| false, &is_program);
    let mut outcome = if problems.is_empty() { Outcome::Fine } else { Outcome::Failed };
    problems.iter().try_for_each(|message| output.complain(message))?;
    for path in &files {
        match parsed(path, options.syntax_only) {
            Ok(tree) if options.pn => output.say(&to_pn(&tree))?,
            Ok(tree) if options.json => output.say_json(&to_json(&tree))?,
            Ok(_) => {}
            Err(problems) => {
                outcome = Outcome::Failed;
                problems.into_iter().try_for_each(|problem| report_stop(Err(problem), output).map(drop))?;
            }
        }
    }
    Ok(outcome)
}

/// The tree of a file, which is a template if its name ends in `.epp`, or all that is wrong with it.
fn parsed(path: &Path, syntax_only: bool) -> Result<Tree, Vec<Stop>> {
    let source = input::read_source(path).map_err(|message| vec![message.into()])?;
    let tree = if input::extension(path) == "epp" {
        syntax::parse_template(&source).map_err(|error| vec![error])
    } else {
        syntax::parse_all(&source)
    };
    let tree = tree.and_then(|tree| match session::rejections(&tree) {
        errors if errors.is_empty() || syntax_only => Ok(tree),
        errors => Err(errors),
    });
    tree.map_err(|errors| errors.into_iter().map(Stop::from).collect())
}
