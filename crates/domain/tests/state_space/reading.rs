//! What the search reads from a transaction, and its observations. It must decide nothing.

use crate::copy::Copy;
use crate::machine::{Facts, Kind, minutes};
use crate::sample;
use crate::world::Observed;
use domain::access::AccountUserId;
use domain::credential::KeyId;
use domain::provider::{Fulfilment, QueryOutcome, Refusal, SubmitOutcome, UnknownCause};
use domain::reference::TransactionNumber;
use domain::refund::GrantedRefund;
use domain::sms::DeliveryStatus;
use domain::time::Timestamp;
use domain::transaction::{
    ApprovalDecision, ApprovalVerdict, AttemptNumber, CancelCause, Disproven, Evidence, KeyHolder,
    Observation, Proof, ReviewCause, State, Transaction, Verdict,
};

pub(crate) fn kind(tx: &Transaction) -> Kind {
    match &tx.state {
        State::Queued(_) => Kind::Queued,
        State::Sending(_) => Kind::Sending,
        State::InDoubt(_) => Kind::InDoubt,
        State::Review(_) => Kind::Review,
        State::Successful(_) => Kind::Successful,
        State::Failed(_) => Kind::Failed,
        State::Reversed(_) => Kind::Reversed,
        State::Cancelled(_) => Kind::Cancelled,
        State::Booked(_) => panic!("no provider takes part"),
    }
}

pub(crate) fn facts(copy: &Copy) -> Facts {
    let tx = &copy.tx;
    let mut loss_booked = [false; 2];
    let mut booked = |ended: &Disproven| {
        loss_booked[usize::from(ended.attempt.get() - 1)] = ended.is_loss();
    };
    tx.earlier.iter().for_each(&mut booked);
    let (mut age, mut mismatch, mut ruled) = (0, false, false);
    match &tx.state {
        State::InDoubt(in_doubt) => age = minutes(in_doubt.age.elapsed()),
        State::Review(review) => {
            mismatch = matches!(review.cause, ReviewCause::Mismatch { .. });
        }
        State::Failed(ended) => {
            booked(ended);
            ruled = matches!(ended.proof, Proof::Ruled(_));
        }
        State::Queued(_)
        | State::Sending(_)
        | State::Successful(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => {}
    }
    let evidence = tx.state.delivered().map(|delivered| &delivered.evidence);
    Facts {
        kind: kind(tx),
        attempt: tx.attempt().map_or(0, |attempt| attempt.get() - 1),
        began: copy.began,
        age,
        ruled: ruled || matches!(evidence, Some(Evidence::Ruled(_))),
        mismatch,
        loss_booked,
        retried: tx.earlier.iter().any(|ended| ended.attempt.get() == 1),
        refunded: refunded(tx),
        arrived: arrived(tx),
    }
}

fn refunded(tx: &Transaction) -> bool {
    let delivered = match &tx.state {
        State::Successful(delivered) => Some(delivered),
        State::Reversed(reversed) => Some(&reversed.delivered),
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Failed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    };
    delivered.is_some_and(|delivered| delivered.refund.is_some())
}

fn arrived(tx: &Transaction) -> bool {
    let State::Successful(delivered) = &tx.state else {
        return false;
    };
    let Fulfilment::Sms(dispatch) = &delivered.fulfilment else {
        return false;
    };
    dispatch.overall() == DeliveryStatus::Delivered
}

/// What the network reports of a message of two parts while either is on its way.
const FIRST_PART: [DeliveryStatus; 2] = [DeliveryStatus::Delivered, DeliveryStatus::Buffered];
const SECOND_PART: [DeliveryStatus; 2] = [DeliveryStatus::Submitted, DeliveryStatus::Delivered];

/// What a worker received, as an observation of the transaction.
pub(crate) fn observation(
    tx: &Transaction,
    (received, refusal): (Observed, Refusal),
    attempt: u8,
) -> Observation {
    let attempt = AttemptNumber::try_new(attempt + 1).unwrap();
    let answer = |outcome| Observation::Answer { attempt, outcome };
    let finding = |finding| Observation::Finding { attempt, finding };
    match received {
        Observed::Yes => answer(SubmitOutcome::Delivered(sample::receipt(tx, attempt))),
        Observed::OtherAmount => {
            answer(SubmitOutcome::Delivered(sample::other_amount(tx, attempt)))
        }
        Observed::WithoutToken => {
            answer(SubmitOutcome::Delivered(sample::without_token(tx, attempt)))
        }
        Observed::No => answer(SubmitOutcome::Declined(refusal)),
        Observed::NotSent => answer(SubmitOutcome::NotSent),
        Observed::Pending => answer(SubmitOutcome::Pending),
        Observed::Nothing => answer(SubmitOutcome::Unknown(UnknownCause::Timeout)),
        Observed::FoundYes => finding(QueryOutcome::Delivered(sample::receipt(tx, attempt))),
        Observed::FoundFirstPart => finding(QueryOutcome::Delivered(sample::reported(
            tx,
            attempt,
            &FIRST_PART,
        ))),
        Observed::FoundSecondPart => finding(QueryOutcome::Delivered(sample::reported(
            tx,
            attempt,
            &SECOND_PART,
        ))),
        Observed::FoundOtherAmount => {
            finding(QueryOutcome::Delivered(sample::other_amount(tx, attempt)))
        }
        Observed::FoundWithoutToken => {
            finding(QueryOutcome::Delivered(sample::without_token(tx, attempt)))
        }
        Observed::FoundNo => finding(QueryOutcome::Declined(refusal)),
        Observed::FoundPending => finding(QueryOutcome::Pending),
        Observed::FoundNoTrace | Observed::FoundNoTraceBefore => finding(QueryOutcome::NotFound),
        Observed::FoundTakenBack => finding(QueryOutcome::Reversed),
        Observed::FoundNothing => finding(QueryOutcome::Unknown),
        Observed::Takeover => Observation::Takeover { attempt },
        Observed::RuledYes => {
            Observation::Ruling(sample::ruling(Verdict::Delivered(sample::fulfilment(tx))))
        }
        Observed::RuledNo => Observation::Ruling(sample::ruling(Verdict::NotDelivered)),
        Observed::Due => Observation::Due,
        Observed::Cancelled => Observation::Cancellation(CancelCause::Requested),
        Observed::Approved => decided(ApprovalVerdict::Approved),
        Observed::Refused => decided(ApprovalVerdict::Refused),
        Observed::Refunded => Observation::Refund(GrantedRefund {
            number: TransactionNumber::try_new(1).unwrap(),
            amount: tx.charged().price,
            at: Timestamp::from_millis(0),
        }),
    }
}

/// The holder of the key of a number: the account for 1, a user for others.
pub(crate) fn holder(key: u64) -> KeyHolder {
    let number = TransactionNumber::try_new(key).unwrap();
    KeyHolder {
        key: KeyId(i64::try_from(key).unwrap()),
        user: (key != 1).then(|| AccountUserId::new(number)),
    }
}

/// What another user decides of a payment that was asked for with the key of the account.
fn decided(verdict: ApprovalVerdict) -> Observation {
    Observation::Decision(ApprovalDecision {
        verdict,
        by: holder(2),
        at: Timestamp::from_millis(0),
    })
}
