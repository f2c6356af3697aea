//! Hints, shown dimmed after the cursor: at the start of an argument, the parameters from this one on; elsewhere, the
//! rest of the latest entry with the same beginning, or else the remaining parameters. After an empty line or a command
//! in an unfinished entry, the hint is the key that leaves the entry.

use pcore::assist::{SignatureHelp, SymbolIndex, signature_help};
use rustyline::hint::Hint;

use super::super::show::{CURRENT, DIM, Palette};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PromptHint {
    pub(super) shown_text: String,
    /// The text that is inserted when the hint is accepted; `None` for a hint that only shows something.
    pub(super) inserted: Option<String>,
}

impl Hint for PromptHint {
    fn display(&self) -> &str {
        &self.shown_text
    }

    fn completion(&self) -> Option<&str> {
        self.inserted.as_deref()
    }
}

/// Returns the hint to show after `typed`, if there is one. `history` goes from the latest entry to the oldest.
pub(super) fn hint_after(
    typed: &str,
    symbols: &SymbolIndex,
    history: impl Iterator<Item = impl AsRef<str>>,
    palette: Palette,
) -> Option<PromptHint> {
    if typed.trim().is_empty() {
        return None;
    }
    if typed.ends_with("\n\n") || typed.rsplit_once('\n').is_some_and(|(_, line)| line.starts_with(':')) {
        return Some(PromptHint { shown_text: palette.paint_text(DIM, "  Ctrl-C leaves this entry"), inserted: None });
    }
    let help = signature_help(typed, typed.len(), symbols);
    let parameters = |help| hint_from_signature(typed, help, palette);
    match &help {
        Some(help) if help.is_argument_empty => parameters(help),
        _ => hint_from_history(typed, history, palette).or_else(|| parameters(help.as_ref()?)),
    }
}

fn hint_from_history(
    typed: &str,
    mut history: impl Iterator<Item = impl AsRef<str>>,
    palette: Palette,
) -> Option<PromptHint> {
    let rest = history.find_map(|entry| {
        let rest = entry.as_ref().strip_prefix(typed)?;
        (!rest.is_empty()).then(|| rest.to_owned())
    })?;
    // The other lines of the entry are inserted when the hint is taken.
    let shown = rest.split('\n').next().unwrap_or_default();
    let shown = match shown.char_indices().nth(MAX_HINT_CHARACTERS) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
    };
    Some(PromptHint { shown_text: palette.paint_text(DIM, &shown), inserted: Some(rest) })
}

const MAX_HINT_CHARACTERS: usize = 200;

/// Returns the parameters from the active one on as a hint. The active one is underlined, or left out once its argument
/// is begun. `None` if the last argument is begun, or if a space follows an argument, which may go on.
fn hint_from_signature(typed: &str, help: &SignatureHelp, palette: Palette) -> Option<PromptHint> {
    let signature = help.signatures.get(help.active_signature)?;
    let mut labels = signature.parameters.iter().skip(help.active_parameter).map(|parameter| parameter.label.as_str());
    let current = labels.next().unwrap_or_default();
    let mut others: String = labels.flat_map(|label| [", ", label]).collect();
    if !help.is_argument_empty && (others.is_empty() || typed.ends_with(char::is_whitespace)) {
        return None;
    }
    others.push(signature.brackets[1]);
    others.extend(signature.return_type.iter().flat_map(|type_| [" >> ", type_]));
    let space = if typed.ends_with(',') { " " } else { "" };
    let current = if help.is_argument_empty { palette.paint_text(CURRENT, current) } else { String::new() };
    Some(PromptHint { shown_text: format!("{space}{current}{}", palette.paint_text(DIM, &others)), inserted: None })
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/hint.rs"]
mod tests;
