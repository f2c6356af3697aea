//! The parsers of the productions of `grammar/puppet.ebnf`, one file per section. The parser of a production is a
//! function of the same name, with the production as its doc comment.

pub(super) mod calls;
mod catalog;
mod choices;
mod definitions;
pub(super) mod heredocs;
pub(super) mod numbers;
mod operands;
pub(crate) mod operators;
mod prelude;
pub(super) mod regexps;
pub(super) mod statements;
pub(super) mod strings;
pub(super) mod templates;
mod text;
pub(crate) mod words;
