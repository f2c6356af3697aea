//! What is typed in the transcripts.

use std::fs;
use std::path::Path;

use super::ROOT;
use crate::files_below;

/// Every transcript.
pub(super) fn texts() -> Vec<String> {
    let files = files_below(&Path::new(ROOT).join("transcripts"), "md");
    files.into_iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Every entry of every transcript, with its continuation lines.
pub(super) fn entries() -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for text in texts() {
        for line in text.lines() {
            if let Some(first) = line.strip_prefix(">>") {
                entries.push(first.trim_start().to_owned());
            } else if let Some(next) = line.strip_prefix("..") {
                let entry = entries.last_mut().unwrap();
                entry.push('\n');
                entry.push_str(next.strip_prefix(' ').unwrap_or(next));
            }
        }
    }
    entries
}

/// Those that are programs, not commands of the prompt.
pub(super) fn programs() -> impl Iterator<Item = String> {
    entries().into_iter().filter(|entry| !entry.starts_with([':', '?']))
}
