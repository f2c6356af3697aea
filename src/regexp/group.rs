//! Parses everything in parentheses.

use super::check;
use super::error::Problem;
use super::parse::{Options, Parser, Result, Tables, Target};
use super::tree::Node;

impl Parser<'_> {
    /// `(a)`, `(?:a)`, `(?=a)` …
    pub(super) fn group(&mut self, options: Options) -> Result<Node> {
        let start = self.at;
        self.eat("(");
        if !self.eat("?") {
            if self.named {
                return self.closed(start, options);
            }
            return self.capture(start, None, options);
        }
        match self.peek() {
            None => Err(self.problem(Problem::UnfinishedGroup)),
            Some(':') => self.after(1).closed(start, options),
            Some('>') => Ok(Node::Atomic(Box::new(self.after(1).closed(start, options)?))),
            Some('~') => Err(Problem::Unsupported("the absence operator `(?~…)`").at(start)),
            Some('=') => self.after(1).look(start, false, false, options),
            Some('!') => self.after(1).look(start, false, true, options),
            Some('<') if self.rest().starts_with("<=") => self.after(2).look(start, true, false, options),
            Some('<') if self.rest().starts_with("<!") => self.after(2).look(start, true, true, options),
            Some(quote @ ('<' | '\'')) => {
                self.saw_name = true;
                let name = self.after(1).name(quote)?;
                if name.starts_with(|first: char| first.is_ascii_digit() || first == '-') || name.contains(')') {
                    return Err(Problem::BadName(name).at(start));
                }
                self.capture(start, Some(name), options)
            }
            Some('(') => self.after(1).conditional(start, options),
            Some(_) => {
                let options = self.options(options)?;
                self.next(); // OK because options end at `:` here, `)` was seen to before.
                self.closed(start, options)
            }
        }
    }

    /// `(?i)`, which holds up to the end of the group around it; nothing is passed over when something else comes next
    pub(super) fn options_from_here(&mut self, options: Options) -> Result<Option<Options>> {
        let start = self.at;
        if self.eat("(?") && self.peek().is_some_and(|first| "imxadu-".contains(first)) {
            let options = self.options(options)?;
            if self.eat(")") {
                return Ok(Some(options));
            }
        }
        self.at = start;
        Ok(None)
    }

    /// `i-mx`, up to `:` or `)`
    fn options(&mut self, mut options: Options) -> Result<Options> {
        let mut on = true;
        let start = self.at;
        loop {
            match self.peek() {
                None => return Err(self.problem(Problem::UnfinishedGroup)),
                Some(':') => return Ok(options),
                Some(')') if start < self.at => return Ok(options),
                Some('-') => on = false,
                Some('i') => options.fold = on,
                Some('m') => options.newline = on,
                Some('x') => options.extended = on,
                Some('a') if on => options.tables = Tables::Ascii,
                Some('d') if on => options.tables = Tables::Mixed,
                Some('u') if on => options.tables = Tables::Unicode,
                Some(other) => return Err(self.problem(Problem::UnknownOption(other))),
            }
            self.next();
        }
    }

    /// Passes over `bytes` that were looked at before.
    fn after(&mut self, bytes: usize) -> &mut Self {
        self.at += bytes;
        self
    }

    /// Alternatives and the `)` of the group that began at `start`.
    fn closed(&mut self, start: usize, options: Options) -> Result<Node> {
        let node = self.alternatives(options)?;
        if self.eat(")") { Ok(node) } else { Err(Problem::UnclosedGroup.at(start)) }
    }

    fn capture(&mut self, start: usize, name: Option<Box<str>>, options: Options) -> Result<Node> {
        self.names.push(name);
        let number = self.names.len();
        Ok(Node::Group { number, node: Box::new(self.closed(start, options)?) })
    }

    fn look(&mut self, start: usize, behind: bool, negative: bool, options: Options) -> Result<Node> {
        let node = Box::new(self.closed(start, options)?);
        if behind && !check::can_look_behind(&node, negative) {
            return Err(Problem::LookBehind.at(start));
        }
        Ok(Node::Look { behind, negative, node })
    }

    /// A name up to the sign that closes what `quote` opened.
    fn name(&mut self, quote: char) -> Result<Box<str>> {
        let close = if quote == '<' { '>' } else { quote };
        let name: Box<str> = self.rest().split(close).next().unwrap_or_default().into();
        if name.is_empty() || name.len() == self.rest().len() {
            return Err(self.problem(if name.is_empty() { Problem::MissingName } else { Problem::BadName(name) }));
        }
        self.at += name.len() + close.len_utf8();
        Ok(name)
    }

    /// `(?(1)a|b)`, from the condition on
    fn conditional(&mut self, start: usize, options: Options) -> Result<Node> {
        let groups = match self.peek() {
            Some(quote @ ('<' | '\'')) => {
                let name = self.after(1).name(quote)?;
                self.referenced(&name, start)?
            }
            Some('0'..='9') => {
                let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
                let name = &self.rest()[..digits];
                self.at += digits;
                self.referenced(name, start)?
            }
            _ => return Err(self.problem(Problem::BadCondition)),
        };
        if !self.eat(")") {
            return Err(self.problem(Problem::BadCondition));
        }
        let mut branches = self.branches(options)?.into_iter();
        if !self.eat(")") {
            return Err(Problem::UnclosedGroup.at(start));
        }
        let mut branch = || Box::new(branches.next().unwrap_or(Node::Empty));
        let (then, otherwise) = (branch(), branch());
        match branches.next() {
            Some(_) => Err(Problem::ThirdBranch.at(start)),
            None => Ok(Node::Conditional { groups, then, otherwise }),
        }
    }

    /// `\k<n>`, `\k<1>`, `\k<-1>`, from the quote on
    pub(super) fn reference(&mut self, quote: char, start: usize, options: Options) -> Result<Node> {
        let name = self.after(1).name(quote)?;
        let groups = self.referenced(&name, start)?;
        Ok(Node::Reference { groups, fold: options.fold })
    }

    /// The groups that a reference by name or number means; one by number may stand before its group.
    pub(super) fn referenced(&mut self, name: &str, at: usize) -> Result<Vec<usize>> {
        let unknown = Err(Problem::UnknownGroup(name.into()).at(at));
        let number = match name.strip_prefix('-') {
            Some(back) => match back.parse::<usize>() {
                Ok(back) if (1..=self.names.len()).contains(&back) => self.names.len() + 1 - back,
                _ => return unknown,
            },
            None if name.starts_with(|first: char| first.is_ascii_digit()) => match name.parse::<usize>() {
                Ok(number) if number > 0 => number,
                _ => return unknown,
            },
            None => {
                let groups = self.groups_named(name);
                if groups.is_empty() && name.contains(['+', '-']) {
                    return Err(Problem::Unsupported("a reference to a level of recursion").at(at));
                }
                return if groups.is_empty() { unknown } else { Ok(groups) };
            }
        };
        if self.named {
            return Err(Problem::NumberBesideNames.at(at));
        }
        self.references.push((number, at));
        Ok(vec![number])
    }

    /// `\g<n>`, `\g<1>`, `\g<-1>`, `\g<+1>`, `\g<0>`, from the quote on
    pub(super) fn call(&mut self, quote: char, start: usize) -> Result<Node> {
        let name = self.after(1).name(quote)?;
        let number = match (name.as_bytes().first(), name.parse::<isize>()) {
            (Some(b'-'), Ok(back)) => self.names.len().checked_add_signed(back + 1).filter(|&number| number > 0),
            (Some(b'+'), Ok(ahead)) => self.names.len().checked_add_signed(ahead),
            (_, Ok(number)) => usize::try_from(number).ok(),
            (_, Err(_)) => {
                self.calls.push((Target::Name(name), start));
                return Ok(Node::Call(self.calls.len() - 1));
            }
        };
        match number {
            None => Err(Problem::UnknownGroup(name).at(start)),
            Some(number) if number > 0 && self.named => Err(Problem::NumberBesideNames.at(start)),
            Some(number) => {
                self.calls.push((Target::Number(number), start));
                Ok(Node::Call(self.calls.len() - 1))
            }
        }
    }
}
