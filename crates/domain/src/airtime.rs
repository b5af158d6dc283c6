//! Airtime: a value credited to a telephone number. It must never know which provider sells it.

use crate::billing::Billing;
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::pricing::Terms;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A mobile network as the catalogue sells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// Short code, lower case, such as `mtn`; part of the product name in pricing.
    pub code: String,
    /// Brand name shown as `network`, such as `MTN`.
    pub brandname: String,
    /// Commission and cost.
    pub terms: Terms,
    /// Smallest top-up.
    pub minimum: Money,
    /// Largest top-up.
    pub maximum: Money,
}

/// A top-up as asked for, every value read and none looked up yet (interface §4.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopUp {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The country whose plan the number must be in.
    pub country: CountryCode,
    /// The number to credit.
    pub number: PhoneNumber,
    /// The brand that holds the number's block, as the plan says, where that is recorded.
    pub network: Option<String>,
    /// The brand that the merchant named instead, for a number that was ported.
    pub named_network: Option<String>,
    /// The value to credit, above zero.
    pub amount: Money,
    /// Prepaid or postpaid line.
    pub billing: Billing,
}

/// What the merchant asked to top up, with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AirtimeOrder {
    /// The number to credit.
    pub number: PhoneNumber,
    /// The country whose plan the number was checked against.
    pub country: CountryCode,
    /// Code of the network: the one that the merchant named, else the one that a register of ported
    /// numbers named, else the holder of the number's block.
    pub network_code: String,
    /// Brand name of that network, frozen for the report.
    pub network_brandname: String,
    /// Prepaid or postpaid line.
    pub billing: Billing,
    /// The value to credit, greater than zero.
    pub amount: Money,
}

impl FamilyOrder for AirtimeOrder {
    const PRODUCTS: &'static [&'static str] = &["<network>"];

    fn service(&self) -> Service {
        Service::Airtime
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("Airtime {} {}", self.network_brandname, self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn biller(&self) -> Option<&str> {
        Some(&self.network_code)
    }

    fn billing(&self) -> Option<Billing> {
        Some(self.billing)
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Airtime)
    }
}
