//! The prompt as people see it: what they press, and what the screen shows then.

use std::fs;

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
    enter(&mut terminal, "type Net::Port = Integer", &[]);
    enter(&mut terminal, "type Net::Host = String", &[]);
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
    terminal.shows(&[">> 1 =~ String", "=> false", ">>"]);
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
    enter(&mut terminal, "function area(Integer $width, $height = 1) { $width * $height }", &[]);
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
fn the_prompt_is_back_before_an_interrupted_evaluation_has_freed_its_memory() {
    let mut terminal = prompt("freed");
    terminal.keys("$kept = 1; notice('on'); type(Integer[1, 900000].map |$n| { {'n' => [$n]} })\r");
    terminal.wait(|screen| screen.contents().contains("Notice: on"));
    terminal.keys("\x03");
    terminal.wait(|screen| screen.contents().trim_end().ends_with(">>"));
    terminal.keys("$kept + 1\r");
    terminal.wait(|screen| screen.contents().contains("=> 2"));
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
    let down = "\x1b[B";
    for (key, shown) in
        [(up, &[">> 'a'"][..]), (up, &[">> [3]"]), (up, &[">> [1,", ".. 2]"]), (down, &[">> [1,", ".. 2]"])]
    {
        terminal.keys(key);
        terminal.shows(shown);
    }
    terminal.keys(down);
    terminal.shows(&[">> [3]"]);
    terminal.keys("\x03");
    terminal.shows(&[">> [3]", ">>"]);
    terminal.keys(&format!("[1{up}"));
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
fn an_entry_higher_than_the_terminal_shows_the_part_with_the_cursor() {
    let mut terminal = Terminal::start(&Home::new("high"), Kind { rows: 5, ..USUAL });
    let lines: Vec<String> = (1..=9).map(|number| format!("{number},")).collect();
    terminal.pastes(&format!("[\n{}\n].size", lines.join("\n")));
    terminal.shows(&["6,", "7,", "8,", "9,", "].size"]);
    terminal.keys(".abs");
    terminal.shows(&[".. 6,", ".. 7,", ".. 8,", ".. 9,", ".. ].size.abs"]);
    terminal.keys(&"\x1b[A".repeat(8));
    terminal.shows(&[".. 2,", ".. 3,", ".. 4,", ".. 5,", ".. 6,"]);
    terminal.keys("\r");
    terminal.shows(&[".. 8,", ".. 9,", ".. ].size.abs", "=> 9", ">>"]);
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
    assert_eq!(terminal.cursor_shape(), Some(b'6'), "a bar shows that keys are inserted");
    // Escape alone, and not the beginning of a longer key.
    terminal.keys("\x1b");
    terminal.wait(|screen| screen.cursor_position() == (1, 7));
    assert_eq!(terminal.cursor_shape(), Some(b'2'), "a block shows that keys are commands");
    for (key, place) in [("0", (1, 3)), ("h", (0, 6)), ("l", (1, 3)), ("k", (0, 3)), ("j", (1, 3))] {
        terminal.keys(key);
        terminal.wait(|screen| screen.cursor_position() == place);
    }
}

#[test]
fn a_line_longer_than_the_terminal_shows_the_part_with_the_cursor() {
    let mut terminal = Terminal::start(&Home::new("long"), Kind { rows: 3, columns: 20, ..USUAL });
    let numbers: Vec<String> = (10..40).map(|number| number.to_string()).collect();
    terminal.pastes(&format!("[{}]", numbers.join(",")));
    terminal.shows(&["22,23,24,25,26,27,28", ",29,30,31,32,33,34,3", "5,36,37,38,39]"]);
    terminal.keys("\x01");
    terminal.shows(&[">> [10,11,12,13,14,1", "5,16,17,18,19,20,21,", "22,23,24,25,26,27,28"]);
    assert_eq!(terminal.position(), (0, 3));
    terminal.keys(&"\x1b[C".repeat(18));
    terminal.shows(&["5,16,17,18,19,20,21,", "22,23,24,25,26,27,28", ",29,30,31,32,33,34,3"]);
    terminal.keys("0");
    terminal.shows(&["50,16,17,18,19,20,21", ",22,23,24,25,26,27,2", "8,29,30,31,32,33,34,"]);
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
