//! How many files and connections the system lets this process have open at a time, and how many
//! connections of clients that allows. It must leave enough for the store, the journal, providers
//! and webhooks, or clients could keep a payment from being recorded.

use http_server::CONNECTIONS_MAX;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What everything but the connections of clients has open at most: the store and its journal, and
/// the connections to providers and to endpoints of merchants.
const OWN_FILES_MAX: u64 = 512;

/// Raises the limit of this process as far as it is allowed to and needs, and answers how many
/// connections of clients there is room for. Says so where that is fewer than usual.
pub(crate) fn room_for_connections() -> usize {
    let wanted = wanted();
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: raised_to(limit.current, limit.maximum, wanted),
        maximum: limit.maximum,
    };
    if raised.current != limit.current
        && let Err(error) = setrlimit(Resource::Nofile, raised)
    {
        tracing::warn!(%error, "the limit of open files could not be raised");
    }
    let allowed = getrlimit(Resource::Nofile).current;
    let connections = connections(allowed.unwrap_or(u64::MAX));
    if connections < CONNECTIONS_MAX {
        let open_files = allowed.unwrap_or(u64::MAX);
        tracing::warn!(
            open_files,
            connections,
            "the system allows few open files, so fewer connections are taken at a time; raise the \
             limit (ulimit -n, or LimitNOFILE= of the service) to {wanted}"
        );
    }
    connections
}

/// How many files this process may have open; none where there is no limit.
pub(crate) fn allowed() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// How many files this process may have open at most, and how many it needs.
pub(crate) fn allowed_and_wanted() -> (u64, u64) {
    let limit = getrlimit(Resource::Nofile);
    (limit.maximum.unwrap_or(u64::MAX), wanted())
}

fn wanted() -> u64 {
    let connections = u64::try_from(CONNECTIONS_MAX).unwrap_or(u64::MAX);
    connections.saturating_add(OWN_FILES_MAX)
}

/// A limit that is absent is none.
fn raised_to(current: Option<u64>, maximum: Option<u64>, wanted: u64) -> Option<u64> {
    let reachable = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    current.map(|current| current.max(reachable))
}

/// Of few files the connections have half.
fn connections(allowed: u64) -> usize {
    let left = allowed.saturating_sub(OWN_FILES_MAX).max(allowed / 2);
    usize::try_from(left).map_or(CONNECTIONS_MAX, |left| left.min(CONNECTIONS_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_as_far_as_needed_and_never_lowered() {
        assert_eq!(raised_to(Some(1024), Some(524_288), 4608), Some(4608));
        assert_eq!(raised_to(Some(1024), Some(2048), 4608), Some(2048));
        assert_eq!(raised_to(Some(1024), None, 4608), Some(4608));
        assert_eq!(raised_to(Some(65_536), Some(65_536), 4608), Some(65_536));
        assert_eq!(raised_to(None, None, 4608), None);
    }

    #[test]
    fn few_files_are_shared_and_many_leave_what_the_rest_needs() {
        assert_eq!(connections(128), 64);
        assert_eq!(connections(1024), 512);
        assert_eq!(connections(2048), 2048 - 512);
        assert_eq!(connections(wanted()), CONNECTIONS_MAX);
        assert_eq!(connections(u64::MAX), CONNECTIONS_MAX);
    }
}
