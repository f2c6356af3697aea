//! The tree in Puppet Extended S-Expression Notation: lists `(head …)`, vectors `[…]`, maps `{:key …}`, literals; and the
//! same as JSON: a list is `{"^": [head, …]}`, a map is `{"#": [key, value, …]}`, a vector an array.
//!
//! A node is a list whose head is its kind; named parts are in a map. Bodies are vectors of statements.
//!
//! Source: puppet-specifications, models/pn.md.

mod notation;

use notation::Pn;
use serde_json::Value as Json;

use super::grammar::operators::{text_of, text_of_prefix};
use super::tree::{
    Attribute, Definition, Expression, Id, Literal, Parameter, Radix, ResourceBody, ResourceForm, ResourceKind, Tree,
    UnaryOperator,
};
use crate::stack::with_room;

/// The whole program in one line.
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
    form(tree).written(false)
}

/// The whole program as JSON, in one line.
pub fn to_json(tree: &Tree) -> String {
    form(tree).written(true)
}

fn form(tree: &Tree) -> Pn {
    Forms { tree, class: String::new() }.node(tree.body)
}

/// What forms the nodes of a tree have.
struct Forms<'a> {
    tree: &'a Tree,
    /// The full name of the class around the current node, which classes and defined types in it start with.
    class: String,
}

/// `:key value`, unless it is absent.
type Entry = Option<[Pn; 2]>;

#[expect(clippy::unnecessary_wraps, reason = "other entries may be absent")]
fn entry(key: &str, value: Pn) -> Entry {
    Some([Pn::Word(":", key.to_owned()), value])
}

/// `{…}`
fn entries(entries: impl IntoIterator<Item = Entry>) -> Pn {
    Pn::Map(entries.into_iter().flatten().flatten().collect())
}

/// `(head {…})`
fn map(head: &str, parts: impl IntoIterator<Item = Entry>) -> Pn {
    list(head, vec![entries(parts)])
}

/// `(head …)`
fn list(head: &str, items: Vec<Pn>) -> Pn {
    Pn::List(std::iter::once(Pn::Word("", head.to_owned())).chain(items).collect())
}

fn text(text: &str) -> Pn {
    Pn::Literal(text.into())
}

/// `(head "name")`
fn named(head: &str, name: &str) -> Pn {
    list(head, vec![text(name)])
}

impl Forms<'_> {
    fn node(&mut self, id: Id) -> Pn {
        with_room(|| self.expression(id))
    }

    fn nodes(&mut self, ids: &[Id]) -> Vec<Pn> {
        ids.iter().map(|id| self.node(*id)).collect()
    }

    /// `(head items…)`
    fn list(&mut self, head: &str, items: &[Id]) -> Pn {
        list(head, self.nodes(items))
    }

    fn part(&mut self, key: &str, value: Option<Id>) -> Entry {
        entry(key, self.node(value?))
    }

    /// `:key [items…]`
    fn parts(&mut self, key: &str, items: &[Id]) -> Entry {
        entry(key, Pn::Vector(self.nodes(items)))
    }

    /// `:key [statements…]`, unless there are none.
    fn body(&mut self, key: &str, body: Id) -> Entry {
        let tree = self.tree;
        if tree[body].expression == Expression::Nop { None } else { self.parts(key, tree.statements_of(&body)) }
    }

    /// As [`Forms::body`] for `if` and `unless`, in which a lone resource without a title stands as two statements.
    fn branch(&mut self, key: &str, body: Id) -> Entry {
        match &self.tree[body].expression {
            Expression::Resource { kind: ResourceKind::Untitled, type_name, bodies, .. } => {
                entry(key, Pn::Vector(self.untitled(*type_name, bodies)))
            }
            _ => self.body(key, body),
        }
    }

    /// `(=> key value)` of each entry.
    fn pairs(&mut self, entries: &[(Id, Id)]) -> Vec<Pn> {
        entries.iter().map(|(key, value)| self.list("=>", &[*key, *value])).collect()
    }

    fn parameters(&mut self, parameters: &[Parameter]) -> Entry {
        let each = parameters.iter().map(|parameter| {
            let splat = parameter.captures_rest.then(|| entry("splat", Pn::Literal(true.into())));
            let parts = [self.part("type", parameter.type_), splat.flatten(), self.part("value", parameter.default)];
            entry(&parameter.name, entries(parts))
        });
        if parameters.is_empty() { None } else { entry("params", entries(each)) }
    }

    fn definition(&mut self, head: &str, name: &str, parent: Option<&str>, definition: &Definition) -> Pn {
        let parts = [
            entry("name", text(name)),
            parent.and_then(|parent| entry("parent", text(parent))),
            self.parameters(&definition.parameters),
            self.body("body", definition.body),
            self.part("returns", definition.return_type),
        ];
        map(head, parts)
    }

    /// The name that a class or defined type has here.
    fn qualified(&self, name: &str) -> String {
        if self.class.is_empty() { name.to_owned() } else { format!("{}::{name}", self.class) }
    }

    fn class(&mut self, definition: &Definition, parent: Option<&str>) -> Pn {
        let name = self.qualified(&definition.name);
        let inner = name.strip_prefix("::").unwrap_or(&name).to_owned();
        let outer = std::mem::replace(&mut self.class, inner);
        let class = self.definition("class", &name, parent, definition);
        self.class = outer;
        class
    }

    fn call(&mut self, head: &str, functor: Pn, arguments: &[Id], lambda: Option<Id>) -> Pn {
        map(head, [entry("functor", functor), self.parts("args", arguments), self.part("block", lambda)])
    }

    fn attribute(&mut self, head: &str, attribute: &Attribute) -> Pn {
        list(head, vec![text(&attribute.name), self.node(attribute.value)])
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Entry {
        let operations = attributes.iter().map(|attribute| match &*attribute.name {
            "*" => self.list("splat-hash", &[attribute.value]),
            _ => self.attribute(if attribute.append { "+>" } else { "=>" }, attribute),
        });
        entry("ops", Pn::Vector(operations.collect()))
    }

    /// The name, and the attributes as a hash: Puppet does not know yet that a title is missing.
    fn untitled(&mut self, type_name: Id, bodies: &[ResourceBody]) -> Vec<Pn> {
        let name = self.node(type_name);
        let attributes = bodies.iter().flat_map(|body| &body.attributes);
        vec![name, list("hash", attributes.map(|attribute| self.attribute("=>", attribute)).collect())]
    }

    fn resource(&mut self, form: ResourceForm, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> Pn {
        let (head, key) = match kind {
            ResourceKind::Untitled => return list("block", self.untitled(type_name, bodies)),
            ResourceKind::Declaration => ("resource", "type"),
            ResourceKind::Override => ("resource-override", "resources"),
            ResourceKind::Defaults => ("resource-defaults", "type"),
        };
        let mut parts = vec![self.part(key, Some(type_name))];
        if kind == ResourceKind::Declaration {
            let bodies = bodies.iter().map(|body| {
                let title = self.part("title", body.title);
                entries([title, self.attributes(&body.attributes)])
            });
            parts.push(entry("bodies", Pn::Vector(bodies.collect())));
        } else {
            parts.extend(bodies.iter().map(|body| self.attributes(&body.attributes)));
        }
        parts.push(match form {
            ResourceForm::Regular => None,
            ResourceForm::Virtual => entry("form", text("virtual")),
            ResourceForm::Exported => entry("form", text("exported")),
        });
        map(head, parts)
    }

    fn conditional(&mut self, head: &str, condition: Id, then: Id, otherwise: Option<Id>) -> Pn {
        let parts = [
            self.part("test", Some(condition)),
            self.branch("then", then),
            otherwise.and_then(|otherwise| self.branch("else", otherwise)),
        ];
        map(head, parts)
    }

    fn expression(&mut self, id: Id) -> Pn {
        let tree = self.tree;
        match &tree[id].expression {
            Expression::Nop => list("nop", Vec::new()),
            Expression::Literal(literal) => of_literal(literal),
            Expression::Concatenation(parts) => self.list("concat", parts),
            Expression::Text(value) => self.list("str", &[*value]),
            Expression::Heredoc { syntax, text: content } => {
                let syntax = (!syntax.is_empty()).then(|| entry("syntax", text(syntax)));
                map("heredoc", [syntax.flatten(), self.part("text", Some(*content))])
            }
            Expression::Name(name) => named("qn", name),
            Expression::Reference(name) => named("qr", name),
            Expression::Variable(name) => named("var", name),
            Expression::Reserved(word) => named("reserved", word),
            Expression::Array(items) => self.list("array", items),
            Expression::Hash(entries) => list("hash", self.pairs(entries)),
            Expression::Parenthesized(value) => self.list("paren", &[*value]),
            Expression::Unary(UnaryOperator::Unfold, value) => self.list("unfold", &[*value]),
            Expression::Unary(operator, value) => self.list(text_of_prefix(*operator), &[*value]),
            Expression::Binary(operator, left, right) => self.list(text_of(*operator), &[*left, *right]),
            Expression::Assignment(operator, left, right) => self.list(operator.symbol(), &[*left, *right]),
            Expression::Access(value, arguments) => self.list("access", &[&[*value], &**arguments].concat()),
            Expression::Selector(control, entries) => {
                list("?", vec![self.node(*control), Pn::Vector(self.pairs(entries))])
            }
            Expression::Call { functor, arguments, lambda, statement } => {
                let functor = self.node(*functor);
                self.call(if *statement { "invoke" } else { "call" }, functor, arguments, *lambda)
            }
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                let functor = self.list(".", &[*receiver, *name]);
                self.call("call-method", functor, arguments, *lambda)
            }
            Expression::Lambda { parameters, return_type, body } => {
                let parameters = self.parameters(parameters);
                map("lambda", [parameters, self.part("returns", *return_type), self.body("body", *body)])
            }
            Expression::If { condition, then, otherwise } => self.conditional("if", *condition, *then, *otherwise),
            Expression::Unless { condition, then, otherwise } => {
                self.conditional("unless", *condition, *then, *otherwise)
            }
            Expression::Case(control, options) => {
                let control = self.node(*control);
                let options = options.iter().map(|option| {
                    let values = self.parts("when", &option.values);
                    entries([values, self.parts("then", tree.statements_of(&option.then))])
                });
                list("case", vec![control, Pn::Vector(options.collect())])
            }
            Expression::Block(statements) => self.list("block", statements),
            Expression::TypeAlias { name, type_ } => list("type-alias", vec![text(name), self.node(*type_)]),
            Expression::TypeMapping(name, type_) => self.list("type-mapping", &[*name, *type_]),
            Expression::TypeDefinition { name, parent, body } => {
                let parent = parent.as_ref().map_or(Pn::Literal(Json::Null), |parent| text(parent));
                let is_empty = tree[*body].expression == Expression::Nop;
                let body = if is_empty { self.node(*body) } else { self.list("block", tree.statements_of(body)) };
                list("type-definition", vec![text(name), parent, body])
            }
            Expression::Function(definition) => self.definition("function", &definition.name, None, definition),
            Expression::Class { definition, parent } => self.class(definition, parent.as_deref().map(|name| &**name)),
            Expression::Define(definition) => {
                let name = self.qualified(&definition.name);
                self.definition("define", &name, None, definition)
            }
            Expression::NodeDefinition { matches, parent, body } => {
                let matches = self.parts("matches", matches);
                map("node", [matches, self.part("parent", *parent), self.body("body", *body)])
            }
            Expression::Resource { form, kind, type_name, bodies } => self.resource(*form, *kind, *type_name, bodies),
            Expression::Collector { type_name, exported, query, operations } => {
                let type_ = self.part("type", Some(*type_name));
                let head = if *exported { "exported-query" } else { "virtual-query" };
                let is_empty = tree[*query].expression == Expression::Nop;
                let query = entry("query", self.list(head, if is_empty { &[] } else { std::slice::from_ref(query) }));
                let operations = (!operations.is_empty()).then(|| self.attributes(operations));
                map("collect", [type_, query, operations.flatten()])
            }
            Expression::RenderString(text) => named("render-s", text),
            Expression::Render(value) => self.list("render", &[*value]),
            Expression::Epp { parameters, body, .. } => {
                let is_empty = tree[*body].expression == Expression::Nop;
                let parameters = self.parameters(parameters);
                let body = self.list("epp", if is_empty { &[] } else { tree.statements_of(body) });
                map("lambda", [parameters, entry("body", Pn::Vector(vec![body]))])
            }
        }
    }
}

fn of_literal(literal: &Literal) -> Pn {
    let radix = |radix: u8, value: i64| {
        map("int", [entry("radix", Pn::Literal(radix.into())), entry("value", Pn::Literal(value.into()))])
    };
    match literal {
        Literal::Undef => Pn::Literal(Json::Null),
        Literal::Default => list("default", Vec::new()),
        Literal::Boolean(value) => Pn::Literal((*value).into()),
        Literal::Integer(value, Radix::Octal) => radix(8, *value),
        Literal::Integer(value, Radix::Decimal) => Pn::Literal((*value).into()),
        Literal::Integer(value, Radix::Hexadecimal) => radix(16, *value),
        Literal::Float(value) => Pn::Literal((*value).into()),
        Literal::String(value) => text(value),
        Literal::Regexp(text) if names_unicode(text) => named("regexp", &format!("(?-imx:{text})")),
        Literal::Regexp(text) => named("regexp", text),
    }
}

/// Whether a regular expression is bound to Unicode by a character beyond ASCII or a property: Ruby writes such a one
/// with its options.
///
/// Observed: Puppet 7.23.
fn names_unicode(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at + 1..];
        let digits = escape.strip_prefix('u').map(|code| match code.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => code.get(..4).unwrap_or_default(),
        });
        let is_beyond = |code: &str| u32::from_str_radix(code, 16).is_ok_and(|code| code > 0x7F);
        if escape.starts_with(['p', 'P']) || digits.is_some_and(|digits| digits.split_whitespace().any(is_beyond)) {
            return true;
        }
        rest = escape.get(1..).unwrap_or_default();
    }
    !text.is_ascii()
}
