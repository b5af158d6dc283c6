//! The form in which a provider takes references, and making one of it. Two references that are
//! derived must never become one, so a form without room for 96 bits is refused.

use domain::reference::{ProviderReference, UndatedReference};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes of the hash that a reference is made of.
const HASH_BYTES: usize = 20;

/// Fewest bits a form must have room for: a thousand million references then collide with a
/// probability below one in ten thousand million, and the store refuses the second of such a pair.
const BITS_MIN: u32 = 96;

/// Digits of a date.
const DATE_LENGTH: usize = 8;

/// Longest reference of a form.
const LENGTH_MAX: usize = 128;

/// What references are made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceForm {
    /// The characters, each once.
    alphabet: String,
    /// How many of them follow the prefix.
    length: usize,
    /// What comes first.
    #[serde(default)]
    prefix: ReferencePrefix,
}

/// What a reference begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReferencePrefix {
    /// Nothing.
    #[default]
    None,
    /// The day the attempt was recorded, in UTC: `20260115`.
    Date,
}

/// A form that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "`reference` must have an alphabet of 10 or more different characters out of \
     A-Z a-z 0-9 . _ : - and a length that gives at least {BITS_MIN} bits, {LENGTH_MAX} at most"
)]
pub struct InvalidReferenceForm;

impl Default for ReferenceForm {
    /// 32 characters of lower-case base 32 (RFC 4648 §6).
    fn default() -> Self {
        Self {
            alphabet: "abcdefghijklmnopqrstuvwxyz234567".to_owned(),
            length: 32,
            prefix: ReferencePrefix::None,
        }
    }
}

impl ReferenceForm {
    /// Checks that no two derived references can become one.
    ///
    /// # Errors
    /// When they could, or when a path could not carry them.
    pub fn check(&self) -> Result<(), InvalidReferenceForm> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-');
        let mut characters: Vec<u8> = self.alphabet.bytes().collect();
        characters.sort_unstable();
        characters.dedup();
        let distinct = characters.len() == self.alphabet.len();
        let many = self.alphabet.len() >= 10 && self.alphabet.bytes().all(allowed);
        // Rounded down, so that a form is never taken for larger than it is.
        let bits_each = self.alphabet.len().max(1).ilog2();
        let length = u32::try_from(self.length).unwrap_or(u32::MAX);
        let room = bits_each.saturating_mul(length) >= BITS_MIN && self.length <= LENGTH_MAX;
        if distinct && many && room {
            Ok(())
        } else {
            Err(InvalidReferenceForm)
        }
    }

    /// The reference of an attempt in this form: the same for the same attempt each time.
    pub fn reference(
        &self,
        derived: &ProviderReference,
        started_at: Timestamp,
    ) -> ProviderReference {
        let digits = self.undated(derived);
        let prefix = match self.prefix {
            ReferencePrefix::None => String::new(),
            ReferencePrefix::Date => date(started_at),
        };
        ProviderReference::from_echo(format!("{prefix}{digits}"))
    }

    /// What follows the prefix in every reference of an attempt.
    pub fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        let digest: [u8; 32] = Sha256::digest(derived.as_str()).into();
        let number: Vec<u8> = digest.into_iter().take(HASH_BYTES).collect();
        UndatedReference::new(digits(number, self.alphabet.as_bytes(), self.length))
    }

    /// The same, read from a reference; `None` where it does not have this form.
    pub fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        let prefix_length = match self.prefix {
            ReferencePrefix::None => 0,
            ReferencePrefix::Date => DATE_LENGTH,
        };
        let (prefix, digits) = reference.as_str().split_at_checked(prefix_length)?;
        let is_prefix = prefix.bytes().all(|b| b.is_ascii_digit());
        let is_digits = digits.len() == self.length && digits.chars().all(|it| self.has(it));
        (is_prefix && is_digits).then(|| UndatedReference::new(digits))
    }

    fn has(&self, character: char) -> bool {
        self.alphabet.contains(character)
    }
}

/// The last `length` digits of a number, most significant byte first, in base of an alphabet.
fn digits(mut number: Vec<u8>, alphabet: &[u8], length: usize) -> String {
    let base = u16::try_from(alphabet.len()).unwrap_or(1).max(1);
    let mut digits: Vec<char> = Vec::with_capacity(length);
    while digits.len() < length {
        let mut remainder = 0_u16;
        for byte in &mut number {
            let value = (remainder << 8) | u16::from(*byte);
            *byte = u8::try_from(value / base).unwrap_or(u8::MAX);
            remainder = value % base;
        }
        let digit = alphabet.get(usize::from(remainder)).copied();
        digits.push(char::from(digit.unwrap_or(b'0')));
    }
    digits.iter().rev().collect()
}

fn date(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or(jiff::Timestamp::MAX);
    at.strftime("%Y%m%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(alphabet: &str, length: usize, prefix: ReferencePrefix) -> ReferenceForm {
        ReferenceForm {
            alphabet: alphabet.to_owned(),
            length,
            prefix,
        }
    }

    const AT: Timestamp = Timestamp::from_millis(1_768_467_600_000);

    #[test]
    fn the_default_is_base_32_of_160_bits() {
        // `printf shop.order-1.1 | sha256sum | cut -c-40 | xxd -r -p | base32 | tr A-Z a-z`
        let derived = ProviderReference::from_echo("shop.order-1.1");
        let made = ReferenceForm::default().reference(&derived, AT);
        assert_eq!(made.as_str(), "dmqguf3gee5mfizwty4aq4u6f7iiphkr");
        assert_eq!(ReferenceForm::default().check(), Ok(()));
    }

    #[test]
    fn a_form_may_have_its_own_alphabet_and_the_date_first() {
        let numeric = form("0123456789", 33, ReferencePrefix::Date);
        assert_eq!(numeric.check(), Ok(()));
        let reference = |text| numeric.reference(&ProviderReference::from_echo(text), AT);
        let made = reference("shop.order-1.1");
        assert!(made.as_str().starts_with("20260115"), "{made}");
        assert_eq!(made.as_str().len(), 41);
        assert_ne!(made, reference("shop.order-1.2"));
        assert_eq!(made, reference("shop.order-1.1"));
    }

    #[test]
    fn what_is_left_without_the_date_is_the_same_on_any_day() {
        let later = Timestamp::from_millis(AT.as_millis() + 86_400_000);
        let derived = ProviderReference::from_echo("shop.order-1.1");
        for form in [
            ReferenceForm::default(),
            form("0123456789", 33, ReferencePrefix::Date),
        ] {
            let undated = Some(form.undated(&derived));
            assert_eq!(form.read(&form.reference(&derived, AT)), undated);
            assert_eq!(form.read(&form.reference(&derived, later)), undated);
            assert_eq!(form.read(&derived), None);
            assert_eq!(form.read(&ProviderReference::from_echo("202601é5")), None);
        }
    }

    #[test]
    fn a_form_without_room_is_refused() {
        let none = ReferencePrefix::None;
        for refused in [
            form("0123456789", 20, none),
            form("01", 128, none),
            form("0123456789abcdef0", 40, none),
            form("0123456789abcde/", 40, none),
            form("0123456789abcdef", 200, none),
            form("", 40, none),
        ] {
            assert_eq!(refused.check(), Err(InvalidReferenceForm), "{refused:?}");
        }
    }
}
