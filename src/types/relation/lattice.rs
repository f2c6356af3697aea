//! The rules that hold for every type, written once, and the memory of one query.
//!
//! *Aliases* may be recursive. Whether a type accepts another is computed coinductively: a pair that is already being
//! compared further up is assumed true if the path to it went through a container (an infinite unfolding that never
//! fails does not fail), and false otherwise (`type A = Optional[A]` says nothing).
//!
//! *Towers*: a type that is shared many times (`type T2 = Variant[Tuple[T1, T1], Array[T1]]` and so on) would be
//! compared again and again. Results for pairs of types with an alias are cached; results for other shared types, and
//! for values, are cached once a query has become long ([`STEPS_WITHOUT_MEMORY`]). So the usual query caches and
//! allocates nothing, and no pair is compared more often than type nodes times value nodes after that.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Result;
use crate::types::{AliasType, Identity, InitType, Rules, Type, on_rules};
use crate::value::Value;
use crate::{interrupt, stack};

/// Containers and aliases that a query visits before its results are cached: some milliseconds.
const STEPS_WITHOUT_MEMORY: u32 = 1 << 17;

/// Steps of a query that still counts as short.
const STEPS_OF_SHORT_QUESTION: u32 = 1 << 10;

/// Aliases in a row, without a container in between, that are followed without looking for a cycle.
const HARMLESS_ALIASES: u32 = 32;

/// Levels of a query between checks of the stack: a level takes at most a few kilobytes.
const LEVELS_BETWEEN_LOOKS: u32 = 8;

/// The state of one query: whether a value is of a type, or whether a type accepts another.
#[derive(Debug, Default)]
pub(crate) struct Lattice {
    steps: u32,
    /// The number of aliases on the path since the innermost container.
    aliases_in_row: u32,
    /// The number of containers on the path from the root of the query.
    depth: u32,
    levels: u32,
    /// Allocated only for queries that need it.
    memory: Option<Box<Memory>>,
}

#[derive(Debug, Default)]
struct Memory {
    /// The Init type for which the query cannot be answered, if any.
    refused: Option<InitType>,
    /// Aliases in a row after the first [`HARMLESS_ALIASES`], and Inits, each with the address of its value.
    open: FxHashSet<(usize, usize)>,
    /// Results for types and values, by address.
    instances: FxHashMap<(Identity, usize), bool>,
    pairs: FxHashMap<(Identity, Identity), Answer>,
    asking: u32,
    /// The lowest number of an open pair that was assumed to be true since the innermost pair was begun, if there is one.
    taken_for_true: u32,
    /// The lowest number of an open pair that was assumed to be false since then.
    taken_for_false: u32,
    /// Pairs with the result [`Answer::TrueIf`], in the order in which they were compared.
    provisional: Vec<(Identity, Identity)>,
    /// Types that rules have created: they are kept until the end of the query, so that their addresses stay unique.
    kept: Vec<Type>,
    /// Types derived from other types during the query, by the addresses of the originals.
    made: FxHashMap<Identity, Type>,
}

/// The known result for a pair of types.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// Being compared: its number, and the depth.
    Asked { number: u32, depth: u32 },
    /// True if the open pair of that number is.
    TrueIf { number: u32 },
    /// Settled.
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

    /// Whether a value is of a type of arrays or hashes, which has these `rules`.
    fn container_has_instance(&mut self, type_: &Type, rules: &(impl Rules + Sync), value: &Value) -> bool {
        let address = match value {
            Value::Array(elements) => elements.address(),
            Value::Hash(entries) => entries.address(),
            _ => return false,
        };
        interrupt::step();
        let aliases_outside = std::mem::take(&mut self.aliases_in_row);
        let answer =
            self.answered_once(type_, address, |lattice| lattice.level(|lattice| rules.has_instance(value, lattice)));
        self.aliases_in_row = aliases_outside;
        answer
    }

    /// The result of `ask` for a type and the value at `address`, cached in long queries.
    fn answered_once(&mut self, type_: &Type, address: usize, ask: impl FnOnce(&mut Lattice) -> bool) -> bool {
        self.steps = self.steps.saturating_add(1);
        if self.steps <= STEPS_WITHOUT_MEMORY {
            return ask(self);
        }
        let key = (type_.identity(), address);
        if let Some(known) = self.memory().instances.get(&key) {
            return *known;
        }
        let answer = ask(self);
        self.memory().instances.insert(key, answer);
        answer
    }

    fn has_instance_by_rules(&mut self, type_: &Type, value: &Value) -> bool {
        if type_.is_leaf() {
            return on_rules!(type_, rules => rules.has_instance(value, self));
        }
        interrupt::step();
        self.level(|lattice| on_rules!(type_, rules => rules.has_instance(value, lattice)))
    }

    fn alias_has_instance(&mut self, alias: &Arc<AliasType>, type_: &Type, value: &Value) -> bool {
        self.aliases_in_row += 1;
        let place = (Arc::as_ptr(alias) as usize, std::ptr::from_ref(value) as usize);
        let answer = self.answered_once(type_, place.1, |lattice| {
            if lattice.aliases_in_row <= HARMLESS_ALIASES {
                return alias.has_instance(value, lattice);
            }
            // After many others in a row: one that comes back to itself about the same value says nothing about it.
            lattice
                .level(|lattice| lattice.unless_open(place, |lattice| alias.has_instance(value, lattice)) == Some(true))
        });
        self.aliases_in_row -= 1;
        answer
    }

    /// Whether one of `values` is a value of `type_` or, if `is_instance` is false, is not one. With no values,
    /// `is_instance` must be true.
    pub(crate) fn finds_element<'v>(
        &mut self,
        type_: &Type,
        values: impl Iterator<Item = &'v Value> + Clone,
        is_instance: bool,
    ) -> bool {
        match type_ {
            Type::Any(_) if !is_instance => return false,
            // Looked behind once for all values; several in a row are followed as usual.
            Type::Alias(alias)
                if let Some(Some(found)) = alias.with_meaning(|meaning| {
                    let is_last = !matches!(meaning, Type::Alias(_));
                    is_last.then(|| self.finds_element(meaning, values.clone(), is_instance))
                }) =>
            {
                return found;
            }
            _ => {}
        }
        let mut values = interrupt::each(values);
        // Found once for all values: 15 % fewer instructions for arrays and hashes of numbers and strings.
        if type_.is_leaf() {
            return on_rules!(type_, rules => values.any(|value| rules.has_instance(value, self) == is_instance));
        }
        values.any(|value| self.has_instance(type_, value) == is_instance)
    }

    /// Runs a subquery one level further down, on another stack if need be.
    fn level(&mut self, ask: impl FnOnce(&mut Lattice) -> bool + Send) -> bool {
        self.levels += 1;
        let answer =
            if self.levels.is_multiple_of(LEVELS_BETWEEN_LOOKS) { stack::with_room(|| ask(self)) } else { ask(self) };
        self.levels -= 1;
        answer
    }

    /// The result of `ask`, unless the same type and value are being compared further up, by their addresses.
    pub(in crate::types) fn unless_open<T: Send>(
        &mut self,
        place: (usize, usize),
        ask: impl FnOnce(&mut Lattice) -> T + Send,
    ) -> Option<T> {
        if !self.memory().open.insert(place) {
            return None;
        }
        let answer = stack::with_room(|| ask(self));
        self.memory().open.remove(&place);
        Some(answer)
    }

    fn memory(&mut self) -> &mut Memory {
        self.memory.get_or_insert_default()
    }

    /// Whether every value of `other`, which is an element or another part, is a value of `type_`, a part as well.
    pub(crate) fn accepts_part(&mut self, type_: &Type, other: &Type) -> bool {
        self.depth += 1;
        let answer = self.accepts(type_, other);
        self.depth -= 1;
        answer
    }

    pub(crate) fn accepts(&mut self, type_: &Type, other: &Type) -> bool {
        if type_.is_leaf() && other.is_leaf() {
            interrupt::step();
            return matches!(other, Type::Unit(_)) || self.accepts_by_rules(type_, other);
        }
        self.nested_accepts(type_, other)
    }

    fn nested_accepts(&mut self, type_: &Type, other: &Type) -> bool {
        if matches!(type_, Type::Any(_) | Type::Unit(_)) || matches!(other, Type::Unit(_)) || type_.is_same(other) {
            return true;
        }
        self.steps = self.steps.saturating_add(1);
        if may_come_back(type_, other) || self.steps > STEPS_WITHOUT_MEMORY {
            return self.accepts_with_memory(type_, other);
        }
        self.level(|lattice| lattice.accepts_by_form(type_, other))
    }

    /// Whether every value of `other` is a value of `type_`: a question of its own after others, whose answers may help.
    /// Short questions do not count as steps, so that thousands of them need no memory.
    pub(crate) fn accepts_next(&mut self, type_: &Type, other: &Type) -> bool {
        let before = self.steps;
        let answer = self.accepts(type_, other);
        if self.memory.is_some() {
            for asked in [type_, other] {
                self.keep(asked);
            }
        }
        if self.steps - before < STEPS_OF_SHORT_QUESTION {
            self.steps = before;
        }
        answer
    }

    pub(crate) fn accepts_undef(&mut self, type_: &Type) -> bool {
        static UNDEF: Value = Value::Undef;
        self.has_instance(type_, &UNDEF)
    }

    /// Marks the query as failed because of an invalid type. The message needs other queries, so it is written last.
    pub(crate) fn refuse(&mut self, type_: &InitType) -> bool {
        self.memory().refused.get_or_insert_with(|| type_.clone());
        false
    }

    pub(crate) fn settled(self, answer: bool) -> Result<bool> {
        self.memory.and_then(|memory| memory.refused).map_or(Ok(answer), |type_| Err(type_.unusable().into()))
    }

    /// Keeps a type that a rule has created alive until the end of the query.
    pub(crate) fn keep(&mut self, type_: &Type) {
        if type_.address() != 0 {
            self.memory().kept.push(type_.clone());
        }
    }

    /// The type that `make` makes of `type_`: the same one each time, so that a question about it is recognised.
    pub(in crate::types) fn made_once(&mut self, type_: &Type, make: impl FnOnce(&mut Lattice) -> Type) -> Type {
        if let Some(made) = self.memory.as_ref().and_then(|memory| memory.made.get(&type_.identity())) {
            return made.clone();
        }
        let made = make(self);
        self.keep(type_);
        self.memory().made.insert(type_.identity(), made.clone());
        made
    }

    fn accepts_with_memory(&mut self, type_: &Type, other: &Type) -> bool {
        let pair = (type_.identity(), other.identity());
        let depth = self.depth;
        let memory = self.memory();
        if let Some(answer) = memory.answer(pair, depth) {
            return answer;
        }
        let number = memory.asking;
        memory.asking += 1;
        memory.pairs.insert(pair, Answer::Asked { number, depth });
        let outer = (memory.taken_for_true, memory.taken_for_false);
        (memory.taken_for_true, memory.taken_for_false) = (u32::MAX, u32::MAX);
        let first_provisional = memory.provisional.len();
        let answer = self.level(|lattice| lattice.accepts_by_form(type_, other));
        let memory = self.memory();
        memory.asking -= 1;
        memory.remember(pair, number, answer, first_provisional);
        // What this pair took its own answer to be is settled now.
        let still_open = |taken: u32| if taken >= number { u32::MAX } else { taken };
        memory.taken_for_true = outer.0.min(still_open(memory.taken_for_true));
        memory.taken_for_false = outer.1.min(still_open(memory.taken_for_false));
        answer
    }

    /// Takes apart what is on the right side, then what only the left side can say.
    fn accepts_by_form(&mut self, type_: &Type, other: &Type) -> bool {
        match other {
            Type::Alias(alias) => return alias.with_meaning(|meaning| self.accepts(type_, meaning)).unwrap_or(false),
            _ if let Some(meaning) = other.meaning() => return self.accepts(type_, meaning),
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
            _ if let Some(meaning) = type_.meaning() => self.accepts_by_rules(meaning, other),
            Type::Alias(alias) if let Some(answer) = alias.with_meaning(|meaning| self.accepts(meaning, other)) => {
                answer
            }
            _ => self.accepts_by_rules(type_, other),
        }
    }

    /// Compares by the type's own rule; if that fails, by the declared supertype of `other`.
    fn accepts_by_rules(&mut self, type_: &Type, other: &Type) -> bool {
        on_rules!(type_, rules => rules.accepts(other, self))
            || on_rules!(other, rules => rules.supertype()).is_some_and(|supertype| {
                self.keep(&supertype);
                self.accepts(type_, &supertype)
            })
    }
}

impl Memory {
    /// The result for a pair that is known or open.
    fn answer(&mut self, pair: (Identity, Identity), depth: u32) -> Option<bool> {
        match self.pairs.get(&pair)? {
            Answer::Known(answer) => Some(*answer),
            Answer::TrueIf { number } => {
                self.taken_for_true = self.taken_for_true.min(*number);
                Some(true)
            }
            Answer::Asked { number, depth: asked_at } if *asked_at < depth => {
                self.taken_for_true = self.taken_for_true.min(*number);
                Some(true)
            }
            Answer::Asked { number, .. } => {
                self.taken_for_false = self.taken_for_false.min(*number);
                Some(false)
            }
        }
    }

    /// What taking other pairs for true leads to is true only if they are; that it is false even so, is final. The
    /// other way round for pairs taken for false.
    fn remember(&mut self, pair: (Identity, Identity), number: u32, answer: bool, first_provisional: usize) {
        if answer && self.taken_for_true < number {
            self.provisional.push(pair);
            for provisional in self.provisional.iter().skip(first_provisional) {
                self.pairs.insert(*provisional, Answer::TrueIf { number: self.taken_for_true });
            }
            return;
        }
        for doubtful in self.provisional.drain(first_provisional..) {
            if answer {
                self.pairs.insert(doubtful, Answer::Known(true));
            } else {
                self.pairs.remove(&doubtful);
            }
        }
        if answer || self.taken_for_false >= number {
            self.pairs.insert(pair, Answer::Known(answer));
        } else {
            self.pairs.remove(&pair);
        }
    }
}

/// Whether a question about two types may lead to the same question again. An alias may refer to itself, as may the
/// type that an Init makes. Data and RichData do so inside of containers, so that the other side has to go down with them:
/// it ends, unless it is one of these itself.
fn may_come_back(type_: &Type, other: &Type) -> bool {
    matches!(type_, Type::Alias(_) | Type::Init(_))
        || matches!(other, Type::Alias(_) | Type::Init(_) | Type::Data(_) | Type::RichData(_))
}
