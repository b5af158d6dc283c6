//! How connections are set up. Every limit that ends a statement, a lock or an idle transaction
//! must be the server's: a client that is gone cannot enforce its own.

use crate::error::{PART, failed};
use ports::PortError;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions, PgSslMode};
use sqlx::{ConnectOptions, Connection};
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

/// How long establishing a connection may take; requests that wait for it are answered 503
/// afterwards.
pub(crate) const CONNECT_WITHIN: Duration = Duration::from_secs(2);

/// The longest an answer is waited for: longer than the server lets a statement run, so this ends a
/// wait for a server that is not there any more.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(12);

/// How long a connection that is given back to a pool may take to show that it works.
const PROVEN_WITHIN: Duration = Duration::from_secs(2);

/// How long a read waits for a connection of the pool before it is refused.
const ACQUIRE_WITHIN: Duration = Duration::from_secs(2);

/// The longest a statement of ours may run. Batches take milliseconds; what takes this long waits
/// for something that will not come.
const STATEMENT_WITHIN: &str = "10s";

/// The longest wait for a row that another instance has locked: many times a batch of its.
const LOCK_WITHIN: &str = "4s";

/// The longest a step may leave its transaction idle. Nothing of ours waits for anything between
/// two statements, so this is a client that has gone.
const IDLE_WITHIN: &str = "5s";

/// When the server asks a silent client whether it is there, and how often, in seconds: a machine
/// that vanished frees its locks within half a minute.
const KEEPALIVE_S: [&str; 3] = ["10", "5", "4"];

/// Different statements this crate has, with room to spare: each is prepared once per connection.
const STATEMENTS: usize = 64;

/// How long a connection of the pool may go unused before it is closed.
const UNUSED_FOR: Duration = Duration::from_mins(5);

fn parsed(url: &str) -> Result<PgConnectOptions, PortError> {
    PgConnectOptions::from_str(url).map_err(|error| {
        PortError::caused(
            PART,
            "the address of the database must read postgres://USER:PASSWORD@HOST:PORT/NAME",
            error,
        )
    })
}

/// Refuses an address that leads to another machine without making sure which one answers. A
/// connection to this machine needs no certificate.
///
/// # Errors
/// When the server would not be verified; the error says what to do.
pub fn is_verified(url: &str) -> Result<(), PortError> {
    let options = parsed(url)?;
    let host = options.get_host();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_local = options.get_socket().is_some()
        || host.starts_with('/')
        || host == "localhost"
        || address.is_ok_and(|address| address.to_canonical().is_loopback());
    if is_local || matches!(options.get_ssl_mode(), PgSslMode::VerifyFull) {
        return Ok(());
    }
    let what = format!(
        "the database at {host} is on another machine and its certificate would not be verified: \
         add ?sslmode=verify-full to its address, and &sslrootcert=FILE where an authority of your \
         own signed it; or set database.verify_server to false where the network between is trusted"
    );
    Err(PortError::new(PART, what))
}

/// Where the database is and how it is spoken to.
pub(crate) fn options(url: &str) -> Result<PgConnectOptions, PortError> {
    let options = parsed(url)?;
    let [idle, interval, count] = KEEPALIVE_S;
    // What is asked is known beforehand and found by keys: plans are made once, and never for
    // tables that were empty when they were made.
    Ok(options
        .application_name("manilla")
        .statement_cache_capacity(STATEMENTS)
        .options([
            ("statement_timeout", STATEMENT_WITHIN),
            ("lock_timeout", LOCK_WITHIN),
            ("idle_in_transaction_session_timeout", IDLE_WITHIN),
            ("tcp_keepalives_idle", idle),
            ("tcp_keepalives_interval", interval),
            ("tcp_keepalives_count", count),
            ("default_transaction_isolation", "read committed"),
            ("plan_cache_mode", "force_generic_plan"),
            ("enable_seqscan", "off"),
            ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"),
            ("jit", "off"),
        ])
        .disable_statement_logging())
}

/// One connection, or an error within [`CONNECT_WITHIN`].
pub(crate) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, PortError> {
    match tokio::time::timeout(CONNECT_WITHIN, options.connect()).await {
        Ok(connected) => connected.map_err(failed(cannot_reach(options))),
        Err(elapsed) => Err(crate::error::unreachable(cannot_reach(options), elapsed)),
    }
}

fn cannot_reach(options: &PgConnectOptions) -> String {
    format!(
        "the database {} at {}:{} cannot be reached; see that it runs and that --database or \
         MANILLA_DATABASE names it",
        options.get_database().unwrap_or_default(),
        options.get_host(),
        options.get_port()
    )
}

/// The options of a connection that only reads.
pub(crate) fn reading(options: &PgConnectOptions) -> PgConnectOptions {
    options
        .clone()
        .options([("default_transaction_read_only", "on")])
}

/// Connections that only read, one statement each.
pub(crate) fn readers(options: &PgConnectOptions, count: u32) -> PgPool {
    pool(count).connect_lazy_with(reading(options))
}

/// Connections for single statements that write but move no money.
pub(crate) fn steps(options: &PgConnectOptions, count: u32) -> PgPool {
    pool(count).connect_lazy_with(options.clone())
}

/// No statement of a pool begins a transaction, so none can be left in one; what is in the middle
/// of something when it is given back is tested then, and closed if it does not answer: it would
/// keep its place in the pool for as long as the network is silent.
fn pool(count: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(count)
        .acquire_timeout(ACQUIRE_WITHIN)
        .after_release(|connection, _| {
            Box::pin(async {
                let proven = tokio::time::timeout(PROVEN_WITHIN, connection.ping()).await;
                proven.unwrap_or_else(silent).map(|()| true)
            })
        })
        .idle_timeout(UNUSED_FOR)
        .max_lifetime(None)
}

/// The answer to one statement of a pool.
pub(crate) trait StatementAnswer<T>:
    Future<Output = Result<T, sqlx::Error>> + Send + Sized
{
    /// Waits for it, but not for ever.
    fn in_time(self) -> impl Future<Output = Self::Output> + Send {
        async {
            let answer = tokio::time::timeout(ANSWER_WITHIN, self).await;
            answer.unwrap_or_else(silent)
        }
    }
}

impl<T, F: Future<Output = Result<T, sqlx::Error>> + Send> StatementAnswer<T> for F {}

/// A server that does not answer, as the error of a connection that broke.
fn silent<T>(elapsed: tokio::time::error::Elapsed) -> Result<T, sqlx::Error> {
    Err(sqlx::Error::Io(elapsed.into()))
}

/// Ends a connection in order; one that is gone already is none to worry about.
pub(crate) async fn close(connection: PgConnection) {
    if let Err(error) = connection.close().await {
        tracing::debug!(%error, "a connection did not close in order");
    }
}

/// What time the database says it is, in microseconds.
pub(crate) async fn database_time(
    connection: &mut sqlx::postgres::PgConnection,
) -> Result<i64, PortError> {
    sqlx::query_scalar("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        .fetch_one(connection)
        .await
        .map_err(failed("ask the database for the time"))
}

#[cfg(test)]
mod tests {
    use super::is_verified;

    #[test]
    fn a_database_on_another_machine_is_verified_or_refused_with_the_remedy() {
        for local in [
            "postgres://m@localhost/books",
            "postgres://m@127.0.0.1:5433/books",
            "postgres://m@127.8.9.1/books?sslmode=disable",
            "postgres://m@[::1]/books",
            "postgres:///books?host=/var/run/postgresql",
            "postgres://m@%2Fvar%2Frun%2Fpostgresql/books",
        ] {
            assert!(is_verified(local).is_ok(), "{local}");
        }
        for remote in [
            "db.example",
            "10.0.0.7",
            "[2001:db8::7]",
            "localhost.example",
        ] {
            for mode in [
                "",
                "?sslmode=disable",
                "?sslmode=prefer",
                "?sslmode=require",
                "?sslmode=verify-ca",
            ] {
                let refused = is_verified(&format!("postgres://m:secret@{remote}/books{mode}"));
                let refused = refused.unwrap_err().to_string();
                assert!(refused.contains("?sslmode=verify-full"), "{refused}");
                assert!(refused.contains("database.verify_server"), "{refused}");
                assert!(!refused.contains("secret"), "{refused}");
            }
            let verified = format!("postgres://m@{remote}/books?sslmode=verify-full");
            assert!(is_verified(&verified).is_ok(), "{verified}");
        }
    }
}
