//! Definitions: types, functions, classes, defined types and nodes.

use super::calls::call_follows;
use super::errors::{Expected, SyntaxError};
use super::expressions::{Elements, access_follows, access_with, array, hash, variable_name};
use super::input::{Input, Parsed, refuse};
use super::lexical::{
    Word, after_keyword, after_symbol, keyword, keyword_follows, list, symbol, symbol_follows, token, word,
};
use super::numbers::{number, number_length};
use super::precedence::expression;
use super::regexp::regexp;
use super::statements::block;
use super::strings::{double_quoted, single_quoted};
use super::tree::{Definition, Expression, Id, Ids, Literal, Parameter};
use crate::text::Span;
use ecow::EcoString;

/// ```ebnf
/// parameters ::= parameter ("," parameter)* ","?
/// parameter ::= parameter_type? "*"? variable ("=" expression)?
/// ```
///
/// Reads up to `close`, which is left.
pub(super) fn parameters(input: Input<'_>, close: Expected) -> Parsed<'_, Vec<Parameter>> {
    if symbol_follows(close, input) {
        return Ok((input, Vec::new()));
    }
    list(Expected::Comma, input, parameter, |here| symbol_follows(close, here))
}

fn parameter(input: Input<'_>) -> Parsed<'_, Parameter> {
    let has_type = input.byte().is_ascii_uppercase() || input.byte() == b':';
    let (here, type_) = if has_type {
        let (here, type_) = parameter_type(input)?;
        (here, Some(type_))
    } else {
        (input, None)
    };
    let captures_rest = here.byte() == b'*';
    let here = if captures_rest { token(here.skip(1), ())?.0 } else { here };
    if here.byte() != b'$' {
        return here.expected(if has_type || captures_rest { Expected::VariableName } else { Expected::Parameter });
    }
    let start = here;
    let (here, name) = variable_name(here)?;
    let name_span = start.span_to_last_token();
    let (here, default) = after_symbol(Expected::Assign, here, expression)?;
    let span = input.span_to_last_token();
    Ok((here, Parameter { span, name_span, type_, name: name.into(), default, captures_rest }))
}

/// ```ebnf
/// parameter_type ::= reference (<!gap "[" keys "]")?
/// ```
fn parameter_type(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, id) = type_reference(input)?;
    if access_follows(here) { access_with(Elements::TypeKeys, here, id) } else { Ok((here, id)) }
}

fn type_reference(input: Input<'_>) -> Parsed<'_, Id> {
    let (after, Some(Word::Reference(name))) = word(input)? else { return input.expected(Expected::TypeName) };
    token(after, input.node(input.span_until(after), Expression::Reference(name.into())))
}

/// ```ebnf
/// return_type ::= ">>" parameter_type
/// ```
pub(super) fn return_type(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    after_symbol(Expected::ReturnArrow, input, parameter_type)
}

/// ```ebnf
/// parameter_list ::= "(" parameters? ")"
/// ```
fn parameter_list(input: Input<'_>) -> Parsed<'_, Vec<Parameter>> {
    let (here, parameters) = after_symbol(Expected::OpenParenthesis, input, |here| {
        let (here, parameters) = parameters(here, Expected::CloseParenthesis)?;
        let (here, ()) = symbol(Expected::CloseParenthesis)(here)?;
        Ok((here, parameters))
    })?;
    Ok((here, parameters.unwrap_or_default()))
}

/// ```ebnf
/// definition_name ::= name | bare_word | reference
/// ```
///
/// # Errors
/// A quoted string, and the reserved word `class`.
fn definition_name(input: Input<'_>) -> Parsed<'_, (EcoString, Span)> {
    if matches!(input.byte(), b'\'' | b'"') {
        return refuse(SyntaxError::QuotedName, input.span_until(input.skip(1)));
    }
    let (after, name) = match word(input)? {
        (after, Some(Word::Name(name) | Word::Bare(name) | Word::Reference(name))) => (after, name),
        (after, Some(Word::Keyword(name @ "class"))) => {
            return refuse(SyntaxError::ReservedName(name.to_owned()), input.span_until(after));
        }
        _ => return input.expected(Expected::Name),
    };
    token(after, (name.into(), input.span_until(after)))
}

/// ```ebnf
/// function ::= "function" definition_name parameter_list? return_type? block
/// ```
pub(super) fn function(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("function", Expected::Expression)(input)?;
    let (here, (name, name_span)) = definition_name(here)?;
    let (here, parameters) = parameter_list(here)?;
    let (here, return_type) = return_type(here)?;
    let (here, body) = block(here)?;
    let definition = Box::new(Definition { name, name_span, parameters, return_type, body });
    Ok((here, input.node(input.span_to_last_token(), Expression::Function(definition))))
}

/// ```ebnf
/// class ::= "class" definition_name parameter_list? ("inherits" class_parent)? block
/// class_parent ::= definition_name | "default"
/// ```
pub(super) fn class(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("class", Expected::Expression)(input)?;
    let (here, (name, name_span)) = definition_name(here)?;
    let (here, parameters) = parameter_list(here)?;
    let (here, parent) = after_keyword("inherits", Expected::Inherits, here, class_parent)?;
    let parent = parent.map(Box::new);
    let (here, body) = block(here)?;
    let definition = Box::new(Definition { name, name_span, parameters, return_type: None, body });
    Ok((here, input.node(input.span_to_last_token(), Expression::Class { definition, parent })))
}

fn class_parent(input: Input<'_>) -> Parsed<'_, EcoString> {
    if keyword_follows("default", input) {
        return token(input.skip("default".len()), "default".into());
    }
    let (here, (name, _)) = definition_name(input)?;
    Ok((here, name))
}

/// ```ebnf
/// define ::= "define" definition_name parameter_list? block
/// ```
pub(super) fn define(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("define", Expected::Expression)(input)?;
    let (here, (name, name_span)) = definition_name(here)?;
    let (here, parameters) = parameter_list(here)?;
    let (here, body) = block(here)?;
    let definition = Box::new(Definition { name, name_span, parameters, return_type: None, body });
    Ok((here, input.node(input.span_to_last_token(), Expression::Define(definition))))
}

/// ```ebnf
/// node_definition ::= "node" host ("," host)* ","? ("inherits" host)? block
/// ```
pub(super) fn node_definition(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("node", Expected::Expression)(input)?;
    let ends = |here: Input<'_>| here.byte() == b'{' || keyword_follows("inherits", here);
    let (here, matches) = list(Expected::Comma, here, host, ends)?;
    let (here, parent) = after_keyword("inherits", Expected::Inherits, here, host)?;
    let (here, body) = block(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::NodeDefinition { matches, parent, body })))
}

/// ```ebnf
/// host ::= "default" | regexp | single_quoted | double_quoted | host_segment ("." host_segment)* | bare_word
/// host_segment ::= name | number
/// ```
fn host(input: Input<'_>) -> Parsed<'_, Id> {
    match input.byte() {
        b'\'' => return single_quoted(input),
        b'"' => return double_quoted(input),
        b'/' => return regexp(input),
        _ => {}
    }
    if keyword_follows("default", input) {
        let id = input.node(input.span_until(input.skip("default".len())), Expression::Literal(Literal::Default));
        return token(input.skip("default".len()), id);
    }
    if let (after, Some(Word::Bare(name))) = word(input)? {
        return token(after, input.node(input.span_until(after), Expression::Literal(Literal::String(name.into()))));
    }
    let mut name = String::new();
    let mut here = input;
    loop {
        let after = match word(here)? {
            (after, Some(Word::Name(_))) => after,
            (_, None) if here.byte().is_ascii_digit() => {
                number(here)?; // Its value does not matter, but it has to be a number.
                here.skip(number_length(here.rest()))
            }
            _ => return here.expected(Expected::HostName),
        };
        name.push_str(here.until(after));
        here = token(after, ())?.0;
        if !symbol_follows(Expected::Dot, here) {
            break;
        }
        name.push('.');
        here = symbol(Expected::Dot)(here)?.0;
    }
    Ok((here, input.node(input.span_to_last_token(), Expression::Literal(Literal::String(name.into())))))
}

/// ```ebnf
/// type ::= "type" <!line_start &"(" | "type" (type_alias | type_mapping | type_definition)
/// type_alias ::= reference "=" aliased_type
/// type_mapping ::= parameter_type "=" aliased_type
/// type_definition ::= reference ("inherits" reference)? block
/// ```
///
/// In front of a parenthesis, `type` is the name of a function.
pub(super) fn type_(input: Input<'_>) -> Parsed<'_, Id> {
    let after = input.skip("type".len());
    after.ends_reserved_word();
    let (start, ()) = token(after, ())?;
    if call_follows(start) {
        return Ok((start, input.node(input.span_until(after), Expression::Name("type".into()))));
    }
    let (here, named) = parameter_type(start)?;
    let mapped = input.look(named, |node| match &node.expression {
        Expression::Reference(name) => Some(name.clone()),
        _ => None,
    });
    let Some(alias) = mapped else {
        let (here, ()) = symbol(Expected::Assign)(here)?;
        let (here, type_) = aliased_type(here)?;
        let expression = Expression::TypeMapping(named, type_);
        return Ok((here, input.node_at(input.span_to_last_token(), start.offset, expression)));
    };
    let (here, expression) = match after_symbol(Expected::Assign, here, aliased_type)? {
        (here, Some(type_)) => (here, Expression::TypeAlias { name: alias, type_ }),
        (here, None) => {
            let (here, parent) = after_keyword("inherits", Expected::Inherits, here, type_parent)?;
            let (here, body) = block(here)?;
            (here, Expression::TypeDefinition { name: alias, parent: parent.map(Box::new), body })
        }
    };
    Ok((here, input.node_at(input.span_to_last_token(), start.offset, expression)))
}

fn type_parent(input: Input<'_>) -> Parsed<'_, EcoString> {
    let (after, Some(Word::Reference(name))) = word(input)? else { return input.expected(Expected::TypeName) };
    token(after, name.into())
}

/// ```ebnf
/// aliased_type ::= reference (hash | !"{" access?) | array | hash
/// ```
///
/// A hash describes an Object; a name before it, other than Object, is the parent.
fn aliased_type(input: Input<'_>) -> Parsed<'_, Id> {
    match input.byte() {
        b'[' => return array(input),
        b'{' => {
            let (here, attributes) = hash(input)?;
            return Ok((here, object(input, attributes, None)));
        }
        _ => {}
    }
    let (start, name) = type_reference(input)?;
    if start.byte() == b'{' {
        let is_kind = input.look(name, |node| match &node.expression {
            Expression::Reference(name) => matches!(&**name, "Object" | "TypeSet"),
            _ => false,
        });
        let (here, attributes) = hash(start)?;
        if is_kind {
            let access = Expression::Access(name, Ids::one(attributes));
            return Ok((here, input.node(input.span_to_last_token(), access)));
        }
        return Ok((here, object(input, attributes, Some(name))));
    }
    if access_follows(start) { access_with(Elements::Keys, start, name) } else { Ok((start, name)) }
}

/// `Object[{attributes, parent => Parent}]`
fn object(input: Input<'_>, attributes: Id, parent: Option<Id>) -> Id {
    let span = input.span_to_last_token();
    if let Some(parent) = parent {
        let key = input.node(input.span_of(parent), Expression::Name("parent".into()));
        input.look(attributes, |node| {
            if let Expression::Hash(entries) = &mut node.expression {
                entries.push((key, parent));
            }
        });
    }
    let name = input.node(Span { end: span.start, ..span }, Expression::Reference("Object".into()));
    input.node(span, Expression::Access(name, Ids::one(attributes)))
}
