\set shop random(1, :accounts)
BEGIN;
UPDATE wallets SET available = available - 9700, held = held + 9700
WHERE account = 'shop_' || :shop AND available >= 9700
RETURNING available \gset
INSERT INTO transactions
VALUES (nextval('numbers'), 'shop_' || :shop, 'order-' || currval('numbers'), 'sending', 9700,
    '{record}', 1, 1790000000000)
RETURNING number \gset
INSERT INTO transfers (number, kind, debit, credit, amount, available_after)
VALUES (:number, 'hold', 'available', 'held', 9700, :available);
INSERT INTO events VALUES (:number, 1, 'opened', 1790000000000);
COMMIT;
BEGIN;
UPDATE transactions SET state = 'successful', record = '{record}', version = 2, due_at = NULL
WHERE number = :number AND version = 1;
UPDATE wallets SET held = held - 9700 WHERE account = 'shop_' || :shop;
INSERT INTO transfers (number, kind, debit, credit, amount)
VALUES (:number, 'capture', 'held', 'float', 9700), (:number, 'margin', 'float', 'revenue', 100);
INSERT INTO events VALUES (:number, 2, 'successful', 1790000000001);
COMMIT;
