//! What the rows of several tables have in common. It must not know any family.

use domain::country::CountryCode;
use domain::money::{Currency, Money};
use domain::percent::Percent;
use domain::pricing::{Terms, UnitTerms};
use serde::Deserialize;

/// The one country the sandbox sells in, and its currency.
pub(crate) const COUNTRY: CountryCode = CountryCode::NIGERIA;
pub(crate) const CURRENCY: Currency = Currency::Ngn;

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableError {
    #[error(transparent)]
    Shape(#[from] toml::de::Error),
    #[error("{entry}: {field} is not acceptable")]
    Field { entry: String, field: &'static str },
}

/// A share and what the provider leaves, both in percent; the sandbox asks no fees.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shares {
    commission: String,
    discount: String,
}

impl Shares {
    pub(crate) fn terms(&self, currency: Currency) -> Option<Terms> {
        Some(Terms {
            commission: Percent::parse(&self.commission).ok()?,
            discount: Percent::parse(&self.discount).ok()?,
            fee: Money::zero(currency),
        })
    }
}

/// What one unit costs in a country and a currency.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitRow {
    country: String,
    currency: String,
    unit: String,
    terms: Shares,
}

/// A row of unit prices, read.
#[derive(Debug, Clone)]
pub(crate) struct UnitPrice {
    pub(crate) country: CountryCode,
    pub(crate) price: UnitTerms,
}

impl UnitRow {
    pub(crate) fn read(self) -> Result<UnitPrice, TableError> {
        let wrong = |field| TableError::Field {
            entry: format!("{} {}", self.country, self.currency),
            field,
        };
        let currency = Currency::from_code(&self.currency).ok_or_else(|| wrong("currency"))?;
        let unit = Money::parse(&self.unit, currency).ok();
        let unit = unit.filter(|unit| unit.is_positive());
        Ok(UnitPrice {
            country: CountryCode::parse(&self.country).map_err(|_| wrong("country"))?,
            price: UnitTerms {
                unit: unit.ok_or_else(|| wrong("unit"))?,
                terms: self.terms.terms(currency).ok_or_else(|| wrong("terms"))?,
            },
        })
    }
}

/// Whether a unit has a price in a country, whatever it is paid with.
pub(crate) fn is_priced(prices: &[UnitPrice], country: CountryCode) -> bool {
    prices.iter().any(|row| row.country == country)
}

/// The price of a unit in a country and a currency; `None` where it is not sold.
pub(crate) fn unit(
    prices: &[UnitPrice],
    country: CountryCode,
    currency: Currency,
) -> Option<UnitTerms> {
    let mut prices = prices.iter().filter(|row| row.country == country);
    let row = prices.find(|row| row.price.unit.currency() == currency);
    row.map(|row| row.price)
}
