//! The engines behind an expression.

use crate::error::{Error, Result};

use super::Captures;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Engine(fancy_regex::Regex);

impl Engine {
    pub(super) fn new(text: &str) -> Result<Engine> {
        let built = fancy_regex::RegexBuilder::new(text).multi_line(true).oniguruma_mode(true).build();
        built.map(Engine).map_err(|error| Error::runtime(format!("cannot compile the regular expression: {error}")))
    }

    pub(super) fn is_match(&self, subject: &str) -> Result<bool> {
        self.0.is_match(subject).map_err(|error| Error::runtime(error.to_string()))
    }

    pub(super) fn search(&self, subject: &str, start: usize) -> Result<Option<Captures>> {
        let found = self.0.captures_from_pos(subject, start).map_err(|error| Error::runtime(error.to_string()))?;
        Ok(found.map(|found| Captures { spans: found.iter().map(|group| Some(group?.range())).collect() }))
    }
}
