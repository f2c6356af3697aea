//! The operators on values: one file a family, one row an operator.
