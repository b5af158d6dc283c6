//! The keys that operators sign with (Ed25519, RFC 8032), and the file that holds one under a
//! passphrase. It must never print a private key, and never draw one: random bytes come from the
//! caller.

mod file;

pub use file::{FileError, KeyFileSealing, open, seal};

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use std::fmt;

/// The length of a seed, and of a public key, in bytes.
pub const KEY_BYTES: usize = 32;

/// A key to sign with.
pub struct SigningKey {
    seed: [u8; KEY_BYTES],
    pair: Ed25519KeyPair,
    public: [u8; KEY_BYTES],
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").finish_non_exhaustive()
    }
}

impl SigningKey {
    /// The key of a seed of random bytes; `None` where the library refuses it, which it does for
    /// none of this length.
    pub fn from_seed(seed: [u8; KEY_BYTES]) -> Option<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).ok()?;
        let public = pair.public_key().as_ref().try_into().ok()?;
        Some(Self { seed, pair, public })
    }

    /// The key that its signatures are verified with.
    pub const fn public(&self) -> [u8; KEY_BYTES] {
        self.public
    }

    /// The signature of a text, 64 bytes.
    pub fn sign(&self, text: &[u8]) -> Vec<u8> {
        self.pair.sign(text).as_ref().to_vec()
    }
}

/// Whether a text was signed with the key of this public key.
pub fn is_signed(public: [u8; KEY_BYTES], text: &[u8], signature: &[u8]) -> bool {
    let key = UnparsedPublicKey::new(&ED25519, public);
    key.verify(text, signature).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_one_key_and_one_text() {
        let key = SigningKey::from_seed([7; KEY_BYTES]).unwrap();
        let signature = key.sign(b"credit");
        assert!(is_signed(key.public(), b"credit", &signature));
        assert!(!is_signed(key.public(), b"credits", &signature));
        assert!(!is_signed(key.public(), b"credit", &signature[1..]));
        assert!(!is_signed(key.public(), b"credit", &[]));
        let other = SigningKey::from_seed([8; KEY_BYTES]).unwrap();
        assert!(!is_signed(other.public(), b"credit", &signature));
    }

    /// RFC 8032 §7.1, test 2.
    #[test]
    fn keys_are_those_of_the_standard() {
        let seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
        let public = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
        let key = SigningKey::from_seed(file::unhex(seed).unwrap().try_into().unwrap()).unwrap();
        assert_eq!(file::hex(&key.public()), public);
        assert!(file::hex(&key.sign(&[0x72])).starts_with("92a009a9f0d4cab8720e820b5f642540"));
    }
}
