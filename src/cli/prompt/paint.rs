//! Paints an entry: each token in the colour of its kind, unknown names and the pair of brackets at the cursor marked.
//!
//! The painted entry is as wide as the typed one: only colours are added, and each [padding](super::super::continuation) is
//! drawn as a prompt.

use owo_colors::Style;
use pcore::assist::{HighlightedToken, SymbolIndex, highlight};

use super::super::continuation::{self, CONTINUATION_PROMPT, PADDING};
use super::super::show::{DIM, PAIR, Palette, UNKNOWN, style_of_token};

/// The painted entry. Without a `cursor` the entry is finished: no name is being typed.
pub(super) fn painted(line: &str, cursor: Option<usize>, symbols: &SymbolIndex, palette: Palette) -> String {
    let mut painter = Painter { palette, shown: String::with_capacity(line.len() * 2) };
    let tokens = match palette {
        Palette::Plain => Vec::new(),
        _ => highlight(&continuation::with_spaces(line), cursor, symbols),
    };
    let mut done = 0;
    for HighlightedToken { range, kind, is_unknown, is_paired } in tokens {
        painter.plain(&line[done..range.start]);
        done = range.end;
        let piece = &line[range];
        let style = match (is_unknown, is_paired) {
            (true, _) => UNKNOWN,
            (false, true) => PAIR,
            (false, false) => style_of_token(kind),
        };
        painter.paint(piece, style);
    }
    painter.plain(&line[done..]);
    painter.shown
}

struct Painter {
    palette: Palette,
    shown: String,
}

impl Painter {
    /// Adds a piece of the line without colours.
    fn plain(&mut self, piece: &str) {
        if piece.contains(char::is_control) || piece.starts_with(PADDING) {
            self.paint(piece, Style::new());
        } else {
            self.shown.push_str(piece);
        }
    }

    /// Adds a piece of the line. A piece of several lines is painted line by line. Control characters are left out: for
    /// the editor they have no width.
    fn paint(&mut self, piece: &str, style: Style) {
        let is_control = |letter: char| letter.is_control() && letter != '\t';
        for (number, line) in piece.split('\n').enumerate() {
            let mut line = line;
            if number > 0 {
                self.shown.push('\n');
            }
            // The text of a heredoc is a token of its own, which starts with the line.
            if self.shown.ends_with('\n')
                && let Some(rest) = line.strip_prefix(PADDING)
            {
                self.shown.push_str(&self.palette.paint(DIM, CONTINUATION_PROMPT));
                line = rest;
            }
            self.shown.push_str(&self.palette.paint(style, &line.replace(is_control, "")));
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/paint.rs"]
mod tests;
