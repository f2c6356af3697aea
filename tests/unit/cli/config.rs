//! Tests of `cli::config`, of which it is a module.

use super::*;

/// The problems, each with line and column.
fn problems(text: &str, session: &mut Console) -> Vec<String> {
    let described = |error: &Error| {
        let place = error.position().map(|place| format!("{}:{}", place.line, place.column));
        format!("{} {}", place.unwrap_or_default(), error.message())
    };
    apply_toml_settings(&Source::new("config.toml", text), session).iter().map(described).collect()
}

#[test]
fn settings_are_set() {
    let mut session = Console::default();
    let text = "# mine\nstrict = \"error\"\nwidth = 100\nkeys = 'vi'\nformat = \"{Integer => '%#x'}\"\n";
    assert_eq!(problems(text, &mut session), Vec::<String>::new());
    let set = |name: &str| settings::find_setting(name).map(|row| row.value(&session));
    assert_eq!(
        ["strict", "width", "keys", "format", "lines"].map(set),
        ["error", "100", "vi", "{Integer => '%#x'}", "auto"].map(|value| Ok(value.to_owned()))
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_rest_is_set() {
    let mut session = Console::default();
    let text = "colour = 'never'\nwidth = 3\nlines = 10\nkeys = ['vi']\n[prompt]\n";
    assert_eq!(
        problems(text, &mut session),
        [
            "1:1 unknown setting `colour`; did you mean `color`?",
            "2:9 expected auto, off or a number from 20 to 1000 for `width`, got `3`",
            "4:8 `keys` is emacs or vi, got ['vi']",
            "5:1 `prompt` is a string on one line, got [prompt]",
        ]
    );
    assert_eq!(settings::find_setting("lines").map(|row| row.value(&session)), Ok("10".to_owned()));
}

#[test]
fn what_is_no_toml_is_told_with_its_place() {
    let mut session = Console::default();
    assert_eq!(problems("lines = 10\nwidth = \n", &mut session).len(), 1);
    assert_eq!(settings::find_setting("lines").map(|row| row.value(&session)), Ok("10".to_owned()));
}
