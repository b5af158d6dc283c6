-- compatible since: none
-- Authentication codes of wallets and transactions: a row without the right one was written by
-- other means than the gateway. The program that makes this version adds those that are missing as
-- it opens the file, and notes here that it has; the version before writes none, so it may not
-- serve on this file.

ALTER TABLE wallets ADD COLUMN mac TEXT;

ALTER TABLE transactions ADD COLUMN purchase_mac TEXT;

ALTER TABLE transactions ADD COLUMN progress_mac TEXT;

CREATE TABLE rows_authenticated (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    since INTEGER NOT NULL
) STRICT;

INSERT INTO rows_authenticated
SELECT 1, unixepoch() * 1000 WHERE NOT EXISTS (SELECT 1 FROM wallets);
