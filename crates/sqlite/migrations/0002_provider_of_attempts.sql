-- A second attempt may go to another provider than the first. NULL is the transaction's provider.

ALTER TABLE attempts ADD COLUMN provider TEXT;

CREATE TRIGGER attempts_provider_immutable BEFORE UPDATE OF provider ON attempts BEGIN
    SELECT RAISE(ABORT, 'a sent attempt is immutable');
END;
