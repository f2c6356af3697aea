//! Reports references, in relationships, to resources that nothing declares.
//!
//! A title with parts that are known only at run time ([`UNKNOWN_TITLE_PART`]) may be equal to many others, which are then not
//! reported. As modules that are not installed may declare anything, a reference is only reported if a similar title
//! is declared, if only the module of the program can declare it, or if it names a class of the project.
//!
//! Source: Puppet reference, "Relationships and ordering".

use std::collections::BTreeSet;

use super::Checker;
use super::program::{
    NameKind, Program, RELATIONSHIPS, UNKNOWN_TITLE_PART, branches_of_condition, collected_tags, constant_string,
    module_of_name, normalize_name, title_strings, titles_in_node,
};
use crate::error::Error;
use crate::syntax::tree::BinaryOperator::{After, Before, NotifiedBy, Notifies};
use crate::syntax::tree::{DefinitionKind, Expression, Id, Tree};
use crate::value::EcoString;
use crate::wording::edit_distance;

impl Checker<'_> {
    pub(super) fn check_references(&mut self, program: &Program, tree: &Tree) {
        // Those that every catalog has.
        const BUILT_IN_SCHEDULES: [&str; 6] = ["puppet", "hourly", "daily", "weekly", "monthly", "never"];
        let (mut keys, mut pending) = (Vec::new(), Vec::new());
        for node in &tree.nodes {
            match &node.expression {
                Expression::Resource { bodies, .. } => {
                    for attribute in bodies.iter().flat_map(|body| &body.attributes) {
                        if RELATIONSHIPS.iter().any(|(name, _)| **name == *attribute.name) {
                            pending.push(attribute.value);
                        } else if &*attribute.name == "schedule" {
                            let titles = title_strings(tree, attribute.value).into_iter();
                            let titles = titles.filter(|title| !BUILT_IN_SCHEDULES.contains(&&**title));
                            keys.extend(titles.map(|title| ("schedule".to_owned(), title, attribute.value)));
                        }
                    }
                }
                Expression::Binary(Before | After | Notifies | NotifiedBy, one, other) => pending.extend([one, other]),
                Expression::Assignment(_, _, value) => pending.push(*value),
                // `$notified = 'Service[web]'`
                Expression::Definition(definition) if definition.kind != DefinitionKind::Function => {
                    keys.extend(definition.parameters.iter().filter_map(|parameter| {
                        let id = parameter.default?;
                        let text = constant_string(tree, id)?;
                        let (type_name, title) = text.strip_suffix(']')?.split_once('[')?;
                        let is_type = type_name.starts_with(|first: char| first.is_ascii_uppercase());
                        is_type.then(|| (normalize_name(type_name).into_owned(), EcoString::from(title), id))
                    }));
                }
                _ => {}
            }
        }
        while let Some(id) = pending.pop() {
            match &tree[id].expression {
                Expression::Array(all) => pending.extend(all),
                Expression::Hash(entries) => pending.extend(entries.iter().map(|(_, value)| value)),
                Expression::Parenthesized(inner) => pending.push(*inner),
                Expression::Selector(_, options) => pending.extend(options.iter().map(|option| option.then)),
                Expression::Access(target, titles) if let Expression::Reference(name) = &tree[*target].expression => {
                    let type_name = normalize_name(name);
                    let titles =
                        titles.iter().flat_map(|id| title_strings(tree, *id).into_iter().map(|one| (one, *id)));
                    keys.extend(titles.map(|(title, id)| (type_name.clone().into_owned(), title, id)));
                }
                _ => {}
            }
        }
        self.check_collected_tags(tree);
        let all = tree.nodes.iter().map(|node| branches_of_condition(&node.expression));
        let conditions: Vec<Vec<Id>> = all.filter(|branches| !branches.is_empty()).collect();
        for (type_name, title, key) in keys {
            let lower = normalize_name(&title);
            let title = if type_name == "class" { &*lower } else { title.trim_end_matches('/') };
            let span = tree[key].span;
            let written = tree.source.slice(span);
            // As in `defined(Class['a'])`.
            let is_asked = || tree.source.text().contains(&*format!("[{written}])"));
            if !has_fixed_part(title) || is_asked() {
                continue;
            }
            let named = NameKind::Resource(type_name.clone());
            if self.may_be_declared(&type_name, title) {
                if self.is_in_other_branches(tree, &conditions, span.start, &named, title) {
                    let error = format!("only another branch declares {type_name} {written}");
                    let error = Error::new("UNKNOWN_RESOURCE", error);
                    self.result.add_warning(&tree.source, span, error).help("declare it in this one, too");
                }
                continue;
            }
            self.index.add_unchecked_titles();
            // A class that is not here may declare what is only alike.
            let mut named_here = program.titles.iter();
            let is_closed =
                !named_here.any(|(of, one)| *of == NameKind::Included && self.index.unknown_name_reason(one).is_some());
            let here = program.titles.iter().filter(|(of, one)| {
                *of == named
                    && (is_closed && is_similar_title(title, one) || self.may_be_renamed_to(&type_name, title, one))
            });
            let alike = self.index.similar_titles(&type_name, title).into_iter().flatten();
            let is_reordered =
                |one: &&EcoString| has_same_words(title, one) && self.may_be_renamed_to(&type_name, title, one);
            let reordered = || self.index.titles_of_kind(&named).find(is_reordered);
            let is_respelt = program.titles.iter().any(|(of, one)| *of == named && one.eq_ignore_ascii_case(title));
            let near = alike.chain(here.map(|(_, one)| one)).next().or_else(reordered);
            let near = near.map(|near| near.replace("\0", "${…}"));
            let help = if type_name == "class" {
                let help = || format!("write `contain {title}` in a class before it");
                self.is_class_of_project(title, program).then(help)
            } else {
                let of_module =
                    || self.must_be_declared_by_own_module(&type_name, title, tree).then(|| "declare it".to_owned());
                near.map(|near| format!("did you mean '{near}'?")).or_else(of_module)
            };
            let is_absent = || !self.may_be_declared(&type_name, title) && (is_respelt || !self.occurs_as_value(title));
            if let Some(help) = help.filter(|_| is_absent()) {
                let message = format!("nothing declares {type_name} {written}");
                self.result.add_warning(&tree.source, span, Error::new("UNKNOWN_RESOURCE", message)).help(help);
            }
        }
    }

    /// Reports a tag that a collector asks for and nothing sets, if a similar one is set that no collector asks for.
    fn check_collected_tags(&mut self, tree: &Tree) {
        let is_same = |one: &str, other: &str| matches_title_pattern(one, other) || matches_title_pattern(other, one);
        for (type_name, id, tag) in tree.nodes.iter().flat_map(|node| collected_tags(tree, node)) {
            self.index.add_unchecked_titles();
            let set = [type_name.clone(), String::new()].map(NameKind::Tag);
            let (known, unknown): (Vec<_>, Vec<_>) =
                set.iter().flat_map(|kind| self.index.titles_of_kind(kind)).partition(|tag| has_fixed_part(tag));
            if !has_fixed_part(&tag) || known.iter().any(|other| is_same(&tag, other)) {
                continue;
            }
            let collected = NameKind::CollectedTag(type_name);
            let is_meant = |one: &&EcoString| {
                (has_same_words(&tag, one) || unknown.is_empty() && is_similar_title(&tag, one))
                    && !self.index.titles_of_kind(&collected).any(|other| is_same(one, other))
            };
            if let Some(near) = known.into_iter().find(is_meant).map(|near| near.replace("\0", "${…}")) {
                let error = Error::new("UNKNOWN_RESOURCE", "no resource of this type has the tag");
                let error = error.with_help(format!("no collector asks for '{near}', which is set"));
                self.result.add_warning(&tree.source, tree[id].span, error);
            }
        }
    }

    /// Whether all declarations of a title are in other branches of the `conditions` around the reference at `at`.
    fn is_in_other_branches(&self, tree: &Tree, conditions: &[Vec<Id>], at: u32, kind: &NameKind, title: &str) -> bool {
        let is_inside = |at, id: Id| tree[id].span.start <= at && at < tree[id].span.end;
        let around = conditions.iter().filter(|all| all.iter().any(|id| is_inside(at, *id)));
        let others: Vec<Id> = around.flatten().copied().filter(|id| !is_inside(at, *id)).collect();
        let is_it =
            |(of, one): &(NameKind, EcoString)| of == kind && has_fixed_part(one) && matches_title_pattern(one, title);
        let mut declared = tree.nodes.iter().filter(|node| titles_in_node(tree, node).iter().any(is_it)).peekable();
        let mut programs = self.programs.iter().filter(|source| source.name() != tree.source.name());
        !others.is_empty()
            && !title.contains(UNKNOWN_TITLE_PART)
            && declared.peek().is_some()
            && declared.all(|node| others.iter().any(|id| is_inside(node.span.start, *id)))
            && !self.occurs_as_value(title)
            && !programs.any(|source| source.text().contains(title))
    }

    /// Whether `other` has all words of `title` except one, and nothing refers to it. Titles of packages, services and
    /// files say less: classes that are not here declare many that are alike.
    fn may_be_renamed_to(&self, type_name: &str, title: &str, other: &str) -> bool {
        let (one, two) = (words_of(title), words_of(other));
        let is_alike = !one.is_disjoint(&two) && (&one - &two).len() <= 1 && (&two - &one).len() <= 1;
        let is_own = matches!(type_name, "exec" | "schedule") || type_name.contains("::");
        // It is in quotes once, where it is declared.
        let quoted = ['\'', '"'].map(|quote| format!("{quote}{other}{quote}"));
        let mentions = |program: &str| -> usize { quoted.iter().map(|text| program.matches(&**text).count()).sum() };
        let count = || self.programs.iter().map(|program| mentions(program.text())).sum::<usize>();
        is_own && is_alike && !other.contains(UNKNOWN_TITLE_PART) && count() < 2
    }

    /// Whether only the module of this program can declare the resource: its title contains the module's name, and it
    /// is an `anchor`, an `exec` or of a type that the module defines.
    fn must_be_declared_by_own_module(&self, type_name: &str, title: &str, tree: &Tree) -> bool {
        let Some((module, _)) = self.index.module_and_relative_path(tree.source.name()) else { return false };
        let mut words = title.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let is_own = matches!(type_name, "anchor" | "exec") || type_name.starts_with(&format!("{module}::"));
        is_own && !title.contains(UNKNOWN_TITLE_PART) && words.any(|word| word == module && word.len() > 3)
    }

    fn may_be_declared(&self, type_name: &str, title: &str) -> bool {
        let is_it = |other: &str| {
            has_fixed_part(other) && (matches_title_pattern(title, other) || matches_title_pattern(other, title))
        };
        let holds = |named: NameKind| self.index.titles_of_kind(&named).any(|other| is_it(other.trim_end_matches('/')));
        self.index.similar_titles(type_name, title).is_some_and(|titles| titles.contains(title))
            || holds(NameKind::Resource(type_name.to_owned()))
            || holds(NameKind::Resource(String::new()))
            || type_name == "class" && holds(NameKind::Included)
    }

    /// Whether the project (control repository, or module of a class in `program`) defines `class`, in another file.
    fn is_class_of_project(&mut self, class: &str, program: &Program) -> bool {
        let definitions = program.definitions.iter();
        let is_here = definitions.clone().any(|one| *one.name == *class);
        let mut classes = definitions.filter(|one| one.kind == DefinitionKind::Class);
        let is_ours = classes.any(|one| module_of_name(&one.name) == module_of_name(class))
            || self.index.own.is_none() && !self.data.has_unseen_data;
        let known = self.index.resource_type(class, &mut self.session.environment);
        is_ours && !is_here && class.contains("::") && known.is_some()
    }

    /// Whether a variable may have the value `text`: it occurs in data, or as a string other than a title or reference.
    fn occurs_as_value(&self, text: &str) -> bool {
        let quote = ['\'', '"'];
        let is_value = |(at, _), program: &str| {
            let (before, after) = (&program[..at], &program[at + text.len()..]);
            let of_type = before.trim_end_matches(quote).strip_suffix('[').unwrap_or_default();
            let is_metaparameter = || {
                let attribute = before.trim_end_matches(quote).trim_end().strip_suffix("=>").unwrap_or_default();
                attribute.trim_end().ends_with("schedule")
            };
            let is_reference = of_type.ends_with(char::is_alphanumeric)
                && after.trim_start_matches(quote).starts_with(']')
                || is_metaparameter();
            let is_title = after.trim_start_matches(quote).trim_start().starts_with(':');
            before.ends_with(quote) && after.starts_with(quote) && !is_reference && !is_title
        };
        let mut programs = self.programs.iter().map(|source| source.text());
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == ':';
        let is_whole =
            |(at, _), data: &str| !data[..at].ends_with(is_of_name) && !data[at + text.len()..].starts_with(is_of_name);
        self.data.source_texts().values().any(|data| data.match_indices(text).any(|part| is_whole(part, data)))
            || programs.any(|program| program.match_indices(text).any(|part| is_value(part, program)))
    }
}

fn words_of(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric()).collect()
}

/// Whether two titles consist of the same words, perhaps in another order.
fn has_same_words(one: &str, other: &str) -> bool {
    one.len() == other.len() && words_of(one) == words_of(other)
}

/// Whether `title` may be a misspelling of `other`: the words in which they differ are similar, or one of them is known
/// only at run time. Titles that differ only in digits are not similar.
fn is_similar_title(title: &str, other: &str) -> bool {
    let letters = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
    let is_between = |letter: char| !letter.is_alphanumeric() && letter != UNKNOWN_TITLE_PART;
    let [one, two] = [title, other].map(|text| text.split(is_between).collect::<BTreeSet<&str>>());
    let [left, right] = [&one - &two, &two - &one].map(|words| words.into_iter().collect::<String>());
    let is_begun = one.len() > 2 && !left.is_empty() && (left.starts_with(&right) || right.starts_with(&left));
    let is_alike = is_begun || edit_distance(&left, &right) <= 1 + title.len() / 8;
    let is_alike = if left.is_empty() == right.is_empty() { is_alike } else { left + &right == "\0" };
    // `app` and `app.service`
    let is_extended = |one: &str, other: &str| other.strip_prefix(one).is_some_and(|rest| rest.starts_with('.'));
    let is_alike = is_alike || is_extended(title, other) || is_extended(other, title);
    title.len() > 3 && has_fixed_part(other) && letters(title) != letters(other) && is_alike
}

/// Whether `text` matches `pattern`, in which each [`UNKNOWN_TITLE_PART`] matches any string.
fn matches_title_pattern(pattern: &str, text: &str) -> bool {
    let Some((first, parts)) = pattern.split_once(UNKNOWN_TITLE_PART) else { return pattern == text };
    let (parts, last) = parts.rsplit_once(UNKNOWN_TITLE_PART).unwrap_or(("", parts));
    let find = |rest: usize, part: &str| Some(rest + text.get(rest..)?.find(part)? + part.len());
    let start = text.starts_with(first).then_some(first.len());
    let end = parts.split(UNKNOWN_TITLE_PART).try_fold(start, |at, part| Some(find(at?, part))).flatten();
    end.is_some_and(|end| text.get(end..).is_some_and(|rest| rest.ends_with(last)))
}

fn has_fixed_part(title: &str) -> bool {
    title.contains(char::is_alphanumeric)
}
