//! A server that runs in a role with the least it needs: everything it does works, and nothing
//! else. The storage contract is run in such a role too, beside this.

use crate::stage::{buy, database, has_account, is_clean, open};
use domain::account::AccountStatus;
use domain::change_set::ChangeSet;
use domain::freeze::FreezeTarget;
use ports::accounts::Accounts;
use ports::freezes::{FreezeChange, Freezes};
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::peers::{PeerEvent, Peers};
use ports::reconciliation::{AcknowledgeOutcome, Reconciliation};
use ports::senders::Senders;
use ports::webhooks::{EndpointRegistration, Endpoints};
use postgres::{Roles, TableAccess, migrate};
use postgres_cluster::{Cluster, TestDatabase};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use testkit::builders::{
    account, account_id, at, endpoint, freeze, funding, key, noted_change, sender, vouched,
};

/// A role that may log in and nothing else, for one database.
pub(crate) fn role(database: &TestDatabase) -> String {
    named(database, "server")
}

fn named(database: &TestDatabase, what: &str) -> String {
    let role = format!("{what} of {}", database.name());
    let _ = database.psql(&format!("CREATE ROLE \"{role}\" LOGIN;"));
    role
}

/// What a server of a role is given.
pub(crate) fn server(role: &str) -> Roles<'_> {
    Roles {
        server: Some(role),
        operator: None,
    }
}

/// What its operators do beside a server: open an account with money in it.
async fn an_operator_opens(database: &TestDatabase, id: &str, balance: &str) {
    let operator = named(database, "operator");
    let roles = Roles {
        server: None,
        operator: Some(&operator),
    };
    migrate(&database.url(), &roles).await.unwrap();
    let store = open(&url(database, &operator)).await;
    has_account(&store, id, balance).await;
}

/// How a role connects to a database.
pub(crate) fn url(database: &TestDatabase, role: &str) -> String {
    let role = role.replace(' ', "%20");
    database.url().replace("manilla@", &format!("{role}@"))
}

#[tokio::test]
async fn a_server_of_the_least_role_serves() {
    let database = database().await;
    let role = role(&database);
    let reported = migrate(&database.url(), &server(&role)).await.unwrap();
    assert_eq!(reported.run, [""; 0], "the schema was there");
    an_operator_opens(&database, "shop", "100.00").await;
    let store = open(&url(&database, &role)).await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    let registered = Endpoints::register(
        &*store,
        &endpoint("shop", 1),
        &testkit::builders::noted_change("shop"),
    )
    .await;
    assert_eq!(registered.unwrap(), EndpointRegistration::Done);
    assert_eq!(store.subscribe().await, PeerEvent::Missed);
    assert_eq!(store.subscribe().await, PeerEvent::Alive);
    is_clean(&store).await;

    let _ = database.psql("UPDATE database_identity SET system_identifier = 1;");
    let held = open(&url(&database, &role)).await;
    assert_eq!(held.commit(buy(2)).await.unwrap(), CommitOutcome::Suspended);
    let word = vouched([]);
    let refused = held.acknowledge(&word).await.unwrap_err().to_string();
    assert!(refused.contains("role of operators"), "{refused}");
    let operator = open(&url(&database, &format!("operator of {}", database.name()))).await;
    let acknowledged = operator.acknowledge(&word).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
    assert_eq!(held.commit(buy(2)).await.unwrap(), CommitOutcome::Done);
}

/// What would rewrite the ledger, or give a merchant more than it may have.
const HARM: &[&str] = &[
    "UPDATE transfers SET amount = 1",
    "DELETE FROM transfers",
    "TRUNCATE transfers",
    "UPDATE events SET kind = 'failed'",
    "DELETE FROM transactions",
    "UPDATE transactions SET price = 1",
    "UPDATE transactions SET purchase = '{}'",
    "UPDATE wallets SET currency = 'USD'",
    "DELETE FROM wallets",
    "UPDATE attempts_ended SET provider_reference = 'x'",
    "UPDATE api_keys SET hash = ''",
    "UPDATE accounts SET id = 'x'",
    "DELETE FROM senders",
    "INSERT INTO api_keys SELECT * FROM api_keys",
    "UPDATE api_keys SET revoked_at = 1",
    "UPDATE access_keys SET scopes = 'pay'",
    "DELETE FROM access_keys",
    "UPDATE access_key_revocations SET at = 1",
    "DELETE FROM access_key_revocations",
    "UPDATE account_users SET role = 'owner'",
    "DELETE FROM account_users",
    "UPDATE spending_limits SET per_day = NULL",
    "DELETE FROM spending_limits",
    "UPDATE freezes SET frozen = false",
    "DELETE FROM freezes",
    "UPDATE allowlists SET entries = '[]'",
    "DELETE FROM allowlists",
    "UPDATE account_changes SET after = NULL",
    "UPDATE change_requests SET reason = ''",
    "DELETE FROM change_requests",
    "DELETE FROM account_changes",
    "UPDATE request_log SET status = 200",
    "TRUNCATE request_log",
    "UPDATE incoming_messages SET phone = '2348031234567'",
    "TRUNCATE incoming_messages",
    "UPDATE secret_proofs SET proof = ''",
    "DELETE FROM secret_proofs",
    "UPDATE access_key_ends SET ends_at = 1",
    "DELETE FROM access_key_ends",
    "UPDATE account_user_steps SET kind = 'activated'",
    "DELETE FROM account_user_steps",
    "UPDATE top_ups SET amount = 1",
    "DELETE FROM top_ups",
    "UPDATE refunds SET amount = 1",
    "DELETE FROM refunds",
    "INSERT INTO refund_decisions SELECT * FROM refund_decisions",
    "UPDATE collections SET payee = '1'",
    "UPDATE collections SET redirect = '1'",
    "DELETE FROM collections",
    "UPDATE collected_payments SET amount = 1",
    "DELETE FROM collected_payments",
    "UPDATE invoices SET total = 1",
    "DELETE FROM invoices",
    "UPDATE bookable_services SET reference = 'x'",
    "DELETE FROM bookable_services",
    "UPDATE appointments SET price = 0",
    "DELETE FROM appointments",
    "UPDATE voucher_batches SET amount = 1",
    "DELETE FROM voucher_batches",
    "UPDATE vouchers SET code = ''",
    "DELETE FROM vouchers",
    "UPDATE voucher_redemptions SET discount = 1",
    "DELETE FROM voucher_redemptions",
    "DELETE FROM voucher_rollbacks",
    "DELETE FROM voucher_voids",
    "UPDATE voucher_targets SET target = 1",
    "UPDATE subscriptions SET purchase = ''",
    "DELETE FROM subscriptions",
    "UPDATE subscription_runs SET due_at = 1",
    "DELETE FROM subscription_runs",
    "INSERT INTO accounts SELECT * FROM accounts",
    "UPDATE accounts SET status = 'active'",
    "UPDATE accounts SET email = 'thief@example.com'",
    "UPDATE accounts SET phone = '2348031234567'",
    "INSERT INTO wallets SELECT * FROM wallets",
    "INSERT INTO fundings SELECT * FROM fundings",
    "INSERT INTO senders SELECT * FROM senders",
    "UPDATE senders SET status = 'approved'",
    "INSERT INTO reconciliations SELECT * FROM reconciliations",
    "INSERT INTO unsettled_references SELECT * FROM unsettled_references",
    "UPDATE endpoints SET target = 'https://thief.example/'",
    "UPDATE endpoints SET with_tokens = true",
    "UPDATE deliveries SET progress = '{}'",
    "UPDATE delivery_attempts SET status = 200",
    "TRUNCATE deliveries",
    "UPDATE fundings SET amount = 1",
    "DELETE FROM reconciliations",
    "DELETE FROM database_identity",
    "UPDATE database_identity SET rows_authenticated_at = NULL",
    "UPDATE transactions SET purchase_mac = NULL",
    "INSERT INTO database_identity VALUES (false)",
    "INSERT INTO schema_versions VALUES (99, 'x', '')",
    "UPDATE schema_versions SET checksum = ''",
    "SELECT setval('transfers_id', 1)",
    "ALTER TABLE transfers DISABLE TRIGGER ALL",
    "DROP TRIGGER transfers_append_only ON transfers",
    "CREATE TRIGGER thief AFTER INSERT ON transfers EXECUTE FUNCTION refuse_change()",
    "CREATE RULE thief AS ON INSERT TO transfers DO INSTEAD NOTHING",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RETURN NULL; END'",
    "CREATE TABLE public.transfers_of_mine (id bigint)",
    "CREATE OR REPLACE VIEW audit.transfers AS SELECT 1",
    "DROP TABLE events",
    "SET session_replication_role = replica",
];

#[tokio::test]
async fn a_server_of_the_least_role_can_do_no_harm() {
    let database = database().await;
    let role = role(&database);
    migrate(&database.url(), &server(&role)).await.unwrap();
    for sql in HARM {
        let reported = database.try_psql(&format!("SET ROLE \"{role}\"; {sql};"));
        let reported = reported.expect_err(sql);
        let refused = reported.contains("permission denied") || reported.contains("must be owner");
        assert!(refused, "{sql}: {reported}");
    }
}

/// What it adds under another number than the next would stop every later change.
#[tokio::test]
async fn a_server_of_the_least_role_adds_changes_in_their_order_alone() {
    let database = database().await;
    let role = role(&database);
    migrate(&database.url(), &server(&role)).await.unwrap();
    an_operator_opens(&database, "shop", "1.00").await;
    let store = open(&url(&database, &role)).await;
    let noted = noted_change("shop");
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    let set = store.set_freeze(&frozen, &noted).await;
    assert_eq!(set.unwrap(), FreezeChange::Done);
    let copy = |number: &str| {
        format!(
            "SET ROLE \"{role}\"; INSERT INTO account_changes
            SELECT account, {number}, actor, key, user_id, action, target, before, after, address,
                request_id, at, seal, previous, hash
            FROM account_changes WHERE number = 1;"
        )
    };
    for number in ["1", "3", "9223372036854775807", "0"] {
        let refused = database.try_psql(&copy(number)).expect_err(number);
        assert!(
            refused.contains("has the next number"),
            "{number}: {refused}"
        );
    }
    let _ = database.psql(&copy("2"));
    let frozen = freeze("shop", FreezeTarget::Account, 2);
    let set = store.set_freeze(&frozen, &noted).await;
    assert_eq!(set.unwrap(), FreezeChange::Done);
    let numbers = "SELECT string_agg(number::text, ',' ORDER BY number) FROM account_changes;";
    assert_eq!(database.psql(numbers), "1,2,3");
}

#[tokio::test]
async fn granting_to_an_absent_role_leaves_nothing_and_says_what_to_do() {
    let database = Cluster::shared().database();
    let reported = migrate(&database.url(), &server("nobody; DROP")).await;
    let reported = reported.unwrap_err().to_string();
    assert!(reported.contains("CREATE ROLE"), "{reported}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public';";
    assert_eq!(database.psql(tables), "0");
}

/// A server that was taken over makes no key and no money, and its log says who may.
#[tokio::test]
async fn a_server_of_the_least_role_makes_no_key_and_pays_nothing_in() {
    let database = database().await;
    let role = role(&database);
    migrate(&database.url(), &server(&role)).await.unwrap();
    an_operator_opens(&database, "shop", "1.00").await;
    let store = open(&url(&database, &role)).await;
    let shop = account_id("shop");
    let refusals = [
        store.add_key(&shop, &key(2)).await.map(drop),
        store.revoke_keys(&shop, None, at(1)).await.map(drop),
        store
            .set_status(&shop, AccountStatus::Suspended)
            .await
            .map(drop),
        store
            .create(&account("other").new_account())
            .await
            .map(drop),
        Senders::register(&*store, &sender("shop", "100000000001", "Shop"))
            .await
            .map(drop),
    ];
    for refused in refusals {
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.contains("log in as the role of operators"),
            "{refused}"
        );
    }
    let paid_in = ChangeSet::Fund(funding("shop", "slip", "1.00"));
    let refused = store.commit(paid_in).await.unwrap_err().to_string();
    assert!(
        refused.contains("log in as the role of operators"),
        "{refused}"
    );
    assert_eq!(store.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
    is_clean(&store).await;
}

/// What an earlier version granted to servers is taken back.
#[tokio::test]
async fn a_role_ends_up_with_what_it_needs_and_no_more() {
    let database = database().await;
    let role = role(&database);
    let _ = database.psql(&format!(
        "GRANT INSERT ON api_keys, fundings TO \"{role}\";
        GRANT UPDATE (revoked_at) ON api_keys TO \"{role}\";"
    ));
    migrate(&database.url(), &server(&role)).await.unwrap();
    for right in [
        "has_table_privilege('{role}', 'api_keys', 'INSERT')",
        "has_table_privilege('{role}', 'fundings', 'INSERT')",
        "has_any_column_privilege('{role}', 'api_keys', 'UPDATE')",
    ] {
        let right = right.replace("{role}", &role);
        assert_eq!(database.psql(&format!("SELECT {right};")), "f", "{right}");
    }
}

#[tokio::test]
async fn one_role_for_both_and_a_role_with_every_right_are_refused() {
    let database = database().await;
    let role = role(&database);
    let both = Roles {
        server: Some(&role),
        operator: Some(&role),
    };
    let refused = migrate(&database.url(), &both)
        .await
        .unwrap_err()
        .to_string();
    assert!(refused.contains("two roles"), "{refused}");
    let owner = migrate(&database.url(), &server("manilla")).await;
    let refused = owner.unwrap_err().to_string();
    assert!(refused.contains("every right of the owner"), "{refused}");
}

/// A role that may connect may send and receive notifications, so no other role may connect.
#[tokio::test]
async fn only_roles_that_were_named_may_connect() {
    let database = database().await;
    let (role, earlier) = (role(&database), named(&database, "earlier server"));
    let stranger = named(&database, "stranger");
    let _ = database.psql(&format!(
        "GRANT CONNECT ON DATABASE {0} TO PUBLIC;
        GRANT INSERT ON transactions TO \"{earlier}\";",
        database.name()
    ));
    let connects = async |role: &str| {
        let connected = PgConnection::connect(&url(&database, role)).await;
        connected.map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(connects(&stranger).await, Ok(()));
    let migrated = migrate(&database.url(), &server(&role)).await.unwrap();
    assert_eq!(migrated.access, TableAccess::Named);
    assert_eq!(connects(&role).await, Ok(()));
    assert_eq!(connects(&earlier).await, Ok(()));
    let refused = connects(&stranger).await.unwrap_err();
    assert!(
        refused.contains("permission denied for database"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_migration_without_ownership_reports_that_every_role_may_connect() {
    let database = Cluster::shared().database();
    let owner = named(&database, "owner of the tables");
    let _ = database.psql(&format!(
        "GRANT CREATE ON DATABASE {} TO \"{owner}\";
        GRANT ALL ON SCHEMA public TO \"{owner}\";",
        database.name()
    ));
    let migrated = migrate(&url(&database, &owner), &Roles::default()).await;
    assert_eq!(migrated.unwrap().access, TableAccess::Everyone);
}
