//! `case`, selectors, and how long match variables live.
//!
//! A successful match sets `$0`, `$1` … until the end of the conditional, lambda or function that it is in; a match that
//! fails leaves them as they were.
//!
//! Source: Puppet 3 reference, "Regex Capture Variables".
//! Observed: Puppet 8.11 restores them also after `unless`, selectors and lambdas.

use std::sync::Arc;

use super::code::{CaseOption, Code, Op};
use super::{error::EvalError, run::Evaluator};
use crate::error::Kind as _;
use crate::functions::Flow;
use crate::operators::{describe, matching::Matched, option_matches};
use crate::text::Span;
use crate::types::secret::redacted;
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn remember(&mut self, (matched, found): (bool, Matched)) -> bool {
        if let Some(found) = found {
            self.found = Some(Arc::new(found));
        }
        matched
    }

    pub(super) fn with_own_matches<R>(&mut self, op: impl FnOnce(&mut Self) -> R) -> R {
        let found = self.found.clone();
        let result = op(self);
        self.found = found;
        result
    }

    pub(super) fn selector(&mut self, subject: &Code, options: &[CaseOption]) -> Result<Value, Flow> {
        self.with_own_matches(|this| {
            let value = this.run(subject)?;
            if let Some(option) = this.chosen(&value, options)? {
                return this.run(&option.then);
            }
            let shown = this.without_secrets_of(options, value);
            Err(EvalError::NoOption(describe(&shown)).at(subject.span).into())
        })
    }

    /// A value without what one of the options, if it is a type, says is Sensitive.
    fn without_secrets_of(&mut self, options: &[CaseOption], value: Value) -> Value {
        let is_type = |option: &&Code| matches!(option.op, Op::Constant(_) | Op::TypeName { .. } | Op::Access(..));
        let types = options.iter().flat_map(|option| &option.values).filter(is_type);
        types.fold(value, |value, type_| match self.run(type_) {
            Ok(Value::Type(type_)) => redacted(&type_, &value),
            _ => value,
        })
    }

    pub(super) fn case(&mut self, subject: &Code, options: &[CaseOption]) -> Result<Value, Flow> {
        self.with_own_matches(|this| {
            let value = this.run(subject)?;
            this.chosen(&value, options)?.map_or(Ok(Value::Undef), |option| this.run(&option.then))
        })
    }

    /// The first option that `value` matches, or else the first that has `default`.
    fn chosen<'o>(&mut self, value: &Value, options: &'o [CaseOption]) -> Result<Option<&'o CaseOption>, Flow> {
        for option in options {
            for candidate in &option.values {
                if !matches!(candidate.op, Op::Constant(Value::Default)) && self.option_matches(value, candidate)? {
                    return Ok(Some(option));
                }
            }
        }
        Ok(options.iter().find(|option| option.has_default))
    }

    /// Whether `value` matches what `candidate` evaluates to; after `*` any of its elements.
    fn option_matches(&mut self, value: &Value, candidate: &Code) -> Result<bool, Flow> {
        match &candidate.op {
            // Constants need not be copied to be compared.
            Op::Constant(option) => self.one_option_matches(value, option, candidate.span),
            _ => {
                for option in self.list(std::slice::from_ref(candidate))? {
                    if self.one_option_matches(value, &option, candidate.span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Observed: in Puppet 7.23 an option that evaluates to `default` matches everything, in its turn.
    fn one_option_matches(&mut self, value: &Value, option: &Value, span: Span) -> Result<bool, Flow> {
        if matches!(option, Value::Default) {
            return Ok(true);
        }
        let outcome = option_matches(value, option).map_err(|fault| Flow::Error(fault.error.at(span)))?;
        Ok(self.remember(outcome))
    }
}
