//! What was entered and answered at the prompt, to be written as a transcript that `pcore test` answers the same.

use pcore::session::settings::{self, EnumSetting};
use pcore::session::{Session, Strictness};

use super::super::continuation::{self, CONTINUATION_PROMPT, PROMPT};
use crate::cli::entry::{Said, Told};
use crate::cli::show::Palette;
use crate::cli::style::Look;

/// More answers to one entry are for nobody to read: the entry is left out.
const MOST_ANSWERS: usize = 1_000;

/// The settings that make the answers of a transcript what they are. The strictness is an attribute of its blocks.
const SHAPING: [&str; 3] = ["format", "width", "lines"];

/// All entries of a session so far.
#[derive(Debug, Default)]
pub(super) struct Record {
    entries: Vec<Recorded>,
}

/// An entry while it is answered.
#[derive(Debug)]
pub(super) struct Recorded {
    entry: String,
    said: Vec<Said>,
    /// As a transcript shows it.
    look: Look,
    strictness: Strictness,
    failed: bool,
}

impl Record {
    /// A record that starts with the settings that a transcript has to know.
    pub(super) fn of(session: &Session) -> Record {
        let mut record = Record::default();
        for row in settings::TABLE.iter().filter(|row| SHAPING.contains(&row.name)) {
            if row.value(session) != row.default_value() {
                let setting = Recorded::new(&format!(":set {} {}", row.name, row.value(session)), session);
                record.keep(setting, &Told::Answer);
            }
        }
        record
    }

    /// Keeps an entry that was answered. What was interrupted would be answered otherwise the next time, what only a
    /// prompt does would be refused.
    pub(super) fn keep(&mut self, mut recorded: Recorded, told: &Told) {
        match told {
            Told::Answer | Told::Error if recorded.said.len() <= MOST_ANSWERS => {
                recorded.failed = matches!(told, Told::Error);
                self.entries.push(recorded);
            }
            Told::Answer | Told::Error | Told::Interrupted | Told::Asked(_) | Told::Quit => {}
        }
    }

    /// The transcript of what can stand in one.
    pub(super) fn transcript(&self) -> Written {
        let written: Vec<(&Recorded, String)> =
            self.entries.iter().filter_map(|entry| Some((entry, entry.text()?))).collect();
        let same_block = |(one, _): &(&Recorded, String), (other, _): &(&Recorded, String)| {
            one.failed == other.failed && one.strictness == other.strictness
        };
        let blocks: Vec<String> = written.chunk_by(same_block).map(block).collect();
        Written {
            text: format!("# A session\n\n{}", blocks.join("\n")),
            entries: written.len(),
            left_out: self.entries.len() - written.len(),
        }
    }
}

/// A transcript as it is written.
pub(super) struct Written {
    pub(super) text: String,
    /// How many entries it has.
    pub(super) entries: usize,
    /// How many it cannot have, since their answers would be taken for entries.
    pub(super) left_out: usize,
}

/// Entries that go into one block: all of them fail or none, all under the same strictness.
fn block(entries: &[(&Recorded, String)]) -> String {
    let first = entries[0].0;
    let text: String = entries.iter().map(|(_, text)| text.as_str()).collect();
    let longest = text.lines().map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let mut block = format!("{fence}pcore");
    if first.failed {
        block.push_str(" error");
    }
    if first.strictness != Strictness::default() {
        block.push_str(" strict=");
        block.push_str(first.strictness.word());
    }
    block + "\n" + &text + &fence + "\n"
}

impl Recorded {
    /// An entry that is about to be answered.
    pub(super) fn new(entry: &str, session: &Session) -> Recorded {
        Recorded {
            entry: entry.to_owned(),
            said: Vec::new(),
            look: Look::of(&session.settings, None, Palette::Plain, Palette::Plain),
            strictness: session.strictness,
            failed: false,
        }
    }

    /// Keeps what is said, as long as it may be in a transcript.
    pub(super) fn hear(&mut self, said: Said) {
        if self.said.len() <= MOST_ANSWERS && !matches!(said, Said::Aside(_)) {
            self.said.push(said);
        }
    }

    /// The entry and what was answered; nothing where an answer, as those of the tour, has prompts itself.
    fn text(&self) -> Option<String> {
        let mut text = continuation::prompted(&self.entry);
        for said in &self.said {
            let (shown, _) = said.shown(&self.entry, &self.look);
            for line in shown.split('\n') {
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        let is_typed = |line: &str| {
            continuation::behind(PROMPT, line).or(continuation::behind(CONTINUATION_PROMPT, line)).is_some()
        };
        let typed = text.lines().filter(|line| is_typed(line)).count();
        (typed == self.entry.split('\n').count()).then_some(text)
    }
}
