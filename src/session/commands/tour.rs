//! `:tour`: shows a section of `transcripts/tour.md`, and evaluates its entries, so that the reader can use them.

use super::{Answer, Console, Listener, PROMPT, Reply, entries_of_session};

const TOUR_TRANSCRIPT: &str = include_str!("../../../transcripts/tour.md");

/// Shows the step `number` of the tour, from 1, or the next step if `number` is empty.
pub(super) fn show_tour_step(session: &mut Console, number: &str, _: &mut Listener<'_>) -> Answer {
    let steps: Vec<&str> = TOUR_TRANSCRIPT.split("\n## ").skip(1).collect();
    let wrong = || Reply::Refused(format!("expected a step from 1 to {}, got `{number}`", steps.len()));
    let number = match number {
        // After the last step it starts again.
        "" => session.entries.last_tour_step % steps.len() + 1,
        _ => number.parse().ok().filter(|number| (1..=steps.len()).contains(number)).ok_or_else(wrong)?,
    };
    session.entries.last_tour_step = number;
    let step = steps.get(number - 1).copied().unwrap_or_default();
    let (title, body) = step.split_once('\n').unwrap_or((step, ""));
    for entry in program_entries(body) {
        // The answers are shown already; what an earlier visit has bound stays bound.
        let _ = session.eval(&entry);
    }
    let next = if number < steps.len() {
        "type `:tour` for the next step; definitions from this step remain available"
    } else {
        "the end; `:reset` removes what the steps have defined"
    };
    Ok(Reply::Text(format!("{number}/{} {title}\n\n{}\n\n({next})", steps.len(), format_step(body))))
}

/// Formats a step: each paragraph on one line, and the blocks of code. Omits the link to the next page.
fn format_step(body: &str) -> String {
    let parts = body.split("```").enumerate().flat_map(|(at, part)| {
        let is_code = at % 2 == 1;
        // The tag of the block.
        let part = if is_code { part.split_once('\n').map_or("", |(_, code)| code) } else { part };
        part.trim().split("\n\n").map(move |lines| if is_code { lines.to_owned() } else { lines.replace('\n', " ") })
    });
    parts.filter(|part| !part.is_empty() && !part.starts_with("Next: ")).collect::<Vec<_>>().join("\n\n")
}

fn program_entries(body: &str) -> impl Iterator<Item = String> {
    let entries = entries_of_session(body.lines(), &[PROMPT]).into_iter().map(|(_, entry)| entry);
    entries.filter(|entry| !entry.starts_with([':', '?']))
}

#[cfg(test)]
#[path = "../../../tests/unit/session/commands/tour.rs"]
mod tests;
