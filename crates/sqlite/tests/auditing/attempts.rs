//! What the audit says of attempts: one undecided at a time, each with its evidence and its record.
//! No offence here moves money.

use crate::support::{check, holds_after};

#[tokio::test]
async fn i4_finds_a_second_undecided_attempt_or_none() {
    let offences = [
        (
            "UPDATE attempts SET state = 'in_doubt' WHERE state = 'delivered'",
            "is successful with 1",
        ),
        (
            "UPDATE attempts SET state = 'disproven' WHERE state = 'sending'",
            "with 0 undecided",
        ),
        (
            "DROP INDEX attempts_open;
            UPDATE attempts SET state = 'sending' WHERE state = 'disproven'",
            "with 2 undecided",
        ),
        ("DELETE FROM queue", "is queued and not in the queue"),
        (
            "INSERT INTO queue (transaction_id, due_at)
            SELECT id, 0 FROM transactions WHERE state = 'successful'",
            "is successful and in the queue",
        ),
    ];
    check("I4", &offences).await;
}

#[tokio::test]
async fn i5_finds_an_end_without_evidence_and_an_attempt_too_early() {
    let offences = [
        (
            "UPDATE attempts SET evidence = NULL WHERE state = 'disproven'",
            "with evidence none",
        ),
        (
            "UPDATE attempts SET ended_at = NULL WHERE state = 'delivered'",
            "is delivered",
        ),
        (
            "DELETE FROM attempts WHERE number = 1 AND transaction_id IN
                (SELECT transaction_id FROM attempts WHERE number = 2)",
            "follows one that is missing",
        ),
        (
            "DROP INDEX attempts_open; UPDATE attempts SET state = 'in_doubt' WHERE number = 1",
            "follows one that is in_doubt",
        ),
    ];
    check("I5", &offences).await;
}

#[tokio::test]
async fn i6_finds_a_success_without_a_delivery_and_a_delivery_without_success() {
    let offences = [
        (
            "UPDATE attempts SET state = 'disproven' WHERE state = 'delivered'",
            "with 0 delivered",
        ),
        (
            "UPDATE attempts SET state = 'delivered' WHERE state = 'disproven'",
            "is failed with",
        ),
        (
            "UPDATE attempts SET state = 'delivered' WHERE state = 'reversed'",
            "0 reversed",
        ),
    ];
    check("I6", &offences).await;
}

#[tokio::test]
async fn i8_finds_an_attempt_that_was_not_recorded() {
    let offences = [
        (
            "DELETE FROM attempts WHERE number = 1",
            "with 0 attempts, 0 of them announced",
        ),
        (
            "DELETE FROM events WHERE kind = 'resent'",
            "with 2 attempts, 0 of them announced",
        ),
        (
            "UPDATE attempts SET started_at = started_at + 1 WHERE number = 1",
            "first started at",
        ),
        (
            "UPDATE events SET kind = 'pending' WHERE kind = 'begun'",
            "and 0 as leaving the queue",
        ),
        (
            "UPDATE events SET at = at + 1 WHERE kind = 'begun'",
            "and 1 as leaving the queue",
        ),
        (
            "INSERT INTO attempts (transaction_id, number, state, provider_reference, started_at)
            SELECT id, 1, 'sending', 'x' || id, 0 FROM transactions WHERE state = 'queued'",
            "is queued with 1 attempts",
        ),
    ];
    check("I8", &offences).await;
}

#[tokio::test]
async fn i8_holds_where_the_clock_was_set_back_between_two_steps() {
    let changes = [
        "UPDATE attempts SET ended_at = started_at - 1",
        "UPDATE attempts SET started_at = started_at - 86400000 WHERE number = 2",
    ];
    holds_after("I8", &changes).await;
}
