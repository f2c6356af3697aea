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
mod results;
mod templates;
mod variables;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::hiera_data::Data;
use super::index::Index;
use super::program::{assigned, lower_name};
use super::{Checked, Checker, Fix, TYPE_MISMATCH, Unjudged, finding, program, repairs};
use crate::data::Document;
use crate::error::Error;
use crate::eval::{Environment, METAPARAMETERS, literal_value};
use crate::explain::{meet::overlap, mismatch::code};
use crate::syntax::tree::{Definition, Expression, Id, Literal, Parameter, Tree, UnaryOperator};
use crate::text::{Source, Span};
use crate::types::{Type, describe::for_message};
use crate::value::{EcoString, Value};
use crate::{format, stack};
use known::{Conflict, Inferred, type_of_hole};
use variables::{Scope, ScopeKind};

struct Bodies<'a> {
    environment: &'a mut Environment,
    index: &'a mut Index,
    data: &'a Data,
    tree: &'a Tree,
    scopes: Vec<Scope>,
    /// What the values of variables depend on: the names in their expressions and in the conditions around these.
    deciders: FxHashMap<EcoString, variables::Names>,
    /// The values that data give the parameters of the lambdas around this place.
    turns: FxHashMap<EcoString, Vec<(&'a Arc<Source>, Inferred)>>,
    /// The classes around this place, by their names in lower case.
    around: Vec<EcoString>,
    /// Whether match variables may be set here.
    is_matched: bool,
    checked: Checked,
}

impl Checker<'_> {
    pub(super) fn check_bodies(&mut self, tree: &Tree) -> Checked {
        let mut bodies = Bodies {
            environment: &mut self.session.environment,
            index: &mut self.index,
            data: &self.data,
            tree,
            scopes: vec![Scope::default()],
            deciders: FxHashMap::default(),
            turns: FxHashMap::default(),
            around: Vec::new(),
            is_matched: false,
            checked: Checked::default(),
        };
        bodies.visit(tree.body);
        bodies.checked
    }
}

impl Bodies<'_> {
    /// Something that Puppet rejects, or that surely is a mistake.
    fn error(&mut self, issue: &'static str, span: Span, message: impl Into<String>, help: Option<String>) {
        let error = help.into_iter().fold(Error::new(issue, message), Error::with_help);
        self.checked.error(&self.tree.source, span, error);
    }

    fn warning(&mut self, issue: &'static str, span: Span, message: impl Into<String>, help: Option<String>) {
        let error = help.into_iter().fold(Error::new(issue, message), Error::with_help);
        self.checked.warning(&self.tree.source, span, error);
    }

    fn unjudged(&mut self, unjudged: Unjudged) {
        self.checked.unjudged.push(unjudged);
    }

    /// Reports that the value of an expression cannot be of a type: `about` names the parameter or argument, and has advice.
    fn compare(&mut self, id: Id, found: &Inferred, expected: &Type, about: impl FnOnce() -> (String, Option<String>)) {
        self.checked.compared += 1;
        let conflict = found.conflict(expected);
        if conflict.is_none() && self.branches(found).is_empty() {
            return;
        }
        let (what, help) = about();
        let Some(conflict) = conflict else { return self.compare_branches(found, expected, &what, help.as_ref()) };
        let message = |what: &str, expected: &Type, got: &Type| {
            format!("{what} expected {}, got a value of type {}", for_message(expected), for_message(got))
        };
        match conflict {
            Conflict::Types => {
                // Without lengths and ranges, unless these are what is wrong.
                let general = found.type_().generalized();
                let got = if overlap(expected, &general) { found.type_().into_owned() } else { general };
                self.error(TYPE_MISMATCH, self.tree[id].span, message(&what, expected, &got), help);
            }
            Conflict::Parts(parts) => {
                let value = found.partial_value().cloned().unwrap_or(Value::Undef);
                let place = program::place(self.tree, id);
                let document = Document::of_program(&self.tree.source, value, place);
                for wrong in parts {
                    let mismatch = &wrong.mismatch;
                    if let Some(type_) = type_of_hole(mismatch.found_part()) {
                        let span = document.place.find(&mismatch.path);
                        let what = format!("{what} {}:", code(&mismatch.path));
                        self.error(TYPE_MISMATCH, span, message(&what, &mismatch.expected, type_), help.clone());
                        continue;
                    }
                    let mut finding = finding(&document, wrong);
                    finding.error = help.iter().cloned().fold(finding.error.about(&what), Error::with_help);
                    self.checked.findings.push(finding);
                }
            }
        }
    }

    /// The branches that can be judged alone: a condition may have narrowed the type of a variable.
    fn branches<'f>(&self, found: &'f Inferred) -> Vec<&'f (Id, Inferred)> {
        let Inferred::Branches(all, _) = found else { return Vec::new() };
        all.iter().filter(|(id, _)| !matches!(self.tree[*id].expression, Expression::Variable(_))).collect()
    }

    /// The value of each branch. One that is not written is undef, and perhaps never reached.
    fn compare_branches(&mut self, found: &Inferred, expected: &Type, what: &str, help: Option<&String>) {
        for (id, branch) in self.branches(found) {
            // The conditions of a chain may be all there are.
            if self.tree.source.slice(self.tree[*id].span).starts_with("elsif") {
                continue;
            }
            let missing = match self.tree[*id].expression {
                Expression::If { .. } | Expression::Unless { .. } => Some("without `else` the value may be undef"),
                Expression::Case(..) => Some("without `default` the value may be undef"),
                _ => None,
            };
            let first = self.checked.findings.len();
            self.compare(*id, branch, expected, || (what.to_owned(), missing.map(str::to_owned).or(help.cloned())));
            if missing.is_some() {
                self.checked.findings.iter_mut().skip(first).for_each(|finding| finding.is_error = false);
            }
        }
    }

    /// Gives the last finding a fix if only one of these words can be meant.
    fn fix_word<'n>(&mut self, span: Span, written: &str, words: impl IntoIterator<Item = &'n str>) {
        let fix = repairs::only_meaning(written, words).and_then(|meant| {
            let edit = repairs::respelled(&self.tree.source, None, span, written, meant)?;
            Some(Fix { text: format!("write {meant}"), edits: vec![edit], meant: Vec::new() })
        });
        self.checked.findings.last_mut().into_iter().for_each(|last| last.fix.clone_from(&fix));
    }

    fn visit_all(&mut self, ids: &[Id]) -> Vec<Inferred> {
        ids.iter().map(|id| self.visit(*id)).collect()
    }

    fn visit(&mut self, id: Id) -> Inferred {
        let found = stack::with_room(|| self.visit_one(id));
        self.or_fact(id, found)
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each form of the language")]
    fn visit_one(&mut self, id: Id) -> Inferred {
        let tree = self.tree;
        let node = &tree[id];
        match &node.expression {
            Expression::Nop => Inferred::Value(Value::Undef),
            Expression::Literal(Literal::Regexp(_)) => Inferred::named("Regexp"),
            Expression::Literal(literal) => literal_value(literal).map_or_else(|_| Inferred::any(), Inferred::Value),
            Expression::Name(word) => Inferred::Value(Value::String(word.clone())),
            Expression::Reserved(_)
            | Expression::RenderString(_)
            // Aliases are evaluated by the check of declarations.
            | Expression::TypeAlias { .. }
            | Expression::TypeMapping(..)
            | Expression::TypeDefinition { .. } => Inferred::any(),
            Expression::Reference(_) => self.reference(id),
            Expression::Variable(name) => self.variable(name, node.span),
            Expression::Concatenation(parts) => {
                let found = self.visit_all(parts);
                self.secrets_in_text(parts, &found);
                // The text of other values depends on formats.
                let text = |part: &Inferred| {
                    part.value().filter(|one| matches!(one, Value::String(_) | Value::Integer(_))).map(format::text)
                };
                let text: Option<String> = found.iter().map(text).collect();
                text.map_or_else(Inferred::text, |text| Inferred::Value(Value::from(text)))
            }
            // Only the string around an interpolation makes a String of its value.
            Expression::Heredoc { text: inner, .. } | Expression::Parenthesized(inner) => self.visit(*inner),
            Expression::Text(inner) => self.shown(*inner),
            Expression::Array(elements) => {
                let found = self.visit_all(elements);
                let unfolds = elements.iter().any(|id| self.is_unfold(*id));
                if unfolds { Inferred::named("Array") } else { Inferred::array(&found) }
            }
            Expression::Hash(entries) => {
                let entry = |(key, value): &(Id, Id)| (self.visit(*key).value().cloned(), self.visit(*value));
                Inferred::hash(entries.iter().map(entry).collect())
            }
            Expression::Unary(operator, inner) => self.unary(*operator, *inner),
            Expression::Binary(operator, left, right) => self.binary(id, *operator, *left, *right),
            Expression::Assignment(_, target, value) => self.assignment(*target, *value),
            Expression::Access(target, keys) => self.access(id, *target, keys),
            Expression::Selector(subject, options) => {
                let options = options.iter().map(|(value, then)| (std::slice::from_ref(value), *then));
                self.options(id, false, *subject, &options.collect::<Vec<_>>())
            }
            Expression::Case(subject, options) => {
                let options = options.iter().map(|option| (&option.values[..], option.then));
                self.options(id, true, *subject, &options.collect::<Vec<_>>())
            }
            Expression::If { condition, then, otherwise } => self.conditional(id, *condition, Some(*then), *otherwise),
            Expression::Unless { condition, then, otherwise } => {
                self.conditional(id, *condition, *otherwise, Some(*then))
            }
            Expression::Call { functor, arguments, lambda, .. } => self.call(*functor, None, arguments, *lambda),
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                self.call(*name, Some(*receiver), arguments, *lambda)
            }
            Expression::Lambda { parameters, body, .. } => {
                self.lambda(parameters, *body, &[]);
                Inferred::any()
            }
            Expression::Block(statements) => {
                statements.iter().fold(Inferred::any(), |_, statement| self.visit(*statement))
            }
            Expression::Class { definition, parent } => {
                if let Some(parent) = parent {
                    self.parent(definition, parent);
                }
                self.definition(ScopeKind::Class, id, definition)
            }
            Expression::Define(definition) => self.definition(ScopeKind::Define, id, definition),
            Expression::Function(definition) => self.definition(ScopeKind::Function, id, definition),
            Expression::NodeDefinition { body, .. } => {
                let before = std::mem::replace(&mut self.is_matched, true);
                self.scopes.push(Scope { kind: ScopeKind::Node, ..Scope::default() });
                self.visit(*body);
                self.scopes.pop();
                self.is_matched = before;
                Inferred::any()
            }
            Expression::Resource { kind, type_name, bodies, .. } => self.resource(*kind, *type_name, bodies),
            Expression::Collector { type_name, operations, .. } => self.collector(*type_name, operations),
            Expression::Render(inner) => {
                self.shown(*inner);
                Inferred::any()
            }
            Expression::Epp { parameters, parameters_specified, body } => {
                let kind = if *parameters_specified { ScopeKind::Template } else { ScopeKind::OpenTemplate };
                let types: Vec<Type> = parameters.iter().map(|parameter| self.type_of(parameter.type_)).collect();
                for (parameter, type_) in parameters.iter().zip(&types) {
                    if let Some(default) = parameter.default {
                        let found = self.visit(default);
                        self.compare(default, &found, type_, || (format!("the default of ${}", parameter.name), None));
                    }
                }
                self.in_scope(self.scope_of(kind, *body), parameters, types, *body);
                Inferred::any()
            }
        }
    }

    /// Visits a part of a text. A lambda with one parameter is given entries of a Hash as pairs.
    fn shown(&mut self, id: Id) -> Inferred {
        let found = self.visit(id);
        if let Expression::Variable(name) = &self.tree[id].expression
            && let Some(scope) = self.scopes.iter().rev().find(|scope| scope.variables.contains_key(name))
            && scope.kind == ScopeKind::Lambda
            && !scope.assigned.contains(name)
            && matches!(&*found.type_(), Type::Tuple(pair) if pair.only_size() == Some(2))
        {
            let message = format!("${name} is a pair here, not one value");
            let help = format!("give the block two parameters, |$key, ${name}|, or write ${name}[1]");
            self.warning(TYPE_MISMATCH, self.tree[id].span, message, Some(help));
        }
        found
    }

    /// A Sensitive in a string does not show what is in it. Templates are given what is inside of theirs.
    fn secrets_in_text(&mut self, parts: &[Id], found: &[Inferred]) {
        let is_template = |scope: &Scope| matches!(scope.kind, ScopeKind::Template | ScopeKind::OpenTemplate);
        // Where there is something, it is a Sensitive; a parameter may be given one.
        let is_secret = |(id, found): &(&Id, &Inferred)| {
            let mut some = found.type_().alternatives();
            some.retain(|type_| !matches!(&*type_.behind_aliases(), Type::Undef(_)));
            let mut secrets = some.iter().map(|type_| matches!(&*type_.behind_aliases(), Type::Sensitive(_)));
            let is_parameter = matches!(&self.tree[**id].expression, Expression::Text(inner)
                if matches!(&self.tree[*inner].expression, Expression::Variable(name)
                    if self.scopes.iter().all(|scope| !scope.assigned.contains(name))));
            !some.is_empty() && if is_parameter { secrets.any(|one| one) } else { secrets.all(|one| one) }
        };
        let secret = parts.iter().zip(found).find(is_secret);
        if let Some((id, _)) = secret.filter(|_| !self.scopes.iter().any(is_template)) {
            let message = "the string says [value redacted] instead of what is in the Sensitive";
            let help = "write Sensitive(\"… ${$secret.unwrap} …\")".to_owned();
            self.warning("REDACTED_TEXT", self.tree[*id].span, message, Some(help));
        }
    }

    fn is_default(&self, id: Id) -> bool {
        matches!(self.tree[id].expression, Expression::Literal(Literal::Default))
    }

    fn is_unfold(&self, id: Id) -> bool {
        matches!(self.tree[id].expression, Expression::Unary(UnaryOperator::Unfold, _))
    }

    /// The type that is written before a parameter; Any if it is not known.
    fn type_of(&mut self, id: Option<Id>) -> Type {
        id.and_then(|id| self.environment.written_type(self.tree, id)).unwrap_or_else(Type::any)
    }

    /// Visits the body of a definition. Others of that name may be known instead.
    fn definition(&mut self, kind: ScopeKind, id: Id, definition: &Definition) -> Inferred {
        let Definition { parameters, body, .. } = definition;
        let name = lower_name(&definition.name);
        let name = match self.around.last() {
            Some(outer) => ecow::eco_format!("{outer}::{name}"),
            None => EcoString::from(&*name),
        };
        let find = if kind == ScopeKind::Function { Index::function } else { Index::resource };
        let known = find(self.index, &name, self.environment);
        let known = known.filter(|known| known.id == id && known.tree.source.name() == self.tree.source.name());
        let types: Vec<Type> = match &known {
            Some(known) => known.types.iter().map(|type_| type_.clone().unwrap_or_else(Type::any)).collect(),
            None => vec![Type::any(); parameters.len()],
        };
        // Observed: Puppet 7.23 only warns of one with a default value.
        let is_taken = |one: &&Parameter| {
            METAPARAMETERS.contains(&&*one.name)
                && one.default.is_none()
                && !matches!(&*one.name, "name" | "consume" | "export")
        };
        if kind == ScopeKind::Function {
            self.order(parameters);
            let before_last = parameters.split_last().map_or(&[][..], |(_, before)| before);
            if let Some(early) = before_last.iter().find(|one| one.captures_rest) {
                let message = format!("`*${}` must be the last parameter", early.name);
                self.warning("CAPTURES_REST_NOT_LAST", early.name_span, message, None);
            }
        } else if let Some(taken) = parameters.iter().find(is_taken) {
            let message = format!("{} is a metaparameter: every resource has it", taken.name);
            self.error("METAPARAMETER", taken.name_span, message, Some("choose another name".to_owned()));
        }
        self.unset_defaults(parameters, &types);
        let parent = known.as_ref().and_then(|known| known.parent.clone());
        let scope = match &known {
            Some(known) => Scope { kind, assigned: known.assigned.clone(), ..Scope::default() },
            None => self.scope_of(kind, *body),
        };
        let before = std::mem::replace(&mut self.is_matched, false);
        let outer = std::mem::replace(&mut self.scopes, vec![Scope { parent, ..Scope::default() }]);
        let inside = self.around.len();
        self.around.extend((kind == ScopeKind::Class).then_some(name));
        let returned = self.in_scope(scope, parameters, types, *body);
        self.around.truncate(inside);
        self.scopes = outer;
        self.is_matched = before;
        if let Some(known) = known.filter(|_| definition.return_type.is_some()) {
            let about = || (format!("the result of {}", definition.name), None);
            self.compare(self.last_of(*body), &returned, &known.return_type, about);
        }
        Inferred::any()
    }

    fn scope_of(&self, kind: ScopeKind, body: Id) -> Scope {
        Scope { kind, assigned: Arc::new(assigned(self.tree, body)), ..Scope::default() }
    }

    fn in_scope(&mut self, scope: Scope, parameters: &[Parameter], types: Vec<Type>, body: Id) -> Inferred {
        let array = |type_: Type| Inferred::Type(crate::types::ArrayType::new(type_, None).into());
        let entries = parameters.iter().zip(types).map(|(parameter, type_)| {
            let inferred = if parameter.captures_rest { array(type_) } else { Inferred::Type(type_) };
            (parameter.name.clone(), (body, inferred))
        });
        let certain = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        self.scopes.push(Scope { variables: entries.collect(), certain, ..scope });
        for default in parameters.iter().filter_map(|parameter| parameter.default) {
            let found = self.visit(default);
            self.default_template(default, &found);
        }
        let returned = self.visit(body);
        self.scopes.pop();
        returned
    }

    /// Parameters of a function or lambda whose order Puppet refuses when it is called.
    fn order(&mut self, parameters: &[Parameter]) {
        let is_optional = |one: &&Parameter| one.default.is_some() || one.captures_rest;
        let mut rest = parameters.iter();
        let Some(optional) = rest.find(is_optional) else { return };
        if let Some(required) = rest.find(|one| !is_optional(one)) {
            let message = format!("the required parameter ${} is after the optional ${}", required.name, optional.name);
            let help = format!("write ${} first, or give it a default value", required.name);
            self.error("REQUIRED_PARAMETER_AFTER_OPTIONAL", required.name_span, message, Some(help));
        }
    }

    /// Visits a lambda; `given` are the types of its arguments, as far as they are known.
    fn lambda(&mut self, parameters: &[Parameter], body: Id, given: &[Type]) -> Inferred {
        self.order(parameters);
        let mut given = given.iter();
        let types = parameters.iter().map(|parameter| {
            let given = given.next();
            let Some(written) = parameter.type_ else { return given.cloned().unwrap_or_else(Type::any) };
            let expected = self.type_of(Some(written));
            if let Some(given) = given.filter(|given| !overlap(&expected, given)) {
                let (expected, given) = (for_message(&expected), for_message(given));
                let message = format!("the parameter ${} expects {expected}, but is given {given}", parameter.name);
                self.error(TYPE_MISMATCH, self.tree[written].span, message, None);
            }
            expected
        });
        let types = types.collect();
        self.in_scope(self.scope_of(ScopeKind::Lambda, body), parameters, types, body)
    }

    /// The expression that gives a body its value.
    fn last_of(&self, body: Id) -> Id {
        match &self.tree[body].expression {
            Expression::Block(statements) => statements.last().map_or(body, |last| self.last_of(*last)),
            Expression::Parenthesized(inner) => self.last_of(*inner),
            _ => body,
        }
    }
}
