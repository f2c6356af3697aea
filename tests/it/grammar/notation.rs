//! The notation of `grammar/*.ebnf`, read into a tree of forms that can be walked.
//!
//! `grammar/README.md` explains the notation. A text of the grammar becomes a [`Grammar`]: the productions by name, and
//! all forms in one vector, so that a form is known by its number wherever something is counted for it.

use std::collections::HashMap;

/// The number of a form in [`Grammar::forms`].
pub(super) type Id = usize;

/// A part of a production.
#[derive(Debug)]
pub(super) enum Form {
    /// `"text"`
    Text(Lexeme),
    /// `[a-z_]`, `[^/]`, `#xA`, `.`
    Set(Set),
    /// `end`
    End,
    /// `a`, by the number of its production.
    Name(usize),
    /// `a b`
    Sequence(Vec<Id>),
    /// `a | b`
    Choice(Vec<Id>),
    /// `a?`
    Optional(Id),
    /// `a*`, `a+`
    Repeated {
        /// What is repeated.
        item: Id,
        /// How often at least: 0 or 1.
        least: usize,
    },
    /// `&a` and `!a`
    Ahead {
        /// What is looked for.
        item: Id,
        /// Whether it has to be there.
        wanted: bool,
    },
    /// `<&a` and `<!a`
    Behind {
        /// What is looked for.
        item: Id,
        /// Whether it has to be there.
        wanted: bool,
    },
    /// `<name>`
    Condition(String),
}

/// Characters between quotes, and what may stand around them.
#[derive(Debug)]
pub(super) struct Lexeme {
    pub(super) text: String,
    pub(super) kind: LexemeKind,
    /// Whether it stands above the line *Tokens*, where white space may follow.
    pub(super) is_spaced: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum LexemeKind {
    /// Letters that no further letter, digit, underscore or hyphen may continue.
    Word,
    /// Punctuation above the line *Tokens*, and the ends of longer ones that begin like it.
    Symbol {
        /// What must not follow.
        longer: Vec<String>,
    },
    /// Anything below the line.
    Plain,
}

/// Some characters, or all others.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) ranges: Vec<(char, char)>,
    pub(super) is_negated: bool,
}

impl Set {
    pub(super) fn has(&self, character: char) -> bool {
        self.ranges.iter().any(|&(first, last)| (first..=last).contains(&character)) != self.is_negated
    }
}

/// A production.
#[derive(Debug)]
pub(super) struct Production {
    pub(super) name: String,
    pub(super) body: Id,
    /// Whether it stands below the line *Tokens*.
    pub(super) is_token: bool,
}

/// A whole grammar.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) productions: Vec<Production>,
    pub(super) forms: Vec<Form>,
    /// The first form below the line *Tokens*.
    pub(super) first_of_tokens: Id,
    by_name: HashMap<String, usize>,
}

/// The comment after which tokens are described.
const TOKENS: &str = "/* Tokens:";

impl Grammar {
    /// Reads a text.
    ///
    /// # Panics
    /// Where the text is not in the notation, or a name has no production or two.
    pub(super) fn read(text: &str) -> Grammar {
        let tokens_from = text.find(TOKENS).unwrap_or(text.len());
        let written = productions(text);
        let mut by_name = HashMap::new();
        for (number, (name, ..)) in written.iter().enumerate() {
            assert!(by_name.insert(name.clone(), number).is_none(), "`{name}` is defined twice");
        }
        let mut grammar = Grammar { productions: Vec::new(), forms: Vec::new(), first_of_tokens: 0, by_name };
        for (name, body, offset) in written {
            let is_token = offset > tokens_from;
            let mut reader = Reader { grammar: &mut grammar, rest: &body, production: &name, is_token };
            let body = reader.choice();
            assert_eq!(reader.rest, "", "in `{name}`");
            grammar.productions.push(Production { name, body, is_token });
            if !is_token {
                grammar.first_of_tokens = grammar.forms.len();
            }
        }
        grammar.find_longer_symbols();
        grammar
    }

    /// The number of a production.
    pub(super) fn number(&self, name: &str) -> usize {
        *self.by_name.get(name).unwrap_or_else(|| panic!("`{name}` is used but not defined"))
    }

    /// The texts between quotes that belong together when they can: `=~` is not `=` and `~`.
    fn find_longer_symbols(&mut self) {
        let is_punctuation = |text: &str| text.chars().all(|letter| letter.is_ascii_punctuation());
        let texts = self.forms.iter().filter_map(|form| match form {
            Form::Text(lexeme) if is_punctuation(&lexeme.text) => Some(lexeme.text.clone()),
            _ => None,
        });
        let symbols: Vec<String> = texts.collect();
        for form in &mut self.forms {
            let Form::Text(Lexeme { text, kind: LexemeKind::Symbol { longer }, .. }) = form else { continue };
            let tails = symbols.iter().filter_map(|symbol| symbol.strip_prefix(text.as_str()));
            *longer = tails.filter(|tail| !tail.is_empty()).map(str::to_owned).collect();
        }
    }

    /// The forms directly inside a form.
    pub(super) fn children(&self, id: Id) -> Vec<Id> {
        match &self.forms[id] {
            Form::Text(_) | Form::Set(_) | Form::End | Form::Name(_) | Form::Condition(_) => Vec::new(),
            Form::Sequence(items) | Form::Choice(items) => items.clone(),
            Form::Optional(item)
            | Form::Repeated { item, .. }
            | Form::Ahead { item, .. }
            | Form::Behind { item, .. } => vec![*item],
        }
    }

    /// A form and everything in it, without what its names stand for.
    pub(super) fn within(&self, id: Id) -> Vec<Id> {
        let mut found = vec![id];
        let mut next = 0;
        while next < found.len() {
            found.extend(self.children(found[next]));
            next += 1;
        }
        found
    }

    /// The numbers of the productions that a form names.
    pub(super) fn names(&self, id: Id) -> Vec<usize> {
        let named = |id| match self.forms[id] {
            Form::Name(number) => Some(number),
            _ => None,
        };
        self.within(id).into_iter().filter_map(named).collect()
    }

    /// The names of the conditions, as often as they stand in the grammar.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().filter_map(|form| match form {
            Form::Condition(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The grammar's text of a form, for messages.
    pub(super) fn show(&self, id: Id) -> String {
        let grouped = |id: Id| match self.forms[id] {
            Form::Sequence(_) | Form::Choice(_) => format!("({})", self.show(id)),
            _ => self.show(id),
        };
        let joined =
            |items: &[Id], between: &str| items.iter().map(|&item| self.show(item)).collect::<Vec<_>>().join(between);
        match &self.forms[id] {
            Form::Text(lexeme) if lexeme.text.contains('"') => format!("'{}'", lexeme.text),
            Form::Text(lexeme) => format!("\"{}\"", lexeme.text),
            Form::Set(set) => format!("[{}{:?}]", if set.is_negated { "^" } else { "" }, set.ranges),
            Form::End => "end".to_owned(),
            Form::Name(number) => self.productions[*number].name.clone(),
            Form::Sequence(items) => items.iter().map(|&item| grouped_choice(self, item)).collect::<Vec<_>>().join(" "),
            Form::Choice(items) => joined(items, " | "),
            Form::Optional(item) => grouped(*item) + "?",
            Form::Repeated { item, least } => grouped(*item) + if *least == 0 { "*" } else { "+" },
            Form::Ahead { item, wanted } => format!("{}{}", if *wanted { "&" } else { "!" }, grouped(*item)),
            Form::Behind { item, wanted } => format!("{}{}", if *wanted { "<&" } else { "<!" }, grouped(*item)),
            Form::Condition(name) => format!("<{name}>"),
        }
    }
}

fn grouped_choice(grammar: &Grammar, id: Id) -> String {
    if matches!(grammar.forms[id], Form::Choice(_)) { format!("({})", grammar.show(id)) } else { grammar.show(id) }
}

/// The productions of a text: each with its name, everything after `::=` in one line, and where it stands. Comments
/// stand on lines of their own.
pub(super) fn productions(text: &str) -> Vec<(String, String, usize)> {
    let mut found: Vec<(String, String, usize)> = Vec::new();
    let mut offset = 0;
    let mut in_comment = false;
    for line in text.split_inclusive('\n') {
        in_comment |= line.starts_with("/* ");
        if let Some((name, body)) = line.split_once(" ::= ").filter(|_| !in_comment) {
            found.push((name.to_owned(), body.trim_end().to_owned(), offset));
        } else if !in_comment && !line.trim().is_empty() {
            let (_, body, _) = found.last_mut().unwrap();
            body.push(' ');
            body.push_str(line.trim());
        }
        in_comment &= !line.trim_end().ends_with("*/");
        offset += line.len();
    }
    found
}

/// Reads the body of one production from left to right.
struct Reader<'a> {
    grammar: &'a mut Grammar,
    rest: &'a str,
    production: &'a str,
    is_token: bool,
}

impl Reader<'_> {
    fn add(&mut self, form: Form) -> Id {
        self.grammar.forms.push(form);
        self.grammar.forms.len() - 1
    }

    fn take(&mut self, prefix: &str) -> bool {
        let found = self.rest.strip_prefix(prefix);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    /// Everything up to `end`, which is skipped.
    fn until(&mut self, end: &str) -> String {
        let (inside, rest) = self
            .rest
            .split_once(end)
            .unwrap_or_else(|| panic!("no `{end}` after `{}` in `{}`", self.rest, self.production));
        self.rest = rest;
        inside.to_owned()
    }

    fn choice(&mut self) -> Id {
        let mut alternatives = vec![self.sequence()];
        while self.take("| ") {
            alternatives.push(self.sequence());
        }
        if alternatives.len() == 1 { alternatives[0] } else { self.add(Form::Choice(alternatives)) }
    }

    fn sequence(&mut self) -> Id {
        let mut items = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with([')', '|']) {
            items.push(self.item());
            self.rest = self.rest.trim_start();
        }
        assert!(!items.is_empty(), "nothing stands before `{}` in `{}`", self.rest, self.production);
        if items.len() == 1 { items[0] } else { self.add(Form::Sequence(items)) }
    }

    /// One part with what stands in front of it and what follows it.
    fn item(&mut self) -> Id {
        for (prefix, is_behind, wanted) in
            [("<&", true, true), ("<!", true, false), ("&", false, true), ("!", false, false)]
        {
            if self.take(prefix) {
                let item = self.item();
                return self.add(if is_behind { Form::Behind { item, wanted } } else { Form::Ahead { item, wanted } });
            }
        }
        let item = self.part();
        if self.take("?") {
            self.add(Form::Optional(item))
        } else if self.take("*") {
            self.add(Form::Repeated { item, least: 0 })
        } else if self.take("+") {
            self.add(Form::Repeated { item, least: 1 })
        } else {
            item
        }
    }

    fn part(&mut self) -> Id {
        if self.take("(") {
            let inside = self.choice();
            assert!(self.take(")"), "expected `)` at `{}` in `{}`", self.rest, self.production);
            return inside;
        }
        let form = if self.take("\"") {
            self.text("\"")
        } else if self.take("'") {
            self.text("'")
        } else if self.take("[") {
            let inside = self.until("]");
            Form::Set(set(&inside))
        } else if self.rest.starts_with('#') {
            let length = self.rest.find([' ', ')', '?', '*', '+']).unwrap_or(self.rest.len());
            let (code, rest) = self.rest.split_at(length);
            let form = Form::Set(set(code));
            self.rest = rest;
            form
        } else if self.take(".") {
            Form::Set(Set { ranges: Vec::new(), is_negated: true })
        } else if self.take("<") {
            Form::Condition(self.until(">"))
        } else {
            let is_letter = |letter: char| letter.is_ascii_lowercase() || letter == '_';
            let length = self.rest.find(|letter| !is_letter(letter)).unwrap_or(self.rest.len());
            let (name, rest) = self.rest.split_at(length);
            assert!(!name.is_empty(), "expected a part at `{}` in `{}`", self.rest, self.production);
            self.rest = rest;
            if name == "end" { Form::End } else { Form::Name(self.grammar.number(name)) }
        };
        self.add(form)
    }

    fn text(&mut self, quote: &str) -> Form {
        let text = self.until(quote);
        let kind = if text.len() > 1 && text.chars().all(|letter| letter.is_ascii_lowercase()) {
            LexemeKind::Word
        } else if self.is_token {
            LexemeKind::Plain
        } else {
            LexemeKind::Symbol { longer: Vec::new() } // Found when all are known.
        };
        Form::Text(Lexeme { text, kind, is_spaced: !self.is_token })
    }
}

/// What stands between the brackets of a set.
fn set(inside: &str) -> Set {
    let (is_negated, mut rest) = match inside.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, inside),
    };
    let mut ranges = Vec::new();
    while let Some(first) = next_character(&mut rest) {
        let is_range = rest.starts_with('-') && rest.len() > 1;
        let last = if is_range {
            rest = &rest[1..];
            next_character(&mut rest).unwrap()
        } else {
            first
        };
        ranges.push((first, last));
    }
    Set { ranges, is_negated }
}

/// A character of a set, itself or by its number.
fn next_character(rest: &mut &str) -> Option<char> {
    if let Some(code) = rest.strip_prefix("#x") {
        let length = code.find(|digit: char| !digit.is_ascii_uppercase() && !digit.is_ascii_digit());
        let (digits, after) = code.split_at(length.unwrap_or(code.len()));
        *rest = after;
        return char::from_u32(u32::from_str_radix(digits, 16).unwrap());
    }
    let character = rest.chars().next()?;
    *rest = &rest[character.len_utf8()..];
    Some(character)
}
