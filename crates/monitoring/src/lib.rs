//! What operators watch of a running gateway: metrics in the format of Prometheus, and whether it
//! is alive and ready, on a listener of its own. It must never change anything, and whatever asks
//! it, however often, must not slow a payment.

mod exposition;
mod instruments;
mod listener;
mod readiness;
mod state;
mod watched;

pub use exposition::Exposition;
pub use instruments::Instruments;
pub use listener::{ListenError, MonitoringListener};
pub use readiness::{CheckStatus, Readiness, ReadinessCheck, ReadinessReport, disk as disk_check};
pub use watched::{HostFacts, WatchedGateway};
