//! What programs put into a Sensitive: strings that errors, the history and saved files leave out.
//!
//! Not the spelling of a program decides what is secret, but its evaluation: the constructor of Sensitive notes every
//! string in its content. A secret is found in a text by its letters; what is shorter than [`SHORT`] letters is in too many
//! texts to be looked for. Where there are more secrets than are kept, every text counts as one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{cell::RefCell, fmt, ops::Range};

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashSet;

use crate::error::{REDACTED, is_inside, replaced};
use crate::interrupt;

const MAX_SECRETS: usize = 10_000;

/// The maximum total length of all secrets, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Shorter strings are parts of words.
const SHORT: usize = 4;

thread_local! {
    /// Where the secrets of the work on this thread are noted.
    static CURRENT: RefCell<Option<Secrets>> = const { RefCell::new(None) };
}

/// The secrets of a session. Cloning shares them.
#[derive(Clone, Default)]
pub struct Secrets(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    texts: FxHashSet<Box<str>>,
    /// Finds all secrets at once; `None` after a new one was noted, until it is needed.
    finder: Option<AhoCorasick>,
    bytes: usize,
    noted: u64,
    is_full: bool,
}

impl Known {
    fn note_everything(&mut self) {
        *self = Known { noted: self.noted + 1, is_full: true, ..Known::default() };
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("noted", &self.noted()).finish_non_exhaustive()
    }
}

impl Secrets {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a string a secret, which is replaced in all output from now on.
    pub fn note(&self, text: &str) {
        let mut known = self.known();
        known.noted += 1;
        interrupt::step_over_bytes(text.len());
        if known.is_full || text.trim().chars().nth(SHORT - 1).is_none() || known.texts.contains(text) {
            return;
        }
        known.bytes = known.bytes.saturating_add(text.len());
        if known.texts.len() >= MAX_SECRETS || known.bytes > MAX_BYTES {
            known.note_everything();
        } else {
            known.texts.insert(text.into());
            known.finder = None;
        }
    }

    /// Makes every text a secret.
    pub(crate) fn note_everything(&self) {
        self.known().note_everything();
    }

    /// How often a Sensitive was made: an evaluation that changes this number has seen a secret.
    pub fn noted(&self) -> u64 {
        self.known().noted
    }

    /// Whether a text contains a secret.
    pub fn are_in(&self, text: &str) -> bool {
        !self.places(text).is_empty()
    }

    /// The text without the secrets; `None` if there are none in it.
    pub fn redacted(&self, text: &str) -> Option<String> {
        self.redacted_outside(text, &[])
    }

    /// As [`Secrets::redacted`], but without what is inside of public words.
    pub(crate) fn redacted_outside(&self, text: &str, public: &[String]) -> Option<String> {
        let mut places = self.places(text);
        places.retain(|place| !is_inside(place, text, public));
        replaced(text, &places, |_| REDACTED.to_owned())
    }

    /// The text with an asterisk for each byte of a secret, so that places stay the same; `None` if it has none.
    pub(crate) fn masked(&self, text: &str) -> Option<String> {
        replaced(text, &self.places(text), |secret| secret.chars().map(mask).collect())
    }

    /// Where secrets are in a text, in order and apart.
    fn places(&self, text: &str) -> Vec<Range<usize>> {
        let known = &mut *self.known();
        if known.texts.is_empty() && !known.is_full {
            return Vec::new();
        }
        if known.finder.is_none() && !known.is_full {
            known.finder = AhoCorasick::new(known.texts.iter().map(|text| text.as_bytes())).ok();
        }
        let Some(finder) = &known.finder else { return std::iter::once(0..text.len()).collect() };
        let found = interrupt::each(finder.find_overlapping_iter(text));
        let mut places: Vec<Range<usize>> = found.map(|found| found.range()).collect();
        places.sort_unstable_by_key(|place| (place.start, place.end));
        places.dedup_by(|next, place| {
            let is_joined = next.start <= place.end;
            place.end = if is_joined { place.end.max(next.end) } else { place.end };
            is_joined
        });
        places
    }

    /// Runs `work`, whose secrets are noted here.
    pub(crate) fn watch<R>(&self, work: impl FnOnce() -> R) -> R {
        /// Restores the outer secrets when it is dropped, also by a panic.
        struct Outer(Option<Secrets>);

        impl Drop for Outer {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }

        let _outer = Outer(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// The secrets that work on this thread notes.
    pub(crate) fn current() -> Option<Secrets> {
        CURRENT.with_borrow(Clone::clone)
    }
}

/// The replacement for a character of a secret: as many asterisks as it has bytes; newlines stay.
pub(crate) fn mask(letter: char) -> String {
    if letter == '\n' { "\n".to_owned() } else { "*".repeat(letter.len_utf8()) }
}

#[cfg(test)]
#[path = "../tests/unit/secrets.rs"]
mod tests;
