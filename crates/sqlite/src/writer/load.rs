//! Reading what a batch needs, each table with one statement however large the batch is, and all of
//! them in one call to the database's thread. It must run inside the step that writes.

use super::{collecting, vouchers};
use crate::error::{PART, failed};
use crate::rows::{batch_columns, batch_row, json, transaction_columns, transaction_row};
use domain::account::AccountId;
use ports::PortError;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use storage_sql::planner::{ReadSet, WorkingSet};
use storage_sql::record::{AccountRow, FundingRow, NotedRow, SubscriberRow};
use storage_sql::row_macs::RowAuthenticity;

/// The statements that read, each row with the number of its statement in front. The parameters are
/// wallets by account and currency, then by account transaction numbers, references, idempotency
/// keys and funding references, noted references, and references of batches; they have no numbers
/// because the driver counts them from statement to statement. A transaction found in two ways is
/// read once: the planner would take the copies for the same. Rows are never deleted and there is
/// one writer, so the next keys follow the greatest.
macro_rules! reads {
    () => {
        concat!(
            "SELECT 1, a.id, a.status, w.currency, w.available, w.held, w.debits, w.credits,
                w.low_balance_threshold, a.environment, w.counted_from, w.spent,
                w.frozen, w.mac
            FROM json_each(?) AS wanted
            CROSS JOIN accounts AS a ON a.id = wanted.value ->> 0
            CROSS JOIN wallets AS w ON w.account = a.id AND w.currency = wanted.value ->> 1;

            SELECT 2, ",
            transaction_columns!(),
            " FROM (
                SELECT t.id FROM json_each(?) AS wanted
                CROSS JOIN transactions AS t
                    ON t.account = wanted.value ->> 0 AND t.number = wanted.value ->> 1
                UNION
                SELECT t.id FROM json_each(?) AS wanted
                CROSS JOIN transactions AS t
                    ON t.account = wanted.value ->> 0 AND t.reference = wanted.value ->> 1
                UNION
                SELECT t.id FROM json_each(?) AS wanted
                CROSS JOIN transactions AS t
                    ON t.account = wanted.value ->> 0 AND t.idempotency_key = wanted.value ->> 1
            ) AS found
            CROSS JOIN transactions AS t ON t.id = found.id;

            SELECT 3, f.account, f.reference,
                CASE t.kind WHEN 'adjustment_debit' THEN -t.amount ELSE t.amount END, t.currency
            FROM json_each(?) AS wanted
            CROSS JOIN fundings AS f
                ON f.account = wanted.value ->> 0 AND f.reference = wanted.value ->> 1
            CROSS JOIN transfers AS t ON t.id = f.transfer_id;

            SELECT 4, (SELECT max(id) FROM transactions), (SELECT max(id) FROM transfers),
                (SELECT since IS NOT NULL FROM suspension WHERE one = 1);

            SELECT 6, u.account, u.reference, u.provider_reference, u.settlement, u.amount,
                u.currency
            FROM json_each(?) AS wanted
            CROSS JOIN unsettled_references AS u
                ON u.account = wanted.value ->> 0 AND u.reference = wanted.value ->> 1;

            SELECT 7, provider, environment FROM provider_environments;

            SELECT 8, ",
            batch_columns!(),
            " FROM json_each(?) AS wanted
            CROSS JOIN batches AS b
                ON b.account = wanted.value ->> 0 AND b.reference = wanted.value ->> 1"
        )
    };
}

/// The enabled endpoints of accounts with public events.
macro_rules! subscribers {
    () => {
        "
        SELECT 5, e.account, e.id, e.topics
        FROM json_each(?) AS wanted
        CROSS JOIN endpoints AS e ON e.account = wanted.value
        WHERE e.disabled_at IS NULL"
    };
}

/// Reads inside a step that has begun.
const READS: &str = reads!();

/// The same for a batch with public events, and the subscribed endpoints.
pub(crate) const READS_WITH_HEARERS: &str = concat!(reads!(), ";", subscribers!());

/// The enabled endpoints of accounts that a batch may leave with little.
pub(crate) const SUBSCRIBERS: &str = subscribers!();

/// The batches under some idempotency keys. It is a statement of its own because few change sets
/// open a batch.
pub(crate) const BATCHES_BY_KEY: &str = concat!(
    "SELECT 8, ",
    batch_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN batches AS b
        ON b.account = wanted.value ->> 0 AND b.idempotency_key = wanted.value ->> 1"
);

/// Begins a step and reads.
const BEGIN_AND_READ: &str = concat!("BEGIN IMMEDIATE; ", reads!());

/// The same for a batch with public events.
const BEGIN_AND_READ_WITH_HEARERS: &str =
    concat!("BEGIN IMMEDIATE; ", reads!(), ";", subscribers!());

/// What was read for a batch.
#[derive(Debug, Default)]
pub(crate) struct LoadedRows {
    pub(crate) known: WorkingSet,
    pub(crate) last: LastIds,
}

/// The greatest keys in use; 0 where there is none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastIds {
    pub(crate) transaction: i64,
    pub(crate) transfer: i64,
}

pub(crate) async fn begin(
    connection: &mut SqliteConnection,
    needs: &ReadSet<'_>,
) -> Result<LoadedRows, PortError> {
    let statements = [BEGIN_AND_READ, BEGIN_AND_READ_WITH_HEARERS];
    run(connection, statements, needs).await
}

pub(crate) async fn inside(
    connection: &mut SqliteConnection,
    needs: &ReadSet<'_>,
) -> Result<LoadedRows, PortError> {
    run(connection, [READS, READS_WITH_HEARERS], needs).await
}

/// Runs the first statements, or the second ones for a batch with public events.
async fn run(
    connection: &mut SqliteConnection,
    [silent, announcing]: [&'static str; 2],
    needs: &ReadSet<'_>,
) -> Result<LoadedRows, PortError> {
    let wallets = needs.wallets.keys();
    let wallets: Vec<_> = wallets
        .map(|(id, currency)| (id.as_str(), currency.code()))
        .collect();
    let numbers = needs.numbers.iter();
    let numbers: Vec<_> = numbers
        .map(|(id, number)| (id.as_str(), number.get()))
        .collect();
    let references = needs.references.iter();
    let references: Vec<_> = references
        .map(|(id, name)| (id.as_str(), name.as_str()))
        .collect();
    let keys: Vec<_> = needs
        .keys
        .iter()
        .map(|(id, key)| (id.as_str(), key.as_str()))
        .collect();
    let fundings = needs.fundings.iter();
    let fundings: Vec<_> = fundings
        .map(|(id, name)| (id.as_str(), name.as_str()))
        .collect();
    let noted: Vec<_> = needs.noted.iter().collect();
    let hearing: Vec<_> = needs.hearing.iter().map(|id| id.as_str()).collect();
    let silent = needs.hearing.is_empty().then_some(silent);
    let query = sqlx::query(silent.unwrap_or(announcing))
        .bind(json(&wallets)?)
        .bind(json(&numbers)?)
        .bind(json(&references)?)
        .bind(json(&keys)?)
        .bind(json(&fundings)?)
        .bind(json(&noted)?)
        .bind(json(&references)?);
    let query = match silent {
        Some(_) => query,
        None => query.bind(json(&hearing)?),
    };
    let rows = query.fetch_all(&mut *connection).await;
    let rows = rows.map_err(failed("read what a batch needs"))?;
    let mut loaded = LoadedRows::default();
    loaded.take_all(&rows)?;
    if !needs.batch_keys.is_empty() {
        let keys = needs.batch_keys.iter();
        let keys: Vec<_> = keys.map(|(id, key)| (id.as_str(), key.as_str())).collect();
        let rows = sqlx::query(BATCHES_BY_KEY)
            .bind(json(&keys)?)
            .fetch_all(&mut *connection)
            .await
            .map_err(failed("read batches by their keys"))?;
        loaded.take_all(&rows)?;
    }
    loaded.known.vouchers = vouchers::read(connection, &needs.vouchers).await?;
    loaded.known.collected = collecting::read(connection, &needs.sessions).await?;
    let low = needs.may_fall_low(&loaded.known);
    if !low.is_empty() {
        let low: Vec<_> = low.into_iter().map(AccountId::as_str).collect();
        let rows = sqlx::query(SUBSCRIBERS)
            .bind(json(&low)?)
            .fetch_all(connection)
            .await
            .map_err(failed("read the endpoints of a low-balance event"))?;
        loaded.take_all(&rows)?;
    }
    Ok(loaded)
}

impl LoadedRows {
    fn take_all(&mut self, rows: &[SqliteRow]) -> Result<(), PortError> {
        for row in rows {
            self.take(row)
                .map_err(failed("read a row of what a batch needs"))??;
        }
        Ok(())
    }

    fn take(&mut self, row: &SqliteRow) -> Result<Result<(), PortError>, sqlx::Error> {
        match row.try_get(0)? {
            1_i64 => self.known.wallets.push(wallet(row)?),
            2 => self.known.transactions.push(transaction_row(row, 1)?),
            3 => self.known.fundings.push(FundingRow {
                account: row.try_get(1)?,
                reference: row.try_get(2)?,
                amount: row.try_get(3)?,
                currency: row.try_get(4)?,
            }),
            4 => {
                self.last = last_ids(row)?;
                self.known.held = row.try_get(3)?;
            }
            5 => self.known.subscribers.push(SubscriberRow {
                account: row.try_get(1)?,
                endpoint: row.try_get(2)?,
                topics: row.try_get(3)?,
            }),
            6 => self.known.noted.push(NotedRow {
                account: row.try_get(1)?,
                reference: row.try_get(2)?,
                provider_reference: row.try_get(3)?,
                settlement: row.try_get(4)?,
                amount: row.try_get(5)?,
                currency: row.try_get(6)?,
            }),
            7 => {
                let (provider, environment) = (row.try_get(1)?, row.try_get(2)?);
                self.known.environments.push((provider, environment));
            }
            8 => self.known.batches.push(batch_row(row, 1)?),
            other => {
                let what = format!("statement {other} of a batch is not known");
                return Ok(Err(PortError::new(PART, what)));
            }
        }
        Ok(Ok(()))
    }
}

fn wallet(row: &SqliteRow) -> Result<AccountRow, sqlx::Error> {
    Ok(AccountRow {
        id: row.try_get(1)?,
        status: row.try_get(2)?,
        currency: row.try_get(3)?,
        available: row.try_get(4)?,
        held: row.try_get(5)?,
        debits: row.try_get(6)?,
        credits: row.try_get(7)?,
        low_balance_threshold: row.try_get(8)?,
        environment: row.try_get(9)?,
        counted_from: row.try_get(10)?,
        spent: row.try_get(11)?,
        frozen: row.try_get(12)?,
        mac: row.try_get(13)?,
        authenticity: RowAuthenticity::Unchecked,
    })
}

fn last_ids(row: &SqliteRow) -> Result<LastIds, sqlx::Error> {
    let transaction: Option<i64> = row.try_get(1)?;
    let transfer: Option<i64> = row.try_get(2)?;
    Ok(LastIds {
        transaction: transaction.unwrap_or_default(),
        transfer: transfer.unwrap_or_default(),
    })
}
