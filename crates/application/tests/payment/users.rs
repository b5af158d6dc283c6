//! Transfers to other accounts: the money is in one of two places, whatever happens in between.

use super::support::request::once;
use super::support::{BALANCE, World, merchant, seconds};
use application::journals::Journals;
use application::{ClaimWorker, PayeeRefusal, QueueWorker, RequestError};
use domain::account::{AccountContact, AccountIdentity, AccountStatus, EmailAddress};
use domain::bank::Narration;
use domain::transaction::{Status, Transaction};
use domain::user::UserTransfer;
use ports::accounts::ContactChange;
use ports::reconciliation::{AcknowledgeOutcome, Clearance, Reconciliation};
use std::time::Duration;
use testkit::builders::{account_id, contact, naira, reference, vouched};
use testkit::faults::Fault;
use tokio_util::sync::CancellationToken;

const ADDRESS: &str = "owner@other.example";

const PRICE: i64 = 100_000;

/// Well after what is not claimed is given back.
const LONG: Duration = Duration::from_hours(31 * 24);

fn email(address: &str) -> AccountIdentity {
    AccountIdentity::Email(EmailAddress::parse(address).unwrap())
}

fn id(id: &str) -> AccountIdentity {
    AccountIdentity::Id(account_id(id))
}

async fn pay(
    world: &World,
    under: &str,
    identity: AccountIdentity,
) -> Result<Transaction, RequestError> {
    let transfer = UserTransfer {
        reference: reference(under),
        identity,
        amount: naira("1,000.00"),
        narration: Narration::parse("Rent").unwrap(),
    };
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let paid = gateway.transfer_to_user(&shop, once(transfer));
    paid.await.map(|paid| paid.transaction)
}

async fn is_reached(world: &World, account: &str, address: &str) {
    let (none, wanted) = (AccountContact::default(), contact(address, ""));
    let id = account_id(account);
    let set = world.stores.accounts.set_contact(&id, &none, &wanted).await;
    assert_eq!(set.unwrap(), ContactChange::Done);
}

async fn balances(world: &World) -> [(i64, i64); 2] {
    [
        world.stores.balances("shop").await,
        world.stores.balances("other").await,
    ]
}

async fn claimed(world: &World) -> usize {
    let mut claims = ClaimWorker::new(&world.gateway());
    claims.sweep(&CancellationToken::new()).await.unwrap()
}

async fn start(world: &World) {
    Journals::start(&world.gateway()).await.unwrap();
}

async fn clearance(world: &World) -> Option<Clearance> {
    let suspended = world.exposed.store.suspension().await.unwrap();
    suspended.map(|it| it.clearance)
}

#[tokio::test]
async fn an_account_is_paid_by_its_identity_or_its_address() {
    let world = World::new().await;
    is_reached(&world, "other", ADDRESS).await;
    for (under, identity) in [("order-1", id("other")), ("order-2", email(ADDRESS))] {
        let paid = pay(&world, under, identity).await.unwrap();
        assert_eq!(paid.status(), Status::Successful);
        assert_eq!(paid.payee().unwrap().account, account_id("other"));
    }
    assert_eq!(
        balances(&world).await,
        [(BALANCE - 2 * PRICE, 0), (BALANCE + 2 * PRICE, 0)]
    );
    world.is_right().await;
}

#[tokio::test]
async fn what_cannot_be_paid_is_refused_and_uses_no_reference() {
    let world = World::new().await;
    is_reached(&world, "shop", "owner@shop.example").await;
    let other = account_id("other");
    let suspend = |status| world.stores.accounts.set_status(&other, status);
    assert!(suspend(AccountStatus::Suspended).await.unwrap());
    for (identity, expected) in [
        (id("ghost"), PayeeRefusal::Unknown),
        (id("shop"), PayeeRefusal::Own),
        (email("owner@shop.example"), PayeeRefusal::Own),
        (id("other"), PayeeRefusal::Suspended),
    ] {
        let refused = pay(&world, "order-1", identity).await;
        assert!(
            matches!(refused, Err(RequestError::Payee(why)) if why == expected),
            "{refused:?}"
        );
    }
    assert!(suspend(AccountStatus::Active).await.unwrap());
    pay(&world, "order-1", id("other")).await.unwrap();
    // A repeated request is answered with its transaction, whatever the account is now.
    assert!(suspend(AccountStatus::Suspended).await.unwrap());
    let again = pay(&world, "order-1", id("other")).await;
    assert!(
        matches!(again, Err(RequestError::ReferenceTaken { .. })),
        "{again:?}"
    );
    world.is_right().await;
}

#[tokio::test]
async fn what_waits_is_paid_once_an_account_has_the_address() {
    let world = World::new().await;
    let waiting = pay(&world, "order-1", email(ADDRESS)).await.unwrap();
    assert_eq!(waiting.status(), Status::Pending);
    assert_eq!(
        balances(&world).await,
        [(BALANCE - PRICE, PRICE), (BALANCE, 0)]
    );
    assert_eq!(claimed(&world).await, 0);
    assert_eq!(QueueWorker::new(&world.gateway()).sweep().await.unwrap(), 0);
    is_reached(&world, "other", ADDRESS).await;
    assert_eq!(claimed(&world).await, 1);
    assert_eq!(claimed(&world).await, 0);
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    let paid = [(BALANCE - PRICE, 0), (BALANCE + PRICE, 0)];
    assert_eq!(balances(&world).await, paid);
    world.pass(LONG).await;
    QueueWorker::new(&world.gateway()).sweep().await.unwrap();
    assert_eq!(balances(&world).await, paid);
    world.is_right().await;
}

#[tokio::test]
async fn what_no_account_claims_comes_back() {
    let world = World::new().await;
    pay(&world, "order-1", email(ADDRESS)).await.unwrap();
    world.pass(LONG).await;
    // Even where an account has the address by then: its time is over.
    is_reached(&world, "other", ADDRESS).await;
    assert_eq!(claimed(&world).await, 0);
    QueueWorker::new(&world.gateway()).sweep().await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    assert_eq!(balances(&world).await, [(BALANCE, 0), (BALANCE, 0)]);
    world.is_right().await;
}

#[tokio::test]
async fn a_claim_that_the_store_forgot_is_made_again_once() {
    for forgets_the_opening in [false, true] {
        let world = World::new().await;
        let empty = world.exposed.store.backup();
        pay(&world, "order-1", email(ADDRESS)).await.unwrap();
        let waiting = world.exposed.store.backup();
        is_reached(&world, "other", ADDRESS).await;
        assert_eq!(claimed(&world).await, 1);
        let before = world.stored("order-1").await;
        let backup = if forgets_the_opening {
            &empty
        } else {
            &waiting
        };
        world.exposed.store.restore(backup);
        for _ in 0..2 {
            start(&world).await;
            assert_eq!(clearance(&world).await, Some(Clearance::Person));
            let stored = world.stored("order-1").await;
            assert_eq!(
                (stored.status(), stored.payee()),
                (before.status(), before.payee())
            );
            let paid = [(BALANCE - PRICE, 0), (BALANCE + PRICE, 0)];
            assert_eq!(balances(&world).await, paid);
        }
        world.is_right().await;
    }
}

#[tokio::test]
async fn what_waited_when_payments_were_resumed_comes_back() {
    let world = World::new().await;
    pay(&world, "order-1", email(ADDRESS)).await.unwrap();
    let store = &world.exposed.store;
    store.suspend("a restore", Clearance::Person).await.unwrap();
    is_reached(&world, "other", ADDRESS).await;
    assert_eq!(claimed(&world).await, 0);
    let resumed = store.acknowledge(&vouched([])).await.unwrap();
    assert_eq!(resumed, AcknowledgeOutcome::Resumed);
    assert_eq!(claimed(&world).await, 0, "it may have been claimed before");
    QueueWorker::new(&world.gateway()).sweep().await.unwrap();
    assert_eq!(balances(&world).await, [(BALANCE, 0), (BALANCE, 0)]);
    world.is_right().await;
}

#[tokio::test]
async fn a_claim_whose_answer_was_lost_is_made_once() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        start(&world).await;
        pay(&world, "order-1", email(ADDRESS)).await.unwrap();
        let backup = world.exposed.store.backup();
        is_reached(&world, "other", ADDRESS).await;
        world.ledger.on_commit(2, fault);
        let gateway = world.gateway();
        let mut claims = ClaimWorker::new(&gateway);
        let running = CancellationToken::new();
        let (swept, ()) = tokio::join!(claims.sweep(&running), world.pass(seconds(90)));
        let now_or_then = swept.unwrap() + claimed(&world).await;
        assert_eq!(now_or_then, 1);
        assert_eq!(
            balances(&world).await,
            [(BALANCE - PRICE, 0), (BALANCE + PRICE, 0)]
        );
        start(&world).await;
        assert_eq!(clearance(&world).await, None);
        // The journal knows it either way.
        world.exposed.store.restore(&backup);
        start(&world).await;
        assert_eq!(clearance(&world).await, Some(Clearance::Person));
        assert_eq!(
            balances(&world).await,
            [(BALANCE - PRICE, 0), (BALANCE + PRICE, 0)]
        );
        world.is_right().await;
    }
}
