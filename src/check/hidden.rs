//! Hides secrets in findings: data that a Sensitive type describes, and literals that a program makes Sensitive.
//!
//! Values in data files are never Sensitive themselves, because Hiera converts them later. Therefore the type decides.

use std::sync::Arc;

use super::{Checked, program::strip_leading_colons};
use crate::data::LocationTree;
use crate::eval::literal_value;
use crate::explain::mismatch::{Mismatch, Step};
use crate::secrets::{Secrets, mask_character};
use crate::syntax::sensitive_literals;
use crate::syntax::tree::{Expression, Node, Tree};
use crate::text::{Source, Span};
use crate::types::{Type, secret::wrap_secrets};
use crate::value::Value;
use crate::{interrupt, stack};

/// The maximum number of values to search for secrets. With more (a few lines of YAML suffice), the source is hidden.
const MAX_SEARCHED_VALUES: usize = 1_000_000;

#[derive(Default)]
struct HiddenParts {
    spans: Vec<Span>,
    secrets: Secrets,
    searched_count: usize,
    /// Whether the top-level keys are keys of Hiera data, which are not secret.
    are_keys_public: bool,
}

impl HiddenParts {
    fn add_sensitive_parts(&mut self, shown: &Value, place: &LocationTree) {
        interrupt::take_step();
        self.searched_count += 1;
        match shown {
            _ if self.searched_count > MAX_SEARCHED_VALUES => {}
            Value::Sensitive(content) => {
                content.register_secrets(&self.secrets);
                self.spans.push(place.span);
            }
            Value::Array(elements) => {
                let parts = elements.iter().zip(place.elements());
                parts.for_each(|(value, place)| stack::with_room(|| self.add_sensitive_parts(value, place)));
            }
            Value::Hash(entries) => {
                let parts =
                    place.entries().iter().filter_map(|entry| Some((entries.get(&entry.key)?, &entry.value_location)));
                parts.for_each(|(value, place)| stack::with_room(|| self.add_sensitive_parts(value, place)));
                let hidden_keys = entries.keys().filter(|key| matches!(key, Value::Sensitive(_)));
                hidden_keys.for_each(|key| key.register_secrets(&self.secrets));
            }
            _ => {}
        }
    }

    /// Adds the literal arguments of calls such as `Sensitive('secret')` and `Sensitive.new('secret')`, and the default
    /// values of parameters with a Sensitive type.
    fn add_sensitive_literals(&mut self, tree: &Tree) {
        for span in sensitive_literals(tree.source.text()) {
            self.spans.push(span);
            self.secrets.note_secret(tree.source.slice(span).trim_matches(['\'', '"']));
        }
        let is_sensitive = |node: &Node| matches!(&node.expression, Expression::Reference(name) if strip_leading_colons(name).eq_ignore_ascii_case("sensitive"));
        for node in interrupt::step_through(&tree.nodes) {
            for parameter in node.expression.parameters() {
                let (Some(type_), Some(default)) = (parameter.type_, parameter.default) else { continue };
                if !tree.nodes_within(type_).any(is_sensitive) {
                    continue;
                }
                for node in tree.nodes_within(default) {
                    let Expression::Literal(literal) = &node.expression else { continue };
                    self.spans.push(node.span);
                    if let Ok(value) = literal_value(literal) {
                        value.register_secrets(&self.secrets);
                    }
                }
            }
        }
    }

    /// Masks the hidden parts in all findings that quote `source` or contain one of the secrets.
    fn mask_findings(&self, source: &Arc<Source>, checked: &mut Checked) {
        if self.spans.is_empty() && self.searched_count <= MAX_SEARCHED_VALUES {
            return;
        }
        let text = source.shown_text();
        let mut is_hidden = vec![self.searched_count > MAX_SEARCHED_VALUES; text.len()];
        for span in &self.spans {
            is_hidden.get_mut(span.range()).into_iter().for_each(|places| places.fill(true));
        }
        let letters = text.char_indices().map(|(at, letter)| (is_hidden.get(at) == Some(&true), letter));
        let masked = letters.map(|(is_hidden, one)| if is_hidden { mask_character(one) } else { one.to_string() });
        let shown = Arc::new(source.with_shown_text(masked.collect::<String>()));
        let hide = |source_of_error: &Arc<Source>| Arc::ptr_eq(source_of_error, source).then(|| shown.clone());
        for finding in interrupt::step_through(&mut checked.findings) {
            // The name of a key of data is public, also where it says what a secret says.
            let place = finding.mismatch.as_ref().filter(|_| self.are_keys_public).map(Mismatch::path_to_found);
            let key = place.and_then(|place| match place.first()? {
                Step::Entry(key) => Some((key.as_str()?, key.as_str()?.rsplit_once("::")?.1)),
                _ => None,
            });
            let public = key.map_or_else(Vec::new, |(key, name)| vec![key.to_owned(), format!("${name}")]);
            let redacted = |text: &str| self.secrets.redact_except(text, &public);
            finding.error = finding.error.clone().redact(redacted, &public, hide);
        }
    }
}

pub(super) fn hide_sensitive_values(
    source: &Arc<Source>,
    values: impl IntoIterator<Item = (Type, Value, LocationTree)>,
    are_keys_public: bool,
    checked: &mut Checked,
) {
    if !checked.findings.is_empty() {
        let mut hidden = HiddenParts { are_keys_public, ..HiddenParts::default() };
        for (type_, value, place) in values {
            hidden.add_sensitive_parts(&wrap_secrets(&type_, &value), &place);
        }
        hidden.mask_findings(source, checked);
    }
}

pub(super) fn hide_sensitive_literals(tree: &Tree, checked: &mut Checked) {
    if !checked.findings.is_empty() {
        let mut hidden = HiddenParts::default();
        hidden.add_sensitive_literals(tree);
        hidden.mask_findings(&tree.source, checked);
    }
}
