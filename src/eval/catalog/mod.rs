//! Evaluates resources, overrides, resource defaults and relationships without a catalog. Titles and operands are
//! checked, and attributes are compared with the parameters of the class or defined type if that is known. All but
//! relationships then end with an error that says that pcore does not compile catalogs.

mod error;

use error::CatalogError;
pub(crate) use error::NEEDS_CATALOG;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::code::{AttributeCode, ResourceBodyCode, ResourceCode};
use super::declared::Declaration;
use super::{Strictness, run::Evaluator};
use crate::error::{Error, Kind as _};
use crate::explain::mismatch::add_explanation;
use crate::functions::{Flow, Runtime as _};
use crate::syntax::tree::{DefinitionKind, ResourceKind};
use crate::text::Span;
use crate::types::describe::{describe, describe_type, shorten};
use crate::types::{ResourceType, Type, secret::describe_safely};
use crate::value::Value;
use crate::wording::nearest;
use crate::{interrupt, stack};

/// The names of the attributes that every resource accepts; only classes accept `stage`.
///
/// Source: Puppet reference, "Metaparameters"; `name` is the title where no attribute says otherwise.
/// Observed: Puppet 7.23 refuses `stage` for everything but classes.
#[rustfmt::skip]
pub(crate) const METAPARAMETERS: [&str; 14] = [
    "alias", "audit", "before", "consume", "export", "loglevel", "name", "noop", "notify", "require", "schedule",
    "stage", "subscribe", "tag",
];

struct EvaluatedBody<'c> {
    titles: Vec<Value>,
    title_span: Span,
    attributes: Attributes<'c>,
}

/// The values of attributes by name, each with the code that sets it.
type Attributes<'c> = IndexMap<String, (Value, &'c AttributeCode), FxBuildHasher>;

impl Evaluator<'_> {
    /// Evaluates a resource, an override or resource defaults. Never returns a value: valid ones need a catalog.
    pub(super) fn evaluate_resource(&mut self, code: &ResourceCode, span: Span) -> Result<Value, Flow> {
        let place = code.resource_type.span;
        let subject = match self.run_code(&code.resource_type)? {
            Value::String(name) if code.has_type_name && *name == *"class" => Value::Type(Type::built_in_type("Class")),
            Value::String(name) if code.has_type_name => self.resource_type_by_name(&name, place)?,
            subject => subject,
        };
        let described = describe(&subject);
        match code.resource_kind {
            ResourceKind::Override => {
                let fits = is_titled_resource(&subject);
                self.evaluate_resource_bodies(&code.bodies)?;
                let misuse = if fits {
                    CatalogError::DefaultsOrOverride(format!("override {}", self.source.slice(place)))
                } else {
                    CatalogError::NoResource(described)
                };
                Err(misuse.at(place).into())
            }
            ResourceKind::Defaults | ResourceKind::Declaration | ResourceKind::Untitled => {
                let Some(type_name) = untitled_type_name(&subject) else {
                    let after = self.source.text()[place.range().end..].trim_start_matches([' ', '\t', '\r']);
                    let next_line = after.starts_with('\n');
                    return Err(CatalogError::NoResourceType { got: described, next_line }.at(place).into());
                };
                let bodies = self.evaluate_resource_bodies(&code.bodies)?;
                if code.resource_kind == ResourceKind::Defaults {
                    let change = format!("set defaults for {} resources", type_name.to_lowercase());
                    return Err(CatalogError::DefaultsOrOverride(change).at(span).into());
                }
                reject_duplicate_titles(&bodies)?;
                let fits = self.check_resource_bodies(&type_name, &bodies)?;
                let title = bodies.iter().flat_map(|body| &body.titles).find(|title| matches!(title, Value::String(_)));
                let title = title.map_or_else(|| "'title'".to_owned(), crate::format::program_text);
                let example = format!("{type_name}[{title}]");
                Err(CatalogError::Resource { type_name, fits, example }.at(span).into())
            }
        }
    }

    /// Returns the type of a resource declaration with the type name `name`; strictness `error` rejects unknown names.
    fn resource_type_by_name(&mut self, name: &str, span: Span) -> Result<Value, Flow> {
        let Some(type_) = ResourceType::new(name, None) else {
            return Err(CatalogError::NoResourceType { got: format!("`{name}`"), next_line: false }.at(span).into());
        };
        let shown = type_.type_name().unwrap_or_default().to_owned();
        let is_core = Type::core_resource_names().contains(&&*shown);
        if !is_core
            && self.environment.strictness == Strictness::Error
            && self.environment.find_class_or_define(name)?.is_none()
        {
            return self.resolve_type_name(&shown, span);
        }
        Ok(Value::Type(type_.into()))
    }

    fn evaluate_resource_bodies<'c>(&mut self, codes: &'c [ResourceBodyCode]) -> Result<Vec<EvaluatedBody<'c>>, Flow> {
        codes.iter().map(|code| self.evaluate_resource_body(code)).collect()
    }

    fn evaluate_resource_body<'c>(&mut self, code: &'c ResourceBodyCode) -> Result<EvaluatedBody<'c>, Flow> {
        let (titles, title_span) = match &code.title {
            Some(title) => {
                (titles_from_value(self.run_code(title)?).map_err(|misuse| misuse.at(title.span))?, title.span)
            }
            None => (Vec::new(), Span::default()),
        };
        let mut attributes = Attributes::default();
        for code in &code.attributes {
            let value = self.run_code(&code.value)?;
            let entries: Vec<(String, Value)> = match &value {
                _ if *code.name != *"*" => vec![(code.name.to_string(), value)],
                Value::Hash(hash) => {
                    hash.iter().filter_map(|(name, value)| Some((name.as_str()?.to_owned(), value.clone()))).collect()
                }
                other => return Err(CatalogError::UnfoldsNoHash(describe(other)).at(code.value.span).into()),
            };
            for (name, value) in interrupt::step_through(entries) {
                if let Some((_, first)) = attributes.get(&name) {
                    let error = CatalogError::DuplicateAttribute(name).at(code.name_span);
                    return Err(error.with_label(first.name_span, "first used here").into());
                }
                attributes.insert(name, (value, code));
            }
        }
        Ok(EvaluatedBody { titles, title_span, attributes })
    }

    /// Checks the attributes of `bodies` against their class or defined type; returns its name, or `None` if unknown.
    fn check_resource_bodies(&mut self, type_name: &str, bodies: &[EvaluatedBody<'_>]) -> Result<Option<String>, Flow> {
        let defaults = bodies.iter().find(|body| body.titles.contains(&Value::Default));
        let mut fitting = None;
        for body in bodies {
            let mut given = body.attributes.clone();
            for (name, attribute) in defaults.iter().flat_map(|defaults| &defaults.attributes) {
                given.entry(name.clone()).or_insert_with(|| attribute.clone());
            }
            for title in &body.titles {
                let name = match title {
                    Value::String(title) if type_name == "Class" => title.to_string(),
                    Value::Default => continue,
                    _ => type_name.to_lowercase(),
                };
                if let Some(definition) = self.environment.find_class_or_define(&name)?
                    && (definition.kind == DefinitionKind::Class) == (type_name == "Class")
                {
                    self.check_attributes(&definition, &given, body.title_span)?;
                    fitting = Some(definition.name.to_string());
                }
            }
        }
        Ok(fitting)
    }

    fn check_attributes(
        &mut self,
        definition: &Declaration,
        given_attributes: &Attributes<'_>,
        title_span: Span,
    ) -> Result<(), Flow> {
        let is_shared = |name: &str| {
            METAPARAMETERS.contains(&name) && (name != "stage" || definition.kind == DefinitionKind::Class)
        };
        let (mut errors, mut meant): (Vec<Error>, Vec<&str>) = (Vec::new(), Vec::new());
        for (name, (_, code)) in given_attributes {
            if definition.parameter_named(name).is_none() && !is_shared(name) {
                let near = nearest(name, definition.parameters.iter().map(|parameter| &*parameter.name));
                meant.extend(near);
                let misuse = CatalogError::UnknownAttribute {
                    definition: definition.name.to_string(),
                    name: name.clone(),
                    near: near.map(str::to_owned),
                };
                errors.push(misuse.at(code.name_span));
            }
        }
        for parameter in &definition.parameters {
            let given = given_attributes.get(&*parameter.name);
            let given = given.filter(|(value, _)| !(parameter.default.is_some() && *value == Value::Undef));
            let Some((value, code)) = given else {
                // What a class is not given may come from data.
                if parameter.default.is_some()
                    || definition.kind == DefinitionKind::Class
                    || meant.contains(&&*parameter.name)
                {
                    continue;
                }
                let misuse = CatalogError::MissingAttribute {
                    definition: definition.name.to_string(),
                    parameter: definition.parameter_source(parameter).to_owned(),
                    name: parameter.name.to_string(),
                };
                errors.push(misuse.at(title_span));
                continue;
            };
            let type_ = self.declared_type(definition, parameter.type_code.as_ref())?;
            if !type_.has_instance(value) {
                let misuse = CatalogError::AttributeType {
                    definition: definition.name.to_string(),
                    name: parameter.name.to_string(),
                    expected: describe_type(&type_),
                    got: describe_safely(&type_, value),
                };
                errors.push(add_explanation(misuse.into(), &type_, value).at(code.value.span));
            }
        }
        let also = |first: Error, other: Error| {
            let advice = other.help().first().map(|advice| format!("; {advice}")).unwrap_or_default();
            first.with_help(shorten(&format!("also: {other}{advice}"), 190))
        };
        errors.into_iter().reduce(also).map_or(Ok(()), |error| Err(error.into()))
    }

    /// Evaluates `left -> right`: returns the references in `right` as an Array, or those in `left` if `right` is an
    /// empty Array. Operands that are not references are errors.
    ///
    /// Observed: Puppet 7.23, for all four operators.
    pub(super) fn evaluate_relationship(&mut self, left: &Value, right: &Value, span: Span) -> Result<Value, Flow> {
        let [mut from, mut to] = [Vec::new(), Vec::new()];
        self.collect_references(left, &mut from).map_err(|error| error.at(span))?;
        self.collect_references(right, &mut to).map_err(|error| error.at(span))?;
        Ok(if to.is_empty() { from } else { to }.into())
    }

    fn collect_references(&mut self, operand: &Value, into: &mut Vec<Value>) -> Result<(), Error> {
        match operand {
            Value::Array(operands) => {
                stack::with_room(|| operands.iter().try_for_each(|one| self.collect_references(one, into)))
            }
            Value::String(text) => {
                let type_ = self.parse_type(text)?;
                self.collect_references(&Value::Type(type_), into)
            }
            Value::Type(type_) if is_relationship_operand(type_) => {
                into.push(operand.clone());
                Ok(())
            }
            other => Err(CatalogError::NoOperand(describe(other)).into()),
        }
    }
}

fn titles_from_value(value: Value) -> Result<Vec<Value>, CatalogError> {
    let missing = |code, got: &str| CatalogError::MissingTitle { code, got: got.to_owned() };
    let title = |value: Value| match value {
        Value::String(text) if text.is_empty() => Err(missing("EMPTY_STRING_TITLE_AT", "an empty String")),
        Value::String(_) | Value::Default => Ok(value),
        other => Err(CatalogError::TitleType(describe(&other))),
    };
    match value {
        Value::Undef => Err(missing("MISSING_TITLE", "undef")),
        Value::Array(values) => {
            if let Some(at) = values.iter().position(|value| *value == Value::Undef) {
                return Err(missing("MISSING_TITLE_AT", &format!("undef as element {at} of the Array")));
            }
            values.iter().cloned().map(title).collect()
        }
        other => Ok(vec![title(other)?]),
    }
}

#[expect(clippy::mutable_key_type, reason = "what a Regexp keeps to match faster is not part of its equality")]
fn reject_duplicate_titles(bodies: &[EvaluatedBody<'_>]) -> Result<(), Error> {
    let mut seen: FxHashMap<&Value, Span> = FxHashMap::default();
    for body in bodies {
        for title in interrupt::step_through(&body.titles) {
            if let Some(first) = seen.insert(title, body.title_span) {
                let error = CatalogError::DuplicateTitle(crate::format::program_text(title)).at(body.title_span);
                return Err(if first == body.title_span { error } else { error.with_label(first, "first used here") });
            }
        }
    }
    Ok(())
}

fn untitled_type_name(subject: &Value) -> Option<String> {
    match subject {
        Value::Type(Type::Resource(resource)) if resource.title().is_none() => resource.type_name().map(str::to_owned),
        Value::Type(Type::Class(class)) if class.class_name().is_none() => Some("Class".to_owned()),
        _ => None,
    }
}

fn is_titled_resource(subject: &Value) -> bool {
    match subject {
        Value::Type(Type::Resource(resource)) => resource.title().is_some(),
        Value::Array(values) => values.iter().all(is_titled_resource),
        _ => false,
    }
}

/// Whether `type_` can be an operand of a relationship: `File['a']`, `File` or `Class['a']`.
fn is_relationship_operand(type_: &Type) -> bool {
    match type_ {
        Type::Resource(resource) => resource.type_name().is_some(),
        Type::Class(class) => class.class_name().is_some(),
        _ => false,
    }
}
