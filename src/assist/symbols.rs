//! The symbols that code can refer to: those of the tables and those of a session, as a snapshot that an editor keeps
//! and renews after each entry.

use std::collections::{HashMap, HashSet};

use super::signature::Signature;
use crate::functions;
use crate::session::{Definition, Session};
use crate::syntax::tokens::{Kind, Token};
use crate::types::{self, Type};
use crate::value::Value;

/// The types, functions and variables that a session knows.
#[derive(Debug, Default)]
pub struct SymbolIndex {
    /// Types that can be named, including aliases, in alphabetical order.
    pub(super) types: Vec<String>,
    /// Functions, in alphabetical order.
    pub(super) functions: Vec<String>,
    /// Variables without their dollar sign, in alphabetical order.
    pub(super) variables: Vec<String>,
    /// Classes and defined types, in alphabetical order.
    pub(super) classes: Vec<String>,
    known_types: HashSet<String>,
    values: HashMap<String, Value>,
    /// The definitions of aliases, by their names in lower case.
    aliases: HashMap<String, Definition>,
    /// The parameter lists of the session's own functions.
    own_signatures: HashMap<String, String>,
    /// The parameters of classes and defined types.
    pub(super) class_parameters: HashMap<String, Vec<String>>,
    /// The modules, whose files may define more types.
    pub(super) modules: HashSet<String>,
}

impl SymbolIndex {
    /// Takes a snapshot of the symbols of `session`.
    pub fn of(session: &Session) -> SymbolIndex {
        let known = types::visible().map(|row| row.name);
        let known = known.chain(Type::core_resource_names().iter().copied()).map(str::to_owned);
        let types = sorted(known.chain(session.alias_names()));
        let built_in = functions::TABLE.iter().copied().flatten().map(|row| row.name.to_owned());
        SymbolIndex {
            values: session.variables().map(|(name, value)| (name.to_owned(), value.clone())).collect(),
            aliases: session
                .aliases()
                .into_iter()
                .filter_map(|name| Some((name.to_lowercase(), session.alias(&name)?)))
                .collect(),
            own_signatures: session
                .functions()
                .into_iter()
                .filter_map(|name| session.signature(&name).map(|signature| (name, signature)))
                .collect(),
            modules: session.modules().into_iter().collect(),
            known_types: types.iter().map(|name| name.to_lowercase()).collect(),
            types,
            class_parameters: session.environment.class_parameters(),
            classes: sorted(session.resource_definitions().into_iter()),
            functions: sorted(built_in.chain(session.functions())),
            variables: sorted(session.variables().map(|(name, _)| name.to_owned())),
        }
    }

    /// Whether `name` is a type or may be one: a member of a named type set, a type in a module.
    pub fn may_be_type(&self, name: &str) -> bool {
        let name = name.trim_start_matches("::").to_lowercase();
        self.known_types.contains(&name)
            || self.modules.contains(name.split("::").next().unwrap_or_default())
            || name.match_indices("::").any(|(end, _)| self.known_types.contains(&name[..end]))
    }

    /// Returns the value of a variable, named without the dollar sign.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Returns the definition of an alias.
    pub fn alias(&self, name: &str) -> Option<&Definition> {
        self.aliases.get(&name.trim_start_matches("::").to_lowercase())
    }

    /// Returns the signatures of a function.
    pub fn signatures(&self, name: &str) -> Vec<Signature> {
        self.signature_texts(name).iter().filter_map(|text| Signature::parse(text, self)).collect()
    }

    /// Returns the signatures of a function as written: `(Integer $from, Any *$rest) >> Array`.
    pub(super) fn signature_texts(&self, name: &str) -> Vec<String> {
        match functions::named(name) {
            Some(row) => row.signatures.iter().map(|signature| (*signature).to_owned()).collect(),
            None => self.own_signatures.get(name).cloned().into_iter().collect(),
        }
    }

    /// Whether the variable of that name, without the dollar sign, has a value.
    pub fn has_variable(&self, name: &str) -> bool {
        self.variables.binary_search_by(|variable| variable.as_str().cmp(name)).is_ok()
    }
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the variables that the text itself binds, without their dollar signs: by assignment, or as parameters of
/// lambdas and definitions. Scopes are ignored.
pub(super) fn bound_variables<'t>(text: &'t str, tokens: &[Token]) -> HashSet<&'t str> {
    let mut bound = HashSet::new();
    let mut between_bars = false;
    // For each open bracket, whether it holds parameters, and the variables in it.
    let mut open: Vec<(bool, Vec<&str>)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let written = &text[token.span.range()];
        let is_assigned = || tokens.get(at + 1).is_some_and(|next| &text[next.span.range()] == "=");
        match token.kind {
            Kind::Symbol if written == "|" => between_bars = !between_bars,
            Kind::Open => {
                open.push((written == "(" && is_definition(text, tokens.get(..at).unwrap_or_default()), Vec::new()));
            }
            Kind::Close => {
                if let Some((is_definition, variables)) = open.pop()
                    && (is_definition || (written == "]" && is_assigned()))
                {
                    bound.extend(variables);
                }
            }
            Kind::Variable => {
                let name = &written[1..];
                if between_bars || is_assigned() {
                    bound.insert(name);
                } else if let Some((_, variables)) = open.last_mut() {
                    variables.push(name);
                }
            }
            _ => {}
        }
    }
    // While parameters are being typed, their bracket is still open.
    bound.extend(open.into_iter().filter(|(is_definition, _)| *is_definition).flat_map(|(_, variables)| variables));
    bound
}

/// `function f`, `class c`, `define d` in front of a parenthesis.
fn is_definition(text: &str, before: &[Token]) -> bool {
    let [.., keyword, name] = before else { return false };
    name.kind == Kind::Name
        && keyword.kind == Kind::Keyword
        && matches!(&text[keyword.span.range()], "function" | "class" | "define")
}

#[cfg(test)]
#[path = "../../tests/unit/assist/symbols.rs"]
mod tests;
