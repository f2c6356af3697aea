//! What is typed in the transcripts.

use std::fs;
use std::path::Path;

use super::ROOT;

/// Every transcript.
pub(super) fn texts() -> Vec<String> {
    let mut files = Vec::new();
    collect(&Path::new(ROOT).join("transcripts"), &mut files);
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

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
}
