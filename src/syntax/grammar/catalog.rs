//! The catalog language: resources, resource overrides, resource defaults and collectors.

use super::operators::{RELATIONSHIP_POWER, RESOURCE_POWER, TIGHTEST_POWER, expression, operator_expression};
use super::prelude::*;
use super::words::{keyword as any_keyword, malformed_word, name};
use super::{calls::STATEMENT_FUNCTIONS, operands::operand};
use crate::syntax::suggestions::{NO_LOOPS_HINT, looks_like_loop};
use crate::syntax::tree::{Attribute, ResourceBody, ResourceForm, ResourceKind};

/// `resource ::= ("@@" | "@") virtual_resource | (titled | untitled | expression) !"{"`
pub(super) fn resource(input: Input<'_>) -> Parsed<'_, Id> {
    operator_expression(RESOURCE_POWER).parse(input)
}

/// Parses an operand, an `@resource` or `class { … }`, and returns the maximum binding power of an operator after it.
pub(super) fn resource_operand(input: Input<'_>) -> Parsed<'_, (Id, u8)> {
    let operand = operand.map(|value| (value, TIGHTEST_POWER));
    by_first_char!(input, {
        '@' => alt((nested_one_level(virtual_resource).map(|value| (value, RELATIONSHIP_POWER)), operand)),
        'c' => alt((class_resource.map(|value| (value, RESOURCE_POWER)), operand)),
        _ => operand,
    })
}

/// `class_resource ::= "class" resource_braces`
fn class_resource(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, word) = terminated(keyword("class"), peek(char('{'))).parse(input)?;
    titled(word.add_node(word.span(), Expression::Name("class".into()))).parse(here)
}

/// `virtual_resource ::= ("@@" | "@") virtual_resource | titled !"{"`
fn virtual_resource(input: Input<'_>) -> Parsed<'_, Id> {
    let signs = alt((tag("@@"), terminated(tag("@"), not(char('(')))));
    let (here, (sign, value)) = (token(signs), cut(resource)).parse(input)?;
    let exported = sign.text() == "@@";
    let span = input.span_to_last_token();
    let is_resource = input.access_node(value, |node| {
        let Expression::Resource { form, kind, .. } = &mut node.expression else { return false };
        *form = if exported { ResourceForm::Exported } else { ResourceForm::Virtual };
        node.span = span;
        *kind != ResourceKind::Untitled
    });
    if is_resource { Ok((here, value)) } else { fail_with(SyntaxError::NotVirtualisable { exported }, sign) }
}

/// Parses the braces after `type_name`, the node of a resource type or of a resource with further braces after it.
///
/// # Errors
/// Fails at attributes without a title if `type_name` is not a type, an access such as `File['a']`, or a name.
pub(super) fn braces_after_type<'a>(type_name: Id) -> impl Rule<'a, Id> {
    let attributes_follow = || peek((char('{'), space, alt((one_of("},").map(drop), attribute_start))));
    let without_titles = move || alt((override_(type_name), untitled(type_name), reject_non_resource(type_name)));
    move |input: Input<'a>| {
        by_first_char!(input, {
            '{' => alt((preceded(attributes_follow(), without_titles()), titled(type_name))),
            _ => fail(),
        })
    }
}

/// `titled ::= class_resource resource_braces* | (override | untitled | expression) resource_braces+ | override`
///
/// Parses braces with titles, `{ 'title': attribute => value }`, after the node `type_name`.
fn titled<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, bodies) = resource_braces(input)?;
        Ok((here, add_resource_node(input, ResourceKind::Declaration, type_name, bodies)))
    }
}

/// `resource_braces ::= "{" resource_bodies "}"`
fn resource_braces(input: Input<'_>) -> Parsed<'_, Vec<ResourceBody>> {
    in_brackets(Expected::OpenBrace, resource_bodies, Expected::CloseBrace).parse(input)
}

/// `override ::= (access_expression | reference) "{" attributes? "}"`
///
/// Also parses the defaults of a resource type: `File { mode => '0644' }`.
fn override_<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let is_type = input.access_node(type_name, |node| matches!(node.expression, Expression::Reference(_)));
        let kind = if is_type { ResourceKind::Defaults } else { access_expression(input, type_name)?.1 };
        let (here, attributes) = attribute_braces(input)?;
        Ok((here, add_resource_node(input, kind, type_name, vec![ResourceBody { title: None, attributes }])))
    }
}

/// `access_expression ::= comparison (selector (postfix !"{")*)+ access | primary (postfix !"{")* access`
///
/// Succeeds without consuming input if the node `value` is an access, such as `File['a']`.
fn access_expression(input: Input<'_>, value: Id) -> Parsed<'_, ResourceKind> {
    let is_access = input.access_node(value, |node| matches!(node.expression, Expression::Access(..)));
    if is_access { Ok((input, ResourceKind::Override)) } else { input.fail_here() }
}

/// `untitled ::= name "{" attributes? "}"`
///
/// Observed: Puppet 8.11 reads a name with attributes but no title, `name { a => 1 }`, as the name and a hash, and
/// rejects it later; after a statement function it is a call.
fn untitled<'a>(name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let is_function = input.access_node(name, |node| match &node.expression {
            Expression::Name(name) => Some(STATEMENT_FUNCTIONS.contains(&&**name)),
            _ => None,
        });
        let Some(is_function) = is_function else { return input.fail_here() };
        let (here, attributes) = attribute_braces(input)?;
        if !is_function {
            let bodies = vec![ResourceBody { title: None, attributes }];
            return Ok((here, add_resource_node(input, ResourceKind::Untitled, name, bodies)));
        }
        let entries = attributes.into_iter().map(|attribute| {
            let name = input.add_node(attribute.span, Expression::Literal(Literal::String(attribute.name)));
            (name, attribute.value)
        });
        let entries = entries.collect();
        let arguments = [input.add_node(input.span_to_last_token(), Expression::Hash(entries))].into();
        let call = Expression::Call { receiver: None, functor: name, arguments, lambda: None, statement: true };
        Ok((here, input.add_node(input.span_since_node(name), call)))
    }
}

fn add_resource_node(input: Input<'_>, kind: ResourceKind, type_name: Id, bodies: Vec<ResourceBody>) -> Id {
    let expression = Expression::Resource { form: ResourceForm::Regular, kind, type_name, bodies };
    input.add_node(input.span_since_node(type_name), expression)
}

fn reject_non_resource<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        attribute_braces(input)?;
        let (place, end) = input.access_node(type_name, |node| (input.with_start(node.place), node.span.end));
        let help = if looks_like_loop(place.before()) {
            NO_LOOPS_HINT
        } else if input.with_start(end).until_start_of(input).text().contains('\n') {
            "a `{` on the next line continues the previous expression; end that with `;`"
        } else {
            "write `type { 'title': attribute => value }`, `Type { … }` or `Type['title'] { … }`"
        };
        fail_with(SyntaxError::NotAResource { help }, place.empty_at_start())
    }
}

/// `resource_bodies ::= resource_body (";" resource_body)* ";"?`
fn resource_bodies(input: Input<'_>) -> Parsed<'_, Vec<ResourceBody>> {
    let end = peek_symbol(Expected::CloseBrace);
    preceded(opt(end), separated_items1(resource_body, Expected::Semicolon, end)).parse(input)
}

/// `resource_body ::= expression ":" attributes?`
fn resource_body(input: Input<'_>) -> Parsed<'_, ResourceBody> {
    let body = (expression, cut((symbol(Expected::Colon), attributes)));
    body.map(|(title, ((), attributes))| ResourceBody { title: Some(title), attributes }).parse(input)
}

fn attribute_braces(input: Input<'_>) -> Parsed<'_, Vec<Attribute>> {
    in_brackets(Expected::OpenBrace, attributes, Expected::CloseBrace).parse(input)
}

/// `attributes ::= ","? attribute ("," attribute)* ","? | ","`
fn attributes(input: Input<'_>) -> Parsed<'_, Vec<Attribute>> {
    let leading = opt(preceded(peek(char(',')), symbol(Expected::Comma)));
    let end = |input| peek(one_of("};")).map(drop).parse(input);
    preceded(leading, separated_items(attribute, Expected::Comma, end)).parse(input)
}

/// `attribute ::= attribute_name ("=>" | "+>") expression | "*" "=>" expression`
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
    or_record_expected(Expected::Attribute, attribute).parse(input)
}

/// `attribute_name ::= name | !boolean keyword`
fn attribute_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let keyword = verify(any_keyword, |word: &Input<'_>| !matches!(word.text(), "true" | "false"));
    alt((name, keyword, malformed_word)).parse(input)
}

/// Parses the start of an attribute, `name =>` or `name +>`, which distinguishes it from a title.
fn attribute_start(input: Input<'_>) -> Parsed<'_, ()> {
    let arrow = alt((tag(Expected::Arrow.text()), tag(Expected::Append.text())));
    (alt((tag("*"), attribute_name)), space, arrow).map(drop).parse(input)
}

/// `collector ::= ("<|" expression? "|>" | "<<|" expression? "|>>") ("{" attributes? "}" | !"{")`
pub(super) fn collector<'a>(type_name: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let virtual_ = collector_query("<|", Expected::CloseCollector);
        let exported = collector_query("<<|", Expected::CloseExportedCollector);
        let mut query = alt((exported.map(|query| (true, query)), virtual_.map(|query| (false, query))));
        let (here, (exported, query)) = query.parse(input)?;
        let (here, operations) = by_first_char!(here, { '{' => attribute_braces, _ => success(Vec::new()) })?;
        let collector = Expression::Collector { type_name, exported, query, operations: operations.into() };
        Ok((here, input.add_node(input.span_since_node(type_name), collector)))
    }
}

/// Parses the query of a collector from `open` to `close`; an empty query is a Nop node.
fn collector_query<'a>(open: &'static str, close: Expected) -> impl Rule<'a, Id> {
    let none = |input: Input<'a>| Ok((input, input.add_node(input.empty_at_start().span(), Expression::Nop)));
    delimited(token(tag(open)), cut(alt((preceded(peek_symbol(close), none), expression))), cut(symbol(close)))
}
