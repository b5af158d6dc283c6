//! Airtime: which network, which price, who delivers. Everything after that is the one payment
//! flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::number_register::NumberRegister;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::account::AccountId;
use domain::airtime::Network;
use domain::airtime::{AirtimeOrder, TopUp};
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing;
use domain::pricing::Terms;

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

    /// Buys a top-up. Where the merchant names no network, the register of ported numbers is asked
    /// for it, if there is one; what it says does not belong to the request, so that a repeated
    /// one means the same whatever it says then.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn buy_airtime(
        &self,
        merchant: &Merchant,
        purchase: Purchase<TopUp>,
    ) -> Result<PaymentResult, RequestError> {
        let top_up = &purchase.command;
        if top_up.named_network.is_none()
            && let Some(register) = self.number_register(merchant)
        {
            let asked = self.prepare_by_register(merchant, top_up, register);
            return self.pay_once(merchant, &purchase, asked).await;
        }
        let brand = top_up.named_network.as_ref().or(top_up.network.as_ref());
        let prepared = self.prepare_top_up(merchant, top_up, brand);
        self.pay(merchant, &purchase, prepared).await
    }

    /// Looks a top-up up and prices it.
    pub(crate) async fn prepared_top_up(
        &self,
        merchant: &Merchant,
        top_up: &TopUp,
    ) -> Result<PricedOrder, RequestError> {
        if top_up.named_network.is_none()
            && let Some(register) = self.number_register(merchant)
        {
            return self.prepare_by_register(merchant, top_up, register).await;
        }
        let brand = top_up.named_network.as_ref().or(top_up.network.as_ref());
        self.prepare_top_up(merchant, top_up, brand)
    }

    /// Prepares a top-up for the network that serves the number today.
    async fn prepare_by_register(
        &self,
        merchant: &Merchant,
        top_up: &TopUp,
        register: &NumberRegister,
    ) -> Result<PricedOrder, RequestError> {
        let holder = top_up.network.clone();
        if !self.sells_to_some_network(merchant, top_up) {
            return self.prepare_top_up(merchant, top_up, holder.as_ref());
        }
        let number = (&top_up.number, top_up.country);
        let known = (holder, Service::Airtime);
        let brand = self.brand_today(register, number, known).await?;
        self.prepare_top_up(merchant, top_up, brand.as_ref())
    }

    /// Whether a top-up could be bought if some network served the number. Else it is refused
    /// whatever a register says.
    fn sells_to_some_network(&self, merchant: &Merchant, top_up: &TopUp) -> bool {
        let of = (&merchant.account, &top_up.reference);
        let mut networks = self.catalogue().networks().into_iter();
        networks.any(|network| {
            let prepared = self.prepare_top_up(merchant, top_up, Some(&network.brandname));
            prepared.is_ok_and(|priced| self.could_be_opened(&priced, of))
        })
    }

    fn prepare_top_up(
        &self,
        merchant: &Merchant,
        top_up: &TopUp,
        brand: Option<&String>,
    ) -> Result<PricedOrder, RequestError> {
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
        let (terms, rule) = self.airtime_terms(&merchant.account.id, network);
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

    pub(crate) fn airtime_terms(&self, account: &AccountId, network: &Network) -> (Terms, String) {
        let product = format!("airtime.{}", network.code);
        self.terms(account, product, network.terms)
    }
}
