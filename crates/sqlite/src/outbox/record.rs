//! Recording attempts that ended, all of a call with one commit. What they make of deliveries and
//! endpoints is decided by `storage_sql::webhook`; nothing here may decide more.

use super::announce;
use crate::endpoints::{endpoint, endpoint_columns, key};
use crate::error::{failed, wrote};
use crate::rows::json;
use crate::writer::SqliteWriter;
use domain::webhook::{ATTEMPTS_SHOWN, Endpoint};
use ports::PortError;
use ports::webhooks::{AttemptResult, EndpointDisabled};
use serde::Serialize;
use sqlx::sqlite::SqliteConnection;
use std::collections::{BTreeMap, BTreeSet};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::{AttemptRecord, EventKey, HealthColumns, moments, progress};
use storage_sql::webhook::{DeliveryProgress, FORGOTTEN_MAX, RecordedHealth, RecordingPlan};

/// The deliveries that were attempted: the place of the result, the row, and how far it is.
pub(crate) const ATTEMPTED: &str = "
    SELECT wanted.key, d.id, d.attempts, d.replay_count, d.requested, d.due_at, d.delivered_at,
        d.parked_at
    FROM json_each(?1) AS wanted
    CROSS JOIN deliveries AS d
        ON d.account = wanted.value ->> 0 AND d.endpoint = wanted.value ->> 1
        AND d.number = wanted.value ->> 2 AND d.sequence = wanted.value ->> 3
        AND d.currency = wanted.value ->> 4";

pub(crate) const ENDPOINTS: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    " FROM json_each(?1) AS wanted
    CROSS JOIN endpoints AS e ON e.account = wanted.value ->> 0 AND e.id = wanted.value ->> 1"
);

/// The parameters have no numbers because the driver counts them from statement to statement.
pub(crate) const RECORD: &str = "
    UPDATE deliveries SET
        attempts = moved.value ->> 'attempts',
        due_at = moved.value ->> 'due_at',
        delivered_at = moved.value ->> 'delivered_at',
        parked_at = moved.value ->> 'parked_at',
        requested = moved.value ->> 'requested',
        answered_at = moved.value ->> 'answered_at',
        answer = moved.value ->> 'answer'
    FROM jsonb_each(?) AS moved
    WHERE deliveries.id = moved.value ->> 'id';

    INSERT INTO delivery_attempts (delivery_id, at, took, status, retry_after, failure)
    SELECT
        value ->> 'delivery_id', value ->> 'at', value ->> 'took', value ->> 'status',
        value ->> 'retry_after', value ->> 'failure'
    FROM jsonb_each(?);

    UPDATE endpoints SET
        failing_since = learned.value ->> 'failing_since',
        disabled_at = learned.value ->> 'disabled_at',
        disabled_reason = learned.value ->> 'disabled_reason'
    FROM jsonb_each(?) AS learned
    WHERE endpoints.account = learned.value ->> 'account'
        AND endpoints.id = learned.value ->> 'id'";

/// Forgets of the deliveries `?1` at most `?3` attempts each, none of which is among its newest
/// `?2`.
pub(crate) const FORGET_OLD: &str = "
    DELETE FROM delivery_attempts WHERE id IN (
        SELECT old.id FROM json_each(?1) AS wanted
        CROSS JOIN delivery_attempts AS old ON old.id IN (
            SELECT n.id FROM delivery_attempts AS n WHERE n.delivery_id = wanted.value
            ORDER BY n.id DESC LIMIT ?3 OFFSET ?2
        )
    )";

/// A row of [`ATTEMPTED`].
type Attempted = (
    i64,
    i64,
    i64,
    i64,
    bool,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);

/// The deliveries of results, by the places of these.
type Stored = BTreeMap<usize, (i64, DeliveryProgress)>;

#[derive(Debug, Serialize)]
struct MovedRow<'a> {
    id: i64,
    attempts: u16,
    due_at: Option<i64>,
    delivered_at: Option<i64>,
    parked_at: Option<i64>,
    requested: bool,
    answered_at: i64,
    answer: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Noted<'a> {
    delivery_id: i64,
    #[serde(flatten)]
    attempt: &'a AttemptRecord<'a>,
}

#[derive(Debug, Serialize)]
struct RecordedResult {
    account: String,
    id: i64,
    #[serde(flatten)]
    health: HealthColumns,
}

/// The rows that results lead to.
#[derive(Debug)]
struct Rows<'a> {
    moved: Vec<MovedRow<'a>>,
    noted: Vec<Noted<'a>>,
    learned: Vec<RecordedResult>,
}

impl<'a> Rows<'a> {
    fn of(recording: &RecordingPlan<i64>, records: &'a [AttemptRecord<'a>]) -> Self {
        let moved = recording.moved.iter().filter_map(|(id, moved)| {
            let attempt = records.get(moved.by)?;
            let [due_at, delivered_at, parked_at] = moments(moved.progress.state);
            Some(MovedRow {
                id: *id,
                attempts: moved.progress.attempts,
                due_at,
                delivered_at,
                parked_at,
                requested: moved.progress.requested,
                answered_at: attempt.at,
                answer: attempt.excerpt.as_deref(),
            })
        });
        let noted = recording.noted.iter().filter_map(|(place, id)| {
            let attempt = records.get(*place)?;
            Some(Noted {
                delivery_id: *id,
                attempt,
            })
        });
        let learned = recording.health.iter().filter(|it| it.after != it.before);
        Self {
            moved: moved.collect(),
            noted: noted.collect(),
            learned: learned.map(row).collect(),
        }
    }

    fn count(&self) -> usize {
        self.moved.len() + self.noted.len() + self.learned.len()
    }
}

/// The rows whose attempt is over, each with its replay: those that counted, and those that were
/// replayed meanwhile.
fn over(
    recording: &RecordingPlan<i64>,
    ended: &[AttemptResult],
    stored: &Stored,
) -> Vec<(i64, i64)> {
    let over = stored.iter().filter_map(|(place, (id, read))| {
        let begun = ended.get(*place)?.round;
        let is_over = recording.moved.contains_key(id) || begun != read.round;
        is_over.then_some((*id, i64::from(begun)))
    });
    over.collect()
}

impl SqliteWriter {
    pub(super) async fn record_attempts(
        &mut self,
        ended: Vec<AttemptResult>,
    ) -> Result<Vec<EndpointDisabled>, PortError> {
        let cipher = self.cipher();
        let records = ended.iter().map(|one| AttemptRecord::of(one, &cipher));
        let records: Vec<_> = records.collect::<Result<_, _>>()?;
        let mut step = self.step().await?;
        let stored = attempted(&mut step, &ended).await?;
        let known = endpoints(&mut step, &ended, &cipher).await?;
        let recording = RecordingPlan::of(&ended, &stored, &known);
        let rows = Rows::of(&recording, &records);
        let written = sqlx::query(RECORD)
            .bind(json(&rows.moved)?)
            .bind(json(&rows.noted)?)
            .bind(json(&rows.learned)?)
            .execute(&mut *step)
            .await
            .map_err(failed("record attempts"))?;
        wrote(written.rows_affected(), rows.count(), "record attempts")?;
        forget_old(&mut step, &recording.crowded).await?;
        // Only now is it known which endpoints are still there to be notified.
        for (it, event) in &recording.given_up {
            announce(&mut step, &it.account, None, event).await?;
        }
        step.commit().await.map_err(failed("commit attempts"))?;
        let over = over(&recording, &ended, &stored);
        self.suspended().attempted(over);
        let given_up = recording.given_up.into_iter();
        Ok(given_up.map(|(it, _)| it).collect())
    }
}

async fn attempted(
    step: &mut SqliteConnection,
    ended: &[AttemptResult],
) -> Result<Stored, PortError> {
    let wanted = ended.iter().map(|one| {
        // A name of nothing that can be stored is found nowhere: no sequence is below zero.
        let key = EventKey::of(&one.delivery.event);
        let (number, sequence) = key.map_or((-1, -1), |key| (key.number, key.sequence));
        let currency = key.map_or("", |key| key.currency_code());
        (
            one.account.as_str(),
            one.delivery.endpoint.get(),
            number,
            sequence,
            currency,
        )
    });
    let rows: Vec<Attempted> = sqlx::query_as(ATTEMPTED)
        .bind(json(&wanted.collect::<Vec<_>>())?)
        .fetch_all(step)
        .await
        .map_err(failed("find what was attempted"))?;
    let stored = rows.into_iter().map(|row| {
        let (place, id, attempts, round, requested, due_at, delivered_at, parked_at) = row;
        let progress = progress(
            (attempts, round, requested),
            [due_at, delivered_at, parked_at],
        )?;
        Ok((usize::try_from(place).unwrap_or(usize::MAX), (id, progress)))
    });
    Ok(readable(stored, "results of a delivery are passed over").collect())
}

/// Attempts that are shown no more go with the result that makes them old.
async fn forget_old(
    step: &mut SqliteConnection,
    crowded: &BTreeMap<i64, i64>,
) -> Result<(), PortError> {
    if crowded.is_empty() {
        return Ok(());
    }
    sqlx::query(FORGET_OLD)
        .bind(json(&crowded.keys().collect::<Vec<_>>())?)
        .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
        .bind(FORGOTTEN_MAX)
        .execute(step)
        .await
        .map_err(failed("forget attempts that are shown no more"))?;
    Ok(())
}

/// The endpoints of results. One that cannot be read must not keep all others from being recorded.
async fn endpoints(
    step: &mut SqliteConnection,
    ended: &[AttemptResult],
    cipher: &FieldCipher,
) -> Result<Vec<Endpoint>, PortError> {
    let wanted = ended.iter();
    let wanted: BTreeSet<_> = wanted
        .map(|one| (one.account.as_str(), one.delivery.endpoint.get()))
        .collect();
    let rows = sqlx::query(ENDPOINTS)
        .bind(json(&wanted)?)
        .fetch_all(step)
        .await
        .map_err(failed("find the endpoints of attempts"))?;
    let known = rows.iter().map(|row| endpoint(row, 0, cipher));
    Ok(readable(known, "results of an endpoint are passed over").collect())
}

fn row(recorded: &RecordedHealth) -> RecordedResult {
    RecordedResult {
        account: recorded.account.to_string(),
        id: key(recorded.endpoint),
        health: HealthColumns::of(recorded.after),
    }
}
