//! The transcripts are the manual: every answer in them is exact.

use super::program::pcore;

#[test]
fn transcripts_are_answered_as_written() {
    let run = pcore(&["test", "transcripts"], b"");
    assert_eq!((run.err.as_str(), run.code), ("", 0), "{}", run.out);
}
