//! The totals of reports are those of the ledger: added up once more by the database, from the
//! transfers alone but for face and commission, which no transfer has.

use crate::stage::open;
use postgres::{Roles, migrate};
use postgres_cluster::Cluster;
use testkit::contract::storage::Stores;

/// What was delivered less what was taken back, in currency `$1`.
const COMMISSION: &str = "
    SELECT sum(s.sign), sum(s.sign * t.amount),
        sum(s.sign * (t.amount + t.fee + t.vat + t.levy - t.price)),
        (SELECT coalesce(sum(CASE kind WHEN 'charge' THEN amount ELSE -amount END), 0)
            FROM transfers WHERE kind IN ('charge', 'charge_reversal') AND currency = $1
            AND account = 'shop'),
        (SELECT coalesce(sum(CASE kind WHEN 'vat' THEN amount ELSE -amount END), 0)
            FROM transfers WHERE kind IN ('vat', 'vat_reversal') AND currency = $1
            AND account = 'shop'),
        (SELECT coalesce(sum(CASE kind WHEN 'levy' THEN amount ELSE -amount END), 0)
            FROM transfers WHERE kind IN ('levy', 'levy_reversal') AND currency = $1
            AND account = 'shop'),
        sum(s.sign * f.amount)
    FROM transfers AS f
    JOIN transactions AS t ON t.account = f.account AND t.number = f.transaction
        AND t.account = 'shop'
    JOIN (
        SELECT 'capture' AS kind, 1 AS sign UNION SELECT 'transfer_out', 1
        UNION SELECT 'reversal', -1
    ) AS s ON s.kind = f.kind
    WHERE f.currency = $1";

/// What left and came into the wallets, what is held included, in currency `$1`.
const SETTLEMENT: &str = "
    SELECT count(*),
        coalesce(sum(CASE WHEN leaves AND NOT returned THEN amount END), 0),
        coalesce(sum(CASE WHEN returned AND leaves THEN -amount WHEN returned THEN amount END), 0),
        coalesce(sum(CASE WHEN NOT leaves AND NOT returned THEN amount END), 0),
        sum(CASE WHEN leaves THEN -amount ELSE amount END)
    FROM (
        SELECT amount, debit_kind IN ('available', 'held') AS leaves,
            kind IN ('reversal', 'refund', 'refund_reversal') AS returned
        FROM transfers
        WHERE currency = $1
            AND (debit_kind IN ('available', 'held') AND debit_holder = 'shop')
                <> (credit_kind IN ('available', 'held') AND credit_holder = 'shop')
    ) AS moved";

#[tokio::test]
async fn the_totals_of_reports_are_those_of_the_ledger() {
    let database = Cluster::shared().database();
    let _ = migrate(&database.url(), &Roles::default()).await.unwrap();
    let stores = Stores::of(open(&database.url()).await);
    Box::pin(stores.has_history_for_reports()).await;
    let totals = stores.totals_of_reports("shop").await;
    for (currency, (commission, settlement)) in ["NGN", "CRD"].into_iter().zip(totals) {
        for (sql, expected) in [(COMMISSION, commission), (SETTLEMENT, settlement)] {
            let shown = database.psql(&sql.replace("$1", &format!("'{currency}'")));
            let sums = shown.trim().split('|').map(|it| it.trim().parse());
            let sums: Vec<i64> = sums.collect::<Result<_, _>>().unwrap();
            assert_eq!(sums, expected, "{currency}: {sql}");
        }
    }
}
