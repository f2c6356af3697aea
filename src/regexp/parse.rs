//! Parses Ruby's syntax into a [`Tree`].
//!
//! There is one function per construct, from alternatives down to single characters. Options are passed down, because
//! `(?i)` applies from its position to the end of the enclosing group. An expression with named groups is parsed twice:
//! a plain `( )` captures nothing if any group, even a later one, has a name.
//!
//! Observed: Ruby 3.1 for everything in here; `/a(?i)b|c/` is `a(?i:b|c)`, `a{2}?` is `(?:a{2})?`, and `a{1,2}+` is a
//! repetition of a repetition.

use super::error::{Problem, RegexpError};
use super::set::Set;
use super::tree::{Anchor, Greed, Node, Tree};
use super::{MAX_REPEATS, check};
use crate::interrupt;

pub(super) type Result<T> = std::result::Result<T, RegexpError>;

const MAX_NESTING_LEVELS: usize = 200;

pub(super) fn parse(text: &str) -> Result<Tree> {
    let mut parser = Parser::new(text, false);
    let tree = parser.tree();
    if parser.saw_name { Parser::new(text, true).tree() } else { tree }
}

/// The options that `(?…)` switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// `i`
    pub(super) fold: bool,
    /// `m`: the dot matches newlines
    pub(super) newline: bool,
    /// `x`: white space and comments are left out
    pub(super) extended: bool,
    pub(super) tables: Tables,
}

/// Which characters `\w` and `[[:alpha:]]` know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tables {
    /// `d`: ASCII for `\w`, Unicode for `[[:alpha:]]` and `\b`
    Mixed,
    /// `a`: ASCII
    Ascii,
    /// `u`: Unicode
    Unicode,
}

/// The target of a `\g<…>`.
#[derive(Debug)]
pub(super) enum Target {
    Number(usize),
    Name(Box<str>),
}

#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    /// Byte offset of what comes next.
    pub(super) at: usize,
    pub(super) named: bool,
    pub(super) saw_name: bool,
    pub(super) names: Vec<Option<Box<str>>>,
    /// The targets of calls, with their locations.
    pub(super) calls: Vec<(Target, usize)>,
    /// References by number and where they are, to be looked up at the end.
    pub(super) references: Vec<(usize, usize)>,
    levels: usize,
    pub(super) beyond_ascii: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, named: bool) -> Parser<'a> {
        Parser {
            text,
            at: 0,
            named,
            saw_name: false,
            names: Vec::new(),
            calls: Vec::new(),
            references: Vec::new(),
            levels: 0,
            beyond_ascii: !text.is_ascii(),
        }
    }

    fn tree(&mut self) -> Result<Tree> {
        let options = Options { fold: false, newline: false, extended: false, tables: Tables::Mixed };
        let root = self.alternatives(options)?;
        if self.peek().is_some() {
            return Err(self.problem(Problem::StrayParenthesis));
        }
        for &(number, at) in &self.references {
            if number > self.names.len() {
                return Err(Problem::UnknownGroup(number.to_string().into()).at(at));
            }
        }
        let calls = self.calls.iter().map(|(target, at)| self.called(target, *at)).collect::<Result<_>>()?;
        let names = std::mem::take(&mut self.names);
        let tree = Tree { root, names, calls, beyond_ascii: self.beyond_ascii };
        match check::endless_call(&tree).and_then(|call| self.calls.get(call)) {
            Some(&(_, at)) => Err(Problem::EndlessRecursion.at(at)),
            None => Ok(tree),
        }
    }

    fn called(&self, target: &Target, at: usize) -> Result<usize> {
        let problem = match target {
            Target::Number(number) if *number <= self.names.len() => return Ok(*number),
            Target::Number(number) => Problem::UnknownGroup(number.to_string().into()),
            Target::Name(name) => match self.groups_named(name)[..] {
                [only] => return Ok(only),
                [] => Problem::UnknownGroup(name.clone()),
                _ => Problem::AmbiguousCall(name.clone()),
            },
        };
        Err(problem.at(at))
    }

    /// The numbers of the groups of that name so far.
    pub(super) fn groups_named(&self, name: &str) -> Vec<usize> {
        let named = |(index, other): (usize, &Option<Box<str>>)| (other.as_deref() == Some(name)).then_some(index + 1);
        interrupt::each(self.names.iter().enumerate()).filter_map(named).collect()
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next character, which is passed over.
    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    pub(super) fn eat(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// The digits that come next, as a number that saturates.
    pub(super) fn number(&mut self) -> Option<u32> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = &self.rest()[..digits];
        self.at += digits;
        (digits > 0).then(|| text.parse().unwrap_or(u32::MAX))
    }

    pub(super) fn problem(&self, problem: Problem) -> RegexpError {
        problem.at(self.at)
    }

    /// Runs `step` one level deeper.
    pub(super) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.levels == MAX_NESTING_LEVELS {
            return Err(self.problem(Problem::TooDeep(MAX_NESTING_LEVELS)));
        }
        self.levels += 1;
        let result = step(self);
        self.levels -= 1;
        result
    }

    /// `a|b`, up to `)` or the end
    pub(super) fn alternatives(&mut self, options: Options) -> Result<Node> {
        let mut branches = self.branches(options)?;
        Ok(if branches.len() == 1 { branches.remove(0) } else { Node::Alternatives(branches) })
    }

    pub(super) fn branches(&mut self, options: Options) -> Result<Vec<Node>> {
        self.deeper(|parser| {
            let mut branches = vec![parser.sequence(options)?];
            while parser.eat("|") {
                branches.push(parser.sequence(options)?);
            }
            Ok(branches)
        })
    }

    /// `ab*c`, up to `|`, `)` or the end
    fn sequence(&mut self, options: Options) -> Result<Node> {
        let mut nodes = Vec::new();
        loop {
            interrupt::step();
            self.skip_comments(options)?;
            if matches!(self.peek(), None | Some('|' | ')')) {
                break;
            }
            if let Some(changed) = self.options_from_here(options)? {
                nodes.push(self.alternatives(changed)?);
                break;
            }
            self.piece(options, &mut nodes)?;
            let node = nodes.pop().unwrap_or(Node::Empty);
            let node = self.repeats(node, options)?;
            nodes.push(node);
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.remove(0),
            _ => Node::Sequence(nodes),
        })
    }

    /// `(?#comment)`, and with the option `x` white space and `# comment`
    fn skip_comments(&mut self, options: Options) -> Result<()> {
        loop {
            if self.rest().starts_with("(?#") {
                let start = self.at;
                while self.peek() != Some(')') {
                    let escaped = self.eat("\\");
                    if self.next().is_none() && !escaped {
                        return Err(Problem::UnfinishedGroup.at(start));
                    }
                }
                self.next();
            } else if options.extended && matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r' | '\u{c}')) {
                self.next();
            } else if options.extended && self.peek() == Some('#') {
                let line = self.rest().find('\n').map_or(self.rest().len(), |newline| newline + 1);
                self.at += line;
            } else {
                return Ok(());
            }
        }
    }

    /// The signs after a piece that repeat it, as many as there are.
    fn repeats(&mut self, mut node: Node, options: Options) -> Result<Node> {
        loop {
            self.skip_comments(options)?;
            let start = self.at;
            let (least, most, counted) = match self.peek() {
                Some('*') => (0, None, false),
                Some('+') => (1, None, false),
                Some('?') => (0, Some(1), false),
                Some('{') if let Some((least, most)) = self.counts()? => (least, most, true),
                _ => return Ok(node),
            };
            if !counted {
                self.next();
            }
            let fixed = counted && most == Some(least) && !self.text[start..self.at].contains(',');
            let greed = if !counted && self.eat("+") {
                Greed::Possessive
            } else if !fixed && self.eat("?") {
                Greed::Lazy
            } else {
                Greed::Greedy
            };
            node = Node::Repeat { node: Box::new(node), least, most, greed };
        }
    }

    /// `{2}`, `{2,}`, `{,4}`, `{2,4}`; nothing is passed over when the brace is only a character
    fn counts(&mut self) -> Result<Option<(u32, Option<u32>)>> {
        let start = self.at;
        self.eat("{");
        let least = self.number();
        let comma = self.eat(",");
        let most = if comma { self.number() } else { least };
        if (least.is_none() && most.is_none()) || !self.eat("}") {
            self.at = start;
            return Ok(None);
        }
        let at = |problem: Problem| Err(problem.at(start));
        match (least.unwrap_or(0), most) {
            (least, most) if least.max(most.unwrap_or(0)) > MAX_REPEATS => at(Problem::TooManyRepeats),
            (least, Some(most)) if most < least => at(Problem::DescendingRepeat(least, most)),
            counts => Ok(Some(counts)),
        }
    }

    /// Parses a character, class or group, which a repetition may follow, and pushes it; a list of characters `\u{41
    /// 42}` pushes several.
    fn piece(&mut self, options: Options, nodes: &mut Vec<Node>) -> Result<()> {
        let start = self.at;
        let node = match self.peek() {
            Some('{') if self.counts()?.is_none() => {
                self.next();
                character('{', options)
            }
            Some('*' | '+' | '?' | '{') => return Err(Problem::NothingToRepeat.at(start)),
            Some('(') => self.group(options)?,
            Some('[') => {
                self.next();
                self.class(options)?
            }
            Some('\\') => return self.escape(options, nodes),
            Some('.') => {
                self.next();
                Node::Set(Set::any(options.newline))
            }
            Some('^') => {
                self.next();
                Node::Anchor(Anchor::LineStart)
            }
            Some('$') => {
                self.next();
                Node::Anchor(Anchor::LineEnd)
            }
            Some(other) => {
                self.next();
                character(other, options)
            }
            None => Node::Empty,
        };
        nodes.push(node);
        Ok(())
    }
}

/// `a`
pub(super) fn character(character: char, options: Options) -> Node {
    Node::Character { character, fold: options.fold }
}
