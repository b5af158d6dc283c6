//! What became of a commit whose answer was lost. The database itself must say so; silence is no
//! answer.

use super::Shared;
use crate::error::{failed, unreachable};
use ports::PortError;
use sqlx::postgres::PgConnection;
use std::time::Duration;

/// How long the database is asked: longer than a restart of it takes, shorter than a merchant
/// waits.
const ASKED_FOR: Duration = Duration::from_secs(10);

/// The pause between two questions.
const PAUSE: Duration = Duration::from_millis(100);

/// Known where the transaction's number is not too old for the server to remember.
const STATUS: &str = "SELECT pg_xact_status($1::text::xid8)";

/// What became of it, with the connection that said so.
pub(super) enum Fate {
    Committed(PgConnection),
    Aborted(PgConnection),
    /// Nobody could say.
    Unknown(PortError),
}

/// What an answer means.
enum Said {
    Committed,
    Aborted,
    /// The old connection still works on it, as far as the server knows.
    UnderWay,
    Forgotten,
}

/// Asks on new connections until the database answers or time is up.
pub(super) async fn of(shared: &Shared, transaction: &str) -> Fate {
    let asked = tokio::time::timeout(ASKED_FOR, until_known(shared, transaction)).await;
    let fate = asked.unwrap_or_else(|elapsed| {
        Fate::Unknown(unreachable("ask what became of a commit", elapsed))
    });
    match &fate {
        Fate::Committed(_) => tracing::info!("the commit had been made"),
        Fate::Aborted(_) => tracing::info!("the commit had not been made"),
        Fate::Unknown(error) => tracing::error!(%error, "nobody knows what became of a commit"),
    }
    fate
}

async fn until_known(shared: &Shared, transaction: &str) -> Fate {
    loop {
        match ask(shared, transaction).await {
            Ok((Said::Committed, connection)) => return Fate::Committed(connection),
            Ok((Said::Aborted, connection)) => return Fate::Aborted(connection),
            Ok((Said::Forgotten, _)) => {
                return Fate::Unknown(PortError::new(
                    crate::error::PART,
                    "the database does not remember a commit whose answer was lost",
                ));
            }
            Ok((Said::UnderWay, _)) => {}
            Err(error) => tracing::debug!(%error, "a commit cannot be asked about yet"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn ask(shared: &Shared, transaction: &str) -> Result<(Said, PgConnection), PortError> {
    let mut connection = shared.connect().await?;
    // Other books than those that were written to know nothing of it.
    if shared.generation.is_held() {
        return Ok((Said::Forgotten, connection));
    }
    let status: Option<String> = sqlx::query_scalar(STATUS)
        .bind(transaction)
        .fetch_one(&mut connection)
        .await
        .map_err(failed("ask what became of a commit"))?;
    let said = match status.as_deref() {
        Some("committed") => Said::Committed,
        Some("aborted") => Said::Aborted,
        Some(_) => Said::UnderWay,
        None => Said::Forgotten,
    };
    Ok((said, connection))
}
