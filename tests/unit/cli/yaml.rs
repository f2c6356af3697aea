//! Tests of `cli::yaml`, of which it is a module.

use super::*;
use serde_json::json;

#[test]
fn what_is_written_is_read_back() {
    let data = json!({
        "web": {"port": 80, "names": ["a", "b c", "yes", "1", "x: y", "# z", "", "- d", "two\nlines", " e "]},
        "empty": [{}, [], null, [[1, [2]], {"k": {"l": [true]}}]],
        "~": 1.5,
    });
    let text = written(&data);
    let read = data::read(Format::Yaml, &Source::new("written", text.as_str())).unwrap().value;
    assert_eq!(serde_json::to_value(&read).unwrap(), data, "{text}");
    assert_eq!(written(&json!({"a": ["b", {"c": "no"}]})), "a:\n- b\n-\n  c: \"no\"");
}
