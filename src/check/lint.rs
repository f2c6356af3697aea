//! Lint: what is allowed, and most likely not meant. Each rule is a row of [`RULES`] with an id, by which it is switched
//! and silenced.
//!
//! `# pcore:ignore RULE` silences a rule, or the issue code of another finding, in its line; in a line of its own it is
//! about the next one. An ignore comment that silences nothing is itself reported.

use std::{collections::HashSet, sync::Arc};

use rustc_hash::FxHashMap;

use super::program::{constant, lower_name};
use super::{Checked, Checker};
use crate::error::Error;
use crate::eval::{Environment, Kind, definition_in};
use crate::interrupt;
use crate::regexp::Regexp;
use crate::syntax::tree::{Expression, Id, Literal, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// `line-anchor`
    pub id: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// Whether it can only judge when all files of a project are read.
    pub needs_project: bool,
    check: fn(&mut Linter<'_>, Id),
}

/// Every rule.
pub static RULES: &[Rule] = &[
    of_file("line-anchor", r"^ or $ in a regular expression, where \A or \z is meant", line_anchor),
    of_file("unreachable-variant", "a type of a Variant that another one accepts", unreachable_variant),
    of_file("repeated-member", "a string that is repeated in an Enum", repeated_member),
    of_file("single-variant", "a Variant of one type", single_variant),
    of_file("optional-without-default", "an Optional parameter without a default value", optional_without_default),
    of_file("empty-type", "a type without values", empty_type),
    of_project("unused-alias", "a type alias that nothing in the project uses", unused),
    of_project("unused-class", "a class or defined type that nothing in a control repository uses", unused),
    of_project("unincluded-class", "a relationship to a class that nothing in the project includes", unincluded_class),
    of_project("unused-function", "a function that nothing in a control repository uses", unused),
];

const fn of_file(id: &'static str, summary: &'static str, check: fn(&mut Linter<'_>, Id)) -> Rule {
    Rule { id, summary, needs_project: false, check }
}

const fn of_project(id: &'static str, summary: &'static str, check: fn(&mut Linter<'_>, Id)) -> Rule {
    Rule { needs_project: true, ..of_file(id, summary, check) }
}

const UNUSED_IGNORE: &str = "unused-ignore";

struct Linter<'a> {
    tree: &'a Tree,
    environment: &'a mut Environment,
    rule: &'static str,
    /// Whether the project is a module, which is written for others.
    is_module: bool,
    /// How often each name is in the project.
    counts: Option<&'a FxHashMap<Box<str>, usize>>,
    checked: &'a mut Checked,
}

impl Checker<'_> {
    pub(super) fn check_rules(&mut self, tree: &Tree, checked: &mut Checked) {
        if self.name_counts.is_none() && self.rules.iter().any(|rule| rule.needs_project) {
            self.count_names();
        }
        let (is_module, counts) = (self.index.own.is_some(), self.name_counts.as_ref());
        for rule in &self.rules {
            let environment = &mut self.session.environment;
            let mut linter = Linter { tree, environment, rule: rule.id, is_module, counts, checked };
            for (id, _) in (0..).map(Id::at).zip(interrupt::each(&tree.nodes)) {
                (rule.check)(&mut linter, id);
            }
        }
    }
}

impl Linter<'_> {
    fn report(&mut self, span: Span, message: String, help: String) {
        self.checked.warning(&self.tree.source, span, Error::new(self.rule, message).with_help(help));
    }

    fn count(&self, name: &str) -> Option<usize> {
        self.counts?.get(name).copied()
    }

    fn written(&self, id: Id) -> &str {
        self.tree.source.slice(self.tree[id].span)
    }

    fn parameters_of(&self, id: Id, type_name: &str) -> Option<Vec<Id>> {
        let Expression::Access(target, keys) = &self.tree[id].expression else { return None };
        match &self.tree[*target].expression {
            Expression::Reference(name) if name.eq_ignore_ascii_case(type_name) => Some(keys.to_vec()),
            _ => None,
        }
    }
}

fn line_anchor(linter: &mut Linter<'_>, id: Id) {
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
    linter.report(span, message, format!("write /{better}/"));
}

fn unreachable_variant(linter: &mut Linter<'_>, id: Id) {
    let Some(parameters) = linter.parameters_of(id, "Variant") else { return };
    let type_of = |id| Some((id, linter.environment.written_type(linter.tree, id)?));
    let types: Vec<(Id, Type)> = parameters.into_iter().filter_map(type_of).collect();
    for (at, (id, type_)) in types.iter().enumerate() {
        let is_wider = |(other, (_, wider)): &(usize, &(Id, Type))| {
            *other != at && wider.accepts(type_) && (*other < at || !type_.accepts(wider))
        };
        if let Some((_, (wider, _))) = types.iter().enumerate().find(is_wider) {
            let message = format!("{} is accepted by {} already", linter.written(*id), linter.written(*wider));
            let help = format!("remove {}", linter.written(*id));
            linter.report(linter.tree[*id].span, message, help);
        }
    }
}

fn repeated_member(linter: &mut Linter<'_>, id: Id) {
    let Some(parameters) = linter.parameters_of(id, "Enum") else { return };
    let mut seen = HashSet::new();
    for id in interrupt::each(&parameters) {
        if !seen.insert(linter.written(*id).trim_matches(['\'', '"']).to_owned()) {
            let text = linter.written(*id).to_owned();
            linter.report(linter.tree[*id].span, format!("{text} is repeated"), format!("remove {text}"));
        }
    }
}

fn single_variant(linter: &mut Linter<'_>, id: Id) {
    if let Some([only]) = linter.parameters_of(id, "Variant").as_deref() {
        let help = format!("write {}", linter.written(*only));
        linter.report(linter.tree[id].span, "a Variant of one type is that type".to_owned(), help);
    }
}

fn optional_without_default(linter: &mut Linter<'_>, id: Id) {
    let Some((Kind::Class | Kind::DefinedType, definition)) = definition_in(&linter.tree[id].expression) else {
        return;
    };
    for parameter in definition.parameters.iter().filter(|parameter| parameter.default.is_none()) {
        let Some(type_) = parameter.type_ else { continue };
        if linter.parameters_of(type_, "Optional").is_some() {
            let message = format!("${} accepts undef, but has to be given", parameter.name);
            let help = format!("write {} = undef", linter.tree.source.slice(parameter.span));
            linter.report(parameter.name_span, message, help);
        }
    }
}

fn empty_type(linter: &mut Linter<'_>, id: Id) {
    let mut bare: Vec<(Span, String)> = Vec::new();
    linter.tree[id].expression.each_child(&mut |child| {
        if let Expression::Reference(name) = &linter.tree[child].expression
            && ["Enum", "Variant"].contains(&&**name)
            && !matches!(&linter.tree[id].expression, Expression::Access(target, _) if *target == child)
        {
            bare.push((linter.tree[child].span, name.to_string()));
        }
    });
    for (span, name) in bare {
        linter.report(span, format!("{name} without parameters has no values"), format!("write {name}[…]"));
    }
}

/// Reports a name that is in the project only where it is defined.
fn unused(linter: &mut Linter<'_>, id: Id) {
    let tree = linter.tree;
    let (rule, name, help) = match (&tree[id].expression, definition_in(&tree[id].expression)) {
        (Expression::TypeAlias { name, .. }, _) => ("unused-alias", name, "remove it, unless other modules use it"),
        (_, Some((Kind::Function, definition))) => ("unused-function", &definition.name, "remove it"),
        (_, Some((_, definition))) => ("unused-class", &definition.name, "remove it, unless a node classifier uses it"),
        _ => return,
    };
    let is_judged = linter.rule == rule && (rule == "unused-alias" || !linter.is_module);
    if is_judged && linter.count(&lower_name(name)).is_some_and(|count| count <= 1) {
        let span =
            definition_in(&tree[id].expression).map_or_else(|| tree.place_of(id, name), |found| found.1.name_span);
        linter.report(span, format!("nothing in the project uses {name}"), help.to_owned());
    }
}

/// What stands before the names in `Class['name']` where these are counted apart.
pub(super) const REFERENCE: &str = "Class ";

fn unincluded_class(linter: &mut Linter<'_>, id: Id) {
    let Some(keys) = linter.parameters_of(id, "Class").filter(|_| !linter.is_module) else { return };
    for key in keys {
        let Some(Value::String(name)) = constant(linter.tree, key) else { continue };
        let name = lower_name(&name);
        // Besides the references there is the definition, if it is part of the project.
        let references = linter.count(&format!("{REFERENCE}{name}"));
        if references.is_some_and(|references| linter.count(&name) == Some(references + 1)) {
            let help = "remove the relationship, unless a node classifier includes the class".to_owned();
            linter.report(linter.tree[key].span, format!("nothing in the project includes {name}"), help);
        }
    }
}

/// The beginning of a comment that silences findings.
const MARK: &str = "pcore:ignore";

/// Drops the findings that ignore comments silence, and reports the comments that silence nothing.
pub(super) fn ignore(source: &Arc<Source>, checked: &mut Checked) {
    if !source.text().contains(MARK) {
        return;
    }
    let mut end = 0;
    for (number, line) in source.text().split_inclusive('\n').enumerate() {
        end += line.len();
        let Some((before, after)) = line.split_once(MARK) else { continue };
        let Some((code, _)) = before.rsplit_once('#') else { continue };
        let words = after.split([' ', ',', '\t', '\n', '\r']).filter(|rule| !rule.is_empty());
        let rules: Vec<&str> = words.take_while(|rule| *rule != "--").collect();
        let target = if code.trim().is_empty() { number + 2 } else { number + 1 };
        let before_count = checked.findings.len();
        checked.findings.retain(|finding| {
            let line = finding.error.position().map(|position| position.line);
            let is_here = finding.error.source_text().is_some_and(|one| one.name() == source.name());
            let is_named = rules.is_empty() || rules.iter().any(|rule| rule.eq_ignore_ascii_case(finding.error.code()));
            !(is_here && line == Some(target) && is_named)
        });
        if checked.findings.len() == before_count {
            let mark = Span::new(end - after.len() - MARK.len(), end - after.len());
            let error = Error::new(UNUSED_IGNORE, "this ignore comment silences nothing").with_help("remove it");
            checked.warning(source, mark, error);
        }
    }
}
