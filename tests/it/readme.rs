//! The README and the pages that it leads to: sessions, commands, recipes, tables and links. (Rust code is tested with the
//! documentation of the library.)

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::files_below;
use super::program::{command, pcore, run};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn written(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The code blocks of a page, each with the word after its fence.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_owned(), code.join("\n") + "\n"));
        }
    }
    blocks
}

fn blocks_in(page: &str, wanted: &str) -> Vec<String> {
    blocks(&written(page)).into_iter().filter(|(language, _)| language == wanted).map(|(_, code)| code).collect()
}

#[test]
fn the_readme_is_a_page_that_is_read() {
    let words = written("README.md").split_whitespace().count();
    assert!(words <= 1000, "{words} words");
}

/// Each of these languages has a test below, or is tested with the documentation.
#[test]
fn every_block_is_tested() {
    let languages: Vec<String> = blocks(&written("README.md")).into_iter().map(|(language, _)| language).collect();
    assert_eq!(languages, ["sh", "sh", "pcore", "console", "yaml", "rust"]);
}

#[test]
fn the_session_is_answered_as_written() {
    let run = pcore(&["test", "README.md"], b"");
    assert_eq!((run.err.as_str(), run.code), ("", 0), "{}", run.out);
}

#[test]
fn the_commands_print_what_is_written() {
    let program = Path::new(env!("CARGO_BIN_EXE_pcore")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    for page in ["README.md", "transcripts/commands.md"] {
        let [written] = &*blocks_in(page, "console") else { panic!("{page} has one block of commands") };
        let mut printed = String::new();
        for command in written.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let output =
                Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(root()).output().unwrap();
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command}");
            write!(printed, "$ {command}\n{}", String::from_utf8(output.stdout).unwrap()).unwrap();
        }
        assert_eq!(&printed, written, "{page}");
    }
}

/// The commands that start with `pcore` in shell code, recipes and quoted in prose.
fn commands(page: &str) -> Vec<String> {
    let shell = blocks_in(page, "sh").join("") + &blocks_in(page, "yaml").join("");
    let from_code = shell.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("- ").trim_start_matches("entry: ");
        let line = line.split(" #").next()?.split(" >").next()?;
        (line == "pcore" || line.starts_with("pcore ")).then(|| line.trim().to_owned())
    });
    let text = written(page);
    let from_prose = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned));
    let from_prose = from_prose.filter(|code| code.starts_with("pcore ") && !code.contains('>'));
    from_code.chain(from_prose.collect::<Vec<_>>()).collect()
}

#[test]
fn the_commands_exist() {
    const HOOKS: &str = "packaging/pre-commit/.pre-commit-hooks.yaml";
    let hooks = written(HOOKS);
    let hooks = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: ")).map(str::to_owned).collect();
    let pages = ["README.md", "transcripts/ci.md"].map(|page| (page, commands(page)));
    for (page, commands) in pages.into_iter().chain([(HOOKS, hooks)]) {
        assert!(commands.len() >= 3, "{page}: {commands:?}");
        let formats = pcore(&["check", "--help"], b"").out;
        for line in commands {
            // Until the format exists, its recipe is for a later version.
            if line.contains("--format gitlab") && !formats.contains("gitlab") {
                continue;
            }
            let mut arguments: Vec<&str> = line.split(' ').skip(1).collect();
            arguments.push("--help");
            let run = run(&mut command(&arguments), b"");
            assert_eq!((run.err.as_str(), run.code), ("", 0), "{page}: {line}");
        }
    }
}

#[test]
fn the_program_is_built_as_written() {
    assert_eq!(blocks_in("README.md", "sh")[0], "cargo install --locked --path .\n");
    assert!(root().join("Cargo.lock").exists());
    let manifest = written("Cargo.toml");
    let minimum = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.split('"').next()).unwrap();
    assert!(written("README.md").contains(&format!("with Rust {minimum} or later")));
}

/// One version number: what a release is named after follows Cargo.toml.
#[test]
fn the_version_is_the_same_everywhere() {
    for (page, line) in [
        ("README.md", format!("`apt install ./pcore_{VERSION}-1_amd64.deb`")),
        ("README.md", format!("`rpm -i pcore-{VERSION}-1.x86_64.rpm`")),
        ("README.md", format!("`tar xzf pcore-{VERSION}-x86_64-linux.tar.gz`")),
        ("README.md", format!("{{uses: OWNER/pcore@v{VERSION}}}")),
        ("transcripts/ci.md", format!("- uses: OWNER/pcore@v{VERSION}\n")),
        ("transcripts/ci.md", format!("pip install puppet-pcore=={VERSION}\n")),
        ("transcripts/ci.md", format!("    rev: v{VERSION}\n")),
        ("action.yml", format!("    default: {VERSION}\n")),
        ("CHANGELOG.md", format!("# Changelog\n\n## {VERSION} (")),
    ] {
        assert!(written(page).contains(&line), "{page}: {line}");
    }
}

#[test]
fn the_packages_have_the_names_that_are_written() {
    let readme = written("README.md");
    assert!(readme.contains("`pip install puppet-pcore`"));
    assert!(written("packaging/python/pyproject.toml").contains("\nname = \"puppet-pcore\"\n"));
    assert!(written("packaging/pre-commit/setup.py").contains("\"puppet-pcore==VERSION\""));
    assert!(readme.contains("`gem install pcore`"));
    assert!(written("packaging/ruby/pcore.gemspec").contains("spec.name = 'pcore'\n"));
    let recipes = written("transcripts/ci.md");
    let hooks = written("packaging/pre-commit/.pre-commit-hooks.yaml");
    for id in blocks_in("transcripts/ci.md", "yaml")[2].lines().filter_map(|line| line.trim().strip_prefix("- id: ")) {
        assert!(hooks.contains(&format!("- id: {id}\n")), "{id}");
    }
    let action = written("action.yml");
    for input in ["arguments", "working-directory"] {
        assert!(recipes.contains(&format!("          {input}: ")) && action.contains(&format!("\n  {input}:\n")));
    }
    let [ruby] = &*blocks_in("transcripts/ci.md", "ruby") else { panic!("one recipe for rake") };
    assert!(ruby.starts_with("require 'pcore/rake_task'\nPcore::RakeTask.new { |task| task.options = "));
    assert!(root().join("packaging/ruby/lib/pcore/rake_task.rb").exists());
}

#[test]
fn links_lead_to_files() {
    let mut pages = files_below(&root().join("transcripts"), "md");
    pages.extend(["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|page| root().join(page)));
    for page in pages {
        for target in links(&fs::read_to_string(&page).unwrap()) {
            assert!(page.parent().unwrap().join(&target).exists(), "{}: {target}", page.display());
        }
    }
}

/// The files that a page links to, outside of code.
fn links(page: &str) -> Vec<String> {
    let mut is_code = false;
    let prose = page.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    // Every second piece between backticks is code.
    let prose: String = prose.flat_map(|line| line.split('`').step_by(2).chain(["\n"])).collect();
    let links = prose.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    links.filter(|link| !link.is_empty() && !link.contains("://")).map(str::to_owned).collect()
}

/// The output of a command as a picture: severities, carets and advice in colour, all on a dark ground.
fn picture(output: &str) -> String {
    /// The height of a line, the width of a letter, and the margin.
    const LINE: usize = 20;
    const LETTER: usize = 8;
    const MARGIN: usize = 16;
    let lines: Vec<&str> = output.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (longest * LETTER + 2 * MARGIN, lines.len() * LINE + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" \
         font-size=\"13\" fill=\"#d8dee9\" xml:space=\"preserve\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#20242c\"/>\n"
    );
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    for (number, line) in lines.iter().copied().enumerate() {
        let carets = line.trim_end_matches('^').len();
        let mark = |mark: &str| line.starts_with(mark).then_some(mark.len());
        let (from, to, colour) = if let Some(to) = mark("$ ") {
            (0, to, "#8fbf7f")
        } else if line.starts_with("error") {
            (0, line.find(": ").unwrap(), "#e06c75")
        } else if line.starts_with("warning") {
            (0, line.find(": ").unwrap(), "#e5c07b")
        } else if carets < line.len() {
            (carets, line.len(), "#e06c75")
        } else if let Some(to) = mark("  = help:") {
            (4, to, "#7fb8d8")
        } else {
            (0, 0, "#d8dee9")
        };
        writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{}\" textLength=\"{}\">{}<tspan fill=\"{colour}\">{}</tspan>{}</text>",
            MARGIN + number * LINE + 14,
            line.chars().count() * LETTER,
            escaped(&line[..from]),
            escaped(&line[from..to]),
            escaped(&line[to..])
        )
        .unwrap();
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_a_check() {
    let run = run(command(&["check"]).current_dir(root().join("tests/readme/varnish")), b"");
    assert_eq!(run.code, 1, "{}", run.out);
    let path = root().join("transcripts/check.svg");
    let expected = picture(&format!("$ pcore check\n{}{}", run.err, run.out));
    if std::env::var_os("PCORE_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), expected, "set PCORE_BLESS to draw the picture anew");
}

#[test]
fn the_limits_are_those_of_the_table() {
    let page = written("SECURITY.md");
    for row in &pcore::limits::TABLE {
        let default = if row.default == u64::MAX { "none".to_owned() } else { row.format_quantity(row.default) };
        let line = format!("| {} | {default} | {} |", row.name, row.summary);
        assert!(page.contains(&line), "{line}");
    }
}
