//! What commands ask for beyond the session: files to read and write, and the terminal.

use std::path::Path;

use pcore::session::{Event, Request, Session};

use super::entry::{Teller, Told};
use super::input;

/// Carries out a request.
pub(super) fn run(request: Request, session: &mut Session, teller: &mut Teller<'_, '_>) -> Told {
    match request {
        Request::Load(paths) => paths.iter().fold(Told::Answer, |told, path| match load(path, session, teller) {
            Told::Answer => told,
            worse => worse,
        }),
    }
}

/// Runs a file; its values are told as results, what its variables are set to is not.
fn load(path: &str, session: &mut Session, teller: &mut Teller<'_, '_>) -> Told {
    let source = match input::file(Path::new(path)) {
        Ok(source) => source,
        Err(message) => return teller.refusal(&message),
    };
    let result = session.evaluate(&source, &mut |event| {
        if !matches!(event, Event::Assigned(_)) {
            teller.event(event, "");
        }
    });
    match result {
        Ok(_) => Told::Answer,
        Err(error) => teller.failure(&error, ""),
    }
}
