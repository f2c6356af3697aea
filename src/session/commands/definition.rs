//! Finds where a name is defined: in an entry, in a file that was loaded, or in a module.

use std::{path::Path, sync::Arc};

use super::{Answer, Reply, doc, modules};
use crate::files::{self, display_path};
use crate::session::{Console, FrontendRequest, Session, Source};
use crate::syntax;
use crate::syntax::tree::{DefinitionKind, Expression, Id, Tree};
use crate::text::Span;

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
