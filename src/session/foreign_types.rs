//! Types as other languages write them, and the same in Puppet: `string[]` is `Array[String]`.
//!
//! What TypeScript, Python, Rust, Go and Terraform have in common is small: names with parameters, lists,
//! unions, records and functions. Their names are in the [dictionary].

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
use crate::wording::capitalized;

/// Longer entries are programs.
pub(super) const MAX_LENGTH: usize = 300;

/// Names with one parameter that says all.
const WRAPPERS: [&str; 11] =
    ["annotated", "arc", "box", "final", "mut", "nonnullable", "promise", "rc", "readonly", "ref", "required"];

/// What starts the type of a function.
const FUNCTIONS: [&str; 3] = ["fn", "func", "function"];

enum Notation<'t> {
    /// `'a'`
    Text(&'t str),
    /// `80`, `...`
    Bound(&'t str),
    /// `string`, `list[int]`, `map(number)`; what has a notation of its own by Puppet's name: `string[]`, `string | number`
    Named(&'t str, Vec<Notation<'t>>),
    /// `[int, str]`, `(i32, String)`
    Sequence(Vec<Notation<'t>>),
    /// `{name: string}`
    Record(Vec<Field<'t>>),
}

/// `port?: number`
struct Field<'t> {
    name: &'t str,
    is_optional: bool,
    type_: Notation<'t>,
}

/// What Puppet code says the same as `entry`, if that is a type or the definition of a type in another language.
pub(super) fn in_puppet(entry: &str) -> Option<String> {
    let entry = entry.trim().trim_end_matches(';');
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let (_, (name, notation)) =
        all_consuming(alt((definition, map(type_, |type_| (None, type_))))).parse(entry).ok()?;
    let is_of_puppet = match &notation {
        Notation::Text(_) | Notation::Bound(_) => true,
        Notation::Sequence(types) => {
            entry.starts_with('[') || types.iter().all(|type_| matches!(type_, Notation::Text(_)))
        }
        Notation::Record(fields) => {
            fields.is_empty()
                || entry.contains("=>")
                || fields.iter().any(|field| match field.type_ {
                    Notation::Named(name, _) => ["true", "false", "True", "False"].contains(&name),
                    _ => matches!(field.type_, Notation::Text(_)),
                })
        }
        Notation::Named(name, parameters) if parameters.is_empty() => *name == entry,
        // `double(2)` calls a function.
        Notation::Named(name, parameters) => {
            let is_call = entry.contains('(') && parameters.iter().all(|one| matches!(one, Notation::Bound(_)));
            *name == "type" || is_call
        }
    };
    if name.is_none() && is_of_puppet {
        return None;
    }
    let type_ = notation.in_puppet()?;
    let text = match name {
        // `User` is a resource type.
        Some(name) if Type::named(name).is_some() => format!("type My{} = {type_}", capitalized(name)),
        Some(name) => format!("type {} = {type_}", capitalized(name)),
        None => type_,
    };
    // `Hash[String]` is Puppet, though it means less than it seems to.
    let words = |text| str::split(text, |letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_own = |word: &str| word.is_empty() || type_name(word) == Some(word) || words(&text).any(|one| one == word);
    let has_own_words = words(entry).all(is_own);
    (!has_own_words || syntax::parse(&Source::new("entry", entry)).is_err()).then_some(text)
}

/// What starts the declaration of a variable.
const MODIFIERS: [&str; 13] =
    ["auto", "const", "export", "final", "let", "local", "mut", "my", "our", "readonly", "static", "val", "var"];

/// The assignment in Puppet that says the same as `entry`: `$port = 80` for `export PORT=80` and `let port: number = 80`.
pub(super) fn assignment(entry: &str) -> Option<String> {
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let is_type = |type_: &Notation<'_>| !matches!(type_, Notation::Named("type", _)) && type_.in_puppet().is_some();
    let typed = preceded(pair(verify(type_, is_type), space1), word);
    let with_type = opt(preceded(alt((recognize(spaced(char(':'))), space1)), type_));
    let declared = terminated(preceded(many1(keyword(&MODIFIERS)), word), with_type);
    let annotated = terminated(word, preceded(spaced(char(':')), verify(type_, is_type)));
    let sign = (multispace0, opt(char(':')), char('='), multispace0);
    let (value, name) = terminated(alt((declared, typed, annotated, word)), sign).parse(entry).ok()?;
    let value = value.trim_end_matches(';');
    let is_word = |value: &str| value.chars().all(|letter| letter.is_ascii_alphabetic());
    let value = match value {
        word if let Some(row) = dictionary::word(word, &[Kind::Value]) => row.puppet.to_owned(),
        "undef" => value.to_owned(),
        _ if let Some(made) = value.strip_prefix("new ") => {
            match word(made).ok().and_then(|(_, name)| type_name(name))? {
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
fn definition(input: &str) -> IResult<&str, (Option<&str>, Notation<'_>)> {
    let alias = preceded(
        keyword(&["type", "newtype", "alias", "using"]),
        pair(spaced(word), preceded(pair(opt(spaced(char('='))), opt(spaced(keyword(&["struct"])))), type_)),
    );
    let record = preceded(keyword(&["interface", "struct", "record", "message", "object"]), pair(spaced(word), fields));
    let case = terminated(word, opt(preceded(spaced(char('=')), take_till(|letter| ",}".contains(letter)))));
    let cases = delimited(
        spaced(char('{')),
        many0(terminated(spaced(case), opt(spaced(one_of(",;"))))),
        preceded(multispace0, char('}')),
    );
    let cases = map(cases, |cases| Notation::Named("Variant", cases.into_iter().map(Notation::Text).collect()));
    let enumeration = preceded(keyword(&["enum"]), pair(opt(spaced(word)), cases));
    let named = map(alt((alias, record)), |(name, type_)| (Some(name), type_));
    preceded(opt(spaced(keyword(&["export", "pub"]))), alt((named, enumeration))).parse(input)
}

/// `type ::= "|"? suffixed ("|" suffixed)*`
fn type_(input: &str) -> IResult<&str, Notation<'_>> {
    let union = preceded(opt(spaced(char('|'))), separated_list1(spaced(char('|')), suffixed));
    map(union, |mut types| if types.len() == 1 { types.remove(0) } else { Notation::Named("Variant", types) })
        .parse(input)
}

/// `suffixed ::= prefixed ("[]" | "?")*`
fn suffixed(input: &str) -> IResult<&str, Notation<'_>> {
    let (rest, type_) = prefixed(input)?;
    let (rest, suffixes) = many0(alt((tag("[]"), tag("?")))).parse(rest)?;
    let name = |suffix: &str| if suffix == "?" { "Optional" } else { "Array" };
    let suffixed = suffixes.into_iter().fold(type_, |type_, suffix| Notation::Named(name(suffix), vec![type_]));
    Ok((rest, suffixed))
}

/// `prefixed ::= ("?" | "*" | "&") prefixed | primary`
fn prefixed(input: &str) -> IResult<&str, Notation<'_>> {
    let optional = map(preceded(char('?'), prefixed), |type_| Notation::Named("Optional", vec![type_]));
    alt((optional, preceded(one_of("*&"), prefixed), primary)).parse(input)
}

fn primary(input: &str) -> IResult<&str, Notation<'_>> {
    let bound = map(alt((digit1, tag("..."))), Notation::Bound);
    alt((map(quoted, Notation::Text), bound, sequence, function, fields, applied)).parse(input)
}

/// `sequence ::= "[" types (";" number)? "]" prefixed?`
///
/// In Go, the type of the elements follows `[]`.
fn sequence(input: &str) -> IResult<&str, Notation<'_>> {
    let size = opt(preceded(spaced(char(';')), digit1));
    let (rest, (types, size)) = delimited(char('['), pair(types, size), char(']')).parse(input)?;
    if types.is_empty() || matches!(types[..], [Notation::Bound(_)]) {
        return map(prefixed, |type_| Notation::Named("Array", vec![type_])).parse(rest);
    }
    let sequence = match (size, types.len()) {
        // `[u8; 4]`
        (Some(_), 1) => Notation::Named("Array", types),
        _ => Notation::Sequence(types),
    };
    Ok((rest, sequence))
}

/// `function ::= ("fn" | "func" | "function") "(" types ")" (("=>" | "->" | ":")? type)? | "(" types ")" (("=>" | "->") type)?`
fn function(input: &str) -> IResult<&str, Notation<'_>> {
    let (rest, name) = opt(keyword(&FUNCTIONS)).parse(input)?;
    let (rest, mut parameters) = delimited(terminated(char('('), multispace0), types, char(')')).parse(rest)?;
    let arrow = spaced(opt(alt((tag("=>"), tag("->"), tag(":")))));
    let arrow = map(arrow, |arrow| name.is_some() || matches!(arrow, Some("=>" | "->")));
    // `function() {}` is a definition.
    let result = verify(type_, |type_| !matches!(type_, Notation::Record(fields) if fields.is_empty()));
    let (rest, returned) = opt(preceded(verify(arrow, |is_allowed: &bool| *is_allowed), result)).parse(rest)?;
    let function = match returned.or_else(|| name.map(|_| Notation::Named("Any", Vec::new()))) {
        Some(returned) => Notation::Named("Callable", vec![Notation::Sequence(parameters), returned]),
        None if parameters.len() == 1 => parameters.remove(0),
        None => Notation::Sequence(parameters),
    };
    Ok((rest, function))
}

/// `fields ::= "{" (field ("," | ";")?)* "}"`
fn fields(input: &str) -> IResult<&str, Notation<'_>> {
    let fields = many0(terminated(spaced(field), opt(spaced(one_of(",;")))));
    map(delimited(char('{'), terminated(fields, multispace0), char('}')), Notation::Record).parse(input)
}

/// `field ::= name "?"? (":" | "=>" | "=" | blank) type ("=" default)?`
fn field(input: &str) -> IResult<&str, Field<'_>> {
    let modifier = keyword(&["pub", "public", "readonly", "required"]);
    let name = alt((quoted, word));
    let colon = alt((spaced(alt((tag(":"), tag("=>"), tag("=")))), space1));
    let default = preceded(spaced(char('=')), take_till(|letter| ",;}\n".contains(letter)));
    let (rest, (name, mark, type_, default)) =
        (preceded(opt(spaced(modifier)), name), opt(char('?')), preceded(colon, type_), opt(default)).parse(input)?;
    Ok((rest, Field { name, is_optional: mark.is_some() || default.is_some(), type_ }))
}

/// `applied ::= name ("[" types "]" | "<" types ">" | "(" types ")" | "{}")?`
///
/// In Go, the type of the values follows `map[K]`.
fn applied(input: &str) -> IResult<&str, Notation<'_>> {
    let (rest, name) = word(input)?;
    // What is in the parentheses of a function has been read in vain.
    let is_type = name.starts_with(char::is_lowercase) && !FUNCTIONS.contains(&name);
    let parameters = alt((
        delimited(char('['), types, char(']')),
        verify(delimited(char('<'), types, char('>')), |types: &Vec<_>| !types.is_empty()),
        verify(
            preceded(verify(peek(char('(')), |_| is_type), delimited(char('('), types, char(')'))),
            |types: &Vec<_>| !types.is_empty(),
        ),
    ));
    let (rest, parameters) = opt(parameters).parse(rest)?;
    let Some(mut parameters) = parameters else {
        let any = cond(name == "interface", tag("{}"));
        return map(any, |any| Notation::Named(any.map_or(name, |_| "Any"), Vec::new())).parse(rest);
    };
    if parameters.is_empty() {
        let is_collection = ["Array", "Enum", "Hash", "Pattern", "Struct", "Tuple", "Variant"].contains(&name);
        let type_ = Notation::Named(name, parameters);
        return Ok((rest, if is_collection { type_ } else { Notation::Named("Array", vec![type_]) }));
    }
    let (rest, value) = cond(name == "map", opt(prefixed)).parse(rest)?;
    parameters.extend(value.flatten());
    Ok((rest, Notation::Named(name, parameters)))
}

/// `types ::= ((name ":"?)? type ("," (name ":"?)? type)* ","?)?`
fn types(input: &str) -> IResult<&str, Vec<Notation<'_>>> {
    // In Go, the name of a parameter stands before its type.
    let name = verify(word, |word: &str| type_name(word) != Some(word));
    let named = alt((preceded(pair(name, alt((recognize(spaced(char(':'))), space1))), suffixed), type_));
    terminated(separated_list0(char(','), spaced(named)), opt(spaced(char(',')))).parse(input)
}

pub(super) fn word(input: &str) -> IResult<&str, &str> {
    let letters = take_while1(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    verify(letters, |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic())).parse(input)
}

fn keyword<'t>(words: &[&str]) -> impl Parser<&'t str, Output = &'t str, Error = nom::error::Error<&'t str>> {
    verify(terminated(word, multispace0), |found: &str| words.contains(&found))
}

pub(super) fn quoted(input: &str) -> IResult<&str, &str> {
    let between = |quote| delimited(char(quote), take_till(move |letter| letter == quote), char(quote));
    alt((between('\''), between('"'))).parse(input)
}

pub(super) fn spaced<'t, O>(
    parser: impl Parser<&'t str, Output = O, Error = nom::error::Error<&'t str>>,
) -> impl Parser<&'t str, Output = O, Error = nom::error::Error<&'t str>> {
    delimited(multispace0, parser, multispace0)
}

impl Notation<'_> {
    fn in_puppet(&self) -> Option<String> {
        Some(match self {
            Notation::Text(text) => format!("Enum['{text}']"),
            Notation::Bound(_) => return None,
            Notation::Named(name, parameters) => named_in_puppet(name, parameters)?,
            Notation::Sequence(types) => format!("Tuple[{}]", listed(types)?),
            Notation::Record(fields) => {
                let fields: Option<Vec<String>> = fields.iter().map(Field::in_puppet).collect();
                format!("Struct[{{{}}}]", fields?.join(", "))
            }
        })
    }
}

impl Field<'_> {
    fn in_puppet(&self) -> Option<String> {
        let type_ = self.type_.in_puppet()?;
        // A bare word with a capital would be a type.
        let is_capital = self.name.starts_with(|first: char| first.is_ascii_uppercase());
        let name = if is_capital { format!("'{}'", self.name) } else { self.name.to_owned() };
        // `port = optional(number)`
        let inner = type_.strip_prefix("Optional[").and_then(|inner| inner.strip_suffix(']'));
        let is_call = matches!(self.type_, Notation::Named("optional", _));
        Some(match inner {
            Some(inner) if is_call => format!("Optional[{name}] => {inner}"),
            _ if self.is_optional => format!("Optional[{name}] => {type_}"),
            _ => format!("{name} => {type_}"),
        })
    }
}

fn listed(types: &[Notation<'_>]) -> Option<String> {
    Some(types.iter().map(Notation::in_puppet).collect::<Option<Vec<_>>>()?.join(", "))
}

fn union(types: &[Notation<'_>]) -> Option<String> {
    let is_undef = |one: &&Notation<'_>| matches!(one, Notation::Named(name, _) if type_name(name) == Some("Undef"));
    let others = types.iter().filter(|type_| !is_undef(type_));
    let texts = others.clone().map(|type_| if let Notation::Text(text) = type_ { Some(*text) } else { None });
    let members = match texts.collect::<Option<Vec<_>>>() {
        Some(texts) if !texts.is_empty() => format!("Enum['{}']", texts.join("', '")),
        _ => match &others.clone().map(Notation::in_puppet).collect::<Option<Vec<_>>>()?[..] {
            [one] => one.clone(),
            several => format!("Variant[{}]", several.join(", ")),
        },
    };
    Some(if others.count() < types.len() { format!("Optional[{members}]") } else { members })
}

fn named_in_puppet(name: &str, parameters: &[Notation<'_>]) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    match parameters {
        [] => return type_name(name).map(str::to_owned),
        [type_, ..] if WRAPPERS.contains(&lower.as_str()) => return type_.in_puppet(),
        _ if lower == "partial" => return Some("Struct[{Optional['key'] => Any}]".to_owned()),
        _ => {}
    }
    let puppet = if lower == "result" { "Variant" } else { type_name(name)? };
    Some(match (puppet, parameters) {
        // What lacks a parameter is no list.
        ("Array", [Notation::Named("Optional" | "Variant" | "Enum" | "Pattern", none)]) if none.is_empty() => {
            return None;
        }
        ("Array" | "Type" | "Sensitive" | "NotUndef" | "Iterable" | "Iterator", [_]) | ("Hash", [_, _]) => {
            format!("{puppet}[{}]", listed(parameters)?)
        }
        ("Hash", [value]) => format!("Hash[String, {}]", value.in_puppet()?),
        ("Optional", [type_, rest @ ..]) if rest.is_empty() || name == "optional" => {
            format!("Optional[{}]", type_.in_puppet()?)
        }
        ("Variant" | "Enum", types) => union(types)?,
        ("Struct", [inner @ Notation::Record(_)]) | ("Tuple", [inner @ Notation::Sequence(_)]) => inner.in_puppet()?,
        ("Tuple", [type_, Notation::Bound("...")]) => format!("Array[{}]", type_.in_puppet()?),
        ("Tuple", types) => format!("Tuple[{}]", listed(types)?),
        ("Callable", [Notation::Sequence(types), returned]) => {
            format!("Callable[[{}], {}]", listed(types)?, returned.in_puppet()?)
        }
        ("Integer" | "Float" | "String", bounds) => {
            let bounds = bounds.iter().map(|one| if let Notation::Bound(bound) = one { Some(*bound) } else { None });
            format!("{puppet}[{}]", bounds.collect::<Option<Vec<_>>>()?.join(", "))
        }
        _ => return None,
    })
}

/// Puppet's name of a type, whatever language its name is of.
pub(super) fn type_name(name: &str) -> Option<&str> {
    let own = || types::visible().map(|row| row.name).find(|own| own.eq_ignore_ascii_case(name));
    let is_capital = name.starts_with(|first: char| first.is_ascii_uppercase());
    let exact = own().filter(|own| *own == name);
    let other = || dictionary::word(name, &[Kind::Type]).map(|word| word.puppet);
    exact.or_else(other).or_else(own).or_else(|| is_capital.then_some(name))
}

#[cfg(test)]
#[path = "../../tests/unit/session/foreign_types.rs"]
mod tests;
