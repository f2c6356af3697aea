//! Named sets: `[[:alpha:]]` and `\p{Alpha}`.

use super::set::Set;

/// The POSIX brackets that match beyond ASCII, with their sets in the engine's notation.
static BRACKETS: &[(&str, &str)] = &[
    ("alnum", r"[\p{Alphabetic}\p{Nd}]"),
    ("alpha", r"\p{Alphabetic}"),
    ("blank", r"[\p{Zs}\x{9}]"),
    ("cntrl", r"\p{Cc}"),
    ("digit", r"\p{Nd}"),
    ("graph", r"[^\p{White_Space}\p{Cc}\p{Cn}]"),
    ("lower", r"\p{Lowercase}"),
    ("print", r"[^\p{Cc}\p{Cn}\p{Zl}\p{Zp}]"),
    ("punct", r"[\p{P}\x{24}\x{2B}\x{3C}-\x{3E}\x{5E}\x{60}\x{7C}\x{7E}]"),
    ("space", r"\p{White_Space}"),
    ("upper", r"\p{Uppercase}"),
    ("word", r"\w"),
];

/// `[[:alpha:]]`; with `ascii` only what is ASCII.
pub(super) fn bracket(name: &str, ascii: bool) -> Option<Set> {
    let set = match name {
        "ascii" => return Some(Set::range('\0', '\u{7f}')),
        "xdigit" => return Some(Set::hexadecimal()),
        name => {
            let (_, notation) = BRACKETS.iter().find(|(known, _)| *known == name)?;
            Set::named(notation, matches!(name, "lower" | "upper"))?
        }
    };
    Some(if ascii { set.and(&Set::range('\0', '\u{7f}')) } else { set })
}

/// `\p{Alpha}`: upper case, spaces, `-` and `_` make no difference.
///
/// Observed: Ruby 3.1 takes the signs `$+<=>^` and others for punctuation in the bracket and in `\p{XPosixPunct}`
/// alone.
pub(super) fn property(name: &str) -> Option<Set> {
    let plain: String = name.chars().filter(|letter| !matches!(letter, ' ' | '-' | '_')).collect();
    let plain = plain.to_ascii_lowercase();
    let set = match plain.as_str() {
        "punct" => Set::named(r"\p{P}", false),
        "xposixpunct" => bracket("punct", false),
        other => bracket(other, false),
    };
    if set.is_some() {
        return set;
    }
    // Whether there is such a property is in the engine's tables. It also knows `name=value`, which Ruby takes for an
    // age alone.
    let known = plain.strip_prefix("age=").unwrap_or(&plain);
    if !known.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.') {
        return None;
    }
    Set::named(&format!(r"\p{{{plain}}}"), true)
}

/// Splits a leading `^`, which negates the set, from the name.
pub(super) fn negation(name: &str) -> (&str, bool) {
    name.strip_prefix('^').map_or((name, false), |name| (name, true))
}
