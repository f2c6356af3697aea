//! Checks Puppet files: the value of a program against a type; or, without a type, its aliases, and the types and
//! default values of all parameters.

use std::{collections::HashSet, path::is_separator, sync::Arc};

use super::index::Index;
use super::program::{Program, called, lower_name, module_of, plain_name};
use super::{
    Checked, Checker, Finding, TYPE_MISMATCH, Unjudged, against, finding, fix, hidden, lint, program, wrong_parts,
};
use crate::data::Document;
use crate::error::{Error, LIMIT, Result};
use crate::eval::{Declared, UNKNOWN_TYPE, rejections, unlikely_types};
use crate::session::Session;
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;
use crate::wording::nearest;

impl Session {
    /// The value of a program and the locations of its parts, as far as it is written as a literal.
    fn document(&mut self, source: &Arc<Source>) -> Result<Document> {
        let value = self.evaluate(source, &mut |_| {})?;
        let tree = syntax::parse(source)?;
        let last = tree.statements().last().unwrap_or(&tree.body);
        Ok(Document::of_program(source, value, program::place(&tree, *last)))
    }

    /// A program's value against a type.
    pub fn check_program(&mut self, source: &Arc<Source>, type_: &Type) -> Checked {
        match self.document(source) {
            Ok(document) => against(&document, type_),
            Err(error) => Checked::unreadable(error),
        }
    }

    /// Checks that the type aliases of a program are types, and that the default values of the parameters of its classes,
    /// defined types and functions are of the parameters' types. Default values that depend on a catalog or on facts are
    /// not judged; types of missing modules are counted instead of reported.
    fn check_tree(&mut self, tree: &Tree, index: &Index) -> Checked {
        self.environment.interrupt = self.interrupt.clone();
        let (compared, faults) = self.environment.check_aliases(tree);
        let mut checked = Checked { compared, ..Checked::of_errors(faults) };
        checked.findings.extend(unlikely_types(tree).into_iter().map(Finding::warning));
        let declarations = self.environment.declarations(tree);
        let parameters =
            declarations.iter().flat_map(|one| one.parameters.iter().map(move |parameter| (one, parameter)));
        for (declaration, parameter) in parameters {
            checked.compared += 1;
            match self.environment.type_of(declaration, parameter) {
                Err(error) => checked.findings.push(Finding::error(error)),
                Ok(type_) => {
                    if let Err(ended) = self.check_default(tree, parameter, &type_, &mut checked) {
                        checked.findings.push(Finding::error(ended));
                        break;
                    }
                }
            }
        }
        let Checked { findings, unjudged, .. } = &mut checked;
        findings.retain(|finding| {
            let missing = out_of_sight(index, &finding.error);
            let is_kept = missing.is_none();
            unjudged.extend(missing);
            is_kept
        });
        checked
    }

    /// Fails if the evaluation of a default value was ended from outside.
    fn check_default(&mut self, tree: &Tree, parameter: &Declared, type_: &Type, checked: &mut Checked) -> Result<()> {
        let Some(default) = parameter.default else { return Ok(()) };
        let value = if depends_on_run(tree, default) { None } else { self.environment.value_of(tree, default)? };
        let Some(value) = value else {
            checked.unjudged.push(Unjudged::RunTime);
            return Ok(());
        };
        if type_.has_instance(&value) {
            return Ok(());
        }
        let document = Document::of_program(&tree.source, value, program::place(tree, default));
        let wrong = wrong_parts(type_, &document.value).into_iter();
        for wrong in wrong.filter(|wrong| !wrong.mismatch.is_unresolved()) {
            let mut finding = finding(&document, wrong);
            finding.error = finding.error.about(&format!("the default of ${}", parameter.name));
            if matches!(document.value, Value::Undef) {
                finding.error = finding.error.with_help("leave the default out to make the parameter required");
            }
            checked.findings.push(finding);
        }
        Ok(())
    }
}

impl Checked {
    fn of_errors(errors: impl IntoIterator<Item = Error>) -> Checked {
        Checked { findings: errors.into_iter().map(Finding::error).collect(), ..Checked::default() }
    }

    /// In the order of the source, and without the literals that the program makes a Sensitive of.
    fn finished(mut self, tree: &Tree) -> Checked {
        hidden::hide_literals(tree, &mut self);
        self.sort();
        self
    }
}

impl Checker<'_> {
    /// A program: its aliases and parameters, where it declares things, and its bodies.
    ///
    /// A program in `plans/` is counted, because the functions of Bolt are not known.
    pub fn check_source(&mut self, program: &Program) -> Checked {
        let mut checked = self.check_program(program);
        fix::verify(&program.source, &mut checked, &mut |edited, _| {
            Some(self.check_program(&Program::new(edited.clone())))
        });
        checked
    }

    fn check_program(&mut self, program: &Program) -> Checked {
        let source = &program.source;
        if source.name().split(is_separator).any(|part| part == "plans") {
            return Checked { compared: 1, unjudged: vec![Unjudged::Plan], ..Checked::default() };
        }
        let tree = match &program.tree {
            Ok(tree) => tree,
            Err(errors) => return Checked::of_errors(errors.iter().cloned()),
        };
        // What this file defines may be known already from its module.
        self.session.environment.forget(tree);
        let mut checked = self.session.check_tree(tree, &self.index);
        self.session.environment.forget(tree);
        // Aliases of other files that resolved to what failed here would hide the same error there.
        let is_of_type = |finding: &Finding| finding.is_error && finding.error.code() != TYPE_MISMATCH;
        if checked.findings.iter().any(is_of_type) {
            self.session.environment.forget_modules();
        }
        // What is wrong with the tree itself is before all else that begins at the same place.
        checked.findings.splice(..0, rejections(tree).into_iter().map(Finding::error));
        checked.compared = checked.compared.max(1);
        self.bounded(source, &mut checked, |checker, checked| {
            checker.check_placement(program, tree, checked);
            let found = checker.check_bodies(tree);
            checked.compared += found.compared;
            checked.unjudged.extend(found.unjudged);
            let mut places: HashSet<_> = checked.findings.iter().map(|known| known.error.span()).collect();
            let is_new = |finding: &Finding| places.insert(finding.error.span());
            checked.findings.extend(found.findings.into_iter().filter(is_new));
            checker.check_references(program, tree, checked);
            checker.check_rules(tree, checked);
        });
        lint::ignore(source, &mut checked);
        checked.finished(tree)
    }

    /// Checks a file by `work` within the limits. If it exceeds one, that is a further finding; those before are
    /// kept.
    pub(super) fn bounded(
        &mut self,
        source: &Arc<Source>,
        checked: &mut Checked,
        work: impl FnOnce(&mut Self, &mut Checked),
    ) {
        let (limits, interrupt) = (self.session.limits, self.session.interrupt.clone());
        let Err(ended) = limits.guard(&interrupt, || work(self, checked)) else { return };
        if !checked.findings.iter().any(|finding| finding.error.code() == LIMIT) {
            let error = Error::from(ended).with_help("the rest of this file was not checked");
            checked.error(source, Span::default(), error);
        }
    }

    /// A template in embedded Puppet.
    pub fn check_template(&mut self, source: &Arc<Source>) -> Checked {
        let mut checked = self.check_template_once(source);
        fix::verify(source, &mut checked, &mut |edited, _| Some(self.check_template_once(edited)));
        checked
    }

    fn check_template_once(&mut self, source: &Arc<Source>) -> Checked {
        let tree = match syntax::parse_template(source) {
            Ok(tree) => tree,
            Err(error) => return Checked::unreadable(error),
        };
        let mut checked = Checked { compared: 1, ..Checked::default() };
        self.bounded(source, &mut checked, |checker, checked| {
            let found = checker.check_bodies(&tree);
            *checked = Checked { compared: found.compared.max(1), ..found };
        });
        checked.finished(&tree)
    }
}

/// Types that Bolt has, and Puppet has not.
///
/// Source: Bolt documentation, "Bolt types".
const BOLT_TYPES: [&str; 7] =
    ["ApplyResult", "ContainerResult", "ResourceInstance", "Result", "ResultSet", "Target", "TargetSpec"];

/// Why an unknown type is no mistake for certain: it belongs to Bolt, or to a module that was not found and whose name is not
/// that of another module misspelt. `None` if it is a mistake.
pub(super) fn out_of_sight(index: &Index, error: &Error) -> Option<Unjudged> {
    let name = error.message().split(' ').next().filter(|_| error.code() == UNKNOWN_TYPE)?;
    if BOLT_TYPES.contains(&name) {
        return Some(Unjudged::UnknownType(name.to_owned()));
    }
    if !plain_name(name).contains("::") {
        return None;
    }
    let name = lower_name(name);
    let module = module_of(&name);
    let is_misspelt = module.len() > 3 && !index.is_declared(module) && nearest(module, index.module_names()).is_some();
    index.unseen(&name).filter(|_| !is_misspelt)
}

/// Whether the value of an expression depends on facts or on what functions look up.
fn depends_on_run(tree: &Tree, id: Id) -> bool {
    const LOOKUPS: [&str; 9] =
        ["getvar", "lookup", "hiera", "hiera_array", "hiera_hash", "fact", "defined", "get", "generate"];
    const FACTS: [&str; 4] = ["facts", "trusted", "server_facts", "environment"];
    tree.within(id).any(|node| match &node.expression {
        Expression::Variable(name) => FACTS.contains(&plain_name(name)),
        _ => called(tree, node).is_some_and(|name| LOOKUPS.contains(&name)),
    })
}
