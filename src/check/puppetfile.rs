//! Reads a `Puppetfile`: where modules are installed, and which. Reports what r10k refuses.
//!
//! Source: r10k documentation, "The Puppetfile".

use std::sync::Arc;

use super::Checked;
use crate::error::Error;
use crate::regexp::ConstantRegex;
use crate::text::{Source, Span};
use crate::wording::{did_you_mean, nearest};

/// The options of a module that r10k knows.
const MODULE_OPTIONS: &str = "branch commit default_branch default_branch_override exclude_spec git install_path latest local \
                              ref source svn svn_path tag tarball type version";

/// A `Puppetfile`.
///
/// ```
/// use pcore::{check::Puppetfile, text::Source};
/// let source = Source::new("Puppetfile", "moduledir 'vendor'\nmod 'puppetlabs/stdlib', '9.6.0'\n");
/// let puppetfile = Puppetfile::parse(&source);
/// assert_eq!((puppetfile.module_directory, &*puppetfile.modules), ("vendor", &["stdlib"][..]));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Puppetfile<'s> {
    /// The directory of the modules, relative to that of the file.
    pub module_directory: &'s str,
    /// The names of the modules, without their authors and without those that are `local`.
    pub modules: Vec<&'s str>,
    /// What is wrong, as errors.
    pub checked: Checked,
}

impl<'s> Puppetfile<'s> {
    /// Reads the calls of `mod` and `moduledir` in `source`; other Ruby code is skipped.
    pub fn parse(source: &'s Arc<Source>) -> Puppetfile<'s> {
        static TOKEN: ConstantRegex = ConstantRegex::new(r#"#[^\n]*|'[^'\n]*'|"[^"\n]*"|=>|:?\w+:?|\S"#);
        let tokens = TOKEN.find_iter(source.text()).filter(|token| !token.as_str().starts_with('#'));
        let tokens: Vec<regex::Match<'s>> = tokens.collect();
        let has_conditions = tokens.iter().any(|token| matches!(token.as_str(), "if" | "unless" | "case"));
        let mut file = Puppetfile { module_directory: "modules", modules: Vec::new(), checked: Checked::default() };
        let mut names: Vec<&str> = Vec::new();
        let mut add_error = |token: &regex::Match<'_>, message: String, help: Option<String>| {
            let span = Span::new(token.start(), token.end());
            file.checked.add_error(source, span, Error::new("PUPPETFILE", message)).help_if(help);
        };
        for (at, keyword) in
            tokens.iter().enumerate().filter(|(_, token)| matches!(token.as_str(), "mod" | "moduledir"))
        {
            let mut arguments =
                tokens.get(at + 1..).unwrap_or_default().iter().skip_while(|token| token.as_str() == "(");
            let Some(token) = arguments.next() else { continue };
            let Some(full_name) = quoted_text(token) else { continue };
            if keyword.as_str() == "moduledir" {
                file.module_directory = full_name;
                continue;
            }
            let name = full_name.rsplit(['/', '-']).next().unwrap_or(full_name);
            if names.contains(&name) && !has_conditions {
                add_error(token, format!("the module {name} is listed twice"), Some("remove one of them".to_owned()));
            }
            names.push(name);
            let (mut is_local, mut is_after_value) = (false, true);
            for token in arguments {
                let text = token.as_str();
                let option = text.strip_prefix(':').or_else(|| text.strip_suffix(':'));
                let is_value = option.is_some() || quoted_text(token).is_some() || matches!(text, "true" | "false");
                match text {
                    "," | "=>" => is_after_value = false,
                    _ if is_value && is_after_value => {
                        add_error(token, format!("expected a comma before {text}"), Some(format!("write `, {text}`")));
                        break;
                    }
                    _ if is_value => {
                        is_local |= option == Some("local");
                        is_after_value = !text.ends_with(':');
                        let mut known = MODULE_OPTIONS.split(' ');
                        if let Some(option) = option.filter(|option| !known.any(|known| known == *option))
                            && let near @ Some(_) = did_you_mean(nearest(option, MODULE_OPTIONS.split(' ')))
                        {
                            add_error(token, format!("r10k has no option {option}"), near);
                        }
                    }
                    _ => break,
                }
            }
            if !is_local {
                file.modules.push(name);
            }
        }
        file.checked.compared = names.len();
        file
    }
}

fn quoted_text<'s>(token: &regex::Match<'s>) -> Option<&'s str> {
    token.as_str().strip_prefix(['\'', '"'])?.strip_suffix(['\'', '"'])
}
