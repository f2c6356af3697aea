//! The modules of `src/` depend on each other only in the order that `CONTRIBUTING.md` states.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::files_below;

/// What each module may use, by the `text` block of `CONTRIBUTING.md`.
struct Order(BTreeMap<String, BTreeSet<String>>);

impl Order {
    fn stated(modules: &BTreeSet<String>) -> Order {
        let text = include_str!("../../CONTRIBUTING.md");
        let (_, block) = text.split_once("```text\n").expect("CONTRIBUTING.md states the order of modules");
        let (block, _) = block.split_once("```").expect("the block ends");
        let mut allowed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let group = |text: &str| -> BTreeSet<String> {
            text.trim().trim_matches(['{', '}']).split(',').map(|name| name.trim().to_owned()).collect()
        };
        for line in block.lines().map(str::trim) {
            if let Some(cycle) = line.strip_prefix("cycle:") {
                for name in group(cycle) {
                    allowed.entry(name).or_default().extend(group(cycle));
                }
                continue;
            }
            let mut levels: Vec<BTreeSet<String>> = line.split('→').map(group).collect();
            if levels[0].contains("everything") {
                let named: BTreeSet<String> = levels[1..].iter().flatten().cloned().collect();
                levels[0] = modules.difference(&named).cloned().collect();
            }
            while !levels.is_empty() {
                let right: Vec<String> = levels[1..].iter().flatten().cloned().collect();
                for name in levels.remove(0) {
                    allowed.entry(name).or_default().extend(right.iter().cloned());
                }
            }
        }
        Order(allowed)
    }

    fn allows(&self, from: &str, to: &str) -> bool {
        self.0.get(from).is_some_and(|allowed| allowed.contains(to))
    }
}

/// The modules named by paths such as `crate::types::Type` and `pcore::types::Type`, outside of comments and unit tests.
fn used_modules(source: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    for root in ["crate::", "pcore::"] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let names = match rest.strip_prefix('{') {
                Some(list) => list.split_once('}').map_or(list, |(list, _)| list),
                None => &rest[..end],
            };
            let names = names.split(',').map(|name| name.split("::").next().unwrap_or_default().trim());
            used.extend(names.filter(|name| modules.contains(*name)).map(str::to_owned));
        }
    }
    used
}

/// The module of `src/` that a file belongs to.
fn module_of(file: &Path, root: &Path) -> String {
    let path = file.strip_prefix(root).expect("the file is below src");
    let first = path.components().next().expect("the path has a part").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn no_dependency_points_backwards() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let files: Vec<PathBuf> = files_below(&root, "rs");
    let modules: BTreeSet<String> = files.iter().map(|file| module_of(file, &root)).collect();
    let order = Order::stated(&modules);
    let mut wrong = Vec::new();
    for file in &files {
        let module = module_of(file, &root);
        if module == "lib" {
            continue;
        }
        let source = fs::read_to_string(file).expect("a source file is readable");
        for used in used_modules(&source, &modules) {
            if used != module && !order.allows(&module, &used) {
                wrong.push(format!("{}: {module} may not use {used}", file.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "dependencies against the order stated in CONTRIBUTING.md:\n{}", wrong.join("\n"));
}
