//! What the value that is being written may be, known from what stands around it: the argument of a function, the keys
//! of a known hash, what a value is compared with.

use crate::syntax::tokens::{Kind, Token, tokens};
use crate::types::Type;
use crate::value::Value;

use super::brackets::{Brackets, Open, variable};
use super::expectation::{Hand, Step, strings, written};
use super::static_eval;
use super::symbols::Names;

/// A text before the cursor, the tokens before the one in which the cursor is, and the text after the cursor.
pub struct Around<'a> {
    before: &'a str,
    tokens: &'a [Token],
    brackets: Brackets,
    after: &'a str,
    names: &'a Names,
}

impl<'a> Around<'a> {
    pub fn new(before: &'a str, tokens: &'a [Token], after: &'a str, names: &'a Names) -> Around<'a> {
        Around { before, tokens, brackets: Brackets::of(before, tokens), after, names }
    }

    /// The value that is asked for what stands behind the dot before the cursor.
    pub fn asked(&self) -> Option<Value> {
        self.receiver(self.tokens.len() - 1)
    }

    /// What can be written at the cursor, if anything is known of it.
    pub fn hand(&self) -> Hand {
        let mut steps = Vec::new();
        let mut taken = Vec::new();
        let mut depth = 0;
        for open in self.brackets.open.iter().rev() {
            match self.text(open.at) {
                // Inside of an interpolation nothing is known of what stands around the string.
                "${" => break,
                "{" if self.is_literal(open.at) => {
                    let (mut keys, has_arrow) = self.keys(open);
                    if has_arrow {
                        steps.push(Step::Under(keys.pop().unwrap_or_default()));
                    } else {
                        if steps.is_empty() {
                            taken = keys;
                        }
                        steps.push(Step::Key);
                    }
                }
                "[" if self.is_access(open.at) => return self.accessed(open.at, &steps),
                "[" => steps.push(Step::Element(open.commas.len())),
                "(" => return written(&self.of_argument(open), &steps, &taken),
                _ => return Hand::default(),
            }
            depth += 1;
        }
        written(&self.of_comparison(depth), &steps, &taken)
    }

    /// The keys that stand in front of arrows in a brace, and whether the last item has its arrow already.
    fn keys(&self, brace: &Open) -> (Vec<String>, bool) {
        let begins_item = |at: usize| at == brace.at + 1 || brace.commas.binary_search(&at.wrapping_sub(1)).is_ok();
        let keys = brace.arrows.iter().map(|arrow| arrow - 1).filter(|at| begins_item(*at));
        let has_arrow = brace.arrows.last() == Some(&(brace.item() + 1));
        (keys.map(|at| unquoted(self.text(at)).to_owned()).collect(), has_arrow)
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

    /// Whether a square bracket asks the value in front of it.
    fn is_access(&self, at: usize) -> bool {
        self.previous(at).is_some_and(|token| {
            let is_value = matches!(token.kind, Kind::Variable | Kind::Reference | Kind::Close | Kind::String)
                || self.is_interpolated(at - 1);
            is_value && token.span.end == self.tokens[at].span.start
        })
    }

    /// Where the value that ends before the token `end` starts: `$a['b'].c`.
    fn operand(&self, end: usize) -> Option<String> {
        let mut at = end.checked_sub(1)?;
        loop {
            while self.tokens[at].kind == Kind::Close {
                at = self.brackets.opening(at)?;
                // What the brackets belong to stands in front of them without a blank.
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

    /// Whether a name is that of a variable, although it has no dollar sign: `${name`
    fn is_interpolated(&self, at: usize) -> bool {
        self.tokens[at].kind == Kind::Name && variable(self.before, self.tokens, at).is_some()
    }

    /// The value that stands in front of the token `end`.
    fn receiver(&self, end: usize) -> Option<Value> {
        static_eval::value(&self.operand(end)?, self.names)
    }

    /// `$hash['`, `$x =~ Enum['`, `$x =~ Struct[{'`
    fn accessed(&self, open: usize, steps: &[Step]) -> Hand {
        let Some(asked) = self.receiver(open) else { return Hand::default() };
        let start = open - 1;
        match asked {
            Value::Hash(hash) if steps.is_empty() => Hand { keys: strings(hash.keys()), ..Hand::default() },
            Value::Type(type_) => {
                let is_asked = start >= 1 && matches!(self.text(start - 1), "=~" | "!~");
                let Some(value) = is_asked.then(|| self.receiver(start - 1)).flatten() else { return Hand::default() };
                match (type_, value, steps) {
                    (Type::Enum(_), Value::String(text), []) => {
                        Hand { strings: vec![text.to_string()], ..Hand::default() }
                    }
                    (Type::Struct(_), Value::Hash(hash), [Step::Key]) => {
                        Hand { keys: strings(hash.keys()), ..Hand::default() }
                    }
                    _ => Hand::default(),
                }
            }
            _ => Hand::default(),
        }
    }

    /// The types that the argument of a call may have: `f(`, `$x.f(`, `Type(`, `Type.new(`.
    fn of_argument(&self, open: &Open) -> Vec<Type> {
        let Some(called) = self.previous(open.at) else { return Vec::new() };
        if called.span.end != self.tokens[open.at].span.start {
            return Vec::new();
        }
        let name = self.text(open.at - 1);
        let is_chained = open.at >= 2 && self.text(open.at - 2) == ".";
        match called.kind {
            Kind::Reference | Kind::Close => {
                self.operand(open.at).map_or_else(Vec::new, |text| self.of_constructor(&text, open.commas.len()))
            }
            Kind::Name if is_chained && name == "new" => {
                self.operand(open.at - 2).map_or_else(Vec::new, |text| self.of_constructor(&text, open.commas.len()))
            }
            Kind::Name if is_chained => self.of_parameter(name, open.commas.len() + 1, self.receiver(open.at - 2)),
            Kind::Name => {
                let first = open.commas.first().and_then(|comma| self.between(open.at + 1, *comma));
                let first = first.and_then(|text| static_eval::value(&text, self.names));
                self.of_parameter(name, open.commas.len(), first)
            }
            _ => Vec::new(),
        }
    }

    /// The types of the parameter number `at` in all signatures of a function. What has to fit a type that was given
    /// before is of that type.
    fn of_parameter(&self, name: &str, at: usize, first: Option<Value>) -> Vec<Type> {
        let types = self.names.signatures(name).into_iter().filter_map(|signature| {
            let mut types = static_eval::parameter_types(&signature, self.names);
            let at = if signature.contains("*$") { at.min(types.len().saturating_sub(1)) } else { at };
            (at < types.len()).then(|| types.swap_remove(at))
        });
        let types: Vec<Type> = types.collect();
        match first {
            Some(Value::Type(type_)) if at > 0 && types.iter().all(|type_| matches!(type_, Type::Any(_))) => {
                if name == "new" { self.of_constructor(&type_.to_string_in_brackets(), at - 1) } else { vec![type_] }
            }
            _ => types,
        }
    }

    /// What a constructor takes: the attributes of an Object one by one or as a hash, or a value of the type itself.
    fn of_constructor(&self, text: &str, at: usize) -> Vec<Type> {
        let Some(type_) = static_eval::type_(text, self.names) else { return Vec::new() };
        let resolved = static_eval::behind_aliases(&type_).clone();
        if let Type::Object(object) = &resolved {
            let fields = object.fields();
            let mut types: Vec<Type> = fields.get(at).map(|field| field.type_().clone()).into_iter().collect();
            if at == 0 {
                types.push(resolved.clone());
            }
            return types;
        }
        let own = resolved
            .row()
            .new
            .iter()
            .filter_map(|signature| static_eval::parameter_types(signature, self.names).into_iter().nth(at));
        let mut types: Vec<Type> = own.collect();
        if at == 0 {
            types.push(resolved.clone());
        }
        types
    }

    /// The type with which what is being written is compared behind the cursor: `{'a` in front of `'} =~ Struct[…]`.
    fn of_comparison(&self, mut open: usize) -> Vec<Type> {
        // The quote that closes the string in which the cursor is opens none.
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
                    return static_eval::type_(text, self.names).into_iter().collect();
                }
                _ => {}
            }
        }
        Vec::new()
    }
}

fn is_operand(kind: Kind) -> bool {
    match kind {
        Kind::Name | Kind::Reference | Kind::Variable | Kind::Number | Kind::String | Kind::Close => true,
        Kind::Comment | Kind::Keyword | Kind::Regexp | Kind::Open | Kind::Symbol => false,
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['\'', '"'])
}
