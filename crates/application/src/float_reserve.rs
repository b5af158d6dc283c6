//! Leases tranches of our money at providers for this instance, so that it sells no more than was
//! paid in. Payments never wait for it: what is not leased yet is not sold there.

use crate::gateway::Gateway;
use domain::float_reserve::{TrancheHolder, TrancheRequest};
use domain::provider::ProviderId;
use ports::float_tranches::FloatTranches;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often an instance looks whether a tranche is half spent.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Keeps the tranches of an instance.
#[derive(Debug)]
pub struct TrancheKeeper {
    gateway: Gateway,
    tranches: Arc<dyn FloatTranches>,
    holder: TrancheHolder,
    /// Those whose last lease failed.
    failing: BTreeSet<ProviderId>,
}

impl TrancheKeeper {
    /// A keeper that has leased nothing yet. Each process has a holder of its own.
    pub fn new(gateway: &Gateway, tranches: Arc<dyn FloatTranches>, holder: TrancheHolder) -> Self {
        Self {
            gateway: gateway.clone(),
            tranches,
            holder,
            failing: BTreeSet::new(),
        }
    }

    /// Leases until it is stopped.
    pub async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = self.look() => {}
                () = stop.cancelled() => return,
            }
            self.gateway.pause(LOOK_INTERVAL, &stop).await;
        }
    }

    /// Leases what is due. Wait for it once before the first payment is let in.
    pub async fn look(&mut self) {
        let providers = self.gateway.providers_in_force();
        for provider in providers.distinct() {
            let id = provider.id();
            let Some(guard) = providers.guard(id) else {
                continue;
            };
            let asked_at = self.gateway.uptime();
            let Some((unspent, wanted)) = guard.ask_for_tranche(asked_at) else {
                continue;
            };
            let request = TrancheRequest {
                provider: id.clone(),
                holder: self.holder,
                unspent,
                wanted,
            };
            let lease = self.tranches.lease(&request, self.gateway.now()).await;
            guard.take_tranche(lease.as_ref().ok().copied(), asked_at);
            match lease {
                Ok(_) => {
                    self.failing.remove(id);
                }
                Err(error) if self.failing.insert(id.clone()) => tracing::warn!(provider = %id,
                    %error, "no tranche of the money at a provider could be leased"),
                Err(_) => {}
            }
        }
    }
}
