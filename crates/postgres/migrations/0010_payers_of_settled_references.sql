-- Who was charged for a reference that does not say whose it is.

ALTER TABLE unsettled_references
    ADD COLUMN payer text COLLATE "C",
    ADD COLUMN payer_reference text COLLATE "C",
    ADD CONSTRAINT unsettled_payer CHECK (
        (payer IS NULL) = (payer_reference IS NULL)
        AND (payer IS NULL OR (account = '' AND settlement IS NOT DISTINCT FROM 'charged'))
    );
