//! `pcore check`: data files against a type, Hiera data against the classes of modules, the types in Puppet files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcore::check::{Checked, Checker, Finding, against};
use pcore::data::{self, Document, Format};
use pcore::error::Error;
use pcore::report::Severity;
use pcore::text::Source;
use pcore::types::Type;
use pcore::types::relation::mismatch::{Step, pointer};
use pcore::value::Value;
use pcore::wording::counted;
use serde_json::{Value as Json, json};

use super::arguments::Common;
use super::error_json::failure;
use super::output::Output;
use super::show;
use super::watchdog::Watchdog;
use super::{Ending, Outcome, input};

/// Checks the given files and those in the given directories.
pub(super) fn check(
    paths: &[PathBuf],
    type_: Option<&str>,
    json: bool,
    common: &Common,
    output: &mut Output,
) -> Ending {
    let type_ = match type_.map(|text| expected_type(text, common)) {
        None => None,
        Some(Ok(type_)) => Some(type_),
        Some(Err(error)) => {
            let text = show::error(&error, Severity::Error, output.error_palette);
            output.report(&text)?;
            return Ok(Outcome::Usage);
        }
    };
    let mut tally = Tally::default();
    let contents = contents(paths, type_.is_some(), &mut tally, output)?;
    let mut watchdog = Watchdog::start();
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
            (Content::Program(source), type_) => {
                // Declarations in one file are not visible in another.
                let mut session = common.session();
                let _watch = watchdog.watch(session.interrupt.clone(), session.limits, true);
                match type_ {
                    Some(type_) => session.check_program(source, type_),
                    None => session.check_declarations(source),
                }
            }
        };
        tally.add(&checked);
        if json {
            output.say(&as_json(path, &checked).to_string())?;
        } else {
            report(&checked, output)?;
        }
    }
    if !json {
        output.say(&tally.summary())?;
    }
    Ok(if tally.wrong + tally.missing == 0 { Outcome::Fine } else { Outcome::Failed })
}

/// Reads the given files and those in the given directories. Unreadable ones are reported and counted.
fn contents(
    paths: &[PathBuf],
    only_data: bool,
    tally: &mut Tally,
    output: &mut Output,
) -> io::Result<Vec<(PathBuf, Content)>> {
    let mut contents = Vec::new();
    for path in paths {
        let read = |path: PathBuf| Content::of(&path).map(|content| (path, content));
        let read: Vec<Result<(PathBuf, Content), String>> =
            match input::files_below(path, &|path| is_checked(path, only_data)) {
                Ok(files) => files.into_iter().map(read).collect(),
                Err(message) => vec![Err(message)],
            };
        for content in read {
            match content {
                Ok(content) => contents.push(content),
                Err(message) => {
                    tally.missing += 1;
                    output.complain(&message)?;
                }
            }
        }
    }
    Ok(contents)
}

/// The most findings that are shown of one file.
const MAX_SHOWN: usize = 100;

fn report(checked: &Checked, output: &mut Output) -> io::Result<()> {
    for finding in checked.findings.iter().take(MAX_SHOWN) {
        let severity = if finding.is_error { Severity::Error } else { Severity::Warning };
        output.report(&show::error(&finding.error, severity, output.error_palette))?;
    }
    match checked.findings.len().saturating_sub(MAX_SHOWN) {
        0 => Ok(()),
        more => output.report(&format!("… and {more} more in this file; use --json to list all")),
    }
}

/// The type named by `--type`.
fn expected_type(text: &str, common: &Common) -> Result<Type, Error> {
    common.session().type_of_text(&Source::new("--type", text))
}

/// The content of a file.
enum Content {
    Data(Document),
    Program(Arc<Source>),
    Unreadable(Error),
}

impl Content {
    /// Reads a file; without a data extension it is a program. Standard input is YAML, which includes JSON.
    fn of(path: &Path) -> Result<Content, String> {
        let source = input::file(path)?;
        let format = if path == Path::new("-") { Some(Format::Yaml) } else { Format::of_path(path) };
        Ok(match format {
            None => Content::Program(source),
            Some(format) => data::read(format, &source).map_or_else(Content::Unreadable, Content::Data),
        })
    }
}

/// Whether a file in a directory is to be checked; against a type only data files are.
fn is_checked(path: &Path, only_data: bool) -> bool {
    let is_program = path.extension().is_some_and(|extension| extension == "pp");
    Format::of_path(path).is_some() || (is_program && !only_data)
}

/// Counts over all files.
#[derive(Default)]
struct Tally {
    files: usize,
    /// Values compared with a type.
    compared: usize,
    /// Files with errors.
    wrong: usize,
    /// Unreadable files and directories.
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
            (0, 0) => "nothing to check: no key matches a parameter of a known class; see `pcore check --help`",
            (0, _) => "all fit",
            (errors, _) => &format!("{} in {}", counted(errors, "error"), counted(self.wrong, "file")),
        };
        format!("{files}, {} compared: {outcome}", counted(self.compared, "value"))
    }
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

/// An error with its severity and, for a mismatch, the path, the expected type and the value.
fn finding_as_json(finding: &Finding) -> Json {
    let mut json = failure(&finding.error);
    json.shift_remove("ok");
    json.shift_insert(0, "severity".to_owned(), if finding.is_error { "error" } else { "warning" }.into());
    if let Some(mismatch) = &finding.mismatch {
        json.insert("kind".to_owned(), mismatch.reason.kind().into());
        json.insert("path".to_owned(), mismatch.path.iter().map(step_as_json).collect());
        json.insert("pointer".to_owned(), pointer(&mismatch.path).into());
        json.insert("expected".to_owned(), mismatch.expected.to_string().into());
        json.insert("found".to_owned(), mismatch.found.to_string().into());
        let suggestions = mismatch.suggestions.iter().filter(|suggestion| !suggestion.is_code);
        json.insert("suggestions".to_owned(), suggestions.map(|suggestion| suggestion.text.clone()).collect());
    }
    Json::Object(json)
}

/// A number for an element, a string for a key.
fn step_as_json(step: &Step) -> Json {
    match step {
        Step::Element(at) => (*at).into(),
        Step::Attribute(name) => name.as_str().into(),
        Step::Key(Value::String(key)) | Step::Entry(Value::String(key)) => (&**key).into(),
        Step::Key(key) | Step::Entry(key) => pcore::format::program_text(key).into(),
    }
}
