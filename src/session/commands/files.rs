//! The commands that read or write files. The program that drives the session performs what they request.

use super::{Answer, Argument, Command, Family, Kind, snippet};
use crate::session::{Console, FrontendRequest, Listener, Reply, Request};
use crate::wording::counted;

pub(super) static FAMILY: Family = Family {
    title: "files and entries",
    commands: commands! {
        "load" [Required(File)] "run a file":
            "Shows its values and keeps its definitions; loading it again replaces them. A path may start with `~/`."
            "load types.pp" => |_, path, _| Ok(Reply::Asked(Request::Load(vec![path.to_owned()])));
        "reload" [None] "reload changed files":
            "Reloads all files in the same order; if one fails, keeps what was there. Types and functions of modules \
            are read again when they are next used."
            "reload" => |session, _, _| Ok(Reply::Asked(Request::Reload(session.loaded.keys().cloned().collect())));
        "edit" [Optional(File)] "edit the last entry":
            "Opens the last entry in $VISUAL or $EDITOR and evaluates the result. With FILE, edits that file and then \
            loads it."
            "edit" => |session, path, _| {
                let last = session.entries.last.as_ref().map(|source| source.text().to_owned());
                Ok(request(match path {
                    "" => FrontendRequest::Edit(last.unwrap_or_default()),
                    _ => FrontendRequest::EditFile(path.to_owned()),
                }))
            };
        "history" [Optional(Filter)] "earlier entries":
            "Lists all entries, those that contain PART, or as many as a number says. Up and Ctrl-R recall them."
            "history port" => |_, part, _| Ok(request(FrontendRequest::History(part.to_owned())));
        "save" [Required(File)] "save entries as a file":
            "Writes all successful entries to a new, self-contained file. Entries that depend on `$_` are commented \
            out."
            "save snippet.pp" => save;
        "transcript" [Required(File)] "save the session as a test":
            "Writes all entries with their results to a new Markdown file, which `pcore test` verifies."
            "transcript session.md" => |_, path, _| Ok(request(FrontendRequest::Transcript(path.to_owned())));
    },
};

fn save(session: &mut Console, path: &str, _: &mut Listener<'_>) -> Answer {
    let (text, count) = snippet::of(session)?;
    if count == 0 {
        return Err(Reply::Refused("nothing to save yet; enter a program first".to_owned()));
    }
    Ok(request(FrontendRequest::Write { path: path.to_owned(), text, what: counted(count, "entry") }))
}

fn request(request: FrontendRequest) -> Reply {
    Reply::Asked(Request::Frontend(request))
}
