//! The completion scripts in live shells: Tab is pressed, and the screen shows what the shell offers. A shell that is not
//! installed is left out.

use std::env;
use std::path::{Path, PathBuf};

use super::terminal::{Home, Kind, Terminal, USUAL};

/// Where a shell is installed.
fn installed(shell: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(shell)).find(|path| path.is_file())
}

/// Starts a shell, makes it read the script, and presses Tab behind each of the command lines: the screen has to show the
/// words.
fn completes(shell: &str, arguments: &'static [&'static str], read_script: &str) {
    let Some(program) = installed(shell) else { return };
    let mut terminal = Terminal::run(&program, &Home::new(shell), Kind { rows: 60, columns: 120, arguments, ..USUAL });
    let pcore = Path::new(env!("CARGO_BIN_EXE_pcore"));
    let folder = pcore.parent().unwrap().display();
    terminal.keys(&format!("export PATH={folder}:/usr/bin:/bin; {read_script}; printf 'rea''dy\\n'\r"));
    terminal.wait(|screen| screen.contents().contains("ready"));
    for (typed, offered) in [
        ("pcore ch", &["pcore check"][..]),
        ("pcore --strict ", &["error", "off", "warning"]),
        ("pcore check --strict ", &["error", "off", "warning"]),
        ("pcore check --type Str", &["String", "Struct"]),
        ("pcore test --bl", &["--bless"]),
    ] {
        terminal.keys(typed);
        terminal.wait(|screen| screen.contents().contains(typed.trim_end()));
        // bash lists at the second.
        terminal.keys("\t");
        terminal.wait(|screen| screen.contents().contains(typed.trim_end()));
        terminal.keys("\t");
        terminal.wait(|screen| offered.iter().all(|word| screen.contents().contains(word)));
        terminal.keys("\x03\x0c");
        terminal.wait(|screen| !screen.contents().contains("pcore"));
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    completes("bash", &["--norc", "--noprofile", "-i"], "PS1='$ '; eval \"$(pcore completions bash)\"");
}

#[test]
fn zsh_completes_commands_options_and_values() {
    let script = "PS1='$ '; autoload -U compinit; compinit -u -D; eval \"$(pcore completions zsh)\"";
    completes("zsh", &["-f", "-i"], script);
}

#[test]
fn fish_completes_commands_options_and_values() {
    completes("fish", &["--no-config"], "function fish_prompt; echo '$ '; end; pcore completions fish | source");
}
