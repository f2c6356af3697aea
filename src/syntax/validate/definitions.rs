//! Checks where definitions are placed, and whether a name is defined twice.

use rustc_hash::FxHashMap;

use super::{Finding, RuleKind, ValidationError, Validator};
use crate::error::Error;
use crate::syntax::tree::{DefinitionKind, Expression, Id, Literal};
use crate::text::Span;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EnclosingScope {
    Program,
    Class,
    Definition,
}

fn is_definition(expression: &Expression) -> bool {
    matches!(expression, Expression::Definition(_) | Expression::TypeAlias { .. } | Expression::NodeDefinition { .. })
}

/// For the keyword of each definition, those of the definitions of the same name that must not precede it.
///
/// Observed: in Puppet 7.23 a class also excludes a defined type and a node with its name; a type alias may come before
/// a defined type with its name, but not after it.
const CONFLICTS: [(&str, &[&str]); 5] = [
    ("type", &["type", "define"]),
    ("node", &["node", "class"]),
    ("class", &["class", "define", "node"]),
    ("define", &["define", "class"]),
    ("function", &["function"]),
];

impl Validator<'_> {
    /// Records what encloses the definitions among `statements`: the program, a class or something else. Replaces an
    /// earlier record, because a block is visited before the definition whose body it is.
    pub(super) fn record_enclosing_scope(&mut self, statements: &[Id], surroundings: EnclosingScope) {
        let definitions = statements.iter().filter(|id| is_definition(&self.tree[**id].expression));
        self.enclosing_scopes.extend(definitions.map(|id| (*id, surroundings)));
    }

    /// Reports misplaced definitions: classes, defined types and nodes must be at the top level or directly in a class;
    /// functions and type aliases must be at the top level.
    pub(super) fn report_misplaced_definitions(&mut self) {
        let tree = self.tree;
        self.record_enclosing_scope(tree.statements(), EnclosingScope::Program);
        for (index, node) in tree.nodes.iter().enumerate().filter(|(_, node)| is_definition(&node.expression)) {
            let only_in_program = match &node.expression {
                Expression::Definition(definition) => definition.kind == DefinitionKind::Function,
                expression => matches!(expression, Expression::TypeAlias { .. }),
            };
            let id = Id::from_index(index);
            let misuse = match self.enclosing_scopes.get(&id) {
                Some(EnclosingScope::Program) => continue,
                Some(EnclosingScope::Class) if !only_in_program => continue,
                Some(_) if only_in_program => ValidationError::NotAbsoluteTopLevel,
                _ => ValidationError::NotTopLevel,
            };
            self.add_context_error(misuse, id);
        }
    }

    /// Reports each repeated definition of a name, at the top level of the program and in its classes.
    pub(super) fn report_redefinitions(&mut self) {
        let tree = self.tree;
        let mut first: FxHashMap<(&str, String), Span> = FxHashMap::default();
        let mut pending: Vec<(Id, String)> = tree.statements().iter().rev().map(|id| (*id, String::new())).collect();
        while let Some((id, class)) = pending.pop() {
            let named = |keyword, name: &str, span| {
                vec![(keyword, format!("{class}{}", name.to_lowercase()), name.to_owned(), span)]
            };
            let definitions = match &tree[id].expression {
                Expression::TypeAlias { name, .. } => named("type", name, tree[id].span),
                Expression::Definition(definition) => {
                    if definition.kind == DefinitionKind::Class {
                        let inside = format!("{class}{}::", definition.name);
                        let statements = tree.statements_of(&definition.body);
                        pending.extend(statements.iter().rev().map(|id| (*id, inside.clone())));
                    }
                    named(definition.kind.keyword(), &definition.name, definition.name_span)
                }
                Expression::NodeDefinition(hosts, ..) => {
                    let host = |id: &Id| {
                        Some(("node", self.host_comparison_key(*id)?, tree.text_of(*id).to_owned(), tree[*id].span))
                    };
                    hosts.iter().filter_map(host).collect()
                }
                _ => continue,
            };
            for (keyword, name, shown, span) in definitions {
                let conflicts = CONFLICTS.iter().filter(|(own, _)| *own == keyword).flat_map(|(_, others)| *others);
                let mut earlier = conflicts.filter_map(|other| first.get(&(*other, name.clone())));
                if let Some(&earlier) = earlier.next() {
                    let error = Error::from(ValidationError::Redefinition(shown)).at(span);
                    let error = error.with_label(earlier, "first defined here");
                    self.findings.push(Finding { rule_kind: RuleKind::Program, error });
                } else {
                    first.insert((keyword, name), span);
                }
            }
        }
    }

    /// Returns a key that is equal for hosts that Puppet considers the same; `None` for an interpolated string.
    ///
    /// Observed: Puppet 7.23 compares regular expressions by the characters that names may contain, ignoring case.
    fn host_comparison_key(&self, host: Id) -> Option<String> {
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
