//! The rules that hold for every type, written once, and the memory of a question on its way through the types.
//!
//! *Aliases* stand for other types and may speak of themselves. Whether a type accepts another is asked coinductively:
//! a pair that is being asked about further up is taken for true when the way there went through a container (an
//! infinite unfolding that never fails does not fail), and for false when it did not (`type A = Optional[A]` says
//! nothing).
//!
//! *Towers*: a type that is shared many times (`type T2 = Variant[Tuple[T1, T1], Array[T1]]` and so on) would be asked
//! the same question again and again. Answers about pairs of types with an alias are remembered; answers about other
//! shared types, and about values, are remembered from the moment on when a question has become long
//! ([`STEPS_WITHOUT_MEMORY`]). So the usual question remembers nothing and allocates nothing, and none is asked more
//! often than type nodes times value nodes after that.

use rustc_hash::FxHashMap;

use super::data::DataType;
use super::error::TypeError;
use super::rich_data::RichDataType;
use super::{Identity, Rules, Type, on_rules};
use crate::error::Result;
use crate::interrupt;
use crate::stack;
use crate::value::Value;

/// How many containers and aliases a question meets before its answers are remembered: some milliseconds.
const STEPS_WITHOUT_MEMORY: u32 = 1 << 17;

/// How many steps a question may take and still be short.
const STEPS_OF_SHORT_QUESTION: u32 = 1 << 10;

/// How many aliases in a row, without a container in between, are not suspicious.
const HARMLESS_ALIASES: u32 = 32;

/// One question ("is this value of that type?", "does this type accept that one?") on its way.
#[derive(Debug)]
pub(crate) struct Lattice {
    /// Containers and aliases met so far.
    steps: u32,
    /// Aliases met on the way from the root of the question to here.
    nested_aliases: u32,
    /// Those of them after the first [`HARMLESS_ALIASES`], each with the address of the value it was asked about.
    open: Vec<(usize, usize)>,
    /// Answers about types and values, by address.
    instances: FxHashMap<(Identity, usize), bool>,
    /// Answers about pairs of types.
    pairs: FxHashMap<(Identity, Identity), Answer>,
    /// How many containers lie on the way from the root of the question to here.
    depth: u32,
    /// Pairs that are being asked about.
    asking: u32,
    /// The lowest number of a pair being asked about that was taken for true since the innermost was begun.
    taken_for_true: u32,
    /// The same for those taken for false.
    taken_for_false: u32,
    /// Pairs whose answer is [`Answer::TrueIf`], in the order in which they were asked.
    provisional: Vec<(Identity, Identity)>,
    /// Types that rules have made on the way: their addresses must not be used again before the question ends.
    kept: Vec<Type>,
    /// Why the question has no answer, if it has none.
    refused: Option<TypeError>,
}

/// What is known about a pair of types.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// Being asked about: its number, and the depth where.
    Asked {
        number: u32,
        depth: u32,
    },
    /// True if the pair of that number is, which is still being asked about.
    TrueIf {
        number: u32,
    },
    Known(bool),
}

impl Default for Lattice {
    fn default() -> Lattice {
        Lattice {
            steps: 0,
            nested_aliases: 0,
            open: Vec::new(),
            instances: FxHashMap::default(),
            pairs: FxHashMap::default(),
            depth: 0,
            asking: 0,
            taken_for_true: u32::MAX,
            taken_for_false: u32::MAX,
            provisional: Vec::new(),
            kept: Vec::new(),
            refused: None,
        }
    }
}

impl Lattice {
    /// Whether `value` is a value of `type_`.
    pub(crate) fn has_instance(&mut self, type_: &Type, value: &Value) -> bool {
        interrupt::step();
        let container = match value {
            Value::Array(elements) => elements.address(),
            Value::Hash(entries) => entries.address(),
            _ => 0,
        };
        let alias = matches!(type_, Type::Alias(_));
        if container == 0 && !alias {
            return self.has_instance_by_rules(type_, value);
        }
        self.steps = self.steps.saturating_add(1);
        let address = if container == 0 { std::ptr::from_ref(value) as usize } else { container };
        let memory = (self.steps > STEPS_WITHOUT_MEMORY).then(|| (type_.identity(), address));
        if let Some(known) = memory.and_then(|key| self.instances.get(&key)) {
            return *known;
        }
        let answer = if alias {
            self.alias_has_instance(type_, value, address)
        } else {
            self.has_instance_by_rules(type_, value)
        };
        if let Some(key) = memory {
            self.instances.insert(key, answer);
        }
        answer
    }

    fn has_instance_by_rules(&mut self, type_: &Type, value: &Value) -> bool {
        if type_.is_leaf() {
            return on_rules!(type_, rules => rules.has_instance(value, self));
        }
        stack::with_room(|| on_rules!(type_, rules => rules.has_instance(value, self)))
    }

    /// An alias that comes back to itself about the same value says nothing about it.
    fn alias_has_instance(&mut self, type_: &Type, value: &Value, address: usize) -> bool {
        self.nested_aliases += 1;
        let suspicious = self.nested_aliases > HARMLESS_ALIASES;
        let place = (type_.address(), address);
        let same_value = self.open.iter().rev().take_while(|(_, value)| *value == address);
        let answer = if suspicious && same_value.into_iter().any(|open| *open == place) {
            false
        } else {
            if suspicious {
                self.open.push(place);
            }
            let answer = self.has_instance_by_rules(type_, value);
            if suspicious {
                self.open.pop();
            }
            answer
        };
        self.nested_aliases -= 1;
        answer
    }

    /// Whether every value of `other`, which is an element or another part, is a value of `type_`, a part as well.
    pub(crate) fn accepts_part(&mut self, type_: &Type, other: &Type) -> bool {
        self.depth += 1;
        let answer = self.accepts(type_, other);
        self.depth -= 1;
        answer
    }

    /// Whether every value of `other` is a value of `type_`.
    pub(crate) fn accepts(&mut self, type_: &Type, other: &Type) -> bool {
        interrupt::step();
        if type_.is_leaf() && other.is_leaf() {
            return matches!(other, Type::Unit(_)) || self.accepts_by_rules(type_, other);
        }
        if matches!(type_, Type::Any(_) | Type::Unit(_)) || matches!(other, Type::Unit(_)) || type_.is_same(other) {
            return true;
        }
        self.steps = self.steps.saturating_add(1);
        let expands = meaning(type_).is_some() || meaning(other).is_some();
        if expands || self.steps > STEPS_WITHOUT_MEMORY {
            return self.accepts_with_memory(type_, other);
        }
        stack::with_room(|| self.accepts_by_form(type_, other))
    }

    /// Whether every value of `other` is a value of `type_`: a question of its own after others, whose answers may help.
    /// Short questions do not count as steps, so that thousands of them need no memory.
    pub(crate) fn accepts_next(&mut self, type_: &Type, other: &Type) -> bool {
        for asked in [type_, other] {
            if asked.address() != 0 {
                self.kept.push(asked.clone());
            }
        }
        let before = self.steps;
        let answer = self.accepts(type_, other);
        if self.steps - before < STEPS_OF_SHORT_QUESTION {
            self.steps = before;
        }
        answer
    }

    /// Whether undef is a value of `type_`.
    pub(crate) fn accepts_undef(&mut self, type_: &Type) -> bool {
        static UNDEF: Value = Value::Undef;
        self.has_instance(type_, &UNDEF)
    }

    /// The question has no answer, because a type cannot be used.
    pub(crate) fn refuse(&mut self, error: TypeError) -> bool {
        self.refused.get_or_insert(error);
        false
    }

    /// `answer`, unless there is none.
    ///
    /// # Errors
    /// A type was asked that cannot be used.
    pub(crate) fn settled(self, answer: bool) -> Result<bool> {
        self.refused.map_or(Ok(answer), |error| Err(error.into()))
    }

    /// Keeps a type that a rule has made alive to the end of the question.
    pub(crate) fn keep(&mut self, type_: Type) -> Type {
        self.kept.push(type_.clone());
        type_
    }

    fn accepts_with_memory(&mut self, type_: &Type, other: &Type) -> bool {
        let pair = (type_.identity(), other.identity());
        match self.pairs.get(&pair) {
            Some(Answer::Known(answer)) => return *answer,
            Some(Answer::TrueIf { number }) => {
                self.taken_for_true = self.taken_for_true.min(*number);
                return true;
            }
            Some(Answer::Asked { number, depth }) if *depth < self.depth => {
                self.taken_for_true = self.taken_for_true.min(*number);
                return true;
            }
            Some(Answer::Asked { number, .. }) => {
                self.taken_for_false = self.taken_for_false.min(*number);
                return false;
            }
            None => {}
        }
        let number = self.asking;
        self.asking += 1;
        self.pairs.insert(pair, Answer::Asked { number, depth: self.depth });
        let outer = (self.taken_for_true, self.taken_for_false);
        (self.taken_for_true, self.taken_for_false) = (u32::MAX, u32::MAX);
        let first_provisional = self.provisional.len();
        let answer = stack::with_room(|| self.accepts_by_form(type_, other));
        self.asking -= 1;
        self.remember(pair, number, answer, first_provisional);
        // What this pair took its own answer to be is settled now.
        let still_open = |taken: u32| if taken >= number { u32::MAX } else { taken };
        self.taken_for_true = outer.0.min(still_open(self.taken_for_true));
        self.taken_for_false = outer.1.min(still_open(self.taken_for_false));
        answer
    }

    /// What taking other pairs for true leads to is true only if they are; that it is false even so, is final. The
    /// other way round for pairs taken for false.
    fn remember(&mut self, pair: (Identity, Identity), number: u32, answer: bool, first_provisional: usize) {
        let settled = if answer {
            if self.taken_for_true < number {
                for at in first_provisional..self.provisional.len() {
                    self.pairs.insert(self.provisional[at], Answer::TrueIf { number: self.taken_for_true });
                }
                self.provisional.push(pair);
                self.pairs.insert(pair, Answer::TrueIf { number: self.taken_for_true });
                return;
            }
            Some(Answer::Known(true))
        } else {
            None
        };
        for doubtful in self.provisional.drain(first_provisional..) {
            match settled {
                Some(known) => self.pairs.insert(doubtful, known),
                None => self.pairs.remove(&doubtful),
            };
        }
        if answer || self.taken_for_false >= number {
            self.pairs.insert(pair, Answer::Known(answer));
        } else {
            self.pairs.remove(&pair);
        }
    }

    /// Takes apart what is on the right side, then what only the left side can say.
    fn accepts_by_form(&mut self, type_: &Type, other: &Type) -> bool {
        if let Some(meaning) = meaning(other) {
            return self.accepts(type_, meaning);
        }
        match other {
            Type::Alias(_) => return false,
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
        match meaning(type_) {
            Some(meaning) => self.accepts(meaning, other),
            None => self.accepts_by_rules(type_, other),
        }
    }

    /// A type knows which types it accepts; a type may also know one that accepts it.
    fn accepts_by_rules(&mut self, type_: &Type, other: &Type) -> bool {
        if on_rules!(type_, rules => rules.accepts(other, self)) {
            return true;
        }
        match on_rules!(other, rules => rules.wider()) {
            Some(wider) => {
                let wider = self.keep(wider);
                self.accepts(type_, &wider)
            }
            None => false,
        }
    }
}

/// What a name stands for.
fn meaning(type_: &Type) -> Option<&Type> {
    match type_ {
        Type::Alias(alias) => alias.resolved(),
        Type::Data(_) => Some(DataType::meaning()),
        Type::RichData(_) => Some(RichDataType::meaning()),
        _ => None,
    }
}
