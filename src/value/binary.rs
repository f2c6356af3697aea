//! The content of a Binary such as `Binary('YWJj')`: a sequence of bytes, and its encodings as a string.

use std::sync::Arc;

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD, STANDARD_NO_PAD, URL_SAFE};
use base64::engine::{DecodePaddingMode, general_purpose};
use base64::{DecodeError, Engine, alphabet};

use crate::error::{Error, Result};
use crate::interrupt;

/// A sequence of bytes. Cloning shares the bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binary(Arc<[u8]>);

/// How bytes are encoded as a string.
///
/// Source: language specification, "Binary.new".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// `%b`: base64 with a line break after each 60 characters. Decoding skips other characters and needs no padding.
    Relaxed,
    /// `%B`: base64, no line breaks, padding required.
    Strict,
    /// `%u`: base64 with `-` and `_` instead of `+` and `/`, padding not required.
    UrlSafe,
    /// `%s` and `%r`: the bytes are the UTF-8 encoding of the string (for `%r`, Puppet allows any bytes).
    Text,
}

impl Encoding {
    /// Returns the encoding of the format `%b`, `%B`, `%u`, `%s` or `%r`, or `None` for other formats.
    pub fn encoding_of_format(format: &str) -> Option<Encoding> {
        Some(match format {
            "%b" => Encoding::Relaxed,
            "%B" => Encoding::Strict,
            "%u" => Encoding::UrlSafe,
            "%s" | "%r" => Encoding::Text,
            _ => return None,
        })
    }
}

const RELAXED_DECODER_CONFIG: GeneralPurposeConfig = general_purpose::NO_PAD
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);

const BASE64_LINE_LENGTH: usize = 60;

impl Binary {
    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Decodes `text`. Fails if it is not valid base64, which cannot happen with `Relaxed` and `Text`.
    pub fn decode(text: &str, encoding: Encoding) -> Result<Binary> {
        let bytes = match encoding {
            Encoding::Text => Ok(text.as_bytes().to_vec()),
            Encoding::Strict => STANDARD.decode(text),
            // Padding is either left out or complete, and the letters of plain base64 are understood too.
            Encoding::UrlSafe => {
                let plain = text.replace('-', "+").replace('_', "/");
                if plain.ends_with('=') { STANDARD.decode(plain) } else { STANDARD_NO_PAD.decode(plain) }
            }
            Encoding::Relaxed => Ok(decode_relaxed(text)),
        };
        let invalid =
            |problem| Error::runtime(format!("'{text}' is not valid base64: {}", describe_decode_error(&problem)));
        Ok(Binary::from(bytes.map_err(invalid)?))
    }

    /// Encodes the bytes as a string. Returns `None` if the encoding is `Text` and the bytes are not UTF-8.
    pub fn encoded(&self, encoding: Encoding) -> Option<String> {
        Some(match encoding {
            Encoding::Text => std::str::from_utf8(&self.0).ok()?.to_owned(),
            Encoding::Strict => STANDARD.encode(&self.0),
            Encoding::UrlSafe => URL_SAFE.encode(&self.0),
            Encoding::Relaxed => {
                let letters = STANDARD.encode(&self.0);
                let lines = interrupt::step_through(letters.as_bytes().chunks(BASE64_LINE_LENGTH));
                lines.flat_map(|line| line.iter().chain(b"\n")).map(|letter| char::from(*letter)).collect()
            }
        })
    }
}

fn describe_decode_error(problem: &DecodeError) -> String {
    match problem {
        DecodeError::InvalidByte(at, _) => format!("character {} is not in the alphabet", at + 1),
        DecodeError::InvalidLength(_) => "one character is missing or superfluous".into(),
        DecodeError::InvalidLastSymbol { .. } => "the last character has excess bits".into(),
        DecodeError::InvalidPadding => "the padding '=' is wrong".into(),
    }
}

/// Decodes the base64 characters of `text` up to the padding, skipping other characters and an incomplete last group.
///
/// Observed: Puppet 8.11, `Binary('YW==YW==', '%b')` is one byte, `Binary('!Y', '%b')` is none.
fn decode_relaxed(text: &str) -> Vec<u8> {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut letters: Vec<u8> = Vec::new();
    for byte in interrupt::step_through(text.bytes()) {
        if letter(&byte) {
            letters.push(byte);
        } else if byte == b'=' && letters.len() % 4 > 1 {
            break;
        }
    }
    if letters.len() % 4 == 1 {
        letters.pop();
    }
    GeneralPurpose::new(&alphabet::STANDARD, RELAXED_DECODER_CONFIG).decode(letters).unwrap_or_default() // OK because only letters in groups are left.
}

impl From<Vec<u8>> for Binary {
    fn from(bytes: Vec<u8>) -> Binary {
        interrupt::take_steps_for_bytes(bytes.len());
        Binary(bytes.into())
    }
}
