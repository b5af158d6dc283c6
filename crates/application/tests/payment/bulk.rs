//! Many payouts of one request: all of them paid for and queued, or none; then each is sent once,
//! as any payout, whatever fails on the way.

use super::support::request::{keyed, once};
use super::support::shelf::BANK;
use super::support::{BALANCE, World, attempt, merchant, minutes};
use application::batches::ALL_ITEMS;
use application::{BatchResult, Gateway, QueueWorker, ReplayMark, RequestError};
use domain::account::AccountStatus;
use domain::bank::{AccountNumber, BankIdentifier, BulkPayees, BulkPayout, Narration, Payout};
use domain::batch::{BatchKind, BatchProgress, BatchStatus, OnFailure};
use domain::provider::UnknownCause;
use domain::transaction::{CancelCause, State, Status};
use ports::PortErrorKind;
use ports::accounts::Accounts;
use ports::provider::LookupFailure;
use ports::reconciliation::{Clearance, Reconciliation};
use std::ops::RangeInclusive;
use testkit::builders::{account_id, naira, reference, vouched};
use testkit::faults::Fault;
use testkit::provider::ScriptedReply;
use tokio_util::sync::CancellationToken;

/// A number whose check digit is right for the one bank there is.
const NUMBER: &str = "0123456785";

/// What one payout of 100.00 costs.
const PRICE: i64 = 11_075;

fn payout(n: u64) -> Payout {
    Payout {
        reference: reference(&format!("item-{n}")),
        bank: BankIdentifier::parse(BANK).unwrap(),
        number: AccountNumber::parse(NUMBER).unwrap(),
        amount: naira("100.00"),
        narration: Narration::parse("Pay of May").unwrap(),
        salary: None,
    }
}

pub(crate) fn bulk(count: u64) -> BulkPayout {
    payouts("run-1", 1..=count)
}

pub(crate) fn payouts(run: &str, items: RangeInclusive<u64>) -> BulkPayout {
    BulkPayout {
        reference: reference(run),
        on_failure: OnFailure::Continue,
        payees: BulkPayees::Each(items.map(payout).collect()),
    }
}

pub(crate) async fn ask(
    gateway: &Gateway,
    command: BulkPayout,
) -> Result<BatchResult, RequestError> {
    let shop = merchant("shop");
    gateway.pay_out_in_bulk(&shop, once(command)).await
}

pub(crate) async fn progress(world: &World) -> BatchProgress {
    let run = reference("run-1");
    let named = (BatchKind::BankTransfers, &run);
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let found = gateway.batch(&shop, named, ALL_ITEMS).await;
    found.unwrap().unwrap().progress
}

async fn sweep(world: &World) -> usize {
    let worker = QueueWorker::new(&world.gateway());
    worker.sweep().await.unwrap()
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "item-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(
        (sweep(world).await, world.provider.submissions().len()),
        (0, 0)
    );
    world.is_right().await;
}

#[tokio::test]
async fn all_are_paid_for_at_once_and_each_is_sent_once() {
    let world = World::new().await;
    let opened = ask(&world.gateway(), bulk(40)).await.unwrap();
    assert_eq!(opened.replay, ReplayMark::New);
    assert_eq!((opened.batch.count, opened.progress.queued), (40, 40));
    assert_eq!(world.wallet().await, (BALANCE - 40 * PRICE, 40 * PRICE));
    assert_eq!(world.provider.submissions(), []);
    // No more are under way at a time than have places.
    assert_eq!((sweep(&world).await, sweep(&world).await), (32, 8));
    assert_eq!(progress(&world).await.successful, 40);
    for n in 1..=40 {
        assert_eq!(
            world.provider.deliveries(&attempt(&format!("item-{n}"), 1)),
            1
        );
    }
    assert_eq!(world.wallet().await, (BALANCE - 40 * PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_worker_sends_what_is_queued_without_waiting_for_its_next_round() {
    let world = World::new().await;
    let gateway = world.gateway();
    let stop = CancellationToken::new();
    let until_sent = async {
        ask(&gateway, bulk(80)).await.unwrap();
        // The clock stands still: no round begins by time.
        for _ in 0..10_000 {
            if progress(&world).await.successful == 80 {
                break;
            }
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    let worker = QueueWorker::new(&gateway);
    tokio::join!(worker.run(stop.clone()), until_sent);
    assert_eq!(progress(&world).await.successful, 80);
    world.is_right().await;
}

#[tokio::test]
async fn a_payout_that_is_refused_refuses_all_of_them() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mut payouts: Vec<_> = (1..=3).map(payout).collect();
    payouts[1].number = AccountNumber::parse("0123456789").unwrap();
    payouts[2].amount = naira("1.00");
    let wrong = BulkPayout {
        payees: BulkPayees::Each(payouts),
        ..bulk(0)
    };
    let Err(RequestError::Items(refused)) = ask(&gateway, wrong).await else {
        panic!("accepted");
    };
    let places: Vec<_> = refused.iter().map(|it| it.place).collect();
    assert_eq!(places, [1, 2]);
    assert!(matches!(refused[0].error, RequestError::WrongCheckDigit));
    assert!(matches!(refused[1].error, RequestError::BelowMinimum(..)));
    world
        .provider
        .on_bank_account(Err(LookupFailure::Unreachable));
    let away = ask(&gateway, bulk(2)).await;
    assert!(matches!(away, Err(RequestError::Items(_))), "{away:?}");
    nothing_happened(&world).await;
}

/// Nor is anything asked of the bank for it.
#[tokio::test]
async fn what_the_wallet_does_not_hold_whole_is_not_begun() {
    let world = World::new().await;
    let count = u64::try_from(BALANCE / PRICE).unwrap() + 1;
    let unasked = Err(LookupFailure::Unknown);
    world.provider.on_bank_account(unasked);
    let refused = ask(&world.gateway(), bulk(count)).await;
    assert!(
        matches!(refused, Err(RequestError::InsufficientFunds(_))),
        "{refused:?}"
    );
    nothing_happened(&world).await;
}

#[tokio::test]
async fn a_payment_that_is_named_as_another_batch_is_is_named_by_its_place() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, bulk(2)).await.unwrap();
    let mut payouts: Vec<_> = (11..=13).map(payout).collect();
    payouts[1].reference = reference("run-1");
    let second = BulkPayout {
        reference: reference("run-2"),
        payees: BulkPayees::Each(payouts),
        ..bulk(0)
    };
    let shop = merchant("shop");
    for purchase in [once(second.clone()), keyed(second, "try-2")] {
        let refused = gateway.pay_out_in_bulk(&shop, purchase).await;
        let Err(RequestError::Items(refused)) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(refused[0].place, 1);
        assert!(matches!(refused[0].error, RequestError::BatchTaken { .. }));
    }
    assert_eq!(world.wallet().await, (BALANCE - 2 * PRICE, 2 * PRICE));
}

/// Each would cost a commit and an entry of the journal again and again.
#[tokio::test]
async fn a_suspended_account_is_tried_once_in_a_while_and_what_waits_is_kept() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, bulk(40)).await.unwrap();
    let accounts = &world.exposed;
    let shop = account_id("shop");
    let suspended = accounts.set_status(&shop, AccountStatus::Suspended).await;
    assert!(suspended.unwrap());
    let worker = QueueWorker::new(&gateway);
    let before = world.ledger.commits().len();
    assert_eq!(worker.sweep().await.unwrap(), 32);
    assert_eq!(worker.sweep().await.unwrap(), 0);
    assert_eq!(world.ledger.commits().len(), before + 32);
    world.pass(minutes(2)).await;
    let active = accounts.set_status(&shop, AccountStatus::Active).await;
    assert!(active.unwrap());
    while worker.sweep().await.unwrap() > 0 {}
    assert_eq!(progress(&world).await.successful, 40);
    world.is_right().await;
}

#[tokio::test]
async fn a_batch_that_is_to_stop_sends_nothing_after_a_failure() {
    let world = World::new().await;
    let stopping = BulkPayout {
        on_failure: OnFailure::Stop,
        ..bulk(40)
    };
    ask(&world.gateway(), stopping).await.unwrap();
    world.provider.on_submit(ScriptedReply::decline());
    assert_eq!((sweep(&world).await, sweep(&world).await), (32, 8));
    let expected = BatchProgress {
        successful: 31,
        failed: 1,
        cancelled: 8,
        ..BatchProgress::default()
    };
    assert_eq!(progress(&world).await, expected);
    let State::Cancelled(cancelled) = world.stored("item-40").await.state else {
        panic!("not cancelled");
    };
    assert_eq!(cancelled.cause, CancelCause::BatchStopped);
    assert_eq!(world.provider.submissions().len(), 32);
    assert_eq!(world.wallet().await, (BALANCE - 31 * PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn what_was_queued_before_a_person_resumed_payments_is_cancelled() {
    let world = World::new().await;
    ask(&world.gateway(), bulk(2)).await.unwrap();
    let store = &world.exposed.store;
    store.suspend("a test", Clearance::Person).await.unwrap();
    assert_eq!(sweep(&world).await, 0);
    store.acknowledge(&vouched([])).await.unwrap();
    assert_eq!(sweep(&world).await, 2);
    assert_eq!(progress(&world).await.status(), BatchStatus::Cancelled);
    let State::Cancelled(cancelled) = world.stored("item-1").await.state else {
        panic!("not cancelled");
    };
    assert_eq!(cancelled.cause, CancelCause::Unconfirmed);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_merchant_cancels_what_was_not_sent() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, bulk(40)).await.unwrap();
    assert_eq!(sweep(&world).await, 32);
    let run = reference("run-1");
    let named = (BatchKind::BankTransfers, &run);
    let cancelled = gateway.cancel_batch(&merchant("shop"), named).await;
    let cancelled = cancelled.unwrap().unwrap();
    assert_eq!(
        (cancelled.progress.successful, cancelled.progress.cancelled),
        (32, 8)
    );
    assert_eq!(sweep(&world).await, 0);
    assert_eq!(world.wallet().await, (BALANCE - 32 * PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn cancelling_and_sending_at_once_does_one_of_both_to_each() {
    let world = World::new().await;
    let gateway = world.gateway();
    ask(&gateway, bulk(30)).await.unwrap();
    let run = reference("run-1");
    let (shop, worker) = (merchant("shop"), QueueWorker::new(&gateway));
    let cancel = gateway.cancel_batch(&shop, (BatchKind::BankTransfers, &run));
    let (cancelled, swept) = tokio::join!(cancel, worker.sweep());
    cancelled.unwrap().unwrap();
    swept.unwrap();
    while sweep(&world).await > 0 {}
    let progress = progress(&world).await;
    assert_eq!(progress.successful + progress.cancelled, 30, "{progress:?}");
    let sent = world.provider.submissions().len();
    assert_eq!(u32::try_from(sent).unwrap(), progress.successful);
    world.is_right().await;
}

#[tokio::test]
async fn a_lost_answer_of_the_store_is_read_back() {
    for fault in [Fault::ResponseLost, Fault::RequestLost] {
        let world = World::new().await;
        world.ledger.on_next(fault);
        let asked = ask(&world.gateway(), bulk(2)).await;
        let stored = world.stores.read("shop", "item-1").await.is_some();
        assert_eq!(asked.is_ok(), stored, "{asked:?}");
        let repeated = ask(&world.gateway(), bulk(2)).await;
        assert_eq!(repeated.is_ok(), !stored, "{repeated:?}");
        while sweep(&world).await > 0 {}
        assert_eq!(world.provider.submissions().len(), 2);
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_store_that_refuses_leaves_nothing() {
    let world = World::new().await;
    let busy = Fault::Refused(PortErrorKind::Busy);
    world.ledger.on_next(busy);
    let refused = ask(&world.gateway(), bulk(2)).await;
    assert!(
        matches!(refused, Err(RequestError::Store(_))),
        "{refused:?}"
    );
    nothing_happened(&world).await;
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_its_batch_whatever_has_changed() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let first = gateway
        .pay_out_in_bulk(&shop, keyed(bulk(2), "try-1"))
        .await;
    let first = first.unwrap();
    sweep(&world).await;
    world
        .provider
        .on_bank_account(Err(LookupFailure::Unreachable));
    let again = gateway
        .pay_out_in_bulk(&shop, keyed(bulk(2), "try-1"))
        .await;
    let again = again.unwrap();
    assert_eq!(
        (again.replay, again.batch),
        (ReplayMark::Replayed, first.batch)
    );
    assert_eq!(again.progress.successful, 2);
    let other = gateway
        .pay_out_in_bulk(&shop, keyed(bulk(3), "try-1"))
        .await;
    assert!(matches!(other, Err(RequestError::KeyReused)), "{other:?}");
    let unkeyed = ask(&gateway, bulk(2)).await;
    assert!(
        matches!(unkeyed, Err(RequestError::BatchTaken { .. })),
        "{unkeyed:?}"
    );
    assert_eq!(world.provider.submissions().len(), 2);
}

#[tokio::test]
async fn one_whose_answer_is_lost_keeps_none_of_the_others() {
    let world = World::new().await;
    ask(&world.gateway(), bulk(3)).await.unwrap();
    let lost = ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    assert_eq!(sweep(&world).await, 3);
    let counts = progress(&world).await;
    assert_eq!((counts.under_way, counts.successful), (1, 2));
    assert_eq!(counts.status(), BatchStatus::Processing);
}

#[tokio::test]
async fn after_a_day_what_was_not_sent_is_cancelled() {
    let world = World::new().await;
    ask(&world.gateway(), bulk(1)).await.unwrap();
    world.pass(minutes(24 * 60)).await;
    assert_eq!(sweep(&world).await, 1);
    assert_eq!(world.stored("item-1").await.status(), Status::Failed);
    assert_eq!(progress(&world).await.status(), BatchStatus::Cancelled);
    assert_eq!(world.wallet().await, (BALANCE, 0));
}
