//! What Reloadly answers, read and not yet judged. A number must never pass through floating point,
//! and a document that says one thing twice says nothing.

use domain::money::{Currency, Money};
use domain::provider::{AttemptDetails, ProviderTransactionId};
use rust_decimal::{Decimal, RoundingStrategy};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Most characters of the provider's words that are kept: one line for an operator.
const WORDS_MAX: usize = 200;

/// An envelope, which some answers have around the transaction.
#[derive(Debug, Deserialize)]
struct TopupEnvelope {
    #[serde(default)]
    transaction: Option<TopupTransaction>,
}

/// A transaction.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TopupTransaction {
    #[serde(default)]
    transaction_id: Option<u64>,
    #[serde(default)]
    pub(crate) status: Option<String>,
    #[serde(default)]
    pub(crate) custom_identifier: Option<String>,
    #[serde(default)]
    recipient_phone: Option<Box<RawValue>>,
    #[serde(default)]
    delivered_amount: Option<Box<RawValue>>,
    #[serde(default)]
    delivered_amount_currency_code: Option<String>,
    #[serde(default)]
    balance_info: Option<BalanceInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BalanceInfo {
    #[serde(default)]
    cost: Option<Box<RawValue>>,
    #[serde(default)]
    currency_code: Option<String>,
}

/// A page of the report of transactions.
#[derive(Debug, Deserialize)]
pub(crate) struct TopupReport {
    pub(crate) content: Vec<TopupTransaction>,
}

/// Why a request was refused.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReloadlyRefusal {
    pub(crate) error_code: String,
    #[serde(default)]
    message: Option<String>,
}

impl TopupTransaction {
    /// Reads an answer of either shape: the transaction within an envelope, with the status of the
    /// envelope where it has none, or the transaction itself. `None` where it is neither.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let own: Self = read(body)?;
        let envelope: TopupEnvelope = read(body)?;
        Some(match envelope.transaction {
            Some(inner) => Self {
                status: inner.status.or(own.status),
                ..inner
            },
            None => own,
        })
    }

    /// The number that was credited: a number or a text, with or without a plus.
    pub(crate) fn number(&self) -> Option<String> {
        let written = self.recipient_phone.as_ref()?.get().trim_matches('"');
        let digits = written.trim_start_matches('+');
        digits
            .bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| digits.to_owned())
    }

    /// What the number was credited with, in whole kobo; `None` where it is not said in naira.
    pub(crate) fn delivered(&self) -> Option<Money> {
        let currency = self.delivered_amount_currency_code.as_deref();
        naira(currency, self.delivered_amount.as_deref())
    }

    /// What it reports beside the outcome. What our balance was debited is known only of an account
    /// that is kept in naira.
    pub(crate) fn details(&self) -> AttemptDetails {
        let id = self.transaction_id.map(|id| id.to_string());
        let balance = self.balance_info.as_ref();
        AttemptDetails {
            id: id.as_deref().and_then(ProviderTransactionId::parse),
            cost: balance.and_then(|it| naira(it.currency_code.as_deref(), it.cost.as_deref())),
            commission: None,
        }
    }
}

impl ReloadlyRefusal {
    /// What it says to people, in one short line.
    pub(crate) fn words(&self) -> String {
        let words = self.message.as_deref().unwrap_or_default();
        let shown = words.chars().filter(|c| !c.is_control());
        shown.take(WORDS_MAX).collect()
    }
}

/// An amount of naira, rounded half up to whole kobo: the provider converts amounts to and fro, and
/// shows fractions of a kobo.
pub(crate) fn naira(currency: Option<&str>, amount: Option<&RawValue>) -> Option<Money> {
    (currency == Some(Currency::Ngn.code())).then_some(())?;
    let amount: Decimal = amount?.get().parse().ok()?;
    let kobo = amount.checked_mul(Decimal::ONE_HUNDRED)?;
    let kobo = kobo.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    let minor = i64::try_from(kobo).ok()?;
    let fits = (0..=Money::MAX_MINOR).contains(&minor);
    fits.then(|| Money::from_minor(minor, Currency::Ngn))
}

/// Reads a document.
pub(crate) fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Option<T> {
    serde_json::from_slice(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::naira as builder;

    #[test]
    fn amounts_are_rounded_half_up_to_kobo() {
        let read = |text: &str| {
            let number = RawValue::from_string(text.to_owned()).unwrap();
            naira(Some("NGN"), Some(&*number))
        };
        for (text, amount) in [
            ("1000", "1,000.00"),
            ("999.9985", "1,000.00"),
            ("999.995", "1,000.00"),
            ("999.994", "999.99"),
            ("0.1", "0.10"),
        ] {
            assert_eq!(read(text), Some(builder(amount)), "{text}");
        }
        assert_eq!(read("-1"), None);
        assert_eq!(read("\"1\""), None);
        let number = RawValue::from_string("1".to_owned()).unwrap();
        assert_eq!(naira(Some("USD"), Some(&*number)), None);
        assert_eq!(naira(None, Some(&*number)), None);
    }

    #[test]
    fn both_shapes_of_an_answer_are_read() {
        for text in [
            r#"{"transactionId":7,"status":"SUCCESSFUL","customIdentifier":"r"}"#,
            r#"{"code":"X","status":"SUCCESSFUL","transaction":{"transactionId":7,
                "customIdentifier":"r"}}"#,
        ] {
            let transaction = TopupTransaction::read(text.as_bytes()).unwrap();
            assert_eq!(transaction.status.as_deref(), Some("SUCCESSFUL"));
            assert_eq!(transaction.custom_identifier.as_deref(), Some("r"));
            assert_eq!(transaction.details().id, ProviderTransactionId::parse("7"));
        }
    }
}
