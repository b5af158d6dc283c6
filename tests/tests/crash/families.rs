//! SIGKILL at random moments under a load that mixes all families: purchases of every product by
//! one account, and every other movement of money between two others. The operator confirms top-ups
//! meanwhile. The statements must have the lines that the answers lead to, and no others.

use std::collections::BTreeMap;
use std::time::Duration;
use tests::account::{BALANCE, Figures, TestAccount};
use tests::folder::{GatewayFolder, MerchantCredentials, OPEN, under_load};
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::merchant::TestMerchant;
use tests::movements::{self, AnnouncedTopUp, MovementAccounts, MovementLoad, STEPS};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tests::rng::SeededRng;
use tests::size;
use tokio::task::JoinSet;

/// How often the server is killed unless `MANILLA_KILLS` says otherwise.
const KILLS: u32 = 8;

/// A server lives at most this long after it is ready, in milliseconds.
const LIFE_MS_MAX: u64 = 1_500;

/// The longest everything may take to settle.
const SETTLED_WITHIN: Duration = Duration::from_mins(4);

/// The name of the account that all other movements begin at.
const PAYER: &str = "Payer";

#[tokio::test(flavor = "multi_thread")]
async fn kills_with_every_family_lose_nothing_and_book_nothing_twice() {
    let kills = size::of_run("MANILLA_KILLS", KILLS);
    let mut chance = SeededRng::from_environment("MANILLA_KILLS_SEED", 20_261_128);
    let account = TestAccount::new(&[&*under_load(""), OPEN].concat());
    let folder = &account.folder;
    let [payer, recipient] = [PAYER, "Recipient"].map(|name| folder.account(name, BALANCE.1));
    let at = |server: &GatewayProcess, credentials: &MerchantCredentials| {
        TestMerchant::new(folder, server.address(), credentials)
    };
    let first = GatewayProcess::start(folder);
    let accounts =
        MovementAccounts::prepare(at(&first, &payer), (PAYER, recipient.identity.clone())).await;
    let purchases = PaymentLoad::start(&account.merchant(&first), &mut chance, Unheard::Leaves);
    let movements = MovementLoad::start(accounts, &mut chance);
    let mut server = Some(first);
    for _ in 0..kills {
        let alive = server
            .take()
            .unwrap_or_else(|| GatewayProcess::start(folder));
        let up = LoadPlace::Up(vec![alive.address()]);
        purchases.is(up.clone());
        movements.is(up);
        let life = Duration::from_millis(chance.below(LIFE_MS_MAX));
        let mut killing = JoinSet::new();
        killing.spawn(async move {
            tokio::time::sleep(life).await;
            alive.kill();
        });
        // Some are confirmed while the server is killed.
        for top_up in movements.announced() {
            tokio::task::block_in_place(|| confirm(folder, &payer, &top_up));
        }
        killing.join_all().await;
        purchases.is(LoadPlace::Down);
        movements.is(LoadPlace::Down);
    }
    provider_journal::audit_is_clean(folder);
    let server = GatewayProcess::start(folder);
    let (expected, announced) = movements.end(server.address()).await;
    let bought = purchases.end().await;
    for top_up in announced {
        confirm(folder, &payer, &top_up);
    }
    let steps = expected.steps().clone();
    let merchants = [&payer, &recipient].map(|it| at(&server, it));
    let mut endings = movements::check(
        folder,
        (&merchants[0], &payer),
        &merchants[1],
        (expected, SETTLED_WITHIN),
    )
    .await;
    endings.extend(account.settle(&server, (&bought, SETTLED_WITHIN)).await);
    report(
        kills,
        &steps,
        &Figures::of(&endings, &ProviderJournal::read(folder)),
    );
    assert!(server.interrupt().await.success());
    provider_journal::audit_is_clean(folder);
}

fn confirm(folder: &GatewayFolder, payer: &MerchantCredentials, top_up: &AnnouncedTopUp) {
    let named = [
        "--identity",
        &payer.identity,
        "--reference",
        &top_up.reference,
    ];
    let command = ["account", "topup", "confirm", "--amount", top_up.amount];
    let _ = folder.run(&[&command[..], &named].concat()).well();
}

fn report(kills: u32, steps: &BTreeMap<&'static str, usize>, figures: &Figures) {
    let count: usize = steps.values().sum();
    println!("kills: {kills}, {figures}, movements: {count}");
    println!("steps: {steps:?}");
    let enough = usize::try_from(kills).unwrap();
    assert!(figures.acknowledged > enough, "the load was too small");
    assert!(
        steps.len() == STEPS && count > enough,
        "a family is missing: {steps:?}"
    );
}
