//! Relations between types, and between types and values, each in its own file.
//!
//! The rules for types of every kind (aliases, Variant, Optional, NotUndef, Any) are in `lattice`; the rule of a single
//! type is in the file of that type.

pub(super) mod infer;
pub(super) mod join;
pub(crate) mod lattice;

pub(crate) use lattice::Lattice;
