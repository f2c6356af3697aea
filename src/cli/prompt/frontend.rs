//! Requests of commands that only the prompt can perform: opening an editor or a pager, writing new files.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::{env, fs, path::Path};

use crate::cli::input::expand_home;
use crate::cli::storage::{self, DraftFile, private_file_options};

/// Writes a new file, which only the user can read: it may hold secrets.
pub(super) fn write_new_file(path: &str, text: &str) -> Result<(), String> {
    let written = storage::create_private_file(&expand_home(path), text.as_bytes());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("`{path}` already exists; choose another name or remove it first"),
        io::ErrorKind::NotFound => format!("`{path}` cannot be written: there is no such directory"),
        io::ErrorKind::PermissionDenied => format!("`{path}` cannot be written: permission denied"),
        _ => format!("`{path}` cannot be written: {error}"),
    })
}

pub(super) fn edit_in_editor(program: &str) -> Result<Option<String>, String> {
    // Nobody else may read it.
    let path = env::temp_dir().join(format!("pcore-{}.pp", std::process::id()));
    let file = DraftFile::recreate(path, format!("{program}\n").as_bytes(), private_file_options());
    let file = file.map_err(|error| format!("cannot create a file for the editor: {error}"))?;
    edit_file(&file.0, 1)?;
    let text = fs::read_to_string(&file.0).map_err(|error| format!("cannot read the edited file: {error}"))?;
    let text = text.trim_end();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// Opens the file at `path` in the user's editor, at `line` (from 1) with the argument `+LINE` that most editors know.
pub(super) fn edit_file(path: &Path, line: usize) -> Result<(), String> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| nonempty_env_variable(name)).unwrap_or_else(|| "vi".to_owned());
    let line = (line > 1).then(|| format!("+{line}"));
    match command_from_line(&editor).args(line).arg(path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the editor `{editor}` failed ({status}); nothing was run")),
        Err(error) => Err(format!("the editor `{editor}` cannot be started: {error}; set $EDITOR to another")),
    }
}

/// Shows `text` in the user's pager. Returns `false` if it cannot be started or the terminal is `dumb`.
pub(super) fn show_in_pager(text: &str) -> bool {
    if env::var("TERM").is_ok_and(|terminal| terminal == "dumb") {
        return false;
    }
    let pager = nonempty_env_variable("PAGER").unwrap_or_else(|| "less".to_owned());
    let mut command = command_from_line(&pager);
    if env::var_os("LESS").is_none() {
        // Show colours.
        command.env("LESS", "-R");
    }
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut stdin) = pager.stdin.take() {
        // A user who leaves the pager early closes the pipe.
        let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
    }
    pager.wait().is_ok()
}

fn nonempty_env_variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Splits `line`, such as `code --wait`, into a program and its arguments, and returns the command.
fn command_from_line(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}
