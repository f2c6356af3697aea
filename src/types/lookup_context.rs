//! `Puppet::LookupContext`: the context that Hiera passes to data functions.

use std::sync::LazyLock;

use super::builtin_objects::{attribute, row, with_parameters};
use super::object::{Attribute, AttributeKind, Definition, ObjectType};
use super::{
    ArrayType, BooleanType, CallableType, HashType, IntegerType, IterableType, OptionalType, Row, Rules, ScalarType,
    Size, StringType, TupleType, Type, UndefType, VariantType, example,
};

/// `Puppet::LookupContext('web')`. Its functions are in [`crate::functions`].
pub(super) const LOOKUP_CONTEXT: Row = Row {
    summary: "what Hiera passes to data functions: the module name and a cache",
    examples: &[
        example("Puppet::LookupContext('web').module_name", "'web'"),
        example("Puppet::LookupContext('')", "error RUNTIME_ERROR"),
    ],
    // Observed: Puppet 7.23 takes the name of the module alone, and only where there is an environment.
    new: &[
        "(Variant[String[1], Undef] $module_name)",
        "(Struct[{module_name => Variant[String[1], Undef]}] $attributes)",
    ],
    ..row("Puppet::LookupContext", || LOOKUP_CONTEXT_TYPE.clone(), |given| with_parameters(&LOOKUP_CONTEXT_TYPE, given))
};

/// Observed: Puppet 7.23 prints the type so.
///
/// Deviation: Puppet prints a context without its module, `Puppet::LookupContext({})`, which is not a context that could be
/// made; here it is `Puppet::LookupContext({'module_name' => 'web'})`, which can be read back.
static LOOKUP_CONTEXT_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let text = || Type::from(StringType::Sized(Size::NOT_EMPTY));
    let module_name = VariantType::of([text(), UndefType.into()]);
    let environment_name =
        Attribute::new("environment_name".into(), text().into(), AttributeKind::Derived, None).into();
    ObjectType::new(Definition {
        name: Some("Puppet::LookupContext".into()),
        parent: Some(Type::any().into()),
        attributes: vec![environment_name, attribute("module_name", module_name, None)],
        functions: functions().into_iter().map(|(name, type_)| attribute(name, type_, None)).collect(),
        ..Definition::default()
    })
    .into()
});

fn functions() -> [(&'static str, Type); 9] {
    let undef = || Some(Type::from(UndefType));
    let key = || Type::from(OptionalType::new(ScalarType.into()));
    let takes = |types: Vec<Type>, answer: Option<Type>| Type::from(CallableType::new(types, None, None, answer));
    let block = |count| Type::from(CallableType::new(Vec::new(), Some(Size::exactly(count)), None, None));
    let takes_block = |block: Type, answer| Type::from(CallableType::new(Vec::new(), None, Some(block), answer));
    let entry = TupleType::new([key(), Type::any()], None);
    let bytes = ArrayType::new(IntegerType::bare().into(), None);
    let reader = OptionalType::new(takes(vec![bytes.into()], None));
    let cached_entries = [
        takes_block(block(1), undef()),
        takes_block(block(2), undef()),
        takes(Vec::new(), Some(IterableType::new(entry.into()).into())),
    ];
    [
        ("not_found", takes(Vec::new(), undef())),
        ("explain", takes_block(block(0), undef())),
        ("interpolate", block(1)),
        ("cache", takes(vec![key(), Type::any()], None)),
        ("cache_all", takes(vec![HashType::new(key(), Type::any(), None).into()], undef())),
        ("cache_has_key", takes(vec![key()], Some(BooleanType::bare().into()))),
        ("cached_value", takes(vec![key()], None)),
        ("cached_entries", VariantType::of(cached_entries)),
        ("cached_file_data", CallableType::new(vec![StringType::All.into()], None, Some(reader.into()), None).into()),
    ]
}
