//! What a quote is named by. It must not know what was quoted.

use std::fmt;

/// The text that names a quote and proves it: the quote itself, signed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct QuoteIdentifier(String);

/// The text is no quote by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the qteIdentifier of a quote, as it was answered")]
pub struct UnreadableQuote;

impl QuoteIdentifier {
    /// What each begins with.
    pub const PREFIX: &'static str = "qte_";

    /// Most characters: the longest quote there is has fewer.
    pub const LENGTH_MAX: usize = 1_000;

    /// Reads one by its shape.
    ///
    /// # Errors
    /// Refuses other characters and lengths.
    pub fn parse(text: &str) -> Result<Self, UnreadableQuote> {
        let body = text.strip_prefix(Self::PREFIX).unwrap_or_default();
        let is_base64 = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let fits = !body.is_empty() && text.len() <= Self::LENGTH_MAX;
        (fits && body.bytes().all(is_base64))
            .then(|| Self(text.to_owned()))
            .ok_or(UnreadableQuote)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for QuoteIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QuoteIdentifier")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_quote_is_refused() {
        for text in ["", "qte_", "qte_a b", "qte_é", "abc", "qte_a="] {
            assert_eq!(
                QuoteIdentifier::parse(text),
                Err(UnreadableQuote),
                "{text:?}"
            );
        }
        let long = format!("qte_{}", "a".repeat(997));
        assert_eq!(QuoteIdentifier::parse(&long), Err(UnreadableQuote));
        assert!(QuoteIdentifier::parse("qte_A-z_09").is_ok());
    }
}
