//! The rules that hold for every type, and the state and the caches of one query about types.
//!
//! *Aliases* may be recursive. Whether a type accepts another is computed coinductively: a pair that is already being
//! compared further up is assumed to be accepted if the path to it went through a container (an endless comparison
//! without a mismatch succeeds), and to be rejected otherwise (`type A = Optional[A]` has no meaning).
//!
//! *Towers*: a type that is shared many times (`type T2 = Variant[Tuple[T1, T1], Array[T1]]` and so on) would be
//! compared again and again. Results for pairs of types with an alias are cached; results for other shared types, and
//! for values, are cached once a query has become long ([`STEPS_BEFORE_CACHING`]). So a short query caches and
//! allocates nothing, and a long one compares at most as many pairs as there are type nodes times value nodes.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Result;
use crate::types::{AliasType, Identity, InitType, Rules, Type, on_rules};
use crate::value::Value;
use crate::{interrupt, stack};

/// The number of containers and aliases that a query visits before it caches results: a few milliseconds of work.
const STEPS_BEFORE_CACHING: u32 = 1 << 17;

/// The number of steps below which a query is short: [`Lattice::accepts_in_new_query`] does not count these steps.
const MAX_UNCOUNTED_QUERY_STEPS: u32 = 1 << 10;

/// The number of directly nested aliases, without a container in between, that are resolved before cycles are searched.
const ALIASES_BEFORE_CYCLE_CHECK: u32 = 32;

/// The number of nesting levels between checks of the stack, of which a level uses at most a few kilobytes.
const LEVELS_BETWEEN_STACK_CHECKS: u32 = 8;

/// The state of one query, which asks whether a value is of a type or whether a type accepts another type.
#[derive(Debug, Default)]
pub(crate) struct Lattice {
    steps: u32,
    /// The number of aliases that were entered since the innermost container.
    aliases_in_row: u32,
    /// The number of containers on the path from the root of the query.
    container_depth: u32,
    recursion_depth: u32,
    /// Caches and open comparisons, allocated only for queries that need them.
    memory: Option<Box<QueryMemory>>,
}

#[derive(Debug, Default)]
struct QueryMemory {
    /// The Init type, if any, that makes the query fail because it cannot construct values.
    unusable_init_type: Option<InitType>,
    /// The addresses of an alias (after [`ALIASES_BEFORE_CYCLE_CHECK`] others) or Init and a value whose test is in progress.
    in_progress: FxHashSet<(usize, usize)>,
    /// Whether a value, identified by its address, is of a type: the results so far.
    instance_results: FxHashMap<(Identity, usize), bool>,
    pair_results: FxHashMap<(Identity, Identity), PairResult>,
    open_pair_count: u32,
    /// The lowest number of an open pair assumed true since the comparison of the innermost pair began, or `u32::MAX`.
    lowest_assumed_true: u32,
    /// The lowest number of an open pair assumed false since the comparison of the innermost pair began, or `u32::MAX`.
    lowest_assumed_false: u32,
    /// Pairs with the result [`PairResult::TrueIf`], in the order in which they were compared.
    provisional_pairs: Vec<(Identity, Identity)>,
    /// Types that rules have created, kept until the end of the query so that their addresses stay unique.
    kept_alive_types: Vec<Type>,
    /// Types derived from other types during the query, by the identities of the originals.
    derived_types: FxHashMap<Identity, Type>,
}

/// Whether the first type of a pair accepts the second, as far as this is known.
#[derive(Clone, Copy, Debug)]
enum PairResult {
    /// Open: the pair is being compared, as number `number` of the open pairs, inside of `depth` containers.
    Asked {
        number: u32,
        depth: u32,
    },
    /// Provisionally true: true if the open pair `number` turns out to be true.
    TrueIf {
        number: u32,
    },
    Known(bool),
}

impl Lattice {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what most questions come down to is answered without a call")]
    pub(crate) fn has_instance(&mut self, type_: &Type, value: &Value) -> bool {
        match type_ {
            Type::Any(_) => true,
            Type::Integer(range) => range.has_instance(value, self),
            Type::String(string) => string.has_instance(value, self),
            Type::Array(_) | Type::Tuple(_) if !matches!(value, Value::Array(_)) => false,
            Type::Hash(_) | Type::Struct(_) if !matches!(value, Value::Hash(_)) => false,
            Type::Array(array) => self.container_has_instance(type_, &**array, value),
            Type::Tuple(tuple) => self.container_has_instance(type_, &**tuple, value),
            Type::Hash(hash) => self.container_has_instance(type_, &**hash, value),
            Type::Struct(record) => self.container_has_instance(type_, &**record, value),
            Type::Variant(variant) => variant.has_instance(value, self),
            Type::Alias(alias) => self.alias_has_instance(alias, type_, value),
            _ => self.has_instance_by_rules(type_, value),
        }
    }

    /// Whether `value` is of `type_`, which is a type of arrays or of hashes and has the given `rules`.
    fn container_has_instance(&mut self, type_: &Type, rules: &(impl Rules + Sync), value: &Value) -> bool {
        let address = match value {
            Value::Array(elements) => elements.address(),
            Value::Hash(entries) => entries.address(),
            _ => return false,
        };
        interrupt::take_step();
        let aliases_outside = std::mem::take(&mut self.aliases_in_row);
        let answer = self.cached_has_instance(type_, address, |lattice| {
            lattice.run_with_stack_check(|lattice| rules.has_instance(value, lattice))
        });
        self.aliases_in_row = aliases_outside;
        answer
    }

    fn cached_has_instance(&mut self, type_: &Type, address: usize, ask: impl FnOnce(&mut Lattice) -> bool) -> bool {
        self.steps = self.steps.saturating_add(1);
        if self.steps <= STEPS_BEFORE_CACHING {
            return ask(self);
        }
        let key = (type_.identity(), address);
        if let Some(known) = self.query_memory().instance_results.get(&key) {
            return *known;
        }
        let answer = ask(self);
        self.query_memory().instance_results.insert(key, answer);
        answer
    }

    fn has_instance_by_rules(&mut self, type_: &Type, value: &Value) -> bool {
        if type_.is_leaf() {
            return on_rules!(type_, rules => rules.has_instance(value, self));
        }
        interrupt::take_step();
        self.run_with_stack_check(|lattice| on_rules!(type_, rules => rules.has_instance(value, lattice)))
    }

    fn alias_has_instance(&mut self, alias: &Arc<AliasType>, type_: &Type, value: &Value) -> bool {
        self.aliases_in_row += 1;
        let place = (Arc::as_ptr(alias) as usize, std::ptr::from_ref(value) as usize);
        let answer = self.cached_has_instance(type_, place.1, |lattice| {
            if lattice.aliases_in_row <= ALIASES_BEFORE_CYCLE_CHECK {
                return alias.has_instance(value, lattice);
            }
            // After many others in a row: one that comes back to itself about the same value says nothing about it.
            lattice.run_with_stack_check(|lattice| {
                lattice.run_unless_in_progress(place, |lattice| alias.has_instance(value, lattice)) == Some(true)
            })
        });
        self.aliases_in_row -= 1;
        answer
    }

    /// Whether one of `values` is of `type_` or, if `is_instance` is false, is not of `type_`; false if there are none.
    pub(crate) fn has_matching_element<'v>(
        &mut self,
        type_: &Type,
        values: impl Iterator<Item = &'v Value> + Clone,
        is_instance: bool,
    ) -> bool {
        match type_ {
            Type::Any(_) if !is_instance => return false,
            // Looked behind once for all values; several in a row are followed as usual.
            Type::Alias(alias)
                if let Some(Some(found)) = alias.call_with_target_type(|meaning| {
                    let is_last = !matches!(meaning, Type::Alias(_));
                    is_last.then(|| self.has_matching_element(meaning, values.clone(), is_instance))
                }) =>
            {
                return found;
            }
            _ => {}
        }
        let mut values = interrupt::step_through(values);
        // Found once for all values: 15 % fewer instructions for arrays and hashes of numbers and strings.
        if type_.is_leaf() {
            return on_rules!(type_, rules => values.any(|value| rules.has_instance(value, self) == is_instance));
        }
        values.any(|value| self.has_instance(type_, value) == is_instance)
    }

    fn run_with_stack_check(&mut self, ask: impl FnOnce(&mut Lattice) -> bool + Send) -> bool {
        self.recursion_depth += 1;
        let answer = if self.recursion_depth.is_multiple_of(LEVELS_BETWEEN_STACK_CHECKS) {
            stack::with_room(|| ask(self))
        } else {
            ask(self)
        };
        self.recursion_depth -= 1;
        answer
    }

    /// Returns the result of `ask`; `None` if the type and value at the addresses `place` are already being tested.
    pub(in crate::types) fn run_unless_in_progress<T: Send>(
        &mut self,
        place: (usize, usize),
        ask: impl FnOnce(&mut Lattice) -> T + Send,
    ) -> Option<T> {
        if !self.query_memory().in_progress.insert(place) {
            return None;
        }
        let answer = stack::with_room(|| ask(self));
        self.query_memory().in_progress.remove(&place);
        Some(answer)
    }

    fn query_memory(&mut self) -> &mut QueryMemory {
        self.memory.get_or_insert_default()
    }

    /// Whether `type_` accepts `other`, which are types inside of containers, such as the element types of Arrays.
    pub(crate) fn accepts_inner_type(&mut self, type_: &Type, other: &Type) -> bool {
        self.container_depth += 1;
        let answer = self.accepts(type_, other);
        self.container_depth -= 1;
        answer
    }

    pub(crate) fn accepts(&mut self, type_: &Type, other: &Type) -> bool {
        if type_.is_leaf() && other.is_leaf() {
            interrupt::take_step();
            return matches!(other, Type::Unit(_)) || self.accepts_by_rules(type_, other);
        }
        self.accepts_composite(type_, other)
    }

    fn accepts_composite(&mut self, type_: &Type, other: &Type) -> bool {
        if matches!(type_, Type::Any(_) | Type::Unit(_))
            || matches!(other, Type::Unit(_))
            || type_.is_identical_to(other)
        {
            return true;
        }
        self.steps = self.steps.saturating_add(1);
        if may_be_recursive(type_, other) || self.steps > STEPS_BEFORE_CACHING {
            return self.accepts_with_cache(type_, other);
        }
        self.run_with_stack_check(|lattice| lattice.accepts_by_structure(type_, other))
    }

    /// Whether `type_` accepts `other`, as a new query that reuses the cached results of earlier queries. Short queries
    /// do not count as steps, so that thousands of them need no cache.
    pub(crate) fn accepts_in_new_query(&mut self, type_: &Type, other: &Type) -> bool {
        let before = self.steps;
        let answer = self.accepts(type_, other);
        if self.memory.is_some() {
            for asked in [type_, other] {
                self.keep_alive(asked);
            }
        }
        if self.steps - before < MAX_UNCOUNTED_QUERY_STEPS {
            self.steps = before;
        }
        answer
    }

    pub(crate) fn accepts_undef(&mut self, type_: &Type) -> bool {
        static UNDEF: Value = Value::Undef;
        self.has_instance(type_, &UNDEF)
    }

    /// Records that `type_` is unusable, so that [`Self::result_unless_unusable`] returns an error; returns false.
    pub(crate) fn record_unusable_init(&mut self, type_: &InitType) -> bool {
        self.query_memory().unusable_init_type.get_or_insert_with(|| type_.clone());
        false
    }

    pub(crate) fn result_unless_unusable(self, answer: bool) -> Result<bool> {
        self.memory
            .and_then(|memory| memory.unusable_init_type)
            .map_or(Ok(answer), |type_| Err(type_.unusable_error().into()))
    }

    pub(crate) fn keep_alive(&mut self, type_: &Type) {
        if type_.address() != 0 {
            self.query_memory().kept_alive_types.push(type_.clone());
        }
    }

    /// Returns the type that `make` derives from `type_`; further calls return the same one, with its cached results.
    pub(in crate::types) fn derive_type_once(&mut self, type_: &Type, make: impl FnOnce(&mut Lattice) -> Type) -> Type {
        if let Some(made) = self.memory.as_ref().and_then(|memory| memory.derived_types.get(&type_.identity())) {
            return made.clone();
        }
        let made = make(self);
        self.keep_alive(type_);
        self.query_memory().derived_types.insert(type_.identity(), made.clone());
        made
    }

    fn accepts_with_cache(&mut self, type_: &Type, other: &Type) -> bool {
        let pair = (type_.identity(), other.identity());
        let depth = self.container_depth;
        let memory = self.query_memory();
        if let Some(answer) = memory.known_answer(pair, depth) {
            return answer;
        }
        let number = memory.open_pair_count;
        memory.open_pair_count += 1;
        memory.pair_results.insert(pair, PairResult::Asked { number, depth });
        let outer = (memory.lowest_assumed_true, memory.lowest_assumed_false);
        (memory.lowest_assumed_true, memory.lowest_assumed_false) = (u32::MAX, u32::MAX);
        let first_provisional = memory.provisional_pairs.len();
        let answer = self.run_with_stack_check(|lattice| lattice.accepts_by_structure(type_, other));
        let memory = self.query_memory();
        memory.open_pair_count -= 1;
        memory.store_answer(pair, number, answer, first_provisional);
        // What this pair took its own answer to be is settled now.
        let still_open = |taken: u32| if taken >= number { u32::MAX } else { taken };
        memory.lowest_assumed_true = outer.0.min(still_open(memory.lowest_assumed_true));
        memory.lowest_assumed_false = outer.1.min(still_open(memory.lowest_assumed_false));
        answer
    }

    /// Whether `type_` accepts `other`: resolves aliases and splits Variants in `other`, then aliases in `type_`.
    fn accepts_by_structure(&mut self, type_: &Type, other: &Type) -> bool {
        match other {
            Type::Alias(alias) => {
                return alias.call_with_target_type(|meaning| self.accepts(type_, meaning)).unwrap_or(false);
            }
            _ if let Some(meaning) = other.variant_of_data() => return self.accepts(type_, meaning),
            Type::Variant(variant) => {
                let all = variant.types().iter().all(|other| self.accepts(type_, other));
                return match (variant.types().is_empty(), type_) {
                    (false, _) => all,
                    (true, Type::Variant(type_)) => type_.types().is_empty(),
                    (true, Type::NotUndef(_)) => self.accepts_by_rules(type_, other),
                    (true, _) => false,
                };
            }
            Type::Optional(optional) => {
                return self.accepts_undef(type_) && optional.type_().is_none_or(|other| self.accepts(type_, other));
            }
            Type::NotUndef(not_undef) => {
                if let Some(other) = not_undef.type_()
                    && !self.accepts_undef(other)
                {
                    return self.accepts(type_, other);
                }
            }
            _ => {}
        }
        match type_ {
            // Variants, before which the other side is taken apart already.
            _ if let Some(meaning) = type_.variant_of_data() => self.accepts_by_rules(meaning, other),
            Type::Alias(alias)
                if let Some(answer) = alias.call_with_target_type(|meaning| self.accepts(meaning, other)) =>
            {
                answer
            }
            _ => self.accepts_by_rules(type_, other),
        }
    }

    fn accepts_by_rules(&mut self, type_: &Type, other: &Type) -> bool {
        on_rules!(type_, rules => rules.accepts(other, self))
    }
}

impl QueryMemory {
    /// Returns the result for `pair`, `None` if it is new. An open pair is assumed true if a container is in between.
    fn known_answer(&mut self, pair: (Identity, Identity), depth: u32) -> Option<bool> {
        let (answer, number) = match self.pair_results.get(&pair)? {
            PairResult::Known(answer) => return Some(*answer),
            PairResult::TrueIf { number } => (true, *number),
            PairResult::Asked { number, depth: asked_at } => (*asked_at < depth, *number),
        };
        let taken = if answer { &mut self.lowest_assumed_true } else { &mut self.lowest_assumed_false };
        *taken = number.min(*taken);
        Some(answer)
    }

    /// Stores `answer` for `pair`: provisionally if it is true and relies on an open pair assumed true, not at all if
    /// it is false and relies on one assumed false. Updates the provisional pairs from `first_provisional` on.
    fn store_answer(&mut self, pair: (Identity, Identity), number: u32, answer: bool, first_provisional: usize) {
        if answer && self.lowest_assumed_true < number {
            self.provisional_pairs.push(pair);
            for provisional in self.provisional_pairs.iter().skip(first_provisional) {
                self.pair_results.insert(*provisional, PairResult::TrueIf { number: self.lowest_assumed_true });
            }
            return;
        }
        let mut settle = |pair, is_known| {
            if is_known {
                self.pair_results.insert(pair, PairResult::Known(answer))
            } else {
                self.pair_results.remove(&pair)
            };
        };
        self.provisional_pairs.drain(first_provisional..).for_each(|doubtful| settle(doubtful, answer));
        settle(pair, answer || self.lowest_assumed_false >= number);
    }
}

/// Whether comparing two types may lead to the same comparison again. An alias may refer to itself, and so may the type
/// that an Init constructs. Data and RichData contain themselves, but only inside of containers: with one of them as
/// `type_`, the comparison ends unless `other` is recursive as well.
fn may_be_recursive(type_: &Type, other: &Type) -> bool {
    matches!(type_, Type::Alias(_) | Type::Init(_))
        || matches!(other, Type::Alias(_) | Type::Init(_) | Type::Data(_) | Type::RichData(_))
}
