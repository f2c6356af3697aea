//! `Resource['file', '/tmp/x']`, `File['/tmp/x']`: all resources, those of one type, or a specific one; `Class['apache']`.
//!
//! The core resource types are always known; the evaluator decides which others are.

use super::{Lattice, Result, Rules, Type, TypeError, TypeWriter, row, text};
use crate::value::{EcoString, Value, array};
use crate::wording::capitalize_segments;

/// References to resources: to all, to those of one type, or to a specific one.
///
/// Source: language specification, "Resource".
/// Observed: Puppet 8.11 prints `Resource['file']` as `File`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceType {
    /// The capitalized name, such as `Foo::Bar`; `None` for bare `Resource`.
    type_name: Option<EcoString>,
    title: Option<EcoString>,
}

/// The capitalized names of the core resource types, which are always available.
#[rustfmt::skip]
pub(super) const CORE: [&str; 32] = [
    "Augeas", "Component", "Computer", "Cron", "Exec", "File", "Filebucket", "Group", "Host", "Interface",
    "K5login", "Mailalias", "Maillist", "Mcx", "Mount", "Node", "Notify", "Package", "Resources", "Schedule",
    "Scheduled_task", "Selboolean", "Selmodule", "Service", "Ssh_authorized_key", "Sshkey", "Stage", "Tidy", "User",
    "Whit", "Yumrepo", "Zone",
];

impl ResourceType {
    /// Creates `Resource[type_name, title]` with the name capitalized; `None` if the name is invalid.
    pub fn new(type_name: &str, title: Option<EcoString>) -> Option<ResourceType> {
        let type_name = type_name.trim_start_matches("::");
        is_valid_qualified_name(type_name, |first| first.is_ascii_alphabetic())
            .then(|| ResourceType { type_name: Some(capitalize_segments(type_name).into()), title })
    }

    /// Returns the capitalized name of the resource type; `None` for bare `Resource`.
    pub fn type_name(&self) -> Option<&str> {
        self.type_name.as_deref()
    }

    /// Returns the title; `None` for a type that matches all titles.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Evaluates the brackets after the type. `File['a']` is one reference; `File['a', 'b']` and `File[['a']]` are
    /// arrays of references; `Resource['file', …]` is `File[…]`, and `Resource['file']` is `File`.
    pub(super) fn references_from_arguments(&self, arguments: &[Value]) -> Result<Value> {
        if let (Some(_), Some(_)) = (&self.type_name, &self.title)
            && *arguments != [Value::Undef]
        {
            return Err(TypeError::ResourceAttribute { resource: Type::from(self.clone()).to_string() }.into());
        }
        let Some(type_name) = &self.type_name else {
            let (first, titles) = arguments.split_first().unwrap_or((&Value::Undef, &[])); // Brackets are never empty.
            let named = match first {
                Value::String(name) => ResourceType::new(name, None).ok_or_else(|| {
                    let expected = "the name of a resource type (letters, digits, underscores and ::)";
                    TypeError::unexpected_value("ILLEGAL_CLASSREF", expected, first)
                })?,
                Value::Type(Type::Resource(resource)) if resource.type_name.is_some() => (**resource).clone(),
                other => {
                    let expected = "a resource type or its name as the parameter of Resource";
                    return Err(TypeError::unexpected_value("ILLEGAL_RESOURCE_SPECIALIZATION", expected, other).into());
                }
            };
            return if titles.is_empty() {
                Ok(Value::Type(named.into()))
            } else {
                named.references_from_arguments(titles)
            };
        };
        let reference = |title: &Value| match title {
            Value::String(title) => {
                let resource = ResourceType { type_name: Some(type_name.clone()), title: Some(title.clone()) };
                Ok(Value::Type(resource.into()))
            }
            other => Err(TypeError::wrong_parameter(Self::NAME, "a title, which must be a String,", other).into()),
        };
        reference_each_title(arguments, reference)
    }
}

/// Whether each segment of `name` between `::` is a word of letters, digits and `_` whose first character `may_start`.
fn is_valid_qualified_name(name: &str, may_start: fn(char) -> bool) -> bool {
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.split("::").all(|word| word.starts_with(may_start) && word.chars().all(is_inside))
}

/// Calls `reference` for each title; returns an array of the results, or just the result if there is one title.
fn reference_each_title(arguments: &[Value], reference: impl Fn(&Value) -> Result<Value>) -> Result<Value> {
    match arguments {
        [Value::Undef] => Ok(Value::Undef),
        [one] if !matches!(one, Value::Array(_)) => reference(one),
        many => {
            let titles = array::flatten(many)?;
            let titles = titles.iter().filter(|title| !matches!(title, Value::Undef));
            titles.map(reference).collect::<Result<Vec<_>>>().map(Value::from)
        }
    }
}

impl Rules for ResourceType {
    row! {
        "Resource" ["type_name, title, …"] below "CatalogEntry":
            "references to resources: any, those of one type, or a specific one";
        "Resource['file', '/tmp/x']" => "File['/tmp/x']",
        "File['a', 'b']" => "[File['a'], File['b']]",
        "Resource[1]" => "error ILLEGAL_RESOURCE_SPECIALIZATION",
    }
    const TAKES_ARRAYS: bool = true;
    const IS_GENERAL: bool = true;

    fn arguments(&self) -> Vec<Value> {
        self.title.iter().cloned().map(Value::String).collect()
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        let Type::Resource(other) = other else { return false };
        let is_given = |name: &EcoString| other.type_name.as_ref().is_some_and(|one| one.eq_ignore_ascii_case(name));
        self.type_name.as_ref().is_none_or(is_given) && (self.title.is_none() || self.title == other.title)
    }

    fn write_code(&self, out: &mut TypeWriter) {
        text::write_type(self.type_name.as_deref().unwrap_or(Self::NAME), &self.arguments(), out);
    }
}

/// References to classes: to all, or to a specific one.
///
/// Source: language specification, "Class".
/// Observed: Puppet 8.11 prints the name in lower case and without quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClassType {
    name: Option<EcoString>,
}

impl ClassType {
    /// Returns the name of the class in lower case; `None` for bare `Class`.
    pub fn class_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Evaluates brackets after the type: `Class['a']` to one reference, `Class['a', 'b']` to an array of them.
    pub(super) fn references_from_arguments(&self, arguments: &[Value]) -> Result<Value> {
        if let Some(name) = &self.name
            && *arguments != [Value::Undef]
        {
            return Err(TypeError::ResourceAttribute { resource: format!("Class[{name}]") }.into());
        }
        reference_each_title(arguments, |argument| {
            let Value::String(name) = argument else {
                let expected = "the name of a class";
                return Err(TypeError::unexpected_value("ILLEGAL_HOSTCLASS_NAME", expected, argument).into());
            };
            let lower = name.to_ascii_lowercase();
            let name = lower.trim_start_matches("::");
            if !is_valid_qualified_name(name, |first| first.is_ascii_lowercase() || first == '_') {
                let expected = "the name of a class (segments of letters, digits and underscores, joined by ::)";
                return Err(TypeError::unexpected_value("ILLEGAL_NAME", expected, argument).into());
            }
            Ok(Value::Type(ClassType { name: Some(name.into()) }.into()))
        })
    }
}

impl Rules for ClassType {
    row! {
        "Class" ["name, …"] below "CatalogEntry": "references to classes, optionally to a specific one";
        "Class['apache'] =~ Type[Class]" => "true",
        "Class['not a name']" => "error ILLEGAL_NAME",
    }
    const TAKES_ARRAYS: bool = true;
    const IS_GENERAL: bool = true;

    fn arguments(&self) -> Vec<Value> {
        self.name.iter().cloned().map(Value::String).collect()
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Class(other) if self.name.is_none() || self.name == other.name)
    }

    fn write_code(&self, out: &mut TypeWriter) {
        out.text.push_str(Self::NAME);
        if let Some(name) = &self.name {
            out.text.extend(["[", name, "]"]);
        }
    }
}
