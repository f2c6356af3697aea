//! `type Port = Integer[1, 65535]`: type aliases, names for types; an alias may be recursive.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock, TryLockError};

use rustc_hash::FxHashMap;

use super::normalization::TypeNormalizer;
use super::{
    Lattice, ObjectType, RichDataType, Rules, Type, TypeError, TypeReferenceType, TypeWriter, Value, row, written,
};
use crate::error::{Error, Result};
use crate::stack;

pub(crate) fn alias_cycle_error(name: &str) -> Error {
    TypeError::ResolvesToItself { names: vec![name.to_owned(); 2] }.into()
}

/// A named alias of a type; the type is set by [`AliasType::resolve`].
///
/// An alias is created first and resolved later, so that its type can refer to the alias. Aliases are compared by
/// identity. A recursive alias is freed only after [`crate::Session::close`] has removed its type.
///
/// ```
/// use pcore::types::{AliasType, Type};
///
/// // A tree: the alias exists before the type that mentions it.
/// let tree = AliasType::new("Tree");
/// let children: Type = pcore::types::ArrayType::new(Type::Alias(tree.clone()), None).into();
/// tree.resolve(children)?;
/// let value = pcore::Session::default().eval("[[], [[]]]")?;
/// assert!(Type::Alias(tree).has_instance(&value));
/// # Ok::<(), pcore::Error>(())
/// ```
///
/// Source: language specification, "Type Aliases".
#[derive(Debug)]
pub struct AliasType {
    name: Arc<str>,
    target: OnceLock<AliasTarget>,
    /// Whether the alias is known to resolve to a type other than itself; false if that was not checked yet.
    is_known_to_resolve: AtomicBool,
    /// Whether the string form of the alias is only its name, without its type.
    pub(super) prints_only_name: bool,
}

#[derive(Debug)]
enum AliasTarget {
    /// A type that does not contain the alias, and lives as long as the alias.
    Fixed(Type),
    /// A type that may contain the alias: a reference cycle, which lasts until the type is removed.
    Revocable(RwLock<Option<Type>>),
}

impl AliasTarget {
    /// Calls `look` with the type, which cannot be removed during the call; returns `None` if it was removed.
    fn read_type<T>(&self, look: impl FnOnce(&Type) -> T) -> Option<T> {
        match self {
            AliasTarget::Fixed(type_) => Some(look(type_)),
            AliasTarget::Revocable(type_) => type_.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(look),
        }
    }
}

/// The built-in aliases. Observed: Puppet 7.23; `TypeAlias` is the type of the aliases, and has no instances.
static BUILT_IN_ALIASES: LazyLock<[(&str, Arc<AliasType>); 8]> = LazyLock::new(|| {
    let made = |name, type_, is_opaque| {
        let meaning = AliasTarget::Fixed(type_).into();
        (name, Arc::new(AliasType { target: meaning, prints_only_name: is_opaque, ..AliasType::new_unresolved(name) }))
    };
    let pattern = |name, pattern: &str| made(name, written!(Pattern[(pattern)]), false);
    [
        made("RichDataKey", written!(Variant[String, Numeric]), true),
        made("Puppet::LookupKey", written!(Variant[String, Numeric]), true),
        made("Puppet::LookupValue", RichDataType.into(), true),
        ("TypeAlias", Arc::new(AliasType::default())),
        pattern("Pcore::MemberName", r"\A[a-z_]\w*\z"),
        pattern("Pcore::SimpleTypeName", r"\A[A-Z]\w*\z"),
        pattern("Pcore::TypeName", r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z"),
        pattern("Pcore::QRef", r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z"),
    ]
});

pub(super) fn built_in_alias(name: &str) -> Option<Type> {
    let (_, alias) = BUILT_IN_ALIASES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(Type::Alias(alias.clone()))
}

impl AliasType {
    /// Creates an unresolved alias called `name`.
    pub fn new(name: impl Into<Arc<str>>) -> Arc<AliasType> {
        Arc::new(AliasType::new_unresolved(name))
    }

    fn new_unresolved(name: impl Into<Arc<str>>) -> AliasType {
        AliasType {
            name: name.into(),
            target: OnceLock::new(),
            is_known_to_resolve: false.into(),
            prints_only_name: false,
        }
    }

    /// Returns the name as it was defined.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the aliased type; `None` before [`AliasType::resolve`] and after [`crate::Session::close`].
    pub fn resolved(&self) -> Option<Cow<'_, Type>> {
        match self.target.get()? {
            AliasTarget::Fixed(type_) => Some(Cow::Borrowed(type_)),
            revocable @ AliasTarget::Revocable(_) => revocable.read_type(|type_| Cow::Owned(type_.clone())),
        }
    }

    /// Calls `look` with the aliased type, without cloning the type; `None` if there is no type.
    pub(crate) fn call_with_target_type<T>(&self, look: impl FnOnce(&Type) -> T) -> Option<T> {
        self.target.get()?.read_type(look)
    }

    /// Whether the alias is resolved to a type that contains no recursive or unresolved alias.
    pub(super) fn is_resolved_acyclic(&self) -> bool {
        matches!(self.target.get(), Some(AliasTarget::Fixed(_)))
    }

    /// Removes the type of a recursive alias for good, so that its memory is freed; does nothing while it is in use.
    pub(crate) fn drop_cyclic_type(&self) {
        let Some(AliasTarget::Revocable(type_)) = self.target.get() else { return };
        // Waiting would lock out a reader that comes to the alias again further down.
        let taken = match type_.try_write() {
            Ok(mut type_) => type_.take(),
            Err(TryLockError::Poisoned(type_)) => type_.into_inner().take(),
            Err(TryLockError::WouldBlock) => None,
        };
        drop(taken);
    }

    /// Sets the aliased type; further calls have no effect. An unnamed Object type gets the name of the alias.
    ///
    /// # Errors
    /// `RUNTIME_ERROR` when `type_` is nothing but this alias again (itself, or by way of other aliases,
    /// Variants, Optionals and `NotUndef`s), and the message names the cycle; or when it is a Variant without types. The
    /// alias is resolved all the same, and has no instances.
    pub fn resolve(self: &Arc<AliasType>, type_: Type) -> Result<()> {
        let meaning = self.target.get_or_init(move || {
            let type_ = self.simplify_target(type_);
            if type_.is_resolved_acyclic() {
                AliasTarget::Fixed(type_)
            } else {
                AliasTarget::Revocable(RwLock::new(Some(type_)))
            }
        });
        let inherits_from_itself =
            meaning.read_type(|type_| matches!(type_, Type::Object(object) if self.is_ancestor_of(object)));
        if inherits_from_itself == Some(true) {
            return Err(TypeError::InheritsFromItself { name: self.name.to_string() }.into());
        }
        let mut circle = AliasCycleSearch::default();
        match circle.classify_alias(self) {
            AliasOutcome::Type | AliasOutcome::Unresolved => Ok(()),
            AliasOutcome::Cycle if circle.cycle_names.is_empty() => {
                Err(TypeError::NoTypes { name: self.name.to_string() }.into())
            }
            AliasOutcome::Cycle => Err(TypeError::ResolvesToItself { names: circle.cycle_names }.into()),
        }
    }

    /// Normalizes the type that the alias gets; removes the alias itself from a Variant, where it adds nothing.
    ///
    /// Observed: Puppet 8.11 prints the alias `type X = Variant[Integer, Undef, X]` as `X = Optional[Integer]`.
    fn simplify_target(self: &Arc<AliasType>, type_: Type) -> Type {
        let Type::Variant(variant) = &type_ else {
            return TypeNormalizer::default().normalize(&type_).name_if_unnamed(&self.name);
        };
        let is_alias = |type_: &Type| matches!(type_, Type::Alias(alias) if Arc::ptr_eq(alias, self));
        let types: Vec<&Type> = variant.types().iter().map(|type_| &**type_).filter(|type_| !is_alias(type_)).collect();
        if types.is_empty() { type_ } else { TypeNormalizer::default().normalize_variant(types.into_iter()) }
    }

    fn is_ancestor_of(self: &Arc<AliasType>, object: &ObjectType) -> bool {
        let next = |parent: &Type| match parent {
            Type::Alias(alias) => alias.resolved().map(Cow::into_owned),
            Type::Object(object) => object.declared_parent().cloned(),
            _ => None,
        };
        let lineage = std::iter::successors(object.declared_parent().cloned(), next);
        // Nobody inherits that often.
        lineage.take(256).any(|parent| matches!(parent, Type::Alias(alias) if Arc::ptr_eq(&alias, self)))
    }
}

#[derive(Default)]
struct AliasCycleSearch {
    alias_path: Vec<Arc<AliasType>>,
    /// The result for each visited alias, by address; aliases on the current path lead to [`AliasOutcome::Cycle`].
    outcomes: FxHashMap<usize, AliasOutcome>,
    /// The names on the first cycle found, from an alias to itself.
    cycle_names: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AliasOutcome {
    /// The chain leads only to aliases on the current path: a cycle.
    Cycle,
    /// The chain leads to an alias that is not resolved yet.
    Unresolved,
    Type,
}

impl AliasCycleSearch {
    /// Returns where the aliases in `type_` lead. Observed: Puppet 7.23 refuses an alias of a Variant without types.
    fn classify_type(&mut self, type_: &Type) -> AliasOutcome {
        match type_ {
            Type::Alias(alias) => self.classify_alias(alias),
            Type::Variant(variant) => {
                variant.types().iter().map(|type_| self.classify_type(type_)).max().unwrap_or(AliasOutcome::Cycle)
            }
            Type::NotUndef(inner) => inner.type_().map_or(AliasOutcome::Type, |type_| self.classify_type(type_)),
            _ => AliasOutcome::Type,
        }
    }

    fn classify_alias(&mut self, alias: &Arc<AliasType>) -> AliasOutcome {
        if alias.is_known_to_resolve.load(Ordering::Relaxed) {
            return AliasOutcome::Type;
        }
        let address = Arc::as_ptr(alias) as usize;
        if let Some(end) = self.outcomes.get(&address).copied() {
            if self.cycle_names.is_empty()
                && let Some(at) = self.alias_path.iter().position(|open| Arc::ptr_eq(open, alias))
            {
                let way = self.alias_path.iter().skip(at).chain([alias]);
                self.cycle_names = way.map(|alias| alias.name.to_string()).collect();
            }
            return end;
        }
        let Some(resolved) = alias.resolved() else { return AliasOutcome::Unresolved };
        self.alias_path.push(alias.clone());
        self.outcomes.insert(address, AliasOutcome::Cycle);
        let end = stack::with_room(|| self.classify_type(&resolved));
        self.alias_path.pop();
        self.outcomes.insert(address, end);
        alias.is_known_to_resolve.fetch_or(end == AliasOutcome::Type, Ordering::Relaxed);
        end
    }
}

impl PartialEq for AliasType {
    fn eq(&self, other: &AliasType) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for AliasType {}

impl Hash for AliasType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Default for AliasType {
    fn default() -> AliasType {
        let unknown = Type::from(TypeReferenceType::default());
        AliasType { target: AliasTarget::Fixed(unknown).into(), ..AliasType::new_unresolved("UnresolvedAlias") }
    }
}

impl Rules for AliasType {
    row! {
        "TypeAlias" below "Any": "a name for another type";
        "type Port = Integer[1, 65535]\n80 =~ Port" => "true",
    }
    const HIDDEN: bool = true;

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        self.call_with_target_type(|meaning| lattice.has_instance(meaning, value)).unwrap_or(false)
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        self.call_with_target_type(|meaning| lattice.accepts(meaning, other)).unwrap_or(false)
    }

    fn write_code(&self, out: &mut TypeWriter) {
        out.write_alias(self);
    }
}
