//! The queue: when a transaction leaves it, and what never makes it leave.

use super::{FIRST, answer, at, finding, second, unanswered};
use crate::access::AccountUserId;
use crate::credential::KeyId;
use crate::event::EventKind;
use crate::ledger::TransferKind;
use crate::provider::{
    AbsencePolicy, AttemptDetails, ProviderId, ProviderTransactionId, QueryOutcome, SubmitOutcome,
};
use crate::reference::{ProviderReference, TransactionNumber};
use crate::transaction::sample::{self, Product};
use crate::transaction::{
    ApplyContext, Approval, ApprovalDecision, ApprovalVerdict, CancelCause, Cancelled,
    GatewayStatus, KeyHolder, Observation, PreparedAttempt, Proof, Queued, Sending, State,
    StateChange, Status, Transaction, Transition,
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

const ASKED_BY: KeyHolder = KeyHolder {
    key: KeyId(1),
    user: None,
};

/// Waiting for an approval, until it expires.
fn waiting() -> Transaction {
    let queued = Queued {
        send_from: at(10),
        expires_at: at(30),
    };
    let draft = sample::draft(Product::Airtime);
    let opening = draft.queue(at(0), queued);
    let opening = opening.awaiting(Approval::awaited(ASKED_BY));
    assert_eq!(opening.due_at, at(30), "it is not due before");
    opening.transaction
}

fn decision(verdict: ApprovalVerdict, user: u64, minute: u64) -> Observation {
    let number = TransactionNumber::try_new(user).unwrap();
    let user = Some(AccountUserId::new(number));
    Observation::Decision(ApprovalDecision {
        verdict,
        by: KeyHolder {
            key: KeyId(2),
            user,
        },
        at: at(minute),
    })
}

#[test]
fn what_waits_for_an_approval_is_not_sent_before_and_is_sent_after() {
    let tx = waiting();
    assert!(tx.awaits_approval());
    assert_eq!(tx.status(), Status::Pending);
    stays(&tx, &Observation::Due, 20);
    let approved = step(&tx, &decision(ApprovalVerdict::Approved, 7, 15), 15);
    assert_eq!(approved.transfers, []);
    assert_eq!(approved.event, None);
    let approved = approved.transaction;
    assert!(!approved.awaits_approval());
    assert_eq!(approved.state, tx.state);
    let sent = step(&approved, &Observation::Due, 16).transaction;
    assert!(matches!(sent.state, State::Sending(_)));
    assert_eq!(
        sent.approval, approved.approval,
        "who approved it stays known"
    );
}

#[test]
fn what_is_refused_or_not_decided_in_time_gives_its_price_back() {
    let tx = waiting();
    let refused = step(&tx, &decision(ApprovalVerdict::Refused, 7, 15), 15);
    assert_cancelled(&refused, CancelCause::NotApproved);
    stays(&refused.transaction, &Observation::Due, 16);
    let approval = decision(ApprovalVerdict::Approved, 8, 17);
    stays(&refused.transaction, &approval, 17);
    assert_cancelled(&step(&tx, &Observation::Due, 30), CancelCause::Expired);
    let late = step(&tx, &decision(ApprovalVerdict::Approved, 7, 30), 30);
    assert_cancelled(&late, CancelCause::Expired);
}

#[test]
fn a_decision_is_made_once_by_another_and_where_one_is_needed() {
    let tx = waiting();
    let Observation::Decision(decided) = decision(ApprovalVerdict::Approved, 7, 15) else {
        unreachable!("a decision");
    };
    let own = ApprovalDecision {
        by: ASKED_BY,
        ..decided
    };
    stays(&tx, &Observation::Decision(own), 15);
    let approved = step(&tx, &Observation::Decision(decided), 15).transaction;
    stays(&approved, &decision(ApprovalVerdict::Refused, 8, 16), 16);
    stays(&queued(), &Observation::Decision(decided), 15);
}
