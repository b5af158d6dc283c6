//! The gateway's own adapter under faults on the way. None of these may be a no.

use super::Buys::{Nothing, One};
use super::CheckRun::Adapter;
use super::{CatalogueCheck, check};
use crate::checks::adapter::{FaultPlace, RelayFault};

const UNKNOWN: &str = "This is the gateway's own adapter: report it with the transcript.";

const fn adapter(name: &'static str, fault: RelayFault, place: FaultPlace) -> CatalogueCheck {
    let (rule, buys) = match place {
        FaultPlace::BeforeProvider => (
            "A request that the provider never received is unknown, never refused, and is settled.",
            Nothing,
        ),
        FaultPlace::AfterProvider => (
            "A delivery whose answer is lost is unknown, and is found when it is asked about.",
            One,
        ),
    };
    check((name, Adapter(fault, place), buys), rule, UNKNOWN)
}

pub(super) const CHECKS: &[CatalogueCheck] = &[
    adapter(
        "not-sent::no-connection",
        RelayFault::Cut,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::cut",
        RelayFault::Cut,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::html-200",
        RelayFault::Html,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::text-200",
        RelayFault::Text,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::empty-200",
        RelayFault::Empty,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::no-content",
        RelayFault::NoContent,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::bad-gateway",
        RelayFault::BadGateway,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::redirect",
        RelayFault::Redirect,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::unsigned",
        RelayFault::Unsigned,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::wrong-key",
        RelayFault::WrongKey,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::stale-clock",
        RelayFault::StaleClock,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::crossed",
        RelayFault::Crossed,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::too-large",
        RelayFault::TooLarge,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::half-answer",
        RelayFault::HalfAnswer,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "request-lost::slow-drip",
        RelayFault::SlowDrip,
        FaultPlace::BeforeProvider,
    ),
    adapter(
        "answer-lost::cut",
        RelayFault::Cut,
        FaultPlace::AfterProvider,
    ),
    adapter(
        "answer-lost::html-200",
        RelayFault::Html,
        FaultPlace::AfterProvider,
    ),
    adapter(
        "answer-lost::bad-gateway",
        RelayFault::BadGateway,
        FaultPlace::AfterProvider,
    ),
    adapter(
        "answer-lost::crossed",
        RelayFault::Crossed,
        FaultPlace::AfterProvider,
    ),
    adapter(
        "answer-lost::delayed",
        RelayFault::Delayed,
        FaultPlace::AfterProvider,
    ),
];
