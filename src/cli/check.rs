//! `pcore check`: checks data files against a type, or the code and data of modules against their declarations.

#![expect(clippy::indexing_slicing, reason = "the numbers of jobs are those of the files")]

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::{fs::File, sync::Arc, time::Instant};

use pcore::check::{
    Checked, Checker, Finding, Interface, PieceKind, Program, Puppetfile, Rule, SharedRubyFiles, UncheckedReason,
    check_data_source, check_pieces,
};
use pcore::data::{self, Document, Format};
use pcore::limits::{self, Limit, Limits};
use pcore::text::{Source, Span};
use pcore::wording::pluralize;
use pcore::{Session, Type, Value};

use super::arguments::{CheckOptions, CommonOptions, default_check_paths, working_directory};
use super::findings::{Reporter, print_line_result_as_json};
use super::fix::{FixWriter, Judged, fix_and_recheck};
use super::jobs::{self, WorkerHandle};
use super::{
    Ending, Error, Outcome, Output, StopReason, check_config, input, project, report_stop_reason, usage_error, watchdog,
};
use super::{baseline::Baseline, input::extension, progress::ProgressBar};

/// The names of directories that are not searched for files to check: tests, their fixtures, and dependencies.
const SKIPPED_DIRECTORIES: [&str; 4] = ["spec", "vendor", "fixtures", "node_modules"];

/// The directory with the Ruby functions of a module: the only Ruby code that is checked.
///
/// Source: Puppet reference, "Module fundamentals".
const RUBY_FUNCTIONS_DIRECTORY: &str = "lib/puppet/functions";

/// The usual names of directories with Hiera data; a `hiera.yaml` may name further ones.
const DATA_FOLDERS: [&str; 5] = ["data", "hieradata", "hiera", "hiera_data", "hiera-data"];

/// The number of files for which one thread is started: every thread has to read the declarations of all files.
const MIN_FILES_PER_THREAD: usize = 16;

pub(super) fn run_check(options: &CheckOptions, common: &CommonOptions, output: &mut Output) -> Ending {
    common.switch_to_project_of(&options.paths);
    let type_of = |text: &str| common.new_session().evaluate_type(&Source::new("--type", text));
    let type_ = options.type_.as_deref().map(type_of).transpose();
    let type_ = type_.map_err(|error| StopReason::Error(Box::new(error), Outcome::Usage))?;
    let paths = match (&options.paths[..], default_check_paths()) {
        ([], found) if type_.is_none() && !found.is_empty() => found,
        ([], _) => return Err(usage_error(NO_PATHS_MESSAGE)),
        (given, _) => given.to_vec(),
    };
    let root = common.current_project().root.as_deref();
    let is_whole = options.paths.is_empty() || covers_whole_project(&options.paths, root);
    let mut rules = check_config::enabled_rules(options.lint.as_deref(), root).map_err(usage_error)?;
    rules.retain(|rule| is_whole || !rule.needs_project);
    let known = options.baseline.as_deref().filter(|_| options.write_baseline.is_none());
    let baseline = known.map_or_else(|| Ok(Baseline::default()), Baseline::read).map_err(usage_error)?;
    let files = check_config::index_file_paths(root).map_err(usage_error)?;
    let interfaces = options.index.iter().chain(&files).map(|file| super::index::read_index(file));
    let interfaces = interfaces.collect::<Result<Vec<_>, _>>().map_err(usage_error)?.concat().into();
    let mut run = CheckRun {
        options,
        common,
        output,
        baseline,
        tally: CheckTally::default(),
        reporter: (options.report_format().new_reporter)(options),
        progress: ProgressBar::for_file_count(0),
        reported_findings: HashSet::new(),
        start_time: Instant::now(),
        checked: String::new(),
        unchecked_parts: None,
        fix_writer: FixWriter { is_diff: options.diff, ..FixWriter::default() },
    };
    match &type_ {
        Some(type_) => run.check_against_type(&paths, type_)?,
        None => {
            let (contents, problems) = read_project_files(&paths, options.jobs, common)?;
            problems.into_iter().try_for_each(|message| run.report_unreadable_file(message.into()))?;
            run.checked = summarize_file_kinds(&contents);
            if options.paths.is_empty() {
                run.unchecked_parts = describe_unchecked_parts(common, &contents);
            }
            run.check_project(&contents, &rules, &interfaces)?;
            std::mem::forget(contents);
        }
    }
    if let Some(file) = &options.write_baseline {
        run.baseline.write(file).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        let findings = pluralize(run.baseline.finding_count(), "finding");
        run.output.print_line(&format!("recorded {findings} in {}", file.display()))?;
        return Ok(Outcome::Fine);
    }
    run.finish_run()
}

/// Whether one of `paths` contains the whole project at `root`; without a project, whether one is a directory.
fn covers_whole_project(paths: &[PathBuf], root: Option<&Path>) -> bool {
    let covers = |path: &PathBuf| match root.and_then(|root| root.canonicalize().ok()) {
        Some(root) => path.canonicalize().is_ok_and(|path| root.starts_with(path)),
        None => path.is_dir(),
    };
    paths.iter().any(covers)
}

pub(super) enum FileContent {
    Data(Box<Document>),
    Config(Box<Document>),
    Metadata(Box<Document>),
    Program(Program),
    Template(Arc<Source>),
    RubyFunction(Arc<Source>),
    Puppetfile(Arc<Source>),
    Unreadable(Error),
    /// YAML or JSON that is neither Hiera data nor a configuration file of Puppet.
    Other,
}

struct CheckRun<'a> {
    options: &'a CheckOptions,
    common: &'a CommonOptions,
    output: &'a mut Output,
    /// The known findings, which are not reported; if a new baseline is to be written, all findings of this run.
    baseline: Baseline,
    tally: CheckTally,
    reporter: Box<dyn Reporter>,
    progress: ProgressBar,
    /// The file, span and message of all findings so far: the same finding may be reached through several files.
    reported_findings: HashSet<(String, Option<Span>, String)>,
    start_time: Instant,
    checked: String,
    unchecked_parts: Option<String>,
    fix_writer: FixWriter,
}

impl CheckRun<'_> {
    /// Checks the value in each file against `type_`: several files in parallel, a single one by documents or lines.
    fn check_against_type(&mut self, paths: &[PathBuf], type_: &Type) -> io::Result<()> {
        let (options, common) = (self.options, self.common);
        let (files, problems) =
            input::files_below_paths(paths, &is_skipped_directory, &|file| should_check_file(file, true));
        problems.into_iter().try_for_each(|message| self.report_unreadable_file(message.into()))?;
        if options.jsonl || files.len() == 1 && !self.options.report_format().includes_clean_files && !options.fix {
            return files.iter().try_for_each(|file| self.check_file_in_pieces(file, type_));
        }
        self.progress = ProgressBar::for_file_count(files.len());
        let jobs_inside = if files.len() > 1 { 1 } else { options.jobs };
        let worker = |share: &WorkerHandle<Result<Judged, StopReason>>| {
            common.effective_limits().apply_to_thread();
            share.process_items(|at| {
                if options.fix
                    && let Some(format) = Format::from_path(&files[at])
                    && let Ok(source) = input::read_source(&files[at])
                    // Nothing in it separates documents.
                    && !source.text().contains("\n---")
                {
                    let check = |source: &Arc<Source>| check_data_source(format, source, type_);
                    return Ok(fix_and_recheck(check(&source), true, check));
                }
                let mut whole = Checked::default();
                let mut each = |_: usize, checked: Checked| {
                    whole.compared += checked.compared;
                    whole.findings.extend(checked.findings);
                    Ok(())
                };
                let pieces = open_multi_value_file(&files[at], false);
                let outcome = check_file_values(&files[at], pieces, type_, jobs_inside, common, &mut each);
                outcome.map(|()| (whole, None))
            });
        };
        let threads = jobs::thread_count(options.jobs, files.len());
        jobs::process_in_order(threads, files.len(), &worker, &mut |at, outcome| match outcome {
            Ok(judged) => self.report_file(&files[at], judged),
            Err(stop) => self.report_unreadable_file(stop),
        })
    }

    fn check_file_in_pieces(&mut self, file: &Path, type_: &Type) -> io::Result<()> {
        let (options, common) = (self.options, self.common);
        let pieces = open_multi_value_file(file, options.jsonl);
        self.progress = ProgressBar::for_file_bytes(pieces.as_ref().and_then(|(_, opened)| opened.as_ref()));
        let mut is_fine = true;
        let mut each = |line: usize, mut checked: Checked| {
            if options.jsonl {
                return print_line_result_as_json(line + 1, &checked, self.output);
            }
            self.count_and_print_findings(file, &mut checked)?;
            is_fine &= checked.has_no_errors();
            Ok(())
        };
        match check_file_values(file, pieces, type_, options.jobs, common, &mut each) {
            Ok(()) => self.tally.count_file(is_fine),
            Err(stop) => self.report_unreadable_file(stop)?,
        }
        Ok(())
    }

    fn report_unreadable_file(&mut self, stop: StopReason) -> io::Result<()> {
        self.tally.missing += 1;
        self.progress.write_without_bar(|| report_stop_reason(stop, self.output)).map(drop)
    }

    /// Checks the files of a project with the lint rules `rules`. `interfaces` describe modules that are not installed.
    fn check_project(
        &mut self,
        contents: &[(PathBuf, FileContent)],
        rules: &[&'static Rule],
        interfaces: &Arc<[Interface]>,
    ) -> io::Result<()> {
        self.progress = ProgressBar::for_file_count(contents.len());
        let (common, options, began) = (self.common, self.options, self.start_time);
        let ruby = SharedRubyFiles::default();
        let limits = common.override_limits(Limits::default().with(Limit::Time, MAX_RUN_MILLISECONDS));
        let worker = |share: &WorkerHandle<Judged>| {
            limits.apply_to_thread();
            let mut session = common.new_session();
            let mut checker = new_checker(&mut session, contents, common);
            checker.share_ruby_files(&ruby);
            checker.add_interfaces(interfaces);
            checker.enable_lint_rules(rules.iter().copied());
            share.process_items(|at| {
                let (path, content) = &contents[at];
                let Some(limits) = limits_for_file(limits, began) else {
                    let source = Source::new(path.display().to_string(), "");
                    let error = limits::limit_error(Limit::Time).at(Span::default()).in_source(&source);
                    return (Checked::from_read_error(error), None);
                };
                let _watch = watchdog::watch_limits(checker.renew_interrupt(), limits);
                fix_and_recheck(content.check_content(path, &mut checker), options.fix, |source| {
                    let is_data = matches!(content, FileContent::Data(_));
                    classify_file(path, source, &|_| is_data).check_content(path, &mut checker)
                })
            });
            // The end of the process frees it all at once.
            std::mem::forget(checker);
            std::mem::forget(session);
        };
        let threads = jobs::thread_count(self.options.jobs, contents.len().div_ceil(MIN_FILES_PER_THREAD));
        jobs::process_in_order(threads, contents.len(), &worker, &mut |at, (mut checked, fixed)| {
            // What was reported of another file is left out.
            checked.findings.retain(|Finding { error, .. }| {
                let file = error.source_text().map_or_else(String::new, |source| source.name().to_owned());
                self.reported_findings.insert((file, error.span(), error.message().to_owned()))
            });
            self.report_file(&contents[at].0, (checked, fixed))
        })
    }

    fn report_file(&mut self, path: &Path, (mut checked, fixed): Judged) -> io::Result<()> {
        if let Some(fixed) = fixed {
            self.progress.write_without_bar(|| self.fix_writer.write_fixes(path, &fixed, self.output))?;
        }
        self.count_and_print_findings(path, &mut checked)?;
        self.tally.count_file(checked.has_no_errors());
        self.progress.done_count += 1;
        Ok(())
    }

    fn count_and_print_findings(&mut self, path: &Path, checked: &mut Checked) -> io::Result<()> {
        if self.options.write_baseline.is_some() {
            checked.findings.iter().for_each(|finding| self.baseline.record_finding(path, finding));
            self.tally.count_findings(checked);
            return Ok(());
        }
        checked.findings.retain(|finding| !self.baseline.take_known_finding(path, finding));
        self.tally.count_findings(checked);
        self.progress.redraw_if_due();
        if checked.findings.is_empty() && !self.options.report_format().includes_clean_files {
            return Ok(());
        }
        self.progress.write_without_bar(|| self.reporter.add_file(path, checked, self.output))
    }

    fn finish_run(self) -> Ending {
        let CheckRun { common, options, progress, output, .. } = self;
        drop(progress);
        if options.jsonl {
            // A filter has done its work when each line has a verdict.
            return Ok(if self.tally.missing == 0 { Outcome::Fine } else { Outcome::Failed });
        }
        self.reporter.finish(output)?;
        let CheckTally { checked_count, error_count, warning_count, missing, .. } = self.tally;
        let is_empty = checked_count + error_count + warning_count + missing == 0;
        let is_diff = self.fix_writer.is_diff;
        // The diff alone is on standard output.
        let mut say = |line: &str| if is_diff { output.print_stderr_line(line) } else { output.print_line(line) };
        if options.report_format().has_summary {
            let kind = common.current_project().describe_kind().filter(|_| options.paths.is_empty());
            let several = || self.checked.contains(", ").then(|| format!("checked {}", self.checked));
            let mut lines = Vec::from_iter(kind.map(|kind| format!("{kind}: {}", self.checked)).or_else(several));
            lines.extend(self.unchecked_parts);
            let hidden = || format!("hidden by the baseline: {}", pluralize(self.baseline.hidden_count, "finding"));
            lines.extend(options.baseline.is_some().then(hidden));
            lines.extend(self.fix_writer.summary_line());
            lines.push(self.tally.summary_line());
            lines.extend(self.tally.unchecked_summary());
            if self.tally.unchecked_counts.keys().any(|reason| matches!(reason, UncheckedReason::MissingModule(_))) {
                lines.push(match &common.current_project().relative_module_path(&working_directory())[..] {
                    [] => "there is no directory with modules; set --modulepath".to_owned(),
                    folders => format!("modules were searched for in {}", folders.join(", ")),
                });
            }
            lines.iter().try_for_each(|line| say(line))?;
        } else if is_empty {
            output.print_error_message(NOTHING_CHECKED)?;
        }
        let warnings = if options.fail_on == "warning" { warning_count } else { 0 };
        Ok(match (is_empty, self.tally.wrong + missing + warnings) {
            (true, _) => Outcome::Usage,
            (false, 0) if !self.fix_writer.has_unwritten_fixes() => Outcome::Fine,
            (false, _) => Outcome::Failed,
        })
    }
}

/// Files with their kinds, and a message about each file that cannot be read.
type ReadFiles = (Vec<(PathBuf, FileContent)>, Vec<String>);

/// Reads the files at and below `paths`, and determines their kinds.
pub(super) fn read_project_files(paths: &[PathBuf], threads: usize, common: &CommonOptions) -> io::Result<ReadFiles> {
    let here = working_directory();
    let is_skipped = |folder: &Path| {
        is_skipped_directory(folder) || common.current_project().is_ignored_by_puppet(&here.join(folder))
    };
    let (files, mut problems) = input::files_below_paths(paths, &is_skipped, &|file| should_check_file(file, false));
    let configs = files.iter().filter(|file| file.ends_with("hiera.yaml"));
    let folders: HashSet<PathBuf> = configs.flat_map(|file| project::hiera_data_directories(file)).collect();
    // A file that is named is data whatever it is called, but for the description of a module.
    let named: HashSet<&PathBuf> = paths.iter().filter(|path| !path.ends_with("metadata.json")).collect();
    let mut contents = Vec::with_capacity(files.len());
    let worker = |share: &WorkerHandle<Result<FileContent, String>>| {
        common.effective_limits().apply_to_thread();
        share.process_items(|at| {
            let file = &files[at];
            let is_data = |path: &Path| {
                named.contains(file)
                    || !folders.is_empty() && path.ancestors().any(|folder| folders.contains(folder))
                    || path.components().any(|part| DATA_FOLDERS.iter().any(|folder| part.as_os_str() == *folder))
            };
            input::read_source(file).map(|source| classify_file(file, &source, &is_data))
        });
    };
    jobs::process_in_order(jobs::thread_count(threads, files.len()), files.len(), &worker, &mut |at, content| {
        match content {
            Ok(content) => contents.push((files[at].clone(), content)),
            Err(message) => problems.push(message),
        }
        Ok(())
    })?;
    Ok((contents, problems))
}

pub(super) fn new_checker<'s>(
    session: &'s mut Session,
    contents: &[(PathBuf, FileContent)],
    common: &CommonOptions,
) -> Checker<'s> {
    // What is looked up depends on the node.
    session.set_environment(None);
    let (mut documents, mut configs, mut programs) = (Vec::new(), Vec::new(), Vec::new());
    for (path, content) in contents {
        match content {
            FileContent::Data(document) => documents.push(&**document),
            FileContent::Config(document) => configs.push((directory_of_file(path), &**document)),
            FileContent::Program(program) => programs.push(program),
            _ => {}
        }
    }
    let root = common.current_project().root.as_deref();
    let mut checker = Checker::new(session, documents);
    checker.add_hierarchies(root, configs);
    if root.is_some_and(|root| root.join("Puppetfile").is_file()) {
        checker.add_required_modules(common.current_project().declared.iter().map(|name| &**name));
    }
    checker.add_programs(programs);
    checker
}

impl FileContent {
    fn check_content(&self, path: &Path, checker: &mut Checker) -> Checked {
        match self {
            FileContent::Unreadable(error) => Checked::from_read_error(error.clone()),
            FileContent::Data(document) => checker.check(document),
            FileContent::Config(document) => checker.check_config(document, directory_of_file(path)),
            FileContent::Metadata(document) => checker.check_metadata(document),
            FileContent::Program(program) => checker.check_source(program),
            FileContent::Template(source) => checker.check_template(source),
            FileContent::RubyFunction(source) => checker.check_ruby_function(source),
            FileContent::Puppetfile(source) => Puppetfile::parse(source).checked,
            FileContent::Other => Checked { unjudged: vec![UncheckedReason::NotHieraData], ..Checked::default() },
        }
    }
}

fn directory_of_file(file: &Path) -> &Path {
    file.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the number of files of each kind: `12 manifests, 3 templates, 5 data files`
fn summarize_file_kinds(contents: &[(PathBuf, FileContent)]) -> String {
    let count = |is_kind: fn(&FileContent) -> bool| contents.iter().filter(|(_, content)| is_kind(content)).count();
    // Every module has a metadata.json.
    let counts = [
        (count(|content| matches!(content, FileContent::Program(_))), "manifest"),
        (count(|content| matches!(content, FileContent::Template(_))), "template"),
        (count(|content| matches!(content, FileContent::Data(_) | FileContent::Unreadable(_))), "data file"),
        (count(|content| matches!(content, FileContent::Config(_))), "hiera.yaml file"),
        (count(|content| matches!(content, FileContent::RubyFunction(_))), "Ruby function"),
        (count(|content| matches!(content, FileContent::Puppetfile(_))), "Puppetfile"),
        (count(|content| matches!(content, FileContent::Other)), "other file"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, name)| pluralize(count, name));
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() { "no files".to_owned() } else { counts.join(", ") }
}

/// Describes what of the project was not checked: `3 modules installed by Puppetfile`, `2 manifests in scripts`.
fn describe_unchecked_parts(common: &CommonOptions, contents: &[(PathBuf, FileContent)]) -> Option<String> {
    let root = common.current_project().root.as_deref()?;
    let installed = &common.current_project().installed;
    let here = working_directory();
    let checked: HashSet<PathBuf> = contents.iter().map(|(path, _)| here.join(path)).collect();
    let is_elsewhere =
        |folder: &Path| installed.iter().any(|module| folder == module) || folder.ends_with("node_modules");
    let mut found = input::files_below(root, &is_elsewhere, &|file| extension(file) == "pp").unwrap_or_default();
    found.retain(|file| !checked.contains(file));
    // Few files are left, and some of them may have been reached by another path.
    if !found.is_empty() {
        let real: HashSet<PathBuf> = checked.iter().filter_map(|path| path.canonicalize().ok()).collect();
        found.retain(|file| !file.canonicalize().is_ok_and(|file| real.contains(&file)));
    }
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for file in &found {
        let parent = file.strip_prefix(root).unwrap_or(file).parent();
        let folder = parent.and_then(|parent| parent.iter().next()).unwrap_or(".".as_ref());
        *folders.entry(folder.to_string_lossy().into_owned()).or_default() += 1;
    }
    let installed = Some(installed.len()).filter(|count| *count > 0);
    let modules = installed.map(|count| format!("{} installed by Puppetfile", pluralize(count, "module")));
    let programs = folders.into_iter().map(|(folder, count)| format!("{} in {folder}", pluralize(count, "manifest")));
    let parts: Vec<String> = modules.into_iter().chain(programs).collect();
    (!parts.is_empty()).then(|| format!("left out: {}", parts.join(", ")))
}

/// Returns the limits `run` with the time limit for one file: an eighth of that of the run, but at most the time left
/// since `began`, the start of the run. `None` if no time is left.
fn limits_for_file(run: Limits, began: Instant) -> Option<Limits> {
    const FILE_TIME_DIVISOR: u64 = 8;
    let passed = u64::try_from(began.elapsed().as_millis()).ok()?;
    let left = run.get(Limit::Time).checked_sub(passed).filter(|left| *left > 0)?;
    Some(run.with(Limit::Time, run.get(Limit::Time).div_ceil(FILE_TIME_DIVISOR).min(left)))
}

/// Parses `source` by the extension of `path` (`-`: YAML). Returns its kind. `is_data` says if a path is Hiera data.
fn classify_file(path: &Path, source: &Arc<Source>, is_data: &dyn Fn(&Path) -> bool) -> FileContent {
    let format = if path.as_os_str() == "-" { Some(Format::Yaml) } else { Format::from_path(path) };
    let Some(format) = format else {
        let source = source.clone();
        return match extension(path) {
            "epp" => FileContent::Template(source),
            "rb" => FileContent::RubyFunction(source),
            _ if path.ends_with("Puppetfile") => FileContent::Puppetfile(source),
            _ => FileContent::Program(Program::new(source)),
        };
    };
    let is_config = path.ends_with("hiera.yaml");
    // The description of a module is not data, whatever is in it.
    let is_metadata = path.ends_with("metadata.json") && !is_data(path);
    match data::read(format, source) {
        Ok(document) if is_config => FileContent::Config(Box::new(document)),
        Ok(document) if is_metadata => FileContent::Metadata(Box::new(document)),
        Ok(document) if is_data(path) || looks_like_hiera_data(&document) => FileContent::Data(Box::new(document)),
        Err(error)
            if is_config || is_data(path) || is_metadata && directory_of_file(path).join("manifests").is_dir() =>
        {
            FileContent::Unreadable(error)
        }
        Ok(_) | Err(_) => FileContent::Other,
    }
}

/// Checks the value in `file` against `type_`; with `pieces`, each YAML document or JSON line. Calls `each` with the
/// number of lines before the value and the result of its check. `jobs` is the number of threads, 0 for all cores.
fn check_file_values(
    file: &Path,
    pieces: Option<(PieceKind, Option<File>)>,
    type_: &Type,
    jobs: usize,
    common: &CommonOptions,
    each: &mut dyn FnMut(usize, Checked) -> io::Result<()>,
) -> Result<(), StopReason> {
    let Some((pieces, opened)) = pieces else {
        let source = input::read_source(file)?;
        let checked = match Format::from_path(file) {
            Some(format) => check_data_source(format, &source, type_),
            None => {
                let mut session = common.new_session();
                let _watch = watchdog::watch_limits(session.interrupt.clone(), session.limits);
                session.check_program_value(&source, type_)
            }
        };
        return Ok(each(0, checked)?);
    };
    let (name, mut input): (_, Box<dyn BufRead>) = match opened {
        _ if file == Path::new("-") => ("<stdin>".to_owned(), Box::new(io::stdin().lock())),
        Some(opened) => (file.display().to_string(), Box::new(BufReader::with_capacity(1 << 16, opened))),
        // Reading it as a whole has the words for what is wrong.
        None => return Err(input::read_source(file).err().unwrap_or_default().into()),
    };
    let jobs = jobs::thread_count(jobs, usize::MAX);
    Ok(check_pieces(&mut *input, &name, pieces, type_, jobs, each)?)
}

/// Opens `file` if its format can hold several values: by its extension YAML documents or JSON Lines, with `is_jsonl`
/// always the latter. The file is `None` if it cannot be opened. Returns `None` for formats that are read as a whole.
fn open_multi_value_file(file: &Path, is_jsonl: bool) -> Option<(PieceKind, Option<File>)> {
    let pieces = match extension(file) {
        _ if is_jsonl => PieceKind::Lines,
        "jsonl" | "ndjson" => PieceKind::Lines,
        "yaml" | "yml" | "eyaml" => PieceKind::Documents,
        _ if file == Path::new("-") => PieceKind::Documents,
        _ => return None,
    };
    Some((pieces, File::open(file).ok()))
}

pub(super) const MAX_RUN_MILLISECONDS: u64 = 40_000;

const NO_PATHS_MESSAGE: &str =
    "nothing to check: name files or directories, or run this inside a module, environment or control repository";

const NOTHING_CHECKED: &str = "nothing to check: no key matches a parameter of a known class; see `pcore check --help`";

fn should_check_file(file: &Path, only_data: bool) -> bool {
    // What a module copies to nodes, such as a policy of SELinux in `files/web.pp`.
    let is_copied = |folder: &Path| folder.ends_with("files") && folder.with_file_name("manifests").is_dir();
    match extension(file) {
        "epp" => !only_data,
        "pp" => !only_data && !file.ancestors().any(is_copied),
        "rb" => !only_data && file.ancestors().any(|folder| folder.ends_with(RUBY_FUNCTIONS_DIRECTORY)),
        "jsonl" | "ndjson" => only_data,
        _ if file.ends_with("Puppetfile") => !only_data,
        _ => Format::from_path(file).is_some(),
    }
}

fn is_skipped_directory(folder: &Path) -> bool {
    let is_ruby = folder.ends_with("lib/facter")
        || folder.parent().is_some_and(|parent| parent.ends_with("lib/puppet"))
            && !folder.ends_with(RUBY_FUNCTIONS_DIRECTORY);
    // `manifests/lib/puppet` holds classes.
    folder.file_name().is_some_and(|name| SKIPPED_DIRECTORIES.iter().any(|skipped| name == *skipped))
        || is_ruby && !folder.components().any(|part| part.as_os_str() == "manifests")
}

fn looks_like_hiera_data(document: &Document) -> bool {
    let Value::Hash(data) = &document.value else { return false };
    data.iter().any(|(key, _)| matches!(key, Value::String(key) if key.contains("::") || **key == *"lookup_options"))
}

#[derive(Default)]
struct CheckTally {
    file_count: usize,
    /// The number of values checked against a type, plus that of names checked against their declarations.
    checked_count: usize,
    wrong: usize,
    missing: usize,
    error_count: usize,
    warning_count: usize,
    unchecked_counts: BTreeMap<UncheckedReason, usize>,
}

impl CheckTally {
    fn count_file(&mut self, is_fine: bool) {
        self.file_count += 1;
        self.wrong += usize::from(!is_fine);
    }

    fn count_findings(&mut self, checked: &Checked) {
        self.checked_count += checked.compared;
        let errors = checked.findings.iter().filter(|finding| finding.is_error).count();
        self.error_count += errors;
        self.warning_count += checked.findings.len() - errors;
        for unjudged in &checked.unjudged {
            *self.unchecked_counts.entry(unjudged.clone()).or_default() += 1;
        }
    }

    fn summary_line(&self) -> String {
        let errors = || format!("{} in {}", pluralize(self.error_count, "error"), pluralize(self.wrong, "file"));
        let mut found = Vec::from_iter((self.error_count > 0).then(errors));
        found.extend((self.warning_count > 0).then(|| pluralize(self.warning_count, "warning")));
        let found = found.join(", ");
        let outcome = match &*found {
            "" if self.checked_count == 0 => NOTHING_CHECKED,
            "" => "all match",
            found => found,
        };
        let (files, values) = (pluralize(self.file_count, "file"), pluralize(self.checked_count, "value"));
        format!("{files}, {values} compared: {outcome}")
    }

    /// Returns `not checked: 2 keys without a class, 1 value known only at run time`; `None` if everything was checked.
    fn unchecked_summary(&self) -> Option<String> {
        const MAX_SHOWN_REASONS: usize = 8;
        let mut parts: Vec<(&UncheckedReason, usize)> =
            self.unchecked_counts.iter().map(|(reason, count)| (reason, *count)).collect();
        parts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let further: usize = parts.iter().skip(MAX_SHOWN_REASONS).map(|(_, count)| count).sum();
        let mut texts: Vec<String> =
            parts.iter().take(MAX_SHOWN_REASONS).map(|(reason, count)| reason.describe_count(*count)).collect();
        texts.extend((further > 0).then(|| format!("{further} more")));
        (!texts.is_empty()).then(|| format!("not checked: {}", texts.join(", ")))
    }
}
