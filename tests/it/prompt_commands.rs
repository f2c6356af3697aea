//! The commands of the prompt, as the session runs them.

use pcore::session::commands::{Command, CommandLine, SUMMARY_LENGTH, all_commands, find_command};
use pcore::session::{Console, Reply};

#[test]
fn a_command_is_found_by_its_name_and_by_an_unambiguous_beginning() {
    let found = |name: &str| find_command(name).map(|command| command.name);
    assert_eq!(found("type"), Ok("type"));
    assert_eq!(found("q"), Ok("quit"));
    let short = ["t", "l", "r", "e", "h", "?", "s", "q", "exit"].map(found);
    assert_eq!(short, ["type", "load", "reload", "edit", "help", "help", "sub", "quit", "quit"].map(Ok));
    assert_eq!(found("typ"), Err("`:typ` is ambiguous: `:type`, `:types`".to_owned()));
    assert_eq!(found("tpye"), Err("unknown command `:tpye`; did you mean `:type`?".to_owned()));
    assert_eq!(
        found("xyzzy"),
        Err("unknown command `:xyzzy`; `:help` lists them, and a symbol is a string: `'xyzzy'`".to_owned())
    );
    assert_eq!(found(""), Err("expected a command after the colon; `:help` lists them".to_owned()));
}

#[test]
fn the_example_of_every_command_runs() {
    for command in all_commands() {
        let mut session = Console::default();
        // So that there is a result.
        session.enter("1", &mut |_| {});
        let reply = session.enter(&format!(":{}", command.example), &mut |_| {});
        let refused = matches!(reply, Reply::Refused(_) | Reply::Failed(_) | Reply::Unfinished(_));
        assert!(!refused, ":{} gives {reply:?}", command.example);
    }
}

#[test]
fn summaries_fit_into_the_columns_of_help() {
    for command in all_commands() {
        assert!(command.summary.chars().count() <= SUMMARY_LENGTH, ":{} {}", command.name, command.summary);
        assert!(!command.description.is_empty(), ":{} has no description", command.name);
    }
}

#[test]
fn an_argument_is_asked_for_where_it_is_needed_and_refused_where_it_is_not() {
    let refusal = |entry: &str| match Console::default().enter(entry, &mut |_| {}) {
        Reply::Refused(refusal) => refusal,
        reply => panic!("{entry} gives {reply:?}"),
    };
    assert_eq!(refusal(":type"), "expected EXPRESSION after `:type`: `:type {'port' => 80}`");
    assert_eq!(refusal(":quit 1"), "`:quit` accepts no argument, got `1`");
}

#[test]
fn usage_is_made_from_the_argument() {
    let usage = |name: &str| find_command(name).map(Command::usage);
    assert_eq!(usage("help"), Ok(":help [WORD]".to_owned()));
    assert_eq!(usage("type"), Ok(":type EXPRESSION".to_owned()));
    assert_eq!(usage("quit"), Ok(":quit".to_owned()));
}

fn told(entry: &str) -> String {
    match Console::default().enter(entry, &mut |_| {}) {
        Reply::Text(text) | Reply::Refused(text) => text,
        Reply::Columns(columns) => columns.to_text(None),
        reply => panic!("{entry} gives {reply:?}"),
    }
}

#[test]
fn help_fits_on_a_screen_and_names_every_command() {
    let help = told(":help");
    assert!(help.lines().count() <= 24, "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    let longest = all_commands().map(|command| command.name.len()).max().unwrap();
    for command in all_commands() {
        let cell = format!(" :{:longest$} {}", command.name, command.summary);
        assert_eq!(help.matches(&cell).count(), 1, "{cell}");
    }
}

#[test]
fn help_with_a_word_tells_the_whole_story() {
    assert_eq!(
        told(":help format"),
        ":format FORMAT\n  the last result, formatted\n\n  \
         FORMAT is any format that String.new accepts: `%x`, `%#p`, or a hash from \
         types to formats; or `json`. `:set format FORMAT` sets the format for all results.\n\n  >> :format %#x\n  0xff"
    );
    assert_eq!(told(":help :for"), told(":help format"));
    assert_eq!(told(":help abs"), told(":doc abs"));
    assert_eq!(
        told(":help width"),
        "width = auto\n  number of columns for results\n  auto, off or a number from 20 to 1000 [default: auto]"
    );
    assert_eq!(told(":help Interger"), "unknown type, function or operator `Interger`; did you mean `Integer`?");
}

#[test]
fn a_command_that_takes_code_may_be_unfinished() {
    let is_unfinished = |entry: &str| CommandLine::parse(entry).is_some_and(|typed| typed.is_unfinished());
    for entry in [":type [1,", ":ast if true {", " :why 'a", ":sub Integer[1,", ":time [1].each |$x| {\n"] {
        assert!(is_unfinished(entry), "{entry}");
    }
    for entry in [":type", ":type [1))", ":type [1]", ":load [", ":history 'a", "?Integer[", ":quit [", "[1,"] {
        assert!(!is_unfinished(entry), "{entry}");
    }
}

#[test]
fn what_only_looks_like_a_command_is_none() {
    for entry in ["::Integer", "? { 1 => 2 }", "?{}", "a:b", ""] {
        assert_eq!(CommandLine::parse(entry), None, "{entry}");
    }
    assert_eq!(CommandLine::parse(":type  80"), Some(CommandLine { name: "type", argument: "80", start: Some(7) }));
    assert_eq!(CommandLine::parse("?Integer").map(|command| command.name), Some("doc"));
    assert_eq!(CommandLine::parse(" : q"), Some(CommandLine { name: "q", argument: "", start: None }));
    assert_eq!(CommandLine::parse(":"), Some(CommandLine { name: "", argument: "", start: None }));
}

fn answer(session: &mut Console, entry: &str) -> String {
    match session.enter(entry, &mut |_| {}) {
        Reply::Text(text) | Reply::Refused(text) => text,
        reply => panic!("{entry} gives {reply:?}"),
    }
}

#[test]
fn each_step_fits_on_a_screen_and_says_how_to_go_on() {
    let mut session = Console::default();
    let count = include_str!("../../transcripts/tour.md").matches("\n## ").count();
    for number in 1..=count {
        let step = answer(&mut session, ":tour");
        assert_eq!(step.split(' ').next(), Some(format!("{number}/{count}").as_str()));
        let rows = |line: &str| line.chars().count().div_ceil(80).max(1);
        assert!(step.lines().map(rows).sum::<usize>() <= 23, "{step}");
    }
    assert_eq!(answer(&mut session, ":tour"), answer(&mut session, ":tour 1"));
    assert_eq!(answer(&mut session, ":tour 99"), format!("expected a step from 1 to {count}, got `99`"));
}
