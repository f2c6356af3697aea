//! Checks templates and other module files that functions use, and the regular expressions and formats in strings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{BodyChecker, ScopeKind, conditions::NEVER_MATCHES, known::Inferred, results::without_undef};
use crate::check::{UncheckedReason, attach_location, index::parse_file, program::assigned_variables};
use crate::error::Error;
use crate::eval::display_path;
use crate::regexp::Regexp;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Parameter, Tree};
use crate::text::{Source, Span};
use crate::types::{Member, Type};
use crate::value::{EcoString, Value};
use crate::wording::{did_you_mean, nearest};
use crate::{files, format, syntax};

impl BodyChecker<'_> {
    /// Returns the path of a module's file such as `web/motd.epp` in `folder`. Reports a missing file.
    pub(super) fn find_module_file(&mut self, folder: &str, id: Id, name: &str) -> Option<PathBuf> {
        let (module, file) = name.split_once('/').filter(|(module, _)| !module.is_empty())?;
        let Some(directory) = self.index.module_directory(module) else {
            self.result.unjudged.push(UncheckedReason::MissingModule(module.to_owned()));
            return None;
        };
        self.result.compared += 1;
        let file = file.trim_start_matches('/');
        let path = directory.join(folder).join(file);
        let with_ending = (folder == "templates").then(|| directory.join(folder).join(format!("{file}.epp")));
        if let Some(found) = [Some(&path), with_ending.as_ref()].into_iter().flatten().find(|path| path.exists()) {
            return Some(found.clone());
        }
        let beside = std::fs::read_dir(path.parent()?).into_iter().flatten().flatten();
        let beside: Vec<String> = beside.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let base = file.rsplit('/').next().unwrap_or(file);
        let near = nearest(base, beside.iter().map(|name| &**name));
        let message = format!("'{name}' is not in module {module}: {} does not exist", display_path(&path));
        self.add_error("UNKNOWN_FILE", self.tree[id].span, message)
            .help_if(near.map(|near| format!("did you mean '{}{near}'?", &name[..name.len() - base.len()])));
        None
    }

    /// Checks an attribute such as `source => 'puppet:///modules/web/motd'`. Ignores an Array of alternative sources.
    pub(super) fn check_source_attribute(&mut self, id: Id, found: &Inferred) {
        if let Inferred::Branches(all, _) = found {
            for (id, branch) in all {
                self.check_source_attribute(*id, branch);
            }
        } else if let Some(path) = found.known_string().and_then(|text| text.strip_prefix("puppet:///modules/")) {
            self.find_module_file("files", id, path);
        }
    }

    /// Reports `${…}` in a string without interpolation, in single quotes or a heredoc, if it is surely meant for Puppet:
    /// the call of a function, a fact, or in a string without spaces or after `<%=` a variable that is set here.
    pub(super) fn check_literal_dollars(&mut self, id: Id, text: &str) {
        let written = self.tree.text_of(id);
        if written.starts_with('"') || !text.contains("${") {
            return;
        }
        let before = &self.tree.source.text()[..self.tree[id].span.start as usize];
        let is_rendered = before.trim_end().ends_with("<%=");
        let is_meant = |rest: &str| {
            let Some((inner, _)) = rest.split_once('}') else { return false };
            let inner = inner.trim_start_matches('$');
            let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let is_variable = || {
                (is_rendered || !text.contains(char::is_whitespace)) && self.find_variable(inner).is_some()
                    || is_rendered && is_word(inner) && self.is_inside(&[ScopeKind::OpenTemplate])
            };
            ["lookup(", "facts['", "trusted['"].iter().any(|start| inner.starts_with(start)) || is_variable()
        };
        if let Some(part) = text.split("${").skip(1).find(|rest| is_meant(rest)) {
            let name = part.split('}').next().unwrap_or_default();
            let message = format!("`${{{name}}}` is not replaced in a string without interpolation");
            let (what, form) =
                if written.starts_with('\'') { ("string", "") } else { ("tag of the heredoc", ": @(\"END\")") };
            self.add_warning("LITERAL_DOLLAR", self.tree[id].span, message)
                .help(format!("write the {what} in double quotes{form}"));
        }
    }

    /// Checks a call such as `epp('web/motd.epp', {port => 80})` or `inline_epp('<%- | Integer $port | -%> …', {port => 80})`
    /// against the parameters of the template.
    pub(super) fn check_epp_call(&mut self, is_inline: bool, ids: &[Id], found: &[Inferred]) {
        let (Some(id), Some(name)) = (ids.first(), found.first()) else { return };
        let check = |this: &mut Self, name: &Inferred| {
            for name in name.possible_texts().unwrap_or_default() {
                let tree = if is_inline {
                    syntax::parse_template(&Source::new("inline_epp", &*name)).ok()
                } else {
                    this.find_module_file("templates", *id, &name).and_then(|path| parse_file(&path))
                };
                if let Some(tree) = tree {
                    this.check_epp_parameters(&tree, is_inline, ids, found);
                }
            }
        };
        check(self, name);
        self.check_data_values(*id, name, check);
    }

    /// Checks the template that a parameter's default value names, such as `'web/motd.erb'`.
    pub(super) fn check_template_in_default(&mut self, id: Id, found: &Inferred) {
        let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().into_owned());
        let name = found.known_string().filter(|name| matches!(ending(name.as_ref()).as_deref(), Some("erb" | "epp")));
        let path = name.and_then(|name| self.find_module_file("templates", id, name));
        if let Some(path) = path.filter(|path| ending(path).as_deref() == Some("erb")) {
            self.check_erb_file(&path);
        }
    }

    pub(super) fn check_erb_file(&mut self, path: &Path) {
        if let Ok(text) = files::read_source_text(path) {
            self.check_names_in_erb(&Source::new(display_path(path), text), None);
        }
    }

    /// Checks the functions and variables in an ERB template; `inline` is the offset of an inline one in the program. A
    /// variable that nothing sets is only reported if the caller sets a similar one: other callers may set it.
    pub(super) fn check_names_in_erb(&mut self, template: &Arc<Source>, inline: Option<usize>) {
        let text = template.text();
        let names = names_in_erb(text);
        for (at, asked, name, _) in &names {
            let is_set = |rest: &str| {
                let sign = rest.trim_start();
                sign.starts_with("||") || sign.starts_with('=') && !sign[1..].starts_with(['=', '~', '>'])
            };
            let is_set = names.iter().any(|(_, asked, other, rest)| *asked == "@" && other == name && is_set(rest));
            // What is tested first may be set for another caller alone.
            let tests = ["if @", "unless @", "if !@", "?('", "?(\"", "setvar('", "setvar(\""];
            let is_tested = tests.iter().any(|test| text.contains(&format!("{test}{name}")));
            let is_respelt = |meant: String| meant.replace('_', "") == name.replace('_', "");
            let sign = if *asked == "@" { "@" } else { "" };
            let (first, nowhere) = (self.result.findings.len(), Span::default());
            if asked.contains("function") {
                self.resolve_function(name, nowhere);
            } else if is_set || is_tested && !self.suggest_variable(name, text).is_some_and(is_respelt) {
                continue;
            } else if name.contains("::") {
                self.visit_variable(name, nowhere);
            } else if let Some(near) = self.suggest_variable(name, text) {
                self.add_warning("UNKNOWN_VARIABLE", nowhere, format!("nothing sets the variable {sign}{name}"))
                    .help(format!("did you mean @{near}?"));
            } else if self.can_only_be_fact(name) {
                self.check_fact(name, nowhere);
            }
            let source = if inline.is_some() { &self.tree.source } else { template };
            let start = inline.unwrap_or(0) + at;
            let span = Span::new(start, start + sign.len() + name.len());
            for finding in self.result.findings.iter_mut().skip(first) {
                let error = Error::new(finding.error.code(), finding.error.message());
                let help = finding.error.help().iter().map(|help| help.replace("$facts[", "@facts["));
                finding.error = attach_location(help.fold(error, Error::with_help), source, span);
            }
        }
    }

    /// Reports a call of `template`, which is for ERB, with an EPP template such as `web/motd.epp`.
    pub(super) fn report_epp_as_erb(&mut self, id: Id) {
        let span = self.tree[id].span;
        let written = self.tree.source.slice(span).trim_end_matches(['\'', '"']);
        if Path::new(written).extension().is_some_and(|ending| ending == "epp") {
            let message = "`template` is for ERB: the tags of an EPP template are not evaluated";
            self.add_error("TEMPLATE_LANGUAGE", span, message).help("write `epp`");
        }
    }

    /// Checks the regular expression that is the second argument of `regsubst`, `match` or `split`, and the order of
    /// the arguments of these and of `scanf`.
    pub(super) fn check_pattern_argument(&mut self, name: &str, ids: &[Id], found: &[Inferred]) {
        let ([id, pattern, ..], [text, found, others @ ..]) = (ids, found) else { return };
        let span = self.tree[*pattern].span;
        let is_separator = |text: &str| match name {
            "scanf" => text.starts_with('%'),
            _ => name != "match" && !text.is_empty() && !text.contains(char::is_alphanumeric),
        };
        let is_computed = |one: &Inferred| one.value().is_none();
        let is_swapped = is_computed(found) || name == "regsubst" && others.first().is_some_and(is_computed);
        if is_swapped && text.known_string().is_some_and(is_separator) {
            self.add_warning(NEVER_MATCHES, self.tree[*id].span, format!("{name} searches this text for a pattern"))
                .help("write the text first, and the pattern behind it");
        } else if let Some(Err(error)) = found.known_string().filter(|_| name != "scanf").map(Regexp::new) {
            self.result.add_error(&self.tree.source, span, error);
        } else if let Some(text @ ("." | "|" | "^" | "$")) = found.known_string().filter(|_| name == "split") {
            self.add_warning(NEVER_MATCHES, span, "this is a regular expression, which does not mean the sign itself")
                .help(format!(r"write '\{text}'"));
        }
    }

    /// Checks the format string of `sprintf`. If some arguments are unknown, reports only that arguments are missing.
    pub(super) fn check_format_argument(&mut self, ids: &[Id], found: &[Inferred]) {
        const MAX_MISSING_ARGUMENTS: usize = 16;
        let Some((id, first)) = ids.first().zip(found.first()) else { return };
        let value = |one: &Inferred| one.value().cloned().unwrap_or(Value::Integer(0));
        let arguments: Vec<Value> = found.iter().skip(1).map(value).collect();
        let more = [&arguments[..], &[const { Value::Integer(0) }; MAX_MISSING_ARGUMENTS]].concat();
        let is_known = found.iter().all(|one| one.value().is_some());
        let formats = self.branches_to_check(first).into_iter().map(|(_, format)| format).chain([first]);
        let wrong = formats.filter_map(Inferred::known_string).find_map(|text| {
            let error = format::sprintf(text, &arguments).err()?;
            (is_known || format::sprintf(text, &more).is_ok()).then_some(error)
        });
        if let Some(error) = wrong {
            self.result.add_error(&self.tree.source, self.tree[*id].span, error);
        }
    }

    fn check_epp_parameters(&mut self, tree: &Tree, is_inline: bool, ids: &[Id], found: &[Inferred]) {
        let Some(id) = ids.first() else { return };
        let place = if is_inline { "in this call" } else { tree.source.name() };
        let Expression::Epp { parameters, parameters_specified, .. } = &tree[tree.body].expression else { return };
        let name = |key: &Value| key.as_str().map(EcoString::from);
        let names = |hash: &Inferred| hash.partial_value()?.as_hash()?.keys().map(name).collect();
        let Some(given): Option<Vec<EcoString>> = found.get(1).map_or(Some(Vec::new()), names) else {
            let (Some(id), Some(hash)) = (ids.get(1), found.get(1)) else { return };
            self.check_struct_for_epp(*id, parameters, place);
            return self.check_data_values(*id, hash, |this, hash| {
                this.check_epp_parameters(tree, is_inline, ids, &[Inferred::unknown(), hash.clone()]);
            });
        };
        for (name, line) in free_variables(tree, &given) {
            if is_inline {
                // It sees what is around the call.
                self.visit_variable(name, self.tree[*id].span);
            } else if !parameters_specified && !name.contains(':') {
                self.check_free_variable(name, line, tree, &given, *id);
            }
        }
        if !parameters_specified {
            return;
        }
        self.result.compared += 1;
        for key in &given {
            let (written, value) = self.expressions_of_entry(ids.get(1).copied().unwrap_or(*id), Some(key));
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == *key) else {
                let near = did_you_mean(nearest(key, parameters.iter().map(|parameter| &*parameter.name)));
                let message = format!("the template {place} has no parameter ${key}");
                self.add_error("UNKNOWN_PARAMETER", self.tree[written].span, message).help_if(near);
                continue;
            };
            let type_ = parameter.type_.and_then(|id| self.environment.static_type(tree, id));
            if let (Some(type_), Some(inferred)) = (type_, found.get(1).and_then(|hash| hash.hash_entry(key))) {
                let about = || (format!("the parameter ${key} of {place}"), None);
                self.check_type(value, &inferred, &type_, about);
                self.check_data_values(value, &inferred, |this, one| this.check_type(value, one, &type_, about));
            }
        }
        for parameter in parameters.iter().filter(|one| one.default.is_none() && !given.contains(&one.name)) {
            let name = &parameter.name;
            let message = format!("the template {place} needs the parameter ${name}");
            self.add_error("MISSING_PARAMETER", self.tree[*id].span, message).help(format!("add {{'{name}' => …}}"));
        }
    }

    /// Reports the keys of a Struct that a call passes to a template, alone or in a sum of hashes, without such a parameter.
    fn check_struct_for_epp(&mut self, mut id: Id, parameters: &[Parameter], place: &str) {
        while let Expression::Binary(BinaryOperator::Plus, left, right) = &self.tree[id].expression {
            self.check_struct_for_epp(*right, parameters, place);
            id = *left;
        }
        let Expression::Variable(name) = &self.tree[id].expression else { return };
        let known = self.find_variable_value(name).map_or_else(Type::any, |one| without_undef(&one.known_type()));
        let Type::Struct(known) = &*known.behind_aliases() else { return };
        let is_taken = |member: &&Member| parameters.iter().any(|one| *one.name == *member.name());
        if let Some(member) = known.members().iter().find(|member| !is_taken(member)) {
            let near = did_you_mean(nearest(member.name(), parameters.iter().map(|parameter| &*parameter.name)));
            let message =
                format!("${name} may have the key '{}': the template {place} has no such parameter", member.name());
            self.add_warning("UNKNOWN_PARAMETER", self.tree[id].span, message).help_if(near);
        }
    }

    /// Reports a variable of an EPP file without parameters that is neither passed by the call nor in the top scope.
    ///
    /// Observed: Puppet 7.23, with and without a hash.
    fn check_free_variable(&mut self, name: &str, line: usize, tree: &Tree, given: &[EcoString], id: Id) {
        let is_used = |given: &EcoString| tree.source.text().contains(&format!("${given}"));
        let is_here = self.scopes.iter().any(|scope| scope.variables.contains_key(name));
        let near = nearest(name, given.iter().map(|name| &**name));
        let is_certain = near.is_some() || is_here || !given.iter().all(is_used);
        // Another may be a fact of a module that is not there.
        if self.is_global_or_fact(name) || !is_certain && self.may_lack_module_facts() {
            return;
        }
        let pass = || format!("add {{'{name}' => …}}");
        let message = format!("the template {}:{line} uses ${name}, which the call does not pass", tree.source.name());
        self.add_error("UNKNOWN_VARIABLE", self.tree[id].span, message)
            .help(near.map_or_else(pass, |near| format!("the call passes '{near}'")));
    }
}

/// Returns the variables of a template that neither the template nor the call sets, each with the line of its first
/// use. Leaves out variables whose names occur in a string, because code may test whether they are set.
fn free_variables<'t>(tree: &'t Tree, given: &[EcoString]) -> Vec<(&'t EcoString, usize)> {
    let text = tree.source.text();
    let is_tested = |name: &str| ["'$", "\"$"].iter().any(|quote| text.contains(&format!("{quote}{name}")));
    let (mut bound, mut free) = (assigned_variables(tree, tree.body), Vec::<(&EcoString, usize)>::new());
    bound.extend(given.iter().cloned());
    for node in &tree.nodes {
        bound.extend(node.expression.parameters().iter().map(|one| one.name.clone()));
        if let Expression::Variable(name) = &node.expression
            && !free.iter().any(|(known, _)| *known == name)
        {
            free.push((name, tree.source.position(node.span.start as usize).line));
        }
    }
    free.retain(|(name, _)| !bound.contains(*name) && !is_tested(name));
    free
}

/// Returns the variables in an ERB template (`@port`, `scope['web::port']`, `scope.lookupvar('port')`) and the
/// functions (`scope.call_function('split', …)`, `scope.function_split(…)`): for each the offset, the prefix before the
/// name, the name, and the rest of the tag.
fn names_in_erb(text: &str) -> Vec<(usize, &'static str, &str, &str)> {
    const NAME_PREFIXES: [&str; 5] = ["@", "scope[", "scope.lookupvar(", "scope.call_function(", "scope.function_"];
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let opened = text.match_indices("<%").filter(|(at, _)| !text[at + 2..].starts_with(['#', '%']));
    let tags = opened.map(|(at, _)| (at, text[at..].split("%>").next().unwrap_or_default()));
    let mut names = Vec::new();
    for ((start, tag), asked) in tags.flat_map(|tag| NAME_PREFIXES.map(|asked| (tag, asked))) {
        for (at, _) in tag.match_indices(asked) {
            let line = tag[..at].rsplit('\n').next().unwrap_or_default();
            let is_comment = line.trim_start_matches(['<', '%', '-', ' ', '\t']).starts_with('#');
            // In a string, a variable may be a word.
            let is_text = !line.ends_with("#{") && ['\'', '"'].iter().any(|sign| line.matches(*sign).count() % 2 == 1);
            let is_quoted = asked.ends_with(['[', '(']);
            let rest = tag[at + asked.len()..].trim_start_matches(|one| is_quoted && " '\"".contains(one));
            let end = rest.find(|letter| !(is_of_name(letter) || is_quoted && letter == ':')).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            let is_whole = !name.is_empty() && (!is_quoted || behind.starts_with(['\'', '"']));
            if is_whole && !is_comment && !is_text && !line.ends_with(|last| is_of_name(last) || last == '@') {
                names.push((start + tag.len() - rest.len() - usize::from(asked == "@"), asked, name, behind));
            }
        }
    }
    names
}
