//! What can be wrong with resources and relationships, as far as it shows without a catalog.

use std::fmt;

use crate::error::{Kind, RUNTIME_ERROR};

#[derive(Debug)]
pub(in crate::eval) enum Misuse {
    /// `notify { 'a': }`
    Resource { type_name: String, fits: Option<String>, example: String },
    /// `Notify { message => 'a' }`
    Defaults(String),
    /// `Notify['a'] { message => 'b' }`
    Override(String),
    /// `1 { 'a': }`
    NoResourceType { got: String, next_line: bool },
    /// `Class['a'] { b => 1 }`
    NoResource(String),
    /// `1 -> Notify['a']`
    NoOperand(String),
    /// `notify { undef: }`
    MissingTitle,
    /// `notify { ['a', undef]: }`
    MissingTitleAt(usize),
    /// `notify { '': }`
    EmptyTitle,
    /// `notify { 1: }`
    TitleType(String),
    /// `notify { 'a': ; 'a': }`
    DuplicateTitle(String),
    /// `notify { 'a': message => 1, message => 2 }`
    DuplicateAttribute(String),
    /// `notify { 'a': * => 1 }`
    UnfoldsNoHash(String),
    /// `foo { 'a': nosuch => 1 }`
    UnknownAttribute { definition: String, name: String, near: Option<String> },
    /// `foo { 'a': }`
    MissingAttribute { definition: String, parameter: String, name: String },
    /// `foo { 'a': port => 'x' }`
    AttributeType { definition: String, name: String, expected: String, got: String },
}

impl Kind for Misuse {
    fn code(&self) -> &'static str {
        match self {
            Misuse::Resource { .. } | Misuse::Defaults(_) | Misuse::Override(_) => {
                "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING"
            }
            Misuse::NoResourceType { .. } => "ILLEGAL_RESOURCE_TYPE",
            Misuse::NoResource(_) => "ILLEGAL_OVERRIDDEN_TYPE",
            Misuse::NoOperand(_) => "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
            Misuse::MissingTitle => "MISSING_TITLE",
            Misuse::MissingTitleAt(_) => "MISSING_TITLE_AT",
            Misuse::EmptyTitle => "EMPTY_STRING_TITLE_AT",
            Misuse::TitleType(_) => "ILLEGAL_TITLE_TYPE_AT",
            Misuse::DuplicateTitle(_) => "DUPLICATE_TITLE",
            // Observed: Puppet 7.23 spells it so.
            Misuse::DuplicateAttribute(_) => "DUPLICATE_ATTRIBUE",
            Misuse::UnfoldsNoHash(_) => "TYPE_MISMATCH",
            Misuse::UnknownAttribute { .. } | Misuse::MissingAttribute { .. } | Misuse::AttributeType { .. } => {
                RUNTIME_ERROR
            }
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Misuse::Resource { fits: Some(name), .. } => {
                Some(format!("its attributes are valid; `:doc {name}` shows the parameters of {name}"))
            }
            Misuse::Resource { example, .. } => {
                Some(format!("a reference is a type and needs no catalog: `{example}`"))
            }
            Misuse::Defaults(_) | Misuse::Override(_) => {
                Some("a reference without braces is a type and needs no catalog".to_owned())
            }
            Misuse::NoResourceType { next_line: true, .. } => {
                Some("a `{` on the next line continues the previous expression; end that with `;`".to_owned())
            }
            Misuse::NoResourceType { .. } => {
                Some("write the name of a resource type, such as `notify`, or `Resource['notify']`".to_owned())
            }
            Misuse::NoResource(_) => Some("write a reference with a title, such as `Notify['a']`".to_owned()),
            Misuse::NoOperand(_) => Some("write references: `Notify['a'] -> Notify['b']`".to_owned()),
            Misuse::TitleType(_) => Some("a title is a String; several titles are an Array of Strings".to_owned()),
            Misuse::DuplicateTitle(_) => Some("give each resource its own title".to_owned()),
            Misuse::UnfoldsNoHash(_) => Some("write `* => { name => value }`".to_owned()),
            Misuse::UnknownAttribute { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            Misuse::UnknownAttribute { definition, .. } => Some(format!("`:doc {definition}` shows its parameters")),
            Misuse::MissingAttribute { parameter, name, .. } => Some(format!("add `{name} => …` for `{parameter}`")),
            Misuse::MissingTitle
            | Misuse::MissingTitleAt(_)
            | Misuse::EmptyTitle
            | Misuse::DuplicateAttribute(_)
            | Misuse::AttributeType { .. } => None,
        }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Resource { type_name, .. } => {
                write!(f, "cannot evaluate a {type_name} resource: pcore does not compile catalogs")
            }
            Misuse::Defaults(name) => {
                write!(f, "cannot set defaults for {name} resources: pcore does not compile catalogs")
            }
            Misuse::Override(name) => write!(f, "cannot override {name}: pcore does not compile catalogs"),
            Misuse::NoResourceType { got, .. } => {
                write!(f, "expected a resource type before the braces, got {got}")
            }
            Misuse::NoResource(got) => write!(f, "expected a resource with a title to override, got {got}"),
            Misuse::NoOperand(got) => {
                write!(f, "expected a resource, a class or an Array of these in the relationship, got {got}")
            }
            Misuse::MissingTitle => f.write_str("expected a title, got undef"),
            Misuse::MissingTitleAt(at) => write!(f, "expected a title, got undef as element {at} of the Array"),
            Misuse::EmptyTitle => f.write_str("expected a title, got an empty String"),
            Misuse::TitleType(got) => write!(f, "expected a String as the title, got {got}"),
            Misuse::DuplicateTitle(title) => write!(f, "duplicate title {title} in the resource"),
            Misuse::DuplicateAttribute(name) => write!(f, "duplicate attribute `{name}` in the resource"),
            Misuse::UnfoldsNoHash(got) => write!(f, "expected a Hash of attributes after `* =>`, got {got}"),
            Misuse::UnknownAttribute { definition, name, .. } => write!(f, "{definition} has no parameter `{name}`"),
            Misuse::MissingAttribute { definition, name, .. } => {
                write!(f, "{definition} requires a value for its parameter `{name}`")
            }
            Misuse::AttributeType { definition, name, expected, got } => {
                write!(f, "the parameter `{name}` of {definition}: expected {expected}, got {got}")
            }
        }
    }
}
