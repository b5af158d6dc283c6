//! What the last four digits of a number, meter, card or account force. It must not look at
//! settings or time: a number means the same in every run.

use crate::draw::Draw;
use crate::outcome::SandboxRefusal;
use crate::settings::Faults;
use domain::order::{Order, Service};
use domain::paid_lookup::LookupCategory;
use domain::provider::UnknownCause;
use domain::sandbox::TestNumber;
use std::time::Duration;

/// How long a slow register takes: longer than anyone waits for a lookup.
pub(crate) const SLOW_LOOKUP: Duration = Duration::from_secs(25);

/// What is going to happen to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// The connection is refused before the first byte.
    NotSent,
    /// The request never arrives, and no answer ever comes.
    Lost,
    /// The request has no effect, and the answer does not say so.
    Dropped(UnknownCause),
    /// The request arrives and is recorded.
    Recorded(Course, ScriptedOutcome),
}

/// What the provider does with a request it has recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    /// Delivers at once.
    Deliver,
    /// Delivers another amount than was ordered.
    DeliverOther,
    /// Refuses, for good.
    Refuse(SandboxRefusal),
    /// Delivers later, and says so.
    DeliverLater,
    /// Delivers after a long while, and answers only then.
    DeliverSlowly,
    /// Takes the payment at once and makes the token later.
    TokenLater,
    /// Delivers at once and takes it back later.
    Reverse,
    /// Never decides.
    Never,
}

/// What becomes of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScriptedOutcome {
    /// It says what was done.
    Truthful,
    /// It gives the gateway no definite outcome.
    Unknown(UnknownCause),
}

/// Lookups that end without a record or a position.
const RECORD: Service = Service::Lookup(LookupCategory::Record);
const DEVICE: Service = Service::Lookup(LookupCategory::Device);

impl Script {
    /// What the number of an order forces; `None` where it forces nothing.
    pub(crate) fn forced(order: &Order) -> Option<Self> {
        let done = |course| Some(Self::Recorded(course, ScriptedOutcome::Truthful));
        let unanswered = |cause| {
            Some(Self::Recorded(
                Course::Deliver,
                ScriptedOutcome::Unknown(cause),
            ))
        };
        let is_call = matches!(order.service(), Service::Voice | Service::Ivr);
        match TestNumber::of(order.digits())? {
            TestNumber::Declined => done(Course::Refuse(SandboxRefusal::Declined)),
            TestNumber::DeliveredLater => done(Course::DeliverLater),
            TestNumber::AnswerLost => unanswered(UnknownCause::ConnectionLost),
            TestNumber::RequestLost => Some(Self::Lost),
            TestNumber::ServerError => unanswered(UnknownCause::ServerError),
            TestNumber::UnreadableAnswer => Some(Self::Dropped(UnknownCause::Unreadable)),
            TestNumber::Slow => done(Course::DeliverSlowly),
            TestNumber::OtherAmount => done(Course::DeliverOther),
            TestNumber::Reversed => done(Course::Reverse),
            TestNumber::Pending => done(Course::Never),
            TestNumber::DuplicateReference => unanswered(UnknownCause::DuplicateReference),
            TestNumber::Down => Some(Self::NotSent),
            TestNumber::TokenLater if order.takes_token() => done(Course::TokenLater),
            TestNumber::UnknownCustomer => done(Course::Refuse(SandboxRefusal::UnknownCustomer)),
            TestNumber::AccountRefused => done(Course::Refuse(SandboxRefusal::Account)),
            TestNumber::Busy => done(Course::Refuse(SandboxRefusal::Busy)),
            TestNumber::Lookalike => done(Course::Refuse(SandboxRefusal::Lookalike)),
            TestNumber::NoAnswer if is_call => done(Course::Refuse(SandboxRefusal::NoAnswer)),
            TestNumber::LineBusy if is_call => done(Course::Refuse(SandboxRefusal::LineBusy)),
            TestNumber::NoRecord if order.service() == RECORD => {
                done(Course::Refuse(SandboxRefusal::NoRecord))
            }
            TestNumber::Unreachable if order.service() == DEVICE => {
                done(Course::Refuse(SandboxRefusal::Unreachable))
            }
            // What becomes of the parts of a message, and what is looked up beforehand.
            TestNumber::TokenLater
            | TestNumber::Undelivered
            | TestNumber::Expired
            | TestNumber::Buffered
            | TestNumber::Unread
            | TestNumber::NoAnswer
            | TestNumber::LineBusy
            | TestNumber::KeyPressed
            | TestNumber::Ported
            | TestNumber::PortedElsewhere
            | TestNumber::SlowRegister
            | TestNumber::WalletClosed
            | TestNumber::Replies
            | TestNumber::ConversationClosed
            | TestNumber::NoRecord
            | TestNumber::Unreachable => None,
        }
    }

    /// What the fault rates make of a request whose number forces nothing.
    pub(crate) fn drawn(faults: Faults, draw: &Draw) -> Self {
        let not_sent = u64::from(faults.not_sent_per_mille);
        let lost = not_sent.saturating_add(u64::from(faults.request_lost_per_mille));
        let unanswered = lost.saturating_add(u64::from(faults.answer_lost_per_mille));
        match draw.below("fault", 1000) {
            _ if unanswered == 0 => Self::Recorded(Course::Deliver, ScriptedOutcome::Truthful),
            n if n < not_sent => Self::NotSent,
            n if n < lost => Self::Lost,
            n if n < unanswered => {
                Self::Recorded(Course::Deliver, ScriptedOutcome::Unknown(cause(draw)))
            }
            _ => Self::Recorded(Course::Deliver, ScriptedOutcome::Truthful),
        }
    }
}

/// How the lookup of a meter, card or account ends whose number forces something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookupScript {
    /// The biller's system is down.
    Down,
    /// The biller knows no such customer.
    Unknown,
}

impl LookupScript {
    /// What a number forces on its lookup; `None` where it forces nothing.
    pub(crate) fn forced(digits: &str) -> Option<Self> {
        let is = |test| TestNumber::of(digits) == Some(test);
        if is(TestNumber::Down) {
            Some(Self::Down)
        } else {
            is(TestNumber::UnknownCustomer).then_some(Self::Unknown)
        }
    }
}

/// What a register says of a number that forces something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberScript {
    /// It was ported to a network that is named.
    Ported,
    /// It was ported, and it is not known where to.
    PortedElsewhere,
    /// As [`Self::Ported`], after a long while.
    Slow,
}

impl NumberScript {
    /// What a number forces on the lookup of its operator; `None` where it forces nothing.
    pub(crate) fn forced(digits: &str) -> Option<Self> {
        let scripts = [
            (TestNumber::Ported, Self::Ported),
            (TestNumber::PortedElsewhere, Self::PortedElsewhere),
            (TestNumber::SlowRegister, Self::Slow),
        ];
        let test = TestNumber::of(digits)?;
        let mut scripts = scripts.into_iter();
        let found = scripts.find(|(forcing, _)| *forcing == test);
        found.map(|(_, script)| script)
    }
}

fn cause(draw: &Draw) -> UnknownCause {
    match draw.below("cause", 4) {
        0 => UnknownCause::Timeout,
        1 => UnknownCause::ServerError,
        2 => UnknownCause::Unreadable,
        _ => UnknownCause::ConnectionLost,
    }
}
