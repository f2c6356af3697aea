//! Repair by one token: a symbol at the mistake is exchanged for one that looks or means alike, put in, or left out, such
//! that the whole text can be read. What is advised then is Puppet, and has all of the text in it.

use std::ops::Range;

use super::place::{is_foreign_keyword, is_type};
use crate::dictionary;
use crate::error::Error;
use crate::syntax::errors::Expected;
use crate::syntax::grammar::statements;
use crate::syntax::grammar::words::token_length;
use crate::syntax::input::{Input, Stop};
use crate::syntax::state::State;
use crate::syntax::tokens::{Kind, tokens};
use crate::syntax::tree::Tree;
use crate::syntax::{Severity, validate};
use crate::text::{Source, Span};
use crate::wording::capitalized;

/// Of longer texts, only the statement is read.
const MAX_LENGTH: usize = 2000;

/// Longer statements are not tried.
const MAX_STATEMENT: usize = 3000;

/// As many equal mistakes are repaired together.
const MAX_EQUAL: usize = 20;

/// What to write, where it has to be expected if it has other meanings elsewhere, and what is written for it.
const ALIKE: [(&str, Option<Expected>, &[&str]); 22] = [
    ("::", None, &[":"]),
    ("=>", Some(Expected::Arrow), &[":", "=", "==", "->", ":=", "==>", "-->", ">", ">="]),
    (":", Some(Expected::Colon), &[",", ";", "=>", "->"]),
    (",", Some(Expected::Comma), &[".", ";", "|", "||", "or", "to"]),
    ("=", Some(Expected::Assign), &["=>", "->", ":", "==", "is"]),
    (">>", Some(Expected::ReturnArrow), &["->", "=>", ":"]),
    ("default", Some(Expected::Expression), &["else"]),
    (".", None, &[","]),
    ("=", None, &[":="]),
    ("=~", None, &["~=", "~"]),
    ("!=", None, &["!==", "<>", "=!"]),
    ("==", None, &["=", "==="]),
    ("!~", None, &["!=~", "=!~"]),
    ("<=", None, &["=<"]),
    (">=", None, &["=>"]),
    ("and", None, &["&&"]),
    ("or", None, &["||"]),
    ("elsif", None, &["else if", "elseif", "elif"]),
    ("", None, &["then"]),
    ("", Some(Expected::Expression), &["+"]),
    ("/", None, &["//"]),
    ("inherits", Some(Expected::Inherits), &["inherit", "extends", "implements", ":", "<"]),
];

/// A change that makes a text readable.
pub(crate) struct Repair {
    /// All of the text.
    pub(crate) text: String,
    /// What to change, and where.
    advice: String,
    span: Range<usize>,
    /// Whether the end of the text is missing, still.
    is_unfinished: bool,
}

/// The first mistake in a text.
pub(in crate::syntax) struct Mistake<'a> {
    text: &'a str,
    /// Where the text starts in the whole source.
    start: usize,
    /// Whether the source goes on behind it.
    is_cut: bool,
    place: usize,
    expected: Vec<Expected>,
    /// Where the innermost bracket starts that is open at the place.
    open: Option<usize>,
}

impl<'a> Mistake<'a> {
    pub(in crate::syntax) fn of(text: &'a str) -> Option<Mistake<'a>> {
        let state = State::new(text);
        let place = |error: &Error| error.span().map_or(0, |span| span.range().start);
        let (place, expected, open) = match statements::program(Input::new(&state)) {
            Ok((_, body)) => {
                let source = Source::new("entry", text);
                let tree = Tree { source, nodes: state.nodes.take(), body, warnings: Vec::new() };
                let wrong = validate(&tree).into_iter().find(|finding| finding.severity == Severity::Program)?;
                (place(&wrong.error), Vec::new(), None)
            }
            Err(nom::Err::Failure(Stop::Refused)) if let Some(error) = state.refusal.take() => {
                (place(&error), Vec::new(), None)
            }
            Err(_) => (state.furthest().0, state.furthest().1, state.open_bracket()),
        };
        Some(Mistake { text, start: 0, is_cut: false, place, expected, open })
    }

    /// The mistake where reading came furthest, up to the end of the line: of a template in its tag, of a long text in the
    /// statement without indentation.
    pub(in crate::syntax) fn furthest(state: &State<'a>) -> Mistake<'a> {
        let ((place, expected), all) = (state.furthest(), state.source);
        let is_statement =
            |at: &usize| all[*at..].starts_with(|first: char| first.is_alphanumeric() || "$@".contains(first));
        let start = if state.is_template {
            let tag = all[..place].rfind("<%").map_or("", |at| &all[at + 2..]).trim_start_matches(['=', '-']);
            place.min(all.len() - tag.len())
        } else if all.len() > MAX_LENGTH {
            let mut starts = all[..place].rmatch_indices('\n').map(|(at, _)| at + 1);
            starts.find(is_statement).unwrap_or(0)
        } else {
            0
        };
        let end = all[place..].find(if state.is_template { "%>" } else { "\n" });
        let text = &all[start..end.map_or(all.len(), |length| place + length)];
        let open = state.open_bracket().and_then(|open| open.checked_sub(start));
        let is_cut = end.is_some();
        Mistake { text, start, is_cut, place: place - start, expected, open }
    }

    /// The repairs after which the text can be read, the likeliest first.
    pub(in crate::syntax) fn repairs(&self) -> impl Iterator<Item = Repair> {
        let candidates = if self.text.len() < MAX_STATEMENT { self.candidates() } else { Vec::new() };
        candidates.into_iter().filter_map(|(span, new)| self.tried(&span, &new))
    }

    /// What to change, best so that the text is complete, and where, if it is before the place.
    pub(super) fn advice(&self) -> Option<(String, Option<Span>)> {
        let mut repairs = self.repairs();
        let first = repairs.next()?;
        let best =
            if first.is_unfinished { repairs.find(|repair| !repair.is_unfinished).unwrap_or(first) } else { first };
        let span = Span::new(self.start + best.span.start, self.start + best.span.end);
        Some((best.advice, Some(span).filter(|_| best.span.end < self.place && !best.span.is_empty())))
    }

    /// What may be written at which place.
    #[expect(clippy::indexing_slicing, reason = "pairs have two tokens")]
    fn candidates(&self) -> Vec<(Range<usize>, String)> {
        let (text, place) = (self.text, self.place);
        let tokens = tokens(text).into_iter().filter(|token| token.kind != Kind::Comment);
        let tokens: Vec<(Range<usize>, Kind)> = tokens.map(|token| (token.span.range(), token.kind)).collect();
        let at = tokens.iter().position(|(span, _)| span.end > place).unwrap_or(tokens.len());
        let near = |offset: isize| at.checked_add_signed(offset).and_then(|at| tokens.get(at));
        let span = |offset| near(offset).map_or(text.len()..text.len(), |(span, _)| span.clone());
        let kind = |offset| near(offset).map(|(_, kind)| *kind);
        let (here, before) = (&text[span(0)], near(-1).map_or("", |(span, _)| &text[span.clone()]));
        let expects = |what: Expected| self.expected.contains(&what);
        let closing = self.open.map(|open| Expected::closing(&text[open..=open]).text());
        let line = text[..place].rfind('\n').map_or(0, |at| at + 1);
        let is_symbol = |letter: char| "=!<>~&|:/-".contains(letter);
        let joined = text[..place].trim_end_matches(is_symbol).len();
        let joined = joined..text.len() - text[place..].trim_start_matches(is_symbol).len();
        let is_inside =
            [span(0).start.checked_sub(1), Some(span(0).end)].into_iter().flatten().all(|at| is_letter(text, at));
        let is_meant = |new: &str| match new {
            "=>" => closing == Some("}") && &text[span(-2)] != "?",
            "::" => is_inside,
            "default" => closing == Some("}"),
            "." => kind(1) == Some(Kind::Name) && closing.is_none(),
            "," => !is_inside && !is_closing(&text[span(1)]) && kind(0) != kind(1),
            "=" => closing.is_none() || kind(1) != Some(Kind::Reference),
            ">=" => closing.is_none() && matches!(kind(-1), Some(Kind::Number | Kind::Variable)),
            _ => true,
        };
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        let mut exchange = |span: Range<usize>, is_meant: &dyn Fn(&str, Option<Expected>) -> bool| {
            let rows = ALIKE
                .iter()
                .filter(|(new, what, others)| others.contains(&&text[span.clone()]) && is_meant(new, *what));
            found.extend(rows.map(|(new, ..)| (span.clone(), *new)));
        };
        exchange(joined.clone(), &|new, what| what.is_none_or(expects) && is_meant(new));
        if joined != span(0) {
            exchange(span(0), &|new, what| what.is_none_or(expects) && is_meant(new));
        }
        // What was read as an operator or as another statement.
        for pair in tokens[..tokens.len().min(at + 1)].windows(2).rev().take_while(|pair| pair[0].0.start >= line) {
            let is_entry = closing == Some("}")
                && expects(Expected::Arrow)
                && self.open.is_some_and(|open| pair[0].0.start > open);
            for start in [pair[0].0.start, pair[1].0.start] {
                exchange(start..pair[1].0.end, &|new, _| new == "elsif" || new == "=>" && is_entry);
            }
        }
        // `if ($x == 1 { … }`
        let is_open = text[line..place].matches('(').count() > text[line..place].matches(')').count();
        let braces = tokens[..at].iter().rev().take(8).filter(|(span, _)| &text[span.clone()] == "{");
        let before_braces = braces.map(|(span, _)| text[..span.start].trim_end().len()).filter(|_| is_open);
        found.extend(before_braces.map(|gap| (gap..gap, ")")));
        for (old, offset) in [(here, 0), (before, -1)] {
            found.extend(
                closing.filter(|new| (old == ">" || is_closing(old)) && *new != old).map(|new| (span(offset), new)),
            );
        }
        let gap = span(-1).end..span(-1).end;
        let is_apart = gap.end < span(0).start && !matches!(kind(0), None | Some(Kind::Symbol | Kind::Close));
        let is_foreign = [here, before].iter().any(|word| is_foreign_keyword(&word.to_lowercase()));
        for missing in
            self.expected.iter().filter(|_| !here.is_empty() && !before.is_empty()).map(|missing| missing.text())
        {
            let is_missing = match missing {
                "," | "=>" => is_apart && !is_foreign,
                "=" => is_apart && closing.is_none(),
                ":" if here == "}" => {
                    [kind(-1), kind(-3)] == [Some(Kind::Variable), Some(Kind::Name)] && &text[span(-4)] != "."
                }
                ":" => kind(0) == Some(Kind::Name) || here == "{",
                ")" | "]" | "}" => closing == Some(missing),
                _ => missing == "|",
            };
            found.extend(is_missing.then(|| (gap.clone(), missing)));
        }
        let is_doubled = |old: &str, before: &str, after: &str| {
            [",", ";"].contains(&old)
                && (before == old || ["(", "{", "|", "}"].contains(&before) || ["", "else"].contains(&after))
        };
        let is_unmatched = is_closing(here) && closing.is_none() && !text[line..].contains('<');
        found.extend((is_unmatched || is_doubled(here, before, &text[span(1)])).then(|| (span(0), "")));
        found.extend(is_doubled(before, &text[span(-2)], here).then(|| (span(-1), "")));
        let mut found: Vec<(Range<usize>, String)> =
            found.into_iter().map(|(span, new)| (span, new.to_owned())).collect();
        let is_type_name =
            expects(Expected::TypeName) || expects(Expected::Parameter) && kind(1) == Some(Kind::Variable);
        if is_type_name && kind(0) == Some(Kind::Name) {
            let other = dictionary::word(here, &[dictionary::Kind::Type]).map(|word| word.puppet.to_owned());
            found.push((span(0), other.unwrap_or_else(|| capitalized(here))));
        }
        if here == "=>"
            && near(-1).is_some_and(|(key, kind)| key.start == line && *kind != Kind::Name)
            && closing.is_none()
        {
            let end = text[place..].find('\n').map_or(text.len(), |length| place + length);
            let closing = if text[line..end].ends_with('}') { "" } else { "}" };
            found.push((line..end, ["{", &text[line..end], closing].concat()));
        }
        found.extend(self.other_brackets(&tokens, at));
        found
    }

    /// `[1, 2]` for `(1, 2)`, `['a']` for `{'a'}` behind a variable, and braces for what has to be in braces.
    #[expect(clippy::indexing_slicing, reason = "the bracket is one of the tokens")]
    fn other_brackets(&self, tokens: &[(Range<usize>, Kind)], at: usize) -> Option<(Range<usize>, String)> {
        let written = |at: usize| tokens.get(at).map_or("", |(span, _)| &self.text[span.clone()]);
        let open = tokens.iter().position(|(span, _)| Some(span.start) == self.open);
        let (open, brackets) = if ["(", "["].contains(&written(at)) && self.expected.contains(&Expected::OpenBrace) {
            (at, ["{", "}"])
        } else if written(at) == "," && open.is_some_and(|open| written(open) == "(") {
            (open?, ["[", "]"])
        } else {
            let (before, kind) = tokens.get(open?.checked_sub(1)?)?;
            let is_access = matches!(kind, Kind::Variable | Kind::Reference) && Some(before.end) == self.open;
            (open.filter(|open| is_access && written(*open) == "{")?, ["[", "]"])
        };
        let mut depth = 0;
        let (close, _) = tokens[open..].iter().find(|(_, kind)| {
            depth += i32::from(*kind == Kind::Open) - i32::from(*kind == Kind::Close);
            depth == 0
        })?;
        let inner = &self.text[tokens[open].0.end..close.start];
        // `Struct{[a => String]}`
        let entries =
            inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).map(|inner| format!("{{{inner}}}"));
        Some((
            tokens[open].0.start..close.end,
            [brackets[0], entries.as_deref().unwrap_or(inner), brackets[1]].concat(),
        ))
    }

    /// The text with the change, and with the same in further places.
    fn tried(&self, span: &Range<usize>, new: &str) -> Option<Repair> {
        let (old, rest) = (&self.text[span.clone()], self.text[span.end..].trim_start());
        let advice = match (old, new) {
            (_, "") => format!("leave out `{old}`"),
            ("", _) => format!("write `{new}` before `{}`", &rest[..token_length(rest)]),
            _ => format!("write `{new}` instead of `{old}`"),
        };
        let mut text = self.replaced(span, new);
        for _ in 0..MAX_EQUAL {
            let Some(mistake) = Mistake::of(&text) else {
                return Some(Repair { text, advice, span: span.clone(), is_unfinished: false });
            };
            if mistake.place >= text.len() && (self.is_cut || !new.is_empty() && new != old) {
                return Some(Repair { text, advice, span: span.clone(), is_unfinished: true });
            }
            let is_same = |(span, other): &(Range<usize>, String)| {
                other == new && &text[span.clone()] == old || is_type(other) && is_type(new)
            };
            let (span, new) = mistake.candidates().into_iter().find(is_same).filter(|_| mistake.place > self.place)?;
            text = mistake.replaced(&span, &new);
        }
        None
    }

    /// The text with `new` in place of the span, with a space where another symbol or word would join it.
    fn replaced(&self, span: &Range<usize>, new: &str) -> String {
        let (before, after) = (&self.text[..span.start], &self.text[span.end..]);
        let closes_gap = [",", ":"].contains(&new) || new.is_empty() && !after.starts_with(char::is_alphanumeric);
        let before = if closes_gap { before.trim_end() } else { before };
        let is_word =
            new.len() > 1 && new != "::" && !new.starts_with(['(', '[', '{']) || "=<>".contains(new) && !new.is_empty();
        let is_near = |edge: Option<char>| edge.is_some_and(|edge| !edge.is_whitespace() && !":([{".contains(edge));
        let left = if is_word && is_near(before.chars().next_back()) { " " } else { "" };
        let right = if (is_word || new == ",") && is_near(after.chars().next()) { " " } else { "" };
        [before, left, new, right, after].concat().trim_end().to_owned()
    }
}

fn is_closing(text: &str) -> bool {
    [")", "]", "}"].contains(&text)
}

fn is_letter(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric)
}
