//! The commands that need a prompt: files that it reads and writes, the user's settings, an editor, the history.
//!
//! What can be shown in a transcript stands in `transcripts/prompt.md`.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::{self, Run, pcore};

/// A user's home, of a test's own.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands").join(name);
        // What an earlier run has left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("config/pcore")).unwrap();
        Home(path)
    }

    /// A file in the home; its full name.
    fn file(&self, name: &str, content: &str) -> String {
        fs::write(self.0.join(name), content).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// What the prompt answers to lines that come through a pipe.
    fn prompt(&self, arguments: &[&str], lines: &[&str]) -> Run {
        let mut command = program::command(&[&["--interactive", "--execute", ""], arguments].concat());
        command
            .env("HOME", &self.0)
            .env("XDG_CONFIG_HOME", self.0.join("config"))
            .env("XDG_STATE_HOME", self.0.join("state"))
            .env("EDITOR", "sed -i s/21/22/")
            .env_remove("VISUAL");
        program::run(&mut command, lines.join("\n").as_bytes())
    }

    /// The lines of standard output after the first one, which says the version.
    fn said(&self, arguments: &[&str], lines: &[&str]) -> Vec<String> {
        let run = self.prompt(arguments, lines);
        assert_eq!(run.err, "");
        run.out.lines().skip(1).map(str::to_owned).collect()
    }
}

#[test]
fn a_transcript_of_a_session_passes_its_test() {
    let home = Home::new("transcript");
    home.file("config/pcore/config.toml", "width = 30\n");
    home.file("config/pcore/init.pp", "type Port = Integer[1, 65535]\n'ready'\n");
    let file = home.file("names.pp", "function double(Integer $n) { $n * 2 }\n$loaded = true\n'from the file'\n");
    let transcript = home.path("session.md");
    let load = format!(":load {file}");
    let write = format!(":transcript {transcript}");
    let lines = [
        "$data = {'name' => 'web', 'port' => '80', 'more' => [1, 2, 3]}",
        "$data =~ Struct[{name => String, port => Port, more => Array}]",
        ":why",
        "1 / 0",
        "notice(\"``` in the text\")",
        &load,
        ":reload",
        "double(\"21\")",
        "'10' + 1",
        ":set strict error",
        "'10' + 1",
        "double(21)",
        ":time $_ + 1",
        ":set lines 2",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]",
        ":history",
        ":full",
        ":types",
        &write,
    ];
    let run = home.prompt(&[], &lines);
    assert_eq!(run.out.lines().last(), Some(format!("wrote 19 entries to {transcript}").as_str()), "{}", run.err);
    let tested = pcore(&["test", &transcript], b"");
    let passed = "1 transcript, 19 entries: all match\n".to_owned();
    assert_eq!(tested, Run { out: passed, err: String::new(), code: 0 }, "{}", home.text("session.md"));
}

#[test]
fn saved_entries_run_by_themselves() {
    let home = Home::new("save");
    let snippet = home.path("snippet.pp");
    let lines = [
        "type Port = Integer[1, 65535]",
        "$x = 1",
        "1 / 0",
        ":unset $x",
        "$x = 2",
        "$_ + 1",
        "[80, $x] =~ Array[Port]",
        &format!(":save {snippet}"),
    ];
    let run = home.prompt(&[], &lines);
    assert_eq!(run.out.lines().last(), Some(format!("wrote 3 entries to {snippet}").as_str()));
    assert_eq!(
        home.text("snippet.pp"),
        "type Port = Integer[1, 65535]\n\
         $x = 1\n\
         # left out: cannot reassign variable $x\n#   $x = 2\n\
         # left out: unknown variable $_\n#   $_ + 1\n\
         [80, $x] =~ Array[Port]\n"
    );
    assert_eq!(pcore(&[&snippet], b""), Run { out: "true\n".to_owned(), err: String::new(), code: 0 });
}

#[test]
fn a_file_that_is_there_is_not_written_over() {
    let home = Home::new("over");
    let precious = home.file("precious.pp", "'precious'\n");
    for command in ["save", "transcript"] {
        let run = home.prompt(&[], &["1 + 1", &format!(":{command} {precious}")]);
        let message = format!("error: `{precious}` already exists; choose another name or remove it first\n");
        assert_eq!(run.err, message);
    }
    assert_eq!(home.text("precious.pp"), "'precious'\n");
    let [new, snippet] = ["x.md", "x.pp"].map(|name| home.path(name));
    let commands = [&format!(":transcript {new}"), &format!(":save {snippet}"), "1", ":save no/such/folder.pp"];
    let run = home.prompt(&[], &commands);
    assert_eq!(
        run.err,
        "error: nothing to write yet; enter a program first\n\
         error: nothing to save yet; enter a program first\n\
         error: `no/such/folder.pp` cannot be written: there is no such directory\n"
    );
}

#[test]
fn an_edited_entry_is_entered() {
    let home = Home::new("edit");
    let said = home.said(&[], &["function half($n) { $n / 2 }", "half(21)", ":edit", "$_"]);
    assert_eq!(said, ["defined half()", "=> 10", ">> half(22)", "=> 11", "=> 11"]);
    let file = home.file("x.pp", "21 + 1\n");
    assert_eq!(home.said(&[], &[&format!(":edit {file}")]), [format!(">> :load {file}"), "=> 23".to_owned()]);
    assert_eq!(home.text("x.pp"), "22 + 1\n");
}

#[test]
fn a_changed_file_is_loaded_again() {
    let home = Home::new("reload");
    let file = home.file("port.pp", "type Port = Integer[21, 99]\n");
    let said = home.said(&[], &[&format!(":load {file}"), "21 =~ Port", &format!(":edit {file}"), "21 =~ Port"]);
    let defines = format!("{file} defines Port");
    let reason = "(expected Port = Integer[22, 99], got Integer 21)";
    assert_eq!(said, [&defines, "=> true", &format!(">> :load {file}"), &defines, "=> false", reason]);
}

#[test]
fn the_history_lists_entries_with_all_their_lines() {
    let home = Home::new("history");
    home.said(&[], &["$port = 80", "[", "1]", "'other'"]);
    assert_eq!(home.said(&[], &[":history port"]), [">> $port = 80"]);
    assert_eq!(home.said(&[], &[":history [\n"])[..2], [">> [", ".. 1]"]);
    assert_eq!(home.said(&["--no-config"], &[" :history nothing"]), ["no matching entries"]);
}

#[test]
fn settings_of_the_user_hold_and_wrong_ones_are_told_with_their_place() {
    let home = Home::new("settings");
    let file = home.file("config/pcore/config.toml", "colour = 'never'\nstrict = 'error'\n");
    let run = home.prompt(&[], &[":set strict"]);
    let told = format!(
        "error: unknown setting `colour`; did you mean `color`?\n --> {file}:1:1\n  |\n1 | colour = 'never'\n  | ^^^^^^\n"
    );
    assert_eq!(run.err, told);
    assert_eq!(run.out.lines().nth(1), Some("strict = error"));
    let run = home.prompt(&["--strict", "off"], &[":set strict"]);
    assert_eq!(run.out.lines().nth(1), Some("strict = off"));
    let run = home.prompt(&["--no-config"], &[":set strict"]);
    assert_eq!((run.err.as_str(), run.out.lines().nth(1)), ("", Some("strict = warning")));
}

#[test]
fn the_start_file_defines_names_and_says_only_what_is_wrong() {
    let home = Home::new("start");
    let file = home.file("config/pcore/init.pp", "type Port = Integer[1, 65535]\n'ready'\n1 / 0\n");
    let run = home.prompt(&[], &["80 =~ Port"]);
    let first = format!(
        "pcore {} (init.pp); :help shows the commands, :tour the types, Ctrl-D leaves\n",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(run.out, format!("{first}=> true\n"));
    let place = format!(" --> {file}:3:");
    assert_eq!(run.err.lines().filter(|line| line.starts_with(&place)).count(), 1, "{}", run.err);
    let usual =
        format!("pcore {}; :help shows the commands, :tour the types, Ctrl-D leaves\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(home.prompt(&["--no-config"], &[]).out, usual);
}

#[test]
fn what_the_command_line_names_is_entered_and_stands_in_the_transcript() {
    let home = Home::new("interactive");
    let file = home.file("names.pp", "function double($n) { $n * 2 }\n'from the file'\n");
    let transcript = home.path("session.md");
    let write = format!(":transcript {transcript}");
    let said = home.said(&["--execute", "$x = 21", &file], &["double($_1)", &write]);
    let defines = format!("{file} defines double()");
    let wrote = format!("wrote 3 entries to {transcript}");
    assert_eq!(said, ["=> 21", "=> 'from the file'", &defines, "=> 42", &wrote]);
    let tested = pcore(&["test", &transcript], b"");
    assert_eq!(tested.out, "1 transcript, 3 entries: all match\n");
    assert_eq!(home.said(&["--quiet", &file], &["double(2)"]), [&defines, "=> 4"]);
}

#[test]
fn a_transcript_leaves_out_what_it_could_not_tell_from_entries() {
    let home = Home::new("prompts_in_answers");
    let transcript = home.path("session.md");
    let write = format!(":transcript {transcript}");
    let said = home.said(&[], &[":tour 3", "notice(\"a\\n>> 2\")", "[1,", "2]", &write]);
    let wrote = format!("wrote 1 entry to {transcript}; left out 2 with secrets or with prompts in the output");
    assert_eq!(said.last(), Some(&wrote));
    assert_eq!(home.text("session.md"), "# A session\n\n```pcore\n>> [1,\n.. 2]\n=> [1, 2]\n```\n");
}

#[test]
fn nothing_in_the_working_directory_runs_by_itself() {
    let home = Home::new("directory");
    for name in ["init.pp", "config.toml", ".pcore", "pcore.toml"] {
        home.file(name, "notice('run')\n");
    }
    let mut command = program::command(&["--interactive", "--execute", ""]);
    command.current_dir(&home.0).env("HOME", home.0.join("elsewhere")).env_remove("XDG_CONFIG_HOME");
    let run = program::run(&mut command, b"1\n");
    assert_eq!((run.err.as_str(), run.out.lines().skip(1).collect::<Vec<_>>()), ("", vec!["=> 1"]));
}
