//! Checks operators and conditions: comparisons that never match, invalid operands, and what a condition implies.
//!
//! Source: Puppet language specification, "Expressions": the operators.

use indexmap::IndexSet;

use super::known::Inferred;
use super::options::option_matches;
use super::results::{type_of_part_at_key, without_undef};
use super::{BodyChecker, variables::BranchEnd};
use crate::check::program::{callee_name, constant_value, strip_leading_colons};
use crate::eval::core_facts;
use crate::explain::meet::may_overlap;
use crate::regexp::{self, Regexp};
use crate::syntax::operators;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, UnaryOperator};
use crate::text::Span;
use crate::types::describe::{describe, describe_type};
use crate::types::{EnumType, Kind, Member, StructType, Type};
use crate::value::{EcoString, Value};
use crate::wording::{did_you_mean, nearest};

pub(super) const NEVER_MATCHES: &str = "NEVER_MATCHES";
const OPERAND: &str = "OPERATOR_NOT_APPLICABLE";

/// The name of a variable, and the type that the variable has if a condition is true.
pub(super) type Narrowed = (EcoString, Type);

/// Whether a value of the type `type_` may be of one of the built-in types `names`, which are separated by spaces.
pub(super) fn may_be(type_: &Type, names: &'static str) -> bool {
    names.split(' ').any(|name| may_overlap(type_, &Type::built_in_type(name)))
}

fn possible_strings(type_: &Type) -> Option<&[EcoString]> {
    type_.listed_strings().filter(|texts| !texts.is_empty())
}

/// Whether `==` may be true for values of these types. It ignores the case of strings, and compares numbers by value.
pub(super) fn may_be_equal(a: &Type, b: &Type) -> bool {
    let may_be_equal = |a: &Type, b: &Type| match (possible_strings(a), possible_strings(b)) {
        (Some(one), Some(other)) => one.iter().any(|text| other.iter().any(|other| text.eq_ignore_ascii_case(other))),
        (Some(_), None) | (None, Some(_)) => may_overlap(&a.generalized(), &b.generalized()),
        (None, None) => {
            // Strings of one type may be those of the other in another case.
            let may_both_be = |name| may_be(a, name) && may_be(b, name);
            let is_number = |type_: &Type| matches!(type_.kind(), Kind::Integer | Kind::Float | Kind::Numeric);
            if is_number(a) && is_number(b) {
                return a.kind() != Kind::Integer || b.kind() != Kind::Integer || may_overlap(a, b);
            }
            may_overlap(a, b) || may_both_be("Numeric") || may_both_be("String")
        }
    };
    let [all, others] = [a, b].map(Type::alternatives);
    may_be(a, "Undef") && may_be(b, "Undef") || all.iter().any(|a| others.iter().any(|b| may_be_equal(a, b)))
}

pub(super) fn may_match_pattern(pattern: &Value, type_: &Type) -> bool {
    let may_match = |one: &Type| match (one, pattern) {
        (Type::Pattern(own), Value::Regexp(pattern)) if !own.patterns().is_empty() => {
            !own.patterns().iter().all(|own| own.is_disjoint_from(pattern))
        }
        (one, _) => match possible_strings(one) {
            Some(texts) => texts.iter().any(|text| option_matches(pattern, &text.clone().into())),
            None => may_be(one, "String"),
        },
    };
    type_.alternatives().iter().any(may_match)
}

impl BodyChecker<'_> {
    pub(super) fn visit_unary(&mut self, operator: UnaryOperator, inner: Id) -> Inferred {
        let found = self.visit(inner);
        match operator {
            UnaryOperator::Not => {
                self.report_always_true(inner, &found);
                let is_false = *found.known_type() == Type::of(&Value::Boolean(false));
                if is_false { Inferred::Type(Type::of(&true.into())) } else { Inferred::from_type_name("Boolean") }
            }
            UnaryOperator::Unfold => Inferred::unknown(),
            UnaryOperator::Minus => match found.value() {
                Some(Value::Integer(number)) if number.checked_neg().is_some() => Inferred::Value((-number).into()),
                Some(Value::Float(number)) => Inferred::Value((-number).into()),
                _ => Inferred::from_type_name("Numeric"),
            },
        }
    }

    pub(super) fn visit_binary(&mut self, id: Id, operator: BinaryOperator, left: Id, right: Id) -> Inferred {
        let (tree, one) = (self.tree, self.visit(left));
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            let narrowed = if operator == BinaryOperator::And { self.narrowed_if_true(left) } else { Vec::new() };
            let deciders = self.dependencies_of_expression(left);
            self.report_always_true(left, &one);
            let end = self.visit_branch(right, narrowed, &deciders);
            end.outcome.iter().for_each(|(_, found)| self.report_always_true(right, found));
            self.join_branches(&deciders, vec![end, BranchEnd::default()]);
            self.check_contradiction(id, operator, left, right);
            return Inferred::from_type_name("Boolean");
        }
        let other = self.visit(right);
        let symbol = operators::binary_operator_text(operator);
        let span = self.tree.span_of_name(id, symbol);
        match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                self.report_unquoted_string(left);
                self.report_unquoted_string(right);
                let is_literal = |id: Id| matches!(tree[id].expression, Expression::Literal(Literal::Regexp(_)));
                let is_pattern = |found: &Inferred| matches!(*found.known_type(), Type::Regexp(_));
                if (is_literal(left) || is_literal(right)) && is_pattern(&one) != is_pattern(&other) {
                    self.add_warning(NEVER_MATCHES, span, "a string is never equal to a regular expression")
                        .help("to match a regular expression write =~ or !~");
                } else if !self.report_missing_dollar(left) && !self.report_missing_dollar(right) {
                    self.check_equality(span, symbol, &one, &other);
                }
                self.check_quoted_pattern(right, left, false);
            }
            BinaryOperator::Match | BinaryOperator::NoMatch => self.check_match(left, right, symbol, &one, &other),
            BinaryOperator::In => self.check_in_operator(span, &one, &other),
            _ if matches!(symbol, "<" | "<=" | ">" | ">=") => self.check_ordering(span, symbol, &one, &other),
            _ if matches!(symbol, "+" | "-" | "*" | "/" | "%" | "<<" | ">>") => {
                let adds_parts = matches!(symbol, "+" | "-") && may_be(&one.known_type(), "Collection URI");
                // One finding is enough for an operator.
                let _ = self.check_arithmetic_operand(left, symbol, &one, true)
                    && self.check_arithmetic_operand(right, symbol, &other, !adds_parts);
                let sum = if symbol == "+" { one.infer_merged_hash(&other) } else { None };
                return sum.unwrap_or_else(|| infer_arithmetic_result(operator, &one, &other));
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
                        let variable = tree.text_of(*variable);
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
            self.add_warning(NEVER_MATCHES, tree.span_of_name(id, symbol), message).help(format!("write `{instead}`"));
        }
    }

    /// Reports a string that is compared, but looks like a regular expression: an option such as `'^a$'`, or a string
    /// with pattern characters compared with a fact. Also reports an OS name that is compared with `os.family`.
    pub(super) fn check_quoted_pattern(&mut self, id: Id, subject: Id, is_option: bool) {
        let Some(Value::String(text)) = constant_value(self.tree, id) else { return };
        let plain = text.trim_matches('/');
        let is_in_slashes = text.len() == plain.len() + 2;
        let is_whole =
            is_option && plain.len() > 2 && plain.starts_with('^') && (plain.ends_with('$') || is_in_slashes);
        let has_sign = plain.starts_with('^') || plain.ends_with('$') || plain.contains('|') || plain.contains(".*");
        let is_fact = || self.fact_path(subject).is_some_and(|(path, _)| !path.is_empty());
        if is_whole || has_sign && is_fact() {
            let message = "a string is compared as it is, not as a regular expression";
            self.add_warning(NEVER_MATCHES, self.tree[id].span, message)
                .help(format!("write /{plain}/ without quotes, behind =~ or as an option"));
        } else if let Some(family) =
            core_facts::family_of_os(&text).filter(|family| !family.eq_ignore_ascii_case(&text))
            && self.fact_path(subject).is_some_and(|(path, _)| path == "os.family")
        {
            self.add_warning(NEVER_MATCHES, self.tree[id].span, format!("os.family is '{family}' on {text}"))
                .help(format!("write '{family}', or compare with os.name"));
        }
    }

    fn check_equality(&mut self, span: Span, symbol: &str, left: &Inferred, right: &Inferred) {
        self.result.compared += 1;
        let (left_type, right_type) = (left.known_type(), right.known_type());
        let is_type = |found: &Inferred| found.as_type_value().is_some();
        let (outcome, matches) = if symbol == "==" { ("false", "=~") } else { ("true", "!~") };
        let of_data = |type_: &&Type| !matches!(type_, Type::Resource(_) | Type::Class(_));
        if let Some(type_) = right.as_type_value().filter(of_data).filter(|_| !is_type(left)) {
            // A variable of which nothing is known holds a type only where types are computed.
            if left.has_type_any() || !may_be(&left_type, "Type") {
                let help = format!("to test the type write {matches} {type_}");
                let message = match &*left_type {
                    Type::Any(_) => format!("`{symbol}` compares with the type itself, not with its values"),
                    left_type => format!("a value of type {} is never equal to a type", describe_type(left_type)),
                };
                self.add_warning(NEVER_MATCHES, span, message).help(help);
            }
        // Anything may be equal to Any. Tests for undef are often only careful.
        } else if [left, right].into_iter().any(|one| one.has_type_any() || one.is_undef()) {
        } else if !is_type(left) && !is_type(right) && !may_be_equal(&left_type, &right_type) {
            let types = format!("{} and {}", describe_type(&left_type), describe_type(&right_type));
            let message = format!("`{symbol}` is always {outcome}: {types} have no value in common");
            let near = suggest_enum_value(&left_type, right).or_else(|| suggest_enum_value(&right_type, left));
            self.add_warning(NEVER_MATCHES, span, message).help_if(near);
        }
    }

    fn check_match(&mut self, left: Id, right: Id, symbol: &str, found_left: &Inferred, found_right: &Inferred) {
        self.result.compared += 1;
        let left_type = found_left.known_type();
        if let Some(type_) = found_right.as_type_value().cloned() {
            if found_left.as_type_value().is_none() && !may_overlap(&left_type, &type_) {
                let outcome = if symbol == "=~" { "false" } else { "true" };
                let (left, right_type) = (describe_type(&left_type), describe_type(&type_));
                let message = format!("`{symbol}` is always {outcome}: a value of type {left} is never {right_type}");
                self.add_warning(NEVER_MATCHES, self.tree[right].span, message);
            }
            return;
        }
        self.note_match(constant_value(self.tree, right).as_ref());
        let right_type = found_right.known_type();
        if !may_be(&right_type, "Regexp String SemVerRange Type") {
            let got = describe_type(&right_type);
            let message = format!("the right side of `{symbol}` is a regular expression or a type, got {got}");
            self.add_error(OPERAND, self.tree[right].span, message);
        } else if matches!(*right_type, Type::Regexp(_)) && !may_be(&left_type, "String") {
            let span = self.tree[left].span;
            let (got, written) = (describe_type(&left_type), self.tree.text_of(left));
            self.add_error(OPERAND, span, format!("a regular expression matches strings, got a value of type {got}"))
                .help(format!("convert it: String({written}) {symbol} …"));
        } else if let Some(pattern @ Value::Regexp(_)) = constant_value(self.tree, right)
            && found_left.value().is_none()
            && !may_match_pattern(&pattern, &left_type)
        {
            let message = format!("no value of type {} matches it", describe_type(&left_type));
            self.add_warning(NEVER_MATCHES, self.tree[right].span, message);
        } else {
            self.check_pattern_can_match(left, right);
        }
    }

    /// Notes that a match may set match variables: those of `pattern`, or any if it is not known.
    pub(super) fn note_match(&mut self, pattern: Option<&Value>) {
        let groups = if let Some(Value::Regexp(regexp)) = pattern { regexp.group_names().count() } else { usize::MAX };
        self.match_variable_count = self.match_variable_count.max(Some(groups));
    }

    /// Reports a regular expression that no string of the form of its subject matches: `"${a}-${b}" =~ /^a$/`.
    pub(super) fn check_pattern_can_match(&mut self, subject: Id, pattern: Id) {
        let Some(Value::Regexp(regexp)) = constant_value(self.tree, pattern) else { return };
        if let Some(form) = self.form_of_string(subject).filter(|form| form.is_disjoint_from(&regexp)) {
            let message = format!("no value of `{}` matches it", self.tree.text_of(subject));
            self.add_warning(NEVER_MATCHES, self.tree[pattern].span, message)
                .help(format!("its values match /{}/", form.source()));
        } else if let Some(names) = self.fact_path(subject).map(|(path, _)| core_facts::known_os_fact_values(&path))
            && !names.is_empty()
            && !names.iter().any(|name| regexp.is_match(name).unwrap_or(true))
            && let Ok(relaxed) = Regexp::new(&format!("(?i:{})", regexp.source()))
            && let Some(name) = names.iter().find(|name| relaxed.is_match(name).unwrap_or(false))
        {
            let message = format!("a regular expression is case-sensitive, and the fact is '{name}'");
            self.add_warning(NEVER_MATCHES, self.tree[pattern].span, message);
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
                let (scope, (value, _)) = self.find_variable(name)?;
                // `$a = $b`, `$b = $a`: the value of a variable is before its use.
                return if scope.assigned.contains(name) && *value < id { self.form_of_string(*value) } else { None };
            }
            Expression::Concatenation(parts) => {
                let form = |part: &Id| match constant_value(tree, *part) {
                    Some(Value::String(text)) => regexp::escape(&text),
                    _ => "(?m:.*)".to_owned(),
                };
                format!(r"\A{}\z", parts.iter().map(form).collect::<String>())
            }
            Expression::Access(call, _) if callee_name(tree, &tree[*call]) == Some("split") => {
                let Expression::Call { arguments, .. } = &tree[*call].expression else { return None };
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
        self.result.compared += 1;
        let (left_type, right_type) = (left.known_type(), right.known_type());
        if !may_be(&right_type, "String Collection Type") {
            let message = format!("nothing is `in` a value of type {}", describe_type(&right_type));
            self.add_warning(NEVER_MATCHES, span, message).help("the right side is an Array, a Hash or a String");
        } else if Type::built_in_type("Collection").accepts(&left_type)
            && Type::built_in_type("String").accepts(&right_type)
        {
            self.add_warning(NEVER_MATCHES, span, format!("{} is never `in` a String", describe_type(&left_type)))
                .help("swap the two sides");
        } else if let Some(Value::Array(elements)) = right.value().filter(|_| !left.has_type_any()) {
            let is_other = |element: &Value| {
                matches!(element, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_))
                    && !may_be_equal(&left_type, &Type::of(element))
            };
            let is_plain = !may_be(&left_type, "Type Regexp");
            if is_plain && !elements.is_empty() && elements.iter().all(is_other) {
                let message = format!("`in` is always false: no value of {} is in the list", describe_type(&left_type));
                self.add_warning(NEVER_MATCHES, span, message);
            }
        }
    }

    fn check_ordering(&mut self, span: Span, symbol: &str, left: &Inferred, right: &Inferred) {
        /// Groups of types. Two values can be compared if their types are in the same group.
        const COMPARABLE_TYPES: [&str; 5] =
            ["String", "Timespan Integer Float", "Timestamp Integer Float", "SemVer", "Type"];
        self.result.compared += 1;
        let (left, right) = (left.known_type(), right.known_type());
        if COMPARABLE_TYPES.iter().any(|family| may_be(&left, family) && may_be(&right, family)) {
            let (low, high) = if symbol.starts_with('<') { (&left, &right) } else { (&right, &left) };
            if let (Type::Integer(low), Type::Integer(high)) = (&*low.behind_aliases(), &*high.behind_aliases())
                && (low.from() > high.to() || symbol.len() == 1 && low.from() == high.to())
            {
                self.add_warning(NEVER_MATCHES, span, format!("`{symbol}` is always false between {left} and {right}"));
            }
            return;
        }
        let message = format!("`{symbol}` cannot compare {} with {}", describe_type(&left), describe_type(&right));
        let is_number = |type_: &Type| matches!(type_.kind(), Kind::Integer | Kind::Float);
        let is_text = |type_: &Type| matches!(type_.kind(), Kind::String | Kind::Enum | Kind::Pattern);
        let are_mixed = is_text(&left) && is_number(&right) || is_number(&left) && is_text(&right);
        let help = "convert the string: Integer($x), or compare versions with versioncmp()";
        self.add_error(OPERAND, span, message).help_if(are_mixed.then(|| help.to_owned()));
    }

    /// Returns `false` after reporting an invalid operand. With `needs_number`, a string must look like a number.
    fn check_arithmetic_operand(&mut self, id: Id, symbol: &str, found: &Inferred, needs_number: bool) -> bool {
        self.result.compared += 1;
        if symbol == "<<" {
            return true;
        }
        let (span, type_) = (self.tree[id].span, found.known_type());
        let is_of_sum = matches!(symbol, "+" | "-") && may_be(&type_, "Collection Timestamp URI Binary SemVer");
        if !is_of_sum && !may_be(&type_, "Integer Float String Timespan") {
            let message = format!("`{symbol}` cannot use a value of type {}", describe_type(&type_));
            self.add_error(OPERAND, span, message);
        } else if needs_number && is_never_numeric(found) {
            let of_type = || format!("a value of type {}", describe_type(&type_));
            let got = found.value().map_or_else(of_type, describe);
            self.add_error(OPERAND, span, format!("`{symbol}` needs a number, got {got}"))
                .help("to join strings write \"${a}${b}\"");
        } else {
            return true;
        }
        false
    }

    pub(super) fn visit_access(&mut self, id: Id, target: Id, keys: &[Id]) -> Inferred {
        let tree = self.tree;
        if let Expression::Reference(name) = &tree[target].expression {
            let is_evaluated = match self.visit_type_reference(target).as_type_value() {
                // References to resources depend on the catalog.
                Some(Type::Resource(resource)) => resource.type_name().is_none(),
                type_ => type_.is_some(),
            };
            let found = self.visit_all(keys);
            if strip_leading_colons(name).eq_ignore_ascii_case("class") {
                for (key, inferred) in keys.iter().zip(&found) {
                    self.resolve_classes(*key, inferred);
                }
                return Inferred::from_type_name("Type");
            }
            let is_known = is_evaluated && found.iter().all(|key| key.value().is_some());
            let type_ = if is_known { self.environment.static_type(tree, id) } else { None };
            return type_.map_or_else(Inferred::unknown, |type_| Inferred::Value(type_.into()));
        }
        let subject = self.visit(target);
        let found = self.visit_all(keys);
        let subject_type = subject.known_type();
        let mut without_parts = "Undef Boolean Numeric Sensitive Regexp Timespan Timestamp".split(' ');
        if without_parts.any(|name| Type::built_in_type(name).accepts(&subject_type)) {
            let message = format!("`[]` cannot use a value of type {}", describe_type(&subject_type));
            self.add_error(OPERAND, tree[target].span, message);
        }
        self.check_data_values(target, &subject, |this, value| {
            if value.is_undef() {
                let message = format!("`{}` is undef, which has no parts", tree.text_of(target));
                this.add_error(OPERAND, tree[target].span, message);
            }
        });
        let ([key], [written]) = (&found[..], keys) else { return Inferred::unknown() };
        let name = key.known_string().unwrap_or_default();
        // `require => package['nginx']`
        if key.known_string().is_some_and(|key| key.parse::<f64>().is_err())
            && Type::built_in_type("String").accepts(&subject_type)
        {
            let message = format!("expected an Integer as the position in a String, got '{name}'");
            self.add_error("BAD_STRING_SLICE_KEY_TYPE", tree[*written].span, message)
                .help_if(subject.known_string().and_then(Type::named).map(|type_| format!("did you mean {type_}[…]?")));
        }
        if let Some(entry) = subject.hash_entry(name) {
            return entry;
        }
        let members = |type_: &Type| Some(StructType::of_type(type_)?.members().to_vec());
        let members: Option<Vec<_>> = subject_type.alternatives().iter().map(members).collect();
        let members = members.map(|members| members.concat()).filter(|_| key.known_string().is_some());
        if let Some(members) = members.filter(|members| !members.iter().any(|one| one.name() == name)) {
            let names: Vec<&str> = members.iter().map(Member::name).collect::<IndexSet<_>>().into_iter().collect();
            let near = did_you_mean(nearest(name, names.iter().copied()).map(|near| format!("'{near}'")));
            let message = format!("a value of type {} has no key '{name}'", describe_type(&subject_type));
            self.add_warning("UNKNOWN_KEY", tree[*written].span, message)
                .help(near.unwrap_or_else(|| format!("its keys are {}", names.join(", "))));
            return Inferred::unknown();
        }
        type_of_part_at_key(&subject_type, key.value()).map_or_else(Inferred::unknown, Inferred::Type)
    }

    /// Reports an `elsif` after a condition with the same text, which is never reached.
    fn report_repeated_condition(&mut self, first: Id, otherwise: Option<Id>) {
        let next = |branch: Option<Id>| match self.tree[branch?].expression {
            Expression::If { condition, otherwise, .. } => Some((condition, otherwise)),
            _ => None,
        };
        let mut chain = std::iter::successors(next(otherwise), |(_, otherwise)| next(*otherwise)).take(64);
        let is_same = |(condition, _): &(Id, _)| self.tree.text_of(*condition) == self.tree.text_of(first);
        if let Some((same, _)) = chain.find(is_same) {
            let message = "this branch is never reached: an earlier one has the same condition";
            self.add_warning(NEVER_MATCHES, self.tree[same].span, message);
        }
    }

    /// Visits an `if` or `unless`. In the branch `then`, variables have the types that the condition implies.
    pub(super) fn visit_if(&mut self, id: Id, condition: Id, then: Option<Id>, otherwise: Option<Id>) -> Inferred {
        let before = self.match_variable_count;
        let found = self.visit(condition);
        self.report_always_true(condition, &found);
        self.report_repeated_condition(condition, otherwise);
        let (narrowed, deciders) = (self.narrowed_if_true(condition), self.dependencies_of_expression(condition));
        let excluded = self.narrowed_if_false(condition, &narrowed);
        let always_holds = |(name, type_): &Narrowed| {
            let known = self.find_variable_value(name).filter(|known| type_.accepts(&known.known_type()));
            known.is_some_and(|known| is_always_true(&known))
        };
        let holds = !narrowed.is_empty() && narrowed.iter().all(always_holds);
        let outcome = || Some((id, Inferred::Value(Value::Undef)));
        let without = || BranchEnd { branch: (!holds).then_some(id), outcome: outcome(), ..BranchEnd::default() };
        let branches = [(then, narrowed), (otherwise, excluded)].map(|(branch, narrowed)| match branch {
            Some(branch) => self.visit_branch(branch, narrowed, &deciders),
            None => without(),
        });
        self.match_variable_count = before;
        self.join_branches(&deciders, branches.into())
    }

    /// Reports the call `id`, used as a condition, if no result of it is false or undef: `if versioncmp($a, $b) { … }`.
    fn report_always_true(&mut self, id: Id, found: &Inferred) {
        if callee_name(self.tree, &self.tree[id]).is_some() && is_always_true(found) {
            let type_ = found.known_type();
            let message = format!("the condition is always true: {} is never false or undef", describe_type(&type_));
            let is_number = Type::built_in_type("Numeric").accepts(&type_);
            let help =
                if is_number { "compare it, as in `… > 0`" } else { "to ask whether it is empty call `empty`" };
            self.add_warning(NEVER_MATCHES, self.tree[id].span, message).help(help);
        }
    }

    /// Returns the types of variables that a false condition implies: of an Optional[String], `$x =~ String` leaves undef.
    /// `narrowed` are the types that the true condition implies.
    fn narrowed_if_false(&mut self, condition: Id, narrowed: &[Narrowed]) -> Vec<Narrowed> {
        match &self.tree[condition].expression {
            Expression::Parenthesized(inner) => self.narrowed_if_false(*inner, narrowed),
            Expression::Unary(UnaryOperator::Not, inner) => self.narrowed_if_true(*inner),
            Expression::Binary(BinaryOperator::Match, ..) => {
                let excluded = |(name, type_): &Narrowed| {
                    let known = self.find_variable_value(name).filter(|known| known.value().is_none())?;
                    let mut rest = known.known_type().alternatives();
                    rest.retain(|one| !type_.accepts(one));
                    (!rest.is_empty()).then(|| (name.clone(), Type::one_of(rest)))
                };
                narrowed.iter().filter_map(excluded).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the types of variables that a true condition implies: `$x =~ String` makes `$x` a String.
    fn narrowed_if_true(&mut self, condition: Id) -> Vec<Narrowed> {
        let tree = self.tree;
        match &tree[condition].expression {
            Expression::Parenthesized(inner) => self.narrowed_if_true(*inner),
            Expression::Binary(BinaryOperator::And, left, right) => {
                [self.narrowed_if_true(*left), self.narrowed_if_true(*right)].concat()
            }
            Expression::Binary(BinaryOperator::Match, left, right)
                if let Expression::Variable(name) = &tree[*left].expression =>
            {
                let type_ = self.evaluate_type_expression(Some(*right));
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
}

pub(super) fn suggest_enum_value(type_: &Type, found: &Inferred) -> Option<String> {
    let text = found.known_string()?;
    let alternatives = type_.alternatives();
    let values = alternatives.iter().filter_map(possible_strings).flatten().map(|value| &**value);
    did_you_mean(nearest(text, values).map(|near| format!("'{near}'")))
}

pub(super) fn is_always_true(found: &Inferred) -> bool {
    let type_ = found.known_type();
    ![Value::Undef, false.into()].iter().any(|value| may_overlap(&type_, &Type::of(value)))
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
    use BinaryOperator::{Minus, Plus, ShiftLeft};
    let [left, right] = [left, right].map(|side| side.known_type().behind_aliases().kind());
    Inferred::from_type_name(match (left, right, operator) {
        (Kind::Integer, Kind::Integer, _) => "Integer",
        (Kind::Float, Kind::Integer | Kind::Float, _) | (Kind::Integer, Kind::Float, _) => "Float",
        (Kind::Array | Kind::Tuple, _, Plus | Minus | ShiftLeft) => "Array",
        (Kind::Hash | Kind::Struct, _, Plus | Minus) => "Hash",
        _ => "Any",
    })
}
