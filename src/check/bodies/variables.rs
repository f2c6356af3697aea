//! Variables: which are known where, and what is known of their values.
//!
//! Source: Puppet reference, "Scope"; "Facts and built-in variables".

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::known::{Inferred, one_of};
use super::{Bodies, conditions::Narrowed, results::optional};
use crate::check::program::{assigned, branches, called, constant, lower_name, plain_name, targets};
use crate::check::{Unjudged, index::Known};
use crate::eval::{BUILT_IN_VARIABLES, CATALOG_FUNCTIONS, METAPARAMETERS, RESERVED_VARIABLES, core_facts};
use crate::functions;
use crate::syntax::tree::{Expression, Id, Ids, Node, Parameter};
use crate::text::Span;
use crate::types::Type;
use crate::value::{EcoString, Value};
use crate::wording::{counted, meant, nearest};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ScopeKind {
    #[default]
    Top,
    Node,
    Class,
    Define,
    Function,
    Lambda,
    /// A template that declares its parameters: it sees those alone.
    Template,
    /// A template without parameters sees whatever its caller sees.
    OpenTemplate,
}

/// The names of variables and functions.
pub(super) type Names = FxHashSet<EcoString>;

/// What is known at the end of a branch.
#[derive(Debug, Default)]
pub(super) struct End {
    scope: Scope,
    /// Whether the branch always leaves the body, as by calling `fail`.
    pub(super) leaves: bool,
    may_leave: bool,
    /// Whether it is perhaps never reached.
    pub(super) is_dead: bool,
    /// The branch; `None` if none is written.
    branch: Option<Id>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// The values that are set so far, and by which expressions.
    pub(super) variables: FxHashMap<EcoString, (Id, Inferred)>,
    /// The names in the conditions around this place, and in those before it under which the body is left.
    pub(super) narrowed: Names,
    /// All that are set anywhere in the body.
    pub(super) assigned: Arc<FxHashSet<EcoString>>,
    pub(super) certain: FxHashSet<EcoString>,
    /// Those that a branch before this place does not set, but others do: the names in the conditions, and that branch.
    pub(super) unset: FxHashMap<EcoString, (Names, Id)>,
    /// The resources that are certainly declared there: `notify['a']`.
    pub(super) resources: FxHashSet<EcoString>,
    pub(super) parent: Option<String>,
}

/// Variables that Puppet sets, and facts besides those that [`core_facts`] knows by their keys.
static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| ["variables ", "facts "].into_iter().flat_map(core_facts::words).collect());

/// The modules whose facts are among these, and others that have none.
const MODULES_OF_FACTS: [&str; 7] = ["stdlib", "concat", "apt", "systemd", "archive", "extlib", "inifile"];

/// Whether a function may fail because of what its arguments are, as those of modules may.
pub(super) fn may_test(name: &str) -> bool {
    name == "assert_type" || functions::named(name).is_none() && !CATALOG_FUNCTIONS.contains(&name)
}

/// Whether letters of a name were left out: `mem_limit` of `memory_limit`, `home` of `home_dir`.
fn is_short_for(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    short.len() > 2
        && short.chars().next() == long.chars().next()
        && short.chars().all(|letter| letters.any(|other| other == letter))
}

impl Bodies<'_> {
    /// The inferred value of a variable. One that nothing sets is reported.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Inferred {
        if name.starts_with(|first: char| first.is_ascii_digit()) && name.parse::<u64>().is_ok() {
            if !self.is_matched {
                let help = "match variables are set by `=~`, `case` and `?` with a regular expression, for the branch behind it";
                self.error("UNSET_MATCH_VARIABLE", span, format!("no match sets ${name} here"), Some(help.to_owned()));
            }
            return Inferred::any();
        }
        if name.contains(':') {
            return match plain_name(name).rsplit_once("::") {
                Some((class, variable)) => self.class_variable(class, variable, name, span),
                None => {
                    self.fact(plain_name(name), span);
                    self.type_of_fact(plain_name(name))
                }
            };
        }
        let mut is_assigned = false;
        for (at, scope) in self.scopes.iter().rev().enumerate() {
            if let Some((_, known)) = scope.variables.get(name) {
                // A condition between may exclude branches.
                let known = if at == 0 { known.clone() } else { known.undecided() };
                self.perhaps_unset(name, span, self.scopes.len() - at);
                return known;
            }
            is_assigned |= scope.assigned.contains(name);
            if scope.kind == ScopeKind::OpenTemplate {
                return Inferred::any();
            }
        }
        if name == "module_name"
            && let Some((module, _)) = self.index.place_in_module(self.tree.source.name())
        {
            return Inferred::Value(Value::from(module));
        }
        if name == "title" || name == "name" && self.is_inside(ScopeKind::Define) {
            return Inferred::text();
        }
        if core_facts::instead_of(name).is_some() && !self.is_inherited(name) {
            self.fact(name, span);
        }
        // What the top scope and nodes see is set anywhere: by other manifests, by the classifier.
        let is_bounded = self.scopes.iter().any(|scope| {
            matches!(scope.kind, ScopeKind::Class | ScopeKind::Define | ScopeKind::Function | ScopeKind::Template)
        });
        // Those that the declaration is given are variables of its body.
        let is_metaparameter =
            METAPARAMETERS.contains(&name) && (self.is_inside(ScopeKind::Define) || self.is_inside(ScopeKind::Class));
        if !is_bounded || is_metaparameter || self.is_global_or_fact(name) || self.is_inherited(name) {
            return self.type_of_fact(name);
        }
        if is_assigned {
            // A place that `defined('$x')` guards is perhaps never reached.
            if !self.scopes.iter().any(|scope| scope.narrowed.contains("defined")) {
                let message = format!("nothing sets the variable ${name} before this place");
                let help = "it is set further down, in another branch, or inside of a lambda".to_owned();
                self.error("UNKNOWN_VARIABLE", span, message, Some(help));
            }
            return Inferred::any();
        }
        let near = self.near_variable(name, "").map(|near| format!("did you mean ${near}?"));
        if near.is_none() && self.lacks_facts() {
            self.unjudged(Unjudged::UnknownVariable(name.to_owned()));
            return Inferred::any();
        }
        let help = near.unwrap_or_else(|| format!("if it is a fact, write $facts['{name}']"));
        self.error("UNKNOWN_VARIABLE", span, format!("nothing sets the variable ${name}"), Some(help));
        Inferred::any()
    }

    /// Warns once of a variable that a branch did not set. It is in the last of the first `count` scopes.
    fn perhaps_unset(&mut self, name: &str, span: Span, count: usize) {
        let (outer, inner) = self.scopes.split_at_mut(count);
        let Some((names, branch)) = outer.last_mut().and_then(|scope| scope.unset.remove(name)) else { return };
        let is_narrowed = inner.iter().any(|scope| !scope.narrowed.is_disjoint(&names));
        if !is_narrowed && !self.is_global_or_fact(name) && !self.is_inherited(name) {
            let line = self.tree.source.position(self.tree[branch].span.start as usize).line;
            let message = format!("${name} has no value here after the branch in line {line}, which does not set it");
            let help = "set it in every branch; undef is a value, too".to_owned();
            self.warning("UNKNOWN_VARIABLE", span, message, Some(help));
        }
    }

    /// The variable of this place that is meant by a name that nothing sets; another number of the same is not taken for a
    /// misspelling.
    pub(super) fn meant_variable(&mut self, name: &str, template: &str) -> Option<String> {
        if !self.is_only_fact(name) || self.is_global_or_fact(name) {
            return None;
        }
        let stem =
            |name| str::trim_end_matches(name, 's').trim_end_matches(|last: char| last.is_ascii_digit()).to_owned();
        self.near_variable(name, template).filter(|near| name.len() > 3 && stem(near) != stem(name)).map(str::to_owned)
    }

    /// Whether only a fact can be meant: no class or defined type of the module has a variable of that name.
    pub(super) fn is_only_fact(&mut self, name: &str) -> bool {
        let is_visible = |scope: &Scope| scope.variables.contains_key(name) || scope.assigned.contains(name);
        if self.scopes.iter().any(is_visible) || self.is_inherited(name) {
            return false;
        }
        let module = self.index.place_in_module(self.tree.source.name()).map(|(module, _)| module.to_owned());
        module.is_some_and(|module| !self.index.has_variable(&module, name, self.environment))
    }

    /// The visible variable that was meant by `name`: the most similar one; one that begins or ends alike, which neither this
    /// program nor a template reads; or one of whose name letters were left out.
    fn near_variable(&self, name: &str, template: &str) -> Option<&str> {
        let visible = || self.scopes.iter().flat_map(|scope| scope.variables.keys().chain(&*scope.assigned));
        let is_unread = |other: &EcoString| {
            let is_it = |node: &&Node| matches!(&node.expression, Expression::Variable(name) if name == other);
            let is_set = self.scopes.iter().any(|scope| scope.assigned.contains(other));
            self.tree.nodes.iter().filter(is_it).count() == usize::from(is_set)
                && !template.replace(name, "").contains(&**other)
        };
        let is_part = |long: &str, short: &str| short.len() > 2 && (long.starts_with(short) || long.ends_with(short));
        let shortened = |other: &&EcoString| is_short_for(name, other) || is_short_for(other, name);
        let unread = || {
            visible()
                .find(|other| (is_part(name, other) || is_part(other, name)) && is_unread(other))
                .or_else(|| visible().find(shortened))
        };
        nearest(name, visible().map(|name| &**name)).or_else(|| unread().map(|name| &**name))
    }

    /// Whether a module that is not there may have facts of its own.
    pub(super) fn lacks_facts(&self) -> bool {
        let is_known = |name| self.index.directory(name).is_some() || MODULES_OF_FACTS.contains(&name);
        !self.index.declared().all(|name| is_known(name) || name.ends_with("_core"))
    }

    /// `os.family` for `$facts['os']['family']`, `fact('os.family')`, `$facts.dig('os', 'family')` or `$::osfamily`.
    /// Also the last of its keys.
    pub(super) fn path_of_fact(&self, id: Id) -> Option<(String, Id)> {
        let node = &self.tree[id];
        let ids: Ids = match &node.expression {
            Expression::Variable(name) if plain_name(name) == "facts" => return Some((String::new(), id)),
            Expression::Variable(name) => return Some((core_facts::today(name.strip_prefix("::")?)?.to_owned(), id)),
            Expression::Access(first, others) | Expression::MethodCall { receiver: first, arguments: others, .. } => {
                std::iter::once(first).chain(others).copied().collect()
            }
            Expression::Call { arguments, .. } => arguments.iter().copied().collect(),
            _ => return None,
        };
        let name = if matches!(node.expression, Expression::Access(..)) { "get" } else { called(self.tree, node)? };
        let (path, keys) = match (name, &ids[..]) {
            ("fact" | "getvar", [_]) => (String::new(), &ids[..]),
            ("get" | "dig", [target, keys @ ..]) if name == "dig" || keys.len() == 1 => {
                (self.path_of_fact(*target)?.0, keys)
            }
            _ => return None,
        };
        let path = keys.iter().try_fold(path, |path, key| {
            let key = constant(self.tree, *key)?;
            Some(if path.is_empty() { key.as_str()?.to_owned() } else { format!("{path}.{}", key.as_str()?) })
        })?;
        Some((if name == "getvar" { path.strip_prefix("facts.")?.to_owned() } else { path }, *keys.last()?))
    }

    /// The value of an expression, which may be a fact with a type of its own.
    pub(super) fn or_fact(&mut self, id: Id, found: Inferred) -> Inferred {
        let Some((path, last)) = self.path_of_fact(id).filter(|(path, _)| !path.is_empty()) else { return found };
        self.fact(&path, self.tree[last].span);
        let of_fact = self.type_of_fact(&path);
        if of_fact.is_any() { found } else { of_fact }
    }

    /// What is known of the fact of that path: every node may lack it.
    pub(super) fn type_of_fact(&mut self, path: &str) -> Inferred {
        let type_ = core_facts::type_of(path).filter(|_| !self.index.is_set_fact(path));
        type_.map_or_else(Inferred::any, |type_| optional(&Type::built_in(type_)))
    }

    /// Warns of a fact that Puppet 8 does not have, unless a module adds it.
    pub(super) fn fact(&mut self, path: &str, span: Span) {
        let error = self.index.wrong_fact(path, self.tree.source.name(), |instead| instead);
        if let Some(error) = error {
            self.checked.warning(&self.tree.source, span, error);
        }
    }

    fn is_inside(&self, kind: ScopeKind) -> bool {
        self.scopes.iter().any(|scope| scope.kind == kind)
    }

    pub(super) fn is_global_or_fact(&mut self, name: &str) -> bool {
        NAMES.contains(name)
            || core_facts::instead_of(name).is_some()
            || core_facts::words("families of facts ").any(|family| name.starts_with(family))
            || self.index.is_set_fact(name)
    }

    /// Whether a class that is inherited from sets it, or is not known.
    fn is_inherited(&mut self, name: &str) -> bool {
        let parent = self.scopes.iter().find_map(|scope| scope.parent.clone());
        let classes = parent.map_or_else(Vec::new, |parent| self.with_parents(&parent));
        classes.iter().any(|class| class.as_ref().is_none_or(|known| known.has_variable(name)))
    }

    /// A class and those that it inherits from; `None` for the last if it is not known.
    fn with_parents(&mut self, class: &str) -> Vec<Option<Arc<Known>>> {
        const MOST: usize = 16;
        let first = self.index.resource(class, self.environment);
        let parent = |class: &Option<Arc<Known>>| {
            let parent = class.as_ref()?.parent.as_ref()?;
            Some(self.index.resource(parent, self.environment))
        };
        std::iter::successors(Some(first), parent).take(MOST).collect()
    }

    fn class_variable(&mut self, class: &str, variable: &str, name: &str, span: Span) -> Inferred {
        let class = &*lower_name(class);
        if class == "settings" || self.index.is_repeated(class) {
            return Inferred::any();
        }
        let (mut searched, mut names) = (class.to_owned(), Vec::new());
        for known in self.with_parents(class) {
            let Some(known) = known else {
                if let Some(missing) = self.index.unseen(&searched) {
                    self.unjudged(missing);
                } else if searched == class && !self.index.is_partial(class) {
                    self.unknown_class(class, span);
                }
                return Inferred::any();
            };
            if BUILT_IN_VARIABLES.contains(&variable) {
                return Inferred::text();
            }
            if known.has_variable(variable) {
                let at = known.declaration.parameters.iter().position(|parameter| *parameter.name == *variable);
                let type_ = at.and_then(|at| known.types.get(at)?.clone());
                return type_.map_or_else(Inferred::any, Inferred::Type);
            }
            names.extend(known.declaration.parameters.iter().map(|one| &one.name).chain(&*known.assigned).cloned());
            searched = known.parent.clone().unwrap_or_default();
        }
        let near = nearest(variable, names.iter().map(|name: &EcoString| &**name));
        let help = meant(near.map(|near| format!("${class}::{near}")));
        let message = format!("class {class} sets no variable ${variable}, which ${name} needs");
        self.error("UNKNOWN_VARIABLE", span, message, help);
        Inferred::any()
    }

    /// What a class sets a variable to, if these are constants.
    fn constants_of(&mut self, class: &str, variable: &str) -> Option<Inferred> {
        let known = self.index.resource(&lower_name(class), self.environment)?;
        let set = known.tree.within(known.definition().body).filter_map(|node| match &node.expression {
            Expression::Assignment(_, target, value) => Some((&known.tree[*target].expression, value)),
            _ => None,
        });
        let set = set.filter(|(target, _)| matches!(target, Expression::Variable(name) if name == variable));
        let values = set.map(|(_, value)| constant(&known.tree, *value)).collect::<Option<Vec<Value>>>()?;
        Some(match &values[..] {
            [] => return None,
            [value] => Inferred::Value(value.clone()),
            _ => Inferred::Type(Type::one_of(values.iter().map(Type::of))),
        })
    }

    /// Warns of a default value that one branch in another class does not set, although it sets the others needed here. If
    /// these are few, this class is perhaps not for it.
    pub(super) fn unset_defaults(&mut self, parameters: &[Parameter], types: &[Type]) {
        let mut needed = Vec::new();
        for (parameter, type_) in parameters.iter().zip(types) {
            let Some(default) = parameter.default else { continue };
            let Expression::Variable(name) = &self.tree[default].expression else { continue };
            let Some((class, variable)) = plain_name(name).rsplit_once("::") else { continue };
            if let Some(value) = self.constants_of(class, variable) {
                self.compare(default, &value, type_, || (format!("the default of ${}", parameter.name), None));
            }
            let accepts_undef = parameter.type_.is_some() && type_.has_instance(&Value::Undef);
            needed.extend((!accepts_undef).then_some((default, class, variable)));
        }
        let first = needed.first().and_then(|(_, class, _)| self.index.resource(&lower_name(class), self.environment));
        let Some(known) = first.filter(|known| known.parent.is_none()) else { return };
        let (tree, body) = (&known.tree, known.definition().body);
        let statements = if let Expression::Block(all) = &tree[body].expression { &all[..] } else { &[body] };
        let sets: Vec<Names> = statements.iter().map(|id| assigned(tree, *id)).collect();
        for (statement, set_here) in statements.iter().zip(&sets) {
            let is_once = |name| sets.iter().filter(|set| set.contains(name)).count() == 1;
            let is_here = |class: &str, name| class == known.declaration.name && set_here.contains(name);
            let needed = needed.iter().filter(|(_, class, name)| is_here(&lower_name(class), *name) && is_once(*name));
            let needed: Vec<_> = needed.collect();
            for branch in branches(tree, *statement) {
                let set = assigned(tree, branch);
                let missing: Vec<_> = needed.iter().filter(|(_, _, name)| !set.contains(*name)).collect();
                let sets_all = set_here.len() > 3 && set.len() + 1 == set_here.len();
                if let ([(id, class, name)], true) = (&missing[..], sets_all || needed.len() > 3) {
                    let branch = known.place_of(tree[branch].span);
                    let message = format!("the branch at {branch} does not set ${class}::{name}");
                    let help = "the other variables that are default values here are set there".to_owned();
                    self.warning("UNKNOWN_VARIABLE", self.tree[*id].span, message, Some(help));
                }
            }
        }
    }

    pub(super) fn assignment(&mut self, target: Id, value: Id) -> Inferred {
        let found = self.visit(value);
        let tree = self.tree;
        targets(tree, target, &mut |name| self.assigned_again(name, tree[target].span));
        if let Expression::Array(variables) = &tree[target].expression {
            let count = match (found.partial_value(), &*found.type_().behind_aliases()) {
                (Some(Value::Array(values)), _) => Some(values.len()),
                (None, Type::Tuple(tuple)) => tuple.only_size(),
                _ => None,
            };
            if let Some(count) = count.filter(|count| *count != variables.len()) {
                let (wanted, got) = (counted(variables.len(), "variable"), counted(count, "value"));
                self.error("RUNTIME_ERROR", tree[target].span, format!("{wanted} for {got}"), None);
            }
        }
        let is_one = matches!(tree[target].expression, Expression::Variable(_));
        let names = self.names_in(value);
        let known = match &found {
            _ if !is_one => Inferred::any(),
            Inferred::Branches(..) if self.is_narrowed(&names) => found.undecided(),
            _ => found.clone(),
        };
        let Some(scope) = self.scopes.last_mut() else { return found };
        targets(tree, target, &mut |name| {
            scope.variables.insert(name.clone(), (value, known.clone()));
            scope.certain.insert(name.clone());
            scope.unset.remove(name);
            self.deciders.entry(name.clone()).or_default().extend(names.iter().cloned());
        });
        found
    }

    /// What is known of a variable by its name alone.
    pub(super) fn known(&self, name: &str) -> Option<Inferred> {
        self.scopes.iter().rev().find_map(|scope| scope.variables.get(name)).map(|(_, known)| known.undecided())
    }

    /// The variables and functions in an expression, and those that the values of these variables depend on.
    pub(super) fn names_in(&self, id: Id) -> Names {
        let mut names = Names::default();
        for node in self.tree.within(id) {
            let name = match &node.expression {
                Expression::Variable(name) => Some(plain_name(name)),
                _ => called(self.tree, node),
            };
            let Some(name) = name else { continue };
            names.insert(if name == "fact" { "facts" } else { name }.into());
            names.extend(self.deciders.get(name).into_iter().flatten().cloned());
        }
        names
    }

    /// Whether a condition before this place or around it is about one of these names.
    pub(super) fn is_narrowed(&self, names: &Names) -> bool {
        self.scopes.iter().any(|scope| !scope.narrowed.is_disjoint(names))
    }

    /// Visits what is evaluated under a condition, which is about `deciders`. What it sets is only returned.
    pub(super) fn branch_end(&mut self, id: Id, narrowed: Vec<Narrowed>, deciders: &Names) -> (Inferred, End) {
        let (before, nowhere) = (self.scopes.last().cloned().unwrap_or_default(), self.tree.body);
        for (name, type_) in narrowed {
            let known = self.known(&name).filter(|known| type_.accepts(&known.type_()));
            let narrower = (nowhere, known.unwrap_or(Inferred::Type(type_)));
            self.scopes.last_mut().and_then(|scope| scope.variables.insert(name, narrower));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.narrowed.extend(deciders.iter().cloned());
            scope.unset.retain(|_, (names, _)| names.is_disjoint(deciders));
            scope.variables.values_mut().for_each(|(_, known)| known.forget_branches());
        }
        let (found, tree) = (self.visit(id), self.tree);
        let scope = self.scopes.last_mut().map(|scope| std::mem::replace(scope, before)).unwrap_or_default();
        let leaves = |node| matches!(called(tree, node), Some("fail" | "return" | "next" | "break"));
        let statements = if let Expression::Block(all) = &tree[id].expression { &all[..] } else { &[id] };
        let leaves_always = statements.iter().any(|one| leaves(&tree[*one]));
        let may_leave = tree.within(id).any(|node| leaves(node) || called(tree, node).is_some_and(may_test));
        (found, End { scope, leaves: leaves_always, may_leave, is_dead: false, branch: Some(id) })
    }

    /// One of these branches was evaluated: what each set is known, what all set is certain.
    pub(super) fn join(&mut self, deciders: &Names, mut ends: Vec<End>) {
        let (is_narrowed, tree, nowhere) = (self.is_narrowed(deciders), self.tree, self.tree.body);
        let left = ends.iter().filter(|end| end.may_leave).flat_map(|end| &end.scope.narrowed);
        let left: Names = left.cloned().collect();
        for (name, (_, known)) in self.scopes.iter_mut().flat_map(|scope| &mut scope.variables) {
            if left.contains(name) || self.deciders.get(name).is_some_and(|names| !names.is_disjoint(&left)) {
                known.forget_branches();
            }
        }
        // What is behind is only evaluated if none of these was.
        ends.retain(|end| !end.leaves);
        let inherits = self.scopes.iter().any(|scope| scope.parent.is_some());
        // It may be all there is, never come to its end, or be empty with care for what does not happen.
        let is_open = |id: Id| {
            let text = tree.source.slice(tree[id].span).trim_matches(['{', '}', ' ', '\n']);
            let may_fail = tree.within(id).any(|node| called(tree, node).is_some_and(may_test));
            may_fail || text.starts_with("elsif") || text.is_empty() && deciders.contains("facts")
        };
        let Some(scope) = self.scopes.last_mut() else { return };
        scope.unset.retain(|_, (names, _)| names.is_disjoint(&left));
        let mut set: BTreeMap<&EcoString, Vec<_>> = BTreeMap::new();
        for (end, (name, value)) in ends.iter().flat_map(|end| end.scope.variables.iter().map(move |set| (end, set))) {
            if value.0 != nowhere && scope.variables.get(name).is_none_or(|(before, _)| *before != value.0) {
                set.entry(name).or_default().push((end, value));
            }
        }
        for (name, set) in set {
            let is_certain = set.len() == ends.len() && set.iter().all(|(end, _)| end.scope.certain.contains(name));
            let without = ends.iter().find(|end| !end.is_dead && !end.scope.certain.contains(name));
            let branch = without.and_then(|end| match end.scope.unset.get(name) {
                Some((_, branch)) => Some(*branch),
                None => end.branch.filter(|id| !end.scope.variables.contains_key(name) && !is_open(*id)),
            });
            if let (Some(end), Some(branch)) = (without, branch) {
                let inner = ends.iter().filter_map(|end| end.scope.unset.get(name)).flat_map(|(names, _)| names);
                let names = end.scope.narrowed.difference(&scope.narrowed).chain(deciders).chain(inner).cloned();
                scope.unset.insert(name.clone(), (names.chain(["defined".into()]).collect(), branch));
            } else if is_certain {
                scope.unset.remove(name);
            }
            let values = scope.variables.get(name).into_iter().chain(set.iter().map(|(_, value)| *value));
            let values: Vec<_> = values.cloned().collect();
            let (Some((id, _)), mut known) = (values.last().cloned(), one_of(values)) else { continue };
            if is_narrowed || set.iter().any(|(end, _)| end.is_dead || end.may_leave) {
                known.forget_branches();
            }
            // Where none sets it, an inherited variable of that name is seen.
            let known = if inherits && !is_certain { Inferred::any() } else { known };
            scope.variables.insert(name.clone(), (id, known));
            scope.certain.extend(is_certain.then(|| name.clone()));
            self.deciders.entry(name.clone()).or_default().extend(deciders.iter().cloned());
        }
        scope.narrowed.extend(left);
    }

    /// Reports a variable that has a value already, whatever happened before.
    fn assigned_again(&mut self, name: &str, span: Span) {
        let Some(scope) = self.scopes.last() else { return };
        let is_named = matches!(scope.kind, ScopeKind::Class | ScopeKind::Define);
        if RESERVED_VARIABLES.contains(&name) {
            let message = format!("${name} is a reserved variable");
            self.error("ILLEGAL_RESERVED_ASSIGNMENT", span, message, Some("choose another name".to_owned()));
        } else if scope.certain.contains(name) || is_named && matches!(name, "name" | "title") {
            let message = format!("cannot reassign variable ${name}");
            self.error("ILLEGAL_REASSIGNMENT", span, message, Some("choose another name".to_owned()));
        }
    }
}
