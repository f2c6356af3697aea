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
use super::{CommonOptions, Ending, Outcome, Output, StopReason, report_stop_reason, usage_error};
use super::{continuation, input, style::OutputStyle, watchdog};

pub(super) fn test_transcripts(paths: &[PathBuf], bless: bool, common: &CommonOptions, output: &mut Output) -> Ending {
    if bless && std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) {
        return Err(usage_error("refusing to --bless because CI is set; bless locally and commit the result"));
    }
    common.switch_to_project_of(paths);
    let is_transcript = |path: &Path| input::extension(path) == "md";
    let (entry_count, different_count, misjudged) = (0, 0, 0);
    let mut tester =
        TranscriptTester { bless, common, output, outcome: Outcome::Fine, entry_count, different_count, misjudged };
    let (files, problems) = input::files_below_paths(paths, &|_| false, &is_transcript);
    problems.into_iter().try_for_each(|message| tester.report(message.into()))?;
    files.iter().try_for_each(|file| tester.test_file(file).or_else(|stop| tester.report(stop)))?;
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
    tester.output.print_line(&format!("{transcripts}, {entries}: {verdict}{}", misjudged.unwrap_or_default()))?;
    Ok(tester.outcome)
}

struct TranscriptTester<'c> {
    bless: bool,
    common: &'c CommonOptions,
    output: &'c mut Output,
    outcome: Outcome,
    entry_count: usize,
    different_count: usize,
    /// The number of unexpected errors, plus the number of blocks tagged `error` that report none.
    misjudged: usize,
}

impl TranscriptTester<'_> {
    fn report(&mut self, stop: StopReason) -> io::Result<()> {
        self.outcome = report_stop_reason(stop, self.output)?.max(self.outcome);
        Ok(())
    }

    fn test_file(&mut self, file: &Path) -> Result<(), StopReason> {
        let name = file.display().to_string();
        let source = input::read_source(file)?;
        let actual = self.run_markdown(&name, source.text())?;
        if actual == source.text() {
            return Ok(());
        }
        self.different_count += 1;
        if self.bless {
            storage::replace_file(file, actual.as_bytes(), AllowedReaders::AsBefore)?;
            return Ok(self.output.print_line(&format!("{name}: rewritten"))?);
        }
        self.outcome = Outcome::Failed;
        let diff = unified_diff((&name, source.text()), (&format!("{name} (actual)"), &actual));
        Ok(self.output.print_styled_line(&colour_diff(&diff, self.output.palette))?)
    }

    /// Runs the blocks of `markdown`, and reports unexpected and missing errors. Returns the text with the actual output.
    fn run_markdown(&mut self, name: &str, markdown: &str) -> Result<String, StopReason> {
        let mut text = String::with_capacity(markdown.len());
        let mut session = self.common.new_session();
        let mut lines = markdown.split_inclusive('\n').enumerate();
        while let Some((number, line)) = lines.next() {
            text.push_str(line);
            let Some((backticks, tag)) = split_opening_fence(line) else { continue };
            let place = number + 1;
            let attributes = tag.strip_prefix(&["pcore"]);
            let (mut expects_error, mut strictness) = (false, self.common.strict.unwrap_or_default());
            for word in attributes.unwrap_or_default() {
                match (*word, word.strip_prefix("strict=").and_then(Strictness::from_word)) {
                    ("error", _) => expects_error = true,
                    ("fresh", _) => session = self.common.new_session(),
                    (_, Some(level)) => strictness = level,
                    (other, None) => {
                        let expected = "expected error, fresh or strict=LEVEL";
                        return Err(format!("{name}:{place}: unknown attribute `{other}`: {expected}").into());
                    }
                }
            }
            let mut block = Vec::new();
            let end = loop {
                match lines.next() {
                    Some((_, line)) if closes_fence(line, backticks) => break line,
                    Some((_, line)) => block.push(line),
                    None => return Err(format!("{name}:{place}: this block is not closed").into()),
                }
            };
            if attributes.is_none() {
                text.extend(block.into_iter().chain([end]));
                continue;
            }
            session.limits = self.common.override_limits(Limits::default().with(Limit::Time, MAX_RUN_MILLISECONDS));
            session.strictness = strictness;
            let failed = self.run_block(&block, &mut session, &mut text);
            text.push_str(end);
            let advice = "unexpected error; if intended, tag the block `pcore error`";
            let misplaced: Vec<String> = match &failed[..] {
                [] if expects_error => vec![format!("{name}:{place}: expected an error in this block")],
                _ if expects_error => Vec::new(),
                failed => failed.iter().map(|line| format!("{name}:{}: {advice}", place + line)).collect(),
            };
            self.misjudged += misplaced.len();
            misplaced.into_iter().try_for_each(|message| self.report(message.into()))?;
        }
        Ok(text)
    }

    /// Runs a block and appends entries and output to `text`. Returns the line numbers of failed entries in the block.
    fn run_block(&mut self, lines: &[&str], session: &mut Console, text: &mut String) -> Vec<usize> {
        let mut failed = Vec::new();
        // Everything that is not input is old output.
        for (line, entry) in
            continuation::entries_of_session(lines.iter().map(|line| line.trim_end()), &[continuation::PROMPT])
        {
            self.entry_count += 1;
            text.push_str(&continuation::add_prompts(&entry)); // OK because the lines came trimmed.
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
            text.extend(output.iter().map(|shown| continuation::trimmed_lines(shown)));
        }
        failed
    }
}

/// Splits a line that opens a block of code into its backticks and the words after them.
fn split_opening_fence(line: &str) -> Option<(&str, Vec<&str>)> {
    let line = line.trim_end();
    let rest = line.trim_start_matches('`');
    let backticks = &line[..line.len() - rest.len()];
    (backticks.len() >= 3).then(|| (backticks, rest.split_whitespace().collect()))
}

fn closes_fence(line: &str, backticks: &str) -> bool {
    line.trim_end().len() >= backticks.len() && line.trim_end().bytes().all(|byte| byte == b'`')
}
