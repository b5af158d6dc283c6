//! Observations of an attempt in flight. Only a definite answer may settle it here.

use super::*;
use crate::ledger::LedgerAccount;
use crate::provider::{ProviderId, Receipt, Refusal, RefusalKind};
use crate::reference::ProviderReference;
use crate::transaction::{ApplyContext, Evidence, GatewayStatus, Proof, ReviewCause};

fn airtime() -> Transaction {
    sending(Product::Airtime)
}

#[test]
fn a_yes_captures_the_price_and_divides_it() {
    let tx = airtime();
    let advance = step(&tx, &yes(&tx), 0);
    let moved = [
        TransferKind::Capture,
        TransferKind::Margin,
        TransferKind::Charge,
    ];
    assert_eq!(
        effects(&advance),
        (moved.to_vec(), Some(EventKind::Successful))
    );
    assert_eq!(advance.transfers[0].amount, tx.quote.price);
    let State::Successful(delivered) = advance.transaction.state else {
        panic!("not successful");
    };
    assert_eq!(delivered.evidence, Evidence::Answered);
}

#[test]
fn a_refusal_releases_the_hold_once() {
    let tx = airtime();
    let advance = step(&tx, &refused(), 0);
    let expected = (vec![TransferKind::Release], Some(EventKind::Failed));
    assert_eq!(effects(&advance), expected);
    assert_eq!(advance.transfers[0].amount, tx.quote.price);
    assert_eq!(
        advance.transaction.gateway_status(),
        GatewayStatus::Rejected
    );
    ignores(&advance.transaction, &refused(), 1);
}

#[test]
fn not_sent_is_tried_once_more() {
    let advance = step(&airtime(), &answer(SubmitOutcome::NotSent), 1);
    moves_nothing(&advance, EventKind::Resent);
    let tx = advance.transaction;
    let State::Sending(again) = tx.state else {
        panic!("not sending");
    };
    assert_eq!((again.attempt, again.started_at), (second(), at(1)));
    assert_eq!(
        (tx.earlier[0].attempt, &tx.earlier[0].proof),
        (FIRST, &Proof::NotSent)
    );
    assert_ne!(
        tx.provider_reference(FIRST),
        tx.provider_reference(second())
    );
}

#[test]
fn not_sent_a_second_time_fails() {
    let tx = after(&airtime(), &answer(SubmitOutcome::NotSent), 0);
    let observation = Observation::Answer {
        attempt: second(),
        outcome: SubmitOutcome::NotSent,
    };
    let advance = step(&tx, &observation, 0);
    assert_eq!(
        effects(&advance),
        (vec![TransferKind::Release], Some(EventKind::Failed))
    );
    assert_eq!(advance.transaction.attempt(), Some(second()));
}

/// The step of an answer where a second attempt is prepared at a provider, or none is.
fn step_with(outcome: SubmitOutcome, next: Option<&str>) -> StateChange {
    let tx = airtime();
    let next = next.map(|id| sample::next_at(&tx, ProviderId::parse(id).unwrap()));
    let context = ApplyContext {
        next: next.as_ref(),
        ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
    };
    match tx.apply(&answer(outcome), context) {
        Transition::Changed(step) => *step,
        Transition::Unchanged(_) => panic!("nothing changed"),
    }
}

fn refused_for(kind: RefusalKind) -> SubmitOutcome {
    SubmitOutcome::Declined(Refusal {
        kind,
        ..sample::refusal()
    })
}

const KINDS: [(RefusalKind, bool); 4] = [
    (RefusalKind::Order, false),
    (RefusalKind::Lookalike, false),
    (RefusalKind::Account, true),
    (RefusalKind::Moment { retry_after: None }, true),
];

#[test]
fn only_a_refusal_through_no_fault_of_the_order_goes_to_another_provider() {
    for (kind, goes_on) in KINDS {
        let step = step_with(refused_for(kind), Some("other"));
        let tx = &step.transaction;
        assert_eq!(tx.status() == Status::Pending, goes_on, "{kind:?}");
        if !goes_on {
            let expected = (vec![TransferKind::Release], Some(EventKind::Failed));
            assert_eq!(effects(&step), expected);
            continue;
        }
        moves_nothing(&step, EventKind::Resent);
        let providers = [FIRST, second()].map(|attempt| tx.provider_of(attempt).as_str());
        assert_eq!(providers, ["sandbox", "other"]);
        assert!(matches!(tx.earlier[0].proof, Proof::Refused(_)));
    }
}

#[test]
fn a_refusal_never_goes_to_the_same_provider_again_and_nothing_follows_without_a_candidate() {
    for (kind, _) in KINDS {
        for next in [Some("sandbox"), None] {
            let step = step_with(refused_for(kind), next);
            assert_eq!(step.transaction.status(), Status::Failed, "{kind:?}");
        }
    }
    let step = step_with(SubmitOutcome::NotSent, None);
    assert_eq!(step.transaction.status(), Status::Failed);
}

#[test]
fn silence_and_acceptance_never_go_to_another_provider() {
    for outcome in [
        SubmitOutcome::Pending,
        SubmitOutcome::Unknown(UnknownCause::Timeout),
        SubmitOutcome::Unknown(UnknownCause::DuplicateReference),
        SubmitOutcome::Unknown(UnknownCause::ServerError),
    ] {
        let step = step_with(outcome, Some("other"));
        assert_eq!(step.transaction.attempt(), Some(FIRST));
    }
}

#[test]
fn a_third_attempt_is_never_made() {
    let account = refused_for(RefusalKind::Account);
    let tx = step_with(account.clone(), Some("other")).transaction;
    let third = sample::next_at(&tx, ProviderId::parse("third").unwrap());
    let observation = Observation::Answer {
        attempt: second(),
        outcome: account,
    };
    let context = ApplyContext {
        next: Some(&third),
        ..ApplyContext::new(at(2), &AbsencePolicy::CAUTIOUS)
    };
    let Transition::Changed(step) = tx.apply(&observation, context) else {
        panic!("nothing changed");
    };
    assert_eq!(step.transaction.status(), Status::Failed);
    assert_eq!(step.transaction.attempt(), Some(second()));
}

#[test]
fn a_late_yes_of_the_first_is_the_loss_of_the_first_and_the_sale_is_of_the_second() {
    let tx = step_with(refused_for(RefusalKind::Account), Some("other")).transaction;
    let sold = Observation::Answer {
        attempt: second(),
        outcome: SubmitOutcome::Delivered(sample::receipt(&tx, second())),
    };
    let sold = step(&tx, &sold, 2);
    let float = |id| LedgerAccount::Float(ProviderId::parse(id).unwrap());
    assert_eq!(sold.transfers[0].credit, float("other"));
    let late = step(&sold.transaction, &yes(&tx), 3);
    assert_eq!(late.transfers[0].kind, TransferKind::Loss);
    assert_eq!(late.transfers[0].credit, float("sandbox"));
}

#[test]
fn accepted_for_processing_is_not_success() {
    let advance = step(&airtime(), &answer(SubmitOutcome::Pending), 0);
    moves_nothing(&advance, EventKind::Pending);
    assert_eq!(doubt(&advance.transaction), Doubt::Acknowledged);
    assert_eq!(
        advance.transaction.gateway_status(),
        GatewayStatus::Submitted
    );
}

#[test]
fn a_refusal_through_no_fault_of_the_order_is_no_rejection_of_it() {
    for (kind, no_fault) in KINDS {
        let failed = after(&airtime(), &answer(refused_for(kind)), 0);
        let status = if no_fault {
            GatewayStatus::Unknown
        } else {
            GatewayStatus::Rejected
        };
        assert_eq!(failed.gateway_status(), status, "{kind:?}");
    }
}

#[test]
fn an_unknown_answer_keeps_the_hold() {
    for cause in UnknownCause::ALL {
        let advance = step(&airtime(), &answer(SubmitOutcome::Unknown(cause)), 0);
        moves_nothing(&advance, EventKind::Pending);
        let absence = None;
        assert_eq!(
            doubt(&advance.transaction),
            Doubt::Unanswered { cause, absence }
        );
    }
}

#[test]
fn a_takeover_leads_into_doubt_and_sends_nothing_again() {
    let advance = step(&airtime(), &Observation::Takeover { attempt: FIRST }, 1);
    moves_nothing(&advance, EventKind::Pending);
    let cause = UnknownCause::Abandoned;
    let absence = None;
    assert_eq!(
        doubt(&advance.transaction),
        Doubt::Unanswered { cause, absence }
    );
    assert_eq!(advance.transaction.attempt(), Some(FIRST));
}

#[test]
fn a_truth_found_before_the_answer_counts() {
    let tx = airtime();
    let found = finding(QueryOutcome::Delivered(sample::receipt(&tx, FIRST)));
    assert_eq!(after(&tx, &found, 0).status(), Status::Successful);
    let found = finding(QueryOutcome::Declined(sample::refusal()));
    assert_eq!(after(&tx, &found, 0).status(), Status::Failed);
    let failed = after(&tx, &finding(QueryOutcome::Reversed), 0);
    assert_eq!(failed.gateway_status(), GatewayStatus::Reversed);
}

#[test]
fn silence_says_nothing_of_what_is_still_on_its_way() {
    for silence in [QueryOutcome::NotFound, QueryOutcome::Unknown] {
        ignores(&airtime(), &finding(silence), 60 * 24 * 2);
    }
}

#[test]
fn an_acknowledgement_that_overtakes_the_answer_is_remembered() {
    let advance = step(&airtime(), &finding(QueryOutcome::Pending), 0);
    moves_nothing(&advance, EventKind::Pending);
    assert_eq!(doubt(&advance.transaction), Doubt::Acknowledged);
}

#[test]
fn a_prepaid_vend_without_a_token_is_not_successful() {
    let tx = sending(Product::PrepaidMeter);
    let unfinished = sample::without_token(&tx, FIRST);
    let advance = step(&tx, &answer(SubmitOutcome::Delivered(unfinished)), 0);
    moves_nothing(&advance, EventKind::Pending);
    assert_eq!(doubt(&advance.transaction), Doubt::Acknowledged);
    let finished = after(&advance.transaction, &yes(&tx), 1);
    assert_eq!(finished.status(), Status::Successful);
}

#[test]
fn another_amount_goes_to_review_and_moves_nothing() {
    let tx = airtime();
    let advance = step(&tx, &other_amount(&tx), 0);
    moves_nothing(&advance, EventKind::Review);
    let State::Review(review) = advance.transaction.state else {
        panic!("not under review");
    };
    let ReviewCause::Mismatch { amount, .. } = review.cause else {
        panic!("not for a mismatch");
    };
    assert_eq!(amount, "NGN 500.00");
}

#[test]
fn another_reference_goes_to_review_and_moves_nothing() {
    let tx = airtime();
    let receipt = Receipt {
        reference: ProviderReference::from_echo("another.order.1"),
        ..sample::receipt(&tx, FIRST)
    };
    let advance = step(&tx, &answer(SubmitOutcome::Delivered(receipt)), 0);
    moves_nothing(&advance, EventKind::Review);
}

#[test]
fn what_is_observed_of_another_attempt_changes_nothing() {
    let tx = airtime();
    let attempt = second();
    let outcome = SubmitOutcome::Delivered(sample::receipt(&tx, attempt));
    ignores(&tx, &Observation::Answer { attempt, outcome }, 0);
    ignores(&tx, &Observation::Takeover { attempt }, 0);
    let finding = QueryOutcome::Declined(sample::refusal());
    ignores(&tx, &Observation::Finding { attempt, finding }, 0);
}

#[test]
fn a_step_says_when_it_was_and_counts() {
    let tx = airtime();
    let advance = step(&tx, &yes(&tx), 7);
    assert_eq!(advance.transaction.updated_at, at(7));
    assert_eq!(advance.transaction.version, tx.version + 1);
}

#[test]
fn persons_decide_only_what_is_under_review() {
    for tx in [airtime(), in_doubt(), successful(), failed()] {
        ignores(&tx, &ruled(Verdict::NotDelivered), 0);
        ignores(&tx, &ruled(Verdict::Delivered(sample::fulfilment(&tx))), 0);
    }
}
