//! Whether the triggers that keep rows from being changed are there as they were made. It must
//! compare with what was migrated, not with a second copy.

use crate::error::failed;
use ports::PortError;
use sqlx::sqlite::SqliteConnection;
use std::collections::{BTreeMap, HashMap};

/// Every migration that makes triggers, in order: one of a name that was made before takes its
/// place.
const MIGRATIONS: [&str; 25] = [
    include_str!("../../migrations/0001_baseline.sql"),
    include_str!("../../migrations/0002_provider_of_attempts.sql"),
    include_str!("../../migrations/0004_catalogue_versions.sql"),
    include_str!("../../migrations/0005_costs_and_prefundings.sql"),
    include_str!("../../migrations/0006_environments.sql"),
    include_str!("../../migrations/0010_queue.sql"),
    include_str!("../../migrations/0011_batches.sql"),
    include_str!("../../migrations/0015_user_transfers.sql"),
    include_str!("../../migrations/0017_access_keys.sql"),
    include_str!("../../migrations/0018_limits_and_approvals.sql"),
    include_str!("../../migrations/0019_top_ups.sql"),
    include_str!("../../migrations/0020_refunds.sql"),
    include_str!("../../migrations/0021_vouchers.sql"),
    include_str!("../../migrations/0022_collections.sql"),
    include_str!("../../migrations/0023_subscriptions.sql"),
    include_str!("../../migrations/0024_checkouts.sql"),
    include_str!("../../migrations/0025_invoices.sql"),
    include_str!("../../migrations/0026_security.sql"),
    include_str!("../../migrations/0027_allowlists.sql"),
    include_str!("../../migrations/0028_account_changes.sql"),
    include_str!("../../migrations/0029_bookings.sql"),
    include_str!("../../migrations/0030_request_log_and_change_numbers.sql"),
    include_str!("../../migrations/0031_change_requests.sql"),
    include_str!("../../migrations/0033_incoming_messages.sql"),
    include_str!("../../migrations/0034_secret_proofs.sql"),
];

const TRIGGERS: &str = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'";

/// The triggers that are missing, changed or not ours, one line each.
pub(super) async fn altered(snapshot: &mut SqliteConnection) -> Result<Vec<String>, PortError> {
    let present: Vec<(String, String)> = sqlx::query_as(TRIGGERS)
        .fetch_all(snapshot)
        .await
        .map_err(failed("read the triggers"))?;
    let mut present: HashMap<_, _> = present.into_iter().collect();
    let mut altered = Vec::new();
    for (name, made) in made() {
        match present.remove(name) {
            None => altered.push(format!("trigger {name} is missing")),
            Some(sql) if sql != made => altered.push(format!("trigger {name} was changed: {sql}")),
            Some(_) => {}
        }
    }
    let mut foreign: Vec<_> = present.into_keys().collect();
    foreign.sort();
    altered.extend(
        foreign
            .iter()
            .map(|name| format!("trigger {name} is not ours")),
    );
    Ok(altered)
}

/// Name and text of every trigger there must be.
fn made() -> BTreeMap<&'static str, &'static str> {
    MIGRATIONS.into_iter().flat_map(triggers).collect()
}

/// Name and text of the triggers a migration makes, as `SQLite` keeps them: without the semicolon
/// that ends the statement.
fn triggers(migration: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    const BEGINNING: &str = "CREATE TRIGGER ";
    const END: &str = "\nEND";
    migration.match_indices(BEGINNING).filter_map(|(start, _)| {
        let rest = migration.get(start..)?;
        let end = rest.find(END)?.checked_add(END.len())?;
        let text = rest.get(..end)?;
        let name = text.strip_prefix(BEGINNING)?.split_whitespace().next()?;
        Some((name, text))
    })
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, made, triggers};

    #[test]
    fn every_trigger_of_the_migration_is_known_to_the_audit() {
        let found = MIGRATIONS.into_iter().flat_map(triggers).count();
        let written = MIGRATIONS.concat().matches("CREATE TRIGGER").count();
        assert_eq!(found, written);
        let made = made();
        for table in ["transfers", "events", "fundings"] {
            for change in ["update", "delete"] {
                assert!(
                    made.contains_key(format!("{table}_no_{change}").as_str()),
                    "{table} {change}"
                );
            }
        }
    }
}
