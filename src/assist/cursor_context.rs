//! The surroundings of a cursor, and the value expected there: the argument of a function, the keys of a known hash, the
//! other side of a comparison.

#![expect(clippy::indexing_slicing, reason = "the numbers are those of tokens of the same text")]

use crate::syntax::tokens::{Kind, Token, tokens};
use crate::types::Type;
use crate::value::Value;

use super::brackets::{Brackets, OpenBracket, variable_at};
use super::expectation::{Expectation, Step};
use super::signature::{Signature, of_constructor};
use super::{SymbolIndex, static_eval};

/// The text before the cursor, the tokens before that at the cursor, and the text after the cursor.
pub(super) struct CursorContext<'a> {
    before: &'a str,
    tokens: &'a [Token],
    brackets: Brackets,
    after: &'a str,
    symbols: &'a SymbolIndex,
}

impl<'a> CursorContext<'a> {
    pub(super) fn new(
        before: &'a str,
        tokens: &'a [Token],
        after: &'a str,
        symbols: &'a SymbolIndex,
    ) -> CursorContext<'a> {
        CursorContext { before, tokens, brackets: Brackets::of(before, tokens), after, symbols }
    }
    pub(super) fn receiver_before_dot(&self) -> Option<Value> {
        self.receiver(self.tokens.len() - 1)
    }

    pub(super) fn expectation(&self) -> Expectation {
        let mut steps = Vec::new();
        let mut present = Vec::new();
        let mut depth = 0;
        for open in self.brackets.open.iter().rev() {
            match self.text(open.at) {
                // The surroundings of a string say nothing about its interpolations.
                "${" => break,
                "{" if self.is_literal(open.at) => {
                    let (mut keys, has_arrow) = self.keys(open);
                    if has_arrow {
                        steps.push(Step::Value(keys.pop().unwrap_or_default()));
                    } else {
                        if steps.is_empty() {
                            present = keys;
                        }
                        steps.push(Step::Key);
                    }
                }
                "[" if self.is_access(open.at) => return self.accessed(open.at, &steps).unwrap_or_default(),
                "[" => steps.push(Step::Element(open.commas.len())),
                "(" => return Expectation::inside(&self.of_argument(open), &steps, &present),
                _ => return Expectation::default(),
            }
            depth += 1;
        }
        Expectation::inside(&self.of_comparison(depth), &steps, &present)
    }

    /// The keys before the arrows in a brace, and whether the last item has its arrow already.
    fn keys(&self, brace: &OpenBracket) -> (Vec<String>, bool) {
        let begins_item = |at: usize| at == brace.at + 1 || brace.commas.binary_search(&at.wrapping_sub(1)).is_ok();
        let keys = brace.arrows.iter().map(|arrow| arrow - 1).filter(|at| begins_item(*at));
        let has_arrow = brace.arrows.last() == Some(&(brace.item() + 1));
        (keys.map(|at| self.text(at).trim_matches(['\'', '"']).to_owned()).collect(), has_arrow)
    }

    fn text(&self, at: usize) -> &str {
        &self.before[self.tokens[at].span.range()]
    }

    fn previous(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    /// Whether a brace starts a hash, not a block.
    fn is_literal(&self, at: usize) -> bool {
        self.previous(at).is_none_or(|token| match token.kind {
            Kind::Open => true,
            Kind::Symbol => &self.before[token.span.range()] != "|",
            _ => false,
        })
    }

    /// Whether a square bracket indexes the value in front of it.
    fn is_access(&self, at: usize) -> bool {
        self.previous(at).is_some_and(|token| {
            let is_value = matches!(token.kind, Kind::Variable | Kind::Reference | Kind::Close | Kind::String)
                || self.is_interpolated(at - 1);
            is_value && token.span.end == self.tokens[at].span.start
        })
    }

    /// The source of the value that ends before the token `end`: `$a['b'].c`.
    fn operand(&self, end: usize) -> Option<String> {
        let mut at = end.checked_sub(1)?;
        loop {
            while self.tokens[at].kind == Kind::Close {
                at = self.brackets.opening(at)?;
                // The operand of the brackets is directly before them.
                match self.previous(at) {
                    Some(token) if token.span.end == self.tokens[at].span.start && is_operand(token.kind) => at -= 1,
                    _ => return self.between(at, end),
                }
            }
            if !is_operand(self.tokens[at].kind) {
                return None;
            }
            let is_method = at >= 2 && self.text(at - 1) == ".";
            if !is_method {
                return self.between(at, end);
            }
            at -= 2;
        }
    }

    fn between(&self, from: usize, end: usize) -> Option<String> {
        let sign = if self.is_interpolated(from) { "$" } else { "" };
        let text = self.before.get(self.tokens[from].span.range().start..self.tokens[end - 1].span.range().end)?;
        Some(format!("{sign}{text}"))
    }

    /// Whether a name without a dollar sign is that of a variable: `${name`
    fn is_interpolated(&self, at: usize) -> bool {
        self.tokens[at].kind == Kind::Name && variable_at(self.before, self.tokens, at).is_some()
    }

    fn receiver(&self, end: usize) -> Option<Value> {
        static_eval::value(&self.operand(end)?, self.symbols)
    }

    /// `$hash['`, `$x =~ Enum['`, `$x =~ Struct[{'`
    fn accessed(&self, open: usize, steps: &[Step]) -> Option<Expectation> {
        let type_ = match self.receiver(open)? {
            Value::Hash(hash) if steps.is_empty() => return Some(Expectation::of_keys(hash.keys())),
            Value::Type(type_) => type_,
            _ => return None,
        };
        let operator = open.checked_sub(2).filter(|at| matches!(self.text(*at), "=~" | "!~"))?;
        match (type_, self.receiver(operator)?, steps) {
            (Type::Enum(_), Value::String(text), []) => {
                Some(Expectation { strings: vec![text.to_string()], ..Expectation::default() })
            }
            (Type::Struct(_), Value::Hash(hash), [Step::Key]) => Some(Expectation::of_keys(hash.keys())),
            _ => None,
        }
    }

    /// The types of the argument at the cursor: `f(`, `$x.f(`, `Type(`, `Type.new(`.
    fn of_argument(&self, open: &OpenBracket) -> Vec<Type> {
        let Some(called) = self.previous(open.at) else { return Vec::new() };
        if called.span.end != self.tokens[open.at].span.start {
            return Vec::new();
        }
        let name = self.text(open.at - 1);
        let is_chained = open.at >= 2 && self.text(open.at - 2) == ".";
        let constructor = |end| match self.receiver(end) {
            Some(Value::Type(type_)) => self.of_constructor(&type_, open.commas.len()),
            _ => Vec::new(),
        };
        match called.kind {
            Kind::Reference | Kind::Close => constructor(open.at),
            Kind::Name if is_chained && name == "new" => constructor(open.at - 2),
            Kind::Name if is_chained => self.of_parameter(name, open.commas.len() + 1, self.receiver(open.at - 2)),
            // `type` is a keyword, too.
            Kind::Name | Kind::Keyword => {
                let first = open.commas.first().and_then(|comma| self.between(open.at + 1, *comma));
                let first = first.and_then(|text| static_eval::value(&text, self.symbols));
                self.of_parameter(name, open.commas.len(), first)
            }
            _ => Vec::new(),
        }
    }

    /// The types of the parameter number `at` in all signatures of a function. Where the first argument is a type and
    /// the parameter takes anything, that type is expected: `assert_type(Port, `
    fn of_parameter(&self, name: &str, at: usize, first: Option<Value>) -> Vec<Type> {
        let types = types_of_parameter(&self.symbols.signatures(name), at);
        match first {
            Some(Value::Type(type_)) if at > 0 && types.iter().all(|type_| matches!(type_, Type::Any(_))) => {
                if name == "new" { self.of_constructor(&type_, at - 1) } else { vec![type_] }
            }
            _ => types,
        }
    }

    /// The types of argument `at` of a constructor: attributes, a hash of them, or a value of the type itself.
    fn of_constructor(&self, type_: &Type, at: usize) -> Vec<Type> {
        let mut types = types_of_parameter(&of_constructor(type_, self.symbols), at);
        types.extend((at == 0).then(|| type_.clone()));
        types
    }

    /// The type after the cursor that the value is compared with: `{'a` in front of `'} =~ Struct[…]`.
    fn of_comparison(&self, mut open: usize) -> Vec<Type> {
        // A quote directly after the cursor closes the string at the cursor.
        let after = self.after.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
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
                    return static_eval::type_(text, self.symbols).into_iter().collect();
                }
                _ => {}
            }
        }
        Vec::new()
    }
}

fn types_of_parameter(signatures: &[Signature], at: usize) -> Vec<Type> {
    signatures.iter().filter_map(|signature| Some(signature.parameter(at)?.type_.clone())).collect()
}

fn is_operand(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Reference | Kind::Variable | Kind::Number | Kind::String | Kind::Close)
}
