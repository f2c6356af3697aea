//! Checks the options of `case` and selectors: options that never match, and values without an option.
//!
//! Source: Puppet language specification, "Case expression"; "Selector expression".

use super::conditions::{NEVER_MATCHES, may_be, may_be_equal, may_match_pattern, suggest_enum_value};
use super::known::Inferred;
use super::results::LookupCall;
use super::variables::BranchEnd;
use super::{BodyChecker, is_default_literal};
use crate::check::program::constant_value;
use crate::eval::{core_facts, literal_value};
use crate::explain::meet::may_overlap;
use crate::syntax::tree::{CaseOption, Expression, Id, Literal, Node};
use crate::types::Type;
use crate::types::describe::{describe, describe_type};
use crate::value::Value;

const UNREACHABLE_BRANCH: &str = "UNREACHABLE_BRANCH";

impl BodyChecker<'_> {
    pub(super) fn visit_case_or_selector(&mut self, id: Id, subject: Id, options: &[CaseOption]) -> Inferred {
        let before = self.match_variable_count;
        let found = self.visit(subject);
        let (type_, deciders) = (found.known_type(), self.dependencies_of_expression(subject));
        let (mut seen, mut accepted, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for CaseOption { values, then } in options {
            // `'true', true` is written with care for facts that were once strings.
            let is_there = |text: &str| values.iter().any(|id| self.tree.text_of(*id) == text);
            let is_careful = ["true", "false"].into_iter().any(|word| is_there(word) && is_there(&format!("'{word}'")));
            let subject_or_any = if is_careful { &Inferred::unknown() } else { &found };
            values.iter().for_each(|value| self.check_quoted_pattern(*value, subject, true));
            let visit = |one: &Id| self.visit_option(*one, subject_or_any, &mut seen, &accepted);
            let types: Vec<_> = values.iter().map(visit).collect();
            values.iter().for_each(|value| self.check_pattern_can_match(subject, *value));
            let narrowed = match (&self.tree[subject].expression, &types[..]) {
                (Expression::Variable(name), [Some(type_)]) => vec![(name.clone(), type_.clone())],
                _ => Vec::new(),
            };
            accepted.extend(types.into_iter().flatten());
            ends.push(self.visit_branch(*then, narrowed, &deciders));
        }
        self.match_variable_count = before;
        let tree = self.tree;
        let is_default = |id: &Id| is_default_literal(tree, *id);
        let mut has_default = options.iter().any(|option| option.values.iter().any(is_default));
        if let Some([last]) = options.last().map(|option| &*option.values)
            && let Some(Value::String(text)) = constant_value(tree, *last)
        {
            // Beside patterns, it is meant as one.
            let is_wildcard = text == "*"
                && seen.iter().any(|one| matches!(one, Value::Regexp(_)))
                && matches!(tree[id].expression, Expression::Selector(..));
            let is_listed = || type_.alternatives().iter().any(|one| one.listed_strings().is_some());
            if is_wildcard || text == "default" && !has_default && options.len() > 1 && !is_listed() {
                let message = format!("'{text}' matches only this very string");
                self.add_warning(NEVER_MATCHES, tree[*last].span, message).help("write `default`");
                has_default = true;
            }
        }
        let count = options.iter().flat_map(|option| &option.values).filter(|id| !is_default(id)).count();
        let listed = if seen.len() == count { values_of_finite_type(&type_) } else { None };
        let missing = |value: &Value| !seen.iter().any(|option| option_matches(option, value));
        // For a type whose values are listed it may never be reached.
        let is_dead = !has_unlimited_values(&type_) && !listed.iter().flatten().any(missing);
        let with_default = options.iter().zip(&mut ends).filter(|(option, _)| option.values.iter().any(is_default));
        for (_, end) in with_default.filter(|_| is_dead) {
            end.may_be_dead = true;
            end.outcome.iter_mut().for_each(|(id, _)| *id = subject);
        }
        if matches!(self.tree[id].expression, Expression::Case(..)) && !has_default {
            // Options may list all values of a type.
            let found = if has_unlimited_values(&type_) { Inferred::Value(Value::Undef) } else { Inferred::unknown() };
            ends.push(BranchEnd { outcome: Some((id, found)), ..BranchEnd::default() });
        } else if !has_default && found.value().is_none() && !self.is_any_name_in_conditions(&deciders) {
            let in_data = |this: &Self| {
                let values = this.data_values_of_expression(subject).into_iter();
                values.filter_map(|(_, found)| found.value().cloned()).collect::<Vec<_>>()
            };
            let listed = self.fact_values_in_metadata(subject).or(listed).unwrap_or_else(|| in_data(self));
            let listed = if seen.len() == count { listed } else { Vec::new() };
            let takes_undef = || {
                seen.len() + accepted.len() < count || accepted.iter().any(|type_| type_.has_instance(&Value::Undef))
            };
            let may_be_undef = || !found.has_type_any() && self.is_undef_by_default(subject);
            let undef = Some(Value::Undef).filter(|_| may_be_undef() && !takes_undef());
            let value = listed.iter().chain(&undef).find(|value| missing(value)).map(describe);
            let may_match = |option: &Value, one: &Type| match option {
                Value::Regexp(_) => may_match_pattern(option, one),
                _ => may_be_equal(&Type::of(option), one),
            };
            let is_missing = |one: &Type| {
                *one != Type::of(&Value::Undef)
                    && !accepted.iter().any(|option| may_overlap(option, one))
                    && !seen.iter().any(|option| may_match(option, one))
            };
            let is_whole = accepted.len() + seen.len() == count;
            let type_ = || type_.alternatives().into_iter().filter(|_| is_whole).find(is_missing);
            if let Some(first) = value.or_else(|| Some(format!("a value of type {}", describe_type(&type_()?)))) {
                let message = format!("no option of the selector matches {first}");
                self.add_warning("UNMATCHED_SELECTOR", self.tree[subject].span, message)
                    .help("add it, or an option `default => …`");
            }
        }
        self.join_branches(&deciders, ends)
    }

    /// Whether `id` is a variable with an explicit default of undef: a parameter, or the result of a lookup.
    fn is_undef_by_default(&self, id: Id) -> bool {
        let tree = self.tree;
        let Expression::Variable(name) = &tree[id].expression else { return false };
        let Some((scope, (set, _))) = self.find_variable(name) else { return false };
        if scope.assigned.contains(name) {
            return LookupCall::from_expression(tree, *set).is_some_and(|call| call.default == Some(Value::Undef));
        }
        let is_undef = |id: &Id| constant_value(tree, *id) == Some(Value::Undef);
        let is_around = |node: &&Node| node.span.start < tree[id].span.start && tree[id].span.end < node.span.end;
        let mut parameters = tree.nodes.iter().filter(is_around).flat_map(|node| node.expression.parameters());
        parameters.any(|one| one.name == *name && one.default.as_ref().is_some_and(is_undef))
    }

    /// Returns the values of the fact `subject` on the systems in `metadata.json`, if it is `os.name` or `os.family`.
    fn fact_values_in_metadata(&mut self, subject: Id) -> Option<Vec<Value>> {
        let path = self.fact_path(subject).map(|(path, _)| path).filter(|path| !self.index.is_custom_fact(path))?;
        let metadata = self.index.metadata_for_file(self.tree.source.name())?;
        let systems = metadata.get("operatingsystem_support")?.as_array()?.iter();
        let systems = systems.filter_map(|one| one.get("operatingsystem")?.as_str());
        let value = |name| Some((if path == "os.name" { name } else { core_facts::family_of_os(name)? }).into());
        matches!(&*path, "os.family" | "os.name").then(|| systems.filter_map(value).collect())
    }

    /// Visits an option of a `case` or selector. Reports it if `subject` never matches, or if an earlier option, which is
    /// among the values in `seen` or the types in `accepted`, matches all that it does. Returns the type, if it is one.
    fn visit_option(&mut self, id: Id, subject: &Inferred, seen: &mut Vec<Value>, accepted: &[Type]) -> Option<Type> {
        if is_default_literal(self.tree, id) {
            return None;
        }
        let found = self.visit(id);
        self.report_unquoted_string(id);
        self.result.compared += 1;
        let span = self.tree[id].span;
        let subject_type = subject.known_type();
        let written = self.tree.source.slice(span);
        let unreachable = || {
            let type_ = describe_type(&subject_type);
            format!("this branch is never reached: a value of type {type_} never matches {written}")
        };
        let is_known = subject.value().is_some();
        if let Expression::Literal(literal @ Literal::Regexp(_)) = &self.tree[id].expression {
            let Ok(pattern) = literal_value(literal) else { return None };
            self.note_match(Some(&pattern));
            if !is_known && !may_match_pattern(&pattern, &subject_type) {
                self.add_warning(UNREACHABLE_BRANCH, span, unreachable());
            }
            seen.push(pattern);
            return None;
        }
        if let Some(type_) = found.as_type_value() {
            if !is_known && !may_overlap(&subject_type, type_) && !may_be(&subject_type, "Type") {
                self.add_warning(UNREACHABLE_BRANCH, span, unreachable());
            }
            return Some(type_.clone());
        }
        match found.value() {
            // Something computed may be a pattern.
            None => self.note_match(None),
            Some(Value::Array(_) | Value::Hash(_)) => {}
            Some(value) => {
                let earlier = seen.iter().find(|earlier| option_matches(earlier, value)).map(describe);
                let of_type = || accepted.iter().find(|type_| type_.has_instance(value)).map(describe_type);
                if let Some(first) = earlier.or_else(of_type) {
                    let message = format!("this branch is never reached: an earlier one matches {first}");
                    self.add_warning(UNREACHABLE_BRANCH, span, message);
                    return None;
                }
                seen.push(value.clone());
                // That nothing is set is often thought of where it cannot happen.
                let is_careful =
                    matches!(subject, Inferred::Branches(..)) && matches!(value, Value::Boolean(false) | Value::Undef);
                if !is_known && !is_careful && !may_be_equal(&subject_type, &found.known_type()) {
                    let near = suggest_enum_value(&subject_type, &found);
                    self.add_warning(UNREACHABLE_BRANCH, span, unreachable()).help_if(near);
                }
            }
        }
        None
    }
}

fn values_of_finite_type(type_: &Type) -> Option<Vec<Value>> {
    let listed = |branch: Type| {
        Some(match &branch {
            Type::Enum(words) if !words.values().is_empty() => {
                words.values().iter().cloned().map(Value::String).collect()
            }
            Type::Boolean(boolean) => boolean.value.map_or(vec![true.into(), false.into()], |value| vec![value.into()]),
            Type::Integer(range) if range.to() < range.from().saturating_add(8) => {
                (range.from()..=range.to()).map(Value::from).collect()
            }
            _ => return None,
        })
    };
    Some(type_.alternatives().into_iter().map(listed).collect::<Option<Vec<_>>>()?.concat())
}

fn has_unlimited_values(type_: &Type) -> bool {
    matches!(*type_.behind_aliases(), Type::Any(_) | Type::String(_) | Type::Integer(_))
}

/// Whether `option`, an option of a `case` or selector, matches `value`. Neither of them may be a type.
pub(super) fn option_matches(option: &Value, value: &Value) -> bool {
    match (option, value) {
        (Value::Regexp(pattern), Value::String(text)) => pattern.is_match(text).unwrap_or(true),
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (a, b) => a == b,
    }
}
