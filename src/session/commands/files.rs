//! The commands that read or write files. What they ask for is carried out where files may be touched.

use super::{Argument, Command, Family, Kind, snippet};
use crate::session::{FrontendRequest, Listener, Reply, Request, Session};
use crate::wording::counted;

/// Files in and out.
pub(super) static FAMILY: Family = Family {
    title: "files and entries",
    commands: &[
        Command {
            name: "load",
            argument: Argument::Required(Kind::File),
            summary: "run a file, keep its names",
            story: "Its values are shown, what it defines stays. Loading it again frees what it\n\
                defined and defines it anew. A path may start with `~/`.",
            example: "load types.pp",
            effect: |_, path, _| Reply::Asked(Request::Load(vec![path.to_owned()])),
        },
        Command {
            name: "reload",
            argument: Argument::None,
            summary: "load changed files again",
            story: "All files that were loaded, in the same order. Types and functions of modules\n\
                are read again, too, when they are next named.",
            example: "reload",
            effect: |session, _, _| {
                session.world.forget_files();
                Reply::Asked(Request::Load(session.loaded.iter().map(|loaded| loaded.path.clone()).collect()))
            },
        },
        Command {
            name: "edit",
            argument: Argument::Optional(Kind::File),
            summary: "the last entry in $EDITOR",
            story: "Opens the last entry in the program that $VISUAL or $EDITOR names; what comes\n\
                back is entered. With a FILE that is edited and then loaded.",
            example: "edit",
            effect: |session, path, _| {
                let last = session.entries.last.as_ref().map(|source| source.text().to_owned());
                request(match path {
                    "" => FrontendRequest::Edit(last.unwrap_or_default()),
                    _ => FrontendRequest::EditFile(path.to_owned()),
                })
            },
        },
        Command {
            name: "history",
            argument: Argument::Optional(Kind::Filter),
            summary: "earlier entries",
            story: "All, or those that contain PART. Up and Ctrl-R bring them back.",
            example: "history port",
            effect: |_, part, _| request(FrontendRequest::History(part.to_owned())),
        },
        Command {
            name: "save",
            argument: Argument::Required(Kind::File),
            summary: "entries as a snippet file",
            story: "The programs that went well, in a new file that runs by itself. What needs\n\
                results (`$_`) or failed without the prompt becomes a comment.",
            example: "save snippet.pp",
            effect: save,
        },
        Command {
            name: "transcript",
            argument: Argument::Required(Kind::File),
            summary: "the session, for a test",
            story: "What was entered and answered, in a new Markdown file that `pcore test` runs\n\
                and compares.",
            example: "transcript session.md",
            effect: |_, path, _| request(FrontendRequest::Transcript(path.to_owned())),
        },
    ],
};

fn save(session: &mut Session, path: &str, _: &mut Listener<'_>) -> Reply {
    match snippet::of(session) {
        Ok((_, 0)) => Reply::Refused("there is nothing to save yet; enter a program first".to_owned()),
        Ok((text, count)) => {
            request(FrontendRequest::Write { path: path.to_owned(), text, what: counted(count, "entry") })
        }
        Err(error) => Reply::Failed(error),
    }
}

fn request(request: FrontendRequest) -> Reply {
    Reply::Asked(Request::Frontend(request))
}
