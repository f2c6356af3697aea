//! Validates programs before they run, with all checks that Puppet makes at that time. `pcore parse`, `pcore check`,
//! programs, templates and the files of modules all use it.
//!
//! In addition to the rules of [`syntax::validate`], it checks what needs more than the tree: regular expressions, the
//! languages of heredocs, and the names of built-in types.

use super::{Strictness, error::EvalError, heredoc};
use crate::error::{Error, Kind as _};
use crate::regexp::Regexp;
use crate::syntax::tree::{Expression, Literal, Tree};
use crate::syntax::{self, Finding, RuleKind};
use crate::types::Type;

/// The kind of a source, which decides whether an expression with an unused value is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// An entry at the prompt or a snippet file: the value of each top-level expression is printed, and an unused value
    /// inside of a body is a warning.
    #[default]
    Snippet,
    /// A whole program, validated as by Puppet: an unused value is an error (`IDEM_EXPRESSION_NOT_LAST`).
    Program,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FindingAction {
    Accept,
    Warn,
    Reject,
}

/// Whether to accept, warn of or reject `finding`. Observed: Puppet 8.11; `strict` is only for duplicate keys.
fn action_for_finding(finding: &Finding, strictness: Strictness, mode: Mode) -> FindingAction {
    match (finding.rule_kind, mode, strictness) {
        (RuleKind::Program, ..)
        | (RuleKind::SpecificationOnly | RuleKind::Strict, _, Strictness::Error)
        | (RuleKind::TopLevelValue | RuleKind::InnerValue, Mode::Program, _) => FindingAction::Reject,
        // The evaluator warns of the first when it gets there; the second is shown.
        (RuleKind::SpecificationOnly, ..) | (RuleKind::TopLevelValue, Mode::Snippet, _) | (_, _, Strictness::Off) => {
            FindingAction::Accept
        }
        (RuleKind::Strict | RuleKind::InnerValue | RuleKind::Advice, ..) => FindingAction::Warn,
    }
}

fn validate_program(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for node in &tree.nodes {
        match &node.expression {
            Expression::Literal(Literal::Regexp(text)) => {
                let error = Regexp::new(text).err().map(|error| error.at(node.span).in_source(&tree.source));
                findings.extend(error.map(|error| Finding { rule_kind: RuleKind::Program, error }));
            }
            Expression::Heredoc(syntax, text) => {
                findings.extend(heredoc::validate_literal_heredoc(tree, syntax, *text));
            }
            _ => {}
        }
    }
    let advice = |error: &Error| Finding { rule_kind: RuleKind::Advice, error: error.clone() };
    findings.extend(tree.warnings.iter().map(advice));
    findings.extend(syntax::validate(tree));
    // Observed: Puppet 8.10 defines the aliases of a program that has no other fault.
    for node in &tree.nodes {
        if let Expression::TypeAlias { name, .. } = &node.expression
            && Type::named(name).is_some()
        {
            let error = EvalError::Redefinition(name.to_string()).at(node.span);
            findings.push(Finding { rule_kind: RuleKind::Program, error: error.in_source(&tree.source) });
        }
    }
    findings
}

/// Returns the errors for which Puppet 8 rejects a program before it runs, as `puppet parser validate` reports them.
///
/// ```
/// use pcore::{session, syntax, text::Source};
/// let tree = syntax::parse(&Source::new("site.pp", "class web { ntp $x = 1 }\n'a' =~ /(/"))?;
/// let errors: Vec<&str> = session::rejections(&tree).iter().map(|error| error.code()).collect();
/// assert_eq!(errors, ["RUNTIME_ERROR", "IDEM_EXPRESSION_NOT_LAST"]);
/// # Ok::<(), pcore::Error>(())
/// ```
pub fn rejections(tree: &Tree) -> Vec<Error> {
    let is_rejected =
        |finding: &Finding| action_for_finding(finding, Strictness::Error, Mode::Program) == FindingAction::Reject;
    validate_program(tree).into_iter().filter(is_rejected).map(|finding| finding.error).collect()
}

pub(crate) fn enforce_rules(
    tree: &Tree,
    strictness: Strictness,
    mode: Mode,
    mut warn: impl FnMut(Error) -> Result<(), Error>,
) -> Result<(), Error> {
    for finding in validate_program(tree) {
        match action_for_finding(&finding, strictness, mode) {
            FindingAction::Reject => return Err(finding.error),
            FindingAction::Warn => warn(finding.error)?,
            FindingAction::Accept => {}
        }
    }
    Ok(())
}
