//! The settings of a console: `strict`, `width`, `format` … A row of the table defines a setting completely; `:set`,
//! `:help`, completion, the settings file and tests use the table.
//!
//! Settings are only stored here. The program that drives the session applies them before each entry.

use super::{Console, Error, Session, Strictness, Value};
use crate::wording::{nearest, unknown_name};
use crate::{data, format};

/// The settings of a console, except for the strictness, which belongs to its session.
#[derive(Clone, Debug)]
pub struct Settings {
    pub color: ColorChoice,
    pub theme: Theme,
    pub key_style: Keys,
    pub width: Limit,
    pub max_lines: Limit,
    pub format: ResultFormat,
    pub history_size: usize,
    pub prompt: String,
    pub is_timing_shown: bool,
    pub are_results_numbered: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            color: ColorChoice::Auto,
            theme: Theme::Auto,
            key_style: Keys::Emacs,
            width: Limit::Auto,
            max_lines: Limit::Auto,
            format: None,
            history_size: 10_000,
            prompt: ">>".to_owned(),
            is_timing_shown: false,
            are_results_numbered: false,
        }
    }
}

/// Defines enums for settings: each variant with its word and its meaning.
macro_rules! enum_settings {
    ($($(#[$about:meta])* $name:ident {
        $($(#[$default:meta])? $variant:ident $word:literal $meaning:literal,)+
    })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum $name {
            $($(#[$default])? #[doc = $meaning] $variant,)+
        }

        impl EnumSetting for $name {
            const WORDS: &'static [(&'static str, $name, &'static str)] = &[$(($word, $name::$variant, $meaning)),+];
        }
    )+};
}

enum_settings! {
    /// When to colour output.
    ColorChoice {
        #[default] Auto "auto" "If the output is a terminal and `NO_COLOR` is not set",
        Always "always" "Always",
        Never "never" "Never",
    }

    /// The background of the terminal, for which colours are chosen.
    Theme {
        #[default] Auto "auto" "As the terminal says in `COLORFGBG`, otherwise dark",
        Dark "dark" "For a dark background",
        Light "light" "For a light background",
    }

    /// The key bindings of the line editor.
    Keys {
        #[default] Emacs "emacs" "The keys of Emacs and of most shells",
        Vi "vi" "The keys of vi",
    }
}

/// A limit on the width or the number of lines of a result: `auto`, `off` or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Limit {
    /// The size of the terminal; no limit if output is not a terminal.
    #[default]
    Auto,
    Off,
    Fixed(usize),
}

/// The format of results, as the user wrote it and as a value; `None` for the default, `%p`.
pub type ResultFormat = Option<(String, Value)>;

#[derive(Debug)]
pub struct Setting {
    pub name: &'static str,
    pub values: Values,
    /// A summary on one line, lower case, without a full stop.
    pub summary: &'static str,
    get: fn(&Console) -> String,
    /// Sets the setting; returns `None` if the string is not a valid value.
    set: fn(&mut Console, &str) -> Option<()>,
}

/// The valid values of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    Words(fn() -> Vec<&'static str>),
    /// A number between two bounds, both inclusive, or one of the words.
    Number(usize, usize, &'static [&'static str]),
    /// A format of `String.new`.
    Format,
    Text,
}

impl Values {
    pub fn accepted_words(self) -> Vec<&'static str> {
        match self {
            Values::Words(words) => words(),
            Values::Number(_, _, words) => words.to_vec(),
            Values::Format | Values::Text => Vec::new(),
        }
    }

    /// Describes the valid values in words: `auto, always or never`.
    pub fn describe(self) -> String {
        let last = match self {
            Values::Words(_) => None,
            Values::Number(least, most, _) => Some(format!("a number from {least} to {most}")),
            Values::Format => Some("`json`, a format such as `%s` or a hash such as `{Integer => '%#x'}`".to_owned()),
            Values::Text => Some("a string on one line".to_owned()),
        };
        let mut choices: Vec<String> = self.accepted_words().into_iter().map(str::to_owned).chain(last).collect();
        let last = choices.pop().unwrap_or_default();
        if choices.is_empty() { last } else { format!("{} or {last}", choices.join(", ")) }
    }
}

const HISTORY_SIZES: Values = Values::Number(0, 1_000_000, &[]);

/// Builds the table of settings from rows `"name" "summary" { values, get, set }`. `{ words TYPE, field }` is short for
/// a setting that is an `EnumSetting`, `{ limit VALUES, field }` for one that is a `Limit`.
macro_rules! settings {
    (@row $name:literal $summary:literal words $word:ty, $($field:ident).+) => {
        settings!(@row $name $summary Values::Words(accepted_words::<$word>),
            |session| session.$($field).+.word().to_owned(),
            |session, word| <$word>::from_word(word).map(|value| session.$($field).+ = value))
    };
    (@row $name:literal $summary:literal limit $values:expr, $field:ident) => {
        settings!(@row $name $summary $values,
            |session| session.settings.$field.to_text(),
            |session, text| Limit::from_text(text, $values).map(|limit| session.settings.$field = limit))
    };
    (@row $name:literal $summary:literal $values:expr, $get:expr, $set:expr) => {
        Setting { name: $name, values: $values, summary: $summary, get: $get, set: $set }
    };
    ($($name:literal $summary:literal { $($row:tt)+ })+) => { &[$(settings!(@row $name $summary $($row)+)),+] };
}

/// Every setting, in the order of `:set`.
pub static TABLE: &[Setting] = settings! {
    "strict" "report what Puppet 8 rejects as an `error` or a `warning`, or accept it (`off`)" {
        words Strictness, strictness
    }
    "format" "format for results (`%p` = valid Puppet code, or `json`)" {
        Values::Format, |session| session.settings.format.as_ref().map_or("%p", |(written, _)| written).to_owned(), set_format
    }
    // In fewer columns nothing can be laid out.
    "width" "number of columns for results" { limit Values::Number(20, 1000, &["auto", "off"]), width }
    "lines" "maximum number of lines per result; `:full` shows all" {
        limit Values::Number(1, 100_000, &["auto", "off"]), max_lines
    }
    "color" "when to use colors; `auto` means on a terminal" { words ColorChoice, settings.color }
    "theme" "background of the terminal, for which colors are chosen" { words Theme, settings.theme }
    "keys" "editing keys: emacs or vi" { words Keys, settings.key_style }
    "history" "number of entries to keep in the history" {
        HISTORY_SIZES, |session| session.settings.history_size.to_string(),
        |session, text| parse_number(text, HISTORY_SIZES).map(|number| session.settings.history_size = number)
    }
    "prompt" "the prompt text" { Values::Text, |session| session.settings.prompt.clone(), set_prompt }
    "timing" "show how long each entry took" { words bool, settings.is_timing_shown }
    "numbers" "label results with their variables: `$_3 =>`" { words bool, settings.are_results_numbered }
};

impl Setting {
    /// Returns the current value, as the user writes it after `:set NAME`.
    pub fn value(&self, session: &Console) -> String {
        (self.get)(session)
    }

    pub fn default_value(&self) -> String {
        (self.get)(&Console::default())
    }
}

/// Returns the setting called `name`; the error suggests a similar name.
pub fn find_setting(name: &str) -> Result<&'static Setting, String> {
    let names = || TABLE.iter().map(|row| row.name);
    TABLE.iter().find(|row| row.name == name).ok_or_else(|| {
        let all = format!("settings are {}", names().collect::<Vec<_>>().join(", "));
        unknown_name("setting", name, nearest(name, names()), &all)
    })
}

impl Console {
    /// Sets the setting `name` to `value`, as the user writes it after `:set NAME`. The error lists the valid values.
    pub fn change_setting(&mut self, name: &str, value: &str) -> Result<(), String> {
        let row = find_setting(name)?;
        (row.set)(self, value).ok_or_else(|| {
            let near = nearest(value, row.values.accepted_words());
            let advice = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("expected {} for `{name}`, got `{value}`{advice}", row.values.describe())
        })
    }
}

/// A setting whose value is one of several words.
pub trait EnumSetting: Copy + PartialEq + 'static {
    /// The words in the order of help texts, each with its value and its meaning, a sentence without a full stop.
    const WORDS: &'static [(&'static str, Self, &'static str)];

    /// Returns the word of this value, such as `off`.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value, _)| *value == self).map_or("", |(word, ..)| word)
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, ..)| *known == word).map(|(_, value, _)| *value)
    }
}

fn accepted_words<W: EnumSetting>() -> Vec<&'static str> {
    W::WORDS.iter().map(|(word, ..)| *word).collect()
}

impl EnumSetting for bool {
    const WORDS: &'static [(&'static str, bool, &'static str)] = &[("off", false, "No"), ("on", true, "Yes")];
}

impl EnumSetting for Strictness {
    #[rustfmt::skip]
    const WORDS: &'static [(&'static str, Strictness, &'static str)] = &[
        ("off", Strictness::Off, "Accept everything the specification allows"),
        ("warning", Strictness::Warning, "Accept everything the specification allows, and warn where Puppet 8 does not"),
        ("error", Strictness::Error, "Reject whatever Puppet 8 rejects"),
    ];
}

impl Limit {
    fn from_text(text: &str, values: Values) -> Option<Limit> {
        match text {
            "auto" => Some(Limit::Auto),
            "off" => Some(Limit::Off),
            _ => parse_number(text, values).map(Limit::Fixed),
        }
    }

    fn to_text(self) -> String {
        match self {
            Limit::Auto => "auto".to_owned(),
            Limit::Off => "off".to_owned(),
            Limit::Fixed(number) => number.to_string(),
        }
    }
}

fn parse_number(text: &str, values: Values) -> Option<usize> {
    let Values::Number(least, most, _) = values else { return None };
    text.parse().ok().filter(|number| (least..=most).contains(number))
}

fn set_prompt(session: &mut Console, text: &str) -> Option<()> {
    let text = text.trim_matches(['\'', '"']).trim_end();
    let is_line = !text.is_empty() && !text.contains(char::is_control);
    is_line.then(|| text.clone_into(&mut session.settings.prompt))
}

fn set_format(session: &mut Console, written: &str) -> Option<()> {
    let value = session.parse_format(written).ok()?;
    // A format may be for some kinds of values only, but there has to be one.
    let kinds = ["1", "1.5", "'text'", "true", "undef", "[1]", "{a => 1}", "/x/", "Integer"];
    let mut samples = Session::default();
    let mut fits = |code: &str| samples.eval(code).is_ok_and(|sample| format_value(&sample, &value).is_ok());
    if !kinds.into_iter().any(&mut fits) {
        return None;
    }
    let usual = written == "%p";
    session.settings.format = (!usual).then(|| (written.to_owned(), value));
    Some(())
}

/// The name of the JSON format, which is not a format of `String.new`.
const JSON_FORMAT: &str = "json";

/// Formats a value with a format of `String.new`, or as JSON.
pub fn format_value(value: &Value, format: &Value) -> Result<String, Error> {
    if format.as_str() == Some(JSON_FORMAT) { data::to_json(value) } else { Ok(format::convert(value, format)?) }
}

impl Session {
    /// Parses a format that the user wrote: `%x` and `json` as a string, anything else as an expression.
    pub(super) fn parse_format(&mut self, written: &str) -> Result<Value, Error> {
        if written.starts_with('%') || written == JSON_FORMAT {
            return Ok(Value::from(written));
        }
        let source = self.next_entry_source(written);
        self.evaluate(&source, &mut |_| {})
    }
}
