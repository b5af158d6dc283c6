//! Leases tranches of our money at providers for this instance, so that it sells no more than was
//! paid in. Payments never wait for it: what is not leased yet is not sold there.

use crate::gateway::Gateway;
use domain::float_reserve::{TrancheGrant, TrancheHolder, TrancheRequest};
use domain::provider::ProviderId;
use ports::PortError;
use ports::float_tranches::FloatTranches;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How often an instance looks whether a tranche is half spent.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How long the store may take for a lease. It may count the ledger; after this there would be no
/// time left to ask again before the lease ends.
const LEASE_WITHIN: Duration = Duration::from_mins(1);

/// Keeps the tranches of an instance.
#[derive(Debug)]
pub struct TrancheKeeper {
    gateway: Gateway,
    tranches: Arc<dyn FloatTranches>,
    holder: TrancheHolder,
    /// Those whose last lease failed.
    failing: BTreeSet<ProviderId>,
    /// Those of which the last lease was less than was wanted.
    short: BTreeSet<ProviderId>,
}

/// Why there is no tranche.
#[derive(Debug, thiserror::Error)]
enum NotLeased {
    #[error("the store took longer than a minute")]
    TooLate,
    #[error(transparent)]
    Failed(#[from] PortError),
}

impl TrancheKeeper {
    /// A keeper that has leased nothing yet. Each process has a holder of its own.
    pub fn new(gateway: &Gateway, tranches: Arc<dyn FloatTranches>, holder: TrancheHolder) -> Self {
        Self {
            gateway: gateway.clone(),
            tranches,
            holder,
            failing: BTreeSet::new(),
            short: BTreeSet::new(),
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

    /// Leases what is due, at all providers at once: one that takes long to count delays no other.
    /// Wait for it once before the first payment is let in.
    pub async fn look(&mut self) {
        let providers = self.gateway.providers_in_force();
        let mut asking = JoinSet::new();
        for provider in providers.distinct() {
            let asked_at = self.gateway.uptime();
            let guard = providers.guard(provider.id()).map(Arc::clone);
            let asked = guard.and_then(|guard| Some((guard.ask_for_tranche(asked_at)?, guard)));
            let Some(((unspent, wanted), guard)) = asked else {
                continue;
            };
            let request = TrancheRequest {
                provider: provider.id().clone(),
                holder: self.holder,
                unspent,
                wanted,
            };
            let (gateway, tranches) = (self.gateway.clone(), Arc::clone(&self.tranches));
            asking.spawn(async move {
                let leased = lease(&gateway, &*tranches, &request).await;
                guard.take_tranche(leased.as_ref().ok().copied(), asked_at);
                (request, leased)
            });
        }
        while let Some(leased) = asking.join_next().await {
            if let Ok((request, leased)) = leased {
                self.report(&request, leased);
            }
        }
    }

    fn report(&mut self, request: &TrancheRequest, leased: Result<TrancheGrant, NotLeased>) {
        let provider = &request.provider;
        let grant = match leased {
            Ok(grant) => grant,
            Err(error) => {
                if self.failing.insert(provider.clone()) {
                    tracing::warn!(%provider, %error,
                        "no tranche of the money at a provider could be leased");
                }
                return;
            }
        };
        if self.failing.remove(provider) {
            tracing::info!(%provider, "tranches of the money at a provider are leased again");
        }
        let held = grant.kept.checked_add(grant.granted);
        let held = held.unwrap_or(grant.kept);
        let is_short = held.minor() < request.wanted.minor();
        if is_short && self.short.insert(provider.clone()) {
            tracing::warn!(%provider, %held, "less than a tranche is left of what was paid \
                in to a provider: what does not fit into it is not sold there");
        } else if !is_short && self.short.remove(provider) {
            tracing::info!(%provider, "a whole tranche is left of what was paid in to a provider");
        }
    }
}

async fn lease(
    gateway: &Gateway,
    tranches: &dyn FloatTranches,
    request: &TrancheRequest,
) -> Result<TrancheGrant, NotLeased> {
    let lease = tranches.lease(request, gateway.now());
    let leased = gateway.within(LEASE_WITHIN, lease).await;
    Ok(leased.ok_or(NotLeased::TooLate)??)
}
