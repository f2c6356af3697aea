//! Paints an entry: each token in the colour of its kind, unknown names and the pair of brackets at the cursor marked.
//!
//! The painted entry is as wide as the typed one: only colours are added, and each [padding](super::super::continuation) is
//! drawn as a prompt.

use owo_colors::Style;
use pcore::assist::{HighlightedToken, SymbolIndex, highlight};

use super::super::continuation::{self, CONTINUATION_PROMPT, PADDING};
use super::super::show::{BRACKET_PAIR_STYLE, DIM, Palette, UNKNOWN_NAME_STYLE, style_of_token};

/// Colours the entry `line` and draws its prompts. Without a `cursor` the entry is finished: no name is being typed.
pub(super) fn paint_entry(line: &str, cursor: Option<usize>, symbols: &SymbolIndex, palette: Palette) -> String {
    let tokens = match palette {
        Palette::Plain => Vec::new(),
        _ => highlight(&continuation::padding_to_spaces(line), cursor, symbols),
    };
    let (mut shown, mut done) = (String::with_capacity(line.len() * 2), 0);
    for HighlightedToken { range, kind, is_unknown, is_pair_at_cursor: is_paired } in tokens {
        let style = match (is_unknown, is_paired) {
            (true, _) => UNKNOWN_NAME_STYLE,
            (false, true) => BRACKET_PAIR_STYLE,
            (false, false) => style_of_token(kind),
        };
        shown.push_str(&paint_lines(&line[done..range.start], Style::new(), palette));
        shown.push_str(&paint_lines(&line[range.clone()], style, palette));
        done = range.end;
    }
    shown.push_str(&paint_lines(&line[done..], Style::new(), palette));
    shown.replace(&format!("\n{PADDING}"), &format!("\n{}", palette.paint_text(DIM, CONTINUATION_PROMPT)))
}

/// Colours each line of `piece`, a part of an entry, except for the padding. Removes control characters, which the
/// editor counts as zero columns wide.
fn paint_lines(piece: &str, style: Style, palette: Palette) -> String {
    let painted = |line: &str| {
        let text = line.trim_start_matches(PADDING);
        let padding = &line[..line.len() - text.len()];
        let text = text.replace(|letter: char| letter.is_control() && letter != '\t', "");
        padding.to_owned() + &palette.paint_text(style, &text)
    };
    piece.split('\n').map(painted).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/paint.rs"]
mod tests;
