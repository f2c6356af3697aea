//! One line of advice beside the answer to an entry that Puppet reads as strings in a row, but was meant as something
//! else: a command without its colon, a call without parentheses, a word of another language.

use super::all;
use crate::dictionary::{self, Kind};
use crate::functions;
use crate::syntax;
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Tree};
use crate::text::Source;
use crate::types::Type;

/// What was likely meant by an entry; nothing where its text says what it does.
pub(in crate::session) fn likely_meant(entry: &str) -> Option<String> {
    let entry = entry.trim();
    if entry.starts_with("//") || entry.starts_with("--") {
        return Some("a comment starts with `#`".to_owned());
    }
    let first = entry.split_whitespace().next().unwrap_or_default();
    if let Some(command) = all().find(|command| command.name == first) {
        let is_plain = entry == first || syntax::parse(&Source::new("entry", entry)).is_ok_and(|tree| is_name(&tree));
        let is_other =
            !is_plain && functions::named(first).is_some() || entry[first.len()..].trim_start().starts_with('=');
        return (!is_other)
            .then(|| format!("`{first}` is a string; did you mean `:{}{}`?", command.name, &entry[first.len()..]));
    }
    let tree = syntax::parse(&Source::new("entry", entry)).ok()?;
    let statements = tree.statements();
    if let [only] = statements {
        let word = match &tree[*only].expression {
            Expression::Name(word) => word,
            Expression::Binary(BinaryOperator::Match, _, pattern) => {
                return advice_on_pattern(&tree[*pattern].expression);
            }
            _ => return None,
        };
        let advice = match (dictionary::word(word, &[Kind::Value, Kind::Type, Kind::Keyword]), Type::named(word)) {
            (Some(word), _) => word.advice.to_owned(),
            (None, Some(type_)) => format!("did you mean the type {}?", type_.name()),
            (None, None) => return None,
        };
        return Some(format!("`{word}` is a string; {advice}"));
    }
    statements.windows(2).find_map(|pair| {
        let [one, next] = pair else { return None };
        let between = &entry[tree[*one].span.range().end..tree[*next].span.range().start];
        (!between.contains(['\n', ';'])).then(|| advice_on_pair(&tree, *one, *next)).flatten()
    })
}

/// The advice on the right side of a match.
fn advice_on_pattern(pattern: &Expression) -> Option<String> {
    match pattern {
        Expression::Name(word) => {
            let meant = dictionary::word(word, &[Kind::Type])?;
            Some(format!("`{word}` is a string here; {}", meant.advice))
        }
        Expression::Literal(Literal::String(text))
            if text.len() > 2 && text.starts_with('/') && text.ends_with('/') =>
        {
            Some(format!("the slashes in the string are looked for; a regular expression has no quotes: `{text}`"))
        }
        _ => None,
    }
}

/// Whether the program starts with a bare word.
fn is_name(tree: &Tree) -> bool {
    tree.statements().first().is_some_and(|first| matches!(tree[*first].expression, Expression::Name(_)))
}

/// The advice on two statements on a line.
fn advice_on_pair(tree: &Tree, one: Id, next: Id) -> Option<String> {
    let written = |id: Id| tree.source.slice(tree[id].span);
    match (&tree[one].expression, &tree[next].expression) {
        (Expression::Name(word), _) => {
            let advice = match functions::named(word) {
                Some(_) => format!("to call the function, write `{word}({})`", written(next)),
                None => dictionary::word(word, &[Kind::Keyword, Kind::Function])?.advice.to_owned(),
            };
            Some(format!("`{word}` is a string here; {advice}"))
        }
        (Expression::Reference(outer), Expression::Reference(_) | Expression::Access(..)) => {
            let outer = dictionary::word(outer, &[Kind::Type]).map_or(&**outer, |word| word.puppet);
            Some(format!("put the parameters of a type in brackets: `{outer}[{}]`", written(next)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::likely_meant;

    #[test]
    fn strings_in_a_row_are_explained_and_programs_are_not() {
        for (entry, part) in [
            ("not true", "write `!`"),
            ("5 is Integer", "5 =~ Integer"),
            ("Optional String", "`Optional[String]`"),
            ("Array of String", "[1] =~ Array[Integer]"),
            ("length 'abc'", "`length('abc')`"),
            ("load types.pp", "`:load types.pp`"),
            ("null", "write `undef`"),
            ("string", "the type String"),
            ("// a", "`#`"),
            ("'abc' =~ '/b/'", "`/b/`"),
            ("'a' =~ str", "write `String`"),
        ] {
            assert!(
                likely_meant(entry).is_some_and(|advice| advice.contains(part)),
                "{entry}: {:?}",
                likely_meant(entry)
            );
        }
        for entry in
            ["5", "'a'", "notice 'a'", "foo", "$x = 1; $x", "type(5)", "String", "type A = Integer", "1\nInteger"]
        {
            assert_eq!(likely_meant(entry), None, "{entry}");
        }
    }
}
