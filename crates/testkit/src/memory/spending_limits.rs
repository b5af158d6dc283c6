//! Limits on what accounts spend. The latest version of each must be the only one that counts.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::change_set::{Opening, StateChange};
use domain::spending::{LIMIT_CHANGES_PER_DAY_MAX, LimitedServices};
use domain::statement::Sort;
use domain::transaction::Transaction;
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::batches::PageOf;
use ports::ledger_store::CommitOutcome;
use ports::spending_limits::{ApprovalPage, LimitChange, SealedLimit, SpendingLimits, StoredLimit};
use std::collections::BTreeMap;
use std::time::Duration;

#[async_trait]
impl SpendingLimits for MemoryStore {
    async fn set_spending_limit(
        &self,
        sealed: &SealedLimit,
        noted: &SealedChange,
    ) -> Result<LimitChange, PortError> {
        let mut tables = self.tables();
        let limit = &sealed.limit;
        if tables.account(&limit.account).is_none() {
            return Ok(LimitChange::AccountUnknown);
        }
        let of_account = tables.spending_limits.iter().map(|row| &row.limit);
        let of_account: Vec<_> = of_account
            .filter(|it| it.account == limit.account)
            .collect();
        let same = of_account.iter().filter(|it| it.services == limit.services);
        let latest = same.map(|it| it.version).max().unwrap_or_default();
        if latest + 1 != limit.version {
            return Ok(LimitChange::VersionConflict(latest));
        }
        let since = limit.created_at.minus(Duration::from_hours(24));
        let recent = |at| at > since && at <= limit.created_at;
        let today = of_account.iter().filter(|it| recent(it.created_at)).count();
        if today >= LIMIT_CHANGES_PER_DAY_MAX as usize {
            return Ok(LimitChange::TooManyToday);
        }
        tables.spending_limits.push(sealed.clone());
        tables.record_change(noted);
        Ok(LimitChange::Done)
    }

    async fn spending_limit_versions(&self) -> Result<Vec<StoredLimit>, PortError> {
        let all = self.tables().spending_limits.clone();
        Ok(all.into_iter().map(StoredLimit::Sealed).collect())
    }

    async fn awaiting_approval(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<ApprovalPage, PortError> {
        let tables = self.tables();
        let waiting = tables.transactions.iter().map(|row| &row.transaction);
        let waiting = waiting.filter(|tx| tx.account == *account && tx.awaits_approval());
        let mut waiting: Vec<&Transaction> = waiting.collect();
        if page.sort == Sort::Descending {
            waiting.reverse();
        }
        let total = waiting.len();
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let part = waiting.into_iter().skip(offset).take(page.length as usize);
        Ok(ApprovalPage {
            payments: part.cloned().collect(),
            total: total as u64,
        })
    }
}

impl MemoryTables {
    /// The latest version of each limit of an account.
    pub(super) fn latest_limits(&self, account: &AccountId) -> Vec<StoredLimit> {
        let mut latest = BTreeMap::new();
        for row in &self.spending_limits {
            if row.limit.account == *account {
                latest.insert(row.limit.services.code(), row.clone());
            }
        }
        let stored = LimitedServices::all().filter_map(|it| latest.remove(it.code()));
        stored.map(StoredLimit::Sealed).collect()
    }

    /// Counts what is opened against the limit of the day, or answers that it is over it.
    pub(super) fn charge(&mut self, opening: &Opening) -> Option<CommitOutcome> {
        let tx = &opening.transaction;
        let wallet = self.wallet_mut(tx)?;
        match wallet.spending.with(tx, opening.day) {
            Ok(spending) => {
                wallet.spending = spending;
                None
            }
            Err(over) => Some(CommitOutcome::OverDailyLimit(over.limit)),
        }
    }

    /// Counts no more what a step gives back.
    pub(super) fn give_back(&mut self, advance: &StateChange) {
        if let Some(wallet) = self.wallet_mut(&advance.transaction) {
            *wallet = wallet.advanced(advance);
        }
    }

    /// The wallet that pays a transaction.
    fn wallet_mut(&mut self, tx: &Transaction) -> Option<&mut domain::ledger::Wallet> {
        let currency = tx.quote.price.currency();
        let wallets = self.accounts.iter_mut().flat_map(|row| &mut row.wallets);
        let mut own = wallets.filter(|wallet| wallet.account == tx.account);
        own.find(|wallet| wallet.currency() == currency)
    }
}
