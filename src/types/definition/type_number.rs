//! Numbers for types, so that a value can remember what a type said about it.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a type of arrays or hashes, unlike that of any other type of the process, which is given when it is first
/// needed.
#[derive(Debug, Default)]
pub(crate) struct TypeNumber(AtomicU64);

/// The next number; a thousand million of them in each second would last for centuries.
static NEXT: AtomicU64 = AtomicU64::new(1);

impl TypeNumber {
    #[inline]
    pub(crate) fn get(&self) -> u64 {
        match self.0.load(Ordering::Relaxed) {
            0 => self.give(),
            number => number,
        }
    }

    /// Two threads may give two numbers, of which both are unlike all others.
    #[cold]
    fn give(&self) -> u64 {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        self.0.store(number, Ordering::Relaxed);
        number
    }
}

/// A copy is another type.
impl Clone for TypeNumber {
    fn clone(&self) -> TypeNumber {
        TypeNumber::default()
    }
}
