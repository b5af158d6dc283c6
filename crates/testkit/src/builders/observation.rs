//! What providers and persons say about a transaction. Receipts must echo what was sent; the two
//! makers of wrong receipts say so in their names.

use super::START;
use super::fulfilment::{fulfilment, unfinished_fulfilment};
use domain::change_set::StateChange;
use domain::ivr::FlowRun;
use domain::money::Money;
use domain::order::Order;
use domain::provider::{
    AbsencePolicy, Fulfilment, ProviderId, QueryOutcome, Receipt, Refusal, RefusalKind,
    SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::sms::{DeliveryStatus, Dispatch};
use domain::time::Timestamp;
use domain::transaction::{
    ApplyContext, AttemptNumber, Observation, PreparedAttempt, Ruling, State, Transaction,
    Transition, Verdict,
};
use domain::voice::Call;
use std::time::Duration;

/// How long after a step that settles nothing the next look is due, unless said otherwise.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// The current attempt; of what is queued the first, which is still to be made.
pub fn current_attempt(tx: &Transaction) -> AttemptNumber {
    tx.attempt().unwrap_or(AttemptNumber::FIRST)
}

/// A receipt for the current attempt, as ordered and finished.
pub fn receipt(tx: &Transaction) -> Receipt {
    receipt_of(&tx.provider_reference(current_attempt(tx)), &tx.order)
}

/// A receipt for an order under a provider reference, as ordered and finished.
pub fn receipt_of(reference: &ProviderReference, order: &Order) -> Receipt {
    Receipt {
        reference: reference.clone(),
        amount: order.amount(),
        fulfilment: fulfilment(order),
    }
}

/// A provider's listed no, the order's fault.
pub fn refusal() -> Refusal {
    refusal_of(RefusalKind::Order)
}

/// A provider's listed no of a kind.
pub fn refusal_of(kind: RefusalKind) -> Refusal {
    Refusal {
        kind,
        code: "R01".into(),
        reason: "Refused by the network".into(),
    }
}

/// The answer to submitting the current attempt.
pub fn answer(tx: &Transaction, outcome: SubmitOutcome) -> Observation {
    Observation::Answer {
        attempt: current_attempt(tx),
        outcome,
    }
}

/// The answer to asking about the current attempt.
pub fn finding(tx: &Transaction, finding: QueryOutcome) -> Observation {
    Observation::Finding {
        attempt: current_attempt(tx),
        finding,
    }
}

/// Answered: delivered as ordered.
pub fn delivered(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Delivered(receipt(tx)))
}

/// Answered: delivered, but another amount than ordered.
pub fn mismatched(tx: &Transaction) -> Observation {
    let receipt = Receipt {
        amount: one_more(tx.order.amount()),
        ..receipt(tx)
    };
    answer(tx, SubmitOutcome::Delivered(receipt))
}

/// An amount and one minor unit more.
pub const fn one_more(amount: Money) -> Money {
    Money::from_minor(amount.minor() + 1, amount.currency())
}

/// Answered: accepted, but what completes the order is missing. Where nothing could be missing it
/// says that the order is being processed.
pub fn unfinished(tx: &Transaction) -> Observation {
    let receipt = receipt(tx);
    match unfinished_fulfilment(&receipt.fulfilment) {
        None => pending(tx),
        Some(fulfilment) => answer(
            tx,
            SubmitOutcome::Delivered(Receipt {
                fulfilment,
                ..receipt
            }),
        ),
    }
}

/// An unasked report of the status of each part of a message.
pub fn message_status(tx: &Transaction, parts: &[DeliveryStatus]) -> Observation {
    let dispatch = Dispatch::try_from_parts(parts.to_vec()).expect("one part at least");
    let receipt = Receipt {
        fulfilment: Fulfilment::Sms(dispatch),
        ..receipt(tx)
    };
    finding(tx, QueryOutcome::Delivered(receipt))
}

/// What a query finds of a call that is over.
pub fn call_ended(tx: &Transaction, call: Call) -> Observation {
    let receipt = Receipt {
        fulfilment: Fulfilment::Voice(call),
        ..receipt(tx)
    };
    finding(tx, QueryOutcome::Delivered(receipt))
}

/// The same of a call that ran a flow.
pub fn flow_ended(tx: &Transaction, run: FlowRun) -> Observation {
    let receipt = Receipt {
        fulfilment: Fulfilment::Ivr(run),
        ..receipt(tx)
    };
    finding(tx, QueryOutcome::Delivered(receipt))
}

/// Answered: refused.
pub fn declined(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Declined(refusal()))
}

/// No byte of the current attempt left.
pub fn not_sent(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::NotSent)
}

/// Answered: being processed.
pub fn pending(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Pending)
}

/// No definite answer.
pub fn unknown(tx: &Transaction, cause: UnknownCause) -> Observation {
    answer(tx, SubmitOutcome::Unknown(cause))
}

/// Asked: no trace of it.
pub fn not_found(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::NotFound)
}

/// Asked: delivered once and taken back.
pub fn reversed(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::Reversed)
}

/// The instance that was sending the current attempt is gone.
pub fn takeover(tx: &Transaction) -> Observation {
    Observation::Takeover {
        attempt: current_attempt(tx),
    }
}

/// What two persons decided.
pub fn ruling(verdict: Verdict) -> Ruling {
    Ruling {
        verdict,
        by: "Ngozi Eze".into(),
        confirmed_by: Some("Tunde Bakare".into()),
        evidence: "Settlement file of 16 January, line 12".into(),
    }
}

/// Two persons decided.
pub fn ruled(verdict: Verdict) -> Observation {
    Observation::Ruling(ruling(verdict))
}

/// What an observation does to a transaction, read with the cautious profile; `None` where it
/// changes nothing. The
/// step is due again half a minute later unless it settled everything or waits for a person.
pub fn apply(tx: &Transaction, observation: &Observation, now: Timestamp) -> Option<StateChange> {
    apply_by(&AbsencePolicy::CAUTIOUS, tx, observation, now)
}

/// The first attempt of what is queued, prepared in a form of the provider's own.
pub fn first_of(tx: &Transaction) -> PreparedAttempt {
    PreparedAttempt {
        reference: ProviderReference::from_echo(format!("own{}", tx.number)),
        ..tx.prepared.first().clone()
    }
}

/// A second attempt, prepared at a provider.
pub fn second_at(tx: &Transaction, provider: ProviderId) -> PreparedAttempt {
    let second = AttemptNumber::FIRST.next().expect("a second attempt");
    PreparedAttempt::derived(provider, (&tx.account, &tx.reference), second)
}

/// The same, with silence read by a profile; a second attempt would go to the same provider, and
/// the first of what is queued to the one it was priced for.
pub fn apply_by(
    profile: &AbsencePolicy,
    tx: &Transaction,
    observation: &Observation,
    now: Timestamp,
) -> Option<StateChange> {
    let next = match tx.attempt() {
        None => first_of(tx),
        Some(_) => second_at(tx, tx.provider().clone()),
    };
    let context = ApplyContext {
        next: Some(&next),
        ..ApplyContext::new(now, profile)
    };
    match tx.clone().apply(observation, context) {
        Transition::Unchanged(_) => None,
        Transition::Changed(advance) => Some(StateChange {
            due_at: next_look(&advance.transaction, now),
            ..*advance
        }),
    }
}

/// The step that an observation makes.
pub fn advance(tx: &Transaction, observation: &Observation, now: Timestamp) -> StateChange {
    apply(tx, observation, now)
        .unwrap_or_else(|| panic!("{observation:?} changes nothing of {:?}", tx.state))
}

/// The step that an observation makes at [`START`], with its own next look.
pub fn advance_due(
    tx: &Transaction,
    observation: &Observation,
    due_at: Option<Timestamp>,
) -> StateChange {
    StateChange {
        due_at,
        ..advance(tx, observation, START)
    }
}

fn next_look(tx: &Transaction, now: Timestamp) -> Option<Timestamp> {
    match &tx.state {
        State::Sending(_) | State::InDoubt(_) => Some(now.plus(LOOK_AGAIN_AFTER)),
        State::Queued(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    }
}
