//! Laws of references that only a provider knew. Each is settled once, and what was delivered under
//! it is booked once: by a settlement or by its transaction, never by both.

use super::setup::{Stores, whole};
use crate::builders::{account_id, airtime, at, kobo, provider_id, reference, second_at, takeover};
use crate::builders::{delivered as delivers, reversed as taken_back, vouched};
use domain::change_set::{ChangeSet, Origin};
use domain::reference::ProviderReference;
use domain::reference_settlement::{ReferenceSettlement, ReferenceToSettle, SettledAs};
use domain::statement::Direction;
use domain::transaction::{AttemptNumber, Observation, Proof};
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::{AcknowledgeOutcome, Clearance, ReferencedAttempt};

const CHARGED: SettledAs = SettledAs::Charged(kobo(700));
const ABSORBED: SettledAs = SettledAs::Absorbed(kobo(700));
const NOT_DELIVERED: SettledAs = SettledAs::NotDelivered;
const REOPENED: SettledAs = SettledAs::Reopened;

fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

fn reopen(n: u64) -> ChangeSet {
    let mut opening = airtime().nth(n).priced("1.00").opening();
    opening.origin = Origin::Journal;
    ChangeSet::Open(Box::new(opening))
}

/// The provider's reference of an attempt of a purchase.
fn name(n: u64, attempt: u8) -> ProviderReference {
    let attempt = AttemptNumber::try_new(attempt).expect("1 or 2");
    let tx = airtime().nth(n).priced("1.00").transaction();
    tx.provider_reference(attempt)
}

fn settlement(reference: &ProviderReference, settled_as: SettledAs) -> ChangeSet {
    let waits = ReferenceToSettle::new(reference.clone(), provider_id("sandbox"));
    let decided = ("Ngozi Eze".to_owned(), at(7));
    let settlement = ReferenceSettlement::try_new(waits, settled_as, decided);
    ChangeSet::Settle(Box::new(settlement.expect("a settlement")))
}

async fn settle(stores: &Stores, reference: &ProviderReference, as_: SettledAs) -> CommitOutcome {
    stores.commit(settlement(reference, as_)).await
}

/// References that a provider listed and a person acknowledged.
async fn are_noted(stores: &Stores, missing: &[ProviderReference]) {
    let suspended = stores.reconciliation.suspend("a test", Clearance::Person);
    suspended.await.expect("suspend payments");
    let word = vouched(missing.iter().cloned());
    let acknowledged = stores.reconciliation.acknowledge(&word).await;
    assert_eq!(
        acknowledged.expect("acknowledge"),
        AcknowledgeOutcome::Resumed
    );
}

async fn unsettled(stores: &Stores) -> Vec<ProviderReference> {
    let listed = stores.reconciliation.unsettled().await.expect("list");
    listed.into_iter().map(|it| it.reference).collect()
}

async fn settled_as(stores: &Stores, reference: &ProviderReference) -> Option<SettledAs> {
    let found = stores.reconciliation.settled_as(reference).await;
    let found = found.expect("look");
    let listed = stores.reconciliation.noted(&provider_id("sandbox")).await;
    let listed = listed.expect("list");
    let same = listed.iter().find(|it| it.reference == *reference);
    assert_eq!(same.and_then(|it| it.settled_as), found);
    found
}

/// The merchant pays once, sees it on the statement, and can never buy under the reference again.
pub async fn a_charged_reference_is_paid_for_once(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    are_noted(stores, &[name(2, 1)]).await;
    assert_eq!(settled_as(stores, &name(2, 1)).await, None);
    assert_eq!(
        settle(stores, &name(2, 1), CHARGED).await,
        CommitOutcome::Done
    );
    assert_eq!(stores.balances("shop").await, (300, 0));
    for again in [CHARGED, ABSORBED, NOT_DELIVERED] {
        let refused = settle(stores, &name(2, 1), again).await;
        assert_eq!(refused, CommitOutcome::ReferenceSettled, "{again:?}");
    }
    let page = stores.statement("shop", &whole()).await;
    let line = page.entries.last().expect("a line");
    assert_eq!((page.total, line.amount), (2, kobo(700)));
    assert_eq!((line.direction, line.after), (Direction::Debit, kobo(300)));
    assert_eq!(line.narration, "Settled: order-2");
    assert_eq!(line.transaction, None);
    assert_eq!(settled_as(stores, &name(2, 1)).await, Some(CHARGED));
    assert_eq!(unsettled(stores).await, []);
    assert_eq!(stores.commit(buy(2)).await, CommitOutcome::ReferenceSettled);
    assert_eq!(
        stores.commit(reopen(2)).await,
        CommitOutcome::ReferenceSettled
    );
    // A journal that turns up later finds it accounted for, and nothing else under the name.
    let attempts = [1, 2].map(|attempt| ReferencedAttempt {
        account: account_id("shop"),
        reference: reference("order-2"),
        attempt: AttemptNumber::try_new(attempt).unwrap(),
        provider_reference: name(2, attempt),
    });
    let found = stores.reconciliation.compare(&attempts).await.unwrap();
    assert_eq!(found.without_row, [1]);
    assert_eq!(stores.commit(buy(3)).await, CommitOutcome::Done);
    stores.must_be_clean(at(9)).await;
}

/// A wallet that does not hold the amount pays nothing, and the reference waits on.
pub async fn a_charge_beyond_the_balance_settles_nothing(stores: &Stores) {
    stores.has_account("shop", "6.99").await;
    are_noted(stores, &[name(2, 1), name(4, 1)]).await;
    let refused = settle(stores, &name(2, 1), CHARGED).await;
    assert_eq!(refused, CommitOutcome::InsufficientFunds);
    let kiosk = airtime().by("kiosk").nth(4).priced("1.00").transaction();
    let kiosk = kiosk.provider_reference(AttemptNumber::FIRST);
    are_noted(stores, std::slice::from_ref(&kiosk)).await;
    let unknown = settle(stores, &kiosk, CHARGED).await;
    assert_eq!(unknown, CommitOutcome::AccountUnknown);
    assert_eq!(stores.balances("shop").await, (699, 0));
    assert_eq!(unsettled(stores).await.len(), 3);
    assert_eq!(
        stores.commit(buy(2)).await,
        CommitOutcome::ReferenceUnsettled
    );
    // The gateway may bear the loss, also of an account that is not stored.
    assert_eq!(
        settle(stores, &name(2, 1), ABSORBED).await,
        CommitOutcome::Done
    );
    assert_eq!(settle(stores, &kiosk, ABSORBED).await, CommitOutcome::Done);
    assert_eq!(unsettled(stores).await, [name(4, 1)]);
    stores.must_be_clean(at(9)).await;
}

/// The gateway bears the loss: no wallet pays, and the reference stays taken.
pub async fn an_absorbed_reference_costs_the_merchant_nothing(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    let foreign = ProviderReference::from_echo("TXN 4711");
    are_noted(stores, &[name(2, 1), foreign.clone()]).await;
    assert_eq!(
        settle(stores, &name(2, 1), ABSORBED).await,
        CommitOutcome::Done
    );
    assert_eq!(
        settle(stores, &foreign, ABSORBED).await,
        CommitOutcome::Done
    );
    let refused = settle(stores, &foreign, ABSORBED).await;
    assert_eq!(refused, CommitOutcome::ReferenceSettled);
    assert_eq!(stores.balances("shop").await, (1_000, 0));
    assert_eq!(stores.statement("shop", &whole()).await.total, 1);
    assert_eq!(stores.commit(buy(2)).await, CommitOutcome::ReferenceSettled);
    assert_eq!(settled_as(stores, &foreign).await, Some(ABSORBED));
    assert_eq!(unsettled(stores).await, []);
    stores.must_be_clean(at(9)).await;
}

/// What was not delivered sets the reference free, once every attempt under it is settled.
pub async fn a_reference_that_was_not_delivered_may_be_used_again(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    are_noted(stores, &[name(2, 1), name(2, 2)]).await;
    let first = settle(stores, &name(2, 1), NOT_DELIVERED).await;
    assert_eq!(first, CommitOutcome::Done);
    assert_eq!(
        stores.commit(buy(2)).await,
        CommitOutcome::ReferenceUnsettled
    );
    let second = settle(stores, &name(2, 2), NOT_DELIVERED).await;
    assert_eq!(second, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (1_000, 0));
    assert_eq!(stores.commit(buy(2)).await, CommitOutcome::Done);
    stores.must_be_clean(at(9)).await;
}

/// Nothing is settled that was never noted, and one merchant's reference is charged once.
pub async fn only_a_noted_reference_is_settled(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    stores.has_account("kiosk", "10.00").await;
    let refused = settle(stores, &name(2, 1), CHARGED).await;
    assert_eq!(refused, CommitOutcome::ReferenceSettled);
    are_noted(stores, &[name(2, 1), name(2, 2)]).await;
    let cheap = SettledAs::Charged(kobo(100));
    assert_eq!(
        settle(stores, &name(2, 1), cheap).await,
        CommitOutcome::Done
    );
    let twice = settle(stores, &name(2, 2), cheap).await;
    assert_eq!(twice, CommitOutcome::SettlementUnfounded);
    assert_eq!(
        settle(stores, &name(2, 2), ABSORBED).await,
        CommitOutcome::Done
    );
    assert_eq!(stores.balances("shop").await, (900, 0));
    assert_eq!(stores.balances("kiosk").await, (1_000, 0));
    stores.must_be_clean(at(9)).await;
}

/// A journal that turns up settles the reference with the opening, so it is booked by its
/// transaction alone.
pub async fn an_attempt_that_is_stored_again_is_settled_as_reopened(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    are_noted(stores, &[name(2, 1)]).await;
    assert_eq!(stores.commit(reopen(2)).await, CommitOutcome::Done);
    assert_eq!(settled_as(stores, &name(2, 1)).await, Some(REOPENED));
    let refused = settle(stores, &name(2, 1), CHARGED).await;
    assert_eq!(refused, CommitOutcome::ReferenceSettled);
    // A list that names an attempt which is stored leaves nothing to settle.
    assert_eq!(stores.commit(buy(3)).await, CommitOutcome::Done);
    are_noted(stores, &[name(3, 1)]).await;
    assert_eq!(settled_as(stores, &name(3, 1)).await, Some(REOPENED));
    assert_eq!(unsettled(stores).await, []);
    assert_eq!(stores.balances("shop").await, (800, 200));
    stores.must_be_clean(at(9)).await;
}

/// A transaction that is open under the reference must come to the attempt; until then nothing is
/// booked for it, and with that step it waits no more.
pub async fn a_later_attempt_of_an_open_transaction_can_only_be_reopened(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    let tx = stores.has_opened(&airtime().nth(2).priced("1.00")).await;
    are_noted(stores, &[name(2, 2)]).await;
    for settled in [CHARGED, ABSORBED, NOT_DELIVERED, REOPENED] {
        let refused = settle(stores, &name(2, 2), settled).await;
        assert_eq!(refused, CommitOutcome::SettlementUnfounded, "{settled:?}");
    }
    let second = Observation::Journalled {
        attempt: AttemptNumber::try_new(2).expect("2"),
        started_at: at(1),
        prepared: second_at(&tx, tx.provider().clone()),
        before: Proof::NotSent,
    };
    let tx = stores.has_applied(&tx, &second, at(2)).await;
    assert_eq!(settled_as(stores, &name(2, 2)).await, Some(REOPENED));
    let tx = stores.has_applied(&tx, &takeover(&tx), at(3)).await;
    stores.has_applied(&tx, &delivers(&tx), at(4)).await;
    assert_eq!(stores.balances("shop").await, (900, 0));
    stores.must_be_clean(at(9)).await;
}

/// After a payment was reported as failed, the merchant is not charged for a later attempt of it,
/// and the transaction is not reopened for it.
pub async fn a_later_attempt_of_a_failed_transaction_is_the_gateways_loss(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    let tx = stores.has_opened(&airtime().nth(2).priced("1.00")).await;
    stores.has_applied(&tx, &taken_back(&tx), at(2)).await;
    are_noted(stores, &[name(2, 2)]).await;
    for settled in [CHARGED, REOPENED] {
        let refused = settle(stores, &name(2, 2), settled).await;
        assert_eq!(refused, CommitOutcome::SettlementUnfounded, "{settled:?}");
    }
    assert_eq!(
        settle(stores, &name(2, 2), ABSORBED).await,
        CommitOutcome::Done
    );
    assert_eq!(stores.balances("shop").await, (1_000, 0));
    assert!(matches!(
        stores.commit(buy(2)).await,
        CommitOutcome::ReferenceTaken(_)
    ));
    stores.must_be_clean(at(9)).await;
}

/// Of many that settle one reference at a time, one does, and it is booked once.
pub async fn one_reference_is_settled_of_many(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    are_noted(stores, &[name(2, 1)]).await;
    let mut racing = tokio::task::JoinSet::new();
    for n in 0..12 {
        let stores = stores.clone();
        let settled = [CHARGED, ABSORBED, NOT_DELIVERED][n % 3];
        racing.spawn(async move {
            let change = match n % 4 {
                3 => reopen(2),
                _ => settlement(&name(2, 1), settled),
            };
            stores.commit(change).await
        });
    }
    let verdicts = racing.join_all().await;
    let done = verdicts.iter().filter(|it| **it == CommitOutcome::Done);
    // What was not delivered may still be opened from a journal: that is asked about.
    let not_delivered = settled_as(stores, &name(2, 1)).await == Some(NOT_DELIVERED);
    let done = done.count();
    assert!(done == 1 || (done == 2 && not_delivered), "{verdicts:?}");
    let shop = account_id("shop");
    let wallets = stores.transactions.wallets(&shop).await.expect("read");
    let spent = 10_000 - wallets[0].available.minor();
    assert!([0, 100, 700].contains(&spent), "{spent}");
    stores.must_be_clean(at(9)).await;
}
