//! The record of what was changed of accounts. A change must be recorded by the commit that makes
//! it, and no secret may be in it.

mod audit;
mod noting;

pub use noting::seal_change;
pub(crate) use noting::{ChangeNote, Described};

use crate::gateway::{Gateway, Merchant};
use crate::pepper::Pepper;
use domain::account_change::{AccountChangesQuery, RecordedChange};
use noting::is_change_sealed;
use ports::PortError;
use ports::account_changes::ChainedChange;

/// Some changes of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedChanges {
    /// The changes of the part.
    pub changes: Vec<RecordedChange>,
    /// How many there are.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

impl Gateway {
    /// A part of what was changed of the merchant's account.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    pub async fn account_changes(
        &self,
        merchant: &Merchant,
        query: &AccountChangesQuery,
    ) -> Result<RecordedChanges, PortError> {
        let (pepper, account) = (&self.parts().pepper, &merchant.account.id);
        let page = self.parts().account_changes.account_changes(account, query);
        let page = page.await?;
        let is_linked = |nth: usize, change: &ChainedChange| {
            let beside = [nth.checked_sub(1), nth.checked_add(1)];
            let beside = beside
                .into_iter()
                .flatten()
                .filter_map(|at| page.changes.get(at));
            let mut before = beside.filter(|it| it.number.checked_add(1) == Some(change.number));
            before.all(|it| it.hash == change.previous)
        };
        let changes = page.changes.iter().enumerate().map(|(nth, change)| {
            let is_own = change.sealed.change.account == *account;
            let is_verified = is_own && is_linked(nth, change) && is_sound(pepper, change);
            if !is_verified {
                let number = change.number;
                tracing::error!(%account, number, "a change was altered; run the audit");
            }
            RecordedChange {
                number: change.number,
                change: change.sealed.change.clone(),
                previous: change.previous,
                hash: change.hash,
                is_verified,
            }
        });
        Ok(RecordedChanges {
            changes: changes.collect(),
            total: page.total,
            found: page.found,
        })
    }
}

/// Whether a row says what a gateway wrote, by itself.
fn is_sound(pepper: &Pepper, change: &ChainedChange) -> bool {
    change.is_whole() && is_change_sealed(pepper, &change.sealed)
}
