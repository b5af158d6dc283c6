//! What `SQLite` can do by itself: the same two steps of a payment as plain commits, one after the
//! other, with prepared statements and nothing in between. It must stay as fast as it can honestly
//! be made, for it is what the gateway is measured against.

use crate::figures::Measured;
use anyhow::Result;
use rusqlite::{Connection, TransactionBehavior, params};
use std::path::Path;
use std::time::{Duration, Instant};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE wallets (account TEXT PRIMARY KEY, available INTEGER CHECK (available >= 0),
        held INTEGER CHECK (held >= 0)) STRICT;
    CREATE TABLE transactions (number INTEGER PRIMARY KEY, account TEXT, reference TEXT,
        state TEXT, price INTEGER, record TEXT, version INTEGER, due_at INTEGER,
        UNIQUE (account, reference)) STRICT;
    CREATE INDEX due ON transactions (due_at) WHERE due_at IS NOT NULL;
    CREATE TABLE transfers (id INTEGER PRIMARY KEY, number INTEGER, kind TEXT, debit TEXT,
        credit TEXT, amount INTEGER CHECK (amount > 0), available_after INTEGER) STRICT;
    CREATE UNIQUE INDEX one_hold ON transfers (number) WHERE kind = 'hold';
    CREATE UNIQUE INDEX one_end ON transfers (number) WHERE kind IN ('capture', 'release');
    CREATE TABLE events (number INTEGER, sequence INTEGER, kind TEXT, at INTEGER,
        PRIMARY KEY (number, sequence)) STRICT;
    INSERT INTO wallets VALUES ('shop', 1000000000000, 0);
";

/// About as much as a transaction's order, quote and state take as text.
pub(crate) const RECORD_BYTES: usize = 700;

/// Payments with two commits each, on a fresh database in a folder.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(crate) fn payments(folder: &Path, time: Duration) -> Result<Measured> {
    let place = tempfile::tempdir_in(folder)?;
    let mut database = Connection::open(place.path().join("ceiling.db"))?;
    database.execute_batch(SCHEMA)?;
    database.set_prepared_statement_cache_capacity(32);
    let record = "x".repeat(RECORD_BYTES);
    let started = Instant::now();
    let mut latencies = Vec::new();
    for number in 1_i64.. {
        let begun = Instant::now();
        if begun > started + time {
            break;
        }
        open(&mut database, number, &record)?;
        settle(&mut database, number, &record)?;
        latencies.push(begun.elapsed());
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(Measured::of(latencies, 0, seconds))
}

fn open(database: &mut Connection, number: i64, record: &str) -> Result<()> {
    let step = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let wallet = "UPDATE wallets SET available = available - 9700, held = held + 9700
                  WHERE account = 'shop' AND available >= 9700 RETURNING available";
    let after: i64 = step
        .prepare_cached(wallet)?
        .query_row([], |row| row.get(0))?;
    step.prepare_cached(
        "INSERT INTO transactions VALUES (?1, 'shop', ?2, 'sending', 9700, ?3, 1, ?1)",
    )?
    .execute(params![number, format!("order-{number}"), record])?;
    step.prepare_cached(
        "INSERT INTO transfers (number, kind, debit, credit, amount, available_after)
         VALUES (?1, 'hold', 'available', 'held', 9700, ?2)",
    )?
    .execute(params![number, after])?;
    step.prepare_cached("INSERT INTO events VALUES (?1, 1, 'opened', ?1)")?
        .execute([number])?;
    Ok(step.commit()?)
}

fn settle(database: &mut Connection, number: i64, record: &str) -> Result<()> {
    let step = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    step.prepare_cached(
        "UPDATE transactions SET state = 'successful', record = ?2, version = 2, due_at = NULL
         WHERE number = ?1 AND version = 1",
    )?
    .execute(params![number, record])?;
    step.prepare_cached("UPDATE wallets SET held = held - 9700 WHERE account = 'shop'")?
        .execute([])?;
    step.prepare_cached(
        "INSERT INTO transfers (number, kind, debit, credit, amount)
         VALUES (?1, 'capture', 'held', 'float', 9700), (?1, 'margin', 'float', 'revenue', 100)",
    )?
    .execute([number])?;
    step.prepare_cached("INSERT INTO events VALUES (?1, 2, 'successful', ?1)")?
        .execute([number])?;
    Ok(step.commit()?)
}
