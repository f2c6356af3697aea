//! The catalog language: resources, overrides, defaults, collectors.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of};
use nom::combinator::{cut, fail, not, opt, peek, verify};
use nom::sequence::{delimited, preceded, terminated};

use super::calls::STATEMENT_FUNCTIONS;
use super::operators::{disjunction, expression};
use super::words::{keyword as any_keyword, malformed_word, name, space};
use crate::syntax::combinators::{
    Rule, at, bracketed, by_first_char, expected, items, items1, keyword, nested, repeated, symbol, token,
};
use crate::syntax::errors::{Expected, SyntaxError};
use crate::syntax::input::{Input, Parsed, refuse};
use crate::syntax::suggestions::{NO_LOOPS, is_loop};
use crate::syntax::tree::{Attribute, Expression, Id, Literal, ResourceBody, ResourceForm, ResourceKind};
use crate::text::Span;

/// ```ebnf
/// resource ::= ("@@" | "@") virtual_resource | (titled | untitled | expression) !"{"
/// titled ::= class_resource resource_braces* | (override | untitled | expression) resource_braces+ | override
/// override ::= (accessed | reference) "{" attributes? "}"
/// accessed ::= comparison (selector (postfix !"{")*)+ access | primary (postfix !"{")* access
/// untitled ::= name "{" attributes? "}"
/// ```
///
/// # Errors
/// Attributes after something that is neither a type, a type with titles, nor a name.
///
/// Observed: Puppet 8.11 reads a name with attributes but no title, `name { a => 1 }`, as the name and a hash, and
/// rejects it later; after a statement function it is a call.
pub(super) fn resource(input: Input<'_>) -> Parsed<'_, Id> {
    by_first_char!(input, {
        '@' => alt((nested(virtual_resource), repeated(disjunction, resource_braces))),
        'c' => repeated(alt((class_resource, disjunction)), resource_braces),
        _ => repeated(disjunction, resource_braces),
    })
}

/// ```ebnf
/// class_resource ::= "class" resource_braces
/// ```
fn class_resource(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, word) = terminated(keyword("class"), peek(char('{'))).parse(input)?;
    titled(word.node(word.span(), Expression::Name("class".into()))).parse(here)
}

/// ```ebnf
/// virtual_resource ::= ("@@" | "@") virtual_resource | titled !"{"
/// ```
///
/// What stands behind the signs, and the signs.
fn virtual_resource(input: Input<'_>) -> Parsed<'_, Id> {
    let signs = alt((tag("@@"), terminated(tag("@"), not(char('(')))));
    let (here, (sign, value)) = (token(signs), cut(resource)).parse(input)?;
    let exported = sign.text() == "@@";
    let span = input.span_to_last_token();
    let is_resource = input.look(value, |node| {
        let Expression::Resource { form, kind, .. } = &mut node.expression else { return false };
        *form = if exported { ResourceForm::Exported } else { ResourceForm::Virtual };
        node.span = span;
        *kind != ResourceKind::Untitled
    });
    if is_resource { Ok((here, value)) } else { refuse(SyntaxError::NotVirtualisable { exported }, sign.span()) }
}

/// ```ebnf
/// resource_braces ::= "{" resource_bodies "}"
/// ```
///
/// The braces after a type, or after what has braces already: with titles, or attributes alone.
fn resource_braces<'a>(type_name: Id) -> impl Rule<'a, Id> {
    let attributes_follow = || peek((char('{'), space, alt((one_of("},").map(drop), attribute_start))));
    move |input: Input<'a>| {
        by_first_char!(input, {
            '{' => alt((preceded(attributes_follow(), attributed(type_name)), titled(type_name))),
            _ => fail(),
        })
    }
}

/// `{ 'title': attribute => value }`
fn titled<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, bodies) = bracketed(Expected::OpenBrace, resource_bodies, Expected::CloseBrace).parse(input)?;
        let (form, kind) = (ResourceForm::Regular, ResourceKind::Declaration);
        let span = Span { start: here.span_of(type_name).start, ..input.span_to_last_token() };
        Ok((here, input.node(span, Expression::Resource { form, kind, type_name, bodies })))
    }
}

/// `{ attribute => value }`, after a type, an access, a name, or a function that takes a Hash
fn attributed<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, attributes) = attribute_braces(input)?;
        let (kind, is_call, type_span) = input.look(type_name, |node| {
            let (kind, is_call) = match &node.expression {
                Expression::Reference(_) => (Some(ResourceKind::Defaults), false),
                Expression::Access(..) => (Some(ResourceKind::Override), false),
                Expression::Name(name) => (Some(ResourceKind::Untitled), STATEMENT_FUNCTIONS.contains(&&**name)),
                _ => (None, false),
            };
            (kind, is_call, node.span)
        });
        let span = Span { start: type_span.start, ..input.span_to_last_token() };
        let Some(kind) = kind else { return not_a_resource(input, type_name) };
        if is_call {
            let entries = attributes.into_iter().map(|attribute| {
                let name = input.node(attribute.span, Expression::Literal(Literal::String(attribute.name)));
                (name, attribute.value)
            });
            let entries = entries.collect();
            let arguments = [input.node(input.span_to_last_token(), Expression::Hash(entries))].into();
            let call = Expression::Call { functor: type_name, arguments, lambda: None, statement: true };
            return Ok((here, input.node(span, call)));
        }
        let bodies = vec![ResourceBody { title: None, attributes }];
        let expression = Expression::Resource { form: ResourceForm::Regular, kind, type_name, bodies };
        Ok((here, input.node(span, expression)))
    }
}

/// Refuses attributes after anything else.
fn not_a_resource(input: Input<'_>, type_name: Id) -> Parsed<'_, Id> {
    let (place, end) = input.look(type_name, |node| (node.place, node.span.end));
    let place = input.moved_to(place);
    let help = if is_loop(place.before()) {
        NO_LOOPS
    } else if input.moved_to(end).until(input).text().contains('\n') {
        "a `{` on the next line continues the previous expression; end that with `;`"
    } else {
        "write `type { 'title': attribute => value }`, `Type { … }` or `Type['title'] { … }`"
    };
    refuse(SyntaxError::NotAResource { help }, place.place())
}

/// ```ebnf
/// resource_bodies ::= resource_body (";" resource_body)* ";"?
/// ```
fn resource_bodies(input: Input<'_>) -> Parsed<'_, Vec<ResourceBody>> {
    let end = at(Expected::CloseBrace);
    preceded(opt(end), items1(resource_body, Expected::Semicolon, end)).parse(input)
}

/// ```ebnf
/// resource_body ::= expression ":" attributes?
/// ```
fn resource_body(input: Input<'_>) -> Parsed<'_, ResourceBody> {
    let body = (expression, cut((symbol(Expected::Colon), attributes)));
    body.map(|(title, ((), attributes))| ResourceBody { title: Some(title), attributes }).parse(input)
}

/// `{ attributes? }`
fn attribute_braces(input: Input<'_>) -> Parsed<'_, Vec<Attribute>> {
    bracketed(Expected::OpenBrace, attributes, Expected::CloseBrace).parse(input)
}

/// ```ebnf
/// attributes ::= ","? attribute ("," attribute)* ","? | ","
/// ```
fn attributes(input: Input<'_>) -> Parsed<'_, Vec<Attribute>> {
    let leading = opt(preceded(peek(char(',')), symbol(Expected::Comma)));
    preceded(leading, items(attribute, Expected::Comma, attributes_end)).parse(input)
}

fn attributes_end(input: Input<'_>) -> Parsed<'_, ()> {
    peek(one_of("};")).map(drop).parse(input)
}

/// ```ebnf
/// attribute ::= attribute_name ("=>" | "+>") expression | "*" "=>" expression
/// ```
fn attribute(input: Input<'_>) -> Parsed<'_, Attribute> {
    let arrow = |input| symbol(Expected::Arrow).map(|()| false).parse(input);
    let append = preceded(peek(tag(Expected::Append.text())), symbol(Expected::Append)).map(|()| true);
    let all = (token(tag("*")), cut((arrow, expression)));
    let one = (token(attribute_name), cut((alt((append, arrow)), expression)));
    let attribute = alt((all, one)).map(|(name, (append, value)): (Input<'_>, _)| Attribute {
        name: name.text().into(),
        span: name.span(),
        append,
        value,
    });
    expected(Expected::Attribute, attribute).parse(input)
}

/// ```ebnf
/// attribute_name ::= name | !boolean keyword
/// ```
///
/// `true` and `false` name no attributes.
fn attribute_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let keyword = verify(any_keyword, |word: &Input<'_>| !matches!(word.text(), "true" | "false"));
    alt((name, keyword, malformed_word)).parse(input)
}

/// Whether an attribute with its arrow stands here, rather than a title.
fn attribute_start(input: Input<'_>) -> Parsed<'_, ()> {
    let arrow = alt((tag(Expected::Arrow.text()), tag(Expected::Append.text())));
    (alt((tag("*"), attribute_name)), space, arrow).map(drop).parse(input)
}

/// ```ebnf
/// collector ::= ("<|" expression? "|>" | "<<|" expression? "|>>") ("{" attributes? "}" | !"{")
/// ```
pub(super) fn collector<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let virtual_ = query("<|", Expected::CloseCollector);
        let exported = query("<<|", Expected::CloseExportedCollector);
        let query = alt((exported.map(|query| (true, query)), virtual_.map(|query| (false, query))));
        let operations = by_first_brace;
        let (here, ((exported, query), operations)) = (query, operations).parse(input)?;
        let span = Span { start: here.span_of(type_name).start, ..input.span_to_last_token() };
        let operations = operations.into();
        Ok((here, input.node(span, Expression::Collector { type_name, exported, query, operations })))
    }
}

fn by_first_brace(input: Input<'_>) -> Parsed<'_, Vec<Attribute>> {
    by_first_char!(input, { '{' => attribute_braces, _ => |input| Ok((input, Vec::new())) })
}

/// What stands between `open` and `close`; Nop where nothing does.
fn query<'a>(open: &'static str, close: Expected) -> impl Rule<'a, Id> {
    let none = |input: Input<'a>| Ok((input, input.node(input.place(), Expression::Nop)));
    delimited(token(tag(open)), cut(alt((preceded(at(close), none), expression))), cut(symbol(close)))
}
