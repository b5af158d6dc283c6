//! The transactions of an account by product, as far back as they are looked through. It must show
//! an account its own transactions only.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::{Status, Transaction};
use ports::PortError;
use ports::transactions::TransactionRange;

/// How many transactions of a range are looked through, the newest ones. What the filters ask of
/// them is in records that no index can read, some of them sealed; each takes some kilobytes while
/// a page is made, so this bounds the cost of one list. Older ones are in an earlier range.
pub const LOOKED_THROUGH_MAX: u32 = 2_000;

/// Which transactions are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionFilter {
    /// Of these products.
    pub services: Vec<Service>,
    /// Accepted at this moment or later.
    pub from: Option<Timestamp>,
    /// Accepted before this moment.
    pub until: Option<Timestamp>,
    /// Only the one under this reference.
    pub reference: Option<MerchantReference>,
    /// Only those that stand like this.
    pub status: Option<Status>,
    /// Only those for the phone, meter, card or account of these digits.
    pub number: Option<String>,
    /// Transactions to skip.
    pub offset: u64,
    /// Most transactions to answer.
    pub length: u32,
    /// By the moment they were accepted.
    pub sort: Sort,
}

/// A part of the transactions of some products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionPage {
    /// The transactions.
    pub transactions: Vec<Transaction>,
    /// How many are looked through.
    pub total: u64,
    /// How many of them satisfy the filter.
    pub found: u64,
}

impl Gateway {
    /// A part of the merchant's transactions of some products.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn transactions(
        &self,
        merchant: &Merchant,
        filter: &TransactionFilter,
    ) -> Result<TransactionPage, RequestError> {
        Ok(self.transactions_of(&merchant.account.id, filter).await?)
    }

    /// A part of an account's transactions of some products.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn transactions_of(
        &self,
        account: &AccountId,
        filter: &TransactionFilter,
    ) -> Result<TransactionPage, PortError> {
        let range = TransactionRange {
            services: filter.services.clone(),
            from: filter.from,
            until: filter.until,
            limit: LOOKED_THROUGH_MAX,
        };
        let store = &self.parts().transactions;
        let mut all = store.newest(account, &range).await?;
        all.reverse();
        if let Some(reference) = &filter.reference
            && !all.iter().any(|it| it.reference == *reference)
        {
            // Older than what is looked through, or not there.
            let older = store.by_reference(account, reference).await?;
            all.extend(older.filter(|it| filter.services.contains(&it.order.service())));
        }
        Ok(page(all, filter))
    }
}

impl TransactionFilter {
    fn takes(&self, transaction: &Transaction) -> bool {
        let is = |only: &MerchantReference| transaction.reference == *only;
        self.reference.as_ref().is_none_or(is)
            && self.status.is_none_or(|only| transaction.status() == only)
            && self
                .number
                .as_ref()
                .is_none_or(|only| transaction.order.digits() == only)
    }
}

/// The part of all transactions that are looked through, oldest first, that a filter asks for.
fn page(mut all: Vec<Transaction>, filter: &TransactionFilter) -> TransactionPage {
    let total = count(&all);
    all.retain(|it| filter.takes(it));
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
