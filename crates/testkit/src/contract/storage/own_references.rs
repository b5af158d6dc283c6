//! Laws of references in a form of the provider's own, which do not say whose they are. What one
//! may stand for must be bought and charged as little as where the reference says it.

use super::setup::Stores;
use crate::builders::{account_id, advance, airtime, at, kobo, provider_id, reference, vouched};
use domain::change_set::{ChangeSet, Opening, Origin, StateChange};
use domain::provider::ProviderId;
use domain::reference::{ProviderReference, UndatedReference};
use domain::reference_settlement::{ReferenceParts, ReferenceSettlement, ReferenceToSettle};
use domain::reference_settlement::{SettledAs, SettledAs::NotDelivered};
use domain::transaction::{AttemptNumber, CancelCause, Observation, Transaction};
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::{AcknowledgeOutcome, Acknowledgement, Clearance};
use ports::reconciliation::{MissingReference, ReferencedAttempt};

const FIRST: AttemptNumber = AttemptNumber::FIRST;

const CHARGED: SettledAs = SettledAs::Charged(kobo(700));

fn undated(n: u64, attempt: u8) -> UndatedReference {
    UndatedReference::new(format!("tejhlv4b{n}x{attempt}"))
}

/// What the provider knows an attempt of a purchase by: it was made on a day that is not known.
fn missing(n: u64, attempt: u8) -> MissingReference {
    let undated = undated(n, attempt);
    MissingReference {
        reference: ProviderReference::from_echo(format!("20260115{undated}")),
        undated: Some(undated),
    }
}

fn opening(n: u64) -> Opening {
    Opening {
        undated: vec![undated(n, 1), undated(n, 2)],
        ..airtime().nth(n).priced("1.00").opening()
    }
}

/// What sends the same from the queue, where it waits from the start.
fn sending(tx: &Transaction, n: u64) -> StateChange {
    StateChange {
        undated: vec![undated(n, 1), undated(n, 2)],
        ..advance(tx, &Observation::Due, at(20))
    }
}

async fn buy(stores: &Stores, n: u64) -> CommitOutcome {
    stores.commit(ChangeSet::Open(Box::new(opening(n)))).await
}

/// A store that was set back may have in its queue what its provider was sent already.
pub async fn what_a_reference_may_stand_for_is_not_sent_from_the_queue(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let queued = async |n| {
        let purchase = airtime().nth(n).priced("1.00").queued(at(0), at(3_600));
        stores.has_opened(&purchase).await
    };
    let (noted, other) = (queued(1).await, queued(2).await);
    are_noted(stores, &[missing(1, 1)]).await;
    let unsettled = CommitOutcome::ReferenceUnsettled;
    assert_eq!(stores.step(&sending(&noted, 1)).await, unsettled);
    let cancelled = Observation::Cancellation(CancelCause::Expired);
    let cancelled = StateChange {
        undated: vec![undated(1, 1), undated(1, 2)],
        ..advance(&noted, &cancelled, at(20))
    };
    assert_eq!(stores.step(&cancelled).await, unsettled);
    assert_eq!(stores.step(&sending(&other, 2)).await, CommitOutcome::Done);
    let by_name = MissingReference {
        reference: ProviderReference::derive(&noted.account, &noted.reference, FIRST),
        undated: None,
    };
    are_noted(stores, &[by_name]).await;
    let plain = advance(&noted, &Observation::Due, at(20));
    assert_eq!(stores.step(&plain).await, CommitOutcome::ReferenceUnsettled);
    assert_eq!(stores.reread(&noted).await, Some(noted));
    stores.must_be_clean(at(30)).await;
}

async fn suspend(stores: &Stores) {
    let suspended = stores.reconciliation.suspend("a test", Clearance::Records);
    suspended.await.expect("suspend payments");
}

async fn are_noted(stores: &Stores, missing: &[MissingReference]) {
    suspend(stores).await;
    let word = Acknowledgement {
        missing: missing.to_vec(),
        ..vouched([])
    };
    let acknowledged = stores.reconciliation.acknowledge(&word).await;
    assert_eq!(
        acknowledged.expect("acknowledge"),
        AcknowledgeOutcome::Resumed
    );
}

fn waits(missing: &MissingReference) -> ReferenceToSettle {
    ReferenceToSettle::new(missing.reference.clone(), provider_id("sandbox"))
}

/// The same, once it is known what it stands for.
fn found(n: u64, attempt: u8) -> ReferenceToSettle {
    let parts: ReferenceParts = (
        account_id("shop"),
        reference(&format!("order-{n}")),
        AttemptNumber::try_new(attempt).expect("1 or 2"),
    );
    let both = vec![undated(n, 1), undated(n, 2)];
    waits(&missing(n, attempt)).standing_for(parts, both)
}

async fn settle(stores: &Stores, waits: ReferenceToSettle, as_: SettledAs) -> CommitOutcome {
    let decided = ("Ngozi Eze".to_owned(), at(7));
    let settlement = ReferenceSettlement::try_new(waits, as_, decided).expect("a settlement");
    stores.commit(ChangeSet::Settle(Box::new(settlement))).await
}

async fn noted(stores: &Stores, n: u64) -> Vec<Option<SettledAs>> {
    let asked = [undated(n, 1), undated(n, 2)];
    let noted = stores.reconciliation.noted_as(&asked).await.expect("look");
    noted.into_iter().map(|it| it.settled_as).collect()
}

async fn recognised(stores: &Stores) -> Vec<ProviderId> {
    let recognised = stores.reconciliation.recognised_by_form().await;
    recognised.expect("list")
}

/// Nothing is opened under a merchant's reference that it may stand for, until that is settled.
pub async fn what_a_reference_may_stand_for_is_refused(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    are_noted(stores, &[missing(2, 2)]).await;
    assert_eq!(noted(stores, 2).await, [None]);
    assert_eq!(recognised(stores).await, [provider_id("sandbox")]);
    assert_eq!(noted(stores, 3).await, []);
    assert_eq!(buy(stores, 2).await, CommitOutcome::ReferenceUnsettled);
    assert_eq!(buy(stores, 3).await, CommitOutcome::Done);
    let unknown = waits(&missing(2, 2)).without_date(undated(2, 2));
    let settled = settle(stores, unknown, NotDelivered).await;
    assert_eq!(settled, CommitOutcome::Done);
    assert_eq!(noted(stores, 2).await, [Some(NotDelivered)]);
    assert_eq!(recognised(stores).await, []);
    assert_eq!(buy(stores, 2).await, CommitOutcome::Done);
    stores.must_be_clean(at(9)).await;
}

/// The gateway may bear the loss where it is not known whose it is, and it stays taken.
pub async fn a_loss_without_an_owner_keeps_the_reference_taken(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    are_noted(stores, &[missing(2, 1)]).await;
    let unknown = waits(&missing(2, 1)).without_date(undated(2, 1));
    let absorbed = SettledAs::Absorbed(kobo(700));
    let settled = settle(stores, unknown.clone(), absorbed).await;
    assert_eq!(settled, CommitOutcome::Done);
    let again = settle(stores, unknown, absorbed).await;
    assert_eq!(again, CommitOutcome::ReferenceSettled);
    assert_eq!(buy(stores, 2).await, CommitOutcome::ReferenceSettled);
    assert_eq!(stores.balances("shop").await, (1_000, 0));
    assert_eq!(recognised(stores).await, [provider_id("sandbox")]);
    // A journal that turns up finds it accounted for.
    let journalled = |attempt: u8| ReferencedAttempt {
        account: account_id("shop"),
        reference: reference("order-2"),
        attempt: AttemptNumber::try_new(attempt).expect("1 or 2"),
        provider_reference: missing(2, attempt).reference,
    };
    let attempts = [journalled(1), journalled(2)];
    let compared = stores.reconciliation.compare(&attempts).await;
    assert_eq!(compared.expect("compare").without_row, [1]);
    stores.must_be_clean(at(9)).await;
}

/// The account that it was found to belong to pays, once for all attempts under the reference.
pub async fn the_account_it_belongs_to_is_charged_once(stores: &Stores) {
    stores.has_account("shop", "20.00").await;
    are_noted(stores, &[missing(2, 1), missing(2, 2)]).await;
    let settled = settle(stores, found(2, 1), CHARGED).await;
    assert_eq!(settled, CommitOutcome::Done);
    let twice = settle(stores, found(2, 2), CHARGED).await;
    assert_eq!(twice, CommitOutcome::SettlementUnfounded);
    assert_eq!(stores.balances("shop").await, (1_300, 0));
    assert_eq!(noted(stores, 2).await, [Some(CHARGED), None]);
    let rest = settle(stores, found(2, 2), NotDelivered).await;
    assert_eq!(rest, CommitOutcome::Done);
    assert_eq!(buy(stores, 2).await, CommitOutcome::ReferenceSettled);
    stores.must_be_clean(at(9)).await;
}

/// A journal that turns up settles it with the opening, so it is booked by its transaction alone.
pub async fn an_attempt_in_a_form_of_its_own_is_settled_as_reopened(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    are_noted(stores, &[missing(2, 1)]).await;
    let mut draft = airtime().nth(2).priced("1.00").draft();
    draft.prepared.reference = missing(2, 1).reference;
    let reopened = Opening {
        origin: Origin::Journal,
        undated: vec![undated(2, 1), undated(2, 2)],
        ..draft.open(at(0), at(60))
    };
    let change = ChangeSet::Open(Box::new(reopened));
    assert_eq!(stores.commit(change).await, CommitOutcome::Done);
    assert_eq!(noted(stores, 2).await, [Some(SettledAs::Reopened)]);
    // A list that names an attempt which is stored leaves nothing to settle.
    are_noted(stores, &[missing(2, 1)]).await;
    let unsettled = stores.reconciliation.unsettled().await.expect("list");
    assert_eq!(unsettled, []);
    stores.must_be_clean(at(9)).await;
}

/// Payments are resumed once every provider was compared that something may have been sent to.
pub async fn every_provider_that_is_wanted_is_compared_first(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    suspend(stores).await;
    let wanted = vec![provider_id("sandbox"), provider_id("vtpass")];
    let word = |provider: &str, missing: Vec<MissingReference>| Acknowledgement {
        provider: provider_id(provider),
        missing,
        wanted: wanted.clone(),
        ..vouched([])
    };
    let acknowledge = async |word| {
        let acknowledged = stores.reconciliation.acknowledge(&word).await;
        acknowledged.expect("acknowledge")
    };
    let waits = AcknowledgeOutcome::Waits(vec![provider_id("sandbox")]);
    for list in [vec![missing(2, 1)], vec![missing(3, 1)]] {
        assert_eq!(acknowledge(word("vtpass", list)).await, waits);
        assert_eq!(buy(stores, 4).await, CommitOutcome::Suspended);
    }
    let resumed = acknowledge(word("sandbox", Vec::new())).await;
    assert_eq!(resumed, AcknowledgeOutcome::Resumed);
    for n in [2, 3] {
        assert_eq!(buy(stores, n).await, CommitOutcome::ReferenceUnsettled);
    }
    assert_eq!(buy(stores, 4).await, CommitOutcome::Done);
    // A comparison counts for the suspension in which it was made.
    suspend(stores).await;
    let waits = AcknowledgeOutcome::Waits(vec![provider_id("vtpass")]);
    assert_eq!(acknowledge(word("sandbox", Vec::new())).await, waits);
}
