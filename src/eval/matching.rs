//! Evaluates `case` and selectors, and restores match variables after conditionals.
//!
//! A successful match sets `$0`, `$1` … until the end of the enclosing conditional, lambda or function; a failed match
//! leaves them unchanged.
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
use crate::types::secret::wrap_secrets;
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn set_match_variables(&mut self, (matched, found): (bool, Matched)) -> bool {
        if let Some(found) = found {
            self.match_variables = Some(Arc::new(found));
        }
        matched
    }

    pub(super) fn isolate_match_variables<R>(&mut self, op: impl FnOnce(&mut Self) -> R) -> R {
        let found = self.match_variables.clone();
        let result = op(self);
        self.match_variables = found;
        result
    }

    /// Evaluates a `case`, which is undef if no option matches, or a selector, which then is an error.
    pub(super) fn evaluate_case(
        &mut self,
        subject: &Code,
        options: &[CaseOption],
        is_selector: bool,
    ) -> Result<Value, Flow> {
        self.isolate_match_variables(|this| {
            let value = this.run_code(subject)?;
            if let Some(option) = this.find_matching_option(&value, options)? {
                return this.run_code(&option.then);
            }
            if !is_selector {
                return Ok(Value::Undef);
            }
            let shown = this.redact_by_options(options, value);
            Err(EvalError::NoOption(describe(&shown)).at(subject.span).into())
        })
    }

    /// Redacts those parts of `value` that a type in `options` declares as Sensitive.
    fn redact_by_options(&mut self, options: &[CaseOption], value: Value) -> Value {
        let is_type = |option: &&Code| matches!(option.op, Op::Constant(_) | Op::TypeName { .. } | Op::Access(..));
        let types = options.iter().flat_map(|option| &option.option_values).filter(is_type);
        types.fold(value, |value, type_| match self.run_code(type_) {
            Ok(Value::Type(type_)) => wrap_secrets(&type_, &value),
            _ => value,
        })
    }

    /// Returns the first option that `value` matches, else the first with `default`; `None` if there is neither.
    fn find_matching_option<'o>(
        &mut self,
        value: &Value,
        options: &'o [CaseOption],
    ) -> Result<Option<&'o CaseOption>, Flow> {
        for option in options {
            for candidate in &option.option_values {
                if !matches!(candidate.op, Op::Constant(Value::Default))
                    && self.matches_option_expr(value, candidate)?
                {
                    return Ok(Some(option));
                }
            }
        }
        Ok(options.iter().find(|option| option.has_default))
    }

    /// Whether `value` matches the value of the expression `candidate` or, if it is `*candidate`, any of its elements.
    fn matches_option_expr(&mut self, value: &Value, candidate: &Code) -> Result<bool, Flow> {
        match &candidate.op {
            // Constants need not be copied to be compared.
            Op::Constant(option) => self.matches_option_value(value, option, candidate.span),
            _ => {
                for option in self.evaluate_list(std::slice::from_ref(candidate))? {
                    if self.matches_option_value(value, &option, candidate.span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Whether `value` matches `option`. Observed: in Puppet 7.23 an expression that results in `default` matches all.
    fn matches_option_value(&mut self, value: &Value, option: &Value, span: Span) -> Result<bool, Flow> {
        if matches!(option, Value::Default) {
            return Ok(true);
        }
        let outcome = option_matches(value, option).map_err(|fault| Flow::Error(fault.error.at(span)))?;
        Ok(self.set_match_variables(outcome))
    }
}
