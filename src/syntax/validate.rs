//! Puppet's checks after parsing: names, places of definitions, duplicates, unused values.
//!
//! Children precede their parents in the tree's vector, so one pass without recursion is enough: whether a value is
//! unused is known for the children before the parent. Rules about rare constructs only visit those.

mod definitions;
mod error;
mod naming;
mod resources;
mod values;

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::tree::{AssignmentOperator, Expression, Id, Literal, Node, Tree};
use crate::error::Error;
use crate::text::Span;
use definitions::Surroundings;
use error::ValidationError;
use naming::is_numeric;

/// A rule that a program breaks.
/// ```
/// let tree = pcore::syntax::parse(&pcore::text::Source::new("site.pp", "1\n2"))?;
/// let findings = pcore::syntax::validate(&tree);
/// assert_eq!(findings[0].error.code(), "IDEM_EXPRESSION_NOT_LAST");
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Debug)]
pub struct Finding {
    /// Who may care.
    pub severity: Severity,
    /// What is wrong, and where.
    pub error: Error,
}

/// What kind of rule a program breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Severity {
    /// The program can mean nothing.
    Program,
    /// The specification gives it a meaning, Puppet 8 rejects it.
    SpecificationOnly,
    /// Puppet rejects it under `strict=error`, and warns of it under `strict=warning`.
    Strict,
    /// A statement of the program, not the last, gives a value that nobody uses: right where every value is shown.
    TopLevelValue,
    /// A statement inside braces gives a value that nobody uses.
    InnerValue,
    /// Puppet accepts it; it is probably a mistake.
    Advice,
}

/// Judges a program as Puppet does before it runs it, in the order of the text.
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
        surroundings: FxHashMap::default(),
    };
    for (index, node) in tree.nodes.iter().enumerate() {
        validator.node(Id::at(index), node);
    }
    validator.definition_places();
    // Among findings with the same start, rules about single nodes come last.
    let mut findings = std::mem::take(&mut validator.in_context);
    findings.append(&mut validator.findings);
    findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    // Puppet asks this last.
    validator.redefinitions();
    findings.append(&mut validator.findings);
    findings.into_iter().map(|finding| Finding { error: finding.error.in_source(&tree.source), ..finding }).collect()
}

/// A tree and the findings so far.
struct Validator<'a> {
    tree: &'a Tree,
    findings: Vec<Finding>,
    /// Findings about what stands around a node: nobody uses its value, or it has none, or is not allowed there.
    in_context: Vec<Finding>,
    /// Whether evaluating a node only produces a value, for each so far.
    effectless: Vec<bool>,
    /// What definitions stand directly in.
    surroundings: FxHashMap<Id, Surroundings>,
}

fn finding(severity: Severity, misuse: ValidationError, span: Span) -> Finding {
    Finding { severity, error: Error::from(misuse).at(span) }
}

impl Validator<'_> {
    fn finds(&mut self, misuse: ValidationError, span: Span) {
        self.findings.push(finding(Severity::Program, misuse, span));
    }

    /// A finding about a whole node, at its location.
    fn finds_node(&mut self, misuse: ValidationError, id: Id) {
        self.finds(misuse, judged_place(&self.tree[id]));
    }

    /// Finds what is the same as something before it. `misuse` is told its text.
    fn finds_again<K: Eq + Hash>(
        &mut self,
        severity: Severity,
        keys: impl Iterator<Item = (K, Span)>,
        misuse: impl Fn(String) -> ValidationError,
    ) {
        let mut seen = FxHashMap::default();
        for (key, span) in keys {
            let first = *seen.entry(key).or_insert(span);
            if first != span {
                let error = Error::from(misuse(self.tree.source.slice(span).to_owned())).at(span);
                self.findings.push(Finding { severity, error: error.with_label(first, "first used here") });
            }
        }
    }

    /// Checks a node and its parts, and records what the other rules need.
    fn node(&mut self, id: Id, node: &Node) {
        let tree = self.tree;
        let span = node.span;
        self.effectless.push(self.only_makes_a_value(&node.expression));
        self.missing_values(&node.expression);
        match &node.expression {
            Expression::Block(statements) => {
                self.lost_values(id, statements);
                self.surround(statements, Surroundings::Definition);
            }
            Expression::Variable(name) => self.variable_name(name, span),
            Expression::Reserved(word) => self.finds(ValidationError::ReservedWord(word.to_string()), span),
            Expression::Literal(Literal::Regexp(_)) => self.regexp_options(span),
            Expression::Assignment(AssignmentOperator::Assign, target, _) => self.target(*target),
            Expression::Assignment(operator, ..) => self.finds_node(ValidationError::AppendsDeletes(*operator), id),
            Expression::Hash(entries) => self.hash_keys(entries),
            Expression::Selector(_, entries) => self.one_default(entries.iter().map(|(key, _)| key)),
            Expression::Case(_, options) => {
                self.one_default(options.iter().flat_map(|option| &option.values));
                for option in options {
                    self.surround(tree.statements_of(&option.then), Surroundings::Definition);
                }
            }
            Expression::Call { functor, .. } => self.functor(*functor),
            Expression::Lambda { parameters, body, .. } => {
                self.parameters(parameters);
                let (_, before_last) = parameters.split_last().unzip();
                for early in before_last.into_iter().flatten().filter(|parameter| parameter.captures_rest) {
                    self.finds(ValidationError::CapturesRestNotLast(early.name.to_string()), early.name_span);
                }
                self.surround(tree.statements_of(body), Surroundings::Definition);
            }
            Expression::TypeAlias { name, type_ } => {
                if let Expression::Array(_) = tree[*type_].expression {
                    self.finds_node(ValidationError::AliasOfArray, *type_);
                }
                if !naming::is_type_name(name) {
                    let what = "a type: expected upper-case segments such as `My::Type`";
                    self.finds_node(ValidationError::DefinitionName { name: name.to_string(), what }, id);
                }
            }
            Expression::TypeMapping(..) => self.finds_node(ValidationError::Unsupported("a type mapping"), id),
            Expression::TypeDefinition { .. } => self.finds(ValidationError::Unsupported("a type definition"), span),
            Expression::Function(definition) => self.definition(id, definition, "a function", Surroundings::Definition),
            Expression::Class { definition, .. } => self.resource_type(id, definition, "a class", Surroundings::Class),
            Expression::Define(definition) => {
                self.resource_type(id, definition, "a defined type", Surroundings::Definition);
            }
            Expression::NodeDefinition { matches, parent, body } => {
                self.lost_last(*body);
                self.surround(tree.statements_of(body), Surroundings::Definition);
                for &host in matches {
                    self.host(host);
                }
                if let Some(parent) = parent {
                    self.finds_node(ValidationError::NodeInheritance, *parent);
                }
            }
            Expression::Resource { .. } => self.resource(node),
            Expression::Collector { type_name, query, .. } => {
                if !matches!(tree[*type_name].expression, Expression::Reference(_)) {
                    self.finds_node(ValidationError::CollectorType, *type_name);
                }
                self.query(*query);
            }
            Expression::Epp { parameters, body, .. } => {
                self.distinct_parameters(parameters);
                self.rest_parameters(parameters, "a template");
                self.surround(tree.statements_of(body), Surroundings::Definition);
            }
            _ => {}
        }
    }

    /// What stands to the left of `=`. Lists are assigned element by element.
    fn target(&mut self, target: Id) {
        let tree = self.tree;
        let mut targets = vec![target];
        while let Some(id) = targets.pop() {
            match &tree[id].expression {
                Expression::Variable(name) if is_numeric(name) => {
                    self.finds_node(ValidationError::NumericAssignment(name.to_string()), id);
                }
                Expression::Variable(name) if name.contains(':') => {
                    self.finds_node(ValidationError::CrossScope(name.to_string()), id);
                }
                Expression::Variable(_) => {}
                Expression::Array(elements) => targets.extend(elements),
                Expression::Access(..) => self.finds_node(ValidationError::IndexedAssignment, id),
                _ => {
                    let before = tree.source.text()[..tree[id].span.range().start].trim_end();
                    let called = before.strip_suffix('(').unwrap_or_default();
                    let is_argument = before.ends_with(',') || called.ends_with(char::is_alphanumeric);
                    let text = tree.source.slice(tree[id].span).to_owned();
                    self.finds_node(ValidationError::NotAssignable { text, is_argument }, id);
                }
            }
        }
    }

    /// `default` stands once among the alternatives.
    fn one_default<'k>(&mut self, keys: impl Iterator<Item = &'k Id>) {
        let tree = self.tree;
        let defaults = keys.filter(|key| tree[**key].expression == Expression::Literal(Literal::Default));
        let places = defaults.map(|key| ((), tree[*key].span));
        self.finds_again(Severity::Program, places, |_| ValidationError::DuplicateDefault);
    }

    /// Letters right behind a regular expression are meant as options.
    ///
    /// Deviation: Puppet 8.11 takes them as the next statement, so that `'ab' =~ /a/i` is `'i'`; the specification makes
    /// options an error.
    fn regexp_options(&mut self, regexp: Span) {
        let source = &self.tree.source;
        let behind = &source.text()[regexp.range().end..];
        let options = &behind[..behind.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(behind.len())];
        if !options.is_empty() {
            let start = regexp.range().end;
            self.finds(ValidationError::RegexpOptions(options.to_owned()), Span::new(start, start + options.len()));
        }
    }

    /// What stands before the parenthesis of a call: a name, or a type. A variable, or a part of what one holds such as
    /// `$x['key'][0]`, may hold a Deferred.
    fn functor(&mut self, functor: Id) {
        let tree = self.tree;
        let (mut innermost, mut depth) = (functor, 0);
        while let Expression::Access(target, _) = &tree[innermost].expression {
            (innermost, depth) = (*target, depth + 1);
        }
        let is_variable = match (&tree[innermost].expression, depth) {
            (Expression::Name(_) | Expression::Reserved(_), 0) | (Expression::Reference(_), ..=1) => return,
            (expression, _) => matches!(expression, Expression::Variable(_)),
        };
        let text = tree.source.slice(tree[functor].span).to_owned();
        let severity = if is_variable { Severity::SpecificationOnly } else { Severity::Program };
        let misuse = ValidationError::NotCallable { text, is_variable };
        self.findings.push(finding(severity, misuse, judged_place(&tree[functor])));
    }
}

/// Where a finding about a node is: from its location to its end.
fn judged_place(node: &Node) -> Span {
    Span { start: node.place, end: node.span.end.max(node.place) }
}
