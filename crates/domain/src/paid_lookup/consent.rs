//! The reference of a person's consent. It must be recorded as the merchant gave it: it is what the
//! merchant vouched for.

use crate::reference::{self, MerchantReference};
use std::fmt;

/// The merchant's reference of the record that a person agreed to a lookup about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentReference(String);

/// The text is no such reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -")]
pub struct InvalidConsentReference;

impl ConsentReference {
    /// Longest reference in characters: as of merchants' references.
    pub const LENGTH_MAX: usize = MerchantReference::LENGTH_MAX;

    /// Reads a reference.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], and foreign characters.
    pub fn parse(text: &str) -> Result<Self, InvalidConsentReference> {
        reference::is_of_merchant(text)
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidConsentReference)
    }

    /// The reference as the merchant wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConsentReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_kept_as_it_was_written() {
        let longest = "c".repeat(ConsentReference::LENGTH_MAX);
        for text in ["c", "Consent:2026-11_1.a", &longest] {
            assert_eq!(ConsentReference::parse(text).unwrap().as_str(), text);
        }
        for text in ["", "a b", "a/b", "é", &format!("{longest}c")] {
            assert_eq!(
                ConsentReference::parse(text),
                Err(InvalidConsentReference),
                "{text}"
            );
        }
    }
}
