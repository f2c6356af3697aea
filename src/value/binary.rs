//! `Binary('YWJj')`: a sequence of bytes.

use std::sync::Arc;

/// Bytes. Cloning shares them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binary(Arc<[u8]>);

impl Binary {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Binary {
    fn from(bytes: Vec<u8>) -> Binary {
        Binary(bytes.into())
    }
}
