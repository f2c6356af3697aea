//! Host functions: Rust closures with a Puppet signature, defined by the program that embeds the library.

use std::sync::Arc;

use super::code::{Code, HostBody, HostCall, LambdaCode, Op};
use super::{Mode, compile::Compiler, enforce_rules, environment::Environment, frame::to_u32};
use crate::error::{Error, Result};
use crate::syntax::{self, tree::Expression};
use crate::text::Source;

impl Environment {
    /// Defines a function that runs the closure `body`; `signature` is like `acme::double(Integer $number) >> Integer`.
    pub(crate) fn define_host_function(&mut self, signature: &str, body: Arc<HostBody>) -> Result<()> {
        let tree = syntax::parse(&Source::new(signature, format!("function {signature} {{ }}")))?;
        let definition = match tree.statements() {
            [id] if let Expression::Definition(definition) = &tree[*id].expression => definition,
            _ => {
                let expected = "expected the signature of a function such as `double(Integer $number)`";
                return Err(Error::runtime(format!("{expected}, got `{signature}`")));
            }
        };
        enforce_rules(&tree, self.strictness, Mode::Snippet, |_| Ok(()))?;
        let name = definition.name.to_string();
        let code = Compiler::new(&tree, self).compile_function(definition);
        let op = Op::Host(HostCall(to_u32(code.parameters.len()), body));
        let code = LambdaCode { body: Code { span: code.body.span, op }, ..code };
        self.program.function_names.insert(name.clone());
        self.host_functions.insert(name, Arc::new(code));
        Ok(())
    }
}
