//! What operators do to accounts and keys beside a running server, as merchants feel it. It must
//! see every change within a second.

use rusqlite::Connection;
use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal;

const BALANCE: &str = "/account/balance";

/// Within this a change to an account or key is felt.
const FELT_WITHIN: Duration = Duration::from_secs(1);

fn started(
    names: [&str; 2],
) -> (
    GatewayFolder,
    GatewayProcess,
    [(MerchantCredentials, TestMerchant); 2],
) {
    let folder = GatewayFolder::with(QUICK);
    let accounts = names.map(|name| folder.account(name, "10000.00"));
    let server = GatewayProcess::start(&folder);
    let with_client = |account: MerchantCredentials| {
        let merchant = TestMerchant::new(&folder, server.address(), &account);
        (account, merchant)
    };
    let accounts = accounts.map(with_client);
    (folder, server, accounts)
}

async fn until_status(merchant: &TestMerchant, status: u16) -> HttpAnswer {
    let what = format!("the answer is {status}");
    eventually(&what, FELT_WITHIN, async || {
        let answer = merchant.get(BALANCE).await;
        (answer.status == status).then_some(answer)
    })
    .await
}

#[tokio::test]
async fn a_suspended_account_may_do_nothing_and_the_other_goes_on() {
    let (folder, _server, [(account, merchant), (_, other)]) = started(["Suspended", "Other"]);
    merchant.get(BALANCE).await.with_status(200);
    let suspend = [
        "account",
        "suspend",
        "--identity",
        &account.identity,
        "--json",
    ];
    let _ = folder.run(&suspend).well();
    let answer = until_status(&merchant, 403).await;
    assert_eq!(answer.json()["serviceCode"], 801, "{answer:?}");
    let order = OrderFamily::Airtime.order("suspended", "0000");
    merchant.post(AIRTIME, &order).await.with_status(403);
    let wrong = merchant.as_account(&MerchantCredentials {
        key: "wrong".to_owned(),
        ..account
    });
    wrong.get(BALANCE).await.with_status(401);
    other.get(BALANCE).await.with_status(200);
    provider_journal::audit_is_clean(&folder);
}

#[tokio::test]
async fn a_rotated_key_works_beside_the_last_and_a_revoked_one_stops_within_a_second() {
    let (folder, _server, [(account, merchant), _]) = started(["Rotating", "Other"]);
    merchant.get(BALANCE).await.with_status(200);
    let rotate = ["key", "rotate", "--identity", &account.identity, "--json"];
    let rotated = folder.run(&rotate).well().json();
    let key = rotated["mrcAPIKey"]
        .as_str()
        .expect("the new key")
        .to_owned();
    assert_ne!(key, account.key);
    let renewed = merchant.as_account(&MerchantCredentials {
        key: key.clone(),
        ..account.clone()
    });
    until_status(&renewed, 200).await;
    merchant.get(BALANCE).await.with_status(200);
    let hint: String = account.key.chars().take(12).collect();
    let revoke = [
        "key",
        "revoke",
        "--identity",
        &account.identity,
        "--hint",
        &hint,
        "--json",
    ];
    let _ = folder.run(&revoke).well();
    until_status(&merchant, 401).await;
    renewed.get(BALANCE).await.with_status(200);
}

/// A writer of the database copies the row of a key of their own to another
/// account.
#[tokio::test]
async fn a_copied_row_of_a_key_opens_no_other_account() {
    let folder = GatewayFolder::with(QUICK);
    let [thief, victim] = ["Thief", "Victim"].map(|name| folder.account(name, "10000.00"));
    let copy = format!(
        "INSERT INTO api_keys (account, id, hint, hash, created_at)
        SELECT '{}', id, hint, hash, created_at FROM api_keys WHERE account = '{}'",
        victim.identity, thief.identity
    );
    match folder.database() {
        None => {
            let store = Connection::open(folder.data().join("manilla.db")).expect("the store");
            assert_eq!(store.execute(&copy, []).expect("a copy"), 1);
        }
        Some(database) => {
            let copied = database.psql(&format!("{copy} RETURNING 1;"));
            assert_eq!(copied.lines().count(), 1);
        }
    }
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &thief);
    merchant.get(BALANCE).await.with_status(200);
    let stolen = merchant.as_account(&MerchantCredentials {
        key: thief.key,
        ..victim.clone()
    });
    stolen.get(BALANCE).await.with_status(401);
    let owner = merchant.as_account(&victim);
    owner.get(BALANCE).await.with_status(200);
}
