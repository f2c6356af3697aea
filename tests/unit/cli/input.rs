//! Tests of `cli::input`, of which it is a module.

use super::*;

#[cfg(unix)]
#[test]
fn folders_are_searched_once_even_where_links_lead_back() {
    let folder = std::env::temp_dir().join(format!("pcore-folders-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("b")).unwrap();
    for file in ["b/2.md", "a.md", "c.txt", ".hidden.md"] {
        fs::write(folder.join(file), "").unwrap();
    }
    std::os::unix::fs::symlink(&folder, folder.join("b/above")).unwrap();
    let wanted = |path: &Path| path.extension().is_some_and(|ending| ending == "md");
    let found = files_below(&folder, &|_| false, &wanted);
    let missing = files_below(Path::new("no/such/file"), &|_| false, &wanted);
    let expected = Ok(vec![folder.join("a.md"), folder.join("b/2.md")]);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found, expected);
    assert_eq!(missing, Ok(vec![PathBuf::from("no/such/file")]));
}
