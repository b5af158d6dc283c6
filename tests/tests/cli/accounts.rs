//! Accounts, money paid in, and keys, from the command line beside a running server. It must find
//! every refusal with an exit status and a remedy.

use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::patience::eventually;
use tests::process::GatewayProcess;

#[tokio::test]
async fn money_is_paid_in_once_for_a_reference() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Credit", "0.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let id = account.identity.as_str();
    let credit = |reference, amount| {
        folder.run(&[
            "account",
            "credit",
            "--identity",
            id,
            "--amount",
            amount,
            "--reference",
            reference,
            "--json",
        ])
    };
    let first = credit("bank-1", "1,234.50").well().json();
    assert_eq!(
        (&first["credited"], &first["accBalance"]),
        (&true.into(), &"1,234.50".into())
    );
    let again = credit("bank-1", "1,234.50").well().json();
    assert_eq!(
        (&again["credited"], &again["accBalance"]),
        (&false.into(), &"1,234.50".into())
    );
    let other = credit("bank-1", "999.00").refused();
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    assert!(
        other
            .stderr
            .contains("bank-1 was used before, for NGN 1,234.50"),
        "{other:?}"
    );
    let _ = credit("bank-2", "0.50").well();
    assert_eq!(merchant.balance().await.0, "1,235.00");
    for amount in ["0", "-1", "1.234", "1e3", "x"] {
        let refused = credit("bank-3", amount).refused();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(refused.stderr.contains("--amount"), "{refused:?}");
    }
    assert_eq!(merchant.balance().await.0, "1,235.00");
    let lines = merchant
        .get("/account/statement")
        .await
        .with_status(200)
        .json();
    assert_eq!(lines["query"]["found"], 2, "{lines}");
}

#[tokio::test]
async fn an_account_is_reached_by_what_the_operator_sets_at_once() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Corner shop", "10.00");
    let kiosk = folder.account("Kiosk", "10.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let update = |identity: &str, changes: &[&str]| {
        let command = ["account", "update", "--json", "--identity", identity];
        folder.run(&[&command[..], changes].concat())
    };
    let both = ["--email", "Owner@Shop.Example", "--phone", "+2348031234567"];
    let set = update(&account.identity, &both).well().json();
    assert_eq!(set["accEmail"], "owner@shop.example");
    assert_eq!(set["accPhone"], "2348031234567");
    eventually("the profile shows it", Duration::from_secs(3), async || {
        let profile = merchant.get("/account/profile").await.with_status(200);
        (profile.json()["accEmail"] == "owner@shop.example").then_some(())
    })
    .await;
    for (change, what) in [(&both[..2], "e-mail address"), (&both[2..], "phone number")] {
        let taken = update(&kiosk.identity, change).refused();
        assert_eq!(taken.status.code(), Some(1), "{taken:?}");
        assert!(taken.stderr.contains(what), "{taken:?}");
    }
    let left = update(&account.identity, &["--no-email"]).well().json();
    assert_eq!(left["accEmail"], serde_json::Value::Null);
    assert_eq!(left["accPhone"], "2348031234567");
    let _ = update(&kiosk.identity, &both[..2]).well();
    for wrong in [
        &[][..],
        &["--email", "owner"],
        &["--phone", "08031234567"],
        &["--email", "a@b.example", "--no-email"],
    ] {
        let refused = update(&account.identity, wrong).refused();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    }
    let unknown = update("nobody", &both).refused();
    assert!(unknown.stderr.contains("nobody"), "{unknown:?}");
}

#[tokio::test]
async fn accounts_are_listed_suspended_and_resumed_and_unknown_ones_refused() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Corner shop", "10.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let listed = || folder.run(&["account", "list", "--json"]).well().json()["accounts"][0].clone();
    let row = listed();
    assert_eq!(row["mrcIdentity"], *account.identity);
    assert_eq!(
        (&row["accName"], &row["status"]),
        (&"Corner shop".into(), &"active".into())
    );
    assert_eq!(row["accBalance"], "10.00");
    for (command, status) in [("suspend", "suspended"), ("resume", "active")] {
        let changed = folder.run(&[
            "account",
            command,
            "--identity",
            &account.identity,
            "--json",
        ]);
        assert_eq!(changed.well().json()["status"], status);
        assert_eq!(listed()["status"], status);
    }
    let _ = merchant.balance().await;
    for command in [
        &["account", "suspend", "--identity", "nobody"][..],
        &["account", "credit", "--identity", "nobody", "--amount", "1"],
        &["key", "rotate", "--identity", "nobody"],
        &["key", "revoke", "--identity", "nobody", "--all"],
    ] {
        let refused = folder.run(command).refused();
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(refused.stderr.contains("nobody"), "{refused:?}");
    }
    let taken = [
        "account",
        "create",
        "--name",
        "Other",
        "--identity",
        &account.identity,
    ];
    let refused = folder.run(&taken).refused();
    assert!(refused.stderr.contains("--identity"), "{refused:?}");
}

#[tokio::test]
async fn a_third_key_is_refused_and_ends_none() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Keys", "10.00");
    let server = GatewayProcess::start(&folder);
    let rotate = ["key", "rotate", "--identity", &account.identity, "--json"];
    let rotated = || folder.run(&rotate);
    let second = rotated().well().json();
    let oldest = second["live"][0].as_str().expect("a hint").to_owned();
    let refused = rotated().refused();
    let named = format!("another would end {oldest}");
    assert!(refused.stderr.contains(&named), "{refused:?}");
    let remedy = format!("--hint {oldest}");
    assert!(refused.stderr.contains(&remedy), "{refused:?}");
    let work = async |key: &str| {
        let credentials = MerchantCredentials {
            key: key.to_owned(),
            ..account.clone()
        };
        // A client that was never seen before is read afresh.
        let merchant = TestMerchant::new(&folder, server.address(), &credentials);
        merchant.get("/account/balance").await.status
    };
    let second = second["mrcAPIKey"].as_str().expect("a key");
    assert_eq!([work(&account.key).await, work(second).await], [200, 200]);
    let revoke = [
        "key",
        "revoke",
        "--identity",
        &account.identity,
        "--hint",
        &oldest,
    ];
    let _ = folder.run(&revoke).well();
    let third = rotated().well().json();
    let third = third["mrcAPIKey"].as_str().expect("a key");
    // The running server reads an account again for an unknown key, but not for each at once.
    eventually("the third key works", Duration::from_secs(5), async || {
        (work(third).await == 200).then_some(())
    })
    .await;
    assert_eq!(work(second).await, 200);
    let none = [
        "key",
        "revoke",
        "--identity",
        &account.identity,
        "--hint",
        "mk_test_none",
    ];
    let refused = folder.run(&none).refused();
    assert!(refused.stderr.contains("mk_test_"), "{refused:?}");
}
