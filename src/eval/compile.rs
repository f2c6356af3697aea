//! Compiles a syntax tree to code: resolves variables to slots, and names to types and functions, only once.
//!
//! The body of a lambda or function has a frame with a slot for each parameter and each variable that the body assigns,
//! except those that nested lambdas assign. A variable is searched from the innermost frame outwards. As it may be read
//! before it is assigned, it can have several possible slots; the first that has a value at run time is used.

mod constants;
mod names;

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::code::{
    AttributeCode, CallCode, Callee, CaseOption, ChainLink, Code, LambdaCode, Op, ParameterCode, ResourceBodyCode,
    ResourceCode,
};
use super::{Environment, error::EvalError, reserved::RESERVED_VARIABLES, signature::parsed_signatures};
use crate::error::{Error, Kind as _};
use crate::operators::{self, OperatorBody};
use crate::syntax::tree::{
    Attribute, Definition, Expression, Id, Literal, Parameter, ResourceBody, ResourceKind, Tree,
};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;
use crate::{functions, stack};
pub use constants::literal_value;
use constants::{fold_access, fold_array, fold_hash, fold_unary};
use names::{Scope, VariableSlot, collect_assigned_names};

pub(super) struct Compiler<'a> {
    tree: &'a Tree,
    environment: &'a mut Environment,
    /// The enclosing scopes, innermost last.
    scopes: Vec<Scope>,
    /// In the definition of a type set: the full names of its types by their short names.
    pub(super) full_type_names: FxHashMap<String, Arc<str>>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(tree: &'a Tree, environment: &'a mut Environment) -> Compiler<'a> {
        Compiler { tree, environment, scopes: Vec::new(), full_type_names: FxHashMap::default() }
    }

    /// Adds a scope for each existing frame; `frames` contains the names of their slots, innermost last.
    pub(super) fn with_outer_frames(self, frames: Vec<Vec<Arc<str>>>) -> Compiler<'a> {
        // Any of the slots may be empty, also those of parameters: a default value may hold a template.
        let slots = |names: Vec<_>| names.into_iter().map(VariableSlot::unassigned_slot).collect();
        let scopes = frames.into_iter().map(|names| Scope { slots: slots(names), ..Scope::default() }).collect();
        Compiler { scopes, ..self }
    }

    pub(super) fn compile_expression(&mut self, id: Id) -> Code {
        let span = self.tree[id].span;
        let op = match &self.tree[id].expression {
            Expression::Nop => Op::Constant(Value::Undef),
            Expression::Literal(literal) => literal_value(literal).map_or_else(Op::Fail, Op::Constant),
            Expression::Name(word) => Op::Constant(Value::from(&**word)),
            Expression::Reference(name) => {
                let plain = name.strip_prefix("::").unwrap_or(name);
                match (self.full_type_name(plain), Type::named(plain)) {
                    (Some(full), _) => Code::type_name_op(full),
                    (None, Some(type_)) => Op::Constant(Value::Type(type_)),
                    (None, None) => Code::type_name_op(plain),
                }
            }
            Expression::Variable(name) => self.compile_variable(name),
            _ => return stack::with_room(|| self.compile_compound_expr(id)),
        };
        Code { span, op }
    }

    fn compile_compound_expr(&mut self, id: Id) -> Code {
        let tree = self.tree;
        let span = tree[id].span;
        let op = match &tree[id].expression {
            Expression::Concatenation(parts) => Op::Concatenation(self.compile_list(parts)),
            Expression::Heredoc(syntax, text) => {
                let mut code = self.compile_expression(*text);
                // A literal is checked before the program runs.
                if syntax.is_empty() || matches!(code.op, Op::Constant(_)) {
                    code.span = span;
                    return code;
                }
                Op::Heredoc(syntax.clone(), Box::new(code))
            }
            Expression::Text(inner) | Expression::Parenthesized(inner) => {
                let mut code = self.compile_expression(*inner);
                code.span = span;
                return code;
            }
            Expression::Array(elements) => fold_array(self.compile_list(elements)),
            Expression::Hash(entries) => {
                let entries =
                    entries.iter().map(|(key, value)| (self.compile_expression(*key), self.compile_expression(*value)));
                fold_hash(entries.collect())
            }
            Expression::Unary(operator, operand) => fold_unary(*operator, self.compile_expression(*operand)),
            Expression::Binary(..) => self.compile_binary_chain(id),
            Expression::Assignment(None, target, value) => self.compile_assignment(*target, *value),
            Expression::Access(target, keys) => {
                let target = self.compile_expression(*target);
                fold_access(target, self.compile_list(keys))
            }
            expression @ (Expression::Case(subject, options) | Expression::Selector(subject, options)) => {
                let subject = Box::new(self.compile_expression(*subject));
                let options = options.iter().map(|option| self.compile_case_option(&option.values, option.then));
                let is_selector = matches!(expression, Expression::Selector(..));
                Op::Case { subject, options: options.collect(), is_selector }
            }
            Expression::Call { receiver, functor, arguments, lambda, .. } => {
                self.compile_call(*functor, *receiver, arguments, *lambda)
            }
            Expression::If { is_unless, condition, then, otherwise } => {
                let undef = Code { span, op: Op::Constant(Value::Undef) };
                let otherwise = otherwise.map_or(undef, |id| self.compile_expression(id));
                let (condition, then) = (self.compile_expression(*condition), self.compile_expression(*then));
                Op::If(Box::new(if *is_unless { [condition, otherwise, then] } else { [condition, then, otherwise] }))
            }
            Expression::Block(statements) => match &**statements {
                [only] => return self.compile_expression(*only),
                statements if self.scopes.last().is_some_and(|scope| scope.body == Some(id)) => {
                    let statement = |id: &Id| {
                        let code = self.compile_expression(*id);
                        self.mark_definitely_assigned(*id);
                        code
                    };
                    Op::Block(statements.iter().map(statement).collect())
                }
                statements => Op::Block(self.compile_list(statements)),
            },
            // The definitions of a program were made before it runs.
            Expression::TypeAlias { .. } | Expression::Definition(_) => Op::Constant(Value::Undef),
            Expression::Lambda { .. }
            | Expression::Reserved(_)
            | Expression::Assignment(..)
            | Expression::TypeMapping(..)
            | Expression::TypeDefinition(..) => Op::Fail(EvalError::Invalid.into()),
            Expression::NodeDefinition { .. } | Expression::Collector { .. } => {
                Op::Fail(EvalError::NeedsCatalog(tree.source.slice(span).to_owned()).into())
            }
            Expression::Resource { kind, type_name, bodies, .. } => {
                Op::Resource(Box::new(self.compile_resource(*kind, *type_name, bodies)))
            }
            Expression::RenderString(text) => {
                Op::Render(Box::new(Code { span, op: Op::Constant(Value::String(text.clone())) }))
            }
            Expression::Render(value) => Op::Render(Box::new(self.compile_expression(*value))),
            Expression::Epp { .. } => Op::Fail(EvalError::OutsideTemplate.into()),
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_) => return self.compile_expression(id),
        };
        Code { span, op }
    }

    fn full_type_name(&mut self, name: &str) -> Option<Arc<str>> {
        let (first, rest) = name.split_once("::").unwrap_or((name, ""));
        let full = self.full_type_names.get(first)?.clone();
        Some(if rest.is_empty() { full } else { self.environment.full_name_in_set(full, rest) })
    }

    fn compile_list(&mut self, ids: &[Id]) -> Box<[Code]> {
        ids.iter().map(|id| self.compile_expression(*id)).collect()
    }

    /// Compiles nested binary operators to a flat chain: descends along the left operands, then adds a link for each.
    fn compile_binary_chain(&mut self, id: Id) -> Op {
        let tree = self.tree;
        let mut rights = Vec::new();
        let mut leftmost = id;
        while let Expression::Binary(operator, left, right) = &tree[leftmost].expression {
            let place = tree[leftmost].place as usize;
            let operator = operators::binary_operator_row(*operator);
            let span = Span::new(place, place + operator.symbol.len());
            rights.push((operator, span, *right));
            leftmost = *left;
        }
        let first = self.compile_expression(leftmost);
        let links = rights.into_iter().rev().map(|(operator, span, right)| {
            let right = self.compile_expression(right);
            ChainLink { span, operator, right, reusable_parameter: None }
        });
        Op::Chain(Box::new(first), links.collect())
    }

    fn compile_resource(&mut self, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> ResourceCode {
        let is_named = matches!(self.tree[type_name].expression, Expression::Name(_));
        let subject = self.compile_expression(type_name);
        let bodies = bodies.iter().map(|body| ResourceBodyCode {
            title: body.title.map(|id| self.compile_expression(id)),
            attributes: body
                .attributes
                .iter()
                .map(|Attribute { name, span, value, .. }| AttributeCode {
                    name: name.clone(),
                    name_span: *span,
                    value: self.compile_expression(*value),
                })
                .collect(),
        });
        ResourceCode { resource_kind: kind, resource_type: subject, has_type_name: is_named, bodies: bodies.collect() }
    }

    fn compile_assignment(&mut self, target: Id, value: Id) -> Op {
        let code = self.compile_expression(value);
        match self.compile_assign_target(target) {
            Ok(target) => Op::Assign(target, Box::new(code)),
            // Observed: Puppet 8.11 evaluates the right side before it refuses the variable.
            Err(error) => Op::Block([code, Code { span: self.tree[target].span, op: Op::Fail(error) }].into()),
        }
    }

    fn compile_case_option(&mut self, values: &[Id], then: Id) -> CaseOption {
        let is_default = |id: &Id| matches!(self.tree[*id].expression, Expression::Literal(Literal::Default));
        let has_default = values.iter().any(is_default);
        CaseOption { has_default, option_values: self.compile_list(values), then: self.compile_expression(then) }
    }

    fn compile_call(&mut self, functor: Id, receiver: Option<Id>, arguments: &[Id], lambda: Option<Id>) -> Op {
        let lambda = lambda.map(|id| Arc::new(self.compile_lambda(id)));
        let callee = match &self.tree[functor].expression {
            Expression::Name(word) | Expression::Reserved(word) => self.resolve_callee(word, lambda.as_deref()),
            _ => Callee::Value(self.compile_expression(functor)),
        };
        let arguments = receiver.iter().chain(arguments).map(|id| self.compile_expression(*id)).collect();
        Op::Call(Box::new(CallCode {
            callee,
            name_span: self.tree[functor].span,
            arguments,
            lambda,
            is_method: receiver.is_some(),
        }))
    }

    fn resolve_callee(&mut self, name: &str, lambda: Option<&LambdaCode>) -> Callee {
        let plain = name.strip_prefix("::").unwrap_or(name);
        // A function that a program defines hides a built-in one of the same name.
        let built_in = functions::named(plain).filter(|_| !self.environment.program.function_names.contains(plain));
        let Some(function) = built_in else { return Callee::Named(plain.into()) };
        let block = lambda.map(LambdaCode::callable_type);
        let signatures = parsed_signatures(function.signatures).iter().enumerate();
        Callee::BuiltIn(function, signatures.filter(|(_, signature)| signature.accepts_block(block)).collect())
    }

    fn compile_lambda(&mut self, id: Id) -> LambdaCode {
        let Expression::Lambda { parameters, return_type, body } = &self.tree[id].expression else {
            unreachable!("the grammar puts nothing else behind a call");
        };
        self.compile_callable(None, parameters, *return_type, *body)
    }

    pub(super) fn compile_function(&mut self, definition: &Definition) -> LambdaCode {
        let Definition { name, parameters, return_type, body, .. } = definition;
        self.compile_callable(Some((&**name).into()), parameters, *return_type, *body)
    }

    /// Compiles a lambda, or a function if `name` is given.
    pub(super) fn compile_callable(
        &mut self,
        name: Option<Arc<str>>,
        written: &[Parameter],
        return_type: Option<Id>,
        body: Id,
    ) -> LambdaCode {
        let slot = |Parameter { name, name_span, .. }: &Parameter| VariableSlot {
            name: (&**name).into(),
            first_set_span: Some(*name_span),
            is_always_set: true,
        };
        let mut slots: Vec<VariableSlot> = written.iter().map(slot).collect();
        collect_assigned_names(self.tree, body, &mut slots);
        let slot_names = slots.iter().map(|slot| slot.name.clone()).collect();
        // Types are those of the surrounding scope; default values see the parameters before them.
        let types: Vec<_> = written.iter().map(|p| p.type_.map(|id| self.compile_expression(id))).collect();
        let return_type = return_type.map(|id| self.compile_expression(id));
        self.scopes.push(Scope { slots, body: Some(body), is_function: name.is_some() });
        let parameters = written.iter().zip(types).map(|(parameter, type_)| ParameterCode {
            span: parameter.span,
            name: (&*parameter.name).into(),
            type_code: type_,
            default: parameter.default.map(|id| self.compile_expression(id)),
            captures_rest: parameter.captures_rest,
        });
        let parameters: Box<[ParameterCode]> = parameters.collect();
        let is_typed = return_type.is_some() || parameters.iter().any(|parameter| parameter.type_code.is_some());
        let mut body = self.compile_expression(body);
        mark_reusable_left_operands(&mut body, parameters.len());
        self.scopes.pop();
        LambdaCode {
            name,
            source: self.tree.source.clone(),
            parameter_error: parameter_list_error(written, &parameters, &self.tree.source),
            parameters,
            slot_names,
            return_type,
            body,
            callable_type: OnceLock::new(),
            is_typed,
            are_types_checked: OnceLock::new(),
        }
    }
}

/// Marks the parameter in a `$parameter + …` that ends the body as last used: its value may be changed in place.
fn mark_reusable_left_operands(body: &mut Code, parameters: usize) {
    match &mut body.op {
        Op::Block(statements) => {
            statements.last_mut().into_iter().for_each(|last| mark_reusable_left_operands(last, parameters));
        }
        Op::If(parts) => parts.iter_mut().skip(1).for_each(|branch| mark_reusable_left_operands(branch, parameters)),
        Op::Chain(first, links) => {
            if let (Op::Local { depth: 0, slot, .. }, [link]) = (&first.op, &mut **links)
                && (*slot as usize) < parameters
                && matches!(link.operator.body, OperatorBody::Strict(..))
            {
                link.reusable_parameter = Some(*slot);
            }
        }
        _ => {}
    }
}

/// Returns the error of a parameter list with a reserved name, a required parameter after an optional one, or a rest
/// parameter that is not the last one; `None` if it is valid.
///
/// Observed: Puppet 7.23 reports the error when the function or lambda is called.
fn parameter_list_error(parameters: &[Parameter], code: &[ParameterCode], source: &Arc<Source>) -> Option<Error> {
    if let Some(reserved) = parameters.iter().find(|parameter| RESERVED_VARIABLES.contains(&&*parameter.name)) {
        let misuse = EvalError::AssignToReserved(reserved.name.to_string());
        return Some(misuse.at(reserved.name_span).in_source(source));
    }
    let is_optional = |(parameter, code): &(&Parameter, &ParameterCode)| {
        parameter.default.is_some() || parameter.captures_rest && code.rest_argument_counts().from() == 0
    };
    let mut both = parameters.iter().zip(code);
    let (optional, _) = both.find(is_optional)?;
    let required = both.find(|parameter| {
        let (written, code) = *parameter;
        !is_optional(parameter) || written.captures_rest && code.rest_argument_counts().from() > 0
    });
    let Some((required, _)) = required else {
        let early = parameters.split_last()?.1.iter().find(|parameter| parameter.captures_rest)?;
        let error = Error::new("CAPTURES_REST_NOT_LAST", format!("`*${}` must be the last parameter", early.name));
        return Some(error.at(early.name_span).in_source(source));
    };
    let error = EvalError::RequiredAfterOptional(required.name.to_string()).at(required.name_span);
    Some(error.with_label(optional.span, "this one can be left out").in_source(source))
}
