//! Heredocs that name the language of their text: `@(END:json)`. A text without interpolation has to be right in it.
//!
//! Observed: Puppet 7.23 knows `json`, `base64`, `pp` and `epp`, in any case of the letters and behind a plus as well
//! (`example+json`). It refuses a wrong text when the heredoc is evaluated.
//! Deviation: a text with interpolations is not checked.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Result};
use crate::syntax;
use crate::text::Source;

/// # Errors
/// `ILLEGAL_JSON`, `ILLEGAL_BASE64`, `ILLEGAL_PP` or `ILLEGAL_EPP` when `text` is not in the language.
pub(super) fn check(language: &str, text: &str) -> Result<()> {
    let language = language.rsplit('+').next().unwrap_or_default().to_ascii_lowercase();
    let (issue, problem) = match &*language {
        "json" => {
            ("ILLEGAL_JSON", serde_json::from_str::<serde_json::Value>(text).err().map(|error| error.to_string()))
        }
        "base64" => {
            let text: String = text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\r' | '\n' | '?')).collect();
            ("ILLEGAL_BASE64", STANDARD.decode(text).err().map(|error| error.to_string()))
        }
        "pp" => {
            ("ILLEGAL_PP", syntax::parse(&Source::new("heredoc", text)).err().map(|error| error.message().to_owned()))
        }
        "epp" => {
            let error = syntax::parse_template(&Source::new("heredoc", text)).err();
            ("ILLEGAL_EPP", error.map(|error| error.message().to_owned()))
        }
        _ => return Ok(()),
    };
    problem
        .map_or(Ok(()), |problem| Err(Error::coded(issue, format!("the heredoc is not valid {language}: {problem}"))))
}
