//! Authentication codes of rows, whichever the store is: when they are given, and which generation
//! of the key ring makes them.

use std::time::Duration;

use anyhow::Context as _;
use domain::time::Timestamp;
use key_ring::KeyRing;
use storage_sql::row_macs::{AuthenticatedRows, RowsWithoutCode};
use tokio_util::sync::CancellationToken;

use super::storage::Storage;
use crate::secrets;

/// How old a generation of the key ring is before it makes authentication codes over a shared
/// database.
const CODES_AFTER: Duration = Duration::from_hours(1);

/// The generation that makes authentication codes over a shared database: the newest that is old
/// enough. Instances are restarted with a new one after another, and those that were not yet cannot
/// check its codes.
pub(super) fn spread_generation(ring: &KeyRing, now: Timestamp) -> Option<u32> {
    let long_ago = secrets::moment(now.minus(CODES_AFTER));
    // Both are moments in UTC as RFC 3339 writes them.
    let is_spread = |made_at: Option<&str>| made_at.is_none_or(|it| it <= long_ago.as_str());
    let oldest = ring.generations().next().map(|(number, _)| number);
    let spread = ring
        .generations()
        .filter(|(_, made_at)| is_spread(*made_at));
    spread.last().map(|(number, _)| number).or(oldest)
}

/// Has the newest generation make codes once every instance has had the time to be restarted with
/// it.
pub(super) async fn newest_generation_later(
    store: &postgres::PostgresStore,
    stop: &CancellationToken,
) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = tokio::time::sleep(CODES_AFTER) => store.make_codes_under(None),
    }
}

impl Storage {
    /// Gives the rows of a file that an older program wrote their authentication codes. A shared
    /// database is given them by a command, once no older instance runs.
    pub(super) async fn complete_codes(&self) -> anyhow::Result<()> {
        if let Self::Embedded(_) = self {
            let given = self.authenticate_rows(RowsWithoutCode::Earlier).await?;
            if given.transactions > 0 {
                tracing::info!(
                    transactions = given.transactions,
                    wallets = given.wallets,
                    "rows that an older program wrote have authentication codes now"
                );
            }
        }
        Ok(())
    }

    /// Gives rows their authentication codes.
    pub(crate) async fn authenticate_rows(
        &self,
        which: RowsWithoutCode,
    ) -> anyhow::Result<AuthenticatedRows> {
        let given = match self {
            Self::Embedded(store) => store.authenticate_rows(which).await,
            Self::Shared(store) => store.authenticate_rows(which).await,
        };
        let given = given.context("rows cannot be given their authentication codes")?;
        warn_of_unbalanced(&given);
        Ok(given)
    }
}

/// Logs which wallets were given no code.
pub(super) fn warn_of_unbalanced(given: &AuthenticatedRows) {
    for (account, currency) in &given.unbalanced {
        tracing::error!(
            account,
            currency,
            "a wallet is not what its transfers leave, so payments from it are refused; see what \
             `manilla audit` says"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::spread_generation;
    use crate::secrets::moment;
    use domain::time::Timestamp;
    use key_ring::KeyRing;

    const HOUR: i64 = 3_600_000;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_millis(1_790_000_000_000 + hours * HOUR)
    }

    #[test]
    fn the_newest_generation_that_instances_have_makes_codes() {
        let ring = KeyRing::generate([1; 32], &moment(at(0)));
        assert_eq!(
            spread_generation(&ring, at(0)),
            Some(1),
            "there is no other"
        );
        let ring = ring.rotated([2; 32], &moment(at(10))).unwrap();
        assert_eq!(spread_generation(&ring, at(10)), Some(1));
        assert_eq!(spread_generation(&ring, at(11)), Some(2));
        let ring = ring.rotated([3; 32], &moment(at(10))).unwrap();
        assert_eq!(spread_generation(&ring, at(10)), Some(1));
        assert_eq!(spread_generation(&ring, at(12)), Some(3));
        let undated = KeyRing::generate([1; 32], "").rotated([2; 32], "").unwrap();
        assert_eq!(spread_generation(&undated, at(0)), Some(2));
    }
}
