//! What classes, defined types and functions declare: their parameters, with the types and the default values of these.
//!
//! Of classes and defined types that is all that can be known without a catalog; no body runs.

use std::sync::Arc;

use super::{code::Code, compile::Compiler, environment::Environment, modules, run::Evaluator};
use crate::error::Error;
use crate::functions::Flow;
use crate::operators::describe;
use crate::syntax::tree::{Definition, Id, Parameter, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{EcoString, Value};

const MAX_SIGNATURE_WIDTH: usize = 90;

/// What a definition makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `class a { }`
    Class,
    /// `define a { }`
    DefinedType,
    /// `function a { }`
    Function,
}

impl Kind {
    fn keyword(self) -> &'static str {
        match self {
            Kind::Class => "class",
            Kind::DefinedType => "define",
            Kind::Function => "function",
        }
    }
}

/// A class, a defined type or a function, as seen from outside.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) kind: Kind,
    pub(crate) name: EcoString,
    pub(crate) name_span: Span,
    pub(crate) source: Arc<Source>,
    pub(crate) parameters: Box<[Declared]>,
    pub(super) return_type: Option<Code>,
}

/// `Integer $port = 80`
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) name: EcoString,
    /// From the type to the default.
    pub(crate) span: Span,
    pub(super) type_: Option<Code>,
    pub(crate) default: Option<Id>,
}

impl Declaration {
    pub(crate) fn new(kind: Kind, definition: &Definition, tree: &Tree, environment: &mut Environment) -> Declaration {
        let parameter = |parameter: &Parameter| Declared {
            name: parameter.name.clone(),
            span: parameter.span,
            type_: parameter.type_.map(|id| Compiler::new(tree, environment).expression(id)),
            default: parameter.default,
        };
        let parameters = definition.parameters.iter().map(parameter).collect();
        let return_type = definition.return_type.map(|id| Compiler::new(tree, environment).expression(id));
        let (name, name_span, source) = (definition.name.clone(), definition.name_span, tree.source.clone());
        Declaration { kind, name, name_span, source, parameters, return_type }
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Declared> {
        self.parameters.iter().find(|parameter| *parameter.name == *name)
    }

    pub(super) fn written(&self, parameter: &Declared) -> &str {
        self.source.slice(parameter.span)
    }

    /// `define foo(Integer $port = 80)`, over several lines where one is too short.
    pub(crate) fn signature(&self) -> String {
        let head = format!("{} {}", self.kind.keyword(), self.name);
        let written: Vec<&str> = self.parameters.iter().map(|parameter| self.written(parameter)).collect();
        let line = format!("{head}({})", written.join(", "));
        if line.len() <= MAX_SIGNATURE_WIDTH && !line.contains('\n') {
            return line;
        }
        let lines = written.iter().fold(format!("{head}(\n"), |lines, parameter| lines + "  " + parameter + ",\n");
        lines + ")"
    }

    /// The type of a hash with its parameters: `Struct[{Optional['port'] => Integer}]`.
    pub(crate) fn struct_text(&self) -> String {
        let member = |parameter: &Declared| {
            let (name, type_) = (&parameter.name, parameter.type_.as_ref());
            let key = if parameter.default.is_some() { format!("Optional['{name}']") } else { format!("'{name}'") };
            format!("{key} => {}", type_.map_or("Any", |code| self.source.slice(code.span)))
        };
        format!("Struct[{{{}}}]", self.parameters.iter().map(member).collect::<Vec<_>>().join(", "))
    }
}

impl Environment {
    /// The class or defined type of that name; those of modules are read when they are first named.
    pub(crate) fn resource_definition(&mut self, name: &str) -> Result<Option<Arc<Declaration>>, Error> {
        let name = name.trim_start_matches("::").to_lowercase();
        if !self.program.resource_definitions.contains_key(&name) {
            self.load(modules::Kind::Manifest, &name)?;
        }
        Ok(self.program.resource_definitions.get(&name).cloned())
    }

    pub(super) fn define_resource(&mut self, kind: Kind, definition: &Definition, tree: &Tree) {
        let known = Declaration::new(kind, definition, tree, self);
        self.program.resource_definitions.insert(str::to_lowercase(&definition.name), Arc::new(known));
    }
}

impl Evaluator<'_> {
    /// The type that a declaration gives a parameter, or a result; `Any` where none is written.
    pub(super) fn declared_type(&mut self, declaration: &Declaration, code: Option<&Code>) -> Result<Type, Flow> {
        let Some(code) = code else { return Ok(Type::any()) };
        match self.outside(&declaration.source, |this| this.run(code))? {
            Value::Type(type_) => Ok(type_),
            other => {
                let error = Error::runtime(format!("expected a type, got {}", describe(&other)));
                Err(error.at(code.span).in_source(&declaration.source).into())
            }
        }
    }
}
