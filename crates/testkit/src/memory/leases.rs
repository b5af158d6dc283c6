//! Claiming what is due. A claim must change nothing but when the transaction is due again.

use super::{MemoryStore, TransactionRow};
use async_trait::async_trait;
use domain::account::{Account, AccountId, AccountIdentity, AccountStatus};
use domain::order::Order;
use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use domain::user::Payee;
use ports::PortError;
use ports::transactions::{AttemptKey, Claim, ClaimableTransfer, ClaimedPlace, Leases};
use std::collections::HashMap;
use std::time::Duration;

#[async_trait]
impl Leases for MemoryStore {
    async fn claim_due(&self, claim: Claim) -> Result<Vec<Transaction>, PortError> {
        let mut tables = self.tables();
        let undecided = tables.transactions.iter_mut().filter(|row| !is_queued(row));
        let due = leased(due(undecided, claim), claim).into_iter();
        Ok(due.map(|row| row.transaction.clone()).collect())
    }

    async fn claim_queued(
        &self,
        claim: Claim,
        except: &[AccountId],
    ) -> Result<Vec<ClaimedPlace>, PortError> {
        let mut tables = self.tables();
        let wanted = |row: &&mut TransactionRow| {
            is_queued(row) && !except.contains(&row.transaction.account)
        };
        let queued = tables.transactions.iter_mut().filter(wanted);
        let due = leased(in_turns(due(queued, claim)), claim).into_iter();
        let place = |row: &TransactionRow| ClaimedPlace {
            transaction: row.transaction.clone(),
            is_confirmed: !row.unconfirmed,
        };
        Ok(due.map(place).collect())
    }

    async fn claimable(&self, limit: u32) -> Result<Vec<ClaimableTransfer>, PortError> {
        let tables = self.tables();
        let found = tables.transactions.iter().filter_map(|row| {
            let tx = &row.transaction;
            let Order::User(order) = &tx.order else {
                return None;
            };
            let own = tables.account(&tx.account)?;
            let is_active = |account: &Account| account.status == AccountStatus::Active;
            if !is_queued(row) || row.unconfirmed || !is_active(&own.account) {
                return None;
            }
            let mut others = tables.accounts.iter().map(|row| &row.account);
            let payee = others.find(|it| {
                let has = match &order.identity {
                    AccountIdentity::Id(_) => false,
                    AccountIdentity::Email(email) => it.contact.email.as_ref() == Some(email),
                    AccountIdentity::Phone(phone) => it.contact.phone.as_ref() == Some(phone),
                };
                let in_environment = it.environment == own.account.environment;
                has && in_environment && it.id != tx.account && is_active(it)
            })?;
            Some(ClaimableTransfer {
                transaction: tx.clone(),
                payee: Payee {
                    account: payee.id.clone(),
                    name: payee.name.clone(),
                },
            })
        });
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(found.take(limit).collect())
    }

    async fn unclaimed(&self, account: &AccountId) -> Result<u64, PortError> {
        let tables = self.tables();
        let waits = |row: &&TransactionRow| {
            let tx = &row.transaction;
            is_queued(row) && tx.account == *account && tx.order.recipient().is_some()
        };
        let count = tables.transactions.iter().filter(waits).count();
        Ok(u64::try_from(count).unwrap_or(u64::MAX))
    }

    async fn reclaim_orphans(&self, now: Timestamp) -> Result<u64, PortError> {
        let mut tables = self.tables();
        // What is due already keeps its place in the queue.
        let orphaned =
            |row: &&mut TransactionRow| row.leased && row.due_at.is_some_and(|due| due > now);
        let orphans = tables.transactions.iter_mut().filter(orphaned);
        let mut reclaimed = 0;
        for row in orphans {
            row.due_at = Some(now);
            row.leased = false;
            reclaimed += 1;
        }
        Ok(reclaimed)
    }

    async fn bound_due(&self, now: Timestamp, longest: Duration) -> Result<u64, PortError> {
        let latest = now.plus(longest);
        let mut tables = self.tables();
        let late = |row: &&mut TransactionRow| {
            (row.leased || !is_queued(row)) && row.due_at.is_some_and(|due| due > latest)
        };
        let mut bounded = 0;
        for row in tables.transactions.iter_mut().filter(late) {
            row.due_at = Some(latest);
            bounded += 1;
        }
        Ok(bounded)
    }

    async fn may_send(&self, attempt: &AttemptKey) -> Result<bool, PortError> {
        let now = self.clock.now();
        let tables = self.tables();
        let row = tables.numbered(&attempt.account, attempt.number);
        Ok(row.is_some_and(|row| {
            let sending = match &row.transaction.state {
                State::Sending(sending) => sending.attempt == attempt.attempt,
                State::Queued(_)
                | State::InDoubt(_)
                | State::Review(_)
                | State::Successful(_)
                | State::Failed(_)
                | State::Reversed(_)
                | State::Cancelled(_)
                | State::Booked(_) => false,
            };
            let unchanged = row.transaction.version == attempt.version;
            let due = row.due_at.is_none_or(|due_at| due_at <= now);
            sending && unchanged && !row.claimed && !due
        }))
    }
}

fn is_queued(row: &TransactionRow) -> bool {
    matches!(row.transaction.state, State::Queued(_))
}

/// Those that are due, longest due first.
fn due<'a>(
    rows: impl Iterator<Item = &'a mut TransactionRow>,
    claim: Claim,
) -> Vec<&'a mut TransactionRow> {
    let is_due = |row: &&mut TransactionRow| row.due_at.is_some_and(|due| due <= claim.now);
    let mut due: Vec<_> = rows.filter(is_due).collect();
    due.sort_by_key(|row| row.due_at);
    due
}

/// The first of each account, then the second of each, and so on.
fn in_turns(due: Vec<&mut TransactionRow>) -> Vec<&mut TransactionRow> {
    let mut counts = HashMap::<AccountId, u32>::new();
    let mut turns = Vec::with_capacity(due.len());
    for row in due {
        let count = counts.entry(row.transaction.account.clone()).or_default();
        turns.push((*count, row));
        *count = count.saturating_add(1);
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, row)| row).collect()
}

/// The first of them, leased.
fn leased(rows: Vec<&mut TransactionRow>, claim: Claim) -> Vec<&TransactionRow> {
    let limit = usize::try_from(claim.limit).unwrap_or(usize::MAX);
    let leased = rows.into_iter().take(limit).map(|row| {
        row.due_at = Some(claim.now.plus(claim.lease));
        row.leased = true;
        row.claimed = true;
        &*row
    });
    leased.collect()
}
