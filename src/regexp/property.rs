//! Character sets by name: the POSIX brackets `[[:alpha:]]` and the Unicode properties `\p{Alpha}`.

use super::set::CharSet;

/// The POSIX brackets that also match non-ASCII characters, with their sets in the syntax of `regex_syntax`.
static POSIX_BRACKETS: &[(&str, &str)] = &[
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

pub(super) fn posix_bracket_set(name: &str, ascii: bool) -> Option<CharSet> {
    let set = match name {
        "ascii" => return Some(CharSet::from_range('\0', '\u{7f}')),
        "xdigit" => return Some(CharSet::hexadecimal_digits()),
        name => {
            let (_, notation) = POSIX_BRACKETS.iter().find(|(known, _)| *known == name)?;
            CharSet::from_class_syntax(notation, matches!(name, "lower" | "upper"))?
        }
    };
    Some(if ascii { set.intersection(&CharSet::from_range('\0', '\u{7f}')) } else { set })
}

/// Returns the set of `\p{name}`, or `None` if unknown. Case, spaces, `-` and `_` in the name are ignored.
///
/// Observed: Ruby 3.1 counts `$`, `+`, `<`, `=`, `>`, `^` and others as punctuation only in `[[:punct:]]` and
/// `\p{XPosixPunct}`.
pub(super) fn unicode_property_set(name: &str) -> Option<CharSet> {
    let plain: String = name.chars().filter(|letter| !matches!(letter, ' ' | '-' | '_')).collect();
    let plain = plain.to_ascii_lowercase();
    let set = match plain.as_str() {
        "punct" => CharSet::from_class_syntax(r"\p{P}", false),
        "xposixpunct" => posix_bracket_set("punct", false),
        other => posix_bracket_set(other, false),
    };
    if set.is_some() {
        return set;
    }
    // The engine's tables know which properties exist. They also know `name=value`, which Ruby takes for an age alone.
    let known = plain.strip_prefix("age=").unwrap_or(&plain);
    if !known.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.') {
        return None;
    }
    CharSet::from_class_syntax(&format!(r"\p{{{plain}}}"), true)
}

pub(super) fn strip_caret(name: &str) -> (&str, bool) {
    name.strip_prefix('^').map_or((name, false), |name| (name, true))
}
