//! `reverse_each`, `step` and `tree_each`: return a lazy iterator, or call a block for each element.

use std::sync::Arc;

use super::iteration::{call_block_for_each, catch_break, to_iterator};
use super::{Call, Flow};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::types::{Size, Type};
use crate::value::{Hash, Iterator, Value, tree::TreeEachArguments};

functions! {
    /// iterates from the last element to the first; returns an iterator, or calls the block for each
    "reverse_each" ["(Iterable $iterable)", "(Iterable $iterable, Callable[1, 1] &$block)"] {
        "[1, 2, 3].reverse_each" => "[3, 2, 1]",
        "Integer[1, 1000000000000].step(3).reverse_each.any |$x| { true }" => "true",
        "1.5.reverse_each" => "error RUNTIME_ERROR",
    } => |call| {
        let reversed = to_iterator(call.argument(0)?)?.reversed()?;
        return_or_iterate(call, reversed)
    };
    /// iterates over every nth element, starting with the first; returns an iterator, or calls the block for each
    "step" [
        "(Iterable $iterable, Integer[1] $step)",
        "(Iterable $iterable, Integer[1] $step, Callable[1, 1] &$block)",
    ] {
        "[1, 2, 3, 4, 5].step(2)" => "[1, 3, 5]",
        "[1, 2].step(0)" => "error RUNTIME_ERROR",
    } => |call| {
        let step = call.argument(1)?.as_integer().map_or(1, |step| step.unsigned_abs().max(1));
        let stepped = to_iterator(call.argument(0)?)?.stepped_by(step);
        return_or_iterate(call, stepped)
    };
    /// iterates over nested containers depth first, with paths; returns an iterator, or calls the block for each
    "tree_each" TREE_SIGNATURES {
        "{'a' => [1]}.tree_each('include_containers' => false).map |$node| { $node }" => "[[['a', 0], 1]]",
        "[[3]].tree_each |$path, $value| { notice($path, $value) }" => "[[3]]",
        "5.tree_each" => "error RUNTIME_ERROR",
    } => tree_each;
}

macro_rules! tree_signature {
    ($block:literal) => {
        concat!(
            "(Variant[Iterator, Array, Hash, Object] $tree, Optional[Struct[{",
            "Optional[container_type] => Type, Optional[include_root] => Boolean, ",
            "Optional[include_containers] => Boolean, Optional[include_values] => Boolean, ",
            "Optional[order] => Enum[depth_first, breadth_first], Optional[include_refs] => Boolean",
            "}]] $options = undef",
            $block,
            ")"
        )
    };
}

const TREE_SIGNATURES: &[&str] =
    &[tree_signature!(", Callable[2, 2] &$block"), tree_signature!(", Callable[1, 1] &$block"), tree_signature!("")];

/// Returns `iterator` or calls the block. Observed: Puppet 8.11 spreads elements, except over one required parameter.
fn return_or_iterate(call: &mut Call<'_>, iterator: Iterator) -> Result<Value, Flow> {
    let Some(block) = call.block else { return Ok(Value::Iterator(Arc::new(iterator))) };
    match block.arity() {
        arity if arity == Size::exactly(1) => {
            call_block_for_each(call.runtime, block, &Value::Iterator(Arc::new(iterator)), false)?;
        }
        arity => catch_break(iterator.iter_elements().try_for_each(|element| {
            interrupt::take_long_step();
            let spread = to_block_arguments(element)?;
            let count = spread.len().min(usize::try_from(arity.to()).unwrap_or(usize::MAX));
            call.runtime.call(block, spread.get(..count).unwrap_or(&spread)).map(drop)
        }))?,
    }
    Ok(Value::Undef)
}

fn to_block_arguments(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::Undef => Ok(Vec::new()),
        Value::Array(_) | Value::Hash(_) | Value::Iterator(_) => to_iterator(&value)?.elements(),
        other => Ok(vec![other]),
    }
}

fn tree_each(call: &mut Call<'_>) -> Result<Value, Flow> {
    let subject = call.argument(0)?;
    let root = match subject {
        Value::Iterator(iterator) => iterator.to_array()?.into(),
        other => other.clone(),
    };
    let empty = Hash::default();
    let options = call.arguments.get(1).and_then(Value::as_hash).unwrap_or(&empty);
    let nodes = Iterator::from_tree(tree_each_arguments(root, options)?);
    let Some(block) = call.block else { return Ok(Value::Iterator(Arc::new(nodes))) };
    // A block of one parameter sees the value alone.
    let first = usize::from(call.signature_index > 0);
    catch_break(nodes.iter_elements().try_for_each(|node| {
        interrupt::take_long_step();
        let Value::Array(path_and_value) = &node else { return Ok(()) };
        call.runtime.call(block, path_and_value.get(first..).unwrap_or_default()).map(drop)
    }))?;
    Ok(subject.clone())
}

fn tree_each_arguments(root: Value, options: &Hash) -> Result<TreeEachArguments> {
    let flag = |name: &str, default: bool| options.get_str(name).map_or(default, |flag| *flag == Value::Boolean(true));
    let (include_containers, include_values) = (flag("include_containers", true), flag("include_values", true));
    if !include_containers && !include_values {
        let wrong = "include_containers and include_values are both false, so there is nothing to iterate over";
        return Err(Error::runtime(wrong).with_help("set one of them to true"));
    }
    let container_type =
        options.get_str("container_type").and_then(Value::as_type).map(check_container_type).transpose()?;
    Ok(TreeEachArguments {
        root,
        container_type,
        include_root: flag("include_root", true),
        include_containers,
        include_values,
        include_references: flag("include_refs", false),
        is_breadth_first: options.get_str("order") == Some(&Value::from("breadth_first")),
    })
}

fn check_container_type(type_: &Type) -> Result<Type> {
    if Type::one_of(["Array", "Hash", "Object"].map(Type::built_in_type)).accepts(type_) {
        return Ok(type_.clone());
    }
    Err(Error::runtime(format!("expected Array, Hash, an Object type or a Variant of these, got {type_}")))
}
