//! `CatalogEntry`: resources and classes in a catalog.

use super::{Lattice, Rules, Type, row};
use crate::value::Value;

/// Resources and classes.
///
/// Source: language specification, "CatalogEntry".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CatalogEntryType;

impl Rules for CatalogEntryType {
    row! {
        "CatalogEntry" below "Any": "catalog entries: references to resources and classes";
        "File['/tmp/x'] =~ Type[CatalogEntry]" => "true",
        "CatalogEntry[1]" => "error OPERATOR_NOT_APPLICABLE",
    }

    /// A reference to a resource is a type, so nothing is an instance.
    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::CatalogEntry(_) | Type::Resource(_) | Type::Class(_))
    }
}
