//! Laws of moving a transaction on, and of reading what became of it.

use super::setup::{Stores, whole};
use crate::builders::{
    account_id, advance, airtime, answer, at, current_attempt, declined, delivered, electricity,
    finding, mismatched, naira, not_found, not_sent, number, pending, provider_id, receipt,
    reference, refusal_of, reversed, second_at, unknown,
};
use domain::account::AccountStatus;
use domain::change_set::StateChange;
use domain::event::EventKind;
use domain::ledger::{Transfer, TransferKind};
use domain::provider::{
    AbsencePolicy, AttemptDetails, ProviderTransactionId, QueryOutcome, Receipt, RefusalKind,
    SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::transaction::{
    ApplyContext, AttemptNumber, Observation, PreparedAttempt, Status, Transaction, Transition,
};
use ports::audit::BookedState;
use ports::ledger_store::CommitOutcome;

fn sums(transfers: &[Transfer]) -> Vec<(TransferKind, i64)> {
    let sum = |transfer: &Transfer| (transfer.kind, transfer.amount.minor());
    transfers.iter().map(sum).collect()
}

/// Success takes the price out of what is held and divides it; what can be spent stays.
pub async fn a_success_captures_exactly_the_price(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let purchase = airtime().terms("3", "4", "25.00");
    let tx = stores.has_opened(&purchase).await;
    let tx = stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(stores.balances("shop").await, (900_500, 0));
    let expected = [
        (TransferKind::Hold, 99_500),
        (TransferKind::Capture, 99_500),
        (TransferKind::Margin, 1_000),
        (TransferKind::Charge, 2_500),
    ];
    assert_eq!(sums(&stores.transfers(&tx).await), expected);
    stores.must_be_clean(at(2)).await;
}

/// Failure gives the price back, all of it and once.
pub async fn a_failure_releases_exactly_the_price(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime().terms("3", "4", "25.00")).await;
    let tx = stores.has_applied(&tx, &declined(&tx), at(1)).await;
    assert_eq!(stores.reread(&tx).await.unwrap().status(), Status::Failed);
    assert_eq!(stores.balances("shop").await, (1_000_000, 0));
    let expected = [
        (TransferKind::Hold, 99_500),
        (TransferKind::Release, 99_500),
    ];
    assert_eq!(sums(&stores.transfers(&tx).await), expected);
    stores.must_be_clean(at(2)).await;
}

/// A reversal gives a captured price back and returns the shares.
pub async fn a_reversal_returns_exactly_the_price(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores
        .has_opened(&electricity().terms("3", "4", "25.00"))
        .await;
    let tx = stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    let tx = stores.has_applied(&tx, &reversed(&tx), at(2)).await;
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    assert_eq!(tx.status(), Status::Reversed);
    assert_eq!(stores.balances("shop").await, (1_000_000, 0));
    let transfers = sums(&stores.transfers(&tx).await);
    let back: Vec<_> = transfers.iter().skip(4).copied().collect();
    let expected = [
        (TransferKind::MarginReversal, 5_000),
        (TransferKind::ChargeReversal, 2_500),
        (TransferKind::Reversal, 487_500),
    ];
    assert_eq!(back, expected);
    stores.must_be_clean(at(3)).await;
}

/// A yes after the money went back is the gateway's loss, not the merchant's.
pub async fn a_late_delivery_books_the_loss_and_leaves_the_wallet(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let tx = stores.has_applied(&tx, &declined(&tx), at(1)).await;
    let late = finding(&tx, QueryOutcome::Delivered(receipt(&tx)));
    let tx = stores.has_applied(&tx, &late, at(60)).await;
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    assert_eq!(tx.status(), Status::Failed);
    assert_eq!(stores.balances("shop").await, (1_000_000, 0));
    let transfers = sums(&stores.transfers(&tx).await);
    assert_eq!(transfers.last(), Some(&(TransferKind::Loss, 96_000)));
    let events = stores.events(&tx).await;
    assert_eq!(events.last().unwrap().kind, EventKind::LateDelivered);
    stores.must_be_clean(at(61)).await;
}

/// What the provider takes back after the loss was booked undoes the loss, once for each attempt.
pub async fn a_late_delivery_that_is_taken_back_undoes_the_loss(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let tx = stores.has_applied(&tx, &not_sent(&tx), at(1)).await;
    let first = AttemptNumber::FIRST;
    let second = current_attempt(&tx);
    let said = |attempt, finding| Observation::Finding { attempt, finding };
    let of = |attempt| Receipt {
        reference: tx.provider_reference(attempt),
        ..receipt(&tx)
    };
    let not_sent = Observation::Answer {
        attempt: second,
        outcome: SubmitOutcome::NotSent,
    };
    let mut now = 2;
    let mut tx = stores.has_applied(&tx, &not_sent, at(now)).await;
    for (attempt, receipt) in [(first, of(first)), (second, of(second))] {
        for finding in [QueryOutcome::Delivered(receipt), QueryOutcome::Reversed] {
            now += 1;
            tx = stores
                .has_applied(&tx, &said(attempt, finding), at(now))
                .await;
            assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
            stores.must_be_clean(at(now)).await;
        }
    }
    assert_eq!(tx.status(), Status::Failed);
    assert_eq!(stores.balances("shop").await, (1_000_000, 0));
    let transfers = sums(&stores.transfers(&tx).await);
    let late: Vec<_> = transfers.iter().skip(2).copied().collect();
    let pair = [
        (TransferKind::Loss, 96_000),
        (TransferKind::LossReversal, 96_000),
    ];
    assert_eq!(late, [pair, pair].concat());
    let events = stores.events(&tx).await;
    assert_eq!(events.last().unwrap().kind, EventKind::LateReversed);
    let booked = stores.audit.attempts(tx.provider()).await.unwrap();
    let states: Vec<_> = booked.iter().map(|it| it.state).collect();
    assert_eq!(states, [BookedState::Disproven; 2]);
}

/// A second attempt goes to another provider under a name and a state of its own: all of it is read
/// back, each provider is compared with its own attempts, and a late delivery is the first's loss.
pub async fn a_second_attempt_is_kept_with_its_provider(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let refused = answer(
        &tx,
        SubmitOutcome::Declined(refusal_of(RefusalKind::Account)),
    );
    let next = PreparedAttempt {
        reference: ProviderReference::from_echo("mn2026wire"),
        adapter_state: Some("{\"lot\":7}".into()),
        ..second_at(&tx, provider_id("other"))
    };
    let reported = AttemptDetails {
        id: ProviderTransactionId::parse("TX-1/ü"),
        cost: Some(naira("490.00")),
        commission: None,
    };
    let context = ApplyContext {
        next: Some(&next),
        reported: Some(&reported),
        ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
    };
    let Transition::Changed(step) = tx.clone().apply(&refused, context) else {
        panic!("nothing changed");
    };
    let step = StateChange {
        due_at: Some(at(60)),
        ..*step
    };
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let second = step.transaction;
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&second));
    assert_eq!(second.prepared.of(current_attempt(&second)), Some(&next));
    assert_eq!(*second.reported.of(AttemptNumber::FIRST), reported);
    assert!(second.reported.of(current_attempt(&second)).is_empty());
    let found = async |text: &str| {
        let asked = ProviderReference::from_echo(text);
        let found = stores.transactions.by_provider_reference(&asked).await;
        found.unwrap()
    };
    assert_eq!(found("mn2026wire").await.as_ref(), Some(&second));
    for unknown in ["mn2026wir", "MN2026WIRE", "mn2026wire.", ""] {
        assert_eq!(found(unknown).await, None, "{unknown:?}");
    }
    stores.must_be_clean(at(2)).await;
    let sold = stores
        .has_applied(&second, &delivered(&second), at(3))
        .await;
    assert_eq!(stores.reread(&tx).await.as_ref(), Some(&sold));
    assert_eq!(found("mn2026wire").await.as_ref(), Some(&sold));
    let late = Observation::Finding {
        attempt: AttemptNumber::FIRST,
        finding: QueryOutcome::Delivered(receipt(&tx)),
    };
    let late = stores.has_applied(&sold, &late, at(4)).await;
    assert_eq!(stores.reread(&tx).await, Some(late));
    for (provider, reference, state) in [
        (
            "sandbox",
            tx.provider_reference(current_attempt(&tx)),
            BookedState::Lost,
        ),
        ("other", next.reference, BookedState::Delivered),
    ] {
        let booked = stores.audit.attempts(&provider_id(provider)).await.unwrap();
        let booked: Vec<_> = booked.iter().map(|it| (&it.reference, it.state)).collect();
        assert_eq!(booked, [(&reference, state)], "{provider}");
    }
    stores.must_be_clean(at(9)).await;
}

/// A read after the answer sees all of the change.
pub async fn an_advance_stores_the_state_its_transfers_and_its_event_together(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    let observations: [fn(&Transaction) -> Observation; 5] =
        [delivered, declined, mismatched, not_sent, pending];
    for (n, observe) in (1..).zip(observations) {
        let opening = electricity().nth(n).opening();
        let tx = stores.has_opened(&electricity().nth(n)).await;
        let step = advance(&tx, &observe(&tx), at(1));
        assert_eq!(stores.step(&step).await, CommitOutcome::Done);
        assert_eq!(stores.reread(&tx).await.as_ref(), Some(&step.transaction));
        let transfers: Vec<_> = [opening.hold].into_iter().chain(step.transfers).collect();
        assert_eq!(stores.transfers(&tx).await, transfers);
        let events: Vec<_> = [opening.event].into_iter().chain(step.event).collect();
        assert_eq!(stores.events(&tx).await, events);
    }
}

/// The loser of a race receives the current transaction, and nothing of its step is stored.
pub async fn a_version_conflict_answers_the_current_transaction_and_changes_nothing(
    stores: &Stores,
) {
    stores.has_account("shop", "10,000.00").await;
    let opened = stores.has_opened(&airtime()).await;
    let current = stores
        .has_applied(&opened, &delivered(&opened), at(1))
        .await;
    let transfers = stores.transfers(&current).await;
    let late = [
        advance(&opened, &declined(&opened), at(2)),
        advance(&opened, &pending(&opened), at(2)),
    ];
    for stale in late {
        let answer = stores.step(&stale).await;
        assert_eq!(
            answer,
            CommitOutcome::VersionConflict(Box::new(current.clone()))
        );
    }
    let mut ahead = advance(&current, &reversed(&current), at(2));
    ahead.transaction.version += 1;
    let answer = stores.step(&ahead).await;
    assert_eq!(
        answer,
        CommitOutcome::VersionConflict(Box::new(current.clone()))
    );

    assert_eq!(stores.reread(&current).await, Some(current.clone()));
    assert_eq!(stores.transfers(&current).await, transfers);
    assert_eq!(stores.events(&current).await.len(), 2);
    assert_eq!(stores.balances("shop").await, (903_000, 0));
    assert_eq!(stores.statement("shop", &whole()).await.total, 2);
    assert_eq!(
        stores
            .claim(at(9_999), std::time::Duration::from_secs(1), 9)
            .await,
        []
    );
}

/// A step that was stored cannot be stored again: a lost answer never moves money twice.
pub async fn a_repeated_advance_is_a_conflict(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let opened = stores.has_opened(&airtime()).await;
    let step = advance(&opened, &declined(&opened), at(1));
    assert_eq!(stores.step(&step).await, CommitOutcome::Done);
    let again = stores.step(&step).await;
    let current = Box::new(step.transaction);
    assert_eq!(again, CommitOutcome::VersionConflict(current));
    assert_eq!(stores.balances("shop").await, (1_000_000, 0));
}

/// Suspension stops new purchases, not the settling of open ones.
pub async fn a_suspended_account_is_still_settled(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let shop = account_id("shop");
    let set = stores
        .accounts
        .set_status(&shop, AccountStatus::Suspended)
        .await;
    assert!(set.unwrap());
    stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    assert_eq!(stores.balances("shop").await, (903_000, 0));
}

/// Internal steps make no event and leave no gap.
pub async fn events_are_numbered_without_a_gap(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let mut tx = stores.has_opened(&electricity()).await;
    tx = stores.has_applied(&tx, &not_sent(&tx), at(1)).await;
    tx = stores
        .has_applied(&tx, &unknown(&tx, UnknownCause::ServerError), at(2))
        .await;
    // Four answers within the quarantine, and four that count.
    for step in 1..=8 {
        tx = stores
            .has_applied(&tx, &not_found(&tx), at(step * 120 + 2))
            .await;
    }
    let reported: Vec<_> = stores
        .events(&tx)
        .await
        .iter()
        .map(|event| (event.sequence, event.kind))
        .collect();
    let expected = [
        (1, EventKind::Opened),
        (2, EventKind::Resent),
        (3, EventKind::Pending),
        (4, EventKind::Failed),
    ];
    assert_eq!(reported, expected);
    assert_eq!(tx.version, 11);
    stores.must_be_clean(at(20 * 60)).await;
}

/// What does not exist is answered as nothing, never as a failure.
pub async fn the_unknown_reads_as_nothing(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let reads = &stores.transactions;
    let (shop, ghost) = (account_id("shop"), account_id("ghost"));
    assert_eq!(
        reads.by_reference(&shop, &reference("none")).await.unwrap(),
        None
    );
    assert_eq!(reads.wallets(&ghost).await.unwrap(), []);
    assert_eq!(reads.transfers(&shop, number(77)).await.unwrap(), []);
    assert_eq!(reads.events(&shop, number(77)).await.unwrap(), []);
    let page = stores.statement("ghost", &whole()).await;
    assert_eq!((page.entries, page.total, page.found), (vec![], 0, 0));
}
