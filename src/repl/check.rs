//! `pcore check`: data files against a type, Hiera's data against the classes of modules, Puppet files against themselves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcore::data::{self, Document, Format};
use pcore::error::Error;
use pcore::session::check::{Checked, Checker, Finding, against};
use pcore::text::Source;
use pcore::types::Type;
use pcore::types::mismatch::{Mismatch, Problem, Step};
use pcore::value::Value;
use serde_json::{Value as Json, json};

use super::arguments::Common;
use super::error_json::failure;
use super::output::Output;
use super::show::{self, Weight};
use super::{Ending, Outcome, input};

/// Checks all files, and those in all folders.
pub(super) fn check(
    paths: &[PathBuf],
    type_: Option<&str>,
    json: bool,
    common: &Common,
    output: &mut Output,
) -> Ending {
    let type_ = match type_.map(|text| asked_type(text, common)) {
        None => None,
        Some(Ok(type_)) => Some(type_),
        Some(Err(error)) => {
            let text = show::error(&error, Weight::Error, None, output.error_palette);
            output.report(&text)?;
            return Ok(Outcome::Usage);
        }
    };
    let mut files = Vec::new();
    for path in paths {
        gather(path, type_.is_some(), &mut files)?;
    }
    let mut tally = Tally::default();
    let mut contents = Vec::new();
    for path in &files {
        match Content::of(path) {
            Ok(content) => contents.push((path, content)),
            Err(message) => {
                tally.missing += 1;
                output.complain(&message)?;
            }
        }
    }
    let mut session = common.session();
    let documents = contents.iter().filter_map(|(_, content)| match content {
        Content::Data(document) => Some(document),
        Content::Program(_) | Content::Unreadable(_) => None,
    });
    let mut checker = Checker::new(&mut session, documents);
    for (path, content) in &contents {
        let checked = match (content, &type_) {
            (Content::Unreadable(error), _) => Checked::unreadable(error.clone()),
            (Content::Data(document), Some(type_)) => against(document, type_),
            (Content::Data(document), None) => checker.check(document),
            // What one file declares is none of another's business.
            (Content::Program(source), Some(type_)) => common.session().check_program(source, type_),
            (Content::Program(source), None) => common.session().check_declarations(source),
        };
        tally.add(&checked);
        if json {
            output.say(&as_json(path, &checked).to_string())?;
            continue;
        }
        for finding in &checked.findings {
            let weight = if finding.is_error { Weight::Error } else { Weight::Warning };
            let text = show::error(&finding.error, weight, None, output.error_palette);
            output.report(&text)?;
        }
    }
    if !json {
        output.say(&tally.summary())?;
    }
    Ok(if tally.wrong + tally.missing == 0 { Outcome::Fine } else { Outcome::Failed })
}

/// The type that `--type` names.
fn asked_type(text: &str, common: &Common) -> Result<Type, Error> {
    common.session().type_of_text(&Source::new("--type", text))
}

/// A file as it was read.
enum Content {
    Data(Document),
    Program(Arc<Source>),
    Unreadable(Error),
}

impl Content {
    /// Reads a file; what has no other ending is a program. Standard input is YAML, which JSON is too.
    fn of(path: &Path) -> Result<Content, String> {
        let source = input::file(path)?;
        let format = if path == Path::new("-") { Some(Format::Yaml) } else { Format::of_path(path) };
        Ok(match format {
            None => Content::Program(source),
            Some(format) => data::read(format, &source).map_or_else(Content::Unreadable, Content::Data),
        })
    }
}

/// Adds a file, or the files in a folder and its folders in alphabetical order, without those whose names begin with a
/// point. For a type only data is looked for.
fn gather(path: &Path, data_alone: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for entry in entries {
        let is_hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_program = !data_alone && entry.extension().is_some_and(|extension| extension == "pp");
        if !is_hidden && (entry.is_dir() || is_program || Format::of_path(&entry).is_some()) {
            gather(&entry, data_alone, files)?;
        }
    }
    Ok(())
}

/// What is counted over all files.
#[derive(Default)]
struct Tally {
    files: usize,
    /// Values that were compared with a type.
    compared: usize,
    /// Files in which something is wrong.
    wrong: usize,
    /// Files that cannot be read at all.
    missing: usize,
    errors: usize,
}

impl Tally {
    fn add(&mut self, checked: &Checked) {
        self.files += 1;
        self.compared += checked.compared;
        self.wrong += usize::from(!checked.is_fine());
        self.errors += checked.findings.iter().filter(|finding| finding.is_error).count();
    }

    fn summary(&self) -> String {
        let files = counted(self.files, "file");
        let outcome = match (self.errors, self.compared) {
            (0, 0) => {
                "nothing to check: no key names a parameter of a class that can be found; see `pcore check --help`"
            }
            (0, _) => "all fit",
            (errors, _) => &format!("{} in {}", counted(errors, "error"), counted(self.wrong, "file")),
        };
        format!("{files}, {} compared: {outcome}", counted(self.compared, "value"))
    }
}

/// `1 file`, `2 files`
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// `{"file": …, "ok": …, "compared": …, "findings": […]}`
fn as_json(path: &Path, checked: &Checked) -> Json {
    let findings: Vec<Json> = checked.findings.iter().map(finding_as_json).collect();
    json!({
        "file": path.display().to_string(),
        "ok": checked.is_fine(),
        "compared": checked.compared,
        "findings": findings,
    })
}

/// What an error tells, its severity, and what did not fit.
fn finding_as_json(finding: &Finding) -> Json {
    let mut json = failure(&finding.error);
    json.shift_remove("ok");
    json.shift_insert(0, "severity".to_owned(), if finding.is_error { "error" } else { "warning" }.into());
    if let Some(Mismatch { path, problem }) = &finding.mismatch {
        json.insert("path".to_owned(), path.iter().map(step_as_json).collect());
        if let Problem::Unfit { expected, got } = problem {
            json.insert("expected".to_owned(), expected.to_string().into());
            json.insert("found".to_owned(), pcore::format::program_text(got).into());
        }
    }
    Json::Object(json)
}

/// A number for an element, a text for a key.
fn step_as_json(step: &Step) -> Json {
    match step {
        Step::Element(at) => (*at).into(),
        Step::Key(Value::String(key)) | Step::Entry(Value::String(key)) => (&**key).into(),
        Step::Key(key) | Step::Entry(key) => pcore::format::program_text(key).into(),
    }
}
