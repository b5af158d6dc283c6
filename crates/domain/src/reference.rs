//! The names a payment goes by: the merchant's, the gateway's and the provider's. A reference must
//! never be changed, trimmed or re-cased after it was parsed.

use crate::account::AccountId;
use std::fmt;

/// The merchant's own unique reference of a transaction: 1–64 of `[A-Za-z0-9._:-]`, unique per
/// account across all families, for ever (interface §1, rule 5).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MerchantReference(String);

/// Why a text is not a merchant reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -")]
pub struct InvalidReference;

impl MerchantReference {
    /// Longest reference in characters: long enough for a UUID with a prefix, short enough for
    /// every provider once the account and the attempt are added.
    pub const LENGTH_MAX: usize = 64;

    /// Reads a merchant reference.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], and foreign characters.
    pub fn parse(text: &str) -> Result<Self, InvalidReference> {
        is_of_merchant(text)
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidReference)
    }

    /// What the references of fundings that confirm top-ups begin with.
    pub(crate) const TOP_UP_PREFIX: &str = "topup:";

    /// The reference of the funding that confirms the top-up of a number.
    pub(crate) fn of_top_up(number: TransactionNumber) -> Self {
        Self(format!("{}{number}", Self::TOP_UP_PREFIX))
    }

    /// A reference that the gateway makes, of characters and a length that are allowed.
    pub(crate) const fn made(text: String) -> Self {
        Self(text)
    }

    /// The reference as the merchant wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MerchantReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text can be a reference that a merchant gives, of whatever it names.
pub(crate) fn is_of_merchant(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'-');
    (1..=MerchantReference::LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed)
}

/// The gateway's number of a transaction, from 1 to 2^53 − 1, so that JSON readers that know only
/// doubles keep it exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransactionNumber(u64);

/// The number is zero or does not fit in 53 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be from 1 to 9007199254740991")]
pub struct InvalidNumber;

impl TransactionNumber {
    /// 2^53 − 1.
    pub const MAX: u64 = 9_007_199_254_740_991;

    /// A transaction number.
    ///
    /// # Errors
    /// Refuses zero and numbers over [`Self::MAX`].
    pub fn try_new(number: u64) -> Result<Self, InvalidNumber> {
        (1..=Self::MAX)
            .contains(&number)
            .then_some(Self(number))
            .ok_or(InvalidNumber)
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TransactionNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The number of an attempt within its transaction: 1 or 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttemptNumber(u8);

/// The number is not 1 or 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be from 1 to 2")]
pub struct InvalidAttempt;

impl AttemptNumber {
    /// Most attempts per transaction: one retry clears a passing fault; more only delay the answer.
    pub const MAX: u8 = 2;

    /// The first attempt.
    pub const FIRST: Self = Self(1);

    /// An attempt number.
    ///
    /// # Errors
    /// Refuses anything but 1 and 2.
    pub fn try_new(number: u8) -> Result<Self, InvalidAttempt> {
        (1..=Self::MAX)
            .contains(&number)
            .then_some(Self(number))
            .ok_or(InvalidAttempt)
    }

    /// The number itself.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Every attempt there can be.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::successors(Some(Self::FIRST), |attempt| attempt.next())
    }

    /// The attempt after this; `None` after the last.
    pub fn next(self) -> Option<Self> {
        Self::try_new(self.0.saturating_add(1)).ok()
    }
}

impl fmt::Display for AttemptNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The reference a provider sees for one attempt. It is derived from what the merchant chose, never
/// from a serial number, so that recovery after a crash derives the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderReference(String);

impl ProviderReference {
    /// Derives the reference of an attempt: `account.reference.attempt`. Distinct inputs give
    /// distinct references: an account identity holds no dot, and the attempt follows the last.
    pub fn derive(
        account: &AccountId,
        reference: &MerchantReference,
        attempt: AttemptNumber,
    ) -> Self {
        Self(format!("{account}.{reference}.{attempt}"))
    }

    /// What the reference was derived from; `None` where it is none of ours.
    pub fn parts(&self) -> Option<(AccountId, MerchantReference, AttemptNumber)> {
        let (account, rest) = self.0.split_once('.')?;
        let (reference, attempt) = rest.rsplit_once('.')?;
        let attempt = AttemptNumber::try_new(attempt.parse().ok()?).ok()?;
        let account = AccountId::parse(account).ok()?;
        let reference = MerchantReference::parse(reference).ok()?;
        // `01` and `+1` are numbers, and none that was ever derived.
        let derived = Self::derive(&account, &reference, attempt);
        (derived == *self).then_some((account, reference, attempt))
    }

    /// A reference as a provider or the store gave it back.
    pub fn from_echo(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The reference as sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a reference of a provider's own form consists of apart from a date: it is the same for the
/// same attempt, whenever that is recorded, and names no account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UndatedReference(String);

impl UndatedReference {
    /// What an adapter makes, or finds in a reference.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UndatedReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn references_outside_the_alphabet_or_length_are_refused() {
        for text in ["", "a b", "a/b", "é", "a\n", &"x".repeat(65)] {
            assert_eq!(
                MerchantReference::parse(text),
                Err(InvalidReference),
                "{text:?}"
            );
        }
        assert!(MerchantReference::parse(&"x".repeat(64)).is_ok());
    }

    #[test]
    fn a_reference_of_others_has_no_parts() {
        for text in [
            "",
            "TXN-4711",
            "shop.order-7",
            "shop.order-7.3",
            "shop.order-7.0",
        ] {
            assert_eq!(ProviderReference::from_echo(text).parts(), None, "{text}");
        }
        for text in [
            "shop.order-7.01",
            "shop.order-7.+1",
            "shop..1",
            ".order-7.1",
            "a b.c.1",
        ] {
            assert_eq!(ProviderReference::from_echo(text).parts(), None, "{text}");
        }
        assert!(ProviderReference::from_echo("shop.a.b.2").parts().is_some());
    }

    proptest! {
        #[test]
        fn different_attempts_never_share_a_provider_reference(
            left in ("[A-Za-z0-9_-]{1,12}", "[A-Za-z0-9._:-]{1,64}", 1_u8..=2),
            right in ("[A-Za-z0-9_-]{1,12}", "[A-Za-z0-9._:-]{1,64}", 1_u8..=2),
        ) {
            let derive = |(account, reference, n): &(String, String, u8)| {
                ProviderReference::derive(
                    &AccountId::parse(account).unwrap(),
                    &MerchantReference::parse(reference).unwrap(),
                    AttemptNumber::try_new(*n).unwrap(),
                )
            };
            prop_assert_eq!(derive(&left) == derive(&right), left == right);
            let (account, reference, n) = &left;
            let (of, under, attempt) = derive(&left).parts().unwrap();
            prop_assert_eq!((of.as_str(), under.as_str()), (account.as_str(), reference.as_str()));
            prop_assert_eq!(attempt.get(), *n);
        }

        #[test]
        fn only_what_was_derived_has_parts(
            text in "[A-Za-z0-9._: +-]{0,8}|[a-z]{1,3}\\.[a-z.]{1,4}\\.[+0-9]{1,3}",
        ) {
            let reference = ProviderReference::from_echo(text);
            if let Some((account, name, attempt)) = reference.parts() {
                prop_assert_eq!(ProviderReference::derive(&account, &name, attempt), reference);
            }
        }
    }
}
