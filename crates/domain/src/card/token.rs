//! What stands for a card, and what its provider says of the card behind it.

use super::may_hold_card_number;
use std::fmt;

/// The token of a card, as a provider gave it: 8 to 128 letters, digits, hyphens, underscores, full
/// stops and colons.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CardToken(String);

/// Why a text is no token of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCardToken {
    /// Not by shape.
    #[error("must be the token of a card, 8 to 128 letters, digits and - _ . :")]
    Shape,
    /// It may be the number of a card.
    #[error("must be the token of a card; never send the number of a card")]
    CardNumber,
}

impl CardToken {
    /// Fewest characters: shorter ones could be guessed.
    pub const LENGTH_MIN: usize = 8;

    /// Most characters: longer than those of the providers there are.
    pub const LENGTH_MAX: usize = 128;

    /// Reads a token.
    ///
    /// # Errors
    /// Refuses other characters and lengths, and what may be the number of a card.
    pub fn parse(text: &str) -> Result<Self, InvalidCardToken> {
        if may_hold_card_number(text) {
            return Err(InvalidCardToken::CardNumber);
        }
        Self::restore(text)
    }

    /// Reads a token that was accepted before, whatever may be taken for a number since.
    ///
    /// # Errors
    /// Refuses other characters and lengths.
    pub fn restore(text: &str) -> Result<Self, InvalidCardToken> {
        let is_of_token = |b: u8| b.is_ascii_alphanumeric() || b"-_.:".contains(&b);
        let fits = (Self::LENGTH_MIN..=Self::LENGTH_MAX).contains(&text.len());
        if fits && text.bytes().all(is_of_token) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidCardToken::Shape)
        }
    }

    /// The token. It is a secret between the merchant and its provider.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CardToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CardToken")
    }
}

/// The last four digits of a card, which receipts may show.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CardDigits(String);

impl CardDigits {
    /// Reads them; `None` where there are not exactly four digits.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A card as its provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentCard {
    /// What stands for it.
    pub token: CardToken,
    /// The scheme, such as `Visa`.
    pub brand: String,
    /// Its last digits.
    pub last: CardDigits,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_and_never_shown() {
        for good in [
            "AUTH_6tmt288t0o",
            "flw-t1nf-75aa4a",
            "tok_visa_6789",
            "a.b:c-d_1",
        ] {
            let token = CardToken::parse(good).unwrap();
            assert_eq!(token.as_str(), good);
            assert!(!format!("{token:?}").contains(good));
        }
        for bad in [
            "",
            "short12",
            "with blank",
            "tok_é1234567",
            &"x".repeat(129),
        ] {
            assert_eq!(CardToken::parse(bad), Err(InvalidCardToken::Shape), "{bad}");
        }
    }

    #[test]
    fn the_number_of_a_card_is_no_token() {
        for number in [
            "4111111111111111",
            "tok_4111111111111111",
            "4111-1111-1111-1111",
        ] {
            let refused = CardToken::parse(number);
            assert_eq!(refused, Err(InvalidCardToken::CardNumber), "{number}");
        }
    }

    #[test]
    fn four_digits_are_shown_of_a_card_and_no_more() {
        assert!(CardDigits::parse("6789").is_some());
        for bad in ["", "678", "67890", "67a9", "٦٧٨٩"] {
            assert_eq!(CardDigits::parse(bad), None, "{bad}");
        }
    }
}
