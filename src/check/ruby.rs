//! Reads the Ruby files of modules with regular expressions, without running them: the names of functions and facts,
//! and the signatures in `dispatch` blocks.
//!
//! Source: Puppet reference, "Writing functions in Ruby".

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use regex::{NoExpand, Regex};

use super::{Checked, Checker};
use crate::error::Error;
use crate::eval::UNKNOWN_TYPE;
use crate::regexp::ConstantRegex;
use crate::text::{Source, Span};
use crate::{files, syntax};

/// A Puppet function that is written in Ruby. Its file is read when the signatures are first needed.
#[derive(Debug)]
pub(super) struct RubyFunction {
    pub(super) file: PathBuf,
    /// The signatures, read on first use; `None` if they cannot be read, as in `lib/puppet/parser/functions`.
    pub(super) signatures: OnceLock<Option<Vec<String>>>,
}

static DISPATCH_START: ConstantRegex = ConstantRegex::new(r"(?m)^[ \t]*dispatch[ (]");
static PARAMETER_LINE: ConstantRegex = ConstantRegex::new(
    r"(?m)^\s*(param|required_param|optional_param|repeated_param|optional_repeated_param|required_repeated_param|block_param|required_block_param|optional_block_param|return_type)\b[ (]*([^\n]*)$",
);
static DISPATCH_OR_PARAMETER: ConstantRegex =
    ConstantRegex::new(r"(?m)^[ \t]*(?:dispatch[ (]+:(\w+[?!]?)|((?:\w+_)?param|return_type)\b)");
/// Matches Ruby code that may define further methods.
static DYNAMIC_METHOD_CODE: ConstantRegex = ConstantRegex::new(
    r"\b(?:include|extend|alias|alias_method|define_method|def_delegators?|delegate|attr_\w+|\w*eval)\b",
);
static METHOD_DEFINITION: ConstantRegex = ConstantRegex::new(r"\bdef (\w+[?!]?)");
static QUOTED_STRING: ConstantRegex = ConstantRegex::new(r##"^(?:'([^'#]*)'|"([^"#]*)")"##);
static LOCAL_TYPE_DEFINITION: ConstantRegex =
    ConstantRegex::new(r#"^type[ (]+(?:'(\w+\s*=[^'\\#]+)'|"(\w+\s*=[^"\\#]+)")\)?$"#);
static SYMBOL_AT_LINE_END: ConstantRegex = ConstantRegex::new(r":'?([a-z_][A-Za-z0-9_]*)'?\)?\s*(?:#.*)?$");
static FACTER_ADD_CALL: ConstantRegex =
    ConstantRegex::new(r#"Facter\.add\(?\s*(?::'?([A-Za-z_0-9]+)'?|['"]([^'"]+)['"])"#);

pub(super) fn first_matched_group(captures: &regex::Captures<'_>) -> Option<String> {
    captures.iter().skip(1).flatten().next().map(|found| found.as_str().to_owned())
}

pub(super) fn read_file_lossy(file: &Path) -> String {
    String::from_utf8_lossy(&files::read_source_bytes(file).unwrap_or_default()).into_owned()
}

impl RubyFunction {
    /// Creates a function from the index of a module that is not installed. Without signatures, only its name is known.
    pub(super) fn from_signatures(module: &str, signatures: &[String]) -> RubyFunction {
        let signatures = (!signatures.is_empty()).then(|| signatures.to_vec());
        RubyFunction { file: format!("the index of {module}").into(), signatures: OnceLock::from(signatures) }
    }

    /// Returns a signature such as `(Integer $a) >> String` for each `dispatch` block; `None` if they cannot be read.
    pub(super) fn signatures(&self) -> Option<&[String]> {
        self.signatures.get_or_init(|| signatures_in_ruby(&read_file_lossy(&self.file))).as_deref()
    }
}

impl Checker<'_> {
    /// Checks a file in `lib/puppet/functions`: the order and types of parameters, and the methods in `dispatch`.
    pub fn check_ruby_function(&mut self, source: &Arc<Source>) -> Checked {
        let mut checked = Checked { compared: 1, ..Checked::default() };
        let outline = blank_out_literals(source.text());
        let has_method = |name: &str| {
            METHOD_DEFINITION.captures_iter(&outline).any(|found| &found[1] == name)
                || DYNAMIC_METHOD_CODE.is_match(&outline)
        };
        let mut is_optional = false;
        for found in DISPATCH_OR_PARAMETER.captures_iter(&outline) {
            let mut error = |at: regex::Match<'_>, issue, message: &str, help: &str| {
                checked.add_error(source, Span::new(at.start(), at.end()), Error::new(issue, message)).help(help);
            };
            if let Some(method) = found.get(1) {
                is_optional = false;
                if !has_method(method.as_str()) {
                    let message = format!("the function has no method {}", method.as_str());
                    error(method, "UNKNOWN_FUNCTION", &message, &format!("write def {}(…)", method.as_str()));
                }
            } else if let Some(kind) = found.get(2) {
                if is_optional && matches!(kind.as_str(), "param" | "required_param") {
                    let message = "a required parameter is after an optional one";
                    error(kind, "REQUIRED_PARAMETER_AFTER_OPTIONAL", message, "write the required parameters first");
                }
                is_optional |= matches!(kind.as_str(), "optional_param" | "repeated_param" | "optional_repeated_param");
                self.check_parameter_type(source, kind.end(), &outline, &mut checked);
            }
        }
        checked.sort_findings();
        checked
    }

    /// Checks the type of a parameter, if a plain string literal follows the offset `start`.
    fn check_parameter_type(&mut self, source: &Arc<Source>, start: usize, outline: &str, checked: &mut Checked) {
        let text = source.text();
        let start = start + text[start..].find(|letter| !" (".contains(letter)).unwrap_or(0);
        let argument = &text[start..];
        let Some(type_) = QUOTED_STRING.captures(argument).and_then(|found| found.get(1).or(found.get(2))) else {
            return;
        };
        let is_whole = argument[type_.end() + 1..].trim_start_matches([' ', ')']).starts_with([',', '\n', '\r']);
        if !is_whole || type_.as_str().contains('\\') || outline.contains("local_types") {
            return;
        }
        // A program with the type at the same place.
        let place = Span::new(start + type_.start(), start + type_.end());
        let before = text[..place.range().start].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
        let program = before.chain(type_.as_str().chars()).collect::<String>();
        let errors: Vec<Error> = match syntax::parse(&Source::new(source.name(), program)) {
            Err(error) => vec![error],
            Ok(tree) => {
                let findings = self.check_bodies(&tree).findings.into_iter();
                findings.map(|finding| finding.error).filter(|error| error.code() == UNKNOWN_TYPE).collect()
            }
        };
        for error in errors {
            checked.add_error(source, error.span().filter(|span| span.start < place.end).unwrap_or(place), error);
        }
    }
}

pub(super) fn signatures_in_ruby(text: &str) -> Option<Vec<String>> {
    // Computed names and types cannot be known.
    if text.contains("def call(") || text.contains("argument_mismatch") && !text.contains("dispatch") {
        return None;
    }
    let local = read_local_types(text)?;
    let starts: Vec<usize> = DISPATCH_START.find_iter(text).map(|found| found.start()).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let blocks = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]);
    let blocks = blocks.map(|block| block.split_once("\n  end").map_or(block, |(inside, _)| inside));
    let signatures = blocks.map(|block| signature_of_dispatch(block, &local)).collect::<Option<Vec<_>>>()?;
    (!signatures.is_empty()).then_some(signatures)
}

/// Returns the name, as a pattern, and the type of each alias in `local_types`; `None` if one cannot be read.
fn read_local_types(text: &str) -> Option<Vec<(Regex, String)>> {
    let Some((_, block)) = text.split_once("local_types do") else {
        return (!text.contains("local_types")).then(Vec::new);
    };
    let lines = block.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let alias = |line: &str| {
        let definition = first_matched_group(&LOCAL_TYPE_DEFINITION.captures(line)?)?;
        let (name, type_) = definition.split_once('=').map(|(name, type_)| (name.trim(), type_.trim()))?;
        let word = Regex::new(&format!(r"\b{name}\b")).ok()?;
        // It may mean itself, and text is not a type.
        let is_plain =
            !word.is_match(type_) && !text.contains(&format!("'{name}'\"")) && !text.contains(&format!("['{name}'"));
        is_plain.then(|| (word, type_.to_owned()))
    };
    lines.take_while(|line| *line != "end").map(alias).collect()
}

/// Returns a signature such as `(Integer $a, Any *$rest, Callable &$block) >> Array` for a `dispatch` block.
fn signature_of_dispatch(block: &str, local: &[(Regex, String)]) -> Option<String> {
    let lines = block.lines().skip(1).filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let (mut parameters, mut return_type, mut block_parameter) = (Vec::new(), None, None);
    for line in lines {
        let found = PARAMETER_LINE.captures(line)?;
        let (kind, rest) = (&found[1], found[2].trim());
        let mut type_ = QUOTED_STRING.captures(rest).and_then(|captures| first_matched_group(&captures));
        // An alias may use the others.
        for (name, meaning) in local.iter().chain(local).chain(local) {
            type_ = type_.map(|type_| name.replace_all(&type_, NoExpand(meaning)).into_owned());
        }
        let name = SYMBOL_AT_LINE_END.captures(rest).map(|captures| captures[1].to_owned());
        match kind {
            "return_type" => return_type = Some(type_?),
            _ if kind.contains("block") => {
                let type_ = type_.unwrap_or_else(|| "Callable".to_owned());
                let type_ = if kind.starts_with("optional") { format!("Optional[{type_}]") } else { type_ };
                block_parameter = Some(format!("{type_} &$block"));
            }
            _ => {
                let (type_, name) = (type_?, name?);
                parameters.push(match kind {
                    "optional_param" => format!("{type_} ${name} = undef"),
                    "repeated_param" | "optional_repeated_param" => format!("{type_} *${name}"),
                    "required_repeated_param" => format!("{type_} ${name}, {type_} *${name}_more"),
                    _ => format!("{type_} ${name}"),
                });
            }
        }
    }
    parameters.extend(block_parameter);
    let returned = return_type.map(|type_| format!(" >> {type_}")).unwrap_or_default();
    Some(format!("({}){returned}", parameters.join(", ")))
}

/// Returns the names of the facts that a file in `lib/facter` adds: those in `Facter.add`, and the file's name.
pub(super) fn fact_names_in_file(file: &Path) -> Vec<String> {
    let text = read_file_lossy(file);
    let added = FACTER_ADD_CALL.captures_iter(&text).filter_map(|captures| first_matched_group(&captures));
    added.chain(file.file_stem().map(|name| name.to_string_lossy().into_owned())).collect()
}

/// Matches comments and `%q{…}` literals, strings, regular expressions with the token before them, and heredoc starts.
static COMMENT_OR_LITERAL: ConstantRegex = ConstantRegex::new(
    r#"(?sx)
        (\#[^\n]* | \n=begin\b.*?\n=end\b | \n__END__.*
            | %[qQwWiIr]?(?:\{(?:[^{}\\]|\\.|\{[^{}]*\})*\} | \((?:[^()\\]|\\.|\([^()]*\))*\) | \[(?:[^\[\]\\]|\\.)*\]))
        | ('(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*`)
        | (?:[(,=~!|&\[;\n] | \b(?:if|unless|when|and|or|newvalues?))[\ \t]*(/(?:[^/\\\n]|\\.)+/)
        | <<[-~]?['"]?([A-Z_][A-Za-z_0-9]*)"#,
);

/// Returns Ruby code with spaces for comments and the contents of literals; offsets and line breaks are kept.
pub(super) fn blank_out_literals(text: &str) -> String {
    let mut outlined = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(token) = COMMENT_OR_LITERAL.captures_at(text, at) {
        let whole = token.get_match();
        let blank = if let Some(tag) = token.get(4) {
            let start = text[whole.end()..].find('\n').map_or(text.len(), |line| whole.end() + line);
            let lines = text[start..].split_inclusive('\n').skip(1);
            let body: usize = lines.take_while(|line| line.trim() != tag.as_str()).map(str::len).sum();
            start..(start + 1 + body).min(text.len())
        } else if let Some(literal) = token.get(2).or(token.get(3)) {
            // The quotes stay.
            literal.start() + 1..literal.end() - 1
        } else {
            whole.range()
        };
        at = blank.end.max(whole.start() + 1);
        for byte in outlined.get_mut(blank).unwrap_or_default() {
            *byte = if *byte == b'\n' { b'\n' } else { b' ' };
        }
        // The quote at the end begins nothing.
        at += usize::from(at < whole.end());
    }
    outlined.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '_' }).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/check/ruby.rs"]
mod tests;
