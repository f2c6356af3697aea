//! The README's own examples: the session, the commands, and (as a documentation test of the library) the Rust code.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::program::pcore;

#[test]
fn the_session_is_answered_as_written() {
    let run = pcore(&["test", "README.md"], b"");
    assert_eq!((run.err.as_str(), run.code), ("", 0), "{}", run.out);
}

#[test]
fn the_commands_print_what_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, from_block) = readme.split_once("```console\n").unwrap();
    let (written, _) = from_block.split_once("```\n").unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_pcore")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut printed = String::new();
    for command in written.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(root).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command}");
        write!(printed, "$ {command}\n{}", String::from_utf8(output.stdout).unwrap()).unwrap();
    }
    assert_eq!(printed, written);
}

/// A session as a picture: prompts and markers in colour, all on a dark ground.
fn picture(session: &str) -> String {
    /// The height of a line, the width of a letter, and the margin.
    const LINE: usize = 20;
    const LETTER: usize = 8;
    const MARGIN: usize = 16;
    let lines: Vec<&str> = session.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (longest * LETTER + 2 * MARGIN, lines.len() * LINE + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" \
         font-size=\"13\" fill=\"#d8dee9\" xml:space=\"preserve\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#20242c\"/>\n"
    );
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    for (number, line) in lines.iter().copied().enumerate() {
        let (mark, rest) =
            [">> ", "=> "].iter().find_map(|mark| Some((*mark, line.strip_prefix(mark)?))).unwrap_or(("", line));
        writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{}\" textLength=\"{}\"><tspan fill=\"#8fbf7f\">{}</tspan>{}</text>",
            MARGIN + number * LINE + 14,
            line.chars().count() * LETTER,
            escaped(mark),
            escaped(rest)
        )
        .unwrap();
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_the_session() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, from_block) = readme.split_once("```pcore\n").unwrap();
    let (session, _) = from_block.split_once("```\n").unwrap();
    let path = root.join("transcripts/session.svg");
    let expected = picture(session);
    if std::env::var_os("PCORE_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), expected, "set PCORE_BLESS to draw the picture anew");
}

#[test]
fn the_limits_are_those_of_the_table() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for row in &pcore::limits::TABLE {
        let default = if row.default == u64::MAX { "none".to_owned() } else { row.describe(row.default) };
        let line = format!("| {} | {default} | {} |", row.name, row.summary);
        assert!(readme.contains(&line), "{line}");
    }
}
