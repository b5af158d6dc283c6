//! A backup is restored in which the newest payments are missing: nothing is sold until a person
//! has compared the books with the provider, and what was lost is not bought twice afterwards.

use tests::account::Account;
use tests::answer::Answer;
use tests::books::{self, Witness};
use tests::folder::{Folder, QUICK};
use tests::merchant::{Merchant, send};
use tests::orders::{AIRTIME, Family};
use tests::process::Server;
use tests::{Cluster, ClusterOptions};

/// Orders made after the backup was taken: enough for the log of the database to be seen to have
/// gone back.
const LOST: usize = 12;

async fn buys(merchant: &Merchant, reference: &str) -> Answer {
    let order = Family::Airtime.order(reference, "0000");
    merchant.post(AIRTIME, &order).await
}

/// Refused as a whole, in both representations, and with a word on what to do.
async fn is_held(merchant: &Merchant) {
    let refused = buys(merchant, "while-held").await.with_status(503);
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert!(refused.body.contains("comparing its books"), "{refused:?}");
    assert!(refused.body.contains("nothing was charged"), "{refused:?}");
    let order = Family::Airtime.order("while-held", "0000").to_string();
    let request = merchant.posting(AIRTIME, order);
    let refused = send(request.header("accept", "application/xml")).await;
    let refused = refused.with_status(503);
    assert!(refused.body.starts_with("<?xml"), "{refused:?}");
    assert!(refused.body.contains("comparing its books"), "{refused:?}");
}

/// What is in the books is served as ever.
async fn old_orders_are_served(merchant: &Merchant) {
    let report = merchant.get(&Family::Airtime.report("kept")).await;
    assert_eq!(report.with_status(200).txn_status(), "Successful");
    let order = Family::Airtime.order("kept", "0000");
    let replayed = merchant.post_keyed(AIRTIME, "kept", &order).await;
    let replayed = replayed.with_status(200);
    assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
    merchant.balance().await;
    merchant.get("/account/statement").await.with_status(200);
}

/// What `manilla reconcile` finds, and that it changes nothing unless told.
fn compared(folder: &Folder) -> Vec<String> {
    let arguments = ["reconcile", "--references", "sandbox", "--json"];
    let told = folder.run(&arguments).refused().json();
    assert_eq!(told["held"], true, "{told}");
    assert_eq!(told["acknowledged"], false, "{told}");
    let missing = told["missing"].as_array().expect("a list").iter();
    let missing = missing.map(|reference| reference.as_str().expect("text").to_owned());
    missing.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_backup_sells_nothing_until_it_was_compared_and_then_nothing_twice() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let account = Account::within(Folder::on(&cluster, QUICK));
    let folder = &account.folder;
    let server = Server::start(folder);
    let merchant = account.merchant(&server);
    let order = Family::Airtime.order("kept", "0000");
    let kept = merchant.post_keyed(AIRTIME, "kept", &order).await;
    kept.with_status(200);
    let backup = cluster.backup();
    for n in 0..LOST {
        buys(&merchant, &format!("lost-{n}")).await.with_status(200);
    }
    // The gateway goes on: it notices by itself what was done behind its back.
    tokio::task::block_in_place(|| cluster.restore(&backup));
    let held = tests::patience::eventually(
        "the gateway hears from its database again",
        std::time::Duration::from_secs(30),
        async || {
            let order = Family::Airtime.order("first", "0000").to_string();
            let answer = tests::merchant::try_send(merchant.posting(AIRTIME, order)).await;
            let answer = answer.unwrap();
            answer.body.contains("comparing").then_some(answer)
        },
    );
    held.await.with_status(503);
    is_held(&merchant).await;
    old_orders_are_served(&merchant).await;
    assert!(server.terminate().await.success());

    // Another start knows it too, and commands work.
    let server = Server::start(folder);
    let merchant = account.merchant(&server);
    is_held(&merchant).await;
    old_orders_are_served(&merchant).await;
    let missing = compared(folder);
    assert_eq!(missing.len(), LOST, "{missing:?}");
    let acknowledge = [
        "reconcile",
        "--references",
        "sandbox",
        "--acknowledge",
        "--by",
        "ada",
    ];
    let told = folder.run(&acknowledge).well();
    assert!(told.stdout.contains("the books are open"), "{told:?}");

    buys(&merchant, "afterwards").await.with_status(200);
    for n in 0..LOST {
        let reference = format!("lost-{n}");
        buys(&merchant, &reference).await.with_status(200);
        let deliveries =
            Witness::read(folder).deliveries(&account.credentials.identity, &reference);
        assert_eq!(deliveries, 1, "{reference}");
    }
    books::audit_is_clean(folder);
    assert!(server.terminate().await.success());
}
