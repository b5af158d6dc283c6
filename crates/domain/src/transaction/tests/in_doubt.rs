//! Observations of an attempt in doubt. Time and silence must never be taken for a refusal.

use super::*;
use crate::transaction::{Absence, Disproven, GatewayStatus, Proof};

/// The "not found" answers counted so far.
fn sightings(tx: &Transaction) -> u32 {
    match doubt(tx) {
        Doubt::Unanswered { absence, .. } => absence.map_or(0, |seen| seen.sightings),
        Doubt::Acknowledged => 0,
    }
}

fn not_found() -> Observation {
    finding(QueryOutcome::NotFound)
}

#[test]
fn an_answer_after_the_deadline_is_as_good_as_ever() {
    let tx = in_doubt();
    assert_eq!(after(&tx, &yes(&tx), 30).status(), Status::Successful);
    assert_eq!(after(&tx, &refused(), 30).status(), Status::Failed);
    moves_nothing(&step(&tx, &other_amount(&tx), 30), EventKind::Review);
}

#[test]
fn a_question_is_answered_as_well_as_the_submission() {
    let tx = in_doubt();
    let found = finding(QueryOutcome::Delivered(sample::receipt(&tx, FIRST)));
    assert_eq!(after(&tx, &found, 1).status(), Status::Successful);
    let found = finding(QueryOutcome::Declined(sample::refusal()));
    let advance = step(&tx, &found, 1);
    assert_eq!(
        effects(&advance),
        (vec![TransferKind::Release], Some(EventKind::Failed))
    );
}

#[test]
fn what_was_taken_back_already_was_never_sold() {
    let advance = step(&in_doubt(), &finding(QueryOutcome::Reversed), 1);
    assert_eq!(
        effects(&advance),
        (vec![TransferKind::Release], Some(EventKind::Failed))
    );
    assert_eq!(
        advance.transaction.gateway_status(),
        GatewayStatus::Reversed
    );
}

#[test]
fn not_found_inside_the_quarantine_counts_for_nothing() {
    let mut tx = in_doubt();
    for minutes in 0..10 {
        tx = after(&tx, &not_found(), minutes);
        assert_eq!(sightings(&tx), 0);
    }
    assert_eq!(sightings(&after(&tx, &not_found(), 10)), 1);
}

#[test]
fn not_founds_less_than_a_minute_apart_count_once() {
    let mut tx = after(&aged(&in_doubt(), 0, 10), &not_found(), 10);
    for _ in 0..10 {
        tx = after(&tx, &not_found(), 10);
        assert_eq!(sightings(&tx), 1);
    }
    assert_eq!(sightings(&after(&tx, &not_found(), 11)), 2);
}

#[test]
fn the_fourth_not_found_after_the_quarantine_proves_absence() {
    let mut tx = aged(&in_doubt(), 0, 10);
    for minutes in [10, 12, 13] {
        let advance = step(&tx, &not_found(), minutes);
        assert_eq!(effects(&advance), (Vec::new(), None));
        tx = advance.transaction;
    }
    let advance = step(&tx, &not_found(), 14);
    assert_eq!(
        effects(&advance),
        (vec![TransferKind::Release], Some(EventKind::Failed))
    );
    let (sightings, first, last) = (4, at(10), at(14));
    let proof = Proof::Absent(Absence {
        sightings,
        first,
        last,
        last_age: Duration::from_mins(14),
    });
    let expected = Disproven::new(FIRST, proof, at(14));
    assert_eq!(advance.transaction.state, State::Failed(expected));
}

#[test]
fn a_payout_without_a_trace_is_given_back_by_a_person_only() {
    let mut tx = aged(&after(&sending(Product::Payout), &unanswered(), 0), 0, 10);
    for minutes in [10, 12, 13] {
        tx = after(&tx, &not_found(), minutes);
    }
    let advance = step(&tx, &not_found(), 14);
    assert_eq!(effects(&advance), (Vec::new(), Some(EventKind::Review)));
    let asked = advance.transaction;
    for minutes in [22, 60 * 24 * 30] {
        ignores(&asked, &not_found(), minutes);
    }
    // A definite word still settles it.
    let declined = step(&asked, &refused(), 30);
    assert_eq!(effects(&declined).1, Some(EventKind::Failed));
    let found = step(&asked, &yes(&asked), 30);
    assert_eq!(effects(&found).1, Some(EventKind::Successful));
}

#[test]
fn a_clock_that_goes_back_counts_no_not_found() {
    let tx = after(&aged(&in_doubt(), 0, 12), &not_found(), 12);
    assert_eq!(sightings(&after(&tx, &not_found(), 11)), 1);
}

#[test]
fn a_clock_set_forwards_ends_no_quarantine_and_no_spacing() {
    let days = 60 * 24 * 30;
    let tx = after(&in_doubt(), &not_found(), days);
    assert_eq!(sightings(&tx), 0, "the quarantine ended");
    let mut tx = after(&aged(&in_doubt(), 0, 10), &not_found(), 10);
    for _ in 0..3 {
        // Back and forwards again: each step forwards counts once, whatever its size.
        tx = after(&tx, &not_found(), 0);
        assert_eq!(sightings(&tx), 1);
    }
    assert_eq!(sightings(&after(&tx, &not_found(), days)), 2);
}

#[test]
fn a_clock_set_forwards_and_right_again_keeps_nothing_waiting() {
    let day = 60 * 24;
    let mut tx = after(&in_doubt(), &not_found(), day);
    tx = after(&tx, &not_found(), 1);
    tx = aged(&tx, 1, 9);
    assert_eq!(sightings(&after(&tx, &not_found(), 9)), 1);
}

#[test]
fn a_clock_set_forwards_brings_nothing_before_a_person() {
    let month = 60 * 24 * 30;
    let advance = step(&in_doubt(), &finding(QueryOutcome::Unknown), month);
    assert_eq!(effects(&advance), (Vec::new(), None));
}

#[test]
fn doubt_that_begins_late_begins_with_one_step_at_most() {
    let taken_over = Observation::Takeover { attempt: FIRST };
    let tx = after(&sending(Product::Airtime), &taken_over, 60);
    let State::InDoubt(in_doubt) = tx.state else {
        panic!("not in doubt");
    };
    assert_eq!(in_doubt.age.elapsed(), Duration::from_mins(2));
}

#[test]
fn an_acknowledged_attempt_is_never_proven_absent() {
    for acknowledgement in [
        answer(SubmitOutcome::Pending),
        finding(QueryOutcome::Pending),
    ] {
        let mut tx = in_doubt();
        tx = aged(&tx, 0, 10);
        for minutes in [10, 11, 12] {
            tx = after(&tx, &not_found(), minutes);
        }
        tx = after(&tx, &acknowledgement, 13);
        for minutes in 14..60 {
            tx = after(&tx, &not_found(), minutes);
            assert_eq!((tx.status(), sightings(&tx)), (Status::Pending, 0));
        }
    }
}

#[test]
fn what_never_left_after_all_fails_and_is_not_tried_again() {
    let advance = step(&in_doubt(), &answer(SubmitOutcome::NotSent), 0);
    assert_eq!(
        effects(&advance),
        (vec![TransferKind::Release], Some(EventKind::Failed))
    );
}

#[test]
fn another_unknown_answer_or_takeover_changes_nothing() {
    ignores(&in_doubt(), &unanswered(), 1);
    ignores(&in_doubt(), &Observation::Takeover { attempt: FIRST }, 1);
}

#[test]
fn an_unanswered_query_is_counted_and_has_no_event() {
    let advance = step(&in_doubt(), &finding(QueryOutcome::Unknown), 1);
    assert_eq!(effects(&advance), (Vec::new(), None));
    let State::InDoubt(in_doubt) = advance.transaction.state else {
        panic!("not in doubt");
    };
    assert_eq!(in_doubt.checks, 1);
}

#[test]
fn age_alone_leads_to_review() {
    let day = 24 * 60;
    for silence in [
        QueryOutcome::Unknown,
        QueryOutcome::Pending,
        QueryOutcome::NotFound,
    ] {
        let tx = aged(&in_doubt(), 0, day - 1);
        let early = step(&tx, &finding(silence.clone()), day - 1);
        assert_eq!(early.event, None);
        let advance = step(&early.transaction, &finding(silence), day);
        moves_nothing(&advance, EventKind::Review);
        assert_eq!(advance.transaction.status(), Status::Pending);
    }
}

#[test]
fn what_is_observed_of_another_attempt_changes_nothing() {
    let tx = in_doubt();
    let attempt = second();
    let finding = QueryOutcome::Declined(sample::refusal());
    ignores(&tx, &Observation::Finding { attempt, finding }, 1);
    let outcome = SubmitOutcome::Declined(sample::refusal());
    ignores(&tx, &Observation::Answer { attempt, outcome }, 1);
}
