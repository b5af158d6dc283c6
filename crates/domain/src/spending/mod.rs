//! What an account may spend: limits that its merchant sets, and what counts against those of a
//! day. A limit must never be read as more than what was set.

mod day;
mod limit;

pub use day::{DailySpending, OverDailyLimit, SpendingDay};
pub use limit::{
    ActiveLimits, LIMIT_CHANGES_PER_DAY_MAX, LimitedServices, NewSpendingLimit, SpendingBreach,
    SpendingLimit, SpendingTerms,
};
