//! Making deliveries due again. Their attempts are counted anew and the log of them is kept: no
//! statement here may touch it.

use crate::endpoints::key;
use crate::error::{failed, wrote};
use crate::writer::Writer;
use domain::account::AccountId;
use ports::PortError;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use storage_sql::record::NoticeKey;

/// Whether account `?1` has endpoint `?2`, and how many of its deliveries are of moments from `?3`
/// until before `?4`. The plus keeps the search on the time.
pub(crate) const COUNT: &str = "
    SELECT EXISTS (SELECT 1 FROM endpoints WHERE account = ?1 AND id = ?2 AND removed_at IS NULL), (
        SELECT count(*) FROM deliveries
        WHERE account = ?1 AND +endpoint = ?2 AND at >= ?3 AND at < ?4
    )";

pub(crate) const AGAIN: &str = "
    UPDATE deliveries SET attempts = 0, due_at = ?5, delivered_at = NULL, parked_at = NULL
    WHERE account = ?1 AND +endpoint = ?2 AND at >= ?3 AND at < ?4";

/// The same of the one delivery that tells of `?3` and `?4`.
pub(crate) const COUNT_ONE: &str = "
    SELECT count(*) > 0, count(*) FROM deliveries AS d
    WHERE d.account = ?1 AND d.endpoint = ?2 AND d.number = ?3 AND d.sequence = ?4
        AND EXISTS (
            SELECT 1 FROM endpoints AS e
            WHERE e.account = ?1 AND e.id = ?2 AND e.removed_at IS NULL
        )";

pub(crate) const ONE_AGAIN: &str = "
    UPDATE deliveries SET attempts = 0, due_at = ?5, delivered_at = NULL, parked_at = NULL
    WHERE account = ?1 AND endpoint = ?2 AND number = ?3 AND sequence = ?4";

impl Writer {
    pub(super) async fn replay(
        &mut self,
        account: AccountId,
        replay: Replay,
    ) -> Result<Replayed, PortError> {
        let mut step = self.step().await?;
        let (count, again, endpoint, within) = match &replay.what {
            ReplayOf::One(id) => {
                let Some(NoticeKey { number, sequence }) = NoticeKey::of(&id.notice) else {
                    return Ok(Replayed::Unknown);
                };
                let within = (number, i64::from(sequence));
                (COUNT_ONE, ONE_AGAIN, id.endpoint, within)
            }
            ReplayOf::Range {
                endpoint,
                from,
                until,
            } => {
                let within = (from.as_millis(), until.as_millis());
                (COUNT, AGAIN, *endpoint, within)
            }
        };
        let asked = sqlx::query_as(count)
            .bind(account.as_str())
            .bind(key(endpoint))
            .bind(within.0)
            .bind(within.1);
        let (known, found): (bool, i64) = asked
            .fetch_one(&mut *step)
            .await
            .map_err(failed("count deliveries to make again"))?;
        let found = u64::try_from(found).unwrap_or_default();
        if !known {
            return Ok(Replayed::Unknown);
        }
        if found > replay.most {
            return Ok(Replayed::TooMany(found));
        }
        let done = sqlx::query(again)
            .bind(account.as_str())
            .bind(key(endpoint))
            .bind(within.0)
            .bind(within.1)
            .bind(replay.now.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("make deliveries due again"))?;
        let wanted = usize::try_from(found).unwrap_or(usize::MAX);
        wrote(done.rows_affected(), wanted, "make deliveries due again")?;
        step.commit().await.map_err(failed("commit a replay"))?;
        Ok(Replayed::Done(found))
    }
}
