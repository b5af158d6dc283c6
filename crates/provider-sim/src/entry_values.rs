//! Values that an entry is recorded with. They must be the same for every process that reads it.

use domain::money::Money;
use std::time::Duration;

/// By how much, in minor units, a delivery of another amount exceeds the order.
const OTHER_AMOUNT_MORE: i64 = 100;

/// As the journal writes it: another process must not reckon with a finer duration than this one.
pub(crate) fn whole_millis(duration: Duration) -> Duration {
    Duration::from_millis(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

/// An amount that is never the one ordered.
pub(crate) fn other(ordered: Money) -> Money {
    let minor = ordered.minor().saturating_add(OTHER_AMOUNT_MORE);
    Money::from_minor(minor, ordered.currency())
}
