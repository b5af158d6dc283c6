//! Opening books that are held. What a person vouched for must be in the books themselves, with
//! what the comparison found.

use crate::connection::{self, Answer};
use crate::error::{failed, wrote};
use crate::store::Store;
use async_trait::async_trait;
use domain::reference::ProviderReference;
use ports::PortError;
use ports::reconciliation::{Acknowledgement, Hold, Reconciliation};
use sqlx::Connection;

const HELD: &str = "
    SELECT to_char(held_since AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), held_because
    FROM generation WHERE held_since IS NOT NULL";

/// Looks at every attempt: nobody else asks for one by its provider reference, so there is no index
/// for it, and books are seldom held.
const MISSING: &str = "
    SELECT reference FROM unnest($1::text[]) AS asked (reference)
    EXCEPT SELECT provider_reference FROM attempts_ended
    EXCEPT SELECT provider_reference FROM attempts_open
    ORDER BY 1";

/// From now on these are the books that are promised from. The number goes by the seconds since
/// 2026: the one in an older copy may be lower than what was vouched for since.
const OPEN: &str = "
    UPDATE generation AS g SET
        number = greatest(
            g.number + 1, (extract(epoch FROM clock_timestamp()) - 1767225600)::integer
        ),
        system_identifier = p.system_identifier, timeline = p.timeline, database = p.database,
        relation = p.relation, held_since = NULL, held_because = NULL
    FROM present_generation() AS p
    WHERE g.held_since IS NOT NULL
    RETURNING g.number";

const KEEP: &str = "
    INSERT INTO reconciliations (number, acknowledged_by, provider, compared, missing)
    VALUES ($1, $2, $3, $4, $5)";

#[async_trait]
impl Reconciliation for Store {
    async fn hold(&self) -> Result<Option<Hold>, PortError> {
        let held: Option<(String, String)> = sqlx::query_as(HELD)
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("look whether the books are held"))?;
        Ok(held.map(|(since, because)| Hold { since, because }))
    }

    async fn missing(
        &self,
        references: &[ProviderReference],
    ) -> Result<Vec<ProviderReference>, PortError> {
        let asked: Vec<&str> = references.iter().map(ProviderReference::as_str).collect();
        let mut connection = self.at_leisure().await?;
        let missing: Vec<String> = sqlx::query_scalar(MISSING)
            .bind(asked)
            .fetch_all(&mut connection)
            .await
            .map_err(failed("look for references of a provider"))?;
        connection::close(connection).await;
        let missing = missing.into_iter();
        Ok(missing.map(ProviderReference::from_echo).collect())
    }

    async fn acknowledge(&self, word: &Acknowledgement) -> Result<bool, PortError> {
        let mut connection = self.at_leisure().await?;
        let begun = connection.begin().await;
        let mut step = begun.map_err(failed("begin to open the books"))?;
        let number: Option<i32> = sqlx::query_scalar(OPEN)
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("open the books"))?;
        let Some(number) = number else {
            return Ok(false);
        };
        let missing: Vec<&str> = word.missing.iter().map(ProviderReference::as_str).collect();
        let kept = sqlx::query(KEEP)
            .bind(number)
            .bind(&word.by)
            .bind(word.provider.as_str())
            .bind(i64::try_from(word.compared).unwrap_or(i64::MAX))
            .bind(missing)
            .execute(&mut *step)
            .await
            .map_err(failed("keep what was found"))?;
        wrote(kept.rows_affected(), 1, "keep what was found")?;
        let committed = step.commit().await;
        committed.map_err(failed("commit that the books are open"))?;
        Ok(true)
    }
}
