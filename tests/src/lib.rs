//! What the end-to-end suites share: the real program as a process of its own, clients that speak
//! to it over HTTPS, and readers of what it and the simulator wrote down. Nothing here may reach
//! into the running program: a suite knows what a merchant and an operator can know.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "every crate that uses this is a test, and a test says what went wrong by panicking"
)]

pub mod account;
pub mod answer;
mod beforehand;
pub mod bookings;
pub mod bulk;
pub mod connections;
pub mod document;
pub mod fleet;
pub mod flows;
pub mod folder;
pub mod http_line;
pub mod load;
pub mod merchant;
pub mod monitored;
pub mod movements;
pub mod operators;
pub mod orders;
pub mod patience;
pub mod process;
pub mod program;
pub mod provider_journal;
pub mod purchases;
mod quotes;
pub mod rng;
pub mod sandbox_process;
pub mod secret;
pub mod shape;
pub mod signing;
pub mod size;
mod store;
pub mod vouchers;

/// Servers of PostgreSQL, and lines to them that a suite can cut.
pub use postgres_cluster::{Cluster, ClusterOptions, TestDatabase, proxy};
