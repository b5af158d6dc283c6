//! What is left of our money at Paystack. It must never be taken for the ledger's.

use crate::answer::PaystackEnvelope;
use crate::provider::PaystackProvider;
use domain::money::{Currency, Money};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct BalanceOfCurrency {
    currency: String,
    balance: i64,
}

impl PaystackProvider {
    /// The balance in naira that transfers are paid from; `None` where it is not answered.
    pub async fn balance(&self) -> Option<Money> {
        let answer = self.question("balance".to_owned()).await?;
        let envelope = PaystackEnvelope::read(&answer)?;
        let is_answer = answer.unexpected_status().is_none() && envelope.status;
        let balances: Vec<BalanceOfCurrency> = envelope.data().filter(|_| is_answer)?;
        let mut naira = balances
            .iter()
            .filter(|it| it.currency == Currency::Ngn.code());
        let (Some(balance), None) = (naira.next(), naira.next()) else {
            return None;
        };
        let fits = balance.balance.unsigned_abs() <= Money::MAX_MINOR.unsigned_abs();
        fits.then(|| Money::from_minor(balance.balance, Currency::Ngn))
    }
}
