//! Sender identities of messages: registered by a merchant, approved by an operator. A sender must
//! never be shown to another account.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::environment::Environment;
use domain::sms::{Sender, SenderName, SenderSerial, SenderStatus};
use domain::time::Timestamp;

/// What became of registering a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SenderRegistration {
    /// Stored.
    Done,
    /// The serial number is in use; draw another.
    SerialTaken,
    /// The account has a sender of this name already.
    NameTaken,
    /// No such account.
    AccountUnknown,
}

/// Sender identities.
#[async_trait]
pub trait Senders: Send + Sync + std::fmt::Debug {
    /// Registers a sender of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn register(&self, sender: &Sender) -> Result<SenderRegistration, PortError>;

    /// The sender an account registered under a serial number; another account's is not there.
    ///
    /// # Errors
    /// When the store failed.
    async fn sender(
        &self,
        account: &AccountId,
        serial: &SenderSerial,
    ) -> Result<Option<Sender>, PortError>;

    /// Approves or rejects a sender; `false` where there is none under the serial number.
    ///
    /// # Errors
    /// When the store failed.
    async fn decide(
        &self,
        serial: &SenderSerial,
        status: SenderStatus,
        now: Timestamp,
    ) -> Result<bool, PortError>;

    /// The senders of an account, or of all, by account and name.
    ///
    /// # Errors
    /// When the store failed.
    async fn senders(&self, account: Option<&AccountId>) -> Result<Vec<Sender>, PortError>;

    /// The approved senders of a name, in whatever case, of accounts of an environment: two at
    /// most, as it matters only whether there is one.
    ///
    /// # Errors
    /// When the store failed.
    async fn approved_under(
        &self,
        name: &SenderName,
        environment: Environment,
    ) -> Result<Vec<Sender>, PortError>;
}
