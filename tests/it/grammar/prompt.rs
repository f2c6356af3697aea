//! `grammar/prompt.ebnf` is what the prompt takes: its commands are those of the table, and it refuses what the session
//! refuses.

use std::collections::BTreeSet;

use pcore::session::commands::{self, Argument, Command, CommandGroup, Kind};
use pcore::session::{Console, Reply};

use super::notation::{Form, Grammar, productions};
use super::recogniser::{Decision, Recogniser};
use super::writing::assert_all_reached;
use super::{transcripts, written};

/// The grammar of the prompt, with that of the language below its own line *Tokens*: it is about characters.
pub(super) fn prompt() -> Grammar {
    Grammar::read(&format!("{}\n{}", written("puppet.ebnf"), written("prompt.ebnf")))
}

/// What the grammar has to say of a command: its argument is that of the row.
fn alternative(command: &Command) -> String {
    let argument = |kind: Kind| format!("blanks {}_argument", format!("{kind:?}").to_lowercase());
    match command.argument {
        Argument::None => format!("<:{}>", command.name),
        Argument::Optional(kind) => format!("<:{}> ({})?", command.name, argument(kind)),
        Argument::Required(kind) => format!("<:{}> {}", command.name, argument(kind)),
    }
}

/// The name of the production for a family.
fn name(family: &CommandGroup) -> String {
    family.title.replace(' ', "_")
}

#[test]
fn commands_are_those_of_the_table() {
    let written = productions(&written("prompt.ebnf"));
    let body = |name: &str| {
        let found = written.iter().find(|(other, ..)| other == name);
        found.map(|(_, body, _)| body.as_str())
    };
    let families: Vec<String> = commands::TABLE.iter().map(|family| name(family)).collect();
    let command = format!("\":\" blanks? ({}) blanks? end", families.join(" | "));
    assert_eq!(body("command"), Some(command.as_str()), "write in grammar/prompt.ebnf:\ncommand ::= {command}");
    for family in commands::TABLE {
        let (name, alternatives) = (name(family), family.commands.iter().map(alternative).collect::<Vec<_>>());
        let margin = " ".repeat(name.len() + " ::".len());
        let lines = alternatives.join(&format!("\n{margin}| "));
        assert_eq!(
            body(&name),
            Some(alternatives.join(" | ").as_str()),
            "write in grammar/prompt.ebnf:\n{name} ::= {lines}\n"
        );
    }
}

#[test]
fn every_production_of_the_prompt_is_reached_from_an_entry_or_a_transcript() {
    let starts = super::writing::STARTS;
    assert_all_reached(&prompt(), &[&["prompt_entry", "transcript"][..], &starts].concat());
}

/// Whether a session that has a result, and was asked a question, has no answer to the entry.
fn is_refused(entry: &str) -> bool {
    let mut session = Console::default();
    session.enter("1 =~ Integer", &mut |_| {});
    matches!(session.enter(entry, &mut |_| {}), Reply::Refused(_) | Reply::Failed(_) | Reply::Unfinished(_))
}

#[test]
fn the_example_of_every_command_is_an_entry() {
    let grammar = prompt();
    let recogniser = Recogniser::new(&grammar);
    for command in commands::all_commands() {
        assert!(recogniser.accepts("prompt_entry", &format!(":{}", command.example)), ":{}", command.example);
        assert!(recogniser.accepts("command", &format!(":{}", command.example)), ":{}", command.example);
    }
}

#[test]
fn grammar_and_session_agree_on_names_cut_short_and_on_arguments_left_out() {
    let grammar = prompt();
    let recogniser = Recogniser::new(&grammar);
    let names =
        commands::all_commands().flat_map(|command| (0..=command.name.len()).map(|length| &command.name[..length]));
    let names: BTreeSet<&str> = names.collect();
    let (mut taken, mut refused) = (0, 0);
    for name in names {
        // What is no argument of the command is one too many.
        let example = commands::find_command(name).ok().and_then(|command| command.example.split_once(' '));
        let argument = example.map_or("1", |(_, argument)| argument);
        for entry in
            [format!(":{name}"), format!(" : {name} "), format!(":{name} {argument} "), format!(":{name}x {argument}")]
        {
            assert_eq!(recogniser.accepts("prompt_entry", &entry), !is_refused(&entry), "{entry}");
            *if is_refused(&entry) { &mut refused } else { &mut taken } += 1;
        }
    }
    assert!(taken > 150 && refused > 150, "{taken} taken, {refused} refused");
}

#[test]
fn grammar_and_session_agree_on_entries_that_are_no_commands() {
    let grammar = prompt();
    let recogniser = Recogniser::new(&grammar);
    for entry in [
        "",
        " ",
        "# nothing",
        "exit",
        " quit ",
        "help",
        "?abs",
        " ? Integer ",
        "?",
        "? ",
        "?abs abs",
        ":",
        ": ",
        "1 + 1",
        "1 +",
        "$x = 1\n$x",
        "[1",
        ":why (1 =~ Integer)",
        ":why 1",
        ":why $x = $y = 1 !~ String",
        ":why 1 =~ Integer and true",
        ":why 2; 1 =~ Integer",
        ":why $x =~ Integer; 2",
        ":common 1, 'a'",
        ":common 1 'a'",
        ":common 1,, 'a'",
        ":hierarchy String, Integer",
        ":type 1, 2",
        ":type [1",
        ":format {Integer => '%x'}",
        ":format {",
        ":tour x",
        ":tour 1 2",
        ":unset 1",
    ] {
        assert_eq!(recogniser.accepts("prompt_entry", entry), !is_refused(entry), "{entry:?}");
    }
}

#[test]
fn what_the_grammar_refuses_in_a_transcript_the_session_refuses() {
    let grammar = prompt();
    let recogniser = Recogniser::new(&grammar);
    let entries: BTreeSet<String> =
        transcripts::entries().into_iter().filter(|entry| entry.starts_with([':', '?'])).collect();
    let (described, others): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| recogniser.accepts("prompt_entry", entry));
    let answered: Vec<&String> = others.into_iter().filter(|entry| !is_refused(entry)).collect();
    assert_eq!(answered, Vec::<&String>::new());
    assert!(described.len() > 50, "{} of {}", described.len(), entries.len());
}

#[test]
fn transcripts_hold_as_many_entries_as_the_grammar_finds() {
    let grammar = prompt();
    let recogniser = Recogniser::new(&grammar);
    let body = grammar.productions[grammar.number("transcript")].body;
    let lines = grammar.within(body).into_iter().find(|&id| matches!(grammar.forms[id], Form::Choice(_))).unwrap();
    let entered = Decision::Alternative(lines, 0);
    let count = |text: &String| recogniser.derivation("transcript", text).unwrap().get(&entered).copied().unwrap_or(0);
    let found: usize = transcripts::texts().iter().map(count).sum();
    assert_eq!(found, transcripts::entries().len());
}
