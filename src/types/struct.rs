//! `Struct[{name => type}]`: hashes with specific keys.
//!
//! An instance has no keys other than the members. Membership looks up each member in the hash and compares the number
//! found with the number of entries, so that no key of the hash is looked up in the type. Real records usually have
//! their keys in the order of the type, so the entry at the same position is tried first.

use rustc_hash::FxHashSet;

use super::{
    Lattice, NestedType, NotUndefType, OptionalType, Replace, Result, Rules, Size, StringType, Type, TypeError,
    construct, describe, describe_safely, infer, row, single_argument,
};
use crate::interrupt;
use crate::value::{EcoString, Hash, Value};

/// Hashes with specific string keys, each of which has a type for its value.
///
/// A key may be missing if it is written `Optional['key']`, or if its value may be undef, unless it is written
/// `NotUndef['key']`. Bare `Struct` accepts only the empty hash.
/// ```
/// let pcore::Type::Struct(service) = "Struct[{name => String, Optional[port] => Integer}]".parse()? else { panic!() };
/// let port = &service.members()[1];
/// assert_eq!((port.name(), port.type_().to_string().as_str(), port.is_required()), ("port", "Integer", false));
/// # Ok::<(), pcore::Error>(())
/// ```
///
/// Source: language specification, "Struct".
/// Observed: Puppet 8.11 turns a value in the place of a type into its generalized type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StructType {
    members: Vec<Member>,
    /// The positions of the members, sorted by name, for a binary search; empty if there are at most eight.
    positions_by_name: Vec<u32>,
}

/// A member of a [`StructType`]: `Optional['name'] => type`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The key as a String value, for lookups in hashes.
    key: Value,
    presence: KeyPresence,
    type_: NestedType,
}

/// How a key is written, which decides whether it is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum KeyPresence {
    /// `'a'`: optional if the type of the value accepts undef
    Plain,
    /// `Optional['a']`
    Optional,
    /// `NotUndef['a']`
    Required,
}

impl Member {
    pub(crate) fn new(name: EcoString, presence: KeyPresence, type_: Type) -> Member {
        Member { key: Value::String(name), presence, type_: type_.into() }
    }

    pub(crate) fn key(&self) -> &Value {
        &self.key
    }

    fn key_equals(&self, key: &Value) -> bool {
        matches!((&self.key, key), (Value::String(name), Value::String(key)) if name == key)
    }

    /// The name of the key.
    pub fn name(&self) -> &str {
        self.key.as_str().unwrap_or_default()
    }

    pub(super) fn key_type(&self) -> Type {
        StringType::Text(self.name().into()).into()
    }

    /// The type of the value of this key.
    pub fn type_(&self) -> &Type {
        &self.type_
    }

    /// Whether the key is required.
    pub fn is_required(&self) -> bool {
        !self.may_be_missing(&mut Lattice::default())
    }

    pub(crate) fn may_be_missing(&self, lattice: &mut Lattice) -> bool {
        match self.presence {
            KeyPresence::Optional => true,
            KeyPresence::Required => false,
            KeyPresence::Plain => lattice.accepts_undef(&self.type_),
        }
    }
}

impl StructType {
    /// Creates a Struct of `members` in the order in which they are printed; their names must be unique.
    #[expect(clippy::indexing_slicing, reason = "`positions_by_name` holds the positions of all members")]
    pub(crate) fn new(members: Vec<Member>) -> StructType {
        let mut by_name = Vec::new();
        if members.len() > 8 {
            by_name.extend((0_u32..).take(members.len()));
            by_name.sort_by(|a, b| {
                interrupt::take_step();
                members[*a as usize].name().cmp(members[*b as usize].name())
            });
        }
        StructType { members, positions_by_name: by_name }
    }

    /// Returns the members in the order in which they were written.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the member called `name`, or `None` if there is none.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.member_position(0, name).and_then(|at| self.members.get(at))
    }

    /// Returns the position (from 0) of the member called `name`; `near` is tried first, as the likely position.
    #[expect(clippy::indexing_slicing, reason = "`positions_by_name` holds the positions of all members")]
    pub(crate) fn member_position(&self, near: usize, name: &str) -> Option<usize> {
        if self.members.get(near).is_some_and(|member| member.name() == name) {
            return Some(near);
        }
        if self.positions_by_name.is_empty() {
            return self.members.iter().position(|member| member.name() == name);
        }
        let at = self.positions_by_name.binary_search_by(|at| self.members[*at as usize].name().cmp(name)).ok()?;
        Some(self.positions_by_name[at] as usize)
    }

    pub(super) fn describe_mismatched_value(&self, hash: &Hash) -> Option<String> {
        let mut values = self.members.iter().filter_map(|member| Some((member, hash.get(member.key())?)));
        let (member, value) = values.find(|(member, value)| !member.type_().has_instance(value))?;
        let expected = member.type_().to_string_as_parameter();
        Some(format!("expected {expected} as {}, got {}", member.name(), describe_safely(member.type_(), value)))
    }

    /// Describes why `hash` does not match. `kind` is the plural noun for members in the message, such as `keys`.
    pub(super) fn describe_rejection(&self, hash: &Hash, kind: &str) -> String {
        if let Some(key) = hash.keys().find(|key| !self.members.iter().any(|member| member.key_equals(key))) {
            let names: Vec<&str> = self.members.iter().map(Member::name).collect();
            return format!("expected the {kind} {}, got the key {}", names.join(", "), describe(key));
        }
        self.describe_mismatched_value(hash).unwrap_or_else(|| {
            let missing = self.members.iter().filter(|member| member.is_required() && hash.get(member.key()).is_none());
            format!("expected a value for {}", missing.map(Member::name).collect::<Vec<_>>().join(" and "))
        })
    }

    /// Returns the size that other types compare with theirs: exactly one entry per member.
    ///
    /// Observed: Puppet 8.11 counts the members that may be missing, too.
    pub(super) fn size_in_comparisons(&self) -> Size {
        Size::exactly(self.members.len())
    }
}

/// Creates a member from a key in the brackets, `'a'`, `Optional['a']` or `NotUndef['a']`, and the type of its value.
fn parse_member(key: &Value, value: &Value) -> Result<Member> {
    let wrong = |problem: String| TypeError::invalid_parameter_error(StructType::NAME, problem);
    let (presence, key_type) = match key {
        Value::Type(Type::Optional(inner)) => (KeyPresence::Optional, inner.type_()),
        Value::Type(Type::NotUndef(inner)) => (KeyPresence::Required, inner.type_()),
        other => (KeyPresence::Plain, other.as_type()),
    };
    let ((Value::String(name), _) | (_, Some([name]))) = (key, key_type.and_then(Type::listed_strings)) else {
        let expected = "expected 'name', Optional['name'] or NotUndef['name'] as a key";
        return Err(wrong(format!("{expected}, got {}", describe(key))).into());
    };
    if name.is_empty() {
        return Err(wrong("a key cannot be empty".to_owned()).into());
    }
    Ok(Member::new(name.clone(), presence, infer::value_to_type(StructType::NAME, value)?))
}

impl Rules for StructType {
    row! {
        "Struct" ["{name => type, …}"] below "Hash": "hashes with specific keys, each with its own type";
        "{a => 1} =~ Struct[{a => Integer, Optional[b] => String}]" => "true",
        "{a => 1, z => 1} =~ Struct[{a => Integer}]" => "false",
        "Struct[1]" => "error BAD_TYPE_SPECIALIZATION",
        new "(Any $from)",
        new "(Array[Tuple[Array, Any], 1] $paths, Enum[tree, hash_tree] $build)",
        construct: construct::construct_hash;
    }
    const TAKES_ARRAYS: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let entries = match single_argument(Self::NAME, arguments)? {
            Value::Hash(entries) => entries,
            other => return Err(TypeError::wrong_parameter(Self::NAME, "a Hash of names and types", other).into()),
        };
        let members = entries.iter().map(|(key, value)| parse_member(key, value)).collect::<Result<Vec<_>>>()?;
        let members = StructType::new(members);
        let mut names = FxHashSet::default();
        if let Some(twice) = members.members.iter().map(Member::name).find(|name| !names.insert(*name)) {
            return Err(TypeError::invalid_parameter_error(Self::NAME, format!("duplicate key '{twice}'")).into());
        }
        Ok(members.into())
    }

    fn arguments(&self) -> Vec<Value> {
        if self.members.is_empty() {
            return Vec::new();
        }
        // A key is wrapped only where the type of its value says something else.
        let key = |member: &Member| match (member.presence, Lattice::default().accepts_undef(&member.type_)) {
            (KeyPresence::Optional, false) => Value::Type(OptionalType::new(member.key_type()).into()),
            (KeyPresence::Required, true) => Value::Type(NotUndefType::new(member.key_type()).into()),
            _ => member.key.clone(),
        };
        let entries = self.members.iter().map(|member| (key(member), Value::Type(member.type_().clone())));
        vec![Value::Hash(entries.collect::<Hash>())]
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Hash(entries) = value else { return false };
        let (length, mut found) = (entries.len(), 0);
        let is_met = |member: &Member| {
            let next = (found < length).then(|| entries.entry(found)).filter(|(key, _)| member.key_equals(key));
            match next.map(|(_, value)| value).or_else(|| entries.get(member.key())) {
                Some(value) => {
                    found += 1;
                    lattice.has_instance(member.type_(), value)
                }
                None => member.may_be_missing(lattice),
            }
        };
        length <= self.members.len() && self.members.iter().all(is_met) && found == length
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match other {
            Type::Struct(other) => {
                let mut found = 0;
                let accepts = |(at, member): (usize, &Member)| {
                    let may_be_missing = member.may_be_missing(lattice);
                    match other.member_position(at, member.name()).and_then(|at| other.members.get(at)) {
                        Some(given) => {
                            found += 1;
                            (may_be_missing || !given.may_be_missing(lattice))
                                && lattice.accepts_inner_type(member.type_(), given.type_())
                        }
                        None => may_be_missing,
                    }
                };
                self.members.iter().enumerate().all(accepts) && found == other.members.len()
            }
            // Observed: Puppet 8.11 asks for the size, and for the members that must be there for the value and whether the
            // key is some String.
            Type::Hash(other) => {
                let required: Vec<&Member> =
                    self.members.iter().filter(|member| !member.may_be_missing(lattice)).collect();
                required.iter().all(|member| lattice.accepts_inner_type(member.type_(), other.value()))
                    && (required.is_empty() || lattice.accepts_inner_type(&StringType::All.into(), other.key()))
                    && Size::exactly(required.len()).merged_size(self.size_in_comparisons()).accepts(other.size())
            }
            _ => false,
        }
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        let member = |member: &Member| Member { type_: replaced(&member.type_).into(), ..member.clone() };
        Some(StructType::new(self.members.iter().map(member).collect()).into())
    }
}
