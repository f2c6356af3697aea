//! The style of output: wrapped to the width of the screen, cut to its height, with the colours of code.

use pcore::session::commands::CommandLine;
use pcore::session::settings::{self, Limit, ResultFormat, Settings};
use pcore::syntax::tokens::tokens;
use pcore::wording::{pluralize, strip_colour_codes, to_printable};
use pcore::{Value, format};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::continuation::{CONTINUATION_PROMPT, PROMPT};
use super::show::{self, Palette, style_of_token};
use super::wrap;

const RESULT_MARKER: &str = "=> ";

/// The number of lines kept free for the entry above a result and the prompt below.
const FREE_LINES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScreenSize {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl ScreenSize {
    pub(super) fn is_too_small_for(self, text: &str) -> bool {
        self.rows_of_text(text) > self.rows
    }

    pub(super) fn rows_of_text(self, text: &str) -> usize {
        let rows = |line: &str| strip_colour_codes(line).width().div_ceil(self.columns.max(1)).max(1);
        text.split('\n').map(rows).sum()
    }
}

#[derive(Clone, Debug)]
pub(super) struct OutputStyle {
    pub(super) out: Palette,
    pub(super) err: Palette,
    pub(super) width: Option<usize>,
    max_rows: Option<usize>,
    result_format: ResultFormat,
}

impl OutputStyle {
    /// Creates the style from `settings` for a screen, with the palettes of standard output and standard error. Without a
    /// screen, the setting `auto` neither wraps nor cuts.
    pub(super) fn from_settings(
        settings: &Settings,
        screen: Option<ScreenSize>,
        [out, err]: [Palette; 2],
    ) -> OutputStyle {
        let extent = |extent: Limit, auto: Option<usize>| match extent {
            Limit::Auto => auto,
            Limit::Off => None,
            Limit::Fixed(number) => Some(number),
        };
        let width = extent(settings.width, screen.map(|screen| screen.columns));
        let lines = extent(settings.max_lines, screen.map(|screen| screen.rows.saturating_sub(FREE_LINES).max(1)));
        OutputStyle { out, err, width, max_rows: lines, result_format: settings.format.clone() }
    }

    /// Returns `=> 42`, or `$_3 => 42` with a number; a value that is too long for the screen is cut.
    pub(super) fn render_result(&self, value: &Value, number: Option<usize>) -> String {
        let label = number.map(|number| format!("$_{number} ")).unwrap_or_default();
        let (text, is_code) = self.format_value(value, label.len());
        let shown = self.max_rows.map_or(text.len(), |lines| length_within_rows(&text, self.width, lines));
        let mark = self.out.paint_text(show::DIM, &label) + &self.out.paint_text(show::MARKER_STYLE, "=>");
        let mut result = mark + " " + &self.paint_if_code(&to_printable(&text[..shown]), is_code);
        if shown < text.len() {
            result.extend(["\n", &self.out.paint_text(show::DIM, &left_out_message(&text[shown..]))]);
        }
        result
    }

    pub(super) fn render_whole_value(&self, value: &Value) -> String {
        OutputStyle { max_rows: None, ..self.clone() }.render_result(value, None)
    }

    /// Wraps the output of a command, and colours the code after prompts and result markers.
    pub(super) fn render_text(&self, text: &str) -> String {
        map_lines(&to_printable(text), |line| self.render_text_line(line))
    }

    /// Returns `message` after a label, wrapped: `error: unknown command`
    pub(super) fn render_refusal(&self, message: &str) -> String {
        const ERROR_LABEL: &str = "error:";
        let line = self.wrap_lines(&format!("{ERROR_LABEL} {message}"));
        self.err.paint_text(show::ERROR_STYLE, ERROR_LABEL) + line.strip_prefix(ERROR_LABEL).unwrap_or(&line)
    }

    fn wrap_lines(&self, text: &str) -> String {
        map_lines(text, |line| wrap::wrap_line(line, self.width.unwrap_or(usize::MAX)))
    }

    pub(super) fn render_code(&self, text: &str) -> String {
        let laid_out =
            |line: &str| self.width.map_or_else(|| line.to_owned(), |width| format::break_into_lines(line, width));
        self.out.paint_code(&map_lines(&to_printable(text), laid_out))
    }

    fn render_text_line(&self, line: &str) -> String {
        let code = line.trim_start();
        let indentation = &line[..line.len() - code.len()];
        for (mark, is_prompt) in [(PROMPT, true), (CONTINUATION_PROMPT, true), (RESULT_MARKER, false)] {
            if let Some(code) = code.strip_prefix(mark) {
                let is_code = !(is_prompt && CommandLine::parse(code).is_some());
                let mark = self.out.paint_text(show::MARKER_STYLE, mark);
                return format!("{indentation}{mark}{}", self.paint_if_code(code, is_code));
            }
        }
        self.wrap_lines(line)
    }

    fn format_value(&self, value: &Value, label: usize) -> (String, bool) {
        // A format that is not for a value of this kind is passed over.
        if let Some(text) =
            self.result_format.as_ref().and_then(|(_, format)| settings::format_value(value, format).ok())
        {
            return (text, false);
        }
        let text = match self.width {
            Some(width) => format::pretty_print(value, width.saturating_sub(RESULT_MARKER.len() + label)),
            None => format::program_text(value),
        };
        (text, true)
    }

    fn paint_if_code(&self, text: &str, is_code: bool) -> String {
        if is_code { self.out.paint_code(text) } else { text.to_owned() }
    }
}

impl Palette {
    pub(super) fn paint_code(self, code: &str) -> String {
        if self == Palette::Plain {
            return code.to_owned();
        }
        let mut painted = String::with_capacity(code.len() * 2);
        let mut done = 0;
        for token in tokens(code) {
            let span = token.span.range();
            painted.push_str(&code[done..span.start]);
            painted.push_str(&self.paint_text(style_of_token(token.kind), &code[span.clone()]));
            done = span.end;
        }
        painted.push_str(&code[done..]);
        painted
    }
}

fn map_lines(text: &str, change: impl Fn(&str) -> String) -> String {
    text.split('\n').map(change).collect::<Vec<_>>().join("\n")
}

/// Returns how many bytes of `text` fit in `lines` rows of `width` columns. A line that needs more than `lines` rows is
/// cut; other lines are shown completely or not at all.
fn length_within_rows(text: &str, width: Option<usize>, lines: usize) -> usize {
    let width = width.unwrap_or(usize::MAX);
    let (mut free, mut shown) = (lines, 0);
    for line in text.split_inclusive('\n') {
        let rows = line.trim_end_matches('\n').width().div_ceil(width).max(1);
        if rows > lines && free > 0 {
            return shown + length_within_columns(line, free * width);
        }
        if rows > free {
            return shown.saturating_sub(1);
        }
        free -= rows;
        shown += line.len();
    }
    text.len()
}

/// Returns the length in bytes of the longest beginning of `line` that fits in `columns` columns.
pub(super) fn length_within_columns(line: &str, columns: usize) -> usize {
    let mut taken = 0;
    let mut letters = line.char_indices();
    let beyond = letters.find(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken > columns
    });
    beyond.map_or(line.len(), |(at, _)| at)
}

/// Returns `… 12 more lines; `:full` shows all` for the part `rest` of a value that is not shown.
fn left_out_message(rest: &str) -> String {
    let count = match rest.strip_prefix('\n') {
        Some(lines) => pluralize(lines.split('\n').count(), "more line"),
        None => pluralize(rest.chars().count(), "more character"),
    };
    format!("… {count}; `:full` shows all")
}

#[cfg(test)]
#[path = "../../tests/unit/cli/style.rs"]
mod tests;
