//! Parses what follows a backslash.

use super::error::Problem;
use super::parse::{Options, Parser, Result, Tables, character};
use super::property;
use super::set::Set;
use super::tree::{Anchor, Node};

impl Parser<'_> {
    /// `\d`, `\A`, `\1`, `\n` … outside a class. The last of the pushed nodes is the one that a repetition repeats.
    pub(super) fn escape(&mut self, options: Options, nodes: &mut Vec<Node>) -> Result<()> {
        let start = self.at;
        self.eat("\\");
        if let Some(set) = self.set_escape(options, start, options.fold)? {
            nodes.push(Node::Set(set));
            return Ok(());
        }
        let ascii = options.tables == Tables::Ascii;
        let node = match self.peek() {
            Some('A') => Node::Anchor(Anchor::TextStart),
            Some('z') => Node::Anchor(Anchor::TextEnd),
            Some('Z') => Node::Anchor(Anchor::TextEndOrNewline),
            Some('G') => Node::Anchor(Anchor::SearchStart),
            Some('b') => Node::Anchor(Anchor::WordBoundary { ascii }),
            Some('B') => Node::Anchor(Anchor::NotWordBoundary { ascii }),
            Some('K') => Node::Keep,
            Some('R') => Node::LineBreak,
            Some('X') => Node::Grapheme,
            Some(letter @ ('k' | 'g')) if let Some(quote @ ('<' | '\'')) = self.rest().chars().nth(1) => {
                self.next();
                let node =
                    if letter == 'k' { self.reference(quote, start, options)? } else { self.call(quote, start)? };
                nodes.push(node);
                return Ok(());
            }
            Some('1'..='9') if let Some(node) = self.numbered_reference(start, options)? => {
                nodes.push(node);
                return Ok(());
            }
            _ => return self.push_characters(start, options, nodes),
        };
        self.next();
        nodes.push(node);
        Ok(())
    }

    fn push_characters(&mut self, start: usize, options: Options, nodes: &mut Vec<Node>) -> Result<()> {
        let mut push = |one| nodes.push(character(one, options));
        self.characters(start, &mut push)
    }

    /// `\1`: a reference when there is such a group already or the number has one digit, else an octal number.
    fn numbered_reference(&mut self, start: usize, options: Options) -> Result<Option<Node>> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let name = &self.rest()[..digits];
        if digits > 1 && name.parse().is_ok_and(|number: usize| number > self.names.len()) {
            return Ok(None);
        }
        self.at += digits;
        let groups = self.referenced(name, start)?;
        Ok(Some(Node::Reference { groups, fold: options.fold }))
    }

    /// `\d`, `\W`, `\p{Lu}`; nothing is passed over when something else comes next. With `fold` a property gets the
    /// other case of its letters, before it is negated.
    pub(super) fn set_escape(&mut self, options: Options, start: usize, fold: bool) -> Result<Option<Set>> {
        let Some(letter) = self.peek() else {
            return Err(Problem::TrailingBackslash.at(start));
        };
        let unicode = options.tables == Tables::Unicode;
        let set = match letter.to_ascii_lowercase() {
            'd' => unicode.then(|| property::bracket("digit", false)).flatten().unwrap_or_else(Set::digit),
            'w' => unicode.then(|| property::bracket("word", false)).flatten().unwrap_or_else(Set::word),
            's' => unicode.then(|| property::bracket("space", false)).flatten().unwrap_or_else(Set::space),
            'h' => Set::hexadecimal(),
            'p' if self.rest()[1..].starts_with('{') => {
                self.beyond_ascii = true;
                let Some(length) = self.rest().find('}') else {
                    return Err(Problem::UnknownProperty(self.rest()[2..].into()).at(start));
                };
                let name = &self.rest()[2..length];
                let (name, negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
                let Some(set) = property::property(name) else {
                    return Err(Problem::UnknownProperty(name.into()).at(start));
                };
                self.at += length;
                let set = if fold && set.is_named() { set.folded() } else { set };
                if negated { set.negated() } else { set }
            }
            _ => return Ok(None),
        };
        self.next();
        Ok(Some(if letter.is_ascii_uppercase() { set.negated() } else { set }))
    }

    /// The characters that an escape means: one, or those of `\u{41 42}`.
    pub(super) fn characters(&mut self, start: usize, push: &mut dyn FnMut(char)) -> Result<()> {
        if self.eat("u{") {
            return self.code_points(start, push);
        }
        let Some(letter) = self.next() else {
            return Err(Problem::TrailingBackslash.at(start));
        };
        push(match letter {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'u' => {
                let code = self.digits(16, 4).filter(|(_, digits)| *digits == 4);
                let Some((code, _)) = code else {
                    return Err(Problem::BadEscape { wanted: r"four digits after `\u`" }.at(start));
                };
                self.code_point(code, start)?
            }
            'x' | '0'..='7' | 'c' | 'C' | 'M' => {
                self.at = start;
                self.bytes_as_character(start)?
            }
            other => other,
        });
        Ok(())
    }

    /// `41 42}`
    fn code_points(&mut self, start: usize, push: &mut dyn FnMut(char)) -> Result<()> {
        let mut count = 0;
        loop {
            while self.eat(" ") || self.eat("\t") {}
            match self.digits(16, 8) {
                Some((code, _)) => push(self.code_point(code, start)?),
                None if count > 0 && self.eat("}") => return Ok(()),
                None => {
                    let wanted = r"hexadecimal numbers and a `}` after `\u{`";
                    return Err(Problem::BadEscape { wanted }.at(start));
                }
            }
            count += 1;
        }
    }

    fn code_point(&mut self, code: u32, start: usize) -> Result<char> {
        self.beyond_ascii |= code > 0x7F;
        let wanted = "a Unicode code point";
        char::from_u32(code).ok_or(Problem::BadEscape { wanted }.at(start))
    }

    /// The number of at most `most` digits, and the count of these digits.
    fn digits(&mut self, radix: u32, most: usize) -> Option<(u32, usize)> {
        let digits = self.rest().chars().take(most).take_while(|digit| digit.is_digit(radix)).count();
        let text = &self.rest()[..digits];
        self.at += digits;
        Some((u32::from_str_radix(text, radix).ok()?, digits))
    }

    /// `\x41`, or as many of `\xC3\xA9` as make one character
    fn bytes_as_character(&mut self, start: usize) -> Result<char> {
        let first = self.byte(start)?;
        if first.is_ascii() {
            return Ok(char::from(first));
        }
        self.beyond_ascii = true;
        let mut bytes = vec![first];
        loop {
            match std::str::from_utf8(&bytes).map(|text| text.chars().next()) {
                Ok(Some(character)) => return Ok(character),
                Err(error) if error.error_len().is_none() && self.rest().starts_with('\\') => {
                    bytes.push(self.byte(start)?);
                }
                _ => return Err(Problem::NotText.at(start)),
            }
        }
    }

    /// `\x41`, `\101`, `\cA`, `\C-a`, `\M-a`
    fn byte(&mut self, start: usize) -> Result<u8> {
        let problem = |wanted| Err(Problem::BadEscape { wanted }.at(start));
        self.eat("\\");
        match self.peek() {
            Some('x') => {
                self.next();
                match self.digits(16, 2).map(|(code, _)| u8::try_from(code)) {
                    Some(Ok(code)) => Ok(code),
                    _ => problem(r"one or two hexadecimal digits after `\x`"),
                }
            }
            Some('0'..='7') => {
                let code = self.digits(8, 3).and_then(|(code, _)| u8::try_from(code).ok());
                code.map_or_else(|| problem("an octal number of at most 377"), Ok)
            }
            Some('c') => {
                self.next();
                self.controlled(start)
            }
            Some('C') if self.rest().starts_with("C-") => {
                self.at += 2;
                self.controlled(start)
            }
            Some('M') if self.rest().starts_with("M-") => {
                self.at += 2;
                Ok(self.modified(start)? | 0x80)
            }
            Some('C' | 'M') => problem(r"a character after `\C-` or `\M-`"),
            _ => Err(Problem::NotText.at(start)),
        }
    }

    fn controlled(&mut self, start: usize) -> Result<u8> {
        Ok(self.modified(start)? & 0x9F)
    }

    /// The character or escape that `\c` or `\M-` modifies.
    fn modified(&mut self, start: usize) -> Result<u8> {
        let problem = Problem::BadEscape { wanted: "an ASCII character" }.at(start);
        if self.rest().starts_with('\\') {
            return if matches!(self.rest().as_bytes().get(1), Some(b'x' | b'0'..=b'7' | b'c' | b'C' | b'M')) {
                self.deeper(|parser| parser.byte(start))
            } else {
                Err(problem)
            };
        }
        match self.next() {
            Some(letter) if letter.is_ascii() => Ok(letter as u8),
            _ => Err(problem),
        }
    }
}
