//! What the value that is being written may be, known from what stands around it: the argument of a function, the keys
//! of a known hash, what a value is compared with.

use pcore::syntax::tokens::{Kind, Token, tokens};
use pcore::types::Type;
use pcore::value::Value;

use super::inside::{Hand, Step, strings, written};
use super::literal;
use super::names::Names;

/// A text before the cursor, the tokens before the one in which the cursor is, and the text after the cursor.
pub(super) struct Around<'a> {
    pub(super) before: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) after: &'a str,
    pub(super) names: &'a Names,
}

/// A bracket that is open.
struct Level {
    /// The number of its token.
    open: usize,
    /// How many commas stand in it.
    commas: usize,
    /// The number of the token of the first comma.
    first_comma: Option<usize>,
    /// The number of the first token behind the last comma.
    start: usize,
    /// Whether an arrow stands behind the last comma.
    has_arrow: bool,
    /// The keys in front of arrows.
    keys: Vec<String>,
}

impl Level {
    fn new(open: usize) -> Level {
        Level { open, commas: 0, first_comma: None, start: open + 1, has_arrow: false, keys: Vec::new() }
    }
}

impl Around<'_> {
    /// What can be written at the cursor, if anything is known of it.
    pub(super) fn hand(&self) -> Hand {
        let levels = self.levels();
        let mut steps = Vec::new();
        let mut taken = Vec::new();
        for level in levels.iter().rev() {
            match self.text(level.open) {
                "{" if self.is_literal(level.open) => {
                    if level.has_arrow {
                        steps.push(Step::Under(level.keys.last().cloned().unwrap_or_default()));
                    } else {
                        if steps.is_empty() {
                            taken.clone_from(&level.keys);
                        }
                        steps.push(Step::Key);
                    }
                }
                "[" if self.is_access(level.open) => return self.accessed(level, &steps),
                "[" => steps.push(Step::Element(level.commas)),
                "(" => return written(&self.of_argument(level), &steps, &taken),
                _ => return Hand::default(),
            }
        }
        written(&self.of_comparison(levels.len()), &steps, &taken)
    }

    /// The brackets that are open, the outermost first. Inside of an interpolation only those of it.
    fn levels(&self) -> Vec<Level> {
        let mut levels: Vec<Level> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match (token.kind, self.text(at)) {
                (Kind::Open, _) => levels.push(Level::new(at)),
                (Kind::Close, _) => {
                    levels.pop();
                }
                (Kind::Symbol, symbol) => {
                    let Some(level) = levels.last_mut() else { continue };
                    if symbol == "," {
                        level.first_comma.get_or_insert(at);
                        level.commas += 1;
                        level.start = at + 1;
                        level.has_arrow = false;
                    } else if symbol == "=>" && level.start + 1 == at {
                        level.has_arrow = true;
                        level.keys.push(unquoted(self.text(level.start)).to_owned());
                    }
                }
                _ => {}
            }
        }
        let code = levels.iter().rposition(|level| self.text(level.open) == "${").map_or(0, |at| at + 1);
        levels.split_off(code)
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
                let mut depth = 0_usize;
                loop {
                    match self.tokens[at].kind {
                        Kind::Close => depth += 1,
                        Kind::Open => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    at = at.checked_sub(1)?;
                }
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

    /// Whether a name is that of a variable: `${name`
    fn is_interpolated(&self, at: usize) -> bool {
        self.tokens[at].kind == Kind::Name && at > 0 && self.text(at - 1) == "${"
    }

    /// The value that stands in front of the token `end`.
    pub(super) fn receiver(&self, end: usize) -> Option<Value> {
        literal::value(&self.operand(end)?, self.names)
    }

    /// `$hash['`, `$x =~ Enum['`, `$x =~ Struct[{'`
    fn accessed(&self, level: &Level, steps: &[Step]) -> Hand {
        let Some(asked) = self.receiver(level.open) else { return Hand::default() };
        let start = level.open - 1;
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
    fn of_argument(&self, level: &Level) -> Vec<Type> {
        let Some(called) = self.previous(level.open) else { return Vec::new() };
        if called.span.end != self.tokens[level.open].span.start {
            return Vec::new();
        }
        let name = self.text(level.open - 1);
        let is_chained = level.open >= 2 && self.text(level.open - 2) == ".";
        match called.kind {
            Kind::Reference | Kind::Close => {
                self.operand(level.open).map_or_else(Vec::new, |text| self.of_constructor(&text, level.commas))
            }
            Kind::Name if is_chained && name == "new" => {
                self.operand(level.open - 2).map_or_else(Vec::new, |text| self.of_constructor(&text, level.commas))
            }
            Kind::Name if is_chained => self.of_parameter(name, level.commas + 1, self.receiver(level.open - 2)),
            Kind::Name => {
                let first = level.first_comma.and_then(|comma| self.between(level.open + 1, comma));
                let first = first.and_then(|text| literal::value(&text, self.names));
                self.of_parameter(name, level.commas, first)
            }
            _ => Vec::new(),
        }
    }

    /// The types of the parameter number `at` in all signatures of a function. What has to fit a type that was given
    /// before is of that type.
    fn of_parameter(&self, name: &str, at: usize, first: Option<Value>) -> Vec<Type> {
        let types = self.names.signatures(name).into_iter().filter_map(|signature| {
            let mut types = literal::parameter_types(&signature, self.names);
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
        let Some(type_) = literal::type_(text, self.names) else { return Vec::new() };
        let resolved = literal::behind_aliases(&type_).clone();
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
            .filter_map(|signature| literal::parameter_types(signature, self.names).into_iter().nth(at));
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
                    return literal::type_(text, self.names).into_iter().collect();
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
