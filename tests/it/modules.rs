//! Modules: type aliases, functions and templates in files, named by programs; where the program looks for them.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(feature = "cli")]
use std::process::Command;

use pcore::error::Error;
use pcore::format;
use pcore::session::{Session, Strictness};
use pcore::text::Source;

#[cfg(feature = "cli")]
use super::program::{Run, command, run};

/// A folder of files that is gone when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Folder(root)
    }

    /// Where it is.
    #[cfg(feature = "cli")]
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The program with this as its working directory.
    #[cfg(feature = "cli")]
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        run(command(arguments).current_dir(&self.0), b"")
    }

    /// What `pcore -e code` prints when this is the working directory.
    #[cfg(feature = "cli")]
    fn says(&self, code: &str) -> String {
        let output =
            Command::new(env!("CARGO_BIN_EXE_pcore")).args(["-e", code]).current_dir(&self.0).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

const WEB: [(&str, &str); 9] = [
    ("web/types/port.pp", "# A port\ntype Web::Port = Integer[1, 65535]\n"),
    ("web/types/init.pp", "type Web = Struct[{name => String[1], port => ::Web::Port}]\n"),
    ("web/types/site/tree.pp", "type Web::Site::Tree = Variant[Web, Array[Web::Site::Tree]]\n"),
    ("web/types/other.pp", "type Web::Another = Integer\n"),
    ("web/types/broken.pp", "type Web::Broken =\n  Integer[1,\n"),
    (
        "web/functions/url.pp",
        "function web::url(Web $site, String $path = '/') >> String {\n  \"http://${site[name]}:${site['port'] + 0}${path}\"\n}\n",
    ),
    ("web/functions/init.pp", "function web(Integer $x) {\n  $x + nosuch($x)\n}\n"),
    ("web/functions/page.pp", "function web::page($site) { epp('web/page', {site => $site}) }\n"),
    ("web/templates/page.epp", "<%- | Web $site | -%>\nat <%= web::url($site, '/a') %>\n"),
];

/// The `%p` text of the answer with the modules of `folder`, or the error, its place and the file it is in.
fn answer(folder: &Folder, code: &str) -> String {
    let mut session = Session::new(Strictness::Error);
    session.set_modules(vec![folder.0.clone()], None);
    match session.evaluate(&Source::new("test", code), &mut |_| {}) {
        Ok(value) => format::program_text(&value),
        Err(error) => place_of(&error, &folder.0),
    }
}

fn place_of(error: &Error, root: &Path) -> String {
    let position = error.position().unwrap();
    // A file under the working directory is called by its way from there.
    let name = Path::new(error.source_text().unwrap().name());
    let file = std::env::current_dir().unwrap().join(name);
    let file = file.strip_prefix(root).unwrap_or(name).display();
    format!("{} {file}:{}:{}", error.code(), position.line, position.column)
}

#[test]
fn aliases_and_functions_load_when_they_are_named() {
    let web = Folder::new("modules-named", &WEB);
    let cases = [
        ("80 =~ Web::Port", "true"),
        ("{name => 'a', port => 1} =~ Web", "true"),
        ("{name => 'a', port => 0} =~ ::Web", "false"),
        ("[[{name => 'a', port => 1}], []] =~ Web::Site::Tree", "true"),
        ("[[1]] =~ Web::Site::Tree", "false"),
        ("[80 =~ Web::PORT, Web::PORT]", "[true, Web::Port = Integer[1, 65535]]"),
        ("web::url({name => 'a', port => 1})", "'http://a:1/'"),
        ("{name => 'a', port => 1}.web::url('/b')", "'http://a:1/b'"),
        ("web::page({name => 'a', port => 1})", r#""at http://a:1/a\n""#),
        ("epp('web/page', {site => {name => 'a', port => 1}})", r#""at http://a:1/a\n""#),
        ("[module_directory('nowhere'), find_file('web/x')]", "[undef, undef]"),
    ];
    for (code, expected) in cases {
        assert_eq!(answer(&web, code), expected, "{code}");
    }
}

#[test]
fn errors_are_shown_where_they_are() {
    let web = Folder::new("modules-errors", &WEB);
    let cases = [
        // What is wrong with a call stands at the call, what is wrong in a file in the file.
        ("\n web::url(5)", "RUNTIME_ERROR test:2:2"),
        ("\n epp('web/page', {site => 1})", "RUNTIME_ERROR test:2:2"),
        ("\n web(1)", "UNKNOWN_FUNCTION web/functions/init.pp:2:8"),
        ("\n 1 =~ Web::Broken", "SYNTAX_ERROR web/types/broken.pp:3:1"),
        ("\n 1 =~ Web::Other", "RUNTIME_ERROR web/types/other.pp:1:1"),
        ("\n 1 =~ Web::Nosuch", "UNKNOWN_RESOURCE_TYPE test:2:7"),
        ("\n web::nosuch()", "UNKNOWN_FUNCTION test:2:2"),
    ];
    for (code, expected) in cases {
        assert_eq!(answer(&web, code), expected, "{code}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn a_program_can_name_the_modules_of_the_working_directory() {
    let port = |name: &str| format!("type {name}::Port = Integer[1, 65535]\n");
    let (own, fixture, local) = (port("Own"), port("Fixture"), port("Local"));
    let module = Folder::new(
        "modules-module",
        &[
            ("metadata.json", r#"{"name": "example-own"}"#),
            ("types/port.pp", &own),
            ("templates/t.epp", "<%= 1 + 1 %>"),
            ("spec/fixtures/modules/fixture/types/port.pp", &fixture),
            ("site/local/types/port.pp", &local),
        ],
    );
    assert_eq!(module.says("[0 =~ Own::Port, 1 =~ Fixture::Port, epp('own/t.epp')]"), "[false, true, '2']\n");
    let environment = Folder::new(
        "modules-environment",
        &[
            ("environment.conf", ""),
            ("site/local/types/port.pp", &local),
            ("site-modules/own/types/port.pp", &own),
            ("modules/fixture/types/port.pp", &fixture),
        ],
    );
    assert_eq!(environment.says("[0 =~ Own::Port, 1 =~ Fixture::Port, 1 =~ Local::Port]"), "[false, true, true]\n");
}

#[cfg(feature = "cli")]
#[test]
fn a_module_path_goes_before_the_working_directory() {
    let files = [
        ("environment.conf", ""),
        ("modules/a/types/x.pp", "type A::X = String\n"),
        ("other/a/types/x.pp", "type A::X = Integer\n"),
    ];
    let folder = Folder::new("modules-path", &files);
    assert_eq!(folder.says("1 =~ A::X"), "false\n");
    let output = Command::new(env!("CARGO_BIN_EXE_pcore"))
        .args(["--modulepath", "other", "-e", "1 =~ A::X"])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "true\n");
}

#[test]
fn classes_and_defined_types_of_modules_are_known_by_their_parameters() {
    let site = "define web::site(String[1] $host, Integer $port = 80) { notify { $host: } }";
    let files = [("web/manifests/init.pp", "class web(Integer[1] $workers = 4) { }"), ("web/manifests/site.pp", site)];
    let folder = Folder::new("manifests", &files);
    let mut session = Session::new(Strictness::Error);
    session.set_modules(vec![folder.0.clone()], None);
    let signature = |session: &mut Session, name: &str| session.class_parameters(name).unwrap();
    let told = |signature: &str, type_: &str| Some((signature.to_owned(), type_.to_owned()));
    assert_eq!(
        signature(&mut session, "web"),
        told("class web(Integer[1] $workers = 4)", "Struct[{Optional['workers'] => Integer[1]}]")
    );
    assert_eq!(
        signature(&mut session, "Web::Site"),
        told(
            "define web::site(String[1] $host, Integer $port = 80)",
            "Struct[{'host' => String[1], Optional['port'] => Integer}]"
        )
    );
    assert_eq!(signature(&mut session, "web::nosuch"), None);
    assert_eq!(answer(&folder, "Web::Site['a'] <= Resource"), "true");
}

#[cfg(feature = "cli")]
#[test]
fn a_function_in_ruby_says_so_and_where_it_is() {
    let folder = Folder::new(
        "modules-ruby",
        &[
            ("environment.conf", ""),
            (
                "modules/web/lib/puppet/functions/web/digest.rb",
                "# Computes a digest.\nPuppet::Functions.create_function(:'web::digest') do\nend\n",
            ),
            ("modules/web/lib/puppet/parser/functions/older.rb", ""),
        ],
    );
    let says = |code: &str| {
        let text = folder.says(code);
        let lines: Vec<&str> =
            text.lines().filter(|line| line.starts_with("error") || line.contains("help:")).collect();
        lines.join("\n")
    };
    assert_eq!(
        says("web::digest('a')"),
        "error[UNKNOWN_FUNCTION]: the function web::digest is written in Ruby, which pcore does not run\n  = help: it is \
         defined in modules/web/lib/puppet/functions/web/digest.rb"
    );
    assert_eq!(
        says("[1].older"),
        "error[UNKNOWN_FUNCTION]: the function older is written in Ruby, which pcore does not run\n  = help: it is defined \
         in modules/web/lib/puppet/parser/functions/older.rb"
    );
}
