//! Constructors, parts and identity of the kinds of values that have a life of their own, without any program.

use pcore::format::program_text;
use pcore::types::Type;
use pcore::value::{SemVer, Uri, Value};

/// `%p` of what the type makes of the arguments, or the issue code.
fn made(type_: &str, arguments: &[Value]) -> String {
    let type_ = Type::named(type_).expect("a type of the table");
    match type_.construct(arguments) {
        Ok(value) => program_text(&value),
        Err(error) => error.code().to_owned(),
    }
}

#[track_caller]
fn assert_made(type_: &str, cases: &[(&[Value], &str)]) {
    for (arguments, expected) in cases {
        assert_eq!(made(type_, arguments), *expected, "{type_}{arguments:?}");
    }
}

fn hash(entries: &[(&str, Value)]) -> Value {
    Value::Hash(entries.iter().map(|(key, value)| (Value::from(*key), value.clone())).collect())
}

#[test]
fn integers_are_made_of_numbers_and_texts() {
    let (of, ten) = (|text: &str| Value::from(text), Value::Integer(10));
    assert_made(
        "Integer",
        &[
            (&[of("017")], "15"),
            (&[of("- 0x10")], "-16"),
            (&[of("0b101"), Value::Integer(16)], "45313"),
            (&[of("017"), ten.clone()], "17"),
            (&[of("-5"), Value::Default, Value::Boolean(true)], "5"),
            (&[hash(&[("from", of("10")), ("radix", Value::Integer(16))])], "16"),
            (&[Value::Float(-1.9)], "-1"),
            (&[Value::Boolean(true)], "1"),
            (&[of("0xFF"), ten], "RUNTIME_ERROR"),
            (&[of("FF"), Value::Integer(16)], "RUNTIME_ERROR"),
            (&[of("1"), Value::Integer(3)], "RUNTIME_ERROR"),
            (&[of(" 7 ")], "RUNTIME_ERROR"),
            (&[of("08")], "RUNTIME_ERROR"),
            (&[of("9223372036854775808")], "RUNTIME_ERROR"),
            (&[Value::Float(1e30)], "RUNTIME_ERROR"),
            (&[Value::Undef], "RUNTIME_ERROR"),
            (&[hash(&[("from", of("1")), ("base", Value::Integer(2))])], "RUNTIME_ERROR"),
        ],
    );
}

#[test]
fn floats_and_numerics_tell_their_texts_apart() {
    let texts = [
        ("1", "1.0", "1"),
        ("0", "0.0", "0"),
        ("017", "17.0", "15"),
        ("0x1F", "31.0", "31"),
        ("0b11", "3.0", "3"),
        ("1e3", "1000.0", "1000.0"),
        ("- 1.5", "-1.5", "-1.5"),
        ("0.5", "0.5", "0.5"),
        ("01.5", "RUNTIME_ERROR", "RUNTIME_ERROR"),
        ("08", "RUNTIME_ERROR", "RUNTIME_ERROR"),
        (".5", "RUNTIME_ERROR", "RUNTIME_ERROR"),
        ("1e+3", "RUNTIME_ERROR", "RUNTIME_ERROR"),
        ("1e400", "RUNTIME_ERROR", "RUNTIME_ERROR"),
        ("1.5 ", "RUNTIME_ERROR", "RUNTIME_ERROR"),
    ];
    for (text, float, numeric) in texts {
        assert_eq!(made("Float", &[Value::from(text)]), float, "Float('{text}')");
        assert_eq!(made("Numeric", &[Value::from(text)]), numeric, "Numeric('{text}')");
    }
}

#[test]
fn the_specification_takes_more_numbers_than_puppet() {
    let made = |type_: &str, arguments: &[Value]| Type::named(type_).unwrap().construct_by_specification(arguments);
    let (of, radix) = (|text: &str| Value::from(text), Value::Integer);
    assert_eq!(made("Integer", &[of("FF"), radix(16)]), Some(Value::Integer(255)));
    assert_eq!(made("Integer", &[of("+-1"), radix(16)]), None);
    assert_eq!(made("Numeric", &[of("010"), radix(10)]), Some(Value::Integer(10)));
    assert_eq!(made("Numeric", &[of("0x10"), radix(10)]), None);
    assert_eq!(made("Float", &[of("010.5")]), Some(Value::Float(10.5)));
    assert_eq!(made("Boolean", &[of("maybe")]), None);
}

#[test]
fn booleans_are_made_of_words_and_numbers() {
    for (text, expected) in [("YES", "true"), ("n", "false"), ("True", "true"), ("t", "RUNTIME_ERROR")] {
        assert_eq!(made("Boolean", &[Value::from(text)]), expected, "{text}");
    }
    assert_made("Boolean", &[(&[Value::Float(0.0)], "false"), (&[Value::Integer(-1)], "true")]);
}

#[test]
fn versions_are_made_of_texts_and_segments() {
    let [one, two, three] = [1, 2, 3].map(Value::Integer);
    let (rc, build) = (Value::from("rc.1"), Value::from("b5"));
    let named =
        hash(&[("major", one.clone()), ("minor", two.clone()), ("patch", three.clone()), ("build", build.clone())]);
    assert_made(
        "SemVer",
        &[
            (&[Value::from("1.2.3-rc1+b5")], "SemVer('1.2.3-rc1+b5')"),
            (&[one.clone(), two.clone(), three.clone()], "SemVer('1.2.3')"),
            (&[one.clone(), two.clone(), three.clone(), rc], "SemVer('1.2.3-rc.1')"),
            (&[one.clone(), two.clone(), three.clone(), Value::Undef, build], "SemVer('1.2.3+b5')"),
            (&[named], "SemVer('1.2.3+b5')"),
            (&[one.clone(), two.clone()], "RUNTIME_ERROR"),
            (&[Value::Integer(-1), two, three], "RUNTIME_ERROR"),
            (&[Value::from("1.2")], "RUNTIME_ERROR"),
            (&[Value::from("01.2.3")], "RUNTIME_ERROR"),
        ],
    );
}

#[test]
fn pre_releases_come_before_releases() {
    let sorted =
        ["0.9.9", "1.0.0-1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0", "1.2.4-rc.1", "10.0.0"];
    let versions = sorted.map(|text| SemVer::parse(text).unwrap());
    assert!(versions.windows(2).all(|pair| pair[0].precedence(&pair[1]).is_lt()));
}

#[test]
fn ranges_are_made_of_ends_and_print_them_in_order() {
    let version = |text: &str| made_value("SemVer", &[Value::from(text)]);
    let (one, two) = (version("1.0.0"), version("2.0.0"));
    assert_made(
        "SemVerRange",
        &[
            (&[one.clone(), two.clone()], "SemVerRange('1.0.0 - 2.0.0')"),
            (&[one.clone(), two.clone(), Value::Boolean(true)], "SemVerRange('>=1.0.0 <2.0.0')"),
            (&[one.clone(), Value::Default], "SemVerRange('>=1.0.0')"),
            (&[Value::Default, two.clone()], "SemVerRange('<=2.0.0')"),
            (&[Value::Default, two, Value::Boolean(true)], "SemVerRange('<2.0.0')"),
            (&[hash(&[("min", one)])], "SemVerRange('>=1.0.0')"),
            (&[Value::from("1.x")], "SemVerRange('1.x')"),
            (&[hash(&[])], "RUNTIME_ERROR"),
            (&[Value::Integer(1)], "RUNTIME_ERROR"),
        ],
    );
}

fn made_value(type_: &str, arguments: &[Value]) -> Value {
    Type::named(type_).unwrap().construct(arguments).unwrap()
}

#[test]
fn version_types_merge_their_ranges() {
    let type_ = |ranges: &[&str]| {
        let ranges: Vec<Value> = ranges.iter().copied().map(Value::from).collect();
        Type::named("SemVer").unwrap().with_arguments(&ranges).unwrap()
    };
    assert_eq!(type_(&["1.x", "2.x"]).to_string(), "SemVer['>=1.0.0 <3.0.0']");
    assert_eq!(type_(&["5.x", "1.x", "2.x"]).to_string(), "SemVer['5.x', '>=1.0.0 <3.0.0']");
    assert_eq!(type_(&["1.x", "5.x"]).to_string(), "SemVer['1.x', '5.x']");
    assert_eq!(type_(&["*", "1"]).to_string(), "SemVer['*']");
    assert!(type_(&["1.x", "3.x"]).accepts(&type_(&["1.2.x", "3.1.x"])));
    assert!(!type_(&["*"]).accepts(&type_(&[])));
    assert!(type_(&["1.x"]).equals(&type_(&["^1"])));
}

#[test]
fn binaries_are_made_of_texts_and_bytes() {
    let (of, bytes) = (
        |text: &str| Value::from(text),
        |bytes: &[i64]| Value::from(bytes.iter().copied().map(Value::Integer).collect::<Vec<_>>()),
    );
    assert_made(
        "Binary",
        &[
            (&[of("YWJj")], "Binary(\"YWJj\")"),
            (&[of("å"), of("%s")], "Binary(\"w6U=\")"),
            (&[of("YWI"), of("%b")], "Binary(\"YWI=\")"),
            (&[of("-_-_"), of("%u")], "Binary(\"+/+/\")"),
            (&[bytes(&[97, 98, 99])], "Binary(\"YWJj\")"),
            (&[hash(&[("value", bytes(&[97, 98]))])], "Binary(\"YWI=\")"),
            (&[of("YWI")], "RUNTIME_ERROR"),
            (&[of("abc"), of("%x")], "RUNTIME_ERROR"),
            (&[bytes(&[256])], "RUNTIME_ERROR"),
            (&[bytes(&[97]), of("%s")], "RUNTIME_ERROR"),
        ],
    );
}

#[test]
fn collections_are_made_of_what_can_be_iterated() {
    let pairs = hash(&[("a", Value::Integer(1))]);
    assert_made(
        "Array",
        &[
            (&[Value::from("é日")], "['é', '日']"),
            (std::slice::from_ref(&pairs), "[['a', 1]]"),
            (&[pairs.clone(), Value::Boolean(true)], "[{'a' => 1}]"),
            (&[Value::Integer(3)], "[0, 1, 2]"),
            (&[Value::Undef, Value::Boolean(true)], "[undef]"),
            (&[Value::Undef], "RUNTIME_ERROR"),
            (&[Value::Integer(-1)], "RUNTIME_ERROR"),
            (&[Value::Integer(i64::MAX)], "LIMIT"),
        ],
    );
    assert_made("Hash", &[(&[pairs], "{'a' => 1}"), (&[Value::from("abcd")], "{'a' => 'b', 'c' => 'd'}")]);
}

#[test]
fn a_value_of_the_type_is_its_own_conversion() {
    let range = made_value("SemVerRange", &[Value::from("1.x")]);
    assert_eq!(made("SemVerRange", &[range]), "SemVerRange('1.x')");
    assert_eq!(made("Any", &[Value::Integer(1)]), "1");
    assert_eq!(made("Scalar", &[Value::Undef]), "RUNTIME_ERROR");
}

#[test]
fn a_sensitive_is_wrapped_once_and_never_shown() {
    let wrapped = made_value("Sensitive", &[Value::from("say friend")]);
    assert_eq!(made("Sensitive", std::slice::from_ref(&wrapped)), "Sensitive [value redacted]");
    assert_eq!(Type::of(&wrapped).to_string(), "Sensitive[String]");
    let refused = Type::named("Integer").unwrap().construct(&[Value::from(vec![wrapped])]).unwrap_err();
    let expected = "cannot convert Array [Sensitive [value redacted]] to Integer: \
        expected a number, a Boolean, a Timespan, a Timestamp or a string with an integer";
    assert_eq!(refused.message(), expected);
}

#[test]
fn a_uri_knows_its_parts() {
    let uri = Uri::parse("http://bob:pwd@www.example.com:23/a/b?x=2#frag").unwrap();
    let part = |name: &str| program_text(&uri.attribute(name).unwrap());
    let parts = pcore::value::uri::PARTS.map(part);
    assert_eq!(parts, ["'http'", "'bob:pwd'", "'www.example.com'", "23", "'/a/b'", "'x=2'", "'frag'", "undef"]);
    assert_eq!(uri.attribute("bogus"), None);
    let opaque = Uri::parse("urn:a:b:c").unwrap();
    assert_eq!(opaque.attribute("opaque"), Some(Value::from("a:b:c")));
    assert_eq!(opaque.attribute("path"), Some(Value::Undef));
}

#[test]
fn references_merge_into_bases() {
    let uri = |text: &str| Uri::parse(text).unwrap();
    for (base, reference, merged) in [
        ("http://example.com/a/b/", "/c/d", "http://example.com/c/d"),
        ("http://example.com/a/b/", "c/d", "http://example.com/a/b/c/d"),
        ("http://example.com/a/b", "c/d", "http://example.com/a/c/d"),
        ("http://bob:pwd@h:23/a?x#f", "//host/path", "http://bob:pwd@host:23/path"),
        ("http://bob:pwd@h:23/a?x#f", "#g", "http://bob:pwd@h:23/a?x#g"),
        ("http://h", "?q=1", "http://h?q=1"),
        ("urn:a:b:c", "#f", "urn:a:b:c#f"),
        ("urn:a:b:c", "/a/b", "urn:a:b:c"),
        ("/a", "http://h", "http://h"),
        ("ftp://h", "c", "ftp://h/%2Fc"),
    ] {
        assert_eq!(uri(base).merged(&uri(reference)).unwrap().to_string(), merged, "{base} + {reference}");
    }
    let both_relative = uri("/a").merged(&uri("b")).unwrap_err();
    assert_eq!(both_relative.message(), "a relative URI can only be added to an absolute one");
}

#[test]
fn a_uri_is_made_of_its_parts() {
    let (of, port) = (|text: &str| Value::from(text), Value::Integer);
    assert_made(
        "URI",
        &[
            (&[hash(&[("scheme", of("http")), ("host", of("h")), ("path", of("/p"))])], "URI('http://h/p')"),
            (&[hash(&[("scheme", of("urn")), ("opaque", of("a:b"))])], "URI('urn:a:b')"),
            (&[hash(&[("host", of("h")), ("port", port(80))])], "URI('//h:80')"),
            (&[hash(&[("scheme", of("http")), ("host", of("h")), ("port", port(80))])], "URI('http://h')"),
            (&[hash(&[])], "URI('')"),
            (&[hash(&[("scheme", of("urn")), ("opaque", of("a")), ("path", of("/c"))])], "RUNTIME_ERROR"),
            (&[hash(&[("scheme", of("http")), ("host", of("h")), ("port", of("80"))])], "RUNTIME_ERROR"),
            (&[hash(&[("bogus", of("x"))])], "RUNTIME_ERROR"),
            (&[of("")], "RUNTIME_ERROR"),
        ],
    );
}

#[test]
fn uris_are_equal_in_any_case_of_the_host_but_not_identical() {
    let uri = |text: &str| Uri::parse(text).unwrap();
    assert!(uri("http://a").names_the_same(&uri("HTTP://A:80/")));
    assert!(!uri("http://a/b").names_the_same(&uri("http://a/B")));
    assert_ne!(uri("http://a"), uri("http://A"));
}

#[test]
fn uri_types_constrain_parts() {
    let type_ = |constraints: Value| Type::named("URI").unwrap().with_arguments(&[constraints]);
    let is = |text: &str, type_: &Type| type_.has_instance(&Value::Uri(Uri::parse(text).unwrap().into()));
    let example = type_(Value::from("http://Example.com:8080/a")).unwrap();
    let parts = "{'scheme' => 'http', 'host' => 'example.com', 'port' => 8080, 'path' => '/a'}";
    assert_eq!(example.to_string(), format!("URI[{parts}]"));
    assert!(is("HTTP://EXAMPLE.COM:8080/A?x", &example));
    assert!(!is("http://example.com/a", &example));
    let absent = type_(hash(&[("query", Value::Undef)])).unwrap();
    assert!(is("http://a", &absent));
    assert!(!is("http://a?x", &absent));
    let code = |constraints: Value| type_(constraints).unwrap_err().code();
    assert_eq!(code(hash(&[("port", Value::from("80"))])), "BAD_TYPE_SLICE_TYPE");
    assert_eq!(code(hash(&[("path", Value::Type(Type::any()))])), "BAD_TYPE_SLICE_TYPE");
    assert_eq!(code(Value::from("a/b")), "RUNTIME_ERROR");
}
