//! The declarations of classes, defined types and functions: their parameters, with types and default values.
//!
//! Without a catalog, a class or defined type is known by its declaration only; its body is never run.

use std::sync::Arc;

use super::{code::Code, compile::Compiler, environment::Environment, modules, run::Evaluator};
use crate::error::Error;
use crate::functions::Flow;
use crate::operators::describe;
use crate::syntax::tree::{Definition, DefinitionKind, Id, Parameter, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{EcoString, Value};

const MAX_SIGNATURE_WIDTH: usize = 90;

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) kind: DefinitionKind,
    pub(crate) name: EcoString,
    pub(crate) name_span: Span,
    pub(crate) source: Arc<Source>,
    pub(crate) parameters: Box<[DeclaredParameter]>,
    pub(super) return_type: Option<Code>,
}

/// `Integer $port = 80`
#[derive(Debug)]
pub(crate) struct DeclaredParameter {
    pub(crate) name: EcoString,
    /// The location of the parameter, from its type to its default value.
    pub(crate) span: Span,
    pub(super) type_code: Option<Code>,
    pub(crate) default: Option<Id>,
}

impl Declaration {
    pub(crate) fn from_definition(definition: &Definition, tree: &Tree, environment: &mut Environment) -> Declaration {
        let parameter = |parameter: &Parameter| DeclaredParameter {
            name: parameter.name.clone(),
            span: parameter.span,
            type_code: parameter.type_.map(|id| Compiler::new(tree, environment).compile_expression(id)),
            default: parameter.default,
        };
        let parameters = definition.parameters.iter().map(parameter).collect();
        let return_type = definition.return_type.map(|id| Compiler::new(tree, environment).compile_expression(id));
        let Definition { kind, ref name, name_span, .. } = *definition;
        let (name, source) = (name.clone(), tree.source.clone());
        Declaration { kind, name, name_span, source, parameters, return_type }
    }

    pub(crate) fn parameter_named(&self, name: &str) -> Option<&DeclaredParameter> {
        self.parameters.iter().find(|parameter| *parameter.name == *name)
    }

    pub(super) fn parameter_source(&self, parameter: &DeclaredParameter) -> &str {
        self.source.slice(parameter.span)
    }

    /// Formats the declaration as in the source: `define foo(Integer $port = 80)`, on several lines if it is long.
    pub(crate) fn render_signature(&self) -> String {
        let head = format!("{} {}", self.kind.keyword(), self.name);
        let written: Vec<&str> = self.parameters.iter().map(|parameter| self.parameter_source(parameter)).collect();
        let line = format!("{head}({})", written.join(", "));
        if line.len() <= MAX_SIGNATURE_WIDTH && !line.contains('\n') {
            return line;
        }
        let lines = written.iter().fold(format!("{head}(\n"), |lines, parameter| lines + "  " + parameter + ",\n");
        lines + ")"
    }

    /// Returns the source of a Struct type for a hash of the parameters: `Struct[{Optional['port'] => Integer}]`.
    pub(crate) fn struct_type_text(&self) -> String {
        let member = |parameter: &DeclaredParameter| {
            let (name, type_) = (&parameter.name, parameter.type_code.as_ref());
            let key = if parameter.default.is_some() { format!("Optional['{name}']") } else { format!("'{name}'") };
            format!("{key} => {}", type_.map_or("Any", |code| self.source.slice(code.span)))
        };
        format!("Struct[{{{}}}]", self.parameters.iter().map(member).collect::<Vec<_>>().join(", "))
    }
}

impl Environment {
    /// Returns the class or defined type `name`, loading it from its module if necessary; `None` if there is none.
    pub(crate) fn find_class_or_define(&mut self, name: &str) -> Result<Option<Arc<Declaration>>, Error> {
        let name = name.trim_start_matches("::").to_lowercase();
        self.load_definition(modules::AutoloadKind::Manifest, &name)?;
        Ok(self.program.classes_and_defines.get(&name).cloned())
    }
}

impl Evaluator<'_> {
    pub(super) fn declared_type(&mut self, declaration: &Declaration, code: Option<&Code>) -> Result<Type, Flow> {
        let Some(code) = code else { return Ok(Type::any()) };
        match self.run_at_top_level(&declaration.source, |this| this.run_code(code))? {
            Value::Type(type_) => Ok(type_),
            other => {
                let error = Error::runtime(format!("expected a type, got {}", describe(&other)));
                Err(error.at(code.span).in_source(&declaration.source).into())
            }
        }
    }
}
