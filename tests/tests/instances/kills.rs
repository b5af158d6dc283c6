//! SIGKILL of one instance after the other at random moments under load, each started again while
//! the others go on. It must count what it did: a run that killed nothing or bought nothing proves
//! nothing.

use std::time::Duration;
use tests::account::Figures;
use tests::connections;
use tests::fleet::{Fleet, THREE};
use tests::folder::under_load;
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::patience::eventually;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::PurchaseEnd;
use tests::rng::SeededRng;
use tests::size;

/// How many are killed unless `MANILLA_KILLS` says otherwise.
const KILLS: u32 = 10;

/// From one kill to the next, in milliseconds at most, and what a start takes. The place of a
/// killed one is free after thirty seconds, and there are 64.
const PAUSE_MS_MAX: u64 = 1_200;

/// The longest everything may take to settle: what a killed one was at is taken over after ten
/// seconds, and much is open after a hundred kills.
const SETTLED_WITHIN: Duration = Duration::from_mins(3);

/// An instance counts as dead after ten seconds, and the others look every five.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(30);

/// How much is undecided, and how much of it is still being sent.
const OPEN: &str = "SELECT count(*), count(*) FILTER (WHERE state = 'sending') FROM attempts_open";

#[tokio::test(flavor = "multi_thread")]
async fn instances_killed_under_load_lose_nothing_and_deliver_nothing_twice() {
    let kills = size::of_run("MANILLA_KILLS", KILLS);
    let mut chance = SeededRng::from_environment("MANILLA_KILLS_SEED", 20_261_121);
    let mut fleet = Fleet::start(&under_load("replay_wait_ms = 200\n"));
    let [merchant, ..] = fleet.merchants();
    let load = PaymentLoad::start(&merchant, &mut chance, Unheard::Repeats);
    for _ in 0..kills {
        load.is(LoadPlace::Up(fleet.addresses()));
        tokio::time::sleep(Duration::from_millis(chance.below(PAUSE_MS_MAX))).await;
        let index = chance.below(THREE as u64);
        fleet.take(usize::try_from(index).unwrap()).kill();
        // The others serve meanwhile, and the clients do not know yet.
        fleet.add();
        connections::none_is_left_in_a_transaction(&fleet.account.folder);
    }
    let purchases = load.end().await;
    // What was left behind is in order even before anyone has taken it over.
    provider_journal::audit_is_clean(&fleet.account.folder);
    let within = (&*purchases, SETTLED_WITHIN);
    let endings = fleet.account.settle(fleet.instance(0), within).await;
    report(
        kills,
        &endings,
        &ProviderJournal::read(&fleet.account.folder),
    );
    until_drained(&fleet, &endings).await;
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}

fn report(kills: u32, endings: &[PurchaseEnd], journal: &ProviderJournal) {
    let figures = Figures::of(endings, journal);
    println!("instances: {THREE}, kills: {kills}, {figures}");
    assert!(
        figures.acknowledged > 10 * usize::try_from(kills).unwrap(),
        "the load was too small"
    );
}

/// Nothing is under way but what waits for the provider for ever, or for a person. What never ends
/// may have been left behind by the last that was killed, and its report is the same before it is
/// taken over.
async fn until_drained(fleet: &Fleet, endings: &[PurchaseEnd]) {
    let pending = endings
        .iter()
        .filter(|ending| ending.status.as_deref() == Some("Pending"));
    let expected = format!("{}|0", pending.count());
    let database = fleet.account.folder.database().expect("a database");
    eventually("everything is drained", TAKEN_OVER_WITHIN, async || {
        (database.psql(OPEN) == expected).then_some(())
    })
    .await;
}
