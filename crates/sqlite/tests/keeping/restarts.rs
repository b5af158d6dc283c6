//! A file opened again: after a farewell, after a crash, and by an older program. One process at a
//! time; what several do to one file belongs to `sharing`.

use crate::cipher::cipher;
use crate::support::{buy, is_clean, open, raw, shop_with, whole};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use sqlite::{SqliteOptions, SqliteStore};
use testkit::builders::{account_id, airtime, kobo, reference};

#[tokio::test]
async fn a_store_opened_again_holds_what_it_held() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    let tx = airtime().priced("60.00").transaction();
    let opened = store
        .commit(airtime().priced("60.00").change())
        .await
        .unwrap();
    assert_eq!(opened, CommitOutcome::Done);
    store.close().await;
    let closed = store.commit(buy(2)).await.unwrap_err();
    assert!(whole(&closed).contains("closed"), "{closed:?}");

    let store = open(dir.path()).await;
    let shop = account_id("shop");
    assert_eq!(
        store.by_reference(&shop, &tx.reference).await.unwrap(),
        Some(tx.clone())
    );
    let wallet = store.wallets(&shop).await.unwrap().remove(0);
    assert_eq!((wallet.available, wallet.held), (kobo(4_000), kobo(6_000)));
    let again = store
        .commit(airtime().nth(2).reference("order-1").change())
        .await
        .unwrap();
    assert_eq!(again, CommitOutcome::ReferenceTaken(Box::new(tx)));
    is_clean(&store).await;
}

#[tokio::test]
async fn a_store_that_was_never_closed_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    // The files as a crash at this moment leaves them: database and log, no word of goodbye.
    let crashed = tempfile::tempdir().unwrap();
    for file in ["manilla.db", "manilla.db-wal"] {
        std::fs::copy(dir.path().join(file), crashed.path().join(file)).unwrap();
    }
    let revived = open(crashed.path()).await;
    let shop = account_id("shop");
    assert!(
        revived
            .by_reference(&shop, &reference("order-1"))
            .await
            .unwrap()
            .is_some()
    );
    is_clean(&revived).await;
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).await.close().await;
    let sql =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        VALUES (9999, 'from the future', true, x'00', 0)";
    sqlx::query(sql)
        .execute(&mut raw(dir.path()).await)
        .await
        .unwrap();
    let error = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("written by a newer version"),
        "{error}"
    );
}
