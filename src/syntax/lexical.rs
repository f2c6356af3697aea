//! The smallest pieces: white space, comments, symbols, words.
//!
//! Every token includes the white space and comments after it, so that no other function has to handle them.

use super::epp::joined_tag;
use super::errors::{Expected, SyntaxError};
use super::input::{Input, Parsed, refuse};
use memchr::{memchr, memmem};
use smallvec::SmallVec;

/// ```ebnf
/// keyword ::= "and" | "attr" | "case" | "class" | "default" | "define" | "else" | "elsif" | "false" | "function" | "if"
///           | "in" | "inherits" | "node" | "or" | "private" | "true" | "type" | "undef" | "unless"
/// ```
///
/// Words that cannot be names.
///
/// Observed: Puppet 8.11. `plan`, `application`, `site`, `produces` and `consumes` are names there without the settings
/// that give them a meaning.
pub const KEYWORDS: [&str; 20] = [
    "and", "attr", "case", "class", "default", "define", "else", "elsif", "false", "function", "if", "in", "inherits",
    "node", "or", "private", "true", "type", "undef", "unless",
];

/// ```ebnf
/// space ::= (gap | line_comment | block_comment | joined_tags)*
/// gap ::= white | line_start
/// white ::= [ #x9#xD#xA0#x1680#x2000-#x200A#x202F#x205F#x3000]
/// line_start ::= #xA <announced_texts> white*
/// line_comment ::= "#" [^#xA]*
/// block_comment ::= "/*" ([^*] | "*"+ [^*/])* "*"+ "/"
/// ```
#[inline]
pub(super) fn space(input: Input<'_>) -> Parsed<'_, ()> {
    // Most tokens are followed by another one, at once or after a single space.
    if !may_start_space(input.byte()) {
        Ok((input, ()))
    } else if input.byte() == b' ' && !may_start_space(input.byte_at(1)) {
        Ok((input.skip(1), ()))
    } else {
        long_space(input)
    }
}

/// Whether white space, a comment or the end of a tag may start with a byte.
#[inline]
fn may_start_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'/' | b'%' | b'-' | 0x80..)
}

/// White space of any kind and length. Not inlined, so that the common case stays short.
#[inline(never)]
fn long_space(input: Input<'_>) -> Parsed<'_, ()> {
    let mut rest = input.bytes();
    loop {
        rest = match rest {
            [b' ', ..] => rest.get(spaces(rest)..).unwrap_or_default(),
            [b'\t' | b'\r', after @ ..] => after,
            [b'\n', after @ ..] => input.before_rest(rest).after_heredocs().map_or(after, Input::bytes),
            [b'#', comment @ ..] => memchr(b'\n', comment).and_then(|end| comment.get(end..)).unwrap_or_default(),
            [b'/', b'*', comment @ ..] => match after_comment(comment) {
                Some(after) => after,
                None => {
                    let start = input.before_rest(rest);
                    return refuse(SyntaxError::UnclosedComment, start.span_until(start.skip(2)));
                }
            },
            [b'%' | b'-', ..] if input.state.is_template => match joined_tag(input.before_rest(rest)) {
                Some(code) => code.bytes(),
                None => return Ok((input.before_rest(rest), ())),
            },
            [0x80..=0xFF, ..] => match input.before_rest(rest).rest().chars().next() {
                Some(blank) if is_blank(blank) => rest.get(blank.len_utf8()..).unwrap_or_default(),
                _ => return Ok((input.before_rest(rest), ())),
            },
            _ => return Ok((input.before_rest(rest), ())),
        }
    }
}

/// Returns the text after the end of a block comment.
#[cold]
fn after_comment(text: &[u8]) -> Option<&[u8]> {
    text.get(memmem::find(text, b"*/")? + 2..)
}

/// How many spaces stand at the start of `text`, at most eight. They are compared at once: a tenth of a program is
/// indentation.
fn spaces(text: &[u8]) -> usize {
    const EIGHT: u64 = u64::from_le_bytes([b' '; 8]);
    match text.first_chunk() {
        Some(chunk) => (u64::from_le_bytes(*chunk) ^ EIGHT).trailing_zeros() as usize / 8,
        None => text.iter().take_while(|&&byte| byte == b' ').count(),
    }
}

/// Whether a character is white space within a line: a tab, or what Unicode calls a space, such as the one that does not
/// break, which comes along when a program is copied from a page.
///
/// Observed: Puppet 7.23, which knows no form feed.
pub(super) fn is_blank(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// Ends a token at `input`, and skips the white space after it.
pub(super) fn token<T>(input: Input<'_>, value: T) -> Parsed<'_, T> {
    let (input, ()) = space(input.ends_token())?;
    Ok((input, value))
}

/// Whether `next` extends the symbol before it to a longer one.
#[inline]
fn continues(symbol: Expected, next: u8) -> bool {
    match symbol {
        Expected::Bar | Expected::CloseCollector => next == b'>',
        Expected::Assign => matches!(next, b'=' | b'>' | b'~'),
        Expected::Colon => next == b':',
        _ => false,
    }
}

/// The symbol that is called as it is written.
pub(super) fn symbol<'a>(what: Expected) -> impl Fn(Input<'a>) -> Parsed<'a, ()> {
    move |input| if is_symbol(what, input) { skip_symbol(what, input) } else { input.expected(what) }
}

/// Skips the symbol at the input.
fn skip_symbol(what: Expected, input: Input<'_>) -> Parsed<'_, ()> {
    if what.opens() {
        input.opens_bracket();
    } else if what.closes() {
        input.closes_bracket();
    }
    token(input.skip(what.text().len()), ())
}

/// Skips the symbol if it is next, and returns whether it was. Otherwise notes it as expected.
#[inline]
pub(super) fn optional_symbol(what: Expected, input: Input<'_>) -> Parsed<'_, bool> {
    if !symbol_follows(what, input) {
        return Ok((input, false));
    }
    let (here, ()) = skip_symbol(what, input)?;
    Ok((here, true))
}

/// Whether the symbol stands here; notes it when not.
#[inline]
pub(super) fn symbol_follows(what: Expected, input: Input<'_>) -> bool {
    let follows = is_symbol(what, input);
    if !follows {
        input.note(what);
    }
    follows
}

/// Whether the symbol is next. The first byte usually decides.
#[inline]
fn is_symbol(what: Expected, input: Input<'_>) -> bool {
    what.text().as_bytes().first() == Some(&input.byte()) && is_whole_symbol(what, input)
}

/// Whether the symbol is next, given that its first byte is.
#[inline]
fn is_whole_symbol(what: Expected, input: Input<'_>) -> bool {
    let text = what.text().as_bytes();
    (text.len() == 1 || input.bytes().starts_with(text)) && !continues(what, input.byte_at(text.len()))
}

/// Whether a byte may be part of a word.
#[inline]
#[expect(clippy::indexing_slicing, reason = "there is a place for each byte")]
pub(super) fn is_word_byte(byte: u8) -> bool {
    /// A look into a table takes fewer steps than comparisons, and most of a program is words.
    const IS_WORD_BYTE: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0_u8;
        while byte < 128 {
            table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
            byte += 1;
        }
        table
    };
    IS_WORD_BYTE[byte as usize]
}

/// How many word characters stand at the start of `text`.
pub(super) fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word_byte(byte)).count()
}

/// ```ebnf
/// name ::= !keyword "::"? name_segment ("::" name_segment)* word_end
/// name_segment ::= [a-z] [a-zA-Z0-9_]*
/// bare_word ::= !keyword "::"? bare_segment ("::" bare_segment)* word_end
/// bare_segment ::= [a-z_] ("-"* [a-zA-Z0-9_])*
/// word_end ::= !("-"* [a-zA-Z0-9_] | "::" [^A-Z] | "::" end)
/// reference ::= "::"? reference_segment ("::" reference_segment)* !"::"
/// reference_segment ::= [A-Z] [a-zA-Z0-9_]*
/// ```
///
/// A run of letters, digits, underscores, hyphens and `::`, as it is classified by its first letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// A reserved word.
    Keyword(&'a str),
    /// `name`, `a::b`
    Name(&'a str),
    /// `a-b`, `_a`: a string without quotes
    Bare(&'a str),
    /// `Name`, `A::B`
    Reference(&'a str),
}

/// The word at the start of `input`, without the white space after it.
pub(super) fn word(input: Input<'_>) -> Parsed<'_, Option<Word<'_>>> {
    let bytes = input.bytes();
    let length = word_length(bytes);
    // Most words are a single segment of a name.
    if !bytes.first().is_some_and(u8::is_ascii_lowercase) || matches!(bytes.get(length), Some(b'-' | b':')) {
        return general_word(input);
    }
    let after = input.skip(length);
    let word = input.until(after);
    Ok((after, Some(if is_keyword(word) { Word::Keyword(word) } else { Word::Name(word) })))
}

/// A word of any kind and any number of segments.
#[inline(never)]
#[expect(clippy::indexing_slicing, reason = "the places are those of letters and colons that were found")]
fn general_word(input: Input<'_>) -> Parsed<'_, Option<Word<'_>>> {
    let bytes = input.bytes();
    let first = if bytes.starts_with(b"::") { 2 } else { 0 };
    match bytes.get(first) {
        Some(b'A'..=b'Z') => {
            let mut end = first + word_length(&bytes[first..]);
            while bytes[end..].starts_with(b"::") {
                let next = end + 2 + word_length(&bytes[end + 2..]);
                if !bytes.get(end + 2).is_some_and(u8::is_ascii_uppercase) {
                    // Puppet points at the second colon.
                    let (place, after) = (input.skip(end + 1), input.skip(next));
                    let kind = SyntaxError::IllegalReference(input.until(after).to_owned());
                    return refuse(kind, place.span_until(after));
                }
                end = next;
            }
            let after = input.skip(end);
            Ok((after, Some(Word::Reference(input.until(after)))))
        }
        Some(b'a'..=b'z' | b'_') => {
            let (mut end, mut is_name) = (first, true);
            loop {
                let start = end;
                end += word_length(&bytes[start..]);
                is_name &= bytes[start] != b'_';
                if bytes.get(end) == Some(&b'-') {
                    let bare = start + bare_length(&bytes[start..]);
                    is_name &= bare == end;
                    end = bare;
                }
                match &bytes[end..] {
                    [b':', b':', b'a'..=b'z' | b'_', ..] => end += 2,
                    [b':', b':', b'A'..=b'Z', ..] => break,
                    [b':', b':', ..] => return illegal_name(input, end + 2),
                    _ => break,
                }
            }
            let after = input.skip(end);
            let word = input.until(after);
            let word = match is_name {
                true if is_keyword(word) => Word::Keyword(word),
                true => Word::Name(word),
                false => Word::Bare(word),
            };
            Ok((after, Some(word)))
        }
        _ if first == 2 => illegal_name(input, 2),
        _ => Ok((input, None)),
    }
}

/// The error of a name that has no letter at `length`.
fn illegal_name<T>(input: Input<'_>, length: usize) -> Parsed<'_, T> {
    let end = length + input.bytes().get(length..).map_or(0, word_length);
    let place = input.skip(length);
    refuse(SyntaxError::IllegalName(input.rest()[..end].to_owned()), place.span_until(input.skip(end)))
}

/// The length of one segment of a bare word: hyphens count when something follows them.
fn bare_length(text: &[u8]) -> usize {
    let mut length = 0;
    for (at, byte) in text.iter().enumerate() {
        if is_word_byte(*byte) {
            length = at + 1;
        } else if *byte != b'-' {
            break;
        }
    }
    length
}

/// Whether a word is reserved.
pub(super) fn is_keyword(word: &str) -> bool {
    /// The first letters of the keywords of each length, as bits.
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    const FIRST_LETTERS: [u32; 16] = {
        let mut letters = [0; 16];
        let mut at = 0;
        while at < KEYWORDS.len() {
            let word = KEYWORDS[at].as_bytes();
            letters[word.len()] |= 1 << (word[0] - b'a');
            at += 1;
        }
        letters
    };
    let first = word.bytes().next().map_or(u32::MAX, |letter| u32::from(letter.wrapping_sub(b'a')));
    let letters = FIRST_LETTERS.get(word.len()).copied().unwrap_or(0);
    letters.checked_shr(first).is_some_and(|letters| letters & 1 == 1) && KEYWORDS.contains(&word)
}

/// Whether `keyword` is next as a whole word. The first letter usually decides.
#[inline]
pub(super) fn keyword_follows(keyword: &str, input: Input<'_>) -> bool {
    keyword.as_bytes().first() == Some(&input.byte()) && is_keyword_at(keyword, input)
}

fn is_keyword_at(keyword: &str, input: Input<'_>) -> bool {
    let bytes = input.bytes();
    let Some(after) = bytes.strip_prefix(keyword.as_bytes()) else { return false };
    if bare_length(bytes) != keyword.len() {
        return false;
    }
    // `if::Foo` is `if` and a type.
    after.strip_prefix(b"::").is_none_or(|segment| segment.first().is_some_and(u8::is_ascii_uppercase))
}

/// Skips the keyword that stands here, when it does.
pub(super) fn keyword<'a>(keyword: &'static str, what: Expected) -> impl Fn(Input<'a>) -> Parsed<'a, ()> {
    move |input| {
        if keyword_follows(keyword, input) { token(input.skip(keyword.len()), ()) } else { input.expected(what) }
    }
}

/// What `part` reads after the symbol, if that stands here.
pub(super) fn after_symbol<'a, T>(
    what: Expected,
    input: Input<'a>,
    part: impl FnOnce(Input<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, Option<T>> {
    let (here, follows) = optional_symbol(what, input)?;
    if !follows {
        return Ok((input, None));
    }
    let (here, value) = part(here)?;
    Ok((here, Some(value)))
}

/// What `part` reads after the keyword, if that stands here.
pub(super) fn after_keyword<'a, T>(
    word: &'static str,
    what: Expected,
    input: Input<'a>,
    part: impl FnOnce(Input<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, Option<T>> {
    if !keyword_follows(word, input) {
        input.note(what);
        return Ok((input, None));
    }
    let (here, ()) = keyword(word, what)(input)?;
    let (here, value) = part(here)?;
    Ok((here, Some(value)))
}

/// Items with a separator between them, and one at the end if the list `ends` there.
pub(super) fn list<'a, T, L: FromIterator<T>>(
    separator: Expected,
    input: Input<'a>,
    item: impl Fn(Input<'a>) -> Parsed<'a, T>,
    ends: impl Fn(Input<'a>) -> bool,
) -> Parsed<'a, L> {
    let (mut here, first) = item(input)?;
    // The list is allocated once, with its final length.
    let mut items = SmallVec::<[T; 4]>::new();
    items.push(first);
    loop {
        let (after, follows) = optional_symbol(separator, here)?;
        if !follows || ends(after) {
            return Ok((after, items.into_iter().collect()));
        }
        let (after, next) = item(after)?;
        items.push(next);
        here = after;
    }
}

/// The length of the variable name at the start of `text`; 0 when there is none.
pub(super) fn variable_name_length(text: &str) -> usize {
    let text = text.as_bytes();
    let mut end = word_length(text);
    while let Some([b':', b':', next, ..]) = text.get(end..)
        && is_word_byte(*next)
    {
        end += 2;
        end += text.get(end..).map_or(0, word_length);
    }
    end
}

/// The length of the word, symbol or character at the start of `text`, as errors quote it.
pub(super) fn token_length(text: &str) -> usize {
    let word = bare_length(text.strip_prefix('$').unwrap_or(text).as_bytes());
    if word > 0 {
        return word + usize::from(text.starts_with('$'));
    }
    if let Some(quote @ (b'\'' | b'"')) = text.bytes().next() {
        let line = text.lines().next().unwrap_or_default();
        let quote = char::from(quote);
        return line[1..].find(quote).map_or(1, |length| length + 2);
    }
    let symbols = text.bytes().take_while(|byte| b"=!<>~&|+-*/%^".contains(byte)).count();
    symbols.clamp(usize::from(!text.is_empty()), 3).max(text.chars().next().map_or(0, char::len_utf8))
}
