//! The log of what operators do. It must be written through the one writer, and never be changed.

use crate::error::{failed, wrote};
use crate::rows::{transaction, transaction_columns};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::operator::{Act, OperatorEntry};
use ports::PortError;
use ports::operators::{Appended, OperatorLog, SignedEffect};
use storage_sql::entry_columns;
use storage_sql::record::{EffectColumns, EntryColumns, EntryRow, effect, entry, paid_by_address};

const FOLLOWS: &str = "SELECT coalesce(max(number), 0) = ?1 - 1 FROM operator_log";

const APPEND: &str = "
    INSERT INTO operator_log (
        number, at, actor, act, account, reference, amount, currency, detail, approves, previous,
        signature
    )
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

const LAST: &str = concat!(
    "SELECT ",
    entry_columns!(),
    " FROM operator_log ORDER BY number DESC LIMIT 1"
);

const AFTER: &str = concat!(
    "SELECT ",
    entry_columns!(),
    " FROM operator_log WHERE number > ?1 ORDER BY number LIMIT ?2"
);

/// Of acts, whose words are a JSON list.
const OF_ACTS: &str = concat!(
    "SELECT ",
    entry_columns!(),
    " FROM operator_log WHERE act IN (SELECT value FROM json_each(?1)) ORDER BY number"
);

const EFFECTS: &str = "
    SELECT e.kind, e.account, e.reference, e.amount, e.currency, e.word, e.who
    FROM (
        SELECT 'account' AS kind, id AS account, coalesce(email, '') AS reference,
            NULL AS amount, NULL AS currency, coalesce(phone, '') AS word, '' AS who
        FROM accounts
        UNION ALL
        SELECT 'key', account, hint, NULL, NULL, '', '' FROM api_keys
        UNION ALL
        SELECT 'funding', f.account, f.reference,
            CASE t.kind WHEN 'adjustment_debit' THEN -t.amount ELSE t.amount END,
            t.currency, '', ''
        FROM fundings AS f JOIN transfers AS t ON t.id = f.transfer_id
        UNION ALL
        SELECT 'settlement', '', provider_reference, amount, currency, settlement, settled_by
        FROM unsettled_references WHERE settlement IS NOT NULL AND settlement <> 'reopened'
        UNION ALL
        SELECT 'resumption', CAST(number AS TEXT), provider, NULL, NULL, '', acknowledged_by
        FROM reconciliations
        UNION ALL
        SELECT 'prefunding', provider, reference, amount, currency, '', entered_by FROM prefundings
        UNION ALL
        SELECT 'freeze', account, target || ' ' || key, NULL, NULL,
            CASE frozen WHEN 0 THEN 'Active' ELSE 'Frozen' END, reason
        FROM freezes WHERE made_by = 0
    ) AS e";

/// What other accounts were paid.
const USERS_PAID: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions AS t WHERE t.service = 'user' AND t.state = 'booked'"
);

#[async_trait]
impl OperatorLog for SqliteStore {
    async fn append(&self, entry: &OperatorEntry) -> Result<Appended, PortError> {
        let row = EntryRow::of(entry);
        self.writer
            .alone(move |writer| Box::pin(writer.append(row)))
            .await?
    }

    async fn last(&self) -> Result<Option<OperatorEntry>, PortError> {
        let row: Option<EntryColumns> = sqlx::query_as(LAST)
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("read the operators' log"))?;
        row.map(entry).transpose()
    }

    async fn entries(&self, after: u64, limit: u32) -> Result<Vec<OperatorEntry>, PortError> {
        let rows: Vec<EntryColumns> = sqlx::query_as(AFTER)
            .bind(i64::try_from(after).unwrap_or(i64::MAX))
            .bind(limit)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read the operators' log"))?;
        rows.into_iter().map(entry).collect()
    }

    async fn of_acts(&self, acts: &[Act]) -> Result<Vec<OperatorEntry>, PortError> {
        let words: Vec<_> = acts.iter().map(|act| act.code()).collect();
        let rows: Vec<EntryColumns> = sqlx::query_as(OF_ACTS)
            .bind(crate::rows::json(&words)?)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read the operators' log"))?;
        rows.into_iter().map(entry).collect()
    }

    async fn effects(&self) -> Result<Vec<SignedEffect>, PortError> {
        let rows: Vec<EffectColumns> = sqlx::query_as(EFFECTS)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read what operators did"))?;
        let paid = sqlx::query(USERS_PAID)
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read what accounts paid one another"))?;
        let mut effects = Vec::with_capacity(rows.len());
        for row in &paid {
            effects.extend(paid_by_address(&transaction(row, &self.cipher)?));
        }
        for row in rows {
            effects.push(effect(row)?);
        }
        Ok(effects)
    }
}

impl SqliteWriter {
    async fn append(&mut self, row: EntryRow) -> Result<Appended, PortError> {
        let mut step = self.step().await?;
        let follows: bool = sqlx::query_scalar(FOLLOWS)
            .bind(row.number)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("read the operators' log"))?;
        if !follows {
            return Ok(Appended::Behind);
        }
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
        wrote(inserted.rows_affected(), 1, "append to the operators' log")?;
        step.commit()
            .await
            .map_err(failed("commit an entry of the operators' log"))?;
        Ok(Appended::Done)
    }
}
