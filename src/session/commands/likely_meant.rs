//! Advice on entries that Puppet reads as several strings, but with which users probably intended something else: a
//! command without its colon, a call without parentheses, a word of another language.

use super::{Command, RunTest, Source, all_commands, foreign_entries};
use crate::dictionary::{self, Kind};
use crate::session::foreign_lambdas::add_dollar_signs;
use crate::session::foreign_types::{MAX_LENGTH, translate_assignment};
use crate::syntax::tokens::{self, tokens};
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Tree};
use crate::types::Type;
use crate::wording::{capitalize_segments, nearest};
use crate::{functions, syntax};

const VALUE_KEYWORDS: [&str; 4] = ["true", "false", "undef", "default"];

/// Returns advice on what the user probably wanted to enter. Suggests only code for which `can_run` is true.
pub(in crate::session) fn suggest_intended_entry(
    entry: &str,
    has_failed: bool,
    can_run: RunTest<'_>,
) -> Option<String> {
    let entry = entry.trim().trim_end_matches(';');
    let is_command = |name: &str| all_commands().any(|command| command.name == name);
    let name = entry.trim_start_matches('/').trim_end_matches(['!', '?']);
    if name != entry && is_command(name) {
        return Some(format!("did you mean `:{name}`?"));
    }
    let below = || entry.lines().skip(1).find_map(|line| line.strip_prefix(':').filter(|name| is_command(name)));
    if let Some(command) = below().filter(|_| has_failed) {
        return Some(format!("a command is an entry of its own: leave this one with Ctrl-C, then `:{command}`"));
    }
    if let Some(advice) = foreign_entries::advice_on_entry(entry, has_failed, can_run) {
        return Some(advice);
    }
    let parsed = syntax::parse(&Source::new("entry", entry));
    if let Some((word, keyword)) = misspelt_keyword(entry).filter(|_| has_failed)
        && (parsed.is_err() || can_run(&entry.replacen(word, keyword, 1)))
    {
        return Some(format!("did you mean `{keyword}`?"));
    }
    // A word beside a variable of its name may be meant, as a key or an argument.
    let is_short = entry.len() < MAX_LENGTH && (has_failed || entry.contains('|'));
    let signed = is_short.then(|| add_dollar_signs(entry, &variable_names(entry)));
    if let Some(code) = signed.filter(|code| code != entry && can_run(code)) {
        return Some(format!("the name of a variable starts with `$`: write `{code}`"));
    }
    if let Some((name, argument)) = entry.strip_suffix(')').and_then(|call| call.split_once('(')).filter(|_| has_failed)
        && is_command(name)
        && functions::named(name).is_none()
        && dictionary::find_foreign_function(name).is_none()
    {
        return Some(format!("did you mean `:{}`?", [name, argument].join(" ").trim_end()));
    }
    if let Some(access) = suggest_hash_access(entry).filter(|_| has_failed) {
        return Some(format!("to read an entry, write `{access}`"));
    }
    if let Some(assignment) = translate_assignment(entry).filter(|code| has_failed && can_run(code)) {
        return Some(format!("names of variables start with `$`: write `{assignment}`"));
    }
    let (first, rest) = entry.split_at(entry.find(char::is_whitespace).unwrap_or(entry.len()));
    let is_called =
        |command: &&Command| command.name == first || first.len() > 1 && command.short_names.contains(&first);
    if let Some(command) = all_commands().find(is_called) {
        let is_name = |tree: &Tree, id: &Id| matches!(tree[*id].expression, Expression::Name(_));
        let is_string = parsed.as_ref().is_ok_and(|tree| tree.statements().first().is_some_and(|id| is_name(tree, id)));
        let is_code = match &parsed {
            Ok(_) => rest.trim_start().starts_with(['=', '+']) || (!is_string && functions::named(first).is_some()),
            // `type Port = [`, `match $x { 1 => 2 }`
            Err(_) => entry.contains(['{', '=']) || rest.trim_start().starts_with(char::is_alphabetic),
        };
        let rest = rest.replace(['\'', '"'], "");
        return (!is_code).then(|| format!("`{first}` is a string; did you mean `:{}{rest}`?", command.name));
    }
    let tree = parsed.ok()?;
    let statements = tree.statements();
    if let [.., before, last] = statements
        && !has_failed
        && entry[tree[*before].span.range().end..tree[*last].span.range().start].contains(['\n', ';'])
        && !matches!(tree[*last].expression, Expression::Name(_))
    {
        return suggest_intended_entry(tree.text_of(*last), false, can_run);
    }
    if let [only] = statements {
        let word = match &tree[*only].expression {
            Expression::Name(word) => word,
            Expression::Binary(operator, left, right) => {
                return advice_on_operation(&tree, *operator, *left, *right);
            }
            Expression::If { condition, .. } | Expression::Case(condition, _) => {
                return advice_on_condition(&tree, *condition);
            }
            _ => return None,
        };
        let advice = match (dictionary::find_word(word, &[Kind::Value, Kind::Type, Kind::Keyword]), Type::named(word)) {
            (Some(word), _) => word.advice.to_owned(),
            (None, Some(type_)) => format!("did you mean the type {}?", type_.name()),
            (None, None) => {
                let value = nearest(word, VALUE_KEYWORDS).filter(|_| word.len() > 3).map(|value| format!("`{value}`?"));
                let command = || Some(super::find_command(word).err()?.split_once("did you mean ")?.1.to_owned());
                format!("did you mean {}", value.or_else(command)?)
            }
        };
        return Some(format!("`{word}` is a string; {advice}"));
    }
    statements.windows(2).find_map(|pair| {
        let [one, next] = pair else { return None };
        let between = &entry[tree[*one].span.range().end..tree[*next].span.range().start];
        (!between.contains(['\n', ';'])).then(|| advice_on_statement_pair(&tree, *one, *next)).flatten()
    })
}

/// Returns a misspelt keyword and its correction: `fuction` and `function` for `fuction double($x) { $x * 2 }`.
fn misspelt_keyword(entry: &str) -> Option<(&str, &str)> {
    let first = entry.split_once(' ').filter(|(first, rest)| first.len() > 3 && rest.contains(['{', '=']));
    let first = first.filter(|(first, _)| first.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let first = first.and_then(|(first, _)| Some((first, nearest(first, syntax::KEYWORDS)?)));
    let others = entry.split('}').skip(1).filter(|rest| rest.contains('{')).filter_map(|rest| {
        let word = rest.split(['{', ' ', ':']).find(|word| word.len() > 2)?;
        let is_foreign = dictionary::find_word(word, &[Kind::Keyword]).is_some();
        Some((word, nearest(word, ["else", "elsif"]).filter(|_| !is_foreign)?))
    });
    first.into_iter().chain(others).find(|(word, keyword)| word != keyword)
}

/// Returns the names of the parameters and variables in an entry: `a` and `b` for `function add(a, b) { a + b }`.
pub(super) fn variable_names(entry: &str) -> Vec<&str> {
    let definition = ["function ", "class ", "define "].iter().find_map(|word| entry.strip_prefix(word));
    let list = match definition {
        Some(definition) => definition.split_once('(').and_then(|(_, rest)| Some(rest.split_once(')')?.0)),
        None => entry.split('|').nth(1).filter(|_| entry.contains('{')),
    };
    let parameters = list.unwrap_or_default().split(',');
    let parameters = parameters.filter_map(|one| one.split('=').next()?.split_whitespace().last());
    let tokens = tokens(entry).into_iter().filter(|token| token.kind == tokens::Kind::Variable);
    parameters.chain(tokens.filter_map(|token| entry[token.span.range()].strip_prefix('$'))).collect()
}

/// Returns advice on a bare word in a condition, which is a string there: `if x == 5 { 'five' }`.
fn advice_on_condition(tree: &Tree, condition: Id) -> Option<String> {
    let one = match &tree[condition].expression {
        Expression::Binary(_, left, right) if !matches!(tree[*right].expression, Expression::Variable(_)) => *left,
        _ => condition,
    };
    if let Expression::Name(word) = &tree[one].expression { Some(dictionary::bare_word_advice(word)) } else { None }
}

fn advice_on_operation(tree: &Tree, operator: BinaryOperator, left: Id, right: Id) -> Option<String> {
    use BinaryOperator::{Equal, Match, NotEqual};
    let [one, other] = [left, right].map(|id| tree.text_of(id));
    let base = |type_: &str| type_.split('[').next().map(str::to_owned);
    let sides = [&tree[left].expression, &tree[right].expression];
    match (operator, sides) {
        (Match, _) if one.starts_with(char::is_uppercase) && base(one) == base(other) => {
            Some(format!("a type is not one of its values; to compare types, write `{one} <= {other}`"))
        }
        (Match, [_, Expression::Name(word)]) if word.contains("::") => {
            Some(format!("`{word}` is a string here; the name of a type has capitals: `{}`", capitalize_segments(word)))
        }
        (Match | Equal | NotEqual, [Expression::Name(word) | Expression::Reference(word), _])
        | (Equal | NotEqual, [_, Expression::Name(word) | Expression::Reference(word)])
            if let Some(meant) = dictionary::find_word(word, &[Kind::Value]) =>
        {
            let kind = if word.starts_with(char::is_uppercase) { "the name of a type" } else { "a string" };
            Some(format!("`{word}` is {kind} here; {}", meant.advice))
        }
        (Equal, [Expression::Literal(Literal::String(a)), Expression::Literal(Literal::String(b))])
            if a != b && a.eq_ignore_ascii_case(b) =>
        {
            Some(format!("strings are compared ignoring case; write `{one} =~ /\\A{b}\\z/`"))
        }
        _ => None,
    }
}

/// Translates dots to keys: `facts.os.family` to `$facts['os']['family']`, `.users[0]` to `$data['users'][0]`.
fn suggest_hash_access(entry: &str) -> Option<String> {
    if let Some((_, inner)) = entry.split_once("${").filter(|_| entry.starts_with('"')) {
        let access = suggest_hash_access(&format!("${}", inner.split('}').next()?))?;
        return Some(format!("${{{}}}", access.strip_prefix('$')?));
    }
    let entry = entry.strip_prefix("%{").and_then(|path| path.strip_suffix('}')).unwrap_or(entry);
    let variable = if ["facts.", "trusted."].iter().any(|start| entry.starts_with(start)) { "$" } else { "$data" };
    if entry.starts_with('.') || variable == "$" {
        return suggest_hash_access(&format!("{variable}{entry}"));
    }
    // What is set before is set already.
    let entry = entry.rsplit("; ").next()?;
    let (start, rest) = entry.split_at(if entry.starts_with('{') { entry.rfind('}')? + 1 } else { entry.find('.')? });
    if !start.starts_with(['$', '{']) || start.contains('(') {
        return None;
    }
    let rest = rest.strip_prefix('.')?;
    let names = || rest.split('.').map(|name| name.split_at(name.find('[').unwrap_or(name.len())));
    // Nobody misspells two functions in a row.
    let is_chain = names().nth(1).is_some();
    let known = || functions::TABLE.iter().copied().flatten().map(|row| row.name);
    let is_key = |(name, _): (&str, &str)| {
        name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && dictionary::find_word(name, &[Kind::Function]).is_none()
            && !known().any(|known| known == name)
            && (is_chain || name.len() < 4 || nearest(name, known()).is_none())
    };
    let key = |text, (name, index)| format!("{text}['{name}']{index}");
    names().all(is_key).then(|| names().fold(start.to_owned(), key))
}

fn advice_on_statement_pair(tree: &Tree, one: Id, next: Id) -> Option<String> {
    let written = |id: Id| tree.text_of(id);
    match (&tree[one].expression, &tree[next].expression) {
        (_, Expression::Reference(word))
            if let Some(row) =
                dictionary::find_word(word, &[Kind::Keyword]).filter(|_| Type::named(word).is_none()) =>
        {
            Some(row.advice.to_owned())
        }
        (Expression::Name(word), _) => {
            let advice = match dictionary::find_word(word, &[Kind::Keyword, Kind::Function]) {
                Some(word) => word.advice.to_owned(),
                None if functions::named(word).is_some() => {
                    format!("to call the function, write `{word}({})`", written(next))
                }
                None => {
                    let known = functions::TABLE.iter().copied().flatten().map(|row| row.name);
                    format!("did you mean `{}({})`?", nearest(word, known).filter(|_| word.len() > 3)?, written(next))
                }
            };
            Some(format!("`{word}` is a string here; {advice}"))
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/session/commands/likely_meant.rs"]
mod tests;
