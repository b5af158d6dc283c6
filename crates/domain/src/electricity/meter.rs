//! Meters and customer accounts of a distribution company. A meter number must keep its leading
//! zeros.

use super::DiscoCode;
use crate::billing::Billing;
use crate::money::Money;
use crate::time::Timestamp;
use rust_decimal::Decimal;
use std::fmt;

/// A meter or customer account number: 6–15 digits, leading zeros kept (interface §2.3).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MeterNumber(String);

/// The text is not a meter number by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a meter or account number of 6 to 15 digits")]
pub struct InvalidMeter;

impl MeterNumber {
    /// Fewest digits: the shortest customer account numbers in use.
    pub const DIGITS_MIN: usize = 6;
    /// Most digits: STS meters have 11 or 13, customer accounts up to 15.
    pub const DIGITS_MAX: usize = 15;

    /// Reads a meter number.
    ///
    /// # Errors
    /// Refuses anything but 6–15 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidMeter> {
        let fits = (Self::DIGITS_MIN..=Self::DIGITS_MAX).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned())).ok_or(InvalidMeter)
    }

    /// The digits, leading zeros included.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MeterNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a kilowatt-hour costs at a meter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tariff {
    /// The service band, such as `A`.
    pub band: String,
    /// Price of one kilowatt-hour in major units, before VAT, greater than zero; `None` where the
    /// company does not say.
    pub rate: Option<Decimal>,
}

/// A meter as its distribution company knows it (interface §2.6, meter validation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meter {
    /// The company it belongs to.
    pub disco: DiscoCode,
    /// Brand name of the company.
    pub brandname: String,
    /// The meter or account number.
    pub number: MeterNumber,
    /// The customer who is billed.
    pub owner: String,
    /// Where it stands.
    pub address: String,
    /// How it is billed.
    pub billing: Billing,
    /// Debt incurred so far; `None` where the company does not say.
    pub debt: Option<Money>,
    /// Smallest purchase.
    pub minimum: Money,
    /// Largest purchase.
    pub maximum: Money,
    /// When something was last bought for it.
    pub last_purchase: Option<Timestamp>,
    /// What was paid then.
    pub last_paid: Option<Money>,
    /// Its tariff.
    pub tariff: Tariff,
}
