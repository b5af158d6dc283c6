//! The codes themselves: what customers type. A code must never be shown by `Debug`, and what is
//! none must be seen without a look at the store.

use std::fmt;

/// The characters of codes (Crockford's base 32): none of I, L, O and U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Random characters of a code: 19 of 5 bits are 95 bits.
const RANDOM: usize = 19;

/// Characters of a code without its prefix: the random ones and the check.
const BODY: usize = RANDOM + 1;

/// Characters between two hyphens.
const GROUP: usize = 5;

/// Most characters of a prefix.
const PREFIX_MAX: usize = 8;

/// The keyed hash of a code, by which it is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VoucherCodeHash(pub [u8; 32]);

impl fmt::Debug for VoucherCodeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VoucherCodeHash(…)")
    }
}

/// What a merchant's codes begin with: 1 to 8 capital letters and digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VoucherPrefix(String);

impl VoucherPrefix {
    /// Reads a prefix; small letters count as capital ones.
    ///
    /// # Errors
    /// Refuses other characters and lengths.
    pub fn parse(text: &str) -> Result<Self, InvalidVoucherPrefix> {
        let fits = (1..=PREFIX_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let prefix = fits.then(|| Self(text.to_ascii_uppercase()));
        prefix.ok_or(InvalidVoucherPrefix)
    }

    /// The prefix.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text is no prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 8 letters A-Z and digits")]
pub struct InvalidVoucherPrefix;

/// The text is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidVoucherCode {
    /// It has other characters, or too few or many of them.
    #[error("must be a code as it was given out; copy all of it")]
    Form,
    /// A character is wrong, or two are in each other's place.
    #[error("is not a code: a character is wrong or out of place; check each")]
    Check,
}

/// A code.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct VoucherCode {
    /// Its characters as values, the check last.
    values: Vec<u8>,
    prefix: Option<String>,
}

impl fmt::Debug for VoucherCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VoucherCode(…)")
    }
}

impl VoucherCode {
    /// The code of random bytes.
    pub fn mint(prefix: Option<&VoucherPrefix>, random: [u8; RANDOM]) -> Self {
        let prefix = prefix.map(|prefix| prefix.as_str().to_owned());
        let begun = prefix.iter().flat_map(|text| text.bytes());
        let mut values: Vec<u8> = begun.filter_map(value).collect();
        values.extend(random.map(|byte| byte & 31));
        // The check has the weight 1, so that it takes away what the others come to.
        values.push(doubled(folded(&values)));
        Self { values, prefix }
    }

    /// Reads a code as people type it: in small letters too, with or without hyphens and spaces,
    /// with O for 0, I and L for 1.
    ///
    /// # Errors
    /// Refuses what was never a code.
    pub fn parse(text: &str) -> Result<Self, InvalidVoucherCode> {
        let typed = text.bytes().filter(|byte| !matches!(byte, b'-' | b' '));
        let values: Option<Vec<u8>> = typed.map(value).collect();
        let values = values.ok_or(InvalidVoucherCode::Form)?;
        let most = BODY.saturating_add(PREFIX_MAX);
        if !(BODY..=most).contains(&values.len()) {
            return Err(InvalidVoucherCode::Form);
        }
        if folded(&values) != 0 {
            return Err(InvalidVoucherCode::Check);
        }
        Ok(Self {
            values,
            prefix: None,
        })
    }

    /// What it is known by: the same for every way to write it.
    pub fn canonical(&self) -> String {
        self.values.iter().copied().map(character).collect()
    }

    /// The code to give out, in groups.
    pub fn reveal(&self) -> String {
        let canonical = self.canonical();
        let body = canonical.len().saturating_sub(BODY);
        let (begun, body) = canonical.split_at(body);
        let prefix = self.prefix.as_deref().unwrap_or(begun);
        let mut shown = prefix.to_owned();
        for (place, character) in body.chars().enumerate() {
            if place.checked_rem(GROUP) == Some(0) && !shown.is_empty() {
                shown.push('-');
            }
            shown.push(character);
        }
        shown
    }
}

/// The value of a character as it is typed; `None` for what codes do not have.
fn value(byte: u8) -> Option<u8> {
    let read = match byte.to_ascii_uppercase() {
        b'O' => b'0',
        b'I' | b'L' => b'1',
        b'U' => b'V',
        other => other,
    };
    let place = ALPHABET.iter().position(|known| *known == read)?;
    u8::try_from(place).ok()
}

fn character(value: u8) -> char {
    let byte = ALPHABET.get(usize::from(value & 31)).copied();
    char::from(byte.unwrap_or(b'0'))
}

/// What characters come to in the field of 32 elements, each weighted by its place: one wrong
/// character changes it, and so do two in each other's place.
fn folded(values: &[u8]) -> u8 {
    values.iter().fold(0, |sum, value| doubled(sum) ^ value)
}

/// Twice an element of the field, by x^5 + x^2 + 1.
const fn doubled(element: u8) -> u8 {
    let shifted = element << 1;
    if shifted & 32 == 0 {
        shifted
    } else {
        (shifted ^ 0b10_0101) & 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn minted(prefix: Option<&str>, random: [u8; RANDOM]) -> VoucherCode {
        let prefix = prefix.map(|text| VoucherPrefix::parse(text).unwrap());
        VoucherCode::mint(prefix.as_ref(), random)
    }

    #[test]
    fn a_code_is_shown_in_groups_after_its_prefix() {
        let random = std::array::from_fn(|place| u8::try_from(place).unwrap());
        assert_eq!(minted(None, random).reveal(), "01234-56789-ABCDE-FGHJT");
        let sale = minted(Some("sale"), random);
        assert!(sale.reveal().starts_with("SALE-01234-56789-ABCDE-FGHJ"));
        assert_eq!(format!("{sale:?}"), "VoucherCode(…)");
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in ["", "ABC", "01234-56789-ABCDE-FGH!T", &"0".repeat(29), "é"] {
            let refused = VoucherCode::parse(text);
            assert_eq!(refused, Err(InvalidVoucherCode::Form), "{text}");
        }
        let wrong = VoucherCode::parse("01234-56789-ABCDE-FGHJG");
        assert_eq!(wrong, Err(InvalidVoucherCode::Check));
        for text in ["", "ABCDEFGHI", "A-B", "é"] {
            assert_eq!(VoucherPrefix::parse(text), Err(InvalidVoucherPrefix));
        }
    }

    fn typed() -> impl Strategy<Value = VoucherCode> {
        let prefix = proptest::option::of("[A-Z0-9]{1,8}");
        let random = proptest::array::uniform19(any::<u8>());
        (prefix, random).prop_map(|(prefix, random)| minted(prefix.as_deref(), random))
    }

    proptest! {
        #[test]
        fn a_code_is_read_however_it_is_written(code in typed()) {
            let shown = code.reveal();
            let bare = shown.replace('-', "");
            let spaced = shown.replace('-', " ").to_lowercase();
            let confused = bare.replace('0', "o").replace('1', "l");
            for text in [&shown, &bare, &spaced, &confused] {
                let read = VoucherCode::parse(text).unwrap();
                prop_assert_eq!(read.canonical(), code.canonical());
            }
        }

        #[test]
        fn one_wrong_character_is_seen(code in typed(), place in 0_usize..20, wrong in 1_u8..32) {
            let mut values = code.values.clone();
            let at = values.len() - 1 - place;
            values[at] ^= wrong;
            let text: String = values.into_iter().map(character).collect();
            prop_assert_eq!(VoucherCode::parse(&text), Err(InvalidVoucherCode::Check));
        }

        #[test]
        fn two_characters_in_each_others_place_are_seen(code in typed(), place in 0_usize..19) {
            let mut values = code.values.clone();
            let at = values.len() - 2 - place;
            prop_assume!(values[at] != values[at + 1]);
            values.swap(at, at + 1);
            let text: String = values.into_iter().map(character).collect();
            prop_assert_eq!(VoucherCode::parse(&text), Err(InvalidVoucherCode::Check));
        }

        #[test]
        fn codes_of_other_bytes_differ(
            one in proptest::array::uniform19(0_u8..32),
            other in proptest::array::uniform19(0_u8..32),
        ) {
            let same = minted(None, one).canonical() == minted(None, other).canonical();
            prop_assert_eq!(same, one == other);
        }
    }
}
