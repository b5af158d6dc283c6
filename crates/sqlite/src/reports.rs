//! Reading for reports, by indexes in the order of the answers. A read must use one statement, so
//! that a state and the transfers that made it are of one moment.

use crate::error::failed;
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reporting::{AcceptedTransaction, SettledTransfer};
use ports::PortError;
use ports::reports::{AcceptedRange, Reports, SettledRange};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::record::{AcceptedRow, SettledRow, entry_after, number_after};

/// What the price of a transaction did in one way until `?7`.
macro_rules! moved {
    ($kinds:literal) => {
        concat!(
            "(SELECT sum(f.amount) FROM transfers AS f
            WHERE f.transaction_id = t.id AND f.kind IN (",
            $kinds,
            ") AND f.at <= ?7)"
        )
    };
}

/// Transactions of product `?2` from the moment `?3` on, after number `?5` among those of it.
pub(crate) const ACCEPTED: &str = concat!(
    "SELECT t.number, t.reference, t.state, t.purchase, t.opened_at, t.updated_at, ",
    moved!("'hold'"),
    ", ",
    moved!("'capture', 'transfer_out'"),
    ", ",
    moved!("'release', 'unused'"),
    ", ",
    moved!("'reversal'"),
    " FROM transactions AS t
    WHERE t.account = ?1 AND t.service = ?2 AND (t.opened_at, t.number) > (?3, ?5)
        AND t.opened_at < ?4
    ORDER BY t.opened_at, t.number LIMIT ?6"
);

/// Transfers from the moment `?2` on, after entry `?4` among those of it.
pub(crate) const SETTLED: &str = "
    SELECT f.id, f.kind, f.amount, f.currency, f.at, t.number, t.purchase
    FROM transfers AS f LEFT JOIN transactions AS t ON t.id = f.transaction_id
    WHERE f.kind IN ('capture', 'transfer_out', 'settlement', 'reversal', 'fund', 'transfer_in',
            'user_credit', 'refund', 'refund_reversal', 'voucher_issue', 'voucher_redeem',
            'voucher_return', 'voucher_restore', 'collection', 'collection_charge',
            'collection_vat', 'adjustment_credit', 'adjustment_debit')
        AND CASE
            WHEN f.kind IN ('capture', 'transfer_out', 'settlement', 'refund_reversal',
                'collection_charge', 'collection_vat', 'adjustment_debit')
                THEN f.debit_holder
            ELSE f.credit_holder
        END = ?1
        AND f.at >= ?2 AND f.at < ?3 AND (f.at > ?2 OR f.id > ?4)
    ORDER BY f.at, f.id LIMIT ?5";

#[async_trait]
impl Reports for SqliteStore {
    async fn accepted(
        &self,
        account: &AccountId,
        range: &AcceptedRange,
    ) -> Result<Vec<AcceptedTransaction>, PortError> {
        let rows = sqlx::query(ACCEPTED)
            .bind(account.as_str())
            .bind(range.service.code())
            .bind(range.from.as_millis())
            .bind(range.until.as_millis())
            .bind(number_after(range.after))
            .bind(i64::from(range.limit))
            .bind(range.as_of.as_millis())
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read the transactions of a report"))?;
        let rows = rows.iter().map(accepted_row);
        let rows = rows.map(|row| row?.restore(account, &self.cipher));
        rows.collect()
    }

    async fn settled(
        &self,
        account: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError> {
        let rows = sqlx::query(SETTLED)
            .bind(account.as_str())
            .bind(range.from.as_millis())
            .bind(range.until.as_millis())
            .bind(entry_after(range.after))
            .bind(i64::from(range.limit))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read the transfers of a report"))?;
        let rows = rows.iter().map(settled_row);
        let rows = rows.map(|row| row?.restore(account, &self.cipher));
        rows.collect()
    }
}

fn accepted_row(row: &SqliteRow) -> Result<AcceptedRow, PortError> {
    let read = || {
        Ok(AcceptedRow {
            number: row.try_get(0)?,
            reference: row.try_get(1)?,
            state: row.try_get(2)?,
            purchase: row.try_get(3)?,
            opened_at: row.try_get(4)?,
            updated_at: row.try_get(5)?,
            moved: [
                row.try_get(6)?,
                row.try_get(7)?,
                row.try_get(8)?,
                row.try_get(9)?,
            ],
        })
    };
    read().map_err(failed("read a transaction of a report"))
}

fn settled_row(row: &SqliteRow) -> Result<SettledRow, PortError> {
    let read = || {
        let number: Option<i64> = row.try_get(5)?;
        let purchase: Option<String> = row.try_get(6)?;
        Ok(SettledRow {
            entry: row.try_get(0)?,
            kind: row.try_get(1)?,
            amount: row.try_get(2)?,
            currency: row.try_get(3)?,
            at: row.try_get(4)?,
            bought: number.zip(purchase),
        })
    };
    read().map_err(failed("read a transfer of a report"))
}
