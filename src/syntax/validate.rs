//! Puppet's checks after parsing: names, places of definitions, duplicates, unused values.
//!
//! Children precede their parents in the tree's vector, so one pass without recursion is enough: whether evaluating a
//! child has an effect is known before its parent is checked. Rules about rare constructs only visit these.

mod definitions;
mod error;
mod naming;
mod values;

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::tree::{BinaryOperator, CaseOption, DefinitionKind, Expression, Id, Literal, Node};
use super::tree::{ResourceForm, ResourceKind, Tree};
use crate::error::Error;
use crate::text::Span;
use definitions::EnclosingScope;
use error::ValidationError;
use naming::is_match_variable;

/// A violation of one of Puppet's rules by a program.
/// ```
/// let tree = pcore::syntax::parse(&pcore::text::Source::new("site.pp", "1\n2"))?;
/// let findings = pcore::syntax::validate(&tree);
/// assert_eq!(findings[0].error.code(), "IDEM_EXPRESSION_NOT_LAST");
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Debug)]
pub struct Finding {
    /// The kind of the violated rule, for example a rule of Puppet 8 only.
    pub rule_kind: RuleKind,
    /// The error message with its location.
    pub error: Error,
}

/// The kind of rule that a program violates, by which callers decide whether to report the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleKind {
    /// The program is not valid, whatever the strictness.
    Program,
    /// The specification allows it, but Puppet 8 rejects it.
    SpecificationOnly,
    /// Puppet rejects it under `strict=error`, and warns of it under `strict=warning`.
    Strict,
    /// A top-level statement other than the last has an unused value: acceptable where all values are printed.
    TopLevelValue,
    /// A statement inside braces has an unused value.
    InnerValue,
    /// Puppet accepts it; it is probably a mistake.
    Advice,
}

/// Checks a program as Puppet does before evaluation. Returns the findings in source order, duplicate definitions last.
///
/// ```
/// use pcore::{syntax, text::Source};
/// let tree = syntax::parse(&Source::new("example", "$X = {a => 1, a => 2}"))?;
/// let issues: Vec<_> = syntax::validate(&tree).iter().map(|finding| finding.error.code()).collect();
/// assert_eq!(issues, ["ILLEGAL_VAR_NAME", "DUPLICATE_KEY"]);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn validate(tree: &Tree) -> Vec<Finding> {
    let mut validator = Validator {
        tree,
        findings: Vec::new(),
        in_context: Vec::new(),
        effectless: Vec::with_capacity(tree.nodes.len()),
        enclosing_scopes: FxHashMap::default(),
    };
    for (index, node) in tree.nodes.iter().enumerate() {
        validator.check_node(Id::from_index(index), node);
    }
    validator.report_misplaced_definitions();
    // Among findings with the same start, rules about single nodes come last.
    let mut findings = std::mem::take(&mut validator.in_context);
    findings.append(&mut validator.findings);
    findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    // Puppet asks this last.
    validator.report_redefinitions();
    findings.append(&mut validator.findings);
    findings.into_iter().map(|finding| Finding { error: finding.error.in_source(&tree.source), ..finding }).collect()
}

struct Validator<'a> {
    tree: &'a Tree,
    findings: Vec<Finding>,
    /// Findings that depend on the parent of a node: its value is unused or missing, or it is not allowed there.
    in_context: Vec<Finding>,
    /// For each node visited so far, by index: whether evaluating it only produces a value, without side effects.
    effectless: Vec<bool>,
    /// The scope that directly encloses each definition.
    enclosing_scopes: FxHashMap<Id, EnclosingScope>,
}

fn new_finding(rule_kind: RuleKind, misuse: ValidationError, span: Span) -> Finding {
    Finding { rule_kind, error: Error::from(misuse).at(span) }
}

impl Validator<'_> {
    fn add_error(&mut self, misuse: ValidationError, span: Span) {
        self.findings.push(new_finding(RuleKind::Program, misuse, span));
    }

    fn add_node_error(&mut self, misuse: ValidationError, id: Id) {
        self.add_error(misuse, error_span_of_node(&self.tree[id]));
    }

    fn add_context_error(&mut self, misuse: ValidationError, id: Id) {
        let span = error_span_of_node(&self.tree[id]);
        self.in_context.push(new_finding(RuleKind::Program, misuse, span));
    }

    /// Reports each key that is equal to an earlier one, with the error that `make_error` returns for its source text.
    fn report_duplicates<K: Eq + Hash>(
        &mut self,
        rule_kind: RuleKind,
        keys: impl Iterator<Item = (K, Span)>,
        make_error: impl Fn(String) -> ValidationError,
    ) {
        let mut seen = FxHashMap::default();
        for (key, span) in keys {
            let first = *seen.entry(key).or_insert(span);
            if first != span {
                let error = Error::from(make_error(self.tree.source.slice(span).to_owned())).at(span);
                self.findings.push(Finding { rule_kind, error: error.with_label(first, "first used here") });
            }
        }
    }

    fn check_node(&mut self, id: Id, node: &Node) {
        let tree = self.tree;
        let span = node.span;
        self.effectless.push(self.only_produces_value(&node.expression));
        self.report_collectors_as_values(&node.expression);
        match &node.expression {
            Expression::Block(statements) => {
                self.report_unused_values(id, statements);
                self.record_enclosing_scope(statements, EnclosingScope::Definition);
            }
            Expression::Variable(name) => self.check_variable_name(name, span),
            Expression::Reserved(word) => self.add_error(ValidationError::ReservedWord(word.to_string()), span),
            Expression::Literal(Literal::Regexp(_)) => self.report_regexp_options(span),
            Expression::Assignment(None, target, _) => self.check_assignment_target(*target),
            Expression::Assignment(Some(operator), ..) => {
                self.add_node_error(ValidationError::AppendsDeletes(*operator), id);
            }
            Expression::Hash(entries) => self.report_duplicate_keys(entries),
            Expression::Selector(_, options) => self.report_second_default(options),
            Expression::Case(_, options) => {
                self.report_second_default(options);
                for option in options {
                    self.record_enclosing_scope(tree.statements_of(&option.then), EnclosingScope::Definition);
                }
            }
            Expression::Call { functor, .. } => self.check_callee(*functor),
            Expression::Lambda { parameters, body, .. } => {
                self.check_parameters(parameters);
                let (_, before_last) = parameters.split_last().unzip();
                for early in before_last.into_iter().flatten().filter(|parameter| parameter.captures_rest) {
                    self.add_error(ValidationError::CapturesRestNotLast(early.name.to_string()), early.name_span);
                }
                self.record_enclosing_scope(tree.statements_of(body), EnclosingScope::Definition);
            }
            Expression::TypeAlias { name, type_ } => {
                if let Expression::Array(_) = tree[*type_].expression {
                    self.add_node_error(ValidationError::AliasOfArray, *type_);
                }
                if !naming::is_type_name(name) {
                    let what = "a type: expected upper-case segments such as `My::Type`";
                    self.add_node_error(ValidationError::DefinitionName { name: name.to_string(), what }, id);
                }
            }
            Expression::TypeMapping(..) => self.add_node_error(ValidationError::Unsupported("a type mapping"), id),
            Expression::TypeDefinition(..) => {
                self.add_error(ValidationError::Unsupported("a type definition"), span);
            }
            Expression::Definition(definition) => {
                self.check_definition(id, definition);
                let is_class = definition.kind == DefinitionKind::Class;
                let scope = if is_class { EnclosingScope::Class } else { EnclosingScope::Definition };
                self.record_enclosing_scope(tree.statements_of(&definition.body), scope);
            }
            Expression::NodeDefinition(hosts, parent, body) => {
                self.report_unused_last_value(*body);
                self.record_enclosing_scope(tree.statements_of(body), EnclosingScope::Definition);
                for &host in hosts {
                    self.check_host_name(host);
                }
                if let Some(parent) = parent {
                    self.add_node_error(ValidationError::NodeInheritance, *parent);
                }
            }
            Expression::Resource { .. } => self.check_resource(node),
            Expression::Collector { type_name, query, .. } => {
                if !matches!(tree[*type_name].expression, Expression::Reference(_)) {
                    self.add_node_error(ValidationError::CollectorType, *type_name);
                }
                self.check_query(*query);
            }
            Expression::Epp { parameters, body, .. } => {
                self.check_distinct_parameters(parameters);
                self.report_rest_parameters(parameters, "a template");
                self.record_enclosing_scope(tree.statements_of(body), EnclosingScope::Definition);
            }
            _ => {}
        }
    }

    /// Reports a left side of `=` that cannot be assigned to, such as `$x[0]`. Checks each element of an array.
    fn check_assignment_target(&mut self, target: Id) {
        let tree = self.tree;
        let mut targets = vec![target];
        while let Some(id) = targets.pop() {
            match &tree[id].expression {
                Expression::Variable(name) if is_match_variable(name) => {
                    self.add_node_error(ValidationError::NumericAssignment(name.to_string()), id);
                }
                Expression::Variable(name) if name.contains(':') => {
                    self.add_node_error(ValidationError::CrossScope(name.to_string()), id);
                }
                Expression::Variable(_) => {}
                Expression::Array(elements) => targets.extend(elements),
                Expression::Access(..) => self.add_node_error(ValidationError::IndexedAssignment, id),
                _ => {
                    let before = tree.source.text()[..tree[id].span.range().start].trim_end();
                    let called = before.strip_suffix('(').unwrap_or_default();
                    let is_argument = before.ends_with(',') || called.ends_with(char::is_alphanumeric);
                    let text = tree.text_of(id).to_owned();
                    self.add_node_error(ValidationError::NotAssignable { text, is_argument }, id);
                }
            }
        }
    }

    fn report_second_default(&mut self, options: &[CaseOption]) {
        let values = options.iter().flat_map(|option| &option.values).map(|value| &self.tree[*value]);
        let defaults = values.filter(|node| node.expression == Expression::Literal(Literal::Default));
        let places = defaults.map(|node| ((), node.span));
        self.report_duplicates(RuleKind::Program, places, |_| ValidationError::DuplicateDefault);
    }

    /// Reports letters right after a regular expression, which were probably intended as its options.
    ///
    /// Deviation: Puppet 8.11 takes them as the next statement, so that `'ab' =~ /a/i` is `'i'`; the specification makes
    /// options an error.
    fn report_regexp_options(&mut self, regexp: Span) {
        let source = &self.tree.source;
        let behind = &source.text()[regexp.range().end..];
        let options = &behind[..behind.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(behind.len())];
        if !options.is_empty() {
            let start = regexp.range().end;
            self.add_error(ValidationError::RegexpOptions(options.to_owned()), Span::new(start, start + options.len()));
        }
    }

    fn check_resource(&mut self, node: &Node) {
        let Expression::Resource { form, kind, type_name, bodies } = &node.expression else { return };
        let (tree, start) = (self.tree, Span { end: node.span.start, ..node.span });
        if *kind == ResourceKind::Untitled {
            return self.add_error(ValidationError::Untitled(tree.text_of(*type_name).to_owned()), start);
        }
        if *form != ResourceForm::Regular {
            if *kind != ResourceKind::Declaration {
                self.add_error(ValidationError::NotVirtualisable("defaults and overrides"), start);
            } else if tree[*type_name].expression == Expression::Name("class".into()) {
                self.add_error(ValidationError::ClassNotVirtualisable, start);
            }
        }
        for body in bodies {
            let appends =
                body.attributes.iter().filter(|attribute| attribute.append && *kind != ResourceKind::Override);
            appends.for_each(|one| self.add_error(ValidationError::AttributeAppend(one.name.to_string()), one.span));
            let unfolds = body.attributes.iter().filter(|attribute| &*attribute.name == "*");
            if *kind == ResourceKind::Declaration {
                unfolds.skip(1).for_each(|one| self.add_error(ValidationError::SecondUnfold, one.span));
            }
        }
    }

    /// Reports the parts of a collector query that are not comparisons joined by `and` and `or`.
    fn check_query(&mut self, query: Id) {
        let tree = self.tree;
        let mut parts = vec![query];
        while let Some(id) = parts.pop() {
            match &tree[id].expression {
                Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                    parts.extend([*left, *right]);
                }
                Expression::Parenthesized(inner) => parts.push(*inner),
                // A negative number is the minus of a number.
                Expression::Literal(Literal::Integer(number, _)) if *number >= 0 => {}
                Expression::Literal(Literal::Float(number)) if number.is_sign_positive() => {}
                Expression::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, ..)
                | Expression::Nop
                | Expression::Literal(Literal::Boolean(_) | Literal::String(_))
                | Expression::Concatenation(_)
                | Expression::Name(_)
                | Expression::Reference(_)
                | Expression::Variable(_) => {}
                _ => self.add_node_error(ValidationError::Query(tree.text_of(id).to_owned()), id),
            }
        }
    }

    /// Reports a callee that is neither a name nor a type. If it is a variable or an element of one, such as
    /// `$x['key'][0]`, it may be a Deferred, which the specification allows.
    fn check_callee(&mut self, functor: Id) {
        let tree = self.tree;
        let (mut innermost, mut depth) = (functor, 0);
        while let Expression::Access(target, _) = &tree[innermost].expression {
            (innermost, depth) = (*target, depth + 1);
        }
        let is_variable = match (&tree[innermost].expression, depth) {
            (Expression::Name(_) | Expression::Reserved(_), 0) | (Expression::Reference(_), ..=1) => return,
            (expression, _) => matches!(expression, Expression::Variable(_)),
        };
        let text = tree.text_of(functor).to_owned();
        let rule_kind = if is_variable { RuleKind::SpecificationOnly } else { RuleKind::Program };
        let misuse = ValidationError::NotCallable { text, is_variable };
        self.findings.push(new_finding(rule_kind, misuse, error_span_of_node(&tree[functor])));
    }
}

fn error_span_of_node(node: &Node) -> Span {
    Span { start: node.place, end: node.span.end.max(node.place) }
}
