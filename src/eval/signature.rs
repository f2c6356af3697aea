//! Signatures of functions and constructors, written as parameter lists of the language: `(Integer $a, Any *$rest)`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::declared::{Declaration, Kind};
use super::environment::Environment;
use crate::error::Error;
use crate::limits;
use crate::syntax;
use crate::syntax::tree::{self, Definition, Expression, Tree};
use crate::text::Source;
use crate::types::Type;
use crate::value::{Callable, Value};

/// `(Integer $a, String $b = '', Any *$rest, Optional[Callable] &$block) >> Array`
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    parameters: Vec<Parameter>,
    /// How many arguments there must be.
    pub(crate) least: usize,
    /// How many there may be; none: any number.
    pub(crate) most: Option<usize>,
    pub(crate) block: Option<Type>,
    pub(crate) return_type: Type,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Arc<str>,
    pub(crate) type_: Type,
    pub(crate) required: bool,
    pub(crate) captures_rest: bool,
}

/// Why arguments do not fit a signature. The furthest reason among several signatures is the one to tell.
#[derive(Debug)]
pub(super) enum SignatureMismatch {
    /// Too few or too many: what was expected, at least and at most.
    Count {
        least: usize,
        most: Option<usize>,
    },
    /// The argument number `at` (from 0) is not of the parameter's type. No name where signatures differ in it.
    Argument {
        at: usize,
        name: Option<Arc<str>>,
        expected: Type,
    },
    UnexpectedBlock,
    MissingBlock,
    Block {
        expected: Type,
    },
}

impl Parameter {
    pub(crate) fn new(written: &tree::Parameter, type_: Type) -> Parameter {
        let required = written.default.is_none() && !written.captures_rest;
        Parameter { name: (&*written.name).into(), type_, required, captures_rest: written.captures_rest }
    }
}

/// The signatures in a row of the table of functions or of types, read at the first use.
pub(crate) fn signatures_of(texts: &'static [&str]) -> &'static [Signature] {
    /// By where their texts in the tables lie in memory. Reading one takes as long as a hundred calls.
    static READ: Mutex<FxHashMap<usize, &'static [Signature]>> = Mutex::new(HashMap::with_hasher(FxBuildHasher));
    let at = texts.as_ptr().addr();
    if let Some(known) = READ.lock().unwrap_or_else(PoisonError::into_inner).get(&at) {
        return known;
    }
    let signature = |text: &&str| {
        let signature = Signature::read(text, &mut Environment::default());
        signature.unwrap_or_else(|error| panic!("the signature {text} is not readable: {error}"))
    };
    // A signature is read with others: nothing is locked meanwhile.
    let read = limits::unlimited(|| texts.iter().map(signature).collect::<Vec<_>>());
    READ.lock().unwrap_or_else(PoisonError::into_inner).entry(at).or_insert_with(|| read.leak())
}

/// A signature as the head of a function; `&$block` marks the parameter of the block.
pub(crate) struct SignatureText {
    pub(crate) tree: Tree,
    pub(crate) has_block: bool,
}

impl SignatureText {
    pub(crate) fn read(text: &str) -> Result<SignatureText, Error> {
        let function = format!("function signature{} {{ }}", text.replace("&$", "$"));
        let tree = syntax::parse(&Source::new("signature", function))?;
        Ok(SignatureText { tree, has_block: text.contains("&$") })
    }

    pub(crate) fn definition(&self) -> Result<&Definition, Error> {
        match self.tree.statements() {
            [id] if let Expression::Function(definition) = &self.tree[*id].expression => Ok(definition),
            _ => Err(Error::runtime("expected a parameter list")),
        }
    }
}

impl Signature {
    /// A type that cannot be resolved, of a module that is not there, is Any.
    pub(crate) fn read(text: &str, environment: &mut Environment) -> Result<Signature, Error> {
        let text = SignatureText::read(text)?;
        let definition = text.definition()?;
        let declaration = Declaration::new(Kind::Function, definition, &text.tree, environment);
        let mut parameters = Vec::new();
        for (written, declared) in definition.parameters.iter().zip(&declaration.parameters) {
            let type_ = environment.type_of(&declaration, declared);
            parameters.push(Parameter::new(written, type_.unwrap_or_else(|_| Type::any())));
        }
        let block = if text.has_block { parameters.pop().map(|block| block.type_) } else { None };
        let return_type = environment.return_type_of(&declaration);
        Ok(Signature::new(parameters, block, return_type.unwrap_or_else(|_| Type::any())))
    }

    pub(crate) fn new(parameters: Vec<Parameter>, block: Option<Type>, return_type: Type) -> Signature {
        let least = parameters.iter().filter(|parameter| parameter.required).count();
        let endless = parameters.last().is_some_and(|parameter| parameter.captures_rest);
        let most = (!endless).then_some(parameters.len());
        Signature { parameters, least, most, block, return_type }
    }

    /// The parameter that gets the argument number `at`.
    pub(crate) fn parameter(&self, at: usize) -> Option<&Parameter> {
        self.parameters.get(at).or(self.parameters.last())
    }

    pub(super) fn takes_arguments(&self, arguments: &[Value]) -> bool {
        self.takes_count(arguments.len()) && self.wrong_argument(arguments).is_none()
    }

    pub(super) fn takes_block(&self, block: Option<&Type>) -> bool {
        match (&self.block, block) {
            (expected, None) => expected.as_ref().is_none_or(|expected| expected.has_instance(&Value::Undef)),
            (expected, Some(block)) => expected.as_ref().is_some_and(|expected| expected.accepts(block)),
        }
    }

    fn takes_count(&self, count: usize) -> bool {
        self.least <= count && self.most.is_none_or(|most| count <= most)
    }

    fn wrong_argument(&self, arguments: &[Value]) -> Option<usize> {
        let takes = |type_: &Type, argument| matches!(type_, Type::Any(_)) || type_.has_instance(argument);
        let mut arguments = arguments.iter().enumerate();
        arguments.position(|(at, argument)| self.parameter(at).is_some_and(|one| !takes(&one.type_, argument)))
    }

    /// Why the signature does not fit, which it does not.
    pub(super) fn mismatch(&self, arguments: &[Value], block: Option<&Arc<dyn Callable>>) -> SignatureMismatch {
        if !self.takes_count(arguments.len()) {
            return SignatureMismatch::Count { least: self.least, most: self.most };
        }
        if let Some(at) = self.wrong_argument(arguments)
            && let Some(parameter) = self.parameter(at)
        {
            let (name, expected) = (Some(parameter.name.clone()), parameter.type_.clone());
            return SignatureMismatch::Argument { at, name, expected };
        }
        match (&self.block, block) {
            (None, _) => SignatureMismatch::UnexpectedBlock,
            (Some(_), None) => SignatureMismatch::MissingBlock,
            (Some(expected), Some(_)) => SignatureMismatch::Block { expected: expected.clone() },
        }
    }
}
