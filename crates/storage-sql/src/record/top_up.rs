//! Top-ups read back, with what the ledger says of them. A row must pass every rule that a fresh
//! top-up passes.

use super::RecordError;
use super::scalar::{valid, word};
use crate::PART;
use domain::account::AccountId;
use domain::money::{Currency, Money};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::top_up::{AccountTopUp, NewTopUp, TopUpChannel, TopUpConfirmation, TopUpState};
use ports::{PortError, PortErrorKind};

/// A top-up as stored, and the funding that confirms it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopUpRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// How much was announced, in minor units.
    pub amount: i64,
    /// In which currency.
    pub currency: String,
    /// The word of its channel.
    pub channel: String,
    /// When it was announced, in milliseconds.
    pub created_at: i64,
    /// When it ends, in milliseconds.
    pub expires_at: i64,
    /// How much was credited, in minor units, and when; where it was.
    pub confirmed: Option<(i64, i64)>,
}

impl TopUpRow {
    /// The row of a top-up that is not confirmed.
    pub fn of(top_up: &AccountTopUp) -> Self {
        Self {
            account: top_up.account.as_str().to_owned(),
            number: i64::try_from(top_up.number.get()).unwrap_or(i64::MAX),
            reference: top_up.reference.as_str().to_owned(),
            amount: top_up.amount.minor(),
            currency: top_up.amount.currency().code().to_owned(),
            channel: top_up.channel.code().to_owned(),
            created_at: top_up.created_at.as_millis(),
            expires_at: top_up.expires_at.as_millis(),
            confirmed: None,
        }
    }

    /// The top-up, and what became of it.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the top-up.
    pub fn restore(&self) -> Result<TopUpState, PortError> {
        self.read().map_err(|error| {
            let what = format!("top-up {} of {} cannot be read", self.number, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<TopUpState, RecordError> {
        let number = u64::try_from(self.number).unwrap_or_default();
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let amount = |minor, field| {
            let amount = Money::from_minor(minor, currency);
            let fits = amount.is_positive() && minor <= Money::MAX_MINOR;
            fits.then_some(amount).ok_or(RecordError::Value(field))
        };
        let announced = amount(self.amount, "amount")?;
        valid(NewTopUp::check(announced), "amount")?;
        let confirmed = self.confirmed.map(|(minor, at)| {
            Ok(TopUpConfirmation {
                amount: amount(minor, "confirmed")?,
                at: Timestamp::from_millis(at),
            })
        });
        Ok(TopUpState {
            top_up: AccountTopUp {
                account: valid(AccountId::parse(&self.account), "account")?,
                number: valid(TransactionNumber::try_new(number), "number")?,
                reference: valid(MerchantReference::parse(&self.reference), "reference")?,
                amount: announced,
                channel: word(TopUpChannel::from_code(&self.channel), "channel")?,
                created_at: Timestamp::from_millis(self.created_at),
                expires_at: Timestamp::from_millis(self.expires_at),
            },
            confirmed: confirmed.transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::top_up;

    #[test]
    fn a_top_up_is_read_back_as_it_was_written() {
        let made = top_up("shop", 7, "top-1");
        let row = TopUpRow::of(&made);
        let state = row.restore().unwrap();
        assert_eq!((state.top_up, state.confirmed), (made, None));
        let confirmed = TopUpRow {
            confirmed: Some((4_000_000, 9)),
            ..row
        };
        let confirmed = confirmed.restore().unwrap().confirmed.unwrap();
        assert_eq!(confirmed.amount.to_string(), "40,000.00");
        assert_eq!(confirmed.at, Timestamp::from_millis(9));
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut TopUpRow); 7] = [
            |row| row.account = "a b".into(),
            |row| row.number = 0,
            |row| row.reference = "a b".into(),
            |row| row.amount = 0,
            |row| row.currency = "USD".into(),
            |row| row.channel = "card".into(),
            |row| row.confirmed = Some((-1, 0)),
        ];
        for break_it in broken {
            let mut row = TopUpRow::of(&top_up("shop", 7, "top-1"));
            break_it(&mut row);
            let error = row.restore().unwrap_err();
            assert!(error.to_string().contains("top-up"), "{error}");
        }
    }
}
