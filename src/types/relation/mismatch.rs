//! Explains why a value is not of a type.
//!
//! The search descends type and value side by side, as long as their parts correspond: into the members of a Struct,
//! the elements of an Array, the one branch of a Variant that could be meant. Where that ends there is a [`Mismatch`]:
//! the path to the part, what was expected there, and what was found.

use std::fmt;

use super::lattice::Lattice;
use crate::error::Error;
use crate::stack;
use crate::types::Type;
use crate::types::definition::size::Size;
use crate::value::{Hash, Value};
use crate::{format, types};

/// How many mismatches are worth telling: who sees these knows what is wrong.
const MAX_MISMATCHES: usize = 10;

/// How long the text of a value may become in a message, in characters.
const MAX_VALUE_CHARACTERS: usize = 60;

/// A value as messages name it: what it is and its text, shortened; never the content of a Sensitive.
pub(crate) fn describe(value: &Value) -> String {
    let text = match value {
        Value::Undef | Value::Default | Value::Sensitive(_) => return shortened(format::program_text(value)),
        Value::Type(type_) => return format!("the type {}", shortened(type_.to_string())),
        other => format::program_text(other),
    };
    let kind = match value {
        // Rather than Tuple and Struct, their inferred types.
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        other => Type::of(other).name(),
    };
    // Its text may say already what it is: `Timespan('0-00:01:00.0')`.
    if text.strip_prefix(kind).is_some_and(|rest| rest.starts_with('(')) {
        return shortened(text);
    }
    format!("{kind} {}", shortened(text))
}

/// A type as messages name it: an alias with what it stands for, an Object type by its name alone.
pub(crate) fn for_message(type_: &Type) -> String {
    match type_ {
        Type::Object(_) => type_.to_string_in_brackets(),
        other => other.to_string(),
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_VALUE_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a hash itself: `key 'port'`
    Key(Value),
    /// What a key of a hash has as its value: `'port'`
    Entry(Value),
    /// An element of an array, from 0: `[2]`
    Element(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => write!(f, "key {}", format::program_text(key)),
            Step::Entry(key) => f.write_str(&format::program_text(key)),
            Step::Element(at) => write!(f, "[{at}]"),
        }
    }
}

/// A part of a value that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// From the whole value to the part; empty for the value itself.
    pub path: Vec<Step>,
    /// What is wrong with the part.
    pub problem: Problem,
}

/// What is wrong with a part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `expected Port = Integer[1, 65535], got String '80'`
    Unfit {
        /// The type as it was written, which may be an alias.
        expected: Type,
        /// The part.
        got: Value,
    },
    /// `expected 1 to 3 elements, got 4`
    Size {
        /// How many there may be.
        expected: Size,
        /// How many there are.
        got: usize,
    },
    /// `is missing the key 'port', a Port = Integer[1, 65535]`
    MissingKey {
        /// The name of the member.
        name: String,
        /// Its type.
        type_: Type,
    },
    /// `has the unknown key 'prot'; did you mean 'port'?`
    UnknownKey {
        /// The key.
        key: Value,
        /// The member that was meant, most likely.
        near: Option<String>,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unfit { expected, got } => write!(f, "expected {expected}, got {}", describe(got)),
            Problem::Size { expected, got } => match (expected.from(), expected.to()) {
                (from, i64::MAX) => write!(f, "expected at least {from} elements, got {got}"),
                (from, to) if from == to => write!(f, "expected {from} elements, got {got}"),
                (from, to) => write!(f, "expected {from} to {to} elements, got {got}"),
            },
            Problem::MissingKey { name, type_ } => write!(f, "is missing the key '{name}' of type {type_}"),
            Problem::UnknownKey { key, near } => {
                write!(f, "has an unknown key {}", format::program_text(key))?;
                match near {
                    Some(near) => write!(f, "; did you mean '{near}'?"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Mismatch {
    /// What would fit, where it can be known: `Integer('80')`
    pub fn fitting(&self) -> Option<String> {
        match &self.problem {
            Problem::Unfit { expected, got } => fitting(expected, got),
            Problem::Size { .. } | Problem::MissingKey { .. } | Problem::UnknownKey { .. } => None,
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.path {
            write!(f, "{step} ")?;
        }
        self.problem.fmt(f)?;
        match self.fitting() {
            Some(fitting) => write!(f, "; {fitting} would fit"),
            None => Ok(()),
        }
    }
}

/// The parts of `value` that keep it from being a value of `type_`, at most the first ten; none when it is one.
///
/// ```
/// use pcore::types::{IntegerType, Type, mismatch::mismatches};
/// let port = Type::from(IntegerType::new(1, 65535).expect("the range ascends"));
/// let told: Vec<String> = mismatches(&port, &"80".into()).iter().map(ToString::to_string).collect();
/// assert_eq!(told, ["expected Integer[1, 65535], got String '80'; Integer('80') would fit"]);
/// ```
pub fn mismatches(type_: &Type, value: &Value) -> Vec<Mismatch> {
    let mut search = Search { lattice: Lattice::default(), path: Vec::new(), found: Vec::new() };
    search.compare(type_, type_, value);
    search.found
}

/// `error`, which says that `value` is not a `type_`, with what it does not say: the parts that are wrong, and what would
/// fit.
pub(crate) fn explained(error: Error, type_: &Type, value: &Value) -> Error {
    mismatches(type_, value).into_iter().fold(error, |error, mismatch| match &mismatch.problem {
        Problem::Unfit { .. } if mismatch.path.is_empty() => match mismatch.fitting() {
            Some(fitting) => error.with_help(format!("{fitting} would fit")),
            None => error,
        },
        _ => error.with_help(mismatch.to_string()),
    })
}

struct Search {
    lattice: Lattice,
    path: Vec<Step>,
    found: Vec<Mismatch>,
}

impl Search {
    /// Looks for what is wrong with `value`. `named` is `type_` as it was written, which may be an alias of it.
    fn compare(&mut self, named: &Type, type_: &Type, value: &Value) {
        if self.found.len() >= MAX_MISMATCHES || self.lattice.has_instance(type_, value) {
            return;
        }
        match (type_, value) {
            (Type::Alias(alias), _) => match alias.resolved() {
                // An alias that stands for nothing but itself has no instances, and no parts to look at.
                Some(resolved) if !matches!(resolved, Type::Alias(_)) => self.compare(named, resolved, value),
                _ => self.tell(named, value),
            },
            (Type::Optional(optional), _) => match optional.type_() {
                Some(inner) => self.compare(if matches!(named, Type::Alias(_)) { named } else { inner }, inner, value),
                None => self.tell(named, value),
            },
            (Type::Variant(variant), _) => {
                let mut same_kind = variant.types().iter().filter(|branch| has_parts_of(branch, value));
                match (same_kind.next(), same_kind.next()) {
                    (Some(only), None) => self.compare(only, only, value),
                    _ => self.tell(named, value),
                }
            }
            (Type::Struct(members), Value::Hash(entries)) => {
                for member in members.members() {
                    match entries.get(member.key()) {
                        Some(value) => {
                            let step = Step::Entry(member.key().clone());
                            self.step(step, |search| search.compare(member.type_(), member.type_(), value));
                        }
                        None if member.may_be_missing(&mut self.lattice) => {}
                        None => {
                            let (name, type_) = (member.name().to_owned(), member.type_().clone());
                            self.report(Problem::MissingKey { name, type_ });
                        }
                    }
                }
                for key in entries.keys().filter(|key| !members.members().iter().any(|member| member.key() == *key)) {
                    let near = near_member(members, key, entries).map(str::to_owned);
                    self.report(Problem::UnknownKey { key: key.clone(), near });
                }
            }
            (Type::Hash(hash), Value::Hash(entries)) => {
                self.size(hash.size(), entries.len());
                for (key, value) in entries.iter() {
                    self.step(Step::Key(key.clone()), |search| search.compare(hash.key(), hash.key(), key));
                    self.step(Step::Entry(key.clone()), |search| search.compare(hash.value(), hash.value(), value));
                }
            }
            (Type::Array(array), Value::Array(elements)) => {
                self.size(array.size(), elements.len());
                for (at, element) in elements.iter().enumerate() {
                    self.step(Step::Element(at), |search| search.compare(array.element(), array.element(), element));
                }
            }
            (Type::Tuple(tuple), Value::Array(elements)) => {
                self.size(tuple.size(), elements.len());
                for (at, element) in elements.iter().enumerate() {
                    if let Some(type_) = tuple.at(at) {
                        self.step(Step::Element(at), |search| search.compare(type_, type_, element));
                    }
                }
            }
            _ => self.tell(named, value),
        }
    }

    /// One step down, on a stack that is deep enough.
    fn step(&mut self, step: Step, then: impl FnOnce(&mut Search) + Send) {
        self.path.push(step);
        stack::with_room(|| then(self));
        self.path.pop();
    }

    fn size(&mut self, expected: Size, count: usize) {
        if !expected.contains(count) {
            self.report(Problem::Size { expected, got: count });
        }
    }

    fn tell(&mut self, named: &Type, value: &Value) {
        self.report(Problem::Unfit { expected: named.clone(), got: value.clone() });
    }

    fn report(&mut self, problem: Problem) {
        if self.found.len() < MAX_MISMATCHES {
            self.found.push(Mismatch { path: self.path.clone(), problem });
        }
    }
}

/// Whether a branch of a Variant has the kind of parts that the value has.
fn has_parts_of(branch: &Type, value: &Value) -> bool {
    match branch {
        Type::Alias(alias) => alias.resolved().is_some_and(|resolved| {
            !matches!(resolved, Type::Alias(_) | Type::Variant(_) | Type::Optional(_)) && has_parts_of(resolved, value)
        }),
        Type::Struct(_) | Type::Hash(_) => matches!(value, Value::Hash(_)),
        Type::Array(_) | Type::Tuple(_) => matches!(value, Value::Array(_)),
        _ => false,
    }
}

/// The member that an unknown key is most likely a misspelling of.
fn near_member<'m>(members: &'m types::r#struct::StructType, key: &Value, entries: &Hash) -> Option<&'m str> {
    let Value::String(key) = key else { return None };
    let missing = members.members().iter().filter(|member| entries.get(member.key()).is_none());
    crate::wording::nearest(key, missing.map(types::r#struct::Member::name))
}

/// The conversion that makes a string the number or truth value that was expected.
fn fitting(type_: &Type, value: &Value) -> Option<String> {
    let general = match type_ {
        Type::Alias(alias) => match alias.resolved()? {
            // An alias of itself leads nowhere.
            Type::Alias(_) => return None,
            resolved => return fitting(resolved, value),
        },
        Type::Optional(optional) => return fitting(optional.type_()?, value),
        Type::Integer(_) | Type::Float(_) | Type::Numeric(_) | Type::Boolean(_) => type_.generalized(),
        _ => return None,
    };
    let Value::String(_) = value else { return None };
    let converted = general.construct(std::slice::from_ref(value)).ok()?;
    type_.has_instance(&converted).then(|| format!("{general}({})", format::program_text(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::r#struct::{Member, Presence, StructType};
    use crate::types::variant::VariantType;
    use crate::types::{AliasType, IntegerType};

    fn told(type_: &Type, value: &Value) -> Vec<String> {
        mismatches(type_, value).iter().map(ToString::to_string).collect()
    }

    fn server() -> Type {
        let port = AliasType::new("Port");
        port.resolve(IntegerType::new(1, 65535).unwrap().into()).unwrap();
        let name = Member::new("name".into(), Presence::Plain, Type::named("String").unwrap());
        let port = Member::new("port".into(), Presence::Plain, Type::Alias(port));
        StructType::new(vec![name, port]).into()
    }

    fn hash(entries: &[(&str, Value)]) -> Value {
        Value::Hash(entries.iter().map(|(key, value)| (Value::from(*key), value.clone())).collect())
    }

    #[test]
    fn a_member_of_a_wrong_type_is_shown_with_its_alias_and_what_would_fit() {
        let value = hash(&[("name", "web".into()), ("port", "80".into())]);
        let expected = ["'port' expected Port = Integer[1, 65535], got String '80'; Integer('80') would fit"];
        assert_eq!(told(&server(), &value), expected);
    }

    #[test]
    fn a_missing_key_and_its_misspelling_are_shown() {
        let value = hash(&[("name", "web".into()), ("prot", 80.into())]);
        let expected = [
            "is missing the key 'port' of type Port = Integer[1, 65535]",
            "has an unknown key 'prot'; did you mean 'port'?",
        ];
        assert_eq!(told(&server(), &value), expected);
    }

    #[test]
    fn the_branch_of_a_variant_with_the_same_parts_is_looked_into() {
        let variant = VariantType::of([Type::named("String").unwrap(), server()]);
        let value = hash(&[("name", 1.into()), ("port", 80.into())]);
        assert_eq!(told(&variant, &value), ["'name' expected String, got Integer 1"]);
        assert_eq!(
            told(&variant, &1.into()),
            ["expected Variant[String, Struct[{'name' => String, 'port' => Port}]], got Integer 1"]
        );
    }

    #[test]
    fn what_fits_has_no_mismatch_and_many_mismatches_are_cut_off() {
        assert_eq!(told(&server(), &hash(&[("name", "web".into()), ("port", 80.into())])), [""; 0]);
        let numbers = Value::from((0..100).map(Value::from).collect::<Vec<_>>());
        let strings = crate::types::array::ArrayType::new(Type::named("String").unwrap(), None).into();
        assert_eq!(told(&strings, &numbers).len(), MAX_MISMATCHES);
    }
}
