//! Tests of `cli::prompt::history`, of which it is a module.

use super::*;

#[test]
fn secrets_and_entries_behind_a_blank_are_not_kept() {
    assert!(may_keep_entry("1 + 1"));
    assert!(may_keep_entry("$x =~ Sensitive[String]"));
    assert!(may_keep_entry("($x =~ Sensitive)"));
    for entry in [
        " 1 + 1",
        "\t1",
        "",
        "Sensitive('x')",
        "$x = Sensitive ('x')",
        "Sensitive.new('x')",
        "Sensitive\n.new('x')",
        "new(Sensitive, 'x')",
        "Sensitive[String].new('x')",
        "Sensitive[Variant[String, Integer]] ('x')",
        "new(Sensitive[String], 'x')",
        "'x'.convert_to(Sensitive)",
        "sensitive('x') == Sensitive('x')",
        "\"${Sensitive.new('x')}\"",
    ] {
        assert!(!may_keep_entry(entry), "{entry:?}");
    }
}

#[test]
fn of_equal_entries_the_last_is_kept() {
    let entries = ["a", "b", "a", " c", "d", "b"].map(str::to_owned);
    assert_eq!(entries_to_keep(&entries), ["a", "d", "b"]);
}

#[test]
fn the_file_is_repaired_and_made_private() {
    let file = std::env::temp_dir().join(format!("pcore-repaired-{}", std::process::id()));
    let entries = || {
        let mut editor: Editor<(), DefaultHistory> = Editor::new().expect("an editor needs no terminal");
        load_history(&mut editor, &file);
        editor.history().iter().cloned().collect::<Vec<String>>()
    };
    for (content, expected) in [
        (&b"#V2\n1\n'\xff'\n3\n"[..], &["1", "'\u{fffd}'", "3"][..]),
        (b"#V2\n1\n\n2", &["1", "2"]),
        (b"1\n2\\n\n", &["1", "2\\n"]),
        (b"#V2\n[1,\\n2] \\\\ \\d\n", &["[1,\n2] \\ \\d"]),
        (b"", &[]),
    ] {
        fs::write(&file, content).unwrap();
        assert_eq!(entries(), expected);
        assert_eq!(entries(), expected);
        assert!(std::str::from_utf8(&fs::read(&file).unwrap()).is_ok());
        assert!(is_private_file(&file));
        storage::append_line(&file, FILE_HEADER, &escape_entry("new")).unwrap();
        assert_eq!(entries(), [expected, &["new"]].concat());
    }
    fs::remove_file(&file).unwrap();
    fs::remove_file(file.with_extension("lock")).unwrap();
}

#[test]
fn prompts_that_write_at_once_lose_nothing() {
    let file = std::env::temp_dir().join(format!("pcore-shared-history-{}", std::process::id()));
    let entries = |prompt: usize| (0..20).map(move |number| format!("{prompt} + {}", number % 10));
    std::thread::scope(|scope| {
        for prompt in 0..3 {
            let file = &file;
            scope.spawn(move || {
                let mut editor: Editor<(), DefaultHistory> = Editor::new().expect("an editor needs no terminal");
                for entry in entries(prompt) {
                    add_entry(&mut editor, &entry, Some(file));
                }
            });
        }
    });
    let mut editor: Editor<(), DefaultHistory> = Editor::new().expect("an editor needs no terminal");
    load_history(&mut editor, &file);
    let mut kept: Vec<String> = editor.history().iter().cloned().collect();
    kept.sort_unstable();
    let mut expected: Vec<String> = (0..3).flat_map(entries).collect();
    expected.sort_unstable();
    expected.dedup();
    fs::remove_file(&file).unwrap();
    fs::remove_file(file.with_extension("lock")).unwrap();
    assert_eq!(kept, expected);
}
