//! Making deliveries due again. Their attempts are counted anew and the log of them is kept: no
//! statement here may touch it. Which they are is looked up beside the writer, which payments wait
//! for, and never for more than may be asked for together.

use crate::endpoints::key;
use crate::error::failed;
use crate::rows::json;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::PortError;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use storage_sql::record::NoticeKey;

/// Whether account `?1` has endpoint `?2`.
pub(crate) const IS_THERE: &str = "
    SELECT EXISTS (
        SELECT 1 FROM endpoints WHERE account = ?1 AND id = ?2 AND removed_at IS NULL
    )";

/// At most `?5` deliveries to endpoint `?2` of account `?1` of moments from `?3` until before `?4`.
pub(crate) const WITHIN: &str = "
    SELECT id FROM deliveries
    WHERE account = ?1 AND endpoint = ?2 AND at >= ?3 AND at < ?4 LIMIT ?5";

/// The one with number `?3` and sequence `?4`.
pub(crate) const ONE: &str = "
    SELECT id FROM deliveries
    WHERE account = ?1 AND endpoint = ?2 AND number = ?3 AND sequence = ?4 LIMIT ?5";

pub(crate) const AGAIN: &str = "
    UPDATE deliveries SET
        attempts = 0, replay_count = replay_count + 1, due_at = ?2, delivered_at = NULL,
        parked_at = NULL
    WHERE id IN (SELECT value FROM json_each(?1))";

pub(super) async fn replay(
    store: &SqliteStore,
    account: &AccountId,
    replay: &Replay,
) -> Result<Replayed, PortError> {
    let (statement, endpoint, within) = match &replay.what {
        ReplayOf::One(id) => {
            let Some(NoticeKey { number, sequence }) = NoticeKey::of(&id.notice) else {
                return Ok(Replayed::Unknown);
            };
            (ONE, id.endpoint, (number, i64::from(sequence)))
        }
        ReplayOf::Range {
            endpoint,
            from,
            until,
        } => (WITHIN, *endpoint, (from.as_millis(), until.as_millis())),
    };
    let is_there: bool = sqlx::query_scalar(IS_THERE)
        .bind(account.as_str())
        .bind(key(endpoint))
        .fetch_one(&store.reads)
        .await
        .map_err(failed("look for an endpoint"))?;
    let found: Vec<i64> = sqlx::query_scalar(statement)
        .bind(account.as_str())
        .bind(key(endpoint))
        .bind(within.0)
        .bind(within.1)
        .bind(i64::try_from(replay.most.saturating_add(1)).unwrap_or(i64::MAX))
        .fetch_all(&store.reads)
        .await
        .map_err(failed("look for deliveries to make again"))?;
    let is_unknown = matches!(replay.what, ReplayOf::One(_)) && found.is_empty();
    if !is_there || is_unknown {
        return Ok(Replayed::Unknown);
    }
    if u64::try_from(found.len()).unwrap_or(u64::MAX) > replay.most {
        return Ok(Replayed::TooMany);
    }
    let due_at = replay.due_at();
    let again = store
        .writer
        .alone(move |writer| Box::pin(async move { writer.again(&found, due_at).await }));
    Ok(Replayed::Done(again.await??))
}

impl SqliteWriter {
    /// What was forgotten since it was looked for is not made again.
    async fn again(&mut self, ids: &[i64], due_at: Timestamp) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        let done = sqlx::query(AGAIN)
            .bind(json(&ids)?)
            .bind(due_at.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("make deliveries due again"))?;
        step.commit().await.map_err(failed("commit a replay"))?;
        self.suspended().let_go(ids);
        Ok(done.rows_affected())
    }
}
