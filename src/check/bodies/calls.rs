//! Checks calls: unknown functions, arguments against signatures, and arguments that name classes, templates or keys.

use std::{borrow::Cow, sync::Arc};

use super::results::{IteratedTypes, call_result_type, is_any, unwrap_sensitive_type, without_undef};
use super::{BodyChecker, known::Inferred, variables::may_fail_on_arguments};
use crate::check::interface::{ItemKind, STDLIB_DECLARATIONS};
use crate::check::program::{callee_name, module_of_name, normalize_name, strip_leading_colons};
use crate::check::{
    TYPE_MISMATCH, UncheckedReason, attributes, hiera_data::merge_option_type_source, index::IndexEntry,
    mismatch_message, parse_constant_type,
};
use crate::data::hiera::{STRATEGY_NAMES, strings_in_value};
use crate::error::Error;
use crate::eval::{
    Signature, SignatureParameter, UNKNOWN_TYPE, UNSUPPORTED_FUNCTIONS, describe_count_range, display_path,
    instead_of_function, parsed_signatures,
};
use crate::functions;
use crate::syntax::STATEMENT_FUNCTIONS;
use crate::syntax::tree::{DefinitionKind, Expression, Id, Node, Parameter};
use crate::text::{Source, Span};
use crate::types::{CallableType, SensitiveType, Size, Type};
use crate::value::Value;
use crate::wording::{did_you_mean, edit_distance, nearest, pluralize};

/// Merge strategies that are not documented. Observed: Puppet 7.23 accepts them.
const UNDOCUMENTED_MERGE_STRATEGIES: &str = "unconstrained_deep, reverse_deep, 'default'";

pub(super) struct Callee<'n> {
    name: &'n str,
    name_span: Span,
    signatures: Cow<'static, [Signature]>,
    /// The file of the declaration, and the line in a Puppet file; `None` for a built-in function.
    declared_in: Option<String>,
}

impl Callee<'_> {
    fn declaration_help(&self) -> Option<String> {
        self.declared_in.as_ref().map(|place| format!("{} is declared in {place}", self.name))
    }
}

impl<'a> BodyChecker<'a> {
    /// Checks a call with the arguments `ids`, of which the first is the receiver of a method call.
    pub(super) fn visit_call(&mut self, functor: Id, ids: &[Id], lambda: Option<Id>) -> Inferred {
        let found = self.visit_all(ids);
        let name = match &self.tree[functor].expression {
            Expression::Name(name) | Expression::Reserved(name) => strip_leading_colons(name),
            callee => {
                let called = self.visit(functor);
                self.visit_lambda_of_call(lambda, &[]);
                let is_type = matches!(callee, Expression::Reference(_));
                return if is_type { self.check_type_call(&called, ids, &found) } else { Inferred::unknown() };
            }
        };
        let span = self.tree[functor].span;
        let parts = found.first().and_then(IteratedTypes::from_inferred);
        let given: Vec<Type> = match (name, &parts) {
            // The block of `then` is not called for undef.
            ("then", _) => found.iter().take(1).map(|first| without_undef(&first.known_type()).generalized()).collect(),
            ("with", _) => found.iter().map(|argument| argument.known_type().generalized()).collect(),
            (_, Some(parts)) => parts.lambda_argument_types(name, self.lambda_parameters(lambda).len()),
            (_, None) => Vec::new(),
        };
        if let (Some(lambda), "each") = (lambda, name)
            && self.is_pure_lambda(lambda)
        {
            let message = "`each` discards what its block returns, and the block does nothing else";
            self.add_warning("IDEM_EXPRESSION_NOT_LAST", span, message).help("did you mean map?");
        }
        if let (Some(lambda), "each" | "map" | "filter" | "any" | "all") = (lambda, name) {
            self.report_swapped_parameters(lambda);
        }
        if let (Some(lambda), "reduce", [_]) = (lambda, name, ids) {
            self.report_unread_first_element(lambda);
        }
        if let (Some(lambda), "reduce") = (lambda, name) {
            self.report_missing_else(lambda);
        }
        self.check_iterated_data(name, ids.first(), lambda);
        let result = self.visit_lambda_of_call(lambda, &given);
        if let (Some(lambda), Some(result), "filter" | "any" | "all") = (lambda, &result, name) {
            self.report_undeciding_block(lambda, result, &given);
        }
        let result = result.map(|type_| type_.generalized());
        if let (Some(lambda), Some(_), "each" | "map" | "slice" | "reverse_each") = (lambda, &result, name) {
            self.report_repeated_in_lambda(lambda, found.first());
        }
        if name == "new"
            && let Some((called, arguments)) = found.split_first()
        {
            return self.check_type_call(called, ids.get(1..).unwrap_or_default(), arguments);
        }
        if is_pure_function(name) {
            for id in ids {
                self.report_missing_dollar(*id);
            }
        }
        self.check_arguments_by_function(name, ids, &found, lambda.is_some());
        for id in ids.iter().filter(|_| may_fail_on_arguments(name)) {
            if let (Expression::Variable(name), Some(scope)) = (&self.tree[*id].expression, self.scopes.last_mut()) {
                scope.variables.get_mut(name).into_iter().for_each(|(_, known)| known.forget_branches());
            }
        }
        let Some(callee) = self.resolve_function(name, span) else {
            let is_text = matches!(name, "file" | "inline_template" | "template");
            return if is_text { Inferred::from_type_name("String") } else { Inferred::unknown() };
        };
        let returned = self.check_arguments(&callee, ids, &found, lambda);
        if callee.declared_in.is_some() {
            return returned;
        }
        let of_arguments = call_result_type(name, &found, lambda.is_some(), result.as_ref());
        let start = found.get(1).map(|start| start.known_type().generalized());
        let collected = || parts.and_then(|parts| parts.iteration_result_type(name, start, result));
        of_arguments.or_else(collected).filter(|type_| !is_any(type_)).map_or(returned, Inferred::Type)
    }

    pub(super) fn lambda_parameters(&self, lambda: Option<Id>) -> &'a [Parameter] {
        lambda.map_or(&[], |id| self.tree[id].expression.parameters())
    }

    /// Whether a lambda only computes a value: it declares nothing, and calls functions that only return something.
    fn is_pure_lambda(&self, lambda: Id) -> bool {
        let Expression::Lambda { body, .. } = &self.tree[lambda].expression else { return false };
        let has_effect = |node: &Node| match &node.expression {
            Expression::Call { .. } => !callee_name(self.tree, node).is_some_and(is_pure_function),
            Expression::Assignment(..)
            | Expression::Resource { .. }
            | Expression::Collector { .. }
            | Expression::Render(_)
            | Expression::RenderString(_)
            | Expression::Nop => true,
            Expression::Binary(operator, ..) => operator.is_relationship(),
            _ => false,
        };
        !self.tree.nodes_within(*body).any(has_effect)
    }

    /// Visits a lambda with arguments of types `given`. Returns its result type; `None` if e.g. `next` may end it.
    fn visit_lambda_of_call(&mut self, lambda: Option<Id>, given: &[Type]) -> Option<Type> {
        let Expression::Lambda { parameters, body, .. } = &self.tree[lambda?].expression else { return None };
        let before = self.match_variable_count;
        let returned = self.visit_lambda_body(parameters, *body, given);
        self.match_variable_count = before;
        let leaves = |node| matches!(callee_name(self.tree, node), Some("next" | "break" | "return"));
        (!self.tree.nodes_within(*body).any(leaves)).then(|| returned.known_type().into_owned())
    }

    pub(super) fn resolve_function<'n>(&mut self, name: &'n str, span: Span) -> Option<Callee<'n>> {
        let lower = normalize_name(name);
        let callee = |signatures, declared_in| Some(Callee { name, name_span: span, signatures, declared_in });
        if let Some(known) = self.index.puppet_function(&lower, self.environment) {
            let types = known.types.iter().map(|type_| type_.clone().unwrap_or_else(Type::any));
            let parameters = known.definition_node().parameters.iter().zip(types);
            let parameters =
                parameters.map(|(one, type_)| SignatureParameter::from_tree_parameter(one, type_)).collect();
            // A lambda may be given to any function.
            let signature = Signature::new(parameters, "Optional[Callable]".parse().ok(), known.return_type.clone());
            return callee(vec![signature].into(), Some(known.file_and_line()));
        }
        let ruby = self.index.ruby_declarations();
        if let Some(function) = ruby.functions.get(&*lower) {
            let signatures =
                function.signatures()?.iter().map(|text| Signature::parse_signature(text, self.environment).ok());
            return callee(signatures.collect::<Option<Vec<_>>>()?.into(), Some(display_path(&function.file)));
        }
        if let Some(row) = functions::named(name) {
            return callee(parsed_signatures(row.signatures).into(), None);
        }
        let of_stdlib = |line: &'static str| {
            line.strip_prefix(lower.trim_start_matches("stdlib::")).filter(|signature| signature.starts_with('('))
        };
        if self.index.module_directory("stdlib").is_none()
            && let Some(text) = STDLIB_DECLARATIONS.lines().find_map(of_stdlib)
        {
            return callee(Signature::parse_signature(text, self.environment).into_iter().collect(), None);
        }
        if UNSUPPORTED_FUNCTIONS.contains(&name)
            || include_str!("../further_functions.txt").split_whitespace().any(|known| known == name)
            || self.index.is_in_common_module(&[ItemKind::Function], &lower)
        {
            return None;
        }
        if let Some(missing) = self.index.unknown_name_reason(&lower).filter(|_| name.contains("::")) {
            let error = Error::new("UNKNOWN_FUNCTION", format!("unknown function {name}"));
            self.report_missing_module(span, error, self.correct_module_in_name(name), missing);
            return None;
        }
        if self.index.has_unparsable_files(&lower) {
            return None;
        }
        let mut known = self.index.known_function_names(&lower);
        known.extend(functions::TABLE.iter().copied().flatten().map(|row| row.name.to_owned()));
        known.extend(UNSUPPORTED_FUNCTIONS.map(str::to_owned));
        let in_module = || known.iter().find(|known| known.rsplit_once("::").is_some_and(|(_, last)| last == lower));
        let near = nearest(name, known.iter().map(|known| &**known)).or_else(|| in_module().map(|known| &**known));
        let is_own = |near: &&str| self.index.own.as_deref().is_some_and(|own| near.starts_with(own) && *near != own);
        let near = did_you_mean(near.filter(|near| is_own(near) || !self.index.lacks_required_modules()));
        if near.is_some() || name.contains("::") || self.index.has_all_dependencies() {
            self.add_error("UNKNOWN_FUNCTION", span, format!("unknown function {name}"))
                .help_if(instead_of_function(name).or(near));
        } else {
            self.result.unjudged.push(UncheckedReason::UnknownFunction(name.to_owned()));
        }
        None
    }

    fn correct_module_in_name(&self, name: &str) -> Option<String> {
        let missing = module_of_name(name);
        // Names of modules are short, and many are alike.
        let is_certain = missing.len() >= 4 && !self.index.is_required_module(&missing.to_lowercase());
        let near = nearest(missing, self.index.installed_module_names()).filter(|_| is_certain)?;
        Some(format!("{near}{}", &name[missing.len()..]))
    }

    fn check_arguments(&mut self, callee: &Callee, ids: &[Id], found: &[Inferred], lambda: Option<Id>) -> Inferred {
        self.result.compared += 1;
        let unfolded = ids.iter().position(|id| self.is_unfold_expression(*id));
        let certain = unfolded.unwrap_or(ids.len());
        let mut possible: Vec<&Signature> = callee.signatures.iter().collect();
        let fits_count = |signature: &&Signature| {
            let least = Size::exactly(0).merged_size(signature.argument_counts);
            if unfolded.is_some() { least.contains(certain) } else { signature.argument_counts.contains(certain) }
        };
        if !possible.iter().any(fits_count) {
            let counts = possible.iter().map(|signature| signature.argument_counts).reduce(Size::merged_size);
            let expected = describe_count_range(counts.unwrap_or(Size::exactly(0)), "argument");
            let message = format!("{} expects {expected}, got {certain}", callee.name);
            self.add_error("ARGUMENT_COUNT", callee.name_span, message).help_if(callee.declaration_help());
            return Inferred::unknown();
        }
        possible.retain(|one| fits_count(one));
        let has_block = lambda.is_some();
        let fits_block = |signature: &&Signature| match &signature.block_type {
            Some(block) => has_block || unfolded.is_some() || block.has_instance(&Value::Undef),
            None => !has_block,
        };
        if !possible.iter().any(fits_block) {
            let (message, help) = if possible.iter().any(|signature| signature.block_type.is_some()) {
                ("needs a block", Some(format!("write {}(…) |$x| {{ … }}", callee.name)))
            } else {
                ("does not accept a block", callee.declaration_help())
            };
            self.add_error("BLOCK_MISMATCH", callee.name_span, format!("{} {message}", callee.name)).help_if(help);
            return Inferred::unknown();
        }
        possible.retain(|one| fits_block(one));
        if lambda.is_some_and(|lambda| !self.check_block_parameters(callee, &mut possible, lambda)) {
            return Inferred::unknown();
        }
        for (at, (id, inferred)) in ids.iter().zip(found).enumerate().take(certain) {
            let takes = |parameter: &SignatureParameter| inferred.conflict_with_type(&parameter.type_).is_none();
            let fits = |signature: &&Signature| signature.parameter_of_argument(at).is_none_or(takes);
            let fitting: Vec<&Signature> = possible.iter().copied().filter(fits).collect();
            let check = |this: &mut Self, inferred: &Inferred| {
                let expected = || possible.iter().filter_map(|signature| signature.parameter_of_argument(at));
                let type_ = Type::one_of(expected().map(|parameter| parameter.type_.clone()));
                this.check_type(*id, inferred, &type_, || {
                    let name = expected().next().map(|parameter| &*parameter.name).unwrap_or_default();
                    let is_same = expected().all(|parameter| *parameter.name == *name);
                    let label = if is_same { format!("${name}") } else { (at + 1).to_string() };
                    (format!("argument {label} of {}:", callee.name), callee.declaration_help())
                });
            };
            if fitting.is_empty() || matches!(inferred, Inferred::Branches(..)) {
                check(self, inferred);
            }
            self.check_data_values(*id, inferred, check);
            if fitting.is_empty() {
                return Inferred::unknown();
            }
            possible = fitting;
        }
        Inferred::Type(Type::one_of(possible.iter().map(|signature| signature.return_type.clone())))
    }

    /// Keeps the signatures whose block may have the parameters of `lambda`. Returns `false` after reporting an error.
    fn check_block_parameters(&mut self, callee: &Callee, possible: &mut Vec<&Signature>, lambda: Id) -> bool {
        let parameters = self.lambda_parameters(Some(lambda));
        let least = parameters.iter().filter(|one| one.default.is_none() && !one.captures_rest).count();
        let most = if parameters.iter().any(|one| one.captures_rest) { usize::MAX } else { parameters.len() };
        let fits = |count: &Option<usize>| count.is_none_or(|count| (least..=most).contains(&count));
        if possible.iter().any(|signature| fits(&block_argument_count(signature))) {
            possible.retain(|signature| fits(&block_argument_count(signature)));
            return true;
        }
        let mut counts: Vec<usize> = possible.iter().filter_map(|signature| block_argument_count(signature)).collect();
        counts.sort_unstable();
        counts.dedup();
        let (last, before) = counts.split_last().map_or((0, &[][..]), |(last, before)| (*last, before));
        let before: Vec<String> = before.iter().map(|count| format!("{count} or ")).collect();
        let (name, expected, got) = (callee.name, pluralize(last, "parameter"), parameters.len());
        let message = format!("{name} needs a block with {}{expected}, this one has {got}", before.concat());
        self.add_error("BLOCK_MISMATCH", self.tree[lambda].span, message).help_if(callee.declaration_help());
        false
    }

    fn check_merge_strategy(&mut self, id: Id, merge: &Inferred) {
        if matches!(merge.partial_value(), Some(Value::String(_) | Value::Hash(_))) {
            let names = format!("{STRATEGY_NAMES}, {UNDOCUMENTED_MERGE_STRATEGIES}");
            let type_ = parse_constant_type(&merge_option_type_source("strategy", &names));
            self.check_type(id, merge, &type_, || ("the merge strategy".to_owned(), None));
        }
    }

    /// Checks arguments that name a class, resource type, template or Hiera key, or that are a regular expression.
    fn check_arguments_by_function(&mut self, name: &str, ids: &[Id], found: &[Inferred], has_block: bool) {
        match name {
            "include" | "contain" | "require" => {
                for (id, inferred) in ids.iter().zip(found) {
                    let span = self.tree[*id].span;
                    self.check_data_values(*id, inferred, |this, names| {
                        for name in names.partial_value().into_iter().flat_map(strings_in_value) {
                            this.resolve_class(name, span);
                        }
                    });
                    for (class, span) in self.resolve_classes(*id, inferred) {
                        let name = normalize_name(&class.declaration.name);
                        if let Some(scope) = self.scopes.last_mut() {
                            scope.declared_resources.insert(ecow::eco_format!("class['{name}']"));
                        }
                        self.report_unset_class_parameter(&class, span, None);
                    }
                }
            }
            "create_resources" | "ensure_resource" | "ensure_resources" => {
                if let Some(type_name) = found.first().and_then(Inferred::known_string) {
                    self.check_created_resources(type_name, ids, found);
                }
            }
            "regsubst" | "match" | "split" | "scanf" => self.check_pattern_argument(name, ids, found),
            "getvar" if let (Some(path), [id]) = (found.first().and_then(Inferred::known_string), ids) => {
                let name = path.split('.').next().filter(|name| name.contains("::"));
                if let Some(name) = name {
                    self.visit_variable(name, self.tree[*id].span);
                }
            }
            "sprintf" if !ids.iter().any(|id| self.is_unfold_expression(*id)) => self.check_format_argument(ids, found),
            "epp" | "stdlib::deferrable_epp" | "inline_epp" => self.check_epp_call(name == "inline_epp", ids, found),
            "inline_template" => {
                for id in ids {
                    let text = if let Expression::Heredoc(_, text) = self.tree[*id].expression { text } else { *id };
                    let span = self.tree[text].span;
                    self.check_names_in_erb(&Source::new(name, self.tree.source.slice(span)), Some(span.range().start));
                }
            }
            "assert_type" if !has_block => {
                let type_ = found.first().and_then(Inferred::as_type_value);
                if let (Some(type_), Some(id), Some(value)) = (type_, ids.get(1), found.get(1)) {
                    self.check_type(*id, value, type_, || ("the asserted value".to_owned(), None));
                }
            }
            "template" => {
                for (id, inferred) in ids.iter().zip(found) {
                    self.report_epp_as_erb(*id);
                    if let Some(file) = inferred.known_string()
                        && let Some(path) = self.find_module_file("templates", *id, file)
                    {
                        self.check_erb_file(&path);
                    }
                }
            }
            // Of several files, the first that exists counts.
            "file" if let ([id], Some(file)) = (ids, found.first().and_then(Inferred::known_string)) => {
                self.find_module_file("files", *id, file);
            }
            "lookup" | "hiera" | "hiera_array" | "hiera_hash" => {
                let in_options =
                    ids.iter().zip(found).take(2).filter_map(|(id, one)| Some((*id, one.hash_entry("merge")?)));
                let by_place = ids.get(2).copied().zip(found.get(2).cloned()).into_iter();
                let merge = by_place.chain(in_options).find(|(_, one)| !one.is_undef());
                if let Some((id, merge)) = merge.as_ref().filter(|_| name == "lookup") {
                    self.check_merge_strategy(*id, merge);
                }
                let named = found.first().and_then(|options| options.hash_entry("name"));
                let key = named.as_ref().or(found.first()).and_then(Inferred::known_string);
                let Some((id, key)) = ids.first().zip(key) else { return };
                let option = |name: &str| found.last()?.hash_entry(name);
                let type_ = found.get(1).cloned().filter(|_| name == "lookup");
                let type_ = type_.filter(|one| one.as_type_value().is_some()).or_else(|| option("value_type"));
                let type_ = type_.as_ref().and_then(Inferred::as_type_value);
                // `undef` that does not match fails where nothing is found, as a lookup without a default value does.
                let default = found.get(3).cloned().or_else(|| option("default_value"));
                let default = default.filter(|value| !value.is_undef());
                if let (Some(type_), Some(value), Some(id)) = (type_, default, ids.last()) {
                    self.check_type(*id, &value, type_, || ("the default value of the lookup".to_owned(), None));
                }
                let least = if name == "lookup" { 4 } else { 2 };
                let has_option =
                    found.iter().skip(usize::from(named.is_none())).any(|argument| match argument.partial_value() {
                        Some(Value::Hash(options)) => {
                            options.get_str("default_value").or(options.get_str("default_values_hash")).is_some()
                        }
                        _ => argument.value().is_none(),
                    });
                let has_default = ids.len() >= least || has_option || has_block;
                self.check_lookup(*id, key, type_, merge.as_ref().and_then(|(_, merge)| merge.value()), has_default);
            }
            _ => {}
        }
    }

    /// Checks a lookup of a Hiera key: reports an unknown key without a default, and data that does not match `type_`.
    fn check_lookup(&mut self, id: Id, key: &str, type_: Option<&Type>, merge: Option<&Value>, has_default: bool) {
        let (span, data) = (self.tree[id].span, self.data);
        if !has_default && let Some(error) = data.unset_key_error(key, self.index, &mut self.result) {
            self.result.add_warning(&self.tree.source, span, error);
        }
        let Some(type_) = type_ else { return };
        let values = self.data_values_of_key(key, merge);
        // Some nodes may have none, and not this code either.
        let are_undef = values.iter().all(|(_, value)| value.is_undef());
        for (source, value) in values.iter().filter(|(_, value)| are_undef || !value.is_undef()) {
            self.result.compared += 1;
            if let Some(wrong) = value.conflict_with_type(type_).as_ref().and_then(|parts| parts.first()) {
                let message = format!("'{key}' {}", mismatch_message(&wrong.mismatch));
                return self.add_error(TYPE_MISMATCH, span, message).help(format!("the value is in {}", source.name()));
            }
        }
    }

    pub(super) fn resolve_classes(&mut self, id: Id, found: &Inferred) -> Vec<(Arc<IndexEntry>, Span)> {
        let span = self.tree[id].span;
        match found.partial_value() {
            Some(Value::String(name)) if found.value().is_some() => {
                self.resolve_class(name, span).map(|known| (known, span)).into_iter().collect()
            }
            Some(Value::Array(_)) if let Expression::Array(elements) = &self.tree[id].expression => {
                let is_plain =
                    |id: &&Id| matches!(self.tree[**id].expression, Expression::Literal(_) | Expression::Name(_));
                let names = elements.iter().filter(is_plain).flat_map(|element| {
                    let inferred = self.visit(*element);
                    self.resolve_classes(*element, &inferred)
                });
                names.collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn resolve_class(&mut self, name: &str, span: Span) -> Option<Arc<IndexEntry>> {
        let name = normalize_name(name);
        self.result.compared += 1;
        if let Some(known) = self.index.resource_type(&name, self.environment) {
            if known.declaration.kind == DefinitionKind::Class {
                return Some(known);
            }
            self.add_error("UNKNOWN_CLASS", span, format!("{name} is a defined type, not a class"))
                .help(format!("{name} is declared in {}", known.file_and_line()));
            return None;
        }
        if self.index.is_in_common_module(&[ItemKind::Class], &name) {
            return None;
        }
        if let Some(missing) = self.index.unknown_name_reason(&name) {
            let message = format!("unknown class {name}: there is no module {}", module_of_name(&name));
            let near = self.correct_module_in_name(&name).filter(|_| self.index.has_all_dependencies());
            self.report_missing_module(span, Error::new("UNKNOWN_CLASS", message), near, missing);
        } else if !self.index.has_unparsable_files(&name) {
            self.report_unknown_class(&name, span);
        }
        None
    }

    pub(super) fn report_unknown_class(&mut self, name: &str, span: Span) {
        let near = did_you_mean(self.index.suggest_class_name(name, &[]));
        let place = self.index.module_directory(module_of_name(name)).map(|directory| {
            let file = name.split_once("::").map_or("init", |(_, rest)| rest).replace("::", "/");
            format!("it would be in {}", display_path(&directory.join("manifests").join(format!("{file}.pp"))))
        });
        self.add_error("UNKNOWN_CLASS", span, format!("unknown class {name}")).help_if(near.or(place));
    }
}

fn block_argument_count(signature: &Signature) -> Option<usize> {
    let alternatives = signature.block_type.as_ref()?.alternatives();
    alternatives.iter().find_map(|type_| CallableType::of_type(type_)?.parameters()?.exact_size())
}

impl BodyChecker<'_> {
    /// Infers the result of calling a type, such as `Integer('1')`. Reports constant arguments that the type rejects.
    fn check_type_call(&mut self, called: &Inferred, ids: &[Id], arguments: &[Inferred]) -> Inferred {
        const CHECKED_CONSTRUCTORS: &str =
            "Integer Float Numeric Boolean String Array Hash Tuple Struct Timespan Timestamp SemVer";
        let Some(type_) = called.as_type_value() else { return Inferred::unknown() };
        match type_.behind_aliases().name() {
            "Sensitive" => {
                let content =
                    arguments.first().map_or_else(Type::any, |first| unwrap_sensitive_type(&first.known_type()));
                return Inferred::Type(SensitiveType::new(&content).into());
            }
            name if !CHECKED_CONSTRUCTORS.split(' ').any(|one| one == name) => return Inferred::unknown(),
            _ => {}
        }
        let values: Option<Vec<Value>> = arguments.iter().map(|argument| argument.value().cloned()).collect();
        if let (Some(id), Some(values)) = (ids.first(), values) {
            self.result.compared += 1;
            if let Err(error) = type_.construct(&values) {
                let finding = self.add_error(TYPE_MISMATCH, self.tree[*id].span, error.message());
                finding.help_if(error.help().first().cloned());
            }
        }
        Inferred::Type(type_.clone())
    }

    pub(super) fn visit_type_reference(&mut self, id: Id) -> Inferred {
        let tree = self.tree;
        let Expression::Reference(name) = &tree[id].expression else { return Inferred::unknown() };
        let name = strip_leading_colons(name);
        if let Some(type_) = Type::named(name) {
            return Inferred::Value(Value::Type(type_));
        }
        let lower = normalize_name(name);
        let is_resource = self.index.resource_type(&lower, self.environment).is_some()
            || self.index.ruby_declarations().types.contains_key(&*lower)
            || attributes::core_attribute_table().contains_key(&*lower)
            || self.index.is_in_common_module(&[ItemKind::Define, ItemKind::ResourceType], &lower);
        if is_resource {
            return Inferred::unknown();
        }
        let Some(type_) = self.environment.static_type(tree, id) else {
            self.report_unknown_type(name, tree[id].span);
            return Inferred::unknown();
        };
        Inferred::Value(type_.into())
    }

    pub(super) fn report_unknown_type(&mut self, name: &str, span: Span) {
        let message = format!("{name} is neither a type nor an alias");
        if name.contains("::") {
            self.report_unknown_module_type(&name.to_lowercase(), span, message);
        } else {
            let known = crate::types::nameable_type_rows().map(|row| row.name);
            let known = known.chain(Type::core_resource_names().iter().copied());
            let most = 1 + name.len() / 8;
            let near = nearest(name, known).filter(|near| edit_distance(near, name) <= most);
            match did_you_mean(near) {
                None => self.result.unjudged.push(UncheckedReason::UnknownType(name.to_owned())),
                near => self.add_error(UNKNOWN_TYPE, span, message).help_if(near),
            }
        }
    }

    /// Reports a word that is used as a string, but is the name of a variable. Returns whether it is one.
    pub(super) fn report_missing_dollar(&mut self, id: Id) -> bool {
        let Expression::Name(word) = &self.tree[id].expression else { return false };
        let is_variable = self.find_variable(word).is_some();
        if is_variable {
            let message = format!("{word} is a string here, not the variable");
            self.add_warning("MISSING_DOLLAR", self.tree[id].span, message).help(format!("write ${word}"));
        }
        is_variable
    }

    /// Reports an operand or option that names an unknown type: probably a string without quotes, as in Puppet 3.
    pub(super) fn report_unquoted_string(&mut self, id: Id) {
        let Expression::Reference(name) = &self.tree[id].expression else { return };
        let unknown = UncheckedReason::UnknownType(strip_leading_colons(name).to_owned());
        if self.result.unjudged.pop_if(|last| *last == unknown).is_some() {
            let message = format!("{name} without quotes is a type, and there is none");
            self.add_error(UNKNOWN_TYPE, self.tree[id].span, message).help(format!("quote it: '{name}'"));
        }
    }

    /// Reports a name of a module that is not there: if it misspells `near`, and if the module is not in the Puppetfile.
    /// Otherwise notes why it is not checked.
    fn report_missing_module(&mut self, span: Span, error: Error, near: Option<String>, missing: UncheckedReason) {
        let source = &self.tree.source;
        match &missing {
            _ if near.is_some() => self.result.add_error(source, span, error).help_if(did_you_mean(near)),
            UncheckedReason::MissingModule(module) if self.index.is_outside_puppetfile(module) => {
                let help = format!("add the module {module} to the Puppetfile, which does not list it");
                self.result.add_warning(source, span, error).help(help);
            }
            _ => self.result.unjudged.push(missing),
        }
    }

    /// Reports the unknown type `name`, which has `::`, unless a missing module or an invalid file may declare it.
    pub(super) fn report_unknown_module_type(&mut self, name: &str, span: Span, message: String) {
        if let Some(missing) = self.index.unknown_name_reason(name) {
            self.report_missing_module(span, Error::new(UNKNOWN_TYPE, message), None, missing);
        } else if !self.index.has_unparsable_files(name) {
            let near = did_you_mean(self.index.suggest_class_name(name, &[]));
            self.add_error(UNKNOWN_TYPE, span, message).help_if(near);
        }
    }
}

/// Whether a built-in function only returns something.
fn is_pure_function(name: &str) -> bool {
    const IMPURE_FUNCTIONS: [&str; 5] = ["return", "assert_type", "generate", "lookup", "new"];
    functions::named(name).is_some() && !STATEMENT_FUNCTIONS.contains(&name) && !IMPURE_FUNCTIONS.contains(&name)
}
