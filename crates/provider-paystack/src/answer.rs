//! What Paystack answers, read and not yet judged. Words that are for people must never decide
//! anything, and a document that says one thing twice says nothing.

use domain::money::{Currency, Money};
use domain::provider::{AttemptDetails, ProviderTransactionId};
use outbound_http::OutboundAnswer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Most characters of the provider's words that are kept: one line for an operator.
const WORDS_MAX: usize = 200;

/// What every answer is wrapped in.
#[derive(Debug, Deserialize)]
pub(crate) struct PaystackEnvelope {
    pub(crate) status: bool,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    pub(crate) code: Option<String>,
    #[serde(default)]
    data: Option<Box<RawValue>>,
}

impl PaystackEnvelope {
    /// Reads a body; `None` where it is no answer of this interface.
    pub(crate) fn read(answer: &OutboundAnswer) -> Option<Self> {
        serde_json::from_slice(&answer.body).ok()
    }

    /// What it carries; `None` where it is of another form.
    pub(crate) fn data<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.data.as_ref()?.get()).ok()
    }

    /// What it says to people, in one short line.
    pub(crate) fn words(&self) -> String {
        let words = self.message.as_deref().unwrap_or_default();
        let shown = words.chars().filter(|c| !c.is_control());
        shown.take(WORDS_MAX).collect()
    }
}

/// A transfer, as it is answered to its submission and to a query.
#[derive(Debug, Deserialize)]
pub(crate) struct PaystackTransfer {
    /// The reference it is about.
    #[serde(default)]
    pub(crate) reference: Option<String>,
    /// Its word.
    #[serde(default)]
    pub(crate) status: Option<String>,
    /// In the smallest unit.
    #[serde(default)]
    amount: Option<i64>,
    #[serde(default)]
    currency: Option<String>,
    /// What the provider calls it.
    #[serde(default)]
    transfer_code: Option<String>,
    /// In the smallest unit; of other types in some answers, where it is not read.
    #[serde(default)]
    fee_charged: Option<Box<RawValue>>,
    /// A number where the transfer was submitted, an object where it was asked about.
    #[serde(default)]
    recipient: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
struct RecipientOfTransfer {
    #[serde(default)]
    details: Option<RecipientAccount>,
}

/// The account of a recipient.
#[derive(Debug, Deserialize)]
pub(crate) struct RecipientAccount {
    #[serde(default)]
    pub(crate) account_number: Option<String>,
    #[serde(default)]
    pub(crate) bank_code: Option<String>,
}

impl PaystackTransfer {
    /// What was paid; `None` where it is not said, or not in naira.
    pub(crate) fn paid(&self) -> Option<Money> {
        let is_naira = self.currency.as_deref() == Some(Currency::Ngn.code());
        let minor = self.amount.filter(|_| is_naira)?;
        let fits = (0..=Money::MAX_MINOR).contains(&minor);
        fits.then(|| Money::from_minor(minor, Currency::Ngn))
    }

    /// The account it names, where it names one.
    pub(crate) fn account(&self) -> Option<RecipientAccount> {
        let recipient = self.recipient.as_ref()?.get();
        let recipient: RecipientOfTransfer = serde_json::from_str(recipient).ok()?;
        recipient.details
    }

    /// What it reports beside the outcome. The balance is debited with amount and fee, which counts
    /// only where `is_paid`.
    pub(crate) fn details(&self, is_paid: bool) -> AttemptDetails {
        let id = self.transfer_code.as_deref();
        let fee = self.fee_charged.as_ref();
        let fee: Option<i64> = fee.and_then(|fee| serde_json::from_str(fee.get()).ok());
        let fee = fee.filter(|fee| (0..=Money::MAX_MINOR).contains(fee));
        let fee = fee.map(|fee| Money::from_minor(fee, Currency::Ngn));
        let cost = fee.and_then(|fee| self.paid()?.checked_add(fee));
        AttemptDetails {
            id: id.and_then(ProviderTransactionId::parse),
            cost: cost.filter(|_| is_paid),
            commission: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::naira;

    fn transfer(json: &str) -> Option<PaystackTransfer> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn an_amount_is_whole_kobo_or_none() {
        let paid = |json| transfer(json).and_then(|it| it.paid());
        let expected = Some(naira("20,000.00"));
        assert_eq!(paid(r#"{"amount":2000000,"currency":"NGN"}"#), expected);
        for other in [
            "{}",
            r#"{"amount":2000000}"#,
            r#"{"amount":2000000,"currency":"GHS"}"#,
            r#"{"amount":2000000.0,"currency":"NGN"}"#,
            r#"{"amount":"2000000","currency":"NGN"}"#,
            r#"{"amount":-1,"currency":"NGN"}"#,
            r#"{"amount":1,"amount":2,"currency":"NGN"}"#,
        ] {
            assert_eq!(paid(other), None, "{other}");
        }
    }

    #[test]
    fn what_our_balance_was_debited_is_amount_and_fee() {
        let read = |fee: &str, is_paid| {
            let json = format!(
                r#"{{"amount":2000000,"currency":"NGN","transfer_code":"TRF_1",
                    "fee_charged":{fee}}}"#
            );
            transfer(&json).unwrap().details(is_paid)
        };
        let details = read("2500", true);
        assert_eq!(details.cost, Some(naira("20,025.00")));
        assert_eq!(details.id, ProviderTransactionId::parse("TRF_1"));
        for fee in ["null", "\"2500\"", "25.5", "-1", "{}"] {
            assert_eq!(read(fee, true).cost, None, "{fee}");
        }
        assert_eq!(read("2500", false).cost, None);
    }

    #[test]
    fn the_account_is_there_where_the_recipient_is_an_object() {
        let account = |json| transfer(json).unwrap().account();
        let named = r#"{"recipient":{"details":{"account_number":"0123456789"}}}"#;
        let named = account(named).unwrap().account_number;
        assert_eq!(named.as_deref(), Some("0123456789"));
        for other in ["{}", r#"{"recipient":17}"#, r#"{"recipient":{}}"#] {
            assert!(account(other).is_none(), "{other}");
        }
    }
}
