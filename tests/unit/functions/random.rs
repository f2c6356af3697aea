//! Tests of `random`, of which it is a module.

use super::{random_below, seeded_generator};

#[test]
fn numbers_below_a_limit_are_those_of_ruby() {
    // Observed: Ruby 3.1, Random.new(seed).rand(limit)
    let seed = 0x7ac4_fd08_182b_0e7b_0afe_ab0c_d344_8485;
    for (seed, limit, expected) in [
        (seed, 100, 79),
        (seed, 1, 0),
        (seed, 1 << 40, 889_232_623_292),
        (seed >> 40, u64::MAX, 4_824_922_378_136_939_235),
    ] {
        assert_eq!(random_below(limit, &mut seeded_generator(seed)), expected, "{seed} {limit}");
    }
}
