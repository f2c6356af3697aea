//! Calls: unknown functions, arguments against signatures, names of classes, templates and keys in arguments.

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use super::known::{Conflict, Inferred};
use super::results::{Iterated, not_undef, part_of, returned_for, revealed};
use super::{Bodies, variables::may_test};
use crate::check::interface::{STDLIB, Sort};
use crate::check::program::{called, lower_name, module_of, plain_name};
use crate::check::{TYPE_MISMATCH, Unjudged, attributes, constant_type, hiera_data::merge_type, index::Known, message};
use crate::data::hiera::{STRATEGIES, texts};
use crate::eval::{
    CATALOG_FUNCTIONS, Kind, Signature, SignatureParameter, UNKNOWN_TYPE, instead_of_function, shown, signatures_of,
};
use crate::functions;
use crate::syntax::tree::{Expression, Id, Ids, Parameter};
use crate::text::{Source, Span};
use crate::types::{Member, SensitiveType, Type, describe::for_message};
use crate::value::Value;
use crate::wording::{counted, distance, meant, nearest};

/// Further strategies, which are not documented. Observed: Puppet 7.23 knows them.
const UNDOCUMENTED: &str = "unconstrained_deep, reverse_deep, 'default'";

pub(super) struct Callee<'n> {
    name: &'n str,
    span: Span,
    signatures: Cow<'static, [Signature]>,
    declared: Declared,
}

enum Declared {
    InPuppet(Arc<Known>),
    InRuby(PathBuf),
    BuiltIn,
}

impl Callee<'_> {
    fn help(&self) -> Option<String> {
        let place = match &self.declared {
            Declared::InPuppet(known) => known.place(),
            Declared::InRuby(file) => shown(file),
            Declared::BuiltIn => return None,
        };
        Some(format!("{} is declared in {place}", self.name))
    }
}

impl<'a> Bodies<'a> {
    pub(super) fn call(&mut self, functor: Id, receiver: Option<Id>, arguments: &[Id], lambda: Option<Id>) -> Inferred {
        let ids: Ids = receiver.iter().chain(arguments).copied().collect();
        let found = self.visit_all(&ids);
        let name = match &self.tree[functor].expression {
            Expression::Name(name) | Expression::Reserved(name) => plain_name(name),
            callee => {
                let called = self.visit(functor);
                self.visit_lambda(lambda, &[]);
                let is_type = matches!(callee, Expression::Reference(_)) && receiver.is_none();
                return if is_type { self.constructed(&called, &ids, &found) } else { Inferred::any() };
            }
        };
        let span = self.tree[functor].span;
        let parts = found.first().and_then(Iterated::of);
        let given: Vec<Type> = match (name, &parts) {
            // The block of `then` is not called for undef.
            ("then", _) => found.iter().take(1).map(|first| not_undef(&first.type_()).generalized()).collect(),
            ("with", _) => found.iter().map(|argument| argument.type_().generalized()).collect(),
            (_, Some(parts)) => parts.given(name, self.parameters_of(lambda).len()),
            (_, None) => Vec::new(),
        };
        self.turns_of_data(name, ids.first(), lambda);
        let result = self.visit_lambda(lambda, &given);
        if let (Some(lambda), Some(_), "each" | "map" | "slice" | "reverse_each") = (lambda, &result, name) {
            self.repeated(lambda, found.first());
        }
        if name == "new"
            && let Some((called, arguments)) = found.split_first()
        {
            return self.constructed(called, ids.get(1..).unwrap_or_default(), arguments);
        }
        self.named_arguments(name, &ids, &found, lambda.is_some());
        for id in ids.iter().filter(|_| may_test(name)) {
            if let (Expression::Variable(name), Some(scope)) = (&self.tree[*id].expression, self.scopes.last_mut()) {
                scope.variables.get_mut(name).into_iter().for_each(|(_, known)| known.forget_branches());
            }
        }
        let Some(callee) = self.callee(name, span) else { return Inferred::any() };
        let returned = self.arguments(&callee, &ids, &found, lambda);
        if !matches!(callee.declared, Declared::BuiltIn) {
            return returned;
        }
        let of_arguments = returned_for(name, &found, lambda.is_some(), result.as_ref());
        let start = found.get(1).map(|start| start.type_().generalized());
        let collected = || parts.and_then(|parts| parts.collected(name, start, result));
        let is_any = |type_: &Type| type_.alternatives().iter().any(|one| matches!(one, Type::Any(_)));
        of_arguments.or_else(collected).filter(|type_| !is_any(type_)).map_or(returned, Inferred::Type)
    }

    pub(super) fn parameters_of(&self, lambda: Option<Id>) -> &'a [Parameter] {
        match lambda.map(|id| &self.tree[id].expression) {
            Some(Expression::Lambda { parameters, .. }) => parameters,
            _ => &[],
        }
    }

    /// Visits a lambda that is given values of these types; what it returns, if it always comes to its end.
    fn visit_lambda(&mut self, lambda: Option<Id>, given: &[Type]) -> Option<Type> {
        let Expression::Lambda { parameters, body, .. } = &self.tree[lambda?].expression else { return None };
        let before = self.is_matched;
        let returned = self.lambda(parameters, *body, given);
        self.is_matched = before;
        let leaves = |node| matches!(called(self.tree, node), Some("next" | "break" | "return"));
        let may_leave = self.tree.within(*body).any(leaves);
        (!may_leave).then(|| returned.type_().generalized())
    }

    pub(super) fn callee<'n>(&mut self, name: &'n str, span: Span) -> Option<Callee<'n>> {
        let lower = lower_name(name);
        if let Some(known) = self.index.function(&lower, self.environment) {
            let signatures = vec![signature_of(&known)].into();
            return Some(Callee { name, span, signatures, declared: Declared::InPuppet(known) });
        }
        let ruby = self.index.ruby();
        if let Some(function) = ruby.functions.get(&*lower) {
            let signatures = function.signatures()?.iter().map(|text| Signature::read(text, self.environment).ok());
            let signatures = signatures.collect::<Option<Vec<_>>>()?.into();
            return Some(Callee { name, span, signatures, declared: Declared::InRuby(function.file.clone()) });
        }
        if let Some(row) = functions::named(name) {
            let signatures = signatures_of(row.signatures).into();
            return Some(Callee { name, span, signatures, declared: Declared::BuiltIn });
        }
        let of_stdlib = |line: &'static str| {
            line.strip_prefix(lower.trim_start_matches("stdlib::")).filter(|signature| signature.starts_with('('))
        };
        if self.index.directory("stdlib").is_none()
            && let Some(text) = STDLIB.lines().find_map(of_stdlib)
        {
            let signatures = Signature::read(text, self.environment).into_iter().collect();
            return Some(Callee { name, span, signatures, declared: Declared::BuiltIn });
        }
        if CATALOG_FUNCTIONS.contains(&name)
            || include_str!("../further_functions.txt").split_whitespace().any(|known| known == name)
            || self.index.is_of_common_module(&[Sort::Function], &lower)
        {
            return None;
        }
        if let Some(missing) = self.index.unseen(&lower).filter(|_| name.contains("::")) {
            match meant(self.near_module(name)) {
                None => self.unjudged(missing),
                near => self.error("UNKNOWN_FUNCTION", span, format!("unknown function {name}"), near),
            }
            return None;
        }
        if self.index.is_partial(&lower) {
            return None;
        }
        let mut known = self.index.function_names(&lower);
        known.extend(functions::TABLE.iter().copied().flatten().map(|row| row.name.to_owned()));
        known.extend(CATALOG_FUNCTIONS.map(str::to_owned));
        let in_module = || known.iter().find(|known| known.rsplit_once("::").is_some_and(|(_, last)| last == lower));
        let near = nearest(name, known.iter().map(|known| &**known)).or_else(|| in_module().map(|known| &**known));
        let is_own = |near: &&str| self.index.own.as_deref().is_some_and(|own| near.starts_with(own) && *near != own);
        let near = meant(near.filter(|near| is_own(near) || !self.index.lacks_modules()));
        if near.is_some() || name.contains("::") || self.index.is_complete() {
            let help = instead_of_function(name).or(near);
            self.error("UNKNOWN_FUNCTION", span, format!("unknown function {name}"), help);
        } else {
            self.unjudged(Unjudged::UnknownFunction(name.to_owned()));
        }
        None
    }

    /// The name in the module whose name is most like that of a missing one.
    fn near_module(&self, name: &str) -> Option<String> {
        let missing = module_of(name);
        // Names of modules are short, and many are alike.
        let is_certain = missing.len() >= 4 && !self.index.is_declared(&missing.to_lowercase());
        let near = nearest(missing, self.index.module_names()).filter(|_| is_certain)?;
        Some(format!("{near}{}", &name[missing.len()..]))
    }

    /// Arguments against signatures: reported is what no signature accepts. Returns what the call returns.
    fn arguments(&mut self, callee: &Callee, ids: &[Id], found: &[Inferred], lambda: Option<Id>) -> Inferred {
        self.checked.compared += 1;
        let unfolded = ids.iter().position(|id| self.is_unfold(*id));
        let certain = unfolded.unwrap_or(ids.len());
        let mut possible: Vec<&Signature> = callee.signatures.iter().collect();
        let fits_count = |signature: &&Signature| {
            signature.most.is_none_or(|most| certain <= most) && (unfolded.is_some() || certain >= signature.least)
        };
        if !possible.iter().any(fits_count) {
            let least = possible.iter().map(|signature| signature.least).min().unwrap_or(0);
            let most =
                possible.iter().map(|signature| signature.most).try_fold(0, |most, one| one.map(|one| most.max(one)));
            let expected = match most {
                Some(most) if most == least => counted(most, "argument"),
                Some(most) => format!("{least} to {}", counted(most, "argument")),
                None => format!("at least {}", counted(least, "argument")),
            };
            let message = format!("{} expects {expected}, got {certain}", callee.name);
            self.error("ARGUMENT_COUNT", callee.span, message, callee.help());
            return Inferred::any();
        }
        possible.retain(|one| fits_count(one));
        let has_block = lambda.is_some();
        let fits_block = |signature: &&Signature| match &signature.block {
            Some(block) => has_block || unfolded.is_some() || block.has_instance(&Value::Undef),
            None => !has_block,
        };
        if !possible.iter().any(fits_block) {
            let (message, help) = if possible.iter().any(|signature| signature.block.is_some()) {
                ("needs a block", Some(format!("write {}(…) |$x| {{ … }}", callee.name)))
            } else {
                ("does not accept a block", callee.help())
            };
            self.error("BLOCK_MISMATCH", callee.span, format!("{} {message}", callee.name), help);
            return Inferred::any();
        }
        possible.retain(|one| fits_block(one));
        if let Some(lambda) = lambda
            && !matches!(callee.declared, Declared::InPuppet(_))
            && !self.block_fits(callee, &mut possible, lambda)
        {
            return Inferred::any();
        }
        for (at, (id, inferred)) in ids.iter().zip(found).enumerate().take(certain) {
            let fits = |signature: &&Signature| {
                signature.parameter(at).is_none_or(|parameter| inferred.conflict(&parameter.type_).is_none())
            };
            let fitting: Vec<&Signature> = possible.iter().copied().filter(fits).collect();
            if fitting.is_empty() || matches!(inferred, Inferred::Branches(..)) {
                let expected = || possible.iter().filter_map(|signature| signature.parameter(at));
                let type_ = Type::one_of(expected().map(|parameter| parameter.type_.clone()));
                self.compare(*id, inferred, &type_, || {
                    let name = expected().next().map(|parameter| &*parameter.name).unwrap_or_default();
                    let is_same = expected().all(|parameter| *parameter.name == *name);
                    let label = if is_same { format!("${name}") } else { (at + 1).to_string() };
                    (format!("argument {label} of {}:", callee.name), callee.help())
                });
            }
            if fitting.is_empty() {
                return Inferred::any();
            }
            possible = fitting;
        }
        Inferred::Type(Type::one_of(possible.iter().map(|signature| signature.return_type.clone())))
    }

    /// Leaves only the signatures that call a block with as many values as the lambda takes. Reports it if there is none.
    fn block_fits(&mut self, callee: &Callee, possible: &mut Vec<&Signature>, lambda: Id) -> bool {
        let parameters = self.parameters_of(Some(lambda));
        let least = parameters.iter().filter(|one| one.default.is_none() && !one.captures_rest).count();
        let takes_rest = parameters.iter().any(|one| one.captures_rest);
        let fits = |count: &Option<usize>| {
            count.is_none_or(|count| least <= count && (takes_rest || count <= parameters.len()))
        };
        if possible.iter().any(|signature| fits(&values_of_block(signature))) {
            possible.retain(|signature| fits(&values_of_block(signature)));
            return true;
        }
        let mut counts: Vec<usize> = possible.iter().filter_map(|signature| values_of_block(signature)).collect();
        counts.sort_unstable();
        counts.dedup();
        let (last, before) = counts.split_last().map_or((0, &[][..]), |(last, before)| (*last, before));
        let before: Vec<String> = before.iter().map(|count| format!("{count} or ")).collect();
        let (name, expected, got) = (callee.name, counted(last, "parameter"), parameters.len());
        let message = format!("{name} needs a block with {}{expected}, this one has {got}", before.concat());
        self.error("BLOCK_MISMATCH", self.tree[lambda].span, message, callee.help());
        false
    }

    /// A merge strategy that `lookup` does not know.
    fn merge_strategy(&mut self, ids: &[Id], found: &[Inferred]) {
        let is_given = |one: &&(usize, Inferred)| !matches!(one.1.value(), Some(Value::Undef));
        let in_options = found.iter().take(2).enumerate().filter_map(|(at, one)| Some((at, one.entry("merge")?)));
        let by_place = found.get(2).map(|merge| (2, merge.clone()));
        let merge = by_place.into_iter().chain(in_options).find(|one| is_given(&one));
        let Some((id, merge)) = merge.and_then(|(at, merge)| Some((*ids.get(at)?, merge))) else { return };
        if matches!(merge.partial_value(), Some(Value::String(_) | Value::Hash(_))) {
            let type_ = constant_type(&merge_type("strategy", &format!("{STRATEGIES}, {UNDOCUMENTED}")));
            self.compare(id, &merge, &type_, || ("the merge strategy".to_owned(), None));
        }
    }

    /// Checks the arguments of functions that take names: of classes, resource types, templates or keys.
    fn named_arguments(&mut self, name: &str, ids: &[Id], found: &[Inferred], has_block: bool) {
        match name {
            "include" | "contain" | "require" => {
                for (id, inferred) in ids.iter().zip(found) {
                    let span = self.tree[*id].span;
                    self.with_data(*id, inferred, |this, names| {
                        for name in names.partial_value().into_iter().flat_map(texts) {
                            this.class_name(name, span);
                        }
                    });
                    for (class, span) in self.class_names(*id, inferred) {
                        let name = lower_name(&class.declaration.name);
                        if let Some(scope) = self.scopes.last_mut() {
                            scope.resources.insert(ecow::eco_format!("class['{name}']"));
                        }
                        self.unset_parameter(&class, span, None);
                    }
                }
            }
            "create_resources" | "ensure_resource" | "ensure_resources" => {
                if let Some(type_name) = found.first().and_then(Inferred::string) {
                    self.created(type_name, ids, found);
                }
            }
            "regsubst" | "match" | "split" => self.pattern_in_string(name, ids, found),
            "getvar" if let (Some(path), [id]) = (found.first().and_then(Inferred::string), ids) => {
                let name = path.split('.').next().filter(|name| name.contains("::"));
                if let Some(name) = name {
                    self.variable(name, self.tree[*id].span);
                }
            }
            "sprintf" if !ids.iter().any(|id| self.is_unfold(*id)) => self.format_in_string(ids, found),
            "epp" | "stdlib::deferrable_epp" => self.epp(ids, found),
            "inline_epp" => self.inline_epp(ids, found),
            "inline_template" => {
                let spans = ids.iter().map(|id| match self.tree[*id].expression {
                    Expression::Heredoc { text, .. } => self.tree[text].span,
                    _ => self.tree[*id].span,
                });
                for span in spans.collect::<Vec<_>>() {
                    let written = Source::new(name, self.tree.source.slice(span));
                    self.names_of_erb(&written, Some(span.range().start));
                }
            }
            "assert_type" if !has_block => {
                let type_ = found.first().and_then(Inferred::as_type);
                if let (Some(type_), Some(id), Some(value)) = (type_, ids.get(1), found.get(1)) {
                    self.compare(*id, value, type_, || ("the asserted value".to_owned(), None));
                }
            }
            "template" | "file" => {
                for (id, inferred) in ids.iter().zip(found) {
                    if name == "template" {
                        self.template_language(*id);
                    }
                    // `template` joins all of them; of several that `file` is given, the first that exists counts.
                    let folder = if name == "file" { "files" } else { "templates" };
                    let file = inferred.string().filter(|_| name == "template" || ids.len() == 1);
                    let path = file.and_then(|file| self.module_file(folder, *id, file));
                    if let Some(path) = path.filter(|_| name == "template") {
                        self.erb(&path);
                    }
                }
            }
            "lookup" | "hiera" | "hiera_array" | "hiera_hash" => {
                let Some((id, key)) = ids.first().zip(found.first().and_then(Inferred::string)) else { return };
                let type_ = found.get(1).and_then(Inferred::as_type).filter(|_| name == "lookup");
                if name == "lookup" {
                    self.merge_strategy(ids, found);
                }
                // `undef` that does not match fails where nothing is found, as a lookup without a default value does.
                let default = ids.get(3).zip(found.get(3)).filter(|(_, value)| value.value() != Some(&Value::Undef));
                if let (Some(type_), Some((default, value))) = (type_, default) {
                    self.compare(*default, value, type_, || ("the default value of the lookup".to_owned(), None));
                }
                let least = if name == "lookup" { 4 } else { 2 };
                let has_option = found.iter().skip(1).any(|argument| match argument.partial_value() {
                    Some(Value::Hash(options)) => {
                        options.get_str("default_value").or(options.get_str("default_values_hash")).is_some()
                    }
                    _ => argument.value().is_none(),
                });
                let has_default = ids.len() >= least || has_option || has_block;
                self.looked_up(*id, key, type_, found.get(2).and_then(Inferred::value), has_default);
            }
            _ => {}
        }
    }

    /// A key of data that is looked up: reported where only a similar one is in the data, and where the values of the key, as
    /// they are written, are not of the type.
    fn looked_up(&mut self, id: Id, key: &str, type_: Option<&Type>, merge: Option<&Value>, has_default: bool) {
        let (span, data) = (self.tree[id].span, self.data);
        if !has_default && let Some(error) = data.misspelt_key(key, self.index, &mut self.checked) {
            self.checked.warning(&self.tree.source, span, error);
        }
        let Some(type_) = type_ else { return };
        let values = self.values_of(key, merge);
        // Some nodes may have none, and not this code either.
        let is_undef = |value: &Inferred| value.value().is_some_and(Value::is_undef);
        let are_undef = values.iter().all(|(_, value)| is_undef(value));
        for (source, value) in values.iter().filter(|(_, value)| are_undef || !is_undef(value)) {
            self.checked.compared += 1;
            if let Some(Conflict::Parts(wrong)) = value.conflict(type_)
                && let Some(wrong) = wrong.first()
            {
                let message = format!("'{key}' {}", message(&wrong.mismatch));
                let help = format!("the value is in {}", source.name());
                return self.error(TYPE_MISMATCH, span, message, Some(help));
            }
        }
    }

    /// The classes that an expression names, and where.
    fn class_names(&mut self, id: Id, found: &Inferred) -> Vec<(Arc<Known>, Span)> {
        let span = self.tree[id].span;
        match found.partial_value() {
            Some(Value::String(name)) if found.value().is_some() => {
                self.class_name(name, span).map(|known| (known, span)).into_iter().collect()
            }
            Some(Value::Array(_)) if let Expression::Array(elements) = &self.tree[id].expression => {
                let is_plain =
                    |id: &&Id| matches!(self.tree[**id].expression, Expression::Literal(_) | Expression::Name(_));
                let names = elements.iter().filter(is_plain).flat_map(|element| {
                    let inferred = self.visit(*element);
                    self.class_names(*element, &inferred)
                });
                names.collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn class_name(&mut self, name: &str, span: Span) -> Option<Arc<Known>> {
        let name = lower_name(name);
        self.checked.compared += 1;
        if let Some(known) = self.index.resource(&name, self.environment) {
            if known.declaration.kind == Kind::Class {
                return Some(known);
            }
            let help = format!("{name} is declared in {}", known.place());
            self.error("UNKNOWN_CLASS", span, format!("{name} is a defined type, not a class"), Some(help));
            return None;
        }
        if self.index.is_of_common_module(&[Sort::Class], &name) {
            return None;
        }
        if let Some(missing) = self.index.unseen(&name) {
            let message = format!("unknown class {name}: there is no module {}", module_of(&name));
            match meant(self.near_module(&name).filter(|_| self.index.is_complete())) {
                None => self.unjudged(missing),
                near => self.error("UNKNOWN_CLASS", span, message, near),
            }
        } else if !self.index.is_partial(&name) {
            self.unknown_class(&name, span);
        }
        None
    }

    pub(super) fn unknown_class(&mut self, name: &str, span: Span) {
        let near = meant(self.index.near_resource(name, &[]));
        let place = self.index.directory(module_of(name)).map(|directory| {
            let file = name.split_once("::").map_or("init", |(_, rest)| rest).replace("::", "/");
            format!("it would be in {}", shown(&directory.join("manifests").join(format!("{file}.pp"))))
        });
        self.error("UNKNOWN_CLASS", span, format!("unknown class {name}"), near.or(place));
    }
}

fn values_of_block(signature: &Signature) -> Option<usize> {
    signature.block.as_ref()?.alternatives().iter().find_map(|type_| match type_ {
        Type::Callable(callable) => callable.parameters()?.only_size(),
        _ => None,
    })
}

fn signature_of(known: &Known) -> Signature {
    let types = known.types.iter().map(|type_| type_.clone().unwrap_or_else(Type::any));
    let parameters = known.definition().parameters.iter().zip(types);
    let parameters = parameters.map(|(written, type_)| SignatureParameter::new(written, type_)).collect();
    // A lambda may be given to any function.
    let block = "Optional[Callable]".parse().ok();
    Signature::new(parameters, block, known.return_type.clone())
}

impl Bodies<'_> {
    /// What `Integer(…)` and the like return. Constant arguments that the type rejects are reported.
    fn constructed(&mut self, called: &Inferred, ids: &[Id], arguments: &[Inferred]) -> Inferred {
        const CONSTRUCTED: &str =
            "Integer Float Numeric Boolean String Array Hash Tuple Struct Timespan Timestamp SemVer";
        let Some(type_) = called.as_type() else { return Inferred::any() };
        match type_.behind_aliases().name() {
            "Sensitive" => {
                let content = arguments.first().map_or_else(Type::any, |content| revealed(&content.type_()));
                return Inferred::Type(SensitiveType::new(&content).into());
            }
            name if !CONSTRUCTED.split(' ').any(|one| one == name) => return Inferred::any(),
            _ => {}
        }
        let values: Option<Vec<Value>> = arguments.iter().map(|argument| argument.value().cloned()).collect();
        if let (Some(id), Some(values)) = (ids.first(), values) {
            self.checked.compared += 1;
            if let Err(error) = type_.construct(&values) {
                let help = error.help().first().cloned();
                self.error(TYPE_MISMATCH, self.tree[*id].span, error.message().to_owned(), help);
            }
        }
        Inferred::Type(type_.clone())
    }

    /// A reference to a type: an unknown name is reported.
    pub(super) fn reference(&mut self, id: Id) -> Inferred {
        let tree = self.tree;
        let Expression::Reference(name) = &tree[id].expression else { return Inferred::any() };
        let name = plain_name(name);
        if let Some(type_) = Type::named(name) {
            return Inferred::Value(Value::Type(type_));
        }
        let lower = lower_name(name);
        let is_resource = self.index.resource(&lower, self.environment).is_some()
            || self.index.ruby().types.contains_key(&*lower)
            || attributes::of_core_type(&lower).is_some()
            || self.index.is_of_common_module(&[Sort::Define, Sort::ResourceType], &lower);
        if is_resource {
            return Inferred::any();
        }
        let Some(type_) = self.environment.written_type(tree, id) else {
            self.unknown_type(name, tree[id].span);
            return Inferred::any();
        };
        Inferred::of_type(type_)
    }

    pub(super) fn unknown_type(&mut self, name: &str, span: Span) {
        if name.contains("::") {
            self.unknown_in_module(&name.to_lowercase(), span, format!("{name} is neither a type nor an alias"));
        } else {
            let known = crate::types::visible().map(|row| row.name).chain(Type::core_resource_names().iter().copied());
            let most = 1 + name.len() / 8;
            let near = nearest(name, known).filter(|near| distance(near, name) <= most);
            match meant(near) {
                None => self.unjudged(Unjudged::UnknownType(name.to_owned())),
                near => self.error(UNKNOWN_TYPE, span, format!("{name} is neither a type nor an alias"), near),
            }
        }
    }

    /// An unknown type that values are compared with: a word without quotes, as Puppet 3 accepted it.
    pub(super) fn unquoted(&mut self, id: Id) {
        let Expression::Reference(name) = &self.tree[id].expression else { return };
        let unknown = Unjudged::UnknownType(plain_name(name).to_owned());
        if self.checked.unjudged.pop_if(|last| *last == unknown).is_some() {
            let (span, help) = (self.tree[id].span, Some(format!("quote it: '{name}'")));
            self.error(UNKNOWN_TYPE, span, format!("{name} without quotes is a type, and there is none"), help);
        }
    }

    /// Reports a type whose name has `::`, unless something that cannot be read may declare it.
    pub(super) fn unknown_in_module(&mut self, name: &str, span: Span, message: String) {
        if let Some(missing) = self.index.unseen(name) {
            self.unjudged(missing);
        } else if !self.index.is_partial(name) {
            let near = meant(self.index.near_resource(name, &[]));
            self.error(UNKNOWN_TYPE, span, message, near);
        }
    }

    pub(super) fn access(&mut self, id: Id, target: Id, keys: &[Id]) -> Inferred {
        let tree = self.tree;
        if let Expression::Reference(name) = &tree[target].expression {
            let is_evaluated = match self.reference(target).as_type() {
                // References to resources depend on the catalog.
                Some(Type::Resource(resource)) => resource.type_name().is_none(),
                type_ => type_.is_some(),
            };
            let found = self.visit_all(keys);
            if plain_name(name).eq_ignore_ascii_case("class") {
                for (key, inferred) in keys.iter().zip(&found) {
                    self.class_names(*key, inferred);
                }
                return Inferred::named("Type");
            }
            let is_known = is_evaluated && found.iter().all(|key| key.value().is_some());
            let type_ = if is_known { self.environment.written_type(tree, id) } else { None };
            return type_.map_or_else(Inferred::any, Inferred::of_type);
        }
        let subject = self.visit(target);
        let found = self.visit_all(keys);
        let subject_type = subject.type_();
        let mut without_parts = "Undef Boolean Numeric Sensitive Regexp Timespan Timestamp".split(' ');
        if without_parts.any(|name| Type::built_in(name).accepts(&subject_type)) {
            let message = format!("`[]` cannot use a value of type {}", for_message(&subject_type));
            self.error("OPERATOR_NOT_APPLICABLE", tree[target].span, message, None);
        }
        let ([key], [written]) = (&found[..], keys) else { return Inferred::any() };
        let name = key.string().unwrap_or_default();
        // `require => package['nginx']`
        if key.string().is_some_and(|key| key.parse::<f64>().is_err())
            && Type::built_in("String").accepts(&subject_type)
        {
            let help = subject.string().and_then(Type::named).map(|type_| format!("did you mean {type_}[…]?"));
            let message = format!("expected an Integer as the position in a String, got '{name}'");
            self.error("BAD_STRING_SLICE_KEY_TYPE", tree[*written].span, message, help);
        }
        if let Some(entry) = subject.entry(name) {
            return entry;
        }
        let members = |type_: &Type| match &*type_.behind_aliases() {
            Type::Struct(known) => Some(known.members().to_vec()),
            _ => None,
        };
        let members: Option<Vec<_>> = subject_type.alternatives().iter().map(members).collect();
        let members = members.map(|members| members.concat()).filter(|_| key.string().is_some());
        if let Some(members) = members.filter(|members| !members.iter().any(|one| one.name() == name)) {
            let names: Vec<&str> = members.iter().map(Member::name).collect();
            let near = meant(nearest(name, names.iter().copied()).map(|near| format!("'{near}'")));
            let help = near.unwrap_or_else(|| format!("its keys are {}", names.join(", ")));
            let message = format!("a value of type {} has no key '{name}'", for_message(&subject_type));
            self.warning("UNKNOWN_KEY", tree[*written].span, message, Some(help));
            return Inferred::any();
        }
        part_of(&subject_type, key.value()).map_or_else(Inferred::any, Inferred::Type)
    }
}
