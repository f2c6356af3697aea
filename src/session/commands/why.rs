//! `:why`: explains what failed: a value that does not match a type, a type that does not accept another, an error.

use crate::error::{Error, RUNTIME_ERROR};
use crate::eval::UNKNOWN_TYPE;
use crate::explain::counterexample;
use crate::explain::difference::{Difference, differences};
use crate::explain::mismatch::{self, Mismatch, Reason};
use crate::operators::equality::equals;
use crate::session::{Event, Listener, Reply, Session};
use crate::syntax::tree::{BinaryOperator, Expression, Id, Tree, UnaryOperator};
use crate::text::Source;
use crate::types::describe::{abbreviated, cut, describe, for_message};
use crate::types::secret::{describe_for, redacted};
use crate::types::{ArrayType, PatternType, Type};
use crate::value::Value;
use crate::wording::nearest;
use crate::{format, stack, syntax};

const MAX_DIFFERENCES: usize = 12;

/// How long a type is in a line, in characters.
const MAX_TYPE_CHARACTERS: usize = 90;

/// Explains a question, `VALUE, TYPE`, the code that is given, or what failed last; of a number, the branch that the last
/// explanation has folded.
pub(super) fn why(session: &mut Session, question: &str, _: &mut Listener<'_>) -> Reply {
    if let Ok(number) = question.parse::<usize>() {
        return Reply::Text(branch(session, number));
    }
    let source = match session.entries.last.clone() {
        _ if !question.is_empty() => session.entry_source(question),
        Some(last) => last,
        None => return nothing(),
    };
    let tree = match syntax::parse(&source) {
        Ok(tree) => tree,
        Err(error) => match pair(session, question) {
            Some(told) => return told.map_or_else(Reply::Failed, Reply::Text),
            None => return Reply::Failed(error),
        },
    };
    let last = *tree.statements().last().unwrap_or(&tree.body);
    let mut asked = Vec::new();
    questions(&tree, last, &mut asked);
    let mut answers = Vec::new();
    for question in &asked {
        match answer(session, &tree, question) {
            Ok(answer) => answers.push(answer),
            // It uses what only a block knows.
            Err(_) if asked.len() > 1 => {}
            Err(error) => return Reply::Text(failure(session, &error)),
        }
    }
    // Failures come first.
    answers.sort_by_key(|answer| !answer.is_failure);
    match (answers.into_iter().next(), session.entries.failure.clone()) {
        (None | Some(Answer { is_failure: false, .. }), Some(error)) if question.is_empty() => {
            Reply::Text(failure(session, &error))
        }
        (Some(answer), _) => {
            session.entries.explained = answer.mismatch;
            Reply::Text(answer.text)
        }
        (None, _) if question.is_empty() => nothing(),
        (None, _) => match session.evaluate(&source, &mut |_| {}) {
            Ok(value) => Reply::Text(format!("nothing failed: the result is {}", describe(&value))),
            Err(error) => Reply::Text(failure(session, &error)),
        },
    }
}

fn nothing() -> Reply {
    Reply::Refused("nothing to explain yet; try `:why '80' =~ Integer`".to_owned())
}

struct Answer {
    text: String,
    is_failure: bool,
    mismatch: Option<Mismatch>,
}

impl Answer {
    fn failure(text: String) -> Answer {
        Answer { text, is_failure: true, mismatch: None }
    }

    fn success(text: String) -> Answer {
        Answer { text, is_failure: false, mismatch: None }
    }
}

/// What can be asked again.
enum Question {
    /// `VALUE =~ TYPE`
    Match(Id, Id),
    /// `WIDE <= NARROW`: the accepting type last
    Accept(Id, Id),
    /// `VALUE == VALUE`
    Equal(Id, Id),
    /// `ELEMENT in ARRAY`
    In(Id, Id),
    /// `VALUE ? { OPTION => … }`, and a `case`
    Options(Id, Vec<Id>),
}

/// The questions that decide what an expression gives, in order.
fn questions(tree: &Tree, id: Id, found: &mut Vec<Question>) {
    match &tree[id].expression {
        Expression::Binary(operator, left, right) => match operator {
            BinaryOperator::Match | BinaryOperator::NoMatch => found.push(Question::Match(*left, *right)),
            BinaryOperator::Less | BinaryOperator::LessOrEqual => found.push(Question::Accept(*left, *right)),
            BinaryOperator::Greater | BinaryOperator::GreaterOrEqual => found.push(Question::Accept(*right, *left)),
            BinaryOperator::Equal | BinaryOperator::NotEqual => found.push(Question::Equal(*left, *right)),
            BinaryOperator::In => found.push(Question::In(*left, *right)),
            BinaryOperator::And | BinaryOperator::Or => {
                questions(tree, *left, found);
                questions(tree, *right, found);
            }
            _ => {}
        },
        Expression::Unary(UnaryOperator::Not, inner)
        | Expression::Assignment(_, _, inner)
        | Expression::Parenthesized(inner) => questions(tree, *inner, found),
        Expression::If { condition, .. } | Expression::Unless { condition, .. } => questions(tree, *condition, found),
        Expression::Selector(subject, options) => {
            found.push(Question::Options(*subject, options.iter().map(|(option, _)| *option).collect()));
        }
        Expression::Case(subject, options) => {
            let options = options.iter().flat_map(|option| option.values.iter().copied()).collect();
            found.push(Question::Options(*subject, options));
        }
        _ => {}
    }
}

fn evaluated(session: &mut Session, tree: &Tree, id: Id) -> Result<Value, Error> {
    let source = &tree.source;
    let part = Source::new(source.name(), source.slice(tree[id].span));
    let mut unknown = None;
    // Whatever else it says was said when the question was asked.
    let value = session.evaluate(&part, &mut |event| match event {
        Event::Warning(warning) if warning.code() == UNKNOWN_TYPE => unknown = Some(warning),
        _ => {}
    })?;
    unknown.map_or(Ok(value), Err)
}

fn answer(session: &mut Session, tree: &Tree, question: &Question) -> Result<Answer, Error> {
    let mut value = |id: Id| evaluated(session, tree, id);
    match question {
        Question::Match(left, right) => match (value(*left)?, value(*right)?) {
            (left, Value::Type(type_)) => Ok(explanation(&type_, &left)),
            (Value::String(string), Value::Regexp(regexp)) => {
                if regexp.is_match(&string)? {
                    return Ok(Answer::success(format!("it does match: /{}/", regexp.text())));
                }
                let pattern = PatternType::new([regexp.clone()]).into();
                let (regexp, string) = (Value::Regexp(regexp), Value::String(string));
                let text = format!("{} does not match {}", describe(&string), format::program_text(&regexp));
                Ok(Answer::failure(match mismatch::explain(&pattern, &string).map(|mismatch| mismatch.reason) {
                    Some(Reason::Pattern(Some(partial))) => format!("{text}\n  {partial}"),
                    _ => text,
                }))
            }
            (left, right) => {
                Ok(Answer::success(format!("{} =~ {} compares no types", describe(&left), describe(&right))))
            }
        },
        Question::Accept(left, right) => match (value(*left)?, value(*right)?) {
            (Value::Type(given), Value::Type(expected)) => Ok(types(&given, &expected)),
            (left, right) => {
                Ok(Answer::success(format!("{} and {} are compared as values", describe(&left), describe(&right))))
            }
        },
        Question::Equal(left, right) => Ok(equality(&value(*left)?, &value(*right)?)),
        Question::In(left, right) => Ok(membership(&value(*left)?, &value(*right)?)),
        Question::Options(subject, options) => {
            let subject = value(*subject)?;
            let (mut lines, mut shown) = (Vec::new(), subject.clone());
            for id in options {
                let line = match value(*id)? {
                    Value::Default => return Ok(Answer::success("`default` matches every value".to_owned())),
                    Value::Type(type_) => match mismatch::explain(&type_, &subject) {
                        None => return Ok(Answer::success(format!("{type_} matches"))),
                        Some(mismatch) => {
                            shown = redacted(&type_, &shown);
                            mismatch::lines(&mismatch).join("; ")
                        }
                    },
                    option => format!("{} is another value", format::program_text(&option)),
                };
                let written = tree.source.slice(tree[*id].span);
                lines.push(cut(&format!("\n  {written}: {line}"), 190));
            }
            let listed: String = lines.iter().take(MAX_DIFFERENCES).map(String::as_str).collect();
            Ok(Answer::failure(format!("no option matches {}{listed}", describe(&shown))))
        }
    }
}

fn explanation(type_: &Type, value: &Value) -> Answer {
    let (described, name) = (describe_for(type_, value), abbreviated(type_, MAX_TYPE_CHARACTERS));
    match mismatch::explain(type_, value) {
        None => Answer::success(format!("it does match: {described} is of type {name}")),
        Some(mismatch) => {
            let lines = mismatch::lines_after_message(&mismatch).into_iter().map(|line| format!("\n  {line}"));
            let text = format!("{described} is not of type {}", for_message(type_));
            Answer { text: text + &lines.collect::<String>(), is_failure: true, mismatch: Some(mismatch) }
        }
    }
}

fn types(given: &Type, expected: &Type) -> Answer {
    let [name, other] = [given, expected].map(|type_| abbreviated(type_, MAX_TYPE_CHARACTERS));
    if expected.accepts(given) {
        return Answer::success(match counterexample::in_difference(given, &[expected]) {
            None => format!("every value of {name} is a value of {other}"),
            Some(value) => unsound(&name, &other, &value),
        });
    }
    let breaking = differences(given, expected);
    let breaking = breaking.iter().filter(|difference| difference.breaks);
    // Of two types without parts the first line says it all.
    let is_part = |difference: &&Difference| {
        !difference.path.is_empty() || difference.before.as_ref().is_some_and(|before| !before.equals(given))
    };
    let mut lines: Vec<String> = breaking.filter(is_part).map(Difference::reason).collect();
    if lines.len() > MAX_DIFFERENCES {
        let more = lines.split_off(MAX_DIFFERENCES).len();
        lines.push(format!("and {more} more"));
    }
    match counterexample::in_difference(given, &[expected]) {
        // What a function accepts is in the lines above.
        Some(Value::Callable(_)) if !lines.is_empty() => {}
        Some(value) => {
            let value = describe(&value);
            lines.push(format!("{value} is of type {}, but not of type {}", short(given), short(expected)));
        }
        None => lines.push("no value that shows it was found; Puppet compares types part by part".to_owned()),
    }
    Answer::failure(format!("{other} does not accept {name}\n  {}", lines.join("\n  ")))
}

/// A type in a line about other things.
fn short(type_: &Type) -> String {
    abbreviated(type_, MAX_TYPE_CHARACTERS / 2)
}

/// Where Puppet's relation says more than is true.
pub(super) fn unsound(name: &str, other: &str, value: &Value) -> String {
    format!(
        "by Puppet's rules every value of {name} is a value of {other}, but these rules are wrong here: {} is not",
        describe(value)
    )
}

fn equality(left: &Value, right: &Value) -> Answer {
    match unequal("", left, right) {
        None => {
            let ignored = if matches!(left, Value::String(_)) && left != right { ": case is ignored" } else { "" };
            Answer::success(format!("{} equals {}{ignored}", describe(left), describe(right)))
        }
        Some(reason) => {
            let text = format!("{} does not equal {}", describe(left), describe(right));
            Answer::failure(if text == reason { text } else { format!("{text}\n  {reason}") })
        }
    }
}

/// The first part of two values, at `path`, in which they differ.
fn unequal(path: &str, left: &Value, right: &Value) -> Option<String> {
    if equals(left, right) {
        return None;
    }
    let within = |key: &Value, left: &Value, right: &Value| {
        let path = format!("{path}[{}]", format::program_text(key));
        stack::with_room(|| unequal(&path, left, right))
    };
    let part = match (left, right) {
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let mut pairs = (0_i64..).zip(left.iter().zip(right.iter()));
            pairs.find_map(|(at, (left, right))| within(&Value::from(at), left, right))
        }
        (Value::Hash(left), Value::Hash(right)) => {
            left.iter().find_map(|(key, value)| within(key, value, right.get(key)?))
        }
        _ => None,
    };
    let at = if path.is_empty() { String::new() } else { format!("{path}: ") };
    part.or_else(|| Some(format!("{at}{} does not equal {}", describe(left), describe(right))))
}

fn membership(element: &Value, collection: &Value) -> Answer {
    let (name, list) = (describe(element), describe(collection));
    let elements: Vec<Value> = match collection {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(entries) => entries.keys().cloned().collect(),
        _ => Vec::new(),
    };
    if let Value::Type(type_) = element {
        let list = describe_for(&Type::from(ArrayType::new(type_.clone(), None)), &Value::from(elements.clone()));
        return match elements.iter().find(|element| type_.has_instance(element)) {
            Some(found) => Answer::success(format!("{} is of type {type_}", describe_for(type_, found))),
            None => {
                let reasons = elements.iter().filter_map(|element| mismatch::explain(type_, element));
                let lines = reasons.take(MAX_DIFFERENCES).map(|mismatch| format!("\n  {mismatch}"));
                Answer::failure(format!("no element of {list} is of type {type_}{}", lines.collect::<String>()))
            }
        };
    }
    let is_equal = |other: &&Value| match (element, other) {
        (Value::String(one), Value::String(other)) => one.eq_ignore_ascii_case(other),
        (one, other) => one == *other,
    };
    if let Some(found) = elements.iter().find(is_equal) {
        let how = if element == found { String::new() } else { format!(", which equals {name}: case is ignored") };
        return Answer::success(format!("{} is an element of {list}{how}", describe(found)));
    }
    let text = format::text(element);
    let same_text = elements.iter().find(|other| format::text(other) == text);
    let near = || nearest(&text, elements.iter().filter_map(Value::as_str));
    let hint = match (same_text, near()) {
        (Some(other), _) => format!("; it has {}, which is another value", describe(other)),
        (None, Some(near)) => format!("; did you mean '{near}'?"),
        (None, None) => String::new(),
    };
    Answer::failure(format!("no element of {list} equals {name}{hint}"))
}

fn failure(session: &mut Session, error: &Error) -> String {
    let mut reasons = Vec::new();
    if let Some(mismatch) = Mismatch::of(error) {
        session.entries.explained = Some(mismatch.clone());
        reasons = mismatch::lines_after_message(mismatch);
    }
    let others: Vec<String> = error.help().iter().filter(|advice| !reasons.contains(advice)).cloned().collect();
    reasons.extend(others);
    // Of that code there is nothing to say.
    let hint =
        (error.code() != RUNTIME_ERROR).then(|| format!("`:explain {}` describes this kind of error", error.code()));
    let lines = reasons.into_iter().chain(hint).map(|reason| format!("\n  {}", reason.replace('\n', "\n    ")));
    format!("{}{}", error.message(), lines.collect::<String>())
}

/// The branch that the last explanation has folded under a number.
fn branch(session: &Session, number: usize) -> String {
    let Some(explained) = &session.entries.explained else {
        return "nothing was explained yet that has branches; `:why` explains what failed last".to_owned();
    };
    let folded = explained.folded();
    match number.checked_sub(1).and_then(|at| folded.get(at)) {
        Some(branch) => {
            let lines = mismatch::lines(branch);
            format!("not {}\n  {}", for_message(&branch.expected), lines.join("\n  "))
        }
        None if folded.is_empty() => format!("the last explanation has no branch {number}: it folds none"),
        None => format!("expected a branch from 1 to {}, got {number}", folded.len()),
    }
}

/// `VALUE, TYPE`; `None` if it is not that.
fn pair(session: &mut Session, code: &str) -> Option<Result<String, Error>> {
    let listed = Source::new("entry", format!("[{code}]"));
    let tree = syntax::parse(&listed).ok()?;
    let [only] = tree.statements() else { return None };
    let Expression::Array(elements) = &tree[*only].expression else { return None };
    let [left, right] = elements[..] else { return None };
    let told = evaluated(session, &tree, left).and_then(|value| {
        let answer = match (value, evaluated(session, &tree, right)?) {
            (Value::Type(given), Value::Type(expected)) if !expected.has_instance(&Value::Type(given.clone())) => {
                types(&given, &expected)
            }
            (value, Value::Type(type_)) => explanation(&type_, &value),
            (value, other) => membership(&value, &other),
        };
        session.entries.explained = answer.mismatch;
        Ok(answer.text)
    });
    Some(told)
}
