//! Every type that a program can name has its fact sheet in the manual, in the order that readers learn to expect.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files_below;
use pcore::format;
use pcore::types::{TABLE, Type};

/// The sections of a sheet, in order. A sheet may leave out one that has nothing to tell.
const SECTIONS: [&str; 8] =
    ["Literal", "Parameters", "Membership", "Relatives", "Inference", "Conversion", "Formats", "Errors"];

fn sheets() -> Vec<(PathBuf, String)> {
    sheets_in("types")
}

/// The sheets in a folder of the manual, with their texts.
fn sheets_in(folder: &str) -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts").join(folder);
    files_below(&directory, "md").into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The name in the first heading.
fn title(sheet: &str) -> &str {
    sheet.lines().next().unwrap_or_default().trim_start_matches("# ")
}

#[test]
fn every_type_has_a_sheet_and_every_sheet_is_of_a_type() {
    let sheets = sheets();
    let titles: Vec<&str> = sheets.iter().map(|(_, text)| title(text)).collect();
    // What has no name in programs needs no sheet.
    let missing: Vec<&str> =
        TABLE.iter().map(|row| row.name).filter(|name| Type::named(name).is_some() && !titles.contains(name)).collect();
    let of_nothing: Vec<&str> =
        titles.iter().copied().filter(|title| TABLE.iter().all(|row| row.name != *title)).collect();
    assert_eq!((missing, of_nothing), (vec![], vec![]));
}

#[test]
fn sheets_are_named_after_their_types() {
    for (path, text) in sheets() {
        let title = title(&text).to_lowercase().replace("::", "");
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

#[test]
fn the_manual_shows_what_every_function_answers_and_how_it_fails() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/functions");
    let (mut answers, mut errors) = (String::new(), String::new());
    for file in files_below(&directory, "md") {
        let mut lines = None;
        for line in fs::read_to_string(file).unwrap().lines() {
            if let Some(tag) = line.strip_prefix("```") {
                let is_open = lines.is_some();
                lines = (!is_open).then_some(if tag.contains("error") { &mut errors } else { &mut answers });
            } else if let (Some(lines), Some(code)) =
                (&mut lines, line.strip_prefix(">> ").or(line.strip_prefix(".. ")))
            {
                lines.push_str(code);
                lines.push('\n');
            }
        }
    }
    let names =
        |code: &str, name: &str| code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    // These are refused whatever they are given, or read files that the manual does not have.
    let only_fail = ["epp", "generate", "json_data", "yaml_data"];
    let functions = || pcore::functions::TABLE.iter().copied().flatten().map(|row| row.name);
    let unanswered: Vec<&str> =
        functions().filter(|name| !names(&answers, name) && !only_fail.contains(name)).collect();
    let unfailing: Vec<&str> = functions().filter(|name| !names(&errors, name)).collect();
    assert_eq!((unanswered, unfailing), (vec![], vec![]));
}

/// The letters that the examples of a section of the sheets of formats show.
fn letters_shown(type_name: &str) -> String {
    let mut letters = String::new();
    for (_, text) in sheets_in("formats") {
        let sections = text.split("\n## ").filter(|section| section.lines().next() == Some(type_name));
        let examples = sections.flat_map(str::lines).filter(|line| line.starts_with(">> String("));
        letters.extend(examples.filter_map(|line| line.strip_suffix("')")?.chars().next_back()));
    }
    letters
}

#[test]
fn every_letter_of_a_format_is_shown() {
    // No program has a function as a value.
    for letters in format::LETTER_TABLE.iter().filter(|letters| letters.type_name != "Callable") {
        let shown = letters_shown(letters.type_name);
        let missing: Vec<&str> = letters
            .rows
            .iter()
            .map(|row| row.letters)
            .filter(|row| !row.contains(|letter| shown.contains(letter)))
            .collect();
        assert_eq!(missing, Vec::<&str>::new(), "of {}", letters.type_name);
    }
}

/// Every type that makes values has a lesson, which calls it and shows a call that fails.
#[test]
fn every_constructor_has_a_lesson() {
    let lessons = sheets_in("conversions");
    let missing: Vec<&str> = TABLE
        .iter()
        .filter(|row| !row.new.is_empty() && Type::named(row.name).is_some())
        .map(|row| row.name)
        .filter(|name| {
            let calls = [format!(">> {name}("), format!(">> {name}[")];
            !lessons.iter().any(|(_, text)| {
                let (lesson, errors) = text.split_once("\n## Errors").unwrap_or((text, ""));
                let shows = |part: &str| part.lines().any(|line| calls.iter().any(|call| line.starts_with(call)));
                shows(lesson) && shows(errors)
            })
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
