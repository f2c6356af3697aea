//! Which project `pcore check` finds in a directory, what of it is checked, and what is left out: no manifest stays
//! unchecked in silence.

use super::modules::Folder;

/// What the last lines say before the values that were compared, in the directory `below` a folder of these files.
fn said(name: &str, below: &str, files: &[(&str, &str)]) -> Vec<String> {
    let folder = Folder::new(&format!("layout-{name}"), files);
    let run = super::program::run(super::program::command(&["check"]).current_dir(folder.path().join(below)), b"");
    let lines: Vec<String> = run.out.lines().map(str::to_owned).collect();
    let end = lines.iter().position(|line| line.contains(" compared: ")).unwrap_or(lines.len());
    let is_of_finding =
        |line: &str| line.starts_with([' ', '1']) || line.starts_with("warning[") || line.starts_with("error[");
    lines.into_iter().take(end).filter(|line| !is_of_finding(line)).collect()
}

const METADATA: (&str, &str) = ("metadata.json", r#"{"name": "me-web", "version": "1.0.0"}"#);

#[track_caller]
fn assert_layout(name: &str, below: &str, files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(said(name, below, files), expected, "{name}");
}

#[test]
fn modules() {
    let init = ("manifests/init.pp", "class web { }");
    assert_layout(
        "metadata",
        "",
        &[METADATA, init, ("types/p.pp", "type Web::P = Integer")],
        &["module web: 2 manifests"],
    );
    assert_layout("puppet-web", "", &[init], &["module web: 1 manifest"]);
    assert_layout("types", "", &[("types/p.pp", "type Types::P = Integer")], &["module types: 1 manifest"]);
    assert_layout("below", "manifests", &[METADATA, init], &["module web: 1 manifest"]);
    let files = [
        METADATA,
        init,
        ("templates/a.epp", "a"),
        ("data/common.yaml", "web::a: 1"),
        ("hiera.yaml", "version: 5"),
        ("examples/init.pp", "include web"),
        ("spec/fixtures/site.pp", "1"),
        ("spec/fixtures/manifests/a.pp", "1"),
        ("tasks.pp", "1"),
    ];
    let said = [
        "module web: 1 manifest, 1 template, 1 data file, 1 hiera.yaml file",
        "left out: 1 manifest in ., 1 manifest in examples, 2 manifests in spec",
    ];
    assert_layout("left", "", &files, &said);
}

#[test]
fn environments() {
    let own = ("manifests/site.pp", "node default { }");
    let site = ("site/role/manifests/init.pp", "class role { }");
    let module = ("modules/apache/manifests/init.pp", "class apache { }");
    let conf = ("environment.conf", "modulepath = site:$basemodulepath\n");
    let left = "left out: 1 manifest in modules";
    assert_layout("conf", "", &[conf, own, site, module], &["environment: 2 manifests", left]);
    // `environment.conf` wins over metadata.
    assert_layout("both", "", &[conf, METADATA, own, site], &["environment: 2 manifests"]);
    assert_layout("deep", "site/role/manifests", &[("environment.conf", ""), own, site], &["module role: 1 manifest"]);
    let manifest = ("environment.conf", "manifest = nodes\nmodulepath = site\n");
    assert_layout("manifest", "", &[manifest, ("nodes/a.pp", "node a { }"), site], &["environment: 2 manifests"]);
    let hiera = ("hiera.yaml", "version: 5\nhierarchy:\n  - name: a\n    path: a.yaml\n    datadir: values\n");
    let data = ("values/a.yaml", "apache::x: 1");
    let said = ["environment: 1 manifest, 1 data file, 1 hiera.yaml file"];
    assert_layout("datadir", "", &[("environment.conf", ""), hiera, data, module], &said);
    assert_layout("plain", "", &[("hieradata/common.yaml", "a: 1"), module], &["environment: 1 manifest, 1 data file"]);
}

#[test]
fn control_repositories() {
    let puppetfile =
        ("Puppetfile", "forge 'x'\nmod 'puppetlabs-apache', '1.0'\n#mod 'me-web'\nmod 'me/own', :local => true\n");
    let apache = ("modules/apache/manifests/init.pp", "class apache { }");
    let own = ("modules/own/manifests/init.pp", "class own { }");
    let web = ("modules/web/manifests/init.pp", "class web { }");
    let left = "left out: 1 module installed by Puppetfile";
    assert_layout(
        "puppetfile",
        "",
        &[puppetfile, apache, own, web],
        &["control repository: 2 manifests, 1 Puppetfile", left],
    );
    // The same with metadata and a place for modules of its own.
    let site = ("site-modules/role/manifests/init.pp", "class role { }");
    assert_layout(
        "metadata-too",
        "",
        &[puppetfile, METADATA, site, apache],
        &["control repository: 1 manifest, 1 Puppetfile", left],
    );
    let elsewhere = ("Puppetfile", "moduledir 'thirdparty'\nmod \"puppetlabs/apache\",\n  git: 'https://x'\n");
    let third = ("thirdparty/apache/manifests/init.pp", "class apache { }");
    assert_layout("moduledir", "", &[elsewhere, third, web], &["control repository: 1 manifest, 1 Puppetfile", left]);
    let beside = [
        site,
        ("Puppetfile", ""),
        ("site/role/data/common.yaml", "role::a: 1"),
        ("site/role/examples/init.pp", "include rule"),
        ("site/role/files/hiera.yaml", "version: 3"),
        ("site/role/plans/a.pp", "plan role::a() { }"),
    ];
    let said = ["control repository: 2 manifests, 1 data file, 1 Puppetfile", "left out: 1 manifest in site"];
    assert_layout("beside", "", &beside, &said);
}

#[test]
fn folders_of_modules() {
    let files = [
        ("apache/manifests/init.pp", "class apache { }"),
        ("ntp/metadata.json", "{}"),
        ("ntp/types/t.pp", "type Ntp::T = Integer"),
    ];
    assert_layout("folder", "", &files, &["folder of modules: 2 manifests"]);
}

#[test]
fn the_project_of_a_path_counts_where_the_working_directory_is_not_around_it() {
    let folder = Folder::new(
        "layout-path",
        &[
            ("one/environment.conf", "modulepath = site\n"),
            ("one/manifests/site.pp", "node default { include role }"),
            ("one/site/role/manifests/init.pp", "class role(Role::Port $port = 80) { }"),
            ("one/site/role/types/port.pp", "type Role::Port = Integer"),
            ("two/environment.conf", ""),
            ("two/manifests/site.pp", "1"),
        ],
    );
    let path = folder.path().join("one");
    for (place, path) in [("", "one"), ("two", path.to_str().unwrap()), ("two", "../one"), ("one", ".")] {
        let command = &mut super::program::command(&["check", path]);
        let run = super::program::run(command.current_dir(folder.path().join(place)), b"");
        assert!(run.out.contains(" compared: all match"), "{path} in {place}: {}", run.out);
    }
}
