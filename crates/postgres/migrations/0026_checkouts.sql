-- Checkout sessions: collections whose payers read on a page of the gateway what to pay. `items` is
-- what a session sells, as a list in JSON.

ALTER TABLE collections
    ADD COLUMN redirect text,
    ADD COLUMN items text,
    DROP CONSTRAINT collections_kind,
    ADD CONSTRAINT collections_kind CHECK (kind IN ('account', 'invoice', 'checkout')),
    ADD CONSTRAINT collections_checkout CHECK (
        (kind = 'checkout') = (redirect IS NOT NULL) AND (redirect IS NULL) = (items IS NULL)
    );

CREATE TRIGGER collections_sale_immutable BEFORE UPDATE OF redirect, items ON collections
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
