//! Laws of suspended payments. Nothing a merchant asks for may be opened while they are, and no
//! comparison may end a suspension that needs a person.

use super::setup::Stores;
use crate::builders::{account_id, airtime, at, reference, vouched, wallet_transfer};
use domain::account::AccountStatus;
use domain::change_set::{ChangeSet, Origin};
use domain::reference::ProviderReference;
use domain::transaction::AttemptNumber;
use ports::journal::JournalId;
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::{
    AcknowledgeOutcome, Clearance, Comparison, ReferencedAttempt, Registered, SuspensionNumber,
};

fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

/// The same as a journal says it was opened.
fn reopen(n: u64) -> ChangeSet {
    let mut opening = airtime().nth(n).priced("1.00").opening();
    opening.origin = Origin::Journal;
    ChangeSet::Open(Box::new(opening))
}

fn key(n: u64, attempt: u8) -> ReferencedAttempt {
    let (account, reference) = (account_id("shop"), reference(&format!("order-{n}")));
    let attempt = AttemptNumber::try_new(attempt).expect("1 or 2");
    ReferencedAttempt {
        provider_reference: ProviderReference::derive(&account, &reference, attempt),
        account,
        reference,
        attempt,
    }
}

fn journal(name: char) -> JournalId {
    JournalId(name.to_string().repeat(32))
}

async fn suspend(stores: &Stores, clearance: Clearance) {
    let suspended = stores.reconciliation.suspend("a test", clearance).await;
    suspended.expect("suspend payments");
}

async fn is_suspended(stores: &Stores) -> bool {
    let suspension = stores.reconciliation.suspension().await;
    suspension.expect("look").is_some()
}

async fn compare(stores: &Stores, attempts: &[ReferencedAttempt]) -> Comparison {
    let compared = stores.reconciliation.compare(attempts).await;
    compared.expect("compare attempts")
}

/// Registers a journal.
async fn has_journal(stores: &Stores, name: char) -> Registered {
    let registered = stores.reconciliation.register(&journal(name)).await;
    registered.expect("register a journal")
}

/// Says that so many attempts of a journal have no row now.
async fn finds(stores: &Stores, name: char, missing: u64) {
    let now = compare(stores, &[]).await.suspension;
    let of = journal(name);
    let noted = stores.reconciliation.compared(&of, missing, now).await;
    noted.expect("note a comparison");
}

/// What a merchant asks for is refused; what a journal says was open is stored, also for an account
/// that is suspended now.
pub async fn while_payments_are_suspended_only_a_journal_opens(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    suspend(stores, Clearance::Journals).await;
    assert_eq!(stores.commit(buy(1)).await, CommitOutcome::Suspended);
    let status = AccountStatus::Suspended;
    let set = stores
        .accounts
        .set_status(&account_id("shop"), status)
        .await;
    assert!(set.expect("suspend an account"));
    assert_eq!(stores.commit(reopen(1)).await, CommitOutcome::Done);
    assert!(matches!(
        stores.commit(reopen(1)).await,
        CommitOutcome::ReferenceTaken(_)
    ));
    stores.must_be_clean(at(1)).await;
}

/// Each attempt that the store has no row for is named by its place.
pub async fn journalled_attempts_without_a_row_are_found(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    let nothing = stores.reconciliation.has_transactions().await;
    assert!(!nothing.expect("look for attempts"));
    assert_eq!(stores.commit(buy(2)).await, CommitOutcome::Done);
    assert!(
        stores
            .reconciliation
            .has_transactions()
            .await
            .expect("look")
    );
    let asked = [key(1, 1), key(2, 1), key(2, 2), key(3, 1)];
    assert_eq!(compare(stores, &asked).await.without_row, [0, 2, 3]);
    assert_eq!(compare(stores, &asked[1..2]).await.without_row, [0; 0]);
    // What the gateway books alone has no attempt, and is there all the same.
    let exchange = wallet_transfer().nth(3).worth("4.00");
    assert_eq!(stores.open(&exchange).await, CommitOutcome::Done);
    assert_eq!(compare(stores, &asked).await.without_row, [0, 2]);
}

/// A suspension that journals clear waits for every one in use, and for comparisons made since.
pub async fn the_last_whole_journal_resumes_payments(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    assert_eq!(has_journal(stores, 'a').await, Registered::New);
    assert_eq!(has_journal(stores, 'a').await, Registered::Known);
    has_journal(stores, 'b').await;
    has_journal(stores, 'c').await;
    stores
        .reconciliation
        .release(&journal('c'))
        .await
        .expect("release");
    finds(stores, 'a', 0).await;
    finds(stores, 'b', 0).await;
    suspend(stores, Clearance::Journals).await;
    finds(stores, 'a', 0).await;
    assert!(is_suspended(stores).await, "b was compared before");
    finds(stores, 'b', 3).await;
    assert!(is_suspended(stores).await, "b lacks rows");
    let stale = SuspensionNumber(compare(stores, &[]).await.suspension.0 - 1);
    let of = journal('b');
    let noted = stores.reconciliation.compared(&of, 0, stale).await;
    noted.expect("note a comparison");
    assert!(is_suspended(stores).await, "b looked at another store");
    finds(stores, 'b', 0).await;
    assert!(!is_suspended(stores).await);
    assert_eq!(stores.commit(buy(1)).await, CommitOutcome::Done);
}

/// The stronger clearance stays, with its reason, until a person resumes payments, once.
pub async fn what_needs_a_person_is_resumed_by_a_person(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    has_journal(stores, 'a').await;
    has_journal(stores, 'b').await;
    suspend(stores, Clearance::Journals).await;
    suspend(stores, Clearance::Records).await;
    suspend(stores, Clearance::Person).await;
    suspend(stores, Clearance::Journals).await;
    finds(stores, 'a', 0).await;
    let suspension = stores.reconciliation.suspension().await.expect("look");
    let suspension = suspension.expect("payments are suspended");
    assert_eq!(suspension.clearance, Clearance::Records);
    let acknowledged = stores.reconciliation.acknowledge(&vouched([])).await;
    assert_eq!(
        acknowledged.expect("acknowledge"),
        AcknowledgeOutcome::Resumed
    );
    let again = stores.reconciliation.acknowledge(&vouched([])).await;
    assert_eq!(
        again.expect("acknowledge"),
        AcknowledgeOutcome::NotSuspended
    );
    assert_eq!(stores.commit(buy(1)).await, CommitOutcome::Done);
    let in_use = stores.reconciliation.journals().await.expect("list");
    let in_use: Vec<_> = in_use.iter().map(|it| it.in_use).collect();
    assert_eq!(in_use, [true, false], "b was not compared and is given up");
    // The next suspension may be cleared by journals again.
    suspend(stores, Clearance::Journals).await;
    finds(stores, 'a', 0).await;
    assert!(!is_suspended(stores).await);
}

/// Nothing is opened under a reference that a provider knows and the store does not.
pub async fn a_reference_that_only_a_provider_knows_is_refused(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    stores.has_account("kiosk", "10.00").await;
    assert_eq!(stores.commit(buy(1)).await, CommitOutcome::Done);
    let known = |n: u64| {
        let tx = airtime().nth(n).priced("1.00").transaction();
        tx.provider_reference(AttemptNumber::FIRST)
    };
    let asked = [known(1), known(2)];
    let missing = stores.reconciliation.missing(&asked).await.expect("look");
    assert_eq!(missing, [known(2)]);
    suspend(stores, Clearance::Person).await;
    let acknowledged = stores.reconciliation.acknowledge(&vouched(missing)).await;
    assert_eq!(
        acknowledged.expect("acknowledge"),
        AcknowledgeOutcome::Resumed
    );
    assert_eq!(
        stores.commit(buy(2)).await,
        CommitOutcome::ReferenceUnsettled
    );
    assert_eq!(stores.commit(buy(3)).await, CommitOutcome::Done);
    let other = airtime().by("kiosk").nth(2).priced("1.00").change();
    assert_eq!(stores.commit(other).await, CommitOutcome::Done);
    let unsettled = stores.reconciliation.unsettled().await.expect("list");
    let unsettled: Vec<_> = unsettled.into_iter().map(|it| it.reference).collect();
    assert_eq!(unsettled, [known(2)]);
    assert_eq!(
        stores.commit(reopen(2)).await,
        CommitOutcome::Done,
        "a journal says what it was"
    );
}
