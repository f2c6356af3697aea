//! The commands about modules: what they define, and what is written about it. Only the files that are named are read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{columns, definitions::alias_text};
use crate::files::{self, files_below};
use crate::session::{Documentation, Reply, Session};
use crate::types::Type;
use crate::wording::{capitalized, nearest, padded, unknown};

pub(super) fn browse(session: &Session, module: &str) -> Reply {
    let modules = session.environment.program.modules.directories();
    if module.is_empty() {
        let rows = modules.iter().map(|(name, directory)| (name.clone(), summary_of_module(directory)));
        let none = "no modules: start pcore in a module or control repository, or set --modulepath";
        return listed(&rows.collect::<Vec<_>>(), none);
    }
    let wanted = module.to_lowercase();
    let Some((_, directory)) = modules.iter().find(|(name, _)| *name == wanted) else {
        let names = modules.iter().map(|(name, _)| &**name);
        return Reply::Text(unknown("module", module, nearest(&wanted, names), "`:browse` lists all"));
    };
    let folders = [("types", "pp"), ("functions", "pp"), ("lib/puppet/functions", "rb"), ("manifests", "pp")];
    let rows = folders.into_iter().flat_map(|(kind, extension)| {
        let folder = directory.join(kind);
        let row = |file: PathBuf| {
            let name = name_of(&file, &folder, &wanted, kind)?;
            let text = files::source_text(&file).unwrap_or_default();
            Some((name, Documentation::before(&text, definition_line(&text)).summary().unwrap_or_default()))
        };
        files_below(&folder, Some(extension)).into_iter().filter_map(row).collect::<Vec<_>>()
    });
    listed(&rows.collect::<Vec<_>>(), &format!("module {wanted} defines no types, functions or classes"))
}

fn listed(rows: &[(String, String)], none: &str) -> Reply {
    Reply::Text(if rows.is_empty() { none.to_owned() } else { columns(rows) })
}

/// The sheet of something that a module defines; `None` if no module defines it.
pub(super) fn sheet(session: &mut Session, name: &str) -> Option<String> {
    let plain = name.trim_start_matches("::");
    let file = file_of(session, plain)?;
    let text = files::source_text(&file).ok()?;
    let line = definition_line(&text);
    let documentation = Documentation::before(&text, line);
    let mut sheet = head(session, plain, &file, &text);
    if let Some(summary) = documentation.summary() {
        let _ = write!(sheet, "\n  {summary}");
    }
    let parameters = documentation.parameters();
    let width = parameters.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, text) in parameters {
        let _ = write!(sheet, "\n  ${}  {text}", padded(&name, width));
    }
    for example in documentation.examples() {
        let _ = write!(sheet, "\n  example: {}", example.replace('\n', "\n    "));
    }
    let _ = write!(sheet, "\n  {}:{line}", files::shown(&file));
    Some(sheet)
}

/// The file of a module that defines a name; `None` if no module defines it.
pub(super) fn file_of(session: &Session, plain: &str) -> Option<PathBuf> {
    let (module, rest) = plain.split_once("::").unwrap_or((plain, "init"));
    let module = module.to_lowercase();
    let directory = session.environment.program.modules.directories().into_iter().find(|(known, _)| *known == module);
    let path = rest.to_lowercase().replace("::", "/");
    let is_type = plain.starts_with(|letter: char| letter.is_ascii_uppercase());
    let folders = if is_type { ["types", "manifests"] } else { ["functions", "manifests"] };
    let in_module = directory.and_then(|(_, directory)| {
        let mut files = folders.iter().map(|folder| directory.join(folder).join(format!("{path}.pp")));
        files.find(|file| file.is_file())
    });
    in_module.or_else(|| session.environment.program.modules.ruby_function(plain))
}

/// The first line of a sheet: the resolved form of an alias, or a signature.
fn head(session: &mut Session, name: &str, file: &Path, text: &str) -> String {
    if file.extension().is_some_and(|extension| extension == "rb") {
        return format!("{name}, a function in Ruby, which pcore does not run");
    }
    if file.components().any(|part| part.as_os_str() == "types") {
        return alias_text(session, name);
    }
    match session.parameters_of(name) {
        Ok(Some((signature, type_))) => format!("{signature}\n  its parameters as a hash are of type\n  {type_}"),
        _ => text.lines().nth(definition_line(text) - 1).unwrap_or_default().trim_end_matches(['{', ' ']).to_owned(),
    }
}

pub(super) fn definition_line(text: &str) -> usize {
    let starts = ["class ", "define ", "function ", "type ", "Puppet::Functions.create_function"];
    text.lines().position(|line| starts.iter().any(|start| line.starts_with(start))).map_or(1, |at| at + 1)
}

/// `Web::Port` for `types/port.pp` of the module `web`.
fn name_of(file: &Path, folder: &Path, module: &str, kind: &str) -> Option<String> {
    let path = file.strip_prefix(folder).ok()?.with_extension("");
    let path = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "::");
    let name = match (kind, &*path) {
        ("lib/puppet/functions", path) => path.to_owned(),
        (_, "init") => module.to_owned(),
        (_, path) => format!("{module}::{path}"),
    };
    Some(if kind == "types" { capitalized(&name) } else { name })
}

fn summary_of_module(directory: &Path) -> String {
    let metadata = files::source_bytes(&directory.join("metadata.json")).ok();
    let metadata: Option<serde_json::Value> = metadata.and_then(|text| serde_json::from_slice(&text).ok());
    metadata.and_then(|metadata| metadata.get("summary")?.as_str().map(str::to_owned)).unwrap_or_default()
}

impl Session {
    /// The names of the aliases of the session and of all modules, by the names of their files.
    pub fn alias_names(&self) -> Vec<String> {
        let mut names = self.aliases();
        names.extend(self.environment.program.modules.type_names());
        names.sort_unstable();
        names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
        names
    }

    /// The types of those names, without those whose definition has an error.
    pub fn types_named(&mut self, names: &[String]) -> Vec<Type> {
        names.iter().filter_map(|name| self.eval(name).ok()?.as_type().cloned()).collect()
    }
}
