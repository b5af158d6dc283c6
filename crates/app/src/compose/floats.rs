//! The workers of our money at providers: one reads balances, the other leases tranches. Neither
//! must hold a payment up.

use application::Gateway;
use application::float_reserve::TrancheKeeper;
use application::float_watch::FloatWatch;
use domain::float_reserve::TrancheHolder;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::store_ports::Ports;
use crate::entropy;

/// The workers of a server.
#[derive(Debug)]
pub(crate) struct FloatWorkers {
    watch: FloatWatch,
    tranches: TrancheKeeper,
}

impl FloatWorkers {
    pub(super) fn new(gateway: &Gateway, ports: Ports) -> anyhow::Result<Self> {
        // No other process is this holder.
        let holder = TrancheHolder(i64::from_le_bytes(entropy::bytes()?));
        Ok(Self {
            watch: FloatWatch::new(gateway, ports.readings),
            tranches: TrancheKeeper::new(gateway, ports.tranches, holder),
        })
    }

    /// Leases the first tranches: without them nothing is sold of what is reserved.
    pub(crate) async fn prepare(&mut self) {
        self.tranches.look().await;
    }

    /// Runs them until they are stopped.
    pub(crate) fn start(self, tasks: &TaskTracker, stop: &CancellationToken) {
        tasks.spawn(self.watch.run(stop.clone()));
        tasks.spawn(self.tranches.run(stop.clone()));
    }
}
