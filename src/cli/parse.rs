//! `pcore parse`: reports what `puppet parser validate` rejects, or prints syntax trees.

use std::path::Path;

use pcore::syntax::pn::{to_json, to_pn};
use pcore::syntax::tree::Tree;
use pcore::{session, syntax};

use super::{Ending, Outcome, Output, StopReason, arguments::ParseOptions, input, report_stop_reason};

pub(super) fn parse_files(options: &ParseOptions, output: &mut Output) -> Ending {
    let is_program = |path: &Path| matches!(input::extension(path), "pp" | "epp");
    let (files, problems) = input::files_below_paths(&options.files, &|_| false, &is_program);
    let mut outcome = if problems.is_empty() { Outcome::Fine } else { Outcome::Failed };
    problems.iter().try_for_each(|message| output.print_error_message(message))?;
    for path in &files {
        match parse_file(path, options.syntax_only) {
            Ok(tree) if options.pn => output.print_line(&to_pn(&tree))?,
            Ok(tree) if options.json => output.print_json_line(&to_json(&tree))?,
            Ok(_) => {}
            Err(problems) => {
                outcome = Outcome::Failed;
                problems.into_iter().try_for_each(|problem| report_stop_reason(problem, output).map(drop))?;
            }
        }
    }
    Ok(outcome)
}

fn parse_file(path: &Path, syntax_only: bool) -> Result<Tree, Vec<StopReason>> {
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
    tree.map_err(|errors| errors.into_iter().map(StopReason::from).collect())
}
