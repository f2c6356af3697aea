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

#[test]
fn the_limits_are_those_of_the_table() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    for row in &pcore::limits::TABLE {
        let default = if row.default == u64::MAX { "none".to_owned() } else { row.describe(row.default) };
        let line = format!("| {} | {default} | {} |", row.name, row.summary);
        assert!(readme.contains(&line), "{line}");
    }
}
