//! A request for a batch that another request stores meanwhile, here or at another instance: it is
//! answered with the batch, whatever it would be refused for by then.

use super::support::request::keyed;
use super::support::shelf::BANK;
use super::support::{BALANCE, World, merchant, seconds};
use application::request_error::BatchLater;
use application::{BatchResult, Gateway, ReplayMark, RequestError};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::bank::{AccountNumber, BankIdentifier, BulkPayees, BulkPayout, Narration, Payout};
use domain::batch::{Batch, BatchKind, BatchNumber, BatchProgress, OnFailure};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::transaction::Transaction;
use ports::batches::{BatchPage, Batches, PageOf};
use ports::provider::LookupFailure;
use ports::reconciliation::{Clearance, Reconciliation};
use ports::{CommitState, PortError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::builders::{naira, reference};
use testkit::faults::Fault;
use tokio::task::JoinSet;

/// Batches that are read once before another instance stores one: they show nothing then.
#[derive(Debug)]
struct ReadEarly {
    batches: Arc<dyn Batches>,
    is_read: AtomicBool,
    /// Whether they are read no more after that.
    is_lost: bool,
}

#[async_trait]
impl Batches for ReadEarly {
    async fn batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<(Batch, BatchProgress)>, PortError> {
        let is_read = self.is_read.swap(true, Ordering::SeqCst);
        if is_read && self.is_lost {
            let away = PortError::new("batches", "the store is away");
            Err(away.with_nothing_done())
        } else if is_read {
            self.batches.batch(account, reference).await
        } else {
            Ok(None)
        }
    }

    async fn batch_items(
        &self,
        account: &AccountId,
        batch: BatchNumber,
        page: PageOf,
    ) -> Result<Vec<Transaction>, PortError> {
        self.batches.batch_items(account, batch, page).await
    }

    async fn batches(
        &self,
        account: &AccountId,
        kind: BatchKind,
        page: PageOf,
    ) -> Result<BatchPage, PortError> {
        self.batches.batches(account, kind, page).await
    }

    async fn stopped(
        &self,
        transactions: &[(AccountId, TransactionNumber)],
    ) -> Result<Vec<usize>, PortError> {
        self.batches.stopped(transactions).await
    }
}

/// An instance that reads the store before another stores the batch.
fn second_instance(world: &World) -> Gateway {
    reading_early(world, false)
}

fn reading_early(world: &World, is_lost: bool) -> Gateway {
    world.gateway_with(|parts| {
        parts.batches = Arc::new(ReadEarly {
            batches: world.exposed.store.clone(),
            is_read: AtomicBool::default(),
            is_lost,
        });
    })
}

/// Asks for two payouts of an amount under the same key, again and again.
async fn ask(gateway: &Gateway, amount: &str) -> Result<BatchResult, RequestError> {
    let payouts = ["item-1", "item-2"].map(|item| Payout {
        reference: reference(item),
        bank: BankIdentifier::parse(BANK).unwrap(),
        number: AccountNumber::parse("0123456785").unwrap(),
        amount: naira(amount),
        narration: Narration::parse("Pay of May").unwrap(),
        salary: None,
    });
    let order = BulkPayout {
        reference: reference("run-1"),
        on_failure: OnFailure::Continue,
        payees: BulkPayees::Each(payouts.into()),
    };
    let shop = merchant("shop");
    gateway.pay_out_in_bulk(&shop, keyed(order, "try-1")).await
}

/// The first instance stores the batch after the second has found none, and then something happens
/// that the second would refuse it for.
async fn is_answered_all_the_same(amount: &str, happens: impl AsyncFnOnce(&World, &Gateway)) {
    let world = World::new().await;
    let first = ask(&world.gateway(), amount).await.unwrap();
    let second = second_instance(&world);
    happens(&world, &second).await;
    let again = ask(&second, amount).await.unwrap();
    assert_eq!(
        (again.replay, again.batch),
        (ReplayMark::Replayed, first.batch)
    );
    let (available, held) = world.wallet().await;
    assert_eq!(available + held, BALANCE);
}

/// It may be stored: a merchant who reads otherwise would pay all of them again.
#[tokio::test]
async fn where_the_batch_cannot_be_read_again_it_is_not_said_that_nothing_was_done() {
    let world = World::new().await;
    ask(&world.gateway(), "4,000.00").await.unwrap();
    let second = reading_early(&world, true);
    let Err(RequestError::Store(error)) = ask(&second, "4,000.00").await else {
        panic!("not an error of the store");
    };
    assert_eq!(error.effect, CommitState::Unknown);
}

#[tokio::test]
async fn it_is_not_refused_for_the_money_that_the_batch_took() {
    is_answered_all_the_same("4,000.00", async |_, _| ()).await;
}

#[tokio::test]
async fn it_is_not_refused_for_what_cannot_be_looked_up_any_more() {
    is_answered_all_the_same("100.00", async |world, _| {
        let away = Err(LookupFailure::Unreachable);
        world.provider.on_bank_account(away);
    })
    .await;
}

#[tokio::test]
async fn it_is_not_refused_while_payments_are_suspended() {
    is_answered_all_the_same("100.00", async |world, _| {
        let store = &world.exposed.store;
        store.suspend("a test", Clearance::Person).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn it_is_not_refused_by_an_instance_that_stops() {
    is_answered_all_the_same("100.00", async |_, second| second.drain().await).await;
}

/// The client of the first hung up, which stops nothing.
#[tokio::test]
async fn while_another_may_still_store_it_nothing_is_called_undone() {
    let world = World::new().await;
    let gateway = world.gateway();
    world.ledger.on_next(Fault::Delayed(seconds(5)));
    let mut clients = JoinSet::new();
    let first = gateway.clone();
    clients.spawn(async move { ask(&first, "100.00").await });
    while world.clock.sleepers() == 0 {
        tokio::task::yield_now().await;
    }
    clients.shutdown().await;
    let away = || Err(LookupFailure::Unreachable);
    world.provider.on_bank_account(away());
    let early = ask(&gateway, "100.00").await;
    assert!(
        matches!(early, Err(RequestError::BatchLater(BatchLater::InProgress))),
        "{early:?}"
    );
    world.pass(seconds(5)).await;
    world.provider.on_bank_account(away());
    let late = ask(&gateway, "100.00").await.unwrap();
    assert_eq!(late.replay, ReplayMark::Replayed);
    world.is_right().await;
}

/// A refusal is the last word where no other request may store it.
#[tokio::test]
async fn alone_a_request_is_refused_for_its_own_reason() {
    let world = World::new().await;
    let away = Err(LookupFailure::Unreachable);
    world.provider.on_bank_account(away);
    let refused = ask(&second_instance(&world), "100.00").await;
    assert!(
        matches!(refused, Err(RequestError::Items(_))),
        "{refused:?}"
    );
}
