//! The queue: when a transaction leaves it, and what never makes it leave.

use super::{FIRST, answer, at, finding, second, unanswered};
use crate::event::EventKind;
use crate::ledger::TransferKind;
use crate::provider::{
    AbsencePolicy, AttemptDetails, ProviderId, ProviderTransactionId, QueryOutcome, SubmitOutcome,
};
use crate::reference::ProviderReference;
use crate::transaction::sample::{self, Product};
use crate::transaction::{
    ApplyContext, CancelCause, Cancelled, GatewayStatus, Observation, PreparedAttempt, Proof,
    Queued, Sending, State, StateChange, Status, Transaction, Transition,
};

const CAUTIOUS: AbsencePolicy = AbsencePolicy::CAUTIOUS;

/// Due after ten minutes, and for twenty.
fn queued() -> Transaction {
    let queued = Queued {
        send_from: at(10),
        expires_at: at(30),
    };
    let draft = sample::draft(Product::Airtime);
    draft.queue(at(0), queued).transaction
}

fn prepared(tx: &Transaction) -> PreparedAttempt {
    PreparedAttempt {
        reference: ProviderReference::from_echo("of-its-own-form".to_owned()),
        ..tx.prepared.first().clone()
    }
}

fn observed(tx: &Transaction, observation: &Observation, minute: u64) -> Transition {
    let next = prepared(tx);
    let context = ApplyContext {
        next: Some(&next),
        ..ApplyContext::new(at(minute), &CAUTIOUS)
    };
    tx.clone().apply(observation, context)
}

fn step(tx: &Transaction, observation: &Observation, minute: u64) -> StateChange {
    match observed(tx, observation, minute) {
        Transition::Changed(step) => *step,
        Transition::Unchanged(_) => panic!("{observation:?} changed nothing"),
    }
}

fn stays(tx: &Transaction, observation: &Observation, minute: u64) {
    let unchanged = Transition::Unchanged(Box::new(tx.clone()));
    assert_eq!(observed(tx, observation, minute), unchanged);
}

#[test]
fn it_is_paid_for_and_has_no_attempt() {
    let tx = queued();
    assert_eq!(
        (tx.status(), tx.gateway_status()),
        (Status::Pending, GatewayStatus::Queued)
    );
    assert_eq!((tx.attempt(), tx.state.started_at()), (None, None));
    let reference = tx.provider_reference(FIRST);
    assert!(!tx.has_attempt(FIRST, &reference));
    assert_eq!(tx.attempt_under(tx.provider(), &reference), None);
}

#[test]
fn its_first_attempt_is_recorded_from_its_moment_on_until_it_expires() {
    let tx = queued();
    stays(&tx, &Observation::Due, 9);
    for minute in [10, 29] {
        let step = step(&tx, &Observation::Due, minute);
        let started_at = at(minute);
        let sending = Sending {
            attempt: FIRST,
            started_at,
        };
        assert_eq!(step.transaction.state, State::Sending(sending));
        assert_eq!(step.transaction.prepared.first(), &prepared(&tx));
        assert_eq!(step.event.map(|event| event.kind), Some(EventKind::Begun));
        assert_eq!(step.transfers, []);
    }
    let step = step(&tx, &Observation::Due, 30);
    assert_cancelled(&step, CancelCause::Expired);
}

#[test]
fn it_stays_where_no_attempt_is_prepared_or_at_another_provider_than_it_was_priced_for() {
    let tx = queued();
    let mut elsewhere = prepared(&tx);
    elsewhere.provider = ProviderId::parse("other").unwrap();
    for next in [None, Some(&elsewhere)] {
        let context = ApplyContext {
            next,
            ..ApplyContext::new(at(10), &CAUTIOUS)
        };
        let after = tx.clone().apply(&Observation::Due, context);
        assert_eq!(after, Transition::Unchanged(Box::new(tx.clone())));
    }
}

#[test]
fn what_is_cancelled_gives_its_price_back_and_is_never_sent() {
    for cause in [CancelCause::Requested, CancelCause::NotApproved] {
        let step = step(&queued(), &Observation::Cancellation(cause), 20);
        assert_cancelled(&step, cause);
        let cancelled = step.transaction;
        assert_eq!(cancelled.status(), Status::Failed);
        assert_eq!(cancelled.gateway_status(), GatewayStatus::Unknown);
        assert_eq!(cancelled.attempt(), None);
        stays(&cancelled, &Observation::Due, 20);
        stays(
            &cancelled,
            &Observation::Cancellation(CancelCause::Requested),
            21,
        );
    }
}

fn assert_cancelled(step: &StateChange, cause: CancelCause) {
    let at = step.transaction.updated_at;
    let cancelled = Cancelled { cause, at };
    assert_eq!(step.transaction.state, State::Cancelled(cancelled));
    let kinds: Vec<_> = step.transfers.iter().map(|moved| moved.kind).collect();
    assert_eq!(kinds, [TransferKind::Release]);
    assert_eq!(step.event.map(|event| event.kind), Some(EventKind::Failed));
}

#[test]
fn what_left_the_queue_is_not_cancelled_nor_begun_again() {
    let begun = step(&queued(), &Observation::Due, 10).transaction;
    stays(&begun, &Observation::Due, 11);
    stays(
        &begun,
        &Observation::Cancellation(CancelCause::Requested),
        11,
    );
    let in_doubt = step(&begun, &unanswered(), 12).transaction;
    stays(&in_doubt, &Observation::Due, 13);
    stays(
        &in_doubt,
        &Observation::Cancellation(CancelCause::Requested),
        13,
    );
}

#[test]
fn no_answer_is_about_an_attempt_that_was_not_made() {
    let tx = queued();
    let delivered = answer(SubmitOutcome::Delivered(sample::receipt(&tx, FIRST)));
    stays(&tx, &delivered, 5);
    stays(&tx, &finding(QueryOutcome::NotFound), 5);
    stays(&tx, &Observation::Takeover { attempt: FIRST }, 5);
}

#[test]
fn a_journal_shows_the_attempt_that_the_store_has_in_the_queue() {
    let tx = queued();
    let journalled = |attempt| Observation::Journalled {
        attempt,
        started_at: at(11),
        prepared: prepared(&tx),
        before: Proof::NotSent,
    };
    stays(&tx, &journalled(second()), 40);
    let step = step(&tx, &journalled(FIRST), 40);
    let sending = Sending {
        attempt: FIRST,
        started_at: at(11),
    };
    assert_eq!(step.transaction.state, State::Sending(sending));
    assert_eq!(step.transaction.prepared.first(), &prepared(&tx));
    assert_eq!(
        step.event.map(|event| event.kind),
        Some(EventKind::Reopened)
    );
}

/// No provider can know anything of it.
#[test]
fn nothing_that_is_reported_of_an_attempt_is_kept_before_there_is_one() {
    let tx = queued();
    let reported = AttemptDetails {
        id: ProviderTransactionId::parse("A-1"),
        cost: None,
        commission: None,
    };
    let context = ApplyContext {
        reported: Some(&reported),
        ..ApplyContext::new(at(1), &CAUTIOUS)
    };
    let after = tx.clone().apply(&finding(QueryOutcome::Pending), context);
    assert_eq!(after, Transition::Unchanged(Box::new(tx)));
}
