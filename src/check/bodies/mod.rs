//! Checks bodies against what is declared, without a catalog: parameters of classes, defined types and core resource
//! types, arguments of functions, unknown names, operators and branches that can never match, templates.
//!
//! Every expression is visited once, in the order of its evaluation; the visit returns what is known of its value
//! ([`known::Inferred`]): literals, typed parameters, declared return types. Everything else is Any. A finding is made only
//! where no value can be right.

mod calls;
mod conditions;
mod known;
mod resources;
mod variables;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::index::{Index, Known};
use super::names::lower_name;
use super::{Finding, Unjudged, finding, literal_spans};
use crate::data::Document;
use crate::error::Error;
use crate::eval::{Environment, literal_value};
use crate::stack;
use crate::syntax::tree::{Definition, Expression, Id, Literal, Parameter, Tree, UnaryOperator};
use crate::text::Span;
use crate::types::describe::for_message;
use crate::types::{RegexpType, Type};
use crate::value::{EcoString, Value};
use known::{Conflict, Inferred};
use variables::{Scope, ScopeKind};

#[derive(Clone, Debug)]
pub(super) struct LookedUp {
    pub(super) key: String,
    pub(super) span: Span,
    /// Whether the call handles a missing key: by a default value, a block …
    pub(super) has_default: bool,
}

#[derive(Default)]
pub(super) struct Outcome {
    pub(super) findings: Vec<Finding>,
    pub(super) unjudged: Vec<Unjudged>,
    pub(super) looked_up: Vec<LookedUp>,
    /// How many calls, resources and other expressions were compared with what is declared.
    pub(super) compared: usize,
}

pub(super) struct Bodies<'a> {
    environment: &'a mut Environment,
    index: &'a mut Index,
    tree: &'a Tree,
    scopes: Vec<Scope>,
    /// Whether match variables may be set here.
    is_matched: bool,
    /// The resource types that have defaults somewhere in the program.
    defaults: &'a [String],
    outcome: Outcome,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(
        environment: &'a mut Environment,
        index: &'a mut Index,
        tree: &'a Tree,
        defaults: &'a [String],
    ) -> Bodies<'a> {
        let scopes = vec![Scope::new(ScopeKind::Top)];
        Bodies { environment, index, tree, scopes, is_matched: false, defaults, outcome: Outcome::default() }
    }

    pub(super) fn visited(mut self) -> Outcome {
        self.visit(self.tree.body);
        self.outcome
    }

    /// Something that Puppet rejects, or that surely is a mistake.
    fn error(&mut self, issue: &'static str, span: Span, message: impl Into<String>, help: Option<String>) {
        self.report(true, issue, span, message.into(), help);
    }

    /// Something that is most likely a mistake.
    fn warning(&mut self, issue: &'static str, span: Span, message: impl Into<String>, help: Option<String>) {
        self.report(false, issue, span, message.into(), help);
    }

    fn report(&mut self, is_error: bool, issue: &'static str, span: Span, message: String, help: Option<String>) {
        let span = super::first_line(&self.tree.source, span);
        let error = Error::coded(issue, message).at(span).in_source(&self.tree.source);
        let error = help.into_iter().fold(error, Error::with_help);
        self.outcome.findings.push(Finding { is_error, error, mismatch: None });
    }

    fn unjudged(&mut self, unjudged: Unjudged) {
        self.outcome.unjudged.push(unjudged);
    }

    /// Reports that the value of an expression cannot be of a type: `about` names the parameter or argument, and has advice.
    fn compare(&mut self, id: Id, found: &Inferred, expected: &Type, about: impl FnOnce() -> (String, Option<String>)) {
        self.outcome.compared += 1;
        let Some(conflict) = found.conflict(expected) else { return };
        let (what, help) = about();
        match conflict {
            Conflict::Types => {
                let span = self.tree[id].span;
                let message = format!(
                    "{what} expected {}, got a value of type {}",
                    for_message(expected),
                    for_message(&found.type_())
                );
                self.error(super::TYPE_MISMATCH, span, message, help);
            }
            Conflict::Parts(parts) => {
                let value = found.partial_value().cloned().unwrap_or(Value::Undef);
                let place = literal_spans::place(self.tree, id);
                let document = Document::of_program(&self.tree.source, value, place);
                for mismatch in parts {
                    let mut finding = finding(&document, mismatch);
                    finding.error = finding.error.about(&what);
                    self.outcome.findings.push(finding);
                    self.add_help(help.clone());
                }
            }
        }
    }

    fn add_help(&mut self, help: Option<String>) {
        if let (Some(last), Some(help)) = (self.outcome.findings.last_mut(), help) {
            last.error = last.error.clone().with_help(help);
        }
    }

    fn visit_all(&mut self, ids: &[Id]) -> Vec<Inferred> {
        ids.iter().map(|id| self.visit(*id)).collect()
    }

    fn visit(&mut self, id: Id) -> Inferred {
        stack::with_room(|| self.visit_one(id))
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each form of the language")]
    fn visit_one(&mut self, id: Id) -> Inferred {
        let tree = self.tree;
        let node = &tree[id];
        match &node.expression {
            Expression::Nop => Inferred::Value(Value::Undef),
            Expression::Literal(Literal::Regexp(_)) => Inferred::bare::<RegexpType>(),
            Expression::Literal(literal) => literal_value(literal).map_or_else(|_| Inferred::any(), Inferred::Value),
            Expression::Name(word) => Inferred::Value(Value::String(word.clone())),
            Expression::Reserved(_) | Expression::RenderString(_) => Inferred::any(),
            Expression::Reference(_) => self.reference(id),
            Expression::Variable(name) => self.variable(name, node.span),
            Expression::Concatenation(parts) => {
                for part in parts {
                    self.visit(*part);
                }
                Inferred::text()
            }
            Expression::Text(inner) => {
                self.visit(*inner);
                Inferred::text()
            }
            Expression::Heredoc { text: inner, .. } | Expression::Parenthesized(inner) => self.visit(*inner),
            Expression::Array(elements) => {
                let found = self.visit_all(elements);
                let unfolds = elements.iter().any(|id| self.is_unfold(*id));
                if unfolds { Inferred::named("Array") } else { Inferred::array(&found) }
            }
            Expression::Hash(entries) => {
                let found = entries.iter().map(|(key, value)| {
                    let key = self.visit(*key).value().cloned();
                    (key, self.visit(*value))
                });
                let found = found.collect();
                Inferred::hash(found)
            }
            Expression::Unary(operator, inner) => self.unary(*operator, *inner),
            Expression::Binary(operator, left, right) => self.binary(id, *operator, *left, *right),
            Expression::Assignment(_, target, value) => self.assignment(*target, *value),
            Expression::Access(target, keys) => self.access(id, *target, keys),
            Expression::Selector(subject, options) => self.selector(*subject, options),
            Expression::Case(subject, options) => self.case(*subject, options),
            Expression::If { condition, then, otherwise } => self.conditional(*condition, Some(*then), *otherwise),
            Expression::Unless { condition, then, otherwise } => {
                self.conditional(*condition, *otherwise, Some(*then));
                Inferred::any()
            }
            Expression::Call { functor, arguments, lambda, .. } => self.call(*functor, None, arguments, *lambda),
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                self.call(*name, Some(*receiver), arguments, *lambda)
            }
            Expression::Lambda { parameters, body, .. } => {
                self.lambda(parameters, *body);
                Inferred::any()
            }
            Expression::Block(statements) => {
                statements.iter().fold(Inferred::any(), |_, statement| self.visit(*statement))
            }
            // Aliases are evaluated by the check of declarations.
            Expression::TypeAlias { .. } | Expression::TypeMapping(..) | Expression::TypeDefinition { .. } => {
                Inferred::any()
            }
            Expression::Class { definition, .. } => {
                let name = lower_name(&definition.name);
                let known = self.index.resource(&name, self.environment).filter(|known| self.is_here(known, id));
                self.parent(id);
                self.definition(ScopeKind::Class, definition, known.as_deref());
                Inferred::any()
            }
            Expression::Define(definition) => {
                let name = lower_name(&definition.name);
                let known = self.index.resource(&name, self.environment).filter(|known| self.is_here(known, id));
                self.definition(ScopeKind::Define, definition, known.as_deref());
                Inferred::any()
            }
            Expression::Function(definition) => {
                let name = lower_name(&definition.name);
                let known = self.index.function(&name, self.environment).filter(|known| self.is_here(known, id));
                let returned = self.definition(ScopeKind::Function, definition, known.as_deref());
                self.returned(definition, known.as_deref(), &returned);
                Inferred::any()
            }
            Expression::NodeDefinition { body, .. } => {
                let before = std::mem::replace(&mut self.is_matched, true);
                self.scopes.push(Scope::new(ScopeKind::Node));
                self.visit(*body);
                self.scopes.pop();
                self.is_matched = before;
                Inferred::any()
            }
            Expression::Resource { kind, type_name, bodies, .. } => {
                self.resource(*kind, *type_name, bodies);
                Inferred::any()
            }
            Expression::Collector { type_name, operations, .. } => {
                self.collector(*type_name, operations);
                Inferred::any()
            }
            Expression::Render(inner) => {
                self.visit(*inner);
                Inferred::any()
            }
            Expression::Epp { parameters, parameters_specified, body } => {
                let kind = if *parameters_specified { ScopeKind::Template } else { ScopeKind::OpenTemplate };
                let types = parameters.iter().map(|parameter| self.type_of(parameter.type_)).collect();
                self.in_scope(kind, parameters, types, *body, None);
                Inferred::any()
            }
        }
    }

    fn is_here(&self, known: &Known, id: Id) -> bool {
        known.id == id && known.tree.source.name() == self.tree.source.name()
    }

    fn is_unfold(&self, id: Id) -> bool {
        matches!(self.tree[id].expression, Expression::Unary(UnaryOperator::Unfold, _))
    }

    /// The type that is written before a parameter; Any if it is not known.
    fn type_of(&mut self, id: Option<Id>) -> Type {
        let Some(id) = id else { return Type::any() };
        match self.environment.value_of(self.tree, id) {
            Ok(Some(Value::Type(type_))) => type_,
            _ => Type::any(),
        }
    }

    /// Visits the body of a definition; returns what is known of the value of its last statement.
    fn definition(&mut self, kind: ScopeKind, definition: &Definition, known: Option<&Known>) -> Inferred {
        let types: Vec<Type> = match known {
            Some(known) => known.types.iter().map(|type_| type_.clone().unwrap_or_else(Type::any)).collect(),
            None => vec![Type::any(); definition.parameters.len()],
        };
        let parent = known.and_then(|known| known.parent.clone());
        let before = std::mem::replace(&mut self.is_matched, false);
        let outer = std::mem::take(&mut self.scopes);
        self.scopes.push(Scope { parent, ..Scope::new(ScopeKind::Top) });
        let assigned = known.map(|known| known.assigned.clone());
        let returned = self.in_scope(kind, &definition.parameters, types, definition.body, assigned);
        self.scopes = outer;
        self.is_matched = before;
        returned
    }

    /// Visits a body in a new scope for the variables that are set in it.
    fn in_scope(
        &mut self,
        kind: ScopeKind,
        parameters: &[Parameter],
        types: Vec<Type>,
        body: Id,
        assigned: Option<Arc<FxHashSet<EcoString>>>,
    ) -> Inferred {
        let assigned = assigned.unwrap_or_else(|| Arc::new(super::program::assigned(self.tree, body)));
        let array = |type_: Type| Inferred::Type(crate::types::ArrayType::new(type_, None).into());
        let entries = parameters.iter().zip(types).map(|(parameter, type_)| {
            let inferred = if parameter.captures_rest { array(type_) } else { Inferred::Type(type_) };
            (parameter.name.clone(), inferred)
        });
        let scope = Scope { kind, variables: entries.collect(), assigned, parent: None };
        self.scopes.push(scope);
        for default in parameters.iter().filter_map(|parameter| parameter.default) {
            self.visit(default);
        }
        let returned = self.visit(body);
        self.scopes.pop();
        returned
    }

    /// The body of a lambda, whose parameters are of the declared types.
    fn lambda(&mut self, parameters: &[Parameter], body: Id) {
        let types = parameters.iter().map(|parameter| self.type_of(parameter.type_)).collect();
        self.in_scope(ScopeKind::Lambda, parameters, types, body, None);
    }

    /// Checks the last statement of a function against its return type.
    fn returned(&mut self, definition: &Definition, known: Option<&Known>, returned: &Inferred) {
        let Some(known) = known.filter(|_| definition.return_type.is_some()) else { return };
        let last = match &self.tree[definition.body].expression {
            Expression::Block(statements) => statements.last().copied(),
            _ => Some(definition.body),
        };
        // A call of `return` or of `fail` never gives its value, and branches are not followed.
        let is_plain = |id: Id| {
            matches!(
                self.tree[id].expression,
                Expression::Literal(_)
                    | Expression::Array(_)
                    | Expression::Hash(_)
                    | Expression::Concatenation(_)
                    | Expression::Variable(_)
            )
        };
        if let Some(last) = last.filter(|id| is_plain(*id)) {
            let about = || (format!("the result of {}", definition.name), None);
            self.compare(last, returned, &known.return_type, about);
        }
    }
}
