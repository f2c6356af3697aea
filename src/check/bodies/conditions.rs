//! Checks operators and conditions: comparisons that never match, invalid operands, and unreachable branches.
//!
//! Source: Puppet language specification, "Expressions": the operators; "Case expression"; "Selector expression".

use super::known::{Inferred, infer_from_branches};
use super::{BodyChecker, results::without_undef, variables::BranchEnd};
use crate::check::program::{callee_name, constant_value};
use crate::eval::{core_facts, definition_of_expression, literal_value};
use crate::explain::meet::may_overlap;
use crate::regexp::{self, Regexp};
use crate::syntax::operators;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Node, UnaryOperator};
use crate::text::Span;
use crate::types::describe::{describe, describe_type};
use crate::types::{EnumType, Kind, Type};
use crate::value::{EcoString, Value};
use crate::wording::{did_you_mean, nearest};

pub(super) const NEVER_MATCHES: &str = "NEVER_MATCHES";

const UNREACHABLE: &str = "UNREACHABLE_BRANCH";

const OPERAND: &str = "OPERATOR_NOT_APPLICABLE";

/// The name of a variable, and the type that the variable has if a condition is true.
pub(super) type Narrowed = (EcoString, Type);

fn built_in_type(name: &'static str) -> Type {
    Type::built_in_type(name)
}

fn possible_strings(type_: &Type) -> Option<&[EcoString]> {
    type_.listed_strings().filter(|texts| !texts.is_empty())
}

/// Whether `==` may be true for values of these types. It ignores the case of strings, and compares numbers by value.
fn may_be_equal(a: &Type, b: &Type) -> bool {
    let may_be_equal = |a: &Type, b: &Type| match (possible_strings(a), possible_strings(b)) {
        (Some(one), Some(other)) => one.iter().any(|text| other.iter().any(|other| text.eq_ignore_ascii_case(other))),
        (Some(_), None) | (None, Some(_)) => may_overlap(&a.generalized(), &b.generalized()),
        (None, None) => {
            // Strings of one type may be those of the other in another case.
            let may_both_be = |name| may_overlap(a, &built_in_type(name)) && may_overlap(b, &built_in_type(name));
            let is_number = |type_: &Type| matches!(type_.kind(), Kind::Integer | Kind::Float | Kind::Numeric);
            if is_number(a) && is_number(b) {
                return a.kind() != Kind::Integer || b.kind() != Kind::Integer || may_overlap(a, b);
            }
            may_overlap(a, b) || may_both_be("Numeric") || may_both_be("String")
        }
    };
    let may_be_undef = |type_| may_overlap(type_, &built_in_type("Undef"));
    let [all, others] = [a, b].map(Type::alternatives);
    may_be_undef(a) && may_be_undef(b)
        || all.iter().any(|a| others.iter().any(|b| may_be_equal(&a.behind_aliases(), &b.behind_aliases())))
}

fn may_match_pattern(pattern: &Value, type_: &Type) -> bool {
    let may_match = |one: &Type| match (&*one.behind_aliases(), pattern) {
        (Type::Pattern(own), Value::Regexp(pattern)) if !own.patterns().is_empty() => {
            !own.patterns().iter().all(|own| own.excludes(pattern))
        }
        (one, _) => match possible_strings(one) {
            Some(texts) => texts.iter().any(|text| option_matches(pattern, &text.clone().into())),
            None => may_overlap(one, &built_in_type("String")),
        },
    };
    type_.alternatives().iter().any(may_match)
}

impl BodyChecker<'_> {
    pub(super) fn visit_unary(&mut self, operator: UnaryOperator, inner: Id) -> Inferred {
        let found = self.visit(inner);
        match operator {
            UnaryOperator::Not => Inferred::from_type_name("Boolean"),
            UnaryOperator::Unfold => Inferred::unknown(),
            UnaryOperator::Minus => match found.value() {
                Some(Value::Integer(number)) if number.checked_neg().is_some() => Inferred::Value((-number).into()),
                Some(Value::Float(number)) => Inferred::Value((-number).into()),
                _ => Inferred::from_type_name("Numeric"),
            },
        }
    }

    pub(super) fn visit_binary(&mut self, id: Id, operator: BinaryOperator, left: Id, right: Id) -> Inferred {
        let (tree, found_left) = (self.tree, self.visit(left));
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            let narrowed = if operator == BinaryOperator::And { self.narrowed_variables(left) } else { Vec::new() };
            let deciders = self.names_in_expression(left);
            let (_, end) = self.visit_branch(right, narrowed, &deciders);
            self.join_branches(&deciders, vec![end, BranchEnd::default()]);
            self.check_contradiction(id, operator, left, right);
            return Inferred::from_type_name("Boolean");
        }
        let found_right = self.visit(right);
        let symbol = operators::binary_operator_text(operator);
        let span = self.tree.span_of_name(id, symbol);
        match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                self.report_unquoted_string(left);
                self.report_unquoted_string(right);
                let is_literal = |id: Id| matches!(tree[id].expression, Expression::Literal(Literal::Regexp(_)));
                let is_pattern = |found: &Inferred| matches!(*found.known_type(), Type::Regexp(_));
                if (is_literal(left) || is_literal(right)) && is_pattern(&found_left) != is_pattern(&found_right) {
                    let help = "to match a regular expression write =~ or !~".to_owned();
                    self.add_warning(
                        NEVER_MATCHES,
                        span,
                        "a string is never equal to a regular expression",
                        Some(help),
                    );
                } else {
                    self.check_equality(span, symbol, &found_left, &found_right);
                }
                self.check_quoted_pattern(right, left, false);
            }
            BinaryOperator::Match | BinaryOperator::NoMatch => {
                self.check_match_operator(left, right, symbol, &found_left, &found_right);
            }
            BinaryOperator::In => self.check_in_operator(span, &found_left, &found_right),
            _ if matches!(symbol, "<" | "<=" | ">" | ">=") => {
                self.check_ordering(span, symbol, &found_left, &found_right);
            }
            _ if matches!(symbol, "+" | "-" | "*" | "/" | "%" | "<<" | ">>") => {
                let may_be = |name| may_overlap(&found_left.known_type(), &built_in_type(name));
                let adds_parts = matches!(symbol, "+" | "-") && ["Collection", "URI"].into_iter().any(may_be);
                // One finding is enough for an operator.
                let _ = self.check_arithmetic_operand(left, symbol, &found_left, true)
                    && self.check_arithmetic_operand(right, symbol, &found_right, !adds_parts);
                let sum = if symbol == "+" { found_left.infer_merged_hash(&found_right) } else { None };
                return sum.unwrap_or_else(|| infer_arithmetic_result(operator, &found_left, &found_right));
            }
            _ => return Inferred::unknown(),
        }
        Inferred::from_type_name("Boolean")
    }

    /// Reports conditions that are always true or false: `$x != 6 or $x != 7`, `$x == 6 and $x == 7`.
    fn check_contradiction(&mut self, id: Id, operator: BinaryOperator, left: Id, right: Id) {
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
                        return variable.starts_with('$').then_some(variable).zip(constant_value(tree, *value));
                    }
                    _ => return None,
                }
            }
        };
        if let Some(((one, first), (other, second))) = compared(left).zip(compared(right))
            && one == other
            && !option_matches(&first, &second)
        {
            let symbol = operators::binary_operator_text(operator);
            let message = format!("`{symbol}` is always {outcome}: {one} is not equal to both");
            let help = Some(format!("write `{instead}`"));
            self.add_warning(NEVER_MATCHES, tree.span_of_name(id, symbol), message, help);
        }
    }

    /// Reports a string that is compared, but looks like a regular expression: an option such as `'^a$'`, or a string
    /// with pattern characters compared with a fact. Also reports an OS name that is compared with `os.family`.
    fn check_quoted_pattern(&mut self, id: Id, subject: Id, is_option: bool) {
        let Some(Value::String(text)) = constant_value(self.tree, id) else { return };
        let plain = text.trim_matches('/');
        let is_in_slashes = text.len() == plain.len() + 2;
        let is_whole =
            is_option && plain.len() > 2 && plain.starts_with('^') && (plain.ends_with('$') || is_in_slashes);
        let has_sign = plain.starts_with('^') || plain.ends_with('$') || plain.contains('|') || plain.contains(".*");
        let is_fact = || self.fact_path(subject).is_some_and(|(path, _)| !path.is_empty());
        if is_whole || has_sign && is_fact() {
            let help = format!("write /{plain}/ without quotes, behind =~ or as an option");
            let message = "a string is compared as it is, not as a regular expression";
            self.add_warning(NEVER_MATCHES, self.tree[id].span, message, Some(help));
        } else if let Some(family) =
            core_facts::family_of_os(&text).filter(|family| !family.eq_ignore_ascii_case(&text))
            && self.fact_path(subject).is_some_and(|(path, _)| path == "os.family")
        {
            let message = format!("os.family is '{family}' on {text}");
            let help = format!("write '{family}', or compare with os.name");
            self.add_warning(NEVER_MATCHES, self.tree[id].span, message, Some(help));
        }
    }

    fn check_equality(&mut self, span: Span, symbol: &str, left: &Inferred, right: &Inferred) {
        self.checked.compared += 1;
        let (left_type, right_type) = (left.known_type(), right.known_type());
        let is_type = |found: &Inferred| found.as_type_value().is_some();
        let (outcome, matches) = if symbol == "==" { ("false", "=~") } else { ("true", "!~") };
        let of_data = |type_: &&Type| !matches!(type_, Type::Resource(_) | Type::Class(_));
        if let Some(type_) = right.as_type_value().filter(of_data).filter(|_| !is_type(left)) {
            // A variable of which nothing is known holds a type only where types are computed.
            if left.has_type_any() || !may_overlap(&left_type, &built_in_type("Type")) {
                let help = format!("to test the type write {matches} {type_}");
                let message = match &*left_type {
                    Type::Any(_) => format!("`{symbol}` compares with the type itself, not with its values"),
                    left_type => format!("a value of type {} is never equal to a type", describe_type(left_type)),
                };
                self.add_warning(NEVER_MATCHES, span, message, Some(help));
            }
        // Anything may be equal to Any. Tests for undef are often only careful.
        } else if [left, right].into_iter().any(|one| one.has_type_any() || one.value() == Some(&Value::Undef)) {
        } else if !is_type(left) && !is_type(right) && !may_be_equal(&left_type, &right_type) {
            let types = format!("{} and {}", describe_type(&left_type), describe_type(&right_type));
            let message = format!("`{symbol}` is always {outcome}: {types} have no value in common");
            let near = suggest_enum_value(&left_type, right).or_else(|| suggest_enum_value(&right_type, left));
            self.add_warning(NEVER_MATCHES, span, message, near);
        }
    }

    fn check_match_operator(
        &mut self,
        left: Id,
        right: Id,
        symbol: &str,
        found_left: &Inferred,
        found_right: &Inferred,
    ) {
        self.checked.compared += 1;
        let left_type = found_left.known_type();
        if let Some(type_) = found_right.as_type_value().cloned() {
            if !found_left.has_type_any() && found_left.as_type_value().is_none() && !may_overlap(&left_type, &type_) {
                let outcome = if symbol == "=~" { "false" } else { "true" };
                let (left, right_type) = (describe_type(&left_type), describe_type(&type_));
                let message = format!("`{symbol}` is always {outcome}: a value of type {left} is never {right_type}");
                self.add_warning(NEVER_MATCHES, self.tree[right].span, message, None);
            }
            return;
        }
        self.note_match(constant_value(self.tree, right).as_ref());
        let right_type = found_right.known_type();
        let patterns = ["Regexp", "String", "SemVerRange", "Type"].map(built_in_type);
        if !found_right.has_type_any() && !patterns.iter().any(|type_| may_overlap(&right_type, type_)) {
            let got = describe_type(&right_type);
            let message = format!("the right side of `{symbol}` is a regular expression or a type, got {got}");
            self.add_error(OPERAND, self.tree[right].span, message, None);
        } else if matches!(*right_type, Type::Regexp(_)) && !may_overlap(&left_type, &built_in_type("String")) {
            let span = self.tree[left].span;
            let got = describe_type(&left_type);
            let message = format!("a regular expression matches strings, got a value of type {got}");
            let help = format!("convert it: String({}) {symbol} …", self.tree.source.slice(span));
            self.add_error(OPERAND, span, message, Some(help));
        } else if let Some(pattern @ Value::Regexp(_)) = constant_value(self.tree, right)
            && found_left.value().is_none()
            && !may_match_pattern(&pattern, &left_type)
        {
            let message = format!("no value of type {} matches it", describe_type(&left_type));
            self.add_warning(NEVER_MATCHES, self.tree[right].span, message, None);
        } else {
            self.check_form(left, right);
        }
    }

    /// Notes that a match may set match variables: those of `pattern`, or any if it is not known.
    fn note_match(&mut self, pattern: Option<&Value>) {
        let groups = match pattern {
            Some(Value::Regexp(regexp)) => regexp.group_names().count(),
            _ => usize::MAX,
        };
        self.matched_groups = self.matched_groups.max(Some(groups));
    }

    /// Reports a regular expression that no string of the form of its subject matches: `"${a}-${b}" =~ /^a$/`.
    fn check_form(&mut self, subject: Id, pattern: Id) {
        if let Some(Value::Regexp(regexp)) = constant_value(self.tree, pattern)
            && let Some(form) = self.form_of_string(subject).filter(|form| form.excludes(&regexp))
        {
            let message = format!("no value of `{}` matches it", self.tree.source.slice(self.tree[subject].span));
            let help = format!("its values match /{}/", form.source());
            self.add_warning(NEVER_MATCHES, self.tree[pattern].span, message, Some(help));
        } else if let Some(Value::Regexp(regexp)) = constant_value(self.tree, pattern)
            && let Some(names) = self.fact_path(subject).map(|(path, _)| core_facts::names_of_systems(&path))
            && !names.iter().any(|name| regexp.is_match(name).unwrap_or(true))
            && let Ok(relaxed) = Regexp::new(&format!("(?i:{})", regexp.source()))
            && let Some(name) = names.iter().find(|name| relaxed.is_match(name).unwrap_or(false))
        {
            let message = format!("a regular expression is case-sensitive, and the fact is '{name}'");
            self.add_warning(NEVER_MATCHES, self.tree[pattern].span, message, None);
        }
    }

    /// Returns an expression that matches all strings that `id` may evaluate to: they have the literal parts of an
    /// interpolation, are in lower case after `downcase`, and have no separator after `split`.
    fn form_of_string(&self, id: Id) -> Option<Regexp> {
        let tree = self.tree;
        let without = |characters: &str| format!(r"\A[^{characters}]*\z");
        let form = match &tree[id].expression {
            Expression::Parenthesized(inner) => return self.form_of_string(*inner),
            Expression::Variable(name) => {
                let scope = self.scopes.iter().rev().find(|scope| scope.variables.contains_key(name))?;
                let (value, _) = scope.variables.get(name).filter(|_| scope.assigned.contains(name))?;
                // `$a = $b`, `$b = $a`: the value of a variable is before its use.
                return if *value < id { self.form_of_string(*value) } else { None };
            }
            Expression::Concatenation(parts) => {
                let form = |part: &Id| match constant_value(tree, *part) {
                    Some(Value::String(text)) => regexp::escape(&text),
                    _ => "(?m:.*)".to_owned(),
                };
                format!(r"\A{}\z", parts.iter().map(form).collect::<String>())
            }
            Expression::Access(call, _) if callee_name(tree, &tree[*call]) == Some("split") => {
                let (Expression::Call { arguments, .. } | Expression::MethodCall { arguments, .. }) =
                    &tree[*call].expression
                else {
                    return None;
                };
                let separator = constant_value(tree, *arguments.last()?)?;
                without(separator.as_str().filter(|text| ["/", ",", ":", ";", "=", "@", " "].contains(text))?)
            }
            _ => match callee_name(tree, &tree[id])? {
                "downcase" => without("A-Z"),
                "upcase" => without("a-z"),
                _ => return None,
            },
        };
        Regexp::new(&form).ok()
    }

    fn check_in_operator(&mut self, span: Span, left: &Inferred, right: &Inferred) {
        self.checked.compared += 1;
        let (left_type, right_type) = (left.known_type(), right.known_type());
        let collections = ["String", "Collection", "Type"].map(built_in_type);
        if !right.has_type_any() && !collections.iter().any(|type_| may_overlap(&right_type, type_)) {
            let message = format!("nothing is `in` a value of type {}", describe_type(&right_type));
            let help = "the right side is an Array, a Hash or a String".to_owned();
            self.add_warning(NEVER_MATCHES, span, message, Some(help));
        } else if let (Some(Value::Array(elements)), Some(values)) =
            (right.value(), possible_strings(&left_type.behind_aliases()))
        {
            let is_text = elements.iter().all(|element| matches!(element, Value::String(_)));
            let is_in = |text: &str| {
                elements.iter().any(|element| matches!(element, Value::String(one) if one.eq_ignore_ascii_case(text)))
            };
            if is_text && !elements.is_empty() && !values.iter().any(|text| is_in(text)) {
                let message = format!("`in` is always false: no value of {} is in the list", describe_type(&left_type));
                self.add_warning(NEVER_MATCHES, span, message, None);
            }
        }
    }

    fn check_ordering(&mut self, span: Span, symbol: &str, left: &Inferred, right: &Inferred) {
        /// Groups of types, separated by `;`. Two values can be compared if their types are in the same group.
        const FAMILIES: &str = "Integer Float;String;Timespan Integer Float;Timestamp Integer Float;SemVer;Type";
        self.checked.compared += 1;
        let (left, right) = (left.known_type(), right.known_type());
        let fits =
            |type_: &Type, family: &'static str| family.split(' ').any(|name| may_overlap(type_, &built_in_type(name)));
        if FAMILIES.split(';').any(|family| fits(&left, family) && fits(&right, family)) {
            let (low, high) = if symbol.starts_with('<') { (&left, &right) } else { (&right, &left) };
            if let (Type::Integer(low), Type::Integer(high)) = (&*low.behind_aliases(), &*high.behind_aliases())
                && (low.from() > high.to() || symbol.len() == 1 && low.from() == high.to())
            {
                let message = format!("`{symbol}` is always false between {left} and {right}");
                self.add_warning(NEVER_MATCHES, span, message, None);
            }
            return;
        }
        let message = format!("`{symbol}` cannot compare {} with {}", describe_type(&left), describe_type(&right));
        let is_number = |type_: &Type| matches!(type_.kind(), Kind::Integer | Kind::Float);
        let is_text = |type_: &Type| matches!(type_.kind(), Kind::String | Kind::Enum | Kind::Pattern);
        let are_mixed = is_text(&left) && is_number(&right) || is_number(&left) && is_text(&right);
        let help = "convert the string: Integer($x), or compare versions with versioncmp()";
        self.add_error(OPERAND, span, message, are_mixed.then(|| help.to_owned()));
    }

    /// Returns `false` after reporting an invalid operand. With `needs_number`, a string must look like a number.
    fn check_arithmetic_operand(&mut self, id: Id, symbol: &str, found: &Inferred, needs_number: bool) -> bool {
        self.checked.compared += 1;
        if symbol == "<<" {
            return true;
        }
        let of_sums: &[_] =
            if matches!(symbol, "+" | "-") { &["Collection", "Timestamp", "URI", "Binary", "SemVer"] } else { &[] };
        let allowed = ["Integer", "Float", "String", "Timespan"];
        let span = self.tree[id].span;
        if !found.has_type_any()
            && !allowed.iter().chain(of_sums).any(|name| may_overlap(&found.known_type(), &built_in_type(name)))
        {
            let message = format!("`{symbol}` cannot use a value of type {}", describe_type(&found.known_type()));
            self.add_error(OPERAND, span, message, None);
        } else if needs_number && is_never_numeric(found) {
            let of_type = || format!("a value of type {}", describe_type(&found.known_type()));
            let got = found.value().map_or_else(of_type, describe);
            let message = format!("`{symbol}` needs a number, got {got}");
            self.add_error(OPERAND, span, message, Some("to join strings write \"${a}${b}\"".to_owned()));
        } else {
            return true;
        }
        false
    }

    /// Visits an `if` or `unless`. In the branch `then`, variables have the types that the condition implies.
    pub(super) fn visit_if(&mut self, id: Id, condition: Id, then: Option<Id>, otherwise: Option<Id>) -> Inferred {
        let before = self.matched_groups;
        self.visit(condition);
        let (narrowed, deciders) = (self.narrowed_variables(condition), self.names_in_expression(condition));
        let never_false = |known: Inferred| {
            let type_ = known.known_type();
            !["Undef", "Boolean"].iter().any(|name| may_overlap(&type_, &built_in_type(name)))
        };
        let always_holds = |(name, type_): &Narrowed| {
            let known = self.find_variable_value(name).filter(|known| type_.accepts(&known.known_type()));
            known.is_some_and(never_false)
        };
        let holds = !narrowed.is_empty() && narrowed.iter().all(always_holds);
        let mut ends = Vec::new();
        let mut outcomes = Vec::new();
        for (branch, narrowed) in [(then, narrowed), (otherwise, Vec::new())] {
            let (outcome, end) = match branch {
                Some(branch) => self.visit_branch(branch, narrowed, &deciders),
                None => (Inferred::Value(Value::Undef), BranchEnd::of_missing_branch((!holds).then_some(id))),
            };
            outcomes.extend((!end.leaves).then(|| (branch.map_or(id, |branch| self.last_expression(branch)), outcome)));
            ends.push(end);
        }
        self.matched_groups = before;
        self.join_branches(&deciders, ends);
        infer_from_branches(outcomes)
    }

    /// Returns the types of variables that a true condition implies: `$x =~ String` makes `$x` a String.
    fn narrowed_variables(&mut self, condition: Id) -> Vec<Narrowed> {
        let tree = self.tree;
        match &tree[condition].expression {
            Expression::Parenthesized(inner) => self.narrowed_variables(*inner),
            Expression::Binary(BinaryOperator::And, left, right) => {
                [self.narrowed_variables(*left), self.narrowed_variables(*right)].concat()
            }
            Expression::Binary(BinaryOperator::Match, left, right)
                if let Expression::Variable(name) = &tree[*left].expression =>
            {
                let type_ = self.type_of_expression(Some(*right));
                if matches!(type_, Type::Any(_)) { Vec::new() } else { vec![(name.clone(), type_)] }
            }
            Expression::Binary(operator @ (BinaryOperator::In | BinaryOperator::Equal), left, right)
                if let Expression::Variable(name) = &tree[*left].expression =>
            {
                let strings: Option<Vec<EcoString>> = match (operator, constant_value(tree, *right)) {
                    (BinaryOperator::In, Some(Value::Array(elements))) => {
                        elements.iter().map(|one| one.as_str().map(Into::into)).collect()
                    }
                    (BinaryOperator::Equal, Some(Value::String(text))) => Some(vec![text]),
                    _ => None,
                };
                // Both ignore the case of letters.
                strings.into_iter().map(|strings| (name.clone(), EnumType::new(strings, true).into())).collect()
            }
            Expression::Variable(name) => match self.find_variable_value(name) {
                Some(known) if !known.has_type_any() => vec![(name.clone(), without_undef(&known.known_type()))],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    pub(super) fn visit_options(&mut self, id: Id, is_case: bool, subject: Id, options: &[(&[Id], Id)]) -> Inferred {
        let before = self.matched_groups;
        let found = self.visit(subject);
        let (type_, deciders) = (found.known_type(), self.names_in_expression(subject));
        let (mut seen, mut accepted, mut results, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (values, then) in options {
            // `'true', true` is written with care for facts that were once strings.
            let is_there = |text: &str| values.iter().any(|id| self.tree.source.slice(self.tree[*id].span) == text);
            let is_careful = ["true", "false"].into_iter().any(|word| is_there(word) && is_there(&format!("'{word}'")));
            let subject_or_any = if is_careful { &Inferred::unknown() } else { &found };
            values.iter().for_each(|value| self.check_quoted_pattern(*value, subject, true));
            let types: Vec<_> =
                values.iter().map(|value| self.visit_option(*value, subject_or_any, &mut seen)).collect();
            values.iter().for_each(|value| self.check_form(subject, *value));
            let narrowed = match (&self.tree[subject].expression, &types[..]) {
                (Expression::Variable(name), [Some(type_)]) => vec![(name.clone(), type_.clone())],
                _ => Vec::new(),
            };
            accepted.extend(types.into_iter().flatten());
            let (outcome, end) = self.visit_branch(*then, narrowed, &deciders);
            results.push(outcome);
            ends.push(end);
        }
        self.matched_groups = before;
        let is_default = |id: &Id| self.is_default_literal(*id);
        let count = options.iter().flat_map(|(values, _)| *values).filter(|id| !is_default(id)).count();
        let listed = if seen.len() == count { values_of_finite_type(&type_) } else { None };
        let missing = |value: &Value| !seen.iter().any(|option| option_matches(option, value));
        let has_default = options.iter().any(|(values, _)| values.iter().any(is_default));
        // For a type whose values are listed it may never be reached.
        let is_dead = !is_unlimited(&type_) && !listed.iter().flatten().any(missing);
        let mut outcomes = Vec::new();
        for (((values, then), end), result) in options.iter().zip(&mut ends).zip(results) {
            end.is_dead = is_dead && values.iter().any(is_default);
            let at = if end.is_dead { subject } else { self.last_expression(*then) };
            outcomes.extend((!end.leaves).then_some((at, result)));
        }
        if is_case && !has_default {
            ends.push(BranchEnd::default());
            // Options may list all values of a type.
            outcomes.push((id, if is_unlimited(&type_) { Inferred::Value(Value::Undef) } else { Inferred::unknown() }));
        } else if !has_default && found.value().is_none() && !self.are_names_in_conditions(&deciders) {
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
            let is_missing =
                |one: &Type| *one != Type::of(&Value::Undef) && !accepted.iter().any(|option| may_overlap(option, one));
            let type_ = || type_.alternatives().into_iter().filter(|_| accepted.len() == count).find(is_missing);
            if let Some(first) = value.or_else(|| Some(format!("a value of type {}", describe_type(&type_()?)))) {
                let message = format!("no option of the selector matches {first}");
                let help = "add it, or an option `default => …`".to_owned();
                self.add_warning("UNMATCHED_SELECTOR", self.tree[subject].span, message, Some(help));
            }
        }
        self.join_branches(&deciders, ends);
        infer_from_branches(outcomes)
    }

    /// Whether `id` is a variable with an explicit default of undef: a parameter, or the result of a lookup.
    fn is_undef_by_default(&self, id: Id) -> bool {
        let tree = self.tree;
        let Expression::Variable(name) = &tree[id].expression else { return false };
        let is_undef = |id: &Id| constant_value(tree, *id) == Some(Value::Undef);
        let mut scopes = self.scopes.iter().rev();
        let known = scopes.find_map(|scope| Some((scope, scope.variables.get(name)?)));
        let Some((scope, (set, _))) = known else { return false };
        if scope.assigned.contains(name) {
            return matches!(&tree[*set].expression, Expression::Call { arguments, .. }
                if callee_name(tree, &tree[*set]) == Some("lookup") && arguments.get(3).is_some_and(is_undef));
        }
        let is_around = |node: &&Node| node.span.start < tree[id].span.start && tree[id].span.end < node.span.end;
        let mut definitions =
            tree.nodes.iter().filter(is_around).filter_map(|node| definition_of_expression(&node.expression));
        definitions.any(|(_, definition)| {
            let mut parameters = definition.parameters.iter();
            parameters.any(|one| one.name == *name && one.default.as_ref().is_some_and(is_undef))
        })
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

    /// Visits an option of a `case` or selector. Reports it if `subject` never matches. Returns the type, if it is one.
    fn visit_option(&mut self, id: Id, subject: &Inferred, seen: &mut Vec<Value>) -> Option<Type> {
        if self.is_default_literal(id) {
            return None;
        }
        let found = self.visit(id);
        self.report_unquoted_string(id);
        self.checked.compared += 1;
        let span = self.tree[id].span;
        let subject_type = subject.known_type();
        let written = self.tree.source.slice(span);
        let unreachable = || {
            let type_ = describe_type(&subject_type);
            format!("this branch is never reached: a value of type {type_} never matches {written}")
        };
        let (is_known, may_be) = (subject.value().is_some(), |type_: &Type| may_overlap(&subject_type, type_));
        if let Expression::Literal(literal @ Literal::Regexp(_)) = &self.tree[id].expression {
            let Ok(pattern) = literal_value(literal) else { return None };
            self.note_match(Some(&pattern));
            if !is_known && !may_match_pattern(&pattern, &subject_type) {
                self.add_warning(UNREACHABLE, span, unreachable(), None);
            }
            seen.push(pattern);
            return None;
        }
        if let Some(type_) = found.as_type_value() {
            if !is_known && !subject.has_type_any() && !may_be(type_) && !may_be(&built_in_type("Type")) {
                self.add_warning(UNREACHABLE, span, unreachable(), None);
            }
            return Some(type_.clone());
        }
        match found.value() {
            // Something computed may be a pattern.
            None => self.note_match(None),
            Some(Value::Array(_) | Value::Hash(_)) => {}
            Some(value) => {
                if let Some(first) = seen.iter().find(|earlier| option_matches(earlier, value)) {
                    let message = format!("this branch is never reached: an earlier one matches {}", describe(first));
                    self.add_warning(UNREACHABLE, span, message, None);
                    return None;
                }
                seen.push(value.clone());
                // That nothing is set is often thought of where it cannot happen.
                let is_careful =
                    matches!(subject, Inferred::Branches(..)) && matches!(value, Value::Boolean(false) | Value::Undef);
                if !is_known && !is_careful && !may_be_equal(&subject_type, &found.known_type()) {
                    self.add_warning(UNREACHABLE, span, unreachable(), suggest_enum_value(&subject_type, &found));
                }
            }
        }
        None
    }
}

fn values_of_finite_type(type_: &Type) -> Option<Vec<Value>> {
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

fn is_unlimited(type_: &Type) -> bool {
    matches!(*type_.behind_aliases(), Type::Any(_) | Type::String(_) | Type::Integer(_))
}

/// Whether `option`, an option of a `case` or selector, matches `value`. Neither of them may be a type.
fn option_matches(option: &Value, value: &Value) -> bool {
    match (option, value) {
        (Value::Regexp(pattern), Value::String(text)) => pattern.is_match(text).unwrap_or(true),
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (a, b) => a == b,
    }
}

fn suggest_enum_value(type_: &Type, found: &Inferred) -> Option<String> {
    let text = found.known_string()?;
    let alternatives = type_.alternatives();
    let values = alternatives.iter().filter_map(possible_strings).flatten().map(|value| &**value);
    did_you_mean(nearest(text, values).map(|near| format!("'{near}'")))
}

fn is_never_numeric(found: &Inferred) -> bool {
    match found.value() {
        Some(value) => value.as_str().is_some_and(|text| !looks_like_number(text)),
        None => possible_strings(&found.known_type().behind_aliases())
            .is_some_and(|texts| !texts.iter().any(|text| looks_like_number(text))),
    }
}

fn looks_like_number(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['-', '+']);
    digits.starts_with(|letter: char| letter.is_ascii_digit()) || digits.starts_with('.')
}

fn infer_arithmetic_result(operator: BinaryOperator, left: &Inferred, right: &Inferred) -> Inferred {
    match (left.known_type().behind_aliases().kind(), right.known_type().behind_aliases().kind(), operator) {
        (Kind::Integer, Kind::Integer, _) => Inferred::from_type_name("Integer"),
        (Kind::Float, Kind::Integer | Kind::Float, _) | (Kind::Integer, Kind::Float, _) => {
            Inferred::from_type_name("Float")
        }
        (Kind::Array | Kind::Tuple, _, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::ShiftLeft) => {
            Inferred::from_type_name("Array")
        }
        (Kind::Hash | Kind::Struct, _, BinaryOperator::Plus | BinaryOperator::Minus) => {
            Inferred::from_type_name("Hash")
        }
        _ => Inferred::unknown(),
    }
}
