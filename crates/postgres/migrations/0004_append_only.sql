-- What was written stays: the ledger and the events never change, and nothing is ever deleted but
-- the undecided attempts that were decided. The triggers look at statements, not at rows, so they
-- cost the writer nothing. The audit compares them with this file.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: what was written stays', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END
$$;

CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER fundings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON fundings
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_kept BEFORE DELETE OR TRUNCATE ON transactions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_frozen BEFORE UPDATE OF
    account, number, reference, idempotency_key, meaning, service, provider, currency, amount,
    price, cost, fee, vat, levy, opened_at, purchase
ON transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER attempts_open_frozen BEFORE UPDATE OF account, transaction ON attempts_open
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER attempts_open_kept BEFORE TRUNCATE ON attempts_open
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER attempts_ended_kept BEFORE DELETE OR TRUNCATE ON attempts_ended
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER attempts_ended_frozen BEFORE UPDATE OF
    account, transaction, number, provider_reference, started_at
ON attempts_ended FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_kept BEFORE DELETE OR TRUNCATE ON accounts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_kept BEFORE DELETE OR TRUNCATE ON wallets
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_frozen BEFORE UPDATE OF account, currency ON wallets
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER api_keys_kept BEFORE DELETE OR TRUNCATE ON api_keys
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER senders_kept BEFORE DELETE OR TRUNCATE ON senders
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER senders_frozen BEFORE UPDATE OF serial, account, name, requested_at ON senders
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
