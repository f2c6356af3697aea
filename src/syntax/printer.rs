//! Prints a tree as source, such that parsing the output gives the same tree.
//!
//! Parentheses are nodes of the tree, so that operators need no precedence here. Blocks are indented by two spaces.

mod texts;

use ecow::EcoString;

use super::grammar::operators::{binary_operator_text, is_plain_expression, unary_operator_text};
use super::tree::{Attribute, CaseOption, Definition, Expression, Id, Parameter, ResourceBody, ResourceForm, Tree};
use crate::stack::with_room;

/// Returns the source of the program or template.
///
/// ```
/// use pcore::{syntax, text::Source};
/// let tree = syntax::parse(&Source::new("example", "if $x{notice  'a'}"))?;
/// assert_eq!(syntax::printer::print(&tree), "if $x {\n  notice('a')\n}\n");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn print(tree: &Tree) -> String {
    let mut printer = Printer { tree, out: String::new(), indent_level: 0, pending_heredocs: Vec::new() };
    printer.print_statements(tree.statements());
    printer.out.push('\n');
    printer.print_pending_heredocs();
    printer.out
}

/// Prints strings, nodes, parameters and lists of these, one after the other: `all!(printer, "[", keys, "]")`.
macro_rules! all {
    ($printer:expr, $($part:expr),+) => {{ $(Print::print($part, $printer);)+ }};
}
use all;

trait Print {
    fn print(self, printer: &mut Printer<'_>);
}

impl Print for &str {
    fn print(self, printer: &mut Printer<'_>) {
        printer.push_text(self);
    }
}

impl Print for &Id {
    fn print(self, printer: &mut Printer<'_>) {
        with_room(|| printer.print_expression(*self));
    }
}

impl Print for &(Id, Id) {
    fn print(self, printer: &mut Printer<'_>) {
        all!(printer, &self.0, " => ", &self.1);
    }
}

/// Prints an option of a selector.
impl Print for &CaseOption {
    fn print(self, printer: &mut Printer<'_>) {
        all!(printer, &*self.values, " => ", &self.then);
    }
}

impl Print for &Parameter {
    fn print(self, printer: &mut Printer<'_>) {
        if let Some(type_) = &self.type_ {
            all!(printer, type_, " ");
        }
        let dollar = if self.captures_rest { "*$" } else { "$" };
        all!(printer, dollar, &*self.name, (" = ", self.default.as_ref()));
    }
}

/// Prints the items of a list with `, ` between them.
impl<'l, T> Print for &'l [T]
where
    &'l T: Print,
{
    fn print(self, printer: &mut Printer<'_>) {
        for (index, item) in self.iter().enumerate() {
            all!(printer, if index > 0 { ", " } else { "" }, item);
        }
    }
}

/// Prints the string and then the value, such as `" = "` and a default value; prints nothing if there is no value.
impl<T: Print> Print for (&str, Option<T>) {
    fn print(self, printer: &mut Printer<'_>) {
        if let (before, Some(part)) = self {
            all!(printer, before, part);
        }
    }
}

struct Printer<'a> {
    tree: &'a Tree,
    out: String,
    indent_level: usize,
    /// The heredoc contents to print after the current line, each with its end line.
    pending_heredocs: Vec<String>,
}

impl Printer<'_> {
    fn push_text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn start_line(&mut self) {
        self.out.push('\n');
        self.print_pending_heredocs();
        self.out.extend(std::iter::repeat_n("  ", self.indent_level));
    }

    fn print_pending_heredocs(&mut self) {
        for text in std::mem::take(&mut self.pending_heredocs) {
            self.push_text(&text);
        }
    }

    fn print_statements(&mut self, statements: &[Id]) {
        for (index, statement) in statements.iter().enumerate() {
            if index > 0 {
                self.start_line();
            }
            let start = self.out.len();
            all!(self, statement);
            // What could go on with the statement before must not.
            if index > 0 && self.out[start..].starts_with(['{', '-', '*', '/']) {
                self.out.insert_str(start, "; ");
            }
        }
    }

    fn print_in_braces(&mut self, inside: impl FnOnce(&mut Self)) {
        self.push_text(" {");
        self.indent_level += 1;
        inside(self);
        self.indent_level -= 1;
        self.start_line();
        self.push_text("}");
    }

    fn print_block(&mut self, body: Id) {
        let tree = self.tree;
        if tree[body].expression == Expression::Nop {
            return self.push_text(" { }");
        }
        self.print_in_braces(|printer| {
            printer.start_line();
            printer.print_statements(tree.statements_of(&body));
        });
    }

    fn print_definition(&mut self, definition: &Definition) {
        all!(self, definition.kind.keyword(), " ", &*definition.name);
        if !definition.parameters.is_empty() {
            all!(self, "(", &*definition.parameters, ")");
        }
        all!(self, (" inherits ", definition.parent.as_deref()), (" >> ", definition.return_type.as_ref()));
        self.print_block(definition.body);
    }

    fn print_attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.start_line();
            all!(self, &*attribute.name, if attribute.append { " +> " } else { " => " }, &attribute.value, ",");
        }
    }

    fn print_resource(&mut self, form: ResourceForm, type_name: Id, bodies: &[ResourceBody]) {
        self.push_text(match form {
            ResourceForm::Regular => "",
            ResourceForm::Virtual => "@",
            ResourceForm::Exported => "@@",
        });
        let start = self.out.len();
        all!(self, &type_name);
        // `@(` would announce a heredoc, and `@@(END)` export what is in parentheses.
        if form != ResourceForm::Regular && self.out[start..].starts_with(['(', '@']) {
            self.out.insert(start, ' ');
        }
        self.close_trailing_collector();
        self.print_in_braces(|printer| {
            for (index, body) in bodies.iter().enumerate() {
                if let Some(title) = &body.title {
                    all!(printer, if index > 0 { "; " } else { " " }, title, ":");
                }
                printer.print_attributes(&body.attributes);
            }
        });
    }

    /// Prints ` { }` if the output ends with a collector, so that a `{` printed next is not read as part of it.
    fn close_trailing_collector(&mut self) {
        if self.out.ends_with("|>") || self.out.ends_with("|>>") {
            self.push_text(" { }");
        }
    }

    fn print_conditional(&mut self, keyword: &str, condition: Id, then: Id, otherwise: Option<Id>) {
        all!(self, keyword, " ", &condition);
        self.close_trailing_collector();
        self.print_block(then);
        match otherwise.map(|otherwise| (otherwise, &self.tree[otherwise].expression)) {
            Some((_, &Expression::If { is_unless: false, condition, then, otherwise })) if keyword != "unless" => {
                self.push_text(" ");
                with_room(|| self.print_conditional("elsif", condition, then, otherwise));
            }
            Some((otherwise, _)) => {
                self.push_text(" else");
                self.print_block(otherwise);
            }
            None => {}
        }
    }

    fn print_case(&mut self, control: Id, options: &[CaseOption]) {
        all!(self, "case ", &control);
        self.close_trailing_collector();
        self.print_in_braces(|printer| {
            for option in options {
                printer.start_line();
                all!(printer, &*option.values, ":");
                printer.print_block(option.then);
            }
        });
    }

    fn print_expression(&mut self, id: Id) {
        let tree = self.tree;
        match &tree[id].expression {
            Expression::Nop => {}
            Expression::Literal(literal) => self.print_literal(literal),
            Expression::Concatenation(parts) => self.print_concatenation(parts),
            Expression::Text(value) => self.print_interpolation(*value),
            Expression::Heredoc(syntax, text) => self.print_heredoc(syntax, *text),
            Expression::Name(word) | Expression::Reference(word) | Expression::Reserved(word) => self.push_text(word),
            Expression::Variable(name) => {
                // Only directly after `${` has a variable such a name, and no dollar: `"${web-1[0]}"`.
                self.push_text(if name.contains(['.', '-']) { "" } else { "$" });
                self.push_text(name);
            }
            Expression::Array(elements) => all!(self, "[", &**elements, "]"),
            Expression::Hash(entries) => all!(self, "{", &**entries, "}"),
            Expression::Parenthesized(value) => all!(self, "(", value, ")"),
            Expression::Unary(operator, value) => all!(self, unary_operator_text(*operator), value),
            Expression::Binary(operator, left, right) => {
                all!(self, left, " ", binary_operator_text(*operator), " ", right);
            }
            Expression::Assignment(operator, target, value) => {
                all!(self, target, " ", operator.map_or("", binary_operator_text), "= ", value);
            }
            Expression::Access(value, keys) => all!(self, value, "[", &**keys, "]"),
            Expression::Selector(control, options) => all!(self, control, " ? {", &**options, "}"),
            Expression::Call { receiver, functor, arguments, lambda, .. } => {
                if let Some(receiver) = receiver {
                    all!(self, receiver, ".");
                }
                all!(self, functor, "(", &**arguments, ")", (" ", lambda.as_ref()));
            }
            Expression::Lambda { parameters, return_type, body } => {
                all!(self, "|", &**parameters, "|", (" >> ", return_type.as_ref()));
                self.print_block(*body);
            }
            Expression::If { is_unless, condition, then, otherwise } => {
                let keyword = if *is_unless { "unless" } else { "if" };
                self.print_conditional(keyword, *condition, *then, *otherwise);
            }
            Expression::Case(control, options) => self.print_case(*control, options),
            Expression::Block(statements) => self.print_statements(statements),
            Expression::TypeAlias { name, type_ } => all!(self, "type ", &**name, " = ", type_),
            Expression::TypeMapping(name, type_) => all!(self, "type ", name, " = ", type_),
            Expression::TypeDefinition(name, parent, body) => {
                all!(self, "type ", &**name, (" inherits ", parent.as_deref().map(EcoString::as_str)));
                self.print_block(*body);
            }
            Expression::Definition(definition) => self.print_definition(definition),
            Expression::NodeDefinition(hosts, parent, body) => {
                all!(self, "node ", &**hosts, (" inherits ", parent.as_ref()));
                self.print_block(*body);
            }
            Expression::Resource { form, type_name, bodies, .. } => self.print_resource(*form, *type_name, bodies),
            Expression::Collector { type_name, exported, query, operations } => {
                let (open, close) = if *exported { (" <<| ", " |>>") } else { (" <| ", " |>") };
                all!(self, type_name, open, query, close);
                if !operations.is_empty() {
                    self.print_in_braces(|printer| printer.print_attributes(operations));
                }
            }
            Expression::RenderString(text) => {
                self.push_text("%>");
                self.print_template_text(text);
                self.push_text("<%");
            }
            Expression::Render(value) => {
                self.push_text("%><%=");
                if is_plain_expression(&tree[*value].expression) {
                    all!(self, " ", value);
                } else {
                    self.print_block(*value);
                }
                self.push_text(" %><%");
            }
            Expression::Epp { parameters, parameters_specified, body } => {
                self.push_text("<%");
                if *parameters_specified {
                    all!(self, " |", &**parameters, "|");
                }
                self.start_line();
                all!(self, body);
                self.start_line();
                // The hyphen takes off the newline after it, which is not part of the template.
                self.push_text("-%>");
            }
        }
    }
}
