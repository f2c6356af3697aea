//! The log of the prompt: entries and their output, which can be written as a transcript for `pcore test`.

use pcore::secrets::Secrets;
use pcore::session::settings::{self, EnumSetting};
use pcore::session::{Console, Strictness};

use super::{CONTINUATION_PROMPT, EntryOutcome, OutputEvent, OutputStyle, PROMPT, continuation};
use crate::cli::show::Palette;

/// The maximum number of output events of an entry; an entry with more is left out of transcripts.
const MAX_EVENTS_PER_ENTRY: usize = 1_000;

/// The settings that affect the output. Strictness is missing: it is an attribute of the blocks of a transcript.
const OUTPUT_SETTINGS: [&str; 4] = ["format", "width", "lines", "numbers"];

#[derive(Debug, Default)]
pub(super) struct SessionLog {
    entries: Vec<LoggedEntry>,
    secret_entry_count: usize,
}

#[derive(Debug)]
pub(super) struct LoggedEntry {
    entry: String,
    events: Vec<OutputEvent>,
    style: OutputStyle,
    strictness: Strictness,
    has_failed: bool,
    /// How often a secret had been noted before the entry: if the number grows, the entry has created a Sensitive.
    secrets_before: u64,
}

impl SessionLog {
    /// Creates a log that starts with a `:set` command for each setting that affects the output and is not the default.
    pub(super) fn new(session: &Console) -> SessionLog {
        let mut log = SessionLog::default();
        let changed = settings::TABLE.iter().filter(|row| row.value(session) != row.default_value());
        for row in changed.filter(|row| OUTPUT_SETTINGS.contains(&row.name)) {
            let setting = LoggedEntry::for_entry(&format!(":set {} {}", row.name, row.value(session)), session);
            log.record_entry(setting, &EntryOutcome::Done, session.secrets());
        }
        log
    }

    /// Records an entry, unless its output cannot be reproduced: after an interrupt, or for a command of the prompt.
    /// An entry that creates a Sensitive is only counted.
    pub(super) fn record_entry(&mut self, mut logged: LoggedEntry, outcome: &EntryOutcome, secrets: &Secrets) {
        logged.has_failed = match outcome {
            EntryOutcome::Done => false,
            EntryOutcome::Failed => true,
            EntryOutcome::Interrupted | EntryOutcome::Requested(_) | EntryOutcome::Quit => return,
        };
        if secrets.noted_count() > logged.secrets_before {
            self.secret_entry_count += 1;
        } else if logged.events.len() <= MAX_EVENTS_PER_ENTRY {
            self.entries.push(logged);
        }
    }

    /// Returns the log as a transcript, the number of entries in it, and the number of entries that are left out because
    /// they contain secrets, or their output contains prompts.
    pub(super) fn to_transcript(&self, secrets: &Secrets) -> (String, usize, usize) {
        let written = self.entries.iter().filter_map(|entry| Some((entry, entry.to_text()?)));
        let written: Vec<(&LoggedEntry, String)> = written.filter(|(_, text)| !secrets.occur_in(text)).collect();
        let same_block = |(one, _): &(&LoggedEntry, String), (other, _): &(&LoggedEntry, String)| {
            one.has_failed == other.has_failed && one.strictness == other.strictness
        };
        let blocks: Vec<String> = written.chunk_by(same_block).map(format_block).collect();
        let left_out = self.entries.len() + self.secret_entry_count - written.len();
        (format!("# A session\n\n{}", blocks.join("\n")), written.len(), left_out)
    }
}

/// Formats entries as one block of a transcript. All have the same strictness, and either all failed or none.
fn format_block(entries: &[(&LoggedEntry, String)]) -> String {
    let [(first, _), ..] = entries else { return String::new() };
    let text: String = entries.iter().map(|(_, text)| text.as_str()).collect();
    let longest = text.lines().map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let error = if first.has_failed { " error" } else { "" };
    let is_usual = first.strictness == Strictness::default();
    let strict = if is_usual { String::new() } else { format!(" strict={}", first.strictness.word()) };
    format!("{fence}pcore{error}{strict}\n{text}{fence}\n")
}

impl LoggedEntry {
    pub(super) fn for_entry(entry: &str, session: &Console) -> LoggedEntry {
        LoggedEntry {
            entry: entry.to_owned(),
            events: Vec::new(),
            style: OutputStyle::from_settings(&session.settings, None, [Palette::Plain; 2]),
            strictness: session.strictness,
            has_failed: false,
            secrets_before: session.secrets().noted_count(),
        }
    }

    /// Adds an output event, unless it differs from run to run (`Aside`) or there are too many.
    pub(super) fn push_event(&mut self, event: OutputEvent) {
        if self.events.len() <= MAX_EVENTS_PER_ENTRY && !matches!(event, OutputEvent::Aside(_)) {
            self.events.push(event);
        }
    }

    /// Returns the entry with prompts, and its output; `None` if the output contains prompts, as that of `:tour` does.
    fn to_text(&self) -> Option<String> {
        let mut text = continuation::add_prompts(&self.entry);
        let output = self.events.iter().map(|event| event.render(&self.entry, &self.style).0);
        text.extend(output.map(|output| continuation::trimmed_lines(&output)));
        let is_typed = |line: &str| {
            continuation::strip_prompt(PROMPT, line).or(continuation::strip_prompt(CONTINUATION_PROMPT, line)).is_some()
        };
        let typed = text.lines().filter(|line| is_typed(line)).count();
        (typed == self.entry.split('\n').count()).then_some(text)
    }
}
