//! Tests of `secrets`, of which it is a module.

use super::*;

#[test]
fn secrets_are_found_by_their_letters() {
    let secrets = Secrets::default();
    for secret in ["hunter2", "ter2x", "ab", "", "é\nü!"] {
        secrets.note(secret);
    }
    for (text, masked) in [("a hunter2 b", "a ******* b"), ("myhunter2xy", "my********y"), ("é\nü!?", "**\n***?")] {
        assert_eq!(secrets.masked(text).as_deref(), Some(masked));
        assert!(secrets.are_in(text));
    }
    assert_eq!((secrets.masked("hunter"), secrets.noted()), (None, 5));
    assert_eq!(secrets.redacted("hunter2x, ab").as_deref(), Some("[redacted], ab"));
}

#[test]
fn too_many_secrets_make_everything_one() {
    let secrets = Secrets::default();
    for number in 0..MAX_SECRETS {
        secrets.note(&format!("secret {number}"));
    }
    assert!(!secrets.are_in("harmless"));
    secrets.note("one more");
    assert_eq!(secrets.redacted("harmless").as_deref(), Some(REDACTED));
}

#[test]
fn secrets_are_noted_where_the_work_is() {
    let (outer, inner) = (Secrets::default(), Secrets::default());
    let note = |text: &str| Secrets::current().iter().for_each(|secrets| secrets.note(text));
    note("nobody");
    outer.watch(|| {
        inner.watch(|| note("inner"));
        note("outer");
    });
    assert_eq!((outer.are_in("inner"), outer.are_in("outer"), inner.are_in("inner")), (false, true, true));
}
