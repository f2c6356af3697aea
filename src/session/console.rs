//! The console: a session that also runs the commands of the prompt, with settings for the display of results.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::commands::{self, CommandLine};
use super::foreign_lambdas::translate_lambdas;
use super::settings::Settings;
use super::{Error, Event, Listener, Reply, Request, Session, Source, Value, foreign_calls, foreign_types, interrupt};
use crate::data::{self, Format};
use crate::eval::{NEEDS_CATALOG, is_stdlib_function};
use crate::regexp::compile_constant;
use crate::syntax;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal};
use crate::wording::{capitalize_segments, nearest};

/// The length in bytes from which no correction of an entry is suggested: advice would repeat all of it.
const MAX_REPEATED_ENTRY_BYTES: usize = 120;

/// A [`Session`] that also runs the commands of the prompt, such as `:type`, with settings for the display of results.
///
/// Dereferences to the session, so that all its methods can be called.
///
/// ```
/// use pcore::session::{Console, Reply};
///
/// let mut console = Console::default();
/// console.enter("$port = 80", &mut |_| {});
/// let Reply::Code(type_) = console.enter(":type $port", &mut |_| {}) else { panic!("an answer") };
/// assert_eq!(type_, "Integer[80, 80]");
/// assert_eq!(console.eval("$port + 1")?, 81.into());
/// # Ok::<(), pcore::error::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Console {
    /// The session that evaluates entries.
    pub session: Session,
    /// How results are shown and lines are edited.
    #[doc(hidden)] // The program reads it; `:set` changes it.
    pub settings: Settings,
    /// The path of the file that permanent settings are read from, as `:info` shows it.
    #[doc(hidden)] // The program sets it.
    pub settings_file: Option<String>,
}

impl From<Session> for Console {
    fn from(session: Session) -> Console {
        Console { session, ..Console::default() }
    }
}

impl Deref for Console {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Console {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Console {
    /// Runs one entry of the prompt, a program or a command. Stores its values as `$_` and as `$_1`, `$_2` …
    pub fn enter(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        let (limits, interrupt, before) = (self.limits, self.interrupt.clone(), interrupt::step_count());
        let reply = limits.run_within(&interrupt, || self.run_entry(text, listen));
        self.last_step_count = interrupt::step_count().saturating_sub(before);
        reply.unwrap_or_else(Reply::Failed)
    }

    /// Whether `entry` is code that ends too early, such as `[1,`. Always false for code of another language.
    #[doc(hidden)] // For the prompt.
    pub fn is_unfinished(entry: &str) -> bool {
        let ends_early = syntax::parse(&Source::new("entry", entry)).is_err_and(|error| error.is_unfinished());
        ends_early
            && !entry.trim_end().ends_with(';')
            && (!entry.trim_end().ends_with('>') || syntax::find_repaired_text(entry, |_| true).is_none())
            && foreign_types::translate_type(entry).is_none()
            && commands::foreign_entries::advice_on_entry(entry.trim(), true, &mut |_| true).is_none()
            && foreign_calls::translate_calls(entry).is_none()
    }

    fn run_entry(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        if let Some(command) = CommandLine::parse(text) {
            return commands::run_command(self, &command, listen);
        }
        if let Some(request) = parse_load_assignment(text) {
            return Reply::Asked(request);
        }
        match text.trim() {
            "" => Reply::Done,
            "exit" | "quit" | "exit;" | "quit;" | "exit()" | "quit()" | "\\q" | ".exit" => Reply::Quit,
            comment if comment.starts_with("//") || comment.starts_with("-- ") => {
                Reply::Refused("a comment starts with `#`".to_owned())
            }
            "help" => commands::run_command(self, &CommandLine { name: "help", argument: "", start: None }, listen),
            entry => match (self.run_program(text, listen), foreign_types::translate_type(entry)) {
                // A call with a value is not a type.
                (Reply::Done, Some(type_)) if !entry.ends_with(')') => {
                    Reply::Text(format!("(for the type, write `{type_}`)"))
                }
                (Reply::Done, None) => self
                    .suggest_intended_name(entry)
                    .or_else(|| commands::suggest_intended_entry(entry, false, &mut |code| self.can_run(code)))
                    .or_else(|| commands::explain_false_result(self))
                    .map_or(Reply::Done, |advice| Reply::Text(format!("({advice})"))),
                (Reply::Unfinished(error), _) if Console::is_unfinished(text) => Reply::Unfinished(error),
                (Reply::Failed(error) | Reply::Unfinished(error), None) => {
                    let translated = self.foreign_call_error(&error);
                    let advice = match translated {
                        // What to call a variable instead has been said.
                        None if ["ILLEGAL_REASSIGNMENT", "DISCONTINUED_IMPORT"].contains(&error.code()) => None,
                        None => self
                            .suggest_intended_name(entry)
                            .or_else(|| commands::suggest_intended_entry(entry, true, &mut |code| self.can_run(code)))
                            .or_else(|| if error.code() == "SYNTAX_ERROR" { self.suggest_repair(entry) } else { None }),
                        Some(_) => None,
                    };
                    let advised = advice.map(|advice| {
                        let outcome = self.eval_and_restore(advice.split('`').nth(1).unwrap_or_default());
                        let needs_catalog = outcome.is_err_and(|error| error.code() == NEEDS_CATALOG);
                        let note =
                            if needs_catalog { "; it needs a catalog: `pcore check FILE` checks it" } else { "" };
                        error.clone().with_help_instead(advice + note)
                    });
                    Reply::Failed(translated.or(advised).unwrap_or(error))
                }
                (reply, _) => reply,
            },
        }
    }

    /// Returns `error` with Puppet's form of the foreign call in the last entry; `None` if that call is not the cause.
    fn foreign_call_error(&mut self, error: &Error) -> Option<Error> {
        let source = &self.entries.last_entry.clone()?;
        let with_lambdas =
            Some(source.text()).filter(|text| text.len() < foreign_types::MAX_LENGTH).map(translate_lambdas);
        if let Some(code) = with_lambdas.filter(|code| code != source.text()) {
            let code = foreign_calls::translate_calls(&code).and_then(|(_, code)| code).unwrap_or(code);
            return self.can_run(&code).then(|| error.clone().with_help_instead(format!("write `{code}`")));
        }
        let (place, code) = foreign_calls::translate_calls(source.text())?;
        let is_unset = error.code() == "UNKNOWN_VARIABLE";
        let mut fails =
            |code: &String| if is_unset { self.eval_and_restore(code).is_err() } else { !self.can_run(code) };
        if code.as_ref().is_some_and(&mut fails) {
            return None;
        }
        let error = match error.code() {
            "SYNTAX_ERROR" => {
                let message = format!("unknown function {}", source.slice(place));
                Error::new("UNKNOWN_FUNCTION", message).at(place).in_source(source)
            }
            _ => error.clone(),
        };
        let is_in_place = source.slice(place).ends_with('!');
        let help = match code {
            None => "names of functions have no mark at the end; `:functions` lists them".to_owned(),
            Some(code) if is_in_place => {
                format!("write `{code}`; values do not change, a function returns another one")
            }
            Some(code) if is_stdlib_function(source.slice(place)) => {
                format!("it belongs to the module puppetlabs-stdlib; without it, write `{code}`")
            }
            Some(code) => format!("write `{code}`"),
        };
        (is_unset || error.span() == Some(place)).then(|| error.with_help_instead(help))
    }

    /// Suggests what `entry` was meant to say, also if it ran: `$name` for the bare name of a variable, the type for a
    /// lower-case name after `=~` or `!~`, or the most similar key of the hash that it accesses.
    fn suggest_intended_name(&mut self, entry: &str) -> Option<String> {
        if self.variable(entry).is_some() {
            return Some(format!("`{entry}` is a string; the variable is `${entry}`"));
        }
        let short = Some(entry).filter(|entry| entry.len() < foreign_types::MAX_LENGTH)?;
        let tree = syntax::parse(&Source::new("entry", short)).ok()?;
        let written = |id: Id| tree.text_of(id);
        tree.nodes.iter().find_map(|node| match &node.expression {
            Expression::Binary(BinaryOperator::Match | BinaryOperator::NoMatch, _, type_) => {
                let type_ = Some(capitalize_segments(written(*type_))).filter(|name| name != written(*type_))?;
                self.environment.knows_type(&type_).then(|| format!("did you mean the type {type_}?"))
            }
            // Without calls, which may do something.
            Expression::Access(hash, keys) if entry.ends_with(']') && !written(*hash).contains(['(', '|', '.']) => {
                let Ok(Value::Hash(hash)) = self.eval_and_restore(written(*hash)) else { return None };
                let Expression::Literal(Literal::String(key)) = &tree[*keys.first()?].expression else { return None };
                let near = nearest(key, hash.keys().filter_map(Value::as_str)).filter(|near| *near != &**key)?;
                let is_numbered = key.ends_with(|last: char| last.is_ascii_digit());
                (!is_numbered).then(|| format!("there is no key '{key}'; did you mean '{near}'?"))
            }
            _ => None,
        })
    }

    /// Suggests `entry` with one token changed, if `entry` is short and the changed code runs.
    fn suggest_repair(&mut self, entry: &str) -> Option<String> {
        let short = Some(entry).filter(|entry| entry.len() < MAX_REPEATED_ENTRY_BYTES && !entry.contains('\n'))?;
        syntax::find_repaired_text(short, |code| !code.is_empty() && self.can_run(code))
            .map(|code| format!("write `{code}`"))
    }

    /// Whether `code` runs without an error other than a missing variable or catalog. Keeps nothing that it defines.
    fn can_run(&mut self, code: &str) -> bool {
        self.eval_and_restore(code)
            .map_or_else(|error| ["UNKNOWN_VARIABLE", NEEDS_CATALOG].contains(&error.code()), |_| true)
    }

    fn eval_and_restore(&mut self, code: &str) -> Result<Value, Error> {
        let before = self.checkpoint();
        let outcome = self.eval(code);
        self.restore(before);
        outcome
    }

    fn run_program(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        let source = self.next_entry_source(text);
        self.entries.last_entry = Some(source.clone());
        let mut values = Vec::new();
        let before = self.resource_definitions();
        let result = self.evaluate(&source, &mut |event| {
            if let Event::Value(value) | Event::Assigned(value) = &event {
                values.push(value.clone());
            }
            listen(event);
        });
        for value in values {
            self.store_result(value);
        }
        self.entries.last_error = result.as_ref().err().filter(|error| !error.is_unfinished()).cloned();
        match result {
            Ok(_) => {
                let defined = self.describe_new_definitions(&before, &source);
                self.entries.successful_programs.push(source);
                defined.map_or(Reply::Done, Reply::Text)
            }
            Err(error)
                if (error.code() == "SYNTAX_ERROR" || error.code() == "NOT_NUMERIC" && text.trim().contains('\n'))
                    && foreign_types::translate_assignment(text.trim()).is_none()
                    && let Some(value) = parse_pasted_data(source.text()) =>
            {
                self.store_result(value.clone());
                listen(Event::Value(value));
                self.entries.last_error = None;
                let advice = commands::foreign_entries::advice_on_entry(text, false, &mut |code| self.can_run(code));
                let type_ = advice.filter(|advice| advice.starts_with("for a type"));
                Reply::Text(format!("(read as data: {})", type_.as_deref().unwrap_or("it is not Puppet code")))
            }
            Err(error) if error.is_unfinished() => Reply::Unfinished(error),
            Err(error) => Reply::Failed(error),
        }
    }

    /// Lists what `source` defined: types, functions, and classes and defined types not in `before`; `None` if nothing.
    fn describe_new_definitions(&mut self, before: &[String], source: &Arc<Source>) -> Option<String> {
        let text = source.text();
        let is_used = |name: &String| name.ends_with("()") || name.starts_with(|first: char| first.is_uppercase());
        let used: Vec<String> = commands::definitions::names_defined_in(source).into_iter().filter(is_used).collect();
        let mut names = self.resource_definitions();
        names.retain(|name| !before.contains(name) && text.contains(name.rsplit("::").next().unwrap_or(name)));
        let line = |name: &String| {
            let (signature, _) = self.class_parameters(name).ok()??;
            Some(format!("defined {}; `?{name}` shows its parameters", signature.split('(').next()?))
        };
        let used = (!used.is_empty()).then(|| format!("defined {}", used.join(", ")));
        let lines: Vec<String> = used.into_iter().chain(names.iter().filter_map(line)).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Parses `$x = :load data/common.yaml` as the request to read the file into the variable.
fn parse_load_assignment(entry: &str) -> Option<Request> {
    let (variable, command) = entry.trim().strip_prefix('$')?.split_once('=')?;
    let command =
        CommandLine::parse(command).filter(|command| command.name == "load" && !command.argument.is_empty())?;
    Some(commands::files::load_request(command.argument, Some(variable.trim())))
}

/// Parses a JSON or YAML array or hash. Returns `None` for anything else, also for Puppet code with a mistake.
pub(super) fn parse_pasted_data(text: &str) -> Option<Value> {
    static YAML_LINES: LazyLock<Regex> = LazyLock::new(|| {
        compile_constant(r#"\A(?:\s*(?:#.*|---|-(?: .*)?|['"]?[\w:.-]+['"]?:(?: .*)?)?(?:\n|\z))+\z"#)
    });
    let format = match text.trim_start() {
        json if json.starts_with(['{', '[']) => Format::Json,
        _ if YAML_LINES.is_match(text) => Format::Yaml,
        _ => return None,
    };
    let value = data::read(format, &Source::new("data", text)).ok()?.value;
    matches!(value, Value::Array(_) | Value::Hash(_)).then_some(value)
}
