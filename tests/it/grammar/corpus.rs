//! The corpus: small programs with a lesson each, and the tree that real Puppet makes of them.
//!
//! `grammar/corpus/*.txt` is laid out as the corpora of tree-sitter grammars: a title between two lines of `=`, the
//! source, a line `---`, the tree in Puppet Extended S-Expression Notation. What Puppet rejects has `error CODE` and the
//! place in the tree's stead. `:template` under the title makes it a template in embedded Puppet.
//!
//! `PCORE_BLESS=1 cargo test --test it corpus` writes the trees that the parser makes into the files; read them before
//! you commit them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pcore::syntax::pn::to_pn;
use pcore::syntax::printer::print;
use pcore::text::Source;

use super::ROOT;
use super::agreement::Kind;
use crate::files_below;

/// What Puppet says of a text.
pub(super) struct Entry {
    pub(super) title: String,
    pub(super) kind: Kind,
    pub(super) source: String,
    tree: String,
}

/// The lines above and below a title.
const RULE: &str = "================================================================================";
/// The line between source and tree.
const CUT: &str = "---";

/// The files with what they hold, in alphabetical order.
fn files() -> Vec<(String, Vec<Entry>)> {
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        (path.display().to_string(), entries_of(&text))
    };
    files_below(&Path::new(ROOT).join("grammar/corpus"), "txt").iter().map(read).collect()
}

/// All entries of all files.
pub(super) fn entries() -> Vec<Entry> {
    files().into_iter().flat_map(|(_, entries)| entries).collect()
}

fn entries_of(text: &str) -> Vec<Entry> {
    let rule = format!("{RULE}\n");
    let mut parts = text.split(&rule);
    assert_eq!(parts.next(), Some(""), "a file starts with a title");
    let mut entries = Vec::new();
    while let Some(head) = parts.next() {
        let body = parts.next().unwrap_or_else(|| panic!("no rule below `{head}`"));
        let mut lines = head.lines();
        let title = lines.next().unwrap().to_owned();
        let kind = match lines.next() {
            None => Kind::Program,
            Some(":template") => Kind::Template,
            Some(other) => panic!("`{other}` under `{title}`"),
        };
        let (source, tree) =
            body.rsplit_once(&format!("\n{CUT}\n")).unwrap_or_else(|| panic!("no `{CUT}` in `{title}`"));
        let source = source.strip_prefix('\n').unwrap_or(source);
        let source = source.strip_suffix('\n').unwrap_or(source);
        entries.push(Entry { title, kind, source: source.to_owned(), tree: tree.trim().to_owned() });
    }
    entries
}

/// The tree that the parser makes of a text, or its error with the place.
pub(super) fn answer(kind: Kind, text: &str) -> String {
    match kind.parse(&Source::new("text", text)) {
        Ok(tree) => to_pn(&tree),
        Err(error) => {
            let place = error.position().unwrap();
            format!("error {} {}:{}", error.code(), place.line, place.column)
        }
    }
}

impl Entry {
    fn write(&self, text: &mut String, tree: &str) {
        let kind = if self.kind == Kind::Template { ":template\n" } else { "" };
        let blank = if text.is_empty() { "" } else { "\n" };
        let Entry { title, source, .. } = self;
        write!(text, "{blank}{RULE}\n{title}\n{kind}{RULE}\n\n{source}\n\n{CUT}\n\n{tree}\n").unwrap();
    }
}

#[test]
fn corpus_entries_have_the_tree_that_is_written() {
    let bless = std::env::var_os("PCORE_BLESS").is_some();
    assert!(!bless || std::env::var_os("CI").is_none(), "the corpus is not rewritten where CI is set");
    for (path, entries) in files() {
        let mut text = String::new();
        for entry in &entries {
            let answer = answer(entry.kind, &entry.source);
            assert!(
                bless || answer == entry.tree,
                "{path}: {}\n{}\nwritten {}\nparsed  {answer}",
                entry.title,
                entry.source,
                entry.tree
            );
            entry.write(&mut text, &answer);
        }
        if bless {
            fs::write(path, text).unwrap();
        } else {
            assert_eq!(text, fs::read_to_string(&path).unwrap(), "the layout of {path}");
        }
    }
}

#[test]
fn corpus_entries_have_a_title_of_their_own() {
    let mut titles = BTreeSet::new();
    for entry in entries() {
        assert!(titles.insert(entry.title.clone()), "{}", entry.title);
    }
}

#[test]
fn corpus_entries_read_back_as_they_are_printed() {
    for entry in entries() {
        let Ok(tree) = entry.kind.parse(&Source::new("entry", &*entry.source)) else { continue };
        let printed = print(&tree);
        let again = entry.kind.parse(&Source::new("printed", &*printed));
        assert_eq!(to_pn(&again.unwrap()), entry.tree, "{}: printed as\n{printed}", entry.title);
    }
}
