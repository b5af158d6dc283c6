//! A stored record that cannot be read, behind the program's back. It may cost the one transaction
//! it is about, and nothing else: reversals of others are booked, and its own once it is mended.

use rusqlite::Connection;
use serde_json::Value;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::patience;
use tests::process::GatewayProcess;
use tests::provider_journal;

/// Delivered, and taken back by the provider later.
const TAKEN_BACK: &str = "0009";

/// Long enough to change a record between the delivery and its reversal.
fn settings() -> String {
    QUICK.replace("pending_delay_ms = 500", "pending_delay_ms = 4000")
}

/// Exchanges the record of a purchase, past the triggers that keep it; answers the one before.
fn exchange_record(folder: &GatewayFolder, reference: &str, record: &str) -> String {
    let (read, write) = (
        format!("SELECT purchase FROM transactions WHERE reference = '{reference}'"),
        format!(
            "UPDATE transactions SET purchase = $r${record}$r$ WHERE reference = '{reference}'"
        ),
    );
    match folder.database() {
        None => {
            let mut store = Connection::open(folder.data().join("manilla.db")).unwrap();
            let alone = store.transaction().unwrap();
            let before = alone.query_row(&read, [], |row| row.get(0)).unwrap();
            let trigger: String = alone
                .query_row(
                    "SELECT sql FROM sqlite_master WHERE name = 'transactions_immutable'",
                    [],
                    |row| row.get(0),
                )
                .unwrap();
            let write = write.replace("$r$", "'");
            let script = format!("DROP TRIGGER transactions_immutable; {write}; {trigger};");
            alone.execute_batch(&script).unwrap();
            alone.commit().unwrap();
            before
        }
        Some(database) => {
            let before = database.try_psql(&read).unwrap();
            let write = format!("SET session_replication_role = replica; {write}");
            database.try_psql(&write).unwrap();
            before.trim().to_owned()
        }
    }
}

async fn has_status(merchant: &TestMerchant, reference: &str, status: &str) {
    let path = OrderFamily::Airtime.report(reference);
    let what = format!("{reference} is {status}");
    patience::eventually(&what, Duration::from_secs(20), async || {
        let report = merchant.get(&path).await;
        let is_it = OrderFamily::Airtime.statuses(&report).0 == status;
        is_it.then_some(())
    })
    .await;
}

fn waiting(folder: &GatewayFolder) -> Vec<Value> {
    let listed = folder.run(&["dead-letter", "list", "--json"]).well().json();
    listed["deadLetters"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_unreadable_record_waits_and_stops_no_reversal_of_another() {
    let folder = GatewayFolder::with(&settings());
    let account = folder.account("Unreadable", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for reference in ["planted", "other"] {
        let order = OrderFamily::Airtime.order(reference, TAKEN_BACK);
        let bought = merchant.post(OrderFamily::Airtime.path(), &order).await;
        assert_eq!(bought.status, 200, "{bought:?}");
    }
    let record = exchange_record(&folder, "planted", "{");

    has_status(&merchant, "other", "Reversed").await;
    let waits = patience::eventually("it waits", Duration::from_secs(20), async || {
        Some(waiting(&folder)).filter(|waits| !waits.is_empty())
    })
    .await;
    assert_eq!(waits.len(), 1, "{waits:?}");
    let reference = waits[0]["reference"].as_str().unwrap();
    assert!(reference.contains("planted"), "{waits:?}");
    let reason = waits[0]["reason"].as_str().unwrap();
    assert!(reason.contains("cannot be read"), "{reason}");
    let audit = provider_journal::audit(&folder);
    assert_eq!(audit.status.code(), Some(1), "{audit:?}");
    assert!(audit.stdout.contains("I9"), "{audit:?}");

    exchange_record(&folder, "planted", &record);
    folder.run(&["dead-letter", "retry"]).well();
    has_status(&merchant, "planted", "Reversed").await;
    assert_eq!(waiting(&folder), Vec::<Value>::new());
    assert!(server.interrupt().await.success());
    provider_journal::audit_is_clean(&folder);
}
