//! The prompt as people see it: what they press, and what the screen shows then.

use std::fs;
use std::path::Path;

use super::terminal::{Home, Kind, Terminal, USUAL};

/// A prompt with an empty screen.
fn prompt(name: &str) -> Terminal {
    Terminal::start(&Home::new(name), USUAL)
}

/// Types an entry at the only prompt on the screen and waits for the answer; the screen is empty again afterwards.
fn enter(terminal: &mut Terminal, entry: &str, answer: &[&str]) {
    terminal.keys(&format!("{entry}\r"));
    let entry = format!(">> {entry}");
    let rows: Vec<&str> = [entry.as_str()].into_iter().chain(answer.iter().copied()).chain([">>"]).collect();
    terminal.shows(&rows);
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
}

/// What Tab shows behind `typed`: the line and, below it, the menu; the screen is empty again afterwards.
fn completes(terminal: &mut Terminal, typed: &str, rows: &[&str]) {
    terminal.keys(typed);
    terminal.keys("\t");
    terminal.shows(rows);
    terminal.keys("\x03");
    terminal.shows(&[rows[0], ">>"]);
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
}

#[test]
fn an_unfinished_entry_goes_on_in_the_next_line_indented() {
    let mut terminal = prompt("continuation");
    terminal.types("$x = {\r");
    terminal.shows(&[">> $x = {", ".."]);
    assert_eq!(terminal.position(), (1, 5));
    terminal.types("'a' => [\r1,\r],\r}");
    terminal.shows(&[">> $x = {", "..   'a' => [", "..     1,", "..   ],", ".. }"]);
    terminal.keys("\r");
    terminal.shows(&[">> $x = {", "..   'a' => [", "..     1,", "..   ],", ".. }", "=> {'a' => [1]}", ">>"]);
}

#[test]
fn an_empty_line_ends_an_entry() {
    let mut terminal = prompt("empty_line");
    terminal.types("[1,\r\r");
    terminal.wait(|screen| screen.contents().ends_with(">> "));
    let shown = terminal.rows();
    assert_eq!(shown[..2], [">> [1,", ".."]);
    assert_eq!(shown[2].split(':').next(), Some("error[SYNTAX_ERROR]"));
}

#[test]
fn a_session_is_pasted_with_its_prompts_and_answers() {
    let pasted =
        ">> type Port = Integer[1, 65535]\n>> [80,\n.. 0].map |$p| { $p =~ Port }\n=> [true, false]\n>> $_[0]\n=> true";
    let mut terminal = prompt("paste");
    terminal.pastes(pasted);
    let mut rows = vec![">> >> type Port = Integer[1, 65535]"];
    rows.extend(pasted.lines().skip(1));
    terminal.shows(&rows);
    terminal.keys("\r");
    let played = [
        ">> type Port = Integer[1, 65535]",
        "defined Port",
        ">> [80,",
        ".. 0].map |$p| { $p =~ Port }",
        "=> [true, false]",
        ">> $_[0]",
        "=> true",
        ">>",
    ];
    rows.extend(played);
    terminal.shows(&rows);
}

#[test]
fn a_session_is_understood_also_from_a_terminal_that_does_not_tell_what_is_pasted() {
    let mut terminal = prompt("plain_paste");
    terminal.keys(">> [80,\r.. 0].size\r");
    terminal.shows(&[">> >> [80,", ".. .. 0].size", "=> 2", ">>"]);
    terminal.keys("=> 2\r");
    terminal.shows(&[">> >> [80,", ".. .. 0].size", "=> 2", ">> => 2", ">>"]);
    terminal.keys(">> $_\r");
    terminal.shows(&[">> >> [80,", ".. .. 0].size", "=> 2", ">> => 2", ">> >> $_", "=> 2", ">>"]);
}

#[test]
fn a_pasted_program_gets_its_prompts_when_it_is_finished() {
    let mut terminal = prompt("program");
    terminal.pastes("$ports = [\n\n  80,\n]");
    terminal.shows(&[">> $ports = [", "", "  80,", "]"]);
    terminal.keys("\r");
    terminal.shows(&[">> $ports = [", "..", "..   80,", ".. ]", "=> [80]", ">>"]);
}

#[test]
fn what_is_typed_behind_a_pasted_text_gives_it_its_prompts() {
    let mut terminal = prompt("behind_paste");
    terminal.pastes("[1,\n2]");
    terminal.shows(&[">> [1,", "2]"]);
    terminal.keys(".");
    terminal.shows(&[">> [1,", ".. 2]."]);
    terminal.keys("size\r");
    terminal.shows(&[">> [1,", ".. 2].size", "=> 2", ">>"]);
}

#[test]
fn completion_knows_the_place() {
    let home = Home::new("completion");
    fs::write(home.path().join("types.pp"), "").unwrap();
    let mut terminal = Terminal::start(&home, USUAL);
    enter(&mut terminal, "$record = {'name' => 'web', 'port' => 80}", &["=> {'name' => 'web', 'port' => 80}"]);
    enter(&mut terminal, "type Net::Port = Integer", &["defined Net::Port"]);
    enter(&mut terminal, "type Net::Host = String", &["defined Net::Host"]);
    let types = [
        "String  type  strings, optionally with a minimum and maximum length",
        "Struct  type  hashes with specific keys, each with its own type",
    ];
    completes(&mut terminal, "1 =~ Str", &[">> 1 =~ Str", types[0], types[1]]);
    completes(&mut terminal, "[{'a' => Str", &[">> [{'a' => Str", types[0], types[1]]);
    let aliases = "Net::Host  alias  String   Net::Port  alias  Integer";
    completes(&mut terminal, "1 =~ Ne", &[">> 1 =~ Net::"]);
    completes(&mut terminal, "1 =~ Net::", &[">> 1 =~ Net::", aliases]);
    completes(&mut terminal, "$record['", &[">> $record['", "name  key  port  key"]);
    completes(&mut terminal, "$record['n", &[">> $record['name'"]);
    let members = "assert_type(Enum['red', 'green'], '";
    let line = format!(">> {members}");
    completes(&mut terminal, members, &[&line, "green  value  red    value"]);
    completes(&mut terminal, "$record.ke", &[">> $record.keys"]);
    completes(&mut terminal, "\"at ${rec", &[">> \"at ${record"]);
    completes(&mut terminal, ":uns", &[">> :unset"]);
    completes(&mut terminal, ":doc Stru", &[">> :doc Struct"]);
    completes(&mut terminal, ":load ty", &[">> :load types.pp"]);
}

#[test]
fn tab_goes_through_the_menu_and_shift_tab_back() {
    let mut terminal = prompt("menu");
    let menu = [
        "String  type  strings, optionally with a minimum and maximum length",
        "Struct  type  hashes with specific keys, each with its own type",
    ];
    terminal.keys("1 =~ Str");
    let steps =
        [("\t", "Str"), ("\t", "String"), ("\t", "Struct"), ("\t", "Str"), ("\x1b[Z", "Struct"), ("\x1b[Z", "String")];
    for (key, word) in steps {
        terminal.keys(key);
        terminal.shows(&[&format!(">> 1 =~ {word}"), menu[0], menu[1]]);
    }
    terminal.keys("\r");
    terminal.shows(&[">> 1 =~ String"]);
    terminal.keys("\r");
    terminal.shows(&[
        ">> 1 =~ String",
        "=> false",
        "(expected String, got Integer 1; String(1) would match)",
        ">> :why explains",
    ]);
}

#[test]
fn a_menu_is_no_taller_than_the_screen() {
    let mut terminal = Terminal::start(&Home::new("tall_menu"), Kind { rows: 5, ..USUAL });
    terminal.keys("1 =~ ");
    terminal.keys("\t");
    terminal.wait(|screen| screen.contents().contains(" in all"));
    let rows = terminal.rows();
    assert_eq!((rows.len(), rows[0].as_str()), (5, ">> 1 =~"));
}

#[test]
fn a_hint_shows_what_is_to_come() {
    let mut terminal = prompt("hints");
    enter(&mut terminal, "function area(Integer $width, $height = 1) { $width * $height }", &["defined area()"]);
    terminal.keys("area(");
    terminal.shows(&[">> area(Integer $width, $height = 1)"]);
    assert_eq!(terminal.position(), (0, 8));
    terminal.keys("2,");
    terminal.shows(&[">> area(2, $height = 1)"]);
    terminal.keys("3)\r");
    terminal.shows(&[">> area(2,3)", "=> 6", ">>"]);
    terminal.keys("ar");
    terminal.shows(&[">> area(2,3)", "=> 6", ">> area(2,3)"]);
    terminal.keys("\x1b[C");
    terminal.wait(|screen| screen.cursor_position() == (2, 12));
}

#[test]
fn after_false_the_prompt_offers_the_reason() {
    let mut terminal = prompt("why");
    enter(&mut terminal, "1", &["=> 1"]);
    terminal.keys("'80' =~ Integer\r");
    let reason = "(expected Integer, got String '80'; Integer('80') would match)";
    terminal.shows(&[">> '80' =~ Integer", "=> false", reason, ">> :why explains"]);
    // The right arrow key takes it.
    terminal.keys("\u{1b}[C\r");
    terminal.wait(|screen| screen.contents().contains(">> :why\nString '80' is not of type Integer\n"));
}

#[test]
fn ctrl_c_drops_an_entry_and_its_hint() {
    let mut terminal = prompt("drop");
    terminal.keys("[1,\r2");
    terminal.shows(&[">> [1,", ".. 2"]);
    terminal.keys("\x03");
    terminal.shows(&[">> [1,", ".. 2", ">>"]);
    terminal.keys("Integer[");
    terminal.shows(&[">> [1,", ".. 2", ">> Integer[from, to]"]);
    terminal.keys("\x03");
    terminal.shows(&[">> [1,", ".. 2", ">> Integer[", ">>"]);
    terminal.keys("3\r");
    terminal.shows(&[">> [1,", ".. 2", ">> Integer[", ">> 3", "=> 3", ">>"]);
}

#[test]
fn ctrl_c_ends_an_evaluation_and_keeps_what_there_is() {
    let mut terminal = prompt("interrupt");
    terminal.keys("$kept = 1\r");
    terminal.shows(&[">> $kept = 1", "=> 1", ">>"]);
    let endless = "Integer[1, 1000000000000].each |$x| { if $x == 1 { notice('on') } }";
    terminal.keys(&format!("{endless}\r"));
    let line = format!(">> {endless}");
    terminal.shows(&[">> $kept = 1", "=> 1", &line, "Notice: on"]);
    terminal.wait(|screen| screen.cursor_position() == (4, 0));
    terminal.keys("\x03");
    terminal.shows(&[">> $kept = 1", "=> 1", &line, "Notice: on", "^Cinterrupted", ">>"]);
    terminal.keys("$kept\r");
    terminal.shows(&[">> $kept = 1", "=> 1", &line, "Notice: on", "^Cinterrupted", ">> $kept", "=> 1", ">>"]);
}

#[test]
fn an_interrupt_before_the_last_key_is_not_for_the_entry() {
    let mut terminal = prompt("idle");
    let sent = std::process::Command::new("kill").args(["-INT", &terminal.process().to_string()]).status();
    assert!(sent.unwrap().success());
    terminal.types("1 + 1");
    terminal.keys("\r");
    terminal.shows(&[">> 1 + 1", "=> 2", ">>"]);
}

#[test]
fn history_lives_over_two_runs_and_keeps_no_secrets() {
    let home = Home::new("history");
    let mut terminal = Terminal::start(&home, USUAL);
    terminal.keys("[1,\r2]\r");
    terminal.shows(&[">> [1,", ".. 2]", "=> [1, 2]", ">>"]);
    for entry in ["'a'", "[3]", "'a'", " 'hidden'"] {
        terminal.keys("\x0c");
        terminal.shows(&[">>"]);
        terminal.keys(&format!("{entry}\r"));
        terminal.shows(&[&format!(">> {entry}"), &format!("=> {}", entry.trim()), ">>"]);
    }
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
    enter(&mut terminal, "Sensitive('x')", &["=> Sensitive [value redacted]"]);
    // Ctrl-D on an empty line.
    terminal.keys("\x04");
    assert_eq!(terminal.ends(), 0);

    let mut terminal = Terminal::start(&home, USUAL);
    let up = "\x1b[A";
    let (down, page_up) = ("\x1b[B", "\x1b[5~");
    for (key, shown) in
        [(up, &[">> 'a'"][..]), (up, &[">> [3]"]), (up, &[">> [1,", ".. 2]"]), (up, &[">> [1,", ".. 2]"])]
    {
        terminal.keys(key);
        terminal.shows(shown);
    }
    terminal.keys(down);
    terminal.shows(&[">> [1,", ".. 2]"]);
    terminal.keys(down);
    terminal.shows(&[">> [3]"]);
    terminal.keys("\x03");
    terminal.shows(&[">> [3]", ">>"]);
    terminal.keys(&format!("[1{page_up}"));
    terminal.shows(&[">> [3]", ">> [1,", ".. 2]"]);
    // Ctrl-R looks for a part of an entry.
    terminal.keys("\x03");
    terminal.shows(&[">> [3]", ">> [1,", ".. 2]", ">>"]);
    terminal.keys("\x12a");
    terminal.shows(&[">> [3]", ">> [1,", ".. 2]", "(reverse-i-search)`a': 'a'"]);
}

#[test]
fn running_prompts_share_their_history() {
    let home = Home::new("shared_history");
    let mut one = Terminal::start(&home, USUAL);
    let mut other = Terminal::start(&home, USUAL);
    enter(&mut one, "'from one'", &["=> 'from one'"]);
    enter(&mut other, "'from other'", &["=> 'from other'"]);
    other.keys("\x1b[A\x1b[A");
    other.shows(&[">> 'from one'"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(home.history()).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_line_is_coloured_by_what_is_in_it() {
    let mut terminal = prompt("colours");
    terminal.keys("$a = \"x ${b}\" =~ /y/ and 1 =~ Integer and Nope == 'z' # c");
    terminal.shows(&[">> $a = \"x ${b}\" =~ /y/ and 1 =~ Integer and Nope == 'z' # c"]);
    let looks = terminal.looks(0);
    let looks: Vec<(&str, &str)> = looks.iter().map(|(text, look)| (text.trim(), look.as_str())).collect();
    assert_eq!(
        looks,
        [
            (">>", "green bold"),
            ("$a", "blue"),
            ("=", ""),
            ("\"x", "green"),
            ("${", ""),
            ("b", "red underlined"),
            ("}", ""),
            ("\"", "green"),
            ("=~", ""),
            ("/y/", "colour 11"),
            ("and", "magenta"),
            ("1", "yellow"),
            ("=~", ""),
            ("Integer", "cyan"),
            ("and", "magenta"),
            ("Nope", "red underlined"),
            ("==", ""),
            ("'z'", "green"),
            ("# c", " dim"),
        ]
    );
}

#[test]
fn a_narrow_terminal_shows_long_lines_on_several_rows() {
    let mut terminal = Terminal::start(&Home::new("narrow"), Kind { columns: 40, ..USUAL });
    terminal.keys("[1, 2, 3].map |$number| { $number * 1000 }");
    terminal.shows(&[">> [1, 2, 3].map |$number| { $number * 1", "000 }"]);
    terminal.keys("\x01\x1b[C");
    terminal.wait(|screen| screen.cursor_position() == (0, 4));
    terminal.keys("0, \r");
    terminal.shows(&[">> [0, 1, 2, 3].map |$number| { $number", "* 1000 }", "=> [0, 1000, 2000, 3000]", ">>"]);
    terminal.resize(24, 60);
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
    terminal.keys("'a long text that would not fit into a narrow window'");
    terminal.shows(&[">> 'a long text that would not fit into a narrow window'"]);
}

#[test]
fn wide_characters_take_the_columns_that_they_have() {
    let mut terminal = prompt("wide");
    terminal.keys("'日本語 😀 e\u{301}'");
    terminal.shows(&[">> '日本語 😀 e\u{301}'"]);
    terminal.wait(|screen| screen.cursor_position() == (0, 16));
    // Back over the quote, the accented letter, the blank and the face.
    terminal.keys("\x1b[D\x1b[D\x1b[D\x1b[D");
    terminal.wait(|screen| screen.cursor_position() == (0, 11));
    terminal.keys("\x7f!\r");
    terminal.shows(&[">> '日本語!😀 e\u{301}'", "=> '日本語!😀 e\u{301}'", ">>"]);
}

#[test]
fn keys_go_over_what_stands_in_front_of_lines() {
    let mut terminal = prompt("marks");
    terminal.types("[1,\r22,\r333]");
    let shown = [">> [1,", "..   22,", "..   333]"];
    terminal.shows(&shown);
    let mut moves = |keys: &str, place: (u16, u16)| {
        terminal.keys(keys);
        terminal.wait(|screen| screen.cursor_position() == place);
        terminal.shows(&shown);
    };
    let (up, down, left, right) = ("\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C");
    moves("\x01", (2, 3));
    moves(left, (1, 8));
    moves(right, (2, 3));
    moves("\x02", (1, 8));
    moves("\x06", (2, 3));
    moves("\x05", (2, 9));
    moves(up, (1, 8));
    moves(up, (0, 6));
    moves(&format!("{left}{left}{down}"), (1, 4));
    moves("\x1b[H", (1, 3));
    moves(up, (0, 3));
    moves(&format!("{down}{down}"), (2, 3));
    // Backspace joins lines, Ctrl-K joins the next, Ctrl-U empties a line and then removes it.
    terminal.keys("\x7f");
    terminal.shows(&[">> [1,", "..   22,  333]"]);
    terminal.keys("\x1b[A\x05\x0b");
    terminal.shows(&[">> [1,  22,  333]"]);
    terminal.types("\x05.size +\r12");
    terminal.shows(&[">> [1,  22,  333].size +", ".. 12"]);
    terminal.keys("\x15");
    terminal.shows(&[">> [1,  22,  333].size +", ".."]);
    terminal.keys("\x15");
    terminal.shows(&[">> [1,  22,  333].size +"]);
    terminal.keys("1\r");
    terminal.wait(|screen| screen.contents().ends_with("=> 4\n>> "));
}

#[test]
fn commands_of_vi_go_over_what_stands_in_front_of_lines() {
    let home = Home::new("vi_marks");
    fs::create_dir_all(home.path().join("config/pcore")).unwrap();
    fs::write(home.path().join("config/pcore/config.toml"), "keys = 'vi'\n").unwrap();
    let mut terminal = Terminal::start(&home, USUAL);
    terminal.types("[1,\r22]");
    // Escape alone, and not the beginning of a longer key.
    terminal.keys("\x1b");
    terminal.wait(|screen| screen.cursor_position() == (1, 7));
    for (key, place) in [("0", (1, 3)), ("h", (0, 6)), ("l", (1, 3)), ("k", (0, 3)), ("j", (1, 3))] {
        terminal.keys(key);
        terminal.wait(|screen| screen.cursor_position() == place);
    }
}

#[test]
fn a_command_with_unfinished_code_goes_on_in_the_next_line() {
    let mut terminal = prompt("command");
    terminal.types(":type [\r80,\r]\r");
    terminal.shows(&[">> :type [", "..   80,", ".. ]", "Tuple[Integer[80, 80]]", ">>"]);
}

#[test]
fn a_prompt_of_ones_own_is_known_in_what_is_pasted() {
    let mut terminal = prompt("own_prompt");
    terminal.keys(":set prompt 日本>\r");
    terminal.wait(|screen| screen.contents().ends_with("日本> "));
    terminal.keys("\x0c");
    terminal.shows(&["日本>"]);
    terminal.pastes("日本> [80,\n.. 443]\n=> [80, 443]\n日本> $_.size");
    terminal.keys("\r");
    terminal.wait(|screen| screen.contents().ends_with("=> 2\n日本> "));
}

#[test]
fn what_a_program_says_does_not_control_the_terminal() {
    let mut terminal = prompt("controls");
    terminal.keys("notice(\"a\\u{1b}[31mb\")\r");
    terminal.shows(&[">> notice(\"a\\u{1b}[31mb\")", "Notice: a␛[31mb", ">>"]);
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let mut terminal = Terminal::open(&Home::new("dumb"), Kind { environment: &[("TERM", "dumb")], ..USUAL });
    terminal.wait(|screen| screen.contents().ends_with(">> "));
    terminal.keys("[1,\r");
    terminal.wait(|screen| screen.contents().ends_with(".. "));
    terminal.keys("2] =~ Nope\r");
    terminal.wait(|screen| screen.contents().ends_with(">> "));
    assert_eq!(terminal.rows()[1..3], [">> [1,", ".. 2] =~ Nope"]);
    assert!(!terminal.was_coloured());
}

#[test]
fn without_colours_the_line_is_plain_and_has_no_hints() {
    let mut terminal = Terminal::start(&Home::new("plain"), Kind { environment: &[("NO_COLOR", "1")], ..USUAL });
    terminal.keys("[1,\rInteger[");
    terminal.shows(&[">> [1,", ".. Integer["]);
    terminal.keys("2]]\r");
    terminal.shows(&[">> [1,", ".. Integer[2]]", "=> [1, Integer[2]]", ">>"]);
    assert!(!terminal.was_coloured());
}

#[test]
fn text_that_is_no_utf_8_does_not_end_the_session() {
    let mut terminal = prompt("bytes");
    terminal.bytes(b"1\xff\xfe");
    terminal.wait(|screen| screen.contents().trim_end().ends_with("\n>>"));
    terminal.keys("2\r");
    terminal.wait(|screen| screen.contents().trim_end().ends_with("=> 2\n>>"));
}

#[test]
fn a_suspended_prompt_continues_with_its_entry() {
    let shell = Kind { environment: &[("PS1", "$ ")], ..USUAL };
    let mut terminal = Terminal::run(Path::new("/bin/sh"), &Home::new("suspended"), shell);
    let ends_with = |end: &'static str| move |screen: &vt100::Screen| screen.contents().trim_end().ends_with(end);
    terminal.wait(ends_with("$"));
    terminal.keys(concat!(env!("CARGO_BIN_EXE_pcore"), "\r"));
    terminal.wait(ends_with("\n>>"));
    terminal.types("[1,\r2");
    terminal.wait(ends_with("\n..   2"));
    terminal.keys("\x1a");
    terminal.wait(|screen| screen.contents().contains("Stopped") && screen.contents().trim_end().ends_with("\n$"));
    terminal.keys("fg\r");
    terminal.wait(ends_with("\n..   2"));
    terminal.types(", 3]\r");
    terminal.wait(ends_with("\n=> [1, 2, 3]\n>>"));
}

#[test]
fn a_prompt_that_is_terminated_leaves_the_terminal_as_it_was() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        let home = Home::new("terminated");
        let mut prompt = Terminal::start(&home, USUAL);
        prompt.types("1");
        let sent = std::process::Command::new("kill").args([signal, &prompt.process().to_string()]).status();
        assert!(sent.unwrap().success());
        assert_eq!(prompt.ends(), code);
    }
}

/// The rows of the answer to an entry at the only prompt on the screen; the screen is empty again afterwards.
fn answer(terminal: &mut Terminal, entry: &str) -> Vec<String> {
    terminal.keys(&format!("{entry}\r"));
    terminal.wait(|screen| screen.contents().trim_end().ends_with("\n>>"));
    let mut rows = terminal.rows();
    assert_eq!(rows.remove(0), format!(">> {entry}"));
    rows.pop();
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
    rows
}

/// An environment with the module `web` in a home.
fn environment(name: &str) -> Home {
    let home = Home::new(name);
    for (path, text) in [
        ("environment.conf", "modulepath = modules\n"),
        ("modules/web/manifests/init.pp", "class web(Integer $port = 80) { }\n"),
        ("modules/web/types/port.pp", "type Web::Port = Integer[1, 65535]\n"),
        ("modules/web/functions/twice.pp", "# Twice as much.\nfunction web::twice($n) { $n * 2 }\n"),
    ] {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    home
}

#[test]
fn whatever_has_a_name_is_explained() {
    let mut terminal = Terminal::start(&environment("names"), Kind { rows: 50, ..USUAL });
    enter(&mut terminal, "type Own = Integer", &["defined Own"]);
    enter(&mut terminal, "function own($x) { $x }", &["defined own()"]);
    for (name, first) in [
        ("Own", "type Own = Integer"),
        ("Web::Port", "Web::Port = Integer[1, 65535]"),
        ("own", "own"),
        ("web::twice", "function web::twice($n) { $n * 2 }"),
        ("web", "class web(Integer $port = 80)"),
        ("file", "File"),
        ("=~", "=~"),
        ("unless", "unless"),
        (":time", ":time CODE"),
        ("width", "width = auto"),
        ("DIV_BY_ZERO", "DIV_BY_ZERO: division by zero"),
        ("line-anchor", "line-anchor: ^ or $ in a regular expression, where \\A or \\z is meant; found by"),
    ] {
        for command in ["?", ":doc "] {
            assert_eq!(answer(&mut terminal, &format!("{command}{name}"))[0], first);
        }
    }
}

#[test]
fn short_names_mean_what_fingers_expect() {
    let home = Home::new("short_names");
    fs::write(home.path().join("x.pp"), "$x = 1\n").unwrap();
    let kind = Kind { environment: &[("EDITOR", "true"), ("PATH", "/usr/bin:/bin")], ..USUAL };
    let mut terminal = Terminal::start(&home, kind);
    for (entry, expected) in [
        (":t 'a'", &["String"][..]),
        (":l x.pp", &["x.pp defines $x"]),
        (":r", &["x.pp defines $x"]),
        ("1", &["=> 1"]),
        (":e", &[">> 1", "=> 1"]),
        (
            ":s Integer, Any",
            &[
                "yes: every value of Integer is a value of Any",
                "but not vice versa: String 'a' is of type Any, but not of type Integer",
            ],
        ),
        ("types", &["=> 'types'", "(`types` is a string; did you mean `:types`?)"]),
        ("functions", &["=> 'functions'", "(`functions` is a string; did you mean `:functions`?)"]),
        ("vars", &["=> 'vars'", "(`vars` is a string; did you mean `:vars`?)"]),
        ("datatypes", &["=> 'datatypes'", "(`datatypes` is a string; did you mean `:types`?)"]),
        ("commands", &["=> 'commands'", "(`commands` is a string; did you mean `:help`?)"]),
        ("facts", &["=> 'facts'", "(did you mean `$facts`?)"]),
    ] {
        assert_eq!(answer(&mut terminal, entry), expected, "{entry}");
    }
    for entry in [":h full", ":? full"] {
        assert_eq!(answer(&mut terminal, entry)[0], ":full [EXPRESSION]");
    }
    for entry in [":q", ":exit"] {
        let mut terminal = Terminal::start(&home, kind);
        terminal.keys(&format!("{entry}\r"));
        assert_eq!(terminal.ends(), 0);
    }
}

#[test]
fn only_what_fits_is_offered() {
    let home = Home::new("what_fits");
    fs::write(home.path().join("facts.yaml"), "{os: {family: Debian, name: Debian}, kernel: Linux}\n").unwrap();
    let mut terminal = Terminal::start(&home, Kind { arguments: &["--facts", "facts.yaml"], ..USUAL });
    enter(&mut terminal, "$form = '%d'", &["=> '%d'"]);
    enter(&mut terminal, "$port = 80", &["=> 80"]);
    let defined = "defined class ntp; `?ntp` shows its parameters";
    enter(&mut terminal, "class ntp($server, $port = 123) { }", &[defined]);
    terminal.keys("Integer[");
    terminal.keys("\t");
    terminal.shows(&[">> Integer[default, to]"]);
    terminal.keys("\x03\x0c");
    terminal.shows(&[">>"]);
    completes(&mut terminal, "$facts[", &[">> $facts['", "kernel  key  os      key"]);
    completes(&mut terminal, "$facts['os'][", &[">> $facts['os']['", "family  key  name    key"]);
    completes(
        &mut terminal,
        "sprintf(",
        &[">> sprintf($", "$_1      variable  '%d'     $form    variable  '%d'", "$kernel  variable  'Linux'"],
    );
    completes(&mut terminal, "@(", &[">> @("]);
    completes(&mut terminal, "file { '/a': ow", &[">> file { '/a': owner"]);
    completes(
        &mut terminal,
        ":unset ",
        &[
            ">> :unset $",
            "$_       variable  80         $_1      variable  '%d'",
            "$_2      variable  80         $facts   variable  Hash of 2",
            "$form    variable  '%d'       $kernel  variable  'Linux'",
            "$os      variable  Hash of 2  $port    variable  80",
        ],
    );
    completes(&mut terminal, "include nt", &[">> include ntp"]);
    completes(&mut terminal, "class { 'nt", &[">> class { 'ntp"]);
    completes(&mut terminal, "class { 'ntp': ", &[">> class { 'ntp':", "port    attribute  server  attribute"]);
}

#[test]
fn a_failing_reload_keeps_what_was_there() {
    let home = Home::new("reload");
    let file = home.path().join("twice.pp");
    fs::write(&file, "function twice($n) { $n * 2 }\n").unwrap();
    let mut terminal = Terminal::start(&home, USUAL);
    enter(&mut terminal, ":load twice.pp", &["twice.pp defines twice()"]);
    fs::write(&file, "function twice($n) { $n * 3 }\n1 / 0\n").unwrap();
    for command in [":reload", ":load twice.pp"] {
        let failed = answer(&mut terminal, command);
        assert_eq!(failed[..2], ["error[DIV_BY_ZERO]: division by zero", " --> twice.pp:2:5"]);
        assert_eq!(failed.last().unwrap(), "the earlier definitions are kept");
        enter(&mut terminal, "twice(2)", &["=> 4"]);
    }
    fs::write(&file, "function twice($n) { $n * 3 }\n").unwrap();
    enter(&mut terminal, ":reload", &["twice.pp defines twice()"]);
    enter(&mut terminal, "twice(2)", &["=> 6"]);
}

#[test]
fn earlier_entries_and_functions_are_listed() {
    let mut terminal = Terminal::start(&Home::new("lists"), Kind { columns: 120, ..USUAL });
    for number in ["1", "2", "3", "4"] {
        enter(&mut terminal, number, &[&format!("=> {number}")]);
    }
    enter(&mut terminal, ":history 3", &[">> 2", ">> 3", ">> 4"]);
    enter(&mut terminal, "function split_all($list) { $list }", &["defined split_all()"]);
    let found = answer(&mut terminal, ":functions split");
    let names: Vec<&str> = found.iter().filter_map(|row| row.split(' ').next()).collect();
    // By name, one of them defined here; by summary.
    assert_eq!(names, ["split_all", "split", "partition", "slice"]);
    assert!(answer(&mut terminal, ":functions regex").len() > 3, "what takes a Regexp is found by its signature");
}

#[test]
fn a_heredoc_goes_on_behind_prompts_and_has_plain_spaces() {
    let mut terminal = prompt("heredoc");
    terminal.types("$text = @(END)\rone  two\rEND\r");
    terminal.shows(&[">> $text = @(END)", ".. one  two", ".. END", r#"=> "one  two\n""#, ">>"]);
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
    enter(&mut terminal, r"$text =~ /\A[[:ascii:]]+\z/", &["=> true"]);
}

#[test]
fn text_breaks_at_words_where_the_screen_is_narrow() {
    let kind = Kind { rows: 40, columns: 40, ..USUAL };
    let mut terminal = Terminal::start(&Home::new("narrow_text"), kind);
    enter(
        &mut terminal,
        ":tour 8",
        &[
            "8/11 Traps: optional",
            "",
            "An optional key may be missing. A key",
            "with an optional value may be missing,",
            "or be present with the value undef,",
            "which is usually what modules want.",
            "",
            ">> type Key = Struct[{Optional[port] =>",
            "Port}]",
            "defined Key",
            ">> type Value = Struct[{port => Optional",
            "[Port]}]",
            "defined Value",
            ">> [{} =~ Key, {} =~ Value]",
            "=> [true, true]",
            ">> [{port => undef} =~ Key, {port => und",
            "ef} =~ Value]",
            "=> [false, true]",
            ">> [undef =~ Optional[String[1]], '' =~",
            "Optional[String[1]]]",
            "=> [true, false]",
            "",
            "And an optional string may be missing,",
            "but not empty.",
            "",
            "(type `:tour` for the next step;",
            "    definitions from this step remain",
            "    available)",
        ],
    );
    let help = answer(&mut terminal, ":help full");
    let story = [
        "  Shows the last result or, with an",
        "  expression, its value; after `:why`",
        "  the whole explanation. Output taller",
        "  than the screen is shown in $PAGER",
        "  (default: less).",
    ];
    assert_eq!(help[3..8], story);
    let failed = answer(&mut terminal, "{a => 1, b = 2}");
    assert_eq!(failed[..2], ["error[SYNTAX_ERROR]: expected `=>`,", "    found `}`"]);
    terminal.keys("class web($a_rather_long_name = 1) { }\r");
    terminal.wait(|screen| screen.contents().trim_end().ends_with("parameters\n>>"));
    terminal.keys("\x0c");
    terminal.shows(&[">>"]);
    let sheet = answer(&mut terminal, "?web");
    let keys = [
        "  its parameters as a hash are of type",
        "  Struct[{",
        "    Optional[",
        "      'a_rather_long_name'",
        "    ] => Any",
        "  }]",
    ];
    assert_eq!(sheet[sheet.len() - keys.len()..], keys);
}

#[test]
fn a_list_or_result_taller_than_the_screen_goes_through_the_pager() {
    let kind = Kind { rows: 10, environment: &[("PAGER", "tail -n 1"), ("PATH", "/usr/bin:/bin")], ..USUAL };
    let mut terminal = Terminal::start(&Home::new("pager"), kind);
    enter(&mut terminal, ":types", &["  Stage, Tidy, User, Whit, Yumrepo, Zone"]);
    let cut = answer(&mut terminal, "Integer[1, 300].map |$n| { $n }");
    assert_eq!(cut.last().unwrap(), "… 15 more lines; `:full` shows all");
    enter(&mut terminal, ":full", &["]"]);
}

#[test]
fn settings_are_shown_with_their_file() {
    let home = Home::new("settings");
    let mut terminal = Terminal::start(&home, Kind { columns: 200, ..USUAL });
    let file = home.path().join("config/pcore/config.toml");
    let last = |rows: Vec<String>| rows.last().unwrap().clone();
    assert_eq!(last(answer(&mut terminal, ":info")), format!("file      {}", file.display()));
    let permanent = format!("to keep a setting, write it to {}", file.display());
    assert_eq!(last(answer(&mut terminal, ":set")), permanent);
    enter(&mut terminal, ":set timing on", &[]);
    let timed = answer(&mut terminal, "1");
    assert_eq!((timed[0].as_str(), timed[1].split(' ').next()), ("=> 1", Some("took")));
    enter(&mut terminal, ":set timing off", &[]);
    terminal.keys(":set prompt 'x> '\r");
    terminal.shows(&[">> :set prompt 'x> '", "x>"]);
    terminal.keys("1\r");
    terminal.shows(&[">> :set prompt 'x> '", "x> 1", "=> 1", "x>"]);
}

#[test]
fn words_of_other_languages_get_advice() {
    let mut terminal = prompt("advice");
    for (entry, advice) in [
        ("None", "help: write `undef`, as in `undef =~ Undef`"),
        ("True", "help: write `true`, as in `true =~ Boolean`"),
        ("nil", "(`nil` is a string; write `undef`, as in `undef =~ Undef`)"),
        ("null", "(`null` is a string; write `undef`, as in `undef =~ Undef`)"),
        ("enum['a', 'b']", "help: write `Enum['a', 'b']`"),
        ("(2) ** 3", "help: there is no operator for powers: write `$x * $x`"),
        ("'a' + 'b'", "help: no operator joins strings; write `\"ab\"`"),
        ("$x: Integer", "help: variables have no types: write `$x = assert_type(Integer, 5)`"),
        ("def f(x) { x }", "help: write `function f($x) { $x }`"),
        ("true && false || !true", "help: write `true and false or !true`"),
        ("console.log(5)", "help: write `notice(5)`"),
        ("merge({a => 1}, {b => 2})", "help: it belongs to the module puppetlabs-stdlib; without it, write `$hash +"),
        ("'a' =~ Strng[1]", "help: did you mean String?"),
        ("type Port = Integert", "help: did you mean Integer?"),
        ("type Loop = Loop", "help: wrap the alias in an Array, a Hash, a Tuple or a Struct"),
    ] {
        let rows = answer(&mut terminal, entry);
        let found = rows.iter().filter(|row| row.trim_start_matches("  = ") == advice).count();
        let titles = rows.iter().filter(|row| row.starts_with("error") || row.starts_with("warning")).count();
        assert_eq!((found, titles <= 1), (1, true), "{}", rows.join("\n"));
    }
    let hasty = answer(&mut terminal, ":exot");
    assert_eq!(
        hasty,
        ["error: unknown command `:exot`; `:help` lists them, and a symbol is a string:", "    `'exot'`"]
    );
}

#[test]
fn an_error_shows_at_most_five_calls() {
    let home = Home::new("calls");
    let functions = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let text = functions.windows(2).map(|pair| format!("function {}($x) {{ {}($x) }}\n", pair[0], pair[1]));
    fs::write(home.path().join("deep.pp"), text.collect::<String>() + "function h($x) { 1 / $x }\n").unwrap();
    let mut terminal = Terminal::start(&home, Kind { rows: 40, ..USUAL });
    answer(&mut terminal, ":load deep.pp");
    let rows = answer(&mut terminal, "a(0)");
    assert_eq!(rows[..2], ["error[DIV_BY_ZERO]: division by zero", " --> deep.pp:8:22"]);
    let calls: Vec<&str> = rows.iter().filter_map(|row| Some(&row[row.find("called here")?..])).collect();
    assert_eq!(calls.len(), 6);
    assert_eq!((calls[0], calls[5]), ("called here, and from further calls", "called here"));
}

#[test]
fn the_definition_of_a_name_is_shown_and_edited() {
    let home = Home::new("definitions");
    fs::write(home.path().join("x.pp"), "$x = 1\n\nfunction half($n) {\n  $n / 2\n}\n").unwrap();
    let editor = "for file; do :; done\ntest $# = 1 || echo \"$1\"\nsed -i s/2/4/ \"$file\"\n";
    fs::write(home.path().join("editor"), editor).unwrap();
    let kind = Kind { environment: &[("EDITOR", "sh editor"), ("PATH", "/usr/bin:/bin")], ..USUAL };
    let mut terminal = Terminal::start(&home, kind);
    enter(&mut terminal, "type Port = Integer[1, 2]", &["defined Port"]);
    enter(&mut terminal, ":load x.pp", &["x.pp defines half(), $x"]);
    enter(&mut terminal, "??half", &["# x.pp:3", "function half($n) {", "  $n / 2", "}"]);
    enter(&mut terminal, ":edit half", &["+3", ">> :load x.pp", "x.pp defines half(), $x"]);
    enter(&mut terminal, "half(8)", &["=> 2"]);
    let edited = [">> :unset Port", ">> type Port = Integer[1, 4]", "defined Port"];
    enter(&mut terminal, ":edit Port", &edited);
    enter(&mut terminal, ":definition Port", &["# entry 3:1", "type Port = Integer[1, 4]"]);
    terminal.keys("\x0c1 + 2\x18\x05");
    terminal.shows(&[">> 1 + 2", ">> 1 + 4"]);
    terminal.keys("\r");
    terminal.shows(&[">> 1 + 2", ">> 1 + 4", "=> 5", ">>"]);
}

#[test]
fn results_are_numbered_where_the_setting_says_so() {
    let home = Home::new("numbers");
    fs::write(home.path().join("x.yaml"), "a: 1\n").unwrap();
    let mut terminal = Terminal::start(&home, USUAL);
    enter(&mut terminal, "1", &["=> 1"]);
    enter(&mut terminal, ":set numbers on", &[]);
    enter(&mut terminal, "2; 3", &["$_2 => 2", "$_3 => 3"]);
    enter(&mut terminal, ":load x.yaml", &["$_4 => {'a' => 1}"]);
    enter(&mut terminal, "[$_1, $_3, $_4]", &["$_5 => [1, 3, {'a' => 1}]"]);
    enter(&mut terminal, ":full", &["=> [1, 3, {'a' => 1}]"]);
}
