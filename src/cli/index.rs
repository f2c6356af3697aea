//! `pcore index`: writes the interfaces of modules as a file, for checks where these modules are not installed.

use std::path::{Path, PathBuf};

use pcore::check::Interface;
use pcore::session::Session;
use serde_json::Value as Json;

use super::{Answer, Output, diff, input, usage_error};

pub(super) fn index_of_modules(path: &[PathBuf], output: &mut Output) -> Answer {
    let mut session = Session::default();
    session.set_modules(path.to_vec(), None);
    let mut interfaces = Vec::new();
    for (_, module) in session.module_directories() {
        interfaces.push(diff::read_module_interface(&module, &diff::files_in_directory(&module)?, output)?);
    }
    if interfaces.is_empty() {
        return Err(usage_error("there are no modules in these directories"));
    }
    Ok(Interface::all_to_json(&interfaces))
}

pub(super) fn read_index(file: &Path) -> Result<Vec<Interface>, String> {
    let shown = file.display();
    let json: Json = serde_json::from_str(input::read_source(file)?.text())
        .map_err(|error| format!("{shown} is not JSON: {error}"))?;
    let problem = || format!("{shown} is not an index; write one with `pcore index MODULEPATH > {shown}`");
    Interface::all_from_json(&json).ok_or_else(problem)
}
