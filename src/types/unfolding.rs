//! How a walk through types looks behind aliases.
//!
//! An alias may lead back to itself, and a few of them may lead to more types than anybody can count. So a walk through
//! types has an [`Unfolding`], which knows where the walk is: it shows the type of an alias only where the walk is not
//! behind it already, and ends a walk of too many steps. A walk down two types side by side is guarded by the pairs on
//! the way. Only questions of membership and of one type accepting another have a memory instead, the
//! [`super::Lattice`].

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::{AliasType, Identity, Rules, StringType, Type, UndefType, on_rules};
use crate::value::EcoString;
use crate::{interrupt, stack};

/// The position of a walk through types.
#[derive(Debug)]
pub(crate) struct Unfolding {
    /// The aliases and pairs on the current path; an alias is a pair with itself.
    open: FxHashSet<(Identity, Identity)>,
    left: usize,
}

impl Default for Unfolding {
    fn default() -> Unfolding {
        Unfolding::limited(usize::MAX)
    }
}

/// Why a walk does not enter an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Unresolved,
    /// The walk is inside the alias already, or has taken too many steps.
    Seen,
}

impl Unfolding {
    /// A position with a limit on the number of aliases and pairs.
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

pub(crate) trait Walk: Sized + Send {
    fn unfolding(&mut self) -> &mut Unfolding;

    /// Runs `look` on the type of an alias, with the alias noted as open.
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

    /// Runs `look` on two types side by side; `None` after too many steps, or if the walk is looking at them already.
    fn beside<T: Send>(&mut self, a: &Type, b: &Type, look: impl FnOnce(&mut Self) -> T + Send) -> Option<T> {
        let pair = (a.identity(), b.identity());
        if !self.unfolding().open(pair) {
            return None;
        }
        let found = stack::with_room(|| look(self));
        self.unfolding().open.remove(&pair);
        Some(found)
    }

    /// Runs `look` on a part of the value, for which no alias is open yet.
    fn with_no_alias_open<T: Send>(&mut self, look: impl FnOnce(&mut Self) -> T + Send) -> T {
        let outside = std::mem::take(&mut self.unfolding().open);
        let found = stack::with_room(|| look(self));
        self.unfolding().open = outside;
        found
    }
}

impl Walk for Unfolding {
    fn unfolding(&mut self) -> &mut Unfolding {
        self
    }
}

impl Type {
    /// Resolves aliases: the first type that is not an alias, or an alias that is unresolved or leads back to itself.
    pub fn behind_aliases(&self) -> Cow<'_, Type> {
        self.peeled(|_| None)
    }

    /// The first type that is not an alias and in which `inside` finds no other type; in a circle, one of its types.
    pub(crate) fn peeled(&self, inside: impl Fn(&Type) -> Option<&Type>) -> Cow<'_, Type> {
        let (mut type_, mut unfolding) = (Cow::Borrowed(self), Unfolding::default());
        loop {
            let inner = match &*type_ {
                Type::Alias(alias) => unfolding.first(alias).ok().map(Cow::into_owned),
                other => inside(other).cloned(),
            };
            let Some(inner) = inner else { return type_ };
            type_ = Cow::Owned(inner);
        }
    }

    /// The types that its values are of: behind aliases, and inside of Variant, Optional and `NotUndef`.
    pub(crate) fn alternatives(&self) -> Vec<Type> {
        self.branches(Type::types_around).map(|(_, type_)| type_).collect()
    }

    /// The strings that the type lists, in their case.
    pub(crate) fn listed_texts(&self) -> Option<&[EcoString]> {
        match self {
            Type::Enum(listed) if !listed.ignores_case() => Some(listed.values()),
            Type::String(string) if let StringType::Text(text) = &**string => Some(std::slice::from_ref(text)),
            _ => None,
        }
    }

    /// The types of a Variant, or the one inside of an Optional or `NotUndef`.
    pub(crate) fn types_around(&self) -> Option<Vec<Type>> {
        match self {
            Type::Variant(variant) => Some(variant.types().iter().map(|type_| (**type_).clone()).collect()),
            Type::Optional(optional) => Some(vec![optional.type_()?.clone()]),
            Type::NotUndef(not_undef) => Some(vec![not_undef.type_()?.clone()]),
            _ => None,
        }
    }

    /// The types of which a value is one: those of a Variant, or the one of an Optional and Undef.
    pub(crate) fn types_and_undef(&self) -> Option<Vec<Type>> {
        match self {
            Type::NotUndef(_) => None,
            Type::Optional(optional) => Some(vec![optional.type_()?.clone(), UndefType.into()]),
            other => other.types_around(),
        }
    }

    /// As [`Type::types_and_undef`], also of Data and `RichData`.
    pub(crate) fn types_in_data(&self) -> Option<Vec<Type>> {
        self.meaning().map_or_else(|| self.types_and_undef(), |meaning| Some(vec![meaning.clone()]))
    }

    /// The type that it is another name of: the Variant that Data or `RichData` means.
    pub(crate) fn meaning(&self) -> Option<&'static Type> {
        on_rules!(self, rules => rules.meaning())
    }

    /// The types that are left when `parts` has taken apart all that it can, also behind aliases. In front of each is its
    /// name: the alias that means it alone, or the type itself.
    pub(crate) fn branches(&self, parts: impl Fn(&Type) -> Option<Vec<Type>>) -> impl Iterator<Item = (Type, Type)> {
        let mut pending = vec![(self.clone(), self.clone())];
        let mut unfolding = Unfolding::default();
        std::iter::from_fn(move || {
            while let Some((named, type_)) = pending.pop() {
                let inner = match &type_ {
                    Type::Alias(alias) => match unfolding.first(alias) {
                        Ok(meaning) => Some(vec![meaning.into_owned()]),
                        Err(Stop::Seen) => continue,
                        Err(Stop::Unresolved) => None,
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
