//! The journal is lost with what came after a copy that is put back: what the provider says of it
//! is booked once a person accepts it, and the books are right afterwards.

use serde_json::Value;
use std::time::Duration;
use tests::account::TestAccount;
use tests::folder::{GatewayFolder, under_load};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal, minor};
use tests::{Cluster, ClusterOptions};

const WITHIN: Duration = Duration::from_secs(30);

/// What each reference of the lost purchases comes to, with its number's last digits.
const LOST: [(&str, &str); 5] = [
    ("charged-1", "0000"),
    ("charged-2", "0000"),
    ("absorbed", "0000"),
    ("declined", "0001"),
    ("returned", "0009"),
];

/// What each of them is worth, in minor units.
const WORTH: i64 = 100_000;

#[tokio::test(flavor = "multi_thread")]
async fn what_only_the_provider_knows_is_settled_on_a_backup_of_the_database() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let mut account = TestAccount::within(GatewayFolder::on(&cluster, &under_load("")));
    has_bought_before(&account).await;
    let backup = cluster.backup();
    let before = buys_what_is_lost(&account).await;
    let beside = backup.cluster(&ClusterOptions::default());
    account.folder.move_to(&beside);
    is_settled(&account, &before).await;
}

mod embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_only_the_provider_knows_is_settled_on_a_copy_of_the_file() {
        let account = TestAccount::within(GatewayFolder::embedded(&under_load("")));
        has_bought_before(&account).await;
        let file = account.folder.data().join("manilla.db");
        let copy = account.folder.beside("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        let before = buys_what_is_lost(&account).await;
        for name in ["manilla.db-wal", "manilla.db-shm"] {
            let beside = account.folder.data().join(name);
            if beside.exists() {
                std::fs::remove_file(beside).unwrap();
            }
        }
        std::fs::copy(&copy, &file).unwrap();
        is_settled(&account, &before).await;
    }
}

async fn has_bought_before(account: &TestAccount) {
    let server = GatewayProcess::start(&account.folder);
    let merchant = account.merchant(&server);
    buy(&merchant, ("kept", "0000")).await;
    assert!(server.terminate().await.success());
}

/// Buys what the copy lacks; answers what the account has before.
async fn buys_what_is_lost(account: &TestAccount) -> String {
    let server = GatewayProcess::start(&account.folder);
    let merchant = account.merchant(&server);
    let (before, _) = merchant.balance().await;
    for purchase in LOST {
        buy(&merchant, purchase).await;
    }
    server.kill();
    before
}

async fn buy(merchant: &TestMerchant, (reference, ending): (&str, &str)) {
    let order = OrderFamily::Airtime.order(reference, ending);
    let answer = merchant.buy(OrderFamily::Airtime, &order).await;
    assert!([200, 502].contains(&answer.status), "{answer:?}");
}

async fn is_settled(account: &TestAccount, before: &str) {
    let folder = &account.folder;
    std::fs::remove_dir_all(folder.data().join("journal")).unwrap();
    let server = GatewayProcess::start(folder);
    let look = async || (reconcile(folder, &[])["suspended"] == true).then_some(());
    eventually("payments are suspended", WITHIN, look).await;
    let arguments = ["--references", "sandbox", "--acknowledge"];
    let said = reconcile(folder, &arguments);
    assert_eq!(said["acknowledged"], true, "{said}");
    let names: Vec<_> = LOST.iter().map(|(it, _)| name(account, it)).collect();
    assert_eq!(listed(&said["unsettled"]), sorted(&names), "{said}");

    // What was taken back is so by the provider's own time.
    let look = async || {
        let said = settle(folder, &[]);
        (proposal(&said, &name(account, "returned")) == "not_delivered").then_some(said)
    };
    let proposed = eventually("the delivery is taken back", WITHIN, look).await;
    for reference in ["charged-1", "charged-2", "absorbed"] {
        let word = proposal(&proposed, &name(account, reference));
        assert_eq!(word, "charged", "{proposed}");
    }
    let declined = proposal(&proposed, &name(account, "declined"));
    assert_eq!(declined, "not_delivered", "{proposed}");
    let merchant = account.merchant(&server);
    assert_eq!(merchant.balance().await.0, before, "nothing is accepted");
    let audit = provider_journal::audit(folder).refused();
    assert!(
        audit.stdout.contains("manilla reconcile settle"),
        "{audit:?}"
    );

    let absorbed = name(account, "absorbed");
    let flags = ["--absorb", "--accept"];
    let one = settle(folder, &[&[absorbed.as_str()][..], &flags].concat());
    assert_eq!(one["unsettled"], 4, "{one}");
    let all = ["reconcile", "settle", "--accept", "--json"];
    let all = folder.run(&all).well().json();
    assert_eq!(all["unsettled"], 0, "{all}");
    let (balance, held) = merchant.balance().await;
    assert_eq!(minor(&balance), minor(before) - 2 * WORTH);
    assert_eq!(minor(&held), 0);
    let again = folder.run(&["reconcile", "settle", &absorbed, "--accept"]);
    let again = again.refused();
    assert!(again.stderr.contains("settled before"), "{again:?}");

    for reference in ["charged-1", "charged-2", "absorbed"] {
        let order = OrderFamily::Airtime.order(reference, "0000");
        let refused = merchant
            .buy(OrderFamily::Airtime, &order)
            .await
            .with_status(409);
        assert!(refused.body.contains("delivered"), "{refused:?}");
    }
    let order = OrderFamily::Airtime.order("declined", "0000");
    let free = merchant.buy(OrderFamily::Airtime, &order).await;
    assert_ne!(free.status, 409, "{free:?}");
    assert_eq!(ProviderJournal::read(folder).doubled(), 0);
    let look = async || {
        provider_journal::audit(folder)
            .status
            .success()
            .then_some(())
    };
    eventually("every change is accounted for", WITHIN, look).await;
    provider_journal::audit_is_clean(folder);
    assert!(server.terminate().await.success());
    provider_journal::audit_is_clean(folder);
}

fn name(account: &TestAccount, reference: &str) -> String {
    format!("{}.{reference}.1", account.credentials.identity)
}

fn reconcile(folder: &GatewayFolder, arguments: &[&str]) -> Value {
    let arguments = [&["reconcile", "--json"], arguments].concat();
    folder.run(&arguments).json()
}

fn settle(folder: &GatewayFolder, arguments: &[&str]) -> Value {
    let arguments = [&["reconcile", "settle", "--json"], arguments].concat();
    folder.run(&arguments).json()
}

fn listed(list: &Value) -> Vec<String> {
    let listed = list.as_array().expect("a list").iter();
    let text = |it: &Value| it.as_str().expect("text").to_owned();
    sorted(&listed.map(text).collect::<Vec<_>>())
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names
}

/// What a reference would be settled as.
fn proposal(said: &Value, reference: &str) -> String {
    let mut rows = said["references"].as_array().expect("a list").iter();
    let row = rows.find(|it| it["reference"] == reference);
    let row = row.unwrap_or_else(|| panic!("{reference} is not in {said}"));
    row["proposal"].as_str().unwrap_or_default().to_owned()
}
