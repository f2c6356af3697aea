//! Tracks variables: which are set at a place in the code, and what is known about their values.
//!
//! Source: Puppet reference, "Scope"; "Facts and built-in variables".

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::known::{Inferred, infer_from_branches};
use super::{BodyChecker, conditions::Narrowed, results::type_or_undef};
use crate::check::program::{
    assigned_variables, branches_of_condition, callee_name, constant_string, constant_value, normalize_name,
    strip_leading_colons, variables_of_target,
};
use crate::check::{UncheckedReason, index::IndexEntry, parse_constant_type};
use crate::eval::{BUILT_IN_VARIABLES, METAPARAMETERS, RESERVED_VARIABLES, UNSUPPORTED_FUNCTIONS, core_facts};
use crate::syntax::tree::{Expression, Id, Node, Parameter};
use crate::text::Span;
use crate::types::Type;
use crate::value::{EcoString, Value};
use crate::wording::{did_you_mean, nearest, pluralize};
use crate::{functions, stack};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ScopeKind {
    #[default]
    Top,
    Node,
    Class,
    Define,
    Function,
    Lambda,
    /// An EPP template that declares parameters and does not see the variables of its caller.
    Template,
    /// An EPP template without declared parameters, which sees all variables of its caller.
    OpenTemplate,
}

/// A set of names of variables and functions.
pub(super) type Names = FxHashSet<EcoString>;

#[derive(Debug, Default)]
pub(super) struct BranchEnd {
    pub(super) scope: Scope,
    /// Whether the branch always ends the body, by calling `fail`, `return`, `next` or `break`.
    pub(super) always_leaves: bool,
    pub(super) may_leave: bool,
    /// Whether the branch is a `default` that may never be reached, because the options may list all values.
    pub(super) may_be_dead: bool,
    /// The expression of the branch, or the `if` that has no such branch; `None` if the branch is never evaluated.
    pub(super) branch: Option<Id>,
    /// The last expression of the branch with what is inferred from it; `None` if `and` or `or` skips its right side.
    pub(super) outcome: Option<(Id, Inferred)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// The variables set so far, each with the expression that sets it and its inferred value.
    pub(super) variables: FxHashMap<EcoString, (Id, Inferred)>,
    /// Variables, whose values are restricted, and functions in conditions around or in earlier ones that may leave.
    pub(super) guard_names: Names,
    /// The variables assigned anywhere in the body of this scope.
    pub(super) assigned: Arc<FxHashSet<EcoString>>,
    pub(super) certain: FxHashSet<EcoString>,
    /// The variables that an earlier branch leaves unset, each with the names in its conditions and the branch.
    pub(super) unset: FxHashMap<EcoString, (Names, Id)>,
    /// The resources that are certainly declared so far, such as `notify['a']`.
    pub(super) declared_resources: FxHashSet<EcoString>,
    pub(super) parent_class: Option<String>,
}

/// The names of variables that Puppet sets, and of facts whose keys are not listed in [`core_facts`].
static GLOBAL_AND_FACT_NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| ["variables ", "facts "].into_iter().flat_map(core_facts::fact_table_words).collect());

/// The type of `$trusted`. Source: Puppet reference, "Facts and built-in variables", "Trusted facts".
const TRUSTED_TYPE: &str = "Struct[authenticated => Variant[Boolean, String], certname => Optional[String], \
    domain => Optional[String], extensions => Hash, external => Hash, hostname => Optional[String]]";

/// Modules whose facts are included in `GLOBAL_AND_FACT_NAMES`, or that have no facts.
const MODULES_WITH_KNOWN_FACTS: [&str; 7] = ["stdlib", "concat", "apt", "systemd", "archive", "extlib", "inifile"];

/// Whether the function `name` may fail because of its arguments. Any function of a module may.
pub(super) fn may_fail_on_arguments(name: &str) -> bool {
    name == "assert_type" || functions::named(name).is_none() && !UNSUPPORTED_FUNCTIONS.contains(&name)
}

/// Whether `short` is `long` with letters left out: `mem_limit` for `memory_limit`, `home` for `home_dir`.
fn is_abbreviation(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    short.len() > 2
        && short.chars().next() == long.chars().next()
        && short.chars().all(|letter| letters.any(|other| other == letter))
}

impl BodyChecker<'_> {
    pub(super) fn visit_variable(&mut self, name: &str, span: Span) -> Inferred {
        if let Some(number) = name.parse::<usize>().ok().filter(|_| !name.starts_with('+')) {
            const MATCH_VARIABLE_HELP: &str =
                "match variables are set by `=~`, `case` and `?` with a regular expression, for the branch behind it";
            if self.match_variable_count.is_none_or(|groups| number > groups) {
                let groups = self.match_variable_count.map(|groups| pluralize(groups, "group"));
                let help = groups.map(|groups| format!("the regular expression has {groups}"));
                self.add_error("UNSET_MATCH_VARIABLE", span, format!("no match sets ${name} here"))
                    .help(help.as_deref().unwrap_or(MATCH_VARIABLE_HELP));
            }
            return Inferred::unknown();
        }
        if name.contains(':') {
            return match strip_leading_colons(name).rsplit_once("::") {
                Some((class, variable)) => self.visit_class_variable(class, variable, name, span),
                None => {
                    self.check_fact(strip_leading_colons(name), span);
                    self.infer_fact(strip_leading_colons(name))
                }
            };
        }
        let mut is_assigned = false;
        for (at, scope) in self.scopes.iter().rev().enumerate() {
            if let Some((_, known)) = scope.variables.get(name) {
                // A condition between may exclude branches.
                let known = if at == 0 { known.clone() } else { known.without_branches() };
                self.warn_if_perhaps_unset(name, span, self.scopes.len() - at);
                return known;
            }
            is_assigned |= scope.assigned.contains(name);
            if scope.kind == ScopeKind::OpenTemplate {
                return Inferred::unknown();
            }
        }
        match name {
            "module_name" if let Some((module, _)) = self.index.module_and_relative_path(self.tree.source.name()) => {
                return Inferred::Value(Value::from(module));
            }
            "trusted" => return Inferred::Type(parse_constant_type(TRUSTED_TYPE)),
            "title" => return Inferred::from_type_name("String"),
            "name" if self.is_inside(&[ScopeKind::Define]) => return Inferred::from_type_name("String"),
            _ => {}
        }
        if core_facts::expression_for_legacy_fact(name).is_some() && !self.may_be_inherited(name) {
            self.check_fact(name, span);
        }
        // What the top scope and nodes see is set anywhere: by other manifests, by the classifier.
        let is_bounded =
            self.is_inside(&[ScopeKind::Class, ScopeKind::Define, ScopeKind::Function, ScopeKind::Template]);
        // Those that the declaration is given are variables of its body.
        let is_metaparameter = METAPARAMETERS.contains(&name) && self.is_inside(&[ScopeKind::Class, ScopeKind::Define]);
        if !is_bounded || is_metaparameter || self.is_global_or_fact(name) || self.may_be_inherited(name) {
            return self.infer_fact(name);
        }
        let near = self.similar_variable(name, "").map(|near| format!("did you mean ${near}?"));
        if is_assigned {
            // A place that `defined('$x')` guards is perhaps never reached.
            if !self.scopes.iter().any(|scope| scope.guard_names.contains("defined")) {
                let message = format!("nothing sets the variable ${name} before this place");
                let help = "it is set further down, in another branch, or inside of a lambda";
                self.add_error("UNKNOWN_VARIABLE", span, message).help(help);
            }
        } else if near.is_none() && self.may_lack_module_facts() {
            self.result.unjudged.push(UncheckedReason::UnknownVariable(name.to_owned()));
        } else {
            self.add_error("UNKNOWN_VARIABLE", span, format!("nothing sets the variable ${name}"))
                .help(near.unwrap_or_else(|| format!("if it is a fact, write $facts['{name}']")));
        }
        Inferred::unknown()
    }

    /// Warns once about the variable `name` if an earlier branch in the scope at index `count - 1` leaves it unset.
    fn warn_if_perhaps_unset(&mut self, name: &str, span: Span, count: usize) {
        let (outer, inner) = self.scopes.split_at_mut(count);
        let Some((names, branch)) = outer.last_mut().and_then(|scope| scope.unset.remove(name)) else { return };
        let is_narrowed = inner.iter().any(|scope| !scope.guard_names.is_disjoint(&names));
        if !is_narrowed && !self.is_global_or_fact(name) && !self.may_be_inherited(name) {
            let line = self.tree.source.position(self.tree[branch].span.start as usize).line;
            let (when, help) = match self.tree[branch].expression {
                Expression::If { .. } => (format!("if no branch in line {line} is taken"), "add an `else`"),
                _ => (format!("after the branch in line {line}, which does not set it"), "set it in every branch"),
            };
            self.add_warning("UNKNOWN_VARIABLE", span, format!("${name} has no value here {when}"))
                .help(format!("{help}; undef is a value, too"));
        }
    }

    /// Returns the visible variable that the unknown variable `name` most likely misspells, or `None`, also if the
    /// names only differ in a number or an `s` at the end.
    pub(super) fn suggest_variable(&mut self, name: &str, template: &str) -> Option<String> {
        if !self.can_only_be_fact(name) || self.is_global_or_fact(name) {
            return None;
        }
        let stem =
            |name| str::trim_end_matches(name, 's').trim_end_matches(|last: char| last.is_ascii_digit()).to_owned();
        self.similar_variable(name, template)
            .filter(|near| name.len() > 3 && (stem(near) != stem(name) || self.is_unread(near, name, template)))
            .map(str::to_owned)
    }

    /// Whether `name` can only be a fact, because no visible scope and no class or defined type of the module sets it.
    pub(super) fn can_only_be_fact(&mut self, name: &str) -> bool {
        let is_visible = |scope: &Scope| scope.variables.contains_key(name) || scope.assigned.contains(name);
        !self.scopes.iter().any(is_visible)
            && !self.may_be_inherited(name)
            && self.index.has_module_variable(self.tree.source.name(), name, self.environment) == Some(false)
    }

    /// Returns the visible variable most similar to `name`; otherwise an unused one that begins or ends with `name` or
    /// is the beginning or end of `name`; otherwise one of which `name` is an abbreviation, or the reverse.
    fn similar_variable(&self, name: &str, template: &str) -> Option<&str> {
        let visible = || self.scopes.iter().flat_map(|scope| scope.variables.keys().chain(&*scope.assigned));
        let is_part = |long: &str, short: &str| short.len() > 2 && (long.starts_with(short) || long.ends_with(short));
        let shortened = |other: &&EcoString| is_abbreviation(name, other) || is_abbreviation(other, name);
        let unread = || {
            visible()
                .find(|other| (is_part(name, other) || is_part(other, name)) && self.is_unread(other, name, template))
                .or_else(|| visible().find(shortened))
        };
        nearest(name, visible().map(|name| &**name)).or_else(|| unread().map(|name| &**name))
    }

    /// Whether neither this program nor `template`, in which `name` is unknown, reads the variable `other`.
    fn is_unread(&self, other: &str, name: &str, template: &str) -> bool {
        let is_it = |node: &&Node| matches!(&node.expression, Expression::Variable(name) if *name == *other);
        let is_set = self.scopes.iter().any(|scope| scope.assigned.contains(other));
        self.tree.nodes.iter().filter(is_it).count() == usize::from(is_set)
            && !template.match_indices(other).any(|(at, _)| !template[at..].starts_with(name))
    }

    pub(super) fn may_lack_module_facts(&self) -> bool {
        let is_known = |name| self.index.module_directory(name).is_some() || MODULES_WITH_KNOWN_FACTS.contains(&name);
        !self.index.required_module_names().all(|name| is_known(name) || name.ends_with("_core"))
    }

    /// Returns the dotted path of a fact and the expression of its last key: `os.family` for `$facts['os']['family']`,
    /// `fact('os.family')`, `$facts.dig('os', 'family')` or `$::osfamily`.
    pub(super) fn fact_path(&self, id: Id) -> Option<(String, Id)> {
        let node = &self.tree[id];
        let (name, ids) = match &node.expression {
            Expression::Variable(name) if strip_leading_colons(name) == "facts" => return Some((String::new(), id)),
            Expression::Variable(name) => {
                return Some((core_facts::path_of_legacy_fact(name.strip_prefix("::")?)?.to_owned(), id));
            }
            Expression::Access(first, others) => ("get", std::iter::once(first).chain(others).copied().collect()),
            call => (callee_name(self.tree, node)?, call.arguments()),
        };
        let (path, keys) = match (name, &ids[..]) {
            ("fact" | "getvar", [_]) => (String::new(), &ids[..]),
            ("get" | "dig", [target, keys @ ..]) if name == "dig" || keys.len() == 1 => {
                (stack::with_room(|| self.fact_path(*target))?.0, keys)
            }
            _ => return None,
        };
        let path = keys.iter().try_fold(path, |path, key| {
            let key = constant_string(self.tree, *key)?;
            Some(if path.is_empty() { key.to_string() } else { format!("{path}.{key}") })
        })?;
        Some((if name == "getvar" { path.strip_prefix("facts.")?.to_owned() } else { path }, *keys.last()?))
    }

    /// Infers the fact at `path`: its type or, as a node may not have the fact, undef.
    pub(super) fn infer_fact(&mut self, path: &str) -> Inferred {
        let type_ = core_facts::fact_type(path).filter(|_| !self.index.is_custom_fact(path));
        type_.map_or_else(Inferred::unknown, |type_| Inferred::Type(type_or_undef(&Type::built_in_type(type_))))
    }

    pub(super) fn check_fact(&mut self, path: &str, span: Span) {
        let error = self.index.fact_error(path, self.tree.source.name(), |instead| instead);
        if let Some(error) = error {
            self.result.add_warning(&self.tree.source, span, error);
        }
    }

    pub(super) fn is_inside(&self, kinds: &[ScopeKind]) -> bool {
        self.scopes.iter().any(|scope| kinds.contains(&scope.kind))
    }

    pub(super) fn is_global_or_fact(&mut self, name: &str) -> bool {
        GLOBAL_AND_FACT_NAMES.contains(name)
            || core_facts::expression_for_legacy_fact(name).is_some()
            || core_facts::fact_table_words("families of facts ").any(|family| name.starts_with(family))
            || self.index.is_custom_fact(name)
    }

    fn may_be_inherited(&mut self, name: &str) -> bool {
        let parent = self.scopes.iter().find_map(|scope| scope.parent_class.clone());
        let classes = parent.map_or_else(Vec::new, |parent| self.class_and_ancestors(&parent));
        classes.iter().any(|class| class.as_ref().is_none_or(|known| known.has_variable(name)))
    }

    /// Returns a class and the classes that it inherits from, in order. Ends with `None` if one is not known.
    fn class_and_ancestors(&mut self, class: &str) -> Vec<Option<Arc<IndexEntry>>> {
        const MAX_ANCESTORS: usize = 16;
        let first = self.index.resource_type(class, self.environment);
        let parent = |class: &Option<Arc<IndexEntry>>| {
            Some(self.index.resource_type(class.as_ref()?.parent_class.as_ref()?, self.environment))
        };
        std::iter::successors(Some(first), parent).take(MAX_ANCESTORS).collect()
    }

    fn visit_class_variable(&mut self, class: &str, variable: &str, name: &str, span: Span) -> Inferred {
        let class = &*normalize_name(class);
        if class == "settings" || self.index.has_duplicate_definitions(class) {
            return Inferred::unknown();
        }
        let (mut searched, mut names) = (class.to_owned(), Vec::new());
        for known in self.class_and_ancestors(class) {
            let Some(known) = known else {
                if let Some(missing) = self.index.unknown_name_reason(&searched) {
                    self.result.unjudged.push(missing);
                } else if searched == class && !self.index.has_unparsable_files(class) {
                    self.report_unknown_class(class, span);
                }
                return Inferred::unknown();
            };
            if BUILT_IN_VARIABLES.contains(&variable) {
                return Inferred::from_type_name("String");
            }
            if known.has_variable(variable) {
                let at = known.declaration.parameters.iter().position(|parameter| *parameter.name == *variable);
                return at.and_then(|at| known.types.get(at)?.clone()).map_or_else(Inferred::unknown, Inferred::Type);
            }
            names.extend(known.declaration.parameters.iter().map(|one| &one.name).chain(&*known.assigned).cloned());
            searched = known.parent_class.clone().unwrap_or_default();
        }
        let near = nearest(variable, names.iter().map(|name: &EcoString| &**name));
        let message = format!("class {class} sets no variable ${variable}, which ${name} needs");
        self.add_error("UNKNOWN_VARIABLE", span, message)
            .help_if(did_you_mean(near.map(|near| format!("${class}::{near}"))));
        Inferred::unknown()
    }

    /// Returns the value of a class variable to which only constants are assigned, or their type; otherwise `None`.
    fn constant_class_variable(&mut self, class: &str, variable: &str) -> Option<Inferred> {
        let known = self.index.resource_type(&normalize_name(class), self.environment)?;
        let set = known.tree.nodes_within(known.definition_node().body).filter_map(|node| match &node.expression {
            Expression::Assignment(_, target, value) => Some((&known.tree[*target].expression, value)),
            _ => None,
        });
        let set = set.filter(|(target, _)| matches!(target, Expression::Variable(name) if name == variable));
        let values = set.map(|(_, value)| constant_value(&known.tree, *value)).collect::<Option<Vec<Value>>>()?;
        Some(match &values[..] {
            [] => return None,
            [value] => Inferred::Value(value.clone()),
            _ => Inferred::Type(Type::one_of(values.iter().map(Type::of))),
        })
    }

    /// Checks defaults that are variables of another class: their types, and whether a branch there sets all but one.
    pub(super) fn check_defaults_from_class(&mut self, parameters: &[Parameter], types: &[Type]) {
        let mut needed = Vec::new();
        for (parameter, type_) in parameters.iter().zip(types) {
            let Some(default) = parameter.default else { continue };
            let mut read = vec![default];
            if let Expression::Selector(_, options) = &self.tree[default].expression {
                read = options.iter().map(|option| option.then).collect();
            }
            for id in read {
                let Expression::Variable(name) = &self.tree[id].expression else { continue };
                let Some((class, variable)) = strip_leading_colons(name).rsplit_once("::") else { continue };
                if let Some(value) = self.constant_class_variable(class, variable) {
                    self.check_type(id, &value, type_, || (format!("the default of ${}", parameter.name), None));
                }
                // What an option says is meant to be there.
                let accepts_undef = id == default && parameter.type_.is_some() && type_.has_instance(&Value::Undef);
                needed.extend((!accepts_undef).then_some((id, class, variable)));
            }
        }
        let first =
            needed.first().and_then(|(_, class, _)| self.index.resource_type(&normalize_name(class), self.environment));
        let Some(known) = first.filter(|known| known.parent_class.is_none()) else { return };
        let (tree, body) = (&known.tree, known.definition_node().body);
        let statements = tree.statements_of(&body);
        let sets: Vec<Names> = statements.iter().map(|id| assigned_variables(tree, *id)).collect();
        for (statement, set_here) in statements.iter().zip(&sets) {
            let is_once = |name| sets.iter().filter(|set| set.contains(name)).count() == 1;
            let is_here = |class: &str, name| class == known.declaration.name && set_here.contains(name);
            let needed =
                needed.iter().filter(|(_, class, name)| is_here(&normalize_name(class), *name) && is_once(*name));
            let needed: Vec<_> = needed.collect();
            for branch in branches_of_condition(&tree[*statement].expression) {
                let set = assigned_variables(tree, branch);
                let missing: Vec<_> = needed.iter().filter(|(_, _, name)| !set.contains(*name)).collect();
                let sets_all = set_here.len() > 3 && set.len() + 1 == set_here.len();
                if let ([(id, class, name)], true) = (&missing[..], sets_all || needed.len() > 3) {
                    let branch = known.file_and_line_of_span(tree[branch].span);
                    let message = format!("the branch at {branch} does not set ${class}::{name}");
                    self.add_warning("UNKNOWN_VARIABLE", self.tree[*id].span, message)
                        .help("the other variables that are default values here are set there");
                }
            }
        }
    }

    pub(super) fn visit_assignment(&mut self, target: Id, value: Id) -> Inferred {
        let found = self.visit(value);
        let tree = self.tree;
        let assigned = variables_of_target(tree, target);
        for name in &assigned {
            self.report_reassignment(name, tree[target].span);
        }
        if let Expression::Array(variables) = &tree[target].expression {
            let count = match (found.partial_value(), &*found.known_type().behind_aliases()) {
                (Some(Value::Array(values)), _) => Some(values.len()),
                (None, Type::Tuple(tuple)) => tuple.exact_size(),
                _ => None,
            };
            if let Some(count) = count.filter(|count| *count != variables.len()) {
                let (wanted, got) = (pluralize(variables.len(), "variable"), pluralize(count, "value"));
                self.add_error("RUNTIME_ERROR", tree[target].span, format!("{wanted} for {got}"));
            }
        }
        let names = self.dependencies_of_expression(value);
        let known = match &found {
            _ if !matches!(tree[target].expression, Expression::Variable(_)) => Inferred::unknown(),
            Inferred::Branches(..) if self.is_any_name_in_conditions(&names) => found.without_branches(),
            _ => found.clone(),
        };
        let Some(scope) = self.scopes.last_mut() else { return found };
        for name in assigned {
            scope.variables.insert(name.clone(), (value, known.clone()));
            scope.certain.insert(name.clone());
            scope.unset.remove(name);
            self.value_dependencies.entry(name.clone()).or_default().extend(names.iter().cloned());
        }
        found
    }

    pub(super) fn find_variable_value(&self, name: &str) -> Option<Inferred> {
        self.find_variable(name).map(|(_, (_, known))| known.without_branches())
    }

    /// Returns the innermost scope with a variable, the expression that sets the variable, and its inferred value.
    pub(super) fn find_variable(&self, name: &str) -> Option<(&Scope, &(Id, Inferred))> {
        self.scopes.iter().rev().find_map(|scope| Some((scope, scope.variables.get(name)?)))
    }

    /// Returns the variables and functions in an expression, and those that the values of these variables depend on.
    pub(super) fn dependencies_of_expression(&self, id: Id) -> Names {
        let mut names = Names::default();
        for node in self.tree.nodes_within(id) {
            let name = match &node.expression {
                Expression::Variable(name) => Some(strip_leading_colons(name)),
                _ => callee_name(self.tree, node),
            };
            let Some(name) = name else { continue };
            names.insert(if name == "fact" { "facts" } else { name }.into());
            names.extend(self.value_dependencies.get(name).into_iter().flatten().cloned());
        }
        names
    }

    pub(super) fn is_any_name_in_conditions(&self, names: &Names) -> bool {
        self.scopes.iter().any(|scope| !scope.guard_names.is_disjoint(names))
    }

    pub(super) fn visit_branch(&mut self, id: Id, narrowed: Vec<Narrowed>, deciders: &Names) -> BranchEnd {
        let (before, nowhere) = (self.scopes.last().cloned().unwrap_or_default(), self.tree.body);
        for (name, type_) in narrowed {
            let known = self.find_variable_value(&name).filter(|known| type_.accepts(&known.known_type()));
            let narrower = (nowhere, known.unwrap_or(Inferred::Type(type_)));
            self.scopes.last_mut().and_then(|scope| scope.variables.insert(name, narrower));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.guard_names.extend(deciders.iter().cloned());
            scope.unset.retain(|_, (names, _)| names.is_disjoint(deciders));
            scope.variables.values_mut().for_each(|(_, known)| known.forget_branches());
        }
        let (found, tree) = (self.visit(id), self.tree);
        let scope = self.scopes.last_mut().map(|scope| std::mem::replace(scope, before)).unwrap_or_default();
        let leaves = |node| matches!(callee_name(tree, node), Some("fail" | "return" | "next" | "break"));
        let always_leaves = tree.statements_of(&id).iter().any(|one| leaves(&tree[*one]));
        let may_fail = |node| callee_name(tree, node).is_some_and(may_fail_on_arguments);
        let may_leave = tree.nodes_within(id).any(|node| leaves(node) || may_fail(node));
        let outcome = Some((self.last_expression(id), found));
        BranchEnd { scope, always_leaves, may_leave, may_be_dead: false, branch: Some(id), outcome }
    }

    /// Merges the scopes of alternative branches: a variable is certainly set if all set it, to one of their values.
    /// Returns what is inferred from the branches.
    pub(super) fn join_branches(&mut self, deciders: &Names, mut ends: Vec<BranchEnd>) -> Inferred {
        let (is_narrowed, tree, nowhere) = (self.is_any_name_in_conditions(deciders), self.tree, self.tree.body);
        let left = ends.iter().filter(|end| end.may_leave).flat_map(|end| &end.scope.guard_names);
        let left: Names = left.cloned().collect();
        for (name, (_, known)) in self.scopes.iter_mut().flat_map(|scope| &mut scope.variables) {
            if left.contains(name) || self.value_dependencies.get(name).is_some_and(|names| !names.is_disjoint(&left)) {
                known.forget_branches();
            }
        }
        // What is behind is only evaluated if none of these was.
        ends.retain(|end| !end.always_leaves);
        let inferred = infer_from_branches(ends.iter_mut().filter_map(|end| end.outcome.take()).collect());
        let inherits = self.scopes.iter().any(|scope| scope.parent_class.is_some());
        // It may be all there is, never come to its end, or be empty with care for what does not happen.
        let is_open = |id: Id| {
            let text = tree.text_of(id).trim_matches(['{', '}', ' ', '\n']);
            tree.nodes_within(id).any(|node| callee_name(tree, node).is_some_and(may_fail_on_arguments))
                || text.starts_with("elsif")
                || deciders.contains("defined")
                || text.is_empty() && deciders.contains("facts")
        };
        let Some(scope) = self.scopes.last_mut() else { return inferred };
        scope.unset.retain(|_, (names, _)| names.is_disjoint(&left));
        let mut set: BTreeMap<&EcoString, Vec<_>> = BTreeMap::new();
        for (end, (name, value)) in ends.iter().flat_map(|end| end.scope.variables.iter().map(move |set| (end, set))) {
            if value.0 != nowhere && scope.variables.get(name).is_none_or(|(before, _)| *before != value.0) {
                set.entry(name).or_default().push((end, value));
            }
        }
        for (name, set) in set {
            let is_certain = set.len() == ends.len() && set.iter().all(|(end, _)| end.scope.certain.contains(name));
            let without = ends.iter().find(|end| !end.may_be_dead && !end.scope.certain.contains(name));
            let branch = without.and_then(|end| match end.scope.unset.get(name) {
                Some((_, branch)) => Some(*branch),
                None => end.branch.filter(|id| !end.scope.variables.contains_key(name) && !is_open(*id)),
            });
            if scope.variables.contains_key(name) {
                // Several conditions that set it may be all there are.
                scope.unset.remove(name);
            } else if let (Some(end), Some(branch)) = (without, branch) {
                let inner = ends.iter().filter_map(|end| end.scope.unset.get(name)).flat_map(|(names, _)| names);
                let names = end.scope.guard_names.difference(&scope.guard_names).chain(deciders).chain(inner).cloned();
                scope.unset.insert(name.clone(), (names.chain(["defined".into()]).collect(), branch));
            } else if is_certain {
                scope.unset.remove(name);
            }
            let values = scope.variables.get(name).into_iter().chain(set.iter().map(|(_, value)| *value));
            let values: Vec<_> = values.cloned().collect();
            let (Some((id, _)), mut known) = (values.last().cloned(), infer_from_branches(values)) else { continue };
            if is_narrowed || set.iter().any(|(end, _)| end.may_be_dead || end.may_leave) {
                known.forget_branches();
            }
            // Where none sets it, an inherited variable of that name is seen.
            let known = if inherits && !is_certain { Inferred::unknown() } else { known };
            scope.variables.insert(name.clone(), (id, known));
            scope.certain.extend(is_certain.then(|| name.clone()));
            self.value_dependencies.entry(name.clone()).or_default().extend(deciders.iter().cloned());
        }
        scope.guard_names.extend(left);
        inferred
    }

    fn report_reassignment(&mut self, name: &str, span: Span) {
        let Some(scope) = self.scopes.last() else { return };
        let is_named = matches!(scope.kind, ScopeKind::Class | ScopeKind::Define);
        let (issue, message) = if RESERVED_VARIABLES.contains(&name) {
            ("ILLEGAL_RESERVED_ASSIGNMENT", format!("${name} is a reserved variable"))
        } else if scope.certain.contains(name) || is_named && matches!(name, "name" | "title") {
            ("ILLEGAL_REASSIGNMENT", format!("cannot reassign variable ${name}"))
        } else {
            return;
        };
        self.add_error(issue, span, message).help("choose another name");
    }
}
