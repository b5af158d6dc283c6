//! What a wallet had at the beginning and at the end of each day of a period. Opening, what came in
//! and what went out must always come to closing.

use super::{ReportDays, ReportGrouping, SumTooLarge};
use crate::money::{Currency, Money};
use crate::statement::{Direction, StatementEntry};
use crate::time::Timestamp;

/// A day of a wallet, or the whole period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletDay {
    /// When it begins.
    pub day: Timestamp,
    /// How many entries of the statement are in it.
    pub count: i64,
    /// What could be spent before them.
    pub opening: Money,
    /// What came in.
    pub came_in: Money,
    /// What went out.
    pub went_out: Money,
    /// What could be spent after them.
    pub closing: Money,
}

impl WalletDay {
    const fn empty(day: Timestamp, balance: Money) -> Self {
        let zero = Money::zero(balance.currency());
        Self {
            day,
            count: 0,
            opening: balance,
            came_in: zero,
            went_out: zero,
            closing: balance,
        }
    }

    fn with(self, entry: &StatementEntry) -> Option<Self> {
        let (came_in, went_out) = match entry.direction {
            Direction::Credit => (self.came_in.checked_add(entry.amount)?, self.went_out),
            Direction::Debit => (self.came_in, self.went_out.checked_add(entry.amount)?),
        };
        Some(Self {
            count: self.count.checked_add(1)?,
            came_in,
            went_out,
            closing: entry.after,
            ..self
        })
    }
}

/// The days of a wallet, added up from its statement in the order of its entries.
#[derive(Debug)]
pub struct WalletDays<'a> {
    days: &'a ReportDays,
    grouping: ReportGrouping,
    done: Vec<WalletDay>,
    present: WalletDay,
    total: WalletDay,
}

impl<'a> WalletDays<'a> {
    /// Before any entry of the period, with what could be spent then.
    pub const fn new(days: &'a ReportDays, grouping: ReportGrouping, opening: Money) -> Self {
        let first = WalletDay::empty(days.from(), opening);
        Self {
            days,
            grouping,
            done: Vec::new(),
            total: WalletDay::empty(days.from(), opening),
            present: first,
        }
    }

    /// Adds the next entry of the statement. Entries are in the order in which they changed the
    /// balance; one whose moment is before that of the entry before it counts for the same day.
    ///
    /// # Errors
    /// Refuses a sum beyond the largest amount.
    pub fn add(&mut self, entry: &StatementEntry) -> Result<(), SumTooLarge> {
        self.advance(entry.at);
        self.present = self.present.clone().with(entry).ok_or(SumTooLarge)?;
        self.total = self.total.clone().with(entry).ok_or(SumTooLarge)?;
        Ok(())
    }

    /// The days, or the whole period where it is not grouped by day, and the total.
    pub fn finish(mut self) -> (Vec<WalletDay>, WalletDay) {
        if self.grouping == ReportGrouping::Account {
            return (vec![self.total.clone()], self.total);
        }
        if let Some(last) = self.days.starts().last() {
            self.advance(*last);
        }
        self.done.push(self.present);
        (self.done, self.total)
    }

    /// Ends the days before a moment. Days without an entry have their balance alone.
    fn advance(&mut self, at: Timestamp) {
        let day = self.days.day_of(at);
        let starts = self.days.starts().iter();
        let (present, balance) = (self.present.day, self.present.closing);
        for start in starts.filter(|start| **start > present && **start <= day) {
            let next = WalletDay::empty(*start, balance);
            self.done.push(std::mem::replace(&mut self.present, next));
        }
    }

    /// The currency of the wallet.
    pub const fn currency(&self) -> Currency {
        self.total.opening.currency()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    const fn kobo(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn entry(moment: i64, direction: Direction, amount: i64, before: i64) -> StatementEntry {
        let after = match direction {
            Direction::Credit => before + amount,
            Direction::Debit => before - amount,
        };
        StatementEntry {
            position: 1,
            transaction: None,
            direction,
            narration: String::new(),
            amount: kobo(amount),
            before: kobo(before),
            after: kobo(after),
            at: at(moment),
        }
    }

    fn shown(day: &WalletDay) -> [i64; 6] {
        [
            day.day.as_millis(),
            day.count,
            day.opening.minor(),
            day.came_in.minor(),
            day.went_out.minor(),
            day.closing.minor(),
        ]
    }

    #[test]
    fn each_day_opens_with_what_the_one_before_closed_with() {
        let days = ReportDays::new(at(0), at(40), vec![at(10), at(20), at(30)]);
        let mut wallet = WalletDays::new(&days, ReportGrouping::Day, kobo(100));
        wallet.add(&entry(11, Direction::Credit, 50, 100)).unwrap();
        // Its clock was set back: it belongs to the day of the entry before it.
        wallet.add(&entry(9, Direction::Debit, 30, 150)).unwrap();
        wallet.add(&entry(25, Direction::Debit, 20, 120)).unwrap();
        let (rows, total) = wallet.finish();
        let rows: Vec<_> = rows.iter().map(shown).collect();
        assert_eq!(
            rows,
            [
                [0, 0, 100, 0, 0, 100],
                [10, 2, 100, 50, 30, 120],
                [20, 1, 120, 0, 20, 100],
                [30, 0, 100, 0, 0, 100],
            ]
        );
        assert_eq!(shown(&total), [0, 3, 100, 50, 50, 100]);
    }

    #[test]
    fn one_group_is_the_whole_period() {
        let days = ReportDays::new(at(0), at(40), vec![at(10)]);
        let mut wallet = WalletDays::new(&days, ReportGrouping::Account, kobo(0));
        wallet.add(&entry(11, Direction::Credit, 50, 0)).unwrap();
        let (rows, total) = wallet.finish();
        assert_eq!(rows, [total]);
    }
}
