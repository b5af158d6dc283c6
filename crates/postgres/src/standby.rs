//! Lists and reports from a standby of the database. A list must never lack what the primary had
//! when it was asked for: a merchant who does not see a payment would make it a second time. So the
//! standby is read once it has replayed that much, and otherwise the primary is.

use crate::connection::{self, StatementAnswer};
use crate::error::failed;
use ports::PortError;
use ports::measurements::{ListSource, Measurements};
use sqlx::FromRow;
use sqlx::postgres::{PgConnectOptions, PgPool};
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
        g.system_identifier, g.timeline, g.number,
        g.suspended_since IS NULL AND p.timeline = g.timeline
            AND p.system_identifier = g.system_identifier AS vouched
    FROM database_identity AS g, present_identity() AS p";

/// How far the standby has replayed, and which database it has; no row on a server that is no
/// standby.
const STANDBY: &str = "
    SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS position,
        g.system_identifier, g.timeline, g.number
    FROM database_identity AS g WHERE pg_is_in_recovery()";

/// How far a server has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
struct Come {
    position: i64,
    system_identifier: i64,
    timeline: i32,
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
        let identity = |it: Self| (it.system_identifier, it.timeline, it.number);
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
}

/// How a standby and its primary compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    /// It has everything that the primary had.
    Level,
    /// It lacks so many bytes of the write-ahead log.
    Behind(i64),
    /// It follows another server, or is none.
    Another,
    /// The primary itself is not vouched for: payments are suspended, or it has just taken over.
    Unvouched,
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
        }
    }

    /// The connections to it.
    pub(crate) const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Whether it has everything that the primary has now; waits a little for that.
    pub(crate) async fn has_all_of(&self, primary: &PgPool) -> bool {
        if self.lock().is_some_and(|until| steady_now() < until) {
            return false;
        }
        let compared = tokio::time::timeout(self.wait, self.catches_up_with(primary)).await;
        let why = match compared {
            Ok(Ok(Compared::Level)) => {
                if self.lock().take().is_some() {
                    tracing::info!("lists are read from the standby again");
                }
                return true;
            }
            Err(_) | Ok(Ok(Compared::Behind(_))) => {
                format!("it has not replayed enough within {:?}", self.wait)
            }
            Ok(Ok(Compared::Another)) => "it is no standby of this database".to_owned(),
            Ok(Ok(Compared::Unvouched)) => {
                "payments are suspended, or another server has just taken over".to_owned()
            }
            Ok(Err(error)) => error.to_string(),
        };
        self.leave_alone(&why);
        false
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

    /// How far it is behind at this moment.
    pub(crate) async fn compared_with(&self, primary: &PgPool) -> Result<Compared, PortError> {
        let primary = primary_of(primary).await?;
        if !primary.vouched {
            return Ok(Compared::Unvouched);
        }
        self.compared(primary.come).await
    }

    async fn catches_up_with(&self, primary: &PgPool) -> Result<Compared, PortError> {
        let primary = primary_of(primary).await?;
        if !primary.vouched {
            return Ok(Compared::Unvouched);
        }
        let [mut pause, longest] = ASKED_AGAIN;
        loop {
            let compared = self.compared(primary.come).await?;
            if !matches!(compared, Compared::Behind(_)) {
                return Ok(compared);
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    }

    async fn compared(&self, primary: Come) -> Result<Compared, PortError> {
        let standby: Option<Come> = sqlx::query_as(STANDBY)
            .fetch_optional(&self.pool)
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

async fn primary_of(primary: &PgPool) -> Result<PrimaryCome, PortError> {
    sqlx::query_as(PRIMARY)
        .fetch_one(primary)
        .in_time()
        .await
        .map_err(failed("ask the primary how far it is"))
}

#[cfg(test)]
mod tests {
    use super::Come;

    const PRIMARY: Come = Come {
        position: 100,
        system_identifier: 7,
        timeline: 2,
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
                system_identifier: 8,
                ..standby(900)
            },
        ] {
            assert!(!another.has(PRIMARY), "{another:?}");
        }
    }
}
