//! Valid names of variables, parameters, definitions and hosts.

use super::{Severity, Surroundings, ValidationError, Validator};
use crate::syntax::grammar::words::is_word_character;
use crate::syntax::tree::{Definition, Expression, Id, Literal, Parameter};
use crate::text::Span;

/// Names of types that classes, defined types and functions cannot have.
///
/// Observed: Puppet 7.23. Other types are free: `class data { }` is one.
#[rustfmt::skip]
const RESERVED_TYPE_NAMES: [&str; 27] = [
    "any", "array", "boolean", "collection", "enum", "float", "hash", "init", "integer", "numeric", "object", "optional",
    "pattern", "regexp", "runtime", "scalar", "semver", "semverrange", "sensitive", "string", "struct", "timespan",
    "timestamp", "tuple", "typeset", "unit", "variant",
];

/// Whether a variable is named after a group of a match: `$0`, `$1`.
pub(super) fn is_numeric(name: &str) -> bool {
    name == "0" || (!name.starts_with('0') && !name.is_empty() && name.chars().all(|digit| digit.is_ascii_digit()))
}

/// Segments that start in lower case, the last also with an underscore. The parser takes only words and `::`.
pub(super) fn is_variable_name(name: &str) -> bool {
    let mut segments = name.strip_prefix("::").unwrap_or(name).rsplit("::");
    let last = segments.next().unwrap_or_default();
    (starts_lower(last) || last.starts_with('_')) && segments.all(starts_lower)
}

/// A lower-case letter or an underscore first, one segment.
pub(super) fn is_parameter_name(name: &str) -> bool {
    (starts_lower(name) || name.starts_with('_')) && is_word(name)
}

/// Segments with an upper-case letter first.
pub(super) fn is_type_name(name: &str) -> bool {
    name.split("::").all(|segment| segment.starts_with(|first: char| first.is_ascii_uppercase()) && is_word(segment))
}

fn starts_lower(segment: &str) -> bool {
    segment.starts_with(|first: char| first.is_ascii_lowercase())
}

fn is_word(text: &str) -> bool {
    text.chars().all(is_word_character)
}

impl Validator<'_> {
    pub(super) fn variable_name(&mut self, name: &str, span: Span) {
        if name.starts_with(|letter: char| letter.is_ascii_digit()) {
            if !is_numeric(name) {
                self.finds(ValidationError::NumericVariableName(name.to_owned()), span);
            }
        } else if !is_variable_name(name) {
            self.finds(ValidationError::VariableName(name.to_owned()), span);
        }
    }

    /// Checks a definition with parameters, and records it for the other rules.
    pub(super) fn definition(&mut self, id: Id, definition: &Definition, what: &'static str, inside: Surroundings) {
        self.distinct_parameters(&definition.parameters);
        let (tree, name) = (self.tree, definition.name.to_string());
        self.surround(tree.statements_of(&definition.body), inside);
        let start = Span { end: tree[id].span.start, ..tree[id].span };
        if !name.split("::").all(|segment| starts_lower(segment) && is_word(segment)) {
            self.finds(ValidationError::DefinitionName { name, what }, start);
        } else if RESERVED_TYPE_NAMES.contains(&&*name) {
            self.finds(ValidationError::ReservedTypeName { name, what }, start);
        }
    }

    /// Checks a class or defined type, whose parameters are also attributes of a resource.
    pub(super) fn resource_type(&mut self, id: Id, definition: &Definition, what: &'static str, inside: Surroundings) {
        self.definition(id, definition, what, inside);
        self.lost_last(definition.body);
        for parameter in definition.parameters.iter().filter(|one| matches!(&*one.name, "title" | "name")) {
            self.finds(ValidationError::ReservedParameter(parameter.name.to_string()), parameter.name_span);
        }
        self.rest_parameters(&definition.parameters, what);
    }

    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters.iter().filter(|parameter| !is_parameter_name(&parameter.name)) {
            self.finds(ValidationError::ParameterName(parameter.name.to_string()), parameter.name_span);
        }
        self.assignments_in_defaults(parameters);
    }

    /// Parameters that each have a name of their own, which Puppet does not ask of those of a lambda.
    pub(super) fn distinct_parameters(&mut self, parameters: &[Parameter]) {
        self.parameters(parameters);
        let names = parameters.iter().map(|parameter| (&parameter.name, parameter.name_span));
        self.finds_again(Severity::Program, names, ValidationError::DuplicateParameter);
    }

    /// Finds `*$rest` where `what` cannot have it.
    pub(super) fn rest_parameters(&mut self, parameters: &[Parameter], what: &'static str) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
            let name = parameter.name.to_string();
            self.finds(ValidationError::CapturesRest { name, what }, parameter.name_span);
        }
    }

    pub(super) fn host(&mut self, host: Id) {
        let tree = self.tree;
        match &tree[host].expression {
            Expression::Literal(Literal::String(name)) => {
                let is_host = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
                if !name.chars().all(is_host) {
                    self.finds_node(ValidationError::HostName(name.to_string()), host);
                }
            }
            Expression::Concatenation(parts) => {
                let part = parts.iter().find(|&&part| matches!(tree[part].expression, Expression::Text(_)));
                self.finds_node(ValidationError::HostInterpolation, part.copied().unwrap_or(host));
            }
            _ => {}
        }
    }
}
