//! Whether a server is durable. A database that may lose confirmed commits must not store money,
//! whatever the reason for its configuration.

use crate::error::{PART, failed};
use ports::PortError;
use sqlx::postgres::PgConnection;

/// PostgreSQL 15.
const OLDEST: i32 = 150_000;

/// What must be said of a server, one row.
const ASK: &str = "
    SELECT current_setting('server_version_num')::integer, current_setting('server_version'),
        pg_is_in_recovery(), current_setting('fsync'), current_setting('full_page_writes'),
        current_setting('synchronous_commit'), current_setting('server_encoding')";

/// What a server says of itself.
type Facts = (i32, String, bool, String, String, String, String);

/// Refuses a server that cannot keep money.
pub(crate) async fn server(connection: &mut PgConnection) -> Result<(), PortError> {
    match rejection(connection).await? {
        None => Ok(()),
        Some(objection) => Err(PortError::new(PART, objection)),
    }
}

/// What speaks against keeping money in a server, and what to do about it.
pub(crate) async fn rejection(connection: &mut PgConnection) -> Result<Option<String>, PortError> {
    let facts: Facts = sqlx::query_as(ASK)
        .fetch_one(connection)
        .await
        .map_err(failed("ask the server how it keeps data"))?;
    Ok(rejection_reason(&facts))
}

/// What speaks against a server, and what to do about it.
fn rejection_reason(
    (number, version, standby, fsync, pages, commit, encoding): &Facts,
) -> Option<String> {
    if *number < OLDEST {
        return Some(format!(
            "PostgreSQL {version} is too old; use version 15 or later"
        ));
    }
    if *standby {
        return Some(
            "this server is a standby and cannot be written to; name the primary, or list all \
             servers behind one address that always leads to it"
                .to_owned(),
        );
    }
    let off = |setting: &str, loses: &str| {
        Some(format!(
            "{setting} is off: {loses}; set `{setting} = on` (ALTER SYSTEM SET {setting} = on; \
             SELECT pg_reload_conf();)"
        ))
    };
    if fsync == "off" {
        return off("fsync", "the server confirms what the disk does not have");
    }
    if pages == "off" {
        return off("full_page_writes", "a power cut can tear pages");
    }
    if commit == "off" {
        return off(
            "synchronous_commit",
            "a crash loses payments that were confirmed",
        );
    }
    if encoding != "UTF8" {
        return Some(format!(
            "the database is encoded in {encoding}; make one with ENCODING 'UTF8'"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Facts, rejection_reason};

    fn sound() -> Facts {
        let on = || "on".to_owned();
        (
            150_004,
            "15.4".into(),
            false,
            on(),
            on(),
            on(),
            "UTF8".into(),
        )
    }

    fn reported(change: impl FnOnce(&mut Facts)) -> String {
        let mut facts = sound();
        change(&mut facts);
        rejection_reason(&facts).unwrap_or_default()
    }

    #[test]
    fn a_sound_server_is_accepted_and_each_fault_is_named_with_its_remedy() {
        assert_eq!(reported(|_| {}), "");
        assert_eq!(reported(|facts| facts.5 = "remote_apply".into()), "");
        assert_eq!(reported(|facts| facts.5 = "local".into()), "");
        let off = || "off".to_owned();
        assert!(reported(|facts| facts.0 = 140_009).contains("15 or later"));
        assert!(reported(|facts| facts.2 = true).contains("name the primary"));
        assert!(reported(|facts| facts.3 = off()).contains("set `fsync = on`"));
        assert!(reported(|facts| facts.4 = off()).contains("set `full_page_writes = on`"));
        assert!(reported(|facts| facts.5 = off()).contains("set `synchronous_commit = on`"));
        assert!(reported(|facts| facts.6 = "LATIN1".into()).contains("ENCODING 'UTF8'"));
    }
}
