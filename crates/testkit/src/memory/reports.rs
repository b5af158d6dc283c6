//! Reading for reports: every row is looked at, and what is asked for is taken of them.

use super::{MemoryStore, MemoryTables, unreadable};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::ledger::{LedgerAccount, Transfer};
use domain::reporting::{AcceptedTransaction, MovedPrice, SettledTransfer};
use domain::transaction::{Status, Transaction};
use ports::PortError;
use ports::reports::{AcceptedRange, Reports, SettledRange};

#[async_trait]
impl Reports for MemoryStore {
    async fn accepted(
        &self,
        account: &AccountId,
        range: &AcceptedRange,
    ) -> Result<Vec<AcceptedTransaction>, PortError> {
        let tables = self.tables();
        let begins = |tx: &Transaction| {
            let is_first = range.after.is_none_or(|after| tx.number > after);
            tx.opened_at > range.from || tx.opened_at == range.from && is_first
        };
        let is_within = |tx: &&Transaction| {
            tx.account == *account
                && tx.order.service() == range.service
                && begins(tx)
                && tx.opened_at < range.until
        };
        let all = tables.transactions.iter().map(|row| &row.transaction);
        let mut found: Vec<&Transaction> = all.filter(is_within).collect();
        found.sort_by_key(|tx| (tx.opened_at, tx.number));
        found.truncate(range.limit as usize);
        let read = |tx: &Transaction| {
            if tables.is_unreadable(account, &tx.reference) {
                return Err(unreadable(tx.number));
            }
            Ok(tables.reported(tx, range))
        };
        found.into_iter().map(read).collect()
    }

    async fn settled(
        &self,
        account: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError> {
        let tables = self.tables();
        let mut found = Vec::new();
        for (entry, (owner, transfer)) in (1_i64..).zip(&tables.transfers) {
            let is_first = range.after.is_none_or(|after| entry > after);
            let begins = transfer.at > range.from || transfer.at == range.from && is_first;
            let is_within = begins && transfer.at < range.until;
            if owner == account && is_within && settles(transfer, account) {
                found.push(tables.settled(account, entry, transfer)?);
            }
        }
        found.sort_by_key(|it| (it.at, it.entry));
        found.truncate(range.limit as usize);
        Ok(found)
    }
}

/// Whether a transfer is of a kind that settles, and into or out of a wallet of the account.
fn settles(transfer: &Transfer, account: &AccountId) -> bool {
    let wallet = [
        LedgerAccount::Available(account.clone()),
        LedgerAccount::Held(account.clone()),
    ];
    let is_of_it = wallet.contains(&transfer.debit) != wallet.contains(&transfer.credit);
    is_of_it && SettledTransfer::is_of(transfer.kind)
}

impl MemoryTables {
    fn reported(&self, tx: &Transaction, range: &AcceptedRange) -> AcceptedTransaction {
        let of_it = |(owner, transfer): &&(AccountId, Transfer)| {
            *owner == tx.account
                && transfer.transaction == Some(tx.number)
                && transfer.at <= range.as_of
        };
        let none = MovedPrice::none(tx.quote.price.currency());
        let moved = self.transfers.iter().filter(of_it);
        let moved = moved.fold(none, |moved, (_, transfer)| {
            let after = moved.after(transfer.kind, transfer.amount);
            after.expect("the ledger took these transfers")
        });
        let charged = tx.quote.for_captured(moved.captured, tx.order.units());
        AcceptedTransaction {
            number: tx.number,
            reference: tx.reference.clone(),
            order: tx.order.clone(),
            quote: charged.unwrap_or_else(|| tx.quote.clone()),
            opened_at: tx.opened_at,
            updated_at: tx.updated_at,
            is_final: tx.status() != Status::Pending,
            moved,
        }
    }

    fn settled(
        &self,
        account: &AccountId,
        entry: i64,
        transfer: &Transfer,
    ) -> Result<SettledTransfer, PortError> {
        let row = transfer.transaction.map(|number| {
            self.numbered(account, number)
                .expect("transfers name stored transactions")
        });
        if let Some(row) = row
            && self.is_unreadable(account, &row.transaction.reference)
        {
            return Err(unreadable(row.transaction.number));
        }
        let bought = row.map(|row| {
            let transaction = &row.transaction;
            (transaction.order.clone(), transaction.quote.clone())
        });
        let settled = SettledTransfer {
            entry,
            kind: transfer.kind,
            amount: transfer.amount,
            at: transfer.at,
            bought,
        };
        Ok(settled.of_what_was_used())
    }
}
