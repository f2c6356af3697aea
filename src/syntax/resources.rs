//! The catalog language: resources, overrides, defaults, collectors.

use super::errors::{Expected, SyntaxError};
use super::input::{Input, Parsed, refuse};
use super::lexical::{Word, keyword_follows, list, space, symbol, symbol_follows, token, word};
use super::precedence::{RELATIONSHIP_POWER, climb, expression};
use super::statements::is_statement_function;
use super::suggestions::{NO_LOOPS, is_loop};
use super::tree::{Attribute, Expression, Id, Ids, Literal, ResourceBody, ResourceForm, ResourceKind};

/// ```ebnf
/// resource ::= ("@@" | "@") virtual_resource | (titled | untitled | expression) !"{"
/// virtual_resource ::= ("@@" | "@") virtual_resource | titled !"{"
/// titled ::= class_resource resource_braces* | (override | untitled | expression) resource_braces+ | override
/// class_resource ::= "class" resource_braces
/// resource_braces ::= "{" resource_bodies "}"
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
#[inline]
pub(super) fn resource(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, value) = match input.byte() {
        b'@' if input.byte_at(1) != b'(' => return input.nested(virtual_resource),
        b'c' if class_resource_follows(input)?.1 => class_resource(input)?,
        _ => climb(input, RELATIONSHIP_POWER + 1)?,
    };
    if here.byte() == b'{' { all_resource_braces(here, value) } else { Ok((here, value)) }
}

fn class_resource(input: Input<'_>) -> Parsed<'_, Id> {
    let after = input.skip("class".len());
    let (here, name) = token(after, input.node(input.span_until(after), Expression::Name("class".into())))?;
    let (here, ()) = symbol(Expected::OpenBrace)(here)?;
    let (here, bodies) = resource_bodies(here)?;
    declaration(here, name, bodies)
}

/// Parses all braced bodies after a resource or its type.
fn all_resource_braces(input: Input<'_>, mut value: Id) -> Parsed<'_, Id> {
    let mut here = input;
    while here.byte() == b'{' {
        (here, value) = resource_braces(here, value)?;
    }
    Ok((here, value))
}

/// Whether `class {` stands here.
fn class_resource_follows(input: Input<'_>) -> Parsed<'_, bool> {
    if !keyword_follows("class", input) {
        return Ok((input, false));
    }
    let (after, ()) = space(input.skip("class".len()))?;
    Ok((input, after.byte() == b'{'))
}

fn virtual_resource(input: Input<'_>) -> Parsed<'_, Id> {
    let exported = input.byte_at(1) == b'@';
    let symbol = input.skip(if exported { 2 } else { 1 });
    let (here, ()) = token(symbol, ())?;
    let (here, value) = resource(here)?;
    let span = input.span_to_last_token();
    let is_resource = input.look(value, |node| {
        let Expression::Resource { form, kind, .. } = &mut node.expression else { return false };
        *form = if exported { ResourceForm::Exported } else { ResourceForm::Virtual };
        node.span = span;
        *kind != ResourceKind::Untitled
    });
    if is_resource {
        return Ok((here, value));
    }
    refuse(SyntaxError::NotVirtualisable { exported }, input.span_until(symbol))
}

/// The braces after `type_name`.
fn resource_braces(input: Input<'_>, type_name: Id) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::OpenBrace)(input)?;
    if !symbol_follows(Expected::CloseBrace, here) && here.byte() != b',' && !attribute_follows(here)?.1 {
        let (here, bodies) = resource_bodies(here)?;
        return declaration(here, type_name, bodies);
    }
    let (here, attributes) = attributes(here)?;
    let (here, ()) = symbol(Expected::CloseBrace)(here)?;
    let span = input.moved_to(input.span_of(type_name).start).span_to_last_token();
    if is_statement_function(input, type_name) {
        let entry = |attribute: Attribute| {
            let name = input.node(attribute.span, Expression::Literal(Literal::String(attribute.name)));
            (name, attribute.value)
        };
        let entries = attributes.into_iter().map(entry).collect();
        let hash = input.node(input.span_to_last_token(), Expression::Hash(entries));
        let call = Expression::Call { functor: type_name, arguments: Ids::one(hash), lambda: None, statement: true };
        return Ok((here, input.node(span, call)));
    }
    let kind = input.look(type_name, |node| match &node.expression {
        Expression::Reference(_) => Some(ResourceKind::Defaults),
        Expression::Access(..) => Some(ResourceKind::Override),
        Expression::Name(_) => Some(ResourceKind::Untitled),
        _ => None,
    });
    let Some(kind) = kind else {
        let place = input.moved_to(input.place_of(type_name));
        let next_line = input.moved_to(input.span_of(type_name).end).until(input).contains('\n');
        let help = if is_loop(place.before()) {
            NO_LOOPS
        } else if next_line {
            "a `{` on the next line continues the previous expression; end that with `;`"
        } else {
            "write `type { 'title': attribute => value }`, `Type { … }` or `Type['title'] { … }`"
        };
        return refuse(SyntaxError::NotAResource { help }, place.span_until(place));
    };
    let bodies = vec![ResourceBody { title: None, attributes }];
    let expression = Expression::Resource { form: ResourceForm::Regular, kind, type_name, bodies };
    Ok((here, input.node(span, expression)))
}

/// The closing brace of a declaration, and its node.
fn declaration(input: Input<'_>, type_name: Id, bodies: Vec<ResourceBody>) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::CloseBrace)(input)?;
    let span = input.moved_to(input.span_of(type_name).start).span_to_last_token();
    let (form, kind) = (ResourceForm::Regular, ResourceKind::Declaration);
    Ok((here, input.node(span, Expression::Resource { form, kind, type_name, bodies })))
}

/// ```ebnf
/// resource_bodies ::= resource_body (";" resource_body)* ";"?
/// resource_body ::= expression ":" attributes?
/// ```
fn resource_bodies(input: Input<'_>) -> Parsed<'_, Vec<ResourceBody>> {
    list(Expected::Semicolon, input, resource_body, |here| symbol_follows(Expected::CloseBrace, here))
}

fn resource_body(input: Input<'_>) -> Parsed<'_, ResourceBody> {
    let (here, title) = expression(input)?;
    let (here, ()) = symbol(Expected::Colon)(here)?;
    let (here, attributes) = attributes(here)?;
    Ok((here, ResourceBody { title: Some(title), attributes }))
}

/// ```ebnf
/// attributes ::= ","? attribute ("," attribute)* ","? | ","
/// attribute ::= attribute_name ("=>" | "+>") expression | "*" "=>" expression
/// attribute_name ::= name | !boolean keyword
/// ```
///
/// `true` and `false` name no attributes.
fn attributes(input: Input<'_>) -> Parsed<'_, Vec<Attribute>> {
    let (here, ()) = if input.byte() == b',' { symbol(Expected::Comma)(input)? } else { (input, ()) };
    let ends = |here: Input<'_>| matches!(here.byte(), b'}' | b';');
    if ends(here) { Ok((here, Vec::new())) } else { list(Expected::Comma, here, attribute, ends) }
}

fn attribute(input: Input<'_>) -> Parsed<'_, Attribute> {
    let (after, name) = attribute_name(input)?;
    let Some(name) = name else { return input.expected(Expected::Attribute) };
    let span = input.span_until(after);
    let (here, ()) = token(after, ())?;
    let append = name != "*" && here.bytes().starts_with(Expected::Append.text().as_bytes());
    let (here, ()) = if append { symbol(Expected::Append)(here)? } else { symbol(Expected::Arrow)(here)? };
    let (here, value) = expression(here)?;
    Ok((here, Attribute { name: name.into(), span, append, value }))
}

/// The name of the attribute that stands here, without the white space after it.
fn attribute_name(input: Input<'_>) -> Parsed<'_, Option<&str>> {
    if input.byte() == b'*' {
        return Ok((input.skip(1), Some("*")));
    }
    Ok(match word(input)? {
        (after, Some(Word::Name(name))) => (after, Some(name)),
        (after, Some(Word::Keyword(name))) if !matches!(name, "true" | "false") => (after, Some(name)),
        _ => (input, None),
    })
}

/// Whether an attribute with its arrow stands here, rather than a title.
fn attribute_follows(input: Input<'_>) -> Parsed<'_, bool> {
    let (after, name) = attribute_name(input)?;
    let (after, ()) = space(after)?;
    let arrow = [Expected::Arrow, Expected::Append].iter().any(|arrow| after.rest().starts_with(arrow.text()));
    Ok((input, name.is_some() && arrow))
}

/// ```ebnf
/// collector ::= ("<|" expression? "|>" | "<<|" expression? "|>>") ("{" attributes? "}" | !"{")
/// ```
pub(super) fn collector(input: Input<'_>, type_name: Id) -> Parsed<'_, Id> {
    let exported = input.rest().starts_with("<<|");
    let close = if exported { Expected::CloseExportedCollector } else { Expected::CloseCollector };
    let (here, ()) = token(input.skip(if exported { 3 } else { 2 }), ())?;
    let (here, query) = if symbol_follows(close, here) {
        (here, here.node(here.span_until(here), Expression::Nop))
    } else {
        expression(here)?
    };
    let (mut here, ()) = symbol(close)(here)?;
    let mut operations = Vec::new();
    if here.byte() == b'{' {
        here = symbol(Expected::OpenBrace)(here)?.0;
        (here, operations) = attributes(here)?;
        here = symbol(Expected::CloseBrace)(here)?.0;
    }
    let span = input.moved_to(input.span_of(type_name).start).span_to_last_token();
    let operations = operations.into();
    Ok((here, input.node(span, Expression::Collector { type_name, exported, query, operations })))
}
