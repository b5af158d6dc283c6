-- What was written stays: the ledger and the events never change, and nothing is ever deleted. The
-- audit compares these triggers with this file.

CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER fundings_no_update BEFORE UPDATE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;

CREATE TRIGGER fundings_no_delete BEFORE DELETE ON fundings BEGIN
    SELECT RAISE(ABORT, 'fundings are append-only');
END;

CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions BEGIN
    SELECT RAISE(ABORT, 'transactions are never deleted');
END;

CREATE TRIGGER transactions_frozen BEFORE UPDATE OF
    id, number, account, reference, idempotency_key, meaning, service, provider, currency, amount,
    price, cost, fee, opened_at, purchase
ON transactions BEGIN
    SELECT RAISE(ABORT, 'what was bought is frozen');
END;

CREATE TRIGGER attempts_no_delete BEFORE DELETE ON attempts BEGIN
    SELECT RAISE(ABORT, 'attempts are never deleted');
END;

CREATE TRIGGER attempts_frozen BEFORE UPDATE OF
    transaction_id, number, provider_reference, started_at
ON attempts BEGIN
    SELECT RAISE(ABORT, 'what was sent is frozen');
END;

CREATE TRIGGER accounts_no_delete BEFORE DELETE ON accounts BEGIN
    SELECT RAISE(ABORT, 'accounts are never deleted');
END;

CREATE TRIGGER wallets_no_delete BEFORE DELETE ON wallets BEGIN
    SELECT RAISE(ABORT, 'wallets are never deleted');
END;

CREATE TRIGGER api_keys_no_delete BEFORE DELETE ON api_keys BEGIN
    SELECT RAISE(ABORT, 'keys are revoked, never deleted');
END;
