//! Classes and defined types: what is known of them without a catalog, their parameters.

use std::fmt::Write as _;
use std::sync::Arc;

use super::super::code::Code;
use super::super::compile::Compiler;
use super::super::modules;
use super::super::world::World;
use crate::error::Error;
use crate::syntax::tree::{Definition, Parameter, Tree};
use crate::text::Source;

/// How wide a signature may be on one line.
const MAX_SIGNATURE_WIDTH: usize = 90;

/// What a definition makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `class a { }`
    Class,
    /// `define a { }`
    DefinedType,
}

impl Kind {
    fn keyword(self) -> &'static str {
        match self {
            Kind::Class => "class",
            Kind::DefinedType => "define",
        }
    }
}

/// A class or a defined type.
#[derive(Debug)]
pub(crate) struct ResourceDefinition {
    pub(super) kind: Kind,
    pub(super) name: Box<str>,
    pub(super) source: Arc<Source>,
    pub(super) parameters: Box<[ResourceParameter]>,
}

/// `Integer $port = 80`
#[derive(Debug)]
pub(super) struct ResourceParameter {
    pub(super) name: Box<str>,
    pub(super) type_: Option<Code>,
    pub(super) has_default: bool,
    /// The whole parameter and its type, as they were written.
    pub(super) written: String,
    written_type: Option<String>,
}

impl ResourceDefinition {
    pub(super) fn new(kind: Kind, definition: &Definition, tree: &Tree, world: &mut World) -> ResourceDefinition {
        let text = |span| tree.source.slice(span).to_owned();
        let parameter = |parameter: &Parameter| ResourceParameter {
            name: parameter.name.clone(),
            type_: parameter.type_.map(|id| Compiler::new(tree, world).expression(id)),
            has_default: parameter.default.is_some(),
            written: text(parameter.span),
            written_type: parameter.type_.map(|id| text(tree[id].span)),
        };
        let parameters = definition.parameters.iter().map(parameter).collect();
        ResourceDefinition { kind, name: definition.name.clone(), source: tree.source.clone(), parameters }
    }

    /// `define foo(Integer $port = 80)`, over several lines where one is too short.
    pub(crate) fn signature(&self) -> String {
        let head = format!("{} {}", self.kind.keyword(), self.name);
        let written: Vec<&str> = self.parameters.iter().map(|parameter| parameter.written.as_str()).collect();
        let line = format!("{head}({})", written.join(", "));
        if line.len() <= MAX_SIGNATURE_WIDTH && !line.contains('\n') {
            return line;
        }
        let lines = written.iter().fold(format!("{head}(\n"), |lines, parameter| lines + "  " + parameter + ",\n");
        lines + ")"
    }

    /// The type of a hash with its parameters: `Struct[{Optional['port'] => Integer}]`.
    pub(crate) fn struct_text(&self) -> String {
        let mut text = "Struct[{".to_owned();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let key = format!("'{}'", parameter.name);
            let key = if parameter.has_default { format!("Optional[{key}]") } else { key };
            let separator = if index == 0 { "" } else { ", " };
            let type_ = parameter.written_type.as_deref().unwrap_or("Any");
            let _ = write!(text, "{separator}{key} => {type_}"); // OK because writing to a String cannot fail.
        }
        text + "}]"
    }
}

impl World {
    /// The class or defined type of that name; those of modules are read when they are first named.
    ///
    /// # Errors
    /// The file of a module that should define it is wrong.
    pub(crate) fn resource_definition(&mut self, name: &str) -> Result<Option<Arc<ResourceDefinition>>, Error> {
        let name = name.trim_start_matches("::").to_lowercase();
        if !self.resource_definitions.contains_key(&name) {
            self.load(modules::Kind::Manifest, &name)?;
        }
        Ok(self.resource_definitions.get(&name).cloned())
    }

    /// Makes a class or defined type known.
    pub(in crate::eval) fn define_resource(&mut self, kind: Kind, definition: &Definition, tree: &Tree) {
        let known = ResourceDefinition::new(kind, definition, tree, self);
        self.resource_definitions.insert(definition.name.to_lowercase(), Arc::new(known));
    }
}
