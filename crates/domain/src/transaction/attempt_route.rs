//! Why an attempt went where it went: the route that was chosen for it, and the providers that were
//! passed over. It is stored with the attempt for those who ask later; it must decide nothing.

use crate::percent::Percent;
use crate::provider::ProviderId;

/// Why a route has its place among those that an order may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RouteReason {
    /// No other route of its priority was left.
    Priority,
    /// It was drawn among routes of equal priority, by weight.
    Weight,
}

impl RouteReason {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::Priority, Self::Weight];

    /// The word for logs and records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Priority => "priority",
            Self::Weight => "weight",
        }
    }

    /// The reason of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// Why a provider with a better place was not given an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PassedOverReason {
    /// It cannot deliver such an order.
    NotServed,
    /// Operators paused it.
    Paused,
    /// It was within one of its maintenance windows.
    Maintenance,
    /// Its circuit breaker was open for the biller.
    BreakerOpen,
    /// It was given as many orders as it takes.
    Busy,
    /// It was given an equal order shortly before, and would take this one for a copy.
    Lookalike,
    /// This instance has too little of our money there left to sell.
    FloatSpent,
}

impl PassedOverReason {
    /// Every reason.
    pub const ALL: [Self; 7] = [
        Self::NotServed,
        Self::Paused,
        Self::Maintenance,
        Self::BreakerOpen,
        Self::Busy,
        Self::Lookalike,
        Self::FloatSpent,
    ];

    /// The word for logs and records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotServed => "not-served",
            Self::Paused => "paused",
            Self::Maintenance => "maintenance",
            Self::BreakerOpen => "breaker-open",
            Self::Busy => "busy",
            Self::Lookalike => "lookalike",
            Self::FloatSpent => "float-spent",
        }
    }

    /// The reason of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// A provider with a better place that was not given an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedOver {
    /// Which.
    pub provider: ProviderId,
    /// Why.
    pub reason: PassedOverReason,
}

/// The route that an attempt took, as the route table was when it was chosen. Routes are numbered
/// anew when they are configured anew, so the number alone says little later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRoute {
    /// The number of the route, from 1.
    pub number: u32,
    /// Its priority; lower is tried first.
    pub priority: u16,
    /// Why it had its place.
    pub reason: RouteReason,
    /// How many providers had a better place, those included that were passed over.
    pub place: u16,
    /// What the provider took, in percent, where the route said so.
    pub cost: Option<Percent>,
    /// The providers with a better place that were not given the order,
    /// [`Self::PASSED_OVER_MAX`] at most.
    pub passed_over: Vec<PassedOver>,
}

impl AttemptRoute {
    /// Most providers that are recorded as passed over: a person reads them, and each is stored
    /// with every payment.
    pub const PASSED_OVER_MAX: usize = 8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_word() {
        for reason in RouteReason::ALL {
            assert_eq!(RouteReason::from_code(reason.code()), Some(reason));
        }
        for reason in PassedOverReason::ALL {
            assert_eq!(PassedOverReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(PassedOverReason::from_code("weight"), None);
    }
}
