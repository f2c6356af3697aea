//! `pcore check --fix`: what is repaired, byte for byte, and what is left alone.

use std::fs;

use super::modules::Folder;
use super::program::Run;

const CLASS: &str = "\
class web(
  Integer[1, 65535] $port = 80,
  String $mode = '0644',
  Enum['present', 'absent', 'latest'] $ensure = 'present',
  Array[String] $hosts = [],
  Array[Struct[{name => String, Optional[port] => Integer, Optional[ports] => Array[Integer]}]] $sites = [],
  Variant[Integer, Array[String]] $either = 1,
  Variant[String, Integer, Array[Integer]] $few = 1,
  Boolean $on = true,
  Hash[Enum['debug', 'info'], String] $levels = {},
  Optional[Sensitive[String]] $token = undef,
  Optional[Sensitive[String]] $secret = undef,
) { }
";

fn folder(name: &str, files: &[(&str, &str)]) -> Folder {
    Folder::new(name, &[&[("environment.conf", ""), ("modules/web/manifests/init.pp", CLASS)], files].concat())
}

/// The text of a file after `--fix`.
#[track_caller]
fn fixed(name: &str, file: &str, text: &str) -> String {
    let folder = folder(name, &[(file, text)]);
    folder.run(&["check", "--fix"]);
    fs::read_to_string(folder.path().join(file)).unwrap()
}

#[test]
fn only_the_bytes_of_a_repair_change() {
    let yaml = [
        ("web::port: '80'   # quotes\n", "web::port: 80   # quotes\n"),
        ("web::port: \"80\"\r\nweb::mode: 0644\r\n", "web::port: 80\r\nweb::mode: '0644'\r\n"),
        ("{ web::port: '80', web::mode: 0644 }", "{ web::port: 80, web::mode: '0644' }"),
        ("\u{feff}web::port: '80'\n", "\u{feff}web::port: 80\n"),
        ("ä: ö\nweb::on: 'yes'\n", "ä: ö\nweb::on: yes\n"),
        ("web::ensure: presnt\n", "web::ensure: present\n"),
        ("web::ensure: \"Latest\" # word\n", "web::ensure: \"latest\" # word\n"),
        ("web::hosts: a # one\n", "web::hosts: [a] # one\n"),
        ("web::hosts: a, b\n", "web::hosts: ['a, b']\n"),
        ("web::hosts:   'it''s'\n", "web::hosts:   ['it''s']\n"),
        ("web::port: [80] # one\n", "web::port: 80 # one\n"),
        ("web::port:\n  - 80\n", "web::port: 80\n"),
        ("web::port:\n  # one\n  - 80\n", "web::port:\n  # one\n    80\n"),
        ("web::sites:\n  name: a\n  port: 80\n", "web::sites:\n- name: a\n  port: 80\n"),
        ("web::sites: {name: a}\n", "web::sites: [{name: a}]\n"),
        (
            "web::sites:\n  - nam: a # key\n    'prot': 80\n  - {name: b,port: \"81\"}\n",
            "web::sites:\n  - name: a # key\n    'port': 80\n  - {name: b,port: 81}\n",
        ),
        ("web::levels: {dbug: a}\n", "web::levels: {debug: a}\n"),
        ("# port\nweb::prt: 80\n", "# port\nweb::port: 80\n"),
        ("web::sites: \"%{lookup('s')}\"\n", "web::sites: \"%{alias('s')}\"\n"),
        ("web::hosts: \"%{hiera('h')}\"\nh: [a]\n", "web::hosts: \"%{alias('h')}\"\nh: [a]\n"),
    ];
    for (number, (before, after)) in yaml.into_iter().enumerate() {
        assert_eq!(fixed(&format!("fix-yaml-{number}"), "data/a.yaml", before), after);
    }
    let json = [
        ("{\"web::port\": \"80\",\r\n \"web::mode\":644}", "{\"web::port\": 80,\r\n \"web::mode\":\"644\"}"),
        ("{\"web::port\": [ 80 ], \"web::hosts\": \"a\"}", "{\"web::port\": 80, \"web::hosts\": [\"a\"]}"),
    ];
    for (number, (before, after)) in json.into_iter().enumerate() {
        assert_eq!(fixed(&format!("fix-json-{number}"), "data/a.json", before), after);
    }
}

#[test]
fn literals_of_programs_are_repaired() {
    let before = "# a\r\nclass web::b(\r\n  Integer $a = '80', # quotes\r\n  String $b = 0644,\r\n  \
                  Enum['on', 'off'] $c = \"offf\",\r\n  Array[Integer] $d = 1,\r\n  Integer $e = [ 1 ],\r\n  \
                  Array[Struct[{name => String}]] $f = [{ nmae => 'x' }],\r\n  String $g = \"${a}\",\r\n) {\r\n  \
                  class { 'web': port => '80', ensur => absent }\r\n  file { '/a': mod => '0644' }\r\n}\r\n";
    let after = "# a\r\nclass web::b(\r\n  Integer $a = 80, # quotes\r\n  String $b = '0644',\r\n  \
                 Enum['on', 'off'] $c = \"off\",\r\n  Array[Integer] $d = [1],\r\n  Integer $e = 1,\r\n  \
                 Array[Struct[{name => String}]] $f = [{ name => 'x' }],\r\n  String $g = \"${a}\",\r\n) {\r\n  \
                 class { 'web': port => 80, ensure => absent }\r\n  file { '/a': mode => '0644' }\r\n}\r\n";
    assert_eq!(fixed("fix-program", "modules/web/manifests/b.pp", before), after);
}

#[test]
fn what_can_be_meant_in_two_ways_is_left_alone() {
    let data = [
        // 644 or 420, a number or a list, one or several ports.
        "web::port: '0644'\n",
        "web::either: '1'\n",
        "web::few: ['1']\n",
        "web::sites: [{name: a, porst: 1}]\n",
        "web::prt: 1\nweb::prot: 2\n",
        "web::port: 1\nweb::prt: 2\n",
        // Nothing is near, or another error is left.
        "web::ensure: running\n",
        "web::prt: a\n",
        "web::prt: '80'\n",
        "web::port: '99999'\n",
        "web::hosts: |\n  a\n",
        // The anchor is another value, too.
        "other: &p '80'\nweb::port: *p\n",
        "web::hosts: [b]\nweb::hsots: [a]\n",
    ];
    for (number, text) in data.into_iter().enumerate() {
        assert_eq!(fixed(&format!("fix-not-{number}"), "data/a.yaml", text), text);
    }
}

#[test]
fn sensitive_parameters_are_converted_by_lookup_options() {
    let new = "lookup_options:\n  web::token:\n    convert_to: Sensitive\n  web::secret:\n    convert_to: Sensitive\n";
    let cases = [
        ("web::token: r5-K9\nweb::secret: w2\n", format!("web::token: r5-K9\nweb::secret: w2\n{new}")),
        (
            "lookup_options:\r\n  a::b: {merge: deep} # deep\r\n\r\nweb::token: r5-K9\r\n",
            "lookup_options:\r\n  a::b: {merge: deep} # deep\r\n  web::token:\r\n    convert_to: Sensitive\r\n\r\n\
             web::token: r5-K9\r\n"
                .to_owned(),
        ),
        (
            "{lookup_options: {}, web::token: r5-K9}",
            "{lookup_options: {web::token: {convert_to: Sensitive}}, web::token: r5-K9}".to_owned(),
        ),
        // Further options would replace these.
        (
            "lookup_options:\n  '^web::': {merge: first}\nweb::token: r5-K9\n",
            "lookup_options:\n  '^web::': {merge: first}\nweb::token: r5-K9\n".to_owned(),
        ),
    ];
    for (number, (before, after)) in cases.into_iter().enumerate() {
        assert_eq!(fixed(&format!("fix-secret-{number}"), "data/a.yaml", before), after);
    }
    let json = "{\n  \"web::token\": \"r5-K9\"\n}\n";
    let after = "{\n  \"web::token\": \"r5-K9\",\n  \
                 \"lookup_options\": {\"web::token\": {\"convert_to\": \"Sensitive\"}}\n}\n";
    assert_eq!(fixed("fix-secret-json", "data/a.json", json), after);
}

#[test]
fn a_diff_shows_no_secrets_and_writes_nothing() {
    let text = "web::token: r5-K9\nweb::port: '80'\n";
    let folder = folder("fix-diff", &[("data/a.yaml", text)]);
    let run = folder.run(&["check", "--fix", "--diff"]);
    let diff = "\
--- a/data/a.yaml
+++ b/data/a.yaml
@@ -1,2 +1,5 @@
 web::token: *****
-web::port: '80'
+web::port: 80
+lookup_options:
+  web::token:
+    convert_to: Sensitive
";
    let summary = "environment: 1 manifest, 1 data file\n2 findings in 1 file can be fixed\n\
                   2 files, 14 values compared: all match\n";
    assert_eq!(run, Run { out: diff.to_owned(), err: summary.to_owned(), code: 1 });
    assert_eq!(fs::read_to_string(folder.path().join("data/a.yaml")).unwrap(), text);
}

#[test]
fn what_is_left_is_reported_in_the_repaired_file() {
    let folder = folder("fix-rest", &[("data/a.yaml", "web::hosts: a\nweb::port: none\n")]);
    let run = folder.run(&["check", "--fix", "data"]);
    let out = "\
error[TYPE_MISMATCH]: ['web::port']: expected Integer[1, 65535], got String 'none'
 --> data/a.yaml:2:12
  |
2 | web::port: none
  |            ^^^^
  |
  = help: $port of class web is declared in modules/web/manifests/init.pp:2
1 finding in 1 file fixed
1 file, 2 values compared: 1 error in 1 file
";
    assert_eq!(run, Run { out: out.to_owned(), err: String::new(), code: 1 });
}

#[test]
fn a_file_is_repaired_against_a_type() {
    let folder = folder("fix-type", &[("a.yaml", "- '1' # one\n- 2\n"), ("b.yaml", "- '1'\n--- \n- 2\n")]);
    let run = folder.run(&["check", "--fix", "--type", "Array[Integer]", "a.yaml"]);
    let out = "1 finding in 1 file fixed\n1 file, 1 value compared: all match\n";
    assert_eq!(run, Run { out: out.to_owned(), err: String::new(), code: 0 });
    assert_eq!(fs::read_to_string(folder.path().join("a.yaml")).unwrap(), "- 1 # one\n- 2\n");
    // Of several documents each is checked by itself, and none is repaired.
    assert_eq!(folder.run(&["check", "--fix", "--type", "Array[Integer]", "b.yaml"]).code, 1);
}

#[test]
fn json_and_sarif_say_what_to_change() {
    let folder = folder("fix-formats", &[("data/a.yaml", "web::port: '80'\n")]);
    let json = |arguments: &[&str]| -> serde_json::Value { serde_json::from_str(&folder.run(arguments).out).unwrap() };
    let place = |start: u32, end: u32| serde_json::json!({"line": 1, "pos": start, "end_line": 1, "end_pos": end, "replacement": ""});
    let edits = [place(12, 13), place(15, 16)];
    let expected = serde_json::json!({"text": "remove the quotes", "edits": edits});
    assert_eq!(json(&["check", "--json", "data"])["findings"][0]["fix"], expected);
    let region = |start: u32, end: u32| {
        serde_json::json!({
            "deletedRegion": {"startLine": 1, "startColumn": start, "endLine": 1, "endColumn": end},
            "insertedContent": {"text": ""},
        })
    };
    let expected = serde_json::json!([{
        "description": {"text": "remove the quotes"},
        "artifactChanges": [{
            "artifactLocation": {"uri": "data/a.yaml"},
            "replacements": [region(12, 13), region(15, 16)],
        }],
    }]);
    assert_eq!(json(&["check", "--format", "sarif", "data"])["runs"][0]["results"][0]["fixes"], expected);
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("fix-link", &[("shared/a.yaml", "web::port: '80'\n"), ("data/b.yaml", "web::on: 'true'\n")]);
    let (target, link) = (folder.path().join("shared/a.yaml"), folder.path().join("data/a.yaml"));
    symlink("../shared/a.yaml", &link).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let run = folder.run(&["check", "--fix", "data", "shared"]);
    let out = "3 findings in 3 files fixed\n3 files, 3 values compared: all match\n";
    assert_eq!(run, Run { out: out.to_owned(), err: String::new(), code: 0 });
    assert!(link.symlink_metadata().unwrap().file_type().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "web::port: 80\n");
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}

/// The files and the output in the manual.
#[test]
fn the_manual_shows_what_is_done() {
    let page = include_str!("../../transcripts/checking.md");
    let block = |language: &str| {
        let (_, rest) = page.split_once("## Repairs").unwrap();
        let (_, block) = rest.split_once(&format!("```{language}\n")).unwrap();
        block.split_once("```\n").unwrap().0
    };
    let files = [
        ("environment.conf", ""),
        ("modules/web/manifests/init.pp", block("puppet")),
        ("data/common.yaml", block("yaml")),
    ];
    let folder = Folder::new("fix-manual", &files);
    assert_eq!(folder.run(&["check", "--fix", "--diff"]).out, block("diff"));
}
