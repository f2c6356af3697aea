//! Evaluates a whole program: adds its definitions to the environment, then runs its statements one after the other.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{Code, Op};
use super::environment::{AliasDefinition, Environment};
use super::type_sets::TypeSetDefinition;
use super::type_text::find_non_type_part;
use super::{
    Event, Listener, compile::Compiler, declared::Declaration, error::EvalError, modules::AutoloadKind, run::Evaluator,
};
use crate::error::{Error, Kind as _};
use crate::functions::{self, Flow, Function};
use crate::operators::describe;
use crate::syntax::tree::{DefinitionKind, Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::{AliasType, Type};
use crate::value::Value;

impl Environment {
    /// Adds the definitions of a program to the environment, runs its statements, and returns the value of the last.
    /// Passes all events, including the values of top-level expressions, to `listen`.
    pub(crate) fn evaluate_program(&mut self, tree: &Tree, listen: &mut Listener<'_>) -> Result<Value, Error> {
        let statements = tree.statements();
        let in_source = |error: Error| error.in_source(&tree.source);
        self.add_definitions(tree).map_err(in_source)?;
        let code: Vec<Code> = statements.iter().map(|id| Compiler::new(tree, self).compile_expression(*id)).collect();
        let interrupt = self.interrupt.clone();
        let found = self.last_match_variables.take();
        let known = self.program.functions.clone();
        let mut evaluator = Evaluator {
            match_variables: found,
            known_functions: Some(&known),
            ..Evaluator::evaluator_for_source(self, listen, tree.source.clone())
        };
        let mut last = Ok(Value::Undef);
        for (id, code) in statements.iter().zip(&code) {
            let outcome = interrupt.run_interruptible(|| evaluator.run_code(code));
            let outcome = outcome.unwrap_or_else(|ended| {
                let place = if evaluator.call_span == Span::default() { code.span } else { evaluator.call_span };
                Err(ended.at(place).in_source(&evaluator.source).into())
            });
            last = outcome.map_err(|flow| in_source(flow_into_error(flow)));
            let Ok(value) = &last else { break };
            if let Some(event) = result_event(tree, *id, value) {
                (evaluator.listener)(event);
            }
        }
        let found = evaluator.match_variables.take();
        self.last_match_variables = found;
        last
    }

    /// Makes the definitions of a program known; if one is already defined, adds none and returns an error.
    pub(super) fn add_definitions(&mut self, tree: &Tree) -> Result<(), Error> {
        let mut definitions = AutoloadKind::definitions_in(tree);
        if let Some((_, name, span)) = definitions.find(|(kind, name, _)| self.is_defined(*kind, name)) {
            return Err(EvalError::Redefinition(name.to_string()).at(span));
        }
        let defined = self.interrupt.clone().run_interruptible(|| self.add_unchecked_definitions(tree));
        defined.inspect_err(|_| {
            for (kind, name, _) in AutoloadKind::definitions_in(tree) {
                self.remove_definition(kind, name);
            }
        })
    }

    fn add_unchecked_definitions(&mut self, tree: &Tree) {
        // All names first, so that a definition may use one that comes after it.
        for id in tree.statements() {
            match &tree[*id].expression {
                Expression::TypeAlias { name, type_ } => {
                    self.declare_alias(name, tree, is_object_definition(tree, *type_));
                    for set in TypeSetDefinition::parse_nested_type_sets(tree, name, *type_) {
                        for (inner, _) in &set.types {
                            self.declare_alias(&set.full_name(inner), tree, false);
                        }
                        if let Some(alias) = self.program.aliases.get_mut(&set.name.to_lowercase()) {
                            alias.references = set.referenced_sets;
                        }
                    }
                }
                Expression::Definition(definition) if definition.kind == DefinitionKind::Function => {
                    self.program.function_names.insert(definition.name.to_string());
                }
                _ => {}
            }
        }
        for id in tree.statements() {
            match &tree[*id].expression {
                Expression::TypeAlias { name, type_ } => {
                    let refused = || find_non_type_part(tree, *type_).map(|part| failing_alias_code(tree, part));
                    let sets = TypeSetDefinition::parse_nested_type_sets(tree, name, *type_);
                    if sets.is_empty() {
                        let code = refused().unwrap_or_else(|| Compiler::new(tree, self).compile_expression(*type_));
                        self.set_alias_code(name, code);
                    }
                    // A set inside of another is first one of the types of that.
                    for set in sets {
                        let code = refused().unwrap_or_else(|| set.compile_type_set(tree, self));
                        self.set_alias_code(&set.name, code);
                        for (inner, type_) in &set.types {
                            let code = set.compile_type(tree, self, *type_);
                            self.set_alias_code(&set.full_name(inner), code);
                        }
                    }
                }
                Expression::Definition(definition) if definition.kind == DefinitionKind::Function => {
                    let code = Arc::new(Compiler::new(tree, self).compile_function(definition));
                    Arc::make_mut(&mut self.program.functions).insert(definition.name.to_string(), code);
                }
                Expression::Definition(definition) => {
                    let known = Declaration::from_definition(definition, tree, self);
                    self.program.classes_and_defines.insert(str::to_lowercase(&definition.name), Arc::new(known));
                }
                _ => {}
            }
        }
    }

    fn declare_alias(&mut self, name: &str, tree: &Tree, defines_object: bool) {
        let (type_, source) = (AliasType::new(name), tree.source.clone());
        let references = FxHashMap::default();
        let alias =
            AliasDefinition { type_, source, pending_code: None, cached_type: None, defines_object, references };
        self.program.aliases.insert(name.to_lowercase(), alias);
    }

    fn set_alias_code(&mut self, name: &str, code: Code) {
        if let Some(alias) = self.program.aliases.get_mut(&*name.to_lowercase()) {
            alias.pending_code = Some(Arc::new(code));
        }
    }

    pub(super) fn is_defined(&self, kind: AutoloadKind, name: &str) -> bool {
        match kind {
            AutoloadKind::Type => {
                Type::named(name).is_some() || self.program.aliases.contains_key(&*name.to_lowercase())
            }
            AutoloadKind::Function => self.program.functions.contains_key(name),
            AutoloadKind::Manifest => self.program.classes_and_defines.contains_key(name),
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn find_alias_type(&mut self, name: &str) -> Result<Option<Type>, Flow> {
        // The names of types are ASCII.
        let key = name.to_ascii_lowercase();
        if let Some(Value::Type(known)) = self.environment.cached_alias_type(&key) {
            return Ok(Some(known.clone()));
        }
        self.environment.load_definition(AutoloadKind::Type, name)?;
        let Some(alias) = self.environment.program.aliases.get(&key).cloned() else { return Ok(None) };
        let is_being_resolved = self.resolving_aliases.contains(&key);
        if let Some(code) = alias.pending_code.as_ref().filter(|_| !is_being_resolved) {
            self.resolving_aliases.push(key.clone());
            // After an error the next use finds the same error again.
            let outcome = self.resolve_alias(&alias, code);
            self.resolving_aliases.pop();
            outcome?;
        }
        // A set of types is what it is, not an alias of it.
        let meaning = alias.type_.resolved();
        let type_ = match meaning.as_deref() {
            Some(set @ Type::TypeSet(_)) if Type::named("TypeSet").as_ref() != Some(set) => set.clone(),
            _ => Type::Alias(alias.type_.clone()),
        };
        if meaning.is_some()
            && !is_being_resolved
            && let Some(alias) = self.environment.program.aliases.get_mut(&key)
        {
            (alias.pending_code, alias.cached_type) = (None, Some(Value::Type(type_.clone())));
        }
        Ok(Some(type_))
    }

    pub(super) fn run_at_top_level<T>(&mut self, source: &Arc<Source>, run: impl FnOnce(&mut Self) -> T) -> T {
        let (frame, found) = (self.frame.take(), self.match_variables.take());
        let outer = std::mem::replace(&mut self.source, source.clone());
        let outcome = run(self);
        (self.frame, self.match_variables, self.source) = (frame, found, outer);
        outcome
    }

    fn resolve_alias(&mut self, alias: &AliasDefinition, code: &Code) -> Result<(), Flow> {
        let AliasDefinition { type_: alias, source, defines_object, .. } = alias;
        let value = self.run_as_alias(|this| this.run_at_top_level(source, |this| this.run_code(code)));
        let place = |error: Error| error.at(code.span).in_source(source);
        let value = value.map_err(|flow| place(flow_into_error(flow)))?;
        let Value::Type(type_) = value else {
            let name = alias.name().to_owned();
            return Err(place(EvalError::AliasNotType { name, got: describe(&value) }.into()).into());
        };
        if let Type::TypeSet(set) = &type_ {
            for reference in set.references() {
                let found = self.find_alias_type(&reference.name)?.or_else(|| Type::named(&reference.name));
                reference.check_referenced_set(found.as_ref()).map_err(place)?;
            }
        }
        let type_ = match &type_ {
            Type::Object(object) if *defines_object => object.replace_name(Some(alias.name())).into(),
            other => other.name_if_unnamed(alias.name()),
        };
        alias.resolve(type_).map_err(|error| place(error).into())
    }
}

/// Returns code that fails because `part` of the definition of an alias is an expression such as `1 + 1`.
///
/// Observed: Puppet 7.23 rejects such an expression anywhere in the definition.
fn failing_alias_code(tree: &Tree, part: Id) -> Code {
    let span = tree[part].span;
    let found = tree.source.slice(span);
    let error =
        Error::runtime(format!("expected a type or a literal in the definition of a type alias, got `{found}`"));
    Code { span, op: Op::Fail(error.with_help("the definition of an alias cannot run code: write the value itself")) }
}

fn is_object_definition(tree: &Tree, type_: Id) -> bool {
    let Expression::Access(target, keys) = &tree[type_].expression else { return false };
    matches!((&tree[*target].expression, &**keys), (Expression::Reference(name), [_]) if &**name == "Object")
}

/// Returns the error of `flow`; for a `break`, `next` or `return` that was not caught, the error about that.
pub(super) fn flow_into_error(flow: Flow) -> Error {
    match flow {
        Flow::Error(error) => error,
        Flow::Jump(_, answered) => answered.1,
    }
}

/// Returns the event for the value of a top-level statement; `None` for definitions and for calls of functions that
/// always return undef, such as log functions.
fn result_event(tree: &Tree, id: Id, value: &Value) -> Option<Event> {
    match &tree[id].expression {
        Expression::Nop | Expression::TypeAlias { .. } | Expression::Definition(_) => None,
        Expression::Call { functor: name, .. }
            if let Expression::Name(name) = &tree[*name].expression
                && functions::named(name).is_some_and(Function::returns_only_undef) =>
        {
            None
        }
        Expression::Assignment(..) => Some(Event::Assigned(value.clone())),
        _ => Some(Event::Value(value.clone())),
    }
}
