//! Merchant accounts. An account never carries its balance: money lives in the ledger's wallet.

mod contact;

pub use contact::{AccountContact, AccountIdentity, EmailAddress, InvalidEmail};

use crate::environment::Environment;
use crate::money::Currency;
use crate::time::Timestamp;
use std::fmt;

/// The identity of a merchant account, `mrcIdentity` on the interface: 1–32 of `[A-Za-z0-9_-]`.
/// It holds neither a colon (Basic authentication) nor a dot (provider references).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(String);

/// Why a text is not an account identity, name or time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAccount {
    /// Not an identity.
    #[error("must be 1 to 32 characters out of A-Z a-z 0-9 _ -")]
    Identity,
    /// Not a name.
    #[error("must be 1 to 80 characters without control characters")]
    Name,
}

impl AccountId {
    /// Longest identity in characters.
    pub const LENGTH_MAX: usize = 32;

    /// Reads an account identity.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], and foreign characters.
    pub fn parse(text: &str) -> Result<Self, InvalidAccount> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidAccount::Identity)
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What people call the account: 1–80 characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccountName(String);

impl AccountName {
    /// Longest name in characters.
    pub const LENGTH_MAX: usize = 80;

    /// Reads an account name; white space around it is dropped.
    ///
    /// # Errors
    /// Refuses an empty name, one over [`Self::LENGTH_MAX`], and control characters.
    pub fn parse(text: &str) -> Result<Self, InvalidAccount> {
        let text = text.trim();
        let fits = (1..=Self::LENGTH_MAX).contains(&text.chars().count())
            && !text.chars().any(char::is_control);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidAccount::Name)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first letter of each word, for people who are to recognise the name and not learn it.
    pub fn masked(&self) -> String {
        let masked = self.0.split_whitespace().map(|word| {
            let mut letters = word.chars();
            let first = letters.next();
            first.into_iter().chain(letters.map(|_| '*'))
        });
        masked.map(String::from_iter).collect::<Vec<_>>().join(" ")
    }
}

/// Whether an account may use the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountStatus {
    /// May buy and read.
    Active,
    /// May do nothing until an operator lifts it; its open transactions are still settled.
    Suspended,
}

/// A merchant account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The identity, `mrcIdentity`.
    pub id: AccountId,
    /// What people call it.
    pub name: AccountName,
    /// How it is reached.
    pub contact: AccountContact,
    /// Whether its money is real. It never changes: a merchant has an account in each.
    pub environment: Environment,
    /// Whether it may use the gateway.
    pub status: AccountStatus,
    /// The currency it is billed in.
    pub currency: Currency,
    /// What its messages are billed in: its currency or credits, each a wallet of its own
    /// (interface §2.8).
    pub message_currency: Currency,
    /// IANA time zone its dates are shown in, such as `Africa/Lagos`.
    pub time_zone: String,
    /// When it was opened.
    pub opened_at: Timestamp,
}
