-- What waits in the queue for an account to have an address, and by which.

ALTER TABLE queue
    ADD COLUMN claim_email text COLLATE "C",
    ADD COLUMN claim_phone text COLLATE "C";

CREATE TRIGGER queue_claim_immutable BEFORE UPDATE OF claim_email, claim_phone ON queue
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE INDEX queue_claim_email ON queue (claim_email) WHERE claim_email IS NOT NULL;

CREATE INDEX queue_claim_phone ON queue (claim_phone) WHERE claim_phone IS NOT NULL;
