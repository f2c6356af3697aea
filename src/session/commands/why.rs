//! `:why`: explains what failed: a value that does not match a type, a type that does not accept another, an error.

use std::mem::discriminant;

use super::{Answer, Console, Listener, Reply, Session, Source, Value, append_lines, limit_lines, nearest, relations};
use crate::error::{Error, RUNTIME_ERROR};
use crate::explain::counterexample;
use crate::explain::difference::{Difference, differences};
use crate::explain::mismatch::{self, Mismatch, Reason};
use crate::operators::equality::equals;
use crate::syntax::tree::{BinaryOperator, CaseOption, Expression, Id, Node, Tree, UnaryOperator};
use crate::types::describe::{abbreviate_type, describe, describe_type, shorten};
use crate::types::secret::{describe_safely, wrap_secrets};
use crate::types::{ArrayType, PatternType, Type};
use crate::{format, stack, syntax};

const MAX_DIFFERENCES: usize = 12;

/// The maximum characters of value and type in the first line of an explanation; a longer value is shortened.
const MAX_HEADER_CHARACTERS: usize = 150;
const MIN_VALUE_CHARACTERS: usize = 30;

const MAX_TYPE_CHARACTERS: usize = 90;

/// Runs `:why`: explains a test, `VALUE, TYPE` or other code; without an argument, the last failure. `all` lists every
/// mistake of the last explanation; a number shows the alternative that the explanation has folded under this number.
pub(super) fn run_why(session: &mut Console, question: &str, _: &mut Listener<'_>) -> Answer {
    if question != "all" {
        return explain_question(session, question);
    }
    if session.entries.last_full_explanation.is_none() {
        explain_question(session, "")?;
    }
    session.entries.last_full_explanation.clone().map(Reply::Text).ok_or_else(nothing_to_explain_reply)
}

fn nothing_to_explain_reply() -> Reply {
    Reply::Refused("nothing to explain yet; try `:why '80' =~ Integer`".to_owned())
}

fn explain_question(session: &mut Session, question: &str) -> Answer {
    if let Ok(number) = question.parse::<usize>() {
        return Ok(Reply::Text(explain_listed_branch(session, number)));
    }
    if let Some((path, type_)) = question.split_once("=~")
        && let Some(value) = session.data_of_file(path.trim())
    {
        session.set_variable("_file", value?);
        return explain_question(session, &format!("$_file =~{type_}"));
    }
    let source = match session.entries.last_entry.clone() {
        _ if !question.is_empty() => session.next_entry_source(question),
        Some(last) => last,
        None => return Err(nothing_to_explain_reply()),
    };
    let tree = match syntax::parse(&source) {
        Ok(tree) => tree,
        Err(error) => return explain_comma_separated_pair(session, question).unwrap_or_else(|| Err(error.into())),
    };
    let last = *tree.statements().last().unwrap_or(&tree.body);
    let answers = explain_tests(session, &tree, last);
    if let [Err(error)] = &answers[..] {
        return Ok(show_explanation(session, explain_failure(error)));
    }
    // What fails uses what only a block knows.
    let mut explanations: Vec<Explanation> = answers.into_iter().flatten().collect();
    // Failures come first.
    explanations.sort_by_key(|explanation| matches!(explanation, Explanation::Success(_)));
    let explanation = match (explanations.into_iter().next(), &session.entries.last_error) {
        (None | Some(Explanation::Success(_)), Some(error)) if question.is_empty() => explain_failure(error),
        (Some(explanation), _) => explanation,
        (None, _) if question.is_empty() => return Err(nothing_to_explain_reply()),
        (None, _) => match session.evaluate(&source, &mut |_| {}) {
            Ok(value) => return Ok(Reply::Text(format!("nothing failed: the result is {}", describe(&value)))),
            Err(error) => explain_failure(&error),
        },
    };
    Ok(show_explanation(session, explanation))
}

/// Returns the reply with the explanation, and stores it for `:why all` and `:why 2`.
fn show_explanation(session: &mut Session, explanation: Explanation) -> Reply {
    let (text, whole, mismatch) = match explanation {
        Explanation::Success(text) | Explanation::Failure(text) => (text.clone(), text, None),
        Explanation::Mismatch(text, mismatch) => {
            let first = text.lines().next().unwrap_or_default();
            let whole = append_lines(first, mismatch::lines_of_all_leaves(&mismatch));
            (text, whole, Some(*mismatch))
        }
    };
    session.entries.last_full_explanation = Some(whole);
    session.entries.last_mismatch = mismatch;
    Reply::Text(text)
}

/// Explains in one line why the last entry, a test with `=~` or `==`, is false. Returns `None` if it is true, compares
/// two values of the same kind, or calls a function, which would run a second time.
pub(in crate::session) fn explain_false_result(session: &mut Session) -> Option<String> {
    let tree = syntax::parse(&session.entries.last_entry.clone()?).ok()?;
    let last = *tree.statements().last()?;
    let is_call = |node: &Node| matches!(node.expression, Expression::Call { .. });
    if tree.nodes_within(last).any(is_call) {
        return None;
    }
    match tree[last].expression {
        Expression::Binary(BinaryOperator::Match, ..) => {}
        Expression::Binary(BinaryOperator::Equal, left, right) => {
            let (left, right) = (evaluate_node(session, &tree, left).ok()?, evaluate_node(session, &tree, right).ok()?);
            let is_of_kind = discriminant(&left) == discriminant(&right);
            return (!is_of_kind).then(|| describe_first_difference("", &left, &right)).flatten();
        }
        _ => return None,
    }
    match explain_test(session, &tree, last).ok()?? {
        Explanation::Success(_) => None,
        Explanation::Failure(text) => text.lines().nth(1).map(|line| line.trim_start().to_owned()),
        Explanation::Mismatch(_, mismatch) => {
            let lines = mismatch::explanation_lines(&mismatch);
            let more = if lines.len() > 1 { format!("; `:why` shows {} more", lines.len() - 1) } else { String::new() };
            Some(format!("{}{more}", lines.first()?))
        }
    }
}

enum Explanation {
    Success(String),
    Failure(String),
    /// A failure that `:why 2` and `:why all` can go into.
    Mismatch(String, Box<Mismatch>),
}

/// Explains each of the tests that decide the value of the expression `id`, in order.
fn explain_tests(session: &mut Session, tree: &Tree, id: Id) -> Vec<Result<Explanation, Error>> {
    match &tree[id].expression {
        Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
            [left, right].into_iter().flat_map(|side| explain_tests(session, tree, *side)).collect()
        }
        Expression::Unary(UnaryOperator::Not, inner)
        | Expression::Assignment(_, _, inner)
        | Expression::Parenthesized(inner)
        | Expression::If { condition: inner, .. } => explain_tests(session, tree, *inner),
        _ => explain_test(session, tree, id).transpose().into_iter().collect(),
    }
}

fn evaluate_node(session: &mut Session, tree: &Tree, id: Id) -> Result<Value, Error> {
    // Whatever else it reports was reported when the question was asked.
    session.eval_rejecting_unknown_types(&Source::new(tree.source.name(), tree.text_of(id)))
}

/// Explains the test `id`; returns `None` if the expression is not of a kind that can be explained.
fn explain_test(session: &mut Session, tree: &Tree, id: Id) -> Result<Option<Explanation>, Error> {
    let mut value = |id: Id| evaluate_node(session, tree, id);
    Ok(Some(match &tree[id].expression {
        Expression::Binary(BinaryOperator::Match | BinaryOperator::NoMatch, left, right) => {
            match (value(*left)?, value(*right)?) {
                (left, Value::Type(type_)) => explain_instance_test(&type_, &left),
                (Value::String(string), Value::Regexp(regexp)) if regexp.is_match(&string)? => {
                    Explanation::Success(format!("no mismatch: /{}/", regexp.source()))
                }
                (Value::String(string), Value::Regexp(regexp)) => {
                    let pattern = PatternType::new([regexp.clone()]).into();
                    let (regexp, string) = (Value::Regexp(regexp), Value::String(string));
                    let text = format!("{} does not match {}", describe(&string), format::program_text(&regexp));
                    let reason = mismatch::explain(&pattern, &string).map(|mismatch| mismatch.reason);
                    Explanation::Failure(match reason {
                        Some(Reason::Pattern(Some(partial))) => format!("{text}\n  {partial}"),
                        _ => text,
                    })
                }
                (left, right) => {
                    Explanation::Success(format!("{} =~ {} compares no types", describe(&left), describe(&right)))
                }
            }
        }
        // The accepting type last.
        Expression::Binary(BinaryOperator::Less | BinaryOperator::LessOrEqual, left, right)
        | Expression::Binary(BinaryOperator::Greater | BinaryOperator::GreaterOrEqual, right, left) => {
            match (value(*left)?, value(*right)?) {
                (Value::Type(given), Value::Type(expected)) => explain_subtype_test(&given, &expected),
                (left, _) => {
                    let is_true = value(id)? == Value::from(true);
                    let is_string = matches!(left, Value::String(_));
                    let how = if is_string { ": strings are compared ignoring their case" } else { "" };
                    let text = format!("{} is {is_true}{how}", tree.text_of(id));
                    if is_true { Explanation::Success(text) } else { Explanation::Failure(text) }
                }
            }
        }
        Expression::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) => {
            explain_equality(&value(*left)?, &value(*right)?)
        }
        Expression::Binary(BinaryOperator::In, left, right) => explain_membership(&value(*left)?, &value(*right)?),
        Expression::Selector(subject, options) | Expression::Case(subject, options) => {
            explain_case_or_selector(session, tree, *subject, options)?
        }
        _ => return Ok(None),
    }))
}

fn explain_case_or_selector(
    session: &mut Session,
    tree: &Tree,
    subject: Id,
    options: &[CaseOption],
) -> Result<Explanation, Error> {
    let subject = evaluate_node(session, tree, subject)?;
    let (mut lines, mut shown) = (Vec::new(), subject.clone());
    for &id in options.iter().flat_map(|option| &option.values) {
        let line = match evaluate_node(session, tree, id)? {
            Value::Default => return Ok(Explanation::Success("`default` matches every value".to_owned())),
            Value::Type(type_) => match mismatch::explain(&type_, &subject) {
                None => return Ok(Explanation::Success(format!("{type_} matches"))),
                Some(mismatch) => {
                    shown = wrap_secrets(&type_, &shown);
                    mismatch::explanation_lines(&mismatch).join("; ")
                }
            },
            option => format!("{} is another value", format::program_text(&option)),
        };
        lines.push(shorten(&format!("{}: {line}", tree.text_of(id)), 187));
    }
    lines.truncate(MAX_DIFFERENCES);
    Ok(Explanation::Failure(append_lines(&format!("no option matches {}", describe(&shown)), lines)))
}

fn explain_instance_test(type_: &Type, value: &Value) -> Explanation {
    let (described, name) = (describe_safely(type_, value), abbreviate_type(type_, MAX_TYPE_CHARACTERS));
    match mismatch::explain(type_, value) {
        None => Explanation::Success(format!("no mismatch: {described} is of type {name}")),
        Some(mismatch) => {
            let type_ = describe_type(type_);
            // The value is shortened before the type is.
            let room = MAX_HEADER_CHARACTERS.saturating_sub(type_.chars().count()).max(MIN_VALUE_CHARACTERS);
            let text = format!("{} is not of type {type_}", shorten(&described, room));
            Explanation::Mismatch(append_lines(&text, mismatch::lines_below_message(&mismatch)), Box::new(mismatch))
        }
    }
}

fn explain_subtype_test(given: &Type, expected: &Type) -> Explanation {
    let [name, other] = [given, expected].map(|type_| abbreviate_type(type_, MAX_TYPE_CHARACTERS));
    if expected.accepts(given) {
        return Explanation::Success(match counterexample::in_difference(given, &[expected]) {
            None => format!("every value of {name} is a value of {other}"),
            Some(value) => describe_unsound_subtype(&name, &other, &value),
        });
    }
    let breaking = differences(given, expected);
    let breaking = breaking.iter().filter(|difference| difference.breaks);
    // Of two types without parts the first line says it all.
    let is_part = |difference: &&Difference| {
        !difference.path.is_empty() || difference.before.as_ref().is_some_and(|before| !before.equals(given))
    };
    let mut lines =
        limit_lines(breaking.filter(is_part).map(Difference::describe_reason).collect(), MAX_DIFFERENCES, "");
    // What a function accepts is in the lines above.
    if lines.is_empty() || !matches!(*given.behind_aliases(), Type::Callable(_)) {
        lines.push(relations::explain_not_accepted(given, expected, |type_| {
            abbreviate_type(type_, MAX_TYPE_CHARACTERS / 2)
        }));
    }
    Explanation::Failure(append_lines(&format!("{other} does not accept {name}"), lines))
}

pub(super) fn describe_unsound_subtype(name: &str, other: &str, value: &Value) -> String {
    format!(
        "by Puppet's rules every value of {name} is a value of {other}, but these rules are wrong here: {} is not",
        describe(value)
    )
}

fn explain_equality(left: &Value, right: &Value) -> Explanation {
    match describe_first_difference("", left, right) {
        None => {
            let ignored = if matches!(left, Value::String(_)) && left != right { ": case is ignored" } else { "" };
            Explanation::Success(format!("{} equals {}{ignored}", describe(left), describe(right)))
        }
        Some(reason) => {
            let text = format!("{} does not equal {}", describe(left), describe(right));
            Explanation::Failure(if text == reason { text } else { format!("{text}\n  {reason}") })
        }
    }
}

fn describe_first_difference(path: &str, left: &Value, right: &Value) -> Option<String> {
    if equals(left, right) {
        return None;
    }
    let within = |key: &Value, left: &Value, right: &Value| {
        let path = format!("{path}[{}]", format::program_text(key));
        stack::with_room(|| describe_first_difference(&path, left, right))
    };
    let part = match (left, right) {
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let mut pairs = (0_i64..).zip(left.iter().zip(right.iter()));
            pairs.find_map(|(at, (left, right))| within(&Value::from(at), left, right))
        }
        (Value::Hash(left), Value::Hash(right)) => {
            left.iter().find_map(|(key, left)| within(key, left, right.get(key)?))
        }
        _ => None,
    };
    let at = if path.is_empty() { String::new() } else { format!("{path}: ") };
    part.or_else(|| Some(format!("{at}{} does not equal {}", describe(left), describe(right))))
}

fn explain_membership(element: &Value, collection: &Value) -> Explanation {
    let (name, list) = (describe(element), describe(collection));
    let (elements, article, part): (Vec<Value>, _, _) = match collection {
        Value::Hash(entries) => (entries.keys().cloned().collect(), "a", "key"),
        other => (other.as_array().map_or_else(Vec::new, |elements| elements.to_vec()), "an", "element"),
    };
    if let Value::Type(type_) = element {
        let list = describe_safely(&Type::from(ArrayType::new(type_.clone(), None)), &Value::from(elements.clone()));
        return match elements.iter().find(|element| type_.has_instance(element)) {
            Some(found) => Explanation::Success(format!("{} is of type {type_}", describe_safely(type_, found))),
            None => {
                let reasons = elements.iter().filter_map(|element| mismatch::explain(type_, element));
                let reasons = reasons.take(MAX_DIFFERENCES).map(|mismatch| mismatch.to_string());
                Explanation::Failure(append_lines(&format!("no {part} of {list} is of type {type_}"), reasons))
            }
        };
    }
    let is_equal = |other: &&Value| match (element, other) {
        (Value::String(one), Value::String(other)) => one.eq_ignore_ascii_case(other),
        (one, other) => one == *other,
    };
    if let Some(found) = elements.iter().find(is_equal) {
        let how = if element == found { String::new() } else { format!(", which equals {name}: case is ignored") };
        return Explanation::Success(format!("{} is {article} {part} of {list}{how}", describe(found)));
    }
    let text = format::text(element);
    let same_text = elements.iter().find(|other| format::text(other) == text);
    let near = || nearest(&text, elements.iter().filter_map(Value::as_str));
    let hint = match (same_text, near()) {
        (Some(other), _) => format!("; it has {}, which is another value", describe(other)),
        (None, Some(near)) => format!("; did you mean '{near}'?"),
        (None, None) => String::new(),
    };
    Explanation::Failure(format!("no {part} of {list} equals {name}{hint}"))
}

fn explain_failure(error: &Error) -> Explanation {
    let mismatch = Mismatch::explanation_of_error(error);
    let mut reasons = mismatch.map(mismatch::lines_below_message).unwrap_or_default();
    let others: Vec<String> = error.help().iter().filter(|advice| !reasons.contains(advice)).cloned().collect();
    reasons.extend(others);
    // Of that code there is nothing to say.
    let hint =
        (error.code() != RUNTIME_ERROR).then(|| format!("`:explain {}` describes this kind of error", error.code()));
    let lines = reasons.into_iter().chain(hint).map(|reason| reason.replace('\n', "\n    "));
    let text = append_lines(error.message(), lines);
    match mismatch {
        Some(mismatch) => Explanation::Mismatch(text, Box::new(mismatch.clone())),
        None => Explanation::Failure(text),
    }
}

/// Explains the mismatch with the alternative of a type that the last explanation has folded under `number`.
fn explain_listed_branch(session: &Session, number: usize) -> String {
    let Some(explained) = &session.entries.last_mismatch else {
        return "nothing to expand yet; `:why` explains what failed last".to_owned();
    };
    let folded = explained.other_possible_branches();
    match number.checked_sub(1).and_then(|at| folded.get(at)) {
        Some(branch) => {
            append_lines(&format!("not {}", describe_type(&branch.expected)), mismatch::explanation_lines(branch))
        }
        None if folded.is_empty() => "the last explanation has no folded alternatives".to_owned(),
        None => format!("expected a branch from 1 to {}, got {number}", folded.len()),
    }
}

/// Explains `VALUE, TYPE` and other pairs; returns `None` if `code` is not two expressions with a comma.
fn explain_comma_separated_pair(session: &mut Session, code: &str) -> Option<Answer> {
    let tree = syntax::parse(&Source::new("entry", format!("[{code}]"))).ok()?;
    let [only] = tree.statements() else { return None };
    let Expression::Array(elements) = &tree[*only].expression else { return None };
    let [left, right] = elements[..] else { return None };
    let sides = evaluate_node(session, &tree, left).and_then(|left| Ok((left, evaluate_node(session, &tree, right)?)));
    let explanation = sides.map(|sides| match sides {
        (Value::Type(given), Value::Type(expected)) if !expected.has_instance(&Value::Type(given.clone())) => {
            explain_subtype_test(&given, &expected)
        }
        (value, Value::Type(type_)) => explain_instance_test(&type_, &value),
        (value, other) => explain_membership(&value, &other),
    });
    Some(explanation.map(|explanation| show_explanation(session, explanation)).map_err(Into::into))
}
