//! Keys that merchants make, over starts of the server and against writers of the database. What
//! was revoked must stay revoked, and what no gateway wrote must open nothing.

use crate::tables::between;
use rusqlite::Connection;
use serde_json::json;
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal;

const BALANCE: &str = "/account/balance";

/// Within this a revocation is felt everywhere.
const FELT_WITHIN: Duration = Duration::from_secs(1);

fn with(account: &MerchantCredentials, key: &str) -> MerchantCredentials {
    MerchantCredentials {
        key: key.to_owned(),
        ..account.clone()
    }
}

/// Runs statements, each of which must add one row.
fn insert(folder: &GatewayFolder, statements: &[String]) {
    for sql in statements {
        match folder.database() {
            None => {
                let store = Connection::open(folder.data().join("manilla.db")).expect("the store");
                assert_eq!(store.execute(sql, []).expect("a row"), 1);
            }
            Some(database) => {
                let added = database.psql(&format!("{sql} RETURNING 1;"));
                assert_eq!(added.lines().count(), 1);
            }
        }
    }
}

#[tokio::test]
async fn a_key_and_its_revocation_last_over_a_start() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Keys", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let (kept, kept_secret) = merchant.make_key("read").await;
    let (revoked, revoked_secret) = merchant.make_key("read,pay").await;
    let reader = merchant.as_account(&with(&account, &kept_secret));
    let payer = merchant.as_account(&with(&account, &revoked_secret));
    let order = OrderFamily::Airtime.order("by-key", "0000");
    let refused = reader.post(AIRTIME, &order).await.with_status(403);
    assert_eq!(refused.json()["serviceCode"], 803, "{refused:?}");
    payer.post(AIRTIME, &order).await.with_status(200);
    merchant.revoke_key(&revoked).await;
    eventually("the key is refused", FELT_WITHIN, async || {
        (payer.get(BALANCE).await.status == 401).then_some(())
    })
    .await;
    server.terminate().await;
    let server = GatewayProcess::start(&folder);
    let (reader, payer) = (reader.at(server.address()), payer.at(server.address()));
    reader.get(BALANCE).await.with_status(200);
    payer.get(BALANCE).await.with_status(401);
    let shown = reader.get("/account/permissions").await.with_status(200);
    assert!(shown.body.contains(&kept) && !shown.body.contains(&revoked));
    provider_journal::audit_is_clean(&folder);
}

#[tokio::test]
async fn rows_that_a_writer_of_the_database_adds_open_nothing_and_fail_the_audit() {
    let folder = GatewayFolder::with(QUICK);
    let [thief, victim] = ["Thief", "Victim"].map(|name| folder.account(name, "10000.00"));
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &thief);
    let made = json!({"keyName": "Mine", "keyScopes": "read"});
    let made = merchant.post("/account/keys", &made).await.with_status(201);
    let id = between(&made.body, "keyIdentifier").expect("a number");
    let id = u64::from_str_radix(&id, 16)
        .expect("a number")
        .cast_signed();
    let secret = made.text("keySecret");
    server.terminate().await;
    let copied = |account: &str, id: i64, other: i64, hint: &str, scopes: &str| {
        format!(
            "INSERT INTO access_keys (account, id, name, hint, hash, scopes, networks, expires_at,
                user_id, created_at, made_by, seal)
            SELECT '{account}', {other}, name, {hint}, hash, {scopes}, networks, expires_at,
                user_id, created_at, made_by, seal FROM access_keys WHERE id = {id}"
        )
    };
    let live = |account: &str, id: i64| {
        format!("INSERT INTO access_keys_live (account, id) VALUES ('{account}', {id})")
    };
    // One in another account, and one with more scopes that takes the place of the first.
    let wider = id ^ 1;
    insert(
        &folder,
        &[
            copied(&thief.identity, id, wider, "'mk_test_zzzz'", "'read,pay'"),
            live(&thief.identity, wider),
            copied(&victim.identity, id, id, "hint", "scopes").replace(
                &format!("WHERE id = {id}"),
                &format!("WHERE id = {id} AND account = '{}'", thief.identity),
            ),
            live(&victim.identity, id),
        ],
    );
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    let own = merchant.as_account(&with(&thief, &secret));
    own.get(BALANCE).await.with_status(200);
    let order = OrderFamily::Airtime.order("by-thief", "0000");
    own.post(AIRTIME, &order).await.with_status(403);
    let stolen = merchant.as_account(&with(&victim, &secret));
    stolen.get(BALANCE).await.with_status(401);
    let owner = merchant.as_account(&victim);
    owner.get(BALANCE).await.with_status(200);
    let audit = folder.run(&["audit"]);
    assert_eq!(audit.status.code(), Some(1));
    assert!(audit.stdout.contains("I25    BROKEN"), "{}", audit.stdout);
}

#[tokio::test]
async fn an_operator_ends_the_keys_that_a_merchant_made_too() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Robbed", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let made = json!({"keyName": "Of a thief", "keyScopes": "read,pay,admin"});
    let made = merchant.post("/account/keys", &made).await.with_status(201);
    let stolen = merchant.as_account(&with(&account, &made.text("keySecret")));
    stolen.get(BALANCE).await.with_status(200);
    let revoke = [
        "key",
        "revoke",
        "--identity",
        &account.identity,
        "--all",
        "--json",
    ];
    let revoked = folder.run(&revoke).well().json();
    assert_eq!(revoked["revoked"], 2, "{revoked}");
    assert_eq!(revoked["live"], json!([]), "{revoked}");
    eventually("the key is refused", FELT_WITHIN, async || {
        let refused = stolen.get(BALANCE).await.status == 401;
        refused.then_some(())
    })
    .await;
    provider_journal::audit_is_clean(&folder);
}

#[tokio::test]
async fn a_key_that_may_not_pay_cannot_use_up_what_the_account_may_pay() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Shop", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let made = json!({"keyName": "Dashboard", "keyScopes": "read"});
    let made = merchant.post("/account/keys", &made).await.with_status(201);
    let reader = merchant.as_account(&with(&account, &made.text("keySecret")));
    for number in 0..30 {
        let order = OrderFamily::Airtime.order(&format!("by-reader-{number}"), "0000");
        let refused = reader.post(AIRTIME, &order).await;
        assert!([403, 429].contains(&refused.status), "{refused:?}");
        assert_eq!(refused.header("ratelimit-remaining"), None);
    }
    let order = OrderFamily::Airtime.order("by-owner", "0000");
    let paid = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(paid.txn_status(), "Successful");
}
