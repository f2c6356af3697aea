//! A whole program: its definitions first, then its statements one after the other.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{Code, Op};
use super::compile::Compiler;
use super::environment::{Alias, Environment};
use super::error::EvalError;
use super::modules::Kind;
use super::run::Evaluator;
use super::type_sets::Definition;
use super::{Event, Listener, declared};
use crate::error::{Error, Kind as _};
use crate::functions::{self, Flow, Function};
use crate::interrupt::Cancelled;
use crate::operators::describe;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::syntax::type_text::foreign_part;
use crate::text::{Source, Span};
use crate::types::{AliasType, Type};
use crate::value::Value;

impl Environment {
    /// Makes the definitions of a program known, evaluates it, and gives the value of its last statement. `listen`
    /// hears the value of every top-level expression worth printing.
    pub(crate) fn evaluate(&mut self, tree: &Tree, listen: &mut Listener<'_>) -> Result<Value, Error> {
        let statements = tree.statements();
        let in_source = |error: Error| error.in_source(&tree.source);
        self.define(tree, statements).map_err(in_source)?;
        let code: Vec<Code> = statements.iter().map(|id| Compiler::new(tree, self).expression(*id)).collect();
        let interrupt = self.interrupt.clone();
        let found = self.found.take();
        let known = self.program.functions.clone();
        let mut evaluator =
            Evaluator { found, known: Some(&known), ..Evaluator::new(self, listen, tree.source.clone()) };
        let mut last = Ok(Value::Undef);
        for (id, code) in statements.iter().zip(&code) {
            let outcome = interrupt.guard(|| evaluator.run(code));
            let outcome = outcome.unwrap_or_else(|ended| Err(evaluator.ended(ended, code.span)));
            last = outcome.map_err(|flow| in_source(stray(flow)));
            let Ok(value) = &last else { break };
            if let Some(event) = result_event(tree, *id, value) {
                (evaluator.listen)(event);
            }
        }
        let found = evaluator.found.take();
        self.found = found;
        last
    }

    /// Makes the aliases and functions among the `statements` known: all or, when one is refused, none of them.
    pub(super) fn define(&mut self, tree: &Tree, statements: &[Id]) -> Result<(), Error> {
        for id in statements {
            if let Some((kind, name, span)) = Kind::defined_by(tree, *id)
                && self.is_defined(kind, name)
            {
                return Err(EvalError::Redefinition(name.to_string()).at(span));
            }
        }
        let defined = self.interrupt.clone().guard(|| self.define_all(tree, statements));
        defined.map_err(|ended| {
            for (kind, name, _) in statements.iter().filter_map(|id| Kind::defined_by(tree, *id)) {
                self.unset(kind, name);
            }
            ended.into()
        })
    }

    fn define_all(&mut self, tree: &Tree, statements: &[Id]) {
        // All names first, so that a definition may use one that comes after it.
        for id in statements {
            match &tree[*id].expression {
                Expression::TypeAlias { name, type_ } => {
                    self.declare_alias(name, tree);
                    for set in Definition::all(tree, name, *type_) {
                        for (inner, _) in &set.types {
                            self.declare_alias(&set.full_name(inner), tree);
                        }
                        if let Some(alias) = self.program.aliases.get_mut(&set.name.to_lowercase()) {
                            alias.references = set.references;
                        }
                    }
                }
                Expression::Function(definition) => {
                    self.program.function_names.insert(definition.name.to_string());
                }
                _ => {}
            }
        }
        for id in statements {
            match &tree[*id].expression {
                Expression::TypeAlias { name, type_ } => {
                    let sets = Definition::all(tree, name, *type_);
                    if sets.is_empty() {
                        let compiled = || Compiler::new(tree, self).expression(*type_);
                        let code = foreign_part(tree, *type_).map_or_else(compiled, |part| runs_code(tree, part));
                        self.define_lazily(name, code);
                        if let Some(alias) = self.program.aliases.get_mut(&*name.to_lowercase()) {
                            alias.defines_object = is_object_definition(tree, *type_);
                        }
                    }
                    // A set inside of another is first one of the types of that.
                    for set in sets {
                        let compiled = || set.compile(tree, self);
                        let code = foreign_part(tree, *type_).map_or_else(compiled, |part| runs_code(tree, part));
                        self.define_lazily(&set.name, code);
                        for (inner, type_) in &set.types {
                            let code = set.type_code(tree, self, *type_);
                            self.define_lazily(&set.full_name(inner), code);
                        }
                    }
                }
                Expression::Function(definition) => {
                    let code = Arc::new(Compiler::new(tree, self).function(definition));
                    Arc::make_mut(&mut self.program.functions).insert(definition.name.to_string(), code);
                }
                Expression::Class { definition, .. } => {
                    self.define_resource(declared::Kind::Class, definition, tree);
                }
                Expression::Define(definition) => {
                    self.define_resource(declared::Kind::DefinedType, definition, tree);
                }
                _ => {}
            }
        }
    }

    fn declare_alias(&mut self, name: &str, tree: &Tree) {
        let (type_, source) = (AliasType::new(name), tree.source.clone());
        let references = FxHashMap::default();
        let alias = Alias { type_, source, pending: None, known: None, defines_object: false, references };
        self.program.aliases.insert(name.to_lowercase(), alias);
    }

    /// Gives an alias the code of its type, which runs when the alias is first used.
    fn define_lazily(&mut self, name: &str, code: Code) {
        if let Some(alias) = self.program.aliases.get_mut(&*name.to_lowercase()) {
            alias.pending = Some(Arc::new(code));
        }
    }

    fn is_defined(&self, kind: Kind, name: &str) -> bool {
        match kind {
            Kind::Type => Type::named(name).is_some() || self.program.aliases.contains_key(&*name.to_lowercase()),
            Kind::Function => self.program.functions.contains_key(name),
            Kind::Manifest => self.program.resource_definitions.contains_key(name),
        }
    }
}

impl Evaluator<'_> {
    /// The error of work that was ended, at the call that ran; at `statement` when there was none.
    fn ended(&self, ended: Cancelled, statement: Span) -> Flow {
        let place = if self.call_span == Span::default() { statement } else { self.call_span };
        Error::from(ended).at(place).in_source(&self.source).into()
    }

    pub(super) fn alias(&mut self, name: &str) -> Result<Option<Type>, Flow> {
        // The names of types are ASCII.
        let key = name.to_ascii_lowercase();
        if let Some(Value::Type(known)) = self.environment.known_alias(&key) {
            return Ok(Some(known.clone()));
        }
        if !self.environment.program.aliases.contains_key(&key) {
            self.environment.load(Kind::Type, name)?;
        }
        let Some(alias) = self.environment.program.aliases.get(&key).cloned() else { return Ok(None) };
        if let Some(code) = &alias.pending
            && !self.resolving.contains(&key)
        {
            self.resolving.push(key.clone());
            // After an error the next use finds the same error again.
            let outcome = self.resolve(&alias, code);
            self.resolving.pop();
            outcome?;
            if let Some(alias) = self.environment.program.aliases.get_mut(&key) {
                alias.pending = None;
            }
        }
        // A set of types is what it is, not an alias of it.
        let meaning = alias.type_.resolved();
        let is_resolved = meaning.is_some();
        let type_ = match meaning.as_deref() {
            Some(set @ Type::TypeSet(_)) if Type::named("TypeSet").as_ref() != Some(set) => set.clone(),
            _ => Type::Alias(alias.type_.clone()),
        };
        if let Some(alias) = self.environment.program.aliases.get_mut(&key)
            && alias.pending.is_none()
            && is_resolved
        {
            alias.known = Some(Value::Type(type_.clone()));
        }
        Ok(Some(type_))
    }

    /// Runs another text, outside of all lambdas and functions.
    pub(super) fn outside<T>(&mut self, source: &Arc<Source>, run: impl FnOnce(&mut Self) -> T) -> T {
        let (frame, found) = (self.frame.take(), self.found.take());
        let outer = std::mem::replace(&mut self.source, source.clone());
        let outcome = run(self);
        (self.frame, self.found, self.source) = (frame, found, outer);
        outcome
    }

    fn resolve(&mut self, alias: &Alias, code: &Code) -> Result<(), Flow> {
        let Alias { type_: alias, source, defines_object, .. } = alias;
        let value = self.as_alias(|this| this.outside(source, |this| this.run(code)));
        let place = |error: Error| error.at(code.span).in_source(source);
        let value = value.map_err(|flow| place(stray(flow)))?;
        let Value::Type(type_) = value else {
            let name = alias.name().to_owned();
            return Err(place(EvalError::AliasNotType { name, got: describe(&value) }.into()).into());
        };
        if let Type::TypeSet(set) = &type_ {
            for reference in set.references() {
                let found = self.alias(&reference.name)?.or_else(|| Type::named(&reference.name));
                reference.check(found.as_ref()).map_err(place)?;
            }
        }
        let type_ = if *defines_object { type_.renamed(alias.name()) } else { type_.with_name(alias.name()) };
        alias.resolve(type_).map_err(|error| place(error).into())
    }
}

/// What the definition of an alias does instead that runs code: `type Port = Integer[1 + 1]`.
///
/// Observed: Puppet 7.23, in all of the definition.
fn runs_code(tree: &Tree, part: Id) -> Code {
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

/// A jump that found nobody who waits for it.
pub(super) fn stray(flow: Flow) -> Error {
    match flow {
        Flow::Error(error) => error,
        Flow::Jump(_, answered) => answered.1,
    }
}

/// Checkpoint, and calls of functions that promise to return undef because they only say something, have no value that
/// anyone wants to see.
fn result_event(tree: &Tree, id: Id, value: &Value) -> Option<Event> {
    match &tree[id].expression {
        Expression::Nop
        | Expression::TypeAlias { .. }
        | Expression::Function(_)
        | Expression::Class { .. }
        | Expression::Define(_) => None,
        Expression::Call { functor: name, .. } | Expression::MethodCall { name, .. } if promises_undef(tree, *name) => {
            None
        }
        Expression::Assignment(..) => Some(Event::Assigned(value.clone())),
        _ => Some(Event::Value(value.clone())),
    }
}

fn promises_undef(tree: &Tree, name: Id) -> bool {
    matches!(&tree[name].expression, Expression::Name(name)
        if functions::named(name).is_some_and(Function::promises_undef))
}
