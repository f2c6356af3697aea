//! Tests of `cli::project`, of which it is a module.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Project, relative_path};

/// The summary of a directory that holds these files and folders (names that end in a slash).
fn summary(name: &str, entries: &[(&str, &str)]) -> Option<String> {
    // Other tests are not its siblings.
    let root = std::env::temp_dir().join(format!("pcore-project-{}-{name}/{name}", std::process::id()));
    fs::create_dir_all(&root).unwrap();
    for (entry, text) in entries {
        let path: PathBuf = root.join(entry);
        if entry.ends_with('/') {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let found = Project::find_enclosing(&root).banner_summary(&root);
    fs::remove_dir_all(root.parent().unwrap()).unwrap();
    found
}

#[test]
fn folders_are_shown_relative_to_the_directory() {
    let cases = [("/a/b/c", "c"), ("/a/b", "."), ("/a", ".."), ("/x", "/x")];
    for (folder, expected) in cases {
        assert_eq!(relative_path(Path::new(folder), Path::new("/a/b")), expected);
    }
}

#[test]
fn a_module_is_itself_and_what_its_tests_use() {
    let metadata = ("metadata.json", r#"{"name": "example-web"}"#);
    assert_eq!(summary("alone", &[metadata]).as_deref(), Some("module web"));
    let fixtures = [metadata, ("modules/", ""), ("spec/fixtures/modules/", "")];
    assert_eq!(
        summary("fixtures", &fixtures).as_deref(),
        Some("module web, modules in spec/fixtures/modules, modules")
    );
    let tested = [metadata, ("environment.conf", "")];
    assert_eq!(summary("tested", &tested).as_deref(), Some("module web"));
    assert_eq!(summary("slash", &[("metadata.json", r#"{"name": "a/b"}"#)]).as_deref(), Some("module b"));
}

#[test]
fn metadata_without_a_name_leaves_that_of_the_directory() {
    assert_eq!(summary("web", &[("metadata.json", "no json")]).as_deref(), Some("module web"));
    assert_eq!(summary("puppet-web", &[("manifests/init.pp", "")]).as_deref(), Some("module web"));
}

#[test]
fn a_directory_laid_out_as_a_module_is_one() {
    assert_eq!(summary("puppet-web", &[("types/", ""), ("types/port.pp", "")]).as_deref(), Some("module web"));
    assert_eq!(summary("bare", &[("types/", ""), ("manifests/", "")]), None);
}

#[test]
fn an_environment_says_where_it_keeps_modules() {
    let folders = [("modules/", ""), ("site/", ""), ("vendor/modules/", "")];
    let says = |name: &str, text: &str| {
        let entries: Vec<_> = folders.iter().copied().chain([("environment.conf", text)]).collect();
        summary(name, &entries)
    };
    let some = "# modulepath = modules\n modulepath = vendor/modules : site:none:$basemodulepath\r\nmanifest=x\n";
    assert_eq!(says("said", some).as_deref(), Some("modules in vendor/modules, site"));
    assert_eq!(says("unsaid", "manifest = x\n").as_deref(), Some("modules in modules, site"));
    assert_eq!(says("empty-path", "modulepath =\n"), None);
}

#[test]
fn an_environment_may_be_in_a_folder_of_a_repository() {
    let puppet = [("puppet/Puppetfile", ""), ("puppet/manifests/site.pp", ""), ("puppet/modules/", "")];
    let test = [("test/hiera.yaml", ""), ("test/manifests/site.pp", "")];
    assert_eq!(summary("one", &puppet).as_deref(), Some("modules in modules"));
    assert_eq!(summary("one-and-test", &[&puppet[..], &test].concat()).as_deref(), Some("modules in modules"));
    let second = [("other/Puppetfile", ""), ("other/manifests/site.pp", ""), ("other/modules/", "")];
    assert_eq!(summary("two", &[puppet, second].concat()), None);
    let module = [("web/manifests/init.pp", "")];
    assert_eq!(summary("and-a-module", &[&puppet[..], &module].concat()).as_deref(), Some("modules in ."));
}

#[test]
fn a_code_directory_has_modules_for_all_environments() {
    let production = [("environments/production/environment.conf", ""), ("environments/production/site/", "")];
    let shared = [("modules/web/manifests/init.pp", "")];
    let (own, all) = ("modules in site", "modules in site, ../../modules");
    assert_eq!(summary("code-of-one", &production).as_deref(), Some(own));
    assert_eq!(summary("code-shared", &[&production[..], &shared].concat()).as_deref(), Some(all));
    let test = [("environments/test/environment.conf", ""), ("environments/test/modules/", "")];
    assert_eq!(summary("code-of-two", &[&production[..], &test, &shared].concat()).as_deref(), Some(all));
    assert_eq!(summary("code-test", &test).as_deref(), Some("modules in modules"));
    let staging = [("environments/staging/environment.conf", "")];
    assert_eq!(summary("code-without-default", &[test.as_slice(), &staging].concat()), None);
}

#[test]
fn an_environment_keeps_modules_in_fixed_places() {
    let folders = [("site/", ""), ("site-modules/", ""), ("modules/", ""), ("spec/fixtures/modules/", "")];
    for file in ["environment.conf", "Puppetfile"] {
        let entries: Vec<_> = folders.iter().copied().chain([(file, "")]).collect();
        assert_eq!(summary(file, &entries).as_deref(), Some("modules in modules, site-modules, site"));
    }
    let fixtures = [("spec/fixtures/modules/", ""), ("modules/", "")];
    assert_eq!(summary("neither", &fixtures), None);
    let control = [("data/", ""), ("modules/", "")];
    assert_eq!(summary("control", &control).as_deref(), Some("modules in modules"));
}
