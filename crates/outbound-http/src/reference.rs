//! What adapters make their references of, where a provider's alphabet or length does not take
//! ours. It must never change: attempts are asked about by what it made when they were recorded.

use sha2::{Digest as _, Sha256};

/// Lower-case base 32 (RFC 4648), which every provider's alphabet takes.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// How many characters 160 bits take.
pub const HASH_LENGTH: usize = 32;

/// The first 160 bits of the SHA-256 of a text in lower-case base 32: 32 characters of `[a-z2-7]`,
/// the same for the same text and, for all that is known, for no other.
pub fn hash_base32(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let mut written = String::with_capacity(HASH_LENGTH);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in hash.iter().take(HASH_LENGTH * 5 / 8) {
        bits = (bits << 8) | u32::from(*byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            let index = usize::try_from((bits >> held) & 31).unwrap_or_default();
            written.extend(ALPHABET.get(index).copied().map(char::from));
        }
        bits &= (1 << held) - 1;
    }
    written
}

/// Whether a text is one that [`hash_base32`] may have written.
pub fn is_hash_base32(text: &str) -> bool {
    text.len() == HASH_LENGTH && is_of_hash_base32(text)
}

/// Whether a text is of the form that [`hash_base32`] writes, the whole of it or its beginning.
pub fn is_of_hash_base32(text: &str) -> bool {
    text.bytes().all(|b| ALPHABET.contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_hash_of_a_text_stays_what_it_was() {
        // By `printf TEXT | sha256sum`, the first 20 bytes in base 32 by another program.
        let known = [
            ("", "4oymiquy7qobjgx36tejs35zeqt24qpe"),
            ("shop.order-7.1", "tejhlv4b6oorh4mth5ehd4c6loedhbbg"),
        ];
        for (text, expected) in known {
            assert_eq!(hash_base32(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_text_becomes_32_characters_of_the_alphabet(text in "\\PC{0,80}") {
            let hash = hash_base32(&text);
            prop_assert_eq!(hash.len(), HASH_LENGTH);
            prop_assert!(is_of_hash_base32(&hash) && is_hash_base32(&hash));
            prop_assert!(!is_hash_base32(&hash[1..]));
            let longer = format!("{hash}1");
            prop_assert!(!is_of_hash_base32(&longer));
        }
    }
}
