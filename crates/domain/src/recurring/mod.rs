//! Subscriptions of the billing interface: an order of one payment that is bought on a schedule. A
//! run must never be bought twice, so its reference follows from the subscription and its number.

mod acts;
mod progress;
mod request;
mod run;
mod schedule;

pub use acts::RecurringOver;
pub use progress::{RecurringProgress, RecurringStatus, RecurringStep, RunCalendar, RunFailure};
pub use request::{RecurringOrder, RecurringService};
pub use run::{RecurringRun, RecurringRunState, RunRefusal};
pub use schedule::{RecurringInterval, RecurringSchedule, StartRefusal};

use crate::account::AccountId;
use crate::idempotency::RequestFingerprint;
use crate::order::Order;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use crate::transaction::KeyHolder;
use std::fmt;
use std::time::Duration;

/// How many subscriptions of an account may be active or paused at a time. Each costs a look at
/// the store for every run, and an account with more pays many customers: each instance buys 32 at
/// a time, so that these are bought within minutes of one due moment.
pub const RECURRING_MAX: u32 = 1_000;

/// Most runs of a subscription that ends: ten years of days. What is meant to go on for longer
/// names no number.
pub const RECURRING_RUNS_MAX: u32 = 3_660;

/// How long after the clock of the gateway a first run may have been due: a request is written
/// before it arrives, and clocks differ by minutes.
pub const RECURRING_START_PAST: Duration = Duration::from_mins(15);

/// How far ahead a first run may be: a start in more than a year is a mistake of digits.
pub const RECURRING_START_AHEAD: Duration = Duration::from_hours(366 * 24);

/// How often a run that has failed is bought again: what does not work thrice in three hours needs
/// the merchant.
pub const RECURRING_RETRIES_MAX: u8 = 3;

/// How long before a run that has failed is bought again: a balance is topped up and a provider
/// comes back within an hour, and the customer has it on the same day.
pub const RECURRING_RETRY_PAUSE: Duration = Duration::from_hours(1);

/// How long a run that was begun is left to the instance that began it: longer than a lookup, the
/// opening and the answer of a payment take together.
pub const RECURRING_LEASE: Duration = Duration::from_mins(2);

/// How long after its due moment a run is bought at most. All intervals are a day or longer, so
/// that the span never reaches into the next run but where a day has 23 hours.
pub const RECURRING_SPAN: Duration = Duration::from_hours(24);

/// What becomes of a subscription when a run has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OnRunFailure {
    /// The run is bought again, [`RECURRING_RETRIES_MAX`] times.
    Retry,
    /// The next run is waited for.
    Skip,
    /// No further run is bought.
    Stop,
}

impl OnRunFailure {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Retry, Self::Skip, Self::Stop];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Skip => "skip",
            Self::Stop => "stop",
        }
    }

    /// The way of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// The version of a subscription: 1 when it is made and one more with each change, also with those
/// that its runs make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecurringVersion(u32);

impl RecurringVersion {
    /// That of a subscription that was just made.
    pub const FIRST: Self = Self(1);

    /// A version that was stored or sent; `None` for zero.
    pub const fn new(version: u32) -> Option<Self> {
        if version == 0 {
            None
        } else {
            Some(Self(version))
        }
    }

    /// The version itself.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The version after this.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for RecurringVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a merchant asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecurring {
    /// The order of one run, under the reference of the subscription.
    pub order: RecurringOrder,
    /// When it is bought.
    pub schedule: RecurringSchedule,
    /// What becomes of a run that has failed.
    pub on_failure: OnRunFailure,
}

/// What never changes of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringTerms {
    /// Whose it is.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account among subscriptions.
    pub number: TransactionNumber,
    /// The merchant's reference, unique in the account among subscriptions for ever.
    pub reference: MerchantReference,
    /// What each run buys, as it was looked up when the subscription was made.
    pub order: Order,
    /// When.
    pub schedule: RecurringSchedule,
    /// The time zone that days, weeks and months are counted in.
    pub time_zone: String,
    /// What becomes of a run that has failed.
    pub on_failure: OnRunFailure,
    /// Who asked for it: another user approves its runs where they need an approval.
    pub made_by: KeyHolder,
    /// What the request said.
    pub asked: RequestFingerprint,
    /// When it was made.
    pub created_at: Timestamp,
}

impl RecurringTerms {
    /// The reference of the present payment of a run.
    pub fn run_reference(&self, run: &RecurringRun) -> MerchantReference {
        run.reference_of(self.number)
    }

    /// Whether there is a run of a number.
    pub fn has_run(&self, number: u32) -> bool {
        self.schedule.count.is_none_or(|count| number <= count)
    }
}

/// A subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringPayment {
    /// What never changes.
    pub terms: RecurringTerms,
    /// How far it has come.
    pub progress: RecurringProgress,
    /// Its version.
    pub version: RecurringVersion,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_read_back_from_its_word() {
        for way in OnRunFailure::ALL {
            assert_eq!(OnRunFailure::from_code(way.code()), Some(way));
        }
        assert_eq!(OnRunFailure::from_code("Retry"), None);
    }

    #[test]
    fn versions_begin_with_one_and_count_on() {
        assert_eq!(RecurringVersion::new(0), None);
        assert_eq!(RecurringVersion::new(1), Some(RecurringVersion::FIRST));
        assert_eq!(RecurringVersion::FIRST.next().to_string(), "2");
    }
}
