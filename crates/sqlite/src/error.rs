//! Failures of the database as failures of a port. What a constraint says must stay readable in
//! them.

use ports::{PortError, PortErrorKind};
use std::fmt;
use storage_sql::group_commit::CommitError;

/// The part named in errors of this crate.
pub(crate) const PART: &str = "sqlite";

/// Names what was being done when the database failed.
pub(crate) fn failed(what: impl fmt::Display) -> impl FnOnce(sqlx::Error) -> PortError {
    move |error| PortError::caused(PART, what, error)
}

/// A failure before a commit. A broken constraint is the fault of a row in the batch; anything else
/// is the store's.
pub(crate) fn refused(what: impl fmt::Display) -> impl FnOnce(sqlx::Error) -> CommitError {
    move |error| {
        let constraint = breaks_constraint(&error);
        let error = PortError::caused(PART, what, error);
        if constraint {
            CommitError::Refused(error.with_trouble(PortErrorKind::Record))
        } else {
            CommitError::Unknown(error)
        }
    }
}

/// `SQLITE_CONSTRAINT`, the primary code below every extended one.
const CONSTRAINT: u32 = 19;

/// How many low bits of an extended result code are the primary one.
const PRIMARY_MASK: u32 = 0xff;

fn breaks_constraint(error: &sqlx::Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & PRIMARY_MASK == CONSTRAINT)
}

/// Compares how many rows a statement wrote with how many it had to.
pub(crate) fn wrote(rows: u64, wanted: usize, what: &str) -> Result<(), PortError> {
    if u64::try_from(wanted) == Ok(rows) {
        return Ok(());
    }
    Err(PortError::new(
        PART,
        format!("{what}: wrote {rows} rows instead of {wanted}"),
    ))
}
