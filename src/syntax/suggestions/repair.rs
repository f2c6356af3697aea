//! Repairs of one token: the token at a mistake is replaced by a similar one, or a token is inserted or removed, so
//! that the whole text parses. Only changes that make it parse are suggested.

use std::ops::Range;

use super::{is_foreign_keyword, looks_like_type_name};
use crate::dictionary;
use crate::error::Error;
use crate::syntax::errors::Expected;
use crate::syntax::grammar::statements;
use crate::syntax::grammar::words::token_length;
use crate::syntax::input::{Input, StopReason};
use crate::syntax::state::State;
use crate::syntax::tokens::{Kind, tokens};
use crate::syntax::tree::Tree;
use crate::syntax::{RuleKind, validate};
use crate::text::{Source, Span};
use crate::wording::capitalize_segments;

/// The maximum bytes of a source that must parse as a whole after a repair; in longer ones, only the statement must.
const MAX_WHOLE_SOURCE_BYTES: usize = 2000;

/// The length in bytes from which no repair of a text is tried, because trying takes too long.
const MAX_REPAIRED_BYTES: usize = 3000;

/// How many mistakes of the same kind are repaired together; if there are more, the repair is not suggested.
const MAX_SAME_MISTAKES: usize = 20;

/// Similar tokens: the token to write, what the parser must expect there (or `None`), and the tokens to replace.
const SIMILAR_TOKENS: [(&str, Option<Expected>, &[&str]); 23] = [
    ("::", None, &[":"]),
    ("=>", Some(Expected::Arrow), &[":", "=", "==", "->", ":=", "==>", "-->", ">", ">="]),
    (":", Some(Expected::Colon), &[",", ";", "=>", "->"]),
    (",", Some(Expected::Comma), &[".", ";", "|", "||", "or", "to", "=>", ":", "->"]),
    ("=", Some(Expected::Assign), &["=>", "->", ":", "==", "is"]),
    (">>", Some(Expected::ReturnArrow), &["->", "=>", ":"]),
    ("default", Some(Expected::Expression), &["else"]),
    (".", None, &[","]),
    ("=", None, &[":="]),
    ("~>", None, &["~"]),
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

/// A change of a text: the range of bytes to replace, and the replacement.
type Change = (Range<usize>, String);

/// A change after which a text parses.
pub(crate) struct Repair {
    /// The whole text with the change.
    pub(crate) repaired_text: String,
    /// The hint for the user, such as "write `,` before `b`".
    advice: String,
    span: Range<usize>,
    /// Whether the changed text is still incomplete at its end.
    is_unfinished: bool,
}

pub(in crate::syntax) struct Mistake<'a> {
    text: &'a str,
    /// The offset of `text` in the whole source, of which it is a part.
    text_offset: usize,
    /// Whether `text` ends before the source does, so that what is missing at its end may follow there.
    is_cut: bool,
    offset: usize,
    expected: Vec<Expected>,
    /// The offset in `text` of the innermost bracket that is open at the mistake.
    open: Option<usize>,
    /// The closing bracket that is missing: the partner of the innermost open one.
    closing: Option<&'static str>,
    /// The offset of the start of the line with the mistake.
    line: usize,
    /// The tokens of `text`, without comments; empty if the text is too long to try repairs.
    tokens: Vec<(Range<usize>, Kind)>,
    /// The index of the token at the mistake. Methods count tokens from this one, which is number 0.
    at: usize,
}

impl<'a> Mistake<'a> {
    fn new(text: &'a str, offset: usize, expected: Vec<Expected>, open: Option<usize>) -> Mistake<'a> {
        let tokens = if text.len() < MAX_REPAIRED_BYTES { tokens(text) } else { Vec::new() };
        let tokens = tokens.into_iter().filter(|token| token.kind != Kind::Comment);
        let tokens: Vec<_> = tokens.map(|token| (token.span.range(), token.kind)).collect();
        let at = tokens.iter().position(|(span, _)| span.end > offset).unwrap_or(tokens.len());
        let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let closing = open.map(|open| Expected::closing_bracket_for(&text[open..=open]).text());
        Mistake { text, text_offset: 0, is_cut: false, offset, expected, open, closing, line, tokens, at }
    }

    pub(in crate::syntax) fn find_first_mistake(text: &'a str) -> Option<Mistake<'a>> {
        let state = State::new(text);
        let place = |error: &Error| error.span().map_or(0, |span| span.range().start);
        let (place, expected, open) = match statements::program(Input::new(&state)) {
            Ok((_, body)) => {
                let source = Source::new("entry", text);
                let tree = Tree { source, nodes: state.nodes.take(), body, warnings: Vec::new() };
                let wrong = validate(&tree).into_iter().find(|finding| finding.rule_kind == RuleKind::Program)?;
                (place(&wrong.error), Vec::new(), None)
            }
            Err(nom::Err::Failure(StopReason::Refused)) if let Some(error) = state.refusal_error.take() => {
                (place(&error), Vec::new(), None)
            }
            Err(_) => (state.furthest_expected().0, state.furthest_expected().1, state.innermost_open_bracket()),
        };
        Some(Mistake::new(text, place, expected, open))
    }

    /// Returns the mistake at the furthest offset reached by parsing. Its `text` is the source up to the end of line,
    /// in a long source, only the unindented statement up to there, and in a template, the content of the tag.
    pub(in crate::syntax) fn furthest_mistake(state: &State<'a>) -> Mistake<'a> {
        let ((place, expected), all) = (state.furthest_expected(), state.source);
        let is_statement =
            |at: &usize| all[*at..].starts_with(|first: char| first.is_alphanumeric() || "$@".contains(first));
        let start = if state.is_template {
            let tag = all[..place].rfind("<%").map_or("", |at| &all[at + 2..]).trim_start_matches(['=', '-']);
            place.min(all.len() - tag.len())
        } else if all.len() > MAX_WHOLE_SOURCE_BYTES {
            let mut starts = all[..place].rmatch_indices('\n').map(|(at, _)| at + 1);
            starts.find(is_statement).unwrap_or(0)
        } else {
            0
        };
        let end = all[place..].find(if state.is_template { "%>" } else { "\n" });
        let text = &all[start..end.map_or(all.len(), |length| place + length)];
        let open = state.innermost_open_bracket().and_then(|open| open.checked_sub(start));
        Mistake { text_offset: start, is_cut: end.is_some(), ..Mistake::new(text, place - start, expected, open) }
    }

    /// Returns the repairs of this mistake after which its text parses, the likeliest first.
    pub(in crate::syntax) fn repairs(&self) -> impl Iterator<Item = Repair> {
        self.candidate_changes().into_iter().filter_map(|(span, new)| self.try_change(&span, &new))
    }

    /// Returns the hint of the best repair, and the span of its change in the source if that is before the mistake.
    pub(super) fn best_advice(&self) -> Option<(String, Option<Span>)> {
        let mut repairs = self.repairs();
        let first = repairs.next()?;
        let best =
            if first.is_unfinished { repairs.find(|repair| !repair.is_unfinished).unwrap_or(first) } else { first };
        let span = Span::new(self.text_offset + best.span.start, self.text_offset + best.span.end);
        Some((best.advice, Some(span).filter(|_| best.span.end < self.offset && !best.span.is_empty())))
    }

    fn candidate_changes(&self) -> Vec<Change> {
        if self.tokens.is_empty() {
            return Vec::new();
        }
        let mut found = self.changes_to_similar_tokens();
        found.extend(self.parenthesis_insertions());
        found.extend(self.closing_bracket_changes());
        found.extend(self.missing_token_insertions());
        found.extend(self.extra_token_removals());
        found.extend(self.type_name_correction());
        found.extend(self.hash_brace_insertion());
        found.extend(self.bracket_pair_change());
        found
    }

    /// Returns the repair if the text parses after this change, also made at later mistakes if necessary; else `None`.
    fn try_change(&self, span: &Range<usize>, new: &str) -> Option<Repair> {
        let (old, rest) = (&self.text[span.clone()], self.text[span.end..].trim_start());
        let advice = match (old, new) {
            (_, "") => format!("leave out `{old}`"),
            ("", _) => format!("write `{new}` before `{}`", &rest[..token_length(rest)]),
            _ => format!("write `{new}` instead of `{old}`"),
        };
        let mut text = self.replace_span(span, new);
        for _ in 0..MAX_SAME_MISTAKES {
            let Some(mistake) = Mistake::find_first_mistake(&text) else {
                return Some(Repair { repaired_text: text, advice, span: span.clone(), is_unfinished: false });
            };
            if mistake.offset >= text.len() && (self.is_cut || !new.is_empty() && new != old) {
                return Some(Repair { repaired_text: text, advice, span: span.clone(), is_unfinished: true });
            }
            let is_same = |(span, other): &Change| {
                let are_both = |is_of_kind: fn(&str) -> bool| is_of_kind(other) && is_of_kind(new);
                other == new && &text[span.clone()] == old
                    || are_both(looks_like_type_name)
                    || are_both(|text| ["and", "or", "==", "!=", "=~", "!~"].contains(&text))
            };
            let (span, new) =
                mistake.candidate_changes().into_iter().find(is_same).filter(|_| mistake.offset > self.offset)?;
            text = mistake.replace_span(&span, &new);
        }
        None
    }

    /// Returns the text with `new` instead of `span`, and with spaces around `new` where it would join another token.
    fn replace_span(&self, span: &Range<usize>, new: &str) -> String {
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

    fn token(&self, number: isize) -> Option<&(Range<usize>, Kind)> {
        self.at.checked_add_signed(number).and_then(|at| self.tokens.get(at))
    }

    fn span_of_token(&self, number: isize) -> Range<usize> {
        let end = self.text.len();
        self.token(number).map_or(end..end, |(span, _)| span.clone())
    }

    fn kind_of_token(&self, number: isize) -> Option<Kind> {
        self.token(number).map(|(_, kind)| *kind)
    }

    fn text_of_token(&self, number: isize) -> &str {
        &self.text[self.span_of_token(number)]
    }

    fn expects(&self, what: Expected) -> bool {
        self.expected.contains(&what)
    }

    fn is_inside_word(&self) -> bool {
        let (Range { start, end }, is_letter) = (self.span_of_token(0), |letter: char| letter.is_ascii_alphanumeric());
        self.text[..start].ends_with(is_letter) && self.text[end..].starts_with(is_letter)
    }

    /// Returns the changes to similar tokens: at the mistake, and of `else if` or wrong arrows earlier in its line.
    #[expect(clippy::indexing_slicing, reason = "pairs have two tokens")]
    fn changes_to_similar_tokens(&self) -> Vec<Change> {
        let Mistake { text, offset: place, open, .. } = *self;
        let alike = |span: Range<usize>, is_meant: &dyn Fn(&str, Option<Expected>) -> bool| -> Vec<Change> {
            let rows = SIMILAR_TOKENS
                .iter()
                .filter(|(new, what, old)| old.contains(&&text[span.clone()]) && is_meant(new, *what));
            rows.map(|(new, ..)| (span.clone(), (*new).to_owned())).collect()
        };
        let is_symbol = |letter: char| "=!<>~&|:/-".contains(letter);
        let joined = text[..place].trim_end_matches(is_symbol).len();
        let joined = joined..text.len() - text[place..].trim_start_matches(is_symbol).len();
        let is_here = |new: &str, what: Option<Expected>| {
            what.is_none_or(|what| self.expects(what)) && self.is_plausible_token(new)
        };
        let mut found = alike(joined.clone(), &is_here);
        if joined != self.span_of_token(0) {
            found.extend(alike(self.span_of_token(0), &is_here));
        }
        let pairs = self.tokens[..self.tokens.len().min(self.at + 1)].windows(2).rev();
        for pair in pairs.take_while(|pair| pair[0].0.start >= self.line) {
            let is_entry = self.closing == Some("}") && self.expects(Expected::Arrow) && Some(pair[0].0.start) > open;
            for start in [pair[0].0.start, pair[1].0.start] {
                found.extend(alike(start..pair[1].0.end, &|new, _| new == "elsif" || new == "=>" && is_entry));
            }
        }
        found
    }

    fn is_plausible_token(&self, new: &str) -> bool {
        match new {
            "=>" => self.closing == Some("}") && self.text_of_token(-2) != "?",
            "::" => self.is_inside_word(),
            "default" => self.closing == Some("}"),
            "." => self.kind_of_token(1) == Some(Kind::Name) && self.closing.is_none(),
            "," => {
                !self.is_inside_word()
                    && !is_closing_bracket(self.text_of_token(1))
                    && self.kind_of_token(0) != self.kind_of_token(1)
                    && (!["=>", ":", "->"].contains(&self.text_of_token(0))
                        || self.expects(Expected::Bar)
                            && matches!(self.kind_of_token(1), Some(Kind::Variable | Kind::Reference)))
            }
            "~>" => {
                let statement = self.text[self.line..].trim_start();
                looks_like_type_name(statement) && [-1, 2].map(|at| self.text_of_token(at)) == ["]", "["]
            }
            "=" => self.closing.is_none() || self.kind_of_token(1) != Some(Kind::Reference),
            ">=" => self.closing.is_none() && matches!(self.kind_of_token(-1), Some(Kind::Number | Kind::Variable)),
            _ => true,
        }
    }

    /// Returns changes that insert a missing `)` before a brace: `if ($x == 1 { … }`.
    fn parenthesis_insertions(&self) -> impl Iterator<Item = Change> {
        let line = &self.text[self.line..self.offset];
        let is_open = line.matches('(').count() > line.matches(')').count();
        let before = self.tokens.iter().take(self.at).rev().take(8).map(|(span, _)| span);
        let braces = before.filter(move |span| is_open && &self.text[(*span).clone()] == "{");
        braces.map(|span| self.text[..span.start].trim_end().len()).map(|gap| (gap..gap, ")".to_owned()))
    }

    /// Returns changes of a wrong closing bracket to the right one: `Array[String>`.
    fn closing_bracket_changes(&self) -> impl Iterator<Item = Change> {
        let is_wrong = |old: &str| (old == ">" || is_closing_bracket(old)) && Some(old) != self.closing;
        let wrong = [0, -1].into_iter().filter(move |number| is_wrong(self.text_of_token(*number)));
        wrong.filter_map(|number| Some((self.span_of_token(number), self.closing?.to_owned())))
    }

    fn missing_token_insertions(&self) -> impl Iterator<Item = Change> {
        let (here, before) = (self.text_of_token(0), self.text_of_token(-1));
        let gap = self.span_of_token(-1).end;
        let is_apart = gap < self.span_of_token(0).start
            && !matches!(self.kind_of_token(0), None | Some(Kind::Symbol | Kind::Close));
        let is_foreign = [here, before].iter().any(|word| is_foreign_keyword(&word.to_lowercase()));
        let is_missing = move |missing: &&str| match *missing {
            "," | "=>" => is_apart && !is_foreign,
            "=" => is_apart && self.closing.is_none(),
            ":" if here == "}" => {
                [self.kind_of_token(-1), self.kind_of_token(-3)] == [Some(Kind::Variable), Some(Kind::Name)]
                    && self.text_of_token(-4) != "."
            }
            ":" => self.kind_of_token(0) == Some(Kind::Name) || here == "{",
            ")" | "]" | "}" => self.closing == Some(*missing),
            _ => *missing == "|",
        };
        let is_between = !here.is_empty() && !before.is_empty();
        let expected = self.expected.iter().filter(move |_| is_between).map(|missing| missing.text());
        expected.filter(is_missing).map(move |missing| (gap..gap, missing.to_owned()))
    }

    /// Returns changes that remove a duplicate separator, or a bracket that closes nothing.
    fn extra_token_removals(&self) -> impl Iterator<Item = Change> {
        let is_doubled = move |at: isize| {
            let (old, before, after) = (self.text_of_token(at), self.text_of_token(at - 1), self.text_of_token(at + 1));
            [",", ";"].contains(&old)
                && (before == old || ["(", "{", "|", "}"].contains(&before) || ["", "else"].contains(&after))
        };
        let closes_nothing = self.closing.is_none() && !self.text[self.line..].contains('<');
        let is_stray = move |at| at == 0 && closes_nothing && is_closing_bracket(self.text_of_token(at));
        let wrong = [0, -1].into_iter().filter(move |at| is_stray(*at) || is_doubled(*at));
        wrong.map(|at| (self.span_of_token(at), String::new()))
    }

    /// Returns the change of a name where a type is expected to the name of a type: `str` to `String`.
    fn type_name_correction(&self) -> Option<Change> {
        let is_parameter = self.expects(Expected::Parameter) && self.kind_of_token(1) == Some(Kind::Variable);
        if self.kind_of_token(0) != Some(Kind::Name) || !self.expects(Expected::TypeName) && !is_parameter {
            return None;
        }
        let here = self.text_of_token(0);
        let other = dictionary::find_word(here, &[dictionary::Kind::Type]).map(|word| word.puppet.to_owned());
        Some((self.span_of_token(0), other.unwrap_or_else(|| capitalize_segments(here))))
    }

    /// Returns the change that puts a line with a hash entry into braces: `'a' => 1` to `{'a' => 1}`.
    fn hash_brace_insertion(&self) -> Option<Change> {
        let text = self.text;
        let (key, kind) = self.token(-1)?;
        if self.text_of_token(0) != "=>" || key.start != self.line || *kind == Kind::Name || self.closing.is_some() {
            return None;
        }
        let line = text[self.line..].lines().next()?;
        let closing = if line.ends_with('}') { "" } else { "}" };
        Some((self.line..self.line + line.len(), ["{", line, closing].concat()))
    }

    /// Returns the change of a pair of brackets: `(1, 2)` to `[1, 2]`, `$x{'a'}` to `$x['a']`, `(…)` to `{…}`.
    #[expect(clippy::indexing_slicing, reason = "the bracket is one of the tokens")]
    fn bracket_pair_change(&self) -> Option<Change> {
        let Mistake { text, open: start, tokens, at, .. } = self;
        let written = |at: usize| tokens.get(at).map_or("", |(span, _)| &text[span.clone()]);
        let open = tokens.iter().position(|(span, _)| Some(span.start) == *start);
        let (open, brackets) = if ["(", "["].contains(&written(*at)) && self.expects(Expected::OpenBrace) {
            (*at, ["{", "}"])
        } else if written(*at) == "," && open.is_some_and(|open| written(open) == "(") {
            (open?, ["[", "]"])
        } else {
            let (before, kind) = tokens.get(open?.checked_sub(1)?)?;
            let is_access = matches!(kind, Kind::Variable | Kind::Reference) && Some(before.end) == *start;
            (open.filter(|open| is_access && written(*open) == "{")?, ["[", "]"])
        };
        let mut depth = 0;
        let (close, _) = tokens[open..].iter().find(|(_, kind)| {
            depth += i32::from(*kind == Kind::Open) - i32::from(*kind == Kind::Close);
            depth == 0
        })?;
        let inner = &text[tokens[open].0.end..close.start];
        // `Struct{[a => String]}`
        let entries =
            inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).map(|inner| format!("{{{inner}}}"));
        let replaced = [brackets[0], entries.as_deref().unwrap_or(inner), brackets[1]].concat();
        Some((tokens[open].0.start..close.end, replaced))
    }
}

fn is_closing_bracket(text: &str) -> bool {
    [")", "]", "}"].contains(&text)
}
