//! What operators ask of a running gateway over HTTP. It must do what the commands of operators do,
//! by the same code, and nothing that they do not.

use crate::announced_maintenance::MaintenanceNotice;
use crate::availability::Offering;
use crate::gateway::Gateway;
use crate::operators::NotSigned;
use crate::operators::change_requests::{NotRequested, TrackedRequest};
use async_trait::async_trait;
use domain::operations::change_request::{ChangeReason, RequestedChange};
use domain::operations::{
    CaseOverview, FloatOverview, PauseOverview, ProviderOverview, RouteOverview,
};
use domain::operator::OperatorName;
use domain::order::Service;
use ports::PortError;
use std::fmt::Debug;

/// The use cases of operators.
#[async_trait]
pub trait Administration: Debug + Send + Sync {
    /// The operator whom a name and a key open operations to; `None` where they open none.
    ///
    /// # Errors
    /// When the log of operators was tampered with, or the store failed.
    async fn authenticate(&self, name: &str, key: &str) -> Result<Option<OperatorName>, NotSigned>;

    /// What waits for a person, oldest first.
    ///
    /// # Errors
    /// When the store failed.
    async fn cases(&self) -> Result<Vec<CaseOverview>, PortError>;

    /// Our money at every provider, by the ledger and by what was read last. No provider is asked.
    ///
    /// # Errors
    /// When the store failed.
    async fn floats(&self) -> Result<Vec<FloatOverview>, PortError>;

    /// Asks for a change in the name of the operator whose name and key these are.
    ///
    /// # Errors
    /// When the key opens nothing, too many requests wait, or nothing could be stored.
    async fn ask(
        &self,
        credentials: (&str, &str),
        wanted: (RequestedChange, ChangeReason),
    ) -> Result<TrackedRequest, NotRequested>;

    /// The newest requests for changes, newest first.
    ///
    /// # Errors
    /// When the log of operators was tampered with, or the store failed.
    async fn change_requests(&self) -> Result<Vec<TrackedRequest>, NotSigned>;
}

impl Gateway {
    /// The providers, in the order of the configuration, and what keeps orders from them.
    pub fn provider_overview(&self) -> Vec<ProviderOverview> {
        let providers = self.providers_in_force();
        let (paused, now) = (providers.paused(), self.now());
        let of = |id: &domain::provider::ProviderId| {
            let pause = paused.get(id).map(|pause| PauseOverview {
                by: pause.by.clone(),
                since: pause.since,
                reason: pause.reason.clone(),
            });
            // A window may be about one product.
            let ends = Service::delivered().map(|service| {
                let (biller, at) = (None, now);
                let offering = Offering {
                    service,
                    biller,
                    at,
                };
                providers.maintenance_end(id, offering)
            });
            ProviderOverview {
                provider: id.clone(),
                environment: providers.environment(id),
                routes: providers.routes().filter(|it| it.provider == *id).count(),
                pause,
                maintenance_until: ends.flatten().max(),
            }
        };
        let all = providers.distinct();
        all.iter().map(|provider| of(provider.id())).collect()
    }

    /// Whether the configuration has an account at a provider.
    pub fn has_provider(&self, provider: &domain::provider::ProviderId) -> bool {
        let all = self.providers_in_force().distinct();
        all.iter().any(|it| it.id() == provider)
    }

    /// The maintenance that operators announced and that is not over, in the order of the log.
    pub fn announced_maintenance(&self) -> Vec<MaintenanceNotice> {
        let (announced, now) = (self.providers_in_force().announced(), self.now());
        let ahead = announced.iter().filter(|it| it.time.until() > now);
        ahead.cloned().collect()
    }

    /// The routes, in the order of the configuration.
    pub fn route_overview(&self) -> Vec<RouteOverview> {
        let providers = self.providers_in_force();
        let numbered = (1_usize..).zip(providers.routes());
        let routes = numbered.map(|(number, route)| {
            let conditions = &route.conditions;
            RouteOverview {
                number,
                service: route.product,
                environment: route.environment,
                provider: route.provider.clone(),
                biller: conditions.biller.clone(),
                billing: conditions.billing,
                country: conditions.country,
                amount_min: conditions.amount_min,
                amount_max: conditions.amount_max,
                priority: route.priority,
                weight: route.weight,
                cost: route.cost,
            }
        });
        routes.collect()
    }
}
