//! An audit that finds nothing proves nothing unless it finds what is wrong: violations are planted
//! in the books, one at a time. It must see the exit status and the offending row.

use rusqlite::Connection;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::process::GatewayProcess;
use tests::provider_journal;

/// The store of a data folder.
const STORE: &str = "manilla.db";

/// A folder with a delivered, a failed and a pending purchase, and no server.
pub(crate) async fn kept() -> GatewayFolder {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Audit", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for (family, ending) in [
        (OrderFamily::Airtime, "0000"),
        (OrderFamily::Electricity, "0001"),
        (OrderFamily::Airtime, "0010"),
    ] {
        let order = family.order(&format!("kept-{ending}"), ending);
        let answer = merchant.post(family.path(), &order).await;
        assert!(matches!(answer.status, 200 | 202), "{answer:?}");
    }
    assert!(server.interrupt().await.success());
    folder
}

/// A change behind the program's back and the one that takes it back.
struct Plant {
    what: &'static str,
    invariant: &'static str,
    sql: String,
    undo: String,
}

fn plants(folder: &GatewayFolder) -> [Plant; 4] {
    let ended = match folder.database() {
        None => "attempts",
        Some(_) => "attempts_ended",
    };
    let delivery = |state: &str| {
        format!("UPDATE {ended} SET state = '{state}' WHERE provider_reference LIKE '%kept-0000%'")
    };
    let failure = |state: &str| {
        format!("UPDATE transactions SET state = '{state}' WHERE reference = 'kept-0001'")
    };
    [
        Plant {
            what: "money that came from nowhere",
            invariant: "I2",
            sql: "UPDATE wallets SET available = available + 1".to_owned(),
            undo: "UPDATE wallets SET available = available - 1".to_owned(),
        },
        Plant {
            what: "money that is held for nothing",
            invariant: "I2",
            sql: "UPDATE wallets SET held = held + 1".to_owned(),
            undo: "UPDATE wallets SET held = held - 1".to_owned(),
        },
        Plant {
            what: "a success without a delivery",
            invariant: "I6",
            sql: failure("successful"),
            undo: failure("failed"),
        },
        Plant {
            what: "a delivery that was struck out",
            invariant: "I6",
            sql: delivery("disproven"),
            undo: delivery("delivered"),
        },
    ]
}

#[tokio::test]
async fn every_planted_violation_is_found_and_named() {
    let folder = kept().await;
    provider_journal::audit_is_clean(&folder);
    for plant in plants(&folder) {
        let what = plant.what;
        change(&folder, &plant.sql).unwrap_or_else(|refused| panic!("{what}: {refused}"));
        let said = provider_journal::audit(&folder);
        assert_eq!(said.status.code(), Some(1), "{what}: {said:?}");
        let found = said.json();
        assert_eq!(found["status"], "broken", "{what}: {found}");
        let broken = found["checks"].as_array().unwrap().iter();
        let broken: Vec<_> = broken.filter(|check| check["status"] == "broken").collect();
        let named = broken
            .iter()
            .find(|check| check["invariant"] == plant.invariant);
        let named =
            named.unwrap_or_else(|| panic!("{what} breaks {}: {broken:#?}", plant.invariant));
        assert!(named["offences"][0].is_string(), "{what}: {named}");
        change(&folder, &plant.undo).unwrap_or_else(|refused| panic!("{what}: {refused}"));
        provider_journal::audit_is_clean(&folder);
    }
}

/// Changes the books behind the program's back, or says what their store has against it.
pub(crate) fn change(folder: &GatewayFolder, sql: &str) -> Result<(), String> {
    let changed = match folder.database() {
        None => {
            let store = Connection::open(folder.data().join(STORE)).expect("the store");
            store.execute(sql, []).map_err(|error| error.to_string())?
        }
        Some(database) => {
            let rows = database.try_psql(&format!("{sql} RETURNING 1"))?;
            rows.lines().count()
        }
    };
    assert!(changed > 0, "{sql} changed nothing");
    Ok(())
}

#[tokio::test]
async fn a_delivery_the_provider_knows_nothing_of_is_found() {
    let folder = kept().await;
    let path = folder.data().join("sandbox.journal");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().filter(|line| !line.contains("kept-0000"));
    let kept: Vec<_> = lines.collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    let said = provider_journal::audit(&folder);
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    assert!(said.stdout.contains("kept-0000"), "{said:?}");
    let reported = folder.run(&["audit"]).refused();
    assert!(
        reported.stdout.contains("BROKEN") && reported.stdout.contains("kept-0000"),
        "{reported:?}"
    );
}

#[tokio::test]
async fn the_books_cannot_be_rewritten() {
    let folder = kept().await;
    for sql in [
        "UPDATE transfers SET amount = amount + 1",
        "DELETE FROM transfers",
        "UPDATE events SET kind = 'failed'",
        "DELETE FROM events",
        "DELETE FROM transactions",
        "UPDATE wallets SET available = -1",
    ] {
        assert!(change(&folder, sql).is_err(), "{sql} was let through");
    }
    provider_journal::audit_is_clean(&folder);
}
