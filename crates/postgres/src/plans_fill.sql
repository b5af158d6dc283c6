-- So many rows of everything that the plans of statements differ by its size.
INSERT INTO transactions
SELECT CASE WHEN g % 2 = 0 THEN 'hot' ELSE 'shop-' || g % 1000 END, g, 'order-' || g,
    'key-' || g, '', 'airtime', 'sandbox', 'successful', 'NGN', 100, 100, 100, 0, 0, 0, 2, 2,
    0, 0, '{}', '{}'
FROM generate_series(1, 100000) AS g;
INSERT INTO transfers
SELECT account, number, 1, 0, nextval('transfers_id'), 'hold', 'available', account, 'held',
    account, 100, 'NGN', NULL, 0, 'debit', number, number, 0
FROM transactions;
INSERT INTO events SELECT account, number, 1, 'opened', 0 FROM transactions;
INSERT INTO attempts_ended
SELECT account, number, 1, 'delivered', 'x', 'x' || number, 0, 0 FROM transactions;
INSERT INTO accounts
SELECT DISTINCT account, 'Shop', 'active', 'NGN', 'NGN', 'UTC', 0 FROM transactions;
INSERT INTO fundings
SELECT account, reference, currency, amount, number, 0 FROM transactions;
INSERT INTO wallets SELECT id, 'NGN', 0, 0, 0, 0 FROM accounts;
INSERT INTO api_keys (account, id, hint, hash, created_at)
SELECT id, g, 'hint', decode(repeat('00', 32), 'hex'), 0
FROM accounts, generate_series(1, 9) AS g;
INSERT INTO senders
SELECT 'serial-' || id, id, 'Shop', 'approved', 0, 0 FROM accounts;
INSERT INTO attempts_open (account, transaction, number, state, provider_reference, started_at)
SELECT account, number, 1, 'sending', 'x', 0 FROM transactions WHERE number % 100 = 1;
INSERT INTO queue (account, transaction, due_at)
SELECT account, number, number FROM transactions WHERE number % 100 = 3;
INSERT INTO batches
SELECT account, number, 'run-' || number, 'key-' || number, '', 'bank', 'stop', 10, 'NGN', 1,
    1, 0
FROM transactions WHERE number % 10 < 2;
INSERT INTO batch_items
SELECT account, number - number % 10 + number % 2, 1 + number % 10, number FROM transactions;
INSERT INTO endpoints
SELECT id, g, 'https://x', NULL, '', false, 1, NULL, NULL, NULL, NULL, 0, NULL, NULL
FROM accounts, generate_series(1, 2) AS g;
INSERT INTO deliveries
SELECT account, 1, number, 2, '', 'transaction.successful', 0, NULL, 'successful', 2, 0, '{}',
    1,
    CASE WHEN number % 100 = 1 THEN 0 END, CASE WHEN number % 100 <> 1 THEN 0 END, NULL
FROM transactions;
INSERT INTO delivery_attempts (account, endpoint, number, sequence, at, took, status)
SELECT account, endpoint, number, sequence, 0, 0, 200 FROM deliveries;
