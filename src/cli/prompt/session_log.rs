//! The log of the prompt: entries and their output, which can be written as a transcript for `pcore test`.

use pcore::secrets::Secrets;
use pcore::session::settings::{self, EnumSetting};
use pcore::session::{Console, Strictness};

use super::{CONTINUATION_PROMPT, EntryOutcome, OutputEvent, PROMPT, Style, continuation};
use crate::cli::show::Palette;

/// An entry with more output is left out.
const MAX_EVENTS: usize = 1_000;

/// The settings that affect the output in a transcript. Strictness is an attribute of its blocks.
const OUTPUT_SETTINGS: [&str; 4] = ["format", "width", "lines", "numbers"];

#[derive(Debug, Default)]
pub(super) struct SessionLog {
    entries: Vec<LoggedEntry>,
    with_secrets: usize,
}

#[derive(Debug)]
pub(super) struct LoggedEntry {
    entry: String,
    events: Vec<OutputEvent>,
    style: Style,
    strictness: Strictness,
    failed: bool,
    /// The number of secrets noted before the entry.
    noted: u64,
}

impl SessionLog {
    /// A log that starts with the settings that affect the output.
    pub(super) fn of(session: &Console) -> SessionLog {
        let mut log = SessionLog::default();
        for row in settings::TABLE.iter().filter(|row| OUTPUT_SETTINGS.contains(&row.name)) {
            if row.value(session) != row.default_value() {
                let setting = LoggedEntry::new(&format!(":set {} {}", row.name, row.value(session)), session);
                log.keep(setting, &EntryOutcome::Done, session.secrets());
            }
        }
        log
    }

    /// Records an entry, unless its output cannot be reproduced: after an interrupt, or for a command of the prompt.
    /// If it creates a Sensitive, only its number is recorded.
    pub(super) fn keep(&mut self, mut logged: LoggedEntry, outcome: &EntryOutcome, secrets: &Secrets) {
        logged.failed = match outcome {
            EntryOutcome::Done => false,
            EntryOutcome::Failed => true,
            EntryOutcome::Interrupted | EntryOutcome::Requested(_) | EntryOutcome::Quit => return,
        };
        if secrets.noted() > logged.noted {
            self.with_secrets += 1;
        } else if logged.events.len() <= MAX_EVENTS {
            self.entries.push(logged);
        }
    }

    pub(super) fn transcript(&self, secrets: &Secrets) -> Written {
        let written = self.entries.iter().filter_map(|entry| Some((entry, entry.text()?)));
        let written: Vec<(&LoggedEntry, String)> = written.filter(|(_, text)| !secrets.are_in(text)).collect();
        let same_block = |(one, _): &(&LoggedEntry, String), (other, _): &(&LoggedEntry, String)| {
            one.failed == other.failed && one.strictness == other.strictness
        };
        let blocks: Vec<String> = written.chunk_by(same_block).map(block).collect();
        Written {
            text: format!("# A session\n\n{}", blocks.join("\n")),
            entries: written.len(),
            left_out: self.entries.len() + self.with_secrets - written.len(),
        }
    }
}

pub(super) struct Written {
    pub(super) text: String,
    pub(super) entries: usize,
    /// The number of entries that are left out, because of secrets or because their output looks like entries.
    pub(super) left_out: usize,
}

/// A block of entries: all of them fail or none, with the same strictness.
fn block(entries: &[(&LoggedEntry, String)]) -> String {
    let [(first, _), ..] = entries else { return String::new() };
    let text: String = entries.iter().map(|(_, text)| text.as_str()).collect();
    let longest = text.lines().map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let error = if first.failed { " error" } else { "" };
    let is_usual = first.strictness == Strictness::default();
    let strict = if is_usual { String::new() } else { format!(" strict={}", first.strictness.word()) };
    format!("{fence}pcore{error}{strict}\n{text}{fence}\n")
}

impl LoggedEntry {
    pub(super) fn new(entry: &str, session: &Console) -> LoggedEntry {
        LoggedEntry {
            entry: entry.to_owned(),
            events: Vec::new(),
            style: Style::of(&session.settings, None, Palette::Plain, Palette::Plain),
            strictness: session.strictness,
            failed: false,
            noted: session.secrets().noted(),
        }
    }

    /// Adds output, unless it does not belong in a transcript.
    pub(super) fn push(&mut self, event: OutputEvent) {
        if self.events.len() <= MAX_EVENTS && !matches!(event, OutputEvent::Aside(_)) {
            self.events.push(event);
        }
    }

    /// The entry and its output; `None` if the output itself contains prompts, as that of the tour does.
    fn text(&self) -> Option<String> {
        let mut text = continuation::with_prompts(&self.entry);
        for event in &self.events {
            continuation::add_output(&mut text, &event.render(&self.entry, &self.style).0);
        }
        let is_typed = |line: &str| {
            continuation::after_prompt(PROMPT, line).or(continuation::after_prompt(CONTINUATION_PROMPT, line)).is_some()
        };
        let typed = text.lines().filter(|line| is_typed(line)).count();
        (typed == self.entry.split('\n').count()).then_some(text)
    }
}
