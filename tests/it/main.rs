//! Every test that looks at the crate from outside, in one binary so that it compiles once.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod check;
mod commands;
mod conformance;
mod data;
mod fact_sheets;
mod format;
mod functions;
mod grammar;
mod interrupts;
mod laws;
mod limits;
mod modules;
mod program;
#[cfg(unix)]
mod prompt;
mod readme;
mod regexp;
mod robustness;
mod round_trips;
#[cfg(unix)]
mod screens;
mod sensitive;
mod syntax;
mod tables;
mod templates;
#[cfg(unix)]
mod terminal;
mod time;
mod transcripts;
mod types;
mod values;
