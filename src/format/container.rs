//! Formats arrays and hashes: delimiters, separators and the indentation of the alternate form.
//!
//! A nested container is formatted by the same map as the outermost value; any other element by the `string_formats` of
//! the container that it is in.
//!
//! In the alternate form, a container in an array starts on its own line, indented by two spaces per level, and so does
//! what follows it; each entry of a hash has its own line. With a width, an array whose elements (a run of them without
//! a container) are longer than that in total has each on its own line.

use std::fmt::Write;

use super::directive::{Delimiters, Directive};
use super::letters::{Letters, write_scalar};
use super::map::{Format, Map, has_type_parameters};
use super::{error::FormatError, program_text};
use crate::error::Result;
use crate::limits::{BoundedString, too_long};
use crate::stack;
use crate::value::{Hash, Value};

pub(super) fn write_formatted(out: &mut BoundedString, value: &Value, map: &Map) -> Result<()> {
    Formatter { map, level: 0, is_indenting: false }.write_mapped(out, value)
}

#[derive(Clone, Copy)]
struct Formatter<'a> {
    map: &'a Map,
    level: usize,
    /// Whether the enclosing array is in the alternate form, which then also applies to Objects in it.
    is_indenting: bool,
}

impl Formatter<'_> {
    fn write_mapped(self, out: &mut BoundedString, value: &Value) -> Result<()> {
        match value {
            // An iterator is formatted as the array of what it gives.
            Value::Iterator(iterator) => self.write_mapped(out, &Value::Array(iterator.collected()?)),
            value => self.write(out, value, &self.map.format_of(value)),
        }
    }

    fn write(self, out: &mut BoundedString, value: &Value, format: &Format) -> Result<()> {
        if let Value::Object(_) = value
            && format.directive.letter == 'p'
            && (format.directive.field.alternate || self.is_indenting)
        {
            return program_text::write_laid_out(out, value, self.level).map_err(too_long);
        }
        if let Some(letters) = Letters::of(value) {
            return write_scalar(out, value, letters, &format.directive);
        }
        stack::with_room(|| match value {
            Value::Hash(entries) => match format.directive.letter {
                'h' | 's' | 'p' => self.write_hash(out, entries, format),
                'a' => {
                    let pairs = |(key, value): (&Value, &Value)| Value::from([key.clone(), value.clone()]);
                    let pairs = Value::Array(entries.iter().map(pairs).collect());
                    self.write(out, &pairs, &self.map.format_of(&pairs))
                }
                letter => Err(unknown_letter("Hash", letter, "hspa")),
            },
            other => match format.directive.letter {
                'a' | 's' | 'p' => self.write_array(out, elements(other), format),
                letter => Err(unknown_letter("Array", letter, "asp")),
            },
        })
    }

    /// Writes an element, key or value: containers and Objects by the map, all else by the `string_formats`.
    ///
    /// Observed: Puppet 7.23 has no format of the map for iterators and Objects with type parameters.
    fn write_inside(self, out: &mut BoundedString, value: &Value, format: &Format) -> Result<()> {
        let goes_by_map = match value {
            Value::Object(object) => !has_type_parameters(object),
            other => is_container(other),
        };
        let map = if goes_by_map { self.map } else { &format.string_formats };
        Formatter { map, ..self }.write_mapped(out, value)
    }

    fn write_array(self, out: &mut BoundedString, elements: &[Value], format: &Format) -> Result<()> {
        let alternate = format.directive.field.alternate;
        let inner = Formatter { level: self.level + 1, is_indenting: alternate, ..self };
        let delimiters = delimiters(&format.directive, Delimiters::BRACKETS);
        let one_a_line = alternate && format.directive.field.width > 0 && inner.is_wide(elements, format)?;
        out.push_str(delimiters.open)?;
        let mut after_container = false;
        for (at, element) in elements.iter().enumerate() {
            let own = is_container(element).then(|| self.map.format_of(element));
            let begins_line = match &own {
                Some(own) => alternate || Self::indents(element, own),
                None => alternate && at > 0 && (one_a_line || after_container),
            };
            if at > 0 {
                out.push_str(separator(format, begins_line))?;
            }
            if begins_line && !own.as_ref().is_some_and(|own| Self::begins_with_line(element, own)) {
                inner.new_line(out)?;
            } else if one_a_line && at == 0 {
                out.push_str(" ")?;
            }
            inner.write_inside(out, element, format)?;
            after_container = own.is_some();
        }
        out.push_str(delimiters.close)
    }

    fn write_hash(self, out: &mut BoundedString, entries: &Hash, format: &Format) -> Result<()> {
        let inner = Formatter { level: self.level + 1, is_indenting: false, ..self };
        let alternate = format.directive.field.alternate;
        let delimiters = delimiters(&format.directive, Delimiters::BRACES);
        let arrow = format.separator2.as_deref().unwrap_or(" => ");
        out.push_str(delimiters.open)?;
        if alternate && entries.is_empty() {
            out.push_str("\n")?;
        }
        for (at, (key, value)) in entries.iter().enumerate() {
            if at > 0 {
                out.push_str(separator(format, alternate))?;
            }
            if alternate {
                inner.new_line(out)?;
            }
            inner.write_inside(out, key, format)?;
            out.push_str(arrow)?;
            inner.write_inside(out, value, format)?;
        }
        if alternate {
            self.new_line(out)?;
        }
        out.push_str(delimiters.close)
    }

    /// Whether a run of elements that are not containers is longer than the width of the format.
    fn is_wide(self, elements: &[Value], format: &Format) -> Result<bool> {
        let mut length = 0;
        for element in elements {
            if is_container(element) {
                length = 0;
                continue;
            }
            let mut text = BoundedString::default();
            self.write_inside(&mut text, element, format)?;
            length += text.into_string().chars().count();
            if length > format.directive.field.width {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a nested container starts on a new line, even if the array around it is not in the alternate form.
    fn indents(container: &Value, format: &Format) -> bool {
        let becomes_array = matches!(container, Value::Hash(_)) && format.directive.letter == 'a';
        format.directive.field.alternate && !becomes_array
    }

    /// Whether the formatted array starts with a line break: no opening delimiter, and a first element on its own line.
    fn begins_with_line(container: &Value, format: &Format) -> bool {
        let bare = delimiters(&format.directive, Delimiters::BRACKETS).open.is_empty();
        bare && format.directive.field.alternate && elements(container).first().is_some_and(is_container)
    }

    fn new_line(self, out: &mut BoundedString) -> Result<()> {
        write!(out, "\n{}", "  ".repeat(self.level)).map_err(too_long)
    }
}

/// The separator between two elements; without trailing spaces if a line break follows.
fn separator(format: &Format, before_line: bool) -> &str {
    let separator = format.separator.as_deref().unwrap_or(", ");
    if before_line { separator.trim_end_matches(' ') } else { separator }
}

fn delimiters(directive: &Directive, usual: Delimiters) -> Delimiters {
    directive.delimiters.unwrap_or(if directive.field.blank { Delimiters::NONE } else { usual })
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |elements| elements)
}

fn unknown_letter(type_name: &'static str, letter: char, letters: &str) -> crate::error::Error {
    FormatError::UnknownLetter { letter, type_name, letters: letters.to_owned() }.into()
}
