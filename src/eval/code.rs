//! The compiled form of programs: the syntax tree with resolved names.
//!
//! Variables are slots, literals and built-in types are values, and calls of built-in functions refer to the table of
//! functions. A chain of binary operators is flat, so that a hundred thousand terms need no deep stack.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::signature::Signature;
use crate::error::Error;
use crate::functions::Function;
use crate::operators::{ApplyPrefix, Operator};
use crate::stack;
use crate::syntax::tree::ResourceKind;
use crate::text::{Source, Span};
use crate::types::{CallableType, Size, Type};
use crate::value::{EcoString, Value};

#[derive(Debug)]
pub(super) struct Code {
    pub(super) span: Span,
    pub(super) op: Op,
}

impl Code {
    pub(super) fn type_name_op(name: impl Into<Arc<str>>) -> Op {
        let name = name.into();
        Op::TypeName { key: name.to_ascii_lowercase().into(), name }
    }

    pub(super) fn is_leaf(&self) -> bool {
        matches!(self.op, Op::Constant(_) | Op::Local { .. } | Op::Variable { .. } | Op::MatchVariable(_))
    }

    pub(super) fn is_unfold(&self) -> bool {
        matches!(self.op, Op::Unfold(_))
    }
}

/// Drops nested code with enough stack: code can nest as deep as programs do (`1.abs.abs…`).
impl Drop for Code {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let op = std::mem::replace(&mut self.op, Op::MatchVariable(0));
            stack::drop_with_enough_stack(move || drop(op));
        }
    }
}

/// An operation with its operands; the comment of a variant shows the source that compiles to it.
#[derive(Debug)]
pub(super) enum Op {
    /// `1`, `'text'`, `Integer`, `Integer[1, 10]`
    Constant(Value),
    /// `$x` in a known slot: that of the parameter or variable `slot` in the frame `depth` levels outwards
    Local { depth: u32, slot: u32, name: Arc<str> },
    /// `$x` in one of several `places`, of which the first with a value is used; `$a::b` has no places
    Variable { places: Box<[VariablePlace]>, name: Arc<str> },
    /// `$1`
    MatchVariable(usize),
    /// `"a${b}"`
    Concatenation(Box<[Code]>),
    /// `[a, *b]`
    Array(Box<[Code]>),
    /// `{a => b}`
    Hash(Box<[(Code, Code)]>),
    /// `a + b - c`: the first operand, then a link for each operator and its right operand
    Chain(Box<Code>, Box<[ChainLink]>),
    /// `-a`, `!a`
    Prefix(ApplyPrefix, Box<Code>),
    /// `*a`
    Unfold(Box<Code>),
    /// `a[b, c]`
    Access(Box<Code>, Box<[Code]>),
    /// `if a { b } else { c }`
    If(Box<[Code; 3]>),
    /// `case a { b, c: { d } }`, `a ? { b => c }`
    Case { subject: Box<Code>, options: Box<[CaseOption]>, is_selector: bool },
    /// `$a = b`, `[$a, $b] = c`
    Assign(AssignmentTarget, Box<Code>),
    /// `{ a; b }`: the value of the last one counts
    Block(Box<[Code]>),
    /// `f(a) |$x| { }`, `a.f`, `T(a)`
    Call(Box<CallCode>),
    /// `Port`, which is not a built-in type; `key` is the name in lower case
    TypeName { name: Arc<str>, key: Box<str> },
    /// `<%= a %>`, `%>text<%`
    Render(Box<Code>),
    /// `notify { 'a': message => 'b' }`, which needs a catalog
    Resource(Box<ResourceCode>),
    /// The body of a function that the host defines
    Host(HostCall),
    /// `@("END":json)` with interpolations: the language and the code of the string
    Heredoc(EcoString, Box<Code>),
    /// An error that is found at compile time and returned when the code runs
    Fail(Error),
}

/// The Rust closure of a host function; it gets one value for each parameter.
pub(super) type HostBody = dyn Fn(&[Value]) -> Result<Value, Error> + Send + Sync;

/// The number of parameters and the body of a host function.
pub(super) struct HostCall(pub(super) u32, pub(super) Arc<HostBody>);

impl fmt::Debug for HostCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostCall").field(&self.0).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub(super) struct ChainLink {
    pub(super) span: Span,
    pub(super) operator: &'static Operator,
    pub(super) right: Code,
    /// The slot of the left operand if it is a parameter that is not used again: its value may be changed in place.
    pub(super) reusable_parameter: Option<u32>,
}

#[derive(Debug)]
pub(super) struct ResourceCode {
    pub(super) resource_kind: ResourceKind,
    /// `notify`, `Notify`, `Notify['a']`
    pub(super) resource_type: Code,
    pub(super) has_type_name: bool,
    pub(super) bodies: Box<[ResourceBodyCode]>,
}

/// `'a': message => 'b'`
#[derive(Debug)]
pub(super) struct ResourceBodyCode {
    pub(super) title: Option<Code>,
    pub(super) attributes: Box<[AttributeCode]>,
}

/// `message => 'b'`
#[derive(Debug)]
pub(super) struct AttributeCode {
    pub(super) name: EcoString,
    pub(super) name_span: Span,
    pub(super) value: Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariablePlace {
    Frame { depth: u32, slot: u32 },
    Global { slot: u32 },
}

/// `b, c: { d }` of a `case`, or `b => d` of a selector
#[derive(Debug)]
pub(super) struct CaseOption {
    pub(super) has_default: bool,
    pub(super) option_values: Box<[Code]>,
    pub(super) then: Code,
}

#[derive(Debug)]
pub(super) enum AssignmentTarget {
    /// `$x`; `earlier` is the location of a parameter or of a previous assignment of `$x` in the same body
    Variable { span: Span, name: Arc<str>, place: VariablePlace, earlier: Option<Span> },
    /// `[$a, [$b, $c]]`
    List(Span, Box<[AssignmentTarget]>),
}

#[derive(Debug)]
pub(super) struct CallCode {
    pub(super) callee: Callee,
    pub(super) name_span: Span,
    pub(super) arguments: Box<[Code]>,
    pub(super) lambda: Option<Arc<LambdaCode>>,
    /// Whether the call is written as `a.f`, which may also read an attribute of `a`.
    pub(super) is_method: bool,
}

#[derive(Debug)]
pub(super) enum Callee {
    /// A built-in function, and its signatures (with their indexes) that accept the block of the call, or no block.
    BuiltIn(&'static Function, Box<[(usize, &'static Signature)]>),
    /// The name of a function that is looked up when the call runs.
    Named(Arc<str>),
    /// `Integer('5')`, `$deferred()`: the value in front of the parentheses decides what is called
    Value(Code),
}

impl Callee {
    pub(super) fn callee_name(&self) -> Option<&str> {
        match self {
            Callee::BuiltIn(function, _) => Some(function.name),
            Callee::Named(name) => Some(name),
            Callee::Value(_) => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct LambdaCode {
    pub(super) name: Option<Arc<str>>,
    pub(super) source: Arc<Source>,
    pub(super) parameters: Box<[ParameterCode]>,
    /// The names of the slots: parameters, then variables.
    pub(super) slot_names: Arc<[Arc<str>]>,
    pub(super) return_type: Option<Code>,
    pub(super) body: Code,
    /// The error that calls return if the parameter list is invalid.
    pub(super) parameter_error: Option<Error>,
    pub(super) callable_type: OnceLock<Type>,
    /// Whether a parameter or the return value has a declared type.
    pub(super) is_typed: bool,
    /// Set once all types are known to exist: another check takes a third of a call under strictness `error`.
    pub(super) are_types_checked: OnceLock<()>,
}

/// `Integer $x = 1`
#[derive(Debug)]
pub(super) struct ParameterCode {
    pub(super) span: Span,
    pub(super) name: Arc<str>,
    pub(super) type_code: Option<Code>,
    pub(super) default: Option<Code>,
    pub(super) captures_rest: bool,
}

impl LambdaCode {
    /// Returns the Callable type; its type for a parameter is Any if only evaluation, at each call, finds the type.
    pub(super) fn callable_type(&self) -> &Type {
        self.callable_type.get_or_init(|| {
            let type_of = |parameter: &ParameterCode| {
                let declared = parameter.constant_type().cloned().unwrap_or_else(Type::any);
                parameter.argument_type(declared)
            };
            let types = self.parameters.iter().map(type_of).collect();
            CallableType::new(types, Some(self.argument_counts()), None, None).into()
        })
    }

    pub(super) fn parameter_list_source(&self) -> String {
        let parameters = self.parameters.iter().map(|parameter| self.source.slice(parameter.span));
        format!("({})", parameters.collect::<Vec<_>>().join(", "))
    }

    pub(super) fn argument_counts(&self) -> Size {
        let required = self.parameters.iter().take_while(|parameter| parameter.is_required()).count();
        let (named, rest) = match &*self.parameters {
            [named @ .., last] if last.captures_rest => (named.len(), last.rest_argument_counts()),
            named => (named.len(), Size::exactly(0)),
        };
        let end = |count: usize, more: i64| i64::try_from(count).unwrap_or(i64::MAX).saturating_add(more);
        Size::new(end(required, rest.from()), end(named, rest.to())).unwrap_or(Size::ANY)
    }

    pub(super) fn fills_parameters_exactly(&self, count: usize) -> bool {
        count == self.parameters.len() && !self.parameters.last().is_some_and(|parameter| parameter.captures_rest)
    }

    pub(super) fn accepts_with_defaults(&self, count: usize) -> bool {
        let others = self.parameters.get(count..);
        others.is_some_and(|others| others.iter().all(|parameter| parameter.default.is_some()))
            && !self.parameters.last().is_some_and(|parameter| parameter.captures_rest)
    }
}

impl ParameterCode {
    /// Returns the type that each argument has to have: `declared` or, for a rest parameter that is declared as an
    /// Array, the type of its elements.
    ///
    /// Observed: Puppet 7.23 for `Array[Integer] *$rest`.
    pub(super) fn argument_type(&self, declared: Type) -> Type {
        match &declared {
            Type::Array(array) if self.captures_rest => array.element().clone(),
            _ => declared,
        }
    }

    /// Returns the number of arguments that a rest parameter accepts: the size of its Array type, otherwise any number.
    pub(super) fn rest_argument_counts(&self) -> Size {
        let declared = match self.type_code.as_ref().map(|type_| &type_.op) {
            Some(Op::Constant(Value::Type(type_))) => Some(type_.clone()),
            // The type of the elements does not matter here.
            Some(Op::Access(target, keys)) if let Op::Constant(Value::Type(array @ Type::Array(_))) = &target.op => {
                let key = |key: &Code| match &key.op {
                    Op::Constant(value) => value.clone(),
                    _ => Value::Type(Type::any()),
                };
                array.with_arguments(&keys.iter().map(key).collect::<Vec<_>>()).ok()
            }
            _ => None,
        };
        match declared {
            Some(Type::Array(array)) => array.size(),
            _ => Size::ANY,
        }
    }

    /// Whether `value` is certainly an instance of the declared type; false if only evaluation can decide.
    #[inline]
    pub(super) fn certainly_accepts(&self, value: &Value) -> bool {
        let is_instance = || self.constant_type().is_some_and(|type_| type_.has_instance(value));
        self.type_code.is_none() || !self.captures_rest && is_instance()
    }

    pub(super) fn arguments_for_parameter<'a>(&self, at: usize, arguments: &'a [Value]) -> &'a [Value] {
        let end = if self.captures_rest { arguments.len() } else { arguments.len().min(at.saturating_add(1)) };
        arguments.get(at..end).unwrap_or_default()
    }

    /// Whether the parameter has a default value that replaces the arguments `given` for it.
    ///
    /// Observed: Puppet 7.23; a rest parameter also uses its default value if the only argument is undef.
    pub(super) fn uses_default(&self, given: &[Value]) -> bool {
        self.default.is_some() && (given.is_empty() || self.captures_rest && matches!(given, [Value::Undef]))
    }

    pub(super) fn is_required(&self) -> bool {
        self.default.is_none() && !self.captures_rest
    }

    pub(super) fn constant_type(&self) -> Option<&Type> {
        match self.type_code.as_ref()?.op {
            Op::Constant(Value::Type(ref type_)) => Some(type_),
            _ => None,
        }
    }
}
