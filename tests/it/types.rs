//! The type system from outside: programs about types and their answers.
//!
//! The recorded answers of Puppet (`conformance`) cover what Puppet answers; here is what it breaks down on, what is
//! ours to decide, and what must end however large it is.

use std::fmt::Write as _;

use pcore::format;
use pcore::session::{Session, Strictness};
use pcore::text::Source;
use pcore::types::{AttributeKind, IntegerType, Size, Type};

/// The `%p` text of the last value, or the issue code and the message.
fn answer(code: &str) -> String {
    let mut session = Session::new(Strictness::Error);
    match session.evaluate(&Source::new("test", code), &mut |_| {}) {
        Ok(value) => format::program_text(&value),
        Err(error) => format!("{}: {}", error.code(), error.message()),
    }
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (code, expected) in table {
        assert_eq!(answer(code), *expected, "{code}");
    }
}

#[test]
fn an_alias_that_means_nothing_but_itself_is_an_error_that_names_the_cycle() {
    check(&[
        ("type A = A\n1 =~ A", "RUNTIME_ERROR: the type alias refers only to itself: A = A"),
        ("type A = B\ntype B = A\n1 =~ A", "RUNTIME_ERROR: the type alias refers only to itself: A = B = A"),
        ("type A = Variant[A, A]\n1 =~ A", "RUNTIME_ERROR: the type alias refers only to itself: A = A"),
        ("type A = NotUndef[A]\n1 =~ A", "RUNTIME_ERROR: the type alias refers only to itself: A = A"),
        ("type A = Object[{parent => A}]\nA", "RUNTIME_ERROR: the Object type A inherits from itself"),
    ]);
}

#[test]
fn an_alias_that_comes_back_to_itself_beside_other_types_is_those_types() {
    check(&[
        ("type A = Variant[Integer, A]\n[1 =~ A, 'x' =~ A, A]", "[true, false, A = Integer]"),
        ("type A = Optional[A]\n[undef =~ A, 1 =~ A]", "[true, false]"),
        (
            "type A = Variant[B, Integer]\ntype B = Variant[A, String]\n[1 =~ A, 'x' =~ A, [] =~ A, A == B, Float <= A]",
            "[true, true, false, true, false]",
        ),
    ]);
}

/// A set `name` that says `rest` as well.
fn set(name: &str, rest: &str) -> String {
    format!("type {name} = TypeSet[{{pcore_version => '1.0.0', version => '1.0.0', {rest}}}]\n")
}

#[test]
fn a_type_is_reached_through_any_number_of_references_of_sets() {
    let refers =
        |alias: &str, name: &str| format!("references => {{{alias} => {{name => '{name}', version_range => '1.x'}}}}");
    let far = set("Far", "types => {A => Integer}");
    let middle = set("Middle", &format!("{}, types => {{B => String}}", refers("R1", "Far")));
    let near = |types: &str| set("Near", &format!("{}, types => {{{types}}}", refers("R2", "Middle")));
    let types = near("A => R2::R1::A, B => Array[R2::B], Set => R2::R1, O => {attributes => {a => R2::R1::A}}");
    let uses = "[1 =~ Near::A, '' =~ Near::A, [''] =~ Near::B, Near::Set == Far, Near::O(1)]";
    let expected = "[true, false, true, true, Near::O({'a' => 1})]";
    assert_eq!(answer(&format!("{far}{middle}{types}{uses}")), expected);
    assert_eq!(answer(&format!("{types}{middle}{far}{uses}")), expected);
    let (direct, outside) = (near("A => Middle::R1::A"), "type A = Middle::R1::A\n");
    assert_eq!(answer(&format!("{far}{middle}{direct}{outside}[1 =~ Near::A, 1 =~ A]")), "[false, false]");
    let deep = near(&format!("A => R2{}::A", "::R1".repeat(100_000)));
    assert_eq!(answer(&format!("{far}{middle}{deep}1 =~ Near::A")), "false");
}

#[test]
fn the_authority_of_a_set_is_a_uri() {
    let refused = "RUNTIME_ERROR: invalid parameter of TypeSet: \
        expected Pattern[/[A-Za-z][A-Za-z0-9+.-]*:/] as name_authority, got ";
    for (authority, expected) in [
        ("'http://example.com/x'", "1"),
        ("'urn:x'", "1"),
        ("'/x'", &format!("{refused}String '/x'")),
        ("':x'", &format!("{refused}String ':x'")),
        ("'1:x'", &format!("{refused}String '1:x'")),
        ("''", &format!("{refused}String ''")),
        ("1", &format!("{refused}Integer 1")),
        ("undef", &format!("{refused}undef")),
    ] {
        let code = set("S", &format!("name_authority => {authority}, types => {{A => Integer}}"));
        assert_eq!(answer(&format!("{code}$s = S\n1")), expected, "{authority}");
    }
    let referring = |authority: &str| {
        let reference = format!("{{name => 'Other', version_range => '1.x', name_authority => '{authority}'}}");
        let code = set("Other", "types => {A => Integer}") + &set("S", &format!("references => {{R => {reference}}}"));
        answer(&format!("{code}$s = S\n1"))
    };
    assert_eq!(referring("http://puppet.com/2016.1/runtime"), "1");
    assert_eq!(
        referring("http://example.com/x"),
        "RUNTIME_ERROR: invalid parameter of TypeSet: the reference Other names an unknown set"
    );
    assert_eq!(referring("x"), format!("{refused}String 'x'"));
}

#[test]
fn a_type_in_a_set_has_one_parent() {
    let with = |attribute: &str| set("S", &format!("types => {{P => {{attributes => {{}}}}, A => P {{{attribute}}}}}"));
    let twice = "DUPLICATE_KEY: the type before the braces is the parent already";
    assert_eq!(answer(&(with("parent => P") + "S::A")), twice);
    assert_eq!(answer(&(with("parent => P") + "1")), "1");
    assert_eq!(answer(&(with("attributes => {a => Integer}") + "S::A(1)")), "S::A({'a' => 1})");
}

#[test]
fn recursive_aliases_are_compared_without_end_of_the_stack() {
    check(&[
        ("type X = Array[X]\ntype Y = Array[Y]\n[X <= Y, Y <= X, X == Y]", "[true, true, true]"),
        ("type X = Variant[Integer, Array[X]]\ntype Y = Variant[Numeric, Array[Y]]\n[X <= Y, Y <= X]", "[true, false]"),
        (
            "type A = Struct[{next => Optional[B]}]\ntype B = Struct[{next => Optional[A]}]\n[A == B, {next => {next => 1}} =~ A]",
            "[true, false]",
        ),
        (
            "type Json = Variant[ScalarData, Undef, Array[Json], Hash[String, Json]]\n[Json == Data, Data <= Json, RichData <= Json]",
            "[true, true, false]",
        ),
    ]);
}

#[test]
fn an_alias_prints_with_its_meaning_alone_and_by_its_name_inside() {
    check(&[
        (
            "type Port = Integer[1, 5]\n[Port, Array[Port], Struct[{a => Port}]]",
            "[Port = Integer[1, 5], Array[Port], Struct[{'a' => Port}]]",
        ),
        ("type X = Struct[{next => Optional[X]}]\nX", "X = Struct[{'next' => Optional[X]}]"),
        ("type X = Struct[{next => X}]\nX", "X = Struct[{'next' => X}]"),
    ]);
}

#[test]
fn an_object_type_knows_its_parents_its_constants_and_its_type_parameters() {
    let preamble = "type Base = Object[{attributes => {x => Integer}, constants => {k => 5}}]
        type Sub = Object[{parent => Base, attributes => {y => {type => Integer, value => 0}}}]
        type Kind = Object[{attributes => {n => Integer}, type_parameters => {n => Integer}}]\n";
    let table = [
        ("[Sub(1), Sub(1, 2), Sub({x => 1})]", "[Sub({'x' => 1}), Sub({'x' => 1, 'y' => 2}), Sub({'x' => 1})]"),
        ("[Sub <= Base, Base <= Sub, Sub(1) =~ Base, Base(1) =~ Sub]", "[true, false, true, false]"),
        ("Sub(1).k", "5"),
        (
            "[Kind[5], Kind(5) =~ Kind[5], Kind(6) =~ Kind[5], Kind[5] <= Kind, Kind <= Kind[5]]",
            "[Kind[5], true, false, true, false]",
        ),
        ("Sub('a')", "RUNTIME_ERROR: cannot create an instance of Sub: expected Integer as x, got String 'a'"),
        ("Sub()", "RUNTIME_ERROR: cannot create an instance of Sub: expected 1 to 2 values (x, y), got 0"),
        (
            "Object[{parent => Base, attributes => {x => String}}]",
            "RUNTIME_ERROR: invalid parameter of Object: x is inherited; say override => true to replace it",
        ),
        (
            "Object[{sttributes => {}}]",
            "RUNTIME_ERROR: invalid parameter of Object: unknown key 'sttributes' in the definition of an Object type",
        ),
    ];
    for (code, expected) in table {
        assert_eq!(answer(&format!("{preamble}{code}")), expected, "{code}");
    }
}

#[test]
fn errors_of_parameters_say_what_was_expected_and_what_came() {
    check(&[
        ("Integer[10, 1]", "RUNTIME_ERROR: the range is descending: 10 is greater than 1"),
        (
            "Integer['a']",
            "BAD_INTEGER_SLICE_TYPE: expected an Integer or default as a bound of Integer, got String 'a'",
        ),
        ("Enum[1]", "BAD_TYPE_SPECIALIZATION: expected a String as a parameter of Enum, got Integer 1"),
        (
            "Array[Integer, 'x']",
            "BAD_COLLECTION_SLICE_TYPE: expected a size (one or two Integers or defaults, or an Integer range), got String 'x'",
        ),
        ("Any[1]", "OPERATOR_NOT_APPLICABLE: Any accepts no parameters"),
        ("Boolean[true, false]", "BAD_TYPE_SLICE_ARITY: Boolean accepts 1 parameter, got 2"),
        (
            "Class['not a name']",
            "ILLEGAL_NAME: expected the name of a class (segments of letters, digits and underscores, joined by ::), got String 'not a name'",
        ),
    ]);
}

/// `type T0 = Variant[Integer, String]` and `levels` aliases on top, each mentioning the one below several times.
fn tower(letter: char, levels: usize, bottom: &str) -> String {
    let mut text = format!("type {letter}0 = {bottom}\n");
    for level in 1..=levels {
        let below = format!("{letter}{}", level - 1);
        writeln!(
            text,
            "type {letter}{level} = Variant[Tuple[{below}, {below}], Array[{below}], Hash[String, {below}]]"
        )
        .unwrap();
    }
    text
}

#[test]
fn a_tower_of_aliases_is_asked_each_question_once() {
    let towers = tower('X', 40, "Variant[Integer, String]") + &tower('Y', 40, "Variant[Integer[0, 5], String]");
    let values = "$good = Integer[1, 40].reduce(1) |$m, $i| { [$m, $m] }
        $bad = Integer[1, 40].reduce(2.5) |$m, $i| { [$m, $m] }\n";
    let questions = "[X40 >= Y40, Y40 >= X40, $good =~ X40, $bad =~ X40]";
    assert_eq!(answer(&format!("{towers}{values}{questions}")), "[true, false, true, false]");
}

#[test]
fn shared_types_and_values_are_looked_at_once_without_aliases_too() {
    let code = "$t = Integer[1, 40].reduce(Integer) |$m, $i| { Tuple[$m, $m] }
        $u = Integer[1, 40].reduce(Numeric) |$m, $i| { Tuple[$m, $m] }
        $v = Integer[1, 40].reduce(1) |$m, $i| { [$m, $m] }
        [$u >= $t, $t >= $u, $v =~ $t, [$v] =~ Array[$u], type($v, 'reduced') <= Array, type($t, 'generalized') <= Type]";
    assert_eq!(answer(code), "[true, false, true, true, true, true]");
}

#[test]
fn data_ten_thousand_levels_deep_has_types() {
    let code = "type Deep = Variant[Integer, Array[Deep]]
        $d = Integer[1, 10000].reduce(1) |$m, $i| { [$m] }
        $t = type($d)
        [$d =~ Deep, $d =~ $t, type($d, 'reduced') <= Deep, String($t).length]";
    assert_eq!(answer(code), "[true, true, true, 70013]");
}

#[test]
fn unions_stay_small() {
    let code = "$mixed = Integer[1, 5000].map |$i| { if $i % 2 == 0 { $i } else { \"s${i}\" } }
        $numbers = Integer[1, 5000].map |$i| { [$i] }
        [type($mixed, 'reduced'), type($numbers, 'reduced')]";
    assert_eq!(answer(code), "[Array[ScalarData, 5000, 5000], Array[Array[Integer[1, 5000]], 5000, 5000]]");
}

#[test]
fn the_text_of_a_type_that_has_no_end_is_refused_by_its_length() {
    let code = "$t = Integer[1, 60].reduce(Integer) |$m, $i| { Tuple[$m, $m] }\n\"${t}\"";
    assert_eq!(answer(code), "LIMIT: a string grew beyond 64 MiB");
}

#[test]
fn the_parts_of_a_type_can_be_read() {
    let type_ = |text: &str| text.parse::<Type>().unwrap();
    let Type::Tuple(tuple) = type_("Tuple[String, Integer]") else { panic!("a Tuple") };
    assert_eq!((tuple.types()[1].to_string().as_str(), tuple.size().from()), ("Integer", 2));
    let Type::Enum(listed) = type_("Enum['on', 'off', true]") else { panic!("an Enum") };
    assert_eq!((&*listed.values()[0], listed.ignores_case()), ("off", true));
    let Type::Callable(callable) = type_("Callable[[Integer, String], Boolean]") else { panic!("a Callable") };
    assert_eq!(callable.parameters().unwrap().types().len(), 2);
    assert_eq!(callable.return_type().unwrap().to_string(), "Boolean");
    let Type::Variant(variant) = type_("Variant[Integer, String]") else { panic!("a Variant") };
    assert_eq!(variant.types()[1].to_string(), "String");
    let Type::String(name) = type_("String[1, 20]") else { panic!("a String") };
    assert_eq!(name.size(), Size::new(1, 20).unwrap());
    assert!(Size::new(3, 1).is_err());
    assert_eq!(Type::from(IntegerType::at_least(1)).to_string(), "Integer[1]");
    let Type::Object(point) = type_("Object[{attributes => {x => {type => Integer, value => 0}}}]") else { panic!() };
    let x = point.attribute("x").unwrap();
    assert_eq!((x.kind, &x.value), (AttributeKind::Normal, &Some(0.into())));
}
