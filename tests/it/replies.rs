//! What the session says to an entry of the prompt.

use pcore::format;
use pcore::session::{Console, Event, Reply};

/// What an entry gives: the values, then the reply.
#[track_caller]
fn told(session: &mut Console, entry: &str) -> (Vec<String>, String) {
    let mut values = Vec::new();
    let reply = session.enter(entry, &mut |event| {
        if let Event::Value(value) | Event::Assigned(value) = event {
            values.push(format::program_text(&value));
        }
    });
    let reply = match reply {
        Reply::Done => "done".to_owned(),
        Reply::Unfinished(_) => "unfinished".to_owned(),
        Reply::Failed(error) => format!("error {}", error.code()),
        Reply::Text(text) | Reply::Code(text) | Reply::Verbatim(text) => text,
        Reply::Columns(columns) => columns.to_text(None),
        Reply::Refused(message) => format!("refused: {message}"),
        Reply::Asked(request) => format!("{request:?}"),
        Reply::Quit => "quit".to_owned(),
    };
    (values, reply)
}

#[test]
fn results_have_names() {
    let mut session = Console::default();
    assert_eq!(told(&mut session, "1 + 1\n'two'"), (vec!["2".into(), "'two'".into()], "done".into()));
    assert_eq!(told(&mut session, "[$_1, $_2, $_]"), (vec!["[2, 'two', 'two']".into()], "done".into()));
    assert_eq!(told(&mut session, "$_"), (vec!["[2, 'two', 'two']".into()], "done".into()));
}

#[test]
fn words_that_leave_leave() {
    for entry in ["exit", " quit ", ":quit", ":q"] {
        assert_eq!(told(&mut Console::default(), entry), (vec![], "quit".into()), "{entry}");
    }
}

#[test]
fn an_entry_that_ends_too_early_is_unfinished() {
    for entry in ["[1,", "1 +", "if true {", "'text", "$x =", "@(END)\ntext", "f(1) |$x|", "\"${", "/* note"] {
        assert_eq!(told(&mut Console::default(), entry).1, "unfinished", "{entry}");
    }
    assert_eq!(told(&mut Console::default(), "::Integer").1, "done");
    assert_eq!(told(&mut Console::default(), "[1))").1, "error SYNTAX_ERROR");
}

#[test]
fn what_was_bound_before_an_error_stays() {
    let mut session = Console::default();
    assert_eq!(told(&mut session, "$x = 1\n$y = $x / 0").1, "error DIV_BY_ZERO");
    assert_eq!(told(&mut session, ":vars").1, "$x = 1");
}

#[test]
fn a_name_can_be_freed() {
    let mut session = Console::default();
    told(&mut session, "$x = 1\ntype Port = Integer[1]\nfunction f() { 1 }");
    assert_eq!(told(&mut session, "$x = 2").1, "error ILLEGAL_REASSIGNMENT");
    assert_eq!(told(&mut session, ":aliases").1, "type Port = Integer[1]");
    for freed in [":unset $x", ":unset Port", ":unset f"] {
        assert_eq!(told(&mut session, freed).1, "done");
    }
    let again = "$x = 2\ntype Port = Integer[2]\nfunction f() { 2 }\n[$x, f(), Port =~ Type]";
    assert_eq!(told(&mut session, again), (vec!["2".into(), "[2, 2, true]".into()], "defined Port, f()".into()));
    assert_eq!(told(&mut session, ":reset").1, "done");
    assert_eq!(told(&mut session, ":vars").1, "no variables yet");
}

#[test]
fn why_explains_the_last_question() {
    let mut session = Console::default();
    assert_eq!(told(&mut session, ":why").1, "refused: nothing to explain yet; try `:why '80' =~ Integer`");
    told(&mut session, "$x = '80' =~ Integer");
    let why = "String '80' is not of type Integer\n  Integer('80') would match";
    assert_eq!(told(&mut session, ":why").1, why);
    assert_eq!(told(&mut session, ":why 80 =~ Integer").1, "no mismatch: Integer 80 is of type Integer");
}
