//! What was changed of accounts. A row is written by the commit of the change that it describes,
//! after the last row of its account, and names the hash of that one; it is never altered.

use crate::PortError;
use crate::access_keys::RowSeal;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::account_change::{AccountChange, AccountChangesQuery, ChainHash};
use sha2::{Digest, Sha256};
use std::fmt;

/// A change with the seal of its row: only a gateway can have written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedChange {
    /// The change.
    pub change: AccountChange,
    /// The seal.
    pub seal: RowSeal,
}

/// A row: a change with its place in the chain of its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainedChange {
    /// Its place, from 1.
    pub number: u64,
    /// The change.
    pub sealed: SealedChange,
    /// The hash of the row before it.
    pub previous: ChainHash,
    /// The hash of this row.
    pub hash: ChainHash,
}

impl ChainedChange {
    /// The row that follows one of a number and a hash.
    pub fn after((number, previous): (u64, ChainHash), sealed: SealedChange) -> Self {
        let number = number.saturating_add(1);
        let hash = chain_hash((number, previous), &sealed);
        Self {
            number,
            sealed,
            previous,
            hash,
        }
    }

    /// Whether its hash is that of what it says.
    pub fn is_whole(&self) -> bool {
        chain_hash((self.number, self.previous), &self.sealed) == self.hash
    }
}

/// The SHA-256 of a row: everything that it says, each part after its length, and the hash of the
/// row before it.
fn chain_hash((number, previous): (u64, ChainHash), sealed: &SealedChange) -> ChainHash {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(bytes);
    };
    part(&previous.0);
    part(&number.to_be_bytes());
    let change = &sealed.change;
    part(change.account.as_str().as_bytes());
    part(change.actor.kind().code().as_bytes());
    let key = change.actor.key().map(|key| key.0.to_be_bytes());
    part(key.as_ref().map_or(&[], |it| it.as_slice()));
    let user = change.actor.user().map(|user| user.get().to_be_bytes());
    part(user.as_ref().map_or(&[], |it| it.as_slice()));
    part(change.action.code().as_bytes());
    part(change.target.as_bytes());
    // No document is empty.
    part(change.before.as_deref().unwrap_or_default().as_bytes());
    part(change.after.as_deref().unwrap_or_default().as_bytes());
    let address = change.address.map(|address| address.to_string());
    part(address.unwrap_or_default().as_bytes());
    part(change.request_id.as_deref().unwrap_or_default().as_bytes());
    part(&change.at.as_millis().to_be_bytes());
    part(&sealed.seal.0);
    ChainHash(hash.finalize().into())
}

/// Some changes of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountChangesPage {
    /// The rows of the part.
    pub changes: Vec<ChainedChange>,
    /// How many there are.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

/// What was changed of accounts.
#[async_trait]
pub trait AccountChanges: Send + Sync + fmt::Debug {
    /// A part of the changes of an account.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn account_changes(
        &self,
        account: &AccountId,
        query: &AccountChangesQuery,
    ) -> Result<AccountChangesPage, PortError>;

    /// Every change of every account, each after the one before it; a row that breaks a rule is an
    /// error in its place.
    ///
    /// # Errors
    /// When the store failed.
    async fn audited_changes(&self) -> Result<Vec<Result<ChainedChange, PortError>>, PortError>;
}
