//! Where definitions are allowed, and names that a program defines twice.

use rustc_hash::FxHashMap;

use super::{Finding, Severity, ValidationError, Validator, finding, judged_place};
use crate::syntax::tree::{Expression, Id, Literal};
use crate::text::Span;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    Program,
    Class,
    Definition,
}

fn is_definition(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Function(_)
            | Expression::Class { .. }
            | Expression::Define(_)
            | Expression::TypeAlias { .. }
            | Expression::NodeDefinition { .. }
    )
}

/// What shares a name with nothing else of its kind.
///
/// Observed: Puppet 7.23. A class excludes a defined type and a node of its name; a type alias may not follow a defined
/// type of its name, but precede it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Type,
    Function,
    Class,
    Define,
    Node,
}

impl Kind {
    /// The kinds of earlier definitions that may not have the same name.
    fn excluded(self) -> &'static [Kind] {
        match self {
            Kind::Type => &[Kind::Type, Kind::Define],
            Kind::Function => &[Kind::Function],
            Kind::Class => &[Kind::Class, Kind::Define, Kind::Node],
            Kind::Define => &[Kind::Define, Kind::Class],
            Kind::Node => &[Kind::Node, Kind::Class],
        }
    }
}

impl Validator<'_> {
    /// Records what surrounds the definitions among statements. A block is visited before the definition whose body it is, which
    /// replaces the record.
    pub(super) fn surround(&mut self, statements: &[Id], surroundings: Surroundings) {
        let definitions = statements.iter().filter(|id| is_definition(&self.tree[**id].expression));
        self.surroundings.extend(definitions.map(|id| (*id, surroundings)));
    }

    /// Reports misplaced definitions: classes, defined types and nodes are at the top level or directly in a class;
    /// functions and types at the top level only.
    pub(super) fn definition_places(&mut self) {
        let tree = self.tree;
        self.surround(tree.statements(), Surroundings::Program);
        for (index, node) in tree.nodes.iter().enumerate().filter(|(_, node)| is_definition(&node.expression)) {
            let only_in_program = matches!(node.expression, Expression::Function(_) | Expression::TypeAlias { .. });
            let misuse = match self.surroundings.get(&Id::at(index)) {
                Some(Surroundings::Program) => continue,
                Some(Surroundings::Class) if !only_in_program => continue,
                Some(_) if only_in_program => ValidationError::NotAbsoluteTopLevel,
                _ => ValidationError::NotTopLevel,
            };
            self.in_context.push(finding(Severity::Program, misuse, judged_place(node)));
        }
    }

    /// Finds the second definition of a name, in the program and in its classes.
    pub(super) fn redefinitions(&mut self) {
        let tree = self.tree;
        let mut first: FxHashMap<(Kind, String), Span> = FxHashMap::default();
        let mut pending: Vec<(Id, String)> = tree.statements().iter().rev().map(|id| (*id, String::new())).collect();
        while let Some((id, class)) = pending.pop() {
            let named =
                |kind, name: &str, span| vec![(kind, format!("{class}{}", name.to_lowercase()), name.to_owned(), span)];
            let definitions = match &tree[id].expression {
                Expression::TypeAlias { name, .. } => named(Kind::Type, name, tree[id].span),
                Expression::Function(definition) => named(Kind::Function, &definition.name, definition.name_span),
                Expression::Define(definition) => named(Kind::Define, &definition.name, definition.name_span),
                Expression::Class { definition, .. } => {
                    let inside = format!("{class}{}::", definition.name);
                    let statements = tree.statements_of(&definition.body);
                    pending.extend(statements.iter().rev().map(|id| (*id, inside.clone())));
                    named(Kind::Class, &definition.name, definition.name_span)
                }
                Expression::NodeDefinition { matches, .. } => {
                    let shown = |span| tree.source.slice(span).to_owned();
                    let host = |id: &Id| Some((Kind::Node, self.host_key(*id)?, shown(tree[*id].span), tree[*id].span));
                    matches.iter().filter_map(host).collect()
                }
                _ => continue,
            };
            for (kind, name, shown, span) in definitions {
                let same = |kind: &Kind| first.get(&(*kind, name.clone()));
                if let Some(&earlier) = kind.excluded().iter().find_map(same) {
                    let Finding { severity, error } =
                        finding(Severity::Program, ValidationError::Redefinition(shown), span);
                    self.findings.push(Finding { severity, error: error.with_label(earlier, "first defined here") });
                } else {
                    first.insert((kind, name), span);
                }
            }
        }
    }

    /// What two matches of nodes have in common that Puppet takes for the same.
    ///
    /// Observed: Puppet 7.23 compares regular expressions without case, and without the letters that no name has.
    fn host_key(&self, host: Id) -> Option<String> {
        match &self.tree[host].expression {
            Expression::Literal(Literal::String(name)) | Expression::Name(name) => Some(name.to_lowercase().into()),
            Expression::Literal(Literal::Default) => Some("default".to_owned()),
            Expression::Literal(Literal::Regexp(text)) => {
                let of_name = |letter: &char| letter.is_alphanumeric() || "-_:.".contains(*letter);
                let letters: String = text.to_lowercase().chars().filter(of_name).collect();
                Some(format!("/{}", letters.trim_start_matches('.')))
            }
            _ => None,
        }
    }
}
