//! Golden transcripts: the `pcore` blocks of Markdown files, run and compared line by line.
//!
//! A block is a session as it stands in a terminal: lines with `>> ` and `.. ` are input, what follows up to the next
//! prompt is what is answered. Running a file writes every block anew from its input; where the text then differs from
//! the file, the transcript fails, and `--bless` keeps the new text. Attributes after the tag: `error`, the block must
//! report an error (and any other block must not); `fresh`, a new session, where otherwise one session lasts for the
//! file; `strict=off|warning|error`.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pcore::session::{Session, Strictness};
use similar::TextDiff;

use super::arguments::Common;
use super::entry::{self, Said, Told};
use super::look::Look;
use super::output::Output;
use super::show::Palette;
use super::{Ending, Outcome};

/// The tag of the blocks that are run.
const TAG: &str = "pcore";

/// What is said of commands that write files or need a terminal.
const ONLY_AT_PROMPT: &str = "this works at the prompt only";

/// Runs every transcript below `paths`; with `bless` keeps what was answered.
pub(super) fn test(paths: &[PathBuf], bless: bool, common: &Common, output: &mut Output) -> Ending {
    if bless && std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) {
        output.complain("--bless rewrites what is to be tested, and CI is set: run it on your own machine")?;
        return Ok(Outcome::Usage);
    }
    let mut files = Vec::new();
    let mut outcome = Outcome::Fine;
    for path in paths {
        if let Err(message) = collect(path, &mut files) {
            output.complain(&message)?;
            outcome = Outcome::Failed;
        }
    }
    let (mut different, mut entries) = (0, 0);
    for file in &files {
        let name = file.display().to_string();
        let run = fs::read_to_string(file)
            .map_err(|error| format!("`{name}` cannot be read: {error}"))
            .and_then(|text| Ok((Transcript::run(&text, common).map_err(|wrong| format!("{name}:{wrong}"))?, text)));
        let (transcript, text) = match run {
            Ok(run) => run,
            Err(message) => {
                output.complain(&message)?;
                outcome = Outcome::Failed;
                continue;
            }
        };
        entries += transcript.entries;
        for wrong in &transcript.wrong {
            output.complain(&format!("{name}:{wrong}"))?;
            outcome = Outcome::Failed;
        }
        if transcript.text == text {
            continue;
        }
        different += 1;
        if bless {
            fs::write(file, &transcript.text)?;
            output.say(&format!("{name}: rewritten"))?;
        } else {
            outcome = Outcome::Failed;
            output.say(&difference(&name, &text, &transcript.text, output.palette))?;
        }
    }
    let verdict = match (different, bless) {
        (0, _) => "all as written".to_owned(),
        (_, true) => format!("{different} rewritten"),
        (_, false) => format!("{different} differ; `pcore test --bless` keeps the new answers"),
    };
    output.say(&format!("{} transcripts, {entries} entries: {verdict}", files.len()))?;
    Ok(outcome)
}

/// The Markdown files at and below `path`, in alphabetical order.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("`{}` cannot be read: {error}", path.display());
    if !path.is_dir() {
        fs::metadata(path).map_err(problem)?;
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(path).map_err(problem)?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|ending| ending == "md") {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

fn difference(name: &str, written: &str, answered: &str, palette: Palette) -> String {
    let diff = TextDiff::from_lines(written, answered);
    let diff = diff.unified_diff().context_radius(3).header(name, &format!("{name} (answered)")).to_string();
    let lines: Vec<String> = diff.lines().map(|line| palette.diff_line(line)).collect();
    lines.join("\n")
}

/// A transcript after its run.
struct Transcript {
    /// The whole file, as it should be.
    text: String,
    entries: usize,
    /// What is wrong with blocks, each with the line it starts in.
    wrong: Vec<String>,
}

impl Transcript {
    /// Runs all blocks of a Markdown text.
    fn run(markdown: &str, common: &Common) -> Result<Transcript, String> {
        let mut transcript = Transcript { text: String::with_capacity(markdown.len()), entries: 0, wrong: Vec::new() };
        let mut session = common.session();
        let mut lines = markdown.split_inclusive('\n').enumerate();
        while let Some((number, line)) = lines.next() {
            transcript.text.push_str(line);
            let Some(fence) = Fence::open(line) else { continue };
            let place = number + 1;
            let attributes = match fence.tag.split_first() {
                Some((&TAG, attributes)) => {
                    Some(Attributes::read(attributes).map_err(|wrong| format!("{place}: {wrong}"))?)
                }
                _ => None,
            };
            let mut block = Vec::new();
            let end = loop {
                match lines.next() {
                    Some((_, line)) if fence.closes(line) => break line,
                    Some((_, line)) => block.push(line),
                    None => return Err(format!("{place}: this block has no end")),
                }
            };
            let Some(attributes) = attributes else {
                transcript.text.extend(block);
                transcript.text.push_str(end);
                continue;
            };
            if attributes.fresh {
                session = common.session();
            }
            session.strictness = attributes.strictness.unwrap_or(common.strictness());
            let failed = transcript.block(&block, &mut session);
            transcript.text.push_str(end);
            if attributes.error && !failed {
                transcript.wrong.push(format!("{place}: expected an error in this block"));
            } else if failed && !attributes.error {
                transcript.wrong.push(format!("{place}: an error; if it is meant, tag the block `pcore error`"));
            }
        }
        Ok(transcript)
    }

    /// Runs one block and writes it anew; tells whether an error was reported.
    fn block(&mut self, lines: &[&str], session: &mut Session) -> bool {
        let mut failed = false;
        let mut lines = lines.iter().map(|line| line.trim_end()).peekable();
        while let Some(line) = lines.next() {
            let Some(first) = after_prompt(line, ">>") else {
                // Before the first prompt nothing can have been answered; after it, this is an old answer.
                continue;
            };
            let mut entry = first.to_owned();
            while let Some(next) = lines.next_if(|line| after_prompt(line, "..").is_some()) {
                entry.push('\n');
                entry.push_str(after_prompt(next, "..").unwrap_or_default());
            }
            self.entries += 1;
            for (number, line) in entry.split('\n').enumerate() {
                let prompt = if number == 0 { ">>" } else { ".." };
                self.text.push_str(format!("{prompt} {line}").trim_end()); // OK because the lines came trimmed.
                self.text.push('\n');
            }
            let look = Look::of(&session.settings, None, Palette::Plain, Palette::Plain);
            let mut answer = Vec::new();
            let told = entry::run(session, &entry, &mut |said| {
                // What differs from run to run has no place in a transcript.
                if !matches!(said, Said::Aside(_)) {
                    answer.push(said.shown(&entry, &look).0);
                }
                ControlFlow::Continue(())
            });
            failed |= match told {
                Told::Answer | Told::Quit => false,
                Told::Error | Told::Interrupted => true,
                Told::Asked(_) => {
                    answer.push(Said::Refusal(ONLY_AT_PROMPT.to_owned()).shown(&entry, &look).0);
                    true
                }
            };
            for line in answer.iter().flat_map(|text| text.split('\n')) {
                self.text.push_str(line.trim_end());
                self.text.push('\n');
            }
        }
        failed
    }
}

/// What is typed after `>>` or `..` at the start of a line.
fn after_prompt<'a>(line: &'a str, prompt: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(prompt)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// The line that opens a fenced block.
struct Fence<'a> {
    marks: &'a str,
    tag: Vec<&'a str>,
}

impl<'a> Fence<'a> {
    fn open(line: &'a str) -> Option<Fence<'a>> {
        let line = line.trim_end();
        let rest = line.trim_start_matches('`');
        let marks = &line[..line.len() - rest.len()];
        (marks.len() >= 3).then(|| Fence { marks, tag: rest.split_whitespace().collect() })
    }

    fn closes(&self, line: &str) -> bool {
        let line = line.trim_end();
        line.len() >= self.marks.len() && line.bytes().all(|byte| byte == b'`')
    }
}

/// What stands after the tag.
#[derive(Default)]
struct Attributes {
    error: bool,
    fresh: bool,
    strictness: Option<Strictness>,
}

impl Attributes {
    fn read(words: &[&str]) -> Result<Attributes, String> {
        let mut attributes = Attributes::default();
        for word in words {
            match *word {
                "error" => attributes.error = true,
                "fresh" => attributes.fresh = true,
                "strict=off" => attributes.strictness = Some(Strictness::Off),
                "strict=warning" => attributes.strictness = Some(Strictness::Warning),
                "strict=error" => attributes.strictness = Some(Strictness::Error),
                other => return Err(format!("`{other}` is not known; a block can be error, fresh, strict=LEVEL")),
            }
        }
        Ok(attributes)
    }
}
