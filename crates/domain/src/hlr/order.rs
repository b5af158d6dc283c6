//! A lookup as asked for and as ordered. It must not be ordered where no network has to be asked.

use super::report::HlrReport;
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A lookup as asked for (interface §4.8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HlrQuery {
    /// The merchant's reference; a lookup under one is paid for once, however often it is asked.
    pub reference: Option<MerchantReference>,
    /// The country whose plan the number is looked up in first.
    pub country: CountryCode,
    /// The number.
    pub number: PhoneNumber,
}

/// A lookup that a network has to be asked for, frozen as it was priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HlrOrder {
    /// The number, a mobile one.
    pub number: PhoneNumber,
    /// The country whose plan it is in.
    pub country: CountryCode,
    /// The network its block was given to, where that is recorded.
    pub network_origin: Option<String>,
    /// What the lookup costs, greater than zero.
    pub amount: Money,
}

impl FamilyOrder for HlrOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    fn service(&self) -> Service {
        Service::Hlr
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("HLR lookup {}", self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Hlr(HlrReport::unavailable()))
    }
}
