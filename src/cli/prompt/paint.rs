//! Paints an entry: each token in the colour of its kind, unknown names and the pair of brackets at the cursor marked.
//!
//! The painted entry is as wide as the typed one: only colours are added, and each [padding](super::super::continuation) is
//! drawn as a prompt.

use pcore::assist::{HighlightedToken, SymbolIndex, highlight};

use super::super::continuation::{self, CONTINUATION_PROMPT, PADDING};
use super::super::show::Palette;

/// The painted entry. Without a `cursor` the entry is finished: no name is being typed.
pub(super) fn painted(line: &str, cursor: Option<usize>, symbols: &SymbolIndex, palette: Palette) -> String {
    let mut painter = Painter { palette, shown: String::with_capacity(line.len() * 2) };
    let tokens = match palette {
        Palette::Plain => Vec::new(),
        Palette::Coloured => highlight(&continuation::with_spaces(line), cursor, symbols),
    };
    let mut done = 0;
    for HighlightedToken { range, kind, is_unknown, is_paired } in tokens {
        painter.plain(&line[done..range.start]);
        done = range.end;
        let piece = &line[range];
        if is_unknown {
            painter.paint(piece, Palette::unknown);
        } else if is_paired {
            painter.paint(piece, Palette::pair);
        } else {
            painter.paint(piece, |palette, text| palette.code(kind, text));
        }
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
            self.paint(piece, |_, text| text.to_owned());
        } else {
            self.shown.push_str(piece);
        }
    }

    /// Adds a piece of the line. A piece of several lines is painted line by line. Control characters are left out: for
    /// the editor they have no width.
    fn paint(&mut self, piece: &str, colour: impl Fn(Palette, &str) -> String) {
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
                self.shown.push_str(&self.palette.dim(CONTINUATION_PROMPT));
                line = rest;
            }
            if line.contains(is_control) {
                self.shown.push_str(&colour(self.palette, &line.replace(is_control, "")));
            } else if !line.is_empty() {
                self.shown.push_str(&colour(self.palette, line));
            }
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/paint.rs"]
mod tests;
