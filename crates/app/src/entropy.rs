//! Chance from the operating system. It is the only place that may ask for it, and it must never
//! make do with less.

use anyhow::Context as _;

/// Random bytes.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the source of chance that everything else is given"
)]
pub(crate) fn bytes<const N: usize>() -> anyhow::Result<[u8; N]> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).context("the operating system gave no random bytes")?;
    Ok(bytes)
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// So many random characters out of `0-9 A-Z a-z`, each as likely as any other.
pub(crate) fn base62(length: usize) -> anyhow::Result<String> {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        text.extend(bytes::<32>()?.into_iter().filter_map(digit));
    }
    text.truncate(length);
    Ok(text)
}

/// A character for a random byte. Bytes from 248 on give none: with them the first characters
/// would come up more often than the rest.
fn digit(byte: u8) -> Option<char> {
    let fair = usize::from(byte) < BASE62.len() * 4;
    let index = usize::from(byte) % BASE62.len();
    BASE62
        .get(index)
        .filter(|_| fair)
        .map(|digit| char::from(*digit))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_character_is_as_likely_as_any_other() {
        let mut counts = HashMap::new();
        for digit in (0..=u8::MAX).filter_map(digit) {
            *counts.entry(digit).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 62);
        assert!(counts.values().all(|count| *count == 4), "{counts:?}");
    }

    #[test]
    fn texts_have_the_length_asked_for_and_differ() {
        let first = base62(10).unwrap();
        assert_eq!(first.len(), 10);
        assert_ne!(first, base62(10).unwrap());
    }
}
