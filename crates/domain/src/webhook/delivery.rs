//! Telling one endpoint of one event, and what came of each attempt. Only an answer of success ends
//! it; everything else is tried again until the schedule ends.

use super::{ATTEMPTS_MAX, EndpointId, Jitter, WebhookEvent, WebhookEventId, next_attempt};
use crate::account::AccountId;
use crate::time::Timestamp;
use std::time::Duration;

/// Most bytes kept of an answer that is no success: enough to see what was wrong. The receiver
/// chooses them and the gateway stores them, for each attempt.
pub const EXCERPT_MAX: usize = 256;

/// Most attempts of a delivery that are shown, those that were recorded last. Where it is asked for
/// again and again, older ones are kept no longer.
pub const ATTEMPTS_SHOWN: usize = 20;

/// Up to which deliveries of a list are counted: counting more would read them all.
pub const COUNTED_MAX: u64 = 10_000;

/// Names a delivery within its account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId {
    /// To whom.
    pub endpoint: EndpointId,
    /// Of what.
    pub event: WebhookEventId,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is attempted at a time, or a lease on it ends then.
    Due(Timestamp),
    /// The endpoint said that it has it.
    Delivered(Timestamp),
    /// Every attempt failed; it waits for the merchant to ask for it again.
    Parked(Timestamp),
}

/// One event on its way to one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Whose.
    pub account: AccountId,
    /// To whom.
    pub endpoint: EndpointId,
    /// The event.
    pub event: WebhookEvent,
    /// How many attempts ended, since it was last asked for.
    pub attempts: u16,
    /// How often it was asked for again. What comes of an attempt that was begun in another round
    /// does not count.
    pub round: u32,
    /// Where it stands.
    pub state: DeliveryState,
}

/// What an endpoint answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// How long it asked to be left alone.
    pub retry_after: Option<Duration>,
    /// The beginning of the body, [`EXCERPT_MAX`] bytes at most; empty where it was a success.
    pub excerpt: String,
}

/// Why there was no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryFailure {
    /// The name has no address that may be delivered to.
    Unresolved,
    /// The address is one that is not delivered to.
    Forbidden,
    /// The connection was not accepted.
    Unreachable,
    /// The server could not prove its identity.
    Untrusted,
    /// Time was up.
    TimedOut,
    /// The connection broke, or what came was no answer.
    Broken,
}

impl DeliveryFailure {
    /// Every failure.
    pub const ALL: [Self; 6] = [
        Self::Unresolved,
        Self::Forbidden,
        Self::Unreachable,
        Self::Untrusted,
        Self::TimedOut,
        Self::Broken,
    ];

    /// The word for records and merchants.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::Forbidden => "forbidden",
            Self::Unreachable => "unreachable",
            Self::Untrusted => "untrusted",
            Self::TimedOut => "timed_out",
            Self::Broken => "broken",
        }
    }

    /// Reads the word of a record; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.code() == code)
    }
}

/// One attempt that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// What came of it.
    pub result: Result<EndpointAnswer, DeliveryFailure>,
}

/// What an attempt means for its delivery and its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryOutcome {
    /// Where the delivery stands now.
    pub state: DeliveryState,
    /// Whether the endpoint took it.
    pub success: bool,
    /// Whether the endpoint is gone for good.
    pub gone: bool,
}

impl Attempt {
    /// When it ended.
    pub fn ended_at(&self) -> Timestamp {
        self.at.plus(self.took)
    }

    /// What it means where it was the attempt of this number.
    pub fn outcome(&self, number: u16, jitter: Jitter) -> DeliveryOutcome {
        let (status, asked_for) = match &self.result {
            Ok(answer) => (answer.status, answer.retry_after),
            Err(_) => (0, None),
        };
        let now = self.ended_at();
        let success = (200..300).contains(&status);
        let state = if success {
            DeliveryState::Delivered(now)
        } else {
            match next_attempt(number.min(ATTEMPTS_MAX), asked_for, jitter) {
                Some(pause) => DeliveryState::Due(now.plus(pause)),
                None => DeliveryState::Parked(now),
            }
        };
        let gone = status == 410;
        DeliveryOutcome {
            state,
            success,
            gone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ended(result: Result<EndpointAnswer, DeliveryFailure>) -> Attempt {
        Attempt {
            at: Timestamp::from_millis(1_000),
            took: Duration::from_millis(500),
            result,
        }
    }

    fn answered(status: u16) -> Attempt {
        ended(Ok(EndpointAnswer {
            status,
            retry_after: None,
            excerpt: String::new(),
        }))
    }

    const JITTER: Jitter = Jitter::from_random(200);

    #[test]
    fn only_an_answer_of_success_ends_it() {
        let end = Timestamp::from_millis(1_500);
        for status in [200, 201, 202, 204, 299] {
            let outcome = answered(status).outcome(1, JITTER);
            assert_eq!(outcome.state, DeliveryState::Delivered(end), "{status}");
            assert!(outcome.success);
        }
        let again = DeliveryState::Due(Timestamp::from_millis(6_500));
        for status in [100, 199, 300, 301, 307, 400, 404, 410, 429, 500, 503] {
            let outcome = answered(status).outcome(1, JITTER);
            assert_eq!(outcome.state, again, "{status}");
            assert_eq!(outcome.gone, status == 410);
        }
        for failure in DeliveryFailure::ALL {
            assert_eq!(ended(Err(failure)).outcome(1, JITTER).state, again);
            assert_eq!(DeliveryFailure::from_code(failure.code()), Some(failure));
        }
    }

    #[test]
    fn what_failed_ten_times_is_left_to_the_merchant() {
        let failed = ended(Err(DeliveryFailure::TimedOut));
        let parked = DeliveryState::Parked(Timestamp::from_millis(1_500));
        assert_eq!(failed.outcome(ATTEMPTS_MAX, JITTER).state, parked);
        assert_eq!(failed.outcome(u16::MAX, JITTER).state, parked);
        assert_ne!(failed.outcome(ATTEMPTS_MAX - 1, JITTER).state, parked);
    }

    #[test]
    fn a_receiver_is_left_alone_for_as_long_as_it_asks() {
        let busy = ended(Ok(EndpointAnswer {
            status: 429,
            retry_after: Some(Duration::from_mins(1)),
            excerpt: String::new(),
        }));
        assert_eq!(
            busy.outcome(1, JITTER).state,
            DeliveryState::Due(Timestamp::from_millis(61_500))
        );
    }

    proptest! {
        #[test]
        fn a_delivery_is_never_forgotten(status: u16, number: u16, random: u32) {
            let outcome = answered(status).outcome(number.max(1), Jitter::from_random(random));
            let success = (200..300).contains(&status);
            prop_assert_eq!(outcome.success, success);
            match outcome.state {
                DeliveryState::Delivered(_) => prop_assert!(success),
                DeliveryState::Due(at) => prop_assert!(at > Timestamp::from_millis(1_500)),
                DeliveryState::Parked(_) => prop_assert!(number >= ATTEMPTS_MAX),
            }
        }
    }
}
