//! Checks the names of variables, parameters, definitions and hosts.

use super::{RuleKind, ValidationError, Validator};
use crate::syntax::grammar::words::is_word_character;
use crate::syntax::tree::{Definition, DefinitionKind, Expression, Id, Literal, Parameter};
use crate::text::Span;

/// Names of data types that classes, defined types and functions cannot have.
///
/// Observed: Puppet 7.23. Names of other data types are allowed: `class data { }` is valid.
#[rustfmt::skip]
const RESERVED_TYPE_NAMES: [&str; 27] = [
    "any", "array", "boolean", "collection", "enum", "float", "hash", "init", "integer", "numeric", "object", "optional",
    "pattern", "regexp", "runtime", "scalar", "semver", "semverrange", "sensitive", "string", "struct", "timespan",
    "timestamp", "tuple", "typeset", "unit", "variant",
];

/// Whether the variable `name` refers to the last match of a regular expression or to a group in it: `$0`, `$1`.
pub(super) fn is_match_variable(name: &str) -> bool {
    name == "0" || (!name.starts_with('0') && !name.is_empty() && name.chars().all(|digit| digit.is_ascii_digit()))
}

/// Whether all segments start with a lower-case letter; the last one may start with `_`. Ignores other characters.
pub(super) fn is_variable_name(name: &str) -> bool {
    let mut segments = name.strip_prefix("::").unwrap_or(name).rsplit("::");
    let last = segments.next().unwrap_or_default();
    (starts_lower_case(last) || last.starts_with('_')) && segments.all(starts_lower_case)
}

pub(super) fn is_parameter_name(name: &str) -> bool {
    (starts_lower_case(name) || name.starts_with('_')) && has_only_word_characters(name)
}

pub(super) fn is_type_name(name: &str) -> bool {
    name.split("::").all(|segment| {
        segment.starts_with(|first: char| first.is_ascii_uppercase()) && has_only_word_characters(segment)
    })
}

fn starts_lower_case(segment: &str) -> bool {
    segment.starts_with(|first: char| first.is_ascii_lowercase())
}

fn has_only_word_characters(text: &str) -> bool {
    text.chars().all(is_word_character)
}

impl Validator<'_> {
    pub(super) fn check_variable_name(&mut self, name: &str, span: Span) {
        if name.starts_with(|letter: char| letter.is_ascii_digit()) {
            if !is_match_variable(name) {
                self.add_error(ValidationError::NumericVariableName(name.to_owned()), span);
            }
        } else if !is_variable_name(name) {
            self.add_error(ValidationError::VariableName(name.to_owned()), span);
        }
    }

    pub(super) fn check_definition(&mut self, id: Id, definition: &Definition) {
        let what = match definition.kind {
            DefinitionKind::Class => "a class",
            DefinitionKind::DefinedType => "a defined type",
            DefinitionKind::Function => "a function",
        };
        self.check_distinct_parameters(&definition.parameters);
        let (span, name) = (self.tree[id].span, definition.name.to_string());
        let start = Span { end: span.start, ..span };
        if !name.split("::").all(|segment| starts_lower_case(segment) && has_only_word_characters(segment)) {
            self.add_error(ValidationError::DefinitionName { name, what }, start);
        } else if RESERVED_TYPE_NAMES.contains(&&*name) {
            self.add_error(ValidationError::ReservedTypeName { name, what }, start);
        }
        if definition.kind == DefinitionKind::Function {
            return;
        }
        // The parameters of the others are also resource attributes.
        self.report_unused_last_value(definition.body);
        for parameter in definition.parameters.iter().filter(|one| matches!(&*one.name, "title" | "name")) {
            self.add_error(ValidationError::ReservedParameter(parameter.name.to_string()), parameter.name_span);
        }
        self.report_rest_parameters(&definition.parameters, what);
    }

    pub(super) fn check_parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters.iter().filter(|parameter| !is_parameter_name(&parameter.name)) {
            self.add_error(ValidationError::ParameterName(parameter.name.to_string()), parameter.name_span);
        }
        self.report_default_assignments(parameters);
    }

    /// Checks parameters that must have different names, which Puppet does not require of the parameters of a lambda.
    pub(super) fn check_distinct_parameters(&mut self, parameters: &[Parameter]) {
        self.check_parameters(parameters);
        let names = parameters.iter().map(|parameter| (&parameter.name, parameter.name_span));
        self.report_duplicates(RuleKind::Program, names, ValidationError::DuplicateParameter);
    }

    /// Reports parameters like `*$rest`, which `what` (such as "a class") cannot have.
    pub(super) fn report_rest_parameters(&mut self, parameters: &[Parameter], what: &'static str) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
            let name = parameter.name.to_string();
            self.add_error(ValidationError::CapturesRest { name, what }, parameter.name_span);
        }
    }

    pub(super) fn check_host_name(&mut self, host: Id) {
        let tree = self.tree;
        match &tree[host].expression {
            Expression::Literal(Literal::String(name)) => {
                let is_host = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
                if !name.chars().all(is_host) {
                    self.add_node_error(ValidationError::HostName(name.to_string()), host);
                }
            }
            Expression::Concatenation(parts) => {
                let part = parts.iter().find(|&&part| matches!(tree[part].expression, Expression::Text(_)));
                self.add_node_error(ValidationError::HostInterpolation, part.copied().unwrap_or(host));
            }
            _ => {}
        }
    }
}
