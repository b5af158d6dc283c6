//! The merchant's own wallets from day to day, added up from their statements. Where a period
//! begins in a statement must be found without reading what is before it.

use super::{ROWS_AT_A_TIME, ROWS_MAX, ReportError, WalletReport};
use crate::gateway::{Gateway, Merchant};
use domain::account::AccountId;
use domain::money::{Currency, Money};
use domain::reporting::{ReportDays, ReportGrouping, WalletDays};
use domain::statement::{Sort, StatementEntry, StatementPage, StatementQuery};
use domain::time::Timestamp;
use std::time::Duration;

/// The longest step of the search for the beginning of a period: no statement has 2^40 entries.
const LONGEST_STEP: u32 = 40;

impl Gateway {
    /// What each wallet of the account had at the beginning and the end of each day of a period.
    ///
    /// # Errors
    /// Refuses a period of too many rows.
    pub async fn report_float(
        &self,
        merchant: &Merchant,
        days: &ReportDays,
        grouping: ReportGrouping,
    ) -> Result<Vec<WalletReport>, ReportError> {
        let of = (&merchant.account.id, ROWS_MAX);
        let now = self.now().plus(Duration::from_millis(1));
        self.float_days(of, &days.ended_by(now), grouping).await
    }

    pub(super) async fn float_days(
        &self,
        (account, rows_max): (&AccountId, u64),
        days: &ReportDays,
        grouping: ReportGrouping,
    ) -> Result<Vec<WalletReport>, ReportError> {
        let mut left = rows_max;
        let mut wallets = Vec::new();
        for currency in Currency::ALL {
            let wallet = self.wallet_days((account, currency), (days, grouping), &mut left);
            wallets.push(wallet.await?);
        }
        Ok(wallets)
    }

    async fn wallet_days(
        &self,
        (account, currency): (&AccountId, Currency),
        (days, grouping): (&ReportDays, ReportGrouping),
        left: &mut u64,
    ) -> Result<WalletReport, ReportError> {
        let of = (account, currency);
        let mut offset = self.entries_before(of, days.from()).await?;
        let before = match offset.checked_sub(1) {
            Some(last) => self.entry(of, last).await?.map(|entry| entry.after),
            None => None,
        };
        let opening = before.unwrap_or(Money::zero(currency));
        let mut wallet = WalletDays::new(days, grouping, opening);
        loop {
            let page = self.entries(of, offset, ROWS_AT_A_TIME).await?;
            let read = u64::try_from(page.entries.len()).unwrap_or(u64::MAX);
            *left = left.checked_sub(read).ok_or(ReportError::TooManyRows)?;
            let is_within = |entry: &&StatementEntry| entry.at < days.until();
            let within: Vec<_> = page.entries.iter().take_while(is_within).collect();
            for entry in &within {
                wallet.add(entry)?;
            }
            if within.len() < page.entries.len() || read < u64::from(ROWS_AT_A_TIME) {
                break;
            }
            offset = offset.saturating_add(read);
        }
        let (days, total) = wallet.finish();
        Ok(WalletReport { days, total })
    }

    /// How many entries of a statement are before a moment. The search goes the same way however
    /// long the statement has become, so that the answer stays the same for ever.
    async fn entries_before(
        &self,
        of: (&AccountId, Currency),
        moment: Timestamp,
    ) -> Result<u64, ReportError> {
        let total = self.entries(of, 0, 1).await?.total;
        let mut before: u64 = 0;
        for bit in (0..=LONGEST_STEP).rev() {
            let Some(next) = before.checked_add(1 << bit).filter(|it| *it <= total) else {
                continue;
            };
            let entry = self.entry(of, next.saturating_sub(1)).await?;
            if entry.is_some_and(|entry| entry.at < moment) {
                before = next;
            }
        }
        // Payments at one moment may be booked in another order than decided. The period before
        // ends with the first entry that is not of it, and this one begins with that.
        let back = before.saturating_sub(u64::from(ROWS_AT_A_TIME));
        let page = self.entries(of, back, ROWS_AT_A_TIME).await?;
        let first = page.entries.iter().position(|it| it.at >= moment);
        let first = first.and_then(|place| u64::try_from(place).ok());
        Ok(first.map_or(before, |place| before.min(back.saturating_add(place))))
    }

    async fn entry(
        &self,
        of: (&AccountId, Currency),
        place: u64,
    ) -> Result<Option<StatementEntry>, ReportError> {
        Ok(self.entries(of, place, 1).await?.entries.pop())
    }

    async fn entries(
        &self,
        (account, currency): (&AccountId, Currency),
        offset: u64,
        length: u32,
    ) -> Result<StatementPage, ReportError> {
        let query = StatementQuery {
            currency,
            offset,
            length,
            sort: Sort::Ascending,
            reference: None,
            direction: None,
        };
        Ok(self.parts().transactions.statement(account, &query).await?)
    }
}
