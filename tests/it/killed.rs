//! `kill -9` at any moment leaves the old file or the new one: history, blessed transcripts, saved entries.
//!
//! `PCORE_KILLS=500 cargo test --release killed` kills so often; without it, a few times.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::program::command;

/// Moments without a pattern, in microseconds.
fn moments(longest: u64) -> impl Iterator<Item = Duration> {
    let count = std::env::var("PCORE_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(24);
    let numbers = std::iter::successors(Some(0x9e37_79b9_u64), |n| {
        Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1))
    });
    numbers.take(count).map(move |number| Duration::from_micros((number >> 33) % (longest * 1000)))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Starts the program in a folder, gives it its input, and kills it after a while.
fn killed(arguments: &[&str], folder: &Path, input: &str, after: Duration) {
    let mut command = command(arguments);
    command.current_dir(folder).env("TERM", "dumb").env("HOME", folder);
    command.env("XDG_STATE_HOME", folder.join("state")).env("XDG_CONFIG_HOME", folder.join("config"));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // A killed program closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    thread::sleep(after);
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn a_killed_prompt_loses_at_most_the_entry_in_flight() {
    let folder = folder("killed_history");
    let read = || fs::read_to_string(folder.join("state/pcore/history")).unwrap_or_default();
    for (round, moment) in moments(150).enumerate() {
        let before = read();
        let input = (0..12).map(|number| format!("'{round}' + '{number}'\n")).collect::<Vec<_>>().concat();
        killed(&["-i"], &folder, &input, moment);
        let after = read();
        // The next prompt repairs a line that is not whole.
        let whole = before.rfind('\n').map_or(0, |end| end + 1);
        assert!(after.starts_with(&before[..whole]), "{before}\n---\n{after}");
        let entries: Vec<&str> = after.lines().skip(1).collect();
        for line in entries.iter().rev().skip(1) {
            assert!(input.contains(&format!("{line}\n")) || before.contains(&format!("{line}\n")), "{line}");
        }
    }
}

#[test]
fn a_killed_bless_leaves_the_old_transcript_or_the_new() {
    let folder = folder("killed_bless");
    let file = folder.join("t.md");
    let text = |shift: i32| {
        let lines = (0..200).map(|n| format!(">> {n} + 1\n=> {}\n", n + shift)).collect::<Vec<_>>().concat();
        format!("# T\n\n```pcore\n{lines}```\n")
    };
    for moment in moments(100) {
        fs::write(&file, text(0)).unwrap();
        killed(&["test", "--bless", "t.md"], &folder, "", moment);
        let left = fs::read_to_string(&file).unwrap();
        assert!(left == text(0) || left == text(1), "{} bytes", left.len());
    }
}

#[test]
fn a_killed_save_leaves_all_or_nothing() {
    let folder = folder("killed_save");
    let input = (0..50).map(|n| format!("$x{n} = {n}\n")).collect::<Vec<_>>().concat();
    for (round, moment) in moments(250).enumerate() {
        let file = format!("{round}.pp");
        killed(&["-i"], &folder, &format!("{input}:save {file}\n"), moment);
        if let Ok(left) = fs::read_to_string(folder.join(file)) {
            assert_eq!(left, input);
        }
    }
}

#[test]
fn a_killed_fix_leaves_each_file_old_or_new() {
    let folder = folder("killed_fix");
    let files: Vec<PathBuf> = (0..40).map(|n| folder.join(format!("{n}.yaml"))).collect();
    let list = |element: &str| format!("- {element} # element\n").repeat(500);
    let (old, new) = (list("'1'"), list("1"));
    for moment in moments(250) {
        for file in &files {
            fs::write(file, &old).unwrap();
        }
        killed(&["check", "--fix", "--type", "Array[Integer]", "."], &folder, "", moment);
        for file in &files {
            let left = fs::read_to_string(file).unwrap();
            assert!(left == old || left == new, "{} bytes", left.len());
        }
    }
    assert!(
        command(&["check", "--fix", "--type", "Array[Integer]", "."]).current_dir(&folder).status().unwrap().success()
    );
    let drafts = fs::read_dir(&folder).unwrap().count() - files.len();
    assert!(files.iter().all(|file| fs::read_to_string(file).unwrap() == new) && drafts <= files.len());
}
