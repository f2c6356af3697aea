//! Formulas: what operators, numbers and variables make of Integers, calculated without any values between.
//!
//! `($a * 31 + $b) % 7` starts with `$a` and takes three steps: times 31, plus `$b`, modulo 7. Where an operand turns out to
//! be no Integer, or a result too large for one, the formula gives up, and the chain of operators it was made of finds out
//! what there is to be found. Nothing but variables and constants is requested, so nobody notices the first try.

use std::sync::Arc;

use super::code::{Code, Link, Op};
use super::run::Evaluator;
use crate::operators::OfIntegers;
use crate::value::Value;

/// How many calculations may be inside each other: a formula is tried before anything else, so it should not take long to
/// give up.
const MAX_LEVELS: u8 = 8;

/// A chain of operators that Integers are expected for.
#[derive(Debug)]
pub(super) struct Formula {
    number: Calculation,
    /// The last operator and its right operand, if it compares.
    comparison: Option<(OfIntegers, Operand)>,
    /// The same as a chain.
    pub(super) first: Code,
    pub(super) links: Box<[Link]>,
}

/// An operand, and the operators that are applied to it one after the other, each with its right operand.
#[derive(Clone, Debug)]
struct Calculation {
    first: Operand,
    steps: Vec<(OfIntegers, Operand)>,
    /// How many calculations are inside each other, this one included.
    levels: u8,
}

#[derive(Clone, Debug)]
enum Operand {
    Constant(i64),
    /// A variable of the innermost frame.
    Own(u32),
    /// Another variable, or an element of one.
    Path(Arc<Code>),
    /// `$b * 2` in `$a + $b * 2`
    Calculation(Arc<Calculation>),
}

impl Formula {
    /// The chain as a formula, where it can be one.
    ///
    /// # Errors
    /// What it was made of, where it cannot.
    pub(super) fn new(first: Code, links: Box<[Link]>) -> Result<Formula, (Code, Box<[Link]>)> {
        match parts(&first, &links) {
            Some((number, comparison)) => Ok(Formula { number, comparison, first, links }),
            None => Err((first, links)),
        }
    }

    /// How it is calculated, if its value is an Integer.
    fn calculation(&self) -> Option<&Calculation> {
        self.comparison.is_none().then_some(&self.number)
    }
}

/// How the chain is calculated, and the comparison at its end.
fn parts(first: &Code, links: &[Link]) -> Option<(Calculation, Option<(OfIntegers, Operand)>)> {
    let mut number = match &first.op {
        Op::Formula(formula) => formula.calculation()?.clone(),
        _ => Calculation { first: Operand::of(first)?, steps: Vec::new(), levels: 1 },
    };
    let mut comparison = None;
    for link in links {
        // Nothing is calculated with the result of a comparison.
        if comparison.is_some() {
            return None;
        }
        let operator = link.operator.of_integers()?;
        let operand = Operand::of(&link.right)?;
        number.levels = number.levels.max(operand.levels() + 1);
        if operator.calculates() {
            number.steps.push((operator, operand));
        } else {
            comparison = Some((operator, operand));
        }
    }
    (number.levels <= MAX_LEVELS).then_some((number, comparison))
}

impl Operand {
    fn of(code: &Code) -> Option<Operand> {
        Some(match &code.op {
            Op::Constant(Value::Integer(number)) => Operand::Constant(*number),
            Op::Local { depth: 0, slot, .. } => Operand::Own(*slot),
            Op::Formula(formula) => Operand::Calculation(Arc::new(formula.calculation()?.clone())),
            _ => Operand::Path(Arc::new(code.copied_path()?)),
        })
    }

    fn levels(&self) -> u8 {
        if let Operand::Calculation(calculation) = self { calculation.levels } else { 0 }
    }
}

impl Evaluator<'_> {
    /// The value of a formula; `None` if an operand is not an Integer, or there is none for the result.
    #[inline]
    pub(super) fn calculated(&self, formula: &Formula) -> Option<Value> {
        let number = self.number(&formula.number)?;
        Some(match &formula.comparison {
            None => Value::Integer(number),
            Some((operator, Operand::Constant(right))) => Value::Boolean(operator.compare(number, *right)?),
            Some((operator, right)) => Value::Boolean(operator.compare(number, self.integer(right, self.own())?)?),
        })
    }

    /// The variables of the innermost frame.
    #[inline]
    fn own(&self) -> &[Option<Value>] {
        self.frame.map_or(&[], |frame| self.frames.slots(frame))
    }

    fn number(&self, calculation: &Calculation) -> Option<i64> {
        let own = self.own();
        let mut number = self.integer(&calculation.first, own)?;
        for (operator, operand) in &calculation.steps {
            number = operator.calculate(number, self.integer(operand, own)?)?;
        }
        Some(number)
    }

    /// The number that an operand is; `own` are the variables of the innermost frame.
    #[inline]
    fn integer(&self, operand: &Operand, own: &[Option<Value>]) -> Option<i64> {
        match operand {
            Operand::Constant(number) => Some(*number),
            Operand::Own(slot) => match own.get(*slot as usize) {
                Some(Some(Value::Integer(number))) => Some(*number),
                _ => None,
            },
            Operand::Path(code) => self.integer_at(code),
            Operand::Calculation(calculation) => self.number(calculation),
        }
    }

    #[inline(never)]
    fn integer_at(&self, path: &Code) -> Option<i64> {
        self.reference(path)?.as_integer()
    }
}
