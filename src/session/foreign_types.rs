//! Translates types in the notation of other languages to Puppet: `string[]` becomes `Array[String]`.
//!
//! The grammar covers what TypeScript, Python, Rust, Go and Terraform have in common: names with parameters, lists,
//! unions, records and functions. The names of types are in the [dictionary].

use nom::bytes::complete::{tag, take_till, take_while1};
use nom::character::complete::{char, digit1, multispace0, one_of, space1};
use nom::combinator::{all_consuming, cond, map, opt, peek, recognize, verify};
use nom::multi::{many0, many1, separated_list0, separated_list1};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser, branch::alt};

use crate::dictionary::{self, Kind};
use crate::eval::BUILT_IN_VARIABLES;
use crate::syntax;
use crate::text::Source;
use crate::types::{self, Type};
use crate::wording::capitalize_segments;

/// The maximum length of an entry in bytes. Longer ones are taken for programs and are not translated.
pub(super) const MAX_LENGTH: usize = 300;

/// Generic types that are translated as their first parameter: `Box<T>` as `T`.
const WRAPPER_TYPES: [&str; 11] =
    ["annotated", "arc", "box", "final", "mut", "nonnullable", "promise", "rc", "readonly", "ref", "required"];

const FUNCTION_KEYWORDS: [&str; 3] = ["fn", "func", "function"];

enum ForeignType<'t> {
    /// `'a'`
    Text(&'t str),
    /// `80`, `...`
    Bound(&'t str),
    /// A name with parameters: `list[int]`. Operators have Puppet's names: `a[]` is `Array`, `a | b` is `Variant`.
    Named(&'t str, Vec<ForeignType<'t>>),
    /// `[int, str]`, `(i32, String)`
    Sequence(Vec<ForeignType<'t>>),
    /// `{name: string, port?: number}`
    Record(Vec<RecordField<'t>>),
}

/// The name of a field of a record type, whether it may be missing, and its type.
type RecordField<'t> = (&'t str, bool, ForeignType<'t>);

/// Translates `entry` to Puppet; returns `None` unless it is a type, or defines one, in another language.
pub(super) fn translate_type(entry: &str) -> Option<String> {
    let entry = entry.trim().trim_end_matches(';');
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let (_, (name, notation)) =
        all_consuming(alt((parse_definition, map(parse_type, |type_| (None, type_))))).parse(entry).ok()?;
    let is_of_puppet = match &notation {
        ForeignType::Text(_) | ForeignType::Bound(_) => true,
        ForeignType::Sequence(types) => {
            entry.starts_with('[') || types.iter().all(|type_| matches!(type_, ForeignType::Text(_)))
        }
        ForeignType::Record(fields) => {
            fields.is_empty()
                || entry.contains("=>")
                || fields.iter().any(|(_, _, type_)| match type_ {
                    ForeignType::Named(name, _) => ["true", "false", "True", "False"].contains(name),
                    type_ => matches!(type_, ForeignType::Text(_)),
                })
        }
        ForeignType::Named(name, parameters) if parameters.is_empty() => *name == entry,
        // `double(2)` calls a function, and `1 | 2` has an operator.
        ForeignType::Named(name, parameters) => {
            let is_call =
                entry.contains(['(', '|']) && parameters.iter().all(|one| matches!(one, ForeignType::Bound(_)));
            *name == "type" || is_call && !name.to_ascii_lowercase().ends_with("char")
        }
    };
    if name.is_none() && is_of_puppet {
        return None;
    }
    let type_ = notation.to_puppet()?;
    let text = match name {
        // `User` is a resource type.
        Some(name) if Type::named(name).is_some() => format!("type My{} = {type_}", capitalize_segments(name)),
        Some(name) => format!("type {} = {type_}", capitalize_segments(name)),
        None => type_,
    };
    // `Hash[String]` is Puppet, though it means less than it seems to.
    let words = |text| str::split(text, |letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_own =
        |word: &str| word.is_empty() || puppet_type_name(word) == Some(word) || words(&text).any(|one| one == word);
    (!words(entry).all(is_own) || syntax::parse(&Source::new("entry", entry)).is_err()).then_some(text)
}

const VARIABLE_MODIFIERS: [&str; 13] =
    ["auto", "const", "export", "final", "let", "local", "mut", "my", "our", "readonly", "static", "val", "var"];

/// Translates an assignment: `export PORT=80` and `let port: number = 80` become `$port = 80`; `None` if it is not one.
pub(super) fn translate_assignment(entry: &str) -> Option<String> {
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let is_type =
        |type_: &ForeignType<'_>| !matches!(type_, ForeignType::Named("type", _)) && type_.to_puppet().is_some();
    let typed = preceded(pair(verify(parse_type, is_type), space1), parse_word);
    let with_type = opt(preceded(alt((recognize(spaced(char(':'))), space1)), parse_type));
    let declared = terminated(preceded(many1(keyword_parser(&VARIABLE_MODIFIERS)), parse_word), with_type);
    let annotated = terminated(parse_word, preceded(spaced(char(':')), verify(parse_type, is_type)));
    let sign = (multispace0, opt(char(':')), char('='), multispace0);
    let (value, name) = terminated(alt((declared, typed, annotated, parse_word)), sign).parse(entry).ok()?;
    let value = value.trim_end_matches(';');
    let is_word = |value: &str| value.chars().all(|letter| letter.is_ascii_alphabetic());
    let value = match value {
        word if let Some(row) = dictionary::find_word(word, &[Kind::Value]) => row.puppet.to_owned(),
        "undef" => value.to_owned(),
        _ if let Some(made) = value.strip_prefix("new ") => {
            match parse_word(made).ok().and_then(|(_, name)| puppet_type_name(name))? {
                "Array" => "[]".to_owned(),
                "Hash" => "{}".to_owned(),
                _ => return None,
            }
        }
        _ if !value.starts_with(|first: char| first.is_ascii_lowercase() || "0123456789'\"[{$".contains(first)) => {
            return None;
        }
        _ if is_word(value) => format!("'{value}'"),
        _ => value.to_owned(),
    };
    let name = name.to_lowercase();
    let own = if BUILT_IN_VARIABLES.contains(&&*name) { "my_" } else { "" };
    Some(format!("${own}{name} = {value}"))
}

/// `definition ::= ("export" | "pub")? (alias | record | enumeration)`
fn parse_definition(input: &str) -> IResult<&str, (Option<&str>, ForeignType<'_>)> {
    let meaning = preceded((opt(spaced(char('='))), opt(spaced(keyword_parser(&["struct"])))), parse_type);
    let alias = preceded(keyword_parser(&["type", "newtype", "alias", "using"]), (spaced(parse_word), meaning));
    let keyword = keyword_parser(&["interface", "struct", "record", "message", "object"]);
    let record = preceded(keyword, (spaced(parse_word), parse_fields));
    let case = terminated(parse_word, opt(preceded(spaced(char('=')), take_till(|letter| ",}".contains(letter)))));
    let cases = many0(terminated(spaced(case), opt(spaced(one_of(",;")))));
    let cases = delimited(spaced(char('{')), cases, (multispace0, char('}')));
    let cases = map(cases, |cases| ForeignType::Named("Variant", cases.into_iter().map(ForeignType::Text).collect()));
    let enumeration = preceded(keyword_parser(&["enum"]), pair(opt(spaced(parse_word)), cases));
    let named = map(alt((alias, record)), |(name, type_)| (Some(name), type_));
    preceded(opt(spaced(keyword_parser(&["export", "pub"]))), alt((named, enumeration))).parse(input)
}

/// `type ::= "|"? suffixed ("|" suffixed)*`
fn parse_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let union = preceded(opt(spaced(char('|'))), separated_list1(spaced(char('|')), parse_suffixed_type));
    map(union, |mut types| if types.len() == 1 { types.remove(0) } else { ForeignType::Named("Variant", types) })
        .parse(input)
}

/// `suffixed ::= prefixed ("[]" | "?")*`
fn parse_suffixed_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let (rest, type_) = parse_prefixed_type(input)?;
    let (rest, suffixes) = many0(alt((tag("[]"), tag("?")))).parse(rest)?;
    let name = |suffix: &str| if suffix == "?" { "Optional" } else { "Array" };
    let suffixed = suffixes.into_iter().fold(type_, |type_, suffix| ForeignType::Named(name(suffix), vec![type_]));
    Ok((rest, suffixed))
}

/// `prefixed ::= ("?" | "*" | "&") prefixed | primary`
fn parse_prefixed_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let optional = preceded(one_of("?*"), parse_prefixed_type).map(|type_| ForeignType::Named("Optional", vec![type_]));
    alt((optional, preceded(char('&'), parse_prefixed_type), parse_primary_type)).parse(input)
}

fn parse_primary_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let bound = map(alt((digit1, tag("..."))), ForeignType::Bound);
    let literal = alt((map(parse_quoted, ForeignType::Text), bound));
    alt((literal, parse_sequence_type, parse_function_type, parse_fields, parse_generic_type)).parse(input)
}

/// `sequence ::= "[" types (";" number)? "]" prefixed?`
///
/// In Go, the type of the elements follows `[]`.
fn parse_sequence_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let size = opt(preceded(spaced(char(';')), digit1));
    let (rest, (mut types, size)) = delimited(char('['), pair(parse_type_list, size), char(']')).parse(input)?;
    if types.is_empty() || matches!(types[..], [ForeignType::Bound(_)]) {
        types.retain(|size| !matches!(size, ForeignType::Bound("...")));
        let (rest, type_) = parse_prefixed_type(rest)?;
        return Ok((rest, ForeignType::Named("Array", std::iter::once(type_).chain(types).collect())));
    }
    let sequence = match size {
        // `[u8; 4]`
        Some(size) if types.len() == 1 => {
            types.push(ForeignType::Bound(size));
            ForeignType::Named("Array", types)
        }
        _ => ForeignType::Sequence(types),
    };
    Ok((rest, sequence))
}

/// `function ::= ("fn" | "func" | "function") "(" types ")" (("=>" | "->" | ":")? type)? | "(" types ")" (("=>" | "->") type)?`
fn parse_function_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let (rest, name) = opt(keyword_parser(&FUNCTION_KEYWORDS)).parse(input)?;
    let (rest, mut parameters) =
        delimited(terminated(char('('), multispace0), parse_type_list, char(')')).parse(rest)?;
    let arrow = spaced(opt(alt((tag("=>"), tag("->"), tag(":")))));
    let arrow = map(arrow, |arrow| name.is_some() || matches!(arrow, Some("=>" | "->")));
    // `function() {}` is a definition.
    let result = verify(parse_type, |type_| !matches!(type_, ForeignType::Record(fields) if fields.is_empty()));
    let (rest, returned) = opt(preceded(verify(arrow, |is_allowed: &bool| *is_allowed), result)).parse(rest)?;
    let function = match returned.or_else(|| name.map(|_| ForeignType::Named("Any", Vec::new()))) {
        Some(returned) => ForeignType::Named("Callable", vec![ForeignType::Sequence(parameters), returned]),
        None if parameters.len() == 1 => parameters.remove(0),
        None => ForeignType::Sequence(parameters),
    };
    Ok((rest, function))
}

/// `fields ::= "{" (field ("," | ";")?)* "}"`
fn parse_fields(input: &str) -> IResult<&str, ForeignType<'_>> {
    let fields = many0(terminated(spaced(parse_field), opt(spaced(one_of(",;")))));
    map(delimited(char('{'), terminated(fields, multispace0), char('}')), ForeignType::Record).parse(input)
}

/// `field ::= name "?"? (":" | "=>" | "=" | " ") type ("=" default)?`
fn parse_field(input: &str) -> IResult<&str, RecordField<'_>> {
    let modifier = keyword_parser(&["pub", "public", "readonly", "required"]);
    let name = alt((parse_quoted, parse_word));
    let colon = alt((spaced(alt((tag(":"), tag("=>"), tag("=")))), space1));
    let default = preceded(spaced(char('=')), take_till(|letter| ",;}\n".contains(letter)));
    let (rest, (name, mark, type_, default)) =
        (preceded(opt(spaced(modifier)), name), opt(char('?')), preceded(colon, parse_type), opt(default))
            .parse(input)?;
    Ok((rest, (name, mark.is_some() || default.is_some(), type_)))
}

/// `applied ::= name ("[" types "]" | "<" types ">" | "(" types ")" | "{}")?`
///
/// In Go, the type of the values follows `map[K]`.
fn parse_generic_type(input: &str) -> IResult<&str, ForeignType<'_>> {
    let (rest, name) = parse_word(input)?;
    // What is in the parentheses of a function has been read in vain.
    let is_type = name.starts_with(char::is_lowercase) && !FUNCTION_KEYWORDS.contains(&name) || name.ends_with("CHAR");
    let list = |open, close| delimited(char(open), parse_type_list, char(close));
    let some = |open, close| verify(list(open, close), |types: &Vec<_>| !types.is_empty());
    let called = preceded(verify(peek(char('(')), |_| is_type), some('(', ')'));
    let parameters = alt((list('[', ']'), some('<', '>'), called));
    let (rest, parameters) = opt(parameters).parse(rest)?;
    let Some(mut parameters) = parameters else {
        let any = cond(name == "interface", tag("{}"));
        return map(any, |any| ForeignType::Named(any.map_or(name, |_| "Any"), Vec::new())).parse(rest);
    };
    if parameters.is_empty() {
        let is_collection = ["Array", "Enum", "Hash", "Pattern", "Struct", "Tuple", "Variant"].contains(&name);
        let type_ = ForeignType::Named(name, parameters);
        return Ok((rest, if is_collection { type_ } else { ForeignType::Named("Array", vec![type_]) }));
    }
    let (rest, value) = cond(name == "map", opt(parse_prefixed_type)).parse(rest)?;
    parameters.extend(value.flatten());
    Ok((rest, ForeignType::Named(name, parameters)))
}

/// `types ::= ((name ":"?)? type ("," (name ":"?)? type)* ","?)?`
fn parse_type_list(input: &str) -> IResult<&str, Vec<ForeignType<'_>>> {
    // In Go, the name of a parameter stands before its type.
    let name = verify(parse_word, |word: &str| puppet_type_name(word) != Some(word));
    let named =
        alt((preceded(pair(name, alt((recognize(spaced(char(':'))), space1))), parse_suffixed_type), parse_type));
    terminated(separated_list0(char(','), spaced(named)), opt(spaced(char(',')))).parse(input)
}

pub(super) fn parse_word(input: &str) -> IResult<&str, &str> {
    let letters = take_while1(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    verify(letters, |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic())).parse(input)
}

fn keyword_parser<'t>(words: &[&str]) -> impl Parser<&'t str, Output = &'t str, Error = nom::error::Error<&'t str>> {
    verify(terminated(parse_word, multispace0), |found: &str| words.contains(&found))
}

pub(super) fn parse_quoted(input: &str) -> IResult<&str, &str> {
    let between = |quote| delimited(char(quote), take_till(move |letter| letter == quote), char(quote));
    alt((between('\''), between('"'))).parse(input)
}

pub(super) fn spaced<'t, O>(
    parser: impl Parser<&'t str, Output = O, Error = nom::error::Error<&'t str>>,
) -> impl Parser<&'t str, Output = O, Error = nom::error::Error<&'t str>> {
    delimited(multispace0, parser, multispace0)
}

impl ForeignType<'_> {
    fn to_puppet(&self) -> Option<String> {
        Some(match self {
            ForeignType::Text(text) => format!("Enum['{text}']"),
            ForeignType::Bound(_) => return None,
            ForeignType::Named(name, parameters) => translate_generic_type(name, parameters)?,
            ForeignType::Sequence(types) => format!("Tuple[{}]", translate_types(types)?),
            ForeignType::Record(fields) => {
                let fields: Option<Vec<String>> = fields.iter().map(translate_field).collect();
                format!("Struct[{{{}}}]", fields?.join(", "))
            }
        })
    }
}

fn translate_field((name, is_optional, type_): &RecordField<'_>) -> Option<String> {
    let text = type_.to_puppet()?;
    // A bare word with a capital would be a type.
    let is_capital = name.starts_with(|first: char| first.is_ascii_uppercase());
    let name = if is_capital { format!("'{name}'") } else { (*name).to_owned() };
    // `port = optional(number)`
    let inner = text.strip_prefix("Optional[").and_then(|inner| inner.strip_suffix(']'));
    Some(match inner.filter(|_| matches!(type_, ForeignType::Named("optional", _))) {
        Some(inner) => format!("Optional[{name}] => {inner}"),
        None if *is_optional => format!("Optional[{name}] => {text}"),
        None => format!("{name} => {text}"),
    })
}

fn translate_types(types: &[ForeignType<'_>]) -> Option<String> {
    Some(types.iter().map(ForeignType::to_puppet).collect::<Option<Vec<_>>>()?.join(", "))
}

fn translate_union(types: &[ForeignType<'_>]) -> Option<String> {
    let is_undef =
        |one: &ForeignType<'_>| matches!(one, ForeignType::Named(name, _) if puppet_type_name(name) == Some("Undef"));
    let texts = types.iter().filter_map(|one| if let ForeignType::Text(text) = one { Some(*text) } else { None });
    let texts = texts.collect::<Vec<_>>().join("', '");
    let others = types.iter().filter(|one| !is_undef(one) && !matches!(one, ForeignType::Text(_)));
    let others = others.map(|one| match one {
        ForeignType::Bound(number) if *number != "..." => Some(format!("Integer[{number}, {number}]")),
        type_ => type_.to_puppet(),
    });
    let strings = (!texts.is_empty()).then(|| Some(format!("Enum['{texts}']")));
    let members = match &strings.into_iter().chain(others).collect::<Option<Vec<_>>>()?[..] {
        [one] => one.clone(),
        several => format!("Variant[{}]", several.join(", ")),
    };
    Some(if types.iter().any(is_undef) { format!("Optional[{members}]") } else { members })
}

/// Returns the number of types and values in a list, and the type of one of them: `Variant[Enum['a'], Integer]`.
pub(super) fn translate_list(list: &str) -> Option<(usize, String)> {
    let (_, types) = all_consuming(spaced(parse_type_list)).parse(list).ok()?;
    Some((types.len(), translate_union(&types)?))
}

fn translate_generic_type(name: &str, parameters: &[ForeignType<'_>]) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    match parameters {
        [] if ["true", "false"].contains(&name) => return Some(format!("Boolean[{name}]")),
        [] => return range_of_sized_integer(&lower).or_else(|| puppet_type_name(name).map(str::to_owned)),
        [type_, ..] if WRAPPER_TYPES.contains(&lower.as_str()) => return type_.to_puppet(),
        [type_, ..] if lower == "partial" => {
            let hash = type_.to_puppet().filter(|hash| hash.starts_with("Hash["));
            return hash.or_else(|| Some("Struct[{Optional['key'] => Any}]".to_owned()));
        }
        _ => {}
    }
    let puppet = if lower == "result" { "Variant" } else { puppet_type_name(name)? };
    Some(match (puppet, parameters) {
        // What lacks a parameter is no list.
        ("Array", [ForeignType::Named("Optional" | "Variant" | "Enum" | "Pattern", none)]) if none.is_empty() => {
            return None;
        }
        ("Array" | "Type" | "Sensitive" | "NotUndef" | "Iterable" | "Iterator", [_]) | ("Hash", [_, _]) => {
            format!("{puppet}[{}]", translate_types(parameters)?)
        }
        ("Array", [type_, ForeignType::Bound(size)]) => format!("Array[{}, {size}, {size}]", type_.to_puppet()?),
        ("Hash", [value]) => format!("Hash[String, {}]", value.to_puppet()?),
        ("Optional", [type_, rest @ ..]) if rest.is_empty() || name == "optional" => {
            format!("Optional[{}]", type_.to_puppet()?)
        }
        ("Variant" | "Enum", types) => translate_union(types)?,
        ("Struct", [inner @ ForeignType::Record(_)]) | ("Tuple", [inner @ ForeignType::Sequence(_)]) => {
            inner.to_puppet()?
        }
        ("Tuple", [type_, ForeignType::Bound("...")]) => format!("Array[{}]", type_.to_puppet()?),
        ("Tuple", types) => format!("Tuple[{}]", translate_types(types)?),
        ("Callable", [ForeignType::Sequence(types), returned]) => {
            format!("Callable[[{}], {}]", translate_types(types)?, returned.to_puppet()?)
        }
        // `VARCHAR(255)`
        ("String", [ForeignType::Bound(length)]) if name != "String" => format!("String[0, {length}]"),
        ("Integer" | "Float" | "String", bounds) => {
            let bounds = bounds.iter().map(|one| if let ForeignType::Bound(bound) = one { Some(*bound) } else { None });
            format!("{puppet}[{}]", bounds.collect::<Option<Vec<_>>>()?.join(", "))
        }
        _ => return None,
    })
}

/// Returns the type for `u8`, `int16`, `uint32` and the like.
fn range_of_sized_integer(name: &str) -> Option<String> {
    let (signed, bits) = name.split_at(name.find(|letter: char| letter.is_ascii_digit())?);
    let bits: u32 = bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32))?;
    match signed {
        "u" | "uint" => Some(format!("Integer[0, {}]", (1_u64 << bits) - 1)),
        // 32 bits are meant as any number.
        "i" | "int" if bits < 32 => Some(format!("Integer[{}, {}]", -1_i64 << (bits - 1), (1_i64 << (bits - 1)) - 1)),
        _ => None,
    }
}

/// Returns Puppet's name for a type of any language. Returns an unknown name that starts with a capital unchanged.
pub(super) fn puppet_type_name(name: &str) -> Option<&str> {
    let own = || types::nameable_type_rows().map(|row| row.name).find(|own| own.eq_ignore_ascii_case(name));
    let is_capital = name.starts_with(|first: char| first.is_ascii_uppercase());
    let exact = own().filter(|own| *own == name);
    let other = || dictionary::find_word(name, &[Kind::Type]).map(|word| word.puppet);
    exact.or_else(other).or_else(own).or_else(|| is_capital.then_some(name))
}

#[cfg(test)]
#[path = "../../tests/unit/session/foreign_types.rs"]
mod tests;
