//! References that a provider knows and the store did not, read back. What one was settled as must
//! be a word this gateway knows, with its amount.

use super::RecordError;
use domain::money::{Currency, Money};
use domain::reference_settlement::SettledAs;

/// A noted reference as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotedRow {
    /// What the provider knows it by.
    pub provider_reference: String,
    /// The account in it; empty where it does not say one.
    pub account: String,
    /// The merchant's reference in it; where it does not say one, what is left of it without its
    /// date, or all of it.
    pub reference: String,
    /// The word of what it was settled as.
    pub settlement: Option<String>,
    /// What was booked, in minor units.
    pub amount: Option<i64>,
    /// The code of the currency of that.
    pub currency: Option<String>,
}

impl NotedRow {
    /// What it was settled as; none while it waits.
    ///
    /// # Errors
    /// When word, amount and currency do not belong together.
    pub fn settled_as(&self) -> Result<Option<SettledAs>, RecordError> {
        let Some(word) = &self.settlement else {
            return Ok(None);
        };
        let amount = match (self.amount, self.currency.as_deref()) {
            (None, None) => None,
            (Some(minor), Some(code)) => {
                let currency = Currency::from_code(code).ok_or(RecordError::Value("currency"))?;
                Some(Money::from_minor(minor, currency))
            }
            (Some(_), None) | (None, Some(_)) => return Err(RecordError::Value("amount")),
        };
        let settled = SettledAs::from_record(word, amount);
        settled.map(Some).ok_or(RecordError::Value("settlement"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(settlement: Option<&str>, amount: Option<i64>, currency: Option<&str>) -> NotedRow {
        NotedRow {
            settlement: settlement.map(str::to_owned),
            amount,
            currency: currency.map(str::to_owned),
            ..NotedRow::default()
        }
    }

    #[test]
    fn a_settled_reference_reads_back_with_its_amount_or_not_at_all() {
        assert_eq!(row(None, None, None).settled_as().unwrap(), None);
        let charged = row(Some("charged"), Some(100), Some("NGN")).settled_as();
        let amount = Money::from_minor(100, Currency::Ngn);
        assert_eq!(charged.unwrap(), Some(SettledAs::Charged(amount)));
        let reopened = row(Some("reopened"), None, None).settled_as();
        assert_eq!(reopened.unwrap(), Some(SettledAs::Reopened));
        for broken in [
            row(Some("charged"), None, None),
            row(Some("charged"), Some(100), None),
            row(Some("charged"), Some(100), Some("???")),
            row(Some("reopened"), Some(100), Some("NGN")),
            row(Some("paid"), None, None),
        ] {
            assert!(broken.settled_as().is_err(), "{broken:?}");
        }
    }
}
