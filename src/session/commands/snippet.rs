//! The entries of a session as a self-contained program.
//!
//! An entry may need what a program does not have: results by number, a name that was removed and defined again. Rather
//! than guess, the program is run while it is written, in a separate session; entries that fail there are commented
//! out. Those that make a Sensitive, or have something of its content in them, are left out without their code.

use std::fmt::Write as _;

use super::{Error, Source};
use crate::session::{INTERRUPTED, Session};
use crate::syntax;

/// The text, and how many entries run in it; an error if the user interrupts while the snippet is tried.
pub(super) fn of(session: &Session) -> Result<(String, usize), Error> {
    let mut trial = session.fresh();
    let (mut text, mut count, mut before) = (String::new(), 0, "");
    for program in &session.entries.programs {
        let code = program.text().trim();
        let noted = trial.secrets().noted();
        let outcome = trial.evaluate(program, &mut |_| {});
        let is_secret = trial.secrets().noted() > noted || [&trial, session].iter().any(|s| s.secrets().are_in(code));
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
                let _ = write!(text, "# left out: {}", error.message()); // OK because writing to a String cannot fail.
                for line in code.lines() {
                    text.push_str("\n#   ");
                    text.push_str(line);
                }
            }
        }
        text.push('\n');
    }
    trial.close();
    Ok((text, count))
}
