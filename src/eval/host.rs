//! Functions of the program that embeds the library: a signature of the language and a Rust closure.

use std::sync::Arc;

use super::code::{Code, HostBody, HostCall, LambdaCode, Op};
use super::{Mode, compile::Compiler, enforce_rules, environment::Environment, frame::narrow};
use crate::error::{Error, Result};
use crate::syntax::{self, tree::Expression};
use crate::text::Source;

impl Environment {
    /// Defines `body` as a function with a `signature` as in `acme::double(Integer $number) >> Integer`.
    pub(crate) fn define_host_function(&mut self, signature: &str, body: Arc<HostBody>) -> Result<()> {
        let tree = syntax::parse(&Source::new(signature, format!("function {signature} {{ }}")))?;
        let [id] = tree.statements() else { return Err(not_a_signature(signature)) };
        let Expression::Function(definition) = &tree[*id].expression else {
            return Err(not_a_signature(signature));
        };
        enforce_rules(&tree, self.strictness, Mode::Snippet, |_| Ok(()))?;
        let name = definition.name.to_string();
        let code = Compiler::new(&tree, self).function(definition);
        let op = Op::Host(HostCall(narrow(code.parameters.len()), body));
        let code = LambdaCode { body: Code { span: code.body.span, op }, ..code };
        self.program.function_names.insert(name.clone());
        self.host_functions.insert(name, Arc::new(code));
        Ok(())
    }
}

fn not_a_signature(text: &str) -> Error {
    Error::runtime(format!("expected the signature of a function such as `double(Integer $number)`, got `{text}`"))
}
