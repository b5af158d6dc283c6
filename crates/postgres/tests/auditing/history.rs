//! What the audit says of the past: events without a gap or an afterlife, rows that stay, and the
//! triggers that see to it. No offence here is about how much money moved.

use crate::support::{AuditedDatabase, check};

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
    let last = "DELETE FROM transfers WHERE (account, currency, position) IN (
            SELECT account, currency, debits + credits FROM wallets
        )";
    let offences = [
        (
            "DELETE FROM transfers WHERE kind = 'hold' AND position = 3",
            "lines up to",
        ),
        (last, "lines up to"),
        ("DELETE FROM transactions", "which does not exist"),
        (
            "DELETE FROM transfers; DELETE FROM transactions",
            "event 1 belongs to transaction",
        ),
        ("DELETE FROM fundings", "brings money in without a funding"),
        ("DELETE FROM transfers WHERE kind = 'fund'", "is not booked"),
        ("UPDATE fundings SET amount = amount + 1", "is not booked"),
        (
            "INSERT INTO attempts_open
                (account, transaction, number, state, provider_reference, started_at)
            SELECT account, transaction, number, 'in_doubt', provider_reference, started_at
            FROM attempts_ended ON CONFLICT DO NOTHING",
            "both decided and undecided",
        ),
    ];
    check("I12", &offences).await;
}

#[tokio::test]
async fn i12_finds_a_settled_reference_that_is_not_booked_as_it_was_settled() {
    let settled = "INSERT INTO unsettled_references (
            provider_reference, provider, account, reference, settled_at, settled_by, settlement,
            amount, currency
        ) VALUES ('a.x.1', 'sandbox', 'a', 'x', now(), 'alpha', 'charged', 100, 'NGN')";
    let booked = "INSERT INTO transfers (
            account, transaction, step, part, id, kind, debit_kind, credit_kind, credit_holder,
            amount, currency, at
        ) VALUES (
            'a', 0, 15, 1000000, 1000000, 'settlement_loss', 'loss', 'float', 'sandbox', 100,
            'NGN', 0
        )";
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
async fn i12_finds_a_trigger_that_is_missing_changed_switched_off_or_foreign() {
    let changed = "
        CREATE OR REPLACE TRIGGER events_append_only BEFORE TRUNCATE ON events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();";
    let narrowed = "
        CREATE OR REPLACE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE
        ON transfers FOR EACH STATEMENT WHEN (current_user <> 'thief')
        EXECUTE FUNCTION refuse_change();";
    let namesake = "
        CREATE SCHEMA other;
        CREATE FUNCTION other.refuse_change() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RETURN NULL; END $$;
        CREATE OR REPLACE TRIGGER wallets_no_delete BEFORE DELETE OR TRUNCATE ON wallets
        FOR EACH STATEMENT EXECUTE FUNCTION other.refuse_change();";
    let replaced = "
        CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RETURN NULL; END $$;";
    let foreign = "
        CREATE TRIGGER thief AFTER INSERT ON transfers
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();";
    let offences = [
        (
            "DROP TRIGGER transfers_append_only ON transfers;",
            "trigger transfers_append_only is missing",
        ),
        (
            "ALTER TABLE api_keys DISABLE TRIGGER api_keys_revoked_once;",
            "trigger api_keys_revoked_once is switched off",
        ),
        (changed, "trigger events_append_only was changed"),
        (narrowed, "trigger transfers_append_only was changed"),
        (namesake, "trigger wallets_no_delete was changed"),
        (
            "ALTER TABLE fundings DISABLE TRIGGER fundings_append_only;",
            "trigger fundings_append_only is switched off",
        ),
        (
            "ALTER TABLE accounts ENABLE REPLICA TRIGGER accounts_no_delete;",
            "trigger accounts_no_delete is switched off",
        ),
        (replaced, "what the triggers call was changed"),
        (foreign, "trigger thief is not ours"),
    ];
    let template = AuditedDatabase::lived_in().await;
    for (sql, expected) in offences {
        let books = template.copy();
        books.run(sql);
        let lines = books.offences("I12").await;
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
            "INSERT INTO events SELECT account, transaction, sequence + 1, '{then}', at
            FROM events WHERE kind = '{end}' ON CONFLICT DO NOTHING"
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
