//! Conversions between types, and types of values: `new`, `convert_to`, `assert_type`, `type`, `type_of`, `unwrap`.

use super::{Call, Flow};
use crate::error::Error;
use crate::explain::mismatch::add_explanation;
use crate::types::{Type, describe::describe_type, secret::describe_safely};
use crate::value::Value;

functions! {
    /// returns the value if it is of the type; otherwise the block's result, or an error
    "assert_type" [
        "(Type $type, Any $value, Optional[Callable[Type, Type]] &$block)",
        "(String $type, Any $value, Optional[Callable[Type, Type]] &$block)",
    ] {
        "assert_type(Integer, 5)" => "5",
        "assert_type(Integer, 'x') |$expected, $actual| { $actual }" => "String",
        "assert_type(Integer, 'x')" => "error RUNTIME_ERROR",
    } => assert_type;
    /// converts the value as new does; passes it to the block if there is one
    "convert_to" ["(Any $value, Type $type, Any *$arguments, Optional[Callable[1, 1]] &$block)"] {
        "'10'.convert_to(Integer)" => "10",
        "[1, 2].convert_to(String) |$text| { \"<$text>\" }" => "'<[1, 2]>'",
        "5.convert_to('Integer')" => "error RUNTIME_ERROR",
    } => |call| {
        let [value, Value::Type(type_), further @ ..] = call.arguments else { return Ok(Value::Undef) };
        let arguments: Vec<Value> = [value].into_iter().chain(further).cloned().collect();
        let converted = call.runtime.construct(type_, &arguments)?;
        call.pass_to_optional_block(converted)
    };
    /// creates a new value of the type; passes it to the block if there is one
    "new" ["(Type $type, Any *$arguments, Optional[Callable] &$block)"] {
        "Integer.new('10')" => "10",
        "new(Integer, 'ten')" => "error RUNTIME_ERROR",
    } => |call| {
        let [Value::Type(type_), arguments @ ..] = call.arguments else { return Ok(Value::Undef) };
        let instance = call.runtime.construct(type_, arguments)?;
        // Observed: Puppet 7.23 asks no block where nothing was made.
        if type_.is_already_instance(arguments) { Ok(instance) } else { call.pass_to_optional_block(instance) }
    };
    /// returns the type of the value: detailed, reduced (one type for all elements) or generalized
    "type" [
        "(Any $value, Enum[detailed] $inference = 'detailed') >> Type",
        "(Any $value, Enum[reduced] $inference) >> Type",
        "(Any $value, Enum[generalized] $inference) >> Type",
    ] {
        "type(1)" => "Integer[1, 1]",
        "type([1, 2], 'generalized')" => "Array[Integer]",
        "type(1, 'exact')" => "error RUNTIME_ERROR",
    } => |call| {
        let value = call.argument(0)?;
        Ok(Value::Type(match call.signature_index {
            0 => Type::of(value),
            1 => Type::infer_reduced(value),
            _ => Type::infer_reduced(value).generalized(),
        }))
    };
    /// returns the type of the value with one type for all elements, as in the specification
    "type_of" ["(Any $value) >> Type"] {
        "type_of(['a', 'b'])" => "Array[Enum['a', 'b'], 2, 2]",
        "type_of(1, 2)" => "error RUNTIME_ERROR",
    } => |call| {
        let refused = Error::new("UNKNOWN_FUNCTION", "Puppet 8 has no function type_of");
        call.runtime.report_rejected_by_puppet(refused.with_help("write type(value, 'reduced')"))?;
        Ok(Value::Type(Type::infer_reduced(call.argument(0)?)))
    };
    /// returns the content of a Sensitive; other values unchanged; passes it to the block if there is one
    "unwrap" ["(Sensitive $sensitive, Optional[Callable] &$block)", "(Any $value, Optional[Callable] &$block)"] {
        "Sensitive('x').unwrap" => "'x'",
        "Sensitive('x').unwrap |$text| { $text.upcase }" => "'X'",
        "unwrap()" => "error RUNTIME_ERROR",
    } => |call| {
        let value = match call.argument(0)? {
            Value::Sensitive(content) => (**content).clone(),
            other => other.clone(),
        };
        call.pass_to_optional_block(value)
    };
}

fn assert_type(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (expected, value) = (call.argument(0)?, call.argument(1)?);
    let expected = match expected {
        Value::String(text) => call.runtime.parse_type(text).map_err(|error| match value {
            Value::Type(type_) => error.with_help(format!("the type comes first: `assert_type({type_}, …)`")),
            _ => error,
        })?,
        Value::Type(type_) => type_.clone(),
        _ => Type::any(),
    };
    if expected.try_has_instance(value)? {
        return Ok(value.clone());
    }
    match call.block {
        Some(block) => call.runtime.call(block, &[Value::Type(expected), Value::Type(Type::of(value))]),
        None => {
            let got = describe_safely(&expected, value);
            let wrong = Error::runtime(format!("expected {}, got {got}", describe_type(&expected)));
            let wrong = add_explanation(wrong, &expected, value).caused_by_argument(1, "the value");
            let handled = "a lambda handles the mismatch: `assert_type(…) |$expected, $actual| { … }`";
            Err(if wrong.help().is_empty() { wrong.with_help(handled) } else { wrong }.into())
        }
    }
}
