//! Resources, overrides, defaults and relationships. They need a catalog, and there is none: what is evaluated is what
//! can be judged without one. Titles, attributes and operands have to be right, and where the class or defined type is
//! known, the attributes have to fit its parameters. After that the error says what is missing.

mod error;

use error::CatalogError;
pub(crate) use error::NEEDS_CATALOG;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::code::{AttributeCode, BodyCode, ResourceCode};
use super::declared::{Declaration, Kind};
use super::{Strictness, run::Evaluator};
use crate::error::{Error, Kind as _};
use crate::explain::mismatch::explained;
use crate::functions::{Flow, Runtime as _};
use crate::syntax::tree::ResourceKind;
use crate::text::Span;
use crate::types::describe::{cut, describe, for_message};
use crate::types::{ResourceType, Type, secret::describe_for};
use crate::value::Value;
use crate::wording::nearest;
use crate::{interrupt, stack};

/// The attributes that every resource has; `stage` is for classes alone.
///
/// Source: Puppet reference, "Metaparameters"; `name` is the title where no attribute says otherwise.
/// Observed: Puppet 7.23 refuses `stage` for everything but classes.
#[rustfmt::skip]
pub(crate) const METAPARAMETERS: [&str; 14] = [
    "alias", "audit", "before", "consume", "export", "loglevel", "name", "noop", "notify", "require", "schedule",
    "stage", "subscribe", "tag",
];

struct Body<'c> {
    titles: Vec<Value>,
    title_span: Span,
    given: Vec<Given<'c>>,
}

#[derive(Clone)]
struct Given<'c> {
    name: String,
    value: Value,
    code: &'c AttributeCode,
}

impl Evaluator<'_> {
    /// Judges a resource, an override or defaults: there is always an error in the end.
    pub(super) fn resource(&mut self, code: &ResourceCode, span: Span) -> Result<Value, Flow> {
        let place = code.subject.span;
        let subject = match self.run(&code.subject)? {
            Value::String(name) if code.is_named && *name == *"class" => Value::Type(Type::built_in("Class")),
            Value::String(name) if code.is_named => self.resource_type(&name, place)?,
            subject => subject,
        };
        let described = describe(&subject);
        match code.kind {
            ResourceKind::Override => {
                let fits = is_resource(&subject);
                self.bodies(&code.bodies)?;
                let misuse = if fits {
                    CatalogError::Reference(format!("override {}", self.source.slice(place)))
                } else {
                    CatalogError::NoResource(described)
                };
                Err(misuse.at(place).into())
            }
            ResourceKind::Defaults | ResourceKind::Declaration | ResourceKind::Untitled => {
                let Some(type_name) = untitled(&subject) else {
                    let after = self.source.text()[place.range().end..].trim_start_matches([' ', '\t', '\r']);
                    let next_line = after.starts_with('\n');
                    return Err(CatalogError::NoResourceType { got: described, next_line }.at(place).into());
                };
                let bodies = self.bodies(&code.bodies)?;
                if code.kind == ResourceKind::Defaults {
                    let change = format!("set defaults for {} resources", type_name.to_lowercase());
                    return Err(CatalogError::Reference(change).at(span).into());
                }
                distinct(&bodies)?;
                let fits = self.fitting(&type_name, &bodies)?;
                let title = bodies.iter().flat_map(|body| &body.titles).find(|title| matches!(title, Value::String(_)));
                let title = title.map_or_else(|| "'title'".to_owned(), crate::format::program_text);
                let example = format!("{type_name}[{title}]");
                Err(CatalogError::Resource { type_name, fits, example }.at(span).into())
            }
        }
    }

    /// The resource type that a lower-case name before braces means. Under the strictness `error` an unknown one is refused.
    fn resource_type(&mut self, name: &str, span: Span) -> Result<Value, Flow> {
        let Some(type_) = ResourceType::new(name, None) else {
            return Err(CatalogError::NoResourceType { got: format!("`{name}`"), next_line: false }.at(span).into());
        };
        let shown = type_.type_name().unwrap_or_default().to_owned();
        let is_core = Type::core_resource_names().contains(&&*shown);
        if !is_core
            && self.environment.strictness == Strictness::Error
            && self.environment.resource_definition(name)?.is_none()
        {
            return self.type_named(&shown, span);
        }
        Ok(Value::Type(type_.into()))
    }

    fn bodies<'c>(&mut self, codes: &'c [BodyCode]) -> Result<Vec<Body<'c>>, Flow> {
        codes.iter().map(|code| self.body(code)).collect()
    }

    fn body<'c>(&mut self, code: &'c BodyCode) -> Result<Body<'c>, Flow> {
        let (titles, title_span) = match &code.title {
            Some(title) => (titles(self.run(title)?).map_err(|misuse| misuse.at(title.span))?, title.span),
            None => (Vec::new(), Span::default()),
        };
        let mut given: IndexMap<String, Given<'c>, FxBuildHasher> = IndexMap::default();
        for code in &code.attributes {
            let value = self.run(&code.value)?;
            let entries: Vec<(String, Value)> = match &value {
                _ if *code.name != *"*" => vec![(code.name.to_string(), value)],
                Value::Hash(hash) => {
                    hash.iter().filter_map(|(name, value)| Some((name.as_str()?.to_owned(), value.clone()))).collect()
                }
                other => return Err(CatalogError::UnfoldsNoHash(describe(other)).at(code.value.span).into()),
            };
            for (name, value) in interrupt::each(entries) {
                if let Some(first) = given.get(&name) {
                    let error = CatalogError::DuplicateAttribute(name).at(code.span);
                    return Err(error.with_label(first.code.span, "first used here").into());
                }
                given.insert(name.clone(), Given { name, value, code });
            }
        }
        Ok(Body { titles, title_span, given: given.into_values().collect() })
    }

    /// The name of the definition that the attributes of all bodies fit; none where it is not known.
    fn fitting(&mut self, type_name: &str, bodies: &[Body<'_>]) -> Result<Option<String>, Flow> {
        let defaults = bodies.iter().find(|body| body.titles.contains(&Value::Default));
        let mut fitting = None;
        for body in bodies {
            let mut given = body.given.clone();
            let absent = |one: &&Given<'_>| !body.given.iter().any(|given| given.name == one.name);
            given.extend(defaults.iter().flat_map(|defaults| &defaults.given).filter(absent).cloned());
            for title in &body.titles {
                let name = match title {
                    Value::String(title) if type_name == "Class" => title.to_string(),
                    Value::Default => continue,
                    _ => type_name.to_lowercase(),
                };
                if let Some(definition) = self.environment.resource_definition(&name)?
                    && (definition.kind == Kind::Class) == (type_name == "Class")
                {
                    self.fit(&definition, &given, body.title_span)?;
                    fitting = Some(definition.name.to_string());
                }
            }
        }
        Ok(fitting)
    }

    fn fit(&mut self, definition: &Declaration, given: &[Given<'_>], title: Span) -> Result<(), Flow> {
        let is_shared =
            |name: &str| METAPARAMETERS.contains(&name) && (name != "stage" || definition.kind == Kind::Class);
        let (mut errors, mut meant): (Vec<Error>, Vec<&str>) = (Vec::new(), Vec::new());
        for Given { name, code, .. } in given {
            if definition.parameter(name).is_none() && !is_shared(name) {
                let near = nearest(name, definition.parameters.iter().map(|parameter| &*parameter.name));
                meant.extend(near);
                let misuse = CatalogError::UnknownAttribute {
                    definition: definition.name.to_string(),
                    name: name.clone(),
                    near: near.map(str::to_owned),
                };
                errors.push(misuse.at(code.span));
            }
        }
        for parameter in &definition.parameters {
            let value = given.iter().find(|given| *given.name == *parameter.name);
            let value = value.filter(|given| !(parameter.default.is_some() && given.value == Value::Undef));
            let Some(given) = value else {
                // What a class is not given may come from data.
                if parameter.default.is_some() || definition.kind == Kind::Class || meant.contains(&&*parameter.name) {
                    continue;
                }
                let misuse = CatalogError::MissingAttribute {
                    definition: definition.name.to_string(),
                    parameter: definition.written(parameter).to_owned(),
                    name: parameter.name.to_string(),
                };
                errors.push(misuse.at(title));
                continue;
            };
            let type_ = self.declared_type(definition, parameter.type_.as_ref())?;
            if !type_.has_instance(&given.value) {
                let misuse = CatalogError::AttributeType {
                    definition: definition.name.to_string(),
                    name: parameter.name.to_string(),
                    expected: for_message(&type_),
                    got: describe_for(&type_, &given.value),
                };
                errors.push(explained(misuse.into(), &type_, &given.value).at(given.code.value.span));
            }
        }
        let also = |first: Error, other: Error| {
            let advice = other.help().first().map(|advice| format!("; {advice}")).unwrap_or_default();
            first.with_help(cut(&format!("also: {other}{advice}"), 190))
        };
        errors.into_iter().reduce(also).map_or(Ok(()), |error| Err(error.into()))
    }

    /// `left -> right`: what is on the right, as an Array; if that is nothing, what is on the left. Both sides have to be
    /// references; what they say of each other is for a catalog, which there is none of.
    ///
    /// Observed: Puppet 7.23, for all four operators.
    pub(super) fn relationship(&mut self, left: &Value, right: &Value, span: Span) -> Result<Value, Flow> {
        let [mut from, mut to] = [Vec::new(), Vec::new()];
        self.references(left, &mut from).map_err(|error| error.at(span))?;
        self.references(right, &mut to).map_err(|error| error.at(span))?;
        Ok(if to.is_empty() { from } else { to }.into())
    }

    /// The references in an operand of a relationship; a String is the text of one.
    fn references(&mut self, operand: &Value, into: &mut Vec<Value>) -> Result<(), Error> {
        match operand {
            Value::Array(operands) => {
                stack::with_room(|| operands.iter().try_for_each(|one| self.references(one, into)))
            }
            Value::String(text) => {
                let type_ = self.type_of_text(text)?;
                self.references(&Value::Type(type_), into)
            }
            Value::Type(type_) if is_reference(type_) => {
                into.push(operand.clone());
                Ok(())
            }
            other => Err(CatalogError::NoOperand(describe(other)).into()),
        }
    }
}

fn titles(value: Value) -> Result<Vec<Value>, CatalogError> {
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
fn distinct(bodies: &[Body<'_>]) -> Result<(), Error> {
    let mut seen: FxHashMap<&Value, Span> = FxHashMap::default();
    for body in bodies {
        for title in interrupt::each(&body.titles) {
            if let Some(first) = seen.insert(title, body.title_span) {
                let error = CatalogError::DuplicateTitle(crate::format::program_text(title)).at(body.title_span);
                return Err(if first == body.title_span { error } else { error.with_label(first, "first used here") });
            }
        }
    }
    Ok(())
}

fn untitled(subject: &Value) -> Option<String> {
    match subject {
        Value::Type(Type::Resource(resource)) if resource.title().is_none() => resource.type_name().map(str::to_owned),
        Value::Type(Type::Class(class)) if class.class_name().is_none() => Some("Class".to_owned()),
        _ => None,
    }
}

fn is_resource(subject: &Value) -> bool {
    match subject {
        Value::Type(Type::Resource(resource)) => resource.title().is_some(),
        Value::Array(values) => values.iter().all(is_resource),
        _ => false,
    }
}

/// What a relationship can hold between: `File['a']`, `File`, `Class['a']`.
fn is_reference(type_: &Type) -> bool {
    match type_ {
        Type::Resource(resource) => resource.type_name().is_some(),
        Type::Class(class) => class.class_name().is_some(),
        _ => false,
    }
}
