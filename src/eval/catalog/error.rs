//! What can be wrong with resources and relationships, as far as it shows without a catalog.

use std::fmt;

use crate::error::{Kind, RUNTIME_ERROR};

#[derive(Debug)]
pub(in crate::eval) enum CatalogError {
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

impl Kind for CatalogError {
    fn code(&self) -> &'static str {
        match self {
            CatalogError::Resource { .. } | CatalogError::Defaults(_) | CatalogError::Override(_) => {
                "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING"
            }
            CatalogError::NoResourceType { .. } => "ILLEGAL_RESOURCE_TYPE",
            CatalogError::NoResource(_) => "ILLEGAL_OVERRIDDEN_TYPE",
            CatalogError::NoOperand(_) => "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
            CatalogError::MissingTitle => "MISSING_TITLE",
            CatalogError::MissingTitleAt(_) => "MISSING_TITLE_AT",
            CatalogError::EmptyTitle => "EMPTY_STRING_TITLE_AT",
            CatalogError::TitleType(_) => "ILLEGAL_TITLE_TYPE_AT",
            CatalogError::DuplicateTitle(_) => "DUPLICATE_TITLE",
            // Observed: Puppet 7.23 spells it so.
            CatalogError::DuplicateAttribute(_) => "DUPLICATE_ATTRIBUE",
            CatalogError::UnfoldsNoHash(_) => "TYPE_MISMATCH",
            CatalogError::UnknownAttribute { .. }
            | CatalogError::MissingAttribute { .. }
            | CatalogError::AttributeType { .. } => RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            CatalogError::Resource { fits: Some(name), .. } => {
                Some(format!("its attributes are valid; `:doc {name}` shows the parameters of {name}"))
            }
            CatalogError::Resource { example, .. } => {
                Some(format!("a reference is a type and needs no catalog: `{example}`"))
            }
            CatalogError::Defaults(_) | CatalogError::Override(_) => {
                Some("a reference without braces is a type and needs no catalog".to_owned())
            }
            CatalogError::NoResourceType { next_line: true, .. } => {
                Some("a `{` on the next line continues the previous expression; end that with `;`".to_owned())
            }
            CatalogError::NoResourceType { .. } => {
                Some("write the name of a resource type, such as `notify`, or `Resource['notify']`".to_owned())
            }
            CatalogError::NoResource(_) => Some("write a reference with a title, such as `Notify['a']`".to_owned()),
            CatalogError::NoOperand(_) => Some("write references: `Notify['a'] -> Notify['b']`".to_owned()),
            CatalogError::TitleType(_) => {
                Some("a title is a String; several titles are an Array of Strings".to_owned())
            }
            CatalogError::DuplicateTitle(_) => Some("give each resource its own title".to_owned()),
            CatalogError::UnfoldsNoHash(_) => Some("write `* => { name => value }`".to_owned()),
            CatalogError::UnknownAttribute { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            CatalogError::UnknownAttribute { definition, .. } => {
                Some(format!("`:doc {definition}` shows its parameters"))
            }
            CatalogError::MissingAttribute { parameter, name, .. } => {
                Some(format!("add `{name} => …` for `{parameter}`"))
            }
            CatalogError::MissingTitle
            | CatalogError::MissingTitleAt(_)
            | CatalogError::EmptyTitle
            | CatalogError::DuplicateAttribute(_)
            | CatalogError::AttributeType { .. } => None,
        }
    }
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CatalogError::Resource { type_name, .. } => {
                write!(f, "cannot evaluate a {type_name} resource: pcore does not compile catalogs")
            }
            CatalogError::Defaults(name) => {
                write!(f, "cannot set defaults for {name} resources: pcore does not compile catalogs")
            }
            CatalogError::Override(name) => write!(f, "cannot override {name}: pcore does not compile catalogs"),
            CatalogError::NoResourceType { got, .. } => {
                write!(f, "expected a resource type before the braces, got {got}")
            }
            CatalogError::NoResource(got) => write!(f, "expected a resource with a title to override, got {got}"),
            CatalogError::NoOperand(got) => {
                write!(f, "expected a resource, a class or an Array of these in the relationship, got {got}")
            }
            CatalogError::MissingTitle => f.write_str("expected a title, got undef"),
            CatalogError::MissingTitleAt(at) => write!(f, "expected a title, got undef as element {at} of the Array"),
            CatalogError::EmptyTitle => f.write_str("expected a title, got an empty String"),
            CatalogError::TitleType(got) => write!(f, "expected a String as the title, got {got}"),
            CatalogError::DuplicateTitle(title) => write!(f, "duplicate title {title} in the resource"),
            CatalogError::DuplicateAttribute(name) => write!(f, "duplicate attribute `{name}` in the resource"),
            CatalogError::UnfoldsNoHash(got) => write!(f, "expected a Hash of attributes after `* =>`, got {got}"),
            CatalogError::UnknownAttribute { definition, name, .. } => {
                write!(f, "{definition} has no parameter `{name}`")
            }
            CatalogError::MissingAttribute { definition, name, .. } => {
                write!(f, "{definition} requires a value for its parameter `{name}`")
            }
            CatalogError::AttributeType { definition, name, expected, got } => {
                write!(f, "the parameter `{name}` of {definition}: expected {expected}, got {got}")
            }
        }
    }
}
