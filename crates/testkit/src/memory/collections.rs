//! Collections, and what was paid to them. What was paid must be added up each time.

use super::ledger_store::verdict;
use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::collection::{
    BankSession, CollectedPayment, Collection, CollectionKind, CollectionPaid, CollectionSource,
    CollectionState, VIRTUAL_ACCOUNTS_MAX,
};
use domain::money::{Currency, Money};
use domain::statement::Sort;
use ports::PortError;
use ports::batches::PageOf;
use ports::collections::{
    CollectedPage, CollectedPayments, CollectionChange, CollectionCreation, CollectionName,
    CollectionPage, CollectionSort, Collections,
};
use ports::ledger_store::CommitOutcome;

/// What is stored of collections, in the order it was made.
#[derive(Debug, Clone, Default)]
pub(super) struct CollectionTables {
    pub(super) collections: Vec<Collection>,
    pub(super) payments: Vec<CollectedPayment>,
}

impl CollectionTables {
    fn state(&self, collection: &Collection) -> CollectionState {
        let payments = self.payments.iter();
        let own = payments.filter(|paid| {
            paid.account == collection.account && paid.collection == collection.number
        });
        let of = |paid: &CollectedPayment| {
            let fees = paid.fee.charge.minor() + paid.fee.vat.minor();
            (paid.amount.minor(), fees)
        };
        let (minors, fees): (Vec<i64>, Vec<i64>) = own.map(of).unzip();
        let money = |minor| Money::from_minor(minor, Currency::Ngn);
        CollectionState {
            collection: collection.clone(),
            paid: CollectionPaid {
                total: money(minors.iter().sum()),
                largest: money(minors.iter().copied().max().unwrap_or_default()),
                fees: money(fees.iter().sum()),
                count: minors.len() as u64,
            },
        }
    }

    fn find(&self, is_it: impl Fn(&Collection) -> bool) -> Option<CollectionState> {
        let mut all = self.collections.iter();
        all.find(|it| is_it(it)).map(|it| self.state(it))
    }
}

impl MemoryTables {
    pub(super) fn collect(&mut self, payment: &CollectedPayment) -> CommitOutcome {
        if self.account(&payment.account).is_none() {
            return CommitOutcome::AccountUnknown;
        }
        let mut known = self.collections.payments.iter();
        let known =
            known.find(|known| known.source == payment.source && known.session == payment.session);
        if let Some(known) = known {
            return CommitOutcome::SessionTaken(Box::new(known.clone()));
        }
        let transfers = payment.transfers();
        let wallets = match self.wallets_after(&transfers) {
            Ok(wallets) => wallets,
            Err(unbookable) => return verdict(unbookable),
        };
        self.put_wallets(wallets);
        let owned = transfers.into_iter().enumerate();
        for (place, transfer) in owned {
            self.transfers.push((payment.account.clone(), transfer));
            // What is charged for a payment is no credit.
            if place == 0 {
                let wallet = (&payment.account, payment.amount.currency());
                self.notify_statement_entry(wallet, None);
            }
        }
        self.collections.payments.push(payment.clone());
        CommitOutcome::Done
    }
}

#[async_trait]
impl Collections for MemoryStore {
    async fn create_collection(
        &self,
        collection: &Collection,
    ) -> Result<CollectionCreation, PortError> {
        let mut tables = self.tables();
        if tables.account(&collection.account).is_none() {
            return Ok(CollectionCreation::AccountUnknown);
        }
        let known = &tables.collections.collections;
        let own = || known.iter().filter(|it| it.account == collection.account);
        let payee = collection.kind.payee();
        let is_drawn = own().any(|it| it.number == collection.number);
        if is_drawn || known.iter().any(|it| it.kind.payee() == payee) {
            return Ok(CollectionCreation::NumberTaken);
        }
        let mut invoices = tables.invoices.iter();
        let is_invoices = invoices
            .any(|it| (&it.account, &it.reference) == (&collection.account, &collection.reference));
        if is_invoices || own().any(|it| it.reference == collection.reference) {
            return Ok(CollectionCreation::ReferenceTaken);
        }
        let is_account = |it: &Collection| matches!(it.kind, CollectionKind::Account(_));
        let accounts = own().filter(|it| is_account(it)).count();
        if is_account(collection) && accounts >= VIRTUAL_ACCOUNTS_MAX as usize {
            return Ok(CollectionCreation::TooMany);
        }
        tables.collections.collections.push(collection.clone());
        Ok(CollectionCreation::Done)
    }

    async fn change_collection(
        &self,
        collection: &Collection,
    ) -> Result<CollectionChange, PortError> {
        let mut tables = self.tables();
        let mut all = tables.collections.collections.iter_mut();
        let own = all.find(|it| {
            (&it.account, it.number) == (&collection.account, collection.number)
                && it.version.saturating_add(1) == collection.version
        });
        let Some(own) = own else {
            return Ok(CollectionChange::Conflict);
        };
        own.admission = collection.admission;
        own.version = collection.version;
        Ok(CollectionChange::Done)
    }

    async fn collection(
        &self,
        account: &AccountId,
        name: CollectionName<'_>,
    ) -> Result<Option<CollectionState>, PortError> {
        let tables = self.tables();
        Ok(tables.collections.find(|it| {
            let is_named = match name {
                CollectionName::Reference(reference) => it.reference == *reference,
                CollectionName::Number(number) => it.number == number,
            };
            it.account == *account && is_named
        }))
    }

    async fn collection_of_payee(&self, payee: &str) -> Result<Option<Collection>, PortError> {
        let tables = self.tables();
        let mut all = tables.collections.collections.iter();
        Ok(all.find(|it| it.kind.payee() == payee).cloned())
    }

    async fn collections(
        &self,
        account: &AccountId,
        sort: CollectionSort,
        page: PageOf,
    ) -> Result<CollectionPage, PortError> {
        let tables = self.tables();
        let all = tables.collections.collections.iter();
        let own = all.filter(|it| it.account == *account && CollectionSort::of(&it.kind) == sort);
        let mut own: Vec<_> = own.map(|it| tables.collections.state(it)).collect();
        own.sort_by_key(|it| (it.collection.created_at, it.collection.number));
        let total = own.len() as u64;
        Ok(CollectionPage {
            collections: part(own, page),
            total,
        })
    }

    async fn collected_payment(
        &self,
        source: CollectionSource,
        session: &BankSession,
    ) -> Result<Option<CollectedPayment>, PortError> {
        let tables = self.tables();
        let mut payments = tables.collections.payments.iter();
        let found = payments.find(|it| it.source == source && it.session == *session);
        Ok(found.cloned())
    }

    async fn collected_payments(
        &self,
        account: &AccountId,
        wanted: CollectedPayments,
        page: PageOf,
    ) -> Result<CollectedPage, PortError> {
        let tables = self.tables();
        let payments = tables.collections.payments.iter();
        let own = payments.filter(|it| {
            let is_of = wanted
                .collection
                .is_none_or(|number| it.collection == number);
            it.account == *account && is_of && (wanted.from..wanted.to).contains(&it.at)
        });
        let mut own: Vec<_> = own.cloned().collect();
        own.sort_by_key(|it| (it.at, it.number));
        let total = own.len() as u64;
        Ok(CollectedPage {
            payments: part(own, page),
            total,
        })
    }
}

pub(super) fn part<T>(mut all: Vec<T>, page: PageOf) -> Vec<T> {
    if page.sort == Sort::Descending {
        all.reverse();
    }
    let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
    all.into_iter()
        .skip(offset)
        .take(page.length as usize)
        .collect()
}
