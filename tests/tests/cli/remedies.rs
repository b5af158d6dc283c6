//! What goes wrong at a start or in a command says what it is and what to do. A test must provoke
//! the real thing.

use std::net::TcpListener;
use tests::folder::{GatewayFolder, QUICK};
use tests::orders::OrderFamily;
use tests::process::{GatewayProcess, Launch};
use tests::program;
use tests::provider_journal;

#[test]
fn a_negative_amount_is_named_as_one() {
    let folder = GatewayFolder::with(QUICK);
    let create = ["account", "create", "--name", "Shop", "--balance", "-5.00"];
    let refused = folder.run(&create).refused();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("--balance must not be negative"),
        "{refused:?}"
    );
}

#[test]
fn a_key_of_another_certificate_is_named_as_one() {
    let (first, second) = (GatewayFolder::with(QUICK), GatewayFolder::with(QUICK));
    for folder in [&first, &second] {
        drop(GatewayProcess::start(folder));
    }
    let mut serve = first.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("MANILLA_TLS_CERT", first.data().join("tls/server.pem"));
    serve.env("MANILLA_TLS_KEY", second.data().join("tls/server-key.pem"));
    let refused = program::run(serve).refused();
    assert!(
        refused.stderr.contains("do not belong together"),
        "{refused:?}"
    );
    assert!(!refused.stderr.contains("another program"), "{refused:?}");
}

#[tokio::test]
async fn without_the_providers_journal_its_comparison_is_skipped() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Shop", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = tests::merchant::TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("order-1", "0000");
    merchant
        .buy(OrderFamily::Airtime, &order)
        .await
        .with_status(200);
    assert!(server.terminate().await.success());
    provider_journal::audit_is_clean(&folder);
    std::fs::remove_file(folder.data().join("sandbox.journal")).unwrap();
    let audit = provider_journal::audit(&folder).well().json();
    let mut checks = audit["checks"].as_array().expect("a list").iter();
    let check = checks.find(|it| it["invariant"] == "I7").expect("I7");
    assert_eq!(check["status"], "skipped", "{check}");
    let reason = check["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("the provider's journal is not in"),
        "{reason}"
    );
    let said = folder.run(&["audit"]).well();
    assert!(said.stdout.contains("skipped"), "{said:?}");
}

#[test]
fn a_wrong_pepper_is_left_behind_neither_in_the_database_nor_in_the_folder() {
    let folder = GatewayFolder::shared(QUICK);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut serve = folder.command(&["serve", "--listen", &address]);
    serve.env("MANILLA_PEPPER", "ab".repeat(32));
    let refused = program::run(serve).refused();
    assert!(
        refused.stderr.contains("cannot be listened on"),
        "{refused:?}"
    );
    let _account = folder.account("Shop", "10.00");
    let other = folder.beside("other");
    let mut list = program::command(&["account", "list", "--data"]);
    list.arg(&other)
        .env("MANILLA_DATABASE", folder.database().unwrap().url());
    let keys = std::fs::read(folder.data().join("keys")).unwrap();
    std::fs::create_dir(&other).unwrap();
    tests::secret::write(other.join("keys"), keys);
    let refused = program::run(list).refused();
    assert!(
        refused.stderr.contains("copy the file `pepper`"),
        "{refused:?}"
    );
    assert!(!other.join("pepper").exists());
}

/// What an instance with a key ring of its own sealed would be closed to all others.
#[test]
fn a_folder_without_the_key_ring_of_the_database_is_given_no_other() {
    let folder = GatewayFolder::shared(QUICK);
    let _account = folder.account("Shop", "10.00");
    let other = folder.beside("other");
    let list = || {
        let mut list = program::command(&["account", "list", "--data"]);
        let url = folder.database().unwrap().url();
        list.arg(&other).env("MANILLA_DATABASE", url);
        program::run(list)
    };
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(folder.data().join("pepper"), other.join("pepper")).unwrap();
    let refused = list().refused();
    let said = "copy the files `keys` and `pepper`";
    assert!(refused.stderr.contains(said), "{refused:?}");
    assert!(!other.join("keys").exists());
    std::fs::copy(folder.data().join("keys"), other.join("keys")).unwrap();
    list().well();
}

/// The same of a database in the folder itself: a backup of it would take the wrong file along.
#[test]
fn a_folder_that_lost_its_key_ring_is_given_no_other() {
    let folder = GatewayFolder::embedded(QUICK);
    let _account = folder.account("Shop", "10.00");
    let keys = folder.data().join("keys");
    let aside = folder.beside("keys-aside");
    std::fs::rename(&keys, &aside).unwrap();
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["account", "create", "--name", "Kiosk"],
    ] {
        let refused = folder.run(command).refused();
        assert!(refused.stderr.contains("key-ring accept"), "{refused:?}");
        assert!(!keys.exists());
    }
    std::fs::rename(&aside, &keys).unwrap();
    let copy = folder.beside("copy.db");
    let copy = copy.to_str().unwrap();
    let _ = folder.run(&["backup", "create", "--out", copy]).well();
    // The copy alone is left, and the keys are lost for good.
    std::fs::remove_file(&keys).unwrap();
    let _ = folder.run(&["key-ring", "rotate"]).well();
    let other = folder.run(&["restore", "--from", copy]).refused();
    assert!(other.stderr.contains("--accept-secrets"), "{other:?}");
    let accepted = ["restore", "--from", copy, "--accept-secrets"];
    let _ = folder.run(&accepted).well();
    let _ = folder.run(&["account", "list"]).well();
}

#[tokio::test]
async fn the_key_ring_of_another_folder_is_refused_until_it_is_accepted() {
    let (folder, stranger) = (GatewayFolder::with(QUICK), GatewayFolder::with(QUICK));
    let account = folder.account("Shop", "10000.00");
    let _other = stranger.account("Shop", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = tests::merchant::TestMerchant::new(&folder, server.address(), &account);
    let order = OrderFamily::Airtime.order("order-1", "0000");
    let bought = merchant.buy(OrderFamily::Airtime, &order).await;
    bought.with_status(200);
    assert!(server.terminate().await.success());
    let said = "the newest entry of the attempt journal cannot be opened";
    let again = GatewayProcess::start(&folder);
    assert!(!again.log().contains(said), "{}", again.log());
    assert!(again.terminate().await.success());
    std::fs::copy(stranger.data().join("keys"), folder.data().join("keys")).unwrap();
    let refused = folder.run(&["serve", "--listen", "127.0.0.1:0"]).refused();
    let other_key = "is not that of this store: generation 1 is another key";
    assert!(refused.stderr.contains(other_key), "{refused:?}");
    let audit = folder.run(&["audit"]).refused();
    assert!(audit.stderr.contains(other_key), "{audit:?}");
    let accept = ["key-ring", "accept", "--reason", "the disk is lost"];
    let accepted = folder.run(&accept).well();
    assert!(accepted.stdout.contains("are accepted"), "{accepted:?}");
    let again = folder.run(&accept).well();
    assert!(again.stdout.contains("nothing was changed"), "{again:?}");
    let log = folder.run(&["operator", "log"]).well();
    assert!(log.stdout.contains("secrets-accept"), "{log:?}");
    if folder.database().is_some() {
        assert!(
            accepted.stdout.contains("key-ring authenticate"),
            "{accepted:?}"
        );
        let codes = ["key-ring", "authenticate", "--altered", "--reason", "lost"];
        let _ = folder.run(&codes).well();
    }
    let other = GatewayProcess::start(&folder);
    assert!(other.log().contains(said), "{}", other.log());
    let merchant = tests::merchant::TestMerchant::new(&folder, other.address(), &account);
    let order = OrderFamily::Airtime.order("order-2", "0000");
    let bought = merchant.buy(OrderFamily::Airtime, &order).await;
    bought.with_status(200);
    assert!(other.terminate().await.success());
}

#[tokio::test]
async fn instances_that_sell_at_other_prices_are_warned_of() {
    let price =
        "[[price_override]]\naccount = \"mrc_a\"\nproduct = \"airtime.mtn\"\ncommission = 3.5\n";
    let biller = "[[biller]]\ncategory = \"water\"\ncode = \"690\"\nbrandname = \"Ogun Water\"\n\
        company = \"Ogun Water\"\naddress = \"Abeokuta\"\ncommission = \"0.75\"\n\
        discount = \"1.00\"\nminimum = \"500.00\"\nmaximum = \"500000.00\"\n\
        billing = \"postpaid\"\namount_rule = \"any\"\n";
    let folder = GatewayFolder::shared(QUICK);
    let first = GatewayProcess::start(&folder);
    assert!(!first.log().contains("other prices"), "{}", first.log());
    for (warned, section) in (1..).zip([price, biller]) {
        let other = folder.beside("other.toml");
        std::fs::write(&other, format!("{QUICK}{section}")).unwrap();
        let environment = [("MANILLA_CONFIG", other.to_string_lossy().into_owned())];
        let launch = Launch {
            environment: environment.to_vec(),
            ..Launch::default()
        };
        let second = GatewayProcess::launch(&folder, &launch);
        let said = second.log();
        let found = said.matches("sells at other prices").count();
        assert_eq!(found, warned, "{said}");
        assert!(second.terminate().await.success());
    }
    assert!(first.terminate().await.success());
}
