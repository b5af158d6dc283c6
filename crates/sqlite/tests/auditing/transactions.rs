//! What the audit says of transactions: each can be asked for, goes by names of its own and is
//! looked after. No offence here moves money.

use crate::support::{check, lived_in, outcome, plant};
use ports::audit::{Audit, CheckOutcome, Serving};
use testkit::builders::START;

#[tokio::test]
async fn i9_finds_a_transaction_that_no_account_owns() {
    let offences = [
        (
            "UPDATE transactions SET account = 'nobody' WHERE id = 1",
            "\"nobody\"",
        ),
        (
            "INSERT INTO accounts (
                id, name, status, currency, message_currency, time_zone, opened_at
            ) VALUES ('lone', 'Lone', 'active', 'NGN', 'CRD', 'UTC', 0)",
            "account lone has no wallet in CRD",
        ),
        (
            "DELETE FROM wallets WHERE currency = 'CRD'",
            "which has no wallet in CRD",
        ),
        (
            "INSERT INTO attempts (transaction_id, number, state, provider_reference, started_at)
            VALUES (99999, 1, 'sending', 'x', 0)",
            "row 99999",
        ),
        (
            "UPDATE transactions SET progress = '{}' WHERE id = 2",
            "cannot be read",
        ),
        (
            "UPDATE transactions SET purchase = replace(purchase, 'NGN', 'EUR') WHERE id = 2",
            "cannot be read",
        ),
        (
            "UPDATE transactions SET price = price + 1 WHERE id = 3",
            ": its columns differ",
        ),
        (
            "UPDATE transactions SET service = 'gift' WHERE id = 3",
            ": its columns differ",
        ),
    ];
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
            "DROP INDEX transactions_number; UPDATE transactions SET number = 7",
            "number 7 of shop is used by",
        ),
        (
            "DROP INDEX transactions_key;
            UPDATE transactions SET idempotency_key = 'same', request_fingerprint = zeroblob(32)",
            "idempotency key same",
        ),
        (
            "DROP INDEX attempts_provider_reference;
            UPDATE attempts SET provider_reference = 'same'",
            "provider reference same",
        ),
        (
            "DROP INDEX fundings_reference; DROP INDEX fundings_transfer;
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
        format!("UPDATE transactions SET due_at = {due} WHERE state = 'in_doubt'")
    };
    let offences = [
        (due(120_001), "has been due since"),
        (due(-3_600_001), "is not due before"),
        (
            "UPDATE transactions SET due_at = NULL WHERE state = 'sending'".to_owned(),
            "will never be looked at",
        ),
    ];
    let offences = offences.each_ref().map(|(sql, said)| (sql.as_str(), *said));
    check("I13", &offences).await;
    let dir = tempfile::tempdir().unwrap();
    let store = lived_in(dir.path()).await;
    plant(dir.path(), &due(120_000)).await;
    let results = store.audit(START, Serving::Yes).await.unwrap();
    assert!(matches!(
        outcome(&results, "I13"),
        CheckOutcome::Holds { .. }
    ));
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
            "UPDATE transactions SET account = 'other'
            WHERE id IN (SELECT transaction_id FROM batch_items WHERE position = 1)",
            "in a batch that is not its account",
        ),
    ];
    check("I23", &offences).await;
}
