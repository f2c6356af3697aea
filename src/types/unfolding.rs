//! How a walk through types looks behind aliases.
//!
//! An alias may lead back to itself, and a few of them may lead to more types than anybody can count. So a walk through
//! types has an [`Unfolding`], which knows where the walk is: it shows the type of an alias only where the walk is not
//! behind it already, and ends a walk of too many steps. A walk down two types side by side is guarded by the pairs on
//! the way. Only questions of membership and of one type accepting another have a memory instead, the
//! [`super::Lattice`]; and [`within`] is for walks that end at a depth.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::{AliasType, Identity, Type};
use crate::{interrupt, stack};

/// Where a walk through types is.
#[derive(Debug)]
pub(crate) struct Unfolding {
    /// The aliases and pairs on the way; an alias is a pair with itself.
    open: FxHashSet<(Identity, Identity)>,
    /// How many more may be entered.
    left: usize,
}

impl Default for Unfolding {
    fn default() -> Unfolding {
        Unfolding::limited(usize::MAX)
    }
}

/// Why a walk does not look behind an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The alias has no type.
    Unresolved,
    /// The walk is behind the alias already, or has taken too many steps.
    Seen,
}

impl Unfolding {
    /// One that ends a walk after so many aliases and pairs.
    pub(crate) fn limited(most: usize) -> Unfolding {
        Unfolding { open: FxHashSet::default(), left: most }
    }

    fn open(&mut self, place: (Identity, Identity)) -> bool {
        interrupt::step();
        let is_new = self.left > 0 && self.open.insert(place);
        self.left -= usize::from(is_new);
        is_new
    }

    pub(crate) fn is_over(&self) -> bool {
        self.left == 0
    }

    /// The type of an alias, the first time that the walk meets it.
    pub(crate) fn first<'a>(&mut self, alias: &'a AliasType) -> Result<Cow<'a, Type>, Stop> {
        let meaning = alias.resolved().ok_or(Stop::Unresolved)?;
        if self.open(place(alias)) { Ok(meaning) } else { Err(Stop::Seen) }
    }
}

fn place(alias: &AliasType) -> (Identity, Identity) {
    let identity = Identity::At(std::ptr::from_ref(alias) as usize);
    (identity, identity)
}

/// A recursive walk through types.
pub(crate) trait Walk: Sized + Send {
    fn unfolding(&mut self) -> &mut Unfolding;

    /// What `look` finds in the type of an alias, with the walk behind it.
    fn behind<T: Send>(
        &mut self,
        alias: &AliasType,
        look: impl FnOnce(&mut Self, &Type) -> T + Send,
    ) -> Result<T, Stop> {
        let meaning = self.unfolding().first(alias)?;
        let found = stack::with_room(|| look(self, &meaning));
        self.unfolding().open.remove(&place(alias));
        Ok(found)
    }

    /// What `look` finds in two types side by side; `None` if the walk has taken too many steps, or is looking at these
    /// two already.
    fn beside<T: Send>(&mut self, a: &Type, b: &Type, look: impl FnOnce(&mut Self) -> T + Send) -> Option<T> {
        let pair = (a.identity(), b.identity());
        if !self.unfolding().open(pair) {
            return None;
        }
        let found = stack::with_room(|| look(self));
        self.unfolding().open.remove(&pair);
        Some(found)
    }

    /// What `look` finds in a part, where the value is another one, so that no alias is open.
    fn afresh<T: Send>(&mut self, look: impl FnOnce(&mut Self) -> T + Send) -> T {
        let outside = std::mem::take(&mut self.unfolding().open);
        let found = stack::with_room(|| look(self));
        self.unfolding().open = outside;
        found
    }
}

/// The type of an alias for a walk that ends at the depth `most`.
pub(crate) fn within(alias: &AliasType, depth: usize, most: usize) -> Result<Cow<'_, Type>, Stop> {
    let meaning = alias.resolved().ok_or(Stop::Unresolved)?;
    if depth < most { Ok(meaning) } else { Err(Stop::Seen) }
}

impl Type {
    /// Resolves aliases: the first type that is not an alias, or an alias that is unresolved or leads back to itself.
    pub fn behind_aliases(&self) -> Cow<'_, Type> {
        self.peeled(|_| None)
    }

    /// The first type that is not an alias, and in which `inside` finds no other type. Where there is none, one of those
    /// that lead back to themselves.
    pub(crate) fn peeled(&self, inside: impl Fn(&Type) -> Option<&Type>) -> Cow<'_, Type> {
        let mut type_ = Cow::Borrowed(self);
        // Every type is compared with one of those before, which is changed after 1, 2, 4, … steps (Brent).
        let (mut before, mut steps, mut most) = (None::<Type>, 0_u32, 1_u32);
        loop {
            let inner = match &*type_ {
                Type::Alias(alias) => alias.resolved().map(Cow::into_owned),
                other => inside(other).cloned(),
            };
            let Some(inner) = inner else { return type_ };
            if before.as_ref().is_some_and(|before| before.is_same(&inner)) {
                return Cow::Owned(inner);
            }
            steps += 1;
            if steps == most {
                (before, steps, most) = (Some(inner.clone()), 0, most.saturating_mul(2));
            }
            interrupt::step();
            type_ = Cow::Owned(inner);
        }
    }

    /// The types that its values are of: behind aliases, and inside of Variant, Optional and `NotUndef`.
    pub(crate) fn alternatives(&self) -> Vec<Type> {
        let mut alternatives = Vec::new();
        let mut pending = vec![self.clone()];
        let mut unfolding = Unfolding::default();
        while let Some(type_) = pending.pop() {
            let inner = match &type_ {
                Type::Alias(alias) => match unfolding.first(alias) {
                    Ok(meaning) => Some(meaning.into_owned()),
                    Err(Stop::Seen) => continue,
                    Err(Stop::Unresolved) => None,
                },
                Type::Variant(variant) => {
                    pending.extend(variant.types().iter().rev().map(|child| (**child).clone()));
                    continue;
                }
                Type::Optional(optional) => optional.type_().cloned(),
                Type::NotUndef(not_undef) => not_undef.type_().cloned(),
                _ => None,
            };
            match inner {
                Some(inner) => pending.push(inner),
                None => alternatives.push(type_),
            }
        }
        alternatives
    }
}
