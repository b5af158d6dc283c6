//! The line between the gateway and its database breaks under load: all connections at once, one
//! before its commit reached the database, one after it did but before the answer came. It must
//! wait until each cut has met its commit.

use crate::buyers::{Buyers, settings};
use std::time::Duration;
use tests::Cluster;
use tests::account::TestAccount;
use tests::folder::GatewayFolder;
use tests::patience::eventually;
use tests::process::{GatewayProcess, Launch};
use tests::proxy::{IDLE, Proxy};
use tests::rng::SeededRng;
use tests::size;

/// How many cuts unless `MANILLA_CUTS` says otherwise.
const CUTS: u32 = 24;

const MET_WITHIN: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn connections_cut_under_load_lose_nothing_and_leave_no_transaction_open() {
    let cuts = size::of_run("MANILLA_CUTS", CUTS);
    let mut chance = SeededRng::from_environment("MANILLA_CUTS_SEED", 200);
    let account = TestAccount::within(GatewayFolder::shared(&settings()));
    let line = Proxy::to(([127, 0, 0, 1], Cluster::shared().port()).into());
    let database = account.folder.database().expect("a database");
    let launch = Launch {
        environment: vec![("MANILLA_DATABASE", line.url(database.name()))],
        ..Launch::default()
    };
    let mut server = GatewayProcess::launch(&account.folder, &launch);
    let mut buyers = Buyers::start(&account.merchant(&server), &mut chance);
    for cut in 0..cuts {
        buyers.until_accepted(5).await;
        let caught = line.caught();
        match cut % 3 {
            0 => line.cut(),
            1 => line.cut_before(b"COMMIT"),
            _ => line.cut_after(b"COMMIT", IDLE),
        }
        if cut % 3 != 0 {
            let met = async || (line.caught() > caught).then_some(());
            eventually("a commit is cut", MET_WITHIN, met).await;
        }
    }
    buyers.until_accepted(20).await;
    let figures = buyers.settle(&account, &server).await;
    println!("connections cut: {cuts}, {figures}");
    assert!(server.runs(), "it was never started again");
    assert!(server.terminate().await.success());
}
