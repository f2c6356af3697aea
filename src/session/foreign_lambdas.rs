//! Lambdas of other languages, and the same as Puppet writes them: `map(x => x * 2)` is `map |$x| { $x * 2 }`.

use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, multispace0, multispace1};
use nom::combinator::{map, map_opt, opt, recognize, verify};
use nom::multi::{many0, separated_list0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser, branch::alt};

use super::foreign_types::{quoted, spaced, word};
use crate::syntax::tokens::{Kind, tokens};
use crate::{dictionary, functions};

/// The names of the parameters, and the body.
struct Lambda<'t>(Vec<&'t str>, String);

/// The entry with its lambdas behind the calls that they are arguments of, innermost first.
pub(super) fn with_lambdas(entry: &str) -> String {
    let mut text = entry.to_owned();
    let tokens = tokens(entry);
    let starts = tokens.iter().filter(|token| token.kind == Kind::Open);
    for start in starts.map(|token| token.span.range().start).rev() {
        if let Ok((rest, call)) = alt((arguments, block)).parse(&text[start..]) {
            text = [text[..start].trim_end(), &call, rest].concat();
        }
    }
    text
}

/// `arguments ::= "(" (argument ",")* lambda ("," argument)* ")"`
fn arguments(input: &str) -> IResult<&str, String> {
    let argument = alt((map(lambda, Ok), map(balanced, |text: &str| Err(text.trim()))));
    let list = delimited(char('('), separated_list1(char(','), spaced(argument)), char(')'));
    map_opt(list, |list| {
        let (lambdas, others): (Vec<_>, Vec<_>) = list.into_iter().partition(Result::is_ok);
        let [lambda] = <[_; 1]>::try_from(lambdas).ok()?;
        let others: Vec<&str> = others.into_iter().filter_map(Result::err).collect();
        let others = if others.is_empty() { String::new() } else { format!("({})", others.join(", ")) };
        Some(others + &lambda.ok()?.in_puppet())
    })
    .parse(input)
}

/// `block ::= "{" "|" names "|" code "}"`
fn block(input: &str) -> IResult<&str, String> {
    let names = delimited(char('|'), separated_list1(char(','), spaced(name)), char('|'));
    let braced = (preceded((char('{'), multispace0), names), terminated(balanced, char('}')));
    map(braced, |(names, code)| Lambda(names, code.trim().to_owned()).in_puppet()).parse(input)
}

/// `lambda ::= (list | "\\"? name) ("=>" | "->") body | "lambda" names ":" code | "function" list "{" code "}" | "&:" name`
fn lambda(input: &str) -> IResult<&str, Lambda<'_>> {
    let list = || delimited(char('('), separated_list0(char(','), spaced(name)), char(')'));
    let one = map(preceded(opt(char('\\')), word), |name| vec![name]);
    let names = spaced(alt((list(), one)));
    let braced = || map(delimited(char('{'), balanced, char('}')), without_return);
    let code = || map(verify(balanced, |code: &str| !code.trim().is_empty()), without_return);
    let arrow = (names, preceded(spaced(alt((tag("=>"), tag("->")))), alt((braced(), code()))));
    let words = separated_list1(char(','), spaced(word));
    let python = (preceded((tag("lambda"), multispace1), words), preceded(char(':'), code()));
    let keyword = (alt((tag("function"), tag("func"), tag("fn"))), multispace0);
    let function = (preceded(keyword, list()), preceded(multispace0, braced()));
    let method = map(preceded(tag("&:"), word), |method| (vec!["x"], format!("x.{method}")));
    map(alt((python, function, method, arrow)), |(names, code)| Lambda(names, code)).parse(input)
}

/// `name ::= "$"? word (":" type)? ("=" value)?`
fn name(input: &str) -> IResult<&str, &str> {
    let type_ = opt(preceded(spaced(char(':')), word));
    terminated(preceded(opt(char('$')), word), type_).parse(input)
}

/// Text up to a comma or a closing bracket that does not belong to it.
fn balanced(input: &str) -> IResult<&str, &str> {
    recognize(many0(piece)).parse(input)
}

fn piece(input: &str) -> IResult<&str, &str> {
    let group = |open, close| recognize((char(open), separated_list0(char(','), balanced), char(close)));
    let other = take_while1(|letter: char| !"()[]{},\"'".contains(letter) && !letter.is_ascii_alphabetic());
    let text = alt((recognize(quoted), word, other));
    alt((text, group('(', ')'), group('[', ']'), group('{', '}'))).parse(input)
}

/// The code with a `$` before each word that is one of the names of variables, unless it is a method, a key or a function.
pub(super) fn with_signs(code: &str, names: &[&str]) -> String {
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

fn without_return(code: &str) -> String {
    code.trim().trim_start_matches("return ").trim_end_matches(';').to_owned()
}

impl Lambda<'_> {
    fn in_puppet(self) -> String {
        let Lambda(names, code) = self;
        let mut code = with_signs(&code, &names);
        for token in tokens(&code).iter().rev().map(|token| token.span.range()) {
            let foreign = dictionary::word(&code[token.clone()], &[dictionary::Kind::Keyword]);
            if let Some(row) = foreign.filter(|row| row.puppet.bytes().all(|byte| byte.is_ascii_punctuation())) {
                code.replace_range(token, row.puppet);
            }
        }
        // `puts x`
        if let Some((function, argument)) = code.split_once(' ')
            && (functions::named(function).is_some() || dictionary::function(function).is_some())
            && argument.starts_with(|first: char| "$'\"".contains(first) || first.is_ascii_digit())
        {
            code = format!("{function}({argument})");
        }
        let names: Vec<String> = names.iter().map(|name| format!("${name}")).collect();
        format!(" |{}| {{ {code} }}", names.join(", "))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/session/foreign_lambdas.rs"]
mod tests;
