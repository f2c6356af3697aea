//! Writes a `Tree` as a regular expression of ECMA-262 with the flag `u`, as JSON Schema has them.
//!
//! The output is searched for anywhere in a string, and has no options. It may match more than the expression, never less:
//! a possessive repetition is a greedy one, and of a set from Unicode tables every character beyond ASCII is a member.
//!
//! Source: ECMA-262, section "Patterns".

use std::fmt::{self, Write};

use super::tree::{Anchor, Greed, Node};
use super::{Regexp, set::Set, translate::Writer};

impl Regexp {
    /// The expression in the syntax of ECMA-262; `None` for what that cannot express.
    pub(crate) fn ecma(&self) -> Option<String> {
        let mut writer = ForEcma { out: String::new(), is_exact: false };
        writer.node(&self.tree.root).ok()?;
        Some(writer.out)
    }
}

struct ForEcma {
    out: String,
    /// Whether the output must match exactly the same strings, as inside a negative lookaround, instead of more.
    is_exact: bool,
}

impl Writer for ForEcma {
    fn out(&mut self) -> &mut String {
        &mut self.out
    }

    fn piece(&mut self, node: &Node) -> fmt::Result {
        match node {
            Node::Empty => Ok(()),
            Node::Character { character, fold } if !fold || !character.is_alphabetic() => {
                escaped(&mut self.out, *character, "^$\\.*+?()[]{}|/")
            }
            Node::Character { character, .. } if !character.is_ascii() => Err(fmt::Error),
            Node::Character { character, .. } => self.set(&Set::range(*character, *character).folded()),
            Node::Set(set) => self.set(set),
            Node::Anchor(anchor) => self.anchor(*anchor),
            Node::Sequence(_) | Node::Alternatives(_) => self.node(node),
            Node::Repeat { greed: Greed::Possessive, .. } | Node::Atomic(_) if self.is_exact => Err(fmt::Error),
            Node::Repeat { node, least, most, greed } => self.quantified(node, *least, *most, *greed),
            Node::Group { node, .. } => self.enclosed("(", node),
            Node::Atomic(node) => self.enclosed("(?:", node),
            Node::Look { behind, negative, node } => {
                self.out.write_str(if *behind { "(?<" } else { "(?" })?;
                let outside = self.is_exact;
                self.is_exact |= *negative;
                self.enclosed(if *negative { "!" } else { "=" }, node)?;
                self.is_exact = outside;
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

impl ForEcma {
    /// Fails if the output must not match more than the expression does.
    fn wider(&self) -> fmt::Result {
        if self.is_exact { Err(fmt::Error) } else { Ok(()) }
    }

    fn set(&mut self, set: &Set) -> fmt::Result {
        /// The sets of Unicode's tables have hundreds.
        const MOST_RANGES: usize = 40;
        let in_class = |out: &mut String, character: char| escaped(out, character, "\\]^-");
        if set.range_count() <= MOST_RANGES {
            return set.write_ranges(&mut self.out, r"\s\S", in_class);
        }
        self.wider()?;
        set.clone().or(Set::range('\u{80}', char::MAX)).write_ranges(&mut self.out, r"\s\S", in_class)
    }

    fn anchor(&mut self, anchor: Anchor) -> fmt::Result {
        self.out.write_str(match anchor {
            Anchor::TextStart => "^",
            Anchor::TextEnd => "$",
            Anchor::TextEndOrNewline => r"(?=\n?$)",
            // Ruby's does not match after a newline at the end.
            Anchor::LineStart => {
                self.wider()?;
                r"(?<![^\n])"
            }
            Anchor::LineEnd => r"(?![^\n])",
            Anchor::SearchStart | Anchor::WordBoundary { .. } | Anchor::NotWordBoundary { .. } => {
                return Err(fmt::Error);
            }
        })
    }
}

/// Writes a character, with a backslash if it is in `special`.
fn escaped(out: &mut String, character: char, special: &str) -> fmt::Result {
    match character {
        '\n' => out.write_str(r"\n"),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => write!(out, "\\u{:04x}", u32::from(character)),
        _ if special.contains(character) => write!(out, "\\{character}"),
        _ => out.write_char(character),
    }
}
