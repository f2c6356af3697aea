//! `pcore schema`: prints types, parameters and the Hiera data of projects as JSON Schema.

use std::path::Path;

use pcore::check::{Checker, schema as schema_of};
use pcore::session::Strictness;
use pcore::text::Source;

use super::arguments::{CommonOptions, SchemaOptions};
use super::check::{new_checker, read_project_files};
use super::{Ending, Outcome, Output, project};

/// Instructions for setting up editors; `DATA` is replaced by the pattern of the paths of data files.
const EDITOR_INSTRUCTIONS: &str = include_str!("../../transcripts/editors.txt");

pub(super) fn print_schema(options: &SchemaOptions, common: &CommonOptions, output: &mut Output) -> Ending {
    let paths = common.set_project_and_list_paths(options.project.as_deref().unwrap_or(Path::new(".")));
    let mut session = common.new_session();
    if options.editor {
        let root = common.current_project().root.as_deref().unwrap_or(Path::new(""));
        let folders = project::hiera_data_directories(&root.join("hiera.yaml"));
        let folder = folders.first().and_then(|folder| folder.strip_prefix(root).ok()?.to_str()).unwrap_or("data");
        output.print_line(&EDITOR_INSTRUCTIONS.trim_end().replace("DATA", &format!("{folder}/**/*.yaml")))?;
        return Ok(Outcome::Fine);
    }
    session.strictness = Strictness::Error;
    let schema = match &options.name {
        None => {
            if paths.is_empty() {
                return Err(super::usage_error("there is no module, environment or control repository here"));
            }
            let (contents, problems) = read_project_files(&paths, 0, common)?;
            problems.iter().try_for_each(|message| output.print_error_message(message))?;
            new_checker(&mut session, &contents, common).schema_of_project()
        }
        Some(name) if name.split("::").all(|part| part.starts_with(|letter: char| letter.is_ascii_lowercase())) => {
            let schema = Checker::new(&mut session, []).schema_of_class_or_module(name)?;
            schema.ok_or_else(|| format!("there is neither a class nor a module {name}"))?
        }
        Some(name) => schema_of(&session.evaluate_type(&Source::new("type", name))?),
    };
    output.print_json_line(&format!("{schema:#}"))?;
    Ok(Outcome::Fine)
}
