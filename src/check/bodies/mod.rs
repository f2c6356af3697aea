//! Checks the bodies of definitions and templates without a catalog: parameters of classes, defined types and resource
//! types, arguments of functions, unknown names, operators, and branches that are never reached.
//!
//! Every expression is visited once, in the order of evaluation. The visit returns what is known about its value
//! ([`known::Inferred`]), from literals, parameter types and return types; any other value has type Any. A mistake
//! is reported only if no possible value is valid.

mod calls;
mod conditions;
mod known;
mod options;
mod resources;
mod results;
mod templates;
mod variables;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::hiera_keys::HieraData;
use super::index::Index;
use super::program::{assigned_variables, normalize_name};
use super::{Checked, Checker, Finding, TYPE_MISMATCH, mismatch_finding, program};
use crate::data::Document;
use crate::error::Error;
use crate::eval::{Environment, METAPARAMETERS, RESERVED_VARIABLES, literal_value};
use crate::explain::{meet::may_overlap, mismatch::path_as_code};
use crate::stack;
use crate::syntax::tree::{Definition, DefinitionKind, Expression, Id, Literal, Parameter, Tree, UnaryOperator};
use crate::text::{Source, Span};
use crate::types::{ArrayType, Type, describe::describe_type};
use crate::value::{EcoString, Value};
use known::{Inferred, type_of_unknown_part};
use results::without_undef;
use variables::{Scope, ScopeKind};

struct BodyChecker<'a> {
    environment: &'a mut Environment,
    index: &'a mut Index,
    data: &'a HieraData,
    tree: &'a Tree,
    scopes: Vec<Scope>,
    /// For each variable, the variables and functions on which its value depends, also through conditions.
    value_dependencies: FxHashMap<EcoString, variables::Names>,
    /// For each parameter of a lambda that iterates over Hiera data, all values it takes there, with their data files.
    turns: FxHashMap<EcoString, Vec<(&'a Arc<Source>, Inferred)>>,
    /// The names of the enclosing classes, in lower case, outermost first.
    enclosing_classes: Vec<EcoString>,
    /// The number of groups that a match may have set here, `$1` up to `$n`; `None` if nothing was matched yet.
    match_variable_count: Option<usize>,
    result: Checked,
}

impl Checker<'_> {
    pub(super) fn check_bodies(&mut self, tree: &Tree) -> Checked {
        let mut bodies = BodyChecker {
            environment: &mut self.session.environment,
            index: &mut self.index,
            data: &self.data,
            tree,
            scopes: vec![Scope::default()],
            value_dependencies: FxHashMap::default(),
            turns: FxHashMap::default(),
            enclosing_classes: Vec::new(),
            match_variable_count: None,
            result: Checked::default(),
        };
        bodies.visit(tree.body);
        bodies.result
    }
}

impl BodyChecker<'_> {
    /// Reports an error in the current file: code that Puppet rejects, or that is certainly a mistake.
    fn add_error(&mut self, issue: &'static str, span: Span, message: impl Into<String>) -> &mut Finding {
        self.result.add_error(&self.tree.source, span, Error::new(issue, message))
    }

    fn add_warning(&mut self, issue: &'static str, span: Span, message: impl Into<String>) -> &mut Finding {
        self.result.add_warning(&self.tree.source, span, Error::new(issue, message))
    }

    /// Reports a value that cannot have the type `type_`. `about` returns what the message calls it, and the help.
    fn check_type(&mut self, id: Id, found: &Inferred, type_: &Type, about: impl FnOnce() -> (String, Option<String>)) {
        self.result.compared += 1;
        let conflict = found.conflict_with_type(type_);
        if conflict.is_none() && self.branches_to_check(found).is_empty() {
            return;
        }
        let (what, help) = about();
        let Some(conflict) = conflict else {
            return self.check_type_of_branches(found, type_, &what, help.as_ref());
        };
        let message = |what: &str, expected: &Type, got: &Type| {
            format!("{what} expected {}, got a value of type {}", describe_type(expected), describe_type(got))
        };
        if conflict.is_empty() {
            // Without lengths and ranges, unless these are what is wrong.
            let general = found.known_type().generalized();
            let got = if may_overlap(type_, &general) { found.known_type().into_owned() } else { general };
            return self.add_error(TYPE_MISMATCH, self.tree[id].span, message(&what, type_, &got)).help_if(help);
        }
        let value = found.partial_value().cloned().unwrap_or(Value::Undef);
        let place = program::location_tree_of_value(self.tree, id);
        let document = Document::from_program(&self.tree.source, value, place);
        for wrong in conflict {
            let mismatch = &wrong.mismatch;
            if let Some(type_) = type_of_unknown_part(mismatch.unhidden_found()) {
                let span = document.place.span_at_path(&mismatch.path);
                let what = format!("{what} {}:", path_as_code(&mismatch.path));
                let message = message(&what, &mismatch.expected, type_);
                self.add_error(TYPE_MISMATCH, span, message).help_if(help.clone());
            } else {
                let mut finding = mismatch_finding(&document, wrong);
                finding.error = finding.error.with_subject(&what);
                finding.help_if(help.clone());
                self.result.findings.push(finding);
            }
        }
    }

    /// Returns the branches of a value, except those that are variables, whose types a condition may have narrowed.
    fn branches_to_check<'f>(&self, found: &'f Inferred) -> Vec<&'f (Id, Inferred)> {
        let Inferred::Branches(all, _) = found else { return Vec::new() };
        all.iter().filter(|(id, _)| !matches!(self.tree[*id].expression, Expression::Variable(_))).collect()
    }

    /// Checks the type of each branch of `found`. The undef of a missing `else` or `default` is only a warning.
    fn check_type_of_branches(&mut self, found: &Inferred, expected: &Type, what: &str, help: Option<&String>) {
        for (id, branch) in self.branches_to_check(found) {
            // The conditions of a chain may be all there are.
            if self.tree.text_of(*id).starts_with("elsif") {
                continue;
            }
            let missing = match self.tree[*id].expression {
                Expression::If { .. } => Some("without `else` the value may be undef"),
                Expression::Case(..) => Some("without `default` the value may be undef"),
                _ => None,
            };
            let first = self.result.findings.len();
            self.check_type(*id, branch, expected, || (what.to_owned(), missing.map(str::to_owned).or(help.cloned())));
            if missing.is_some() {
                self.result.findings.iter_mut().skip(first).for_each(|finding| finding.is_error = false);
            }
        }
    }

    fn visit_all(&mut self, ids: &[Id]) -> Vec<Inferred> {
        ids.iter().map(|id| self.visit(*id)).collect()
    }

    fn visit(&mut self, id: Id) -> Inferred {
        let found = stack::with_room(|| self.dispatch_visit(id));
        let Some((path, last)) = self.fact_path(id).filter(|(path, _)| !path.is_empty()) else { return found };
        self.check_fact(&path, self.tree[last].span);
        let of_fact = self.infer_fact(&path);
        if of_fact.has_type_any() { found } else { of_fact }
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each form of the language")]
    fn dispatch_visit(&mut self, id: Id) -> Inferred {
        let tree = self.tree;
        let node = &tree[id];
        match &node.expression {
            Expression::Nop => Inferred::Value(Value::Undef),
            Expression::Literal(Literal::Regexp(_)) => Inferred::from_type_name("Regexp"),
            Expression::Literal(literal) => {
                if let Literal::String(text) = literal {
                    self.check_literal_dollars(id, text);
                }
                literal_value(literal).map_or_else(|_| Inferred::unknown(), Inferred::Value)
            }
            Expression::Name(word) => Inferred::Value(Value::String(word.clone())),
            Expression::Reserved(_)
            | Expression::RenderString(_)
            // Aliases are evaluated by the check of declarations.
            | Expression::TypeAlias { .. }
            | Expression::TypeMapping(..)
            | Expression::TypeDefinition(..) => Inferred::unknown(),
            Expression::Reference(_) => self.visit_type_reference(id),
            Expression::Variable(name) => self.visit_variable(name, node.span),
            Expression::Concatenation(parts) => {
                let found = self.visit_all(parts);
                self.check_interpolated_secrets(parts, &found);
                Inferred::from_interpolated_parts(&found)
            }
            // Only the string around an interpolation makes a String of its value.
            Expression::Heredoc(_, inner) | Expression::Parenthesized(inner) => self.visit(*inner),
            Expression::Text(inner) => self.visit_interpolated(*inner),
            Expression::Array(elements) => {
                let found = self.visit_all(elements);
                let unfolds = elements.iter().any(|id| self.is_unfold_expression(*id));
                if unfolds { Inferred::from_type_name("Array") } else { Inferred::from_elements(&found) }
            }
            Expression::Hash(entries) => {
                let entry = |(key, value): &(Id, Id)| (self.visit(*key).value().cloned(), self.visit(*value));
                Inferred::from_entries(entries.iter().map(entry).collect())
            }
            Expression::Unary(operator, inner) => self.visit_unary(*operator, *inner),
            Expression::Binary(operator, left, right) => self.visit_binary(id, *operator, *left, *right),
            Expression::Assignment(_, target, value) => self.visit_assignment(*target, *value),
            Expression::Access(target, keys) => self.visit_access(id, *target, keys),
            Expression::Selector(subject, options) | Expression::Case(subject, options) => {
                self.visit_case_or_selector(id, *subject, options)
            }
            Expression::If { is_unless, condition, then, otherwise } => {
                let (then, otherwise) = if *is_unless { (*otherwise, Some(*then)) } else { (Some(*then), *otherwise) };
                self.visit_if(id, *condition, then, otherwise)
            }
            call @ Expression::Call { functor, lambda, .. } => self.visit_call(*functor, &call.arguments(), *lambda),
            Expression::Lambda { parameters, body, .. } => {
                self.visit_lambda_body(parameters, *body, &[]);
                Inferred::unknown()
            }
            Expression::Block(statements) => self.visit_all(statements).pop().unwrap_or_else(Inferred::unknown),
            Expression::Definition(definition) => self.visit_definition(id, definition),
            Expression::NodeDefinition(.., body) => {
                let before = self.match_variable_count.replace(usize::MAX);
                self.visit_in_scope(Scope { kind: ScopeKind::Node, ..Scope::default() }, &[], &[], *body);
                self.match_variable_count = before;
                Inferred::unknown()
            }
            Expression::Resource { kind, type_name, bodies, .. } => self.visit_resource(*kind, *type_name, bodies),
            Expression::Collector { type_name, operations, .. } => self.visit_collector(*type_name, operations),
            Expression::Render(inner) => {
                self.visit_interpolated(*inner);
                Inferred::unknown()
            }
            Expression::Epp { parameters, parameters_specified, body } => {
                let kind = if *parameters_specified { ScopeKind::Template } else { ScopeKind::OpenTemplate };
                let types: Vec<Type> = parameters.iter().map(|parameter| self.evaluate_type_expression(parameter.type_)).collect();
                self.visit_in_scope(self.new_scope(kind, *body), parameters, &types, *body);
                Inferred::unknown()
            }
        }
    }

    /// Visits an interpolated expression. Reports a lambda's only parameter if it is a `[key, value]` pair of a Hash, and
    /// a key after a variable without braces, as in `"$facts['path']"`.
    fn visit_interpolated(&mut self, id: Id) -> Inferred {
        let found = self.visit(id);
        let (written, rest) = (self.tree.text_of(id), &self.tree.source.text()[self.tree[id].span.end as usize..]);
        if let Some(name) = written.strip_prefix('$')
            && (RESERVED_VARIABLES.contains(&name) || Type::built_in_type("Hash").accepts(&found.known_type()))
            && let Some((key, _)) = rest.strip_prefix("['").and_then(|rest| rest.split_once("']"))
        {
            self.add_warning(TYPE_MISMATCH, self.tree[id].span, format!("only {written} is replaced here"))
                .help(format!("write ${{{name}['{key}']}}"));
        }
        if let Expression::Variable(name) = &self.tree[id].expression
            && let Some((scope, _)) = self.find_variable(name)
            && scope.kind == ScopeKind::Lambda
            && !scope.assigned.contains(name)
            && matches!(&*found.known_type(), Type::Tuple(pair) if pair.exact_size() == Some(2))
        {
            self.add_warning(TYPE_MISMATCH, self.tree[id].span, format!("${name} is a pair here, not one value"))
                .help(format!("give the block two parameters, |$key, ${name}|, or write ${name}[1]"));
        }
        found
    }

    /// Reports an interpolated Sensitive value, which is redacted in the string. Ignores templates, which unwrap it.
    fn check_interpolated_secrets(&mut self, parts: &[Id], found: &[Inferred]) {
        // Where there is something, it is a Sensitive; a parameter may be given one.
        let is_secret = |(id, found): &(&Id, &Inferred)| {
            let some = without_undef(&found.known_type()).alternatives();
            let mut secrets = some.iter().map(|type_| matches!(type_, Type::Sensitive(_)));
            let is_parameter = matches!(&self.tree[**id].expression, Expression::Text(inner)
                if matches!(&self.tree[*inner].expression, Expression::Variable(name)
                    if self.scopes.iter().all(|scope| !scope.assigned.contains(name))));
            !some.is_empty() && if is_parameter { secrets.any(|one| one) } else { secrets.all(|one| one) }
        };
        let is_template = self.is_inside(&[ScopeKind::Template, ScopeKind::OpenTemplate]);
        if let Some((id, _)) = parts.iter().zip(found).find(is_secret).filter(|_| !is_template) {
            let message = "the string says [value redacted] instead of what is in the Sensitive";
            self.add_warning("REDACTED_TEXT", self.tree[*id].span, message)
                .help("write Sensitive(\"… ${$secret.unwrap} …\")");
        }
    }

    fn is_unfold_expression(&self, id: Id) -> bool {
        matches!(self.tree[id].expression, Expression::Unary(UnaryOperator::Unfold, _))
    }

    /// Returns the type that a type expression denotes; Any without an expression or if the type is not known.
    fn evaluate_type_expression(&mut self, id: Option<Id>) -> Type {
        id.and_then(|id| self.environment.static_type(self.tree, id)).unwrap_or_else(Type::any)
    }

    /// Visits a definition and its body. The parameters have type Any unless the index contains this definition.
    fn visit_definition(&mut self, id: Id, definition: &Definition) -> Inferred {
        let Definition { parameters, body, name_span, .. } = definition;
        if let Some(parent) = &definition.parent {
            let head = Span { start: name_span.end, end: self.tree[*body].span.start.max(name_span.end) };
            let at = self.tree.source.slice(head).rfind(&**parent).map(|at| name_span.range().end + at);
            self.resolve_class(parent, at.map_or(*name_span, |at| Span::new(at, at + parent.len())));
        }
        let kind = match definition.kind {
            DefinitionKind::Class => ScopeKind::Class,
            DefinitionKind::DefinedType => ScopeKind::Define,
            DefinitionKind::Function => ScopeKind::Function,
        };
        let name = normalize_name(&definition.name);
        let name = match self.enclosing_classes.last() {
            Some(outer) => ecow::eco_format!("{outer}::{name}"),
            None => EcoString::from(&*name),
        };
        let find = if kind == ScopeKind::Function { Index::puppet_function } else { Index::resource_type };
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
            self.check_parameter_order(parameters);
            let before_last = parameters.split_last().map_or(&[][..], |(_, before)| before);
            if let Some(early) = before_last.iter().find(|one| one.captures_rest) {
                let message = format!("`*${}` must be the last parameter", early.name);
                self.add_warning("CAPTURES_REST_NOT_LAST", early.name_span, message);
            }
        } else if let Some(taken) = parameters.iter().find(is_taken) {
            let message = format!("{} is a metaparameter: every resource has it", taken.name);
            self.add_error("METAPARAMETER", taken.name_span, message).help("choose another name");
        }
        self.check_defaults_from_class(parameters, &types);
        let parent_class = known.as_ref().and_then(|known| known.parent_class.clone());
        let scope = match &known {
            Some(known) => Scope { kind, assigned: known.assigned.clone(), ..Scope::default() },
            None => self.new_scope(kind, *body),
        };
        let before = self.match_variable_count.take();
        let outer = std::mem::replace(&mut self.scopes, vec![Scope { parent_class, ..Scope::default() }]);
        let inside = self.enclosing_classes.len();
        self.enclosing_classes.extend((kind == ScopeKind::Class).then_some(name));
        let returned = self.visit_in_scope(scope, parameters, &types, *body);
        self.enclosing_classes.truncate(inside);
        self.scopes = outer;
        self.match_variable_count = before;
        if let Some(known) = known.filter(|_| definition.return_type.is_some()) {
            let about = || (format!("the result of {}", definition.name), None);
            self.check_type(self.last_expression(*body), &returned, &known.return_type, about);
        }
        Inferred::unknown()
    }

    fn new_scope(&self, kind: ScopeKind, body: Id) -> Scope {
        Scope { kind, assigned: Arc::new(assigned_variables(self.tree, body)), ..Scope::default() }
    }

    fn visit_in_scope(&mut self, scope: Scope, parameters: &[Parameter], types: &[Type], body: Id) -> Inferred {
        let entries = parameters.iter().zip(types).map(|(parameter, type_)| {
            let array = || ArrayType::new(type_.clone(), None).into();
            let type_ = if parameter.captures_rest { array() } else { type_.clone() };
            (parameter.name.clone(), (parameter.default.unwrap_or(body), Inferred::Type(type_)))
        });
        let certain = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let is_template = matches!(scope.kind, ScopeKind::Template | ScopeKind::OpenTemplate);
        self.scopes.push(Scope { variables: entries.collect(), certain, ..scope });
        for (parameter, type_) in parameters.iter().zip(types) {
            let Some(default) = parameter.default else { continue };
            let found = self.visit(default);
            let about = || (format!("the default of ${}", parameter.name), None);
            // Those of programs are checked with their declarations.
            if is_template {
                self.check_type(default, &found, type_, about);
            }
            self.check_template_in_default(default, &found);
            // What one level of a hierarchy holds as a placeholder, another replaces.
            let values = self.data_values_of_expression(default);
            if values.iter().all(|(_, value)| value.conflict_with_type(type_).is_some()) {
                self.check_data_values(default, &found, |this, value| this.check_type(default, value, type_, about));
            }
        }
        let returned = self.visit(body);
        self.scopes.pop();
        returned
    }

    /// Reports a required parameter of a function or lambda after an optional one, which Puppet rejects in a call.
    fn check_parameter_order(&mut self, parameters: &[Parameter]) {
        let is_optional = |one: &&Parameter| one.default.is_some() || one.captures_rest;
        let mut rest = parameters.iter();
        let Some(optional) = rest.find(is_optional) else { return };
        if let Some(required) = rest.find(|one| !is_optional(one)) {
            let message = format!("the required parameter ${} is after the optional ${}", required.name, optional.name);
            self.add_error("REQUIRED_PARAMETER_AFTER_OPTIONAL", required.name_span, message)
                .help(format!("write ${} first, or give it a default value", required.name));
        }
    }

    fn visit_lambda_body(&mut self, parameters: &[Parameter], body: Id, given: &[Type]) -> Inferred {
        self.check_parameter_order(parameters);
        let mut given = given.iter();
        let types = parameters.iter().map(|parameter| {
            let given = given.next();
            let Some(written) = parameter.type_ else { return given.cloned().unwrap_or_else(Type::any) };
            let expected = self.evaluate_type_expression(Some(written));
            if let Some(given) = given.filter(|given| !may_overlap(&expected, given)) {
                let (expected, given) = (describe_type(&expected), describe_type(given));
                let message = format!("the parameter ${} expects {expected}, but is given {given}", parameter.name);
                self.add_error(TYPE_MISMATCH, self.tree[written].span, message);
            }
            given.filter(|given| expected.accepts(given)).cloned().unwrap_or(expected)
        });
        let types: Vec<Type> = types.collect();
        self.visit_in_scope(self.new_scope(ScopeKind::Lambda, body), parameters, &types, body)
    }

    fn last_expression(&self, body: Id) -> Id {
        match &self.tree[body].expression {
            Expression::Block(statements) => statements.last().map_or(body, |last| self.last_expression(*last)),
            Expression::Parenthesized(inner) => self.last_expression(*inner),
            _ => body,
        }
    }
}

fn is_default_literal(tree: &Tree, id: Id) -> bool {
    matches!(tree[id].expression, Expression::Literal(Literal::Default))
}
