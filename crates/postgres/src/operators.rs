//! The log of what operators do. Entries of several processes must follow one another: the number
//! of the next is taken once.

use crate::connection::{self, StatementAnswer};
use crate::error::failed;
use crate::rows::{transaction, transaction_columns};
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::operator::{Act, OperatorEntry};
use ports::PortError;
use ports::operators::{Appended, OperatorLog, SignedEffect};
use storage_sql::entry_columns;
use storage_sql::record::{EffectColumns, EntryColumns, EntryRow, effect, entry, paid_by_address};

/// Inserts nothing where it does not follow the last, or another process was faster.
const APPEND: &str = "
    INSERT INTO operator_log (
        number, at, actor, act, account, reference, amount, currency, detail, approves, previous,
        signature
    )
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
    WHERE (SELECT coalesce(max(number), 0) FROM operator_log) = $1 - 1
    ON CONFLICT (number) DO NOTHING";

const LAST: &str = concat!(
    "SELECT ",
    entry_columns!(),
    " FROM operator_log ORDER BY number DESC LIMIT 1"
);

const AFTER: &str = concat!(
    "SELECT ",
    entry_columns!(),
    " FROM operator_log WHERE number > $1 ORDER BY number LIMIT $2"
);

const OF_ACTS: &str = concat!(
    "SELECT ",
    entry_columns!(),
    " FROM operator_log WHERE act = ANY ($1) ORDER BY number"
);

const EFFECTS: &str = "
    SELECT e.kind, e.account, e.reference, e.amount, e.currency, e.word, e.who
    FROM (
        SELECT 'account' AS kind, id AS account, coalesce(email, '') AS reference,
            NULL::bigint AS amount, NULL::text AS currency, coalesce(phone, '') AS word, '' AS who
        FROM accounts
        UNION ALL
        SELECT 'key', account, hint, NULL, NULL, '', '' FROM api_keys
        UNION ALL
        SELECT 'funding', account, reference, amount, currency, '', '' FROM fundings
        UNION ALL
        SELECT 'settlement', '', provider_reference, amount, currency, settlement, settled_by
        FROM unsettled_references WHERE settlement <> 'reopened'
        UNION ALL
        SELECT 'resumption', number::text, provider, NULL, NULL, '', acknowledged_by
        FROM reconciliations
        UNION ALL
        SELECT 'prefunding', provider, reference, amount, currency, '', entered_by FROM prefundings
        UNION ALL
        SELECT 'freeze', account, target || ' ' || key, NULL, NULL,
            CASE WHEN frozen THEN 'Frozen' ELSE 'Active' END, reason
        FROM freezes WHERE made_by = 0
    ) AS e";

/// What other accounts were paid.
const USERS_PAID: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions AS t WHERE t.service = 'user' AND t.state = 'booked'"
);

/// The writer that takes entries is found by a name, as that of an account is.
const WRITER: &str = "operators";

#[async_trait]
impl OperatorLog for PostgresStore {
    async fn append(&self, entry: &OperatorEntry) -> Result<Appended, PortError> {
        let row = EntryRow::of(entry);
        let writer = AccountId::parse(WRITER);
        let writer = writer.map_err(|error| PortError::caused("postgres", WRITER, error))?;
        self.alone(&writer, move |writer| Box::pin(writer.append(row)))
            .await
    }

    async fn last(&self) -> Result<Option<OperatorEntry>, PortError> {
        let row: Option<EntryColumns> = sqlx::query_as(LAST)
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the operators' log"))?;
        row.map(entry).transpose()
    }

    async fn entries(&self, after: u64, limit: u32) -> Result<Vec<OperatorEntry>, PortError> {
        let rows: Vec<EntryColumns> = sqlx::query_as(AFTER)
            .bind(i64::try_from(after).unwrap_or(i64::MAX))
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the operators' log"))?;
        rows.into_iter().map(entry).collect()
    }

    async fn of_acts(&self, acts: &[Act]) -> Result<Vec<OperatorEntry>, PortError> {
        let words: Vec<_> = acts.iter().map(|act| act.code()).collect();
        let rows: Vec<EntryColumns> = sqlx::query_as(OF_ACTS)
            .bind(words)
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the operators' log"))?;
        rows.into_iter().map(entry).collect()
    }

    async fn effects(&self) -> Result<Vec<SignedEffect>, PortError> {
        let mut connection = self.at_leisure().await?;
        let rows: Vec<EffectColumns> = sqlx::query_as(EFFECTS)
            .fetch_all(&mut connection)
            .await
            .map_err(failed("read what operators did"))?;
        let paid = sqlx::query(USERS_PAID).fetch_all(&mut connection).await;
        connection::close(connection).await;
        let paid = paid.map_err(failed("read what accounts paid one another"))?;
        let mut effects = Vec::with_capacity(rows.len());
        for row in &paid {
            effects.extend(paid_by_address(&transaction(row, self.cipher())?));
        }
        for row in rows {
            effects.push(effect(row)?);
        }
        Ok(effects)
    }
}

impl PostgresWriter {
    async fn append(&mut self, row: EntryRow) -> Result<Appended, PortError> {
        let mut step = self.step().await?;
        let inserted = sqlx::query(APPEND)
            .bind(row.number)
            .bind(row.at)
            .bind(row.actor)
            .bind(row.act)
            .bind(row.account)
            .bind(row.reference)
            .bind(row.amount)
            .bind(row.currency)
            .bind(row.detail)
            .bind(row.approves)
            .bind(row.previous)
            .bind(row.signature)
            .execute(&mut *step)
            .await
            .map_err(failed("append to the operators' log"))?;
        if inserted.rows_affected() == 0 {
            return Ok(Appended::Behind);
        }
        step.commit()
            .await
            .map_err(failed("commit an entry of the operators' log"))?;
        Ok(Appended::Done)
    }
}
