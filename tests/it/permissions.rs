//! Which files programs may read, and that reading always ends.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use pcore::files::Permissions;
use pcore::format;
use pcore::session::{Session, Strictness};

/// A folder with a module path, a module in it that is a link, files inside and outside, and links between them.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let root = std::env::temp_dir().join(format!("pcore-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for directory in ["modules/web/files", "modules/web/templates", "modules/.git", "elsewhere/files", "allowed"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        for file in [
            "modules/web/files/a",
            "elsewhere/files/b",
            "allowed/c",
            "secret",
            "secret.epp",
            "modules/secret",
            "modules/.git/config",
        ] {
            fs::write(root.join(file), "text").unwrap();
        }
        symlink(root.join("elsewhere"), root.join("modules/linked")).unwrap();
        symlink(root.join("secret"), root.join("modules/web/files/out")).unwrap();
        symlink(&root, root.join("modules/web/files/above")).unwrap();
        Folder(root.canonicalize().unwrap())
    }

    fn session(&self, permissions: Permissions) -> Session {
        Session::builder()
            .strictness(Strictness::Warning)
            .permissions(permissions)
            .module_path([self.0.join("modules")])
            .build()
    }

    /// What a program answers, or the code of its error; `DIR` is the folder.
    fn answer(&self, permissions: Permissions, code: &str) -> String {
        let code = code.replace("DIR", self.0.to_str().unwrap());
        let answer = self.session(permissions).eval(&code);
        answer.map_or_else(|error| error.code().to_owned(), |value| format::program_text(&value))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TEXT: &str = "Binary(\"dGV4dA==\")";

#[test]
fn programs_read_modules_and_what_is_allowed() {
    let folder = Folder::new("permissions");
    let allowed = || Permissions::default().allow_read(folder.0.join("allowed"));
    for (code, answer) in [
        ("binary_file('web/a')", TEXT),
        ("binary_file('DIR/modules/web/files/a')", TEXT),
        // Neither is part of a module.
        ("binary_file('DIR/modules/secret')", "NOT_ALLOWED"),
        ("binary_file('DIR/modules/nothing')", "NOT_ALLOWED"),
        ("binary_file('DIR/modules/.git/config')", "NOT_ALLOWED"),
        ("binary_file('linked/b')", TEXT),
        ("binary_file('DIR/allowed/c')", TEXT),
        ("binary_file('DIR/allowed/../allowed/c')", TEXT),
        ("binary_file('DIR/allowed/none')", "RUNTIME_ERROR"),
        ("binary_file('web/none')", "RUNTIME_ERROR"),
        ("binary_file('DIR/secret')", "NOT_ALLOWED"),
        ("binary_file('DIR/no_secret')", "NOT_ALLOWED"),
        ("binary_file('web/../../../secret')", "NOT_ALLOWED"),
        ("binary_file('web/../../../none')", "NOT_ALLOWED"),
        ("binary_file('web/out')", "NOT_ALLOWED"),
        ("binary_file('web/above/secret')", "NOT_ALLOWED"),
        ("binary_file('web/above/none')", "NOT_ALLOWED"),
        ("binary_file('web/above/allowed/c')", "NOT_ALLOWED"),
        ("epp('DIR/secret')", "NOT_ALLOWED"),
        ("epp('web/../../../secret')", "NOT_ALLOWED"),
        ("Puppet::LookupContext('web').cached_file_data('DIR/secret')", "NOT_ALLOWED"),
        ("yaml_data({'path' => 'DIR/secret'}, Puppet::LookupContext('web'))", "NOT_ALLOWED"),
        ("find_file('DIR/secret')", "undef"),
        ("find_file('/dev/stdin', '/etc/passwd', '/proc/self/environ')", "undef"),
        ("find_file('../../secret')", "undef"),
        ("find_file('web/out')", "undef"),
        ("module_directory('..')", "undef"),
        ("module_directory('.', '', '../elsewhere', 'web/files')", "undef"),
    ] {
        assert_eq!(folder.answer(allowed(), code), answer, "{code}");
    }
    assert_eq!(folder.answer(Permissions::allow_all(), "binary_file('DIR/secret')"), TEXT);
    assert_eq!(folder.answer(Permissions::allow_all(), "binary_file('web/out')"), TEXT);
}

#[test]
fn what_is_no_regular_file_is_not_opened() {
    for file in ["/dev/zero", "/dev/tty", "/dev/stdin", "/dev"] {
        let mut session = Session::builder().permissions(Permissions::allow_all()).build();
        for code in
            [format!("binary_file('{file}')"), format!("Puppet::LookupContext('web').cached_file_data('{file}')")]
        {
            assert_eq!(session.eval(&code).unwrap_err().code(), "RUNTIME_ERROR", "{code}");
        }
    }
}

/// A pipe that nobody writes to would be waited for.
#[test]
fn a_named_pipe_is_not_waited_for() {
    let folder = Folder::new("pipe");
    let pipe = folder.0.join("modules/web/files/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|made| made.success()) {
        assert_eq!(folder.answer(Permissions::default(), "binary_file('web/pipe')"), "RUNTIME_ERROR");
    }
}

#[cfg(feature = "cli")]
#[test]
fn batch_reads_only_modules_and_what_is_allowed() {
    use super::program::pcore;

    let request = |path: &std::path::Path| format!("{{\"code\": \"binary_file('{}')\"}}\n", path.display());
    let folder = Folder::new("batch");
    let requests = request(&folder.0.join("secret")) + &request(&folder.0.join("allowed/c"));
    let issues = |arguments: &[&str]| {
        let run = pcore(arguments, requests.as_bytes());
        let answers = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        answers.map(|answer| answer["issue"].as_str().unwrap_or("none").to_owned()).collect::<Vec<_>>()
    };
    let allowed = folder.0.join("allowed");
    assert_eq!(issues(&["batch"]), ["NOT_ALLOWED", "NOT_ALLOWED"]);
    assert_eq!(issues(&["batch", "--allow-read", allowed.to_str().unwrap()]), ["NOT_ALLOWED", "none"]);
}

#[cfg(feature = "cli")]
#[test]
fn restricted_programs_and_transcripts_read_only_modules_and_what_is_allowed() {
    use super::program::pcore;

    let folder = Folder::new("restricted");
    let file = |name: &str, text: &str| {
        let path = folder.0.join(name);
        fs::write(&path, text.replace("DIR", folder.0.to_str().unwrap())).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let program = file("program.pp", "binary_file('DIR/allowed/c')");
    let transcript = file("session.md", "```pcore\n>> :load DIR/secret.pp\n=> 1\nDIR/secret.pp defines $x\n```\n");
    file("secret.pp", "$x = 1\n$x");
    let allowed = folder.0.join("allowed");
    let code = |arguments: &[&str]| pcore(arguments, b"").code;
    assert_eq!((code(&[&program]), code(&["--restricted", &program])), (0, 1));
    assert_eq!(code(&["--restricted", "--allow-read", allowed.to_str().unwrap(), &program]), 0);
    assert_eq!((code(&["test", &transcript]), code(&["test", "--restricted", &transcript])), (0, 1));
}
