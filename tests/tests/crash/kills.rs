//! SIGKILL at random moments under load, over and over on the same data. It must count what it did:
//! a run that killed nothing or bought nothing proves nothing.

use std::time::Duration;
use tempfile::TempDir;
use tests::account::{Figures, TestAccount};
use tests::folder::{GatewayFolder, under_load};
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tests::purchases::PurchaseEnd;
use tests::rng::SeededRng;
use tests::sandbox_process::{self, SandboxProcess};
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
    kill_and_settle(kills, &mut chance, &TestAccount::new(&under_load(""))).await;
}

/// How often unless `MANILLA_KILLS` says otherwise; a provider in a process of its own lives on.
const KILLS_BESIDE: u32 = 5;

/// The products that the load buys.
const PRODUCTS: [&str; 17] = [
    "airtime",
    "cabletv",
    "electricity",
    "internet",
    "sms",
    "whatsapp",
    "rcs",
    "voice",
    "ivr",
    "bank",
    "hlr",
    "gas",
    "mobilemoney",
    "card",
    "international",
    "lookup",
    "device",
];

#[tokio::test(flavor = "multi_thread")]
async fn beside_a_provider_process_kills_lose_nothing_and_deliver_nothing_twice() {
    let kills = size::of_run("MANILLA_KILLS", KILLS_BESIDE);
    let mut chance = SeededRng::from_environment("MANILLA_KILLS_SEED", 20_261_125);
    let provider_folder = TempDir::new().unwrap();
    let at = provider_folder.path();
    tests::secret::write(sandbox_process::keys(at), sandbox_process::KEYS);
    std::fs::write(at.join("sandbox.toml"), under_load("")).unwrap();
    let provider = SandboxProcess::start(at);
    let keys = sandbox_process::keys(at);
    let reached = sandbox_process::account(&provider.url, &keys, &PRODUCTS);
    let folder = GatewayFolder::with(&format!("{}\n{reached}", under_load("")));
    let account = TestAccount::within(folder.with_provider(sandbox_process::data(at)));
    kill_and_settle(kills, &mut chance, &account).await;
}

/// Kills a gateway so often under load, and follows what was bought to its end.
async fn kill_and_settle(kills: u32, chance: &mut SeededRng, account: &TestAccount) {
    let first = GatewayProcess::start(&account.folder);
    let load = PaymentLoad::start(&account.merchant(&first), chance, Unheard::Leaves);
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
    let references: Vec<_> = purchases.iter().map(|it| it.reference.as_str()).collect();
    let journal = ProviderJournal::read(&account.folder);
    let journal = journal.of_purchases(&account.credentials.identity, &references);
    report(kills, &endings, &journal);
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
