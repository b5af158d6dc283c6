//! Where a gateway under measurement keeps its ledger, and how others write into it. It
//! must leave them as the gateway itself would: the audit runs afterwards.

use anyhow::{Context, Result};
use clap::ValueEnum;
use postgres_cluster::{Cluster, ClusterOptions, TestDatabase};
use rusqlite::Connection;
use std::fmt;
use std::path::PathBuf;

/// The kinds of store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchStore {
    Sqlite,
    Postgres,
}

impl fmt::Display for BenchStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        })
    }
}

/// What an operator of a machine of this size would set, and what the documents recommend.
const SETTINGS: [(&str, &str); 9] = [
    ("shared_buffers", "1GB"),
    ("max_connections", "200"),
    ("max_wal_size", "8GB"),
    ("min_wal_size", "4GB"),
    ("wal_buffers", "64MB"),
    ("checkpoint_timeout", "15min"),
    ("checkpoint_completion_target", "0.9"),
    ("effective_cache_size", "4GB"),
    ("random_page_cost", "1.1"),
];

/// What a server that has run for a while has ready: the segments of its log it will write next. A
/// new one makes each when it is needed, and every commit of the moment waits for its 16 MiB.
const LOG_OF_A_WHILE: &str = "
    DO $$ BEGIN
        FOR segment IN 1..250 LOOP
            PERFORM pg_logical_emit_message(false, 'manilla', 'next');
            PERFORM pg_switch_wal();
        END LOOP;
    END $$;
    CHECKPOINT;";

/// Starts a server as it would be set up to keep money: all that durability needs is on.
pub(crate) fn cluster() -> Cluster {
    let mut options = ClusterOptions::default();
    for (name, value) in SETTINGS {
        options = options.setting(name, value);
    }
    let cluster = Cluster::private(&options);
    // Not every build has it; it saves a good part of what follows a checkpoint.
    let lz4 = "SELECT count(*) FROM pg_settings
               WHERE name = 'wal_compression' AND 'lz4' = ANY (enumvals);";
    if cluster.psql("postgres", lz4) == "1" {
        let set = "ALTER SYSTEM SET wal_compression = 'lz4'; SELECT pg_reload_conf();";
        let _ = cluster.psql("postgres", set);
    }
    let _ = cluster.psql("postgres", LOG_OF_A_WHILE);
    cluster
}

/// The books of one gateway.
#[derive(Debug)]
pub(crate) enum BenchDatabase {
    /// The file in its data folder.
    File(PathBuf),
    Database(TestDatabase),
}

impl BenchDatabase {
    pub(crate) const fn store(&self) -> BenchStore {
        match self {
            Self::File(_) => BenchStore::Sqlite,
            Self::Database(_) => BenchStore::Postgres,
        }
    }

    /// Runs SQL that both stores understand, or that is this store's own, while no server runs.
    pub(crate) fn run(&self, sql: &str) -> Result<()> {
        match self {
            Self::File(file) => {
                let connection = Connection::open(file)?;
                // What is added here is right by construction, and is not read before the end.
                connection.execute_batch(
                    "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;
                     PRAGMA cache_size = -1000000;",
                )?;
                connection.execute_batch(sql)?;
                connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
                Ok(())
            }
            Self::Database(database) => {
                let ran = database.try_psql(sql).map_err(anyhow::Error::msg);
                ran.map(drop).context("the database refused it")
            }
        }
    }
}
