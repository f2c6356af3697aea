//! User-facing text is plain English: phrases that gave earlier versions away as a translation stay out of it.

use std::fs;
use std::path::Path;

use pcore::session::{commands, settings};
use pcore::{format, functions, operators, types};

use crate::files_below;

/// Phrases with a plainer counterpart, which the second column names.
const TELLTALES: &[(&str, &str)] = &[
    (" stands in", "is in"),
    (" stands for", "means"),
    (" stands there", "is there"),
    (" stands twice", "duplicate"),
    (" stand in ", "be in"),
    (" stand for", "mean"),
    ("tells", "shows"),
    ("told ", "reported"),
    ("what is to", "a noun"),
    (" is no ", "is not a"),
    ("nothing when", "if"),
    ("nothing where", "if"),
    ("goes before", "takes precedence"),
    ("comes back", "is returned"),
    ("by turns", "alternating"),
    (" is asked for", "is expected"),
    ("of which nothing is known", "unknown"),
    ("by people", "the active voice"),
    ("likewise", "also"),
    ("blanks", "spaces"),
    (" answers a ", "returns"),
    (" answers the ", "returns"),
    (" answers what", "returns"),
    (" texts", "strings"),
    (" the text of", "a string with"),
    ("which is not done here", "pcore does not"),
    ("there is none here", "pcore has no"),
];

/// Sentences that may contain a telltale phrase, because it is right there.
const EXCEPTIONS: &[&str] = &[
    "there is no ",
    // The lines of a heredoc, not a String.
    "the text of a heredoc",
];

/// The phrases in a text, each with what to write instead.
fn found(text: &str) -> Vec<String> {
    let text = format!(" {}", text.to_lowercase());
    let text = EXCEPTIONS.iter().fold(text, |text, exception| text.replace(exception, ""));
    let found = TELLTALES.iter().filter(|(phrase, _)| text.contains(phrase));
    found.map(|(phrase, better)| format!("`{}` (better: {better})", phrase.trim())).collect()
}

/// The places with telltale phrases, one line each.
fn report(texts: impl Iterator<Item = (String, String)>) -> Vec<String> {
    texts
        .flat_map(|(place, text)| found(&text).into_iter().map(move |phrase| format!("{place}: {phrase}: {text}")))
        .collect()
}

#[test]
fn the_rows_of_all_tables_are_plain_english() {
    let row = |table: &str, name: &str, text: &str| (format!("{table} {name}"), text.to_owned());
    let of_objects = functions::OBJECT_METHODS.iter().map(|(_, functions)| *functions);
    let functions = functions::TABLE.iter().copied().chain(of_objects).flatten();
    let functions = functions.map(|function| row("function", function.name, function.summary));
    let types = types::TABLE.iter().map(|type_| row("type", type_.name, type_.summary));
    let operators = operators::TABLE.iter().map(|operator| row("operator", operator.symbol, operator.summary));
    let formats = format::LETTER_TABLE.iter().flat_map(|letters| {
        letters.rows.iter().map(move |letter| row(letters.type_name, letter.letters, letter.summary))
    });
    let commands = commands::all_commands()
        .flat_map(|command| [command.summary, command.description].map(|text| row("command", command.name, text)));
    let settings = settings::TABLE.iter().map(|setting| row("setting", setting.name, setting.summary));
    let rows = functions.chain(types).chain(operators).chain(formats).chain(commands).chain(settings);
    assert_eq!(report(rows), Vec::<String>::new());
}

/// The string literals in the lines of Rust code that are not comments, up to the unit tests.
fn literals(code: &str) -> Vec<(usize, String)> {
    let mut literals = Vec::new();
    for (at, line) in code.lines().enumerate() {
        if line.trim_start().starts_with("#[cfg(test)]") {
            break;
        }
        // What a panic says is for developers, and so are the reasons of lints.
        let is_internal =
            ["//", "expect(", "reason =", "panic!", "unreachable!"].iter().any(|word| line.contains(word));
        if !is_internal {
            literals.extend(line.split('"').skip(1).step_by(2).map(|literal| (at + 1, literal.to_owned())));
        }
    }
    literals
}

#[test]
fn messages_are_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = files_below(&root.join("src"), "rs").into_iter().flat_map(|path| {
        let place = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let literals = literals(&fs::read_to_string(&path).unwrap()).into_iter();
        literals.map(move |(line, literal)| (format!("{place}:{line}"), literal))
    });
    assert_eq!(report(texts), Vec::<String>::new());
}

/// The lines of a Markdown text outside of its code blocks.
fn prose(markdown: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    markdown.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

#[test]
fn the_readme_and_the_manual_are_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = files_below(&root.join("transcripts"), "md");
    paths.extend(["README.md", "SECURITY.md", "CHANGELOG.md"].map(|page| root.join(page)));
    let texts = paths.into_iter().flat_map(|path| {
        let place = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let markdown = fs::read_to_string(&path).unwrap();
        let lines = prose(&markdown).map(|(at, line)| (format!("{place}:{}", at + 1), line.to_owned()));
        lines.collect::<Vec<_>>()
    });
    assert_eq!(report(texts), Vec::<String>::new());
}
