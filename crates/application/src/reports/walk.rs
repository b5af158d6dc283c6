//! Rows of a report one after the other, read some at a time. A walk must never have more of the
//! store in memory than it reads at a time of each product.

use super::{ROWS_AT_A_TIME, ReportError, ReportScope};
use crate::gateway::Gateway;
use domain::account::AccountId;
use domain::order::Service;
use domain::reference::TransactionNumber;
use domain::reporting::{AcceptedTransaction, SettledTransfer};
use domain::time::Timestamp;
use ports::reports::{AcceptedRange, Reports, SettledRange};
use std::collections::VecDeque;

/// What a walk reads from, and how many rows it may read still.
struct Source<'a> {
    reports: &'a dyn Reports,
    account: &'a AccountId,
    left: u64,
}

impl<'a> Source<'a> {
    fn of(gateway: &'a Gateway, (account, rows_max): (&'a AccountId, u64)) -> Self {
        Self {
            reports: &*gateway.parts().reports,
            account,
            left: rows_max,
        }
    }

    /// Counts rows that were read.
    fn count(&mut self, rows: usize) -> Result<(), ReportError> {
        let rows = u64::try_from(rows).unwrap_or(u64::MAX);
        self.left = self
            .left
            .checked_sub(rows)
            .ok_or(ReportError::TooManyRows)?;
        Ok(())
    }
}

/// The transactions of one product.
struct ProductRows {
    /// Where the next ones begin; `None` where all were read.
    next: Option<AcceptedRange>,
    rows: VecDeque<AcceptedTransaction>,
}

impl ProductRows {
    /// The first one that was not taken yet, as it is ordered among those of all products.
    fn first(&self) -> Option<(Timestamp, TransactionNumber)> {
        self.rows.front().map(|row| (row.opened_at, row.number))
    }

    async fn fill(&mut self, source: &mut Source<'_>) -> Result<(), ReportError> {
        let Some(range) = self.next.filter(|_| self.rows.is_empty()) else {
            return Ok(());
        };
        let rows = source.reports.accepted(source.account, &range).await?;
        source.count(rows.len())?;
        let is_all = rows.len() < range.limit as usize;
        self.next = rows.last().filter(|_| !is_all).map(|last| AcceptedRange {
            from: last.opened_at,
            after: Some(last.number),
            ..range
        });
        self.rows = rows.into();
        Ok(())
    }
}

/// The transactions of several products, by the moment they were accepted.
pub(super) struct AcceptedWalk<'a> {
    source: Source<'a>,
    products: Vec<ProductRows>,
}

impl<'a> AcceptedWalk<'a> {
    pub(super) fn new(
        gateway: &'a Gateway,
        of: (&'a AccountId, u64),
        scope: &ReportScope,
        now: Timestamp,
    ) -> Self {
        let product = |service: &Service| ProductRows {
            next: Some(AcceptedRange {
                service: *service,
                from: scope.days.from(),
                until: scope.until(now),
                after: None,
                as_of: now,
                limit: ROWS_AT_A_TIME,
            }),
            rows: VecDeque::new(),
        };
        Self {
            source: Source::of(gateway, of),
            products: scope.services.iter().map(product).collect(),
        }
    }

    pub(super) async fn next(&mut self) -> Result<Option<AcceptedTransaction>, ReportError> {
        for product in &mut self.products {
            product.fill(&mut self.source).await?;
        }
        let products = self.products.iter_mut().filter(|it| !it.rows.is_empty());
        let first = products.min_by_key(|product| product.first());
        Ok(first.and_then(|product| product.rows.pop_front()))
    }
}

/// The transfers that settled, by their moments.
pub(super) struct SettledWalk<'a> {
    source: Source<'a>,
    next: Option<SettledRange>,
    rows: VecDeque<SettledTransfer>,
}

impl<'a> SettledWalk<'a> {
    pub(super) fn new(
        gateway: &'a Gateway,
        of: (&'a AccountId, u64),
        scope: &ReportScope,
        now: Timestamp,
    ) -> Self {
        let first = SettledRange {
            from: scope.days.from(),
            until: scope.until(now),
            after: None,
            limit: ROWS_AT_A_TIME,
        };
        Self {
            source: Source::of(gateway, of),
            next: Some(first),
            rows: VecDeque::new(),
        }
    }

    pub(super) async fn next(&mut self) -> Result<Option<SettledTransfer>, ReportError> {
        if let Some(range) = self.next.filter(|_| self.rows.is_empty()) {
            let source = &mut self.source;
            let rows = source.reports.settled(source.account, &range).await?;
            source.count(rows.len())?;
            let is_all = rows.len() < range.limit as usize;
            self.next = rows.last().filter(|_| !is_all).map(|last| SettledRange {
                from: last.at,
                after: Some(last.entry),
                ..range
            });
            self.rows = rows.into();
        }
        Ok(self.rows.pop_front())
    }
}
