//! Whether a program may serve on a schema that a newer one made. A version of the schema that says
//! nothing about older programs must be served by none of them.

use ports::PortError;

use crate::PART;

/// How the line of a migration begins that says which programs may serve beside it.
const LINE: &str = "-- compatible since: ";

/// A version that a database has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVersion {
    pub version: i64,
    pub checksum: Vec<u8>,
    /// The least version that a program must know to serve on it; none where all must know it.
    pub compatible_since: Option<i64>,
}

/// What a migration says of programs that do not know it: the least version that a program must
/// know which serves beside it.
#[must_use]
pub fn compatible_since(sql: &str) -> Option<i64> {
    let said = sql.lines().find_map(|line| line.strip_prefix(LINE))?;
    said.trim().parse().ok()
}

/// Whether a program whose newest version is this one may serve on all that a database has. What it
/// knows itself is not judged here.
///
/// # Errors
/// When a version that the program does not know does not allow it, or lies below its newest.
pub fn check_later(newest: i64, stored: &[StoredVersion]) -> Result<(), PortError> {
    let is_served = |it: &&StoredVersion| {
        let allowed = it.compatible_since.is_some_and(|since| since <= newest);
        it.version > newest && allowed
    };
    let Some(refused) = stored.iter().find(|it| !is_served(it)) else {
        return Ok(());
    };
    let what = match refused.compatible_since {
        Some(since) => format!(
            "the schema is of version {}, made by a newer version of the gateway, and needs one \
             that knows version {since}; use that one",
            refused.version
        ),
        None => format!(
            "the schema is of version {}, made by a newer version of the gateway; use that one",
            refused.version
        ),
    };
    Err(PortError::new(PART, what))
}

#[cfg(test)]
mod tests {
    use super::{StoredVersion, check_later, compatible_since};

    fn later(version: i64, compatible_since: Option<i64>) -> StoredVersion {
        StoredVersion {
            version,
            checksum: Vec::new(),
            compatible_since,
        }
    }

    #[test]
    fn a_migration_says_since_when_programs_may_serve_beside_it() {
        let sql = "-- A column.\n-- compatible since: 38\nALTER TABLE accounts ADD COLUMN x text;";
        assert_eq!(compatible_since(sql), Some(38));
        for silent in ["-- compatible since: none\n", "-- A column.\n", "SELECT 38"] {
            assert_eq!(compatible_since(silent), None, "{silent}");
        }
    }

    #[test]
    fn only_what_allows_a_program_is_served_by_it() {
        assert!(check_later(38, &[]).is_ok());
        assert!(check_later(38, &[later(39, Some(38)), later(40, Some(36))]).is_ok());
        for refused in [later(39, Some(39)), later(39, None), later(37, Some(1))] {
            let stored = [later(41, Some(38)), refused];
            let error = check_later(38, &stored).unwrap_err().to_string();
            assert!(error.contains("made by a newer version"), "{error}");
        }
    }
}
