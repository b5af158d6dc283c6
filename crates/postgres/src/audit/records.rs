//! Whether every transaction can still be reported: its records are read back as a report would
//! read them. Rows must be taken page by page; there may be more of them than memory holds.

use crate::error::failed;
use crate::rows::{TRANSACTION_COLUMNS, stored, transaction_columns, wallet_row};
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::audit::outcome::{BookedCosts, RecordFindings, Repeated};
use storage_sql::field_cipher::FieldCipher;

/// A page of rows after account `$1` and number `$2`.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", t.service, t.currency, t.amount, t.price, t.cost, t.fee, t.vat, t.levy,
    c.first::bigint, c.total::bigint, c.arrived::bigint, c.margin::bigint, c.unused::bigint,
    (
        SELECT u.account FROM public.user_credits AS u
        WHERE u.payer = t.account AND u.transaction = t.number
    ),
    q.claim_email, q.claim_phone
    FROM public.transactions AS t
    LEFT JOIN LATERAL (
        SELECT coalesce(sum(CASE WHEN f.step <> 16 THEN 0
                WHEN f.credit_holder = t.provider THEN f.amount
                WHEN f.debit_holder = t.provider THEN -f.amount ELSE 0 END), 0) AS first,
            coalesce(sum(CASE WHEN f.step <> 16 THEN 0
                WHEN f.credit_kind = 'float' THEN f.amount ELSE -f.amount END), 0) AS total,
            coalesce(sum(CASE f.step WHEN 17 THEN f.amount END), 0) AS arrived,
            coalesce(sum(CASE WHEN f.step <> 3 THEN 0
                WHEN f.credit_kind = 'float' THEN -f.amount ELSE f.amount END), 0) AS margin,
            coalesce(sum(CASE f.step WHEN 28 THEN f.amount END), 0) AS unused
        FROM public.transfers AS f
        WHERE f.account = t.account AND f.transaction = t.number AND f.step IN (3, 16, 17, 28)
    ) AS c ON true
    LEFT JOIN public.queue AS q ON q.account = t.account AND q.transaction = t.number
    WHERE (t.account, t.number) > ($1, $2)
    ORDER BY t.account, t.number LIMIT 500"
);

/// Every wallet with its code.
const WALLETS: &str = "
    SELECT w.account, a.environment, w.currency, w.available, w.held, w.debits, w.credits,
        w.counted_from, w.spent, w.frozen, w.mac
    FROM public.wallets AS w JOIN public.accounts AS a ON a.id = w.account";

/// What the records of all transactions say.
pub(super) async fn read(
    snapshot: &mut PgConnection,
    cipher: &FieldCipher,
) -> Result<RecordFindings, PortError> {
    let mut findings = RecordFindings::default();
    let mut after = (String::new(), 0_i64);
    while !findings.is_full() {
        let page = sqlx::query(PAGE)
            .bind(&after.0)
            .bind(after.1)
            .fetch_all(&mut *snapshot)
            .await;
        let page = page.map_err(failed("read the transactions"))?;
        for row in &page {
            let row_stored = stored(row)?;
            findings.authenticate(&row_stored, cipher.macs());
            let row_stored = row_stored.opened(cipher);
            let (columns, booked) = repeated(row)?;
            findings.take_in(&row_stored, &columns, booked);
            after = (row_stored.account, row_stored.number);
        }
        if page.is_empty() {
            break;
        }
    }
    let wallets = sqlx::query(WALLETS).fetch_all(snapshot).await;
    for row in &wallets.map_err(failed("read the wallets"))? {
        findings.authenticate_wallet(&wallet_row(row)?, cipher.macs());
    }
    Ok(findings)
}

fn repeated(row: &PgRow) -> Result<(Repeated, BookedCosts), PortError> {
    let at = |offset: usize| TRANSACTION_COLUMNS + offset;
    let read = || {
        let columns = Repeated {
            service: row.try_get(at(0))?,
            currency: row.try_get(at(1))?,
            sums: [
                row.try_get(at(2))?,
                row.try_get(at(3))?,
                row.try_get(at(4))?,
                row.try_get(at(5))?,
                row.try_get(at(6))?,
                row.try_get(at(7))?,
            ],
            payee: row.try_get(at(13))?,
            claim: (row.try_get(at(14))?, row.try_get(at(15))?),
        };
        let booked = BookedCosts {
            first: row.try_get(at(8))?,
            all: row.try_get(at(9))?,
            arrived: row.try_get(at(10))?,
            margin: row.try_get(at(11))?,
            unused: row.try_get(at(12))?,
        };
        Ok((columns, booked))
    };
    read().map_err(failed("read a transaction"))
}
