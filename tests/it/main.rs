//! Every test that looks at the crate from outside, in one binary so that it compiles once.

mod conformance;
