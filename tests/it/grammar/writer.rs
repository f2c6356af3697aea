//! Writes texts that follow the productions by chance, guided to one decision that a text is to take.
//!
//! A writer does not see what productions look for ahead, and little of what they look for behind: what it writes is a
//! sentence only if the recogniser says so. On its way to the target it takes the shortest route through the forms,
//! with detours; everything beside the route is random, and as short as can be when the fuel is used up.

use std::collections::VecDeque;

use super::agreement::Random;
use super::notation::{Form, Grammar, Id, LexemeKind, Set};
use super::recogniser::Decision;

/// How many productions a text uses at most beside its route before it takes the shortest way to its end.
const FUEL: [usize; 3] = [20, 60, 200];

/// How deep productions nest before detours end.
const MAX_DEPTH: usize = 100;

/// The number of steps from each form to a target; `None` where it cannot be reached.
pub(super) type Distances = Vec<Option<usize>>;

/// What is known of a grammar before anything is written.
pub(super) struct Map<'g> {
    grammar: &'g Grammar,
    /// The forms from which each form is one step away.
    origins: Vec<Vec<Id>>,
    /// How many characters and productions each form needs at least.
    sizes: Vec<usize>,
    /// Whether the first thing that a form does is to look behind.
    looks_behind: Vec<bool>,
    space: Id,
}

impl<'g> Map<'g> {
    pub(super) fn new(grammar: &'g Grammar) -> Map<'g> {
        let body = |name| grammar.productions[grammar.number(name)].body;
        let mut origins = vec![Vec::new(); grammar.forms.len()];
        for (id, form) in grammar.forms.iter().enumerate() {
            let within = match form {
                Form::Ahead { .. } | Form::Behind { .. } => Vec::new(),
                Form::Name(number) => vec![grammar.productions[*number].body],
                Form::Condition(name) if name == "has_text" => vec![body("heredoc_text"), body("heredoc_end")],
                _ => grammar.children(id),
            };
            let space = is_spaced(grammar, id).then(|| body("space"));
            for part in within.into_iter().chain(space) {
                origins[part].push(id);
            }
        }
        let looks_behind = until_stable(vec![false; grammar.forms.len()], |known, id| match &grammar.forms[id] {
            Form::Sequence(items) => known[items[0]],
            Form::Choice(items) => items.iter().any(|&item| known[item]),
            Form::Name(number) => known[grammar.productions[*number].body],
            Form::Behind { wanted, .. } => *wanted,
            _ => false,
        });
        Map { grammar, origins, sizes: sizes(grammar), looks_behind, space: body("space") }
    }

    /// How far it is from each form to where a decision is taken. Names that `is_closed` takes are no way there: the
    /// shortest way may be one that what is looked for ahead forbids.
    pub(super) fn distances_to(&self, target: Decision, mut is_closed: impl FnMut() -> bool) -> Distances {
        let mut distances: Distances = vec![None; self.grammar.forms.len()];
        let mut open = VecDeque::from([(place(target), 0)]);
        while let Some((id, distance)) = open.pop_front() {
            let is_name = matches!(self.grammar.forms[id], Form::Name(_));
            if distances[id].is_none() && !(is_name && is_closed()) {
                distances[id] = Some(distance);
                open.extend(self.origins[id].iter().map(|&origin| (origin, distance + 1)));
            }
        }
        distances
    }
}

/// The form at which a decision is taken.
fn place(decision: Decision) -> Id {
    let (Decision::Alternative(id, _) | Decision::Presence(id, _)) = decision;
    id
}

/// Whether white space may stand after a form.
fn is_spaced(grammar: &Grammar, id: Id) -> bool {
    match &grammar.forms[id] {
        Form::Text(lexeme) => lexeme.is_spaced,
        Form::Name(number) => grammar.productions[*number].is_token && id < grammar.first_of_tokens,
        _ => false,
    }
}

/// What `next` makes of all forms, again and again until nothing changes.
fn until_stable<T: PartialEq>(mut known: Vec<T>, next: impl Fn(&[T], Id) -> T) -> Vec<T> {
    loop {
        let better: Vec<T> = (0..known.len()).map(|id| next(&known, id)).collect();
        if better == known {
            return known;
        }
        known = better;
    }
}

fn sizes(grammar: &Grammar) -> Vec<usize> {
    /// More than any form needs.
    const UNKNOWN: usize = 1_000_000;
    until_stable(vec![UNKNOWN; grammar.forms.len()], |known, id| match &grammar.forms[id] {
        Form::Text(_) | Form::Set(_) => 1,
        Form::Name(number) => (1 + known[grammar.productions[*number].body]).min(UNKNOWN),
        Form::Sequence(items) => items.iter().map(|&item| known[item]).sum::<usize>().min(UNKNOWN),
        Form::Choice(items) => items.iter().map(|&item| known[item]).min().unwrap_or(UNKNOWN),
        Form::Repeated { item, least: 1.. } => known[*item],
        _ => 0,
    })
}

/// A text under way.
pub(super) struct Writer<'w> {
    map: &'w Map<'w>,
    random: Random,
    /// What the text is to decide, with the way there, until it has.
    target: Option<(Decision, &'w Distances)>,
    text: String,
    fuel: usize,
    depth: usize,
    /// The productions that ended last, and where.
    ended: (usize, Vec<usize>),
    /// The texts that belong behind the next line break.
    heredocs: Vec<String>,
    /// The tag of the heredoc whose end is being written.
    tag: String,
}

impl<'w> Writer<'w> {
    /// A text that may be what the production `start` describes.
    pub(super) fn write(
        map: &'w Map<'w>,
        mut random: Random,
        start: &str,
        target: Option<(Decision, &'w Distances)>,
    ) -> String {
        let fuel = FUEL[random.below(FUEL.len())];
        let fuel = random.below(fuel);
        let (text, ended, heredocs, tag) = (String::new(), (0, Vec::new()), Vec::new(), String::new());
        let mut writer = Writer { map, random, target, text, fuel, depth: 0, ended, heredocs, tag };
        writer.form(map.grammar.productions[map.grammar.number(start)].body);
        if !writer.heredocs.is_empty() {
            writer.text.push('\n');
            writer.announced_texts();
            if writer.random.below(2) == 0 {
                writer.text.pop();
            }
        }
        writer.text
    }

    /// How far it is from a form to the target, while there is one.
    fn distance(&self, id: Id) -> Option<usize> {
        self.target.and_then(|(_, distances)| distances[id])
    }

    fn form(&mut self, id: Id) {
        let grammar = self.map.grammar;
        match &grammar.forms[id] {
            Form::Text(lexeme) => {
                if lexeme.kind == LexemeKind::Word && self.text.ends_with(|last: char| last.is_ascii_alphanumeric()) {
                    self.text.push(' ');
                }
                self.text.push_str(&lexeme.text);
            }
            Form::Set(set) => {
                let character = self.character(set);
                self.text.push(character);
            }
            Form::End | Form::Ahead { .. } | Form::Behind { wanted: true, .. } => {}
            // Nearly always it is about white space, which is not wanted there.
            Form::Behind { wanted: false, .. } => self.text.truncate(self.text.trim_end().len()),
            Form::Name(number) => self.production(id, *number),
            Form::Sequence(items) => self.sequence(items),
            Form::Choice(items) => {
                let index = self.alternative(id, items);
                self.decided(Decision::Alternative(id, index));
                self.form(items[index]);
            }
            Form::Optional(item) => {
                if self.wants(id, *item) {
                    self.form(*item);
                }
            }
            Form::Repeated { item, least } => {
                // What has to be there decides nothing.
                (0..*least).for_each(|_| self.part(*item, self.nearest(&[id, *item])));
                while self.wants(id, *item) {
                    self.form(*item);
                }
            }
            Form::Condition(name) => self.condition(name),
        }
        if is_spaced(grammar, id) {
            self.space();
        }
    }

    fn sequence(&mut self, items: &[Id]) {
        let nearest = self.nearest(items);
        for &item in items {
            self.part(item, nearest);
        }
    }

    /// The part that is to lead to the target, if there is one and any does.
    fn nearest(&self, items: &[Id]) -> Option<Id> {
        let leading = items.iter().copied().filter(|&item| self.distance(item).is_some());
        leading.min_by_key(|&item| self.distance(item))
    }

    /// A part, which leads to the target only if it is the nearest: if all parts did, the first would, by a way that
    /// comes back here again and again.
    fn part(&mut self, id: Id, nearest: Option<Id>) {
        if nearest.is_none_or(|nearest| nearest == id) {
            return self.form(id);
        }
        let target = self.target.take();
        self.form(id);
        self.target = target;
    }

    fn production(&mut self, id: Id, number: usize) {
        let production = &self.map.grammar.productions[number];
        if production.body == self.map.space {
            return self.space();
        }
        // Only what stands in quotes has interpolations.
        let quote = if production.name == "heredoc_tag" && self.random.below(2) == 0 { "\"" } else { "" };
        self.fuel = self.fuel.saturating_sub(1);
        self.depth += 1;
        self.text.push_str(quote);
        let parts = [production.body, self.map.space];
        let nearest = self.nearest(if is_spaced(self.map.grammar, id) { &parts } else { &parts[..1] });
        self.part(production.body, nearest);
        self.text.push_str(quote);
        self.depth -= 1;
        if self.ended.0 != self.text.len() {
            self.ended = (self.text.len(), Vec::new());
        }
        self.ended.1.push(number);
    }

    /// Notes a decision: the target is reached when it is the one.
    fn decided(&mut self, decision: Decision) {
        if self.target.is_some_and(|(target, _)| target == decision) {
            self.target = None;
        }
    }

    /// Whether a form finds behind it what it looks for there, if that is the first thing it does.
    fn is_invited(&self, id: Id) -> Option<bool> {
        let grammar = self.map.grammar;
        match &grammar.forms[id] {
            _ if !self.map.looks_behind[id] => None,
            Form::Sequence(items) => self.is_invited(items[0]),
            Form::Name(number) => self.is_invited(grammar.productions[*number].body),
            Form::Choice(items) => {
                let asked: Vec<bool> = items.iter().filter_map(|&item| self.is_invited(item)).collect();
                let any = asked.contains(&true);
                (any || asked.len() == items.len()).then_some(any)
            }
            Form::Behind { item, .. } => match &grammar.forms[*item] {
                Form::Name(number) => Some(self.ended.0 == self.text.len() && self.ended.1.contains(number)),
                _ => None,
            },
            _ => None,
        }
    }

    /// One of several: what leads to the target, what the text before invites, or any; the shortest without fuel.
    fn alternative(&mut self, id: Id, items: &[Id]) -> usize {
        if let Some((Decision::Alternative(place, index), _)) = self.target
            && place == id
        {
            return index;
        }
        let all = 0..items.len();
        let leading: Vec<usize> = all.clone().filter(|&index| self.distance(items[index]).is_some()).collect();
        if let Some(&nearest) = leading.iter().min_by_key(|&&index| self.distance(items[index])) {
            let is_detour = self.depth < MAX_DEPTH && self.random.below(8) == 0;
            return if is_detour { self.one_of(&leading) } else { nearest };
        }
        let invited: Vec<usize> = all.clone().filter(|&index| self.is_invited(items[index]) == Some(true)).collect();
        if !invited.is_empty() && self.random.below(4) > 0 {
            return self.one_of(&invited);
        }
        let mut fitting: Vec<usize> = all.filter(|&index| self.is_invited(items[index]) != Some(false)).collect();
        if self.fuel == 0 {
            let least = fitting.iter().map(|&index| self.map.sizes[items[index]]).min();
            fitting.retain(|&index| Some(self.map.sizes[items[index]]) == least);
        }
        self.one_of(&fitting)
    }

    fn one_of(&mut self, choices: &[usize]) -> usize {
        choices[self.random.below(choices.len())]
    }

    /// Whether there is (once more) what need not be there.
    fn wants(&mut self, id: Id, item: Id) -> bool {
        let wanted = match self.target {
            Some((Decision::Presence(place, present), _)) if place == id => present,
            Some(_) if self.distance(item).is_some() => true,
            _ => self.fuel > 0 && self.random.below(4) == 0 && self.is_invited(item) != Some(false),
        };
        self.decided(Decision::Presence(id, wanted));
        wanted
    }

    /// What can stand between tokens; mostly a blank, so that words stay apart.
    fn space(&mut self) {
        let leads_on = self.distance(self.map.space).is_some();
        match self.random.below(20) {
            _ if leads_on => self.form(self.map.space),
            0 => {}
            1 | 2 if self.fuel > 0 => self.form(self.map.space),
            _ => self.text.push(' '),
        }
    }

    fn character(&mut self, set: &Set) -> char {
        if set.is_negated {
            let likely = "ab1 _-.:/$%<é\\";
            let fitting: Vec<char> = likely.chars().filter(|&one| set.has(one)).collect();
            return fitting[self.random.below(fitting.len())];
        }
        let (first, last) = set.ranges[self.random.below(set.ranges.len())];
        let between: Vec<char> = (first..=last).collect();
        between[self.random.below(between.len())]
    }

    /// What a condition needs so that it holds, where that can be written.
    fn condition(&mut self, name: &str) {
        match name {
            "has_text" => self.heredoc(),
            "announced_texts" => self.announced_texts(),
            "tag" => self.text.push_str(&self.tag.clone()),
            "lowest" => {
                let digits = self.text.rsplit(|one: char| !one.is_ascii_alphanumeric()).next().unwrap_or_default();
                let lowest = match digits.as_bytes() {
                    [b'0', b'x' | b'X', ..] => "0x8000000000000000",
                    [b'0', _, ..] => "01000000000000000000000",
                    _ => "9223372036854775808",
                };
                self.text.truncate(self.text.len() - digits.len());
                self.text.push_str(lowest);
            }
            _ => {}
        }
    }

    fn announced_texts(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            self.text.push_str(&heredoc);
        }
    }

    /// The text of the heredoc that was announced just now, which waits for the end of the line.
    fn heredoc(&mut self) {
        let announcement = self.text.rsplit("@(").next().unwrap_or_default();
        let tag = announcement.split(['/', ':', ')']).next().unwrap_or_default().trim();
        let tag = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag).trim().to_owned();
        let outer = std::mem::take(&mut self.text);
        let waiting = std::mem::take(&mut self.heredocs);
        let outer_tag = std::mem::replace(&mut self.tag, tag);
        let grammar = self.map.grammar;
        let body = |name| grammar.productions[grammar.number(name)].body;
        let parts = [body("heredoc_text"), body("heredoc_end")];
        let nearest = self.nearest(&parts);
        for part in parts {
            self.part(part, nearest);
            if !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push('\n');
            }
        }
        let heredoc = std::mem::replace(&mut self.text, outer);
        self.tag = outer_tag;
        self.heredocs = waiting;
        self.heredocs.push(heredoc);
    }
}
