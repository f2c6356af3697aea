//! The commands about the data that `lookup` finds: `:data`, `:lookup`.

use super::{Answer, Console, Error, Listener, Reply, Session, Source, Value, evaluate_or_read_data, format_columns};
use crate::data::hiera::LOOKUP_OPTIONS;
use crate::files::display_path;
use crate::format::program_text;
use crate::functions::LookupStep;
use crate::value::Hash;
use crate::wording::{pluralize, shorten};

const MAX_VALUE_CHARACTERS: usize = 60;

/// If `:data` finds more data files than this, it lists only those that exist, however many, and counts the others.
const MAX_ROWS: usize = 20;

const MISSING: &str = "  (not there)";

fn evaluate_with_lookup_steps(
    session: &mut Session,
    code: &str,
    listen: &mut Listener<'_>,
) -> (Result<Value, Error>, Vec<LookupStep>) {
    session.environment.state.context_cache.lookup_steps = Some(Vec::new());
    let result = evaluate_or_read_data(session, &Source::new("lookup", code), listen);
    (result, session.environment.state.context_cache.lookup_steps.take().unwrap_or_default())
}

pub(super) fn show_data_hierarchy(session: &mut Console, argument: &str, _: &mut Listener<'_>) -> Answer {
    for word in argument.split_whitespace() {
        match word.split_once('=') {
            Some(("node", name)) if !name.is_empty() => session.set_node(name),
            Some(("facts", path)) if let Some(facts) = session.data_of_file(path) => {
                session.set_facts(&facts?.as_hash().cloned().unwrap_or_default());
            }
            _ => return Err(Reply::Refused("expected `node=NAME` or `facts=FILE` after `:data`".to_owned())),
        }
    }
    // Every level is visited to merge the values of a key. That paths lack facts shows in the rows.
    let (result, steps) = evaluate_with_lookup_steps(session, "lookup('data', Any, 'unique', undef)", &mut |_| {});
    let row = |step: &LookupStep| {
        let LookupStep::Place { key, level, file, document, .. } = step else { return None };
        let place = match document {
            Some(document) => format!("{file}  {}", pluralize(document.value.as_hash().map_or(0, Hash::len), "key")),
            None if is_file_origin(file) => format!("{file}{MISSING}"),
            None => file.clone(),
        };
        (key == "data").then(|| (format!("  {level}"), place))
    };
    let mut rows: Vec<(String, String)> = steps.iter().filter_map(row).collect();
    let mut lines = vec![session.environment.state.environment_directory.as_ref().map_or_else(
        || "no hiera.yaml here: lookup finds the data of modules and of --data".to_owned(),
        |directory| format!("{}:", display_path(&directory.join("hiera.yaml"))),
    )];
    let total = rows.len();
    if total > MAX_ROWS {
        rows.retain(|(_, place)| !place.ends_with(MISSING));
    }
    lines.extend((!rows.is_empty()).then(|| format_columns(&rows)));
    lines.extend((rows.len() < total).then(|| format!("  {}{MISSING}", pluralize(total - rows.len(), "more file"))));
    lines.extend(result.err().map(|error| error.message().to_owned()));
    let node = session.node_name.as_deref().unwrap_or("none; `:data node=NAME` sets it");
    lines.push(format!("node: {node}"));
    lines.push(match session.facts.len() {
        0 => "facts: none; `:data facts=FILE` and `:set facts.os.family RedHat` set them".to_owned(),
        count => format!("facts: {count}"),
    });
    Ok(Reply::Text(lines.join("\n")))
}

pub(super) fn explain_lookup(session: &mut Console, key: &str, listen: &mut Listener<'_>) -> Answer {
    let key = key.trim_matches(['\'', '"']);
    let (result, steps) =
        evaluate_with_lookup_steps(session, &format!("lookup({})", program_text(&Value::from(key))), listen);
    // What other keys it reads comes after the key itself.
    let first = key.split('.').next().unwrap_or(key);
    let mut keys = Vec::new();
    for step in &steps {
        let (LookupStep::Place { key, .. } | LookupStep::Option { key, .. }) = step;
        if key != LOOKUP_OPTIONS && key != first && !keys.contains(&&**key) {
            keys.push(key);
        }
    }
    let mut lines = describe_lookup_steps(first, &steps);
    for key in keys {
        lines.push(format!("it reads {key}:"));
        lines.extend(describe_lookup_steps(key, &steps).into_iter().map(|line| format!("  {line}")));
    }
    match result {
        Ok(value) => Ok(Reply::Text(format!("{}\n=> {}", lines.join("\n"), program_text(&value)))),
        Err(error) if error.message().contains("no value for") || error.message().ends_with("has no data") => {
            lines.push(error.message().to_owned());
            lines.extend(error.help().iter().map(|help| format!("  {help}")));
            Ok(Reply::Text(lines.join("\n")))
        }
        Err(error) => Err(lines.into_iter().fold(error, Error::with_help).into()),
    }
}

/// Whether `place`, the origin of data in a lookup step, is a file rather than a command-line option or a function.
fn is_file_origin(place: &str) -> bool {
    !place.starts_with("--") && !place.ends_with("()")
}

/// Returns lines with each place that has a value for the key `wanted`, and how the values are merged and converted.
fn describe_lookup_steps(wanted: &str, steps: &[LookupStep]) -> Vec<String> {
    let (mut rows, mut without, mut missing, mut options) = (Vec::new(), 0, 0, Vec::new());
    for step in steps {
        match step {
            LookupStep::Place { key, level, file, document, value } if key == wanted => match value {
                Some(value) => {
                    let place = position_of_key(step, &[wanted]).unwrap_or_else(|| file.clone());
                    rows.push((level, format!("{place}  {}", shorten(&program_text(value), MAX_VALUE_CHARACTERS))));
                }
                None if document.is_some() => without += 1,
                None => missing += usize::from(is_file_origin(file)),
            },
            LookupStep::Option { key, row, text } if key == wanted => {
                let place = steps.iter().find_map(|step| position_of_key(step, &[LOOKUP_OPTIONS, row]));
                options.push(place.map_or_else(|| text.clone(), |place| format!("{text} (lookup_options, {place})")));
            }
            _ => {}
        }
    }
    let mut lines: Vec<String> = format_columns(&rows).lines().map(str::to_owned).collect();
    let counts = [(without, "without the key"), (missing, "not there")].into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, what)| format!("{} {what}", pluralize(count, "file"))).collect();
    lines.extend((!counts.is_empty()).then(|| counts.join(", ")));
    lines.extend(options);
    lines
}

/// Returns the file and line of the key at a path of nested keys in the file of `step`: `data/common.yaml:3`.
fn position_of_key(step: &LookupStep, path: &[&str]) -> Option<String> {
    let LookupStep::Place { file, document: Some(document), .. } = step else { return None };
    let (last, path) = path.split_last()?;
    let outer = path
        .iter()
        .try_fold(&document.place, |place, key| Some(&place.last_entry(&Value::from(*key))?.value_location))?;
    let start = outer.last_entry(&Value::from(*last))?.key_span.range().start;
    Some(format!("{file}:{}", document.source.position(start).line))
}
