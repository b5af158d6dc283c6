//! Making deliveries due again. Their attempts are counted anew and the log of them is kept: no
//! statement here may touch it.

use crate::connection::Answer;
use crate::endpoints::key;
use crate::error::failed;
use crate::store::Store;
use domain::account::AccountId;
use ports::PortError;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use storage_sql::record::NoticeKey;

/// Makes due at `$5` what endpoint `$2` of account `$1` was to be told of from `$3` until before
/// `$4`, unless that is more than `$6`. The endpoint is locked first, like everywhere. Answers
/// whether there is one, how many deliveries there are and how many were made due.
pub(crate) const RANGE: &str = "
    WITH there AS MATERIALIZED (
        SELECT 1 FROM endpoints WHERE account = $1 AND id = $2 AND removed_at IS NULL
        FOR NO KEY UPDATE
    ),
    counted AS MATERIALIZED (
        SELECT count(*) AS found FROM deliveries
        WHERE account = $1 COLLATE \"POSIX\" AND endpoint = $2 AND at >= $3 AND at < $4
    ),
    again AS (
        UPDATE deliveries SET attempts = 0, due_at = $5, delivered_at = NULL, parked_at = NULL
        WHERE account = $1 COLLATE \"POSIX\" AND endpoint = $2 AND at >= $3 AND at < $4
            AND EXISTS (SELECT 1 FROM there) AND (SELECT found FROM counted) <= $6
        RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM there), (SELECT found FROM counted), (SELECT count(*) FROM again)";

/// The same of the one delivery that tells of `$3` and `$4`.
pub(crate) const ONE: &str = "
    WITH there AS MATERIALIZED (
        SELECT 1 FROM endpoints WHERE account = $1 AND id = $2 AND removed_at IS NULL
        FOR NO KEY UPDATE
    ),
    counted AS MATERIALIZED (
        SELECT count(*) AS found FROM deliveries
        WHERE account = ANY (ARRAY[$1]) AND endpoint = $2 AND number = $3 AND sequence = $4
    ),
    again AS (
        UPDATE deliveries SET attempts = 0, due_at = $5, delivered_at = NULL, parked_at = NULL
        WHERE account = ANY (ARRAY[$1]) AND endpoint = $2 AND number = $3 AND sequence = $4
            AND EXISTS (SELECT 1 FROM there) AND (SELECT found FROM counted) <= $6
        RETURNING 1
    )
    SELECT EXISTS (SELECT 1 FROM there) AND (SELECT found FROM counted) > 0,
        (SELECT found FROM counted),
        (SELECT count(*) FROM again)";

pub(super) async fn replay(
    store: &Store,
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
    let (known, found, again): (bool, i64, i64) = sqlx::query_as(statement)
        .bind(account.as_str())
        .bind(key(endpoint))
        .bind(within.0)
        .bind(within.1)
        .bind(replay.now.as_millis())
        .bind(i64::try_from(replay.most).unwrap_or(i64::MAX))
        .fetch_one(&store.steps)
        .in_time()
        .await
        .map_err(failed("make deliveries due again"))?;
    let count = |rows: i64| u64::try_from(rows).unwrap_or_default();
    if !known {
        return Ok(Replayed::Unknown);
    }
    if count(found) > replay.most {
        return Ok(Replayed::TooMany(count(found)));
    }
    Ok(Replayed::Done(count(again)))
}
