//! What is looked at when an operator's tool asks. It must name no store and no operating system.

use application::Gateway;
use application::operators::change_requests::ChangeRequests;
use domain::time::Timestamp;
use ports::backlog::Backlog;
use ports::balance_readings::BalanceReadings;
use ports::changes::ProviderChanges;
use ports::reconciliation::Reconciliation;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// How long the store may take to answer one question: a scrape is given up after ten seconds.
pub(crate) const STORE_WITHIN: Duration = Duration::from_secs(2);

/// What the machine and the process say of themselves.
pub trait HostFacts: Debug + Send + Sync {
    /// Bytes that are free where the data folder is; none where that cannot be found out.
    fn free_bytes(&self) -> Option<u64>;

    /// Why nothing can be written where the data folder is; none where something was.
    fn write_failure(&self) -> Option<String>;

    /// When the certificate that is shown ends; none where it cannot be read.
    fn certificate_ends_at(&self) -> Option<Timestamp>;

    /// Lines of the log that were dropped since the start.
    fn dropped_log_lines(&self) -> u64;

    /// Bytes of memory that the process occupies; none where that cannot be found out.
    fn resident_bytes(&self) -> Option<u64>;

    /// Open files of the process; none where that cannot be found out.
    fn open_files(&self) -> Option<u64>;

    /// Files that the process may have open; none where that cannot be found out.
    fn open_files_max(&self) -> Option<u64>;
}

/// What is watched.
#[derive(Debug, Clone)]
pub struct WatchedGateway {
    /// The gateway.
    pub gateway: Gateway,
    /// What waits in its store.
    pub backlog: Arc<dyn Backlog>,
    /// Changes of providers that could not be applied.
    pub changes: Arc<dyn ProviderChanges>,
    /// Whether payments are suspended.
    pub reconciliation: Arc<dyn Reconciliation>,
    /// Balances at providers.
    pub readings: Arc<dyn BalanceReadings>,
    /// What operators ask other operators to grant.
    pub change_requests: ChangeRequests,
    /// The machine.
    pub host: Arc<dyn HostFacts>,
}
