//! By what the rows of a report are grouped. A group must never mix two currencies.

use crate::money::Currency;
use crate::order::Service;
use crate::time::Timestamp;

/// By what rows are grouped, beside the currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportGrouping {
    /// The product.
    Service,
    /// The product and its biller, operator or bank.
    Provider,
    /// The day, in the time zone of the account.
    Day,
    /// The day and the product.
    DayAndService,
    /// The account: one group.
    Account,
}

/// What the rows of one group have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    /// When its day begins, where rows are grouped by day.
    pub day: Option<Timestamp>,
    /// The product, where rows are grouped by it and it is known.
    pub service: Option<Service>,
    /// The code of the biller, operator or bank, where rows are grouped by it and there is one.
    pub provider: Option<String>,
    /// The currency of the sums.
    pub currency: Currency,
}

impl ReportGrouping {
    /// Every grouping.
    pub const ALL: [Self; 5] = [
        Self::Service,
        Self::Provider,
        Self::Day,
        Self::DayAndService,
        Self::Account,
    ];

    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Provider => "provider",
            Self::Day => "day",
            Self::DayAndService => "day_and_service",
            Self::Account => "account",
        }
    }

    /// Reads the word of a record; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|grouping| grouping.code() == code)
    }

    /// The group of a row.
    pub fn key(
        self,
        day: Timestamp,
        (service, biller): (Option<Service>, Option<&str>),
        currency: Currency,
    ) -> GroupKey {
        let (has_day, has_service, has_provider) = match self {
            Self::Service => (false, true, false),
            Self::Provider => (false, true, true),
            Self::Day => (true, false, false),
            Self::DayAndService => (true, true, false),
            Self::Account => (false, false, false),
        };
        GroupKey {
            day: has_day.then_some(day),
            service: service.filter(|_| has_service),
            provider: biller.filter(|_| has_provider).map(str::to_owned),
            currency,
        }
    }
}

/// A period and the days in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportDays {
    from: Timestamp,
    until: Timestamp,
    /// The moments at which its days begin, the first at `from`, in order.
    starts: Vec<Timestamp>,
}

impl ReportDays {
    /// A period from one moment, included, to a later one, not included, with the moments in it at
    /// which a day begins.
    pub fn new(from: Timestamp, until: Timestamp, midnights: Vec<Timestamp>) -> Self {
        let mut starts = vec![from];
        starts.extend(midnights.into_iter().filter(|it| from < *it && *it < until));
        starts.sort_unstable();
        starts.dedup();
        Self {
            from,
            until,
            starts,
        }
    }

    /// Where the period begins, included.
    pub const fn from(&self) -> Timestamp {
        self.from
    }

    /// Where it ends, not included.
    pub const fn until(&self) -> Timestamp {
        self.until
    }

    /// The same, ended by a moment: what comes after it has not happened.
    #[must_use]
    pub fn ended_by(&self, moment: Timestamp) -> Self {
        let until = self.until.min(moment).max(self.from);
        Self::new(self.from, until, self.starts.clone())
    }

    /// The moments at which its days begin.
    pub fn starts(&self) -> &[Timestamp] {
        &self.starts
    }

    /// When the day of a moment of the period begins.
    pub fn day_of(&self, at: Timestamp) -> Timestamp {
        let begun = self.starts.partition_point(|start| *start <= at);
        let day = begun.checked_sub(1).and_then(|it| self.starts.get(it));
        day.copied().unwrap_or(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn a_day_begins_with_its_first_moment_and_the_first_one_with_the_period() {
        let days = ReportDays::new(at(5), at(30), vec![at(20), at(0), at(10), at(5), at(30)]);
        assert_eq!(days.starts(), [at(5), at(10), at(20)]);
        for (moment, day) in [(5, 5), (9, 5), (10, 10), (19, 10), (20, 20), (29, 20)] {
            assert_eq!(days.day_of(at(moment)), at(day), "{moment}");
        }
        assert_eq!(days.day_of(at(0)), at(5));
    }

    #[test]
    fn a_group_has_what_it_is_grouped_by_and_its_currency() {
        let row = (Some(Service::Airtime), Some("mtn"));
        let key = |grouping: ReportGrouping| grouping.key(at(7), row, Currency::Ngn);
        let none = GroupKey {
            day: None,
            service: None,
            provider: None,
            currency: Currency::Ngn,
        };
        assert_eq!(key(ReportGrouping::Account), none);
        let day = GroupKey {
            day: Some(at(7)),
            ..none.clone()
        };
        assert_eq!(key(ReportGrouping::Day), day);
        let service = GroupKey {
            service: Some(Service::Airtime),
            ..none
        };
        assert_eq!(key(ReportGrouping::Service), service);
        let provider = GroupKey {
            provider: Some("mtn".into()),
            ..service.clone()
        };
        assert_eq!(key(ReportGrouping::Provider), provider);
        let both = GroupKey {
            day: Some(at(7)),
            ..service
        };
        assert_eq!(key(ReportGrouping::DayAndService), both);
    }
}
