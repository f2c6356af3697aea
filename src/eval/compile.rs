//! From syntax tree to code: variables become slots, literals values, names types and functions, once.
//!
//! A lambda or function body has a frame. Every name that is a parameter or is assigned anywhere in the body (but not
//! in a lambda inside it) has a slot there. A name that is read is looked for from the innermost frame outwards; as an
//! assignment may come later than the reading, several places can be possible, and the first that has a value at the
//! time counts.

mod constants;
mod names;

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::code::{
    AttributeCode, BodyCode, Call, Callee, CaseOption, Code, LambdaCode, Link, Op, ParameterCode, ResourceCode,
};
use super::{Environment, error::EvalError, reserved::RESERVED_VARIABLES, signature::signatures_of};
use crate::error::{Error, Kind as _};
use crate::operators::{self, Body};
use crate::syntax::tree::{
    AssignmentOperator, Attribute, Definition, Expression, Id, Literal, Parameter, ResourceBody, ResourceKind, Tree,
};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;
use crate::{functions, stack};
pub use constants::literal_value;
use constants::{folded_access, folded_array, folded_hash, folded_unary};
use names::{Scope, Slot, assigned_names};

pub(super) struct Compiler<'a> {
    tree: &'a Tree,
    environment: &'a mut Environment,
    /// The frames around the place that is compiled, innermost last.
    scopes: Vec<Scope>,
    /// Full names of types that go by short ones here: those of the set that is being defined.
    pub(super) names: FxHashMap<String, Arc<str>>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(tree: &'a Tree, environment: &'a mut Environment) -> Compiler<'a> {
        Compiler { tree, environment, scopes: Vec::new(), names: FxHashMap::default() }
    }

    /// The same inside frames that are there already: the names of their slots, innermost last.
    pub(super) fn inside(self, frames: Vec<Vec<Arc<str>>>) -> Compiler<'a> {
        // Any of the slots may be empty, also those of parameters: a default value may hold a template.
        let slots = |names: Vec<_>| names.into_iter().map(Slot::unset).collect();
        let scopes = frames.into_iter().map(|names| Scope { slots: slots(names), ..Scope::default() }).collect();
        Compiler { scopes, ..self }
    }

    pub(super) fn expression(&mut self, id: Id) -> Code {
        let span = self.tree[id].span;
        let op = match &self.tree[id].expression {
            Expression::Nop => Op::Constant(Value::Undef),
            Expression::Literal(literal) => literal_value(literal).map_or_else(Op::Fail, Op::Constant),
            Expression::Name(word) => Op::Constant(Value::from(&**word)),
            Expression::Reference(name) => {
                let plain = name.strip_prefix("::").unwrap_or(name);
                match (self.full_name(plain), Type::named(plain)) {
                    (Some(full), _) => Code::type_name(full),
                    (None, Some(type_)) => Op::Constant(Value::Type(type_)),
                    (None, None) => Code::type_name(plain),
                }
            }
            Expression::Variable(name) => self.variable(name),
            _ => return stack::with_room(|| self.compound(id)),
        };
        Code { span, op }
    }

    fn compound(&mut self, id: Id) -> Code {
        let tree = self.tree;
        let span = tree[id].span;
        let op = match &tree[id].expression {
            Expression::Concatenation(parts) => Op::Concatenation(self.list(parts)),
            Expression::Heredoc { syntax, text } => {
                let mut code = self.expression(*text);
                // A literal is checked before the program runs.
                if syntax.is_empty() || matches!(code.op, Op::Constant(_)) {
                    code.span = span;
                    return code;
                }
                Op::Heredoc(syntax.clone(), Box::new(code))
            }
            Expression::Text(inner) | Expression::Parenthesized(inner) => {
                let mut code = self.expression(*inner);
                code.span = span;
                return code;
            }
            Expression::Array(elements) => folded_array(self.list(elements)),
            Expression::Hash(entries) => {
                let entries = entries.iter().map(|(key, value)| (self.expression(*key), self.expression(*value)));
                folded_hash(entries.collect())
            }
            Expression::Unary(operator, operand) => folded_unary(*operator, self.expression(*operand)),
            Expression::Binary(..) => self.chain(id),
            Expression::Assignment(operator, target, value) => self.assignment(*operator, *target, *value),
            Expression::Access(target, keys) => {
                let target = self.expression(*target);
                folded_access(target, self.list(keys))
            }
            Expression::Selector(subject, options) => {
                let subject = self.expression(*subject);
                let options = options.iter().map(|(value, then)| self.option(&[*value], *then));
                Op::Selector(Box::new(subject), options.collect())
            }
            Expression::Call { functor, arguments, lambda, .. } => self.call(*functor, None, arguments, *lambda),
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                self.call(*name, Some(*receiver), arguments, *lambda)
            }
            Expression::If { condition, then, otherwise } => {
                let otherwise = self.optional(*otherwise, span);
                Op::If(Box::new([self.expression(*condition), self.expression(*then), otherwise]))
            }
            Expression::Unless { condition, then, otherwise } => {
                let otherwise = self.optional(*otherwise, span);
                Op::If(Box::new([self.expression(*condition), otherwise, self.expression(*then)]))
            }
            Expression::Case(subject, options) => {
                let subject = self.expression(*subject);
                let options = options.iter().map(|option| self.option(&option.values, option.then));
                Op::Case(Box::new(subject), options.collect())
            }
            Expression::Block(statements) => match &**statements {
                [only] => return self.expression(*only),
                statements if self.scopes.last().is_some_and(|scope| scope.body == Some(id)) => {
                    let statement = |id: &Id| {
                        let code = self.expression(*id);
                        self.note_assignment(*id);
                        code
                    };
                    Op::Block(statements.iter().map(statement).collect())
                }
                statements => Op::Block(self.list(statements)),
            },
            // The definitions of a program were made before it runs.
            Expression::TypeAlias { .. }
            | Expression::Function(_)
            | Expression::Class { .. }
            | Expression::Define(_) => Op::Constant(Value::Undef),
            Expression::Lambda { .. } => Op::Fail(EvalError::LoneLambda.into()),
            Expression::Reserved(word) => Op::Fail(EvalError::ReservedWord(word.to_string()).into()),
            Expression::TypeMapping(..)
            | Expression::TypeDefinition { .. }
            | Expression::NodeDefinition { .. }
            | Expression::Collector { .. } => {
                Op::Fail(EvalError::NeedsCatalog(tree.source.slice(span).to_owned()).into())
            }
            Expression::Resource { kind, type_name, bodies, .. } => {
                Op::Resource(Box::new(self.resource(*kind, *type_name, bodies)))
            }
            Expression::RenderString(text) => {
                Op::Render(Box::new(Code { span, op: Op::Constant(Value::String(text.clone())) }))
            }
            Expression::Render(value) => Op::Render(Box::new(self.expression(*value))),
            Expression::Epp { .. } => Op::Fail(EvalError::OutsideTemplate.into()),
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_) => return self.expression(id),
        };
        Code { span, op }
    }

    /// The full name of a type that has a short name here, by itself or through its type set.
    fn full_name(&mut self, name: &str) -> Option<Arc<str>> {
        let (first, rest) = name.split_once("::").unwrap_or((name, ""));
        let full = self.names.get(first)?.clone();
        Some(if rest.is_empty() { full } else { self.environment.in_set(full, rest) })
    }

    fn list(&mut self, ids: &[Id]) -> Box<[Code]> {
        ids.iter().map(|id| self.expression(*id)).collect()
    }

    fn optional(&mut self, id: Option<Id>, span: Span) -> Code {
        id.map_or(Code { span, op: Op::Constant(Value::Undef) }, |id| self.expression(id))
    }

    /// The left side of an operator is often another one: the chain is followed down, and linked on the way up.
    fn chain(&mut self, id: Id) -> Op {
        let tree = self.tree;
        let mut rights = Vec::new();
        let mut leftmost = id;
        while let Expression::Binary(operator, left, right) = &tree[leftmost].expression {
            let place = tree[leftmost].place as usize;
            let operator = operators::binary(*operator);
            let span = Span::new(place, place + operator.symbol.len());
            rights.push((operator, span, *right));
            leftmost = *left;
        }
        let first = self.expression(leftmost);
        let links = rights.into_iter().rev().map(|(operator, span, right)| {
            let right = self.expression(right);
            Link { span, operator, right, last_use_of: None }
        });
        Op::Chain(Box::new(first), links.collect())
    }

    fn resource(&mut self, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> ResourceCode {
        let is_named = matches!(self.tree[type_name].expression, Expression::Name(_));
        let subject = self.expression(type_name);
        let bodies = bodies.iter().map(|body| BodyCode {
            title: body.title.map(|id| self.expression(id)),
            attributes: body
                .attributes
                .iter()
                .map(|Attribute { name, span, value, .. }| AttributeCode {
                    name: name.clone(),
                    span: *span,
                    value: self.expression(*value),
                })
                .collect(),
        });
        ResourceCode { kind, subject, is_named, bodies: bodies.collect() }
    }

    fn assignment(&mut self, operator: AssignmentOperator, target: Id, value: Id) -> Op {
        let code = match operator {
            AssignmentOperator::Assign => self.expression(value),
            AssignmentOperator::Append => return Op::Fail(EvalError::AppendOrDelete("+=").into()),
            AssignmentOperator::Delete => return Op::Fail(EvalError::AppendOrDelete("-=").into()),
        };
        match self.target(target) {
            Ok(target) => Op::Assign(target, Box::new(code)),
            // Observed: Puppet 8.11 evaluates the right side before it refuses the variable.
            Err(error) => Op::Block([code, Code { span: self.tree[target].span, op: Op::Fail(error) }].into()),
        }
    }

    fn option(&mut self, values: &[Id], then: Id) -> CaseOption {
        let is_default = |id: &Id| matches!(self.tree[*id].expression, Expression::Literal(Literal::Default));
        let has_default = values.iter().any(is_default);
        CaseOption { has_default, values: self.list(values), then: self.expression(then) }
    }

    fn call(&mut self, functor: Id, receiver: Option<Id>, arguments: &[Id], lambda: Option<Id>) -> Op {
        let lambda = lambda.map(|id| Arc::new(self.lambda(id)));
        let callee = match &self.tree[functor].expression {
            Expression::Name(word) | Expression::Reserved(word) => self.named_callee(word, lambda.as_deref()),
            Expression::Reference(_) if receiver.is_some() => Callee::Named("".into()),
            _ => Callee::Value(self.expression(functor)),
        };
        let arguments = receiver.iter().chain(arguments).map(|id| self.expression(*id)).collect();
        Op::Call(Box::new(Call {
            callee,
            name_span: self.tree[functor].span,
            arguments,
            lambda,
            is_method: receiver.is_some(),
        }))
    }

    fn named_callee(&mut self, name: &str, lambda: Option<&LambdaCode>) -> Callee {
        let plain = name.strip_prefix("::").unwrap_or(name);
        // A function that a program defines hides a built-in one of the same name.
        let built_in = functions::named(plain).filter(|_| !self.environment.program.function_names.contains(plain));
        let Some(function) = built_in else { return Callee::Named(plain.into()) };
        let block = lambda.map(LambdaCode::callable_type);
        let signatures = signatures_of(function.signatures).iter().enumerate();
        Callee::BuiltIn(function, signatures.filter(|(_, signature)| signature.takes_block(block)).collect())
    }

    fn lambda(&mut self, id: Id) -> LambdaCode {
        let Expression::Lambda { parameters, return_type, body } = &self.tree[id].expression else {
            unreachable!("the grammar puts nothing else behind a call");
        };
        self.lambda_or_function(None, parameters, *return_type, *body)
    }

    pub(super) fn function(&mut self, definition: &Definition) -> LambdaCode {
        let Definition { name, parameters, return_type, body, .. } = definition;
        self.lambda_or_function(Some((&**name).into()), parameters, *return_type, *body)
    }

    /// The code of a lambda, or of a function if there is a `name`.
    pub(super) fn lambda_or_function(
        &mut self,
        name: Option<Arc<str>>,
        written: &[Parameter],
        return_type: Option<Id>,
        body: Id,
    ) -> LambdaCode {
        let slot = |Parameter { name, name_span, .. }: &Parameter| Slot {
            name: (&**name).into(),
            first_set: Some(*name_span),
            is_set: true,
        };
        let mut slots: Vec<Slot> = written.iter().map(slot).collect();
        assigned_names(self.tree, body, &mut slots);
        let names = slots.iter().map(|slot| slot.name.clone()).collect();
        // Types are those of the surrounding scope; default values see the parameters before them.
        let types: Vec<_> = written.iter().map(|p| p.type_.map(|id| self.expression(id))).collect();
        let return_type = return_type.map(|id| self.expression(id));
        self.scopes.push(Scope { slots, body: Some(body), is_function: name.is_some() });
        let parameters = written.iter().zip(types).map(|(parameter, type_)| ParameterCode {
            span: parameter.span,
            name: (&*parameter.name).into(),
            type_,
            default: parameter.default.map(|id| self.expression(id)),
            captures_rest: parameter.captures_rest,
        });
        let parameters: Box<[ParameterCode]> = parameters.collect();
        let is_typed = return_type.is_some() || parameters.iter().any(|parameter| parameter.type_.is_some());
        let mut body = self.expression(body);
        note_last_uses(&mut body, parameters.len());
        self.scopes.pop();
        let source = self.tree.source.clone();
        let (callable_type, types_found) = (OnceLock::new(), OnceLock::new());
        let fault = fault_of(written, &parameters, &source);
        LambdaCode { name, source, parameters, names, return_type, body, fault, callable_type, is_typed, types_found }
    }
}

/// Notes where a body ends with `$parameter + …`, after which nothing uses the parameter: its value may change in place.
fn note_last_uses(body: &mut Code, parameters: usize) {
    let (first, links) = match &mut body.op {
        Op::Block(statements) => {
            return statements.last_mut().into_iter().for_each(|last| note_last_uses(last, parameters));
        }
        Op::If(parts) => return parts.iter_mut().skip(1).for_each(|branch| note_last_uses(branch, parameters)),
        Op::Chain(first, links) => (&**first, links),
        _ => return,
    };
    if let (Op::Local { depth: 0, slot, .. }, [link]) = (&first.op, &mut **links)
        && (*slot as usize) < parameters
        && matches!(link.operator.body, Body::Strict(..))
    {
        link.last_use_of = Some(*slot);
    }
}

/// What is wrong with parameters whose arguments are positional: one has a reserved name, or needs a value behind
/// one that does not.
///
/// Observed: Puppet 7.23 says so when the function or lambda is called.
fn fault_of(parameters: &[Parameter], code: &[ParameterCode], source: &Arc<Source>) -> Option<Error> {
    if let Some(reserved) = parameters.iter().find(|parameter| RESERVED_VARIABLES.contains(&&*parameter.name)) {
        let misuse = EvalError::AssignToReserved(reserved.name.to_string());
        return Some(misuse.at(reserved.name_span).in_source(source));
    }
    let is_optional = |(parameter, code): &(&Parameter, &ParameterCode)| {
        parameter.default.is_some() || parameter.captures_rest && code.rest_size().from() == 0
    };
    let mut both = parameters.iter().zip(code);
    let (optional, _) = both.find(is_optional)?;
    let required = both.find(|parameter| {
        let (written, code) = *parameter;
        !is_optional(parameter) || written.captures_rest && code.rest_size().from() > 0
    });
    let Some((required, _)) = required else {
        let early = parameters.split_last()?.1.iter().find(|parameter| parameter.captures_rest)?;
        let error = Error::new("CAPTURES_REST_NOT_LAST", format!("`*${}` must be the last parameter", early.name));
        return Some(error.at(early.name_span).in_source(source));
    };
    let error = EvalError::RequiredAfterOptional(required.name.to_string()).at(required.name_span);
    Some(error.with_label(optional.span, "this one can be left out").in_source(source))
}
