//! What was written is read back as it was, cannot be changed, and is never guessed at where it is
//! damaged. There must never be more than one caller of the store.

use crate::support::{buy, is_clean, raw, shop_with};
use domain::access::UserStepKind;
use domain::change_set::ChangeSet;
use domain::credential::KeyId;
use domain::freeze::FreezeTarget;
use domain::ledger::TransferKind;
use domain::money::Currency;
use domain::provider::{Refusal, RefusalKind, SubmitOutcome};
use domain::refund::RefundVerdict;
use domain::statement::{Direction, Sort, StatementQuery};
use ports::access_keys::{AccessKeyCreation, AccessKeys, KeyRotation};
use ports::account_users::AccountUsers;
use ports::accounts::Accounts;
use ports::allowlists::{AllowlistChange, Allowlists};
use ports::change_requests::ChangeRequestStore as _;
use ports::freezes::{FreezeChange, Freezes};
use ports::invoices::{InvoiceWrite, Invoices as _};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::operators::Appended;
use ports::recurring::{RecurringCreation, RecurringPayments};
use ports::refunds::{RefundCreation, RefundDeciding, Refunds};
use ports::senders::Senders;
use ports::spending_limits::{LimitChange, SpendingLimits};
use ports::top_ups::{TopUpCreation, TopUps};
use ports::transactions::Transactions;
use testkit::builders::{
    access_key, account_id, account_user, account_user_id, advance, airtime, allowlist, answer, at,
    change_request, freeze, funding, invoice, invoice_opening, number, recurring, reference,
    refund, refund_decision, sender, spending_limit, top_up, user_step,
};

#[tokio::test]
async fn what_was_written_cannot_be_changed_or_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    store.commit(buy(1)).await.unwrap();
    let asked = sender("shop", "100000000001", "MyBank");
    store.register(&asked).await.unwrap();
    let mut connection = raw(dir.path()).await;
    let registered = "INSERT INTO provider_environments VALUES ('bank', 'live');
        INSERT INTO secret_proofs VALUES (1, 'key', 1, zeroblob(32))";
    sqlx::raw_sql(registered)
        .execute(&mut connection)
        .await
        .unwrap();
    let refused = [
        ("UPDATE accounts SET environment = 'live'", "never changes"),
        (
            "UPDATE provider_environments SET environment = 'test'",
            "append-only",
        ),
        ("DELETE FROM provider_environments", "append-only"),
        ("UPDATE secret_proofs SET acceptance = 2", "append-only"),
        ("DELETE FROM secret_proofs", "append-only"),
        ("UPDATE transfers SET amount = amount + 1", "append-only"),
        ("DELETE FROM transfers", "append-only"),
        ("UPDATE events SET kind = 'failed'", "append-only"),
        ("DELETE FROM events", "append-only"),
        ("UPDATE fundings SET at = 0", "append-only"),
        ("DELETE FROM fundings", "append-only"),
        ("DELETE FROM transactions", "never deleted"),
        ("UPDATE transactions SET price = 1", "immutable"),
        ("UPDATE transactions SET reference = 'x'", "immutable"),
        ("UPDATE transactions SET purchase = '{}'", "immutable"),
        ("DELETE FROM attempts", "never deleted"),
        ("UPDATE attempts SET provider_reference = 'x'", "immutable"),
        ("DELETE FROM wallets", "never deleted"),
        ("UPDATE wallets SET currency = 'EUR'", "immutable"),
        ("UPDATE transactions SET vat = 1", "immutable"),
        ("UPDATE transactions SET levy = 1", "immutable"),
        ("DELETE FROM senders", "never deleted"),
        ("UPDATE senders SET name = 'Other'", "immutable"),
        ("UPDATE senders SET account = 'other'", "immutable"),
        ("UPDATE senders SET status = 'liked'", "senders_status"),
        ("DELETE FROM accounts", "never deleted"),
        ("DELETE FROM api_keys", "never deleted"),
        ("UPDATE api_keys SET hash = zeroblob(32)", "immutable"),
        ("UPDATE api_keys SET account = 'x'", "immutable"),
        ("UPDATE api_keys SET id = id + 1", "immutable"),
        ("UPDATE wallets SET available = -1", "wallets_available"),
        ("UPDATE wallets SET held = -1", "wallets_held"),
    ];
    for (sql, expected) in refused {
        let error = sqlx::query(sql)
            .execute(&mut connection)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{sql}: {error}");
    }
    is_clean(&store).await;
}

/// Keys that merchants make, revocations and users are only ever added.
/// Tables about keys and users, each with a change of a row.
const ONLY_ADDED: [(&str, &str); 10] = [
    ("access_keys", "scopes = 'pay'"),
    ("access_key_revocations", "at = 5"),
    ("account_users", "role = 'owner'"),
    ("account_user_steps", "kind = 'activated'"),
    ("spending_limits", "per_day = NULL"),
    ("freezes", "frozen = 0"),
    ("allowlists", "entries = '[]'"),
    ("account_changes", "after = NULL"),
    ("change_requests", "reason = ''"),
    ("access_key_ends", "ends_at = 6"),
];

#[tokio::test]
async fn rows_about_keys_and_users_are_only_added() {
    let noted = testkit::builders::noted_change("shop");
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let shop = account_id("shop");
    store
        .make_access_key(&access_key("shop", 1, "Till 1"), &noted)
        .await
        .unwrap();
    store
        .revoke_access_key(&shop, (KeyId(1), at(1)), &noted)
        .await
        .unwrap();
    store
        .invite_user(&account_user("shop", 7), &noted)
        .await
        .unwrap();
    let step = user_step(1, UserStepKind::Disabled);
    store
        .add_user_step((&shop, account_user_id(7)), &step, &noted)
        .await
        .unwrap();
    let till = access_key("shop", 5, "Till 2");
    store.make_access_key(&till, &noted).await.unwrap();
    let rotation = KeyRotation {
        sealed: access_key("shop", 9, "Till 2"),
        replaced: KeyId(5),
        ends_at: at(5),
        allowlist_seen: 0,
        allowlist: None,
    };
    let rotated = store.rotate_access_key(&rotation, &noted).await;
    assert_eq!(rotated.unwrap(), AccessKeyCreation::Done);
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    let set = store.set_freeze(&frozen, &noted).await;
    assert_eq!(set.unwrap(), FreezeChange::Done);
    let set = store.set_allowlist(&allowlist("shop", 7, 1), &noted).await;
    assert_eq!(set.unwrap(), AllowlistChange::Done);
    let set = store
        .set_spending_limit(&spending_limit("shop", 1), &noted)
        .await;
    assert_eq!(set.unwrap(), LimitChange::Done);
    let appended = store.append(&change_request(1)).await;
    assert_eq!(appended.unwrap(), Appended::Done);
    let mut connection = raw(dir.path()).await;
    for (table, column) in ONLY_ADDED {
        for sql in [
            format!("UPDATE {table} SET {column}"),
            format!("DELETE FROM {table}"),
            format!("INSERT OR REPLACE INTO {table} SELECT * FROM {table}"),
        ] {
            let refused = sqlx::query(sqlx::AssertSqlSafe(sql.clone()));
            let refused = refused.execute(&mut connection).await;
            let error = refused.unwrap_err().to_string();
            assert!(error.contains("append-only"), "{sql}: {error}");
        }
    }
    // The first characters of a key lead to one row too, whatever number another brings.
    let sql = "INSERT OR REPLACE INTO access_keys
        SELECT account, id + 1, name, hint, hash, scopes, networks, expires_at, user_id,
            created_at, made_by, seal, is_signed FROM access_keys";
    let refused = sqlx::query(sql).execute(&mut connection).await;
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("append-only"), "{error}");
    is_clean(&store).await;
}

/// A copy of the first change of `shop` under another number.
fn numbered_change(number: &str) -> String {
    format!(
        "INSERT INTO account_changes
        SELECT account, (SELECT {number} FROM account_changes), actor, key, user_id, action,
            target, before, after, address, request_id, at, seal, previous, hash
        FROM account_changes WHERE number = 1"
    )
}

/// A row of any other number would stop all that come after; a forged one of the next stops none.
#[tokio::test]
async fn a_change_has_the_next_number_of_its_account() {
    let noted = testkit::builders::noted_change("shop");
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    let set = store.set_freeze(&frozen, &noted).await;
    assert_eq!(set.unwrap(), FreezeChange::Done);
    let mut connection = raw(dir.path()).await;
    for number in ["max(number) + 2", "9007199254740991", "0", "-1"] {
        let sql = numbered_change(number);
        let refused = sqlx::query(sqlx::AssertSqlSafe(sql.clone()));
        let refused = refused.execute(&mut connection).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("has the next number"), "{sql}: {error}");
    }
    let next = sqlx::query(sqlx::AssertSqlSafe(numbered_change("max(number) + 1")));
    next.execute(&mut connection).await.unwrap();
    let frozen = freeze("shop", FreezeTarget::Account, 2);
    let set = store.set_freeze(&frozen, &noted).await;
    assert_eq!(set.unwrap(), FreezeChange::Done);
    let numbers = "SELECT group_concat(number) FROM account_changes";
    let numbers: String = sqlx::query_scalar(numbers)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(numbers, "1,2,3");
}

/// What was asked for, and what was decided of it, is never changed.
#[tokio::test]
async fn rows_about_refunds_are_only_added() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let made = refund("shop", 7, "back-1");
    let created = store.create_refund(&made).await.unwrap();
    assert_eq!(created, RefundCreation::Done);
    let decision = refund_decision(RefundVerdict::Refused);
    let decided = store.decide_refund(&made.account, made.number, &decision);
    assert_eq!(decided.await.unwrap(), RefundDeciding::Done);
    let mut connection = raw(dir.path()).await;
    for sql in [
        "UPDATE refunds SET amount = 1",
        "DELETE FROM refunds",
        "INSERT OR REPLACE INTO refunds SELECT * FROM refunds",
        "INSERT OR REPLACE INTO refunds
            SELECT account, number + 1, reference, original, payment, amount, currency, is_whole,
                reason, forced, created_at FROM refunds",
        "UPDATE refund_decisions SET verdict = 'approved'",
        "DELETE FROM refund_decisions",
        "INSERT OR REPLACE INTO refund_decisions SELECT * FROM refund_decisions",
    ] {
        let refused = sqlx::query(sql).execute(&mut connection).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("append-only"), "{sql}: {error}");
    }
}

/// What a subscription buys is never changed, and no run is begun twice.
#[tokio::test]
async fn rows_about_subscriptions_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let made = recurring("shop", 7, "daily");
    let created = store.create_recurring(&made).await.unwrap();
    assert_eq!(created, RecurringCreation::Done);
    let mut connection = raw(dir.path()).await;
    let run = "INSERT INTO subscription_runs VALUES
        ('shop', 7, 1, 0, 0, 0, 'begun', NULL, 'sub-7-1', 0)";
    let begun = "UPDATE subscriptions SET next_run = 2, version = 2";
    for sql in [begun, run] {
        sqlx::query(sql).execute(&mut connection).await.unwrap();
    }
    for (sql, why) in [
        ("UPDATE subscriptions SET purchase = ''", "immutable"),
        ("UPDATE subscriptions SET seal = asked", "immutable"),
        ("UPDATE subscriptions SET next_run = 1", "counted on"),
        ("UPDATE subscriptions SET version = 1", "counted on"),
        (
            "UPDATE subscriptions SET bought = 2, last_at = 1",
            "subscriptions_bought",
        ),
        (
            "UPDATE subscriptions SET status = 'Ended'",
            "subscriptions_live",
        ),
        ("DELETE FROM subscriptions", "never deleted"),
        (
            "INSERT OR REPLACE INTO subscriptions SELECT * FROM subscriptions",
            "never replaced",
        ),
        ("UPDATE subscription_runs SET run = 2", "never renumbered"),
        (
            "UPDATE subscription_runs SET reference = 'sub-7-2'",
            "subscription_runs_derived",
        ),
        (
            "UPDATE subscription_runs SET state = 'refused'",
            "subscription_runs_refusal",
        ),
        (
            "UPDATE subscription_runs SET retries = 4",
            "subscription_runs_tries",
        ),
        ("DELETE FROM subscription_runs", "never deleted"),
        (
            "INSERT OR REPLACE INTO subscription_runs SELECT * FROM subscription_runs",
            "never replaced",
        ),
    ] {
        let refused = sqlx::query(sql).execute(&mut connection).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains(why), "{sql}: {error}");
    }
    is_clean(&store).await;
}

/// What an invoice says is never changed; it is opened once, under the next number, and voided
/// once.
#[tokio::test]
async fn rows_about_invoices_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    for number in [7, 8, 9] {
        let (wanted, opening) = (invoice("shop", number), invoice_opening(number));
        let opening = Some(&opening).filter(|_| number > 7);
        let created = store.create_invoice(&wanted, opening).await.unwrap();
        let InvoiceWrite::Done(created) = created else {
            panic!("{created:?}");
        };
        if number == 9 {
            let voided = store.void_invoice(&created).await.unwrap();
            assert_eq!(voided, InvoiceWrite::Done(Box::new(created.voided())));
        }
    }
    let mut connection = raw(dir.path()).await;
    let opens = "UPDATE invoices SET stage = 'open', opened_at = 1, version = 2, serial =";
    for (sql, why) in [
        ("UPDATE invoices SET total = 1".to_owned(), "immutable"),
        ("UPDATE invoices SET items = '[]'".to_owned(), "immutable"),
        (format!("{opens} 4 WHERE number = 7"), "no gap"),
        (format!("{opens} 2 WHERE number = 7"), "no gap"),
        (format!("{opens} NULL WHERE number = 7"), "invoices_opened"),
        (
            "UPDATE invoices SET stage = 'void', serial = 3, opened_at = 1, version = 2
                WHERE number = 7"
                .to_owned(),
            "no gap",
        ),
        (
            "UPDATE invoices SET version = 3 WHERE number = 7".to_owned(),
            "opened once",
        ),
        (format!("{opens} 1 WHERE number = 8"), "opened once"),
        (
            "UPDATE invoices SET stage = 'void', serial = 3, version = 2 WHERE number = 8"
                .to_owned(),
            "opened once",
        ),
        (
            "UPDATE invoices SET stage = 'void', version = 3 WHERE number = 9".to_owned(),
            "opened once",
        ),
        ("DELETE FROM invoices".to_owned(), "never deleted"),
        (
            "INSERT OR REPLACE INTO invoices SELECT * FROM invoices".to_owned(),
            "never replaced",
        ),
    ] {
        let refused = sqlx::query(sqlx::AssertSqlSafe(sql.clone()));
        let refused = refused.execute(&mut connection).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains(why), "{sql}: {error}");
    }
    is_clean(&store).await;
}

/// What was announced is never changed.
#[tokio::test]
async fn rows_about_top_ups_are_only_added() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let made = top_up("shop", 7, "top-1");
    let created = store.create_top_up(&made).await.unwrap();
    assert_eq!(created, TopUpCreation::Done);
    let mut connection = raw(dir.path()).await;
    for sql in [
        "UPDATE top_ups SET amount = 1",
        "DELETE FROM top_ups",
        "INSERT OR REPLACE INTO top_ups SELECT * FROM top_ups",
        // A reference leads to one row, whatever number another brings.
        "INSERT OR REPLACE INTO top_ups
            SELECT account, number + 1, reference, amount, currency, channel, created_at,
                expires_at FROM top_ups",
    ] {
        let refused = sqlx::query(sql).execute(&mut connection).await;
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("append-only"), "{sql}: {error}");
    }
    is_clean(&store).await;
}

/// A revoked key cannot be made to work again, nor be said to have been revoked at another time.
#[tokio::test]
async fn a_key_is_revoked_once_for_good() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "1.00").await;
    let shop = account_id("shop");
    assert_eq!(store.revoke_keys(&shop, None, at(1)).await.unwrap(), 1);
    let mut connection = raw(dir.path()).await;
    for (sql, expected) in [
        ("UPDATE api_keys SET revoked_at = NULL", "revoked once"),
        ("UPDATE api_keys SET revoked_at = 5", "revoked once"),
        (
            "INSERT INTO api_keys
            SELECT account, id, hint, hash, created_at, NULL FROM api_keys WHERE true
            ON CONFLICT DO UPDATE SET revoked_at = NULL",
            "stored once",
        ),
        (
            "INSERT OR REPLACE INTO api_keys
            SELECT account, id, hint, hash, created_at, NULL FROM api_keys",
            "stored once",
        ),
    ] {
        let refused = sqlx::query(sql).execute(&mut connection).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(expected), "{sql}: {refused}");
    }
    let known = store.credentials(&shop).await.unwrap().unwrap();
    assert_eq!(known.keys, []);
}

#[tokio::test]
async fn words_of_a_provider_come_back_to_the_letter() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    store.commit(buy(1)).await.unwrap();
    let tx = airtime().priced("1.00").transaction();
    let refusal = Refusal {
        kind: RefusalKind::Lookalike,
        code: "\u{0}\u{1}'\"\\".into(),
        reason: "a\u{0}b \u{7f} \u{2028} \u{10ffff} \\u0000 {\"v\":2} Ọ̀ṣun".into(),
    };
    let step = advance(&tx, &answer(&tx, SubmitOutcome::Declined(refusal)), at(1));
    let change = ChangeSet::Advance(Box::new(step.clone()));
    assert_eq!(store.commit(change).await.unwrap(), CommitOutcome::Done);
    let stored = store
        .by_reference(&tx.account, &tx.reference)
        .await
        .unwrap();
    assert_eq!(stored, Some(step.transaction));

    let narration = "cheque \u{0} 'no. 1' \"\\\" 🔌";
    let paid_in = domain::change_set::Funding {
        narration: narration.into(),
        ..funding("shop", "cheque", "1.00")
    };
    store.commit(ChangeSet::Fund(paid_in)).await.unwrap();
    let newest = StatementQuery {
        currency: Currency::Ngn,
        offset: 0,
        length: 1,
        sort: Sort::Descending,
        reference: None,
        direction: Some(Direction::Credit),
    };
    let page = store.statement(&tx.account, &newest).await.unwrap();
    assert_eq!(page.entries[0].narration, narration);
}

#[tokio::test]
async fn a_damaged_record_is_an_error_that_names_the_transaction_and_stops_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = shop_with(dir.path(), "100.00").await;
    for n in [1, 2] {
        assert_eq!(store.commit(buy(n)).await.unwrap(), CommitOutcome::Done);
    }
    let damage = "UPDATE transactions SET progress = '{\"v\":1' WHERE number = 1";
    sqlx::query(damage)
        .execute(&mut raw(dir.path()).await)
        .await
        .unwrap();
    let shop = account_id("shop");
    let error = store
        .by_reference(&shop, &reference("order-1"))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("transaction 1 cannot be read"),
        "{error}"
    );
    assert!(
        store
            .by_reference(&shop, &reference("order-2"))
            .await
            .unwrap()
            .is_some()
    );
    let error = store.commit(buy(1)).await.unwrap_err();
    assert!(
        error.to_string().contains("transaction 1 cannot be read"),
        "{error}"
    );
    assert_eq!(store.commit(buy(3)).await.unwrap(), CommitOutcome::Done);
    let kinds: Vec<_> = store.transfers(&shop, number(3)).await.unwrap();
    assert_eq!(
        kinds.iter().map(|it| it.kind).collect::<Vec<_>>(),
        [TransferKind::Hold]
    );
}
