//! Whether the triggers that keep rows from being changed are there as they were made, and switched
//! on. It must compare with what was migrated, not with a second copy.

use crate::error::failed;
use ports::PortError;
use sqlx::postgres::PgConnection;
use std::collections::{BTreeMap, HashMap};

/// Every migration that makes triggers, in order: one of a name that was made before takes its
/// place.
const MIGRATIONS: [&str; 26] = [
    include_str!("../../migrations/0001_baseline.sql"),
    include_str!("../../migrations/0002_provider_of_attempts.sql"),
    include_str!("../../migrations/0005_catalogue_versions.sql"),
    include_str!("../../migrations/0006_costs_and_prefundings.sql"),
    include_str!("../../migrations/0007_environments.sql"),
    include_str!("../../migrations/0011_queue.sql"),
    include_str!("../../migrations/0012_batches.sql"),
    include_str!("../../migrations/0016_user_transfers.sql"),
    include_str!("../../migrations/0017_unclaimed_transfers.sql"),
    include_str!("../../migrations/0019_access_keys.sql"),
    include_str!("../../migrations/0020_limits_and_approvals.sql"),
    include_str!("../../migrations/0021_top_ups.sql"),
    include_str!("../../migrations/0022_refunds.sql"),
    include_str!("../../migrations/0023_vouchers.sql"),
    include_str!("../../migrations/0024_collections.sql"),
    include_str!("../../migrations/0025_subscriptions.sql"),
    include_str!("../../migrations/0026_checkouts.sql"),
    include_str!("../../migrations/0027_invoices.sql"),
    include_str!("../../migrations/0028_security.sql"),
    include_str!("../../migrations/0029_allowlists.sql"),
    include_str!("../../migrations/0030_account_changes.sql"),
    include_str!("../../migrations/0031_bookings.sql"),
    include_str!("../../migrations/0032_change_requests.sql"),
    include_str!("../../migrations/0033_request_log_and_change_numbers.sql"),
    include_str!("../../migrations/0036_incoming_messages.sql"),
    include_str!("../../migrations/0037_secret_proofs.sql"),
];

/// Triggers of ours, each with its definition and whether it is switched on.
const TRIGGERS: &str = "
    SELECT t.tgname::text, replace(pg_get_triggerdef(t.oid, true), ' ON public.', ' ON '),
        t.tgenabled = 'O'
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace";

/// What the triggers call.
const FUNCTION: &str = "
    SELECT p.prosrc FROM pg_proc AS p
    WHERE p.proname = 'refuse_change' AND p.pronamespace = 'public'::regnamespace";

/// The triggers that are missing, changed, switched off or not ours, one line each.
pub(super) async fn altered(snapshot: &mut PgConnection) -> Result<Vec<String>, PortError> {
    let present: Vec<(String, String, bool)> = sqlx::query_as(TRIGGERS)
        .fetch_all(&mut *snapshot)
        .await
        .map_err(failed("read the triggers"))?;
    let present = present.into_iter();
    let mut present: HashMap<_, _> = present.map(|(name, sql, on)| (name, (sql, on))).collect();
    let mut altered = Vec::new();
    for (name, made) in made() {
        match present.remove(&name) {
            None => altered.push(format!("trigger {name} is missing")),
            Some((sql, _)) if sql != made => {
                altered.push(format!("trigger {name} was changed: {sql}"));
            }
            Some((_, false)) => altered.push(format!("trigger {name} is switched off")),
            Some((_, true)) => {}
        }
    }
    let mut foreign: Vec<_> = present.into_keys().collect();
    foreign.sort();
    let foreign = foreign.iter();
    altered.extend(foreign.map(|name| format!("trigger {name} is not ours")));
    let body: Option<String> = sqlx::query_scalar(FUNCTION)
        .fetch_optional(snapshot)
        .await
        .map_err(failed("read what the triggers call"))?;
    if body.as_deref() != refusal() {
        altered.push("what the triggers call was changed".to_owned());
    }
    Ok(altered)
}

/// Name and text of every trigger there must be, written as the server writes them.
fn made() -> BTreeMap<String, String> {
    let statements = MIGRATIONS.into_iter().flat_map(|sql| sql.split(';'));
    let triggers = statements.filter_map(|statement| {
        let start = statement.find("CREATE TRIGGER ")?;
        let words: Vec<_> = statement.get(start..)?.split_whitespace().collect();
        Some(((*words.get(2)?).to_owned(), words.join(" ")))
    });
    triggers.collect()
}

/// The body of the function, between the two marks of its migration.
fn refusal() -> Option<&'static str> {
    let [migration, ..] = MIGRATIONS;
    migration.split("$$").nth(1)
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, made, refusal};

    #[test]
    fn every_trigger_of_the_migrations_is_known_to_the_audit() {
        let migrations = MIGRATIONS.concat();
        let count = |text| migrations.matches(text).count();
        let (written, replaced) = (count("CREATE TRIGGER"), count("DROP TRIGGER"));
        assert_eq!(made().len(), written - replaced);
        for table in ["transfers", "events", "fundings"] {
            let sql = &made()[&format!("{table}_append_only")];
            assert!(sql.contains("BEFORE DELETE OR UPDATE OR TRUNCATE"), "{sql}");
        }
        assert!(refusal().unwrap().contains("RAISE EXCEPTION"));
    }
}
