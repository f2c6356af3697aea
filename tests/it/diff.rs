//! `pcore diff` and `pcore index`: two versions of a module, and modules that are not installed.

use std::fs;
use std::process::Command;

use super::modules::Folder;
use super::program::{Run, command, run};

const OLD: [(&str, &str); 8] = [
    (
        "old/web/metadata.json",
        r#"{"name": "me-web", "version": "1.2.0",
            "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["8", "9"]}, {"operatingsystem": "AIX"}],
            "requirements": [{"name": "puppet", "version_requirement": ">= 6.1.0 < 8.0.0"}],
            "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.13.1 < 9.0.0"}]}"#,
    ),
    (
        "old/web/manifests/init.pp",
        "class web(\n  Integer $port = 80,\n  Optional[String] $user = undef,\n  Web::Mode $mode = '0644',\n  \
         Hash $sites = {},\n  Missing::Thing $thing = 'x',\n  String $gone = '',\n  Optional[String] $owner = undef,\n  \
         Enum['a', 'b'] $kind = 'a',\n) { }\n",
    ),
    ("old/web/manifests/site.pp", "# A site\ndefine web::site(String $path) { }\n"),
    ("old/web/manifests/inner.pp", "# @api private\nclass web::inner(Integer $x) { }\n"),
    ("old/web/manifests/config.pp", "class web::config(Integer $x) { assert_private() }\n"),
    ("old/web/types/mode.pp", "type Web::Mode = Pattern[/\\A[0-7]{3,4}\\z/]\n"),
    ("old/web/functions/url.pp", "function web::url(String $host, Integer $port = 80) >> String { $host }\n"),
    (
        "old/web/lib/puppet/functions/web/join.rb",
        "Puppet::Functions.create_function(:'web::join') do\n  dispatch :one do\n    param 'String', :a\n    \
         optional_param 'Integer', :b\n    return_type 'String'\n  end\n\n  dispatch :many do\n    param 'Array', :a\n  end\nend\n",
    ),
];

const NEW: [(&str, &str); 9] = [
    (
        "new/web/metadata.json",
        r#"{"name": "me-web", "version": "1.3.0",
            "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["9", "10"]}],
            "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}],
            "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.13.1 < 10.0.0"}]}"#,
    ),
    (
        "new/web/manifests/init.pp",
        "class web(\n  Integer[1, 65535] $port = 8080,\n  String $user = 'www',\n  Web::Mode $mode = '0644',\n  \
         Hash $sites,\n  Missing::Other $thing = 'x',\n  String $name2,\n  String $owner,\n  Enum['b', 'c'] $kind = 'b',\n) { }\n",
    ),
    ("new/web/manifests/inner.pp", "# @api private\nclass web::inner(String $x) { }\n"),
    ("new/web/manifests/config.pp", "class web::config(String $x) { assert_private() }\n"),
    ("new/web/types/mode.pp", "type Web::Mode = Pattern[/\\A[0-7]{4}\\z/]\n"),
    ("new/web/functions/url.pp", "function web::url(String $host, Integer $port, String $path = '') { $host }\n"),
    (
        "new/web/lib/puppet/functions/web/join.rb",
        "Puppet::Functions.create_function(:'web::join') do\n  dispatch :one do\n    param 'String[1]', :a\n    \
         return_type 'String'\n  end\n\n  dispatch :many do\n    param 'Array', :a\n  end\nend\n",
    ),
    ("new/web/hiera.yaml", "version: 5\n"),
    ("new/web/data/common.yaml", "web::owner: root\n"),
];

const TEXT: &str = "\
web 1.2.0 -> 1.3.0

class web  manifests/init.pp:1
! $port: narrowed from Integer to Integer[1, 65535], e.g. Integer 65536
! $sites: now required
  $thing: changed from Missing::Thing to Missing::Other (not checked: a type is not known)
! $gone: removed, was of type String
! $kind: no longer accepts Enum['a'], e.g. String 'a'
  $kind: now also accepts Enum['c']
! $name2: added, required, of type String
  $port: default changed from 80 to 8080
  $user: default changed from undef to 'www'
  $kind: default changed from 'a' to 'b'

defined type web::site  manifests/site.pp:2
! removed

function web::join  lib/puppet/functions/web/join.rb
! number of arguments: 1 instead of 1 to 2, e.g. Array ['a', 0]
! parameter 1 $a: narrowed from String to String[1], e.g. String ''

function web::url  functions/url.pp:1
! number of arguments: 2 to 3 instead of 1 to 2, e.g. Array ['a']
  the returned type changed from String to Any

type alias Web::Mode  types/mode.pp:1
! changed from Pattern[/\\A[0-7]{3,4}\\z/] to Pattern[/\\A[0-7]{4}\\z/] (used by web), e.g. String '000'

metadata.json
! no longer supports AIX
! no longer supports Debian 8
  now supports Debian 10
! requires puppet >= 7.0.0 < 9.0.0 instead of >= 6.1.0 < 8.0.0
  requires puppetlabs-stdlib >= 4.13.1 < 10.0.0 instead of >= 4.13.1 < 9.0.0

13 of 21 changes break users: the major version has to grow, but only the minor version does (1.2.0 -> 1.3.0)
";

fn says(out: &str, code: i32) -> Run {
    Run { out: out.to_owned(), err: String::new(), code }
}

fn complains(err: &str, code: i32) -> Run {
    Run { out: String::new(), err: err.to_owned(), code }
}

#[test]
fn what_breaks_the_users_of_a_module_is_marked() {
    let folder = Folder::new("diff-text", &[&OLD[..], &NEW].concat());
    assert_eq!(folder.run(&["diff", "old/web", "new/web"]), says(TEXT, 1));
    let same = "web 1.2.0 -> 1.2.0\n\nnothing has changed for users\n";
    assert_eq!(folder.run(&["diff", "old/web", "old/web"]), says(same, 0));
}

const SMALL: [(&str, &str); 4] = [
    ("1/metadata.json", r#"{"name": "me-web", "version": "0.1.0"}"#),
    ("1/manifests/init.pp", "class web(Integer $port = 80) { }\n"),
    ("2/metadata.json", r#"{"name": "me-web", "version": "0.2.0"}"#),
    ("2/manifests/init.pp", "class web(String $port = '80', String $host = '') { }\n"),
];

#[test]
fn changes_are_printed_for_changelogs_and_programs() {
    let folder = Folder::new("diff-formats", &SMALL);
    let markdown = "\
## 0.2.0

### Breaking changes

- `class web`: $port: changed from Integer to String, e.g. Integer 0

### Added

- `class web`: $host: added, optional, of type String

### Changed

- `class web`: $port: default changed from 80 to '80'
";
    assert_eq!(folder.run(&["diff", "1", "2", "--format", "markdown"]), says(markdown, 0));
    let change = |text: &str, example: &str, grows: &str| {
        format!(
            "{{\"item\":\"class web\",\"place\":\"manifests/init.pp:1\",\"text\":\"{text}\",\"example\":{example},\
             \"grows\":\"{grows}\"}}"
        )
    };
    let changes = [
        change("$port: changed from Integer to String", "\"Integer 0\"", "major"),
        change("$host: added, optional, of type String", "null", "minor"),
        change("$port: default changed from 80 to '80'", "null", "patch"),
    ];
    // Below 1.0.0 the minor version is for what breaks.
    let json = format!(
        "{{\"module\":\"web\",\"old\":\"0.1.0\",\"new\":\"0.2.0\",\"changes\":[{}],\"required\":\"minor\",\"grown\":\"minor\"}}\n",
        changes.join(",")
    );
    assert_eq!(folder.run(&["diff", "1", "2", "--format", "json"]), says(&json, 0));
}

#[test]
fn data_that_the_new_version_refuses_is_reported() {
    let data = "web::port: 70000\nweb::gone: x\nweb::kind: b\nweb::mode: '075'\nweb::user: ~\nweb::sites: {a: 1}\n";
    let folder = Folder::new("diff-data", &[&OLD[..], &NEW, &[("data/common.yaml", data)]].concat());
    let run = folder.run(&["diff", "old/web", "new/web", "--data", "data"]);
    let heads: Vec<&str> =
        run.out.lines().filter(|line| line.starts_with("error") || line.starts_with("warning")).collect();
    assert_eq!(
        heads,
        [
            "error[TYPE_MISMATCH]: ['web::port']: expected Integer[1, 65535], got Integer 70000",
            "warning[UNKNOWN_PARAMETER]: class web has no parameter $gone",
            "error[TYPE_MISMATCH]: ['web::mode']: expected Web::Mode = Pattern[/\\A[0-7]{4}\\z/], got String '075'",
        ]
    );
    assert!(run.out.starts_with(TEXT) && run.out.ends_with("data: 3 values to change\n"), "{}", run.out);
    assert_eq!(run.code, 1);
}

#[test]
fn revisions_are_read_from_a_git_repository() {
    let folder = Folder::new("diff-git", &SMALL);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "commit.gpgsign=false"];
        let output = Command::new("git").args(identity).args(arguments).current_dir(folder.path()).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q", "."]) {
        return;
    }
    let commit = |version: &str| {
        for file in ["metadata.json", "manifests/init.pp"] {
            let (from, to) = (folder.path().join(version).join(file), folder.path().join("web").join(file));
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from, to).unwrap();
        }
        assert!(git(&["add", "web"]) && git(&["commit", "-q", "-m", version]) && git(&["tag", &format!("v{version}")]));
    };
    commit("1");
    commit("2");
    let text = "\
web 0.1.0 -> 0.2.0

class web  manifests/init.pp:1
! $port: changed from Integer to String, e.g. Integer 0
  $host: added, optional, of type String
  $port: default changed from 80 to '80'

1 of 3 changes breaks users: the minor version has to grow, and does (0.1.0 -> 0.2.0)
";
    for arguments in [
        &["diff", "v1..v2", "web"][..],
        &["diff", "v1", "v2", "web"],
        &["diff", "v1..", "web"],
        &["diff", "v1", "web", "web"],
        &["diff", "1", "v2", "web"],
    ] {
        assert_eq!(folder.run(arguments), says(text, 0), "{arguments:?}");
    }
    let unknown = "error: `v3` is neither a directory nor a revision of a git repository in `web`\n";
    assert_eq!(folder.run(&["diff", "v1..v3", "web"]), complains(unknown, 2));
    assert_eq!(
        folder.run(&["diff", "1", "web/manifests"]),
        complains("error: there is no module in `web/manifests`\n", 2)
    );
}

#[test]
fn modules_that_are_not_installed_are_known_from_an_index() {
    let role = "\
class role(Web::Mode $mode = '9') {
  class { 'web': port => 'x' }
  $url = web::url(1)
  ensure_packages(['a'])
  file_line { 'x': line => 'a' }
  include stdlib
  include web::other
}
";
    let files =
        [("web/Puppetfile", "mod 'me-web'\nmod 'puppetlabs-stdlib'\n"), ("web/site/role/manifests/init.pp", role)];
    let folder = Folder::new("diff-index", &[&OLD[..], &files].concat());
    let index = folder.run(&["index", "old"]);
    assert_eq!((index.err.as_str(), index.code), ("", 0));
    fs::write(folder.path().join("web/index.json"), index.out).unwrap();
    let check = |arguments: &[&str]| {
        let run = run(command(&[&["check"], arguments].concat()).current_dir(folder.path().join("web")), b"");
        let heads: Vec<String> = run.out.lines().filter(|line| line.starts_with("error")).map(str::to_owned).collect();
        let unjudged = run.out.lines().find(|line| line.starts_with("not checked")).unwrap_or_default().to_owned();
        (heads, unjudged)
    };
    assert_eq!(check(&[]), (vec![], "not checked: 4 names in the missing module web".to_owned()));
    let found = (
        vec![
            "error[TYPE_MISMATCH]: the default of $mode expected Web::Mode = Pattern[/\\A[0-7]{3,4}\\z/], got String '9'".to_owned(),
            "error[TYPE_MISMATCH]: the parameter port of class web expected Integer, got String 'x'".to_owned(),
            "error[TYPE_MISMATCH]: argument $host of web::url: expected String, got Integer 1".to_owned(),
        ],
        "not checked: 1 name in the missing module web".to_owned(),
    );
    assert_eq!(check(&["--index", "index.json"]), found);
    fs::write(folder.path().join("web/pcore.toml"), "[check]\nindex = [\"index.json\"]\n").unwrap();
    assert_eq!(check(&[]), found);
    // A module that is installed is right, whatever the index says.
    fs::create_dir_all(folder.path().join("web/site/web/manifests")).unwrap();
    fs::write(folder.path().join("web/site/web/manifests/init.pp"), "class web(String $port) { }\n").unwrap();
    assert_eq!(check(&[]).0.iter().filter(|error| error.contains("parameter port")).count(), 0);
    let wrong = "error: data.json is not an index; write one with `pcore index MODULEPATH > data.json`\n";
    fs::write(folder.path().join("data.json"), "{}").unwrap();
    assert_eq!(folder.run(&["check", "--index", "data.json", "web"]), complains(wrong, 2));
}
