//! Tests of `session::commands::tour`, of which it is a module.

use super::program_entries;

#[test]
fn what_a_step_defines_can_be_used() {
    let body = "Text.\n>> $x = [1,\n..   2]\n=> [1, 2]\n>> :why\n";
    assert_eq!(program_entries(body).collect::<Vec<_>>(), ["$x = [1,\n  2]"]);
}
