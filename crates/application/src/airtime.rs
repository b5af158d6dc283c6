//! Airtime: which network, which price, who delivers. Everything after that is the one payment
//! flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::airtime::{AirtimeOrder, TopUp};
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing;

impl Gateway {
    /// The status of a number in its numbering plan. It is checked before anything is bought, so
    /// that a request gets every violation at once.
    pub fn number_status(&self, number: &PhoneNumber, country: CountryCode) -> NumberStatus {
        if !self.catalogue().sells_airtime_in(country) {
            return NumberStatus::CountryNotServed;
        }
        self.status_in_plan(number, country)
    }

    /// The brand of a network that a request names, spelt as it is shown. A number may have been
    /// ported since its block was given out, and its holder knows where to.
    ///
    /// # Errors
    /// Says which networks there are, where this is none of them.
    pub fn named_network(&self, name: &str, country: CountryCode) -> Result<String, String> {
        let catalogue = self.catalogue();
        if let Some(network) = catalogue.network(country, name) {
            return Ok(network.brandname.clone());
        }
        let networks = catalogue.networks().into_iter();
        let of_country = networks.filter(|it| catalogue.network(country, &it.brandname).is_some());
        let mut brands: Vec<&str> = of_country.map(|it| it.brandname.as_str()).collect();
        if brands.is_empty() {
            // Nothing is sold there: the country is what is refused.
            return Ok(name.to_owned());
        }
        brands.sort_unstable();
        Err(format!(
            "must be one of {}, or be left out",
            brands.join(", ")
        ))
    }

    /// Buys a top-up.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn buy_airtime(
        &self,
        merchant: &Merchant,
        purchase: Purchase<TopUp>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_top_up(merchant, &purchase.command);
        self.pay(merchant, &purchase, prepared).await
    }

    fn prepare_top_up(
        &self,
        merchant: &Merchant,
        top_up: &TopUp,
    ) -> Result<PricedOrder, RequestError> {
        let named = top_up.named_network.as_ref();
        let brand = named.or(top_up.network.as_ref());
        let network = brand
            .and_then(|brand| self.catalogue().network(top_up.country, brand))
            .ok_or(RequestError::NetworkNotServed)?;
        let asked = RouteQuery {
            biller: Some(&network.code),
            ..RouteQuery::of(Service::Airtime, merchant.account.environment)
        };
        if !self.providers().deliver(&asked) {
            return Err(RequestError::NetworkNotServed);
        }
        let limits = (network.minimum, network.maximum);
        RequestError::unless_within(limits, top_up.amount, Service::Airtime)?;
        let product = format!("airtime.{}", network.code);
        let (terms, rule) = self.terms(&merchant.account.id, product, network.terms);
        let quote =
            pricing::quote(top_up.amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Airtime(AirtimeOrder {
            number: top_up.number.clone(),
            country: top_up.country,
            network_code: network.code.clone(),
            network_brandname: network.brandname.clone(),
            billing: top_up.billing,
            amount: top_up.amount,
        });
        Ok(PricedOrder { order, quote })
    }
}
