//! The settings of the prompt.

use pcore::Value;
use pcore::format::convert;
use pcore::session::Console;
use pcore::session::settings::TABLE;

#[test]
fn every_setting_takes_its_default_and_its_words() {
    for row in TABLE {
        let mut session = Console::default();
        let default = row.default_value();
        for word in row.values.accepted_words().into_iter().chain([default.as_str()]) {
            assert_eq!(session.change_setting(row.name, word), Ok(()), "{} {word}", row.name);
            assert_eq!(row.value(&session), word);
        }
    }
}

#[test]
fn what_cannot_be_set_is_refused_with_advice() {
    let refusal = |name: &str, value: &str| Console::default().change_setting(name, value).unwrap_err();
    assert_eq!(refusal("colour", "auto"), "unknown setting `colour`; did you mean `color`?");
    assert_eq!(
        refusal("shape", "round"),
        "unknown setting `shape`; settings are strict, format, width, lines, color, theme, keys, history, prompt, timing, numbers"
    );
    assert_eq!(
        refusal("color", "allways"),
        "expected auto, always or never for `color`, got `allways`; did you mean `always`?"
    );
    assert_eq!(refusal("width", "3"), "expected auto, off or a number from 20 to 1000 for `width`, got `3`");
    assert_eq!(
        refusal("format", "%q"),
        "expected `json`, a format such as `%s` or a hash such as `{Integer => '%#x'}` for `format`, got `%q`"
    );
    assert_eq!(refusal("prompt", "a\nb"), "expected a string on one line for `prompt`, got `a\nb`");
}

#[test]
fn a_prompt_may_be_in_quotes() {
    let mut session = Console::default();
    for written in ["x>", "'x> '", "\"x>\""] {
        assert_eq!(session.change_setting("prompt", written), Ok(()));
        assert_eq!(session.settings.prompt, "x>");
    }
}

#[test]
fn a_format_leaves_values_alone_that_it_is_not_for() {
    let mut session = Console::default();
    let formatted = |session: &Console, value: &Value| {
        let (_, format) = session.settings.format.as_ref().expect("a format is set");
        convert(value, format).ok()
    };
    assert_eq!(session.change_setting("format", "{Integer => '%#x'}"), Ok(()));
    assert_eq!(formatted(&session, &Value::Integer(255)), Some("0xff".to_owned()));
    assert_eq!(session.change_setting("format", "%x"), Ok(()));
    assert_eq!(formatted(&session, &Value::from("text")), None);
}
