//! Navigating data: `dig` by keys, `get` by a dotted path, `getvar` starting at a variable.
//!
//! All three work alike. An `undef` on the way ends the walk with `undef`; an index of an array that is not an Integer,
//! and a step into a value that is neither array nor hash, are errors. `get` and `getvar` pass that error to their
//! block, if there is one, and have a default for `undef`.

use std::sync::Arc;

use super::{Call, Flow};
use crate::error::{Error, Result};
use crate::limits::BoundedVec;
use crate::types::{ObjectType, Type};
use crate::value::{Hash, Object, Value};
use crate::{format, interrupt};

functions! {
    /// follows keys and indexes into nested data; returns the value or undef
    "dig" ["(Optional[Collection] $data, Any *$keys)"] {
        "{'a' => {'b' => [1, 2]}}.dig('a', 'b', 1)" => "2",
        "{'a' => undef}.dig('a', 'b')" => "undef",
        "{'a' => 1}.dig('a', 'b')" => "error RUNTIME_ERROR",
    } => |call| {
        let [data, keys @ ..] = call.arguments else { return Ok(Value::Undef) };
        Ok(follow_keys(data, keys).map_err(Error::from)?)
    };
    /// follows a dotted path into nested data; returns the value or the default
    "get" ["(Any $value, String $keys, Any $default = undef, Optional[Callable[1, 1]] &$block)"] {
        "{'a' => {'b' => [1, 2]}}.get('a.b.1')" => "2",
        "{'a' => 1}.get('b', 'none')" => "'none'",
        "get('abc', '0')" => "error RUNTIME_ERROR",
    } => |call| {
        let [value, Value::String(path), ..] = call.arguments else { return Ok(Value::Undef) };
        get_by_path(call, value, path, call.arguments.get(2))
    };
    /// returns the value of the named variable, or one inside it by a dotted path, or the default
    "getvar" [concat!(
        r"(Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $name, ",
        "Any $default = undef, Optional[Callable[1, 1]] &$block)"
    )] {
        "$x = {'a' => 1} getvar('x.a')" => "1",
        "getvar('nope', 5)" => "5",
        "getvar('1')" => "error RUNTIME_ERROR",
    } => getvar;
}

/// Why digging into data fails: an array index is not an Integer, or a value is neither an array nor a hash.
pub(super) struct DigError {
    path: Vec<Value>,
    is_invalid_index: bool,
    /// The type of the invalid index, or of the value that is neither an array nor a hash.
    found_type: Type,
}

impl From<DigError> for Error {
    fn from(stuck: DigError) -> Error {
        Error::runtime(stuck.message())
    }
}

impl DigError {
    fn message(&self) -> String {
        let path = match &self.path[..] {
            [] => "the root".to_owned(),
            path => format::program_text(&Value::from(path.to_vec())),
        };
        let expected = if self.is_invalid_index {
            format!("the array at {path} needs an Integer as index")
        } else {
            format!("expected an array or a hash at {path}")
        };
        format!("{expected}, got a value of type {}", self.found_type)
    }

    fn to_error_value(&self) -> Value {
        let index = ("EXPECTED_INTEGER_INDEX", "index_type");
        let (code, key) = if self.is_invalid_index { index } else { ("EXPECTED_COLLECTION", "value_type") };
        let path = Value::from(self.path.clone());
        let details = Value::Hash(Hash::from([("walked_path", path), (key, Value::Type(self.found_type.clone()))]));
        let attributes = vec![self.message().into(), "SLICE_ERROR".into(), details, code.into()];
        // Not by its constructor, which refuses types among the details.
        let type_ = ObjectType::of_type(&Type::built_in_type("Error")).cloned().unwrap_or_default();
        Value::Object(Arc::new(Object { type_: Arc::new(type_), attributes }))
    }
}

/// Returns the value to which `keys` and indexes lead from `data`; `undef` if one of them is missing.
pub(super) fn follow_keys(data: &Value, keys: &[Value]) -> Result<Value, DigError> {
    let mut here = data.clone();
    for (at, key) in keys.iter().enumerate() {
        let stuck = |is_index: bool, value: &Value| {
            let path = keys.iter().take(if is_index { at + 1 } else { at }).cloned().collect();
            Err(DigError { path, is_invalid_index: is_index, found_type: Type::infer_reduced(value) })
        };
        here = match (&here, key) {
            (Value::Undef, _) | (Value::Array(_) | Value::Hash(_), Value::Undef) => return Ok(Value::Undef),
            (Value::Array(array), Value::Integer(index)) => {
                let index = if *index < 0 { index.saturating_add_unsigned(array.len() as u64) } else { *index };
                usize::try_from(index).ok().and_then(|index| array.get(index)).cloned().unwrap_or(Value::Undef)
            }
            (Value::Array(_), _) => return stuck(true, key),
            (Value::Hash(hash), _) => hash.get(key).cloned().unwrap_or(Value::Undef),
            _ => return stuck(false, &here),
        };
    }
    Ok(here)
}

/// Returns the value at `path` in `value`, or `default` if that is undef; passes an error to the block, if any.
fn get_by_path(call: &mut Call<'_>, value: &Value, path: &str, default: Option<&Value>) -> Result<Value, Flow> {
    // Observed: Puppet 7.23 does not look at the path where there is nothing to walk through.
    let keys = if matches!(value, Value::Undef) { Vec::new() } else { split_path(path)? };
    match (follow_keys(value, &keys), call.block) {
        (Ok(Value::Undef), _) => Ok(default.cloned().unwrap_or(Value::Undef)),
        (Ok(found), _) => Ok(found),
        // Observed: Puppet 7.23 gives no error to the block where not even the first step can be made.
        (Err(stuck), Some(block)) if !stuck.path.is_empty() => call.runtime.call(block, &[stuck.to_error_value()]),
        (Err(stuck), _) => Err(Error::from(stuck).into()),
    }
}

fn getvar(call: &mut Call<'_>) -> Result<Value, Flow> {
    let [Value::String(text), ..] = call.arguments else { return Ok(Value::Undef) };
    let (name, path) = text.split_once('.').unwrap_or((text, ""));
    let value = call.runtime.variable(name).unwrap_or(Value::Undef);
    get_by_path(call, &value, path, call.arguments.get(1))
}

/// Splits a dotted path into keys and Integer indexes; an empty path has none. A key that contains dots or quotes must
/// be quoted: `a.'b.c'.0`.
pub(super) fn split_path(path: &str) -> Result<Vec<Value>> {
    let mut segments = BoundedVec::default();
    let mut rest = path;
    if rest.is_empty() {
        return Ok(Vec::new());
    }
    loop {
        interrupt::take_step();
        rest = rest.trim_start();
        let (segment, after) = if let Some(quote @ ('\'' | '"')) = rest.chars().next() {
            let (quoted, after) =
                rest[1..].split_once(quote).ok_or_else(|| invalid_path_error(path, "a quote is not closed"))?;
            if quoted.is_empty() {
                return Err(invalid_path_error(path, "a quoted key is empty"));
            }
            (Value::from(quoted), after.trim_start())
        } else {
            let (bare, after) = rest.split_at(rest.find(['.', '\'', '"']).unwrap_or(rest.len()));
            let bare = bare.trim();
            if bare.is_empty() {
                return Err(invalid_path_error(path, "a key is missing next to a dot"));
            }
            (parse_bare_segment(bare), after)
        };
        segments.push(segment)?;
        if after.is_empty() {
            return Ok(segments.into_vec());
        }
        rest =
            after.strip_prefix('.').ok_or_else(|| invalid_path_error(path, "a dot is missing after a quoted key"))?;
    }
}

fn parse_bare_segment(text: &str) -> Value {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(index) if is_integer => Value::Integer(index),
        _ => Value::from(text),
    }
}

fn invalid_path_error(path: &str, why: &str) -> Error {
    Error::runtime(format!("'{path}' is not a valid path: {why}"))
        .with_help("separate keys and indexes with dots: a.b.0, or a.'key with a dot'.0")
}
