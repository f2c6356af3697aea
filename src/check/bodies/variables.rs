//! Variables: which are known where, and what is known of their values.
//!
//! Source: Puppet reference, "Scope"; "Facts and built-in variables".

use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Bodies, known::Inferred};
use crate::check::program::{constant, lower_name, plain_name, targets};
use crate::check::{Unjudged, index::Known};
use crate::eval::{BUILT_IN_VARIABLES, METAPARAMETERS, RESERVED_VARIABLES, core_facts};
use crate::syntax::tree::{Expression, Id};
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

#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// The values that are set so far.
    pub(super) variables: FxHashMap<EcoString, Inferred>,
    /// All that are set anywhere in the body.
    pub(super) assigned: Arc<FxHashSet<EcoString>>,
    pub(super) certain: FxHashSet<EcoString>,
    /// The resources that are certainly declared there: `notify['a']`.
    pub(super) resources: FxHashSet<EcoString>,
    pub(super) parent: Option<String>,
}

/// Variables that Puppet sets, besides facts.
const BUILT_IN: &str = "title name module_name caller_module_name facts trusted server_facts environment \
    clientcert clientversion clientnoop agent_specified_environment servername serverip serverversion \
    puppetversion settings";

/// Facts, which are also top-scope variables, besides those that [`core_facts`] knows, and the prefixes of families of them.
///
/// Source: Facter reference, "Core facts".
const FURTHER_FACTS: &str = "augeas dhcp_servers ec2_metadata ec2_userdata facterversion filesystems fips_enabled \
    hypervisors identity interfaces is_virtual kernel kernelmajversion kernelrelease kernelversion memory \
    memoryfree_mb memorysize_mb os partitions path ps scope6 ssh sshdsakey sshecdsakey sshed25519key sshrsakey \
    swapfree_mb swapsize_mb system32 timezone virtual zones aio_agent_version aio_agent_build cloud disks dmi \
    env_windows_installdir load_averages mountpoints networking processors ruby system_profile system_uptime xen \
    solaris_zones ldom nim_type is_pe pe_version pe_concat_basedir pe_server_version service_provider root_home \
    puppet_vardir puppet_environmentpath package_provider concat_basedir staging_http_get ipaddress6_enabled vagrant \
    puppetdb_server";

static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| [BUILT_IN, FURTHER_FACTS].into_iter().flat_map(str::split_whitespace).collect());

const FACT_FAMILIES: &str = "ipaddress_ ipaddress6_ macaddress_ netmask_ netmask6_ network_ network6_ mtu_ scope6_ \
    blockdevice_ sp_ ldom_ zone_ ec2_ gce az_ dhcp_ processor sshfp_ ssh pe_ windows_";

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
                    Inferred::any()
                }
            };
        }
        for scope in self.scopes.iter().rev() {
            if let Some(known) = scope.variables.get(name) {
                return known.clone();
            }
            if scope.assigned.contains(name) || scope.kind == ScopeKind::OpenTemplate {
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
            return Inferred::any();
        }
        let near = self.near_variable(name).map(|near| format!("did you mean ${near}?"));
        if near.is_none() && self.index.lacks_modules() {
            self.unjudged(Unjudged::UnknownVariable(name.to_owned()));
            return Inferred::any();
        }
        let help = near.unwrap_or_else(|| format!("if it is a fact, write $facts['{name}']"));
        self.error("UNKNOWN_VARIABLE", span, format!("nothing sets the variable ${name}"), Some(help));
        Inferred::any()
    }

    /// The variable of this place that is meant by a name that nothing sets; another number of the same is not taken for a
    /// misspelling.
    pub(super) fn meant_variable(&mut self, name: &str) -> Option<String> {
        let is_visible = |scope: &Scope| scope.variables.contains_key(name) || scope.assigned.contains(name);
        if self.scopes.iter().any(is_visible) || self.is_global_or_fact(name) || self.is_inherited(name) {
            return None;
        }
        let stem =
            |name| str::trim_end_matches(name, 's').trim_end_matches(|last: char| last.is_ascii_digit()).to_owned();
        let near = self.near_variable(name).filter(|near| name.len() > 3 && stem(near) != stem(name))?.to_owned();
        let (module, _) = self.index.place_in_module(self.tree.source.name())?;
        (!self.index.has_variable(module, name, self.environment)).then_some(near)
    }

    fn near_variable(&self, name: &str) -> Option<&str> {
        let visible = self.scopes.iter().flat_map(|scope| scope.variables.keys().chain(&*scope.assigned));
        nearest(name, visible.map(|name| &**name))
    }

    /// `os.family` for `$facts['os']['family']`
    pub(super) fn path_of_fact(&self, id: Id) -> Option<String> {
        match &self.tree[id].expression {
            Expression::Access(target, keys) => {
                let [key] = &keys[..] else { return None };
                let key = constant(self.tree, *key)?;
                let path = self.path_of_fact(*target)?;
                Some(if path.is_empty() { key.as_str()?.to_owned() } else { format!("{path}.{}", key.as_str()?) })
            }
            Expression::Variable(name) if plain_name(name) == "facts" => Some(String::new()),
            _ => None,
        }
    }

    /// Warns of a fact that Puppet 8 does not have, unless a module adds it.
    pub(super) fn fact(&mut self, path: &str, span: Span) {
        let fact = path.split('.').next().unwrap_or(path);
        if self.is_set_fact(path) {
            return;
        }
        if let Some(instead) = core_facts::instead_of(path) {
            let is_old = || self.index.is_before_puppet_8(self.tree.source.name());
            if !*self.is_before_puppet_8.get_or_insert_with(is_old) {
                let message = format!("{path} is a legacy fact, which Puppet 8 does not have by default");
                self.warning("LEGACY_FACT", span, message, Some(format!("write {instead}")));
            }
        } else if let Some(near) = core_facts::meant_key(path) {
            let key = path.rsplit('.').next().unwrap_or_default();
            let message = format!("the fact {fact} has no key '{key}'");
            self.warning("UNKNOWN_KEY", span, message, Some(format!("did you mean '{near}'?")));
        } else if let Some(near) = core_facts::meant_fact(path) {
            let message = format!("no core fact is called {fact}");
            self.warning("UNKNOWN_KEY", span, message, Some(format!("did you mean '{near}'?")));
        }
    }

    /// Whether a module or a manifest sets the fact at the beginning of a path.
    pub(super) fn is_set_fact(&mut self, path: &str) -> bool {
        let fact = path.split('.').next().unwrap_or(path);
        self.index.top_variables.contains(fact) || self.index.ruby().facts().contains(fact)
    }

    fn is_inside(&self, kind: ScopeKind) -> bool {
        self.scopes.iter().any(|scope| scope.kind == kind)
    }

    fn is_global_or_fact(&mut self, name: &str) -> bool {
        NAMES.contains(name)
            || core_facts::instead_of(name).is_some()
            || FACT_FAMILIES.split(' ').any(|family| name.starts_with(family))
            || self.is_set_fact(name)
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
        if class == "settings" {
            return Inferred::any();
        }
        let (mut searched, mut names) = (class.to_owned(), Vec::new());
        for known in self.with_parents(class) {
            let Some(known) = known else {
                if let Some(missing) = self.index.missing_module(&searched) {
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
        let Some(scope) = self.scopes.last_mut() else { return found };
        targets(tree, target, &mut |name| {
            let is_first = is_one && !scope.variables.contains_key(name);
            let known = if is_first { found.undecided() } else { Inferred::any() };
            scope.variables.insert(name.clone(), known);
            scope.certain.insert(name.clone());
        });
        found
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
