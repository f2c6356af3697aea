//! The productions of `grammar/puppet.ebnf`, a file for each of its sections. Every production is a parser of the same
//! name, which is written as the production that stands above it.

pub(super) mod calls;
mod catalog;
mod choices;
mod definitions;
pub(super) mod heredocs;
pub(super) mod numbers;
mod operands;
pub(crate) mod operators;
pub(super) mod regexps;
pub(super) mod statements;
pub(super) mod strings;
pub(super) mod templates;
mod text;
pub(crate) mod words;
