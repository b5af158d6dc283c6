//! What the provider sells, page by page. What it does not list is not offered; nothing here may
//! make a list up.

use crate::served::ServedProvider;
use async_trait::async_trait;
use domain::listed_offer::ListedOffer;
use domain::order::Service;
use ports::PortError;
use provider_protocol::{CatalogueDocument, offers_page_max};

/// Lists what a provider sells.
#[async_trait]
pub trait ServedCatalogue: Send + Sync + std::fmt::Debug {
    /// Everything it sells of a service, in an order that does not change from page to page.
    ///
    /// # Errors
    /// When the list cannot be made.
    async fn offers(&self, service: Service) -> Result<Vec<ListedOffer>, PortError>;
}

/// The page of a service from a number on; `None` where the service is not sold or nothing is
/// listed.
pub(crate) async fn page(
    served: &ServedProvider,
    service: &str,
    after: usize,
) -> Result<Option<CatalogueDocument>, PortError> {
    let service = Service::from_code(service).filter(|it| served.services.contains(it));
    let (Some(service), Some(catalogue)) = (service, &served.catalogue) else {
        return Ok(None);
    };
    let offers = catalogue.offers(service).await?;
    let rest = offers.get(after..).unwrap_or_default();
    let length = rest.len().min(offers_page_max(service));
    let end = after.saturating_add(length);
    let next = (length < rest.len()).then_some(end as u64);
    let page = rest.get(..length).unwrap_or_default();
    Ok(Some(CatalogueDocument::of(service, page, next)))
}
