//! Generates strings that an expression matches.
//!
//! A walk over the syntax tree writes one string. Each choice (the character of a class, an alternative, the number of
//! repetitions) is pseudo-random. The walk ignores look-around and word boundaries, so every string is
//! matched against the expression before it is returned.

use std::sync::OnceLock;

use super::tree::{Anchor, Node, Tree};
use super::{Regexp, parse::piece_ends};

const MAX_TRIES: u64 = 64;
const MAX_SAMPLE_BYTES: usize = 4_000;
const MAX_CALL_DEPTH: usize = 8;

impl Regexp {
    /// Returns some strings that the expression matches, the shortest choices first. The result may be empty although
    /// there are such strings, above all if the expression has look-around ([`Regexp::has_look_around`]).
    pub fn samples(&self) -> Vec<String> {
        let mut samples: Vec<String> = Vec::new();
        for seed in 0..MAX_TRIES {
            let mut walk = SampleWalk {
                tree: &self.tree,
                seed,
                random_state: seed,
                text: String::new(),
                group_texts: Vec::new(),
                call_depth: 0,
            };
            walk.write_sample_of(&self.tree.root);
            let text = walk.text;
            if !samples.contains(&text) && self.is_match(&text).unwrap_or(false) {
                samples.push(text);
            }
        }
        samples
    }

    /// Whether the expression has look-around, in which case [`Regexp::samples`] may be empty although strings match.
    pub fn has_look_around(&self) -> bool {
        self.tree.root.self_and_descendants().any(|node| matches!(node, Node::Look { .. }))
    }

    /// Returns the byte length of the longest prefix of `subject` that the first pieces of the expression match, and
    /// the source of the other pieces. `None` if the first piece does not match, or a string has more than 200 bytes.
    pub(crate) fn longest_matching_prefix(&self, subject: &str) -> Option<(usize, &str)> {
        const MAX_TEXT_BYTES: usize = 200;
        let Node::Sequence(pieces) = &self.tree.root else { return None };
        if self.text.len() > MAX_TEXT_BYTES || subject.len() > MAX_TEXT_BYTES {
            return None;
        }
        let mut farthest: Option<(usize, &str)> = None;
        for (end, count) in piece_ends(&self.text).into_iter().rev() {
            let (Some(beginning), Some(rest)) = (pieces.get(..count), self.text.get(end..)) else { continue };
            if rest.is_empty() {
                continue;
            }
            // The first alternative that matches may not be the one that gets farthest.
            let root = Node::Sequence([beginning, &[Node::Anchor(Anchor::TextEnd)]].concat());
            let tree = Tree { root, ..self.tree.clone() };
            let at_end = Regexp { text: Box::default(), tree, engine: OnceLock::new() };
            let least = farthest.map_or(0, |(end, _)| end);
            let matches = |end: &usize| subject.get(..*end).is_some_and(|part| at_end.is_match(part).unwrap_or(false));
            let found = (least + 1..=subject.len()).rev().find(matches);
            farthest = found.map(|end| (end, rest)).or(farthest);
        }
        farthest
    }
}

struct SampleWalk<'t> {
    tree: &'t Tree,
    /// The seed of all choices: 0 takes the first possibility everywhere and 1 the last; others choose pseudo-randomly.
    seed: u64,
    random_state: u64,
    text: String,
    group_texts: Vec<(usize, String)>,
    call_depth: usize,
}

impl SampleWalk<'_> {
    fn choose_index(&mut self, end: usize) -> usize {
        let end = end.max(1);
        match self.seed {
            0 => 0,
            1 => end - 1,
            seed => {
                // Source: the linear congruential generator MMIX of Knuth.
                self.random_state = self.random_state.wrapping_add(seed).wrapping_mul(6_364_136_223_846_793_005);
                self.random_state = self.random_state.wrapping_add(1_442_695_040_888_963_407);
                usize::try_from((self.random_state >> 33) % end as u64).unwrap_or(0)
            }
        }
    }

    fn write_sample_of(&mut self, node: &Node) {
        if self.text.len() > MAX_SAMPLE_BYTES {
            return;
        }
        match node {
            Node::Empty | Node::Anchor(_) | Node::Keep | Node::Look { .. } => {}
            Node::Character { character, fold } => {
                let other = character.to_uppercase().next().filter(|_| *fold && self.choose_index(2) == 1);
                self.text.push(other.unwrap_or(*character));
            }
            Node::Set(set) => {
                let characters = set.example_characters();
                let at = self.choose_index(characters.len());
                self.text.extend(characters.get(at));
            }
            Node::Sequence(nodes) => nodes.iter().for_each(|node| self.write_sample_of(node)),
            Node::Alternatives(nodes) => {
                let at = self.choose_index(nodes.len());
                nodes.get(at).into_iter().for_each(|node| self.write_sample_of(node));
            }
            Node::Repeat { node, least, most, .. } => {
                let spare = most.map_or(3, |most| most.saturating_sub(*least).min(3));
                let turns = *least as usize + self.choose_index(spare as usize + 1);
                for _ in 0..turns {
                    if self.text.len() > MAX_SAMPLE_BYTES {
                        break;
                    }
                    self.write_sample_of(node);
                }
            }
            Node::Group { number, node } => {
                let start = self.text.len();
                self.write_sample_of(node);
                self.group_texts.push((*number, self.text[start..].to_owned()));
            }
            Node::Atomic(node) => self.write_sample_of(node),
            Node::Reference { groups, .. } => {
                let found = self.group_texts.iter().rev().find(|(number, _)| groups.contains(number));
                let text = found.map(|(_, text)| text.clone()).unwrap_or_default();
                self.text.push_str(&text);
            }
            Node::Call(call) => {
                if self.call_depth < MAX_CALL_DEPTH {
                    self.call_depth += 1;
                    let tree = self.tree;
                    self.write_sample_of(tree.called_node(*call));
                    self.call_depth -= 1;
                }
            }
            Node::Conditional { groups, then, otherwise } => {
                let is_set = self.group_texts.iter().any(|(number, _)| groups.contains(number));
                self.write_sample_of(if is_set { then } else { otherwise });
            }
            Node::LineBreak => self.text.push('\n'),
            Node::Grapheme => self.text.push('a'),
        }
    }
}
