-- What is collected for the state on top of a price, so that the audit can hold each transfer of it
-- to what was quoted. Before this nothing was.

ALTER TABLE transactions ADD COLUMN vat INTEGER NOT NULL DEFAULT 0;
ALTER TABLE transactions ADD COLUMN levy INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER transactions_frozen;

CREATE TRIGGER transactions_frozen BEFORE UPDATE OF
    id, number, account, reference, idempotency_key, meaning, service, provider, currency, amount,
    price, cost, fee, vat, levy, opened_at, purchase
ON transactions BEGIN
    SELECT RAISE(ABORT, 'what was bought is frozen');
END;
