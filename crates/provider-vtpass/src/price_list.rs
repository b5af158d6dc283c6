//! The plans that VTpass lists, with its prices. A price that is not certain must be no price.

use crate::provider::VtpassProvider;
use async_trait::async_trait;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::subscription::BillerCode;
use ports::PortError;
use ports::provider::{ListedPlan, PriceList};
use serde::Deserialize;

/// Most plans of a service that are read; the longest published list has some 150.
const PLANS_MAX: usize = 2_000;

#[derive(Deserialize)]
struct VariationsDocument {
    content: VariationsContent,
}

#[derive(Deserialize)]
struct VariationsContent {
    /// Some services spell it the other way.
    #[serde(alias = "varations")]
    variations: Vec<VariationEntry>,
}

#[derive(Deserialize)]
struct VariationEntry {
    variation_code: String,
    name: String,
    variation_amount: String,
    #[serde(rename = "fixedPrice")]
    fixed_price: Option<String>,
}

#[async_trait]
impl PriceList for VtpassProvider {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a family that is not served is refused, whichever it is"
    )]
    async fn plans(
        &self,
        product: Service,
        biller: &BillerCode,
    ) -> Result<Option<Vec<ListedPlan>>, PortError> {
        let service = match product {
            Service::Internet => self.services.internet(biller),
            Service::CableTv => self.services.cabletv(biller).map(|it| it.service.as_str()),
            _ => None,
        };
        let Some(service) = service else {
            return Ok(None);
        };
        let failed =
            |what: &str| PortError::new("vtpass", format!("{what} the plans of {service}"));
        let path = format!("service-variations?serviceID={service}");
        let request = self.get(&path);
        let request = request.ok_or_else(|| failed("needs `public_key` to list"))?;
        let asked = self.client.ask(request, self.settings.question);
        let answer = asked.await.map_err(|error| {
            PortError::caused(
                "vtpass",
                format!("did not list the plans of {service}"),
                error,
            )
        })?;
        if answer.unexpected_status().is_some() {
            return Err(failed("answered with an error instead of"));
        }
        let document: VariationsDocument =
            serde_json::from_slice(&answer.body).map_err(|error| {
                PortError::caused(
                    "vtpass",
                    format!("the plans of {service} cannot be read"),
                    error,
                )
            })?;
        let variations = document.content.variations;
        if variations.len() > PLANS_MAX {
            return Err(failed("lists too many of"));
        }
        Ok(Some(variations.into_iter().map(listed).collect()))
    }
}

fn listed(entry: VariationEntry) -> ListedPlan {
    // Where the customer chooses the amount, the one that is listed is no price.
    let is_fixed = entry.fixed_price.as_deref() != Some("No");
    let amount = Money::parse(&entry.variation_amount, Currency::Ngn).ok();
    ListedPlan {
        code: entry.variation_code,
        name: entry.name,
        amount: amount.filter(|amount| is_fixed && amount.is_positive()),
    }
}
