//! Files of modules that functions name, the parameters of the templates among them, and other texts in a language of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Bodies, conditions::NEVER_MATCHES, known::Inferred};
use crate::check::{Unjudged, index::read, placed, program::assigned};
use crate::error::Error;
use crate::eval::shown;
use crate::regexp::Regexp;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::value::{EcoString, Value};
use crate::wording::{meant, nearest};
use crate::{files, format, syntax};

impl Bodies<'_> {
    /// The file of a module that `web/motd.epp` names; a missing one is reported.
    pub(super) fn module_file(&mut self, folder: &str, id: Id, name: &str) -> Option<PathBuf> {
        let (module, file) = name.split_once('/').filter(|(module, _)| !module.is_empty())?;
        let Some(directory) = self.index.directory(module) else {
            self.unjudged(Unjudged::MissingModule(module.to_owned()));
            return None;
        };
        self.checked.compared += 1;
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
        let help = near.map(|near| format!("did you mean '{}{near}'?", &name[..name.len() - base.len()]));
        let place = shown(&path);
        let span = self.tree[id].span;
        self.error("UNKNOWN_FILE", span, format!("'{name}' is not in module {module}: {place} does not exist"), help);
        None
    }

    /// `source => 'puppet:///modules/web/motd'`; of several in an Array the first that exists counts.
    pub(super) fn source(&mut self, id: Id, found: &Inferred) {
        if let Inferred::Branches(all, _) = found {
            for (id, branch) in all {
                self.source(*id, branch);
            }
        } else if let Some(path) = found.string().and_then(|text| text.strip_prefix("puppet:///modules/")) {
            self.module_file("files", id, path);
        }
    }

    /// `epp('web/motd.epp', {port => 80})`: the parameters that the template declares.
    pub(super) fn epp(&mut self, ids: &[Id], found: &[Inferred]) {
        let (Some(id), Some(name)) = (ids.first(), found.first()) else { return };
        let path = name.string().and_then(|name| self.module_file("templates", *id, name));
        let Some(path) = path else { return };
        if let Some(tree) = read(&path) {
            self.epp_parameters(&Arc::new(tree), false, ids, found);
        }
    }

    /// `String $template = 'web/motd.erb'`
    pub(super) fn default_template(&mut self, id: Id, found: &Inferred) {
        let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().into_owned());
        let name = found.string().filter(|name| matches!(ending(name.as_ref()).as_deref(), Some("erb" | "epp")));
        let path = name.and_then(|name| self.module_file("templates", id, name));
        if let Some(path) = path.filter(|path| ending(path).as_deref() == Some("erb")) {
            self.erb(&path);
        }
    }

    pub(super) fn erb(&mut self, path: &Path) {
        if let Ok(text) = files::source_text(path) {
            self.names_of_erb(&Source::new(shown(path), text), None);
        }
    }

    /// The names in a template in ERB, which may begin at the place `inline` of the program. Of the variables of the
    /// scope, those that nobody sets, and that are similar to one that the caller sets: others may be those of another
    /// caller.
    pub(super) fn names_of_erb(&mut self, template: &Arc<Source>, inline: Option<usize>) {
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
            let (first, nowhere) = (self.checked.findings.len(), Span::default());
            if asked.contains("function") {
                self.callee(name, nowhere);
            } else if is_set || is_tested && !self.meant_variable(name, text).is_some_and(is_respelt) {
                continue;
            } else if name.contains("::") {
                self.variable(name, nowhere);
            } else if let Some(near) = self.meant_variable(name, text) {
                let message = format!("nothing sets the variable {sign}{name}");
                self.warning("UNKNOWN_VARIABLE", nowhere, message, Some(format!("did you mean @{near}?")));
            } else if self.is_only_fact(name) {
                self.fact(name, nowhere);
            }
            let source = if inline.is_some() { &self.tree.source } else { template };
            let start = inline.unwrap_or(0) + at;
            let span = Span::new(start, start + sign.len() + name.len());
            for finding in self.checked.findings.iter_mut().skip(first) {
                let error = Error::new(finding.error.code(), finding.error.message());
                let help = finding.error.help().iter().map(|help| help.replace("$facts[", "@facts["));
                finding.error = placed(help.fold(error, Error::with_help), source, span);
            }
        }
    }

    /// `template('web/motd.epp')`
    pub(super) fn template_language(&mut self, id: Id) {
        let span = self.tree[id].span;
        let written = self.tree.source.slice(span).trim_end_matches(['\'', '"']);
        if Path::new(written).extension().is_some_and(|ending| ending == "epp") {
            let message = "`template` is for ERB: the tags of an EPP template are not evaluated";
            self.error("TEMPLATE_LANGUAGE", span, message, Some("write `epp`".to_owned()));
        }
    }

    /// The regular expression in a string, as the second argument. What is searched for in a text without letters is the text.
    pub(super) fn pattern_in_string(&mut self, name: &str, ids: &[Id], found: &[Inferred]) {
        let ([id, pattern, ..], [text, found, ..]) = (ids, found) else { return };
        let span = self.tree[*pattern].span;
        let is_separator = |text: &str| name != "match" && !text.is_empty() && !text.contains(char::is_alphanumeric);
        if found.value().is_none() && text.string().is_some_and(is_separator) {
            let help = Some("write the text first, and the pattern behind it".to_owned());
            self.warning(NEVER_MATCHES, self.tree[*id].span, format!("{name} searches this text for a pattern"), help);
        } else if let Some(Err(error)) = found.string().map(Regexp::new) {
            self.checked.error(&self.tree.source, span, error);
        } else if let Some(text @ ("." | "|" | "^" | "$")) = found.string().filter(|_| name == "split") {
            let message = "this is a regular expression, which does not mean the sign itself";
            self.warning(NEVER_MATCHES, span, message, Some(format!(r"write '\{text}'")));
        }
    }

    /// The format of `sprintf`. Where values are not known, it may only need more of them.
    pub(super) fn format_in_string(&mut self, ids: &[Id], found: &[Inferred]) {
        const MORE: usize = 16;
        let Some((id, first)) = ids.first().zip(found.first()) else { return };
        let value = |one: &Inferred| one.value().cloned().unwrap_or(Value::Integer(0));
        let arguments: Vec<Value> = found.iter().skip(1).map(value).collect();
        let more = [&arguments[..], &[const { Value::Integer(0) }; MORE]].concat();
        let is_known = found.iter().all(|one| one.value().is_some());
        let formats = self.branches(first).into_iter().map(|(_, format)| format).chain([first]);
        let wrong = formats.filter_map(Inferred::string).find_map(|text| {
            let error = format::sprintf(text, &arguments).err()?;
            (is_known || format::sprintf(text, &more).is_ok()).then_some(error)
        });
        if let Some(error) = wrong {
            self.checked.error(&self.tree.source, self.tree[*id].span, error);
        }
    }

    /// `inline_epp('<%- | Integer $port | -%> …', {port => 80})`
    pub(super) fn inline_epp(&mut self, ids: &[Id], found: &[Inferred]) {
        let Some(text) = found.first().and_then(Inferred::string) else { return };
        if let Ok(tree) = syntax::parse_template(&Source::new("inline_epp", text)) {
            self.epp_parameters(&Arc::new(tree), true, ids, found);
        }
    }

    fn epp_parameters(&mut self, tree: &Arc<Tree>, is_inline: bool, ids: &[Id], found: &[Inferred]) {
        let Some(id) = ids.first() else { return };
        let place = if is_inline { "in this call" } else { tree.source.name() };
        let Expression::Epp { parameters, parameters_specified, .. } = &tree[tree.body].expression else { return };
        let names = |hash: &Inferred| {
            hash.partial_value()?.as_hash()?.keys().map(Value::as_str).map(|name| Some(name?.to_owned())).collect()
        };
        let Some(given): Option<Vec<String>> = found.get(1).map_or(Some(Vec::new()), names) else {
            let (Some(id), Some(hash)) = (ids.get(1), found.get(1)) else { return };
            return self.with_data(*id, hash, |this, hash| {
                this.epp_parameters(tree, is_inline, ids, &[Inferred::any(), hash.clone()]);
            });
        };
        for (name, line) in free_variables(tree, &given) {
            if is_inline {
                // It sees what is around the call.
                self.variable(name, self.tree[*id].span);
            } else if !parameters_specified && !name.contains(':') {
                self.free_variable(name, line, tree, &given, *id);
            }
        }
        if !parameters_specified {
            return;
        }
        self.checked.compared += 1;
        for key in &given {
            let (written, value) = self.entry_of(ids.get(1).copied().unwrap_or(*id), Some(key));
            let Some(parameter) = parameters.iter().find(|parameter| *parameter.name == **key) else {
                let near = meant(nearest(key, parameters.iter().map(|parameter| &*parameter.name)));
                let message = format!("the template {place} has no parameter ${key}");
                self.error("UNKNOWN_PARAMETER", self.tree[written].span, message, near);
                continue;
            };
            let type_ = parameter.type_.and_then(|id| self.environment.written_type(tree, id));
            if let (Some(type_), Some(inferred)) = (type_, found.get(1).and_then(|hash| hash.entry(key))) {
                self.compare(value, &inferred, &type_, || (format!("the parameter ${key} of {place}"), None));
            }
        }
        for parameter in parameters.iter().filter(|parameter| parameter.default.is_none()) {
            let name = &parameter.name;
            if !given.iter().any(|one| **one == **name) {
                let message = format!("the template {place} needs the parameter ${name}");
                let help = format!("add {{'{name}' => …}}");
                self.error("MISSING_PARAMETER", self.tree[*id].span, message, Some(help));
            }
        }
    }

    /// A variable of a template in a file that declares no parameters. It sees what it is given, and the top scope.
    ///
    /// Observed: Puppet 7.23, with and without a hash.
    fn free_variable(&mut self, name: &str, line: usize, tree: &Tree, given: &[String], id: Id) {
        let is_used = |given: &String| tree.source.text().contains(&format!("${given}"));
        let is_here = self.scopes.iter().any(|scope| scope.variables.contains_key(name));
        let near = nearest(name, given.iter().map(|name| &**name));
        let is_certain = near.is_some() || is_here || !given.iter().all(is_used);
        // Another may be a fact of a module that is not there.
        if self.is_global_or_fact(name) || !is_certain && self.lacks_facts() {
            return;
        }
        let pass = || format!("add {{'{name}' => …}}");
        let help = near.map_or_else(pass, |near| format!("the call passes '{near}'"));
        let message = format!("the template {}:{line} uses ${name}, which the call does not pass", tree.source.name());
        self.error("UNKNOWN_VARIABLE", self.tree[id].span, message, Some(help));
    }
}

/// The variables of a template that neither it sets nor the call gives it, and the line where each is first. One whose name is
/// in a string may be tested.
fn free_variables<'t>(tree: &'t Tree, given: &[String]) -> Vec<(&'t EcoString, usize)> {
    let text = tree.source.text();
    let is_tested = |name: &str| ["'$", "\"$"].iter().any(|quote| text.contains(&format!("{quote}{name}")));
    let (mut bound, mut free) = (assigned(tree, tree.body), Vec::<(&EcoString, usize)>::new());
    bound.extend(given.iter().map(|name| EcoString::from(&**name)));
    for node in &tree.nodes {
        match &node.expression {
            Expression::Epp { parameters, .. } => bound.extend(parameters.iter().map(|one| one.name.clone())),
            Expression::Lambda { parameters, .. } => bound.extend(parameters.iter().map(|one| one.name.clone())),
            Expression::Variable(name) if !free.iter().any(|(known, _)| *known == name) => {
                free.push((name, tree.source.position(node.span.start as usize).line));
            }
            _ => {}
        }
    }
    free.retain(|(name, _)| !bound.contains(*name) && !is_tested(name));
    free
}

/// The names in the tags of a template in ERB: variables in `@port`, `scope['web::port']` and `scope.lookupvar('port')`,
/// functions in `scope.call_function('split', …)` and `scope.function_split(…)`. Of each, where it is, what is before it, the
/// name, and what is behind it.
fn names_in_erb(text: &str) -> Vec<(usize, &'static str, &str, &str)> {
    const ASKED: [&str; 5] = ["@", "scope[", "scope.lookupvar(", "scope.call_function(", "scope.function_"];
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let opened = text.match_indices("<%").filter(|(at, _)| !text[at + 2..].starts_with(['#', '%']));
    let tags = opened.map(|(at, _)| (at, text[at..].split("%>").next().unwrap_or_default()));
    let mut names = Vec::new();
    for ((start, tag), asked) in tags.flat_map(|tag| ASKED.map(|asked| (tag, asked))) {
        for (at, _) in tag.match_indices(asked) {
            let line = tag[..at].rsplit('\n').next().unwrap_or_default();
            let is_comment = line.trim_start_matches(['<', '%', '-', ' ', '\t']).starts_with('#');
            // In a string, a variable may be a word.
            let is_text =
                !line.ends_with("#{") && ['\'', '"'].iter().any(|quote| line.matches(*quote).count() % 2 == 1);
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
