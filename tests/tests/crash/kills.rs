//! SIGKILL at random moments under load, over and over on the same data. It must count what it did:
//! a run that killed nothing or bought nothing proves nothing.

use std::time::Duration;
use tests::account::{Figures, TestAccount};
use tests::folder::under_load;
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::PurchaseEnd;
use tests::rng::SeededRng;
use tests::size;

/// How often the server is killed unless `MANILLA_KILLS` says otherwise.
const KILLS: u32 = 10;

/// A server lives at most this long after it is ready, in milliseconds.
const LIFE_MS_MAX: u64 = 500;

/// The longest everything may take to settle: much is open after a hundred kills.
const SETTLED_WITHIN: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn kills_under_load_lose_nothing_and_deliver_nothing_twice() {
    let kills = size::of_run("MANILLA_KILLS", KILLS);
    let mut chance = SeededRng::from_environment("MANILLA_KILLS_SEED", 20_261_101);
    let account = TestAccount::new(&under_load(""));
    let first = GatewayProcess::start(&account.folder);
    let load = PaymentLoad::start(&account.merchant(&first), &mut chance, Unheard::Leaves);
    let mut server = Some(first);
    for _ in 0..kills {
        let alive = server
            .take()
            .unwrap_or_else(|| GatewayProcess::start(&account.folder));
        load.is(LoadPlace::Up(vec![alive.address()]));
        tokio::time::sleep(Duration::from_millis(chance.below(LIFE_MS_MAX))).await;
        alive.kill();
        load.is(LoadPlace::Down);
    }
    let purchases = load.end().await;
    // What was left behind is in order even before anyone has taken it over.
    provider_journal::audit_is_clean(&account.folder);
    let server = GatewayProcess::start(&account.folder);
    let endings = account.settle(&server, (&purchases, SETTLED_WITHIN)).await;
    report(kills, &endings, &ProviderJournal::read(&account.folder));
    assert!(server.interrupt().await.success());
    provider_journal::audit_is_clean(&account.folder);
}

fn report(kills: u32, endings: &[PurchaseEnd], journal: &ProviderJournal) {
    let figures = Figures::of(endings, journal);
    println!("kills: {kills}, {figures}");
    let met = endings
        .iter()
        .filter(|ending| ending.status.is_some())
        .count();
    let enough = usize::try_from(kills).unwrap();
    assert!(
        figures.acknowledged > enough && met > figures.acknowledged,
        "the load was too small"
    );
}
