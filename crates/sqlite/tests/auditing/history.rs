//! What the audit says of the past: events without a gap or an afterlife, rows that stay, and the
//! triggers that see to it. No offence here is about how much money moved.

use crate::support::{check, lived_in, offences_against, raw, run};
use ports::audit::{Audit, Serving};
use testkit::builders::START;

#[tokio::test]
async fn i11_finds_a_gap_in_the_events() {
    let offences = [
        ("DELETE FROM events WHERE sequence = 1", "events from 2"),
        (
            "DELETE FROM events WHERE kind = 'successful'",
            "is at sequence",
        ),
        (
            "UPDATE transactions SET sequence = sequence + 1",
            "is at sequence",
        ),
        (
            "UPDATE events SET kind = 'pending' WHERE sequence = 1",
            "begins with pending",
        ),
        (
            "UPDATE events SET kind = 'opened' WHERE sequence = 2",
            "is opened again by event 2",
        ),
    ];
    check("I11", &offences).await;
}

#[tokio::test]
async fn i12_finds_rows_that_were_taken_away() {
    let offences = [
        ("DELETE FROM transfers WHERE id = 5", "transfer 6 follows 4"),
        ("DELETE FROM transfers WHERE id = 1", "transfer 2 follows 0"),
        (
            "DELETE FROM transactions WHERE id = 2",
            "is row 3 and follows 1",
        ),
        ("DELETE FROM fundings", "brings money in without a funding"),
        ("DELETE FROM transfers WHERE kind = 'fund'", "is not booked"),
    ];
    check("I12", &offences).await;
}

#[tokio::test]
async fn i12_finds_a_settled_reference_that_is_not_booked_as_it_was_settled() {
    let settled = "INSERT INTO unsettled_references (
            provider_reference, provider, account, reference, noted_at, settled_at, settled_by,
            settlement, amount, currency
        ) VALUES ('a.x.1', 'sandbox', 'a', 'x', 0, 0, 'alpha', 'charged', 100, 'NGN')";
    let booked = "INSERT INTO transfers (
            kind, debit_kind, credit_kind, credit_holder, amount, currency, at
        ) VALUES ('settlement_loss', 'loss', 'float', 'sandbox', 100, 'NGN', 0)";
    let offences = [
        (
            settled,
            "settlement of a at sandbox in NGN: the ledger has -1",
        ),
        (
            booked,
            "settlement_loss of - at sandbox in NGN: the ledger has 1",
        ),
    ];
    check("I12", &offences).await;
}

#[tokio::test]
async fn i12_finds_a_trigger_that_is_missing_changed_or_foreign() {
    let changed = "DROP TRIGGER events_no_delete;
        CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT 1; END";
    let foreign = "CREATE TRIGGER thief AFTER INSERT ON transfers BEGIN SELECT 1; END";
    let offences = [
        (
            "DROP TRIGGER transfers_no_update",
            "trigger transfers_no_update is missing",
        ),
        (
            "DROP TRIGGER api_keys_revoked_once",
            "trigger api_keys_revoked_once is missing",
        ),
        (changed, "trigger events_no_delete was changed"),
        (foreign, "trigger thief is not ours"),
    ];
    for (sql, expected) in offences {
        let dir = tempfile::tempdir().unwrap();
        let store = lived_in(dir.path()).await;
        run(&mut raw(dir.path()).await, sql).await;
        let results = store.audit(START, Serving::No).await.unwrap();
        let lines = offences_against(&results, "I12");
        assert!(
            lines.iter().any(|line| line.contains(expected)),
            "{sql}: {lines:?}"
        );
    }
}

#[tokio::test]
async fn i14_finds_a_life_after_the_end() {
    let after = |end: &str, then: &str| {
        format!(
            "INSERT OR IGNORE INTO events
            SELECT transaction_id, sequence + 1, '{then}', at FROM events WHERE kind = '{end}'"
        )
    };
    let offences = [
        (after("successful", "pending"), "reports pending as event"),
        (after("failed", "reversed"), "reports reversed as event"),
        (after("failed", "successful"), "reports successful as event"),
        (
            after("failed", "message_status"),
            "reports message_status as event",
        ),
        (
            after("reversed", "message_status"),
            "and is no message on its way",
        ),
        (
            "UPDATE transactions SET service = 'airtime' WHERE service = 'sms'".to_owned(),
            "and is no message on its way",
        ),
        (
            "UPDATE transactions SET state = 'failed' WHERE state = 'successful'".to_owned(),
            "is failed but its events say successful",
        ),
        (
            "UPDATE transactions SET state = 'in_doubt' WHERE state = 'successful'".to_owned(),
            "is in_doubt with 0 reversals reported and 1 ends",
        ),
        (
            "DELETE FROM events WHERE kind = 'successful'".to_owned(),
            "is successful but its events say open",
        ),
    ];
    let offences = offences.each_ref().map(|(sql, said)| (sql.as_str(), *said));
    check("I14", &offences).await;
}

#[tokio::test]
async fn i17_finds_what_is_delivered_and_never_happened() {
    let offences = [
        (
            "UPDATE deliveries SET sequence = sequence + 90 WHERE topic = 'transaction.failed'",
            "as transaction.failed and is none of it",
        ),
        (
            "UPDATE deliveries SET topic = 'transaction.failed' WHERE topic = 'transaction.review'",
            "as transaction.failed and is review",
        ),
        (
            "UPDATE deliveries SET number = number + 7000000 WHERE topic = 'message.status'",
            "as message.status and is none of it",
        ),
        ("DELETE FROM endpoints", "which is not there"),
        (
            "UPDATE deliveries SET number = number + 90 WHERE topic = 'account.credited'",
            "a line that its statement has not",
        ),
        (
            "UPDATE deliveries SET shown = replace(shown, 'amount\":1', 'amount\":9')
             WHERE topic = 'account.credited'",
            "a line that its statement has not",
        ),
    ];
    check("I17", &offences).await;
}

#[tokio::test]
async fn i18_finds_a_change_that_waits_to_be_applied() {
    let waits = "INSERT INTO dead_letters VALUES (
        'sandbox', 3, 'shop.order-1.1', '{\"v\":1,\"finding\":\"reversed\"}',
        'transaction 7 cannot be read', 0, 0, 2, 60000, NULL)";
    let expected = "sandbox reported a change of shop.order-1.1 that is not applied: transaction 7";
    check("I18", &[(waits, expected)]).await;
}
