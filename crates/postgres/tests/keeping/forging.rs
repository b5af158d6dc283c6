//! What is written past the gateway is neither spent nor moved on, and the audit names it.

use crate::stage::{buy, database, has_account, is_clean, open};
use domain::change_set::ChangeSet;
use ports::audit::{Audit, CheckOutcome, Serving};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use ports::{PortError, PortErrorKind};
use postgres::PostgresStore;
use postgres_cluster::TestDatabase;
use std::sync::Arc;
use storage_sql::row_macs::RowsWithoutCode;
use testkit::builders::{START, account_id, advance, airtime, at, delivered, reference};
use testkit::forgeries::{KEEP_THE_WALLET, OF_A_TRANSACTION, OF_A_WALLET, PUT_THE_WALLET_BACK};

/// A shop that bought twice, beside a kiosk that has more.
async fn bought_twice() -> (TestDatabase, Arc<PostgresStore>) {
    let database = database().await;
    let store = open(&database.url()).await;
    has_account(&store, "shop", "1,000.00").await;
    has_account(&store, "kiosk", "5,000,000.00").await;
    for n in 1..=2 {
        assert_eq!(store.commit(buy(n)).await.unwrap(), CommitOutcome::Done);
    }
    (database, store)
}

/// Runs SQL past the triggers.
fn forge(database: &TestDatabase, sql: &str) {
    let _ = database.psql(&format!("SET session_replication_role = replica; {sql};"));
}

fn is_refused(answer: Result<CommitOutcome, PortError>, sql: &str) {
    let error = answer.expect_err(sql);
    assert_eq!(error.trouble, PortErrorKind::Record, "{sql}: {error:?}");
}

/// What the audit says of rows that no gateway wrote.
async fn named(store: &PostgresStore) -> Vec<String> {
    let results = store.audit(START, Serving::Yes).await.unwrap();
    let codes = results.into_iter().find(|it| it.invariant == "I35");
    match codes.unwrap().outcome {
        CheckOutcome::Broken { offences } => offences,
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
    }
}

#[tokio::test]
async fn a_forged_wallet_is_not_spent() {
    for sql in OF_A_WALLET {
        let (database, store) = bought_twice().await;
        assert_eq!(named(&store).await, [""; 0]);
        forge(&database, sql);
        is_refused(store.commit(buy(3)).await, sql);
        let wallet = "the wallet of shop in NGN was written by other means than the gateway";
        assert!(named(&store).await.iter().any(|it| it == wallet), "{sql}");
        let neighbour = airtime().by("kiosk").nth(9).priced("1.00").change();
        assert_eq!(store.commit(neighbour).await.unwrap(), CommitOutcome::Done);
    }
}

#[tokio::test]
async fn a_forged_transaction_is_not_moved_on() {
    for sql in OF_A_TRANSACTION {
        let (database, store) = bought_twice().await;
        forge(&database, sql);
        let tx = airtime().nth(1).priced("1.00").transaction();
        let sold = advance(&tx, &delivered(&tx), at(1));
        is_refused(store.commit(ChangeSet::Advance(Box::new(sold))).await, sql);
        let name = reference("order-1");
        let read = store.by_reference(&account_id("shop"), &name).await;
        assert_eq!(read.expect_err(sql).trouble, PortErrorKind::Record);
        let order = "of shop was written by other means than the gateway";
        assert!(named(&store).await[0].ends_with(order), "{sql}");
        assert_eq!(store.commit(buy(3)).await.unwrap(), CommitOutcome::Done);
    }
}

/// The code of an older row is right. What follows from the row has been written already.
#[tokio::test]
async fn an_older_wallet_meets_the_line_that_followed_it() {
    let (database, store) = bought_twice().await;
    forge(&database, KEEP_THE_WALLET);
    assert_eq!(store.commit(buy(3)).await.unwrap(), CommitOutcome::Done);
    forge(&database, PUT_THE_WALLET_BACK);
    let error = store.commit(buy(4)).await.unwrap_err();
    assert!(!error.to_string().is_empty());
    let neighbour = airtime().by("kiosk").nth(9).priced("1.00").change();
    assert_eq!(store.commit(neighbour).await.unwrap(), CommitOutcome::Done);
}

/// A person puts the balance right, and says so with the key ring.
#[tokio::test]
async fn a_wallet_that_was_put_right_is_given_its_code_and_a_wrong_one_is_not() {
    let (database, store) = bought_twice().await;
    forge(&database, OF_A_WALLET[0]);
    let given = store.authenticate_rows(RowsWithoutCode::Altered).await;
    let given = given.unwrap();
    assert_eq!(given.wallets, 0);
    let shop = ("shop".to_owned(), "NGN".to_owned());
    assert_eq!(given.unbalanced, [shop]);
    is_refused(
        store.commit(buy(3)).await,
        "it is not the sum of its transfers",
    );
    let right = "UPDATE wallets SET available = available - 100000000, mac = '1:'
        WHERE account = 'shop' AND currency = 'NGN'";
    forge(&database, right);
    is_refused(store.commit(buy(3)).await, "it has no code");
    let given = store.authenticate_rows(RowsWithoutCode::Altered).await;
    assert_eq!(given.unwrap().wallets, 1);
    assert_eq!(store.commit(buy(3)).await.unwrap(), CommitOutcome::Done);
    assert_eq!(named(&store).await, [""; 0]);
}

/// Rows of an older program have no codes; they are given them once.
#[tokio::test]
async fn rows_of_before_there_were_codes_are_given_theirs_once() {
    let (database, store) = bought_twice().await;
    let _ = database.psql("UPDATE database_identity SET rows_authenticated_at = NULL;");
    let before = "UPDATE transactions SET purchase_mac = NULL, progress_mac = NULL
        WHERE reference = 'order-1'";
    forge(&database, before);
    let given = store.authenticate_rows(RowsWithoutCode::Earlier).await;
    let given = given.unwrap();
    assert_eq!(
        (given.was_done, given.transactions, given.wallets),
        (false, 1, 0)
    );
    store.close().await;
    let store = open(&database.url()).await;
    forge(&database, OF_A_WALLET[0]);
    let again = store.authenticate_rows(RowsWithoutCode::Earlier).await;
    assert!(again.unwrap().was_done);
    is_refused(store.commit(buy(3)).await, "codes are given once");
}

#[tokio::test]
async fn what_was_frozen_is_not_thawed_past_the_gateway() {
    use domain::freeze::FreezeTarget;
    use ports::freezes::{FreezeChange, Freezes};
    use testkit::builders::{freeze, noted_change};
    let (database, store) = bought_twice().await;
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    let set = store.set_freeze(&frozen, &noted_change("shop")).await;
    assert_eq!(set.unwrap(), FreezeChange::Done);
    is_clean_of_forgeries(&store).await;
    forge(
        &database,
        "UPDATE wallets SET frozen = NULL WHERE account = 'shop' AND currency = 'NGN'",
    );
    is_refused(store.commit(buy(3)).await, "the freeze was lifted");
}

async fn is_clean_of_forgeries(store: &PostgresStore) {
    assert_eq!(named(store).await, [""; 0]);
    is_clean(store).await;
}
