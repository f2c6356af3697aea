//! The commands about modules: what they define, and what is written about it. Only the files that are named are read.

use std::fmt::Write as _;
use std::path::Path;

use super::columns;
use crate::explain::shape::Shape;
use crate::files::{self, files_below};
use crate::session::{Documentation, Reply, Session};
use crate::text::Source;
use crate::types::Type;
use crate::value::Value;
use crate::wording::padded;

pub(super) fn browse(session: &mut Session, module: &str) -> Reply {
    let modules = session.environment.module_directories();
    if module.is_empty() {
        let rows = modules.iter().map(|(name, directory)| (name.clone(), summary_of_module(directory)));
        let rows: Vec<(String, String)> = rows.collect();
        if rows.is_empty() {
            return Reply::Text(
                "no modules: start pcore in a module or control repository, or set --modulepath".to_owned(),
            );
        }
        return Reply::Text(columns(&rows));
    }
    let wanted = module.to_lowercase();
    let Some((_, directory)) = modules.iter().find(|(name, _)| *name == wanted) else {
        let near = crate::wording::nearest(&wanted, modules.iter().map(|(name, _)| &**name));
        let near = near.map_or("`:browse` lists all".to_owned(), |near| format!("did you mean `{near}`?"));
        return Reply::Text(format!("unknown module `{module}`; {near}"));
    };
    let mut rows: Vec<(String, String)> = Vec::new();
    for (folder, extension) in
        [("types", "pp"), ("functions", "pp"), ("lib/puppet/functions", "rb"), ("manifests", "pp")]
    {
        for file in files_below(&directory.join(folder), extension) {
            let Some(name) = name_of(&file, &directory.join(folder), &wanted, folder) else { continue };
            let text = files::source_text(&file).unwrap_or_default();
            let line = definition_line(&text);
            rows.push((name, Documentation::before(&text, line).summary().unwrap_or_default()));
        }
    }
    if rows.is_empty() {
        return Reply::Text(format!("module {wanted} defines no types, functions or classes"));
    }
    Reply::Text(columns(&rows))
}

pub(super) fn infer(session: &mut Session, code: &str) -> Reply {
    let value = match session.evaluate(&Source::new("infer", code), &mut |_| {}) {
        Ok(value) => value,
        Err(error) => return Reply::Failed(error),
    };
    let mut shape = Shape::default();
    match &value {
        Value::Array(samples) => samples.iter().for_each(|sample| shape.add(sample)),
        sample => shape.add(sample),
    }
    Reply::Code(shape.type_text(&session.named_aliases()))
}

/// The sheet of something that a module defines; `None` if no module defines it.
pub(super) fn sheet(session: &mut Session, name: &str) -> Option<Reply> {
    let plain = name.trim_start_matches("::");
    let (module, rest) = plain.split_once("::").unwrap_or((plain, "init"));
    let module = module.to_lowercase();
    let directory = session.environment.module_directories().into_iter().find(|(known, _)| *known == module);
    let path = rest.to_lowercase().replace("::", "/");
    let is_type = plain.starts_with(|letter: char| letter.is_ascii_uppercase());
    let folders = if is_type { ["types", "manifests"] } else { ["functions", "manifests"] };
    let in_module = directory.and_then(|(_, directory)| {
        let mut files = folders.iter().map(|folder| directory.join(folder).join(format!("{path}.pp")));
        files.find(|file| file.is_file())
    });
    let file = in_module.or_else(|| session.environment.ruby_function(plain))?;
    let text = files::source_text(&file).ok()?;
    let line = definition_line(&text);
    let documentation = Documentation::before(&text, line);
    let mut sheet = head(session, plain, &file, &text);
    if let Some(summary) = documentation.summary() {
        let _ = write!(sheet, "\n  {summary}");
    }
    let parameters = documentation.parameters();
    if !parameters.is_empty() {
        let width = parameters.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, text) in parameters {
            let _ = write!(sheet, "\n  ${}  {text}", padded(&name, width));
        }
    }
    for example in documentation.examples() {
        let _ = write!(sheet, "\n  example: {}", example.replace('\n', "\n    "));
    }
    let here = std::env::current_dir().unwrap_or_default();
    let shown = file.strip_prefix(&here).unwrap_or(&file).display().to_string();
    let _ = write!(sheet, "\n  {shown}:{line}");
    Some(Reply::Text(sheet))
}

/// What it is: the resolved form of an alias, or a signature.
fn head(session: &mut Session, name: &str, file: &Path, text: &str) -> String {
    if file.extension().is_some_and(|extension| extension == "rb") {
        return format!("{name}, a function in Ruby, which pcore does not run");
    }
    let in_types = file.components().any(|part| part.as_os_str() == "types");
    if in_types {
        return match session.evaluate(&Source::new("doc", name), &mut |_| {}) {
            Ok(Value::Type(Type::Alias(alias))) => match alias.resolved() {
                Some(type_) => format!("{} = {type_}", alias.name()),
                None => alias.name().to_owned(),
            },
            _ => name.to_owned(),
        };
    }
    match session.parameters_of(name) {
        Ok(Some((signature, type_))) => format!("{signature}\n  its parameters as a hash are of type\n  {type_}"),
        _ => {
            text.lines().nth(definition_line(text) - 1).unwrap_or_default().trim_end_matches('{').trim_end().to_owned()
        }
    }
}

fn definition_line(text: &str) -> usize {
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
    if kind != "types" {
        return Some(name);
    }
    let capitalized = name.split("::").map(|part| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    Some(capitalized.collect::<Vec<_>>().join("::"))
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
        names.extend(self.environment.names_of_module_types());
        names.sort_unstable();
        names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
        names
    }

    /// The aliases of the session and of all modules, with their types.
    pub fn named_aliases(&mut self) -> Vec<(String, Type)> {
        let names = self.alias_names();
        let mut found = Vec::new();
        for name in names {
            if let Ok(Value::Type(type_ @ Type::Alias(_))) = self.evaluate(&Source::new("alias", &*name), &mut |_| {}) {
                found.push((name, type_));
            }
        }
        found
    }
}
