//! Digests as hexadecimal digits: `digest`, `md5`, `sha1`, `sha256`.
//!
//! They accept strings and the values that Puppet converts to strings for them. Numbers, collections and sensitive
//! data are rejected: they have no canonical string, and the digest of an arbitrary one would be worthless.

use std::fmt::Write;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::legacy_arguments::{text_like, to_legacy_argument};
use super::{Call, Flow};
use crate::error::Result;
use crate::interrupt;
use crate::value::Value;

/// The number of bytes that are digested between two checks for an interruption: about a millisecond of work.
const BYTES_BETWEEN_POLLS: usize = 256 << 10;

const SIGNATURES: &[&str] = &[concat!("(Variant[", text_like!(), "] $value) >> String")];

functions! {
    /// returns the digest of a string by the configured algorithm, SHA-256
    "digest" SIGNATURES {
        "digest('abc') == sha256('abc')" => "true",
        "digest(5)" => "error RUNTIME_ERROR",
    } => |call| hexadecimal_digest::<Sha256>(call);
    /// returns the MD5 digest of a string
    "md5" SIGNATURES {
        "md5('abc')" => "'900150983cd24fb0d6963f7d28e17f72'",
        "md5([1])" => "error RUNTIME_ERROR",
    } => |call| hexadecimal_digest::<Md5>(call);
    /// returns the SHA-1 digest of a string
    "sha1" SIGNATURES {
        "sha1('abc')" => "'a9993e364706816aba3e25717850c26c9cd0d89d'",
        "sha1(true)" => "error RUNTIME_ERROR",
    } => |call| hexadecimal_digest::<Sha1>(call);
    /// returns the SHA-256 digest of a string
    "sha256" SIGNATURES {
        "sha256('abc')" => "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'",
        "sha256(Sensitive('abc'))" => "error RUNTIME_ERROR",
    } => |call| hexadecimal_digest::<Sha256>(call);
}

fn hexadecimal_digest<D: Digest>(call: &mut Call<'_>) -> Result<Value, Flow> {
    // The signature lets nothing else through.
    let Value::String(text) = to_legacy_argument(call.argument(0)?)? else { return Ok(Value::Undef) };
    let mut digest = D::new();
    for part in text.as_bytes().chunks(BYTES_BETWEEN_POLLS) {
        interrupt::poll();
        digest.update(part);
    }
    let mut digits = String::new();
    for byte in digest.finalize() {
        let _ = write!(digits, "{byte:02x}"); // Writing to a String cannot fail.
    }
    Ok(digits.into())
}
