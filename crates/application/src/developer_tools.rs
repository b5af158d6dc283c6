//! Tools for developers: what a number is in its plan, where what is sold, and payments of the
//! sandbox with an outcome of choice. Nothing here may ask a provider anything but what any payment
//! does.

use crate::gateway::{Gateway, Merchant};
use crate::messaging::MessageFamily;
use crate::payment::{PaymentResult, Purchase};
use crate::request_error::RequestError;
use domain::airtime::TopUp;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::money::Money;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;
use domain::sandbox::TestNumber;
use ports::numbering::NumberFacts;

/// The value of a simulated payment that names none, in kobo: a small one that every network sells.
const SIMULATED_AMOUNT: i64 = 10_000;

/// A payment that is requested for its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulatedPurchase {
    /// The reference of the merchant.
    pub reference: MerchantReference,
    /// What is forced; `None` where it is to be delivered.
    pub outcome: Option<TestNumber>,
    /// Its value, where one is named.
    pub amount: Option<Money>,
}

/// What an account can buy for the numbers of a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedCountry {
    /// The country.
    pub country: CountryCode,
    /// What is sold there, of what is sold by country.
    pub services: Vec<Service>,
}

/// Why a payment is not simulated.
#[derive(Debug, thiserror::Error)]
pub enum SimulationRefusal {
    /// The account is a live one.
    #[error("outcomes are simulated for test accounts alone")]
    LiveAccount,
    /// The payment is refused.
    #[error(transparent)]
    Payment(#[from] RequestError),
}

impl Gateway {
    /// What the numbering plan of a country says of a number; `None` where the plan has no such
    /// number.
    pub fn number_in_plan(
        &self,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> Option<NumberFacts> {
        self.parts().numbering.look_up(number, country)
    }

    /// Every country, and what an account can buy there.
    pub fn served_countries(&self, merchant: &Merchant) -> Vec<ServedCountry> {
        let catalogue = self.catalogue();
        let served = |country| {
            let is_sent = |family: &MessageFamily| {
                let rate = self.message_rate(merchant, (*family, country));
                rate.is_some()
            };
            let messages = MessageFamily::ALL.into_iter().filter(is_sent);
            let airtime = catalogue.sells_airtime_in(country);
            let services = airtime.then_some(Service::Airtime).into_iter();
            ServedCountry {
                country,
                services: services
                    .chain(messages.map(MessageFamily::service))
                    .collect(),
            }
        };
        CountryCode::all().map(served).collect()
    }

    /// Buys airtime of the sandbox for a number that forces an outcome.
    ///
    /// # Errors
    /// Refuses live accounts, and what [`Self::buy_airtime`] refuses: nothing was stored and no
    /// money moved.
    pub async fn simulate(
        &self,
        merchant: &Merchant,
        purchase: Purchase<SimulatedPurchase>,
    ) -> Result<PaymentResult, SimulationRefusal> {
        match merchant.account.environment {
            Environment::Test => {}
            Environment::Live => return Err(SimulationRefusal::LiveAccount),
        }
        let country = CountryCode::NIGERIA;
        let simulated = &purchase.command;
        let number = number(&simulated.reference, simulated.outcome)?;
        let currency = merchant.account.currency;
        let standard = Money::from_minor(SIMULATED_AMOUNT, currency);
        let network = self.number_in_plan(&number, country);
        let top_up = TopUp {
            reference: simulated.reference.clone(),
            country,
            number,
            network: network.and_then(|facts| facts.block_holder),
            named_network: None,
            amount: simulated.amount.unwrap_or(standard),
            billing: Billing::Prepaid,
        };
        let top_up = Purchase {
            command: top_up,
            retry_key: purchase.retry_key,
            quote: purchase.quote,
        };
        Ok(self.buy_airtime(merchant, top_up).await?)
    }
}

/// A number of MTN Nigeria that ends in the digits that force an outcome. The digits before them
/// follow from the reference: payments for one number that are alike would be refused or delayed.
fn number(
    reference: &MerchantReference,
    outcome: Option<TestNumber>,
) -> Result<PhoneNumber, RequestError> {
    /// Digits that force nothing.
    const FREE: &str = "4567";
    let bytes = reference.as_str().bytes();
    let mixed = bytes.fold(7_u32, |mixed, byte| {
        mixed.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    let middle = mixed % 1000;
    let digits = outcome.map_or(FREE, TestNumber::digits);
    PhoneNumber::parse(&format!("234803{middle:03}{digits}"))
        .map_err(|_| RequestError::NumberNotInPlan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_and_an_outcome_are_always_the_same_number() {
        let of = |reference: &str, outcome| {
            let reference = MerchantReference::parse(reference).unwrap();
            number(&reference, outcome).unwrap().digits().to_owned()
        };
        let first = of("order-1", Some(TestNumber::Reversed));
        assert_eq!(first, of("order-1", Some(TestNumber::Reversed)));
        assert!(
            first.starts_with("234803") && first.ends_with("0009"),
            "{first}"
        );
        assert_ne!(first, of("order-2", Some(TestNumber::Reversed)));
        assert_eq!(TestNumber::of(&of("order-1", None)), None);
    }
}
