//! What the audit says of attempts: one undecided at a time, each with its evidence and its record.
//! No offence here moves money.

use crate::support::{check, holds_after};

#[tokio::test]
async fn i4_finds_a_second_undecided_attempt_or_none() {
    let offences = [
        (
            "INSERT INTO attempts_open
                (account, transaction, number, state, provider_reference, started_at)
            SELECT account, transaction, number, 'in_doubt', provider_reference, started_at
            FROM attempts_ended WHERE state = 'delivered'",
            "is successful with 1",
        ),
        (
            "DELETE FROM attempts_open WHERE state = 'sending'",
            "with 0 undecided",
        ),
        (
            "UPDATE attempts_open SET state = 'in_doubt' WHERE state = 'sending'",
            "1 undecided attempts, 0 of them sending",
        ),
        (
            "ALTER TABLE attempts_open DROP CONSTRAINT attempts_open_once;
            INSERT INTO attempts_open SELECT * FROM attempts_open",
            "with 4 undecided",
        ),
        ("DELETE FROM queue", "is queued and not in the queue"),
        (
            "INSERT INTO queue (account, transaction, due_at)
            SELECT account, number, 0 FROM transactions WHERE state = 'successful'",
            "is successful and in the queue",
        ),
    ];
    check("I4", &offences).await;
}

#[tokio::test]
async fn i5_finds_an_end_without_evidence_and_an_attempt_too_early() {
    let offences = [
        (
            "ALTER TABLE attempts_ended ALTER COLUMN evidence DROP NOT NULL;
            UPDATE attempts_ended SET evidence = NULL WHERE state = 'disproven'",
            "with evidence none",
        ),
        (
            "ALTER TABLE attempts_ended ALTER COLUMN ended_at DROP NOT NULL;
            UPDATE attempts_ended SET ended_at = NULL WHERE state = 'delivered'",
            "is delivered",
        ),
        (
            "DELETE FROM attempts_ended AS a USING attempts_ended AS b
            WHERE a.account = b.account AND a.transaction = b.transaction
                AND a.number = 1 AND b.number = 2",
            "follows one that is missing",
        ),
        (
            "UPDATE attempts_ended SET state = 'in_doubt' WHERE number = 1",
            "follows one that is in_doubt",
        ),
    ];
    check("I5", &offences).await;
}

#[tokio::test]
async fn i6_finds_a_success_without_a_delivery_and_a_delivery_without_success() {
    let offences = [
        (
            "UPDATE attempts_ended SET state = 'disproven' WHERE state = 'delivered'",
            "with 0 delivered",
        ),
        (
            "UPDATE attempts_ended SET state = 'delivered' WHERE state = 'disproven'",
            "is failed with",
        ),
        (
            "UPDATE attempts_ended SET state = 'delivered' WHERE state = 'reversed'",
            "0 reversed",
        ),
    ];
    check("I6", &offences).await;
}

#[tokio::test]
async fn i8_finds_an_attempt_that_was_not_recorded() {
    let offences = [
        (
            "DELETE FROM attempts_ended WHERE number = 1",
            "with 0 attempts, 0 of them announced",
        ),
        (
            "DELETE FROM attempts_open WHERE number = 1",
            "with 0 attempts, 0 of them announced",
        ),
        (
            "DELETE FROM events WHERE kind = 'resent'",
            "with 2 attempts, 0 of them announced",
        ),
        (
            "UPDATE attempts_ended SET started_at = started_at + 1 WHERE number = 1",
            "first started at",
        ),
        (
            "UPDATE attempts_open SET started_at = started_at + 1 WHERE number = 1",
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
            "INSERT INTO attempts_open
                (account, transaction, number, state, provider_reference, started_at)
            SELECT account, number, 1, 'sending', 'x' || number, 0 FROM transactions
            WHERE state = 'queued'",
            "is queued with 1 attempts",
        ),
    ];
    check("I8", &offences).await;
}

#[tokio::test]
async fn i8_holds_where_the_clock_was_set_back_between_two_steps() {
    let changes = [
        "UPDATE attempts_ended SET ended_at = started_at - 1",
        "UPDATE attempts_ended SET started_at = started_at - 86400000 WHERE number = 2",
        "UPDATE attempts_open SET started_at = started_at - 86400000 WHERE number = 2",
    ];
    holds_after("I8", &changes).await;
}
