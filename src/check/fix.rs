//! Fixes: edits of a file that remove a finding.
//!
//! A fix is proposed together with its finding. It is kept only if the edited file is correct when checked again: the
//! file has the intended value, the finding is gone, and there are no new findings ([`keep_verified_fixes`]). A finding
//! that could be fixed in two different ways has no fix.

use std::{cmp::Reverse, sync::Arc};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Checked, Finding};
use crate::data::{self, Document};
use crate::error::LIMIT;
use crate::explain::mismatch::{Step, path_as_code, with_part_replaced};
use crate::text::{Source, Span};
use crate::value::Value;

/// The maximum numbers of checks of a file, and of bytes checked in all, to verify its fixes. Fixes that are not
/// verified within these limits are dropped.
const MAX_RECHECKS: usize = 32;
const MAX_RECHECKED_BYTES: usize = 1 << 20;

/// A replacement of some bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// The bytes to replace; empty for an insertion.
    pub span: Span,
    /// The string that replaces the bytes.
    pub replacement: String,
}

/// Edits that remove a finding and change nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// A description of the edits for messages: `remove the quotes`.
    pub description: String,
    /// The edits, sorted and not overlapping.
    pub edits: Vec<Edit>,
    /// For each part of the document that the edits change, its path and its new value; empty for a program.
    pub(super) meant: Vec<(Vec<Step>, Value)>,
}

/// The text of a source file after all fixes are applied.
#[derive(Clone, Debug)]
pub struct FixedSource {
    /// The source before the fixes.
    pub source: Arc<Source>,
    /// The text after the fixes.
    pub fixed_text: String,
    /// The text after the fixes, with secrets masked, for reports.
    pub masked_text: String,
    /// The number of findings that the fixes remove.
    pub fixed_count: usize,
}

impl Checked {
    /// Applies all fixes to the source. Returns `None` if there are none, or if two fixes change the same bytes.
    ///
    /// ```
    /// use pcore::{check::against, data::{Format, read}, text::Source};
    /// let document = read(Format::Yaml, &Source::new("web.yaml", "port: '80' # http\n"))?;
    /// let checked = against(&document, &"Struct[{port => Integer}]".parse()?);
    /// assert_eq!(checked.fixed().unwrap().fixed_text, "port: 80 # http\n");
    /// # Ok::<(), pcore::Error>(())
    /// ```
    pub fn fixed(&self) -> Option<FixedSource> {
        let fixed: Vec<(&Finding, &Fix)> =
            self.findings.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?))).collect();
        let source = fixed.first()?.0.error.source_text()?.clone();
        let edits = EditList::from_fixes(fixed.iter().map(|(_, fix)| *fix))?;
        let (text, shown) = (edits.apply_to_text(source.text()), edits.apply_to_text(source.shown_text()));
        Some(FixedSource { source, fixed_text: text, masked_text: shown, fixed_count: fixed.len() })
    }
}

/// The edits of several fixes, sorted and not overlapping, each with its offset in the edited text.
struct EditList<'f>(Vec<(&'f Edit, usize)>);

impl<'f> EditList<'f> {
    /// Combines the edits of several fixes without duplicates. Returns `None` if two of them change the same bytes.
    fn from_fixes(fixes: impl Iterator<Item = &'f Fix>) -> Option<EditList<'f>> {
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
        Some(EditList(placed))
    }

    fn apply_to_text(&self, text: &str) -> String {
        let (mut edited, mut rest) = (String::with_capacity(text.len() + 64), 0);
        for (Edit { span, replacement }, _) in &self.0 {
            edited.push_str(text.get(rest..span.start as usize).unwrap_or_default());
            edited.push_str(replacement);
            rest = span.end as usize;
        }
        edited + text.get(rest..).unwrap_or_default()
    }

    /// Converts an offset in the edited text to the original text. Inside a replacement, returns the edit's start.
    fn original_offset(&self, place: usize) -> usize {
        let following = self.0.partition_point(|(_, start)| *start <= place);
        let Some((edit, start)) = following.checked_sub(1).and_then(|last| self.0.get(last)) else { return place };
        let (range, end) = (edit.span.range(), start + edit.replacement.len());
        place.checked_sub(end).map_or(range.start, |behind| range.end + behind)
    }
}

/// A function that checks a source edited by fixes. Returns `None` if its value is not the one that they intend.
type Recheck<'a> = dyn FnMut(&Arc<Source>, &[&Fix]) -> Option<Checked> + 'a;

/// Keeps only the fixes that are correct when applied together. If a set of fixes is wrong, tries each half of it.
pub(super) fn keep_verified_fixes(source: &Arc<Source>, checked: &mut Checked, recheck: &mut Recheck<'_>) {
    drop_conflicting_renames(checked);
    let findings = &checked.findings;
    let proposed = findings.iter().enumerate().filter(|(_, finding)| finding.fix.is_some());
    let proposed: Vec<usize> = proposed.map(|(at, _)| at).collect();
    if proposed.is_empty() {
        return;
    }
    let has_ended = findings.iter().any(|finding| finding.error.code() == LIMIT);
    let checks = if has_ended { 0 } else { (MAX_RECHECKED_BYTES / source.text().len().max(1)).min(MAX_RECHECKS) };
    let (mut right, mut pending) = (Vec::new(), vec![&proposed[..]]);
    for _ in 0..checks {
        let Some(some) = pending.pop() else { break };
        let all = [&right[..], some].concat();
        if are_fixes_correct(source, findings, &all, recheck) {
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

/// Removes fixes that rename several keys of a hash to the same name, because only one of them can be correct.
fn drop_conflicting_renames(checked: &mut Checked) {
    let name = |finding: &Finding| match &finding.fix.as_ref()?.meant[..] {
        [(path, name)] if let [before @ .., Step::Key(_)] = &path[..] => Some((path_as_code(before), name.clone())),
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

pub(super) fn check_and_verify_fixes(document: &Document, mut check: impl FnMut(&Document) -> Checked) -> Checked {
    let mut checked = check(document);
    keep_verified_fixes(&document.source, &mut checked, &mut |source, fixes| {
        let edited = data::read(document.format?, source).ok()?;
        let mut changes: Vec<_> = fixes.iter().flat_map(|fix| &fix.meant).collect();
        // Until the last, the names are those in the paths.
        changes.sort_by_key(|(path, _)| (matches!(path.last(), Some(Step::Key(_))), Reverse(path.len())));
        let mut changes = changes.into_iter();
        let meant =
            changes.try_fold(document.value.clone(), |value, (path, part)| with_part_replaced(&value, path, part))?;
        (edited.value == meant).then(|| check(&edited))
    });
    checked
}

/// Whether applying the fixes of the findings at the indices `fixed` removes them and causes no new finding.
fn are_fixes_correct(source: &Arc<Source>, findings: &[Finding], fixed: &[usize], recheck: &mut Recheck<'_>) -> bool {
    let place_of = |finding: &Finding| {
        let is_here = finding.error.source_text().is_some_and(|one| one.name() == source.name());
        Some(finding.error.span().filter(|_| is_here)?.range().start)
    };
    let fixes: Vec<&Fix> = fixed.iter().filter_map(|at| findings.get(*at)?.fix.as_ref()).collect();
    let Some(edits) = EditList::from_fixes(fixes.iter().copied()) else { return false };
    let edited = Source::new(source.name(), edits.apply_to_text(source.text()));
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
        let known = others.get_mut(&(finding.error.code(), edits.original_offset(place)));
        known.is_some_and(|left| left.checked_sub(1).map(|less| *left = less).is_some())
    })
}
