//! What the audit says of the schema and of rights: who owns the tables can drop what guards them.

use crate::support::AuditedDatabase;

/// What is changed, and what the audit says of it.
const CHANGES: [(&str, &str); 14] = [
    (
        "DROP INDEX transfers_position",
        "index public.transfers.transfers_position is missing",
    ),
    (
        "ALTER TABLE transactions DROP CONSTRAINT transactions_price",
        "constraint public.transactions.transactions_price is missing",
    ),
    (
        "ALTER TABLE wallets DROP CONSTRAINT wallets_available;
        ALTER TABLE wallets ADD CONSTRAINT wallets_available CHECK (available >= -9)",
        "constraint public.wallets.wallets_available is not as the migrations make it",
    ),
    (
        "ALTER TABLE accounts ALTER COLUMN currency DROP NOT NULL",
        "column public.accounts.currency is not as the migrations make it",
    ),
    (
        "ALTER TABLE transfers DISABLE TRIGGER transfers_append_only",
        "trigger public.transfers.transfers_append_only is not as the migrations make it",
    ),
    (
        "CREATE RULE thief AS ON INSERT TO fundings DO INSTEAD NOTHING",
        "rule public.fundings.thief is none of the gateway's",
    ),
    (
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RETURN NULL; END'",
        "function public.refuse_change() is not as the migrations make it",
    ),
    (
        "CREATE INDEX mine ON transfers (at)",
        "index public.transfers.mine is none of the gateway's",
    ),
    (
        "GRANT DELETE ON transfers TO PUBLIC",
        "every role may delete public.transfers",
    ),
    (
        "GRANT UPDATE (available) ON wallets TO PUBLIC",
        "every role may update public.wallets.available",
    ),
    (
        "GRANT INSERT ON fundings TO pg_monitor",
        "pg_monitor may insert public.fundings",
    ),
    (
        "ALTER TABLE wallets OWNER TO pg_monitor",
        "table public.wallets is not as the migrations make it",
    ),
    (
        "GRANT UPDATE (amount) ON audit.transfers TO PUBLIC",
        "every role may update audit.transfers.amount",
    ),
    (
        "GRANT CREATE ON SCHEMA public TO PUBLIC",
        "every role may create in public",
    ),
];

#[tokio::test]
async fn i36_finds_what_the_migrations_and_grants_did_not_make() {
    let template = AuditedDatabase::lived_in().await;
    assert_eq!(template.offences("I36").await, [""; 0]);
    for (sql, expected) in CHANGES {
        let books = template.copy();
        books.run(&format!("{sql};"));
        let lines = books.offences("I36").await;
        let said = lines.iter().any(|line| line.starts_with(expected));
        assert!(said, "after {sql}: {lines:#?} do not say {expected:?}");
    }
    // What others keep beside it.
    template.run("CREATE TABLE notes (id bigint); GRANT ALL ON notes TO PUBLIC;");
    assert_eq!(template.offences("I36").await, [""; 0]);
}
