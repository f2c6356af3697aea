//! Assignments: `$x = 1`, `[$a, $b] = [1, 2]`. A variable can be assigned only once.

use super::code::{AssignmentTarget, VariablePlace};
use super::{error::EvalError, run::Evaluator};
use crate::error::{Error, Kind as _};
use crate::format;
use crate::functions::Flow;
use crate::text::Span;
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn assign_value(&mut self, target: &AssignmentTarget, value: &Value) -> Result<(), Flow> {
        match target {
            AssignmentTarget::Variable { span, name, place, earlier } => {
                if self.value_of_variable(*place).is_some() {
                    let (is_local, first) = match place {
                        VariablePlace::Frame { .. } => (true, earlier.map(|span| (self.source.clone(), span))),
                        VariablePlace::Global { slot } => {
                            (false, self.environment.program.globals.assignment_location(*slot).cloned())
                        }
                    };
                    let error = EvalError::Reassignment { name: name.to_string(), is_local }.at(*span);
                    let label = |error: Error, (source, span)| error.with_label_in(&source, span, "first set here");
                    return Err(first.into_iter().fold(error, label).into());
                }
                let value = value.clone();
                match place {
                    VariablePlace::Frame { slot, .. } => self.frames.set_variable(self.current_frame(), *slot, value),
                    VariablePlace::Global { slot } => {
                        let assigned_at = Some((self.source.clone(), *span));
                        self.environment.program.globals.set_value_in_slot(*slot, value, assigned_at);
                    }
                }
                Ok(())
            }
            AssignmentTarget::List(span, targets) => self.assign_to_list(*span, targets, value),
        }
    }

    fn assign_to_list(&mut self, span: Span, targets: &[AssignmentTarget], value: &Value) -> Result<(), Flow> {
        let refuse = |misuse: EvalError| Err(misuse.at(span).into());
        match value {
            Value::Array(values) if values.len() == targets.len() => {
                targets.iter().zip(values.iter()).try_for_each(|(target, value)| self.assign_value(target, value))
            }
            Value::Array(values) => refuse(EvalError::AssignmentSize { expected: targets.len(), got: values.len() }),
            Value::Hash(hash) => targets.iter().try_for_each(|target| match (hash_key_of_target(target), hash) {
                (key, hash) if let Some(value) = hash.get(&key) => self.assign_value(target, value),
                (Value::String(name), _) => refuse(EvalError::AssignmentKey(name.to_string())),
                (list, _) => refuse(EvalError::AssignmentKey(format::program_text(&list))),
            }),
            // One value counts as a list of one.
            other => match targets {
                [only] => self.assign_value(only, other),
                _ => refuse(EvalError::AssignmentSize { expected: targets.len(), got: 1 }),
            },
        }
    }
}

fn hash_key_of_target(target: &AssignmentTarget) -> Value {
    match target {
        AssignmentTarget::Variable { name, .. } => Value::from(&**name),
        AssignmentTarget::List(_, targets) => Value::from(targets.iter().map(hash_key_of_target).collect::<Vec<_>>()),
    }
}
