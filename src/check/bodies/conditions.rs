//! Operators and conditions: operands that can never match, branches that no value reaches.
//!
//! Source: Puppet language specification, "Expressions": the operators; "Case expression"; "Selector expression".

use super::known::{Inferred, one_of};
use super::{Bodies, results::not_undef, variables::End};
use crate::check::program::constant;
use crate::eval::{core_facts, literal_value};
use crate::explain::meet::overlap;
use crate::syntax::operators;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, UnaryOperator};
use crate::text::Span;
use crate::types::describe::{describe, for_message};
use crate::types::{Kind, Type};
use crate::value::{EcoString, Value};
use crate::wording::{meant, nearest};

pub(super) const NEVER_MATCHES: &str = "NEVER_MATCHES";

const UNREACHABLE: &str = "UNREACHABLE_BRANCH";

const OPERAND: &str = "OPERATOR_NOT_APPLICABLE";

/// A variable, and the type that a condition implies.
pub(super) type Narrowed = (EcoString, Type);

fn named(name: &'static str) -> Type {
    Type::built_in(name)
}

fn finite(type_: &Type) -> Option<&[EcoString]> {
    type_.listed_texts().filter(|texts| !texts.is_empty())
}

/// Whether two values of these types may be equal as `==` compares: strings without regard to case, numbers by value.
fn may_be_equal(a: &Type, b: &Type) -> bool {
    let may_be_equal = |a: &Type, b: &Type| match (finite(a), finite(b)) {
        (Some(one), Some(other)) => one.iter().any(|text| other.iter().any(|other| text.eq_ignore_ascii_case(other))),
        (Some(_), None) | (None, Some(_)) => overlap(&a.generalized(), &b.generalized()),
        (None, None) => {
            // Strings of one type may be those of the other in another case.
            let may_both_be = |name| overlap(a, &named(name)) && overlap(b, &named(name));
            let is_number = |type_: &Type| matches!(type_.kind(), Kind::Integer | Kind::Float | Kind::Numeric);
            if is_number(a) && is_number(b) {
                return a.kind() != Kind::Integer || b.kind() != Kind::Integer || overlap(a, b);
            }
            overlap(a, b) || may_both_be("Numeric") || may_both_be("String")
        }
    };
    let may_be_undef = |type_| overlap(type_, &named("Undef"));
    let [all, others] = [a, b].map(Type::alternatives);
    may_be_undef(a) && may_be_undef(b)
        || all.iter().any(|a| others.iter().any(|b| may_be_equal(&a.behind_aliases(), &b.behind_aliases())))
}

/// Whether a regular expression may match a value of the type.
fn may_match(pattern: &Value, type_: &Type) -> bool {
    let may_match = |one: &Type| match finite(&one.behind_aliases()) {
        Some(texts) => texts.iter().any(|text| is_equal(pattern, &text.clone().into())),
        None => overlap(one, &named("String")),
    };
    type_.alternatives().iter().any(may_match)
}

impl Bodies<'_> {
    pub(super) fn unary(&mut self, operator: UnaryOperator, inner: Id) -> Inferred {
        let found = self.visit(inner);
        match operator {
            UnaryOperator::Not => Inferred::named("Boolean"),
            UnaryOperator::Unfold => Inferred::any(),
            UnaryOperator::Minus => match found.value() {
                Some(Value::Integer(number)) if number.checked_neg().is_some() => Inferred::Value((-number).into()),
                Some(Value::Float(number)) => Inferred::Value((-number).into()),
                _ => Inferred::named("Numeric"),
            },
        }
    }

    pub(super) fn binary(&mut self, id: Id, operator: BinaryOperator, left: Id, right: Id) -> Inferred {
        let (tree, found_left) = (self.tree, self.visit(left));
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            let narrowed = if operator == BinaryOperator::And { self.narrowings(left) } else { Vec::new() };
            let deciders = self.names_in(left);
            let (_, end) = self.branch_end(right, narrowed, &deciders);
            self.join(&deciders, vec![end, End::default()]);
            self.excluding(id, operator, left, right);
            return Inferred::named("Boolean");
        }
        let found_right = self.visit(right);
        let symbol = operators::text_of(operator);
        let span = self.tree.place_of(id, symbol);
        match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                self.unquoted(left);
                self.unquoted(right);
                let is_literal = |id: Id| matches!(tree[id].expression, Expression::Literal(Literal::Regexp(_)));
                let is_pattern = |found: &Inferred| matches!(*found.type_(), Type::Regexp(_));
                if (is_literal(left) || is_literal(right)) && is_pattern(&found_left) != is_pattern(&found_right) {
                    let help = "to match a regular expression write =~ or !~".to_owned();
                    self.warning(NEVER_MATCHES, span, "a string is never equal to a regular expression", Some(help));
                } else {
                    self.equality(span, symbol, &found_left, &found_right);
                }
                self.quoted_pattern(right, left, false);
            }
            BinaryOperator::Match | BinaryOperator::NoMatch => {
                self.matching(left, right, symbol, &found_left, &found_right);
            }
            BinaryOperator::In => self.membership(span, &found_left, &found_right),
            _ if matches!(symbol, "<" | "<=" | ">" | ">=") => self.ordering(span, symbol, &found_left, &found_right),
            _ if matches!(symbol, "+" | "-" | "*" | "/" | "%" | "<<" | ">>") => {
                let may_be = |name| overlap(&found_left.type_(), &named(name));
                let adds_parts = matches!(symbol, "+" | "-") && ["Collection", "URI"].into_iter().any(may_be);
                // One finding is enough for an operator.
                let _ = self.operand(left, symbol, &found_left, true)
                    && self.operand(right, symbol, &found_right, !adds_parts);
                let sum = if symbol == "+" { found_left.sum(&found_right) } else { None };
                return sum.unwrap_or_else(|| arithmetic(operator, &found_left, &found_right));
            }
            _ => return Inferred::any(),
        }
        Inferred::named("Boolean")
    }

    /// `$x != 6 or $x != 7`, `$x == 6 and $x == 7`
    fn excluding(&mut self, id: Id, operator: BinaryOperator, left: Id, right: Id) {
        let tree = self.tree;
        let (comparison, outcome, instead) = match operator {
            BinaryOperator::Or => (BinaryOperator::NotEqual, "true", "and"),
            _ => (BinaryOperator::Equal, "false", "or"),
        };
        let compared = |mut id: Id| {
            loop {
                match &tree[id].expression {
                    Expression::Parenthesized(inner) => id = *inner,
                    Expression::Binary(inner, _, last) if *inner == operator => id = *last,
                    Expression::Binary(inner, variable, value) if *inner == comparison => {
                        let variable = tree.source.slice(tree[*variable].span);
                        return variable.starts_with('$').then_some(variable).zip(constant(tree, *value));
                    }
                    _ => return None,
                }
            }
        };
        if let Some(((one, first), (other, second))) = compared(left).zip(compared(right))
            && one == other
            && !is_equal(&first, &second)
        {
            let symbol = operators::text_of(operator);
            let message = format!("`{symbol}` is always {outcome}: {one} is not equal to both");
            let help = Some(format!("write `{instead}`"));
            self.warning(NEVER_MATCHES, tree.place_of(id, symbol), message, help);
        }
    }

    /// Reports a string that is compared though it looks like a regular expression: an option `'^a$'`, or one with such signs
    /// beside a fact, whose values have none.
    fn quoted_pattern(&mut self, id: Id, subject: Id, is_option: bool) {
        let Some(Value::String(text)) = constant(self.tree, id) else { return };
        let plain = text.trim_matches('/');
        let is_whole = is_option && plain.len() > 2 && plain.starts_with('^') && plain.ends_with('$');
        let has_sign = plain.starts_with('^') || plain.ends_with('$') || plain.contains('|') || plain.contains(".*");
        let is_fact = || self.path_of_fact(subject).is_some_and(|(path, _)| !path.is_empty());
        if is_whole || has_sign && is_fact() {
            let help = format!("write /{plain}/ without quotes, behind =~ or as an option");
            let message = "a string is compared as it is, not as a regular expression";
            self.warning(NEVER_MATCHES, self.tree[id].span, message, Some(help));
        } else if let Some(family) = core_facts::family_of(&text).filter(|family| !family.eq_ignore_ascii_case(&text))
            && self.path_of_fact(subject).is_some_and(|(path, _)| path == "os.family")
        {
            let message = format!("os.family is '{family}' on {text}");
            let help = format!("write '{family}', or compare with os.name");
            self.warning(NEVER_MATCHES, self.tree[id].span, message, Some(help));
        }
    }

    fn equality(&mut self, span: Span, symbol: &str, left: &Inferred, right: &Inferred) {
        self.checked.compared += 1;
        // Anything may be equal to Any. Tests for undef are often only careful.
        if [left, right].into_iter().any(|found| found.is_any() || matches!(found.value(), Some(Value::Undef))) {
            return;
        }
        let (left_type, right_type) = (left.type_(), right.type_());
        let is_type = |found: &Inferred| found.as_type().is_some();
        let (outcome, matches) = if symbol == "==" { ("false", "=~") } else { ("true", "!~") };
        if let (true, Some(type_)) = (is_type(right) && !is_type(left), right.as_type()) {
            if !overlap(&left_type, &named("Type")) {
                let help = format!("to test the type write {matches} {type_}");
                let message = format!("a value of type {} is never equal to a type", for_message(&left_type));
                self.warning(NEVER_MATCHES, span, message, Some(help));
            }
        } else if !is_type(left) && !is_type(right) && !may_be_equal(&left_type, &right_type) {
            let types = format!("{} and {}", for_message(&left_type), for_message(&right_type));
            let message = format!("`{symbol}` is always {outcome}: {types} have no value in common");
            let near = suggestion(&left_type, right).or_else(|| suggestion(&right_type, left));
            self.warning(NEVER_MATCHES, span, message, near);
        }
    }

    fn matching(&mut self, left: Id, right: Id, symbol: &str, found_left: &Inferred, found_right: &Inferred) {
        self.checked.compared += 1;
        let left_type = found_left.type_();
        if let Some(type_) = found_right.as_type().cloned() {
            if !found_left.is_any() && found_left.as_type().is_none() && !overlap(&left_type, &type_) {
                let outcome = if symbol == "=~" { "false" } else { "true" };
                let (left, right_type) = (for_message(&left_type), for_message(&type_));
                let message = format!("`{symbol}` is always {outcome}: a value of type {left} is never {right_type}");
                self.warning(NEVER_MATCHES, self.tree[right].span, message, None);
            }
            return;
        }
        self.is_matched = true;
        let right_type = found_right.type_();
        let patterns = ["Regexp", "String", "SemVerRange", "Type"].map(named);
        if !found_right.is_any() && !patterns.iter().any(|type_| overlap(&right_type, type_)) {
            let got = for_message(&right_type);
            let message = format!("the right side of `{symbol}` is a regular expression or a type, got {got}");
            self.error(OPERAND, self.tree[right].span, message, None);
        } else if matches!(*right_type, Type::Regexp(_)) && !overlap(&left_type, &named("String")) {
            let span = self.tree[left].span;
            let got = for_message(&left_type);
            let message = format!("a regular expression matches strings, got a value of type {got}");
            let help = format!("convert it: String({}) {symbol} …", self.tree.source.slice(span));
            self.error(OPERAND, span, message, Some(help));
        } else if let Some(pattern @ Value::Regexp(_)) = constant(self.tree, right)
            && found_left.value().is_none()
            && !may_match(&pattern, &left_type)
        {
            let message = format!("no value of type {} matches it", for_message(&left_type));
            self.warning(NEVER_MATCHES, self.tree[right].span, message, None);
        }
    }

    fn membership(&mut self, span: Span, left: &Inferred, right: &Inferred) {
        self.checked.compared += 1;
        let (left_type, right_type) = (left.type_(), right.type_());
        let collections = ["String", "Collection", "Type"].map(named);
        if !right.is_any() && !collections.iter().any(|type_| overlap(&right_type, type_)) {
            let message = format!("nothing is `in` a value of type {}", for_message(&right_type));
            let help = "the right side is an Array, a Hash or a String".to_owned();
            self.warning(NEVER_MATCHES, span, message, Some(help));
        } else if let (Some(Value::Array(elements)), Some(values)) =
            (right.value(), finite(&left_type.behind_aliases()))
        {
            let is_text = elements.iter().all(|element| matches!(element, Value::String(_)));
            let is_in = |text: &str| {
                elements.iter().any(|element| matches!(element, Value::String(one) if one.eq_ignore_ascii_case(text)))
            };
            if is_text && !elements.is_empty() && !values.iter().any(|text| is_in(text)) {
                let message = format!("`in` is always false: no value of {} is in the list", for_message(&left_type));
                self.warning(NEVER_MATCHES, span, message, None);
            }
        }
    }

    fn ordering(&mut self, span: Span, symbol: &str, left: &Inferred, right: &Inferred) {
        /// The types whose values can be compared with each other.
        const FAMILIES: &str = "Integer Float;String;Timespan Integer Float;Timestamp Integer Float;SemVer;Type";
        self.checked.compared += 1;
        let (left, right) = (left.type_(), right.type_());
        let fits = |type_: &Type, family: &'static str| family.split(' ').any(|name| overlap(type_, &named(name)));
        if FAMILIES.split(';').any(|family| fits(&left, family) && fits(&right, family)) {
            let (low, high) = if symbol.starts_with('<') { (&left, &right) } else { (&right, &left) };
            if let (Type::Integer(low), Type::Integer(high)) = (&*low.behind_aliases(), &*high.behind_aliases())
                && (low.from() > high.to() || symbol.len() == 1 && low.from() == high.to())
            {
                let message = format!("`{symbol}` is always false between {left} and {right}");
                self.warning(NEVER_MATCHES, span, message, None);
            }
            return;
        }
        let message = format!("`{symbol}` cannot compare {} with {}", for_message(&left), for_message(&right));
        let is_number = |type_: &Type| matches!(type_.kind(), Kind::Integer | Kind::Float);
        let is_text = |type_: &Type| matches!(type_.kind(), Kind::String | Kind::Enum | Kind::Pattern);
        let are_mixed = is_text(&left) && is_number(&right) || is_number(&left) && is_text(&right);
        let help = "convert the string: Integer($x), or compare versions with versioncmp()";
        self.error(OPERAND, span, message, are_mixed.then(|| help.to_owned()));
    }

    /// An operand of an operator for numbers. What a collection or a URI is added to need not be one.
    /// Returns whether it may be right.
    fn operand(&mut self, id: Id, symbol: &str, found: &Inferred, needs_number: bool) -> bool {
        self.checked.compared += 1;
        if symbol == "<<" {
            return true;
        }
        let of_sums: &[_] =
            if matches!(symbol, "+" | "-") { &["Collection", "Timestamp", "URI", "Binary", "SemVer"] } else { &[] };
        let allowed = ["Integer", "Float", "String", "Timespan"];
        let span = self.tree[id].span;
        if !found.is_any() && !allowed.iter().chain(of_sums).any(|name| overlap(&found.type_(), &named(name))) {
            let message = format!("`{symbol}` cannot use a value of type {}", for_message(&found.type_()));
            self.error(OPERAND, span, message, None);
        } else if needs_number && is_never_numeric(found) {
            let of_type = || format!("a value of type {}", for_message(&found.type_()));
            let got = found.value().map_or_else(of_type, describe);
            let message = format!("`{symbol}` needs a number, got {got}");
            self.error(OPERAND, span, message, Some("to join strings write \"${a}${b}\"".to_owned()));
        } else {
            return true;
        }
        false
    }

    /// Visits the branches of a condition; in the first, variables have the types that the condition implies.
    pub(super) fn conditional(&mut self, id: Id, condition: Id, then: Option<Id>, otherwise: Option<Id>) -> Inferred {
        let before = self.is_matched;
        self.visit(condition);
        let (narrowed, deciders) = (self.narrowings(condition), self.names_in(condition));
        let mut ends = Vec::new();
        let mut outcomes = Vec::new();
        for (branch, narrowed) in [(then, narrowed), (otherwise, Vec::new())] {
            let (outcome, end) = match branch {
                Some(branch) => self.branch_end(branch, narrowed, &deciders),
                None => (Inferred::Value(Value::Undef), End::default()),
            };
            outcomes.extend((!end.leaves).then(|| (branch.map_or(id, |branch| self.last_of(branch)), outcome)));
            ends.push(end);
        }
        self.is_matched = before;
        self.join(&deciders, ends);
        one_of(outcomes)
    }

    /// What a condition implies about variables where it is true: `$x =~ String` makes `$x` a String.
    fn narrowings(&mut self, condition: Id) -> Vec<Narrowed> {
        let tree = self.tree;
        match &tree[condition].expression {
            Expression::Parenthesized(inner) => self.narrowings(*inner),
            Expression::Binary(BinaryOperator::And, left, right) => {
                [self.narrowings(*left), self.narrowings(*right)].concat()
            }
            Expression::Binary(BinaryOperator::Match, left, right)
                if let Expression::Variable(name) = &tree[*left].expression =>
            {
                let type_ = self.type_of(Some(*right));
                if matches!(type_, Type::Any(_)) { Vec::new() } else { vec![(name.clone(), type_)] }
            }
            Expression::Variable(name) => match self.known(name) {
                Some(known) if !known.is_any() => vec![(name.clone(), not_undef(&known.type_()))],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Visits the options of a selector, or of a case statement.
    pub(super) fn options(&mut self, id: Id, is_case: bool, subject: Id, options: &[(&[Id], Id)]) -> Inferred {
        let before = self.is_matched;
        let found = self.visit(subject);
        let (type_, deciders) = (found.type_(), self.names_in(subject));
        let (mut seen, mut accepted, mut results, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (values, then) in options {
            // `'true', true` is written with care for facts that were once strings.
            let is_there = |text: &str| values.iter().any(|id| self.tree.source.slice(self.tree[*id].span) == text);
            let is_careful = ["true", "false"].into_iter().any(|word| is_there(word) && is_there(&format!("'{word}'")));
            let subject_or_any = if is_careful { &Inferred::any() } else { &found };
            values.iter().for_each(|value| self.quoted_pattern(*value, subject, true));
            let types: Vec<_> = values.iter().map(|value| self.option(*value, subject_or_any, &mut seen)).collect();
            let narrowed = match (&self.tree[subject].expression, &types[..]) {
                (Expression::Variable(name), [Some(type_)]) => vec![(name.clone(), type_.clone())],
                _ => Vec::new(),
            };
            accepted.extend(types.into_iter().flatten());
            let (outcome, end) = self.branch_end(*then, narrowed, &deciders);
            results.push(outcome);
            ends.push(end);
        }
        self.is_matched = before;
        let is_default = |id: &Id| self.is_default(*id);
        let count = options.iter().flat_map(|(values, _)| *values).filter(|id| !is_default(id)).count();
        let listed = if seen.len() == count { listed_values(&type_) } else { None };
        let missing = |value: &Value| !seen.iter().any(|option| is_equal(option, value));
        let has_default = options.iter().any(|(values, _)| values.iter().any(is_default));
        // For a type whose values are listed it may never be reached.
        let is_dead = !is_open(&type_) && !listed.iter().flatten().any(missing);
        let mut outcomes = Vec::new();
        for (((values, then), end), result) in options.iter().zip(&mut ends).zip(results) {
            end.is_dead = is_dead && values.iter().any(is_default);
            let at = if end.is_dead { subject } else { self.last_of(*then) };
            outcomes.extend((!end.leaves).then_some((at, result)));
        }
        if is_case && !has_default {
            ends.push(End::default());
            // Options may list all values of a type.
            outcomes.push((id, if is_open(&type_) { Inferred::Value(Value::Undef) } else { Inferred::any() }));
        } else if !has_default && found.value().is_none() && !self.is_narrowed(&deciders) {
            let listed = if seen.len() == count { self.values_on_systems(subject).or(listed) } else { None };
            let value = listed.iter().flatten().find(|value| missing(value)).map(describe);
            let is_missing =
                |one: &Type| *one != Type::of(&Value::Undef) && !accepted.iter().any(|option| overlap(option, one));
            let type_ = || type_.alternatives().into_iter().filter(|_| accepted.len() == count).find(is_missing);
            if let Some(first) = value.or_else(|| Some(format!("a value of type {}", for_message(&type_()?)))) {
                let message = format!("no option of the selector matches {first}");
                let help = "add it, or an option `default => …`".to_owned();
                self.warning("UNMATCHED_SELECTOR", self.tree[subject].span, message, Some(help));
            }
        }
        self.join(&deciders, ends);
        one_of(outcomes)
    }

    /// The values of a fact on the operating systems that `metadata.json` names.
    fn values_on_systems(&mut self, subject: Id) -> Option<Vec<Value>> {
        let path = self.path_of_fact(subject).map(|(path, _)| path).filter(|path| !self.index.is_set_fact(path))?;
        let metadata = self.index.metadata_of(self.tree.source.name())?;
        let systems = metadata.get("operatingsystem_support")?.as_array()?.iter();
        let systems = systems.filter_map(|one| one.get("operatingsystem")?.as_str());
        let value = |name| Some((if path == "os.name" { name } else { core_facts::family_of(name)? }).into());
        matches!(&*path, "os.family" | "os.name").then(|| systems.filter_map(value).collect())
    }

    /// Visits the value of a branch, and reports it if the subject never matches it. Returns the type that it is.
    fn option(&mut self, id: Id, subject: &Inferred, seen: &mut Vec<Value>) -> Option<Type> {
        if self.is_default(id) {
            return None;
        }
        let found = self.visit(id);
        self.unquoted(id);
        self.checked.compared += 1;
        let span = self.tree[id].span;
        let subject_type = subject.type_();
        let written = self.tree.source.slice(span);
        let unreachable = || {
            let type_ = for_message(&subject_type);
            format!("this branch is never reached: a value of type {type_} never matches {written}")
        };
        let (is_known, may_be) = (subject.value().is_some(), |type_: &Type| overlap(&subject_type, type_));
        if let Expression::Literal(literal @ Literal::Regexp(_)) = &self.tree[id].expression {
            self.is_matched = true;
            let Ok(pattern) = literal_value(literal) else { return None };
            if !is_known && !may_match(&pattern, &subject_type) {
                self.warning(UNREACHABLE, span, unreachable(), None);
            }
            seen.push(pattern);
            return None;
        }
        if let Some(type_) = found.as_type() {
            if !is_known && !subject.is_any() && !may_be(type_) && !may_be(&named("Type")) {
                self.warning(UNREACHABLE, span, unreachable(), None);
            }
            return Some(type_.clone());
        }
        match found.value() {
            // Something computed may be a pattern.
            None => self.is_matched = true,
            Some(Value::Array(_) | Value::Hash(_)) => {}
            Some(value) => {
                if let Some(first) = seen.iter().find(|earlier| is_equal(earlier, value)) {
                    let message = format!("this branch is never reached: an earlier one matches {}", describe(first));
                    self.warning(UNREACHABLE, span, message, None);
                    return None;
                }
                seen.push(value.clone());
                // That nothing is set is often thought of where it cannot happen.
                let is_careful =
                    matches!(subject, Inferred::Branches(..)) && matches!(value, Value::Boolean(false) | Value::Undef);
                if !is_known && !is_careful && !may_be_equal(&subject_type, &found.type_()) {
                    self.warning(UNREACHABLE, span, unreachable(), suggestion(&subject_type, &found));
                }
            }
        }
        None
    }
}

/// All values of a type, if they can be listed.
fn listed_values(type_: &Type) -> Option<Vec<Value>> {
    let listed = |branch: Type| match &*branch.behind_aliases() {
        Type::Enum(words) if !words.values().is_empty() => {
            Some(words.values().iter().cloned().map(Value::String).collect())
        }
        Type::Boolean(boolean) => {
            Some(boolean.value.map_or(vec![true.into(), false.into()], |value| vec![value.into()]))
        }
        Type::Integer(range) if range.to() < range.from().saturating_add(8) => {
            Some((range.from()..=range.to()).map(Value::from).collect())
        }
        _ => None,
    };
    let all: Option<Vec<Vec<Value>>> = type_.alternatives().into_iter().map(listed).collect();
    all.map(|all| all.concat())
}

/// Whether options cannot list all values of a type.
fn is_open(type_: &Type) -> bool {
    matches!(*type_.behind_aliases(), Type::Any(_) | Type::String(_) | Type::Integer(_))
}

/// Whether an option matches a value, as far as both are no types.
fn is_equal(option: &Value, value: &Value) -> bool {
    match (option, value) {
        (Value::Regexp(pattern), Value::String(text)) => pattern.is_match(text).unwrap_or(true),
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (a, b) => a == b,
    }
}

/// The value of an Enum that is most similar to a string.
fn suggestion(type_: &Type, found: &Inferred) -> Option<String> {
    let text = found.string()?;
    let alternatives = type_.alternatives();
    let values = alternatives.iter().filter_map(finite).flatten().map(|value| &**value);
    meant(nearest(text, values).map(|near| format!("'{near}'")))
}

/// Whether it is a string, and none of its possible values is a number.
fn is_never_numeric(found: &Inferred) -> bool {
    match found.value() {
        Some(value) => value.as_str().is_some_and(|text| !is_numeric(text)),
        None => finite(&found.type_().behind_aliases()).is_some_and(|texts| !texts.iter().any(|text| is_numeric(text))),
    }
}

fn is_numeric(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+']);
    digits.starts_with(|letter: char| letter.is_ascii_digit()) || digits.starts_with('.')
}

fn arithmetic(operator: BinaryOperator, left: &Inferred, right: &Inferred) -> Inferred {
    match (left.type_().behind_aliases().kind(), right.type_().behind_aliases().kind(), operator) {
        (Kind::Integer, Kind::Integer, _) => Inferred::named("Integer"),
        (Kind::Float, Kind::Integer | Kind::Float, _) | (Kind::Integer, Kind::Float, _) => Inferred::named("Float"),
        (Kind::Array | Kind::Tuple, _, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::ShiftLeft) => {
            Inferred::named("Array")
        }
        (Kind::Hash | Kind::Struct, _, BinaryOperator::Plus | BinaryOperator::Minus) => Inferred::named("Hash"),
        _ => Inferred::any(),
    }
}
