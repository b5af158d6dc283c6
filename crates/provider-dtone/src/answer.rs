//! What DT One answers, read and not yet judged. A number must never pass through floating point,
//! and a document that says one thing twice says nothing.

use domain::money::{Currency, Money};
use domain::provider::{AttemptDetails, ProviderTransactionId};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Most characters of the provider's words that are kept: one line for an operator.
const WORDS_MAX: usize = 200;

/// A transaction.
#[derive(Debug, Deserialize)]
pub(crate) struct DtoneTransaction {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    pub(crate) external_id: Option<String>,
    #[serde(default)]
    pub(crate) status: Option<TransactionStatus>,
    #[serde(default)]
    pin: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) product: Option<TransactionProduct>,
    #[serde(default)]
    prices: Option<TransactionPrices>,
    #[serde(default)]
    pub(crate) requested_values: Option<TransactionValues>,
    #[serde(default)]
    pub(crate) adjusted_values: Option<TransactionValues>,
    #[serde(default)]
    credit_party_identifier: Option<CreditedParty>,
}

/// Where a transaction stands.
#[derive(Debug, Deserialize)]
pub(crate) struct TransactionStatus {
    #[serde(default)]
    pub(crate) message: Option<String>,
    pub(crate) class: StatusClass,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatusClass {
    pub(crate) id: u32,
    #[serde(default)]
    pub(crate) message: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct TransactionProduct {
    pub(crate) id: u64,
}

#[derive(Debug, Deserialize)]
struct TransactionPrices {
    #[serde(default)]
    wholesale: Option<ValueInUnit>,
}

/// What was asked for, or what came of it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct TransactionValues {
    #[serde(default)]
    pub(crate) source: Option<ValueInUnit>,
    #[serde(default)]
    pub(crate) destination: Option<ValueInUnit>,
}

#[derive(Debug, Deserialize)]
struct CreditedParty {
    #[serde(default)]
    mobile_number: Option<String>,
}

/// An amount and what it is counted in.
#[derive(Debug, Deserialize)]
pub(crate) struct ValueInUnit {
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    amount: Option<Box<RawValue>>,
    #[serde(default)]
    fee: Option<Box<RawValue>>,
}

impl ValueInUnit {
    /// The amount, where it is there at all.
    pub(crate) fn is_given(&self) -> bool {
        self.amount.as_ref().is_some_and(|it| it.get() != "null")
    }

    /// The amount in naira; `None` where it is in anything else, or not whole kobo.
    pub(crate) fn naira(&self) -> Option<Money> {
        (self.unit.as_deref() == Some(Currency::Ngn.code())).then_some(())?;
        naira(self.amount.as_ref()?.get())
    }

    /// The amount and the fee, where there is one.
    fn with_fee(&self) -> Option<Money> {
        let amount = self.naira()?;
        match &self.fee {
            Some(fee) if fee.get() != "null" => amount.checked_add(naira(fee.get())?),
            Some(_) | None => Some(amount),
        }
    }
}

impl DtoneTransaction {
    /// The number that was credited, without its plus.
    pub(crate) fn number(&self) -> Option<&str> {
        let party = self.credit_party_identifier.as_ref()?;
        let number = party.mobile_number.as_deref()?;
        Some(number.trim_start_matches('+'))
    }

    /// Whether a PIN was handed over, which our orders of recharges have no place for.
    pub(crate) fn has_pin(&self) -> bool {
        self.pin.as_ref().is_some_and(|pin| pin.get() != "null")
    }

    /// What it reports beside the outcome. What our balance was debited is known only of an account
    /// that is kept in naira.
    pub(crate) fn details(&self) -> AttemptDetails {
        let id = self.id.map(|id| id.to_string());
        let wholesale = self.prices.as_ref();
        let wholesale = wholesale.and_then(|prices| prices.wholesale.as_ref());
        AttemptDetails {
            id: id.as_deref().and_then(ProviderTransactionId::parse),
            cost: wholesale.and_then(ValueInUnit::with_fee),
            commission: None,
        }
    }
}

/// The errors of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct DtoneRefusal {
    pub(crate) errors: Vec<DtoneRequestError>,
}

/// One of them.
#[derive(Debug, Deserialize)]
pub(crate) struct DtoneRequestError {
    code: Box<RawValue>,
    #[serde(default)]
    message: Option<String>,
}

impl DtoneRequestError {
    /// The code, which is a number or a text.
    pub(crate) fn code(&self) -> &str {
        self.code.get().trim_matches('"')
    }

    pub(crate) fn words(&self) -> String {
        words(self.message.as_deref().unwrap_or_default())
    }
}

/// Words for people, in one short line.
pub(crate) fn words(text: &str) -> String {
    let shown = text.chars().filter(|c| !c.is_control());
    shown.take(WORDS_MAX).collect()
}

/// A number of JSON as naira; `None` where it is not whole kobo.
pub(crate) fn naira(number: &str) -> Option<Money> {
    let naira: Decimal = number.parse().ok()?;
    let kobo = naira.checked_mul(Decimal::ONE_HUNDRED)?.normalize();
    let minor = kobo.is_integer().then(|| i64::try_from(kobo).ok())??;
    let fits = (0..=Money::MAX_MINOR).contains(&minor);
    fits.then(|| Money::from_minor(minor, Currency::Ngn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::naira as builder;

    #[test]
    fn an_amount_is_exact_or_none() {
        for (text, amount) in [
            ("1000", "1,000.00"),
            ("1000.0", "1,000.00"),
            ("1000.5", "1,000.50"),
            ("0.01", "0.01"),
            ("1000.5000", "1,000.50"),
        ] {
            assert_eq!(naira(text), Some(builder(amount)), "{text}");
        }
        for text in ["", "null", "-1", "1000.005", "\"1000\"", "1e3x", "NaN"] {
            assert_eq!(naira(text), None, "{text}");
        }
    }

    #[test]
    fn what_our_balance_was_debited_is_known_in_naira_alone() {
        let read = |prices: &str| {
            let json = format!(r#"{{"id":42,"prices":{{"wholesale":{prices}}}}}"#);
            let read: DtoneTransaction = serde_json::from_str(&json).unwrap();
            read.details()
        };
        let details = read(r#"{"unit":"NGN","amount":970.5,"fee":1}"#);
        assert_eq!(details.cost, Some(builder("971.50")));
        assert_eq!(details.id, ProviderTransactionId::parse("42"));
        let without_fee = r#"{"unit":"NGN","amount":970,"fee":null}"#;
        assert_eq!(read(without_fee).cost, Some(builder("970.00")));
        for other in [
            r#"{"unit":"EUR","amount":1,"fee":0}"#,
            r#"{"unit":"NGN","fee":0}"#,
            r#"{"unit":"NGN","amount":1,"fee":"x"}"#,
            "null",
        ] {
            assert_eq!(read(other).cost, None, "{other}");
        }
    }
}
