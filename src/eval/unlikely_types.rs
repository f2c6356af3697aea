//! Warns of types that Puppet accepts but that mean something unexpected: `Struct[{name => string}]`, `Integer[1-3]`.

use rustc_hash::FxHashSet;

use crate::dictionary::{self, Kind};
use crate::error::Error;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Tree};
use crate::types::Type;

const UNLIKELY_TYPE: &str = "UNLIKELY_TYPE";

pub(crate) fn unlikely_type_warnings(tree: &Tree) -> Vec<Error> {
    let mut search = UnlikelyTypeSearch { tree, struct_keys: FxHashSet::default(), warnings: Vec::new() };
    // Whatever contains an expression comes after it.
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let id = Id::from_index(at);
        match &node.expression {
            Expression::Access(target, keys) => match &tree[*target].expression {
                Expression::Reference(name) => search.check_type_parameters(id, name, keys),
                Expression::Access(type_, _) => search.check_repeated_brackets(id, *type_),
                _ => {}
            },
            Expression::Binary(BinaryOperator::Match | BinaryOperator::NoMatch, _, pattern) => {
                search.check_type_word(*pattern);
                search.check_quoted_regexp(*pattern);
            }
            Expression::Call { receiver, functor, arguments, .. } => {
                search.check_pattern_argument(*functor, receiver.iter().chain(arguments).nth(1));
            }
            Expression::Binary(BinaryOperator::In, element, type_) => search.check_in_operand(*element, *type_),
            _ => {}
        }
    }
    search.warnings.sort_by_key(|warning| warning.span().map(|span| span.start));
    search.warnings
}

struct UnlikelyTypeSearch<'t> {
    tree: &'t Tree,
    /// The keys of Structs, such as `Optional[string]`: their words are names of members, not types.
    struct_keys: FxHashSet<Id>,
    warnings: Vec<Error>,
}

impl UnlikelyTypeSearch<'_> {
    fn check_type_parameters(&mut self, id: Id, written: &str, parameters: &[Id]) {
        if self.struct_keys.contains(&id) {
            return;
        }
        match (&*written.to_lowercase(), parameters) {
            ("struct", [members]) => {
                let Expression::Hash(members) = &self.tree[*members].expression else { return };
                for (key, value) in members {
                    self.struct_keys.insert(*key);
                    self.check_type_word(*value);
                }
            }
            ("integer" | "float", [range]) => self.check_range_subtraction(written, *range),
            ("pattern" | "regexp", patterns) => patterns.iter().for_each(|pattern| self.check_quoted_regexp(*pattern)),
            ("enum", [words]) => self.check_comma_in_enum(written, *words),
            ("optional" | "notundef" | "sensitive" | "array", [inner])
                if let Expression::Array(elements) = &self.tree[*inner].expression
                    && let [only] = &elements[..] =>
            {
                let help = format!("write {written}[{}]", self.tree.text_of(*only));
                self.add_warning(*inner, "the inner brackets say nothing".to_owned(), help);
            }
            ("array", [element, size])
                if let Expression::Reference(name) = &self.tree[*size].expression
                    && name.eq_ignore_ascii_case("integer") =>
            {
                let help =
                    format!("for mixed elements, write {written}[Variant[{}, Integer]]", self.tree.text_of(*element));
                self.add_warning(*size, "this is the size, not a second type of elements".to_owned(), help);
            }
            ("callable", [entry]) if let Expression::Hash(entries) = &self.tree[*entry].expression => {
                let [(parameter, result)] = &entries[..] else { return };
                let help =
                    format!("write {written}[[{}], {}]", self.tree.text_of(*parameter), self.tree.text_of(*result));
                self.add_warning(*entry, "this is a Hash, not a parameter and a result".to_owned(), help);
            }
            (
                "optional" | "notundef" | "sensitive" | "array" | "hash" | "tuple" | "variant" | "type" | "iterable"
                | "iterator" | "callable",
                parameters,
            ) => parameters.iter().for_each(|parameter| self.check_type_word(*parameter)),
            _ => {}
        }
    }

    /// Warns of a word or string, where a type is expected, that is the name of a type in Puppet or another language.
    fn check_type_word(&mut self, id: Id) {
        let (word, is_quoted) = match &self.tree[id].expression {
            Expression::Name(word) => (&**word, false),
            Expression::Literal(Literal::String(word)) => (&**word, true),
            Expression::Array(words) => return words.iter().for_each(|word| self.check_type_word(*word)),
            _ => return,
        };
        let own = Type::named(word).map(|type_| type_.name().to_string()).filter(|name| (name == word) == is_quoted);
        let meant = own.or_else(|| {
            let other = dictionary::find_word(word, &[Kind::Type]).filter(|_| !is_quoted)?;
            Some(other.puppet.to_owned())
        });
        if let Some(meant) = meant {
            self.add_warning(id, format!("`{word}` is a String here, not a type"), format!("did you mean {meant}?"));
        }
    }

    /// Warns of a pattern written as a string with slashes, such as `'/^b$/'`; a path such as `'/etc/'` is accepted.
    fn check_quoted_regexp(&mut self, id: Id) {
        let Expression::Literal(Literal::String(text)) = &self.tree[id].expression else { return };
        if text.len() > 2
            && text.starts_with('/')
            && text.ends_with('/')
            && text.contains(['^', '$', '[', '(', '*', '+'])
        {
            let message = "the slashes are part of what is looked for".to_owned();
            self.add_warning(id, message, format!("write the regular expression without quotes: `{text}`"));
        }
    }

    /// Warns of `match($x, '/^b$/')`; in `regsubst($x, '/+/', '/')` the slashes may be part of the pattern.
    fn check_pattern_argument(&mut self, function: Id, pattern: Option<&Id>) {
        let Some(id) = pattern.filter(|_| ["match", "regsubst", "split"].contains(&self.tree.text_of(function))) else {
            return;
        };
        let text = self.tree.text_of(*id).trim_matches(['\'', '"']);
        if text.starts_with("/^") || text.ends_with("$/") && !text.ends_with("\\$/") {
            self.check_quoted_regexp(*id);
        }
    }

    /// Warns of `5 in Integer[1, 10]`: a type has no elements.
    fn check_in_operand(&mut self, element: Id, type_: Id) {
        let named = match &self.tree[type_].expression {
            Expression::Access(target, _) => *target,
            _ => type_,
        };
        if matches!(self.tree[named].expression, Expression::Reference(_)) {
            let message = "`in` looks for an element, and a type has none".to_owned();
            let help = format!("write `{} =~ {}`", self.tree.text_of(element), self.tree.text_of(type_));
            self.add_warning(type_, message, help);
        }
    }

    /// Warns of `Array[Integer][1, 3]`, which is `Array[Any, 1, 3]`.
    fn check_repeated_brackets(&mut self, id: Id, type_: Id) {
        if let Expression::Reference(name) = &self.tree[type_].expression
            && ["array", "hash", "tuple"].contains(&&*name.to_lowercase())
        {
            let message = "these parameters replace the first ones".to_owned();
            self.add_warning(id, message, format!("write all of them in one pair of brackets: `{name}[…]`"));
        }
    }

    /// Warns of `Integer[1-3]`, which is `Integer[-2]`.
    fn check_range_subtraction(&mut self, type_: &str, range: Id) {
        let Expression::Binary(BinaryOperator::Minus, from, to) = &self.tree[range].expression else { return };
        let is_number = |id: &Id| matches!(self.tree[*id].expression, Expression::Literal(Literal::Integer(..)));
        if is_number(from) && is_number(to) {
            let message = format!("`{}` is a subtraction, not a range", self.tree.text_of(range));
            let help = format!("write {type_}[{}, {}]", self.tree.text_of(*from), self.tree.text_of(*to));
            self.add_warning(range, message, help);
        }
    }

    /// Warns of `Enum['a, b']`, which has one value; accepts strings of numbers such as `'1,2'`.
    fn check_comma_in_enum(&mut self, type_: &str, words: Id) {
        let Expression::Literal(Literal::String(text)) = &self.tree[words].expression else { return };
        let is_word = |one: &str| {
            one.contains(char::is_alphabetic) && one.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
        };
        let words_in: Vec<&str> = text.split(',').map(str::trim).collect();
        if words_in.len() > 1 && words_in.iter().all(|word| is_word(word)) {
            let quoted: Vec<String> = words_in.iter().map(|word| format!("'{word}'")).collect();
            let help = format!("write {type_}[{}]", quoted.join(", "));
            self.add_warning(words, "all words are in one string, which is the only value".to_owned(), help);
        }
    }

    fn add_warning(&mut self, id: Id, message: String, help: String) {
        let error = Error::new(UNLIKELY_TYPE, message).with_help(help);
        self.warnings.push(error.at(self.tree[id].span).in_source(&self.tree.source));
    }
}
