//! What becomes of an account's places in a queue that is much longer than what a claim looks at.

use crate::stage::{database, open};
use ports::transactions::{Claim, Leases};
use std::time::Duration;
use testkit::builders::{account_id, at};

/// 9,000 places of one account, then three of another, then 5,000 of the first.
const CROWD: &str = "
    INSERT INTO transactions (
        account, number, reference, service, provider, state, currency, amount, price, cost, fee,
        vat, levy, version, sequence, opened_at, updated_at, purchase, progress
    )
    SELECT CASE WHEN n BETWEEN 9001 AND 9003 THEN 'other' ELSE 'shop' END, n, 'order-' || n,
        'airtime', 'sandbox', 'queued', 'NGN', 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, '{}', '{}'
    FROM generate_series(1, 14003) AS n;
    INSERT INTO queue (account, transaction, due_at)
    SELECT account, number, number FROM transactions;";

/// As where instances come back after all of it became due.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_far_from_both_ends_is_come_to_by_later_claims() {
    let database = database().await;
    let store = open(&database.url()).await;
    database.psql(CROWD);
    let claim = Claim {
        now: at(60),
        lease: Duration::from_hours(1),
        limit: 8,
    };
    let leased = || {
        let counts = "SELECT count(*) FILTER (WHERE account = 'shop') || ' and '
            || count(*) FILTER (WHERE account = 'other') FROM queue WHERE leased";
        database.psql(counts).trim().to_owned()
    };
    // What is claimed of no account by what is looked at first still leads on to the next.
    let except = [account_id("shop")];
    for expected in ["0 and 0", "0 and 3"] {
        store.claim_queued(claim, &except).await.unwrap();
        assert_eq!(leased(), expected);
    }
    database.psql("UPDATE queue SET due_at = transaction, leased = false");
    // Places 4,096 to 8,191 are looked at first, then those up to 12,286. The rows have no
    // purchase that can be read, so they are claimed and not answered.
    for expected in ["8 and 0", "13 and 3", "21 and 3"] {
        store.claim_queued(claim, &[]).await.unwrap();
        assert_eq!(leased(), expected);
    }
}
