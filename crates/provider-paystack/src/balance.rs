//! What is left of our money at Paystack. It must never be taken for the ledger's.

use crate::answer::PaystackEnvelope;
use crate::provider::PaystackProvider;
use domain::float::ProviderBalance;
use domain::money::{Currency, Money};
use ports::PortError;
use serde::Deserialize;

/// What errors are about.
const PART: &str = "paystack";

#[derive(Debug, Deserialize)]
struct BalanceOfCurrency {
    currency: String,
    balance: i64,
}

impl PaystackProvider {
    /// The balance in naira that transfers are paid from.
    pub(crate) async fn naira_balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        let answer = self.question("balance".to_owned()).await;
        let answer = answer.ok_or_else(|| PortError::new(PART, "the balance was not answered"))?;
        let envelope = PaystackEnvelope::read(&answer);
        let envelope = envelope.filter(|it| answer.unexpected_status().is_none() && it.status);
        let balances: Option<Vec<BalanceOfCurrency>> = envelope.and_then(|it| it.data());
        let unusable = || PortError::new(PART, "the answer holds no balance that can be read");
        let balances = balances.ok_or_else(unusable)?;
        let mut naira = balances
            .iter()
            .filter(|it| it.currency == Currency::Ngn.code());
        let minor = match (naira.next(), naira.next()) {
            (None, _) => return Ok(None),
            (Some(balance), None) => balance.balance,
            (Some(_), Some(_)) => return Err(unusable()),
        };
        let fits = minor.unsigned_abs() <= Money::MAX_MINOR.unsigned_abs();
        let available = fits.then(|| Money::from_minor(minor, Currency::Ngn));
        Ok(Some(ProviderBalance {
            available: available.ok_or_else(unusable)?,
            held: None,
            at: self.clock.now(),
        }))
    }
}
