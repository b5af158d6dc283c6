//! What the audit says of the schema: who may write the file can drop what guards it.

use crate::support::check;

#[tokio::test]
async fn i36_finds_what_the_migrations_did_not_make() {
    let offences = [
        (
            "DROP INDEX transfers_position",
            "index transfers_position is missing",
        ),
        (
            "DROP INDEX transfers_position;
            CREATE INDEX transfers_position ON transfers (account, currency, position)",
            "index transfers_position is not as the migrations make it",
        ),
        (
            "CREATE TRIGGER thief AFTER INSERT ON transfers BEGIN SELECT 1; END",
            "trigger thief is none of the gateway's",
        ),
        (
            "ALTER TABLE wallets ADD COLUMN bonus INTEGER",
            "table wallets is not as the migrations make it",
        ),
        (
            "CREATE VIEW balances AS SELECT 1",
            "view balances is none of the gateway's",
        ),
        (
            "PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, '(available >= 0)', '(available >= -9)')
            WHERE name = 'wallets';
            PRAGMA writable_schema = RESET",
            "table wallets is not as the migrations make it",
        ),
    ];
    check("I36", &offences).await;
}
