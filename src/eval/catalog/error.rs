//! Errors in resources and relationships that can be detected without a catalog.

use crate::error::{RUNTIME_ERROR, errors};

pub(crate) const NEEDS_CATALOG: &str = "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING";

errors! {
    #[derive(Debug)]
    pub(in crate::eval) enum CatalogError {
        /// `notify { 'a': }`
        Resource { type_name: String, fits: Option<String>, example: String } => NEEDS_CATALOG,
            message("cannot evaluate {type_name} resources: pcore does not compile catalogs"),
            help("{}", match fits {
                Some(name) => format!("its attributes are valid; `:doc {name}` shows the parameters of {name}"),
                None => format!("`pcore check` checks resources; a reference needs no catalog: `{example}`"),
            });
        /// `Notify { message => 'a' }`, `Notify['a'] { message => 'b' }`
        DefaultsOrOverride(change: String) => NEEDS_CATALOG,
            message("cannot {change}: pcore does not compile catalogs"),
            help("a reference without braces is a type and needs no catalog");
        /// `1 { 'a': }`
        NoResourceType { got: String, next_line: bool } => "ILLEGAL_RESOURCE_TYPE",
            message("expected a resource type before the braces, got {got}"),
            help("{}", match got.strip_prefix("the type ") {
                _ if *next_line => "a `{` on the next line continues the previous expression; end that with `;`".to_owned(),
                Some(name) => format!("put the parameters of a type in brackets: `{name}[…]`"),
                None => "write the name of a resource type, such as `notify`, or `Resource['notify']`".to_owned(),
            });
        /// `Class['a'] { b => 1 }`
        NoResource(got: String) => "ILLEGAL_OVERRIDDEN_TYPE",
            message("expected a resource with a title to override, got {got}"),
            help("write a reference with a title, such as `Notify['a']`");
        /// `1 -> Notify['a']`
        NoOperand(got: String) => "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
            message("expected a resource, a class or an Array of these in the relationship, got {got}"),
            help("write references: `Notify['a'] -> Notify['b']`; an entry of a hash is `$hash['key']`");
        /// `notify { undef: }`, `notify { ['a', undef]: }`, `notify { '': }`
        MissingTitle { code: &'static str, got: String } => code, message("expected a title, got {got}");
        /// `notify { 1: }`
        TitleType(got: String) => "ILLEGAL_TITLE_TYPE_AT",
            message("expected a String as the title, got {got}"),
            help("a title is a String; several titles are an Array of Strings");
        /// `notify { 'a': ; 'a': }`
        DuplicateTitle(title: String) => "DUPLICATE_TITLE",
            message("duplicate title {title} in the resource"), help("give each resource its own title");
        /// `notify { 'a': message => 1, message => 2 }`
        ///
        /// Observed: Puppet 7.23 spells the code so.
        DuplicateAttribute(name: String) => "DUPLICATE_ATTRIBUE",
            message("duplicate attribute `{name}` in the resource");
        /// `notify { 'a': * => 1 }`
        UnfoldsNoHash(got: String) => "TYPE_MISMATCH",
            message("expected a Hash of attributes after `* =>`, got {got}"),
            help("write `* => {{ name => value }}`");
        /// `foo { 'a': nosuch => 1 }`
        UnknownAttribute { definition: String, name: String, near: Option<String> } => RUNTIME_ERROR,
            message("{definition} has no parameter `{name}`"),
            help("{}", match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("`:doc {definition}` shows its parameters"),
            });
        /// `foo { 'a': }`
        MissingAttribute { definition: String, parameter: String, name: String } => RUNTIME_ERROR,
            message("{definition} requires a value for its parameter `{name}`"),
            help("add `{name} => …` for `{parameter}`");
        /// `foo { 'a': port => 'x' }`
        AttributeType { definition: String, name: String, expected: String, got: String } => RUNTIME_ERROR,
            message("the parameter `{name}` of {definition}: expected {expected}, got {got}");
    }
}
