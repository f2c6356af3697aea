//! Constructors, parts and identity of the kinds of values that have a life of their own, without any program.

use pcore::format::program_text;
use pcore::session::{Session, Strictness};
use pcore::types::Type;
use std::sync::Arc;

use pcore::value::binary::Encoding;
use pcore::value::{Binary, Hash, Iterator, Object, SemVer, SemVerRange, Uri, Value};

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
    assert!(versions.windows(2).all(|pair| pair[0].cmp_precedence(&pair[1]).is_lt()));
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
    assert!(!type_(&["*"]).accepts(&Type::named("SemVer").unwrap()));
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
        assert_eq!(uri(base).resolve_reference(&uri(reference)).unwrap().to_string(), merged, "{base} + {reference}");
    }
    let both_relative = uri("/a").resolve_reference(&uri("b")).unwrap_err();
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
    assert!(uri("http://a").equals(&uri("HTTP://A:80/")));
    assert!(!uri("http://a/b").equals(&uri("http://a/B")));
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

#[test]
fn a_text_reads_and_prints() {
    for (text, printed) in [
        ("http://bob:pwd@www.example.com:23/a/b?x=2#frag", "http://bob:pwd@www.example.com:23/a/b?x=2#frag"),
        ("HTTP://EXAMPLE.com/%7Ea", "http://EXAMPLE.com/%7Ea"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://h:/", "http://h/"),
        ("http://", "http:"),
        ("file:/x", "file:///x"),
        ("ftp://u@h", "ftp://u@h/"),
        ("ftp://h//a", "ftp://h/%2Fa"),
        ("urn:a?b#c", "urn:a?b#c"),
        ("./a:b", "./a:b"),
        ("?q=1", "?q=1"),
        ("ws://h:80/", "ws://h/"),
        ("ldap://h:389/", "ldap://h/"),
        ("gopher://h:70/", "gopher://h:70/"),
        ("http://h/?a[b]", "http://h/?a[b]"),
        ("", ""),
    ] {
        assert_eq!(Uri::parse(text).unwrap().to_string(), printed, "{text}");
    }
}

#[test]
fn what_must_be_encoded_is_refused() {
    let refused = ["http://a b/", "http://h/ü", "http://h/%4", "http://[::1/", "http://::1/", "http://h/a[b]", ":x"];
    for text in refused {
        assert_eq!(Uri::parse(text).unwrap_err().code(), "RUNTIME_ERROR", "{text}");
    }
}

#[cfg(feature = "url")]
#[test]
fn advice_is_the_encoded_uri() {
    for (text, advice) in [
        ("http://a/b c", Some("did you mean 'http://a/b%20c'?")),
        ("http://b\u{fc}cher.example/\u{fc}", Some("did you mean 'http://xn--bcher-kva.example/%C3%BC'?")),
        ("a b%4", Some("did you mean 'a%20b%254'?")),
        ("http://[::1/", None),
    ] {
        let help = Uri::parse(text).unwrap_err().help().first().cloned();
        assert_eq!(help.as_deref(), advice, "{text}");
    }
}

#[cfg(feature = "url")]
#[test]
fn every_url_is_a_uri() {
    for (url, uri) in [
        ("http://h/a|b?{c}", "http://h/a%7Cb?%7Bc%7D"),
        ("mailto:nobody", "mailto:nobody"),
        ("data:text/plain,a b", "data:text/plain,a%20b"),
        ("ftp://h/a", "ftp://h/a"),
    ] {
        assert_eq!(Uri::from(::url::Url::parse(url).unwrap()).to_string(), uri);
    }
}

#[test]
fn base64_is_read_strictly_or_not() {
    let binary = Type::named("Binary").expect("a type of the table");
    let bytes = |text: &str, format: &str| match binary.construct(&[text.into(), format.into()]) {
        Ok(Value::Binary(binary)) => Some(binary.bytes().to_vec()),
        _ => None,
    };
    for (text, relaxed, strict, url_safe) in [
        ("YWI=", Some("ab"), Some("ab"), Some("ab")),
        ("YWI", Some("ab"), None, Some("ab")),
        ("YW Jj", Some("abc"), None, None),
        ("YWJj!", Some("abc"), None, None),
        ("YR==", Some("a"), None, None),
        ("YW==YW==", Some("a"), None, None),
        ("Y", Some(""), None, None),
        ("é", Some(""), None, None),
    ] {
        let expected = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        assert_eq!(bytes(text, "%b"), expected(relaxed), "%b {text}");
        assert_eq!(bytes(text, "%B"), expected(strict), "%B {text}");
        assert_eq!(bytes(text, "%u"), expected(url_safe), "%u {text}");
    }
}

#[test]
fn arithmetic_reads_strings() {
    for (text, number) in [
        ("5", Some(Value::Integer(5))),
        ("\t5 ", Some(Value::Integer(5))),
        ("- 5", Some(Value::Integer(-5))),
        ("017", Some(Value::Integer(15))),
        ("0X1f", Some(Value::Integer(31))),
        ("-9223372036854775808", Some(Value::Integer(i64::MIN))),
        ("1E5", Some(Value::Float(100_000.0))),
        ("1.5e-3", Some(Value::Float(0.0015))),
        ("00.5", Some(Value::Float(0.5))),
        ("01e5", Some(Value::Float(100_000.0))),
        ("08", None),
        ("09.5", None),
        (".5", None),
        ("1.", None),
        ("1e", None),
        ("1e+5", None),
        ("0b11", None),
        ("0x", None),
        ("1_0", None),
        ("", None),
        ("-", None),
        ("5\n", None),
        ("9223372036854775808", None),
        ("1e400", None),
    ] {
        let mut session = Session::builder().strictness(Strictness::Off).variable("text", text).build();
        assert_eq!(session.eval("$text + 0").ok(), number, "{text:?}");
    }
}

fn numbered(count: i64) -> Hash {
    (0..count).map(|n| (Value::from(n), Value::from(n * n))).collect()
}

#[test]
fn a_hash_keeps_its_order_and_finds_its_keys_at_every_size() {
    for count in [0, 1, 15, 16, 17, 200] {
        let hash = numbered(count);
        assert_eq!(hash.len(), usize::try_from(count).unwrap());
        assert!(hash.keys().cloned().eq((0..count).map(Value::from)));
        assert!((0..count).all(|n| hash.get(&Value::from(n)) == Some(&Value::from(n * n))));
        assert_eq!(hash.get(&Value::from(count)), None);
    }
}

#[test]
fn a_known_key_keeps_its_place() {
    let mut hash = numbered(3);
    hash.insert(Value::from(0), Value::from("new"));
    assert_eq!(hash.entry(0), (&Value::from(0), &Value::from("new")));
}

#[test]
fn order_does_not_count_for_equality() {
    let reversed: Hash = (0..5).rev().map(|n| (Value::from(n), Value::from(n * n))).collect();
    assert_eq!(numbered(5), reversed);
}

#[test]
fn other_texts_are_refused() {
    for text in
        ["v1.0.0", "= v1", "=v 1", " 1.2", "1.2 ", "1.2-2", "1.", "1.2.3.4", "01.2.3", ">=", "=>1", ">=1<2", "1.2-beta"]
    {
        let message = format!("'{text}' is not a version range");
        assert_eq!(SemVerRange::parse(text).unwrap_err().message(), message);
    }
}

#[test]
fn merging_keeps_every_version() {
    let range = |text: &str| SemVerRange::parse(text).unwrap();
    let merged = |a, b| range(a).union(&range(b)).map(|merged| merged.to_string());
    let is = |text: &str| Some(text.to_string());
    assert_eq!(merged(">=1.0.0 <2.5.0", ">=2.0.0 <3.0.0"), is(">=1.0.0 <3.0.0"));
    assert_eq!(merged("1.x", "2.x"), is(">=1.0.0 <3.0.0"));
    assert_eq!(merged("<1.0.0", ">1.0.0"), None);
    assert_eq!(merged("1.0.0 - 2.0.0", ">2.0.0"), is(">=1.0.0"));
    assert_eq!(merged("~1.2.3-beta", "^1.2.3"), is(">=1.2.3-beta <2.0.0"));
    assert_eq!(merged("~1.2.3-beta", "1.2.x"), None);
    assert_eq!(merged("*", "1"), is("*"));
    assert_eq!(merged("<2.0.0", "1.2.3+b"), is("<2.0.0"));
    assert_eq!(merged("<3.0.0", "3.0.0+b"), None);
}

fn range(text: &str) -> SemVerRange {
    SemVerRange::parse(text).unwrap()
}

#[test]
fn short_ranges_stand_for_ends() {
    for (text, ends) in [
        ("1.2.3", "1.2.3 - 1.2.3"),
        ("1.x", ">=1.0.0 <2.0.0"),
        ("1.2", ">=1.2.0 <1.3.0"),
        ("= 1", ">=1.0.0 <2.0.0"),
        (">v1.2", ">=1.3.0"),
        (">1.x", ">=2.0.0"),
        (">1.2.3", ">1.2.3"),
        ("<=1", "<2.0.0"),
        ("<1", "<1.0.0"),
        ("~1.2.3-beta", ">=1.2.3-beta <1.3.0"),
        ("~> 1.2", ">=1.2.0 <1.3.0"),
        ("^1.2.3", ">=1.2.3 <2.0.0"),
        ("^0", ">=0.0.0 <1.0.0"),
        ("^0.0.3", ">=0.0.3 <0.1.0"),
        ("1.2 - 2.3", "1.2.0 - 2.3.0"),
        (">=1.0.0 <1.5.0 >1.1.0", ">1.1.0 <1.5.0"),
        ("x.1.2", "*"),
        (">=*", ">=*"),
    ] {
        let written_anew = range(text).union(&range(text)).unwrap().to_string();
        assert_eq!(written_anew, ends, "{text}");
        assert_eq!(range(ends), range(text), "{text} reads back");
    }
}

#[test]
fn ranges_without_versions_are_the_same() {
    for text in [">2 <1", ">*", "<*", ">1.0.0 <1.0.0"] {
        assert_eq!(range(text), range("<0.0.0-0"), "{text}");
    }
}

#[test]
fn dots_in_a_reference_climb() {
    for (base, reference, merged) in [
        ("/a/b", ".", "/a/"),
        ("/a/b", "..", "/"),
        ("/a/b/c", "../", "/a/"),
        ("/a/b/c", "d/..", "/a/b/"),
        ("/a/b", "../../../c", "/c"),
        ("/a//b", "c", "/a//c"),
        ("/a/./b", "c", "/a/./c"),
        ("/a/b/", "..g", "/a/b/..g"),
        ("", "a/b", "/a/b"),
        ("/a/b", "/./d/../e", "/e"),
    ] {
        let base = Uri::parse(&format!("http://h{base}")).unwrap();
        let found = base.resolve_reference(&Uri::parse(reference).unwrap()).unwrap();
        assert_eq!(found.to_string(), format!("http://h{merged}"), "{base} + {reference}");
    }
}

#[test]
fn relaxed_base64_has_lines() {
    let binary = Binary::from(vec![b'a'; 46]);
    let text = format!("{}\nYQ==\n", "YWFh".repeat(15));
    assert_eq!(binary.encoded(Encoding::Relaxed), Some(text));
}

#[track_caller]
fn iterates(code: &str, elements: &str) {
    assert_eq!(program_text(&Session::default().eval(code).unwrap()), elements, "{code}");
}

#[test]
fn steps_and_turns_combine() {
    iterates("Array(Integer[1, 20].step(3).step(2).reverse_each)", "[19, 13, 7, 1]");
    iterates("Array(Integer[1, 20].reverse_each.step(3).reverse_each)", "[2, 5, 8, 11, 14, 17, 20]");
    iterates(
        "Integer[1, 1000000000000].step(3).reverse_each.reduce([]) |$m, $n| { if $m.length == 2 { break() } $m + $n }",
        "[1000000000000, 999999999997]",
    );
}

#[test]
fn the_longest_range_and_the_longest_step_do_not_overflow() {
    let longest = "Integer[-9223372036854775807, 9223372036854775807]";
    iterates(
        &format!("{longest}.reverse_each.reduce(0) |$m, $n| {{ if $m != 0 {{ break() }} $n }}"),
        "9223372036854775807",
    );
    iterates(
        &format!("Array({longest}.step(9223372036854775807).step(9223372036854775807))"),
        "[-9223372036854775807]",
    );
}

#[test]
fn what_has_an_open_end_or_a_negative_count_is_not_iterable() {
    let open: Value = Session::default().eval("Integer").unwrap();
    for value in [open, Value::from(-1), Value::from(1.5), Value::Undef] {
        assert!(Iterator::from_iterable(&value).is_none(), "{value:?}");
    }
}

#[test]
fn strings_give_characters_and_hashes_give_pairs() {
    let elements = |value: &Value| Iterator::from_iterable(value).unwrap().elements().unwrap();
    assert_eq!(elements(&"æb".into()), ["æ".into(), "b".into()]);
    let hash: Hash = [(Value::from("a"), Value::from(1))].into_iter().collect();
    assert_eq!(elements(&hash.into()), [Value::from([Value::from("a"), 1.into()])]);
}

#[test]
fn a_value_takes_three_words() {
    assert!(size_of::<Value>() <= 24, "{}", size_of::<Value>());
}

#[test]
fn a_value_nested_a_million_levels_drops() {
    let wraps: [fn(Value) -> Value; 3] = [
        |value| Value::from([value]),
        |value| Value::Sensitive(Arc::new(Value::from([value]))),
        |value| Value::Object(Arc::new(Object { type_: Arc::default(), attributes: vec![value] })),
    ];
    for wrap in wraps {
        drop((0..1_000_000).fold(Value::from(1), |value, _| wrap(value)));
    }
}

#[test]
#[cfg(feature = "url")]
fn an_absolute_uri_is_a_url() {
    let uri = Uri::parse("HTTP://Example.com/a/../b").unwrap();
    let url = url::Url::try_from(&uri).unwrap();
    assert_eq!(url.as_str(), "http://example.com/b");
    assert!(url::Url::try_from(&Uri::parse("../b").unwrap()).is_err());
}
