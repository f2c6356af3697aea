//! Converts the tree to Puppet Extended S-Expression Notation (PN): lists `(head …)`, vectors `[…]`, maps `{:key …}`,
//! literals. In its JSON form, a list is `{"^": [head, …]}`, a map is `{"#": [key, value, …]}`, a vector is an array.
//!
//! A node is a list whose head is its kind; named parts are in a map. Bodies are vectors of statements.
//!
//! Source: puppet-specifications, models/pn.md.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::grammar::operators::{binary_operator_text, unary_operator_text};
use super::tree::{
    Attribute, Definition, DefinitionKind, Expression, Id, Literal, Parameter, ResourceBody, ResourceForm,
    ResourceKind, Tree, UnaryOperator,
};
use crate::microsyntax::float_text;
use crate::stack::with_room;

/// Returns the whole program in PN, in one line.
///
/// Observed: Puppet 8.11 for the heads and keys.
///
/// ```
/// use pcore::text::Source;
/// let tree = pcore::syntax::parse(&Source::new("example", "$x ? { 1 => 'a' }"))?;
/// assert_eq!(pcore::syntax::pn::to_pn(&tree), r#"(? (var "x") [(=> 1 "a")])"#);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn to_pn(tree: &Tree) -> String {
    write_tree(tree, false)
}

/// Returns the whole program in the JSON form of PN, in one line.
pub fn to_json(tree: &Tree) -> String {
    write_tree(tree, true)
}

fn write_tree(tree: &Tree, is_json: bool) -> String {
    let mut out = String::new();
    PnConverter { tree, enclosing_class: String::new() }.pn_of(tree.body).write_value(is_json, &mut out);
    out
}

struct PnConverter<'a> {
    tree: &'a Tree,
    /// The full name of the class around the current node, which qualifies classes and defined types in it.
    enclosing_class: String,
}

/// An entry `:key value` of a map; `None` if there is no value, so that the map has no such key.
type Entry = Option<[Pn; 2]>;

fn entry(key: &str, value: impl Into<Option<Pn>>) -> Entry {
    Some([Pn::Word(":", key.to_owned()), value.into()?])
}

fn map_of_entries(entries: impl IntoIterator<Item = Entry>) -> Pn {
    Pn::Map(entries.into_iter().flatten().flatten().collect())
}

fn map(head: &str, parts: impl IntoIterator<Item = Entry>) -> Pn {
    headed_list(head, vec![map_of_entries(parts)])
}

fn headed_list(head: &str, items: Vec<Pn>) -> Pn {
    Pn::List(std::iter::once(Pn::Word("", head.to_owned())).chain(items).collect())
}

fn string_literal(text: &str) -> Pn {
    Pn::Literal(text.into())
}

fn list_with_string(head: &str, name: &str) -> Pn {
    headed_list(head, vec![string_literal(name)])
}

impl PnConverter<'_> {
    fn pn_of(&mut self, id: Id) -> Pn {
        with_room(|| self.expression_to_pn(id))
    }

    fn nodes_to_pn(&mut self, ids: &[Id]) -> Vec<Pn> {
        ids.iter().map(|id| self.pn_of(*id)).collect()
    }

    fn list_of(&mut self, head: &str, items: &[Id]) -> Pn {
        headed_list(head, self.nodes_to_pn(items))
    }

    fn entry_of(&mut self, key: &str, value: Option<Id>) -> Entry {
        entry(key, value.map(|value| self.pn_of(value)))
    }

    fn vector_entry(&mut self, key: &str, items: &[Id]) -> Entry {
        entry(key, Pn::Vector(self.nodes_to_pn(items)))
    }

    fn entry_of_body(&mut self, key: &str, body: Id) -> Entry {
        let tree = self.tree;
        if tree[body].expression == Expression::Nop { None } else { self.vector_entry(key, tree.statements_of(&body)) }
    }

    /// Like [`PnConverter::entry_of_body`] for the branch of an `if`, where `name { a => 1 }` is two statements.
    fn entry_of_branch(&mut self, key: &str, body: Id) -> Entry {
        match &self.tree[body].expression {
            Expression::Resource { kind: ResourceKind::Untitled, type_name, bodies, .. } => {
                entry(key, Pn::Vector(self.untitled_resource_to_pn(*type_name, bodies)))
            }
            _ => self.entry_of_body(key, body),
        }
    }

    fn entry_of_parameters(&mut self, parameters: &[Parameter]) -> Entry {
        let each = parameters.iter().map(|parameter| {
            let splat = entry("splat", parameter.captures_rest.then(|| Pn::Literal(true.into())));
            let parts = [self.entry_of("type", parameter.type_), splat, self.entry_of("value", parameter.default)];
            entry(&parameter.name, map_of_entries(parts))
        });
        if parameters.is_empty() { None } else { entry("params", map_of_entries(each)) }
    }

    fn definition_to_pn(&mut self, definition: &Definition) -> Pn {
        let outer = self.enclosing_class.clone();
        let name = match definition.kind {
            DefinitionKind::Class | DefinitionKind::DefinedType if !outer.is_empty() => {
                format!("{outer}::{}", definition.name)
            }
            _ => definition.name.to_string(),
        };
        if definition.kind == DefinitionKind::Class {
            name.strip_prefix("::").unwrap_or(&name).clone_into(&mut self.enclosing_class);
        }
        let parts = [
            entry("name", string_literal(&name)),
            entry("parent", definition.parent.as_deref().map(string_literal)),
            self.entry_of_parameters(&definition.parameters),
            self.entry_of_body("body", definition.body),
            self.entry_of("returns", definition.return_type),
        ];
        self.enclosing_class = outer;
        map(definition.kind.keyword(), parts)
    }

    fn attribute_to_pn(&mut self, head: &str, attribute: &Attribute) -> Pn {
        headed_list(head, vec![string_literal(&attribute.name), self.pn_of(attribute.value)])
    }

    fn entry_of_attributes(&mut self, attributes: &[Attribute]) -> Entry {
        let operations = attributes.iter().map(|attribute| match &*attribute.name {
            "*" => self.list_of("splat-hash", &[attribute.value]),
            _ => self.attribute_to_pn(if attribute.append { "+>" } else { "=>" }, attribute),
        });
        entry("ops", Pn::Vector(operations.collect()))
    }

    /// Returns `name { a => 1 }` as a name and a hash: Puppet's parser does not notice that the title is missing.
    fn untitled_resource_to_pn(&mut self, type_name: Id, bodies: &[ResourceBody]) -> Vec<Pn> {
        let name = self.pn_of(type_name);
        let attributes = bodies.iter().flat_map(|body| &body.attributes);
        vec![name, headed_list("hash", attributes.map(|attribute| self.attribute_to_pn("=>", attribute)).collect())]
    }

    fn resource_to_pn(&mut self, form: ResourceForm, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> Pn {
        let (head, key) = match kind {
            ResourceKind::Untitled => return headed_list("block", self.untitled_resource_to_pn(type_name, bodies)),
            ResourceKind::Declaration => ("resource", "type"),
            ResourceKind::Override => ("resource-override", "resources"),
            ResourceKind::Defaults => ("resource-defaults", "type"),
        };
        let mut parts = vec![self.entry_of(key, Some(type_name))];
        if kind == ResourceKind::Declaration {
            let bodies = bodies.iter().map(|body| {
                let title = self.entry_of("title", body.title);
                map_of_entries([title, self.entry_of_attributes(&body.attributes)])
            });
            parts.push(entry("bodies", Pn::Vector(bodies.collect())));
        } else {
            parts.extend(bodies.iter().map(|body| self.entry_of_attributes(&body.attributes)));
        }
        let form = match form {
            ResourceForm::Regular => None,
            ResourceForm::Virtual => Some("virtual"),
            ResourceForm::Exported => Some("exported"),
        };
        parts.push(entry("form", form.map(string_literal)));
        map(head, parts)
    }

    fn expression_to_pn(&mut self, id: Id) -> Pn {
        let tree = self.tree;
        match &tree[id].expression {
            Expression::Nop => headed_list("nop", Vec::new()),
            Expression::Literal(literal) => literal_to_pn(literal),
            Expression::Concatenation(parts) => self.list_of("concat", parts),
            Expression::Text(value) => self.list_of("str", &[*value]),
            Expression::Heredoc(syntax, content) => {
                let syntax = entry("syntax", (!syntax.is_empty()).then(|| string_literal(syntax)));
                map("heredoc", [syntax, self.entry_of("text", Some(*content))])
            }
            Expression::Name(name) => list_with_string("qn", name),
            Expression::Reference(name) => list_with_string("qr", name),
            Expression::Variable(name) => list_with_string("var", name),
            Expression::Reserved(word) => list_with_string("reserved", word),
            Expression::Array(items) => self.list_of("array", items),
            Expression::Hash(entries) => {
                let entries = entries.iter().map(|(key, value)| self.list_of("=>", &[*key, *value]));
                headed_list("hash", entries.collect())
            }
            Expression::Parenthesized(value) => self.list_of("paren", &[*value]),
            Expression::Unary(UnaryOperator::Unfold, value) => self.list_of("unfold", &[*value]),
            Expression::Unary(operator, value) => self.list_of(unary_operator_text(*operator), &[*value]),
            Expression::Binary(operator, left, right) => {
                self.list_of(binary_operator_text(*operator), &[*left, *right])
            }
            Expression::Assignment(operator, left, right) => {
                self.list_of(&format!("{}=", operator.map_or("", binary_operator_text)), &[*left, *right])
            }
            Expression::Access(value, arguments) => self.list_of("access", &[&[*value], &**arguments].concat()),
            Expression::Selector(control, options) => {
                let control = self.pn_of(*control);
                let entries = options.iter().map(|one| self.list_of("=>", &[&*one.values, &[one.then]].concat()));
                headed_list("?", vec![control, Pn::Vector(entries.collect())])
            }
            Expression::Call { receiver, functor, arguments, lambda, statement } => {
                let (head, functor) = match receiver {
                    Some(receiver) => ("call-method", self.list_of(".", &[*receiver, *functor])),
                    None => (if *statement { "invoke" } else { "call" }, self.pn_of(*functor)),
                };
                let arguments = self.vector_entry("args", arguments);
                map(head, [entry("functor", functor), arguments, self.entry_of("block", *lambda)])
            }
            Expression::Lambda { parameters, return_type, body } => {
                let parameters = self.entry_of_parameters(parameters);
                map("lambda", [parameters, self.entry_of("returns", *return_type), self.entry_of_body("body", *body)])
            }
            Expression::If { is_unless, condition, then, otherwise } => {
                let parts = [
                    self.entry_of("test", Some(*condition)),
                    self.entry_of_branch("then", *then),
                    otherwise.and_then(|otherwise| self.entry_of_branch("else", otherwise)),
                ];
                map(if *is_unless { "unless" } else { "if" }, parts)
            }
            Expression::Case(control, options) => {
                let control = self.pn_of(*control);
                let options = options.iter().map(|option| {
                    let values = self.vector_entry("when", &option.values);
                    map_of_entries([values, self.vector_entry("then", tree.statements_of(&option.then))])
                });
                headed_list("case", vec![control, Pn::Vector(options.collect())])
            }
            Expression::Block(statements) => self.list_of("block", statements),
            Expression::TypeAlias { name, type_ } => {
                headed_list("type-alias", vec![string_literal(name), self.pn_of(*type_)])
            }
            Expression::TypeMapping(name, type_) => self.list_of("type-mapping", &[*name, *type_]),
            Expression::TypeDefinition(name, parent, body) => {
                let parent = parent.as_ref().map_or(Pn::Literal(Json::Null), |parent| string_literal(parent));
                let is_empty = tree[*body].expression == Expression::Nop;
                let body = if is_empty { self.pn_of(*body) } else { self.list_of("block", tree.statements_of(body)) };
                headed_list("type-definition", vec![string_literal(name), parent, body])
            }
            Expression::Definition(definition) => self.definition_to_pn(definition),
            Expression::NodeDefinition(hosts, parent, body) => {
                let hosts = self.vector_entry("matches", hosts);
                map("node", [hosts, self.entry_of("parent", *parent), self.entry_of_body("body", *body)])
            }
            Expression::Resource { form, kind, type_name, bodies } => {
                self.resource_to_pn(*form, *kind, *type_name, bodies)
            }
            Expression::Collector { type_name, exported, query, operations } => {
                let type_ = self.entry_of("type", Some(*type_name));
                let head = if *exported { "exported-query" } else { "virtual-query" };
                let is_empty = tree[*query].expression == Expression::Nop;
                let query =
                    entry("query", self.list_of(head, if is_empty { &[] } else { std::slice::from_ref(query) }));
                let operations = (!operations.is_empty()).then(|| self.entry_of_attributes(operations));
                map("collect", [type_, query, operations.flatten()])
            }
            Expression::RenderString(text) => list_with_string("render-s", text),
            Expression::Render(value) => self.list_of("render", &[*value]),
            Expression::Epp { parameters, body, .. } => {
                let is_empty = tree[*body].expression == Expression::Nop;
                let parameters = self.entry_of_parameters(parameters);
                let body = self.list_of("epp", if is_empty { &[] } else { tree.statements_of(body) });
                map("lambda", [parameters, entry("body", Pn::Vector(vec![body]))])
            }
        }
    }
}

fn literal_to_pn(literal: &Literal) -> Pn {
    match literal {
        Literal::Undef => Pn::Literal(Json::Null),
        Literal::Default => headed_list("default", Vec::new()),
        Literal::Boolean(value) => Pn::Literal((*value).into()),
        Literal::Integer(value, 10) => Pn::Literal((*value).into()),
        Literal::Integer(value, radix) => {
            map("int", [entry("radix", Pn::Literal((*radix).into())), entry("value", Pn::Literal((*value).into()))])
        }
        Literal::Float(value) => Pn::Literal((*value).into()),
        Literal::String(value) => string_literal(value),
        Literal::Regexp(text) if is_unicode_regexp(text) => list_with_string("regexp", &format!("(?-imx:{text})")),
        Literal::Regexp(text) => list_with_string("regexp", text),
    }
}

/// Whether a regular expression has a non-ASCII character (written as such or as `\u`) or a property `\p`: then Ruby
/// prints it with its options.
///
/// Observed: Puppet 7.23.
fn is_unicode_regexp(text: &str) -> bool {
    let is_beyond = |code: &str| u32::from_str_radix(code, 16).is_ok_and(|code| code > 0x7F);
    let is_unicode = |escape: &str| {
        let digits = escape.strip_prefix('u').map(|code| match code.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => code.get(..4).unwrap_or_default(),
        });
        escape.starts_with(['p', 'P']) || digits.is_some_and(|digits| digits.split_whitespace().any(is_beyond))
    };
    !text.is_ascii() || text.replace(r"\\", "").split('\\').skip(1).any(is_unicode)
}

/// A value in PN, in the two notations text and JSON.
enum Pn {
    /// `nil`, a number, a Boolean or a string.
    Literal(Json),
    /// The head of a list, or the key of an entry. The first field is the prefix in text notation: empty or a colon.
    Word(&'static str, String),
    /// `(head …)`
    List(Vec<Pn>),
    /// `[…]`
    Vector(Vec<Pn>),
    /// `{:key …}`
    Map(Vec<Pn>),
}

impl Pn {
    /// Writes the value to `out` and drops each part once it is written, as parts may be nested deeply.
    fn write_value(self, is_json: bool, out: &mut String) {
        let (open, close, items) = match self {
            Pn::List(items) if is_json => (r#"{"^":["#, "]}", items),
            Pn::List(items) => ("(", ")", items),
            Pn::Map(items) if is_json => (r##"{"#":["##, "]}", items),
            Pn::Map(items) => ("{", "}", items),
            Pn::Vector(items) => ("[", "]", items),
            Pn::Word(colon, word) if !is_json => return out.extend([colon, &word]),
            Pn::Word(_, text) | Pn::Literal(Json::String(text)) => return write_string(&text, is_json, out),
            Pn::Literal(Json::Null) if !is_json => return out.push_str("nil"),
            Pn::Literal(Json::Number(number)) if !is_json && number.is_f64() => {
                return out.push_str(&float_text(number.as_f64().unwrap_or_default()));
            }
            Pn::Literal(literal) => return out.push_str(&literal.to_string()),
        };
        out.push_str(open);
        for (index, item) in items.into_iter().enumerate() {
            let separator = if is_json { "," } else { " " };
            out.push_str(if index > 0 { separator } else { "" });
            with_room(|| item.write_value(is_json, out));
        }
        out.push_str(close);
    }
}

fn write_string(text: &str, is_json: bool, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            // OK because Strings take every text.
            '\0'..='\x1F' if is_json => drop(write!(out, "\\u{:04x}", u32::from(character))),
            '\0'..='\x1F' => drop(write!(out, "\\o{:03o}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
}
