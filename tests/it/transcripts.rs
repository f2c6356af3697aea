//! The transcripts are the manual: every answer in them is exact.

use super::program::pcore;

#[test]
fn transcripts_are_answered_as_written() {
    let run = pcore(&["test", "transcripts"], b"");
    assert_eq!((run.err.as_str(), run.code), ("", 0), "{}", run.out);
}

#[test]
fn the_index_links_every_page() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts");
    let index = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let is_page = stem != "README" && matches!(extension, "md" | "");
        assert!(!is_page || index.contains(&format!("({name})")), "{name}");
    }
}

#[test]
fn the_snippet_file_prints_what_its_comments_say() {
    let path = "transcripts/hierarchy_2014.pp";
    let text = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let said: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("=~"))
        .filter_map(|line| line.split_once("# ").map(|(_, comment)| comment))
        .filter_map(|comment| comment.split([' ', ',']).next())
        .collect();
    let run = pcore(&[path], b"");
    let printed: Vec<&str> = run.out.lines().filter(|line| matches!(*line, "true" | "false")).collect();
    assert_eq!((run.err.as_str(), run.code, said.len()), ("", 0, 39));
    assert_eq!(printed[..39], said);
}
