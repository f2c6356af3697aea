//! Files that a session loads, and loads again.

use pcore::session::Session;
use pcore::text::Source;

#[test]
fn a_file_that_is_loaded_again_defines_anew_and_drops_what_it_no_longer_has() {
    let mut session = Session::default();
    let mut load = |text: &str| {
        let result = session.load(&Source::new("a.pp", text), &mut |_| {});
        (result.map_err(|error| error.code()).is_ok(), session.describe_loaded_file("a.pp"))
    };
    let first = "a.pp defines Port, double(), $x".to_owned();
    assert_eq!(load("type Port = Integer\nfunction double($n) { $n * 2 }\n$x = 1"), (true, Some(first)));
    assert_eq!(load("type Port = String\n$y = 2"), (true, Some("a.pp defines Port, $y".to_owned())));
    assert_eq!(session.functions(), Vec::<String>::new());
    assert_eq!(session.variable("x"), None);
}

#[test]
fn many_names_are_counted() {
    let mut session = Session::default();
    let text: Vec<String> = (0..10).map(|number| format!("$x{number} = 1")).collect();
    session.load(&Source::new("a.pp", text.join("\n")), &mut |_| {}).expect("the file is fine");
    let shown = "a.pp defines $x0, $x1, $x2, $x3, $x4, $x5, $x6, $x7 and 2 more".to_owned();
    assert_eq!(session.describe_loaded_file("a.pp"), Some(shown));
}
