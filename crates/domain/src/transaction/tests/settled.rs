//! Observations of a settled transaction. Money must not move again but by a reversal or a loss.

use super::*;
use crate::ledger::LedgerAccount;
use crate::money::{Currency, Money};
use crate::reference::TransactionNumber;
use crate::refund::GrantedRefund;

/// Every observation of an attempt but that it was delivered or taken back.
fn anything_but_yes(attempt: AttemptNumber) -> Vec<Observation> {
    let answers = [
        SubmitOutcome::Declined(sample::refusal()),
        SubmitOutcome::NotSent,
        SubmitOutcome::Pending,
        SubmitOutcome::Unknown(UnknownCause::ServerError),
    ];
    let findings = [
        QueryOutcome::Declined(sample::refusal()),
        QueryOutcome::Pending,
        QueryOutcome::NotFound,
        QueryOutcome::Unknown,
    ];
    let answers = answers.map(|outcome| Observation::Answer { attempt, outcome });
    let findings = findings.map(|finding| Observation::Finding { attempt, finding });
    let others = [
        Observation::Takeover { attempt },
        ruled(Verdict::NotDelivered),
    ];
    answers.into_iter().chain(findings).chain(others).collect()
}

#[test]
fn nothing_but_a_reversal_leaves_success() {
    let tx = successful();
    ignores(&tx, &yes(&tx), 2_000);
    ignores(&tx, &other_amount(&tx), 2_000);
    for observation in anything_but_yes(FIRST) {
        ignores(&tx, &observation, 2_000);
    }
}

#[test]
fn a_reversal_returns_the_price_and_its_shares_once() {
    let tx = successful();
    let advance = step(&tx, &finding(QueryOutcome::Reversed), 5);
    let kinds = [
        TransferKind::MarginReversal,
        TransferKind::ChargeReversal,
        TransferKind::Reversal,
    ];
    assert_eq!(
        effects(&advance),
        (kinds.to_vec(), Some(EventKind::Reversed))
    );
    let back = advance.transfers.last().unwrap();
    assert_eq!(back.credit, LedgerAccount::Available(tx.account));
    assert_eq!(back.amount, tx.quote.price);
    ignores(&advance.transaction, &finding(QueryOutcome::Reversed), 6);
}

/// A refund of an amount of naira, as the gateway grants it.
fn granted(amount: Money) -> Observation {
    Observation::Refund(GrantedRefund {
        number: TransactionNumber::try_new(7).unwrap(),
        amount,
        at: at(2_000),
    })
}

#[test]
fn a_refund_is_given_once_and_leaves_success_as_it_is() {
    let tx = successful();
    let part = Money::from_minor(1, tx.quote.price.currency());
    let advance = step(&tx, &granted(part), 2_000);
    assert_eq!(
        effects(&advance),
        (vec![TransferKind::Refund], Some(EventKind::Refunded))
    );
    let back = &advance.transfers[0];
    assert_eq!(back.debit, LedgerAccount::Refunds);
    assert_eq!(back.credit, LedgerAccount::Available(tx.account));
    assert_eq!(back.amount, part);
    let refunded = advance.transaction;
    assert_eq!(refunded.status(), Status::Successful);
    ignores(&refunded, &granted(part), 3_000);
    ignores(&refunded, &granted(refunded.quote.price), 3_000);
}

#[test]
fn no_more_than_the_price_is_refunded_and_nothing_that_was_not_delivered() {
    let tx = successful();
    let price = tx.quote.price;
    let more = Money::from_minor(price.minor() + 1, price.currency());
    let credits = Money::from_minor(1, Currency::Crd);
    for amount in [more, credits, Money::zero(price.currency())] {
        ignores(&tx, &granted(amount), 2_000);
    }
    let reversed = step(&tx, &finding(QueryOutcome::Reversed), 5).transaction;
    for other in [in_doubt(), unresolved(), failed(), reversed] {
        ignores(&other, &granted(price), 2_000);
    }
}

#[test]
fn a_reversal_after_a_refund_takes_the_refund_back() {
    let tx = successful();
    let refunded = step(&tx, &granted(tx.quote.price), 2_000).transaction;
    let advance = step(&refunded, &finding(QueryOutcome::Reversed), 3_000);
    let [.., returned, taken_back] = &advance.transfers[..] else {
        panic!("{:?}", advance.transfers);
    };
    assert_eq!(returned.kind, TransferKind::Reversal);
    assert_eq!(taken_back.kind, TransferKind::RefundReversal);
    assert_eq!(taken_back.debit, returned.credit);
    assert_eq!(taken_back.amount, returned.amount);
    ignores(&advance.transaction, &granted(tx.quote.price), 4_000);
}

#[test]
fn a_payout_taken_back_returns_its_charge_vat_and_levy() {
    let tx = sending(Product::Payout);
    let sold = step(&tx, &yes(&tx), 0);
    let kinds = [
        TransferKind::Capture,
        TransferKind::Charge,
        TransferKind::Vat,
        TransferKind::Levy,
    ];
    assert_eq!(effects(&sold).0, kinds);
    let back = step(&sold.transaction, &finding(QueryOutcome::Reversed), 1);
    let kinds = [
        TransferKind::ChargeReversal,
        TransferKind::VatReversal,
        TransferKind::LevyReversal,
        TransferKind::Reversal,
    ];
    assert_eq!(effects(&back).0, kinds);
    let mut gained = std::collections::BTreeMap::new();
    for transfer in sold.transfers.iter().chain(&back.transfers) {
        *gained.entry(transfer.credit.clone()).or_insert(0) += transfer.amount.minor();
        *gained.entry(transfer.debit.clone()).or_insert(0) -= transfer.amount.minor();
    }
    gained.retain(|_, gained| *gained != 0);
    let price = tx.quote.price.minor();
    let expected = [
        (LedgerAccount::Available(tx.account.clone()), price),
        (LedgerAccount::Held(tx.account), -price),
    ];
    assert_eq!(gained, std::collections::BTreeMap::from(expected));
}

#[test]
fn a_reversal_of_another_attempt_changes_nothing() {
    let (attempt, finding) = (second(), QueryOutcome::Reversed);
    ignores(&successful(), &Observation::Finding { attempt, finding }, 5);
    let tx = successful();
    let finding = QueryOutcome::Delivered(sample::receipt(&tx, attempt));
    ignores(&tx, &Observation::Finding { attempt, finding }, 5);
}

#[test]
fn an_attempt_began_at_its_moment_until_its_end_is_known() {
    for tx in [sending(Product::Airtime), in_doubt(), unresolved()] {
        assert_eq!(tx.state.started_at(), Some(tx.opened_at));
    }
    for tx in [successful(), failed()] {
        assert_eq!(tx.state.started_at(), None);
    }
}

#[test]
fn nothing_leaves_a_reversal() {
    let tx = after(&successful(), &finding(QueryOutcome::Reversed), 5);
    ignores(&tx, &yes(&tx), 6);
    for observation in anything_but_yes(FIRST) {
        ignores(&tx, &observation, 6);
    }
}

#[test]
fn nothing_but_a_late_yes_changes_a_failure() {
    for observation in anything_but_yes(FIRST) {
        ignores(&failed(), &observation, 2_000);
    }
}

#[test]
fn a_loss_is_undone_once_when_the_delivery_is_taken_back() {
    let tx = failed();
    let lost = after(&tx, &yes(&tx), 60);
    let advance = step(&lost, &finding(QueryOutcome::Reversed), 61);
    let expected = (
        vec![TransferKind::LossReversal],
        Some(EventKind::LateReversed),
    );
    assert_eq!(effects(&advance), expected);
    assert_eq!(advance.transfers[0].amount, tx.quote.cost);
    let undone = advance.transaction;
    assert_eq!(undone.status(), Status::Failed);
    ignores(&undone, &finding(QueryOutcome::Reversed), 62);
    ignores(&undone, &yes(&tx), 63);
}

#[test]
fn a_delivery_that_is_known_to_be_taken_back_never_becomes_a_loss() {
    let tx = failed();
    let advance = step(&tx, &finding(QueryOutcome::Reversed), 60);
    assert_eq!((advance.event, advance.transfers), (None, Vec::new()));
    let known = advance.transaction;
    assert_eq!(known.status(), Status::Failed);
    ignores(&known, &finding(QueryOutcome::Reversed), 61);
    ignores(&known, &yes(&tx), 62);
}

#[test]
fn a_loss_of_the_first_attempt_is_undone_whatever_becomes_of_the_second() {
    let resent = after(
        &sending(Product::Airtime),
        &answer(SubmitOutcome::NotSent),
        0,
    );
    let lost = after(&resent, &yes(&resent), 1);
    let outcome = SubmitOutcome::Delivered(sample::receipt(&lost, second()));
    let attempt = second();
    let delivered = after(&lost, &Observation::Answer { attempt, outcome }, 2);
    for tx in [lost, delivered] {
        let advance = step(&tx, &finding(QueryOutcome::Reversed), 3);
        assert_eq!(effects(&advance).0, [TransferKind::LossReversal]);
        assert_eq!(advance.transaction.state, tx.state);
    }
}

#[test]
fn a_late_yes_books_one_loss_and_the_state_stays() {
    let tx = failed();
    let advance = step(&tx, &yes(&tx), 60);
    let expected = (vec![TransferKind::Loss], Some(EventKind::LateDelivered));
    assert_eq!(effects(&advance), expected);
    assert_eq!(advance.transfers[0].amount, tx.quote.cost);
    assert_eq!(advance.transaction.status(), Status::Failed);
    let receipt = sample::receipt(&tx, FIRST);
    ignores(&advance.transaction, &yes(&tx), 61);
    ignores(
        &advance.transaction,
        &finding(QueryOutcome::Delivered(receipt)),
        62,
    );
}

#[test]
fn a_late_yes_over_another_amount_is_a_loss_as_well() {
    let tx = failed();
    let advance = step(&tx, &other_amount(&tx), 60);
    assert_eq!(effects(&advance).1, Some(EventKind::LateDelivered));
}

#[test]
fn a_late_yes_to_the_first_attempt_is_a_loss_whatever_becomes_of_the_second() {
    let tx = after(
        &sending(Product::Airtime),
        &answer(SubmitOutcome::NotSent),
        0,
    );
    let outcome = SubmitOutcome::Delivered(sample::receipt(&tx, second()));
    let attempt = second();
    let delivered = after(&tx, &Observation::Answer { attempt, outcome }, 0);
    for tx in [tx, delivered] {
        let advance = step(&tx, &yes(&tx), 1);
        let expected = (vec![TransferKind::Loss], Some(EventKind::LateDelivered));
        assert_eq!(effects(&advance), expected);
        assert_eq!(advance.transaction.state, tx.state);
        ignores(&advance.transaction, &yes(&tx), 2);
    }
}

#[test]
fn an_old_yes_to_what_was_taken_back_is_no_loss() {
    let tx = after(&in_doubt(), &finding(QueryOutcome::Reversed), 1);
    ignores(&tx, &yes(&tx), 2);
    let receipt = sample::receipt(&tx, FIRST);
    ignores(&tx, &finding(QueryOutcome::Delivered(receipt)), 3);
}

#[test]
fn a_yes_without_its_token_is_no_late_delivery() {
    let tx = after(&sending(Product::PrepaidMeter), &refused(), 0);
    let unfinished = sample::without_token(&tx, FIRST);
    ignores(&tx, &answer(SubmitOutcome::Delivered(unfinished)), 1);
    assert_eq!(effects(&step(&tx, &yes(&tx), 2)).0, [TransferKind::Loss]);
}

#[test]
fn a_late_delivery_that_costs_nothing_is_reported_without_a_transfer() {
    let mut tx = failed();
    tx.quote.cost = Money::zero(Currency::Ngn);
    moves_nothing(&step(&tx, &yes(&tx), 60), EventKind::LateDelivered);
}
