//! `Object[{attributes => {x => Integer}}]`: user-defined types.
//!
//! The content of an Object type is its [`Definition`], which is shared; a type with type parameters (`Error['kind']`)
//! is the same definition with values for them. Parsing and writing the hash between the brackets are in
//! [`super::definition::object_definition`].

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use indexmap::{IndexMap, IndexSet};

use super::definition::{NotCompared, UnexpectedValue, object_definition};
use super::regexp::is_match;
use super::{
    KeyPresence, Lattice, Member, NestedType, Replace, Rules, StructType, Type, TypeError, TypeWriter, describe,
    describe_safely, row, single_argument,
};
use crate::error::{Error, Result};
use crate::value::{EcoString, Hash, Object, Value};

/// The type of the instances of an Object type definition and of all definitions that inherit from it.
///
/// Bare `Object` is the supertype of all of them. Observed: Puppet 8.11 takes types as its instances too.
/// ```
/// let value = pcore::Session::default().eval("type Point = Object[{attributes => {x => Integer}}]\nPoint")?;
/// let pcore::Type::Object(point) = value.as_type().unwrap().behind_aliases().into_owned() else { panic!() };
/// assert_eq!((point.name(), point.fields()[0].type_().to_string().as_str()), (Some("Point"), "Integer"));
/// # Ok::<(), pcore::Error>(())
/// ```
///
/// Source: language specification, "Object".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectType {
    definition: Arc<Definition>,
    /// The arguments for the type parameters, with `default` for missing ones; empty if the type has no brackets.
    type_arguments: Vec<Value>,
}

/// The definition of an Object type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Definition {
    pub(super) name: Option<EcoString>,
    pub(super) parent: Option<NestedType>,
    /// The type parameters; their default values only appear in the string form and have no other effect.
    pub(super) type_parameters: Vec<Arc<Attribute>>,
    pub(super) attributes: Vec<Arc<Attribute>>,
    /// The functions, stored as attributes without a kind or a value.
    pub(super) functions: Vec<Arc<Attribute>>,
    /// The attributes that this definition adds to those that `==` compares; `None` adds all of its own.
    pub(super) equality: Option<Vec<EcoString>>,
    /// Whether `equality_include_type` is false: instances of different types may be equal.
    pub(super) ignores_type_in_equality: bool,
    pub(super) checks: Option<Value>,
    pub(super) annotations: Option<Value>,
    pub(super) cached_field_layout: NotCompared<OnceLock<Arc<FieldLayout>>>,
}

/// The fields, which are the own and inherited attributes that instances store, and which of these `==` compares.
#[derive(Debug, Default)]
pub(super) struct FieldLayout {
    fields: Vec<Arc<Attribute>>,
    struct_type: Arc<StructType>,
    /// The positions of the fields that `==` compares.
    compared_positions: Vec<usize>,
}

/// The maximum number of type parameters that are printed by position; more are printed as a hash, by name.
const MAX_PARAMETERS_BY_POSITION: usize = 2;

/// An attribute, constant, function or type parameter of an Object type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The name, such as `x`.
    pub name: EcoString,
    pub(super) type_: NestedType,
    /// Whether the attribute is constant, derived, given or derived, a reference, or none of these.
    pub kind: AttributeKind,
    /// The default value, or the value of a constant.
    pub value: Option<Value>,
    pub(super) is_override: bool,
    pub(super) is_final: bool,
    pub(super) annotations: Option<Value>,
}

/// The kind of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttributeKind {
    /// A value that the constructor receives and the instance stores.
    Normal,
    /// `constant`: the same value for every instance.
    Constant,
    /// `derived`: computed from other attributes; the constructor does not accept it.
    Derived,
    /// `given_or_derived`: passed to the constructor, or computed from other attributes.
    GivenOrDerived,
    /// `reference`: refers to a value that another object owns.
    Reference,
}

impl Attribute {
    pub(super) fn new(name: EcoString, type_: NestedType, kind: AttributeKind, value: Option<Value>) -> Attribute {
        Attribute { name, type_, kind, value, is_override: false, is_final: false, annotations: None }
    }

    /// The type of the attribute's values.
    pub fn type_(&self) -> &Type {
        &self.type_
    }

    fn is_stored(&self) -> bool {
        !matches!(self.kind, AttributeKind::Constant | AttributeKind::Derived)
    }

    /// Whether `new` requires a value. Observed: Puppet 8.11 does for `a => {type => Optional[Integer]}`.
    pub(super) fn is_required(&self) -> bool {
        self.value.is_none()
    }
}

pub(super) fn find_attribute<'m>(members: &'m [Arc<Attribute>], name: &str) -> Option<&'m Arc<Attribute>> {
    members.iter().find(|member| *member.name == *name)
}

impl ObjectType {
    pub(super) fn new(definition: Definition) -> ObjectType {
        ObjectType { definition: Arc::new(definition), type_arguments: Vec::new() }
    }

    /// The name of the type, such as `Point`; `None` for an unnamed type.
    pub fn name(&self) -> Option<&str> {
        self.definition.name.as_deref()
    }

    pub(crate) fn replace_name(&self, name: Option<&str>) -> ObjectType {
        let definition = Definition { name: name.map(EcoString::from), ..(*self.definition).clone() };
        ObjectType { definition: Arc::new(definition), type_arguments: self.type_arguments.clone() }
    }

    /// Returns the annotation of type `type_` that this type declares, as in `annotations => {Note => {text => 'x'}}`.
    pub(crate) fn declared_annotation(&self, type_: &Type) -> Option<Hash> {
        self.definition.annotations.as_ref()?.as_hash()?.get(&Value::Type(type_.clone()))?.as_hash().cloned()
    }

    pub(super) fn declared_parent(&self) -> Option<&Type> {
        self.definition.parent.as_deref()
    }

    /// Returns the Object type from which this one inherits directly, or `None`.
    pub fn parent(&self) -> Option<ObjectType> {
        ObjectType::of_type(&self.declared_parent()?.behind_aliases()).cloned()
    }

    /// Returns the type and its ancestors, nearest first.
    fn lineage(&self) -> impl Iterator<Item = Cow<'_, ObjectType>> {
        // A type that inherits from itself has no end; nobody inherits that often.
        std::iter::successors(Some(Cow::Borrowed(self)), |type_| type_.parent().map(Cow::Owned)).take(256)
    }

    fn lineage_from_root(&self) -> Vec<Cow<'_, ObjectType>> {
        let mut lineage: Vec<_> = self.lineage().collect();
        lineage.reverse();
        lineage
    }

    /// Returns the attributes for which instances store values, in order of declaration, inherited ones first.
    pub fn fields(&self) -> Vec<Arc<Attribute>> {
        self.field_layout().fields.clone()
    }

    pub(super) fn struct_of_fields(&self) -> Arc<StructType> {
        self.field_layout().struct_type.clone()
    }

    fn field_layout(&self) -> Arc<FieldLayout> {
        let NotCompared(known) = &self.definition.cached_field_layout;
        if let Some(layout) = known.get() {
            return layout.clone();
        }
        let lineage = self.lineage_from_root();
        let attributes = lineage.iter().flat_map(|type_| &type_.definition.attributes);
        // One that overrides another has its place.
        let all: IndexMap<&EcoString, Arc<Attribute>> = attributes.map(|field| (&field.name, field.clone())).collect();
        let fields: Vec<Arc<Attribute>> = all.into_values().filter(|field| field.is_stored()).collect();
        let at = |name: &EcoString| fields.iter().position(|field| field.name == *name);
        let counted = self.equality_fields().iter().filter_map(at).collect();
        let member = |field: &Arc<Attribute>| {
            // One that may be undef may be left out.
            let presence = if field.is_required() { KeyPresence::Plain } else { KeyPresence::Optional };
            Member::new(field.name.clone(), presence, field.type_().clone())
        };
        let record = StructType::new(fields.iter().map(member).collect()).into();
        let layout = Arc::new(FieldLayout { fields, struct_type: record, compared_positions: counted });
        let first = self.lineage().last();
        let parent = first.as_ref().and_then(|first| first.declared_parent());
        match parent.map(Type::behind_aliases).as_deref() {
            // An alias that is not resolved yet may turn out to be a parent with more attributes.
            Some(Type::Alias(_)) => layout,
            _ => known.get_or_init(|| layout).clone(),
        }
    }

    /// Returns the own or inherited attribute or constant called `name`, or `None` if there is none.
    pub fn attribute(&self, name: &str) -> Option<Arc<Attribute>> {
        self.lineage().find_map(|type_| find_attribute(&type_.definition.attributes, name).cloned())
    }

    /// The names of the attributes and constants, those of the type itself first.
    pub fn attribute_names(&self) -> Vec<String> {
        let attributes = self.lineage().flat_map(|type_| type_.definition.attributes.clone());
        let names: IndexSet<String> = attributes.map(|attribute| attribute.name.to_string()).collect();
        names.into_iter().collect()
    }

    pub(crate) fn attribute_value(object: &Object, name: &str) -> Option<Value> {
        let type_ = &object.type_;
        match type_.field_layout().fields.iter().position(|field| *field.name == *name) {
            Some(at) => object.attributes.get(at).cloned(),
            None => type_.attribute(name)?.value.clone(),
        }
    }

    /// Returns the Callable type of the own or inherited function `name`, or `None` if there is none.
    pub fn function_type(&self, name: &str) -> Option<Type> {
        self.function_declaration(name).map(|function| function.type_().clone())
    }

    pub(super) fn function_declaration(&self, name: &str) -> Option<Arc<Attribute>> {
        self.lineage().find_map(|type_| find_attribute(&type_.definition.functions, name).cloned())
    }

    pub(super) fn attribute_owner(&self, name: &str) -> Option<Cow<'_, ObjectType>> {
        self.lineage().find(|type_| find_attribute(&type_.definition.attributes, name).is_some())
    }

    pub(super) fn own_equality_fields(&self) -> Vec<EcoString> {
        let fields = self.definition.attributes.iter().filter(|attribute| attribute.is_stored());
        let all = || fields.map(|attribute| attribute.name.clone()).collect();
        self.definition.equality.clone().unwrap_or_else(all)
    }

    pub(crate) fn equality_fields(&self) -> Vec<EcoString> {
        let names: IndexSet<EcoString> = self.lineage().flat_map(|type_| type_.own_equality_fields()).collect();
        names.into_iter().collect()
    }

    pub(crate) fn compared_values(object: &Object) -> Vec<&Value> {
        object.type_.field_layout().compared_positions.iter().filter_map(|at| object.attributes.get(*at)).collect()
    }

    pub(crate) fn equality_includes_type(&self) -> bool {
        !self.definition.ignores_type_in_equality
    }

    /// Whether an instance is equal only to itself: if `==` compares neither attributes nor the type, or if the root of
    /// the lineage inherits from a type that is not an Object type.
    ///
    /// Observed: Puppet 7.23.
    pub(crate) fn compares_by_identity(&self) -> bool {
        let inherits_from_other = self.lineage().last().is_some_and(|first| first.declared_parent().is_some());
        inherits_from_other || (!self.equality_includes_type() && self.equality_fields().is_empty())
    }

    /// Returns a hash of the attributes of an instance, by name, for which `is_meant` returns true.
    pub(crate) fn attributes_where(object: &Object, is_meant: impl Fn(&Attribute, &Value) -> bool) -> Hash {
        let fields = object.type_.fields().into_iter().zip(&object.attributes);
        let meant = fields.filter(|(field, value)| is_meant(field, value));
        meant.map(|(field, value)| (Value::String(field.name.clone()), value.clone())).collect()
    }

    /// Returns the type with `arguments` for its type parameters, by position or by name: `Error['kind']`.
    pub(super) fn with_type_arguments(&self, arguments: &[Value]) -> Result<Type> {
        let declared = self.type_parameters();
        let wrong = |problem: String| TypeError::invalid_parameter_error(Self::NAME, problem);
        if declared.is_empty() {
            let name = Type::from(self.clone()).to_string_as_parameter();
            return Err(wrong(format!("{name} has no type parameters")).into());
        }
        let mut given: Vec<Value> = match arguments {
            [given @ Value::Hash(named)] if !declared.first().is_some_and(|first| first.type_.has_instance(given)) => {
                let is_known = |key: &&Value| declared.iter().any(|known| key.as_str() == Some(&known.name));
                if let Some(unknown) = named.keys().find(|key| !is_known(key)) {
                    return Err(wrong(format!("unknown type parameter {}", describe(unknown))).into());
                }
                declared.iter().map(|known| named.get_str(&known.name).cloned().unwrap_or(Value::Default)).collect()
            }
            _ => arguments.iter().take(declared.len()).cloned().collect(),
        };
        given.resize(declared.len(), Value::Default);
        for (Attribute { name, type_, .. }, value) in declared.iter().map(AsRef::as_ref).zip(&given) {
            if !matches!(value, Value::Default | Value::Undef) && !type_.has_instance(value) {
                let got = describe_safely(type_, value);
                return Err(wrong(format!("expected {} as {name}, got {got}", **type_)).into());
            }
        }
        if given.iter().all(|value| matches!(value, Value::Default)) {
            return Err(wrong("expected at least one type parameter, got none".to_owned()).into());
        }
        Ok(ObjectType { definition: self.definition.clone(), type_arguments: given }.into())
    }

    /// Returns the argument for the type parameter `name`, such as `'x'` for `kind` in `Error['x']`, if there is one.
    pub(crate) fn type_argument(&self, name: &str) -> Option<&Value> {
        let at = self.type_parameters().iter().position(|declared| *declared.name == *name)?;
        self.type_arguments.get(at).filter(|given| !matches!(given, Value::Default))
    }

    pub(super) fn type_parameters(&self) -> Vec<Arc<Attribute>> {
        if self.definition.parent.is_none() {
            return self.definition.type_parameters.clone();
        }
        self.lineage_from_root().iter().flat_map(|type_| &type_.definition.type_parameters).cloned().collect()
    }

    fn argument_matches_value(given: &Value, value: &Value, lattice: &mut Lattice) -> bool {
        match (given, value) {
            (Value::Default, _) => true,
            (Value::Type(type_), value) => lattice.has_instance(type_, value),
            (Value::Regexp(regexp), Value::String(text)) => is_match(regexp, text),
            (given, value) => given == value,
        }
    }

    /// Whether this is the bare type `Object`.
    pub(crate) fn is_root(&self) -> bool {
        self.type_arguments.is_empty() && *self.definition == Definition::default()
    }

    /// Writes the name and the type arguments, as needed inside the brackets of another type.
    fn show_by_name(&self, out: &mut TypeWriter) {
        let is_given = |value: &Value| !matches!(value, Value::Default);
        let arguments = if self.type_arguments.len() > MAX_PARAMETERS_BY_POSITION {
            let named = self.type_parameters().into_iter().map(|declared| Value::String(declared.name.clone()));
            let given = named.zip(self.type_arguments.iter().cloned()).filter(|(_, value)| is_given(value));
            &[Value::Hash(given.collect())]
        } else {
            let count = self.type_arguments.iter().rposition(is_given).map_or(0, |last| last + 1);
            self.type_arguments.get(..count).unwrap_or_default()
        };
        super::text::write_type(self.name().unwrap_or(Self::NAME), arguments, out);
    }

    pub(super) fn show_definition(&self, out: &mut TypeWriter) {
        if self.type_arguments.is_empty() {
            out.text.extend([Self::NAME, "["]);
            out.write_with_alias_definitions(false, |out| object_definition::write_definition(&self.definition, out));
            out.text.push(']');
        } else {
            self.show_by_name(out);
        }
    }

    fn construction_error(&self, problem: String) -> Error {
        TypeError::Construction { type_: self.name().unwrap_or(Self::NAME).into(), problem }.into()
    }

    /// Assigns positional `arguments` to fields, those without a default first; each field gets an argument or `None`.
    fn arguments_by_field<'a>(&self, layout: &FieldLayout, arguments: &'a [Value]) -> Result<Vec<Option<&'a Value>>> {
        let FieldLayout { fields, struct_type: record, .. } = layout;
        let explained = |problem: String, given: &Hash| {
            let (type_, value) = (Type::Struct(record.clone()), Value::Hash(given.clone()));
            UnexpectedValue { expected_type: type_, value, says_first: true }
                .attach_to_error(self.construction_error(problem))
        };
        let (least, most) = (fields.iter().filter(|field| field.is_required()).count(), fields.len());
        if !(least..=most).contains(&arguments.len()) {
            if let [Value::Hash(hash)] = arguments {
                return Err(explained(record.describe_rejection(hash, "attributes"), hash));
            }
            let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
            let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let expected = match most {
                0 => "no values".to_owned(),
                _ => format!("{count} values ({})", names.join(", ")),
            };
            return Err(self.construction_error(format!("expected {expected}, got {}", arguments.len())));
        }
        let (mut required, mut optional) = (arguments.iter().take(least), arguments.iter().skip(least));
        let value = |field: &Arc<Attribute>| if field.is_required() { required.next() } else { optional.next() };
        let given: Vec<Option<&Value>> = fields.iter().map(value).collect();
        let named = fields.iter().zip(&given).filter_map(|(field, value)| Some((field, (*value)?)));
        let named: Hash = named.map(|(field, value)| (Value::String(field.name.clone()), value.clone())).collect();
        let Some(mismatched) = record.describe_mismatched_value(&named) else { return Ok(given) };
        Err(match arguments {
            [Value::Hash(hash)] => {
                let is_named = hash.keys().any(|key| key.as_str().is_some_and(|key| record.member(key).is_some()));
                explained(record.describe_rejection(hash, "attributes"), if is_named { hash } else { &named })
            }
            _ => explained(mismatched, &named),
        })
    }

    pub(super) fn type_of_instance(object: &Object) -> Type {
        let declared = object.type_.type_parameters();
        if declared.is_empty() {
            return Type::Object(object.type_.clone());
        }
        let given =
            declared.iter().map(|declared| ObjectType::attribute_value(object, &declared.name).unwrap_or_default());
        ObjectType { definition: object.type_.definition.clone(), type_arguments: given.collect() }.into()
    }
}

impl Rules for ObjectType {
    row! {
        "Object" ["{attributes => {name => type, …}, …}"] below "Any":
            "user-defined types with attributes, functions and inheritance";
        "type Point = Object[{attributes => {x => Integer, y => {type => Integer, value => 0}}}]\nPoint(1)"
            => "Point({'x' => 1})",
        "Object[{sttributes => {}}]" => "error RUNTIME_ERROR",
        new "(Any *$arguments)",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match single_argument(Self::NAME, arguments)? {
            Value::Hash(entries) => Ok(ObjectType::new(object_definition::read_definition(entries)?).into()),
            other if other.is_undef() || other.as_str() == Some("") => Ok(ObjectType::default().into()),
            other => {
                let problem = format!("expected a Hash that describes the type, got {}", describe(other));
                Err(TypeError::invalid_parameter_error(Self::NAME, problem).into())
            }
        }
    }

    fn arguments(&self) -> Vec<Value> {
        self.type_arguments.clone()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        match value {
            Value::Object(object) => {
                self.is_root()
                    || (object.type_.lineage().any(|type_| type_.definition == self.definition)
                        && self.type_parameters().iter().zip(&self.type_arguments).all(|(declared, given)| {
                            let value = ObjectType::attribute_value(object, &declared.name).unwrap_or(Value::Undef);
                            Self::argument_matches_value(given, &value, lattice)
                        }))
            }
            Value::Type(_) => self.is_root(),
            _ => false,
        }
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Object(other) = other else { return false };
        if self.is_root() {
            return true;
        }
        let inherits = other.lineage().any(|type_| type_.definition == self.definition);
        let given = other.type_arguments.iter().chain(std::iter::repeat(&Value::Default));
        let mut accepts = |(own, given): (&Value, &Value)| match (own, given) {
            (Value::Type(type_), Value::Type(given)) => lattice.accepts_inner_type(type_, given),
            (Value::Default, _) => true,
            (_, Value::Default) => false,
            _ => own == given || Self::argument_matches_value(own, given, lattice),
        };
        inherits && self.type_arguments.iter().zip(given).all(&mut accepts)
    }

    /// Takes values by position or in a hash. Observed: Puppet 7.23; a hash with other keys is the first value.
    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let layout = self.field_layout();
        let given = match arguments {
            [value @ Value::Hash(named)] if layout.struct_type.has_instance(value, &mut Lattice::default()) => {
                layout.fields.iter().map(|field| named.get_str(&field.name)).collect()
            }
            _ => self.arguments_by_field(&layout, arguments)?,
        };
        let value = |(field, given): (&Arc<Attribute>, Option<&Value>)| given.or(field.value.as_ref()).cloned();
        let attributes = layout.fields.iter().zip(given).map(|field| value(field).unwrap_or_default()).collect();
        let object = Object { type_: Arc::new(self.clone()), attributes };
        for Attribute { name, type_, .. } in self.type_parameters().iter().map(AsRef::as_ref) {
            let given = ObjectType::attribute_value(&object, name).unwrap_or(Value::Undef);
            if !matches!(given, Value::Undef) && !type_.has_instance(&given) {
                let (expected, got) = (type_.to_string_as_parameter(), describe_safely(type_, &given));
                return Err(self.construction_error(format!("expected {expected} for {name}, got {got}")));
            }
        }
        Ok(Value::Object(Arc::new(object)))
    }

    fn generalized(&self, _: &mut Replace<'_>) -> Type {
        ObjectType { definition: self.definition.clone(), type_arguments: Vec::new() }.into()
    }

    fn write_code(&self, out: &mut TypeWriter) {
        if out.writes_definitions { self.show_definition(out) } else { self.show_by_name(out) }
    }
}
