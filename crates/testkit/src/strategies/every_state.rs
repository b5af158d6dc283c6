//! One life for every kind of state, doubt, proof and evidence there is, so that nothing rare is
//! left to luck. A kind that the domain gains must hang here too.

use super::ArbitraryHistory;
use super::every_family::families;
use crate::builders::{
    PurchaseBuilder, account_user_id, airtime, at, call_ended, declined, delivered, electricity,
    finding, flow_call, flow_ended, fulfilment, message_status, mismatched, not_found, not_sent,
    payout, pending, rcs, rcs_carousel, rcs_status, rcs_text, receipt, receipt_of, reversed, ruled,
    ruling, sms, takeover, unclaimed_transfer, unfinished, unknown, user_transfer, voice_call,
    wallet_transfer, whatsapp, whatsapp_status, whatsapp_text,
};
use domain::credential::KeyId;
use domain::ivr::FlowRun;
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::provider::{QueryOutcome, Refusal, RefusalKind, SubmitOutcome, UnknownCause};
use domain::rcs::RcsDelivery;
use domain::sms::DeliveryStatus;
use domain::transaction::{
    Approval, ApprovalDecision, ApprovalVerdict, AttemptNumber, CancelCause, KeyHolder,
    Observation, Ruling, Transaction, Verdict,
};
use domain::voice::{Call, PressedDigits};

/// Past the quarantine of a history, in seconds.
const PAST_QUARANTINE: u64 = 660;
/// A day later, in seconds.
const DAY: u64 = 86_400;
/// Past the time after which a person must decide, in seconds, for steps that count two minutes.
const PAST_REVIEW: u64 = 15 * 60;

/// Every kind of transaction, bought by `shop` with numbers and references of their own.
pub fn every_state() -> Vec<ArbitraryHistory> {
    let mut samples = Samples::default();
    samples.open();
    samples.queue();
    samples.doubts();
    samples.reviews();
    samples.successes();
    samples.failures();
    samples.afterwards();
    samples.messages();
    samples.whatsapp_messages();
    samples.rcs_messages();
    samples.calls();
    samples.pictures
}

#[derive(Default)]
struct Samples {
    pictures: Vec<ArbitraryHistory>,
}

impl Samples {
    fn push(
        &mut self,
        purchase: PurchaseBuilder,
        lived: impl Fn(ArbitraryHistory) -> ArbitraryHistory,
    ) {
        let n = self.pictures.len() as u64 + 1;
        let reference = format!("picture.{n}:_-");
        let purchase = purchase.number(1_000_000 + n).reference(&reference);
        self.pictures.push(lived(ArbitraryHistory::of(purchase)));
    }

    fn open(&mut self) {
        self.push(airtime(), |life| life);
        self.push(airtime().postpaid().keyed("retry \"me\" ~", 7), |life| life);
        self.push(electricity().postpaid().terms("0", "0", "12.34"), |life| {
            life
        });
        self.push(electricity(), |life| life.observed(1, not_sent));
    }

    fn queue(&mut self) {
        let due = |_: &_| Observation::Due;
        let cancelled = |cause| move |_: &_| Observation::Cancellation(cause);
        for purchase in families() {
            self.push(in_the_queue(purchase), |life| life);
        }
        let waiting = in_the_queue(airtime()).awaiting(Approval::awaited(holder(None)));
        let decided = |verdict| move |_: &_| Observation::Decision(decided_at(11, verdict));
        self.push(waiting.clone(), |life| life);
        self.push(waiting.clone(), |life| {
            life.observed(11, decided(ApprovalVerdict::Approved))
        });
        self.push(waiting, |life| {
            life.observed(11, decided(ApprovalVerdict::Refused))
        });
        self.push(in_the_queue(airtime()), |life| life.observed(10, due));
        self.push(in_the_queue(electricity()), |life| {
            life.observed(10, due).observed(11, delivered)
        });
        self.push(in_the_queue(payout()), |life| {
            life.observed(10, due)
                .observed(11, not_sent)
                .observed(12, delivered)
        });
        self.push(in_the_queue(airtime()), |life| life.observed(20, due));
        for cause in [
            CancelCause::Requested,
            CancelCause::NotApproved,
            CancelCause::BatchStopped,
            CancelCause::Unconfirmed,
        ] {
            self.push(in_the_queue(payout()), |life| {
                life.observed(1, cancelled(cause))
            });
        }
    }

    fn doubts(&mut self) {
        for cause in UnknownCause::ALL {
            self.push(airtime(), |life| life.observed(1, |tx| unknown(tx, cause)));
        }
        self.push(airtime(), |life| life.observed(1, takeover));
        self.push(airtime(), |life| life.observed(1, pending));
        self.push(electricity(), |life| life.observed(1, unfinished));
        self.push(sms(), |life| life.observed(1, unfinished));
        self.push(airtime(), |life| {
            life.observed(1, takeover)
                .observed(2, not_found)
                .observed(PAST_QUARANTINE, not_found)
        });
    }

    fn reviews(&mut self) {
        self.push(airtime(), unresolved);
        self.push(airtime(), |life| life.observed(1, mismatched));
        for purchase in families() {
            self.push(purchase, |life| life.observed(1, mismatched));
        }
        self.push(electricity().postpaid(), |life| {
            life.observed(1, under_foreign_reference)
        });
    }

    fn successes(&mut self) {
        for purchase in families() {
            self.push(purchase.clone(), |life| life.observed(1, delivered));
            self.push(purchase.clone(), |life| {
                life.observed(1, pending).observed(9, found)
            });
            self.push(purchase, |life| {
                unresolved(life).observed(PAST_REVIEW + 1, ruled_delivered)
            });
        }
        self.push(airtime().terms("3", "4", "25.00"), |life| {
            life.observed(1, delivered)
        });
        self.push(airtime().terms("5", "1", "0.00"), |life| {
            life.observed(1, delivered)
        });
        self.push(airtime(), |life| {
            life.observed(1, not_sent).observed(2, delivered)
        });
        self.push(wallet_transfer(), |life| life);
        self.push(user_transfer(), |life| life);
        let payee = user_transfer().transaction().payee().cloned();
        let payee = payee.expect("an account is paid");
        self.push(unclaimed_transfer(at(DAY)), |life| life);
        self.push(unclaimed_transfer(at(DAY)), |life| {
            life.observed(1, |_| Observation::Claimed(payee.clone()))
        });
        self.push(unclaimed_transfer(at(DAY)), |life| {
            life.observed(1, |_| Observation::Cancellation(CancelCause::Expired))
        });
    }

    fn failures(&mut self) {
        self.push(airtime(), |life| life.observed(1, declined));
        self.push(electricity(), |life| life.observed(1, refused_wordily));
        self.push(airtime(), |life| {
            life.observed(1, not_sent).observed(2, not_sent)
        });
        self.push(airtime(), |life| life.observed(1, reversed));
        self.push(airtime(), |life| {
            let doubted = life.observed(1, takeover);
            (0..4).fold(doubted, |life, n| {
                life.observed(PAST_QUARANTINE + n * 60, not_found)
            })
        });
        self.push(electricity(), |life| {
            life.observed(1, mismatched)
                .observed(2, |_| ruled(Verdict::NotDelivered))
        });
        self.push(airtime(), |life| {
            life.observed(1, mismatched).observed(2, |_| ruled_alone())
        });
    }

    /// Messages with reported parts: in order, out of order, before the settlement, and of one
    /// that was reversed since.
    fn messages(&mut self) {
        use DeliveryStatus::{Buffered, Delivered, Expired, Submitted};
        let reported = |parts: &'static [DeliveryStatus]| move |tx: &_| message_status(tx, parts);
        self.push(in_two_parts(), |life| {
            life.observed(1, delivered)
                .observed(2, reported(&[Delivered, Submitted]))
                .observed(3, reported(&[Submitted, Buffered]))
                .observed(4, reported(&[Delivered, Delivered]))
        });
        self.push(in_two_parts().in_credits(), |life| {
            life.observed(1, pending)
                .observed(2, reported(&[Submitted, Expired]))
                .observed(3, reversed)
        });
        self.push(in_two_parts(), |life| {
            life.observed(1, declined)
                .observed(2, reported(&[Delivered, Delivered]))
        });
    }

    /// WhatsApp messages that were delivered, read, and not delivered.
    fn whatsapp_messages(&mut self) {
        let reported = |status, read_at| {
            move |tx: &_| whatsapp_status(tx, MessageDelivery { status, read_at })
        };
        self.push(whatsapp(), |life| {
            life.observed(1, delivered)
                .observed(2, reported(MessageStatus::Delivered, None))
                .observed(3, reported(MessageStatus::Read, Some(at(2))))
        });
        self.push(whatsapp_text(), |life| {
            life.observed(1, pending)
                .observed(2, reported(MessageStatus::Unknown, None))
                .observed(3, reported(MessageStatus::Failed, None))
        });
    }

    /// RCS messages that were read, not delivered, and sent as a text message.
    fn rcs_messages(&mut self) {
        let reached = |status| MessageDelivery {
            status,
            read_at: (status == MessageStatus::Read).then(|| at(2)),
        };
        let by_rcs = |status, capable| {
            move |tx: &_| rcs_status(tx, RcsDelivery::by_rcs(reached(status), capable))
        };
        let by_sms =
            |status| move |tx: &_| rcs_status(tx, RcsDelivery::by_sms(reached(status), None));
        self.push(rcs_carousel(), |life| {
            life.observed(1, delivered)
                .observed(2, by_rcs(MessageStatus::Delivered, None))
                .observed(3, by_rcs(MessageStatus::Read, None))
        });
        self.push(rcs_text(), |life| {
            life.observed(1, pending)
                .observed(2, by_rcs(MessageStatus::Unknown, Some(true)))
                .observed(3, by_rcs(MessageStatus::Failed, Some(false)))
        });
        self.push(rcs(), |life| {
            life.observed(1, delivered)
                .observed(2, by_sms(MessageStatus::Submitted))
                .observed(3, by_sms(MessageStatus::Delivered))
        });
    }

    /// Calls of which nothing was left to give back, and of which all is known.
    fn calls(&mut self) {
        for seconds in [1, 180, 10_000] {
            let call = Call {
                seconds: Some(seconds),
                answered_at: Some(at(2)),
                digits: PressedDigits::parse("1*#").ok(),
            };
            self.push(voice_call(), |life| {
                life.observed(1, pending)
                    .observed(2, |tx| call_ended(tx, call.clone()))
            });
            let run = FlowRun {
                call: call.clone(),
                ..FlowRun::UNDER_WAY
            };
            self.push(flow_call(), |life| {
                life.observed(1, pending)
                    .observed(2, |tx| flow_ended(tx, run.clone()))
            });
        }
    }

    fn afterwards(&mut self) {
        let below_cost = electricity().terms("5", "1", "3.00");
        for purchase in families().into_iter().chain([below_cost]) {
            self.push(purchase.clone(), |life| {
                life.observed(1, delivered).observed(2, reversed)
            });
            self.push(purchase.clone(), |life| {
                life.observed(1, declined).observed(2, found)
            });
            self.push(purchase, |life| {
                life.observed(1, not_sent)
                    .observed(2, first_found)
                    .observed(3, delivered)
                    .observed(4, reversed)
            });
        }
    }
}

fn in_the_queue(purchase: PurchaseBuilder) -> PurchaseBuilder {
    purchase.queued(at(10), at(20))
}

/// A key of a user, or of the account.
fn holder(user: Option<u64>) -> KeyHolder {
    KeyHolder {
        key: KeyId(-7),
        user: user.map(account_user_id),
    }
}

fn decided_at(second: u64, verdict: ApprovalVerdict) -> ApprovalDecision {
    ApprovalDecision {
        verdict,
        by: holder(Some(9_007_199_254_740_991)),
        at: at(second),
    }
}

fn in_two_parts() -> PurchaseBuilder {
    sms().saying(&"Your order is on its way. ".repeat(8))
}

fn unresolved(life: ArbitraryHistory) -> ArbitraryHistory {
    let unanswered = |tx: &_| finding(tx, QueryOutcome::Unknown);
    life.observed(1, takeover)
        .observed(PAST_REVIEW / 3, unanswered)
        .observed(PAST_REVIEW / 3 * 2, unanswered)
        .observed(PAST_REVIEW, |tx| finding(tx, QueryOutcome::Unknown))
}

fn found(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::Delivered(receipt(tx)))
}

fn first_found(tx: &Transaction) -> Observation {
    let attempt = AttemptNumber::FIRST;
    let receipt = receipt_of(&tx.provider_reference(attempt), &tx.order);
    Observation::Finding {
        attempt,
        finding: QueryOutcome::Delivered(receipt),
    }
}

fn ruled_delivered(tx: &Transaction) -> Observation {
    ruled(Verdict::Delivered(fulfilment(&tx.order)))
}

fn ruled_alone() -> Observation {
    Observation::Ruling(Ruling {
        confirmed_by: None,
        ..ruling(Verdict::NotDelivered)
    })
}

fn refused_wordily(tx: &Transaction) -> Observation {
    let refusal = Refusal {
        kind: RefusalKind::Moment {
            retry_after: Some(std::time::Duration::from_secs(90)),
        },
        code: String::new(),
        reason: "Mítà ò sí — “unknown meter”;\n\t' OR 1=1 -- 🔌".into(),
    };
    crate::builders::answer(tx, SubmitOutcome::Declined(refusal))
}

fn under_foreign_reference(tx: &Transaction) -> Observation {
    let mut receipt = receipt(tx);
    receipt.reference = domain::reference::ProviderReference::from_echo("another provider's");
    crate::builders::answer(tx, SubmitOutcome::Delivered(receipt))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::order::Service;
    use domain::transaction::{Doubt, Evidence, Proof, ReviewCause, State};
    use std::collections::BTreeSet;

    fn kind(tx: &Transaction) -> &'static str {
        match &tx.state {
            State::Queued(_) => "queued",
            State::Sending(_) => "sending",
            State::InDoubt(in_doubt) => match in_doubt.doubt {
                Doubt::Unanswered { absence: None, .. } => "unanswered",
                Doubt::Unanswered {
                    absence: Some(_), ..
                } => "being absent",
                Doubt::Acknowledged => "acknowledged",
            },
            State::Review(review) => match review.cause {
                ReviewCause::Mismatch { .. } => "mismatch",
                ReviewCause::Unresolved => "unresolved",
            },
            State::Successful(delivered) => match delivered.evidence {
                Evidence::Answered => "answered",
                Evidence::Found => "found",
                Evidence::Ruled(_) => "ruled delivered",
            },
            State::Failed(failed) => match failed.proof {
                Proof::NotSent => "not sent",
                Proof::Refused(_) => "refused",
                Proof::Absent(_) => "absent",
                Proof::TakenBack => "taken back",
                Proof::Ruled(_) => "ruled out",
            },
            State::Reversed(_) => "reversed",
            State::Booked(_) => "booked",
            State::Cancelled(cancelled) => match cancelled.cause {
                CancelCause::Requested => "cancelled",
                CancelCause::NotApproved => "not approved",
                CancelCause::Expired => "expired",
                CancelCause::BatchStopped => "batch stopped",
                CancelCause::Unconfirmed => "unconfirmed",
            },
        }
    }

    #[test]
    fn every_family_hangs_in_the_gallery() {
        let sold: BTreeSet<_> = every_state()
            .iter()
            .map(|life| life.last().order.service())
            .collect();
        assert_eq!(sold, Service::all().collect());
    }

    #[test]
    fn every_kind_of_state_hangs_in_the_gallery() {
        let kinds: BTreeSet<_> = every_state().iter().map(|life| kind(life.last())).collect();
        assert_eq!(kinds.len(), 22, "{kinds:?}");
    }
}
