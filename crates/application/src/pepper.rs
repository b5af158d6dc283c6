//! The secret that API keys are hashed under. It must not be printed.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// The secret of an installation under which keys and request fingerprints are hashed.
#[derive(Clone)]
pub struct Pepper([u8; 32]);

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(…)")
    }
}

impl Pepper {
    /// The pepper from its 32 bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// What the pepper makes of a constant: two installations that make the same of it know each
    /// other's keys. It does not reveal the pepper.
    pub fn proof(&self) -> [u8; 32] {
        self.authenticate(b"which pepper is this")
    }

    /// A key of its own for a purpose: what is made with it is of no use for anything else.
    pub(crate) fn for_purpose(&self, purpose: &str) -> Self {
        let message = [b"key for a purpose: ", purpose.as_bytes()].concat();
        Self(self.authenticate(&message))
    }

    /// HMAC-SHA-256 of a message under the pepper.
    pub(crate) fn authenticate(&self, message: &[u8]) -> [u8; 32] {
        hmac_sha256(self.0, message)
    }
}

/// HMAC-SHA-256 of a message under a key of at most a block, 64 bytes.
pub(crate) fn hmac_sha256(key: impl IntoIterator<Item = u8>, message: &[u8]) -> [u8; 32] {
    // A key shorter than a block is filled up with zeros (RFC 2104 §2).
    let mut block = [0; 64];
    for (filled, byte) in block.iter_mut().zip(key) {
        *filled = byte;
    }
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(message);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::Pepper;

    #[test]
    fn it_is_shown_without_a_byte_of_it() {
        assert_eq!(format!("{:?}", Pepper::new([42; 32])), "Pepper(…)");
    }
}
