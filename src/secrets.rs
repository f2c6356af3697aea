//! The secrets of a session: strings that programs put into a Sensitive. Errors, the history and saved files omit them.
//!
//! A string is secret because of the evaluation, not because of the code: the constructor of Sensitive notes every
//! string in its content. Output is searched for these strings, except for those shorter than [`MIN_SECRET_CHARACTERS`] letters, which
//! occur in too many other strings. If there are more secrets than can be kept, all output counts as secret.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{cell::RefCell, fmt, ops::Range};

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashSet;

use crate::error::{REDACTED, is_inside_word, replace_ranges};
use crate::interrupt;

const MAX_SECRETS: usize = 10_000;

/// The maximum total length of all secrets, in bytes. Beyond it, all output counts as secret.
const MAX_TOTAL_BYTES: usize = 1 << 20;

/// The minimum length of a secret. Shorter strings are not redacted, because they occur inside ordinary words.
const MIN_SECRET_CHARACTERS: usize = 4;

thread_local! {
    static CURRENT_SECRETS: RefCell<Option<Secrets>> = const { RefCell::new(None) };
}

/// The secrets of a session. Cloning shares them.
#[derive(Clone, Default)]
pub struct Secrets(Arc<Mutex<KnownSecrets>>);

#[derive(Default)]
struct KnownSecrets {
    texts: FxHashSet<Box<str>>,
    /// Searches for all secrets at once. Built when needed; `None` again after a new secret was noted.
    finder: Option<AhoCorasick>,
    total_bytes: usize,
    noted_count: u64,
    is_full: bool,
}

impl KnownSecrets {
    fn treat_all_text_as_secret(&mut self) {
        *self = KnownSecrets { noted_count: self.noted_count + 1, is_full: true, ..KnownSecrets::default() };
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("noted", &self.noted_count()).finish_non_exhaustive()
    }
}

impl Secrets {
    fn lock_known(&self) -> MutexGuard<'_, KnownSecrets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a string as a secret, which is redacted in all output from now on. Ignores strings that are too short.
    pub fn note_secret(&self, text: &str) {
        let mut known = self.lock_known();
        known.noted_count += 1;
        interrupt::take_steps_for_bytes(text.len());
        if known.is_full || text.trim().chars().nth(MIN_SECRET_CHARACTERS - 1).is_none() || known.texts.contains(text) {
            return;
        }
        known.total_bytes = known.total_bytes.saturating_add(text.len());
        if known.texts.len() >= MAX_SECRETS || known.total_bytes > MAX_TOTAL_BYTES {
            known.treat_all_text_as_secret();
        } else {
            known.texts.insert(text.into());
            known.finder = None;
        }
    }

    pub(crate) fn treat_all_text_as_secret(&self) {
        self.lock_known().treat_all_text_as_secret();
    }

    /// Returns the number of calls of `note_secret`: an evaluation that changes it has made a Sensitive.
    pub fn noted_count(&self) -> u64 {
        self.lock_known().noted_count
    }

    /// Whether `text` contains a secret; always `true` once there were more secrets than can be kept.
    pub fn occur_in(&self, text: &str) -> bool {
        !self.secret_ranges(text).is_empty()
    }

    /// Returns `text` with `[redacted]` in place of each secret; `None` if it contains none.
    pub fn redact(&self, text: &str) -> Option<String> {
        self.redact_except(text, &[])
    }

    /// Like [`Secrets::redact`], but keeps a secret where it is part of one of the words in `public`.
    pub(crate) fn redact_except(&self, text: &str, public: &[String]) -> Option<String> {
        let mut places = self.secret_ranges(text);
        places.retain(|place| !is_inside_word(place, text, public));
        replace_ranges(text, &places, |_| REDACTED.to_owned())
    }

    /// Returns `text` with `*` for each byte of a secret except newlines, so offsets stay the same; `None` without one.
    pub(crate) fn mask_secrets(&self, text: &str) -> Option<String> {
        replace_ranges(text, &self.secret_ranges(text), |secret| secret.chars().map(mask_character).collect())
    }

    /// Returns the byte ranges of the secrets in `text`, in order, overlaps joined; all of it if there were too many.
    fn secret_ranges(&self, text: &str) -> Vec<Range<usize>> {
        let known = &mut *self.lock_known();
        if known.texts.is_empty() && !known.is_full {
            return Vec::new();
        }
        if known.finder.is_none() && !known.is_full {
            known.finder = AhoCorasick::new(known.texts.iter().map(|text| text.as_bytes())).ok();
        }
        let Some(finder) = &known.finder else { return std::iter::once(0..text.len()).collect() };
        let found = interrupt::step_through(finder.find_overlapping_iter(text));
        let mut places: Vec<Range<usize>> = found.map(|found| found.range()).collect();
        places.sort_unstable_by_key(|place| (place.start, place.end));
        places.dedup_by(|next, place| {
            let is_joined = next.start <= place.end;
            place.end = if is_joined { place.end.max(next.end) } else { place.end };
            is_joined
        });
        places
    }

    /// Runs `work` with these secrets as [`Secrets::current`], so that strings it makes secret are noted here.
    pub(crate) fn run_as_current<R>(&self, work: impl FnOnce() -> R) -> R {
        /// Restores the outer secrets when it is dropped, also during a panic.
        struct RestoreOuterSecrets(Option<Secrets>);

        impl Drop for RestoreOuterSecrets {
            fn drop(&mut self) {
                CURRENT_SECRETS.set(self.0.take());
            }
        }

        let _outer = RestoreOuterSecrets(CURRENT_SECRETS.replace(Some(self.clone())));
        work()
    }

    /// Returns the secrets of the session that runs on this thread; `None` outside of an evaluation.
    pub(crate) fn current() -> Option<Secrets> {
        CURRENT_SECRETS.with_borrow(Clone::clone)
    }
}

pub(crate) fn mask_character(letter: char) -> String {
    if letter == '\n' { "\n".to_owned() } else { "*".repeat(letter.len_utf8()) }
}

#[cfg(test)]
#[path = "../tests/unit/secrets.rs"]
mod tests;
