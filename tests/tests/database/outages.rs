//! The database is stopped as by a crash and started again under load. It must count what it did:
//! a run that stopped nothing or bought nothing proves nothing.

use crate::buyers::{Buyers, settings};
use std::sync::Arc;
use std::time::Duration;
use tests::account::TestAccount;
use tests::folder::GatewayFolder;
use tests::monitored::{Monitored, value};
use tests::patience::eventually;
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

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_without_its_database_is_not_ready_and_shows_no_old_numbers() {
    let cluster = Arc::new(Cluster::private(&ClusterOptions::default()));
    let folder = GatewayFolder::on(&cluster, &settings());
    let (mut server, monitored) = Monitored::start(&folder);
    let (ready, clock) = monitored.check("clock").await;
    assert_eq!((ready, &clock["status"]), (true, &"ok".into()), "{clock}");
    let metrics = monitored.metrics().await;
    assert_eq!(value(&metrics, "manilla_store_up"), Some(1.0), "{metrics}");
    assert_eq!(value(&metrics, "manilla_payments_suspended"), Some(0.0));

    beside(&cluster, Cluster::stop_immediate).await;
    let failed = async || {
        let (ready, database) = monitored.check("database").await;
        (!ready && database["status"] == "failed").then_some(database)
    };
    let database = eventually("it is not ready", Duration::from_secs(10), failed).await;
    let reason = database["reason"].as_str().expect("a reason");
    assert!(
        !reason.is_empty() && !reason.contains("password"),
        "{reason}"
    );
    let away = async || {
        let metrics = monitored.metrics().await;
        (value(&metrics, "manilla_store_up") == Some(0.0)).then_some(metrics)
    };
    let metrics = eventually("the store is down", Duration::from_secs(30), away).await;
    let suspended = value(&metrics, "manilla_payments_suspended");
    assert_eq!(suspended, None, "{metrics}");
    assert_eq!(monitored.get("/live").await.0, 200);

    beside(&cluster, Cluster::start).await;
    eventually("it is ready again", Duration::from_secs(30), async || {
        monitored.check("writer").await.0.then_some(())
    })
    .await;
    assert!(server.runs());
    assert!(server.terminate().await.success());
}

/// Runs what waits for the database server beside the runtime.
async fn beside(cluster: &Arc<Cluster>, work: fn(&Cluster)) {
    let cluster = Arc::clone(cluster);
    let done = tokio::task::spawn_blocking(move || work(&cluster)).await;
    done.expect("the server follows the signal");
}
