//! What can be observed of a payment, sensible or not. It must not know what it leads to.

use crate::sample;
use crate::sample::Product;
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome,
    UnknownCause,
};
use domain::sms::DeliveryStatus;
use domain::time::Timestamp;
use domain::transaction::{
    AttemptNumber, CancelCause, Observation, PreparedAttempt, Transaction, Verdict,
};
use proptest::prelude::*;
use std::time::Duration;

/// Something said, before it is known of which transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StatementKind {
    Yes,
    OtherAmount,
    WithoutToken,
    No,
    /// A refusal that is not the order's fault.
    NoForNow,
    NotSent,
    Pending,
    NotFound,
    Reversed,
    Unknown,
    Takeover,
    RuledYes,
    RuledNo,
    /// Its moment in the queue may have come.
    Due,
    Cancelled,
    /// What became of the two parts of a message.
    Parts(DeliveryStatus, DeliveryStatus),
}

pub(crate) const WORDS: [StatementKind; 21] = [
    StatementKind::Yes,
    StatementKind::OtherAmount,
    StatementKind::WithoutToken,
    StatementKind::No,
    StatementKind::NoForNow,
    StatementKind::NotSent,
    StatementKind::Pending,
    StatementKind::NotFound,
    StatementKind::Reversed,
    StatementKind::Unknown,
    StatementKind::Takeover,
    StatementKind::RuledYes,
    StatementKind::RuledNo,
    StatementKind::Due,
    StatementKind::Cancelled,
    StatementKind::Parts(DeliveryStatus::Submitted, DeliveryStatus::Unknown),
    StatementKind::Parts(DeliveryStatus::Buffered, DeliveryStatus::Pending),
    StatementKind::Parts(DeliveryStatus::Delivered, DeliveryStatus::Buffered),
    StatementKind::Parts(DeliveryStatus::Submitted, DeliveryStatus::Delivered),
    StatementKind::Parts(DeliveryStatus::Delivered, DeliveryStatus::Delivered),
    StatementKind::Parts(DeliveryStatus::Expired, DeliveryStatus::Delivered),
];

/// A word, of which attempt, as an answer or a finding, and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProviderStatement {
    pub(crate) word: StatementKind,
    pub(crate) attempt: AttemptNumber,
    pub(crate) asked: bool,
    pub(crate) minutes: u64,
    pub(crate) route: NextRoute,
}

/// Whether a second attempt is prepared, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NextRoute {
    None,
    Same,
    Other,
}

pub(crate) fn said() -> impl Strategy<Value = ProviderStatement> {
    // Two days, so that quarantine and review are passed both ways; clocks may go back.
    let word = proptest::sample::select(&WORDS[..]);
    let route = prop_oneof![
        Just(NextRoute::None),
        Just(NextRoute::Same),
        Just(NextRoute::Other)
    ];
    (word, 1_u8..=2, any::<bool>(), 0_u64..2_880, route).prop_map(
        |(word, attempt, asked, minutes, route)| ProviderStatement {
            word,
            attempt: AttemptNumber::try_new(attempt).unwrap(),
            asked,
            minutes,
            route,
        },
    )
}

pub(crate) fn profile() -> impl Strategy<Value = AbsencePolicy> {
    let minutes = |most| (0_u64..most).prop_map(Duration::from_mins);
    (minutes(12), 0_u32..6, minutes(4), minutes(60)).prop_map(
        |(quarantine, not_found_min, not_found_spacing, review_after)| AbsencePolicy {
            quarantine,
            not_found_min,
            not_found_spacing,
            review_after,
            ends: AbsencePolicy::CAUTIOUS.ends,
        },
    )
}

pub(crate) fn product() -> impl Strategy<Value = Product> {
    proptest::sample::select(&Product::ALL[..])
}

impl ProviderStatement {
    /// The attempt that is prepared when it is said.
    pub(crate) fn next(self, tx: &Transaction) -> Option<PreparedAttempt> {
        match self.route {
            NextRoute::None => None,
            NextRoute::Same => Some(sample::next(tx)),
            NextRoute::Other => {
                let other = ProviderId::parse("other").unwrap();
                Some(sample::next_at(tx, other))
            }
        }
    }

    pub(crate) fn observation(self, tx: &Transaction) -> Observation {
        let attempt = self.attempt;
        let delivered = |receipt: Receipt| {
            self.either(SubmitOutcome::Delivered, QueryOutcome::Delivered, receipt)
        };
        match self.word {
            StatementKind::Yes => delivered(sample::receipt(tx, attempt)),
            StatementKind::OtherAmount => delivered(sample::other_amount(tx, attempt)),
            StatementKind::WithoutToken => delivered(sample::without_token(tx, attempt)),
            StatementKind::No => self.either(
                SubmitOutcome::Declined,
                QueryOutcome::Declined,
                sample::refusal(),
            ),
            StatementKind::NoForNow => self.either(
                SubmitOutcome::Declined,
                QueryOutcome::Declined,
                Refusal {
                    kind: RefusalKind::Moment { retry_after: None },
                    ..sample::refusal()
                },
            ),
            StatementKind::NotSent => self.answer(SubmitOutcome::NotSent),
            StatementKind::Pending => {
                self.either(|()| SubmitOutcome::Pending, |()| QueryOutcome::Pending, ())
            }
            StatementKind::NotFound => self.finding(QueryOutcome::NotFound),
            StatementKind::Reversed => self.either(
                |()| SubmitOutcome::Reversed,
                |()| QueryOutcome::Reversed,
                (),
            ),
            StatementKind::Unknown => {
                let cause = UnknownCause::ConnectionLost;
                self.either(SubmitOutcome::Unknown, |_| QueryOutcome::Unknown, cause)
            }
            StatementKind::Takeover => Observation::Takeover { attempt },
            StatementKind::RuledYes => {
                Observation::Ruling(sample::ruling(Verdict::Delivered(sample::fulfilment(tx))))
            }
            StatementKind::Parts(first, second) => {
                delivered(sample::reported(tx, attempt, &[first, second]))
            }
            StatementKind::RuledNo => Observation::Ruling(sample::ruling(Verdict::NotDelivered)),
            StatementKind::Due => Observation::Due,
            StatementKind::Cancelled => Observation::Cancellation(CancelCause::Requested),
        }
    }

    fn either<T>(
        self,
        answer: fn(T) -> SubmitOutcome,
        finding: fn(T) -> QueryOutcome,
        what: T,
    ) -> Observation {
        if self.asked {
            self.finding(finding(what))
        } else {
            self.answer(answer(what))
        }
    }

    fn answer(self, outcome: SubmitOutcome) -> Observation {
        let attempt = self.attempt;
        Observation::Answer { attempt, outcome }
    }

    fn finding(self, finding: QueryOutcome) -> Observation {
        let attempt = self.attempt;
        Observation::Finding { attempt, finding }
    }

    pub(crate) fn at(self) -> Timestamp {
        Timestamp::from_millis(0).plus(Duration::from_mins(self.minutes))
    }
}
