//! A recogniser that knows nothing of Puppet but what the written grammar says: it interprets the productions.
//!
//! It works as the notation reads: alternatives from left to right, what is repeated as often as it goes, nothing is
//! tried again with less. What a production makes of a place is remembered, so that no place is read twice by the
//! same production and the time is linear. Looking behind needs a memory, too: where the names and texts that
//! stand in a look-behind were last found to end.
//!
//! The text of a heredoc stands elsewhere than its announcement. It is read as a region of its own, when its
//! announcement is read, and left out when the end of that line is passed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::conditions::{self, Announcement};
use super::notation::{Form, Grammar, Id, LexemeKind};

/// What the recogniser prepares once for a grammar.
pub(super) struct Recogniser<'g> {
    pub(super) grammar: &'g Grammar,
    /// The forms in look-behinds, each with what it stands for: a text or a production.
    remembered: Vec<Remembered>,
    /// For each form, as what its ends are remembered.
    remembers: Vec<Option<usize>>,
    space: usize,
    word_end: usize,
}

#[derive(PartialEq, Eq)]
enum Remembered {
    Text(String),
    Production(usize),
}

/// A way through the grammar, as a set of decisions that were taken.
pub(super) type Derivation = BTreeMap<Decision, usize>;

/// What was decided at a form that leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Decision {
    /// The alternative of a choice, by its number.
    Alternative(Id, usize),
    /// An optional part is there or not; what is repeated is there at all or not.
    Presence(Id, bool),
}

impl<'g> Recogniser<'g> {
    pub(super) fn new(grammar: &'g Grammar) -> Recogniser<'g> {
        let mut remembered = Vec::new();
        for form in &grammar.forms {
            let Form::Behind { item, .. } = form else { continue };
            for id in grammar.within(*item) {
                let one = match &grammar.forms[id] {
                    Form::Text(lexeme) => Remembered::Text(lexeme.text.clone()),
                    Form::Name(number) => Remembered::Production(*number),
                    Form::Choice(_) => continue,
                    other => panic!("a look-behind cannot hold {other:?}"),
                };
                if !remembered.contains(&one) {
                    remembered.push(one);
                }
            }
        }
        // The conditions of templates ask where tags began.
        for name in conditions::REMEMBERED {
            let one = Remembered::Production(grammar.number(name));
            if !remembered.contains(&one) {
                remembered.push(one);
            }
        }
        let same = |form: &Form| match form {
            Form::Text(lexeme) => remembered.iter().position(|one| *one == Remembered::Text(lexeme.text.clone())),
            Form::Name(number) => remembered.iter().position(|one| *one == Remembered::Production(*number)),
            _ => None,
        };
        let remembers = grammar.forms.iter().map(same).collect();
        let number = |name| grammar.number(name);
        let (space, word_end) = (number("space"), number("word_end"));
        Recogniser { grammar, remembered, remembers, space, word_end }
    }

    /// Whether the whole text is what the production `start` describes.
    pub(super) fn accepts(&self, start: &str, text: &str) -> bool {
        Reading::new(self, text).whole(self.grammar.number(start))
    }

    /// How the text follows from `start`: every decision with the number of times it was taken. `None` where it does
    /// not follow.
    pub(super) fn derivation(&self, start: &str, text: &str) -> Option<Derivation> {
        let start = self.grammar.number(start);
        let mut reading = Reading::new(self, text);
        reading.whole(start).then(|| reading.derivation(start))
    }
}

/// A part of the text with an end of its own: all of it, the text of a heredoc, or the line that ends one.
struct Region {
    start: usize,
    end: usize,
    heredoc: Option<Announcement>,
    /// For each place and production: 0 unknown, 1 in vain, else the end and 2.
    memory: Vec<u32>,
}

/// What the recogniser has found out about one text.
pub(super) struct Reading<'r> {
    recogniser: &'r Recogniser<'r>,
    pub(super) text: &'r str,
    regions: Vec<Region>,
    region: usize,
    /// Where the production starts that is being read.
    from: usize,
    /// Whether what is remembered ended at a place.
    ends: Vec<bool>,
    /// Where reading goes on after the newline at a place.
    resumes: HashMap<usize, usize>,
    /// The regions of the text and the end of each heredoc, by the end of its announcement.
    heredocs: HashMap<usize, Option<(usize, usize)>>,
    /// The way so far, where it is asked for.
    trail: Option<Vec<Step>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Decided(Decision),
    Used { production: usize, region: usize, at: usize },
}

impl<'r> Reading<'r> {
    fn new(recogniser: &'r Recogniser<'r>, text: &'r str) -> Reading<'r> {
        let mut reading = Reading {
            recogniser,
            text,
            regions: Vec::new(),
            region: 0,
            from: 0,
            ends: vec![false; recogniser.remembered.len() * (text.len() + 1)],
            resumes: HashMap::new(),
            heredocs: HashMap::new(),
            trail: None,
        };
        reading.add_region(0, text.len(), None);
        reading
    }

    fn add_region(&mut self, start: usize, end: usize, heredoc: Option<Announcement>) -> usize {
        let memory = vec![0; (end - start + 1) * self.recogniser.grammar.productions.len()];
        self.regions.push(Region { start, end, heredoc, memory });
        self.regions.len() - 1
    }

    fn whole(&mut self, start: usize) -> bool {
        self.production(start, 0) == Some(self.text.len())
    }

    fn derivation(&mut self, start: usize) -> Derivation {
        let first = Step::Used { production: start, region: 0, at: 0 };
        let mut seen = BTreeSet::from([first]);
        let mut open = vec![first];
        let mut derivation = Derivation::new();
        while let Some(step) = open.pop() {
            match step {
                Step::Decided(decision) => *derivation.entry(decision).or_default() += 1,
                Step::Used { production, region, at } => {
                    (self.region, self.from) = (region, at);
                    self.trail = Some(Vec::new());
                    self.form(self.recogniser.grammar.productions[production].body, at);
                    let steps = self.trail.take().unwrap_or_default();
                    open.extend(
                        steps.into_iter().filter(|&step| matches!(step, Step::Decided(_)) || seen.insert(step)),
                    );
                }
            }
        }
        derivation
    }

    /// What the production has read that a condition stands in.
    pub(super) fn read(&self, at: usize) -> &'r str {
        &self.text[self.from..at]
    }

    /// What is not read yet of the region.
    pub(super) fn rest(&self, at: usize) -> &'r str {
        &self.text[at..self.regions[self.region].end]
    }

    /// The names of the conditions in the grammar.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &'r str> {
        self.recogniser.grammar.conditions()
    }

    /// The heredoc whose text is being read.
    pub(super) fn heredoc(&self) -> Option<&Announcement> {
        self.regions[self.region].heredoc.as_ref()
    }

    /// Which of [`conditions::REMEMBERED`] ended last before or at `at`.
    pub(super) fn last_remembered(&self, at: usize) -> Option<&'static str> {
        let places = self.text.len() + 1;
        let last = |name: &&'static str| {
            let one = Remembered::Production(self.recogniser.grammar.number(name));
            let index = self.recogniser.remembered.iter().position(|other| *other == one)?;
            let ends = &self.ends[index * places..=index * places + at];
            Some((ends.iter().rposition(|&ended| ended)?, *name))
        };
        Some(conditions::REMEMBERED.iter().filter_map(last).max_by_key(|&(place, _)| place)?.1)
    }

    /// Where reading goes on after the line that ends at `at`: behind the texts of the heredocs announced in it.
    pub(super) fn after_heredocs(&self, at: usize) -> usize {
        let resumes = self.resumes.get(&(at - 1)).copied();
        resumes.map_or(at, |place| place.min(self.regions[self.region].end))
    }

    /// Finds and reads the text of the heredoc whose announcement ends at `at`: it starts after the line, and after the
    /// texts of those announced before it.
    pub(super) fn heredoc_text(&mut self, at: usize, heredoc: &Announcement) -> bool {
        if !self.heredocs.contains_key(&at) {
            let found = self.new_heredoc_text(at, heredoc);
            self.heredocs.insert(at, found);
        }
        let Some((text, line)) = self.heredocs[&at] else { return false };
        self.inside(text, "heredoc_text") && self.inside(line, "heredoc_end")
    }

    fn new_heredoc_text(&mut self, at: usize, heredoc: &Announcement) -> Option<(usize, usize)> {
        let newline = at + self.rest(at).find('\n')?;
        let start = self.resumes.get(&newline).copied().unwrap_or(newline + 1);
        let mut end = start;
        for line in self.rest(start).split_inclusive('\n') {
            let last = self.add_region(end, end + line.len(), Some(heredoc.clone()));
            if self.inside(last, "heredoc_end") {
                self.resumes.insert(newline, end + line.len());
                return Some((self.add_region(start, end, Some(heredoc.clone())), last));
            }
            self.regions.pop();
            end += line.len();
        }
        None
    }

    /// Whether a region is what a production describes.
    fn inside(&mut self, region: usize, production: &str) -> bool {
        let outer = (self.region, self.from);
        self.region = region;
        let number = self.recogniser.grammar.number(production);
        let (start, end) = (self.regions[region].start, self.regions[region].end);
        let fits = self.used(number, start) == Some(end);
        (self.region, self.from) = outer;
        fits
    }

    /// What a production makes of the text at `at`: where it ends.
    fn production(&mut self, number: usize, at: usize) -> Option<usize> {
        let grammar = self.recogniser.grammar;
        let region = self.region;
        let place = (at - self.regions[region].start) * grammar.productions.len() + number;
        match self.regions[region].memory[place] {
            0 => {}
            1 => return None,
            known => return Some(known as usize - 2),
        }
        let outer = std::mem::replace(&mut self.from, at);
        let found = self.form(grammar.productions[number].body, at);
        self.from = outer;
        self.regions[region].memory[place] = found.map_or(1, |end| u32::try_from(end + 2).unwrap());
        found
    }

    /// A production, and a note that it was used: its own steps are followed later.
    fn used(&mut self, production: usize, at: usize) -> Option<usize> {
        let trail = self.trail.take();
        let found = self.production(production, at);
        self.trail = trail;
        if found.is_some() {
            self.step(Step::Used { production, region: self.region, at });
        }
        found
    }

    fn step(&mut self, step: Step) {
        if let Some(trail) = &mut self.trail {
            trail.push(step);
        }
    }

    /// A form, whose steps are forgotten where it does not fit.
    fn attempt(&mut self, id: Id, at: usize) -> Option<usize> {
        let length = self.trail.as_ref().map_or(0, Vec::len);
        let found = self.form(id, at);
        if let (None, Some(trail)) = (found, &mut self.trail) {
            trail.truncate(length);
        }
        found
    }

    /// Whether a form stands here, without a trace.
    fn stands(&mut self, id: Id, at: usize) -> bool {
        let trail = self.trail.take();
        let found = self.form(id, at).is_some();
        self.trail = trail;
        found
    }

    fn form(&mut self, id: Id, at: usize) -> Option<usize> {
        let grammar = self.recogniser.grammar;
        match &grammar.forms[id] {
            Form::Text(_) => self.lexeme(id, at),
            Form::Set(set) => {
                let character = self.rest(at).chars().next()?;
                set.has(character).then(|| at + character.len_utf8())
            }
            Form::End => self.rest(at).is_empty().then_some(at),
            Form::Name(number) => self.name(id, *number, at),
            Form::Sequence(items) => items.iter().try_fold(at, |at, &item| self.form(item, at)),
            Form::Choice(alternatives) => alternatives.iter().enumerate().find_map(|(index, &alternative)| {
                let found = self.attempt(alternative, at)?;
                self.step(Step::Decided(Decision::Alternative(id, index)));
                Some(found)
            }),
            Form::Optional(item) => {
                let found = self.attempt(*item, at);
                self.step(Step::Decided(Decision::Presence(id, found.is_some())));
                Some(found.unwrap_or(at))
            }
            Form::Repeated { item, least } => {
                let (mut here, mut times) = (at, 0);
                while let Some(next) = self.attempt(*item, here).filter(|&next| next > here) {
                    times += 1;
                    here = next;
                }
                self.step(Step::Decided(Decision::Presence(id, times > *least)));
                (times >= *least).then_some(here)
            }
            Form::Ahead { item, wanted } => (self.stands(*item, at) == *wanted).then_some(at),
            Form::Behind { item, wanted } => (self.ended(*item, at) == *wanted).then_some(at),
            Form::Condition(name) => conditions::read(name, self, at),
        }
    }

    /// A word or symbol, and the white space after it.
    fn lexeme(&mut self, id: Id, at: usize) -> Option<usize> {
        let Form::Text(lexeme) = &self.recogniser.grammar.forms[id] else { return None };
        let rest = self.rest(at).strip_prefix(lexeme.text.as_str())?;
        let end = at + lexeme.text.len();
        let goes_on = match &lexeme.kind {
            LexemeKind::Plain => false,
            LexemeKind::Symbol { longer } => longer.iter().any(|tail| rest.starts_with(tail.as_str())),
            LexemeKind::Word => self.production(self.recogniser.word_end, end).is_none(),
        };
        if goes_on {
            return None;
        }
        let end = if lexeme.is_spaced { self.used(self.recogniser.space, end)? } else { end };
        self.remember(id, end);
        Some(end)
    }

    /// A production by its name, and the white space after a token that stands among what is none.
    fn name(&mut self, id: Id, number: usize, at: usize) -> Option<usize> {
        let end = self.used(number, at)?;
        self.remember(id, end);
        let grammar = self.recogniser.grammar;
        let is_spaced = grammar.productions[number].is_token && id < grammar.first_of_tokens;
        if !is_spaced || number == self.recogniser.space {
            return Some(end);
        }
        let end = self.used(self.recogniser.space, end)?;
        self.remember(id, end);
        Some(end)
    }

    fn remember(&mut self, id: Id, end: usize) {
        if let Some(index) = self.recogniser.remembers[id] {
            let places = self.text.len() + 1;
            self.ends[index * places + end] = true;
        }
    }

    /// Whether one of the names and texts of a look-behind ended at `at`.
    fn ended(&self, id: Id, at: usize) -> bool {
        let places = self.text.len() + 1;
        let grammar = self.recogniser.grammar;
        let mut atoms = grammar.within(id).into_iter().filter_map(|id| self.recogniser.remembers[id]);
        atoms.any(|index| self.ends[index * places + at])
    }
}
