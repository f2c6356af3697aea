//! Assignments: `$x = 1`, `[$a, $b] = [1, 2]`. A variable gets one value.

use super::code::{Place, Target};
use super::{error::EvalError, run::Evaluator};
use crate::error::Kind as _;
use crate::format;
use crate::functions::Flow;
use crate::text::Span;
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn assign(&mut self, target: &Target, value: &Value) -> Result<(), Flow> {
        match target {
            Target::Variable { span, name, place, earlier } => {
                if self.at(*place).is_some() {
                    let first = match place {
                        Place::Frame { .. } => earlier.map(|span| (self.source.clone(), span)),
                        Place::Global { slot } => self.environment.program.globals.assigned_at(*slot).cloned(),
                    };
                    let is_local = matches!(place, Place::Frame { .. });
                    let error = EvalError::Reassignment { name: name.to_string(), is_local }.at(*span);
                    return Err(match first {
                        Some((source, span)) => error.with_label_in(&source, span, "first set here").into(),
                        None => error.into(),
                    });
                }
                let value = value.clone();
                match place {
                    Place::Frame { slot, .. } => self.frames.set(self.frame(), *slot, value),
                    Place::Global { slot } => {
                        let assigned_at = Some((self.source.clone(), *span));
                        self.environment.program.globals.put(*slot, value, assigned_at);
                    }
                }
                Ok(())
            }
            Target::List(span, targets) => self.assign_each(*span, targets, value),
        }
    }

    fn assign_each(&mut self, span: Span, targets: &[Target], value: &Value) -> Result<(), Flow> {
        let refuse = |misuse: EvalError| Err(misuse.at(span).into());
        match value {
            Value::Array(values) if values.len() == targets.len() => {
                targets.iter().zip(values.iter()).try_for_each(|(target, value)| self.assign(target, value))
            }
            Value::Array(values) => refuse(EvalError::AssignmentSize { expected: targets.len(), got: values.len() }),
            Value::Hash(hash) => targets.iter().try_for_each(|target| match (key_of(target), hash) {
                (key, hash) if let Some(value) = hash.get(&key) => self.assign(target, value),
                (Value::String(name), _) => refuse(EvalError::AssignmentKey(name.to_string())),
                (list, _) => refuse(EvalError::AssignmentKey(format::program_text(&list))),
            }),
            // One value counts as a list of one.
            other => match targets {
                [only] => self.assign(only, other),
                _ => refuse(EvalError::AssignmentSize { expected: targets.len(), got: 1 }),
            },
        }
    }
}

/// The key of a Hash whose value a target gets. A list in a list has one as well, which no Hash of a program has.
fn key_of(target: &Target) -> Value {
    match target {
        Target::Variable { name, .. } => Value::from(&**name),
        Target::List(_, targets) => Value::from(targets.iter().map(key_of).collect::<Vec<_>>()),
    }
}
