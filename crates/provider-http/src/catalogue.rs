//! What the provider sells, by its own list. A list that does not come whole must be an error: half
//! of one would say that plans are sold no more.

use crate::exchange::Unsigned;
use crate::provider::{ASK_WITHIN, HttpProvider};
use async_trait::async_trait;
use domain::listed_offer::ListedOffer;
use domain::order::Service;
use domain::paid_lookup::LookupCategory;
use domain::subscription::BillerCode;
use ports::PortError;
use ports::provider::{ListedPlan, PriceList};
use provider_protocol::{CatalogueDocument, Feature, OfferListReading, read};

/// What errors name as the part that failed.
const PART: &str = "provider-http";

impl HttpProvider {
    /// What it lists of a service; `None` where it has no list of it.
    async fn listed(&self, service: Service) -> Result<Option<Vec<ListedOffer>>, PortError> {
        if self.capabilities().is_none() {
            // A command that compares lists has read nothing before.
            let failed = |error| PortError::caused(PART, "reading capabilities", error);
            self.refresh().await.map_err(failed)?;
        }
        let sold = self.capabilities().and_then(|it| it.profile(service));
        if sold.is_none() || !self.offers(Feature::Catalogue) {
            return Ok(None);
        }
        let code = service.code();
        let mut reading = OfferListReading::default();
        loop {
            let path = format!("/catalogue/{code}?after={}", reading.after());
            let asked = self.exchanger.ask(Unsigned::Get(path), ASK_WITHIN).await;
            let failed = |what: &str| format!("{what} the catalogue of {code}");
            let body =
                asked.map_err(|error| PortError::caused(PART, failed("asking for"), error))?;
            let page = read::<CatalogueDocument>(&body);
            let more = page.and_then(|page| reading.add(&page, service));
            if !more.map_err(|error| PortError::caused(PART, failed("reading"), error))? {
                return Ok(Some(reading.into_offers()));
            }
        }
    }
}

#[async_trait]
impl PriceList for HttpProvider {
    async fn plans(
        &self,
        product: Service,
        biller: &BillerCode,
    ) -> Result<Option<Vec<ListedPlan>>, PortError> {
        let name = format!("{}.{}", product.code(), biller.as_str());
        let offers = self.listed(product).await?;
        let plans = |offers: Vec<ListedOffer>| {
            let offers = offers.into_iter().filter(|it| it.product == name);
            let plans = offers.map(|offer| ListedPlan {
                code: offer.code,
                name: offer.name,
                amount: offer.amount,
            });
            plans.collect()
        };
        Ok(offers.map(plans))
    }

    async fn lookups(&self, category: LookupCategory) -> Result<Vec<ListedOffer>, PortError> {
        let listed = self.listed(Service::Lookup(category)).await?;
        Ok(listed.unwrap_or_default())
    }

    /// The list of a service is read once, however many of its products are asked for.
    async fn offers(&self, products: &[String]) -> Result<Vec<ListedOffer>, PortError> {
        let mut services = Vec::new();
        for product in products {
            let service = product.split_once('.').map(|(service, _)| service);
            let service = service.and_then(Service::from_code);
            services.extend(service.filter(|service| !services.contains(service)));
        }
        let mut offers = Vec::new();
        for service in services {
            let listed = self.listed(service).await?.unwrap_or_default();
            let listed = listed.into_iter();
            offers.extend(listed.filter(|it| products.contains(&it.product)));
        }
        Ok(offers)
    }
}
