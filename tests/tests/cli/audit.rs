//! An audit that finds nothing proves nothing unless it finds what is wrong: violations are planted
//! in the files, one at a time. It must see the exit status and the offending row.

use rusqlite::Connection;
use tests::books;
use tests::folder::{Folder, QUICK};
use tests::merchant::Merchant;
use tests::orders::Family;
use tests::process::Server;

/// The store of a data folder.
const STORE: &str = "manilla.db";

/// A folder with a delivered, a failed and a pending purchase, and no server.
async fn kept() -> Folder {
    let folder = Folder::with(QUICK);
    let account = folder.account("Audit", "100000.00");
    let server = Server::start(&folder);
    let merchant = Merchant::new(&folder, server.address(), &account);
    for (family, ending) in [
        (Family::Airtime, "0000"),
        (Family::Electricity, "0001"),
        (Family::Airtime, "0010"),
    ] {
        let order = family.order(&format!("kept-{ending}"), ending);
        let answer = merchant.post(family.path(), &order).await;
        assert!(matches!(answer.status, 200 | 202), "{answer:?}");
    }
    assert!(server.interrupt().await.success());
    folder
}

#[tokio::test]
async fn every_planted_violation_is_found_and_named() {
    let folder = kept().await;
    books::audit_is_clean(&folder);
    let before = std::fs::read(folder.data().join(STORE)).unwrap();
    for (what, invariant, sql) in [
        (
            "money that came from nowhere",
            "I2",
            "UPDATE wallets SET available = available + 1",
        ),
        (
            "money that is held for nothing",
            "I2",
            "UPDATE wallets SET held = held + 1",
        ),
        (
            "a success without a delivery",
            "I6",
            "UPDATE transactions SET state = 'successful' WHERE reference = 'kept-0001'",
        ),
        (
            "a delivery that was struck out",
            "I6",
            "UPDATE attempts SET state = 'disproven' WHERE state = 'delivered'",
        ),
    ] {
        plant(&folder, sql);
        let said = books::audit(&folder);
        assert_eq!(said.status.code(), Some(1), "{what}: {said:?}");
        let found = said.json();
        assert_eq!(found["status"], "broken", "{what}: {found}");
        let broken = found["checks"].as_array().unwrap().iter();
        let broken: Vec<_> = broken.filter(|check| check["status"] == "broken").collect();
        let named = broken.iter().find(|check| check["invariant"] == invariant);
        let named = named.unwrap_or_else(|| panic!("{what} breaks {invariant}: {broken:#?}"));
        assert!(named["offences"][0].is_string(), "{what}: {named}");
        std::fs::write(folder.data().join(STORE), &before).unwrap();
    }
    books::audit_is_clean(&folder);
}

/// Changes the store behind the program's back.
fn plant(folder: &Folder, sql: &str) {
    let store = Connection::open(folder.data().join(STORE)).expect("the store");
    let changed = store
        .execute(sql, [])
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert!(changed > 0, "{sql} changed nothing");
    // What is only in the log beside the store would outlive its being put back.
    let emptied = store.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    emptied.expect("the log is folded in");
}

#[tokio::test]
async fn a_delivery_the_provider_knows_nothing_of_is_found() {
    let folder = kept().await;
    let book = folder.data().join("sandbox.book");
    let text = std::fs::read_to_string(&book).unwrap();
    let lines = text.lines().filter(|line| !line.contains("kept-0000"));
    let kept: Vec<_> = lines.collect();
    std::fs::write(&book, kept.join("\n") + "\n").unwrap();
    let said = books::audit(&folder);
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    assert!(said.stdout.contains("kept-0000"), "{said:?}");
    let told = folder.run(&["audit"]).refused();
    assert!(
        told.stdout.contains("BROKEN") && told.stdout.contains("kept-0000"),
        "{told:?}"
    );
}

#[tokio::test]
async fn the_books_cannot_be_rewritten() {
    let folder = kept().await;
    let store = Connection::open(folder.data().join(STORE)).unwrap();
    for sql in [
        "UPDATE transfers SET amount = amount + 1",
        "DELETE FROM transfers",
        "UPDATE events SET kind = 'failed'",
        "DELETE FROM events",
        "DELETE FROM transactions",
        "UPDATE wallets SET available = -1",
    ] {
        assert!(store.execute(sql, []).is_err(), "{sql} was let through");
    }
    drop(store);
    books::audit_is_clean(&folder);
}

#[test]
fn an_audit_of_nothing_is_refused() {
    let folder = Folder::empty();
    let refused = books::audit(&folder).refused();
    assert!(refused.stderr.contains("error:"), "{refused:?}");
}
