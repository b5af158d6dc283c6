//! Records of the smallest values. They must read back exactly: decimals as text, money as minor
//! units with its currency.

use super::RecordError;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::money::{Currency, Money};
use domain::time::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// Text borrowed from the value that is written, or from the document that is read.
pub(super) type Text<'a> = Cow<'a, str>;

/// Minor units and currency code: `[123400,"NGN"]`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MoneyRecord<'a>(i64, #[serde(borrow)] Text<'a>);

impl From<Money> for MoneyRecord<'_> {
    fn from(money: Money) -> Self {
        Self(money.minor(), Cow::Borrowed(money.currency().code()))
    }
}

impl MoneyRecord<'_> {
    pub(super) fn restore(&self, field: &'static str) -> Result<Money, RecordError> {
        let currency = Currency::from_code(&self.1).ok_or(RecordError::Value(field))?;
        if self.0.unsigned_abs() > Money::MAX_MINOR.unsigned_abs() {
            return Err(RecordError::Value(field));
        }
        Ok(Money::from_minor(self.0, currency))
    }
}

/// Milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct StoredTimestamp(i64);

impl From<Timestamp> for StoredTimestamp {
    fn from(at: Timestamp) -> Self {
        Self(at.as_millis())
    }
}

impl From<StoredTimestamp> for Timestamp {
    fn from(StoredTimestamp(millis): StoredTimestamp) -> Self {
        Self::from_millis(millis)
    }
}

/// A length of time in whole milliseconds, held at the largest number.
pub(super) fn millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn decimal(text: &str, field: &'static str) -> Result<Decimal, RecordError> {
    Decimal::from_str_exact(text).map_err(|_| RecordError::Value(field))
}

pub(super) fn billing(text: &str) -> Result<Billing, RecordError> {
    word(Billing::from_code(text), "billing")
}

/// Turns a word the domain does not know into the error that names the field.
pub(super) fn word<T>(value: Option<T>, field: &'static str) -> Result<T, RecordError> {
    value.ok_or(RecordError::Value(field))
}

pub(super) fn country(code: u16) -> Result<CountryCode, RecordError> {
    valid(CountryCode::parse(&code.to_string()), "country")
}

/// Turns a refusal of the domain into the error that names the field.
pub(super) fn valid<T, E>(value: Result<T, E>, field: &'static str) -> Result<T, RecordError> {
    value.map_err(|_| RecordError::Value(field))
}
