//! Tests of `cli::style`, of which it is a module.

use super::*;
use pcore::session::Console;

fn result(settings: &[(&str, &str)], code: &str) -> String {
    let mut session = Console::default();
    for (name, value) in settings {
        assert_eq!(session.change_setting(name, value), Ok(()));
    }
    let source = pcore::text::Source::new("test", code);
    let value = session.evaluate(&source, &mut |_| {}).expect("the program is fine");
    OutputStyle::from_settings(&session.settings, None, [Palette::Plain; 2]).render_result(&value, None)
}

#[test]
fn without_a_screen_a_result_is_one_line() {
    let code = "Integer[1, 100].map |$n| { $n }";
    assert_eq!(result(&[], code).lines().count(), 1);
    assert_eq!(result(&[("lines", "2")], "[1, 2, 3]"), "=> [1, 2, 3]");
}

#[test]
fn a_result_is_laid_out_within_the_width() {
    let code = "{name => 'web', ports => [80, 443]}";
    assert_eq!(result(&[("width", "20")], code), "=> {\n  'name' => 'web',\n  'ports' => [\n    80, 443\n  ]\n}");
    assert_eq!(result(&[("width", "60")], code), "=> {'name' => 'web', 'ports' => [80, 443]}");
}

#[test]
fn what_is_cut_is_counted() {
    let code = "Integer[1, 20].map |$n| { [$n] }";
    let cut = [("width", "20"), ("lines", "3")];
    assert_eq!(result(&cut, code), "=> [\n  [1],\n  [2],\n… 19 more lines; `:full` shows all");
    assert_eq!(result(&[("width", "20"), ("lines", "22")], code).lines().count(), 22);
    assert_eq!(
        result(&[("width", "20"), ("lines", "21")], code).lines().last(),
        Some("… 1 more line; `:full` shows all")
    );
}

#[test]
fn a_line_that_no_screen_holds_is_cut_in_itself() {
    let cut = [("width", "20"), ("lines", "2")];
    let code = "String(10, '%050d')";
    let shown = format!("=> '{}\n… 12 more characters; `:full` shows all", "0".repeat(39));
    assert_eq!(result(&cut, code), shown);
}

#[test]
fn wide_characters_take_the_columns_that_they_have() {
    let cut = [("width", "20"), ("lines", "2")];
    let shown = format!("=> '{}\n… 12 more characters; `:full` shows all", "日".repeat(19));
    assert_eq!(result(&cut, "'日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日'"), shown);
    let screen = ScreenSize { columns: 4, rows: 2 };
    assert!(!screen.is_too_small_for("日本語"));
    assert!(!screen.is_too_small_for("\u{1b}[32mabcd\u{1b}[0m\nabcd"));
    assert!(screen.is_too_small_for("日本語日本"));
}

#[test]
fn a_format_is_used_where_it_fits() {
    assert_eq!(result(&[("format", "%#x")], "255"), "=> 0xff");
    assert_eq!(result(&[("format", "%#x")], "'text'"), "=> 'text'");
}

#[test]
fn colours_change_nothing_but_colours() {
    let code = "{'a' => [1, undef, Integer[1], /x/, '$x # no comment']}";
    let painted = Palette::Coloured.paint_code(code);
    let mut plain = String::new();
    let mut rest = painted.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    assert_eq!(plain + rest, code);
    assert_ne!(painted, code);
}

#[test]
fn bright_colours_are_darker_on_a_light_background() {
    assert_eq!(Palette::OnLight.paint_code("1"), "\u{1b}[38;5;130m1\u{1b}[0m");
    let warning = |palette: Palette| palette.paint_text(show::WARNING_STYLE, "x");
    assert_eq!(warning(Palette::OnLight), warning(Palette::Coloured).replace("33", "38;5;130"));
    assert_eq!(Palette::OnLight.darken_codes_on_light("1"), "1");
}
