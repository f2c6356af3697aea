//! The data of a mismatch and its messages: the path to a part of a value, the reason, and suggestions.

use std::fmt;

use crate::explain::difference::{describe_size_range, is_path_to_size};
use crate::format;
use crate::types::describe::{TypeDescriber, abbreviate_type, describe, describe_redacted, shorten};
use crate::types::{Size, Type};
use crate::value::{Hash, Value};
use crate::wording::pluralize;

/// The maximum characters of the line about a mismatch, which is shortened to it; with a prefix, a line has up to 200.
const MAX_LINE: usize = 180;

/// One step on the path from a value to a part of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a Hash, not its value.
    Key(Value),
    /// The value that belongs to a key of a Hash: `['port']`
    Entry(Value),
    /// An element of an Array at a position, counted from 0: `[2]`
    Element(usize),
    /// An attribute of an Object: `.port`
    Attribute(String),
    /// The content of a Sensitive: `.unwrap`
    Content,
    /// A part of a type or of a function that no expression can reach: `parameter 1`, `return type`
    Inside(String),
}

/// Writes the step as Puppet code that is appended to the code of the value: `['port']`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => write!(f, " key {}", format::program_text(key)),
            Step::Entry(key) => write!(f, "[{}]", format::program_text(key)),
            Step::Element(at) => write!(f, "[{at}]"),
            Step::Attribute(name) => write!(f, ".{name}"),
            Step::Content => f.write_str(".unwrap"),
            Step::Inside(part) => write!(f, " {part}"),
        }
    }
}

impl Step {
    fn name_in_path(&self) -> String {
        match self {
            Step::Key(key) | Step::Entry(key) => format::text(key),
            Step::Element(at) => at.to_string(),
            Step::Attribute(name) | Step::Inside(name) => name.clone(),
            Step::Content => "unwrap".to_owned(),
        }
    }
}

/// Returns a path as Puppet code that selects the part when appended to the whole value: `['hosts'][0]['port']`.
pub fn path_as_code(path: &[Step]) -> String {
    path.iter().map(ToString::to_string).collect()
}

/// Returns a path as code for the start of a line about the part, with a colon; empty for the whole value.
pub(in crate::explain) fn line_prefix(path: &str) -> String {
    let path = path.trim_start();
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

/// Returns a path as a JSON Pointer: `/hosts/0/port`.
///
/// Source: RFC 6901.
pub fn json_pointer(path: &[Step]) -> String {
    path.iter().flat_map(|step| ["/".to_owned(), step.name_in_path().replace('~', "~0").replace('/', "~1")]).collect()
}

/// Returns a path in the dotted form of Hiera and the function `get`: `hosts.0.port`. A name with a dot is quoted.
pub fn dotted(path: &[Step]) -> String {
    let quoted = |step: &Step| {
        let name = step.name_in_path();
        if name.contains('.') { format!("'{name}'") } else { name }
    };
    path.iter().map(quoted).collect::<Vec<_>>().join(".")
}

/// A kind of [`Reason`], with its meaning and an example.
#[derive(Clone, Copy, Debug)]
pub struct ReasonKind {
    /// The name in JSON, such as `missing_key`
    pub name: &'static str,
    /// A description in one line, lower case, without a full stop.
    pub meaning: &'static str,
    /// A comparison `VALUE =~ TYPE` that fails for a reason of this kind, run by the tests; empty if there is none
    pub example: &'static str,
}

macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $(($($part:ty),+))? => $name:ident $meaning:literal $example:literal;)+) => {
        /// The reason why a part does not match.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])+ $variant $(($($part),+))?,)+
        }

        /// All kinds of reasons.
        pub const KINDS: &[ReasonKind] =
            &[$(ReasonKind { name: stringify!($name), meaning: $meaning, example: $example }),+];

        impl Reason {
            /// Returns the name of the kind in JSON, one of [`KINDS`].
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Reason::$variant { .. } => stringify!($name),)+
                }
            }
        }
    };
}

reasons! {
    /// `expected Integer, got String 'a'`
    Type => type "the value is of another type" "'80' =~ Integer";
    /// `expected Integer[1, 10], got Integer 11`
    Range => range "the value is outside of the range" "11 =~ Integer[1, 10]";
    /// `expected Enum['a', 'b'], got String 'c'`
    Enum => enum "the string is not one of the listed ones" "'Present' =~ Enum['present', 'absent']";
    /// `expected Pattern[/\Aab\z/], got String 'ac'`, and how far the string matches: `stops matching at 'c' (character 2)`
    Pattern(Option<String>) => pattern "the string does not match any of the regular expressions" "'web-x' =~ Pattern[/\\A[a-z]+-\\d+\\z/]";
    /// `expected Init[Integer], got String 'a', which cannot be converted`, or why it cannot: `expected Init[Integer]: cannot
    /// convert String 'a' to Integer`
    Conversion(Option<String>) => conversion "the type cannot be created from the value" "'x' =~ Init[Integer]";
    /// `3 characters, at least 5 required`
    Length(Size) => length "the string is too short or too long" "'abc' =~ String[5]";
    /// `4 elements, at most 3 allowed`
    Size(Size) => size "the collection has too few or too many elements" "[1, 2, 3] =~ Array[Integer, 0, 2]";
    /// `missing key 'port'`
    MissingKey(String) => missing_key "a required key is missing" "{} =~ Struct[{port => Integer}]";
    /// `unknown key 'prot'`, followed by the keys of the Struct that the Hash does not have
    UnknownKey(Value) => unknown_key "the key is not one of the members" "{port => 1, more => 2} =~ Struct[{port => Integer}]";
    /// `unknown key 'prot'; did you mean 'port'?`: the unknown key is similar to a missing one.
    MisspelledKey(Value, String) => misspelled_key "the key is not one of the members, but similar to one that is missing" "{prot => 1} =~ Struct[{port => Integer}]";
    /// `expected one of 3 types, got …`: no branch of a Variant is closer than the others.
    Branch => branch "the value matches no branch of a Variant" "default =~ Variant[Integer, String]";
    /// No value at all matches the type.
    Empty => empty "no value matches the type" "1 =~ NotUndef[Undef]";
    /// The expected type is unknown, such as an alias that is not defined.
    Unresolved => unresolved "the type is unknown" "";
    /// Parts of the value do not match: their mismatches are the [`Mismatch::causes`].
    Parts => parts "parts of the value do not match" "[{a => 'x'}] =~ Array[Hash[String, Integer]]";
}

impl Reason {
    /// Returns the description of the kind of this reason, in one line.
    pub fn describe_kind(&self) -> &'static str {
        KINDS.iter().find(|kind| kind.name == self.kind()).map_or("", |kind| kind.meaning)
    }

    /// Whether the reason adds anything to the message "expected this type, got that value".
    pub(crate) fn says_more_than_types(&self) -> bool {
        !matches!(
            self,
            Reason::Type
                | Reason::Range
                | Reason::Enum
                | Reason::Pattern(None)
                | Reason::Conversion(None)
                | Reason::Branch
        )
    }
}

/// A change that makes a part match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// Write this value instead of the part.
    Value(Value),
    /// Write this key instead of the unknown one.
    Key(String),
    /// Write this type instead of the expected one.
    Type(Type),
}

/// A replacement for a part of a value that does not match. With it the part is known to match the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The words of the suggestion in a message: `Integer('80') would match`
    pub text: String,
    /// The change that the suggestion describes.
    pub repair: Repair,
    /// Whether the suggestion is Puppet code, such as `Integer('80')`, which is useless in a data file.
    pub is_code: bool,
}

/// A value, or a part of a value, that does not match a type, with the reason, the causes and suggestions.
///
/// ```
/// use pcore::{Session, Type, explain::mismatch::dotted};
/// let hosts: Type = "Hash[String, Struct[{port => Integer}]]".parse()?;
/// let mismatch = hosts.check(&Session::default().eval("{'web' => {'port' => '80'}}")?).unwrap_err();
/// let leaf = mismatch.leaves()[0];
/// assert_eq!((dotted(&leaf.path), leaf.problem()), ("web.port".into(), "expected Integer, got String '80'".into()));
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The path from the whole value to the part, or to the missing or unknown key; empty for the whole value.
    pub path: Vec<Step>,
    /// The path from the whole type to the expected type: `['hosts'] element`, `branch 2`.
    pub within: Vec<Step>,
    /// The expected type as it was written, which may be an alias.
    pub expected: Type,
    /// The part that does not match; for a missing or unknown key, the Hash.
    pub found: Value,
    /// Whether `found` must not be shown, because it is inside of a Sensitive or should be one.
    pub(super) is_secret: bool,
    /// The reason why the part does not match.
    pub reason: Reason,
    /// The mismatches of nested parts, if these are the reason.
    pub causes: Vec<Mismatch>,
    /// The mismatches with the branches of a Variant other than the one that this mismatch explains.
    pub branches: Vec<Mismatch>,
    /// Whether this is about a branch of a Variant that was not meant, judging by the tags or the kind of the value.
    pub is_ruled_out: bool,
    /// Suggestions of what to write instead, the most likely first.
    pub suggestions: Vec<Suggestion>,
}

impl Mismatch {
    /// Returns the innermost mismatches, which have no further causes, in the order of the value.
    pub fn leaves(&self) -> Vec<&Mismatch> {
        if self.causes.is_empty() { vec![self] } else { self.causes.iter().flat_map(Mismatch::leaves).collect() }
    }

    /// Returns the leaves, but without missing keys where the message about an unknown key lists these.
    pub(crate) fn leaves_to_report(&self) -> Vec<&Mismatch> {
        if self.causes.is_empty() {
            return vec![self];
        }
        let is_unknown = |cause: &Mismatch| matches!(cause.reason, Reason::UnknownKey(_));
        let names_missing = self.causes.iter().any(is_unknown);
        let is_told = |cause: &&Mismatch| names_missing && matches!(cause.reason, Reason::MissingKey(_));
        self.causes.iter().filter(|cause| !is_told(cause)).flat_map(Mismatch::leaves_to_report).collect()
    }

    /// Returns the mismatches with other branches that may have been meant, those of the outermost Variant first.
    pub fn other_possible_branches(&self) -> Vec<&Mismatch> {
        let possible = self.branches.iter().filter(|branch| !branch.is_ruled_out);
        possible.chain(self.causes.iter().flat_map(Mismatch::other_possible_branches)).collect()
    }

    pub(super) fn change_each_leaf(&mut self, change: &mut impl FnMut(&mut Mismatch)) {
        if self.causes.is_empty() {
            change(self);
        }
        self.causes.iter_mut().for_each(|cause| cause.change_each_leaf(change));
    }

    /// Returns the path to the value `found`, which is the Hash if a key is missing or unknown.
    pub fn path_to_found(&self) -> &[Step] {
        match self.reason {
            Reason::MissingKey(_) | Reason::UnknownKey(_) | Reason::MisspelledKey(..) => {
                self.path.split_last().map_or(&[], |(_, place)| place)
            }
            _ => &self.path,
        }
    }

    /// Returns the whole value with a suggestion for this part applied; `None` if the suggestion is about the type.
    pub fn apply_suggestion(&self, whole: &Value, suggestion: &Suggestion) -> Option<Value> {
        self.apply_suggestion_below(0, whole, suggestion)
    }

    /// Returns `part`, `depth` steps below the whole value, with `suggestion` applied; `None` for one about the type.
    pub(super) fn apply_suggestion_below(&self, depth: usize, part: &Value, suggestion: &Suggestion) -> Option<Value> {
        let path = self.path.get(depth..)?;
        match &suggestion.repair {
            Repair::Value(value) => with_part_replaced(part, path, value),
            Repair::Key(key) => with_part_replaced(part, path, &key.as_str().into()),
            Repair::Type(_) => None,
        }
    }

    pub(crate) fn is_plain_type_mismatch(&self) -> bool {
        self.causes.is_empty() && !self.reason.says_more_than_types()
    }

    /// Whether the expected type, or a branch of it, is unknown, so that it might accept the value.
    pub(crate) fn has_unresolved_type(&self) -> bool {
        self.expected.alternatives().iter().any(|type_| matches!(type_, Type::TypeReference(_)))
    }

    pub(crate) fn unhidden_found(&self) -> &Value {
        match &self.found {
            Value::Sensitive(content) if self.is_secret => content,
            found => found,
        }
    }

    fn describe_found(&self) -> String {
        match &self.found {
            Value::Sensitive(content) if self.is_secret => describe_redacted(content),
            found => describe(found),
        }
    }

    /// Returns the message about this part, without the path and without suggestions.
    pub fn problem(&self) -> String {
        self.describe_problem(&mut TypeDescriber::default())
    }

    fn describe_problem(&self, names: &mut TypeDescriber) -> String {
        /// The maximum length of a type (else shortened) in a message that says how far a regular expression matches.
        const MAX_PATTERN_TYPE_CHARACTERS: usize = 40;
        let (detail, expected) = (self.reason_detail(), &self.expected);
        match &self.reason {
            Reason::Type
                if is_path_to_size(&self.path)
                    && let Value::Type(found) = &self.found =>
            {
                format!("expected {}, got {}", describe_size_range(expected), describe_size_range(found))
            }
            Reason::MissingKey(name) => format!("missing key '{name}' of type {}", names.describe_type(expected)),
            Reason::Empty => format!("no value is of type {}", names.describe_type(expected)),
            Reason::Unresolved => format!("the type {} is unknown", abbreviate_type(expected, names.max_characters)),
            Reason::Size(_) | Reason::UnknownKey(_) | Reason::MisspelledKey(..) => detail.unwrap_or_default(),
            Reason::Conversion(Some(problem)) => format!("expected {}: {problem}", names.describe_expected(expected)),
            Reason::Conversion(None) => {
                let expected = names.describe_expected(expected);
                format!("expected {expected}, got {}, which cannot be converted", self.describe_found())
            }
            _ => {
                let whole = names.max_characters;
                if matches!(self.reason, Reason::Pattern(Some(_))) {
                    names.max_characters = whole.min(MAX_PATTERN_TYPE_CHARACTERS);
                }
                let expected = names.describe_expected(expected);
                names.max_characters = whole;
                let detail = detail.map(|detail| format!(": {detail}")).unwrap_or_default();
                format!("expected {expected}, got {}{detail}", self.describe_found())
            }
        }
    }

    /// Returns the reason in words for a reader who knows the expected type and the value; `None` if it adds nothing.
    pub(super) fn additional_reason(&self) -> Option<String> {
        self.reason.says_more_than_types().then(|| self.reason_detail().unwrap_or_else(|| self.problem()))
    }

    fn reason_detail(&self) -> Option<String> {
        match &self.reason {
            Reason::Pattern(partial) => partial.clone(),
            Reason::Conversion(problem) => problem.clone(),
            Reason::Length(size) | Reason::Size(size) => {
                let (count, thing) = match &self.found {
                    Value::String(text) => (text.chars().count(), "character"),
                    Value::Hash(hash) => (hash.len(), "entry"),
                    Value::Array(array) => (array.len(), "element"),
                    _ => (0, "element"),
                };
                let bound = if usize::try_from(size.from()).is_ok_and(|from| count < from) {
                    format!("at least {} required", size.from())
                } else {
                    format!("at most {} allowed", size.to())
                };
                Some(format!("{}, {bound}", pluralize(count, thing)))
            }
            Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => {
                let unset = if self.suggestions.is_empty() { self.list_keys_not_set() } else { String::new() };
                Some(format!("unknown key {}{unset}", format::program_text(key)))
            }
            _ => None,
        }
    }

    /// Lists, in parentheses, the keys that the Hash lacks: the required ones or, if none of them, the optional ones.
    fn list_keys_not_set(&self) -> String {
        const MAX_LISTED_KEYS: usize = 5;
        let (Type::Struct(members), Value::Hash(hash)) = (&*self.expected.behind_aliases(), &self.found) else {
            return String::new();
        };
        let unset = members.members().iter().filter(|member| hash.get(member.key()).is_none());
        let (missing, optional): (Vec<_>, Vec<_>) = unset.partition(|member| member.is_required());
        let (what, keys) = if missing.is_empty() { ("not set", optional) } else { ("missing", missing) };
        let listed = keys.iter().take(MAX_LISTED_KEYS).map(|member| format::program_text(member.key()));
        let listed = listed.collect::<Vec<_>>().join(", ");
        match keys.len() {
            0 => String::new(),
            1..=MAX_LISTED_KEYS => format!(" ({what}: {listed})"),
            count => format!(" ({what}: {listed}, … {} more)", count - MAX_LISTED_KEYS),
        }
    }

    /// Returns one line with path, problem and first suggestion; shortens the type first if the line is too long.
    pub(super) fn to_line(&self, names: &mut TypeDescriber) -> String {
        let path = path_as_code(self.path_to_found());
        let path = line_prefix(&shorten(path.trim_start(), MAX_LINE / 3));
        let suggestion = self.suggestions.first().map(|suggestion| format!("; {}", suggestion.text));
        let suggestion = suggestion.unwrap_or_default();
        let room = MAX_LINE.saturating_sub(path.chars().count() + suggestion.chars().count()).max(MAX_LINE / 2);
        let known = names.shown_aliases.clone();
        let mut problem = self.describe_problem(names);
        let excess = problem.chars().count().saturating_sub(room);
        if excess > 0 {
            let characters = names.max_characters.saturating_sub(excess).max(MAX_LINE / 6);
            problem = self.describe_problem(&mut TypeDescriber { shown_aliases: known, max_characters: characters });
        }
        format!("{path}{}{suggestion}", shorten(&problem, room))
    }
}

/// Returns `value` with the part at `path` (a value, or a key if the path ends at one) replaced by `by`. Hashes grow by
/// the entries on the path that they lack. `None` if there is no such path.
pub(crate) fn with_part_replaced(value: &Value, path: &[Step], by: &Value) -> Option<Value> {
    let Some((step, rest)) = path.split_first() else { return Some(by.clone()) };
    match (step, value) {
        (Step::Element(at), Value::Array(elements)) => {
            let mut elements = elements.to_vec();
            let part = elements.get_mut(*at)?;
            *part = with_part_replaced(part, rest, by)?;
            Some(Value::from(elements))
        }
        (Step::Entry(wanted), Value::Hash(entries)) => {
            let (mut entries, nothing) = (entries.clone(), Value::Hash(Hash::default()));
            let part = with_part_replaced(entries.get(wanted).unwrap_or(&nothing), rest, by)?;
            entries.insert(wanted.clone(), part);
            Some(Value::Hash(entries))
        }
        (Step::Key(wrong), Value::Hash(entries)) => {
            let key = with_part_replaced(wrong, rest, by)?;
            let entries = entries.iter().map(|(name, value)| (if name == wrong { &key } else { name }, value));
            Some(Value::Hash(entries.map(|(name, value)| (name.clone(), value.clone())).collect()))
        }
        _ => None,
    }
}

/// Writes the mismatch as one line: `['port']: expected Integer, got String '80'; Integer('80') would match`
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_line(&mut TypeDescriber::default()))
    }
}
