//! Conversions between types and strings: `FromStr` for `Type`, and its serde implementations.

use std::str::FromStr;

use super::{Session, Source, Type};
use crate::error::{Error, Result};

/// Evaluates an expression whose value is a type. Aliases of modules are unknown; they need [`Session::evaluate_type`].
///
/// ```
/// use pcore::types::Type;
/// let port: Type = "Integer[1, 65535]".parse()?;
/// assert!(port.has_instance(&8080.into()));
/// assert_eq!(port.to_string(), "Integer[1, 65535]");
/// # Ok::<(), pcore::error::Error>(())
/// ```
///
/// # Errors
/// The text is not an expression, or its value is not a type.
impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Type> {
        Session::default().evaluate_type(&Source::new("type", text))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Type {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Type {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Type, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
