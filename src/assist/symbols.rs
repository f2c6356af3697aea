//! The names that code can refer to: built-in ones and those of a session, as a snapshot that an editor keeps and
//! renews after each entry.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::signature::Signature;
use crate::functions;
use crate::session::{Definition, Session};
use crate::syntax::tokens::{Kind, Token};
use crate::types::{self, Type};
use crate::value::Value;

/// The names that code in a session can refer to: types, functions, variables, classes, modules and Hiera keys.
#[derive(Debug, Default)]
pub struct SymbolIndex {
    /// Types by their names in lower case, each with its name as written and, for an alias, its definition.
    pub(super) types: BTreeMap<String, (String, Option<Definition>)>,
    /// Functions with their signatures as written: `(Integer $from, Any *$rest) >> Array`.
    pub(super) functions: BTreeMap<String, Vec<String>>,
    /// Variables without their dollar sign.
    pub(super) variables: BTreeMap<String, Value>,
    pub(super) classes: BTreeMap<String, Vec<String>>,
    /// The modules, whose files may define more types.
    pub(super) modules: HashSet<String>,
    /// The keys of the data that was read for `lookup`.
    pub(super) hiera_keys: BTreeSet<String>,
}

impl SymbolIndex {
    /// Takes a snapshot of the names that code in `session` can refer to.
    pub fn of(session: &Session) -> SymbolIndex {
        let types = types::nameable_type_rows().map(|row| row.name).chain(Type::core_resource_names().iter().copied());
        let types = types.map(str::to_owned).chain(session.alias_names());
        let type_ = |name: String| (name.to_lowercase(), (name.clone(), session.alias_definition(&name)));
        let own_functions = session.functions().into_iter().map(|name| {
            let signatures = session.function_signature(&name).into_iter().collect();
            (name, signatures)
        });
        let built_in = functions::TABLE.iter().copied().flatten();
        let built_in =
            built_in.map(|row| (row.name.to_owned(), row.signatures.iter().map(ToString::to_string).collect()));
        SymbolIndex {
            types: types.map(type_).collect(),
            functions: own_functions.chain(built_in).collect(),
            variables: session.variables().map(|(name, value)| (name.to_owned(), value.clone())).collect(),
            classes: session.environment.parameter_names_by_class().collect(),
            modules: session.modules().into_iter().collect(),
            hiera_keys: session.environment.state.context_cache.data_file_keys().map(str::to_owned).collect(),
        }
    }

    /// Whether `name` is a type or may be one: any name in a known type set or module, such as `Mod::X`, counts as one.
    pub fn may_be_type(&self, name: &str) -> bool {
        let name = name.trim_start_matches("::").to_lowercase();
        self.types.contains_key(&name)
            || self.modules.contains(name.split("::").next().unwrap_or_default())
            || name.match_indices("::").any(|(end, _)| self.types.contains_key(&name[..end]))
    }

    /// Returns the value of a variable, named without the dollar sign.
    pub fn variable_value(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Returns the definition of the type alias `name`, ignoring case; `None` if there is no such alias.
    pub fn alias_definition(&self, name: &str) -> Option<&Definition> {
        self.types.get(&name.trim_start_matches("::").to_lowercase())?.1.as_ref()
    }

    /// Returns the signatures of the function `name`; empty if it is unknown.
    pub fn function_signatures(&self, name: &str) -> Vec<Signature> {
        self.functions.get(name).into_iter().flatten().filter_map(|text| Signature::parse(text, self)).collect()
    }
}

/// Returns the variables that `text` assigns or declares as parameters, in any scope, without dollar signs.
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
                let before = tokens.get(..at).unwrap_or_default();
                open.push((written == "(" && begins_definition(text, before), Vec::new()));
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

/// Whether the tokens before a parenthesis begin a definition: `function f`, `class c`, `define d`.
fn begins_definition(text: &str, before: &[Token]) -> bool {
    let [.., keyword, name] = before else { return false };
    name.kind == Kind::Name
        && keyword.kind == Kind::Keyword
        && matches!(&text[keyword.span.range()], "function" | "class" | "define")
}

#[cfg(test)]
#[path = "../../tests/unit/assist/symbols.rs"]
mod tests;
