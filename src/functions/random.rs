//! `fqdn_rand`: a pseudo-random number that is always the same for one host, limit and seed.
//!
//! The host name, the limit and the seeds are hashed with MD5; the digest seeds a Mersenne Twister, as Ruby does, whose first
//! number below the limit is returned.
//!
//! Observed: Puppet 8.11 joins name, limit and seeds with colons; without a seed the last part is empty.

use md5::{Digest, Md5};
use rand_mt::Mt;

use super::legacy_arguments::{text_like, to_legacy_argument};
use super::{Call, Flow, collections::join_into};
use crate::error::Error;
use crate::limits::BoundedString;
use crate::value::Value;

functions! {
    /// returns a number from 0 (inclusive) to the limit (exclusive), constant for a given host and seed
    "fqdn_rand" [concat!(
        "(Variant[Numeric, ",
        text_like!(),
        "] $limit, Any $seed = undef, Any $downcase = false) >> Integer"
    )] {
        "fqdn_rand(100, 'seed')" => "49",
        "fqdn_rand(0)" => "error RUNTIME_ERROR",
    } => fqdn_rand;
}

fn fqdn_rand(call: &mut Call<'_>) -> Result<Value, Flow> {
    let limit = parse_limit(&to_legacy_argument(call.argument(0)?)?);
    if limit < 1 {
        return Err(Error::runtime(format!("expected a limit of at least 1, got {limit}")).into());
    }
    let facts = call.runtime.variable("facts").unwrap_or(Value::Undef);
    let name = || facts.as_hash()?.get_str("networking")?.as_hash()?.get_str("fqdn")?.as_str();
    let mut machine = name().unwrap_or_default().to_owned();
    if call.arguments.get(2).is_some_and(Value::is_true) {
        machine = machine.to_lowercase();
    }
    // The elements of arrays are seeds of their own.
    let mut seeds = BoundedString::default();
    let given = to_legacy_argument(call.arguments.get(1).unwrap_or(&Value::Undef))?;
    join_into(&mut seeds, &[given].into(), ":")?;
    let digest: [u8; 16] = Md5::digest(format!("{machine}:{limit}:{}", seeds.into_string())).into();
    let number = random_below(limit.unsigned_abs(), &mut seeded_generator(u128::from_be_bytes(digest)));
    Ok(Value::Integer(number.cast_signed())) // OK because it is below the limit.
}

/// Converts the limit to an integer: truncates a number, and parses the digits at the start of a string, 0 if none.
fn parse_limit(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        #[allow(clippy::cast_possible_truncation, reason = "the conversion ends at the ends of the range")]
        Value::Float(number) => *number as i64,
        Value::String(text) => {
            let text = text.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            text[..end].parse().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Returns the generator that Ruby's `Random.new(seed)` uses.
fn seeded_generator(seed: u128) -> Mt {
    #[allow(clippy::cast_possible_truncation, reason = "the words of the seed are cut out of it")]
    let words = [0, 32, 64, 96].map(|shift| (seed >> shift) as u32);
    let used = words.iter().rposition(|word| *word != 0).map_or(1, |last| last + 1);
    Mt::new_with_key(words.into_iter().take(used))
}

/// Draws a number below `limit`, which is at least 1, as Ruby's `rand(limit)` does: draws 32-bit words, the highest
/// first, masks them to the bits of the limit, and starts again whenever the number is too large.
fn random_below(limit: u64, generator: &mut Mt) -> u64 {
    let highest = limit - 1;
    let mask = u64::MAX.checked_shr(highest.leading_zeros()).unwrap_or(0);
    'draw: loop {
        let mut number = 0;
        for shift in [32, 0] {
            if (mask >> shift) & 0xffff_ffff != 0 {
                number = (number | u64::from(generator.next_u32()) << shift) & mask;
                if number > highest {
                    continue 'draw;
                }
            }
        }
        return number;
    }
}

#[cfg(test)]
#[path = "../../tests/unit/functions/random.rs"]
mod tests;
