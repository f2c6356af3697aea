//! Translates an expression to ECMA-262 with the flag `u`, the regular expressions of JSON Schema.
//!
//! The output has no options and is not anchored. It may match more strings than the expression, but never fewer:
//! possessive quantifiers become greedy, and a large Unicode set becomes one with all non-ASCII characters.
//!
//! Source: ECMA-262, section "Patterns".

use std::fmt::{self, Write};

use super::tree::{Anchor, Greed, Node};
use super::{Regexp, set::CharSet, translate::PatternWriter};

impl Regexp {
    pub(crate) fn to_ecma_pattern(&self) -> Option<String> {
        let mut writer = EcmaWriter { out: String::new(), must_be_exact: false };
        writer.write_node(&self.tree.root).ok()?;
        Some(writer.out)
    }
}

struct EcmaWriter {
    out: String,
    /// Whether the output must match exactly the same strings (in a negative look-around); otherwise it may match more.
    must_be_exact: bool,
}

impl PatternWriter for EcmaWriter {
    fn output_mut(&mut self) -> &mut String {
        &mut self.out
    }

    fn write_piece(&mut self, node: &Node) -> fmt::Result {
        match node {
            Node::Empty => Ok(()),
            Node::Character { character, fold } if !fold || !character.is_alphabetic() => {
                write_escaped_character(&mut self.out, *character, "^$\\.*+?()[]{}|/")
            }
            Node::Character { character, .. } if !character.is_ascii() => Err(fmt::Error),
            Node::Character { character, .. } => {
                self.write_set(&CharSet::from_range(*character, *character).case_folded())
            }
            Node::Set(set) => self.write_set(set),
            Node::Anchor(anchor) => self.write_anchor(*anchor),
            Node::Sequence(_) | Node::Alternatives(_) => self.write_node(node),
            Node::Repeat { greed: Greed::Possessive, .. } | Node::Atomic(_) if self.must_be_exact => Err(fmt::Error),
            Node::Repeat { node, least, most, greed } => self.write_quantified(node, *least, *most, *greed),
            Node::Group { node, .. } => self.write_group("(", node),
            Node::Atomic(node) => self.write_group("(?:", node),
            Node::Look { behind, negative, node } => {
                self.out.write_str(if *behind { "(?<" } else { "(?" })?;
                let outside = self.must_be_exact;
                self.must_be_exact |= *negative;
                self.write_group(if *negative { "!" } else { "=" }, node)?;
                self.must_be_exact = outside;
                Ok(())
            }
            Node::Reference { .. }
            | Node::Call(_)
            | Node::Conditional { .. }
            | Node::Keep
            | Node::LineBreak
            | Node::Grapheme => Err(fmt::Error),
        }
    }
}

impl EcmaWriter {
    fn fail_if_must_be_exact(&self) -> fmt::Result {
        if self.must_be_exact { Err(fmt::Error) } else { Ok(()) }
    }

    fn write_set(&mut self, set: &CharSet) -> fmt::Result {
        /// The maximum number of ranges in a class; larger sets (Unicode tables) get all non-ASCII characters instead.
        const MAX_WRITTEN_RANGES: usize = 40;
        let in_class = |out: &mut String, character: char| write_escaped_character(out, character, "\\]^-");
        if set.range_count() <= MAX_WRITTEN_RANGES {
            return set.write_class(&mut self.out, r"\s\S", in_class);
        }
        self.fail_if_must_be_exact()?;
        set.clone().union(CharSet::from_range('\u{80}', char::MAX)).write_class(&mut self.out, r"\s\S", in_class)
    }

    fn write_anchor(&mut self, anchor: Anchor) -> fmt::Result {
        self.out.write_str(match anchor {
            Anchor::TextStart => "^",
            Anchor::TextEnd => "$",
            Anchor::TextEndOrNewline => r"(?=\n?$)",
            // Ruby's does not match after a newline at the end.
            Anchor::LineStart => {
                self.fail_if_must_be_exact()?;
                r"(?<![^\n])"
            }
            Anchor::LineEnd => r"(?![^\n])",
            Anchor::SearchStart | Anchor::WordBoundary { .. } | Anchor::NotWordBoundary { .. } => {
                return Err(fmt::Error);
            }
        })
    }
}

fn write_escaped_character(out: &mut String, character: char, special: &str) -> fmt::Result {
    match character {
        '\n' => out.write_str(r"\n"),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => write!(out, "\\u{:04x}", u32::from(character)),
        _ if special.contains(character) => write!(out, "\\{character}"),
        _ => out.write_char(character),
    }
}
