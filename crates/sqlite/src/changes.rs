//! Cursors of providers' changes and the dead-letter list. They must be written through the one
//! writer, and what a provider reported is never changed or removed.

use crate::error::{failed, wrote};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::changes::{
    ChangeId, ChangeStatus, Cursor, CursorMove, DeadLetter, ProviderChanges, Retried, SetAside,
};
use sqlx::Row;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::{DeadLetterRow, cursor, finding, position};

pub(crate) const CURSOR: &str = "
    SELECT position, read_at FROM provider_cursors WHERE provider = ?1";

/// Moves a cursor from `?2` or beyond it to `?3`, never back.
pub(crate) const ADVANCE: &str = "
    UPDATE provider_cursors SET position = ?3, read_at = ?4
    WHERE provider = ?1 AND position >= ?2 AND position < ?3";

/// The first position of a provider; a store that was set back to before it has none.
pub(crate) const BEGIN: &str = "
    INSERT INTO provider_cursors (provider, position, read_at) VALUES (?1, ?3, ?4)
    ON CONFLICT (provider) DO NOTHING";

pub(crate) const IS_OPEN: &str = "
    SELECT due_at IS NOT NULL FROM dead_letters
    WHERE provider = ?1 AND position = ?2 AND reference = ?3";

pub(crate) const COUNT_OPEN: &str = "SELECT count(*) FROM dead_letters WHERE due_at IS NOT NULL";

/// A letter that was resolved keeps what was reported and when it was first seen.
pub(crate) const SET_ASIDE: &str = "
    INSERT INTO dead_letters (
        provider, position, reference, outcome, reason, first_seen_at, tried_at, tries, due_at,
        resolved_at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (provider, position, reference) DO UPDATE SET
        reason = excluded.reason, tried_at = excluded.tried_at, tries = excluded.tries,
        due_at = excluded.due_at, resolved_at = excluded.resolved_at";

macro_rules! letter_columns {
    () => {
        "provider, position, reference, outcome, reason, first_seen_at, tried_at, tries, due_at,
        resolved_at"
    };
}

pub(crate) const DUE: &str = concat!(
    "SELECT ",
    letter_columns!(),
    " FROM dead_letters WHERE due_at <= ?1
    ORDER BY due_at, provider, position, reference LIMIT ?2"
);

const OPEN: &str = concat!(
    "SELECT ",
    letter_columns!(),
    " FROM dead_letters WHERE due_at IS NOT NULL
    ORDER BY first_seen_at, provider, position, reference LIMIT ?1"
);

pub(crate) const RETRIED: &str = "
    UPDATE dead_letters SET tries = tries + 1, tried_at = ?4, due_at = ?5, reason = ?6
    WHERE provider = ?1 AND position = ?2 AND reference = ?3 AND due_at IS NOT NULL";

pub(crate) const RESOLVE: &str = "
    UPDATE dead_letters SET due_at = NULL, resolved_at = ?4
    WHERE provider = ?1 AND position = ?2 AND reference = ?3 AND due_at IS NOT NULL";

pub(crate) const MAKE_DUE: &str = "UPDATE dead_letters SET due_at = ?1 WHERE due_at > ?1";

#[async_trait]
impl ProviderChanges for SqliteStore {
    async fn cursor(&self, provider: &ProviderId) -> Result<Option<Cursor>, PortError> {
        let stored: Option<(i64, i64)> = sqlx::query_as(CURSOR)
            .bind(provider.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("read the cursor of a provider"))?;
        Ok(stored.map(cursor))
    }

    async fn advance(&self, step: &CursorMove) -> Result<u64, PortError> {
        let step = step.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.advance(step)))
            .await?
    }

    async fn set_aside(&self, letter: &DeadLetter, open_max: u64) -> Result<SetAside, PortError> {
        let letter = letter.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.set_aside(letter, open_max)))
            .await?
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        let rows = sqlx::query(DUE)
            .bind(now.as_millis())
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("find the dead letters that are due"))?;
        let what = "a dead letter cannot be tried again";
        Ok(readable(rows.iter().map(|row| dead_letter(row, &self.cipher)), what).collect())
    }

    async fn retried(&self, id: &ChangeId, retried: &Retried) -> Result<bool, PortError> {
        let (id, retried) = (id.clone(), retried.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.retried(id, retried)))
            .await?
    }

    async fn resolve(&self, id: &ChangeId, at: Timestamp) -> Result<bool, PortError> {
        let id = id.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.resolve(id, at)))
            .await?
    }

    async fn open_letters(&self, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        let rows = sqlx::query(OPEN)
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the dead letters"))?;
        let what = "a dead letter cannot be listed";
        Ok(readable(rows.iter().map(|row| dead_letter(row, &self.cipher)), what).collect())
    }

    async fn make_due(&self, now: Timestamp) -> Result<u64, PortError> {
        self.writer
            .alone(move |writer| Box::pin(writer.make_letters_due(now)))
            .await?
    }
}

impl SqliteWriter {
    async fn advance(&mut self, wanted: CursorMove) -> Result<u64, PortError> {
        let to = position(wanted.to)?;
        let from = position(wanted.from)?;
        let mut step = self.step().await?;
        let statements = if wanted.from == 0 {
            &[BEGIN, ADVANCE][..]
        } else {
            &[ADVANCE][..]
        };
        for statement in statements {
            sqlx::query(*statement)
                .bind(wanted.provider.as_str())
                .bind(from)
                .bind(to)
                .bind(wanted.read_at.as_millis())
                .execute(&mut *step)
                .await
                .map_err(failed("move the cursor of a provider"))?;
        }
        let stored: Option<(i64, i64)> = sqlx::query_as(CURSOR)
            .bind(wanted.provider.as_str())
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("read the cursor of a provider"))?;
        step.commit().await.map_err(failed("commit a cursor"))?;
        Ok(stored.map_or(0, |stored| cursor(stored).position))
    }

    async fn set_aside(
        &mut self,
        letter: DeadLetter,
        open_max: u64,
    ) -> Result<SetAside, PortError> {
        let (due_at, resolved_at) = moments(letter.status);
        let finding = finding(&letter, &self.cipher())?;
        let at = position(letter.id.position)?;
        let mut step = self.step().await?;
        let open: Option<bool> = sqlx::query_scalar(IS_OPEN)
            .bind(letter.id.provider.as_str())
            .bind(at)
            .bind(letter.id.reference.as_str())
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("look for a dead letter"))?;
        if open == Some(true) {
            return Ok(SetAside::Known);
        }
        let open: i64 = sqlx::query_scalar(COUNT_OPEN)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("count the dead letters"))?;
        if u64::try_from(open).unwrap_or_default() >= open_max {
            return Ok(SetAside::Full);
        }
        let inserted = sqlx::query(SET_ASIDE)
            .bind(letter.id.provider.as_str())
            .bind(at)
            .bind(letter.id.reference.as_str())
            .bind(finding)
            .bind(&letter.reason)
            .bind(letter.first_seen_at.as_millis())
            .bind(letter.tried_at.as_millis())
            .bind(i64::from(letter.tries))
            .bind(due_at)
            .bind(resolved_at)
            .execute(&mut *step)
            .await
            .map_err(failed("insert a dead letter"))?;
        wrote(inserted.rows_affected(), 1, "insert a dead letter")?;
        step.commit()
            .await
            .map_err(failed("commit a dead letter"))?;
        Ok(SetAside::Done)
    }

    async fn retried(&mut self, id: ChangeId, retried: Retried) -> Result<bool, PortError> {
        let query = named(RETRIED, &id)?
            .bind(retried.at.as_millis())
            .bind(retried.due_at.as_millis())
            .bind(retried.reason);
        let mut step = self.step().await?;
        let written = query.execute(&mut *step).await;
        let written = written.map_err(failed("note that a dead letter was tried"))?;
        step.commit()
            .await
            .map_err(failed("commit a dead letter"))?;
        Ok(written.rows_affected() == 1)
    }

    async fn resolve(&mut self, id: ChangeId, at: Timestamp) -> Result<bool, PortError> {
        let query = named(RESOLVE, &id)?.bind(at.as_millis());
        let mut step = self.step().await?;
        let written = query.execute(&mut *step).await;
        let written = written.map_err(failed("resolve a dead letter"))?;
        step.commit()
            .await
            .map_err(failed("commit a dead letter"))?;
        Ok(written.rows_affected() == 1)
    }

    async fn make_letters_due(&mut self, now: Timestamp) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        sqlx::query(MAKE_DUE)
            .bind(now.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("make dead letters due"))?;
        let open: i64 = sqlx::query_scalar(COUNT_OPEN)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("count the dead letters"))?;
        step.commit().await.map_err(failed("commit dead letters"))?;
        Ok(u64::try_from(open).unwrap_or_default())
    }
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, SqliteArguments>;

/// A statement about one letter, its name bound.
fn named<'q>(statement: &'static str, id: &'q ChangeId) -> Result<Query<'q>, PortError> {
    Ok(sqlx::query(statement)
        .bind(id.provider.as_str())
        .bind(position(id.position)?)
        .bind(id.reference.as_str()))
}

/// When a letter is due, or when it was resolved.
fn moments(standing: ChangeStatus) -> (Option<i64>, Option<i64>) {
    match standing {
        ChangeStatus::Open { due_at } => (Some(due_at.as_millis()), None),
        ChangeStatus::Resolved { at } => (None, Some(at.as_millis())),
    }
}

fn dead_letter(row: &SqliteRow, cipher: &FieldCipher) -> Result<DeadLetter, PortError> {
    let read = || {
        Ok(DeadLetterRow {
            provider: row.try_get(0)?,
            position: row.try_get(1)?,
            reference: row.try_get(2)?,
            finding: row.try_get(3)?,
            reason: row.try_get(4)?,
            first_seen_at: row.try_get(5)?,
            tried_at: row.try_get(6)?,
            tries: row.try_get(7)?,
            due_at: row.try_get(8)?,
            resolved_at: row.try_get(9)?,
        })
    };
    read()
        .map_err(failed("read a dead letter"))?
        .restore(cipher)
}
