//! Subscriptions: what is bought when it is due, once, whatever fails on the way.

use super::journals;
use super::support::recurring::{
    DAY, FaultyRecurring, Lost, daily, now, of_run, subscribe, sweep, sweep_both, work_for,
};
use super::support::request::{buy, keyed, top_up};
use super::support::{BALANCE, World, attempt, merchant, minutes, seconds};
use application::Gateway;
use application::recurring::{
    ListedRun, RecurringAct, RecurringError, RecurringName, RecurringWorker, SeenRecurring,
};
use domain::account::AccountStatus;
use domain::provider::{QueryOutcome, UnknownCause};
use domain::recurring::{
    OnRunFailure, RecurringPayment, RecurringRunState, RecurringStatus, RunRefusal,
};
use domain::statement::Sort;
use domain::transaction::Status;
use ports::batches::PageOf;
use ports::fault_point::FaultStep;
use ports::recurring::RecurringPayments;
use std::time::Duration;
use testkit::builders::{account_id, recurring, reference};
use testkit::faults::Fault;
use testkit::provider::{QueryReply, ScriptedReply};
use tokio::task::JoinSet;

const PRICE: i64 = 97_000;

fn deliveries(world: &World, under: &str) -> u32 {
    let made = [1, 2].map(|n| world.provider.deliveries(&attempt(under, n)));
    made.into_iter().sum()
}

async fn runs(gateway: &Gateway) -> Vec<ListedRun> {
    let name = RecurringName::Reference(reference("daily"));
    let page = PageOf {
        offset: 0,
        length: 100,
        sort: Sort::Ascending,
    };
    let runs = gateway.recurring_runs(&merchant("shop"), &name, page).await;
    runs.unwrap().runs
}

fn states(runs: &[ListedRun]) -> Vec<Option<RecurringRunState>> {
    let states = runs.iter().map(|run| run.recorded.map(|it| it.state));
    states.collect()
}

async fn change(
    gateway: &Gateway,
    seen: &RecurringPayment,
    act: RecurringAct,
) -> Result<RecurringPayment, RecurringError> {
    let name = RecurringName::Number(seen.terms.number);
    let seen = SeenRecurring {
        stated: seen.version,
        only_in: None,
    };
    let shop = merchant("shop");
    let changed = gateway.change_recurring(&shop, (&name, &seen), act);
    changed.await.map(|it| it.payment)
}

#[tokio::test]
async fn a_run_is_bought_when_it_is_due_and_the_last_one_ends_it() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Skip, Some(2))).await;
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(59)).await;
    assert_eq!(world.provider.submissions(), []);
    work_for(&world, &mut worker, minutes(2)).await;
    let first = world.stored(&of_run(&made, 1, 0)).await;
    assert_eq!(first.status(), Status::Successful);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
    world.pass(DAY).await;
    sweep(&world, &mut worker).await;
    let ended = now(&gateway).await;
    assert_eq!(ended.progress.status, RecurringStatus::Ended);
    assert_eq!((ended.progress.bought, ended.progress.look_at), (2, None));
    world.pass(DAY * 3).await;
    sweep(&world, &mut worker).await;
    assert_eq!(world.wallet().await, (BALANCE - 2 * PRICE, 0));
    let listed = runs(&gateway).await;
    let bought = Some(RecurringRunState::Bought);
    assert_eq!(states(&listed), [bought, bought]);
    assert_eq!(listed[1].due_at.since(listed[0].due_at), DAY);
    assert!(listed.iter().all(|run| run.payment.is_some()));
    world.is_right().await;
}

#[tokio::test]
async fn a_pending_payment_is_never_bought_again_whatever_the_policy() {
    for policy in OnRunFailure::ALL {
        let world = World::new().await;
        let gateway = world.gateway();
        world
            .provider
            .on_submit(ScriptedReply::answer_lost(UnknownCause::Timeout));
        for _ in 0..100 {
            world
                .provider
                .on_query(QueryReply::say(QueryOutcome::Unknown));
        }
        let made = subscribe(&gateway, &daily(&world, policy, None)).await;
        let mut worker = RecurringWorker::new(&gateway);
        work_for(&world, &mut worker, minutes(60 + 23 * 60)).await;
        let first = of_run(&made, 1, 0);
        assert_eq!(world.stored(&first).await.status(), Status::Pending);
        assert_eq!(world.provider.submissions().len(), 1, "{policy:?}");
        let pending = now(&gateway).await.progress;
        assert_eq!(pending.status, RecurringStatus::Active);
        // The next run is another purchase.
        work_for(&world, &mut worker, minutes(65)).await;
        let second = world.stored(&of_run(&made, 2, 0)).await;
        assert_eq!(second.status(), Status::Successful);
        assert_eq!(world.provider.submissions().len(), 2, "{policy:?}");
    }
}

#[tokio::test]
async fn a_definite_failure_is_bought_again_an_hour_later_and_three_times_at_most() {
    let world = World::new().await;
    let gateway = world.gateway();
    for _ in 0..4 {
        world.provider.on_submit(ScriptedReply::decline());
    }
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(60)).await;
    assert_eq!(world.provider.submissions().len(), 1);
    work_for(&world, &mut worker, minutes(58)).await;
    assert_eq!(world.provider.submissions().len(), 1);
    work_for(&world, &mut worker, minutes(10 * 60)).await;
    assert_eq!(world.provider.submissions().len(), 4);
    let failing = now(&gateway).await.progress;
    assert_eq!(failing.status, RecurringStatus::Failing);
    for tries in 0..=3 {
        let payment = world.stored(&of_run(&made, 1, tries)).await;
        assert_eq!(payment.status(), Status::Failed);
    }
    assert_eq!(world.wallet().await, (BALANCE, 0));
    work_for(&world, &mut worker, minutes(15 * 60)).await;
    assert_eq!(now(&gateway).await.progress.status, RecurringStatus::Active);
    let listed = runs(&gateway).await;
    let expected = [RecurringRunState::Failed, RecurringRunState::Bought];
    assert_eq!(states(&listed), expected.map(Some));
    world.is_right().await;
}

#[tokio::test]
async fn an_empty_wallet_is_tried_again_under_the_same_reference() {
    let world = World::new().await;
    let gateway = world.gateway();
    let wanted = daily(&world, OnRunFailure::Retry, None);
    let made = subscribe(&gateway, &wanted).await;
    for n in 1..=10 {
        buy(&gateway, &format!("order-{n}")).await.unwrap();
    }
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(61)).await;
    let refused = Some(RecurringRunState::Refused(RunRefusal::Balance));
    assert_eq!(states(&runs(&gateway).await), [refused]);
    let more = testkit::builders::funding("shop", "slip-1", "50,000.00");
    world
        .stores
        .commit(domain::change_set::ChangeSet::Fund(more))
        .await;
    work_for(&world, &mut worker, minutes(61)).await;
    let bought = world.stored(&of_run(&made, 1, 0)).await;
    assert_eq!(bought.status(), Status::Successful);
    assert_eq!(now(&gateway).await.progress.status, RecurringStatus::Active);
    world.is_right().await;
}

#[tokio::test]
async fn a_failure_ends_what_is_to_stop() {
    let world = World::new().await;
    let gateway = world.gateway();
    world.provider.on_submit(ScriptedReply::decline());
    subscribe(&gateway, &daily(&world, OnRunFailure::Stop, None)).await;
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(61)).await;
    world.pass(DAY * 2).await;
    sweep(&world, &mut worker).await;
    assert_eq!(now(&gateway).await.progress.status, RecurringStatus::Ended);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

/// Whichever write is lost, and whether it was made or not, each run is bought once.
#[tokio::test]
async fn a_lost_write_neither_loses_a_run_nor_buys_it_twice() {
    let count = {
        let world = World::new().await;
        let store = FaultyRecurring::over(&world, None);
        let gateway = store.gateway(&world);
        subscribe(&gateway, &daily(&world, OnRunFailure::Retry, Some(2))).await;
        world.provider.on_submit(ScriptedReply::decline());
        let mut worker = RecurringWorker::new(&gateway);
        work_for(&world, &mut worker, minutes(28 * 60)).await;
        store.writes()
    };
    assert!(count > 8, "{count} writes");
    for nth in 2..=count {
        for lost in [Lost::Request, Lost::Answer] {
            let world = World::new().await;
            let store = FaultyRecurring::over(&world, Some((nth, lost)));
            let gateway = store.gateway(&world);
            let wanted = daily(&world, OnRunFailure::Retry, Some(2));
            let made = subscribe(&gateway, &wanted).await;
            world.provider.on_submit(ScriptedReply::decline());
            let mut worker = RecurringWorker::new(&gateway);
            work_for(&world, &mut worker, minutes(28 * 60)).await;
            let case = format!("write {nth}, {lost:?}");
            for (run, tries, delivered) in [(1, 0, 0), (1, 1, 1), (2, 0, 1)] {
                let under = of_run(&made, run, tries);
                assert_eq!(deliveries(&world, &under), delivered, "{case}: {under}");
            }
            let ended = now(&gateway).await.progress;
            assert_eq!(ended.status, RecurringStatus::Ended, "{case}");
            assert_eq!(world.wallet().await, (BALANCE - 2 * PRICE, 0), "{case}");
            world.is_right().await;
        }
    }
}

/// What is lost of the commits of the payment itself is for the payment to resolve.
#[tokio::test]
async fn a_lost_commit_of_a_payment_does_not_have_it_bought_again() {
    for fault in [Fault::ResponseLost, Fault::RequestLost] {
        let world = World::new().await;
        let gateway = world.gateway();
        let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, Some(1))).await;
        world.ledger.on_next(fault.clone());
        let mut worker = RecurringWorker::new(&gateway);
        work_for(&world, &mut worker, minutes(90)).await;
        assert_eq!(deliveries(&world, &of_run(&made, 1, 0)), 1, "{fault:?}");
        let ended = now(&gateway).await.progress;
        assert_eq!(ended.status, RecurringStatus::Ended, "{fault:?}");
        world.is_right().await;
    }
}

#[tokio::test]
async fn a_crash_between_the_payment_and_its_record_buys_nothing_twice() {
    let world = World::new().await;
    let store = FaultyRecurring::over(&world, Some((3, Lost::Request)));
    let gateway = store.gateway(&world);
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(60)).await;
    let begun = now(&gateway).await.progress.open.unwrap();
    assert_eq!(begun.state, RecurringRunState::Begun);
    let bought = world.stored(&of_run(&made, 1, 0)).await;
    // Another process finds what the first one has bought.
    let mut other = RecurringWorker::new(&world.gateway());
    work_for(&world, &mut other, minutes(5)).await;
    let after = now(&gateway).await.progress;
    assert_eq!((after.open, after.bought), (None, 1));
    assert_eq!(world.stored(&of_run(&made, 1, 0)).await, bought);
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn of_two_workers_one_buys_a_run() {
    let world = World::new().await;
    let (one, two) = (world.gateway(), world.gateway());
    let made = subscribe(&one, &daily(&world, OnRunFailure::Retry, None)).await;
    for day in 1..=3 {
        world.pass(if day == 1 { minutes(60) } else { DAY }).await;
        sweep_both(&world, [&one, &two].map(RecurringWorker::new)).await;
        assert_eq!(deliveries(&world, &of_run(&made, day, 0)), 1);
    }
    assert_eq!(world.provider.submissions().len(), 3);
    world.is_right().await;
}

/// The first worker stands still before it opens the payment; another one takes the run over.
#[tokio::test]
async fn a_worker_that_stood_still_does_not_buy_what_another_has_bought() {
    let world = World::new().await;
    let (one, two) = (world.gateway(), world.gateway());
    let made = subscribe(&one, &daily(&world, OnRunFailure::Retry, None)).await;
    world.pass(minutes(60)).await;
    world.halt.at(FaultStep::BeforeOpen);
    let mut first = RecurringWorker::new(&one);
    let mut still = JoinSet::new();
    still.spawn(async move { first.sweep().await.unwrap() });
    world.halt.reached().await;
    world.halt.nowhere();
    world.pass(minutes(3)).await;
    sweep(&world, &mut RecurringWorker::new(&two)).await;
    let under = of_run(&made, 1, 0);
    assert_eq!(deliveries(&world, &under), 1);
    world.halt.resume();
    world.pass(seconds(30)).await;
    still.join_all().await;
    assert_eq!(deliveries(&world, &under), 1);
    let after = now(&one).await.progress;
    assert_eq!((after.open, after.bought), (None, 1));
    assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn after_a_long_downtime_the_latest_run_alone_is_bought() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    world.pass(DAY * 10 + minutes(70)).await;
    sweep(&world, &mut RecurringWorker::new(&gateway)).await;
    let sent = world.provider.submissions();
    assert_eq!(sent.len(), 1);
    assert_eq!(deliveries(&world, &of_run(&made, 11, 0)), 1);
    let listed = runs(&gateway).await;
    assert_eq!(states(&listed[..10]), [None; 10]);
    assert!(listed[..10].iter().all(|run| run.payment.is_none()));
    world.is_right().await;
}

#[tokio::test]
async fn a_clock_that_is_set_back_buys_nothing_again() {
    let world = World::new().await;
    let gateway = world.gateway();
    subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    let mut worker = RecurringWorker::new(&gateway);
    world.wall.set_forwards(DAY * 3 + minutes(90));
    sweep(&world, &mut worker).await;
    assert_eq!(world.provider.submissions().len(), 1);
    world.wall.set_back(DAY * 3 + minutes(90));
    work_for(&world, &mut worker, minutes(3 * 60)).await;
    assert_eq!(world.provider.submissions().len(), 1);
    world.pass(DAY * 3).await;
    sweep(&world, &mut worker).await;
    // Run 4 was bought while the clock was ahead; the fifth is waited for.
    assert_eq!(world.provider.submissions().len(), 1);
    world.pass(DAY).await;
    sweep(&world, &mut worker).await;
    assert_eq!(world.provider.submissions().len(), 2);
    world.is_right().await;
}

#[tokio::test]
async fn what_is_paused_is_not_bought_and_goes_on_with_the_next_run() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    let paused = change(&gateway, &made, RecurringAct::Pause).await.unwrap();
    assert_eq!(paused.progress.status, RecurringStatus::Paused);
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(120)).await;
    assert_eq!(world.provider.submissions(), []);
    let stale = change(&gateway, &made, RecurringAct::Resume).await;
    assert!(matches!(stale, Err(RecurringError::Stale)), "{stale:?}");
    let resumed = change(&gateway, &paused, RecurringAct::Resume).await;
    let resumed = resumed.unwrap();
    // What is so already is answered as it is.
    let again = change(&gateway, &paused, RecurringAct::Resume).await;
    assert_eq!(again.unwrap(), resumed);
    work_for(&world, &mut worker, minutes(60)).await;
    assert_eq!(world.provider.submissions(), []);
    world.pass(DAY).await;
    sweep(&world, &mut worker).await;
    assert_eq!(deliveries(&world, &of_run(&made, 2, 0)), 1);
    let seen = now(&gateway).await;
    let cancelled = change(&gateway, &seen, RecurringAct::Cancel).await.unwrap();
    assert_eq!(cancelled.progress.status, RecurringStatus::Cancelled);
    let over = change(&gateway, &cancelled, RecurringAct::Resume).await;
    assert!(matches!(over, Err(RecurringError::Over(_))), "{over:?}");
    world.pass(DAY * 3).await;
    sweep(&world, &mut worker).await;
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

/// A run that is being bought as its subscription is paused comes to its end, and is recorded.
#[tokio::test]
async fn a_run_that_is_bought_while_it_is_paused_is_recorded() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    world.pass(minutes(60)).await;
    world.halt.at(FaultStep::BeforeOpen);
    let mut worker = RecurringWorker::new(&gateway);
    let mut buying = JoinSet::new();
    buying.spawn(async move { worker.sweep().await.unwrap() });
    world.halt.reached().await;
    let seen = now(&gateway).await;
    change(&gateway, &seen, RecurringAct::Pause).await.unwrap();
    world.halt.nowhere();
    world.halt.resume();
    buying.join_all().await;
    assert_eq!(deliveries(&world, &of_run(&made, 1, 0)), 1);
    let after = now(&gateway).await.progress;
    assert_eq!(after.status, RecurringStatus::Paused);
    assert_eq!((after.bought, after.open), (1, None));
    world.is_right().await;
}

#[tokio::test]
async fn nothing_is_bought_while_payments_or_the_account_are_suspended() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Stop, None)).await;
    world.exposed.store.hold_openings();
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(90)).await;
    assert_eq!(now(&gateway).await.progress.next_run, 1);
    world.exposed.store.allow_openings();
    let accounts = &world.stores.accounts;
    let shop = account_id("shop");
    let set = accounts.set_status(&shop, AccountStatus::Suspended).await;
    assert!(set.unwrap());
    work_for(&world, &mut worker, minutes(30)).await;
    assert_eq!(world.provider.submissions(), []);
    accounts
        .set_status(&shop, AccountStatus::Active)
        .await
        .unwrap();
    work_for(&world, &mut worker, minutes(10)).await;
    assert_eq!(deliveries(&world, &of_run(&made, 1, 0)), 1);
    // A suspension that outlasts the time of a run skips it, and is no failure.
    accounts
        .set_status(&shop, AccountStatus::Suspended)
        .await
        .unwrap();
    work_for(&world, &mut worker, minutes(50 * 60)).await;
    accounts
        .set_status(&shop, AccountStatus::Active)
        .await
        .unwrap();
    assert_eq!(world.provider.submissions().len(), 1);
    let missed = states(&runs(&gateway).await)[1];
    assert_eq!(missed, Some(RecurringRunState::Missed));
    assert_eq!(now(&gateway).await.progress.status, RecurringStatus::Active);
    world.is_right().await;
}

/// The journal brings a payment back that the store has forgotten; the run finds it.
#[tokio::test]
async fn what_a_restored_store_has_forgotten_is_not_bought_again() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    let backup = world.exposed.store.backup();
    world.pass(minutes(60)).await;
    sweep(&world, &mut RecurringWorker::new(&gateway)).await;
    let under = of_run(&made, 1, 0);
    let before = world.stored(&under).await;
    world.exposed.store.restore(&backup);
    let restored = world.gateway();
    journals::start(&world).await;
    let mut worker = RecurringWorker::new(&restored);
    sweep(&world, &mut worker).await;
    assert_eq!(now(&restored).await.progress.next_run, 1);
    let brought = world.stored(&under).await;
    assert_eq!(
        (brought.number, brought.status()),
        (before.number, Status::Pending)
    );
    let mut recovery = application::recovery::Recovery::new(&restored);
    world.follow_up_for(&mut recovery, 3).await;
    journals::is_acknowledged(&world).await;
    work_for(&world, &mut worker, minutes(10)).await;
    let after = now(&restored).await.progress;
    assert_eq!((after.next_run, after.open, after.bought), (2, None, 1));
    assert_eq!(deliveries(&world, &under), 1);
    assert_eq!(world.provider.submissions().len(), 1);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_payment_of_the_merchant_is_not_taken_for_that_of_a_run() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    let under = of_run(&made, 1, 0);
    let theirs = keyed(top_up(&under), "run of mine");
    gateway
        .buy_airtime(&merchant("shop"), theirs)
        .await
        .unwrap();
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(61)).await;
    let listed = runs(&gateway).await;
    let refused = Some(RecurringRunState::Refused(RunRefusal::Reference));
    assert_eq!(states(&listed), [refused]);
    assert_eq!(listed[0].payment, None);
    let after = now(&gateway).await.progress;
    assert_eq!((after.status, after.bought), (RecurringStatus::Failing, 0));
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}

#[tokio::test]
async fn what_the_gateway_did_not_make_is_not_bought() {
    let world = World::new().await;
    let gateway = world.gateway();
    let forged = recurring("shop", 7, "daily");
    world.exposed.store.create_recurring(&forged).await.unwrap();
    let mut worker = RecurringWorker::new(&gateway);
    work_for(&world, &mut worker, minutes(120)).await;
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(now(&gateway).await.progress.next_run, 1);
}

/// A clock that was ahead leaves no pause that lasts for months.
#[tokio::test]
async fn a_pause_that_a_clock_put_far_away_is_brought_forward() {
    let world = World::new().await;
    let gateway = world.gateway();
    let made = subscribe(&gateway, &daily(&world, OnRunFailure::Retry, None)).await;
    world.pass(minutes(60)).await;
    world
        .provider
        .on_submit(ScriptedReply::accept().after(Duration::from_secs(1)));
    let mut worker = RecurringWorker::new(&gateway);
    sweep(&world, &mut worker).await;
    let store = &world.exposed.store;
    let seen = now(&gateway).await;
    let key = ports::recurring::RecurringKey {
        account: &seen.terms.account,
        number: seen.terms.number,
        version: seen.version,
    };
    let far = world.now().plus(DAY * 300);
    store.put_off_recurring(key, far).await.unwrap();
    let mut other = RecurringWorker::new(&gateway);
    sweep(&world, &mut other).await;
    let look_at = now(&gateway).await.progress.look_at.unwrap();
    assert!(look_at <= world.now().plus(minutes(60)), "{look_at:?}");
    assert_eq!(deliveries(&world, &of_run(&made, 2, 0)), 0);
}
