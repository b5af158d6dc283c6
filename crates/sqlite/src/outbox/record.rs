//! Recording attempts that ended, all of a call with one commit. A result that is not the next one
//! of its delivery, or is of another round, must change nothing but the log.

use super::announce;
use crate::endpoints::{endpoint, endpoint_columns, key};
use crate::error::{failed, wrote};
use crate::rows::json;
use crate::writer::SqliteWriter;
use domain::account::AccountId;
use domain::webhook::{
    ATTEMPTS_SHOWN, Endpoint, EndpointId, EndpointState, EventPayload, Topic, WebhookEvent,
    WebhookEventId,
};
use ports::PortError;
use ports::webhooks::{AttemptResult, EndpointDisabled};
use serde::Serialize;
use sqlx::sqlite::SqliteConnection;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::{AttemptRecord, HealthColumns, NoticeKey, moments};
use storage_sql::webhook::{FORGOTTEN_MAX, PRUNE_FROM_REPLAY, record_answer};

/// The deliveries that were attempted: the place of the result, the row, how many attempts ended in
/// which round, and whether it is due.
pub(crate) const ATTEMPTED: &str = "
    SELECT wanted.key, d.id, d.attempts, d.replay_count, d.due_at IS NOT NULL
    FROM json_each(?1) AS wanted
    CROSS JOIN deliveries AS d
        ON d.account = wanted.value ->> 0 AND d.endpoint = wanted.value ->> 1
        AND d.number = wanted.value ->> 2 AND d.sequence = wanted.value ->> 3";

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
type Attempted = (i64, i64, i64, i64, bool);

/// Where a delivery stands while results are counted.
#[derive(Debug, Clone, Copy)]
struct StoredEndpointHealth {
    attempts: u16,
    round: u32,
    is_due: bool,
}

impl StoredEndpointHealth {
    /// Whether a result is of the attempt that is the next one.
    fn waits_for(self, one: &AttemptResult) -> bool {
        let is_next = self.attempts.checked_add(1) == Some(one.number);
        self.is_due && is_next && self.round == one.round
    }
}

#[derive(Debug, Serialize)]
struct MovedDelivery<'a> {
    id: i64,
    attempts: u16,
    due_at: Option<i64>,
    delivered_at: Option<i64>,
    parked_at: Option<i64>,
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

/// What results come to before anything is written.
#[derive(Debug, Default)]
struct Counted<'a> {
    /// Each delivery as its last result that counted leaves it.
    moved: BTreeMap<i64, MovedDelivery<'a>>,
    noted: Vec<Noted<'a>>,
    /// Those of them that may have more attempts than are shown.
    crowded: BTreeSet<i64>,
    results: BTreeMap<(&'a AccountId, EndpointId), Vec<&'a AttemptResult>>,
}

impl<'a> Counted<'a> {
    /// Counts results in their order; a result without a row is of something that is gone.
    fn of(
        (ended, records): (&'a [AttemptResult], &'a [AttemptRecord<'a>]),
        rows: &[Attempted],
        known: &[Endpoint],
    ) -> Self {
        let known = known.iter().map(|it| (&it.account, it.id));
        let known: HashSet<_> = known.collect();
        let mut counted = Self::default();
        let mut standing = HashMap::new();
        let mut places = HashMap::new();
        for (place, id, attempts, round, is_due) in rows {
            let stands = StoredEndpointHealth {
                attempts: u16::try_from(*attempts).unwrap_or(u16::MAX),
                round: u32::try_from(*round).unwrap_or(u32::MAX),
                is_due: *is_due,
            };
            standing.insert(*id, stands);
            places.insert(*place, *id);
        }
        for ((place, one), attempt) in (0_i64..).zip(ended).zip(records) {
            let Some(id) = places.get(&place).copied() else {
                continue;
            };
            if !known.contains(&(&one.account, one.delivery.endpoint)) {
                continue;
            }
            counted.noted.push(Noted {
                delivery_id: id,
                attempt,
            });
            let Some(stands) = standing.get_mut(&id) else {
                continue;
            };
            if stands.round >= PRUNE_FROM_REPLAY {
                counted.crowded.insert(id);
            }
            if !stands.waits_for(one) {
                continue;
            }
            let [due_at, delivered_at, parked_at] = moments(one.outcome.state);
            let moved = MovedDelivery {
                id,
                attempts: one.number,
                due_at,
                delivered_at,
                parked_at,
                answered_at: attempt.at,
                answer: attempt.excerpt.as_deref(),
            };
            stands.attempts = one.number;
            stands.is_due = due_at.is_some();
            counted.moved.insert(id, moved);
            let to = (&one.account, one.delivery.endpoint);
            counted.results.entry(to).or_default().push(one);
        }
        counted
    }

    /// What is learned of endpoints, and which are given up, each with the notice of it.
    fn judge(
        &self,
        known: &[Endpoint],
    ) -> (Vec<RecordedResult>, Vec<(EndpointDisabled, WebhookEvent)>) {
        let mut learned = Vec::new();
        let mut given_up = Vec::new();
        for before in known {
            let Some(results) = self.results.get(&(&before.account, before.id)) else {
                continue;
            };
            let mut after = before.clone();
            let because = record_answer(&mut after.health, results);
            if after != *before {
                learned.push(row(&after));
            }
            if let (Some(because), Some(first), EndpointState::Disabled { at, .. }) =
                (because, results.first(), after.health.state)
            {
                let notice = WebhookEvent {
                    id: WebhookEventId::fresh(first.notice),
                    topic: Topic::WebhookDisabled,
                    sequence: 1,
                    at,
                    subject: EventPayload::Endpoint(after.id),
                };
                let of = EndpointDisabled {
                    account: after.account,
                    endpoint: after.id,
                    because,
                };
                given_up.push((of, notice));
            }
        }
        (learned, given_up)
    }
}

impl Counted<'_> {
    /// The rows whose attempt is over, each with its replay: those that counted, and those that
    /// were replayed meanwhile.
    fn ended(&self, ended: &[AttemptResult], rows: &[Attempted]) -> Vec<(i64, i64)> {
        let ended = rows.iter().filter_map(|(place, id, _, round, _)| {
            let result = ended.get(usize::try_from(*place).ok()?)?;
            let begun = i64::from(result.round);
            let is_over = self.moved.contains_key(id) || begun != *round;
            is_over.then_some((*id, begun))
        });
        ended.collect()
    }
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
        let rows = attempted(&mut step, &ended).await?;
        let known = endpoints(&mut step, &ended, &cipher).await?;
        let counted = Counted::of((&ended, &records), &rows, &known);
        let (learned, given_up) = counted.judge(&known);
        let moved: Vec<_> = counted.moved.values().collect();
        let written = sqlx::query(RECORD)
            .bind(json(&moved)?)
            .bind(json(&counted.noted)?)
            .bind(json(&learned)?)
            .execute(&mut *step)
            .await
            .map_err(failed("record attempts"))?;
        let count = moved.len() + counted.noted.len() + learned.len();
        wrote(written.rows_affected(), count, "record attempts")?;
        forget_old(&mut step, &counted.crowded).await?;
        // Only now is it known which endpoints are still there to be notified.
        for (it, notice) in &given_up {
            announce(&mut step, &it.account, None, notice).await?;
        }
        step.commit().await.map_err(failed("commit attempts"))?;
        let attempted = counted.ended(&ended, &rows);
        self.suspended().attempted(attempted);
        Ok(given_up.into_iter().map(|(it, _)| it).collect())
    }
}

async fn attempted(
    step: &mut SqliteConnection,
    ended: &[AttemptResult],
) -> Result<Vec<Attempted>, PortError> {
    let wanted = ended.iter().map(|one| {
        // A name of nothing that can be stored is found nowhere: no sequence is below zero.
        let (number, sequence) = match NoticeKey::of(&one.delivery.notice) {
            Some(NoticeKey { number, sequence }) => (number, sequence),
            None => (-1, -1),
        };
        (
            one.account.as_str(),
            one.delivery.endpoint.get(),
            number,
            sequence,
        )
    });
    sqlx::query_as(ATTEMPTED)
        .bind(json(&wanted.collect::<Vec<_>>())?)
        .fetch_all(step)
        .await
        .map_err(failed("find what was attempted"))
}

/// Attempts that are shown no more go with the result that makes them old.
async fn forget_old(step: &mut SqliteConnection, crowded: &BTreeSet<i64>) -> Result<(), PortError> {
    if crowded.is_empty() {
        return Ok(());
    }
    sqlx::query(FORGET_OLD)
        .bind(json(crowded)?)
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

fn row(endpoint: &Endpoint) -> RecordedResult {
    RecordedResult {
        account: endpoint.account.to_string(),
        id: key(endpoint.id),
        health: HealthColumns::of(endpoint.health),
    }
}
