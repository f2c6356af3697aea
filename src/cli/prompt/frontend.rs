//! What only a prompt can do for a command: the user's editor and pager, new files.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::input::expanded;

/// Writes a file that is not there yet.
///
/// # Errors
/// A sentence that says what is wrong.
pub(super) fn write(path: &str, text: &str) -> Result<(), String> {
    let written = File::create_new(expanded(path)).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("`{path}` is there already; choose another name, or remove it first"),
        io::ErrorKind::NotFound => format!("`{path}` cannot be written: there is no such folder"),
        io::ErrorKind::PermissionDenied => format!("`{path}` cannot be written: permission denied"),
        _ => format!("`{path}` cannot be written: {error}"),
    })
}

/// Lets the user change a program; nothing when it comes back empty.
///
/// # Errors
/// A sentence that says what is wrong with the editor.
pub(super) fn edit(program: &str) -> Result<Option<String>, String> {
    let file = Draft::new(program).map_err(|error| format!("no file for the editor: {error}"))?;
    edit_file(&file.0)?;
    let text = fs::read_to_string(&file.0).map_err(|error| format!("what the editor left cannot be read: {error}"))?;
    let text = text.trim_end();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// Lets the user change a file.
///
/// # Errors
/// A sentence that says what is wrong with the editor.
pub(super) fn edit_file(path: &Path) -> Result<(), String> {
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| chosen(name)).unwrap_or_else(|| "vi".to_owned());
    let started = command(&editor).arg(path).status();
    match started {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the editor `{editor}` failed ({status}); nothing is entered")),
        Err(error) => Err(format!("the editor `{editor}` cannot be started: {error}; set $EDITOR to one that can")),
    }
}

/// Shows a text in the pager; tells whether that could be done.
pub(super) fn page(text: &str) -> bool {
    let pager = chosen("PAGER").unwrap_or_else(|| "less".to_owned());
    let mut command = command(&pager);
    if env::var_os("LESS").is_none() {
        // Colours as such.
        command.env("LESS", "-R");
    }
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else { return false };
    if let Some(mut stdin) = pager.stdin.take() {
        // Who leaves the pager has seen enough.
        let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
    }
    pager.wait().is_ok()
}

/// What a variable of the environment names.
fn chosen(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// A program with its arguments: `code --wait`.
fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// A file for an editor, which nobody else may read and which is gone afterwards.
struct Draft(PathBuf);

impl Draft {
    fn new(text: &str) -> io::Result<Draft> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let path = env::temp_dir().join(format!("pcore-{}.pp", std::process::id()));
        // What a prompt that was killed has left.
        let _ = fs::remove_file(&path);
        let mut file = options.open(&path)?;
        let draft = Draft(path);
        writeln!(file, "{text}")?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
