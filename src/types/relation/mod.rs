//! Relations between types, and between types and values: one file for each question.
//!
//! What is true of every type (aliases, Variant, Optional, NotUndef, Any) is written once in `lattice`; a type's own rule
//! is in the file of the type.

pub(super) mod infer;
pub(super) mod join;
pub(crate) mod lattice;

pub(crate) use lattice::Lattice;
