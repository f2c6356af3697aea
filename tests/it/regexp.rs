//! Ruby's regular expressions, seen from outside.

use pcore::error::Result;
use pcore::regexp::Regexp;
use pcore::regexp::escape;
use proptest::prelude::*;

/// Enough searches for every engine to be used.
const SEARCHES: usize = 80;

/// Returns the whole match and its groups, and expects all engines to agree on them.
fn groups(text: &str, subject: &str) -> Result<Option<Vec<Option<String>>>> {
    let regexp = Regexp::new(text)?;
    let search = || -> Result<Option<Vec<Option<String>>>> {
        let found = regexp.captures(subject)?;
        Ok(found
            .map(|found| (0..found.len()).map(|group| found.group_text(group, subject).map(String::from)).collect()))
    };
    let first = search()?;
    for number in 2..=SEARCHES {
        assert_eq!(search()?, first, "/{text}/ on {subject:?}, search {number}");
        assert_eq!(regexp.is_match(subject)?, first.is_some(), "/{text}/ on {subject:?}, search {number}");
    }
    Ok(first)
}

/// Expects that /`text`/ matches `expected` in `subject`, or nothing.
#[track_caller]
fn matches(text: &str, subject: &str, expected: Option<&str>) {
    let whole = groups(text, subject).map(|found| found.and_then(|groups| groups[0].clone()));
    assert_eq!(whole.expect("the expression is right").as_deref(), expected, "/{text}/ on {subject:?}");
}

/// Expects the groups of the match of /`text`/ in `subject`, the whole match first.
#[track_caller]
fn captures(text: &str, subject: &str, expected: &[Option<&str>]) {
    let found = groups(text, subject).expect("the expression is right").expect("it matches");
    let found: Vec<_> = found.iter().map(Option::as_deref).collect();
    assert_eq!(found, expected, "/{text}/ on {subject:?}");
}

/// Expects that /`text`/ is refused, for that reason at that character.
#[track_caller]
fn refused(text: &str, at: usize, reason: &str) {
    let error = Regexp::new(text).expect_err("the expression is wrong");
    assert_eq!(error.code(), "RUNTIME_ERROR");
    assert_eq!(error.message(), format!("invalid regular expression /{text}/ at character {at}: {reason}"));
}

#[test]
fn line_anchors_need_no_option_and_know_the_last_newline() {
    matches("^b$", "a\nb\nc", Some("b"));
    matches("^$", "a\n", None);
    matches("^$", "\n", Some(""));
    matches("\\n^", "a\n\n", Some("\n"));
    matches("\\n^", "a\n", None);
    matches("a\\n$", "a\n", Some("a\n"));
    matches("\\Ab", "a\nb", None);
    matches("a\\Z", "a\n", Some("a"));
    matches("a\\z", "a\n", None);
    matches("a\\Z", "a\n\n", None);
}

#[test]
fn options_hold_to_the_end_of_their_group() {
    matches("a.b", "a\nb", None);
    matches("(?m)a.b", "a\nb", Some("a\nb"));
    matches("(?i:A)b", "aB", None);
    matches("(?i)a(?-i)b", "AB", None);
    matches("a(?i)b|c", "aC", Some("aC"));
    matches("(?x) a b # comment\n c", "abc", Some("abc"));
    matches("a(?# comment )b", "ab", Some("ab"));
}

#[test]
fn escapes_know_ascii_and_brackets_unicode() {
    matches(r"\w", "é", None);
    matches(r"\d", "٣", None);
    matches(r"\s", "\u{a0}", None);
    matches("[[:alpha:]]", "é", Some("é"));
    matches("(?u)\\w", "é", Some("é"));
    matches("(?a)[[:alpha:]]", "é", None);
    matches(r"\bword\b", "wordé", None);
    matches(r"\h\H", "fg", Some("fg"));
}

#[test]
fn ignoring_case_adds_signs_to_letters_but_not_to_sets() {
    matches("(?i)[a-z]", "\u{17f}", Some("\u{17f}"));
    matches("(?i)k", "\u{212a}", Some("\u{212a}"));
    matches(r"(?i)\w", "\u{17f}", None);
    matches(r"(?i)[\w-]", "\u{212a}", None);
    matches("(?i)[^a-z]", "A", None);
    matches("(?i)[[:upper:]]", "a", Some("a"));
    matches("(?i)[αβ]", "Α", Some("Α"));
}

#[test]
fn escapes_stand_for_characters() {
    for (text, character) in [
        (r"\x41", "A"),
        (r"\101", "A"),
        (r"\u0041", "A"),
        (r"\u{41 42}", "AB"),
        (r"\xC3\xA9", "é"),
        (r"\e", "\u{1b}"),
        (r"\cA", "\u{1}"),
        (r"\0", "\0"),
        (r"\/", "/"),
        (r"\R", "\r\n"),
        (r"\X", "e\u{301}"),
        ("{", "{"),
        ("x{,", "x{,"),
        ("]", "]"),
    ] {
        matches(text, character, Some(character));
    }
}

#[test]
fn classes_nest_and_intersect() {
    matches("[a-z&&[^aeiou]]+", "abcd", Some("bcd"));
    matches("[a[b-d]]+", "abcd", Some("abcd"));
    matches("[]a]+", "a]", Some("a]"));
    matches("[a-]+", "a-", Some("a-"));
    matches(r"[\w-]+", "a-b", Some("a-b"));
    matches("[^a-c&&b-d]", "b", None);
    matches(r"[\b]", "\u{8}", Some("\u{8}"));
}

#[test]
fn repetitions_count_as_in_ruby() {
    matches("a{,2}", "aaa", Some("aa"));
    matches("a{2}?", "a", Some(""));
    matches("a{1,2}+", "aaaa", Some("aaaa"));
    matches("a++a", "aaa", None);
    matches("a**", "aa", Some("aa"));
    matches("(?=a)*", "a", Some(""));
    matches("(?>a+)ab", "aab", None);
}

#[test]
fn groups_have_numbers_unless_any_has_a_name() {
    captures("(a)(b)?c", "ac", &[Some("ac"), Some("a"), None]);
    captures("(a)(?<n>b)", "ab", &[Some("ab"), Some("b")]);
    captures("(?<n>x)(?<n>y)\\k<n>", "xyy", &[Some("xyy"), Some("x"), Some("y")]);
    captures("(a){0}(b)", "b", &[Some("b"), None, Some("b")]);
    captures("(a)?(?(1)b|c)", "c", &[Some("c"), None]);
    captures("(?<p>[ab])(?:-\\g<p>)*", "a-b", &[Some("a-b"), Some("b")]);
    let regexp = Regexp::new("(?<year>\\d+)-(?<month>\\d+)").expect("it is right");
    assert_eq!(regexp.group_names().collect::<Vec<_>>(), [Some("year"), Some("month")]);
}

#[test]
fn look_around_and_references_work() {
    matches("(?<=a|bc)d", "bcd", Some("d"));
    matches("a(?!b)", "abac", Some("a"));
    matches("(a|b)\\1", "abb", Some("bb"));
    matches("(?i)(a)\\1", "aA", Some("aA"));
    matches("a\\Kb", "ab", Some("b"));
    matches("\\Ga", "ba", None);
}

#[test]
fn recursion_is_unfolded_to_a_depth_and_then_reported() {
    let nested = |levels: usize| format!("{}x{}", "(".repeat(levels), ")".repeat(levels));
    let regexp = Regexp::new(r"\A(?<p>\((?:[^()]|\g<p>)*\))\z").expect("it is right");
    assert!(regexp.is_match(&nested(10)).expect("ten levels fit"));
    assert!(!regexp.is_match("((x)").expect("two levels fit"));
    assert_eq!(regexp.is_match(&nested(100)).expect_err("too deep").message(), TOO_MANY_STEPS);
}

#[test]
fn many_calls_stay_small() {
    matches(r"\A(?<v>\[(?:\g<v>(?:,\g<v>)*)?\]|\{\g<v>\g<v>\}|\d)\z", "[1,[2,3],[]]", Some("[1,[2,3],[]]"));
    let link = |level: usize| format!(r"(?<g{level}>x\g<g{0}>\g<g{0}>){{0}}", level + 1);
    let chain: Vec<String> = (0..40).map(link).collect();
    let regexp = Regexp::new(&format!(r"{}(?<g40>y){{0}}\g<g0>", chain.concat())).expect("it is right");
    assert_eq!(regexp.is_match("xy").expect_err("it unfolds to 2^40 pieces").code(), "RUNTIME_ERROR");
}

const TOO_MANY_STEPS: &str =
    "matching stopped after 1000000 backtracking steps: the regular expression has too many ways to match";

#[test]
fn catastrophic_expressions_end() {
    let subject = "a".repeat(50_000) + "b";
    matches(r"\A(a+)+\z", &subject, None);
    let backtracking = Regexp::new(r"\A(?:(a+)\1?)+\z").expect("it is right");
    assert_eq!(backtracking.is_match(&subject[49_960..]).expect_err("it has too many ways").message(), TOO_MANY_STEPS);
}

#[test]
fn what_ruby_refuses_is_refused_with_its_place() {
    refused("(", 1, "this `(` is never closed");
    refused("é)", 2, "unmatched `)`");
    refused("[]", 1, "this character class is empty");
    refused("é[", 2, "this `[` is never closed");
    refused("*", 1, "nothing to repeat before this");
    refused("a{2,1}", 2, "the minimum 2 of the repetition is greater than its maximum 1");
    refused("a{100001}", 2, "a repetition count is at most 100000");
    refused("[z-a]", 3, "the range `z-a` is descending");
    refused(r"[a-\d]", 3, "a range needs single characters as its ends, not a set");
    refused("[[:foo:]]", 2, "unknown POSIX class `[:foo:]`");
    refused(r"\p{Foo}", 1, r"unknown property `\p{Foo}`");
    refused(r"\1", 1, "unknown group `1`");
    refused(r"\k<n>", 1, "unknown group `n`");
    refused(r"(?<n>a)\1", 8, "numbered references cannot be used with named groups");
    refused(r"(?<n>a)(?<n>b)\g<n>", 15, "several groups are named `n`");
    refused(r"(?<n>a\g<n>)", 7, "this call never ends: the group calls itself without condition");
    refused("(?<=a+)", 1, "a look-behind must have a fixed length");
    refused("(?P<n>a)", 3, "Ruby does not support `P` after `(?`");
    refused("a\\", 2, "expected a character after the backslash");
    refused(r"\xff", 1, "these bytes are not UTF-8");
    refused("(?~a)", 1, "the absence operator `(?~…)` is not supported");
    refused(&"(".repeat(1_000), 201, "groups are nested more than 200 levels deep");
    let reason = "repeating a repetition more than eight times is not supported";
    refused("a*********", 1, reason);
    assert_eq!(
        Regexp::new(&format!("a{}", "*".repeat(100_000))).expect_err("it nests too deeply").code(),
        "RUNTIME_ERROR"
    );
}

#[test]
fn replacing_follows_gsub() {
    let replaced = |text, subject, replacement| {
        let regexp = Regexp::new(text).expect("it is right");
        regexp.replace_all(subject, replacement).expect("it ends")
    };
    assert_eq!(replaced("b*", "abc", "-"), "-a--c-");
    assert_eq!(replaced("(.)(.)", "abcd", r"\2\1"), "badc");
    assert_eq!(replaced("(?<first>a)", "abab", r"<\k<first>>"), "<a>b<a>b");
    assert_eq!(replaced("b", "abc", r"[\0\&\\\`\']"), r"a[bb\ac]c");
    assert_eq!(replaced("b", "abc", r"\9\q\"), r"a\q\c");
    let first = Regexp::new("b").expect("it is right").replace_first("abab", "x").expect("it ends");
    assert_eq!(first, "axab");
}

#[test]
fn splitting_follows_ruby() {
    let pieces = |text, subject| {
        let regexp = Regexp::new(text).expect("it is right");
        regexp.split(subject).expect("it ends").join("|")
    };
    assert_eq!(pieces(",", "a,b,,c,,"), "a|b||c");
    assert_eq!(pieces("", "abc"), "a|b|c");
    assert_eq!(pieces("b*", "abbc"), "a|c");
    assert_eq!(pieces("(,)", "a,b"), "a|,|b");
    assert_eq!(pieces(",", ""), "");
}

#[test]
fn what_is_beyond_ascii_prints_in_a_group_with_its_options() {
    for (text, printed, bare) in [
        ("a/b", r"a\/b", "a/b"),
        (r"a\/b", r"a\/b", r"a\/b"),
        ("é", "(?-mix:é)", "(?-imx:é)"),
        ("(?i)é", "(?i-mx:é)", "(?-imx:(?i)é)"),
        ("(?mi-x:é)", "(?mi-x:é)", "(?-imx:(?mi-x:é))"),
        ("(?i:é)b", "(?-mix:(?i:é)b)", "(?-imx:(?i:é)b)"),
        (r"\p{Lu}", r"(?-mix:\p{Lu})", r"(?-imx:\p{Lu})"),
        (r"\u0041", r"\u0041", r"\u0041"),
    ] {
        let regexp = Regexp::new(text).expect("it is right");
        assert_eq!((&*regexp.printable_source(), &*regexp.source_without_slashes()), (printed, bare), "{text}");
    }
}

#[test]
fn matches_are_found_from_left_to_right() {
    let numbers = Regexp::new(r"\d+").expect("it is right");
    let found: Vec<_> = numbers.matches("80, 443").map(|found| found.expect("it ends").whole_span()).collect();
    assert_eq!(found, [0..2, 4..7]);
}

#[test]
fn escaping_makes_an_expression_of_the_text_itself() {
    assert_eq!(escape("a.b*[c] \n-#/é"), r"a\.b\*\[c\]\ \n\-\#/é");
}

proptest! {
    /// Whatever is read compiles and matches or ends in an error, and nothing panics.
    #[test]
    fn random_expressions_never_panic(
        text in r"([abé\\(){}\[\]|*+?^$.,:<>=!&#0-9-]|\\[wdshRXKGAzZbBkgpuxc1-3]|\(\?[:=!>i]|\(\?<n>|\[\[:alpha:\]|\{,?[0-3]|&&){0,12}",
        subject in "[abé\n(1]{0,8}",
    ) {
        if let Ok(regexp) = Regexp::new(&text) {
            match regexp.captures(&subject) {
                Ok(found) => prop_assert_eq!(regexp.is_match(&subject).ok(), Some(found.is_some())),
                Err(error) => prop_assert_eq!(error.message(), TOO_MANY_STEPS),
            }
        }
    }

    /// An escaped text matches itself, and what is printed reads back.
    #[test]
    fn escaped_text_matches_itself(text in any::<String>()) {
        let regexp = Regexp::new(&escape(&text)).expect("an escaped text is an expression");
        prop_assert_eq!(regexp.captures(&text).expect("it ends").map(|found| found.whole_span()), Some(0..text.len()));
        let printed = Regexp::new(&regexp.printable_source()).expect("a printed expression is one");
        prop_assert!(printed.is_match(&text).expect("it ends"));
    }
}
