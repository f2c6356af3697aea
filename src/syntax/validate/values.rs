//! Unused values, and duplicate keys.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::error::Torn;
use super::{Finding, Severity, ValidationError, Validator, judged_place};
use crate::error::Error;
use crate::stack::with_room;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Tree, UnaryOperator};
use crate::text::Span;

impl Validator<'_> {
    /// Reports statements without effects whose value is unused: all but the last of a block.
    pub(super) fn lost_values(&mut self, block: Id, statements: &[Id]) {
        let tree = self.tree;
        let severity = if block == tree.body { Severity::TopLevelValue } else { Severity::InnerValue };
        for &[id, next] in statements.array_windows() {
            match self.is_lost(id) {
                true if tree[id].span.end == tree[next].span.start => self.torn(id, next),
                true => self.lost(id, severity, ValidationError::LostValue),
                false => {}
            }
        }
    }

    /// The last statement of a body that gives no value.
    pub(super) fn lost_last(&mut self, body: Id) {
        let last = match &self.tree[body].expression {
            Expression::Block(statements) => statements.last().copied(),
            _ => Some(body),
        };
        if let Some(last) = last.filter(|&last| self.is_lost(last)) {
            self.lost(last, Severity::InnerValue, ValidationError::LostLastValue);
        }
    }

    fn is_lost(&self, id: Id) -> bool {
        self.is_effectless(id) && self.tree[id].expression != Expression::Nop
    }

    /// Records a block, conditional or parenthesized expression if it has no effects.
    pub(super) fn note_effectless(&mut self, id: Id, is_effectless: impl FnOnce(&Self) -> bool) {
        if is_effectless(self) {
            self.effectless.push(id);
        }
    }

    pub(super) fn are_effectless(&self, ids: &[Id]) -> bool {
        ids.iter().all(|&id| self.is_effectless(id))
    }

    /// Whether evaluating the expression only produces a value.
    pub(super) fn is_effectless(&self, id: Id) -> bool {
        match &self.tree[id].expression {
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Concatenation(_)
            | Expression::Text(_)
            | Expression::Heredoc { .. }
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_)
            | Expression::Reserved(_)
            | Expression::Array(_)
            | Expression::Hash(_)
            | Expression::Unary(..)
            | Expression::Access(..)
            | Expression::Selector(..) => true,
            // Matching sets the match variables; relationships change the catalog.
            Expression::Binary(operator, ..) => !matches!(
                operator,
                BinaryOperator::Match
                    | BinaryOperator::NoMatch
                    | BinaryOperator::Before
                    | BinaryOperator::After
                    | BinaryOperator::Notifies
                    | BinaryOperator::NotifiedBy
            ),
            Expression::Parenthesized(_)
            | Expression::Block(_)
            | Expression::If { .. }
            | Expression::Unless { .. }
            | Expression::Case(..) => self.effectless.binary_search(&id).is_ok(),
            // All others define, call or output something.
            _ => false,
        }
    }

    /// Finds the collectors that stand where a value is needed.
    ///
    /// Observed: Puppet 7.23 does not look at arguments of calls, keys of accesses and what selectors choose.
    pub(super) fn missing_values(&mut self) {
        let tree = self.tree;
        let mut needed = Vec::new();
        for node in &tree.nodes {
            let expression = &node.expression;
            match expression {
                Expression::Binary(
                    BinaryOperator::Before
                    | BinaryOperator::After
                    | BinaryOperator::Notifies
                    | BinaryOperator::NotifiedBy,
                    ..,
                ) => {}
                Expression::Parenthesized(_)
                | Expression::Array(_)
                | Expression::Hash(_)
                | Expression::Text(_)
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Assignment(..) => expression.each_child(&mut |child| needed.push(child)),
                Expression::If { condition: value, .. } | Expression::Unless { condition: value, .. } => {
                    needed.push(*value);
                }
                Expression::Selector(control, entries) => {
                    needed.push(*control);
                    needed.extend(entries.iter().map(|(key, _)| *key));
                }
                Expression::Case(control, options) => {
                    needed.push(*control);
                    needed.extend(options.iter().flat_map(|option| &option.values));
                }
                Expression::Resource { bodies, .. } => {
                    needed.extend(bodies.iter().flat_map(|body| &body.attributes).map(|attribute| attribute.value));
                }
                _ => {}
            }
        }
        needed.retain(|id| matches!(tree[*id].expression, Expression::Collector { .. }));
        for id in needed {
            self.finds_node(ValidationError::NotValue, id);
        }
    }

    /// Finds the assignments in default values of parameters; a lambda in one may assign its own variables.
    pub(super) fn assignments_in_defaults(&mut self) {
        let tree = self.tree;
        for id in std::mem::take(&mut self.parameterized) {
            let parameters = match &tree[id].expression {
                Expression::Lambda { parameters, .. } => parameters,
                Expression::Epp { parameters, .. } => &parameters[..],
                Expression::Function(definition)
                | Expression::Class { definition, .. }
                | Expression::Define(definition) => &definition.parameters,
                _ => continue,
            };
            let assigns = |id: &Id| tree.within(*id).any(|node| matches!(node.expression, Expression::Assignment(..)));
            let mut pending: Vec<Id> =
                parameters.iter().filter_map(|parameter| parameter.default).filter(assigns).collect();
            while let Some(id) = pending.pop() {
                match &tree[id].expression {
                    Expression::Assignment(..) => self.finds_node(ValidationError::AssignmentInDefault, id),
                    // The defaults of its own parameters are found at the lambda.
                    Expression::Lambda { .. } => {}
                    expression => expression.each_child(&mut |child| pending.push(child)),
                }
            }
        }
    }

    /// A lost value with the next statement right behind it: somebody meant one expression, `/a/i`, and wrote two.
    fn torn(&mut self, id: Id, next: Id) {
        let tree = self.tree;
        let text = |id: Id| tree.source.slice(tree[id].span).lines().next().unwrap_or_default().to_owned();
        let what = match &tree[id].expression {
            Expression::Literal(Literal::Regexp(_)) => Torn::Regexp,
            Expression::Name(_) => Torn::Name,
            _ => Torn::Other,
        };
        let error = Error::from(ValidationError::TornValue { what, first: text(id), second: text(next) });
        let error = error.at(judged_place(&tree[id]));
        self.lost.push(Finding { severity: Severity::Program, error });
    }

    fn lost(&mut self, id: Id, severity: Severity, misuse: fn(String) -> ValidationError) {
        let node = &self.tree[id];
        let text = self.tree.source.slice(node.span);
        let line = text.lines().next().unwrap_or_default();
        let shown = if line.len() < text.len() { format!("{line} …") } else { line.to_owned() };
        let span = Span { start: node.place, end: node.span.end };
        let before = self.tree.source.text()[..node.span.range().start].trim_end_matches([' ', '\t']);
        let name = before.rsplit(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter)).next();
        let type_ = name.filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()));
        let error = match type_.filter(|_| matches!(node.expression, Expression::Array(_))) {
            Some(type_) => {
                let help = format!("write the bracket right behind the type: `{type_}{shown}`");
                Error::from(misuse(shown)).with_help_instead(help)
            }
            None => Error::from(misuse(shown)),
        };
        self.lost.push(Finding { severity, error: error.at(span) });
    }

    /// Two literal keys of a hash that are equal.
    pub(super) fn hash_keys(&mut self, entries: &[(Id, Id)]) {
        if entries.len() < 2 {
            return;
        }
        let mut seen = FxHashMap::default();
        for &(key, _) in entries {
            let Some(literal) = literal(self.tree, key) else { continue };
            let span = self.tree[key].span;
            let first = *seen.entry(literal).or_insert(span);
            if first != span {
                let shown = format!("`{}`", self.tree.source.slice(span));
                self.finds_again(Severity::Strict, ValidationError::DuplicateKey(shown), first, span);
            }
        }
    }
}

/// A literal, equal for equal values.
#[derive(PartialEq, Eq, Hash)]
enum Key<'t> {
    Text(&'t str),
    /// As [`write_literal`] writes it.
    Other(String),
}

fn literal(tree: &Tree, id: Id) -> Option<Key<'_>> {
    match &tree[id].expression {
        Expression::Literal(Literal::String(text)) | Expression::Name(text) => Some(Key::Text(text)),
        Expression::Variable(_) => None,
        _ => {
            let mut text = String::new();
            write_literal(tree, id, &mut text).then_some(Key::Other(text))
        }
    }
}

/// Writes a literal so that equal values have equal texts; `false` when it is not a literal.
fn write_literal(tree: &Tree, id: Id, out: &mut String) -> bool {
    let written = match &tree[id].expression {
        Expression::Literal(literal) => match literal {
            Literal::Undef => write!(out, "undef"),
            Literal::Default => write!(out, "default"),
            Literal::Boolean(value) => write!(out, "{value}"),
            Literal::Integer(value, _) => write!(out, "{value}"),
            Literal::Float(value) => write!(out, "{value:?}f"),
            Literal::String(text) => write!(out, "{text:?}"),
            Literal::Regexp(text) => write!(out, "/{text:?}/"),
        },
        Expression::Name(text) => write!(out, "{text:?}"),
        Expression::Reference(name) => {
            write!(out, "{}", name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase())
        }
        Expression::Access(target, keys) => return write_literals(tree, '(', [target].into_iter().chain(keys), out),
        Expression::Unary(UnaryOperator::Minus, number) => {
            return match &tree[*number].expression {
                Expression::Literal(Literal::Integer(..) | Literal::Float(_)) => {
                    out.push('-');
                    write_literal(tree, *number, out)
                }
                _ => false,
            };
        }
        Expression::Array(elements) => return write_literals(tree, '[', elements.iter(), out),
        Expression::Hash(entries) => {
            return write_literals(tree, '{', entries.iter().flat_map(|(key, value)| [key, value]), out);
        }
        _ => return false,
    };
    written.is_ok()
}

/// As [`write_literal`], for the parts of a literal.
fn write_literals<'t>(
    tree: &Tree,
    open: char,
    mut parts: impl Iterator<Item = &'t Id> + Send,
    out: &mut String,
) -> bool {
    out.push(open);
    with_room(|| {
        parts.all(|&part| {
            let is_literal = write_literal(tree, part, out);
            out.push(',');
            is_literal
        })
    })
}
