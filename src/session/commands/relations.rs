//! The commands that compare types: `:hierarchy`, `:sub`, `:diff`, `:examples`, `:match` …

#![expect(clippy::indexing_slicing, reason = "the numbers are those of nodes of the tree")]

use std::collections::BTreeSet;

use super::{
    Answer, CommandGroup, Console, Error, Listener, Reply, Session, Source, Value, evaluate_entry,
    evaluate_or_read_data, format_columns, limit_lines, why,
};
use crate::explain::difference::{Difference, differences};
use crate::explain::hierarchy::{TypeHierarchy, TypeNode};
use crate::explain::rewrite::{simplified, with_aliases_expanded};
use crate::explain::{counterexample, examples, meet, mismatch, shape::type_text};
use crate::syntax::tree::BinaryOperator::{And, Before, In, Less, LessOrEqual, Or};
use crate::syntax::tree::{Expression, Id};
use crate::types::describe::{describe, shorten};
use crate::types::{self, Type};
use crate::wording::{pad_to_width, wrap_line};
use crate::{format, syntax};

pub(super) static COMMANDS: CommandGroup = commands! {
    "types":
        "hierarchy" [Optional(Type)] "a type in the hierarchy":
            "Shows the tree of all types with your aliases, or the place of TYPE in it. A type is listed once, below \
            the narrowest type that accepts it. Other types that accept it are listed below the tree: an Integer is \
            also Iterable."
            "hierarchy Integer[1, 10]" => show_hierarchy;
        "sub" or "s" [Required(Types)] "compare two types":
            "Shows whether every value of the first type is also of the second, as `A <= B` does, with an example of \
            a value of one type only. A value may be given instead of a type; its type is used."
            "sub Integer[1, 10], Integer[5]" => compare_types;
        "common" [Required(Types)] "the common type of several":
            "The narrowest type that accepts all of the given types: the element type of an Array of such values. A \
            value may be given instead of a type; its type is used."
            "common Integer[1, 10], String" => show_common_type;
        "diff" [Required(Types)] "how two types differ":
            "Lists what became of each part on the way from the first type to the second: keys added and removed, \
            types widened and narrowed. `!` marks what breaks: values of the first type that are not of the second."
            "diff Struct[{port => Integer}], Struct[{port => Integer[1]}]" => show_type_difference;
        "meet" [Required(Types)] "what two types both accept":
            "A type of the values that are of both types, and one of these values. A value may be given instead of a \
            type; its type is used."
            "meet Integer[1, 10], Variant[String, Integer[5]]" => show_intersection;
        "examples" [Required(Type)] "matches and near misses":
            "Shows values of the type: the smallest, those at the bounds, one of each branch; then values that just \
            miss it, each with the reason."
            "examples Integer[1, 10]" => show_examples;
        "expand" [Required(Types)] "a type without aliases":
            "Replaces aliases by their meanings; with a number, only so many aliases inside of each other: `:expand \
            Port, 1`. A recursive alias keeps its name."
            "expand Variant[Data, Integer], 1" => expand_aliases;
        "simplify" [Required(Type)] "the same type, shorter":
            "Flattens Variants, merges Enums and ranges, and drops branches that others accept. The result accepts \
            exactly the same types."
            "simplify Variant[Integer[1, 5], Integer[4, 9], Optional[Integer]]" => simplify_type;
        "match" [Required(Expression)] "aliases accepting a value":
            "Lists your aliases and those of all modules that accept the value, the narrowest first."
            "match 80" => list_matching_aliases;
        "infer" [Required(Expression)] "a type for sample data":
            "Shows the type that an author would write for the value, or for the data in a YAML or JSON file: a Struct with Optional keys, an Enum for few \
            strings, aliases of modules that match. Several samples are the elements of an Array. `:type` shows the \
            exact type."
            "infer [{port => 80}, {port => 8080, tls => true}]" => infer_type;
};

fn show_hierarchy(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let tree = TypeHierarchy::with_aliases(&session.alias_types(Session::aliases));
    if code.is_empty() {
        let mut lines = vec![node_label(&tree.nodes()[0])];
        draw_subtree(&tree, tree.children(0).collect(), "", &mut lines);
        return Ok(Reply::Text(lines.join("\n")));
    }
    let [type_] = &evaluate_types(session, code, listen, "one type: `:hierarchy Integer`")?;
    let place = tree.find_position(type_);
    let own = tree.index_of_type(type_).map_or_else(|| type_label(type_), |at| node_label(&tree.nodes()[at]));
    let mut above: Vec<String> = place.above.iter().map(|at| node_label(&tree.nodes()[*at])).collect();
    // The type of a string has the name of all strings.
    above.pop_if(|last| *last == own);
    let path = above.into_iter().chain([format!("{own}  ◀")]).enumerate();
    let line = |(depth, label): (usize, String)| match depth {
        0 => label,
        _ => format!("{}└─ {label}", "   ".repeat(depth - 1)),
    };
    let mut lines: Vec<String> = path.map(line).collect();
    draw_subtree(&tree, place.below, &"   ".repeat(place.above.len()), &mut lines);
    for (relation, nodes) in [("the same as", &place.equivalent), ("also accepted by", &place.also_above)] {
        let names: Vec<String> = nodes.iter().map(|at| tree.nodes()[*at].type_.to_string_as_parameter()).collect();
        lines.extend((!names.is_empty()).then(|| format!("{relation}: {}", names.join(", "))));
    }
    Ok(Reply::Text(lines.join("\n")))
}

fn draw_subtree(tree: &TypeHierarchy, children: Vec<usize>, indent: &str, lines: &mut Vec<String>) {
    let last = children.last().copied();
    for child in children {
        let (edge, below) = if Some(child) == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        lines.push(format!("{indent}{edge}{}", node_label(&tree.nodes()[child])));
        draw_subtree(tree, tree.children(child).collect(), &format!("{indent}{below}"), lines);
    }
}

fn node_label(node: &TypeNode) -> String {
    node.row.map_or_else(|| type_label(&node.type_), str::to_owned)
}

fn type_label(type_: &Type) -> String {
    const MAX_LABEL_CHARACTERS: usize = 72;
    shorten(&type_.to_string(), MAX_LABEL_CHARACTERS)
}

fn compare_types(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let [a, b] = &evaluate_types(session, code, listen, "two types: `:sub Integer[1, 10], Integer[5]`")?;
    let [name_a, name_b] = [a, b].map(type_label);
    let unsound = |a: &Type, b: &Type| {
        counterexample::in_difference(a, &[b])
            .map(|value| why::describe_unsound_subtype(&type_label(a), &type_label(b), &value))
    };
    let mut lines = Vec::new();
    match (b.accepts(a), a.accepts(b)) {
        (true, true) => {
            lines.push(format!("yes, and vice versa: {name_a} and {name_b} accept each other"));
            lines.extend([unsound(a, b), unsound(b, a)].into_iter().flatten());
        }
        (true, false) => {
            let yes = || format!("yes: every value of {name_a} is a value of {name_b}");
            lines.push(unsound(a, b).unwrap_or_else(yes));
            lines.push(format!("but not vice versa: {}", explain_not_accepted(b, a, Type::to_string_as_parameter)));
        }
        (false, back) => {
            lines.push(format!("no: {}", explain_not_accepted(a, b, type_label)));
            lines.extend(counterexample_reasons(a, b));
            lines.push(match counterexample::find_common_value(a, b) {
                _ if back => "the converse is true".to_owned(),
                Some(value) => format!("and not vice versa; {} is of both types", describe(&value)),
                None if meet::is_empty_type(&meet::meet(a, b)) => {
                    "and not vice versa; no value is of both types".to_owned()
                }
                None => "and not vice versa; no common value was found".to_owned(),
            });
        }
    }
    Ok(Reply::Text(lines.join("\n")))
}

/// Explains why `b` does not accept `a`: by a value of `a` but not of `b` or, if none is found, by Puppet's rules.
pub(super) fn explain_not_accepted(a: &Type, b: &Type, text: fn(&Type) -> String) -> String {
    if let Some(value) = counterexample::in_difference(a, &[b]) {
        return format!("{} is of type {}, but not of type {}", describe(&value), text(a), text(b));
    }
    let [short_a, short_b] = [a, b].map(Type::to_string_as_parameter);
    match b {
        Type::Variant(_) => {
            format!("no single type of {short_b} accepts all of {short_a}, and types are compared only one by one")
        }
        Type::Callable(_) => format!(
            "{short_b} does not accept {short_a}: a callable must accept at least these arguments, and return no other types"
        ),
        _ => "Puppet's rules reject it, but no counterexample was found".to_owned(),
    }
}

/// Explains which parts of a value of `a` do not match `b`; returns no lines if the type of the whole value is wrong.
fn counterexample_reasons(a: &Type, b: &Type) -> Vec<String> {
    let mismatch = counterexample::in_difference(a, &[b]).and_then(|value| mismatch::explain(b, &value));
    let telling = mismatch.filter(|mismatch| !mismatch.is_plain_type_mismatch());
    telling.iter().flat_map(mismatch::explanation_lines).map(|line| format!("  {line}")).collect()
}

const MAX_LINES: usize = 16;

fn show_type_difference(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let [before, after] = &evaluate_types(session, code, listen, "two types: `:diff Integer, Integer[1]`")?;
    let found = differences(before, after);
    if found.is_empty() {
        return Ok(Reply::Text("no difference: each type accepts the other".to_owned()));
    }
    let line = |difference: &Difference| format!("{} {difference}", if difference.breaks { "!" } else { " " });
    let mut lines = limit_lines(found.iter().map(line).collect(), MAX_LINES, "  ");
    let breaking = |from: &Type, to: &Type| match (to.accepts(from), counterexample::in_difference(from, &[to])) {
        (true, _) => None,
        (false, Some(value)) => Some(format!(", e.g. {}", describe(&value))),
        (false, None) => Some(String::new()),
    };
    lines.push(match breaking(before, after) {
        None => "whatever matches the first type matches the second: existing data and callers keep working".to_owned(),
        Some(example) => format!("some values of the first type no longer match{example}"),
    });
    lines.push(match breaking(after, before) {
        None => "whatever matches the second type matches the first".to_owned(),
        Some(example) => format!("the second type also accepts other values{example}"),
    });
    Ok(Reply::Text(lines.join("\n")))
}

fn show_intersection(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let [a, b] = &evaluate_types(session, code, listen, "two types: `:meet Integer[1, 10], Integer[5]`")?;
    let both = simplified(&meet::meet(a, b));
    let example = counterexample::find_common_value(a, b);
    if meet::is_empty_type(&both) && example.is_none() {
        return Ok(Reply::Text("no value is of both types".to_owned()));
    }
    let mut lines = vec![both.to_string()];
    if !meet::is_meet_exact(a, b) {
        lines.push("no type says it exactly: some values of this one are not of both".to_owned());
    }
    lines.extend(example.map(|value| format!("e.g. {}", describe(&value))));
    Ok(Reply::Text(lines.join("\n")))
}

fn infer_type(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let value = match session.data_of_file(code) {
        Some(value) => value?,
        None => evaluate_entry(session, code, listen)?,
    };
    let samples = value.as_array().map_or(std::slice::from_ref(&value), |samples| samples);
    Ok(Reply::Code(type_text(samples, &session.alias_types(Session::alias_names), None)))
}

const MAX_EXAMPLES: usize = 8;

fn show_examples(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let [type_] = evaluate_types(session, code, listen, "one type: `:examples Integer[1, 10]`")?;
    Ok(Reply::Text(example_lines(&type_, MAX_EXAMPLES)))
}

/// Returns lines with values that match a type, and near misses with their reasons; at most `count` of each.
pub(super) fn example_lines(type_: &Type, count: usize) -> String {
    let shown = examples::examples(type_, count);
    let mut lines = vec!["matches".to_owned()];
    lines.extend(shown.matches.iter().map(|value| format!("  {}", format::shortened_unredacted_text(value, 120))));
    lines.extend(shown.no_match_reason.map(|reason| format!("  none: {reason}")));
    if shown.has_look_around && shown.no_match_reason.is_none() {
        lines.push("  from a regular expression with look-around not all strings can be generated".to_owned());
    }
    lines.push("near misses".to_owned());
    let values = shown.near_misses.iter().map(|mismatch| format::shortened_unredacted_text(&mismatch.found, 60));
    let values: Vec<String> = values.collect();
    // A long value does not push the reasons of all the others to the right.
    let width = values.iter().map(|value| value.chars().count()).filter(|width| *width <= 32).max().unwrap_or(0);
    lines.extend(shown.near_misses.iter().zip(values).map(|(mismatch, value)| {
        let advice = mismatch::lines_below_message(mismatch).into_iter().next();
        let reason = match (mismatch.is_plain_type_mismatch(), advice) {
            (true, Some(advice)) => format!("{}; {advice}", mismatch.reason.describe_kind()),
            (true, None) => mismatch.reason.describe_kind().to_owned(),
            (false, advice) => advice.unwrap_or_default(),
        };
        let more = mismatch.leaves().len() - 1;
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        format!("  {}  # {}{more}", pad_to_width(&value, width), shorten(&reason, 110))
    }));
    lines.extend(shown.no_near_miss_reason.map(|reason| format!("  none: {reason}")));
    lines.join("\n")
}

fn expand_aliases(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let values = evaluate_values(session, code, listen)?;
    let (type_, levels) = match values.as_slice() {
        [Value::Type(type_)] => (type_, usize::MAX),
        [Value::Type(type_), Value::Integer(levels)] => (type_, usize::try_from(*levels).unwrap_or(0)),
        _ => return Err(wrong_argument_reply("a type, and how many levels: `:expand Port, 1`")),
    };
    Ok(Reply::Text(with_aliases_expanded(type_, levels).to_string()))
}

fn simplify_type(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let [type_] = evaluate_types(session, code, listen, "one type: `:simplify Variant[Integer, Numeric]`")?;
    let simple = simplified(&type_);
    let note = if simple == type_ { "\nnothing shorter was found" } else { "" };
    Ok(Reply::Text(format!("{simple}{note}")))
}

fn list_matching_aliases(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let value = evaluate_entry(session, code, listen)?;
    let mut accepting = session.alias_types(Session::alias_names);
    accepting.retain(|alias| alias.has_instance(&value));
    if accepting.is_empty() {
        return Ok(Reply::Text(format!("no alias accepts {}", describe(&value))));
    }
    let ranked = accepting.iter().map(|type_| {
        let not_wider = accepting.iter().filter(|other| !other.accepts(type_)).count();
        (not_wider, type_.to_string_as_parameter(), type_label(type_))
    });
    let ranked: BTreeSet<(usize, String, String)> = ranked.collect();
    Ok(Reply::Text(limit_lines(ranked.into_iter().map(|(_, _, label)| label).collect(), MAX_LINES, "  ").join("\n")))
}

fn show_common_type(session: &mut Console, code: &str, listen: &mut Listener<'_>) -> Answer {
    let types: Vec<Type> = evaluate_values(session, code, listen)?.into_iter().map(type_from_value).collect();
    let [first, second, rest @ ..] = types.as_slice() else {
        return Err(wrong_argument_reply("at least two types: `:common Integer, String`"));
    };
    let common = rest.iter().fold(first.common_type(second), |common, type_| common.common_type(type_));
    let mut lines = vec![common.to_string()];
    let name = common.to_string_as_parameter();
    if let Some(widest) = types.iter().find(|type_| type_.equals(&common)) {
        let others = if types.len() == 2 { "the other type" } else { "all the others" };
        lines.push(format!("{} accepts {others}", type_label(widest)));
    } else {
        let all: Vec<&Type> = types.iter().collect();
        match counterexample::in_difference(&common, &all) {
            Some(value) => {
                lines.push(format!("it is wider: {} also matches {name}", describe(&value)));
                lines.push(format!("exact union: {}", Type::one_of(types.iter().cloned()).to_string_as_parameter()));
            }
            None => lines.push("no value was found that matches only it".to_owned()),
        }
    }
    let left_out: Vec<_> = types.iter().filter(|one| !common.accepts(one)).map(Type::to_string_as_parameter).collect();
    if !left_out.is_empty() {
        lines.push(format!("undef is ignored: {name} does not accept {}", left_out.join(", ")));
    }
    Ok(Reply::Text(lines.join("\n")))
}

pub(super) fn list_types(session: &mut Console, part: &str, _: &mut Listener<'_>) -> Answer {
    let part = part.to_lowercase();
    let is_asked_for = |name: &str, summary: &str| {
        name.to_lowercase().contains(&part) || (!part.is_empty() && summary.to_lowercase().contains(&part))
    };
    let named = types::nameable_type_rows().filter(|row| is_asked_for(row.name, row.summary));
    let mut rows: Vec<(String, String)> = named.map(|row| (row.name.to_owned(), row.summary.to_owned())).collect();
    let resources: Vec<&str> =
        Type::core_resource_names().iter().copied().filter(|name| is_asked_for(name, "resource")).collect();
    for alias in session.alias_types(Session::aliases) {
        let (name, text) = (alias.to_string_as_parameter(), alias.to_string());
        if is_asked_for(&name, &text) {
            let meaning = text.strip_prefix(&name).map_or(&*text, |rest| rest.trim_start_matches(" = "));
            rows.push((name, format!("alias of {meaning}")));
        }
    }
    if !part.is_empty() {
        let mut of_modules = session.alias_names();
        of_modules.retain(|name| name.to_lowercase().contains(&part) && rows.iter().all(|(listed, _)| listed != name));
        rows.extend(of_modules.into_iter().map(|name| (name, "alias of a module".to_owned())));
    }
    let mut text = format_columns(&rows);
    if !resources.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text.push_str(&wrap_line(&format!("resource types: {}", resources.join(", ")), 90, 2));
    }
    if text.is_empty() {
        return Err(Reply::Refused(format!("no type has `{part}` in its name or summary; `:types` lists all")));
    }
    Ok(Reply::Text(text))
}

/// Evaluates code to `COUNT` types; takes the type of any other value. The error message says what was `expected`.
fn evaluate_types<const COUNT: usize>(
    session: &mut Session,
    code: &str,
    listen: &mut Listener<'_>,
    expected: &str,
) -> Result<[Type; COUNT], Reply> {
    let values = <[Value; COUNT]>::try_from(evaluate_values(session, code, listen)?)
        .map_err(|_| wrong_argument_reply(expected))?;
    Ok(values.map(type_from_value))
}

fn wrong_argument_reply(expected: &str) -> Reply {
    Reply::Refused(format!("expected {expected}"))
}

fn type_from_value(value: Value) -> Type {
    match value {
        Value::Type(type_) => type_,
        value => Type::of(&value),
    }
}

/// Evaluates the values in `code`, which are separated by commas, spaces or an operator such as `<=`, or in an array.
fn evaluate_values(session: &mut Session, code: &str, listen: &mut Listener<'_>) -> Result<Vec<Value>, Error> {
    let plain = session.next_entry_source(code);
    let tree = syntax::parse(&plain).or_else(|error| {
        syntax::parse(&Source::new(plain.name(), format!("[{}]", code.replace('|', ",")))).map_err(|_| error)
    })?;
    let parts = match tree.statements() {
        [only] => match &tree[*only].expression {
            Expression::Array(elements) => elements.to_vec(),
            Expression::Binary(LessOrEqual | Less | In | Before | And | Or, a, b) => vec![*a, *b],
            _ => vec![*only],
        },
        several => several.to_vec(),
    };
    let part = |id: Id| Source::new(plain.name(), tree.text_of(id));
    parts.into_iter().map(|id| evaluate_or_read_data(session, &part(id), listen)).collect()
}
