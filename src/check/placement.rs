//! Where modules declare things: a type alias, function, class or defined type is found by the path of its file, and a type
//! alias needs a name of its own.
//!
//! Source: Puppet reference, "Module fundamentals"; "Namespaces and autoloading".

use std::path::is_separator;

use super::{Checked, Checker, Program, index::Index, program::lower_name};
use crate::error::Error;
use crate::eval::{Kind, definition_in};
use crate::syntax::tree::{Expression, Tree};
use crate::wording::capitalized;

impl Checker<'_> {
    /// Reports what a file of a module declares under a name that its path does not lead to.
    pub(super) fn check_placement(&mut self, program: &Program, tree: &Tree, checked: &mut Checked) {
        let Some((kind, expected)) = place(program, &self.index) else { return };
        for id in tree.statements() {
            let (of_kind, name, span) = match &tree[*id].expression {
                Expression::TypeAlias { name, .. } => ("types", name, tree.place_of(*id, name)),
                expression => match definition_in(expression) {
                    Some((Kind::Function, definition)) => ("functions", &definition.name, definition.name_span),
                    Some((_, definition)) => ("manifests", &definition.name, definition.name_span),
                    None => continue,
                },
            };
            let found = lower_name(name);
            // Observed: with Puppet 7.23 `'a' =~ M::X` is false if there is a defined type m::x, whatever the alias accepts.
            if of_kind == "types"
                && let Some(known) = self.index.resource(&found, &mut self.session.environment)
                && known.declaration.kind == Kind::DefinedType
            {
                let message = format!("the defined type {found} hides the type alias: {name} means its resources");
                let error = Error::new("HIDDEN_ALIAS", message).with_help("rename one of them");
                checked.warning(&tree.source, span, error);
            }
            // What is inside of a class, and anything of the module in its `init.pp`.
            let is_inside = |rest: &str| kind == "manifests" && (rest.starts_with("::") || !expected.contains("::"));
            let is_right = found.strip_prefix(&*expected).is_some_and(|rest| rest.is_empty() || is_inside(rest));
            if of_kind == kind && !is_right {
                let written = if kind == "types" { capitalized(&expected) } else { expected.clone() };
                let message = format!("the file at this path should define {written}, but defines {name}");
                let help = match lower_name(&expected) {
                    lower if *lower != *expected && found.starts_with(&*lower) => {
                        "directories and files have names of lower-case letters: rename them".to_owned()
                    }
                    _ => format!("name it {written}, or rename the file"),
                };
                checked.error(&tree.source, span, Error::new("MISPLACED_NAME", message).with_help(help));
            }
        }
    }
}

/// `types` and `web::port` for `modules/web/types/port.pp`.
fn place(program: &Program, index: &Index) -> Option<(&'static str, String)> {
    let (module, rest) = index.place_in_module(program.source.name())?;
    let mut parts = rest.to_str()?.split(is_separator);
    let folder = parts.next()?;
    let kind = ["types", "functions", "manifests"].into_iter().find(|kind| *kind == folder)?;
    let rest: Vec<&str> = parts.collect();
    let name = rest.join("::");
    let name = name.strip_suffix(".pp").unwrap_or(&name);
    Some((kind, if name == "init" { module.to_owned() } else { format!("{module}::{name}") }))
}
