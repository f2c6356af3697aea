//! Proposes fixes: finds out how a part that does not match is written, and which bytes say what was meant.
//!
//! A proposal is made only where one repair is possible. Whether it is right is found out by [`fix::verify`](super::fix).

use super::fix::{Edit, Fix};
use super::{Checked, Finding, WrongPart};
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{CONVERT_TO, LOOKUP_OPTIONS};
use crate::data::{Document, Entry, Format, Place};
use crate::explain::mismatch::{Mismatch, Reason, Repair, Step, part_at};
use crate::text::{Source, Span};
use crate::types::{Type, secret::may_be_sensitive};
use crate::value::Value;
use crate::wording::distance;

pub(super) fn fix(document: &Document, wrong: &WrongPart) -> Option<Fix> {
    let mismatch = &wrong.mismatch;
    match &mismatch.reason {
        _ if wrong.has_rival => None,
        // What the value of another key is meant for may be a secret.
        Reason::MisspelledKey(Value::String(_), _) if may_be_sensitive(&mismatch.expected) => None,
        Reason::MisspelledKey(Value::String(key), _) => {
            let given = mismatch.found.as_hash()?;
            let members = member_names(&wrong.within);
            let unset = members.iter().map(String::as_str).filter(|name| given.get_str(name).is_none());
            let meant = only_meaning(key, unset)?;
            let is_member = |key: &str| members.iter().any(|name| name == key);
            let unknown = given.keys().filter_map(Value::as_str).filter(|key| !is_member(key));
            only_meaning(meant, unknown).filter(|only| **only == **key)?;
            renamed(document, document.place.entry_at(&mismatch.path)?, &mismatch.path, meant)
        }
        _ if matches!(mismatch.path.last(), Some(Step::Key(_))) => {
            let meant = listed_word(&mismatch.expected, mismatch.found.as_str()?)?;
            renamed(document, document.place.entry_at(&mismatch.path)?, &mismatch.path, &meant)
        }
        _ => Written::of(document, mismatch)?.fix(mismatch),
    }
}

/// Whether another branch of a Variant accepts the value with brackets around it, or without those that it has.
pub(super) fn may_need_brackets(mismatch: &Mismatch) -> bool {
    let other = match &mismatch.found {
        Value::Array(elements) if let [only] = &elements[..] => only.clone(),
        found => Value::from(vec![found.clone()]),
    };
    mismatch.branches.iter().any(|branch| branch.expected.has_instance(&other))
}

/// The word that a string is meant to be, if it is like one that the type lists.
fn listed_word(type_: &Type, written: &str) -> Option<String> {
    let alternatives = type_.alternatives();
    let words = alternatives.iter().filter_map(Type::listed_texts).flatten();
    only_meaning(written, words.map(|word| &**word)).map(str::to_owned)
}

fn member_names(type_: &Type) -> Vec<String> {
    let names = |type_: &Type| match type_ {
        Type::Struct(struct_) => struct_.members().iter().map(|member| member.name().to_owned()).collect(),
        _ => Vec::new(),
    };
    type_.alternatives().iter().flat_map(names).collect()
}

/// The name that is written with one slip; `None` if there are several that are as near. Digits are no slips: `ipv4` is not
/// `ipv6`.
pub(super) fn only_meaning<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (lower, number) = (written.to_lowercase(), digits(written));
    let is_near = |name: &&str| name.len().abs_diff(written.len()) <= 4 && digits(name) == number;
    let near = names.into_iter().filter(is_near).map(|name| (distance(&lower, &name.to_lowercase()), name));
    let mut near: Vec<(usize, &str)> = near.filter(|(slips, _)| *slips <= 1).collect();
    near.sort_unstable();
    near.dedup();
    match near[..] {
        [(_, name)] => Some(name),
        [(first, name), (second, _), ..] if first < second => Some(name),
        _ => None,
    }
}

pub(super) fn renamed(document: &Document, entry: &Entry, path: &[Step], name: &str) -> Option<Fix> {
    let mut path = path.to_vec();
    *path.last_mut()? = Step::Key(entry.key.clone());
    let edit = respelled(&document.source, document.format, entry.key_span, entry.key.as_str()?, name)?;
    let text = format!("rename '{}' to '{name}'", entry.key.as_str()?);
    Some(Fix { text, edits: vec![edit], meant: vec![(path, name.into())] })
}

/// Another string in the place of one, in the same quotes.
pub(super) fn respelled(source: &Source, format: Option<Format>, span: Span, text: &str, meant: &str) -> Option<Edit> {
    let written = source.slice(span);
    if meant.contains(['\'', '"', '\\', '$', '%', '\n']) {
        return None;
    }
    if in_quotes(written).is_some() {
        let inside = Span { start: span.start + 1, end: span.end - 1 };
        return Some(Edit { span: inside, replacement: meant.to_owned() });
    }
    let is_bare = match format {
        Some(format) => format.plain(meant) == Some(meant.into()),
        None => is_word(meant),
    };
    let replacement = if is_bare { meant.to_owned() } else { format!("'{meant}'") };
    (written == text).then_some(Edit { span, replacement })
}

/// Whether Puppet code needs no quotes around a string.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn in_quotes(written: &str) -> Option<&str> {
    ['\'', '"'].iter().find_map(|&quote| written.strip_prefix(quote)?.strip_suffix(quote))
}

/// A part of a document that does not match, and how it is written.
struct Written<'d> {
    document: &'d Document,
    path: &'d [Step],
    place: &'d Place,
    text: &'d str,
}

impl<'d> Written<'d> {
    /// `None` if the value is not written there: a part of data may have been merged or converted before it was compared,
    /// a part of a program may be an expression.
    fn of(document: &'d Document, mismatch: &'d Mismatch) -> Option<Written<'d>> {
        let place = document.place.part(&mismatch.path)?;
        let written = Written { document, path: &mismatch.path, place, text: document.source.slice(place.span) };
        let is_found = part_at(&document.value, &mismatch.path).as_ref() == Some(&mismatch.found);
        (is_found && (document.format.is_some() || written.is_literal(&mismatch.found))).then_some(written)
    }

    fn is_literal(&self, value: &Value) -> bool {
        match value {
            Value::String(string) => in_quotes(self.text).unwrap_or(self.text) == &**string,
            Value::Array(_) => self.text.starts_with('['),
            Value::Hash(_) => self.text.starts_with('{'),
            Value::Boolean(_) => self.plain(self.text).as_ref() == Some(value),
            _ => {
                let digits = self.text.strip_prefix('-').unwrap_or(self.text);
                digits.starts_with(|first: char| first.is_ascii_digit())
                    && digits.chars().all(|digit| digit.is_ascii_alphanumeric() || digit == '.')
            }
        }
    }

    fn plain(&self, text: &str) -> Option<Value> {
        match (self.document.format, text) {
            (Some(format), _) => format.plain(text),
            (None, "true") => Some(true.into()),
            (None, "false") => Some(false.into()),
            (None, number) => number.parse().map(Value::Integer).or_else(|_| number.parse().map(Value::Float)).ok(),
        }
    }

    /// The only repair that is possible.
    fn fix(&self, mismatch: &Mismatch) -> Option<Fix> {
        let suggestions = mismatch.suggestions.iter().filter(|suggestion| !suggestion.is_code);
        let repairs = suggestions.filter_map(|suggestion| match &suggestion.repair {
            Repair::Value(meant) => Some(self.instead(&mismatch.found, meant, &mismatch.expected)),
            Repair::Key(_) | Repair::Type(_) => None,
        });
        let mut all = repairs.chain(self.requoted(&mismatch.found, &mismatch.expected).map(Some));
        all.next()?.filter(|_| all.next().is_none())
    }

    fn fix_of(&self, text: impl Into<String>, edits: Vec<Edit>, meant: Value) -> Fix {
        Fix { text: text.into(), edits, meant: vec![(self.path.to_vec(), meant)] }
    }

    /// What is suggested in the place of a value.
    fn instead(&self, value: &Value, meant: &Value, expected: &Type) -> Option<Fix> {
        match (value, meant) {
            (Value::String(wrong), Value::String(word)) => {
                listed_word(expected, wrong).filter(|listed| **listed == **word)?;
                let edit = respelled(&self.document.source, self.document.format, self.place.span, wrong, word)?;
                Some(self.fix_of(format!("write '{word}'"), vec![edit], meant.clone()))
            }
            (Value::Array(elements), _) if elements.first() == Some(meant) => {
                Some(self.fix_of("remove the brackets", self.unwrapped()?, meant.clone()))
            }
            (_, Value::Array(elements)) if elements.first() == Some(value) => {
                Some(self.fix_of("write [ ] around it", self.wrapped(value)?, meant.clone()))
            }
            _ => None,
        }
    }

    /// Quotes removed from a number or a word, or added.
    fn requoted(&self, value: &Value, expected: &Type) -> Option<Fix> {
        let Span { start, end } = self.place.span;
        match value {
            Value::String(string) => {
                let inside = in_quotes(self.text).filter(|inside| **inside == **string)?;
                let meant = self.plain(inside).filter(|meant| reads_as_written(inside, meant))?;
                let quotes = [Span { end: start + 1, ..self.place.span }, Span { start: end - 1, ..self.place.span }];
                let edits = quotes.map(|span| Edit { span, replacement: String::new() }).into();
                expected.has_instance(&meant).then(|| self.fix_of("remove the quotes", edits, meant))
            }
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
                let meant = Value::from(self.text);
                let quote = if self.document.format == Some(Format::Json) { "\"" } else { "'" };
                let is_short = !self.text.is_empty() && !self.text.contains(['\'', '"', '\n', '\\']);
                let is_right = is_short && expected.has_instance(&meant);
                is_right.then(|| self.fix_of("quote it", self.around(quote, quote), meant))
            }
            _ => None,
        }
    }

    fn around(&self, before: &str, after: &str) -> Vec<Edit> {
        let Span { start, end } = self.place.span;
        vec![inserted(start, before), inserted(end, after)]
    }

    /// `[x]` for `x`, `- ` before the first key of a mapping in lines.
    fn wrapped(&self, value: &Value) -> Option<Vec<Edit>> {
        if self.document.format != Some(Format::Yaml) || self.text.starts_with(['{', '"', '\'']) {
            return Some(self.around("[", "]"));
        }
        if let Some(first) = self.place.entries().first() {
            let start = first.key_span.start;
            let span = Span { start: start.checked_sub(2)?, end: start };
            let is_indented = self.document.source.slice(span) == "  ";
            return is_indented.then(|| vec![Edit { span, replacement: "- ".to_owned() }]);
        }
        match value {
            Value::String(_) if self.text.contains(['\n', '\'']) => None,
            Value::String(_) if self.text.contains(['[', ']', '{', '}', ',']) => Some(self.around("['", "']")),
            _ => Some(self.around("[", "]")),
        }
    }

    /// `x` for `[x]` or for a single `- x`.
    fn unwrapped(&self) -> Option<Vec<Edit>> {
        let [element] = self.place.elements() else { return None };
        let (source, whole) = (&self.document.source, self.place.span);
        let blank = |span: Span, sign: &str| {
            let is_only = source.slice(span).replace([' ', '\t', '\r', '\n', ','], "") == *sign;
            is_only.then(|| Edit { span, replacement: String::new() })
        };
        if self.text.starts_with('[') {
            let before = blank(Span { start: whole.start, end: element.span.start }, "[")?;
            let after = blank(Span { start: element.span.end, end: whole.end }, "]")?;
            return Some(vec![before, after]);
        }
        let entry = self.document.place.entry_at(self.path).filter(|_| element.is_leaf());
        let gap = entry.map(|entry| Span { start: entry.key_span.end, end: element.span.start });
        if let Some(gap) = gap.and_then(|gap| blank(gap, ":-")) {
            return Some(vec![Edit { replacement: ": ".to_owned(), ..gap }]);
        }
        let dash = source.text().get(..element.span.start as usize)?.trim_end_matches(' ').strip_suffix('-')?.len();
        Some(vec![Edit { span: Span::new(dash, dash + 1), replacement: " ".to_owned() }])
    }
}

fn inserted(at: u32, text: impl Into<String>) -> Edit {
    Edit { span: Span { start: at, end: at }, replacement: text.into() }
}

/// Whether a text without quotes is surely meant as that value: `0644` may be meant as 644 or as 420.
fn reads_as_written(text: &str, value: &Value) -> bool {
    match value {
        Value::Boolean(_) => true,
        Value::Integer(number) => number.to_string() == text,
        Value::Float(number) => text.parse() == Ok(*number),
        _ => false,
    }
}

/// The key that a text consists of a lookup of.
pub(super) fn looked_up(text: &str) -> Option<&str> {
    match interpolation::parts(text).as_deref() {
        Ok([Part::Lookup(key)]) => Some(key),
        _ => None,
    }
}

/// `%{alias('key')}` for `%{lookup('key')}`, which is always a String.
pub(super) fn alias(document: &Document, mismatch: &Mismatch) -> Option<Fix> {
    let written = Written::of(document, mismatch)?;
    let name = if written.text.contains("lookup(") { "lookup" } else { "hiera" };
    let start = written.place.span.start as usize + written.text.find(name)?;
    let edit = Edit { span: Span::new(start, start + name.len()), replacement: "alias".to_owned() };
    let meant = mismatch.found.as_str()?.replacen(name, "alias", 1);
    Some(written.fix_of(format!("use {meant}"), vec![edit], meant.into()))
}

/// Entries in `lookup_options` that make the values of these keys Sensitive.
pub(super) fn converted(document: &Document, keys: &[String]) -> Option<Fix> {
    let options = document.place.entry(&LOOKUP_OPTIONS.into());
    let place = options.map_or(&document.place, |options| &options.place);
    let is_new = options.is_none();
    let quote = if document.format? == Format::Json { "\"" } else { "" };
    let edit = if document.source.slice(place.span).starts_with('{') {
        in_braces(document, place, &options_text(keys, is_new, quote))?
    } else {
        in_lines(document, place, keys, is_new)?
    };
    let path = |key: &str| [LOOKUP_OPTIONS, key, CONVERT_TO].map(|key| Step::Entry(key.into())).to_vec();
    let meant = keys.iter().map(|key| (path(key), "Sensitive".into())).collect();
    Some(Fix { text: format!("add `{CONVERT_TO}: Sensitive` to {LOOKUP_OPTIONS}"), edits: vec![edit], meant })
}

/// `web::secret: {convert_to: Sensitive}`, as an entry of new options if there are none.
fn options_text(keys: &[String], is_new: bool, quote: &str) -> String {
    let options = format!("{{{quote}{CONVERT_TO}{quote}: {quote}Sensitive{quote}}}");
    let entries: Vec<String> = keys.iter().map(|key| format!("{quote}{key}{quote}: {options}")).collect();
    let entries = entries.join(", ");
    if is_new { format!("{quote}{LOOKUP_OPTIONS}{quote}: {{{entries}}}") } else { entries }
}

/// Adds an entry to a hash in braces, as far from the last one as that is from what is before it.
fn in_braces(document: &Document, place: &Place, entry: &str) -> Option<Edit> {
    let Some(last) = place.entries().last() else { return Some(inserted(place.span.start + 1, entry)) };
    let before = document.source.text().get(..last.key_span.start as usize)?;
    let gap = &before[before.trim_end().len()..];
    Some(inserted(last.place.span.end, format!(",{}{entry}", if gap.is_empty() { " " } else { gap })))
}

/// Adds entries to a mapping in lines, after its last line; or new options to the end of the document.
fn in_lines(document: &Document, place: &Place, keys: &[String], is_new: bool) -> Option<Edit> {
    let text = document.source.text();
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (at, column) = if is_new {
        (text.strip_suffix('\n').map_or(text, |text| text.trim_end_matches('\r')).len(), 2)
    } else {
        let first = place.entries().first()?.key_span.start as usize;
        let end = text.get(..end_of(document, place) as usize)?.trim_end().len();
        let line = text.get(end..)?.split('\n').next()?.trim_end_matches('\r');
        (end + line.len(), text.get(..first)?.rsplit('\n').next()?.len())
    };
    let head = if is_new { format!("{line_break}{LOOKUP_OPTIONS}:") } else { String::new() };
    let start = format!("{line_break}{}", " ".repeat(column));
    let entries = keys.iter().map(|key| format!("{start}{key}:{start}  {CONVERT_TO}: Sensitive"));
    Some(inserted(u32::try_from(at).ok()?, head + &entries.collect::<String>()))
}

fn end_of(document: &Document, place: &Place) -> u32 {
    let is_block = !document.source.slice(place.span).starts_with(['{', '[']);
    let last = place.entries().last().map(|entry| &entry.place).or(place.elements().last());
    last.filter(|_| is_block).map_or(place.span.end, |last| end_of(document, last))
}

/// Makes one fix of all that add to `lookup_options`: each is right only together with the others.
pub(super) fn join_conversions(document: &Document, checked: &mut Checked) {
    let key_of = |finding: &Finding| {
        let [(path, _)] = &finding.fix.as_ref()?.meant[..] else { return None };
        let [Step::Entry(options), Step::Entry(key), Step::Entry(_)] = &path[..] else { return None };
        key.as_str().filter(|_| options.as_str() == Some(LOOKUP_OPTIONS)).map(str::to_owned)
    };
    let keys: Vec<String> = checked.findings.iter().filter_map(key_of).collect();
    if keys.len() > 1 {
        let joint = converted(document, &keys);
        let conversions = checked.findings.iter_mut().filter(|finding| key_of(finding).is_some());
        conversions.for_each(|finding| finding.fix.clone_from(&joint));
    }
}
