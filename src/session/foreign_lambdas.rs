//! Translates lambdas of other languages to Puppet: `map(x => x * 2)` becomes `map |$x| { $x * 2 }`.

use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, multispace0, multispace1};
use nom::combinator::{map, map_opt, opt, recognize, verify};
use nom::multi::{many_till, many0, separated_list0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser, branch::alt};

use super::foreign_types::{parse_quoted, parse_word, spaced};
use crate::syntax::tokens::{Kind, tokens};
use crate::{dictionary, functions};

/// Translates the foreign lambdas in `entry` and moves each behind the call that it is an argument of, innermost first.
/// An entry that is only a lambda becomes an example of a call with it: `[1, 2].map |$x| { … }`.
pub(super) fn translate_lambdas(entry: &str) -> String {
    if let Ok(("" | ";", lambda)) = parse_lambda(entry.trim()) {
        return format!("[1, 2].{}{lambda}", if lambda.contains(", $") { "reduce" } else { "map" });
    }
    let mut text = entry.to_owned();
    let tokens = tokens(entry);
    let starts = tokens.iter().filter(|token| token.kind == Kind::Open || &entry[token.span.range()] == "do");
    for start in starts.map(|token| token.span.range().start).rev() {
        if let Ok((rest, call)) = alt((parse_arguments_with_lambda, parse_block)).parse(&text[start..]) {
            text = [text[..start].trim_end(), &call, rest].concat();
        }
    }
    text
}

/// `arguments ::= "(" (argument ",")* lambda ("," argument)* ")"`
fn parse_arguments_with_lambda(input: &str) -> IResult<&str, String> {
    let argument = alt((map(parse_lambda, Ok), map(parse_balanced_code, |text: &str| Err(text.trim()))));
    let list = delimited(char('('), separated_list1(char(','), spaced(argument)), char(')'));
    map_opt(list, |list| {
        let (lambdas, others): (Vec<_>, Vec<_>) = list.into_iter().partition(Result::is_ok);
        let [lambda] = <[_; 1]>::try_from(lambdas).ok()?;
        let others: Vec<&str> = others.into_iter().filter_map(Result::err).collect();
        let others = if others.is_empty() { String::new() } else { format!("({})", others.join(", ")) };
        Some(others + &lambda.ok()?)
    })
    .parse(input)
}

/// `block ::= "{" "|" names "|" code "}" | "do" "|" names "|" code "end"`
fn parse_block(input: &str) -> IResult<&str, String> {
    let names = || delimited(char('|'), separated_list1(char(','), spaced(parse_parameter_name)), char('|'));
    let braced = (preceded((char('{'), multispace0), names()), terminated(parse_balanced_code, char('}')));
    let end = verify(parse_word, |word: &str| word == "end");
    let code = recognize(many_till(alt((parse_word_or_group, tag(","))), end));
    let ended = (preceded((tag("do"), multispace1), names()), map(code, |code: &str| code.trim_end_matches("end")));
    map(alt((braced, ended)), |(names, code)| lambda_as_puppet(&names, code.trim())).parse(input)
}

/// `lambda ::= (list | "\\"? name) ("=>" | "->") body | "lambda" names ":" code | "function" list "{" code "}" | "&:" name`
fn parse_lambda(input: &str) -> IResult<&str, String> {
    let list = || delimited(char('('), separated_list0(char(','), spaced(parse_parameter_name)), char(')'));
    let one = map(preceded(opt(char('\\')), parse_word), |name| vec![name]);
    let names = spaced(alt((list(), one)));
    let braced = || map(delimited(char('{'), parse_balanced_code, char('}')), strip_return_keyword);
    let code = || map(verify(parse_balanced_code, |code: &str| !code.trim().is_empty()), strip_return_keyword);
    let arrow = (names, preceded(spaced(alt((tag("=>"), tag("->")))), alt((braced(), code()))));
    // Not an option: `lookup('port', type => Integer)`.
    let is_used = |(names, code): &(Vec<&str>, String)| {
        let is_interpolated = |name: &&str| code.contains(&format!("${{{name}"));
        names.is_empty() || names.iter().any(is_interpolated) || add_dollar_signs(code, names) != *code
    };
    let arrow = verify(arrow, is_used);
    let words = separated_list1(char(','), spaced(parse_word));
    let python = (preceded((tag("lambda"), multispace1), words), preceded(char(':'), code()));
    let keyword = (alt((tag("function"), tag("func"), tag("fn"))), multispace0);
    let function = (preceded(keyword, list()), preceded(multispace0, braced()));
    let method = map(preceded(tag("&:"), parse_word), |method| (vec!["x"], format!("x.{method}")));
    map(alt((python, function, method, arrow)), |(names, code)| lambda_as_puppet(&names, &code)).parse(input)
}

/// `name ::= "$"? word (":" type)? ("=" value)?`
fn parse_parameter_name(input: &str) -> IResult<&str, &str> {
    let type_ = opt(preceded(spaced(char(':')), parse_word));
    terminated(preceded(opt(char('$')), parse_word), type_).parse(input)
}

/// Parses code up to a comma or a closing bracket that is outside of all brackets and quotes in that code.
fn parse_balanced_code(input: &str) -> IResult<&str, &str> {
    recognize(many0(parse_word_or_group)).parse(input)
}

fn parse_word_or_group(input: &str) -> IResult<&str, &str> {
    let group = |open, close| recognize((char(open), separated_list0(char(','), parse_balanced_code), char(close)));
    let other = take_while1(|letter: char| !"()[]{},\"'".contains(letter) && !letter.is_ascii_alphabetic());
    let text = alt((recognize(parse_quoted), parse_word, other));
    alt((text, group('(', ')'), group('[', ']'), group('{', '}'))).parse(input)
}

/// Puts a `$` before each word of `code` that is one of `names`, unless it is a method, a hash key or a function.
pub(super) fn add_dollar_signs(code: &str, names: &[&str]) -> String {
    let mut signed = code.to_owned();
    for place in tokens(code).iter().rev().map(|token| token.span.range()) {
        let (before, after) = (&code[..place.start], code[place.end..].trim_start());
        if names.contains(&&code[place.clone()])
            && ![".", "${"].iter().any(|sign| before.ends_with(sign))
            && !["=>", "("].iter().any(|sign| after.starts_with(sign))
        {
            signed.insert(place.start, '$');
        }
    }
    signed
}

fn strip_return_keyword(code: &str) -> String {
    code.trim().trim_start_matches("return ").trim_end_matches(';').to_owned()
}

/// Returns the lambda of another language with the parameters `names` and the body `code` in Puppet's form.
fn lambda_as_puppet(names: &[&str], code: &str) -> String {
    let mut code = add_dollar_signs(code, names);
    for token in tokens(&code).iter().rev().map(|token| token.span.range()) {
        let foreign = dictionary::find_word(&code[token.clone()], &[dictionary::Kind::Keyword]);
        if let Some(row) = foreign.filter(|row| row.puppet.bytes().all(|byte| byte.is_ascii_punctuation())) {
            code.replace_range(token, row.puppet);
        }
    }
    // `puts x`
    if let Some((function, argument)) = code.split_once(' ')
        && (functions::named(function).is_some() || dictionary::find_foreign_function(function).is_some())
        && argument.starts_with(|first: char| "$'\"".contains(first) || first.is_ascii_digit())
    {
        code = format!("{function}({argument})");
    }
    let names: Vec<String> = names.iter().map(|name| format!("${name}")).collect();
    format!(" |{}| {{ {code} }}", names.join(", "))
}

#[cfg(test)]
#[path = "../../tests/unit/session/foreign_lambdas.rs"]
mod tests;
