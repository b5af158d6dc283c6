//! The matrix of faults: what may go wrong between a gateway and a provider, and what a provider
//! may guarantee, as names. The searches in virtual time and over sockets go through the same
//! lists. It must not say how a fault is made: each search makes it in its own way.

use domain::family::AbsenceEnds;
use domain::provider::AbsencePolicy;
use std::time::Duration;

/// What goes wrong on the way between a gateway and a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WireFault {
    /// No connection is made: no byte of the request leaves.
    Unreachable,
    /// The connection breaks before the request has arrived.
    CutBefore,
    /// The request arrives, and the connection breaks before the answer.
    CutAfter,
    /// The request arrives, and the answer breaks off in its body.
    CutBody,
    /// The request arrives, and no answer ever comes.
    Silent,
    /// The request is kept on its way, and arrives when its answer is no longer waited for.
    LateRequest,
    /// The request arrives, and its answer comes after the deadline.
    SlowAnswer,
    /// A page comes with status 200, from something that may have passed the request on.
    Html,
    /// Status 502 comes from something that may have passed the request on.
    ServerError,
    /// The request arrives, and the answer is empty.
    EmptyBody,
    /// The answer is a redirect; what it answers did not arrive.
    Redirect,
    /// The request arrives twice.
    Duplicated,
    /// The request arrives, and the answer is that of another attempt.
    Crossed,
    /// The clocks of the two differ by more than signatures and limits in time allow.
    StaleClock,
}

impl WireFault {
    /// Every fault.
    pub const ALL: [Self; 14] = [
        Self::Unreachable,
        Self::CutBefore,
        Self::CutAfter,
        Self::CutBody,
        Self::Silent,
        Self::LateRequest,
        Self::SlowAnswer,
        Self::Html,
        Self::ServerError,
        Self::EmptyBody,
        Self::Redirect,
        Self::Duplicated,
        Self::Crossed,
        Self::StaleClock,
    ];

    /// Its name in reports.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::CutBefore => "cut-before",
            Self::CutAfter => "cut-after",
            Self::CutBody => "cut-body",
            Self::Silent => "silent",
            Self::LateRequest => "late-request",
            Self::SlowAnswer => "slow-answer",
            Self::Html => "html",
            Self::ServerError => "server-error",
            Self::EmptyBody => "empty-body",
            Self::Redirect => "redirect",
            Self::Duplicated => "duplicated",
            Self::Crossed => "crossed",
            Self::StaleClock => "stale-clock",
        }
    }
}

/// What a provider guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProviderKind {
    /// It seals what it is asked about and never saw: absence is proven at once. A duplicate is
    /// answered with what became of the first, and it keeps to the limit in time of a request.
    Sealing,
    /// Absence is proven after a time. A duplicate is answered with what became of the first, and
    /// it keeps to the limit in time of a request.
    Replaying,
    /// Absence is proven after a time. A duplicate is an error, whatever became of the first; what
    /// it has is found minutes later, and requests have no limit in time.
    Lagging,
    /// It acknowledges and decides later, is not found meanwhile, and may take a delivery back.
    /// Absence of what was never acknowledged is proven after a time.
    Queueing,
    /// Absence is never proven: it may never find what it delivered.
    Forgetting,
}

impl ProviderKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Sealing,
        Self::Replaying,
        Self::Lagging,
        Self::Queueing,
        Self::Forgetting,
    ];

    /// Its name in reports.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Sealing => "sealing",
            Self::Replaying => "replaying",
            Self::Lagging => "lagging",
            Self::Queueing => "queueing",
            Self::Forgetting => "forgetting",
        }
    }

    /// How its silence is read.
    pub const fn absence(self) -> AbsencePolicy {
        match self {
            Self::Sealing | Self::Replaying | Self::Lagging | Self::Queueing => {
                AbsencePolicy::CAUTIOUS
            }
            // As an adapter has it for a provider that promises nothing, but that a person is asked
            // within the time that a search covers.
            Self::Forgetting => AbsencePolicy {
                not_found_min: u32::MAX,
                review_after: Duration::from_mins(30),
                ends: AbsenceEnds::Search,
                ..AbsencePolicy::CAUTIOUS
            },
        }
    }

    /// Whether a duplicate is answered with what became of the first.
    pub const fn replays(self) -> bool {
        match self {
            Self::Sealing | Self::Replaying | Self::Queueing => true,
            Self::Lagging | Self::Forgetting => false,
        }
    }

    /// Whether it refuses a request that arrives after its limit in time.
    pub const fn keeps_to_limit(self) -> bool {
        match self {
            Self::Sealing | Self::Replaying => true,
            Self::Lagging | Self::Queueing | Self::Forgetting => false,
        }
    }
}
