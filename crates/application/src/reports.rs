//! Reports of a merchant's transactions and money over a period. A report must show its account
//! alone, and never what the gateway pays or earns.

pub mod files;
mod float;
mod walk;

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::order::Service;
use domain::reporting::{
    AcceptedTransaction, GroupedSums, PriceSums, ReconciliationSums, ReportDays, ReportGrouping,
    ReportSums, SettledTransfer, SettlementSums, SumTooLarge, WalletDay,
};
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::Status;
use ports::PortError;
use std::time::Duration;
use walk::{AcceptedWalk, SettledWalk};

/// How many rows one report is made of. Every total is added up from all rows of its period, so
/// this bounds the time that a request takes.
pub const ROWS_MAX: u64 = 50_000;

/// How many rows are read at a time: what a report has in memory of the store.
const ROWS_AT_A_TIME: u32 = 500;

/// What a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportScope {
    /// Of these products.
    pub services: Vec<Service>,
    /// Whether what belongs to no product is part of it, such as payments in.
    pub beside_products: BesideProducts,
    /// The period.
    pub days: ReportDays,
}

impl ReportScope {
    /// Of one product, or of everything.
    pub fn of(service: Option<Service>, days: ReportDays) -> Self {
        match service {
            Some(service) => Self {
                services: vec![service],
                beside_products: BesideProducts::LeftOut,
                days,
            },
            None => Self {
                services: Service::all().collect(),
                beside_products: BesideProducts::Included,
                days,
            },
        }
    }
}

/// Whether a report has what belongs to no product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BesideProducts {
    /// It has: it is a report of everything.
    Included,
    /// It has not: it is a report of products.
    LeftOut,
}

/// Which transactions a report shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFilter {
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

/// A part of the transactions of a period, and the sums of all that satisfy the filter.
#[derive(Debug)]
pub struct TransactionReport {
    /// The transactions.
    pub transactions: Vec<AcceptedTransaction>,
    /// How many the period has.
    pub total: u64,
    /// How many of them satisfy the filter.
    pub found: u64,
    /// The sums of those, in one group for each currency.
    pub sums: GroupedSums<PriceSums>,
}

/// The days of a wallet, and the whole period of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletReport {
    /// The days.
    pub days: Vec<WalletDay>,
    /// The period.
    pub total: WalletDay,
}

/// Why a report is refused.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The period has more rows than [`ROWS_MAX`].
    #[error("the period has too many rows for one report")]
    TooManyRows,
    /// A sum is beyond the largest amount.
    #[error(transparent)]
    TooLarge(#[from] SumTooLarge),
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for ReportError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

impl ReportScope {
    /// Whether something is part of it: of a product, or of none.
    fn has(&self, service: Option<Service>) -> bool {
        match service {
            Some(service) => self.services.contains(&service),
            None => self.beside_products == BesideProducts::Included,
        }
    }

    /// The first moment after the period, or after the present one.
    fn until(&self, now: Timestamp) -> Timestamp {
        self.days.until().min(now.plus(Duration::from_millis(1)))
    }
}

impl Gateway {
    /// A part of the transactions that were accepted in a period, in their order.
    ///
    /// # Errors
    /// Refuses a period of too many rows.
    pub async fn report_transactions(
        &self,
        merchant: &Merchant,
        scope: &ReportScope,
        filter: &ReportFilter,
    ) -> Result<TransactionReport, ReportError> {
        let now = self.now();
        let wanted = filter.offset..filter.offset.saturating_add(filter.length.into());
        if filter.sort == Sort::Ascending {
            return self.selected((merchant, scope, now), filter, wanted).await;
        }
        // Where the part begins, counted from the beginning, follows from how many there are.
        let whole = self.selected((merchant, scope, now), filter, 0..0).await?;
        let from_end = |it: u64| whole.found.saturating_sub(it);
        let wanted = from_end(wanted.end)..from_end(wanted.start);
        let walk = (merchant, scope, now);
        let mut report = self.selected(walk, filter, wanted).await?;
        report.transactions.reverse();
        Ok(report)
    }

    async fn selected(
        &self,
        (merchant, scope, now): (&Merchant, &ReportScope, Timestamp),
        filter: &ReportFilter,
        wanted: std::ops::Range<u64>,
    ) -> Result<TransactionReport, ReportError> {
        let mut walk = AcceptedWalk::new(self, (&merchant.account.id, ROWS_MAX), scope, now);
        let mut report = TransactionReport {
            transactions: Vec::new(),
            total: 0,
            found: 0,
            sums: GroupedSums::default(),
        };
        while let Some(row) = walk.next().await? {
            report.total = report.total.saturating_add(1);
            if !filter.takes(&row) {
                continue;
            }
            let key = key(scope, ReportGrouping::Account, &row);
            report.sums.add(key, &PriceSums::of(&row.quote))?;
            if wanted.contains(&report.found) {
                report.transactions.push(row);
            }
            report.found = report.found.saturating_add(1);
        }
        Ok(report)
    }

    /// What was delivered in a period, less what was taken back: its value, commission, charges and
    /// taxes.
    ///
    /// # Errors
    /// Refuses a period of too many rows.
    pub async fn report_commission(
        &self,
        merchant: &Merchant,
        scope: &ReportScope,
        grouping: ReportGrouping,
    ) -> Result<GroupedSums<PriceSums>, ReportError> {
        let of = (&merchant.account.id, ROWS_MAX);
        self.commission_sums(of, (scope, self.now()), grouping)
            .await
    }

    /// The money that settled in a period: what was taken, given back and paid in.
    ///
    /// # Errors
    /// Refuses a period of too many rows.
    pub async fn report_settlement(
        &self,
        merchant: &Merchant,
        scope: &ReportScope,
        grouping: ReportGrouping,
    ) -> Result<GroupedSums<SettlementSums>, ReportError> {
        let of = (&merchant.account.id, ROWS_MAX);
        self.settlement_sums(of, (scope, self.now()), grouping)
            .await
    }

    /// The prices of the transactions that were accepted in a period, and what became of them.
    ///
    /// # Errors
    /// Refuses a period of too many rows.
    pub async fn report_reconciliation(
        &self,
        merchant: &Merchant,
        scope: &ReportScope,
        grouping: ReportGrouping,
    ) -> Result<GroupedSums<ReconciliationSums>, ReportError> {
        let of = (&merchant.account.id, ROWS_MAX);
        self.reconciliation_sums(of, (scope, self.now()), grouping)
            .await
    }

    async fn commission_sums(
        &self,
        of: (&AccountId, u64),
        at: (&ReportScope, Timestamp),
        grouping: ReportGrouping,
    ) -> Result<GroupedSums<PriceSums>, ReportError> {
        self.settled_sums(of, at, (grouping, SettledTransfer::price_sums))
            .await
    }

    async fn settlement_sums(
        &self,
        of: (&AccountId, u64),
        at: (&ReportScope, Timestamp),
        grouping: ReportGrouping,
    ) -> Result<GroupedSums<SettlementSums>, ReportError> {
        let part = |row: &SettledTransfer| Some(row.settlement_sums());
        self.settled_sums(of, at, (grouping, part)).await
    }

    async fn settled_sums<S: ReportSums + Send>(
        &self,
        of: (&AccountId, u64),
        (scope, as_of): (&ReportScope, Timestamp),
        (grouping, part): (
            ReportGrouping,
            impl Fn(&SettledTransfer) -> Option<S> + Send,
        ),
    ) -> Result<GroupedSums<S>, ReportError> {
        let mut walk = SettledWalk::new(self, of, scope, as_of);
        let mut sums = GroupedSums::default();
        while let Some(row) = walk.next().await? {
            let service = row.service();
            if let Some(part) = part(&row).filter(|_| scope.has(service)) {
                let day = scope.days.day_of(row.at);
                let bought = (service, row.biller());
                let key = grouping.key(day, bought, row.amount.currency());
                sums.add(key, &part)?;
            }
        }
        Ok(sums)
    }

    async fn reconciliation_sums(
        &self,
        of: (&AccountId, u64),
        (scope, as_of): (&ReportScope, Timestamp),
        grouping: ReportGrouping,
    ) -> Result<GroupedSums<ReconciliationSums>, ReportError> {
        let mut walk = AcceptedWalk::new(self, of, scope, as_of);
        let mut sums = GroupedSums::default();
        while let Some(row) = walk.next().await? {
            let part = row.reconciliation_sums(as_of).ok_or(SumTooLarge)?;
            sums.add(key(scope, grouping, &row), &part)?;
        }
        Ok(sums)
    }
}

impl ReportFilter {
    fn takes(&self, row: &AcceptedTransaction) -> bool {
        self.status.is_none_or(|only| row.status() == only)
            && self
                .number
                .as_ref()
                .is_none_or(|only| row.order.digits() == only)
    }
}

fn key(
    scope: &ReportScope,
    grouping: ReportGrouping,
    row: &AcceptedTransaction,
) -> domain::reporting::GroupKey {
    let day = scope.days.day_of(row.opened_at);
    let bought = (Some(row.order.service()), row.order.biller());
    grouping.key(day, bought, row.quote.price.currency())
}
