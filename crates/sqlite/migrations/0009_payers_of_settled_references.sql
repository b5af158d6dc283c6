-- Who was charged for a reference that does not say whose it is.

ALTER TABLE unsettled_references ADD COLUMN payer TEXT CONSTRAINT unsettled_payer CHECK (
    payer IS NULL OR (account = '' AND settlement IS 'charged')
);

ALTER TABLE unsettled_references ADD COLUMN payer_reference TEXT CONSTRAINT unsettled_payer_whole
    CHECK ((payer IS NULL) = (payer_reference IS NULL));
