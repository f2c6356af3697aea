//! `:why`: explains which parts of a value do not match a type.

use std::sync::Arc;

use crate::error::Error;
use crate::session::{Listener, Reply, Session};
use crate::syntax;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Tree};
use crate::text::Source;
use crate::types::Type;
use crate::types::relation::mismatch;
use crate::value::Value;

/// Explains the question `VALUE =~ TYPE` that is given, or the last that was asked.
pub(super) fn why(session: &mut Session, question: &str, _: &mut Listener<'_>) -> Reply {
    let source = match session.entries.last.clone() {
        _ if !question.is_empty() => session.entry_source(question),
        Some(last) => last,
        None => return no_question(),
    };
    match answer(session, &source) {
        Ok(Some(answer)) => Reply::Text(answer),
        Ok(None) => no_question(),
        Err(error) => Reply::Failed(error),
    }
}

fn no_question() -> Reply {
    Reply::Refused("nothing to explain yet; try `:why '80' =~ Integer`".to_owned())
}

fn answer(session: &mut Session, source: &Arc<Source>) -> Result<Option<String>, Error> {
    let tree = syntax::parse(source)?;
    let Some((value, type_)) = question(&tree, *tree.statements().last().unwrap_or(&tree.body)) else {
        return Ok(None);
    };
    let mut evaluate = |id: Id| {
        let part = Source::new(source.name(), source.slice(tree[id].span));
        // Whatever it says was said when the question was asked.
        session.evaluate(&part, &mut |_| {})
    };
    let Value::Type(type_) = evaluate(type_)? else { return Ok(None) };
    Ok(Some(explanation(&type_, &evaluate(value)?)))
}

/// Both sides of `value =~ Type`, also behind an assignment or in parentheses.
fn question(tree: &Tree, id: Id) -> Option<(Id, Id)> {
    match &tree[id].expression {
        Expression::Binary(BinaryOperator::Match | BinaryOperator::NoMatch, value, type_) => Some((*value, *type_)),
        Expression::Assignment(_, _, inner) | Expression::Parenthesized(inner) => question(tree, *inner),
        _ => None,
    }
}

fn explanation(type_: &Type, value: &Value) -> String {
    let described = mismatch::describe(value);
    let Some(mismatch) = mismatch::explain(type_, value) else {
        return format!("it does fit: {described} is of type {type_}");
    };
    let lines = mismatch::lines(&mismatch);
    format!("{described} is not of type {type_}\n  {}", lines.join("\n  "))
}
