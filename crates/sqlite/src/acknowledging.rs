//! Keeping a person's word about a file that was set back, and resuming payments with it. One step
//! does all of it: payments must not be resumed beside a word that is lost.

use crate::error::failed;
use crate::rows::json;
use crate::writer::SqliteWriter;
use domain::provider::ProviderId;
use ports::PortError;
use ports::reconciliation::{AcknowledgeOutcome, Acknowledgement};
use storage_sql::reconciliation::{MissingRow, waits_for};

const IN_FORCE: &str = "SELECT number FROM suspension WHERE since IS NOT NULL";

/// Those of the wanted providers whose references were not compared in this suspension.
const UNCOMPARED: &str = "
    SELECT wanted.value FROM json_each(?1) AS wanted
    WHERE NOT EXISTS (
        SELECT 1 FROM reconciliations AS r WHERE r.number = ?2 AND r.provider = wanted.value
    ) ORDER BY 1";

const ACKNOWLEDGE: &str = "
    UPDATE suspension SET since = NULL, reason = NULL, clearance = 'journals'";

/// The file may have forgotten that some of it was cancelled.
pub(crate) const UNCONFIRM: &str = "
    UPDATE queue SET confirmed = 0,
        due_at = CASE WHEN claim_email IS NULL AND claim_phone IS NULL THEN due_at ELSE 0 END";

const GIVE_UP: &str = "
    UPDATE journals SET ended_at = unixepoch() * 1000
    WHERE ended_at IS NULL AND (compared IS NOT ?1 OR missing > 0)";

const KEEP: &str = "
    INSERT INTO reconciliations (number, at, acknowledged_by, provider, compared, missing)
    VALUES (?1, unixepoch() * 1000, ?2, ?3, ?4, ?5)
    ON CONFLICT DO NOTHING";

/// One whose attempt is stored by now waits for nothing: its transaction books it.
pub(crate) const NOTE: &str = "
    INSERT INTO unsettled_references (
        provider_reference, provider, account, reference, noted_at, settled_at, settled_by,
        settlement
    )
    SELECT wanted.value ->> 0, ?2, wanted.value ->> 1, wanted.value ->> 2, unixepoch() * 1000,
        CASE WHEN a.number IS NOT NULL THEN unixepoch() * 1000 END,
        CASE WHEN a.number IS NOT NULL THEN ?3 END,
        CASE WHEN a.number IS NOT NULL THEN 'reopened' END
    FROM json_each(?1) AS wanted
    LEFT JOIN attempts AS a ON a.provider_reference = wanted.value ->> 0
    WHERE true
    ON CONFLICT (provider_reference) DO NOTHING";

impl SqliteWriter {
    pub(crate) async fn acknowledge(
        &mut self,
        word: Acknowledgement,
    ) -> Result<AcknowledgeOutcome, PortError> {
        let mut step = self.step().await?;
        let number: Option<i64> = sqlx::query_scalar(IN_FORCE)
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("look whether payments are suspended"))?;
        let Some(number) = number else {
            return Ok(AcknowledgeOutcome::NotSuspended);
        };
        let missing = word.missing.iter().map(|it| it.reference.as_str());
        let missing: Vec<_> = missing.collect();
        sqlx::query(KEEP)
            .bind(number)
            .bind(&word.by)
            .bind(word.provider.as_str())
            .bind(i64::try_from(word.compared).unwrap_or(i64::MAX))
            .bind(json(&missing)?)
            .execute(&mut *step)
            .await
            .map_err(failed("keep what was found"))?;
        let noted: Vec<_> = MissingRow::all(&word.missing);
        sqlx::query(NOTE)
            .bind(json(&noted)?)
            .bind(word.provider.as_str())
            .bind(&word.by)
            .execute(&mut *step)
            .await
            .map_err(failed("note references to settle"))?;
        let wanted: Vec<_> = word.wanted.iter().map(ProviderId::as_str).collect();
        let uncompared: Vec<String> = sqlx::query_scalar(UNCOMPARED)
            .bind(json(&wanted)?)
            .bind(number)
            .fetch_all(&mut *step)
            .await
            .map_err(failed("look who was not compared"))?;
        let acknowledged = if uncompared.is_empty() {
            sqlx::query(ACKNOWLEDGE)
                .execute(&mut *step)
                .await
                .map_err(failed("resume payments"))?;
            sqlx::query(UNCONFIRM)
                .execute(&mut *step)
                .await
                .map_err(failed("mark what is queued"))?;
            sqlx::query(GIVE_UP)
                .bind(number)
                .execute(&mut *step)
                .await
                .map_err(failed("give up journals that were not compared"))?;
            AcknowledgeOutcome::Resumed
        } else {
            waits_for(&uncompared)?
        };
        let committed = step.commit().await;
        committed.map_err(failed("commit what a person acknowledged"))?;
        Ok(acknowledged)
    }
}
