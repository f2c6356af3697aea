//! The macro `written!`, which creates a type from Puppet's notation in Rust code.

use crate::limits;
use crate::types::{TABLE, Type};
use crate::value::Value;

/// Creates the type that its arguments spell: `written!(Variant[Integer[0], Enum["a", "b"], Struct[{from => Any}]])`.
/// A word as a key is a string; an expression in parentheses, `Struct[{Optional["radix"] => (radix)}]`, is Rust.
macro_rules! written {
    (@value default) => { $crate::value::Value::Default };
    (@value ($value:expr)) => { $crate::value::Value::from($value) };
    (@value $literal:literal) => { $crate::value::Value::from($literal) };
    (@value [$($head:tt $([$($inside:tt)*])?),*]) => {
        $crate::value::Value::Array([$($crate::types::written!(@value $head $([$($inside)*])?)),*].into())
    };
    (@value {$($key:tt $([$($of_key:tt)*])? => $head:tt $([$($inside:tt)*])?),* $(,)?}) => {
        $crate::value::Value::Hash($crate::value::Hash::from([$((
            $crate::types::written!(@key $key $([$($of_key)*])?),
            $crate::types::written!(@value $head $([$($inside)*])?),
        )),*]))
    };
    (@value $($type_:tt)+) => { $crate::value::Value::Type($crate::types::written!($($type_)+)) };
    (@key $word:ident) => { $crate::value::Value::from(stringify!($word)) };
    (@key $($value:tt)+) => { $crate::types::written!(@value $($value)+) };
    ($name:ident $([$($head:tt $([$($inside:tt)*])?),* $(,)?])?) => {
        $crate::types::Type::built_in_with_arguments(stringify!($name), &[$($($crate::types::written!(@value $head $([$($inside)*])?)),*)?])
    };
}
pub(crate) use written;

impl Type {
    #[expect(clippy::expect_used, reason = "only written! calls it, with constants")]
    pub(crate) fn built_in_with_arguments(name: &'static str, arguments: &[Value]) -> Type {
        let bare = TABLE.iter().find(|row| row.name == name).map(|row| (row.bare)()).expect("a row of the table");
        if arguments.is_empty() {
            return bare;
        }
        limits::run_with_default_limits(|| bare.with_arguments(arguments)).expect("parameters of the type")
    }
}
