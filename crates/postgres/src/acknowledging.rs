//! Keeping a person's word about a database that was set back, and resuming payments with it. One
//! step does all of it: payments must not be resumed beside a word that is lost.

use crate::error::failed;
use crate::reconciliation::resume;
use domain::provider::ProviderId;
use ports::PortError;
use ports::reconciliation::{AcknowledgeOutcome, Acknowledgement};
use sqlx::{Connection as _, PgConnection};
use storage_sql::reconciliation::{MissingRow, waits_for};

/// Ends any suspension, by a person.
const ACKNOWLEDGE: &str = resume!("");

/// The number of the suspension in force; no other word is taken beside it.
const IN_FORCE: &str = "
    SELECT suspension FROM database_identity WHERE suspended_since IS NOT NULL FOR UPDATE";

/// Those of the wanted providers whose references were not compared in this suspension.
const UNCOMPARED: &str = "
    SELECT provider FROM unnest($1::text[]) AS wanted (provider)
    EXCEPT SELECT provider FROM reconciliations WHERE number = $2
    ORDER BY 1";

/// The database may have forgotten that some of it was cancelled. What waits for an account, and
/// may have been claimed, is given back at once.
const UNCONFIRM: &str = "
    UPDATE queue SET confirmed = false,
        due_at = CASE WHEN claim_email IS NULL AND claim_phone IS NULL THEN due_at ELSE 0 END";

const GIVE_UP: &str = "
    UPDATE journals SET ended_at = clock_timestamp()
    WHERE ended_at IS NULL AND (compared IS DISTINCT FROM $1 OR missing > 0)";

const KEEP: &str = "
    INSERT INTO reconciliations (number, acknowledged_by, provider, compared, missing)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";

/// One whose attempt is stored by now waits for nothing: its transaction books it.
const NOTE: &str = "
    WITH stored AS (
        SELECT provider_reference FROM attempts_ended
        WHERE provider_reference = ANY ($1::text[])
        UNION
        SELECT provider_reference FROM attempts_open
        WHERE provider_reference = ANY ($1::text[])
    )
    INSERT INTO unsettled_references (
        provider_reference, provider, account, reference, settled_at, settled_by, settlement
    )
    SELECT wanted.provider_reference, $4, wanted.account, wanted.reference,
        CASE WHEN s.provider_reference IS NOT NULL THEN clock_timestamp() END,
        CASE WHEN s.provider_reference IS NOT NULL THEN $5 END,
        CASE WHEN s.provider_reference IS NOT NULL THEN 'reopened' END
    FROM unnest($1::text[], $2::text[], $3::text[])
        AS wanted (provider_reference, account, reference)
    LEFT JOIN stored AS s ON s.provider_reference = wanted.provider_reference
    ON CONFLICT (provider_reference) DO NOTHING";

pub(crate) async fn keep(
    connection: &mut PgConnection,
    word: &Acknowledgement,
) -> Result<AcknowledgeOutcome, PortError> {
    let begun = connection.begin().await;
    let mut step = begun.map_err(failed("begin to resume payments"))?;
    let suspension: Option<i64> = sqlx::query_scalar(IN_FORCE)
        .fetch_optional(&mut *step)
        .await
        .map_err(failed("look whether payments are suspended"))?;
    let Some(suspension) = suspension else {
        return Ok(AcknowledgeOutcome::NotSuspended);
    };
    let number = i32::try_from(suspension).unwrap_or(i32::MAX);
    let missing = word.missing.iter().map(|it| it.reference.as_str());
    let missing: Vec<&str> = missing.collect();
    sqlx::query(KEEP)
        .bind(number)
        .bind(&word.by)
        .bind(word.provider.as_str())
        .bind(i64::try_from(word.compared).unwrap_or(i64::MAX))
        .bind(missing)
        .execute(&mut *step)
        .await
        .map_err(failed("keep what was found"))?;
    let noted = MissingRow::all(&word.missing);
    let column = |of: fn(&MissingRow) -> &str| noted.iter().map(of).collect::<Vec<_>>();
    sqlx::query(NOTE)
        .bind(column(|it| &it.0))
        .bind(column(|it| &it.1))
        .bind(column(|it| &it.2))
        .bind(word.provider.as_str())
        .bind(&word.by)
        .execute(&mut *step)
        .await
        .map_err(failed("note references to settle"))?;
    let wanted: Vec<&str> = word.wanted.iter().map(ProviderId::as_str).collect();
    let uncompared: Vec<String> = sqlx::query_scalar(UNCOMPARED)
        .bind(wanted)
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
            .bind(suspension)
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
