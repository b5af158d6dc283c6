//! Copies of the embedded store's file put back. A copy must be of a stopped server, as the page on
//! backups says, and the log beside it belongs to it.

use crate::trial::{Trial, is_suspended};
use std::path::{Path, PathBuf};
use tests::folder::{GatewayFolder, under_load};
use tests::orders::OrderFamily;
use tests::process::GatewayProcess;
use tests::provider_journal;
use tests::purchases::{LastAnswer, TestPurchase};
use tests::rng::SeededRng;
use tests::size;

/// How many restores unless `MANILLA_RESTORES` says otherwise: two of each way.
const RESTORES: u32 = 6;

const FILE: &str = "manilla.db";
const LOG: &str = "manilla.db-wal";
const INDEX: &str = "manilla.db-shm";

/// A way to put a copy back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As the page says.
    Plain,
    /// With the log of the newer file left beside it at first.
    Torn,
    /// As the page says, and a credit was lost with what came after the copy.
    Credit,
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_of_the_file_put_back_lose_nothing_and_deliver_nothing_twice() {
    let restores = size::of_run("MANILLA_RESTORES", RESTORES);
    let chance = SeededRng::from_environment("MANILLA_RESTORES_SEED", 20_261_124);
    let mut trial = Trial::new(GatewayFolder::embedded(&under_load("")), chance);
    let mut server = trial.start();
    for restore in 0..restores {
        let ways = [Way::Plain, Way::Torn, Way::Credit];
        let way = ways[usize::try_from(restore).unwrap() % ways.len()];
        server = round(&mut trial, server, (way, restore)).await;
    }
    trial.end(server, restores).await;
}

/// Copies the file at a random moment, goes on, and puts the copy back.
async fn round(
    trial: &mut Trial,
    server: GatewayProcess,
    (way, number): (Way, u32),
) -> GatewayProcess {
    let mut credited = (way == Way::Credit).then(|| trial.account_to_credit());
    trial.until_ended(server).await;
    let copy = copied(trial.folder(), number);
    let server = trial.start();
    if let Some(credited) = &mut credited {
        trial.credit(&server, credited).await;
    }
    let lost = trial.until_killed(server).await;
    if way == Way::Torn {
        remove(&trial.folder().data().join(INDEX));
        put(&copy, trial.folder(), FILE);
        is_not_served(trial, number).await;
    }
    restored(&copy, trial.folder());
    let server = trial.start();
    if let Some(credited) = credited {
        trial.repeats_credit(&server, credited).await;
    }
    trial.reconciles(&server, &lost).await;
    server
}

/// Copies the file of a stopped server, with its log if there is one.
fn copied(folder: &GatewayFolder, number: u32) -> PathBuf {
    let copy = folder.beside(&format!("copy-{number}"));
    std::fs::create_dir(&copy).unwrap();
    for name in [FILE, LOG] {
        let from = folder.data().join(name);
        if from.exists() {
            std::fs::copy(from, copy.join(name)).unwrap();
        }
    }
    copy
}

/// Step 1.
fn restored(copy: &Path, folder: &GatewayFolder) {
    for name in [LOG, INDEX] {
        remove(&folder.data().join(name));
    }
    put(copy, folder, FILE);
    if copy.join(LOG).exists() {
        put(copy, folder, LOG);
    }
}

fn put(copy: &Path, folder: &GatewayFolder, name: &str) {
    std::fs::copy(copy.join(name), folder.data().join(name)).unwrap();
}

fn remove(path: &Path) {
    if path.exists() {
        std::fs::remove_file(path).unwrap();
    }
}

/// A file beside the log of another is not served, or takes no payment; where the log happens to
/// hold everything, nothing is lost.
async fn is_not_served(trial: &mut Trial, number: u32) {
    let Some(server) = GatewayProcess::start_unless_refused(trial.folder()) else {
        println!("restore {number}: a torn file is not served");
        return;
    };
    let merchant = trial.account.merchant(&server);
    let reference = format!("torn-{number}");
    let order = OrderFamily::Airtime.order(&reference, "0000");
    let answer = merchant.buy(OrderFamily::Airtime, &order).await;
    if answer.status == 503 {
        println!("restore {number}: a torn file takes no payment");
        is_suspended(&merchant, &reference).await;
    } else {
        println!("restore {number}: the log holds everything");
        trial.keep(TestPurchase {
            family: OrderFamily::Airtime,
            reference,
            ending: "0000",
            received: LastAnswer::from(&answer.with_status(200)),
        });
        provider_journal::audit_is_clean(trial.folder());
        trial.settle(&server).await;
    }
    server.kill();
}
