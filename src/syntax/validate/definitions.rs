//! Checks where definitions are placed, and whether a name is defined twice.

use rustc_hash::FxHashMap;

use super::{Finding, RuleKind, ValidationError, Validator, error_span_of_node, new_finding};
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

/// What a name is defined as. A name must be unique among the definitions of one kind.
///
/// Observed: in Puppet 7.23 a class also excludes a defined type and a node with its name; a type alias may come before
/// a defined type with its name, but not after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NameKind {
    Alias,
    Node,
    Definition(DefinitionKind),
}

const CLASS_KIND: NameKind = NameKind::Definition(DefinitionKind::Class);
const DEFINED_TYPE_KIND: NameKind = NameKind::Definition(DefinitionKind::DefinedType);

impl NameKind {
    /// Returns the kinds of definitions that must not precede a definition of this kind and of the same name.
    fn conflicting_kinds(self) -> &'static [NameKind] {
        match self {
            NameKind::Alias => &[NameKind::Alias, DEFINED_TYPE_KIND],
            NameKind::Node => &[NameKind::Node, CLASS_KIND],
            CLASS_KIND => &[CLASS_KIND, DEFINED_TYPE_KIND, NameKind::Node],
            DEFINED_TYPE_KIND => &[DEFINED_TYPE_KIND, CLASS_KIND],
            NameKind::Definition(_) => &[NameKind::Definition(DefinitionKind::Function)],
        }
    }
}

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
            let misuse = match self.enclosing_scopes.get(&Id::from_index(index)) {
                Some(EnclosingScope::Program) => continue,
                Some(EnclosingScope::Class) if !only_in_program => continue,
                Some(_) if only_in_program => ValidationError::NotAbsoluteTopLevel,
                _ => ValidationError::NotTopLevel,
            };
            self.in_context.push(new_finding(RuleKind::Program, misuse, error_span_of_node(node)));
        }
    }

    /// Reports each repeated definition of a name, at the top level of the program and in its classes.
    pub(super) fn report_redefinitions(&mut self) {
        let tree = self.tree;
        let mut first: FxHashMap<(NameKind, String), Span> = FxHashMap::default();
        let mut pending: Vec<(Id, String)> = tree.statements().iter().rev().map(|id| (*id, String::new())).collect();
        while let Some((id, class)) = pending.pop() {
            let named =
                |kind, name: &str, span| vec![(kind, format!("{class}{}", name.to_lowercase()), name.to_owned(), span)];
            let definitions = match &tree[id].expression {
                Expression::TypeAlias { name, .. } => named(NameKind::Alias, name, tree[id].span),
                Expression::Definition(definition) => {
                    if definition.kind == DefinitionKind::Class {
                        let inside = format!("{class}{}::", definition.name);
                        let statements = tree.statements_of(&definition.body);
                        pending.extend(statements.iter().rev().map(|id| (*id, inside.clone())));
                    }
                    named(NameKind::Definition(definition.kind), &definition.name, definition.name_span)
                }
                Expression::NodeDefinition { matches, .. } => {
                    let shown = |span| tree.source.slice(span).to_owned();
                    let host = |id: &Id| {
                        Some((NameKind::Node, self.host_comparison_key(*id)?, shown(tree[*id].span), tree[*id].span))
                    };
                    matches.iter().filter_map(host).collect()
                }
                _ => continue,
            };
            for (kind, name, shown, span) in definitions {
                let same = |kind: &NameKind| first.get(&(*kind, name.clone()));
                if let Some(&earlier) = kind.conflicting_kinds().iter().find_map(same) {
                    let Finding { rule_kind, error } =
                        new_finding(RuleKind::Program, ValidationError::Redefinition(shown), span);
                    self.findings.push(Finding { rule_kind, error: error.with_label(earlier, "first defined here") });
                } else {
                    first.insert((kind, name), span);
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
