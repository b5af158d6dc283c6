//! Files of reports. What is written of one must be under its last claim: each
//! statement says so.

use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::failed;
use crate::rows::{bigint, integer};
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reporting::{RUNS_MAX, ReportRun, ReportRunId, RunState};
use domain::time::Timestamp;
use ports::PortError;
use ports::report_runs::{ReportRuns, RunClaim, RunCreation, RunPart, RunWrite};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::{RunRow, opened_part, run_request, sealed_part};

/// The columns that [`run_row`] reads.
macro_rules! run_columns {
    () => {
        "account, id, request, as_of, state, row_count, byte_count, part_count, sha256, \
         created_at, expires_at"
    };
}

/// What stands in the way of a run at the moment `$4`: no such account, its number, one under way,
/// too many. One row.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        EXISTS (SELECT 1 FROM report_runs WHERE account = $1 AND id = $2),
        EXISTS (SELECT 1 FROM report_runs WHERE account = $1 AND state = 'pending'),
        (
            SELECT count(*) FROM report_runs
            WHERE account = $1 AND (expires_at IS NULL OR expires_at > $4)
        ) >= $3";

pub(crate) const BEGIN: &str = "
    INSERT INTO report_runs (account, id, request, as_of, state, due_at, created_at)
    VALUES ($1, $2, $3, $4, 'pending', $5, $5)";

pub(crate) const ONE: &str = concat!(
    "SELECT ",
    run_columns!(),
    " FROM report_runs WHERE account = $1 AND id = $2"
);

pub(crate) const OF_ACCOUNT: &str = concat!(
    "SELECT ",
    run_columns!(),
    " FROM report_runs WHERE account = $1 ORDER BY created_at DESC, id DESC"
);

/// The run that is due longest at `$1` is due again at `$2`.
pub(crate) const CLAIM: &str = concat!(
    "UPDATE report_runs SET claim = claim + 1, due_at = $2, row_count = 0, byte_count = 0,
        part_count = 0
    WHERE (account, id) = (
        SELECT account, id FROM report_runs WHERE due_at <= $1
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING ",
    run_columns!(),
    ", claim"
);

pub(crate) const RENEW: &str = "
    UPDATE report_runs SET due_at = $4
    WHERE account = $1 AND id = $2 AND claim = $3 AND state = 'pending'";

/// Counts and writes a part, where the claim `$3` is the last one.
pub(crate) const WRITE_PART: &str = "
    WITH claimed AS (
        UPDATE report_runs SET row_count = $4, byte_count = $5, part_count = $6, due_at = $7
        WHERE account = $1 AND id = $2 AND claim = $3 AND state = 'pending'
        RETURNING account, id, part_count
    )
    INSERT INTO report_parts (account, run, part, content)
    SELECT account, id, part_count, $8 FROM claimed
    ON CONFLICT (account, run, part) DO UPDATE SET content = excluded.content";

pub(crate) const END: &str = "
    UPDATE report_runs SET state = $4, sha256 = $5, row_count = $6, byte_count = $7,
        part_count = $8, expires_at = $9, due_at = NULL
    WHERE account = $1 AND id = $2 AND claim = $3 AND state = 'pending'";

pub(crate) const PART: &str =
    "SELECT content FROM report_parts WHERE account = $1 AND run = $2 AND part = $3";

pub(crate) const FORGET_PARTS: &str = "
    DELETE FROM report_parts AS d USING (
        SELECT p.account, p.run, p.part
        FROM (SELECT account, id FROM report_runs WHERE expires_at <= $1 OFFSET 0) AS r
        CROSS JOIN LATERAL (
            SELECT account, run, part FROM report_parts AS p
            WHERE p.account = ANY (ARRAY[r.account]) AND p.run = r.id LIMIT $2
        ) AS p
        LIMIT $2
    ) AS old
    WHERE d.account = ANY (ARRAY[old.account]) AND d.run = old.run AND d.part = old.part";

pub(crate) const FORGET_RUNS: &str = "
    DELETE FROM report_runs AS r WHERE r.expires_at <= $1 AND NOT EXISTS (
        SELECT 1 FROM report_parts AS p WHERE p.account = r.account AND p.run = r.id
    )";

#[async_trait]
impl ReportRuns for PostgresStore {
    async fn begin_run(&self, run: &ReportRun) -> Result<RunCreation, PortError> {
        let run = run.clone();
        self.alone(&run.account.clone(), move |writer| {
            Box::pin(writer.begin_run(run))
        })
        .await
    }

    async fn run(
        &self,
        account: &AccountId,
        id: ReportRunId,
    ) -> Result<Option<ReportRun>, PortError> {
        let row = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a report run"))?;
        let run = row.map(|row| run_row(&row)?.restore(self.cipher()));
        run.transpose()
    }

    async fn runs(&self, account: &AccountId) -> Result<Vec<ReportRun>, PortError> {
        let rows = sqlx::query(OF_ACCOUNT)
            .bind(account.as_str())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the report runs of an account"))?;
        let runs = rows.iter().map(|row| run_row(row)?.restore(self.cipher()));
        runs.collect()
    }

    async fn claim_run(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<RunClaim>, PortError> {
        let row = sqlx::query(CLAIM)
            .bind(now.as_millis())
            .bind(until.as_millis())
            .fetch_optional(&self.steps)
            .in_time()
            .await
            .map_err(failed("claim a report run"))?;
        let Some(row) = row else { return Ok(None) };
        let count: i32 = row.try_get(11).map_err(failed("read a claim"))?;
        let run = run_row(&row)?.restore(self.cipher())?;
        let count = u32::try_from(count).unwrap_or_default();
        Ok(Some(RunClaim { run, count }))
    }

    async fn renew_claim(&self, claim: &RunClaim, until: Timestamp) -> Result<RunWrite, PortError> {
        let (account, id) = (&claim.run.account, claim.run.id);
        let renewed = sqlx::query(RENEW)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .bind(integer(claim.count))
            .bind(until.as_millis())
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("renew the claim of a report run"))?;
        Ok(taken(renewed.rows_affected()))
    }

    async fn write_part(&self, claim: &RunClaim, part: RunPart<'_>) -> Result<RunWrite, PortError> {
        let (account, id) = (&claim.run.account, claim.run.id);
        let content = sealed_part((account, id, part.parts), part.text, self.cipher())?;
        let written = sqlx::query(WRITE_PART)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .bind(integer(claim.count))
            .bind(bigint(part.rows))
            .bind(bigint(part.bytes))
            .bind(integer(part.parts))
            .bind(part.until.as_millis())
            .bind(content)
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("write a part of a report"))?;
        Ok(taken(written.rows_affected()))
    }

    async fn end_run(&self, claim: &RunClaim, ended: &ReportRun) -> Result<RunWrite, PortError> {
        let written = sqlx::query(END)
            .bind(ended.account.as_str())
            .bind(bigint(ended.id.get()))
            .bind(integer(claim.count))
            .bind(ended.state.code())
            .bind(sum(ended))
            .bind(bigint(ended.rows))
            .bind(bigint(ended.bytes))
            .bind(integer(ended.parts))
            .bind(ended.expires_at.map(Timestamp::as_millis))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("end a report run"))?;
        Ok(taken(written.rows_affected()))
    }

    async fn part(
        &self,
        account: &AccountId,
        id: ReportRunId,
        part: u32,
    ) -> Result<Option<String>, PortError> {
        let found: Option<String> = sqlx::query_scalar(PART)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .bind(integer(part))
            .fetch_optional(&self.pages)
            .in_time()
            .await
            .map_err(failed("read a part of a report"))?;
        let part = found.map(|sealed| opened_part((account, id, part), sealed, self.cipher()));
        part.transpose()
    }

    async fn forget_runs(
        &self,
        now: Timestamp,
        before: Timestamp,
        most: u32,
    ) -> Result<u64, PortError> {
        let parts = sqlx::query(FORGET_PARTS)
            .bind(now.as_millis())
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget parts of reports"))?;
        sqlx::query(FORGET_RUNS)
            .bind(before.as_millis())
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("forget report runs"))?;
        Ok(parts.rows_affected())
    }
}

impl PostgresWriter {
    async fn begin_run(&mut self, run: ReportRun) -> Result<RunCreation, PortError> {
        let request = run_request(&run, self.shared().sealing.fields())?;
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(run.account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let (account_unknown, id_taken, under_way, too_many): (bool, bool, bool, bool) =
            sqlx::query_as(OBSTACLES)
                .bind(run.account.as_str())
                .bind(bigint(run.id.get()))
                .bind(i64::from(RUNS_MAX))
                .bind(run.created_at.as_millis())
                .fetch_one(&mut *step)
                .await
                .map_err(failed("look for report runs"))?;
        let obstacles = [
            (account_unknown, RunCreation::AccountUnknown),
            (id_taken, RunCreation::IdTaken),
            (under_way, RunCreation::UnderWay),
            (too_many, RunCreation::TooMany),
        ];
        if let Some((_, obstacle)) = obstacles.into_iter().find(|(is_there, _)| *is_there) {
            return Ok(obstacle);
        }
        sqlx::query(BEGIN)
            .bind(run.account.as_str())
            .bind(bigint(run.id.get()))
            .bind(request)
            .bind(run.as_of.as_millis())
            .bind(run.created_at.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("insert a report run"))?;
        step.commit().await.map_err(failed("commit a report run"))?;
        Ok(RunCreation::Done)
    }
}

const fn taken(rows: u64) -> RunWrite {
    if rows == 0 {
        RunWrite::Lost
    } else {
        RunWrite::Done
    }
}

/// The SHA-256 of a run whose file is there.
fn sum(run: &ReportRun) -> Option<Vec<u8>> {
    match run.state {
        RunState::Ready(sum) => Some(sum.to_vec()),
        RunState::Pending | RunState::Failed => None,
    }
}

fn run_row(row: &PgRow) -> Result<RunRow, PortError> {
    let read = || {
        Ok(RunRow {
            account: row.try_get(0)?,
            id: row.try_get(1)?,
            request: row.try_get(2)?,
            as_of: row.try_get(3)?,
            state: row.try_get(4)?,
            rows: row.try_get(5)?,
            bytes: row.try_get(6)?,
            parts: row.try_get::<i32, _>(7)?.into(),
            sha256: row.try_get(8)?,
            created_at: row.try_get(9)?,
            expires_at: row.try_get(10)?,
        })
    };
    read().map_err(failed("read a report run"))
}
