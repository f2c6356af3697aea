//! Ruby files of modules, read as text and never run: the names of functions and, where `dispatch` blocks say so, their
//! signatures; facts.
//!
//! Source: Puppet reference, "Writing functions in Ruby".

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use regex::{NoExpand, Regex};

use super::{Checked, Checker};
use crate::error::Error;
use crate::eval::UNKNOWN_TYPE;
use crate::regexp::constant;
use crate::text::{Source, Span};
use crate::{files, syntax};

/// A function that is written in Ruby. Its file is read when the signatures are first used.
#[derive(Debug)]
pub(super) struct RubyFunction {
    pub(super) file: PathBuf,
    /// Those of a file in `lib/puppet/parser/functions` are `None` from the start.
    pub(super) signatures: OnceLock<Option<Vec<String>>>,
}

static DISPATCH: LazyLock<Regex> = LazyLock::new(|| constant(r"(?m)^[ \t]*dispatch[ (]"));
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?m)^\s*(param|required_param|optional_param|repeated_param|optional_repeated_param|required_repeated_param|block_param|required_block_param|optional_block_param|return_type)\b[ (]*([^\n]*)$",
    )
});
static DISPATCHED: LazyLock<Regex> =
    LazyLock::new(|| constant(r"(?m)^[ \t]*(?:dispatch[ (]+:(\w+[?!]?)|((?:\w+_)?param|return_type)\b)"));
/// What may define further methods.
static DYNAMIC: LazyLock<Regex> = LazyLock::new(|| {
    constant(r"\b(?:include|extend|alias|alias_method|define_method|def_delegators?|delegate|attr_\w+|\w*eval)\b")
});
static METHOD: LazyLock<Regex> = LazyLock::new(|| constant(r"\bdef (\w+[?!]?)"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| constant(r##"^(?:'([^'#]*)'|"([^"#]*)")"##));
static LOCAL: LazyLock<Regex> =
    LazyLock::new(|| constant(r#"^type[ (]+(?:'(\w+\s*=[^'\\#]+)'|"(\w+\s*=[^"\\#]+)")\)?$"#));
static SYMBOL: LazyLock<Regex> = LazyLock::new(|| constant(r":'?([a-z_][A-Za-z0-9_]*)'?\)?\s*(?:#.*)?$"));
static FACT: LazyLock<Regex> =
    LazyLock::new(|| constant(r#"Facter\.add\(?\s*(?::'?([A-Za-z_0-9]+)'?|['"]([^'"]+)['"])"#));

pub(super) fn first_group(captures: &regex::Captures<'_>) -> Option<String> {
    captures.iter().skip(1).flatten().next().map(|found| found.as_str().to_owned())
}

pub(super) fn text(file: &Path) -> String {
    String::from_utf8_lossy(&files::source_bytes(file).unwrap_or_default()).into_owned()
}

impl RubyFunction {
    /// A function of a module that is not installed; without signatures, where only its name is known.
    pub(super) fn indexed(module: &str, signatures: &[String]) -> RubyFunction {
        let signatures = (!signatures.is_empty()).then(|| signatures.to_vec());
        RubyFunction { file: format!("the index of {module}").into(), signatures: OnceLock::from(signatures) }
    }

    /// A signature as the table of functions writes it, for each `dispatch` block; `None` if they cannot be read.
    pub(super) fn signatures(&self) -> Option<&[String]> {
        self.signatures.get_or_init(|| signatures(&text(&self.file))).as_deref()
    }
}

impl Checker<'_> {
    /// A function of `lib/puppet/functions`: the order and the types of its parameters, and the methods that it calls.
    pub fn check_ruby_function(&mut self, source: &Arc<Source>) -> Checked {
        let mut checked = Checked { compared: 1, ..Checked::default() };
        let outline = outline(source.text());
        let has_method =
            |name: &str| METHOD.captures_iter(&outline).any(|found| &found[1] == name) || DYNAMIC.is_match(&outline);
        let mut is_optional = false;
        for found in DISPATCHED.captures_iter(&outline) {
            let mut error = |at: regex::Match<'_>, issue, message: &str, help: &str| {
                let error = Error::new(issue, message).with_help(help);
                checked.error(source, Span::new(at.start(), at.end()), error);
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
                self.dispatched_type(source, kind.end(), &outline, &mut checked);
            }
        }
        checked.sort();
        checked
    }

    /// The type of a parameter, which is the string at `start`. What is a part of an expression is not known.
    fn dispatched_type(&mut self, source: &Arc<Source>, start: usize, outline: &str, checked: &mut Checked) {
        let text = source.text();
        let start = start + text[start..].find(|letter| !" (".contains(letter)).unwrap_or(0);
        let argument = &text[start..];
        let Some(type_) = QUOTED.captures(argument).and_then(|found| found.get(1).or(found.get(2))) else { return };
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
            let span = error.span().filter(|span| span.start < place.end).unwrap_or(place);
            checked.error(source, span, error);
        }
    }
}

pub(super) fn signatures(text: &str) -> Option<Vec<String>> {
    // Computed names and types cannot be known.
    if text.contains("def call(") || text.contains("argument_mismatch") && !text.contains("dispatch") {
        return None;
    }
    let local = local_types(text)?;
    let starts: Vec<usize> = DISPATCH.find_iter(text).map(|found| found.start()).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let blocks = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]);
    let blocks = blocks.map(|block| block.split_once("\n  end").map_or(block, |(inside, _)| inside));
    let signatures = blocks.map(|block| signature(block, &local)).collect::<Option<Vec<_>>>()?;
    (!signatures.is_empty()).then_some(signatures)
}

/// What each alias of `local_types` means; `None` if not all of them can be read.
fn local_types(text: &str) -> Option<Vec<(Regex, String)>> {
    let Some((_, block)) = text.split_once("local_types do") else {
        return (!text.contains("local_types")).then(Vec::new);
    };
    let lines = block.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let alias = |line: &str| {
        let definition = first_group(&LOCAL.captures(line)?)?;
        let (name, type_) = definition.split_once('=').map(|(name, type_)| (name.trim(), type_.trim()))?;
        let word = Regex::new(&format!(r"\b{name}\b")).ok()?;
        // It may mean itself, and text is not a type.
        let is_plain =
            !word.is_match(type_) && !text.contains(&format!("'{name}'\"")) && !text.contains(&format!("['{name}'"));
        is_plain.then(|| (word, type_.to_owned()))
    };
    lines.take_while(|line| *line != "end").map(alias).collect()
}

/// `(Integer $a, Optional[String] $b = undef, Any *$rest, Callable &$block) >> Array`
fn signature(block: &str, local: &[(Regex, String)]) -> Option<String> {
    let lines = block.lines().skip(1).filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let (mut parameters, mut return_type, mut block_parameter) = (Vec::new(), None, None);
    for line in lines {
        let found = PARAMETER.captures(line)?;
        let (kind, rest) = (&found[1], found[2].trim());
        let mut type_ = QUOTED.captures(rest).and_then(|captures| first_group(&captures));
        // An alias may use the others.
        for (name, meaning) in local.iter().chain(local).chain(local) {
            type_ = type_.map(|type_| name.replace_all(&type_, NoExpand(meaning)).into_owned());
        }
        let name = SYMBOL.captures(rest).map(|captures| captures[1].to_owned());
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

/// The names of the facts that `lib/facter/name.rb` adds.
pub(super) fn facts(file: &Path) -> Vec<String> {
    let text = text(file);
    let added = FACT.captures_iter(&text).filter_map(|captures| first_group(&captures));
    added.chain(file.file_stem().map(|name| name.to_string_lossy().into_owned())).collect()
}

/// Comments and `%q{…}`; strings; regular expressions, with what is before them; starts of heredocs.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r#"(?sx)
        (\#[^\n]* | \n=begin\b.*?\n=end\b | \n__END__.*
            | %[qQwWiIr]?(?:\{(?:[^{}\\]|\\.|\{[^{}]*\})*\} | \((?:[^()\\]|\\.|\([^()]*\))*\) | \[(?:[^\[\]\\]|\\.)*\]))
        | ('(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*`)
        | (?:[(,=~!|&\[;\n] | \b(?:if|unless|when|and|or|newvalues?))[\ \t]*(/(?:[^/\\\n]|\\.)+/)
        | <<[-~]?['"]?([A-Z_][A-Za-z_0-9]*)"#,
    )
});

/// The text with spaces for comments and the contents of literals, byte by byte; line breaks stay.
pub(super) fn outline(text: &str) -> String {
    let mut outlined = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(token) = TOKEN.captures_at(text, at) {
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
