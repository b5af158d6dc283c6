-- A second attempt may go to another provider than the first. NULL is the transaction's provider.

ALTER TABLE attempts_open ADD COLUMN provider text;

ALTER TABLE attempts_ended ADD COLUMN provider text;

CREATE TRIGGER attempts_ended_provider_immutable BEFORE UPDATE OF provider ON attempts_ended
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE VIEW audit.attempts AS
SELECT account || '/' || transaction AS transaction_id, number, state, NULL AS evidence,
    provider_reference, started_at, NULL::bigint AS ended_at, NULL::bigint AS contradicted_at,
    NULL::bigint AS taken_back_at, provider
FROM attempts_open
UNION ALL
SELECT account || '/' || transaction, number, state, evidence, provider_reference, started_at,
    ended_at, contradicted_at, taken_back_at, provider
FROM attempts_ended;
