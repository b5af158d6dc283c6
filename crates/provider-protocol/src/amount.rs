//! Amounts as whole minor units with their currency. An amount must never be a decimal: a reader
//! that takes naira for kobo is off by a hundred.

use crate::document::DocumentError;
use domain::money::{Currency, Money};
use serde::{Deserialize, Serialize};

/// An amount: `{"minor": 150000, "currency": "NGN"}` is 1,500.00 naira.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    minor: i64,
    currency: String,
}

impl From<Money> for Amount {
    fn from(money: Money) -> Self {
        Self {
            minor: money.minor(),
            currency: money.currency().code().to_owned(),
        }
    }
}

impl Amount {
    /// The amount as money.
    ///
    /// # Errors
    /// When the currency is none of the gateway's, or the number does not fit in 53 bits.
    pub fn money(&self, field: &'static str) -> Result<Money, DocumentError> {
        let currency = Currency::from_code(&self.currency).ok_or_else(|| {
            let known = Currency::ALL.map(Currency::code).join(", ");
            DocumentError::field(field, format!("must be in one of {known}"))
        })?;
        if self.minor.unsigned_abs() > Money::MAX_MINOR.unsigned_abs() {
            return Err(DocumentError::field(
                field,
                "must be below 2^53 minor units",
            ));
        }
        Ok(Money::from_minor(self.minor, currency))
    }

    /// The amount as money above zero.
    ///
    /// # Errors
    /// As [`Self::money`], and where nothing or less is asked for.
    pub fn positive(&self, field: &'static str) -> Result<Money, DocumentError> {
        let money = self.money(field)?;
        if money.is_positive() {
            Ok(money)
        } else {
            Err(DocumentError::field(field, "must be above zero"))
        }
    }
}

/// The money of an optional amount.
pub(crate) fn optional(
    amount: Option<&Amount>,
    field: &'static str,
) -> Result<Option<Money>, DocumentError> {
    amount.map(|amount| amount.money(field)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::read;

    #[test]
    fn only_whole_minor_units_below_2_to_the_53_are_read() {
        let amount = |text: &str| {
            let amount: Amount = read(text.as_bytes())?;
            amount.money("amount")
        };
        let naira = amount(r#"{"minor":150000,"currency":"NGN"}"#);
        assert_eq!(naira, Ok(Money::from_minor(150_000, Currency::Ngn)));
        for text in [
            r#"{"minor":1500.0,"currency":"NGN"}"#,
            r#"{"minor":"150000","currency":"NGN"}"#,
            r#"{"minor":1.5e5,"currency":"NGN"}"#,
            r#"{"minor":9007199254740992,"currency":"NGN"}"#,
            r#"{"minor":150000,"currency":"ngn"}"#,
            r#"{"minor":150000}"#,
            r#"{"minor":1,"minor":2,"currency":"NGN"}"#,
        ] {
            assert!(amount(text).is_err(), "{text}");
        }
    }
}
