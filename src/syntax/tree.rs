//! The syntax tree: the program as written, with locations, before types, functions and variables are resolved.
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
    /// The source that was parsed.
    pub source: Arc<Source>,
    pub(crate) nodes: Vec<Node>,
    /// The whole program: an [`Expression::Block`], a single expression, or [`Expression::Nop`].
    pub body: Id,
    /// Warnings about valid code that is probably a mistake, such as an unknown escape.
    pub warnings: Vec<Error>,
}

/// The number of a node in its [`Tree`], by which the tree can be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(NonZeroU32); // the index plus one, so that `Option<Id>` is no larger

/// A list of nodes.
pub type Ids = Box<[Id]>;

impl Id {
    /// Returns the id of the node at `index`. A source has less than 4 GiB, so every index fits.
    pub(crate) fn from_index(index: usize) -> Id {
        Id(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An expression with its location.
#[derive(Clone, Debug)]
pub struct Node {
    /// The span of the expression, from its first to its last character.
    pub span: Span,
    /// The offset at which errors about it point: the operator of a binary operation, the parenthesis or else the
    /// dot of a method call, the name of a type alias, the accessed value of an access; for all others, the start.
    pub place: u32,
    /// The expression.
    pub expression: Expression,
}

impl Tree {
    /// Returns the statements of the program.
    pub fn statements(&self) -> &[Id] {
        self.statements_of(&self.body)
    }

    /// Returns the statements of a Block; any other `body` is itself the only statement.
    pub(crate) fn statements_of<'t>(&'t self, body: &'t Id) -> &'t [Id] {
        match &self[*body].expression {
            Expression::Block(statements) => statements,
            _ => std::slice::from_ref(body),
        }
    }

    /// Returns the source of the node `id`.
    pub(crate) fn text_of(&self, id: Id) -> &str {
        self.source.slice(self[id].span)
    }

    /// Returns the span of `text`, the name or operator that starts at the error offset (`place`) of the node `id`.
    pub(crate) fn span_of_name(&self, id: Id, text: &str) -> Span {
        let start = self[id].place as usize;
        Span::new(start, start + text.len())
    }

    pub(crate) fn shrink_to_fit(mut self) -> Tree {
        self.nodes.shrink_to_fit();
        self
    }

    /// Returns the node `id` and all nodes inside it, the last one first. This includes the content of a heredoc
    /// that is announced before the node on the same line.
    #[expect(clippy::indexing_slicing, reason = "ids are those of the nodes of this tree")]
    pub(crate) fn nodes_within(&self, id: Id) -> impl Iterator<Item = &Node> {
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

/// An expression. Each variant is documented by the source that produces it.
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
    /// `@("END":json/t)`: the syntax name, which may be empty, and the text, a String or Concatenation
    Heredoc(EcoString, Id),
    /// `lower_case::word`
    Name(EcoString),
    /// `Upper::Case`
    Reference(EcoString),
    /// `$name`, without the dollar
    Variable(EcoString),
    /// A reserved word as an expression: `private`, `attr`
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
    /// `a = b`; with an operator `a += b` or `a -= b`, which are no longer supported
    Assignment(Option<BinaryOperator>, Id, Id),
    /// `a[b, c]`
    Access(Id, Ids),
    /// `a ? { b => c }`
    Selector(Id, Vec<CaseOption>),
    /// `a(b) |$x| { }`, `notice b`, `a.b(c) |$x| { }`
    Call {
        /// The expression before the dot of a method call.
        receiver: Option<Id>,
        /// The called function: a Name, a Reference, or any expression before `(`; after a dot it is a Name.
        functor: Id,
        /// The arguments between the parentheses.
        arguments: Ids,
        /// The lambda after the arguments: `|$x| { }`
        lambda: Option<Id>,
        /// Whether the call, without a receiver, is a statement whose value is unused: `notice b`
        statement: bool,
    },
    /// `|$x, Integer $y = 1, *$rest| >> String { body }`
    Lambda {
        /// The parameters between the bars.
        parameters: Box<[Parameter]>,
        /// The return type after `>>`.
        return_type: Option<Id>,
        /// The statements between the braces.
        body: Id,
    },
    /// `if a { } else { }`, `unless a { } else { }`; `elsif` is an If in the place of the else
    If {
        /// Whether it is written `unless`: `then` runs if the condition is false.
        is_unless: bool,
        /// The condition after `if` or `unless`.
        condition: Id,
        /// The statements between the braces after the condition.
        then: Id,
        /// The statements after `else`, or the If of an `elsif`.
        otherwise: Option<Id>,
    },
    /// `case a { b, c: { } }`
    Case(Id, Vec<CaseOption>),
    /// Several statements.
    Block(Ids),
    /// `type Name = Type`
    TypeAlias {
        /// The name before `=`.
        name: EcoString,
        /// The type after `=`.
        type_: Id,
    },
    /// `type Runtime[ruby, 'X'] = Type`
    TypeMapping(Id, Id),
    /// `type Name inherits Parent { body }`, which no version of Puppet evaluates
    TypeDefinition(EcoString, Option<Box<EcoString>>, Id),
    /// `function name(parameters) >> Type { body }`, `class name(parameters) inherits parent { body }`,
    /// `define name(parameters) { body }`
    Definition(Box<Definition>),
    /// `node 'a', /b/ inherits c { body }`; a host is a string, a regular expression or `default`
    NodeDefinition(Ids, Option<Id>, Id),
    /// `file { 'title': attribute => value }`; also overrides (`File['x'] { }`) and defaults (`File { }`), which
    /// `kind` distinguishes
    Resource {
        /// Whether the resource is virtual, exported or regular.
        form: ResourceForm,
        /// Whether it is a resource, an override or defaults, according to the type name.
        kind: ResourceKind,
        /// The resource type or reference before the braces.
        type_name: Id,
        /// The bodies between the braces. Overrides and defaults have one body without a title.
        bodies: Vec<ResourceBody>,
    },
    /// `File <| query |> { operations }`
    Collector {
        /// The resource type before the query.
        type_name: Id,
        /// Whether the query is written `<<| |>>` instead of `<| |>`.
        exported: bool,
        /// The query between `<|` and `|>`; a Nop if it is empty.
        query: Id,
        /// The attributes between the braces after the query, which override those of the collected resources.
        operations: Box<[Attribute]>,
    },
    /// `%>text<%`: text between the tags of an EPP template
    RenderString(EcoString),
    /// `<%= expression %>`
    Render(Id),
    /// A whole EPP template
    Epp {
        /// The parameters between the bars: `<%- | $x | -%>`
        parameters: Vec<Parameter>,
        /// Whether the template has a parameter list, which may be empty.
        parameters_specified: bool,
        /// The statements of the template, including the text between tags.
        body: Id,
    },
}

/// A literal value. A bare word is an [`Expression::Name`] instead, since it may be the name of a function, class or
/// resource type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true`
    Boolean(bool),
    /// `10`, `0x1F`, `017`: the value, and the radix in which it was written (8, 10 or 16)
    Integer(i64, u32),
    /// `1.5`, `1e10`
    Float(f64),
    /// `'text'`, or `"text"` with nothing to interpolate
    String(EcoString),
    /// `/text/`
    Regexp(EcoString),
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

/// A parameter of a definition or lambda: `Integer $x = 1` or `*$rest`
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The span from the type to the default value.
    pub span: Span,
    /// The span of the variable.
    pub name_span: Span,
    /// The type before the variable.
    pub type_: Option<Id>,
    /// The name without the dollar.
    pub name: EcoString,
    /// The default value after `=`.
    pub default: Option<Id>,
    /// Whether the parameter takes all remaining arguments: `*$rest`
    pub captures_rest: bool,
}

/// The kind of a [`Definition`]: a class, a defined type or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionKind {
    /// `class a { }`
    Class,
    /// `define a { }`
    DefinedType,
    /// `function a { }`
    Function,
}

impl DefinitionKind {
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            DefinitionKind::Class => "class",
            DefinitionKind::DefinedType => "define",
            DefinitionKind::Function => "function",
        }
    }
}

/// A function, class or defined type with its parameters and body.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Whether it is a function, a class or a defined type.
    pub kind: DefinitionKind,
    /// The name as written.
    pub name: EcoString,
    /// The span of the name.
    pub name_span: Span,
    /// The parameters between the parentheses.
    pub parameters: Vec<Parameter>,
    /// The return type of a function, after `>>`.
    pub return_type: Option<Id>,
    /// The parent of a class, after `inherits`.
    pub parent: Option<EcoString>,
    /// The statements between the braces.
    pub body: Id,
}

/// An option of a `case` expression, `a, b: { body }`, or of a selector, `a => b`
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOption {
    /// The values before the colon; in a selector, the one before the arrow.
    pub values: Ids,
    /// The statements between the braces; in a selector, the expression after the arrow.
    pub then: Id,
}

/// The form of a resource: `file`, `@file` or `@@file`.
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

/// The kind of a resource expression: a resource, an override or defaults.
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

/// A body of a resource: `'title': attribute => value`
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// The title before the colon; `None` in overrides and defaults.
    pub title: Option<Id>,
    /// The attributes after the colon.
    pub attributes: Vec<Attribute>,
}

/// An attribute of a resource: `name => value`, `name +> value` or `* => value`
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name, or `*` for all entries of a hash.
    pub name: EcoString,
    /// The span of the name.
    pub span: Span,
    /// Whether the attribute is written `+>` instead of `=>`.
    pub append: bool,
    /// The value after the arrow.
    pub value: Id,
}

#[cfg(test)]
#[path = "../../tests/unit/syntax/tree.rs"]
mod tests;
