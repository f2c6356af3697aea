//! What the files of the grammar need: nom's combinators and ours, the input, and the tree.

pub(super) use ecow::EcoString;
pub(super) use smallvec::SmallVec;

pub(super) use super::words::space;
pub(super) use crate::microsyntax::prelude::*;
pub(super) use crate::syntax::combinators::{MAX_NESTING_LEVELS, Rule, by_first_char, commit_after_token};
pub(super) use crate::syntax::combinators::{in_brackets, in_delimiters, keyword, look_ahead};
pub(super) use crate::syntax::combinators::{map_or_refuse, nested_one_level, or_record_expected, parse_node};
pub(super) use crate::syntax::combinators::{peek_symbol, separated_items, separated_items1, symbol, token};
pub(super) use crate::syntax::errors::{Expected, SyntaxError};
pub(super) use crate::syntax::input::{Input, Parsed, fail_with};
pub(super) use crate::syntax::tree::{Expression, Id, Ids, Literal};
pub(super) use crate::text::Span;
