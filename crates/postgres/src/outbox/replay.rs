//! Making deliveries due again. Their attempts are counted anew and the log of them is kept: no
//! statement here may touch it.

use crate::connection::StatementAnswer;
use crate::endpoints::key;
use crate::error::failed;
use crate::store::PostgresStore;
use domain::account::AccountId;
use ports::PortError;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use storage_sql::record::NoticeKey;

/// Makes due at `$5` what `wanted` finds for endpoint `$2` of account `$1`, unless that is more
/// than `$6`; no more than one more is looked for. The endpoint is locked first, like everywhere.
/// Answers whether there is one, how many deliveries were found and how many were made due.
macro_rules! again {
    ($wanted:literal) => {
        concat!(
            "WITH there AS MATERIALIZED (
                SELECT 1 FROM endpoints WHERE account = $1 AND id = $2 AND removed_at IS NULL
                FOR NO KEY UPDATE
            ),
            wanted AS MATERIALIZED (
                SELECT account, endpoint, number, sequence FROM deliveries WHERE ",
            $wanted,
            " AND EXISTS (SELECT 1 FROM there) LIMIT $6 + 1
            ),
            again AS (
                UPDATE deliveries AS d SET
                    attempts = 0, replay_count = d.replay_count + 1, due_at = $5,
                    delivered_at = NULL,
                    parked_at = NULL
                FROM wanted AS w
                WHERE d.account = ANY (ARRAY[w.account]) AND d.endpoint = w.endpoint
                    AND d.number = w.number AND d.sequence = w.sequence
                    AND (SELECT count(*) FROM wanted) <= $6
                RETURNING 1
            )
            SELECT EXISTS (SELECT 1 FROM there), (SELECT count(*) FROM wanted),
                (SELECT count(*) FROM again)"
        )
    };
}

/// Its events from `$3` until before `$4`.
pub(crate) const RANGE: &str =
    again!("account = $1 COLLATE \"POSIX\" AND endpoint = $2 AND at >= $3 AND at < $4");

/// The one with number `$3` and sequence `$4`.
pub(crate) const ONE: &str =
    again!("account = ANY (ARRAY[$1]) AND endpoint = $2 AND number = $3 AND sequence = $4");

pub(super) async fn replay(
    store: &PostgresStore,
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
        } => (RANGE, *endpoint, (from.as_millis(), until.as_millis())),
    };
    let most = i64::try_from(replay.most)
        .unwrap_or(i64::MAX)
        .min(i64::MAX - 1);
    let (is_there, found, again): (bool, i64, i64) = sqlx::query_as(statement)
        .bind(account.as_str())
        .bind(key(endpoint))
        .bind(within.0)
        .bind(within.1)
        .bind(replay.due_at().as_millis())
        .bind(most)
        .fetch_one(&store.steps)
        .in_time()
        .await
        .map_err(failed("make deliveries due again"))?;
    let is_unknown = matches!(replay.what, ReplayOf::One(_)) && found == 0;
    if !is_there || is_unknown {
        return Ok(Replayed::Unknown);
    }
    if found > most {
        return Ok(Replayed::TooMany);
    }
    Ok(Replayed::Done(u64::try_from(again).unwrap_or_default()))
}
