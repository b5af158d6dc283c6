//! Connections that wait for the next request. One that is closed, or on which something arrived
//! unasked, must never be given out.

use crate::connection::LiveConnection;
use ports::clock::Clock;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many connections wait. More are only needed for moments.
const IDLE_MAX: usize = 8;

/// How long a connection waits: common servers close theirs after a minute, some after 15 s, and
/// one that is closed at the moment it is used costs an attempt.
pub(crate) const IDLE_FOR: Duration = Duration::from_secs(10);

/// Connections to one target.
#[derive(Debug)]
pub(crate) struct ConnectionPool {
    clock: Arc<dyn Clock>,
    idle: Mutex<Vec<IdleConnection>>,
}

#[derive(Debug)]
struct IdleConnection {
    /// By the uptime.
    since: Duration,
    connection: LiveConnection,
}

impl ConnectionPool {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            idle: Mutex::default(),
        }
    }

    /// The connection that was used last and can be used again.
    pub(crate) async fn take(&self) -> Option<LiveConnection> {
        while let Some(mut connection) = self.with_fresh(Vec::pop).map(|idle| idle.connection) {
            if connection.is_usable().await {
                return Some(connection);
            }
        }
        None
    }

    /// Keeps a connection if there is room.
    pub(crate) fn put(&self, connection: LiveConnection) {
        let since = self.clock.uptime();
        self.with_fresh(|idle| {
            if idle.len() < IDLE_MAX {
                idle.push(IdleConnection { since, connection });
            }
        });
    }

    fn with_fresh<T>(&self, change: impl FnOnce(&mut Vec<IdleConnection>) -> T) -> T {
        let now = self.clock.uptime();
        // A panic elsewhere leaves a list of connections, each of which is checked when it is used.
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|idle| now.saturating_sub(idle.since) < IDLE_FOR);
        change(&mut idle)
    }
}
