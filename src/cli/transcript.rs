//! Executable transcripts: the `pcore` blocks of Markdown files, run and compared line by line.
//!
//! A block is a session as in a terminal: lines with `>> ` and `.. ` are input, the lines up to the next prompt are
//! output. A run replaces the output of each block; if the text then differs from the file, the transcript fails, or
//! `--bless` saves the new text. Attributes after the tag: `error`: the block must report an error (other blocks must
//! not); `fresh`: a new session (otherwise one session per file); `strict=off|warning|error`.

use std::io;
use std::path::{Path, PathBuf};

use pcore::limits::{Limit, Limits};
use pcore::session::settings::EnumSetting;
use pcore::session::{Console, Reply, Strictness};
use pcore::wording::pluralize;

use super::check::MAX_RUN_MILLISECONDS;
use super::entry::{self, EntryOutcome, OutputEvent};
use super::show::{Palette, colour_diff, unified_diff};
use super::storage::{self, AllowedReaders};
use super::{CommonOptions, Ending, Outcome, Output, continuation, input, style::OutputStyle, usage_error, watchdog};

pub(super) fn test_transcripts(paths: &[PathBuf], bless: bool, common: &CommonOptions, output: &mut Output) -> Ending {
    if bless && std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) {
        return Err(usage_error("refusing to --bless because CI is set; bless locally and commit the result"));
    }
    common.switch_to_project_of(paths);
    let is_transcript = |path: &Path| input::extension(path) == "md";
    let mut tester =
        TranscriptTester { bless, common, outcome: Outcome::Fine, entry_count: 0, different_count: 0, misjudged: 0 };
    let (files, problems) = input::files_below_paths(paths, &|_| false, &is_transcript);
    problems.iter().try_for_each(|message| tester.report_failure(message, output))?;
    for file in &files {
        tester.test_file(file, output)?;
    }
    if tester.entry_count == 0 {
        let nothing = "nothing to test: expected entries after `>> ` in a block fenced with ```pcore";
        return if tester.outcome == Outcome::Fine { Err(usage_error(nothing)) } else { Ok(tester.outcome) };
    }
    let verdict = match tester.different_count {
        0 if tester.misjudged > 0 => "the output matches".to_owned(),
        0 => "all match".to_owned(),
        different if bless => format!("{different} rewritten"),
        1 => "1 differs; run `pcore test --bless` to accept the new output".to_owned(),
        different => format!("{different} differ; run `pcore test --bless` to accept the new output"),
    };
    let (transcripts, entries) = (pluralize(files.len(), "transcript"), pluralize(tester.entry_count, "entry"));
    let misjudged = (tester.misjudged > 0).then(|| format!(", {}", pluralize(tester.misjudged, "misplaced error")));
    output.print_line(&format!("{transcripts}, {entries}: {verdict}{}", misjudged.unwrap_or_default()))?;
    Ok(tester.outcome)
}

struct TranscriptTester<'c> {
    bless: bool,
    common: &'c CommonOptions,
    outcome: Outcome,
    entry_count: usize,
    different_count: usize,
    /// The number of unexpected errors, plus the number of blocks tagged `error` that report none.
    misjudged: usize,
}

impl TranscriptTester<'_> {
    fn report_failure(&mut self, message: &str, output: &mut Output) -> io::Result<()> {
        self.outcome = Outcome::Failed;
        output.print_error_message(message)
    }

    fn test_file(&mut self, file: &Path, output: &mut Output) -> io::Result<()> {
        let name = file.display().to_string();
        let source = match input::read_source(file) {
            Ok(source) => source,
            Err(message) => return self.report_failure(&message, output),
        };
        let text = source.text();
        let transcript = match TranscriptRun::run_markdown(text, self.common) {
            Ok(transcript) => transcript,
            Err(wrong) => return self.report_failure(&format!("{name}:{wrong}"), output),
        };
        self.entry_count += transcript.entry_count;
        self.misjudged += transcript.misplaced_errors.len();
        for wrong in &transcript.misplaced_errors {
            self.report_failure(&format!("{name}:{wrong}"), output)?;
        }
        if transcript.text == text {
            return Ok(());
        }
        self.different_count += 1;
        if self.bless {
            storage::replace_file(file, transcript.text.as_bytes(), AllowedReaders::AsBefore)?;
            return output.print_line(&format!("{name}: rewritten"));
        }
        self.outcome = Outcome::Failed;
        let diff = unified_diff((&name, text), (&format!("{name} (actual)"), &transcript.text));
        output.print_styled_line(&colour_diff(&diff, output.palette))
    }
}

struct TranscriptRun {
    text: String,
    entry_count: usize,
    /// Messages about unexpected and missing errors, each with its line number.
    misplaced_errors: Vec<String>,
}

impl TranscriptRun {
    fn run_markdown(markdown: &str, common: &CommonOptions) -> Result<TranscriptRun, String> {
        let mut transcript =
            TranscriptRun { text: String::with_capacity(markdown.len()), entry_count: 0, misplaced_errors: Vec::new() };
        let mut session = common.new_session();
        let mut lines = markdown.split_inclusive('\n').enumerate();
        while let Some((number, line)) = lines.next() {
            transcript.text.push_str(line);
            let Some(fence) = CodeFence::parse_opening_fence(line) else { continue };
            let place = number + 1;
            let attributes =
                fence.tag_words.strip_prefix(&["pcore"]).map(BlockAttributes::parse_attributes).transpose();
            let attributes = attributes.map_err(|wrong| format!("{place}: {wrong}"))?;
            let mut block = Vec::new();
            let end = loop {
                match lines.next() {
                    Some((_, line)) if fence.is_closed_by(line) => break line,
                    Some((_, line)) => block.push(line),
                    None => return Err(format!("{place}: this block is not closed")),
                }
            };
            let Some(attributes) = attributes else {
                transcript.text.extend(block.into_iter().chain([end]));
                continue;
            };
            if attributes.starts_session {
                session = common.new_session();
            }
            session.limits = common.override_limits(Limits::default().with(Limit::Time, MAX_RUN_MILLISECONDS));
            session.strictness = attributes.strictness.or(common.strict).unwrap_or_default();
            let failed = transcript.run_block(&block, &mut session);
            transcript.text.push_str(end);
            if attributes.expects_error {
                let missing = failed.is_empty().then(|| format!("{place}: expected an error in this block"));
                transcript.misplaced_errors.extend(missing);
            } else {
                let advice = "unexpected error; if intended, tag the block `pcore error`";
                transcript.misplaced_errors.extend(failed.iter().map(|line| format!("{}: {advice}", place + line)));
            }
        }
        Ok(transcript)
    }

    /// Runs a block and appends entries and output to `text`. Returns the line numbers of failed entries in the block.
    fn run_block(&mut self, lines: &[&str], session: &mut Console) -> Vec<usize> {
        let mut failed = Vec::new();
        // Everything that is not input is old output.
        for (line, entry) in
            continuation::entries_of_session(lines.iter().map(|line| line.trim_end()), &[continuation::PROMPT])
        {
            self.entry_count += 1;
            self.text.push_str(&continuation::add_prompts(&entry)); // OK because the lines came trimmed.
            let style = OutputStyle::from_settings(&session.settings, None, [Palette::Plain; 2]);
            let mut output = Vec::new();
            let _watch = watchdog::watch_limits(session.interrupt.clone(), session.limits);
            let outcome = entry::run_entry(session, &entry, &mut |event| {
                // Output that differs from run to run, such as times, is left out.
                if !matches!(event, OutputEvent::Aside(_)) {
                    output.push(event.render(&entry, &style).0);
                }
            });
            match outcome {
                EntryOutcome::Done | EntryOutcome::Quit => {}
                EntryOutcome::Failed | EntryOutcome::Interrupted => failed.push(line),
                EntryOutcome::Requested(_) => {
                    let refusal = OutputEvent::Reply(Reply::Refused("only available at the prompt".to_owned()));
                    output.push(refusal.render(&entry, &style).0);
                    failed.push(line);
                }
            }
            for shown in &output {
                continuation::append_trimmed_lines(&mut self.text, shown);
            }
        }
        failed
    }
}

struct CodeFence<'a> {
    backticks: &'a str,
    tag_words: Vec<&'a str>,
}

impl<'a> CodeFence<'a> {
    fn parse_opening_fence(line: &'a str) -> Option<CodeFence<'a>> {
        let line = line.trim_end();
        let rest = line.trim_start_matches('`');
        let marks = &line[..line.len() - rest.len()];
        (marks.len() >= 3).then(|| CodeFence { backticks: marks, tag_words: rest.split_whitespace().collect() })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim_end();
        line.len() >= self.backticks.len() && line.bytes().all(|byte| byte == b'`')
    }
}

#[derive(Default)]
struct BlockAttributes {
    expects_error: bool,
    starts_session: bool,
    strictness: Option<Strictness>,
}

impl BlockAttributes {
    fn parse_attributes(words: &[&str]) -> Result<BlockAttributes, String> {
        let mut attributes = BlockAttributes::default();
        for word in words {
            match *word {
                "error" => attributes.expects_error = true,
                "fresh" => attributes.starts_session = true,
                other => match other.strip_prefix("strict=").and_then(Strictness::from_word) {
                    Some(strictness) => attributes.strictness = Some(strictness),
                    None => return Err(format!("unknown attribute `{other}`: expected error, fresh or strict=LEVEL")),
                },
            }
        }
        Ok(attributes)
    }
}
