//! Resolves aliases during walks through types.
//!
//! Aliases may be recursive, and a few of them may expand to more types than can be visited. A [`TypeWalkState`]
//! records the current path of a walk: it enters an alias only if that is not on the path, and ends the walk after too
//! many steps. A walk through two types side by side records pairs of types. Only the tests whether a type has an
//! instance or accepts another type use a cache instead, the [`super::Lattice`].

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::{AliasType, Identity, Rules, StringType, Type, UndefType, on_rules};
use crate::value::EcoString;
use crate::{interrupt, stack};

/// The path of a walk through types and aliases, and the number of steps that it may still take.
#[derive(Debug)]
pub(crate) struct TypeWalkState {
    /// The aliases and pairs of types that are being visited; an alias is stored as a pair with itself.
    path: FxHashSet<(Identity, Identity)>,
    steps_left: usize,
}

impl Default for TypeWalkState {
    fn default() -> TypeWalkState {
        TypeWalkState::with_limit(usize::MAX)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WalkStop {
    Unresolved,
    /// The alias is already on the current path, or the walk has taken too many steps.
    Seen,
}

impl TypeWalkState {
    /// Starts a walk that visits at most `most` aliases and pairs.
    pub(crate) fn with_limit(most: usize) -> TypeWalkState {
        TypeWalkState { path: FxHashSet::default(), steps_left: most }
    }

    fn enter_pair(&mut self, place: (Identity, Identity)) -> bool {
        interrupt::take_step();
        let is_new = self.steps_left > 0 && self.path.insert(place);
        self.steps_left -= usize::from(is_new);
        is_new
    }

    pub(crate) fn is_limit_reached(&self) -> bool {
        self.steps_left == 0
    }

    /// Adds `alias` to the path and returns its type, or the reason why the walk cannot enter the alias.
    pub(crate) fn enter_alias<'a>(&mut self, alias: &'a AliasType) -> Result<Cow<'a, Type>, WalkStop> {
        let meaning = alias.resolved().ok_or(WalkStop::Unresolved)?;
        if self.enter_pair(pair_of_alias(alias)) { Ok(meaning) } else { Err(WalkStop::Seen) }
    }
}

fn pair_of_alias(alias: &AliasType) -> (Identity, Identity) {
    let identity = Identity::At(std::ptr::from_ref(alias) as usize);
    (identity, identity)
}

pub(crate) trait TypeWalk: Sized + Send {
    fn walk_state(&mut self) -> &mut TypeWalkState;

    /// Calls `look` with the type of `alias`, which is on the path during the call.
    fn walk_behind_alias<T: Send>(
        &mut self,
        alias: &AliasType,
        look: impl FnOnce(&mut Self, &Type) -> T + Send,
    ) -> Result<T, WalkStop> {
        let meaning = self.walk_state().enter_alias(alias)?;
        let found = stack::with_room(|| look(self, &meaning));
        self.walk_state().path.remove(&pair_of_alias(alias));
        Ok(found)
    }

    /// Calls `look` with the pair `a` and `b` on the path; `None` after too many steps, or if they are on it already.
    fn walk_pair<T: Send>(&mut self, a: &Type, b: &Type, look: impl FnOnce(&mut Self) -> T + Send) -> Option<T> {
        let pair = (a.identity(), b.identity());
        if !self.walk_state().enter_pair(pair) {
            return None;
        }
        let found = stack::with_room(|| look(self));
        self.walk_state().path.remove(&pair);
        Some(found)
    }

    /// Calls `look` with an empty path, for a part of a value: its type may contain the aliases on the path again.
    fn with_empty_path<T: Send>(&mut self, look: impl FnOnce(&mut Self) -> T + Send) -> T {
        let outside = std::mem::take(&mut self.walk_state().path);
        let found = stack::with_room(|| look(self));
        self.walk_state().path = outside;
        found
    }
}

impl TypeWalk for TypeWalkState {
    fn walk_state(&mut self) -> &mut TypeWalkState {
        self
    }
}

impl Type {
    /// Follows aliases to the first other type; returns an alias if it is unresolved or leads only to itself.
    pub fn behind_aliases(&self) -> Cow<'_, Type> {
        self.unwrap_layers(|_| None)
    }

    /// Replaces aliases by their types, and other types by `inside` of them, until that is `None` or an alias repeats.
    pub(crate) fn unwrap_layers(&self, inside: impl Fn(&Type) -> Option<&Type>) -> Cow<'_, Type> {
        /// The number of layers that are unwrapped before cycles are searched, which takes memory.
        const LAYERS_BEFORE_CYCLE_CHECK: u32 = 12;
        let (mut type_, mut unfolding, mut layer) = (Cow::Borrowed(self), TypeWalkState::default(), 0);
        loop {
            layer += 1;
            let inner = match &*type_ {
                Type::Alias(alias) if layer <= LAYERS_BEFORE_CYCLE_CHECK => alias.resolved().map(Cow::into_owned),
                Type::Alias(alias) => unfolding.enter_alias(alias).ok().map(Cow::into_owned),
                other => inside(other).cloned(),
            };
            let Some(inner) = inner else { return type_ };
            type_ = Cow::Owned(inner);
        }
    }

    /// Returns the types that remain after resolving aliases and splitting Variant, Optional and `NotUndef`.
    pub(crate) fn alternatives(&self) -> Vec<Type> {
        self.split_recursively(Type::wrapped_types).map(|(_, type_)| type_).collect()
    }

    /// Returns the strings of an Enum that is case-sensitive, or of a type of one string; `None` for other types.
    pub(crate) fn listed_strings(&self) -> Option<&[EcoString]> {
        match self {
            Type::Enum(listed) if !listed.ignores_case() => Some(listed.values()),
            Type::String(string) if let StringType::Text(text) = &**string => Some(std::slice::from_ref(text)),
            _ => None,
        }
    }

    pub(crate) fn wrapped_types(&self) -> Option<Vec<Type>> {
        match self {
            Type::Variant(variant) => Some(variant.types().iter().map(|type_| (**type_).clone()).collect()),
            Type::Optional(optional) => Some(vec![optional.type_()?.clone()]),
            Type::NotUndef(not_undef) => Some(vec![not_undef.type_()?.clone()]),
            _ => None,
        }
    }

    /// Returns the types of a Variant, or the type of an Optional and Undef; `None` for other types.
    pub(crate) fn union_members(&self) -> Option<Vec<Type>> {
        match self {
            Type::NotUndef(_) => None,
            Type::Optional(optional) => Some(vec![optional.type_()?.clone(), UndefType.into()]),
            other => other.wrapped_types(),
        }
    }

    /// Returns the branches of a Variant, Optional or Data, with aliases resolved; only the type itself for other types.
    pub(crate) fn branches(&self) -> impl Iterator<Item = Type> {
        let as_variant = |type_: &Type| type_.variant_of_data().map(|variant| vec![variant.clone()]);
        self.split_recursively(move |type_| as_variant(type_).or_else(|| type_.union_members())).map(|(_, type_)| type_)
    }

    /// Returns the Variant that defines Data or `RichData`; `None` for other types.
    pub(crate) fn variant_of_data(&self) -> Option<&'static Type> {
        on_rules!(self, rules => rules.expansion())
    }

    /// Resolves aliases and splits other types by `parts` until it returns `None`. Returns pairs of a name and a
    /// remaining type: the name is the alias that leads to this type alone, or else the type itself.
    pub(crate) fn split_recursively(
        &self,
        parts: impl Fn(&Type) -> Option<Vec<Type>>,
    ) -> impl Iterator<Item = (Type, Type)> {
        let mut pending = vec![(self.clone(), self.clone())];
        let mut unfolding = TypeWalkState::default();
        std::iter::from_fn(move || {
            while let Some((named, type_)) = pending.pop() {
                let inner = match &type_ {
                    Type::Alias(alias) => match unfolding.enter_alias(alias) {
                        Ok(meaning) => Some(vec![meaning.into_owned()]),
                        Err(WalkStop::Seen) => continue,
                        Err(WalkStop::Unresolved) => None,
                    },
                    other => parts(other),
                };
                match inner.as_deref() {
                    None => return Some((named, type_)),
                    Some([only]) if matches!(named, Type::Alias(_)) => pending.push((named, only.clone())),
                    Some(types) => pending.extend(types.iter().rev().map(|type_| (type_.clone(), type_.clone()))),
                }
            }
            None
        })
    }
}
