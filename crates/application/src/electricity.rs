//! Electricity: companies, meters, and payments for them. The meter is looked up before a price is
//! quoted, so that no payment is for a meter that does not exist.

use crate::gateway::{Gateway, Merchant};
use crate::listed::Listed;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::account::AccountId;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{Disco, ElectricityOrder, Meter, MeterPayment, MeterQuery};
use domain::order::{Order, Service};
use domain::pricing::{self, Terms};
use domain::retrieve::Retrieve;

impl Gateway {
    /// The distribution companies of a country, with the commissions that apply to the merchant.
    ///
    /// # Errors
    /// When nothing is sold in the country.
    pub fn discos(
        &self,
        merchant: &Merchant,
        country: CountryCode,
        which: Retrieve,
    ) -> Result<Listed<Disco>, RequestError> {
        let all = self.catalogue().discos(country);
        if all.is_empty() {
            return Err(RequestError::CountryNotServed(country));
        }
        let listed = |disco: &&Disco| match which {
            Retrieve::Buyable => disco.available,
            Retrieve::All => true,
        };
        let priced = |disco: &Disco| Disco {
            prepaid: self
                .disco_terms(&merchant.account.id, disco, Billing::Prepaid)
                .0,
            postpaid: self
                .disco_terms(&merchant.account.id, disco, Billing::Postpaid)
                .0,
            ..disco.clone()
        };
        let total = all.len();
        let found = all.into_iter().filter(listed).map(priced).collect();
        Ok(Listed { found, total })
    }

    /// A meter as its company knows it.
    ///
    /// # Errors
    /// When the company or the meter is unknown or cannot be reached.
    pub async fn meter(
        &self,
        merchant: &Merchant,
        query: &MeterQuery,
    ) -> Result<Meter, RequestError> {
        let lookups = self.lookups(merchant);
        self.catalogue()
            .disco(&query.disco)
            .ok_or(RequestError::ProviderUnknown(Service::Electricity))?;
        let asked = lookups
            .meters
            .meter(&query.disco, &query.number, query.billing);
        let is_asked_for = |meter: &Meter| {
            meter.disco == query.disco
                && meter.number == query.number
                && meter.billing == query.billing
        };
        let found = self.looked_up(asked, is_asked_for).await;
        found.map_err(|failure| RequestError::Lookup(Service::Electricity, failure))
    }

    /// Pays for a meter.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_electricity(
        &self,
        merchant: &Merchant,
        purchase: Purchase<MeterPayment>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = self.prepare_meter_payment(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, asked).await
    }

    pub(crate) async fn prepare_meter_payment(
        &self,
        merchant: &Merchant,
        payment: &MeterPayment,
    ) -> Result<PricedOrder, RequestError> {
        let disco = self
            .catalogue()
            .disco(&payment.meter.disco)
            .ok_or(RequestError::ProviderUnknown(Service::Electricity))?;
        let asked = RouteQuery {
            biller: Some(disco.code.as_str()),
            billing: Some(payment.meter.billing),
            ..RouteQuery::of(Service::Electricity, merchant.account.environment)
        };
        if !disco.available || !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::Electricity));
        }
        let meter = self.meter(merchant, &payment.meter).await?;
        let limits = (meter.minimum, meter.maximum);
        RequestError::unless_within(limits, payment.amount, Service::Electricity)?;
        let (terms, rule) = self.disco_terms(&merchant.account.id, disco, meter.billing);
        let quote =
            pricing::quote(payment.amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Electricity(ElectricityOrder {
            meter,
            amount: payment.amount,
            customer_phone: payment.customer_phone.clone(),
        });
        Ok(PricedOrder { order, quote })
    }

    pub(crate) fn disco_terms(
        &self,
        account: &AccountId,
        disco: &Disco,
        billing: Billing,
    ) -> (Terms, String) {
        let product = format!("electricity.{}.{}", disco.code, billing.code());
        self.terms(account, product, disco.terms(billing))
    }
}
