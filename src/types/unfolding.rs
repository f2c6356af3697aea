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

/// The state of a walk through types and aliases.
#[derive(Debug)]
pub(crate) struct Unfolding {
    /// The pairs of types being compared on the current path; an alias alone is a pair with itself.
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
    /// The alias is already on the current path, or the walk has taken too many steps.
    Seen,
}

impl Unfolding {
    /// A new walk that visits at most `most` aliases and pairs.
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

    /// The type of an alias that the walk has not met yet; an error tells why it does not enter the alias.
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

    /// Calls `look` on the type of an alias, which is on the current path meanwhile.
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

    /// Calls `look` for the pair `a` and `b`; `None` after too many steps, or if the pair is on the current path.
    fn beside<T: Send>(&mut self, a: &Type, b: &Type, look: impl FnOnce(&mut Self) -> T + Send) -> Option<T> {
        let pair = (a.identity(), b.identity());
        if !self.unfolding().open(pair) {
            return None;
        }
        let found = stack::with_room(|| look(self));
        self.unfolding().open.remove(&pair);
        Some(found)
    }

    /// Calls `look` for a part of the value, with an empty path of aliases.
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

    /// Follows aliases and `inside` to the first type where both end; in a cycle, returns one of its types.
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

    /// The alternatives of a type: resolves aliases, and takes the types inside Variant, Optional and `NotUndef`.
    pub(crate) fn alternatives(&self) -> Vec<Type> {
        self.branches(Type::types_around).map(|(_, type_)| type_).collect()
    }

    /// The strings that an Enum or a similar type lists, in their original case; `None` for other types.
    pub(crate) fn listed_texts(&self) -> Option<&[EcoString]> {
        match self {
            Type::Enum(listed) if !listed.ignores_case() => Some(listed.values()),
            Type::String(string) if let StringType::Text(text) = &**string => Some(std::slice::from_ref(text)),
            _ => None,
        }
    }

    /// The types inside a Variant, Optional or `NotUndef`; `None` for other types.
    pub(crate) fn types_around(&self) -> Option<Vec<Type>> {
        match self {
            Type::Variant(variant) => Some(variant.types().iter().map(|type_| (**type_).clone()).collect()),
            Type::Optional(optional) => Some(vec![optional.type_()?.clone()]),
            Type::NotUndef(not_undef) => Some(vec![not_undef.type_()?.clone()]),
            _ => None,
        }
    }

    /// The alternatives of a Variant, or of an Optional: its type and Undef; `None` for other types.
    pub(crate) fn types_and_undef(&self) -> Option<Vec<Type>> {
        match self {
            Type::NotUndef(_) => None,
            Type::Optional(optional) => Some(vec![optional.type_()?.clone(), UndefType.into()]),
            other => other.types_around(),
        }
    }

    /// As [`Type::types_and_undef`], but also splits Data and `RichData`.
    pub(crate) fn types_in_data(&self) -> Option<Vec<Type>> {
        self.meaning().map_or_else(|| self.types_and_undef(), |meaning| Some(vec![meaning.clone()]))
    }

    /// The Variant of which Data or `RichData` is the name; `None` for other types.
    pub(crate) fn meaning(&self) -> Option<&'static Type> {
        on_rules!(self, rules => rules.meaning())
    }

    /// Splits the type by `parts` as long as possible, also behind aliases; returns each remaining type with its name:
    /// the alias for this type alone, or the type itself.
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
