//! Random programs of recursive aliases and Object types, and everything that can be asked about them.
//!
//! The choices are bytes, so that proptest and a fuzzer share this file; zeros choose what is simplest.

use pcore::assist::{SymbolIndex, completion};
use pcore::check;
use pcore::explain::{counterexample, difference, examples, meet, mismatch, rewrite};
use pcore::session::{Console, Session};
use pcore::text::Source;
use pcore::types::Type;
use pcore::value::Value;

/// The choices that are left.
struct Choices<'b>(std::slice::Iter<'b, u8>);

impl Choices<'_> {
    /// A number below `count`; 0 when all choices are used up.
    fn below(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % count)
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Aliases, and questions about them.
#[derive(Debug)]
pub(crate) struct Program {
    /// A definition on each line.
    pub(crate) aliases: String,
    /// Expressions that mention the aliases.
    pub(crate) expressions: Vec<String>,
    /// Entries of the prompt.
    pub(crate) commands: Vec<String>,
}

const NAMES: [&str; 4] = ["A", "B", "C", "D"];

/// The program that these bytes choose.
pub(crate) fn program(bytes: &[u8]) -> Program {
    let mut choices = Choices(bytes.iter());
    let names = &NAMES[..=choices.below(NAMES.len())];
    let aliases: Vec<String> = names
        .iter()
        .map(|name| {
            if choices.below(5) < 4 {
                return format!("type {name} = {}", type_(&mut choices, names, 3));
            }
            let (x, y) = (type_(&mut choices, names, 2), type_(&mut choices, names, 1));
            let parent = choices.of(&["", "", "", "parent => A, ", "parent => B, "]);
            format!("type {name} = Object[{{{parent}attributes => {{x => {x}, y => {{type => Optional[{y}], value => undef}}}}}}]")
        })
        .collect();
    let expressions = (0..6).map(|_| expression(&mut choices, names)).collect();
    let commands = (0..6).map(|_| command(&mut choices, names)).collect();
    Program { aliases: aliases.join("\n"), expressions, commands }
}

/// Asks everything: the session ends what takes too many steps, and nothing else goes wrong.
pub(crate) fn ask(program: &Program, session: Session) {
    let mut console = Console::from(session);
    let _ = console.evaluate(&Source::new("aliases", &*program.aliases), &mut |_| {});
    for expression in &program.expressions {
        let _ = console.evaluate(&Source::new("expression", &**expression), &mut |_| {});
    }
    for command in &program.commands {
        console.enter(command, &mut |_| {});
    }
    let types: Vec<Type> =
        NAMES.iter().filter_map(|name| console.evaluate_type(&Source::new("type", *name)).ok()).collect();
    for type_ in &types {
        let _ = console.run_within_limits(|_| {
            let value = Value::from(vec![Value::from(1)]);
            let _ =
                (check::schema(type_), type_.to_string(), mismatch::explain(type_, &value), meet::has_no_values(type_));
            let _ = (examples::examples(type_, 3), rewrite::with_aliases_expanded(type_, 3), type_.generalized());
            assert!(type_.accepts(type_));
        });
        for other in &types {
            let _ = console.run_within_limits(|_| {
                let _ = (meet::meet(type_, other), difference::differences(type_, other), type_.equals(other));
                let _ = (type_.common_type(other), counterexample::find_common_value(type_, other));
            });
        }
    }
    let symbols = SymbolIndex::of(&console);
    for text in ["A.", "A[", "A(", "$x = {a => 1} ? { A", "assert_type(A, "] {
        let _ = console.run_within_limits(|_| completion::complete(text, text.len(), &symbols).candidates.len());
    }
    console.session.close();
}

fn type_(choices: &mut Choices<'_>, names: &[&str], depth: usize) -> String {
    const PLAIN: [&str; 22] = [
        "Integer",
        "String",
        "Undef",
        "Any",
        "Data",
        "RichData",
        "Scalar",
        "Integer[0, 5]",
        "Enum['a']",
        "Collection",
        "Iterable",
        "Type",
        "Init",
        "Object",
        "Hash",
        "Array",
        "Struct",
        "Tuple",
        "Variant",
        "Optional",
        "NotUndef",
        "Callable",
    ];
    if depth == 0 || choices.below(4) == 0 {
        return if choices.below(5) < 3 { choices.of(names) } else { choices.of(&PLAIN) }.to_owned();
    }
    let (one, other) = (type_(choices, names, depth - 1), type_(choices, names, depth - 1));
    match choices.below(18) {
        0 | 1 => format!("Variant[{one}, {other}]"),
        2 => format!("Optional[{one}]"),
        3 => format!("NotUndef[{one}]"),
        4 => format!("Init[{one}]"),
        5 => format!("Iterable[{one}]"),
        6 | 7 => format!("Struct[{{a => {one}, {} => {other}}}]", choices.of(&["b", "Optional[b]", "NotUndef[b]"])),
        8 | 9 => format!("Tuple[{one}, {other}{}]", choices.of(&["", ", 1", ", 0, 5"])),
        10 | 11 => format!("Array[{one}{}]", choices.of(&["", ", 1", ", 2, 2"])),
        12 => format!("Hash[String, {one}]"),
        13 => format!("Hash[{one}, {other}]"),
        14 => format!("Type[{one}]"),
        15 => format!("Callable[{one}, {other}]"),
        16 => format!("Iterator[{one}]"),
        _ => format!("Sensitive[{one}]"),
    }
}

fn value(choices: &mut Choices<'_>, names: &[&str]) -> String {
    const PLAIN: [&str; 14] = [
        "1",
        "[]",
        "undef",
        "'a'",
        "[[[]]]",
        "[[1], 'a']",
        "{}",
        "{a => 1}",
        "{a => {a => 1}, b => []}",
        "{x => 1}",
        "{x => {x => undef}, y => []}",
        "Sensitive(1)",
        "[1, 2].reverse_each",
        "default",
    ];
    let name = choices.of(names);
    match choices.below(4) {
        0 | 1 => choices.of(&PLAIN).to_owned(),
        2 => name.to_owned(),
        _ => format!("{name}({})", choices.of(&PLAIN)),
    }
}

fn expression(choices: &mut Choices<'_>, names: &[&str]) -> String {
    let (name, type_) = (choices.of(names), type_(choices, names, 2));
    let value = value(choices, names);
    match choices.below(20) {
        0 => format!("{value} =~ {name}"),
        1 => format!("{value} =~ {type_}"),
        2 => format!("{name} <= {type_}"),
        3 => format!("{type_} <= {name}"),
        4 => format!("{name} == {type_}"),
        5 => format!("assert_type({name}, {value})"),
        6 => format!("assert_type({type_}, {value})"),
        7 => format!("\"${{{name}}}\""),
        8 => format!("String({type_}, '%#p')"),
        9 => format!("type([{name}, {value}])"),
        10 => format!("type([{type_}, {name}, {value}], reduced)"),
        11 => format!("type({name}, generalized)"),
        12 => format!("{name}.new({value})"),
        13 => format!("{value} =~ Init[{name}]"),
        14 => format!("{value} ? {{ {name} => 1, default => 2 }}"),
        15 => format!("with({value}) |{name} $x| {{ $x }}"),
        16 => format!("'a'.match({name})"),
        17 => format!("{name}.each |$x| {{ break() }}"),
        18 => format!("Type('{name}')"),
        _ => format!("Init[{name}].new({value})"),
    }
}

fn command(choices: &mut Choices<'_>, names: &[&str]) -> String {
    let (name, type_) = (choices.of(names), type_(choices, names, 2));
    match choices.below(16) {
        0 => format!(":hierarchy {name}"),
        1 => ":hierarchy".to_owned(),
        2 => format!(":common {name}, {type_}"),
        3 => format!(":meet {name}, {type_}"),
        4 | 5 => format!(":diff {name}, {type_}"),
        6 => format!(":sub {name}, {type_}"),
        7 => format!(":why {}", expression(choices, names)),
        8 => format!(":examples {name}"),
        9 => format!(":expand {type_}"),
        10 => format!(":simplify {type_}"),
        11 => format!(":match {}", value(choices, names)),
        12 => format!(":type {}", value(choices, names)),
        13 => format!(":doc {name}"),
        14 => format!(":infer {}", value(choices, names)),
        _ => ":types".to_owned(),
    }
}
