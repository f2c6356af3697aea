//! Templates in embedded Puppet: compiles them with access to the caller's variables, then renders them to a string.
//!
//! A template has a frame of its own. Its parameters are passed by name in a hash; if it declares none, every entry of
//! the hash becomes a variable. The output of its tags is collected in a [`TemplateOutput`], also that of tags in
//! lambdas.

use std::{borrow::Cow, sync::Arc};

use super::reserved::RESERVED_VARIABLES;
use super::{
    Mode, code::LambdaCode, compile::Compiler, enforce_rules, error::EvalError, frame::FrameId, run::Evaluator,
};
use crate::error::Error;
use crate::functions::{Flow, JumpKind, Runtime as _, TemplateVisibility};
use crate::syntax::tree::{Expression, Parameter, Tree};
use crate::text::Source;
use crate::value::{Hash, Value};
use crate::wording::nearest;
use crate::{format, limits, syntax};

#[derive(Debug, Default)]
pub(super) struct TemplateOutput {
    text: String,
    is_sensitive: bool,
}

impl TemplateOutput {
    /// Appends the value of an expression tag, or the text between two tags.
    ///
    /// Observed: Puppet 7.23 unwraps a Sensitive value and makes the whole result Sensitive.
    pub(super) fn push_value(&mut self, value: &Value) -> Result<(), Error> {
        self.is_sensitive |= matches!(value, Value::Sensitive(_));
        let text = format::try_interpolated_text(if let Value::Sensitive(content) = value { content } else { value })?;
        limits::check_string_bytes(self.text.len() + text.len())?;
        self.text.push_str(&text);
        Ok(())
    }
}

impl Evaluator<'_> {
    /// Renders a template with the given parameters; returns a String, in a Sensitive if a Sensitive was rendered.
    pub(super) fn render_template(
        &mut self,
        template: &Arc<Source>,
        visibility: TemplateVisibility,
        parameters: Option<&Hash>,
    ) -> Result<Value, Flow> {
        let tree = syntax::parse_template(template)?;
        // Observed: Puppet 8.10 rejects a value that is never used, whatever the strictness.
        enforce_rules(&tree, self.environment.strictness, Mode::Program, |warning| self.warn(warning))?;
        // The signatures let only Strings be keys.
        let entries = parameters.into_iter().flat_map(Hash::iter);
        let given: Vec<(&str, &Value)> = entries.filter_map(|(key, value)| Some((key.as_str()?, value))).collect();
        for (name, _) in &given {
            if RESERVED_VARIABLES.contains(name) {
                return Err(EvalError::AssignToReserved((*name).to_owned()).into());
            }
            if name.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(EvalError::AssignToMatchVariable((*name).to_owned()).into());
            }
        }
        let (frame, found) = match visibility {
            TemplateVisibility::Caller => (self.frame, self.match_variables.clone()),
            TemplateVisibility::Session => (None, None),
        };
        let code = Arc::new(self.compile_template(&tree, frame, &given));
        let outer = self.template_output.replace(TemplateOutput::default());
        let outcome =
            self.run_in_new_frame(&code, Cow::Owned(code.slot_names.clone()), frame, found.as_ref(), [], |this| {
                this.bind_named_parameters(&code, &given)?;
                match this.run_code(&code.body) {
                    // There is no value that `next` could give: what comes out is the text.
                    Err(Flow::Jump(JumpKind::Next, answered)) => Err(answered.1.into()),
                    outcome => outcome,
                }
            });
        let rendering = std::mem::replace(&mut self.template_output, outer);
        match outcome {
            Ok(_) => {
                let TemplateOutput { text, is_sensitive } = rendering.unwrap_or_default();
                let text = Value::from(text);
                Ok(if is_sensitive { Value::sensitive(text) } else { text })
            }
            // Observed: Puppet 7.23 takes what a template returns for its answer, whatever it is.
            Err(Flow::Jump(JumpKind::Return, answered)) => Ok(answered.0),
            Err(flow) => Err(flow),
        }
    }

    fn compile_template(&mut self, tree: &Tree, frame: Option<FrameId>, given: &[(&str, &Value)]) -> LambdaCode {
        let around = self.frames.variable_names(frame);
        let Expression::Epp { parameters, parameters_specified, body } = &tree[tree.body].expression else {
            unreachable!("a template is parsed to nothing else");
        };
        let mut compiler = Compiler::new(tree, self.environment).with_outer_frames(around);
        let span = tree[*body].span;
        let undeclared = |(name, _): &(&str, &Value)| Parameter {
            span,
            name_span: span,
            type_: None,
            name: (*name).into(),
            default: None,
            captures_rest: false,
        };
        let parameters = if *parameters_specified { parameters } else { &given.iter().map(undeclared).collect() };
        let code = compiler.compile_callable(None, parameters, None, *body);
        LambdaCode { name: Some("the template".into()), parameter_error: None, ..code }
    }

    fn bind_named_parameters(&mut self, code: &LambdaCode, given: &[(&str, &Value)]) -> Result<(), Flow> {
        let is_declared = |name: &str| code.parameters.iter().any(|parameter| *parameter.name == *name);
        // Observed: Puppet 7.23 does not ask after a parameter that is given undef.
        if let Some((stranger, _)) = given.iter().find(|(name, value)| !is_declared(name) && **value != Value::Undef) {
            let known = code.parameters.iter().map(|parameter| &*parameter.name);
            let near = nearest(stranger, known).map(str::to_owned);
            return Err(EvalError::UnknownParameter { name: (*stranger).to_owned(), near }.into());
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            let value = given.iter().find(|(name, _)| **name == *parameter.name).map(|(_, value)| *value);
            // A default value steps in for undef, too.
            let value = value.filter(|value| parameter.default.is_none() || !matches!(value, Value::Undef));
            self.bind_parameter(code, at, value)?;
        }
        Ok(())
    }
}
