//! Where modules declare things: a type alias, function, class or defined type is found by the path of its file.
//!
//! Source: Puppet reference, "Module fundamentals"; "Namespaces and autoloading".

use std::path::Path;

use super::index::{Index, lower_name};
use super::{Checked, Finding};
use crate::error::Error;
use crate::syntax::tree::{Expression, Tree};
use crate::text::Span;

/// Reports what a file of a module declares under a name that its path does not lead to.
pub(super) fn check(tree: &Tree, index: &mut Index, checked: &mut Checked) {
    let Some((kind, expected)) = place(tree.source.name(), index) else { return };
    for id in tree.statements() {
        let (of_kind, name, span) = match &tree[*id].expression {
            Expression::TypeAlias { name, .. } => {
                let start = tree[*id].place as usize;
                ("types", name, Span::new(start, start + name.len()))
            }
            Expression::Function(definition) => ("functions", &definition.name, definition.name_span),
            Expression::Class { definition, .. } | Expression::Define(definition) => {
                ("manifests", &definition.name, definition.name_span)
            }
            _ => continue,
        };
        let found = lower_name(name);
        let is_right = *found == *expected || kind == "manifests" && found.starts_with(&format!("{expected}::"));
        let is_module = kind == "manifests" && !expected.contains("::") && found.starts_with(&expected);
        if of_kind == kind && !is_right && !is_module {
            let written = if kind == "types" { capitalized(&expected) } else { expected.clone() };
            let error = Error::coded(
                "MISPLACED_NAME",
                format!("{name} is not found in this file, whose path leads to {written}"),
            );
            let error = error.with_help(format!("name it {written}, or rename the file"));
            checked.findings.push(Finding::error(error.at(span).in_source(&tree.source)));
        }
    }
}

/// `types` and `web::port` for `modules/web/types/port.pp`.
fn place(file: &str, index: &mut Index) -> Option<(&'static str, String)> {
    let (module, rest) = index.place_in_module(Path::new(file))?;
    let mut parts: Vec<String> =
        rest.with_extension("").components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let kind =
        ["types", "functions", "manifests"].into_iter().find(|kind| parts.first().is_some_and(|part| part == kind))?;
    module.clone_into(parts.first_mut()?);
    if parts.last().is_some_and(|last| last == "init") && parts.len() == 2 {
        parts.pop();
    }
    (!parts.is_empty()).then(|| (kind, parts.join("::")))
}

/// `Web::Port` for `web::port`
fn capitalized(name: &str) -> String {
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    parts.collect::<Vec<_>>().join("::")
}
