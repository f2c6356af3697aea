//! Every type that a program can name has its fact sheet in the manual, in the order that readers learn to expect.

use std::fs;
use std::path::{Path, PathBuf};

use pcore::types::TABLE;

/// The sections of a sheet, in order. A sheet may leave out one that has nothing to tell.
const SECTIONS: [&str; 8] =
    ["Literal", "Parameters", "Membership", "Relatives", "Inference", "Conversion", "Formats", "Errors"];

fn sheets() -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/types");
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn every_type_has_a_sheet_and_every_sheet_is_of_a_type() {
    // Hidden types cannot be written, so there is nothing to show.
    let mut types: Vec<&str> =
        TABLE.iter().filter(|row| pcore::types::Type::named(row.name).is_some()).map(|row| row.name).collect();
    types.sort_unstable();
    let sheets = sheets();
    let mut titles: Vec<&str> =
        sheets.iter().map(|(_, text)| text.lines().next().unwrap_or_default().trim_start_matches("# ")).collect();
    titles.sort_unstable();
    assert_eq!(titles, types);
}

#[test]
fn sheets_are_named_after_their_types() {
    for (path, text) in sheets() {
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ").to_lowercase();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().replace('_', "");
        assert_eq!(name, title, "{}", path.display());
    }
}

#[test]
fn sections_stand_in_the_same_order_in_every_sheet() {
    for (path, text) in sheets() {
        let found: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let in_order: Vec<&str> = SECTIONS.into_iter().filter(|section| found.contains(section)).collect();
        assert_eq!(found, in_order, "{}", path.display());
    }
}
