//! Endpoints of accounts. They must be written through the writer of their account, and locked
//! before anything that rests on them.

use crate::account_changes;
use crate::connection::StatementAnswer;
use crate::error::{failed, wrote};
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::{ENDPOINTS_MAX, Endpoint, EndpointId};
use ports::PortError;
use ports::account_changes::SealedChange;
use ports::webhooks::{EndpointChange, EndpointRegistration, Endpoints};
use sqlx::Row;
use sqlx::postgres::PgRow;
use std::sync::Arc;
use storage_sql::field_cipher::FieldCipher;
pub(crate) use storage_sql::record::endpoint_key as key;
use storage_sql::record::{EndpointRow, HealthColumns, HealthRow, secret_peppers, target, topics};
use storage_sql::webhook::{changed, removed};

/// The columns of [`endpoint`], of a table or alias `e`.
macro_rules! endpoint_columns {
    () => {
        "e.account, e.id, e.target, e.topics, e.description, e.with_tokens, e.secret_version, \
         e.rotated_at, e.disabled_at, e.disabled_reason, e.created_at, e.failing_since, \
         e.rotated_before, e.secret_peppers"
    };
}
pub(crate) use endpoint_columns;

/// How many columns those are.
pub(crate) const ENDPOINT_COLUMNS: usize = 14;

/// What stands in the way of registering: no such account, too many endpoints, its number. One row.
/// The account is locked, so that registrations see each other.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        (SELECT count(*) FROM endpoints WHERE account = $1 AND removed_at IS NULL) >= $3,
        EXISTS (SELECT 1 FROM endpoints WHERE account = $1 AND id = $2)";

pub(crate) const LOCK_ACCOUNT: &str = "SELECT lock_account($1)";

pub(crate) const REGISTER: &str = "
    INSERT INTO endpoints (
        account, id, target, topics, description, with_tokens, secret_version, rotated_at,
        disabled_at,
        disabled_reason, created_at, failing_since, rotated_before, secret_peppers
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

pub(crate) const OF_ACCOUNT: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    " FROM endpoints AS e WHERE e.account = $1 AND e.removed_at IS NULL
    ORDER BY e.created_at, e.id"
);

/// An endpoint, locked against all who change it.
pub(crate) const ONE: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    " FROM endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.removed_at IS NULL
    FOR NO KEY UPDATE"
);

pub(crate) const CHANGE: &str = "
    UPDATE endpoints SET
        secret_version = $3, rotated_at = $4, disabled_at = $5, disabled_reason = $6,
        failing_since = $7, rotated_before = $8, secret_peppers = $9
    WHERE account = $1 AND id = $2";

/// What is due already keeps its place in the queue; nothing is leased any longer. A lease that is
/// locked is being taken or given back, and is not waited for: the other may wait for a delivery.
pub(crate) const MAKE_DUE: &str = "
    WITH due AS (
        UPDATE deliveries SET due_at = $3
        WHERE account = $1 COLLATE ucs_basic AND endpoint = $2 AND due_at > $3
        RETURNING 1
    ),
    free AS MATERIALIZED (
        SELECT account, endpoint, number, sequence, currency FROM delivery_leases
        WHERE account = ANY (ARRAY[$1]) AND endpoint = $2 AND (SELECT count(*) FROM due) >= 0
        FOR UPDATE SKIP LOCKED
    )
    DELETE FROM delivery_leases AS l USING free
    WHERE l.account = ANY (ARRAY[free.account]) AND l.endpoint = free.endpoint
        AND l.number = free.number AND l.sequence = free.sequence
        AND l.currency = free.currency";

/// The health of an endpoint, locked like [`ONE`].
pub(crate) const HEALTH: &str = "
    SELECT failing_since, disabled_at, disabled_reason FROM endpoints
    WHERE account = $1 AND id = $2 AND removed_at IS NULL
    FOR NO KEY UPDATE";

/// One row, however much there is for the endpoint.
pub(crate) const REMOVE: &str = "
    UPDATE endpoints SET removed_at = $3, disabled_at = $4, disabled_reason = $5
    WHERE account = $1 AND id = $2";

#[async_trait]
impl Endpoints for PostgresStore {
    async fn register(
        &self,
        endpoint: &Endpoint,
        noted: &SealedChange,
    ) -> Result<EndpointRegistration, PortError> {
        let noted = noted.clone();
        let (account, endpoint) = (endpoint.account.clone(), endpoint.clone());
        self.alone(&account, move |writer| {
            Box::pin(writer.register_endpoint(endpoint, noted))
        })
        .await
    }

    async fn endpoints(&self, account: &AccountId) -> Result<Vec<Endpoint>, PortError> {
        let rows = sqlx::query(OF_ACCOUNT)
            .bind(account.as_str())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the endpoints of an account"))?;
        let rows = rows.iter();
        rows.map(|row| endpoint(row, 0, self.cipher())).collect()
    }

    async fn change(
        &self,
        (account, id): (&AccountId, EndpointId),
        change: EndpointChange,
        noted: &SealedChange,
    ) -> Result<Option<Endpoint>, PortError> {
        let (owner, noted) = (account.clone(), noted.clone());
        self.alone(account, move |writer| {
            Box::pin(writer.change_endpoint((owner, id), change, noted))
        })
        .await
    }

    async fn remove(
        &self,
        (account, id): (&AccountId, EndpointId),
        now: Timestamp,
        noted: &SealedChange,
    ) -> Result<bool, PortError> {
        let (owner, noted) = (account.clone(), noted.clone());
        self.alone(account, move |writer| {
            Box::pin(writer.remove_endpoint((owner, id), now, noted))
        })
        .await
    }
}

impl PostgresWriter {
    async fn register_endpoint(
        &mut self,
        endpoint: Endpoint,
        noted: SealedChange,
    ) -> Result<EndpointRegistration, PortError> {
        let target = target(&endpoint, self.shared().sealing.fields())?;
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(endpoint.account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let (account_unknown, too_many, id_taken): (bool, bool, bool) = sqlx::query_as(OBSTACLES)
            .bind(endpoint.account.as_str())
            .bind(key(endpoint.id))
            .bind(i64::try_from(ENDPOINTS_MAX).unwrap_or(i64::MAX))
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for an endpoint"))?;
        if account_unknown {
            return Ok(EndpointRegistration::AccountUnknown);
        }
        // Another number would not help, so this error comes first.
        if too_many {
            return Ok(EndpointRegistration::TooMany);
        }
        if id_taken {
            return Ok(EndpointRegistration::IdTaken);
        }
        let inserted = insertion(&endpoint, &target).execute(&mut *step).await;
        let inserted = inserted.map_err(failed("insert an endpoint"))?;
        wrote(inserted.rows_affected(), 1, "insert an endpoint")?;
        account_changes::append(&mut step, &noted).await?;
        step.commit().await.map_err(failed("commit an endpoint"))?;
        Ok(EndpointRegistration::Done)
    }

    async fn change_endpoint(
        &mut self,
        (account, id): (AccountId, EndpointId),
        change: EndpointChange,
        noted: SealedChange,
    ) -> Result<Option<Endpoint>, PortError> {
        let shared = Arc::clone(self.shared());
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(key(id))
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("find an endpoint"))?;
        let before = found.map(|row| endpoint(&row, 0, shared.sealing.fields()));
        let Some(before) = before.transpose()? else {
            return Ok(None);
        };
        let after = changed(before.clone(), change);
        if after == before {
            return Ok(Some(after));
        }
        let health = HealthColumns::of(after.health);
        let written = sqlx::query(CHANGE)
            .bind(account.as_str())
            .bind(key(id))
            .bind(i64::from(after.generation.number()))
            .bind(after.rotated_at.map(Timestamp::as_millis))
            .bind(health.disabled_at)
            .bind(health.disabled_reason)
            .bind(health.failing_since)
            .bind(after.rotated_before.map(Timestamp::as_millis))
            .bind(secret_peppers(&after))
            .execute(&mut *step)
            .await
            .map_err(failed("change an endpoint"))?;
        wrote(written.rows_affected(), 1, "change an endpoint")?;
        account_changes::append(&mut step, &noted).await?;
        if let EndpointChange::Enable(now) = change {
            sqlx::query(MAKE_DUE)
                .bind(account.as_str())
                .bind(key(id))
                .bind(now.as_millis())
                .execute(&mut *step)
                .await
                .map_err(failed("make due what waited for an endpoint"))?;
        }
        step.commit()
            .await
            .map_err(failed("commit a change of an endpoint"))?;
        Ok(Some(after))
    }

    async fn remove_endpoint(
        &mut self,
        (account, id): (AccountId, EndpointId),
        now: Timestamp,
        noted: SealedChange,
    ) -> Result<bool, PortError> {
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found: Option<(Option<i64>, Option<i64>, Option<String>)> = sqlx::query_as(HEALTH)
            .bind(account.as_str())
            .bind(key(id))
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("find an endpoint"))?;
        let Some((failing_since, disabled_at, disabled_reason)) = found else {
            return Ok(false);
        };
        let health = HealthRow {
            failing_since,
            disabled_at,
            disabled_reason,
        };
        let health = HealthColumns::of(removed(health.restore()?, now));
        let written = sqlx::query(REMOVE)
            .bind(account.as_str())
            .bind(key(id))
            .bind(now.as_millis())
            .bind(health.disabled_at)
            .bind(health.disabled_reason)
            .execute(&mut *step)
            .await
            .map_err(failed("remove an endpoint"))?;
        wrote(written.rows_affected(), 1, "remove an endpoint")?;
        account_changes::append(&mut step, &noted).await?;
        step.commit()
            .await
            .map_err(failed("commit the removal of an endpoint"))?;
        Ok(true)
    }
}

fn insertion<'a>(endpoint: &'a Endpoint, target: &'a str) -> crate::writer::Statement<'a> {
    let health = HealthColumns::of(endpoint.health);
    sqlx::query(REGISTER)
        .bind(endpoint.account.as_str())
        .bind(key(endpoint.id))
        .bind(target)
        .bind(topics(&endpoint.topics))
        .bind(endpoint.description.as_str())
        .bind(endpoint.with_tokens)
        .bind(i64::from(endpoint.generation.number()))
        .bind(endpoint.rotated_at.map(Timestamp::as_millis))
        .bind(health.disabled_at)
        .bind(health.disabled_reason)
        .bind(endpoint.created_at.as_millis())
        .bind(health.failing_since)
        .bind(endpoint.rotated_before.map(Timestamp::as_millis))
        .bind(secret_peppers(endpoint))
}

/// The endpoint in a row that has its columns from column `first` on.
pub(crate) fn endpoint(
    row: &PgRow,
    first: usize,
    cipher: &FieldCipher,
) -> Result<Endpoint, PortError> {
    let read = || {
        Ok(EndpointRow {
            account: row.try_get(first)?,
            id: row.try_get(first + 1)?,
            target: row.try_get(first + 2)?,
            topics: row.try_get(first + 3)?,
            description: row.try_get(first + 4)?,
            with_tokens: row.try_get(first + 5)?,
            generation: row.try_get(first + 6)?,
            rotated_at: row.try_get(first + 7)?,
            health: HealthRow {
                disabled_at: row.try_get(first + 8)?,
                disabled_reason: row.try_get(first + 9)?,
                failing_since: row.try_get(first + 11)?,
            },
            created_at: row.try_get(first + 10)?,
            rotated_before: row.try_get(first + 12)?,
            peppers: row.try_get(first + 13)?,
        })
    };
    read().map_err(failed("read an endpoint"))?.restore(cipher)
}
