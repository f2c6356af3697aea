//! `deviations.toml`: the recorded answers that we do not give, what we answer, and why; and decisions, programs that no
//! recorded answer shows, with our answers.
//!
//! The file is TOML of one shape, which these few lines read:
//!
//! ```toml
//! [[deviation]]
//! reason = "the fraction of a Timespan is exact"
//! "time/12" = "Timespan('0-00:00:01.005')"
//! "assignable: Any <= Undef" = "error RUNTIME_ERROR"
//!
//! [[decision]]
//! reason = "the lowest Integer can be written"
//! "-9223372036854775808" = "-9223372036854775808"
//! ```

use std::collections::HashMap;
use std::fs;

use super::recorded::folder;

/// What we answer instead of what was recorded.
pub(super) struct Deviation {
    /// As [`super::agreement::Ours`] is shown, without notices.
    pub(super) answer: String,
}

/// What the file holds.
#[derive(Default)]
pub(super) struct Deviations {
    /// By the id of the recorded answer.
    pub(super) recorded: HashMap<String, Deviation>,
    /// Programs and our answers.
    pub(super) decisions: Vec<(String, String)>,
}

pub(super) fn read() -> Deviations {
    let text = fs::read_to_string(folder().join("deviations.toml")).unwrap();
    let mut deviations = Deviations::default();
    let (mut reasoned, mut decides) = (false, false);
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| -> ! { panic!("deviations.toml, line {}: {what}: {line}", number + 1) };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[[deviation]]" || line == "[[decision]]" {
            reasoned = false;
            decides = line == "[[decision]]";
        } else if let Some(reason) = line.strip_prefix("reason = ") {
            reasoned = !quoted(reason).unwrap_or_else(|| wrong("expected a quoted reason")).0.is_empty();
        } else {
            let pair = quoted(line).and_then(|(id, rest)| Some((id, quoted(rest.strip_prefix(" = ")?)?.0)));
            let (id, answer) = pair.unwrap_or_else(|| wrong("expected \"id\" = \"answer\""));
            if !reasoned {
                wrong("a deviation needs a reason first");
            }
            if decides {
                deviations.decisions.push((id, answer));
            } else if deviations.recorded.insert(id, Deviation { answer }).is_some() {
                wrong("listed twice");
            }
        }
    }
    deviations
}

/// The quoted string at the start of `text`, and what follows. TOML's basic strings are written like JSON's.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let string = strings.next()?.ok()?;
    Some((string, &text[strings.byte_offset()..]))
}
