//! `pcore diff`: compares two versions of a module, from directories or a git repository.

#![expect(clippy::indexing_slicing, reason = "there are two versions")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{cmp::Reverse, io};

use pcore::check::{Change, Checker, Comparison, Interface, Program, VersionPart, compare_modules};
use pcore::data::{self, Document, Format as DataFormat};
use pcore::files;
use pcore::limits::{self, Limit};
use pcore::session::Console;
use pcore::text::Source;
use pcore::wording::pluralize;
use serde_json::{Value as Json, json};

use super::arguments::{CommonOptions, DiffOptions};
use super::findings::{Reporter as _, TextReporter};
use super::{Ending, Outcome, Output, StopReason, input, usage_error};

pub(super) const FORMATS: [&str; 3] = ["text", "json", "markdown"];

/// The files of a version of a module: the path of each, relative to the module's directory, and its content.
type ModuleFiles = Vec<(String, String)>;

pub(super) fn print_diff(options: &DiffOptions, common: &CommonOptions, output: &mut Output) -> Ending {
    let given = options.old.split_once("..").filter(|_| !Path::new(&options.old).is_dir());
    let (old, new, module) = match given {
        Some((old, new)) => (old, Some(new).filter(|new| !new.is_empty()), options.new.as_ref().map(PathBuf::from)),
        None => (&*options.old, options.new.as_deref(), options.module.clone()),
    };
    let own = common.current_project().own.as_ref().map(|(_, directory)| directory.clone());
    let module = module.or(own).unwrap_or_else(|| PathBuf::from("."));
    let files = [
        files_in_version(old, &module)?,
        new.map_or_else(|| files_in_directory(&module), |new| files_in_version(new, &module))?,
    ];
    let before = read_module_interface(&module, &files[0], output)?;
    let after = read_module_interface(&module, &files[1], output)?;
    let name = after.name();
    if before.name() != name {
        return Err(usage_error(format!("{} and {name} are two modules", before.name())));
    }
    let mut sessions = [(); 2].map(|()| session_without_module(name, common));
    let [one, other] = &mut sessions;
    let comparison = compare_modules((&before, one), (&after, other));
    match &*options.format {
        "json" => output.print_json_line(&comparison_as_json(name, &comparison).to_string())?,
        format => print_changes(name, &comparison, format == "markdown", output)?,
    }
    let has_grown = comparison.required_version_part() <= comparison.increased_version_part();
    let mut outcome = if has_grown { Outcome::Fine } else { Outcome::Failed };
    for (path, _) in &common.data {
        outcome = outcome.max(report_new_data_errors(path, &files, &mut sessions, output)?);
    }
    Ok(outcome)
}

pub(super) fn read_module_interface(module: &Path, files: &ModuleFiles, output: &mut Output) -> io::Result<Interface> {
    let directory = module.canonicalize().unwrap_or_else(|_| module.to_owned());
    let interface = Interface::read(&directory.file_name().unwrap_or_default().to_string_lossy(), files);
    let complain = |file: &String| format!("{file} of {} cannot be parsed and is left out", interface.name());
    interface.unreadable_files().iter().try_for_each(|file| output.print_error_message(&complain(file)))?;
    Ok(interface)
}

fn session_without_module(module: &str, common: &CommonOptions) -> Console {
    let mut session = common.new_session();
    // A module without files hides one of the same name.
    let hidden = (module.to_owned(), PathBuf::from("no such directory"));
    session.set_modules(common.current_project().path.clone(), Some(hidden));
    session.set_data(Vec::new());
    session
}

fn files_in_version(version: &str, module: &Path) -> Result<ModuleFiles, StopReason> {
    let is_folder = Path::new(version).is_dir();
    let files = if is_folder { files_in_directory(Path::new(version))? } else { files_in_revision(version, module)? };
    let is_module = files.iter().any(|(path, _)| path == "metadata.json" || input::extension(Path::new(path)) == "pp");
    is_module.then_some(files).ok_or_else(|| usage_error(format!("there is no module in `{version}`")))
}

pub(super) fn files_in_directory(folder: &Path) -> Result<ModuleFiles, StopReason> {
    let below = |file: &Path| file.strip_prefix(folder).ok().map(|path| path.to_string_lossy().replace('\\', "/"));
    let is_needed = |file: &Path| below(file).is_some_and(|path| Interface::needs_file(&path));
    let found = input::files_below(folder, &|folder| folder.ends_with("spec"), &is_needed)?;
    // A file that is not UTF-8 cannot be read by Puppet either.
    Ok(found.iter().filter_map(|file| Some((below(file)?, files::read_source_text(file).ok()?))).collect())
}

/// Returns the files that define the interface of `module` in a git revision, without checking them out.
fn files_in_revision(revision: &str, module: &Path) -> Result<ModuleFiles, StopReason> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(module).args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
        command
    };
    let unusable = |error| {
        usage_error(format!("`{revision}` is not a directory, and git cannot be run to read a revision: {error}"))
    };
    let commit = format!("{revision}^{{commit}}");
    let known = git(&["rev-parse", "--verify", "--end-of-options", &commit]).output().map_err(unusable)?;
    if !known.status.success() {
        let place = module.display();
        let problem = format!("`{revision}` is neither a directory nor a revision of a git repository in `{place}`");
        return Err(usage_error(problem));
    }
    let commit = String::from_utf8_lossy(&known.stdout).trim().to_owned();
    let listed = git(&["ls-tree", "-r", "-z", &commit]).output().map_err(unusable)?;
    let (mut files, most) = (Vec::new(), limits::current_limit_as_usize(Limit::Source));
    // `100644 blob 2f0c…<tab>manifests/init.pp`
    let lines = listed.stdout.split(|byte| *byte == 0).filter_map(|line| str::from_utf8(line).ok()?.split_once('\t'));
    let wanted = lines.filter(|(_, path)| Interface::needs_file(path));
    for (object, path) in wanted.filter_map(|(facts, path)| Some((facts.split_once(" blob ")?.1, path))) {
        let mut git = git(&["cat-file", "blob", object]).stdout(Stdio::piped()).spawn()?;
        let content = git.stdout.take().map(|blob| files::read_up_to(most, Vec::new(), blob));
        let content = content.transpose()?.flatten().filter(|_| git.wait().is_ok_and(|status| status.success()));
        let Some(content) = content else {
            return Err(StopReason::from(format!("{path} of {revision} cannot be read, or is too long")));
        };
        files.extend(String::from_utf8(content).ok().map(|text| (path.to_owned(), text)));
    }
    Ok(files)
}

/// Returns `2 of 5 changes break users: the major version has to grow, and does (1.2.0 -> 2.0.0)`.
fn version_summary_line(comparison: &Comparison, versions: &str) -> String {
    let Some(required) = comparison.required_version_part() else { return "nothing has changed for users".to_owned() };
    let breaking = comparison.changes.iter().filter(|change| change.version_part == VersionPart::Major).count();
    let verb = if breaking == 1 { "breaks" } else { "break" };
    let breaking = if breaking == 0 { "none".to_owned() } else { breaking.to_string() };
    let fact = match comparison.increased_version_part() {
        Some(grown) if grown >= required => "and does".to_owned(),
        Some(grown) => format!("but only the {} version does", grown.name()),
        None => "but metadata.json has no higher version".to_owned(),
    };
    let (changes, required) = (pluralize(comparison.changes.len(), "change"), required.name());
    format!("{breaking} of {changes} {verb} users: the {required} version has to grow, {fact} ({versions})")
}

/// Prints the changes: as text below each changed item, or as Markdown below `Breaking changes`, `Added`, `Changed`.
fn print_changes(module: &str, comparison: &Comparison, is_markdown: bool, output: &mut Output) -> io::Result<()> {
    let versions = comparison.versions.each_ref().map(|version| version.as_deref().unwrap_or("no version"));
    let shown = versions.join(" -> ");
    output.print_line(&if is_markdown { format!("## {}", versions[1]) } else { format!("{module} {shown}") })?;
    let mut changes: Vec<&Change> = comparison.changes.iter().collect();
    changes.sort_by_key(|change| is_markdown.then_some(Reverse(change.version_part)));
    let mut last = String::new();
    for Change { item, file_and_line: place, text, example, version_part: grows } in changes {
        let example = example.as_ref().map_or_else(String::new, |example| format!(", e.g. {example}"));
        let (head, line) = match (is_markdown, grows) {
            (true, VersionPart::Major) => ("### Breaking changes\n".to_owned(), format!("- `{item}`: {text}{example}")),
            (true, VersionPart::Minor) => ("### Added\n".to_owned(), format!("- `{item}`: {text}")),
            (true, VersionPart::Patch) => ("### Changed\n".to_owned(), format!("- `{item}`: {text}")),
            (false, VersionPart::Major) => (format!("{item}  {place}"), format!("! {text}{example}")),
            (false, _) => (format!("{item}  {place}"), format!("  {text}")),
        };
        if head != last {
            output.print_line(&format!("\n{}", head.trim_end_matches(' ')))?;
            last = head;
        }
        output.print_line(&line)?;
    }
    if is_markdown { Ok(()) } else { output.print_line(&format!("\n{}", version_summary_line(comparison, &shown))) }
}

fn comparison_as_json(module: &str, comparison: &Comparison) -> Json {
    let change = |Change { item, file_and_line: place, text, example, version_part: grows }: &Change| json!({ "item": item, "place": place, "text": text, "example": example, "grows": grows.name() });
    let changes: Vec<Json> = comparison.changes.iter().map(change).collect();
    let [old, new] = &comparison.versions;
    let [required, grown] = [comparison.required_version_part(), comparison.increased_version_part()]
        .map(|part| part.map(VersionPart::name));
    json!({ "module": module, "old": old, "new": new, "changes": changes, "required": required, "grown": grown })
}

/// Checks the Hiera data at `path` with both versions of the module, and reports errors that only the new one causes.
fn report_new_data_errors(
    path: &Path,
    versions: &[ModuleFiles; 2],
    sessions: &mut [Console; 2],
    output: &mut Output,
) -> Result<Outcome, StopReason> {
    let files = input::data_files_below(path)?;
    let read = |file: &PathBuf| -> Result<Document, StopReason> {
        Ok(data::read(DataFormat::from_path(file).unwrap_or(DataFormat::Yaml), &input::read_source(file)?)?)
    };
    let documents = files.iter().map(read).collect::<Result<Vec<_>, StopReason>>()?;
    let mut check = |at: usize| {
        let is_program = |path: &str| input::extension(Path::new(path)) == "pp" && !path.starts_with("plans/");
        let programs = versions[at].iter().filter(|(path, _)| is_program(path));
        let programs: Vec<Program> = programs.map(|(path, text)| Program::new(Source::new(&**path, &**text))).collect();
        let mut checker = Checker::new(&mut sessions[at], &documents);
        checker.add_programs(&programs);
        documents.iter().map(|document| checker.check(document)).collect::<Vec<_>>()
    };
    let (before, after) = (check(0), check(1));
    let (mut report, mut broken) = (TextReporter::default(), 0);
    for (file, (before, mut after)) in files.iter().zip(before.iter().zip(after)) {
        after.findings.retain(|finding| before.findings.iter().all(|known| known.error.span() != finding.error.span()));
        broken += after.findings.len();
        report.add_file(file, &after, output)?;
    }
    output.print_line(&format!("{}: {} to change", path.display(), pluralize(broken, "value")))?;
    Ok(if broken == 0 { Outcome::Fine } else { Outcome::Failed })
}
