//! Checks that the text of a heredoc is valid in its language: `@(END:json)` has to contain JSON.
//!
//! Observed: Puppet 7.23 checks `json`, `base64`, `pp` and `epp`, in upper or lower case, also after a plus sign
//! (`example+json`): literal heredocs before the program runs, those with interpolations when they are evaluated. Code
//! in `pp` or `epp` also has to pass the validation of programs.
//! Deviation: Puppet does not check `yaml`; here invalid YAML in a literal heredoc causes a warning.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::rejections;
use crate::data::{self, Format};
use crate::error::{Error, Result};
use crate::syntax::tree::{Expression, Id, Literal, Tree};
use crate::syntax::{self, Finding, RuleKind};
use crate::text::Source;

/// Returns the error (for YAML, a warning) if a heredoc without interpolations is invalid; `None` if it is valid.
pub(super) fn validate_literal_heredoc(tree: &Tree, language: &str, text: Id) -> Option<Finding> {
    let Expression::Literal(Literal::String(literal)) = &tree[text].expression else { return None };
    let finding =
        |rule_kind, error: Error| Finding { rule_kind, error: error.at(tree[text].span).in_source(&tree.source) };
    if let Err(error) = check_content(language, literal) {
        return Some(finding(RuleKind::Program, error));
    }
    if language_of_syntax(language) != "yaml" {
        return None;
    }
    let problem = data::read(Format::Yaml, &Source::new("heredoc", &**literal)).err()?;
    Some(finding(RuleKind::Advice, invalid_heredoc_error(crate::error::RUNTIME_ERROR, "yaml", problem.message())))
}

pub(super) fn check_content(language: &str, text: &str) -> Result<()> {
    let language = language_of_syntax(language);
    let (issue, problem) = match &*language {
        "json" => {
            ("ILLEGAL_JSON", serde_json::from_str::<serde_json::Value>(text).err().map(|error| error.to_string()))
        }
        "base64" => {
            let text: String = text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\r' | '\n' | '?')).collect();
            ("ILLEGAL_BASE64", STANDARD.decode(text).err().map(|error| error.to_string()))
        }
        "pp" => ("ILLEGAL_PP", first_error_message(syntax::parse(&Source::new("heredoc", text)))),
        "epp" => ("ILLEGAL_EPP", first_error_message(syntax::parse_template(&Source::new("heredoc", text)))),
        _ => return Ok(()),
    };
    problem.map_or(Ok(()), |problem| Err(invalid_heredoc_error(issue, &language, &problem)))
}

fn language_of_syntax(syntax: &str) -> String {
    syntax.rsplit('+').next().unwrap_or_default().to_ascii_lowercase()
}

fn invalid_heredoc_error(issue: &'static str, language: &str, problem: &str) -> Error {
    Error::new(issue, format!("the heredoc is not valid {language}: {problem}"))
}

fn first_error_message(program: Result<Tree>) -> Option<String> {
    let error = match program {
        Ok(tree) => rejections(&tree).into_iter().next()?,
        Err(error) => error,
    };
    Some(error.message().to_owned())
}
