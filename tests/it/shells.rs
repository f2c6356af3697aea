//! The completion scripts in live shells: Tab is pressed, and the screen shows what the shell offers. A shell that is not
//! installed is left out.

use std::env;
use std::path::PathBuf;

use super::terminal::{Home, Kind, Terminal, USUAL};

/// Where a shell is installed.
fn installed(shell: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(shell)).find(|path| path.is_file())
}

/// Starts a shell, makes it read the script of `PCORE`, the program, and presses Tab behind a command line, for each of
/// some: the screen has to show the words.
fn completes(shell: &str, arguments: &'static [&'static str], read_script: &str) {
    let Some(program) = installed(shell) else { return };
    let read_script = read_script.replace("PCORE", env!("CARGO_BIN_EXE_pcore"));
    for (typed, offered) in [
        ("pcore ch", &["pcore check"][..]),
        ("pcore --strict ", &["error", "off", "warning"]),
        ("pcore check --strict ", &["error", "off", "warning"]),
        ("pcore check --type Str", &["String", "Struct"]),
        ("pcore test --bl", &["--bless"]),
    ] {
        let kind = Kind { columns: 200, arguments, ..USUAL };
        let mut terminal = Terminal::run(&program, &Home::new(shell), kind);
        terminal.keys(&format!("{read_script}; printf 'rea''dy\\n'\r"));
        terminal.wait(|screen| screen.contents().contains("ready"));
        // bash lists at the second Tab.
        for keys in [typed, "\t", "\t"] {
            terminal.keys(keys);
            terminal.wait(|screen| screen.contents().contains(typed.trim_end()));
        }
        terminal.wait(|screen| offered.iter().all(|word| screen.contents().contains(word)));
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    completes("bash", &["--norc", "--noprofile", "-i"], "PS1='$ '; eval \"$(PCORE completions bash)\"");
}

#[test]
fn zsh_completes_commands_options_and_values() {
    let script = "PS1='$ '; autoload -U compinit; compinit -u -D; eval \"$(PCORE completions zsh)\"";
    completes("zsh", &["-f", "-i"], script);
}

#[test]
fn fish_completes_commands_options_and_values() {
    completes("fish", &["--no-config"], "function fish_prompt; echo '$ '; end; PCORE completions fish | source");
}
