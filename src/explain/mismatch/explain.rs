//! Finds the mismatches of a value: compares type and value part by part as long as both have the same parts.
//!
//! For a Variant, the branch that was most likely meant is explained: the one that the tags of the value select (see
//! `tags.rs`), otherwise the closest one, which is of the same kind and has the fewest and most deeply nested faults.

use std::{cmp::Reverse, sync::Arc};

use rustc_hash::FxHashSet;

use super::tags::{Tag, kind_of_values};
use super::{Mismatch, Reason, Repair, Step, Suggestion, suggest::suggest_replacements};
use crate::explain::difference::{Change, differences};
use crate::explain::meet::is_empty_type;
use crate::format::program_text;
use crate::types::unfolding::{TypeWalk, TypeWalkState, WalkStop};
use crate::types::{Lattice, Member, ObjectType, PatternType, Size, StringType, StructType, Type, kinds::Kinds};
use crate::value::{Hash, Value};
use crate::wording::nearest;
use crate::{interrupt, stack};

/// The maximum number of parts of a value that are compared with a type; further parts are not explained in detail.
const MAX_COMPARISONS: usize = 20_000;

const MAX_CAUSES: usize = 1_000;
const MAX_BRANCHES: usize = 1_000;
const MAX_CORRECTED_KEYS: usize = 20;

/// The maximum number of mismatches in a value whose suggestions are tried together; with more, none are made.
const MAX_REPAIRS: usize = 8;

#[derive(Default)]
pub(super) struct MismatchSearch {
    lattice: Lattice,
    walk_state: TypeWalkState,
    path: Vec<Step>,
    /// The path from the whole type to the type being compared.
    type_path: Vec<Step>,
    comparison_count: usize,
    /// Whether the value being compared is inside of a Sensitive or should be one, so that it must not be shown.
    is_secret: bool,
}

/// An expected type in two forms: as it was written, which may be an alias, and with aliases resolved.
#[derive(Clone, Copy)]
pub(super) struct ExpectedType<'t> {
    named: &'t Type,
    type_: &'t Type,
}

impl<'t> From<&'t Type> for ExpectedType<'t> {
    fn from(type_: &'t Type) -> ExpectedType<'t> {
        ExpectedType { named: type_, type_ }
    }
}

impl<'t> ExpectedType<'t> {
    /// Replaces the resolved form by `type_`, and also the written form, unless that is an alias, which stays.
    fn with_resolved_form(self, type_: &'t Type) -> ExpectedType<'t> {
        ExpectedType { named: if matches!(self.named, Type::Alias(_)) { self.named } else { type_ }, type_ }
    }
}

fn should_be_sensitive(expected: ExpectedType<'_>) -> bool {
    // Anything may be a Sensitive, and mostly is not.
    !matches!(expected.named, Type::RichData(_))
        && interrupt::step_through(expected.type_.split_recursively(Type::wrapped_types))
            .any(|(_, branch)| matches!(branch, Type::Sensitive(_)))
}

impl TypeWalk for MismatchSearch {
    fn walk_state(&mut self) -> &mut TypeWalkState {
        &mut self.walk_state
    }
}

impl MismatchSearch {
    pub(super) fn find_mismatch(&mut self, expected: ExpectedType<'_>, value: &Value) -> Option<Mismatch> {
        interrupt::take_step();
        if self.lattice.has_instance(expected.type_, value) {
            return None;
        }
        let outer = self.is_secret;
        self.is_secret |= !matches!(value, Value::Sensitive(_)) && should_be_sensitive(expected);
        let found = self.explain_mismatch(expected, value);
        self.is_secret = outer;
        found
    }

    #[allow(clippy::too_many_lines, reason = "one arm per pair of type and value reads better in one place")]
    fn explain_mismatch(&mut self, expected: ExpectedType<'_>, value: &Value) -> Option<Mismatch> {
        self.comparison_count += 1;
        if self.comparison_count > MAX_COMPARISONS {
            return Some(self.new_leaf_mismatch(expected, value, Reason::Type));
        }
        if is_empty_type(expected.type_) {
            return Some(self.new_mismatch(expected, value, Reason::Empty));
        }
        let mut causes = Vec::new();
        match (expected.type_, value) {
            (Type::Alias(alias), _) => {
                let found = self.walk_behind_alias(alias, |search, meaning| {
                    search.find_mismatch(expected.with_resolved_form(meaning), value)
                });
                return found.unwrap_or_else(|stop| {
                    let reason = if stop == WalkStop::Unresolved { Reason::Unresolved } else { Reason::Type };
                    Some(self.new_leaf_mismatch(expected, value, reason))
                });
            }
            (Type::Optional(optional), _) if let Some(inner) = optional.type_() => {
                return self.find_mismatch(expected.with_resolved_form(inner), value);
            }
            (Type::NotUndef(not_undef), _) if let (Some(inner), false) = (not_undef.type_(), value.is_undef()) => {
                return self.find_mismatch(expected.with_resolved_form(inner), value);
            }
            (Type::Variant(_), _) => {
                let mut mismatch = self.explain_likely_branch(expected, value);
                self.keep_valid_suggestions(&mut mismatch, expected.type_, value);
                return Some(mismatch);
            }
            // Of Data and RichData only the branch that fits best, because readers know the branches.
            (type_, _) if let Some(meaning) = type_.variant_of_data() => {
                let mut mismatch = self.find_mismatch(ExpectedType { named: expected.named, type_: meaning }, value)?;
                mismatch.branches.clear();
                if mismatch.reason == Reason::Branch {
                    mismatch.reason = Reason::Type;
                }
                return Some(mismatch);
            }
            // What is meant as a value was given without its key.
            (Type::Hash(hash), Value::Hash(_))
                if matches!(*hash.value().behind_aliases(), Type::Struct(_))
                    && self.lattice.has_instance(hash.value(), value) => {}
            (Type::Struct(members), Value::Hash(entries)) => {
                causes = self.compare_members(expected, members, entries, value);
            }
            (Type::Hash(hash), Value::Hash(entries)) => {
                causes.extend(self.check_size(expected, hash.size(), entries.len(), value));
                for (key, value) in entries.iter() {
                    if causes.len() >= MAX_CAUSES {
                        break;
                    }
                    // A key is content, too.
                    let is_hidden = self.is_secret || should_be_sensitive(hash.key().into());
                    let within = ["key", "value"].map(new_inside_step);
                    let shown = [Step::Key(key.clone()), Step::Entry(key.clone())];
                    let [to_key, to_value] = if is_hidden { within.clone() } else { shown };
                    let [key_within, value_within] = within;
                    causes.extend(self.compare_part(to_key, key_within, hash.key(), key));
                    causes.extend(self.compare_part(to_value, value_within, hash.value(), value));
                }
            }
            (Type::Array(array), Value::Array(elements)) => {
                causes.extend(self.check_size(expected, array.size(), elements.len(), value));
                causes.extend(self.compare_elements(elements, |_| Some((new_inside_step("element"), array.element()))));
            }
            (Type::Tuple(tuple), Value::Array(elements)) => {
                causes.extend(self.check_size(expected, tuple.size(), elements.len(), value));
                let place = |at: usize| Step::Element(at.min(tuple.types().len().saturating_sub(1)));
                let is_allowed = |at: usize| i64::try_from(at).is_ok_and(|at| at < tuple.size().to());
                let type_at = |at| Some((place(at), tuple.type_at(at)?)).filter(|_| is_allowed(at));
                causes.extend(self.compare_elements(elements, type_at));
            }
            (Type::Collection(collection), Value::Array(_) | Value::Hash(_)) => {
                let count = value.as_array().map_or(0, |array| array.len()) + value.as_hash().map_or(0, Hash::len);
                causes.extend(self.check_size(expected, collection.size(), count, value));
            }
            (Type::Iterable(iterable), Value::Array(elements)) => {
                let type_at = |_| Some((new_inside_step("element"), iterable.element()?));
                causes.extend(self.compare_elements(elements, type_at));
            }
            (Type::Sensitive(sensitive), Value::Sensitive(content)) => {
                let outer = std::mem::replace(&mut self.is_secret, true);
                causes.extend(self.compare_part(Step::Content, Step::Content, sensitive.content(), content));
                self.is_secret = outer;
            }
            (Type::Callable(_), Value::Callable(callable)) => {
                self.compare_types(&callable.callable_type(), expected.type_, &mut causes);
            }
            (Type::Type(expected), Value::Type(type_)) if let Some(expected) = expected.type_() => {
                self.compare_types(type_, expected, &mut causes);
            }
            (Type::Object(object), Value::Object(instance)) => {
                for field in object.fields() {
                    if let Some(value) = ObjectType::attribute_value(instance, &field.name) {
                        let step = Step::Attribute(field.name.to_string());
                        causes.extend(self.compare_part(step.clone(), step, field.type_(), &value));
                    }
                }
            }
            _ => {}
        }
        causes.truncate(MAX_CAUSES);
        if causes.is_empty() {
            return Some(self.new_leaf_mismatch(expected, value, leaf_mismatch_reason(expected.type_, value)));
        }
        let parts = self.new_mismatch(expected, value, Reason::Parts);
        // A collection of the wrong size and with nothing else wrong is one mismatch.
        match &causes[..] {
            [only] if only.path == parts.path => causes.pop(),
            _ => Some(Mismatch { causes, ..parts }),
        }
    }

    /// Adds a mismatch to `causes` for each part in which `type_`, a value that is a type, is wider than `expected`.
    fn compare_types(&self, type_: &Type, expected: &Type, causes: &mut Vec<Mismatch>) {
        let differences = differences(type_, expected).into_iter().filter(|difference| difference.breaks);
        for difference in differences.filter(|difference| !difference.path.is_empty()) {
            let reason = match (&difference.change, difference.path.last()) {
                (Change::Added { .. } | Change::NowRequired, Some(Step::Entry(Value::String(name)))) => {
                    Reason::MissingKey(name.to_string())
                }
                (Change::Removed, Some(Step::Entry(key))) => Reason::UnknownKey(key.clone()),
                _ => Reason::Type,
            };
            let (before, after) =
                (difference.before.unwrap_or_else(Type::any), difference.after.unwrap_or_else(Type::any));
            let mut node = self.new_mismatch((&after).into(), &Value::Type(before), reason);
            node.path.extend(difference.path);
            causes.push(node);
        }
    }

    fn new_mismatch(&self, expected: ExpectedType<'_>, value: &Value, reason: Reason) -> Mismatch {
        Mismatch {
            path: self.path.clone(),
            within: self.type_path.clone(),
            expected: expected.named.clone(),
            found: if self.is_secret { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() },
            is_secret: self.is_secret,
            reason,
            causes: Vec::new(),
            branches: Vec::new(),
            is_ruled_out: false,
            suggestions: Vec::new(),
        }
    }

    fn new_mismatch_at_key(&self, key: Step, expected: ExpectedType<'_>, value: &Value, reason: Reason) -> Mismatch {
        let mut node = self.new_mismatch(expected, value, reason);
        node.path.push(key);
        node
    }

    fn new_leaf_mismatch(&self, expected: ExpectedType<'_>, value: &Value, reason: Reason) -> Mismatch {
        // How to make it a Sensitive says nothing of a secret.
        let may_suggest = !self.is_secret || matches!(expected.type_, Type::Sensitive(_));
        let suggestions =
            if may_suggest { suggest_replacements(expected.named, expected.type_, value) } else { Vec::new() };
        // The length of a secret, or how much of it matches, would tell something about it.
        let reason = match reason {
            Reason::Branch => Reason::Branch,
            _ if self.is_secret => Reason::Type,
            // What to write instead says more than how far it matches.
            Reason::Pattern(Some(_)) if !suggestions.is_empty() => Reason::Pattern(None),
            reason => reason,
        };
        Mismatch { suggestions, ..self.new_mismatch(expected, value, reason) }
    }

    fn compare_part(&mut self, step: Step, within: Step, type_: &Type, value: &Value) -> Option<Mismatch> {
        self.compare_inner(&[step], &[within], type_, value)
    }

    /// Compares the part `value` at `path` below the current value with its type, at `within` below the current type.
    fn compare_inner(&mut self, path: &[Step], within: &[Step], type_: &Type, value: &Value) -> Option<Mismatch> {
        let outer = (self.path.len(), self.type_path.len());
        self.path.extend_from_slice(path);
        self.type_path.extend_from_slice(within);
        let found = self.with_empty_path(|search| search.find_mismatch(type_.into(), value));
        self.path.truncate(outer.0);
        self.type_path.truncate(outer.1);
        found
    }

    fn compare_elements<'t>(
        &mut self,
        elements: &[Value],
        type_at: impl Fn(usize) -> Option<(Step, &'t Type)>,
    ) -> Vec<Mismatch> {
        let compare = |(at, element)| {
            let (within, type_) = type_at(at)?;
            self.compare_part(Step::Element(at), within, type_, element)
        };
        elements.iter().enumerate().filter_map(compare).take(MAX_CAUSES).collect()
    }

    fn check_size(&self, expected: ExpectedType<'_>, size: Size, count: usize, value: &Value) -> Option<Mismatch> {
        (!size.contains(count)).then(|| self.new_mismatch(expected, value, Reason::Size(size)))
    }

    fn compare_members(
        &mut self,
        expected: ExpectedType<'_>,
        struct_type: &StructType,
        entries: &Hash,
        value: &Value,
    ) -> Vec<Mismatch> {
        let is_unknown = |key: &Value| key.as_str().is_none_or(|name| struct_type.member(name).is_none());
        if self.is_secret && entries.keys().any(is_unknown) {
            return vec![self.new_leaf_mismatch(expected, value, Reason::Type)];
        }
        let unknown = entries.iter().filter(|(key, _)| is_unknown(key)).take(MAX_CAUSES);
        let mut missing: Vec<&Member> =
            struct_type.members().iter().filter(|member| entries.get(member.key()).is_none()).collect();
        let (mut causes, mut unknown_causes) = (Vec::new(), Vec::new());
        for (number, (key, given)) in unknown.enumerate() {
            let names = missing.iter().map(|member| member.name()).take(MAX_CAUSES);
            let near = key.as_str().filter(|_| number < MAX_CORRECTED_KEYS).and_then(|key| nearest(key, names));
            let meant = near.and_then(|near| missing.extract_if(.., |member| member.name() == near).next());
            let reason = match meant {
                Some(meant) => Reason::MisspelledKey(key.clone(), meant.name().to_owned()),
                None => Reason::UnknownKey(key.clone()),
            };
            // Under its right name, the value has to match as well.
            let fits = |meant: &&Member| self.lattice.has_instance(meant.type_(), given);
            let suggestion = meant.filter(fits).map(|meant| Suggestion {
                text: format!("did you mean '{}'?", meant.name()),
                repair: Repair::Key(meant.name().to_owned()),
                is_code: false,
            });
            let suggestions = suggestion.into_iter().collect();
            let node = self.new_mismatch_at_key(Step::Key(key.clone()), expected, value, reason);
            unknown_causes.push(Mismatch { suggestions, ..node });
        }
        let missing: FxHashSet<&str> = missing.into_iter().map(Member::name).collect();
        for member in interrupt::step_through(struct_type.members()) {
            match entries.get(member.key()) {
                Some(value) => {
                    let step = Step::Entry(member.key().clone());
                    causes.extend(self.compare_part(step.clone(), step, member.type_(), value));
                }
                None if !missing.contains(member.name()) || member.may_be_missing(&mut self.lattice) => {}
                None => {
                    let reason = Reason::MissingKey(member.name().to_owned());
                    let step = Step::Entry(member.key().clone());
                    causes.push(self.new_mismatch_at_key(step, member.type_().into(), value, reason));
                }
            }
        }
        causes.extend(unknown_causes);
        causes
    }

    /// Returns the mismatch with the branch of a Variant that was most likely meant, followed by those with the others.
    fn explain_likely_branch(&mut self, expected: ExpectedType<'_>, value: &Value) -> Mismatch {
        let (names, branches): (Vec<Type>, Vec<Type>) =
            expected.type_.split_recursively(Type::wrapped_types).take(MAX_BRANCHES).unzip();
        let tags = Tag::find_tags(&branches, value);
        let verdicts: Vec<Vec<i8>> = tags.iter().map(|tag| tag.rate_branches(&mut self.lattice)).collect();
        if !verdicts.iter().flatten().any(|verdict| *verdict > 0)
            && let Some((tag, choices)) = tags.iter().find_map(|tag| Some((tag, tag.type_of_listed_values()?)))
            && let Some(meant) = self.compare_inner(&tag.path, &tag.path, &choices, &tag.part)
        {
            return self.wrap_as_cause(expected, value, meant);
        }
        let mut explained: Vec<(BranchRank, Mismatch)> = Vec::new();
        for (number, (named, type_)) in names.iter().zip(&branches).enumerate() {
            self.type_path.push(Step::Inside(format!("branch {}", number + 1)));
            let mismatch = stack::with_room(|| self.find_mismatch(ExpectedType { named, type_ }, value));
            self.type_path.pop();
            let Some(mismatch) = mismatch else { continue };
            let is_quoted =
                mismatch.leaves().iter().all(|leaf| is_nearly_right_string(leaf) && leaf.reason == Reason::Type);
            let of_tag = |(tag, verdicts): (&Tag, &Vec<i8>)| {
                let verdict = verdicts.get(number).copied().unwrap_or_default();
                // A number in quotes may be of the kind that tells another branch apart.
                if tag.is_open && is_quoted { verdict.max(1) } else { verdict }
            };
            let tags = tags.iter().zip(&verdicts).map(of_tag).collect();
            explained.push((BranchRank::rank_branch(tags, type_, &mismatch, value), mismatch));
        }
        explained.sort_by(|(one, _), (other, _)| other.cmp(one)); // Stable: of equal branches the first written comes first.
        let is_about_whole = |mismatch: &Mismatch| mismatch.causes.is_empty() && mismatch.path.len() == self.path.len();
        if branches.len() > 1 && explained.iter().all(|(_, mismatch)| is_about_whole(mismatch)) {
            // The reason is that of the only branch for this kind of value, if there is one.
            let alike = explained.iter().filter(|(rank, _)| rank.is_same_kind).map(|(_, mismatch)| &mismatch.reason);
            let reason = match &alike.collect::<Vec<_>>()[..] {
                [only] if !matches!(only, Reason::Type | Reason::Empty | Reason::Unresolved) => (*only).clone(),
                _ => Reason::Branch,
            };
            let rejected = |(_, mismatch)| Mismatch { is_ruled_out: true, ..mismatch };
            let branches = explained.into_iter().map(rejected).collect();
            return Mismatch { branches, ..self.new_leaf_mismatch(expected, value, reason) };
        }
        let listing = tags.iter().filter(|tag| tag.max_listed.is_some()).count();
        let mut explained = explained.into_iter();
        let Some((rank, meant)) = explained.next() else {
            return self.new_leaf_mismatch(expected, value, Reason::Branch);
        };
        if branches.len() == 1 {
            return meant;
        }
        let other_branch = |(other, mismatch): (BranchRank, Mismatch)| {
            let is_ruled_out =
                !other.is_same_kind || other.tag_verdicts.get(..listing) < rank.tag_verdicts.get(..listing);
            Mismatch { is_ruled_out, ..mismatch }
        };
        Mismatch { branches: explained.map(other_branch).collect(), ..self.wrap_as_cause(expected, value, meant) }
    }

    fn wrap_as_cause(&self, expected: ExpectedType<'_>, value: &Value, meant: Mismatch) -> Mismatch {
        if meant.reason == Reason::Parts && self.path.len() == meant.path.len() {
            meant
        } else {
            Mismatch { causes: vec![meant], ..self.new_mismatch(expected, value, Reason::Parts) }
        }
    }

    /// Keeps only the suggestions that make `value` match `type_`. If several parts do not match, keeps the first
    /// suggestion for each of them, provided that `value` matches when all of these are applied.
    fn keep_valid_suggestions(&mut self, mismatch: &mut Mismatch, type_: &Type, value: &Value) {
        let depth = self.path.len();
        let leaves = mismatch.leaves();
        if leaves.iter().all(|leaf| leaf.suggestions.is_empty()) {
            return;
        }
        let mut holds = |value: Option<Value>| value.is_some_and(|value| self.lattice.has_instance(type_, &value));
        if let [only] = &leaves[..] {
            let mut is_true = |suggestion: &Suggestion| {
                matches!(suggestion.repair, Repair::Type(_))
                    || holds(only.apply_suggestion_below(depth, value, suggestion))
            };
            let kept = only.suggestions.iter().filter(|suggestion| is_true(suggestion)).cloned().collect();
            mismatch.change_each_leaf(&mut |leaf| leaf.suggestions.clone_from(&kept));
            return;
        }
        // Keys are renamed last: the other paths name the old ones.
        let repaired =
            leaves.iter().rev().take(MAX_REPAIRS + 1).try_fold((0, value.clone()), |(count, value), leaf| {
                let repaired = leaf.apply_suggestion_below(depth, &value, leaf.suggestions.first()?)?;
                (count < MAX_REPAIRS).then_some((count + 1, repaired))
            });
        let kept = usize::from(holds(repaired.map(|(_, repaired)| repaired)));
        mismatch.change_each_leaf(&mut |leaf| leaf.suggestions.truncate(kept));
    }
}

fn new_inside_step(part: &str) -> Step {
    Step::Inside(part.to_owned())
}

/// How likely a branch of a Variant was meant. The fields are compared in order, the strongest evidence first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::struct_excessive_bools, reason = "signs, compared one after the other")]
struct BranchRank {
    tag_verdicts: Vec<i8>,
    /// Whether a single change, or the suggestions, would make the value match.
    is_close: bool,
    is_nearly_right_string: bool,
    is_same_kind: bool,
    has_suggestions: bool,
    fewest_faults: Reverse<usize>,
    deepest_fault: usize,
}

impl BranchRank {
    fn rank_branch(tags: Vec<i8>, branch: &Type, mismatch: &Mismatch, value: &Value) -> BranchRank {
        let leaves = mismatch.leaves();
        let is_same_kind = kind_of_values(branch).is_some_and(|kind| Kinds::of_value(value).is_subset_of(kind))
            || mismatch.reason == Reason::Parts;
        let is_suggested = leaves.iter().all(|leaf| !leaf.suggestions.is_empty());
        BranchRank {
            tag_verdicts: tags,
            is_close: is_suggested || (is_same_kind && leaves.len() == 1),
            is_nearly_right_string: leaves.iter().all(|leaf| is_nearly_right_string(leaf)),
            is_same_kind,
            has_suggestions: is_suggested,
            fewest_faults: Reverse(leaves.len()),
            deepest_fault: leaves.iter().map(|leaf| leaf.path.len()).max().unwrap_or(0),
        }
    }
}

/// Whether the first suggestion corrects a String slightly: removes the quotes of a number, or changes the case.
fn is_nearly_right_string(mismatch: &Mismatch) -> bool {
    let is_plain = |repair: &Repair| matches!(repair, Repair::Value(value) if !matches!(value, Value::Array(_) | Value::Sensitive(_)));
    matches!(mismatch.found, Value::String(_))
        && mismatch.suggestions.first().is_some_and(|suggestion| is_plain(&suggestion.repair))
}

fn leaf_mismatch_reason(type_: &Type, value: &Value) -> Reason {
    match (type_, value) {
        (Type::Integer(_), Value::Integer(_))
        | (Type::Float(_), Value::Float(_))
        | (Type::Timespan(_), Value::Timespan(_))
        | (Type::Timestamp(_), Value::Timestamp(_))
        | (Type::SemVer(_), Value::SemVer(_)) => Reason::Range,
        (Type::Enum(_), Value::String(_)) => Reason::Enum,
        (Type::Pattern(pattern), Value::String(string)) => Reason::Pattern(describe_partial_match(pattern, string)),
        (Type::Init(_), _) => {
            let problem = type_.construct_unexplained(std::slice::from_ref(value)).err();
            Reason::Conversion(problem.map(|problem| problem.message().to_owned()))
        }
        (Type::TypeReference(_), _) => Reason::Unresolved,
        (Type::String(string), Value::String(_)) => match &**string {
            StringType::Text(_) => Reason::Enum,
            sized => Reason::Length(sized.size()),
        },
        _ => Reason::Type,
    }
}

fn describe_partial_match(pattern: &PatternType, string: &str) -> Option<String> {
    const MAX_PATTERN_REST_BYTES: usize = 20;
    let partial = pattern.patterns().iter().filter_map(|regexp| regexp.longest_matching_prefix(string));
    let (end, rest) = partial.max_by_key(|(end, _)| *end)?;
    let expected =
        (rest.len() <= MAX_PATTERN_REST_BYTES).then(|| format!("where /{}/ is expected", rest.replace('/', "\\/")));
    let (place, separator) = match string.get(end..)?.chars().next() {
        None => ("it ends".to_owned(), " "),
        Some(next) => {
            let (next, at) = (program_text(&Value::from(next.to_string())), string.get(..end)?.chars().count() + 1);
            (format!("stops matching at {next} (character {at})"), ", ")
        }
    };
    Some(expected.into_iter().fold(place, |place, expected| place + separator + &expected))
}
