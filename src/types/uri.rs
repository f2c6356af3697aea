//! `URI[constraints]`: URIs, optionally with constraints on their parts.

use std::sync::Arc;

use super::{
    EnumType, IntegerType, Lattice, NotUndefType, PatternType, Rules, Type, TypeError, UndefType, arguments_in_order,
    row, single_argument,
};
use crate::error::{Error, Result};
use crate::value::{Hash, Uri, Value, uri::PARTS};

/// URIs whose parts meet constraints: a string matches itself in any case, a regular expression what it matches,
/// `undef` an absent part, a number that port, and a type its instances.
///
/// Source: language specification, "`URI[V]`".
/// Observed: Puppet 8.11 takes as a constraint every type that excludes `undef`, and no text for the port; the text of
/// a whole URI must be absolute.
/// Deviation: the port of a string becomes an Integer, as the specification says, and a port that the scheme implies is
/// left out; Puppet makes it a String, which matches no URI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UriType {
    constraints: Vec<UriConstraint>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct UriConstraint {
    /// The name of the part, one of [`PARTS`].
    part: &'static str,
    written_value: Value,
    part_type: Type,
}

impl UriConstraint {
    /// Parses a constraint; `None` if `part` is not a part of URIs, or `written` is not a valid constraint for it.
    fn parse(part: &str, written: &Value) -> Option<UriConstraint> {
        let part = PARTS.into_iter().find(|name| *name == part)?;
        let is_port = part == "port";
        let type_ = match written {
            Value::Undef => UndefType.into(),
            Value::String(text) if !is_port && !text.is_empty() => EnumType::new([text.clone()], true).into(),
            Value::Regexp(regexp) if !is_port => PatternType::new([regexp.clone()]).into(),
            Value::Integer(number) if is_port && *number >= 0 => IntegerType::new(*number, *number)?.into(),
            Value::Type(type_) => {
                let not_undef = Type::from(NotUndefType::default());
                let constrains = Type::from(UndefType).accepts(type_) || not_undef.accepts(type_);
                constrains.then(|| type_.clone())?
            }
            _ => return None,
        };
        Some(UriConstraint { part, written_value: written.clone(), part_type: type_ })
    }

    /// Whether this constraint accepts every value of the URI part that `other` accepts.
    ///
    /// Observed: Puppet 7.23 compares constraints as they are written: a type accepts a text that is its instance, with
    /// regard to case, and a text never accepts a type.
    fn accepts(&self, other: &UriConstraint, lattice: &mut Lattice) -> bool {
        match (&self.written_value, &other.written_value) {
            (Value::Type(_), Value::Type(_)) => lattice.accepts(&self.part_type, &other.part_type),
            (Value::Type(_), other) => lattice.has_instance(&self.part_type, other),
            (_, Value::Type(_)) => false,
            _ => lattice.accepts(&self.part_type, &other.part_type),
        }
    }
}

impl UriType {
    /// Returns the type of URIs with all parts of `uri` except empty ones and default ports, which may have any value.
    pub fn of_uri(uri: &Uri) -> UriType {
        // Every telling part constrains: a string that is not empty, or a port.
        let constraints = uri.significant_parts().filter_map(|(part, value)| UriConstraint::parse(part, &value));
        UriType { constraints: constraints.collect() }
    }
}

impl Rules for UriType {
    row! {
        "URI" ["uri or {part => constraint, …}"] below "Any": "URIs, optionally with constraints on their parts";
        "URI('http://example.com/a') =~ URI[{scheme => 'http', query => undef}]" => "true",
        "URI('http://example.com/a/b') + 'c'" => "URI('http://example.com/a/c')",
        "URI({scheme => 'urn', opaque => 'a:b'})" => "URI('urn:a:b')",
        "URI['http://example.com']" => "URI[{'scheme' => 'http', 'host' => 'example.com'}]",
        "URI('http://a b')" => "error RUNTIME_ERROR",
        "URI[{bogus => 'a'}]" => "error BAD_TYPE_SLICE_TYPE",
        new "(String[1] $uri)",
        new "(Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], Optional[host] => String[1], Optional[port] => Integer[0], Optional[path] => String[1], Optional[query] => String[1], Optional[fragment] => String[1], Optional[opaque] => String[1]}] $parts)",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match single_argument(Self::NAME, arguments)? {
            Value::String(text) if !text.is_empty() => {
                let uri = Uri::parse(text)?;
                if uri.attribute("scheme") == Some(Value::Undef) {
                    return Err(Error::runtime(format!("URI requires an absolute URI, but '{text}' has no scheme")));
                }
                Ok(UriType::of_uri(&uri).into())
            }
            Value::Hash(constraints) => {
                let constraint = |(part, written): (&Value, &Value)| {
                    let wrong = || Value::Hash(Hash::from([(part.clone(), written.clone())]));
                    let constraint = part.as_str().and_then(|part| UriConstraint::parse(part, written));
                    constraint.ok_or_else(|| TypeError::not_a_type(Self::NAME, &wrong()))
                };
                Ok(UriType { constraints: constraints.iter().map(constraint).collect::<Result<_, _>>()? }.into())
            }
            other => Err(TypeError::not_a_type(Self::NAME, other).into()),
        }
    }

    fn arguments(&self) -> Vec<Value> {
        let entries = self.constraints.iter();
        let hash: Hash =
            entries.map(|constraint| (Value::from(constraint.part), constraint.written_value.clone())).collect();
        if hash.is_empty() { Vec::new() } else { vec![Value::Hash(hash)] }
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Uri(uri) = value else { return false };
        self.constraints.iter().all(|constraint| {
            uri.attribute(constraint.part).is_some_and(|part| lattice.has_instance(&constraint.part_type, &part))
        })
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Uri(other) = other else { return false };
        self.constraints.iter().all(|own| {
            let other = other.constraints.iter().find(|other| other.part == own.part);
            other.is_some_and(|other| own.accepts(other, lattice))
        })
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let uri = match arguments {
            [Value::String(text)] if !text.is_empty() => Uri::parse(text)?,
            [Value::Hash(_)] => {
                let parts = arguments_in_order(Self::NAME, arguments, &PARTS)?;
                Uri::from_parts(PARTS.into_iter().zip(parts).filter_map(|(name, part)| Some((name, part?))))?
            }
            _ => return Err(Error::runtime("expected a URI as a string, or a Hash of its parts")),
        };
        Ok(Value::Uri(Arc::new(uri)))
    }
}
