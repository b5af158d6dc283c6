//! What the audit says of transactions: each can be asked for, goes by names of its own and is
//! looked after. No offence here moves money.

use crate::support::{AuditedDatabase, check};
use testkit::builders::START;

#[tokio::test]
async fn i9_finds_a_transaction_that_no_account_owns() {
    let one = "WHERE (account, number) = (SELECT account, number FROM transactions LIMIT 1)";
    let of_one = |change: &str| format!("UPDATE transactions SET {change} {one}");
    let offences = [
        (of_one("account = 'nobody'"), "\"nobody\""),
        (
            "INSERT INTO accounts VALUES ('lone', 'Lone', 'active', 'NGN', 'CRD', 'UTC', 0)"
                .to_owned(),
            "account lone has no wallet in CRD",
        ),
        (
            "DELETE FROM wallets WHERE currency = 'CRD'".to_owned(),
            "which has no wallet in CRD",
        ),
        (
            "INSERT INTO attempts_open VALUES ('shop', 99999, 1, 'sending', 'x', 0)".to_owned(),
            "row shop/99999",
        ),
        (of_one("progress = '{}'"), "cannot be read"),
        (
            of_one("purchase = replace(purchase, 'NGN', 'EUR')"),
            "cannot be read",
        ),
        (of_one("price = price + 1"), ": its columns differ"),
        (of_one("service = 'gift'"), ": its columns differ"),
    ];
    let offences = offences.each_ref().map(|(sql, said)| (sql.as_str(), *said));
    check("I9", &offences).await;
}

#[tokio::test]
async fn i10_finds_a_name_that_leads_to_two_things() {
    let offences = [
        (
            "DROP INDEX transactions_reference; UPDATE transactions SET reference = 'same'",
            "reference same of",
        ),
        (
            "ALTER TABLE transactions DROP CONSTRAINT transactions_number;
            UPDATE transactions SET number = 7",
            "number 7 of shop is used by",
        ),
        (
            "DROP INDEX transactions_key;
            UPDATE transactions SET idempotency_key = 'same', request_fingerprint = ''",
            "idempotency key same",
        ),
        (
            "UPDATE attempts_ended SET provider_reference = 'same'",
            "provider reference same",
        ),
        (
            "UPDATE attempts_open SET provider_reference = 'same'",
            "provider reference same",
        ),
        (
            "ALTER TABLE fundings DROP CONSTRAINT fundings_reference;
            ALTER TABLE fundings DROP CONSTRAINT fundings_position;
            INSERT INTO fundings SELECT * FROM fundings",
            "is used 2 times",
        ),
    ];
    check("I10", &offences).await;
}

#[tokio::test]
async fn i13_finds_what_is_overdue_while_a_server_runs() {
    let due = |before_ms: i64| {
        let due = START.as_millis() - before_ms;
        format!("UPDATE attempts_open SET due_at = {due} WHERE state = 'in_doubt'")
    };
    let offences = [
        (due(120_001), "has been due since"),
        (due(-3_600_001), "is not due before"),
        (
            "UPDATE attempts_open SET due_at = NULL WHERE state = 'sending'".to_owned(),
            "will never be looked at",
        ),
    ];
    let offences = offences.each_ref().map(|(sql, said)| (sql.as_str(), *said));
    check("I13", &offences).await;
    let books = AuditedDatabase::lived_in().await;
    books.plant(&due(120_000));
    assert_eq!(books.offences("I13").await, [""; 0]);
}

#[tokio::test]
async fn i23_finds_a_batch_that_is_not_whole() {
    let offences = [
        (
            "DELETE FROM batch_items WHERE position = 2",
            "has 2 payments",
        ),
        (
            "UPDATE batch_items SET position = 9 WHERE position = 3",
            "or one in another place",
        ),
        ("UPDATE batches SET total = total + 1", "has 3 payments"),
        ("UPDATE batches SET price = price - 1", "has 3 payments"),
        ("UPDATE batches SET currency = 'CRD'", "has 0 payments"),
        (
            "UPDATE batches SET reference =
                (SELECT reference FROM transactions WHERE account = 'shop' LIMIT 1)",
            "is used by a batch and a transaction",
        ),
        (
            "UPDATE batch_items SET account = 'other' WHERE position = 1",
            "has 2 payments",
        ),
    ];
    check("I23", &offences).await;
}
