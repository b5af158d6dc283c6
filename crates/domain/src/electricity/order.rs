//! What the merchant asked to pay for a meter. The meter is frozen as it was validated; it must
//! never be looked up again to explain an old payment.

use super::{DiscoCode, Meter, MeterNumber};
use crate::billing::Billing;
use crate::electricity::Vend;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A meter payment as asked for, every value read and none looked up yet (interface §4.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterPayment {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The meter to pay for.
    pub meter: MeterQuery,
    /// The amount to pay, above zero.
    pub amount: Money,
    /// The customer's telephone, for companies that send the token there.
    pub customer_phone: Option<PhoneNumber>,
}

/// Which meter, as a merchant names it (interface §4.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterQuery {
    /// The distribution company.
    pub disco: DiscoCode,
    /// The meter or account number.
    pub number: MeterNumber,
    /// How it is billed.
    pub billing: Billing,
}

/// An electricity order with the meter as validated before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElectricityOrder {
    /// The meter, its company, debt and tariff at the time of the order.
    pub meter: Meter,
    /// The amount paid, VAT and debt recovery included, greater than zero.
    pub amount: Money,
    /// The customer's telephone, where the merchant gave one.
    pub customer_phone: Option<PhoneNumber>,
}

impl FamilyOrder for ElectricityOrder {
    const PRODUCTS: &'static [&'static str] = &["<disco>.prepaid", "<disco>.postpaid"];

    /// The meter and its owner.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Electricity
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("Electricity {} {}", self.meter.brandname, self.meter.number)
    }

    fn digits(&self) -> &str {
        self.meter.number.digits()
    }

    fn takes_token(&self) -> bool {
        self.meter.billing == Billing::Prepaid
    }

    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let vend = fulfilment.vend();
        vend.is_some_and(|vend| vend.token.is_some() || !self.takes_token())
    }

    fn biller(&self) -> Option<&str> {
        Some(self.meter.disco.as_str())
    }

    fn billing(&self) -> Option<Billing> {
        Some(self.meter.billing)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        None
    }
}

impl Fulfilment {
    /// What was vended for a meter; `None` of any other family.
    pub const fn vend(&self) -> Option<&Vend> {
        if let Self::Electricity(vend) = self {
            Some(vend)
        } else {
            None
        }
    }
}
