//! The tree in Puppet Extended S-Expression Notation: lists `(head …)`, vectors `[…]`, maps `{:key …}`, literals.
//!
//! A node is a list whose head is its kind; named parts are in a map. Bodies are vectors of statements.

use std::fmt::Write;

use ecow::EcoString;

use super::grammar::operators::{text_of, text_of_prefix};
use super::tree::{
    Attribute, CaseOption, Definition, Expression, Id, Literal, Parameter, Radix, ResourceBody, ResourceForm,
    ResourceKind, Tree, UnaryOperator,
};
use crate::stack::with_room;

/// The whole program in one line.
///
/// Source: puppet-specifications, models/pn.md. Observed: Puppet 8.11 for the heads and keys.
///
/// ```
/// use pcore::text::Source;
/// let tree = pcore::syntax::parse(&Source::new("example", "$x ? { 1 => 'a' }"))?;
/// assert_eq!(pcore::syntax::pn::to_pn(&tree), r#"(? (var "x") [(=> 1 "a")])"#);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn to_pn(tree: &Tree) -> String {
    let mut writer = Writer { tree, out: String::new(), class: String::new() };
    writer.node(tree.body);
    writer.out
}

struct Writer<'a> {
    tree: &'a Tree,
    out: String,
    /// The full name of the class around the current node, which classes and defined types in it start with.
    class: String,
}

impl Writer<'_> {
    fn node(&mut self, id: Id) {
        with_room(|| self.expression(id));
    }

    /// `(head items…)`
    fn list(&mut self, head: &str, items: &[Id]) {
        self.out.push('(');
        self.out.push_str(head);
        for &item in items {
            self.out.push(' ');
            self.node(item);
        }
        self.out.push(')');
    }

    /// Items with a space between them.
    fn spaced<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            write(self, item);
        }
    }

    /// ` :key [items…]`
    fn vector(&mut self, key: &str, items: &[Id]) {
        self.key(key);
        self.out.push('[');
        self.spaced(items, |writer, &item| writer.node(item));
        self.out.push(']');
    }

    /// `:key `, with a space before it unless it opens the map.
    fn key(&mut self, key: &str) {
        if !self.out.ends_with('{') {
            self.out.push(' ');
        }
        self.out.push(':');
        self.out.push_str(key);
        self.out.push(' ');
    }

    fn part(&mut self, key: &str, value: Option<Id>) {
        if let Some(value) = value {
            self.key(key);
            self.node(value);
        }
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    /// ` :key [statements…]`, unless there are none.
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
                self.out.push('[');
                self.untitled(*type_name, bodies);
                self.out.push(']');
            }
            _ => self.body(key, body),
        }
    }

    /// `[statements…]`
    fn statements(&mut self, body: Id) {
        self.out.push('[');
        match &self.tree[body].expression {
            Expression::Block(list) => self.spaced(list, |writer, &item| writer.node(item)),
            _ => self.node(body),
        }
        self.out.push(']');
    }

    /// `(head "name")`
    fn named(&mut self, head: &str, name: &str) {
        self.out.push('(');
        self.out.push_str(head);
        self.out.push(' ');
        self.string(name);
        self.out.push(')');
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\t' => self.out.push_str("\\t"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\0'..='\x1F' => {
                    let _ = write!(self.out, "\\o{:03o}", u32::from(character)); // OK because Strings take every text.
                }
                _ => self.out.push(character),
            }
        }
        self.out.push('"');
    }

    fn integer(&mut self, value: i64, radix: Radix) {
        let base = match radix {
            Radix::Octal => 8,
            Radix::Decimal => 10,
            Radix::Hexadecimal => 16,
        };
        if base == 10 {
            self.out.push_str(&value.to_string());
        } else {
            let _ = write!(self.out, "(int {{:radix {base} :value {value}}})"); // OK because Strings take every text.
        }
    }

    fn entries(&mut self, head: &str, entries: &[(Id, Id)]) {
        self.spaced(entries, |writer, &(key, value)| writer.list(head, &[key, value]));
    }

    /// `(head {` … `})`
    fn map(&mut self, head: &str, write: impl FnOnce(&mut Self)) {
        self.out.push('(');
        self.out.push_str(head);
        self.out.push_str(" {");
        write(self);
        self.out.push_str("})");
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        if parameters.is_empty() {
            return;
        }
        self.key("params");
        self.out.push('{');
        for parameter in parameters {
            self.key(&parameter.name);
            self.out.push('{');
            self.part("type", parameter.type_);
            if parameter.captures_rest {
                self.key("splat");
                self.out.push_str("true");
            }
            self.part("value", parameter.default);
            self.out.push('}');
        }
        self.out.push('}');
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

    fn call(&mut self, head: &str, write_functor: impl FnOnce(&mut Self), arguments: &[Id], lambda: Option<Id>) {
        self.map(head, |writer| {
            writer.key("functor");
            write_functor(writer);
            writer.vector("args", arguments);
            writer.part("block", lambda);
        });
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        self.key("ops");
        self.out.push('[');
        self.spaced(attributes, |writer, attribute| {
            if &*attribute.name == "*" {
                return writer.list("splat-hash", &[attribute.value]);
            }
            writer.out.push_str(if attribute.append { "(+> " } else { "(=> " });
            writer.string(&attribute.name);
            writer.out.push(' ');
            writer.node(attribute.value);
            writer.out.push(')');
        });
        self.out.push(']');
    }

    /// The name, and the attributes as a hash: Puppet does not know yet that a title is missing.
    fn untitled(&mut self, type_name: Id, bodies: &[ResourceBody]) {
        self.node(type_name);
        self.out.push_str(" (hash");
        for attribute in bodies.iter().flat_map(|body| &body.attributes) {
            self.out.push_str(" (=> ");
            self.string(&attribute.name);
            self.out.push(' ');
            self.node(attribute.value);
            self.out.push(')');
        }
        self.out.push(')');
    }

    fn resource(&mut self, form: ResourceForm, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) {
        let (head, key) = match kind {
            ResourceKind::Untitled => {
                self.out.push_str("(block ");
                self.untitled(type_name, bodies);
                self.out.push(')');
                return;
            }
            ResourceKind::Declaration => ("resource", "type"),
            ResourceKind::Override => ("resource-override", "resources"),
            ResourceKind::Defaults => ("resource-defaults", "type"),
        };
        self.map(head, |writer| {
            writer.part(key, Some(type_name));
            if kind == ResourceKind::Declaration {
                writer.key("bodies");
                writer.out.push('[');
                writer.spaced(bodies, |writer, body| {
                    writer.out.push('{');
                    writer.part("title", body.title);
                    writer.attributes(&body.attributes);
                    writer.out.push('}');
                });
                writer.out.push(']');
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

    fn case(&mut self, control: Id, options: &[CaseOption]) {
        self.out.push_str("(case ");
        self.node(control);
        self.out.push_str(" [");
        self.spaced(options, |writer, option| {
            writer.out.push('{');
            writer.vector("when", &option.values);
            writer.key("then");
            writer.statements(option.then);
            writer.out.push('}');
        });
        self.out.push_str("])");
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Undef => self.out.push_str("nil"),
            Literal::Default => self.out.push_str("(default)"),
            Literal::Boolean(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Literal::Integer(value, radix) => self.integer(*value, *radix),
            Literal::Float(value) => self.out.push_str(&float(*value)),
            Literal::String(text) => self.string(text),
            Literal::Regexp(text) if names_unicode(text) => self.named("regexp", &format!("(?-imx:{text})")),
            Literal::Regexp(text) => self.named("regexp", text),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a form of the language")]
    fn expression(&mut self, id: Id) {
        let tree = self.tree;
        match &tree[id].expression {
            Expression::Nop => self.out.push_str("(nop)"),
            Expression::Literal(literal) => self.literal(literal),
            Expression::Concatenation(parts) => self.list("concat", parts),
            Expression::Text(value) => self.list("str", &[*value]),
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
            Expression::Array(items) => self.list("array", items),
            Expression::Hash(entries) => {
                self.out.push_str("(hash");
                if !entries.is_empty() {
                    self.out.push(' ');
                }
                self.entries("=>", entries);
                self.out.push(')');
            }
            Expression::Parenthesized(value) => self.list("paren", &[*value]),
            Expression::Unary(operator, value) => {
                let head = if *operator == UnaryOperator::Unfold { "unfold" } else { text_of_prefix(*operator) };
                self.list(head, &[*value]);
            }
            Expression::Binary(operator, left, right) => self.list(text_of(*operator), &[*left, *right]),
            Expression::Assignment(operator, left, right) => {
                self.list(operator.symbol(), &[*left, *right]);
            }
            Expression::Access(value, arguments) => {
                self.out.push_str("(access ");
                self.node(*value);
                for &argument in arguments {
                    self.out.push(' ');
                    self.node(argument);
                }
                self.out.push(')');
            }
            Expression::Selector(control, entries) => {
                self.out.push_str("(? ");
                self.node(*control);
                self.out.push_str(" [");
                self.entries("=>", entries);
                self.out.push_str("])");
            }
            Expression::Call { functor, arguments, lambda, statement } => {
                let head = if *statement { "invoke" } else { "call" };
                self.call(head, |writer| writer.node(*functor), arguments, *lambda);
            }
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                self.call("call-method", |writer| writer.list(".", &[*receiver, *name]), arguments, *lambda);
            }
            Expression::Lambda { parameters, return_type, body } => self.map("lambda", |writer| {
                writer.parameters(parameters);
                writer.part("returns", *return_type);
                if tree[*body].expression != Expression::Nop {
                    writer.key("body");
                    writer.statements(*body);
                }
            }),
            Expression::If { condition, then, otherwise } => self.conditional("if", *condition, *then, *otherwise),
            Expression::Unless { condition, then, otherwise } => {
                self.conditional("unless", *condition, *then, *otherwise);
            }
            Expression::Case(control, options) => self.case(*control, options),
            Expression::Block(statements) => self.list("block", statements),
            Expression::TypeAlias { name, type_ } => {
                self.out.push_str("(type-alias ");
                self.string(name);
                self.out.push(' ');
                self.node(*type_);
                self.out.push(')');
            }
            Expression::TypeMapping(name, type_) => self.list("type-mapping", &[*name, *type_]),
            Expression::TypeDefinition { name, parent, body } => {
                self.out.push_str("(type-definition ");
                self.string(name);
                self.out.push(' ');
                match parent {
                    Some(parent) => self.string(parent),
                    None => self.out.push_str("nil"),
                }
                self.out.push(' ');
                match &tree[*body].expression {
                    Expression::Nop | Expression::Block(_) => self.node(*body),
                    _ => self.list("block", &[*body]),
                }
                self.out.push(')');
            }
            Expression::Function(definition) => self.definition("function", &definition.name, None, definition),
            Expression::Class { definition, parent } => {
                self.class(definition, parent.as_deref().map(EcoString::as_str));
            }
            Expression::Define(definition) => {
                let name = self.qualified(&definition.name);
                self.definition("define", &name, None, definition);
            }
            Expression::NodeDefinition { matches, parent, body } => self.map("node", |writer| {
                writer.vector("matches", matches);
                writer.part("parent", *parent);
                writer.body("body", *body);
            }),
            Expression::Resource { form, kind, type_name, bodies } => self.resource(*form, *kind, *type_name, bodies),
            Expression::Collector { type_name, exported, query, operations } => self.map("collect", |writer| {
                writer.part("type", Some(*type_name));
                writer.key("query");
                let head = if *exported { "exported-query" } else { "virtual-query" };
                let is_empty = tree[*query].expression == Expression::Nop;
                writer.list(head, if is_empty { &[] } else { std::slice::from_ref(query) });
                if !operations.is_empty() {
                    writer.attributes(operations);
                }
            }),
            Expression::RenderString(text) => self.named("render-s", text),
            Expression::Render(value) => self.list("render", &[*value]),
            Expression::Epp { parameters, body, .. } => self.map("lambda", |writer| {
                writer.parameters(parameters);
                writer.key("body");
                writer.out.push('[');
                match &tree[*body].expression {
                    Expression::Nop => writer.list("epp", &[]),
                    Expression::Block(statements) => writer.list("epp", statements),
                    _ => writer.list("epp", &[*body]),
                }
                writer.out.push(']');
            }),
        }
    }
}

/// The shortest digits that give the number back, with an exponent from 1e15 on and below 1e-4.
fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0); // OK because Rust writes an integer there.
    if (-4..15).contains(&exponent) {
        return format!("{value:?}");
    }
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{point}e{sign}{:02}", exponent.abs())
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
