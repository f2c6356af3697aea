//! `:doc`: describes everything that a name means. For example, `type` is both a function and a keyword.

use super::foreign_entries::advice_on_entry;
use super::{Answer, Error, Source, Value, append_lines, help, nearest, relations, settings as settings_family};
use crate::dictionary::{self, Kind};
use crate::eval::AutoloadKind;
use crate::session::{Console, Reply, Session, issues, settings};
use crate::syntax::KEYWORDS;
use crate::types::{self, Example, Type};
use crate::wording::unknown_name;
use crate::{format, functions, operators};

/// The meaning of each keyword that is not an operator, with an example program.
#[rustfmt::skip]
static KEYWORD_DOCUMENTATION: &[(&str, &str, &str)] = &[
    ("attr", "reserved, without a meaning", ""),
    ("case", "runs the block of the first option that matches", "case 5 { Integer: { 'number' } default: { 'other' } }"),
    ("class", "defines a class", "class web(Integer $port = 80) { }"),
    ("default", "whatever no other option matches, or an open end of a range", "Integer[default, 0]"),
    ("define", "defines a resource type", "define vhost(Integer $port = 80) { }"),
    ("else", "what runs if the condition of `if` is false", "if false { 1 } else { 2 }"),
    ("elsif", "another condition of `if`", "if false { 1 } elsif true { 2 }"),
    ("false", "the opposite of true", "!true"),
    ("function", "defines a function", "function double(Integer $n) >> Integer { $n * 2 }"),
    ("if", "runs a block if a condition is true", "if 1 < 2 { 'less' }"),
    ("inherits", "names the parent of a class", "class a { }\nclass b inherits a { }"),
    ("node", "says what applies to a host", ""),
    ("private", "reserved, without a meaning", ""),
    ("true", "the value of a condition that holds", "1 < 2"),
    ("type", "defines a type alias", "type Port = Integer[1, 65535]"),
    ("undef", "no value", "[1][5]"),
    ("unless", "runs a block if a condition is false", "unless false { 1 }"),
];

pub(super) fn show_doc(session: &mut Console, name: &str) -> Answer {
    if let Some(sheet) = super::modules::describe_definition(session, name) {
        return Ok(Reply::Text(sheet));
    }
    let mut sheets = describe_meanings(session, name)?;
    if sheets.is_empty()
        && let Some(word) = dictionary::find_word(name, &[Kind::Type, Kind::Value, Kind::Function, Kind::Keyword])
    {
        sheets.push(format!("{name}\n  not a word of Puppet: {}", word.advice));
        sheets.extend(describe_meanings(session, word.puppet)?);
    }
    if sheets.is_empty() {
        return Err(Reply::Refused(unknown_documentation_message(session, name)));
    }
    Ok(Reply::Text(sheets.join("\n\n")))
}

fn describe_meanings(session: &mut Console, name: &str) -> Result<Vec<String>, Error> {
    if let Some(name) = name.strip_prefix(':').filter(|name| !name.starts_with(':')) {
        return Ok(super::find_command(name).ok().map(help::describe_command).into_iter().collect());
    }
    if let Some(variable) = name.strip_prefix('$') {
        let sheet =
            |value| format!("{name}\n  a variable of type {}\n  => {}", Type::of(value), format::program_text(value));
        return Ok(session.variable(variable).map(sheet).into_iter().collect());
    }
    let mut sheets = Vec::new();
    sheets.extend(types::TABLE.iter().find(|row| row.name == name).map(describe_type));
    let sheet = |name: &str, summary: &str, called: &str, signatures: &[&str], shown: &[Example]| {
        let signatures: String = signatures.iter().flat_map(|signature| ["\n  ", called, signature]).collect();
        format!("{name}\n  {summary}{signatures}{}", format_examples(shown))
    };
    let function = |row: &functions::Function| sheet(row.name, row.summary, row.name, row.signatures, row.examples);
    sheets.extend(functions::named(name).map(function));
    sheets.extend(operators::named(name).map(|row| sheet(row.symbol, row.summary, "", row.signatures, row.examples)));
    sheets.extend(KEYWORD_DOCUMENTATION.iter().find(|(word, ..)| *word == name).map(describe_keyword));
    if sheets.is_empty() {
        sheets.extend(describe_alias(session, name)?);
    }
    if sheets.is_empty() {
        session.environment.load_definition(AutoloadKind::Function, name)?;
        let function = |signature| format!("{name}\n  a function of a program or module\n  {name}{signature}");
        sheets.extend(session.function_signature(name).map(function));
        if let Some((signature, type_)) = session.class_parameters(name)? {
            sheets.push(format!("{signature}\n  its parameters as a hash are of type\n  {type_}"));
        }
    }
    if sheets.is_empty() {
        sheets.extend(describe_resource_type(name));
        sheets.extend(settings::find_setting(name).ok().map(|row| settings_family::describe_setting(row, session)));
        sheets.extend(issues::explain_code(name).ok());
        sheets.extend(super::all_commands().find(|command| command.name == name).map(help::describe_command));
    }
    if sheets.is_empty() {
        sheets.extend(types::TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)).map(describe_type));
    }
    Ok(sheets)
}

fn unknown_documentation_message(session: &Console, name: &str) -> String {
    let own = [session.aliases(), session.functions(), session.resource_definitions()].concat();
    let functions = functions::TABLE.iter().copied().flatten().map(|row| row.name);
    let names = types::nameable_type_rows().map(|row| row.name).chain(functions).chain(KEYWORDS);
    let names = names.chain(Type::core_resource_names().iter().copied());
    let near = nearest(name, names.chain(own.iter().map(String::as_str)));
    let advice = advice_on_entry(name, false, &mut |_| true).filter(|_| name.contains(' '));
    let otherwise = advice.unwrap_or_else(|| "`:types` and `:functions` list them".to_owned());
    unknown_name("type, function or operator", name, near, &otherwise)
}

fn describe_alias(session: &mut Console, name: &str) -> Result<Option<String>, Error> {
    let is_reference = name.trim_start_matches("::").split("::").all(|segment| {
        segment.starts_with(|first: char| first.is_ascii_uppercase())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    if !is_reference {
        return Ok(None);
    }
    let Value::Type(Type::Alias(alias)) = session.evaluate(&Source::new("name", name), &mut |_| {})? else {
        return Ok(None);
    };
    let name = alias.name();
    let meaning = alias.resolved().map(|type_| format!(" = {type_}")).unwrap_or_default();
    Ok(Some(format!("type {name}{meaning}\n  a type alias; `:examples {name}` shows what it accepts")))
}

fn describe_resource_type(name: &str) -> Option<String> {
    let name = Type::core_resource_names().iter().find(|core| core.eq_ignore_ascii_case(name))?;
    Some(format!(
        "{name}\n  a resource type; {name}['title'] is the type of a reference to a resource\n  a kind of Resource"
    ))
}

fn describe_keyword((word, meaning, code): &(&str, &str, &str)) -> String {
    let example = if code.is_empty() { String::new() } else { format!("\n  >> {}", code.replace('\n', "\n  .. ")) };
    format!("{word}\n  keyword: {meaning}{example}")
}

fn describe_type(row: &types::Row) -> String {
    let parameters = if row.parameters.is_empty() { String::new() } else { format!("[{}]", row.parameters) };
    let parent = (!row.parent.is_empty()).then(|| format!("a kind of {}", row.parent));
    let new = row.new.iter().map(|signature| format!("{}.new{signature}", row.name));
    let methods = functions::methods_of_type(row.name).iter().flat_map(|function| {
        let signatures = function.signatures.iter().map(|signature| format!(".{}{signature}", function.name));
        signatures.chain([format!("  {}", function.summary)])
    });
    let lines = [row.summary.to_owned()].into_iter().chain(parent).chain(new).chain(methods);
    let sheet = append_lines(&format!("{}{parameters}", row.name), lines);
    sheet + &format_examples(row.examples) + &examples_of_matches(row).unwrap_or_default()
}

/// Returns lines with matching values and near misses of the type in the first example of the form `VALUE =~ TYPE`.
fn examples_of_matches(row: &types::Row) -> Option<String> {
    const MAX_EXAMPLES: usize = 2;
    let mut tested = row.examples.iter().filter(|example| example.answer == "true");
    let (_, type_) = tested.find_map(|example| example.code.split_once(" =~ "))?;
    let lines = relations::example_lines(&type_.parse().ok()?, MAX_EXAMPLES).replace('\n', "\n  ");
    Some(format!("\n  {type_} {lines}"))
}

fn format_examples(examples: &[Example]) -> String {
    examples.iter().fold(String::new(), |text, example| {
        let code = example.code.replace('\n', "\n  .. ");
        // The table only has the code.
        let error = example.answer.starts_with("error ").then(|| Session::default().eval(example.code).err()).flatten();
        let answer = error.map_or_else(
            || format!("=> {}", example.answer),
            |error| format!("error[{}]: {}", error.code(), error.message()).replacen("[RUNTIME_ERROR]", "", 1),
        );
        text + "\n  >> " + &code + "\n  " + &answer
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/session/commands/doc.rs"]
mod tests;
