//! A backup is restored in which the newest payments are missing: payments are suspended until a
//! person acknowledges it, and what was lost is opened again from the journal and not bought twice.

use std::time::Duration;
use tests::account::TestAccount;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, send};
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tests::{Cluster, ClusterOptions};

/// Orders made after the backup was taken.
const LOST: usize = 12;

/// How long the journals may take to be compared.
const WHOLE_WITHIN: Duration = Duration::from_secs(30);

async fn buys(merchant: &TestMerchant, reference: &str) -> HttpAnswer {
    let order = OrderFamily::Airtime.order(reference, "0000");
    merchant.post(AIRTIME, &order).await
}

/// Refused as a whole, in both representations, and with a word on what to do.
async fn is_suspended(merchant: &TestMerchant) {
    let refused = buys(merchant, "while-suspended").await.with_status(503);
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert!(
        refused.body.contains("Payments are suspended"),
        "{refused:?}"
    );
    assert!(refused.body.contains("nothing was charged"), "{refused:?}");
    let order = OrderFamily::Airtime
        .order("while-suspended", "0000")
        .to_string();
    let request = merchant.posting(AIRTIME, order);
    let refused = send(request.header("accept", "application/xml")).await;
    let refused = refused.with_status(503);
    assert!(refused.body.starts_with("<?xml"), "{refused:?}");
    assert!(
        refused.body.contains("Payments are suspended"),
        "{refused:?}"
    );
}

/// What is in the books is served as ever.
async fn old_orders_are_served(merchant: &TestMerchant) {
    let report = merchant.get(&OrderFamily::Airtime.report("kept")).await;
    assert_eq!(report.with_status(200).txn_status(), "Successful");
    let order = OrderFamily::Airtime.order("kept", "0000");
    let replayed = merchant.post_keyed(AIRTIME, "kept", &order).await;
    let replayed = replayed.with_status(200);
    assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
    merchant.balance().await;
    merchant.get("/account/statement").await.with_status(200);
}

/// Waits until every journal is whole in the database, which resumes nothing.
async fn is_whole(folder: &GatewayFolder) {
    let look = async || {
        let state = folder.run(&["reconcile", "--json"]).refused().json();
        assert_eq!(state["suspended"], true, "{state}");
        assert_eq!(state["acknowledged"], false, "{state}");
        let journal = &state["journals"][0];
        let whole = journal["compared"] == true && journal["missing"] == 0;
        (whole && state["needs"] == "person").then_some(())
    };
    eventually("every journal is whole", WHOLE_WITHIN, look).await;
}

/// What was lost is there again: its report is served, and its reference is taken.
async fn was_opened_again(folder: &GatewayFolder, merchant: &TestMerchant, identity: &str) {
    for n in 0..LOST {
        let reference = format!("lost-{n}");
        let report = merchant.get(&OrderFamily::Airtime.report(&reference)).await;
        let status = report.with_status(200).txn_status();
        assert!(
            ["Pending", "Successful"].contains(&status.as_str()),
            "{status}"
        );
        buys(merchant, &reference).await.with_status(422);
        assert_eq!(
            ProviderJournal::read(folder).deliveries(identity, &reference),
            1
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_backup_takes_no_payment_until_a_person_acknowledges_and_buys_none_twice() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let account = TestAccount::within(GatewayFolder::on(&cluster, QUICK));
    let folder = &account.folder;
    let server = GatewayProcess::start(folder);
    let merchant = account.merchant(&server);
    let order = OrderFamily::Airtime.order("kept", "0000");
    let kept = merchant.post_keyed(AIRTIME, "kept", &order).await;
    kept.with_status(200);
    let backup = cluster.backup();
    for n in 0..LOST {
        buys(&merchant, &format!("lost-{n}")).await.with_status(200);
    }
    // The gateway goes on: it notices by itself what was done behind its back.
    tokio::task::block_in_place(|| cluster.restore(&backup));
    let suspended = eventually(
        "the gateway has a database again",
        WHOLE_WITHIN,
        async || {
            let order = OrderFamily::Airtime.order("first", "0000").to_string();
            let answer = tests::merchant::try_send(merchant.posting(AIRTIME, order)).await;
            let answer = answer.unwrap();
            answer
                .body
                .contains("Payments are suspended")
                .then_some(answer)
        },
    );
    suspended.await.with_status(503);
    is_suspended(&merchant).await;
    old_orders_are_served(&merchant).await;
    assert!(server.terminate().await.success());

    // Another start knows it too, and commands work.
    let server = GatewayProcess::start(folder);
    let merchant = account.merchant(&server);
    is_suspended(&merchant).await;
    old_orders_are_served(&merchant).await;
    is_whole(folder).await;
    was_opened_again(folder, &merchant, &account.credentials.identity).await;
    let acknowledge = ["reconcile", "--acknowledge"];
    let acknowledged = folder.run(&acknowledge).well();
    assert!(
        acknowledged.stdout.contains("payments are taken"),
        "{acknowledged:?}"
    );

    buys(&merchant, "afterwards").await.with_status(200);
    was_opened_again(folder, &merchant, &account.credentials.identity).await;
    provider_journal::audit_is_clean(folder);
    assert!(server.terminate().await.success());
}
