//! How an endpoint does: whether it is served, and since when it fails. What attempts make of it is
//! decided where they are recorded.

use crate::time::Timestamp;
use std::time::Duration;

/// How long an endpoint may fail without one success before it is served no longer.
pub const FAILING_MAX: Duration = Duration::from_hours(5 * 24);

/// Why an endpoint is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DisabledBecause {
    /// The merchant asked for it.
    ByMerchant,
    /// It answered that it is gone for good.
    Gone,
    /// It failed for too long.
    Failing,
}

impl DisabledBecause {
    /// Every cause.
    pub const ALL: [Self; 3] = [Self::ByMerchant, Self::Gone, Self::Failing];

    /// The word for records and merchants.
    pub const fn code(self) -> &'static str {
        match self {
            Self::ByMerchant => "merchant",
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }

    /// Reads the word of a record; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.code() == code)
    }
}

/// Whether an endpoint is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointState {
    /// Its events are delivered.
    Enabled,
    /// Nothing is recorded for it, and what was waits.
    Disabled {
        /// Why.
        because: DisabledBecause,
        /// Since when.
        at: Timestamp,
    },
}

/// How an endpoint does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Whether it is served.
    pub state: EndpointState,
    /// Since when every attempt failed; `None` where the last one did not.
    pub failing_since: Option<Timestamp>,
}

impl EndpointHealth {
    /// Of an endpoint that is served and did not fail.
    pub const GOOD: Self = Self {
        state: EndpointState::Enabled,
        failing_since: None,
    };

    /// Whether it is served.
    pub const fn is_served(&self) -> bool {
        matches!(self.state, EndpointState::Enabled)
    }

    /// Whether its last attempt failed.
    pub const fn is_failing(&self) -> bool {
        self.failing_since.is_some()
    }

    /// Whether it is given up if it fails at a moment.
    pub fn fails_for_too_long(&self, now: Timestamp) -> bool {
        self.failing_since
            .is_some_and(|since| now >= since.plus(FAILING_MAX))
    }

    /// The same, not served; the first cause stays.
    #[must_use]
    pub const fn disabled(self, because: DisabledBecause, at: Timestamp) -> Self {
        match self.state {
            EndpointState::Enabled => Self {
                state: EndpointState::Disabled { because, at },
                ..self
            },
            EndpointState::Disabled { .. } => self,
        }
    }

    /// The same, served: as if it had never failed where it was not.
    #[must_use]
    pub const fn enabled(self) -> Self {
        match self.state {
            EndpointState::Enabled => self,
            EndpointState::Disabled { .. } => Self::GOOD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn failing(since: i64) -> EndpointHealth {
        EndpointHealth {
            failing_since: Some(Timestamp::from_millis(since)),
            ..EndpointHealth::GOOD
        }
    }

    #[test]
    fn five_days_of_failures_are_too_long() {
        let day = 24 * 3_600_000;
        let failing = failing(10);
        assert!(!failing.fails_for_too_long(Timestamp::from_millis(5 * day + 9)));
        assert!(failing.fails_for_too_long(Timestamp::from_millis(5 * day + 10)));
        assert!(!EndpointHealth::GOOD.fails_for_too_long(Timestamp::from_millis(i64::MAX)));
    }

    #[test]
    fn the_first_cause_stays_and_enabling_forgets_failures_of_one_that_was_disabled() {
        let [first, second] = [1, 2].map(Timestamp::from_millis);
        let disabled = failing(0).disabled(DisabledBecause::Gone, first);
        assert!(!disabled.is_served() && disabled.is_failing());
        assert_eq!(
            disabled.disabled(DisabledBecause::ByMerchant, second),
            disabled
        );
        assert_eq!(disabled.enabled(), EndpointHealth::GOOD);
        assert_eq!(failing(0).enabled(), failing(0));
    }

    #[test]
    fn words_of_causes_are_read_back() {
        for cause in DisabledBecause::ALL {
            assert_eq!(DisabledBecause::from_code(cause.code()), Some(cause));
        }
        assert_eq!(DisabledBecause::from_code("other"), None);
    }
}
