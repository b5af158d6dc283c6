//! What the program's connections to its database were left doing. It must look at once: a server
//! ends after seconds what was left in the middle of something, and says so only in its log.

use crate::folder::GatewayFolder;
use postgres_cluster::Cluster;

/// Connections that are in a transaction and have done nothing in it for longer than anything of
/// ours takes between two statements.
const LEFT: &str = "
    SELECT pid, state, now() - state_change, query FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'
        AND state_change < now() - interval '500 ms'";

/// What the server notes when it has ended one.
const ENDED: &str = "idle-in-transaction timeout";

/// Demands that no connection is left in a transaction, nor ever was, where there are any.
///
/// # Panics
/// When there is one.
pub fn none_is_left_in_a_transaction(folder: &GatewayFolder) {
    let left = left_in_a_transaction(folder);
    assert!(left.is_empty(), "left in a transaction: {left:#?}");
}

/// The connections that are left in a transaction, and what the server noted of those it ended.
#[must_use]
pub fn left_in_a_transaction(folder: &GatewayFolder) -> Vec<String> {
    let Some(database) = folder.database() else {
        return Vec::new();
    };
    let (now, log) = (database.psql(LEFT), Cluster::shared().log());
    let of_ours = |line: &&str| line.contains(database.name()) && line.contains(ENDED);
    let before = log.lines().filter(of_ours);
    now.lines().chain(before).map(ToOwned::to_owned).collect()
}
