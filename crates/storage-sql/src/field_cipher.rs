//! Encryption of confidential fields at rest. The files of a database, of a backup or of a replica
//! must not reveal them without the key ring.

use crate::PART;
use crate::row_macs::RowMacs;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use key_ring::{KeyRing, Purpose, PurposeKeys};
use ports::PortError;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a sealed text begins with; the generation of its key follows, and what is sealed. No
/// document of JSON begins so.
const MARK: &str = "sealed:";

/// What names a process in what it sealed. Its keys are derived from it, so no other process may
/// have the same.
type Session = [u8; SESSION_BYTES];
const SESSION_BYTES: usize = 16;

/// Seals and opens fields. The newest generation of the key ring seals, every one opens.
#[derive(Debug)]
pub struct FieldCipher {
    keys: PurposeKeys,
    /// What the rows that hold the fields are authenticated with.
    macs: RowMacs,
    session: Session,
    /// How many fields this process sealed.
    count: AtomicU64,
}

/// Where a field stands: its name, and what names its row. It is sealed together with the field, so
/// that a copy of it in another row opens nowhere.
pub type FieldIdentity<'a> = &'a [&'a str];

impl FieldCipher {
    /// For a process of its own, named by random bytes.
    pub fn new(ring: &KeyRing, session: [u8; 16]) -> Self {
        Self {
            keys: ring.key(Purpose::Fields),
            macs: RowMacs::new(ring),
            session,
            count: AtomicU64::new(0),
        }
    }

    /// What the rows that hold the fields are authenticated with.
    pub const fn macs(&self) -> &RowMacs {
        &self.macs
    }

    /// A field as it is stored in its place.
    ///
    /// # Errors
    /// When the cipher refuses, which it does for gigabytes only.
    pub fn seal(&self, place: FieldIdentity<'_>, text: &str) -> Result<String, PortError> {
        let counter = self.count.fetch_add(1, Ordering::Relaxed);
        let mut body = text.as_bytes().to_vec();
        let key = self.keys.sealing_key(&self.session);
        let sealed = key.and_then(|key| key.seal(counter, &associated(place), &mut body));
        sealed.map_err(|error| PortError::caused(PART, "seal a field", error))?;
        let sealed = [&self.session[..], &counter.to_be_bytes()[..], &body].concat();
        let generation = self.keys.newest();
        Ok(format!(
            "{MARK}{generation}:{}",
            URL_SAFE_NO_PAD.encode(sealed)
        ))
    }

    /// The field that was stored in a place. What is not sealed, and what does not open, stays as
    /// it is: what reads it on finds no value in it.
    pub fn open(&self, place: FieldIdentity<'_>, stored: String) -> String {
        match self.opened(place, &stored) {
            Some(text) => text,
            None => stored,
        }
    }

    fn opened(&self, place: FieldIdentity<'_>, stored: &str) -> Option<String> {
        let (generation, sealed) = stored.strip_prefix(MARK)?.split_once(':')?;
        let generation: u32 = generation.parse().ok()?;
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (session, sealed) = sealed.split_first_chunk::<SESSION_BYTES>()?;
        let (counter, sealed) = sealed.split_first_chunk()?;
        let counter = u64::from_be_bytes(*counter);
        let key = self.keys.opening_key(generation, session).ok()?;
        let text = key.open(counter, &associated(place), sealed).ok()?;
        String::from_utf8(text).ok()
    }
}

/// The generation of the key of a text that is still sealed.
pub(crate) fn sealed_under(text: &str) -> Option<&str> {
    let (generation, _) = text.strip_prefix(MARK)?.split_once(':')?;
    Some(generation)
}

/// The parts of a place as one text; each is preceded by its length, so no two places are one.
fn associated(place: FieldIdentity<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    for part in place {
        let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
        text.extend_from_slice(&length.to_be_bytes());
        text.extend_from_slice(part.as_bytes());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "70358522758328642454";

    fn ring() -> KeyRing {
        KeyRing::generate([7; 32], "")
    }

    fn cipher(ring: &KeyRing, session: u8) -> FieldCipher {
        FieldCipher::new(ring, [session; 16])
    }

    #[test]
    fn a_field_opens_in_its_place_in_every_process_with_the_ring() {
        let sealed = cipher(&ring(), 1).seal(&["token", "shop"], TOKEN).unwrap();
        assert!(sealed.starts_with("sealed:1:") && !sealed.contains(TOKEN));
        for session in [1, 2] {
            let opened = cipher(&ring(), session).open(&["token", "shop"], sealed.clone());
            assert_eq!(opened, TOKEN);
        }
    }

    #[test]
    fn a_copy_of_a_field_opens_nowhere_else() {
        let cipher = cipher(&ring(), 1);
        let sealed = cipher.seal(&["token", "shop"], TOKEN).unwrap();
        for place in [
            &["token", "thief"][..],
            &["content", "shop"],
            &["token"],
            &["tokens", "hop"],
        ] {
            assert_eq!(cipher.open(place, sealed.clone()), sealed, "{place:?}");
        }
    }

    #[test]
    fn an_older_generation_opens_and_another_ring_does_not() {
        let sealed = cipher(&ring(), 1).seal(&["token"], TOKEN).unwrap();
        let rotated = ring().rotated([8; 32], "").unwrap();
        assert_eq!(cipher(&rotated, 2).open(&["token"], sealed.clone()), TOKEN);
        let newer = cipher(&rotated, 2).seal(&["token"], TOKEN).unwrap();
        assert_eq!(sealed_under(&newer), Some("2"));
        for unopened in [
            cipher(&KeyRing::generate([9; 32], ""), 2).open(&["token"], sealed.clone()),
            cipher(&ring(), 2).open(&["token"], newer.clone()),
        ] {
            assert!([&sealed, &newer].contains(&&unopened));
        }
    }

    #[test]
    fn one_text_is_never_sealed_to_the_same_twice() {
        let cipher = cipher(&ring(), 1);
        let sealed = || cipher.seal(&["token"], TOKEN).unwrap();
        assert_ne!(sealed(), sealed());
    }

    #[test]
    fn what_is_not_sealed_stays_as_it_is() {
        for text in ["{\"v\":1}", "", "sealed:", "sealed:1:", "sealed:x:AAAA"] {
            assert_eq!(cipher(&ring(), 1).open(&[], text.to_owned()), text);
        }
    }
}
