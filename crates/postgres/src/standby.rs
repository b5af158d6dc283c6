//! Lists and reports from a standby of the database. A list must never lack what the primary had
//! when it was asked for: a merchant who does not see a payment would make it a second time. So the
//! standby is read once it has replayed that much, and otherwise the primary is.

use crate::connection::{self, StatementAnswer};
use crate::error::failed;
use ports::PortError;
use ports::measurements::{ListSource, Measurements};
use sqlx::FromRow;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, Postgres};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Connections to the standby.
const READERS: u32 = 4;

/// How soon the standby is asked again whether it has replayed enough: at first, and at most. Each
/// wait is twice the one before.
const ASKED_AGAIN: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(50)];

/// How long a standby that was behind, or did not answer, is left alone.
const LEFT_ALONE: Duration = Duration::from_secs(5);

/// How far the primary has written, and which database it is. `vouched` says that no other server
/// took over meanwhile and that payments are not suspended.
const PRIMARY: &str = "
    SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint AS position,
        g.system_identifier, g.timeline, g.database::bigint AS database, g.number,
        g.suspended_since IS NULL AND p.timeline = g.timeline AND p.database = g.database
            AND p.system_identifier = g.system_identifier AS vouched
    FROM database_identity AS g, present_identity() AS p";

/// How far the standby has replayed, and which database the connection is to; no row on a server
/// that is no standby.
const STANDBY: &str = "
    SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS position,
        g.system_identifier, g.timeline, d.oid::bigint AS database, g.number
    FROM database_identity AS g, pg_database AS d
    WHERE pg_is_in_recovery() AND d.datname = current_database()";

/// How far a server has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
struct Come {
    position: i64,
    system_identifier: i64,
    timeline: i32,
    database: i64,
    number: i32,
}

#[derive(Debug, FromRow)]
struct PrimaryCome {
    #[sqlx(flatten)]
    come: Come,
    vouched: bool,
}

impl Come {
    /// Whether a standby that has come so far has everything that the primary had. One that
    /// follows a server which lost its place has another identity.
    fn has(self, primary: Self) -> bool {
        let identity = |it: Self| (it.system_identifier, it.timeline, it.database, it.number);
        identity(self) == identity(primary) && self.position >= primary.position
    }
}

/// A standby that lists are read from.
#[derive(Debug)]
pub(crate) struct Standby {
    pool: PgPool,
    wait: Duration,
    measurements: Arc<dyn Measurements>,
    /// Until when it is left alone.
    left_alone: Mutex<Option<Instant>>,
    /// How many bytes it lacked when it was asked last; less than none where it could not be.
    behind: AtomicI64,
}

/// How a standby and its primary compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    /// It has everything that the primary had.
    Level,
    /// It lacks so many bytes of the write-ahead log.
    Behind(i64),
    /// It follows another server, is of another database, or is no standby.
    Another,
}

impl Standby {
    pub(crate) fn new(
        at: &PgConnectOptions,
        wait: Duration,
        measurements: Arc<dyn Measurements>,
    ) -> Self {
        Self {
            pool: connection::readers(at, READERS),
            wait,
            measurements,
            left_alone: Mutex::default(),
            behind: AtomicI64::new(-1),
        }
    }

    /// The connections to it.
    pub(crate) const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// How many bytes of the log it lacked when a list was to be read last; none where it could not
    /// be asked. It asks nothing: a standby that is away must keep no check of the primary up.
    pub(crate) fn behind(&self) -> Option<u64> {
        u64::try_from(self.behind.load(Ordering::Relaxed)).ok()
    }

    /// A connection to a server that has everything the primary has now; waits a little for that.
    /// Only through this very connection: behind the address may be several servers.
    pub(crate) async fn with_all_of(&self, primary: &PgPool) -> Option<PoolConnection<Postgres>> {
        if self.lock().is_some_and(|until| steady_now() < until) {
            return None;
        }
        let Ok(free) = tokio::time::timeout(self.wait, self.pool.acquire()).await else {
            // Others read lists through all of them; that says nothing of the server.
            let is_busy = self.pool.size() >= READERS;
            if !is_busy {
                self.leave_alone("it does not answer");
            }
            return None;
        };
        let compared = async {
            let mut connection = free.map_err(failed("connect to the standby"))?;
            let compared = self.catches_up_with(primary, &mut connection).await?;
            Ok::<_, PortError>((compared, connection))
        };
        let why = match tokio::time::timeout(self.wait, compared).await {
            Ok(Ok((Compared::Level, connection))) => {
                self.behind.store(0, Ordering::Relaxed);
                if self.lock().take().is_some() {
                    tracing::info!("lists are read from the standby again");
                }
                return Some(connection);
            }
            Err(_) | Ok(Ok((Compared::Behind(_), _))) => {
                format!("it has not replayed enough within {:?}", self.wait)
            }
            Ok(Ok((Compared::Another, _))) => {
                self.behind.store(-1, Ordering::Relaxed);
                "it is no standby of this database, or payments are suspended".to_owned()
            }
            Ok(Err(error)) => {
                self.behind.store(-1, Ordering::Relaxed);
                error.to_string()
            }
        };
        self.leave_alone(&why);
        None
    }

    /// A list was read from it.
    pub(crate) fn was_read(&self) {
        self.measurements.list_read(ListSource::Standby);
    }

    /// A list was read from the primary instead.
    pub(crate) fn was_not_read(&self) {
        self.measurements.list_read(ListSource::Primary);
    }

    /// It failed in the middle of a list.
    pub(crate) fn failed(&self, error: &PortError) {
        self.leave_alone(&error.to_string());
    }

    async fn catches_up_with(
        &self,
        primary: &PgPool,
        standby: &mut PgConnection,
    ) -> Result<Compared, PortError> {
        let primary: PrimaryCome = sqlx::query_as(PRIMARY)
            .fetch_one(primary)
            .in_time()
            .await
            .map_err(failed("ask the primary how far it is"))?;
        if !primary.vouched {
            return Ok(Compared::Another);
        }
        let [mut pause, longest] = ASKED_AGAIN;
        loop {
            match compared(primary.come, standby).await? {
                Compared::Behind(bytes) => self.behind.store(bytes, Ordering::Relaxed),
                ended @ (Compared::Level | Compared::Another) => return Ok(ended),
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    }

    fn leave_alone(&self, why: &str) {
        let until = steady_now().checked_add(LEFT_ALONE);
        let before = {
            let mut left_alone = self.lock();
            std::mem::replace(&mut *left_alone, until)
        };
        if before.is_none() {
            tracing::warn!(
                why,
                "lists are read from the primary: the standby cannot be read"
            );
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.left_alone
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// For how long a standby is left alone: no clock that a test or a person sets decides that.
#[expect(
    clippy::disallowed_methods,
    reason = "only spans of this process are compared"
)]
fn steady_now() -> Instant {
    Instant::now()
}

async fn compared(primary: Come, standby: &mut PgConnection) -> Result<Compared, PortError> {
    let standby: Option<Come> = sqlx::query_as(STANDBY)
        .fetch_optional(standby)
        .in_time()
        .await
        .map_err(failed("ask the standby how far it is"))?;
    Ok(match standby {
        Some(standby) if standby.has(primary) => Compared::Level,
        Some(standby) if standby.position < primary.position => {
            Compared::Behind(primary.position.saturating_sub(standby.position))
        }
        Some(_) | None => Compared::Another,
    })
}

#[cfg(test)]
mod tests {
    use super::Come;

    const PRIMARY: Come = Come {
        position: 100,
        system_identifier: 7,
        timeline: 2,
        database: 5,
        number: 3,
    };

    #[test]
    fn a_standby_has_all_once_it_has_replayed_as_much_of_the_same_database() {
        assert!(PRIMARY.has(PRIMARY));
        let standby = |position| Come {
            position,
            ..PRIMARY
        };
        assert!(standby(101).has(PRIMARY));
        assert!(!standby(99).has(PRIMARY));
        // It came further on a timeline that was given up, or its row is older.
        for another in [
            Come {
                timeline: 1,
                ..standby(900)
            },
            Come {
                number: 2,
                ..standby(900)
            },
            Come {
                database: 6,
                ..standby(900)
            },
            Come {
                system_identifier: 8,
                ..standby(900)
            },
        ] {
            assert!(!another.has(PRIMARY), "{another:?}");
        }
    }
}
