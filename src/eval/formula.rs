//! Formulas: what operators, numbers and variables make of Integers, calculated without any values between.
//!
//! `($a * 31 + $b) % 7` is four terms: take `$a`, times 31, plus `$b`, modulo 7. Where an operand turns out to be no
//! Integer, or a result too large for one, the formula gives up, and the chain of operators it was made of finds out
//! what there is to be found. Nothing but variables and constants is requested, so nobody notices the first try.

use std::sync::Arc;

use super::code::{Code, Link, Op, Place};
use super::run::Evaluator;
use crate::operators::OfIntegers;
use crate::value::Value;

/// How many intermediate results there may be: a formula is tried before anything else, so it should not take long to
/// give up.
const MOST_RESULTS: usize = 8;

/// A chain of operators that Integers are expected for.
#[derive(Debug)]
pub(super) struct Formula {
    terms: Box<[Term]>,
    /// The last operator, which may compare.
    last: (OfIntegers, Operand),
    /// The same as a chain.
    pub(super) first: Code,
    pub(super) links: Box<[Link]>,
}

/// A step of the calculation, which works on the newest of the results so far.
#[derive(Clone, Debug)]
enum Term {
    /// A new result.
    Take(Operand),
    /// The newest result and an operand.
    Apply(OfIntegers, Operand),
    /// The newest two results.
    Combine(OfIntegers),
}

#[derive(Clone, Debug)]
enum Operand {
    Constant(i64),
    /// A variable of the innermost frame.
    Own(u32),
    /// Another variable, or an element of one.
    Path(Arc<Code>),
    /// The newest of the results, which then is none any more.
    Result,
}

impl Formula {
    /// The chain as a formula, where it can be one.
    ///
    /// # Errors
    /// What it was made of, where it cannot.
    pub(super) fn new(first: Code, links: Box<[Link]>) -> Result<Formula, (Code, Box<[Link]>)> {
        match terms(&first, &links) {
            Some((terms, last)) => Ok(Formula { terms: terms.into(), last, first, links }),
            None => Err((first, links)),
        }
    }

    /// Whether its value is an Integer, if it has one.
    fn calculates(&self) -> bool {
        self.last.0.calculates()
    }

    /// The most results that are there at the same time.
    fn results(&self) -> usize {
        let (mut results, mut most) = (0, 0);
        for term in &self.terms {
            match term {
                Term::Take(_) => results += 1,
                Term::Combine(_) => results -= 1,
                Term::Apply(..) => {}
            }
            most = most.max(results);
        }
        most
    }
}

fn terms(first: &Code, links: &[Link]) -> Option<(Vec<Term>, (OfIntegers, Operand))> {
    let (last, others) = links.split_last()?;
    let mut terms = Vec::new();
    take(first, &mut terms)?;
    for link in others {
        let operator = link.operator.of_integers().filter(|operator| operator.calculates())?;
        match operand(&link.right, &mut terms)? {
            Operand::Result => terms.push(Term::Combine(operator)),
            operand => terms.push(Term::Apply(operator, operand)),
        }
    }
    let last = (last.operator.of_integers()?, operand(&last.right, &mut terms)?);
    Some((terms, last))
}

/// Adds the terms that make `code` the newest result.
fn take(code: &Code, terms: &mut Vec<Term>) -> Option<()> {
    match operand(code, terms)? {
        Operand::Result => {}
        operand => terms.push(Term::Take(operand)),
    }
    Some(())
}

/// The operand that `code` is, after the terms for it.
fn operand(code: &Code, terms: &mut Vec<Term>) -> Option<Operand> {
    Some(match &code.op {
        Op::Constant(Value::Integer(number)) => Operand::Constant(*number),
        Op::Local { depth: 0, slot, .. } => Operand::Own(*slot),
        Op::Formula(formula) if formula.calculates() && formula.results() < MOST_RESULTS - 1 => {
            terms.extend_from_slice(&formula.terms);
            let (operator, operand) = &formula.last;
            terms.push(match operand {
                Operand::Result => Term::Combine(*operator),
                operand => Term::Apply(*operator, operand.clone()),
            });
            Operand::Result
        }
        _ => Operand::Path(Arc::new(code.copied_path()?)),
    })
}

impl Evaluator<'_> {
    /// The value of a formula; `None` if an operand is not an Integer, or there is none for the result.
    pub(super) fn calculated(&self, formula: &Formula) -> Option<Value> {
        let mut results = [0; MOST_RESULTS];
        let mut newest = usize::MAX;
        for term in &formula.terms {
            match term {
                Term::Take(operand) => {
                    newest = newest.wrapping_add(1);
                    *results.get_mut(newest)? = self.integer(operand)?;
                }
                Term::Apply(operator, operand) => {
                    let result = results.get_mut(newest)?;
                    *result = operator.calculate(*result, self.integer(operand)?)?;
                }
                Term::Combine(operator) => {
                    let right = *results.get(newest)?;
                    newest = newest.wrapping_sub(1);
                    let result = results.get_mut(newest)?;
                    *result = operator.calculate(*result, right)?;
                }
            }
        }
        let (operator, operand) = &formula.last;
        match operand {
            Operand::Result => operator.apply(*results.get(newest.wrapping_sub(1))?, *results.get(newest)?),
            operand => operator.apply(*results.get(newest)?, self.integer(operand)?),
        }
    }

    #[inline]
    fn integer(&self, operand: &Operand) -> Option<i64> {
        let value = match operand {
            Operand::Constant(number) => return Some(*number),
            Operand::Own(slot) => self.at(Place::Frame { depth: 0, slot: *slot })?,
            Operand::Path(code) => self.reference(code)?,
            Operand::Result => return None,
        };
        if let Value::Integer(number) = value { Some(*number) } else { None }
    }
}
