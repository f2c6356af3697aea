//! From tree to value.
