//! What the merchant asked to pay for a meter. The meter is frozen as it was validated; it must
//! never be looked up again to explain an old payment.

use super::{DiscoCode, Meter, MeterNumber};
use crate::billing::Billing;
use crate::money::Money;
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
}
