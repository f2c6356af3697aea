//! Reads resource types from Ruby files with regular expressions, without running them: their attributes and, if these
//! are literals, the allowed values. Supports `Puppet::Type.newtype`, `Puppet::ResourceApi.register_type`, and the
//! files that `puppet generate types` writes.
//!
//! Source: Puppet reference, "Developing custom types", "Resource API reference"; `puppet generate types`.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::attributes::{Attribute, Rule};
use super::ruby::{blank_out_literals, first_matched_group, read_file_lossy};
use crate::regexp::{ConstantRegex, Regexp};
use crate::session::{Session, Strictness};
use crate::value::{EcoString, Value};

/// A resource type that is written in Ruby. Its file is read when the attributes are first needed.
#[derive(Debug)]
pub(super) struct RubyType {
    pub(super) module: String,
    file: PathBuf,
    attributes: OnceLock<Option<Arc<[Attribute]>>>,
}

static ATTRIBUTE_DECLARATION: ConstantRegex = ConstantRegex::new(
    r#"(?m)^[ \t]*(newparam|newproperty|newmetaparam|ensurable)\b *(?:\(\s*)?(?::'?([a-z_0-9]+)'?|['"]([a-z_0-9]+)['"])?"#,
);
static DYNAMIC_ATTRIBUTE_CODE: ConstantRegex = ConstantRegex::new(
    r"(?m)(?:newparam|newproperty)[ (]*[^:'\x22\s(]|\bextend\b|^\s*include\b|\beval\b|\binstance_eval\b|create_class|\bdefine_method\b|each\s*(?:do|\{)[^\n]*\n\s*new(?:param|property)|\bmk_resource_methods\b|feature_check|new_file_param|\bload_",
);
/// Matches Ruby code, other than `newvalues`, that may decide which values an attribute accepts.
static VALUE_VALIDATION_CODE: ConstantRegex =
    ConstantRegex::new(r"\b(?:unsafe_)?validate\b|\bdef (?:value|should)=|\bextend\b|^\s*include\b");
static PARENT_CLASS_OPTION: ConstantRegex = ConstantRegex::new(r"\bparent(?::|\s*=>)\s*([\w:]*)");
static ALLOWED_VALUES_CALL: ConstantRegex =
    ConstantRegex::new(r"\b(newvalues|newvalue|aliasvalue|defaultvalues)\b(?: *\()?");
static RUBY_LITERAL: ConstantRegex = ConstantRegex::new(
    r#"\A\s*(?::?'([^'\\]*)'|:?"([^"\\#]*)"|:([a-zA-Z_]\w*[?!]?)|(true|false)\b|/((?:[^/\\\n]|\\.)*)/([im]*)|%r\{((?:[^{}\\\n]|\\.)*)\}([im]*))\s*"#,
);
static HASH_ENTRY_START: ConstantRegex =
    ConstantRegex::new(r#"\A\s*(?:(\w+):|:(\w+)\s*=>|['"](\w+)['"](?::|\s*=>))\s*\{"#);
static ENTRIES: ConstantRegex = ConstantRegex::new(r"register_type\b(?s:.*?)\battributes(?::|\s*=>)\s*\{");
static TYPE_OPTION: ConstantRegex = ConstantRegex::new(r"\btype(?::|\s*=>)\s*");
static QUOTED_STRING: ConstantRegex = ConstantRegex::new(r#"\A(?:'([^'\\]*)'|"([^"\\#]*)")"#);
static GENERATED_ATTRIBUTE: ConstantRegex = ConstantRegex::new(r"Puppet::Resource::Param\(.*, *'([a-z_0-9]+)'");

impl RubyType {
    pub(super) fn from_file(module: &str, file: PathBuf) -> RubyType {
        RubyType { module: module.to_owned(), file, attributes: OnceLock::new() }
    }

    pub(super) fn from_attribute_names(module: &str, attributes: &[String]) -> RubyType {
        let attribute = |name: &String| Attribute { name: name.clone().into(), rule: None };
        let attributes = (!attributes.is_empty()).then(|| attributes.iter().map(attribute).collect());
        RubyType { module: module.to_owned(), file: PathBuf::new(), attributes: OnceLock::from(attributes) }
    }

    pub(super) fn attributes(&self) -> Option<&Arc<[Attribute]>> {
        let read = || {
            let text = read_file_lossy(&self.file);
            let is_generated = self.file.extension().is_some_and(|ending| ending == "pp");
            if is_generated { with_common_attributes(generated_attributes(&text)) } else { attributes_in_ruby(&text) }
        };
        self.attributes.get_or_init(|| read().map(Into::into)).as_ref()
    }
}

/// Returns the attributes that a Ruby file declares, or `None` if some of them cannot be read.
pub(super) fn attributes_in_ruby(text: &str) -> Option<Vec<Attribute>> {
    let outline = blank_out_literals(text);
    with_common_attributes(match ENTRIES.find(&outline) {
        Some(start) => resource_api_attributes(text, &outline, start.end())?,
        None => newtype_attributes(text, &outline)?,
    })
}

fn with_common_attributes(attributes: Vec<Attribute>) -> Option<Vec<Attribute>> {
    let others = ["name", "provider", "title"].map(|name| Attribute { name: name.into(), rule: None });
    (!attributes.is_empty()).then(|| attributes.into_iter().chain(others).collect())
}

fn newtype_attributes(text: &str, outline: &str) -> Option<Vec<Attribute>> {
    if DYNAMIC_ATTRIBUTE_CODE.is_match(outline) {
        return None;
    }
    let found: Vec<_> = ATTRIBUTE_DECLARATION.captures_iter(text).collect();
    let mut attributes: Vec<Attribute> = Vec::new();
    for (at, captures) in found.iter().enumerate() {
        let name = captures.get(2).or(captures.get(3)).map_or("ensure", |name| name.as_str());
        let start = captures.get_match().start();
        let end = found.get(at + 1).map_or(text.len(), |next| next.get_match().start());
        let section = outline.get(start..end)?;
        let indent: String = section.chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
        let end = section.find(&format!("\n{indent}end\n")).map_or(end, |end| start + end);
        let is_list = &captures[1] != "newparam";
        let mut rule = rule_of_listed_values(text.get(start..end)?, outline.get(start..end)?, is_list);
        if let Some(earlier) = attributes.iter_mut().find(|earlier| earlier.name == name) {
            (earlier.rule, rule) = (None, None);
        }
        attributes.push(Attribute { name: name.to_owned().into(), rule });
    }
    Some(attributes)
}

/// Returns the rule for the values that an attribute's definition lists; `None` without a list or if code may decide.
fn rule_of_listed_values(text: &str, outline: &str, is_list: bool) -> Option<Rule> {
    let (mut words, mut patterns) = (Vec::new(), Vec::new());
    match PARENT_CLASS_OPTION.captures(outline).map(|found| found.extract::<1>().1) {
        Some(["Puppet::Parameter::Boolean" | "Puppet::Property::Boolean"]) => {
            words.extend(["true", "false", "yes", "no"].map(EcoString::from));
        }
        None | Some(["Puppet::Property::Ensure"]) => {}
        Some(_) => return None,
    }
    if VALUE_VALIDATION_CODE.is_match(outline) {
        return None;
    }
    let of_ensure = ["present", "absent"].map(EcoString::from);
    if outline.trim() == "ensurable" {
        words.extend(of_ensure.clone());
    }
    for found in ALLOWED_VALUES_CALL.captures_iter(outline) {
        let call = &found[1];
        if call == "defaultvalues" {
            words.extend(of_ensure.clone());
            continue;
        }
        let mut rest = text.get(found.get_match().end()..)?;
        loop {
            let literal = RUBY_LITERAL.captures(rest)?;
            rest = rest.get(literal.get_match().end()..)?;
            if let Some(pattern) = literal.get(5).or(literal.get(7)) {
                let flags = literal.get(6).or(literal.get(8)).map_or("", |flags| flags.as_str());
                let pattern = pattern.as_str();
                let whole = if flags.is_empty() { pattern.to_owned() } else { format!("(?{flags}:{pattern})") };
                patterns.push(Regexp::new(&whole).ok()?);
            } else {
                words.push(first_matched_group(&literal)?.into());
            }
            let Some(further) = rest.strip_prefix(',').filter(|_| call == "newvalues") else { break };
            rest = further;
        }
        // What follows could be part of the last value, as in `:a + x`.
        let follows = rest.chars().next();
        if follows.is_some_and(|next| !(matches!(next, ')' | ',' | '#' | '{' | ';') || next.is_ascii_lowercase())) {
            return None;
        }
    }
    (!words.is_empty() || !patterns.is_empty()).then(|| Rule::from_allowed_values(&words, patterns, is_list))
}

/// Returns the attributes of a Resource API type. The hash with their definitions begins at `start`.
fn resource_api_attributes(text: &str, outline: &str, start: usize) -> Option<Vec<Attribute>> {
    // A provider may change the values before they are compared.
    let is_checked = !text.contains("canonicalize");
    let mut session = Session::new(Strictness::Error);
    let mut attributes = Vec::new();
    let mut at = start;
    loop {
        let rest = outline.get(at..)?;
        if rest.trim_start().starts_with('}') {
            return Some(attributes);
        }
        // Strings are blank in the outline, and comments are not in the text.
        let blank = rest.len() - rest.trim_start().len();
        let entry = HASH_ENTRY_START.captures(text.get(at + blank..)?)?;
        let (start, name) = (at + blank + entry.get_match().end(), first_matched_group(&entry)?);
        let mut depth = 1_usize;
        let end = outline.get(start..)?.find(|letter| {
            match letter {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let (body, written) = (outline.get(start..start + end)?, text.get(start..start + end)?);
        let type_ = TYPE_OPTION.find(body).and_then(|found| QUOTED_STRING.captures(written.get(found.end()..)?));
        let type_ = type_.and_then(|quoted| first_matched_group(&quoted)).filter(|_| is_checked);
        let type_ = type_.and_then(|written| match session.eval(&written) {
            Ok(Value::Type(type_)) => Some(type_),
            _ => None,
        });
        attributes.push(Attribute { name: name.into(), rule: type_.map(Rule::from_type) });
        at = start + end + 1;
        at += outline.get(at..).filter(|rest| rest.starts_with(',')).map_or(0, |_| 1);
    }
}

/// Returns the attributes in a file that `puppet generate types` wrote, without rules for their values.
fn generated_attributes(text: &str) -> Vec<Attribute> {
    let names = GENERATED_ATTRIBUTE.captures_iter(text).map(|found| found[1].to_owned());
    names.map(|name| Attribute { name: name.into(), rule: None }).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/check/ruby_types.rs"]
mod tests;
