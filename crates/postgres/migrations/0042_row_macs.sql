-- compatible since: 41
-- Authentication codes of wallets and transactions: a row without the right one was written by
-- other means than the gateway. Programs of the version before write none. `manilla key-ring
-- authenticate` adds those that are missing once no such program runs, and from then on
-- every row must have its own; a database without accounts begins so.

ALTER TABLE wallets ADD COLUMN mac text;

ALTER TABLE transactions
    ADD COLUMN purchase_mac text,
    ADD COLUMN progress_mac text;

ALTER TABLE database_identity ADD COLUMN rows_authenticated_at timestamptz;

UPDATE database_identity SET rows_authenticated_at = clock_timestamp()
WHERE NOT EXISTS (SELECT 1 FROM wallets);
