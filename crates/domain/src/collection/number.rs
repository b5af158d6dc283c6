//! The numbers that payers type. One that was mistyped must not be another collection's.

use crate::bank::{AccountNumber, BankCode, GroupLabel};
use crate::reference::TransactionNumber;
use std::fmt;

/// The number a payer names: ten digits and two check digits (ISO/IEC 7064, MOD 97-10), which find
/// every wrong digit and every two that changed places.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PaymentReference(String);

/// The text is no payment reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the 12 digits of a payment reference; one of them is wrong or missing")]
pub struct InvalidCollectionReference;

impl PaymentReference {
    /// Digits of every payment reference.
    pub const DIGITS: usize = 12;

    const DRAWN: u64 = 10_000_000_000;

    /// The reference that follows from a number that was drawn.
    pub fn drawn(number: TransactionNumber) -> Self {
        let body = number.get().checked_rem(Self::DRAWN).unwrap_or_default();
        let shifted = body.saturating_mul(100);
        let left = shifted.checked_rem(97).unwrap_or_default();
        let check = 98_u64.saturating_sub(left);
        Self(format!("{body:010}{check:02}"))
    }

    /// Reads a reference; blanks and hyphens between its digits are dropped.
    ///
    /// # Errors
    /// Refuses anything but 12 digits of which the last two fit.
    pub fn parse(text: &str) -> Result<Self, InvalidCollectionReference> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        let number: Option<u64> = digits.parse().ok();
        let fits = digits.len() == Self::DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
        let number = number.filter(|_| fits).ok_or(InvalidCollectionReference)?;
        let left = number.checked_rem(97).unwrap_or_default();
        // Nothing but what this gateway makes: the check digits are 02 to 98.
        let check = number.checked_rem(100).unwrap_or_default();
        let is_made = (2..=98).contains(&check) && left == 1;
        is_made
            .then_some(Self(digits))
            .ok_or(InvalidCollectionReference)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PaymentReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The account numbers that a bank lets the gateway hand out: those that begin with its digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VirtualAccountRange {
    bank: GroupLabel,
    code: BankCode,
    prefix: String,
}

/// The digits are none that a range begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 5 digits")]
pub struct InvalidRange;

impl VirtualAccountRange {
    /// Most digits that a range begins with: ten thousand numbers are left.
    pub const PREFIX_MAX: usize = 5;

    const SERIAL_DIGITS: usize = AccountNumber::DIGITS - 1;

    /// The range of a bank.
    ///
    /// # Errors
    /// Refuses digits that no range begins with.
    pub fn try_new(bank: GroupLabel, code: BankCode, prefix: &str) -> Result<Self, InvalidRange> {
        let fits = (1..=Self::PREFIX_MAX).contains(&prefix.len())
            && prefix.bytes().all(|b| b.is_ascii_digit());
        let prefix = fits.then(|| prefix.to_owned()).ok_or(InvalidRange)?;
        Ok(Self { bank, code, prefix })
    }

    /// The bank, by its legal name.
    pub const fn bank(&self) -> &GroupLabel {
        &self.bank
    }

    /// The number of the range that follows from one that was drawn.
    pub fn drawn(&self, number: TransactionNumber) -> AccountNumber {
        let width = Self::SERIAL_DIGITS.saturating_sub(self.prefix.len());
        let digits = u32::try_from(width).unwrap_or_default();
        let numbers = 10_u64.saturating_pow(digits);
        let serial = number.get().checked_rem(numbers).unwrap_or_default();
        AccountNumber::numbered(&self.code, &format!("{}{serial:0width$}", self.prefix))
    }
}
