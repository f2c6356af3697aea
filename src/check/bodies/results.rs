//! Infers results of calls: types of a block's arguments, their values in Hiera data, types that depend on arguments.

use std::sync::Arc;

use super::conditions::{NEVER_MATCHES, is_always_true, may_be};
use super::{BodyChecker, known::Inferred, variables::ScopeKind};
use crate::check::program::{callee_name, constant_value, normalize_name, strip_leading_colons};
use crate::check::{TYPE_MISMATCH, parse_constant_type};
use crate::data::hiera::Strategy;
use crate::explain::meet::may_overlap;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Node, Tree, UnaryOperator};
use crate::text::Source;
use crate::types::{ArrayType, HashType, IntegerType, Lattice, TupleType, Type};
use crate::value::Value;

/// Values in Hiera data with their sources.
type DataValues<'a> = Vec<(&'a Arc<Source>, Inferred)>;

impl<'a> BodyChecker<'a> {
    /// Checks the elements of Hiera data that a function such as `each` passes to its lambda against the types of the
    /// lambda's parameters, and stores them as the values of these parameters.
    pub(super) fn check_iterated_data(&mut self, name: &str, id: Option<&Id>, lambda: Option<Id>) {
        let parameters = self.lambda_parameters(lambda);
        self.turns.retain(|name, _| parameters.iter().all(|parameter| parameter.name != *name));
        let Some(id) = id.filter(|_| matches!(name, "each" | "map" | "filter" | "any" | "all")) else { return };
        for (source, found) in self.data_values_of_expression(*id) {
            let turns: Vec<[Value; 2]> = match found.partial_value() {
                Some(Value::Hash(entries)) if parameters.len() == 2 => {
                    entries.iter().map(|(key, value)| [key.clone(), value.clone()]).collect()
                }
                Some(Value::Array(elements)) => {
                    (0..).map(Value::Integer).zip(elements.iter().cloned()).map(Into::into).collect()
                }
                _ => Vec::new(),
            };
            // A lambda with one parameter is given the element without its index.
            let turns = turns.iter().filter_map(|turn| turn.get(2_usize.checked_sub(parameters.len())?..));
            for (part, parameter) in turns.flat_map(|turn| turn.iter().zip(parameters)) {
                let (part, type_) = (found.infer_part(part), self.evaluate_type_expression(parameter.type_));
                let place = format!("the value is in {}", source.name());
                let about = || (format!("the parameter ${}", parameter.name), Some(place));
                self.check_type(parameter.type_.unwrap_or(*id), &part, &type_, about);
                if part.partial_value().is_some() && self.is_use_reached_by_all_values(*id) {
                    self.turns.entry(parameter.name.clone()).or_default().push((source, part));
                }
            }
        }
    }

    /// Reports the block of a `reduce` without a start value that adds to its memo, and only reads parts of the elements:
    /// in the first turn the memo is an element, and no part of it is read.
    pub(super) fn report_unread_first_element(&mut self, lambda: Id) {
        let tree = self.tree;
        let Expression::Lambda { parameters, body, .. } = &tree[lambda].expression else { return };
        let ([memo, element], last) = (&parameters[..], self.last_expression(*body)) else { return };
        let is = |id: Id, name: &str| matches!(&tree[id].expression, Expression::Variable(one) if *one == *name);
        let uses = |name: &str, of_part: bool| {
            let nodes = tree.nodes_within(lambda).filter(|node| match &node.expression {
                Expression::Variable(one) => !of_part && *one == *name,
                Expression::Access(target, _) => of_part && is(*target, name),
                _ => false,
            });
            nodes.count()
        };
        if matches!(&tree[last].expression, Expression::Binary(BinaryOperator::Plus, left, _) if is(*left, &memo.name))
            && uses(&memo.name, false) == 1
            && uses(&element.name, true) > 0
            && uses(&element.name, true) == uses(&element.name, false)
        {
            let message = format!("the first element is never read: without a start value it becomes ${}", memo.name);
            self.add_warning(TYPE_MISMATCH, tree[lambda].span, message)
                .help("give `reduce` what the sum begins with: {}, [] or 0");
        }
    }

    /// Reports the block of a `reduce` that ends with an `if` without `else`: the next turn is given undef.
    pub(super) fn report_missing_else(&mut self, lambda: Id) {
        let Expression::Lambda { body, .. } = &self.tree[lambda].expression else { return };
        let last = self.last_expression(*body);
        if matches!(self.tree[last].expression, Expression::If { otherwise: None, .. }) {
            self.add_warning(TYPE_MISMATCH, self.tree[last].span, "without `else`, the next turn is given undef")
                .help("return the value so far in `else { … }`");
        }
    }

    /// Reports a block with one parameter for the pairs of a hash whose result is true for every pair.
    pub(super) fn report_undeciding_block(&mut self, lambda: Id, result: &Type, given: &[Type]) {
        if let ([Type::Tuple(_)], true) = (given, is_always_true(&Inferred::Type(result.clone()))) {
            let message = "the block is true for every entry: its parameter is an Array of the key and the value";
            self.add_warning(NEVER_MATCHES, self.tree[lambda].span, message)
                .help("give it two parameters: |$key, $value|");
        }
    }

    /// Reports a block whose parameters have names as if the value came before its key or index.
    pub(super) fn report_swapped_parameters(&mut self, lambda: Id) {
        const VALUE_NAMES: [&str; 6] = ["v", "val", "value", "item", "elem", "element"];
        const KEY_NAMES: [&str; 5] = ["k", "key", "i", "idx", "index"];
        if let [first, second] = self.lambda_parameters(Some(lambda))
            && VALUE_NAMES.contains(&&*first.name)
            && KEY_NAMES.contains(&&*second.name)
        {
            let message = format!("${} gets the key or index, and ${} the value", first.name, second.name);
            self.add_warning("BLOCK_MISMATCH", first.name_span, message)
                .help(format!("write |${}, ${}|", second.name, first.name));
        }
    }

    /// Returns the values in Hiera data that an expression can have, with their sources: those of a `lookup`, of a
    /// parameter of a class, of a parameter of a lambda that iterates over such values, or parts of these. A parameter
    /// that no data sets has its default.
    pub(super) fn data_values_of_expression(&self, id: Id) -> DataValues<'a> {
        let (whole, keys) = self.access_root_and_keys(id);
        let values = self.data_values_of_root(whole);
        if keys.is_empty() { values } else { self.parts_of_data(values, &keys) }
    }

    /// Returns the parts of `values` at `keys`, of which the last one applies first.
    fn parts_of_data(&self, mut values: DataValues<'a>, keys: &[Id]) -> DataValues<'a> {
        // Of several, another level of the hierarchy may replace an empty one.
        if values.len() > 1 {
            values.retain(|(_, value)| !value.partial_value().is_some_and(is_falsy_or_empty));
        }
        keys.iter().rev().fold(values, |values, key| {
            let key = constant_value(self.tree, *key);
            let part = |(source, value): (_, Inferred)| Some((source, value.part_at_key(key.as_ref()?)?));
            values.into_iter().filter_map(part).collect()
        })
    }

    /// Follows variables and `[]` from `id` to the expression that it is a part of. Returns that and the keys: for
    /// `$h['a']['b']`, the expressions `$h`, `'b'` and `'a'`.
    fn access_root_and_keys(&self, mut id: Id) -> (Id, Vec<Id>) {
        const MAX_ACCESS_STEPS: usize = 16;
        let (tree, mut keys) = (self.tree, Vec::new());
        for _ in 0..MAX_ACCESS_STEPS {
            id = match &tree[id].expression {
                Expression::Access(operand, list) if let [key] = &list[..] => {
                    keys.push(*key);
                    *operand
                }
                Expression::Variable(name) => {
                    let is_part = |set: Id| matches!(tree[set].expression, Expression::Access(..));
                    let is_lookup = |set: Id| callee_name(tree, &tree[set]) == Some("lookup");
                    let is_before = |set: Id| tree[set].span.start < tree[id].span.start;
                    let assigned = self.find_variable(name).filter(|(scope, _)| scope.assigned.contains(name));
                    let set = assigned.map(|(_, (set, _))| *set);
                    let Some(set) = set.filter(|set| is_before(*set) && (is_part(*set) || is_lookup(*set))) else {
                        break;
                    };
                    set
                }
                _ => break,
            };
        }
        (id, keys)
    }

    fn data_values_of_root(&self, id: Id) -> DataValues<'a> {
        if let Some(LookupCall { key, merge, .. }) = LookupCall::from_expression(self.tree, id) {
            let values = |key| self.data_values_of_key(key, merge.as_ref());
            return key.as_ref().and_then(Value::as_str).map_or_else(Vec::new, values);
        }
        let Expression::Variable(name) = &self.tree[id].expression else { return Vec::new() };
        if let Some((class, variable)) = strip_leading_colons(name).rsplit_once("::") {
            let mut values = self.data_values_of_key(&format!("{}::{variable}", normalize_name(class)), None);
            values.retain(|(_, value)| !value.is_undef());
            return values;
        }
        let Some((scope, (set, known))) = self.find_variable(name) else { return Vec::new() };
        if scope.assigned.contains(name) {
            return Vec::new();
        } else if scope.kind == ScopeKind::Lambda {
            // A condition in the lambda may be about the turn.
            return self.turns.get(name).filter(|_| scope.guard_names.is_empty()).cloned().unwrap_or_default();
        }
        let class = self.enclosing_classes.last().filter(|_| scope.kind == ScopeKind::Class);
        let mut values =
            class.map_or_else(Vec::new, |class| self.data_values_of_key(&format!("{class}::{name}"), None));
        if values.is_empty() {
            // An empty one is mostly a placeholder.
            let default = constant_value(self.tree, *set).filter(|value| !is_falsy_or_empty(value));
            values.extend(default.map(|default| (&self.tree.source, Inferred::Value(default))));
        }
        // For undef the parameter has its default; others are reported where they are.
        values.retain(|(_, value)| !value.is_undef() && value.conflict_with_type(&known.known_type()).is_none());
        values
    }

    /// Returns the values of `key` in Hiera data; none if `convert_to` applies. `merge` is the strategy of a lookup.
    pub(super) fn data_values_of_key(&self, key: &str, merge: Option<&Value>) -> DataValues<'a> {
        let mut steps = key.split('.');
        let key = steps.next().unwrap_or(key);
        let options = &self.data.options;
        let values = self.data.values.get(key).filter(|_| options.conversion_of_key(key).is_none());
        let named = merge.filter(|merge| !merge.is_undef()).map(|merge| Strategy::parse_merge_option(merge).map(Some));
        let strategy = named.unwrap_or_else(|| options.merge_strategy_of_key(key)).map(Option::unwrap_or_default);
        let is_alone =
            || values.is_some_and(|all| all.len() == 1) && !self.data.has_unseen_data && self.index.own.is_none();
        let arrived = |value: &Value| {
            let (value, merged_levels) = match strategy.as_ref().ok()? {
                Strategy::First => (value.clone(), 0),
                Strategy::Unique => (Strategy::Unique.merge_levels(std::slice::from_ref(value)).ok()??, 0),
                Strategy::Hash if is_alone() => (value.clone(), 0),
                Strategy::Deep(deep) if is_alone() => (deep.without_knockouts(value), 0),
                Strategy::Hash => (value.clone(), 1),
                Strategy::Deep(deep) if matches!(value, Value::Array(_)) => (deep.without_knockouts(value), 0),
                Strategy::Deep(deep) => (deep.without_knockouts(value), usize::MAX),
            };
            Some(Inferred::from_hiera_data(&value, merged_levels))
        };
        let values = values.into_iter().flatten().filter_map(|(source, value)| Some((source, arrived(value)?)));
        steps.fold(values.collect(), |values: Vec<_>, step| {
            let step = step.parse().map_or_else(|_| step.into(), Value::Integer);
            let part = |(source, value): (_, Inferred)| Some((source, value.part_at_key(&step)?));
            // Where it is missing, the next level counts.
            values.into_iter().filter_map(part).filter(|(_, part)| !part.is_undef()).collect()
        })
    }

    /// Whether all values of the variable at `id` reach this use: no condition selects some, or it is the only use.
    fn is_use_reached_by_all_values(&self, id: Id) -> bool {
        let written = |id: Id| self.tree.text_of(id);
        // Where it is set, or only asked whether there is something, nothing is chosen for a value.
        let asked_by = |node: &'a Node| match &node.expression {
            Expression::If { condition: one, .. }
            | Expression::Unary(UnaryOperator::Not, one)
            | Expression::Assignment(_, one, _) => vec![*one],
            Expression::Binary(BinaryOperator::And, left, right) => vec![*left, *right],
            call if callee_name(self.tree, node) == Some("empty") => call.arguments(),
            _ => Vec::new(),
        };
        let is_same = |one: &Id| written(*one) == written(id);
        let uses = || (0..self.tree.nodes.len()).map(Id::from_index).filter(is_same).count();
        let asked = || self.tree.nodes.iter().flat_map(asked_by).filter(is_same).count();
        self.scopes.iter().all(|scope| scope.guard_names.is_empty()) || uses() < asked() + 2
    }

    /// Calls `check` with each value that the expression `id` can have in Hiera data, unless `found` is a known value.
    pub(super) fn check_data_values(&mut self, id: Id, found: &Inferred, mut check: impl FnMut(&mut Self, &Inferred)) {
        if found.partial_value().is_some() {
            return;
        }
        let (whole, keys) = self.access_root_and_keys(id);
        let values = self.parts_of_data(self.data_values_of_root(whole), &keys);
        // A condition may select nodes for which data differs, but not another default.
        let is_default = values.iter().all(|(source, _)| Arc::ptr_eq(source, &self.tree.source));
        let is_unguarded = is_default && !self.is_any_name_in_conditions(&self.dependencies_of_expression(whole));
        if values.is_empty() || !is_unguarded && !self.is_use_reached_by_all_values(id) {
            return;
        }
        // What a condition asks about the value is mostly whether there is something.
        let is_asked = self.scopes.iter().any(|scope| !scope.guard_names.is_empty());
        let is_known = |value: &Value| !is_asked || !is_falsy_or_empty(value);
        for (source, value) in values.into_iter().filter(|(_, value)| value.partial_value().is_some_and(is_known)) {
            let first = self.result.findings.len();
            check(self, &value);
            for finding in self.result.findings.iter_mut().skip(first) {
                finding.help(if Arc::ptr_eq(source, &self.tree.source) {
                    "this is the default of the parameter".to_owned()
                } else {
                    format!("the values are in {}", source.name())
                });
            }
        }
    }
}

/// Whether a value says that there is nothing: undef, `false`, or an empty String, Array or Hash.
fn is_falsy_or_empty(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Hash(entries) => entries.is_empty(),
        _ => false,
    }
}

/// The literal arguments of a call of `lookup`; `None` for one that is not given.
pub(super) struct LookupCall {
    key: Option<Value>,
    merge: Option<Value>,
    pub(super) default: Option<Value>,
}

impl LookupCall {
    /// Reads the call `id`, with its arguments in order or in one hash. Returns `None` for another expression, and if
    /// the merge strategy is known only at run time.
    pub(super) fn from_expression(tree: &Tree, id: Id) -> Option<LookupCall> {
        let Expression::Call { receiver: None, arguments, .. } = &tree[id].expression else { return None };
        if callee_name(tree, &tree[id]) != Some("lookup") {
            return None;
        }
        let constant = |at: usize| arguments.get(at).map(|id| constant_value(tree, *id));
        if let Some(Some(Value::Hash(options))) = constant(0) {
            let option = |name: &str| options.get_str(name).cloned();
            return Some(LookupCall { key: option("name"), merge: option("merge"), default: option("default_value") });
        }
        let is_type = |id: &Id| matches!(tree[*id].expression, Expression::Reference(_) | Expression::Access(..));
        let [key, merge, default] = [0, 2, 3].map(constant);
        let is_known = arguments.get(1).is_none_or(is_type) && merge != Some(None);
        is_known.then(|| LookupCall { key: key.flatten(), merge: merge.flatten(), default: default.flatten() })
    }
}

/// The types of the elements of an iterable value, or of its keys and values.
pub(super) struct IteratedTypes {
    key_type: Option<Type>,
    value_type: Type,
}

impl IteratedTypes {
    pub(super) fn from_inferred(found: &Inferred) -> Option<IteratedTypes> {
        let (key, value) = match &without_undef(&found.known_type()).behind_aliases().generalized() {
            Type::Array(array) => (None, array.element().clone()),
            Type::Tuple(tuple) => (None, Type::one_of(tuple.types().iter().map(|type_| (**type_).clone()))),
            Type::Hash(hash) => (Some(hash.key().clone()), hash.value().clone()),
            Type::Struct(parts) if !parts.members().is_empty() => {
                let values = parts.members().iter().map(|member| member.type_().clone());
                (Some(Type::built_in_type("String")), Type::one_of(values))
            }
            _ => return None,
        };
        Some(IteratedTypes { key_type: key, value_type: value })
    }

    fn element_type(&self) -> Type {
        let pair = |key: &Type| TupleType::new([key.clone(), self.value_type.clone()], None).into();
        self.key_type.as_ref().map_or_else(|| self.value_type.clone(), pair)
    }

    pub(super) fn lambda_argument_types(&self, function: &str, count: usize) -> Vec<Type> {
        match (function, count) {
            ("each" | "map" | "filter" | "any" | "all" | "group_by", 1) => vec![self.element_type()],
            ("each" | "map" | "filter" | "any" | "all", 2) => {
                vec![self.key_type.clone().unwrap_or_else(|| Type::built_in_type("Integer")), self.value_type.clone()]
            }
            // What the turn before returned may be anything.
            ("reduce", 2) => vec![Type::any(), self.element_type()],
            _ => Vec::new(),
        }
    }

    /// Returns what the function `name` returns if its lambda returns `result`. `start` is the second argument's type.
    pub(super) fn iteration_result_type(self, name: &str, start: Option<Type>, result: Option<Type>) -> Option<Type> {
        let array = |element: Type| Some(Type::from(ArrayType::new(element, None)));
        match (name, self.key_type) {
            ("map", _) => array(result?),
            // Without a turn it is the start or the only element, or there is none.
            ("reduce", None) => {
                let without_turn = start.unwrap_or_else(|| Type::one_of([self.value_type, Type::of(&Value::Undef)]));
                Some(Type::one_of([without_turn, result?]))
            }
            ("filter" | "sort" | "unique", None) | ("values", Some(_)) => array(self.value_type),
            ("flatten", None) if !may_be(&self.value_type, "Array") => array(self.value_type),
            ("keys", Some(key)) => array(key),
            ("filter", Some(key)) => Some(HashType::new(key, self.value_type, None).into()),
            _ => None,
        }
    }
}

pub(super) fn without_undef(type_: &Type) -> Type {
    let undef = Type::of(&Value::Undef);
    Type::one_of(type_.alternatives().into_iter().filter(|one| *one != undef))
}

pub(super) fn call_result_type(name: &str, found: &[Inferred], has_block: bool, block: Option<&Type>) -> Option<Type> {
    let (first, keys) = found.split_first()?;
    let (type_, undef) = (first.known_type(), Type::of(&Value::Undef));
    let empty = || parse_constant_type("Variant[Array[Any, 0, 0], Hash[0, 0], String[0, 0], Undef]");
    Some(match (name, has_block) {
        ("unwrap" | "with", true) => block?.clone(),
        ("then", true) => Type::one_of([block?.clone(), undef]),
        ("lest", true) => Type::one_of([without_undef(&type_), block?.clone()]),
        ("lookup", _) => keys.first()?.as_type_value()?.clone(),
        ("assert_type", false) => first.as_type_value()?.clone(),
        ("unwrap", false) => match unwrap_sensitive_type(&type_) {
            // Anything but a Sensitive.
            content if is_any(&content) => parse_constant_type("Variant[Scalar, Collection, Undef, Type]"),
            content => content,
        },
        ("dig", false) => {
            keys.iter().try_fold(type_.into_owned(), |one, key| type_of_part_at_key(&one, key.value()))?
        }
        ("split", false) if Type::built_in_type("String").accepts(&type_) || first.has_type_any() => {
            ArrayType::new(Type::built_in_type("String"), None).into()
        }
        ("empty", false) if !may_overlap(&type_, &empty()) => Type::of(&Value::Boolean(false)),
        ("versioncmp", false) => IntegerType::new(-1, 1)?.into(),
        ("regsubst", false) if first.has_type_any() => parse_constant_type("Variant[String, Array]"),
        ("regsubst", false) if Type::built_in_type("String").accepts(&type_) => Type::built_in_type("String"),
        _ => return None,
    })
}

pub(super) fn unwrap_sensitive_type(type_: &Type) -> Type {
    let content = |one: Type| if let Type::Sensitive(secret) = &one { secret.content().clone() } else { one };
    let undef = Some(Type::of(&Value::Undef)).filter(|undef| may_overlap(type_, undef));
    Type::one_of(type_.alternatives().into_iter().map(content).chain(undef))
}

pub(super) fn is_any(type_: &Type) -> bool {
    type_.alternatives().iter().any(|one| matches!(one, Type::Any(_)))
}

pub(super) fn type_of_part_at_key(type_: &Type, key: Option<&Value>) -> Option<Type> {
    let part = |one: Type| match (&one, key) {
        (Type::Struct(known), Some(Value::String(name))) => Some(match known.member(name) {
            Some(member) if !member.may_be_missing(&mut Lattice::default()) => member.type_().clone(),
            Some(member) => type_or_undef(member.type_()),
            None => Type::of(&Value::Undef),
        }),
        (Type::Array(array), Some(Value::Integer(_))) => Some(type_or_undef(array.element())),
        (Type::Hash(hash), _) => Some(type_or_undef(hash.value())),
        _ => None,
    };
    let parts: Vec<Type> = type_.alternatives().into_iter().map(part).collect::<Option<_>>()?;
    parts.iter().all(|part| !matches!(part, Type::Any(_))).then(|| Type::one_of(parts))
}

pub(super) fn type_or_undef(type_: &Type) -> Type {
    if matches!(type_, Type::Any(_)) { type_.clone() } else { Type::one_of([type_.clone(), Type::of(&Value::Undef)]) }
}
