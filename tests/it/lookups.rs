//! Lookups in a control repository: `tests/control`, whose answers were asked of `puppet lookup` 7.23 for this node.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::modules::Folder;
use super::program::{self, Run};

const NODE: [&str; 4] = ["--facts", "facts.json", "--node", "web1.example.com"];

fn in_control(arguments: &[&str]) -> Command {
    let mut command = program::command(arguments);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/control"));
    command
}

/// What a snippet prints in the control repository, for the node.
fn answer(code: &str) -> String {
    let run = program::run(&mut in_control(&[&NODE[..], &["-e", code]].concat()), b"");
    let error = run.err.lines().next().unwrap_or_default();
    format!("{}{error}", run.out.trim_end())
}

/// What the prompt answers to lines, after the banner.
fn prompt(lines: &[&str]) -> Vec<String> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lookups");
    fs::create_dir_all(&home).unwrap();
    let mut command = in_control(&[&NODE[..], &["-i", "-q", "-e", "", "--no-config"]].concat());
    command.env("HOME", &home).env("XDG_STATE_HOME", home.join("state"));
    let Run { out, err, .. } = program::run(&mut command, lines.join("\n").as_bytes());
    assert_eq!(err, "");
    out.lines().skip(2).map(str::to_owned).collect()
}

#[test]
fn values_are_those_of_puppet_lookup() {
    for (key, expected) in [
        ("site::motd", "'RedHat on web1.example.com'"),
        ("site::users", "['root', '--guest', 'named', 'postfix', 'redhat', 'guest']"),
        (
            "site::limits",
            "{'tree' => {'gone' => 'y', 'c' => 'd', 'a' => [1, 2, 3], 'b' => true, '--gone' => 'x'}, 'files' => 10, 'procs' => 8}",
        ),
        ("site::services", "['dns', 'mail']"),
        ("site::extra", "['one', 'two']"),
        ("site::numbers", "[1, 2.5, undef]"),
        ("site::big.a.b.1", "'y'"),
        ("site::port", "8080"),
        ("site::db_password", "Sensitive [value redacted]"),
        ("site::url", "'http://x:8080/%{x}'"),
        ("site::same", "{'a' => {'b' => ['x', 'y']}}"),
        ("site::undef", "undef"),
        ("site::unknown", "'ab'"),
        ("site::loop", "error: the data of 'site::loop' leads back to 'site::loop'"),
        ("ntp::servers", "['env', 'module']"),
        ("ntp::port", "123"),
        ("ntp::driftfile", "'/var/lib/ntp/drift'"),
        ("web::greeting", "'Hello'"),
        ("web::module", "'web'"),
        ("site::prot", "error: the data has no value for 'site::prot'"),
    ] {
        assert_eq!(answer(&format!("lookup('{key}')")), expected, "{key}");
    }
}

#[test]
fn a_call_of_lookup_overrides_what_the_data_say() {
    for (code, expected) in [
        ("lookup('ntp::servers', Array, 'first')", "['env']"),
        ("lookup('site::nothing', Integer, 'first', 5)", "5"),
        ("lookup(['site::nothing', 'site::port'])", "8080"),
        ("lookup('site::nothing') |$key| { \"no ${key}\" }", "'no site::nothing'"),
        ("lookup('site::port', {override => {'site::port' => 1}})", "1"),
        ("lookup({name => 'site::nothing', default_values_hash => {'site::nothing' => 2}})", "2"),
        ("lookup('site::users', {merge => {strategy => 'deep', sort_merged_arrays => true}})[0]", "'--guest'"),
        (
            "lookup('site::port', String)",
            "error: expected the value to be of type String, got one of type Integer[8080, 8080]",
        ),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn a_backend_that_is_not_supported_is_named_with_its_level() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vault");
    fs::create_dir_all(folder.join("data")).unwrap();
    fs::create_dir_all(folder.join("modules")).unwrap();
    let config = "version: 5\nhierarchy:\n  - {name: Sealed, lookup_key: eyaml_lookup_key, path: sealed.eyaml}\n";
    fs::write(folder.join("hiera.yaml"), format!("{config}  - {{name: Vault, lookup_key: hiera_vault}}\n")).unwrap();
    fs::write(folder.join("data/sealed.eyaml"), "a: ENC[PKCS7,abc]\nb: {c: ['ENC[PKCS7,abc]', x]}\n").unwrap();
    let run = |key: &str| {
        let run = program::run(program::command(&["-e", &format!("lookup('{key}')")]).current_dir(&folder), b"");
        format!("{}{}", run.out.trim_end(), run.err.lines().next().unwrap_or_default())
    };
    let expected = "error: the level 'Vault' cannot be read: hiera_vault is not supported";
    assert_eq!(run("a"), expected);
    fs::write(folder.join("hiera.yaml"), config).unwrap();
    assert_eq!(run("a"), "Sensitive [value redacted]");
    assert_eq!(run("b"), "{'c' => [Sensitive [value redacted], 'x']}");
    fs::write(folder.join("hiera.yaml"), "version: 3\n").unwrap();
    assert_eq!(run("a"), "Warning: hiera.yaml is not of version 5, and ignored");
}

#[test]
fn unknown_variables_of_a_hierarchy_are_named_in_one_warning() {
    let config = "version: 5\nhierarchy:\n  - name: all\n    paths: ['%{facts.a}.yaml', '%{b}-%{facts.a}-%{c}.yaml', '%{b}.yaml', \
                  common.yaml]\n";
    let folder = Folder::new("hierarchy-unknown", &[("hiera.yaml", config), ("data/common.yaml", "x: 1\n")]);
    let run = folder.run(&["-e", "lookup('x')"]);
    let said: Vec<&str> = run.err.lines().filter(|line| line.starts_with("warning")).collect();
    assert_eq!(said, ["warning[UNKNOWN_VARIABLE]: hiera.yaml refers to the unknown variables $b, $c"]);
    let run = folder.run(&["--strict", "error", "-e", "lookup('x')"]);
    assert!(
        run.err.starts_with("error[UNKNOWN_VARIABLE]: hiera.yaml refers to the unknown variables $b, $c"),
        "{}",
        run.err
    );
}

#[test]
fn restricted_programs_look_up_what_they_may_read() {
    let lookup = ["-e", "lookup('site::port')"];
    let run = program::run(&mut in_control(&[&["--restricted"], &lookup[..]].concat()), b"");
    let told = run.err.lines().next().unwrap_or_default();
    assert!(
        told.starts_with("error[NOT_ALLOWED]: reading '") && told.ends_with("hiera.yaml' is not allowed"),
        "{told}"
    );
    let run = program::run(&mut in_control(&[&["--restricted", "--allow-read", "."], &lookup[..]].concat()), b"");
    assert_eq!(run.out, "8080\n");
    let request = b"{\"code\": \"lookup('site::port')\"}\n";
    let run = program::run(&mut in_control(&["--allow-read", ".", "batch"]), request);
    assert_eq!(
        run.out,
        "{\"id\":null,\"ok\":true,\"value\":\"8080\",\"data\":8080,\"type\":\"Integer[8080, 8080]\",\"notices\":[]}\n"
    );
}

#[test]
fn the_prompt_shows_the_hierarchy_and_where_a_value_comes_from() {
    let said = prompt(&[
        ":data",
        ":lookup site::limits",
        ":lookup site::url",
        ":data node=db1.example.com",
        ":set facts.os.family Debian",
        "lookup('site::users')",
        "[$trusted['hostname'], $facts['os']]",
    ]);
    let expected = r"hiera.yaml:
  Per node          data/nodes/web1.example.com.yaml  3 keys
  Services          data/services/dns.yaml  2 keys
  Services          data/services/mail.yaml  2 keys
  Operating system  data/os/RedHat-9.yaml  1 key
  Operating system  data/os/RedHat.yaml  2 keys
  Extra             data/extra/a.yaml  1 key
  Extra             data/extra/deep/b.yml  1 key
  Numbers           data/numbers.json  2 keys
  Common            data/common.yaml  11 keys
node: web1.example.com
facts: 6
Per node          data/nodes/web1.example.com.yaml:5  {'files' => 10, 'tree' => {'a' => [3, 1], '--gone' => 'x'}}
Operating system  data/os/RedHat-9.yaml:1  {'procs' => 8}
Operating system  data/os/RedHat.yaml:2  {'files' => 5, 'procs' => 7, 'tree' => {'a' => [2, 1], 'b' …
Common            data/common.yaml:20  {'tree' => {'gone' => 'y', 'c' => 'd'}}
5 files without the key
merged by {'strategy' => 'deep', 'knockout_prefix' => '--', 'sort_merged_arrays' => true} (lookup_options, data/common.yaml:4)
=> {'tree' => {'gone' => 'y', 'c' => 'd', 'a' => [1, 2, 3], 'b' => true, '--gone' => 'x'}, 'files' => 10, 'procs' => 8}
Common  data/common.yaml:26  'http://x:8080/%{x}'
8 files without the key
it reads site::big:
  Numbers  data/numbers.json:1  {'a' => {'b' => ['x', 'y']}}
  7 files without the key
it reads site::port:
  Common  data/common.yaml:24  '8080'
  8 files without the key
  converted to Integer (lookup_options, data/common.yaml:11)
=> 'http://x:8080/%{x}'";
    let split = said.iter().position(|line| line == "=> 'http://x:8080/%{x}'").unwrap() + 1;
    assert_eq!(said[..split].join("\n"), expected);
    assert_eq!(said[split..][1], "  Per node          data/nodes/db1.example.com.yaml  (not there)");
    let last = said[said.len() - 2..].join("\n");
    assert_eq!(
        last,
        "=> ['named', 'postfix', 'guest', 'root']\n=> ['db1', {'family' => 'Debian', 'release' => {'major' => '9'}}]"
    );
}

#[test]
fn data_files_and_pasted_data_become_values() {
    let said = prompt(&[
        "$x = :load data/numbers.json",
        "$x['site::numbers']",
        ":load data/extra/a.yaml y",
        "$y",
        "{\"a\": [1, null]}",
        "- 1",
        "key: value",
        ":infer data/extra/a.yaml",
        ":why data/extra/a.yaml =~ Hash[String, Integer]",
    ]);
    let expected = r"=> {'site::numbers' => [1, 2.5, undef], 'site::big' => {'a' => {'b' => ['x', 'y']}}}
=> [1, 2.5, undef]
=> {'site::extra' => 'one'}
=> {'site::extra' => 'one'}
=> {'a' => [1, undef]}
(read as data: it is not Puppet code)
=> -1
=> {'key' => 'value'}
(read as data: it is not Puppet code)
Struct[{
  'site::extra' => String[1],
}]
Hash {'site::extra' => 'one'} is not of type Hash[String, Integer]
  ['site::extra']: expected Integer, got String 'one'";
    assert_eq!(said.join("\n"), expected);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::write(folder.join("t.toml"), "a = 0x10\n[b]\nc = [1.5, true, \"x\"]\nd = 2001-01-01\n").unwrap();
    fs::write(folder.join("t.csv"), "name,port\r\nweb,80\r\n\"a \"\"b\"\", c\",\r\n").unwrap();
    let said = prompt(&[
        &format!(":load {}", folder.join("t.toml").display()),
        &format!("$rows = :load {}", folder.join("t.csv").display()),
    ]);
    assert_eq!(said[0], "=> {'a' => 16, 'b' => {'c' => [1.5, true, 'x'], 'd' => '2001-01-01'}}");
    assert_eq!(said[1], "=> [{'name' => 'web', 'port' => '80'}, {'name' => 'a \"b\", c', 'port' => ''}]");
}

#[test]
fn functions_of_stdlib_work_without_it() {
    for (code, expected) in [
        ("parsejson('[1')", "error[SYNTAX_ERROR]: EOF while parsing a list"),
        ("parsejson('[1', 'default')", "'default'"),
        ("parseyaml('false', 'default')", "'default'"),
        ("loadyaml('data/extra/a.yaml')", "{'site::extra' => 'one'}"),
        ("loadjson('data/extra/a.yaml', {})", "{}"),
        ("stdlib::to_json([1.0, 'a\"b', undef, {}, {x => []}])", "'[1.0,\"a\\\"b\",null,{},{\"x\":[]}]'"),
        ("to_json(Sensitive('x'))", "Sensitive [value redacted]"),
        ("to_json({a => Sensitive('x')}).unwrap", "'{\"a\":\"x\"}'"),
        ("stdlib::to_yaml({a => [1, 'yes']})", "\"---\\na:\\n- 1\\n- 'yes'\\n\""),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn the_project_is_checked_at_the_prompt() {
    let run = program::run(&mut in_control(&["-i", "-e", "", "--no-config"]), b":check\n");
    let warning = "warning[UNKNOWN_CLASS]: there is no class ntp, and nothing looks up the key";
    assert!(run.out.lines().any(|line| line == warning), "{}", run.out);
}

#[test]
fn batch_takes_variables_and_values() {
    let requests = br#"{"code": "$port + $facts['x'] + $x", "variables": {"port": 80, "facts": {"x": 1}}}
{"value": {"port": "80"}, "type": "Struct[{port => Integer}]"}
{"value": 80, "type": "Integer"}
{"value": 80, "type": "Nowhere::T"}
{"value": 80}
{"code": "1", "variabels": {}}
{"code": "'10' + 1"}
{"code": "Sensitive('x')"}
"#;
    let run = program::pcore(&["batch"], requests);
    let answers: Vec<serde_json::Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let given = |at: usize, key: &str| answers[at][key].clone();
    assert_eq!(given(0, "data"), 82);
    assert_eq!((given(1, "ok"), given(1, "issue")), (false.into(), "TYPE_MISMATCH".into()));
    assert_eq!(given(1, "reasons").as_array().unwrap().len(), 1);
    assert_eq!(answers[2], serde_json::json!({"id": null, "ok": true}));
    assert_eq!(given(3, "issue"), "UNKNOWN_RESOURCE_TYPE");
    assert_eq!(given(4, "error"), "`value` and `type` belong together, without `code`, `parse` and `preamble`");
    assert_eq!(given(5, "error"), "unknown key `variabels`; did you mean `variables`?");
    assert_eq!(given(6, "warnings")[0]["level"], "warning");
    assert_eq!(given(6, "warnings")[0]["issue"], "NUMERIC_COERCION");
    assert_eq!(given(7, "data"), serde_json::Value::Null);
}
