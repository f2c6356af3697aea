//! Every test that looks at the crate from outside, in one binary so that it compiles once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod assist;
#[cfg(feature = "cli")]
mod check;
#[cfg(feature = "cli")]
mod commands;
mod conformance;
mod data;
#[cfg(feature = "cli")]
mod diff;
mod english;
mod examples;
mod fact_sheets;
#[cfg(feature = "cli")]
mod fixes;
mod format;
mod functions;
mod grammar;
mod interrupts;
#[cfg(all(unix, feature = "cli"))]
mod killed;
mod laws;
#[cfg(feature = "cli")]
mod layouts;
mod limits;
mod loading;
#[cfg(feature = "cli")]
mod lookups;
mod memory;
mod mismatch;
mod module_order;
mod modules;
#[cfg(unix)]
mod permissions;
#[cfg(feature = "cli")]
mod planted;
#[cfg(feature = "cli")]
mod program;
#[cfg(all(unix, feature = "cli"))]
mod prompt;
mod prompt_commands;
#[cfg(feature = "cli")]
mod readme;
mod recovery;
mod recursive;
mod regexp;
mod replies;
#[cfg(feature = "cli")]
mod reports;
mod robustness;
mod round_trips;
mod schema;
#[cfg(all(unix, feature = "cli"))]
mod screens;
mod sensitive;
mod session;
mod settings;
#[cfg(all(unix, feature = "cli"))]
mod shells;
mod spoiled;
mod syntax;
mod tables;
mod templates;
#[cfg(all(unix, feature = "cli"))]
mod terminal;
mod time;
mod time_formats;
mod tokens;
#[cfg(feature = "cli")]
mod transcripts;
mod types;
mod validation;
mod values;
mod wording;

use std::fs;
use std::path::{Path, PathBuf};

/// The files below a folder whose names end in `.extension`, in alphabetical order.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}
