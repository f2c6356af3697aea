//! Definitions: types, functions, classes, defined types and nodes.

use super::operands::{access, access_with_keys, array, default, hash, keys, reserved_word};
use super::prelude::*;
use super::strings::{double_quoted, single_quoted};
use super::words::{bare_word, malformed_word, name, not_after_space, not_at_line_start, reference, variable};
use super::{numbers::number_value, operators::expression, regexps::regexp, statements::block};
use crate::syntax::tree::{Definition, DefinitionKind, Node, Parameter};

/// `parameters ::= parameter ("," parameter)* ","?`
///
/// The list ends before the symbol `close`, which is not consumed.
pub(super) fn parameters<'a>(close: Expected) -> impl Rule<'a, Vec<Parameter>> {
    separated_items(parameter, Expected::Comma, peek_symbol(close))
}

/// `parameter ::= parameter_type? "*"? variable ("=" expression)?`
fn parameter(input: Input<'_>) -> Parsed<'_, Parameter> {
    let (here, type_) = opt(parameter_type).parse(input)?;
    let (start, star) = opt(token(char('*'))).parse(here)?;
    let captures_rest = star.is_some();
    let what = if type_.is_some() || captures_rest { Expected::VariableName } else { Expected::Parameter };
    let (here, name) = or_record_expected(what, token(variable)).parse(start)?;
    let name_span = start.span_to_last_token();
    let (here, default) = opt(preceded(symbol(Expected::Assign), cut(expression))).parse(here)?;
    let span = input.span_to_last_token();
    Ok((here, Parameter { span, name_span, type_, name: name.text().into(), default, captures_rest }))
}

/// `parameter_list ::= "(" parameters? ")"`
fn parameter_list(input: Input<'_>) -> Parsed<'_, Vec<Parameter>> {
    let parameters = parameters(Expected::CloseParenthesis);
    in_brackets(Expected::OpenParenthesis, parameters, Expected::CloseParenthesis).parse(input)
}

/// `parameter_type ::= reference (<!gap "[" keys "]")?`
fn parameter_type(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, name) = type_reference(input)?;
    alt((access_with_keys(name, keys), success(name))).parse(here)
}

fn type_reference(input: Input<'_>) -> Parsed<'_, Id> {
    parse_node(type_name.map(|name| Expression::Reference(name.text().into()))).parse(input)
}

fn type_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let start = (opt(tag("::")), satisfy(|letter| letter.is_ascii_uppercase()));
    token(alt((reference, preceded(peek(start), malformed_word)))).parse(input)
}

/// `return_type ::= ">>" parameter_type`
pub(super) fn return_type(input: Input<'_>) -> Parsed<'_, Id> {
    preceded(symbol(Expected::ReturnArrow), cut(or_record_expected(Expected::TypeName, parameter_type))).parse(input)
}

/// `definition_name ::= name | bare_word | reference`
///
/// # Errors
/// Fails at a quoted string and at the reserved word `class`.
fn definition_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let quoted = map_or_refuse(one_of("'\""), |_, _| Err(SyntaxError::QuotedName));
    let reserved = map_or_refuse(recognize(keyword("class")), |_, word| {
        Err(SyntaxError::ReservedName(word.text().trim_end().to_owned()))
    });
    or_record_expected(Expected::Name, token(alt((name, bare_word, reference, malformed_word, quoted, reserved))))
        .parse(input)
}

/// `function ::= "function" definition_name parameter_list? return_type? block`
pub(super) fn function(input: Input<'_>) -> Parsed<'_, Id> {
    definition(DefinitionKind::Function, opt(return_type).map(|return_type| (return_type, None))).parse(input)
}

/// `class ::= "class" definition_name parameter_list? ("inherits" (definition_name | "default"))? block`
pub(super) fn class(input: Input<'_>) -> Parsed<'_, Id> {
    let parent = alt((keyword("default"), definition_name)).map(|name| name.text().into());
    definition(DefinitionKind::Class, inherits_clause(parent).map(|parent| (None, parent))).parse(input)
}

fn inherits_clause<'a, T>(parent: impl Rule<'a, T>) -> impl Rule<'a, Option<T>> {
    opt(preceded(or_record_expected(Expected::Inherits, keyword("inherits")), cut(parent)))
}

/// `define ::= "define" definition_name parameter_list? block`
pub(super) fn define(input: Input<'_>) -> Parsed<'_, Id> {
    definition(DefinitionKind::DefinedType, success((None, None))).parse(input)
}

/// Parses a definition; `result_or_parent` parses what is between the parameters and the block.
fn definition<'a>(
    kind: DefinitionKind,
    result_or_parent: impl Rule<'a, (Option<Id>, Option<EcoString>)>,
) -> impl Rule<'a, Id> {
    let parts = preceded(keyword(kind.keyword()), cut((definition_name, opt(parameter_list), result_or_parent, block)));
    parse_node(parts.map(move |(name, parameters, (return_type, parent), body)| {
        let (name_span, name, parameters) = (name.span(), name.text().into(), parameters.unwrap_or_default());
        Expression::Definition(Box::new(Definition { kind, name, name_span, parameters, return_type, parent, body }))
    }))
}

/// `node_definition ::= "node" host ("," host)* ","? ("inherits" host)? block`
pub(super) fn node_definition(input: Input<'_>) -> Parsed<'_, Id> {
    let hosts = terminated(separated_list1(symbol(Expected::Comma), host), opt(symbol(Expected::Comma)));
    let parts = preceded(keyword("node"), cut((hosts.map(Vec::into_boxed_slice), inherits_clause(host), block)));
    parse_node(parts.map(|(hosts, parent, body)| Expression::NodeDefinition(hosts, parent, body))).parse(input)
}

/// `host ::= "default" | regexp | single_quoted | double_quoted | host_segment ("." host_segment)* | bare_word`
fn host(input: Input<'_>) -> Parsed<'_, Id> {
    let bare = token(bare_word).map(|name| EcoString::from(name.text()));
    let segments = separated_list1(symbol(Expected::Dot), or_record_expected(Expected::HostName, token(host_segment)));
    let dotted = segments.map(|segments| {
        let segments: Vec<&str> = segments.into_iter().map(Input::text).collect();
        EcoString::from(segments.join("."))
    });
    let name = parse_node(alt((dotted, bare)).map(|name| Expression::Literal(Literal::String(name))));
    alt((default, regexp, single_quoted, double_quoted, name)).parse(input)
}

/// `host_segment ::= name | number`
fn host_segment(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    alt((name, recognize(map_or_refuse(number_value, |_, value| value)), malformed_word)).parse(input)
}

/// `type ::= "type" <!newline_and_heredocs &"(" | "type" (type_alias | type_mapping | type_definition)`
///
/// Before a parenthesis, `type` is a function name. Errors about a definition point at the name of the type.
pub(super) fn type_(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, word) = reserved_word("type").parse(input)?;
    if preceded(not_at_line_start, char('(')).parse(here).is_ok() {
        return Ok((here, input.add_node(word.span(), Expression::Name("type".into()))));
    }
    let definition = alt((type_alias, type_mapping, type_definition));
    let (after, expression) = cut(or_record_expected(Expected::TypeName, definition)).parse(here)?;
    Ok((after, input.add_node_with_error_offset(input.span_to_last_token(), here.start(), expression)))
}

/// `type_alias ::= reference "=" aliased_type`
fn type_alias(input: Input<'_>) -> Parsed<'_, Expression> {
    let parts = (terminated(type_name, symbol(Expected::Assign)), cut(aliased_type));
    parts.map(|(name, type_)| Expression::TypeAlias { name: name.text().into(), type_ }).parse(input)
}

/// `type_mapping ::= parameter_type "=" aliased_type`
fn type_mapping(input: Input<'_>) -> Parsed<'_, Expression> {
    let with_parameters = preceded(peek((type_name, not_after_space, char('['))), parameter_type);
    let parts = (with_parameters, cut(preceded(symbol(Expected::Assign), aliased_type)));
    parts.map(|(mapped, type_)| Expression::TypeMapping(mapped, type_)).parse(input)
}

/// `type_definition ::= reference ("inherits" reference)? block`
fn type_definition(input: Input<'_>) -> Parsed<'_, Expression> {
    let parent = inherits_clause(or_record_expected(Expected::TypeName, type_name));
    let parts = (type_name, cut((parent, block)));
    let definition = |(name, (parent, body)): (Input<'_>, (Option<Input<'_>>, Id))| {
        let parent = parent.map(|parent| Box::new(parent.text().into()));
        Expression::TypeDefinition(name.text().into(), parent, body)
    };
    parts.map(definition).parse(input)
}

/// `aliased_type ::= reference (hash | !"{" access?) | array | hash`
///
/// A hash defines an Object type. A name before the hash, other than Object and TypeSet, is the parent type.
fn aliased_type(input: Input<'_>) -> Parsed<'_, Id> {
    by_first_char!(input, {
        '[' => array,
        '{' => hash.map(|attributes| add_object_type(input, attributes, None)),
        _ => named_type,
    })
}

fn named_type(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, type_) = or_record_expected(Expected::TypeName, type_reference).parse(input)?;
    by_first_char!(here, {
        '{' => hash.map(|attributes| add_object_type(input, attributes, Some(type_))),
        '[' => alt((access(type_), success(type_))),
        _ => success(type_),
    })
}

/// Adds the node `Object[attributes]`, or `TypeSet[attributes]` if that is `name`; any other `name` is the parent type.
fn add_object_type(input: Input<'_>, attributes: Id, name: Option<Id>) -> Id {
    let span = input.span_to_last_token();
    let is_kind = |node: &mut Node| {
        ["Object", "TypeSet"].map(|kind| Expression::Reference(kind.into())).contains(&node.expression)
    };
    let kind = name.filter(|name| input.access_node(*name, is_kind)).unwrap_or_else(|| {
        if let Some(parent) = name {
            let key = input.add_node(input.span_of_node(parent), Expression::Name("parent".into()));
            input.access_node(attributes, |node| {
                if let Expression::Hash(entries) = &mut node.expression {
                    entries.push((key, parent));
                }
            });
        }
        input.add_node(Span { end: span.start, ..span }, Expression::Reference("Object".into()))
    });
    input.add_node(span, Expression::Access(kind, [attributes].into()))
}
