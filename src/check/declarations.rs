//! Checks Puppet programs: the value of a program against a type, or, without a type, its type aliases and the default
//! values of all parameters.

use std::{collections::HashSet, path::is_separator, sync::Arc};

use super::cycles::check_cycles;
use super::index::Index;
use super::program::{Program, callee_name, module_of_name, normalize_name, strip_leading_colons};
use super::{
    Checked, Checker, Finding, TYPE_MISMATCH, UncheckedReason, against, fix, hidden, lint, mismatch_finding,
    mismatched_parts, program,
};
use crate::data::Document;
use crate::error::{Error, LIMIT, Result};
use crate::eval::{DeclaredParameter, UNKNOWN_TYPE, rejections, unlikely_type_warnings};
use crate::session::Session;
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::wording::nearest;

impl Session {
    /// Evaluates a program and checks its value against a type.
    pub fn check_program_value(&mut self, source: &Arc<Source>, type_: &Type) -> Checked {
        let document = self.evaluate(source, &mut |_| {}).and_then(|value| {
            let tree = syntax::parse(source)?;
            let last = tree.statements().last().unwrap_or(&tree.body);
            Ok(Document::from_program(source, value, program::location_tree_of_value(&tree, *last)))
        });
        document.map_or_else(Checked::from_read_error, |document| against(&document, type_))
    }

    /// Checks the type aliases of a program, and the default values of the parameters of its classes, defined types and
    /// functions. What is known only at run time, and types of missing modules, are added to `unjudged` instead.
    fn check_types_and_defaults(&mut self, tree: &Tree, index: &Index) -> Checked {
        self.environment.interrupt = self.interrupt.clone();
        let (compared, faults) = self.environment.check_aliases(tree);
        let warnings = unlikely_type_warnings(tree).into_iter().map(Finding::from_warning);
        let findings = faults.into_iter().map(Finding::from_error).chain(warnings).collect();
        let mut checked = Checked { findings, compared, ..Checked::default() };
        let declarations = self.environment.declarations_in_tree(tree);
        let parameters =
            declarations.iter().flat_map(|one| one.parameters.iter().map(move |parameter| (one, parameter)));
        for (declaration, parameter) in parameters {
            checked.compared += 1;
            let type_ = self.environment.parameter_type(declaration, parameter);
            match type_.map(|type_| self.check_default(tree, parameter, &type_)) {
                Err(error) => checked.findings.push(Finding::from_error(error)),
                Ok(Ok(Some(findings))) => checked.findings.extend(findings),
                Ok(Ok(None)) => checked.unjudged.push(UncheckedReason::RunTime),
                Ok(Err(ended)) => {
                    checked.findings.push(Finding::from_error(ended));
                    break;
                }
            }
        }
        let Checked { findings, unjudged, .. } = &mut checked;
        findings.retain(|finding| {
            let before = unjudged.len();
            unjudged.extend(reason_type_may_exist(index, &finding.error));
            unjudged.len() == before
        });
        checked
    }

    /// Checks the default value of a parameter; returns `None` if the value is known only at run time. Returns an error
    /// if the evaluation was interrupted or exceeded a limit.
    fn check_default(&mut self, tree: &Tree, of: &DeclaredParameter, type_: &Type) -> Result<Option<Vec<Finding>>> {
        let Some(default) = of.default else { return Ok(Some(Vec::new())) };
        let is_open = depends_on_run_time(tree, default);
        let value = if is_open { None } else { self.environment.static_value(tree, default)? };
        let Some(value) = value else { return Ok(None) };
        let document = Document::from_program(&tree.source, value, program::location_tree_of_value(tree, default));
        let wrong = mismatched_parts(type_, &document.value).into_iter();
        let findings = wrong.filter(|wrong| !wrong.mismatch.has_unresolved_type()).map(|wrong| {
            let mut finding = mismatch_finding(&document, wrong);
            finding.error = finding.error.with_subject(&format!("the default of ${}", of.name));
            let is_undef = document.value.is_undef();
            finding.help_if(is_undef.then(|| "leave the default out to make the parameter required".to_owned()));
            finding
        });
        Ok(Some(findings.collect()))
    }
}

impl Checker<'_> {
    /// Checks a program: its type aliases and parameters, whether its path fits its declarations, and its bodies.
    ///
    /// A program in `plans/` is not checked, because the functions of Bolt are not known.
    pub fn check_source(&mut self, program: &Program) -> Checked {
        let mut checked = self.check_program_once(program);
        fix::keep_verified_fixes(&program.source, &mut checked, &mut |edited, _| {
            Some(self.check_program_once(&Program::new(edited.clone())))
        });
        checked
    }

    fn check_program_once(&mut self, program: &Program) -> Checked {
        let source = &program.source;
        if source.name().split(is_separator).any(|part| part == "plans") {
            return Checked { compared: 1, unjudged: vec![UncheckedReason::Plan], ..Checked::default() };
        }
        let tree = match &program.tree {
            Ok(tree) => tree,
            Err(errors) => {
                let findings = errors.iter().cloned().map(Finding::from_error).collect();
                return Checked { findings, ..Checked::default() };
            }
        };
        // What this file defines may be known already from its module.
        self.session.environment.forget_tree_definitions(tree);
        self.result = self.session.check_types_and_defaults(tree, &self.index);
        self.session.environment.forget_tree_definitions(tree);
        // Aliases of other files that resolved to what failed here would hide the same error there.
        let is_of_type = |finding: &Finding| finding.is_error && finding.error.code() != TYPE_MISMATCH;
        if self.result.findings.iter().any(is_of_type) {
            self.session.environment.forget_module_definitions();
        }
        // What is wrong with the tree itself is before all else that begins at the same place.
        self.result.findings.splice(..0, rejections(tree).into_iter().map(Finding::from_error));
        self.result.compared = self.result.compared.max(1);
        self.run_within_limits(source, |checker| {
            checker.check_declaration_paths(program, tree);
            let found = checker.check_bodies(tree);
            let checked = &mut checker.result;
            checked.compared += found.compared;
            checked.unjudged.extend(found.unjudged);
            let mut places: HashSet<_> = checked.findings.iter().map(|known| known.error.span()).collect();
            let is_new = |finding: &Finding| places.insert(finding.error.span());
            checked.findings.extend(found.findings.into_iter().filter(is_new));
            checker.check_references(program, tree);
            check_cycles(tree, &mut checker.result);
            checker.check_lint_rules(tree);
        });
        let mut checked = std::mem::take(&mut self.result);
        lint::apply_ignore_comments(source, &mut checked);
        hidden::hide_sensitive_literals(tree, &mut checked);
        checked.sort_findings();
        checked
    }

    /// Runs `work`, which checks a file, within the session's limits. Beyond one, adds an error and keeps the findings.
    pub(super) fn run_within_limits(&mut self, source: &Arc<Source>, work: impl FnOnce(&mut Self)) {
        let (limits, interrupt) = (self.session.limits, self.session.interrupt.clone());
        let Err(ended) = limits.run_within(&interrupt, || work(self)) else { return };
        if !self.result.findings.iter().any(|finding| finding.error.code() == LIMIT) {
            self.result.add_error(source, Span::default(), ended).help("the rest of this file was not checked");
        }
    }

    /// Checks an EPP template.
    pub fn check_template(&mut self, source: &Arc<Source>) -> Checked {
        let mut checked = self.check_template_once(source);
        fix::keep_verified_fixes(source, &mut checked, &mut |edited, _| Some(self.check_template_once(edited)));
        checked
    }

    fn check_template_once(&mut self, source: &Arc<Source>) -> Checked {
        let tree = match syntax::parse_template(source) {
            Ok(tree) => tree,
            Err(error) => return Checked::from_read_error(error),
        };
        self.result = Checked::default();
        self.run_within_limits(source, |checker| {
            let advise = |error: Error| match error.code() {
                "IDEM_EXPRESSION_NOT_LAST" => error.with_help("to insert the value write <%= … %>"),
                _ => error,
            };
            checker.result = checker.check_bodies(&tree);
            checker.result.findings.extend(rejections(&tree).into_iter().map(advise).map(Finding::from_error));
        });
        let mut checked = std::mem::take(&mut self.result);
        checked.compared = checked.compared.max(1);
        hidden::hide_sensitive_literals(&tree, &mut checked);
        checked.sort_findings();
        checked
    }
}

/// The types that only Bolt defines.
///
/// Source: Bolt documentation, "Bolt types".
const BOLT_TYPES: [&str; 7] =
    ["ApplyResult", "ContainerResult", "ResourceInstance", "Result", "ResultSet", "Target", "TargetSpec"];

/// Returns why the type in an "unknown type" error may exist after all: it belongs to Bolt, or to a missing module
/// whose name is not a misspelling of an installed one. Returns `None` if it cannot exist, or for another error.
pub(super) fn reason_type_may_exist(index: &Index, error: &Error) -> Option<UncheckedReason> {
    let name = error.message().split(' ').next().filter(|_| error.code() == UNKNOWN_TYPE)?;
    if BOLT_TYPES.contains(&name) {
        return Some(UncheckedReason::UnknownType(name.to_owned()));
    }
    if !strip_leading_colons(name).contains("::") {
        return None;
    }
    let name = normalize_name(name);
    let module = module_of_name(&name);
    let is_misspelt = module.len() > 3
        && !index.is_required_module(module)
        && nearest(module, index.installed_module_names()).is_some();
    index.unknown_name_reason(&name).filter(|_| !is_misspelt)
}

fn depends_on_run_time(tree: &Tree, id: Id) -> bool {
    const RUN_TIME_FUNCTIONS: [&str; 9] =
        ["getvar", "lookup", "hiera", "hiera_array", "hiera_hash", "fact", "defined", "get", "generate"];
    const RUN_TIME_VARIABLES: [&str; 4] = ["facts", "trusted", "server_facts", "environment"];
    tree.nodes_within(id).any(|node| match &node.expression {
        Expression::Variable(name) => RUN_TIME_VARIABLES.contains(&strip_leading_colons(name)),
        _ => callee_name(tree, node).is_some_and(|name| RUN_TIME_FUNCTIONS.contains(&name)),
    })
}
