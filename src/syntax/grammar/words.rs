//! White space, comments and words.

use super::prelude::*;
use super::text::joined_tags;
use crate::syntax::tokens::Kind;

macro_rules! keywords {
    ($(#[$doc:meta])* $($word:literal),+ $(,)?) => {
        $(#[$doc])*
        pub const KEYWORDS: [&str; 20] = [$($word),+];

        pub(in crate::syntax) fn is_keyword(word: &str) -> bool {
            matches!(word, $($word)|+)
        }
    };
}

keywords! {
    /// Words that cannot be names.
    ///
    /// Observed: Puppet 8.11. `plan`, `application`, `site`, `produces` and `consumes` are names there without the
    /// settings that give them a meaning.
    "and", "attr", "case", "class", "default", "define", "else", "elsif", "false", "function", "if", "in", "inherits",
    "node", "or", "private", "true", "type", "undef", "unless",
}

/// ```ebnf
/// keyword ::= "and" | "attr" | "case" | "class" | "default" | "define" | "else" | "elsif" | "false" | "function" | "if"
///           | "in" | "inherits" | "node" | "or" | "private" | "true" | "type" | "undef" | "unless"
/// ```
pub(super) fn keyword(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let letters = take_while1(|letter: char| letter.is_ascii_lowercase());
    terminated(verify(letters, |word: &Input<'_>| is_keyword(word.text())), word_end).parse(input)
}

/// `space ::= (gap | "#" [^#xA]* | block_comment | joined_tags)*`
pub(in crate::syntax) fn space(input: Input<'_>) -> Parsed<'_, ()> {
    // Most of it is one blank.
    let here = input.take_from(usize::from(input.starts_with(" ")));
    by_first_char!(here, {
        ' ' | '\t' | '\r' | '\n' | '#' | '/' | '%' | '-' | '\u{80}'.. => space_parts,
        _ => success(()),
    })
}

#[inline(never)]
fn space_parts(input: Input<'_>) -> Parsed<'_, ()> {
    value((), many0_count(space_part)).parse(input)
}

fn space_part(input: Input<'_>) -> Parsed<'_, ()> {
    by_first_char!(input, {
        ' ' | '\t' | '\r' | '\n' | '\u{80}'.. => gap,
        '#' => take_till(|character| character == '\n').map(drop),
        '/' => block_comment,
        '%' | '-' => joined_tags,
        _ => fail(),
    })
}

/// `gap ::= white | newline_and_heredocs`
fn gap(input: Input<'_>) -> Parsed<'_, ()> {
    by_first_char!(input, { '\n' => newline_and_heredocs, _ => white })
}

/// `white ::= [ #x9#xD#xA0#x1680#x2000-#x200A#x202F#x205F#x3000]+`
///
/// Tabs, carriage returns and Unicode spaces. Non-breaking spaces are accepted because code that is copied from a web
/// page may contain them.
///
/// Observed: Puppet 7.23, which does not accept a form feed.
fn white(input: Input<'_>) -> Parsed<'_, ()> {
    value((), take_while1(is_white_space)).parse(input)
}

fn is_white_space(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\r' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// `newline_and_heredocs ::= #xA <announced_texts> white?`
fn newline_and_heredocs(input: Input<'_>) -> Parsed<'_, ()> {
    let (line, _) = char('\n').parse(input)?;
    value((), opt(white)).parse(line.skip_heredocs())
}

/// Succeeds without consuming input, unless white space is directly before it.
pub(super) fn not_after_space(input: Input<'_>) -> Parsed<'_, ()> {
    let is_gap = |last: char| is_white_space(last) || last == '\n';
    if input.before().ends_with(is_gap) { input.fail_here() } else { Ok((input, ())) }
}

/// Succeeds without consuming input, unless a newline is before it, directly or followed by white space.
pub(super) fn not_at_line_start(input: Input<'_>) -> Parsed<'_, ()> {
    if input.before().trim_end_matches(is_white_space).ends_with('\n') { input.fail_here() } else { Ok((input, ())) }
}

/// `block_comment ::= "/*" ([^*] | "*"+ [^*/])* "*"+ "/"`
fn block_comment(input: Input<'_>) -> Parsed<'_, ()> {
    let inside = many0_count(alt((is_not("*"), terminated(tag("*"), not(char('/'))))));
    let closed = value((), (inside, tag("*/")));
    let unclosed = |_| fail_with(SyntaxError::UnclosedComment, input.take(2));
    preceded(tag("/*"), alt((closed, unclosed))).parse(input)
}

pub(in crate::syntax) fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Whether `text` can be written as a string without quotes.
pub(crate) fn is_bare_word(text: &str) -> bool {
    let starts_small = text.starts_with(|first: char| first.is_ascii_lowercase());
    starts_small && text.chars().all(is_word_character) && !KEYWORDS.contains(&text)
}

pub(super) fn word_characters(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_while(is_word_character).parse(input)
}

pub(in crate::syntax) fn word_with_kind(input: Input<'_>) -> Parsed<'_, (Kind, Input<'_>)> {
    alt((
        keyword.map(|word| (Kind::Keyword, word)),
        alt((name, bare_word)).map(|word| (Kind::Name, word)),
        reference.map(|word| (Kind::Reference, word)),
        malformed_word,
    ))
    .parse(input)
}

/// Parses what `segment` matches, once or several times with `::` in between, and optionally a leading `::`.
fn colon_separated<'a>(segment: impl Rule<'a, Input<'a>> + Copy) -> impl Rule<'a, Input<'a>> {
    recognize((opt(tag("::")), segment, many0_count(preceded(tag("::"), segment))))
}

/// `name ::= !keyword "::"? name_segment ("::" name_segment)* word_end`
pub(super) fn name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    verify(terminated(colon_separated(name_segment), word_end), |name: &Input<'_>| !is_keyword(name.text()))
        .parse(input)
}

/// `name_segment ::= [a-z] [a-zA-Z0-9_]*`
fn name_segment(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((satisfy(|letter| letter.is_ascii_lowercase()), word_characters)).parse(input)
}

/// `bare_word ::= !keyword "::"? bare_segment ("::" bare_segment)* word_end`
pub(super) fn bare_word(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    preceded(not(keyword), terminated(colon_separated(bare_segment), word_end)).parse(input)
}

/// `bare_segment ::= [a-z_] ("-"* [a-zA-Z0-9_])*`
fn bare_segment(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let first = satisfy(|letter| letter.is_ascii_lowercase() || letter == '_');
    recognize((first, many0_count((many0_count(char('-')), satisfy(is_word_character))))).parse(input)
}

/// `word_end ::= !("-"* [a-zA-Z0-9_] | "::" [^A-Z] | "::" end)`
pub(in crate::syntax) fn word_end(input: Input<'_>) -> Parsed<'_, ()> {
    let hyphens = |input| many0_count(char('-')).parse(input);
    let no_reference = |input| not(satisfy(|letter| letter.is_ascii_uppercase())).parse(input);
    by_first_char!(input, {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => fail(),
        '-' => not((hyphens, satisfy(is_word_character))),
        ':' => not((tag("::"), no_reference)),
        _ => |input| Ok((input, ())),
    })
}

/// `reference ::= "::"? reference_segment ("::" reference_segment)* !"::"`
pub(super) fn reference(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    terminated(colon_separated(reference_segment), not(tag("::"))).parse(input)
}

/// `reference_segment ::= [A-Z] [a-zA-Z0-9_]*`
fn reference_segment(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((satisfy(|letter| letter.is_ascii_uppercase()), word_characters)).parse(input)
}

/// Fails with an error at a name or reference with a `::` that no valid segment follows; does not match anything else.
pub(super) fn malformed_word<'a, T>(input: Input<'a>) -> Parsed<'a, T> {
    // Puppet points at the second colon.
    let malformed_reference = |input: Input<'a>| {
        let (colons, _) = colon_separated(reference_segment).parse(input)?;
        let (end, _) = preceded(tag("::"), word_characters).parse(colons)?;
        let error = SyntaxError::IllegalReference(input.until_start_of(end).text().to_owned());
        fail_with(error, colons.take_from(1).until_start_of(end))
    };
    let malformed_name = |input: Input<'a>| {
        let segments = (opt(tag("::")), many1_count((bare_segment, tag("::"))));
        let no_segment = not(alt((bare_segment, reference_segment)));
        let (place, _) = terminated(alt((recognize(segments), tag("::"))), no_segment).parse(input)?;
        let (end, _) = take_while(|letter| is_word_character(letter) || letter == ':').parse(place)?;
        fail_with(SyntaxError::IllegalName(input.until_start_of(end).text().to_owned()), place.until_start_of(end))
    };
    alt((malformed_reference, malformed_name)).parse(input)
}

/// `variable ::= "$" variable_name?`
///
/// Returns the name without the dollar. A dollar alone is accepted here, and rejected by validation.
pub(in crate::syntax) fn variable(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    preceded(char('$'), recognize(opt(variable_name))).parse(input)
}

/// `variable_name ::= "::"? [a-zA-Z0-9_]+ ("::" [a-zA-Z0-9_]+)*`
pub(super) fn variable_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    colon_separated(|input| take_while1(is_word_character).parse(input)).parse(input)
}

pub(super) fn end_of_input(input: Input<'_>) -> Parsed<'_, ()> {
    value((), eof).parse(input)
}

/// Returns the length in bytes of the word, string, symbol or character at the start of `text` that an error quotes.
pub(in crate::syntax) fn token_length(text: &str) -> usize {
    let name = text.strip_prefix('$').unwrap_or(text);
    let is_part = |character: char| is_word_character(character) || character == '-';
    let word = name[..name.find(|character| !is_part(character)).unwrap_or(name.len())].trim_end_matches('-').len();
    if word > 0 && !name.starts_with('-') {
        return word + text.len() - name.len();
    }
    if let Some(quote @ ('\'' | '"')) = text.chars().next() {
        let line = text.lines().next().unwrap_or_default();
        return line[1..].find(quote).map_or(1, |length| length + 2);
    }
    let symbols = text.chars().take_while(|character| "=!<>~&|+-*/%^".contains(*character)).count();
    symbols.clamp(usize::from(!text.is_empty()), 3).max(text.chars().next().map_or(0, char::len_utf8))
}
