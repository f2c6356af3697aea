//! The tree in Puppet Extended S-Expression Notation: lists `(head …)`, vectors `[…]`, maps `{:key …}`, literals; and the
//! same as JSON: a list is `{"^": [head, …]}`, a map is `{"#": [key, value, …]}`, a vector an array.
//!
//! A node is a list whose head is its kind; named parts are in a map. Bodies are vectors of statements.
//!
//! Source: puppet-specifications, models/pn.md.

mod notation;

use notation::{Bracket, Notation, Out, float};

use super::grammar::operators::{text_of, text_of_prefix};
use super::tree::{
    Attribute, CaseOption, Definition, Expression, Id, Literal, Parameter, Radix, ResourceBody, ResourceForm,
    ResourceKind, Tree, UnaryOperator,
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
    written(tree, Notation::Text)
}

/// The whole program as JSON, in one line.
pub fn to_json(tree: &Tree) -> String {
    written(tree, Notation::Json)
}

fn written(tree: &Tree, notation: Notation) -> String {
    let mut writer = Writer { tree, out: Out::new(notation), class: String::new() };
    writer.node(tree.body);
    writer.out.text
}

struct Writer<'a> {
    tree: &'a Tree,
    out: Out,
    /// The full name of the class around the current node, which classes and defined types in it start with.
    class: String,
}

impl Writer<'_> {
    fn node(&mut self, id: Id) {
        with_room(|| self.expression(id));
    }

    fn nodes(&mut self, ids: &[Id]) {
        for &id in ids {
            self.node(id);
        }
    }

    /// `(head …)`
    fn list(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        self.out.open(Bracket::List);
        self.out.word("", head);
        write(self);
        self.out.close(Bracket::List);
    }

    /// `(head items…)`
    fn list_of(&mut self, head: &str, items: &[Id]) {
        self.list(head, |writer| writer.nodes(items));
    }

    /// `(head "name")`
    fn named(&mut self, head: &str, name: &str) {
        self.list(head, |writer| writer.out.string(name));
    }

    /// `[…]`
    fn vector(&mut self, write: impl FnOnce(&mut Self)) {
        self.out.open(Bracket::Vector);
        write(self);
        self.out.close(Bracket::Vector);
    }

    /// `{…}`
    fn entries(&mut self, write: impl FnOnce(&mut Self)) {
        self.out.open(Bracket::Map);
        write(self);
        self.out.close(Bracket::Map);
    }

    /// `(head {…})`
    fn map(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        self.list(head, |writer| writer.entries(write));
    }

    /// `:key`
    fn key(&mut self, key: &str) {
        self.out.word(":", key);
    }

    fn part(&mut self, key: &str, value: Option<Id>) {
        if let Some(value) = value {
            self.key(key);
            self.node(value);
        }
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.out.string(value);
    }

    /// `:key [items…]`
    fn parts(&mut self, key: &str, items: &[Id]) {
        self.key(key);
        self.vector(|writer| writer.nodes(items));
    }

    /// `:key [statements…]`, unless there are none.
    fn body(&mut self, key: &str, body: Id) {
        if self.tree[body].expression != Expression::Nop {
            self.key(key);
            self.statements(body);
        }
    }

    /// As [`Writer::body`] for `if` and `unless`, in which a lone resource without a title stands as two statements.
    fn branch(&mut self, key: &str, body: Id) {
        match &self.tree[body].expression {
            Expression::Resource { kind: ResourceKind::Untitled, type_name, bodies, .. } => {
                self.key(key);
                self.vector(|writer| writer.untitled(*type_name, bodies));
            }
            _ => self.body(key, body),
        }
    }

    /// `[statements…]`
    fn statements(&mut self, body: Id) {
        self.vector(|writer| match &writer.tree[body].expression {
            Expression::Block(list) => writer.nodes(list),
            _ => writer.node(body),
        });
    }

    fn integer(&mut self, value: i64, radix: Radix) {
        let base = match radix {
            Radix::Octal => "8",
            Radix::Decimal => "10",
            Radix::Hexadecimal => "16",
        };
        let digits = value.to_string();
        if base == "10" {
            return self.out.literal(&digits, &digits);
        }
        self.map("int", |writer| {
            writer.key("radix");
            writer.out.literal(base, base);
            writer.key("value");
            writer.out.literal(&digits, &digits);
        });
    }

    /// `(=> key value)` of each entry.
    fn pairs(&mut self, entries: &[(Id, Id)]) {
        for &(key, value) in entries {
            self.list_of("=>", &[key, value]);
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        if parameters.is_empty() {
            return;
        }
        self.key("params");
        self.entries(|writer| {
            for parameter in parameters {
                writer.key(&parameter.name);
                writer.entries(|writer| {
                    writer.part("type", parameter.type_);
                    if parameter.captures_rest {
                        writer.key("splat");
                        writer.out.literal("true", "true");
                    }
                    writer.part("value", parameter.default);
                });
            }
        });
    }

    fn definition(&mut self, head: &str, name: &str, parent: Option<&str>, definition: &Definition) {
        self.map(head, |writer| {
            writer.text("name", name);
            if let Some(parent) = parent {
                writer.text("parent", parent);
            }
            writer.parameters(&definition.parameters);
            writer.body("body", definition.body);
            writer.part("returns", definition.return_type);
        });
    }

    /// The name that a class or defined type has here.
    fn qualified(&self, name: &str) -> String {
        if self.class.is_empty() { name.to_owned() } else { format!("{}::{name}", self.class) }
    }

    fn class(&mut self, definition: &Definition, parent: Option<&str>) {
        let name = self.qualified(&definition.name);
        let inner = name.strip_prefix("::").unwrap_or(&name).to_owned();
        let outer = std::mem::replace(&mut self.class, inner);
        self.definition("class", &name, parent, definition);
        self.class = outer;
    }

    fn call(&mut self, head: &str, functor: impl FnOnce(&mut Self), arguments: &[Id], lambda: Option<Id>) {
        self.map(head, |writer| {
            writer.key("functor");
            functor(writer);
            writer.parts("args", arguments);
            writer.part("block", lambda);
        });
    }

    fn attribute(&mut self, head: &str, attribute: &Attribute) {
        self.list(head, |writer| {
            writer.out.string(&attribute.name);
            writer.node(attribute.value);
        });
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        self.key("ops");
        self.vector(|writer| {
            for attribute in attributes {
                match &*attribute.name {
                    "*" => writer.list_of("splat-hash", &[attribute.value]),
                    _ => writer.attribute(if attribute.append { "+>" } else { "=>" }, attribute),
                }
            }
        });
    }

    /// The name, and the attributes as a hash: Puppet does not know yet that a title is missing.
    fn untitled(&mut self, type_name: Id, bodies: &[ResourceBody]) {
        self.node(type_name);
        let attributes = bodies.iter().flat_map(|body| &body.attributes);
        self.list("hash", |writer| attributes.for_each(|attribute| writer.attribute("=>", attribute)));
    }

    fn resource(&mut self, form: ResourceForm, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) {
        let (head, key) = match kind {
            ResourceKind::Untitled => return self.list("block", |writer| writer.untitled(type_name, bodies)),
            ResourceKind::Declaration => ("resource", "type"),
            ResourceKind::Override => ("resource-override", "resources"),
            ResourceKind::Defaults => ("resource-defaults", "type"),
        };
        self.map(head, |writer| {
            writer.part(key, Some(type_name));
            if kind == ResourceKind::Declaration {
                writer.key("bodies");
                writer.vector(|writer| {
                    for body in bodies {
                        writer.entries(|writer| {
                            writer.part("title", body.title);
                            writer.attributes(&body.attributes);
                        });
                    }
                });
            } else {
                for body in bodies {
                    writer.attributes(&body.attributes);
                }
            }
            match form {
                ResourceForm::Regular => {}
                ResourceForm::Virtual => writer.text("form", "virtual"),
                ResourceForm::Exported => writer.text("form", "exported"),
            }
        });
    }

    fn conditional(&mut self, head: &str, condition: Id, then: Id, otherwise: Option<Id>) {
        self.map(head, |writer| {
            writer.part("test", Some(condition));
            writer.branch("then", then);
            if let Some(otherwise) = otherwise {
                writer.branch("else", otherwise);
            }
        });
    }

    /// `(head control [options…])`
    fn choice(&mut self, head: &str, control: Id, options: impl FnOnce(&mut Self)) {
        self.list(head, |writer| {
            writer.node(control);
            writer.vector(options);
        });
    }

    fn case_option(&mut self, option: &CaseOption) {
        self.entries(|writer| {
            writer.parts("when", &option.values);
            writer.key("then");
            writer.statements(option.then);
        });
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Undef => self.out.literal("nil", "null"),
            Literal::Default => self.list_of("default", &[]),
            Literal::Boolean(true) => self.out.literal("true", "true"),
            Literal::Boolean(false) => self.out.literal("false", "false"),
            Literal::Integer(value, radix) => self.integer(*value, *radix),
            Literal::Float(value) => self.out.literal(&float(*value), &serde_json::Value::from(*value).to_string()),
            Literal::String(text) => self.out.string(text),
            Literal::Regexp(text) if names_unicode(text) => self.named("regexp", &format!("(?-imx:{text})")),
            Literal::Regexp(text) => self.named("regexp", text),
        }
    }

    fn expression(&mut self, id: Id) {
        let tree = self.tree;
        match &tree[id].expression {
            Expression::Nop => self.list_of("nop", &[]),
            Expression::Literal(literal) => self.literal(literal),
            Expression::Concatenation(parts) => self.list_of("concat", parts),
            Expression::Text(value) => self.list_of("str", &[*value]),
            Expression::Heredoc { syntax, text } => self.map("heredoc", |writer| {
                if !syntax.is_empty() {
                    writer.text("syntax", syntax);
                }
                writer.part("text", Some(*text));
            }),
            Expression::Name(name) => self.named("qn", name),
            Expression::Reference(name) => self.named("qr", name),
            Expression::Variable(name) => self.named("var", name),
            Expression::Reserved(word) => self.named("reserved", word),
            Expression::Array(items) => self.list_of("array", items),
            Expression::Hash(entries) => self.list("hash", |writer| writer.pairs(entries)),
            Expression::Parenthesized(value) => self.list_of("paren", &[*value]),
            Expression::Unary(UnaryOperator::Unfold, value) => self.list_of("unfold", &[*value]),
            Expression::Unary(operator, value) => self.list_of(text_of_prefix(*operator), &[*value]),
            Expression::Binary(operator, left, right) => self.list_of(text_of(*operator), &[*left, *right]),
            Expression::Assignment(operator, left, right) => self.list_of(operator.symbol(), &[*left, *right]),
            Expression::Access(value, arguments) => self.list("access", |writer| {
                writer.node(*value);
                writer.nodes(arguments);
            }),
            Expression::Selector(control, entries) => self.choice("?", *control, |writer| writer.pairs(entries)),
            Expression::Call { functor, arguments, lambda, statement } => {
                let head = if *statement { "invoke" } else { "call" };
                self.call(head, |writer| writer.node(*functor), arguments, *lambda);
            }
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                self.call("call-method", |writer| writer.list_of(".", &[*receiver, *name]), arguments, *lambda);
            }
            Expression::Lambda { parameters, return_type, body } => self.map("lambda", |writer| {
                writer.parameters(parameters);
                writer.part("returns", *return_type);
                writer.body("body", *body);
            }),
            Expression::If { condition, then, otherwise } => self.conditional("if", *condition, *then, *otherwise),
            Expression::Unless { condition, then, otherwise } => {
                self.conditional("unless", *condition, *then, *otherwise);
            }
            Expression::Case(control, options) => {
                self.choice("case", *control, |writer| options.iter().for_each(|option| writer.case_option(option)));
            }
            Expression::Block(statements) => self.list_of("block", statements),
            Expression::TypeAlias { name, type_ } => self.list("type-alias", |writer| {
                writer.out.string(name);
                writer.node(*type_);
            }),
            Expression::TypeMapping(name, type_) => self.list_of("type-mapping", &[*name, *type_]),
            Expression::TypeDefinition { name, parent, body } => self.list("type-definition", |writer| {
                writer.out.string(name);
                match parent {
                    Some(parent) => writer.out.string(parent),
                    None => writer.out.literal("nil", "null"),
                }
                match &tree[*body].expression {
                    Expression::Nop | Expression::Block(_) => writer.node(*body),
                    _ => writer.list_of("block", &[*body]),
                }
            }),
            Expression::Function(definition) => self.definition("function", &definition.name, None, definition),
            Expression::Class { definition, parent } => self.class(definition, parent.as_deref().map(|name| &**name)),
            Expression::Define(definition) => {
                let name = self.qualified(&definition.name);
                self.definition("define", &name, None, definition);
            }
            Expression::NodeDefinition { matches, parent, body } => self.map("node", |writer| {
                writer.parts("matches", matches);
                writer.part("parent", *parent);
                writer.body("body", *body);
            }),
            Expression::Resource { form, kind, type_name, bodies } => self.resource(*form, *kind, *type_name, bodies),
            Expression::Collector { type_name, exported, query, operations } => self.map("collect", |writer| {
                writer.part("type", Some(*type_name));
                writer.key("query");
                let head = if *exported { "exported-query" } else { "virtual-query" };
                let is_empty = tree[*query].expression == Expression::Nop;
                writer.list_of(head, if is_empty { &[] } else { std::slice::from_ref(query) });
                if !operations.is_empty() {
                    writer.attributes(operations);
                }
            }),
            Expression::RenderString(text) => self.named("render-s", text),
            Expression::Render(value) => self.list_of("render", &[*value]),
            Expression::Epp { parameters, body, .. } => self.map("lambda", |writer| {
                writer.parameters(parameters);
                writer.key("body");
                writer.vector(|writer| match &tree[*body].expression {
                    Expression::Nop => writer.list_of("epp", &[]),
                    Expression::Block(statements) => writer.list_of("epp", statements),
                    _ => writer.list_of("epp", &[*body]),
                });
            }),
        }
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
