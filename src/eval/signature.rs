//! Signatures of functions and constructors, written as Puppet parameter lists: `(Integer $a, Any *$rest)`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::declared::Declaration;
use super::environment::Environment;
use crate::error::Error;
use crate::limits;
use crate::syntax;
use crate::syntax::tree::{self, Definition, Expression, Tree};
use crate::text::Source;
use crate::types::{Size, Type};
use crate::value::{Callable, Value};

/// `(Integer $a, String $b = '', Any *$rest, Optional[Callable] &$block) >> Array`
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    parameters: Vec<Parameter>,
    pub(crate) argument_counts: Size,
    pub(crate) block_type: Option<Type>,
    pub(crate) return_type: Type,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Arc<str>,
    pub(crate) type_: Type,
    pub(crate) is_required: bool,
    pub(crate) captures_rest: bool,
}

/// Why a signature does not accept a call. The name of an argument is `None` if merged signatures differ in it.
#[derive(Debug)]
pub(super) enum SignatureMismatch {
    Count(Size),
    Argument { at: usize, name: Option<Arc<str>>, expected: Type },
    UnexpectedBlock,
    MissingBlock,
    Block { expected: Type },
}

impl Parameter {
    pub(crate) fn from_tree_parameter(written: &tree::Parameter, type_: Type) -> Parameter {
        let required = written.default.is_none() && !written.captures_rest;
        Parameter { name: (&*written.name).into(), type_, is_required: required, captures_rest: written.captures_rest }
    }
}

/// Returns the signatures of a row in the table of functions or types; only the first call parses them.
pub(crate) fn parsed_signatures(texts: &'static [&str]) -> &'static [Signature] {
    /// The parsed signatures by the address of their strings. Parsing takes as long as a hundred calls.
    static READ: Mutex<FxHashMap<usize, &'static [Signature]>> = Mutex::new(HashMap::with_hasher(FxBuildHasher));
    let at = texts.as_ptr().addr();
    if let Some(known) = READ.lock().unwrap_or_else(PoisonError::into_inner).get(&at) {
        return known;
    }
    let signature = |text: &&str| {
        let signature = Signature::parse_signature(text, &mut Environment::default());
        signature.unwrap_or_else(|error| panic!("the signature {text} is not readable: {error}"))
    };
    // A signature is read with others: nothing is locked meanwhile.
    let read = limits::run_with_default_limits(|| texts.iter().map(signature).collect::<Vec<_>>());
    READ.lock().unwrap_or_else(PoisonError::into_inner).entry(at).or_insert_with(|| read.leak())
}

/// A signature parsed as a function definition; `&$block` in its source marks the parameter for the block.
pub(crate) struct ParsedSignature {
    pub(crate) tree: Tree,
    pub(crate) has_block: bool,
}

impl ParsedSignature {
    pub(crate) fn parse_signature_text(text: &str) -> Result<ParsedSignature, Error> {
        let function = format!("function signature{} {{ }}", text.replace("&$", "$"));
        let tree = syntax::parse(&Source::new("signature", function))?;
        Ok(ParsedSignature { tree, has_block: text.contains("&$") })
    }

    pub(crate) fn function_definition(&self) -> Result<&Definition, Error> {
        match self.tree.statements() {
            [id] if let Expression::Definition(definition) = &self.tree[*id].expression => Ok(definition),
            _ => Err(Error::runtime("expected a parameter list")),
        }
    }
}

impl Signature {
    /// Parses a signature; a type that cannot be resolved, for example of a missing module, becomes Any.
    pub(crate) fn parse_signature(text: &str, environment: &mut Environment) -> Result<Signature, Error> {
        let text = ParsedSignature::parse_signature_text(text)?;
        let definition = text.function_definition()?;
        let declaration = Declaration::from_definition(definition, &text.tree, environment);
        let mut parameters = Vec::new();
        for (written, declared) in definition.parameters.iter().zip(&declaration.parameters) {
            let type_ = environment.parameter_type(&declaration, declared);
            parameters.push(Parameter::from_tree_parameter(written, type_.unwrap_or_else(|_| Type::any())));
        }
        let block = if text.has_block { parameters.pop().map(|block| block.type_) } else { None };
        let return_type = environment.declared_return_type(&declaration);
        Ok(Signature::new(parameters, block, return_type.unwrap_or_else(|_| Type::any())))
    }

    pub(crate) fn new(parameters: Vec<Parameter>, block: Option<Type>, return_type: Type) -> Signature {
        let least = parameters.iter().filter(|parameter| parameter.is_required).count();
        let endless = parameters.last().is_some_and(|parameter| parameter.captures_rest);
        let most = if endless { usize::MAX } else { parameters.len() };
        let argument_counts = Size::exactly(least).merged_size(Size::exactly(most));
        Signature { parameters, argument_counts, block_type: block, return_type }
    }

    pub(crate) fn parameter_of_argument(&self, at: usize) -> Option<&Parameter> {
        self.parameters.get(at).or(self.parameters.last())
    }

    pub(super) fn accepts_arguments(&self, arguments: &[Value]) -> bool {
        self.argument_counts.contains(arguments.len()) && self.first_wrong_argument(arguments).is_none()
    }

    pub(super) fn accepts_block(&self, block: Option<&Type>) -> bool {
        match (&self.block_type, block) {
            (expected, None) => expected.as_ref().is_none_or(|expected| expected.has_instance(&Value::Undef)),
            (expected, Some(block)) => expected.as_ref().is_some_and(|expected| expected.accepts(block)),
        }
    }

    fn first_wrong_argument(&self, arguments: &[Value]) -> Option<usize> {
        let takes = |type_: &Type, argument| matches!(type_, Type::Any(_)) || type_.has_instance(argument);
        let mut arguments = arguments.iter().enumerate();
        arguments
            .position(|(at, argument)| self.parameter_of_argument(at).is_some_and(|one| !takes(&one.type_, argument)))
    }

    /// Returns the reason why the signature rejects a call; the caller has to know that it rejects the call.
    pub(super) fn find_mismatch(&self, arguments: &[Value], block: Option<&Arc<dyn Callable>>) -> SignatureMismatch {
        if !self.argument_counts.contains(arguments.len()) {
            return SignatureMismatch::Count(self.argument_counts);
        }
        if let Some(at) = self.first_wrong_argument(arguments)
            && let Some(parameter) = self.parameter_of_argument(at)
        {
            let (name, expected) = (Some(parameter.name.clone()), parameter.type_.clone());
            return SignatureMismatch::Argument { at, name, expected };
        }
        match (&self.block_type, block) {
            (None, _) => SignatureMismatch::UnexpectedBlock,
            (Some(_), None) => SignatureMismatch::MissingBlock,
            (Some(expected), Some(_)) => SignatureMismatch::Block { expected: expected.clone() },
        }
    }
}
