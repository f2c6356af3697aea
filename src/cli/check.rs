//! `pcore check`: data files against a type; or modules and their data against what they declare.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

use pcore::check::{
    Checked, Checker, Pieces, Rule, Unjudged, against, check_config as check_hiera_config, check_pieces, element_type,
};
use pcore::data::{self, Document, Format};
use pcore::error::Error;
use pcore::report::Severity;
use pcore::text::Source;
use pcore::types::Type;
use pcore::value::Value;
use pcore::wording::counted;

use super::arguments::{CheckOptions, Common};
use super::baseline::Baseline;
use super::check_config;
use super::findings::{Form, Shown};
use super::output::Output;
use super::show;
use super::watchdog::Watchdog;
use super::{Ending, Outcome, input};

/// Folders that are not checked: tests and what they use.
const SKIPPED: [&str; 4] = ["spec", "vendor", "fixtures", "node_modules"];

/// Folders with Hiera data where no `hiera.yaml` says otherwise.
const DATA_FOLDERS: [&str; 5] = ["data", "hieradata", "hiera", "hiera_data", "hiera-data"];

/// Checks the given files and those in the given directories; without any, the project.
pub(super) fn check(options: &CheckOptions, common: &Common, output: &mut Output) -> Ending {
    common.look_around(&options.paths);
    let type_ = match options.type_.as_deref().map(|text| expected_type(text, common)) {
        None => None,
        Some(Ok(type_)) => Some(type_),
        Some(Err(error)) => {
            let text = show::error(&error, Severity::Error, output.error_palette);
            output.report(&text)?;
            return Ok(Outcome::Usage);
        }
    };
    let paths = match (&options.paths[..], common.check_paths()) {
        ([], found) if type_.is_none() && !found.is_empty() => found,
        ([], _) => {
            let missing = "nothing to check: name files or directories, or run this inside a module, environment or control repository";
            output.complain(missing)?;
            return Ok(Outcome::Usage);
        }
        (given, _) => given.to_vec(),
    };
    let rules = match check_config::rules(options.lint.as_deref(), common.root().as_deref()) {
        Ok(rules) => rules,
        Err(message) => {
            output.complain(&message)?;
            return Ok(Outcome::Usage);
        }
    };
    let baseline = match options.baseline.as_deref().map(Baseline::read).transpose() {
        Ok(baseline) => baseline,
        Err(message) => {
            output.complain(&message)?;
            return Ok(Outcome::Usage);
        }
    };
    let mut run = Run {
        rules,
        baseline,
        recorded: options.write_baseline.is_some().then(Baseline::default),
        tally: Tally::default(),
        shown: Shown::new(options.form(), options.max_findings),
        is_explicit: HashSet::new(),
    };
    match &type_ {
        Some(type_) => run.against_type(&paths, type_, options, common, output)?,
        None => {
            let contents = run.contents(&paths, output)?;
            run.project(&contents, common, output)?;
        }
    }
    if let (Some(file), Some(recorded)) = (&options.write_baseline, &run.recorded) {
        if let Err(error) = recorded.write(file) {
            output.complain(&format!("cannot write {}: {error}", file.display()))?;
            return Ok(Outcome::Failed);
        }
        output.say(&format!("recorded {} in {}", counted(recorded.len(), "finding"), file.display()))?;
        return Ok(Outcome::Fine);
    }
    run.end(common, output)
}

/// The type named by `--type`.
fn expected_type(text: &str, common: &Common) -> Result<Type, Error> {
    common.session().type_of_text(&Source::new("--type", text))
}

/// The content of a file.
enum Content {
    Data(Box<Document>),
    /// `hiera.yaml`
    Config(Box<Document>),
    Program(Arc<Source>),
    Template(Arc<Source>),
    Unreadable(Error),
    /// YAML or JSON that belongs to something else.
    Other,
}

struct Run {
    rules: Vec<&'static Rule>,
    /// The findings to leave out.
    baseline: Option<Baseline>,
    /// The findings to record.
    recorded: Option<Baseline>,
    tally: Tally,
    shown: Shown,
    /// The files that were named, which are data whatever they are called.
    is_explicit: HashSet<PathBuf>,
}

impl Run {
    /// Reads the given files and those in the given directories. Unreadable ones are reported and counted.
    fn contents(&mut self, paths: &[PathBuf], output: &mut Output) -> io::Result<Vec<(PathBuf, Content)>> {
        let mut contents = Vec::new();
        for path in paths {
            if !path.is_dir() {
                self.is_explicit.insert(path.clone());
            }
            let below = input::files_below(path, &|file| is_checked(path, file, false));
            let files = match below {
                Ok(files) => files,
                Err(message) => {
                    self.missing(&message, output)?;
                    continue;
                }
            };
            let folders = data_folders(&files);
            for file in files {
                match self.content(&file, &folders) {
                    Ok(content) => contents.push((file, content)),
                    Err(message) => self.missing(&message, output)?,
                }
            }
        }
        Ok(contents)
    }

    /// Reads a file; without a data extension it is a program. Standard input is YAML, which includes JSON.
    fn content(&self, path: &Path, folders: &[PathBuf]) -> Result<Content, String> {
        let source = input::file(path)?;
        let format = if path == Path::new("-") { Some(Format::Yaml) } else { Format::of_path(path) };
        let Some(format) = format else {
            let is_template = path.extension().is_some_and(|extension| extension == "epp");
            return Ok(if is_template { Content::Template(source) } else { Content::Program(source) });
        };
        let is_data = self.is_explicit.contains(path) || is_in_data_folder(path, folders);
        let is_config = path.file_name().is_some_and(|name| name == "hiera.yaml");
        Ok(match data::read(format, &source) {
            Ok(document) if is_config => Content::Config(Box::new(document)),
            Ok(document) if is_data || looks_like_hiera(&document) => Content::Data(Box::new(document)),
            Err(error) if is_data || is_config => Content::Unreadable(error),
            Ok(_) | Err(_) => Content::Other,
        })
    }

    fn against_type(
        &mut self,
        paths: &[PathBuf],
        type_: &Type,
        options: &CheckOptions,
        common: &Common,
        output: &mut Output,
    ) -> io::Result<()> {
        let mut watchdog = Watchdog::start();
        for path in paths {
            let files = match input::files_below(path, &|file| is_checked(path, file, true)) {
                Ok(files) => files,
                Err(message) => {
                    self.missing(&message, output)?;
                    continue;
                }
            };
            for file in files {
                match pieces_of(&file, type_, options.jsonl) {
                    Some(pieces) => self.pieces(&file, pieces, type_, options, output)?,
                    None => match input::file(&file) {
                        Err(message) => self.missing(&message, output)?,
                        Ok(source) => {
                            let checked = match Format::of_path(&file) {
                                Some(format) => data::read(format, &source)
                                    .map_or_else(Checked::unreadable, |document| against(&document, type_)),
                                None => {
                                    let mut session = common.session();
                                    let _watch = watchdog.watch(session.interrupt.clone(), session.limits, true);
                                    session.check_program(&source, type_)
                                }
                            };
                            self.add(&file, checked, output)?;
                        }
                    },
                }
            }
        }
        Ok(())
    }

    fn missing(&mut self, message: &str, output: &mut Output) -> io::Result<()> {
        self.tally.missing += 1;
        output.complain(message)
    }

    /// Data that is checked piece by piece.
    fn pieces(
        &mut self,
        file: &Path,
        pieces: Pieces,
        type_: &Type,
        options: &CheckOptions,
        output: &mut Output,
    ) -> io::Result<()> {
        let is_standard_input = file == Path::new("-");
        let name = if is_standard_input { "<stdin>".to_owned() } else { file.display().to_string() };
        let mut input: Box<dyn BufRead> = if is_standard_input {
            Box::new(io::stdin().lock())
        } else {
            match File::open(file) {
                Ok(opened) => Box::new(BufReader::with_capacity(1 << 16, opened)),
                // Reading it as a whole has the words for what is wrong.
                Err(_) => return self.missing(&input::file(file).err().unwrap_or_default(), output),
            }
        };
        let (element, size) = match (pieces, element_type(type_)) {
            (Pieces::Elements, Some((element, least, most))) => (element, Some((least, most))),
            _ => (type_.clone(), None),
        };
        let jobs = if options.jobs == 0 { available_parallelism().map_or(1, usize::from) } else { options.jobs };
        let (mut count, mut whole) = (0, Checked::default());
        let mut each = |line: usize, checked: Checked| {
            count += 1;
            if options.jsonl {
                self.shown.verdict(line + 1, &checked, output)?;
                whole.compared += 1;
                whole.findings.extend(checked.findings.into_iter().take(1));
                return Ok(());
            }
            whole.compared += checked.compared;
            whole.findings.extend(checked.findings);
            Ok(())
        };
        check_pieces(&mut *input, &name, pieces, &element, jobs, &mut each)?;
        if options.jsonl {
            self.tally.add(&whole);
            return Ok(());
        }
        if let Some(checked) = size.and_then(|(least, most)| Checked::of_size(&name, count, least, most)) {
            whole.findings.extend(checked.findings);
        }
        // An array is one value.
        whole.compared = if size.is_some() { 1 } else { whole.compared };
        self.add(file, whole, output)
    }

    fn project(&mut self, contents: &[(PathBuf, Content)], common: &Common, output: &mut Output) -> io::Result<()> {
        let mut watchdog = Watchdog::start();
        let mut session = common.session();
        let documents = contents.iter().filter_map(|(_, content)| match content {
            Content::Data(document) => Some(&**document),
            _ => None,
        });
        let mut checker = Checker::new(&mut session, documents);
        checker.lint(self.rules.iter().copied());
        for (_, content) in contents {
            if let Content::Program(source) = content {
                checker.add(source);
            }
        }
        for (path, content) in contents {
            let _watch = watchdog.watch(checker.interrupt(), checker.limits(), true);
            let checked = match content {
                Content::Unreadable(error) => Checked::unreadable(error.clone()),
                Content::Data(document) => checker.check(document),
                Content::Config(document) => {
                    let folder = path.parent().unwrap_or(Path::new(""));
                    check_hiera_config(document, &|name| folder.join(name).is_dir())
                }
                Content::Program(source) => checker.check_source(source),
                Content::Template(source) => checker.check_template(source),
                Content::Other => Checked { unjudged: vec![Unjudged::NotHieraData], ..Checked::default() },
            };
            self.add(path, checked, output)?;
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, mut checked: Checked, output: &mut Output) -> io::Result<()> {
        if let Some(recorded) = &mut self.recorded {
            checked.findings.iter().for_each(|finding| recorded.add(path, finding));
            self.tally.add(&checked);
            return Ok(());
        }
        if let Some(baseline) = &mut self.baseline {
            checked.findings.retain(|finding| !baseline.take(path, finding));
        }
        self.tally.add(&checked);
        self.shown.file(path, &checked, output)
    }

    fn end(self, common: &Common, output: &mut Output) -> Ending {
        self.shown.end(output)?;
        let is_empty = self.tally.compared == 0 && self.tally.findings() == 0 && self.tally.missing == 0;
        if self.shown.form() == Form::Text && !self.shown.has_verdicts() {
            output.say(&self.tally.summary())?;
            if let Some(unjudged) = self.tally.unjudged() {
                output.say(&unjudged)?;
            }
            if self.tally.unjudged.keys().any(|reason| matches!(reason, Unjudged::MissingModule(_))) {
                let searched = match &common.searched()[..] {
                    [] => "there is no directory with modules; set --modulepath".to_owned(),
                    folders => format!("modules were searched for in {}", folders.join(", ")),
                };
                output.say(&searched)?;
            }
        } else if is_empty {
            output.complain(NOTHING)?;
        }
        Ok(match (is_empty, self.tally.wrong + self.tally.missing) {
            (true, _) => Outcome::Usage,
            (false, 0) => Outcome::Fine,
            (false, _) => Outcome::Failed,
        })
    }
}

/// How a file is read piece by piece, if it is.
fn pieces_of(file: &Path, type_: &Type, is_jsonl: bool) -> Option<Pieces> {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_standard_input = file == Path::new("-");
    match extension {
        _ if is_jsonl || matches!(extension, "jsonl" | "ndjson") => Some(Pieces::Lines),
        "json" if element_type(type_).is_some() => {
            let mut start = [0; 64];
            let length = File::open(file).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
            let first = start[..length].iter().find(|byte| !byte.is_ascii_whitespace());
            (first == Some(&b'[')).then_some(Pieces::Elements)
        }
        _ if is_standard_input || matches!(extension, "yaml" | "yml" | "eyaml") => Some(Pieces::Documents),
        _ => None,
    }
}

const NOTHING: &str = "nothing to check: no key matches a parameter of a known class; see `pcore check --help`";

/// Whether a file in a directory is to be checked; against a type only data files are.
fn is_checked(root: &Path, file: &Path, only_data: bool) -> bool {
    let below = file.strip_prefix(root).unwrap_or(file);
    let is_skipped = below.components().any(|part| SKIPPED.iter().any(|skipped| part.as_os_str() == *skipped));
    let is_program = file.extension().is_some_and(|extension| extension == "pp" || extension == "epp");
    let is_lines = only_data && file.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson");
    !is_skipped && (Format::of_path(file).is_some() || is_lines || (is_program && !only_data))
}

/// The folders that the `hiera.yaml` files among some files name.
fn data_folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for file in files.iter().filter(|file| file.file_name().is_some_and(|name| name == "hiera.yaml")) {
        let Ok(source) = input::file(file) else { continue };
        let Ok(Document { value: Value::Hash(config), .. }) = data::read(Format::Yaml, &source) else { continue };
        let folder = file.parent().unwrap_or(Path::new(""));
        let of = |level: &Value| match level {
            Value::Hash(level) => match level.get_str("datadir") {
                Some(Value::String(datadir)) => Some(folder.join(&**datadir)),
                _ => None,
            },
            _ => None,
        };
        folders.extend(config.get_str("defaults").and_then(of));
        for name in ["hierarchy", "default_hierarchy"] {
            if let Some(Value::Array(levels)) = config.get_str(name) {
                folders.extend(levels.iter().filter_map(of));
            }
        }
    }
    folders
}

fn is_in_data_folder(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
        || path.components().any(|part| DATA_FOLDERS.iter().any(|folder| part.as_os_str() == *folder))
}

/// Whether some key is written like that of a class parameter.
fn looks_like_hiera(document: &Document) -> bool {
    let Value::Hash(data) = &document.value else { return false };
    data.iter().any(|(key, _)| matches!(key, Value::String(key) if key.contains("::") || **key == *"lookup_options"))
}

/// Counts over all files.
#[derive(Default)]
struct Tally {
    files: usize,
    /// Values compared with a type, and names with what is declared.
    compared: usize,
    /// Files with errors.
    wrong: usize,
    /// Unreadable files and directories.
    missing: usize,
    errors: usize,
    warnings: usize,
    unjudged: BTreeMap<Unjudged, usize>,
}

impl Tally {
    fn add(&mut self, checked: &Checked) {
        self.files += 1;
        self.compared += checked.compared;
        self.wrong += usize::from(!checked.is_fine());
        let errors = checked.findings.iter().filter(|finding| finding.is_error).count();
        self.errors += errors;
        self.warnings += checked.findings.len() - errors;
        for unjudged in &checked.unjudged {
            *self.unjudged.entry(unjudged.clone()).or_default() += 1;
        }
    }

    fn findings(&self) -> usize {
        self.errors + self.warnings
    }

    fn summary(&self) -> String {
        let files = counted(self.files, "file");
        let warnings =
            if self.warnings == 0 { String::new() } else { format!(", {}", counted(self.warnings, "warning")) };
        let outcome = match (self.errors, self.compared) {
            (0, 0) if self.warnings == 0 => NOTHING,
            (0, _) if self.warnings > 0 => &counted(self.warnings, "warning"),
            (0, _) => "all fit",
            (errors, _) => &format!("{} in {}{warnings}", counted(errors, "error"), counted(self.wrong, "file")),
        };
        format!("{files}, {} compared: {outcome}", counted(self.compared, "value"))
    }

    /// `not judged: 2 keys without a class, 1 value known only at run time`
    fn unjudged(&self) -> Option<String> {
        /// More would hide the others.
        const SHOWN: usize = 8;
        let mut parts: Vec<(&Unjudged, usize)> = self.unjudged.iter().map(|(reason, count)| (reason, *count)).collect();
        parts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let further: usize = parts.iter().skip(SHOWN).map(|(_, count)| count).sum();
        let mut texts: Vec<String> = parts.iter().take(SHOWN).map(|(reason, count)| reason.counted(*count)).collect();
        if further > 0 {
            texts.push(format!("{further} more"));
        }
        (!texts.is_empty()).then(|| format!("not judged: {}", texts.join(", ")))
    }
}
