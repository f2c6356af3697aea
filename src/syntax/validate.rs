//! Puppet's checks after parsing: names, places of definitions, duplicates, unused values.
//!
//! Children precede their parents in the tree's vector, so one pass without recursion is enough: whether a value is
//! unused is known for the children before the parent. Rules about rare constructs only visit those.

mod error;
mod naming;
mod places;
mod repetitions;
mod resources;
mod values;

use smallvec::{SmallVec, smallvec};

use super::tree::{AssignmentOperator, CaseOption, Definition, Expression, Id, Literal, Node, Parameter, Tree};
use crate::error::Error;
use crate::text::Span;
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
        lost: Vec::new(),
        effectless: Vec::new(),
        has_collectors: false,
        has_nodes: false,
        parameterized: Vec::new(),
        definitions: 0,
    };
    for index in 0..tree.nodes.len() {
        validator.node(Id::at(index));
    }
    // Among findings with the same start, lost values come first and rules about single nodes last.
    let of_nodes = std::mem::take(&mut validator.findings);
    validator.findings.append(&mut validator.lost);
    if validator.has_collectors {
        validator.missing_values();
    }
    validator.assignments_in_defaults();
    if validator.has_inner_definitions() {
        validator.definition_places();
    }
    let mut findings = std::mem::take(&mut validator.findings);
    findings.extend(of_nodes);
    findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    // Puppet asks this last.
    if validator.definitions > 1 || validator.has_nodes {
        validator.repetitions();
    }
    findings.append(&mut validator.findings);
    findings.into_iter().map(|finding| Finding { error: finding.error.in_source(&tree.source), ..finding }).collect()
}

/// A tree and the findings so far.
struct Validator<'a> {
    tree: &'a Tree,
    findings: Vec<Finding>,
    /// Findings about statements whose value is unused.
    lost: Vec<Finding>,
    /// Blocks, conditionals and parenthesized expressions without effects, in ascending order.
    effectless: Vec<Id>,
    has_collectors: bool,
    has_nodes: bool,
    /// Definitions, lambdas and templates.
    parameterized: Vec<Id>,
    /// The number of definitions, including nested ones.
    definitions: usize,
}

impl Validator<'_> {
    fn finds(&mut self, misuse: ValidationError, span: Span) {
        self.findings.push(Finding { severity: Severity::Program, error: Error::from(misuse).at(span) });
    }

    /// A finding about a whole node, at its location.
    fn finds_node(&mut self, misuse: ValidationError, id: Id) {
        self.finds(misuse, judged_place(&self.tree[id]));
    }

    /// A finding about something that stands twice.
    fn finds_again(&mut self, severity: Severity, misuse: ValidationError, first: Span, second: Span) {
        let error = Error::from(misuse).at(second).with_label(first, "first used here");
        self.findings.push(Finding { severity, error });
    }

    /// Whether a definition is nested in another expression.
    fn has_inner_definitions(&self) -> bool {
        let is_definition = |id: &&Id| {
            matches!(
                self.tree[**id].expression,
                Expression::Function(_)
                    | Expression::Class { .. }
                    | Expression::Define(_)
                    | Expression::TypeAlias { .. }
                    | Expression::NodeDefinition { .. }
            )
        };
        self.tree.statements().iter().filter(is_definition).count() < self.definitions
    }

    /// Checks a node and its parts, and records what the other rules need.
    fn node(&mut self, id: Id) {
        let tree = self.tree;
        let span = tree[id].span;
        match &tree[id].expression {
            Expression::Block(statements) => {
                self.lost_values(id, statements);
                self.note_effectless(id, |this| this.are_effectless(statements));
            }
            Expression::Parenthesized(inner) => self.note_effectless(id, |this| this.is_effectless(*inner)),
            Expression::If { condition, then, otherwise } | Expression::Unless { condition, then, otherwise } => {
                self.note_effectless(id, |this| {
                    [condition, then].into_iter().chain(otherwise).all(|part| this.is_effectless(*part))
                });
            }
            Expression::Variable(name) => self.variable_name(name, span),
            Expression::Reserved(word) => self.finds(ValidationError::ReservedWord(word.to_string()), span),
            Expression::Literal(Literal::Regexp(_)) => self.regexp_options(span),
            Expression::Assignment(AssignmentOperator::Assign, target, _) => self.target(*target),
            Expression::Assignment(operator @ (AssignmentOperator::Append | AssignmentOperator::Delete), ..) => {
                self.finds_node(ValidationError::AppendsDeletes(*operator), id);
            }
            Expression::Hash(entries) => self.hash_keys(entries),
            Expression::Selector(_, entries) => {
                self.one_default(&mut entries.iter().map(|&(key, _)| key));
            }
            Expression::Case(control, options) => {
                self.one_default(&mut options.iter().flat_map(|option: &CaseOption| option.values.iter().copied()));
                self.note_effectless(id, |this| {
                    let is_effectless =
                        |option: &CaseOption| this.are_effectless(&option.values) && this.is_effectless(option.then);
                    this.is_effectless(*control) && options.iter().all(is_effectless)
                });
            }
            Expression::Call { functor, .. } => self.functor(*functor),
            Expression::Lambda { parameters, .. } => self.lambda(id, parameters),
            Expression::TypeAlias { name, type_ } => {
                self.definitions += 1;
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
            Expression::Function(definition) => {
                self.definition(id, definition, "a function");
                self.parameter_names(&definition.parameters);
                self.distinct_parameters(&definition.parameters);
            }
            Expression::Class { definition, .. } => {
                self.definition(id, definition, "a class");
                self.lost_last(definition.body);
                self.resource_parameters(&definition.parameters, "a class");
            }
            Expression::Define(definition) => {
                self.definition(id, definition, "a defined type");
                self.lost_last(definition.body);
                self.resource_parameters(&definition.parameters, "a defined type");
            }
            Expression::NodeDefinition { matches, parent, body } => {
                self.definitions += 1;
                self.has_nodes = true;
                self.lost_last(*body);
                for &host in matches {
                    self.host(host);
                }
                if let Some(parent) = parent {
                    self.finds_node(ValidationError::NodeInheritance, *parent);
                }
            }
            Expression::Resource { form, kind, type_name, bodies } => {
                self.resource(id, *form, *kind, *type_name, bodies);
            }
            Expression::Collector { type_name, query, .. } => {
                self.has_collectors = true;
                if !matches!(tree[*type_name].expression, Expression::Reference(_)) {
                    self.finds_node(ValidationError::CollectorType, *type_name);
                }
                self.query(*query);
            }
            Expression::Epp { parameters, .. } => {
                self.parameterized.push(id);
                self.parameter_names(parameters);
                self.distinct_parameters(parameters);
                for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
                    let name = parameter.name.to_string();
                    self.finds(ValidationError::CapturesRest { name, what: "a template" }, parameter.name_span);
                }
            }
            _ => {}
        }
    }

    fn lambda(&mut self, id: Id, parameters: &[Parameter]) {
        self.parameterized.push(id);
        self.parameter_names(parameters);
        let before_last = parameters.split_last().map_or(&[][..], |(_, before)| before);
        let early = before_last.iter().filter(|parameter| parameter.captures_rest);
        early.for_each(|one| self.finds(ValidationError::CapturesRestNotLast(one.name.to_string()), one.name_span));
    }

    /// Checks the name of a definition with parameters, and records it for the other rules.
    fn definition(&mut self, id: Id, definition: &Definition, what: &'static str) {
        self.definitions += 1;
        self.parameterized.push(id);
        self.definition_name(&definition.name, what, self.tree[id].span);
    }

    /// What stands to the left of `=`. Lists are assigned element by element.
    fn target(&mut self, target: Id) {
        let tree = self.tree;
        let mut targets: SmallVec<[Id; 4]> = smallvec![target];
        while let Some(id) = targets.pop() {
            match &tree[id].expression {
                Expression::Variable(name) if is_numeric(name) => {
                    self.finds_node(ValidationError::NumericAssignment(name.to_string()), id);
                }
                Expression::Variable(name) if name.contains(':') => {
                    self.finds_node(ValidationError::CrossScope(name.to_string()), id);
                }
                Expression::Variable(_) => {}
                Expression::Array(elements) => targets.extend(elements.iter().copied()),
                Expression::Access(..) => self.finds_node(ValidationError::IndexedAssignment, id),
                _ => self.finds_node(ValidationError::NotAssignable(tree.source.slice(tree[id].span).to_owned()), id),
            }
        }
    }

    /// `default` stands once among the alternatives.
    fn one_default(&mut self, keys: &mut dyn Iterator<Item = Id>) {
        let tree = self.tree;
        let mut defaults =
            keys.filter(|&key| tree[key].expression == Expression::Literal(Literal::Default)).map(|key| tree[key].span);
        if let Some(first) = defaults.next() {
            defaults.for_each(|second| {
                self.finds_again(Severity::Program, ValidationError::DuplicateDefault, first, second);
            });
        }
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

    /// What stands before the parenthesis of a call: a name, or a type.
    fn functor(&mut self, functor: Id) {
        let tree = self.tree;
        let callable = match &tree[functor].expression {
            Expression::Name(_) | Expression::Reference(_) | Expression::Reserved(_) => true,
            Expression::Access(target, _) => matches!(tree[*target].expression, Expression::Reference(_)),
            _ => false,
        };
        if !callable {
            let is_variable = self.is_variable(functor);
            let node = &tree[functor];
            let misuse = ValidationError::NotCallable { text: tree.source.slice(node.span).to_owned(), is_variable };
            let severity = if is_variable { Severity::SpecificationOnly } else { Severity::Program };
            self.findings.push(Finding { severity, error: Error::from(misuse).at(judged_place(node)) });
        }
    }

    /// Whether it is a variable or a part of what one holds: `$x`, `$x['key'][0]`. It may hold a Deferred.
    fn is_variable(&self, mut id: Id) -> bool {
        while let Expression::Access(target, _) = &self.tree[id].expression {
            id = *target;
        }
        matches!(self.tree[id].expression, Expression::Variable(_))
    }
}

/// Where a finding about a node is: from its location to its end.
fn judged_place(node: &Node) -> Span {
    Span { start: node.place, end: node.span.end.max(node.place) }
}
