//! What is offered at a cursor.

use pcore::assist::{CandidateKind, SymbolIndex, complete, expectation_at_cursor, signature_help};
use pcore::session::{Console, Reply, Session};

/// The place, and the candidates in the order of the list.
fn completed(before: &str) -> (usize, Vec<String>) {
    between(before, "")
}

fn between(before: &str, after: &str) -> (usize, Vec<String>) {
    let mut session = Session::default();
    session.eval("type Net::Port = Integer").expect("a definition");
    session.eval("type Net::Host = String").expect("a definition");
    session.eval("type Net::Ip::V4 = String").expect("a definition");
    session.eval("$portal = 80").expect("a definition");
    session.eval("function portly() { 1 }").expect("a definition");
    session
        .eval("type Web::Rule = Struct[{port => Integer, how => Optional[Enum['tcp', 'udp']]}]")
        .expect("a definition");
    session.eval("type Web::Service = Struct[{name => String, Optional[mode] => Enum['on', 'off'], ports => Array[Web::Rule]}]").expect("a definition");
    session.eval("type Point = Object[{attributes => {x => Integer, y => Integer}}]").expect("a definition");
    session.eval("$record = {'name' => 'web', 'inner' => {'deep' => [1]}}").expect("a definition");
    session.eval("$point = Point(1, 2)").expect("a definition");
    session.eval("$site = URI('http://example.com')").expect("a definition");
    session.eval("function serve(Web::Service $service, Enum['fast', 'slow'] $how) { 1 }").expect("a definition");
    session.eval("class web($ports, $proto) { }").expect("a definition");
    session.eval("$text = 'a'").expect("a definition");
    let completion = complete(&format!("{before}{after}"), before.len(), &SymbolIndex::of(&session));
    (completion.range.start, completion.candidates.into_iter().map(|candidate| candidate.text).collect())
}

fn is(before: &str, start: usize, found: &[&str]) {
    assert_eq!(completed(before), (start, found.iter().map(|name| (*name).to_owned()).collect()), "after {before:?}");
}

#[test]
fn types_follow_operators_and_upper_case_letters() {
    is("$x =~ Str", 6, &["String", "Struct"]);
    is("$x =~ boo", 6, &["Boolean"]);
    is("Array[Float, Unde", 13, &["Undef"]);
    for place in ["1 =~ ", "1 !~", "Integer < ", "Integer >= ", "Array[", "Hash[String, ", "f("] {
        assert!(completed(place).1.iter().any(|name| name == "Integer"), "after {place:?}");
    }
}

#[test]
fn only_what_fits_is_offered() {
    is("Integer[", 8, &["default"]);
    is("Integer[1, ", 11, &["default"]);
    is("$portal[", 8, &[]);
    is("sprintf(", 8, &["$text"]);
    is("@(", 2, &[]);
    is("include we", 8, &["web"]);
    is("class { 'we", 9, &["web"]);
    is("class { 'web': ", 15, &["ports", "proto"]);
    is("class { 'web': ports => 1, pr", 27, &["proto"]);
    is("file { '/a': ow", 13, &["owner"]);
    is("::file { '/a': owner => 'root', mo", 32, &["mode"]);
    is("type(5, 'g", 9, &["generalized'"]);
    is(":unset po", 7, &["Point", "portly"]);
    is(":edit Poin", 6, &["Point"]);
}

#[test]
fn aliases_come_segment_by_segment() {
    is("1 =~ Ne", 5, &["Net::"]);
    is("1 =~ Net::", 5, &["Net::Host", "Net::Ip::", "Net::Port"]);
    is("1 =~ Net::Ip::", 5, &["Net::Ip::V4"]);
    is("1 =~ ::Net::P", 5, &["::Net::Port"]);
}

#[test]
fn lower_case_words_are_functions_and_keywords() {
    is("port", 0, &["portly"]);
    is("un", 0, &["undef", "unique", "unless", "unwrap"]);
    is("[1].redu", 4, &["reduce"]);
}

#[test]
fn a_dollar_sign_asks_for_variables() {
    is("$por", 1, &["portal"]);
    is("\"at $por", 5, &["portal"]);
    is("\"at ${por", 6, &["portal", "portly"]);
    is("[1].each |$pork| { $por", 20, &["pork", "portal"]);
}

#[test]
fn a_colon_asks_for_commands_and_a_blank_for_their_arguments() {
    is(":fun", 1, &["functions"]);
    is(":set ke", 5, &["keys"]);
    is(":set color al", 11, &["always"]);
    is(":set colour al", 12, &[]);
    is("  :qu", 3, &["quit"]);
    is(":doc Boo", 5, &["Boolean"]);
    is("?redu", 1, &["reduce"]);
    is(":help qui", 6, &["quit"]);
    is(":type $por", 7, &["portal"]);
    is(":unset $por", 8, &["portal"]);
    is(":vars x", 7, &[]);
    is(":xyzzy x", 8, &[]);
}

#[test]
fn nothing_is_offered_in_text_and_where_nothing_can_stand() {
    is("'Inte", 1, &[]);
    is("# Inte", 6, &[]);
    is("1 ", 2, &[]);
    is("", 0, &[]);
}

#[test]
fn keys_of_a_known_hash_are_offered_where_it_is_asked() {
    is("$record['", 9, &["inner'", "name'"]);
    is("$record[", 8, &["'inner'", "'name'"]);
    is("$record[\"na", 9, &["name\""]);
    is("$record['inner']['", 18, &["deep'"]);
    is("$record =~ Struct[{'", 20, &["inner'", "name'"]);
    is("\"${record['na", 11, &["name'"]);
}

#[test]
fn the_type_of_an_argument_says_what_can_be_written() {
    is("serve({'", 8, &["mode'", "name'", "ports'"]);
    is("serve({mode => 'on', 'na", 22, &["name'"]);
    is("serve({mode => '", 16, &["off'", "on'"]);
    is("serve({ports => [{how => '", 26, &["tcp'", "udp'"]);
    is("serve({ports => [{how => 'tcp'}, {'", 35, &["how'", "port'"]);
    is("serve($x, '", 11, &["fast'", "slow'"]);
    is("$x.serve('", 10, &["fast'", "slow'"]);
    is("Point({", 7, &["'x'", "'y'"]);
    is("Point.new({'", 12, &["x'", "y'"]);
    is("new(Point, {'", 13, &["x'", "y'"]);
    is("Web::Service({'", 15, &["mode'", "name'", "ports'"]);
    is("assert_type(Enum['a', 'b'], '", 29, &["a'", "b'"]);
}

#[test]
fn the_type_behind_the_cursor_says_what_can_be_written() {
    assert_eq!(between("{'na", "' => 'x'} =~ Web::Service"), (2, vec!["name".to_owned()]));
    assert_eq!(between("{mode => '", "'} =~ Web::Service"), (10, vec!["off".to_owned(), "on".to_owned()]));
    assert_eq!(between("'", " =~ Enum['a', 'b']"), (1, vec!["a'".to_owned(), "b'".to_owned()]));
}

#[test]
fn behind_a_dot_stands_what_fits_the_value() {
    is("$point.x", 7, &["x"]);
    assert_eq!(completed("$point.").1[..2], ["x", "y"]);
    is("$site.sch", 6, &["scheme"]);
    is("$record.key", 8, &["keys"]);
    is("$record['inner'].key", 17, &["keys"]);
    is("5.key", 2, &[]);
}

#[test]
fn whatever_is_typed_can_be_completed() {
    let odd = [
        "{ => {'a' => , => [ => ",
        "=> => ) ] } . .( [ $ ${ \"${ \"$ \"${a[ @( | || :: ::A:: a:: A::b",
        "[.a, (.new(, .new(, A.new({=>}, Struct[{,=>,}] =~ {",
        "$x[ =~ [ =~ Struct[{ =~ Enum[' !~ ",
        ":type {=>\n:set \n:load /\n?A[.\n: : :why .",
        "é.ö(«'日本' =~ 日[\u{a0}, \u{a0}\u{301}",
    ];
    let symbols = SymbolIndex::of(&Session::default());
    for text in odd {
        for (end, _) in text.char_indices() {
            let completion = complete(text, end, &symbols);
            assert!(text.is_char_boundary(completion.range.start), "after {:?}", &text[..end]);
            signature_help(text, end, &symbols);
            expectation_at_cursor(text, end, &symbols);
        }
    }
}

#[test]
fn whatever_completion_offers_has_a_meaning() {
    let mut session = Console::default();
    session.enter("type Net::Port = Integer[1]\n$port = 80\nfunction f($x) { $x }\nclass web($a) { }", &mut |_| {});
    let symbols = SymbolIndex::of(&session);
    let letters = ('a'..='z').chain('A'..='Z').map(String::from);
    for typed in letters.chain(["$".to_owned(), "Net::".to_owned(), String::new()]) {
        for command in ["?", ":doc ", ":help "] {
            let text = format!("{command}{typed}");
            for candidate in complete(&text, text.len(), &symbols).candidates {
                let sigil = if candidate.kind == CandidateKind::Variable { "$" } else { "" };
                if candidate.kind != CandidateKind::Module {
                    let reply = session.enter(&format!("{command}{sigil}{}", candidate.text), &mut |_| {});
                    assert!(matches!(reply, Reply::Text(_)), "{command}{sigil}{}: {reply:?}", candidate.text);
                }
            }
        }
    }
}
