//! The catalogue of the sandbox as a process: what it lists is what its program and its settings
//! sell. It must not read the gateway's store: published versions are the gateway's.

use async_trait::async_trait;
use domain::order::Service;
use ports::PortError;
use provider_protocol::ProviderOffer;
use provider_server::ServedCatalogue;
use provider_sim::SandboxCatalogue;

/// Lists the offers of a sandbox.
#[derive(Debug)]
pub(super) struct SandboxOffers(pub(super) SandboxCatalogue);

#[async_trait]
impl ServedCatalogue for SandboxOffers {
    async fn offers(&self, service: Service) -> Result<Vec<ProviderOffer>, PortError> {
        let listed = self.0.listed_offers(service).into_iter();
        let offers = listed.map(|(product, offer)| ProviderOffer {
            product,
            code: offer.code,
            name: offer.name,
            amount: offer.amount,
            minimum: offer.minimum,
            maximum: offer.maximum,
            available: offer.available,
        });
        Ok(offers.collect())
    }
}
