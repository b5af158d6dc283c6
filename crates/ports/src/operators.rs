//! The log of what operators do, and what only they may have done. An entry must never be changed
//! or removed, and no entry be stored that does not follow the last.

use crate::PortError;
use async_trait::async_trait;
use domain::account::{AccountContact, AccountId, AccountIdentity};
use domain::freeze::{FreezeReason, FreezeState, FreezeTarget};
use domain::money::Money;
use domain::operator::{Act, OperatorEntry};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::reference_settlement::SettledAs;

/// What became of appending an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is durable.
    Done,
    /// Another entry was appended meanwhile: this one must be signed again, after that.
    Behind,
}

/// Something stored that only an act may have made. What was there before operators had keys is
/// none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignedEffect {
    /// An account, with how it is reached.
    Account(AccountId, AccountContact),
    /// What another account paid to an account by its e-mail address or phone number.
    Paid(AccountId, AccountIdentity),
    /// A key of an account, by its hint.
    Key(AccountId, String),
    /// Money paid in.
    Funding(AccountId, MerchantReference, Money),
    /// A reference that was settled and not reopened, with who accepted it.
    Settlement(ProviderReference, SettledAs, String),
    /// Payments that were resumed, with who said so.
    Resumption(ProviderId, String),
    /// A version of an operator's freeze: of what of an account, what it was set to, and why.
    Freeze(AccountId, FreezeTarget, FreezeState, FreezeReason),
    /// Money paid to a provider, or paid back by it, with who entered it.
    Prefunding(ProviderId, MerchantReference, Money, String),
}

/// The log of what operators do.
#[async_trait]
pub trait OperatorLog: Send + Sync + std::fmt::Debug {
    /// Appends an entry after the last, whose number is one lower.
    ///
    /// # Errors
    /// When the store failed: the entry may have been appended.
    async fn append(&self, entry: &OperatorEntry) -> Result<Appended, PortError>;

    /// The last entry.
    ///
    /// # Errors
    /// When the store failed, or the entry cannot be read.
    async fn last(&self) -> Result<Option<OperatorEntry>, PortError>;

    /// Entries of a number above `after`, rising, at most `limit`.
    ///
    /// # Errors
    /// When the store failed, or an entry cannot be read.
    async fn entries(&self, after: u64, limit: u32) -> Result<Vec<OperatorEntry>, PortError>;

    /// Every entry of some acts, rising.
    ///
    /// # Errors
    /// When the store failed, or an entry cannot be read.
    async fn of_acts(&self, acts: &[Act]) -> Result<Vec<OperatorEntry>, PortError>;

    /// Everything stored that only an act may have made.
    ///
    /// # Errors
    /// When the store failed, or a row cannot be read.
    async fn effects(&self) -> Result<Vec<SignedEffect>, PortError>;
}
