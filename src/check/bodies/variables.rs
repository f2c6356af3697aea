//! Variables: which are known where, and what is known of their values.
//!
//! Source: Puppet reference, "Scope"; "Facts and built-in variables".

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Bodies;
use super::known::Inferred;
use crate::check::Unjudged;
use crate::check::names::{lower_name, module_of, plain_name};
use crate::check::program::targets;
use crate::eval::{METAPARAMETERS, RESERVED_VARIABLES};
use crate::syntax::tree::Id;
use crate::text::Span;
use crate::value::EcoString;
use crate::wording::nearest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
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

#[derive(Debug)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// The values that are set so far.
    pub(super) variables: FxHashMap<EcoString, Inferred>,
    /// All that are set anywhere in the body.
    pub(super) assigned: Arc<FxHashSet<EcoString>>,
    /// The variables that are certainly set where the visit is.
    pub(super) certain: FxHashSet<EcoString>,
    /// The resources that are certainly declared there: `notify['a']`.
    pub(super) resources: FxHashSet<EcoString>,
    pub(super) parent: Option<String>,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind) -> Scope {
        Scope {
            kind,
            variables: FxHashMap::default(),
            assigned: Arc::default(),
            certain: FxHashSet::default(),
            resources: FxHashSet::default(),
            parent: None,
        }
    }
}

/// Variables that Puppet sets, besides facts.
const BUILT_IN: &str = "title name module_name caller_module_name facts trusted server_facts environment \
    clientcert clientversion clientnoop agent_specified_environment servername serverip serverversion \
    puppetversion settings";

/// Legacy facts, which Facter also provides as top-scope variables, and the prefixes of families of them.
///
/// Source: Facter reference, "Core facts", legacy facts.
const LEGACY_FACTS: &str = "architecture augeas augeasversion bios_release_date bios_vendor bios_version boardassettag \
    boardmanufacturer boardproductname boardserialnumber chassisassettag chassistype dhcp_servers domain ec2_metadata \
    ec2_userdata facterversion filesystems fips_enabled fqdn gid hardwareisa hardwaremodel hostname hypervisors id \
    identity interfaces ipaddress ipaddress6 is_virtual kernel kernelmajversion kernelrelease kernelversion lsbdistcodename \
    lsbdistdescription lsbdistid lsbdistrelease lsbmajdistrelease lsbminordistrelease lsbrelease macaddress manufacturer \
    memory memoryfree memoryfree_mb memorysize memorysize_mb netmask netmask6 network network6 operatingsystem \
    operatingsystemmajrelease operatingsystemrelease os osfamily partitions path physicalprocessorcount processorcount \
    productname ps rubyplatform rubysitedir rubyversion scope6 selinux selinux_config_mode selinux_config_policy \
    selinux_current_mode selinux_enforced selinux_policyversion serialnumber ssh sshdsakey sshecdsakey sshed25519key sshrsakey \
    swapencrypted swapfree swapfree_mb swapsize swapsize_mb system32 timezone uptime uptime_days uptime_hours uptime_seconds \
    uuid virtual xendomains zonename zones aio_agent_version aio_agent_build cloud disks dmi env_windows_installdir load_averages \
    mountpoints networking processors ruby system_profile system_uptime xen solaris_zones ldom nim_type is_pe pe_version \
    pe_concat_basedir pe_server_version service_provider root_home puppet_vardir puppet_environmentpath package_provider \
    concat_basedir staging_http_get ipaddress6_enabled vagrant puppetdb_server";

static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| [BUILT_IN, LEGACY_FACTS].into_iter().flat_map(str::split_whitespace).collect());

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
                None => Inferred::any(),
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
        if name == "title" || name == "name" && self.is_inside(ScopeKind::Define) {
            return Inferred::text();
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
        let visible = self.scopes.iter().flat_map(|scope| scope.variables.keys().chain(&*scope.assigned));
        let near = nearest(name, visible.map(|name| &**name)).map(|near| format!("did you mean ${near}?"));
        let help = near.unwrap_or_else(|| format!("if it is a fact, write $facts['{name}']"));
        self.error("UNKNOWN_VARIABLE", span, format!("nothing sets the variable ${name}"), Some(help));
        Inferred::any()
    }

    fn is_inside(&self, kind: ScopeKind) -> bool {
        self.scopes.iter().any(|scope| scope.kind == kind)
    }

    fn is_global_or_fact(&mut self, name: &str) -> bool {
        NAMES.contains(name)
            || FACT_FAMILIES.split(' ').any(|family| name.starts_with(family))
            || self.index.top_variables.contains(name)
            || self.index.ruby().facts().contains(name)
    }

    /// Whether a class that is inherited from sets it, or is not known.
    fn is_inherited(&mut self, name: &str) -> bool {
        let mut parent = self.scopes.iter().find_map(|scope| scope.parent.clone());
        for _ in 0..16 {
            let Some(class) = parent else { return false };
            let Some(known) = self.index.resource(&class, self.environment) else { return true };
            if known.has_variable(name) {
                return true;
            }
            parent = known.parent.as_deref().map(str::to_owned);
        }
        false
    }

    fn class_variable(&mut self, class: &str, variable: &str, name: &str, span: Span) -> Inferred {
        let class = &*lower_name(class);
        if class == "settings" {
            return Inferred::any();
        }
        let mut searched = Cow::Borrowed(class);
        let mut names: Vec<EcoString> = Vec::new();
        loop {
            let Some(known) = self.index.resource(&searched, self.environment) else {
                let module = module_of(&searched).to_owned();
                if self.index.is_missing(&module) {
                    self.unjudged(Unjudged::MissingModule(module));
                } else if searched == class && !self.index.is_partial(&module) {
                    self.unknown_class(class, span);
                }
                return Inferred::any();
            };
            if matches!(variable, "title" | "name" | "module_name" | "caller_module_name") {
                return Inferred::text();
            }
            if known.has_variable(variable) {
                let at = known.declaration.parameters.iter().position(|parameter| *parameter.name == *variable);
                let type_ = at.and_then(|at| known.types.get(at)?.clone());
                return type_.map_or_else(Inferred::any, Inferred::Type);
            }
            names.extend(known.declaration.parameters.iter().map(|one| &one.name).chain(&*known.assigned).cloned());
            let Some(parent) = &known.parent else { break };
            searched = Cow::Owned(parent.clone());
        }
        let near = nearest(variable, names.iter().map(|name| &**name));
        let help = near.map(|near| format!("did you mean ${class}::{near}?"));
        let message = format!("class {class} sets no variable ${variable}, which ${name} needs");
        self.error("UNKNOWN_VARIABLE", span, message, help);
        Inferred::any()
    }

    pub(super) fn assignment(&mut self, target: Id, value: Id) -> Inferred {
        let found = self.visit(value);
        let tree = self.tree;
        targets(tree, target, &mut |name| self.assigned_again(name, tree[target].span));
        let is_one = matches!(tree[target].expression, crate::syntax::tree::Expression::Variable(_));
        let Some(scope) = self.scopes.last_mut() else { return found };
        targets(tree, target, &mut |name| {
            let is_first = is_one && !scope.variables.contains_key(name);
            let known = if is_first { found.clone() } else { Inferred::any() };
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
