//! What VTpass answers to `pay` and `requery`, read and not yet judged. Words in the description
//! must never decide anything.

use crate::fields::AnswerFields;
use domain::money::Money;
use domain::provider::{AttemptDetails, ProviderTransactionId};

/// Most characters of the provider's words that are kept: one line for an operator.
const WORDS_MAX: usize = 200;

/// One answer.
#[derive(Debug)]
pub(crate) struct VtpassAnswer {
    /// Three digits, where it is as published.
    pub(crate) code: String,
    /// For people.
    pub(crate) words: String,
    /// The reference it is about.
    pub(crate) reference: Option<String>,
    /// The face value of what was delivered.
    pub(crate) amount: Option<Money>,
    /// The word of the transaction, in lower case.
    pub(crate) status: Option<String>,
    /// The number, meter or card that was credited.
    pub(crate) credited: Option<String>,
    /// The fields at the top, where companies put what a meter is given.
    pub(crate) top: AnswerFields,
    /// The fields of the transaction.
    pub(crate) transaction: AnswerFields,
}

impl VtpassAnswer {
    /// Reads a body; `None` where it is no answer of this interface.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let top = AnswerFields::read(body)?;
        let content = top.object("content");
        let transaction = content.and_then(|content| content.object("transactions"));
        let transaction = transaction.unwrap_or_default();
        Some(Self {
            code: top.text("code")?,
            words: words(&top.text("response_description").unwrap_or_default()),
            reference: top.text("requestId"),
            amount: top
                .naira(&["amount"])
                .or_else(|| transaction.naira(&["amount"])),
            status: transaction
                .text("status")
                .map(|word| word.to_ascii_lowercase()),
            credited: transaction.text("unique_element"),
            top,
            transaction,
        })
    }

    /// The first of these fields that is there, of the answer or of its transaction.
    pub(crate) fn first(&self, names: &[&str]) -> Option<String> {
        let top = self.top.first(names);
        top.or_else(|| self.transaction.first(names))
    }

    /// What it reports of the attempt beside the outcome. The total is what our wallet was debited,
    /// the commission taken off; the commission by itself counts only where there is no total.
    pub(crate) fn details(&self) -> AttemptDetails {
        let id = self.transaction.text("transactionId");
        let cost = self.transaction.naira(&["total_amount"]);
        let commission = self.transaction.object("commission_details");
        let commission = commission
            .and_then(|details| details.naira(&["amount"]))
            .or_else(|| self.transaction.naira(&["commission"]));
        AttemptDetails {
            id: id.and_then(|id| ProviderTransactionId::parse(&id)),
            commission: commission.filter(|_| cost.is_none()),
            cost,
        }
    }
}

fn words(text: &str) -> String {
    let shown = text.chars().filter(|c| !c.is_control());
    shown.take(WORDS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::naira;

    #[test]
    fn details_are_what_our_wallet_was_debited_and_the_id() {
        let read = |transaction: &str| {
            let body = format!(
                r#"{{"code":"000","requestId":"r","content":{{"transactions":{transaction}}}}}"#
            );
            VtpassAnswer::read(body.as_bytes()).unwrap().details()
        };
        let details = read(
            r#"{"transactionId":"17","total_amount":"97.00","commission":3,
                "commission_details":{"amount":3}}"#,
        );
        assert_eq!(details.id, ProviderTransactionId::parse("17"));
        assert_eq!(details.cost, Some(naira("97.00")));
        assert_eq!(details.commission, None);
        let details = read(r#"{"commission_details":{"amount":"3.00"}}"#);
        assert_eq!(
            (details.cost, details.commission),
            (None, Some(naira("3.00")))
        );
        assert!(read("{}").is_empty());
    }

    #[test]
    fn the_words_are_one_short_line() {
        let long = format!(
            r#"{{"code":"016","response_description":"a\nb{}"}}"#,
            "c".repeat(900)
        );
        let answer = VtpassAnswer::read(long.as_bytes()).unwrap();
        assert_eq!(answer.words.chars().count(), WORDS_MAX);
        assert!(answer.words.starts_with("abc"));
    }
}
