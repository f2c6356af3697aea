//! Tests of `data::yaml_writer`, of which it is a module.

use super::*;
use crate::session::Session;

fn written(code: &str) -> (Value, String) {
    let value = Session::default().eval(code).unwrap();
    let text = to_yaml(&value).unwrap();
    (value, text)
}

#[test]
fn what_is_written_is_read_back() {
    let (value, text) = written(
        "{'web' => {'port' => 80, 'names' => ['a', 'b c', 'yes', '1', 'x: y', '# z', '', '- d', \"two\\nlines\", ' e ',
          \"\\n\\n x\", 'it\\'s: x', \"end\\n\\n\"]},
          'empty' => [{}, [], undef, [[1, [2]], {'k' => {'l' => [true]}}]], '~' => 1.5}",
    );
    assert_eq!(read(Format::Yaml, &Source::new("written", text.as_str())).unwrap().value, value, "{text}");
}

#[test]
fn the_form_is_that_of_ruby() {
    let (_, text) = written(
        "{'a' => [1, {'b' => undef, 'c' => []}], 'd' => 'yes', 'e' => 'x: y', 'f' => \"two\\nlines\", 'g' => '',
          'm' => \"a\\tb\", 'n' => '# z', 'p' => \"two\\nlines\\n\", 'r' => [[1, [2]]], 's' => \"it's: x\", 'bb' => '2001-01-01'}",
    );
    let ruby = [
        "---",
        "a:",
        "- 1",
        "- b:",
        "  c: []",
        "d: 'yes'",
        "e: 'x: y'",
        "f: |-",
        "  two",
        "  lines",
        "g: ''",
        "m: \"a\\tb\"",
        "\"n\": \"# z\"",
        "p: |",
        "  two",
        "  lines",
        "r:",
        "- - 1",
        "  - - 2",
        "s: 'it''s: x'",
        "bb: '2001-01-01'",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), ruby);
    assert_eq!(written("'x'").1, "--- x");
    assert_eq!(written("[undef]").1, "---\n-");
}
