//! Observations of a message: before it counts as sold, while it is in flight, and after its final
//! status. No receipt may move money but the one that sells it.

use super::*;
use crate::provider::Fulfilment;
use crate::sms::DeliveryStatus::{
    self, Buffered, Delivered, Expired, Submitted, Undelivered, Unknown,
};

fn reported(tx: &Transaction, parts: &[DeliveryStatus]) -> Observation {
    finding(QueryOutcome::Delivered(sample::reported(tx, FIRST, parts)))
}

fn sold() -> Transaction {
    let tx = sending(Product::Message);
    after(&tx, &yes(&tx), 0)
}

fn parts(tx: &Transaction) -> Vec<DeliveryStatus> {
    let Some(delivered) = tx.state.delivered() else {
        panic!("not sold: {:?}", tx.state);
    };
    let Fulfilment::Sms(dispatch) = &delivered.fulfilment else {
        panic!("no message: {delivered:?}");
    };
    dispatch.parts().to_vec()
}

#[test]
fn a_word_about_a_message_that_is_being_sent_sells_it() {
    let open = sending(Product::Message);
    let doubted = after(&open, &unanswered(), 0);
    let unresolved = after(&doubted, &finding(QueryOutcome::Unknown), 24 * 60);
    for tx in [open, doubted, unresolved] {
        let advance = step(&tx, &reported(&tx, &[Buffered, Submitted]), 24 * 60);
        let (moved, event) = effects(&advance);
        let kinds = [
            TransferKind::Capture,
            TransferKind::Margin,
            TransferKind::Charge,
        ];
        assert_eq!(
            (moved, event),
            (kinds.to_vec(), Some(EventKind::Successful))
        );
        assert_eq!(parts(&advance.transaction), [Buffered, Submitted]);
    }
}

#[test]
fn a_message_is_paid_for_in_what_it_was_priced_in() {
    let opening = sample::draft(Product::Message).open(at(0), at(1));
    assert_eq!(opening.hold.amount.currency().code(), "CRD");
    let tx = opening.transaction;
    let captured = step(&tx, &yes(&tx), 0).transfers;
    let reversed = step(&sold(), &finding(QueryOutcome::Reversed), 1).transfers;
    for transfer in captured.iter().chain(&reversed) {
        assert_eq!(transfer.amount.currency().code(), "CRD", "{transfer:?}");
    }
}

#[test]
fn what_becomes_of_a_message_is_reported_and_moves_nothing() {
    let tx = sold();
    assert_eq!(parts(&tx), [Submitted, Submitted]);
    let first = step(&tx, &reported(&tx, &[Delivered, Unknown]), 1);
    moves_nothing(&first, EventKind::MessageStatus);
    let tx = first.transaction;
    let second = step(&tx, &reported(&tx, &[Buffered, Buffered]), 2);
    moves_nothing(&second, EventKind::MessageStatus);
    assert_eq!(parts(&second.transaction), [Delivered, Buffered]);
    assert_eq!(second.transaction.status(), Status::Successful);
}

#[test]
fn a_word_that_says_no_more_changes_nothing() {
    let tx = sold();
    ignores(&tx, &reported(&tx, &[Submitted, Submitted]), 1);
    let partly_reported = after(&tx, &reported(&tx, &[Delivered, Buffered]), 1);
    let stale = [
        [Delivered, Buffered],
        [Buffered, Submitted],
        [Submitted, Unknown],
        [Undelivered, Buffered],
    ];
    for parts in stale {
        ignores(&partly_reported, &reported(&tx, &parts), 2);
    }
}

#[test]
fn the_first_end_of_a_message_stays_its_end() {
    let tx = sold();
    for (end, contrary) in [
        ([Delivered, Delivered], [Undelivered, Expired]),
        ([Expired, Submitted], [Delivered, Delivered]),
    ] {
        let ended = after(&tx, &reported(&tx, &end), 1);
        ignores(&ended, &reported(&tx, &contrary), 2);
        assert_eq!(parts(&ended), end);
    }
}

#[test]
fn words_in_any_order_end_alike() {
    let words = [
        [Delivered, Submitted],
        [Buffered, Buffered],
        [Submitted, Delivered],
    ];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let received = order.into_iter().fold(sold(), |tx, word| {
            let observation = reported(&tx, &words[word]);
            match sample::applied(
                &tx,
                &observation,
                (at(1), &AbsencePolicy::CAUTIOUS),
                Some(&sample::next(&tx)),
            ) {
                Transition::Changed(advance) => advance.transaction,
                Transition::Unchanged(same) => *same,
            }
        });
        assert_eq!(parts(&received), [Delivered, Delivered], "{order:?}");
    }
}

#[test]
fn a_word_about_something_else_changes_nothing_of_a_message() {
    let tx = sold();
    let other_amount = crate::provider::Receipt {
        amount: sample::other_amount(&tx, FIRST).amount,
        ..sample::reported(&tx, FIRST, &[Delivered, Delivered])
    };
    ignores(&tx, &finding(QueryOutcome::Delivered(other_amount)), 1);
    let other_reference = sample::reported(&tx, second(), &[Delivered, Delivered]);
    ignores(&tx, &finding(QueryOutcome::Delivered(other_reference)), 1);
    let other_parts = sample::without_token(&tx, FIRST);
    ignores(&tx, &finding(QueryOutcome::Delivered(other_parts)), 1);
}

#[test]
fn nothing_is_reported_of_a_message_that_was_taken_back() {
    let tx = after(&sold(), &finding(QueryOutcome::Reversed), 1);
    for parts in [[Delivered, Delivered], [Buffered, Expired]] {
        ignores(&tx, &reported(&tx, &parts), 2);
    }
    assert_eq!(parts(&tx), [Submitted, Submitted]);
}

#[test]
fn a_word_about_a_message_that_failed_is_a_late_delivery_once() {
    let tx = after(&sending(Product::Message), &refused(), 0);
    let advance = step(&tx, &reported(&tx, &[Buffered, Submitted]), 1);
    let expected = (vec![TransferKind::Loss], Some(EventKind::LateDelivered));
    assert_eq!(effects(&advance), expected);
    let lost = advance.transaction;
    ignores(&lost, &reported(&lost, &[Delivered, Delivered]), 2);
}

#[test]
fn a_message_that_failed_and_went_out_in_other_parts_is_a_loss_once() {
    let tx = after(&sending(Product::Message), &refused(), 0);
    let other_parts = finding(QueryOutcome::Delivered(sample::without_token(&tx, FIRST)));
    let advance = step(&tx, &other_parts, 1);
    let expected = (vec![TransferKind::Loss], Some(EventKind::LateDelivered));
    assert_eq!(effects(&advance), expected);
    let lost = advance.transaction;
    ignores(&lost, &other_parts, 2);
    ignores(&lost, &reported(&lost, &[Delivered, Delivered]), 2);
}

#[test]
fn a_message_in_other_parts_than_were_billed_is_not_sold_yet() {
    let tx = sending(Product::Message);
    let other_parts = sample::without_token(&tx, FIRST);
    let received = after(&tx, &answer(SubmitOutcome::Delivered(other_parts)), 0);
    assert_eq!(doubt(&received), Doubt::Acknowledged);
}
