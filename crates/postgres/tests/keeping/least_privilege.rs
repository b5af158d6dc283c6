//! A server that runs in a role with the least it needs: everything it does works, and nothing
//! else. The storage contract is run in such a role too, beside this.

use crate::stage::{buy, database, has_account, is_clean, open};
use domain::account::AccountStatus;
use ports::accounts::Accounts;
use ports::books::{Books, Committed};
use ports::peers::{Heard, Peers};
use ports::reconciliation::{Acknowledgement, Reconciliation};
use postgres::migrate;
use postgres_cluster::Database;
use testkit::builders::{account_id, provider_id};

/// A role that may log in and nothing else, for one database.
pub(crate) fn role(database: &Database) -> String {
    let role = format!("server of {}", database.name());
    let _ = database.psql(&format!("CREATE ROLE \"{role}\" LOGIN;"));
    role
}

/// How a role connects to a database.
pub(crate) fn url(database: &Database, role: &str) -> String {
    let role = role.replace(' ', "%20");
    database.url().replace("manilla@", &format!("{role}@"))
}

#[tokio::test]
async fn a_server_of_the_least_role_serves() {
    let database = database().await;
    let role = role(&database);
    let told = migrate(&database.url(), Some(&role)).await.unwrap();
    assert_eq!(told.run, [""; 0], "the schema was there");
    let store = open(&url(&database, &role)).await;
    has_account(&store, "shop", "100.00").await;
    assert_eq!(store.commit(buy(1)).await.unwrap(), Committed::Done);
    let shop = account_id("shop");
    assert!(
        store
            .set_status(&shop, AccountStatus::Active)
            .await
            .unwrap()
    );
    assert_eq!(store.hear().await, Heard::Missed);
    assert_eq!(store.hear().await, Heard::Alive);
    is_clean(&store).await;

    let _ = database.psql("UPDATE generation SET system_identifier = 1;");
    let held = open(&url(&database, &role)).await;
    assert_eq!(held.commit(buy(2)).await.unwrap(), Committed::Held);
    let word = Acknowledgement {
        by: "Ngozi Eze".into(),
        provider: provider_id("sandbox"),
        compared: 0,
        missing: Vec::new(),
    };
    assert!(held.acknowledge(&word).await.unwrap());
    assert_eq!(held.commit(buy(2)).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn a_server_of_the_least_role_can_do_no_harm() {
    let database = database().await;
    let role = role(&database);
    migrate(&database.url(), Some(&role)).await.unwrap();
    let harm = [
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
        "UPDATE endpoints SET target = 'https://thief.example/'",
        "UPDATE endpoints SET with_tokens = true",
        "UPDATE deliveries SET progress = '{}'",
        "UPDATE delivery_attempts SET status = 200",
        "TRUNCATE deliveries",
        "UPDATE fundings SET amount = 1",
        "DELETE FROM reconciliations",
        "DELETE FROM generation",
        "INSERT INTO generation VALUES (false)",
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
    for sql in harm {
        let told = database.try_psql(&format!("SET ROLE \"{role}\"; {sql};"));
        let told = told.expect_err(sql);
        let refused = told.contains("permission denied") || told.contains("must be owner");
        assert!(refused, "{sql}: {told}");
    }
}

#[tokio::test]
async fn granting_to_nobody_leaves_nothing_and_says_what_to_do() {
    let database = postgres_cluster::Cluster::shared().database();
    let told = migrate(&database.url(), Some("nobody; DROP")).await;
    let told = told.unwrap_err().to_string();
    assert!(told.contains("CREATE ROLE"), "{told}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public';";
    assert_eq!(database.psql(tables), "0");
}
