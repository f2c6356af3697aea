//! Where a name is defined: in an entry, in a file that was loaded, or in a module.

use std::{path::Path, sync::Arc};

use super::{Answer, Reply, doc, modules};
use crate::files::{self, shown};
use crate::session::{Console, FrontendRequest, Session, Source};
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::Span;

/// A name as `:unset` calls it (`Port`, `double()`, `web`, `$x`), and the place of its definition.
struct Definition {
    name: String,
    source: Arc<Source>,
    span: Span,
}

/// The names of the types, functions and variables that a program defines, as `:unset` calls them.
pub(in crate::session) fn names_in(source: &Arc<Source>) -> Vec<String> {
    syntax::parse(source).map_or_else(|_| Vec::new(), |tree| names(&tree).map(|(name, _)| name).collect())
}

fn names(tree: &Tree) -> impl Iterator<Item = (String, Id)> {
    tree.statements().iter().filter_map(|id| {
        let name = match &tree[*id].expression {
            Expression::TypeAlias { name, .. } => name.to_string(),
            Expression::Function(definition) => format!("{}()", definition.name),
            Expression::Class { definition, .. } | Expression::Define(definition) => definition.name.to_string(),
            Expression::Assignment(_, variable, _) => tree.source.slice(tree[*variable].span).to_owned(),
            _ => return None,
        };
        Some((name, *id))
    })
}

fn in_source(source: &Arc<Source>, wanted: &str) -> Option<Definition> {
    let tree = syntax::parse(source).ok()?;
    let (name, id) = names(&tree).filter(|(name, _)| is_called(name, wanted)).last()?;
    Some(Definition { name, source: source.clone(), span: tree[id].span })
}

fn in_file(path: &Path, name: &str) -> Option<Definition> {
    let source = Source::new(shown(path), files::source_text(path).ok()?);
    in_source(&source, name).or_else(|| {
        // A file in Ruby is shown from the definition on.
        let before = source.text().split_inclusive('\n').take(modules::definition_line(source.text()) - 1);
        let span = Span::new(before.map(str::len).sum(), source.text().len());
        Some(Definition { name: name.to_owned(), source, span })
    })
}

fn is_called(name: &str, wanted: &str) -> bool {
    name.eq_ignore_ascii_case(wanted) || name.strip_suffix("()") == Some(wanted)
}

/// The definition of a name, and the entry that makes a change of its file known; none if it is in an entry.
fn definition(session: &Session, name: &str) -> Option<(Definition, Option<String>)> {
    let name = name.trim_start_matches("::");
    let loaded = session.loaded.iter().find(|(_, names)| names.iter().any(|known| is_called(known, name)));
    if let Some((path, _)) = loaded {
        return Some((in_file(Path::new(path), name)?, Some(format!(":load {path}"))));
    }
    let is_defined = session.defined().any(|known| is_called(&known, name));
    let mut entries = session.entries.programs.iter().rev().filter(|_| is_defined);
    let entered = entries.find_map(|entry| in_source(entry, name)).map(|found| (found, None));
    entered.or_else(|| Some((in_file(&modules::file_of(session, name)?, name)?, Some(":reload".to_owned()))))
}

pub(super) fn show(session: &mut Console, name: &str) -> Answer {
    let Some((Definition { source, span, .. }, _)) = definition(session, name) else {
        doc::doc(session, name)?;
        return Ok(Reply::Text(format!("`{name}` is not defined by a program; `?{name}` describes it")));
    };
    let line = source.position(span.range().start).line;
    let text = format!("# {}:{line}\n{}", source.name(), source.slice(span).trim_end());
    Ok(Reply::Code(session.secrets().redacted(&text).unwrap_or(text)))
}

/// What opens a name, or else a file, in the user's editor.
pub(super) fn edit(session: &Console, subject: &str) -> FrontendRequest {
    match definition(session, subject) {
        Some((Definition { source, span, .. }, Some(then))) => {
            FrontendRequest::EditFile(source.name().to_owned(), source.position(span.range().start).line, then)
        }
        Some((Definition { name, source, span }, None)) => {
            FrontendRequest::Edit(source.slice(span).trim_end().to_owned(), Some(format!(":unset {name}")))
        }
        None => FrontendRequest::EditFile(subject.to_owned(), 1, format!(":load {subject}")),
    }
}
