//! PostgreSQL servers that tests and the benchmark start, use and throw away. It must never be a
//! dependency of the product, and never skip: a machine without PostgreSQL fails, saying what to
//! install.
//!
//! [`Cluster::shared`] is for tests that only need a database: all test processes of a run share
//! one server. [`Cluster::private`] is for tests that stop servers, kill them, or restore backups.
//! Both are gone after the last process that used them, however that ended.
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "every crate that uses this is a test, and a test says what went wrong by panicking"
)]

mod backup;
mod cluster;
mod database;
mod home;
mod options;
mod patience;
mod port;
mod programs;
pub mod proxy;
mod server;
mod shared;
mod standby;
mod system_user;

pub use backup::BaseBackup;
pub use cluster::Cluster;
pub use database::TestDatabase;
pub use options::ClusterOptions;
pub use programs::folder as programs_folder;
pub use system_user::SystemUser;

/// The superuser of every cluster. It needs no password.
pub const USER: &str = "manilla";
