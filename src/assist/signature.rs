//! Signatures of functions and types as data, and help for the call or type whose brackets are open at a cursor.

use std::fmt;

use super::{SymbolIndex, brackets::Brackets};
use crate::eval::ParsedSignature;
use crate::syntax::tokens::{Kind, scan};
use crate::types::Type;

/// One way to call a function or a type, or the parameters of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `(` and `)` around the arguments of a call, `[` and `]` around the parameters of a type.
    pub brackets: [char; 2],
    /// The parameters, without that of the block.
    pub parameters: Vec<Parameter>,
    /// The parameter of the block, which is written after the brackets.
    pub block: Option<Parameter>,
    /// The type after `>>`, as written.
    pub return_type: Option<String>,
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The whole parameter, as written: `Integer $height = 1`.
    pub label: String,
    /// The name without its dollar sign.
    pub name: String,
    /// The type; `Any` where none is written.
    pub type_: Type,
    /// Whether a call may omit the argument.
    pub is_optional: bool,
    /// Whether the parameter accepts all further arguments: `*$rest`.
    pub captures_rest: bool,
}

/// The signatures for the call or the type parameters around a cursor, and the parameter at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// Every signature of the function or type.
    pub signatures: Vec<Signature>,
    /// The index of the first signature with a parameter for the argument at the cursor.
    pub active_signature: usize,
    /// The index, in the active signature, of the parameter for the argument at the cursor, or the number of its
    /// parameters if only the closing bracket can follow.
    pub active_parameter: usize,
    /// Whether the argument at the cursor is still empty.
    pub is_argument_empty: bool,
}

impl Parameter {
    fn required(label: String, name: &str, type_: Type) -> Parameter {
        Parameter { label, name: name.to_owned(), type_, is_optional: false, captures_rest: false }
    }
}

impl Signature {
    /// Parses a signature, `(Integer $from, Any *$rest) >> Array`; a last `&$block` is the block. `None` if invalid.
    pub(super) fn parse(text: &str, symbols: &SymbolIndex) -> Option<Signature> {
        let text = ParsedSignature::parse_signature_text(text).ok()?;
        let (definition, tree, source) = (text.function_definition().ok()?, &text.tree, &text.tree.source);
        let type_ = |written| symbols.static_type(tree.text_of(written));
        let parameters = definition.parameters.iter().map(|parameter| Parameter {
            label: source.slice(parameter.span).to_owned(),
            name: parameter.name.to_string(),
            type_: parameter.type_.and_then(type_).unwrap_or_else(Type::any),
            is_optional: parameter.default.is_some() || parameter.captures_rest,
            captures_rest: parameter.captures_rest,
        });
        let mut parameters: Vec<Parameter> = parameters.collect();
        let block = if text.has_block { parameters.pop() } else { None };
        let return_type = definition.return_type.map(|written| tree.text_of(written).to_owned());
        Some(Signature { brackets: ['(', ')'], parameters, block, return_type })
    }

    /// Returns the parameter for the argument number `at`, counted from 0; `None` if there are too many arguments.
    pub fn parameter_for_argument(&self, at: usize) -> Option<&Parameter> {
        self.parameters.get(at).or_else(|| self.parameters.last().filter(|last| last.captures_rest))
    }
}

/// Writes the signature as code: `(Integer $from, Any *$rest) >> Array`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [open, close] = self.brackets;
        let labels: Vec<&str> = self.parameters.iter().map(|parameter| parameter.label.as_str()).collect();
        write!(f, "{open}{}{close}", labels.join(", "))?;
        self.return_type.iter().try_for_each(|type_| write!(f, " >> {type_}"))
    }
}

/// Returns the signatures of the call or the type whose brackets are open at the byte offset `cursor`.
///
/// Returns `None` outside of such brackets, inside a string, and if no signature accepts that many arguments.
#[expect(clippy::indexing_slicing, reason = "the numbers are those of tokens of the same text")]
pub fn signature_help(text: &str, cursor: usize, symbols: &SymbolIndex) -> Option<SignatureHelp> {
    let code = text[..cursor].trim_end();
    let (tokens, is_inside) = scan(code);
    let open = Brackets::from_tokens(code, &tokens).open.pop().filter(|open| open.token_index > 0 && !is_inside)?;
    let text = |at: usize| &code[tokens[at].span.range()];
    let name = open.token_index - 1;
    if tokens[name].span.end != tokens[open.token_index].span.start {
        return None;
    }
    let is_chained = name >= 2 && text(name - 1) == ".";
    let (signatures, given) = match (tokens[name].kind, text(open.token_index)) {
        (Kind::Reference, "[") => (type_parameter_signatures(&symbols.static_type(text(name))?), 0),
        (Kind::Reference, "(") => (constructor_signatures(&symbols.static_type(text(name))?, symbols), 0),
        (Kind::Name, "(") if is_chained && text(name) == "new" && tokens[name - 2].kind == Kind::Reference => {
            (constructor_signatures(&symbols.static_type(text(name - 2))?, symbols), 0)
        }
        // The first argument of `value.name(` is in front of the dot.
        (Kind::Name, "(") => {
            (symbols.function_signatures(text(name).trim_start_matches("::")), usize::from(is_chained))
        }
        _ => return None,
    };
    let at = given + open.commas.len();
    let takes_more = |signature: &Signature| open.commas.is_empty() || signature.parameter_for_argument(at).is_some();
    let active_signature = signatures.iter().position(takes_more)?;
    let parameters = &signatures.get(active_signature)?.parameters;
    let captures_rest = parameters.last().is_some_and(|last| last.captures_rest);
    let active_parameter = at.min(parameters.len() - usize::from(captures_rest));
    let is_at_start = open.last_item_start_index() == tokens.len();
    Some(SignatureHelp { signatures, active_signature, active_parameter, is_argument_empty: is_at_start })
}

fn type_parameter_signatures(type_: &Type) -> Vec<Signature> {
    let parameters = type_.behind_aliases().row().parameters;
    if parameters.is_empty() {
        return Vec::new();
    }
    let mut depth = 0;
    let separates = |letter: char| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ',' && depth == 0
    };
    let parameters = parameters.split(separates).map(str::trim).map(|label| {
        let parameter = Parameter::required(label.to_owned(), label, Type::any());
        Parameter { is_optional: true, captures_rest: label == "…", ..parameter }
    });
    vec![Signature { brackets: ['[', ']'], parameters: parameters.collect(), block: None, return_type: None }]
}

pub(super) fn constructor_signatures(type_: &Type, symbols: &SymbolIndex) -> Vec<Signature> {
    match &*type_.behind_aliases() {
        Type::Object(object) => {
            let parameters = object.fields().into_iter().map(|field| {
                let label = format!("{} ${}", field.type_().to_string_as_parameter(), field.name);
                Parameter::required(label, &field.name, field.type_().clone())
            });
            vec![Signature { brackets: ['(', ')'], parameters: parameters.collect(), block: None, return_type: None }]
        }
        other => other.row().new.iter().filter_map(|text| Signature::parse(text, symbols)).collect(),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/assist/signature.rs"]
mod tests;
