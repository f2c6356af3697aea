//! Prints text that must be quoted or escaped: strings, heredocs, regular expressions, template text. The content of a
//! heredoc is kept until the line with its announcement is complete.

use super::{Print, Printer, all};
use crate::microsyntax::escape_slashes;
use crate::syntax::tree::{Expression, Id, Literal};

impl Printer<'_> {
    pub(super) fn print_literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Undef => self.push_text("undef"),
            Literal::Default => self.push_text("default"),
            Literal::Boolean(value) => self.push_text(if *value { "true" } else { "false" }),
            Literal::Integer(value, radix) => self.push_text(&match radix {
                8 => format!("0{value:o}"),
                16 => format!("0x{value:x}"),
                _ => value.to_string(),
            }),
            Literal::Float(value) => self.push_text(&format!("{value:?}")),
            Literal::String(text) => self.print_string(text),
            Literal::Regexp(text) => all!(self, "/", &*escape_slashes(text), "/"),
        }
    }

    fn print_string(&mut self, text: &str) {
        if text.contains(['\n', '\r', '\t']) {
            self.push_text("\"");
            self.print_escaped_text(text);
            return self.push_text("\"");
        }
        all!(self, "'", &*text.replace('\\', "\\\\").replace('\'', "\\'"), "'");
    }

    pub(super) fn print_concatenation(&mut self, parts: &[Id]) {
        self.push_text("\"");
        for part in parts {
            match &self.tree[*part].expression {
                Expression::Literal(Literal::String(text)) => self.print_escaped_text(text),
                _ => all!(self, part),
            }
        }
        self.push_text("\"");
    }

    fn print_escaped_text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' => self.push_text("\\n"),
                '\r' => self.push_text("\\r"),
                '\t' => self.push_text("\\t"),
                '"' | '\\' | '$' => self.out.extend(['\\', character]),
                _ => self.out.push(character),
            }
        }
    }

    /// Prints `${…}` around `value`; if that is a variable, without its dollar where that is possible.
    pub(super) fn print_interpolation(&mut self, value: Id) {
        self.push_text("${");
        match &self.tree[value].expression {
            Expression::Variable(name) if needs_no_dollar(name) => self.push_text(name),
            _ => all!(self, &value),
        }
        self.push_text("}");
    }

    pub(super) fn print_heredoc(&mut self, syntax: &str, text: Id) {
        let tree = self.tree;
        let (parts, interpolates) = match &tree[text].expression {
            Expression::Concatenation(parts) => (&parts[..], true),
            _ => (std::slice::from_ref(&text), false),
        };
        // Escapes are announced only where they are needed: a slash makes a regular expression of a division before it.
        let escapes = interpolates
            && parts
                .iter()
                .any(|&part| matches!(&tree[part].expression, Expression::Literal(Literal::String(text)) if has_interpolating_dollar(text)));
        // The text is printed apart, with no line of this one in between.
        let outer = std::mem::take(&mut self.out);
        let waiting = std::mem::take(&mut self.pending_heredocs);
        for part in parts {
            match &tree[*part].expression {
                Expression::Literal(Literal::String(text)) if escapes => {
                    self.push_text(&str::replace(text, '\\', "\\\\").replace('$', "\\$"));
                }
                Expression::Literal(Literal::String(text)) => self.push_text(text),
                Expression::Text(value) => self.print_interpolation(*value),
                _ => all!(self, part),
            }
        }
        let mut content = std::mem::replace(&mut self.out, outer);
        self.pending_heredocs.splice(0..0, waiting);
        let tag = (0..).map(|number| if number == 0 { "END".to_owned() } else { format!("END{number}") });
        let is_free = |tag: &String| !content.lines().any(|line| line.trim_end().ends_with(tag.as_str()));
        let tag = tag.into_iter().find(is_free).unwrap_or_default(); // OK because a text has finitely many lines.
        let trims = !content.is_empty() && !content.ends_with('\n');
        content.extend([if trims { "\n- " } else { "" }, &tag, "\n"]);
        self.pending_heredocs.push(content);
        self.push_text("@(");
        self.push_text(&if interpolates { format!("\"{tag}\"") } else { tag });
        if !syntax.is_empty() {
            all!(self, ":", syntax);
        }
        self.push_text(if escapes { "/$)" } else { ")" });
    }

    /// Prints `text` between two tags, escaping `<%` and `%>` from left to right: `<%>` becomes `<%%>`.
    pub(super) fn print_template_text(&mut self, text: &str) {
        let parts: Vec<String> = text.split("<%").map(|part| part.replace("%>", "%%>")).collect();
        self.push_text(&parts.join("<%%"));
    }
}

/// Whether `text` has a `$` that would start a variable or an interpolation if the heredoc is interpolated.
fn has_interpolating_dollar(text: &str) -> bool {
    let begins_one = |after: char| after.is_ascii_alphanumeric() || matches!(after, '_' | ':' | '{');
    text.split('$').skip(1).any(|after| after.starts_with(begins_one))
}

/// Whether the variable `name` needs no dollar between `${` and `}`.
fn needs_no_dollar(name: &str) -> bool {
    name.split("::").all(|part| part.starts_with(|first: char| first.is_ascii_lowercase() || first == '_'))
        || (name.starts_with(|first: char| first.is_ascii_digit())
            && (name.contains(['.', '-']) || name.chars().all(|digit| digit.is_ascii_digit())))
}
