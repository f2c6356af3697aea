//! The rules that the notation names, `<name>`, and cannot say: a small function each. `grammar/README.md` says what they
//! mean.

use pcore::session::commands::all_commands;

use super::recogniser::Reading;

/// The productions that tell whether a place in a template is code: see `in_code`.
pub(super) const REMEMBERED: [&str; 4] = ["code_start", "leading_tag", "expression_start", "expression_tag"];

/// Where reading goes on, if the condition holds.
type Condition = fn(&mut Reading<'_>, usize) -> Option<usize>;

/// Every condition by its name.
const TABLE: [(&str, Condition); 9] = [
    ("in_range", |reading, at| (magnitude(reading.read(at))? < LOWEST).then_some(at)),
    ("lowest", |reading, at| (magnitude(reading.read(at))? == LOWEST).then_some(at)),
    ("has_text", |reading, at| {
        let announcement = Announcement::read(reading.read(at));
        reading.heredoc_text(at, &announcement).then_some(at)
    }),
    ("announced_texts", |reading, at| Some(reading.after_heredocs(at))),
    ("each_once", |reading, at| {
        let letters = reading.read(at);
        letters.char_indices().all(|(index, letter)| !letters[..index].contains(letter)).then_some(at)
    }),
    ("tag", |reading, at| {
        let tag = &reading.heredoc()?.tag;
        reading.read(at).trim_end().ends_with(tag.as_str()).then_some(at)
    }),
    ("escape", |reading, at| {
        let letter = reading.rest(at).strip_prefix('\\')?.chars().next()?;
        let escapes = &reading.heredoc()?.escapes;
        escapes.contains(letter).then_some(at)
    }),
    ("interpolates", |reading, at| reading.heredoc()?.interpolates.then_some(at)),
    ("in_code", |reading, at| (reading.last_remembered(at)? != "expression_start").then_some(at)),
];

/// What begins the names of conditions that are about a command of the prompt: `<:quit>`.
pub(super) const COMMAND: char = ':';

/// The names of all conditions but those about commands.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// Where reading goes on, if the condition of that name holds.
pub(super) fn read(name: &str, reading: &mut Reading<'_>, at: usize) -> Option<usize> {
    if let Some(command) = name.strip_prefix(COMMAND) {
        return after_command(command, reading, at);
    }
    let (_, condition) = TABLE.iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("`<{name}>`"));
    condition(reading, at)
}

/// Where the name of a command ends, or its short name, or as much of it as no other command begins with.
fn after_command(name: &str, reading: &Reading<'_>, at: usize) -> Option<usize> {
    let typed = reading.rest(at).split(char::is_whitespace).next()?;
    let mut others = reading.conditions().filter_map(|name| name.strip_prefix(COMMAND)).filter(|other| *other != name);
    let is_meant = match all_commands().find(|command| command.short_names.contains(&typed)) {
        Some(command) => command.name == name,
        None => typed == name || name.starts_with(typed) && !others.any(|other| other.starts_with(typed)),
    };
    is_meant.then_some(at + typed.len())
}

/// 2^63, which only a minus in front makes an Integer.
const LOWEST: u128 = 1 << 63;

/// The value of an integer literal; that of a float does not matter as long as there is one.
fn magnitude(literal: &str) -> Option<u128> {
    let integer = |digits: &str, radix| Some(u128::from_str_radix(digits, radix).unwrap_or(u128::MAX));
    if let Some(digits) = literal.strip_prefix("0x").or(literal.strip_prefix("0X")) {
        return integer(digits, 16);
    }
    if literal.contains(['.', 'e', 'E']) {
        return literal.parse::<f64>().ok().filter(|value| value.is_finite()).map(|_| 0);
    }
    integer(literal, if literal.starts_with('0') { 8 } else { 10 })
}

/// What `@(…)` says of the text that follows.
#[derive(Clone)]
pub(super) struct Announcement {
    pub(super) tag: String,
    pub(super) interpolates: bool,
    /// What stands after a backslash to make an escape.
    pub(super) escapes: String,
}

impl Announcement {
    /// Reads `@("END":json/t)`.
    fn read(text: &str) -> Announcement {
        let inside = text.trim_start_matches("@(").trim_end_matches(')');
        let (head, letters) = inside.split_once('/').map_or((inside, None), |(head, letters)| (head, Some(letters)));
        let tag = head.split(':').next().unwrap_or_default().trim();
        let quoted = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        let escapes = match letters.map(str::trim) {
            None => String::new(),
            Some("") => "tnrsuL$\\".to_owned(),
            Some(letters) => format!("{letters}\\"),
        };
        Announcement { tag: quoted.unwrap_or(tag).trim().to_owned(), interpolates: quoted.is_some(), escapes }
    }
}
