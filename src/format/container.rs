//! Formats arrays and hashes with delimiters, separators and, in the alternate form (flag `#`), indentation.
//!
//! Nested arrays, hashes and Objects are formatted by the same format map as the outermost value, other elements by the
//! `string_formats` of their container.
//!
//! In the alternate form, a container in an array starts on its own line, indented by two spaces per level, as does the
//! element after it; each entry of a hash has its own line. If the format has a width, and consecutive elements that
//! are not containers are longer than that in total, each element of the array has its own line.

use std::fmt::Write;

use super::directive::{Delimiters, Directive};
use super::letters::{TypeLetters, write_scalar};
use super::map::{FormatMap, ValueFormat, has_type_parameters};
use super::{error::FormatError, program_text};
use crate::error::Result;
use crate::limits::{BoundedString, string_limit_error};
use crate::stack;
use crate::value::{Hash, Value};

pub(super) fn write_formatted_value(out: &mut BoundedString, value: &Value, map: &FormatMap) -> Result<()> {
    ContainerFormatter { format_map: map, indent_level: 0, indents_objects: false }.write_by_format_map(out, value)
}

#[derive(Clone, Copy)]
struct ContainerFormatter<'a> {
    format_map: &'a FormatMap,
    indent_level: usize,
    /// Whether the enclosing array has the flag `#`, in which case Objects in it are written in indented lines, too.
    indents_objects: bool,
}

impl ContainerFormatter<'_> {
    fn write_by_format_map(self, out: &mut BoundedString, value: &Value) -> Result<()> {
        match value {
            // An iterator is formatted as the array of what it gives.
            Value::Iterator(iterator) => self.write_by_format_map(out, &Value::Array(iterator.to_array()?)),
            value => self.write_with_format(out, value, &self.format_map.format_of_value(value)),
        }
    }

    fn write_with_format(self, out: &mut BoundedString, value: &Value, format: &ValueFormat) -> Result<()> {
        if let Value::Object(_) = value
            && format.directive.letter == 'p'
            && (format.directive.options.alternate || self.indents_objects)
        {
            return program_text::write_indented_value(out, value, self.indent_level).map_err(string_limit_error);
        }
        if let Some(letters) = TypeLetters::letters_of_value(value) {
            return write_scalar(out, value, letters, &format.directive);
        }
        stack::with_room(|| match value {
            Value::Hash(entries) => match format.directive.letter {
                'h' | 's' | 'p' => self.write_hash(out, entries, format),
                'a' => {
                    let pairs = |(key, value): (&Value, &Value)| Value::from([key.clone(), value.clone()]);
                    let pairs = Value::Array(entries.iter().map(pairs).collect());
                    self.write_with_format(out, &pairs, &self.format_map.format_of_value(&pairs))
                }
                letter => Err(unknown_letter_error("Hash", letter, "hspa")),
            },
            other => match format.directive.letter {
                'a' | 's' | 'p' => self.write_array(out, elements_of_array(other), format),
                letter => Err(unknown_letter_error("Array", letter, "asp")),
            },
        })
    }

    /// Writes an element, key or value of a container: arrays, hashes and Objects by the format map, other values by
    /// `format.string_formats`.
    /// Observed: Puppet 7.23 uses `string_formats` for iterators, and for Objects whose type has parameters, as well.
    fn write_element(self, out: &mut BoundedString, value: &Value, format: &ValueFormat) -> Result<()> {
        let goes_by_map = match value {
            Value::Object(object) => !has_type_parameters(object),
            other => is_container(other),
        };
        let map = if goes_by_map { self.format_map } else { &format.string_formats };
        ContainerFormatter { format_map: map, ..self }.write_by_format_map(out, value)
    }

    fn write_array(self, out: &mut BoundedString, elements: &[Value], format: &ValueFormat) -> Result<()> {
        let alternate = format.directive.options.alternate;
        let inner = ContainerFormatter { indent_level: self.indent_level + 1, indents_objects: alternate, ..self };
        let delimiters = container_delimiters(&format.directive, Delimiters::BRACKETS);
        let one_a_line =
            alternate && format.directive.options.width > 0 && inner.element_run_exceeds_width(elements, format)?;
        out.push_str(delimiters.open)?;
        let mut after_container = false;
        for (at, element) in elements.iter().enumerate() {
            let own = is_container(element).then(|| self.format_map.format_of_value(element));
            let begins_line = match &own {
                Some(own) => alternate || Self::starts_on_new_line(element, own),
                None => alternate && at > 0 && (one_a_line || after_container),
            };
            out.push_str(if at > 0 { element_separator(format, begins_line) } else { "" })?;
            if begins_line && !own.as_ref().is_some_and(|own| Self::starts_with_line_break(element, own)) {
                inner.write_new_line(out)?;
            } else if one_a_line && at == 0 {
                out.push_str(" ")?;
            }
            inner.write_element(out, element, format)?;
            after_container = own.is_some();
        }
        out.push_str(delimiters.close)
    }

    fn write_hash(self, out: &mut BoundedString, entries: &Hash, format: &ValueFormat) -> Result<()> {
        let inner = ContainerFormatter { indent_level: self.indent_level + 1, indents_objects: false, ..self };
        let alternate = format.directive.options.alternate;
        let delimiters = container_delimiters(&format.directive, Delimiters::BRACES);
        let arrow = format.separator2.as_deref().unwrap_or(" => ");
        out.push_str(delimiters.open)?;
        if alternate && entries.is_empty() {
            out.push_str("\n")?;
        }
        for (at, (key, value)) in entries.iter().enumerate() {
            out.push_str(if at > 0 { element_separator(format, alternate) } else { "" })?;
            if alternate {
                inner.write_new_line(out)?;
            }
            inner.write_element(out, key, format)?;
            out.push_str(arrow)?;
            inner.write_element(out, value, format)?;
        }
        if alternate {
            self.write_new_line(out)?;
        }
        out.push_str(delimiters.close)
    }

    /// Whether any run of elements that are not containers has more characters in total than the width of `format`.
    fn element_run_exceeds_width(self, elements: &[Value], format: &ValueFormat) -> Result<bool> {
        let mut length = 0;
        for element in elements {
            if is_container(element) {
                length = 0;
                continue;
            }
            let mut text = BoundedString::default();
            self.write_element(&mut text, element, format)?;
            length += text.into_string().chars().count();
            if length > format.directive.options.width {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether `container` starts on a new line because of the flag `#` in `format`; false for a Hash formatted by `a`.
    fn starts_on_new_line(container: &Value, format: &ValueFormat) -> bool {
        let becomes_array = matches!(container, Value::Hash(_)) && format.directive.letter == 'a';
        format.directive.options.alternate && !becomes_array
    }

    /// Whether `container` in `format` itself starts with a line break: flag `#`, no delimiters, and a container first.
    fn starts_with_line_break(container: &Value, format: &ValueFormat) -> bool {
        let bare = container_delimiters(&format.directive, Delimiters::BRACKETS).open.is_empty();
        bare && format.directive.options.alternate && elements_of_array(container).first().is_some_and(is_container)
    }

    fn write_new_line(self, out: &mut BoundedString) -> Result<()> {
        write!(out, "\n{}", "  ".repeat(self.indent_level)).map_err(string_limit_error)
    }
}

fn element_separator(format: &ValueFormat, before_line: bool) -> &str {
    let separator = format.separator.as_deref().unwrap_or(", ");
    if before_line { separator.trim_end_matches(' ') } else { separator }
}

fn container_delimiters(directive: &Directive, usual: Delimiters) -> Delimiters {
    directive.delimiters.unwrap_or(if directive.options.blank { Delimiters::NO_DELIMITERS } else { usual })
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

fn elements_of_array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |elements| elements)
}

fn unknown_letter_error(type_name: &'static str, letter: char, letters: &str) -> crate::error::Error {
    FormatError::UnknownLetter { letter, type_name, letters: letters.to_owned() }.into()
}
