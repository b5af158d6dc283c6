//! Instances replaced one after the other under load, as a new version is brought out. It must
//! demand that no client notices whose connections a balancer opens.

use std::time::Duration;
use tests::account::Figures;
use tests::fleet::{Fleet, THREE};
use tests::folder::under_load;
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::orders::OrderFamily;
use tests::patience;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::LastAnswer;
use tests::rng::SeededRng;
use tests::size;

/// How often all of them are replaced unless `MANILLA_ROUNDS` says otherwise.
const ROUNDS: u32 = 1;

/// How long the load meets the same instances, in milliseconds at most.
const PAUSE_MS_MAX: u64 = 300;

const SETTLED_WITHIN: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_answers_every_request_that_was_sent() {
    let rounds = size::of_run("MANILLA_ROUNDS", ROUNDS);
    let mut chance = SeededRng::from_environment("MANILLA_ROUNDS_SEED", 300);
    let mut fleet = Fleet::start(&under_load(""));
    let [merchant, ..] = fleet.merchants();
    // Where a connection is refused, nothing was sent, and the next instance is asked.
    let load = PaymentLoad::start(&merchant, &mut chance, Unheard::Leaves);
    for _ in 0..rounds {
        for _ in 0..THREE {
            load.is(LoadPlace::Up(fleet.addresses()));
            tokio::time::sleep(Duration::from_millis(chance.below(PAUSE_MS_MAX))).await;
            // The oldest one; the clients learn it once another is there.
            let stopped = fleet.take(0).terminate().await;
            assert!(stopped.success(), "{stopped:?}");
            fleet.add();
        }
    }
    let purchases = load.end().await;
    let unanswered = purchases
        .iter()
        .filter(|purchase| purchase.received == LastAnswer::Nothing);
    let unanswered: Vec<_> = unanswered.collect();
    assert!(
        unanswered.is_empty(),
        "of {}: {unanswered:#?}",
        purchases.len()
    );
    let within = (&*purchases, SETTLED_WITHIN);
    let endings = fleet.account.settle(fleet.instance(0), within).await;
    let figures = Figures::of(&endings, &ProviderJournal::read(&fleet.account.folder));
    println!("instances: {THREE}, each replaced {rounds} times, {figures}");
    assert!(figures.acknowledged > 100, "the load was too small");
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}

/// The provider takes longer to answer than the others take to look for what dead ones left.
const SLOW: &str = "[payment]\nanswer_window_ms = 20000\n[sandbox]\nslow_ms = 12000\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_instance_answers_its_requests_and_no_other_takes_its_place() {
    let mut fleet = Fleet::start(SLOW);
    let [first, second, _] = fleet.merchants();
    let family = OrderFamily::Airtime;
    let order = family.order("under-way", "0007");
    let buying = first.buy(family, &order);
    let stopping = async {
        let report = family.report("under-way");
        let what = "the other instance knows of the payment";
        patience::eventually(what, Duration::from_secs(5), async || {
            (second.get(&report).await.status == 200).then_some(())
        })
        .await;
        fleet.take(0).terminate().await
    };
    let (answer, stopped) = tokio::join!(buying, stopping);
    assert_eq!(answer.with_status(200).txn_status(), "Successful");
    assert!(stopped.success(), "{stopped:?}");
    let log = fleet.instance(0).log();
    assert!(!log.contains("taking over"), "{log}");
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}
