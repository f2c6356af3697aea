//! Checks for unused and missing values, assignments in default values, and duplicate keys.

use super::{Finding, RuleKind, ValidationError, Validator};
use crate::error::Error;
use crate::stack::with_room;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Parameter, Tree, UnaryOperator};
use crate::text::Span;

impl Validator<'_> {
    /// Reports the statements of a block, except the last, that only produce a value, which is never used.
    pub(super) fn report_unused_values(&mut self, block: Id, statements: &[Id]) {
        let tree = self.tree;
        let rule_kind = if block == tree.body { RuleKind::TopLevelValue } else { RuleKind::InnerValue };
        for &[id, next] in statements.array_windows() {
            match self.is_unused_value(id) {
                true if tree[id].span.end == tree[next].span.start => self.report_unseparated_value(id, next),
                true => self.report_unused_value(id, rule_kind, ValidationError::LostValue),
                false => {}
            }
        }
    }

    /// Reports the last statement of a body that returns no value, if the statement only produces a value.
    pub(super) fn report_unused_last_value(&mut self, body: Id) {
        if let Some(&last) = self.tree.statements_of(&body).last()
            && self.is_unused_value(last)
        {
            self.report_unused_value(last, RuleKind::InnerValue, ValidationError::LostLastValue);
        }
    }

    fn is_unused_value(&self, id: Id) -> bool {
        self.is_effectless(id) && self.tree[id].expression != Expression::Nop
    }

    fn is_effectless(&self, id: Id) -> bool {
        self.effectless.get(id.index()).copied().unwrap_or_default()
    }

    pub(super) fn only_produces_value(&self, expression: &Expression) -> bool {
        let all = |ids: &[Id]| ids.iter().all(|id| self.is_effectless(*id));
        match expression {
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Concatenation(_)
            | Expression::Text(_)
            | Expression::Heredoc(..)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_)
            | Expression::Reserved(_)
            | Expression::Array(_)
            | Expression::Hash(_)
            | Expression::Unary(..)
            | Expression::Access(..)
            | Expression::Selector(..) => true,
            // Matching sets the match variables.
            Expression::Binary(BinaryOperator::Match | BinaryOperator::NoMatch, ..) => false,
            Expression::Binary(operator, ..) => !operator.is_relationship(),
            Expression::Parenthesized(inner) => self.is_effectless(*inner),
            Expression::Block(statements) => all(statements),
            Expression::If { condition, then, otherwise, .. } => all(&[*condition, *then]) && all(otherwise.as_slice()),
            Expression::Case(control, options) => {
                self.is_effectless(*control)
                    && options.iter().all(|option| all(&option.values) && self.is_effectless(option.then))
            }
            // All others define, call or output something.
            _ => false,
        }
    }

    /// Reports collectors among the direct parts of `expression` where a value is needed.
    ///
    /// Observed: Puppet 7.23 does not look at arguments of calls, keys of accesses and what selectors choose.
    pub(super) fn report_collectors_as_values(&mut self, expression: &Expression) {
        let tree = self.tree;
        let mut needs = |id: &Id| {
            if let Expression::Collector { .. } = tree[*id].expression {
                self.add_context_error(ValidationError::NotValue, *id);
            }
        };
        match expression {
            Expression::Binary(operator, ..) if operator.is_relationship() => {}
            Expression::Parenthesized(_)
            | Expression::Array(_)
            | Expression::Hash(_)
            | Expression::Text(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Assignment(..) => expression.for_each_child(&mut |child| needs(&child)),
            Expression::If { condition, .. } => needs(condition),
            Expression::Selector(control, options) | Expression::Case(control, options) => {
                needs(control);
                options.iter().flat_map(|option| &option.values).for_each(needs);
            }
            Expression::Resource { bodies, .. } => {
                bodies.iter().flat_map(|body| &body.attributes).for_each(|attribute| needs(&attribute.value));
            }
            _ => {}
        }
    }

    /// Reports assignments in default values of parameters, except inside lambdas, which have their own variables.
    pub(super) fn report_default_assignments(&mut self, parameters: &[Parameter]) {
        let tree = self.tree;
        let mut pending: Vec<Id> = parameters.iter().filter_map(|parameter| parameter.default).collect();
        while let Some(id) = pending.pop() {
            match &tree[id].expression {
                Expression::Assignment(..) => self.add_context_error(ValidationError::AssignmentInDefault, id),
                // The defaults of its own parameters are found at the lambda.
                Expression::Lambda { .. } => {}
                expression => expression.for_each_child(&mut |child| pending.push(child)),
            }
        }
    }

    /// Reports an unused value right before the next statement, as in `/a/i`: one expression was probably intended.
    fn report_unseparated_value(&mut self, id: Id, next: Id) {
        let tree = self.tree;
        let text = |id: Id| tree.text_of(id).lines().next().unwrap_or_default().to_owned();
        self.add_context_error(ValidationError::TornValue { first: text(id), second: text(next) }, id);
    }

    fn report_unused_value(&mut self, id: Id, rule_kind: RuleKind, misuse: fn(String) -> ValidationError) {
        let node = &self.tree[id];
        let text = self.tree.source.slice(node.span);
        let line = text.lines().next().unwrap_or_default();
        let shown = if line.len() < text.len() { format!("{line} …") } else { line.to_owned() };
        let span = Span { start: node.place, end: node.span.end };
        let (before, after) = self.tree.source.text().split_at(node.span.range().start);
        let (before, after) = (before.trim_end_matches([' ', '\t']), &after[text.len()..]);
        let name = before.rsplit(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter)).next();
        let type_ = name.filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()));
        let is_type = shown.starts_with(|first: char| first.is_ascii_uppercase());
        let help = match type_.filter(|_| matches!(node.expression, Expression::Array(_))) {
            Some(type_) => Some(format!("write the bracket right behind the type: `{type_}{shown}`")),
            None => (is_type && after.trim_start().starts_with('$'))
                .then(|| "a type stands before parameters alone, in parentheses: `class a(String $x) { }`".to_owned()),
        };
        let mut error = Error::from(misuse(shown)).at(span);
        if let Some(help) = help {
            error = error.with_help_instead(help);
        }
        self.in_context.push(Finding { rule_kind, error });
    }

    pub(super) fn report_duplicate_keys(&mut self, entries: &[(Id, Id)]) {
        let tree = self.tree;
        let literals = entries.iter().filter_map(|(key, _)| {
            let mut text = String::new();
            write_literal_key(tree, *key, &mut text).then_some((text, tree[*key].span))
        });
        self.report_duplicates(RuleKind::Strict, literals, ValidationError::DuplicateKey);
    }
}

/// Appends a literal, type or collection of these to `out`, equal values as equal strings; otherwise returns `false`.
fn write_literal_key(tree: &Tree, id: Id, out: &mut String) -> bool {
    let is_number =
        |id: &Id| matches!(tree[*id].expression, Expression::Literal(Literal::Integer(..) | Literal::Float(_)));
    let (start, parts) = match &tree[id].expression {
        Expression::Literal(Literal::Integer(value, _)) => (value.to_string(), Vec::new()),
        Expression::Literal(Literal::String(text)) | Expression::Name(text) => (format!("{text:?}"), Vec::new()),
        Expression::Literal(literal) => (format!("{literal:?}"), Vec::new()),
        Expression::Reference(name) => (name.strip_prefix("::").unwrap_or(name).to_ascii_lowercase(), Vec::new()),
        Expression::Access(target, keys) => ("(".to_owned(), [&[*target], &**keys].concat()),
        Expression::Unary(UnaryOperator::Minus, number) if is_number(number) => ("-".to_owned(), vec![*number]),
        Expression::Array(elements) => ("[".to_owned(), elements.to_vec()),
        Expression::Hash(entries) => ("{".to_owned(), entries.iter().flat_map(|(key, value)| [*key, *value]).collect()),
        _ => return false,
    };
    out.push_str(&start);
    let is_literal = with_room(|| parts.iter().all(|part| write_literal_key(tree, *part, out)));
    out.push(',');
    is_literal
}
