//! Tests of `mersenne_twister`, of which it is a module.

use super::MersenneTwister;

#[test]
fn the_first_words_are_those_of_the_reference() {
    let mut twister = MersenneTwister::from_words(&[0x123, 0x234, 0x345, 0x456]);
    assert_eq!([(); 3].map(|()| twister.word()), [1_067_595_299, 955_945_823, 477_289_528]);
}

#[test]
fn numbers_below_a_limit_are_those_of_ruby() {
    // Observed: Ruby 3.1, Random.new(0x7ac4fd08182b0e7b0afeab0cd3448485).rand(100)
    let seed = 0x7ac4_fd08_182b_0e7b_0afe_ab0c_d344_8485;
    assert_eq!(MersenneTwister::seeded(seed).below(100), 79);
    assert_eq!(MersenneTwister::seeded(seed).below(1), 0);
}
