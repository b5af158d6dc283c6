//! One test per row of the transition table: a state, an observation, and the transition. They must
//! reach every state through `apply`, as the gateway does.

mod booked;
mod in_doubt;
mod messages;
mod queued;
mod reported;
mod review;
mod sending;
mod settled;
mod user;

use super::StateChange;
use super::sample::{self, Product};
use super::{AttemptNumber, Doubt, Observation, State, Status, Transaction, Transition, Verdict};
use crate::event::EventKind;
use crate::ledger::TransferKind;
use crate::provider::{AbsencePolicy, QueryOutcome, SubmitOutcome, UnknownCause};
use crate::time::Timestamp;
use std::time::Duration;

const FIRST: AttemptNumber = AttemptNumber::FIRST;

fn second() -> AttemptNumber {
    AttemptNumber::try_new(2).unwrap()
}

fn at(minutes: u64) -> Timestamp {
    Timestamp::from_millis(0).plus(Duration::from_mins(minutes))
}

fn answer(outcome: SubmitOutcome) -> Observation {
    let attempt = FIRST;
    Observation::Answer { attempt, outcome }
}

fn finding(finding: QueryOutcome) -> Observation {
    let attempt = FIRST;
    Observation::Finding { attempt, finding }
}

fn yes(tx: &Transaction) -> Observation {
    answer(SubmitOutcome::Delivered(sample::receipt(tx, FIRST)))
}

fn other_amount(tx: &Transaction) -> Observation {
    answer(SubmitOutcome::Delivered(sample::other_amount(tx, FIRST)))
}

fn refused() -> Observation {
    answer(SubmitOutcome::Declined(sample::refusal()))
}

fn unanswered() -> Observation {
    answer(SubmitOutcome::Unknown(UnknownCause::Timeout))
}

fn ruled(verdict: Verdict) -> Observation {
    Observation::Ruling(sample::ruling(verdict))
}

/// The step that an observation leads to, minutes after the opening.
fn step(tx: &Transaction, observation: &Observation, minutes: u64) -> StateChange {
    match sample::applied(
        tx,
        observation,
        (at(minutes), &AbsencePolicy::CAUTIOUS),
        Some(&sample::next(tx)),
    ) {
        Transition::Changed(advance) => *advance,
        Transition::Unchanged(_) => panic!("{observation:?} changed nothing in {:?}", tx.state),
    }
}

/// Expects that an observation changes nothing at all, minutes after the opening.
fn ignores(tx: &Transaction, observation: &Observation, minutes: u64) {
    let learned = sample::applied(
        tx,
        observation,
        (at(minutes), &AbsencePolicy::CAUTIOUS),
        Some(&sample::next(tx)),
    );
    let unchanged = Transition::Unchanged(Box::new(tx.clone()));
    assert_eq!(learned, unchanged, "{observation:?}");
}

/// The transaction after an observation.
fn after(tx: &Transaction, observation: &Observation, minutes: u64) -> Transaction {
    step(tx, observation, minutes).transaction
}

/// The transaction after questions without an answer, each two minutes after the one before, until
/// minutes after the opening: its age is its time in doubt.
fn aged(tx: &Transaction, from: u64, minutes: u64) -> Transaction {
    let unanswered = finding(QueryOutcome::Unknown);
    let asked = (from..minutes).step_by(2).skip(1);
    asked.fold(tx.clone(), |tx, minutes| after(&tx, &unanswered, minutes))
}

fn sending(product: Product) -> Transaction {
    sample::draft(product).open(at(0), at(1)).transaction
}

fn in_doubt() -> Transaction {
    after(&sending(Product::Airtime), &unanswered(), 0)
}

fn unresolved() -> Transaction {
    let day = 24 * 60;
    after(
        &aged(&in_doubt(), 0, day),
        &finding(QueryOutcome::Unknown),
        day,
    )
}

fn successful() -> Transaction {
    let tx = sending(Product::Airtime);
    after(&tx, &yes(&tx), 0)
}

fn failed() -> Transaction {
    after(&sending(Product::Airtime), &refused(), 0)
}

fn doubt(tx: &Transaction) -> Doubt {
    let State::InDoubt(in_doubt) = &tx.state else {
        panic!("not in doubt: {:?}", tx.state);
    };
    in_doubt.doubt
}

/// The transfers and the event of a step.
fn effects(advance: &StateChange) -> (Vec<TransferKind>, Option<EventKind>) {
    let kinds = advance.transfers.iter().map(|transfer| transfer.kind);
    (kinds.collect(), advance.event.map(|event| event.kind))
}

/// Expects a step that moves no money and has one event.
fn moves_nothing(advance: &StateChange, reported: EventKind) {
    assert_eq!(effects(advance), (Vec::new(), Some(reported)));
}

#[test]
fn opening_holds_the_price_and_records_the_first_attempt() {
    let opening = sample::draft(Product::Airtime).open(at(0), at(1));
    let tx = opening.transaction;
    assert_eq!(opening.hold.kind, TransferKind::Hold);
    assert_eq!(opening.hold.amount, tx.quote.price);
    assert_eq!(opening.event.kind, EventKind::Opened);
    assert_eq!((opening.event.sequence, tx.sequence, tx.version), (1, 1, 1));
    assert_eq!((tx.attempt(), tx.earlier.len()), (Some(FIRST), 0));
    assert_eq!(tx.status(), Status::Pending);
}

#[test]
fn every_family_is_sold_by_a_receipt_of_its_own_alone() {
    for product in Product::ALL {
        let tx = sending(product);
        let sold = after(&tx, &yes(&tx), 0);
        assert_eq!(sold.status(), Status::Successful, "{product:?}");
        let others = Product::ALL.into_iter().filter(|other| *other != product);
        for other in others {
            let receipt = crate::provider::Receipt {
                fulfilment: sample::fulfilment(&sending(other)),
                ..sample::receipt(&tx, FIRST)
            };
            let reported = after(&tx, &answer(SubmitOutcome::Delivered(receipt)), 0);
            assert_eq!(
                doubt(&reported),
                Doubt::Acknowledged,
                "{product:?} {other:?}"
            );
        }
    }
}

#[test]
fn only_final_states_have_final_words() {
    let reversed = after(&successful(), &finding(QueryOutcome::Reversed), 1);
    let mismatch = {
        let tx = sending(Product::Airtime);
        after(&tx, &other_amount(&tx), 0)
    };
    for open in [
        sending(Product::Airtime),
        in_doubt(),
        unresolved(),
        mismatch,
    ] {
        assert_eq!(open.status(), Status::Pending, "{:?}", open.state);
    }
    assert_eq!(successful().status(), Status::Successful);
    assert_eq!(failed().status(), Status::Failed);
    assert_eq!(reversed.status(), Status::Reversed);
}

#[test]
fn every_step_raises_the_version_and_numbers_its_event() {
    let tx = in_doubt();
    assert_eq!((tx.version, tx.sequence), (2, 2));
    let noted = step(&tx, &finding(QueryOutcome::Unknown), 1);
    assert_eq!(
        (noted.transaction.version, noted.transaction.sequence),
        (3, 2)
    );
    assert_eq!((noted.event, noted.expected_version()), (None, 2));
    let settled = step(&noted.transaction, &refused(), 2);
    assert_eq!(settled.event.unwrap().sequence, 3);
    assert_eq!(settled.transaction.version, 4);
}
