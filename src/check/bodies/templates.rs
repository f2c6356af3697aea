//! Files of modules that functions name, the parameters of the templates among them, and other texts in a language of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Bodies, known::Inferred};
use crate::check::{Unjudged, index::read};
use crate::error::Error;
use crate::eval::shown;
use crate::regexp::Regexp;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::value::Value;
use crate::wording::{meant, nearest};
use crate::{files, format, syntax};

impl Bodies<'_> {
    /// The file of a module that `web/motd.epp` names; a missing one is reported.
    pub(super) fn module_file(&mut self, folder: &str, id: Id, found: &Inferred) -> Option<PathBuf> {
        let name = found.string()?;
        let (module, file) = name.split_once('/').filter(|(module, _)| !module.is_empty())?;
        let Some(directory) = self.index.directory(module) else {
            self.unjudged(Unjudged::MissingModule(module.to_owned()));
            return None;
        };
        self.checked.compared += 1;
        let path = directory.join(folder).join(file);
        let with_ending = (folder == "templates").then(|| directory.join(folder).join(format!("{file}.epp")));
        if let Some(found) = [Some(&path), with_ending.as_ref()].into_iter().flatten().find(|path| path.is_file()) {
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

    /// `epp('web/motd.epp', {port => 80})`: the parameters that the template declares.
    pub(super) fn epp(&mut self, ids: &[Id], found: &[Inferred]) {
        let (Some(id), Some(name)) = (ids.first(), found.first()) else { return };
        let Some(path) = self.module_file("templates", *id, name) else { return };
        if let Some(tree) = read(&path) {
            self.epp_parameters(&Arc::new(tree), &shown(&path), ids, found);
        }
    }

    /// The variables in the tags of a template in ERB, `@port`, which nobody sets, and which are similar to one that the caller
    /// sets. Others may be those of another caller.
    pub(super) fn erb(&mut self, path: &Path) {
        let Ok(text) = files::source_text(path) else { return };
        let variables: Vec<_> = variables_in_erb(&text).collect();
        let source = Source::new(shown(path), &*text);
        for (at, name, _) in &variables {
            let is_set = variables.iter().any(|(_, other, is_set)| *is_set && other == name);
            // What is tested first may be set for another caller alone.
            let is_tested = ["if @", "unless @", "if !@"].iter().any(|test| text.contains(&format!("{test}{name}")));
            if let Some(near) = self.meant_variable(name).filter(|_| !is_set && !is_tested) {
                let span = Span::new(*at, at + 1 + name.len());
                let error = Error::new("UNKNOWN_VARIABLE", format!("nothing sets the variable @{name}"));
                self.checked.warning(&source, span, error.with_help(format!("did you mean @{near}?")));
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

    /// The regular expression in a string, as the second argument.
    pub(super) fn pattern_in_string(&mut self, ids: &[Id], found: &[Inferred]) {
        let pattern = found.get(1).and_then(Inferred::string).map(Regexp::new);
        if let (Some(Err(error)), Some(id)) = (pattern, ids.get(1)) {
            self.checked.error(&self.tree.source, self.tree[*id].span, error);
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
            self.epp_parameters(&Arc::new(tree), "in this call", ids, found);
        }
    }

    fn epp_parameters(&mut self, tree: &Arc<Tree>, place: &str, ids: &[Id], found: &[Inferred]) {
        let Some(id) = ids.first() else { return };
        let Expression::Epp { parameters, parameters_specified: true, .. } = &tree[tree.body].expression else {
            return;
        };
        let names = |hash: &Inferred| {
            hash.partial_value()?.as_hash()?.keys().map(Value::as_str).map(|name| Some(name?.to_owned())).collect()
        };
        let Some(given): Option<Vec<String>> = found.get(1).map_or(Some(Vec::new()), names) else { return };
        self.checked.compared += 1;
        for key in &given {
            let (written, value) = self.entry_of(ids.get(1).copied().unwrap_or(*id), key);
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
}

/// The variables in the tags of a template, `<%= @port %>`: where each is, its name, and whether it is set there.
fn variables_in_erb(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let opened = text.match_indices("<%").filter(|(at, _)| !text[at + 2..].starts_with(['#', '%']));
    let tags = opened.map(|(at, _)| (at, text[at..].split("%>").next().unwrap_or_default()));
    tags.flat_map(move |(start, tag)| {
        let signs =
            tag.match_indices('@').filter(move |(at, _)| !tag[..*at].ends_with(|last| is_of_name(last) || last == '@'));
        signs.filter_map(move |(at, _)| {
            let rest = &tag[at + 1..];
            let (name, rest) = rest.split_at(rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len()));
            let sign = rest.trim_start().trim_start_matches("||");
            let is_set = sign.starts_with('=') && !["==", "=~", "=>"].iter().any(|other| sign.starts_with(other));
            (!name.is_empty()).then_some((start + at, name, is_set))
        })
    })
}
