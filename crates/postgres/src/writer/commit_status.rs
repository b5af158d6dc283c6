//! What became of a commit whose answer was lost. The database itself must say so; silence is no
//! answer, and neither is the number of a transaction alone: a server that crashed gives the
//! numbers it had not yet written to its log to others.

use super::WriterShared;
use crate::error::{failed, unreachable};
use crate::rows::{integer, key};
use ports::PortError;
use sqlx::postgres::PgConnection;
use std::time::Duration;
use storage_sql::planner::BatchPlan;

/// How long the database is asked: longer than a restart of it takes, shorter than a merchant
/// waits.
const ASKED_FOR: Duration = Duration::from_secs(6);

/// The pause between two questions.
const PAUSE: Duration = Duration::from_millis(100);

/// Known where the transaction's number is not too old for the server to remember.
const STATUS: &str = "SELECT pg_xact_status($1::text::xid8)";

/// The answer of a server to a number that it never assigned, or not since it crashed.
const NEVER_GIVEN: &str = "22023";

/// Whether a row was written by the transaction with a number. Rows of these tables never change,
/// nor does a reference that is settled.
pub(crate) const WROTE_EVENT: &str = "
    SELECT EXISTS (
        SELECT 1 FROM events WHERE account = $2 AND transaction = $3 AND sequence = $4
            AND xmin = ($1::text::xid8)::xid
    )";
pub(crate) const WROTE_FUNDING: &str = "
    SELECT EXISTS (
        SELECT 1 FROM fundings WHERE account = $2 AND reference = $3
            AND xmin = ($1::text::xid8)::xid
    )";

pub(crate) const WROTE_SETTLEMENT: &str = "
    SELECT EXISTS (
        SELECT 1 FROM unsettled_references WHERE provider_reference = $2
            AND settled_at IS NOT NULL AND xmin = ($1::text::xid8)::xid
    )";

/// The same of a row that changes: the writers of earlier versions are not known.
pub(crate) const WROTE_VERSION: &str = "
    SELECT CASE
        WHEN version = $4 THEN xmin = ($1::text::xid8)::xid
        WHEN version < $4 THEN false
    END
    FROM transactions WHERE account = $2 AND number = $3";

/// The same of payments to collections.
pub(crate) const WROTE_COLLECTED: &str = "
    SELECT EXISTS (
        SELECT 1 FROM collected_payments WHERE source = $2 AND session = $3
            AND xmin = ($1::text::xid8)::xid
    )";

/// The same of codes that were made, and of one that moved on.
pub(crate) const WROTE_CODES: &str = "
    SELECT EXISTS (
        SELECT 1 FROM voucher_batches WHERE account = $2 AND number = $3
            AND xmin = ($1::text::xid8)::xid
    )";
pub(crate) const WROTE_CODE: &str = "
    SELECT CASE
        WHEN version = $5 THEN xmin = ($1::text::xid8)::xid
        WHEN version < $5 THEN false
    END
    FROM vouchers WHERE account = $2 AND batch = $3 AND position = $4";

/// What became of it, with the connection that said so.
pub(super) enum CommitStatus {
    Committed(PgConnection),
    Aborted(PgConnection),
    /// The status cannot be had.
    Unknown(PortError),
}

/// What an answer means.
enum StatusReply {
    Committed,
    Aborted,
    /// The old connection still works on it, as far as the server knows.
    UnderWay,
    Forgotten,
}

/// A batch whose commit was not answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lost<'a> {
    /// The number of the database's transaction.
    pub(super) transaction: &'a str,
    /// What it was to make durable, all or nothing.
    pub(super) plan: &'a BatchPlan<'a>,
}

/// Asks on new connections until the database answers or time is up.
pub(super) async fn of(shared: &WriterShared, lost: Lost<'_>) -> CommitStatus {
    let asked = tokio::time::timeout(ASKED_FOR, until_known(shared, lost)).await;
    let fate = asked.unwrap_or_else(|elapsed| {
        CommitStatus::Unknown(unreachable("ask what became of a commit", elapsed))
    });
    match &fate {
        CommitStatus::Committed(_) => tracing::info!("the commit had been made"),
        CommitStatus::Aborted(_) => tracing::info!("the commit had not been made"),
        CommitStatus::Unknown(error) => {
            tracing::error!(%error, "commit outcome unknown");
        }
    }
    fate
}

async fn until_known(shared: &WriterShared, lost: Lost<'_>) -> CommitStatus {
    loop {
        match ask(shared, lost).await {
            Ok((StatusReply::Committed, connection)) => return CommitStatus::Committed(connection),
            Ok((StatusReply::Aborted, connection)) => return CommitStatus::Aborted(connection),
            Ok((StatusReply::Forgotten, _)) => {
                return CommitStatus::Unknown(PortError::new(
                    crate::error::PART,
                    "the database does not remember a commit whose answer was lost",
                ));
            }
            Ok((StatusReply::UnderWay, _)) => {}
            Err(error) => tracing::debug!(%error, "a commit cannot be asked about yet"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn ask(
    shared: &WriterShared,
    lost: Lost<'_>,
) -> Result<(StatusReply, PgConnection), PortError> {
    let mut connection = shared.connect().await?;
    // Other books than those that were written to know nothing of it.
    if shared.generation.is_suspended() {
        return Ok((StatusReply::Forgotten, connection));
    }
    let status: Result<Option<String>, _> = sqlx::query_scalar(STATUS)
        .bind(lost.transaction)
        .fetch_one(&mut connection)
        .await;
    let status = match status {
        Err(error) if is_of(&error, NEVER_GIVEN) => return Ok((StatusReply::Aborted, connection)),
        status => status.map_err(failed("ask what became of a commit"))?,
    };
    let said = match status.as_deref() {
        // Asked for by a statement of its own, which sees what was committed before it.
        Some("committed") => match wrote(&mut connection, lost).await? {
            Some(true) => StatusReply::Committed,
            // The number is another's now, so the server has crashed before it wrote ours.
            Some(false) => StatusReply::Aborted,
            None => StatusReply::Forgotten,
        },
        Some("aborted") => StatusReply::Aborted,
        Some(_) => StatusReply::UnderWay,
        None => StatusReply::Forgotten,
    };
    Ok((said, connection))
}

fn is_of(error: &sqlx::Error, state: &str) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == state)
}

/// Whether a row of the batch was written by the transaction that has its number; `None` where that
/// cannot be known any more.
async fn wrote(connection: &mut PgConnection, lost: Lost<'_>) -> Result<Option<bool>, PortError> {
    let plan = lost.plan;
    let asked = if let Some(first) = plan.events.first() {
        sqlx::query_scalar(WROTE_EVENT)
            .bind(lost.transaction)
            .bind(first.account.as_str())
            .bind(key(first.event.transaction))
            .bind(integer(first.event.sequence))
    } else if let Some((funding, _)) = plan.fundings.first() {
        sqlx::query_scalar(WROTE_FUNDING)
            .bind(lost.transaction)
            .bind(funding.account.as_str())
            .bind(funding.reference.as_str())
    } else if let Some(settlement) = plan.settlements.first() {
        sqlx::query_scalar(WROTE_SETTLEMENT)
            .bind(lost.transaction)
            .bind(settlement.reference().as_str())
    } else if let Some(movement) = plan.movements.first() {
        let tx = &movement.advance.transaction;
        sqlx::query_scalar(WROTE_VERSION)
            .bind(lost.transaction)
            .bind(tx.account.as_str())
            .bind(key(tx.number))
            .bind(integer(tx.version))
    } else if let Some(payment) = plan.collected.first() {
        sqlx::query_scalar(WROTE_COLLECTED)
            .bind(lost.transaction)
            .bind(payment.source.code())
            .bind(payment.session.as_str())
    } else if let Some(issue) = plan.vouchers.issues.first() {
        sqlx::query_scalar(WROTE_CODES)
            .bind(lost.transaction)
            .bind(issue.batch.account.as_str())
            .bind(key(issue.batch.number))
    } else if let Some(movement) = plan.vouchers.moved.first() {
        let voucher = &movement.voucher;
        sqlx::query_scalar(WROTE_CODE)
            .bind(lost.transaction)
            .bind(voucher.account.as_str())
            .bind(key(voucher.id.batch))
            .bind(integer(voucher.id.position))
            .bind(integer(voucher.version))
    } else {
        return Ok(None);
    };
    let wrote = asked.fetch_optional(connection).await;
    let wrote: Option<Option<bool>> = wrote.map_err(failed("look for what a commit wrote"))?;
    Ok(wrote.flatten())
}
