//! Copies of the embedded store, made while it is served and put back. What was paid after a copy
//! must be found again, and nothing may be bought before a person says so.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::program::ProgramOutput;
use tests::provider_journal;
use tokio::task::JoinSet;

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn create(folder: &GatewayFolder, copy: &Path) -> ProgramOutput {
    folder.run(&["backup", "create", "--out", &text(copy), "--json"])
}

fn verify(folder: &GatewayFolder, copy: &Path) -> ProgramOutput {
    folder.run(&["backup", "verify", &text(copy), "--json"])
}

async fn buy(merchant: &TestMerchant, reference: &str) -> u16 {
    let order = OrderFamily::Airtime.order(reference, "4567");
    merchant.post(AIRTIME, &order).await.status
}

async fn keep_busy(merchant: TestMerchant) {
    for n in 0..40 {
        assert_eq!(buy(&merchant, &format!("during-{n}")).await, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_made_under_load_is_whole_and_what_came_after_it_is_found_again() {
    let folder = GatewayFolder::embedded(QUICK);
    let account = folder.account("Backup", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    assert_eq!(buy(&merchant, "before").await, 200);
    let mut busy = JoinSet::new();
    busy.spawn(keep_busy(merchant.clone()));
    let copy = folder.beside("copy.db");
    let made = create(&folder, &copy).well().json();
    busy.join_all().await;
    let held = made["transactions"].as_u64().expect("a count");
    assert!((1..=41).contains(&held), "{made}");
    for file in [copy.clone(), folder.beside("copy.db.json")] {
        let permissions = fs::metadata(&file).expect("it is there").permissions();
        assert_eq!(permissions.mode() & 0o777, 0o600, "{}", file.display());
    }
    let checked = verify(&folder, &copy).well().json();
    assert_eq!(checked["transactions"], made["transactions"], "{checked}");
    assert_eq!(checked["manifest"], true, "{checked}");
    let again = create(&folder, &copy).refused();
    assert_eq!(again.status.code(), Some(2), "{again:?}");
    assert_eq!(buy(&merchant, "after").await, 200);

    let from = text(&copy);
    let restore = ["restore", "--from", &from, "--json"];
    let while_served = folder.run(&restore).refused();
    assert!(
        while_served.stderr.contains("stop the server"),
        "{while_served:?}"
    );
    server.terminate().await;
    let done = folder.run(&restore).well().json();
    assert_eq!(done["transactions"], made["transactions"], "{done}");
    let replaced = done["replaced"].as_str().map(PathBuf::from);
    assert!(replaced.is_some_and(|path| path.is_file()), "{done}");

    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    assert_eq!(buy(&merchant, "too-soon").await, 503);
    let report = OrderFamily::Airtime.report("after");
    eventually(
        "a lost payment is found",
        Duration::from_secs(20),
        async || {
            let report = merchant.get(&report).await;
            (report.status == 200 && report.txn_status() == "Successful").then_some(())
        },
    )
    .await;
    eventually(
        "payments are resumed",
        Duration::from_secs(20),
        async || {
            let resumed = folder.run(&["reconcile", "--acknowledge"]);
            resumed.status.success().then_some(())
        },
    )
    .await;
    eventually(
        "payments are made again",
        Duration::from_secs(20),
        async || (buy(&merchant, "resumed").await == 200).then_some(()),
    )
    .await;
    provider_journal::audit_is_clean(&folder);
}

#[test]
fn a_copy_that_was_changed_is_refused_and_nothing_is_put_in_place() {
    let folder = GatewayFolder::embedded(QUICK);
    let _ = folder.account("Changed", "1.00");
    let copy = folder.beside("copy.db");
    create(&folder, &copy).well();
    let sound = fs::read(&copy).expect("the copy");
    let before = fs::read(folder.data().join("manilla.db")).expect("the database");

    // Some bytes within a page: with the manifest, the hash is another one.
    let mut changed = sound.clone();
    let middle = changed.len() / 2;
    changed[middle..middle + 64].fill(0xff);
    fs::write(&copy, &changed).expect("the copy can be written");
    let refused = verify(&folder, &copy).refused();
    let error: Value = serde_json::from_str(&refused.stderr).expect("JSON");
    let said = error["error"].to_string();
    assert!(said.contains("is not what was written"), "{said}");
    let from = text(&copy);
    let refused = folder.run(&["restore", "--from", &from]).refused();
    assert!(
        refused.stderr.contains("is not what was written"),
        "{refused:?}"
    );

    fs::remove_file(folder.beside("copy.db.json")).expect("the manifest");
    fs::write(&copy, &sound[..sound.len() / 2]).expect("the copy can be written");
    let refused = folder.run(&["restore", "--from", &from]).refused();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let after = fs::read(folder.data().join("manilla.db")).expect("the database");
    assert!(before == after, "the database was changed");
}

#[test]
fn a_copy_of_a_database_in_use_is_refused() {
    let folder = GatewayFolder::embedded(QUICK);
    let _ = folder.account("In use", "1.00");
    let copy = folder.beside("by-hand.db");
    fs::copy(folder.data().join("manilla.db"), &copy).expect("the copy can be made");
    let refused = verify(&folder, &copy).refused();
    assert!(refused.stderr.contains("database in use"), "{refused:?}");
}

#[test]
fn a_restore_without_the_keys_changes_nothing() {
    let folder = GatewayFolder::embedded(QUICK);
    let _ = folder.account("Keys", "1.00");
    let copy = folder.beside("copy.db");
    create(&folder, &copy).well();
    let database = || fs::read(folder.data().join("manilla.db")).expect("the database");
    let before = database();
    for missing in ["pepper", "keys"] {
        let (kept, away) = (folder.data().join(missing), folder.beside("away"));
        fs::rename(&kept, &away).expect("it can be moved");
        let refused = folder.run(&["restore", "--from", &text(&copy)]).refused();
        assert!(refused.stderr.contains(missing), "{refused:?}");
        assert!(!kept.exists(), "{missing} was made");
        assert!(before == database(), "the database was changed");
        fs::rename(&away, &kept).expect("it can be moved back");
    }
    folder.run(&["restore", "--from", &text(&copy)]).well();
    assert!(!folder.data().join("restoring").exists());
}

#[test]
fn what_is_left_of_an_interrupted_copy_blocks_no_other() {
    let folder = GatewayFolder::embedded(QUICK);
    let _ = folder.account("Left", "1.00");
    let copy = folder.beside("copy.db");
    fs::write(folder.beside("copy.db.abcd.partial"), b"half").expect("it can be written");
    create(&folder, &copy).well();
    let left = fs::read_dir(copy.parent().expect("a folder")).expect("it can be read");
    let left = left.filter_map(Result::ok).map(|file| file.file_name());
    let left: Vec<_> = left
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.starts_with("copy.db"))
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// Killed at any moment, it leaves the database that was there, or the copy with payments
/// suspended.
#[tokio::test]
async fn a_restore_that_is_killed_leaves_the_old_database_or_the_suspended_copy() {
    let folder = GatewayFolder::embedded(QUICK);
    let account = folder.account("Killed", "1.00");
    let copy = folder.beside("copy.db");
    create(&folder, &copy).well();
    let from = text(&copy);
    let mut left = BTreeSet::new();
    for n in 0..12 {
        // What came after the copy shows which of the two it is.
        let reference = format!("after-{n}");
        let id = account.identity.as_str();
        let credit = ["account", "credit", "--identity", id, "--amount", "1.00"];
        folder
            .run(&[&credit[..], &["--reference", &reference]].concat())
            .well();
        let mut restoring = folder
            .command(&["restore", "--from", &from])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        tokio::time::sleep(Duration::from_millis(15 * n)).await;
        restoring.kill().expect("it can be killed");
        restoring.wait().expect("it ended");
        let status = folder.run(&["status", "--json"]).stdout;
        let status: Value = serde_json::from_str(&status).expect("JSON");
        let again = [&credit[..], &["--reference", &reference, "--json"]].concat();
        let again = folder.run(&again);
        let is_old = again.well().json()["credited"] == false;
        assert_eq!(status["suspended"].is_null(), is_old, "{status}");
        left.insert(is_old);
        if !is_old {
            break;
        }
    }
    assert!(left.contains(&true), "no restore was killed early enough");
}
