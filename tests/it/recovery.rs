//! After a syntax error, reading goes on: all mistakes of a text are found, and nothing that only comes of one.

use pcore::syntax::{parse, parse_all};
use pcore::text::Source;

/// The lines of all syntax errors.
#[track_caller]
fn lines(text: &str) -> Vec<usize> {
    let source = Source::new("site.pp", text);
    let errors = parse_all(&source).expect_err("the text has a mistake");
    let first = parse(&source).expect_err("the text has a mistake");
    assert_eq!(errors[0].to_string(), first.to_string());
    errors.iter().map(|error| error.position().expect("an error has a place").line).collect()
}

#[test]
fn every_mistake_is_found_where_it_is() {
    let class = "class web (
  Integer $port = => 80,
  String $name = 'x',
) {
  file { '/a':
    ensure => => file,
    mode   => '0644',
    owner  => 'root'
    group  => 'root',
  }

  if $port {
    notice('a') )
  }

  case $name {
    'a': { include a }
    'b', => { include b }
    default: { include c }
  }
}
";
    assert_eq!(lines(class), [2, 6, 9, 13, 18]);
}

#[test]
fn a_list_that_nothing_closes_ends_with_its_lines() {
    assert_eq!(lines("$a = [1, 2\n$b = 3\n$c = 4\n$d = ]\n"), [2, 4]);
    assert_eq!(lines("class a (\n  $x = f([1, 2,\n  String $y = 1,\n  $z = 2,\n  $w = => 3,\n) { }\n"), [3, 5]);
}

#[test]
fn a_brace_that_is_missing_after_a_mistake_is_found_by_the_layout() {
    let resources = "class a {
  file { '/a':
    ensure => => file,
    owner  => 'root',
    mode   => '0644',
    group  => 'root',

  file { '/b':
    ensure => file,
  }
}
";
    assert_eq!(lines(resources), [3, 8]);
    assert_eq!(lines("class a {\n  $x = = 1\n\n  if $x {\n    include b\n  }\n"), [2, 7]);
}

#[test]
fn a_string_that_its_line_does_not_close_hides_no_mistake_behind_it() {
    let list = "$x = [
  'a,
  'b',
  'c',
]

file { '/a':
  mode => => '0644',
}
";
    assert_eq!(lines(list), [3, 8]);
    let title = "file { '/a:
  ensure => file,
  owner  => 'root',
}

file { '/b':
  ensure => => file,
}
";
    assert_eq!(lines(title), [3, 7]);
}

#[test]
fn braces_of_what_was_skipped_are_no_mistakes() {
    assert_eq!(
        lines("class a {\n  if $x 1x {\n    include b\n  } else {\n    include c\n  }\n}\n\nclass d {\n  = 1\n}\n"),
        [2, 10]
    );
    assert_eq!(lines("class a {\n  file  '/x':\n    ensure => file,\n  }\n  include b\n}\n"), [2]);
}

#[test]
fn what_comes_of_one_mistake_is_none() {
    assert_eq!(lines("$a = [1, ,\n  2,\n  3,\n]\n$b = 1\n"), [1]);
    assert_eq!(lines("file { { 'a':\n  ensure => file,\n  mode => '1',\n}\n"), [1]);
    assert_eq!(lines("$x = 'abc\n$y = 1\n"), [1]);
    let wrong_bracket = "class a {\n  if $x {\n    include b\n  ]\n\n  include c\n\n  include d\n}\n";
    assert_eq!(lines(wrong_bracket), [4]);
    // A brace that is missing besides is missing.
    assert_eq!(lines(&wrong_bracket.replace("  include d\n}", "  if $y {\n    include d\n")), [4, 11]);
}

#[test]
fn many_mistakes_are_counted_up_to_a_hundred() {
    assert_eq!(lines(&"$a = => 1\n\n\n".repeat(200)).len(), 100);
    assert!(lines(&format!("{}a => b\n", "if $x {\n".repeat(900))).len() <= 100);
}
