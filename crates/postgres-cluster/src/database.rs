//! A database of one test. It must not be shared by two tests, nor outlive its own.

use crate::home::word;
use crate::server::ClusterServer;

/// A database, empty at first. It is removed on drop, and open connections are closed.
#[derive(Debug)]
pub struct TestDatabase {
    server: ClusterServer,
    name: String,
}

impl TestDatabase {
    pub(crate) fn create(server: &ClusterServer) -> Self {
        let name = format!("test_{}", word());
        let database = Self {
            server: server.clone(),
            name,
        };
        // The empty template is small, so writing its pages to the log is cheaper than copying its
        // files, which takes two checkpoints.
        database.manage(&format!(
            "CREATE DATABASE {} TEMPLATE template0 STRATEGY wal_log;",
            database.name
        ));
        database
    }

    /// Creates another with the same content. This one must have no open connection.
    #[must_use]
    pub fn copy(&self) -> Self {
        let copy = Self {
            server: self.server.clone(),
            name: format!("test_{}", word()),
        };
        copy.manage(&format!(
            "CREATE DATABASE {} TEMPLATE {} STRATEGY wal_log;",
            copy.name, self.name
        ));
        copy
    }

    /// The database of the same name on another server.
    pub(crate) fn at(&self, server: &ClusterServer) -> Self {
        Self {
            server: server.clone(),
            name: self.name.clone(),
        }
    }

    /// Its name, which needs no quotes.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How a client connects to it.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url(&self.name)
    }

    /// Runs SQL in it, as [`Cluster::psql`](crate::Cluster::psql) does.
    ///
    /// # Panics
    /// With the message of the first statement that fails.
    pub fn psql(&self, sql: &str) -> String {
        self.server.psql(&self.name, sql)
    }

    /// Runs SQL in it that may fail: what it prints, or what the server says against it.
    pub fn try_psql(&self, sql: &str) -> Result<String, String> {
        self.server.try_psql(&self.name, sql)
    }

    fn manage(&self, sql: &str) {
        let _ = self.server.psql("postgres", sql);
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // It may have gone with its server.
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE);", self.name);
        let _ = self.server.try_psql("postgres", &drop);
    }
}
