//! What Puppet checks after parsing: names, places of definitions, duplicates, values that nobody uses.
//!
//! Every node lies after its parts in the tree's vector, so each rule is one pass over it without recursion: whether a
//! value is lost is known of the parts before it is asked of the whole, and where a definition may stand is noted while
//! its surroundings are at hand.

mod names;
mod places;
mod values;

use std::fmt;

use super::tree::{
    AssignmentOperator, BinaryOperator, CaseOption, Expression, Id, ResourceBody, ResourceForm, ResourceKind, Tree,
};
use crate::error::{Error, Kind};
use crate::text::Span;
use names::is_numeric;

/// A rule that a program breaks.
#[derive(Debug)]
pub struct Finding {
    /// Who may care.
    pub concern: Concern,
    /// What is wrong, and where.
    pub error: Error,
}

/// What kind of rule a program breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// The program can mean nothing.
    Program,
    /// A statement of the program, not the last, gives a value that nobody uses: right where every value is shown.
    TopLevelValue,
    /// A statement inside braces gives a value that nobody uses.
    InnerValue,
}

/// Judges a program as Puppet does before it runs it, in the order of the text.
///
/// ```
/// use pcore::{syntax, text::Source};
/// let tree = syntax::parse(&Source::new("example", "$X = {a => 1, a => 2}"))?;
/// let issues: Vec<_> = syntax::validate(&tree).iter().map(|finding| finding.error.issue()).collect();
/// assert_eq!(issues, ["ILLEGAL_VAR_NAME", "DUPLICATE_KEY"]);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn validate(tree: &Tree) -> Vec<Finding> {
    let mut judge = Judge { tree, findings: Vec::new() };
    judge.lost_values();
    judge.definition_places();
    for index in 0..tree.nodes.len() {
        judge.node(Id(Span::new(index, 0).start));
    }
    let mut findings = judge.findings;
    findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    findings.into_iter().map(|finding| Finding { error: finding.error.in_source(&tree.source), ..finding }).collect()
}

/// A tree, and what was found so far.
struct Judge<'a> {
    tree: &'a Tree,
    findings: Vec<Finding>,
}

impl Judge<'_> {
    fn finds(&mut self, misuse: Misuse, span: Span) {
        self.findings.push(Finding { concern: Concern::Program, error: Error::from(misuse).at(span) });
    }

    /// A finding about a whole node, at the place that stands for it.
    fn finds_node(&mut self, misuse: Misuse, id: Id) {
        let node = &self.tree[id];
        self.finds(misuse, Span { start: node.place, end: node.span.end.max(node.place) });
    }

    /// The rules that need no more than the node and its parts.
    fn node(&mut self, id: Id) {
        let tree = self.tree;
        let span = tree[id].span;
        match &tree[id].expression {
            Expression::Variable(name) => self.variable_name(name, span),
            Expression::Reserved(word) => self.finds(Misuse::ReservedWord(word.to_string()), span),
            Expression::Assignment(AssignmentOperator::Assign, target, _) => self.target(*target),
            Expression::Assignment(operator @ (AssignmentOperator::Append | AssignmentOperator::Delete), ..) => {
                self.finds_node(Misuse::AppendsDeletes(*operator), id);
            }
            Expression::Hash(entries) => self.hash_keys(entries),
            Expression::Selector(_, entries) => {
                self.one_default(&mut entries.iter().map(|&(key, _)| key));
            }
            Expression::Case(_, options) => {
                self.one_default(&mut options.iter().flat_map(|option: &CaseOption| option.values.iter().copied()));
            }
            Expression::Call { functor, .. } => self.functor(*functor),
            Expression::Lambda { parameters, .. } => {
                self.parameter_names(parameters);
                let last = parameters.len().saturating_sub(1);
                let early = parameters[..last].iter().filter(|parameter| parameter.captures_rest);
                early.for_each(|one| self.finds(Misuse::CapturesRestNotLast(one.name.to_string()), one.name_span));
            }
            Expression::TypeAlias { name, .. } => {
                if !names::is_type_name(name) {
                    let what = "a type: expected upper-case segments such as `My::Type`";
                    self.finds_node(Misuse::DefinitionName { name: name.to_string(), what }, id);
                }
            }
            Expression::TypeMapping(..) => self.finds_node(Misuse::Unsupported("a type mapping"), id),
            Expression::TypeDefinition { .. } => self.finds(Misuse::Unsupported("a type definition"), span),
            Expression::Function(definition) => {
                self.definition_name(&definition.name, "a function", span);
                self.parameter_names(&definition.parameters);
                self.distinct_parameters(&definition.parameters);
            }
            Expression::Class { definition, .. } => {
                self.definition_name(&definition.name, "a class", span);
                self.resource_parameters(&definition.parameters, "a class");
            }
            Expression::Define(definition) => {
                self.definition_name(&definition.name, "a defined type", span);
                self.resource_parameters(&definition.parameters, "a defined type");
            }
            Expression::NodeDefinition { matches, parent, .. } => {
                for &host in matches {
                    self.host(host);
                }
                if let Some(parent) = parent {
                    self.finds_node(Misuse::NodeInheritance, *parent);
                }
            }
            Expression::Resource { form, kind, type_name, bodies } => {
                self.resource(id, *form, *kind, *type_name, bodies);
            }
            Expression::Collector { type_name, query, .. } => {
                if !matches!(tree[*type_name].expression, Expression::Reference(_)) {
                    self.finds_node(Misuse::CollectorType, *type_name);
                }
                self.query(*query);
            }
            Expression::Nop
            | Expression::Undef
            | Expression::Default
            | Expression::Boolean(_)
            | Expression::Integer(..)
            | Expression::Float(_)
            | Expression::String(_)
            | Expression::Concatenation(_)
            | Expression::Text(_)
            | Expression::Heredoc { .. }
            | Expression::Regexp(_)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Array(_)
            | Expression::Parenthesized(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Access(..)
            | Expression::MethodCall { .. }
            | Expression::If { .. }
            | Expression::Unless { .. }
            | Expression::Block(_)
            | Expression::RenderString(_)
            | Expression::Render(_) => {}
            Expression::Epp { parameters, .. } => {
                self.parameter_names(parameters);
                self.distinct_parameters(parameters);
                for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
                    let name = parameter.name.to_string();
                    self.finds(Misuse::CapturesRest { name, what: "a template" }, parameter.name_span);
                }
            }
        }
    }

    /// What stands to the left of `=`. Lists are assigned element by element.
    fn target(&mut self, target: Id) {
        let tree = self.tree;
        let mut targets = vec![target];
        while let Some(id) = targets.pop() {
            match &tree[id].expression {
                Expression::Variable(name) if is_numeric(name) => {
                    self.finds_node(Misuse::NumericAssignment(name.to_string()), id);
                }
                Expression::Variable(name) if name.contains("::") => {
                    self.finds_node(Misuse::CrossScope(name.to_string()), id);
                }
                Expression::Variable(_) => {}
                Expression::Array(elements) => targets.extend(elements),
                Expression::Access(..) => self.finds_node(Misuse::IndexedAssignment, id),
                _ => self.finds_node(Misuse::NotAssignable(tree.source.slice(tree[id].span).to_owned()), id),
            }
        }
    }

    /// `default` stands once among the alternatives.
    fn one_default(&mut self, keys: &mut dyn Iterator<Item = Id>) {
        let tree = self.tree;
        let defaults = keys.filter(|&key| tree[key].expression == Expression::Default);
        for second in defaults.skip(1) {
            self.finds_node(Misuse::DuplicateDefault, second);
        }
    }

    /// What stands in front of the parenthesis of a call: a name, or a type.
    fn functor(&mut self, functor: Id) {
        let tree = self.tree;
        let callable = match &tree[functor].expression {
            Expression::Name(_) | Expression::Reference(_) | Expression::Reserved(_) => true,
            Expression::Access(target, _) => matches!(tree[*target].expression, Expression::Reference(_)),
            _ => false,
        };
        if !callable {
            self.finds_node(Misuse::NotCallable(tree.source.slice(tree[functor].span).to_owned()), functor);
        }
    }

    fn resource(&mut self, id: Id, form: ResourceForm, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) {
        let tree = self.tree;
        let start = Span { end: tree[id].span.start, ..tree[id].span };
        if kind == ResourceKind::Untitled {
            return self.finds(Misuse::Untitled(tree.source.slice(tree[type_name].span).to_owned()), start);
        }
        if form != ResourceForm::Regular {
            if kind != ResourceKind::Declaration {
                self.finds(Misuse::NotVirtualisable("defaults and overrides"), start);
            } else if tree[type_name].expression == Expression::Name("class".into()) {
                self.finds(Misuse::ClassNotVirtualisable, start);
            }
        }
        for body in bodies {
            let appends = body.attributes.iter().filter(|attribute| attribute.append && kind != ResourceKind::Override);
            appends.for_each(|one| self.finds(Misuse::AttributeAppend(one.name.to_string()), one.span));
            let unfolds = body.attributes.iter().filter(|attribute| &*attribute.name == "*");
            if kind == ResourceKind::Declaration {
                unfolds.skip(1).for_each(|one| self.finds(Misuse::SecondUnfold, one.span));
            }
        }
    }

    /// The query of a collector: comparisons joined by `and` and `or`.
    fn query(&mut self, query: Id) {
        let tree = self.tree;
        let mut parts = vec![query];
        while let Some(id) = parts.pop() {
            match &tree[id].expression {
                Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                    parts.extend([*left, *right]);
                }
                Expression::Parenthesized(inner) => parts.push(*inner),
                Expression::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, ..)
                | Expression::Nop
                | Expression::Undef
                | Expression::Default
                | Expression::Boolean(_)
                | Expression::Integer(..)
                | Expression::Float(_)
                | Expression::String(_)
                | Expression::Concatenation(_)
                | Expression::Name(_)
                | Expression::Reference(_)
                | Expression::Variable(_) => {}
                _ => self.finds_node(Misuse::Query(tree.source.slice(tree[id].span).to_owned()), id),
            }
        }
    }
}

/// The rules that a program can break after it was parsed.
#[derive(Debug)]
enum Misuse {
    LostValue(String),
    LostLastValue(String),
    NotTopLevel,
    NotAbsoluteTopLevel,
    DuplicateKey(String),
    DuplicateDefault,
    DuplicateParameter(String),
    VariableName(String),
    NumericVariableName(String),
    ParameterName(String),
    ReservedParameter(String),
    CapturesRest { name: String, what: &'static str },
    CapturesRestNotLast(String),
    DefinitionName { name: String, what: &'static str },
    ReservedWord(String),
    NumericAssignment(String),
    CrossScope(String),
    IndexedAssignment,
    NotAssignable(String),
    AppendsDeletes(AssignmentOperator),
    NotCallable(String),
    Unsupported(&'static str),
    HostName(String),
    HostInterpolation,
    NodeInheritance,
    Untitled(String),
    NotVirtualisable(&'static str),
    ClassNotVirtualisable,
    AttributeAppend(String),
    SecondUnfold,
    CollectorType,
    Query(String),
}

impl Kind for Misuse {
    fn issue(&self) -> &'static str {
        match self {
            Misuse::LostValue(_) => "IDEM_EXPRESSION_NOT_LAST",
            Misuse::LostLastValue(_) => "IDEM_NOT_ALLOWED_LAST",
            Misuse::NotTopLevel => "NOT_TOP_LEVEL",
            Misuse::NotAbsoluteTopLevel => "NOT_ABSOLUTE_TOP_LEVEL",
            Misuse::DuplicateKey(_) => "DUPLICATE_KEY",
            Misuse::DuplicateDefault => "DUPLICATE_DEFAULT",
            Misuse::DuplicateParameter(_) => "DUPLICATE_PARAMETER",
            Misuse::VariableName(_) => "ILLEGAL_VAR_NAME",
            Misuse::NumericVariableName(_) => "ILLEGAL_NUMERIC_VAR_NAME",
            Misuse::ParameterName(_) => "ILLEGAL_PARAM_NAME",
            Misuse::ReservedParameter(_) => "RESERVED_PARAMETER",
            Misuse::CapturesRest { .. } => "CAPTURES_REST_NOT_SUPPORTED",
            Misuse::CapturesRestNotLast(_) => "CAPTURES_REST_NOT_LAST",
            Misuse::DefinitionName { .. } => "ILLEGAL_DEFINITION_NAME",
            Misuse::ReservedWord(_) => "RESERVED_WORD",
            Misuse::NumericAssignment(_) => "ILLEGAL_NUMERIC_ASSIGNMENT",
            Misuse::CrossScope(_) => "CROSS_SCOPE_ASSIGNMENT",
            Misuse::IndexedAssignment => "ILLEGAL_INDEXED_ASSIGNMENT",
            Misuse::NotAssignable(_) => "ILLEGAL_ASSIGNMENT",
            Misuse::AppendsDeletes(_) => "APPENDS_DELETES_NO_LONGER_SUPPORTED",
            Misuse::NotCallable(_) | Misuse::CollectorType => "ILLEGAL_EXPRESSION",
            Misuse::Unsupported(_) => "UNSUPPORTED_EXPRESSION",
            Misuse::HostName(_) => "ILLEGAL_HOSTNAME_CHARS",
            Misuse::HostInterpolation => "ILLEGAL_HOSTNAME_INTERPOLATION",
            Misuse::NodeInheritance => "ILLEGAL_NODE_INHERITANCE",
            Misuse::Untitled(_) => "RESOURCE_WITHOUT_TITLE",
            Misuse::NotVirtualisable(_) => "NOT_VIRTUALIZEABLE",
            Misuse::ClassNotVirtualisable => "CLASS_NOT_VIRTUALIZABLE",
            Misuse::AttributeAppend(_) => "ILLEGAL_ATTRIBUTE_APPEND",
            Misuse::SecondUnfold => "MULTIPLE_ATTRIBUTES_UNFOLD",
            Misuse::Query(_) => "ILLEGAL_QUERY_EXPRESSION",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Misuse::LostValue(text) if text == "not" => Some("the negation is written `!`".to_owned()),
            Misuse::LostValue(_) => Some("assign it, give it to a function, or delete it".to_owned()),
            Misuse::VariableName(name) => {
                let lower = name.to_lowercase();
                names::is_variable_name(&lower).then(|| format!("write `${lower}`"))
            }
            Misuse::ParameterName(name) => {
                let lower = name.to_lowercase();
                names::is_parameter_name(&lower).then(|| format!("write `${lower}`"))
            }
            Misuse::ReservedWord(word) => Some(format!("as text it is quoted: `'{word}'`")),
            Misuse::AppendsDeletes(_) => Some("write `$new = $old + value`".to_owned()),
            Misuse::Untitled(name) => Some(format!("write `{name} {{ 'title': … }}`")),
            Misuse::NodeInheritance => Some("include a class that both nodes need".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::LostValue(text) => write!(f, "the value of `{text}` is not used by anything"),
            Misuse::LostLastValue(text) => {
                write!(
                    f,
                    "the value of `{text}` is not used by anything: classes, defined types and nodes give no value"
                )
            }
            Misuse::NotTopLevel => f.write_str(
                "expected this definition at the top level or directly in a class, found it inside an expression",
            ),
            Misuse::NotAbsoluteTopLevel => {
                f.write_str("expected this definition at the top level, found it inside another definition")
            }
            Misuse::DuplicateKey(key) => write!(f, "the key {key} stands twice in the hash"),
            Misuse::DuplicateDefault => f.write_str("expected one `default`, found a second one"),
            Misuse::DuplicateParameter(name) => write!(f, "the parameter `${name}` stands twice in the list"),
            Misuse::VariableName(name) => {
                write!(f, "`${name}` is not a variable name: expected segments that start with a lower-case letter")
            }
            Misuse::NumericVariableName(name) => {
                write!(f, "`${name}` is not a variable name: expected a decimal number, or a letter first")
            }
            Misuse::ParameterName(name) => {
                write!(f, "`${name}` is not a parameter name: expected a lower-case letter first and no `::`")
            }
            Misuse::ReservedParameter(name) => write!(f, "every resource already has a parameter `${name}`"),
            Misuse::CapturesRest { name, what } => write!(f, "`*${name}` cannot be a parameter of {what}"),
            Misuse::CapturesRestNotLast(name) => {
                write!(f, "expected `*${name}` as the last parameter, found another one after it")
            }
            Misuse::DefinitionName { name, what } => write!(f, "`{name}` cannot name {what}"),
            Misuse::ReservedWord(word) => write!(f, "`{word}` is a reserved word"),
            Misuse::NumericAssignment(name) => {
                write!(f, "`${name}` belongs to the last match: it cannot be assigned")
            }
            Misuse::CrossScope(name) => write!(f, "`${name}` belongs to another scope: it cannot be assigned here"),
            Misuse::IndexedAssignment => f.write_str("expected a variable to assign to, found an element of a value"),
            Misuse::NotAssignable(text) => write!(f, "expected a variable to assign to, found `{text}`"),
            Misuse::AppendsDeletes(AssignmentOperator::Delete) => f.write_str("the operator `-=` is gone"),
            Misuse::AppendsDeletes(_) => f.write_str("the operator `+=` is gone"),
            Misuse::NotCallable(text) => {
                write!(f, "expected a function name or a type in front of `(`, found `{text}`")
            }
            Misuse::Unsupported(what) => write!(f, "{what} has no meaning in this language version"),
            Misuse::HostName(name) => {
                write!(f, "`{name}` is not a host name: expected letters, digits, `_`, `-` and `.`")
            }
            Misuse::HostInterpolation => f.write_str("expected a plain host name, found an interpolation"),
            Misuse::NodeInheritance => f.write_str("nodes do not inherit"),
            Misuse::Untitled(name) => write!(f, "expected a title for the resource `{name}`, found attributes"),
            Misuse::NotVirtualisable(what) => write!(f, "expected a resource after `@`, found {what}"),
            Misuse::ClassNotVirtualisable => f.write_str("a class cannot be virtual or exported"),
            Misuse::AttributeAppend(name) => {
                write!(f, "expected `=>` after `{name}`: only overrides append with `+>`")
            }
            Misuse::SecondUnfold => f.write_str("expected one `* =>` in the body, found a second one"),
            Misuse::CollectorType => f.write_str("expected a resource type such as `File` in front of the query"),
            Misuse::Query(text) => {
                write!(
                    f,
                    "expected comparisons with `==` and `!=` in the query, joined by `and` and `or`, found `{text}`"
                )
            }
        }
    }
}
