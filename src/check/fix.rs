//! Fixes: what to change in a file, byte for byte, so that a finding disappears.
//!
//! A fix is proposed where a finding is made, from the mismatch and from the way the part is written. It is kept only if the
//! edited file is right when it is checked again: it has the value that was meant, the finding is gone, and there is no new
//! one ([`verify`]). What can be meant in two ways has no fix.

use std::sync::Arc;

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
    let proposed: Vec<usize> = (0..findings.len()).filter(|at| fix_of(findings, *at).is_some()).collect();
    if proposed.is_empty() {
        return;
    }
    let checks_left = (MAX_BYTES / source.text().len().max(1)).min(MAX_CHECKS);
    let mut trials = Trials { source, findings, recheck, checks_left, right: Vec::new() };
    if !findings.iter().any(|finding| finding.error.code() == LIMIT) {
        trials.keep(&proposed);
    }
    let right: FxHashSet<usize> = trials.right.into_iter().collect();
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
        let changes = fixes.iter().flat_map(|fix| &fix.meant).map(|(path, part)| (&path[..], part));
        let meant = changed(&document.value, &changes.collect::<Vec<_>>())?;
        (edited.value == meant).then(|| check(&edited))
    });
    checked
}

fn fix_of(findings: &[Finding], at: usize) -> Option<&Fix> {
    findings.get(at)?.fix.as_ref()
}

struct Trials<'a> {
    source: &'a Arc<Source>,
    findings: &'a [Finding],
    recheck: &'a mut Recheck<'a>,
    checks_left: usize,
    /// The findings whose fixes are right, all of them together.
    right: Vec<usize>,
}

impl Trials<'_> {
    /// Adds the findings whose fixes are right together with those before.
    fn keep(&mut self, proposed: &[usize]) {
        if self.checks_left == 0 {
            return;
        }
        let all = [&self.right, proposed].concat();
        if self.are_right(&all) {
            self.right = all;
        } else if proposed.len() > 1 {
            let (first, second) = proposed.split_at(proposed.len() / 2);
            self.keep(first);
            self.keep(second);
        }
    }

    /// Whether the fixes of these findings leave nothing but other findings.
    fn are_right(&mut self, fixed: &[usize]) -> bool {
        self.checks_left -= 1;
        let fixes: Vec<&Fix> = fixed.iter().filter_map(|at| fix_of(self.findings, *at)).collect();
        let Some(edits) = Edits::of(fixes.iter().copied()) else { return false };
        let edited = Source::new(self.source.name(), edits.made_in(self.source.text()));
        let Some(checked) = (self.recheck)(&edited, &fixes) else { return false };
        let fixed: FxHashSet<usize> = fixed.iter().copied().collect();
        let mut others: FxHashMap<(&str, usize), usize> = FxHashMap::default();
        for (at, finding) in self.findings.iter().enumerate() {
            if let Some(place) = self.place_of(finding).filter(|_| !fixed.contains(&at)) {
                *others.entry((finding.error.code(), place)).or_default() += 1;
            }
        }
        checked.findings.iter().all(|finding| {
            let Some(place) = self.place_of(finding) else { return true };
            let known = others.get_mut(&(finding.error.code(), edits.place_before(place)));
            known.is_some_and(|left| left.checked_sub(1).map(|less| *left = less).is_some())
        })
    }

    fn place_of(&self, finding: &Finding) -> Option<usize> {
        let is_here = finding.error.source_text().is_some_and(|source| source.name() == self.source.name());
        Some(finding.error.span().filter(|_| is_here)?.range().start)
    }
}

/// A part of a document that a fix sets: the rest of the path to it, and its value or, at the end of a path to a key, its name.
type Change<'f> = (&'f [Step], &'f Value);

/// A value with these changes; entries that are not there are added.
fn changed(value: &Value, changes: &[Change<'_>]) -> Option<Value> {
    if let Some((_, whole)) = changes.iter().find(|(path, _)| path.is_empty()) {
        return Some((*whole).clone());
    }
    let mut elements: FxHashMap<usize, Vec<Change<'_>>> = FxHashMap::default();
    let mut entries: IndexMap<&Value, Vec<Change<'_>>> = IndexMap::new();
    let mut names: IndexMap<&Value, &Value> = IndexMap::new();
    for (path, part) in changes {
        match path.split_first()? {
            (Step::Element(at), rest) => elements.entry(*at).or_default().push((rest, part)),
            (Step::Entry(key), rest) => entries.entry(key).or_default().push((rest, part)),
            (Step::Key(key), _) => drop(names.insert(key, part)),
            (Step::Attribute(_) | Step::Content | Step::Inside(_), _) => return None,
        }
    }
    match value {
        Value::Array(array) => {
            let element = |(at, element)| match elements.get(&at) {
                Some(changes) => changed(element, changes),
                None => Some(element.clone()),
            };
            Some(Value::from(array.iter().enumerate().map(element).collect::<Option<Vec<Value>>>()?))
        }
        Value::Hash(hash) => {
            let mut all = Vec::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                let changes = entries.swap_remove(key);
                let value = changes.map_or_else(|| Some(value.clone()), |changes| changed(value, &changes))?;
                all.push(((*names.get(key).unwrap_or(&key)).clone(), value));
            }
            for (key, changes) in entries {
                all.push((key.clone(), changed(&Value::Hash(Hash::default()), &changes)?));
            }
            Some(Value::Hash(all.into()))
        }
        _ => None,
    }
}
