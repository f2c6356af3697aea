//! `pcore infer`: the type that an author would write for data.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs};

use pcore::data::{self, Format};
use pcore::explain::shape::type_text;
use pcore::text::Source;
use pcore::value::Value;

use super::{Common, Ending, Error, Outcome, Output, Stop, input, usage_error};

pub(super) fn print_type(files: &[PathBuf], name: Option<&str>, common: &Common, output: &mut Output) -> Ending {
    let mut samples = Vec::new();
    for file in files {
        samples.extend(read_samples(file, common)?);
    }
    let mut session = common.session();
    let aliases = session.alias_names();
    let aliases = session.types_named(&aliases);
    let classes = class_parameters(&samples);
    if name.is_none() && !classes.is_empty() {
        for (class, parameters) in classes {
            output.say(&format!("class {class} ("))?;
            for (parameter, values) in parameters {
                let type_ = type_text(values, &aliases, Some(parameter));
                output.say(&format!("  {} ${parameter},", type_.replace('\n', "\n  ")))?;
            }
            output.say(") { }")?;
        }
        return Ok(Outcome::Fine);
    }
    let type_ = type_text(&samples, &aliases, None);
    let Some(name) = name else {
        output.say(&type_)?;
        return Ok(Outcome::Fine);
    };
    let path = name.trim_start_matches("::").to_lowercase();
    let (module, path) = path.split_once("::").unwrap_or((&path, "init"));
    let directory = match common.module_directory(module) {
        Some(directory) => directory,
        // Without a project, below the working directory.
        None if common.project().root.is_none() => PathBuf::new(),
        None => return Err(usage_error(format!("no module {module} in this project: {name} would not be found"))),
    };
    let path = path.replace("::", "/");
    let file = directory.join("types").join(format!("{path}.pp"));
    if file.exists() {
        return Err(format!("{} exists already", file.display()).into());
    }
    file.parent().map(fs::create_dir_all).transpose()?;
    fs::write(&file, format!("type {name} = {type_}\n"))?;
    output.say(&format!("wrote {}", file.display()))?;
    Ok(Outcome::Fine)
}

fn read_samples(file: &Path, common: &Common) -> Result<Vec<Value>, Stop> {
    let source = input::read_source(file)?;
    let is_lines = matches!(input::extension(file), "jsonl" | "ndjson");
    let format = if file == Path::new("-") { Some(Format::Yaml) } else { Format::of_path(file) };
    let value = match format {
        _ if is_lines => {
            let lines = source.text().lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let line = |(at, line): (usize, &str)| data::read(Format::Json, &Source::part(source.name(), line, at, 0));
            let values = lines.map(line).map(|document| document.map(|document| document.value));
            return Ok(values.collect::<Result<Vec<Value>, Error>>()?);
        }
        Some(format) => data::read(format, &source)?.value,
        None => common.session().evaluate(&source, &mut |_| {})?,
    };
    Ok(vec![value])
}

/// The parameters that Hiera data sets, by class, with all values found for each; empty if the data is not Hiera data.
fn class_parameters(samples: &[Value]) -> BTreeMap<&str, BTreeMap<&str, Vec<&Value>>> {
    let mut classes: BTreeMap<&str, BTreeMap<&str, Vec<&Value>>> = BTreeMap::new();
    for sample in samples {
        let Value::Hash(entries) = sample else { return BTreeMap::new() };
        for (key, value) in entries.iter() {
            if let Value::String(key) = key
                && let Some((class, parameter)) = key.rsplit_once("::")
            {
                classes.entry(class).or_default().entry(parameter).or_default().push(value);
            }
        }
    }
    classes
}
