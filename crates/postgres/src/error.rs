//! Failures of the database as failures of a port, and what each says about a batch. What a
//! constraint says must stay readable in them.

use ports::{PortError, PortErrorKind};
use sqlx::error::DatabaseError;
use std::fmt;
use storage_sql::group_commit::CommitError;

/// The part named in errors of this crate.
pub(crate) const PART: &str = "postgres";

/// What an error says about the work it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Another writer's commit came in between; the same again may pass.
    Conflict,
    /// A row broke a rule of the schema.
    Constraint,
    /// The connection is gone, or the server is going.
    Lost,
    /// Anything else.
    Other,
}

/// Two rows under one unique key: the other one was written after the read.
const UNIQUE_VIOLATION: &str = "23505";

/// Serialisation failure and deadlock.
const OUTRUN: [&str; 2] = ["40001", "40P01"];

/// The role may not do it.
const INSUFFICIENT_PRIVILEGE: &str = "42501";

/// The class of broken constraints.
const CONSTRAINT_CLASS: &str = "23";

/// The classes of lost connections, of a server that is stopped or starting, of one that is full,
/// and the states of one that cannot write any more and of a lock that was not granted in time: a
/// holder of that length is stuck, and to wait once more for each part of a batch would take
/// minutes.
const GONE: [&str; 5] = ["08", "57", "53", "25006", "55P03"];

pub(crate) fn cause(error: &sqlx::Error) -> Cause {
    let lost = matches!(
        error,
        sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
    );
    match error.as_database_error() {
        Some(error) => state(error),
        None if lost => Cause::Lost,
        None => Cause::Other,
    }
}

/// A lock was not had in time.
const LOCK_NOT_AVAILABLE: &str = "55P03";

fn state(error: &dyn DatabaseError) -> Cause {
    let code = error.code().unwrap_or_default();
    if code == UNIQUE_VIOLATION || OUTRUN.contains(&code.as_ref()) {
        Cause::Conflict
    } else if code.starts_with(CONSTRAINT_CLASS) {
        Cause::Constraint
    } else if GONE.iter().any(|class| code.starts_with(class)) {
        Cause::Lost
    } else {
        Cause::Other
    }
}

fn is_forbidden(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| code == INSUFFICIENT_PRIVILEGE)
}

/// Names what was being done when the database failed.
pub(crate) fn failed(what: impl fmt::Display) -> impl FnOnce(sqlx::Error) -> PortError {
    move |error| match cause(&error) {
        Cause::Other if is_forbidden(&error) => PortError::caused(
            PART,
            format!(
                "{what}: this role of the database may not; log in as the role of operators, which \
                 `manilla migrate --grant-to-operators` makes one"
            ),
            error,
        ),
        Cause::Lost => unreachable(what, error),
        Cause::Constraint => {
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        }
        Cause::Conflict | Cause::Other => PortError::caused(PART, what, error),
    }
}

/// The database cannot be reached: a later request may be served.
pub(crate) fn unreachable(
    what: impl fmt::Display,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> PortError {
    PortError::caused(PART, what, error).with_trouble(PortErrorKind::Unreachable)
}

/// A failure before the commit of a batch: nothing of it is stored, whatever it was.
pub(crate) fn refused(what: impl fmt::Display) -> impl FnOnce(sqlx::Error) -> CommitError {
    move |error| {
        let cause = cause(&error);
        let error = failed(what)(error);
        match cause {
            Cause::Conflict => CommitError::Conflict(error),
            Cause::Constraint | Cause::Lost | Cause::Other => CommitError::Refused(error),
        }
    }
}

/// Whether the database ended this because of another transaction: it may be tried again.
pub(crate) fn was_outrun(error: &PortError) -> bool {
    driver_error(error).is_some_and(|error| matches!(cause(error), Cause::Conflict))
}

/// Whether a transaction lost to another one, and would be done where it is tried again.
pub(crate) fn was_deadlocked(error: &PortError) -> bool {
    has_code(error, &OUTRUN)
}

/// Whether another transaction kept a lock for longer than was waited.
pub(crate) fn was_locked_out(error: &PortError) -> bool {
    has_code(error, &[LOCK_NOT_AVAILABLE])
}

fn has_code(error: &PortError, codes: &[&str]) -> bool {
    let error = driver_error(error).and_then(sqlx::Error::as_database_error);
    let code = error.and_then(DatabaseError::code);
    code.is_some_and(|code| codes.contains(&code.as_ref()))
}

/// The error of the driver that led to this one.
fn driver_error(error: &PortError) -> Option<&sqlx::Error> {
    let causes = std::iter::successors(std::error::Error::source(error), |it| it.source());
    causes.into_iter().find_map(|it| it.downcast_ref())
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
