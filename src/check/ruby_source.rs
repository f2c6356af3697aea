//! The structure of a Ruby file: its text without the contents of strings, regular expressions and comments, so that words
//! and brackets can be searched for.

use std::sync::LazyLock;

use regex::Regex;

use crate::regexp::constant;

/// Comments and `%q{…}`; strings; regular expressions, with what is before them; starts of heredocs.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r#"(?sx)
        (\#[^\n]* | \n=begin\b.*?\n=end\b | \n__END__.*
            | %[qQwWiIr]?(?:\{(?:[^{}\\]|\\.|\{[^{}]*\})*\} | \((?:[^()\\]|\\.|\([^()]*\))*\) | \[(?:[^\[\]\\]|\\.)*\]))
        | ('(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*`)
        | (?:[(,=~!|&\[;\n] | \b(?:if|unless|when|and|or|newvalues?))[\ \t]*(/(?:[^/\\\n]|\\.)+/)
        | <<[-~]?['"]?([A-Z_][A-Za-z_0-9]*)"#,
    )
});

/// The text with spaces for comments and the contents of literals, byte by byte; line breaks stay.
pub(super) fn outline(text: &str) -> String {
    let mut outlined = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(token) = TOKEN.captures_at(text, at) {
        let whole = token.get_match();
        let blank = if let Some(tag) = token.get(4) {
            let start = text[whole.end()..].find('\n').map_or(text.len(), |line| whole.end() + line);
            let lines = text[start..].split_inclusive('\n').skip(1);
            let body: usize = lines.take_while(|line| line.trim() != tag.as_str()).map(str::len).sum();
            start..(start + 1 + body).min(text.len())
        } else if let Some(literal) = token.get(2).or(token.get(3)) {
            // The quotes stay.
            literal.start() + 1..literal.end() - 1
        } else {
            whole.range()
        };
        at = blank.end.max(whole.start() + 1);
        for byte in outlined.get_mut(blank).unwrap_or_default() {
            *byte = if *byte == b'\n' { b'\n' } else { b' ' };
        }
        // The quote at the end begins nothing.
        at += usize::from(at < whole.end());
    }
    outlined.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '_' }).collect()
}
