//! Which banks there are, and whose an account is. It must not know who may be paid.

use crate::provider::LookupFailure;
use async_trait::async_trait;
use domain::bank::{AccountNumber, Bank, BankAccount, BankIdentifier};
use domain::country::CountryCode;

/// The institutions that keep accounts.
pub trait BankDirectory: Send + Sync + std::fmt::Debug {
    /// The banks of a country by short name, in one order for ever; none where none are listed.
    fn banks(&self, country: CountryCode) -> Vec<&Bank>;

    /// The bank of this identifier.
    fn bank(&self, id: &BankIdentifier) -> Option<&Bank>;
}

/// Looking accounts up at their bank.
#[async_trait]
pub trait BankAccounts: Send + Sync + std::fmt::Debug {
    /// The account as its bank knows it now.
    ///
    /// # Errors
    /// When the bank knows no such account, cannot be reached, or answers nonsense.
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure>;
}
