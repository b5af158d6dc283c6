//! Observations of a transaction under review. Waiting must decide nothing.

use super::*;
use crate::transaction::{Evidence, Proof};

fn mismatch() -> Transaction {
    let tx = sending(Product::Airtime);
    after(&tx, &other_amount(&tx), 0)
}

#[test]
fn a_ruling_that_it_was_delivered_captures_the_price() {
    for tx in [unresolved(), mismatch()] {
        let verdict = Verdict::Delivered(sample::fulfilment(&tx));
        let advance = step(&tx, &ruled(verdict.clone()), 2_000);
        assert_eq!(advance.transfers[0].kind, TransferKind::Capture);
        assert_eq!(advance.transfers[0].amount, tx.quote.price);
        let State::Successful(delivered) = advance.transaction.state else {
            panic!("not successful");
        };
        assert_eq!(delivered.evidence, Evidence::Ruled(sample::ruling(verdict)));
    }
}

#[test]
fn a_ruling_that_it_was_not_delivered_releases_the_hold() {
    for tx in [unresolved(), mismatch()] {
        let advance = step(&tx, &ruled(Verdict::NotDelivered), 2_000);
        assert_eq!(
            effects(&advance),
            (vec![TransferKind::Release], Some(EventKind::Failed))
        );
        let State::Failed(disproven) = advance.transaction.state else {
            panic!("not failed");
        };
        assert_eq!(
            disproven.proof,
            Proof::Ruled(sample::ruling(Verdict::NotDelivered))
        );
    }
}

#[test]
fn a_ruling_cannot_do_without_the_token() {
    let tx = sending(Product::PrepaidMeter);
    let tx = after(&tx, &other_amount(&tx), 0);
    let airtime = sample::fulfilment(&sending(Product::Airtime));
    let tokenless = sample::without_token(&tx, FIRST).fulfilment;
    for fulfilment in [airtime, tokenless] {
        ignores(&tx, &ruled(Verdict::Delivered(fulfilment)), 1);
    }
}

#[test]
fn a_definite_word_settles_what_was_merely_unresolved() {
    let tx = unresolved();
    assert_eq!(after(&tx, &yes(&tx), 2_000).status(), Status::Successful);
    let found = finding(QueryOutcome::Delivered(sample::receipt(&tx, FIRST)));
    assert_eq!(after(&tx, &found, 2_000).status(), Status::Successful);
    for no in [
        refused(),
        answer(SubmitOutcome::NotSent),
        finding(QueryOutcome::Declined(sample::refusal())),
        finding(QueryOutcome::Reversed),
    ] {
        let advance = step(&tx, &no, 2_000);
        assert_eq!(
            effects(&advance),
            (vec![TransferKind::Release], Some(EventKind::Failed))
        );
    }
}

#[test]
fn a_yes_over_another_amount_keeps_it_under_review() {
    let tx = unresolved();
    moves_nothing(&step(&tx, &other_amount(&tx), 2_000), EventKind::Review);
}

#[test]
fn a_contradiction_stays_with_the_person() {
    let tx = mismatch();
    for word in [
        yes(&tx),
        other_amount(&tx),
        refused(),
        answer(SubmitOutcome::NotSent),
        finding(QueryOutcome::Reversed),
        finding(QueryOutcome::Declined(sample::refusal())),
    ] {
        ignores(&tx, &word, 2_000);
    }
}

#[test]
fn silence_never_ends_a_review() {
    for tx in [unresolved(), mismatch()] {
        for silence in [
            unanswered(),
            answer(SubmitOutcome::Pending),
            finding(QueryOutcome::Pending),
            finding(QueryOutcome::NotFound),
            finding(QueryOutcome::Unknown),
            Observation::Takeover { attempt: FIRST },
        ] {
            ignores(&tx, &silence, 100_000);
        }
    }
}

#[test]
fn a_yes_without_its_token_leaves_the_review_open() {
    let tx = after(&sending(Product::PrepaidMeter), &unanswered(), 0);
    let day = 24 * 60;
    let tx = after(&aged(&tx, 0, day), &finding(QueryOutcome::Unknown), day);
    let unfinished = sample::without_token(&tx, FIRST);
    ignores(&tx, &finding(QueryOutcome::Delivered(unfinished)), 2_000);
}

#[test]
fn what_is_observed_of_another_attempt_changes_nothing() {
    let attempt = second();
    let outcome = SubmitOutcome::Declined(sample::refusal());
    ignores(
        &unresolved(),
        &Observation::Answer { attempt, outcome },
        2_000,
    );
    let finding = QueryOutcome::Declined(sample::refusal());
    ignores(
        &unresolved(),
        &Observation::Finding { attempt, finding },
        2_000,
    );
}
