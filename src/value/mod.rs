//! Values: cheap to clone, immutable, with shared children.
//!
//! One variant a kind of value; a kind with a life of its own has its own file. Rust's `==` means *identical* (what a
//! hash key needs); Puppet's `==`, which ignores the case of strings, is `operators::equality`.

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
#[cfg(feature = "serde")]
mod serde;
mod shared;
pub(crate) mod tree;
pub mod uri;

use std::fmt;
use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{mem, thread};

/// The text of a string: up to 15 bytes lie in the value itself, the copies of a longer one share it.
pub use ecow::EcoString;

#[cfg(feature = "serde")]
pub use self::serde::{from_value, to_value};
use crate::format;
use crate::regexp::Regexp;
use crate::secrets::Secrets;
use crate::time::{Timespan, Timestamp};
use crate::types::Type;
pub use array::Array;
pub use binary::Binary;
pub use callable::Callable;
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// `undef`
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
    /// `Sensitive('text')`: the content is reached by `unwrap` alone
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
    /// `|$x| { }`, as a block parameter sees it
    Callable(Arc<dyn Callable>),
}

/// A value of a kind that has attributes.
enum Attributed<'v> {
    Uri(&'v Uri),
    Object(&'v Object),
}

impl Value {
    /// A string value.
    pub fn string(text: impl Into<EcoString>) -> Value {
        Value::String(text.into())
    }

    /// A Sensitive with this content, whose strings are [`Secrets`] of the session from now on.
    pub fn sensitive(content: impl Into<Arc<Value>>) -> Value {
        let content = content.into();
        if let Some(secrets) = Secrets::current() {
            content.note_in(&secrets);
        }
        Value::Sensitive(content)
    }

    pub(crate) fn note_in(&self, secrets: &Secrets) {
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
                Some(Value::String(text)) => secrets.note(&text),
                Some(plain) => secrets.note(&format::text(&plain)),
            }
        }
        secrets.note_everything();
    }

    /// The names that [`Value::attribute`] knows.
    pub fn attribute_names(&self) -> Vec<String> {
        match self.attributed() {
            Some(Attributed::Uri(_)) => uri::PARTS.map(str::to_owned).to_vec(),
            Some(Attributed::Object(object)) => object.attribute_names(),
            None => Vec::new(),
        }
    }

    /// The value of an attribute, as `value.name` returns it; `None` if there is no such attribute.
    /// ```
    /// let mut session = pcore::Session::default();
    /// session.eval("type Point = Object[{attributes => {x => Integer, y => Integer}}]")?;
    /// assert_eq!(session.eval("Point(3, 4)")?.attribute("y"), Some(4.into()));
    /// # Ok::<(), pcore::Error>(())
    /// ```
    pub fn attribute(&self, name: &str) -> Option<Value> {
        match self.attributed()? {
            Attributed::Uri(uri) => uri.attribute(name),
            Attributed::Object(object) => object.attribute(name),
        }
    }

    fn attributed(&self) -> Option<Attributed<'_>> {
        match self {
            Value::Uri(uri) => Some(Attributed::Uri(uri)),
            Value::Object(object) => Some(Attributed::Object(object)),
            Value::Undef
            | Value::Default
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::Regexp(_)
            | Value::Array(_)
            | Value::Hash(_)
            | Value::Type(_)
            | Value::Sensitive(_)
            | Value::Binary(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Timespan(_)
            | Value::Timestamp(_)
            | Value::Iterator(_)
            | Value::Callable(_) => None,
        }
    }

    /// Puts an Integer into `place`. Over another Integer, only the number is written.
    #[inline]
    pub(crate) fn put_integer(number: i64, place: &mut Option<Value>) {
        match place {
            Some(Value::Integer(old)) => *old = number,
            _ => *place = Some(Value::Integer(number)),
        }
    }

    /// Puts a copy into `place`.
    #[inline]
    pub(crate) fn copy_to(&self, place: &mut Option<Value>) {
        match self {
            Value::Integer(number) => Value::put_integer(*number, place),
            other => *place = Some(other.clone()),
        }
    }

    /// Moves the value into `place`.
    #[inline]
    pub(crate) fn move_to(self, place: &mut Option<Value>) {
        match self {
            Value::Integer(number) => {
                Value::put_integer(number, place);
                mem::forget(self); // An Integer owns nothing, and dropping a value takes a call.
            }
            other => *place = Some(other),
        }
    }

    fn is_nested(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Hash(_) | Value::Sensitive(_) | Value::Object(_))
    }

    /// Puppet's truth: everything but `undef` and `false`.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }
}

/// The `%p` text, which is valid Puppet code for the same value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format::program_text(self))
    }
}

/// Identity: what makes two values the same key of a hash. `1` and `1.0` differ, `'a'` and `'A'` differ.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        use Value as V;
        match (self, other) {
            (V::Undef, V::Undef) | (V::Default, V::Default) => true,
            (V::Boolean(a), V::Boolean(b)) => a == b,
            (V::Integer(a), V::Integer(b)) => a == b,
            (V::Float(a), V::Float(b)) => a == b,
            (V::String(a), V::String(b)) => same_text(a, b),
            (V::Regexp(a), V::Regexp(b)) => a == b,
            (V::Array(a), V::Array(b)) => a == b,
            (V::Hash(a), V::Hash(b)) => a == b,
            (V::Type(a), V::Type(b)) => a == b,
            (V::Sensitive(a), V::Sensitive(b)) => a == b,
            (V::Binary(a), V::Binary(b)) => a == b,
            (V::SemVer(a), V::SemVer(b)) => a == b,
            (V::SemVerRange(a), V::SemVerRange(b)) => a == b,
            (V::Timespan(a), V::Timespan(b)) => a == b,
            (V::Timestamp(a), V::Timestamp(b)) => a == b,
            (V::Uri(a), V::Uri(b)) => a == b,
            (V::Object(a), V::Object(b)) => a == b,
            (V::Iterator(a), V::Iterator(b)) => Arc::ptr_eq(a, b),
            (V::Callable(a), V::Callable(b)) => Arc::ptr_eq(a, b),
            (
                V::Undef
                | V::Default
                | V::Boolean(_)
                | V::Integer(_)
                | V::Float(_)
                | V::String(_)
                | V::Regexp(_)
                | V::Array(_)
                | V::Hash(_)
                | V::Type(_)
                | V::Sensitive(_)
                | V::Binary(_)
                | V::SemVer(_)
                | V::SemVerRange(_)
                | V::Timespan(_)
                | V::Timestamp(_)
                | V::Uri(_)
                | V::Object(_)
                | V::Iterator(_)
                | V::Callable(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Value {}

impl StdHash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Undef | Value::Default | Value::Iterator(_) | Value::Callable(_) => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            // 0.0 and -0.0 are the same key.
            Value::Float(value) => (value + 0.0).to_bits().hash(state),
            Value::String(text) => text.hash(state),
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

/// Whether two texts are equal. Short ones, which most keys are, need no call.
#[inline]
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    a.len() == b.len() && ends(a).map_or_else(|| a == b, |of_a| Some(of_a) == ends(b))
}

/// Whether two values are identical; keys mostly are texts.
#[inline]
pub(crate) fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => same_text(a, b),
        _ => a == b,
    }
}

/// Whether two texts are equal but for the case of ASCII letters, as in the operator `==`.
#[inline]
pub(crate) fn same_text_ignoring_case(a: &str, b: &str) -> bool {
    a.len() == b.len() && same_as_ignoring_case(a)(b)
}

/// The same for one text and many others.
#[inline]
pub(crate) fn same_as_ignoring_case(text: &str) -> impl Fn(&str) -> bool {
    let in_lower_case = |text: &str| ends(text).map(|[first, last]| [lower_case(first), lower_case(last)]);
    let lower = in_lower_case(text);
    move |other| {
        other.len() == text.len()
            && if lower.is_some() { in_lower_case(other) == lower } else { other.eq_ignore_ascii_case(text) }
    }
}

/// The first and the last bytes of a text of at most 16 bytes, which overlap: all of it in two numbers.
#[inline]
fn ends(text: &str) -> Option<[u64; 2]> {
    let text = text.as_bytes();
    if text.len() > 16 {
        None
    } else if let Some(ends) = first_and_last::<8>(text) {
        Some(ends.map(u64::from_le_bytes))
    } else if let Some(ends) = first_and_last::<4>(text) {
        Some(ends.map(|bytes| u32::from_le_bytes(bytes).into()))
    } else if let Some(ends) = first_and_last::<2>(text) {
        Some(ends.map(|bytes| u16::from_le_bytes(bytes).into()))
    } else {
        Some([text.first().map_or(0, |byte| u64::from(*byte)); 2])
    }
}

/// The first and the last `N` bytes, if there are so many.
#[inline]
fn first_and_last<const N: usize>(text: &[u8]) -> Option<[[u8; N]; 2]> {
    Some([*text.first_chunk()?, *text.last_chunk()?])
}

/// Eight bytes with small ASCII letters in place of capitals.
#[inline]
fn lower_case(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let low = bytes & !HIGH;
    // A sum has the high bit where the letter is at least `A`, or beyond `Z`.
    let capitals = (low + (0x80 - 0x41) * EACH) & !(low + (0x80 - 0x5b) * EACH) & !bytes & HIGH;
    bytes | (capitals >> 2)
}

/// An index or a count as an Integer.
pub(crate) fn position(index: usize) -> Value {
    Value::Integer(i64::try_from(index).unwrap_or(i64::MAX)) // OK because nothing in memory has more elements.
}

/// How many values are freed at once; what is more is left to a thread, so that nobody waits for it after Ctrl-C.
const MANY: usize = 50_000;

/// More threads than these do not free values at the same time: then whoever drops them waits.
const MAX_FREEING: usize = 4;

static FREEING: AtomicUsize = AtomicUsize::new(0);

/// Takes every value that `roots` alone keeps alive apart, one after the other: dropping a value that is nested a
/// million levels deep must not use the machine stack.
pub(crate) fn drop_flat(mut roots: Vec<Value>) {
    if !free(&mut roots, MANY) {
        drop_elsewhere(roots);
    }
}

fn take_nested<'v>(values: impl std::iter::Iterator<Item = &'v mut Value>, pending: &mut Vec<Value>) {
    pending.extend(values.filter(|value| value.is_nested()).map(|value| std::mem::replace(value, Value::Undef)));
}

/// Does that on another thread.
fn drop_elsewhere(roots: Vec<Value>) {
    let rest = Rest(roots);
    if FREEING.fetch_add(1, Ordering::Relaxed) < MAX_FREEING {
        // Where there are no threads the closure is dropped here, and the values with it.
        let _ = thread::Builder::new().spawn(move || drop(rest));
    }
}

/// Values that are still to be freed.
struct Rest(Vec<Value>);

impl Drop for Rest {
    fn drop(&mut self) {
        free(&mut self.0, usize::MAX);
        FREEING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Frees at most so many values; whether those were all.
fn free(roots: &mut Vec<Value>, most: usize) -> bool {
    for _ in 0..most {
        let Some(value) = roots.pop() else { return true };
        match value {
            Value::Array(mut array) => array.unlink(roots),
            Value::Hash(mut hash) => hash.unlink(roots),
            Value::Sensitive(content) => roots.extend(Arc::into_inner(content)),
            Value::Object(object) => {
                if let Some(mut object) = Arc::into_inner(object) {
                    roots.append(&mut object.attributes);
                }
            }
            _ => {}
        }
    }
    roots.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{Arc, Object, Type, Value, lower_case, same_text, same_text_ignoring_case};

    #[test]
    fn texts_are_equal_when_all_their_bytes_are() {
        for length in 0..20 {
            let text = "abcdefghijklmnopqrstuvwxyz".split_at(length).0;
            assert!(same_text(text, text) && !same_text(text, &format!("{text}!")));
            for at in 0..length {
                let mut other = text.to_owned();
                other.replace_range(at..=at, "_");
                assert!(!same_text(text, &other) && !same_text_ignoring_case(text, &other), "{text} {other}");
                let capital = text.replace(&text[at..=at], &text[at..=at].to_uppercase());
                assert!(!same_text(text, &capital) && same_text_ignoring_case(text, &capital), "{text} {capital}");
            }
        }
    }

    #[test]
    fn capitals_alone_have_lower_case() {
        for byte in 0..=u8::MAX {
            let expected =
                [byte.to_ascii_lowercase(), 0x80, 0x41 | 0x20, byte.to_ascii_lowercase(), 0xff, 0, 0x5b, 0x40];
            let lower = lower_case(u64::from_le_bytes([byte, 0x80, 0x41, byte, 0xff, 0, 0x5b, 0x40]));
            assert_eq!(lower.to_le_bytes(), expected);
        }
    }

    #[test]
    fn a_value_takes_three_words() {
        assert!(size_of::<Value>() <= 24, "{}", size_of::<Value>());
    }

    #[test]
    fn a_value_nested_a_million_levels_drops() {
        let mut value = Value::from(1);
        for _ in 0..1_000_000 {
            value = Value::from(vec![value]);
        }
        drop(value);
    }

    #[test]
    fn a_value_wrapped_a_million_times_drops() {
        let mut value = Value::from(1);
        for _ in 0..1_000_000 {
            value = Value::Sensitive(Arc::new(Value::from(vec![value])));
        }
        drop(value);
        let mut value = Value::from(1);
        for _ in 0..1_000_000 {
            value = Value::Object(Arc::new(Object { type_: Type::any(), attributes: vec![value] }));
        }
        drop(value);
    }
}
