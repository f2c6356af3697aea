//! Fixes: what to change in a file, byte for byte, so that a finding disappears.
//!
//! A fix is proposed where a finding is made, from the mismatch and from the way the part is written. It is kept only if the
//! edited file is right when it is checked again: it has the value that was meant, the finding is gone, and there is no new
//! one ([`verify`]). What can be meant in two ways has no fix.

use std::{cmp::Reverse, sync::Arc};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Checked, Finding};
use crate::data::{self, Document};
use crate::error::LIMIT;
use crate::explain::mismatch::{Step, code};
use crate::text::{Source, Span};
use crate::value::{Hash, Value};

/// How often a file is checked to find out which fixes are right, and how many bytes that may be in all. Fixes about which
/// nothing is found out by then are dropped, and so are all of a larger file.
const MAX_CHECKS: usize = 32;
const MAX_BYTES: usize = 1 << 20;

/// A change of some bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// The bytes that are replaced; empty to insert.
    pub span: Span,
    /// The text that replaces them.
    pub replacement: String,
}

/// Edits after which a finding is gone, and nothing else has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do: `remove the quotes`
    pub text: String,
    /// The edits, in order and apart.
    pub edits: Vec<Edit>,
    /// The parts of the document that the edits set; for a program it is enough that the finding is gone.
    pub(super) meant: Vec<(Vec<Step>, Value)>,
}

/// A source with the fixes of its findings made.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The source before.
    pub source: Arc<Source>,
    /// The text afterwards.
    pub text: String,
    /// The text afterwards, as reports may show it: without secrets.
    pub shown: String,
    /// How many findings are gone.
    pub count: usize,
}

impl Checked {
    /// The source with all fixes; `None` if there are none.
    ///
    /// ```
    /// use pcore::{check::against, data::{Format, read}, text::Source};
    /// let document = read(Format::Yaml, &Source::new("web.yaml", "port: '80' # http\n"))?;
    /// let checked = against(&document, &"Struct[{port => Integer}]".parse()?);
    /// assert_eq!(checked.fixed().unwrap().text, "port: 80 # http\n");
    /// # Ok::<(), pcore::Error>(())
    /// ```
    pub fn fixed(&self) -> Option<Fixed> {
        let fixed: Vec<(&Finding, &Fix)> =
            self.findings.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?))).collect();
        let source = fixed.first()?.0.error.source_text()?.clone();
        let edits = Edits::of(fixed.iter().map(|(_, fix)| *fix))?;
        let (text, shown) = (edits.made_in(source.text()), edits.made_in(source.shown()));
        Some(Fixed { source, text, shown, count: fixed.len() })
    }
}

/// The edits of several fixes, in order and apart, each with its place in the edited text.
struct Edits<'f>(Vec<(&'f Edit, usize)>);

impl<'f> Edits<'f> {
    /// `None` if two of them change the same bytes. A fix that several findings have counts once.
    fn of(fixes: impl Iterator<Item = &'f Fix>) -> Option<Edits<'f>> {
        let mut edits: Vec<&Edit> = fixes.flat_map(|fix| &fix.edits).collect();
        edits.sort_unstable();
        edits.dedup();
        let (mut placed, mut before, mut after) = (Vec::with_capacity(edits.len()), 0, 0);
        let mut last = None;
        for edit in edits {
            let range = edit.span.range();
            if range.start < before || last == Some(edit.span) {
                return None;
            }
            after += range.start - before;
            placed.push((edit, after));
            (before, after, last) = (range.end, after + edit.replacement.len(), Some(edit.span));
        }
        Some(Edits(placed))
    }

    fn made_in(&self, text: &str) -> String {
        let (mut edited, mut rest) = (String::with_capacity(text.len() + 64), 0);
        for (Edit { span, replacement }, _) in &self.0 {
            edited.push_str(text.get(rest..span.start as usize).unwrap_or_default());
            edited.push_str(replacement);
            rest = span.end as usize;
        }
        edited + text.get(rest..).unwrap_or_default()
    }

    /// Where a place of the edited text is in the text before; within a replacement, where that begins.
    fn place_before(&self, place: usize) -> usize {
        let following = self.0.partition_point(|(_, start)| *start <= place);
        let Some((edit, start)) = following.checked_sub(1).and_then(|last| self.0.get(last)) else { return place };
        match place.checked_sub(start + edit.replacement.len()) {
            Some(behind) => edit.span.range().end + behind,
            None => edit.span.range().start,
        }
    }
}

/// Checks an edited source with these fixes; `None` if it is not what they mean.
type Recheck<'a> = dyn FnMut(&Arc<Source>, &[&Fix]) -> Option<Checked> + 'a;

/// Keeps the fixes that are right. What cannot be right together is tried in halves.
pub(super) fn verify(source: &Arc<Source>, checked: &mut Checked, recheck: &mut Recheck<'_>) {
    drop_rivals(checked);
    let findings = &checked.findings;
    let proposed = findings.iter().enumerate().filter(|(_, finding)| finding.fix.is_some());
    let proposed: Vec<usize> = proposed.map(|(at, _)| at).collect();
    if proposed.is_empty() {
        return;
    }
    let has_ended = findings.iter().any(|finding| finding.error.code() == LIMIT);
    let checks = if has_ended { 0 } else { (MAX_BYTES / source.text().len().max(1)).min(MAX_CHECKS) };
    let (mut right, mut pending) = (Vec::new(), vec![&proposed[..]]);
    for _ in 0..checks {
        let Some(some) = pending.pop() else { break };
        let all = [&right[..], some].concat();
        if are_right(source, findings, &all, recheck) {
            right = all;
        } else if some.len() > 1 {
            let (first, second) = some.split_at(some.len() / 2);
            pending.extend([second, first]);
        }
    }
    let right: FxHashSet<usize> = right.into_iter().collect();
    for (at, finding) in checked.findings.iter_mut().enumerate() {
        finding.fix.take_if(|_| !right.contains(&at));
    }
}

/// Drops the fixes that give several keys of a hash the same name: only one of them can be meant.
fn drop_rivals(checked: &mut Checked) {
    let name = |finding: &Finding| match &finding.fix.as_ref()?.meant[..] {
        [(path, name)] if matches!(path.last(), Some(Step::Key(_))) => Some((code(path.split_last()?.1), name.clone())),
        _ => None,
    };
    let mut counts: IndexMap<_, usize> = IndexMap::new();
    checked.findings.iter().filter_map(name).for_each(|name| *counts.entry(name).or_default() += 1);
    for finding in &mut checked.findings {
        if name(finding).is_some_and(|name| counts.get(&name).is_some_and(|count| *count > 1)) {
            finding.fix = None;
        }
    }
}

/// Checks a document of data, and keeps the fixes that are right.
pub(super) fn verified(document: &Document, mut check: impl FnMut(&Document) -> Checked) -> Checked {
    let mut checked = check(document);
    verify(&document.source, &mut checked, &mut |source, fixes| {
        let edited = data::read(document.format?, source).ok()?;
        let mut changes: Vec<_> = fixes.iter().flat_map(|fix| &fix.meant).collect();
        // Until the last, the names are those in the paths.
        changes.sort_by_key(|(path, _)| (matches!(path.last(), Some(Step::Key(_))), Reverse(path.len())));
        let mut changes = changes.into_iter();
        let meant = changes.try_fold(document.value.clone(), |value, (path, part)| changed(&value, path, part))?;
        (edited.value == meant).then(|| check(&edited))
    });
    checked
}

/// Whether the fixes of these findings leave nothing but other findings.
fn are_right(source: &Arc<Source>, findings: &[Finding], fixed: &[usize], recheck: &mut Recheck<'_>) -> bool {
    let place_of = |finding: &Finding| {
        let is_here = finding.error.source_text().is_some_and(|one| one.name() == source.name());
        Some(finding.error.span().filter(|_| is_here)?.range().start)
    };
    let fixes: Vec<&Fix> = fixed.iter().filter_map(|at| findings.get(*at)?.fix.as_ref()).collect();
    let Some(edits) = Edits::of(fixes.iter().copied()) else { return false };
    let edited = Source::new(source.name(), edits.made_in(source.text()));
    let Some(checked) = recheck(&edited, &fixes) else { return false };
    let fixed: FxHashSet<usize> = fixed.iter().copied().collect();
    let mut others: FxHashMap<(&str, usize), usize> = FxHashMap::default();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(place) = place_of(finding).filter(|_| !fixed.contains(&at)) {
            *others.entry((finding.error.code(), place)).or_default() += 1;
        }
    }
    checked.findings.iter().all(|finding| {
        let Some(place) = place_of(finding) else { return true };
        let known = others.get_mut(&(finding.error.code(), edits.place_before(place)));
        known.is_some_and(|left| left.checked_sub(1).map(|less| *left = less).is_some())
    })
}

/// A value with a part set, or with another name for the entry at the end of a path to a key. An entry that is not there is
/// added.
fn changed(value: &Value, path: &[Step], part: &Value) -> Option<Value> {
    let Some((step, rest)) = path.split_first() else { return Some(part.clone()) };
    match (step, value) {
        (Step::Element(at), Value::Array(elements)) => {
            let mut elements = elements.to_vec();
            let element = elements.get_mut(*at)?;
            *element = changed(element, rest, part)?;
            Some(Value::from(elements))
        }
        (Step::Entry(key), Value::Hash(entries)) => {
            let (mut entries, nothing) = (entries.clone(), Value::Hash(Hash::default()));
            let value = changed(entries.get(key).unwrap_or(&nothing), rest, part)?;
            entries.insert(key.clone(), value);
            Some(Value::Hash(entries))
        }
        (Step::Key(name), Value::Hash(entries)) => {
            let renamed = entries.iter().map(|(key, value)| (if key == name { part } else { key }, value));
            Some(Value::Hash(renamed.map(|(key, value)| (key.clone(), value.clone())).collect()))
        }
        _ => None,
    }
}
