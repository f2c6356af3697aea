//! Code assistance: completion, bracket matching, indentation and the names that a session knows.

pub mod brackets;
pub mod candidates;
pub mod completion;
pub mod cursor_context;
pub mod expectation;
pub mod indent;
pub mod static_eval;
pub mod symbols;
