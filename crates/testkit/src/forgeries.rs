//! Rows as one would write them who holds the database but not the key ring. The statements are the
//! same for every database, and must be run past its triggers: accounts `shop` and `kiosk` have a
//! wallet in naira each, and `shop` has `order-1`, which is open, and `order-2`.

/// Each makes the wallet of `shop` one that no gateway wrote.
pub const OF_A_WALLET: [&str; 10] = [
    "UPDATE wallets SET available = available + 100000000
    WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET held = held + 100 WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET available = available + held, held = 0
    WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET debits = debits - 1 WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET credits = credits + 1 WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET spent = spent + 1 WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET mac = NULL WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET mac = (
        SELECT o.mac FROM wallets AS o WHERE o.account = 'kiosk' AND o.currency = 'NGN'
    ) WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE wallets SET (available, held, debits, credits, mac) = (
        SELECT o.available, o.held, o.debits, o.credits, o.mac FROM wallets AS o
        WHERE o.account = 'kiosk' AND o.currency = 'NGN'
    ) WHERE account = 'shop' AND currency = 'NGN'",
    "UPDATE accounts SET environment = 'live' WHERE id = 'shop'",
];

/// Each makes `order-1` a transaction that no gateway wrote.
pub const OF_A_TRANSACTION: [&str; 11] = [
    "UPDATE transactions SET state = 'review' WHERE reference = 'order-1'",
    "UPDATE transactions SET version = version + 1 WHERE reference = 'order-1'",
    "UPDATE transactions SET sequence = sequence + 1 WHERE reference = 'order-1'",
    "UPDATE transactions SET updated_at = updated_at + 1 WHERE reference = 'order-1'",
    "UPDATE transactions SET opened_at = opened_at - 1 WHERE reference = 'order-1'",
    "UPDATE transactions SET provider = 'thief' WHERE reference = 'order-1'",
    "UPDATE transactions SET purchase = replace(purchase, '1', '9') WHERE reference = 'order-1'",
    "UPDATE transactions SET progress = progress || ' ' WHERE reference = 'order-1'",
    "UPDATE transactions SET purchase_mac = NULL WHERE reference = 'order-1'",
    "UPDATE transactions SET progress_mac = purchase_mac WHERE reference = 'order-1'",
    "UPDATE transactions SET (progress, progress_mac) = (
        SELECT o.progress, o.progress_mac FROM transactions AS o WHERE o.reference = 'order-2'
    ) WHERE reference = 'order-1'",
];

/// Keeps the wallet of `shop` as it is now, to be put back later.
pub const KEEP_THE_WALLET: &str = "CREATE TABLE kept AS
    SELECT available, held, debits, credits, spent, counted_from, mac FROM wallets
    WHERE account = 'shop' AND currency = 'NGN'";

/// Puts back what was kept, code and all.
pub const PUT_THE_WALLET_BACK: &str = "UPDATE wallets SET
    (available, held, debits, credits, spent, counted_from, mac) = (SELECT * FROM kept)
    WHERE account = 'shop' AND currency = 'NGN'";
