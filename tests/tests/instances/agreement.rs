//! What one instance accepted counts at all of them. It must ask another instance than the first.

use serde_json::json;
use std::time::Duration;
use tests::fleet::{Fleet, THREE};
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, AIRTIME, ELECTRICITY, OrderFamily};
use tests::patience::{Stopwatch, eventually, pause};
use tests::provider_journal::{self, ProviderJournal};
use tests::signing::SigningMerchant;
use tokio::task::JoinSet;

const BALANCE: &str = "/account/balance";

/// Within this a pause of a provider is obeyed, at every instance.
const PAUSED_WITHIN: Duration = Duration::from_secs(5);

/// Within this a change to an account or key is felt, at every instance.
const FELT_WITHIN: Duration = Duration::from_secs(1);

/// Keys are seen to be believed for as long as this before one is revoked.
const WARMED_UP: Duration = Duration::from_millis(1_500);

/// Asks again and again, for no longer than a change may take.
async fn until_status(merchant: &TestMerchant, status: u16) {
    let what = format!("the answer is {status}");
    eventually(&what, FELT_WITHIN, async || {
        let answer = merchant.get(BALANCE).await;
        (answer.status == status).then_some(())
    })
    .await;
    // It stays so.
    merchant.get(BALANCE).await.with_status(status);
}

/// Every instance has seen the key, again and again.
async fn warm_up(merchants: &[TestMerchant]) {
    let stopwatch = Stopwatch::start();
    while stopwatch.elapsed() < WARMED_UP {
        for merchant in merchants {
            merchant.get(BALANCE).await.with_status(200);
        }
        pause().await;
    }
}

async fn all_answer([first, second, third]: &[TestMerchant; THREE], status: u16) {
    tokio::join!(
        until_status(first, status),
        until_status(second, status),
        until_status(third, status)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_key_is_refused_by_every_instance_within_a_second() {
    let fleet = Fleet::start(QUICK);
    let owners = fleet.merchants();
    let wanted = json!({"keyName": "Till 1", "keyScopes": ["read", "pay", "admin"]});
    let made = owners[0]
        .post("/account/keys", &wanted)
        .await
        .with_status(201);
    let text = |field: &str| made.json()[field].as_str().expect(field).to_owned();
    let till = MerchantCredentials {
        key: text("keySecret"),
        ..fleet.account.credentials.clone()
    };
    let tills = owners.each_ref().map(|owner| owner.as_account(&till));
    let key = json!({
        "scope": "key", "keyIdentifier": text("keyIdentifier"), "reason": "The laptop was stolen."
    });
    warm_up(&tills).await;
    owners[0]
        .post("/security/freeze", &key)
        .await
        .with_status(200);
    all_answer(&tills, 403).await;
    // The others go on, and the key lifts no freeze of its own.
    tills[1]
        .post("/security/unfreeze", &key)
        .await
        .with_status(403);
    for owner in &owners {
        owner.get(BALANCE).await.with_status(200);
    }
    owners[2]
        .post("/security/unfreeze", &key)
        .await
        .with_status(200);
    all_answer(&tills, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_refused_from_elsewhere_by_every_instance_within_a_second() {
    let fleet = Fleet::start(QUICK);
    let owners = fleet.merchants();
    let wanted = json!({"keyName": "Till 1", "keyScopes": ["read"]});
    let made = owners[0]
        .post("/account/keys", &wanted)
        .await
        .with_status(201);
    let till = MerchantCredentials {
        key: made.text("keySecret"),
        ..fleet.account.credentials.clone()
    };
    let tills = owners.each_ref().map(|owner| owner.as_account(&till));
    warm_up(&tills).await;
    let network = json!({
        "keyIdentifier": made.text("keyIdentifier"), "alwNetwork": "198.51.100.0/24"
    });
    let added = owners[0].post("/security/allowlist", &network).await;
    let added = added.with_status(200);
    all_answer(&tills, 403).await;
    for owner in &owners {
        owner.get(BALANCE).await.with_status(200);
    }
    let removal = json!({"alwIdentifier": added.text("alwIdentifier")});
    owners[2]
        .post("/security/allowlist/remove", &removal)
        .await
        .with_status(200);
    all_answer(&tills, 200).await;
}

/// What an instance knows of nonces is its own; the reference of a payment is known to all.
#[tokio::test(flavor = "multi_thread")]
async fn a_signed_payment_that_is_sent_again_is_refused_or_made_once() {
    let fleet = Fleet::start(QUICK);
    let [first, second, third] = fleet.merchants();
    let signing = SigningMerchant::make(&first, "read,pay").await;
    let order = OrderFamily::Airtime.order("signed-once", "0000");
    let paid = signing.post(AIRTIME, &order, "nonce-1").await;
    paid.with_status(200);
    let again = signing.post(AIRTIME, &order, "nonce-1").await;
    again.with_status(401);
    for other in [second, third] {
        let elsewhere = signing.as_client(&other);
        other.get(BALANCE).await.with_status(200);
        let refused = elsewhere.merchant.post(AIRTIME, &order).await;
        refused.with_status(401);
        // Its nonce counts as its idempotency key.
        let again = elsewhere.post(AIRTIME, &order, "nonce-1").await;
        let again = again.with_status(200);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        let keyed = elsewhere.post(AIRTIME, &order, "nonce-2").await;
        assert_eq!(keyed.status, 422, "{keyed:?}");
        let other = OrderFamily::Airtime.order("signed-twice", "0000");
        let other = elsewhere.post(AIRTIME, &other, "nonce-1").await;
        assert_ne!(other.status, 200, "{other:?}");
    }
    assert_eq!(deliveries(&fleet, "signed-once"), 1);
    assert_eq!(deliveries(&fleet, "signed-twice"), 0);
}

/// A recorded request that makes a key shows no secret when it is sent once more.
#[tokio::test(flavor = "multi_thread")]
async fn a_signed_request_for_a_key_that_is_sent_again_shows_no_secret() {
    let fleet = Fleet::start(QUICK);
    let [first, second, _] = fleet.merchants();
    let signing = SigningMerchant::make(&first, "read,admin").await;
    let wanted = json!({"keyName": "Till 9", "keyScopes": "read", "keySigned": true});
    let made = signing.post("/account/keys", &wanted, "nonce-1").await;
    let made = made.with_status(201);
    assert!(made.json()["keySecret"].is_string(), "{made:?}");
    let elsewhere = signing.as_client(&second);
    let again = elsewhere.post("/account/keys", &wanted, "nonce-1").await;
    let again = again.with_status(200);
    assert_eq!(again.json()["keyIdentifier"], made.json()["keyIdentifier"]);
    for secret in ["keySecret", "keySigningSecret"] {
        assert!(again.json()[secret].is_null(), "{again:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_and_a_suspended_account_are_refused_by_every_instance_within_a_second() {
    let fleet = Fleet::start(QUICK);
    let (folder, account) = (&fleet.account.folder, &fleet.account.credentials);
    let old = fleet.merchants();
    warm_up(&old).await;
    let identity = ["--identity", &account.identity, "--json"];
    let run = |command: &[&str]| folder.run(&[command, &identity].concat()).well().json();
    let rotated = run(&["key", "rotate"]);
    let renewed = MerchantCredentials {
        key: rotated["mrcAPIKey"].as_str().expect("the key").to_owned(),
        ..account.clone()
    };
    let new = old.each_ref().map(|old| old.as_account(&renewed));
    all_answer(&new, 200).await;
    warm_up(&old).await;
    let hint: String = account.key.chars().take(12).collect();
    let _ = run(&["key", "revoke", "--hint", &hint]);
    all_answer(&old, 401).await;
    all_answer(&new, 200).await;
    let _ = run(&["account", "suspend"]);
    all_answer(&new, 403).await;
    let _ = run(&["account", "resume"]);
    all_answer(&new, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_provider_is_given_nothing_new_by_any_instance_until_it_is_resumed() {
    let fleet = Fleet::start(QUICK);
    let folder = &fleet.account.folder;
    let merchants = fleet.merchants();
    let until = async |word: &str, status: u16| {
        for (index, merchant) in merchants.iter().enumerate() {
            let mut tries = 0;
            eventually(word, PAUSED_WITHIN, async || {
                tries += 1;
                let reference = format!("{word}-{index}-{tries}");
                let order = OrderFamily::Airtime.order(&reference, "4567");
                let answer = merchant.post(AIRTIME, &order).await;
                (answer.status == status).then_some(())
            })
            .await;
        }
    };
    until("before", 200).await;
    let pause = ["provider", "pause", "sandbox", "--reason", "upkeep"];
    folder.run(&pause).well();
    until("paused", 503).await;
    folder.run(&["provider", "resume", "sandbox"]).well();
    until("resumed", 200).await;
}

fn deliveries(fleet: &Fleet, reference: &str) -> usize {
    let account = &fleet.account;
    ProviderJournal::read(&account.folder).deliveries(&account.credentials.identity, reference)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_replayed_and_a_reference_refused_by_an_instance_that_never_saw_them() {
    let fleet = Fleet::start(QUICK);
    let [first, second, third] = fleet.merchants();
    let order = OrderFamily::Airtime.order("once", "0000");
    let bought = first.post_keyed(AIRTIME, "key", &order).await;
    assert_eq!(bought.with_status(200).header("idempotency-replayed"), None);
    let bought = first.get(&OrderFamily::Airtime.report("once")).await;
    for other in [&second, &third] {
        let again = other.post_keyed(AIRTIME, "key", &order).await;
        let again = again.with_status(200);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.json()["txnReference"], bought.json()["txnReference"]);
        let another = OrderFamily::Airtime.order("twice", "0000");
        let refused = other.post_keyed(AIRTIME, "key", &another).await;
        assert_eq!(refused.with_status(422).faulty(), ["Idempotency-Key"]);
        let meter = orders::electricity("once", "04512340000", "5000");
        for (path, repeated) in [(AIRTIME, &order), (ELECTRICITY, &meter)] {
            let refused = other.post(path, repeated).await.with_status(422);
            assert_eq!(refused.faulty(), ["mrcReference"], "{refused:?}");
        }
        let report = other.get(&OrderFamily::Airtime.report("once")).await;
        assert_eq!(report.with_status(200).body, bought.body);
        assert_eq!(other.balance().await, first.balance().await);
    }
    assert_eq!(
        (deliveries(&fleet, "once"), deliveries(&fleet, "twice")),
        (1, 0)
    );
    provider_journal::audit_is_clean(&fleet.account.folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_sent_to_every_instance_at_once_is_bought_once() {
    let fleet = Fleet::start(QUICK);
    let order = OrderFamily::Airtime.order("race", "0000");
    let mut racing = JoinSet::new();
    for n in 0..10 {
        for merchant in fleet.merchants() {
            let order = order.clone();
            racing.spawn(async move {
                match n % 2 {
                    0 => merchant.post_keyed(AIRTIME, "race", &order).await,
                    _ => merchant.post(AIRTIME, &order).await,
                }
            });
        }
    }
    let answers = racing.join_all().await;
    let fresh = answers
        .iter()
        .filter(|answer| answer.status == 200 && answer.header("idempotency-replayed").is_none());
    assert_eq!(fresh.count(), 1, "{answers:#?}");
    for answer in &answers {
        assert!(matches!(answer.status, 200 | 409 | 422), "{answer:?}");
    }
    assert_eq!(deliveries(&fleet, "race"), 1);
    provider_journal::audit_is_clean(&fleet.account.folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_naira_is_spent_once_at_whichever_instance() {
    let fleet = Fleet::start(QUICK);
    // Three top-ups of 970.00 are covered, the fourth is not.
    let poor = fleet.account.folder.account("Poor", "3000.00");
    let mut racing = JoinSet::new();
    for n in 0..6 {
        for (index, merchant) in fleet.merchants().iter().enumerate() {
            let merchant = merchant.as_account(&poor);
            racing.spawn(async move {
                let order = OrderFamily::Airtime.order(&format!("last-{n}-{index}"), "0000");
                merchant.post(AIRTIME, &order).await
            });
        }
    }
    let answers = racing.join_all().await;
    let bought = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(bought, 3, "{answers:#?}");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.status, 400, "{refused:?}");
        assert_eq!(refused.json()["serviceCode"], 807, "{refused:?}");
    }
    let [first, ..] = fleet.merchants();
    assert_eq!(
        first.as_account(&poor).balance().await,
        ("90.00".to_owned(), "0.00".to_owned())
    );
    provider_journal::audit_is_clean(&fleet.account.folder);
}

#[test]
fn an_empty_database_is_refused_until_it_is_migrated() {
    let folder = GatewayFolder::embedded(QUICK);
    let database = tests::Cluster::shared().database();
    let run = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("MANILLA_DATABASE", database.url());
        tests::program::run(command)
    };
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["audit"]] {
        let refused = run(arguments).refused();
        assert!(refused.stderr.contains("manilla migrate"), "{refused:?}");
    }
    run(&["migrate"]).well();
    // A command that only reads makes no keys for a store that was never used.
    let unused = run(&["audit"]).refused();
    assert!(unused.stderr.contains("holds no key ring"), "{unused:?}");
    run(&["key-ring", "rotate"]).well();
    run(&["audit"]).well();
}
