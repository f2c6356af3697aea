//! The syntax tree: what was written, with its location, before anything is known of types, functions or variables.
//!
//! Nodes are in one vector and refer to each other by [`Id`]: a tree is dropped at once however deep it is, and other
//! tables can be indexed by the same number.

use std::{num::NonZeroU32, ops::Index, sync::Arc};

pub use super::grammar::operators::BinaryOperator;
use crate::error::Error;
use crate::text::{Source, Span};
use ecow::EcoString;

/// A parsed program.
///
/// ```
/// use pcore::syntax::{parse, tree::Expression};
/// let tree = parse(&pcore::text::Source::new("types.pp", "type Port = Integer[1]\ntype Name = String"))?;
/// let names = tree.statements().iter().filter_map(|id| match &tree[*id].expression {
///     Expression::TypeAlias { name, .. } => Some(&**name),
///     _ => None,
/// });
/// assert_eq!(names.collect::<Vec<_>>(), ["Port", "Name"]);
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Debug)]
pub struct Tree {
    /// The text it was read from.
    pub source: Arc<Source>,
    pub(crate) nodes: Vec<Node>,
    /// The whole program, a [`Expression::Block`], a single expression, or [`Expression::Nop`].
    pub body: Id,
    /// What looks like a mistake and has a meaning all the same.
    pub warnings: Vec<Error>,
}

/// The number of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(NonZeroU32); // the index plus one, so that `Option<Id>` is no larger

/// A list of nodes.
pub type Ids = Box<[Id]>;

impl Id {
    /// The id of the node at `index`. A text has less than 4 GiB, so every index fits.
    pub(crate) fn at(index: usize) -> Id {
        Id(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// From its first to its last character.
    pub span: Span,
    /// Its location in errors: the operator between two operands, the parenthesis or else the dot of a
    /// method call, the name of a type alias, what an access looks into, else the start.
    pub place: u32,
    /// What it is.
    pub expression: Expression,
}

impl Tree {
    /// The statements of the program one after the other.
    pub fn statements(&self) -> &[Id] {
        self.statements_of(&self.body)
    }

    /// The statements of a body; none is a [`Expression::Nop`].
    pub(crate) fn statements_of<'t>(&'t self, body: &'t Id) -> &'t [Id] {
        match &self[*body].expression {
            Expression::Block(statements) => statements,
            _ => std::slice::from_ref(body),
        }
    }

    /// Where the name or the operator of that text is, by which the expression is called.
    pub(crate) fn place_of(&self, id: Id, text: &str) -> Span {
        let start = self[id].place as usize;
        Span::new(start, start + text.len())
    }

    /// The same tree without the room for more nodes, to be kept.
    pub(crate) fn compact(mut self) -> Tree {
        self.nodes.shrink_to_fit();
        self
    }

    /// The expression and all its parts, the last one first; with the text of a heredoc whose `@(TAG)` is before the
    /// expression on the same line.
    #[expect(clippy::indexing_slicing, reason = "ids are those of the nodes of this tree")]
    pub(crate) fn within(&self, id: Id) -> impl Iterator<Item = &Node> {
        let span = self[id].span;
        let nodes = self.nodes[..=id.index()].iter().rev().take_while(move |node| node.span.start >= span.start);
        nodes.filter(move |node| node.span.end <= span.end)
    }
}

impl Index<Id> for Tree {
    type Output = Node;

    #[expect(clippy::indexing_slicing, reason = "ids are those of the nodes of this tree")]
    fn index(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }
}

/// Every form of the language, documented by the text that produces it.
/// ```
/// use pcore::syntax::{parse, tree::Expression};
/// let tree = parse(&pcore::text::Source::new("site.pp", "[$a, $b]"))?;
/// assert!(matches!(&tree[tree.body].expression, Expression::Array(elements) if elements.len() == 2));
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Expression {
    /// An empty program or body.
    Nop,
    /// `undef`, `10`, `'text'`
    Literal(Literal),
    /// `"a${b}c"`: text parts are [`Literal::String`], the others [`Expression::Text`]
    Concatenation(Ids),
    /// `${expression}` inside a string
    Text(Id),
    /// `@("END":json/t)`: the syntax name and the text, a String or Concatenation
    Heredoc {
        /// `json` in `@(END:json)`; empty without one
        syntax: EcoString,
        /// Its text.
        text: Id,
    },
    /// `lower_case::word`
    Name(EcoString),
    /// `Upper::Case`
    Reference(EcoString),
    /// `$name`, without the dollar
    Variable(EcoString),
    /// A reserved word where an expression should be
    Reserved(EcoString),
    /// `[a, b]`
    Array(Ids),
    /// `{a => b}`; also `a => b, c => d` as arguments or array elements
    Hash(Vec<(Id, Id)>),
    /// `(expression)`
    Parenthesized(Id),
    /// `-a`, `!a`, `*a`
    Unary(UnaryOperator, Id),
    /// `a + b`
    Binary(BinaryOperator, Id, Id),
    /// `a = b`
    Assignment(AssignmentOperator, Id, Id),
    /// `a[b, c]`
    Access(Id, Ids),
    /// `a ? { b => c }`
    Selector(Id, Vec<(Id, Id)>),
    /// `a(b) |$x| { }`, `notice b`
    Call {
        /// A Name, a Reference, or any expression before `(`.
        functor: Id,
        /// Between the parentheses.
        arguments: Ids,
        /// `|$x| { }`
        lambda: Option<Id>,
        /// Written as a statement, whose value nobody asked for: `notice b`
        statement: bool,
    },
    /// `a.b(c) |$x| { }`
    MethodCall {
        /// In front of the dot.
        receiver: Id,
        /// The Name (or Reference) after the dot.
        name: Id,
        /// Between the parentheses.
        arguments: Ids,
        /// `|$x| { }`
        lambda: Option<Id>,
    },
    /// `|$x, Integer $y = 1, *$rest| >> String { body }`
    Lambda {
        /// Between the bars.
        parameters: Box<[Parameter]>,
        /// After `>>`.
        return_type: Option<Id>,
        /// Between the braces.
        body: Id,
    },
    /// `if a { } else { }`; `elsif` is an If in the place of the else
    If {
        /// After `if`.
        condition: Id,
        /// The first braces.
        then: Id,
        /// What follows `else`, or the If of an `elsif`.
        otherwise: Option<Id>,
    },
    /// `unless a { } else { }`
    Unless {
        /// After `unless`.
        condition: Id,
        /// The first braces.
        then: Id,
        /// What follows `else`.
        otherwise: Option<Id>,
    },
    /// `case a { b, c: { } }`
    Case(Id, Vec<CaseOption>),
    /// Several statements.
    Block(Ids),
    /// `type Name = Type`
    TypeAlias {
        /// Before `=`.
        name: EcoString,
        /// After `=`.
        type_: Id,
    },
    /// `type Runtime[ruby, 'X'] = Type`
    TypeMapping(Id, Id),
    /// `type Name inherits Parent { body }`, which no Puppet evaluates
    TypeDefinition {
        /// After `type`.
        name: EcoString,
        /// After `inherits`.
        parent: Option<Box<EcoString>>,
        /// Between the braces.
        body: Id,
    },
    /// `function name(parameters) >> Type { body }`
    Function(Box<Definition>),
    /// `class name(parameters) inherits parent { body }`
    Class {
        /// Name, parameters, body.
        definition: Box<Definition>,
        /// After `inherits`.
        parent: Option<Box<EcoString>>,
    },
    /// `define name(parameters) { body }`
    Define(Box<Definition>),
    /// `node 'a', /b/ inherits c { body }`
    NodeDefinition {
        /// The host matches.
        matches: Ids,
        /// After `inherits`.
        parent: Option<Id>,
        /// Between the braces.
        body: Id,
    },
    /// `file { 'title': attribute => value }`; also overrides (`File['x'] { }`) and defaults (`File { }`), which the
    /// kind distinguishes
    Resource {
        /// Virtual, exported or plain.
        form: ResourceForm,
        /// What the type name is, which makes it a resource, an override or defaults.
        kind: ResourceKind,
        /// In front of the brace.
        type_name: Id,
        /// Between the braces. Overrides and defaults have one body without a title.
        bodies: Vec<ResourceBody>,
    },
    /// `File <| query |> { operations }`
    Collector {
        /// In front of the query.
        type_name: Id,
        /// `<<| |>>` instead of `<| |>`
        exported: bool,
        /// Nop where there is none.
        query: Id,
        /// The attributes between the braces of a collector or an override.
        operations: Box<[Attribute]>,
    },
    /// `<% %>`: text between the tags of an EPP template
    RenderString(EcoString),
    /// `<%= expression %>`
    Render(Id),
    /// A whole EPP template
    Epp {
        /// `<%- | $x | -%>`
        parameters: Vec<Parameter>,
        /// Whether a parameter list was written.
        parameters_specified: bool,
        /// The parts.
        body: Id,
    },
}

/// What is a value by itself, without any context. A bare word is [`Expression::Name`], since it may name
/// something.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true`
    Boolean(bool),
    /// `10`, `0x1F`, `017`
    Integer(i64, Radix),
    /// `1.5`, `1e10`
    Float(f64),
    /// `'text'`, or `"text"` with nothing to interpolate
    String(EcoString),
    /// `/text/`
    Regexp(EcoString),
}

/// How an integer was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// `017`
    Octal,
    /// `15`
    Decimal,
    /// `0xF`
    Hexadecimal,
}

/// `-`, `!`, `*` before an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnaryOperator {
    /// `-a`
    Minus,
    /// `!a`
    Not,
    /// `*a`
    Unfold,
}

/// `=`, `+=`, `-=`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignmentOperator {
    /// `=`
    Assign,
    /// `+=`, no longer supported
    Append,
    /// `-=`, no longer supported
    Delete,
}

impl AssignmentOperator {
    /// The operator as it is written.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            AssignmentOperator::Assign => "=",
            AssignmentOperator::Append => "+=",
            AssignmentOperator::Delete => "-=",
        }
    }
}

/// `Integer $x = 1`, `*$rest`
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// From the type to the default.
    pub span: Span,
    /// The variable.
    pub name_span: Span,
    /// In front of the variable.
    pub type_: Option<Id>,
    /// Without the dollar.
    pub name: EcoString,
    /// After `=`.
    pub default: Option<Id>,
    /// `*$rest`
    pub captures_rest: bool,
}

/// A named thing with parameters and a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// As written.
    pub name: EcoString,
    /// Where the name stands.
    pub name_span: Span,
    /// Between the parentheses.
    pub parameters: Vec<Parameter>,
    /// After `>>`.
    pub return_type: Option<Id>,
    /// Between the braces.
    pub body: Id,
}

/// `a, b: { body }`
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOption {
    /// In front of the colon.
    pub values: Ids,
    /// Between the braces.
    pub then: Id,
}

/// `file`, `@file`, `@@file`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceForm {
    /// `file { }`
    Regular,
    /// `@file { }`
    Virtual,
    /// `@@file { }`
    Exported,
}

/// What braces after the name of a type mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceKind {
    /// `file { 'title': }`
    Declaration,
    /// `File['title'] { }`
    Override,
    /// `File { }`
    Defaults,
    /// `file { attribute => value }`, which lacks a title
    Untitled,
}

/// `'title': attribute => value`
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// In front of the colon; none in overrides and defaults.
    pub title: Option<Id>,
    /// After the colon.
    pub attributes: Vec<Attribute>,
}

/// `name => value`, `name +> value`, `* => value`
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// `*` for the attributes of a hash.
    pub name: EcoString,
    /// Where the name stands.
    pub span: Span,
    /// `+>` instead of `=>`
    pub append: bool,
    /// After the arrow.
    pub value: Id,
}

#[cfg(test)]
#[path = "../../tests/unit/syntax/tree.rs"]
mod tests;
