//! `pcore infer`: finds the type that an author would write for sample data.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs};

use pcore::data::{self, Format};
use pcore::explain::shape::type_text;
use pcore::{session::Session, text::Source, value::Value};

use super::{Answer, CommonOptions, Error, StopReason, arguments::working_directory, input, usage_error};

/// Returns the type of the samples in `files`, or the parameters of classes; with `name`, writes the type to a file.
pub(super) fn inferred_type(files: &[PathBuf], name: Option<&str>, common: &CommonOptions) -> Answer {
    let samples = files.iter().map(|file| read_samples(file, common)).collect::<Result<Vec<_>, _>>()?.concat();
    let aliases = common.new_session().alias_types(Session::alias_names);
    let classes = class_parameter_values(&samples);
    if name.is_none() && !classes.is_empty() {
        let parameter = |(name, values): (&str, Vec<&Value>)| {
            format!("  {} ${name},\n", type_text(values, &aliases, Some(name)).replace('\n', "\n  "))
        };
        let class = |(class, parameters): (&str, BTreeMap<&str, Vec<&Value>>)| {
            format!("class {class} (\n{}) {{ }}", parameters.into_iter().map(parameter).collect::<String>())
        };
        return Ok(classes.into_iter().map(class).collect::<Vec<_>>().join("\n"));
    }
    let type_ = type_text(&samples, &aliases, None);
    let Some(name) = name else { return Ok(type_) };
    let path = name.trim_start_matches("::").to_lowercase();
    let (module, path) = path.split_once("::").unwrap_or((&path, "init"));
    let project = common.current_project();
    let directory = match project.module_directory(module) {
        Some(directory) => directory.strip_prefix(working_directory()).map_or(directory.clone(), Path::to_owned),
        // Without a project, below the working directory.
        None if project.root.is_none() => PathBuf::new(),
        None => return Err(usage_error(format!("no module {module} in this project: {name} would not be found"))),
    };
    let path = path.replace("::", "/");
    let file = directory.join("types").join(format!("{path}.pp"));
    if file.exists() {
        return Err(format!("{} exists already", file.display()).into());
    }
    file.parent().map(fs::create_dir_all).transpose()?;
    fs::write(&file, format!("type {name} = {type_}\n"))?;
    Ok(format!("wrote {}", file.display()))
}

fn read_samples(file: &Path, common: &CommonOptions) -> Result<Vec<Value>, StopReason> {
    let source = input::read_source(file)?;
    let is_lines = matches!(input::extension(file), "jsonl" | "ndjson");
    let format = if file == Path::new("-") { Some(Format::Yaml) } else { Format::from_path(file) };
    let value = match format {
        _ if is_lines => {
            let lines = source.text().lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let line =
                |(at, line): (usize, &str)| data::read(Format::Json, &Source::with_offset(source.name(), line, at, 0));
            let values = lines.map(line).map(|document| document.map(|document| document.value));
            return Ok(values.collect::<Result<Vec<Value>, Error>>()?);
        }
        Some(format) => data::read(format, &source)?.value,
        None => common.new_session().evaluate(&source, &mut |_| {})?,
    };
    Ok(vec![value])
}

/// Returns the values that `samples` of Hiera data set, by class and parameter; empty if a sample is not a hash.
fn class_parameter_values(samples: &[Value]) -> BTreeMap<&str, BTreeMap<&str, Vec<&Value>>> {
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
