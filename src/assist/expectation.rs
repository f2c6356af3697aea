//! The value expected at a cursor: its types, keys and strings, from the code around it, such as the call of a function, a
//! known hash, or the other side of a comparison.

#![expect(clippy::indexing_slicing, reason = "the numbers are those of tokens of the same text")]

use indexmap::IndexSet;

use super::brackets::{Brackets, OpenBracket, variable_name_at};
use super::signature::{Signature, constructor_signatures};
use super::symbols::SymbolIndex;
use crate::syntax::tokens::{Kind, Token, scan, tokens};
use crate::types::{HashType, StringType, Type};
use crate::value::{EcoString, Value};

/// The types, keys and strings expected at a cursor; all are empty if nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The types that a value at the cursor may have.
    pub types: Vec<Type>,
    /// The keys that the hash at the cursor may have and does not have yet.
    pub keys: Vec<String>,
    /// The strings that are values of the expected types.
    pub strings: Vec<String>,
}

/// Returns what is expected at the byte offset `cursor` of a text: by the parameter of the call around the cursor, by
/// the hash that is indexed there, or by the type with which the value is compared.
pub fn expectation_at_cursor(text: &str, cursor: usize, symbols: &SymbolIndex) -> Expectation {
    let (before, after) = text.split_at(cursor);
    let (tokens, is_inside) = scan(before);
    // A string or a word at the cursor is the value that is being written.
    let is_value = |kind| matches!(kind, Kind::String | Kind::Number | Kind::Name | Kind::Reference | Kind::Keyword);
    let is_written = |last: &Token| is_value(last.kind) && (is_inside || last.span.range().end == before.len());
    let others = tokens.split_last().filter(|(last, _)| is_written(last)).map(|(_, others)| others);
    let rest = others.unwrap_or(&tokens);
    CursorContext::new(before, rest, after, symbols).expectation()
}

#[derive(Clone, Debug)]
enum PathStep {
    Key,
    Value(String),
    Element(usize),
}

impl Expectation {
    /// Returns what is expected in a value of `types` at the path `steps` (innermost first), but not `present` keys.
    fn after_steps(types: &[Type], steps: &[PathStep], present: &[String]) -> Expectation {
        let alternatives = |types: &[Type]| -> Vec<Type> { types.iter().flat_map(Type::alternatives).collect() };
        let (mut types, mut keys) = (alternatives(types), Vec::new());
        for step in steps.iter().rev() {
            if let PathStep::Key = step {
                let names = types.iter().flat_map(member_names_and_types).map(|(name, _)| name);
                keys = unique_strings(names.filter(|name| !present.contains(name)));
            }
            let inner: Vec<Type> = types.iter().filter_map(|type_| type_after_step(type_, step)).collect();
            types = alternatives(&inner);
        }
        let strings = unique_strings(types.iter().flat_map(accepted_strings).map(ToString::to_string));
        Expectation { types, keys, strings }
    }

    fn of_keys<'v>(keys: impl Iterator<Item = &'v Value>) -> Expectation {
        let keys = keys.filter_map(Value::as_str).map(str::to_owned);
        Expectation { keys: keys.collect(), ..Expectation::default() }
    }
}

fn unique_strings(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.collect::<IndexSet<_>>().into_iter().collect()
}

fn member_names_and_types(type_: &Type) -> Vec<(String, Type)> {
    match type_ {
        Type::Object(object) => {
            object.fields().iter().map(|field| (field.name.to_string(), field.type_().clone())).collect()
        }
        Type::Struct(struct_) => {
            struct_.members().iter().map(|member| (member.name().to_owned(), member.type_().clone())).collect()
        }
        _ => Vec::new(),
    }
}

fn type_after_step(type_: &Type, step: &PathStep) -> Option<Type> {
    match (type_, step) {
        (_, PathStep::Key) => HashType::of_type(type_).map(|hash| hash.key().clone()),
        (Type::Hash(hash), PathStep::Value(_)) => Some(hash.value().clone()),
        (_, PathStep::Value(key)) => {
            member_names_and_types(type_).into_iter().find(|(name, _)| name == key).map(|(_, type_)| type_)
        }
        (Type::Array(array), PathStep::Element(_)) => Some(array.element().clone()),
        (Type::Tuple(tuple), PathStep::Element(at)) => tuple.type_at(*at).cloned(),
        (_, PathStep::Element(_)) => None,
    }
}

fn accepted_strings(type_: &Type) -> &[EcoString] {
    match type_ {
        Type::Enum(enum_) => enum_.values(),
        Type::String(string) if let StringType::Text(text) = &**string => std::slice::from_ref(text),
        _ => &[],
    }
}

/// The text before the cursor, its tokens (without one that is being typed at the cursor), and the text after it.
pub(super) struct CursorContext<'a> {
    before: &'a str,
    tokens: &'a [Token],
    brackets: Brackets,
    text_after_cursor: &'a str,
    symbols: &'a SymbolIndex,
}

impl<'a> CursorContext<'a> {
    pub(super) fn new(
        before: &'a str,
        tokens: &'a [Token],
        text_after_cursor: &'a str,
        symbols: &'a SymbolIndex,
    ) -> CursorContext<'a> {
        let brackets = Brackets::from_tokens(before, tokens);
        CursorContext { before, tokens, brackets, text_after_cursor, symbols }
    }

    pub(super) fn receiver_before_dot(&self) -> Option<Value> {
        self.value_before(self.tokens.len() - 1)
    }

    pub(super) fn expectation(&self) -> Expectation {
        let mut steps = Vec::new();
        let mut present = Vec::new();
        let mut depth = 0;
        for open in self.brackets.open.iter().rev() {
            match self.token_text(open.token_index) {
                // The surroundings of a string say nothing about its interpolations.
                "${" => break,
                "{" if self.is_hash_literal(open.token_index) => {
                    let (mut keys, has_arrow) = self.keys_in_braces(open);
                    if has_arrow {
                        steps.push(PathStep::Value(keys.pop().unwrap_or_default()));
                    } else {
                        if steps.is_empty() {
                            present = keys;
                        }
                        steps.push(PathStep::Key);
                    }
                }
                "[" if self.is_index_access(open.token_index) => {
                    return self.expectation_in_index(open.token_index, &steps).unwrap_or_default();
                }
                "[" => steps.push(PathStep::Element(open.commas.len())),
                "(" => {
                    return Expectation::after_steps(&self.expected_argument_types(open), &steps, &present);
                }
                _ => return Expectation::default(),
            }
            depth += 1;
        }
        Expectation::after_steps(&self.type_after_match_operator(depth), &steps, &present)
    }

    /// Returns the keys before the arrows in a hash literal, and whether the cursor is after an arrow, in a value.
    fn keys_in_braces(&self, brace: &OpenBracket) -> (Vec<String>, bool) {
        let begins_item =
            |at: usize| at == brace.token_index + 1 || brace.commas.binary_search(&at.wrapping_sub(1)).is_ok();
        let keys = brace.arrows.iter().map(|arrow| arrow - 1).filter(|at| begins_item(*at));
        let has_arrow = brace.arrows.last() == Some(&(brace.last_item_start_index() + 1));
        (keys.map(|at| self.token_text(at).trim_matches(['\'', '"']).to_owned()).collect(), has_arrow)
    }

    fn token_text(&self, at: usize) -> &str {
        &self.before[self.tokens[at].span.range()]
    }

    fn previous_token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    fn is_hash_literal(&self, at: usize) -> bool {
        self.previous_token(at).is_none_or(|token| match token.kind {
            Kind::Open => true,
            Kind::Symbol => &self.before[token.span.range()] != "|",
            _ => false,
        })
    }

    fn is_index_access(&self, at: usize) -> bool {
        self.previous_token(at).is_some_and(|token| {
            let is_value = matches!(token.kind, Kind::Variable | Kind::Reference | Kind::Close | Kind::String)
                || self.is_interpolated_variable(at - 1);
            is_value && token.span.end == self.tokens[at].span.start
        })
    }

    /// Returns the source of the operand that ends right before the token `end`, such as `$a['b'].c`.
    fn operand_source_before(&self, end: usize) -> Option<String> {
        let mut at = end.checked_sub(1)?;
        loop {
            while self.tokens[at].kind == Kind::Close {
                at = self.brackets.index_of_opening(at)?;
                // The operand of the brackets is directly before them.
                match self.previous_token(at) {
                    Some(token) if token.span.end == self.tokens[at].span.start && is_operand_token(token.kind) => {
                        at -= 1;
                    }
                    _ => return self.source_between(at, end),
                }
            }
            if !is_operand_token(self.tokens[at].kind) {
                return None;
            }
            let is_method = at >= 2 && self.token_text(at - 1) == ".";
            if !is_method {
                return self.source_between(at, end);
            }
            at -= 2;
        }
    }

    fn source_between(&self, from: usize, end: usize) -> Option<String> {
        let sign = if self.is_interpolated_variable(from) { "$" } else { "" };
        let text = self.before.get(self.tokens[from].span.range().start..self.tokens[end - 1].span.range().end)?;
        Some(format!("{sign}{text}"))
    }

    /// Whether the token `at` is the name of a variable without a dollar sign, as in `${name`.
    fn is_interpolated_variable(&self, at: usize) -> bool {
        self.tokens[at].kind == Kind::Name && variable_name_at(self.before, self.tokens, at).is_some()
    }

    fn value_before(&self, end: usize) -> Option<Value> {
        self.symbols.static_value(&self.operand_source_before(end)?)
    }

    /// Returns the keys or strings expected in an index: `$hash['`, `$x =~ Enum['`, `$x =~ Struct[{'`.
    fn expectation_in_index(&self, open: usize, steps: &[PathStep]) -> Option<Expectation> {
        let type_ = match self.value_before(open)? {
            Value::Hash(hash) if steps.is_empty() => return Some(Expectation::of_keys(hash.keys())),
            Value::Type(type_) => type_,
            _ => return None,
        };
        let operator = open.checked_sub(2).filter(|at| matches!(self.token_text(*at), "=~" | "!~"))?;
        match (type_, self.value_before(operator)?, steps) {
            (Type::Enum(_), Value::String(text), []) => {
                Some(Expectation { strings: vec![text.to_string()], ..Expectation::default() })
            }
            (Type::Struct(_), Value::Hash(hash), [PathStep::Key]) => Some(Expectation::of_keys(hash.keys())),
            _ => None,
        }
    }

    /// Returns the types that the argument at the cursor may have, in `f(`, `$x.f(`, `Type(` or `Type.new(`.
    fn expected_argument_types(&self, open: &OpenBracket) -> Vec<Type> {
        let Some(called) = self.previous_token(open.token_index) else { return Vec::new() };
        if called.span.end != self.tokens[open.token_index].span.start {
            return Vec::new();
        }
        let name = self.token_text(open.token_index - 1);
        let is_chained = open.token_index >= 2 && self.token_text(open.token_index - 2) == ".";
        let constructor = |end| match self.value_before(end) {
            Some(Value::Type(type_)) => self.constructor_argument_types(&type_, open.commas.len()),
            _ => Vec::new(),
        };
        match called.kind {
            Kind::Reference | Kind::Close => constructor(open.token_index),
            Kind::Name if is_chained && name == "new" => constructor(open.token_index - 2),
            Kind::Name if is_chained => {
                self.function_argument_types(name, open.commas.len() + 1, self.value_before(open.token_index - 2))
            }
            // `type` is a keyword, too.
            Kind::Name | Kind::Keyword => {
                let first = open.commas.first().and_then(|comma| self.source_between(open.token_index + 1, *comma));
                let first = first.and_then(|text| self.symbols.static_value(&text));
                self.function_argument_types(name, open.commas.len(), first)
            }
            _ => Vec::new(),
        }
    }

    /// Returns the types of parameter `at` (from 0) in all signatures of a function. If these are all `Any`, and the
    /// first argument is a type, returns that type instead: `Port` in `assert_type(Port, `
    fn function_argument_types(&self, name: &str, at: usize, first: Option<Value>) -> Vec<Type> {
        let types = parameter_types_at_index(&self.symbols.function_signatures(name), at);
        match first {
            Some(Value::Type(type_)) if at > 0 && types.iter().all(|type_| matches!(type_, Type::Any(_))) => {
                if name == "new" { self.constructor_argument_types(&type_, at - 1) } else { vec![type_] }
            }
            _ => types,
        }
    }

    /// Returns the types of argument `at`, from 0, of the constructor of `type_`; for the first, also `type_` itself.
    fn constructor_argument_types(&self, type_: &Type, at: usize) -> Vec<Type> {
        let mut types = parameter_types_at_index(&constructor_signatures(type_, self.symbols), at);
        types.extend((at == 0).then(|| type_.clone()));
        types
    }

    /// Returns the type after a `=~` behind the cursor: `Struct[…]` if `'} =~ Struct[…]` follows. Otherwise empty.
    fn type_after_match_operator(&self, mut open: usize) -> Vec<Type> {
        // A quote directly after the cursor closes the string at the cursor.
        let after = self.text_after_cursor.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        let after = after.strip_prefix(['\'', '"']).unwrap_or(after);
        let tokens = tokens(after);
        for (at, token) in tokens.iter().enumerate() {
            match (token.kind, &after[token.span.range()]) {
                (Kind::Open, _) => open += 1,
                (Kind::Close, _) if open == 0 => return Vec::new(),
                (Kind::Close, _) => open -= 1,
                (Kind::Symbol, "=~" | "!~") if open == 0 => {
                    let end = tokens.get(at + 1).map_or(after.len(), |token| token.span.range().start);
                    let text = after[end..].lines().next().unwrap_or_default();
                    return self.symbols.static_type(text).into_iter().collect();
                }
                _ => {}
            }
        }
        Vec::new()
    }
}

fn parameter_types_at_index(signatures: &[Signature], at: usize) -> Vec<Type> {
    signatures.iter().filter_map(|signature| Some(signature.parameter_for_argument(at)?.type_.clone())).collect()
}

fn is_operand_token(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Reference | Kind::Variable | Kind::Number | Kind::String | Kind::Close)
}
