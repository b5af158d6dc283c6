//! The workers of our money at providers: one reads balances, the other leases tranches. Neither
//! must hold a payment up.

use application::Gateway;
use application::float_reserve::TrancheKeeper;
use std::sync::Arc;

use application::float_watch::FloatWatch;
use domain::float_reserve::TrancheHolder;
use ports::float_tranches::FloatTranches;
use tokio_util::sync::CancellationToken;

use super::store_ports::Ports;
use crate::commands::serve::BackgroundTasks;
use crate::entropy;

/// The workers of a server.
#[derive(Debug)]
pub(crate) struct FloatWorkers {
    watch: FloatWatch,
    keeper: TrancheKeeper,
    leased: LeasedTranches,
}

/// The tranches of a server, to be released once it sells no more.
#[derive(Debug)]
pub(crate) struct LeasedTranches {
    tranches: Arc<dyn FloatTranches>,
    holder: TrancheHolder,
}

impl LeasedTranches {
    /// Leaves what was not sold to others. Where that fails, they have it when the leases end.
    pub(crate) async fn release(&self) {
        if let Err(error) = self.tranches.release(self.holder).await {
            tracing::warn!(%error, "tranches of the money at providers were not released");
        }
    }
}

impl FloatWorkers {
    pub(super) fn new(gateway: &Gateway, ports: Ports) -> anyhow::Result<Self> {
        // No other process is this holder.
        let holder = TrancheHolder(i64::from_le_bytes(entropy::bytes()?));
        Ok(Self {
            watch: FloatWatch::new(gateway, ports.readings),
            keeper: TrancheKeeper::new(gateway, Arc::clone(&ports.tranches), holder),
            leased: LeasedTranches {
                tranches: ports.tranches,
                holder,
            },
        })
    }

    /// Leases the first tranches: without them nothing is sold of what is reserved.
    pub(crate) async fn prepare(&mut self) {
        self.keeper.look().await;
    }

    /// Runs them until they are stopped.
    pub(crate) fn start(self, tasks: &BackgroundTasks, stop: &CancellationToken) -> LeasedTranches {
        tasks.spawn(
            "reading of balances at providers",
            self.watch.run(stop.clone()),
        );
        tasks.spawn(
            "leases of money at providers",
            self.keeper.run(stop.clone()),
        );
        self.leased
    }
}
