//! A file made by an older program, brought up to date. What it held must be held afterwards, to
//! the last kobo and line.

use crate::cipher::cipher;
use crate::support::{buy, is_clean, open, raw};
use domain::change_set::ChangeSet;
use domain::money::Currency;
use domain::statement::{Sort, StatementQuery};
use domain::transaction::{Observation, Transaction};
use ports::accounts::Accounts;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::Transactions;
use sqlite::{SqliteOptions, SqliteStore};
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::path::Path;
use testkit::builders::{
    START, account, account_id, advance, airtime, delivered, funding, kobo, number, reference,
    reversed,
};

/// An account with 100.00 paid in, as it was stored while an account had one wallet.
const PAID_IN: &str = "
    INSERT INTO accounts (id, name, status, currency, time_zone, opened_at)
    VALUES ('shop', 'Shop', 'active', 'NGN', 'Africa/Lagos', 0);
    INSERT INTO transfers (
        id, kind, debit_kind, credit_kind, credit_holder, amount, currency, narration, at,
        account, direction, position, nth, available_after
    ) VALUES (
        1, 'fund', 'funding', 'available', 'shop', 10000, 'NGN', 'Paid in', 0,
        'shop', 'credit', 1, 1, 10000
    );
    INSERT INTO fundings (account, reference, transfer_id, at) VALUES ('shop', 'slip-1', 1, 0);
    INSERT INTO wallets (account, available, held, debits, credits)
    VALUES ('shop', 10000, 0, 0, 1);";

/// Airtime of that account for 97.00, as it was stored while it was being sent.
const BEING_SENT: &str = r#"
    INSERT INTO transactions (
        id, number, account, reference, service, provider, state, currency, amount, price, cost,
        fee, version, sequence, opened_at, updated_at, due_at, leased, purchase, progress
    ) VALUES (
        1, 1001, 'shop', 'order-1', 'airtime', 'sandbox', 'sending', 'NGN', 10000, 9700, 9600, 0,
        1, 1, 0, 0, 1768467660000, 1,
        '{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn",
            "network_brandname":"MTN","billing":"prepaid","amount":[10000,"NGN"]}},
            "quote":{"amount":[10000,"NGN"],"commission":[300,"NGN"],"fee":[0,"NGN"],
            "price":[9700,"NGN"],"cost":[9600,"NGN"],"rule":"catalogue:airtime.mtn"}}',
        '{"v":1,"state":{"sending":{"attempt":1,"started_at":0}},"earlier":[]}'
    );
    INSERT INTO attempts (transaction_id, number, state, provider_reference, started_at)
    VALUES (1, 1, 'sending', 'shop.order-1.1', 0);
    INSERT INTO events (transaction_id, sequence, kind, at) VALUES (1, 1, 'opened', 0);
    INSERT INTO transfers (
        id, transaction_id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount,
        currency, narration, at, account, direction, position, nth, available_after
    ) VALUES (
        2, 1, 'hold', 'available', 'shop', 'held', 'shop', 9700,
        'NGN', 'Airtime MTN 2348031234567', 0, 'shop', 'debit', 2, 1, 300
    );
    UPDATE wallets SET available = 300, held = 9700, debits = 1 WHERE account = 'shop';"#;

/// Makes the file with the first migrations alone.
async fn made_by_an_older_program(dir: &Path, held: &'static str) {
    let older = tempfile::tempdir().unwrap();
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    for file in std::fs::read_dir(all).unwrap() {
        let file = file.unwrap();
        if file.file_name().to_str().unwrap() < "0005" {
            std::fs::copy(file.path(), older.path().join(file.file_name())).unwrap();
        }
    }
    let options = SqliteConnectOptions::new().filename(dir.join("manilla.db"));
    let options = options.create_if_missing(true).foreign_keys(true);
    let mut connection = options.connect().await.unwrap();
    let migrator = Migrator::new(older.path()).await.unwrap();
    migrator
        .run_direct(None, &mut connection, false)
        .await
        .unwrap();
    for rows in [PAID_IN, held] {
        let stored = sqlx::raw_sql(rows).execute(&mut connection).await;
        stored.unwrap();
    }
    connection.close().await.unwrap();
}

#[tokio::test]
async fn the_one_wallet_of_an_older_file_becomes_the_wallet_of_its_currency() {
    let dir = tempfile::tempdir().unwrap();
    made_by_an_older_program(dir.path(), "").await;
    let store = open(dir.path()).await;
    let shop = account_id("shop");
    let wallets = store.wallets(&shop).await.unwrap();
    let kept = wallets
        .iter()
        .map(|it| (it.currency(), it.available.minor()));
    let kept: Vec<_> = kept.collect();
    assert_eq!(kept, [(Currency::Ngn, 10_000), (Currency::Crd, 0)]);
    let listed = store.list().await.unwrap();
    assert_eq!(listed[0].0.message_currency, Currency::Ngn);
    assert_eq!(listed[0].1, wallets);
    is_clean(&store).await;

    let again = ChangeSet::Fund(funding("shop", "slip-1", "1.00"));
    let taken = CommitOutcome::FundingTaken(kobo(10_000));
    assert_eq!(store.commit(again).await.unwrap(), taken);
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    let whole = StatementQuery {
        currency: Currency::Ngn,
        offset: 0,
        length: 100,
        sort: Sort::Ascending,
        reference: None,
        direction: None,
    };
    let page = store.statement(&shop, &whole).await.unwrap();
    let after: Vec<_> = page.entries.iter().map(|line| line.after).collect();
    assert_eq!(after, [kobo(10_000), kobo(9_900)]);
    is_clean(&store).await;
}

/// A program that seals cannot seal within a migration.
#[tokio::test]
async fn a_file_with_readable_secrets_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let sms = "UPDATE transactions SET service = 'sms'";
    made_by_an_older_program(dir.path(), BEING_SENT).await;
    let options = SqliteConnectOptions::new().filename(dir.path().join("manilla.db"));
    let mut connection = options.connect().await.unwrap();
    let _ = sqlx::raw_sql("DROP TRIGGER transactions_frozen")
        .execute(&mut connection)
        .await
        .unwrap();
    let _ = sqlx::raw_sql(sms).execute(&mut connection).await.unwrap();
    let frozen = "CREATE TRIGGER transactions_frozen BEFORE UPDATE OF id ON transactions BEGIN
        SELECT RAISE(ABORT, 'frozen'); END";
    let _ = sqlx::raw_sql(frozen)
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let refused = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher()).await;
    let told = format!("{:?}", refused.unwrap_err());
    assert!(told.contains("readable rows from before"), "{told}");
}

#[tokio::test]
async fn what_was_being_sent_in_an_older_file_is_settled_and_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    made_by_an_older_program(dir.path(), BEING_SENT).await;
    let store = open(dir.path()).await;
    is_clean(&store).await;
    let shop = account_id("shop");
    for (news, balances) in [
        (delivered as fn(&Transaction) -> Observation, (300, 0)),
        (reversed, (10_000, 0)),
    ] {
        let under = reference("order-1");
        let stored = store.by_reference(&shop, &under).await.unwrap().unwrap();
        let step = ChangeSet::Advance(Box::new(advance(&stored, &news(&stored), START)));
        assert_eq!(store.commit(step).await.unwrap(), CommitOutcome::Done);
        let wallets = store.wallets(&shop).await.unwrap();
        let kept = wallets
            .iter()
            .map(|it| (it.available.minor(), it.held.minor()));
        assert_eq!(kept.collect::<Vec<_>>(), [balances, (0, 0)]);
        is_clean(&store).await;
    }
}

#[tokio::test]
async fn a_number_that_was_taken_for_all_in_an_older_file_is_taken_for_its_account_alone() {
    let dir = tempfile::tempdir().unwrap();
    made_by_an_older_program(dir.path(), BEING_SENT).await;
    let store = open(dir.path()).await;
    let kiosk = account("kiosk").with_balance("100.00").new_account();
    store.create(&kiosk).await.unwrap();
    let again = airtime().number(1001).priced("1.00");
    let hers = again.clone().reference("order-2").change();
    assert_eq!(
        store.commit(hers).await.unwrap(),
        CommitOutcome::NumberTaken
    );
    let his = again.by("kiosk").change();
    assert_eq!(store.commit(his).await.unwrap(), CommitOutcome::Done);
    for (id, held) in [("shop", 9_700), ("kiosk", 100)] {
        let moved = store
            .transfers(&account_id(id), number(1001))
            .await
            .unwrap();
        let moved: Vec<_> = moved.iter().map(|it| it.amount.minor()).collect();
        assert_eq!(moved, [held]);
    }
    is_clean(&store).await;
}

#[tokio::test]
async fn a_file_is_brought_up_to_date_once() {
    let dir = tempfile::tempdir().unwrap();
    made_by_an_older_program(dir.path(), "").await;
    for _ in 0..2 {
        open(dir.path()).await.close().await;
    }
    let mut connection = raw(dir.path()).await;
    let wallets: i64 = sqlx::query_scalar("SELECT count(*) FROM wallets")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(wallets, 2);
}

/// Whether an older hash belongs to its account cannot be told.
#[tokio::test]
async fn keys_of_an_older_file_are_revoked() {
    let dir = tempfile::tempdir().unwrap();
    let keys = "
        INSERT INTO api_keys (account, hint, hash, created_at, revoked_at)
        VALUES ('shop', 'mk_test_1', zeroblob(32), 1, 2),
            ('shop', 'mk_test_2', zeroblob(32), 3, NULL);";
    made_by_an_older_program(dir.path(), keys).await;
    let store = open(dir.path()).await;
    let known = store.credentials(&account_id("shop")).await.unwrap();
    assert_eq!(known.unwrap().keys, []);
    let mut connection = raw(dir.path()).await;
    let rows: Vec<(i64, String, i64)> =
        sqlx::query_as("SELECT id, hint, revoked_at FROM api_keys ORDER BY id")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    assert_eq!(rows[0], (1, "mk_test_1".to_owned(), 2));
    assert_eq!((rows[1].0, rows[1].1.as_str()), (2, "mk_test_2"));
    assert!(rows[1].2 > 1_763_805_600_000, "in milliseconds: {rows:?}");
    is_clean(&store).await;
}
