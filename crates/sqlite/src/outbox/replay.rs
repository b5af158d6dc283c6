//! Making deliveries due again. Their attempts are counted anew and the log of them is kept: no
//! statement here may touch it. Which they are is looked up beside the writer, which payments wait
//! for, and never for more than may be asked for together.

use crate::endpoints::key;
use crate::error::{failed, wrote};
use crate::rows::json;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use domain::account::AccountId;
use domain::webhook::EndpointId;
use ports::PortError;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use serde::Serialize;
use storage_sql::record::{EventKey, moments, progress};
use storage_sql::webhook::{DeliveryProgress, replayed};

/// Whether account `?1` has endpoint `?2`.
pub(crate) const IS_THERE: &str = "
    SELECT EXISTS (
        SELECT 1 FROM endpoints WHERE account = ?1 AND id = ?2 AND removed_at IS NULL
    )";

/// At most `?5` deliveries to endpoint `?2` of account `?1` of moments from `?3` until before `?4`.
pub(crate) const WITHIN: &str = "
    SELECT id, attempts, replay_count, requested, due_at, delivered_at, parked_at FROM deliveries
    WHERE account = ?1 AND endpoint = ?2 AND at >= ?3 AND at < ?4 LIMIT ?5";

/// The one with number `?3`, sequence `?4` and currency `?6`.
pub(crate) const ONE: &str = "
    SELECT id, attempts, replay_count, requested, due_at, delivered_at, parked_at FROM deliveries
    WHERE account = ?1 AND endpoint = ?2 AND number = ?3 AND sequence = ?4
        AND currency = ?6 LIMIT ?5";

/// Those of a list that are still there.
pub(crate) const STILL: &str = "
    SELECT id, attempts, replay_count, requested, due_at, delivered_at, parked_at FROM deliveries
    WHERE id IN (SELECT value FROM json_each(?1))";

pub(crate) const AGAIN: &str = "
    UPDATE deliveries SET
        attempts = again.value ->> 'attempts',
        replay_count = again.value ->> 'round',
        due_at = again.value ->> 'due_at',
        delivered_at = again.value ->> 'delivered_at',
        parked_at = again.value ->> 'parked_at',
        requested = again.value ->> 'requested'
    FROM jsonb_each(?1) AS again
    WHERE deliveries.id = again.value ->> 'id'";

/// What bounds a replay: two moments, or what names one delivery, with its currency.
type Within = ((i64, i64), Option<&'static str>);

/// A row of [`WITHIN`], [`ONE`] and [`STILL`].
type Found = (i64, i64, i64, bool, Option<i64>, Option<i64>, Option<i64>);

#[derive(Debug, Serialize)]
struct ReplayedRow {
    id: i64,
    attempts: u16,
    round: u32,
    due_at: Option<i64>,
    delivered_at: Option<i64>,
    parked_at: Option<i64>,
    requested: bool,
}

pub(super) async fn replay(
    store: &SqliteStore,
    account: &AccountId,
    replay: &Replay,
) -> Result<Replayed, PortError> {
    let (statement, endpoint, within) = match &replay.what {
        ReplayOf::One(id) => {
            let Some(name) = EventKey::of(&id.event) else {
                return Ok(Replayed::Unknown);
            };
            let within = (name.number, i64::from(name.sequence));
            (ONE, id.endpoint, (within, Some(name.currency_code())))
        }
        ReplayOf::Range {
            endpoint,
            from,
            until,
        } => (
            WITHIN,
            *endpoint,
            ((from.as_millis(), until.as_millis()), None),
        ),
    };
    let found = found(store, (account, endpoint, statement), (within, replay.most)).await?;
    let ids: Vec<i64> = match replayed(found.as_deref(), replay) {
        Ok(again) => again.into_iter().map(|(id, _)| id).collect(),
        Err(answer) => return Ok(answer),
    };
    let replay = replay.clone();
    store
        .writer
        .alone(move |writer| Box::pin(async move { writer.again(&ids, &replay).await }))
        .await?
}

/// What a replay is of, at most one more than it may be; `None` where there is no such endpoint.
async fn found(
    store: &SqliteStore,
    (account, endpoint, statement): (&AccountId, EndpointId, &'static str),
    ((within, currency), most): (Within, u64),
) -> Result<Option<Vec<(i64, DeliveryProgress)>>, PortError> {
    let is_there: bool = sqlx::query_scalar(IS_THERE)
        .bind(account.as_str())
        .bind(key(endpoint))
        .fetch_one(&store.reads)
        .await
        .map_err(failed("look for an endpoint"))?;
    if !is_there {
        return Ok(None);
    }
    let mut query = sqlx::query_as(statement)
        .bind(account.as_str())
        .bind(key(endpoint))
        .bind(within.0)
        .bind(within.1)
        .bind(i64::try_from(most.saturating_add(1)).unwrap_or(i64::MAX));
    if let Some(currency) = currency {
        query = query.bind(currency);
    }
    let found: Vec<Found> = query
        .fetch_all(&store.reads)
        .await
        .map_err(failed("look for deliveries to make again"))?;
    read(found).map(Some)
}

fn read(rows: Vec<Found>) -> Result<Vec<(i64, DeliveryProgress)>, PortError> {
    let rows = rows.into_iter().map(|row| {
        let (id, attempts, round, requested, due_at, delivered_at, parked_at) = row;
        let progress = progress(
            (attempts, round, requested),
            [due_at, delivered_at, parked_at],
        )?;
        Ok((id, progress))
    });
    rows.collect()
}

fn row((id, progress): (i64, DeliveryProgress)) -> ReplayedRow {
    let [due_at, delivered_at, parked_at] = moments(progress.state);
    ReplayedRow {
        id,
        attempts: progress.attempts,
        round: progress.round,
        due_at,
        delivered_at,
        parked_at,
        requested: progress.requested,
    }
}

impl SqliteWriter {
    /// What was forgotten since it was looked for is not made again.
    async fn again(&mut self, ids: &[i64], replay: &Replay) -> Result<Replayed, PortError> {
        let mut step = self.step().await?;
        let still: Vec<Found> = sqlx::query_as(STILL)
            .bind(json(&ids)?)
            .fetch_all(&mut *step)
            .await
            .map_err(failed("read deliveries to make again"))?;
        let again = match replayed(Some(&read(still)?), replay) {
            Ok(again) => again,
            Err(answer) => return Ok(answer),
        };
        let rows: Vec<_> = again.into_iter().map(row).collect();
        let done = sqlx::query(AGAIN)
            .bind(json(&rows)?)
            .execute(&mut *step)
            .await
            .map_err(failed("make deliveries due again"))?;
        wrote(
            done.rows_affected(),
            rows.len(),
            "make deliveries due again",
        )?;
        step.commit().await.map_err(failed("commit a replay"))?;
        self.suspended().let_go(ids);
        Ok(Replayed::Done(done.rows_affected()))
    }
}
