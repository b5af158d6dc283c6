//! Who is paid, as far as it is known. An account that was paid must not become another one when
//! its address does.

use crate::account::{AccountId, AccountName};
use crate::time::Timestamp;

/// The account that was paid, and what it was called then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payee {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: AccountName,
}

/// Who is paid, as it is known when a transfer is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// The account that has the identity.
    Account(Payee),
    /// No account has it; the money is held until one does, and given back then.
    Unclaimed {
        /// When it is given back.
        until: Timestamp,
    },
}
