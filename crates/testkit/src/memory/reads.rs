//! Reading what was committed. A read must never change anything.

use super::backlog::open_state;
use super::{MemoryStore, MemoryTables, unreadable};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::event::Event;
use domain::ledger::{LedgerAccount, Transfer, Wallet};
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, ProviderReference, TransactionNumber};
use domain::statement::{Direction, Sort, StatementEntry, StatementPage, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::backlog::OpenState;
use ports::transactions::{TransactionRange, Transactions};

#[async_trait]
impl Transactions for MemoryStore {
    async fn by_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        let tables = self.tables();
        let row =
            tables.transaction_where(|tx| tx.account == *account && tx.reference == *reference);
        if let Some(row) = row.filter(|_| tables.is_unreadable(account, reference)) {
            return Err(unreadable(row.transaction.number));
        }
        Ok(row.map(|row| row.transaction.clone()))
    }

    async fn newest(
        &self,
        account: &AccountId,
        range: &TransactionRange,
    ) -> Result<Vec<Transaction>, PortError> {
        let tables = self.tables();
        let is_within = |tx: &&Transaction| {
            tx.account == *account
                && range.services.contains(&tx.order.service())
                && range.from.is_none_or(|from| tx.opened_at >= from)
                && range.until.is_none_or(|until| tx.opened_at < until)
        };
        let all = tables.transactions.iter().map(|row| &row.transaction);
        let mut found: Vec<&Transaction> = all.filter(is_within).collect();
        found.sort_by_key(|tx| std::cmp::Reverse((tx.opened_at, tx.number)));
        found.truncate(range.limit as usize);
        let lost = found
            .iter()
            .find(|tx| tables.is_unreadable(account, &tx.reference));
        match lost {
            Some(tx) => Err(unreadable(tx.number)),
            None => Ok(found.into_iter().cloned().collect()),
        }
    }

    async fn by_provider_reference(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<Transaction>, PortError> {
        let tables = self.tables();
        let is_own = !reference.as_str().contains('.');
        let row = tables.transaction_where(|tx| {
            is_own && tx.prepared.iter().any(|it| it.reference == *reference)
        });
        let Some(row) = row else { return Ok(None) };
        let tx = &row.transaction;
        if tables.is_unreadable(&tx.account, &tx.reference) {
            return Err(unreadable(tx.number));
        }
        Ok(Some(tx.clone()))
    }

    async fn wallets(&self, account: &AccountId) -> Result<Vec<Wallet>, PortError> {
        let tables = self.tables();
        let row = tables.account(account);
        Ok(row.map(|row| row.wallets.clone()).unwrap_or_default())
    }

    async fn statement(
        &self,
        account: &AccountId,
        query: &StatementQuery,
    ) -> Result<StatementPage, PortError> {
        let lines = self.tables().statement_lines(account, query.currency);
        let total = lines.len() as u64;
        let mut found: Vec<_> = lines
            .into_iter()
            .filter(|line| asked(query, line))
            .collect();
        if query.sort == Sort::Descending {
            found.reverse();
        }
        let page = |lines: &[StatementEntry]| {
            let skipped = usize::try_from(query.offset).unwrap_or(usize::MAX);
            let length = usize::try_from(query.length).unwrap_or(usize::MAX);
            lines.iter().skip(skipped).take(length).cloned().collect()
        };
        Ok(StatementPage {
            entries: page(&found),
            total,
            found: found.len() as u64,
        })
    }

    async fn transfers(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Transfer>, PortError> {
        let tables = self.tables();
        let transfers = tables.transfers.iter().filter_map(|(owner, transfer)| {
            let of_it = owner == account && transfer.transaction == Some(number);
            of_it.then(|| transfer.clone())
        });
        Ok(transfers.collect())
    }

    async fn events(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Event>, PortError> {
        let tables = self.tables();
        let events = tables.events.iter().filter_map(|(owner, event)| {
            let of_it = owner == account && event.transaction == number;
            of_it.then_some(*event)
        });
        Ok(events.collect())
    }

    async fn unsettled(&self, state: OpenState, limit: u32) -> Result<Vec<Transaction>, PortError> {
        let tables = self.tables();
        let mut found: Vec<_> = tables
            .transactions
            .iter()
            .filter(|row| open_state(&row.transaction.state) == Some(state))
            .map(|row| row.transaction.clone())
            .collect();
        found.sort_by_key(|tx| (tx.opened_at, tx.account.clone(), tx.number));
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn due_at(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<Timestamp>, PortError> {
        let tables = self.tables();
        let found = tables
            .transactions
            .iter()
            .find(|row| (&row.transaction.account, row.transaction.number) == (account, number));
        Ok(found.and_then(|row| row.due_at))
    }
}

fn asked(query: &StatementQuery, line: &StatementEntry) -> bool {
    let reference = line.transaction.as_ref().map(|(_, reference)| reference);
    let reference_fits = query.reference.is_none() || query.reference.as_ref() == reference;
    let direction_fits = query.direction.is_none() || query.direction == Some(line.direction);
    reference_fits && direction_fits
}

impl MemoryTables {
    /// Every line of a wallet's statement, oldest first: its transfers into and out of what can be
    /// spent, added up from nothing.
    pub(super) fn statement_lines(
        &self,
        account: &AccountId,
        currency: Currency,
    ) -> Vec<StatementEntry> {
        let available = LedgerAccount::Available(account.clone());
        let mut balance = Money::zero(currency);
        let mut lines = Vec::new();
        let transfers = self.transfers.iter();
        for (owner, transfer) in transfers.filter(|(_, it)| it.amount.currency() == currency) {
            let (direction, after) = if transfer.debit == available {
                (Direction::Debit, balance.checked_sub(transfer.amount))
            } else if transfer.credit == available {
                (Direction::Credit, balance.checked_add(transfer.amount))
            } else {
                continue;
            };
            let before = balance;
            balance = after.expect("the wallet took this transfer");
            lines.push(StatementEntry {
                position: lines.len() as u64 + 1,
                transaction: transfer.transaction.map(|number| self.named(owner, number)),
                direction,
                narration: transfer.narration.clone().unwrap_or_default(),
                amount: transfer.amount,
                before,
                after: balance,
                at: transfer.at,
            });
        }
        lines
    }

    fn named(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> (TransactionNumber, MerchantReference) {
        let row = self
            .numbered(account, number)
            .expect("transfers name stored transactions");
        (number, row.transaction.reference.clone())
    }
}
