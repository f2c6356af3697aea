//! Prints everything with its own quoting rules: strings, heredocs, regular expressions, template text. The content of
//! a heredoc is deferred until its line ends.

use super::{Print, Printer, all};
use crate::syntax::tree::{Expression, Id, Literal, Radix};

impl Printer<'_> {
    pub(super) fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Undef => self.push("undef"),
            Literal::Default => self.push("default"),
            Literal::Boolean(value) => self.push(if *value { "true" } else { "false" }),
            Literal::Integer(value, radix) => self.push(&match radix {
                Radix::Octal => format!("0{value:o}"),
                Radix::Decimal => value.to_string(),
                Radix::Hexadecimal => format!("0x{value:x}"),
            }),
            Literal::Float(value) => self.push(&format!("{value:?}")),
            Literal::String(text) => self.string(text),
            Literal::Regexp(text) => self.regexp(text),
        }
    }

    fn string(&mut self, text: &str) {
        if text.contains(['\n', '\r', '\t']) {
            self.push("\"");
            self.quoted(text);
            return self.push("\"");
        }
        all!(self, "'", &*text.replace('\\', "\\\\").replace('\'', "\\'"), "'");
    }

    pub(super) fn concatenation(&mut self, parts: &[Id]) {
        self.push("\"");
        for &part in parts {
            match &self.tree[part].expression {
                Expression::Literal(Literal::String(text)) => self.quoted(text),
                _ => self.node(part),
            }
        }
        self.push("\"");
    }

    fn quoted(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' => self.push("\\n"),
                '\r' => self.push("\\r"),
                '\t' => self.push("\\t"),
                '"' | '\\' | '$' => self.out.extend(['\\', character]),
                _ => self.out.push(character),
            }
        }
    }

    /// `${…}`
    pub(super) fn interpolation(&mut self, value: Id) {
        self.push("${");
        match &self.tree[value].expression {
            Expression::Variable(name) if is_plain_name(name) => self.push(name),
            _ => self.node(value),
        }
        self.push("}");
    }

    pub(super) fn heredoc(&mut self, syntax: &str, text: Id) {
        let tree = self.tree;
        let (parts, interpolates) = match &tree[text].expression {
            Expression::Concatenation(parts) => (&parts[..], true),
            _ => (std::slice::from_ref(&text), false),
        };
        // Escapes are announced only where they are needed: a slash makes a regular expression of a division before it.
        let escapes = interpolates
            && parts
                .iter()
                .any(|&part| matches!(&tree[part].expression, Expression::Literal(Literal::String(text)) if has_variable(text)));
        // The text is printed apart, with no line of this one in between.
        let outer = std::mem::take(&mut self.out);
        let waiting = std::mem::take(&mut self.heredocs);
        for &part in parts {
            match &tree[part].expression {
                Expression::Literal(Literal::String(text)) if escapes => {
                    self.push(&str::replace(text, '\\', "\\\\").replace('$', "\\$"));
                }
                Expression::Literal(Literal::String(text)) => self.push(text),
                Expression::Text(value) => self.interpolation(*value),
                _ => self.node(part),
            }
        }
        let mut content = std::mem::replace(&mut self.out, outer);
        self.heredocs.splice(0..0, waiting);
        let tag = (0..).map(|number| if number == 0 { "END".to_owned() } else { format!("END{number}") });
        let is_free = |tag: &String| !content.lines().any(|line| line.trim_end().ends_with(tag.as_str()));
        let tag = tag.into_iter().find(is_free).unwrap_or_default(); // OK because a text has finitely many lines.
        let trims = !content.is_empty() && !content.ends_with('\n');
        if trims {
            content.push('\n');
        }
        content.push_str(if trims { "- " } else { "" });
        content.push_str(&tag);
        content.push('\n');
        self.heredocs.push(content);
        self.push("@(");
        self.push(&if interpolates { format!("\"{tag}\"") } else { tag });
        if !syntax.is_empty() {
            all!(self, ":", syntax);
        }
        self.push(if escapes { "/$)" } else { ")" });
    }

    fn regexp(&mut self, text: &str) {
        self.push("/");
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => self.out.extend(std::iter::once('\\').chain(characters.next())),
                '/' => self.push("\\/"),
                _ => self.out.push(character),
            }
        }
        self.push("/");
    }

    /// A text between tags, from left to right: in `<%>` only the first two characters look like a tag.
    pub(super) fn template_text(&mut self, mut text: &str) {
        while let Some(first) = text.chars().next() {
            let (escaped, length) = match text {
                _ if text.starts_with("<%") => ("<%%", 2),
                _ if text.starts_with("%>") => ("%%>", 2),
                _ => (&text[..first.len_utf8()], first.len_utf8()),
            };
            self.push(escaped);
            text = &text[length..];
        }
    }
}

/// Whether something in the text would be a variable or an interpolation where the text has some.
fn has_variable(text: &str) -> bool {
    let begins_one = |after: char| after.is_ascii_alphanumeric() || matches!(after, '_' | ':' | '{');
    text.split('$').skip(1).any(|after| after.starts_with(begins_one))
}

/// Whether a variable needs no dollar between `${` and `}`.
fn is_plain_name(name: &str) -> bool {
    name.split("::").all(|part| part.starts_with(|first: char| first.is_ascii_lowercase() || first == '_'))
        || (name.starts_with(|first: char| first.is_ascii_digit())
            && (name.contains(['.', '-']) || name.chars().all(|digit| digit.is_ascii_digit())))
}
