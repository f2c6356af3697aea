//! The style of output: wrapped to the width of the screen, cut to its height, with the colours of code.

use pcore::session::commands::CommandLine;
use pcore::session::settings::{self, Limit, ResultFormat, Settings};
use pcore::syntax::tokens::tokens;
use pcore::wording::{counted, printable, without_escapes};
use pcore::{Value, format};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::continuation::{CONTINUATION_PROMPT, PROMPT};
use super::show::{self, Palette, style_of_token};
use super::wrap;

const MARK: &str = "=> ";

/// Lines that are kept free for the entry above a result and the prompt below.
const FREE_LINES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Screen {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Screen {
    pub(super) fn is_exceeded_by(self, text: &str) -> bool {
        self.rows_of(text) > self.rows
    }

    pub(super) fn rows_of(self, text: &str) -> usize {
        let rows = |line: &str| without_escapes(line).width().div_ceil(self.columns.max(1)).max(1);
        text.split('\n').map(rows).sum()
    }
}

#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) out: Palette,
    pub(super) err: Palette,
    pub(super) width: Option<usize>,
    lines: Option<usize>,
    format: ResultFormat,
}

impl Style {
    /// The style that the settings ask for on this screen. Without a screen, `auto` does not wrap or cut.
    pub(super) fn of(settings: &Settings, screen: Option<Screen>, out: Palette, err: Palette) -> Style {
        let extent = |extent: Limit, auto: Option<usize>| match extent {
            Limit::Auto => auto,
            Limit::Off => None,
            Limit::Fixed(number) => Some(number),
        };
        Style {
            out,
            err,
            width: extent(settings.width, screen.map(|screen| screen.columns)),
            lines: extent(settings.lines, screen.map(|screen| screen.rows.saturating_sub(FREE_LINES).max(1))),
            format: settings.format.clone(),
        }
    }

    /// `=> 42`, cut if it is too long; `$_3 => 42` with a number.
    pub(super) fn result(&self, value: &Value, number: Option<usize>) -> String {
        let label = number.map(|number| format!("$_{number} ")).unwrap_or_default();
        let (text, is_code) = self.written(value, label.len());
        let shown = self.lines.map_or(text.len(), |lines| shown_length(&text, self.width, lines));
        let mark = self.out.paint(show::DIM, &label) + &self.out.paint(show::MARK, "=>");
        let mut result = mark + " " + &self.painted(&printable(&text[..shown]), is_code);
        if shown < text.len() {
            result.push('\n');
            result.push_str(&self.out.paint(show::DIM, &left_out(&text[shown..])));
        }
        result
    }

    pub(super) fn whole(&self, value: &Value) -> String {
        Style { lines: None, ..self.clone() }.result(value, None)
    }

    /// The text of a command, wrapped; code after prompts and result markers is coloured.
    pub(super) fn text(&self, text: &str) -> String {
        by_line(&printable(text), |line| self.line(line))
    }

    /// `error: there is no such command`
    pub(super) fn refusal(&self, message: &str) -> String {
        const LABEL: &str = "error:";
        let line = self.wrapped(&format!("{LABEL} {message}"));
        self.err.paint(show::ERROR, LABEL) + line.strip_prefix(LABEL).unwrap_or(&line)
    }

    fn wrapped(&self, text: &str) -> String {
        by_line(text, |line| wrap::wrap(line, self.width.unwrap_or(usize::MAX)))
    }

    /// Lays out lines of code to the width.
    pub(super) fn code(&self, text: &str) -> String {
        let laid_out = |line: &str| self.width.map_or_else(|| line.to_owned(), |width| format::lay_out(line, width));
        self.out.painted(&by_line(&printable(text), laid_out))
    }

    fn line(&self, line: &str) -> String {
        let code = line.trim_start();
        let indentation = &line[..line.len() - code.len()];
        for (mark, is_prompt) in [(PROMPT, true), (CONTINUATION_PROMPT, true), (MARK, false)] {
            if let Some(code) = code.strip_prefix(mark) {
                let is_code = !(is_prompt && CommandLine::of(code).is_some());
                return format!("{indentation}{}{}", self.out.paint(show::MARK, mark), self.painted(code, is_code));
            }
        }
        self.wrapped(line)
    }

    fn written(&self, value: &Value, label: usize) -> (String, bool) {
        // A format that is not for a value of this kind is passed over.
        if let Some(text) = self.format.as_ref().and_then(|(_, format)| settings::formatted(value, format).ok()) {
            return (text, false);
        }
        let text = match self.width {
            Some(width) => format::layout(value, width.saturating_sub(MARK.len() + label)),
            None => format::program_text(value),
        };
        (text, true)
    }

    fn painted(&self, text: &str, is_code: bool) -> String {
        if is_code { self.out.painted(text) } else { text.to_owned() }
    }
}

impl Palette {
    pub(super) fn painted(self, code: &str) -> String {
        if self == Palette::Plain {
            return code.to_owned();
        }
        let mut painted = String::with_capacity(code.len() * 2);
        let mut done = 0;
        for token in tokens(code) {
            let span = token.span.range();
            painted.push_str(&code[done..span.start]);
            painted.push_str(&self.paint(style_of_token(token.kind), &code[span.clone()]));
            done = span.end;
        }
        painted.push_str(&code[done..]);
        painted
    }
}

fn by_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.split('\n').map(change).collect::<Vec<_>>().join("\n")
}

/// The bytes of a text that fit in so many lines of a screen; longer lines take several. A line longer than the whole screen
/// is cut; others are shown whole or not at all.
fn shown_length(text: &str, width: Option<usize>, lines: usize) -> usize {
    let width = width.unwrap_or(usize::MAX);
    let (mut free, mut shown) = (lines, 0);
    for line in text.split_inclusive('\n') {
        let rows = line.trim_end_matches('\n').width().div_ceil(width).max(1);
        if rows > lines && free > 0 {
            return shown + fitting(line, free * width);
        }
        if rows > free {
            return shown.saturating_sub(1);
        }
        free -= rows;
        shown += line.len();
    }
    text.len()
}

/// How many bytes from the start of `line` fit into `columns` columns.
pub(super) fn fitting(line: &str, columns: usize) -> usize {
    let mut taken = 0;
    let mut letters = line.char_indices();
    let beyond = letters.find(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken > columns
    });
    beyond.map_or(line.len(), |(at, _)| at)
}

/// `… 12 more lines; `:full` shows all`
fn left_out(rest: &str) -> String {
    let count = match rest.strip_prefix('\n') {
        Some(lines) => counted(lines.split('\n').count(), "more line"),
        None => counted(rest.chars().count(), "more character"),
    };
    format!("… {count}; `:full` shows all")
}

#[cfg(test)]
#[path = "../../tests/unit/cli/style.rs"]
mod tests;
