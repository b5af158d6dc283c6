//! The catalogue of the sandbox as a process: what it lists is what its program and its settings
//! sell. It must not read the gateway's store: published versions are the gateway's.

use async_trait::async_trait;
use domain::listed_offer::ListedOffer;
use domain::order::Service;
use ports::PortError;
use provider_server::ServedCatalogue;
use provider_sim::SandboxCatalogue;

/// Lists the offers of a sandbox.
#[derive(Debug)]
pub(super) struct SandboxOffers(pub(super) SandboxCatalogue);

#[async_trait]
impl ServedCatalogue for SandboxOffers {
    async fn offers(&self, service: Service) -> Result<Vec<ListedOffer>, PortError> {
        Ok(self.0.listed_offers(service))
    }
}
