//! `pcore schema`: types, parameters and the Hiera data of projects as JSON Schema.

use std::path::Path;

use pcore::check::{Checker, schema as schema_of};
use pcore::session::Strictness;
use pcore::text::Source;

use super::arguments::{Common, SchemaOptions};
use super::check::{checker, read_contents};
use super::{Ending, Outcome, Output, project};

/// The set-up of editors; `DATA` is where the data are.
const EDITORS: &str = include_str!("../../transcripts/editors.txt");

pub(super) fn schema(options: &SchemaOptions, common: &Common, output: &mut Output) -> Ending {
    let paths = common.set_project(options.project.as_deref().unwrap_or(Path::new(".")));
    let mut session = common.session();
    if options.editor {
        let root = common.project().root.as_deref().unwrap_or(Path::new(""));
        let folders = project::data_directories(&root.join("hiera.yaml"));
        let folder = folders.first().and_then(|folder| folder.strip_prefix(root).ok()?.to_str()).unwrap_or("data");
        output.say(&EDITORS.trim_end().replace("DATA", &format!("{folder}/**/*.yaml")))?;
        return Ok(Outcome::Fine);
    }
    session.strictness = Strictness::Error;
    let schema = match &options.name {
        None => {
            if paths.is_empty() {
                return Err(super::usage_error("there is no module, environment or control repository here"));
            }
            let contents = read_contents(&paths, 0, common, &mut |message| output.complain(&message))?;
            checker(&mut session, &contents, common).schema()
        }
        Some(name) if name.split("::").all(|part| part.starts_with(|letter: char| letter.is_ascii_lowercase())) => {
            let schema = Checker::new(&mut session, []).schema_of(name)?;
            schema.ok_or_else(|| format!("there is neither a class nor a module {name}"))?
        }
        Some(name) => schema_of(&session.type_of_text(&Source::new("type", name))?),
    };
    output.say_json(&format!("{schema:#}"))?;
    Ok(Outcome::Fine)
}
