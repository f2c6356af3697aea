//! Proposes fixes: edits of the source that correct a value which does not match its type.
//!
//! A fix is proposed only if there is exactly one way to correct the value. [`super::fix`] verifies it.

use super::fix::{Edit, Fix};
use super::{Checked, Finding, MismatchedPart};
use crate::data::hiera::{CONVERT_TO, LOOKUP_OPTIONS};
use crate::data::{Document, Entry, Format, LocationTree};
use crate::explain::mismatch::{Mismatch, Reason, Repair, Step, part_at_path};
use crate::syntax;
use crate::text::{Source, Span};
use crate::types::{Member, StructType, Type, secret::may_be_sensitive};
use crate::value::Value;
use crate::wording::edit_distance;

pub(super) fn propose_fix(document: &Document, wrong: &MismatchedPart) -> Option<Fix> {
    let mismatch = &wrong.mismatch;
    match &mismatch.reason {
        _ if wrong.has_competing_fix => None,
        // What the value of another key is meant for may be a secret.
        Reason::MisspelledKey(Value::String(_), _) if may_be_sensitive(&mismatch.expected) => None,
        Reason::MisspelledKey(Value::String(key), _) => {
            let given = mismatch.found.as_hash()?;
            let alternatives = wrong.collection_type.alternatives();
            let members = alternatives.iter().filter_map(StructType::of_type).flat_map(StructType::members);
            let members: Vec<&str> = members.map(Member::name).collect();
            let meant = only_similar_name(key, members.iter().copied().filter(|name| given.get_str(name).is_none()))?;
            let unknown = given.keys().filter_map(Value::as_str).filter(|key| !members.contains(key));
            only_similar_name(meant, unknown).filter(|only| **only == **key)?;
            fix_renaming_key(document, document.place.entry_at_path(&mismatch.path)?, &mismatch.path, meant)
        }
        _ if matches!(mismatch.path.last(), Some(Step::Key(_))) => {
            let meant = similar_enum_value(&mismatch.expected, mismatch.found.as_str()?)?;
            fix_renaming_key(document, document.place.entry_at_path(&mismatch.path)?, &mismatch.path, &meant)
        }
        _ => LocatedPart::locate_found_value(document, mismatch)?.only_possible_fix(mismatch),
    }
}

/// Whether a branch of a Variant would accept the value in brackets, or without its brackets.
pub(super) fn may_need_brackets(mismatch: &Mismatch) -> bool {
    let other = match &mismatch.found {
        Value::Array(elements) if let [only] = &elements[..] => only.clone(),
        found => Value::from(vec![found.clone()]),
    };
    mismatch.branches.iter().any(|branch| branch.expected.has_instance(&other))
}

/// Returns the Enum value of `type_` that `written` most likely misspells; `None` if that is not certain.
fn similar_enum_value(type_: &Type, written: &str) -> Option<String> {
    let alternatives = type_.alternatives();
    let words = alternatives.iter().filter_map(Type::listed_strings).flatten();
    only_similar_name(written, words.map(|word| &**word)).map(str::to_owned)
}

/// Returns the name closest to `written`, with at most one typo and ignoring case; `None` if two are equally close.
/// Digits must be equal: `ipv4` does not mean `ipv6`.
pub(super) fn only_similar_name<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (lower, number) = (written.to_lowercase(), digits(written));
    let is_near = |name: &&str| name.len().abs_diff(written.len()) <= 4 && digits(name) == number;
    let near = names.into_iter().filter(is_near).map(|name| (edit_distance(&lower, &name.to_lowercase()), name));
    let mut near: Vec<(usize, &str)> = near.filter(|(slips, _)| *slips <= 1).collect();
    near.sort_unstable();
    near.dedup();
    match near[..] {
        [(_, name)] => Some(name),
        [(first, name), (second, _), ..] if first < second => Some(name),
        _ => None,
    }
}

pub(super) fn fix_renaming_key(document: &Document, entry: &Entry, path: &[Step], name: &str) -> Option<Fix> {
    let mut path = path.to_vec();
    *path.last_mut()? = Step::Key(entry.key.clone());
    let edit = respell(&document.source, document.format, entry.key_span, entry.key.as_str()?, name)?;
    let text = format!("rename '{}' to '{name}'", entry.key.as_str()?);
    Some(Fix { description: text, edits: vec![edit], meant: vec![(path, name.into())] })
}

/// Returns the edit that replaces the string `text` at `span` by `meant` and keeps its quotes.
pub(super) fn respell(source: &Source, format: Option<Format>, span: Span, text: &str, meant: &str) -> Option<Edit> {
    let written = source.slice(span);
    if meant.contains(['\'', '"', '\\', '$', '%', '\n']) {
        return None;
    }
    if strip_quotes(written).is_some() {
        return Some(Edit { span: Span { start: span.start + 1, end: span.end - 1 }, replacement: meant.to_owned() });
    }
    let is_bare = match format {
        Some(format) => format.parse_unquoted(meant) == Some(meant.into()),
        None => syntax::is_bare_word(meant),
    };
    let replacement = if is_bare { meant.to_owned() } else { format!("'{meant}'") };
    (written == text).then_some(Edit { span, replacement })
}

fn strip_quotes(written: &str) -> Option<&str> {
    ['\'', '"'].iter().find_map(|&quote| written.strip_prefix(quote)?.strip_suffix(quote))
}

struct LocatedPart<'d> {
    document: &'d Document,
    path: &'d [Step],
    location: &'d LocationTree,
    written: &'d str,
}

impl<'d> LocatedPart<'d> {
    /// Locates the found value of a mismatch in the source. Returns `None` if the source does not contain it as a
    /// literal: data may be merged or converted first, and a program may compute the value.
    fn locate_found_value(document: &'d Document, mismatch: &'d Mismatch) -> Option<LocatedPart<'d>> {
        let place = document.place.location_at_path(&mismatch.path)?;
        let written =
            LocatedPart { document, path: &mismatch.path, location: place, written: document.source.slice(place.span) };
        let is_found = part_at_path(&document.value, &mismatch.path).as_ref() == Some(&mismatch.found);
        (is_found && (document.format.is_some() || written.is_literal_of(&mismatch.found))).then_some(written)
    }

    fn is_literal_of(&self, value: &Value) -> bool {
        match value {
            Value::String(string) => strip_quotes(self.written).unwrap_or(self.written) == &**string,
            Value::Array(_) => self.written.starts_with('['),
            Value::Hash(_) => self.written.starts_with('{'),
            Value::Boolean(_) => self.parse_unquoted(self.written).as_ref() == Some(value),
            _ => {
                let digits = self.written.strip_prefix('-').unwrap_or(self.written);
                digits.starts_with(|first: char| first.is_ascii_digit())
                    && digits.chars().all(|digit| digit.is_ascii_alphanumeric() || digit == '.')
            }
        }
    }

    fn parse_unquoted(&self, text: &str) -> Option<Value> {
        match (self.document.format, text) {
            (Some(format), _) => format.parse_unquoted(text),
            (None, "true") => Some(true.into()),
            (None, "false") => Some(false.into()),
            (None, number) => number.parse().map(Value::Integer).or_else(|_| number.parse().map(Value::Float)).ok(),
        }
    }

    fn only_possible_fix(&self, mismatch: &Mismatch) -> Option<Fix> {
        let suggestions = mismatch.suggestions.iter().filter(|suggestion| !suggestion.is_code);
        let repairs = suggestions.filter_map(|suggestion| match &suggestion.repair {
            Repair::Value(meant) => Some(self.fix_with_suggestion(&mismatch.found, meant, &mismatch.expected)),
            Repair::Key(_) | Repair::Type(_) => None,
        });
        let mut all = repairs.chain(self.fix_changing_quotes(&mismatch.found, &mismatch.expected).map(Some));
        all.next()?.filter(|_| all.next().is_none())
    }

    fn fix_with_edits(&self, text: impl Into<String>, edits: Vec<Edit>, meant: Value) -> Fix {
        Fix { description: text.into(), edits, meant: vec![(self.path.to_vec(), meant)] }
    }

    /// Returns the fix that replaces `value` by `meant`: by an Enum value, or by itself in brackets or without them.
    fn fix_with_suggestion(&self, value: &Value, meant: &Value, expected: &Type) -> Option<Fix> {
        match (value, meant) {
            (Value::String(wrong), Value::String(word)) => {
                similar_enum_value(expected, wrong).filter(|listed| **listed == **word)?;
                let edit = respell(&self.document.source, self.document.format, self.location.span, wrong, word)?;
                Some(self.fix_with_edits(format!("write '{word}'"), vec![edit], meant.clone()))
            }
            (Value::Array(elements), _) if elements.first() == Some(meant) => {
                Some(self.fix_with_edits("remove the brackets", self.edits_removing_brackets()?, meant.clone()))
            }
            (_, Value::Array(elements)) if elements.first() == Some(value) => {
                Some(self.fix_with_edits("write [ ] around it", self.edits_adding_brackets(value)?, meant.clone()))
            }
            _ => None,
        }
    }

    fn fix_changing_quotes(&self, value: &Value, expected: &Type) -> Option<Fix> {
        let Span { start, end } = self.location.span;
        match value {
            Value::String(string) => {
                let inside = strip_quotes(self.written).filter(|inside| **inside == **string)?;
                // Unlike `0644`, which may mean 644 or 420.
                let meant = self.parse_unquoted(inside).filter(|meant| match meant {
                    Value::Boolean(_) => true,
                    Value::Integer(number) => number.to_string() == inside,
                    Value::Float(number) => inside.parse() == Ok(*number),
                    _ => false,
                })?;
                let quotes =
                    [Span { end: start + 1, ..self.location.span }, Span { start: end - 1, ..self.location.span }];
                let edits = quotes.map(|span| Edit { span, replacement: String::new() }).into();
                expected.has_instance(&meant).then(|| self.fix_with_edits("remove the quotes", edits, meant))
            }
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
                let meant = Value::from(self.written);
                let quote = if self.document.format == Some(Format::Json) { "\"" } else { "'" };
                let is_short = !self.written.is_empty() && !self.written.contains(['\'', '"', '\n', '\\']);
                let is_right = is_short && expected.has_instance(&meant);
                is_right.then(|| self.fix_with_edits("quote it", self.edits_inserting_around(quote, quote), meant))
            }
            _ => None,
        }
    }

    fn edits_inserting_around(&self, before: &str, after: &str) -> Vec<Edit> {
        let Span { start, end } = self.location.span;
        vec![insertion_edit(start, before), insertion_edit(end, after)]
    }

    /// Returns edits that make the value an array: `[x]` for `x`, or `- ` before the first key of a block mapping.
    fn edits_adding_brackets(&self, value: &Value) -> Option<Vec<Edit>> {
        if self.document.format != Some(Format::Yaml) || self.written.starts_with(['{', '"', '\'']) {
            return Some(self.edits_inserting_around("[", "]"));
        }
        if let Some(first) = self.location.entries().first() {
            let start = first.key_span.start;
            let span = Span { start: start.checked_sub(2)?, end: start };
            let is_indented = self.document.source.slice(span) == "  ";
            return is_indented.then(|| vec![Edit { span, replacement: "- ".to_owned() }]);
        }
        Some(match value {
            Value::String(_) if self.written.contains(['\n', '\'']) => return None,
            Value::String(_) if self.written.contains(['[', ']', '{', '}', ',']) => {
                self.edits_inserting_around("['", "']")
            }
            _ => self.edits_inserting_around("[", "]"),
        })
    }

    /// Returns edits that replace an array by its only element: `x` for `[x]` or for `- x`.
    fn edits_removing_brackets(&self) -> Option<Vec<Edit>> {
        let [element] = self.location.elements() else { return None };
        let (source, whole) = (&self.document.source, self.location.span);
        let blank = |span: Span, sign: &str| {
            let is_only = source.slice(span).replace([' ', '\t', '\r', '\n', ','], "") == *sign;
            is_only.then(|| Edit { span, replacement: String::new() })
        };
        if self.written.starts_with('[') {
            let before = blank(Span { start: whole.start, end: element.span.start }, "[")?;
            let after = blank(Span { start: element.span.end, end: whole.end }, "]")?;
            return Some(vec![before, after]);
        }
        let entry = self.document.place.entry_at_path(self.path).filter(|_| element.is_leaf());
        let gap = entry.map(|entry| Span { start: entry.key_span.end, end: element.span.start });
        if let Some(gap) = gap.and_then(|gap| blank(gap, ":-")) {
            return Some(vec![Edit { replacement: ": ".to_owned(), ..gap }]);
        }
        let dash = source.text().get(..element.span.start as usize)?.trim_end_matches(' ').strip_suffix('-')?.len();
        Some(vec![Edit { span: Span::new(dash, dash + 1), replacement: " ".to_owned() }])
    }
}

fn insertion_edit(at: u32, text: impl Into<String>) -> Edit {
    Edit { span: Span { start: at, end: at }, replacement: text.into() }
}

/// Returns the fix that replaces `%{lookup('key')}`, which is always a String, by `%{alias('key')}`.
pub(super) fn fix_using_alias(document: &Document, mismatch: &Mismatch) -> Option<Fix> {
    let found = LocatedPart::locate_found_value(document, mismatch)?;
    let name = if found.written.contains("lookup(") { "lookup" } else { "hiera" };
    let start = found.location.span.start as usize + found.written.find(name)?;
    let edit = Edit { span: Span::new(start, start + name.len()), replacement: "alias".to_owned() };
    let meant = mismatch.found.as_str()?.replacen(name, "alias", 1);
    Some(found.fix_with_edits(format!("use {meant}"), vec![edit], meant.into()))
}

/// Returns the fix that adds `convert_to: Sensitive` for each of `keys` to `lookup_options`.
pub(super) fn fix_converting_to_sensitive(document: &Document, keys: &[String]) -> Option<Fix> {
    let options = document.place.last_entry(&LOOKUP_OPTIONS.into());
    let place = options.map_or(&document.place, |options| &options.value_location);
    let is_new = options.is_none();
    let is_in_braces = document.source.slice(place.span).starts_with('{');
    let conversion_edit = if is_in_braces { conversion_edit_in_braces } else { conversion_edit_in_block };
    let edit = conversion_edit(document, place, keys, is_new)?;
    let path = |key: &str| [LOOKUP_OPTIONS, key, CONVERT_TO].map(|key| Step::Entry(key.into())).to_vec();
    let meant = keys.iter().map(|key| (path(key), "Sensitive".into())).collect();
    Some(Fix { description: format!("add `{CONVERT_TO}: Sensitive` to {LOOKUP_OPTIONS}"), edits: vec![edit], meant })
}

/// Returns the edit that adds `web::secret: {convert_to: Sensitive}` for each of `keys` to a hash in braces, after the
/// same white space as the last entry has; with `is_new`, in new `lookup_options`.
fn conversion_edit_in_braces(document: &Document, place: &LocationTree, keys: &[String], is_new: bool) -> Option<Edit> {
    let quote = if document.format? == Format::Json { "\"" } else { "" };
    let options = format!("{{{quote}{CONVERT_TO}{quote}: {quote}Sensitive{quote}}}");
    let entries: Vec<String> = keys.iter().map(|key| format!("{quote}{key}{quote}: {options}")).collect();
    let entry = entries.join(", ");
    let entry = if is_new { format!("{quote}{LOOKUP_OPTIONS}{quote}: {{{entry}}}") } else { entry };
    let Some(last) = place.entries().last() else { return Some(insertion_edit(place.span.start + 1, entry)) };
    let before = document.source.text().get(..last.key_span.start as usize)?;
    let gap = &before[before.trim_end().len()..];
    Some(insertion_edit(last.value_location.span.end, format!(",{}{entry}", if gap.is_empty() { " " } else { gap })))
}

/// Returns the edit that adds conversions of `keys` to a block mapping; with `is_new`, in new `lookup_options`.
fn conversion_edit_in_block(document: &Document, place: &LocationTree, keys: &[String], is_new: bool) -> Option<Edit> {
    let text = document.source.text();
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (at, column) = if is_new {
        (text.strip_suffix('\n').map_or(text, |text| text.trim_end_matches('\r')).len(), 2)
    } else {
        let first = place.entries().first()?.key_span.start as usize;
        let end = text.get(..end_of_block(document, place) as usize)?.trim_end().len();
        let line = text.get(end..)?.split('\n').next()?.trim_end_matches('\r');
        (end + line.len(), text.get(..first)?.rsplit('\n').next()?.len())
    };
    let head = if is_new { format!("{line_break}{LOOKUP_OPTIONS}:") } else { String::new() };
    let start = format!("{line_break}{}", " ".repeat(column));
    let entries = keys.iter().map(|key| format!("{start}{key}:{start}  {CONVERT_TO}: Sensitive"));
    Some(insertion_edit(u32::try_from(at).ok()?, head + &entries.collect::<String>()))
}

fn end_of_block(document: &Document, place: &LocationTree) -> u32 {
    let is_block = !document.source.slice(place.span).starts_with(['{', '[']);
    let last = place.entries().last().map(|entry| &entry.value_location).or(place.elements().last());
    last.filter(|_| is_block).map_or(place.span.end, |last| end_of_block(document, last))
}

/// Combines all fixes that add to `lookup_options` into one, because each is correct only together with the others.
pub(super) fn join_conversion_fixes(document: &Document, checked: &mut Checked) {
    let key_of = |finding: &Finding| {
        let [(path, _)] = &finding.fix.as_ref()?.meant[..] else { return None };
        let [Step::Entry(options), Step::Entry(key), Step::Entry(_)] = &path[..] else { return None };
        key.as_str().filter(|_| options.as_str() == Some(LOOKUP_OPTIONS)).map(str::to_owned)
    };
    let keys: Vec<String> = checked.findings.iter().filter_map(key_of).collect();
    if keys.len() > 1 {
        let joint = fix_converting_to_sensitive(document, &keys);
        let conversions = checked.findings.iter_mut().filter(|finding| key_of(finding).is_some());
        conversions.for_each(|finding| finding.fix.clone_from(&joint));
    }
}
