//! Tests of `cli::watch`, of which it is a module.

use super::*;

#[test]
fn hidden_files_and_backups_are_not_of_interest() {
    let paths = [PathBuf::from("/a/data"), PathBuf::from("/a/hiera.yaml")];
    let is_below = |file: &str| is_below(Path::new(file), &paths);
    assert!(is_below("/a/data/x/y.yaml") && is_below("/a/hiera.yaml"));
    assert!(!is_below("/a/data/.x.yaml.swp") && !is_below("/a/data/x.yaml~") && !is_below("/a/other.yaml"));
}
