//! What findings must not show: data whose type is a Sensitive, and literals that a program makes one of.
//!
//! Data are never Sensitive themselves: Hiera converts them on the way to a class. So the type decides.

use std::sync::Arc;

use super::{Checked, program::plain_name};
use crate::data::Place;
use crate::eval::{definition_in, literal_value};
use crate::explain::mismatch::{Mismatch, Step};
use crate::secrets::{Secrets, mask};
use crate::syntax::sensitive_literals;
use crate::syntax::tree::{Expression, Node, Tree};
use crate::text::{Source, Span};
use crate::types::{Type, secret::redacted};
use crate::value::Value;
use crate::{interrupt, stack};

/// The maximum number of values that are searched; beyond it the whole source is hidden: in YAML few lines can make
/// very many of them.
const MAX_VALUES: usize = 1_000_000;

/// The spans of one source that reports must not show.
#[derive(Default)]
struct Hidden {
    spans: Vec<Span>,
    secrets: Secrets,
    values: usize,
    /// Whether the first step of a path is a key of Hiera data.
    has_public_keys: bool,
}

impl Hidden {
    /// Hides the parts of a value that are Sensitive in `shown`.
    fn note(&mut self, shown: &Value, place: &Place) {
        interrupt::step();
        self.values += 1;
        match shown {
            _ if self.values > MAX_VALUES => {}
            Value::Sensitive(content) => {
                content.note_in(&self.secrets);
                self.spans.push(place.span);
            }
            Value::Array(elements) => {
                let parts = elements.iter().zip(place.elements());
                parts.for_each(|(value, place)| stack::with_room(|| self.note(value, place)));
            }
            Value::Hash(entries) => {
                let parts = place.entries().iter().filter_map(|entry| Some((entries.get(&entry.key)?, &entry.place)));
                parts.for_each(|(value, place)| stack::with_room(|| self.note(value, place)));
                let hidden_keys = entries.keys().filter(|key| matches!(key, Value::Sensitive(_)));
                hidden_keys.for_each(|key| key.note_in(&self.secrets));
            }
            _ => {}
        }
    }

    /// Hides the literals that calls such as `Sensitive('text')` and `Sensitive.new('text')` are given, and the default
    /// values of parameters with such a type.
    fn note_program(&mut self, tree: &Tree) {
        for span in sensitive_literals(tree.source.text()) {
            self.spans.push(span);
            self.secrets.note(tree.source.slice(span).trim_matches(['\'', '"']));
        }
        for node in interrupt::each(&tree.nodes) {
            let definition = definition_in(&node.expression);
            for parameter in definition.iter().flat_map(|(_, definition)| &definition.parameters) {
                if let (Some(type_), Some(default)) = (parameter.type_, parameter.default)
                    && tree.within(type_).any(names_sensitive)
                {
                    for node in tree.within(default) {
                        let Expression::Literal(literal) = &node.expression else { continue };
                        self.spans.push(node.span);
                        if let Ok(value) = literal_value(literal) {
                            value.note_in(&self.secrets);
                        }
                    }
                }
            }
        }
    }

    /// Hides the spans in all findings that show `source`.
    fn hide_in(&self, source: &Arc<Source>, checked: &mut Checked) {
        if self.spans.is_empty() && self.values <= MAX_VALUES {
            return;
        }
        let whole = [Span::new(0, source.text().len())];
        let spans = if self.values > MAX_VALUES { &whole[..] } else { &self.spans[..] };
        let shown = Arc::new(source.shown_as(masked(source.shown(), spans)));
        let hide = |source_of_error: &Arc<Source>| Arc::ptr_eq(source_of_error, source).then(|| shown.clone());
        for finding in interrupt::each(&mut checked.findings) {
            // The name of a key of data is public, also where it says what a secret says.
            let place = finding.mismatch.as_ref().filter(|_| self.has_public_keys).map(Mismatch::place);
            let key = place.and_then(|place| match place.first()? {
                Step::Entry(key) => Some((key.as_str()?, key.as_str()?.rsplit_once("::")?.1)),
                _ => None,
            });
            let public = key.map_or_else(Vec::new, |(key, name)| vec![key.to_owned(), format!("${name}")]);
            let redacted = |text: &str| self.secrets.redacted_outside(text, &public);
            finding.error = finding.error.clone().without(redacted, &public, hide);
        }
    }
}

/// Hides the parts of values that are of a Sensitive type in all findings about their source; of Hiera data all but the keys.
pub(super) fn hide(
    source: &Arc<Source>,
    values: impl IntoIterator<Item = (Type, Value, Place)>,
    has_public_keys: bool,
    checked: &mut Checked,
) {
    if !checked.findings.is_empty() {
        let mut hidden = Hidden { has_public_keys, ..Hidden::default() };
        values.into_iter().for_each(|(type_, value, place)| hidden.note(&redacted(&type_, &value), &place));
        hidden.hide_in(source, checked);
    }
}

/// Hides the literals of a program that it makes a Sensitive of.
pub(super) fn hide_literals(tree: &Tree, checked: &mut Checked) {
    if !checked.findings.is_empty() {
        let mut hidden = Hidden::default();
        hidden.note_program(tree);
        hidden.hide_in(&tree.source, checked);
    }
}

fn names_sensitive(node: &Node) -> bool {
    matches!(&node.expression, Expression::Reference(name) if plain_name(name).eq_ignore_ascii_case("sensitive"))
}

/// The text with an asterisk for each byte of the spans, but for line breaks.
fn masked(text: &str, spans: &[Span]) -> String {
    let mut is_hidden = vec![false; text.len()];
    for span in spans {
        is_hidden.get_mut(span.range()).into_iter().for_each(|places| places.fill(true));
    }
    let letters = text.char_indices().map(|(at, letter)| (is_hidden.get(at) == Some(&true), letter));
    letters.map(|(is_hidden, letter)| if is_hidden { mask(letter) } else { letter.to_string() }).collect()
}
