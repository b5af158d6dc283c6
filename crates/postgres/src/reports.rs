//! Reading for reports, by indexes in the order of the answers. A read must use one statement, so
//! that a state and the transfers that made it are of one moment.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reporting::{AcceptedTransaction, SettledTransfer};
use ports::PortError;
use ports::reports::{AcceptedRange, Reports, SettledRange};
use sqlx::Row;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgRow, Postgres};
use storage_sql::record::{AcceptedRow, SettledRow, entry_after, number_after};

/// Transactions of product `$2` from the moment `$3` on, after number `$5` among those of it, with
/// what their prices did until `$7`.
pub(crate) const ACCEPTED: &str = "
    SELECT t.number, t.reference, t.state, t.purchase, t.opened_at, t.updated_at,
        m.held, m.captured, m.released, m.returned
    FROM (
        SELECT k.account, k.number, k.opened_at FROM transactions AS k
        WHERE k.account || '' = $1 AND k.service = $2
            AND k.opened_at >= $3 AND k.opened_at < $4
            AND (k.opened_at > $3 OR k.number > $5)
        ORDER BY k.opened_at, -k.number DESC LIMIT $6
    ) AS n
    JOIN transactions AS t ON t.account = ANY (ARRAY[n.account]) AND t.number = n.number
    CROSS JOIN LATERAL (
        SELECT sum(f.amount) FILTER (WHERE f.kind = 'hold')::bigint AS held,
            sum(f.amount) FILTER (WHERE f.kind IN ('capture', 'transfer_out'))::bigint AS captured,
            sum(f.amount) FILTER (WHERE f.kind IN ('release', 'unused'))::bigint AS released,
            sum(f.amount) FILTER (WHERE f.kind = 'reversal')::bigint AS returned
        FROM transfers AS f
        WHERE f.account = ANY (ARRAY[n.account]) AND f.transaction = n.number AND f.at <= $7
    ) AS m
    ORDER BY n.opened_at, n.number";

/// Transfers from the moment `$2` on, after entry `$4` among those of it.
pub(crate) const SETTLED: &str = "
    SELECT f.id, f.kind, f.amount, f.currency, f.at, t.number, t.purchase
    FROM (
        SELECT l.* FROM transfers AS l
        WHERE l.account || '' = $1
            AND l.kind IN ('capture', 'transfer_out', 'settlement', 'reversal', 'fund',
                'transfer_in', 'user_credit', 'refund', 'refund_reversal', 'voucher_issue',
                'voucher_redeem', 'voucher_return', 'voucher_restore', 'collection',
                'collection_charge', 'collection_vat', 'adjustment_credit', 'adjustment_debit')
            AND l.at >= $2 AND l.at < $3 AND (l.at > $2 OR l.id > $4)
        ORDER BY l.at, l.id LIMIT $5
    ) AS f
    LEFT JOIN transactions AS t ON t.account = ANY (ARRAY[f.account]) AND t.number = f.transaction
    ORDER BY f.at, f.id";

#[async_trait]
impl Reports for PostgresStore {
    async fn accepted(
        &self,
        account: &AccountId,
        range: &AcceptedRange,
    ) -> Result<Vec<AcceptedTransaction>, PortError> {
        let read = |mut lists: PoolConnection<Postgres>| async move {
            self.accepted_in(&mut lists, account, range).await
        };
        self.listed(read).await
    }

    async fn settled(
        &self,
        account: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError> {
        let read = |mut lists: PoolConnection<Postgres>| async move {
            self.settled_in(&mut lists, account, range).await
        };
        self.listed(read).await
    }
}

impl PostgresStore {
    async fn accepted_in(
        &self,
        lists: &mut PgConnection,
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
            .fetch_all(lists)
            .in_time()
            .await
            .map_err(failed("read the transactions of a report"))?;
        let rows = rows.iter().map(accepted_row);
        let rows = rows.map(|row| row?.restore(account, self.cipher()));
        rows.collect()
    }

    async fn settled_in(
        &self,
        lists: &mut PgConnection,
        account: &AccountId,
        range: &SettledRange,
    ) -> Result<Vec<SettledTransfer>, PortError> {
        let rows = sqlx::query(SETTLED)
            .bind(account.as_str())
            .bind(range.from.as_millis())
            .bind(range.until.as_millis())
            .bind(entry_after(range.after))
            .bind(i64::from(range.limit))
            .fetch_all(lists)
            .in_time()
            .await
            .map_err(failed("read the transfers of a report"))?;
        let rows = rows.iter().map(settled_row);
        let rows = rows.map(|row| row?.restore(account, self.cipher()));
        rows.collect()
    }
}

fn accepted_row(row: &PgRow) -> Result<AcceptedRow, PortError> {
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

fn settled_row(row: &PgRow) -> Result<SettledRow, PortError> {
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
