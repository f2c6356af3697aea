//! The commands that read or write files. They return requests, which the program that drives the session performs.

use std::path::Path;

use super::{Answer, CommandGroup, Error, Source, definitions};
use crate::session::{Console, FrontendRequest, INTERRUPTED, Listener, Reply, Request, Session};
use crate::{syntax, wording::pluralize};

pub(super) static COMMANDS: CommandGroup = commands! {
    "files and entries":
        "load" or "l" "import" "source" "use" [Required(File)] "run a file, or read data":
            "Shows its values and keeps its definitions; loading it again replaces them. A path may start with `~/`. \
            YAML, JSON, TOML and CSV files are read as a value: `$x = :load data/common.yaml` puts it into a variable."
            "load types.pp" => |_, path, _| Ok(Reply::Asked(load_request(path, None)));
        "check" [Optional(File)] "check the project":
            "Checks the modules and data of the project, or those at FILE, as `pcore check` does."
            "check" => |_, path, _| Ok(frontend_reply(FrontendRequest::Check(path.to_owned())));
        "reload" or "r" [None] "reload changed files":
            "Reloads all files in the same order; if one fails, keeps what was there. Types and functions of modules \
            are read again when they are next used."
            "reload" => |session, _, _| Ok(Reply::Asked(Request::Reload(session.loaded_files.keys().cloned().collect())));
        "edit" or "e" [Optional(Edited)] "edit the last entry":
            "Opens the last entry in $VISUAL or $EDITOR and evaluates the result. With NAME, opens its definition: the \
            code that you entered, or the file at its line, which is then loaded again. With FILE, edits that file and \
            then loads it."
            "edit" => |session, path, _| {
                let last = session.entries.last_entry.as_ref().map(|source| source.text().to_owned());
                Ok(frontend_reply(match path {
                    "" => FrontendRequest::Edit(last.unwrap_or_default(), None),
                    _ => definitions::edit_request(session, path),
                }))
            };
        "history" [Optional(Filter)] "earlier entries":
            "Lists all entries, those that contain PART, or as many as a number says. Up and Ctrl-R recall them."
            "history port" => |_, part, _| Ok(frontend_reply(FrontendRequest::History(part.to_owned())));
        "save" [Required(File)] "save entries as a file":
            "Writes all successful entries to a new, self-contained file. Entries that depend on `$_` are commented \
            out."
            "save snippet.pp" => save_entries;
        "transcript" [Required(File)] "save the session as a test":
            "Writes all entries with their results to a new Markdown file, which `pcore test` verifies."
            "transcript session.md" => |_, path, _| Ok(frontend_reply(FrontendRequest::Transcript(path.to_owned())));
};

/// Returns the request for `:load FILE`, `:load FILE x` or `$x = :load FILE`: to read a data file, or to run a program.
pub(in crate::session) fn load_request(argument: &str, variable: Option<&str>) -> Request {
    let is_data = |path: &str| {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("yaml" | "yml" | "eyaml" | "json" | "toml" | "csv"))
    };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match argument.rsplit_once(char::is_whitespace) {
        Some((path, name)) if is_data(path.trim_end()) && is_name(name.trim_start_matches('$')) => {
            Request::Read(path.trim_end().to_owned(), Some(name.trim_start_matches('$').to_owned()))
        }
        _ if is_data(argument) || variable.is_some() => Request::Read(argument.to_owned(), variable.map(str::to_owned)),
        _ => Request::Load(vec![argument.to_owned()]),
    }
}

fn save_entries(session: &mut Console, path: &str, _: &mut Listener<'_>) -> Answer {
    let (text, count) = snippet_of_session(session)?;
    if count == 0 {
        return Err(Reply::Refused("nothing to save yet; enter a program first".to_owned()));
    }
    Ok(frontend_reply(FrontendRequest::Write { path: path.to_owned(), text, what: pluralize(count, "entry") }))
}

fn frontend_reply(request: FrontendRequest) -> Reply {
    Reply::Asked(Request::Frontend(request))
}

/// Returns the entries as a self-contained program, and the number of entries that run in it. Fails only if the user
/// interrupts the trial runs.
///
/// An entry may depend on what a program lacks: numbered results, or a name that was removed and defined again. So each
/// entry is run in a separate session, and is commented out if it fails there. The code of entries that make a
/// Sensitive or contain a secret is left out.
fn snippet_of_session(session: &Session) -> Result<(String, usize), Error> {
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
