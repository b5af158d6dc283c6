//! No role rewrites the past, not even the owner of the tables: the triggers refuse whole
//! statements, so no rows are needed to see it.

use crate::stage::database;
use postgres_cluster::TestDatabase;

fn is_refused(database: &TestDatabase, sql: &str) {
    let reported = database.try_psql(sql).expect_err(sql);
    assert!(reported.contains("is append-only"), "{sql}: {reported}");
}

#[tokio::test]
async fn what_only_grows_is_neither_changed_nor_removed() {
    let database = database().await;
    for (table, column) in [
        ("transfers", "amount"),
        ("events", "at"),
        ("fundings", "amount"),
        ("reconciliations", "compared"),
    ] {
        is_refused(&database, &format!("UPDATE {table} SET {column} = 1;"));
        is_refused(&database, &format!("DELETE FROM {table};"));
        is_refused(&database, &format!("TRUNCATE {table};"));
    }
    is_refused(&database, "UPDATE accounts SET environment = 'live';");
    let moved = "UPDATE provider_environments SET environment = 'test';";
    is_refused(&database, moved);
    is_refused(&database, "DELETE FROM provider_environments;");
    is_refused(&database, "UPDATE secret_proofs SET acceptance = 2;");
    is_refused(&database, "DELETE FROM secret_proofs;");
    let upsert = "INSERT INTO events VALUES ('shop', 1, 1, 'opened', 0)
        ON CONFLICT (account, transaction, sequence) DO UPDATE SET kind = 'pending';";
    is_refused(&database, upsert);
    let merge = "MERGE INTO transfers AS t USING (SELECT 1) AS s ON true
        WHEN MATCHED THEN DELETE;";
    is_refused(&database, merge);
}

/// Tables of which no row is removed.
const KEPT: [&str; 31] = [
    "transactions",
    "attempts_ended",
    "accounts",
    "wallets",
    "api_keys",
    "senders",
    "access_keys",
    "access_key_revocations",
    "account_users",
    "account_user_steps",
    "spending_limits",
    "freezes",
    "allowlists",
    "account_changes",
    "change_requests",
    "access_key_ends",
    "top_ups",
    "refunds",
    "refund_decisions",
    "collections",
    "collected_payments",
    "invoices",
    "bookable_services",
    "appointments",
    "voucher_batches",
    "vouchers",
    "voucher_redemptions",
    "voucher_rollbacks",
    "voucher_voids",
    "subscriptions",
    "subscription_runs",
];

#[tokio::test]
async fn what_moves_on_is_never_removed() {
    let database = database().await;
    for table in KEPT {
        is_refused(&database, &format!("DELETE FROM {table};"));
        is_refused(&database, &format!("TRUNCATE {table} CASCADE;"));
    }
    for update in [
        "access_keys SET scopes = 'pay'",
        "access_key_revocations SET at = 1",
        "account_users SET role = 'owner'",
        "account_user_steps SET kind = 'activated'",
        "spending_limits SET per_day = NULL",
        "freezes SET frozen = false",
        "allowlists SET entries = '[]'",
        "account_changes SET after = NULL",
        "change_requests SET reason = ''",
        "access_key_ends SET ends_at = 1",
        "top_ups SET amount = 1",
        "refunds SET amount = 1",
        "refund_decisions SET verdict = 'approved'",
        "collections SET payee = ''",
        "collections SET redirect = ''",
        "collections SET items = '[]'",
        "collected_payments SET amount = 1",
        "invoices SET total = 1",
        "bookable_services SET reference = 'x'",
        "appointments SET price = 0",
        "voucher_batches SET amount = 1",
        "vouchers SET code = ''",
        "voucher_redemptions SET discount = 1",
        "voucher_rollbacks SET at = 1",
        "voucher_voids SET returned = 1",
        "voucher_targets SET target = 1",
        "subscriptions SET purchase = ''",
        "subscription_runs SET run = 1",
    ] {
        is_refused(&database, &format!("UPDATE {update};"));
    }
    for table in [
        "attempts_open",
        "endpoints",
        "deliveries",
        "delivery_attempts",
    ] {
        is_refused(&database, &format!("TRUNCATE {table};"));
    }
    is_refused(&database, "UPDATE delivery_attempts SET took = 1;");
}

/// Whatever an operator is not granted to change, its owner cannot change either, but for the codes
/// of rows: the owner gives those of before theirs.
#[tokio::test]
async fn what_was_agreed_on_is_never_changed() {
    let database = database().await;
    let role = crate::least_privilege::role(&database);
    let roles = postgres::Roles {
        server: None,
        operator: Some(&role),
    };
    postgres::migrate(&database.url(), &roles).await.unwrap();
    for (table, at_least) in [
        ("transactions", 15),
        ("attempts_ended", 5),
        ("attempts_open", 2),
        ("queue", 2),
        ("batches", 12),
        ("batch_items", 4),
        ("wallets", 2),
        ("senders", 4),
        ("endpoints", 7),
        ("deliveries", 11),
    ] {
        let fixed = format!(
            "SELECT column_name FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = '{table}'
                AND NOT has_column_privilege('{role}', 'public.{table}', column_name, 'UPDATE')
                AND column_name <> 'purchase_mac';"
        );
        let fixed = database.psql(&fixed);
        let fixed: Vec<_> = fixed.lines().collect();
        assert!(fixed.len() >= at_least, "{table}: {fixed:?}");
        for column in fixed {
            let sql = format!("UPDATE {table} SET {column} = {column};");
            is_refused(&database, &sql);
        }
    }
}

/// A revoked key cannot be made to work again, nor be said to have been revoked at another time.
#[tokio::test]
async fn a_key_is_revoked_once_for_good() {
    let database = database().await;
    let _ = database.psql(
        "INSERT INTO accounts VALUES ('shop', 'Shop', 'active', 'NGN', 'NGN', 'UTC', 0);
        INSERT INTO api_keys (account, id, hint, hash, created_at)
        VALUES ('shop', 1, 'mk_test_1', decode(repeat('00', 32), 'hex'), 0);
        UPDATE api_keys SET revoked_at = 5;",
    );
    let upsert = "INSERT INTO api_keys SELECT * FROM api_keys
        ON CONFLICT (account, id) DO UPDATE SET revoked_at = NULL;";
    for sql in [
        "UPDATE api_keys SET revoked_at = NULL;",
        "UPDATE api_keys SET revoked_at = 6;",
        upsert,
    ] {
        is_refused(&database, sql);
    }
}
