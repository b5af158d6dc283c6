//! The database is stopped as by a crash and started again under load. It must count what it did:
//! a run that stopped nothing or bought nothing proves nothing.

use crate::buyers::{Buyers, settings};
use std::sync::Arc;
use std::time::Duration;
use tests::account::TestAccount;
use tests::folder::GatewayFolder;
use tests::process::GatewayProcess;
use tests::rng::SeededRng;
use tests::size;
use tests::{Cluster, ClusterOptions};

/// How often the database is stopped unless `MANILLA_CRASHES` says otherwise.
const CRASHES: u32 = 3;

/// How long it works, and stays away, in milliseconds at most.
const PAUSE_MS_MAX: u64 = 400;

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_crashes_under_load_loses_nothing_and_its_gateway_goes_on() {
    let crashes = size::of_run("MANILLA_CRASHES", CRASHES);
    let mut chance = SeededRng::from_environment("MANILLA_CRASHES_SEED", 53);
    let cluster = Arc::new(Cluster::private(&ClusterOptions::default()));
    let account = TestAccount::within(GatewayFolder::on(&cluster, &settings()));
    let mut server = GatewayProcess::start(&account.folder);
    let mut buyers = Buyers::start(&account.merchant(&server), &mut chance);
    for _ in 0..crashes {
        buyers.until_accepted(20).await;
        let mut pause = || Duration::from_millis(chance.below(PAUSE_MS_MAX));
        tokio::time::sleep(pause()).await;
        beside(&cluster, Cluster::stop_immediate).await;
        tokio::time::sleep(pause()).await;
        beside(&cluster, Cluster::start).await;
    }
    buyers.until_accepted(20).await;
    let figures = buyers.settle(&account, &server).await;
    println!("crashes of the database: {crashes}, {figures}");
    assert!(server.runs(), "it was never started again");
    assert!(server.terminate().await.success());
}

/// Runs what waits for the database server beside the runtime.
async fn beside(cluster: &Arc<Cluster>, work: fn(&Cluster)) {
    let cluster = Arc::clone(cluster);
    let done = tokio::task::spawn_blocking(move || work(&cluster)).await;
    done.expect("the server follows the signal");
}
