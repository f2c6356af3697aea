//! The sets that have names: `[[:alpha:]]` and `\p{Alpha}`.

use super::set::Set;

/// Name, as a bracket, as a property where that differs.
///
/// Observed: Ruby 3.1 takes `$+<=>^` and others for punctuation in the bracket alone.
static NAMED: &[(&str, &str, Option<&str>)] = &[
    ("alnum", r"[\p{Alphabetic}\p{Nd}]", None),
    ("alpha", r"\p{Alphabetic}", None),
    ("blank", r"[\p{Zs}\x{9}]", None),
    ("cntrl", r"\p{Cc}", None),
    ("digit", r"\p{Nd}", None),
    ("graph", r"[^\p{White_Space}\p{Cc}\p{Cn}]", None),
    ("lower", r"\p{Lowercase}", None),
    ("print", r"[^\p{Cc}\p{Cn}\p{Zl}\p{Zp}]", None),
    ("punct", r"[\p{P}\x{24}\x{2B}\x{3C}-\x{3E}\x{5E}\x{60}\x{7C}\x{7E}]", Some(r"\p{P}")),
    ("space", r"\p{White_Space}", None),
    ("upper", r"\p{Uppercase}", None),
    ("word", r"\w", None),
];

/// The sets that hold nothing beyond ASCII.
fn of_ascii(name: &str) -> Option<Set> {
    match name {
        "ascii" => Some(Set::range('\0', '\u{7f}')),
        "xdigit" => Some(Set::hexadecimal()),
        _ => None,
    }
}

/// `[[:alpha:]]`; with `ascii` only what is ASCII.
pub(super) fn bracket(name: &str, ascii: bool) -> Option<Set> {
    if let Some(set) = of_ascii(name) {
        return Some(set);
    }
    let (_, set, _) = NAMED.iter().find(|(known, ..)| *known == name)?;
    let set = Set::named(set);
    Some(if ascii { set.and(Set::range('\0', '\u{7f}')) } else { set })
}

/// `\p{Alpha}`: upper case, spaces, `-` and `_` make no difference.
pub(super) fn property(name: &str) -> Option<Set> {
    let plain: String = name.chars().filter(|letter| !matches!(letter, ' ' | '-' | '_')).collect();
    let plain = plain.to_ascii_lowercase();
    if let Some(set) = of_ascii(&plain) {
        return Some(set);
    }
    if let Some((_, bracket, property)) = NAMED.iter().find(|(known, ..)| *known == plain) {
        return Some(Set::named(property.unwrap_or(bracket)));
    }
    if plain == "xposixpunct" {
        return bracket("punct", false);
    }
    // Whether there is such a property is in the engine's tables. It also knows `name=value`, which Ruby takes for an
    // age alone.
    let known = plain.strip_prefix("age=").unwrap_or(&plain);
    if !known.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.') {
        return None;
    }
    let notation = format!(r"\p{{{plain}}}");
    regex::Regex::new(&notation).is_ok().then(|| Set::named(&notation))
}
