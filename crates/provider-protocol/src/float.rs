//! Our money at a provider: `GET /balances` and `GET /statement`. A line that cannot be read must
//! fail the page: a statement with a hole in it would look like one that agrees.

use crate::amount::{Amount, optional};
use crate::document::{DocumentError, valid, word};
use crate::moment::Moment;
use domain::float::{
    PROVIDER_STATEMENT_LINES_MAX, ProviderBalance, ProviderStatementLine, ProviderStatementPage,
    StatedOutcome, StatementCursor,
};
use domain::money::Currency;
use domain::provider::ProviderTransactionId;
use serde::{Deserialize, Serialize};

/// What is left of the gateway's money, one entry for each currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalancesDocument {
    /// Each currency once.
    pub balances: Vec<BalanceDocument>,
}

/// What is left in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceDocument {
    /// What is delivered for.
    pub available: Amount,
    /// What is set aside for orders that are not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Amount>,
    /// As of when.
    pub at: Moment,
}

impl From<&ProviderBalance> for BalanceDocument {
    fn from(balance: &ProviderBalance) -> Self {
        Self {
            available: balance.available.into(),
            held: balance.held.map(Into::into),
            at: balance.at.into(),
        }
    }
}

impl BalanceDocument {
    fn balance(&self) -> Result<ProviderBalance, DocumentError> {
        let available = self.available.money("available")?;
        let held = optional(self.held.as_ref(), "held")?;
        if held.is_some_and(|held| held.currency() != available.currency()) {
            return Err(DocumentError::field(
                "held",
                "must be in the currency of `available`",
            ));
        }
        Ok(ProviderBalance {
            available,
            held,
            at: self.at.into(),
        })
    }
}

impl BalancesDocument {
    /// The balance in a currency; `None` where there is none in it.
    ///
    /// # Errors
    /// When an entry cannot be read, or the currency is there twice.
    pub fn balance(&self, currency: Currency) -> Result<Option<ProviderBalance>, DocumentError> {
        let mut found = None;
        for entry in &self.balances {
            let balance = entry.balance()?;
            if balance.available.currency() == currency && found.replace(balance).is_some() {
                return Err(DocumentError::field(
                    "balances",
                    "must hold each currency once",
                ));
            }
        }
        Ok(found)
    }
}

/// A page of a provider's statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementDocument {
    /// At most 50 lines.
    pub lines: Vec<StatementLineDocument>,
    /// The cursor of the next page; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A line of a provider's statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatementLineDocument {
    /// The gateway's reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The provider's own identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_reference: Option<String>,
    /// The value delivered.
    pub amount: Amount,
    /// What was taken for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Amount>,
    /// `delivered`, `declined`, `reversed` or `pending`.
    pub state: String,
    /// When it was taken in.
    pub at: Moment,
}

impl From<&ProviderStatementLine> for StatementLineDocument {
    fn from(line: &ProviderStatementLine) -> Self {
        Self {
            reference: line.reference.as_ref().map(ToString::to_string),
            provider_reference: line.id.as_ref().map(|id| id.as_str().to_owned()),
            amount: line.amount.into(),
            cost: line.cost.map(Into::into),
            state: line.outcome.code().to_owned(),
            at: line.at.into(),
        }
    }
}

impl From<&ProviderStatementPage> for StatementDocument {
    fn from(page: &ProviderStatementPage) -> Self {
        Self {
            lines: page.lines.iter().map(Into::into).collect(),
            next: page.next.as_ref().map(|next| next.as_str().to_owned()),
        }
    }
}

impl StatementLineDocument {
    fn line(&self) -> Result<ProviderStatementLine, DocumentError> {
        let reference = self.reference.as_deref().map(crate::read_reference);
        let id = self.provider_reference.as_deref();
        Ok(ProviderStatementLine {
            reference: reference.transpose()?,
            id: id.and_then(ProviderTransactionId::parse),
            amount: self.amount.money("amount")?,
            cost: optional(self.cost.as_ref(), "cost")?,
            outcome: word(StatedOutcome::from_code(&self.state), "state")?,
            at: self.at.into(),
        })
    }
}

impl StatementDocument {
    /// The page.
    ///
    /// # Errors
    /// When it has too many lines, or one of them or the cursor cannot be read.
    pub fn page(&self) -> Result<ProviderStatementPage, DocumentError> {
        if self.lines.len() > PROVIDER_STATEMENT_LINES_MAX {
            let reason = format!("must hold at most {PROVIDER_STATEMENT_LINES_MAX} lines");
            return Err(DocumentError::field("lines", reason));
        }
        let lines = self.lines.iter().map(StatementLineDocument::line);
        let next = self.next.as_deref().map(StatementCursor::parse);
        Ok(ProviderStatementPage {
            lines: lines.collect::<Result<_, _>>()?,
            next: valid(next.transpose(), "next")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{read, write};
    use domain::money::Money;
    use domain::reference::ProviderReference;

    fn balances(text: &str) -> Result<Option<ProviderBalance>, DocumentError> {
        let document: BalancesDocument = read(text.as_bytes())?;
        document.balance(Currency::Ngn)
    }

    #[test]
    fn the_balance_of_the_currency_is_found_or_the_document_is_refused() {
        let at = r#""at":"2026-01-15T09:00:00Z""#;
        let naira = format!(r#"{{"available":{{"minor":5000,"currency":"NGN"}},{at}}}"#);
        let credits = format!(r#"{{"available":{{"minor":7,"currency":"CRD"}},{at}}}"#);
        let found = balances(&format!(r#"{{"balances":[{credits},{naira}]}}"#));
        let available = found.unwrap().unwrap().available;
        assert_eq!(available, Money::from_minor(5_000, Currency::Ngn));
        assert_eq!(
            balances(&format!(r#"{{"balances":[{credits}]}}"#)),
            Ok(None)
        );
        for wrong in [
            format!(r#"{{"balances":[{naira},{naira}]}}"#),
            r#"{"balances":[{"available":{"minor":1.5,"currency":"NGN"}}]}"#.to_owned(),
            format!(
                r#"{{"balances":[{{"available":{{"minor":1,"currency":"NGN"}},
                    "held":{{"minor":1,"currency":"CRD"}},{at}}}]}}"#
            ),
            r#"{"balances":{}}"#.to_owned(),
            "<html>".to_owned(),
        ] {
            assert!(balances(&wrong).is_err(), "{wrong}");
        }
    }

    fn line(state: &str) -> String {
        format!(
            r#"{{"reference":"a.b.1","providerReference":"P-1","state":"{state}",
                "amount":{{"minor":100,"currency":"NGN"}},"cost":{{"minor":97,"currency":"NGN"}},
                "at":"2026-01-15T09:00:00Z"}}"#
        )
    }

    fn page(text: &str) -> Result<ProviderStatementPage, DocumentError> {
        let document: StatementDocument = read(text.as_bytes())?;
        document.page()
    }

    #[test]
    fn a_page_reads_back_as_it_was_written() {
        let text = format!(r#"{{"lines":[{}],"next":"7"}}"#, line("delivered"));
        let read_first = page(&text).unwrap();
        assert_eq!(read_first.lines[0].outcome, StatedOutcome::Delivered);
        assert_eq!(read_first.next, StatementCursor::parse("7").ok());
        let written = write(&StatementDocument::from(&read_first)).unwrap();
        assert_eq!(page(std::str::from_utf8(&written).unwrap()), Ok(read_first));
    }

    #[test]
    fn a_page_with_a_line_that_cannot_be_read_is_refused_whole() {
        let good = line("declined");
        for wrong in [
            format!(r#"{{"lines":[{good},{}]}}"#, line("done")),
            format!(r#"{{"lines":[{good}],"next":"a b"}}"#),
            format!(r#"{{"lines":[{good},{{}}]}}"#),
        ] {
            assert!(page(&wrong).is_err(), "{wrong}");
        }
        let many = vec![good.as_str(); PROVIDER_STATEMENT_LINES_MAX + 1].join(",");
        assert!(page(&format!(r#"{{"lines":[{many}]}}"#)).is_err());
    }

    #[test]
    fn a_full_page_of_the_longest_lines_fits_into_a_body() {
        let longest = ProviderStatementLine {
            reference: Some(ProviderReference::from_echo("r".repeat(128))),
            id: ProviderTransactionId::parse(&"\u{1f600}".repeat(128)),
            amount: Money::from_minor(Money::MAX_MINOR, Currency::Ngn),
            cost: Some(Money::from_minor(Money::MAX_MINOR, Currency::Ngn)),
            outcome: StatedOutcome::Delivered,
            at: domain::time::Timestamp::from_millis(0),
        };
        let full = ProviderStatementPage {
            lines: vec![longest; PROVIDER_STATEMENT_LINES_MAX],
            next: StatementCursor::parse(&"c".repeat(StatementCursor::LENGTH_MAX)).ok(),
        };
        assert!(write(&StatementDocument::from(&full)).is_ok());
    }
}
