//! The entries of a session as a self-contained program.
//!
//! An entry may depend on what a program lacks: numbered results, or a name that was removed and defined again. So each
//! entry is run in a separate session, and is commented out if it fails there. The code of entries that make a
//! Sensitive or contain a secret is left out.

use super::{Error, Source};
use crate::session::{INTERRUPTED, Session};
use crate::syntax;

/// Returns the program, and the number of entries that run in it. Fails only if the user interrupts the trial runs.
pub(super) fn snippet_of_session(session: &Session) -> Result<(String, usize), Error> {
    let mut trial = session.without_definitions();
    let (mut text, mut count, mut before) = (String::new(), 0, "");
    for program in &session.entries.successful_programs {
        let code = program.text().trim();
        let noted = trial.secrets().noted_count();
        let outcome = trial.evaluate(program, &mut |_| {});
        let is_secret =
            trial.secrets().noted_count() > noted || [&trial, session].iter().any(|s| s.secrets().occur_in(code));
        match outcome {
            Err(error) if error.code() == INTERRUPTED => return Err(error),
            _ if is_secret => text.push_str("# left out: it has a secret"),
            Ok(_) => {
                let statements =
                    |code: &str| syntax::parse(&Source::new("entry", code)).map_or(0, |tree| tree.statements().len());
                // An entry may be read as the rest of the one before: `{a => 1}` after a name.
                if count > 0 && statements(&format!("{before}\n{code}")) < statements(before) + statements(code) {
                    text.push_str("; ");
                }
                before = code;
                count += 1;
                text.push_str(code);
            }
            Err(error) => {
                text.extend(["# left out: ", error.message()]);
                text.extend(code.lines().flat_map(|line| ["\n#   ", line]));
            }
        }
        text.push('\n');
    }
    trial.close();
    Ok((text, count))
}
