//! From syntax tree to code: variables become slots, literals values, names types and functions, once.
//!
//! A lambda or function body has a frame. Every name that is a parameter or is assigned anywhere in the body (but not
//! in a lambda inside it) has a slot there. A name that is read is looked for from the innermost frame outwards; as an
//! assignment may come later than the reading, several places can be possible, and the first that has a value at the
//! time counts.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::World;
use super::code::{
    AttributeCode, BodyCode, Call, Callee, CaseOption, Code, LambdaCode, Link, Operator, ParameterCode, Place,
    ResourceCode, SelectorOption, Step, Subject, Target, TargetKind,
};
use super::error::Misuse;
use crate::error::Error;
use crate::operators;
use crate::stack;
use crate::syntax::precedence;
use crate::syntax::tree::{
    AssignmentOperator, Attribute, BinaryOperator, Expression, Id, Parameter, ResourceBody, ResourceKind, Tree,
    UnaryOperator,
};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{Array, Hash, Regexp, Value};

/// Variables that exist before any program, which nothing may set.
pub(super) const RESERVED_VARIABLES: [&str; 3] = ["facts", "server_facts", "trusted"];

/// Variables that every scope of Puppet's already has.
const BUILT_IN_VARIABLES: [&str; 4] = ["title", "name", "module_name", "caller_module_name"];

/// Makes code of one tree.
pub(super) struct Compiler<'a> {
    tree: &'a Tree,
    world: &'a mut World,
    /// The frames around the place that is compiled, innermost last.
    scopes: Vec<Scope>,
    /// Full names of types that go by short ones here: those of the set that is being defined.
    names: FxHashMap<String, Arc<str>>,
}

/// The names of one frame.
#[derive(Default)]
struct Scope {
    /// In the order of their slots.
    names: Vec<Arc<str>>,
    /// Where each was first set, in the same order; empty where nobody knows.
    first_set: Vec<Option<Span>>,
    /// How many of them are parameters, which always have a value.
    parameters: usize,
    /// A function sees the variables of the session, but none of a scope around its definition.
    is_function: bool,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(tree: &'a Tree, world: &'a mut World) -> Compiler<'a> {
        Compiler { tree, world, scopes: Vec::new(), names: FxHashMap::default() }
    }

    /// The same where the keys of `names` stand for its values.
    pub(super) fn with_names(self, names: FxHashMap<String, Arc<str>>) -> Compiler<'a> {
        Compiler { names, ..self }
    }

    /// A compiler of what runs inside frames that are there already: the names of their slots, innermost last.
    pub(super) fn inside(around: Vec<Vec<Arc<str>>>, tree: &'a Tree, world: &'a mut World) -> Compiler<'a> {
        // Any of the slots may be empty, also those of parameters: a default value may hold a template.
        let scopes = around.into_iter().map(|names| Scope { names, ..Scope::default() }).collect();
        Compiler { tree, world, scopes, names: FxHashMap::default() }
    }

    pub(super) fn expression(&mut self, id: Id) -> Code {
        let span = self.tree[id].span;
        let step = match &self.tree[id].expression {
            Expression::Nop | Expression::Undef => Step::Constant(Value::Undef),
            Expression::Default => Step::Constant(Value::Default),
            Expression::Boolean(value) => Step::Constant(Value::Boolean(*value)),
            Expression::Integer(value, _) => Step::Constant(Value::Integer(*value)),
            Expression::Float(value) => Step::Constant(Value::Float(*value)),
            Expression::String(text) | Expression::Name(text) => Step::Constant(Value::from(&**text)),
            Expression::Regexp(text) => match Regexp::new(text) {
                Ok(regexp) => Step::Constant(Value::Regexp(Arc::new(regexp))),
                Err(error) => Step::Fail(error),
            },
            Expression::Reference(name) => {
                let plain = name.strip_prefix("::").unwrap_or(name);
                match (self.names.get(plain), Type::named(plain)) {
                    (Some(full), _) => Step::TypeName(full.clone()),
                    (None, Some(type_)) => Step::Constant(Value::Type(type_)),
                    (None, None) => Step::TypeName(plain.into()),
                }
            }
            Expression::Variable(name) => self.variable(name),
            _ => return stack::with_room(|| self.compound(id)),
        };
        Code { span, step }
    }

    fn compound(&mut self, id: Id) -> Code {
        let tree = self.tree;
        let span = tree[id].span;
        let step = match &tree[id].expression {
            Expression::Concatenation(parts) => Step::Concatenation(self.list(parts)),
            Expression::Text(inner) | Expression::Parenthesized(inner) | Expression::Heredoc { text: inner, .. } => {
                let mut code = self.expression(*inner);
                code.span = span;
                return code;
            }
            Expression::Array(elements) => folded_array(self.list(elements)),
            Expression::Hash(entries) => {
                let entries = entries.iter().map(|(key, value)| (self.expression(*key), self.expression(*value)));
                folded_hash(entries.collect())
            }
            Expression::Unary(operator, operand) => self.unary(*operator, *operand),
            Expression::Binary(..) => self.chain(id),
            Expression::Assignment(operator, target, value) => self.assignment(*operator, *target, *value),
            Expression::Access(target, keys) => {
                let target = self.expression(*target);
                folded_access(target, self.list(keys))
            }
            Expression::Selector(subject, options) => self.selector(*subject, options),
            Expression::Call { functor, arguments, lambda, .. } => self.call(*functor, None, arguments, *lambda),
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                self.call(*name, Some(*receiver), arguments, *lambda)
            }
            Expression::If { condition, then, otherwise } => {
                let otherwise = self.optional(*otherwise, span);
                Step::If(Box::new([self.expression(*condition), self.expression(*then), otherwise]))
            }
            Expression::Unless { condition, then, otherwise } => {
                let otherwise = self.optional(*otherwise, span);
                Step::If(Box::new([self.expression(*condition), otherwise, self.expression(*then)]))
            }
            Expression::Case(subject, options) => {
                let subject = self.expression(*subject);
                let options = options.iter().map(|option| CaseOption {
                    has_default: option.values.iter().any(|id| matches!(tree[*id].expression, Expression::Default)),
                    values: self.list(&option.values),
                    then: self.expression(option.then),
                });
                Step::Case(Box::new(subject), options.collect())
            }
            Expression::Block(statements) => Step::Block(self.list(statements)),
            // The definitions of a program were made before it runs.
            Expression::TypeAlias { .. }
            | Expression::Function(_)
            | Expression::Class { .. }
            | Expression::Define(_) => Step::Constant(Value::Undef),
            Expression::Lambda { .. } => Step::Fail(Misuse::LoneLambda.into()),
            Expression::Reserved(word) => Step::Fail(Misuse::ReservedWord(word.to_string()).into()),
            Expression::TypeMapping(..)
            | Expression::TypeDefinition { .. }
            | Expression::NodeDefinition { .. }
            | Expression::Collector { .. } => {
                Step::Fail(Misuse::NeedsCatalog(tree.source.slice(span).to_owned()).into())
            }
            Expression::Resource { kind, type_name, bodies, .. } => {
                Step::Resource(Box::new(self.resource(*kind, *type_name, bodies)))
            }
            Expression::RenderString(text) => Step::RenderText(text.clone()),
            Expression::Render(value) => Step::Render(Box::new(self.expression(*value))),
            Expression::Epp { .. } => Step::Fail(Misuse::OutsideTemplate.into()),
            Expression::Nop
            | Expression::Undef
            | Expression::Default
            | Expression::Boolean(_)
            | Expression::Integer(..)
            | Expression::Float(_)
            | Expression::String(_)
            | Expression::Name(_)
            | Expression::Regexp(_)
            | Expression::Reference(_)
            | Expression::Variable(_) => return self.expression(id),
        };
        Code { span, step }
    }

    fn list(&mut self, ids: &[Id]) -> Box<[Code]> {
        ids.iter().map(|id| self.expression(*id)).collect()
    }

    fn optional(&mut self, id: Option<Id>, span: Span) -> Code {
        id.map_or(Code { span, step: Step::Constant(Value::Undef) }, |id| self.expression(id))
    }

    fn unary(&mut self, operator: UnaryOperator, operand: Id) -> Step {
        let operand = self.expression(operand);
        match (operator, &operand.step) {
            (UnaryOperator::Minus, Step::Constant(Value::Integer(number))) if number.checked_neg().is_some() => {
                Step::Constant(Value::Integer(-number))
            }
            (UnaryOperator::Minus, Step::Constant(Value::Float(number))) => Step::Constant(Value::Float(-number)),
            (UnaryOperator::Minus, _) => Step::Negate(Box::new(operand)),
            (UnaryOperator::Not, _) => Step::Not(Box::new(operand)),
            (UnaryOperator::Unfold, _) => Step::Unfold(Box::new(operand)),
        }
    }

    /// The left side of a binary operator is often another one: the chain is followed down, and links are made on the
    /// way up.
    fn chain(&mut self, id: Id) -> Step {
        let tree = self.tree;
        let mut rights = Vec::new();
        let mut leftmost = id;
        while let Expression::Binary(operator, left, right) = &tree[leftmost].expression {
            let place = tree[leftmost].place as usize;
            let span = Span::new(place, place + precedence::symbol(*operator).len());
            rights.push((*operator, span, *right));
            leftmost = *left;
        }
        let first = self.expression(leftmost);
        let links = rights.into_iter().rev().map(|(operator, span, right)| Link {
            span,
            operator: link_operator(operator),
            right: self.expression(right),
        });
        Step::Chain(Box::new(first), links.collect())
    }

    fn resource(&mut self, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> ResourceCode {
        let tree = self.tree;
        let node = &tree[type_name];
        let subject = match &node.expression {
            Expression::Name(name) => Subject::Name(name.clone(), node.span),
            _ => Subject::Value(self.expression(type_name)),
        };
        let after = tree.source.text()[node.span.range().end..].trim_start_matches([' ', '\t', '\r']);
        let next_line = after.starts_with('\n');
        let bodies = bodies.iter().map(|body| BodyCode {
            title: body.title.map(|id| self.expression(id)),
            attributes: body.attributes.iter().map(|attribute| self.attribute(attribute)).collect(),
        });
        ResourceCode { kind, subject, next_line, shown: tree.source.slice(node.span).into(), bodies: bodies.collect() }
    }

    fn attribute(&mut self, attribute: &Attribute) -> AttributeCode {
        let value = self.expression(attribute.value);
        AttributeCode { name: attribute.name.clone(), span: attribute.span, value }
    }

    fn variable(&mut self, name: &str) -> Step {
        if let Ok(number) = name.parse() {
            return Step::MatchVariable(number);
        }
        let global_name = name.strip_prefix("::");
        let plain = global_name.unwrap_or(name);
        if plain.contains("::") {
            return Step::Unknown(name.into());
        }
        let mut places = Vec::new();
        if global_name.is_none() {
            for (depth, scope) in (0..).zip(self.scopes.iter().rev()) {
                if let Some(slot) = scope.names.iter().position(|known| **known == *name) {
                    places.push(Place::Frame { depth, slot: narrow(slot) });
                    if slot < scope.parameters {
                        return one_place(places, name);
                    }
                }
                if scope.is_function {
                    break;
                }
            }
        }
        places.push(Place::Global { slot: self.world.globals.slot(plain) });
        one_place(places, plain)
    }

    fn assignment(&mut self, operator: AssignmentOperator, target: Id, value: Id) -> Step {
        let code = match operator {
            AssignmentOperator::Assign => self.expression(value),
            AssignmentOperator::Append => return Step::Fail(Misuse::AppendOrDelete("+=").into()),
            AssignmentOperator::Delete => return Step::Fail(Misuse::AppendOrDelete("-=").into()),
        };
        match self.target(target) {
            Ok(target) => Step::Assign(target, Box::new(code)),
            Err(error) => Step::Fail(error),
        }
    }

    fn target(&mut self, id: Id) -> Result<Target, Error> {
        let span = self.tree[id].span;
        let kind = match &self.tree[id].expression {
            Expression::Variable(name) => {
                let refuse = |misuse: Misuse| Err(Error::from(misuse).at(span));
                if name.parse::<u64>().is_ok() {
                    return refuse(Misuse::AssignToMatchVariable(name.to_string()));
                }
                if name.contains("::") {
                    return refuse(Misuse::AssignAcrossScopes(name.to_string()));
                }
                if RESERVED_VARIABLES.contains(&&**name) {
                    return refuse(Misuse::AssignToReserved(name.to_string()));
                }
                if self.scopes.is_empty() && BUILT_IN_VARIABLES.contains(&&**name) {
                    return refuse(Misuse::AssignToBuiltIn(name.to_string()));
                }
                let place = self.place_to_assign(name);
                TargetKind::Variable { name: (&**name).into(), place, earlier: self.earlier(place, span) }
            }
            Expression::Array(elements) => {
                TargetKind::List(elements.iter().map(|id| self.target(*id)).collect::<Result<_, _>>()?)
            }
            _ => return Err(Error::from(Misuse::AssignToOther).at(span)),
        };
        Ok(Target { span, kind })
    }

    fn place_to_assign(&mut self, name: &str) -> Place {
        match self.scopes.last() {
            Some(scope) => {
                let slot = scope.names.iter().position(|known| **known == *name);
                Place::Frame { depth: 0, slot: narrow(slot.expect("assigned names were collected before")) }
            }
            None => Place::Global { slot: self.world.globals.slot(name) },
        }
    }

    /// Where the body around sets the variable before `span`, which counts from here on.
    fn earlier(&mut self, place: Place, span: Span) -> Option<Span> {
        let Place::Frame { slot, .. } = place else { return None };
        let first = self.scopes.last_mut()?.first_set.get_mut(slot as usize)?;
        let earlier = *first;
        first.get_or_insert(span);
        earlier
    }

    fn selector(&mut self, subject: Id, options: &[(Id, Id)]) -> Step {
        let subject = self.expression(subject);
        let options = options.iter().map(|(value, then)| SelectorOption {
            is_default: matches!(self.tree[*value].expression, Expression::Default),
            value: self.expression(*value),
            then: self.expression(*then),
        });
        Step::Selector(Box::new(subject), options.collect())
    }

    fn call(&mut self, functor: Id, receiver: Option<Id>, arguments: &[Id], lambda: Option<Id>) -> Step {
        let callee = match &self.tree[functor].expression {
            Expression::Name(name) => self.named_callee(name),
            Expression::Reference(_) if receiver.is_some() => Callee::Named("".into()),
            Expression::Reserved(word) => self.named_callee(word),
            _ => Callee::Value(self.expression(functor)),
        };
        let arguments = receiver.iter().chain(arguments).map(|id| self.expression(*id)).collect();
        Step::Call(Box::new(Call {
            callee,
            name_span: self.tree[functor].span,
            arguments,
            lambda: lambda.map(|id| Arc::new(self.lambda(id))),
            is_method: receiver.is_some(),
        }))
    }

    fn named_callee(&mut self, name: &str) -> Callee {
        let plain = name.strip_prefix("::").unwrap_or(name);
        // A function that a program defines goes before a built-in one of the same name.
        match crate::functions::named(plain).filter(|_| !self.world.function_names.contains(plain)) {
            Some(function) => Callee::BuiltIn(function, self.world.signatures_of(function)),
            None => Callee::Named(plain.into()),
        }
    }

    fn lambda(&mut self, id: Id) -> LambdaCode {
        let tree = self.tree;
        let Expression::Lambda { parameters, return_type, body } = &tree[id].expression else {
            unreachable!("the grammar puts nothing else behind a call");
        };
        let code = self.body(None, parameters, *return_type, *body);
        LambdaCode { fault: fault_of(parameters, &tree.source), ..code }
    }

    /// A lambda, or a function when it has a name.
    pub(super) fn body(
        &mut self,
        name: Option<Arc<str>>,
        parameters: &[Parameter],
        return_type: Option<Id>,
        body: Id,
    ) -> LambdaCode {
        let mut names: Vec<Arc<str>> = parameters.iter().map(|parameter| (&*parameter.name).into()).collect();
        assigned_names(self.tree, body, &mut names);
        let slot_names: Arc<[Arc<str>]> = names.clone().into();
        // Types are those of the surrounding scope; default values see the parameters before them.
        let types: Vec<_> = parameters.iter().map(|p| p.type_.map(|id| self.expression(id))).collect();
        let return_type = return_type.map(|id| self.expression(id));
        let mut first_set: Vec<_> = parameters.iter().map(|parameter| Some(parameter.name_span)).collect();
        first_set.resize(names.len(), None);
        self.scopes.push(Scope { names, first_set, parameters: parameters.len(), is_function: name.is_some() });
        let parameters = parameters.iter().zip(types).map(|(parameter, type_)| ParameterCode {
            name: (&*parameter.name).into(),
            type_,
            default: parameter.default.map(|id| self.expression(id)),
            captures_rest: parameter.captures_rest,
        });
        let parameters = parameters.collect();
        let body = self.expression(body);
        self.scopes.pop();
        let source = self.tree.source.clone();
        let callable_type = OnceLock::new();
        LambdaCode { name, source, parameters, names: slot_names, return_type, body, fault: None, callable_type }
    }
}

/// What is wrong with parameters whose arguments are told by their order: one has a reserved name, or needs a value behind
/// one that does not.
///
/// Observed: Puppet 7.23 says so when the function or lambda is called.
pub(super) fn fault_of(parameters: &[Parameter], source: &Arc<Source>) -> Option<Error> {
    if let Some(reserved) = parameters.iter().find(|parameter| RESERVED_VARIABLES.contains(&&*parameter.name)) {
        let misuse = Misuse::AssignToReserved(reserved.name.to_string());
        return Some(Error::from(misuse).at(reserved.name_span).in_source(source));
    }
    let is_optional = |parameter: &Parameter| parameter.default.is_some() || parameter.captures_rest;
    let optional = parameters.iter().position(is_optional)?;
    let required = parameters[optional..].iter().find(|parameter| !is_optional(parameter))?;
    let error = Error::from(Misuse::RequiredAfterOptional(required.name.to_string())).at(required.name_span);
    Some(error.with_label(parameters[optional].span, "this one can be left out").in_source(source))
}

fn narrow(slot: usize) -> u32 {
    u32::try_from(slot).expect("a body has fewer than 2^32 variables")
}

fn one_place(mut places: Vec<Place>, name: &str) -> Step {
    let name: Arc<str> = name.into();
    match (places.len(), places.pop()) {
        (1, Some(Place::Frame { depth, slot })) => Step::Local { depth, slot, name },
        (1, Some(Place::Global { slot })) => Step::Global { slot },
        (_, last) => {
            places.extend(last);
            Step::Variable { places: places.into(), name }
        }
    }
}

/// The names assigned in a body, without those in lambdas inside it.
fn assigned_names(tree: &Tree, body: Id, names: &mut Vec<Arc<str>>) {
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        match &tree[id].expression {
            Expression::Lambda { .. } => {}
            Expression::Assignment(_, target, value) => {
                target_names(tree, *target, names);
                pending.push(*value);
            }
            expression => expression.each_child(&mut |child| pending.push(child)),
        }
    }
}

fn target_names(tree: &Tree, target: Id, names: &mut Vec<Arc<str>>) {
    match &tree[target].expression {
        Expression::Variable(name) if !names.iter().any(|known| **known == **name) => names.push((&**name).into()),
        Expression::Array(elements) => {
            for element in elements {
                target_names(tree, *element, names);
            }
        }
        _ => {}
    }
}

/// How a binary operator comes to its value.
fn link_operator(operator: BinaryOperator) -> Operator {
    match operator {
        BinaryOperator::In => Operator::In,
        BinaryOperator::Match => Operator::Match,
        BinaryOperator::NoMatch => Operator::NoMatch,
        BinaryOperator::And => Operator::And,
        BinaryOperator::Or => Operator::Or,
        BinaryOperator::Before | BinaryOperator::After | BinaryOperator::Notifies | BinaryOperator::NotifiedBy => {
            Operator::Relationship(precedence::symbol(operator))
        }
        BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::Plus
        | BinaryOperator::Minus
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual => {
            let row = operators::named(precedence::symbol(operator));
            Operator::Eager(row.expect("every operator that takes two values has a row").apply)
        }
    }
}

fn constants(codes: &[Code]) -> Option<Vec<Value>> {
    let constant = |code: &Code| match &code.step {
        Step::Constant(value) => Some(value.clone()),
        _ => None,
    };
    codes.iter().map(constant).collect()
}

fn folded_array(elements: Box<[Code]>) -> Step {
    match constants(&elements) {
        Some(values) => Step::Constant(Value::Array(Array::from(values))),
        None => Step::Array(elements),
    }
}

fn folded_hash(entries: Box<[(Code, Code)]>) -> Step {
    let constant = |(key, value): &(Code, Code)| match (&key.step, &value.step) {
        (Step::Constant(key), Step::Constant(value)) => Some((key.clone(), value.clone())),
        _ => None,
    };
    match entries.iter().map(constant).collect::<Option<Hash>>() {
        Some(hash) => Step::Constant(Value::Hash(hash)),
        None => Step::Hash(entries),
    }
}

/// `Integer[1, 10]` is always the same type. What is wrong is left to be found when it runs.
fn folded_access(target: Code, keys: Box<[Code]>) -> Step {
    if let Step::Constant(Value::Type(type_)) = &target.step
        && let Some(arguments) = constants(&keys)
        && let Ok(accessed) = type_.access(&arguments)
    {
        return Step::Constant(accessed);
    }
    Step::Access(Box::new(target), keys)
}
