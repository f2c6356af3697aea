//! Tests of `secrets`, of which it is a module.

use super::*;

#[test]
fn secrets_are_found_by_their_letters() {
    let secrets = Secrets::default();
    for secret in ["hunter2", "ter2x", "ab", "", "é\nü!"] {
        secrets.note_secret(secret);
    }
    for (text, masked) in [("a hunter2 b", "a ******* b"), ("myhunter2xy", "my********y"), ("é\nü!?", "**\n***?")] {
        assert_eq!(secrets.mask_secrets(text).as_deref(), Some(masked));
        assert!(secrets.occur_in(text));
    }
    assert_eq!((secrets.mask_secrets("hunter"), secrets.noted_count()), (None, 5));
    assert_eq!(secrets.redact("hunter2x, ab").as_deref(), Some("[redacted], ab"));
}

#[test]
fn too_many_secrets_make_everything_one() {
    let secrets = Secrets::default();
    for number in 0..MAX_SECRETS {
        secrets.note_secret(&format!("secret {number}"));
    }
    assert!(!secrets.occur_in("harmless"));
    secrets.note_secret("one more");
    assert_eq!(secrets.redact("harmless").as_deref(), Some(REDACTED));
}

#[test]
fn secrets_are_noted_where_the_work_is() {
    let (outer, inner) = (Secrets::default(), Secrets::default());
    let note = |text: &str| Secrets::current().iter().for_each(|secrets| secrets.note_secret(text));
    note("nobody");
    outer.run_as_current(|| {
        inner.run_as_current(|| note("inner"));
        note("outer");
    });
    assert_eq!((outer.occur_in("inner"), outer.occur_in("outer"), inner.occur_in("inner")), (false, true, true));
}
