//! Checks that each declaration in a module is in the file where Puppet's autoloader looks for its name, and that no
//! defined type has the name of a type alias.
//!
//! Source: Puppet reference, "Module fundamentals"; "Namespaces and autoloading".

use std::path::is_separator;

use super::{Checker, Program, index::Index, program::normalize_name};
use crate::error::Error;
use crate::syntax::tree::{DefinitionKind, Expression, Tree};
use crate::wording::capitalize_segments;

impl Checker<'_> {
    pub(super) fn check_declaration_paths(&mut self, program: &Program, tree: &Tree) {
        let Some((kind, expected)) = expected_folder_and_name(program, &self.index) else { return };
        for id in tree.statements() {
            let (of_kind, name, span) = match &tree[*id].expression {
                Expression::TypeAlias { name, .. } => ("types", name, tree.span_of_name(*id, name)),
                Expression::Definition(definition) => {
                    let folder = if definition.kind == DefinitionKind::Function { "functions" } else { "manifests" };
                    (folder, &definition.name, definition.name_span)
                }
                _ => continue,
            };
            let found = normalize_name(name);
            // Observed: with Puppet 7.23 `'a' =~ M::X` is false if there is a defined type m::x, whatever the alias accepts.
            if of_kind == "types"
                && let Some(known) = self.index.resource_type(&found, &mut self.session.environment)
                && known.declaration.kind == DefinitionKind::DefinedType
            {
                let message = format!("the defined type {found} hides the type alias: {name} means its resources");
                let error = Error::new("HIDDEN_ALIAS", message);
                self.result.add_warning(&tree.source, span, error).help("rename one of them");
            }
            // What is inside of a class, and anything of the module in its `init.pp`.
            let is_inside = |rest: &str| kind == "manifests" && (rest.starts_with("::") || !expected.contains("::"));
            let is_right = found.strip_prefix(&*expected).is_some_and(|rest| rest.is_empty() || is_inside(rest));
            if of_kind == kind && !is_right {
                let written = if kind == "types" { capitalize_segments(&expected) } else { expected.clone() };
                let message = format!("the file at this path should define {written}, but defines {name}");
                let help = match normalize_name(&expected) {
                    lower if *lower != *expected && found.starts_with(&*lower) => {
                        "directories and files have names of lower-case letters: rename them".to_owned()
                    }
                    _ => format!("name it {written}, or rename the file"),
                };
                self.result.add_error(&tree.source, span, Error::new("MISPLACED_NAME", message)).help(help);
            }
        }
    }
}

/// Returns the folder and the name that a path requires: `types` and `web::port` for `modules/web/types/port.pp`.
fn expected_folder_and_name(program: &Program, index: &Index) -> Option<(&'static str, String)> {
    let (module, rest) = index.module_and_relative_path(program.source.name())?;
    let mut parts = rest.to_str()?.split(is_separator);
    let folder = parts.next()?;
    let kind = ["types", "functions", "manifests"].into_iter().find(|kind| *kind == folder)?;
    let name = parts.collect::<Vec<_>>().join("::");
    let name = name.strip_suffix(".pp").unwrap_or(&name);
    Some((kind, if name == "init" { module.to_owned() } else { format!("{module}::{name}") }))
}
