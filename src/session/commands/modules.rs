//! The commands that list and describe the definitions of modules. Only the files that a command needs are read.

use std::path::{Path, PathBuf};

use super::{append_lines, definitions::describe_alias, format_columns};
use crate::eval::{AutoloadKind, name_of_file};
use crate::files::{self, files_below};
use crate::session::{Documentation, Reply, Session};
use crate::types::Type;
use crate::wording::{capitalize_segments, nearest, unknown_name};

pub(super) fn browse_module(session: &Session, module: &str) -> Reply {
    let modules = session.environment.program.modules.module_directories();
    if module.is_empty() {
        let summary = |directory: &Path| files::metadata_text(directory, "summary").unwrap_or_default();
        let rows = modules.iter().map(|(name, directory)| (name.clone(), summary(directory)));
        let none = "no modules: start pcore in a module or control repository, or set --modulepath";
        return reply_with_rows(&rows.collect::<Vec<_>>(), none);
    }
    let wanted = module.to_lowercase();
    let Some((_, directory)) = modules.iter().find(|(name, _)| *name == wanted) else {
        let names = modules.iter().map(|(name, _)| &**name);
        return Reply::Text(unknown_name("module", module, nearest(&wanted, names), "`:browse` lists all"));
    };
    let folders = [("types", "pp"), ("functions", "pp"), ("lib/puppet/functions", "rb"), ("manifests", "pp")];
    let rows = folders.into_iter().flat_map(|(kind, extension)| {
        let folder = directory.join(kind);
        let row = |file: PathBuf| {
            let name = name_of_file(&file, &folder, (extension == "pp").then_some(&*wanted));
            let name = if kind == "types" { capitalize_segments(&name) } else { name };
            let text = files::read_source_text(&file).unwrap_or_default();
            (name, Documentation::parse_before_line(&text, line_of_definition(&text)).summary().unwrap_or_default())
        };
        files_below(&folder, Some(extension)).into_iter().map(row).collect::<Vec<_>>()
    });
    reply_with_rows(&rows.collect::<Vec<_>>(), &format!("module {wanted} defines no types, functions or classes"))
}

fn reply_with_rows(rows: &[(String, String)], none: &str) -> Reply {
    Reply::Text(if rows.is_empty() { none.to_owned() } else { format_columns(rows) })
}

pub(super) fn describe_definition(session: &mut Session, name: &str) -> Option<String> {
    let plain = name.trim_start_matches("::");
    let file = file_of_definition(session, plain)?;
    let text = files::read_source_text(&file).ok()?;
    let line = line_of_definition(&text);
    let documentation = Documentation::parse_before_line(&text, line);
    let heading = definition_heading(session, plain, &file, &text);
    let parameters = documentation.parameters().into_iter().map(|(name, text)| (format!("${name}"), text));
    let parameters = format_columns(&parameters.collect::<Vec<_>>());
    let examples = documentation.examples().map(|text| format!("example: {}", text.replace('\n', "\n    ")));
    let lines = documentation.summary().into_iter().chain(parameters.lines().map(str::to_owned)).chain(examples);
    Some(append_lines(&heading, lines.chain([format!("{}:{line}", files::display_path(&file))])))
}

pub(super) fn file_of_definition(session: &Session, plain: &str) -> Option<PathBuf> {
    let modules = &session.environment.program.modules;
    let is_type = plain.starts_with(|letter: char| letter.is_ascii_uppercase());
    let kind = if is_type { AutoloadKind::Type } else { AutoloadKind::Function };
    let file = [kind, AutoloadKind::Manifest].into_iter().find_map(|kind| modules.file_of_definition(kind, plain));
    file.or_else(|| modules.find_ruby_function(plain))
}

fn definition_heading(session: &mut Session, name: &str, file: &Path, text: &str) -> String {
    if file.extension().is_some_and(|extension| extension == "rb") {
        return format!("{name}, a function in Ruby, which pcore does not run");
    }
    if file.components().any(|part| part.as_os_str() == "types") {
        return describe_alias(session, name);
    }
    match session.class_parameters(name) {
        Ok(Some((signature, type_))) => format!("{signature}\n  its parameters as a hash are of type\n  {type_}"),
        _ => text.lines().nth(line_of_definition(text) - 1).unwrap_or_default().trim_end_matches(['{', ' ']).to_owned(),
    }
}

pub(super) fn line_of_definition(text: &str) -> usize {
    let starts = ["class ", "define ", "function ", "type ", "Puppet::Functions.create_function"];
    text.lines().position(|line| starts.iter().any(|start| line.starts_with(start))).map_or(1, |at| at + 1)
}

impl Session {
    /// Returns the names of the aliases of the session and of all modules, the latter derived from the names of files.
    pub fn alias_names(&self) -> Vec<String> {
        let mut names = self.aliases();
        names.extend(self.environment.program.modules.type_alias_names());
        names.sort_unstable();
        names.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
        names
    }

    /// Returns the types of the aliases that `names` lists ([`Session::aliases`] or [`Session::alias_names`]), without
    /// those whose definition has an error.
    pub fn alias_types(&mut self, names: fn(&Session) -> Vec<String>) -> Vec<Type> {
        names(self).iter().filter_map(|name| self.eval(name).ok()?.as_type().cloned()).collect()
    }
}
