//! The commands that inspect a value or a program: `:type`, `:why`, `:ast`, `:format` …

use super::{Answer, CommandGroup, Value, definitions, evaluate_entry, why};
use crate::session::settings::format_value as in_format;
use crate::session::{Console, Listener, Reply, Request, Session, redact_error};
use crate::syntax;
use crate::types::Type;

pub(super) static COMMANDS: CommandGroup = commands! {
    "values and programs":
        "type" or "t" [Required(Expression)] "the type of a value":
            "Shows the exact type: a Struct for a hash, a Tuple for an array. For a less detailed type use the \
            function `type`: type($x, generalized)."
            "type {'port' => 80}" => |session, expression, listen| {
                Ok(Reply::Code(Type::of(&evaluate_entry(session, expression, listen)?).to_string()))
            };
        "why" [Optional(Question)] "why something failed":
            "Lists each part of the value that does not match the type, and what would match; for `A <= B`, where A \
            is wider; for `A == B`, what differs. VALUE may be the path of a YAML or JSON file. Without an argument, explains \
            whatever failed last. `:why 2` opens the second folded branch of a Variant, `:why all` lists every wrong part."
            "why {'port' => '80'} =~ Struct[{port => Integer}]" => why::run_why;
        "format" [Required(Format)] "the last result, formatted":
            "FORMAT is any format that String.new accepts: `%x`, `%#p`, or a hash from types to formats; or `json`. \
            `:set format FORMAT` sets the format for all results."
            "format %#x" => show_formatted_result;
        "full" [Optional(Expression)] "a long result in full":
            "Shows the last result or, with an expression, its value; after `:why` the whole explanation. Output taller \
            than the screen is shown in $PAGER (default: less)."
            "full" => show_full_value;
        "time" [Required(Code)] "time a program":
            "Evaluates CODE like any entry: its values are shown and set `$_`. The time covers parsing and \
            evaluation, but not printing."
            "time [1, 2, 3].map |$n| { $n * 2 }" => |_, code, _| Ok(Reply::Asked(Request::Time(code.to_owned())));
        "ast" [Required(Code)] "parse a program":
            "Shows the syntax tree in Puppet Extended S-Expression Notation, without evaluating it."
            "ast 1 + 2 * 3" => show_syntax_tree;
        "definition" [Required(Name)] "the code of a definition":
            "Shows where a type alias, a function, a class, a defined type or a `$variable` is defined, and its code. \
            Short form: `??NAME`. `:edit NAME` opens it in your editor."
            "definition abs" => |session, name, _| definitions::show_definition(session, name);
};

fn last_result(session: &Session) -> Result<Value, Reply> {
    let none = || Reply::Refused("no result yet; enter an expression first".to_owned());
    session.variable("_").cloned().ok_or_else(none)
}

fn show_full_value(session: &mut Console, expression: &str, listen: &mut Listener<'_>) -> Answer {
    let value = match (expression, &session.entries.last_full_explanation) {
        ("", Some(explanation)) => return Ok(Reply::Text(explanation.clone())),
        ("", None) => last_result(session)?,
        _ => evaluate_entry(session, expression, listen)?,
    };
    Ok(Reply::Asked(Request::Show(value)))
}

fn show_formatted_result(session: &mut Console, written: &str, _: &mut Listener<'_>) -> Answer {
    let value = last_result(session)?;
    let format = session.parse_format(written)?;
    Ok(Reply::Verbatim(in_format(&value, &format)?))
}

fn show_syntax_tree(session: &mut Console, code: &str, _: &mut Listener<'_>) -> Answer {
    let tree =
        syntax::parse(&session.next_entry_source(code)).map_err(|error| redact_error(error, session.secrets()))?;
    let pn = syntax::pn::to_pn(&tree);
    Ok(Reply::Verbatim(session.secrets().redact(&pn).unwrap_or(pn)))
}
