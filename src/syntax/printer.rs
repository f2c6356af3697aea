//! Prints a tree as source, so that parsing the result gives the same tree.
//!
//! Parentheses are nodes of the tree, so that operators need no precedence here. Blocks are indented by two spaces.

mod texts;

use ecow::EcoString;

use super::grammar::operators::{is_expression, text_of, text_of_prefix};
use super::tree::{Attribute, CaseOption, Definition, Expression, Id, Parameter, ResourceBody, ResourceForm, Tree};
use crate::stack::with_room;

/// The program, or the template, as text.
///
/// ```
/// use pcore::{syntax, text::Source};
/// let tree = syntax::parse(&Source::new("example", "if $x{notice  'a'}"))?;
/// assert_eq!(syntax::printer::print(&tree), "if $x {\n  notice('a')\n}\n");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn print(tree: &Tree) -> String {
    let mut printer = Printer { tree, out: String::new(), level: 0, heredocs: Vec::new() };
    printer.statements(tree.statements());
    printer.out.push('\n');
    printer.waiting_heredocs();
    printer.out
}

/// Prints texts, nodes and lists of nodes, one after the other: `all!(printer, "[", keys, "]")`.
macro_rules! all {
    ($printer:expr, $($part:expr),+) => {{ $(Print::print($part, $printer);)+ }};
}
use all;

trait Print {
    fn print(self, printer: &mut Printer<'_>);
}

impl Print for &str {
    fn print(self, printer: &mut Printer<'_>) {
        printer.push(self);
    }
}

impl Print for Id {
    fn print(self, printer: &mut Printer<'_>) {
        with_room(|| printer.expression(self));
    }
}

impl Print for &[Id] {
    fn print(self, printer: &mut Printer<'_>) {
        printer.list(self, |printer, &id| printer.node(id));
    }
}

struct Printer<'a> {
    tree: &'a Tree,
    out: String,
    level: usize,
    /// The texts that belong after the end of the line, each with its end line.
    heredocs: Vec<String>,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.waiting_heredocs();
        self.out.extend(std::iter::repeat_n("  ", self.level));
    }

    fn waiting_heredocs(&mut self) {
        for text in std::mem::take(&mut self.heredocs) {
            self.push(&text);
        }
    }

    /// Items with `, ` between them.
    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            print(self, item);
        }
    }

    fn entries(&mut self, entries: &[(Id, Id)]) {
        self.push("{");
        self.list(entries, |printer, &(key, value)| all!(printer, key, " => ", value));
        self.push("}");
    }

    /// Statements on lines of their own.
    fn statements(&mut self, statements: &[Id]) {
        for (index, &statement) in statements.iter().enumerate() {
            if index > 0 {
                self.line();
            }
            let start = self.out.len();
            self.node(statement);
            // What could go on with the statement before must not.
            if index > 0 && self.out[start..].starts_with(['{', '-', '*', '/']) {
                self.out.insert_str(start, "; ");
            }
        }
    }

    /// What `inside` prints, between braces and on lines of its own.
    fn braces(&mut self, inside: impl FnOnce(&mut Self)) {
        self.push(" {");
        self.level += 1;
        inside(self);
        self.level -= 1;
        self.line();
        self.push("}");
    }

    fn block(&mut self, body: Id) {
        let tree = self.tree;
        if tree[body].expression == Expression::Nop {
            return self.push(" { }");
        }
        self.braces(|printer| {
            printer.line();
            printer.statements(tree.statements_of(&body));
        });
    }

    fn arguments(&mut self, arguments: &[Id], lambda: Option<Id>) {
        all!(self, "(", arguments, ")");
        if let Some(lambda) = lambda {
            all!(self, " ", lambda);
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        self.list(parameters, |printer, parameter| {
            if let Some(type_) = parameter.type_ {
                all!(printer, type_, " ");
            }
            all!(printer, if parameter.captures_rest { "*$" } else { "$" }, &*parameter.name);
            if let Some(default) = parameter.default {
                all!(printer, " = ", default);
            }
        });
    }

    fn returns(&mut self, return_type: Option<Id>) {
        if let Some(type_) = return_type {
            all!(self, " >> ", type_);
        }
    }

    fn definition(&mut self, keyword: &str, definition: &Definition, parent: Option<&str>) {
        all!(self, keyword, " ", &*definition.name);
        if !definition.parameters.is_empty() {
            self.push("(");
            self.parameters(&definition.parameters);
            self.push(")");
        }
        if let Some(parent) = parent {
            all!(self, " inherits ", parent);
        }
        self.returns(definition.return_type);
        self.block(definition.body);
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.line();
            all!(self, &*attribute.name, if attribute.append { " +> " } else { " => " }, attribute.value, ",");
        }
    }

    fn resource(&mut self, form: ResourceForm, type_name: Id, bodies: &[ResourceBody]) {
        self.push(match form {
            ResourceForm::Regular => "",
            ResourceForm::Virtual => "@",
            ResourceForm::Exported => "@@",
        });
        let start = self.out.len();
        self.node(type_name);
        // `@(` would announce a heredoc, and `@@(END)` export what is in parentheses.
        if form != ResourceForm::Regular && self.out[start..].starts_with(['(', '@']) {
            self.out.insert(start, ' ');
        }
        self.closed_collector();
        self.braces(|printer| {
            for (index, body) in bodies.iter().enumerate() {
                if let Some(title) = body.title {
                    all!(printer, if index > 0 { "; " } else { " " }, title, ":");
                }
                printer.attributes(&body.attributes);
            }
        });
    }

    /// In front of a brace: a collector at the end would take it for its own.
    fn closed_collector(&mut self) {
        if self.out.ends_with("|>") || self.out.ends_with("|>>") {
            self.push(" { }");
        }
    }

    fn conditional(&mut self, keyword: &str, condition: Id, then: Id, otherwise: Option<Id>) {
        all!(self, keyword, " ", condition);
        self.closed_collector();
        self.block(then);
        match otherwise.map(|otherwise| (otherwise, &self.tree[otherwise].expression)) {
            Some((_, &Expression::If { condition, then, otherwise })) if keyword != "unless" => {
                self.push(" ");
                with_room(|| self.conditional("elsif", condition, then, otherwise));
            }
            Some((otherwise, _)) => {
                self.push(" else");
                self.block(otherwise);
            }
            None => {}
        }
    }

    fn case(&mut self, control: Id, options: &[CaseOption]) {
        all!(self, "case ", control);
        self.closed_collector();
        self.braces(|printer| {
            for option in options {
                printer.line();
                all!(printer, &*option.values, ":");
                printer.block(option.then);
            }
        });
    }

    fn node(&mut self, id: Id) {
        id.print(self);
    }

    #[expect(clippy::too_many_lines, reason = "one arm a form of the language")]
    fn expression(&mut self, id: Id) {
        let tree = self.tree;
        match &tree[id].expression {
            Expression::Nop => {}
            Expression::Literal(literal) => self.literal(literal),
            Expression::Concatenation(parts) => self.concatenation(parts),
            Expression::Text(value) => self.interpolation(*value),
            Expression::Heredoc { syntax, text } => self.heredoc(syntax, *text),
            Expression::Name(word) | Expression::Reference(word) | Expression::Reserved(word) => self.push(word),
            Expression::Variable(name) => {
                // Only directly after `${` has a variable such a name, and no dollar: `"${web-1[0]}"`.
                self.push(if name.contains(['.', '-']) { "" } else { "$" });
                self.push(name);
            }
            Expression::Array(elements) => all!(self, "[", &**elements, "]"),
            Expression::Hash(entries) => self.entries(entries),
            Expression::Parenthesized(value) => all!(self, "(", *value, ")"),
            Expression::Unary(operator, value) => all!(self, text_of_prefix(*operator), *value),
            Expression::Binary(operator, left, right) => all!(self, *left, " ", text_of(*operator), " ", *right),
            Expression::Assignment(operator, target, value) => {
                all!(self, *target, " ", operator.symbol(), " ", *value);
            }
            Expression::Access(value, keys) => all!(self, *value, "[", &**keys, "]"),
            Expression::Selector(control, entries) => {
                all!(self, *control, " ? ");
                self.entries(entries);
            }
            Expression::Call { functor, arguments, lambda, .. } => {
                self.node(*functor);
                self.arguments(arguments, *lambda);
            }
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                all!(self, *receiver, ".", *name);
                self.arguments(arguments, *lambda);
            }
            Expression::Lambda { parameters, return_type, body } => {
                self.push("|");
                self.parameters(parameters);
                self.push("|");
                self.returns(*return_type);
                self.block(*body);
            }
            Expression::If { condition, then, otherwise } => self.conditional("if", *condition, *then, *otherwise),
            Expression::Unless { condition, then, otherwise } => {
                self.conditional("unless", *condition, *then, *otherwise);
            }
            Expression::Case(control, options) => self.case(*control, options),
            Expression::Block(statements) => self.statements(statements),
            Expression::TypeAlias { name, type_ } => all!(self, "type ", &**name, " = ", *type_),
            Expression::TypeMapping(name, type_) => all!(self, "type ", *name, " = ", *type_),
            Expression::TypeDefinition { name, parent, body } => {
                all!(self, "type ", &**name);
                if let Some(parent) = parent {
                    all!(self, " inherits ", parent.as_str());
                }
                self.block(*body);
            }
            Expression::Function(definition) => self.definition("function", definition, None),
            Expression::Class { definition, parent } => {
                self.definition("class", definition, parent.as_deref().map(EcoString::as_str));
            }
            Expression::Define(definition) => self.definition("define", definition, None),
            Expression::NodeDefinition { matches, parent, body } => {
                all!(self, "node ", &**matches);
                if let Some(parent) = parent {
                    all!(self, " inherits ", *parent);
                }
                self.block(*body);
            }
            Expression::Resource { form, type_name, bodies, .. } => self.resource(*form, *type_name, bodies),
            Expression::Collector { type_name, exported, query, operations } => {
                let (open, close) = if *exported { (" <<| ", " |>>") } else { (" <| ", " |>") };
                all!(self, *type_name, open, *query, close);
                if !operations.is_empty() {
                    self.braces(|printer| printer.attributes(operations));
                }
            }
            Expression::RenderString(text) => {
                self.push("%>");
                self.template_text(text);
                self.push("<%");
            }
            Expression::Render(value) => {
                self.push("%><%=");
                if is_expression(&tree[*value].expression) {
                    all!(self, " ", *value);
                } else {
                    self.block(*value);
                }
                self.push(" %><%");
            }
            Expression::Epp { parameters, parameters_specified, body } => {
                self.push("<%");
                if *parameters_specified {
                    self.push(" |");
                    self.parameters(parameters);
                    self.push("|");
                }
                self.line();
                self.node(*body);
                self.line();
                // The hyphen takes off the newline after it, which is not part of the template.
                self.push("-%>");
            }
        }
    }
}
