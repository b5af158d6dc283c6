//! Subscriptions. A step must be written where the version is the one it follows, and nowhere else.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::recurring::{RECURRING_MAX, RecurringRun, RecurringStep};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::time::Timestamp;
use ports::PortError;
use ports::batches::PageOf;
use ports::recurring::{
    RecurringChange, RecurringCreation, RecurringKey, RecurringPage, RecurringPayments,
    SealedRecurring,
};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Subscriptions in the order they were made, and their runs by account, subscription and number.
#[derive(Debug, Clone, Default)]
pub(super) struct RecurringTables {
    pub(super) all: Vec<SealedRecurring>,
    pub(super) runs: BTreeMap<(AccountId, TransactionNumber, u32), RecurringRun>,
}

impl RecurringTables {
    fn of<'a>(&'a self, account: &'a AccountId) -> impl Iterator<Item = &'a SealedRecurring> {
        let all = self.all.iter();
        all.filter(move |it| it.payment.terms.account == *account)
    }

    fn in_version(&mut self, key: RecurringKey<'_>) -> Option<&mut SealedRecurring> {
        self.all.iter_mut().find(|it| {
            let terms = &it.payment.terms;
            let named = (&terms.account, terms.number, it.payment.version);
            named == (key.account, key.number, key.version)
        })
    }
}

#[async_trait]
impl RecurringPayments for MemoryStore {
    async fn create_recurring(
        &self,
        recurring: &SealedRecurring,
    ) -> Result<RecurringCreation, PortError> {
        let mut tables = self.tables();
        let terms = &recurring.payment.terms;
        if tables.account(&terms.account).is_none() {
            return Ok(RecurringCreation::AccountUnknown);
        }
        let known = || tables.recurring.of(&terms.account).map(|it| &it.payment);
        if known().any(|it| it.terms.number == terms.number) {
            return Ok(RecurringCreation::NumberTaken);
        }
        if known().any(|it| it.terms.reference == terms.reference) {
            return Ok(RecurringCreation::ReferenceTaken);
        }
        let live = known().filter(|it| !it.progress.status.is_over());
        if live.count() >= RECURRING_MAX as usize {
            return Ok(RecurringCreation::TooMany);
        }
        tables.recurring.all.push(recurring.clone());
        Ok(RecurringCreation::Done)
    }

    async fn recurring(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<SealedRecurring>, PortError> {
        let tables = self.tables();
        let mut all = tables.recurring.of(account);
        let found = all.find(|it| it.payment.terms.reference == *reference);
        Ok(found.cloned())
    }

    async fn numbered_recurring(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<SealedRecurring>, PortError> {
        let tables = self.tables();
        let mut all = tables.recurring.of(account);
        let found = all.find(|it| it.payment.terms.number == number);
        Ok(found.cloned())
    }

    async fn recurring_page(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<RecurringPage, PortError> {
        let tables = self.tables();
        let all = tables.recurring.of(account).map(|it| it.payment.clone());
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|it| (it.terms.created_at, it.terms.number));
        if page.sort == Sort::Descending {
            all.reverse();
        }
        let total = all.len() as u64;
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let shown = all.into_iter().skip(offset).take(page.length as usize);
        Ok(RecurringPage {
            payments: shown.collect(),
            total,
        })
    }

    async fn due_recurring(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SealedRecurring>, PortError> {
        let tables = self.tables();
        let all = tables.recurring.all.iter();
        let due = all.filter(|it| it.payment.progress.look_at.is_some_and(|at| at <= now));
        let mut due: Vec<_> = due.cloned().collect();
        due.sort_by_key(|it| it.payment.progress.look_at);
        due.truncate(limit as usize);
        Ok(due)
    }

    async fn step_recurring(
        &self,
        key: RecurringKey<'_>,
        step: &RecurringStep,
    ) -> Result<RecurringChange, PortError> {
        let mut tables = self.tables();
        let Some(found) = tables.recurring.in_version(key) else {
            return Ok(RecurringChange::VersionConflict);
        };
        found.payment.progress = step.progress;
        found.payment.version = key.version.next();
        if let Some(run) = step.run {
            let named = (key.account.clone(), key.number, run.number);
            tables.recurring.runs.insert(named, run);
        }
        Ok(RecurringChange::Done)
    }

    async fn put_off_recurring(
        &self,
        key: RecurringKey<'_>,
        until: Timestamp,
    ) -> Result<RecurringChange, PortError> {
        let mut tables = self.tables();
        let found = tables.recurring.in_version(key);
        let Some(found) = found.filter(|it| it.payment.progress.look_at.is_some()) else {
            return Ok(RecurringChange::VersionConflict);
        };
        let progress = &mut found.payment.progress;
        (progress.look_at, progress.is_pause) = (Some(until), true);
        Ok(RecurringChange::Done)
    }

    async fn bound_recurring_pauses(&self, latest: Timestamp) -> Result<u64, PortError> {
        let mut count = 0;
        for it in &mut self.tables().recurring.all {
            let progress = &mut it.payment.progress;
            if progress.is_pause && progress.look_at > Some(latest) {
                progress.look_at = Some(latest);
                count += 1;
            }
        }
        Ok(count)
    }

    async fn recurring_runs(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        runs: RangeInclusive<u32>,
    ) -> Result<Vec<RecurringRun>, PortError> {
        let tables = self.tables();
        let all = tables.recurring.runs.iter();
        let of_it = all.filter(|((owner, of, run), _)| {
            (owner, *of) == (account, number) && runs.contains(run)
        });
        Ok(of_it.map(|(_, run)| *run).collect())
    }
}

impl MemoryTables {
    /// The payment that a run is recorded to have, of the service that its subscription buys.
    pub(super) fn has_payment_of_run(&self, of: &SealedRecurring, run: &RecurringRun) -> bool {
        let terms = &of.payment.terms;
        let reference = terms.run_reference(run);
        let found =
            self.transaction_where(|tx| tx.account == terms.account && tx.reference == reference);
        found.is_some_and(|row| {
            let tx = &row.transaction;
            let key = tx.idempotency.as_ref().map(|it| it.key.as_str());
            tx.order.service() == terms.order.service()
                && key.is_some_and(|key| key.starts_with("run "))
        })
    }
}
