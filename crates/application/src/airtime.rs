//! Airtime: which network, which price, who delivers. Everything after that is the one payment
//! flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{Paid, Prepared, Purchase};
use crate::refused::Refused;
use crate::standing;
use domain::airtime::{AirtimeOrder, Standing, TopUp};
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::PhoneNumber;
use domain::pricing;

impl Gateway {
    /// Where a number stands. It is told before anything is bought, so that a request hears of it
    /// together with whatever else is wrong.
    pub fn standing(&self, number: &PhoneNumber, country: CountryCode) -> Standing {
        if !self.parts().catalogue.sells_airtime_in(country) {
            return Standing::CountryNotServed;
        }
        self.standing_in_plan(number, country)
    }

    /// Buys a top-up.
    ///
    /// # Errors
    /// See [`Refused`]: nothing was stored and no money moved.
    pub async fn buy_airtime(
        &self,
        merchant: &Merchant,
        purchase: Purchase<TopUp>,
    ) -> Result<Paid, Refused> {
        let prepared = self.prepare_top_up(merchant, &purchase.command);
        self.pay(merchant, &purchase, prepared).await
    }

    fn prepare_top_up(&self, merchant: &Merchant, top_up: &TopUp) -> Result<Prepared, Refused> {
        let parts = self.parts();
        let standing = self.standing(&top_up.number, top_up.country);
        let brand = standing::brand(standing, top_up.country)?;
        let network = brand
            .and_then(|brand| parts.catalogue.network(top_up.country, &brand))
            .ok_or(Refused::NetworkNotServed)?;
        let provider = parts
            .providers
            .delivering(Service::Airtime)
            .ok_or(Refused::NetworkNotServed)?;
        let limits = (network.minimum, network.maximum);
        Refused::unless_within(limits, top_up.amount, Service::Airtime)?;
        let product = format!("airtime.{}", network.code);
        let (terms, rule) = parts
            .deals
            .terms(&merchant.account.id, product, network.terms);
        let quote =
            pricing::quote(top_up.amount, &terms, rule).map_err(|_| Refused::Unpriceable)?;
        let order = Order::Airtime(AirtimeOrder {
            number: top_up.number.clone(),
            country: top_up.country,
            network_code: network.code.clone(),
            network_brandname: network.brandname.clone(),
            billing: top_up.billing,
            amount: top_up.amount,
        });
        Ok(Prepared {
            order,
            quote,
            provider,
        })
    }
}
