//! What tests are made of: contract suites, the reference store, a manual clock, seeded ids,
//! builders and strategies. It must never be a dependency of anything but tests: its helpers panic
//! to fail.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "test code says what went wrong by panicking; clippy takes only #[test] for a test"
)]

pub mod attempt;
pub mod builders;
pub mod catalogue;
pub mod clock;
pub mod contract;
pub mod faults;
pub mod forgeries;
pub mod geolocation;
pub mod http_server;
pub mod ids;
pub mod journal;
pub mod matrix;
pub mod memory;
pub mod model;
pub mod pdu_proxy;
pub mod peers;
pub mod permit;
pub mod provider;
pub mod strategies;
pub mod targets;
pub mod wire_proxy;
