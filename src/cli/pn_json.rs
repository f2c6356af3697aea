//! The JSON form of PN: a list is `{"^": [head, …]}`, a map is `{"#": [key, value, …]}`, a vector an array.
//!
//! Source: puppet-specifications, models/pn.md, "PN Represented as Data".

use serde_json::{Value as Json, json};

/// Reads a text that was written as PN.
pub(super) fn from_pn(pn: &str) -> Json {
    // What is open, innermost last: its bracket, and its items so far. The whole text is one more vector around it.
    let mut open: Vec<(u8, Vec<Json>)> = vec![(b'[', Vec::new())];
    let mut rest = pn;
    while let Some(first) = rest.bytes().next() {
        let (item, length) = match first {
            b' ' => (None, 1),
            b'(' | b'[' | b'{' => {
                open.push((first, Vec::new()));
                (None, 1)
            }
            b')' | b']' | b'}' => (open.pop().map(closed), 1),
            b'"' => {
                let (text, length) = string(rest);
                (Some(Json::from(text)), length)
            }
            _ => {
                let length = rest.find([' ', ')', ']', '}']).unwrap_or(rest.len());
                (Some(atom(&rest[..length])), length)
            }
        };
        if let (Some(item), Some((_, items))) = (item, open.last_mut()) {
            items.push(item);
        }
        rest = &rest[length..];
    }
    open.pop().and_then(|(_, mut items)| items.pop()).unwrap_or(Json::Null)
}

fn closed((bracket, items): (u8, Vec<Json>)) -> Json {
    match bracket {
        b'(' => json!({ "^": items }),
        b'{' => json!({ "#": items }),
        _ => Json::from(items),
    }
}

/// A number, `true`, `false`, `nil`; a `:key` or the head of a list.
fn atom(text: &str) -> Json {
    match text {
        "nil" => Json::Null,
        _ => match text.strip_prefix(':') {
            Some(key) => Json::from(key),
            None => serde_json::from_str(text).unwrap_or_else(|_| Json::from(text)),
        },
    }
}

/// The quoted string at the start of `text`, and how many bytes it takes.
fn string(text: &str) -> (String, usize) {
    let mut read = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (read, at + 1),
            '\\' => match characters.next() {
                Some((_, 't')) => read.push('\t'),
                Some((_, 'n')) => read.push('\n'),
                Some((_, 'r')) => read.push('\r'),
                Some((_, 'o')) => {
                    let digits: String = characters.by_ref().take(3).map(|(_, digit)| digit).collect();
                    read.extend(u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32));
                }
                Some((_, other)) => read.push(other),
                None => {}
            },
            other => read.push(other),
        }
    }
    (read, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_its_json() {
        let table = [
            ("1", json!(1)),
            ("-1.5", json!(-1.5)),
            ("nil", Json::Null),
            ("true", json!(true)),
            (r#""a\"b\\c\n\o001é""#, json!("a\"b\\c\n\u{1}é")),
            ("(+ 1 (- 2))", json!({"^": ["+", 1, {"^": ["-", 2]}]})),
            ("(default)", json!({"^": ["default"]})),
            (
                r#"(if {:test (var "x") :then [1 2]})"#,
                json!({"^": ["if", {"#": ["test", {"^": ["var", "x"]}, "then", [1, 2]]}]}),
            ),
        ];
        for (pn, expected) in table {
            assert_eq!(from_pn(pn), expected, "{pn}");
        }
    }
}
