//! The names that mean something while somebody types: those of the tables and those of the session, as a snapshot that
//! the editor keeps and the prompt renews after each entry.

use std::collections::{HashMap, HashSet};

use crate::functions;
use crate::session::{Definition, Session};
use crate::syntax::tokens::{Kind, Token};
use crate::types::{self, Type};
use crate::value::Value;

/// Everything that has a name.
#[derive(Debug, Default)]
pub struct Names {
    /// Types that can be named, aliases among them, in alphabetical order.
    pub types: Vec<String>,
    /// Functions, in alphabetical order.
    pub functions: Vec<String>,
    /// Variables without their dollar sign, in alphabetical order.
    pub variables: Vec<String>,
    /// The types in lower case, for a quick answer.
    known_types: HashSet<String>,
    values: HashMap<String, Value>,
    /// What aliases stand for, by their names in lower case.
    aliases: HashMap<String, Definition>,
    /// The parameters of the session's own functions.
    own_signatures: HashMap<String, String>,
    /// The modules, in whose files there may be more types.
    modules: HashSet<String>,
}

impl Names {
    /// The names that `session` knows now.
    pub fn of(session: &Session) -> Names {
        let known = types::visible().map(|row| row.name);
        let known = known.chain(Type::core_resource_names().iter().copied()).map(str::to_owned);
        let types = sorted(known.chain(session.aliases()));
        let built_in = functions::TABLE.iter().copied().flatten().map(|row| row.name.to_owned());
        Names {
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
            functions: sorted(built_in.chain(session.functions())),
            variables: sorted(session.variables().map(|(name, _)| name.to_owned())),
        }
    }

    /// Whether `name` is a type, or may be one: a member of a type set that has a name, a type in a module.
    pub fn may_be_type(&self, name: &str) -> bool {
        let name = name.trim_start_matches("::").to_lowercase();
        self.known_types.contains(&name)
            || self.modules.contains(name.split("::").next().unwrap_or_default())
            || name.match_indices("::").any(|(end, _)| self.known_types.contains(&name[..end]))
    }

    /// The value of a variable, named without the dollar sign.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// What an alias stands for.
    pub fn alias(&self, name: &str) -> Option<&Definition> {
        self.aliases.get(&name.trim_start_matches("::").to_lowercase())
    }

    /// The parameter lists of a function: `(Integer $from, Any *$rest) >> Array`.
    pub fn signatures(&self, name: &str) -> Vec<String> {
        match functions::named(name) {
            Some(row) => row.signatures.iter().map(|signature| (*signature).to_owned()).collect(),
            None => self.own_signatures.get(name).cloned().into_iter().collect(),
        }
    }

    /// Whether a variable of that name, without the dollar sign, has a value.
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

/// The variables that the entry itself binds, without their dollar signs: what is assigned, parameters of lambdas and
/// of definitions. Where in the entry a name holds is not asked.
pub fn bound<'t>(text: &'t str, tokens: &[Token]) -> HashSet<&'t str> {
    let mut bound = HashSet::new();
    let mut between_bars = false;
    // For each open bracket, whether it holds parameters, and the variables in it.
    let mut open: Vec<(bool, Vec<&str>)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let written = &text[token.span.range()];
        let is_assigned = || tokens.get(at + 1).is_some_and(|next| &text[next.span.range()] == "=");
        match token.kind {
            Kind::Symbol if written == "|" => between_bars = !between_bars,
            Kind::Open => open.push((written == "(" && is_definition(text, &tokens[..at]), Vec::new())),
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
            Kind::Comment
            | Kind::Keyword
            | Kind::Name
            | Kind::Reference
            | Kind::Number
            | Kind::String
            | Kind::Regexp
            | Kind::Symbol => {}
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
mod tests {
    use super::*;
    use crate::syntax::tokens::tokens;

    fn bound_in(text: &str) -> Vec<&str> {
        let mut bound: Vec<&str> = bound(text, &tokens(text)).into_iter().collect();
        bound.sort_unstable();
        bound
    }

    #[test]
    fn an_entry_binds_what_it_assigns_and_its_parameters() {
        assert_eq!(bound_in("$a = $b"), ["a"]);
        assert_eq!(bound_in("[$a, $b] = $c"), ["a", "b"]);
        assert_eq!(bound_in("$a.each |Integer $i, $v| { $i + $w }"), ["i", "v"]);
        assert_eq!(bound_in("function f($a, Integer $b"), ["a", "b"]);
        assert_eq!(bound_in("f($a)"), Vec::<&str>::new());
    }

    #[test]
    fn a_session_adds_its_names() {
        let mut session = Session::default();
        session.enter("type Port = Integer", &mut |_| {});
        session.enter("$port = 80", &mut |_| {});
        let names = Names::of(&session);
        assert!(names.may_be_type("Port"));
        assert!(names.may_be_type("::integer"));
        assert!(names.may_be_type("Port::Member"));
        assert!(!names.may_be_type("Prot"));
        assert!(names.has_variable("port"));
        assert!(!names.has_variable("prot"));
        assert!(names.functions.iter().any(|name| name == "each"));
    }
}
