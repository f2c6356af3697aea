//! What the evaluator walks: the syntax tree with its names looked up once.
//!
//! Variables have become slots, literals values, built-in types types, and calls of built-in functions rows of their
//! table. A chain of binary operators is flat, so that a hundred thousand terms need no deep stack.

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
    /// `Port`
    pub(super) fn type_name(name: impl Into<Arc<str>>) -> Op {
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

/// Code nests as deep as programs do (`1.abs.abs…`): taking it apart must not use up the machine stack.
impl Drop for Code {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let op = std::mem::replace(&mut self.op, Op::MatchVariable(0));
            stack::with_room_to_drop(move || drop(op));
        }
    }
}

/// Documented by the text that produces it.
#[derive(Debug)]
pub(super) enum Op {
    /// `1`, `'text'`, `Integer`, `Integer[1, 10]`
    Constant(Value),
    /// `$x` where one place can hold it: the parameter or variable `slot` of the frame `depth` levels out
    Local {
        depth: u32,
        slot: u32,
        name: Arc<str>,
    },
    /// `$x` where the first of these places that has a value holds it; none for `$a::b`, which nothing can define here
    Variable {
        places: Box<[Place]>,
        name: Arc<str>,
    },
    /// `$1`
    MatchVariable(usize),
    /// `"a${b}"`
    Concatenation(Box<[Code]>),
    /// `[a, *b]`
    Array(Box<[Code]>),
    /// `{a => b}`
    Hash(Box<[(Code, Code)]>),
    /// `a + b * c`, flat along the left side
    Chain(Box<Code>, Box<[Link]>),
    /// `-a`, `!a`
    Prefix(ApplyPrefix, Box<Code>),
    /// `*a`
    Unfold(Box<Code>),
    /// `a[b, c]`
    Access(Box<Code>, Box<[Code]>),
    /// `if a { b } else { c }`
    If(Box<[Code; 3]>),
    /// `a ? { b => c }`
    Selector(Box<Code>, Box<[CaseOption]>),
    /// `case a { b, c: { d } }`
    Case(Box<Code>, Box<[CaseOption]>),
    /// `$a = b`, `[$a, $b] = c`
    Assign(Target, Box<Code>),
    Block(Box<[Code]>),
    /// `f(a) |$x| { }`, `a.f`, `T(a)`
    Call(Box<Call>),
    /// `Port`, which is not a built-in type; the key of an alias is in lower case
    TypeName {
        name: Arc<str>,
        key: Box<str>,
    },
    /// `<%= a %>`, `%>text<%`
    Render(Box<Code>),
    /// `notify { 'a': message => 'b' }`, which needs a catalog
    Resource(Box<ResourceCode>),
    /// The body of a function that the host defines
    Host(HostCall),
    /// `@("END":json)`, whose text is put together as it runs: the language and the text
    Heredoc(EcoString, Box<Code>),
    /// What is known to be wrong before it runs.
    Fail(Error),
}

/// What a host function does with its arguments, one value for each parameter.
pub(super) type HostBody = dyn Fn(&[Value]) -> Result<Value, Error> + Send + Sync;

/// The body of a host function with so many parameters.
pub(super) struct HostCall(pub(super) u32, pub(super) Arc<HostBody>);

impl fmt::Debug for HostCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostCall").field(&self.0).finish_non_exhaustive()
    }
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) span: Span,
    pub(super) operator: &'static Operator,
    pub(super) right: Code,
    /// The slot of the left operand, a parameter that nothing uses afterwards: its value may change in place.
    pub(super) last_use_of: Option<u32>,
}

#[derive(Debug)]
pub(super) struct ResourceCode {
    pub(super) kind: ResourceKind,
    /// `notify`, `Notify`, `Notify['a']`
    pub(super) subject: Code,
    pub(super) is_named: bool,
    pub(super) bodies: Box<[BodyCode]>,
}

/// `'a': message => 'b'`
#[derive(Debug)]
pub(super) struct BodyCode {
    pub(super) title: Option<Code>,
    pub(super) attributes: Box<[AttributeCode]>,
}

/// `message => 'b'`
#[derive(Debug)]
pub(super) struct AttributeCode {
    pub(super) name: EcoString,
    pub(super) span: Span,
    pub(super) value: Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a frame, counted from the innermost.
    Frame {
        depth: u32,
        slot: u32,
    },
    Global {
        slot: u32,
    },
}

/// `b, c: { d }`, or `b => d` of a selector
#[derive(Debug)]
pub(super) struct CaseOption {
    pub(super) has_default: bool,
    pub(super) values: Box<[Code]>,
    pub(super) then: Code,
}

#[derive(Debug)]
pub(super) enum Target {
    /// `$x`, and the assignment or the parameter of the same body that comes before and sets it, too
    Variable { span: Span, name: Arc<str>, place: Place, earlier: Option<Span> },
    /// `[$a, [$b, $c]]`
    List(Span, Box<[Target]>),
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) name_span: Span,
    pub(super) arguments: Box<[Code]>,
    pub(super) lambda: Option<Arc<LambdaCode>>,
    /// `a.f`: an attribute of a value may be meant
    pub(super) is_method: bool,
}

#[derive(Debug)]
pub(super) enum Callee {
    /// Those signatures that the block of the call, or its absence, leaves possible; with their numbers.
    BuiltIn(&'static Function, Box<[(usize, &'static Signature)]>),
    /// A function of that name, if there is one when the call runs.
    Named(Arc<str>),
    /// `Integer('5')`, `$deferred()`: what stands before the parenthesis decides
    Value(Code),
}

impl Callee {
    pub(super) fn name(&self) -> Option<&str> {
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
    pub(super) names: Arc<[Arc<str>]>,
    pub(super) return_type: Option<Code>,
    pub(super) body: Code,
    /// What is wrong with the parameters, which counts when it is called.
    pub(super) fault: Option<Error>,
    /// The `Callable` type, once it was asked for.
    pub(super) callable_type: OnceLock<Type>,
    /// Whether a parameter or the result has a type.
    pub(super) is_typed: bool,
    /// Set once its types are known to exist: looking them up again would cost a third of a call under strictness `error`.
    pub(super) types_found: OnceLock<()>,
}

/// `Integer $x = 1`
#[derive(Debug)]
pub(super) struct ParameterCode {
    pub(super) span: Span,
    pub(super) name: Arc<str>,
    pub(super) type_: Option<Code>,
    pub(super) default: Option<Code>,
    pub(super) captures_rest: bool,
}

impl LambdaCode {
    /// The `Callable` type. A parameter whose type is not the same in every call counts as Any: it is checked when the
    /// call is made.
    pub(super) fn callable_type(&self) -> &Type {
        self.callable_type.get_or_init(|| {
            let type_of = |parameter: &ParameterCode| {
                let declared = parameter.constant_type().cloned().unwrap_or_else(Type::any);
                parameter.judged(declared)
            };
            let end = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
            let size = Size::new(end(self.required()), self.maximum().map_or(i64::MAX, end));
            CallableType::new(self.parameters.iter().map(type_of).collect(), size.ok(), None, None).into()
        })
    }

    pub(super) fn signature(&self) -> String {
        let parameters = self.parameters.iter().map(|parameter| self.source.slice(parameter.span));
        format!("({})", parameters.collect::<Vec<_>>().join(", "))
    }

    pub(super) fn required(&self) -> usize {
        let before = self.parameters.iter().take_while(|parameter| parameter.is_required()).count();
        before + self.rest_size().map_or(0, |size| usize::try_from(size.from()).unwrap_or(usize::MAX))
    }

    /// Whether each of so many arguments is for one parameter, and each parameter gets one.
    pub(super) fn takes_one_each(&self, count: usize) -> bool {
        count == self.parameters.len() && !self.parameters.last().is_some_and(|parameter| parameter.captures_rest)
    }

    /// Whether so many arguments are for the first parameters, one for each, and the others have default values.
    pub(super) fn takes_by_place(&self, count: usize) -> bool {
        let others = self.parameters.get(count..);
        others.is_some_and(|others| others.iter().all(|parameter| parameter.default.is_some()))
            && !self.parameters.last().is_some_and(|parameter| parameter.captures_rest)
    }

    /// How many arguments there may be; none: any number.
    pub(super) fn maximum(&self) -> Option<usize> {
        let Some(rest) = self.rest_size() else { return Some(self.parameters.len()) };
        let most = usize::try_from(rest.to()).ok().filter(|_| rest.to() != i64::MAX)?;
        Some(self.parameters.len() - 1 + most)
    }

    /// How many arguments the parameter gets that captures the rest, if there is one.
    fn rest_size(&self) -> Option<Size> {
        self.parameters.last().filter(|last| last.captures_rest).map(ParameterCode::rest_size)
    }
}

impl ParameterCode {
    /// The type that a value has to be of where `declared` precedes the parameter. One that takes the rest may
    /// say the type of the array, or that of its elements.
    ///
    /// Observed: Puppet 7.23 for `Array[Integer] *$rest`.
    pub(super) fn judged(&self, declared: Type) -> Type {
        match &declared {
            Type::Array(array) if self.captures_rest => array.element().clone(),
            _ => declared,
        }
    }

    /// How many arguments it gets where it captures the rest: as many as the array type in front of it says.
    pub(super) fn rest_size(&self) -> Size {
        let declared = match self.type_.as_ref().map(|type_| &type_.op) {
            Some(Op::Constant(Value::Type(type_))) => Some(type_.clone()),
            // The type of the elements does not matter here.
            Some(Op::Access(target, keys)) => match &target.op {
                Op::Constant(Value::Type(array @ Type::Array(_))) => {
                    let key = |key: &Code| match &key.op {
                        Op::Constant(value) => value.clone(),
                        _ => Value::Type(Type::any()),
                    };
                    array.with_arguments(&keys.iter().map(key).collect::<Vec<_>>()).ok()
                }
                _ => None,
            },
            _ => None,
        };
        match declared {
            Some(Type::Array(array)) => array.size(),
            _ => Size::ANY,
        }
    }

    /// Whether `value` is of its type, as far as that is known without evaluating anything.
    #[inline]
    pub(super) fn certainly_takes(&self, value: &Value) -> bool {
        let is_instance = || self.constant_type().is_some_and(|type_| type_.has_instance(value));
        self.type_.is_none() || !self.captures_rest && is_instance()
    }

    /// Those of the arguments that the parameter number `at` gets.
    pub(super) fn share<'a>(&self, at: usize, arguments: &'a [Value]) -> &'a [Value] {
        let end = if self.captures_rest { arguments.len() } else { arguments.len().min(at.saturating_add(1)) };
        arguments.get(at..end).unwrap_or_default()
    }

    /// Whether the default value steps in for what is given.
    ///
    /// Observed: Puppet 7.23; of a parameter that takes the rest, also for an undef alone.
    pub(super) fn takes_default(&self, given: &[Value]) -> bool {
        self.default.is_some() && (given.is_empty() || self.captures_rest && matches!(given, [Value::Undef]))
    }

    pub(super) fn is_required(&self) -> bool {
        self.default.is_none() && !self.captures_rest
    }

    /// The type, when it was written and is the same in every call.
    pub(super) fn constant_type(&self) -> Option<&Type> {
        match self.type_.as_ref()?.op {
            Op::Constant(Value::Type(ref type_)) => Some(type_),
            _ => None,
        }
    }
}
