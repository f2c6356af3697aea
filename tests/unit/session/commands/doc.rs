//! Tests of `session::commands::doc`, of which it is a module.

use super::*;

#[test]
fn every_keyword_has_a_sheet_whose_example_runs() {
    let words: Vec<&str> = KEYWORD_DOCUMENTATION.iter().map(|(word, ..)| *word).collect();
    let others = KEYWORDS.into_iter().filter(|word| operators::named(word).next().is_none());
    assert_eq!(words, others.collect::<Vec<_>>());
    for (word, _, example) in KEYWORD_DOCUMENTATION {
        let reply = Console::default().enter(example, &mut |_| {});
        assert!(matches!(reply, Reply::Done | Reply::Text(_)), "{word}: {reply:?}");
    }
}
