//! What a provider reports beside an outcome. It must be kept with its attempt and decide nothing.

use super::*;
use crate::family::AbsenceEnds;
use crate::money::{Currency, Money};
use crate::provider::{AttemptDetails, ProviderTransactionId};
use crate::refund::{NotRefundable, refundable};
use crate::transaction::{ApplyContext, ReportedDetails};

fn details(id: &str, cost: i64) -> AttemptDetails {
    AttemptDetails {
        id: ProviderTransactionId::parse(id),
        cost: Some(Money::from_minor(cost, Currency::Ngn)),
        commission: None,
    }
}

/// The transition of news with details beside it, a minute after the opening.
fn with(tx: &Transaction, news: &Observation, reported: &AttemptDetails) -> Transition {
    let context = ApplyContext {
        reported: Some(reported),
        ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
    };
    tx.clone().apply(news, context)
}

fn changed(transition: Transition) -> StateChange {
    match transition {
        Transition::Changed(step) => *step,
        Transition::Unchanged(tx) => panic!("nothing changed: {tx:?}"),
    }
}

#[test]
fn details_come_with_answers_that_are_not_definite() {
    let tx = sending(Product::Airtime);
    for outcome in [
        SubmitOutcome::Pending,
        SubmitOutcome::Unknown(UnknownCause::Timeout),
    ] {
        let step = changed(with(&tx, &answer(outcome), &details("A-1", 970)));
        assert_eq!(*step.transaction.reported.of(FIRST), details("A-1", 970));
        assert_eq!(step.event.unwrap().kind, EventKind::Pending);
    }
}

#[test]
fn the_first_identity_stays_and_amounts_are_the_latest() {
    let tx = sending(Product::Airtime);
    let pending = answer(SubmitOutcome::Pending);
    let tx = changed(with(&tx, &pending, &details("A-1", 970))).transaction;
    let found = finding(QueryOutcome::Pending);
    let tx = changed(with(&tx, &found, &details("B-2", 980))).transaction;
    assert_eq!(*tx.reported.of(FIRST), details("A-1", 980));
}

#[test]
fn details_of_a_settled_attempt_are_kept_without_an_event_or_money() {
    for tx in [failed(), unresolved()] {
        let found = finding(QueryOutcome::Unknown);
        let step = changed(with(&tx, &found, &details("A-1", 970)));
        assert_eq!(effects(&step), (Vec::new(), None));
        assert_eq!(step.transaction.state, tx.state);
        assert_eq!(step.transaction.version, tx.version + 1);
        let again = with(&step.transaction, &found, &details("A-1", 970));
        let same = Transition::Unchanged(Box::new(step.transaction));
        assert_eq!(again, same);
    }
}

#[test]
fn a_cost_is_booked_once_it_is_known_and_the_delivery_stands() {
    let amounts = |step: &StateChange| -> Vec<(&'static str, i64)> {
        let booked = step.transfers.iter();
        let booked = booked.filter(|it| it.kind == TransferKind::CostDifference);
        booked
            .map(|it| (it.credit.kind(), it.amount.minor()))
            .collect()
    };
    // The quoted cost is 96,000.
    let unknown = finding(QueryOutcome::Unknown);
    let step = changed(with(&successful(), &unknown, &details("A-1", 97_500)));
    assert_eq!(effects(&step), (vec![TransferKind::CostDifference], None));
    assert_eq!(amounts(&step), [("float", 1_500)]);
    let less = changed(with(&step.transaction, &unknown, &details("A-1", 95_000)));
    assert_eq!(amounts(&less), [("cost_variance", 2_500)]);
    let reversed = finding(QueryOutcome::Reversed);
    let back = changed(with(&less.transaction, &reversed, &details("A-1", 90_000)));
    assert_eq!(
        amounts(&back),
        [("float", 1_000)],
        "what was booked goes back"
    );
    let late = changed(with(&back.transaction, &unknown, &details("A-1", 1)));
    assert_eq!(amounts(&late), []);
}

/// The sample takes two of its three minutes, which the provider sells at 63,936 together.
#[test]
fn the_cost_of_a_call_is_compared_with_what_it_used() {
    let opened = sending(Product::Call);
    let made = |cost| changed(with(&opened, &yes(&opened), &details("A-1", cost)));
    let booked = |step: &StateChange| -> Vec<(&'static str, i64)> {
        let all = step.transfers.iter();
        let costs = all.filter(|it| it.kind == TransferKind::CostDifference);
        costs
            .map(|it| (it.credit.kind(), it.amount.minor()))
            .collect()
    };
    assert_eq!(booked(&made(63_936)), []);
    let more = made(65_000);
    assert_eq!(booked(&more), [("float", 1_064)]);
    let reversed = finding(QueryOutcome::Reversed);
    let back = changed(with(
        &more.transaction,
        &reversed,
        &AttemptDetails::default(),
    ));
    assert_eq!(booked(&back), [("cost_variance", 1_064)]);
}

#[test]
fn a_refund_of_a_call_is_at_most_what_it_was_charged() {
    let opened = sending(Product::Call);
    let sold = changed(with(&opened, &yes(&opened), &AttemptDetails::default())).transaction;
    let charged = Money::from_minor(65_602, Currency::Ngn);
    assert_eq!(sold.charged().price, charged);
    assert_eq!(refundable(&sold, None), Ok(charged));
    let more = Money::from_minor(65_603, Currency::Ngn);
    assert_eq!(
        refundable(&sold, Some(more)),
        Err(NotRefundable::AbovePrice(charged))
    );
}

#[test]
fn a_cost_that_was_known_before_is_booked_with_the_delivery() {
    let tx = sending(Product::Airtime);
    let pending = answer(SubmitOutcome::Pending);
    let step = changed(with(&tx, &pending, &details("A-1", 97_000)));
    assert_eq!(step.transfers, []);
    let sold = changed(with(
        &step.transaction,
        &yes(&tx),
        &AttemptDetails::default(),
    ));
    let last = sold.transfers.last().unwrap();
    let booked = (last.kind, last.amount.minor());
    assert_eq!(booked, (TransferKind::CostDifference, 1_000));
}

#[test]
fn details_of_an_attempt_that_was_never_made_are_dropped() {
    let tx = sending(Product::Airtime);
    let news = Observation::Finding {
        attempt: second(),
        finding: QueryOutcome::Unknown,
    };
    let same = Transition::Unchanged(Box::new(tx.clone()));
    assert_eq!(with(&tx, &news, &details("A-1", 970)), same);
}

#[test]
fn an_identity_is_short_and_printable() {
    let longest = "x".repeat(ProviderTransactionId::LENGTH_MAX);
    assert!(ProviderTransactionId::parse(&longest).is_some());
    for refused in ["", "a\nb", &format!("{longest}x")] {
        assert_eq!(ProviderTransactionId::parse(refused), None, "{refused:?}");
    }
}

#[test]
fn where_absence_proves_nothing_a_person_decides() {
    let policy = AbsencePolicy {
        ends: AbsenceEnds::Search,
        ..AbsencePolicy::CAUTIOUS
    };
    let not_found = finding(QueryOutcome::NotFound);
    let tx = aged(&in_doubt(), 0, 10);
    let applied = |tx: &Transaction, minutes| {
        let context = ApplyContext::new(at(minutes), &policy);
        changed(tx.clone().apply(&not_found, context))
    };
    let seen = [10, 12, 13].into_iter();
    let tx = seen.fold(tx, |tx, minutes| applied(&tx, minutes).transaction);
    moves_nothing(&applied(&tx, 14), EventKind::Review);
}

#[test]
fn nothing_is_reported_until_one_attempt_has_details() {
    let nothing = AttemptDetails::default;
    let of = |first, second| ReportedDetails::new(first, second);
    assert!(of(nothing(), nothing()).is_empty());
    assert!(!of(details("A-1", 970), nothing()).is_empty());
    assert!(!of(nothing(), details("A-2", 970)).is_empty());
}

#[test]
fn details_are_listed_first_to_last() {
    let (first, second) = (details("A-1", 970), details("A-2", 980));
    let reported = ReportedDetails::new(first.clone(), second.clone());
    assert_eq!(reported.iter().collect::<Vec<_>>(), [&first, &second]);
}
