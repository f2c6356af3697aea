//! The commands that list, find and remove definitions: `:types`, `:functions`, `:vars`, `:definition`, `:unset` …

use std::{path::Path, sync::Arc};

use super::{
    Answer, CommandGroup, Console, Listener, Reply, Session, Source, Value, doc, format_columns, modules, relations,
};
use crate::files::{self, display_path};
use crate::session::FrontendRequest;
use crate::syntax::tree::{DefinitionKind, Expression, Id, Tree};
use crate::text::Span;
use crate::types::Type;
use crate::{format, functions, syntax};

pub(super) static COMMANDS: CommandGroup = commands! {
    "names":
        "types" or "datatypes" [Optional(Filter)] "all types, or some":
            "Lists names and summaries; with PART, only those whose name or summary contains PART. `:doc NAME` shows \
            details."
            "types string" => relations::list_types;
        "functions" [Optional(Filter)] "all functions":
            "Lists names and summaries; with PART, those whose names contain PART, then those whose summaries do. \
            `:doc NAME` shows details."
            "functions sort" => list_functions;
        "vars" or "ls" [None] "variables and their values":
            "Lists the variables that you have set, and those of the last match of a regular expression: `$0` (the \
            match), `$1` … (its groups). Results are also variables: `$_` (the last), `$_1`, `$_2` … (by number)."
            "vars" => |session, _, _| Ok(list_variables(session));
        "aliases" [None] "type aliases":
            "Lists the aliases that you have defined, and those of modules that were used, with their types."
            "aliases" => |session, _, _| Ok(list_aliases(session));
        "browse" [Optional(Name)] "modules and their contents":
            "Lists the modules; with a module, its types, functions, classes and defined types, with their summaries. \
            `:doc NAME` shows details."
            "browse" => |session, module, _| Ok(modules::browse_module(session, module));
        "unset" or "delete" [Required(Bound)] "remove a definition":
            "Removes a `$variable`, a type alias, a function, a class or a defined type, or several of them, so that \
            you can define them again. Existing values do not change."
            "unset $_" => unset_definition;
        "reset" [None] "remove all definitions":
            "Removes all variables, aliases, functions and results. Keeps settings and history."
            "reset" => |session, _, _| {
                session.reset();
                Ok(Reply::Done)
            };
};

fn list_functions(session: &mut Console, part: &str, _: &mut Listener<'_>) -> Answer {
    let part = part.to_lowercase();
    let own = session.functions().into_iter().map(|name| {
        let signature = session.function_signature(&name).unwrap_or_default();
        (name, signature)
    });
    let built_in = functions::TABLE.iter().copied().flatten().map(|row| (row.name.to_owned(), row.summary.to_owned()));
    // By name, then by summary, then by signature: `regex` finds what takes a Regexp.
    let rank = |(name, summary): &(String, String)| {
        let signatures = functions::named(name).map_or(&[][..], |row| row.signatures);
        let is_in = |text: &str| text.to_lowercase().contains(&part);
        let found = [name.contains(&part), is_in(summary), signatures.iter().any(|signature| is_in(signature))];
        found.into_iter().position(|is_found| is_found)
    };
    let mut rows: Vec<(String, String)> = own.chain(built_in).filter(|row| rank(row).is_some()).collect();
    rows.sort_by_key(rank);
    if rows.is_empty() {
        let message = format!("no function has `{part}` in its name, summary or signature; `:functions` lists all");
        return Err(Reply::Refused(message));
    }
    Ok(Reply::Text(format_columns(&rows)))
}

fn list_variables(session: &Session) -> Reply {
    let line = |name: &str, value: &Value| format!("${name} = {}", format::program_text(value));
    let matched = session.environment.match_variables();
    let matched = matched.iter().enumerate().map(|(number, value)| line(&number.to_string(), value));
    let lines: Vec<String> = session.user_variables().map(|(name, value)| line(name, value)).chain(matched).collect();
    reply_with_lines(&lines, "no variables yet")
}

fn list_aliases(session: &mut Session) -> Reply {
    let names = session.aliases();
    let lines: Vec<String> = names.iter().map(|name| format!("type {}", describe_alias(session, name))).collect();
    reply_with_lines(&lines, "no type aliases yet")
}

/// Returns an alias with its type, `Port = Integer[1, 65535]`, or only its name if its definition has an error.
pub(super) fn describe_alias(session: &mut Session, name: &str) -> String {
    match session.eval(name) {
        Ok(Value::Type(Type::Alias(alias))) => {
            alias.resolved().map_or_else(|| name.to_owned(), |type_| format!("{} = {type_}", alias.name()))
        }
        _ => name.to_owned(),
    }
}

fn reply_with_lines(lines: &[String], none: &str) -> Reply {
    if lines.is_empty() { Reply::Text(none.to_owned()) } else { Reply::Code(lines.join("\n")) }
}

fn unset_definition(session: &mut Console, names: &str, _: &mut Listener<'_>) -> Answer {
    let names = names.split([' ', ',']).filter(|name| !name.is_empty());
    let undefined: Vec<String> = names.filter(|name| !session.unset(name)).map(|name| format!("`{name}`")).collect();
    match undefined.as_slice() {
        [] => Ok(Reply::Done),
        [one] if one == "`all`" => Err(Reply::Refused("`:reset` removes all definitions".to_owned())),
        [one] => Err(Reply::Refused(format!("{one} is not defined; `:vars` and `:aliases` list names"))),
        several => Err(Reply::Refused(format!("{} are not defined", several.join(", ")))),
    }
}

/// A defined name as `:unset` accepts it (`Port`, `double()`, `web`, `$x`), and the location of its definition.
struct LocatedDefinition {
    name: String,
    source: Arc<Source>,
    span: Span,
}

/// Returns the names of the types, functions, classes and variables that a program defines, as `:unset` accepts them.
pub(in crate::session) fn names_defined_in(source: &Arc<Source>) -> Vec<String> {
    syntax::parse(source).map_or_else(|_| Vec::new(), |tree| defining_statements(&tree).map(|(name, _)| name).collect())
}

fn defining_statements(tree: &Tree) -> impl Iterator<Item = (String, Id)> {
    tree.statements().iter().filter_map(|id| {
        let name = match &tree[*id].expression {
            Expression::TypeAlias { name, .. } => name.to_string(),
            Expression::Definition(definition) if definition.kind == DefinitionKind::Function => {
                format!("{}()", definition.name)
            }
            Expression::Definition(definition) => definition.name.to_string(),
            Expression::Assignment(_, variable, _) => tree.text_of(*variable).to_owned(),
            _ => return None,
        };
        Some((name, *id))
    })
}

fn find_definition_in_source(source: &Arc<Source>, wanted: &str) -> Option<LocatedDefinition> {
    let tree = syntax::parse(source).ok()?;
    let (name, id) = defining_statements(&tree).filter(|(name, _)| is_same_name(name, wanted)).last()?;
    Some(LocatedDefinition { name, source: source.clone(), span: tree[id].span })
}

fn find_definition_in_file(path: &Path, name: &str) -> Option<LocatedDefinition> {
    let source = Source::new(display_path(path), files::read_source_text(path).ok()?);
    find_definition_in_source(&source, name).or_else(|| {
        // A file in Ruby is shown from the definition on.
        let before = source.text().split_inclusive('\n').take(modules::line_of_definition(source.text()) - 1);
        let span = Span::new(before.map(str::len).sum(), source.text().len());
        Some(LocatedDefinition { name: name.to_owned(), source, span })
    })
}

fn is_same_name(name: &str, wanted: &str) -> bool {
    name.eq_ignore_ascii_case(wanted) || name.strip_suffix("()") == Some(wanted)
}

/// Returns the definition of `name`, and the command that reloads its file after a change: `None` if it is an entry.
fn find_definition(session: &Session, name: &str) -> Option<(LocatedDefinition, Option<String>)> {
    let name = name.trim_start_matches("::");
    let loaded = session.loaded_files.iter().find(|(_, names)| names.iter().any(|known| is_same_name(known, name)));
    if let Some((path, _)) = loaded {
        return Some((find_definition_in_file(Path::new(path), name)?, Some(format!(":load {path}"))));
    }
    let is_defined = session.defined_names().any(|known| is_same_name(&known, name));
    let mut entries = session.entries.successful_programs.iter().rev().filter(|_| is_defined);
    let entered = entries.find_map(|entry| find_definition_in_source(entry, name)).map(|found| (found, None));
    entered.or_else(|| {
        Some((find_definition_in_file(&modules::file_of_definition(session, name)?, name)?, Some(":reload".to_owned())))
    })
}

pub(super) fn show_definition(session: &mut Console, name: &str) -> Answer {
    let Some((LocatedDefinition { source, span, .. }, _)) = find_definition(session, name) else {
        doc::show_doc(session, name)?;
        return Ok(Reply::Text(format!("`{name}` is not defined by a program; `?{name}` describes it")));
    };
    let line = source.position(span.range().start).line;
    let text = format!("# {}:{line}\n{}", source.name(), source.slice(span).trim_end());
    Ok(Reply::Code(session.secrets().redact(&text).unwrap_or(text)))
}

/// Returns the request that opens the definition of `subject`, or else the file of that name, in the user's editor.
pub(super) fn edit_request(session: &Console, subject: &str) -> FrontendRequest {
    match find_definition(session, subject) {
        Some((LocatedDefinition { source, span, .. }, Some(then))) => {
            FrontendRequest::EditFile(source.name().to_owned(), source.position(span.range().start).line, then)
        }
        Some((LocatedDefinition { name, source, span }, None)) => {
            FrontendRequest::Edit(source.slice(span).trim_end().to_owned(), Some(format!(":unset {name}")))
        }
        None => FrontendRequest::EditFile(subject.to_owned(), 1, format!(":load {subject}")),
    }
}
