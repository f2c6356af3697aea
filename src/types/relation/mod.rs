//! Relations between types, and between types and values: one file for each question.
//!
//! What is true of every type (aliases, Variant, Optional, NotUndef, Any) is written once in `lattice`; a type's own rule
//! is in the file of the type.

pub mod counterexample;
pub mod difference;
pub mod examples;
pub(super) mod generalize;
// Drawn by `:tree`; too close to its layout to be a library.
#[doc(hidden)]
pub mod hierarchy;
pub(super) mod infer;
pub(super) mod join;
pub(crate) mod lattice;
pub mod meet;
pub mod mismatch;
pub mod rewrite;
mod sample_values;
pub mod shape;

pub(crate) use generalize::Generalization;
pub(crate) use lattice::Lattice;
