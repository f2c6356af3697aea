//! The reports of `pcore check` for services, and what decides its exit status.

use serde_json::Value as Json;

use super::modules::Folder;

const WEB: &str = "class web(Integer $port = 80, Boolean $on = true) { }\n";

fn folder(name: &str, data: &str) -> Folder {
    Folder::new(name, &[("environment.conf", ""), ("modules/web/manifests/init.pp", WEB), ("data/a.yaml", data)])
}

/// The name, the attributes and the text of an element.
type Element = (String, Vec<(String, String)>, String);

/// The elements of a document, in the order of their starts; panics if the document is not
/// well-formed.
///
/// Source: XML 1.0, "Well-Formed XML Documents", as far as a report needs it.
#[track_caller]
fn elements(document: &str) -> Vec<Element> {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    assert!(document.chars().all(is_allowed), "a character that XML does not have");
    let name = |text: &str| {
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        assert!(is_name, "not a name: {text:?}");
        text.to_owned()
    };
    let text = |raw: &str| {
        assert!(!raw.contains(['<', '>']), "a bracket in {raw:?}");
        let mut parts = raw.split('&');
        let mut text = parts.next().unwrap().to_owned();
        for part in parts {
            let (reference, rest) = part.split_once(';').unwrap_or_else(|| panic!("an open reference in {raw:?}"));
            text.push(match reference {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                other => {
                    let number = other.strip_prefix('#').unwrap_or_else(|| panic!("unknown reference {other:?}"));
                    char::from_u32(number.parse().unwrap()).filter(|c| is_allowed(*c)).unwrap()
                }
            });
            text.push_str(rest);
        }
        text
    };
    let rest = document.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("the declaration");
    let (mut found, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    for piece in rest.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').expect("the end of a tag");
        if let Some(closed) = tag.strip_prefix('/') {
            let opened = open.pop().expect("an open element");
            assert_eq!(name(closed), found[opened].0);
        } else {
            let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let mut quoted = tag.split('"');
            let head = quoted.next().unwrap();
            let (element, mut key) = head.split_once(' ').unwrap_or((head, ""));
            let mut attributes: Vec<(String, String)> = Vec::new();
            while let Some(value) = quoted.next() {
                let attribute = name(key.trim_start().strip_suffix('=').expect("an equals sign"));
                assert!(attributes.iter().all(|(other, _)| *other != attribute), "{attribute} twice");
                attributes.push((attribute, text(value)));
                key = quoted.next().expect("the end of a value");
            }
            assert_eq!(key, "");
            found.push((name(element), attributes, String::new()));
            if !is_empty {
                open.push(found.len() - 1);
            }
        }
        match open.last() {
            Some(&at) => found[at].2.push_str(&text(after)),
            None => assert_eq!(after.trim(), "", "text outside of the document"),
        }
    }
    assert!(open.is_empty() && found[0].0 == "testsuites");
    found
}

#[test]
fn junit_has_a_case_for_each_file_and_a_failure_for_each_error() {
    let folder = folder("report-junit", "web::port: '80'\nweb::on: 5\nweb::prot: 1\n");
    let run = folder.run(&["check", "--format", "junit"]);
    assert_eq!((run.err.as_str(), run.code), ("", 1));
    let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites>
<testsuite name=\"pcore check\" tests=\"2\" failures=\"1\" errors=\"0\">
  <testcase classname=\"pcore.check\" name=\"data/a.yaml\">
    <failure type=\"TYPE_MISMATCH\" message=\"['web::port']: expected Integer, got String '80'\">data/a.yaml:1:12: error: \
         ['web::port']: expected Integer, got String '80'&#10;remove the quotes: 80&#10;$port of class web is declared in \
         modules/web/manifests/init.pp:1</failure>
    <failure type=\"TYPE_MISMATCH\" message=\"['web::on']: expected Boolean, got Integer 5\">data/a.yaml:2:10: error: \
         ['web::on']: expected Boolean, got Integer 5&#10;$on of class web is declared in \
         modules/web/manifests/init.pp:1</failure>
    <system-out>data/a.yaml:3:1: warning: class web has no parameter $prot&#10;did you mean web::port?</system-out></testcase>
  <testcase classname=\"pcore.check\" name=\"modules/web/manifests/init.pp\"></testcase>
</testsuite>
</testsuites>
";
    assert_eq!(run.out, expected);
    let strict = folder.run(&["check", "--format", "junit", "--fail-on", "warning"]);
    assert_eq!(elements(&strict.out).iter().filter(|(name, ..)| name == "failure").count(), 3);
}

#[test]
fn junit_is_well_formed_whatever_is_in_the_data() {
    let odd = "web::port: \"]]> <b a='1'>&amp; \\u0001\\u001b[31m\\uFFFE\\uFFFF\\u0085\\u202E\\n \u{1f600}\"\n\
               'web::<&>\"]]>': 1\nweb::on: \"\\0\"\n";
    let folder = folder("report-odd", odd);
    let name = "data/ä <&> \"'.yaml";
    std::fs::write(folder.path().join(name), "web::port: x\n").unwrap();
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"data/\xff\x01.yaml");
        std::fs::write(folder.path().join(name), "web::port: x\n").unwrap();
    }
    let run = folder.run(&["check", "--format", "junit", "--fail-on", "warning"]);
    let elements = elements(&run.out);
    let case = |wanted: &str| {
        elements.iter().any(|(name, attributes, _)| {
            name == "testcase" && attributes.iter().any(|(name, value)| name == "name" && value == wanted)
        })
    };
    assert!(case(name) && case("data/a.yaml"), "{}", run.out);
    let message = "expected Integer, got String \"]]> <b a='1'>&amp; ";
    assert!(elements.iter().any(|(name, _, text)| name == "failure" && text.contains(message)), "{}", run.out);
}

/// The fingerprints of a report, with the lines.
fn fingerprints(report: &str) -> Vec<(String, u64)> {
    let issues: Vec<Json> = serde_json::from_str(report).unwrap();
    let of = |issue: &Json| {
        (issue["fingerprint"].as_str().unwrap().to_owned(), issue["location"]["lines"]["begin"].as_u64().unwrap())
    };
    issues.iter().map(of).collect()
}

#[test]
fn gitlab_tells_findings_apart_and_knows_them_again() {
    let data = "web::port: a\nweb::on: 5\nweb::prot: 1\nlookup_options: {a: {x: 1}, b: {x: 1}}\n";
    let before = folder("report-gitlab", data);
    let run = before.run(&["check", "--format", "gitlab"]);
    assert_eq!((run.err.as_str(), run.code), ("", 1));
    let issues: Vec<Json> = serde_json::from_str(&run.out).unwrap();
    let first = serde_json::json!({
        "description": "['web::port']: expected Integer, got String 'a'\n$port of class web is declared in \
            modules/web/manifests/init.pp:1",
        "check_name": "TYPE_MISMATCH",
        "fingerprint": issues[0]["fingerprint"],
        "severity": "major",
        "location": { "path": "data/a.yaml", "lines": { "begin": 1 } },
    });
    assert_eq!(issues[0], first);
    assert_eq!(issues[2]["severity"], "minor");
    let said = fingerprints(&run.out);
    assert!(said.iter().all(|(one, _)| one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit())));
    assert!(said.iter().all(|(one, _)| said.iter().filter(|(other, _)| other == one).count() == 1));
    drop(before);
    let moved = folder("report-moved", &format!("# two\n# lines\n{data}"));
    // However the file is named.
    let here = moved.path().to_str().unwrap().to_owned();
    for path in [".", "data", "./data/a.yaml", &here] {
        let run = moved.run(&["check", "--format", "gitlab", path]);
        let lower: Vec<(String, u64)> = said.iter().map(|(one, line)| (one.clone(), line + 2)).collect();
        assert_eq!(fingerprints(&run.out), lower, "{path}");
    }
    let fine = folder("report-fine", "web::port: 1\n").run(&["check", "--format", "gitlab"]);
    assert_eq!((fine.out.as_str(), fine.code), ("[]\n", 0));
}

#[test]
fn warnings_fail_the_run_if_that_is_asked_for() {
    let folder = folder("report-fail-on", "web::prot: 1\nweb::port: 1\n");
    let codes = [&["check"][..], &["check", "--fail-on", "error"], &["check", "--fail-on", "warning"]]
        .map(|arguments| folder.run(arguments).code);
    assert_eq!(codes, [0, 0, 1]);
    let run = folder.run(&["check", "--fail-on", "info"]);
    assert_eq!((run.out.as_str(), run.code), ("", 2));
}

#[test]
fn findings_and_summary_are_on_one_stream() {
    let folder = folder("report-stream", "web::port: a\n");
    let run = folder.run(&["check", "data"]);
    assert!(run.out.starts_with("error[TYPE_MISMATCH]") && run.out.ends_with("1 error in 1 file\n"), "{}", run.out);
    assert_eq!(run.err, "");
    // The diff of repairs is alone there.
    let run = folder.run(&["check", "--fix", "--diff", "data"]);
    assert_eq!(run.out, "");
    assert!(run.err.starts_with("error[TYPE_MISMATCH]"), "{}", run.err);
}
