//! Lint rules report code that is allowed, but most likely a mistake. Each rule is an element of [`RULES`], with an id
//! that enables it or silences it.
//!
//! The comment `# pcore:ignore RULE` silences a rule, or findings with that issue code, in its line; on a line of its
//! own it applies to the next line. An ignore comment that silences nothing is itself reported.

use std::{collections::HashSet, sync::Arc};

use super::program::{constant_string, normalize_name};
use super::{Checked, Checker};
use crate::error::Error;
use crate::interrupt;
use crate::regexp::Regexp;
use crate::syntax::tree::{DefinitionKind, Expression, Id, Literal, Tree};
use crate::text::{Source, Span};
use crate::types::Type;

/// A lint rule: a check for code that is allowed, but most likely a mistake.
#[derive(Debug)]
pub struct Rule {
    /// The name of the rule, such as `line-anchor`.
    pub id: &'static str,
    /// A short description, in lower case and without a full stop.
    pub summary: &'static str,
    /// Whether the rule needs all files of the project, because it counts the uses of a name.
    pub needs_project: bool,
    check_node: fn(&mut Linter<'_, '_>, Id),
}

/// All lint rules that can be enabled.
pub static RULES: &[Rule] = &[
    file_rule("line-anchor", r"^ or $ in a regular expression, where \A or \z is meant", check_line_anchor),
    file_rule("unreachable-variant", "a type of a Variant that another one accepts", check_unreachable_variant),
    file_rule("repeated-member", "a string that is repeated in an Enum", check_repeated_member),
    file_rule("single-variant", "a Variant of one type", check_single_variant),
    file_rule("optional-without-default", "an Optional parameter without a default value", check_optional_parameter),
    file_rule("empty-type", "a type without values", check_empty_type),
    project_rule("unused-alias", "a type alias that nothing in the project uses", check_unused),
    project_rule("unused-class", "a class or defined type that nothing in a control repository uses", check_unused),
    project_rule(
        "unincluded-class",
        "a relationship to a class that nothing in the project includes",
        check_unincluded_class,
    ),
    project_rule("unused-function", "a function that nothing in a control repository uses", check_unused),
];

const fn file_rule(id: &'static str, summary: &'static str, check: fn(&mut Linter<'_, '_>, Id)) -> Rule {
    Rule { id, summary, needs_project: false, check_node: check }
}

const fn project_rule(id: &'static str, summary: &'static str, check: fn(&mut Linter<'_, '_>, Id)) -> Rule {
    Rule { needs_project: true, ..file_rule(id, summary, check) }
}

const UNUSED_IGNORE: &str = "unused-ignore";

struct Linter<'a, 's> {
    tree: &'a Tree,
    checker: &'a mut Checker<'s>,
    rule_id: &'static str,
}

impl Checker<'_> {
    pub(super) fn check_lint_rules(&mut self, tree: &Tree) {
        if self.name_counts.is_none() && self.lint_rules.iter().any(|rule| rule.needs_project) {
            self.count_names_in_project();
        }
        for rule in self.lint_rules.clone() {
            let mut linter = Linter { tree, checker: self, rule_id: rule.id };
            for (id, _) in (0..).map(Id::from_index).zip(interrupt::step_through(&tree.nodes)) {
                (rule.check_node)(&mut linter, id);
            }
        }
    }
}

impl<'a> Linter<'a, '_> {
    fn add_warning(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.checker.result.add_warning(&self.tree.source, span, Error::new(self.rule_id, message)).help(help);
    }

    fn name_occurrence_count(&self, name: &str) -> Option<usize> {
        self.checker.name_counts.as_ref()?.get(name).copied()
    }

    fn type_parameters_of(&self, id: Id, type_name: &str) -> Option<&'a [Id]> {
        let Expression::Access(target, keys) = &self.tree[id].expression else { return None };
        let Expression::Reference(name) = &self.tree[*target].expression else { return None };
        name.eq_ignore_ascii_case(type_name).then_some(keys)
    }
}

fn check_line_anchor(linter: &mut Linter<'_, '_>, id: Id) {
    let Expression::Literal(Literal::Regexp(pattern)) = &linter.tree[id].expression else { return };
    let starts = pattern.starts_with('^');
    let ends = pattern.ends_with('$') && !pattern.ends_with("\\$");
    // Several lines are meant where the pattern says so.
    if !(starts || ends) || pattern.contains("\\n") || pattern.contains("(?m") || Regexp::new(pattern).is_err() {
        return;
    }
    let inside = &pattern[usize::from(starts)..pattern.len() - usize::from(ends)];
    let better = format!("{}{inside}{}", if starts { r"\A" } else { "" }, if ends { r"\z" } else { "" });
    let anchors = match (starts, ends) {
        (true, true) => "^ and $ match",
        (true, false) => "^ matches",
        (false, _) => "$ matches",
    };
    let (span, message) = (linter.tree[id].span, format!("{anchors} at every line of a string"));
    linter.add_warning(span, message, format!("write /{better}/"));
}

fn check_unreachable_variant(linter: &mut Linter<'_, '_>, id: Id) {
    let (tree, Some(parameters)) = (linter.tree, linter.type_parameters_of(id, "Variant")) else { return };
    let type_of = |id: &Id| Some((*id, linter.checker.session.environment.static_type(tree, *id)?));
    let types: Vec<(Id, Type)> = parameters.iter().filter_map(type_of).collect();
    for (at, (id, type_)) in types.iter().enumerate() {
        let is_wider = |(other, (_, wider)): &(usize, &(Id, Type))| {
            *other != at && wider.accepts(type_) && (*other < at || !type_.accepts(wider))
        };
        if let Some((_, (wider, _))) = types.iter().enumerate().find(is_wider) {
            let [written, wider] = [id, wider].map(|id| tree.text_of(*id));
            let message = format!("{written} is accepted by {wider} already");
            linter.add_warning(tree[*id].span, message, format!("remove {written}"));
        }
    }
}

fn check_repeated_member(linter: &mut Linter<'_, '_>, id: Id) {
    let (tree, Some(parameters)) = (linter.tree, linter.type_parameters_of(id, "Enum")) else { return };
    let mut seen = HashSet::new();
    for id in interrupt::step_through(parameters) {
        let text = tree.text_of(*id);
        if !seen.insert(text.trim_matches(['\'', '"'])) {
            linter.add_warning(tree[*id].span, format!("{text} is repeated"), format!("remove {text}"));
        }
    }
}

fn check_single_variant(linter: &mut Linter<'_, '_>, id: Id) {
    if let Some([only]) = linter.type_parameters_of(id, "Variant") {
        let help = format!("write {}", linter.tree.text_of(*only));
        linter.add_warning(linter.tree[id].span, "a Variant of one type is that type", help);
    }
}

fn check_optional_parameter(linter: &mut Linter<'_, '_>, id: Id) {
    let Expression::Definition(definition) = &linter.tree[id].expression else { return };
    if definition.kind == DefinitionKind::Function {
        return;
    }
    for parameter in definition.parameters.iter().filter(|parameter| parameter.default.is_none()) {
        let Some(type_) = parameter.type_ else { continue };
        if linter.type_parameters_of(type_, "Optional").is_some() {
            let message = format!("${} accepts undef, but has to be given", parameter.name);
            let help = format!("write {} = undef", linter.tree.source.slice(parameter.span));
            linter.add_warning(parameter.name_span, message, help);
        }
    }
}

fn check_empty_type(linter: &mut Linter<'_, '_>, id: Id) {
    let tree = linter.tree;
    tree[id].expression.for_each_child(&mut |child| {
        if let Expression::Reference(name) = &tree[child].expression
            && ["Enum", "Variant"].contains(&&**name)
            && !matches!(&tree[id].expression, Expression::Access(target, _) if *target == child)
        {
            let message = format!("{name} without parameters has no values");
            linter.add_warning(tree[child].span, message, format!("write {name}[…]"));
        }
    });
}

fn check_unused(linter: &mut Linter<'_, '_>, id: Id) {
    let tree = linter.tree;
    let (rule, name, span, help) = match &tree[id].expression {
        Expression::TypeAlias { name, .. } => {
            ("unused-alias", name, tree.span_of_name(id, name), "remove it, unless other modules use it")
        }
        Expression::Definition(definition) => {
            let (rule, help) = match definition.kind {
                DefinitionKind::Function => ("unused-function", "remove it"),
                _ => ("unused-class", "remove it, unless a node classifier uses it"),
            };
            (rule, &definition.name, definition.name_span, help)
        }
        _ => return,
    };
    // Other projects may use what a module defines.
    let is_judged = linter.rule_id == rule && (rule == "unused-alias" || linter.checker.index.own.is_none());
    if is_judged && linter.name_occurrence_count(&normalize_name(name)).is_some_and(|count| count <= 1) {
        linter.add_warning(span, format!("nothing in the project uses {name}"), help);
    }
}

/// The prefix under which the references to a class, such as `Class['name']`, are counted apart from other uses.
pub(super) const REFERENCE: &str = "Class ";

fn check_unincluded_class(linter: &mut Linter<'_, '_>, id: Id) {
    let is_module = linter.checker.index.own.is_some();
    let Some(keys) = linter.type_parameters_of(id, "Class").filter(|_| !is_module) else { return };
    for key in keys {
        let Some(name) = constant_string(linter.tree, *key) else { continue };
        let name = normalize_name(&name);
        // Besides the references there is the definition, if it is part of the project.
        let references = linter.name_occurrence_count(&format!("{REFERENCE}{name}"));
        if references.is_some_and(|references| linter.name_occurrence_count(&name) == Some(references + 1)) {
            let help = "remove the relationship, unless a node classifier includes the class";
            linter.add_warning(linter.tree[*key].span, format!("nothing in the project includes {name}"), help);
        }
    }
}

const IGNORE_MARKER: &str = "pcore:ignore";

/// Removes the findings that ignore comments silence, and reports ignore comments that silence nothing.
pub(super) fn apply_ignore_comments(source: &Arc<Source>, checked: &mut Checked) {
    if !source.text().contains(IGNORE_MARKER) {
        return;
    }
    let mut end = 0;
    for (number, line) in source.text().split_inclusive('\n').enumerate() {
        end += line.len();
        let Some((before, after)) = line.split_once(IGNORE_MARKER) else { continue };
        let Some((code, _)) = before.rsplit_once('#') else { continue };
        let words = after.split([' ', ',', '\t', '\n', '\r']).filter(|rule| !rule.is_empty());
        let rules: Vec<&str> = words.take_while(|rule| *rule != "--").collect();
        let target = if code.trim().is_empty() { number + 2 } else { number + 1 };
        let before_count = checked.findings.len();
        checked.findings.retain(|finding| {
            let error = &finding.error;
            let is_here = error.source_text().is_some_and(|one| one.name() == source.name())
                && error.position().is_some_and(|position| position.line == target);
            !is_here || !rules.is_empty() && !rules.iter().any(|rule| rule.eq_ignore_ascii_case(error.code()))
        });
        if checked.findings.len() == before_count {
            let mark = Span::new(end - after.len() - IGNORE_MARKER.len(), end - after.len());
            let error = Error::new(UNUSED_IGNORE, "this ignore comment silences nothing");
            checked.add_warning(source, mark, error).help("remove it");
        }
    }
}
