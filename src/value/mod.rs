//! Values: immutable and cheap to clone, because clones share their content.
//!
//! There is one variant for each kind of value; larger kinds have their own files. Rust's `==` compares exactly, as the
//! keys of a hash are compared. Puppet's `==`, which ignores the case of strings, is in `operators::equality`.

pub mod array;
pub mod binary;
pub mod callable;
mod convert;
pub mod hash;
pub mod iterator;
pub mod number;
pub mod object;
pub mod semver;
pub mod semver_range;
mod serde;
pub(crate) mod tree;
pub mod uri;

use std::hash::{Hash as StdHash, Hasher};
use std::{fmt, mem, sync::Arc};

/// The content of a String. Up to 15 bytes are stored in the value itself; copies of longer strings share their bytes.
pub use ecow::EcoString;

#[cfg(feature = "serde")]
pub use self::serde::{from_value, to_value};
use crate::regexp::Regexp;
use crate::secrets::Secrets;
use crate::time::{Timespan, Timestamp};
use crate::types::Type;
use crate::{format, interrupt};
pub use array::Array;
pub use binary::Binary;
pub use callable::Callable;
pub(crate) use convert::copy_string;
pub use hash::Hash;
pub use iterator::Iterator;
pub use object::Object;
pub use semver::SemVer;
pub use semver_range::SemVerRange;
pub use uri::Uri;

/// A value of the Puppet language.
///
/// ```
/// use pcore::{Session, Value};
/// let mut session = Session::default();
/// let value = session.eval("{'ports' => [80, 443], 'tls' => true}")?;
/// let Value::Hash(hash) = &value else { panic!("a Hash") };
/// assert_eq!(hash.get_str("tls").and_then(Value::as_bool), Some(true));
/// let ports: Vec<u16> = hash.get_str("ports").unwrap().clone().try_into()?;
/// assert_eq!(ports, [80, 443]);
/// # Ok::<(), pcore::Error>(())
/// ```
///
/// `==` compares exactly: two values are equal if they are the same key of a hash.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `undef`
    #[default]
    Undef,
    /// `default`
    Default,
    /// `true`
    Boolean(bool),
    /// `10`
    Integer(i64),
    /// `1.5`
    Float(f64),
    /// `'text'`
    String(EcoString),
    /// `/text/`
    Regexp(Arc<Regexp>),
    /// `[1, 2]`
    Array(Array),
    /// `{a => 1}`
    Hash(Hash),
    /// `Integer[1, 2]`
    Type(Type),
    /// `Sensitive('text')`: only `unwrap` returns the content
    Sensitive(Arc<Value>),
    /// `Binary('YWJj')`
    Binary(Binary),
    /// `SemVer('1.2.3')`
    SemVer(Arc<SemVer>),
    /// `SemVerRange('>=1.0.0')`
    SemVerRange(Arc<SemVerRange>),
    /// `Timespan('1-02:03:04')`
    Timespan(Timespan),
    /// `Timestamp('2016-08-24')`
    Timestamp(Timestamp),
    /// `URI('http://example.com')`
    Uri(Arc<Uri>),
    /// `Point(1, 2)`, `Error('message')`: an instance of an Object type
    Object(Arc<Object>),
    /// `[1, 2].reverse_each`
    Iterator(Arc<Iterator>),
    /// `|$x| { }`: a lambda that is passed to a function, or a function
    Callable(Arc<dyn Callable>),
}

impl Value {
    /// Creates a Sensitive, and registers the strings in its content as [`Secrets`] of the current session.
    pub fn sensitive(content: impl Into<Arc<Value>>) -> Value {
        let content = content.into();
        if let Some(secrets) = Secrets::current() {
            content.register_secrets(&secrets);
        }
        Value::Sensitive(content)
    }

    pub(crate) fn register_secrets(&self, secrets: &Secrets) {
        const MOST: usize = 10_000;
        let mut pending = vec![self.clone()];
        for _ in 0..MOST {
            match pending.pop() {
                None => return,
                Some(Value::Undef | Value::Default | Value::Boolean(_) | Value::Iterator(_) | Value::Callable(_)) => {}
                Some(Value::Array(array)) => pending.extend(array.iter().take(MOST).cloned()),
                Some(Value::Hash(hash)) => {
                    pending.extend(hash.iter().take(MOST).flat_map(|(key, value)| [key.clone(), value.clone()]));
                }
                Some(Value::Object(object)) => pending.extend(object.attributes.iter().take(MOST).cloned()),
                Some(Value::Sensitive(content)) => pending.push((*content).clone()),
                Some(Value::Type(type_)) => pending.extend(type_.arguments()),
                Some(Value::String(text)) => secrets.note_secret(&text),
                Some(plain) => secrets.note_secret(&format::text(&plain)),
            }
        }
        secrets.treat_all_text_as_secret();
    }

    /// Returns the names that [`Value::attribute`] accepts for this value.
    pub fn attribute_names(&self) -> Vec<String> {
        match self {
            Value::Uri(_) => uri::PARTS.map(str::to_owned).to_vec(),
            Value::Object(object) => object.attribute_names(),
            _ => Vec::new(),
        }
    }

    /// Returns the value of an attribute, as `value.name` does, or `None` if the value does not have it.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        match self {
            Value::Uri(uri) => uri.attribute(name),
            Value::Object(object) => object.attribute(name),
            _ => None,
        }
    }

    fn may_contain_values(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Hash(_) | Value::Sensitive(_) | Value::Object(_))
    }

    /// Whether the value counts as true in a condition: all values do except `undef` and `false`.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// Hashes an element of a collection. A collection of over 16 elements, or if `levels` is 0, counts by its length.
    fn hash_element_into<H: Hasher>(&self, levels: u32, state: &mut H) {
        const FEW: usize = 16;
        match self {
            Value::Array(inner) if levels > 0 && inner.len() <= FEW => inner.hash_elements_into(levels, state),
            Value::Hash(inner) if levels > 0 && inner.len() <= FEW => inner.hash_entries_into(levels, state),
            Value::Array(inner) => inner.len().hash(state),
            Value::Hash(inner) => inner.len().hash(state),
            other => other.hash(state),
        }
    }
}

/// Prints the `%p` string: Puppet code that evaluates to the value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format::program_text(self))
    }
}

impl Eq for Value {}

impl StdHash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        mem::discriminant(self).hash(state);
        match self {
            Value::Undef | Value::Default | Value::Iterator(_) | Value::Callable(_) => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            // 0.0 and -0.0 are the same key.
            Value::Float(value) => (value + 0.0).to_bits().hash(state),
            Value::String(text) => {
                interrupt::take_steps_for_bytes(text.len());
                text.hash(state);
            }
            Value::Regexp(regexp) => regexp.hash(state),
            Value::Array(array) => array.hash(state),
            Value::Hash(hash) => hash.hash(state),
            Value::Type(type_) => type_.hash(state),
            Value::Sensitive(content) => content.hash(state),
            Value::Binary(binary) => binary.hash(state),
            Value::SemVer(version) => version.hash(state),
            Value::SemVerRange(range) => range.hash(state),
            Value::Timespan(span) => span.hash(state),
            Value::Timestamp(stamp) => stamp.hash(state),
            Value::Uri(uri) => uri.hash(state),
            Value::Object(object) => object.hash(state),
        }
    }
}

/// The number of levels of nested collections that are hashed, so that hashing deeply nested collections stays cheap.
const HASHED_LEVELS: u32 = 3;

pub(crate) fn integer_from_index(index: usize) -> Value {
    Value::Integer(i64::try_from(index).unwrap_or(i64::MAX)) // OK because nothing in memory has more elements.
}

/// Drops values in a loop instead of recursively, because a value that is nested a million levels deep would overflow
/// the stack.
pub(crate) fn drop_without_recursion(mut pending: Vec<Value>) {
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(mut array) => array.move_nested_values(&mut pending),
            Value::Hash(mut hash) => hash.move_nested_values(&mut pending),
            Value::Sensitive(content) => pending.extend(Arc::into_inner(content)),
            Value::Object(object) => {
                if let Some(mut object) = Arc::into_inner(object) {
                    pending.append(&mut object.attributes);
                }
            }
            _ => {}
        }
    }
}

fn take_nested_values<'v>(values: impl std::iter::Iterator<Item = &'v mut Value>, pending: &mut Vec<Value>) {
    pending.extend(values.filter(|value| value.may_contain_values()).map(mem::take));
}
