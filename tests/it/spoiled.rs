//! Explanations of generated values, each spoiled at one known place.
//!
//! A [`Case`] is a type, a value of it, and the same value with one part that is wrong. Cases are built from the inside out:
//! a container takes the cases of a part, and adds its own (a missing key, one element too many).

#![allow(clippy::print_stdout, reason = "a test that samples prints how often it held")]

use std::collections::BTreeMap;

use pcore::explain::mismatch::{Mismatch, Reason, Repair, Step, Suggestion, explain, path_as_code};
use pcore::session::Session;
use pcore::types::Type;
use pcore::value::{Hash, Value};

/// How many spoiled values are explained.
const CASES: usize = 4_000;

/// A generator of numbers that gives the same ones in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Below `end`. Source: "`SplitMix64`", Steele, Lea and Flood 2014.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((bits ^ (bits >> 31)) % end as u64).unwrap()
    }

    pub(crate) fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// What a suggestion is expected to repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    Other,
    QuotedNumber,
    Enum,
    Key,
    Brackets,
}

/// What is above the spoiled place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Below {
    NoVariant,
    Discriminated,
    SameKeys,
    OtherVariant,
}

/// A value with one wrong part.
#[derive(Clone, Debug)]
struct Spoiled {
    value: Value,
    path: Vec<Step>,
    slip: Slip,
    below: Below,
}

/// A type with a value that matches and some that do not.
#[derive(Clone, Debug)]
struct Case {
    type_: Type,
    value: Value,
    spoiled: Vec<Spoiled>,
}

impl Case {
    /// A type without parts.
    fn leaf(type_: Type, value: impl Into<Value>, wrong: Vec<(Value, Slip)>) -> Case {
        let spoiled = wrong.into_iter().map(|(value, slip)| at_top(value, slip)).collect();
        Case { type_, value: value.into(), spoiled }
    }

    /// The spoiled values as parts of a larger value, one step further down.
    fn lifted(&self, step: &Step, whole: impl Fn(Value) -> Value) -> Vec<Spoiled> {
        let lift = |spoiled: &Spoiled| Spoiled {
            value: whole(spoiled.value.clone()),
            path: std::iter::once(step.clone()).chain(spoiled.path.clone()).collect(),
            ..spoiled.clone()
        };
        self.spoiled.iter().map(lift).collect()
    }

    fn below(mut self, below: Below) -> Case {
        for spoiled in &mut self.spoiled {
            spoiled.below = spoiled.below.max(below);
        }
        self
    }
}

fn at_top(value: Value, slip: Slip) -> Spoiled {
    Spoiled { value, path: Vec::new(), slip, below: Below::NoVariant }
}

fn type_(name: &str, arguments: &[Value]) -> Type {
    let type_ = Type::named(name).unwrap();
    if arguments.is_empty() { type_ } else { type_.with_arguments(arguments).unwrap() }
}

fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Value::Hash(entries.into_iter().collect::<Hash>())
}

/// Types that programs define, each with a value and wrong ones.
fn defined() -> Vec<Case> {
    let code = "type Port = Integer[1, 65535]
        type Mode = Enum['active', 'passive']
        type Server = Struct[{name => String[1], port => Port}]
        type Servers = Array[Server]
        type Tree = Variant[Integer, Array[Tree]]
        type Point = Object[{attributes => {x => Integer, y => {type => Integer, value => 0}}}]
        [
            [Port, 80, [0, 65536, true]],
            [Mode, 'active', [undef, 1]],
            [Tree, [1, [2]], ['x']],
            [Point, Point(1), [1, 'x']],
            [SemVer['>=1.0.0'], SemVer('1.2.3'), [SemVer('0.1.0'), 1]],
            [Timestamp, Timestamp('2020-01-01'), [true]],
            [Timespan, Timespan(5), ['soon', true]],
            [Timespan[1, 10], Timespan(5), [Timespan(50)]],
            [Binary, Binary('YQ=='), ['YQ==']],
            [Regexp, /a/, ['a']],
            [Sensitive[Integer], Sensitive(1), [1, Sensitive('x')]],
            [Type[Integer], Integer[1, 2], [String, 1]],
            [Type, Integer, [1, 'Integer']],
            [Iterable[Integer], [1, 2], [true]],
            [Init[Integer], '12', ['x']],
            [URI, URI('http://a.example/'), [1]],
            [SemVerRange, SemVerRange('1.x'), [1]],
            [Default, default, [1]],
            [Undef, undef, [1, 'x']],
            [Collection[1, 3], [1], [[], [1, 2, 3, 4]]],
            [NotUndef, 1, [undef]],
            [Scalar, 1, [undef, [1]]],
            [ScalarData, 'a', [undef, /a/]],
            [Numeric, 1.5, [true, undef]],
            [Data, [1, {'a' => 'b'}], [/a/, default]],
            [Enum['on', 'off', true], 'ON', ['maybe', 1]],
            [Type[File], File['/a'], [Integer, 'a']],
            [Type[Class], Class['a'], [File['/a'], 1]],
            [Regexp[/a/], /a/, [/b/, 'b']],
            [Boolean[true], true, [false, 1]],
            [Sensitive, Sensitive(1), ['x', 1]],
            [Deferred, Deferred('f', []), ['f', 1]],
            [Optional['on'], 'on', ['quite another', 1]],
        ]";
    let Value::Array(rows) = Session::default().eval(code).unwrap() else { panic!("an array") };
    let case = |row: &Value| {
        let Value::Array(row) = row else { panic!("{row}") };
        let [Value::Type(type_), value, Value::Array(wrong)] = &row[..] else { panic!("{row:?}") };
        let wrong = wrong.iter().map(|value| (value.clone(), Slip::Other)).collect();
        Case::leaf(type_.clone(), value.clone(), wrong)
    };
    rows.iter().map(case).collect()
}

struct Generator {
    dice: Dice,
    defined: Vec<Case>,
}

impl Generator {
    fn leaf(&mut self) -> Case {
        let quoted = |number: i64| (Value::from(number.to_string()), Slip::QuotedNumber);
        let other = |value: Value| (value, Slip::Other);
        match self.dice.below(8) {
            0 => {
                let from = i64::try_from(self.dice.below(100)).unwrap();
                let range = type_("Integer", &[from.into(), (from + 50).into()]);
                let wrong =
                    vec![quoted(from + 7), other((from - 1).into()), other((from + 51).into()), other(true.into())];
                Case::leaf(range, from + 3, wrong)
            }
            1 => {
                let wrong = vec![(Value::from("2.5"), Slip::QuotedNumber), other(5.5.into()), other(Value::Undef)];
                Case::leaf(type_("Float", &[0.into(), 5.into()]), 1.5, wrong)
            }
            2 => {
                let sized = type_("String", &[3.into(), 8.into()]);
                Case::leaf(sized, "mellon", vec![other("no".into()), other("much too long".into()), other(true.into())])
            }
            3 => {
                let names = self.dice.one_of(&[["present", "absent"], ["running", "stopped"], ["tcp4", "udp6"]]);
                let listed = type_("Enum", &names.map(Value::from));
                let mut letters: Vec<char> = names[0].chars().collect();
                letters.remove(letters.len() - 2);
                let wrong = [names[0].to_uppercase(), format!(" {}", names[1]), letters.into_iter().collect()];
                let mut wrong: Vec<_> = wrong.into_iter().map(|text| (Value::from(text), Slip::Enum)).collect();
                wrong.extend([other("quite another".into()), other(1.into())]);
                Case::leaf(listed, names[0], wrong)
            }
            4 => {
                let pattern = type_("Pattern", &["\\A[a-z]+-\\d+\\z".into()]);
                Case::leaf(pattern, "abc-12", vec![other("abc".into()), other("abc-x".into()), other(Value::Undef)])
            }
            5 => Case::leaf(type_("Boolean", &[]), true, vec![other(1.into()), other("maybe".into())]),
            _ => {
                let at = self.dice.below(self.defined.len());
                self.defined[at].clone()
            }
        }
    }

    fn case(&mut self, depth: usize) -> Case {
        if depth == 0 {
            return self.leaf();
        }
        match self.dice.below(16) {
            12..=15 => self.same_keys(depth),
            0 => self.leaf(),
            1 => self.array(depth),
            2 => self.tuple(depth),
            3 => self.hash(depth),
            4..=6 => self.record(depth),
            7 => {
                let inner = self.case(depth - 1);
                let type_ = type_("Optional", &[Value::Type(inner.type_)]);
                Case { type_, ..inner }
            }
            8 => {
                let mut inner = self.case(depth - 1);
                if inner.value == Value::Undef {
                    return inner;
                }
                inner.spoiled.push(at_top(Value::Undef, Slip::Other));
                Case { type_: type_("NotUndef", &[Value::Type(inner.type_)]), ..inner }
            }
            9 | 10 => self.told_apart(depth),
            _ => self.alike(depth),
        }
    }

    fn array(&mut self, depth: usize) -> Case {
        let inner = self.case(depth - 1);
        let type_ = type_("Array", &[Value::Type(inner.type_.clone()), 1.into(), 4.into()]);
        let at = self.dice.below(3);
        let with = |value: Value| {
            let mut elements = vec![inner.value.clone(); 3];
            elements[at] = value;
            Value::from(elements)
        };
        let mut spoiled = inner.lifted(&Step::Element(at), with);
        spoiled.push(at_top(Value::from(Vec::<Value>::new()), Slip::Other));
        spoiled.push(at_top(Value::from(vec![inner.value.clone(); 5]), Slip::Other));
        if !matches!(inner.value, Value::Array(_) | Value::Undef | Value::Default) {
            spoiled.push(at_top(inner.value.clone(), Slip::Brackets));
        }
        Case { value: Value::from(vec![inner.value.clone(); 3]), spoiled, type_ }
    }

    fn tuple(&mut self, depth: usize) -> Case {
        let (inner, beside) = (self.case(depth - 1), self.leaf());
        let is_first = self.dice.below(2) == 0;
        let pair = |value: Value| {
            Value::from(if is_first { vec![value, beside.value.clone()] } else { vec![beside.value.clone(), value] })
        };
        let types = [&inner.type_, &beside.type_].map(|type_| Value::Type(type_.clone()));
        let [first, second] = types;
        let type_ = type_("Tuple", &if is_first { [first, second] } else { [second, first] });
        let mut spoiled = inner.lifted(&Step::Element(usize::from(!is_first)), pair);
        spoiled
            .push(at_top(Value::from(vec![if is_first { &inner.value } else { &beside.value }.clone()]), Slip::Other));
        Case { value: pair(inner.value.clone()), spoiled, type_ }
    }

    fn hash(&mut self, depth: usize) -> Case {
        let inner = self.case(depth - 1);
        let key = Value::from(self.dice.one_of(&["web", "db", "a/b"]));
        let type_ = type_("Hash", &[Value::Type(type_("String", &[1.into()])), Value::Type(inner.type_.clone())]);
        let whole = |value: Value| hash([(Value::from("other"), inner.value.clone()), (key.clone(), value)]);
        Case { value: whole(inner.value.clone()), spoiled: inner.lifted(&Step::Entry(key.clone()), whole), type_ }
    }

    /// A Struct with the members given and one or two more.
    fn record_with(&mut self, mut members: Vec<(&str, Case)>, depth: usize) -> Case {
        let names = ["name", "port", "owner", "retries", "description"];
        for _ in 0..=self.dice.below(2) {
            let name = self.dice.one_of(&names);
            if members.iter().all(|(known, _)| *known != name) {
                let case = self.case(depth - 1);
                members.push((name, case));
            }
        }
        let types = members.iter().map(|(name, case)| (Value::from(*name), Value::Type(case.type_.clone())));
        let type_ = type_("Struct", &[hash(types)]);
        let good: Vec<(Value, Value)> =
            members.iter().map(|(name, case)| ((*name).into(), case.value.clone())).collect();
        let mut spoiled = Vec::new();
        for (at, (name, case)) in members.iter().enumerate() {
            let with = |value: Value| {
                let mut entries = good.clone();
                entries[at].1 = value;
                hash(entries)
            };
            spoiled.extend(case.lifted(&Step::Entry((*name).into()), with));
            let without = |renamed: Option<&str>| {
                let mut entries = good.clone();
                match renamed {
                    Some(name) => entries[at].0 = name.into(),
                    None => {
                        entries.remove(at);
                    }
                }
                hash(entries)
            };
            spoiled.push(at_top(without(None), Slip::Other));
            spoiled.push(at_top(without(Some(&format!("{}{}", name[..1].to_uppercase(), &name[1..]))), Slip::Key));
        }
        spoiled.push(at_top(hash(good.iter().cloned().chain([("quite_new".into(), 1.into())])), Slip::Other));
        Case { type_, value: hash(good), spoiled }
    }

    fn record(&mut self, depth: usize) -> Case {
        let first = self.case(depth - 1);
        self.record_with(vec![("value", first)], depth)
    }

    fn variant(&mut self, mut cases: Vec<Case>) -> Case {
        let types: Vec<Value> = cases.iter().map(|case| Value::Type(case.type_.clone())).collect();
        let meant = self.dice.below(cases.len());
        Case { type_: type_("Variant", &types), ..cases.swap_remove(meant) }
    }

    /// A Variant whose branches have a key or an element that tells them apart, or are of different kinds.
    fn told_apart(&mut self, depth: usize) -> Case {
        // What tells them apart may be wrong itself: none of what the branches list, or a slip of one of them.
        let tag = |name: &str| {
            let wrong = vec![(name.to_uppercase().into(), Slip::Enum), ("another".into(), Slip::Other)];
            Case::leaf(type_("Enum", &[name.into()]), name, wrong)
        };
        let case = match self.dice.below(3) {
            0 => {
                let cases = ["cat", "dog", "fish"].map(|name| {
                    let first = self.case(depth - 1);
                    self.record_with(vec![("kind", tag(name)), ("value", first)], depth)
                });
                // Without its kind, or with another name for it, a value may be meant for any branch.
                let keeps_kind = |spoiled: &Spoiled| match &spoiled.value {
                    Value::Hash(entries) => !spoiled.path.is_empty() || entries.get_str("kind").is_some(),
                    _ => true,
                };
                let cases = cases.into_iter().map(|mut case| {
                    case.spoiled.retain(keeps_kind);
                    case
                });
                self.variant(cases.collect())
            }
            1 => {
                let cases = ["tcp", "unix"].map(|name| {
                    let (tag, second) = (tag(name), self.case(depth - 1));
                    let pair = |value: Value| Value::from(vec![name.into(), value]);
                    let tagged = |tag: Value| Value::from(vec![tag, second.value.clone()]);
                    let mut spoiled = second.lifted(&Step::Element(1), pair);
                    spoiled.extend(tag.lifted(&Step::Element(0), tagged));
                    let type_ = type_("Tuple", &[Value::Type(tag.type_), Value::Type(second.type_.clone())]);
                    Case { type_, value: pair(second.value.clone()), spoiled }
                });
                self.variant(cases.into())
            }
            _ => {
                let cases = vec![self.array(depth), self.record(depth)];
                let mut case = self.variant(cases);
                // Another kind of value altogether is wrong for every branch.
                case.spoiled.retain(|spoiled| matches!(spoiled.value, Value::Array(_) | Value::Hash(_)));
                case
            }
        };
        case.below(Below::Discriminated)
    }

    /// A Variant whose branches have the same keys (or elements) and differ in a tag: a word, one of two words, a Boolean, a
    /// number, a word in a hash of its own; or in a word that the last branch leaves open.
    fn same_keys(&mut self, depth: usize) -> Case {
        let style = self.dice.below(7);
        let count = if style == 2 { 2 } else { 3 };
        let cases = (0..count).map(|branch| {
            let words = [["local", "file"], ["http", "https"], ["git", "hg"]][branch];
            let word_tag = |words: &[&str]| {
                let wrong = vec![(words[0].to_uppercase().into(), Slip::Enum), ("another".into(), Slip::Other)];
                let listed: Vec<Value> = words.iter().map(|word| Value::from(*word)).collect();
                Case::leaf(type_("Enum", &listed), words[0], wrong)
            };
            let tag = match style {
                1 => word_tag(&words),
                2 => Case::leaf(type_("Boolean", &[(branch == 0).into()]), branch == 0, vec![]),
                3 => {
                    let number = Value::from(i64::try_from(branch).unwrap());
                    Case::leaf(type_("Integer", &[number.clone(), number.clone()]), number, vec![])
                }
                4 => self.nested_tag(word_tag(&words[..1])),
                5 if branch == 2 => Case::leaf(type_("String", &[1.into()]), "any", vec![]),
                5 => Case { spoiled: Vec::new(), ..word_tag(&words[..1]) },
                _ => word_tag(&words[..1]),
            };
            let modes = [["tcp", "udp"], ["yes", "no"], ["on", "off"]][branch].map(Value::from);
            let wrong = ["nox", "tcpp", "offf", "ys"].map(|text| (Value::from(text), Slip::Other));
            let mode = Case::leaf(type_("Enum", &modes), modes[1].clone(), wrong.into());
            let other = if depth > 1 && self.dice.below(4) == 0 { self.case(depth - 2) } else { self.leaf() };
            if style == 6 {
                return row(&[tag, mode, other]);
            }
            let mut record = record(&[("kind", tag), ("mode", mode), ("other", other)]);
            record.spoiled.retain(|spoiled| !spoiled.path.is_empty());
            record
        });
        let cases = cases.collect();
        self.variant(cases).below(Below::SameKeys)
    }

    fn nested_tag(&mut self, tag: Case) -> Case {
        let more = self.leaf();
        let mut nested = record(&[("type", tag), ("more", more)]);
        nested.spoiled.retain(|spoiled| !spoiled.path.is_empty());
        nested
    }

    /// A Variant of records that nothing tells apart but how well they fit.
    fn alike(&mut self, depth: usize) -> Case {
        let cases = ["listen", "socket"].map(|name| {
            let (first, second) = (self.case(depth - 1), self.case(depth - 1));
            self.record_with(vec![("value", first), (name, second)], depth)
        });
        self.variant(cases.into()).below(Below::OtherVariant)
    }
}

/// A Struct with these members alone; its spoiled values are those of the members.
fn record(members: &[(&str, Case)]) -> Case {
    let types = members.iter().map(|(name, case)| (Value::from(*name), Value::Type(case.type_.clone())));
    let type_ = type_("Struct", &[hash(types)]);
    let good: Vec<(Value, Value)> = members.iter().map(|(name, case)| ((*name).into(), case.value.clone())).collect();
    let of_member = |(at, (name, case)): (usize, &(&str, Case))| {
        case.lifted(&Step::Entry((*name).into()), |value| {
            let mut entries = good.clone();
            entries[at].1 = value;
            hash(entries)
        })
    };
    let spoiled = members.iter().enumerate().flat_map(of_member).collect();
    Case { type_, value: hash(good.clone()), spoiled }
}

/// A Tuple of these elements; its spoiled values are those of the elements.
fn row(elements: &[Case]) -> Case {
    let types: Vec<Value> = elements.iter().map(|case| Value::Type(case.type_.clone())).collect();
    let good: Vec<Value> = elements.iter().map(|case| case.value.clone()).collect();
    let of_element = |(at, case): (usize, &Case)| {
        case.lifted(&Step::Element(at), |value| {
            let mut elements = good.clone();
            elements[at] = value;
            Value::from(elements)
        })
    };
    let spoiled = elements.iter().enumerate().flat_map(of_element).collect();
    Case { type_: type_("Tuple", &types), value: Value::from(good.clone()), spoiled }
}

/// How often something went right.
#[derive(Default)]
struct Tally {
    right: usize,
    of: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn count(&mut self, is_right: bool, told: impl FnOnce() -> String) {
        self.of += 1;
        if is_right {
            self.right += 1;
        } else if self.wrong.len() < 12 {
            self.wrong.push(told());
        }
    }

    fn percent(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let percent = 100.0 * self.right as f64 / self.of.max(1) as f64;
        percent
    }
}

fn told(type_: &Type, spoiled: &Spoiled, mismatch: &Mismatch) -> String {
    let lines: Vec<String> = mismatch.leaves().iter().map(|leaf| format!("    {leaf}")).collect();
    let place = path_as_code(&spoiled.path);
    format!("{} =~ {type_}\n  {:?} spoiled at {place:?}, explained:\n{}", spoiled.value, spoiled.slip, lines.join("\n"))
}

/// Whether the value is of the type when what is suggested is done: each suggestion for a single fault, the first ones for
/// several; `None` if nothing is suggested for one of them.
fn holds(type_: &Type, value: &Value, leaves: &[&Mismatch]) -> Option<bool> {
    let is_repair = |suggestion: &&Suggestion| !matches!(suggestion.repair, Repair::Type(_));
    if let [only] = leaves {
        let repairs: Vec<&Suggestion> = only.suggestions.iter().filter(is_repair).collect();
        let holds = |suggestion: &&Suggestion| {
            only.apply_suggestion(value, suggestion).is_some_and(|repaired| type_.has_instance(&repaired))
        };
        return (!repairs.is_empty()).then(|| repairs.iter().all(holds));
    }
    let firsts = leaves.iter().rev().map(|leaf| Some((*leaf, leaf.suggestions.first().filter(is_repair)?)));
    let firsts: Vec<(&Mismatch, &Suggestion)> = firsts.collect::<Option<_>>()?;
    let repaired =
        firsts.iter().try_fold(value.clone(), |value, (leaf, suggestion)| leaf.apply_suggestion(&value, suggestion));
    Some(repaired.is_some_and(|repaired| type_.has_instance(&repaired)))
}

fn number_from(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn the_place_that_was_spoiled_is_marked_and_repaired() {
    let seed = number_from("SPOILED_SEED").unwrap_or(16);
    let mut generator = Generator { dice: Dice::new(seed as u64), defined: defined() };
    let mut places: BTreeMap<Below, Tally> = BTreeMap::new();
    let mut hints: BTreeMap<Slip, Tally> = BTreeMap::new();
    let mut done = 0;
    let (cases, mut promises) = (number_from("SPOILED_CASES").unwrap_or(CASES), BTreeMap::<Below, Tally>::new());
    while done < cases {
        let case = generator.case(3);
        assert_eq!(explain(&case.type_, &case.value), None, "{} =~ {}", case.value, case.type_);
        for _ in 0..3.min(case.spoiled.len()) {
            let spoiled = generator.dice.one_of(&case.spoiled);
            let mismatch = explain(&case.type_, &spoiled.value);
            assert_eq!(mismatch.is_none(), case.type_.has_instance(&spoiled.value), "{} {}", case.type_, spoiled.value);
            let Some(mismatch) = mismatch else { continue };
            done += 1;
            let leaves = mismatch.leaves();
            let is_right = leaves.iter().all(|leaf| leaf.path_to_found() == spoiled.path);
            let told = || told(&case.type_, &spoiled, &mismatch);
            places.entry(spoiled.below).or_default().count(is_right, told);
            if is_right && spoiled.slip != Slip::Other {
                let has_hint = leaves.iter().any(|leaf| match spoiled.slip {
                    Slip::Key => matches!(leaf.reason, Reason::MisspelledKey(..)),
                    _ => !leaf.suggestions.is_empty(),
                });
                hints.entry(spoiled.slip).or_default().count(has_hint, told);
            }
            for leaf in &leaves {
                let line = leaf.to_string();
                assert!(line.chars().count() <= 190, "{line}");
            }
            if let Some(holds) = holds(&case.type_, &spoiled.value, &leaves) {
                promises.entry(spoiled.below).or_default().count(holds, told);
            }
        }
    }
    let show = |what: &str, tally: &Tally| {
        println!("{what}: {} of {} = {:.1} %\n{}", tally.right, tally.of, tally.percent(), tally.wrong.join("\n"));
    };
    for (below, tally) in &places {
        show(&format!("{below:?}"), tally);
    }
    for (slip, tally) in &hints {
        show(&format!("{slip:?}"), tally);
    }
    for (below, tally) in &promises {
        show(&format!("suggestions, {below:?}"), tally);
        assert_eq!(tally.right, tally.of, "{below:?}");
    }
    for (below, least) in
        [(Below::NoVariant, 99.0), (Below::Discriminated, 97.0), (Below::SameKeys, 99.0), (Below::OtherVariant, 85.0)]
    {
        assert!(places[&below].percent() >= least, "{below:?}: {:.1} %", places[&below].percent());
    }
    for (slip, tally) in &hints {
        assert!(tally.percent() >= 95.0, "{slip:?}: {:.1} %", tally.percent());
    }
}
