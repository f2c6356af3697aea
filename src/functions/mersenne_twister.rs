//! The random numbers of Ruby: the Mersenne Twister MT19937 of Matsumoto and Nishimura, seeded with an array of words.
//!
//! The state is 624 words. A word of output is one of the state, tempered by shifts and masks; when all have been used,
//! the state is twisted: each word is mixed with its neighbour and with the word 397 places on.

#![expect(clippy::indexing_slicing, reason = "every index is counted up to a length or taken modulo one")]

const STATE_WORDS: usize = 624;
const MIDDLE_WORD: usize = 397;

pub(super) struct MersenneTwister {
    state: [u32; STATE_WORDS],
    next: usize,
}

impl MersenneTwister {
    /// The generator of Ruby's `Random.new(seed)`.
    pub(super) fn seeded(seed: u128) -> MersenneTwister {
        #[allow(clippy::cast_possible_truncation, reason = "the words of the seed are cut out of it")]
        let words = [seed as u32, (seed >> 32) as u32, (seed >> 64) as u32, (seed >> 96) as u32];
        let used = words.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
        MersenneTwister::from_words(&words[..used])
    }

    /// The reference's initialization by an array.
    fn from_words(key: &[u32]) -> MersenneTwister {
        let mut state = [0_u32; STATE_WORDS];
        state[0] = 19_650_218;
        for i in 1..STATE_WORDS {
            state[i] = mixed(state[i - 1]).wrapping_mul(1_812_433_253).wrapping_add(number(i));
        }
        let mut i = 1;
        let mut j = 0;
        for _ in 0..STATE_WORDS.max(key.len()) {
            let mix = state[i] ^ mixed(state[i - 1]).wrapping_mul(1_664_525);
            state[i] = mix.wrapping_add(key[j]).wrapping_add(number(j));
            j = (j + 1) % key.len();
            i = after(&mut state, i);
        }
        for _ in 1..STATE_WORDS {
            let mix = state[i] ^ mixed(state[i - 1]).wrapping_mul(1_566_083_941);
            state[i] = mix.wrapping_sub(number(i));
            i = after(&mut state, i);
        }
        state[0] = 0x8000_0000;
        MersenneTwister { state, next: STATE_WORDS }
    }

    /// A number below `limit`, which is at least 1, as Ruby's `rand(limit)` draws it: as many words as the limit has,
    /// the highest first, cut to the bits of the limit, until they make a number that is not above.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        let highest = limit - 1;
        let mask = u64::MAX.checked_shr(highest.leading_zeros()).unwrap_or(0);
        'draw: loop {
            let mut number = 0;
            for shift in [32, 0] {
                if (mask >> shift) & 0xffff_ffff != 0 {
                    number = (number | u64::from(self.word()) << shift) & mask;
                    if number > highest {
                        continue 'draw;
                    }
                }
            }
            return number;
        }
    }

    fn word(&mut self) -> u32 {
        if self.next == STATE_WORDS {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn twist(&mut self) {
        for i in 0..STATE_WORDS {
            let joined = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % STATE_WORDS] & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE_WORD) % STATE_WORDS] ^ (joined >> 1) ^ odd;
        }
        self.next = 0;
    }
}

fn mixed(word: u32) -> u32 {
    word ^ (word >> 30)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX) // OK because indexes stay below 624.
}

/// The index after `i` while the state is seeded; the last is followed by the second.
fn after(state: &mut [u32; STATE_WORDS], i: usize) -> usize {
    if i + 1 < STATE_WORDS {
        return i + 1;
    }
    state[0] = state[STATE_WORDS - 1];
    1
}

#[cfg(test)]
#[path = "../../tests/unit/functions/mersenne_twister.rs"]
mod tests;
