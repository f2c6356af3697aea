//! Arrays, hashes and strings as a whole: `empty`, `flatten`, `join`, `keys`, `length`, `unique`, `values`.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::{Call, Flow, iteration::iter_elements};
use crate::error::Result;
use crate::limits::{BoundedString, BoundedVec};
use crate::value::{Array, Hash, Value, array, integer_from_index};
use crate::{format, interrupt, stack};

const SIZE_SIGNATURES: &[&str] =
    &["(Collection $collection) >> Integer", "(String $text) >> Integer", "(Binary $binary) >> Integer"];

functions! {
    /// returns whether a value is empty; undef is, a number is not
    "empty" [
        "(Collection $collection) >> Boolean",
        "(Sensitive[String] $text) >> Boolean",
        "(String $text) >> Boolean",
        "(Numeric $number) >> Boolean",
        "(Binary $binary) >> Boolean",
        "(Undef $undef) >> Boolean",
    ] {
        "empty([])" => "true",
        "empty(0)" => "false",
        "empty(true)" => "error RUNTIME_ERROR",
    } => |call| Ok(Value::Boolean(is_empty(call.argument(0)?)));
    /// flattens the arguments into one array
    "flatten" ["(Any *$values) >> Array"] {
        "flatten([1, [2, [3]]], 4)" => "[1, 2, 3, 4]",
        "flatten(1) |$x| { $x }" => "error RUNTIME_ERROR",
    } => |call| Ok(array::flatten(call.arguments)?.into_owned().into());
    /// joins the elements into one string, with the delimiter between them; flattens nested arrays
    "join" ["(Array $array, String $delimiter = '') >> String"] {
        "join([1, [2, 3], 'x'], '-')" => "'1-2-3-x'",
        "join([1], undef)" => "error RUNTIME_ERROR",
    } => join;
    /// returns the keys of a hash as an array
    "keys" ["(Hash $hash) >> Array"] {
        "{'b' => 1, 'a' => 2}.keys" => "['b', 'a']",
        "keys([1])" => "error RUNTIME_ERROR",
    } => |call| array_from_hash(call, |hash| hash.keys().cloned().collect());
    /// returns the number of elements, entries, characters or bytes
    "length" SIZE_SIGNATURES {
        "'æøå'.length" => "3",
        "length({'a' => 1})" => "1",
        "length(5)" => "error RUNTIME_ERROR",
    } => |call| Ok(length(call.argument(0)?));
    /// same as length
    "size" SIZE_SIGNATURES {
        "[1, 2].size" => "2",
        "size(undef)" => "error RUNTIME_ERROR",
    } => |call| Ok(length(call.argument(0)?));
    /// removes duplicate elements; with a block, those with the same result
    "unique" [
        "(String $text, Optional[Callable[String]] &$block) >> String",
        "(Hash $hash, Optional[Callable[Any]] &$block) >> Hash",
        "(Array $array, Optional[Callable[Any]] &$block)",
        "(Iterable $iterable, Optional[Callable[Any]] &$block)",
    ] {
        "unique([1, 1.0, 'a', 'A', 1])" => "[1, 1.0, 'a', 'A']",
        "unique({'a' => 1, 'b' => 1, 'c' => 2})" => "{['a', 'b'] => [1], ['c'] => [2]}",
        "unique([1, 2, 3]) |$x| { $x % 2 }" => "[1, 2]",
        "unique(true)" => "error RUNTIME_ERROR",
    } => unique;
    /// returns the values of a hash as an array
    "values" ["(Hash $hash) >> Array"] {
        "{'b' => 1, 'a' => 2}.values" => "[1, 2]",
        "values(undef)" => "error RUNTIME_ERROR",
    } => |call| array_from_hash(call, |hash| hash.values().cloned().collect());
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(array) => array.is_empty(),
        Value::Hash(hash) => hash.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Binary(binary) => binary.bytes().is_empty(),
        Value::Sensitive(content) => is_empty(content),
        Value::Undef => true,
        _ => false,
    }
}

fn array_from_hash(call: &mut Call<'_>, part: impl Fn(&Hash) -> Array) -> Result<Value, Flow> {
    Ok(call.argument(0)?.as_hash().map(part).into())
}

fn join(call: &mut Call<'_>) -> Result<Value, Flow> {
    let Value::Array(array) = call.argument(0)? else { return Ok(Value::Undef) };
    let delimiter = call.arguments.get(1).and_then(Value::as_str).unwrap_or_default();
    let mut joined = BoundedString::default();
    join_into(&mut joined, array, delimiter)?;
    Ok(joined.into_string().into())
}

/// Appends the elements to `joined`. Observed: Puppet 7.23 writes hashes and regular expressions as Ruby does.
pub(super) fn join_into(joined: &mut BoundedString, array: &Array, delimiter: &str) -> Result<()> {
    for (at, element) in array.iter().enumerate() {
        interrupt::take_step();
        joined.push_str(if at > 0 { delimiter } else { "" })?;
        match element {
            Value::Array(inner) => stack::with_room(|| join_into(joined, inner, delimiter))?,
            Value::String(text) => joined.push_str(text)?,
            Value::Hash(_) => joined.push_str(&format::ruby_inspect(element)?)?,
            Value::Regexp(regexp) => joined.push_str(&regexp.to_option_group())?,
            other => format::write_interpolated(joined, other)?,
        }
    }
    Ok(())
}

fn unique(call: &mut Call<'_>) -> Result<Value, Flow> {
    let subject = call.argument(0)?;
    if let Value::Hash(hash) = subject {
        return unique_hash_entries(call, hash);
    }
    // Observed: Puppet 7.23 asks no block where there is nothing to compare with.
    let is_alone = match subject {
        Value::String(text) => text.chars().nth(1).is_none(),
        Value::Array(array) => array.len() < 2,
        _ => false,
    };
    if is_alone {
        return Ok(subject.clone());
    }
    let mut seen: IndexSet<Value, FxBuildHasher> = IndexSet::default();
    let mut firsts = BoundedVec::default();
    for element in iter_elements(subject)? {
        let key = comparison_key(call, &element)?;
        if seen.insert(key) {
            firsts.push(element)?;
        }
    }
    Ok(match subject {
        Value::String(_) => firsts.into_vec().iter().map(format::text).collect::<String>().into(),
        _ => firsts.into(),
    })
}

/// Groups the keys whose values, or block results for them, are equal: a Hash of arrays of keys to arrays of values.
fn unique_hash_entries(call: &mut Call<'_>, hash: &Hash) -> Result<Value, Flow> {
    let mut groups: IndexMap<Value, (Vec<Value>, Hash), FxBuildHasher> = IndexMap::default();
    for (key, value) in hash.iter() {
        let group = comparison_key(call, value)?;
        let (keys, values) = groups.entry(group).or_default();
        keys.push(key.clone());
        values.insert(value.clone(), Value::Undef);
    }
    let entry =
        |(keys, values): (Vec<Value>, Hash)| (Value::from(keys), Value::Array(values.keys().cloned().collect()));
    Ok(Value::Hash(groups.into_values().map(entry).collect()))
}

fn comparison_key(call: &mut Call<'_>, element: &Value) -> Result<Value, Flow> {
    interrupt::take_step();
    match call.block {
        Some(block) => call.runtime.call(block, std::slice::from_ref(element)),
        None => Ok(element.clone()),
    }
}

fn length(value: &Value) -> Value {
    integer_from_index(match value {
        Value::Array(array) => array.len(),
        Value::Hash(hash) => hash.len(),
        Value::String(text) if text.is_ascii() => text.len(),
        Value::String(text) => text.chars().count(),
        Value::Binary(binary) => binary.bytes().len(),
        _ => 0,
    })
}
