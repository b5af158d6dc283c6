//! The transactions of one product, as far back as they are looked through. It must show an account
//! its own transactions only, each as its report shows it.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::money::Currency;
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::statement::{Direction, Sort, StatementEntry, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::{Status, Transaction};
use ports::PortError;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many of an account's transactions are looked through, the newest ones. They are found by the
/// lines of the statement, which no index has by product, and each is read by itself, so that one
/// list costs as much as so many reports: a store that finds them by product could list all.
pub const LOOKED_THROUGH_MAX: usize = 2_000;

/// Lines of the statement, and transactions, that are read together.
const READ_TOGETHER: u32 = 100;

/// Which transactions are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionFilter {
    /// Of this product.
    pub service: Service,
    /// Only the one under this reference.
    pub reference: Option<MerchantReference>,
    /// Only those that stand like this.
    pub status: Option<Status>,
    /// Transactions to skip.
    pub offset: u64,
    /// Most transactions to answer.
    pub length: u32,
    /// By the moment they were accepted.
    pub sort: Sort,
}

/// A part of the transactions of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionPage {
    /// The transactions.
    pub transactions: Vec<Transaction>,
    /// How many of the product there are among those that are looked through.
    pub total: u64,
    /// How many of them satisfy the filter.
    pub found: u64,
}

/// A transaction as the statement names it.
#[derive(Debug)]
struct OpenedRange {
    at: Timestamp,
    /// Its place in the statement of its currency.
    position: u64,
    reference: MerchantReference,
}

impl Gateway {
    /// A part of the merchant's transactions of a product.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn transactions(
        &self,
        merchant: &Merchant,
        filter: &TransactionFilter,
    ) -> Result<TransactionPage, RequestError> {
        let account = &merchant.account.id;
        let mut opened = Vec::new();
        for currency in Currency::ALL {
            opened.extend(self.opened_in(account, currency).await?);
        }
        opened.sort_by_key(|it| (it.at, it.position));
        let older = opened.len().saturating_sub(LOOKED_THROUGH_MAX);
        let newest: Vec<_> = opened.into_iter().skip(older).collect();
        let mut all = Vec::new();
        for together in newest.chunks(READ_TOGETHER as usize) {
            let read = self.read_together(account, together).await?;
            let service = filter.service;
            all.extend(read.into_iter().filter(|it| it.order.service() == service));
        }
        if let Some(reference) = &filter.reference
            && !all.iter().any(|it| it.reference == *reference)
        {
            // Older than what is looked through, or not there.
            all.extend(self.report(merchant, filter.service, reference).await?);
        }
        Ok(page(all, filter))
    }

    /// What was opened in a currency, the newest of it: each transaction sets its price aside once,
    /// and that is a debit.
    async fn opened_in(
        &self,
        account: &AccountId,
        currency: Currency,
    ) -> Result<Vec<OpenedRange>, RequestError> {
        let mut opened = Vec::new();
        let mut query = StatementQuery {
            currency,
            offset: 0,
            length: READ_TOGETHER,
            sort: Sort::Descending,
            reference: None,
            direction: Some(Direction::Debit),
        };
        for _ in 0..LOOKED_THROUGH_MAX.div_ceil(READ_TOGETHER as usize) {
            let transactions = &self.parts().transactions;
            let lines = transactions.statement(account, &query).await?.entries;
            let is_last = lines.len() < READ_TOGETHER as usize;
            opened.extend(lines.into_iter().filter_map(OpenedRange::of));
            if is_last {
                break;
            }
            query.offset = query.offset.saturating_add(u64::from(READ_TOGETHER));
        }
        Ok(opened)
    }

    /// Reads transactions at the same time, in the order they are named in: a store that several
    /// instances share answers what is asked together with one statement.
    async fn read_together(
        &self,
        account: &AccountId,
        opened: &[OpenedRange],
    ) -> Result<Vec<Transaction>, RequestError> {
        let mut reads = JoinSet::new();
        for (place, OpenedRange { reference, .. }) in opened.iter().enumerate() {
            let transactions = Arc::clone(&self.parts().transactions);
            let (account, reference) = (account.clone(), reference.clone());
            reads.spawn(async move {
                let read = transactions.by_reference(&account, &reference).await;
                (place, read)
            });
        }
        let mut found = BTreeMap::new();
        while let Some(read) = reads.join_next().await {
            let stopped = |error| PortError::caused("application", "a read was stopped", error);
            let (place, read) = read.map_err(stopped)?;
            found.extend(read?.map(|transaction| (place, transaction)));
        }
        Ok(found.into_values().collect())
    }
}

impl OpenedRange {
    /// The transaction of a line; a line without one settles something else.
    fn of(line: StatementEntry) -> Option<Self> {
        let (_, reference) = line.transaction?;
        Some(Self {
            at: line.at,
            position: line.position,
            reference,
        })
    }
}

/// The part of all transactions of a product, oldest first, that a filter asks for.
fn page(mut all: Vec<Transaction>, filter: &TransactionFilter) -> TransactionPage {
    let total = count(&all);
    all.retain(|it| {
        filter
            .reference
            .as_ref()
            .is_none_or(|only| it.reference == *only)
    });
    all.retain(|it| filter.status.is_none_or(|only| it.status() == only));
    let found = count(&all);
    if filter.sort == Sort::Descending {
        all.reverse();
    }
    let offset = usize::try_from(filter.offset).unwrap_or(usize::MAX);
    let part = all.into_iter().skip(offset).take(filter.length as usize);
    TransactionPage {
        transactions: part.collect(),
        total,
        found,
    }
}

fn count(transactions: &[Transaction]) -> u64 {
    u64::try_from(transactions.len()).unwrap_or(u64::MAX)
}
