//! The file of a key: who it is of and how it is sealed, one word and its value on each line, and
//! the seed sealed under a key made of the passphrase. Everything in it is covered by the seal.

use crate::{KEY_BYTES, SigningKey};
use argon2::{Algorithm, Argon2, Params, Version};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The first line.
const HEAD: &str = "manilla operator key v1";

/// How the key is made of the passphrase: the second choice of RFC 9106 with one lane. It takes
/// some 150 ms and 64 MiB.
const KDF: &str = "argon2id m=65536 t=3 p=1";
const MEMORY_KIB: u32 = 65_536;
const PASSES: u32 = 3;
const LANES: u32 = 1;

/// The length of the salt in bytes.
pub(crate) const SALT_BYTES: usize = 16;

/// Why a file holds no key that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// It is no file of a key, or of a newer version.
    #[error("it is not the file of an operator's key, or of a newer version")]
    Unreadable,
    /// The passphrase is another, or the file was changed.
    #[error("the passphrase does not open it, or it was changed")]
    Mismatch,
    /// The library refused.
    #[error(
        "a key cannot be made of the passphrase: there is too little memory, or it is too long"
    )]
    Passphrase,
}

/// What a file is made of.
#[derive(Debug, Clone, Copy)]
pub struct KeyFileSealing<'a> {
    /// Whose key it is.
    pub name: &'a str,
    /// What it is sealed under.
    pub passphrase: &'a str,
    /// Random bytes, used once.
    pub salt: [u8; SALT_BYTES],
}

/// The text of the file of a key.
///
/// # Errors
/// When no key can be made of the passphrase.
pub fn seal(key: &SigningKey, sealing: KeyFileSealing<'_>) -> Result<String, FileError> {
    let public = hex(&key.public());
    let head = head(sealing.name, &public, &hex(&sealing.salt));
    let mut sealed = key.seed.to_vec();
    let cipher = cipher(sealing.passphrase, &sealing.salt)?;
    cipher
        .seal_in_place_append_tag(nonce(), Aad::from(head.as_bytes()), &mut sealed)
        .map_err(|_| FileError::Passphrase)?;
    Ok(format!("{head}sealed {}\n", hex(&sealed)))
}

/// The name and the key in the text of a file.
///
/// # Errors
/// When it is no such file, or the passphrase does not open it.
pub fn open(text: &str, passphrase: &str) -> Result<(String, SigningKey), FileError> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(FileError::Unreadable);
    }
    let values: BTreeMap<_, _> = lines.filter_map(|line| line.split_once(' ')).collect();
    let value = |word| values.get(word).copied().ok_or(FileError::Unreadable);
    let (name, public, salt) = (value("name")?, value("public")?, value("salt")?);
    if value("kdf")? != KDF {
        return Err(FileError::Unreadable);
    }
    let head = head(name, public, salt);
    let salt = unhex(salt).ok_or(FileError::Unreadable)?;
    let mut sealed = unhex(value("sealed")?).ok_or(FileError::Unreadable)?;
    let cipher = cipher(passphrase, &salt)?;
    let seed = cipher
        .open_in_place(nonce(), Aad::from(head.as_bytes()), &mut sealed)
        .map_err(|_| FileError::Mismatch)?;
    let seed: [u8; KEY_BYTES] = (&*seed).try_into().map_err(|_| FileError::Unreadable)?;
    let key = SigningKey::from_seed(seed).ok_or(FileError::Unreadable)?;
    Ok((name.to_owned(), key))
}

fn head(name: &str, public: &str, salt: &str) -> String {
    format!("{HEAD}\nname {name}\npublic {public}\nkdf {KDF}\nsalt {salt}\n")
}

fn cipher(passphrase: &str, salt: &[u8]) -> Result<LessSafeKey, FileError> {
    let refused = |_| FileError::Passphrase;
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(KEY_BYTES)).map_err(refused)?;
    let kdf = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut key = [0; KEY_BYTES];
    kdf.hash_password_into(passphrase.as_bytes(), salt, &mut key)
        .map_err(refused)?;
    let key = UnboundKey::new(&CHACHA20_POLY1305, &key).map_err(|_| FileError::Passphrase)?;
    Ok(LessSafeKey::new(key))
}

/// A key of a fresh salt seals one text, so its only nonce is zero.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|it| it.to_digit(16)).collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    let bytes = pairs
        .iter()
        .map(|[high, low]| u8::try_from(high * 16 + low));
    rest.is_empty().then_some(())?;
    bytes.collect::<Result<_, _>>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_opens_with_its_passphrase_and_as_it_was_written() {
        let key = SigningKey::from_seed([5; KEY_BYTES]).unwrap();
        let sealing = KeyFileSealing {
            name: "alpha",
            passphrase: "correct horse",
            salt: [9; SALT_BYTES],
        };
        let text = seal(&key, sealing).unwrap();
        assert!(!text.contains(&hex(&[5; KEY_BYTES])));
        let (name, opened) = open(&text, "correct horse").unwrap();
        assert_eq!((name.as_str(), opened.public()), ("alpha", key.public()));
        let refused = |text: &str, passphrase| open(text, passphrase).unwrap_err();
        assert_eq!(refused(&text, "correct horsf"), FileError::Mismatch);
        let renamed = text.replace("name alpha", "name gamma");
        assert_eq!(refused(&renamed, "correct horse"), FileError::Mismatch);
        for (word, other) in [("kdf", "kdf weak"), ("sealed", "x"), (HEAD, "y")] {
            let changed = text.replace(word, other);
            assert_eq!(refused(&changed, "correct horse"), FileError::Unreadable);
        }
    }
}
