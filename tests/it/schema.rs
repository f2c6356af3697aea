//! JSON Schema of types, and types of data: both over generated types and values.

#![allow(clippy::print_stdout, reason = "a test that samples prints how often it held")]

use pcore::check::{Checked, PieceKind, check_pieces, schema};
use pcore::explain::shape::type_text;
use pcore::session::{Session, Strictness};
use pcore::text::Source;
use pcore::types::Type;
use pcore::value::{Hash, Value};
use serde_json::{Value as Json, json};

/// A generator of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn number(&mut self, end: i64) -> i64 {
        self.below(end.unsigned_abs()).cast_signed()
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// The type with that text.
fn type_of(session: &mut Session, text: &str) -> Type {
    session.evaluate_type(&Source::new("type", text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const PATTERNS: [&str; 5] = [r"/\A[a-z]+\z/", r"/\A\h{2}\z/", r"/a|b/", r"/\d/", r"/\Aw[^.]\z/"];

/// The text of a type of data.
fn data_type(random: &mut Random, depth: u64) -> String {
    let most = if depth == 0 { 9 } else { 17 };
    let next = |random: &mut Random| data_type(random, depth - 1);
    match random.below(most) {
        0 => format!("Integer[{}, {}]", random.number(5), 5 + random.number(5)),
        1 => "Integer".to_owned(),
        2 => format!("String[{}, {}]", random.number(2), 2 + random.number(3)),
        3 => "Enum['a', 'b1', 'w-']".to_owned(),
        4 => format!("Pattern[{}]", random.pick(&PATTERNS)),
        5 => "Boolean".to_owned(),
        6 => (*random.pick(&["Float", "Float[0.0, 2.0]", "Numeric"])).to_owned(),
        7 => (*random.pick(&["Undef", "ScalarData", "Data", "NotUndef", "Port"])).to_owned(),
        8 => "String[1]".to_owned(),
        9 => format!("Optional[{}]", next(random)),
        10 => format!("Variant[{}, {}]", next(random), next(random)),
        11 => format!("Array[{}, 0, 3]", next(random)),
        12 => format!("Tuple[{}, {}]", next(random), next(random)),
        13 => format!("Hash[String[1], {}]", next(random)),
        14 => format!("Hash[Pattern[/\\A[a-z]\\z/], {}, 1, 2]", next(random)),
        _ => format!(
            "Struct[{{a => {}, Optional[b] => {}, 'c' => Optional[{}]}}]",
            next(random),
            next(random),
            next(random)
        ),
    }
}

/// Some value; `like` is one that may be changed a little.
fn value(random: &mut Random, depth: u64) -> Value {
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0 => Value::Undef,
        1 => Value::Boolean(random.below(2) == 0),
        2 => Value::Integer(random.number(12) - 1),
        3 => Value::Float(0.5 + random.number(3) as f64),
        4..=6 => Value::from(*random.pick(&["", "a", "b1", "w-", "ab", "0f", "long one", "7"])),
        7 => {
            let count = random.below(4);
            Value::from((0..count).map(|_| value(random, depth - 1)).collect::<Vec<Value>>())
        }
        _ => {
            let keys = ["a", "b", "c", "d"];
            let count = random.below(4);
            let entries = (0..count).map(|_| (Value::from(*random.pick(&keys)), value(random, depth - 1)));
            Value::Hash(entries.collect::<Vec<_>>().into_iter().collect::<Hash>())
        }
    }
}

/// A value that is likely to be of the type of that text: made along its outer form.
fn value_of(random: &mut Random, type_: &Type) -> Value {
    for _ in 0..30 {
        let candidate = match type_ {
            Type::Struct(_) => {
                let mut hash = Hash::default();
                for key in ["a", "b", "c"] {
                    if random.below(3) > 0 {
                        hash.insert(key.into(), value(random, 2));
                    }
                }
                Value::Hash(hash)
            }
            _ => value(random, 3),
        };
        if type_.has_instance(&candidate) {
            return candidate;
        }
    }
    value(random, 3)
}

/// A string without quotes.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        other => other.to_string(),
    }
}

fn as_json(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(value) => json!(value),
        Value::Integer(value) => json!(value),
        Value::Float(value) => json!(value),
        Value::Array(elements) => elements.iter().map(as_json).collect(),
        Value::Hash(entries) => {
            Json::Object(entries.iter().map(|(key, value)| (text_of(key), as_json(value))).collect())
        }
        other => json!(text_of(other)),
    }
}

/// Whether a schema says that it accepts more than the type, apart from whole numbers with a decimal point, which are not
/// generated.
fn declares_loss(schema: &Json) -> bool {
    match schema {
        Json::Object(fields) => fields.iter().any(|(key, value)| match key.as_str() {
            "$comment" => value != "1.0 counts as an integer",
            _ => declares_loss(value),
        }),
        Json::Array(elements) => elements.iter().any(declares_loss),
        _ => false,
    }
}

#[test]
fn a_schema_and_its_type_agree() {
    let mut session = Session::new(Strictness::Error);
    session.eval("type Port = Integer[1, 9]").unwrap();
    let mut random = Random(17);
    let (mut accepted, mut compared, mut lossy) = (0, 0, 0);
    for _ in 0..300 {
        let text = data_type(&mut random, 3);
        let type_ = type_of(&mut session, &text);
        let schema = schema(&type_);
        let validator = jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{text}: {error}"));
        let has_loss = declares_loss(&schema);
        lossy += usize::from(has_loss);
        for _ in 0..40 {
            let value = value_of(&mut random, &type_);
            let (by_type, by_schema) = (type_.has_instance(&value), validator.is_valid(&as_json(&value)));
            compared += 1;
            accepted += usize::from(by_type);
            assert!(
                by_type == by_schema || (has_loss && by_schema),
                "{text}: the type says {by_type}, the schema {by_schema} of {value:?}: {schema:#}"
            );
        }
    }
    println!("{compared} values compared, {accepted} of the type, {lossy} schemas with a declared loss");
    assert!(accepted * 5 > compared, "{accepted} of {compared} values are of their types");
}

/// A type whose values are walked while JSON is parsed, and a text that only a careful reader takes for what it is.
const WALKED: [(&str, &str, bool); 15] = [
    ("Integer", "-0", true),
    ("Float", "-0.0", true),
    ("Integer", "9223372036854775808", false),
    ("Any", "1e400", false),
    ("Float[0.3, 0.3]", "0.30000000000000000001", true),
    ("Float[1.7976931348623157e308]", "1.7976931348623157e308", true),
    ("Enum['é']", r#""\u00e9""#, true),
    ("Struct[{a => Integer}]", r#"{"\u0061": 1}"#, true),
    ("Struct[{a => Integer, b => Undef}]", r#"{"a": 1}"#, true),
    ("Hash[Enum['a'], Integer, 2]", r#"{"a": 1, "a": 2}"#, false),
    ("Variant[Array[Integer], Array[String]]", r#"[1, "a"]"#, false),
    ("Variant[Array[Integer], Hash[String, String]]", r#"{"a": "b"}"#, true),
    ("Tree", r#"{"a": [1, {"b": [[]]}]}"#, true),
    ("Tree", r#"{"a": [1, {"b": [[null]]}]}"#, false),
    ("NotUndef[Array[1, 1]]", "[[null]]", true),
];

fn fits(type_: &Type, text: &str) -> bool {
    let mut outcome = Vec::new();
    let mut each = |_, checked: Checked| {
        outcome.push(checked.has_no_errors());
        Ok(())
    };
    check_pieces(&mut text.as_bytes(), "data", PieceKind::Lines, type_, 1, &mut each).unwrap();
    assert_eq!(outcome.len(), 1, "{text}");
    outcome[0]
}

#[test]
fn a_value_that_is_checked_while_it_is_parsed_is_judged_as_one_that_was_built() {
    let mut session = Session::new(Strictness::Error);
    session.eval("type Port = Integer[1, 9]").unwrap();
    session.eval("type Tree = Variant[Integer, Array[Tree], Hash[String[1], Tree]]").unwrap();
    for (text, json, expected) in WALKED {
        assert_eq!(fits(&type_of(&mut session, text), json), expected, "{json} =~ {text}");
    }
    let mut random = Random(5);
    for _ in 0..300 {
        let text = data_type(&mut random, 3);
        let type_ = type_of(&mut session, &text);
        for _ in 0..40 {
            let value = value_of(&mut random, &type_);
            let json = as_json(&value).to_string();
            assert_eq!(fits(&type_, &json), type_.has_instance(&value), "{json} =~ {text}");
        }
    }
}

/// A type, and the same with general numbers and strings.
fn sample_type(random: &mut Random, depth: u64) -> (String, String) {
    let same = |text: &str| (text.to_owned(), text.to_owned());
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0 => (format!("Integer[0, {}]", 5 + random.number(90)), "Integer".to_owned()),
        1 => same("Boolean"),
        2 => ("Enum['on', 'off', 'auto']".to_owned(), "String[1]".to_owned()),
        3 => ("String[1, 9]".to_owned(), "String[1]".to_owned()),
        4 => same("Float"),
        5 => ("Variant[Integer[1, 9], String[1, 9]]".to_owned(), "Variant[Integer, String[1]]".to_owned()),
        6 => {
            let (type_, wide) = sample_type(random, depth - 1);
            (format!("Array[{type_}, 1, 4]"), format!("Array[{wide}]"))
        }
        7 => {
            let (type_, wide) = sample_type(random, depth - 1);
            (format!("Hash[String[1], {type_}, 1, 4]"), format!("Hash[String[1], {wide}]"))
        }
        _ => {
            let members: Vec<(String, String)> = (0..3).map(|_| sample_type(random, depth - 1)).collect();
            let of = |part: fn(&(String, String)) -> &String| {
                let [a, b, c] = [0, 1, 2].map(|at| part(&members[at]).clone());
                format!("Struct[{{name => {a}, Optional[port] => {b}, options => Optional[{c}]}}]")
            };
            (of(|pair| &pair.0), of(|pair| &pair.1))
        }
    }
}

/// A value of a type that [`sample_type`] makes.
fn sample(random: &mut Random, type_: &Type) -> Value {
    match type_ {
        Type::Integer(range) => Value::Integer(range.from() + random.number(range.to() - range.from() + 1)),
        Type::Boolean(_) => Value::Boolean(random.below(2) == 0),
        Type::Enum(values) => Value::from(&**random.pick(values.values())),
        Type::String(_) => Value::from(format!("text {}", random.below(1000))),
        Type::Float(_) => Value::Float(0.5 + random.number(50) as f64),
        Type::Optional(optional) if random.below(3) > 0 => sample(random, optional.type_().unwrap()),
        Type::Variant(_) if random.below(2) == 0 => Value::Integer(1 + random.number(9)),
        Type::Variant(_) => Value::from(format!("v{}", random.below(100))),
        Type::Array(array) => {
            let count = 1 + random.below(4);
            Value::from((0..count).map(|_| sample(random, array.element())).collect::<Vec<Value>>())
        }
        Type::Hash(hash) => {
            let count = 1 + random.below(4);
            let entries =
                (0..count).map(|_| (Value::from(format!("key{}", random.below(50))), sample(random, hash.value())));
            Value::Hash(entries.collect::<Vec<_>>().into_iter().collect::<Hash>())
        }
        Type::Struct(_) => {
            let members = type_.arguments();
            let Some(Value::Hash(members)) = members.first() else { panic!("a Struct has members") };
            let entries = members.iter().filter_map(|(key, member)| {
                let Value::Type(member) = member else { panic!("a member has a type") };
                let (name, is_optional) = match key {
                    Value::Type(Type::Optional(_)) => ("port".to_owned(), true),
                    other => (text_of(other), false),
                };
                (!is_optional || random.below(2) == 0).then(|| (Value::from(&*name), sample(random, member)))
            });
            Value::Hash(entries.collect::<Vec<_>>().into_iter().collect::<Hash>())
        }
        _ => Value::Undef,
    }
}

#[test]
fn an_inferred_type_accepts_the_samples_and_nothing_that_is_not_meant() {
    let mut session = Session::new(Strictness::Error);
    let mut random = Random(4);
    for _ in 0..100 {
        let (text, wide) = sample_type(&mut random, 3);
        let (type_, wide) = (type_of(&mut session, &text), type_of(&mut session, &wide));
        let samples: Vec<Value> = (0..60).map(|_| sample(&mut random, &type_)).collect();
        for sample in &samples {
            assert!(type_.has_instance(sample), "{text} does not accept its sample {sample:?}");
        }
        let inferred_text = type_text(&samples, &[], None);
        let inferred = type_of(&mut session, &inferred_text);
        assert!(samples.iter().all(|sample| inferred.has_instance(sample)), "{text}: {inferred_text} rejects a sample");
        assert!(wide.accepts(&inferred), "{inferred_text} is wider than {text}");
    }
}

/// Expressions, each as the pattern of a schema; none where ECMA-262 cannot say it.
const TRANSLATED: [(&str, Option<&str>); 26] = [
    (r"\A[a-z]+\z", Some("^[a-z]+$")),
    (r"^[0-7]{4}$", Some(r"(?<![^\n])[0-7]{4}(?![^\n])")),
    (r"\Aa\Z", Some(r"^a(?=\n?$)")),
    (r"(?i:\Ahttps?:\/\/.*\z)", Some(r"^[Hh][Tt][Tt][Pp][Ssſ]?:\/\/[^\n]*$")),
    (r"\A\h{2}\z", Some("^[0-9A-Fa-f]{2}$")),
    (r"\A[\w-]+[^\s]\S\z", Some(r"^[\-0-9A-Z_a-z]+[^\u0009-\u000d ][^\u0009-\u000d ]$")),
    (r"[a-z&&[^aeiou]]", Some("[b-df-hj-np-tv-z]")),
    (r"\A[[:xdigit:]]\z", Some("^[0-9A-Fa-f]$")),
    (r"\A[[:digit:]]\z", Some("^[0-9\\u0080-\u{10ffff}]$")),
    (r"a++b", Some("a+b")),
    (r"(?!a++)b", None),
    (r"(?>a|ab)c", Some("(?:a|ab)c")),
    (r"(?<year>\d+)-(?!0)", Some("([0-9]+)-(?!0)")),
    (r"(?m:.)|.", Some(r"[\s\S]|[^\n]")),
    (r"(a)\1", None),
    (r"\ba", None),
    (r"\Ga", None),
    (r"(?<p>\(\g<p>*\))", None),
    (r"\$\{x\}/[\]\\^-]", Some(r"\$\{x\}\/[\-\\-\^]")),
    (r"a{,3}?(?:b|)", Some("a{0,3}?(?:b|)")),
    (r"(?x) a # comment", Some("a")),
    (r"(?<=a)b(?<!c)", Some("(?<=a)b(?<!c)")),
    (r"(?:^a)*", Some(r"(?:(?<![^\n])a)*")),
    (r"(?!^)a", None),
    (r"\t\x01é", Some("\\u0009\\u0001é")),
    (r"\X", None),
];

#[test]
fn patterns_are_those_of_ecma_or_left_out() {
    let mut session = Session::new(Strictness::Error);
    let parts = ["a", "ab", "0755", "\n", "b", "HTTPS://x", "http:", "f0", "é", "-", " ", "3", "aab", "", "(())", "c"];
    let mut random = Random(3);
    for (ruby, expected) in TRANSLATED {
        let type_ = type_of(&mut session, &format!("Pattern[/{}/]", ruby.replace(r"\/", "/").replace('/', r"\/")));
        let schema = schema(&type_);
        assert_eq!(schema.get("pattern").and_then(Json::as_str), expected, "{ruby}");
        if expected.is_none() || ruby.contains("digit") {
            continue;
        }
        let validator = jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{ruby}: {error}"));
        for _ in 0..500 {
            let text: String = (0..random.below(4)).map(|_| *random.pick(&parts)).collect();
            let (by_type, by_schema) = (type_.has_instance(&Value::from(&*text)), validator.is_valid(&json!(text)));
            let may_differ = ruby.contains("++") || ruby.contains("(?>");
            assert!(by_type == by_schema || may_differ && by_schema, "{ruby}: {text:?} {by_type}");
        }
    }
}

const CLASSES: &str = "\
# A web server.
# @param port Where it listens,
#   on all addresses.
# @param sites The sites.
class web(
  Integer[1, 65535] $port = 80,
  Enum['a', 'b'] $kind,
  String[1] $name_ = 'x',
  Optional[Sensitive[String[8]]] $secret = undef,
  Sensitive[Integer] $pin = Sensitive(1),
  Variant[String, Sensitive[String]] $either = 'changeme',
  Hash[String, Struct[{host => String[1], Optional[tags] => Array[Enum['x', 'y'], 1]}]] $sites = {'a' => {'host' => 'b'}},
  Array[Integer] $numbers = [1, 2],
  Array[String] $list = ['a', $web::x],
  Hash[Integer, String] $codes = {},
  Pattern[/^[0-7]{4}$/] $mode = '0644',
  Integer $converted = 1,
) { $y = lookup('web::read_by_lookup') }
define web::site() { }
";

const OPTIONS: &str = "\
lookup_options:
  web::secret: {convert_to: Sensitive}
  web::sites: {merge: {strategy: deep, knockout_prefix: '--'}}
  web::numbers: {merge: unique}
  web::converted: {convert_to: Integer}
web::kind: a
";

/// A key, its value and whether it is right.
const DATA: [(&str, &str, bool); 58] = [
    ("web::port", "80", true),
    ("web::port", "0", false),
    ("web::port", "'80'", false),
    ("web::port", "~", true),
    ("web::port", "'%{facts.port}'", false),
    ("web::port", "\"%{alias('x')}\"", true),
    ("web::port", "\"a%{alias('x')}\"", false),
    ("web::kind", "a", true),
    ("web::kind", "c", false),
    ("web::kind", "'%{c}'", true),
    ("web::name_", "''", false),
    ("web::name_", "'%{x}'", true),
    ("web::name_", "[a]", false),
    ("web::secret", "long enough", true),
    ("web::secret", "'%{x}'", true),
    ("web::secret", "ENC[PKCS7,x]", true),
    ("web::secret", "~", true),
    ("web::secret", "[1]", false),
    ("web::sites", "{}", true),
    ("web::sites", "{a: {host: b}}", true),
    ("web::sites", "{a: {tags: []}}", true),
    ("web::sites", "{a: {hots: b}}", false),
    ("web::sites", "{a: {'%{x}': b}}", true),
    ("web::sites", "{a: {host: '%{x}', tags: ['%{x}', x]}}", true),
    ("web::sites", "{a: {host: b, tags: [z]}}", false),
    ("web::sites", "{a: {host: b, tags: [--x]}}", true),
    ("web::sites", "{a: --b}", true),
    ("web::sites", "{a: b}", false),
    ("web::sites", "{'%{x}': '%{x}'}", false),
    ("web::sites", "{'%{x}': \"%{alias('x')}\"}", true),
    ("web::numbers", "[1, [2, 3], 4]", true),
    ("web::numbers", "5", true),
    ("web::numbers", "[a]", false),
    ("web::numbers", "a", false),
    ("web::list", "[1]", false),
    ("web::list", "a", false),
    ("web::codes", "{80: a}", true),
    ("web::codes", "{80: 1}", false),
    ("web::mode", "'0644'", true),
    ("web::mode", "\"a\\n0644\"", true),
    ("web::mode", "'0648'", false),
    ("web::mode", "420", false),
    ("web::converted", "'5'", true),
    ("web::prt", "1", false),
    ("web::site::x", "1", false),
    ("web::nosuch::x", "1", false),
    ("web::read_by_lookup", "1", true),
    ("other::key", "1", true),
    ("webs", "1", true),
    ("lookup_options", "{}", true),
    ("lookup_options", "~", false),
    ("lookup_options", "{a: {merge: deep}, '^b': {merge: {strategy: unique}, convert_to: Array}}", true),
    ("lookup_options", "{a: {merge: deeep}}", false),
    ("lookup_options", "{a: {merge: {strategy: deep, knockout: x}}}", false),
    ("lookup_options", "{a: {merge: {strategy: deep, knockout_prefix: '--', sort_merged_arrays: true}}}", true),
    ("lookup_options", "{a: {convert: Sensitive}}", false),
    ("lookup_options", "[]", false),
    ("lookup_options", "{a: deep}", true),
];

#[test]
fn the_schema_of_a_project_and_a_check_agree() {
    use pcore::check::{Checker, Program};
    use pcore::data::{Format, read};

    let yaml = |text: &str| read(Format::Yaml, &Source::new("data.yaml", text)).unwrap();
    let options = yaml(OPTIONS);
    let mut session = Session::new(Strictness::Error);
    let mut checker = Checker::new(&mut session, [&options]);
    checker.add_programs([&Program::new(Source::new("web.pp", CLASSES))]);
    let schema = checker.schema_of_project();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (key, value, is_right) in DATA {
        let document = yaml(&format!("{key}: {value}\n"));
        let checked = checker.check(&document);
        assert_eq!(checked.findings.is_empty(), is_right, "check {key}: {value}: {:?}", checked.findings);
        assert_eq!(validator.is_valid(&as_json(&document.value)), is_right, "schema {key}: {value}: {schema:#}");
    }
    // Without `convert_to` a check says that Puppet rejects it; a schema is about what is in the data.
    assert!(validator.is_valid(&json!({ "web::pin": 1, "web::either": "x" })));
    assert!(!validator.is_valid(&json!({ "web::pin": "x" })));
    let keys = &schema["properties"];
    assert_eq!(keys["web::port"]["description"], "Where it listens, on all addresses.");
    let defaults = ["web::port", "web::sites", "web::numbers", "web::list", "web::secret", "web::either"];
    let defaults = defaults.map(|key| keys[key].get("default").cloned());
    let sites = json!({ "a": { "host": "b" } });
    assert_eq!(defaults, [Some(json!(80)), Some(sites), Some(json!([1, 2])), None, None, None]);
    assert_eq!(checker.schema_of_project(), schema);
}
