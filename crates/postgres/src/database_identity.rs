//! Which database this is. One that was restored from a backup, or that took over without the
//! newest commits, is older than what was promised from it: a change of its identity must be
//! noticed before anything new is opened in it. Whether anything is lost is for the journals to
//! say.

use crate::connection::StatementAnswer;
use crate::error::failed;
use ports::PortError;
use ports::reconciliation::Clearance;
use sqlx::postgres::{PgConnection, PgExecutor};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The identity of the database, and the one a person last acknowledged. One row. Of the
/// write-ahead log only what is on disk counts: a crash may take the rest, and payments would be
/// suspended for commits that were never acknowledged.
const LOOK: &str = "
    SELECT p.system_identifier, p.timeline, p.database::bigint,
        (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint,
        g.number, g.system_identifier, g.timeline, g.database::bigint, g.suspended_reason,
        p.relation = g.relation
    FROM database_identity AS g, present_identity() AS p";

/// Suspends payments; a weaker clearance never takes the place of a stronger one.
const SUSPEND: &str = "
    UPDATE database_identity SET
        suspension = suspension + (suspended_since IS NULL)::integer,
        suspended_since = coalesce(suspended_since, clock_timestamp()),
        suspended_reason = $1, clearance = $2
    WHERE suspended_since IS NULL OR clearance COLLATE \"C\" < $2 COLLATE \"C\"";

/// The heartbeat that is stored of a slot, in microseconds.
const STORED_HEARTBEAT: &str = "
    SELECT (extract(epoch FROM seen_at) * 1000000)::bigint FROM instances
    WHERE slot = $1 AND token = $2";

/// What the database is and what a person vouched for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IdentitySeen {
    system_identifier: i64,
    timeline: i32,
    database: i64,
    log_position: i64,
    number: i32,
    vouched_system_identifier: i64,
    vouched_timeline: i32,
    vouched_database: i64,
    suspended_reason: Option<String>,
    /// Whether the tables are the ones that were made by migrating.
    is_original: bool,
}

/// What a batch reads of the generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IdentityRow {
    pub(crate) number: i32,
    pub(crate) is_held: bool,
    /// Whether every row has its authentication code, so that one without it is none of the
    /// gateway's.
    pub(crate) is_authenticated: bool,
}

/// Why payments are suspended where a heartbeat is lost.
pub(crate) const HEARTBEAT_LOST: &str =
    "the database is behind what an instance had written in it: an older copy was put in place";

/// Whether the database still has the heartbeat that it confirmed last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heartbeat {
    Kept,
    Lost,
}

/// What this process knows of the database's past.
#[derive(Debug, Default)]
pub(crate) struct DatabaseIdentity {
    held: AtomicBool,
    mark: Mutex<Option<Mark>>,
    /// The last heartbeat of this instance that the database confirmed, in microseconds; 0 is none.
    heartbeat: AtomicI64,
}

impl DatabaseIdentity {
    /// Whether the books were held when they were last looked at.
    pub(crate) fn is_suspended(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    /// Whether a row that a batch has read is of the books this process knows of. A connection that
    /// was kept to a server which is no longer the one that is written to says otherwise.
    pub(crate) fn agrees(&self, row: IdentityRow) -> bool {
        let behind = |mark: &Mark| row.number < mark.number;
        // Where database restored or promoted: new payments suspended until reconciliation nothing
        // is opened anyway, whichever these are.
        row.is_held || (!self.is_suspended() && !self.lock().as_ref().is_some_and(behind))
    }

    /// This instance has a new slot: what it wrote under another one says nothing.
    pub(crate) fn joined(&self) {
        self.heartbeat.store(0, Ordering::Relaxed);
    }

    /// The database confirmed a heartbeat, and had another before it. Only this instance writes
    /// them, so one that is older than the last that was confirmed is of an older copy, however far
    /// the log of that copy has come since.
    pub(crate) fn heartbeat(&self, before: i64, now: i64) -> Heartbeat {
        let confirmed = self.heartbeat.swap(now, Ordering::Relaxed);
        judged(before, confirmed)
    }

    /// The same of a connection that was made anew, before anything is written through it: it may
    /// be to an older copy.
    pub(crate) async fn look_at_heartbeat(
        &self,
        connection: &mut PgConnection,
        (slot, token): (i16, i64),
    ) -> Result<(), PortError> {
        // Taken before the question: a heartbeat beside us may be confirmed before the answer.
        let confirmed = self.heartbeat.load(Ordering::Relaxed);
        let stored: Option<i64> = sqlx::query_scalar(STORED_HEARTBEAT)
            .bind(slot)
            .bind(token)
            .fetch_optional(&mut *connection)
            .await
            .map_err(failed("look at the last heartbeat"))?;
        if stored.is_some_and(|stored| judged(stored, confirmed) == Heartbeat::Lost) {
            tracing::error!("payments are suspended: the database lacks a heartbeat it confirmed");
            suspend(connection, HEARTBEAT_LOST, Clearance::Journals).await?;
            self.held.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The log of the database has come so far.
    pub(crate) fn has_seen(&self, log_position: i64) {
        if let Some(mark) = self.lock().as_mut() {
            mark.log_position = mark.log_position.max(log_position);
        }
    }

    /// Looks which books these are, and holds them where they are not what they should be.
    pub(crate) async fn look(&self, connection: &mut PgConnection) -> Result<(), PortError> {
        // Taken before the question: a commit beside us may take the mark further than the answer.
        let mark = self.lock().clone();
        let seen: IdentitySeen = look(connection).await?;
        let reason = seen
            .suspended_reason
            .clone()
            .or_else(|| rejection_reason(&seen, mark.as_ref()));
        if let Some(reason) = &reason
            && seen.suspended_reason.is_none()
        {
            tracing::error!(
                reason,
                "payments are suspended until every journal was compared"
            );
            suspend(connection, reason, Clearance::Journals).await?;
        }
        self.held.store(reason.is_some(), Ordering::Relaxed);
        // While payments are suspended the identity is not acknowledged: the watermark stays as it
        // was.
        if reason.is_none() {
            self.note(&seen);
        }
        Ok(())
    }

    fn note(&self, seen: &IdentitySeen) {
        let mut kept = self.lock();
        let log_position = match kept.as_ref() {
            Some(mark) if mark.is_of(seen) && mark.number == seen.number => {
                mark.log_position.max(seen.log_position)
            }
            Some(_) | None => seen.log_position,
        };
        *kept = Some(Mark {
            system_identifier: seen.system_identifier,
            timeline: seen.timeline,
            database: seen.database,
            number: seen.number,
            log_position,
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Mark>> {
        self.mark.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Suspends payments in the database.
pub(crate) async fn suspend(
    executor: impl PgExecutor<'_>,
    because: &str,
    clearance: Clearance,
) -> Result<(), PortError> {
    sqlx::query(SUSPEND)
        .bind(because)
        .bind(clearance.code())
        .execute(executor)
        .in_time()
        .await
        .map_err(failed("suspend payments"))
        .map(drop)
}

/// What a stored heartbeat says beside the last that was confirmed.
const fn judged(stored: i64, confirmed: i64) -> Heartbeat {
    if confirmed != 0 && stored < confirmed {
        Heartbeat::Lost
    } else {
        Heartbeat::Kept
    }
}

/// Which database it was, and how far its log had come, when this process last looked.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    system_identifier: i64,
    timeline: i32,
    database: i64,
    number: i32,
    log_position: i64,
}

impl Mark {
    /// Whether it is of the very log that was seen now.
    fn is_of(&self, seen: &IdentitySeen) -> bool {
        self.system_identifier == seen.system_identifier
            && self.timeline == seen.timeline
            && self.database == seen.database
    }
}

async fn look(connection: &mut PgConnection) -> Result<IdentitySeen, PortError> {
    type Columns = (i64, i32, i64, i64, i32, i64, i32, i64, Option<String>, bool);
    let row: Columns = sqlx::query_as(LOOK)
        .fetch_one(connection)
        .await
        .map_err(failed("look which books these are"))?;
    Ok(IdentitySeen {
        system_identifier: row.0,
        timeline: row.1,
        database: row.2,
        log_position: row.3,
        number: row.4,
        vouched_system_identifier: row.5,
        vouched_timeline: row.6,
        vouched_database: row.7,
        suspended_reason: row.8,
        is_original: row.9,
    })
}

/// Why these may not be the books that were promised from.
fn rejection_reason(seen: &IdentitySeen, mark: Option<&Mark>) -> Option<String> {
    if seen.system_identifier != seen.vouched_system_identifier {
        return Some("the database is in another cluster than before: it was copied".to_owned());
    }
    if seen.database != seen.vouched_database {
        return Some("the database was made anew from a copy".to_owned());
    }
    if !seen.is_original {
        return Some("the tables were made anew from a copy".to_owned());
    }
    if seen.timeline != seen.vouched_timeline {
        let (before, now) = (seen.vouched_timeline, seen.timeline);
        return Some(format!(
            "the cluster is on timeline {now} and was on {before}: a standby took over, or a \
             backup was restored"
        ));
    }
    let mark = mark.filter(|mark| mark.system_identifier == seen.system_identifier)?;
    // A person who acknowledged the database since has compared its position.
    let vouched_since = seen.number > mark.number;
    let older = (seen.number, seen.timeline) < (mark.number, mark.timeline)
        || (!vouched_since && mark.is_of(seen) && seen.log_position < mark.log_position);
    older.then(|| {
        "the database is behind what it had confirmed: an older copy of it was put in place"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::{DatabaseIdentity, Heartbeat, IdentitySeen, Mark, rejection_reason};

    const SEEN: IdentitySeen = IdentitySeen {
        system_identifier: 7,
        timeline: 2,
        database: 5,
        log_position: 1_000,
        number: 3,
        vouched_system_identifier: 7,
        vouched_timeline: 2,
        vouched_database: 5,
        suspended_reason: None,
        is_original: true,
    };

    const MARK: Mark = Mark {
        system_identifier: 7,
        timeline: 2,
        database: 5,
        number: 3,
        log_position: 1_000,
    };

    #[test]
    fn a_heartbeat_that_was_confirmed_and_is_gone_is_noticed_whatever_the_log_says() {
        let generation = DatabaseIdentity::default();
        assert_eq!(generation.heartbeat(5, 10), Heartbeat::Kept, "the first");
        assert_eq!(generation.heartbeat(10, 20), Heartbeat::Kept);
        // One whose answer was lost is newer than the last that was confirmed.
        assert_eq!(generation.heartbeat(30, 40), Heartbeat::Kept);
        assert_eq!(generation.heartbeat(20, 50), Heartbeat::Lost);
        assert_eq!(
            generation.heartbeat(50, 60),
            Heartbeat::Kept,
            "it is noticed once"
        );
        generation.joined();
        assert_eq!(generation.heartbeat(1, 70), Heartbeat::Kept, "another slot");
    }

    #[test]
    fn books_that_only_grew_are_the_same_books() {
        assert_eq!(rejection_reason(&SEEN, None), None);
        assert_eq!(rejection_reason(&SEEN, Some(&MARK)), None);
        let log_position = 1_001;
        let grown = IdentitySeen {
            log_position,
            ..SEEN
        };
        assert_eq!(rejection_reason(&grown, Some(&MARK)), None);
    }

    #[test]
    fn every_way_of_going_back_is_noticed() {
        let copied = IdentitySeen {
            system_identifier: 8,
            ..SEEN
        };
        let made_anew = IdentitySeen {
            database: 6,
            ..SEEN
        };
        let taken_over = IdentitySeen {
            timeline: 3,
            ..SEEN
        };
        let read_in_again = IdentitySeen {
            is_original: false,
            ..SEEN
        };
        for seen in [copied, made_anew, read_in_again, taken_over] {
            assert!(rejection_reason(&seen, None).is_some(), "{seen:?}");
        }
        let behind = IdentitySeen {
            log_position: 999,
            ..SEEN
        };
        let before_a_takeover = IdentitySeen {
            timeline: 1,
            vouched_timeline: 1,
            ..SEEN
        };
        let before_a_voucher = IdentitySeen { number: 2, ..SEEN };
        let vouched_for = IdentitySeen {
            number: 4,
            ..behind.clone()
        };
        assert_eq!(rejection_reason(&vouched_for, Some(&MARK)), None);
        for seen in [behind, before_a_takeover, before_a_voucher] {
            assert_eq!(rejection_reason(&seen, None), None, "{seen:?}");
            assert!(rejection_reason(&seen, Some(&MARK)).is_some(), "{seen:?}");
        }
    }

    #[test]
    fn what_was_noted_of_another_cluster_says_nothing_of_this_one() {
        let other = Mark {
            system_identifier: 9,
            number: 10,
            log_position: 9_999,
            ..MARK
        };
        assert_eq!(rejection_reason(&SEEN, Some(&other)), None);
    }
}
